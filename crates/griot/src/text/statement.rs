//! What a memory does to what was known: it states, changes, corrects, plans, proposes, repeats hearsay,
//! cancels, or holds for a time only.
//!
//! Cue words are counted by kind; no text is of one kind alone ("the plan to move is cancelled"). Cues count
//! in texts of their own language; in texts of unknown language the English ones do.

use std::sync::LazyLock;

use crate::model::Timestamp;

use super::calendar::CalendarWord;
use super::language::{Language, language_of};
use super::negation::numbers;
use super::timespan::Reader;
use super::words::{Phrases, Word, words};

named! {
    /// What a memory does, besides stating something.
    Act {
        Change = "change",
        Correction = "correction",
        Plan = "plan",
        WhatIf = "whatif",
        Hearsay = "hearsay",
        Cancel = "cancel",
        Temporary = "temporary",
        Cause = "cause",
    }
}

/// The acts of a memory.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statement {
    counts: [u8; Act::ALL.len()],
    /// Until when it holds, if it says so.
    pub until: Option<Timestamp>,
    /// It is a question.
    pub asks: bool,
}

impl Statement {
    /// How many cues of an act it has, at most 2.
    pub fn count(&self, act: Act) -> f32 {
        f32::from(self.counts[act as usize].min(2))
    }

    pub fn has(&self, act: Act) -> bool {
        self.counts[act as usize] > 0
    }

    /// Whether it says that it changes, corrects or cancels something.
    pub fn replaces(&self) -> bool {
        [Act::Change, Act::Correction, Act::Cancel].into_iter().any(|act| self.has(act))
    }
}

static CUES: LazyLock<Phrases<(Language, Act)>> = LazyLock::new(|| {
    let table = include_str!("../../data/statement_cues.tsv");
    Phrases::read(table, |language, [act]| Some((language, Act::parse(act)?)))
});

context_words! {
    UNTIL TAKES_BACK
}

/// Reads a memory; `said` is its time, from which "until Friday" counts.
pub fn statement(text: &str, said: Timestamp) -> Statement {
    let words = words(text);
    statement_of(text, &words, language_of(text, &words), said)
}

/// The same of a text that has been split into words, in its language.
pub(super) fn statement_of(text: &str, words: &[Word], own: Language, said: Timestamp) -> Statement {
    let mut read = Statement { asks: text.trim_end().ends_with(['?', '？']), ..Statement::default() };
    for at in 0..words.len() {
        for (_, (language, act)) in CUES.all_at(words, at) {
            if language.is_read_in(own) {
                read.counts[*act as usize] = read.counts[*act as usize].saturating_add(1);
            }
        }
        if read.until.is_none() && UNTIL.contains(&words[at].key) {
            read.until = until(text, words, at, said);
        }
    }
    if read.asks {
        read.counts[Act::WhatIf as usize] = read.counts[Act::WhatIf as usize].saturating_add(1);
    }
    read
}

/// Whether a text names a value of another one only to take it back, and another value beside it: "15, not
/// 16".
pub fn takes_back(new: &str, old: &str) -> bool {
    /// Words between the one that takes back and the value.
    const BETWEEN: usize = 2;
    let (said, had) = (numbers(new), numbers(old));
    let words = words(new);
    let is_taken_back = |at: usize| {
        let before = &words[at.saturating_sub(BETWEEN)..at];
        words[at].digit
            && before.iter().any(|word| TAKES_BACK.contains(&word.key))
            && had.iter().any(|number| number == words[at].text(new))
    };
    said.iter().any(|number| !had.contains(number)) && (0..words.len()).any(is_taken_back)
}

/// The end of the time named after "until", in the future of the memory.
fn until(text: &str, words: &[Word], at: usize, said: Timestamp) -> Option<Timestamp> {
    /// Articles and prepositions between "until" and the time.
    const SKIPPED: usize = 3;
    const YEAR: i64 = 365 * Timestamp::DAY;
    let reader = Reader { text, words, now: said, today: said.date() };
    let time = |at: usize| {
        let (_, _, interval) = reader.expression_at(at)?;
        Some(interval)
    };
    let interval = (at + 1..words.len().min(at + 1 + SKIPPED)).find_map(time)?;
    let mut end = interval.end;
    // A date without a year is read as the latest one; what ends lies ahead.
    if end <= said {
        let is_weekday = interval.end.0.saturating_sub(interval.start.0) <= Timestamp::DAY
            && words[at + 1..]
                .iter()
                .take(SKIPPED)
                .any(|word| matches!(super::calendar::calendar_word(word), Some(CalendarWord::Weekday(_))));
        end = Timestamp(end.0.saturating_add(if is_weekday { 7 * Timestamp::DAY } else { YEAR }));
    }
    (end > said).then_some(end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::text::cases::check;

    #[test]
    fn the_acts_of_a_memory_are_read() {
        let acts = |text: &str| {
            let read = statement(text, Timestamp::default());
            let acts: Vec<&str> =
                Act::ALL.into_iter().filter(|act| read.has(*act)).map(Act::name).take(1).collect();
            acts.join(" ")
        };
        check(include_str!("../../tests/cases/statements.tsv"), acts);
    }

    #[test]
    fn a_value_is_taken_back_by_name() {
        let old = "From April the return costs 16 euros.";
        assert!(takes_back("Correction: the return costs 15 from April, not 16.", old));
        assert!(takes_back("Ab sofort 18 statt 16 Euro.", old));
        assert!(!takes_back("The return costs 16, and bikes are not free.", old));
        assert!(!takes_back("Not on the 12th but on the 13th.", old));
    }

    #[test]
    fn until_lies_ahead() {
        let said = Timestamp::from_day(2025, 4, 16).unwrap();
        let until = statement("Until the 9th of May Rowan feeds the cat.", said).until.unwrap();
        assert!(until > said && until.days_since(said) < 40.0, "{until:?}");
    }
}
