//! The word lists of the rules for capitalised names: the roles of a word within a name, and known locations.

use std::sync::LazyLock;

use super::language::STOP_WORDS;
use super::words::{KeyMap, Phrases, key, lines};

/// Declares roles as bits; the data files name them alike.
macro_rules! roles {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// The roles of a listed word in a name; a word may have several.
        #[allow(clippy::upper_case_acronyms, non_camel_case_types)]
        pub(super) mod role {
            enum Bit { $($name,)* }
            $($(#[$doc])* pub const $name: u64 = 1 << Bit::$name as u64;)*
            pub const NAMED: &[(&str, u64)] = &[$((stringify!($name), $name),)*];
        }
    };
}

roles! {
    FUNCTION GERMAN FRENCH SPANISH
    STARTER
    /// A starter that belongs to the name after it: "New York".
    BINDING
    GIVEN
    /// A given name that is also an everyday word.
    GIVEN_MAYBE
    ORG_FIRST ORG_LAST ORG_ANY
    PLACE_FIRST PLACE_LAST PLACE_CUE
    TITLE RANK PERSON_VERB PERSON_CUE
    LINK LINK_FOREIGN LINK_OFFICE
    DEMONYM
    ARTICLE ARTICLE_GERMAN ARTICLE_FRENCH ARTICLE_SPANISH
    /// Other German words that stand before nouns: "der", "jede", "im".
    DETERMINER_GERMAN
    /// German prepositions that stand before a name without an article.
    BEFORE_NAME_GERMAN
    /// An English verb that opens instructions.
    OPENING
    /// An everyday English word, and a German noun.
    COMMON NOUN
    /// The name of an organisation only with a word of its own before it.
    ORG_WEAK
    /// A noun before the name of an organisation: "our supplier". What one has with it: "a contract with".
    /// What one does there: "bought from". What it asks of others: "raised the price".
    ORG_NOUN ORG_DEAL ORG_BUY ORG_SETS ORG_PRICE
    PLACE_CUE_GERMAN PLACE_CUE_FRENCH PLACE_CUE_SPANISH PLACE_NOUN
    PERSON_NOUN
    /// A family name that is also an everyday word.
    SURNAME
    /// A noun before the name of a thing: "Projekt", "the ship".
    THING_NOUN
    /// A word of going, and a verb whose object is a person.
    MOTION PERSON_OBJECT
    /// A verb of any subject, in German, French and Spanish.
    VERB
    /// A verb of things rather than people.
    THING_VERB
    THING EVENT EVENT_FIRST
    /// A preposition before a person, and pronouns of persons.
    PERSON_BEFORE
    /// English verbs of any subject.
    AUXILIARY
    PRONOUN PRONOUN_GERMAN PRONOUN_FRENCH PRONOUN_SPANISH
}

pub(super) static ROLES: LazyLock<KeyMap<u64>> = LazyLock::new(|| {
    let mut roles: KeyMap<u64> = KeyMap::with_capacity_and_hasher(8192, Default::default());
    let mut add = |word: &str, role: u64| *roles.entry(key(word)).or_default() |= role;
    let stop_words = [role::FUNCTION, role::GERMAN, role::FRENCH, role::SPANISH];
    let plain = [
        (include_str!("../../data/sentence_starters.txt"), role::STARTER),
        (include_str!("../../data/binding_starters.txt"), role::BINDING),
        (include_str!("../../data/demonyms.txt"), role::DEMONYM),
        (include_str!("../../data/common_words.txt"), role::COMMON),
        (include_str!("../../data/opening_verbs.txt"), role::COMMON | role::OPENING),
        (include_str!("../../data/german_nouns.txt"), role::NOUN),
    ];
    for (list, role) in STOP_WORDS.into_iter().zip(stop_words).chain(plain) {
        for word in lines(list).flat_map(str::split_whitespace) {
            add(word.trim_start_matches('!'), role);
        }
    }
    for word in lines(include_str!("../../data/given_names.txt")).flat_map(str::split_whitespace) {
        match word.strip_prefix('=') {
            Some(word) => add(word, role::GIVEN_MAYBE),
            None => add(word, role::GIVEN),
        }
    }
    let labelled = [
        include_str!("../../data/org_words.txt"),
        include_str!("../../data/location_words.txt"),
        include_str!("../../data/person_words.txt"),
        include_str!("../../data/name_particles.txt"),
        include_str!("../../data/things.txt"),
    ];
    for line in labelled.into_iter().flat_map(lines) {
        let (label, words) = line.split_once(' ').unwrap_or((line, ""));
        let role = role::NAMED.iter().find(|(name, _)| *name == label).map_or(0, |(_, role)| *role);
        debug_assert!(role != 0, "{label} is no role");
        words.split_whitespace().for_each(|word| add(word, role));
    }
    roles
});

/// Whether a word only comes before the name of a person, and is no part of it: "Mr", "Frau".
pub fn is_honorific(word: &str) -> bool {
    ROLES.get(&key(word)).is_some_and(|roles| roles & role::TITLE != 0)
}

/// Whether a word is an everyday one, so that it says little of a name without its capital: "mark", "rose".
pub fn is_everyday(word: &str) -> bool {
    const STOPS: u64 = role::FUNCTION | role::GERMAN | role::FRENCH | role::SPANISH;
    const EVERYDAY: u64 =
        STOPS | role::COMMON | role::NOUN | role::GIVEN_MAYBE | role::SURNAME | role::STARTER;
    ROLES.get(&key(word)).is_some_and(|roles| roles & EVERYDAY != 0)
}

/// A name without the "Mr" or "Frau" before it; `None` if there is none.
pub fn bare_name(name: &str) -> Option<&str> {
    let (first, rest) = name.split_once(' ')?;
    let rest = rest.trim_start();
    (is_honorific(first.trim_end_matches('.')) && !rest.is_empty()).then_some(rest)
}

pub(super) static PLACES: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let names = lines(include_str!("../../data/places.txt")).flat_map(|line| line.split(',')).map(str::trim);
    Phrases::new(names.filter(|name| !name.is_empty()).map(|name| (name, ())))
});

word_sets! {
    ROMAN = "ii iii iv vi vii viii ix xi xii xiii xiv xv xvi";
}
