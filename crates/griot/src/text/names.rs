//! Names of people, places, organisations and works, told by their capitals.

use std::cell::OnceCell;
use std::sync::LazyLock;

use crate::model::EntityType;

use super::calendar::{digits, is_calendar_name, year};
use super::entity::{EntityMention, EntityRule};
use super::language::{Language, language_of};
use super::sentence::is_abbreviation;
use super::words::{Gap, KeyMap, KeySet, Phrases, Word, key, key_set, lines};

/// What a listed word says about a name; a word may say several things.
mod role {
    pub const FUNCTION: u32 = 1;
    pub const STARTER: u32 = 1 << 1;
    /// A starter that belongs to the name behind it: "New York".
    pub const BINDING: u32 = 1 << 2;
    pub const GIVEN: u32 = 1 << 3;
    /// A given name that is an everyday word too.
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
}

static ROLES: LazyLock<KeyMap<u32>> = LazyLock::new(|| {
    let mut roles: KeyMap<u32> = KeyMap::with_capacity_and_hasher(8192, Default::default());
    let mut add = |word: &str, role: u32| *roles.entry(key(word)).or_default() |= role;
    let plain = [
        (include_str!("../../data/stopwords_en.txt"), role::FUNCTION),
        (include_str!("../../data/stopwords_de.txt"), role::GERMAN),
        (include_str!("../../data/stopwords_fr.txt"), role::FRENCH),
        (include_str!("../../data/stopwords_es.txt"), role::SPANISH),
        (
            include_str!("../../data/sentence_starters.txt"),
            role::STARTER,
        ),
        (
            include_str!("../../data/binding_starters.txt"),
            role::BINDING,
        ),
        (include_str!("../../data/demonyms.txt"), role::DEMONYM),
        (
            "in near across outside inside throughout around within",
            role::PLACE_CUE,
        ),
    ];
    for (list, role) in plain {
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
        (
            include_str!("../../data/org_words.txt"),
            [
                ("first", role::ORG_FIRST),
                ("last", role::ORG_LAST),
                ("any", role::ORG_ANY),
            ],
        ),
        (
            include_str!("../../data/location_words.txt"),
            [
                ("first", role::PLACE_FIRST),
                ("last", role::PLACE_LAST),
                ("", 0),
            ],
        ),
        (
            include_str!("../../data/person_words.txt"),
            [
                ("title", role::TITLE),
                ("rank", role::RANK),
                ("verb", role::PERSON_VERB),
            ],
        ),
        (
            include_str!("../../data/name_particles.txt"),
            [
                ("always", role::LINK),
                ("foreign", role::LINK_FOREIGN),
                ("office", role::LINK_OFFICE),
            ],
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

static PLACES: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let names = lines(include_str!("../../data/places.txt"))
        .flat_map(|line| line.split(','))
        .map(str::trim);
    Phrases::new(names.filter(|name| !name.is_empty()).map(|name| (name, ())))
});

static ROMAN: LazyLock<KeySet> =
    LazyLock::new(|| key_set("ii iii iv vi vii viii ix xi xii xiii xiv xv xvi"));

const CAPITAL_ELSEWHERE: u8 = 1;
const SMALL_ELSEWHERE: u8 = 2;

/// What the capitals of one text are worth.
pub(super) struct Capitals<'t> {
    text: &'t str,
    words: &'t [Word],
    roles: Vec<u32>,
    language: Language,
    /// Most words are written in capitals throughout, or each with one: capitals say nothing.
    shouting: bool,
    title_case: bool,
    /// For each word whether it stands inside a sentence with a capital, or anywhere without.
    elsewhere: OnceCell<KeyMap<u8>>,
}

impl<'t> Capitals<'t> {
    pub(super) fn of(text: &'t str, words: &'t [Word]) -> Self {
        let table = &*ROLES;
        let roles = words
            .iter()
            .map(|word| table.get(&word.key).copied().unwrap_or(0))
            .collect();
        let letters = words
            .iter()
            .filter(|word| (word.lower || word.upper) && word.end - word.start > 1);
        let (mut all, mut caps, mut long, mut first) = (0, 0, 0, 0);
        for word in letters {
            all += 1;
            caps += usize::from(word.is_caps());
            // Short words stay small in titles too.
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

    /// The word begins a sentence, a line, a quotation or what follows a colon, where grammar asks for a capital.
    pub(super) fn starts_sentence(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else {
            return false;
        };
        match word.gap {
            Gap::Start | Gap::Break | Gap::Colon => true,
            Gap::Dot => at == 0 || !is_abbreviation(self.words[at - 1].text(self.text)),
            Gap::Bracket | Gap::Other => {
                at == 0
                    || self.text[self.words[at - 1].end..word.start]
                        .contains(['"', '“', '”', '„', '«', '»', '*', '‘'])
            }
            Gap::Comma => at == 0,
            _ => at == 0,
        }
    }

    /// A function word or one that often begins a sentence.
    pub(super) fn is_everyday(&self, word: &Word) -> bool {
        ROLES
            .get(&word.key)
            .is_some_and(|roles| roles & (role::FUNCTION | role::STARTER) != 0)
    }

    fn has(&self, at: usize, role: u32) -> bool {
        self.roles.get(at).is_some_and(|roles| roles & role != 0)
    }

    fn is_function(&self, at: usize) -> bool {
        let own = match self.language {
            Language::German => role::GERMAN,
            Language::French => role::FRENCH,
            Language::Spanish => role::SPANISH,
            _ => 0,
        };
        self.has(at, role::FUNCTION | own)
    }

    /// May be part of a name.
    fn is_namelike(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| {
            word.upper && !is_calendar_name(word) && word.text(self.text) != "I"
        })
    }

    fn elsewhere(&self, at: usize) -> u8 {
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
        self.words
            .get(at)
            .and_then(|word| seen.get(&word.key))
            .copied()
            .unwrap_or(0)
    }

    /// A number behind the word belongs to the name: "Apollo 11".
    fn is_numbered(&self, last: usize) -> bool {
        let Some(number) = self
            .words
            .get(last + 1)
            .filter(|word| word.gap == Gap::Space)
        else {
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
    fn is_of_a_year(&self, first: usize) -> bool {
        first >= 2
            && self.words[first].gap == Gap::Space
            && year(self.words[first - 1].text(self.text)).is_some()
            && self.words[first - 1].gap == Gap::Space
            && self.words[first - 2]
                .text(self.text)
                .eq_ignore_ascii_case("the")
    }

    fn is_link(&self, at: usize, behind_office: bool) -> bool {
        let Some(word) = self.words.get(at) else {
            return false;
        };
        let is_foreign =
            self.language != Language::German || (at > 0 && self.has(at - 1, role::LINK));
        !word.upper
            && (self.has(at, role::LINK)
                || (is_foreign && self.has(at, role::LINK_FOREIGN))
                || (behind_office && self.has(at, role::LINK_OFFICE)))
    }

    /// The last word of the run of capitals that begins at `first`.
    fn run_end(&self, first: usize) -> usize {
        let mut last = first;
        let mut office = false;
        loop {
            office |= self.has(last, role::ORG_FIRST | role::ORG_ANY);
            let next = last + 1;
            let Some(word) = self.words.get(next) else {
                return last;
            };
            let own = self.words[last].text(self.text);
            let joins = match word.gap {
                Gap::Space | Gap::Line | Gap::Ampersand => true,
                Gap::Hyphen => true,
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
            let is_person_of = last > first
                && self.has(first, role::GIVEN)
                && self.words[next].text(self.text) == "of";
            let spaced = self
                .words
                .get(after)
                .is_some_and(|word| matches!(word.gap, Gap::Space | Gap::Apostrophe | Gap::Hyphen));
            if after == next
                || is_person_of
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

/// Every capitalised name of the text.
pub(super) fn capitalised_names(
    text: &str,
    words: &[Word],
    capitals: &Capitals,
    found: &mut Vec<EntityMention>,
) {
    let mut at = 0;
    while at < words.len() {
        if !capitals.is_namelike(at) {
            let word = &words[at];
            if word.inner_upper
                && word.lower
                && !word.upper
                && word.end - word.start >= 4
                && !word.digit
            {
                push(
                    text,
                    words,
                    (at, at),
                    EntityType::Concept,
                    EntityRule::Code,
                    found,
                );
            }
            at += 1;
            continue;
        }
        // "US" is a place, "Us" is not.
        let place = PLACES
            .at(words, at)
            .map(|(len, ())| len)
            .filter(|_| !capitals.is_function(at) || words[at].is_caps());
        let last = capitals.run_end(at);
        if let Some(len) = place {
            push(
                text,
                words,
                (at, at + len - 1),
                EntityType::Location,
                EntityRule::Capitalised,
                found,
            );
        }
        if let Some((first, last, person)) = trimmed(capitals, at, last)
            && place.is_none_or(|len| last > at + len - 1)
        {
            if let Some(rule) = accepted(
                capitals,
                words,
                first,
                last,
                first == at && capitals.starts_sentence(at),
                person,
            ) {
                let mut kind = if rule == EntityRule::Code {
                    EntityType::Concept
                } else {
                    kind_of(capitals, first, last, person)
                };
                let (mut from, mut to) = (first, last);
                if first < last
                    && !person
                    && capitals.is_of_a_year(first)
                    && rule == EntityRule::Capitalised
                {
                    from = first - 1;
                    kind = if matches!(kind, EntityType::Concept | EntityType::Person) {
                        EntityType::Event
                    } else {
                        kind
                    };
                }
                if kind != EntityType::Person
                    && rule == EntityRule::Capitalised
                    && capitals.is_numbered(last)
                {
                    to = last + 1;
                }
                push(text, words, (from, to), kind, rule, found);
            }
            // A place behind other words of the run, "Visit Paris", is found on its own too.
            for inner in at + 1..=last {
                if let Some((len, ())) = PLACES.at(words, inner) {
                    push(
                        text,
                        words,
                        (inner, inner + len - 1),
                        EntityType::Location,
                        EntityRule::Capitalised,
                        found,
                    );
                }
            }
        }
        at = last.max(at + place.unwrap_or(1) - 1) + 1;
    }
}

fn push(
    text: &str,
    words: &[Word],
    (first, last): (usize, usize),
    kind: EntityType,
    rule: EntityRule,
    found: &mut Vec<EntityMention>,
) {
    // "al-Qaida" and the stop of "U.S." belong to the name.
    let article = first.checked_sub(1).filter(|at| {
        words[first].gap == Gap::Hyphen && matches!(words[*at].text(text), "al" | "el")
    });
    let is_dotted = words[last].gap == Gap::DotJoined && words[last].end - words[last].start == 1;
    let end = words[last].end + usize::from(is_dotted && text[words[last].end..].starts_with('.'));
    let bytes = words[article.unwrap_or(first)].start..end;
    let shown = &text[bytes.clone()];
    // A name in wrapped text is the same name.
    let name = if shown.contains(['\n', '\r']) {
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        shown.to_string()
    };
    found.push(EntityMention {
        bytes,
        name,
        kind,
        rule,
    });
}

/// The run without titles, function words and sentence starters at its ends; and whether a title says it is a person.
fn trimmed(capitals: &Capitals, first: usize, last: usize) -> Option<(usize, usize, bool)> {
    let (start, mut first, mut last) = (first, first, last);
    let mut person = false;
    // "Prime Minister Ada Byron": the name begins behind the last title.
    let is_institution = capitals.has(last, role::ORG_LAST | role::ORG_ANY | role::PLACE_LAST);
    if !is_institution
        && let Some(title) = (first + 1..last)
            .rev()
            .find(|at| capitals.has(*at, role::TITLE) && capitals.is_namelike(at + 1))
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
            && (word.text(capitals.text).ends_with("ed")
                || word.text(capitals.text).ends_with("ing"))
            && PLACES.at(capitals.words, first).is_none();
        let is_caps_name = word.is_caps() && !capitals.shouting && !capitals.is_function(first);
        let is_initial = word.end - word.start == 1
            && first < last
            && matches!(capitals.words[first + 1].gap, Gap::Dot | Gap::DotJoined);
        let is_occupation = at_start
            && first + 2 <= last
            && !capitals.has(first, role::GIVEN)
            && capitals.has(first + 1, role::GIVEN)
            && OCCUPATION_ENDINGS
                .iter()
                .any(|ending| word.text(capitals.text).ends_with(ending));
        if capitals.has(first, role::TITLE)
            && first < last
            && !is_institution
            && capitals.is_namelike(first + 1)
        {
            person = true;
        } else if is_occupation {
            // Only the name behind it.
        } else if is_initial || person || is_caps_name {
            break;
        } else if !(capitals.is_function(first)
            || capitals.is_link(first, true)
            || (at_start && capitals.has(first, role::STARTER) && !binds)
            || is_opening_verb)
        {
            break;
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

/// Why the words count as a name, if they do.
fn accepted(
    capitals: &Capitals,
    words: &[Word],
    first: usize,
    last: usize,
    at_start: bool,
    person: bool,
) -> Option<EntityRule> {
    let word = &words[first];
    let shown = word.text(capitals.text);
    let known = capitals.has(first, role::GIVEN);
    if first < last {
        let all_caps = words[first..=last]
            .iter()
            .all(|word| word.is_caps() || word.end - word.start == 1);
        let weak = (capitals.shouting && all_caps) || (capitals.title_case && !known);
        // German sets capitals on nouns: two in a row are rarely grammar, two with "von" between them often are.
        let german = capitals.language == Language::German
            && !known
            && !person
            && !capitals.is_namelike(first + 1);
        return (!weak && !german).then_some(EntityRule::Capitalised);
    }
    let letters = shown.chars().count();
    if letters < 2 || capitals.is_function(first) || capitals.has(first, role::DEMONYM) {
        return None;
    }
    if word.is_caps() {
        let noise = capitals.shouting
            || letters > 10
            || capitals.is_everyday(word)
            || ROMAN.contains(&word.key);
        return (!noise).then_some(EntityRule::AllCaps);
    }
    if word.inner_upper && word.lower {
        let is_family =
            shown.starts_with("Mc") || shown.starts_with("Mac") || shown.starts_with("De");
        let noise = capitals.is_everyday(word);
        return (!noise).then_some(if is_family {
            EntityRule::Capitalised
        } else {
            EntityRule::Code
        });
    }
    if person || known {
        return Some(EntityRule::Capitalised);
    }
    // A title alone, "Professor", is no name.
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
    let ruled_out = capitals.has(first, role::STARTER)
        || elsewhere & SMALL_ELSEWHERE != 0
        || has_common_ending(shown);
    (elsewhere & CAPITAL_ELSEWHERE != 0 && !capitals.has(first, role::STARTER) || !ruled_out)
        .then_some(EntityRule::Capitalised)
}

/// Endings of everyday English nouns, verbs and adverbs; a lone word with one that begins a sentence is rarely a name.
fn has_common_ending(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ing", "ed", "ly", "tion", "tions", "sion", "ment", "ments", "ness", "ity", "ities",
        "ists", "ers", "ors", "ants", "ents", "ives", "ful", "less", "able", "ible", "ous", "ism",
        "ance", "ence", "ages", "ures",
    ];
    ENDINGS
        .iter()
        .any(|ending| word.len() > ending.len() + 2 && word.ends_with(ending))
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
    let linked =
        (first..=last).any(|at| matches!(capitals.words[at].text(capitals.text), "of" | "the"));
    if words <= 4
        && !linked
        && (has(first, role::GIVEN) || (words > 1 && has(first, role::GIVEN_MAYBE)))
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
    if words <= 3
        && !linked
        && has(last + 1, role::PERSON_VERB)
        && capitals.words[last + 1].gap == Gap::Space
    {
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
    // "Springfield, Illinois".
    let is_before_place = capitals
        .words
        .get(last + 1)
        .is_some_and(|word| word.gap == Gap::Comma)
        && PLACES.at(capitals.words, last + 1).is_some();
    if words <= 3 && is_before_place {
        return EntityType::Location;
    }
    // Two or three words that are capitals for no other reason are most often a person.
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
            && !capitals.has(at, listed)
            && PLACES.at(capitals.words, at).is_none()
    });
    let is_singular = !has_common_ending(capitals.words[last].text(capitals.text)) || words == 3;
    if (2..=3).contains(&words) && is_plain && is_singular {
        return EntityType::Person;
    }
    EntityType::Concept
}
