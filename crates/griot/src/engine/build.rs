//! `build-graphs`: adds the edges of a whole workspace that no single write could make.
//!
//! Three graphs: topics of tags, similarity (cosine), and the order in time over all sources. Edges stated by
//! others stay unchanged. A second run over an unchanged store changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::care::PAGE;
use super::{BuiltGraphs, Engine, GraphsToBuild};
use crate::backend::{Filter, Read};
use crate::embed;
use crate::model::{
    Change, ChangeSet, Edge, EdgeKind, Error, Evidence, Memory, Node, Provenance, Result, SourceId, Timestamp,
};
use crate::remember::topics;

/// The sub-type of edges between consecutive memories.
const BACKBONE: &str = "backbone";
/// Number of neighbours with which a memory is compared, including itself.
const NEAREST: usize = 11;

/// One stop in the order of time: an event, or the first passage of a document.
#[derive(Clone)]
struct Stop {
    at: Timestamp,
    ordinal: u32,
    node: Node,
    source: SourceId,
    timeless: bool,
}

impl Engine {
    /// Builds the requested graphs, and the topics of tags. Reports memories to `progress`.
    pub fn build_graphs(
        &self,
        ask: GraphsToBuild,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<BuiltGraphs> {
        if let Some(threshold) = ask.semantic.filter(|threshold| !(0.0..=1.0).contains(threshold)) {
            let why = format!("the threshold {threshold} is not between 0 and 1");
            return Err(Error::invalid("build the semantic graph", why));
        }
        self.backend.refresh()?;
        if ask.semantic.is_some() {
            self.has_vectors()?;
        }
        let now = self.now();
        let all = self.backend.counts()?.memories;
        let mut built = BuiltGraphs::default();
        let mut stops = Stops::default();
        let mut pages: Vec<Vec<Memory>> = Vec::new();
        self.each_memory(&mut |page| {
            let page: Vec<Memory> = page
                .into_iter()
                .filter(|memory| memory.deleted_at.is_none() && !memory.is_expired(now))
                .collect();
            page.iter().for_each(|memory| stops.take(memory));
            pages.push(page);
            Ok(())
        })?;
        let chains = stops.in_order();
        built.temporal_total = derived_steps(&chains);
        if ask.temporal {
            self.build_backbone(&chains, now, &mut built)?;
        }
        let mut done = 0;
        for page in pages {
            let mut made = BuiltGraphs::default();
            self.backend.write(&mut |read| {
                made = BuiltGraphs::default();
                let (mut changes, joined) = topics::missing(read, &page, now, &self.settings.remember)?;
                made.topics_added = joined;
                if let Some(threshold) = ask.semantic {
                    let edges = similarity_edges(read, &page, threshold, now)?;
                    made.semantic_total = edges.len() as u64;
                    let new = edges.into_iter().filter_map(|(edge, is_new)| is_new.then_some(edge));
                    changes.extend(new.map(Change::PutEdge).inspect(|_| made.semantic_added += 1));
                }
                Ok(ChangeSet { at: now, changes })
            })?;
            built.topics_added += made.topics_added;
            built.semantic_added += made.semantic_added;
            built.semantic_total += made.semantic_total;
            done += page.len() as u64;
            progress(done, all);
        }
        Ok(built)
    }

    /// Stores missing steps between sources, and removes steps of an earlier run whose ends are no longer
    /// consecutive.
    fn build_backbone(&self, chains: &[Vec<Stop>], now: Timestamp, built: &mut BuiltGraphs) -> Result<()> {
        let mut missing = wanted_steps(chains);
        built.temporal_total += missing.len() as u64;
        let mut changes: Vec<Change> = Vec::new();
        let mut after = 0;
        loop {
            let page = self.backend.edges_after(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.number;
            for edge in page {
                let key = (edge.source, edge.target);
                if edge.kind != EdgeKind::Temporal || edge.label != BACKBONE || missing.remove(&key) {
                    continue;
                }
                if edge.provenance == Provenance::Rule {
                    built.temporal_removed += 1;
                    let Edge { source, target, kind, label, .. } = edge;
                    changes.push(Change::RemoveEdge { source, target, kind, label });
                }
            }
        }
        built.temporal_added = missing.len() as u64;
        changes
            .extend(missing.into_iter().map(|(source, target)| Change::PutEdge(step(source, target, now))));
        for part in changes.chunks(PAGE) {
            // Skip memories that were erased since the pages were read.
            self.backend.write(&mut |read| {
                let mut part = part.to_vec();
                let ends: Vec<Node> = part.iter().flat_map(ends).collect();
                let present: BTreeSet<Node> =
                    read.memories(&ends)?.iter().map(|memory| memory.node).collect();
                part.retain(|change| {
                    ends_of(change).is_none_or(|pair| pair.iter().all(|end| present.contains(end)))
                });
                Ok(ChangeSet { at: now, changes: part })
            })?;
        }
        Ok(())
    }
}

/// The stops of a workspace, per user: the memories of other users must not separate one's own.
#[derive(Default)]
struct Stops {
    happened: BTreeMap<Option<String>, Vec<Stop>>,
    /// The first passage of each document.
    documents: BTreeMap<(Option<String>, SourceId), Stop>,
}

impl Stops {
    fn take(&mut self, memory: &Memory) {
        let stop = Stop {
            at: memory.occurred_at,
            ordinal: memory.ordinal,
            node: memory.node,
            source: memory.source,
            timeless: memory.is_timeless(),
        };
        let user = memory.scope.user.clone();
        if !stop.timeless {
            return self.happened.entry(user).or_default().push(stop);
        }
        let first = self.documents.entry((user, stop.source)).or_insert_with(|| stop.clone());
        if (stop.ordinal, stop.node) < (first.ordinal, first.node) {
            *first = stop;
        }
    }

    /// One chain per user, in the order of time.
    fn in_order(self) -> Vec<Vec<Stop>> {
        let mut chains = self.happened;
        for ((user, _), stop) in self.documents {
            chains.entry(user).or_default().push(stop);
        }
        let mut chains: Vec<Vec<Stop>> = chains.into_values().collect();
        for chain in &mut chains {
            chain.sort_by_key(|stop| (stop.at, stop.ordinal, stop.node));
        }
        chains
    }
}

/// The number of steps between consecutive events of one source, which are derived when read.
fn derived_steps(chains: &[Vec<Stop>]) -> u64 {
    let mut steps = 0;
    for chain in chains {
        let mut begun: BTreeSet<SourceId> = BTreeSet::new();
        steps += chain.iter().filter(|stop| !stop.timeless && !begun.insert(stop.source)).count() as u64;
    }
    steps
}

/// Steps between consecutive stops that are not derived.
fn wanted_steps(chains: &[Vec<Stop>]) -> BTreeSet<(Node, Node)> {
    let pairs = chains.iter().flat_map(|chain| chain.iter().zip(chain.iter().skip(1)));
    let is_derived = |a: &Stop, b: &Stop| a.source == b.source && !a.timeless && !b.timeless;
    pairs.filter(|(a, b)| !is_derived(a, b)).map(|(a, b)| (a.node, b.node)).collect()
}

fn ends_of(change: &Change) -> Option<[Node; 2]> {
    match change {
        Change::PutEdge(edge) => Some([edge.source, edge.target]),
        _ => None,
    }
}

fn ends(change: &Change) -> impl Iterator<Item = Node> + use<> {
    ends_of(change).into_iter().flatten()
}

fn step(earlier: Node, later: Node, now: Timestamp) -> Edge {
    let reason = Some("next in time".to_string());
    Edge {
        number: 0,
        source: earlier,
        target: later,
        kind: EdgeKind::Temporal,
        label: BACKBONE.into(),
        weight: 1.0,
        confidence: 1.0,
        provenance: Provenance::Rule,
        evidence: vec![Evidence { memory: None, quote: None, reason, at: now }],
        created_at: now,
        touched_at: now,
        expires_at: None,
    }
}

/// Edges between memories with at least this cosine, each pair once, from its later end; and whether the edge
/// is new.
fn similarity_edges(
    read: &dyn Read,
    page: &[Memory],
    threshold: f32,
    now: Timestamp,
) -> Result<Vec<(Edge, bool)>> {
    let mut found = Vec::new();
    for memory in page {
        let Some(vector) = read.vector(memory.node)? else { continue };
        let filter =
            Filter { scope: memory.scope.clone(), superseded: true, now: Some(now), ..Default::default() };
        for (other, cosine) in read.search_vectors(&embed::dequantise(&vector), &filter, NEAREST)? {
            if cosine < threshold || other >= memory.node {
                continue;
            }
            let is_new = read.edge_by_key(other, memory.node, EdgeKind::Semantic, "")?.is_none();
            found.push((similarity_edge(other, memory, cosine, now), is_new));
        }
    }
    Ok(found)
}

fn similarity_edge(other: Node, memory: &Memory, cosine: f32, now: Timestamp) -> Edge {
    Edge {
        number: 0,
        source: other,
        target: memory.node,
        kind: EdgeKind::Semantic,
        label: String::new(),
        weight: cosine.min(1.0),
        confidence: cosine.min(1.0),
        provenance: Provenance::Embedding,
        evidence: vec![Evidence {
            memory: Some(memory.id),
            quote: None,
            reason: Some(format!("cosine {cosine:.2}")),
            at: now,
        }],
        created_at: now,
        touched_at: now,
        expires_at: None,
    }
}
