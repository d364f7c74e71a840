//! Decides what a new fact changes, and which facts contradict each other.

use std::collections::BTreeSet;

use crate::backend::{NodeName, Read};
use crate::model::{
    Change, Deletable, Entity, EntityType, Error, ErrorKind, Evidence, Fact, FactObject, MemoryId, Node,
    Predicate, Result, Scope, Timestamp, entity_key, normal_name,
};

use super::merge::survivor_of;
use super::naming;

/// A fact to store.
#[derive(Clone, PartialEq, Debug)]
pub struct FactDraft {
    /// Names of nodes; an unknown subject or object becomes a concept.
    pub subject: String,
    pub predicate: Predicate,
    pub object: String,
    pub valid_from: Option<Timestamp>,
    pub valid_to: Option<Timestamp>,
    pub confidence: Option<f32>,
    /// The memory that states it.
    pub memory: Option<String>,
    pub reason: Option<String>,
    /// Who can see it.
    pub scope: Scope,
}

impl FactDraft {
    fn what(&self) -> String {
        format!("add the fact `{} {} {}`", self.subject, self.predicate.name(), self.object)
    }

    /// Checks everything that needs no store.
    pub fn check(&self) -> Result<()> {
        let what = self.what();
        if self.subject.trim().is_empty() || self.object.trim().is_empty() {
            return Err(Error::invalid(what, "subject and object must not be empty"));
        }
        if let (Some(from), Some(to)) = (self.valid_from, self.valid_to)
            && to <= from
        {
            return Err(Error::invalid(what, format!("it would end at {to}, before it begins at {from}")));
        }
        let confidence = self.confidence.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&confidence) {
            return Err(Error::invalid(what, format!("confidence {confidence} is not between 0 and 1")));
        }
        Ok(())
    }
}

/// The fact of a checked draft, and the changes that store it. An unknown subject or object becomes an
/// entity.
pub fn add(read: &dyn Read, draft: &FactDraft, now: Timestamp) -> Result<(Fact, Vec<Change>)> {
    let memory = stating_memory(read, draft)?;
    let next = read.next_numbers()?;
    let mut entities = NewEntities { read, next: next.entity, now, changes: Vec::new() };
    let subject = entities.named(&draft.subject)?;
    let object = if draft.predicate.takes_literal() {
        FactObject::Literal(draft.object.trim().to_string())
    } else {
        FactObject::Entity(entities.named(&draft.object)?)
    };
    let mut changes = entities.changes;
    let fact = Fact {
        number: next.fact,
        subject,
        predicate: draft.predicate,
        object,
        valid_from: draft.valid_from,
        valid_to: draft.valid_to,
        recorded_at: now,
        superseded_at: None,
        ended_at: None,
        confidence: draft.confidence.unwrap_or(1.0),
        scope: draft.scope.clone(),
        evidence: vec![Evidence { memory, quote: None, reason: draft.reason.clone(), at: now }],
    };
    let known = read.facts(Some(subject))?;
    changes.extend(closed_by(&fact, &known, now).into_iter().map(Change::PutFact));
    let valid_to = fact.valid_to.or(followed_at(&fact, &supported(read, known)?, now));
    let fact = Fact { valid_to, ..fact };
    changes.push(Change::PutFact(fact.clone()));
    Ok((fact, changes))
}

/// The fact with another end, or with none. Only a person asks for it.
pub fn ended(
    read: &dyn Read,
    number: u32,
    valid_to: Option<Timestamp>,
    now: Timestamp,
) -> Result<(Fact, Vec<Change>)> {
    let what = format!("set the end of the fact `f{number}`");
    let known = read.facts(None)?.into_iter().filter(|fact| fact.number == number).collect();
    let Some(fact) = supported(read, known)?.pop() else {
        return Err(Error::not_found(what, "there is no such fact").hint("griot facts"));
    };
    if let (Some(from), Some(to)) = (fact.valid_from, valid_to)
        && to <= from
    {
        return Err(Error::invalid(what, format!("it would end at {to}, before it begins at {from}")));
    }
    let fact = Fact { valid_to, ended_at: valid_to.map(|_| now), ..fact };
    Ok((fact.clone(), vec![Change::PutFact(fact)]))
}

fn stating_memory(read: &dyn Read, draft: &FactDraft) -> Result<Option<MemoryId>> {
    let Some(name) = draft.memory.as_deref().map(str::trim) else { return Ok(None) };
    let Some(memory) = read.memories(&[naming::memory(read, name)?])?.pop() else { return Ok(None) };
    if memory.deleted_at.is_some() {
        return Err(Error::invalid(draft.what(), format!("its evidence `{name}` was forgotten"))
            .hint(format!("griot restore \"{name}\"")));
    }
    Ok(Some(memory.id))
}

/// Resolves the ends of a fact, and creates those that do not exist.
struct NewEntities<'a> {
    read: &'a dyn Read,
    /// Number of the next new entity.
    next: u32,
    now: Timestamp,
    changes: Vec<Change>,
}

impl NewEntities<'_> {
    /// The node that a name means; a new entity if it means none. A hidden entity with that type and key is
    /// revived.
    fn named(&mut self, name: &str) -> Result<Node> {
        match naming::node(self.read, name) {
            Err(error) if error.kind == ErrorKind::NotFound => self.add(name),
            resolved => resolved,
        }
    }

    fn add(&mut self, name: &str) -> Result<Node> {
        let typed = name
            .split_once(':')
            .and_then(|(kind, name)| Some((EntityType::parse(kind.trim())?, name.trim())));
        let (kind, name) =
            typed.filter(|(_, name)| !name.is_empty()).unwrap_or((EntityType::Concept, name.trim()));
        let key = entity_key(kind, name);
        // The same new name twice in one fact is one entity.
        let pending = self.changes.iter().find_map(|change| match change {
            Change::PutEntity(e) if (e.kind, &e.key) == (kind, &key) => Some(e.node),
            _ => None,
        });
        if let Some(node) = pending {
            return Ok(node);
        }
        let holders = self.read.key_holders(std::slice::from_ref(&key))?.concat();
        if let Some(holder) = holders.into_iter().find(|holder| holder.kind == kind) {
            let node = survivor_of(self.read, holder.node)?.unwrap_or(holder.node);
            self.changes.push(Change::SetDeleted { target: Deletable::Node(node), at: None });
            return Ok(node);
        }
        let node = Node::entity(self.next);
        self.next += 1;
        if kind != EntityType::Concept {
            self.changes.push(Change::CountType { entity: node, kind, given: true, times: 1 });
        }
        self.changes.push(Change::PutEntity(Entity {
            node,
            name: name.to_string(),
            kind,
            key,
            aliases: vec![normal_name(name)],
            description: Vec::new(),
            first_seen: self.now,
            last_seen: self.now,
            deleted_at: None,
        }));
        Ok(node)
    }
}

/// The facts without those whose evidence was all forgotten.
pub fn supported(read: &dyn Read, mut facts: Vec<Fact>) -> Result<Vec<Fact>> {
    let named: BTreeSet<MemoryId> =
        facts.iter().flat_map(|fact| &fact.evidence).filter_map(|evidence| evidence.memory).collect();
    let names: Vec<NodeName<'_>> = named.iter().map(|id| NodeName::Id(*id)).collect();
    let nodes: Vec<Node> = read.find(&names)?.iter().flatten().map(|found| found.node).collect();
    let rows = read.memories(&nodes)?;
    let forgotten: BTreeSet<MemoryId> =
        rows.iter().filter(|memory| memory.deleted_at.is_some()).map(|memory| memory.id).collect();
    let is_gone = |evidence: &Evidence| evidence.memory.is_some_and(|id| forgotten.contains(&id));
    facts.retain(|fact| fact.evidence.is_empty() || !fact.evidence.iter().all(is_gone));
    Ok(facts)
}

/// Facts that a new one closes: same subject and functional predicate, another object, still open. A fact
/// about an earlier period ends at its own end and closes nothing later. Facts of another scope are not
/// closed, because others see them.
pub(super) fn closed_by(new: &Fact, known: &[Fact], now: Timestamp) -> Vec<Fact> {
    if !new.predicate.is_functional() || new.valid_to.is_some() {
        return Vec::new();
    }
    let from = new.valid_from.unwrap_or(now);
    known
        .iter()
        .filter(|old| {
            old.subject == new.subject
                && old.scope == new.scope
                && old.predicate == new.predicate
                && old.object != new.object
                && old.superseded_at.is_none()
                && old.valid_to.is_none()
                && old.valid_from.is_none_or(|began| began <= from)
        })
        .map(|old| Fact { valid_to: Some(from), ..old.clone() })
        .collect()
}

/// When a new fact ended, if it arrives after one that followed it: same subject and functional predicate,
/// another object, a later beginning.
pub(super) fn followed_at(new: &Fact, known: &[Fact], now: Timestamp) -> Option<Timestamp> {
    let from = new.valid_from.unwrap_or(now);
    let later = known.iter().filter(|later| {
        new.predicate.is_functional()
            && (later.subject, later.predicate, &later.scope) == (new.subject, new.predicate, &new.scope)
            && later.object != new.object
            && later.superseded_at.is_none()
    });
    later.filter_map(|later| later.valid_from).filter(|began| *began > from).min()
}

/// Whether two facts cannot both hold: a functional predicate with two objects, or one thing preferred and
/// avoided, at overlapping times.
pub fn contradict(a: &Fact, b: &Fact) -> bool {
    use Predicate::{Avoids, Prefers};
    let overlap = |a: &Fact, b: &Fact| match (a.valid_to, b.valid_from) {
        (Some(end), Some(begin)) => begin < end,
        _ => true,
    };
    let opposed =
        matches!((a.predicate, b.predicate), (Prefers, Avoids) | (Avoids, Prefers)) && a.object == b.object;
    let split = a.predicate == b.predicate && a.predicate.is_functional() && a.object != b.object;
    a.number != b.number
        && a.subject == b.subject
        && a.superseded_at.is_none()
        && b.superseded_at.is_none()
        && (opposed || split)
        && overlap(a, b)
        && overlap(b, a)
}
