//! Reads the capitals of a text: where sentences begin, which words form a run of capitals, and whether
//! capitals mean anything in this language and this text.

use std::cell::OnceCell;

use super::calendar::{digits, is_calendar_name, year};
use super::german;
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
    roles: Vec<u64>,
    pub(super) language: Language,
    /// Most words are in upper case, so capitals mean nothing.
    pub(super) shouting: bool,
    /// Nearly every long word has a capital, so capitals mean nothing.
    pub(super) title_case: bool,
    /// For each word, [`CAPITAL_ELSEWHERE`] and [`SMALL_ELSEWHERE`] as bits.
    elsewhere: OnceCell<KeyMap<u8>>,
    bare: OnceCell<KeyMap<Option<u32>>>,
    talk: OnceCell<bool>,
}

impl<'t> Capitals<'t> {
    pub(super) fn of(text: &'t str, words: &'t [Word]) -> Self {
        let table = &*ROLES;
        let roles: Vec<u64> = words
            .iter()
            .map(|word| {
                let roles = table.get(&word.key).copied().unwrap_or(0);
                // "PAM" and "DOS" are no given names.
                let is_short = word.is_caps() && word.end - word.start <= 4;
                if is_short { roles & !(role::GIVEN | role::GIVEN_MAYBE) } else { roles }
            })
            .collect();
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
        let mut language = language_of(text, words);
        if language == Language::Other
            && words.iter().filter(|word| is_german(text, word)).take(2).count() == 2
        {
            language = Language::German;
        }
        let has_sentence = text.trim_end().ends_with(['.', '!', '?']);
        Self {
            text,
            words,
            roles,
            language,
            shouting: all >= 4 && caps * 2 > all && language != Language::Chinese,
            title_case: !has_sentence && long >= 5 && first * 10 > long * 9 && language != Language::Chinese,
            elsewhere: OnceCell::new(),
            bare: OnceCell::new(),
            talk: OnceCell::new(),
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
                        .contains(['"', '“', '”', '„', '«', '»', '*', '‘', '['])
            }
            _ => at == 0,
        }
    }

    /// Whether it is a function word, or one that often begins a sentence.
    pub(super) fn is_everyday(&self, word: &Word) -> bool {
        ROLES.get(&word.key).is_some_and(|roles| roles & (role::FUNCTION | role::STARTER) != 0)
    }

    pub(super) fn has(&self, at: usize, role: u64) -> bool {
        self.roles.get(at).is_some_and(|roles| roles & role != 0)
    }

    pub(super) fn is_function(&self, at: usize) -> bool {
        let own = match self.language {
            Language::German => role::GERMAN | role::DETERMINER_GERMAN | role::ARTICLE_GERMAN,
            Language::French => role::FRENCH,
            Language::Spanish => role::SPANISH,
            _ => 0,
        };
        self.has(at, role::FUNCTION | own)
    }

    /// Whether the word may be part of a name.
    pub(super) fn is_namelike(&self, at: usize) -> bool {
        // "Don't".
        let is_contraction = self.words.get(at + 1).is_some_and(|next| {
            next.gap == Gap::Apostrophe && matches!(next.text(self.text), "t" | "T" | "ve" | "ll" | "re")
        });
        self.words.get(at).is_some_and(|word| {
            !is_contraction
                && word.upper
                && word.text(self.text) != "I"
                && (!is_calendar_name(word) || self.is_short_name(at))
        })
    }

    /// "Jan" and "Mar" without a number beside them, as a name or behind one.
    fn is_short_name(&self, at: usize) -> bool {
        let word = &self.words[at];
        let is_number =
            |at: Option<usize>| at.and_then(|at| self.words.get(at)).is_some_and(|word| word.digit);
        let behind_name = || {
            at > 0
                && word.gap == Gap::Space
                && self.words[at - 1].upper
                && !(self.is_everyday(&self.words[at - 1]) || self.has(at - 1, role::COMMON | role::GERMAN))
                && !is_calendar_name(&self.words[at - 1])
        };
        word.end - word.start == 3
            && !is_number(at.checked_sub(1))
            && !is_number(Some(at + 1))
            && (self.has(at, role::GIVEN) || behind_name())
    }

    /// Whether an article or another determiner stands before the word.
    fn has_article(&self, at: usize) -> bool {
        let own = match self.language {
            Language::German => role::ARTICLE_GERMAN | role::DETERMINER_GERMAN,
            Language::French => role::ARTICLE_FRENCH,
            Language::Spanish => role::ARTICLE_SPANISH,
            _ => role::ARTICLE,
        };
        at > 0
            && matches!(self.words[at].gap, Gap::Space | Gap::Line | Gap::Apostrophe)
            && self.has(at - 1, own)
    }

    /// Whether somebody tells something: the text speaks of a person by a pronoun.
    pub(super) fn is_talk(&self) -> bool {
        let own = match self.language {
            Language::German => role::PRONOUN_GERMAN,
            Language::French => role::PRONOUN_FRENCH,
            Language::Spanish => role::PRONOUN_SPANISH,
            _ => role::PRONOUN,
        };
        *self.talk.get_or_init(|| self.roles.iter().any(|roles| roles & own != 0))
    }

    /// How often the text has the word with a capital and without a determiner before it; `None` if there is
    /// a determiner anywhere.
    pub(super) fn bare_count(&self, at: usize, is_determined: impl Fn(usize) -> bool) -> Option<u32> {
        let counts = self.bare.get_or_init(|| {
            let mut counts: KeyMap<Option<u32>> = KeyMap::default();
            for (at, word) in self.words.iter().enumerate().filter(|(_, word)| word.upper) {
                let count = counts.entry(word.key).or_insert(Some(0));
                *count = count.map(|count| count + 1).filter(|_| !is_determined(at));
            }
            counts
        });
        self.words.get(at).and_then(|word| counts.get(&word.key).copied().flatten())
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
                Gap::Dot => is_abbreviation(own) && !(own.len() == 1 && self.is_function(next)),
                Gap::DotJoined => own.chars().count() == 1,
                Gap::Comma => matches!(word.text(self.text), "Inc" | "Ltd" | "LLC" | "Jr" | "Sr"),
                _ => false,
            };
            // "Velmar-Projekt": in German the name ends before a noun that a hyphen joins.
            let is_compound = word.gap == Gap::Hyphen
                && self.language == Language::German
                && (german::is_noun(word.text(self.text)) || self.has(next, role::COMMON));
            if is_compound {
                return last;
            }
            if joins && self.is_namelike(next) {
                last = next;
                continue;
            }
            // The second half of a foreign name with a hyphen.
            let is_half = last == first
                && word.gap == Gap::Hyphen
                && word.lower
                && !word.upper
                && !word.digit
                && word.end - word.start > 3
                && !self.has(next, role::COMMON | role::STARTER | role::NOUN | role::PERSON_NOUN)
                && !self.is_function(next)
                && !is_suffix(word.text(self.text));
            if is_half {
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
            let is_bare = |at: usize| {
                !self.has(at, role::COMMON | role::STARTER | role::BINDING | role::ORG_LAST | role::ORG_WEAK)
                    && !self.has(
                        at,
                        role::PLACE_LAST | role::PLACE_FIRST | role::THING | role::EVENT | role::TITLE,
                    )
            };
            // "Recovery Tool of Windows".
            let is_thing = |at: usize| {
                self.has(at, role::COMMON | role::THING)
                    && !self.has(at, role::ORG_LAST | role::ORG_WEAK | role::PLACE_LAST | role::EVENT)
            };
            let is_person_of = last > first
                && self.words[next].text(self.text) == "of"
                && !office
                && (self.has(first, role::GIVEN) || (first..=last).all(is_bare) || is_thing(last));
            let spaced = self
                .words
                .get(after)
                .is_some_and(|word| matches!(word.gap, Gap::Space | Gap::Apostrophe | Gap::Hyphen));
            // "Ana Ruiz de Acme", "Ada Byron von der Atlas GmbH": a whole name, and where its bearer works.
            let is_named_twice = self.has(first, role::GIVEN) && self.has(last, role::GIVEN);
            let is_whole = last > first
                && !office
                && !self.has(first, role::PLACE_FIRST | role::EVENT_FIRST | role::BINDING)
                && !is_named_twice
                && matches!(self.language, Language::German | Language::French | Language::Spanish);
            // "Resultó el Atlas": what grammar capitalises at the start does not reach over an article.
            let is_opening = last == first
                && (self.starts_sentence(first) || self.has_article(first))
                && !office
                && matches!(self.language, Language::German | Language::French | Language::Spanish)
                && !self.has(
                    first,
                    role::PLACE_FIRST | role::EVENT_FIRST | role::GIVEN | role::BINDING | role::TITLE,
                );
            if after == next
                || is_person_of
                || is_whole
                || is_opening
                || !spaced
                || !self.is_namelike(after)
                || self.is_function(after)
            {
                return last;
            }
            office |= self.words[next].text(self.text) == "of"
                && self.has(last, role::ORG_LAST | role::ORG_ANY | role::ORG_FIRST);
            last = after;
        }
    }
}

/// What English joins to a name by a hyphen without making a longer name: "Atlas-based".
fn is_suffix(word: &str) -> bool {
    const SUFFIXES: &[&str] =
        &["ed", "ing", "like", "ly", "able", "ible", "tion", "wide", "ful", "less", "ish"];
    SUFFIXES.iter().any(|suffix| word.ends_with(suffix))
        || matches!(
            word,
            "style" | "aware" | "specific" | "driven" | "compatible" | "only" | "born" | "led" | "owned"
        )
}

/// Whether the word is surely a German noun, in a text too short to tell its language otherwise.
fn is_german(text: &str, word: &Word) -> bool {
    let known = ROLES.get(&word.key).copied().unwrap_or(0);
    word.upper && known & (role::COMMON | role::GIVEN) == 0 && german::is_sure_noun(word.text(text))
}
