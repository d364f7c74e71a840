//! What led to what in a made-up world, as its author knows it.

use std::collections::{BTreeMap, BTreeSet};

/// Pairs of cause and effect; true where a word of either text says so. A walk over a cycle ends.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Causes(pub BTreeMap<(String, String), bool>);

impl Causes {
    pub fn has(&self, cause: &str, effect: &str) -> bool {
        self.0.keys().any(|(from, to)| from == cause && to == effect)
    }

    /// Everything behind a memory, near or far.
    pub fn before(&self, of: &str) -> BTreeSet<&str> {
        reached(of, |from| self.0.keys().filter(|pair| pair.1 == from).map(|pair| pair.0.as_str()).collect())
    }

    /// Everything that follows from a memory, near or far.
    pub fn after(&self, of: &str) -> BTreeSet<&str> {
        reached(of, |from| self.0.keys().filter(|pair| pair.0 == from).map(|pair| pair.1.as_str()).collect())
    }

    /// The true pairs between a new memory and those that are offered for it: a caller who knows the answers
    /// confirms these.
    pub fn among<'a>(&self, new: &'a str, offered: &BTreeSet<&'a str>) -> Vec<(&'a str, &'a str)> {
        let pairs = offered.iter().flat_map(|other| [(*other, new), (new, *other)]);
        pairs.filter(|(cause, effect)| self.has(cause, effect)).collect()
    }

    /// Memories of the longest path that ends at `effect` and takes its steps along `chain`, in its order.
    pub fn longest_to(&self, effect: &str, chain: &[&str]) -> usize {
        self.longest(effect, chain, |cause, effect| self.has(cause, effect))
    }

    /// The same for a path that begins at `cause`.
    pub fn longest_from(&self, cause: &str, chain: &[&str]) -> usize {
        let back: Vec<&str> = chain.iter().rev().copied().collect();
        self.longest(cause, &back, |effect, cause| self.has(cause, effect))
    }

    fn longest(&self, end: &str, chain: &[&str], follows: impl Fn(&str, &str) -> bool) -> usize {
        let mut lengths: Vec<usize> = Vec::with_capacity(chain.len());
        for (at, member) in chain.iter().enumerate() {
            let before = (0..at).filter(|earlier| follows(chain[*earlier], member));
            lengths.push(1 + before.map(|earlier| lengths[earlier]).max().unwrap_or(0));
        }
        let ends = chain.iter().zip(lengths).filter(|(member, _)| **member == end);
        ends.map(|(_, length)| length).max().unwrap_or(0)
    }

    /// The members with every cause before its effects.
    pub fn in_order<'a>(&self, members: &[&'a str]) -> Vec<&'a str> {
        let mut ordered = members.to_vec();
        // An effect has all that is behind its causes behind it, and the causes.
        ordered.sort_by_key(|member| self.before(member).len());
        ordered
    }
}

fn reached<'a>(of: &str, steps: impl Fn(&str) -> Vec<&'a str>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = steps(of);
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(steps(next));
        }
    }
    found
}

/// All of `wanted` are in `chain` in their order; others may be between them.
pub fn runs_through(chain: &[&str], wanted: &[String]) -> bool {
    let mut rest = chain.iter();
    wanted.iter().all(|member| rest.any(|other| other == member))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// `"a>b b>c"`
    pub fn causes(text: &str) -> Causes {
        let pairs = text.split_whitespace().filter_map(|pair| pair.split_once('>'));
        Causes(pairs.map(|(cause, effect)| ((cause.to_owned(), effect.to_owned()), false)).collect())
    }

    #[test]
    fn a_walk_reaches_all_behind_and_all_after() {
        let causes = causes("a>b b>c x>c c>d d>b");
        assert_eq!(causes.before("c"), ["a", "b", "c", "d", "x"].into());
        assert_eq!(causes.after("x"), ["b", "c", "d"].into());
        assert_eq!(causes.after("z"), BTreeSet::new());
    }

    #[test]
    fn only_true_pairs_are_confirmed_in_either_direction() {
        let causes = causes("a>b c>a");
        assert_eq!(causes.among("a", &["b", "c", "d"].into()), [("a", "b"), ("c", "a")]);
        assert_eq!(causes.among("b", &["c"].into()), []);
    }

    #[test]
    fn a_path_takes_its_steps_in_order_of_the_chain() {
        let causes = causes("a>b b>d a>c c>x x>d");
        let all = causes.in_order(&["d", "x", "c", "b", "a"]);
        assert_eq!((causes.longest_to("d", &all), causes.longest_from("a", &all)), (4, 4));
        assert_eq!(causes.longest_to("d", &["a", "z", "b", "d"]), 3);
        assert_eq!(causes.longest_to("d", &["c", "a", "x", "d"]), 3);
        assert_eq!(causes.longest_from("a", &["d", "b", "a"]), 1);
        assert_eq!(causes.longest_to("d", &["a", "b"]), 0);
    }

    #[test]
    fn a_chain_runs_through_its_members_in_order_only() {
        let wanted = ["a", "b", "c"].map(String::from);
        assert!(runs_through(&["a", "x", "b", "c", "d"], &wanted));
        assert!(!runs_through(&["a", "c", "b"], &wanted));
        assert!(!runs_through(&["b", "c"], &wanted));
    }
}
