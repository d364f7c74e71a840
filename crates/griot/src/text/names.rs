//! Finds names of people, locations, organisations and works by their capitals.

use crate::model::EntityType;

use super::capitals::{CAPITAL_ELSEWHERE, Capitals, SMALL_ELSEWHERE};
use super::language::Language;
use super::mention::{EntityMention, EntityRule};
use super::name_words::{PLACES, ROMAN, role};
use super::words::Gap;
pub(super) fn capitalised_names(capitals: &Capitals, found: &mut Vec<EntityMention>) {
    let words = capitals.words;
    let mut at = 0;
    while at < words.len() {
        if !capitals.is_namelike(at) {
            let word = &words[at];
            if word.inner_upper && word.lower && !word.upper && word.end - word.start >= 4 && !word.digit {
                push(capitals, (at, at), EntityType::Concept, EntityRule::Code, found);
            }
            at += 1;
            continue;
        }
        // "US" is a location, "Us" is not.
        let location = PLACES
            .at(words, at)
            .map(|(len, ())| len)
            .filter(|_| !capitals.is_function(at) || words[at].is_caps());
        let last = capitals.run_end(at);
        if let Some(len) = location {
            push(capitals, (at, at + len - 1), EntityType::Location, EntityRule::Capitalised, found);
        }
        if let Some((first, last, person)) = trimmed(capitals, at, last)
            && location.is_none_or(|len| last > at + len - 1)
        {
            let at_start = first == at && capitals.starts_sentence(at);
            if let Some(rule) = accepted(capitals, first, last, at_start, person) {
                push_name(capitals, (first, last), person, rule, found);
            }
            // A location further on in the run, "Visit Paris", is also found by itself.
            for inner in at + 1..=last {
                if let Some((len, ())) = PLACES.at(words, inner) {
                    let ends = (inner, inner + len - 1);
                    push(capitals, ends, EntityType::Location, EntityRule::Capitalised, found);
                }
            }
        }
        at = last.max(at + location.unwrap_or(1) - 1) + 1;
    }
}

/// Adds a name with its type, and with the number before or after it: "2008 Summer Games", "Apollo 11".
fn push_name(
    capitals: &Capitals,
    (first, last): (usize, usize),
    person: bool,
    mut rule: EntityRule,
    found: &mut Vec<EntityMention>,
) {
    let mut kind = match rule {
        EntityRule::Code => EntityType::Concept,
        _ => kind_of(capitals, first, last, person),
    };
    let (mut from, mut to) = (first, last);
    if rule == EntityRule::Capitalised {
        if kind == EntityType::Concept && is_perhaps_person(capitals, first, last) {
            (kind, rule) = (EntityType::Person, EntityRule::Guessed);
        }
        if first < last && !person && capitals.is_of_a_year(first) {
            from = first - 1;
            if matches!(kind, EntityType::Concept | EntityType::Person) {
                (kind, rule) = (EntityType::Event, EntityRule::Capitalised);
            }
        }
        if kind != EntityType::Person && capitals.is_numbered(last) {
            to = last + 1;
        }
    }
    push(capitals, (from, to), kind, rule, found);
}

fn push(
    capitals: &Capitals,
    (first, last): (usize, usize),
    kind: EntityType,
    rule: EntityRule,
    found: &mut Vec<EntityMention>,
) {
    let (text, words) = (capitals.text, capitals.words);
    // "al-Qaida" and the stop of "U.S." belong to the name.
    let article = first
        .checked_sub(1)
        .filter(|at| words[first].gap == Gap::Hyphen && matches!(words[*at].text(text), "al" | "el"));
    let is_dotted = words[last].gap == Gap::DotJoined && words[last].end - words[last].start == 1;
    let end = words[last].end + usize::from(is_dotted && text[words[last].end..].starts_with('.'));
    let bytes = words[article.unwrap_or(first)].start..end;
    let shown = &text[bytes.clone()];
    // A line break inside a name does not change it.
    let name = if shown.contains(['\n', '\r']) {
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        shown.to_string()
    };
    found.push(EntityMention { bytes, name, kind, rule });
}

/// The run without titles, function words and sentence starters at its ends; whether a title marks a person.
fn trimmed(capitals: &Capitals, first: usize, last: usize) -> Option<(usize, usize, bool)> {
    let (start, mut first, mut last) = (first, first, last);
    let mut person = false;
    // "Prime Minister Ada Byron": the name begins after the last title.
    let is_institution = capitals.has(last, role::ORG_LAST | role::ORG_ANY | role::PLACE_LAST);
    if !is_institution
        && let Some(title) =
            (first + 1..last).rev().find(|at| capitals.has(*at, role::TITLE) && capitals.is_namelike(at + 1))
    {
        first = title;
    }
    while first <= last {
        let word = &capitals.words[first];
        let at_start = first == start && capitals.starts_sentence(first);
        let binds = first < last
            && capitals.has(first, role::BINDING | role::GIVEN | role::GIVEN_MAYBE)
            && capitals.is_namelike(first + 1)
            && matches!(capitals.words[first + 1].gap, Gap::Space | Gap::Hyphen);
        let is_opening_verb = at_start
            && first < last
            && !capitals.has(first, role::GIVEN | role::BINDING)
            && word.end - word.start > 4
            && !word.is_caps()
            && (word.text(capitals.text).ends_with("ed") || word.text(capitals.text).ends_with("ing"))
            && PLACES.at(capitals.words, first).is_none();
        let is_caps_name = word.is_caps() && !capitals.shouting && !capitals.is_function(first);
        let is_initial = word.end - word.start == 1
            && first < last
            && matches!(capitals.words[first + 1].gap, Gap::Dot | Gap::DotJoined);
        let is_occupation = at_start
            && first + 2 <= last
            && !capitals.has(first, role::GIVEN)
            && capitals.has(first + 1, role::GIVEN)
            && OCCUPATION_ENDINGS.iter().any(|ending| word.text(capitals.text).ends_with(ending));
        if capitals.has(first, role::TITLE)
            && first < last
            && !is_institution
            && capitals.is_namelike(first + 1)
        {
            person = true;
        } else {
            let is_dropped = capitals.is_function(first)
                || capitals.is_link(first, true)
                || (at_start && capitals.has(first, role::STARTER) && !binds)
                || is_opening_verb;
            let is_kept = is_initial || person || is_caps_name || !is_dropped;
            if is_kept && !is_occupation {
                break;
            }
        }
        first += 1;
    }
    while last > first
        && (capitals.is_function(last) || capitals.is_link(last, true))
        && !capitals.words[last].is_caps()
    {
        last -= 1;
    }
    (first <= last && !capitals.words[first].ideograph).then_some((first, last, person))
}

/// "Biographer", "Pianist", "Chairman" before a full name.
const OCCUPATION_ENDINGS: &[&str] = &["er", "or", "ist", "ian", "man", "woman", "ess"];

/// The rule by which the words count as a name, if they do.
fn accepted(
    capitals: &Capitals,
    first: usize,
    last: usize,
    at_start: bool,
    person: bool,
) -> Option<EntityRule> {
    let words = capitals.words;
    let word = &words[first];
    let shown = word.text(capitals.text);
    let known = capitals.has(first, role::GIVEN);
    if first < last {
        let all_caps = words[first..=last].iter().all(|word| word.is_caps() || word.end - word.start == 1);
        let weak = (capitals.shouting && all_caps) || (capitals.title_case && !known);
        // German capitalises nouns: two in a row are rarely just grammar, two with "von" between them often
        // are.
        let german =
            capitals.language == Language::German && !known && !person && !capitals.is_namelike(first + 1);
        return (!weak && !german).then_some(EntityRule::Capitalised);
    }
    let letters = shown.chars().count();
    if letters < 2 || capitals.is_function(first) || capitals.has(first, role::DEMONYM) {
        return None;
    }
    if word.is_caps() {
        let noise =
            capitals.shouting || letters > 10 || capitals.is_everyday(word) || ROMAN.contains(&word.key);
        return (!noise).then_some(EntityRule::AllCaps);
    }
    if word.inner_upper && word.lower {
        let is_family = shown.starts_with("Mc") || shown.starts_with("Mac") || shown.starts_with("De");
        let noise = capitals.is_everyday(word);
        return (!noise).then_some(if is_family { EntityRule::Capitalised } else { EntityRule::Code });
    }
    if person || known {
        return Some(EntityRule::Capitalised);
    }
    // A title alone, "Professor", is not a name.
    if capitals.has(first, role::TITLE) || (word.digit && !word.inner_upper && letters < 3) {
        return None;
    }
    if capitals.language == Language::German || capitals.title_case || capitals.shouting {
        return None;
    }
    if !at_start {
        return Some(EntityRule::Capitalised);
    }
    let elsewhere = capitals.elsewhere(first);
    let ruled_out =
        capitals.has(first, role::STARTER) || elsewhere & SMALL_ELSEWHERE != 0 || has_common_ending(shown);
    (elsewhere & CAPITAL_ELSEWHERE != 0 && !capitals.has(first, role::STARTER) || !ruled_out)
        .then_some(EntityRule::Capitalised)
}

/// Endings of common English nouns, verbs and adverbs; a single word with one of them at the start of a
/// sentence is rarely a name.
fn has_common_ending(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ing", "ed", "ly", "tion", "tions", "sion", "ment", "ments", "ness", "ity", "ities", "ists", "ers",
        "ors", "ants", "ents", "ives", "ful", "less", "able", "ible", "ous", "ism", "ance", "ence", "ages",
        "ures",
    ];
    ENDINGS.iter().any(|ending| word.len() > ending.len() + 2 && word.ends_with(ending))
}

/// Whether the name is of a thing: "the Payment Gateway", "our Rate Limiter" (not "the late Ada Byron"), or
/// the text also writes its last word without a capital, "the gateway". Things take articles; people do so
/// only where something else marks them as people.
fn is_thing(capitals: &Capitals, first: usize, last: usize) -> bool {
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

fn kind_of(capitals: &Capitals, first: usize, last: usize, person: bool) -> EntityType {
    let words = last - first + 1;
    let has = |at: usize, role: u32| capitals.has(at, role);
    if person {
        return EntityType::Person;
    }
    if words > 1 {
        if has(last, role::ORG_LAST)
            || has(first, role::ORG_FIRST)
            || (first..=last).any(|at| has(at, role::ORG_ANY))
        {
            return EntityType::Org;
        }
        if has(last, role::PLACE_LAST) {
            return EntityType::Location;
        }
        if has(first, role::RANK) {
            return EntityType::Person;
        }
        if has(first, role::PLACE_FIRST) && !has(first, role::GIVEN) {
            return EntityType::Location;
        }
    }
    let is_thing = || words > 1 && is_thing(capitals, first, last);
    let linked = (first..=last).any(|at| matches!(capitals.words[at].text(capitals.text), "of" | "the"));
    if words <= 4
        && !linked
        && (has(first, role::GIVEN) || (words > 1 && has(first, role::GIVEN_MAYBE) && !is_thing()))
    {
        return EntityType::Person;
    }
    let has_initial = (first..=last).any(|at| {
        let word = capitals.words[at];
        word.end - word.start == 1 && word.upper
    });
    if words > 1 && words <= 4 && !linked && has_initial && !capitals.words[last].is_caps() {
        return EntityType::Person;
    }
    let acts = has(last + 1, role::PERSON_VERB) && capitals.words[last + 1].gap == Gap::Space;
    if words <= 3 && !linked && acts && !is_thing() {
        return EntityType::Person;
    }
    if matches!(capitals.words[last].text(capitals.text), "Jr" | "Sr") {
        return EntityType::Person;
    }
    // "in Springfield", "near the Matterhorn".
    let article = usize::from(first > 1 && capitals.words[first - 1].text(capitals.text) == "the");
    let is_cued = first > article
        && has(first - 1 - article, role::PLACE_CUE)
        && capitals.words[first].gap == Gap::Space;
    if words <= 3 && is_cued && !capitals.words[first].is_caps() {
        return EntityType::Location;
    }
    // "Thanks, Ada!", "my friend Ada": one name, or two.
    let is_called = first > 0
        && matches!(capitals.words[first].gap, Gap::Space | Gap::Comma)
        && has(first - 1, role::PERSON_CUE);
    if words <= 2 && !linked && is_called && !capitals.words[first].is_caps() {
        return EntityType::Person;
    }
    // "Springfield, Illinois".
    let is_before_place = capitals.words.get(last + 1).is_some_and(|word| word.gap == Gap::Comma)
        && PLACES.at(capitals.words, last + 1).is_some();
    if words <= 3 && is_before_place {
        return EntityType::Location;
    }
    EntityType::Concept
}

/// Two or three capitalised words without another explanation are usually a person.
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
            | role::PLACE_LAST;
        word.upper
            && word.lower
            && !word.digit
            && (at == first || word.gap != Gap::Hyphen)
            && !capitals.has(at, listed)
            && PLACES.at(capitals.words, at).is_none()
    });
    let is_singular = !has_common_ending(capitals.words[last].text(capitals.text)) || words == 3;
    (2..=3).contains(&words) && is_plain && is_singular && !is_thing(capitals, first, last)
}
