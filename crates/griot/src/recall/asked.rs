//! Chooses the memory that a causal question asks about: the effect of "why X", the start of "what did X lead
//! to".
//!
//! A question rarely repeats the words of its memory, so no single signal is trusted: score, words, coverage
//! and vector vote, and so does the graph, because what *why* asks about has causes. The weights were learned
//! on written worlds, as a choice among the best matches; that of the graph is smaller, because in those
//! worlds every question has a chain. Where the choice is clear there is one; else the alternatives follow.
//! Pure; equal votes keep the order of the candidates.

use crate::model::Node;

/// What speaks for one of the best candidates.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Vote {
    /// Each a share of the best candidate's, 0..=1.
    pub score: f32,
    pub words: f32,
    pub coverage: f32,
    pub meaning: f32,
    /// Strength of its strongest causal arc on the asked side, 0..=1; 0 without one.
    pub chained: f32,
}

impl Vote {
    /// The logarithm of its odds among the candidates.
    fn weight(&self) -> f32 {
        3.65 * self.score
            + 1.16 * self.words
            + 0.58 * self.coverage
            + 4.32 * self.meaning
            + 2.0 * self.chained
    }
}

/// How likely an alternative is at least, as a share of the likeliest.
const ALTERNATIVE: f32 = 0.1;

/// What the question may ask about, likeliest first. Empty if none of it has a chain: then there is nothing
/// to follow.
pub fn asked_about(votes: &[(Node, Vote)]) -> Vec<Node> {
    let mut likely: Vec<(f32, Node, bool)> =
        votes.iter().map(|(node, vote)| (vote.weight(), *node, vote.chained > 0.0)).collect();
    likely.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = likely.first().map_or(0.0, |(weight, ..)| *weight);
    likely.retain(|(weight, ..)| (weight - best).exp() >= ALTERNATIVE);
    if likely.iter().any(|(.., chained)| *chained) {
        likely.into_iter().map(|(_, node, _)| node).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vote(node: u32, fit: f32, chained: f32) -> (Node, Vote) {
        (Node::memory(node), Vote { score: fit, words: fit, coverage: fit, meaning: fit, chained })
    }

    #[test]
    fn a_clear_choice_has_no_alternative() {
        let votes = [vote(1, 1.0, 1.0), vote(2, 0.5, 1.0)];
        assert_eq!(asked_about(&votes), [Node::memory(1)]);
    }

    #[test]
    fn among_similar_matches_the_one_with_a_chain_is_first() {
        let votes = [vote(1, 1.0, 0.0), vote(2, 0.9, 1.0)];
        assert_eq!(asked_about(&votes), [Node::memory(2), Node::memory(1)]);
    }

    #[test]
    fn without_any_chain_there_is_nothing_to_choose() {
        assert!(asked_about(&[vote(1, 1.0, 0.0), vote(2, 0.9, 0.0)]).is_empty());
        // A chain of a poor match does not count.
        assert!(asked_about(&[vote(1, 1.0, 0.0), vote(2, 0.1, 1.0)]).is_empty());
        assert!(asked_about(&[]).is_empty());
    }
}
