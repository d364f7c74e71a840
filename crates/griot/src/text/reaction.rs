//! Does a text only react to what was just said or shown?
//!
//! "Yes, go on", "commit this", "hmm, not sure about that": no word of these says what they are about, so no
//! memory bears on them, whatever words it shares with them. A text with a question word is no reaction.

use std::sync::LazyLock;

use super::language::is_stop_word;
use super::words::{Phrases, words};

named! {
    Kind {
        Reaction = "reaction",
        Action = "action",
        Pointing = "pointing",
    }
}

static WORDS: LazyLock<Phrases<Kind>> = LazyLock::new(|| {
    Phrases::read(include_str!("../../data/reaction_words.tsv"), |_, [kind]| Kind::parse(kind))
});

word_sets! {
    /// Words with which a question for something begins.
    ASKS = "what what's which who whom whose where when why how was welche welcher welches wer wem wen wo \
        wann warum wieso wie que quoi quel quelle qui où quand pourquoi comment qué cuál quién dónde cuándo \
        cómo \
        什 谁 哪 何 几 怎 吗";
}

/// What a prompt may begin with that says nothing of what it asks.
const GREETINGS: [&str; 24] = [
    "hello",
    "hi",
    "hi there",
    "hey",
    "good morning",
    "good afternoon",
    "good evening",
    "morning",
    "hallo",
    "guten morgen",
    "guten tag",
    "guten abend",
    "moin",
    "servus",
    "bonjour",
    "bonsoir",
    "salut",
    "hola",
    "buenos días",
    "buenas tardes",
    "buenas noches",
    "早上好",
    "下午好",
    "晚上好",
];

/// A prompt without the greeting at its beginning: "Good morning, what is …" asks nothing about mornings. A
/// sign and a space end it; "Good Morning Vietnam" is a name, and "hello.py" a file.
pub fn ungreeted(prompt: &str) -> &str {
    const SIGNS: [char; 8] = [',', '!', '.', ';', '，', '！', '。', '\n'];
    let Some(at) = prompt.find(SIGNS) else { return prompt };
    let (greeting, rest) = prompt.split_at(at);
    let after = rest.trim_start_matches(SIGNS);
    let is_end =
        !rest.starts_with(|sign: char| sign.is_ascii_punctuation()) || after.starts_with(char::is_whitespace);
    let said = after.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_greeting = GREETINGS.contains(&greeting.trim().to_lowercase().as_str());
    if is_greeting && is_end && !said.is_empty() { said } else { prompt }
}

/// The most words of a reaction.
const LONGEST: usize = 12;

/// Whether the text only reacts to what is in sight and names nothing that can be looked up.
pub fn is_reaction(text: &str) -> bool {
    let words = words(text);
    if words.is_empty() || words.len() > LONGEST {
        return false;
    }
    // "So why not?", and "do you know who did it?", but not "this is not what I asked for".
    let opening = if text.trim_end().ends_with(['?', '？']) { words.len() } else { 2 };
    if words.iter().take(opening).any(|word| ASKS.contains(&word.key)) {
        return false;
    }
    let (mut acts, mut points) = (false, false);
    let mut at = 0;
    while let Some(word) = words.get(at) {
        // A capital inside a sentence writes a name: "ask May". English "I" is none.
        let is_name = at > 0 && word.upper && word.end - word.start > 1 && !word.is_caps();
        let mut length = usize::from(is_stop_word(word.key));
        for (found, kind) in WORDS.all_at(&words, at) {
            acts |= *kind == Kind::Action;
            points |= *kind == Kind::Pointing;
            length = length.max(found);
        }
        if length == 0 || is_name {
            return false;
        }
        at += length;
    }
    points || !acts
}

#[cfg(test)]
mod tests {
    use super::{is_reaction, ungreeted};

    #[test]
    fn a_greeting_says_nothing_of_what_is_asked() {
        assert_eq!(ungreeted("Good morning, what's the weather?"), "what's the weather?");
        assert_eq!(ungreeted("Hallo! Wann kommt Emil?"), "Wann kommt Emil?");
        assert_eq!(ungreeted("Bonjour\nqui vient?"), "qui vient?");
        for whole in [
            "hello.py crashes on start",
            "Good Morning Vietnam, who made it?",
            "Good morning!",
            "hi",
            "",
            "Ada, what's up?",
        ] {
            assert_eq!(ungreeted(whole), whole);
        }
    }
    use crate::text::cases::check;

    #[test]
    fn a_text_that_names_nothing_is_a_reaction() {
        check(include_str!("../../tests/cases/reactions.tsv"), |text| {
            if is_reaction(text) { "reaction" } else { "-" }.to_string()
        });
    }
}
