//! Decides what the readings of a language model change: what it said about memories becomes mentions,
//! relations, links between memories, facts, and memories about a conversation.
//!
//! A model may say anything. A name counts only if its words are in the memory (`named`), so that nothing
//! gets an edge to what the text does not name; a link counts only between memories that exist. Everything
//! has the memory as evidence and the provenance of a language model, which never overrules a person
//! (`statements`). Memories that it writes go the way of all memories (`observed`). What was read before with
//! the same version is not applied twice, even if another process read it.

mod named;
mod observed;
mod statements;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::backend::{NodeName, Read, Wanted};
use crate::graph::distinct;
use crate::model::{
    Change, EdgeKind, Error, ErrorKind, Memory, MemoryId, Node, Predicate, Reading, ReadingOutcome,
    ReadingTask, Result, Said, SourceId, Timestamp,
};

use super::RememberSettings;
use super::plan::{self, Batch, Part};
use super::resolve::Resolver;
pub use observed::{Written, drafts_of_observed, observations_among};
use statements::Plan;

/// What a language model said about one memory for one task.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadingDraft {
    pub memory: MemoryId,
    pub task: ReadingTask,
    /// Version of the prompt.
    pub version: u32,
    pub outcome: ReadingOutcome,
    /// Kept with the memory; entities and relations also become nodes and edges.
    pub said: Vec<Said>,
    pub links: Vec<SaidLink>,
    pub facts: Vec<SaidFact>,
    /// The memory whose arrival led to it. `None` for a reading of its own.
    pub by: Option<MemoryId>,
    /// Memories that were written about this one and others of its source. A draft with observations says
    /// nothing else, so that one transaction has one list of new entities.
    pub observed: Vec<Observed>,
}

impl ReadingDraft {
    pub fn new(memory: MemoryId, task: ReadingTask, version: u32, outcome: ReadingOutcome) -> Self {
        let (said, links, facts, observed) = Default::default();
        Self { memory, task, version, outcome, said, links, facts, by: None, observed }
    }
}

/// A memory that a language model writes about others.
#[derive(Clone, PartialEq, Debug)]
pub struct Observed {
    pub text: String,
    pub kind: String,
    pub tags: Vec<String>,
    /// The memories that say so: at least one, each of the source and the scope of the memory that is read.
    pub about: Vec<MemoryId>,
    /// Their names are in its text.
    pub facts: Vec<SaidFact>,
}

/// An edge between two memories.
#[derive(Clone, PartialEq, Debug)]
pub struct SaidLink {
    pub source: MemoryId,
    pub target: MemoryId,
    pub kind: EdgeKind,
    /// Default: that of the kind.
    pub label: Option<String>,
    /// 0 to 1.
    pub confidence: f32,
    pub reason: Option<String>,
}

/// A statement with a fixed predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct SaidFact {
    pub subject: String,
    pub predicate: Predicate,
    pub object: String,
    /// 0 to 1.
    pub confidence: f32,
}

/// What the readings of a batch came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadingTally {
    /// Memories that count as read now.
    pub memories: u32,
    /// Entities that did not exist before.
    pub entities: u32,
    pub mentions: u32,
    pub relations: u32,
    pub links: u32,
    pub facts: u32,
    /// Memories that were written about others.
    pub observations: u32,
    /// Notes of other memories that were brought up to date.
    pub evolved: u32,
    /// Names that the memory does not contain, and what depends on them; links that are impossible;
    /// observations without a memory that says so.
    pub dropped: u32,
    /// Readings that came too late: another process was first, or the memory was forgotten.
    pub late: u32,
}

impl AddAssign for ReadingTally {
    fn add_assign(&mut self, more: Self) {
        // Naming every field makes a new one fail to compile until it is added.
        let Self {
            memories,
            entities,
            mentions,
            relations,
            links,
            facts,
            observations,
            evolved,
            dropped,
            late,
        } = more;
        self.memories += memories;
        self.entities += entities;
        self.mentions += mentions;
        self.relations += relations;
        self.links += links;
        self.facts += facts;
        self.observations += observations;
        self.evolved += evolved;
        self.dropped += dropped;
        self.late += late;
    }
}

/// Whether the words of a memory, its headings or its speaker have a name.
pub fn has_name(memory: &Memory, name: &str) -> bool {
    named::Words::of(memory, None).have(name)
}

/// The changes of a batch, in one transaction.
pub fn plan(
    read: &dyn Read,
    drafts: &[ReadingDraft],
    written: &[Written],
    settings: &RememberSettings,
    now: Timestamp,
) -> Result<(Vec<Change>, ReadingTally)> {
    let says =
        |draft: &ReadingDraft| !(draft.said.is_empty() && draft.links.is_empty() && draft.facts.is_empty());
    if drafts.iter().any(|draft| !draft.observed.is_empty()) && drafts.iter().any(says) {
        let why = "one transaction has either observations or other statements";
        return Err(Error::new(ErrorKind::Bug, "store what a model said", why));
    }
    let mut tally = ReadingTally::default();
    let about = drafts.iter().flat_map(|draft| draft.observed.iter().flat_map(|one| &one.about).copied());
    let ids = drafts.iter().flat_map(|draft| [draft.memory, draft.by.unwrap_or(draft.memory)]).chain(about);
    let memories = live_memories(read, &distinct(ids.collect()))?;
    let nodes: Vec<Node> = memories.values().map(|memory| memory.node).collect();
    let known = read.readings_about(&nodes)?;
    // Observations are stored with the marks of all that they are about, or a later run writes them anew.
    let is_whole = |draft: &ReadingDraft| {
        draft.observed.iter().flat_map(|one| &one.about).all(|id| memories.contains_key(id))
    };
    let torn = drafts.iter().find(|draft| !is_whole(draft)).map(|draft| draft.task);
    let mut readings: Vec<Reading> = Vec::new();
    let mut accepted: Vec<(usize, &Memory)> = Vec::new();
    for (at, draft) in drafts.iter().enumerate() {
        let (memory, by) = (memories.get(&draft.memory), memories.get(&draft.by.unwrap_or(draft.memory)));
        let (Some(memory), Some(by), true) = (memory, by, torn != Some(draft.task)) else {
            tally.late += 1;
            continue;
        };
        let key = (memory.node, draft.task, by.node);
        let is_read = |one: &Reading| {
            (one.memory, one.task, one.by) == key
                && one.version == draft.version
                && one.outcome == ReadingOutcome::Read
        };
        if known.iter().chain(&readings).any(is_read) {
            tally.late += 1;
            continue;
        }
        // What one user's memory led to is not shown to others.
        if !memory.scope.may_know(&by.scope) {
            tally.dropped += 1;
            continue;
        }
        accepted.push((at, memory));
        readings.push(Reading {
            memory: memory.node,
            task: draft.task,
            by: by.node,
            version: draft.version,
            outcome: draft.outcome,
            at: now,
            undone_at: None,
            said: Vec::new(),
        });
    }
    let is_accepted = |one: &&Written| accepted.iter().any(|(at, _)| *at == one.draft);
    let written: Vec<&Written> = written.iter().filter(is_accepted).collect();
    let parts: Vec<Part<'_>> = written
        .iter()
        .map(|one| Part {
            source: &one.source,
            drafts: &one.prepared,
            skip_duplicates: true,
            content_hash: None,
        })
        .collect();
    let stored = match parts.as_slice() {
        [] => plan::Plan::default(),
        parts => plan::plan(read, &Batch { parts, now, settings })?,
    };
    let sources: Vec<SourceId> = distinct(memories.values().map(|memory| memory.source).collect());
    let sources = read.fetch(&Wanted { sources: &sources, ..Wanted::default() })?.sources;
    let titles = sources.into_iter().filter_map(|source| Some((source.id, source.title?))).collect();
    let next = read.next_numbers()?.entity + stored.entities_made;
    let mut plan = Plan {
        read,
        now,
        titles,
        resolver: Resolver::new(read, next),
        edges: BTreeMap::new(),
        links: Vec::new(),
        facts: Vec::new(),
        tally,
    };
    for (&(at, memory), reading) in accepted.iter().zip(&mut readings) {
        reading.said = plan.statements(memory, &drafts[at])?;
    }
    let evolved = readings.iter().filter(|reading| reading.by != reading.memory).count();
    plan.tally.evolved = evolved as u32;
    plan.tally.memories = (readings.len() - evolved) as u32;
    plan.tally.entities = plan.resolver.made() + stored.entities_made;
    let mut planned = stored.planned.as_slice();
    for one in written {
        let (own, rest) = planned.split_at(one.prepared.len());
        planned = rest;
        if let Some((_, memory)) = accepted.iter().find(|(at, _)| *at == one.draft) {
            readings.extend(plan.observed(memory, &drafts[one.draft], &memories, one, own)?);
        }
    }
    let mut changes = stored.changes.changes;
    changes.extend(plan.resolver.into_changes()?);
    changes.extend(plan.edges.into_values().map(Change::PutEdge));
    changes.extend(plan.links);
    changes.extend(plan.facts.into_iter().map(Change::PutFact));
    changes.extend(readings.into_iter().map(|reading| Change::PutReading(Box::new(reading))));
    Ok((changes, plan.tally))
}

/// The memories with these ids that are not forgotten.
fn live_memories(read: &dyn Read, ids: &[MemoryId]) -> Result<BTreeMap<MemoryId, Memory>> {
    let names: Vec<NodeName<'_>> = ids.iter().map(|id| NodeName::Id(*id)).collect();
    let nodes: Vec<Node> = read.find(&names)?.iter().flatten().map(|one| one.node).collect();
    let memories = read.memories(&distinct(nodes))?.into_iter();
    let live = memories.filter(|memory| memory.deleted_at.is_none());
    Ok(live.map(|memory| (memory.id, memory)).collect())
}
