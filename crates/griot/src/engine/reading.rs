//! What a language model reads out of stored memories: which are unread, and what it said about them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Engine;
use crate::backend::{Arc, Direction, Filter, Listing, NeighbourQuery, NodeName, Read, pages};
use crate::graph::{self, distinct};
use crate::model::{
    Change, ChangeSet, EdgeKind, Error, Handle, Memory, MemoryId, Node, Reading, ReadingOutcome, ReadingTask,
    Result, Said, Timestamp,
};
use crate::remember::reading::{self, Observed, ReadingDraft, ReadingTally, SaidFact, Written};
use crate::remember::{Draft, naming, prepare};
use crate::text;

/// Memories per request when they are counted.
const PAGE: usize = 10_000;
/// Memories per request when one is looked for: a view of a part of the workspace may have to skip others.
const LOOKED_AT: usize = 200;
/// Names of one memory; a text that names more is a list.
const MENTIONED: usize = 30;
/// Cosine from which a memory is a neighbour that a language model is asked about: Mnemon's for candidates.
const NEAR: f32 = 0.40;

/// What a language model noted of a memory, at one time.
#[derive(Clone, PartialEq, Debug)]
pub struct Note {
    pub keywords: Vec<String>,
    pub tags: Vec<String>,
    pub context: String,
    pub at: Timestamp,
    /// The memory whose arrival led to it; `None` if it was noted of the memory alone.
    pub by: Option<Handle>,
    pub undone_at: Option<Timestamp>,
    /// It is the latest that was not undone, and no memory that led to it, or to a note that it may repeat,
    /// was forgotten.
    pub counts: bool,
}

impl Engine {
    /// Live memories that a language model has not read for this task, by number: at most `limit` behind
    /// `after`, which is 0 or the number of a memory.
    pub fn unread(&self, task: ReadingTask, after: u32, limit: usize) -> Result<Vec<Memory>> {
        let read = self.read()?;
        let nodes = read.unread(task, after, limit)?;
        read.memories(&nodes)
    }

    /// Whether there are memories that a language model has not read for this task. Costs the same however
    /// many there are.
    pub fn has_unread(&self, task: ReadingTask) -> Result<bool> {
        Ok(!self.read()?.unread(task, 0, LOOKED_AT)?.is_empty())
    }

    /// How many memories a language model has not read for this task.
    pub fn unread_count(&self, task: ReadingTask) -> Result<u64> {
        let read = self.read()?;
        let (mut count, mut after) = (0, 0);
        // A view of a part of the workspace may return shorter pages.
        while let page = read.unread(task, after, PAGE)?
            && let Some(last) = page.last()
        {
            count += page.len() as u64;
            after = last.number();
        }
        Ok(count)
    }

    /// Those of the memories that are still live and were not read since then, nor looked at without success.
    pub fn still_unread(
        &self,
        task: ReadingTask,
        memories: Vec<Memory>,
        since: Timestamp,
    ) -> Result<Vec<Memory>> {
        let read = self.read()?;
        let nodes: Vec<Node> = memories.iter().map(|memory| memory.node).collect();
        let is_done = |one: &&Reading| {
            let is_own = one.task == task && one.by == one.memory;
            is_own && (one.outcome == ReadingOutcome::Read || one.at >= since)
        };
        let done: HashSet<Node> =
            read.readings_about(&nodes)?.iter().filter(is_done).map(|one| one.memory).collect();
        let live = read.memories(&nodes)?.into_iter().filter(|memory| memory.deleted_at.is_none());
        let live: HashSet<Node> = live.map(|memory| memory.node).collect();
        let is_unread = |memory: &Memory| live.contains(&memory.node) && !done.contains(&memory.node);
        Ok(memories.into_iter().filter(is_unread).collect())
    }

    /// Live memories that a language model declined to read, could not read, or was not sent, by number.
    pub fn unfinished_readings(&self, task: ReadingTask) -> Result<Vec<Memory>> {
        let read = self.read()?;
        let mut found = Vec::new();
        for page in pages::<Reading>(read) {
            let page = page?;
            let is_meant = |one: &&Reading| {
                one.task == task && one.by == one.memory && one.outcome != ReadingOutcome::Read
            };
            let nodes: Vec<Node> = page.iter().filter(is_meant).map(|one| one.memory).collect();
            found.extend(read.memories(&nodes)?.into_iter().filter(|memory| memory.deleted_at.is_none()));
        }
        Ok(found)
    }

    /// What language models said about a memory.
    pub fn readings(&self, memory: &str) -> Result<Vec<Reading>> {
        let read = self.read()?;
        read.readings_about(&[naming::memory(read, memory)?])
    }

    /// The names of the entities that each memory mentions, the surest first.
    pub fn mentioned(&self, memories: &[Node]) -> Result<Vec<Vec<String>>> {
        let read = self.read()?;
        let mentions = graph::fan_out(MENTIONED, |kind| kind == EdgeKind::Mentions);
        let filter = Filter { superseded: true, ..Filter::default() };
        let ask = NeighbourQuery { direction: Direction::Out, fan_out: &mentions, filter: &filter };
        let arcs = read.neighbours(memories, &ask)?;
        let nodes = distinct(arcs.iter().flatten().map(|arc| arc.to).collect());
        let entities = read.entities(&nodes)?.into_iter();
        let names: HashMap<Node, String> = entities.map(|entity| (entity.node, entity.name)).collect();
        let named = |arcs: Vec<Arc>| arcs.iter().filter_map(|arc| names.get(&arc.to).cloned()).collect();
        Ok(arcs.into_iter().map(named).collect())
    }

    /// Stores what a language model said, in one transaction with the mark that it was read.
    pub fn put_readings(&self, drafts: &[ReadingDraft]) -> Result<ReadingTally> {
        let now = self.now();
        let (drafts, invented) = grounded(self.read()?, drafts)?;
        let drafts = drafts.as_slice();
        let (written, refused) = self.written(drafts, now)?;
        let mut tally = ReadingTally::default();
        let touched = self.write(&mut |read| {
            let (changes, done) = reading::plan(read, drafts, &written, &self.settings.remember, now)?;
            tally = done;
            Ok(ChangeSet { at: now, changes })
        })?;
        tally.dropped += refused + invented;
        self.look_around(&touched);
        Ok(tally)
    }

    /// The observations of drafts, read and embedded outside the writer's lock, and how many `remember` would
    /// not store.
    fn written(&self, drafts: &[ReadingDraft], now: Timestamp) -> Result<(Vec<Written>, u32)> {
        let (mut written, mut refused) = (Vec::new(), 0);
        for (at, draft) in drafts.iter().enumerate().filter(|(_, draft)| !draft.observed.is_empty()) {
            let Some((source, found)) = reading::drafts_of_observed(self.read()?, draft)? else { continue };
            let is_fine =
                |one: &(usize, Draft)| prepare::check(one.1.clone(), now, &self.settings.remember).is_ok();
            let (observed, fine): (Vec<usize>, Vec<_>) = found.into_iter().filter(is_fine).unzip();
            refused += (draft.observed.len() - fine.len()) as u32;
            let mut prepared = self.prepare(fine, now)?;
            for (one, at) in prepared.iter_mut().zip(&observed) {
                let turns = Turns::of_observed(self.read()?, draft, &draft.observed[*at])?;
                let is_said = |name: &str| turns.have(name);
                one.names.retain(|name| is_said(&name.name) || name.alias.as_deref().is_some_and(is_said));
            }
            written.push(Written { draft: at, source, prepared, observed });
        }
        Ok((written, refused))
    }

    /// Those of these memories that a language model wrote about others.
    pub fn written_by_model(&self, memories: &[MemoryId]) -> Result<Vec<MemoryId>> {
        let read = self.read()?;
        let names: Vec<NodeName<'_>> = memories.iter().map(|id| NodeName::Id(*id)).collect();
        let nodes: Vec<Option<Node>> =
            read.find(&names)?.iter().map(|found| found.first().map(|one| one.node)).collect();
        let mut readings = read.readings_about(&nodes.iter().copied().flatten().collect::<Vec<_>>())?;
        readings.retain(Reading::is_authorship);
        let is_written = |node: &Option<Node>| readings.iter().any(|reading| Some(reading.memory) == *node);
        Ok(memories.iter().zip(&nodes).filter(|(_, node)| is_written(node)).map(|(id, _)| *id).collect())
    }

    /// The memories most similar to one that its scope may know, most similar first.
    pub fn neighbours(&self, memory: &Memory, limit: usize) -> Result<Vec<Memory>> {
        let read = self.read()?;
        let Some(vector) = read.vector(memory.node)? else { return Ok(Vec::new()) };
        let found = read.search_alike(&[(&vector, &memory.scope)], NEAR, limit.saturating_add(1))?;
        let nodes = found.into_iter().flatten().map(|(node, _)| node).filter(|node| *node != memory.node);
        let nodes: Vec<Node> = nodes.take(limit).collect();
        let mut found = read.memories(&nodes)?;
        found.retain(|one| one.deleted_at.is_none() && !one.is_expired(self.now()));
        found.sort_by_key(|one| nodes.iter().position(|node| *node == one.node));
        Ok(found)
    }

    /// The session of a memory, as far as it has the memory's scope.
    pub fn session_of(&self, memory: &Memory, task: ReadingTask) -> Result<Session> {
        let read = self.read()?;
        let Some(place) = read.placements(&[memory.node])?.into_iter().flatten().next() else {
            return Ok(Session::default());
        };
        let filter = Filter { superseded: true, ..Filter::default() };
        let all = Listing::Place { place: place.place, around: 0, limit: usize::MAX >> 1 };
        let mut turns = read.memories(&read.list(all, &filter)?)?;
        // What the user meant for good was said in the session, too; what a model observed in it was not.
        let is_said = |one: &Memory| one.kind == Memory::TURN || one.speaker.is_some();
        turns.retain(|turn| is_said(turn) && turn.deleted_at.is_none() && turn.scope == memory.scope);
        turns.sort_by_key(|turn| (turn.ordinal, turn.node));
        let nodes: Vec<Node> = turns.iter().map(|turn| turn.node).collect();
        let mut readings = read.readings_about(&nodes)?;
        readings.retain(|one| one.task == task && one.by == one.memory);
        let outcomes: BTreeMap<Node, ReadingOutcome> =
            readings.iter().map(|one| (one.memory, one.outcome)).collect();
        let last_at = turns.iter().map(|turn| turn.occurred_at).max();
        turns.retain(|turn| outcomes.get(&turn.node) == outcomes.get(&memory.node));
        Ok(Session { alike: turns, last_at })
    }

    /// What language models noted of a memory, latest first.
    pub fn notes(&self, memory: &str) -> Result<Vec<Note>> {
        let read = self.read()?;
        let noted = noted(read, naming::memory(read, memory)?)?;
        Ok(noted.into_iter().map(|(_, note)| note).collect())
    }

    /// Undoes the note of a memory that counts, and returns its notes. The one before it counts again.
    pub fn undo_note(&self, memory: &str) -> Result<Vec<Note>> {
        let now = self.now();
        let what = || format!("undo the note of `{}`", memory.trim());
        self.write(&mut |read| {
            let found = noted(read, naming::memory(read, memory)?)?;
            let Some((reading, _)) = found.into_iter().find(|(_, note)| note.counts) else {
                return Err(Error::not_found(what(), "it has no note that counts"));
            };
            let undone = Reading { undone_at: Some(now), ..reading };
            Ok(ChangeSet { at: now, changes: vec![Change::PutReading(Box::new(undone))] })
        })?;
        self.notes(memory)
    }
}

/// What a language model says is checked against the turns of a conversation, also where it says it about an
/// observation: the text that a model wrote is no ground for names.
struct Turns {
    /// One memory that says what all of them say; `None` without any.
    memory: Option<Memory>,
    words: Vec<u64>,
}

impl Turns {
    fn of(turns: &[&Memory]) -> Self {
        let said = turns.iter().flat_map(|turn| {
            let beside = turn.speaker.iter().chain(&turn.heading);
            std::iter::once(&turn.text).chain(beside).map(String::as_str)
        });
        let text = said.collect::<Vec<_>>().join("\n");
        let words = text::token_set(&text);
        let first = turns.first().map(|first| (*first).clone());
        let memory = first.map(|first| Memory { text, speaker: None, heading: Vec::new(), ..first });
        Self { memory, words }
    }

    /// Those that an observation of this draft is of, as far as they are of the source and the scope of its
    /// memory.
    fn of_observed(read: &dyn Read, draft: &ReadingDraft, observed: &Observed) -> Result<Self> {
        let ids = observed.about.iter().chain([&draft.memory]);
        let turns = found(read, ids)?;
        let own = turns.iter().find(|turn| turn.id == draft.memory);
        let is_meant = |turn: &&Memory| {
            turn.deleted_at.is_none()
                && observed.about.contains(&turn.id)
                && own.is_some_and(|own| (turn.source, &turn.scope) == (own.source, &own.scope))
        };
        Ok(Self::of(&turns.iter().filter(is_meant).collect::<Vec<_>>()))
    }

    fn have(&self, name: &str) -> bool {
        self.memory.as_ref().is_some_and(|turns| reading::has_name(turns, name))
    }

    /// Whether they have the words of a phrase.
    fn say(&self, phrase: &str) -> bool {
        let phrase = text::token_set(phrase);
        !phrase.is_empty() && phrase.iter().all(|word| self.words.binary_search(word).is_ok())
    }

    fn state(&self, fact: &SaidFact) -> bool {
        let literal = fact.predicate.takes_literal();
        self.have(&fact.subject) && if literal { self.say(&fact.object) } else { self.have(&fact.object) }
    }
}

fn found<'a>(read: &dyn Read, ids: impl Iterator<Item = &'a MemoryId>) -> Result<Vec<Memory>> {
    let names: Vec<NodeName<'_>> = ids.map(|id| NodeName::Id(*id)).collect();
    let nodes: Vec<Node> = read.find(&names)?.iter().flatten().map(|one| one.node).collect();
    read.memories(&distinct(nodes))
}

/// The drafts without names and facts that the turns behind them do not have, and how many these were.
fn grounded(read: &dyn Read, drafts: &[ReadingDraft]) -> Result<(Vec<ReadingDraft>, u32)> {
    let memories = found(read, drafts.iter().map(|draft| &draft.memory))?;
    let written = reading::observations_among(read, &memories)?;
    let mut drafts = drafts.to_vec();
    let mut left_out = 0;
    for draft in &mut drafts {
        let mut observed = std::mem::take(&mut draft.observed);
        for one in &mut observed {
            let turns = Turns::of_observed(read, draft, one)?;
            let before = one.facts.len();
            one.facts.retain(|fact| turns.state(fact));
            left_out += before - one.facts.len();
            // A tag that means an entity is an edge to it.
            one.tags.retain(|tag| turns.say(tag));
        }
        draft.observed = observed;
        let memory = memories.iter().find(|memory| memory.id == draft.memory);
        let Some(nodes) = memory.and_then(|memory| written.get(&memory.node)) else { continue };
        let turns = read.memories(nodes)?;
        let turns = Turns::of(&turns.iter().collect::<Vec<_>>());
        let before = draft.said.len() + draft.facts.len();
        draft.said.retain(|said| match said {
            Said::Entity { name, .. } => turns.have(name),
            Said::Relation { source, target, .. } => turns.have(source) && turns.have(target),
            Said::Keywords(_) | Said::Tags(_) | Said::Context(_) => true,
        });
        draft.facts.retain(|fact| turns.state(fact));
        left_out += before - draft.said.len() - draft.facts.len();
    }
    Ok((drafts, left_out as u32))
}

/// One conversation of a source.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Session {
    /// The turns with the same outcome as the memory, in order: all that are unread, or all that were
    /// refused.
    pub alike: Vec<Memory>,
    /// When the latest of all turns was said.
    pub last_at: Option<Timestamp>,
}

/// The notes of a memory, latest first; of several at one time the memory's own is the earliest.
fn noted(read: &dyn Read, memory: Node) -> Result<Vec<(Reading, Note)>> {
    let mut readings = read.readings_about(&[memory])?;
    readings.retain(|one| {
        one.task == ReadingTask::Notes && one.outcome == ReadingOutcome::Read && !one.said.is_empty()
    });
    readings.sort_by_key(|one| std::cmp::Reverse((one.at, one.by != memory, one.by)));
    let led: Vec<Node> = readings.iter().map(|one| one.by).filter(|by| *by != memory).collect();
    let led: BTreeMap<Node, Memory> =
        read.memories(&distinct(led))?.into_iter().map(|memory| (memory.node, memory)).collect();
    let mut notes = Vec::with_capacity(readings.len());
    let mut is_found = false;
    let forgotten = |reading: &Reading| led.get(&reading.by).filter(|by| by.deleted_at.is_some());
    let repeats_forgotten = |reading: &Reading| {
        readings.iter().any(|one| forgotten(one).is_some_and(|by| reading.may_repeat(one, by)))
    };
    let repeating: Vec<bool> = readings.iter().map(repeats_forgotten).collect();
    for (reading, repeats) in readings.into_iter().zip(repeating) {
        let by = led.get(&reading.by);
        let is_based = reading.by == memory || by.is_some_and(|by| by.deleted_at.is_none()) && !repeats;
        let counts = !is_found && is_based && reading.undone_at.is_none();
        is_found |= counts;
        let mut note = Note {
            keywords: Vec::new(),
            tags: Vec::new(),
            context: String::new(),
            at: reading.at,
            by: by.map(|by| by.handle.clone()),
            undone_at: reading.undone_at,
            counts,
        };
        for said in &reading.said {
            match said {
                Said::Keywords(words) => note.keywords.clone_from(words),
                Said::Tags(words) => note.tags.clone_from(words),
                Said::Context(text) => note.context.clone_from(text),
                Said::Entity { .. } | Said::Relation { .. } => {}
            }
        }
        notes.push((reading, note));
    }
    Ok(notes)
}
