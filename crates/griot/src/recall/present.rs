//! Builds the answer from ranked candidates: packing, paths and rows.

use std::collections::BTreeMap;

use crate::backend::{Arc, Batch, Direction, Filter, Frontier, WordQuery};
use crate::graph;
use crate::model::{Memory, Node, Result, SourceId};
use crate::text::TimeExpression;

use super::candidates::{Candidate, mentions_of};
use super::pack::{Packed, Packing, pack, why_included};
use super::rank::Order;
use super::signals::SignalName;
use super::trace::Rows;
use super::walk::{Walk, is_moved};
use super::{
    Chain, Hop, Question, Recall, RecallResult, Rejected, Rejection, Run, Signal, Understanding, cause, rules,
};

/// Mentions of a result that are compared with the question's entities.
const NAMES: usize = 64;

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
    fn read_page(&mut self, run: &Run<'_>, page: &[Candidate]) -> Result<Vec<Memory>> {
        let Question { read, entities, filter, edges, .. } = &run.question;
        let nodes: Vec<Node> = page.iter().map(|candidate| candidate.node).collect();
        if *edges && (!entities.is_empty() || run.walk.is_some()) {
            let fan_out = mentions_of(NAMES);
            let arcs = &[Frontier { nodes: &nodes, direction: Direction::Out, fan_out: &fan_out }];
            let found = read.search_one(&Batch { arcs, ..Batch::within(filter) })?.arcs.concat();
            self.mentions.extend(nodes.iter().copied().zip(found));
        }
        for candidate in page {
            self.ways.insert(candidate.node, self.way(run, candidate));
        }
        let ways = nodes.iter().filter_map(|node| self.ways.get(node)).flatten();
        let behind = run.behind.iter().flat_map(|one| &one.ways).flatten();
        let rules = run.rules.iter().map(|(rule, _)| *rule);
        let wanted = nodes.iter().chain(entities).copied().chain(rules).collect();
        let sources: Vec<SourceId> = page.iter().map(|candidate| candidate.placement.source).collect();
        self.rows.add(*read, wanted, sources, ways.chain(behind))?;
        Ok(nodes.iter().filter_map(|node| self.rows.memory(*node).cloned()).collect())
    }

    /// The path from a seed or a name of the question; empty if the graph had no part.
    fn way(&self, run: &Run<'_>, candidate: &Candidate) -> Vec<graph::Hop> {
        let Some(walk) = &run.walk else { return Vec::new() };
        if let Some(way) = cause::way(&run.behind, candidate.node) {
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
    run: Run<'_>,
    ranked: Vec<Candidate>,
    below: &[Candidate],
    order: &Order<'_>,
    abstained: Option<String>,
) -> Result<Recall> {
    let Question { read, query, context, entities, .. } = &run.question;
    let settings = &context.settings.recall;
    let mut shown = Shown::default();
    if ranked.is_empty() {
        let rules = run.rules.iter().map(|(rule, _)| *rule);
        shown.rows.add(*read, entities.iter().copied().chain(rules).collect(), Vec::new(), [].iter())?;
    }
    let mut packing = pack(ranked, query, settings.redundancy, &mut |page| shown.read_page(&run, page))?;
    if query.rejected {
        reject_hidden(&run.question, below, &mut packing)?;
    }

    let is_packed = |node: Node| packing.packed.iter().any(|packed| packed.candidate.node == node);
    let chains = cause::chains(&run.behind, &is_packed);
    let spelled_out = |hops: &[graph::Hop]| -> Vec<Hop> {
        hops.iter().map(|hop| shown.rows.hop(hop, &run.weights)).collect()
    };
    let chain = |hops: &Vec<graph::Hop>| {
        let hops = spelled_out(hops);
        Chain { confidence: hops.iter().map(|hop| hop.confidence).product(), hops }
    };
    let chains = chains.iter().map(chain).collect();
    let result = |packed: Packed| {
        let way = shown.ways.get(&packed.candidate.node).map_or(&[][..], Vec::as_slice);
        RecallResult {
            why_included: why_included(&packed.candidate),
            score: packed.candidate.score,
            title: shown.rows.title(packed.memory.source),
            signals: signals(&packed.candidate, order),
            seed: way.first().map(|hop| hop.from),
            path: spelled_out(way),
            entities: shown.shared_names(packed.candidate.node, entities),
            memory: packed.memory,
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
        understanding: understanding(&run.question, &shown.rows),
        results,
        rules: rules::beside(&run.rules, &shown.rows, settings),
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

/// The signals that a candidate has or that count for its score. A signal of 0 may count too: "mentions none
/// of the question's names".
fn signals(candidate: &Candidate, order: &Order<'_>) -> Vec<Signal> {
    let shares = order.shares(candidate);
    let signal = |s: SignalName| Signal {
        name: s.name(),
        value: candidate.values[s as usize],
        share: shares[s as usize],
    };
    let counts = |s: &Signal| s.value != 0.0 || s.share != 0.0;
    SignalName::ALL.iter().copied().map(signal).filter(counts).collect()
}

fn understanding(question: &Question<'_>, rows: &Rows) -> Understanding {
    let understood = &question.understood;
    let text = question.query.text.trim();
    let words = |time: &TimeExpression| text.get(time.bytes.clone()).unwrap_or_default().to_string();
    Understanding {
        intent: understood.intent.intent,
        intent_confidence: understood.intent.confidence,
        terms: understood.terms.clone(),
        entities: question.entities.iter().filter_map(|node| rows.entity(*node).cloned()).collect(),
        times: understood.times.iter().map(|time| (words(time), time.interval)).collect(),
        language: understood.language.name(),
    }
}

/// Lists candidates below the floor, and word matches hidden only by their project or a successor.
fn reject_hidden(question: &Question<'_>, below: &[Candidate], packing: &mut Packing) -> Result<()> {
    let Question { read, query, filter: asked, understood, .. } = question;
    const LISTED: usize = 10;
    let nodes: Vec<Node> = below.iter().take(LISTED).map(|c| c.node).collect();
    for (memory, candidate) in read.memories(&nodes)?.into_iter().zip(below) {
        packing.rejected.push(Rejected { memory, score: candidate.score, reason: Rejection::Floor });
    }
    let mut hidden = |wider: Filter, reason: Rejection, is_hidden: &dyn Fn(&Memory) -> bool| -> Result<()> {
        let words = WordQuery { terms: understood.terms.clone(), limit: LISTED * 4, places: 0 };
        let nodes: Vec<Node> =
            read.search_words(&words, &wider)?.memories.iter().map(|hit| hit.node).collect();
        let memories = read.memories(&nodes)?.into_iter().filter(is_hidden).take(LISTED);
        packing.rejected.extend(memories.map(|memory| Rejected { memory, score: 0.0, reason }));
        Ok(())
    };
    if !query.superseded {
        let wider = Filter { superseded: true, ..asked.clone() };
        hidden(wider, Rejection::Superseded, &|memory| memory.superseded_by.is_some())?;
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
