//! Decides what a merge of two entities and its undo change.
//!
//! A merge moves the edges, facts and speakers of one entity to the other, and hides the first; its names
//! become aliases of the survivor. An edge whose key the survivor already has is merged into that edge by
//! `Edge::merge`: evidence is united, the weights of relations are added (they count statements, so they have
//! no upper bound), other weights stay below 1. Each entity keeps its key, including the hidden one, unless
//! the survivor takes the type of the other and would get its key with it: then the two exchange keys. An
//! edge between the two would become a loop and is dropped. Every change is recorded in the [`Merge`], so
//! that an undo restores the former state. Later additions stay with the survivor, and the undo reports what
//! it could not separate.

use std::collections::BTreeSet;

use crate::backend::Read;
use crate::model::{
    Change, Deletable, Edge, EdgeKey, EdgeKind, Entity, EntityType, Error, Fact, FactObject, FoldedEdge,
    Merge, Node, Provenance, Result, Timestamp, TypeVotes, most_given_type,
};

/// Who merges, why and when.
#[derive(Clone, PartialEq, Debug)]
pub struct Who {
    pub by: Provenance,
    pub reason: Option<String>,
    pub at: Timestamp,
}

/// The result of an undo.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Separated {
    /// Number of edges that moved back.
    pub edges: u32,
    pub facts: u32,
    /// What could not be separated, in sentences.
    pub inseparable: Vec<String>,
}

/// Merges `merged` into `kept`, both live entities.
pub fn merge(read: &dyn Read, kept: Node, merged: Node, who: Who) -> Result<(Merge, Vec<Change>)> {
    let entities = read.entities(&[kept, merged])?;
    let what = || {
        let names: Vec<String> =
            entities.iter().map(|entity| format!("`{}`", entity.canonical_id())).collect();
        format!("merge {}", names.join(" and "))
    };
    if kept == merged {
        return Err(Error::invalid(what(), "both are the same entity"));
    }
    let [before, other] = entities.as_slice() else {
        return Err(Error::invalid("merge", "only entities can be merged, memories are stored as they came"));
    };
    if let Some(gone) = entities.iter().find(|entity| entity.deleted_at.is_some()) {
        return Err(Error::invalid(what(), format!("`{}` is hidden", gone.canonical_id()))
            .hint(format!("griot restore \"{}\"", gone.canonical_id())));
    }
    let mut record = Merge {
        number: read.next_merge()?,
        kept: before.clone(),
        merged: other.clone(),
        kind: before.kind,
        at: who.at,
        by: who.by,
        reason: who.reason,
        moved: Vec::new(),
        folded: Vec::new(),
        dropped: Vec::new(),
        facts: read.facts(Some(merged))?,
        spoken: read.spoken_by(merged)?,
        undone_at: None,
    };
    let mut changes = Vec::new();
    let votes = read.type_votes(merged)?;
    let survivor = survivor(read, &mut record, &votes)?;
    if (survivor.kind, &survivor.key) == (other.kind, &other.key) {
        // It took the identity of the other entity, which gets its former one.
        changes.push(Change::PutEntity(Entity {
            kind: before.kind,
            key: before.key.clone(),
            ..other.clone()
        }));
    }
    changes.push(Change::PutEntity(survivor));
    for edge in read.edges_of(merged)? {
        let after = with_ends(&edge, merged, kept);
        if after.source == after.target {
            changes.push(Change::removal(&edge));
            record.dropped.push(edge);
        } else if let Some(into) = read.edge_by_key(after.source, after.target, after.kind, &after.label)? {
            changes.push(Change::removal(&edge));
            changes.push(Change::SetEdge(into.clone().merge(after)));
            record.folded.push(FoldedEdge { edge, into });
        } else {
            record.moved.push(key(&edge));
            changes.push(Change::SetEdge(after));
        }
    }
    changes.extend(record.facts.iter().map(|fact| Change::PutFact(with_subject(fact, merged, kept))));
    changes.extend(record.spoken.iter().map(|&memory| Change::SetSpeaker { memory, entity: Some(kept) }));
    changes.extend(counted(kept, &votes, 1));
    changes.push(Change::SetDeleted { target: Deletable::Node(merged), at: Some(record.at) });
    changes.push(Change::PutMerge(Box::new(record.clone())));
    Ok((record, changes))
}

/// The kept entity with the names of the other, and the type that both together were given most often.
fn survivor(read: &dyn Read, record: &mut Merge, votes: &[TypeVotes]) -> Result<Entity> {
    let Merge { kept, merged, .. } = &*record;
    let mut entity = kept.clone();
    let mut all = read.type_votes(kept.node)?;
    all.extend_from_slice(votes);
    let mut kind = most_given_type(kept.kind, &summed(all));
    if kept.kind == EntityType::Concept && kind == EntityType::Concept {
        kind = merged.kind;
    }
    let key = kept.key_as(kind);
    if kind != kept.kind && !is_held(read, kind, &key, &[kept.node, merged.node])? {
        (entity.kind, entity.key) = (kind, key);
    }
    for name in added_names(kept, merged) {
        if name != entity.canonical_id() && !entity.aliases.contains(&name) {
            entity.aliases.push(name);
        }
    }
    for fragment in &merged.description {
        if !entity.description.contains(fragment) {
            entity.description.push(fragment.clone());
        }
    }
    entity.first_seen = kept.first_seen.min(merged.first_seen);
    entity.last_seen = kept.last_seen.max(merged.last_seen);
    record.kind = entity.kind;
    Ok(entity)
}

/// The names that the survivor gains by the merge.
fn added_names(kept: &Entity, merged: &Entity) -> Vec<String> {
    let mut names = vec![kept.canonical_id(), merged.canonical_id()];
    names.extend(merged.aliases.iter().cloned());
    names.retain(|name| !kept.aliases.contains(name));
    names
}

/// Separates the two entities of a merge.
pub fn undo(read: &dyn Read, number: u32, at: Timestamp) -> Result<(Merge, Separated, Vec<Change>)> {
    let what = format!("undo merge `g{number}`");
    let found = read.merges_after(number.saturating_sub(1), 1)?.pop().filter(|merge| merge.number == number);
    let Some(mut record) = found else {
        return Err(Error::not_found(what, "there is no such merge").hint("griot merges"));
    };
    if let Some(at) = record.undone_at {
        return Err(Error::invalid(what, format!("it was undone at {at}")).hint("griot merges"));
    }
    let (kept, merged) = (record.kept.node, record.merged.node);
    if let Some(later) = later_merge(read, &record)? {
        let why = format!("`{}` was merged again by `{}`", record.kept.canonical_id(), later.id());
        return Err(Error::invalid(what, why).hint(format!("griot merge --undo {}", later.id())));
    }
    let Some(present) = read.entities(&[kept])?.pop() else {
        return Err(Error::corrupt(what, "the entity that was kept has no row"));
    };
    if present.deleted_at.is_some() {
        return Err(Error::invalid(what, format!("`{}` was forgotten", present.canonical_id()))
            .hint(format!("griot restore \"{}\"", present.canonical_id())));
    }
    let former = former_self(&record, present);
    for entity in [&former, &record.merged] {
        if is_held(read, entity.kind, &entity.key, &[kept, merged])? {
            let why = format!("another entity is now called `{}`", entity.canonical_id());
            return Err(Error::invalid(what, why).hint("griot merge them first"));
        }
    }

    let mut separated = Separated::default();
    let mut changes = vec![Change::PutEntity(former)];
    separate_edges(read, &record, &mut separated, &mut changes)?;
    separate_facts(read, &record, &mut separated, &mut changes)?;
    let speakers = read.placements(&record.spoken)?;
    for (&memory, placement) in record.spoken.iter().zip(speakers) {
        if placement.is_some_and(|placement| placement.speaker == Some(kept)) {
            changes.push(Change::SetSpeaker { memory, entity: Some(merged) });
        }
    }
    changes.extend(counted(kept, &read.type_votes(merged)?, -1));
    changes.push(Change::PutEntity(record.merged.clone()));
    record.undone_at = Some(at);
    changes.push(Change::PutMerge(Box::new(record.clone())));
    Ok((record, separated, changes))
}

/// The merge that hides an entity, if any.
pub fn hiding(read: &dyn Read, entity: Node) -> Result<Option<Merge>> {
    let merges = read.merges_after(0, usize::MAX >> 1)?;
    Ok(merges.into_iter().rev().find(|merge| merge.merged.node == entity && merge.undone_at.is_none()))
}

/// The entity that a merged one is part of now; `None` if it was not merged.
pub fn survivor_of(read: &dyn Read, entity: Node) -> Result<Option<Node>> {
    let mut survivor = None;
    // Merges are not undone out of order, so each leads to a later one and the loop ends.
    while let Some(merge) = hiding(read, survivor.unwrap_or(entity))? {
        survivor = Some(merge.kept.node);
    }
    Ok(survivor)
}

/// Whether an entity other than these has the type and key, live or hidden.
fn is_held(read: &dyn Read, kind: EntityType, key: &str, but_for: &[Node]) -> Result<bool> {
    let holders = read.key_holders(&[key.to_owned()])?.concat();
    Ok(holders.iter().any(|holder| holder.kind == kind && !but_for.contains(&holder.node)))
}

/// The latest merge that must be undone first: merges are undone in reverse order, because otherwise it would
/// be unknown what belongs to which entity.
fn later_merge(read: &dyn Read, record: &Merge) -> Result<Option<Merge>> {
    let kept = record.kept.node;
    let later = read.merges_after(record.number, usize::MAX >> 1)?;
    let of_kept = |merge: &Merge| merge.kept.node == kept || merge.merged.node == kept;
    Ok(later.into_iter().rev().find(|merge| merge.undone_at.is_none() && of_kept(merge)))
}

/// The survivor without the gains of the merge; what it gained later stays.
fn former_self(record: &Merge, mut entity: Entity) -> Entity {
    let Merge { kept, merged, .. } = record;
    let added = added_names(kept, merged);
    entity.aliases.retain(|name| !added.contains(name));
    let added = merged.description.iter().filter(|fragment| !kept.description.contains(fragment));
    let added: Vec<&String> = added.collect();
    entity.description.retain(|fragment| !added.contains(&fragment));
    if entity.kind == record.kind || (entity.kind, &entity.key) == (merged.kind, &merged.key) {
        (entity.kind, entity.key) = (kept.kind, kept.key.clone());
    } else if !entity.aliases.contains(&kept.canonical_id()) {
        // Its type changed later: the former id leads to it as before.
        entity.aliases.push(kept.canonical_id());
    }
    // Live mentions define when it was seen; without any, the former times do.
    (entity.first_seen, entity.last_seen) = (kept.first_seen, kept.last_seen);
    entity
}

fn separate_edges(
    read: &dyn Read,
    record: &Merge,
    separated: &mut Separated,
    changes: &mut Vec<Change>,
) -> Result<()> {
    let (kept, merged) = (record.kept.node, record.merged.node);
    let (mut gone, mut grown) = (0, 0);
    let mut accounted: BTreeSet<u32> = BTreeSet::new();
    let at_key = |key: &EdgeKey| read.edge_by_key(key.source, key.target, key.kind, &key.label);
    for before in &record.moved {
        let Some(present) = at_key(&renamed(before, merged, kept))? else {
            gone += 1;
            continue;
        };
        grown += u32::from(present.touched_at > record.at);
        accounted.insert(present.number);
        let back = Edge { source: before.source, target: before.target, ..present.clone() };
        bring(read, back, Some(&present), changes)?;
        separated.edges += 1;
    }
    for FoldedEdge { edge, into } in &record.folded {
        let Some(present) = at_key(&key(into))? else {
            gone += 1;
            continue;
        };
        accounted.insert(present.number);
        let expected = Edge { number: present.number, ..into.clone().merge(with_ends(edge, merged, kept)) };
        let rest = if present == expected {
            Edge { number: present.number, ..into.clone() }
        } else {
            grown += 1;
            less(present, edge, into)
        };
        changes.push(Change::SetEdge(rest));
        bring(read, edge.clone(), None, changes)?;
        separated.edges += 1;
    }
    for edge in &record.dropped {
        bring(read, edge.clone(), None, changes)?;
        separated.edges += 1;
    }
    let later = read.edges_of(kept)?;
    let later =
        later.iter().filter(|edge| edge.created_at > record.at && !accounted.contains(&edge.number)).count();
    let name = record.kept.canonical_id();
    if later > 0 {
        separated.inseparable.push(format!("left with `{name}`: {} added after the merge", edges(later)));
    }
    if grown > 0 {
        separated
            .inseparable
            .push(format!("left unchanged: {} changed after the merge", edges(grown as usize)));
    }
    if gone > 0 {
        separated.inseparable.push(format!("not restored: {} removed after the merge", edges(gone as usize)));
    }
    Ok(())
}

fn edges(count: usize) -> String {
    if count == 1 { "1 edge".to_string() } else { format!("{count} edges") }
}

/// Restores an edge: under its own number if it has one, or merged into the edge that has its key now.
fn bring(read: &dyn Read, edge: Edge, from: Option<&Edge>, changes: &mut Vec<Change>) -> Result<()> {
    let taken = read.edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?.is_some();
    if taken || edge.number == 0 {
        changes.extend(from.map(Change::removal));
        changes.push(Change::PutEdge(edge));
    } else {
        changes.push(Change::SetEdge(edge.normalised()));
    }
    Ok(())
}

/// An edge without the one that was merged into it, after others changed it.
fn less(mut present: Edge, folded: &Edge, into: &Edge) -> Edge {
    present
        .evidence
        .retain(|evidence| into.evidence.contains(evidence) || !folded.evidence.contains(evidence));
    if present.evidence.is_empty() {
        present.evidence.clone_from(&into.evidence);
    }
    if present.kind == EdgeKind::Relation {
        present.weight = (present.weight - folded.weight).max(0.0);
    }
    present
}

fn separate_facts(
    read: &dyn Read,
    record: &Merge,
    separated: &mut Separated,
    changes: &mut Vec<Change>,
) -> Result<()> {
    let (kept, merged) = (record.kept.node, record.merged.node);
    let present = read.facts(Some(kept))?;
    for before in &record.facts {
        let Some(fact) = present.iter().find(|fact| fact.number == before.number) else { continue };
        let mut back = fact.clone();
        if before.subject == merged && back.subject == kept {
            back.subject = merged;
        }
        if before.object == FactObject::Entity(merged) && back.object == FactObject::Entity(kept) {
            back.object = FactObject::Entity(merged);
        }
        changes.push(Change::PutFact(back));
        separated.facts += 1;
    }
    let after =
        |fact: &&Fact| fact.recorded_at > record.at && record.facts.iter().all(|f| f.number != fact.number);
    let later = present.iter().filter(after).count();
    if later > 0 {
        let facts = if later == 1 { "1 fact".to_string() } else { format!("{later} facts") };
        separated
            .inseparable
            .push(format!("left with `{}`: {facts} added after the merge", record.kept.canonical_id()));
    }
    Ok(())
}

fn key(edge: &Edge) -> EdgeKey {
    EdgeKey { source: edge.source, target: edge.target, kind: edge.kind, label: edge.label.clone() }
}

fn renamed(key: &EdgeKey, from: Node, to: Node) -> EdgeKey {
    let swap = |node: Node| if node == from { to } else { node };
    EdgeKey { source: swap(key.source), target: swap(key.target), ..key.clone() }
}

fn with_ends(edge: &Edge, from: Node, to: Node) -> Edge {
    let swap = |node: Node| if node == from { to } else { node };
    Edge { source: swap(edge.source), target: swap(edge.target), ..edge.clone() }.normalised()
}

fn with_subject(fact: &Fact, from: Node, to: Node) -> Fact {
    let swap = |node: Node| if node == from { to } else { node };
    let object = match &fact.object {
        FactObject::Entity(node) => FactObject::Entity(swap(*node)),
        literal => literal.clone(),
    };
    Fact { subject: swap(fact.subject), object, ..fact.clone() }
}

/// One row per type and `given`.
pub(super) fn summed(votes: Vec<TypeVotes>) -> Vec<TypeVotes> {
    let mut sums: Vec<TypeVotes> = Vec::new();
    for vote in votes {
        match sums.iter_mut().find(|sum| (sum.kind, sum.given) == (vote.kind, vote.given)) {
            Some(sum) => sum.times = sum.times.saturating_add(vote.times),
            None => sums.push(vote),
        }
    }
    sums
}

fn counted(entity: Node, votes: &[TypeVotes], sign: i64) -> impl Iterator<Item = Change> {
    votes.iter().map(move |vote| Change::CountType {
        entity,
        kind: vote.kind,
        given: vote.given,
        times: sign * i64::from(vote.times),
    })
}
