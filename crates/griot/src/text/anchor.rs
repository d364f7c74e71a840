//! Events that a question measures time by: "before the release", "three weeks after the outage".

use std::ops::Range;

use crate::model::Timestamp;

use super::calendar::Unit;
use super::date::QUERY_BYTES;
use super::timespan::{Reader, TimeRelation};
use super::words::{Gap, words};

context_words! {
    BEFORE AFTER DURING ARTICLES NOT_BEFORE_ANCHOR QUESTION_WORDS
}

/// An event that a question measures time by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventAnchor {
    pub relation: TimeRelation,
    /// The words of the event.
    pub bytes: Range<usize>,
    /// How far from the event the asked time begins and ends, in milliseconds: "three weeks after".
    pub distance: Option<Range<i64>>,
}

impl EventAnchor {
    fn new(relation: TimeRelation, bytes: Range<usize>) -> Self {
        Self { relation, bytes, distance: None }
    }

    fn away(self, distance: Option<Range<i64>>) -> Self {
        match distance {
            Some(far) if self.relation == TimeRelation::Before => {
                Self { relation: TimeRelation::Around, distance: Some(-far.end..-far.start), ..self }
            }
            Some(far) => Self { relation: TimeRelation::Around, distance: Some(far), ..self },
            None => self,
        }
    }
}

/// The distance of a count of units, half a unit to both sides.
fn far(count: i64, unit: Unit) -> Option<Range<i64>> {
    let length = match unit {
        Unit::Minute => 60 * Timestamp::SECOND,
        Unit::Hour => Timestamp::HOUR,
        Unit::Day => Timestamp::DAY,
        Unit::Week | Unit::Weekend => 7 * Timestamp::DAY,
        Unit::Month => 30 * Timestamp::DAY,
        Unit::Quarter => 91 * Timestamp::DAY,
        Unit::Year => 365 * Timestamp::DAY,
        Unit::Decade => 3652 * Timestamp::DAY,
    };
    let centre = count.checked_mul(length).filter(|centre| *centre < 1_000 * 366 * Timestamp::DAY)?;
    Some(centre - length / 2..centre + length / 2)
}

/// The events by which a question names a time: "before the release", "nach dem Umzug". A calendar expression
/// after the preposition is not an event; see [`time_expressions`](super::time_expressions). The ranges hold
/// the words of the events; "during" is `Around`.
pub fn event_anchors(query: &str) -> Vec<EventAnchor> {
    let query = &query[..query.floor_char_boundary(QUERY_BYTES)];
    let words = words(query);
    let reader = Reader::new(query, &words, Timestamp::default());
    let mut anchors = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let key = words[at].key;
        let relation = match () {
            () if BEFORE.contains(&key) => TimeRelation::Before,
            () if AFTER.contains(&key) => TimeRelation::After,
            () if DURING.contains(&key) => TimeRelation::Around,
            () => {
                let anchor = chinese_anchor(&reader, at);
                at += if anchor.is_some() { 2 } else { 1 };
                anchors.extend(anchor);
                continue;
            }
        };
        let opens = at == 0 || !matches!(words[at].gap, Gap::Space | Gap::Line);
        let mut first = at + 1;
        let distance = (relation != TimeRelation::Around).then(|| reader.counted_before(at)).flatten();
        let is_verb = distance.is_none()
            && at > 0
            && words[at].gap == Gap::Space
            && NOT_BEFORE_ANCHOR.contains(&words[at - 1].key);
        // "después de la caída", "avant que nous …".
        while words.get(first).is_some_and(|word| {
            word.gap == Gap::Space && matches!(word.text(query), "de" | "que" | "qu" | "du" | "del" | "d")
        }) {
            first += 1;
        }
        while words.get(first).is_some_and(|word| ARTICLES.contains(&word.key) && word.gap == Gap::Space) {
            first += 1;
        }
        let mut end = first;
        while let Some(word) = words.get(end) {
            let joins = word.gap.joins_phrase() || matches!(word.gap, Gap::Ampersand | Gap::Bracket);
            // "After the release what did we do": the question begins.
            if !joins || (opens && end > first && QUESTION_WORDS.contains(&word.key)) {
                break;
            }
            end += 1;
        }
        let is_calendar = (at..first + 2).any(|at| reader.expression_at(at).is_some());
        if end > first && !is_calendar && !is_verb && !words[at].ideograph {
            anchors.push(EventAnchor::new(relation, words[first].start..words[end - 1].end).away(distance));
            at = end;
        } else {
            at += 1;
        }
    }
    anchors
}

/// "发布之前", "迁移之后", "停机三周后": the event comes before the word and reaches back to the start of the clause.
fn chinese_anchor(reader: &Reader, at: usize) -> Option<EventAnchor> {
    let (text, words) = (reader.text, reader.words);
    let word = words.get(at)?;
    let next = words.get(at + 1).map_or("", |next| next.text(text));
    let (relation, distance, end) = match (word.text(text), next) {
        ("之" | "以", "前") => (TimeRelation::Before, None, at),
        ("之" | "以", "后" | "後") => (TimeRelation::After, None, at),
        ("期", "间") => (TimeRelation::Around, None, at),
        ("后" | "後", _) => {
            let (count_at, distance) = reader.chinese_count_before(at)?;
            (TimeRelation::After, Some(distance), count_at)
        }
        _ => return None,
    };
    let mut first = end;
    while first > 0 && matches!(words[first].gap, Gap::Joined | Gap::Space) {
        first -= 1;
    }
    // "2023年之前" is a date, no event.
    let is_time = (first..end).any(|start| reader.chinese(start).is_some_and(|(len, ..)| start + len >= end));
    (first < end && !is_time)
        .then(|| EventAnchor::new(relation, words[first].start..words[end - 1].end).away(distance))
}

impl Reader<'_> {
    /// The count of units right before a word: "three weeks" after.
    fn counted_before(&self, at: usize) -> Option<Range<i64>> {
        let unit_at = at.checked_sub(1)?;
        let unit = self.unit(unit_at)?;
        let number_at = unit_at.checked_sub(1)?;
        far(self.number(number_at)?, unit)
    }

    /// The count of units right before a word in Chinese, and where it begins.
    fn chinese_count_before(&self, at: usize) -> Option<(usize, Range<i64>)> {
        (at.saturating_sub(6)..at).find_map(|start| {
            let counted = self.chinese_count(start, at)?;
            Some((start, far(counted.0, counted.1)?))
        })
    }
}
