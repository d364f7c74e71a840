//! The word lists of the rules for capitalised names: the roles of a word within a name, and known locations.

use std::sync::LazyLock;

use super::language::STOP_WORDS;
use super::words::{KeyMap, Phrases, key, lines};

/// The roles of a listed word in a name, as bits; a word may have several.
pub(super) mod role {
    pub const FUNCTION: u32 = 1;
    pub const STARTER: u32 = 1 << 1;
    /// A starter that belongs to the name after it: "New York".
    pub const BINDING: u32 = 1 << 2;
    pub const GIVEN: u32 = 1 << 3;
    /// A given name that is also an everyday word.
    pub const GIVEN_MAYBE: u32 = 1 << 4;
    pub const ORG_FIRST: u32 = 1 << 5;
    pub const ORG_LAST: u32 = 1 << 6;
    pub const ORG_ANY: u32 = 1 << 7;
    pub const PLACE_FIRST: u32 = 1 << 8;
    pub const PLACE_LAST: u32 = 1 << 9;
    pub const TITLE: u32 = 1 << 10;
    pub const RANK: u32 = 1 << 11;
    pub const PERSON_VERB: u32 = 1 << 12;
    pub const LINK: u32 = 1 << 13;
    pub const LINK_FOREIGN: u32 = 1 << 14;
    pub const LINK_OFFICE: u32 = 1 << 15;
    pub const DEMONYM: u32 = 1 << 16;
    pub const GERMAN: u32 = 1 << 17;
    pub const FRENCH: u32 = 1 << 18;
    pub const SPANISH: u32 = 1 << 19;
    pub const PLACE_CUE: u32 = 1 << 20;
    pub const PERSON_CUE: u32 = 1 << 21;
    pub const ARTICLE: u32 = 1 << 22;
    pub const ARTICLE_GERMAN: u32 = 1 << 23;
    pub const ARTICLE_FRENCH: u32 = 1 << 24;
    pub const ARTICLE_SPANISH: u32 = 1 << 25;
}

pub(super) static ROLES: LazyLock<KeyMap<u32>> = LazyLock::new(|| {
    let mut roles: KeyMap<u32> = KeyMap::with_capacity_and_hasher(8192, Default::default());
    let mut add = |word: &str, role: u32| *roles.entry(key(word)).or_default() |= role;
    let stop_words = [role::FUNCTION, role::GERMAN, role::FRENCH, role::SPANISH];
    let plain = [
        (include_str!("../../data/sentence_starters.txt"), role::STARTER),
        (include_str!("../../data/binding_starters.txt"), role::BINDING),
        (include_str!("../../data/demonyms.txt"), role::DEMONYM),
        ("in near across outside inside throughout around within", role::PLACE_CUE),
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
    let labelled: [(&'static str, &[(&str, u32)]); 4] = [
        (
            include_str!("../../data/org_words.txt"),
            &[("first", role::ORG_FIRST), ("last", role::ORG_LAST), ("any", role::ORG_ANY)],
        ),
        (
            include_str!("../../data/location_words.txt"),
            &[("first", role::PLACE_FIRST), ("last", role::PLACE_LAST)],
        ),
        (
            include_str!("../../data/person_words.txt"),
            &[
                ("title", role::TITLE),
                ("rank", role::RANK),
                ("verb", role::PERSON_VERB),
                ("cue", role::PERSON_CUE),
                ("article", role::ARTICLE),
                ("article_de", role::ARTICLE_GERMAN),
                ("article_fr", role::ARTICLE_FRENCH),
                ("article_es", role::ARTICLE_SPANISH),
            ],
        ),
        (
            include_str!("../../data/name_particles.txt"),
            &[("always", role::LINK), ("foreign", role::LINK_FOREIGN), ("office", role::LINK_OFFICE)],
        ),
    ];
    for (list, labels) in labelled {
        for line in lines(list) {
            let mut words = line.split_whitespace();
            let label = words.next().unwrap_or_default();
            if let Some((_, role)) = labels.iter().find(|(name, _)| *name == label) {
                words.for_each(|word| add(word, *role));
            }
        }
    }
    roles
});

pub(super) static PLACES: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let names = lines(include_str!("../../data/places.txt")).flat_map(|line| line.split(',')).map(str::trim);
    Phrases::new(names.filter(|name| !name.is_empty()).map(|name| (name, ())))
});

word_sets! {
    ROMAN = "ii iii iv vi vii viii ix xi xii xiii xiv xv xvi";
}
