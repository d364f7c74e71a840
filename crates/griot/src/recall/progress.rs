//! What was decided last, what is still open, and what is preferred: with this a session begins.
//!
//! Read from the latest memories by what they say ([`crate::text::progress`]) or by their kind. What was
//! replaced is no longer decided, and no longer open.

use crate::backend::{Filter, Read};
use crate::model::{Memory, Result, Scope, Tier, Timestamp};
use crate::text::{self, Progress};

/// Memories that are looked at, the latest first.
const LATEST: usize = 300;
/// Bytes; a longer text is a document about many things.
const LONGEST: usize = 2000;

/// Each list has the latest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LatestProgress {
    pub decided: Vec<Memory>,
    pub open: Vec<Memory>,
    pub preferred: Vec<Memory>,
}

/// At most `most` of each.
pub fn latest_progress(
    read: &dyn Read,
    scope: &Scope,
    now: Timestamp,
    most: usize,
) -> Result<LatestProgress> {
    let filter = Filter { scope: scope.clone(), now: Some(now), trusted: true, ..Filter::default() };
    let mut latest = LatestProgress::default();
    for memory in read.memories(&read.latest(&filter, LATEST)?)? {
        let list = match of(&memory) {
            _ if memory.kind == "preference" && memory.text.len() <= LONGEST => &mut latest.preferred,
            Some(Progress::Decided) => &mut latest.decided,
            Some(Progress::Open) => &mut latest.open,
            None => continue,
        };
        list.push(memory);
    }
    for list in [&mut latest.decided, &mut latest.open, &mut latest.preferred] {
        list.sort_by_key(|memory| std::cmp::Reverse((memory.occurred_at, memory.node)));
        list.truncate(most);
    }
    Ok(latest)
}

fn of(memory: &Memory) -> Option<Progress> {
    match memory.kind.as_str() {
        "decision" => Some(Progress::Decided),
        "todo" | "task" | "question" => Some(Progress::Open),
        "passage" => None,
        // The state of work that is under way.
        _ if memory.tier == Tier::Working => Some(Progress::Open),
        _ if memory.text.len() > LONGEST => None,
        _ => text::progress(&memory.text),
    }
}
