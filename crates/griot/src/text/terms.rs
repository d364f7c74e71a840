//! Splits a text into the terms by which it is found.
//!
//! Text and question go through the same rules, so that equal words give equal terms: terms are folded (NFKD,
//! lower case, no accents), words stemmed, compound names emitted whole and in parts, Chinese, Japanese,
//! Korean and Thai emitted as pairs of characters. A German, French or Spanish text has the stems of its
//! language beside the English ones, which every text has; a question in one of these languages asks by its
//! own stems, any other by the English ones. Stop words are emitted too; the caller leaves them out with
//! [`is_stop_term`](super::is_stop_term).

use rust_stemmers::Stemmer;
use unicode_normalization::UnicodeNormalization;

use super::fold::fold_into;
use super::language::{Language, language};
use super::stem::{stem, stemmer_of};
use super::words::{is_apostrophe, is_ideograph};

/// Bytes. Longer terms (addresses, hashes, encoded data) are cut, because people do not type them in full.
const LONGEST_TERM: usize = 64;
/// Passes every term of the text to `sink`, in order and as often as it occurs.
///
/// `HttpServer` yields `httpserver`, `http`, `server`; `src/main.rs` the whole, `main.rs` and the parts;
/// `2023-05-08` the whole and `2023`, `05`, `08`; `数据库` yields `数据`, `据库`.
pub fn for_each_term(text: &str, sink: &mut dyn FnMut(&str)) {
    terms_in(text, Stems { own: stemmer_of(language(text)), english: true }, sink);
}

/// The terms by which a question in this language asks: each word has one stem.
pub(super) fn for_each_asked_term(text: &str, asked: Language, sink: &mut dyn FnMut(&str)) {
    let own = stemmer_of(asked);
    terms_in(text, Stems { own, english: own.is_none() }, sink);
}

/// The terms with English stems alone, to compare two texts of any language.
pub(super) fn for_each_english_term(text: &str, sink: &mut dyn FnMut(&str)) {
    terms_in(text, Stems::ENGLISH, sink);
}

/// The stems that a word gives.
#[derive(Clone, Copy)]
pub(super) struct Stems {
    pub own: Option<&'static Stemmer>,
    pub english: bool,
}

impl Stems {
    pub(super) const ENGLISH: Self = Self { own: None, english: true };
}

fn terms_in(text: &str, stems: Stems, sink: &mut dyn FnMut(&str)) {
    let mut folded = String::with_capacity(LONGEST_TERM * 2);
    let mut at = 0;
    while let Some((start, class)) = next_start(text, at) {
        if let Some(end) = plain_word_end(text.as_bytes(), start) {
            emit(&text[start..end], stems, &mut folded, sink);
            at = end;
            continue;
        }
        let end = match class {
            Class::Pairs => run_end(text, start, Class::Pairs),
            _ => compound_end(text, start),
        };
        match class {
            Class::Pairs => pairs(&text[start..end], &mut folded, sink),
            _ => compound(&text[start..end], &text[end..], stems, &mut folded, sink),
        }
        at = end;
    }
}

/// The end of the word that begins at `start` if it is a plain one, as most are: ASCII letters without inner
/// capitals, with nothing connected. The rules for compounds do not concern it.
fn plain_word_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start + 1;
    if !bytes[start].is_ascii_alphabetic() {
        return None;
    }
    while end < bytes.len() && bytes[end].is_ascii_lowercase() {
        end += 1;
    }
    let connects =
        |next: Option<&u8>| next.is_some_and(|next| !next.is_ascii() || next.is_ascii_alphanumeric());
    let is_plain = match bytes.get(end) {
        None | Some(b' ' | b'\n') => true,
        Some(b'+' | b'#') => false,
        Some(next) if !next.is_ascii() || next.is_ascii_alphanumeric() => false,
        Some(b':') => !connects(bytes.get(end + 1)) && !matches!(bytes.get(end + 1), Some(b'/' | b':')),
        Some(_) => !connects(bytes.get(end + 1)),
    };
    (is_plain && end - start <= LONGEST_TERM).then_some(end)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    /// Scripts without spaces: indexed as pairs of characters.
    Pairs,
    Sign,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Class::Letter } else { Class::Sign };
    }
    let is_hangul = matches!(c as u32, 0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF);
    if is_hangul || is_unspaced(c) {
        return if c.is_alphanumeric() || is_mark(c) { Class::Pairs } else { Class::Sign };
    }
    if c.is_alphanumeric() || is_mark(c) { Class::Letter } else { Class::Sign }
}

/// Whether the script of a character puts no spaces between words: Han and kana; Thai, Lao, Myanmar, Khmer.
pub(crate) fn is_unspaced(c: char) -> bool {
    is_ideograph(c) || matches!(c as u32, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF)
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

/// The end of the run of characters of one class that begins at `from`.
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

/// Whether a character joins the parts of a name when letters are on both sides of it.
fn is_connector(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '/' | '\\' | ':' | '@' | '+' | '#' | '&' | ',') || is_apostrophe(c)
}

/// The end of the letters from `start`, including all parts that connectors join to them.
fn compound_end(text: &str, start: usize) -> usize {
    let mut end = run_end(text, start, Class::Letter);
    loop {
        let after = &text[end..];
        let Some(c) = after.chars().next() else { return end };
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
        let Some(next) = after[sign..].chars().next() else { return end };
        // A comma joins digits only: 1,000.
        let connects = class(next) == Class::Letter
            && (c != ',' || (next.is_ascii_digit() && text[..end].ends_with(|c: char| c.is_ascii_digit())));
        if !connects {
            return end;
        }
        end = run_end(text, end + sign, Class::Letter);
    }
}

/// Emits a word, or several that connectors join; `after` is the text that follows.
fn compound(run: &str, after: &str, stems: Stems, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    let run = without_ending(run);
    let is_part = |c: char| class(c) == Class::Letter;
    if run.chars().all(is_part) {
        // The signs of C++, C# and F# belong to the name.
        if run.len() == 1 && (after.starts_with("++") || after.starts_with('#')) {
            folded.clear();
            fold_into(run, folded);
            folded.push_str(if after.starts_with('#') { "#" } else { "++" });
            sink(folded);
        }
        return word(run, stems, folded, sink);
    }
    if let Some(contraction) = run.strip_suffix('t').filter(|head| head.ends_with(is_apostrophe)) {
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
        // Folding may lengthen or shorten the text; twice the limit is enough of any name.
        fold_into(&run[..run.floor_char_boundary(LONGEST_TERM * 2)], folded);
        sink(cut(folded));
        let file = run.rfind(['/', '\\']).map(|slash| &run[slash + 1..]);
        if let Some(file) = file.filter(|file| file.contains(|c: char| !is_part(c))) {
            folded.clear();
            fold_into(&file[..file.floor_char_boundary(LONGEST_TERM * 2)], folded);
            sink(cut(folded));
        }
    }
    for part in run.split(|c: char| !is_part(c)).filter(|part| !part.is_empty()) {
        word(part, stems, folded, sink);
    }
}

/// The word without the `'s` of a possessive and without a contracted verb ("we'll").
fn without_ending(run: &str) -> &str {
    let Some(apostrophe) = run.rfind(is_apostrophe) else { return run };
    let tail = run[apostrophe..].trim_start_matches(is_apostrophe);
    let is_ending = ["s", "m", "re", "ve", "ll", "d"].iter().any(|ending| tail.eq_ignore_ascii_case(ending));
    if is_ending && apostrophe > 0 { &run[..apostrophe] } else { run }
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
        && run[whole.len()..].bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Emits one word, and the parts at its inner capitals.
fn word(word: &str, stems: Stems, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    emit(word, stems, folded, sink);
    if !has_inner_capital(word) {
        return;
    }
    let mut start = 0;
    for end in camel_boundaries(word) {
        let part = &word[start..end];
        if part.len() < word.len() && part.chars().nth(1).is_some() {
            emit(part, stems, folded, sink);
        }
        start = end;
    }
}

/// Whether a capital follows a lower-case letter, or a lower-case letter follows several capitals.
pub(super) fn has_inner_capital(word: &str) -> bool {
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

/// The ends of the parts of a word: in `HTTPServer` after `HTTP` and after `Server`.
fn camel_boundaries(word: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut before: Option<char> = None;
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after_is_small = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        let begins = c.is_uppercase()
            && before
                .is_some_and(|before| !before.is_uppercase() || (before.is_uppercase() && after_is_small));
        if begins {
            ends.push(at);
        }
        before = Some(c);
    }
    ends.push(word.len());
    ends
}

/// Emits the stems of one word. A word of two letters, with a digit, or of another script is its own stem.
pub(super) fn emit(word: &str, stems: Stems, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    let word = &word[..word.floor_char_boundary(LONGEST_TERM * 4)];
    folded.clear();
    fold_into(word, folded);
    let is_word =
        (3..=LONGEST_TERM).contains(&folded.len()) && folded.bytes().all(|b| b.is_ascii_lowercase());
    if !is_word {
        if !folded.is_empty() {
            sink(cut(folded));
        }
        return;
    }
    let own = stems.own.map(|stemmer| {
        // The stemmers know the accents of their language.
        let mut own = String::with_capacity(folded.len());
        fold_into(&stemmer.stem(&word.to_lowercase()), &mut own);
        own
    });
    if stems.english || own.as_ref().is_none_or(String::is_empty) {
        stem(folded);
        sink(cut(folded));
    }
    if let Some(own) = own.filter(|own| !own.is_empty() && (!stems.english || own != folded)) {
        sink(cut(&own));
    }
}

fn cut(term: &str) -> &str {
    &term[..term.floor_char_boundary(LONGEST_TERM)]
}

/// Emits pairs of neighbouring characters; a single character is a term itself.
fn pairs(run: &str, folded: &mut String, sink: &mut dyn FnMut(&str)) {
    folded.clear();
    folded.extend(run.nfkc());
    let ends = folded.char_indices().skip(1).map(|(at, _)| at).chain([folded.len()]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;
    use crate::text::query::QUERY_TERMS;
    use crate::text::stem::ENGLISH;
    use crate::text::{
        content_words, covered, is_stop_term, normal_name, overlap, query_terms, token_set, word_set,
    };

    fn terms(text: &str) -> String {
        let mut terms = Vec::new();
        for_each_term(text, &mut |term| terms.push(term.to_string()));
        terms.join(" ")
    }

    #[test]
    fn texts_are_split_into_terms() {
        check(include_str!("../../tests/cases/terms.tsv"), terms);
    }

    #[test]
    fn long_terms_are_cut() {
        let mut longest = 0;
        for_each_term(&"ab_".repeat(1000), &mut |term| longest = longest.max(term.len()));
        for_each_term(&"ж".repeat(1000), &mut |term| longest = longest.max(term.len()));
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
        for word in ["the", "because", "nicht", "dont", "für", "était", "qué", "having"] {
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
                .map(|t| if t.stop { format!("({})", t.text) } else { t.text })
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown("Why did the Database, the DATABASE, fail?"), "(whi) (did) (the) databas fail");
        assert_eq!(shown("Warum ist die Datenbank langsam?"), "(warum) (ist) (die) datenbank langsam");
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
    fn german_articles_are_not_content() {
        let (one, other) = (
            token_set("Die Leitung war kalt und die Heizung auch"),
            token_set("Die Tür war offen, wir haben die Katze gesucht"),
        );
        assert_eq!(overlap(&one, &other), 0.0);
        assert_eq!(token_set("they will die in the war").len(), 2);
    }

    #[test]
    fn a_word_is_covered_by_its_compounds_and_forms() {
        let covers = |part: &str, whole: &str| covered(&content_words(part), &content_words(whole));
        assert_eq!(covers("Fenster", "die Holzfenster kommen später"), 1.0);
        assert_eq!(covers("the window and a door", "new windows"), 0.5);
        assert_eq!(covers("cat", "category"), 0.0);
        assert_eq!(covers("", "anything"), 0.0);
    }

    #[test]
    fn overlap_is_shared_over_larger() {
        let a = token_set("we chose Redis for the store");
        let b = token_set("the Redis store is slow and we chose another index");
        assert!((overlap(&a, &b) - 3.0 / 5.0).abs() < 1e-6, "{}", overlap(&a, &b));
        assert_eq!(overlap(&a, &a), 1.0);
        assert_eq!(overlap(&[], &[]), 0.0);
    }

    #[test]
    fn unstemmed_words_show_near_repetitions() {
        let same = |a: &str, b: &str| overlap(&word_set(a), &word_set(b));
        assert_eq!(same("The cache was cold, and slow.", "cache cold slow was the"), 1.0);
        assert!(same("the deploy of the api failed at 10", "the deploy of the api failed at 11") < 0.9);
        assert_eq!(same("缓存很慢", "缓存很慢。"), 1.0);
        assert_eq!(same("缓存很慢", "缓存很快"), 0.75);
    }
}
