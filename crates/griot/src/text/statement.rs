//! What a memory does to what was known: it states, changes, corrects, plans, proposes, repeats hearsay,
//! cancels, or holds for a time only.
//!
//! Cue words are counted by kind; no text is of one kind alone ("the plan to move is cancelled"). Cues count
//! in texts of their own language; in texts of unknown language the English ones do.

use std::ops::Range;
use std::sync::LazyLock;

use crate::model::{Interval, Timestamp};

use super::calendar::{CalendarWord, calendar_word};
use super::clause::{ends_before, subordinate};
use super::date::years_in;
use super::language::Language;
use super::negation::numbers;
use super::timespan::{Reader, TimeExpression, TimeRelation, may_open};
use super::words::{Gap, Phrases, Word, is_labelled, is_one_of, words};

named! {
    /// What a memory does, besides stating something.
    Act {
        Change = "change",
        Correction = "correction",
        Plan = "plan",
        WhatIf = "whatif",
        Hearsay = "hearsay",
        Cancel = "cancel",
        Off = "off",
        Temporary = "temporary",
        Cause = "cause",
    }
}

/// The acts of a memory.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statement {
    counts: [u8; Act::ALL.len()],
    /// Those of its main clauses, but for words such as "new".
    main: [u8; Act::ALL.len()],
    /// From when on it holds, if it says so and that is to come: "from January on".
    pub opens: Option<Timestamp>,
    /// Until when it holds, if it says so.
    pub until: Option<Timestamp>,
    /// It is a question.
    pub asks: bool,
    /// It says that something happened once more.
    pub recurs: bool,
}

impl Statement {
    /// How many cues of an act it has, at most 2.
    pub fn count(&self, act: Act) -> f32 {
        f32::from(self.counts[act as usize].min(2))
    }

    pub fn has(&self, act: Act) -> bool {
        self.counts[act as usize] > 0
    }

    fn add(&mut self, act: Act, is_main: bool) {
        let at = act as usize;
        self.counts[at] = self.counts[at].saturating_add(1);
        self.main[at] = self.main[at].saturating_add(u8::from(is_main));
    }

    /// Whether it states a plan, unless it [`says_when`] something was done.
    pub fn plans(&self) -> bool {
        let plan = self.main[Act::Plan as usize];
        plan > 0 && plan >= self.main[Act::Change as usize]
    }

    /// Whether one of its main clauses says that something is otherwise from now on, or was wrong.
    pub fn changes(&self) -> bool {
        self.main[Act::Change as usize] > 0 || self.main[Act::Correction as usize] > 0
    }

    /// Whether one of its main clauses says that something is not so, or stays as it is.
    pub fn cancels(&self) -> bool {
        self.main[Act::Cancel as usize] > 0
    }

    /// Whether one of its main clauses says that what was to happen does not.
    pub fn calls_off(&self) -> bool {
        self.main[Act::Off as usize] > 0
    }

    /// Whether it says that it changes, corrects or cancels something.
    pub fn replaces(&self) -> bool {
        [Act::Change, Act::Correction, Act::Cancel].into_iter().any(|act| self.has(act))
    }
}

/// Phrases of no act hide the cues in them.
static CUES: LazyLock<Phrases<(Language, Option<Act>)>> = LazyLock::new(|| {
    let table = include_str!("../../data/statement_cues.tsv");
    Phrases::read(table, |language, [act]| match act {
        "-" => Some((language, None)),
        act => Some((language, Some(Act::parse(act)?))),
    })
});

context_words! {
    AGAIN DENIES UNTIL DEADLINES HABITS SINCE OPENS TO ONLY MEANWHILE EXCEPTIONALLY EXCEPTION AS NEWNESS
    TAKES_BACK PLAN_LABEL
}

/// Reads a memory that has been split into words, in its language; `said` is its time, from which "until
/// Friday" counts.
pub(super) fn statement_of(text: &str, words: &[Word], own: Language, said: Timestamp) -> Statement {
    let inside = subordinate(words, own);
    let asks = text.trim_end().ends_with(['?', '？']);
    let recurs = words.iter().any(|word| AGAIN.contains(&word.key));
    let exception = exception(text, words, said);
    let begins = || Some(exception?.start).filter(|start| *start > said);
    let opens = opens_at(text, words, said).or_else(begins);
    let until = until_named(text, words, said).or(exception.map(|exception| exception.end));
    let mut read = Statement { opens, until, asks, recurs, ..Statement::default() };
    let mut hidden = 0;
    for at in 0..words.len() {
        for (length, (language, act)) in CUES.all_at(words, at) {
            let is_read = language.is_read_in(own) && at >= hidden;
            match act {
                None if is_read => hidden = at + length,
                Some(Act::Plan) if is_read && !is_future(text, words, at + length - 1, *language) => {}
                // "The calendar did not take over a booking."
                Some(Act::Change) if is_read && is_denied(words, at) => {}
                Some(act) if is_read => {
                    // A new lamp says nothing of what was.
                    let is_news = length == 1 && NEWNESS.contains(&words[at].key);
                    read.add(*act, !inside[at] && !is_news);
                }
                _ => {}
            }
        }
    }
    if read.asks {
        read.add(Act::WhatIf, true);
    }
    // "Plan: move to Typst in May" moves nothing yet.
    if is_labelled(words, &PLAN_LABEL) {
        read.main[Act::Change as usize] = 0;
        read.add(Act::Plan, true);
    }
    read
}

/// Whether one of the two words before a phrase denies it: "did not take over", but not "not Friday, now
/// Monday".
fn is_denied(words: &[Word], at: usize) -> bool {
    let goes_on =
        |at: &usize| matches!(words[*at].gap, Gap::Space | Gap::Line | Gap::Apostrophe | Gap::Joined);
    let before = (at.saturating_sub(1)..=at).rev().take_while(goes_on).filter_map(|at| at.checked_sub(1));
    before.take(2).any(|at| DENIES.contains(&words[at].key))
}

/// Whether a word begins a phrase that says what a text does, and not what it is about.
pub(super) fn is_cue(words: &[Word], at: usize, own: Language) -> bool {
    CUES.all_at(words, at).any(|(_, (language, act))| {
        language.is_read_in(own)
            && matches!(act, Some(Act::Change | Act::Correction | Act::Cancel | Act::Plan))
    })
}

/// Whether a word begins a phrase that says that something changes, was wrong, or is cancelled.
pub(super) fn replaces_at(words: &[Word], at: usize, own: Language) -> bool {
    CUES.all_at(words, at).any(|(_, (language, act))| {
        let replaces = matches!(act, Some(Act::Change | Act::Correction | Act::Cancel | Act::Off));
        language.is_read_in(own) && replaces && !is_denied(words, at)
    })
}

/// Until when a memory holds, by its text.
pub fn holds_until(text: &str, said: Timestamp) -> Option<Timestamp> {
    let words = words(text);
    until_named(text, &words, said).or_else(|| Some(exception(text, &words, said)?.end))
}

fn until_named(text: &str, words: &[Word], said: Timestamp) -> Option<Timestamp> {
    let is_deadline = |at: usize| sentence_at(words, at).iter().any(|word| DEADLINES.contains(&word.key));
    let is_meant =
        |at: &usize| UNTIL.contains(&words[*at].key) && !is_deadline(*at) && speaks_for_all(words, *at);
    let mut cues = (0..words.len()).filter(is_meant);
    cues.find_map(|at| {
        until(text, words, at, said).filter(|end| !says_what_follows(text, words, at, said, *end))
    })
}

/// Whether a text is short enough to be about one thing.
pub(super) fn is_about_one_thing(words: &[Word]) -> bool {
    /// In words.
    const SHORT: usize = 60;
    words.len() <= SHORT
}

/// Whether a sentence speaks for the whole text: the first one does, and each one of a short text.
fn speaks_for_all(words: &[Word], at: usize) -> bool {
    is_about_one_thing(words) || sentence_start(words, at) == 0
}

/// Whether the text goes on with what is so from then on: "Ada until 30 November, Ben from 1 December".
fn says_what_follows(text: &str, words: &[Word], at: usize, said: Timestamp, end: Timestamp) -> bool {
    const APART: u64 = 2 * Timestamp::DAY as u64;
    /// Words from "until" to the other time.
    const NEAR: usize = 15;
    let near = at..words.len().min(at + NEAR);
    if !words[near.clone()].iter().any(|word| OPENS.contains(&word.key)) {
        return false;
    }
    times(text, words, said).into_iter().any(|(found, own)| {
        let is_after = own.start > at && near.contains(&own.start);
        let opens = cues_of(words, &own).any(|word| OPENS.contains(&word.key));
        let start = || read_ahead(text, &words[own.clone()], &found, said).start;
        is_after && opens && start().0.abs_diff(end.0) <= APART
    })
}

/// The sentence around a word.
fn sentence_at(words: &[Word], at: usize) -> &[Word] {
    let rest = &words[sentence_start(words, at)..];
    &rest[..rest.iter().skip(1).position(begins_sentence).map_or(rest.len(), |next| next + 1)]
}

fn sentence_start(words: &[Word], at: usize) -> usize {
    words[..=at].iter().rposition(begins_sentence).unwrap_or(0)
}

pub(super) fn begins_sentence(word: &Word) -> bool {
    matches!(word.gap, Gap::Start | Gap::Dot | Gap::Break)
}

/// The times that a text names, and which words name each.
fn times(text: &str, words: &[Word], said: Timestamp) -> Vec<(TimeExpression, Range<usize>)> {
    let reader = Reader::new(text, words, said);
    let word_at = |byte: usize| words.partition_point(|word| word.start < byte);
    let named = |found: TimeExpression| {
        let own = word_at(found.bytes.start)..word_at(found.bytes.end);
        (found, own)
    };
    reader.expressions().into_iter().map(named).collect()
}

/// The time of "this week only", "nur am 27. November", and of what is so meanwhile: "closed 3 to 7 November,
/// calls go to Nowak meanwhile". It ends in the future of the memory.
fn exception(text: &str, words: &[Word], said: Timestamp) -> Option<Interval> {
    /// Longer spans are no exception, in days.
    const LONGEST: f64 = 100.0;
    let is_only = |word: &Word| ONLY.contains(&word.key);
    let meanwhile = words.iter().position(|word| MEANWHILE.contains(&word.key));
    let is_exceptional = is_exceptional(words);
    if meanwhile.is_none() && !is_exceptional && !words.iter().any(is_only) {
        return None;
    }
    let named = times(text, words, said).into_iter().find_map(|(found, own)| {
        let Interval { start, end } = found.interval;
        let mut beside = words[..own.start].last().into_iter().chain(words.get(own.end));
        // "From the 5th on only 140 grams" begins something, "from the 5th to the 9th" does not.
        let opens = |word: &Word| OPENS.contains(&word.key) || SINCE.contains(&word.key);
        let begins = cues_of(words, &own).any(opens) && !is_range(words, &own);
        // Some days in the sentence before it, or any time in its own.
        let is_so_meanwhile = meanwhile.is_some_and(|at| {
            let (first, of_time) = (sentence_start(words, at), sentence_start(words, own.start));
            let is_before = first > 0 && of_time == sentence_start(words, first - 1);
            of_time == first || is_before && end.days_since(start) > 1.0
        });
        let is_meant = found.relation == TimeRelation::Within
            && end.days_since(start) <= LONGEST
            && !begins
            && (is_exceptional || is_so_meanwhile || beside.any(is_only));
        let meant = nearest(text, &found, found.interval, said);
        (is_meant && meant.end > said).then_some(meant)
    });
    let day = said.day_start();
    named.or(is_exceptional.then(|| Interval { start: day, end: Timestamp(day.0 + Timestamp::DAY) }))
}

/// Whether a text says that something is an exception: "as an exception", "ausnahmsweise".
fn is_exceptional(words: &[Word]) -> bool {
    let is_so = |at: usize| {
        EXCEPTIONALLY.contains(&words[at].key)
            || EXCEPTION.contains(&words[at].key)
                && words[at.saturating_sub(2)..at].iter().any(|word| AS.contains(&word.key))
    };
    (0..words.len()).any(|at| is_so(at) && speaks_for_all(words, at))
}

fn opens_at(text: &str, words: &[Word], said: Timestamp) -> Option<Timestamp> {
    /// Words from a cue to the one that begins its time.
    const NEAR: usize = 5;
    let opens = |word: &Word| OPENS.contains(&word.key);
    let is_near = |at: usize| words[at..].iter().take(NEAR).any(may_open);
    if !(0..words.len()).any(|at| opens(&words[at]) && is_near(at)) {
        return None;
    }
    times(text, words, said).into_iter().find_map(|(found, own)| {
        // "From Monday to Friday" comes again, and "from the 5th to the 12th" says what changed.
        let is_meant = !is_range(words, &own)
            && !words[own.clone()].iter().any(is_weekday)
            && cues_of(words, &own).any(opens);
        is_meant.then(|| nearest(text, &found, found.interval, said).start).filter(|start| *start > said)
    })
}

/// The times that a text names which were still to come when it was said.
pub fn times_ahead(text: &str, said: Timestamp) -> Vec<Interval> {
    let words = words(text);
    let ahead =
        |(found, own): &(TimeExpression, Range<usize>)| read_ahead(text, &words[own.clone()], found, said);
    let mut times: Vec<Interval> = times(text, &words, said).iter().map(ahead).collect();
    times.retain(|time| time.end > said);
    times
}

/// The times that a text names, in each way that they may be meant: "on Friday" is the last or the next one.
pub fn times_named(text: &str, said: Timestamp) -> Vec<Interval> {
    let words = words(text);
    let readings = |(found, own): (TimeExpression, Range<usize>)| {
        let last = words[own.clone()].iter().any(is_weekday).then_some(found.interval);
        last.into_iter().chain([read_ahead(text, &words[own], &found, said)])
    };
    times(text, &words, said).into_iter().flat_map(readings).collect()
}

/// The time of an expression that is read as the latest one, if the next one may be meant.
fn read_ahead(text: &str, own: &[Word], found: &TimeExpression, said: Timestamp) -> Interval {
    // "On Friday" may be the last or the next one.
    let is_last = found.interval.end <= said && own.iter().any(is_weekday);
    let days = if is_last { 7 } else { 0 };
    nearest(text, found, later(found.interval, days), said)
}

fn later(span: Interval, days: i64) -> Interval {
    let [start, end] = [span.start, span.end].map(|at| Timestamp(at.0.saturating_add(days * Timestamp::DAY)));
    Interval { start, end }
}

/// Whether a time goes on to another one: "the 5th to the 12th".
fn is_range(words: &[Word], own: &Range<usize>) -> bool {
    let mut to_next = words[own.start..].iter().take(own.len() + 1);
    to_next.any(|word| TO.contains(&word.key) || UNTIL.contains(&word.key))
}

/// Two words before those of a time and its first one, among which is what says how the time is meant.
fn cues_of<'w>(words: &'w [Word], own: &Range<usize>) -> impl Iterator<Item = &'w Word> {
    words[own.start.saturating_sub(2)..own.end.min(own.start + 1)].iter()
}

/// A span that is read as the latest one: without a year, one that began half a year ago is the next.
fn nearest(text: &str, found: &TimeExpression, span: Interval, said: Timestamp) -> Interval {
    const HALF_A_YEAR: f64 = 183.0;
    let is_of_any_year = years_in(&text[found.bytes.clone()]).is_empty();
    later(span, if is_of_any_year && said.days_since(span.start) > HALF_A_YEAR { 365 } else { 0 })
}

/// Whether a text names a past time at which something was so, not since when it is so.
pub fn says_when(text: &str, said: Timestamp) -> bool {
    /// A date without a year is read as the latest one; one that is longer ago may lie ahead.
    const RECENT: f64 = 92.0;
    let words = &words(text);
    times(text, words, said).into_iter().any(|(found, own)| {
        let named = &text[found.bytes.clone()];
        // "On Monday" may be the last or the next one.
        let is_weekday =
            words[own.clone()].iter().any(is_weekday) && !words[own.clone()].iter().any(|word| word.digit);
        let is_past = found.interval.end.0 <= said.0.saturating_add(Timestamp::DAY);
        let is_sure = said.days_since(found.interval.start) <= RECENT || !years_in(named).is_empty();
        let is_cue = |word: &Word| [&SINCE, &OPENS, &UNTIL].iter().any(|cues| cues.contains(&word.key));
        is_past
            && is_sure
            && !is_weekday
            && found.relation == TimeRelation::Within
            && !cues_of(words, &own).any(is_cue)
    })
}

pub(super) fn is_weekday(word: &Word) -> bool {
    matches!(calendar_word(word), Some(CalendarWord::Weekday(_)))
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

/// Whether a verb follows a cue of a plan that needs one: "wird kommen" and "va venir" say what will be,
/// "wird abgeholt" and "va à l'école" what is so.
fn is_future(text: &str, words: &[Word], at: usize, own: Language) -> bool {
    const GERMAN: &str = "wird werden will wollen soll sollen möchte möchten";
    const FRENCH: &str = "va vont allons compte veut voulons voudrait";
    const SPANISH: &str = "a quiero queremos quiere quieren";
    /// Words between a French or Spanish auxiliary and its verb: "va bientôt venir".
    const BETWEEN: usize = 2;
    let form = words[at].text(text).to_lowercase();
    let is_romance = |list: &str| {
        let next = words[at + 1..].iter().take(BETWEEN).take_while(|word| word.gap.joins_phrase());
        !is_one_of(list, &form) || next.into_iter().any(|word| is_romance_infinitive(word.text(text)))
    };
    match own {
        Language::German if is_one_of(GERMAN, &form) => {
            let rest = words[at + 1..].iter();
            let clause = rest.take_while(|word| !ends_before(word) && word.gap != Gap::Comma);
            clause.last().is_some_and(|word| is_german_infinitive(word.text(text)))
        }
        Language::French => is_romance(FRENCH),
        Language::Spanish => is_romance(SPANISH),
        _ => true,
    }
}

/// "kommen", "ändern"; not "abgeholt", "geschlossen".
fn is_german_infinitive(word: &str) -> bool {
    const BEFORE_PARTICIPLE: [&str; 14] =
        ["", "ab", "an", "auf", "aus", "ein", "her", "hin", "mit", "nach", "um", "vor", "weg", "zu"];
    let is_participle = BEFORE_PARTICIPLE
        .iter()
        .any(|part| word.strip_prefix(part).is_some_and(|rest| rest.len() > 5 && rest.starts_with("ge")));
    ["en", "ern", "eln"].iter().any(|end| word.ends_with(end)) && !is_participle
}

fn is_romance_infinitive(word: &str) -> bool {
    word.len() > 2 && ["er", "ir", "ar", "re", "oir"].iter().any(|end| word.ends_with(end))
}

/// The end of the time named after "until", in the future of the memory. Days of the week from one to
/// another, and those of a habit, come again, and do not end.
fn until(text: &str, words: &[Word], at: usize, said: Timestamp) -> Option<Timestamp> {
    /// Articles and prepositions between "until" and the time.
    const SKIPPED: usize = 3;
    const YEAR: i64 = 365 * Timestamp::DAY;
    let reader = Reader::new(text, words, said);
    let time = |at: usize| {
        let (_, _, interval) = reader.expression_at(at)?;
        Some(interval)
    };
    let interval = (at + 1..words.len().min(at + 1 + SKIPPED)).find_map(time)?;
    let names_weekday = interval.end.0.saturating_sub(interval.start.0) <= Timestamp::DAY
        && words[at + 1..].iter().take(SKIPPED).any(is_weekday);
    let is_habit = || sentence_at(words, at).iter().any(|word| HABITS.contains(&word.key));
    if names_weekday && (at > 0 && is_weekday(&words[at - 1]) || is_habit()) {
        return None;
    }
    let mut end = interval.end;
    // A date without a year is read as the latest one; what ends lies ahead.
    if end <= said {
        end = Timestamp(end.0.saturating_add(if names_weekday { 7 * Timestamp::DAY } else { YEAR }));
    }
    (end > said).then_some(end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::language::language_of;
    use super::*;
    use crate::text::cases::check;

    fn statement(text: &str, said: Timestamp) -> Statement {
        let words = words(text);
        statement_of(text, &words, language_of(text, &words), said)
    }

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
    fn what_happens_once_more_is_read() {
        let recurs = |text: &str| statement(text, Timestamp::default()).recurs;
        for text in ["The big oven stopped at three again.", "Der Ofen blieb wieder stehen."] {
            assert!(recurs(text), "{text}");
        }
        assert!(!recurs("The big oven is white."));
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
    fn what_is_announced_opens_on_its_day() {
        let said = Timestamp::from_day(2026, 10, 29).unwrap();
        let opens = |text: &str| statement(text, said).opens.map(|at| at.date().to_string());
        for (text, day) in [
            ("From January our insurer is Havsund.", "2027-01-01"),
            ("Ab dem 3. Dezember gilt der neue Tarif.", "2026-12-03"),
            ("As of 1 March 2027 the fee is 12 euros.", "2027-03-01"),
        ] {
            assert_eq!(opens(text).as_deref(), Some(day), "{text}");
        }
        for text in [
            "From September our insurer is Havsund.",
            "Since January our insurer is Havsund.",
            "The deadline moved from 5 November 2026 to 12 November 2026.",
            "We are open from Monday to Friday.",
            "The storm in December took the roof.",
        ] {
            assert_eq!(opens(text), None, "{text}");
        }
    }

    #[test]
    fn an_exception_ends_with_its_time() {
        let said = Timestamp::from_day(2026, 10, 29).unwrap();
        let until = |text: &str| statement(text, said).until.map(|at| at.date().to_string());
        for (text, day) in [
            ("This week only, Teresa comes on Friday.", "2026-11-02"),
            ("On 27 November 2026 only, the tour costs 200 euros.", "2026-11-28"),
            ("Nur heute ist der Eingang hinten.", "2026-10-30"),
            ("We are closed 3 to 7 November. Calls go to Dr Nowak meanwhile.", "2026-11-08"),
            ("Vom 3. bis 7. November ist zu, Anrufe gehen solange an Dr. Nowak.", "2026-11-08"),
            ("The lift is out of order until Monday.", "2026-11-03"),
            ("Temporarily on 3 November the desk is upstairs.", "2026-11-04"),
            ("Every Monday until 4 December we meet upstairs.", "2026-12-05"),
            ("Release 2 went out at nine, as an exception.", "2026-10-30"),
            ("Ausnahmsweise tagt der Vorstand oben.", "2026-10-30"),
        ] {
            assert_eq!(until(text).as_deref(), Some(day), "{text}");
        }
        for text in [
            "The deadline for the grant is extended until 29 May.",
            "Mail vom Amt: Frist verlängert bis 29. Mai.",
            "Rubbish must be out until Monday evening, every week.",
            "Der Laden ist bis Samstag Mittag geöffnet.",
            "School lunch is ordered until Thursday evening.",
            "From 5 November calls temporarily go to Dr Nowak.",
            "The meeting is tomorrow. Meanwhile the key hangs in the kitchen.",
            "Fips bekommt ab dem 5. November 2026 nur noch 140 Gramm Futter.",
            "Only yesterday the roof leaked.",
            "Only Teresa comes on Fridays.",
            "Tea is only 2 euros.",
            "Please remove your device until 4 November.",
            "Bitte räumen Sie das Lager bis zum 4. November.",
            "On call is Tomasz until 30 November and Miriam from 1 December.",
            "Bereitschaft hat Tomasz bis 30. November, ab 1. Dezember Miriam.",
            "The worker catches the exception and goes on.",
        ] {
            assert_eq!(until(text), None, "{text}");
        }
    }

    #[test]
    fn until_lies_ahead() {
        let said = Timestamp::from_day(2025, 4, 16).unwrap();
        let until = statement("Until the 9th of May Rowan feeds the cat.", said).until.unwrap();
        assert!(until > said && until.days_since(said) < 40.0, "{until:?}");
        assert_eq!(holds_until("Rowan fed the cat until noon, and feeds it until 9 May.", said), Some(until));
    }
}
