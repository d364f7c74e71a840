//! Statements of a model about one memory: mentions, relations, links and facts.

use std::collections::{BTreeMap, HashMap};

use crate::backend::{NodeName, Read};
use crate::model::{
    Change, Edge, EdgeKind, EntityType, Error, ErrorKind, Evidence, Fact, FactObject, Memory, Node,
    Provenance, Result, Said, Scope, SourceId, Timestamp, normal_name,
};

use super::super::edges::{LinkRequest, clamped, link};
use super::super::facts::{closed_by, followed_at, supported};
use super::super::name::Name;
use super::super::resolve::Resolver;
use super::super::stated::learn;
use super::named::{Words, label_of};
use super::{ReadingDraft, ReadingTally, SaidFact, SaidLink};

/// Confidence in a mention: the words of the name are in the text, and a model says that they are a name.
const NAMED: f32 = 0.9;
/// The highest strength of a relation.
const STRONGEST: u8 = 10;
/// The highest confidence of a model's fact: less than that of what a person states.
const SUREST: f32 = 0.95;

/// What a batch of readings changes.
pub(super) struct Plan<'a> {
    pub(super) read: &'a dyn Read,
    pub(super) now: Timestamp,
    pub(super) titles: HashMap<SourceId, String>,
    pub(super) resolver: Resolver<'a>,
    /// By memory, source, target and label, so that what a memory states twice counts once.
    pub(super) edges: BTreeMap<(Node, Node, Node, String), Edge>,
    pub(super) links: Vec<Change>,
    pub(super) facts: Vec<Fact>,
    pub(super) tally: ReadingTally,
}

/// The entities that the names of one memory mean, by normal name.
type Meant = BTreeMap<String, Node>;

impl Plan<'_> {
    /// Adds what one draft says, and returns what is kept of it.
    pub(super) fn statements(&mut self, memory: &Memory, draft: &ReadingDraft) -> Result<Vec<Said>> {
        let text = Words::of(memory, self.titles.get(&memory.source));
        let meant = self.meant(memory, draft, &text)?;
        let mut kept = Vec::with_capacity(draft.said.len());
        for said in &draft.said {
            let is_kept = match said {
                Said::Entity { name, .. } => meant.contains_key(&normal_name(name)),
                Said::Relation { source, target, kind, description, strength, .. } => {
                    let ends = [source, target].map(|name| meant.get(&normal_name(name)).copied());
                    self.relation(memory, ends, kind, description, *strength)
                }
                Said::Keywords(_) | Said::Tags(_) | Said::Context(_) => true,
            };
            match is_kept {
                true => kept.push(said.clone()),
                false => self.tally.dropped += 1,
            }
        }
        for said in &draft.links {
            self.link(memory, said)?;
        }
        for said in &draft.facts {
            self.fact(memory, &text, &meant, said)?;
        }
        Ok(kept)
    }

    /// Mentions what the draft names, each thing once: its entities, and the ends of relations and facts that
    /// are whole.
    fn meant(&mut self, memory: &Memory, draft: &ReadingDraft, text: &Words) -> Result<Meant> {
        let mut names: Vec<Name> = Vec::new();
        for said in &draft.said {
            match said {
                Said::Entity { name, kind, .. } => names.extend(text.name(name, EntityType::parse(kind))),
                Said::Relation { source, target, .. } => {
                    if let (Some(a), Some(b)) = (text.name(source, None), text.name(target, None)) {
                        names.extend([a, b]);
                    }
                }
                Said::Keywords(_) | Said::Tags(_) | Said::Context(_) => {}
            }
        }
        for said in &draft.facts {
            let object = text.name(&said.object, None);
            match (text.name(&said.subject, None), said.predicate.takes_literal()) {
                (Some(subject), true) if text.say(&said.object) => names.push(subject),
                (Some(subject), false) if object.is_some() => {
                    names.extend([Some(subject), object].into_iter().flatten())
                }
                _ => {}
            }
        }
        self.resolver.look_up(names.iter())?;
        let mut meant = Meant::new();
        // A type that the model gives counts, wherever among the names it is.
        names.sort_by_key(|name| name.kind.is_none());
        for mut name in names {
            if meant.contains_key(&name.normal) {
                continue;
            }
            // The one thing with that name keeps its type: a model's other type would make a second one.
            if let &[(_, was)] = self.resolver.called(&name.normal)
                && !matches!(was, EntityType::Concept | EntityType::Topic)
            {
                name.kind = None;
            }
            if let Some(entity) = self.resolver.resolve(&name, memory.occurred_at)? {
                self.mention(memory, entity);
                meant.insert(name.normal, entity);
            }
        }
        Ok(meant)
    }

    fn evidence(&self, memory: &Memory, reason: Option<&str>) -> Evidence {
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty()).map(str::to_string);
        Evidence { memory: Some(memory.id), quote: None, reason, at: self.now }
    }

    fn mention(&mut self, memory: &Memory, entity: Node) {
        let key = (memory.node, memory.node, entity, String::new());
        if !self.edges.contains_key(&key) {
            let evidence = self.evidence(memory, None);
            let edge = Edge::new((memory.node, entity), EdgeKind::Mentions, Provenance::Llm, evidence);
            self.edges.insert(key, Edge { confidence: NAMED, ..edge });
            self.tally.mentions += 1;
        }
    }

    /// Whether it is possible.
    fn relation(
        &mut self,
        memory: &Memory,
        ends: [Option<Node>; 2],
        kind: &str,
        description: &str,
        strength: u8,
    ) -> bool {
        let label = label_of(kind);
        let [Some(source), Some(target)] = ends else { return false };
        if source == target || label.is_empty() {
            return false;
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
        true
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
                link(self.read, &request, &label, (source, target), self.now)
            }
            _ => Err(Error::invalid("link two memories", "one of them cannot be linked")),
        };
        let changes = match stated {
            Ok((_, _, changes)) => changes,
            Err(error) if error.kind == ErrorKind::InvalidInput => {
                self.tally.dropped += 1;
                return Ok(());
            }
            Err(error) => return Err(error),
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

    /// Whether the memory may know both ends: no one else's memory becomes evidence or end of an edge of its
    /// own.
    fn is_within(&self, memory: &Memory, ends: &[Node]) -> Result<bool> {
        Ok(self.read.memories(ends)?.iter().all(|end| memory.scope.may_know(&end.scope)))
    }

    fn fact(&mut self, memory: &Memory, text: &Words, meant: &Meant, said: &SaidFact) -> Result<()> {
        let called = |name: &str| meant.get(&normal_name(name)).copied();
        let subject = called(&said.subject);
        let object = match said.predicate.takes_literal() {
            true => text.say(&said.object).then(|| FactObject::Literal(said.object.trim().to_string())),
            false => called(&said.object).filter(|one| Some(*one) != subject).map(FactObject::Entity),
        };
        let (Some(subject), Some(object)) = (subject, object) else {
            self.tally.dropped += 1;
            return Ok(());
        };
        let (at, scope) = (memory.occurred_at, &memory.scope);
        self.put_fact(said, (subject, object), at, scope, self.evidence(memory, None))
    }

    /// Adds a fact, or its evidence to the same one, and ends those that it ends.
    pub(super) fn put_fact(
        &mut self,
        said: &SaidFact,
        (subject, object): (Node, FactObject),
        at: Timestamp,
        scope: &Scope,
        evidence: Evidence,
    ) -> Result<()> {
        let fact = Fact {
            number: 0,
            subject,
            predicate: said.predicate,
            object,
            valid_from: Some(at),
            valid_to: None,
            recorded_at: self.now,
            superseded_at: None,
            ended_at: None,
            confidence: clamped(said.confidence, Provenance::Llm.confidence()).min(SUREST),
            scope: scope.clone(),
            evidence: vec![evidence],
        };
        let says = |known: &Fact| {
            (known.subject, known.predicate, &known.object, &known.scope)
                == (fact.subject, fact.predicate, &fact.object, &fact.scope)
                && known.superseded_at.is_none()
                // What is said again after its end holds again, as a fact of its own, unless a person ended
                // it.
                && (known.ended_at.is_some() || known.valid_to.is_none_or(|end| at < end))
        };
        if let Some(same) = self.facts.iter_mut().find(|known| says(known)) {
            learn(same, fact.evidence);
            return Ok(());
        }
        let mut known =
            if self.resolver.is_new(subject) { Vec::new() } else { self.read.facts(Some(subject))? };
        known.retain(|one| self.facts.iter().all(|own| own.number != one.number));
        // A person may have ended it and stated it anew.
        let same = known.iter().filter(|known| says(known)).max_by_key(|known| known.ended_at.is_none());
        if let Some(same) = same {
            let mut same = same.clone();
            learn(&mut same, fact.evidence);
            self.facts.push(same);
            return Ok(());
        }
        // Texts may be read in any order: what this one says may have ended before.
        let is_later = |other: &&Fact| other.predicate == fact.predicate && may_end(other, &fact);
        let later = known.iter().chain(&self.facts).filter(is_later).cloned().collect();
        let valid_to = followed_at(&fact, &supported(self.read, later)?, self.now);
        let fact = Fact { valid_to, ..fact };
        for own in &mut self.facts {
            own.valid_to = ended_by(&fact, own).or(own.valid_to);
        }
        let ended = known.into_iter().filter_map(|old| {
            let end = ended_by(&fact, &old)?;
            Some(Fact { valid_to: Some(end), ..old })
        });
        self.facts.extend(ended);
        self.facts.push(fact);
        self.tally.facts += 1;
        Ok(())
    }
}

/// When a fact ends because a new one began later.
fn ended_by(new: &Fact, old: &Fact) -> Option<Timestamp> {
    let closed = closed_by(new, std::slice::from_ref(old), new.recorded_at).pop()?;
    closed.valid_to.filter(|_| may_end(new, old))
}

/// Whether a fact began so much later, and is so sure, that it may end another one. What a person stated,
/// what is surer, and what began at the same time stays open: it contradicts, and a person decides.
fn may_end(new: &Fact, old: &Fact) -> bool {
    let is_stated = old.evidence.iter().any(|evidence| evidence.memory.is_none());
    !is_stated && old.confidence <= new.confidence && old.valid_from < new.valid_from
}
