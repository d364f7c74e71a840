//! Turns the facts of a source's drafts into facts of the store.
//!
//! A source does not override others: its facts end no fact that someone else stated, and a fact that was
//! ended here stays ended, however often the source is read again. The times of its facts are its own.

use std::collections::HashMap;

use super::edges::clamped;
use super::{DraftFact, DraftObject, DraftPlace, EntityDraft, RememberSettings, prepare};
use crate::backend::Read;
use crate::model::{
    Change, EdgeKind, Entity, Evidence, Fact, FactObject, Memory, MemoryId, Node, Result, Timestamp,
    normal_name,
};

/// The facts of one transaction.
pub struct Stated<'a> {
    read: &'a dyn Read,
    /// The memories of the source's drafts.
    nodes: &'a HashMap<DraftPlace, Node>,
    settings: &'a RememberSettings,
    now: Timestamp,
    facts: Vec<Fact>,
}

impl<'a> Stated<'a> {
    pub fn new(
        read: &'a dyn Read,
        nodes: &'a HashMap<DraftPlace, Node>,
        settings: &'a RememberSettings,
        now: Timestamp,
    ) -> Self {
        Self { read, nodes, settings, now, facts: Vec::new() }
    }

    /// Adds a fact if its draft is stored and mentions its ends. A known fact gains evidence.
    pub fn add(&mut self, draft: &DraftFact) -> Result<()> {
        let Some(memory) = self.memory(&draft.said_by)? else { return Ok(()) };
        let mentioned = self.mentioned(memory.node)?;
        let Some(subject) = called(&mentioned, &draft.subject) else { return Ok(()) };
        let object = match &draft.object {
            DraftObject::Entity(entity) if draft.predicate.takes_literal() => {
                FactObject::Literal(entity.name.clone())
            }
            DraftObject::Entity(entity) => match called(&mentioned, entity) {
                Some(node) => FactObject::Entity(node),
                None => return Ok(()),
            },
            DraftObject::Literal(words) => FactObject::Literal(words.trim().to_string()),
        };
        let object = match object {
            // The policy for secrets in texts also applies to facts.
            FactObject::Literal(words) => match prepare::guarded(words, self.settings.secrets) {
                Ok(words) => FactObject::Literal(words),
                Err(_) => return Ok(()),
            },
            entity => entity,
        };
        let fact = Fact {
            number: 0,
            subject,
            predicate: draft.predicate,
            object,
            valid_from: draft.valid_from,
            valid_to: draft.valid_to,
            recorded_at: self.now,
            superseded_at: None,
            confidence: clamped(draft.confidence, 1.0),
            scope: memory.scope.clone(),
            evidence: self.evidence(draft, memory.id)?,
        };
        self.put(fact, memory.id)
    }

    pub fn changes(self) -> Vec<Change> {
        self.facts.into_iter().map(Change::PutFact).collect()
    }

    fn put(&mut self, fact: Fact, said_by: MemoryId) -> Result<()> {
        let says = |known: &Fact| {
            (known.subject, known.predicate, &known.object, &known.scope)
                == (fact.subject, fact.predicate, &fact.object, &fact.scope)
        };
        let is_same = |known: &Fact| {
            says(known)
                && (known.valid_from, known.valid_to, known.superseded_at)
                    == (fact.valid_from, fact.valid_to, None)
        };
        let is_said =
            |known: &Fact| says(known) && known.evidence.iter().any(|one| one.memory == Some(said_by));
        if let Some(known) = self.facts.iter_mut().find(|known| is_same(known)) {
            learn(known, fact.evidence);
            return Ok(());
        }
        let stored = self.read.facts(Some(fact.subject))?;
        if stored.iter().any(is_said) {
            return Ok(());
        }
        match stored.into_iter().find(is_same) {
            Some(mut known) => {
                learn(&mut known, fact.evidence);
                self.facts.push(known);
            }
            None => self.facts.push(fact),
        }
        Ok(())
    }

    fn evidence(&self, draft: &DraftFact, said_by: MemoryId) -> Result<Vec<Evidence>> {
        let at = draft.at.unwrap_or(self.now);
        let mut evidence = vec![Evidence { memory: Some(said_by), quote: None, reason: None, at }];
        if let Some((place, quote)) = &draft.drawn_from
            && let Some(memory) = self.memory(place)?
        {
            let quote = quote.clone().and_then(|quote| prepare::guarded(quote, self.settings.secrets).ok());
            evidence.push(Evidence { memory: Some(memory.id), quote, reason: None, at });
        }
        Ok(evidence)
    }

    fn memory(&self, place: &DraftPlace) -> Result<Option<Memory>> {
        match self.nodes.get(place) {
            Some(&node) => Ok(self.read.memories(&[node])?.pop()),
            None => Ok(None),
        }
    }

    /// The entities that a memory mentions: those that the draft's names became, not others with the same
    /// name.
    fn mentioned(&self, memory: Node) -> Result<Vec<Entity>> {
        let edges = self.read.edges_of(memory)?.into_iter();
        let nodes: Vec<Node> = edges
            .filter(|edge| edge.kind == EdgeKind::Mentions && edge.source == memory)
            .map(|edge| edge.target)
            .collect();
        let entities = self.read.entities(&nodes)?;
        Ok(entities.into_iter().filter(|entity| entity.deleted_at.is_none()).collect())
    }
}

/// The entity with this name; of several the one with the type.
fn called(mentioned: &[Entity], named: &EntityDraft) -> Option<Node> {
    let normal = normal_name(&named.name);
    let mut called = mentioned.iter().filter(|entity| entity.aliases.contains(&normal));
    let typed = called.clone().find(|entity| named.kind == Some(entity.kind));
    typed.or_else(|| called.next()).map(|entity| entity.node)
}

fn learn(known: &mut Fact, evidence: Vec<Evidence>) {
    for one in evidence {
        if !known.evidence.iter().any(|other| other.memory == one.memory && other.quote == one.quote) {
            known.evidence.push(one);
        }
    }
}
