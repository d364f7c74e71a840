//! Turns the facts of a source's drafts into facts of the store.
//!
//! A source does not override others: its facts end no fact that someone else stated, and a fact that was
//! ended here stays ended, however often the source is read again. The times of its facts are its own.

use std::collections::{BTreeMap, HashMap};

use super::edges::clamped;
use super::{DraftFact, DraftObject, DraftPlace, EntityDraft, RememberSettings, prepare};
use crate::backend::{About, Read};
use crate::graph::distinct;
use crate::model::{
    Change, EdgeKind, Entity, Evidence, Fact, FactObject, Memory, MemoryId, Node, Result, Timestamp,
    normal_name,
};

/// The changes that store the facts of a source. A fact is left out if its draft is not stored or does not
/// mention its ends; a known fact gains evidence. `nodes` are the memories of the source's drafts.
pub fn facts(
    read: &dyn Read,
    nodes: &HashMap<DraftPlace, Node>,
    drafts: &[DraftFact],
    settings: &RememberSettings,
    now: Timestamp,
) -> Result<Vec<Change>> {
    let source = Source::read(read, nodes, drafts)?;
    let stated: Vec<(Fact, MemoryId)> =
        drafts.iter().filter_map(|draft| source.fact(draft, settings, now)).collect();
    let subjects: Vec<Node> = distinct(stated.iter().map(|(fact, _)| fact.subject).collect());
    let stored = read.about(&About::Facts(&subjects))?.facts;
    let mut facts: Vec<Fact> = Vec::new();
    for (fact, said_by) in stated {
        put(&mut facts, &stored, fact, said_by);
    }
    Ok(facts.into_iter().map(Change::PutFact).collect())
}

/// The memories that state facts, and what they mention.
struct Source<'a> {
    nodes: &'a HashMap<DraftPlace, Node>,
    memories: BTreeMap<Node, Memory>,
    /// The entities that a memory mentions: those that the draft's names became, not others with the same
    /// name.
    mentioned: BTreeMap<Node, Vec<Node>>,
    entities: BTreeMap<Node, Entity>,
}

impl<'a> Source<'a> {
    fn read(read: &dyn Read, nodes: &'a HashMap<DraftPlace, Node>, drafts: &[DraftFact]) -> Result<Self> {
        let stating = drafts.iter().map(|draft| &draft.said_by);
        let stating = distinct(stating.filter_map(|place| nodes.get(place)).copied().collect());
        let others = drafts.iter().filter_map(|draft| nodes.get(&draft.drawn_from.as_ref()?.0));
        let all = distinct(stating.iter().chain(others).copied().collect());
        let mut mentioned: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        for edge in read.about(&About::Edges(&stating))?.edges {
            let of_source = mentioned.entry(edge.source).or_default();
            if edge.kind == EdgeKind::Mentions && !of_source.contains(&edge.target) {
                of_source.push(edge.target);
            }
        }
        let entities = read.entities(&distinct(mentioned.values().flatten().copied().collect()))?.into_iter();
        Ok(Self {
            nodes,
            memories: read.memories(&all)?.into_iter().map(|memory| (memory.node, memory)).collect(),
            mentioned,
            entities: entities
                .filter(|entity| entity.deleted_at.is_none())
                .map(|entity| (entity.node, entity))
                .collect(),
        })
    }

    fn memory(&self, place: &DraftPlace) -> Option<&Memory> {
        self.memories.get(self.nodes.get(place)?)
    }

    /// The entity with this name that a memory mentions; of several the one with the type.
    fn called(&self, memory: Node, named: &EntityDraft) -> Option<Node> {
        let normal = normal_name(&named.name);
        let mentioned = self.mentioned.get(&memory)?.iter().filter_map(|node| self.entities.get(node));
        let mut called = mentioned.filter(|entity| entity.aliases.contains(&normal));
        let typed = called.clone().find(|entity| named.kind == Some(entity.kind));
        typed.or_else(|| called.next()).map(|entity| entity.node)
    }

    /// The fact of a draft, and the memory that states it.
    fn fact(
        &self,
        draft: &DraftFact,
        settings: &RememberSettings,
        now: Timestamp,
    ) -> Option<(Fact, MemoryId)> {
        let memory = self.memory(&draft.said_by)?;
        let object = match &draft.object {
            DraftObject::Entity(entity) if !draft.predicate.takes_literal() => {
                FactObject::Entity(self.called(memory.node, entity)?)
            }
            DraftObject::Entity(EntityDraft { name: words, .. }) | DraftObject::Literal(words) => {
                // The policy for secrets in texts also applies to facts.
                let words =
                    if matches!(draft.object, DraftObject::Literal(_)) { words.trim() } else { words };
                FactObject::Literal(prepare::guarded(words.to_string(), settings.secrets).ok()?)
            }
        };
        let at = draft.at.unwrap_or(now);
        let mut evidence = vec![Evidence { memory: Some(memory.id), quote: None, reason: None, at }];
        if let Some((place, quote)) = &draft.drawn_from
            && let Some(memory) = self.memory(place)
        {
            let quote = quote.clone().and_then(|quote| prepare::guarded(quote, settings.secrets).ok());
            evidence.push(Evidence { memory: Some(memory.id), quote, reason: None, at });
        }
        let fact = Fact {
            number: 0,
            subject: self.called(memory.node, &draft.subject)?,
            predicate: draft.predicate,
            object,
            valid_from: draft.valid_from,
            valid_to: draft.valid_to,
            recorded_at: now,
            superseded_at: None,
            ended_at: None,
            confidence: clamped(draft.confidence, 1.0),
            scope: memory.scope.clone(),
            evidence,
        };
        Some((fact, memory.id))
    }
}

/// Adds a fact to those of the transaction, unless the memory has stated it before.
fn put(facts: &mut Vec<Fact>, stored: &[Fact], fact: Fact, said_by: MemoryId) {
    let says = |known: &Fact| {
        (known.subject, known.predicate, &known.object, &known.scope)
            == (fact.subject, fact.predicate, &fact.object, &fact.scope)
    };
    let is_same = |known: &Fact| {
        says(known)
            && (known.valid_from, known.valid_to, known.superseded_at)
                == (fact.valid_from, fact.valid_to, None)
    };
    let is_said = |known: &Fact| says(known) && known.evidence.iter().any(|one| one.memory == Some(said_by));
    if let Some(known) = facts.iter_mut().find(|known| is_same(known)) {
        return learn(known, fact.evidence);
    }
    if stored.iter().any(is_said) {
        return;
    }
    match stored.iter().find(|known| is_same(known)).cloned() {
        Some(mut known) => {
            learn(&mut known, fact.evidence);
            facts.push(known);
        }
        None => facts.push(fact),
    }
}

/// Adds evidence that the fact does not have yet.
pub(super) fn learn(known: &mut Fact, evidence: Vec<Evidence>) {
    for one in evidence {
        if !known.evidence.iter().any(|other| other.memory == one.memory && other.quote == one.quote) {
            known.evidence.push(one);
        }
    }
}
