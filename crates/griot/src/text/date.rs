//! When a text speaks of: points and spans of time, and events that stand for them.

use std::ops::Range;

use crate::model::{Interval, Timestamp};

/// How the asked time lies to the interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TimeRelation {
    Within,
    Before,
    After,
    Around,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeExpression {
    pub bytes: Range<usize>,
    pub relation: TimeRelation,
    /// The span the expression names; for `Before` and `After` the named span itself, not what lies beside it.
    pub interval: Interval,
}

/// An event that a question measures time by; the range holds the event's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventAnchor {
    Before(Range<usize>),
    After(Range<usize>),
    During(Range<usize>),
}

pub fn parse_time(text: &str, now: Timestamp) -> Option<Timestamp> {
    let _ = (text, now);
    None
}

pub fn time_expressions(query: &str, now: Timestamp) -> Vec<TimeExpression> {
    let _ = (query, now);
    Vec::new()
}

pub fn event_anchors(query: &str) -> Vec<EventAnchor> {
    let _ = query;
    Vec::new()
}

pub fn years_in(text: &str) -> Vec<i16> {
    let _ = text;
    Vec::new()
}
