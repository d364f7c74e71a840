//! Stems of words in English, German, French and Spanish; English ones are cached, because words repeat.

use std::cell::RefCell;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::fold::fold_into;
use super::language::Language;
use super::words::key_bytes;

/// Longest word whose stem is cached, in bytes; few English words are longer.
const CACHED_WORD: usize = 20;
/// Slots of the cache, a power of two; with their words they take about 170 kB per thread.
const CACHED_STEMS: usize = 4096;
/// Length of the word, length of the stem, word, stem.
type CachedStem = [u8; 2 + 2 * CACHED_WORD];

thread_local! {
    /// Stemming costs more than all other steps together, and words repeat. A slot holds the last word that
    /// was hashed to it; the result does not depend on the content of the cache.
    static STEMS: RefCell<Vec<CachedStem>> = RefCell::new(vec![[0; 2 + 2 * CACHED_WORD]; CACHED_STEMS]);
}

pub(super) static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));
static OTHERS: LazyLock<[Stemmer; 3]> =
    LazyLock::new(|| [Algorithm::German, Algorithm::French, Algorithm::Spanish].map(Stemmer::create));

/// The stemmer of a language other than English; `None` where words are stemmed as English or not at all.
pub(super) fn stemmer_of(language: Language) -> Option<&'static Stemmer> {
    match language {
        Language::German => OTHERS.first(),
        Language::French => OTHERS.get(1),
        Language::Spanish => OTHERS.get(2),
        _ => None,
    }
}

/// The folded stem of a word in a language, in English where the language has no stemmer.
pub(super) fn stem_into(word: &str, language: Language, folded: &mut String) {
    folded.clear();
    match stemmer_of(language) {
        None if word.is_ascii() => {
            folded.push_str(word);
            folded.make_ascii_lowercase();
            stem(folded);
        }
        own => fold_into(&own.unwrap_or(&ENGLISH).stem(&word.to_lowercase()), folded),
    }
}

/// Replaces an ASCII lower-case word by its English stem.
pub(super) fn stem(word: &mut String) {
    let len = word.len();
    if len > CACHED_WORD {
        let stemmed = ENGLISH.stem(word).into_owned();
        *word = stemmed;
        return;
    }
    STEMS.with_borrow_mut(|cache| {
        let slot = &mut cache[key_bytes(word.as_bytes()) as usize % CACHED_STEMS];
        if usize::from(slot[0]) != len || &slot[2..2 + len] != word.as_bytes() {
            let stemmed = ENGLISH.stem(word);
            let stem_len = stemmed.len().min(CACHED_WORD);
            slot[0] = len as u8;
            slot[1] = stem_len as u8;
            slot[2..2 + len].copy_from_slice(word.as_bytes());
            slot[2 + CACHED_WORD..][..stem_len].copy_from_slice(&stemmed.as_bytes()[..stem_len]);
        }
        let stem_len = usize::from(slot[1]);
        word.clear();
        // The bytes are a stem of ASCII letters.
        word.push_str(std::str::from_utf8(&slot[2 + CACHED_WORD..][..stem_len]).unwrap_or_default());
    });
}
