//! `edit`: a new version of a memory, which replaces it. The old version is kept, as superseded. What people
//! said about it holds for the new version, too: entities that were named with it, and links.

use griot::engine::LinkRequest;
use griot::model::{Edge, EdgeKind, Entity, Error, Memory, Node, Provenance, Result};

use super::remember::stored;
use crate::Remembered;
use crate::call::Call;
use crate::draft::{Draft, EntityDraft, NamedEntity};
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
    let (entities, links) = given(call, &old)?;
    let draft = Draft {
        text: q.text,
        entities,
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
    let new = stored(call, draft, None)?;
    for link in links {
        let own = |name: String| if name == old_id { new.id.clone() } else { name };
        call.engine.link(&LinkRequest { source: own(link.source), target: own(link.target), ..link })?;
    }
    Ok(new)
}

/// What a person gave a memory: the entities that were named with it, and its links, by the ids of their
/// ends. What the rules found is found again.
fn given(call: &Call, old: &Memory) -> Result<(Vec<EntityDraft>, Vec<LinkRequest>)> {
    let (read, now) = (call.engine.read()?, call.engine.now());
    let edges: Vec<Edge> = read.edges_of(old.node)?;
    let (mut entities, mut links) = (Vec::new(), Vec::new());
    let id = |node: Node| -> Result<Option<String>> {
        Ok(match node.is_entity() {
            true => read.entities(&[node])?.first().map(Entity::canonical_id),
            false => read.memories(&[node])?.first().map(|memory| memory.id.to_string()),
        })
    };
    for edge in edges {
        let is_named = edge.kind == EdgeKind::Mentions && edge.provenance == Provenance::Static;
        if is_named {
            entities.extend(read.entities(&[edge.target])?.into_iter().map(|entity| {
                let kind = Some(entity.kind.name().to_string());
                EntityDraft::Long(NamedEntity { name: entity.name, kind, key: Some(entity.key) })
            }));
        }
        let is_over = edge.expires_at.is_some_and(|end| end <= now);
        if edge.provenance != Provenance::User || edge.kind == EdgeKind::Supersedes || is_over {
            continue;
        }
        let (Some(source), Some(target)) = (id(edge.source)?, id(edge.target)?) else { continue };
        links.push(LinkRequest {
            source,
            target,
            kind: edge.kind,
            label: Some(edge.label).filter(|label| !label.is_empty()),
            weight: Some(edge.weight.min(1.0)),
            reason: edge.evidence.into_iter().find_map(|one| one.reason),
            provenance: Provenance::User,
            confidence: Some(edge.confidence),
            expires_at: edge.expires_at,
        });
    }
    Ok((entities, links))
}
