//! Does a person say how something is to be done from now on: a rule, a preference, a habit?
//!
//! "We use pnpm here" is meant for every installation to come, "don't push yet" for this moment, and no
//! single word sets them apart: words, pairs of words and the beginning vote. Their weights, log odds of a
//! logistic regression, were learned from messages of several writers; `griot-eval wishes` learns them
//! again, and measures them on each writer that had no part in it.

use std::sync::LazyLock;

use super::fold::fold_into;
use super::language::{Language, language_of};
use super::words::{KeyMap, Phrases, Word, key_bytes, lines, words};

/// Words of a message that are read; a longer one is a story, a log or a document.
const LONGEST: usize = 60;
/// Words of a message that make one step of its length.
const STEP: usize = 4;
const STEPS: usize = 6;

static WEIGHTS: LazyLock<KeyMap<f32>> = LazyLock::new(|| {
    let table = lines(include_str!("../../data/wish.tsv"));
    let rows = table.filter_map(|line| line.rsplit_once('\t'));
    rows.filter_map(|(name, weight)| Some((key_bytes(name.as_bytes()), weight.parse().ok()?))).collect()
});

/// Phrases with which rules and habits are stated in five languages: they count alike, also those that no
/// message had.
static CUES: LazyLock<Phrases<(Language, &str)>> = LazyLock::new(|| {
    let table = include_str!("../../data/preference_cues.tsv");
    Phrases::read(table, |language, [cue]| Some((language, cue)))
});

/// How likely a text states a standing wish, 0..=1.
pub fn standing_wish(text: &str) -> f32 {
    let mut odds = 0.0;
    let is_read = wish_features(text, &mut |feature| {
        odds += WEIGHTS.get(&key_bytes(feature.as_bytes())).copied().unwrap_or_default();
    });
    if is_read { 1.0 / (1.0 + (-odds).exp()) } else { 0.0 }
}

/// Calls `each` with every feature of a text, one that occurs twice twice. False for a text that is too long
/// or has no word.
pub fn wish_features(text: &str, each: &mut dyn FnMut(&str)) -> bool {
    let words = words(text);
    if words.is_empty() || words.len() > LONGEST {
        return false;
    }
    // Numbers are alike.
    let folded = |word: &Word| {
        let mut folded = String::new();
        if word.digit {
            folded.push('0')
        } else {
            fold_into(word.text(text), &mut folded)
        }
        folded
    };
    let folded: Vec<String> = words.iter().map(folded).collect();
    each("always");
    let mut name = String::new();
    let mut say = |kind: &str, words: &[String]| {
        name.clear();
        name.push_str(kind);
        for word in words {
            name.push(' ');
            name.push_str(word);
        }
        each(&name);
    };
    folded.iter().for_each(|word| say("word", std::slice::from_ref(word)));
    folded.windows(2).for_each(|pair| say("pair", pair));
    say("first", &folded[..1]);
    if folded.len() > 1 {
        say("first", &folded[..2]);
    }
    let language = language_of(text, &words);
    let is_read = |own: Language| own.is_read_in(language) || language == Language::Other;
    let mut cues: Vec<&str> = (0..words.len())
        .flat_map(|at| CUES.all_at(&words, at))
        .filter(|(_, (own, _))| is_read(*own))
        .map(|(_, (_, cue))| *cue)
        .collect();
    cues.sort_unstable();
    cues.dedup();
    cues.into_iter().for_each(|cue| say("cue", &[cue.to_string()]));
    say("length", &[(words.len() / STEP).min(STEPS).to_string()]);
    for (sign, kind) in [('?', "asks"), ('？', "asks"), (':', "sign :"), ('：', "sign :"), ('=', "sign =")]
    {
        let has = if kind == "asks" { text.trim_end().ends_with(sign) } else { text.contains(sign) };
        if has {
            say(kind, &[]);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lasting_wish_is_known_from_one_of_the_moment() {
        for text in [
            "We use pnpm here, not npm.",
            "never push to main directly",
            "no default exports, named only",
            "invoices are filed by year",
            "Wir verwenden yarn, nicht npm.",
        ] {
            assert!(standing_wish(text) > 0.5, "{text}: {}", standing_wish(text));
        }
        for text in [
            "don't push yet",
            "use port 8081 for now",
            "please run the tests again",
            "why do we never get an answer?",
            "the build failed on Monday",
            "nimm diesmal npm",
            "",
        ] {
            assert!(standing_wish(text) < 0.5, "{text}: {}", standing_wish(text));
        }
        assert_eq!(standing_wish(&"we use pnpm ".repeat(30)), 0.0, "a story");
    }
}
