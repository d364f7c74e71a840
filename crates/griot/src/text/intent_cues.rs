//! The cues of `data/intent_cues.tsv`, and the sets of words that may surround them. The head of that file
//! says where each kind of cue counts.

use std::sync::LazyLock;

use super::language::Language;
use super::words::{KeyMap, Phrases, key, lines};

named! {
    Intent {
        Why = "why",
        When = "when",
        Entity = "entity",
        General = "general",
    }

    /// Where a cue counts.
    Place {
        Ask = "ask",
        Start = "start",
        Any = "any",
        Head = "head",
        Focus = "focus",
        Act = "act",
        Event = "event",
        Span = "span",
        Count = "count",
        Frame = "frame",
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cue {
    pub intent: Intent,
    /// Asks for what followed from a cause, not for the cause.
    pub forward: bool,
    pub place: Place,
    pub weight: f32,
    pub language: Language,
}

pub(super) struct Cues {
    pub phrases: Phrases<Cue>,
    /// German nouns of one word, which may be the last part of a compound.
    pub compounds: KeyMap<Cue>,
    /// The beginnings of the frames.
    pub frames: Phrases<Frame>,
}

/// A question around its subject: "what did … lead to".
pub(super) struct Frame {
    pub cue: Cue,
    /// The end after the subject.
    pub end: Phrases<()>,
}

pub(super) static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let mut language = Language::Other;
    let mut phrases = Vec::new();
    let mut compounds = KeyMap::default();
    let mut frames = Vec::new();
    for line in lines(include_str!("../../data/intent_cues.tsv")) {
        let columns: Vec<&'static str> = line.split('\t').collect();
        match columns[..] {
            ["language", name] => language = Language::parse(name).unwrap_or(Language::Other),
            [intent, place, weight, list] => {
                let Some(cue) = cue(intent, place, weight, language) else { continue };
                if cue.place == Place::Frame {
                    frames.extend(list.split(" | ").flat_map(|frame| beginnings(frame, cue)));
                    continue;
                }
                for phrase in list.split(" | ") {
                    if language == Language::German && matches!(cue.place, Place::Head | Place::Focus) {
                        compounds.entry(key(phrase)).or_insert(cue);
                    }
                    phrases.push((phrase, cue));
                }
            }
            _ => {}
        }
    }
    Cues { phrases: Phrases::new(phrases), compounds, frames: Phrases::new(frames) }
});

/// Each beginning of a frame, with all of its ends.
fn beginnings(frame: &'static str, cue: Cue) -> impl Iterator<Item = (&'static str, Frame)> {
    let (begins, ends) = frame.split_once(" … ").unwrap_or((frame, ""));
    begins
        .split(" / ")
        .map(move |begin| (begin, Frame { cue, end: Phrases::new(ends.split(" / ").map(|end| (end, ()))) }))
}

fn cue(intent: &str, place: &str, weight: &str, language: Language) -> Option<Cue> {
    let forward = intent == "forward";
    let intent = if forward { Intent::Why } else { Intent::parse(intent)? };
    Some(Cue { intent, forward, place: Place::parse(place)?, weight: weight.parse().ok()?, language })
}

word_sets! {
    /// Words that may precede the question word of a main clause: greetings, requests, prepositions.
    LEAD_IN = include_str!("../../data/question_lead_in.txt");
}

context_words! {
    AMBIGUOUS GERMAN_ONLY ROMANCE_ONLY JOINING RELATIVE FOLLOWS_VERB OPENS_CLAUSE DETERMINERS
    OBJECT_QUESTIONS FRENCH_VERBS ENGLISH_AUXILIARIES ENGLISH_SUBJECTS BEFORE_ACT NOT_IN_NOUN
    CLOSES_FOCUS PERSONS OFFERS POLITE_VERBS YES_OR_NO ASKED_PERSONS TIME_RELATIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_cues_is_read() {
        for line in lines(include_str!("../../data/intent_cues.tsv")) {
            let columns: Vec<&str> = line.split('\t').collect();
            let is_read = match columns[..] {
                ["language", name] => Language::parse(name).is_some(),
                [intent, place, weight, list] => {
                    cue(intent, place, weight, Language::Other)
                        .is_some_and(|cue| (0.0..=1.0).contains(&cue.weight))
                        && list
                            .split(" | ")
                            .all(|phrase| !phrase.trim().is_empty() && phrase.trim() == phrase)
                        && (place == "frame") == list.contains('…')
                }
                _ => false,
            };
            assert!(is_read, "{line}");
        }
    }
}
