//! Which memories are asked about together, in their order: for a run, and for the estimate of one.

use std::collections::HashSet;

use griot::model::{Memory, ReadingTask, Result, Timestamp};

use crate::shown::Shown;
use crate::task::{Group, Task};

/// What to do.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Empty for all that the settings switch on.
    pub tasks: Vec<ReadingTask>,
    /// The most memories of each task.
    pub limit: Option<u64>,
    /// Also ask again about memories that were refused, withheld, or answered with something unreadable.
    pub retry: bool,
}

/// Unread memories that are looked at together.
const PAGE: usize = 200;

/// Memories that are asked about together.
pub(crate) struct Batch {
    pub(crate) sent: Vec<Memory>,
    /// They came up with the others, and may not be sent.
    pub(crate) withheld: Vec<Memory>,
}

/// What is still to be asked about for one task.
pub(crate) struct Queue {
    /// The last memory that was looked at.
    after: u32,
    /// Memories that are asked about again.
    again: Vec<Memory>,
    /// Memories that were looked at and not taken yet.
    page: Vec<Memory>,
    /// Numbers of the memories of groups that were taken, or left for a later run.
    grouped: HashSet<u32>,
    /// How many memories may still be taken.
    left: u64,
    /// How many memories wait for the end of their conversations, and when the first of these ends.
    not_over: Option<(u64, Timestamp)>,
    /// The last page was empty.
    has_ended: bool,
    total: u64,
}

impl Queue {
    pub(crate) fn of(task: &dyn Task, wish: &Wish, shown: &Shown<'_>) -> Result<Self> {
        let again = match wish.retry {
            true => shown.engine.unfinished_readings(task.kind())?,
            false => Vec::new(),
        };
        let left = wish.limit.unwrap_or(u64::MAX);
        let total = left.min(shown.engine.unread_count(task.kind())? + again.len() as u64);
        let (page, grouped) = Default::default();
        Ok(Self { after: 0, again, page, grouped, left, not_over: None, has_ended: false, total })
    }

    /// How many memories wait for the end of their conversations, and when the first of these ends.
    pub(crate) fn not_over(&self) -> Option<(u64, Timestamp)> {
        self.not_over
    }

    /// How many memories there were at first, at most.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Memories of a batch that count towards the limit.
    pub(crate) fn take(&mut self, memories: usize) {
        self.left = self.left.saturating_sub(memories as u64);
    }

    /// `None` if there are no more, or if as many as may be were taken.
    pub(crate) fn next(&mut self, task: &dyn Task, shown: &Shown<'_>) -> Result<Option<Batch>> {
        while self.left > 0 {
            let Some(first) = self.first(task, shown)? else { break };
            let memories = match task.is_grouped() {
                true => self.group(task, &first, shown)?,
                false => task.ready(self.of_one_user(task.batch().max(1), shown), shown)?,
            };
            let (sent, withheld): (Vec<_>, Vec<_>) =
                memories.into_iter().partition(|memory| shown.admits(memory));
            if !(sent.is_empty() && withheld.is_empty()) {
                return Ok(Some(Batch { sent, withheld }));
            }
        }
        Ok(None)
    }

    fn first(&mut self, task: &dyn Task, shown: &Shown<'_>) -> Result<Option<Memory>> {
        if self.page.is_empty() {
            self.page = std::mem::take(&mut self.again);
        }
        while self.page.is_empty() && !self.has_ended {
            self.page = shown.engine.unread(task.kind(), self.after, PAGE)?;
            self.has_ended = self.page.is_empty();
            self.after = self.page.last().map_or(self.after, |last| last.node.number());
            self.page.retain(|memory| !self.grouped.contains(&memory.node.number()));
        }
        Ok(self.page.first().cloned())
    }

    /// Half a conversation is read worse than a limit is passed.
    fn group(&mut self, task: &dyn Task, first: &Memory, shown: &Shown<'_>) -> Result<Vec<Memory>> {
        let Group { memories, wait } = task.group(shown.engine, first, &self.grouped)?;
        // The first may be of a later part of a conversation that is too long for one request.
        let alone = memories.is_empty().then_some(first);
        self.grouped.extend(memories.iter().chain(alone).map(|memory| memory.node.number()));
        self.page.retain(|memory| !self.grouped.contains(&memory.node.number()));
        let Some(wait) = wait else { return Ok(memories) };
        let (count, until) = self.not_over.unwrap_or((0, wait));
        self.not_over = Some((count + memories.len() as u64, until.min(wait)));
        Ok(Vec::new())
    }

    /// The next memories, up to one that belongs to another user: no request has texts of two.
    fn of_one_user(&mut self, most: usize, shown: &Shown<'_>) -> Vec<Memory> {
        let most = most.min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let user = self.page.iter().find(|memory| shown.admits(memory)).map(|first| first.scope.user.clone());
        let is_of_one = |memory: &&Memory| !shown.admits(memory) || user.as_ref() == Some(&memory.scope.user);
        let count = self.page.iter().take(most).take_while(is_of_one).count();
        self.page.drain(..count).collect()
    }
}
