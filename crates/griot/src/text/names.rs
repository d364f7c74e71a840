//! Finds names of people, locations, organisations and works by their capitals.

use crate::model::EntityType;

use super::capitals::{CAPITAL_ELSEWHERE, Capitals, SMALL_ELSEWHERE};
use super::german;
use super::german_names;
use super::language::Language;
use super::mention::{EntityMention, EntityRule};
use super::name_kind::{acts_like_person, has_common_ending, is_family_spelling, is_thing, kind_of};
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
        if let Some(run) = trimmed(capitals, at, last).and_then(|run| in_german(capitals, run))
            && location.is_none_or(|len| run.last > at + len - 1)
        {
            let at_start = run.first == at && capitals.starts_sentence(at);
            if let Some(rule) = accepted(capitals, &run, at_start) {
                push_name(capitals, &run, rule, found);
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

context_words! {
    NO_NAMES LABELLED
}

/// The words of a name in a run of capitals, and what the words around them say about it.
#[derive(Clone, Copy)]
struct Run {
    first: usize,
    last: usize,
    /// A title or an occupation before it marks a person.
    person: bool,
    /// It carries the "s" of a German genitive.
    genitive: bool,
    /// The noun before it says of which kind it is: "Firma", "Projekt".
    called: Option<EntityType>,
}

/// Adds a name with its type, and with the number before or after it: "2008 Summer Games", "Apollo 11".
fn push_name(capitals: &Capitals, run: &Run, mut rule: EntityRule, found: &mut Vec<EntityMention>) {
    let Run { first, last, person, genitive, called } = *run;
    let mut kind = EntityType::Concept;
    if rule != EntityRule::Code {
        let read = kind_of(capitals, first, last, person);
        kind = read.of;
        if let Some(called) = called {
            kind = called;
        } else if read.guessed && rule == EntityRule::Capitalised {
            rule = EntityRule::Guessed;
        }
    }
    let (mut from, mut to) = (first, last);
    if matches!(rule, EntityRule::Capitalised | EntityRule::Guessed) {
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
    if genitive && let Some(mention) = found.last_mut() {
        let name = german::without_genitive(&mention.name).to_string();
        mention.bytes.end -= mention.name.len() - name.len();
        mention.name = name;
    }
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
fn trimmed(capitals: &Capitals, first: usize, last: usize) -> Option<Run> {
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
        let is_caps_name = word.is_caps() && !capitals.shouting && !capitals.is_function(first);
        let is_initial = word.end - word.start == 1
            && first < last
            && matches!(capitals.words[first + 1].gap, Gap::Dot | Gap::DotJoined);
        let is_occupation = at_start
            && first + 2 <= last
            && !capitals.has(first, role::GIVEN)
            && capitals.has(first + 1, role::GIVEN)
            && OCCUPATION_ENDINGS.iter().any(|ending| word.text(capitals.text).ends_with(ending));
        let is_post = capitals.has(first, role::TITLE)
            || (capitals.has(first, role::PERSON_NOUN)
                && !capitals.has(first, role::GIVEN | role::BINDING)
                && !capitals.has(first + 1, role::COMMON | role::NOUN | role::PERSON_NOUN));
        if is_post && first < last && !is_institution && capitals.is_namelike(first + 1) {
            person = true;
        } else {
            let is_dropped = capitals.is_function(first)
                || capitals.is_link(first, true)
                || (at_start && capitals.has(first, role::STARTER) && !binds)
                || (at_start && first < last && is_opening(capitals, first));
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
    (first <= last && !capitals.words[first].ideograph).then_some(Run {
        first,
        last,
        person,
        genitive: false,
        called: None,
    })
}

/// Whether the first word of a sentence is a verb, a participle or a noun of the sentence rather than the
/// first word of the name behind it: "Visited Ada", "Contact Byron Electronics", "Llamó Ada".
fn is_opening(capitals: &Capitals, at: usize) -> bool {
    let word = &capitals.words[at];
    let shown = word.text(capitals.text);
    if capitals.has(at, role::GIVEN | role::BINDING) || word.is_caps() {
        return false;
    }
    let is_participle = shown.len() > 4
        && (shown.ends_with("ed") || shown.ends_with("ing"))
        && PLACES.at(capitals.words, at).is_none();
    let is_order = capitals.has(at, role::OPENING) && !capitals.has(at + 1, role::COMMON | role::THING);
    let is_romance = matches!(capitals.language, Language::French | Language::Spanish)
        && !capitals.has(at, role::ORG_FIRST | role::PLACE_FIRST)
        && is_inflected(shown);
    is_participle || is_order || is_romance
}

/// Characters. A longer word behind a genitive is a noun.
const LONG_NOUN: usize = 9;

/// In a German text, the run without the nouns that only grammar gives a capital: before the name ("Distrikt
/// Velmar"), behind it ("Velmars Plan", "Velmar-Projekt"). `None` if nothing is left.
fn in_german(capitals: &Capitals, mut run: Run) -> Option<Run> {
    if capitals.language != Language::German {
        return Some(run);
    }
    let is_noun = |at: usize| german::is_noun(capitals.words[at].text(capitals.text));
    let is_small = |at: usize| !capitals.words[at].upper && capitals.words[at].gap != Gap::Hyphen;
    const NAMING: u64 = role::ORG_FIRST | role::PLACE_FIRST | role::GIVEN | role::ORG_ANY;
    const ENDING: u64 = role::ORG_LAST | role::ORG_WEAK | role::PLACE_LAST | role::EVENT;
    const THINGS: u64 = role::COMMON | role::THING | ENDING;
    // "Tischlerei Brandner", "Stiftung Wattenland", "Seewald GmbH": the whole is the name.
    let first_word = capitals.words[run.first].text(capitals.text);
    if run.first < run.last && !is_small(run.first + 1) && capitals.words[run.first + 1].gap != Gap::Hyphen {
        let opens = capitals.has(run.first, role::ORG_FIRST) || german::opens_org(first_word);
        let is_name = |at: usize| !capitals.has(at, role::NOUN) || capitals.has(run.first, role::ORG_FIRST);
        if opens && run.last == run.first + 1 && is_name(run.last) && !capitals.starts_sentence(run.last) {
            return Some(Run { called: Some(EntityType::Org), ..run });
        }
        let is_firm = capitals.has(run.last, role::ORG_LAST) && run.last <= run.first + 3;
        if is_firm && !capitals.has(run.first, role::PERSON_NOUN | role::THING_NOUN) {
            let dropped = usize::from(matches!(first_word, "Firma"));
            return Some(Run { first: run.first + dropped, ..run });
        }
        if capitals.has(run.first, role::THING_NOUN) && run.last == run.first + 1 && !run.person {
            let kind = if first_word == "Firma" { EntityType::Org } else { EntityType::Concept };
            return Some(Run { first: run.last, called: Some(kind), ..run });
        }
        if first_word == "Firma" {
            return Some(Run { first: run.first + 1, called: Some(EntityType::Org), ..run });
        }
    }
    let own = |run: &Run| (run.first..run.last).any(|at| !is_noun(at) && !is_small(at));
    // "Velmars Gartenlaube": the genitive before any long word.
    let shown = |at: usize| capitals.words[at].text(capitals.text);
    let owns = run.last == run.first + 1
        && shown(run.first).ends_with('s')
        && shown(run.last).chars().count() >= LONG_NOUN
        && !capitals.has(run.first, role::GIVEN | THINGS)
        && !capitals.has(run.last, ENDING | role::GIVEN | role::COMMON)
        && PLACES.at(capitals.words, run.first).is_none();
    if owns {
        return Some(Run { last: run.first, genitive: true, ..run });
    }
    while run.first < run.last
        && (is_small(run.last) || is_noun(run.last))
        && !(capitals.has(run.last, ENDING) && own(&run))
        && !capitals.has(run.first, role::GIVEN)
        && !run.person
    {
        run.genitive = !is_small(run.last)
            && !is_small(run.last - 1)
            && !capitals.has(run.last - 1, role::GIVEN | THINGS)
            && PLACES.at(capitals.words, run.last - 1).is_none();
        run.last -= 1;
    }
    while run.first < run.last
        && (is_small(run.first) || (is_noun(run.first) && !capitals.has(run.first, NAMING)))
    {
        run.person |= capitals.has(run.first, role::PERSON_NOUN) && !is_small(run.first + 1);
        run.first += 1;
    }
    let is_name =
        run.first < run.last || run.person || !is_noun(run.first) || capitals.has(run.first, role::GIVEN);
    (is_name && !is_small(run.first)).then_some(run)
}

/// "Biographer", "Pianist", "Chairman" before a full name.
const OCCUPATION_ENDINGS: &[&str] = &["er", "or", "ist", "ian", "man", "woman", "ess"];

/// Endings of French and Spanish verbs, adverbs and derived nouns.
fn is_inflected(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ó", "é", "mos", "aron", "ieron", "aban", "ando", "iendo", "mente", "ción", "ciones", "sión",
        "miento", "dad", "aba", "ado", "ada", "ido", "ida", "ez", "ment", "tion", "tions", "ure", "eur",
        "age", "ance", "ence", "és", "ée", "ées", "ant", "aient", "ait",
    ];
    ENDINGS.iter().any(|ending| word.len() > ending.len() + 1 && word.ends_with(ending))
}

/// The rule by which the words count as a name, if they do.
fn accepted(capitals: &Capitals, run: &Run, at_start: bool) -> Option<EntityRule> {
    let Run { first, last, person, genitive, .. } = *run;
    let words = capitals.words;
    let word = &words[first];
    let shown = word.text(capitals.text);
    let known = capitals.has(first, role::GIVEN);
    // "the Intents page": a label of what is on a screen.
    let follows = words.get(last + 1).filter(|next| next.gap == Gap::Space);
    let is_label = first > 0
        && words[first].gap == Gap::Space
        && words[first - 1].text(capitals.text) == "the"
        && follows.is_some_and(|next| LABELLED.contains(&next.key));
    if is_label {
        return None;
    }
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
    if NO_NAMES.contains(&word.key) {
        return None;
    }
    if word.is_caps() {
        let noise = capitals.shouting
            || letters > 10
            || capitals.is_everyday(word)
            || capitals.has(first, role::PERSON_NOUN)
            || ROMAN.contains(&word.key);
        return (!noise).then_some(EntityRule::AllCaps);
    }
    if word.inner_upper && word.lower {
        let noise = capitals.is_everyday(word);
        return (!noise).then_some(if is_family_spelling(shown) {
            EntityRule::Capitalised
        } else {
            EntityRule::Code
        });
    }
    if person || known || run.called.is_some() {
        return Some(EntityRule::Capitalised);
    }
    // A title alone, "Professor", is not a name.
    if capitals.has(first, role::TITLE | role::PERSON_NOUN)
        || (word.digit && !word.inner_upper && letters < 3)
    {
        return None;
    }
    if capitals.title_case || capitals.shouting {
        return None;
    }
    if capitals.language == Language::German {
        let is_name = (genitive && !at_start) || german_names::has_evidence(capitals, first);
        let is_genitive = genitive && shown.ends_with('s') && !capitals.is_everyday(word);
        return (is_name || is_genitive).then_some(EntityRule::Capitalised);
    }
    // "the Gateway", "A Project": an everyday word is a name only where it acts like somebody.
    if capitals.has(first, role::COMMON | role::THING) {
        let acts = capitals.has(first + 1, role::PERSON_VERB) && words[first + 1].gap == Gap::Space;
        return (acts && !at_start && !is_thing(capitals, first, first)).then_some(EntityRule::Capitalised);
    }
    let elsewhere = capitals.elsewhere(first);
    if !at_start || capitals.language == Language::Chinese {
        // A word that the text also writes small is doubtful.
        return (elsewhere & SMALL_ELSEWHERE == 0).then_some(EntityRule::Capitalised);
    }
    // French and Spanish sentences begin with nouns and verbs of which no list is complete.
    if matches!(capitals.language, Language::French | Language::Spanish) {
        let is_subject = !is_inflected(shown) && acts_like_person(capitals, first + 1);
        let is_name = (is_subject || elsewhere & CAPITAL_ELSEWHERE != 0) && elsewhere & SMALL_ELSEWHERE == 0;
        return (is_name && !capitals.has(first, role::STARTER)).then_some(EntityRule::Capitalised);
    }
    let ruled_out =
        capitals.has(first, role::STARTER) || elsewhere & SMALL_ELSEWHERE != 0 || has_common_ending(shown);
    (elsewhere & CAPITAL_ELSEWHERE != 0 && !capitals.has(first, role::STARTER) || !ruled_out)
        .then_some(EntityRule::Capitalised)
}
