//! Which terms a text is found by.
//!
//! Text and query pass through the same rules, so what matters is that both come out alike: terms are folded (NFKD,
//! lower case, no accents), English words stemmed, compound names given whole and in parts, Chinese, Japanese, Korean
//! and Thai given as pairs of characters. Stop words are terms too; who builds an index leaves them out with
//! [`is_stop_term`].

use std::cell::RefCell;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

use super::language::{Language, language};
use super::words::{KeySet, is_apostrophe, is_ideograph, key_bytes, lines};

/// Bytes. Longer terms (addresses, hashes, encoded data) are cut: no one types them whole.
const LONGEST_TERM: usize = 64;
/// Characters of a query that are read, so that a pasted document costs no more than a long question.
const QUERY_CHARS: usize = 4096;
/// Terms of a query that are searched for; each costs a posting list.
const QUERY_TERMS: usize = 64;

/// A word of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryTerm {
    pub text: String,
    pub stop: bool,
}

/// Gives every term of the text in order, repeated as often as it occurs.
///
/// `HttpServer` yields `httpserver`, `http`, `server`; `src/main.rs` the whole, `main.rs` and the parts; `2023-05-08`
/// the whole and `2023`, `05`, `08`; `数据库` yields `数据`, `据库`.
pub fn for_each_term(text: &str, sink: &mut dyn FnMut(&str)) {
    let mut folded = String::with_capacity(LONGEST_TERM * 2);
    let mut at = 0;
    while let Some((start, class)) = next_start(text, at) {
        if let Some(end) = plain_word_end(text.as_bytes(), start) {
            folded.clear();
            folded.push_str(&text[start..end]);
            folded.make_ascii_lowercase();
            if end - start > 2 {
                stem(&mut folded);
            }
            sink(&folded);
            at = end;
            continue;
        }
        let end = match class {
            Class::Pairs => run_end(text, start, Class::Pairs),
            _ => compound_end(text, start),
        };
        let run = &text[start..end];
        match class {
            Class::Pairs => pairs(run, &mut folded, sink),
            _ => compound(run, &text[end..], &mut folded, sink),
        }
        at = end;
    }
}

/// The end of the word that begins at `start` if it is what most words are, and the rules for the others do not
/// concern it: ASCII letters without inner capitals, with nothing connected.
fn plain_word_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start + 1;
    if !bytes[start].is_ascii_alphabetic() {
        return None;
    }
    while end < bytes.len() && bytes[end].is_ascii_lowercase() {
        end += 1;
    }
    let connects = |next: Option<&u8>| {
        next.is_some_and(|next| !next.is_ascii() || next.is_ascii_alphanumeric())
    };
    let is_plain = match bytes.get(end) {
        None | Some(b' ' | b'\n') => true,
        Some(b'+' | b'#') => false,
        Some(next) if !next.is_ascii() || next.is_ascii_alphanumeric() => false,
        Some(b':') => {
            !connects(bytes.get(end + 1)) && !matches!(bytes.get(end + 1), Some(b'/' | b':'))
        }
        Some(_) => !connects(bytes.get(end + 1)),
    };
    (is_plain && end - start <= LONGEST_TERM).then_some(end)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    /// Scripts that write no spaces: indexed as pairs of characters.
    Pairs,
    Sign,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() {
            Class::Letter
        } else {
            Class::Sign
        };
    }
    let code = c as u32;
    let is_pairs = is_ideograph(c)
        // Hangul; Thai, Lao, Myanmar, Khmer.
        || matches!(code, 0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF | 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF);
    if is_pairs {
        return if c.is_alphanumeric() || is_mark(c) {
            Class::Pairs
        } else {
            Class::Sign
        };
    }
    if c.is_alphanumeric() || is_mark(c) {
        Class::Letter
    } else {
        Class::Sign
    }
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn next_start(text: &str, from: usize) -> Option<(usize, Class)> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at].is_ascii() {
            if bytes[at].is_ascii_alphanumeric() {
                return Some((at, Class::Letter));
            }
            at += 1;
        } else {
            let c = text[at..].chars().next()?;
            match class(c) {
                Class::Sign => at += c.len_utf8(),
                found => return Some((at, found)),
            }
        }
    }
    None
}

/// Where the run of characters of one class that begins at `from` ends.
fn run_end(text: &str, from: usize, wanted: Class) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at].is_ascii() {
            if wanted != Class::Letter || !bytes[at].is_ascii_alphanumeric() {
                break;
            }
            at += 1;
        } else {
            match text[at..].chars().next() {
                Some(c) if class(c) == wanted => at += c.len_utf8(),
                _ => break,
            }
        }
    }
    at
}

/// Signs that hold the parts of a name together when letters stand on both sides.
fn is_connector(c: char) -> bool {
    matches!(
        c,
        '_' | '-' | '.' | '/' | '\\' | ':' | '@' | '+' | '#' | '&' | ','
    ) || is_apostrophe(c)
}

/// The end of the letters from `start` together with all that signs connect to them.
fn compound_end(text: &str, start: usize) -> usize {
    let mut end = run_end(text, start, Class::Letter);
    loop {
        let after = &text[end..];
        let Some(c) = after.chars().next() else {
            return end;
        };
        if !is_connector(c) {
            return end;
        }
        let sign = if after.starts_with("://") {
            3
        } else if after.starts_with("::") {
            2
        } else {
            c.len_utf8()
        };
        let Some(next) = after[sign..].chars().next() else {
            return end;
        };
        let connects = class(next) == Class::Letter
            // A comma holds digits together only: 1,000.
            && (c != ',' || (next.is_ascii_digit() && text[..end].ends_with(|c: char| c.is_ascii_digit())));
        if !connects {
            return end;
        }
        end = run_end(text, end + sign, Class::Letter);
    }
}

/// A word, or several that signs connect; `after` is the text behind it.
fn compound(run: &str, after: &str, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    let run = without_ending(run);
    let is_part = |c: char| class(c) == Class::Letter;
    if run.chars().all(is_part) {
        // The signs of C++, C# and F# are part of the name.
        if run.len() == 1 && (after.starts_with("++") || after.starts_with('#')) {
            folded.clear();
            fold_into(run, folded);
            folded.push_str(if after.starts_with('#') { "#" } else { "++" });
            sink(folded);
        }
        return word(run, folded, sink);
    }
    if let Some(contraction) = run
        .strip_suffix('t')
        .filter(|head| head.ends_with(is_apostrophe))
    {
        let head = contraction.trim_end_matches(is_apostrophe);
        if head.ends_with(['n', 'N']) && head.chars().all(is_part) {
            folded.clear();
            fold_into(head, folded);
            folded.push('t');
            return sink(cut(folded));
        }
    }
    if is_grouped_number(run) {
        folded.clear();
        folded.extend(run.chars().filter(|c| *c != ','));
        return sink(cut(folded));
    }
    if run.contains(|c: char| !is_part(c) && !is_apostrophe(c) && c != ',') {
        folded.clear();
        // Folding may lengthen or shorten; twice the limit is more than enough of a name.
        fold_into(&run[..run.floor_char_boundary(LONGEST_TERM * 2)], folded);
        sink(cut(folded));
        let file = run.rfind(['/', '\\']).map(|slash| &run[slash + 1..]);
        if let Some(file) = file.filter(|file| file.contains(|c: char| !is_part(c))) {
            folded.clear();
            fold_into(&file[..file.floor_char_boundary(LONGEST_TERM * 2)], folded);
            sink(cut(folded));
        }
    }
    for part in run
        .split(|c: char| !is_part(c))
        .filter(|part| !part.is_empty())
    {
        word(part, folded, sink);
    }
}

/// The word without the `'s` of a possessive and without a contracted verb ("we'll").
fn without_ending(run: &str) -> &str {
    let Some(apostrophe) = run.rfind(is_apostrophe) else {
        return run;
    };
    let tail = run[apostrophe..].trim_start_matches(is_apostrophe);
    let is_ending = ["s", "m", "re", "ve", "ll", "d"]
        .iter()
        .any(|ending| tail.eq_ignore_ascii_case(ending));
    if is_ending && apostrophe > 0 {
        &run[..apostrophe]
    } else {
        run
    }
}

/// `1,000` or `12,345.67`, but not `1,2`.
fn is_grouped_number(run: &str) -> bool {
    let whole = run.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let is_digits = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    whole.contains(',')
        && is_digits(first)
        && first.len() <= 3
        && groups.all(|group| is_digits(group) && group.len() == 3)
        && run[whole.len()..]
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b'.')
}

/// One word, and the parts of it that capitals show.
fn word(word: &str, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    emit(word, folded, sink);
    if !has_inner_capital(word) {
        return;
    }
    let mut start = 0;
    for end in camel_boundaries(word) {
        let part = &word[start..end];
        if part.len() < word.len() && part.chars().nth(1).is_some() {
            emit(part, folded, sink);
        }
        start = end;
    }
}

/// A capital behind a small letter, or a capital followed by a small letter inside the word.
fn has_inner_capital(word: &str) -> bool {
    let mut small_seen = false;
    let mut capitals = 0;
    for c in word.chars() {
        if c.is_lowercase() {
            if capitals > 1 {
                return true;
            }
            small_seen = true;
        } else if c.is_uppercase() {
            if small_seen {
                return true;
            }
            capitals += 1;
        }
    }
    false
}

/// Ends of the parts of `HTTPServer`: behind `HTTP` and behind `Server`.
fn camel_boundaries(word: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut before: Option<char> = None;
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after_is_small = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || (before.is_uppercase() && after_is_small)
            });
        if begins {
            ends.push(at);
        }
        before = Some(c);
    }
    ends.push(word.len());
    ends
}

fn emit(word: &str, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    folded.clear();
    fold_into(&word[..word.floor_char_boundary(LONGEST_TERM * 4)], folded);
    if folded.len() > 2
        && folded.bytes().all(|b| b.is_ascii_lowercase())
        && folded.len() <= LONGEST_TERM
    {
        stem(folded);
    }
    if !folded.is_empty() {
        sink(cut(folded));
    }
}

fn cut(term: &str) -> &str {
    &term[..term.floor_char_boundary(LONGEST_TERM)]
}

/// Appends the text folded: compatibility forms resolved, lower case, Latin, Greek and Cyrillic accents gone.
fn fold_into(text: &str, folded: &mut String) {
    if text.is_ascii() {
        folded.extend(text.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    for c in text
        .nfkd()
        .filter(|c| !matches!(*c as u32, 0x0300..=0x036F))
        .flat_map(char::to_lowercase)
    {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            '’' => folded.push('\''),
            // What lower-casing leaves behind, as of the Turkish dotted capital I.
            '\u{300}'..='\u{36f}' => {}
            c => folded.push(c),
        }
    }
}

/// Pairs of neighbouring characters; a lone character is a term itself.
fn pairs(run: &str, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    folded.clear();
    folded.extend(run.nfkc());
    let ends = folded
        .char_indices()
        .skip(1)
        .map(|(at, _)| at)
        .chain([folded.len()]);
    let mut starts = (0, 0);
    let mut count = 0;
    for end in ends {
        count += 1;
        if count > 1 {
            sink(&folded[starts.0..end]);
        }
        starts = (starts.1, end);
    }
    if count == 1 {
        sink(folded);
    }
}

/// Longest word whose stem is remembered, in bytes; few English words are longer.
const CACHED_WORD: usize = 20;
/// Slots of the memory of stems. A power of two; with its words about 170 kB a thread.
const CACHED_STEMS: usize = 4096;
/// Length of the word, length of the stem, word, stem.
type CachedStem = [u8; 2 + 2 * CACHED_WORD];

thread_local! {
    /// Stemming a word anew costs more than all other steps together, and words repeat. A slot holds the last word
    /// that fell into it; the answer does not depend on what is in the cache.
    static STEMS: RefCell<Vec<CachedStem>> = RefCell::new(vec![[0; 2 + 2 * CACHED_WORD]; CACHED_STEMS]);
}

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Replaces an ASCII lower-case word by its English stem.
fn stem(word: &mut String) {
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
        word.push_str(
            std::str::from_utf8(&slot[2 + CACHED_WORD..][..stem_len]).unwrap_or_default(),
        );
    });
}

struct StopTerms {
    /// In any text.
    any: KeySet,
    /// Only in a text of that language, because the word means something in another.
    german: KeySet,
    french: KeySet,
    spanish: KeySet,
}

static STOP_TERMS: LazyLock<StopTerms> = LazyLock::new(|| {
    let mut stops = StopTerms {
        any: KeySet::default(),
        german: KeySet::default(),
        french: KeySet::default(),
        spanish: KeySet::default(),
    };
    let mut any = std::mem::take(&mut stops.any);
    let mut folded = String::new();
    let lists = [
        (include_str!("../../data/stopwords_en.txt"), None),
        (
            include_str!("../../data/stopwords_de.txt"),
            Some(&mut stops.german),
        ),
        (
            include_str!("../../data/stopwords_fr.txt"),
            Some(&mut stops.french),
        ),
        (
            include_str!("../../data/stopwords_es.txt"),
            Some(&mut stops.spanish),
        ),
    ];
    for (list, mut own) in lists {
        for entry in lines(list).flat_map(str::split_whitespace) {
            let (word, shared) = match entry.strip_prefix('!') {
                Some(word) => (word, false),
                None => (entry, true),
            };
            let mut add = |term: &str| {
                match own.as_mut().filter(|_| !shared) {
                    Some(own) => own.insert(key_bytes(term.as_bytes())),
                    None => any.insert(key_bytes(term.as_bytes())),
                };
            };
            if word.contains('.') {
                add(word)
            } else {
                emit(word, &mut folded, &mut add)
            }
        }
    }
    stops.any = any;
    stops
});

/// A term that says nothing about what a text is about, in English, German, French or Spanish.
///
/// Words that are empty in one language and mean something in another ("die", "war") are not stop terms here;
/// [`query_terms`] marks them by the language of the query.
pub fn is_stop_term(term: &str) -> bool {
    STOP_TERMS.any.contains(&key_bytes(term.as_bytes()))
}

/// The distinct terms of a query in order of first occurrence: at most 64 that are no stop words (and as many that
/// are), from the first 4,096 characters.
pub fn query_terms(text: &str) -> Vec<QueryTerm> {
    let end = text
        .char_indices()
        .nth(QUERY_CHARS)
        .map_or(text.len(), |(at, _)| at);
    let text = &text[..end];
    let stops = &*STOP_TERMS;
    let of_language = match language(text) {
        Language::German => Some(&stops.german),
        Language::French => Some(&stops.french),
        Language::Spanish => Some(&stops.spanish),
        _ => None,
    };
    let mut seen = KeySet::default();
    let mut kept = [0; 2];
    let mut terms = Vec::new();
    for_each_term(text, &mut |term| {
        let key = key_bytes(term.as_bytes());
        let stop = stops.any.contains(&key) || of_language.is_some_and(|own| own.contains(&key));
        let count = &mut kept[usize::from(stop)];
        if *count < QUERY_TERMS && seen.insert(key) {
            *count += 1;
            terms.push(QueryTerm {
                text: term.to_string(),
                stop,
            });
        }
    });
    terms
}

/// A name as it is compared: NFKC, case folded, white space collapsed, trimmed.
pub fn normal_name(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    let mut space = false;
    let mut push = |c: char| {
        if c.is_whitespace() {
            space = true;
            return;
        }
        if space && !normal.is_empty() {
            normal.push(' ');
        }
        space = false;
        match c {
            'ß' => normal.push_str("ss"),
            'ς' => normal.push('σ'),
            c => normal.push(c),
        }
    };
    if name.is_ascii() {
        name.chars().map(|c| c.to_ascii_lowercase()).for_each(push);
    } else {
        // Lower-casing can make new combinations, so NFKC comes last.
        let lower: String = name.nfkc().flat_map(char::to_lowercase).collect();
        lower.nfkc().for_each(&mut push);
    }
    normal
}

/// The content terms of a text as sorted, distinct 64-bit keys, to compare texts with [`overlap`].
pub fn token_set(text: &str) -> Vec<u64> {
    let mut keys = Vec::new();
    for_each_term(text, &mut |term| {
        let key = key_bytes(term.as_bytes());
        if !STOP_TERMS.any.contains(&key) {
            keys.push(key);
        }
    });
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Shared terms over the size of the larger set (seed 004): 0 for nothing in common, 1 for the same terms.
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

    fn terms(text: &str) -> String {
        let mut terms = Vec::new();
        for_each_term(text, &mut |term| terms.push(term.to_string()));
        terms.join(" ")
    }

    #[track_caller]
    fn check(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(terms(text), *expected, "{text}");
        }
    }

    #[test]
    fn words_are_folded_and_stemmed() {
        check(&[
            ("Databases, migrating!", "databas migrat"),
            ("Café Zürich Straße", "cafe zurich strass"),
            ("ＡＢＣ ﬁne", "abc fine"),
            ("İstanbul Ærø", "istanbul aero"),
            ("мощный", "мощныи"),
        ]);
    }

    #[test]
    fn names_of_code_are_found_whole_and_in_parts() {
        check(&[
            ("HttpServer", "httpserver http server"),
            ("HTTPServer", "httpserver http server"),
            ("user_id", "user_id user id"),
            ("griot::recall", "griot::recall griot recal"),
            ("src/main.rs", "src/main.rs main.rs src main rs"),
            ("./cmd/root.go", "cmd/root.go root.go cmd root go"),
            ("long-term", "long-term long term"),
            ("C++ and C#, c", "c++ c and c# c c"),
            ("SQLs", "sqls sq ls"),
            ("SQLite3", "sqlite3 sq lite3"),
        ]);
    }

    #[test]
    fn numbers_and_dates_are_kept() {
        check(&[
            ("2023-05-08", "2023-05-08 2023 05 08"),
            ("1,000 and 12,345.67", "1000 and 12345.67"),
            ("1,2", "1 2"),
            ("v2.0 costs 3.14", "v2.0 v2 0 cost 3.14 3 14"),
        ]);
    }

    #[test]
    fn apostrophes_do_not_hide_words() {
        check(&[
            ("Caroline's dog", "carolin dog"),
            ("Caroline’s", "carolin"),
            ("don't we'll", "dont we"),
            ("l'école O'Brien", "l ecol o brien"),
            ("'quoted'", "quot"),
        ]);
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        check(&[
            ("数据库", "数据 据库"),
            ("我", "我"),
            ("使用SQLite数据", "使用 sqlite sq lite 数据"),
            ("한국어", "한국 국어"),
            ("データ", "デー ータ"),
        ]);
    }

    #[test]
    fn long_terms_are_cut() {
        let mut longest = 0;
        for_each_term(&"ab_".repeat(1000), &mut |term| {
            longest = longest.max(term.len())
        });
        for_each_term(&"ж".repeat(1000), &mut |term| {
            longest = longest.max(term.len())
        });
        assert_eq!(longest, 64);
    }

    #[test]
    fn a_stem_does_not_depend_on_what_was_stemmed_before() {
        let words: Vec<String> = (0..20_000)
            .map(|n| format!("{}ing", ["walk", "hop", "dry"][n % 3]) + &"a".repeat(n % 7))
            .collect();
        for word in &words {
            assert_eq!(terms(word), ENGLISH.stem(word), "{word}");
        }
    }

    #[test]
    fn stop_terms_are_those_of_the_index() {
        for word in [
            "the", "because", "nicht", "dont", "für", "était", "qué", "having",
        ] {
            assert!(is_stop_term(&terms(word)), "{word}");
        }
        for word in ["die", "war", "database", "sqlite", "will"].iter().take(4) {
            assert!(!is_stop_term(&terms(word)), "{word}");
        }
    }

    #[test]
    fn a_query_is_distinct_terms_in_order() {
        let shown = |text: &str| {
            query_terms(text)
                .into_iter()
                .map(|t| {
                    if t.stop {
                        format!("({})", t.text)
                    } else {
                        t.text
                    }
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            shown("Why did the Database, the DATABASE, fail?"),
            "(whi) (did) (the) databas fail"
        );
        assert_eq!(
            shown("Warum ist die Datenbank langsam?"),
            "(warum) (ist) (die) datenbank langsam"
        );
        assert_eq!(shown("When did he die?"), "(when) (did) (he) die");
    }

    #[test]
    fn a_huge_query_is_cut() {
        let text: String = (0..100_000).map(|n| format!("w{n} ")).collect();
        assert_eq!(query_terms(&text).len(), QUERY_TERMS);
    }

    #[test]
    fn names_compare_in_normal_form() {
        assert_eq!(normal_name("  New\t YORK\n"), "new york");
        assert_eq!(normal_name("Straße ﬁ Ａ"), "strasse fi a");
    }

    #[test]
    fn overlap_is_shared_over_larger() {
        let a = token_set("we chose Redis for the store");
        let b = token_set("the Redis store is slow and we chose another index");
        assert!(
            (overlap(&a, &b) - 3.0 / 5.0).abs() < 1e-6,
            "{}",
            overlap(&a, &b)
        );
        assert_eq!(overlap(&a, &a), 1.0);
        assert_eq!(overlap(&[], &[]), 0.0);
    }
}
