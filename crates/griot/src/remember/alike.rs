//! Whether two names may refer to the same thing.
//!
//! The cosine of two names is high where they share most of their words, and the words that differ are often
//! the point: `Galaxy S` and `Galaxy S9`, `Upper Ammonoosuc River` and `Ammonoosuc River`. Of 9,308 pairs of
//! names of one type in one text, 78 % of those with a cosine of 0.92 or more named the same thing; from 0.88
//! to 0.92 it was 58 %: too few to merge without asking. So the cosine selects candidates, and the spelling
//! decides:
//!
//! - names that differ only in accents, punctuation, spaces and case are **sure**;
//! - names with different numbers are **not alike**;
//! - names of some length that differ in one character are a **slip**, whatever the cosine;
//! - names with unrelated words on both sides are **not alike**;
//! - the rest is left to a person.

use unicode_normalization::UnicodeNormalization;

use crate::graph::distinct;
use crate::model::EntityType;

/// Cosine from which two names are suggested as the same thing.
pub const LEAST_COSINE: f32 = 0.88;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameMatch {
    /// May be merged without asking.
    Sure,
    /// They differ in one character. A person should decide.
    Slip,
    /// A person should decide.
    Maybe,
}

/// Compares two names of one type; `cosine` is that of their vectors. `None` for names that are not alike.
pub fn alike(a: &str, b: &str, cosine: f32) -> Option<NameMatch> {
    let (one, other) = (words(a), words(b));
    if one.is_empty() || other.is_empty() || numbers(&one) != numbers(&other) {
        return None;
    }
    if one.concat() == other.concat() {
        return Some(NameMatch::Sure);
    }
    if cosine >= LEAST_COSINE && differences_are_related(&one, &other) {
        return Some(NameMatch::Maybe);
    }
    is_slip(&one, &other).then_some(NameMatch::Slip)
}

/// Characters of a name from which on a single other character is a slip, and not another name.
const LEAST_CHARACTERS: usize = 6;

/// Whether two names differ in one character: left out, put in, replaced, or swapped with the next.
fn is_slip(one: &[String], other: &[String]) -> bool {
    let length = |words: &[String]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    let (short, long) = (length(one).min(length(other)), length(one).max(length(other)));
    // Nearly all pairs end here: to count the differences takes the product of both lengths.
    short >= LEAST_CHARACTERS
        && long - short <= 1
        && strsim::osa_distance(&one.concat(), &other.concat()) == 1
}

/// Whether names of this type are words that are written in several ways. Names of code, paths, addresses and
/// dates are exact.
pub fn is_written_freely(kind: EntityType) -> bool {
    use EntityType::{Date, External, File, Function, Module, Type};
    !matches!(kind, File | Module | Function | Type | External | Date)
}

/// Whether a name is an address or a path, of whatever type.
pub fn is_exact(name: &str) -> bool {
    name.contains("://")
        || name.contains('/')
        || name.contains('\\')
        || name.contains("::")
        || name.starts_with('@')
}

/// Alike names share one of these: the first four characters of a word or of the whole name.
pub fn beginnings(name: &str) -> Vec<String> {
    let words = words(name);
    let all = [words.concat()].into_iter().chain(words).filter(|word| !word.is_empty());
    distinct(all.map(|word| word.chars().take(4).collect()).collect())
}

/// How a name is written, prepared to be compared with many others.
pub struct Spelling {
    words: Vec<String>,
    initials: Option<String>,
}

impl Spelling {
    pub fn of(name: &str) -> Self {
        Self { words: words(name), initials: initials(name) }
    }

    /// How likely two names are the same thing, 0 to 1, as far as their spelling and the cosine of their
    /// vectors show: the order in which a judge is asked about them, and nothing that merges. 0 for names
    /// with different numbers.
    pub fn likelihood(&self, other: &Self, cosine: f32) -> f32 {
        if self.words.is_empty() || other.words.is_empty() || numbers(&self.words) != numbers(&other.words) {
            return 0.0;
        }
        let (short, long) = if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        let common = short.words.iter().filter(|word| long.words.contains(word)).count();
        let count = short.words.len();
        let contained = if common == count { 0.95 } else { 0.6 * common as f32 / count as f32 };
        let is_short_for = |one: &Self, all: &Self| all.initials.as_ref() == Some(&one.words.concat());
        let spelled = match () {
            () if is_short_for(self, other) || is_short_for(other, self) => 0.9,
            () if differences_are_related(&self.words, &other.words) => 0.85,
            () => 0.0,
        };
        cosine.max(contained).max(spelled)
    }
}

/// The initials of a name of several words with capitals (`North Harbour Company`: `nhc`).
pub fn initials(name: &str) -> Option<String> {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let letters = words.filter_map(|word| word.chars().next()).filter(|letter| letter.is_uppercase());
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    (letters.chars().count() > 1).then_some(letters)
}

/// Alphabetic runs and numbers in lower case, without accents. A number next to a word is a separate word.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last: Option<bool> = None;
    for c in name.nfkd().flat_map(char::to_lowercase).nfkd() {
        if unicode_normalization::char::is_combining_mark(c) {
            continue;
        }
        if !c.is_alphanumeric() {
            // Signs that distinguish names: C, C++ and C#; `ASEAN` and `ASEAN+3`.
            if matches!(c, '+' | '#') {
                words.push(c.to_string());
            }
            last = None;
            continue;
        }
        let is_number = c.is_numeric();
        match words.last_mut() {
            Some(word) if last == Some(is_number) => word.push(c),
            _ => words.push(c.to_string()),
        }
        last = Some(is_number);
    }
    words
}

/// The words that must be equal: digits, Roman numerals, ordinals, signs.
fn numbers(words: &[String]) -> Vec<&str> {
    const COUNTING: [&str; 24] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "first", "second",
        "third", "fourth", "fifth", "ii", "iii", "iv", "vi", "vii", "viii", "ix", "jr", "sr",
    ];
    let is_number = |word: &&str| {
        word.starts_with(char::is_numeric)
            || COUNTING.contains(word)
            || matches!(*word, "+" | "#" | "i" | "v" | "x")
    };
    let mut numbers: Vec<&str> = words.iter().map(String::as_str).filter(is_number).collect();
    numbers.sort_unstable();
    numbers
}

/// Whether the words that only one side has are forms of one another (`Senegal`, `Senegalese`), or only one
/// side has any.
fn differences_are_related(one: &[String], other: &[String]) -> bool {
    let only = |of: &[String], not_in: &[String]| -> Vec<String> {
        of.iter().filter(|word| !not_in.contains(word) && word.chars().count() > 2).cloned().collect()
    };
    let (mine, theirs) = (only(one, other), only(other, one));
    if mine.is_empty() || theirs.is_empty() {
        return true;
    }
    let begins_alike = |a: &str, b: &str| {
        let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
        common >= 4 && common * 2 >= a.chars().count().min(b.chars().count())
    };
    let has_form = |words: &[String], among: &[String]| {
        words.iter().all(|word| among.iter().any(|other| begins_alike(word, other)))
    };
    has_form(&mine, &theirs) && has_form(&theirs, &mine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    #[test]
    fn names_are_alike_by_their_words() {
        check(include_str!("../../tests/cases/names.tsv"), |names| {
            let (a, b) = names.split_once(" | ").expect("two names");
            let found = alike(a, b, 0.95);
            assert_eq!(alike(b, a, 0.95), found, "{names}");
            found.map_or("none".to_string(), |found| format!("{found:?}").to_lowercase())
        });
        let sure = alike("Durán", "Duran", 0.1);
        assert_eq!(sure, Some(NameMatch::Sure), "the embedder need not know them");
        assert_eq!(alike("Killers", "The Killers", 0.87), None);
    }

    #[test]
    fn what_a_judge_is_asked_first_is_likeliest() {
        let likely = |a: &str, b: &str, cosine| Spelling::of(a).likelihood(&Spelling::of(b), cosine);
        for (a, b, least) in [
            ("Alger", "Ross Patterson Alger", 0.9),
            ("NHC", "North Harbour Company", 0.85),
            ("Senegal", "Senegalese", 0.8),
        ] {
            assert!(likely(a, b, 0.0) >= least && likely(b, a, 0.0) >= least, "{a}, {b}");
        }
        assert_eq!(likely("Galaxy S8", "Galaxy S9", 0.99), 0.0);
        assert!(likely("Ada Quell", "Bert Quell", 0.2) < 0.5);
    }

    #[test]
    fn exact_names_are_left_alone() {
        for name in ["https://a.b", "src/main.rs", "std::fs", "@ada"] {
            assert!(is_exact(name), "{name}");
        }
        assert!(!is_exact("Ada Lovelace"));
        assert!(is_written_freely(EntityType::Person) && !is_written_freely(EntityType::Date));
    }
}
