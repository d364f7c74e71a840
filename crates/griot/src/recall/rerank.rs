//! Which of the best candidates answer the question, as a reranker reads question and text together?
//!
//! A reranker is better at the order than signals that look at each side alone, and its scores are not
//! calibrated. So it decides with the own order which candidate gets which position, and each position keeps
//! its probability: what is silent stays silent, and scores fall with the order. It gets the texts between
//! two runs of the same stages, so that no view of the store is open while a service is waited for.

use std::collections::BTreeMap;

use crate::model::{Memory, Node, Result};

use super::Run;
use super::candidates::Candidate;

/// Reads a question together with each text.
pub trait Reranker: Send + Sync {
    /// How well each text answers the question, in the order of the texts. Only comparisons within one call
    /// mean something.
    fn relevance(&self, question: &str, texts: &[String]) -> Result<Vec<f32>>;

    /// Whether it may get texts that belong to a user; a service elsewhere may not unless its owner says so.
    fn takes_private_texts(&self) -> bool;
}

/// How well memories answer a question, as a reranker says.
pub type Relevance = BTreeMap<Node, f32>;

/// The best candidates, which a reranker may look at.
pub fn best(run: &Run<'_>, most: usize) -> Result<Vec<Memory>> {
    let best: Vec<Node> = run.pool.candidates.iter().take(most).map(|candidate| candidate.node).collect();
    run.question.read.memories(&best)
}

/// Gives the positions of the candidates that a reranker has read to them in an order made of both. The
/// others stay where they are.
pub fn arrange(candidates: &mut [Candidate], relevance: &Relevance) {
    /// Reciprocal rank fusion: Cormack, Clarke and Büttcher 2009.
    const K: f32 = 60.0;
    /// A reranker is mostly the better judge, and knows nothing of links, times and names. Chosen, not
    /// measured.
    const THEIRS: f32 = 2.0;
    let places: Vec<usize> =
        (0..candidates.len()).filter(|at| relevance.contains_key(&candidates[*at].node)).collect();
    let theirs = |own: usize| relevance[&candidates[places[own]].node];
    let mut read: Vec<usize> = (0..places.len()).collect();
    read.sort_by(|a, b| theirs(*b).total_cmp(&theirs(*a)).then(a.cmp(b)));
    let mut fused = vec![0.0; places.len()];
    for (rank, own) in read.into_iter().enumerate() {
        fused[own] = 1.0 / (K + own as f32) + THEIRS / (K + rank as f32);
    }
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| fused[*b].total_cmp(&fused[*a]).then(a.cmp(b)));
    let moved: Vec<Candidate> = order.into_iter().map(|own| candidates[places[own]].clone()).collect();
    for (place, candidate) in places.into_iter().zip(moved) {
        let Candidate { order, score, .. } = candidates[place];
        candidates[place] = Candidate { order, score, ..candidate };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Placement;
    use crate::recall::candidates::Found;
    use crate::recall::signals::SIGNALS;

    fn candidate(number: u32, score: f32) -> Candidate {
        Candidate {
            node: Node::memory(number),
            found: Found::Match,
            placement: Placement::default(),
            values: [0.0; SIGNALS],
            cosine: None,
            order: score,
            score,
        }
    }

    #[test]
    fn positions_keep_their_probability_and_what_was_not_read_stays() {
        let mut candidates =
            [(1, 0.9), (2, 0.8), (3, 0.7), (4, 0.6)].map(|(number, score)| candidate(number, score));
        let relevance = [(1, 0.1), (3, 0.9), (4, 0.8)];
        arrange(&mut candidates, &relevance.map(|(number, of)| (Node::memory(number), of)).into());
        let found: Vec<(u32, f32)> = candidates.iter().map(|one| (one.node.number(), one.score)).collect();
        // Own order 1, 3, 4 and theirs 3, 4, 1.
        assert_eq!(found, [(3, 0.9), (2, 0.8), (1, 0.7), (4, 0.6)]);
        arrange(&mut candidates, &BTreeMap::new());
        assert_eq!(candidates[0].node, Node::memory(3));
    }
}
