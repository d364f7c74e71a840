//! Memories, each with the earlier ones that it is compared with, all numbered.

use std::collections::HashSet;

use griot::Engine;
use griot::model::{EdgeKind, Memory, MemoryId, ReadingOutcome, ReadingTask, Result};
use griot::remember::reading::{ReadingDraft, SaidLink};
use serde_json::{Value, json};

use super::decided::{Decided, Decision, Relation, Texts};
use crate::shown::Shown;

/// Memories that one is compared with. More would dilute what a model sees; of the true causes in written
/// worlds, nine in ten are among the first three.
const MOST: usize = 8;

/// What is asked in one request.
#[derive(Debug, Default)]
pub struct Sheet {
    compared: Vec<Compared>,
    /// For each number the number of the text that it is compared with. Numbers begin with 1.
    others: Vec<Option<usize>>,
}

#[derive(Debug)]
struct Compared {
    number: usize,
    memory: Memory,
    earlier: Vec<(usize, Memory)>,
}

impl Sheet {
    /// These memories, and the candidates of each that `admits` lets through. A pair is asked about once.
    pub fn of(engine: &Engine, memories: &[Memory], admits: &dyn Fn(&Memory) -> bool) -> Result<Self> {
        let mut sheet = Self { others: vec![None], ..Self::default() };
        let mut pairs: HashSet<(MemoryId, MemoryId)> = HashSet::new();
        for memory in memories {
            let number = sheet.others.len();
            sheet.others.push(None);
            let mut earlier = engine.candidates(memory, MOST)?;
            earlier.retain(|other| {
                admits(other) && pairs.insert((memory.id.min(other.id), memory.id.max(other.id)))
            });
            let earlier = earlier.into_iter().map(|other| {
                sheet.others.push(Some(number));
                (sheet.others.len() - 1, other)
            });
            let earlier = earlier.collect();
            sheet.compared.push(Compared { number, memory: memory.clone(), earlier });
        }
        Ok(sheet)
    }

    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.others.iter().all(Option::is_none)
    }

    /// Which numbers a reply may name.
    pub fn texts(&self) -> Texts<'_> {
        Texts::Compared(&self.others)
    }

    /// The number of each earlier memory, that memory, and the later one.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, &Memory, &Memory)> {
        self.compared
            .iter()
            .flat_map(|one| one.earlier.iter().map(move |(number, other)| (*number, other, &one.memory)))
    }

    /// Every memory whose text is sent.
    pub(super) fn sent(&self) -> Vec<Memory> {
        let asked = self.compared.iter().filter(|one| !one.earlier.is_empty());
        let of = |one: &Compared| -> Vec<Memory> {
            let earlier = one.earlier.iter().map(|(_, other)| other.clone());
            std::iter::once(one.memory.clone()).chain(earlier).collect()
        };
        let mut sent: Vec<Memory> = asked.flat_map(of).collect();
        sent.sort_by_key(|memory| memory.node);
        sent.dedup_by_key(|memory| memory.node);
        sent
    }

    pub(super) fn content(&self, shown: &Shown<'_>) -> String {
        let texts = self.others.len() - 1;
        let passage = |number: usize, memory: &Memory| {
            let mut passage = shown.one_of(texts, memory);
            passage["number"] = Value::from(number);
            passage
        };
        let asked = self.compared.iter().filter(|one| !one.earlier.is_empty());
        let memories = asked.map(|one| {
            let mut memory = passage(one.number, &one.memory);
            memory["earlier"] = one.earlier.iter().map(|(number, other)| passage(*number, other)).collect();
            memory
        });
        json!({"memories": memories.collect::<Vec<_>>()}).to_string()
    }

    /// What follows from a reply: an edge for each decision that is sure enough. A pair without one stays as
    /// it is: what a model does not see, a person may.
    pub fn drafts(&self, decided: &Decided, least: f32, version: u32) -> Vec<ReadingDraft> {
        let draft = |one: &Compared| {
            let is_own = |decision: &&Decision| {
                decision.confidence >= least && [decision.source, decision.target].contains(&one.number)
            };
            let own = decided.decisions.iter().filter(is_own);
            ReadingDraft {
                links: own.filter_map(|decision| one.link(decision)).collect(),
                ..ReadingDraft::new(one.memory.id, ReadingTask::Causes, version, ReadingOutcome::Read)
            }
        };
        self.compared.iter().map(draft).collect()
    }
}

impl Compared {
    fn text(&self, number: usize) -> Option<&Memory> {
        let earlier = self.earlier.iter().find(|(own, _)| *own == number).map(|(_, other)| other);
        if number == self.number { Some(&self.memory) } else { earlier }
    }

    /// `None` for a replacement that cannot be: of a text without a time, or one that is replaced already.
    fn link(&self, decision: &Decision) -> Option<SaidLink> {
        let (source, target) = (self.text(decision.source)?, self.text(decision.target)?);
        let (source, target, kind, label) = match decision.relation {
            Relation::Causes => (source, target, EdgeKind::Causal, Some("causes".to_string())),
            Relation::Replaces => {
                let place = |memory: &Memory| (memory.occurred_at, memory.node);
                let is_later = place(source) > place(target);
                let (new, old) = if is_later { (source, target) } else { (target, source) };
                if new.is_timeless() || old.is_timeless() || old.superseded_by.is_some() {
                    return None;
                }
                (new, old, EdgeKind::Supersedes, None)
            }
        };
        Some(SaidLink {
            source: source.id,
            target: target.id,
            kind,
            label,
            confidence: decision.confidence,
            reason: decision.reason.clone(),
        })
    }
}
