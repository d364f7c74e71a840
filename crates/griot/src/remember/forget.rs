//! Decides what `forget` and `restore` change.

use std::collections::BTreeSet;

use crate::backend::{About, Read, Wanted, pages};
use crate::model::{
    Change, Deletable, Entity, Error, Memory, Node, Offer, Result, Source, SourceId, Suggestion,
    SuggestionState, Timestamp, entity_key, normal_name, split_canonical_id,
};

use super::merge::hiding;
use super::{naming, offers, suggestions};

/// The result of `forget` or `restore`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forgotten {
    /// Id and handle.
    pub memories: Vec<(String, String)>,
    /// Canonical ids.
    pub entities: Vec<String>,
    /// Ids, as `forget` and `restore` take them.
    pub sources: Vec<String>,
    /// Ids of offers that were refused, or are open again.
    pub offers: Vec<String>,
    /// Ids of suggested merges that are open again.
    pub suggestions: Vec<String>,
    /// Edges at a hidden node: kept, not followed, and back after a restore.
    pub edges_hidden: u64,
}

/// The changes of `forget` or `restore`, and its result so far.
#[derive(Default)]
pub struct Forgetting {
    pub changes: Vec<Change>,
    forgotten: Forgotten,
    around: Surroundings,
}

impl Forgetting {
    /// The result, after the changes were committed.
    pub fn finish(mut self, read: &dyn Read) -> Result<Forgotten> {
        self.around.compare(read, &mut self.forgotten)?;
        Ok(self.forgotten)
    }
}

/// Hides (`at`) or restores the memory, entity or source that a name means, refuses or reopens an offer, or
/// reopens a suggested merge.
pub fn named(read: &dyn Read, name: &str, at: Option<Timestamp>) -> Result<Forgetting> {
    if let Some(id) = SourceId::parse(name.trim()) {
        return source(read, id, at);
    }
    if let Some(offer) = offers::named(read, name)? {
        return Ok(settled(offer, at));
    }
    if at.is_none()
        && let Some(suggestion) = suggestions::named(read, name)?
    {
        return reopened(suggestion);
    }
    let meant = match naming::node(read, name) {
        // A hidden entity is not found by its name any more; its canonical id is kept for this.
        Err(_) if at.is_none() => hidden_entity(read, name)?,
        // The name may have been given to another entity since.
        Ok(live) if at.is_none() && live.is_entity() => hidden_entity(read, name).unwrap_or(live),
        found => found?,
    };
    node(read, meant, at)
}

fn node(read: &dyn Read, node: Node, at: Option<Timestamp>) -> Result<Forgetting> {
    let mut done = Forgetting { around: Surroundings::of(read, &[node])?, ..Forgetting::default() };
    let mut rows = read.fetch(&Wanted { nodes: &[node], ..Wanted::default() })?;
    done.forgotten.memories.extend(rows.memories.iter().map(id_and_handle));
    let is_done = rows.memories.iter().any(|memory| memory.deleted_at.is_some() == at.is_some());
    done.forgotten.entities.extend(rows.entities.iter().map(Entity::canonical_id));
    if let Some(entity) = rows.entities.pop().filter(|entity| at.is_none() && entity.deleted_at.is_some()) {
        refuse_merged(read, &entity)?;
        done.changes.push(Change::SetDeleted { target: Deletable::Node(entity.node), at: None });
    } else if !is_done {
        done.changes.push(Change::SetDeleted { target: Deletable::Node(node), at });
        done.changes.extend(done.around.undescribed(read, at)?);
    }
    Ok(done)
}

/// Refuses or reopens an offer. Refusing it again would change its time.
fn settled(offer: Offer, at: Option<Timestamp>) -> Forgetting {
    let mut done = Forgetting::default();
    done.forgotten.offers.push(offer.id());
    if offer.refused_at.is_some() != at.is_some() {
        done.changes.push(Change::PutOffer(Offer { refused_at: at, ..offer }));
    }
    done
}

/// A dismissed suggestion is an open one again.
fn reopened(suggestion: Suggestion) -> Result<Forgetting> {
    let mut done = Forgetting::default();
    done.forgotten.suggestions.push(suggestion.id());
    match suggestion.state {
        SuggestionState::Open | SuggestionState::Unsure => {}
        SuggestionState::Dismissed => {
            let open = Suggestion { state: SuggestionState::Open, ..suggestion };
            done.changes.push(Change::PutSuggestion(open));
        }
        SuggestionState::Applied => {
            let what = format!("reopen the suggestion `{}`", suggestion.id());
            return Err(Error::invalid(what, "the two were merged").hint("griot merge --undo ID"));
        }
    }
    Ok(done)
}

/// Hides or restores a source and its memories. What only they support follows them.
/// Hides a source whose content is gone. It keeps no hash, by which it would count as forgotten by a person.
pub fn missing(read: &dyn Read, id: SourceId, at: Timestamp) -> Result<Forgetting> {
    let mut done = source(read, id, Some(at))?;
    if let Some(known) = read.source(id)?.filter(|known| known.deleted_at.is_none()) {
        let gone = Source { content_hash: None, deleted_at: Some(at), ..known };
        done.changes.push(Change::PutSource(gone));
    }
    Ok(done)
}

fn source(read: &dyn Read, id: SourceId, at: Option<Timestamp>) -> Result<Forgetting> {
    let Some(source) = read.source(id)? else {
        return Err(
            Error::not_found(format!("find source `{id}`"), "there is no such source").hint("griot sources")
        );
    };
    let mut done = Forgetting::default();
    done.forgotten.sources.push(id.to_string());
    // Forgetting it again would change its time, and a restore would not find its memories.
    if source.deleted_at.is_some() && at.is_some() {
        return Ok(done);
    }
    // A restore brings back the memories forgotten with the source, not those forgotten before.
    let was_forgotten_with_it = |memory: &Memory| at.is_some() || memory.deleted_at == source.deleted_at;
    let nodes = read.source_memories(id, at.is_none())?;
    let memories: Vec<Memory> = read.memories(&nodes)?.into_iter().filter(was_forgotten_with_it).collect();
    for memory in &memories {
        done.forgotten.memories.push(id_and_handle(memory));
        done.changes.push(Change::SetDeleted { target: Deletable::Node(memory.node), at });
    }
    done.changes.push(Change::SetDeleted { target: Deletable::Source(id), at });
    let nodes: Vec<Node> = memories.iter().map(|memory| memory.node).collect();
    done.around = Surroundings::of(read, &nodes)?;
    done.changes.extend(done.around.undescribed(read, at)?);
    Ok(done)
}

fn id_and_handle(memory: &Memory) -> (String, String) {
    (memory.id.to_string(), memory.handle.to_string())
}

/// The entities and edges at nodes that are forgotten or restored. Whether they stay live is derived
/// (invariant 7), and found by comparison.
#[derive(Default)]
struct Surroundings {
    entities: Vec<Node>,
    edges: Vec<u32>,
    were_live: (Vec<bool>, Vec<bool>),
}

impl Surroundings {
    fn of(read: &dyn Read, nodes: &[Node]) -> Result<Self> {
        let (mut entities, mut edges) = (BTreeSet::new(), BTreeSet::new());
        let own: Vec<&Node> = nodes.iter().filter(|node| node.is_entity()).collect();
        for edge in read.about(&About::Edges(nodes))?.edges {
            edges.insert(edge.number);
            let ends = [edge.source, edge.target].into_iter();
            entities.extend(ends.filter(|end| end.is_entity() && !own.contains(&end)));
        }
        let (entities, edges): (Vec<Node>, Vec<u32>) =
            (entities.into_iter().collect(), edges.into_iter().collect());
        let were_live = (read.live(&entities)?, read.live_edges(&edges)?);
        Ok(Self { entities, edges, were_live })
    }

    /// Takes the summaries away that were made of what is forgotten.
    fn undescribed(&self, read: &dyn Read, at: Option<Timestamp>) -> Result<Vec<Change>> {
        let around = if at.is_some() { self.entities.as_slice() } else { &[] };
        let described = read.entities(around)?.into_iter().filter(|entity| !entity.description.is_empty());
        Ok(described.map(|entity| Change::PutEntity(Entity { description: Vec::new(), ..entity })).collect())
    }

    /// Adds the entities and edges that were hidden or restored.
    fn compare(&self, read: &dyn Read, forgotten: &mut Forgotten) -> Result<()> {
        let live = read.live(&self.entities)?;
        let changed = self.were_live.0.iter().zip(&live).map(|(before, after)| before != after);
        let changed: Vec<Node> =
            self.entities.iter().zip(changed).filter(|(_, c)| *c).map(|(node, _)| *node).collect();
        forgotten.entities.extend(read.entities(&changed)?.iter().map(Entity::canonical_id));
        let live = read.live_edges(&self.edges)?;
        forgotten.edges_hidden =
            self.were_live.1.iter().zip(&live).filter(|(before, after)| before != after).count() as u64;
        Ok(())
    }
}

/// Refuses to restore a merged entity: the undo of the merge restores it with its edges.
fn refuse_merged(read: &dyn Read, hidden: &Entity) -> Result<()> {
    let Some(merge) = hiding(read, hidden.node)? else { return Ok(()) };
    let why = format!("it was merged into `{}`", merge.kept.canonical_id());
    Err(Error::invalid(format!("restore `{}`", hidden.canonical_id()), why)
        .hint(format!("griot merge --undo {}", merge.id())))
}

/// The hidden entity with this id; else, of those with this name, the one hidden last.
fn hidden_entity(read: &dyn Read, name: &str) -> Result<Node> {
    let wanted = name.trim();
    let alias = normal_name(wanted);
    let typed = split_canonical_id(wanted).map(|(kind, key)| (kind, entity_key(kind, key)));
    let is_id = |entity: &Entity| {
        entity.canonical_id() == wanted
            || typed.as_ref().is_some_and(|(kind, key)| (entity.kind, &entity.key) == (*kind, key))
    };
    let mut latest: Option<(Option<Timestamp>, Node)> = None;
    for page in pages::<Entity>(read) {
        for entity in page?.iter().filter(|entity| entity.deleted_at.is_some()) {
            if is_id(entity) {
                return Ok(entity.node);
            }
            if entity.aliases.contains(&alias) {
                latest = latest.max(Some((entity.deleted_at, entity.node)));
            }
        }
    }
    match latest {
        Some((_, node)) => Ok(node),
        None => Err(Error::not_found(format!("restore `{wanted}`"), "nothing with this name was forgotten")),
    }
}
