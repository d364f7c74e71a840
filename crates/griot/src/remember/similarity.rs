//! Edges between similar memories, by the cosine of their vectors.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::{Batch, Filter, Read, Wanted};
use crate::embed;
use crate::model::{Edge, EdgeKind, Evidence, Memory, Node, Provenance, Result, StoredVector, Timestamp};

/// Number of neighbours with which a memory is compared, including itself.
const NEAREST: usize = 11;

/// Edges between memories with at least this cosine, each pair once, from its later end; and whether the edge
/// is new.
pub fn edges(read: &dyn Read, page: &[Memory], threshold: f32, now: Timestamp) -> Result<Vec<(Edge, bool)>> {
    let nodes: Vec<Node> = page.iter().map(|memory| memory.node).collect();
    let vectors = read.fetch(&Wanted { vectors: &nodes, ..Wanted::default() })?.vectors;
    let vectors: BTreeMap<Node, StoredVector> = vectors.into_iter().collect();
    let mut edges = Vec::new();
    for some in page.chunks(AT_ONCE) {
        for (memory, nearest) in some.iter().zip(nearest(read, some, &vectors, now)?) {
            let alike =
                nearest.into_iter().filter(|(other, cosine)| *cosine >= threshold && *other < memory.node);
            edges.extend(alike.map(|(other, cosine)| edge(other, memory, cosine, now)));
        }
    }
    let keys: Vec<_> = edges.iter().map(|edge| (edge.source, edge.target, edge.kind, "")).collect();
    let stored = read.fetch(&Wanted { edge_keys: &keys, ..Wanted::default() })?.edges;
    let stored: BTreeSet<(Node, Node)> = stored.iter().map(|edge| (edge.source, edge.target)).collect();
    let is_new = |edge: Edge| {
        let is_new = !stored.contains(&(edge.source, edge.target));
        (edge, is_new)
    };
    Ok(edges.into_iter().map(is_new).collect())
}

/// Number of vectors that are searched at once.
const AT_ONCE: usize = 100;

/// The nearest of each memory within its scope; none for a memory without a vector.
fn nearest(
    read: &dyn Read,
    memories: &[Memory],
    vectors: &BTreeMap<Node, StoredVector>,
    now: Timestamp,
) -> Result<Vec<Vec<(Node, f32)>>> {
    let within = |memory: &Memory| Filter {
        scope: memory.scope.clone(),
        superseded: true,
        now: Some(now),
        ..Filter::default()
    };
    let filters: Vec<Filter> = memories.iter().map(within).collect();
    let vector = |memory: &Memory| vectors.get(&memory.node).map(embed::dequantise);
    let asked: Vec<Option<Vec<f32>>> = memories.iter().map(vector).collect();
    let asked: Vec<Option<(&[f32], usize)>> =
        asked.iter().map(|vector| Some((vector.as_deref()?, NEAREST))).collect();
    let asked = filters.iter().zip(&asked);
    let batches: Vec<Batch<'_>> =
        asked.map(|(filter, vector)| Batch { vectors: vector.as_slice(), ..Batch::within(filter) }).collect();
    Ok(read.search(&batches)?.into_iter().map(|answers| answers.vectors.concat()).collect())
}

fn edge(other: Node, memory: &Memory, cosine: f32, at: Timestamp) -> Edge {
    let reason = Some(format!("cosine {cosine:.2}"));
    let evidence = Evidence { memory: Some(memory.id), quote: None, reason, at };
    Edge {
        weight: cosine.min(1.0),
        confidence: cosine.min(1.0),
        ..Edge::new((other, memory.node), EdgeKind::Semantic, Provenance::Embedding, evidence)
    }
}
