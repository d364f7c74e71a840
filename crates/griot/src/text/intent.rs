//! What kind of answer a question asks for: a reason, a time, a thing, or nothing in particular.
//!
//! The question word of the main clause decides: "When did we decide why…" asks for a time, "Why did it fail when…" for
//! a reason. Without one, nouns such as "reason" or "timeline" do.

use std::ops::Range;
use std::sync::LazyLock;

use super::language::{Language, language_of};
use super::words::{Gap, KeySet, Phrases, Word, key_set, lines, words};

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
    /// 0..=1: how sure the words make it.
    pub confidence: f32,
    /// The words that decided.
    pub cue: Option<Range<usize>>,
}

/// Bytes of a query that are read, as for terms: a question is short, a pasted document is no question.
const QUERY_BYTES: usize = 4096;
/// Without any cue.
const NO_CUE: f32 = 0.5;
/// A question word behind the beginning of the main clause, "and when did it start", says less.
const INNER_QUESTION: f32 = 0.85;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Ask,
    Any,
    Start,
}

#[derive(Clone, Copy, Debug)]
struct Cue {
    intent: Intent,
    place: Place,
    weight: f32,
}

static CUES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    Phrases::new(lines(include_str!("../../data/intent_cues.tsv")).filter_map(|line| {
        let mut columns = line.split('\t');
        let intent = match columns.next()? {
            "why" => Intent::Why,
            "when" => Intent::When,
            "entity" => Intent::Entity,
            "general" => Intent::General,
            _ => return None,
        };
        let place = match columns.next()? {
            "ask" => Place::Ask,
            "any" => Place::Any,
            "start" => Place::Start,
            _ => return None,
        };
        let weight = columns.next()?.parse().ok()?;
        Some((columns.next()?, Cue { intent, place, weight }))
    }))
});

/// Words that may stand before the question word of a main clause: greetings, requests, prepositions, conjunctions.
static LEAD_IN: LazyLock<KeySet> = LazyLock::new(|| key_set(include_str!("../../data/question_lead_in.txt")));

/// Reads the intent of a question in English, German, French, Spanish or Chinese.
pub fn read_intent(query: &str) -> IntentReading {
    let query = &query[..query.floor_char_boundary(QUERY_BYTES)];
    let words = words(query);
    let language = language_of(query, &words);
    let mut best: Option<(f32, Intent, Range<usize>)> = None;
    // Whether only words that lead in have been seen, so that a question word here opens the main clause.
    let mut opening = true;
    let mut at = 0;
    while at < words.len() {
        // "Hi! When was it?", "After the release, why…": the next clause has its own beginning.
        if matches!(words[at].gap, Gap::Break | Gap::Colon | Gap::Dot) {
            opening = true;
        }
        let cue = CUES.all_at(&words, at).find(|(len, cue)| counts(&words, at, *len, cue, opening, language));
        let Some((len, cue)) = cue else {
            opening &= LEAD_IN.contains(&words[at].key);
            // "After we moved, why did it fail?"
            opening |= words.get(at + 1).is_some_and(|next| next.gap == Gap::Comma);
            at += 1;
            continue;
        };
        let weight = match cue.place {
            Place::Ask if !opening => cue.weight * INNER_QUESTION,
            _ => cue.weight,
        };
        let bytes = words[at].start..words[at + len - 1].end;
        let decides = cue.place == Place::Ask && opening && !asks_politely(query, &words, at);
        // "What is the reason": a noun says more than a weak question word.
        let is_weak = cue.weight <= 0.7;
        if best.as_ref().is_none_or(|(known, _, _)| weight > *known) {
            best = Some((weight, cue.intent, bytes));
        }
        if decides && !is_weak {
            break;
        }
        opening = false;
        at += len;
    }
    match best {
        Some((_, Intent::General, cue)) => {
            IntentReading { intent: Intent::General, confidence: NO_CUE, cue: Some(cue) }
        }
        Some((confidence, intent, cue)) => IntentReading { intent, confidence, cue: Some(cue) },
        None => IntentReading { intent: Intent::General, confidence: NO_CUE, cue: None },
    }
}

/// "Who can tell me why", "what do you think, when": not the question itself.
fn asks_politely(query: &str, words: &[Word], at: usize) -> bool {
    words[at..].iter().skip(1).take(4).any(|word| matches!(word.text(query), "tell" | "explain" | "remember" | "know"))
        && matches!(words[at].text(query).to_ascii_lowercase().as_str(), "who" | "wer" | "what")
}

fn counts(words: &[Word], at: usize, len: usize, cue: &Cue, opening: bool, language: Language) -> bool {
    match cue.place {
        Place::Any => true,
        Place::Start => opening,
        Place::Ask => {
            let word = &words[at];
            // English "was", "wo", "qui" are no question words; "when" inside a sentence joins clauses.
            let foreign_collision = len == 1
                && match language {
                    Language::English => AMBIGUOUS.contains(&word.key),
                    Language::German | Language::Chinese => false,
                    Language::French | Language::Spanish => GERMAN_ONLY.contains(&word.key),
                    Language::Other => AMBIGUOUS.contains(&word.key) && !opening,
                };
            let joins_clauses = !opening
                && at > 0
                && JOINING.contains(&word.key)
                && len == 1
                && !FOLLOWS_VERB.contains(&words[at - 1].key);
            let relative = !opening
                && at > 0
                && RELATIVE.contains(&word.key)
                && len == 1
                && !FOLLOWS_VERB.contains(&words[at - 1].key);
            !foreign_collision && !joins_clauses && !relative
        }
    }
}

/// Question words of one language that are everyday words of another.
static AMBIGUOUS: LazyLock<KeySet> = LazyLock::new(|| key_set("was wo wen wem wer wie wozu quel qui comment où"));
static GERMAN_ONLY: LazyLock<KeySet> = LazyLock::new(|| key_set("was wo wen wem wer wie"));
/// Inside a sentence they begin a subordinate clause.
static JOINING: LazyLock<KeySet> = LazyLock::new(|| key_set("when where how wie wo was quand où comment"));
/// Inside a sentence they mostly belong to the noun before them.
static RELATIVE: LazyLock<KeySet> =
    LazyLock::new(|| key_set("who whose whom which what qui welche welcher welches quel quelle"));
/// Behind these words a question word asks: "tell me when", "explain why".
static FOLLOWS_VERB: LazyLock<KeySet> = LazyLock::new(|| {
    key_set(
        "me us know remember recall explain find out ask tell say show understand wonder sure about since until till by from and or mir uns weißt sag erkläre erklär sais savoir dis saber sabes dime 说 道 诉 释 seit bis und",
    )
});

#[cfg(test)]
mod tests {
    use super::Intent::*;
    use super::*;

    #[track_caller]
    fn check(cases: &[(&str, Intent)]) {
        for (query, expected) in cases {
            let reading = read_intent(query);
            assert_eq!(reading.intent, *expected, "{query}: {reading:?}");
            assert!((0.0..=1.0).contains(&reading.confidence));
        }
    }

    #[test]
    fn why_asks_for_reasons() {
        check(&[
            ("Why did we choose SQLite?", Why),
            ("What caused the outage?", Why),
            ("What led to the migration?", Why),
            ("What made Gina start her store?", Why),
            ("How come the build is slow?", Why),
            ("Tell me the reason for the rewrite", Why),
            ("Can you explain why we switched?", Why),
            ("explain why it failed", Why),
            ("What is the reason for the delay?", Why),
            ("reason we moved to Rust", Why),
            ("the rationale behind SQLite", Why),
            ("Warum nutzen wir SQLite?", Why),
            ("Was war der Grund für den Umzug?", Why),
            ("Pourquoi avons-nous choisi Rust ?", Why),
            ("¿Por qué elegimos Rust?", Why),
            ("我们为什么选择 SQLite？", Why),
            ("迁移的原因", Why),
        ]);
    }

    #[test]
    fn when_asks_for_times() {
        check(&[
            ("When was the release?", When),
            ("What year did we start?", When),
            ("In which year was it founded?", When),
            ("How long ago did Caroline move?", When),
            ("Since when do we use Redis?", When),
            ("What happened before the launch?", When),
            ("Give me a timeline of the project", When),
            ("Do you remember when we moved?", When),
            ("Wann war der Umzug?", When),
            ("Seit wann nutzen wir Redis?", When),
            ("Quand avons-nous commencé ?", When),
            ("¿Cuándo empezamos?", When),
            ("我们什么时候发布的？", When),
        ]);
    }

    #[test]
    fn who_what_and_where_ask_for_things() {
        check(&[
            ("Who wrote the parser?", Entity),
            ("Whose idea was it?", Entity),
            ("Which company owns it?", Entity),
            ("What is GraphRAG?", Entity),
            ("Tell me about Caroline", Entity),
            ("Where did Caroline move from?", Entity),
            ("memories related to React", Entity),
            ("Wer hat das geschrieben?", Entity),
            ("Was ist Griot?", Entity),
            ("Qui a écrit cela ?", Entity),
            ("¿Quién lo escribió?", Entity),
            ("谁写的？", Entity),
        ]);
    }

    #[test]
    fn the_rest_is_general() {
        check(&[
            ("", General),
            ("sqlite performance", General),
            ("How do I build it?", General),
            ("What did Caroline research?", General),
            ("Does Melanie like pottery?", General),
            ("the car was also where we left it", General),
        ]);
    }

    #[test]
    fn the_main_clause_wins() {
        check(&[
            ("When did we decide why to switch?", When),
            ("Why did we switch when the release was near?", Why),
            ("Who was there when it crashed?", Entity),
            ("Why did the team who wrote it leave?", Why),
            ("What happened when we deployed?", General),
            ("After we moved, why did it fail?", Why),
            ("Hi! When is the next release?", When),
        ]);
    }

    #[test]
    fn the_cue_is_shown() {
        let query = "Tell me, how come it failed?";
        let cue = read_intent(query).cue.map(|range| &query[range]);
        assert_eq!(cue, Some("how come"));
    }
}
