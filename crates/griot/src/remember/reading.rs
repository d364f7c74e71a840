//! Decides what the readings of a language model change: what it said about memories becomes mentions,
//! relations, links between memories and facts.
//!
//! A model may say anything. A name counts only if its words are in the memory, so that nothing gets an edge
//! to what the text does not name; a link counts only between memories that exist. Everything has the memory
//! as evidence and the provenance of a language model, which never overrules a person. What was read before
//! with the same version is not applied twice, whoever read it.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::backend::{NodeName, Read, Wanted};
use crate::graph::distinct;
use crate::model::{
    Change, Edge, EdgeKind, EntityType, Evidence, Fact, FactObject, Memory, MemoryId, Node, Predicate,
    Provenance, Reading, ReadingOutcome, ReadingTask, Result, Said, SourceId, Timestamp, normal_name,
};
use crate::text;

use super::edges::{LinkRequest, clamped, link};
use super::facts::closed_by;
use super::name::Name;
use super::resolve::Resolver;

/// What a language model said about one memory for one task.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadingDraft {
    pub memory: MemoryId,
    pub task: ReadingTask,
    /// Version of the prompt.
    pub version: u32,
    pub outcome: ReadingOutcome,
    /// Kept with the memory; entities and relations also become nodes and edges.
    pub said: Vec<Said>,
    pub links: Vec<SaidLink>,
    pub facts: Vec<SaidFact>,
}

impl ReadingDraft {
    pub fn new(memory: MemoryId, task: ReadingTask, version: u32, outcome: ReadingOutcome) -> Self {
        Self { memory, task, version, outcome, said: Vec::new(), links: Vec::new(), facts: Vec::new() }
    }
}

/// An edge between two memories.
#[derive(Clone, PartialEq, Debug)]
pub struct SaidLink {
    pub source: MemoryId,
    pub target: MemoryId,
    pub kind: EdgeKind,
    /// Default: that of the kind.
    pub label: Option<String>,
    /// 0 to 1.
    pub confidence: f32,
    pub reason: Option<String>,
}

/// A statement with a fixed predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct SaidFact {
    pub subject: String,
    pub predicate: Predicate,
    pub object: String,
    pub valid_from: Option<Timestamp>,
    pub valid_to: Option<Timestamp>,
    /// 0 to 1.
    pub confidence: f32,
}

/// What the readings of a batch came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadingTally {
    /// Memories that count as read now.
    pub memories: u32,
    /// Entities that did not exist before.
    pub entities: u32,
    pub mentions: u32,
    pub relations: u32,
    pub links: u32,
    pub facts: u32,
    /// Names that the memory does not contain, and what depends on them; links that are impossible.
    pub dropped: u32,
    /// Readings that came too late: another process was first, or the memory was forgotten.
    pub late: u32,
}

/// Confidence in a mention: the words of the name are in the text, and a model says that they are a name.
const NAMED: f32 = 0.9;
/// The highest strength of a relation.
const STRONGEST: u8 = 10;
/// Characters of the label of a relation; the rest is cut.
const LABEL: usize = 40;
/// Characters of a name; a longer one is none.
const LONGEST_NAME: usize = 120;

/// The changes of a batch, in one transaction.
pub fn plan(read: &dyn Read, drafts: &[ReadingDraft], now: Timestamp) -> Result<(Vec<Change>, ReadingTally)> {
    let names: Vec<NodeName<'_>> = drafts.iter().map(|draft| NodeName::Id(draft.memory)).collect();
    let found = read.find(&names)?;
    let nodes: Vec<Node> = found.iter().flatten().map(|one| one.node).collect();
    let memories: BTreeMap<Node, Memory> =
        read.memories(&nodes)?.into_iter().map(|memory| (memory.node, memory)).collect();
    let known = read.readings_about(&nodes)?;
    let sources: Vec<SourceId> = distinct(memories.values().map(|memory| memory.source).collect());
    let sources = read.fetch(&Wanted { sources: &sources, ..Wanted::default() })?.sources;
    let titles = sources.into_iter().filter_map(|source| Some((source.id, source.title?))).collect();
    let next = read.next_numbers()?.entity;
    let mut plan = Plan {
        read,
        now,
        titles,
        resolver: Resolver::new(read, next),
        edges: BTreeMap::new(),
        links: Vec::new(),
        facts: Vec::new(),
        tally: ReadingTally::default(),
    };
    let mut readings: Vec<Reading> = Vec::new();
    for (draft, found) in drafts.iter().zip(found) {
        let memory = found.first().and_then(|one| memories.get(&one.node));
        let Some(memory) = memory.filter(|memory| memory.deleted_at.is_none()) else {
            plan.tally.late += 1;
            continue;
        };
        let own = (memory.node, draft.task, memory.node);
        let is_read = |one: &Reading| {
            (one.memory, one.task, one.by) == own
                && one.version == draft.version
                && one.outcome == ReadingOutcome::Read
        };
        if known.iter().chain(&readings).any(is_read) {
            plan.tally.late += 1;
            continue;
        }
        let said = plan.statements(memory, draft)?;
        readings.push(Reading {
            memory: memory.node,
            task: draft.task,
            by: memory.node,
            version: draft.version,
            outcome: draft.outcome,
            at: now,
            undone_at: None,
            said,
        });
    }
    plan.tally.memories = readings.len() as u32;
    plan.tally.entities = plan.resolver.made();
    let mut changes: Vec<Change> = plan.resolver.into_changes()?.collect();
    changes.extend(plan.edges.into_values().map(Change::PutEdge));
    changes.extend(plan.links);
    changes.extend(plan.facts.into_iter().map(Change::PutFact));
    changes.extend(readings.into_iter().map(|reading| Change::PutReading(Box::new(reading))));
    Ok((changes, plan.tally))
}

struct Plan<'a> {
    read: &'a dyn Read,
    now: Timestamp,
    titles: HashMap<SourceId, String>,
    resolver: Resolver<'a>,
    /// By source, target and label, so that a relation that a memory states twice counts once.
    edges: BTreeMap<(Node, Node, Node, String), Edge>,
    links: Vec<Change>,
    facts: Vec<Fact>,
    tally: ReadingTally,
}

impl Plan<'_> {
    /// Adds what one draft says, and returns what is kept of it.
    fn statements(&mut self, memory: &Memory, draft: &ReadingDraft) -> Result<Vec<Said>> {
        let text = Words::of(memory, self.titles.get(&memory.source));
        let mut kinds: BTreeMap<String, Option<EntityType>> = BTreeMap::new();
        let mut kept = Vec::new();
        for said in &draft.said {
            if let Said::Entity { name, kind, .. } = said {
                if !text.have(name) {
                    self.tally.dropped += 1;
                    continue;
                }
                kinds.entry(normal_name(name)).or_insert_with(|| EntityType::parse(kind));
            }
            kept.push(said.clone());
        }
        let names = draft.said.iter().filter_map(|said| match said {
            Said::Entity { name, .. } => Some(name.as_str()),
            _ => None,
        });
        let names = names.filter(|name| text.have(name));
        let named: Vec<Name> = names.filter_map(|name| found(name, &kinds)).collect();
        self.resolver.look_up(named.iter())?;
        for name in &named {
            self.mention(memory, name)?;
        }
        let mut stated = Vec::with_capacity(kept.len());
        for said in kept {
            let is_kept = match &said {
                Said::Relation { source, target, kind, description, strength, .. } => {
                    let ends = [source, target].map(|name| found(name, &kinds).filter(|_| text.have(name)));
                    match ends {
                        [Some(source), Some(target)] => {
                            self.relation(memory, [&source, &target], kind, description, *strength)?
                        }
                        _ => false,
                    }
                }
                _ => true,
            };
            if is_kept {
                stated.push(said);
            } else {
                self.tally.dropped += 1;
            }
        }
        for said in &draft.links {
            self.link(memory, said)?;
        }
        for said in &draft.facts {
            self.fact(memory, &text, said)?;
        }
        Ok(stated)
    }

    fn evidence(&self, memory: &Memory, reason: Option<&str>) -> Evidence {
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty()).map(str::to_string);
        Evidence { memory: Some(memory.id), quote: None, reason, at: self.now }
    }

    fn mention(&mut self, memory: &Memory, name: &Name) -> Result<Option<Node>> {
        let Some(entity) = self.resolver.resolve(name, memory.occurred_at)? else { return Ok(None) };
        let key = (memory.node, memory.node, entity, String::new());
        if !self.edges.contains_key(&key) {
            let evidence = self.evidence(memory, None);
            let edge = Edge::new((memory.node, entity), EdgeKind::Mentions, Provenance::Llm, evidence);
            self.edges.insert(key, Edge { confidence: NAMED, ..edge });
            self.tally.mentions += 1;
        }
        Ok(Some(entity))
    }

    fn relation(
        &mut self,
        memory: &Memory,
        ends: [&Name; 2],
        kind: &str,
        description: &str,
        strength: u8,
    ) -> Result<bool> {
        let [source, target] = ends;
        let (Some(source), Some(target)) = (self.mention(memory, source)?, self.mention(memory, target)?)
        else {
            return Ok(false);
        };
        let label = label_of(kind);
        if source == target || label.is_empty() {
            return Ok(false);
        }
        let evidence = self.evidence(memory, Some(description));
        let strength = f32::from(strength.clamp(1, STRONGEST)) / f32::from(STRONGEST);
        let edge = Edge {
            label: label.clone(),
            weight: strength,
            ..Edge::new((source, target), EdgeKind::Relation, Provenance::Llm, evidence)
        };
        if self.edges.insert((memory.node, source, target, label), edge).is_none() {
            self.tally.relations += 1;
        }
        Ok(true)
    }

    fn link(&mut self, memory: &Memory, said: &SaidLink) -> Result<()> {
        let request = LinkRequest {
            source: said.source.to_string(),
            target: said.target.to_string(),
            kind: said.kind,
            label: said.label.clone(),
            weight: None,
            reason: said.reason.clone(),
            provenance: Provenance::Llm,
            confidence: Some(clamped(said.confidence, Provenance::Llm.confidence())),
            expires_at: None,
        };
        let names = [NodeName::Id(said.source), NodeName::Id(said.target)];
        let ends: Vec<Node> = self.read.find(&names)?.iter().flatten().map(|one| one.node).collect();
        let is_live = self.read.live(&ends)?.iter().all(|live| *live);
        let stated = match (ends.as_slice(), request.check(self.now)) {
            (&[source, target], Ok(label)) if is_live && self.is_within(memory, &ends)? => {
                link(self.read, &request, &label, (source, target), self.now).ok()
            }
            _ => None,
        };
        let Some((_, _, changes)) = stated else {
            self.tally.dropped += 1;
            return Ok(());
        };
        self.tally.links += 1;
        for change in changes {
            self.links.push(match change {
                Change::PutEdge(mut edge) => {
                    edge.evidence = vec![self.evidence(memory, said.reason.as_deref())];
                    Change::PutEdge(edge)
                }
                other => other,
            });
        }
        Ok(())
    }

    /// Whether the memory may know both ends: nobody else's memory becomes evidence or end of an edge of its
    /// own.
    fn is_within(&self, memory: &Memory, ends: &[Node]) -> Result<bool> {
        Ok(self.read.memories(ends)?.iter().all(|end| memory.scope.may_know(&end.scope)))
    }

    fn fact(&mut self, memory: &Memory, text: &Words, said: &SaidFact) -> Result<()> {
        let none = BTreeMap::new();
        let subject = found(&said.subject, &none).filter(|_| text.have(&said.subject));
        let is_literal = said.predicate.takes_literal();
        let is_said = |object: &str| text.have(object) || is_literal && text.say(object);
        let object = found(&said.object, &none).filter(|_| is_said(&said.object));
        let (Some(subject), Some(object)) = (subject, object) else {
            self.tally.dropped += 1;
            return Ok(());
        };
        let Some(subject) = self.mention(memory, &subject)? else { return Ok(()) };
        let object = if is_literal {
            FactObject::Literal(said.object.trim().to_string())
        } else {
            match self.mention(memory, &object)? {
                Some(object) if object != subject => FactObject::Entity(object),
                _ => {
                    self.tally.dropped += 1;
                    return Ok(());
                }
            }
        };
        let fact = Fact {
            number: 0,
            subject,
            predicate: said.predicate,
            object,
            valid_from: said.valid_from.or(Some(memory.occurred_at)),
            valid_to: said.valid_to,
            recorded_at: self.now,
            superseded_at: None,
            confidence: clamped(said.confidence, Provenance::Llm.confidence()),
            scope: memory.scope.clone(),
            evidence: vec![self.evidence(memory, None)],
        };
        let says = |known: &&Fact| {
            (known.subject, known.predicate, &known.object, &known.scope)
                == (fact.subject, fact.predicate, &fact.object, &fact.scope)
                && known.superseded_at.is_none()
                // What is said again after its end holds again, as a fact of its own.
                && known.valid_to.is_none_or(|end| fact.valid_from.is_none_or(|from| from < end))
        };
        let known =
            if self.resolver.is_new(subject) { Vec::new() } else { self.read.facts(Some(subject))? };
        if let Some(same) = self.facts.iter_mut().find(|known| says(&&**known)) {
            same.evidence.extend(fact.evidence);
            return Ok(());
        }
        if let Some(same) = known.iter().find(says) {
            let mut same = same.clone();
            if !same.evidence.iter().any(|evidence| evidence.memory == Some(memory.id)) {
                same.evidence.extend(fact.evidence);
                self.facts.push(same);
            }
            return Ok(());
        }
        for closed in self.closed_by(&fact, &self.facts) {
            if let Some(own) = self.facts.iter_mut().find(|own| {
                own.object == closed.object
                    && (own.subject, own.predicate) == (closed.subject, closed.predicate)
            }) {
                own.valid_to = closed.valid_to;
            }
        }
        let open: Vec<Fact> =
            known.into_iter().filter(|one| self.facts.iter().all(|own| own.number != one.number)).collect();
        self.facts.extend(self.closed_by(&fact, &open));
        self.facts.push(fact);
        self.tally.facts += 1;
        Ok(())
    }

    /// Facts that a new one closes because it began later. What is surer, such as a person's statement, and
    /// what began at the same time stays open: it contradicts, and a person decides.
    fn closed_by(&self, fact: &Fact, known: &[Fact]) -> Vec<Fact> {
        let mut closed = closed_by(fact, known, self.now);
        closed.retain(|old| old.confidence <= fact.confidence && old.valid_from < fact.valid_from);
        closed
    }
}

/// A name with the type that the model gave it; `None` if it is empty or too long.
fn found(name: &str, kinds: &BTreeMap<String, Option<EntityType>>) -> Option<Name> {
    let kind = kinds.get(&normal_name(name)).copied().flatten();
    let is_short = name.chars().count() <= LONGEST_NAME;
    Name::new(name, kind, 1.0, Name::RULE_CONFIDENCE, false).filter(|_| is_short)
}

/// The label of a relation: lower-case words joined by `_`.
fn label_of(kind: &str) -> String {
    let words = kind.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let label = words.map(str::to_lowercase).collect::<Vec<_>>().join("_");
    label.chars().take(LABEL).collect()
}

/// The words of a memory and of what is printed with it.
struct Words {
    text: String,
    words: HashSet<String>,
}

impl Words {
    fn of(memory: &Memory, title: Option<&String>) -> Self {
        let parts = [Some(&memory.text), memory.speaker.as_ref(), title];
        let parts = parts.into_iter().flatten().chain(&memory.heading).map(String::as_str);
        let text = normal_name(&parts.collect::<Vec<_>>().join("\n"));
        let words = words(&text).map(str::to_string).collect();
        Self { text, words }
    }

    /// Whether all words of a name are there; `Ada's store` needs `Ada` and `store`. In a script without
    /// spaces, the name as it is.
    fn have(&self, name: &str) -> bool {
        let name = normal_name(name);
        let own =
            |word| ["'s", "’s"].into_iter().find_map(|end| str::strip_suffix(word, end)).unwrap_or(word);
        let name = name.split(' ').map(own).collect::<Vec<_>>().join(" ");
        let mut parts = words(&name).peekable();
        if parts.peek().is_none() || text::content_words(&name).is_empty() {
            return false;
        }
        parts.all(|part| self.words.contains(part) || !part.is_ascii() && self.text.contains(part))
    }

    /// Whether the content words of a phrase are there, in any order and form.
    fn say(&self, phrase: &str) -> bool {
        let (own, phrase) = (text::token_set(&self.text), text::token_set(phrase));
        !phrase.is_empty() && phrase.iter().all(|word| own.binary_search(word).is_ok())
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_need_their_words_and_phrases_their_content_words() {
        let text = normal_name(
            "Ada Lovelace and O'Shea run a small store in Łódź and prefer meetings that are short.",
        );
        let words = Words { words: words(&text).map(str::to_string).collect(), text };
        for name in ["Ada", "ada lovelace", "Ada's store", "O'Shea's store", "Łódź", "Lovelace, Ada"] {
            assert!(words.have(name), "{name}");
        }
        for name in ["Grace", "Ada Byron", "stores", "the", "", "'s", "short meeting"] {
            assert!(!words.have(name), "{name}");
        }
        assert!(words.say("a short meeting") && words.say("the meetings of Ada"));
        assert!(!words.say("short calls") && !words.say("") && !words.say("the"));
    }
}
