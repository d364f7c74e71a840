//! The order in time over all sources: which steps between memories are stored.
//!
//! Steps between consecutive events of one source are derived when read; only those between sources, and
//! those at documents, are stored. A document is one stop: its first passage.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::Read;
use crate::model::{Change, Edge, EdgeKind, Evidence, Memory, Node, Provenance, Result, SourceId, Timestamp};

/// The sub-type of edges between consecutive memories.
const BACKBONE: &str = "backbone";

/// One stop in the order of time: an event, or the first passage of a document.
#[derive(Clone)]
pub struct Stop {
    at: Timestamp,
    ordinal: u32,
    node: Node,
    source: SourceId,
    timeless: bool,
}

/// The stops of a workspace, per user: the memories of other users must not separate one's own.
#[derive(Default)]
pub struct Stops {
    happened: BTreeMap<Option<String>, Vec<Stop>>,
    /// The first passage of each document.
    documents: BTreeMap<(Option<String>, SourceId), Stop>,
}

impl Stops {
    /// Adds a memory.
    pub fn add(&mut self, memory: &Memory) {
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
    pub fn in_order(self) -> Vec<Vec<Stop>> {
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
pub fn derived_steps(chains: &[Vec<Stop>]) -> u64 {
    let mut steps = 0;
    for chain in chains {
        let mut begun: BTreeSet<SourceId> = BTreeSet::new();
        steps += chain.iter().filter(|stop| !stop.timeless && !begun.insert(stop.source)).count() as u64;
    }
    steps
}

/// Steps between consecutive stops that are not derived.
pub fn wanted_steps(chains: &[Vec<Stop>]) -> BTreeSet<(Node, Node)> {
    let pairs = chains.iter().flat_map(|chain| chain.iter().zip(chain.iter().skip(1)));
    let is_derived = |a: &Stop, b: &Stop| a.source == b.source && !a.timeless && !b.timeless;
    pairs.filter(|(a, b)| !is_derived(a, b)).map(|(a, b)| (a.node, b.node)).collect()
}

/// Compares wanted steps with stored edges: takes out those that are stored, and adds the removal of steps of
/// an earlier run whose ends are no longer consecutive to `changes`.
pub fn compare(stored: &[Edge], missing: &mut BTreeSet<(Node, Node)>, changes: &mut Vec<Change>) {
    for edge in stored.iter().filter(|edge| edge.kind == EdgeKind::Temporal && edge.label == BACKBONE) {
        if !missing.remove(&(edge.source, edge.target)) && edge.provenance == Provenance::Rule {
            changes.push(Change::removal(edge));
        }
    }
}

pub fn step((earlier, later): (Node, Node), at: Timestamp) -> Edge {
    let evidence = Evidence { memory: None, quote: None, reason: Some("next in time".into()), at };
    Edge {
        label: BACKBONE.into(),
        confidence: 1.0,
        ..Edge::new((earlier, later), EdgeKind::Temporal, Provenance::Rule, evidence)
    }
}

/// The changes without the edges at memories that the store does not have, because they were erased since.
pub fn without_erased(read: &dyn Read, changes: &[Change]) -> Result<Vec<Change>> {
    let ends = |change: &Change| match change {
        Change::PutEdge(edge) => vec![edge.source, edge.target],
        _ => Vec::new(),
    };
    let all: Vec<Node> = changes.iter().flat_map(ends).collect();
    let present: BTreeSet<Node> = read.memories(&all)?.iter().map(|memory| memory.node).collect();
    let is_whole = |change: &&Change| ends(change).iter().all(|end| present.contains(end));
    Ok(changes.iter().filter(is_whole).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stop per word: node, time, source, and `*` for a passage.
    fn chains(words: &str) -> Vec<Vec<Stop>> {
        let stop = |word: &str| {
            let (timeless, word) = (word.ends_with('*'), word.trim_end_matches('*'));
            let numbers: Vec<u32> = word.split('.').map(|part| part.parse().expect("a number")).collect();
            let [node, at, source] = numbers[..] else { panic!("{word} is no stop") };
            let (node, at) = (Node::memory(node), Timestamp(at.into()));
            Stop { at, ordinal: 0, node, source: SourceId(source), timeless }
        };
        vec![words.split_whitespace().map(stop).collect()]
    }

    fn wanted(words: &str) -> String {
        let steps = wanted_steps(&chains(words)).into_iter();
        steps.map(|(a, b)| format!("{}-{}", a.number(), b.number())).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_steps_between_sources_and_at_documents_are_stored() {
        for (stops, stored, derived) in [
            ("1.10.1 2.20.1 3.30.1", "", 2),
            ("1.10.1 2.20.2 3.30.1", "1-2 2-3", 1),
            ("1.10.1 2.20.1* 3.30.1", "1-2 2-3", 1),
            ("1.10.1* 2.20.1*", "1-2", 0),
        ] {
            assert_eq!(wanted(stops), stored, "{stops}");
            assert_eq!(derived_steps(&chains(stops)), derived, "{stops}");
        }
    }

    #[test]
    fn steps_that_are_stored_stay_and_those_of_an_earlier_order_go() {
        let nodes = |a, b| (Node::memory(a), Node::memory(b));
        let stated = Edge { provenance: Provenance::User, ..step(nodes(7, 8), Timestamp(1)) };
        let stored = [step(nodes(1, 2), Timestamp(1)), step(nodes(1, 3), Timestamp(1)), stated];
        let (mut missing, mut changes) = (BTreeSet::from([nodes(1, 2), nodes(2, 3)]), Vec::new());
        compare(&stored, &mut missing, &mut changes);
        assert_eq!(missing, BTreeSet::from([nodes(2, 3)]));
        assert_eq!(changes, [Change::removal(&stored[1])], "what a person stated stays");
    }
}
