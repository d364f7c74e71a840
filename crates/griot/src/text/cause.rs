//! Finds the clauses of a text that state a cause, and those that state its effect.
//!
//! Only words that state a cause count ("because", "led to", "therefore"). Words that only sometimes imply
//! one ("after", "when", "as") do not: a wrong edge costs more than a missing one.

use std::ops::Range;
use std::sync::LazyLock;

use super::calendar::{CalendarWord, calendar_word};
use super::language::{Language, language_of};
use super::sentence::sentences;
use super::words::{self, Gap, KeySet, Phrases, Word, is_one_of};

/// Whether the cause comes before or after the cue.
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
    /// Empty if this side is in an earlier sentence or memory, or is not stated.
    pub cause: Range<usize>,
    pub effect: Range<usize>,
    /// The cause was stated before: "Therefore X", "This led to X", "因此".
    pub points_back: bool,
}

named! {
    /// The position of a cue, X the effect and Y the cause.
    Position {
        /// X because Y.
        After = "after",
        /// Like `After`, at the start of a clause only: Since Y, X.
        Front = "front",
        /// Like `After`, behind a comma only: X, since Y.
        Clause = "clause",
        /// Y, which is why X.
        Before = "before",
        /// Y led to X.
        Verb = "verb",
        /// As a result, X.
        Back = "back",
        /// Y, so X.
        So = "so",
    }
}

#[derive(Clone, Copy, Debug)]
struct Cue {
    language: Language,
    place: Position,
    sub_type: &'static str,
}

static CUES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    let table = include_str!("../../data/cause_words.tsv");
    Phrases::read(table, |language, [place, sub_type]| {
        Some(Cue { language, place: Position::parse(place)?, sub_type })
    })
});

context_words! {
    CLAUSE_STARTS PRONOUNS BEFORE_SO POINTING NOT_BEFORE_VERB
}

/// Every cause cue of the text, in order.
pub fn cause_signals(text: &str) -> Vec<CauseSignal> {
    let words = words::words(text);
    let mut reading: Option<Reading> = None;
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut next = at + 1;
        if CUES.at(&words, at).is_some() {
            let reading = reading.get_or_insert_with(|| Reading::of(text, &words));
            if let Some((len, signal)) = reading.signal(at) {
                next = at + len;
                found.push(signal);
            }
        }
        at = next;
    }
    found
}

/// The sub-type of the first cue of the text; `causes` without a cue.
pub fn sub_type_of(text: &str) -> &'static str {
    cause_signals(text).first().map_or("causes", |signal| signal.sub_type)
}

/// A text with at least one cue.
struct Reading<'t> {
    text: &'t str,
    words: &'t [Word],
    language: Language,
    sentences: Vec<Range<usize>>,
    /// Index of the sentence that was read last; cues come in order.
    sentence: usize,
}

impl<'t> Reading<'t> {
    fn of(text: &'t str, words: &'t [Word]) -> Self {
        Self { text, words, language: language_of(text, words), sentences: sentences(text), sentence: 0 }
    }

    fn signal(&mut self, at: usize) -> Option<(usize, CauseSignal)> {
        let start = self.words[at].start;
        while self.sentences.get(self.sentence).is_some_and(|sentence| sentence.end <= start) {
            self.sentence += 1;
        }
        let sentence = self.sentences.get(self.sentence).cloned().unwrap_or(start..self.text.len());
        CUES.all_at(self.words, at).find_map(|(len, cue)| {
            let end = self.words[at + len - 1].end;
            if end > sentence.end || !cue.language.is_read_in(self.language) {
                return None;
            }
            self.read(at, len, *cue, &sentence).map(|signal| (len, signal))
        })
    }

    fn read(&self, at: usize, len: usize, cue: Cue, sentence: &Range<usize>) -> Option<CauseSignal> {
        let bytes = self.words[at].start..self.words[at + len - 1].end;
        let opens = trimmed(self.text, sentence.start..bytes.start).is_empty();
        let gap = self.words[at].gap;
        let clause = opens || matches!(gap, Gap::Comma | Gap::Colon | Gap::Bracket) || self.follows_and(at);
        let before = trimmed(self.text, sentence.start..bytes.start);
        let after = trimmed(self.text, bytes.end..sentence.end);
        let signal = |direction, cause, effect, points_back| CauseSignal {
            bytes: bytes.clone(),
            direction,
            sub_type: cue.sub_type,
            cause,
            effect,
            points_back,
        };
        let effect_first = |cause, effect| signal(CauseDirection::EffectThenCause, cause, effect, false);
        let cause_first =
            |cause, effect, points_back| signal(CauseDirection::CauseThenEffect, cause, effect, points_back);
        let none = bytes.start..bytes.start;
        match cue.place {
            Position::Front if !(opens || gap == Gap::Comma && cue.language == Language::German) => None,
            Position::Clause if gap != Gap::Comma => None,
            Position::Front | Position::Clause if self.is_time(at + len) => None,
            Position::After | Position::Front | Position::Clause if opens => {
                // "Because Y, X": without a comma the effect is not in this sentence.
                let (cause, effect) = match self.comma(bytes.end..sentence.end) {
                    Some(comma) => {
                        (trimmed(self.text, bytes.end..comma), trimmed(self.text, comma..sentence.end))
                    }
                    None => (after, bytes.end..bytes.end),
                };
                // "Since Y" as a whole sentence is about time more often than not.
                let is_time = cue.place == Position::Front && effect.is_empty();
                (!is_time).then(|| effect_first(cause, effect))
            }
            Position::After | Position::Front | Position::Clause => {
                (!after.is_empty()).then(|| effect_first(after, before))
            }
            Position::Before => Some(cause_first(before, after, opens)),
            Position::Verb => {
                if at > 0 && !opens && self.is_listed(at - 1, &NOT_BEFORE_VERB) || after.is_empty() {
                    return None;
                }
                let points_back = opens || self.is_pointing(&before);
                Some(cause_first(if points_back { none } else { before }, after, points_back))
            }
            Position::Back if opens => Some(cause_first(none, after, true)),
            Position::Back if clause => Some(cause_first(before, after, false)),
            // "We therefore chose X": the whole sentence is the effect.
            Position::Back => Some(cause_first(none, trimmed(self.text, sentence.clone()), true)),
            Position::So if !self.conjoins(at, opens) => None,
            Position::So => Some(cause_first(if opens { none } else { before }, after, opens)),
        }
    }

    /// Whether "so" joins clauses here: "so we left", not "so excited".
    fn conjoins(&self, at: usize, opens: bool) -> bool {
        let next = self.words.get(at + 1).filter(|next| matches!(next.gap, Gap::Space | Gap::Line));
        let Some(next) = next else { return false };
        match self.words[at].gap {
            Gap::Comma | Gap::Colon => CLAUSE_STARTS.contains(&next.key) || next.upper,
            _ if opens => CLAUSE_STARTS.contains(&next.key) || next.upper,
            Gap::Space | Gap::Line => {
                PRONOUNS.contains(&next.key) && at > 0 && !self.is_listed(at - 1, &BEFORE_SO)
            }
            _ => false,
        }
    }

    fn is_listed(&self, at: usize, list: &KeySet) -> bool {
        self.words.get(at).is_some_and(|word| list.contains(&word.key))
    }

    /// "and therefore".
    fn follows_and(&self, at: usize) -> bool {
        at > 0 && matches!(self.words[at - 1].text(self.text), "and" | "und" | "et" | "y" | "but" | "aber")
    }

    /// Whether a time follows: "since 2019", "since last week", "since then".
    fn is_time(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return true };
        const TIMES: &str = "then last early late when ever mid birth childhood ages";
        const EVENTS: &str = "beginning start end early late inception launch release";
        let is_calendar = match calendar_word(word) {
            Some(CalendarWord::Unit(_) | CalendarWord::Number(_)) | None => false,
            Some(_) => true,
        };
        let is_event = |word: &Word| word.digit || is_one_of(EVENTS, word.text(self.text));
        word.digit
            || is_calendar
            || is_one_of(TIMES, word.text(self.text))
            || is_one_of("the its his her their my our", word.text(self.text))
                && self.words.get(at + 1).is_some_and(is_event)
    }

    /// The first comma in the range that ends a clause, not one between digits.
    fn comma(&self, range: Range<usize>) -> Option<usize> {
        let slice = &self.text[range.clone()];
        slice.char_indices().find_map(|(at, c)| {
            let ends = match c {
                ',' => !slice[at + 1..].starts_with(|c: char| c.is_ascii_digit()),
                '，' | ';' => true,
                _ => false,
            };
            ends.then_some(range.start + at)
        })
    }

    /// Whether the clause consists only of words such as "this", "which", "and that".
    fn is_pointing(&self, clause: &Range<usize>) -> bool {
        let first = self.words.partition_point(|word| word.start < clause.start);
        let inside = self.words[first..].iter().take_while(|word| word.end <= clause.end);
        let mut count = 0;
        for word in inside.take(4) {
            count += 1;
            let is_auxiliary =
                matches!(word.text(self.text), "has" | "have" | "had" | "hat" | "a" | "also" | "then");
            if !POINTING.contains(&word.key) && !is_auxiliary {
                return false;
            }
        }
        count < 4
    }
}

/// The range without white space and punctuation at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    words::trimmed(text, range, |c| c.is_whitespace() || ",;:.!?-–—，。；：！？、*".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    /// Cause, sub-type and effect of each signal; `<` before the cause if the cue points back.
    fn shown(text: &str) -> String {
        let one = |s: CauseSignal| {
            let back = if s.points_back { "<" } else { "" };
            format!("{back}{} {} {}", &text[s.cause], s.sub_type, &text[s.effect])
        };
        cause_signals(text).into_iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn causes_and_effects_are_found_by_their_cues() {
        check(include_str!("../../tests/cases/causes.tsv"), shown);
        assert_eq!(sub_type_of("A lock prevents double writes"), "prevents");
        assert_eq!(sub_type_of("nothing here"), "causes");
    }
}
