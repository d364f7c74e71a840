//! Which clause of a text says why, and which says what came of it.

use std::ops::Range;

/// On which side of the cue the cause stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CauseDirection {
    /// "X because Y".
    EffectThenCause,
    /// "Y, therefore X".
    CauseThenEffect,
}

/// One cue such as "because", with the clauses on its sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CauseSignal {
    /// The cue itself.
    pub bytes: Range<usize>,
    pub direction: CauseDirection,
    /// `causes`, `enables` or `prevents`.
    pub sub_type: &'static str,
    /// Empty when this side lies in an earlier sentence or memory.
    pub cause: Range<usize>,
    pub effect: Range<usize>,
    /// A sentence-initial "therefore", "因此": the cause is in what was said before.
    pub points_back: bool,
}

/// Every cause cue of the text, in order.
pub fn cause_signals(text: &str) -> Vec<CauseSignal> {
    let _ = text;
    Vec::new()
}

/// The sub-type of the first cue that is not plainly `causes`, else `causes`.
pub fn sub_type_of(text: &str) -> &'static str {
    cause_signals(text).iter().map(|signal| signal.sub_type).find(|s| *s != "causes").unwrap_or("causes")
}
