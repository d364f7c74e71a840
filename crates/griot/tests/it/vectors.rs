//! The approximate searches among vectors beside exact ones: comparing with every stored vector.

use std::sync::Arc;

use griot::backend::{Filter, Read};
use griot::embed::{Embedder, dequantise};
use griot::model::{Node, Result, Scope, SourceType, StoredVector};
use griot::remember::{Draft, SourceDraft};

use crate::support::*;

const MEMORIES: usize = 3000;
const CLUSTERS: usize = 100;
const DIMENSIONS: usize = 256;
const BEST: usize = 10;
/// What the searches must find of the ten nearest.
const LEAST_RECALL: f64 = 0.97;

/// Gives the memory with the number `n` in its text vector `n`.
struct Clustered(Vec<Vec<f32>>);

impl Clustered {
    /// Around each centre lie 30, close together in the first clusters and far apart in the last.
    fn new() -> Self {
        let mut random = fastrand::Rng::with_seed(11);
        let mut direction = || -> Vec<f32> {
            // The sum of some uniform numbers is near enough to normal.
            unit((0..DIMENSIONS).map(|_| (0..6).map(|_| random.f32() - 0.5).sum()).collect())
        };
        let centres: Vec<Vec<f32>> = (0..CLUSTERS).map(|_| direction()).collect();
        let around = |number: usize| {
            let cluster = number % CLUSTERS;
            let spread = 0.3 + cluster as f32 / CLUSTERS as f32;
            unit(
                centres[cluster]
                    .iter()
                    .zip(direction())
                    .map(|(centre, noise)| centre + spread * noise)
                    .collect(),
            )
        };
        Self((0..MEMORIES).map(around).collect())
    }
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.into_iter().map(|value| value / length).collect()
}

impl Embedder for Clustered {
    fn name(&self) -> &str {
        "clustered"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        let number =
            |text: &&str| text.split_whitespace().next_back().and_then(|word| word.parse::<usize>().ok());
        Ok(texts.iter().map(|text| number(text).and_then(|number| self.0.get(number)).cloned()).collect())
    }
}

/// A workspace with all of the vectors, its memories, and what is stored of each.
fn filled() -> (Workspace, griot::engine::Engine, Vec<(Node, StoredVector)>) {
    let workspace = Workspace::new();
    let engine = workspace.open().with_embedder(Arc::new(Clustered::new()));
    let drafts = (0..MEMORIES).map(|number| Draft::new(format!("measurement number {number}"))).collect();
    engine.remember_all(&SourceDraft::new(SourceType::File, "/measured.txt"), drafts).unwrap();
    let read = engine.read().unwrap();
    let stored: Vec<(Node, StoredVector)> = all_memories(&engine)
        .into_iter()
        .map(|memory| (memory.node, read.vector(memory.node).unwrap().expect("each has a vector")))
        .collect();
    assert_eq!(stored.len(), MEMORIES);
    (workspace, engine, stored)
}

/// The ten nearest of at least this cosine, by comparing with all.
fn nearest(vectors: &[(Node, Vec<f32>)], query: &[f32], least: f32) -> Vec<Node> {
    let mut all: Vec<(f32, Node)> =
        vectors.iter().map(|(node, vector)| (cosine(vector, query), *node)).collect();
    all.retain(|(cosine, _)| *cosine >= least);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.truncate(BEST);
    all.into_iter().map(|(_, node)| node).collect()
}

/// Share of what is there that was found.
#[derive(Default)]
struct Share {
    found: usize,
    wanted: usize,
}

impl Share {
    fn add(&mut self, wanted: &[Node], got: &[(Node, f32)]) {
        self.wanted += wanted.len();
        self.found += wanted.iter().filter(|node| got.iter().any(|(found, _)| found == *node)).count();
    }

    #[track_caller]
    fn assert_enough(&self, what: &str) {
        assert!(self.wanted > 1000, "{what}: {} neighbours are no test", self.wanted);
        let recall = self.found as f64 / self.wanted as f64;
        assert!(recall >= LEAST_RECALL, "{what}: recall@{BEST} is {recall:.3}");
    }
}

#[test]
fn invariant_10_the_approximate_searches_find_what_exact_ones_find() {
    let (_workspace, engine, stored) = filled();
    let read: &dyn Read = engine.read().unwrap();
    let vectors: Vec<(Node, Vec<f32>)> =
        stored.iter().map(|(node, vector)| (*node, dequantise(vector))).collect();
    let everything = Filter::default();

    let mut share = Share::default();
    for (_, query) in vectors.iter().step_by(13) {
        let got = read.search_vectors(query, &everything, BEST).unwrap();
        assert_eq!(got.len(), BEST);
        share.add(&nearest(&vectors, query, -1.0), &got);
    }
    share.assert_enough("search_vectors");

    // The bounds of candidates and of edges.
    for least in [0.4, 0.8] {
        let no_one = Scope::default();
        let queries: Vec<(&StoredVector, &Scope)> =
            stored.iter().step_by(7).map(|(_, vector)| (vector, &no_one)).collect();
        let got = read.search_alike(&queries, least, BEST).unwrap();
        let mut share = Share::default();
        for (query, got) in queries.iter().zip(got) {
            assert!(got.iter().all(|(_, cosine)| *cosine >= least));
            share.add(&nearest(&vectors, &dequantise(query.0), least), &got);
        }
        share.assert_enough(&format!("search_alike from {least}"));
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
