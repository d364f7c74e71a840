//! Guarantees of merging entities and undoing it, on both back ends: applies the plan of `remember::merge` to
//! each.

use super::*;
use crate::backend::{NodeName, Store};
#[cfg(test)]
use crate::backend::{
    Read as _,
    sqlite::{Options, SqliteBackend},
};
use crate::model::*;
use crate::remember::merge::{self, Separated, Who};

const POSTGRES: Node = Node::entity(1);
const PG: Node = Node::entity(2);
const API: Node = Node::entity(3);

fn who() -> Who {
    Who { by: Provenance::User, reason: Some("one database".into()), at: Timestamp(500) }
}

/// Merges `PG` into `POSTGRES`.
fn join(store: &dyn Store) -> Merge {
    let (record, changes) = merge::merge(store, POSTGRES, PG, who()).unwrap();
    write(store, changes);
    record
}

fn part(store: &dyn Store, number: u32) -> Separated {
    let (_, parted, changes) = merge::undo(store, number, Timestamp(900)).unwrap();
    write(store, changes);
    parted
}

fn relation(source: Node, target: Node, label: &str, weight: f32) -> Edge {
    Edge { weight, ..an_edge(source, target, EdgeKind::Relation, label) }
}

/// Two memories, three entities, edges that are moved, folded and dropped, a fact on either side, a speaker.
fn furnish(store: &dyn Store) {
    let mut said = a_memory(2, "pg is slow");
    said.speaker = Some("pg".into());
    let mut pg = an_entity(2, EntityType::Tool, "pg");
    pg.description = vec!["a database".into()];
    pg.first_seen = Timestamp(0);
    let mut second = relation(PG, API, "serves", 2.0);
    second.evidence = vec![own_evidence(2, Timestamp(100))];
    let mut alike = an_edge(PG, API, EdgeKind::Semantic, "");
    alike.weight = 0.9;
    let changes = vec![
        Change::PutSource(a_source(1)),
        Change::PutEntity(an_entity(1, EntityType::Concept, "Postgres")),
        Change::PutEntity(pg),
        Change::PutEntity(an_entity(3, EntityType::Tool, "API")),
        Change::CountType { entity: PG, kind: EntityType::Tool, given: false, times: 2 },
        add(a_memory(1, "Postgres, that is pg")),
        add(said),
        Change::PutEdge(a_mention(1, 1)),
        Change::PutEdge(a_mention(1, 2)),
        Change::PutEdge(a_mention(2, 2)),
        Change::PutEdge(relation(POSTGRES, API, "serves", 1.0)),
        Change::PutEdge(second),
        Change::PutEdge(relation(API, PG, "uses", 1.0)),
        Change::PutEdge(alike),
        Change::PutEdge(relation(POSTGRES, PG, "replaces", 1.0)),
        Change::PutFact(a_fact(2, FactObject::Literal("port 5432".into()))),
        Change::PutFact(a_fact(3, FactObject::Entity(PG))),
    ];
    write(store, changes);
}

/// Everything that a merge may change.
#[derive(PartialEq, Debug)]
struct State {
    entities: Vec<Entity>,
    edges: Vec<Edge>,
    facts: Vec<Fact>,
    speakers: Vec<Option<Node>>,
    votes: Vec<Vec<TypeVotes>>,
}

fn state(store: &dyn Store) -> State {
    let nodes: Vec<Node> = (1..4).map(Node::entity).collect();
    let memories: Vec<Node> = (1..4).map(Node::memory).collect();
    State {
        entities: store.entities(&nodes).unwrap(),
        edges: store.edges_after(0, 100).unwrap(),
        facts: store.facts(None).unwrap(),
        speakers: store
            .placements(&memories)
            .unwrap()
            .into_iter()
            .map(|place| place.and_then(|p| p.speaker))
            .collect(),
        votes: nodes.iter().map(|node| store.type_votes(*node).unwrap()).collect(),
    }
}

pub fn promise_19_a_merge_moves_all_that_hangs_on_an_entity_in_one_revision(store: &dyn Store) {
    furnish(store);
    let before = store.revision();
    join(store);
    assert_eq!(store.revision(), Revision(before.0 + 1));
    let find = |name: NodeName<'_>| store.find_nodes(&name).unwrap();
    for name in ["postgres", "pg"] {
        assert_eq!(find(NodeName::Entity(name)), [POSTGRES], "{name}");
    }
    for id in ["tool:postgres", "concept:postgres", "tool:pg"] {
        assert_eq!(find(NodeName::Canonical(id)), [POSTGRES], "{id}");
    }
    let kept = store.entities(&[POSTGRES]).unwrap().remove(0);
    assert_eq!((kept.name.as_str(), kept.kind), ("Postgres", EntityType::Tool), "its type was a concept");
    assert_eq!(kept.description, ["a database"]);
    assert_eq!(store.entities(&[PG]).unwrap()[0].deleted_at, Some(Timestamp(500)));
    assert_eq!(store.edges_of(PG).unwrap(), []);
    assert_eq!(store.degrees(&[PG], None).unwrap(), [0]);
    let edge = |source, target, kind, label| store.edge_by_key(source, target, kind, label).unwrap();
    let serves = edge(POSTGRES, API, EdgeKind::Relation, "serves").unwrap();
    assert_eq!((serves.weight, serves.evidence.len()), (3.0, 2), "weights are added, evidence is united");
    assert!(edge(API, POSTGRES, EdgeKind::Relation, "uses").is_some());
    assert_eq!(edge(POSTGRES, API, EdgeKind::Semantic, "").map(|edge| edge.weight), Some(0.9));
    let mentions = store.edges_of(POSTGRES).unwrap();
    assert_eq!(mentions.iter().filter(|edge| edge.kind == EdgeKind::Mentions).count(), 2);
    assert_eq!(edge(POSTGRES, POSTGRES, EdgeKind::Relation, "replaces"), None, "no loop");
    assert_eq!(store.spoken_by(POSTGRES).unwrap(), [Node::memory(2)]);
    assert_eq!(store.facts(Some(POSTGRES)).unwrap().len(), 2);
    assert_eq!(store.facts(Some(PG)).unwrap(), []);
    let all = store.edges_after(0, 100).unwrap();
    assert!(all.iter().all(|edge| !edge.evidence.is_empty()), "every edge has evidence");
    assert_eq!(store.merges_after(0, 9).unwrap().len(), 1);
    assert_eq!((store.merges_after(1, 9).unwrap(), store.next_merge().unwrap()), (vec![], 2));
}

pub fn promise_20_an_undo_brings_back_exactly_what_was(store: &dyn Store) {
    furnish(store);
    let before = state(store);
    let record = join(store);
    assert_eq!(
        store.merges_after(0, 1).unwrap(),
        std::slice::from_ref(&record),
        "the log says what it was told"
    );
    assert_eq!((record.moved.len(), record.folded.len(), record.dropped.len()), (3, 2, 1));
    assert_ne!(state(store), before);
    let parted = part(store, record.number);
    assert_eq!((parted.edges, parted.facts, parted.inseparable), (6, 2, vec![]));
    assert_eq!(state(store), before);
    assert_eq!(store.merges_after(0, 1).unwrap()[0].undone_at, Some(Timestamp(900)));
    let again = merge::undo(store, record.number, Timestamp(901)).unwrap_err();
    assert!(again.why.contains("it was undone"), "{again}");
    join(store);
    part(store, 2);
    assert_eq!(state(store), before, "a second time");
}

pub fn promise_21_what_came_after_a_merge_stays_and_is_said(store: &dyn Store) {
    furnish(store);
    join(store);
    let late =
        |edge: Edge| Change::PutEdge(Edge { created_at: Timestamp(700), touched_at: Timestamp(700), ..edge });
    let mut more = relation(POSTGRES, API, "serves", 4.0);
    more.evidence = vec![own_evidence(3, Timestamp(700))];
    let uses =
        Change::RemoveEdge { source: API, target: POSTGRES, kind: EdgeKind::Relation, label: "uses".into() };
    write(store, vec![add(a_memory(3, "later")), late(a_mention(3, 1)), late(more), uses]);
    let mut kept = store.entities(&[POSTGRES]).unwrap().remove(0);
    kept.aliases.push("postgre".into());
    write(store, vec![Change::PutEntity(kept)]);
    let parted = part(store, 1);
    assert_eq!(
        parted.inseparable,
        [
            "left with `concept:postgres`: 1 edge added after the merge",
            "left unchanged: 1 edge changed after the merge",
            "not restored: 1 edge removed after the merge",
        ]
    );
    let serves = |node| store.edge_by_key(node, API, EdgeKind::Relation, "serves").unwrap().unwrap();
    assert_eq!((serves(POSTGRES).weight, serves(POSTGRES).evidence.len()), (5.0, 2));
    assert_eq!((serves(PG).weight, serves(PG).evidence), (2.0, vec![own_evidence(2, Timestamp(100))]));
    assert!(store.edge_by_key(Node::memory(3), POSTGRES, EdgeKind::Mentions, "").unwrap().is_some());
    assert_eq!(store.edge_by_key(API, PG, EdgeKind::Relation, "uses").unwrap(), None);
    let kept = store.entities(&[POSTGRES]).unwrap().remove(0);
    assert_eq!((kept.aliases, kept.kind), (vec!["postgres".into(), "postgre".into()], EntityType::Concept));
}

pub fn promise_22_merges_of_one_entity_are_undone_last_first(store: &dyn Store) {
    furnish(store);
    let before = state(store);
    join(store);
    let (second, changes) = merge::merge(store, API, POSTGRES, who()).unwrap();
    write(store, changes);
    assert_eq!(store.find_nodes(&NodeName::Entity("pg")).unwrap(), [API]);
    let refused = merge::undo(store, 1, Timestamp(900)).unwrap_err();
    assert_eq!(refused.hint.as_deref(), Some("griot merge --undo g2"), "{refused}");
    part(store, second.number);
    part(store, 1);
    assert_eq!(state(store), before);
}

pub fn promise_23_only_two_live_entities_can_be_merged(store: &dyn Store) {
    furnish(store);
    let refused = |kept, merged| merge::merge(store, kept, merged, who()).unwrap_err();
    assert_eq!(refused(PG, PG).kind, ErrorKind::InvalidInput);
    assert_eq!(refused(PG, Node::memory(1)).kind, ErrorKind::InvalidInput);
    assert_eq!(refused(PG, Node::entity(9)).kind, ErrorKind::InvalidInput);
    join(store);
    assert!(refused(API, PG).why.contains("hidden"));
    assert_eq!(merge::undo(store, 7, Timestamp(1)).unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(merge::undo(store, 0, Timestamp(1)).unwrap_err().kind, ErrorKind::NotFound);
    write(store, vec![set_deleted(POSTGRES, Some(600))]);
    assert!(merge::undo(store, 1, Timestamp(900)).unwrap_err().why.contains("forgotten"));
}

pub fn promise_24_types_are_counted_and_never_below_nothing(store: &dyn Store) {
    furnish(store);
    let count = |given, times| Change::CountType { entity: PG, kind: EntityType::Tool, given, times };
    write(store, vec![count(true, 3), count(false, -5), count(true, -1), count(true, 0)]);
    let vote = TypeVotes { kind: EntityType::Tool, given: true, times: 2 };
    assert_eq!(store.type_votes(PG).unwrap(), [vote]);
    write(store, vec![count(true, -2)]);
    assert_eq!(store.type_votes(PG).unwrap(), []);
}

pub fn promise_25_an_edge_is_written_under_its_number_or_refused(store: &dyn Store) {
    furnish(store);
    let uses = store.edge_by_key(API, PG, EdgeKind::Relation, "uses").unwrap().unwrap();
    // Another edge has the key of those numbered 99 and 1.
    for number in [u32::MAX, 99, 0, 1] {
        refused(store, vec![Change::SetEdge(Edge { number, ..uses.clone() })]);
    }
    refused(store, vec![Change::SetEdge(Edge { target: Node::entity(9), ..uses.clone() })]);
    let moved = Edge { target: POSTGRES, label: "likes".into(), ..uses.clone() };
    write(store, vec![Change::SetEdge(moved.clone())]);
    assert_eq!(store.edges(&[uses.number]).unwrap(), [moved]);
    assert_eq!(store.edge_by_key(API, PG, EdgeKind::Relation, "uses").unwrap(), None);
    write(store, vec![Change::SetEdge(Edge { number: 99, ..uses })]);
    assert_eq!(store.next_numbers().unwrap().edge, 100);
    assert_eq!(store.edge_by_key(API, PG, EdgeKind::Relation, "uses").unwrap().unwrap().number, 99);
}

pub fn promise_26_a_suggestion_keeps_what_became_of_it(store: &dyn Store) {
    furnish(store);
    let mut suggestion = Suggestion {
        number: 1,
        kept: POSTGRES,
        merged: PG,
        similarity: 0.9,
        reason: "alike".into(),
        at: Timestamp(5),
        state: SuggestionState::Open,
    };
    write(store, vec![Change::PutSuggestion(suggestion.clone())]);
    assert_eq!(store.suggestions().unwrap(), std::slice::from_ref(&suggestion));
    suggestion.state = SuggestionState::Dismissed;
    write(store, vec![Change::PutSuggestion(suggestion.clone())]);
    assert_eq!(store.suggestions().unwrap(), [suggestion]);
}

/// Files of the first format open, and their type votes are counted from the mentions they contain.
#[test]
fn promise_27_entities_of_the_first_format_are_counted_by_their_mentions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = Indexed::new(SqliteBackend::open(&path, Options::default()).unwrap()).unwrap();
    furnish(&store);
    drop(store);
    crate::backend::sqlite::make_first_format(&path);
    let store = Indexed::new(SqliteBackend::open(&path, Options::default()).unwrap()).unwrap();
    let vote = |times| TypeVotes { kind: EntityType::Tool, given: false, times };
    assert_eq!(store.type_votes(PG).unwrap(), [vote(2)]);
    assert_eq!(store.type_votes(POSTGRES).unwrap(), []);
    let before = state(&store);
    join(&store);
    part(&store, 1);
    assert_eq!(state(&store), before);
}
