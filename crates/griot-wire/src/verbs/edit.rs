//! `edit`: a new version of a memory, which replaces it. The old version is kept, as superseded. What people
//! said about it holds for the new version, too: entities that were named with it, and links.

use griot::model::Error;
use griot::remember::Draft;

use crate::Remembered;
use crate::call::Call;
use crate::failure::Outcome;

requests! {
    /// Store a new version of a memory. It has the kind, the tags, the time and the scope of the old one.
    Edit by new {
        /// Id or handle of the memory.
        name: String,
        /// The new text.
        #[schemars(schema_with = "crate::request::forms::text")]
        text: String,
    }
}

pub fn edit(call: &Call, q: Edit) -> Outcome<Remembered> {
    let old = call.engine.show(&q.name)?;
    let old_id = old.id.to_string();
    let refused = |why: String| Error::invalid(format!("edit `{}`", old.handle), why);
    if let Some(newer) = old.superseded_by {
        let newer = call.engine.show(&newer.to_string())?.handle;
        let hint = format!("griot edit {} \"the new text\"", newer.to_string().trim_start_matches('#'));
        return Err(refused(format!("`{newer}` has replaced it")).hint(hint).into());
    }
    if old.is_timeless() {
        let (document, _) = call.engine.source(old.source)?;
        let origin = document.source.origin;
        return Err(refused(format!("it is a passage of `{origin}`"))
            .hint("edit the document and ingest it again; `griot remember` stores what changed")
            .into());
    }
    if q.text == old.text {
        return Err(refused("the text is the same".to_string()).into());
    }
    call.own_memory("replace a memory", &old_id)?;
    let draft = Draft {
        text: q.text,
        kind: Some(old.kind),
        tags: old.tags,
        tier: Some(old.tier),
        expires_at: old.expires_at,
        importance: Some(old.importance),
        scope: old.scope,
        agent: old.agent,
        session: old.session,
        speaker: old.speaker,
        occurred_at: Some(old.occurred_at),
        heading: old.heading,
        supersedes: Some(old_id),
        keeps_links: true,
        ..Draft::default()
    };
    Ok(Remembered::from(&call.engine.remember(draft)?))
}
