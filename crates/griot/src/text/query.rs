//! The terms of a question, and the terms by which two texts are compared: stop words are marked or left out.

use std::sync::LazyLock;

use super::language::{Language, STOP_WORDS, language};
use super::stem::stemmer_of;
use super::terms::{Stems, emit, for_each_asked_term, for_each_english_term, has_inner_capital};
use super::words::{KeySet, key, key_bytes, lines};

/// Number of characters of a question that are read, so that a pasted document costs no more than a long one.
const QUERY_CHARS: usize = 4096;
/// Number of terms of a question that are searched for; each costs a posting list.
pub(super) const QUERY_TERMS: usize = 64;
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryTerm {
    pub text: String,
    pub stop: bool,
    /// The position of the term of which this is a part: that of `PostgreSQL` for its `postgr` and `sql`.
    pub whole: Option<usize>,
}

/// Stop words in any text, then those that are one only in a German, French or Spanish text, because they
/// have a meaning in another language.
static STOP_TERMS: LazyLock<[KeySet; 4]> = LazyLock::new(|| {
    let mut sets: [KeySet; 4] = Default::default();
    let mut folded = String::new();
    for (own, list) in STOP_WORDS.into_iter().enumerate() {
        for entry in lines(list).flat_map(str::split_whitespace) {
            let word = entry.trim_start_matches('!');
            let set = &mut sets[if entry.starts_with('!') { own } else { 0 }];
            let mut add = |term: &str| _ = set.insert(key_bytes(term.as_bytes()));
            if word.contains('.') {
                add(word)
            } else {
                emit(word, Stems::ENGLISH, &mut folded, &mut add)
            }
            let language = [Language::English, Language::German, Language::French, Language::Spanish][own];
            if let Some(stemmer) = stemmer_of(language) {
                let set = &mut sets[own];
                let stems = Stems { own: Some(stemmer), english: false };
                emit(word, stems, &mut folded, &mut |term| _ = set.insert(key_bytes(term.as_bytes())));
            }
        }
    }
    sets
});

/// Whether a term means nothing by itself in English, German, French or Spanish.
///
/// Words that are empty in one language and have a meaning in another ("die", "war") are not stop terms here;
/// [`query_terms`] marks them by the language of the question.
pub fn is_stop_term(term: &str) -> bool {
    STOP_TERMS[0].contains(&key_bytes(term.as_bytes()))
}

context_words! {
    VAGUE
}

/// Whether a term asks for anything that is known: "what is known about Mara", "what happened to Mara".
pub fn is_vague(term: &str) -> bool {
    VAGUE.contains(&key_bytes(term.as_bytes()))
}

/// The part of a question that is read.
pub(super) fn read_of(question: &str) -> &str {
    let end = question.char_indices().nth(QUERY_CHARS).map_or(question.len(), |(at, _)| at);
    &question[..end]
}

/// The distinct terms of a question in order of first occurrence: at most 64 that are not stop words (and as
/// many that are), from the first 4,096 characters.
pub fn query_terms(text: &str) -> Vec<QueryTerm> {
    let text = read_of(text);
    let asked = language(text);
    let of_language = own_stops(asked);
    let mut seen = KeySet::default();
    let mut kept = [0; 2];
    let mut terms = Vec::new();
    for_each_asked_term(text, asked, &mut |term| {
        let key = key_bytes(term.as_bytes());
        let stop = STOP_TERMS[0].contains(&key) || of_language.is_some_and(|own| own.contains(&key));
        let count = &mut kept[usize::from(stop)];
        if *count < QUERY_TERMS && seen.insert(key) {
            *count += 1;
            terms.push(QueryTerm { text: term.to_string(), stop, whole: None });
        }
    });
    mark_parts(text, asked, &mut terms);
    terms
}

/// Marks the terms that occur only as parts of names such as `PostgreSQL`.
fn mark_parts(text: &str, asked: Language, terms: &mut [QueryTerm]) {
    let mut names =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| has_inner_capital(word)).peekable();
    if names.peek().is_none() {
        return;
    }
    let mut words = KeySet::default();
    for_each_asked_term(&text.to_lowercase(), asked, &mut |term| _ = words.insert(term_key(term)));
    for name in names {
        let mut whole = None;
        for_each_asked_term(name, asked, &mut |term| {
            let Some(at) = terms.iter().position(|known| known.text == term) else { return };
            if whole.is_none() {
                whole = Some(at);
            } else if !words.contains(&term_key(term)) {
                terms[at].whole = whole;
            }
        });
    }
}

/// The content terms of words that begin with a capital and no sentence: what a question is likely to name.
pub fn capital_terms(text: &str) -> Vec<String> {
    let text = read_of(text);
    // The language of the whole question: a single word has none.
    let asked = language(text);
    let mut terms = Vec::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let is_capital = word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase);
        if is_capital && !begins {
            for_each_asked_term(word, asked, &mut |term| {
                if !is_stop_term(term) {
                    terms.push(term.to_string());
                }
            });
        }
        begins = word.ends_with(['.', '?', '!', ':', '¿', '¡']);
    }
    terms
}

/// The key of a term as in [`token_set`].
pub fn term_key(term: &str) -> u64 {
    key_bytes(term.as_bytes())
}

/// The content terms of a text as sorted, distinct 64-bit keys, for [`overlap`].
pub fn token_set(text: &str) -> Vec<u64> {
    let mut keys = Vec::new();
    for_each_english_term(text, &mut |term| {
        let key = key_bytes(term.as_bytes());
        if !STOP_TERMS[0].contains(&key) {
            keys.push(key);
        }
    });
    keys.sort_unstable();
    keys.dedup();
    // The language matters only for a text with words like German "die", which have a meaning in another one.
    if keys.iter().any(|key| STOP_TERMS[1..].iter().any(|own| own.contains(key)))
        && let Some(own) = own_stops(language(text))
    {
        keys.retain(|key| !own.contains(key));
    }
    keys
}

/// The content words of a text as sorted, distinct 64-bit keys, lower-cased but not stemmed: a cheaper
/// [`token_set`] to find near repetitions. In scripts without spaces each character counts as a word.
pub fn word_set(text: &str) -> Vec<u64> {
    const FIRST_IDEOGRAPH: char = '\u{2e80}';
    let lower = text.to_lowercase();
    let mut keys = Vec::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.chars().any(|c| c >= FIRST_IDEOGRAPH) {
            keys.extend(word.chars().map(|c| key_bytes(c.encode_utf8(&mut [0; 4]).as_bytes())));
        } else {
            keys.push(key_bytes(word.as_bytes()));
        }
    }
    keys.retain(|key| !STOP_TERMS[0].contains(key));
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The distinct content words of a text in lower case, for [`covered`]. Not stemmed, since a stem hides the
/// end of a compound.
pub fn content_words(text: &str) -> Vec<String> {
    let is_content = content_of(language(text));
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.filter(|word| is_content(key(word)));
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether a word, by its key, says something in a text of this language.
pub(super) fn content_of(language: Language) -> impl Fn(u64) -> bool {
    let own = own_stops(language);
    move |key| !STOP_TERMS[0].contains(&key) && own.is_none_or(|own| !own.contains(&key))
}

/// The share of the words of `part` in `whole`, also at an end of a compound ("Fenster", "Holzfenster").
pub fn covered(part: &[String], whole: &[String]) -> f32 {
    let shared = part.iter().filter(|one| whole.iter().any(|other| is_related(one, other))).count();
    if part.is_empty() { 0.0 } else { shared as f32 / part.len() as f32 }
}

/// Equal, or one at an end of the other: "Schlüssel", "Kellerschlüssel".
pub(super) fn is_related(one: &str, other: &str) -> bool {
    /// Bytes. Shorter words begin and end too many others.
    const COMPOUNDED: usize = 5;
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short == long || short.len() >= COMPOUNDED && (long.starts_with(short) || long.ends_with(short))
}

/// The stop words of a language that have a meaning in another one.
fn own_stops(language: Language) -> Option<&'static KeySet> {
    match language {
        Language::German => Some(&STOP_TERMS[1]),
        Language::French => Some(&STOP_TERMS[2]),
        Language::Spanish => Some(&STOP_TERMS[3]),
        _ => None,
    }
}

/// The terms of a question that are not stop words.
pub fn content_terms(text: &str) -> Vec<String> {
    query_terms(text).into_iter().filter(|term| !term.stop).map(|term| term.text).collect()
}

/// Number of shared terms over the size of the larger set: 0 for no common term, 1 for the same terms.
pub fn overlap(a: &[u64], b: &[u64]) -> f32 {
    let larger = a.len().max(b.len());
    if larger == 0 {
        return 0.0;
    }
    let (mut i, mut j, mut shared) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    shared as f32 / larger as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_name_know_their_whole_unless_they_are_words_of_their_own() {
        let parts = |question: &str| {
            let terms = query_terms(question);
            let part = |term: &QueryTerm| Some((term.text.clone(), terms[term.whole?].text.clone()));
            terms.iter().filter_map(part).collect::<Vec<_>>()
        };
        assert_eq!(parts("Why did we leave postgres?"), []);
        let both = [("postgr".to_string(), "postgresql".to_string()), ("sql".into(), "postgresql".into())];
        assert_eq!(parts("Does PostgreSQL sort?"), both);
        assert_eq!(parts("Does PostgreSQL know all of SQL?"), both[..1]);
    }

    #[test]
    fn capitals_have_the_terms_of_their_question() {
        for question in
            ["When did Ada visit the Houses of Brixton?", "Wann hat die Vorsitzende die Häuser besucht?"]
        {
            let all = query_terms(question);
            let capitals = capital_terms(question);
            assert_eq!(capitals.len(), 3 - usize::from(question.starts_with("Wann")), "{capitals:?}");
            assert!(capitals.iter().all(|term| all.iter().any(|one| one.text == *term)), "{capitals:?}");
        }
    }
}
