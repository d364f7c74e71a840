//! Interprets a question without a model: intent, words, known names, time spans.

use std::collections::BTreeMap;

use crate::backend::{Found, NodeName, Part, Read, WordQuery};
use crate::model::{EntityType, Interval, Node, Result, Timestamp};
use crate::text::{self, EntityRule, Intent, IntentReading, Language, TimeExpression, TimeRelation};

use super::Query;

/// The most words of a question that are looked up as names; limits the cost of a pasted document.
const NAME_WORDS: usize = 64;
/// Entities near to a question that names none, and the least cosine of their names with it.
pub const NEAREST: usize = 3;
const NEAR: f32 = 0.5;
/// Longest name in words.
const NAME_LENGTH: usize = 6;
/// Bytes of the shortest name that is looked for without its genitive "s".
const SHORTEST_OWNER: usize = 3;
pub struct Understood {
    pub intent: IntentReading,
    pub language: Language,
    /// Search terms: content words, or all words if there are only function words.
    pub terms: Vec<String>,
    /// Which of the terms are parts of others.
    pub parts: Vec<Part>,
    /// Bits of the terms that are written with a capital inside a sentence.
    pub capitals: u64,
    /// Entities named in the question, with the trust in each reading.
    pub entities: Vec<Named>,
    /// Bits of the terms that are words of these names.
    pub naming: u64,
    pub times: Vec<TimeExpression>,
    /// Whether the question asks for nothing but a time, or one word beside it: "what happened last week",
    /// "what was the rent in August".
    pub only_time: bool,
    /// Whether that word says what is asked for.
    pub has_subject: bool,
    /// Whether it only reacts to what is in sight: "yes, go on", "commit this".
    pub is_reaction: bool,
    /// Spans in, before or after which an answer should be.
    pub spans: Vec<Span>,
}

impl Understood {
    /// Number of words that are searched for; a name is one, however many parts it has. In a script without
    /// spaces about every second pair of characters is a word.
    pub fn words(&self) -> usize {
        let pairs = self.terms.iter().filter(|term| term.starts_with(text::is_unspaced)).count();
        self.terms.len() - self.parts.len() - pairs / 2
    }

    /// Whether what happened at a time answers the question. "Why did it not start on the 20th?" asks for
    /// more, even if no other word is left.
    pub fn is_of_time(&self) -> bool {
        self.only_time && self.intent.intent != Intent::Why
    }

    pub fn word_query(&self, limit: usize, places: usize) -> WordQuery {
        WordQuery { terms: self.terms.clone(), parts: self.parts.clone(), limit, places }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    pub node: Node,
    /// 1 if it is written like a name, less for a lower-case word that equals a name, or for a name that is
    /// only near to the question.
    pub trust: f32,
    /// Bits of the terms that are words of the name.
    pub terms: u64,
}

impl Named {
    /// Those that are near enough.
    pub fn nearest(found: Vec<Vec<(Node, f32)>>) -> Vec<Self> {
        let near = found.into_iter().flatten().filter(|(_, cosine)| *cosine >= NEAR);
        near.map(|(node, trust)| Self { node, trust: trust.min(1.0), terms: 0 }).collect()
    }
}

/// A time span and the required relation to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    pub relation: TimeRelation,
    pub interval: Interval,
}

impl Span {
    /// 1 inside, decreasing with the distance in lengths of the span (at least a day), 0 on the wrong side.
    pub fn fit(&self, at: Timestamp) -> f32 {
        let length = (self.interval.end.0 - self.interval.start.0).max(Timestamp::DAY) as f32;
        let beyond = |distance: i64| 1.0 / (1.0 + 2.0 * distance.max(0) as f32 / length);
        match self.relation {
            TimeRelation::Within | TimeRelation::Around => {
                if self.interval.contains(at) {
                    1.0
                } else if at < self.interval.start {
                    0.5 * beyond(self.interval.start.0 - at.0)
                } else {
                    0.5 * beyond(at.0 - self.interval.end.0)
                }
            }
            TimeRelation::Before if at < self.interval.start => beyond((self.interval.start.0 - at.0) / 4),
            TimeRelation::After if at >= self.interval.end => beyond((at.0 - self.interval.end.0) / 4),
            TimeRelation::Before | TimeRelation::After => 0.0,
        }
    }

    /// The first and last year that an answer may mention.
    pub fn years(&self) -> (i16, i16) {
        let first = self.interval.start.date().year();
        let last = Timestamp(self.interval.end.0 - 1).date().year();
        match self.relation {
            TimeRelation::Within | TimeRelation::Around => (first, last),
            // "before 1990" usually asks for the years just before.
            TimeRelation::Before => (first - OPEN_YEARS, first),
            TimeRelation::After => (last, last + OPEN_YEARS),
        }
    }
}

/// Range in years of "before" and "after" when only years are compared.
const OPEN_YEARS: i16 = 4;

pub fn understand(read: &dyn Read, query: &Query) -> Result<Understood> {
    let text = query.question();
    let mut intent = text::read_intent(text);
    if let Some(asked) = query.intent {
        let forward = asked == Intent::Why && intent.forward;
        intent = IntentReading { intent: asked, forward, confidence: 1.0 };
    }
    let mut all_terms = text::query_terms(text);
    let cues = text::cue_terms(text);
    if all_terms.iter().any(|term| !term.stop && !cues.contains(&term.text)) {
        all_terms.iter_mut().for_each(|term| term.stop |= cues.contains(&term.text));
    }
    let content: Vec<usize> = (0..all_terms.len()).filter(|at| !all_terms[*at].stop).collect();
    let mut terms: Vec<String> = content.iter().map(|at| all_terms[*at].text.clone()).collect();
    let part = |(term, at): (usize, &usize)| {
        let whole = content.binary_search(&all_terms[*at].whole?).ok()?;
        Some(Part { term, whole })
    };
    let parts = content.iter().enumerate().filter_map(part).collect();
    if terms.is_empty() {
        terms = all_terms.into_iter().map(|t| t.text).take(16).collect();
    }
    let times = text::times_asked(text, query.now);
    let rest = without(text, &times);
    let capital = text::capital_terms(&rest);
    let bit = |(at, _)| 1u64.checked_shl(at).unwrap_or(0);
    let capitals = (0u32..).zip(&terms).filter(|(_, term)| capital.contains(term)).map(bit).sum();
    let subject = text::query_terms(&rest);
    let mut subject = subject.iter().filter(|term| !term.stop);
    let (first, second) = (subject.next(), subject.next());
    let has_subject = first.is_some_and(|term| !text::is_vague(&term.text));
    let mut spans: Vec<Span> =
        times.iter().map(|t| Span { relation: t.relation, interval: t.interval }).collect();
    // "What happened" within a period that the caller gives.
    if spans.is_empty() && !has_subject {
        spans.extend(query.occurred.map(|interval| Span { relation: TimeRelation::Within, interval }));
    }
    let only_time = !spans.is_empty() && second.is_none();
    let bits_of = |words: &[String]| -> u64 {
        (0u32..).zip(&terms).filter(|(_, term)| words.contains(term)).map(bit).sum()
    };
    let named = names(read, text)?.into_iter();
    let entities: Vec<Named> =
        named.map(|(node, trust, words)| Named { node, trust, terms: bits_of(&words) }).collect();
    let naming = entities.iter().fold(0, |all, named| all | named.terms);
    let is_reaction = entities.iter().all(|named| named.trust < 1.0) && text::is_reaction(text);
    Ok(Understood {
        intent,
        language: text::language(text),
        terms,
        parts,
        capitals,
        entities,
        naming,
        times,
        only_time,
        has_subject,
        is_reaction,
        spans,
    })
}

/// The text without these expressions, or unchanged if nothing else remained.
pub fn without(text: &str, times: &[TimeExpression]) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    for time in times {
        if let Some(piece) = text.get(at..time.bytes.start) {
            rest.push_str(piece);
            at = time.bytes.end;
        }
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    if rest.split_whitespace().count() < 2 { text.to_string() } else { rest }
}

/// Finds the entities named in the text, with the trust in each reading and the search terms of its name
/// there. Looks up every run of up to six words; a longer name hides the shorter ones inside it.
fn names(read: &dyn Read, text: &str) -> Result<Vec<(Node, f32, Vec<String>)>> {
    let words: Vec<(usize, &str)> = words(text).take(NAME_WORDS).collect();
    let runs = runs(text, &words);
    let keys: Vec<NodeName<'_>> = runs.keys().map(String::as_str).map(NodeName::Entity).collect();
    let found = read.find(&keys)?.into_iter();
    let live = |found: Vec<Found>| -> Vec<(Node, EntityType)> {
        let entities = found.into_iter().filter_map(|found| Some((found.node, found.entity?)));
        entities.filter(|(_, entity)| entity.live).map(|(node, entity)| (node, entity.kind)).collect()
    };
    let found: Vec<Vec<(Node, EntityType)>> = found.map(live).collect();
    let fits = |run: &Words, kind: EntityType| !run.genitive || kind == EntityType::Person;
    let mut hits: Vec<(Words, Vec<(Node, EntityType)>)> = Vec::new();
    for (run, mut found) in runs.into_values().zip(found) {
        found.retain(|(_, kind)| fits(&run, *kind));
        if !found.is_empty() {
            hits.push((run, found));
        }
    }
    hits.sort_by_key(|(run, _)| (std::cmp::Reverse(run.last - run.first), run.first, run.genitive));
    let is_small = !text.contains(char::is_uppercase);
    // "Frau Albers" names Albers with both words.
    let titled = |first: usize| match first.checked_sub(1) {
        Some(before) if text::is_honorific(words[before].1) => before,
        _ => first,
    };
    let mut taken = vec![false; words.len()];
    let mut named: Vec<(Node, f32, Vec<String>)> = Vec::new();
    for (Words { first, last, genitive }, found) in hits {
        if taken[first..=last].iter().any(|t| *t) {
            continue;
        }
        taken[first..=last].fill(true);
        let written_as_name = (first..=last)
            .any(|w| words[w].1.starts_with(|c: char| c.is_uppercase() || c.is_numeric()))
            && (first > 0
                || last > first
                || !words[first].1.starts_with(char::is_uppercase)
                || words.len() == 1);
        let trust = if written_as_name || last > first { 1.0 } else { 0.5 };
        for (node, kind) in found {
            // "first" is not a name even if an entity is called First; "redis" is one, and in "emil shoes",
            // where nothing has a capital, "emil".
            let name = owner(words[first].1).filter(|_| genitive).unwrap_or(words[first].1);
            let is_typed_small = || is_small && is_proper(kind) && !text::is_everyday(name);
            if trust < 1.0 && !is_written_small(kind) && !is_typed_small() {
                continue;
            }
            if !named.iter().any(|(known, ..)| *known == node) {
                let end = words[last].0 + words[last].1.len();
                named.push((node, trust, text::content_terms(&text[words[titled(first)].0..end])));
            }
        }
    }
    named.sort_by_key(|(node, ..)| *node);
    Ok(named)
}

/// A word without the "s" of a genitive.
fn owner(word: &str) -> Option<&str> {
    word.strip_suffix('s').filter(|owner| owner.len() >= SHORTEST_OWNER)
}

/// Words of a question that may be a name, the first and the last one.
#[derive(Clone, Copy)]
struct Words {
    first: usize,
    last: usize,
    /// The name is that without the "s" of a genitive: "Lenas Fahrrad", "emils shoes".
    genitive: bool,
}

/// What may be a name, by its normal form.
fn runs(text: &str, words: &[(usize, &str)]) -> BTreeMap<String, Words> {
    let mut runs: BTreeMap<String, Words> = BTreeMap::new();
    let function_words: Vec<bool> = words.iter().map(|(_, word)| is_function_word(word)).collect();
    for first in 0..words.len() {
        for last in first..words.len().min(first + NAME_LENGTH) {
            // Names may contain function words ("Bank of Dublin") but do not end with one; "The Who" begins
            // with one.
            if function_words[last] && !words[last].1.starts_with(char::is_uppercase) {
                continue;
            }
            if function_words[first] && (first == last || !words[first].1.starts_with(char::is_uppercase)) {
                continue;
            }
            let end = words[last].0 + words[last].1.len();
            let mut add = |name: &str, genitive: bool| {
                let run = Words { first, last, genitive };
                let known = runs.entry(text::normal_name(name)).or_insert(run);
                if known.genitive && !genitive {
                    *known = run;
                }
            };
            let name = &text[words[first].0..end];
            add(name, false);
            if first == last
                && let Some(owner) = owner(name)
            {
                add(owner, true);
            }
        }
    }
    // Alternative spellings of a known name (`k8s`) match it.
    for mention in text::entities(text).into_iter().filter(|m| m.rule == EntityRule::Dictionary) {
        let first = words.iter().position(|(at, word)| at + word.len() > mention.bytes.start);
        let last = words.iter().rposition(|(at, _)| *at < mention.bytes.end);
        if let (Some(first), Some(last)) = (first, last) {
            let run = Words { first, last: last.max(first), genitive: false };
            runs.entry(text::normal_name(&mention.name)).or_insert(run);
        }
    }
    runs
}

/// Types whose names are often written in lower case.
fn is_written_small(kind: EntityType) -> bool {
    use EntityType as E;
    matches!(
        kind,
        E::Tool | E::Repo | E::File | E::Module | E::Function | E::Type | E::External | E::Goal | E::Task
    )
}

/// Types whose names have a capital in every language that has capitals.
fn is_proper(kind: EntityType) -> bool {
    matches!(kind, EntityType::Person | EntityType::Org | EntityType::Location)
}

fn is_function_word(word: &str) -> bool {
    text::query_terms(word).iter().all(|t| t.stop)
}

/// Words with their byte offsets. Signs inside a word (`node.js`, `C++`, `co-op`) belong to it. Each
/// ideograph is a word, so that longer names are found as runs.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(char::is_alphanumeric)?;
        let mut end = start;
        for (at, c) in text[start..].char_indices() {
            if c.is_whitespace() || "\"“”「」《》(),;?!，。？、".contains(c) {
                break;
            }
            end = start + at + c.len_utf8();
        }
        rest = end;
        let word = text[start..end].trim_end_matches(['.', ':', '\'', '’']);
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
        Some((start, word))
    })
}
