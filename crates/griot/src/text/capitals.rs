//! Reads the capitals of a text: where sentences begin, which words form a run of capitals, and whether
//! capitals mean anything in this language and this text.

use std::cell::OnceCell;

use super::calendar::{digits, is_calendar_name, year};
use super::language::{Language, language_of};
use super::name_words::{ROLES, role};
use super::sentence::is_abbreviation;
use super::words::{Gap, KeyMap, Word};

/// The word occurs inside a sentence with a capital.
pub(super) const CAPITAL_ELSEWHERE: u8 = 1;
/// The word occurs without a capital.
pub(super) const SMALL_ELSEWHERE: u8 = 2;
pub(super) struct Capitals<'t> {
    pub(super) text: &'t str,
    pub(super) words: &'t [Word],
    roles: Vec<u32>,
    pub(super) language: Language,
    /// Most words are in upper case, so capitals mean nothing.
    pub(super) shouting: bool,
    /// Nearly every long word has a capital, so capitals mean nothing.
    pub(super) title_case: bool,
    /// For each word, [`CAPITAL_ELSEWHERE`] and [`SMALL_ELSEWHERE`] as bits.
    elsewhere: OnceCell<KeyMap<u8>>,
}

impl<'t> Capitals<'t> {
    pub(super) fn of(text: &'t str, words: &'t [Word]) -> Self {
        let table = &*ROLES;
        let roles = words.iter().map(|word| table.get(&word.key).copied().unwrap_or(0)).collect();
        let letters = words.iter().filter(|word| (word.lower || word.upper) && word.end - word.start > 1);
        let (mut all, mut caps, mut long, mut first) = (0, 0, 0, 0);
        for word in letters {
            all += 1;
            caps += usize::from(word.is_caps());
            // Short words stay in lower case in titles too.
            if word.end - word.start > 4 {
                long += 1;
                first += usize::from(word.upper);
            }
        }
        Self {
            text,
            words,
            roles,
            language: language_of(text, words),
            shouting: all >= 4 && caps * 2 > all,
            title_case: long >= 5 && first * 10 > long * 9,
            elsewhere: OnceCell::new(),
        }
    }

    /// Whether grammar demands a capital: at the start of a sentence, line or quotation, or after a colon.
    pub(super) fn starts_sentence(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        match word.gap {
            Gap::Start | Gap::Break | Gap::Colon => true,
            Gap::Dot => at == 0 || !is_abbreviation(self.words[at - 1].text(self.text)),
            Gap::Bracket | Gap::Other => {
                at == 0
                    || self.text[self.words[at - 1].end..word.start]
                        .contains(['"', '“', '”', '„', '«', '»', '*', '‘'])
            }
            _ => at == 0,
        }
    }

    /// Whether it is a function word, or one that often begins a sentence.
    pub(super) fn is_everyday(&self, word: &Word) -> bool {
        ROLES.get(&word.key).is_some_and(|roles| roles & (role::FUNCTION | role::STARTER) != 0)
    }

    pub(super) fn has(&self, at: usize, role: u32) -> bool {
        self.roles.get(at).is_some_and(|roles| roles & role != 0)
    }

    pub(super) fn is_function(&self, at: usize) -> bool {
        let own = match self.language {
            Language::German => role::GERMAN,
            Language::French => role::FRENCH,
            Language::Spanish => role::SPANISH,
            _ => 0,
        };
        self.has(at, role::FUNCTION | own)
    }

    /// Whether the word may be part of a name.
    pub(super) fn is_namelike(&self, at: usize) -> bool {
        self.words
            .get(at)
            .is_some_and(|word| word.upper && !is_calendar_name(word) && word.text(self.text) != "I")
    }

    pub(super) fn elsewhere(&self, at: usize) -> u8 {
        let seen = self.elsewhere.get_or_init(|| {
            let mut seen: KeyMap<u8> = KeyMap::default();
            for (at, word) in self.words.iter().enumerate() {
                if !word.upper && word.lower {
                    *seen.entry(word.key).or_default() |= SMALL_ELSEWHERE;
                } else if word.upper && !self.starts_sentence(at) {
                    *seen.entry(word.key).or_default() |= CAPITAL_ELSEWHERE;
                }
            }
            seen
        });
        self.words.get(at).and_then(|word| seen.get(&word.key)).copied().unwrap_or(0)
    }

    /// Whether the number after the word belongs to the name: "Apollo 11".
    pub(super) fn is_numbered(&self, last: usize) -> bool {
        let Some(number) = self.words.get(last + 1).filter(|word| word.gap == Gap::Space) else {
            return false;
        };
        let is_number = digits(number.text(self.text)).is_some_and(|number| number < 1000);
        // "Paris 300 people": the number counts what follows.
        let counts = self.words.get(last + 2).is_some_and(|next| match next.gap {
            Gap::Space | Gap::Line => !self.is_function(last + 2),
            Gap::DotJoined | Gap::Hyphen | Gap::Other | Gap::Apostrophe | Gap::Joined => true,
            Gap::Comma => next.digit,
            _ => false,
        });
        is_number && !counts && !self.text[number.end..].starts_with('%')
    }

    /// "the 2008 Summer Games".
    pub(super) fn is_of_a_year(&self, first: usize) -> bool {
        first >= 2
            && self.words[first].gap == Gap::Space
            && year(self.words[first - 1].text(self.text)).is_some()
            && self.words[first - 1].gap == Gap::Space
            && self.words[first - 2].text(self.text).eq_ignore_ascii_case("the")
    }

    pub(super) fn is_link(&self, at: usize, behind_office: bool) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        let is_foreign = self.language != Language::German || (at > 0 && self.has(at - 1, role::LINK));
        !word.upper
            && (self.has(at, role::LINK)
                || (is_foreign && self.has(at, role::LINK_FOREIGN))
                || (behind_office && self.has(at, role::LINK_OFFICE)))
    }

    /// The last word of the run of capitals that begins at `first`.
    pub(super) fn run_end(&self, first: usize) -> usize {
        let mut last = first;
        let mut office = false;
        loop {
            office |= self.has(last, role::ORG_FIRST | role::ORG_ANY);
            let next = last + 1;
            let Some(word) = self.words.get(next) else { return last };
            let own = self.words[last].text(self.text);
            let joins = match word.gap {
                Gap::Space | Gap::Line | Gap::Ampersand | Gap::Hyphen => true,
                Gap::Apostrophe => own.chars().count() <= 2,
                Gap::Dot => is_abbreviation(own),
                Gap::DotJoined => own.chars().count() == 1,
                Gap::Comma => matches!(word.text(self.text), "Inc" | "Ltd" | "LLC" | "Jr" | "Sr"),
                _ => false,
            };
            if joins && self.is_namelike(next) {
                last = next;
                continue;
            }
            if !matches!(word.gap, Gap::Space | Gap::Line | Gap::Hyphen) {
                return last;
            }
            let mut after = next;
            while after < next + 3
                && self.is_link(after, office)
                && matches!(self.words[after].gap, Gap::Space | Gap::Hyphen)
            {
                after += 1;
            }
            // "Brent of Mastodon": a person and where they belong.
            let is_person_of =
                last > first && self.has(first, role::GIVEN) && self.words[next].text(self.text) == "of";
            let spaced = self
                .words
                .get(after)
                .is_some_and(|word| matches!(word.gap, Gap::Space | Gap::Apostrophe | Gap::Hyphen));
            if after == next || is_person_of || !spaced || !self.is_namelike(after) || self.is_function(after)
            {
                return last;
            }
            office |= self.words[next].text(self.text) == "of"
                && self.has(last, role::ORG_LAST | role::ORG_ANY | role::ORG_FIRST);
            last = after;
        }
    }
}
