//! Builds the answer from ranked candidates: packing, paths and rows.

use std::collections::BTreeMap;

use crate::backend::{Arc, Batch, Direction, Filter, Frontier};
use crate::graph;
use crate::model::{EdgeKind, Memory, Node, Result, SourceId, Timestamp};
use crate::text::TimeExpression;

use super::candidates::{Candidate, mentions_of};
use super::pack::{Document, Packed, Packing, pack, why_included};
use super::ranking::Ranking;
use super::signals::SignalName;
use super::trace::Rows;
use super::walk::{Walk, is_moved};
use super::{
    Chain, Hop, Question, Recall, RecallResult, Rejected, Rejection, Run, Signal, Standing, Understanding,
    cause, rules, standing,
};

/// Mentions of a result that are compared with the question's entities.
const NAMES: usize = 64;
/// Contradictions of a result that are read; the first is shown.
const CONTRADICTIONS: usize = 1;

/// Rows and arcs of the candidates that may be shown.
#[derive(Default)]
struct Shown {
    rows: Rows,
    /// The mentions of each memory.
    mentions: BTreeMap<Node, Vec<Arc>>,
    /// The path on which the graph reached each memory.
    ways: BTreeMap<Node, Vec<graph::Hop>>,
}

impl Shown {
    /// Reads a page of candidates in two requests.
    fn read_page(&mut self, run: &Run<'_>, page: &[Candidate]) -> Result<Vec<(Memory, Document)>> {
        let Question { read, entities, filter, edges, .. } = &run.question;
        let nodes: Vec<Node> = page.iter().map(|candidate| candidate.node).collect();
        if *edges && (!entities.is_empty() || run.walk.is_some()) {
            let mut fan_out = mentions_of(NAMES);
            if run.walk.is_some() {
                fan_out[EdgeKind::Contradicts as usize] = CONTRADICTIONS;
            }
            let arcs = &[Frontier { nodes: &nodes, direction: Direction::Out, fan_out: &fan_out }];
            let found = read.search_one(&Batch { arcs, ..Batch::within(filter) })?.arcs.concat();
            self.mentions.extend(nodes.iter().copied().zip(found));
        }
        for candidate in page {
            self.ways.insert(candidate.node, self.way(run, candidate));
        }
        let ways = nodes.iter().filter_map(|node| self.ways.get(node)).flatten();
        let chained = run.chained.iter().flat_map(|one| &one.ways).flatten();
        let rules = run.rules.iter().map(|(rule, _)| *rule);
        let against = nodes.iter().filter_map(|node| self.contradiction(*node));
        let wanted = nodes.iter().chain(entities).copied().chain(rules).chain(against).collect();
        let sources: Vec<SourceId> = page.iter().map(|candidate| candidate.placement.source).collect();
        self.rows.add(*read, wanted, sources, ways.chain(chained))?;
        // Causal questions and those about a property search superseded memories too. The first show them as
        // links of their chain.
        let is_shown = |memory: &&Memory| {
            memory.superseded_by.is_none()
                || run.question.query.superseded
                || run.question.asked.is_some()
                || run.chained.iter().any(|chained| chained.has(memory.node))
        };
        let row = |memory: &Memory| (memory.clone(), Document::of(self.rows.source(memory.source)));
        Ok(nodes.iter().filter_map(|node| self.rows.memory(*node)).filter(is_shown).map(row).collect())
    }

    /// The path from a seed or a name of the question; empty if the graph had no part.
    fn way(&self, run: &Run<'_>, candidate: &Candidate) -> Vec<graph::Hop> {
        let Some(walk) = &run.walk else { return Vec::new() };
        if let Some(way) = cause::way(&run.chained, candidate.node) {
            return way;
        }
        if !is_moved(candidate) {
            return Vec::new();
        }
        let way = walk.way(candidate, &run.weights);
        if !way.is_empty() || walk.starts_at(candidate.node) {
            return way;
        }
        let mentions = self.mentions.get(&candidate.node).map_or(&[][..], Vec::as_slice);
        walk.bridges.way(candidate.node, mentions)
    }

    /// A memory that contradicts it by an edge.
    fn contradiction(&self, node: Node) -> Option<Node> {
        let arcs = self.mentions.get(&node)?;
        arcs.iter().find(|arc| arc.kind == EdgeKind::Contradicts && arc.to.is_memory()).map(|arc| arc.to)
    }

    /// How a result stands, by edges first, then as it was compared with others, then by its own text.
    fn standing(&self, run: &Run<'_>, memory: &Memory, moment: Timestamp) -> Option<Standing> {
        let compared = run.standings.get(&memory.node);
        if let Some(certain) = compared.filter(|standing| standing.certain) {
            return Some(certain.clone());
        }
        let against = self.contradiction(memory.node).and_then(|node| self.rows.memory(node));
        let row = || standing::of_row(memory, moment, run.question.query.now);
        against.map(Standing::contradicted).or_else(|| compared.cloned()).or_else(row)
    }

    /// The names of the question's entities that a memory mentions.
    fn shared_names(&self, node: Node, entities: &[Node]) -> Vec<String> {
        let mentions = self.mentions.get(&node).into_iter().flatten();
        let shared = mentions.filter(|arc| entities.contains(&arc.to));
        let mut names: Vec<String> =
            shared.filter_map(|arc| self.rows.entity(arc.to).map(|entity| entity.name.clone())).collect();
        names.sort();
        names
    }
}
pub fn answer(
    mut run: Run<'_>,
    ranked: Vec<Candidate>,
    below: &[Candidate],
    abstained: Option<String>,
) -> Result<Recall> {
    let Question { read, query, context, entities, .. } = &run.question;
    let settings = &context.settings.recall;
    let mut shown = Shown { rows: std::mem::take(&mut run.rows), ..Shown::default() };
    if ranked.is_empty() {
        let rules = run.rules.iter().map(|(rule, _)| *rule);
        shown.rows.add(*read, entities.iter().copied().chain(rules).collect(), Vec::new(), [].iter())?;
    }
    let mut packing = pack(ranked, query, settings.redundancy, &mut |page| shown.read_page(&run, page))?;
    if query.rejected {
        reject_hidden(&run.question, below, &mut packing)?;
    }

    let is_packed = |node: Node| packing.packed.iter().any(|packed| packed.candidate.node == node);
    let chains = cause::chains(&run.chained, &is_packed);
    let spelled_out = |hops: &[graph::Hop]| -> Vec<Hop> {
        hops.iter().map(|hop| shown.rows.hop(hop, &run.weights)).collect()
    };
    let chain = |hops: &Vec<graph::Hop>| {
        let hops = spelled_out(hops);
        Chain { confidence: hops.iter().map(|hop| hop.confidence).product(), hops }
    };
    let chains = chains.iter().map(chain).collect();
    let moment = standing::moment(run.question.asked.as_ref(), query.now);
    let result = |packed: Packed| {
        let way = shown.ways.get(&packed.candidate.node).map_or(&[][..], Vec::as_slice);
        RecallResult {
            why_included: why_included(&packed.candidate),
            score: packed.candidate.score,
            title: shown.rows.title(packed.memory.source),
            signals: signals(&packed.candidate, context.ranking),
            seed: way.first().map(|hop| hop.from),
            path: spelled_out(way),
            entities: shown.shared_names(packed.candidate.node, entities),
            standing: shown.standing(&run, &packed.memory, moment),
            memory: packed.memory,
            also_in: packed.also_in,
        }
    };
    let results: Vec<RecallResult> = packing.packed.into_iter().map(result).collect();
    let mut made = run.made;
    if let Some(walk) = &run.walk {
        made.expanded = results.iter().filter(|result| is_brought(walk, result)).count();
    }
    Ok(Recall {
        revision: read.revision(),
        query: query.text.clone(),
        understanding: understanding(&run.question, &shown.rows, run.pool.unknown_share()),
        results,
        rules: rules::beside(&run.rules, &shown.rows, settings, run.question.query.now),
        chains,
        candidates: run.scored,
        abstained,
        rejected: packing.rejected,
        missing: context.missing.clone(),
        tokens: packing.tokens,
        made,
    })
}

/// Whether the graph brought a result. A seed found from a name of the question did not need it.
fn is_brought(walk: &Walk, result: &RecallResult) -> bool {
    let start = |node: Node| walk.subgraph.place(node).is_some_and(|at| walk.subgraph.hops(at) == 0);
    result.seed.is_some_and(|seed| seed.is_memory() || !start(result.memory.node))
}

/// The signals that a candidate has.
fn signals(candidate: &Candidate, ranking: &Ranking) -> Vec<Signal> {
    let shares = ranking.shares(&candidate.values, candidate.score);
    let signal = |s: SignalName| Signal {
        name: s.name(),
        value: candidate.values[s as usize],
        share: shares[s as usize],
    };
    let counts = |s: &Signal| s.value != 0.0 || s.share != 0.0;
    SignalName::ALL.iter().copied().map(signal).filter(counts).collect()
}

fn understanding(question: &Question<'_>, rows: &Rows, unknown: f32) -> Understanding {
    let understood = &question.understood;
    let text = question.query.question();
    let words = |time: &TimeExpression| text.get(time.bytes.clone()).unwrap_or_default().to_string();
    Understanding {
        intent: understood.intent.intent,
        intent_confidence: understood.intent.confidence,
        direction: cause::asked_side(question).map(cause::side_name),
        terms: understood.terms.clone(),
        entities: question.entities.iter().filter_map(|node| rows.entity(*node).cloned()).collect(),
        times: understood.times.iter().map(|time| (words(time), time.interval)).collect(),
        language: understood.language.name(),
        translations: question.translations.iter().map(|one| one.question.clone()).collect(),
        unknown,
        capitals: understood.capitals != 0,
        words: question.words(),
    }
}

/// Lists candidates below the floor, and word matches hidden only by their project or a successor.
fn reject_hidden(question: &Question<'_>, below: &[Candidate], packing: &mut Packing) -> Result<()> {
    let Question { read, query, filter: asked, understood, .. } = question;
    let shown: Vec<Node> = packing.packed.iter().map(|packed| packed.candidate.node).collect();
    const LISTED: usize = 10;
    let nodes: Vec<Node> = below.iter().take(LISTED).map(|c| c.node).collect();
    for memory in read.memories(&nodes)? {
        let own = below.iter().find(|candidate| candidate.node == memory.node);
        let score = own.map_or(0.0, |candidate| candidate.score);
        packing.rejected.push(Rejected { memory, score, reason: Rejection::Floor });
    }
    let mut hidden = |wider: Filter, reason: Rejection, is_hidden: &dyn Fn(&Memory) -> bool| -> Result<()> {
        let words = understood.word_query(LISTED * 4, 0);
        let nodes: Vec<Node> =
            read.search_words(&words, &wider)?.memories.iter().map(|hit| hit.node).collect();
        let memories = read.memories(&nodes)?.into_iter().filter(is_hidden).take(LISTED);
        packing.rejected.extend(memories.map(|memory| Rejected { memory, score: 0.0, reason }));
        Ok(())
    };
    if !query.superseded {
        let wider = Filter { superseded: true, ..asked.clone() };
        hidden(wider, Rejection::Superseded, &|memory| {
            memory.superseded_by.is_some() && !shown.contains(&memory.node)
        })?;
    }
    if let Some(project) = &query.scope.project {
        let mut wider = asked.clone();
        wider.scope.project = None;
        hidden(wider, Rejection::Scope, &|memory| {
            memory.scope.project.as_ref().is_some_and(|own| own != project)
        })?;
    }
    Ok(())
}
