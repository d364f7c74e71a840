//! Compares the mentions of stored memories with the names that the rules find in them now.
//!
//! Only what the rules made themselves is removed: an edge with the provenance of a rule, whose only evidence
//! is the memory at its start, without a reason. What callers named or linked stays, and an entity that
//! someone forgot stays forgotten.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::{About, Read};
use crate::model::{
    Change, Edge, EdgeKind, Evidence, Memory, Node, Provenance, Result, Source, Timestamp, normal_name,
};

use super::name::Name;
use super::plan::{names_it, title_name};
use super::resolve::Resolver;
use super::{Draft, RememberSettings, prepare};

/// The names of a stored memory: those that storing it now would find, without those that its caller gave.
pub fn names(memory: &Memory, settings: &RememberSettings) -> Vec<Name> {
    let draft = Draft {
        kind: Some(memory.kind.clone()),
        tags: memory.tags.clone(),
        speaker: memory.speaker.clone(),
        ..Draft::new(memory.text.clone())
    };
    prepare::names(&draft, settings)
}

/// The subjects of documents, in normal form: older memories that name one mention it, whatever the rules
/// find in them.
pub fn titles(sources: &[Source]) -> BTreeSet<String> {
    let titles = sources.iter().filter_map(|source| title_name(source.kind, source.title.as_deref()));
    titles.map(|title| title.normal).collect()
}

/// What changes for some memories.
#[derive(Default)]
pub struct Compared {
    pub changes: Vec<Change>,
    pub entities_added: u64,
    /// How many memories mention an entity now and did not before.
    pub added: BTreeMap<Node, u64>,
    /// How many memories mentioned an entity and do not any more.
    pub removed: BTreeMap<Node, u64>,
}

pub fn compare(
    read: &dyn Read,
    named: &[(Node, Vec<Name>)],
    titles: &BTreeSet<String>,
    now: Timestamp,
) -> Result<Compared> {
    let nodes: Vec<Node> = named.iter().map(|(node, _)| *node).collect();
    let mut memories = read.memories(&nodes)?;
    memories.retain(|memory| memory.deleted_at.is_none());
    let memories: BTreeMap<Node, Memory> = memories.into_iter().map(|memory| (memory.node, memory)).collect();
    let mut stored: BTreeMap<(Node, Node), Edge> = BTreeMap::new();
    for edge in read.about(&About::Edges(&nodes))?.edges {
        if edge.kind == EdgeKind::Mentions && memories.contains_key(&edge.source) {
            stored.insert((edge.source, edge.target), edge);
        }
    }

    // The first pass finds what the names mean, the second stores only what is missing: a name that is
    // stored already must not count as another vote for its type.
    let present = named.iter().filter_map(|(node, names)| Some((memories.get(node)?, names)));
    let mut meant: BTreeSet<(Node, Node)> = BTreeSet::new();
    let mut missing: Vec<(&Memory, &Name)> = Vec::new();
    let next = read.next_numbers()?.entity;
    let mut trial = Resolver::new(read, next);
    trial.look_up(named.iter().flat_map(|(_, names)| names))?;
    for (memory, names) in present {
        for name in names {
            let Some(entity) = trial.resolve(name, memory.occurred_at)? else { continue };
            meant.insert((memory.node, entity));
            let is_forgotten = || -> Result<bool> {
                Ok(read.entities(&[entity])?.iter().any(|stored| stored.deleted_at.is_some()))
            };
            if !stored.contains_key(&(memory.node, entity)) && !is_forgotten()? {
                missing.push((memory, name));
            }
        }
    }

    let mut compared = Compared::default();
    let mut resolver = Resolver::new(read, next);
    resolver.look_up(missing.iter().map(|(_, name)| *name))?;
    let mut edges: BTreeMap<(Node, Node), Edge> = BTreeMap::new();
    for (memory, name) in missing {
        let Some(entity) = resolver.resolve(name, memory.occurred_at)? else { continue };
        meant.insert((memory.node, entity));
        let ends = (memory.node, entity);
        if stored.contains_key(&ends) || edges.contains_key(&ends) {
            continue;
        }
        let provenance = if name.confidence >= 1.0 { Provenance::Static } else { Provenance::Rule };
        let evidence = Evidence { memory: Some(memory.id), quote: None, reason: None, at: now };
        let edge = Edge {
            weight: name.weight,
            confidence: name.confidence,
            ..Edge::new(ends, EdgeKind::Mentions, provenance, evidence)
        };
        edges.insert(ends, edge);
        *compared.added.entry(entity).or_default() += 1;
    }
    compared.entities_added = u64::from(resolver.made());
    if !edges.is_empty() {
        compared.changes.extend(resolver.into_changes()?);
    }
    compared.changes.extend(edges.into_values().map(Change::PutEdge));

    for (ends, edge) in &stored {
        let Some(memory) = memories.get(&edge.source).filter(|_| !meant.contains(ends)) else { continue };
        if is_by_rule(edge, memory) && !is_of_title(read, edge.target, memory, titles)? {
            compared.changes.push(Change::removal(edge));
            *compared.removed.entry(edge.target).or_default() += 1;
        }
    }
    Ok(compared)
}

/// Whether a rule alone made the mention: no one else stated it, before or after.
fn is_by_rule(edge: &Edge, memory: &Memory) -> bool {
    let is_own = |evidence: &Evidence| {
        evidence.memory == Some(memory.id) && evidence.quote.is_none() && evidence.reason.is_none()
    };
    edge.provenance == Provenance::Rule && edge.evidence.iter().all(is_own)
}

/// Whether the memory mentions the entity because a document about it was read later.
fn is_of_title(read: &dyn Read, entity: Node, memory: &Memory, titles: &BTreeSet<String>) -> Result<bool> {
    let rows = read.entities(&[entity])?;
    let mut names = rows.iter().flat_map(|row| std::iter::once(&row.name).chain(&row.aliases));
    Ok(names.any(|name| titles.contains(&normal_name(name)) && names_it(&memory.text, name)))
}
