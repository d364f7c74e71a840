//! What a capitalised name is the name of: a person, a place, an organisation, an event or something else.
//!
//! The name itself tells most: its last word (Studio, GmbH, River), its first (Université, Mount), a given
//! name, an initial. Then the words around it tell: a title, a preposition of place, a verb that people do,
//! an apposition. A type that only capitals suggest is a guess, which yields to anything else known.

use crate::model::EntityType;

use super::capitals::{Capitals, SMALL_ELSEWHERE};
use super::language::Language;
use super::name_words::{PLACES, role};
use super::words::{Gap, Word};

/// The type of a name, and whether only its capitals suggest it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    pub of: EntityType,
    pub guessed: bool,
}

const fn sure(of: EntityType) -> Kind {
    Kind { of, guessed: false }
}

const fn guess(of: EntityType) -> Kind {
    Kind { of, guessed: true }
}

/// Endings of common English nouns, verbs and adverbs; a single word with one of them at the start of a
/// sentence is rarely a name.
pub(super) fn has_common_ending(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ing", "ed", "ly", "tion", "tions", "sion", "ment", "ments", "ness", "ity", "ities", "ists", "ers",
        "ors", "ants", "ents", "ives", "ful", "less", "able", "ible", "ous", "ism", "ance", "ence", "ages",
        "ures",
    ];
    ENDINGS.iter().any(|ending| word.len() > ending.len() + 2 && word.ends_with(ending))
}

/// Capitals inside a word that a family name may have: "McKay", "DeLuca".
pub(super) fn is_family_spelling(word: &str) -> bool {
    ["Mc", "Mac", "De", "Di", "La", "Le", "Fitz"].iter().any(|start| word.starts_with(start))
}

/// The type of the words `first..=last`; `person` if a title before them says so.
pub(super) fn kind_of(capitals: &Capitals, first: usize, last: usize, person: bool) -> Kind {
    if person {
        return sure(EntityType::Person);
    }
    if let Some(kind) = by_own_words(capitals, first, last) {
        return sure(kind);
    }
    by_context(capitals, first, last).unwrap_or_else(|| {
        if is_perhaps_person(capitals, first, last) {
            return guess(EntityType::Person);
        }
        sure(EntityType::Concept)
    })
}

/// A word of an everyday vocabulary, so that it names a thing.
fn is_common(capitals: &Capitals, at: usize) -> bool {
    capitals.has(at, role::COMMON | role::STARTER | role::FUNCTION | role::NOUN)
        && !capitals.has(at, role::GIVEN)
}

/// Whether a word other than the last belongs to nobody else: "Ridgeline" in "Ridgeline Studio".
fn has_own_word(capitals: &Capitals, first: usize, last: usize) -> bool {
    (first..last).any(|at| {
        let is_short = capitals.words[at].end - capitals.words[at].start < 3;
        !is_common(capitals, at) && !is_short && !is_caps(capitals, at)
            || capitals.has(at, role::BINDING | role::DEMONYM)
    })
}

fn by_own_words(capitals: &Capitals, first: usize, last: usize) -> Option<EntityType> {
    let has = |at: usize, role: u64| capitals.has(at, role);
    let words = last - first + 1;
    let own = || has_own_word(capitals, first, last);
    if words > 1 {
        let is_org = has(last, role::ORG_LAST)
            || has(first, role::ORG_FIRST)
            || (first..=last).any(|at| has(at, role::ORG_ANY))
            || (has(last, role::ORG_WEAK) && own());
        if is_org {
            return Some(EntityType::Org);
        }
        if has(first, role::EVENT_FIRST) || has(last, role::EVENT) {
            return Some(EntityType::Event);
        }
        let is_full_name = has(first, role::GIVEN) && has(last, role::SURNAME);
        if has(last, role::PLACE_LAST) && own() && !is_full_name {
            return Some(EntityType::Location);
        }
        // "Saint-Aubin".
        if has(first, role::PLACE_FIRST)
            && has(first, role::RANK)
            && capitals.words[first + 1].gap == Gap::Hyphen
        {
            return Some(EntityType::Location);
        }
        if has(first, role::RANK) {
            return Some(EntityType::Person);
        }
        if has(first, role::PLACE_FIRST) && !has(first, role::GIVEN) {
            return Some(EntityType::Location);
        }
        let ends_in_thing = has(last, role::THING) && !has(last, role::SURNAME);
        if ends_in_thing && !has(first, role::GIVEN) {
            return Some(EntityType::Concept);
        }
    }
    let linked = is_linked(capitals, first, last);
    let is_given = has(first, role::GIVEN)
        || (words > 1 && has(first, role::GIVEN_MAYBE) && !is_thing(capitals, first, last));
    let ends_in_thing = words > 1 && has(last, role::COMMON) && !has(last, role::SURNAME | role::GIVEN);
    if words <= 4 && !linked && is_given && !ends_in_thing {
        return Some(EntityType::Person);
    }
    let joined = |at: usize| capitals.words.get(at).is_some_and(|word| word.gap == Gap::Hyphen);
    // "Ada B. Byron", but not "Studio B".
    let has_initial = (first..last).any(|at| {
        let word = &capitals.words[at];
        word.end - word.start == 1 && word.upper && word.gap != Gap::Hyphen && !joined(at + 1)
    });
    if words > 1
        && words <= 4
        && !linked
        && has_initial
        && !is_caps(capitals, last)
        && !is_common(capitals, last)
    {
        return Some(EntityType::Person);
    }
    matches!(capitals.words[last].text(capitals.text), "Jr" | "Sr").then_some(EntityType::Person)
}

fn is_caps(capitals: &Capitals, at: usize) -> bool {
    capitals.words[at].is_caps()
}

fn is_linked(capitals: &Capitals, first: usize, last: usize) -> bool {
    (first..=last).any(|at| matches!(capitals.words[at].text(capitals.text), "of" | "the"))
}

fn by_context(capitals: &Capitals, first: usize, last: usize) -> Option<Kind> {
    let has = |at: usize, role: u64| capitals.has(at, role);
    let words = last - first + 1;
    let linked = is_linked(capitals, first, last);
    if capitals.language == Language::Chinese {
        let all_common = (first..=last).all(|at| is_common(capitals, at));
        let bytes = capitals.words[first].start..capitals.words[last].end;
        return super::hanzi::kind_around(capitals.text, &bytes, words, all_common)
            .map(|(of, guessed)| Kind { of, guessed });
    }
    let all_common = (first..=last).all(|at| is_common(capitals, at));
    let thing = words > 1 && (is_thing(capitals, first, last) || all_common);
    // "Springfield, Illinois".
    let after_comma = capitals.words.get(last + 1).is_some_and(|word| word.gap == Gap::Comma);
    if words <= 3 && after_comma && PLACES.at(capitals.words, last + 1).is_some() {
        return Some(sure(EntityType::Location));
    }
    // "in Springfield", "near the Matterhorn", "the town of Springfield".
    if words <= 3 && !is_caps(capitals, first) && !all_common && is_placed(capitals, first) {
        return Some(sure(EntityType::Location));
    }
    // "the ship Aurelia", "le projet Hirondelle".
    let is_called_thing = first > 0
        && capitals.words[first].gap == Gap::Space
        && has(first - 1, role::THING_NOUN)
        && !capitals.words[first - 1].upper;
    if is_called_thing {
        return Some(sure(EntityType::Concept));
    }
    if words <= 3 && !linked && !all_common {
        let has_noun = first > 0 && capitals.words[first].gap == Gap::Space && has(first - 1, role::ORG_NOUN);
        if has_noun && !capitals.words[first - 1].upper {
            return Some(sure(EntityType::Org));
        }
        if is_dealt_with(capitals, first) || sets_a_price(capitals, last + 1) {
            return Some(guess(EntityType::Org));
        }
    }
    let follows = capitals.words.get(last + 1).is_some_and(|word| matches!(word.gap, Gap::Space | Gap::Line));
    let acts = follows && acts_like_person(capitals, last + 1);
    let may_act = !thing && !is_caps(capitals, last) && (words > 1 || !is_thing(capitals, first, last));
    if words <= 3 && !linked && acts && may_act {
        return Some(sure(EntityType::Person));
    }
    // "Thanks, Ada!", "my friend Ada", "the engineer Ada".
    let is_called = first > 0
        && matches!(capitals.words[first].gap, Gap::Space | Gap::Comma)
        && has(first - 1, role::PERSON_CUE | role::PERSON_NOUN);
    if words <= 3 && !linked && is_called && !is_caps(capitals, first) && !all_common {
        return Some(sure(EntityType::Person));
    }
    // "Ada Byron, the volunteer coordinator,".
    if words <= 3 && !linked && !all_common && after_comma && is_described(capitals, last + 1) {
        return Some(sure(EntityType::Person));
    }
    // "Ada's arc": people own more often than other things with a name do.
    let owns = words == 1
        && !thing
        && capitals.words.get(last + 1).is_some_and(|next| {
            next.gap == Gap::Apostrophe && next.text(capitals.text) == "s" && !is_common(capitals, first)
        });
    // "at Velmar Analytics": a name of its own and an everyday word.
    let is_at = words > 1 && first > 0 && capitals.words[first - 1].text(capitals.text) == "at";
    if is_at && has_own_word(capitals, first, last) && has(last, role::COMMON) {
        return Some(guess(EntityType::Org));
    }
    let is_with = words <= 2
        && first > 0
        && has(first - 1, role::PERSON_BEFORE)
        && capitals.words[first].gap == Gap::Space;
    let is_plain = !is_caps(capitals, first) && !capitals.words[first].inner_upper && !all_common;
    let is_plain_word = !is_caps(capitals, first) && !capitals.words[first].inner_upper && !all_common;
    // "Ada had been waiting": in talk, who is or has something is mostly a person.
    let is_subject = words == 1 && follows && has(last + 1, role::AUXILIARY);
    // "met Halvard", "ask Ottoline".
    let is_object = words <= 2
        && first > 0
        && capitals.words[first].gap == Gap::Space
        && has(first - 1, role::PERSON_OBJECT)
        && is_plain_word;
    if is_object {
        return Some(guess(EntityType::Person));
    }
    // "hat Rosalinde …", "weil Enno …": in German the subject stands behind its verb or a conjunction.
    let is_german_subject = words == 1
        && capitals.language == Language::German
        && first > 0
        && capitals.words[first].gap == Gap::Space
        && (has(first - 1, role::VERB | role::PERSON_VERB)
            || matches!(
                capitals.words[first - 1].text(capitals.text),
                "dass"
                    | "weil"
                    | "wenn"
                    | "wo"
                    | "ob"
                    | "als"
                    | "damit"
                    | "nachdem"
                    | "bevor"
                    | "sobald"
                    | "obwohl"
            ));
    // "llamó a Isidro".
    let is_spanish_object = words <= 2
        && capitals.language == Language::Spanish
        && first > 0
        && capitals.words[first - 1].text(capitals.text) == "a";
    if (is_german_subject || is_spanish_object) && is_plain_word && !is_thing(capitals, first, last) {
        return Some(guess(EntityType::Person));
    }
    if (owns || is_with || is_subject) && is_plain && !is_thing(capitals, first, last) && capitals.is_talk() {
        return Some(guess(EntityType::Person));
    }
    None
}

/// Whether a preposition or a noun before the name says that it is a place.
fn is_placed(capitals: &Capitals, first: usize) -> bool {
    let Some(before) = first.checked_sub(1).filter(|_| capitals.words[first].gap == Gap::Space) else {
        return false;
    };
    let shown = |at: usize| capitals.words[at].text(capitals.text).to_lowercase();
    let cue = match capitals.language {
        Language::German => role::PLACE_CUE_GERMAN,
        Language::French => role::PLACE_CUE_FRENCH,
        Language::Spanish => role::PLACE_CUE_SPANISH,
        _ => role::PLACE_CUE,
    };
    let is_article = matches!(shown(before).as_str(), "the" | "den" | "der" | "la" | "el" | "les" | "los");
    if capitals.has(before, cue) {
        return true;
    }
    // "moved to X", "the train from X", "nos mudamos a X".
    let is_way =
        matches!(shown(before).as_str(), "to" | "from" | "a" | "toward" | "towards" | "bis" | "jusqu");
    if is_way && (before.saturating_sub(5)..before).any(|at| capitals.has(at, role::MOTION)) {
        return true;
    }
    let Some(second) = before.checked_sub(1) else { return false };
    // "the city of X", "la ville de X", "el barrio de X", "der Ort X".
    let joins = matches!(shown(before).as_str(), "of" | "de" | "von");
    (is_article && capitals.has(second, cue))
        || (joins && capitals.has(second, role::PLACE_NOUN))
        || (capitals.has(before, role::PLACE_NOUN) && capitals.language != Language::English)
}

/// "The contract with X", "we bought the flour from X".
fn is_dealt_with(capitals: &Capitals, first: usize) -> bool {
    /// Words between the verb and the preposition.
    const BETWEEN: usize = 3;
    let Some(before) = first.checked_sub(1).filter(|_| capitals.words[first].gap == Gap::Space) else {
        return false;
    };
    let preposition = capitals.words[before].text(capitals.text);
    let is_deal =
        matches!(preposition, "from" | "with" | "at" | "von" | "mit" | "bei" | "chez" | "avec" | "con")
            && before > 0
            && capitals.has(before - 1, role::ORG_DEAL);
    let is_bought_there = || {
        let phrase = (0..=before).rev().take_while(|at| capitals.words[*at].gap.joins_phrase());
        let len = phrase.take(1 + BETWEEN).count();
        (1..=len).filter_map(|back| before.checked_sub(back)).any(|at| capitals.has(at, role::ORG_BUY))
    };
    is_deal || matches!(preposition, "from" | "von" | "bei" | "chez") && is_bought_there()
}

/// "X raised the price".
fn sets_a_price(capitals: &Capitals, verb: usize) -> bool {
    let is_verb = capitals.words.get(verb).is_some_and(|word| word.gap == Gap::Space);
    let sets = is_verb && capitals.has(verb, role::ORG_SETS);
    let object = capitals.words.get(verb + 1..).unwrap_or_default();
    let object = object.iter().take(3).take_while(|word| word.gap.joins_phrase()).count();
    sets && (verb + 1..=verb + object).any(|at| capitals.has(at, role::ORG_PRICE))
}

/// Whether the word is a verb that people do, or in English a past tense that is none of things.
pub(super) fn acts_like_person(capitals: &Capitals, at: usize) -> bool {
    let Some(word) = capitals.words.get(at).filter(|word| !word.upper) else { return false };
    if !matches!(word.gap, Gap::Space | Gap::Line) {
        return false;
    }
    if capitals.has(at, role::PERSON_VERB) {
        return true;
    }
    let shown = word.text(capitals.text);
    match capitals.language {
        Language::English | Language::Other => {
            shown.len() > 4 && shown.ends_with("ed") && !capitals.has(at, role::THING_VERB)
        }
        Language::French => {
            // "a mentionné", "est passée".
            let aux = matches!(shown, "a" | "est" | "avait" | "s" | "n");
            aux && capitals.words.get(at + 1).is_some_and(|next| {
                let shown = next.text(capitals.text);
                shown.len() > 3
                    && ["é", "ée", "i", "u", "it", "is"].iter().any(|ending| shown.ends_with(ending))
                    && !capitals.has(at + 1, role::THING_VERB)
            })
        }
        Language::Spanish => {
            shown.len() > 3
                && (shown.ends_with('ó') || shown.ends_with("aba"))
                && !capitals.has(at, role::THING_VERB)
                || matches!(shown, "ha" | "había")
                    && capitals.words.get(at + 1).is_some_and(|next| {
                        let shown = next.text(capitals.text);
                        (shown.ends_with("ado") || shown.ends_with("ido"))
                            && !capitals.has(at + 1, role::THING_VERB)
                    })
        }
        Language::German => {
            // "hat … erarbeitet", "ging … durch".
            capitals.has(at, role::VERB)
                || (shown.len() > 5
                    && shown.ends_with("te")
                    && !capitals.is_function(at)
                    && !capitals.has(at, role::THING_VERB))
        }
        _ => false,
    }
}

/// Whether the words after the comma say what somebody is: ", the volunteer coordinator".
fn is_described(capitals: &Capitals, at: usize) -> bool {
    let continues = |word: &Word| word.gap.joins_phrase();
    let phrase = capitals.words.get(at..).unwrap_or_default();
    let len = 1 + phrase.iter().skip(1).take(4).take_while(|word| continues(word)).count();
    phrase.first().is_some_and(|word| !word.upper)
        && (at..at + len).any(|at| capitals.has(at, role::PERSON_NOUN))
}

/// Whether the name is of a thing: "the Payment Gateway", "our Rate Limiter" (not "the late Ada Byron"), or
/// the text also writes its last word without a capital, "the gateway". Things take articles; people do so
/// only where something else marks them as people.
pub(super) fn is_thing(capitals: &Capitals, first: usize, last: usize) -> bool {
    // "ayudó a Ada Byron": an article of one language is a preposition of another.
    let article = match capitals.language {
        Language::German => role::ARTICLE_GERMAN,
        Language::French => role::ARTICLE_FRENCH,
        Language::Spanish => role::ARTICLE_SPANISH,
        _ => role::ARTICLE,
    };
    let before =
        matches!(capitals.words[first].gap, Gap::Space | Gap::Line).then(|| first.checked_sub(1)).flatten();
    before.is_some_and(|before| capitals.has(before, article))
        || capitals.elsewhere(last) & SMALL_ELSEWHERE != 0
}

/// Two or three capitalised words without another explanation are usually a person, unless they are words of
/// an everyday vocabulary.
fn is_perhaps_person(capitals: &Capitals, first: usize, last: usize) -> bool {
    let words = last - first + 1;
    let is_plain = (first..=last).all(|at| {
        let word = &capitals.words[at];
        let listed = role::FUNCTION
            | role::STARTER
            | role::BINDING
            | role::DEMONYM
            | role::ORG_FIRST
            | role::ORG_LAST
            | role::ORG_WEAK
            | role::PLACE_LAST
            | role::THING
            | role::EVENT
            | role::COMMON;
        let is_family = at == last && capitals.has(at, role::SURNAME);
        let shown = word.text(capitals.text);
        word.upper
            && word.lower
            && !word.digit
            // "NodePort" is code, and "Vulnerability Advisor" is no one.
            && (!word.inner_upper || is_family_spelling(shown))
            && (at == last || !has_common_ending(shown))
            && (at == first || word.gap != Gap::Hyphen)
            && (!capitals.has(at, listed) || is_family)
            && PLACES.at(capitals.words, at).is_none()
    });
    let is_singular = !has_common_ending(capitals.words[last].text(capitals.text)) || words == 3;
    (2..=3).contains(&words) && is_plain && is_singular && !is_thing(capitals, first, last)
}
