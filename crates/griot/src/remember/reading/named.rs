//! Which names and phrases of a model the words of a memory contain.

use std::collections::HashSet;

use crate::model::{EntityType, Memory, normal_name};
use crate::text;

use super::super::name::Name;

/// Characters and words of a name; a longer one is none, such as a whole sentence.
const LONGEST_NAME: usize = 120;
const MOST_WORDS: usize = 12;
/// Characters of the label of a relation; the rest is cut.
const LABEL: usize = 40;

/// The label of a relation: lower-case words joined by `_`.
pub(super) fn label_of(kind: &str) -> String {
    let words = kind.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let label = words.map(str::to_lowercase).collect::<Vec<_>>().join("_");
    label.chars().take(LABEL).collect()
}

/// The words of a memory and of what is printed with it.
pub(super) struct Words {
    text: String,
    words: HashSet<String>,
    /// Words that are written as a name, in lower case: a function word is one too, such as `Will`.
    capitals: HashSet<String>,
}

impl Words {
    pub(super) fn of(memory: &Memory, title: Option<&String>) -> Self {
        let parts = [Some(&memory.text), memory.speaker.as_ref(), title];
        let parts = parts.into_iter().flatten().chain(&memory.heading).map(String::as_str);
        let speaker = words(memory.speaker.as_deref().unwrap_or_default()).map(str::to_lowercase);
        // Titles write all of their words with capitals.
        let capitals = speaker.chain(inner_capitals(&memory.text)).collect();
        Self { capitals, ..Self::in_text(&parts.collect::<Vec<_>>().join("\n")) }
    }

    pub(super) fn in_text(text: &str) -> Self {
        let capitals = inner_capitals(text).collect();
        let text = normal_name(text);
        let words = words(&text).map(str::to_string).collect();
        Self { text, words, capitals }
    }

    /// Whether all words of a name are there; `Ada's store` needs `Ada` and `store`. In a script without
    /// spaces, the name as it is.
    pub(super) fn have(&self, name: &str) -> bool {
        let name = normal_name(name);
        let own =
            |word| ["'s", "’s"].into_iter().find_map(|end| str::strip_suffix(word, end)).unwrap_or(word);
        let name = name.split(' ').map(own).collect::<Vec<_>>().join(" ");
        let mut parts = words(&name).peekable();
        let is_named = || !text::content_words(&name).is_empty() || self.capitals.contains(&name);
        if parts.peek().is_none() || !is_named() {
            return false;
        }
        let is_inside = |part: &str| part.contains(text::is_unspaced) && self.text.contains(part);
        parts.all(|part| self.words.contains(part) || is_inside(part))
    }

    /// A name that is in the text and short enough to be one.
    pub(super) fn name(&self, name: &str, kind: Option<EntityType>) -> Option<Name> {
        let is_short = name.chars().count() <= LONGEST_NAME && name.split_whitespace().count() <= MOST_WORDS;
        let name = Name::new(name, kind, 1.0, Name::RULE_CONFIDENCE, false);
        name.filter(|name| is_short && self.have(&name.name))
    }

    /// Whether the content words of a phrase are there, in any order and form.
    pub(super) fn say(&self, phrase: &str) -> bool {
        let (own, phrase) = (text::token_set(&self.text), text::token_set(phrase));
        !phrase.is_empty() && phrase.iter().all(|word| own.binary_search(word).is_ok())
    }
}

/// The words that begin with a capital, go on in lower case and begin no sentence, in lower case.
fn inner_capitals(text: &str) -> impl Iterator<Item = String> {
    let mut begins = true;
    text.split_whitespace().filter_map(move |word| {
        let first = std::mem::replace(&mut begins, word.ends_with(['.', '?', '!', ':']));
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut chars = word.chars();
        let is_capital = chars.next()?.is_uppercase() && chars.next()?.is_lowercase();
        (is_capital && !first).then(|| word.to_lowercase())
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_need_their_words() {
        let words = Words::in_text("Ada Lovelace and O'Shea run a small store in Łódź.");
        for name in ["Ada", "ada lovelace", "Ada's store", "O'Shea's store", "Łódź", "Lovelace, Ada"] {
            assert!(words.have(name), "{name}");
        }
        for name in ["Grace", "Ada Byron", "stores", "the", "", "'s", "short meeting"] {
            assert!(!words.have(name), "{name}");
        }
        let text = "Jürgen met 王小明先生 in Köln and Łódzkie, and โรงแรมมโนราห์ was full.";
        let words = Words::in_text(text);
        for name in ["Jürgen", "王小明", "王小明 Köln", "มโนราห์"] {
            assert!(words.have(name), "{name}");
        }
        for name in ["Jürg", "Köl", "Łód", "王大明"] {
            assert!(!words.have(name), "{name}");
        }
    }

    #[test]
    fn phrases_need_their_content_words() {
        let words = Words::in_text("Ada has a store and prefers meetings that are short.");
        assert!(words.say("a short meeting") && words.say("the meetings of Ada"));
        assert!(!words.say("short calls") && !words.say("") && !words.say("the"));
    }
}
