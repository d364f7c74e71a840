//! Decides what the readings of a language model change: what it said about memories becomes mentions,
//! relations, links between memories, facts, and memories about a conversation.
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
    Provenance, Reading, ReadingOutcome, ReadingTask, Result, Said, Scope, SourceId, Timestamp, normal_name,
};
use crate::text;

use super::edges::{LinkRequest, clamped, link};
use super::facts::closed_by;
use super::name::Name;
use super::plan::{self, Batch, Part, Planned};
use super::prepare::Prepared;
use super::resolve::Resolver;
use super::{Action, Draft, EntityDraft, RememberSettings, SourceDraft};

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
    /// The memory whose arrival led to it. `None` for a reading of its own.
    pub by: Option<MemoryId>,
    /// Memories that were written about this one and others of its source. A draft with observations says
    /// nothing else, so that one transaction has one list of new entities.
    pub observed: Vec<Observed>,
}

impl ReadingDraft {
    pub fn new(memory: MemoryId, task: ReadingTask, version: u32, outcome: ReadingOutcome) -> Self {
        let (said, links, facts, observed) = Default::default();
        Self { memory, task, version, outcome, said, links, facts, by: None, observed }
    }
}

/// A memory that a language model writes about others.
#[derive(Clone, PartialEq, Debug)]
pub struct Observed {
    pub text: String,
    pub kind: String,
    pub tags: Vec<String>,
    /// The memories that say so: at least one, each of the source and the scope of the memory that is read.
    pub about: Vec<MemoryId>,
    /// Their names are in its text.
    pub facts: Vec<SaidFact>,
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
    /// Memories that were written about others.
    pub observations: u32,
    /// Notes of other memories that were brought up to date.
    pub evolved: u32,
    /// Names that the memory does not contain, and what depends on them; links that are impossible;
    /// observations without a memory that says so.
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
/// Characters and words of a name; a longer one is none, such as a whole sentence.
const LONGEST_NAME: usize = 120;
const MOST_WORDS: usize = 12;

/// The observations of one draft, read for names and embedded: work that needs no lock.
pub struct Written {
    /// The position of the draft.
    pub draft: usize,
    pub source: SourceDraft,
    pub prepared: Vec<Prepared>,
    /// The position of each among the observations of the draft.
    pub observed: Vec<usize>,
}

/// Drafts of one source, each with the position of what was observed.
type DraftsOfSource = (SourceDraft, Vec<(usize, Draft)>);

/// The drafts that become memories, for `prepare`: of the source and the scope of the memory that was read,
/// in a session of their own, so that they do not stand among what was said there. Without those whose
/// memories are not found.
pub fn drafts_of_observed(read: &dyn Read, draft: &ReadingDraft) -> Result<Option<DraftsOfSource>> {
    let about = draft.observed.iter().flat_map(|observed| &observed.about);
    let memories = live_memories(read, &distinct(about.chain([&draft.memory]).copied().collect()))?;
    let Some(memory) = memories.get(&draft.memory) else { return Ok(None) };
    let Some(source) = read.source(memory.source)? else { return Ok(None) };
    let session = match &memory.session {
        Some(session) => format!("observations of {session}"),
        None => "observations".to_string(),
    };
    let drafts = draft.observed.iter().enumerate().filter_map(|(at, observed)| {
        let about = observed.about.iter().filter_map(|id| memories.get(id));
        let about = about.filter(|one| (one.source, &one.scope) == (memory.source, &memory.scope));
        let occurred_at = about.map(|one| one.occurred_at).max()?;
        let text = Words::in_text(&observed.text);
        let entities = observed.facts.iter().flat_map(|fact| {
            let object = (!fact.predicate.takes_literal()).then_some(&fact.object);
            std::iter::once(&fact.subject).chain(object)
        });
        let is_name = |name: &&String| text.have(name) && name.chars().count() <= LONGEST_NAME;
        let entities = entities.filter(is_name).map(|name| EntityDraft::named(name, None));
        let draft = Draft {
            kind: Some(observed.kind.clone()),
            tags: observed.tags.clone(),
            scope: memory.scope.clone(),
            agent: memory.agent.clone(),
            session: Some(session.clone()),
            occurred_at: Some(occurred_at),
            entities: entities.collect(),
            ..Draft::new(&observed.text)
        };
        Some((at, draft))
    });
    Ok(Some((SourceDraft::new(source.kind, source.origin), drafts.collect())))
}

/// The changes of a batch, in one transaction.
pub fn plan(
    read: &dyn Read,
    drafts: &[ReadingDraft],
    written: &[Written],
    settings: &RememberSettings,
    now: Timestamp,
) -> Result<(Vec<Change>, ReadingTally)> {
    let mut tally = ReadingTally::default();
    let about = drafts.iter().flat_map(|draft| draft.observed.iter().flat_map(|one| &one.about).copied());
    let ids = drafts.iter().flat_map(|draft| [draft.memory, draft.by.unwrap_or(draft.memory)]).chain(about);
    let memories = live_memories(read, &distinct(ids.collect()))?;
    let nodes: Vec<Node> = memories.values().map(|memory| memory.node).collect();
    let known = read.readings_about(&nodes)?;
    let mut readings: Vec<Reading> = Vec::new();
    let mut accepted: Vec<(usize, &Memory)> = Vec::new();
    for (at, draft) in drafts.iter().enumerate() {
        let (memory, by) = (memories.get(&draft.memory), memories.get(&draft.by.unwrap_or(draft.memory)));
        let mut about = draft.observed.iter().flat_map(|one| &one.about);
        let is_whole = about.all(|id| memories.contains_key(id));
        let (Some(memory), Some(by), true) = (memory, by, is_whole) else {
            tally.late += 1;
            continue;
        };
        let key = (memory.node, draft.task, by.node);
        let is_read = |one: &Reading| {
            (one.memory, one.task, one.by) == key
                && one.version == draft.version
                && one.outcome == ReadingOutcome::Read
        };
        if known.iter().chain(&readings).any(is_read) {
            tally.late += 1;
            continue;
        }
        // What one user's memory led to is not shown to others.
        if !memory.scope.may_know(&by.scope) {
            tally.dropped += 1;
            continue;
        }
        accepted.push((at, memory));
        readings.push(Reading {
            memory: memory.node,
            task: draft.task,
            by: by.node,
            version: draft.version,
            outcome: draft.outcome,
            at: now,
            undone_at: None,
            said: Vec::new(),
        });
    }
    let is_accepted = |one: &&Written| accepted.iter().any(|(at, _)| *at == one.draft);
    let written: Vec<&Written> = written.iter().filter(is_accepted).collect();
    let parts: Vec<Part<'_>> = written
        .iter()
        .map(|one| Part {
            source: &one.source,
            drafts: &one.prepared,
            skip_duplicates: true,
            content_hash: None,
        })
        .collect();
    let stored = match parts.as_slice() {
        [] => plan::Plan::default(),
        parts => plan::plan(read, &Batch { parts, now, settings })?,
    };
    let sources: Vec<SourceId> = distinct(memories.values().map(|memory| memory.source).collect());
    let sources = read.fetch(&Wanted { sources: &sources, ..Wanted::default() })?.sources;
    let titles = sources.into_iter().filter_map(|source| Some((source.id, source.title?))).collect();
    let next = read.next_numbers()?.entity + stored.entities_made;
    let mut plan = Plan {
        read,
        now,
        titles,
        resolver: Resolver::new(read, next),
        edges: BTreeMap::new(),
        links: Vec::new(),
        facts: Vec::new(),
        tally,
    };
    for (&(at, memory), reading) in accepted.iter().zip(&mut readings) {
        reading.said = plan.statements(memory, &drafts[at])?;
    }
    let evolved = readings.iter().filter(|reading| reading.by != reading.memory).count();
    plan.tally.evolved = evolved as u32;
    plan.tally.memories = (readings.len() - evolved) as u32;
    plan.tally.entities = plan.resolver.made() + stored.entities_made;
    let mut planned = stored.planned.as_slice();
    for one in written {
        let (own, rest) = planned.split_at(one.prepared.len());
        planned = rest;
        if let Some((_, memory)) = accepted.iter().find(|(at, _)| *at == one.draft) {
            readings.extend(plan.observed(memory, &drafts[one.draft], &memories, one, own)?);
        }
    }
    let mut changes = stored.changes.changes;
    changes.extend(plan.resolver.into_changes()?);
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
        // The one thing with that name keeps its type: a model's other type would make a second one of it.
        let known = self.read.find_entities(&kinds.keys().cloned().collect::<Vec<_>>())?;
        for (kind, carriers) in kinds.values_mut().zip(known) {
            if let &[(_, was)] = carriers.as_slice()
                && !matches!(was, EntityType::Concept | EntityType::Topic)
            {
                *kind = None;
            }
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

    /// Connects the observations of a draft, as they were planned, with the memories that they are about.
    /// Returns the readings that mark them as written by a language model.
    fn observed(
        &mut self,
        memory: &Memory,
        draft: &ReadingDraft,
        memories: &BTreeMap<MemoryId, Memory>,
        written: &Written,
        planned: &[Planned],
    ) -> Result<Vec<Reading>> {
        let mut readings = Vec::new();
        let nodes: Vec<Node> = planned.iter().map(|one| one.placed.node).collect();
        let known = self.read.readings_about(&nodes)?;
        let mut own: HashSet<Node> =
            known.iter().filter(|one| one.is_authorship()).map(|one| one.memory).collect();
        for ((planned, prepared), at) in planned.iter().zip(&written.prepared).zip(&written.observed) {
            let node = planned.placed.node;
            if planned.action == Action::Added {
                own.insert(node);
                self.tally.observations += 1;
            }
            let observed = &draft.observed[*at];
            let evidence =
                Evidence { memory: Some(planned.placed.id), quote: None, reason: None, at: self.now };
            let about = observed.about.iter().filter_map(|id| memories.get(id));
            let about = about.filter(|one| (one.source, &one.scope) == (memory.source, &memory.scope));
            for about in about.filter(|one| one.node != node) {
                let ends = (about.node, node);
                let edge = Edge::new(ends, EdgeKind::Supporting, Provenance::Llm, evidence.clone());
                self.links.push(Change::PutEdge(edge));
                self.tally.links += 1;
                if own.contains(&node) {
                    readings.push(Reading {
                        memory: node,
                        task: draft.task,
                        by: about.node,
                        version: draft.version,
                        outcome: ReadingOutcome::Read,
                        at: self.now,
                        undone_at: None,
                        said: Vec::new(),
                    });
                }
            }
            for said in &observed.facts {
                let called = |name: &str| {
                    let name = normal_name(name);
                    let found = planned.entities.iter().find(|(_, _, written)| normal_name(written) == name);
                    found.map(|(entity, ..)| *entity)
                };
                let object = match said.predicate.takes_literal() {
                    true => Some(FactObject::Literal(said.object.trim().to_string())),
                    false => called(&said.object).map(FactObject::Entity),
                };
                match (called(&said.subject), object) {
                    (Some(subject), Some(object)) if object.entity() != Some(subject) => {
                        let (at, scope) = (prepared.occurred_at, &prepared.draft.scope);
                        self.put_fact(said, (subject, object), at, scope, evidence.clone())?;
                    }
                    _ => self.tally.dropped += 1,
                }
            }
        }
        Ok(readings)
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
        let (at, scope) = (memory.occurred_at, &memory.scope);
        self.put_fact(said, (subject, object), at, scope, self.evidence(memory, None))
    }

    /// Adds a fact, or its evidence to the same one, and ends those that it ends.
    fn put_fact(
        &mut self,
        said: &SaidFact,
        (subject, object): (Node, FactObject),
        at: Timestamp,
        scope: &Scope,
        evidence: Evidence,
    ) -> Result<()> {
        let stated_by = evidence.memory;
        let fact = Fact {
            number: 0,
            subject,
            predicate: said.predicate,
            object,
            valid_from: said.valid_from.or(Some(at)),
            valid_to: said.valid_to,
            recorded_at: self.now,
            superseded_at: None,
            confidence: clamped(said.confidence, Provenance::Llm.confidence()),
            scope: scope.clone(),
            evidence: vec![evidence],
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
            if !same.evidence.iter().any(|evidence| evidence.memory == stated_by) {
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

/// Of these memories those that a language model wrote about others, with the others.
pub fn observations_among(read: &dyn Read, memories: &[Memory]) -> Result<BTreeMap<Node, Vec<Node>>> {
    let is_other = |kind: &str| !matches!(kind, Memory::PASSAGE | Memory::TURN);
    let asked = memories.iter().filter(|memory| is_other(&memory.kind)).map(|memory| memory.node);
    let mut found: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for reading in read.readings_about(&asked.collect::<Vec<_>>())? {
        if reading.is_authorship() {
            found.entry(reading.memory).or_default().push(reading.by);
        }
    }
    Ok(found)
}

/// The memories with these ids that are not forgotten.
fn live_memories(read: &dyn Read, ids: &[MemoryId]) -> Result<BTreeMap<MemoryId, Memory>> {
    let names: Vec<NodeName<'_>> = ids.iter().map(|id| NodeName::Id(*id)).collect();
    let nodes: Vec<Node> = read.find(&names)?.iter().flatten().map(|one| one.node).collect();
    let memories = read.memories(&distinct(nodes))?.into_iter();
    let live = memories.filter(|memory| memory.deleted_at.is_none());
    Ok(live.map(|memory| (memory.id, memory)).collect())
}

/// A name with the type that the model gave it; `None` if it is empty or too long.
fn found(name: &str, kinds: &BTreeMap<String, Option<EntityType>>) -> Option<Name> {
    let kind = kinds.get(&normal_name(name)).copied().flatten();
    let is_short = name.chars().count() <= LONGEST_NAME && name.split_whitespace().count() <= MOST_WORDS;
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
        Self::in_text(&parts.collect::<Vec<_>>().join("\n"))
    }

    fn in_text(text: &str) -> Self {
        let text = normal_name(text);
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
