//! Events that a question measures time by: "before the release", "nach dem Umzug".

use std::ops::Range;

use crate::model::Timestamp;

use super::date::QUERY_BYTES;
use super::timespan::{Reader, TimeRelation};
use super::words::{Gap, Word, words};

context_words! {
    BEFORE AFTER DURING ARTICLES NOT_BEFORE_ANCHOR QUESTION_WORDS
}

/// The events by which a question names a time: "before the release", "nach dem Umzug". A calendar expression
/// after the preposition is not an event; see [`time_expressions`](super::time_expressions). The ranges hold
/// the words of the events; "during" is `Around`.
pub fn event_anchors(query: &str) -> Vec<(TimeRelation, Range<usize>)> {
    let query = &query[..query.floor_char_boundary(QUERY_BYTES)];
    let words = words(query);
    let reader =
        Reader { text: query, words: &words, now: Timestamp::default(), today: Timestamp::default().date() };
    let mut anchors = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let key = words[at].key;
        let relation = match () {
            () if BEFORE.contains(&key) => TimeRelation::Before,
            () if AFTER.contains(&key) => TimeRelation::After,
            () if DURING.contains(&key) => TimeRelation::Around,
            () => {
                let anchor = chinese_anchor(query, &words, at);
                at += if anchor.is_some() { 2 } else { 1 };
                anchors.extend(anchor);
                continue;
            }
        };
        let opens = at == 0 || !matches!(words[at].gap, Gap::Space | Gap::Line);
        let mut first = at + 1;
        let is_verb = at > 0 && words[at].gap == Gap::Space && NOT_BEFORE_ANCHOR.contains(&words[at - 1].key);
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
            anchors.push((relation, words[first].start..words[end - 1].end));
            at = end;
        } else {
            at += 1;
        }
    }
    anchors
}

/// "发布之前", "迁移之后": the event comes before the word and reaches back to the start of the clause.
fn chinese_anchor(text: &str, words: &[Word], at: usize) -> Option<(TimeRelation, Range<usize>)> {
    let (word, next) = (words.get(at)?, words.get(at + 1)?);
    let relation = match (word.text(text), next.text(text)) {
        ("之" | "以", "前") => TimeRelation::Before,
        ("之" | "以", "后" | "後") => TimeRelation::After,
        ("期", "间") => TimeRelation::Around,
        _ => return None,
    };
    let mut first = at;
    while first > 0 && matches!(words[first].gap, Gap::Joined | Gap::Space) {
        first -= 1;
    }
    (first < at).then(|| (relation, words[first].start..words[at - 1].end))
}
