//! How a memory stands: current, outdated since when and by which memory, planned, cancelled, temporary until
//! when, or contradicted. Nothing is said where nothing is known.
//!
//! An edge is certain. Without one, a later memory makes an earlier one outdated only if both bear on the
//! question and very likely state one property; that verdict says that it was read from the texts.

use crate::model::{Handle, Memory, MemoryId, Timestamp};
use crate::text::{Act, Statement};

use super::features::Measured;

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

/// Bond from which two memories state one property, if the later one says that something changes.
const ONE_PROPERTY: f32 = 0.6;
/// The same where the later one does not say that it changes, corrects or cancels something.
const SURELY_ONE: f32 = 0.85;
/// Relevance below the best, in distances of the best from the middle, down to which a memory is on the
/// subject.
pub const ON_SUBJECT: f32 = -0.7;

/// How each candidate stands at a moment. `relevance` is that on [`super::features::Scale`].
pub fn standings(
    memories: &[Memory],
    measured: &[Measured],
    relevance: &[f32],
    bond: &dyn Fn(usize, usize) -> f32,
    certain: &dyn Fn(usize, usize) -> bool,
    moment: Timestamp,
) -> Vec<Option<Standing>> {
    let count = memories.len();
    let known = |b: usize| memories[b].occurred_at <= moment;
    let on_subject = |a: usize| relevance[a] >= ON_SUBJECT;
    let same = |a: usize, b: usize| {
        let later = if memories[a].occurred_at > memories[b].occurred_at { a } else { b };
        let least = if measured[later].statement.replaces() { ONE_PROPERTY } else { SURELY_ONE };
        on_subject(a) && on_subject(b) && bond(a, b) >= least
    };
    let latest = |is: &dyn Fn(usize) -> bool| {
        (0..count).filter(|b| known(*b) && is(*b)).max_by_key(|b| (memories[*b].occurred_at, *b))
    };
    let of = |a: usize| {
        let own = &measured[a].statement;
        let is_later = |b: usize| memories[b].occurred_at > memories[a].occurred_at;
        if let Some(by) = latest(&|b| certain(a, b)) {
            let kind = if is_plan(own) && measured[by].statement.has(Act::Cancel) {
                StandingKind::Cancelled
            } else {
                StandingKind::Outdated
            };
            return Some(Standing::by(kind, &memories[by], true));
        }
        let later = latest(&|b| is_later(b) && same(a, b) && measured[b].solidity() >= 1.0);
        if let Some(by) = later {
            let kind = if is_plan(own) && measured[by].statement.has(Act::Cancel) {
                StandingKind::Cancelled
            } else {
                StandingKind::Outdated
            };
            return Some(Standing::by(kind, &memories[by], false));
        }
        of_text(own, moment).or_else(|| {
            let replaces = (0..count)
                .any(|b| memories[b].occurred_at < memories[a].occurred_at && (certain(b, a) || same(a, b)));
            let states = known(a) && measured[a].solidity() >= 1.0;
            (replaces && states).then(|| Standing {
                since: Some(memories[a].occurred_at),
                certain: (0..count).any(|b| certain(b, a)),
                ..Standing::read(StandingKind::Current)
            })
        })
    };
    (0..count).map(of).collect()
}

/// What a memory says of itself.
fn of_text(statement: &Statement, moment: Timestamp) -> Option<Standing> {
    if let Some(until) = statement.until {
        let over = until <= moment;
        let kind = if over { StandingKind::Outdated } else { StandingKind::Temporary };
        let since = over.then_some(until);
        return Some(Standing { since, until: Some(until), ..Standing::read(kind) });
    }
    is_plan(statement).then(|| Standing::read(StandingKind::Planned))
}

/// More a plan than anything else.
fn is_plan(statement: &Statement) -> bool {
    statement.has(Act::Plan)
        && !statement.has(Act::Cancel)
        && !statement.has(Act::WhatIf)
        && statement.count(Act::Plan) >= statement.count(Act::Change)
}

/// How a memory that was compared with no other stands, from its row and its text.
pub fn of_row(memory: &Memory, statement: &Statement, moment: Timestamp) -> Option<Standing> {
    if memory.superseded_by.is_some() {
        return Some(Standing { certain: true, ..Standing::read(StandingKind::Outdated) });
    }
    statement.until.and_then(|_| of_text(statement, moment))
}
