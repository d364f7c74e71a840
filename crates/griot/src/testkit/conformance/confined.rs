//! Random histories seen through one scope: no request of `Read` that a user's verb makes returns a memory
//! outside it.
//!
//! `spoken_by` is excluded: only a merge uses it, which applies to the whole workspace and has to move every
//! speaker.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::random::{Step, a_step, changes};
use super::same::filters;
use super::*;
use crate::backend::{Confined, Direction, NeighbourQuery, NodeName, Read, Rows, Store, WordQuery};
use crate::model::*;
use crate::testkit::memory::MemoryBackend;

/// Memories that must not be visible.
struct Foreign {
    nodes: HashSet<Node>,
    ids: HashSet<MemoryId>,
}

impl Foreign {
    fn refuse(&self, nodes: impl IntoIterator<Item = Node>, asked: &str) {
        for node in nodes {
            assert!(!self.nodes.contains(&node), "{asked} shows {node:?}");
        }
    }

    fn refuse_evidence(&self, evidence: &[Evidence], asked: &str) {
        for id in evidence.iter().filter_map(|one| one.memory) {
            assert!(!self.ids.contains(&id), "{asked} rests on {id}");
        }
    }

    fn refuse_edges(&self, edges: &[Edge], asked: &str) {
        for edge in edges {
            self.refuse([edge.source, edge.target], asked);
            self.refuse_evidence(&edge.evidence, asked);
        }
    }
}

/// Makes every request that could return a memory.
fn assert_nothing_foreign(all: &MemoryBackend, view: &dyn Store, foreign: &Foreign) {
    let next = all.next_numbers().unwrap();
    let memories: Vec<Node> = (0..=next.memory).map(Node::memory).collect();
    let entities: Vec<Node> = (0..=next.entity).map(Node::entity).collect();
    let nodes = [memories.clone(), entities.clone()].concat();
    let of = |memories: Vec<Memory>| memories.into_iter().map(|memory| memory.node).collect::<Vec<_>>();
    foreign.refuse(of(view.memories(&nodes).unwrap()), "memories");
    foreign.refuse(of(view.memories_after(0, 1000).unwrap()), "memories_after");
    foreign.refuse_edges(&view.edges(&(0..=next.edge).collect::<Vec<_>>()).unwrap(), "edges");
    foreign.refuse_edges(&view.edges_after(0, 1000).unwrap(), "edges_after");
    for &node in &nodes {
        foreign.refuse_edges(&view.edges_of(node).unwrap(), "edges_of");
    }
    for edge in all.edges_after(0, 1000).unwrap() {
        let found = view.edge_by_key(edge.source, edge.target, edge.kind, &edge.label).unwrap();
        foreign.refuse_edges(found.as_slice(), "edge_by_key");
    }
    for entity in [None].into_iter().chain(entities.iter().copied().map(Some)) {
        for fact in view.facts(entity).unwrap() {
            foreign.refuse_evidence(&fact.evidence, "facts");
            assert!(fact.scope.user.is_none() || fact.scope.user.as_deref() == Some("ada"), "{fact:?}");
        }
    }
    for memory in all.memories(&memories).unwrap() {
        foreign.refuse(view.find_nodes(&NodeName::Id(memory.id)).unwrap(), "find_nodes by id");
        foreign.refuse(
            view.find_nodes(&NodeName::Handle(&memory.id.handle(6).0)).unwrap(),
            "find_nodes by handle",
        );
        foreign.refuse(
            view.memory_by_hash(&content_hash(&memory.text, &memory.scope)).unwrap(),
            "memory_by_hash",
        );
    }
    for source in (0..=next.source).map(SourceId) {
        foreign.refuse(view.source_memories(source, false).unwrap(), "source_memories");
        foreign.refuse(view.source_memories(source, true).unwrap(), "source_memories");
    }
    let seen: Vec<Node> = nodes.iter().copied().filter(|node| !foreign.nodes.contains(node)).collect();
    for filter in filters() {
        let words = WordQuery {
            terms: vec!["database".into(), "cach".into(), "ada".into()],
            limit: 1000,
            places: 1000,
            ..WordQuery::default()
        };
        let hits = view.search_words(&words, &filter).unwrap();
        foreign.refuse(hits.memories.into_iter().map(|hit| hit.node), "search_words");
        let always = Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX));
        foreign.refuse(view.search_time(always, &filter, 1000).unwrap(), "search_time");
        foreign.refuse(view.latest(&filter, 1000).unwrap(), "latest");
        let asked = unpacked(&a_vector(3));
        let near = view.search_vectors(&asked, &filter, 1000).unwrap();
        foreign.refuse(near.into_iter().map(|(node, _)| node), "search_vectors");
        if view.vector_model().unwrap().is_some_and(|model| model.0 == "test-70") {
            let near = view.search_alike(&[(&a_vector(3), &filter.scope)], 0.0, 1000).unwrap();
            foreign.refuse(near.into_iter().flatten().map(|(node, _)| node), "search_alike");
        }
        for &memory in &memories {
            let (before, after) = view.around(memory, 3, 3, &filter).unwrap();
            foreign.refuse(before.into_iter().chain(after), "around");
        }
        for place in 0..9 {
            foreign.refuse(view.place_members(place, 0, 100, &filter).unwrap(), "place_members");
        }
        let ask =
            NeighbourQuery { direction: Direction::Both, fan_out: &[100; CATALOGUE.len()], filter: &filter };
        for arcs in view.neighbours(&seen, &ask).unwrap() {
            foreign.refuse(arcs.into_iter().map(|arc| arc.to), "neighbours");
        }
    }
    let counts = view.counts().unwrap();
    assert_eq!(counts.memories, counts.memories_by_kind.values().sum::<u64>());
    assert_eq!(counts.edges, counts.edges_by_kind.values().sum::<u64>());
    assert!(counts.edges <= all.counts().unwrap().edges && counts.entities <= all.counts().unwrap().entities);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        max_shrink_iters: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_scope_shows_nothing_from_outside(history in proptest::collection::vec(a_step(), 1..14)) {
        let all = Arc::new(MemoryBackend::new());
        for step in &history {
            if let Step::Write(ops, _) = step {
                let changes = changes(all.as_ref(), ops);
                write(all.as_ref(), changes);
            }
        }
        let scope = |user: &str, project: Option<&str>| Scope {
            user: Some(user.to_string()),
            project: project.map(str::to_string),
        };
        let rows = all.memories_after(0, 1000).unwrap();
        for scope in [scope("ada", None), scope("bob", Some("griot")), scope("stranger", None)] {
            let outside: Vec<&Memory> = rows.iter().filter(|memory| !scope.meets(&memory.scope)).collect();
            let foreign = Foreign {
                nodes: outside.iter().map(|memory| memory.node).collect(),
                ids: outside.iter().map(|memory| memory.id).collect(),
            };
            let view = Confined::new(Arc::clone(&all) as Arc<dyn Store>, scope);
            assert_nothing_foreign(&all, &view, &foreign);
        }
    }
}
