//! What `remember` offers to a caller who looks for causes, and what rules link by themselves.

use std::collections::BTreeMap;

use griot::remember::Remembered;

use crate::causes::Causes;
use crate::workspace::Workspace;

/// What rules linked and `remember` offered, over all worlds of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    pub remembered: usize,
    /// True pairs of cause and effect; those offered in any way, as cause and effect, and the right way
    /// round.
    pub edges: usize,
    pub offered: usize,
    pub causal: usize,
    pub directed: usize,
    /// Causal candidates, and those that are a true pair the right way round.
    pub candidates: usize,
    pub right: usize,
    /// Edges by rule: a true pair, over several steps, the wrong way round, without any ground. An edge that
    /// the caller says, too, is one of them.
    pub by_rule: [usize; 4],
}

/// How a true pair was offered, at any time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ways {
    is_causal: bool,
    is_directed: bool,
}

/// True pairs of cause and effect of a world that were offered.
pub type Offered = BTreeMap<(String, String), Ways>;

impl Offers {
    /// Counts what `remember` offers for a new memory.
    pub fn count(
        &mut self,
        workspace: &Workspace,
        causes: &Causes,
        new: &str,
        answer: &Remembered,
        seen: &mut Offered,
    ) {
        self.remembered += 1;
        self.candidates += answer.causal_candidates.len();
        for (cause, effect) in causes.among(new, &workspace.offered(answer)) {
            seen.entry((cause.to_owned(), effect.to_owned())).or_default();
        }
        for candidate in &answer.causal_candidates {
            let Some(other) = workspace.unit(candidate.id) else { continue };
            for (cause, effect) in causes.among(new, &[other].into()) {
                let is_directed = candidate.candidate_is_cause == (cause == other);
                let ways = seen.entry((cause.to_owned(), effect.to_owned())).or_default();
                ways.is_causal = true;
                ways.is_directed |= is_directed;
                self.right += usize::from(is_directed);
            }
        }
    }

    /// Adds the true pairs of a world, and those of them that were offered.
    pub fn add(&mut self, causes: &Causes, seen: &Offered) {
        self.edges += causes.0.len();
        self.offered += seen.len();
        self.causal += seen.values().filter(|ways| ways.is_causal).count();
        self.directed += seen.values().filter(|ways| ways.is_directed).count();
    }

    pub fn add_rule(&mut self, causes: &Causes, cause: &str, effect: &str) {
        self.by_rule[ground(causes, cause, effect)] += 1;
    }

    pub fn line(&self) -> String {
        let a_memory = self.candidates as f64 / self.remembered.max(1) as f64;
        let right = self.right as f64 / self.candidates.max(1) as f64;
        format!(
            "offered of {} true edges: {}, as causes {}, the right way round {}; {a_memory:.1} causal \
             candidates a memory, {right:.2} of them right\n",
            self.edges, self.offered, self.causal, self.directed,
        )
    }

    pub fn rules(&self) -> String {
        let [direct, far, turned, wrong] = self.by_rule;
        format!("by rule: {direct} right, {far} over several steps, {turned} turned, {wrong} wrong\n")
    }
}

/// Which of [`Offers::by_rule`] an edge is.
fn ground(causes: &Causes, cause: &str, effect: &str) -> usize {
    if causes.has(cause, effect) {
        0
    } else if causes.before(effect).contains(cause) {
        1
    } else if causes.before(cause).contains(effect) {
        2
    } else {
        3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_by_rule_is_judged_by_the_true_causes() {
        let causes = crate::causes::tests::causes("a>b b>c");
        let pairs = [("a", "b"), ("a", "c"), ("c", "a"), ("a", "x")];
        assert_eq!(pairs.map(|(cause, effect)| ground(&causes, cause, effect)), [0, 1, 2, 3]);
    }

    #[test]
    fn shares_are_of_all_candidates_and_all_memories() {
        let ways = |is_directed| Ways { is_causal: is_directed, is_directed };
        let pair = |cause: &str, effect: &str| (cause.to_owned(), effect.to_owned());
        let seen = [(pair("a", "b"), ways(true)), (pair("b", "c"), ways(false))].into();
        let mut offers = Offers { remembered: 4, candidates: 10, right: 1, ..Offers::default() };
        offers.add(&crate::causes::tests::causes("a>b b>c c>d"), &seen);
        assert_eq!(
            offers.line(),
            "offered of 3 true edges: 2, as causes 1, the right way round 1; 2.5 causal candidates a memory, \
             0.10 of them right\n"
        );
    }
}
