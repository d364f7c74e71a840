//! The latest memories, among which the causes of a new one are searched.

use std::collections::{BTreeSet, VecDeque};

use super::cause::Clue;
use super::prepare::Prepared;
use crate::backend::{Batch, Filter, Listing, Read};
use crate::model::{Memory, Node, Result, Scope, Timestamp};
use crate::text::{self, CauseSignal};

/// The latest memories, among which causes are searched.
pub struct Recent {
    entries: VecDeque<RecentMemory>,
    lookback: usize,
}

pub struct RecentMemory {
    pub node: Node,
    scope: Scope,
    text: String,
    words: Vec<u64>,
    signals: Vec<CauseSignal>,
}

impl Recent {
    /// Number of memories, so that each scope of a mixed batch finds its own latest ones.
    const KEPT: usize = 64;

    pub fn load(read: &dyn Read, drafts: &[&Prepared], lookback: usize, now: Timestamp) -> Result<Self> {
        let scopes: BTreeSet<&Scope> = drafts.iter().map(|prepared| &prepared.draft.scope).collect();
        let within = |scope: &Scope| Filter { scope: scope.clone(), now: Some(now), ..Filter::default() };
        let filters: Vec<Filter> = scopes.into_iter().map(within).collect();
        let lists = [Listing::Latest(lookback)];
        let batches: Vec<Batch<'_>> =
            filters.iter().map(|filter| Batch { lists: &lists, ..Batch::within(filter) }).collect();
        let found = read.search(&batches)?.into_iter().flat_map(|answers| answers.lists.concat());
        let nodes: Vec<Node> = found.collect::<BTreeSet<Node>>().into_iter().collect();
        let recent = |memory: Memory| RecentMemory {
            words: text::token_set(&memory.text),
            signals: text::cause_signals(&memory.text),
            node: memory.node,
            scope: memory.scope,
            text: memory.text,
        };
        Ok(Self { entries: read.memories(&nodes)?.into_iter().map(recent).collect(), lookback })
    }

    pub fn visible_to<'s>(&'s self, scope: &'s Scope) -> impl Iterator<Item = &'s RecentMemory> {
        self.entries.iter().rev().filter(|e| scope.may_know(&e.scope)).take(self.lookback)
    }

    pub fn push(&mut self, node: Node, prepared: &Prepared) {
        self.entries.push_back(RecentMemory {
            node,
            scope: prepared.draft.scope.clone(),
            text: prepared.draft.text.clone(),
            words: prepared.words.clone(),
            signals: prepared.causes.clone(),
        });
        if self.entries.len() > Self::KEPT.max(self.lookback) {
            self.entries.pop_front();
        }
    }
}

impl RecentMemory {
    pub fn clue(&self) -> Clue<'_> {
        Clue { text: &self.text, words: &self.words, signals: &self.signals }
    }
}
