//! Which words of a text are in a subordinate clause? What a text states is in its main clauses: "we hired
//! two, because the pool will open in May" plans nothing.

use std::sync::LazyLock;

use super::calendar::calendar_word;
use super::language::Language;
use super::words::{Gap, Phrases, Word};

named! {
    Where {
        Anywhere = "anywhere",
        Comma = "comma",
        Clause = "clause",
    }
}

static OPENERS: LazyLock<Phrases<(Language, Where)>> = LazyLock::new(|| {
    let table = include_str!("../../data/clause_words.tsv");
    Phrases::read(table, |language, [place]| Some((language, Where::parse(place)?)))
});

/// Whether a sentence, or what is like one, ends before a word.
pub(super) fn ends_before(word: &Word) -> bool {
    matches!(word.gap, Gap::Start | Gap::Dot | Gap::Break | Gap::Colon)
}

/// For each word whether it is in a subordinate clause. One that opens its sentence ends at the next comma,
/// any other with the sentence.
pub(super) fn subordinate(words: &[Word], own: Language) -> Vec<bool> {
    let mut marks = Vec::with_capacity(words.len());
    let (mut is_inside, mut opens_sentence) = (false, false);
    for (at, word) in words.iter().enumerate() {
        if ends_before(word) || opens_sentence && word.gap == Gap::Comma {
            is_inside = false;
        }
        if !is_inside && opens(words, at, own) {
            is_inside = true;
            opens_sentence = ends_before(word);
        }
        marks.push(is_inside);
    }
    marks
}

fn opens(words: &[Word], at: usize, own: Language) -> bool {
    /// Words between a preposition and its time: "since the 3rd of May".
    const BETWEEN: usize = 3;
    OPENERS.all_at(words, at).any(|(length, &(language, place))| {
        language.is_read_in(own)
            && match place {
                Where::Anywhere => true,
                Where::Comma => words[at].gap == Gap::Comma,
                Where::Clause => {
                    let after = words[at + length..].iter().take(BETWEEN);
                    !after.into_iter().any(|word| word.digit || calendar_word(word).is_some())
                }
            }
    })
}

#[cfg(test)]
mod tests {
    use super::super::language::language_of;
    use super::super::words::words;
    use super::*;

    fn main_clauses(text: &str) -> String {
        let words = words(text);
        let marks = subordinate(&words, language_of(text, &words));
        let main = words.iter().zip(marks).filter(|(_, is_inside)| !is_inside);
        main.map(|(word, _)| word.text(text)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_text_states_is_in_its_main_clauses() {
        for (text, main) in [
            ("We hired two, because the pool will open in May. It is deep.", "We hired two It is deep"),
            ("Since it rained, we stay at home.", "we stay at home"),
            ("Since 3 May we meet in the hall.", "Since 3 May we meet in the hall"),
            ("Der Chor probt montags, weil der Saal sonst belegt ist.", "Der Chor probt montags"),
            ("Das Rad, das im Keller steht und rot ist.", "Das Rad"),
            ("Elle habite à Lyon parce que son école est là.", "Elle habite à Lyon"),
            ("Vivimos en Lima porque el trabajo está allí.", "Vivimos en Lima"),
        ] {
            assert_eq!(main_clauses(text), main);
        }
    }
}
