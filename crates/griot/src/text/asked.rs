//! What a question about a property asks for: what holds now, what held then, what held before, since when,
//! all of it in order, why, or whether something came true.
//!
//! The answer of two questions with the same words differs by it: "where do we meet", "where did we meet
//! before". A question with a property in the present tense and no cue asks what holds now. `None` is an
//! ordinary question: about an event, or without a verb.

use crate::model::{Interval, Timestamp};

use super::asked_cues::{Cue, Cues};
use super::date::{QUERY_BYTES, times_asked};
use super::language::is_stop_word;
use super::statement::is_weekday;
use super::timespan::{TimeExpression, TimeRelation};
use super::values::asks_value;
use super::words::{Word, words};
use super::work::ordered;

context_words! {
    OWNERS
}

named! {
    /// What is asked of a property.
    AskedKind {
        /// What holds now.
        Present = "present",
        /// What held at a time that the question names.
        Past = "past",
        /// What held before.
        Before = "before",
        /// Since when.
        Change = "change",
        /// All values in order.
        History = "history",
        Reason = "reason",
        /// Whether something came true, or is still so.
        Verdict = "verdict",
    }
}

/// What a question asks of a property.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Asked {
    pub kind: AskedKind,
    /// The moment for which the answer should hold; the time of asking unless the question names another.
    pub at: Timestamp,
    /// Whether a word of the question says so ("now", "before"), not its form alone.
    pub is_cued: bool,
    /// It orders work, which needs what holds now of what it names.
    pub is_order: bool,
}

/// Reads a question; `as_of` is the time that its caller names, and goes before one in the text.
pub fn asked(question: &str, now: Timestamp, as_of: Option<Timestamp>) -> Option<Asked> {
    let question = question.trim();
    let question = &question[..question.floor_char_boundary(QUERY_BYTES)];
    let words = words(question);
    let cues = Cues::of(question, &words);
    let times = times_asked(question, now);
    let may_be_ahead = |time: &TimeExpression| {
        times.iter().any(|other| other.bytes == time.bytes && other.interval.start > now)
    };
    let named = times
        .iter()
        .filter(|time| matches!(time.relation, TimeRelation::Within | TimeRelation::Around))
        .filter(|time| !may_be_ahead(time))
        .map(|time| moment(time.interval))
        .find(|at| at.0 < now.0.saturating_sub(RECENT));
    // "Opening hours saturday" asks for no time at which something was.
    let is_day = |time: &TimeExpression| {
        let own = |word: &&Word| time.bytes.contains(&word.start);
        words.iter().filter(own).all(|word| is_weekday(word) || is_stop_word(word.key))
    };
    let is_topic = || times.iter().all(is_day) && is_topic(question, &words, &cues);
    let topic = || is_topic().then_some((AskedKind::Present, false));
    let asked = kind(&cues, as_of.or(named).is_some()).or_else(topic);
    let is_order = asked.is_none() && ordered(question).is_some();
    let (kind, is_cued) = asked.or(is_order.then_some((AskedKind::Present, false)))?;
    let at = match kind {
        AskedKind::Past => as_of.or(named).unwrap_or(now),
        _ => as_of.unwrap_or(now),
    };
    Some(Asked { kind, at, is_cued, is_order })
}

/// Words of a search for a topic; and of one that begins like an order: "deploy schedule".
const TOPIC: usize = 6;
const TOPIC_OR_ORDER: usize = 3;

/// Whether it only names a property, as a search does: "deploy schedule", "our dentist?", "mail worker retry
/// limit". That asks what holds now.
fn is_topic(question: &str, words: &[Word], cues: &Cues) -> bool {
    let opens = |first: &Word| !is_stop_word(first.key) || OWNERS.contains(&first.key);
    let ends_in_value = words.last().is_some_and(asks_value);
    let names_value = ends_in_value && words.iter().all(|word| !is_stop_word(word.key));
    // Several names are about anything.
    let is_asked = question.ends_with(['?', '？']) || words.iter().filter(|word| word.upper).count() <= 1;
    is_asked
        && words.len() <= TOPIC
        && words.first().is_some_and(opens)
        && !cues.has(Cue::Then)
        && !cues.has(Cue::Ahead)
        && (words.len() <= TOPIC_OR_ORDER || names_value || ordered(question).is_none())
}

/// What happened in the last days is the present.
const RECENT: i64 = 10 * Timestamp::DAY;

/// The moment in a span for which an answer should hold: its end, since what began in it held in it.
fn moment(span: Interval) -> Timestamp {
    Timestamp(span.end.0.saturating_sub(1))
}

fn kind(cues: &Cues, is_dated: bool) -> Option<(AskedKind, bool)> {
    use AskedKind as K;
    let is_now = cues.has(Cue::Present);
    Some(match () {
        () if cues.has(Cue::Reason) => (K::Reason, true),
        () if cues.has(Cue::Change) => (K::Change, true),
        () if cues.has(Cue::First) && !is_now => (K::Before, true),
        () if cues.has(Cue::History) && !is_now => (K::History, true),
        () if cues.has(Cue::When) && cues.has(Cue::Changes) => (K::Change, true),
        () if cues.has(Cue::Before) && !is_now => (K::Before, true),
        () if is_dated && !cues.has(Cue::Verdict) => (K::Past, true),
        () if cues.has(Cue::Verdict) && !is_now => (K::Verdict, true),
        () if is_now => (K::Present, true),
        () if cues.has(Cue::Property) && !cues.has(Cue::Then) => (K::Present, false),
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::text::cases::check;

    #[test]
    fn what_is_asked_of_a_property_is_read() {
        let now = Timestamp::from_day(2025, 11, 1).unwrap();
        let kind = |text: &str| asked(text, now, None).map_or("none", |asked| asked.kind.name()).to_string();
        check(include_str!("../../tests/cases/asked.tsv"), kind);
    }

    #[test]
    fn a_search_for_a_value_orders_nothing() {
        let now = Timestamp::from_day(2025, 11, 1).unwrap();
        let orders = |text: &str| asked(text, now, None).map(|asked| asked.is_order);
        assert_eq!(orders("mail worker retry limit"), Some(false));
        assert_eq!(orders("update the mail worker limit"), Some(true));
        assert_eq!(orders("update mail worker dependencies"), Some(true));
    }

    #[test]
    fn the_caller_names_the_time_before_the_text_does() {
        let [now, named] = [11, 3].map(|month| Timestamp::from_day(2025, month, 1).unwrap());
        let asked = asked("Where is the spare key?", now, Some(named)).unwrap();
        assert_eq!((asked.kind, asked.at), (AskedKind::Past, named));
    }
}
