//! Which everyday work does a prompt order, and which work does a standing preference govern?
//!
//! "Install lodash" and "We use pnpm here, not npm" share no word. What joins them is knowledge of the world:
//! both are about packages. A table lists kinds of everyday work with the verbs that order them and the words
//! that they are about, in five languages. A prompt orders work if it begins with such a verb, or with any
//! order that names a thing of that work. A statement is a preference for that work if one of its sentences
//! has the form of a rule or a habit and names the work.

use std::sync::LazyLock;

use super::language::{Language, language_of};
use super::sentence::sentences;
use super::wish::standing_wish;
use super::words::{Phrases, Word, lines, words};

named! {
    Kind {
        Lead = "lead",
        Do = "do",
        Thing = "thing",
        Ask = "ask",
        Hint = "hint",
    }
}

/// A kind of everyday work, by its name in the table.
pub type Work = &'static str;

/// The work of orders that say nothing about their work.
const ANY: Work = "-";

context_words! {
    LOOKS_UP
}

const TABLE: &str = include_str!("../../data/work.tsv");

static WORDS: LazyLock<Phrases<(Language, Work, Kind)>> = LazyLock::new(|| {
    Phrases::read(TABLE, |language, [work, kind]| Some((language, work, Kind::parse(kind)?)))
});

/// The work that a prompt orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    pub language: Language,
    pub work: Vec<Work>,
}

/// Words of a prompt before its order: "ok, now can you please".
const LEAD_WORDS: usize = 8;
/// Words of a prompt that are read.
const ORDER_WORDS: usize = 40;
/// How likely a sentence must state a standing wish; and one that is not about the ordered work.
const LASTS: f32 = 0.5;
const SURE: f32 = 0.7;

/// The work that a prompt orders; `None` if it orders nothing, or nothing that the table knows.
pub fn order(prompt: &str) -> Option<Order> {
    let mut words = words(prompt);
    words.truncate(ORDER_WORDS);
    let (language, verb) = asked_at(prompt, &words)?;
    let mut work: Vec<Work> = Vec::new();
    let mut hints: Vec<(Work, u64)> = Vec::new();
    for at in 0..words.len() {
        for (_, &(own, about, kind)) in WORDS.all_at(&words, at) {
            match kind {
                Kind::Do if at == verb && own == language && about != ANY => work.push(about),
                Kind::Thing if is_read(own, language) => work.push(about),
                Kind::Hint if is_read(own, language) => hints.push((about, words[at].key)),
                _ => {}
            }
        }
    }
    for (about, key) in &hints {
        if hints.iter().any(|(other, second)| other == about && second != key) {
            work.push(about);
        }
    }
    work.sort_unstable();
    work.dedup();
    (!work.is_empty()).then_some(Order { language, work })
}

/// What a prompt orders to be done or asks how to do: the words after its verb. `None` if it orders nothing,
/// or only that something is looked up.
pub fn ordered(prompt: &str) -> Option<&str> {
    let mut words = words(prompt);
    words.truncate(ORDER_WORDS);
    let (_, verb) = asked_at(prompt, &words)?;
    let is_last = verb + 1 == words.len();
    if LOOKS_UP.contains(&words[verb].key) {
        return None;
    }
    Some(if is_last { &prompt[..words[verb].start] } else { &prompt[words[verb].end..] })
}

/// The verb of an order, or where a question asks how something should be done: "which one should we use".
fn asked_at(prompt: &str, words: &[Word]) -> Option<(Language, usize)> {
    verb_of(prompt, words).or_else(|| {
        let ask = |at: usize| WORDS.all_at(words, at).find(|(_, (_, _, kind))| *kind == Kind::Ask);
        (0..words.len()).find_map(|at| ask(at).map(|(_, (language, ..))| (*language, at)))
    })
}

/// Languages mix in the talk of work: English things are named in orders of all languages.
fn is_read(own: Language, order: Language) -> bool {
    own == order || own == Language::English || own == Language::Chinese
}

/// The verb of an order, at the start of a prompt or after words such as "please".
fn verb_of(prompt: &str, words: &[Word]) -> Option<(Language, usize)> {
    let mut at = 0;
    while at < words.len().min(LEAD_WORDS) {
        let mut lead = 0;
        for (length, &(language, _, kind)) in WORDS.all_at(words, at) {
            match kind {
                Kind::Do => return Some((language, at)),
                Kind::Lead => lead = lead.max(length),
                _ => {}
            }
        }
        if lead == 0 {
            break;
        }
        at += lead;
    }
    // "lodash installieren": a German order may end in its infinitive.
    let last = words.len().checked_sub(1).filter(|last| *last > 0)?;
    let mut phrases = WORDS.all_at(words, last);
    let is_verb = phrases
        .any(|(_, &(language, work, kind))| language == Language::German && kind == Kind::Do && work != ANY);
    (is_verb && words[last].text(prompt).ends_with('n')).then_some((Language::German, last))
}

/// Whether a sentence of a text surely states a standing wish, a habit or a rule, whatever its work.
pub fn states_wish(text: &str) -> bool {
    sentences(text).into_iter().any(|range| standing_wish(&text[range]) >= SURE)
}

/// The work that a statement governs as a standing preference or rule, with the language of the statement.
/// What `is_rule` is one whatever its form.
pub fn governs(text: &str, is_rule: bool) -> (Language, Vec<Work>) {
    let mut work: Vec<Work> = Vec::new();
    let all = words(text);
    let language = language_of(text, &all);
    for range in sentences(text) {
        let sentence = &text[range];
        let asks = sentence.trim_end().ends_with(['?', '？']);
        if asks || !is_rule && standing_wish(sentence) < LASTS {
            continue;
        }
        let words = words(sentence);
        for at in 0..words.len() {
            for (_, &(own, about, _)) in WORDS.all_at(&words, at) {
                if about != ANY && own.is_read_with(language) {
                    work.push(about);
                }
            }
        }
    }
    work.sort_unstable();
    work.dedup();
    (language, work)
}

impl Language {
    /// Whether words of this language are read in a text of another one, which may be too short to be sure.
    fn is_read_with(self, text: Self) -> bool {
        self.is_read_in(text) || text == Self::Other
    }
}

/// The words of some kinds of work, to search for statements about them.
pub fn words_of(work: &[Work]) -> impl Iterator<Item = &'static str> + '_ {
    lines(TABLE).flat_map(move |line| {
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let is_wanted = columns.len() == 4 && work.contains(&columns[1]) && columns[2] != Kind::Lead.name();
        is_wanted.then(|| columns[3].split(" | ")).into_iter().flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    #[test]
    fn an_order_names_its_work() {
        check(include_str!("../../tests/cases/work_orders.tsv"), |text| {
            order(text).map_or("-".to_string(), |order| order.work.join(" "))
        });
    }

    #[test]
    fn a_preference_governs_its_work_and_other_statements_none() {
        check(include_str!("../../tests/cases/preferences.tsv"), |text| {
            let work = governs(text, false).1;
            if work.is_empty() { "-".to_string() } else { work.join(" ") }
        });
    }

    #[test]
    fn a_rule_governs_whatever_its_form() {
        assert_eq!(governs("Packages: pnpm", false).1, Vec::<Work>::new());
        assert_eq!(governs("Packages: pnpm", true).1, ["packages"]);
    }

    #[test]
    fn every_kind_of_work_has_words_to_search_for() {
        for line in lines(TABLE) {
            let work = line.split('\t').nth(1).unwrap_or_default();
            assert!(words_of(&[work]).next().is_some(), "{work}");
        }
    }
}
