//! Random histories: the same ChangeSets go to the reference store and to SQLite, and every request must
//! return the same answer.
//!
//! Between writes the SQLite store is closed and reopened, loses its index folder, rebuilds its index, or is
//! written through the other of two handles on one file. Numbers in an [`Op`] are reduced to existing ones
//! when it is applied, so that a history stays meaningful while proptest shrinks it.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::log::Logged;
use super::same::NAMES;
use super::*;
use crate::backend::sqlite::{Options, SqliteBackend};
use crate::backend::{Read, Store};
use crate::model::*;
use crate::remember::erase::{self, Erased};
use crate::remember::merge;
use crate::testkit::memory::{MemoryBackend, RowsInMemory};

const WORDS: &[&str] =
    &["database", "cache", "Ada", "slow", "because", "2019", "in 1999", "why?", "数据库", "migrations"];
const MODELS: [&str; 2] = ["test-70", "next-70"];
const USERS: &[&str] = &["ada", "bob"];
const KINDS: &[EdgeKind] = &[
    EdgeKind::Mentions,
    EdgeKind::Relation,
    EdgeKind::Causal,
    EdgeKind::Semantic,
    EdgeKind::Contradicts,
    EdgeKind::Temporal,
    EdgeKind::Narrative,
];

const TYPES: [EntityType; 4] = [EntityType::Person, EntityType::Tool, EntityType::Concept, EntityType::Org];

/// A change: what it does (see [`changes`]) and the numbers that choose its rows and values.
#[derive(Clone, Debug)]
pub(super) struct Op {
    kind: u8,
    n: [u32; 7],
    more: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The bool selects one of two handles.
    Write(Vec<Op>, bool),
    Reopen,
    LoseIndex,
    Rebuild,
    /// Merges two entities.
    Merge(u32, u32),
    /// Undoes a merge.
    Part(u32),
    /// Merges two entities and undoes it at once, which must restore the previous state.
    MergeAndPart(u32, u32),
    /// Removes something for good: the first number selects the kind, the second the item.
    Erase(u8, u32),
    /// A ChangeSet that refers to rows that do not exist.
    Fail(Vec<Op>),
}

fn an_op() -> impl Strategy<Value = Op> {
    let more = proptest::collection::vec(any::<u32>(), 1..8);
    (0..33_u8, any::<[u32; 7]>(), more).prop_map(|(kind, n, more)| Op { kind, n, more })
}

fn pick<T: Copy>(from: &[T], n: u32) -> T {
    from[n as usize % from.len()]
}

/// Every second number is none.
fn maybe(n: u32) -> Option<u32> {
    (n % 2 == 1).then_some(n / 2)
}

pub(super) fn a_step() -> impl Strategy<Value = Step> {
    let ops = || proptest::collection::vec(an_op(), 1..14);
    prop_oneof![
        8 => (ops(), any::<bool>()).prop_map(|(ops, second)| Step::Write(ops, second)),
        1 => Just(Step::Reopen),
        1 => Just(Step::LoseIndex),
        1 => Just(Step::Rebuild),
        2 => any::<(u32, u32)>().prop_map(|(kept, merged)| Step::Merge(kept, merged)),
        1 => any::<u32>().prop_map(Step::Part),
        1 => any::<(u32, u32)>().prop_map(|(kept, merged)| Step::MergeAndPart(kept, merged)),
        3 => (0..4_u8, any::<u32>()).prop_map(|(kind, which)| Step::Erase(kind, which)),
        1 => ops().prop_map(Step::Fail),
    ]
}

fn is_stored(store: &dyn Read, node: Node) -> bool {
    store.memories(&[node]).unwrap().len() + store.entities(&[node]).unwrap().len() > 0
}

/// Converts ops to changes of a store; skips those that need missing rows.
pub(super) fn changes(store: &dyn Read, ops: &[Op]) -> Vec<Change> {
    let mut next = store.next_numbers().unwrap();
    let mut changes = Vec::new();
    while next.source < 3 {
        changes.push(Change::PutSource(a_source(next.source)));
        next.source += 1;
    }
    let before = store.next_numbers().unwrap();
    // Numbers below the next free ones may have been erased; those of this set are not stored yet.
    let is_there = |node: Node| {
        let new = if node.is_memory() { before.memory } else { before.entity };
        node.number() >= new || is_stored(store, node)
    };
    let has_source = |id: SourceId| id.0 >= before.source || store.source(id).unwrap().is_some();
    let stored = store.entities_after(0, usize::MAX >> 1).unwrap();
    let mut keys: BTreeMap<u32, (EntityType, String)> =
        stored.into_iter().map(|entity| (entity.node.number(), (entity.kind, entity.key))).collect();
    for Op { kind, n, more } in ops {
        let some_memory = |n: u32| {
            (next.memory > 1).then(|| Node::memory(1 + n % (next.memory - 1))).filter(|node| is_there(*node))
        };
        let some_entity = |n: u32| {
            (next.entity > 1).then(|| Node::entity(1 + n % (next.entity - 1))).filter(|node| is_there(*node))
        };
        let some_node = |n: u32| if n.is_multiple_of(3) { some_entity(n / 3) } else { some_memory(n / 3) };
        let hours = |n: u32| Timestamp(i64::from(n % 60) * Timestamp::HOUR);
        match kind {
            // Adds a memory.
            0..6 => {
                let text = more.iter().map(|word| pick(WORDS, *word)).collect::<Vec<_>>().join(" ");
                let (place, extra) = (n[0] % 6, n[1] as u8);
                let mut memory = a_memory(next.memory, &text);
                memory.scope.user = maybe(n[2]).map(|user| pick(USERS, user).to_owned());
                memory.scope.project = (extra & 1 == 1).then(|| "griot".to_owned());
                memory.source = SourceId(1 + place % 2);
                if !has_source(memory.source) {
                    continue;
                }
                memory.session = (place / 2 > 0).then(|| format!("s{}", place / 2));
                memory.ordinal = store.next_ordinal(memory.source, memory.session.as_deref()).unwrap()
                    + u32::from(extra % 3);
                memory.speaker = maybe(n[3]).map(|speaker| pick(NAMES, speaker).to_owned());
                memory.occurred_at = Timestamp(hours(n[4]).0 / 2);
                memory.tags =
                    ["x", "y"].iter().take(usize::from(extra >> 6)).map(|&tag| tag.to_owned()).collect();
                memory.kind = ["turn", "note", Memory::PASSAGE, "note"][usize::from(extra >> 4 & 3)].into();
                memory.tier = Tier::ALL[usize::from(extra) % 3];
                memory.expires_at = (extra % 5 == 0).then_some(hours(n[4]));
                memory.agent = (extra & 4 == 4).then(|| "claude".to_owned());
                memory.heading = if extra & 8 == 8 { vec!["Why migrations".into()] } else { vec![] };
                next.memory += 1;
                let vector = maybe(n[5]).map(|seed| a_vector(u64::from(seed % 12)));
                changes.push(Change::AddMemory { memory: Box::new(memory), vector });
            }
            // Writes a source.
            6 => {
                let number = 1 + (n[0] % 3).min(next.source - 1);
                if !has_source(SourceId(number)) {
                    continue;
                }
                next.source = next.source.max(number + 1);
                let title = maybe(n[1]).map(|word| pick(WORDS, word).to_owned());
                changes.push(Change::PutSource(Source { title, ..a_source(number) }));
            }
            // Writes an entity.
            7..10 => {
                let number = 1 + n[0] % next.entity;
                if number < next.entity && !is_there(Node::entity(number)) {
                    continue;
                }
                next.entity = next.entity.max(number + 1);
                let kind = pick(&TYPES, n[1]);
                let mut entity = an_entity(number, kind, pick(NAMES, n[2]));
                let others = keys.iter().filter(|(other, _)| **other != number).map(|(_, key)| key);
                if others.clone().any(|(of, key)| (*of, key) == (kind, &entity.key)) {
                    entity.key = format!("{} {number}", entity.key);
                }
                keys.insert(number, (kind, entity.key.clone()));
                entity.aliases.extend(maybe(n[3]).map(|alias| crate::text::normal_name(pick(NAMES, alias))));
                changes.push(Change::PutEntity(entity));
            }
            // Writes an edge.
            10..18 => {
                let kind = pick(KINDS, n[2]);
                let (source, target) = match kind.row().ends {
                    Ends::MemoryToMemory => (some_memory(n[0]), some_memory(n[1])),
                    Ends::MemoryToEntity => (some_memory(n[0]), some_entity(n[1])),
                    Ends::EntityToEntity => (some_entity(n[0]), some_entity(n[1])),
                    Ends::Any => (some_node(n[0]), some_node(n[1])),
                };
                let (Some(source), Some(target)) = (source, target) else { continue };
                let label = match kind.row().labels {
                    Labels::None => "",
                    Labels::OneOf(labels) => pick(labels, n[3] % 3),
                    Labels::Free => pick(&["uses", "blocks", "likes"], n[3]),
                };
                let touched = i64::from(n[6] % 4);
                let mut edge = an_edge(source, target, kind, label);
                edge.weight = pick(&[0.3, 0.6, 0.9], n[4]);
                edge.provenance = pick(&Provenance::ALL, n[5]);
                edge.touched_at = Timestamp(100 + touched);
                edge.expires_at = (touched == 3).then_some(Timestamp(9000));
                if kind == EdgeKind::Mentions {
                    edge.evidence.clear();
                }
                for from in &more[..(more.len() - 1).min(2)] {
                    // Some evidence names a memory that is not stored.
                    let mut said = own_evidence(1 + from / 3 % (next.memory + 2), edge.created_at);
                    said.quote = (from % 3 == 1).then(|| "a quote".to_owned());
                    said.reason = (from % 3 == 2).then(|| "a reason".to_owned());
                    edge.evidence.push(said);
                }
                changes.push(Change::PutEdge(edge));
            }
            // Removes an edge.
            18 => {
                let Some(edge) = store.edges_after(n[0] % next.edge, 1).unwrap().pop() else { continue };
                let Edge { source, target, kind, label, .. } = edge;
                changes.push(Change::RemoveEdge {
                    source: target,
                    target: source,
                    kind,
                    label: label.clone(),
                });
                changes.push(Change::RemoveEdge { source, target, kind, label });
            }
            // Forgets or restores.
            19..21 => {
                let Some(target) = some_node(n[0]) else { continue };
                let at = maybe(n[1]).map(|_| Timestamp(77));
                changes.push(Change::SetDeleted { target: Deletable::Node(target), at });
                if n[0] % 7 == 0 && has_source(SourceId(1)) {
                    changes.push(Change::SetDeleted { target: Deletable::Source(SourceId(1)), at });
                }
            }
            // Writes a fact.
            21 => {
                let Some(subject) = some_entity(n[0]) else { continue };
                let object = match maybe(n[1]) {
                    None => FactObject::Literal("tabs".into()),
                    Some(object) => FactObject::Entity(some_entity(object).unwrap_or(subject)),
                };
                let number = n[2] % next.fact;
                next.fact += u32::from(number == 0);
                let evidence = maybe(n[3]).map(|memory| own_evidence(1 + memory % next.memory, Timestamp(8)));
                let evidence = evidence.into_iter().collect();
                changes.push(Change::PutFact(Fact { number, evidence, ..a_fact(subject.number(), object) }));
            }
            // Stores or removes a warning about two nodes.
            22 => {
                let (Some(source), Some(target)) = (some_node(n[0]), some_node(n[1])) else { continue };
                let kind = WarningKind::CausedAndPrevented;
                let found = Finding { kind, nodes: vec![source, target], edges: vec![1 + n[2] % next.edge] };
                if n[3] % 2 == 1 {
                    changes.push(Change::RemoveWarning(found.id()));
                    continue;
                }
                let said = Acknowledged { at: Timestamp(6), by: "ada".into(), note: Some("a note".into()) };
                let acknowledged = maybe(n[4]).map(|_| said);
                let warning = Warning { found, first_seen: Timestamp(i64::from(n[2] % 3)), acknowledged };
                changes.push(Change::PutWarning(Box::new(warning)));
            }
            // Makes, refuses or reopens an offer.
            29 => {
                let (Some(newer), Some(other)) = (some_memory(n[0]), some_memory(n[1])) else { continue };
                let number = 1 + n[2] % next.offer;
                next.offer = next.offer.max(number + 1);
                let (kind, probability) = (pick(&OfferKind::ALL, n[3]), pick(&[0.03, 0.5, 1.0], n[4]));
                let (made_at, refused_at) = (hours(n[5]), maybe(n[6]).map(hours));
                changes.push(Change::PutOffer(Offer {
                    number,
                    newer,
                    other,
                    kind,
                    probability,
                    made_at,
                    refused_at,
                }));
            }
            30 => {
                let (Some(memory), Some(by)) = (some_memory(n[0]), some_memory(n[1])) else { continue };
                changes.push(Change::PutReading(Box::new(Reading {
                    memory,
                    task: pick(&ReadingTask::ALL, n[2]),
                    by: if n[3] % 2 == 0 { memory } else { by },
                    version: n[4] % 3,
                    outcome: pick(&ReadingOutcome::ALL, n[5]),
                    at: hours(n[6]),
                    undone_at: (n[6] % 3 == 0).then(|| hours(n[1])),
                    said: (0..n[4] % 3).map(|n| Said::Context(format!("context {n}"))).collect(),
                })));
            }
            23 => {
                let (Some(entity), kind) = (some_entity(n[0]), pick(&TYPES, n[1])) else { continue };
                let (given, times) = (n[2] % 2 == 1, i64::from(n[3] % 8) - 3);
                changes.push(Change::CountType { entity, kind, given, times });
            }
            _ => {
                let Some(memory) = some_memory(n[0]) else { continue };
                changes.push(match kind {
                    24 => Change::SetSuperseded {
                        memory,
                        by: maybe(n[1]).map(|by| memory_id(1 + by % next.memory)),
                    },
                    25 => Change::SetTier {
                        memory,
                        tier: pick(&Tier::ALL, n[1]),
                        expires_at: maybe(n[2]).map(hours),
                    },
                    26 => Change::SetVector { memory, vector: a_vector(u64::from(n[1] % 12)) },
                    27 => {
                        let ordinal = n[1] % 9;
                        let lines = (ordinal > 4).then_some(Lines { first: ordinal, last: ordinal + 2 });
                        Change::MoveMemory { memory, ordinal, lines }
                    }
                    31 => {
                        let model = pick(&MODELS, n[2]).to_string();
                        let vector = StoredVector { model: model.clone(), ..a_vector(u64::from(n[1] % 12)) };
                        Change::StageVectors { model, vectors: vec![(memory, Some(vector))] }
                    }
                    32 => {
                        let model = pick(&MODELS, n[2]).to_string();
                        let all: Vec<Node> = (1..before.memory).map(Node::memory).collect();
                        // Those of one change are gone for the next.
                        let is_taken = changes.iter().any(|one| matches!(one, Change::TakeStaged { .. }));
                        if is_taken || store.staged(&model, &all).unwrap().is_empty() {
                            continue;
                        }
                        Change::TakeStaged { model }
                    }
                    28 => Change::AddTags { memory, tags: vec![format!("tag{}", n[1] % 3)] },
                    _ => Change::Touch { memory, at: Timestamp(5), count: 2 },
                });
            }
        }
    }
    changes
}

fn a_merge(store: &dyn Read, kept: u32, merged: u32) -> Option<(Merge, Vec<Change>)> {
    let entities = store.next_numbers().unwrap().entity - 1;
    let node = |number: u32| (entities > 0).then(|| Node::entity(1 + number % entities));
    let who = merge::Who { by: Provenance::User, reason: None, at: Timestamp(500) };
    merge::merge(store, node(kept)?, node(merged)?, who).ok()
}

/// Rows that a merge changes; whether the merged entity is hidden may depend on its memories.
fn all_that_merges_touch(store: &dyn Read, merge: &Merge) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut entities = store.entities(&[merge.kept.node, merge.merged.node]).unwrap();
    entities[1].deleted_at = None;
    let memories: Vec<Node> = (1..store.next_numbers().unwrap().memory).map(Node::memory).collect();
    let places = store.placements(&memories).unwrap();
    let votes = store.type_votes(merge.kept.node).unwrap();
    (entities, store.edges_after(0, 1 << 20).unwrap(), store.facts(None).unwrap(), places, votes)
}

/// The target of an erasing step, if it exists.
fn a_target(store: &dyn Read, kind: u8, which: u32) -> Option<Erased> {
    let next = store.next_numbers().unwrap();
    let of = |next: u32| (next > 1).then(|| 1 + which % (next - 1));
    match kind {
        0 => of(next.memory).map(Node::memory).filter(|node| is_stored(store, *node)).map(Erased::Memory),
        1 => of(next.source)
            .map(SourceId)
            .filter(|id| store.source(*id).unwrap().is_some())
            .map(Erased::Source),
        2 => of(next.entity).map(Node::entity).filter(|node| is_stored(store, *node)).map(Erased::Entity),
        _ => Some(Erased::User(USERS[which as usize % USERS.len()].to_owned())),
    }
}

/// Erases through a store; returns the planned changes and the receipt.
fn erase(store: &dyn Store, target: &Erased) -> Option<(Vec<Change>, Erasure)> {
    let mut changes = Vec::new();
    let receipt = store
        .erase(&mut |read| {
            let plan = erase::plan(read, target, "test", Timestamp(700))?;
            changes.clone_from(&plan.changes);
            Ok((!plan.changes.is_empty()).then_some(plan))
        })
        .unwrap()?;
    store.scrub(Some(&[])).unwrap();
    store.finish_erasure(&Erasure { finished_at: Some(Timestamp(701)), ..receipt.clone() }).unwrap();
    Some((changes, receipt))
}

fn open(path: &std::path::Path) -> Indexed<Logged<SqliteBackend>> {
    let options = Options { sync_full: false, ..Options::default() };
    Indexed::new(Logged(SqliteBackend::open(path, options).unwrap())).unwrap()
}

/// Every store gets the same revision.
fn write_all(stores: [&dyn Store; 3], changes: &[Change]) {
    let [first, second, third] = stores.map(|store| write(store, changes.to_vec()));
    assert_eq!((first, first), (second, third));
}

fn play(history: &[Step]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let oracle = MemoryBackend::new();
    let mut stores = [open(&path), open(&path)];
    let rows = RowsInMemory::new(Some(folder.path().join("rows.index")));
    let mut plain = Indexed::new(rows.clone()).unwrap();
    for step in history {
        match step {
            Step::Write(ops, second) => {
                let changes = changes(&oracle, ops);
                write_all([&oracle, &plain, &stores[usize::from(*second)]], &changes);
            }
            Step::Fail(ops) => {
                let mut changes = changes(&oracle, ops);
                changes.push(Change::Touch { memory: Node::memory(1_000_000), at: Timestamp(1), count: 1 });
                for store in [&oracle as &dyn Store, &plain, &stores[0]] {
                    assert_eq!(refused(store, changes.clone()).kind, ErrorKind::NotFound);
                }
            }
            Step::Reopen => {
                stores[0].write_snapshot_now();
                drop(std::mem::replace(&mut stores[0], open(&path)));
                stores[0] = open(&path);
                plain.write_snapshot_now();
                plain = Indexed::new(rows.clone()).unwrap();
            }
            Step::LoseIndex => {
                let _ = std::fs::remove_dir_all(stores[0].backend().home().index.unwrap());
                stores[0] = open(&path);
            }
            Step::Rebuild => stores[0].rebuild().unwrap(),
            Step::Merge(kept, merged) => {
                if let Some((_, changes)) = a_merge(&oracle, *kept, *merged) {
                    write_all([&oracle, &plain, &stores[0]], &changes);
                }
            }
            Step::Part(number) => {
                let number = 1 + number % oracle.next_merge().unwrap();
                if let Ok((.., changes)) = merge::undo(&oracle, number, Timestamp(600)) {
                    write_all([&oracle, &plain, &stores[1]], &changes);
                }
            }
            Step::Erase(kind, which) => {
                let Some(target) = a_target(&oracle, *kind, *which) else { continue };
                let erased = erase(&oracle, &target);
                assert_eq!(erased, erase(&plain, &target));
                assert_eq!(erased, erase(&stores[usize::from(which % 2 == 1)], &target));
            }
            Step::MergeAndPart(kept, merged) => {
                let Some((record, changes)) = a_merge(&oracle, *kept, *merged) else { continue };
                let before = all_that_merges_touch(&oracle, &record);
                write_all([&oracle, &plain, &stores[1]], &changes);
                let (.., changes) = merge::undo(&oracle, record.number, Timestamp(600)).unwrap();
                write_all([&oracle, &plain, &stores[0]], &changes);
                assert_eq!(all_that_merges_touch(&oracle, &record), before);
            }
        }
    }
    for store in [&plain as &dyn Store, &stores[0], &stores[1]] {
        store.refresh().unwrap();
        assert_same_answers(&oracle, store);
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        max_shrink_iters: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_oracle_and_sqlite_answer_alike(history in proptest::collection::vec(a_step(), 1..14)) {
        play(&history);
    }
}

#[test]
fn a_model_that_comes_back_in_one_set_brings_no_vectors_back() {
    let folder = tempfile::tempdir().unwrap();
    let oracle = MemoryBackend::new();
    let store = open(&folder.path().join("store.db"));
    let add = |number: u32, vector| {
        let mut memory = a_memory(number, &format!("database {number}"));
        memory.source = SourceId(1);
        Change::AddMemory { memory: Box::new(memory), vector }
    };
    let next = StoredVector { model: "next-70".into(), ..a_vector(3) };
    let stage =
        Change::StageVectors { model: "next-70".into(), vectors: vec![(Node::memory(1), Some(next))] };
    let first = [Change::PutSource(a_source(1)), add(1, None), add(2, Some(a_vector(1))), stage];
    let there_and_back = [Change::TakeStaged { model: "next-70".into() }, add(3, Some(a_vector(2)))];
    for changes in [&first[..], &there_and_back] {
        let [wanted, got] = [&oracle as &dyn Store, &store].map(|store| write(store, changes.to_vec()));
        assert_eq!(wanted, got);
    }
    assert_same_answers(&oracle, &store);
}
