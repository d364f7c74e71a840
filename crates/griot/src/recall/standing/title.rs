//! What the titles of two documents say of each other.
//!
//! "Emergency plan 2023" and "Emergency plan 2026" are editions of one document: their titles differ in a
//! year alone, which says which one is later where neither has a date. It does not say that what the
//! earlier one states is over: the reports of two years both stay true. Documents that do not mention what
//! the other one is about, such as "Café" and "Depot", speak of two things: of the rent of each.

use crate::model::Timestamp;
use crate::text;

/// The title of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Title {
    /// Its words but for the year.
    words: Vec<String>,
    /// The only year in it.
    year: Option<i16>,
    /// Keys of its content terms ([`text::term_key`]).
    terms: Vec<u64>,
}

impl Title {
    pub fn new(title: &str) -> Self {
        let title = title.replace('_', " ");
        let year = match text::years_in(&title).as_slice() {
            [year] => Some(*year),
            _ => None,
        };
        let digits = year.map(|year| year.to_string()).unwrap_or_default();
        let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.filter(|word| *word != digits).map(str::to_lowercase).collect();
        let is_word = |term: &String| !term.bytes().all(|byte| byte.is_ascii_digit());
        let terms = text::content_terms(&title).into_iter().filter(is_word);
        Self { words, year, terms: terms.map(|term| text::term_key(&term)).collect() }
    }

    /// Whether both are editions of one document, of different years.
    pub fn is_other_edition_of(&self, other: &Self) -> bool {
        let years = self.year.zip(other.year).is_some_and(|(own, other)| own != other);
        years && !self.words.is_empty() && self.words == other.words
    }

    /// The first day of its year.
    pub fn begins(&self) -> Option<Timestamp> {
        Timestamp::from_day(self.year?, 1, 1)
    }

    /// Whether it has a word in common with another one, or with a text that has these terms.
    pub fn meets(&self, other: &Self, text: &[u64]) -> bool {
        self.terms.iter().any(|term| other.terms.contains(term) || text.contains(term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_differ_in_the_year_are_of_editions() {
        let are = |one: &str, other: &str| Title::new(one).is_other_edition_of(&Title::new(other));
        assert!(are("Emergency plan 2023", "Emergency Plan (2026)"));
        assert!(are("gear_inventory_2024", "gear_inventory_2025") && are("besuch-2023", "besuch-2025"));
        for (one, other) in [
            ("Emergency plan 2023", "Emergency plan 2023"),
            ("Emergency plan 2023", "Hygiene plan 2026"),
            ("Minutes March 2025", "Minutes April 2026"),
            ("2023", "2026"),
            ("Budget 2025-2027", "Budget 2028"),
            ("Emergency plan", "Emergency plan 2026"),
        ] {
            assert!(!are(one, other), "{one}, {other}");
        }
        assert_eq!(Title::new("Fees 2024").begins(), Timestamp::from_day(2024, 1, 1));
    }

    #[test]
    fn a_title_meets_what_mentions_it() {
        let terms = |text: &str| -> Vec<u64> {
            text::content_terms(text).iter().map(|term| text::term_key(term)).collect()
        };
        let (cafe, depot) = (Title::new("Café"), Title::new("Depot"));
        assert!(!cafe.meets(&depot, &terms("The rent is 1,240 euros a month.")));
        assert!(cafe.meets(&depot, &terms("The rent of the café is 900 euros.")));
        assert!(cafe.meets(&Title::new("Café in the yard"), &[]));
    }
}
