//! Whether a capitalised word of a German text is a name or one of the nouns, which German capitalises too.
//!
//! A word is no name by its capital. It needs evidence around it: no article or inflected adjective before
//! it, and a preposition, a finite verb, or another name beside it. Known nouns, derived nouns and compounds
//! that end in a known noun are no names.

use super::name_words::{ROLES, role};
use super::words::key;

/// Endings of derived nouns.
const NOUN_ENDINGS: &[&str] = &[
    "ung",
    "ungen",
    "heit",
    "heiten",
    "keit",
    "keiten",
    "schaft",
    "schaften",
    "tion",
    "tionen",
    "sion",
    "sionen",
    "tät",
    "täten",
    "ismus",
    "ismen",
    "nis",
    "nisse",
    "nissen",
    "erin",
    "erinnen",
    "orin",
    "orinnen",
    "istin",
    "istinnen",
    "iker",
    "ikers",
    "ment",
    "mente",
    "menten",
    "anz",
    "enz",
    "enzen",
    "ogie",
    "ogien",
    "grafie",
    "graphie",
    "itis",
    "eur",
    "eure",
    "euren",
    "barkeit",
    "losigkeit",
    "tum",
    "sal",
    "ierung",
    "ade",
    "age",
];
/// Letters that join or inflect the parts of a compound.
const JOINTS: &[&str] = &["", "s", "es", "n", "en", "er", "e"];
/// Bytes. A shorter part of a compound is a syllable of many names.
const SHORTEST_PART: usize = 3;
const SURE_TAIL: usize = 5;
/// Bytes. A longer run of letters is data.
const LONGEST_NOUN: usize = 60;

/// Whether the word is a noun of the language: listed, derived, or a compound of listed nouns.
pub(super) fn is_noun(word: &str) -> bool {
    if word.len() > LONGEST_NOUN {
        return false;
    }
    let lower = word.to_lowercase();
    is_listed(&lower) || is_derived(&lower) || is_compound(&lower)
}

/// The same by what no other language has: a listed noun, a compound, or an ending such as "-ung".
pub(super) fn is_sure_noun(word: &str) -> bool {
    if word.len() > LONGEST_NOUN {
        return false;
    }
    let lower = word.to_lowercase();
    let is_own = ["ung", "ungen", "heit", "keit", "schaft"].iter().any(|ending| lower.ends_with(ending));
    is_listed(&lower) || is_compound(&lower) || (is_own && lower.len() > 6)
}

/// Whether the word names a kind of organisation, so that the name follows it: "Tischlerei", "Turnverein".
pub(super) fn opens_org(word: &str) -> bool {
    const TAILS: &[&str] = &[
        "verein",
        "chor",
        "erei",
        "klinik",
        "klinikum",
        "werke",
        "werk",
        "amt",
        "schule",
        "orchester",
        "theater",
        "museum",
        "verlag",
        "verband",
        "stiftung",
        "bau",
        "handel",
        "hof",
        "gasthaus",
        "apotheke",
        "praxis",
        "club",
        "klub",
        "gesellschaft",
        "genossenschaft",
    ];
    let lower = word.to_lowercase();
    TAILS.iter().any(|tail| lower.len() > tail.len() + 2 && lower.ends_with(tail))
}

fn is_listed(lower: &str) -> bool {
    has_form(lower, role::NOUN)
}

/// Whether the word, or the word without an inflection, has the role.
fn has_form(lower: &str, wanted: u64) -> bool {
    let listed = |form: &str| ROLES.get(&key(form)).is_some_and(|roles| roles & wanted != 0);
    listed(lower)
        || ["s", "es", "n", "en", "e", "er"].iter().any(|ending| {
            lower.strip_suffix(ending).is_some_and(|stem| stem.len() >= SHORTEST_PART && listed(stem))
        })
}

fn is_derived(lower: &str) -> bool {
    NOUN_ENDINGS.iter().any(|ending| lower.len() > ending.len() + 2 && lower.ends_with(ending))
}

fn is_compound(lower: &str) -> bool {
    let is_head = |head: &str| is_listed(head) || is_derived(head);
    lower.char_indices().map(|(at, _)| at).filter(|at| *at >= SHORTEST_PART).any(|at| {
        let (head, tail) = lower.split_at(at);
        let joined = || JOINTS.iter().any(|joint| head.strip_suffix(joint).is_some_and(is_head));
        tail.len() > SHORTEST_PART
            && ((is_listed(tail) && (tail.len() > SURE_TAIL || joined()))
                || (has_form(tail, role::COMMON) && joined()))
    })
}

/// The name without the genitive that the noun after it asks for: "Wandas Plan" is by "Wanda".
pub(super) fn without_genitive(name: &str) -> &str {
    match name.strip_suffix('s') {
        Some(stem) if stem.chars().count() >= 3 && !stem.ends_with('s') => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_known_by_list_ending_and_compound() {
        for noun in
            ["Datenbank", "Datenbanken", "Verwaltung", "Holzfenster", "Heizkessel", "Bäckerin", "Jahres"]
        {
            assert!(is_noun(noun), "{noun}");
        }
        for name in ["Wanda", "Okonjo", "Brixton", "Rosenheim", "Velasko"] {
            assert!(!is_noun(name), "{name}");
        }
    }
}
