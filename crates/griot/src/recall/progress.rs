//! What was decided last, what is still open, and what is preferred: with this a session begins.
//!
//! Read from the latest memories by what they say ([`crate::text::progress`]) or by their kind. What was
//! replaced is no longer decided, and no longer open; nor is open what a later memory decided or is done
//! with. Rules are beside these lists.

use crate::backend::{Filter, Read};
use crate::model::{Memory, Result, Scope, Tier, Timestamp};
use crate::text::{self, Progress};

use super::standing::is_over;

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

/// At most `most` of each, and at most `preferred` preferences: these hold however old they are.
pub fn latest_progress(
    read: &dyn Read,
    scope: &Scope,
    now: Timestamp,
    most: usize,
    preferred: usize,
) -> Result<LatestProgress> {
    let filter = Filter { scope: scope.clone(), now: Some(now), trusted: true, ..Filter::default() };
    let stated = Filter { kinds: vec![Memory::PREFERENCE.to_string()], ..filter.clone() };
    let is_listed = |memory: &Memory| memory.tier != Tier::Rule && !is_over(memory, now);
    let mut wishes = read.memories(&read.latest(&stated, LATEST)?)?;
    wishes.retain(|memory| is_listed(memory) && memory.text.len() <= LONGEST);
    let mut latest = LatestProgress { preferred: wishes, ..LatestProgress::default() };
    let memories = read.memories(&read.latest(&filter, LATEST)?)?;
    for memory in memories.iter().filter(|memory| is_listed(memory)) {
        let list = match of(memory) {
            _ if memory.kind == Memory::PREFERENCE => continue,
            Some(Progress::Decided) => &mut latest.decided,
            Some(Progress::Open) => &mut latest.open,
            None => continue,
        };
        list.push(memory.clone());
    }
    if !latest.open.is_empty() {
        let closings: Vec<Closing> = memories.iter().filter_map(Closing::of).collect();
        latest.open.retain(|open| {
            let terms = text::content_terms(&open.text);
            !closings.iter().any(|closing| closing.closes(open, &terms))
        });
    }
    for (list, most) in
        [(&mut latest.decided, most), (&mut latest.open, most), (&mut latest.preferred, preferred)]
    {
        list.sort_by_key(|memory| std::cmp::Reverse((memory.occurred_at, memory.node)));
        list.truncate(most);
    }
    Ok(latest)
}

/// A memory that decides something or is done with something.
struct Closing<'a> {
    memory: &'a Memory,
    /// The terms of each subject.
    subjects: Vec<Vec<String>>,
}

impl<'a> Closing<'a> {
    fn of(memory: &'a Memory) -> Option<Self> {
        if memory.is_timeless() || memory.text.len() > LONGEST {
            return None;
        }
        let mut subjects = text::closed_subjects(&memory.text);
        if memory.kind == "decision" {
            subjects.push(text::content_terms(&memory.text));
        }
        (!subjects.is_empty()).then_some(Self { memory, subjects })
    }

    /// Whether it came later, in the same session or project, and is about the same. In its session most of
    /// what it says must be about it; elsewhere two terms and a third of the shorter one are the least.
    fn closes(&self, open: &Memory, terms: &[String]) -> bool {
        let is_later = (self.memory.occurred_at, self.memory.node) > (open.occurred_at, open.node);
        let in_session = open.session.is_some() && open.session == self.memory.session;
        let is_near = in_session || open.scope == self.memory.scope;
        let is_same = |subject: &Vec<String>| {
            let shared = subject.iter().filter(|term| terms.contains(term)).count();
            let is_most = in_session && shared * 2 > subject.len();
            is_most || shared > 1 && shared * 3 >= subject.len().min(terms.len())
        };
        is_later && is_near && self.subjects.iter().any(is_same)
    }
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
