//! What kind of answer a question asks for.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Intent {
    Why,
    When,
    Entity,
    General,
}

#[derive(Clone, PartialEq, Debug)]
pub struct IntentReading {
    pub intent: Intent,
    /// 0..=1.
    pub confidence: f32,
    /// The words that decided.
    pub cue: Option<Range<usize>>,
}

pub fn read_intent(query: &str) -> IntentReading {
    let _ = query;
    IntentReading { intent: Intent::General, confidence: 0.5, cue: None }
}
