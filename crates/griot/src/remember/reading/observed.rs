//! Memories that a language model wrote about a conversation.

use std::collections::{BTreeMap, HashSet};

use crate::backend::Read;
use crate::graph::distinct;
use crate::model::{
    Change, Edge, EdgeKind, Evidence, FactObject, Memory, MemoryId, Node, Provenance, Reading,
    ReadingOutcome, Result, normal_name,
};

use super::super::plan::Planned;
use super::super::prepare::Prepared;
use super::super::{Action, Draft, EntityDraft, SourceDraft};
use super::named::Words;
use super::statements::Plan;
use super::{Observed, ReadingDraft, live_memories};

/// The observations of one draft, read for names and embedded: work that needs no lock.
pub struct Written {
    /// The position of the draft.
    pub draft: usize,
    pub source: SourceDraft,
    pub prepared: Vec<Prepared>,
    /// The position of each among the observations of the draft.
    pub observed: Vec<usize>,
}

/// Drafts of one source, each with the position of what was observed.
type DraftsOfSource = (SourceDraft, Vec<(usize, Draft)>);

/// The drafts that become memories, for `prepare`: of the source and the scope of the memory that was read,
/// in a session of their own, so that they do not stand among what was said there. Without those whose
/// memories are not found.
pub fn drafts_of_observed(read: &dyn Read, draft: &ReadingDraft) -> Result<Option<DraftsOfSource>> {
    let about = draft.observed.iter().flat_map(|observed| &observed.about);
    let memories = live_memories(read, &distinct(about.chain([&draft.memory]).copied().collect()))?;
    let Some(memory) = memories.get(&draft.memory) else { return Ok(None) };
    let Some(source) = read.source(memory.source)? else { return Ok(None) };
    let session = match &memory.session {
        Some(session) => format!("observations of {session}"),
        None => "observations".to_string(),
    };
    let drafts = draft.observed.iter().enumerate().filter_map(|(at, observed)| {
        let occurred_at = grounds(observed, memory, &memories).map(|one| one.occurred_at).max()?;
        let text = Words::in_text(&observed.text);
        let entities = observed.facts.iter().flat_map(|fact| {
            let object = (!fact.predicate.takes_literal()).then_some(&fact.object);
            std::iter::once(&fact.subject).chain(object)
        });
        let entities = entities.filter(|name| text.name(name, None).is_some());
        let entities = entities.map(|name| EntityDraft::named(name, None));
        let draft = Draft {
            kind: Some(observed.kind.clone()),
            tags: observed.tags.clone(),
            scope: memory.scope.clone(),
            agent: memory.agent.clone(),
            session: Some(session.clone()),
            occurred_at: Some(occurred_at),
            entities: entities.collect(),
            ..Draft::new(&observed.text)
        };
        Some((at, draft))
    });
    Ok(Some((SourceDraft::new(source.kind, source.origin), drafts.collect())))
}

/// The memories that an observation is about: of the source and the scope of the memory that was read.
fn grounds<'m>(
    observed: &'m Observed,
    memory: &'m Memory,
    memories: &'m BTreeMap<MemoryId, Memory>,
) -> impl Iterator<Item = &'m Memory> {
    let found = observed.about.iter().filter_map(|id| memories.get(id));
    found.filter(|one| (one.source, &one.scope) == (memory.source, &memory.scope))
}

impl Plan<'_> {
    /// Connects the observations of a draft, as they were planned, with the memories that they are about.
    /// Returns the readings that mark them as written by a language model.
    pub(super) fn observed(
        &mut self,
        memory: &Memory,
        draft: &ReadingDraft,
        memories: &BTreeMap<MemoryId, Memory>,
        written: &Written,
        planned: &[Planned],
    ) -> Result<Vec<Reading>> {
        let mut readings = Vec::new();
        let nodes: Vec<Node> = planned.iter().map(|one| one.placed.node).collect();
        let known = self.read.readings_about(&nodes)?;
        let mut own: HashSet<Node> =
            known.iter().filter(|one| one.is_authorship()).map(|one| one.memory).collect();
        for ((planned, prepared), at) in planned.iter().zip(&written.prepared).zip(&written.observed) {
            let node = planned.placed.node;
            if planned.action == Action::Added {
                own.insert(node);
                self.tally.observations += 1;
            }
            let observed = &draft.observed[*at];
            let evidence =
                Evidence { memory: Some(planned.placed.id), quote: None, reason: None, at: self.now };
            for about in grounds(observed, memory, memories).filter(|one| one.node != node) {
                let ends = (about.node, node);
                let edge = Edge::new(ends, EdgeKind::Supporting, Provenance::Llm, evidence.clone());
                self.links.push(Change::PutEdge(edge));
                self.tally.links += 1;
                if own.contains(&node) {
                    readings.push(Reading {
                        memory: node,
                        task: draft.task,
                        by: about.node,
                        version: draft.version,
                        outcome: ReadingOutcome::Read,
                        at: self.now,
                        undone_at: None,
                        said: Vec::new(),
                    });
                }
            }
            let text = Words::in_text(&observed.text);
            for said in &observed.facts {
                let called = |name: &str| {
                    let name = normal_name(name);
                    let found = planned.entities.iter().find(|(_, _, written)| normal_name(written) == name);
                    found.map(|(entity, ..)| *entity)
                };
                let object = match said.predicate.takes_literal() {
                    true => {
                        text.say(&said.object).then(|| FactObject::Literal(said.object.trim().to_string()))
                    }
                    false => called(&said.object).map(FactObject::Entity),
                };
                match (called(&said.subject), object) {
                    (Some(subject), Some(object)) if object.entity() != Some(subject) => {
                        let (at, scope) = (prepared.occurred_at, &prepared.draft.scope);
                        self.put_fact(said, (subject, object), at, scope, evidence.clone())?;
                    }
                    _ => self.tally.dropped += 1,
                }
            }
        }
        Ok(readings)
    }
}

/// Of these memories those that a language model wrote about others, with the others that are not forgotten.
pub fn observations_among(read: &dyn Read, memories: &[Memory]) -> Result<BTreeMap<Node, Vec<Node>>> {
    let is_other = |kind: &str| !matches!(kind, Memory::PASSAGE | Memory::TURN);
    let asked = memories.iter().filter(|memory| is_other(&memory.kind)).map(|memory| memory.node);
    let mut found: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    let mut readings = read.readings_about(&asked.collect::<Vec<_>>())?;
    readings.retain(Reading::is_authorship);
    let live = read.live(&readings.iter().map(|reading| reading.by).collect::<Vec<_>>())?;
    for (reading, is_live) in readings.into_iter().zip(live) {
        found.entry(reading.memory).or_default().extend(is_live.then_some(reading.by));
    }
    Ok(found)
}
