//! The latest memories, among which the causes of a new one are searched.

use std::collections::{BTreeSet, VecDeque};

use super::cause::{CausalGuess, Clue, guess};
use super::pointing::{Earlier, Meant, Rarity, meant};
use super::prepare::Prepared;
use crate::backend::{Batch, Filter, Listing, Read, WordQuery};
use crate::model::{Memory, Node, Result, Scope, SourceId, Timestamp};
use crate::text;

/// The latest memories, among which causes are searched.
pub struct Recent {
    entries: VecDeque<RecentMemory>,
    lookback: usize,
    /// Of the words in the clauses of the drafts.
    rarity: Rarity,
}

struct RecentMemory {
    node: Node,
    scope: Scope,
    source: SourceId,
    session: Option<String>,
    occurred_at: Timestamp,
    words: Vec<u64>,
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
            node: memory.node,
            occurred_at: memory.occurred_at,
            scope: memory.scope,
            source: memory.source,
            session: memory.session,
        };
        let entries = read.memories(&nodes)?.into_iter().map(recent).collect();
        Ok(Self { entries, lookback, rarity: rarity(read, drafts)? })
    }

    /// The memories that the clauses of a draft mean as its causes, latest first. What happened later caused
    /// nothing.
    pub fn causes_of(&self, source: SourceId, prepared: &Prepared, is_talk: bool) -> Vec<(Node, Meant)> {
        let draft = &prepared.draft;
        let is_before = |one: &&RecentMemory| one.occurred_at <= prepared.occurred_at;
        let recent: Vec<&RecentMemory> = self.visible_to(&draft.scope).filter(is_before).collect();
        let session = draft.session.as_deref();
        let earlier: Vec<Earlier<'_>> = recent
            .iter()
            .map(|one| Earlier { words: &one.words, adjacent: one.is_of(source, session) })
            .collect();
        let found = meant(&prepared.clauses, &earlier, &self.rarity, is_talk);
        found.into_iter().map(|one| (recent[one.at].node, one)).collect()
    }

    /// The memories that a draft restates beside a cause word. A later statement about an earlier event
    /// explains it; only an earlier event can have caused it.
    pub fn explained_by(&self, prepared: &Prepared, least_overlap: f32) -> Vec<(Node, CausalGuess)> {
        let draft = &prepared.draft;
        let later = Clue { text: &draft.text, words: &prepared.words, signals: &prepared.causes };
        let explains = |one: &RecentMemory| {
            // Only the words of the earlier text count.
            let earlier = Clue { text: "", words: &one.words, signals: &[] };
            let guess = guess(&earlier, &later, least_overlap)?;
            (!guess.forward).then_some((one.node, guess))
        };
        self.visible_to(&draft.scope).filter_map(explains).collect()
    }

    fn visible_to<'s>(&'s self, scope: &'s Scope) -> impl Iterator<Item = &'s RecentMemory> {
        self.entries.iter().rev().filter(|e| scope.may_know(&e.scope)).take(self.lookback)
    }

    pub fn push(&mut self, node: Node, source: SourceId, prepared: &Prepared) {
        self.entries.push_back(RecentMemory {
            node,
            occurred_at: prepared.occurred_at,
            scope: prepared.draft.scope.clone(),
            source,
            session: prepared.draft.session.clone(),
            words: prepared.words.clone(),
        });
        if self.entries.len() > Self::KEPT.max(self.lookback) {
            self.entries.pop_front();
        }
    }
}

impl RecentMemory {
    /// Whether it belongs to this session of this source.
    fn is_of(&self, source: SourceId, session: Option<&str>) -> bool {
        self.source == source && self.session.as_deref() == session
    }
}

/// How rare the words of the clauses are: 1 for a word that a single memory has. One request for all drafts.
fn rarity(read: &dyn Read, drafts: &[&Prepared]) -> Result<Rarity> {
    let clauses = drafts.iter().flat_map(|draft| &draft.clauses);
    let terms: BTreeSet<&String> =
        clauses.flat_map(|clause| clause.terms.iter().chain(&clause.rest)).collect();
    let terms: Vec<String> = terms.into_iter().cloned().collect();
    if terms.is_empty() {
        return Ok(Rarity::new());
    }
    let query = |terms: &[String]| WordQuery { terms: terms.to_vec(), limit: 1, ..WordQuery::default() };
    let words: Vec<WordQuery> = terms.chunks(QUERIED).map(query).collect();
    let everything = Filter { superseded: true, ..Filter::default() };
    let found = read.search_one(&Batch { words: &words, ..Batch::within(&everything) })?;
    let idf = found.words.into_iter().flat_map(|hits| hits.idf);
    let memories = read.head()?.memories.max(1) as f32;
    let rarest = (1.0 + (memories - 0.5) / 1.5).ln();
    // A word that no stored memory has is one of this batch.
    let share = |idf: f32| if idf > 0.0 { (idf / rarest).min(1.0) } else { 1.0 };
    Ok(terms.into_iter().zip(idf.map(share)).collect())
}

/// Words of one query.
const QUERIED: usize = 64;
