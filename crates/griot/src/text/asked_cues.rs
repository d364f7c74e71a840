//! The phrases by which a question says what it asks for, and of which time.

use std::ops::Range;
use std::sync::LazyLock;

use super::language::{Language, is_stop_word, language_of};
use super::query::query_terms;
use super::words::{Gap, Phrases, Word, words};

named! {
    /// What a phrase says of a question; `data/asked_cues.tsv` explains each.
    Cue {
        First = "first",
        History = "history",
        Reason = "reason",
        Change = "change",
        When = "when",
        Changes = "changes",
        Before = "before",
        Present = "present",
        Verdict = "verdict",
        Then = "then",
        Property = "property",
        Ahead = "ahead",
        Measure = "measure",
    }
}

static CUES: LazyLock<Phrases<(Language, Cue, bool)>> = LazyLock::new(|| {
    let table = include_str!("../../data/asked_cues.tsv");
    Phrases::read(table, |language, [cue, at]| Some((language, Cue::parse(cue)?, at == "start")))
});

/// Which cues a question has.
#[derive(Default)]
pub(super) struct Cues(u16);

impl Cues {
    pub fn of(text: &str, words: &[Word]) -> Self {
        let mut found = Self::default();
        Self::each(text, words, &mut |cue, _| found.0 |= 1 << cue as u8);
        found
    }

    /// Calls `take` with each cue and its words.
    fn each(text: &str, words: &[Word], take: &mut dyn FnMut(Cue, Range<usize>)) {
        let own = language_of(text, words);
        let leads_in = words.first().is_some_and(|first| is_stop_word(first.key));
        let is_question = text.ends_with(['?', '？']);
        // "From how many euros on …?", "and where do we meet?", "I am locked out, who has the key?"
        let may_open = |at: usize| {
            let is_clause = matches!(words[at].gap, Gap::Comma | Gap::Dot | Gap::Colon | Gap::Break);
            at == 1 && leads_in || is_question && is_clause
        };
        for at in 0..words.len() {
            for (length, (language, cue, start)) in CUES.all_at(words, at) {
                let is_first = at == 0 || *cue == Cue::Property && may_open(at);
                if language.is_read_in(own) && (!start || is_first) {
                    take(*cue, at..at + length);
                }
            }
        }
    }

    pub fn has(&self, cue: Cue) -> bool {
        self.0 >> (cue as u8) & 1 == 1
    }
}

/// The time of which a question asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tense {
    Past,
    /// What is to come: "what is planned for December?"
    Ahead,
    /// It does not say so.
    Either,
}

pub(super) fn tense(question: &str, words: &[Word]) -> Tense {
    let cues = Cues::of(question, words);
    match () {
        () if cues.has(Cue::Then) => Tense::Past,
        () if cues.has(Cue::Ahead) => Tense::Ahead,
        () => Tense::Either,
    }
}

/// The terms of the words that say only which time or measure a question asks about: "still", "before", "wie
/// lange". A text that has such a word too is no nearer to an answer.
pub fn cue_terms(question: &str) -> Vec<String> {
    let words = words(question);
    let mut is_cue = vec![false; words.len()];
    Cues::each(question, &words, &mut |cue, own| {
        if matches!(cue, Cue::Present | Cue::Before | Cue::First | Cue::Measure) {
            is_cue[own].fill(true);
        }
    });
    let terms = |of_cues: bool| {
        let own = words.iter().zip(&is_cue).filter(|(_, is_cue)| **is_cue == of_cues);
        let own: Vec<&str> = own.map(|(word, _)| word.text(question)).collect();
        query_terms(&own.join(" ")).into_iter().map(|term| term.text).collect::<Vec<String>>()
    };
    let mut cues = terms(true);
    if !cues.is_empty() {
        let others = terms(false);
        cues.retain(|term| !others.contains(term));
    }
    cues
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_only_which_time_or_measure_is_meant_are_known() {
        assert_eq!(cue_terms("Is Ada still our treasurer?"), ["still"]);
        assert_eq!(cue_terms("Where did we meet originally?"), ["origin"]);
        assert_eq!(cue_terms("Wie lange haben wir geöffnet?"), ["wie", "lang"]);
        assert!(cue_terms("Which lamp is in the hall?").is_empty());
        // The word is asked for, too.
        assert!(!cue_terms("Is the current now above the current of June?").contains(&"june".into()));
    }
}
