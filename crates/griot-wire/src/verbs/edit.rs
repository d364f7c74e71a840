//! `edit`: a new version of a memory, which replaces it. The old version is kept, as superseded.

use griot::model::Error;

use super::remember::stored;
use crate::Remembered;
use crate::call::Call;
use crate::draft::Draft;
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
    if q.text == old.text {
        return Err(Error::invalid(format!("edit `{}`", old.handle), "the text is the same").into());
    }
    let draft = Draft {
        text: q.text,
        kind: Some(old.kind),
        tags: old.tags,
        tier: Some(old.tier.name().to_string()),
        expires_at: old.expires_at.map(|at| at.to_string()),
        importance: Some(old.importance),
        user: old.scope.user,
        project: old.scope.project,
        agent: old.agent,
        session: old.session,
        speaker: old.speaker,
        occurred_at: Some(old.occurred_at.to_string()),
        heading: old.heading,
        supersedes: Some(old.id.to_string()),
        ..Draft::default()
    };
    stored(call, draft, None)
}
