//! How a memory stands: current, outdated since when and by which memory, planned, cancelled, temporary until
//! when, or contradicted. Nothing is said where nothing is known.
//!
//! An edge is certain. Without one, a later memory makes an earlier one outdated only if both bear on the
//! question, very likely state one property, and say so in their main clauses: a name in common is not
//! enough. That verdict says that it was read from the texts.

use std::cell::OnceCell;

use crate::model::{Handle, Memory, MemoryId, Timestamp};
use crate::text::{self, Act, Topic};

use super::features::Measured;
use super::pairs::{ONE_PROPERTY, Pairs};

named! {
    /// How a memory stands.
    StandingKind {
        Current = "current",
        Outdated = "outdated",
        Planned = "planned",
        Cancelled = "cancelled",
        Temporary = "temporary",
        Contradicted = "contradicted",
    }
}

/// The memory that decided how another one stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Successor {
    pub id: MemoryId,
    pub handle: Handle,
}

impl Successor {
    pub fn of(memory: &Memory) -> Self {
        Self { id: memory.id, handle: memory.handle.clone() }
    }
}

/// How a result stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    pub kind: StandingKind,
    /// The memory that replaced, cancelled or contradicts it; `None` where only its own text says so.
    pub by: Option<Successor>,
    /// Since when.
    pub since: Option<Timestamp>,
    /// Until when it holds, by its own text.
    pub until: Option<Timestamp>,
    /// An edge says so; else it was read from the texts.
    pub certain: bool,
}

impl Standing {
    fn read(kind: StandingKind) -> Self {
        Self { kind, by: None, since: None, until: None, certain: false }
    }

    fn by(kind: StandingKind, other: &Memory, certain: bool) -> Self {
        Self { by: Some(Successor::of(other)), since: Some(other.occurred_at), certain, ..Self::read(kind) }
    }

    /// What an edge `contradicts` says.
    pub fn contradicted(other: &Memory) -> Self {
        Self::by(StandingKind::Contradicted, other, true)
    }
}

/// [`ONE_PROPERTY`] where the later one does not say that it changes, corrects or cancels something.
const SURELY_ONE: f32 = 0.85;
/// Bond from which one word in common is enough, if the later memory says that something changes.
const NEARLY_SAME: f32 = 0.85;
/// Share of the words of the shorter sentence that both have, for one word in common, for more, and for a
/// bond of [`NEARLY_SAME`].
const SHARE_OF_ONE: f32 = 0.5;
const SHARE_OF_MORE: f32 = 0.4;
const SHARE_IF_NEAR: f32 = 0.33;
/// Relevance below the best, in distances of the best from the middle, down to which a memory is on the
/// subject.
pub const ON_SUBJECT: f32 = -0.7;

/// How the candidates that may be `shown` stand at a moment: memories, each with what is compared of it, a
/// passage's part that answers. `relevance` is on the scale of [`super::features::Scale`]. `certain` says
/// whether by an edge the second of two replaced the first.
pub fn standings(
    memories: &[(&Memory, &str)],
    measured: &[Measured],
    relevance: &[f32],
    pairs: &Pairs,
    certain: &dyn Fn(usize, usize) -> bool,
    moment: Timestamp,
    shown: &[usize],
) -> Vec<Option<Standing>> {
    let count = memories.len();
    let known = |b: usize| memories[b].0.occurred_at <= moment;
    let on_subject = |a: usize| relevance[a] >= ON_SUBJECT;
    let topics: Vec<OnceCell<Topic>> = memories.iter().map(|_| OnceCell::new()).collect();
    let topic = |at: usize| topics[at].get_or_init(|| Topic::of(memories[at].1));
    // Few texts are asked when something was, and to read it costs as much as the rest of a statement.
    let told: Vec<OnceCell<bool>> = memories.iter().map(|_| OnceCell::new()).collect();
    let says_when =
        |at: usize| *told[at].get_or_init(|| text::says_when(memories[at].1, memories[at].0.occurred_at));
    let is_report = |at: usize| {
        let read = &measured[at].statement;
        !read.changes() && (read.recurs || says_when(at))
    };
    let opens_later = |at: usize| {
        let opens = measured[at].statement.opens;
        opens.is_some_and(|opens| opens > moment) && memories[at].0.is_dated()
    };
    // Whether all times that were to come have come.
    let is_past = |at: usize| {
        let ahead = text::times_ahead(memories[at].1, memories[at].0.occurred_at);
        !ahead.is_empty() && ahead.iter().all(|time| time.end <= moment)
    };
    // More a plan than anything else, when it was said.
    let was_plan = |at: usize| {
        let read = &measured[at].statement;
        let is_meant = read.plans() && !says_when(at) || opens_later(at);
        is_meant && !read.cancels() && !read.has(Act::WhatIf)
    };
    // What was announced counts from its day on, an exception to its last day.
    let holds = |at: usize| {
        let read = &measured[at].statement;
        let is_ahead = || {
            let ahead = text::times_ahead(memories[at].1, memories[at].0.occurred_at);
            ahead.iter().any(|time| time.start > moment)
        };
        let is_open = read.has(Act::WhatIf) || read.has(Act::Hearsay) || read.plans();
        let is_over = || read.until.is_some_and(|until| until <= moment) && memories[at].0.is_dated();
        !(is_open || is_over() || opens_later(at) || read.has(Act::Plan) && is_ahead())
    };
    let same = |a: usize, b: usize| {
        let (old, new) = if measured[a].at > measured[b].at { (b, a) } else { (a, b) };
        let (read, bond) = (&measured[new].statement, pairs.bond_of_one(a, b));
        let says_so = read.changes() || read.calls_off() || read.has(Act::Cancel) && was_plan(old);
        let is_one_property = || {
            if bond < if says_so { ONE_PROPERTY } else { SURELY_ONE } {
                return false;
            }
            let common = topic(old).in_common(topic(new), says_so);
            let is_near = says_so && bond >= NEARLY_SAME && common.share >= SHARE_IF_NEAR;
            let least = if common.words > 1 { SHARE_OF_MORE } else { SHARE_OF_ONE };
            common.words > 0
                && (is_near || (says_so || common.words + common.names > 1) && common.share >= least)
                && (says_so || !common.is_of_others)
        };
        let both = || on_subject(a) && on_subject(b) && (pairs.differ_in_value(a, b) || is_one_property());
        // What happened stays true.
        bond > 0.0 && (both() || on_subject(old) && pairs.is_left(a, b)) && !is_report(old)
    };
    let mut in_time: Vec<usize> = (0..count).filter(|b| known(*b)).collect();
    in_time.sort_unstable_by_key(|b| (memories[*b].0.occurred_at, *b));
    let of = |a: usize| {
        let is_later = |b: usize| measured[b].at > measured[a].at;
        let kind = |by: usize| {
            let read = &measured[by].statement;
            match read.calls_off() || read.has(Act::Cancel) && was_plan(a) {
                true => StandingKind::Cancelled,
                false => StandingKind::Outdated,
            }
        };
        // The first one ended it.
        let first = |is: &dyn Fn(usize) -> bool| in_time.iter().copied().find(|b| is(*b));
        if let Some(by) = first(&|b| certain(a, b)) {
            return Some(Standing::by(kind(by), memories[by].0, true));
        }
        if let Some(by) = first(&|b| is_later(b) && holds(b) && same(a, b)) {
            return Some(Standing::by(kind(by), memories[by].0, false));
        }
        // A passage of a document has no day from which "until Friday" counts.
        let of_text = match measured[a].statement.until {
            _ if memories[a].0.is_timeless() => None,
            Some(until) => Some(held(until, moment)),
            None => (was_plan(a) && !is_past(a)).then(|| Standing::read(StandingKind::Planned)),
        };
        of_text.or_else(|| {
            let replaces = |b: usize| measured[b].at < measured[a].at && (certain(b, a) || same(a, b));
            let states = known(a) && holds(a);
            (states && (0..count).any(replaces)).then(|| Standing {
                since: Some(memories[a].0.occurred_at),
                certain: (0..count).any(|b| certain(b, a)),
                ..Standing::read(StandingKind::Current)
            })
        })
    };
    let mut standings = vec![None; count];
    shown.iter().for_each(|at| standings[*at] = of(*at));
    standings
}

/// The standing of a memory that holds until then, by its own text.
fn held(until: Timestamp, moment: Timestamp) -> Standing {
    let over = until <= moment;
    let kind = if over { StandingKind::Outdated } else { StandingKind::Temporary };
    Standing { since: over.then_some(until), until: Some(until), ..Standing::read(kind) }
}

/// How a memory that was compared with no other stands, from its row and its text. The row does not say when
/// the memory was replaced, so that at an earlier moment than `now` only the text counts.
pub fn of_row(memory: &Memory, moment: Timestamp, now: Timestamp) -> Option<Standing> {
    if memory.superseded_by.is_some() && moment >= now {
        return Some(Standing { certain: true, ..Standing::read(StandingKind::Outdated) });
    }
    if memory.is_timeless() {
        return None;
    }
    text::holds_until(&memory.text, memory.occurred_at).map(|until| held(until, moment))
}

/// Whether a memory no longer holds, by its row or its own text: "until 28 November".
pub fn is_over(memory: &Memory, now: Timestamp) -> bool {
    of_row(memory, now, now).is_some_and(|standing| standing.kind == StandingKind::Outdated)
}
