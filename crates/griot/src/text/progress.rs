//! Does a text say that something was decided, that something remains to be done, or that something is done
//! with?

use std::sync::LazyLock;

use super::language::{Language, language_of};
use super::query::content_terms;
use super::reaction::is_reaction;
use super::sentence::sentences;
use super::words::{Phrases, Word, is_labelled, words};

named! {
    /// How far work has come.
    Progress {
        Decided = "decided",
        /// To be done, or to be answered.
        Open = "open",
    }

    /// What a phrase of the table says.
    Cue {
        Decided = "decided",
        /// Decided if what follows is a choice; else an order of the moment.
        Chosen = "chosen",
        Open = "open",
        Closed = "closed",
        /// It hides the cues in it.
        Nothing = "-",
    }
}

static CUES: LazyLock<Phrases<(Language, Cue)>> = LazyLock::new(|| {
    let table = include_str!("../../data/progress_cues.tsv");
    Phrases::read(table, |language, [kind]| Some((language, Cue::parse(kind)?)))
});

context_words! {
    OPEN_LABEL CHOICE
}

/// What a text says; what is "not decided" is open.
pub fn progress(text: &str) -> Option<Progress> {
    let words = words(text);
    // "Open: who signs the lease?"
    if is_labelled(&words, &OPEN_LABEL) {
        return Some(Progress::Open);
    }
    let own = language_of(text, &words);
    let cues = cues(&words, own);
    if cues.iter().any(|(_, _, cue)| *cue == Cue::Open) {
        return Some(Progress::Open);
    }
    let decides = |(at, length, cue): &(usize, usize, Cue)| match cue {
        Cue::Decided => true,
        Cue::Chosen => is_choice(&words, at + length),
        _ => false,
    };
    cues.iter().any(decides).then_some(Progress::Decided)
}

/// The subjects that a text decides or is done with, each as the terms of its sentence without the words that
/// say so: "ok, forget Expo" is done with Expo.
pub fn closed_subjects(text: &str) -> Vec<Vec<String>> {
    let all = words(text);
    let own = language_of(text, &all);
    let sentences = sentences(text);
    let subject = |sentence: &str| {
        let words = words(sentence);
        let cues = cues(&words, own);
        let is_open = sentence.trim_end().ends_with(['?', '？']) || cues.iter().any(|cue| cue.2 == Cue::Open);
        let (at, length, _) = *cues.iter().find(|(_, _, cue)| matches!(cue, Cue::Closed | Cue::Decided))?;
        let (first, last) = (words.get(at)?, words.get(at + length - 1)?);
        let rest = format!("{} {}", &sentence[..first.start], &sentence[last.end..]);
        // "Ok" names nothing.
        let terms: Vec<String> = content_terms(&rest).into_iter().filter(|term| !is_reaction(term)).collect();
        Some(terms).filter(|terms| !is_open && !terms.is_empty())
    };
    sentences.into_iter().filter_map(|range| subject(&text[range])).collect()
}

/// The cues in their order: the first word, the number of words, and what it says.
fn cues(words: &[Word], own: Language) -> Vec<(usize, usize, Cue)> {
    let (mut found, mut hidden) = (Vec::new(), 0);
    for at in 0..words.len() {
        for (length, &(language, cue)) in CUES.all_at(words, at) {
            let is_read = language.is_read_in(own) || own == Language::Other;
            match cue {
                _ if !is_read || at < hidden => {}
                Cue::Nothing => hidden = at + length,
                cue => found.push((at, length, cue)),
            }
        }
    }
    found
}

/// Whether "let's go with" names a choice: a name follows ("Postgres", "option B"), or what was not chosen
/// ("… instead of …"). "Let's go with the rate limit" only says what to do next.
fn is_choice(words: &[Word], after: usize) -> bool {
    let is_name = |word: &Word| word.upper || word.inner_upper || word.digit;
    let near = words[after.min(words.len())..].iter().take(2);
    near.filter(|word| word.gap.joins_phrase()).any(is_name)
        || words.iter().any(|word| CHOICE.contains(&word.key))
}

#[cfg(test)]
mod tests {
    use super::{closed_subjects, progress};
    use crate::text::cases::check;

    #[test]
    fn what_was_decided_and_what_is_open_is_read() {
        check(include_str!("../../tests/cases/progress.tsv"), |text| {
            progress(text).map_or("-", |progress| progress.name()).to_string()
        });
    }

    #[test]
    fn what_is_done_with_is_read() {
        let closed =
            |text: &str| closed_subjects(text).iter().map(|terms| terms.join(" ")).collect::<Vec<_>>();
        assert_eq!(closed("ok forget expo. The tests run."), ["expo"]);
        assert_eq!(closed("Vergiss den Kran."), ["kran"]);
        for open in ["Don't forget the crane.", "Is the crane cancelled?", "The crane is not done yet."] {
            assert!(closed(open).is_empty(), "{open}");
        }
    }
}
