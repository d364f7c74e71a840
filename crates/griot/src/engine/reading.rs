//! What a language model reads out of stored memories: which are unread, and what it said about them.

use std::collections::HashMap;

use super::Engine;
use crate::backend::{Arc, Direction, Filter, NeighbourQuery, pages};
use crate::graph::{self, distinct};
use crate::model::{ChangeSet, EdgeKind, Memory, Node, Reading, ReadingOutcome, ReadingTask, Result};
use crate::remember::naming;
use crate::remember::reading::{self, ReadingDraft, ReadingTally};

/// Memories per request when they are counted.
const PAGE: usize = 10_000;
/// Names of one memory; a text that names more is a list.
const MENTIONED: usize = 30;

impl Engine {
    /// Live memories that a language model has not read for this task, by number: at most `limit` behind
    /// `after`, which is 0 or the number of a memory.
    pub fn unread(&self, task: ReadingTask, after: u32, limit: usize) -> Result<Vec<Memory>> {
        let read = self.read()?;
        let nodes = read.unread(task, after, limit)?;
        read.memories(&nodes)
    }

    /// How many memories a language model has not read for this task.
    pub fn unread_count(&self, task: ReadingTask) -> Result<u64> {
        let read = self.read()?;
        let (mut count, mut after) = (0, 0);
        loop {
            let page = read.unread(task, after, PAGE)?;
            count += page.len() as u64;
            match page.last() {
                Some(last) if page.len() == PAGE => after = last.number(),
                _ => return Ok(count),
            }
        }
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
        let mut tally = ReadingTally::default();
        let touched = self.write(&mut |read| {
            let (changes, done) = reading::plan(read, drafts, now)?;
            tally = done;
            Ok(ChangeSet { at: now, changes })
        })?;
        self.look_around(&touched);
        Ok(tally)
    }
}
