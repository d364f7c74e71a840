//! Random histories: the same ChangeSets go to the oracle and to SQLite, and every question must get the same answer.
//!
//! Between writes the SQLite store is closed and opened again, loses its index folder, rebuilds its index, or is written
//! through the other of two handles on one file. Numbers in an [`Op`] are reduced to what exists when it is applied,
//! so that a history stays meaningful while proptest shortens it.

use proptest::prelude::*;

use super::*;
use crate::backend::memory::MemoryBackend;
use crate::backend::sqlite::{Options, SqliteBackend};
use crate::backend::{Arc, Backend, Direction, Filter, NeighbourQuery, NodeName, Read, WordHits, WordQuery};
use crate::model::*;
use crate::remember::merge;

const WORDS: &[&str] =
    &["database", "cache", "Ada", "slow", "because", "2019", "in 1999", "why?", "数据库", "migrations"];
const NAMES: &[&str] = &["Ada", "SQLite", "ada lovelace", "Griot", "cache"];
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

#[derive(Clone, Debug)]
pub(super) enum Op {
    AddMemory {
        words: Vec<usize>,
        user: Option<usize>,
        place: u8,
        speaker: Option<usize>,
        hours: i64,
        extra: u8,
        vector: Option<u64>,
    },
    PutSource {
        source: u8,
        title: Option<usize>,
    },
    PutEntity {
        entity: u32,
        name: usize,
        kind: usize,
        alias: Option<usize>,
    },
    PutEdge {
        ends: (u32, u32),
        kind: usize,
        label: usize,
        weight: u8,
        provenance: usize,
        touched: i64,
        evidence: Vec<(u32, u8)>,
    },
    RemoveEdge {
        edge: u32,
    },
    SetDeleted {
        node: u32,
        deleted: bool,
    },
    SetSuperseded {
        memory: u32,
        by: Option<u32>,
    },
    SetVector {
        memory: u32,
        seed: u64,
    },
    Move {
        memory: u32,
        ordinal: u32,
    },
    Touch {
        memory: u32,
    },
    CountType {
        entity: u32,
        kind: usize,
        given: bool,
        times: i64,
    },
    PutFact {
        fact: u32,
        subject: u32,
        object: Option<u32>,
        evidence: Option<u32>,
    },
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The bool says through which of two handles.
    Write(Vec<Op>, bool),
    Reopen,
    LoseIndex,
    Rebuild,
    /// Merges two entities.
    Merge(u32, u32),
    /// Undoes a merge.
    Part(u32),
    /// Merges two entities and parts them at once, which must leave everything as it was.
    MergeAndPart(u32, u32),
    /// A ChangeSet that names what does not exist.
    Fail(Vec<Op>),
}

fn an_op() -> impl Strategy<Value = Op> {
    let words = proptest::collection::vec(0..WORDS.len(), 1..8);
    let user = proptest::option::of(0..USERS.len());
    let speaker = proptest::option::of(0..NAMES.len());
    let vector = proptest::option::of(0..12_u64);
    let evidence = proptest::collection::vec((any::<u32>(), 0..3_u8), 0..3);
    prop_oneof![
        6 => (words, user, 0..6_u8, speaker, 0..60_i64, any::<u8>(), vector).prop_map(
            |(words, user, place, speaker, hours, extra, vector)| Op::AddMemory { words, user, place, speaker, hours, extra, vector }
        ),
        1 => (0..3_u8, proptest::option::of(0..WORDS.len())).prop_map(|(source, title)| Op::PutSource { source, title }),
        3 => (any::<u32>(), 0..NAMES.len(), 0..4_usize, proptest::option::of(0..NAMES.len()))
            .prop_map(|(entity, name, kind, alias)| Op::PutEntity { entity, name, kind, alias }),
        8 => (any::<(u32, u32)>(), 0..KINDS.len(), 0..3_usize, 1..4_u8, 0..6_usize, 0..4_i64, evidence).prop_map(
            |(ends, kind, label, weight, provenance, touched, evidence)| Op::PutEdge {
                ends, kind, label, weight, provenance, touched, evidence
            }
        ),
        1 => any::<u32>().prop_map(|edge| Op::RemoveEdge { edge }),
        2 => (any::<u32>(), any::<bool>()).prop_map(|(node, deleted)| Op::SetDeleted { node, deleted }),
        1 => (any::<u32>(), proptest::option::of(any::<u32>()))
            .prop_map(|(memory, by)| Op::SetSuperseded { memory, by }),
        1 => (any::<u32>(), 0..12_u64).prop_map(|(memory, seed)| Op::SetVector { memory, seed }),
        1 => (any::<u32>(), 0..9_u32).prop_map(|(memory, ordinal)| Op::Move { memory, ordinal }),
        1 => any::<u32>().prop_map(|memory| Op::Touch { memory }),
        1 => (any::<u32>(), 0..4_usize, any::<bool>(), -3..5_i64)
            .prop_map(|(entity, kind, given, times)| Op::CountType { entity, kind, given, times }),
        1 => (any::<u32>(), any::<u32>(), proptest::option::of(any::<u32>()), proptest::option::of(any::<u32>()))
            .prop_map(|(fact, subject, object, evidence)| Op::PutFact { fact, subject, object, evidence }),
    ]
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
        1 => ops().prop_map(Step::Fail),
    ]
}

/// Turns ops into changes of a store; what needs something that does not exist is left out.
pub(super) fn changes(store: &dyn Read, ops: &[Op]) -> Vec<Change> {
    let mut next = store.next_numbers().unwrap();
    let mut changes = Vec::new();
    while next.source < 3 {
        changes.push(Change::PutSource(a_source(next.source)));
        next.source += 1;
    }
    for op in ops {
        let some_memory = |n: u32| (next.memory > 1).then(|| Node::memory(1 + n % (next.memory - 1)));
        let some_entity = |n: u32| (next.entity > 1).then(|| Node::entity(1 + n % (next.entity - 1)));
        let some_node = |n: u32| if n.is_multiple_of(3) { some_entity(n / 3) } else { some_memory(n / 3) };
        match op.clone() {
            Op::AddMemory { words, user, place, speaker, hours, extra, vector } => {
                let text = words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ");
                let mut memory = a_memory(next.memory, &text);
                memory.scope.user = user.map(|user| USERS[user].to_owned());
                memory.scope.project = (extra & 1 == 1).then(|| "griot".to_owned());
                memory.source = SourceId(1 + u32::from(place % 2));
                memory.session = (place / 2 > 0).then(|| format!("s{}", place / 2));
                memory.ordinal =
                    store.next_ordinal(memory.source, memory.session.as_deref()).unwrap() + u32::from(extra % 3);
                memory.speaker = speaker.map(|speaker| NAMES[speaker].to_owned());
                memory.occurred_at = Timestamp(hours * Timestamp::HOUR / 2);
                memory.tags = ["x", "y"].iter().take(usize::from(extra >> 6)).map(|&tag| tag.to_owned()).collect();
                memory.kind = ["turn", "note", Memory::PASSAGE, "note"][usize::from(extra >> 4 & 3)].into();
                memory.agent = (extra & 4 == 4).then(|| "claude".to_owned());
                memory.heading = if extra & 8 == 8 { vec!["Why migrations".into()] } else { vec![] };
                next.memory += 1;
                changes.push(Change::AddMemory { memory: Box::new(memory), vector: vector.map(a_vector) });
            }
            Op::PutSource { source, title } => {
                let number = 1 + u32::from(source).min(next.source - 1);
                next.source = next.source.max(number + 1);
                let title = title.map(|word| WORDS[word].to_owned());
                changes.push(Change::PutSource(Source { title, ..a_source(number) }));
            }
            Op::PutEntity { entity, name, kind, alias } => {
                let number = 1 + entity % next.entity;
                next.entity = next.entity.max(number + 1);
                let kind = [EntityType::Person, EntityType::Tool, EntityType::Concept, EntityType::Org][kind];
                let mut entity = an_entity(number, kind, NAMES[name]);
                entity.aliases.extend(alias.map(|alias| crate::text::normal_name(NAMES[alias])));
                changes.push(Change::PutEntity(entity));
            }
            Op::PutEdge { ends, kind, label, weight, provenance, touched, evidence } => {
                let kind = KINDS[kind];
                let (source, target) = match kind.row().ends {
                    Ends::MemoryToMemory => (some_memory(ends.0), some_memory(ends.1)),
                    Ends::MemoryToEntity => (some_memory(ends.0), some_entity(ends.1)),
                    Ends::EntityToEntity => (some_entity(ends.0), some_entity(ends.1)),
                    Ends::Any => (some_node(ends.0), some_node(ends.1)),
                };
                let (Some(source), Some(target)) = (source, target) else { continue };
                let label = match kind.row().labels {
                    Labels::None => "",
                    Labels::OneOf(labels) => labels[label % labels.len()],
                    Labels::Free => ["uses", "blocks", "likes"][label],
                };
                let mut edge = an_edge(source, target, kind, label);
                edge.weight = f32::from(weight) * 0.3;
                edge.provenance = Provenance::ALL[provenance];
                edge.touched_at = Timestamp(100 + touched);
                edge.expires_at = (touched == 3).then_some(Timestamp(9000));
                if kind == EdgeKind::Mentions {
                    edge.evidence.clear();
                }
                for (memory, form) in evidence {
                    // Some evidence names a memory that is not stored.
                    let number = 1 + memory % (next.memory + 2);
                    let mut said = own_evidence(number, edge.created_at);
                    said.quote = (form == 1).then(|| "a quote".to_owned());
                    said.reason = (form == 2).then(|| "a reason".to_owned());
                    edge.evidence.push(said);
                }
                changes.push(Change::PutEdge(edge));
            }
            Op::RemoveEdge { edge } => {
                let Some(edge) = store.edges_after(edge % next.edge, 1).unwrap().pop() else { continue };
                let Edge { source, target, kind, label, .. } = edge;
                changes.push(Change::RemoveEdge { source: target, target: source, kind, label: label.clone() });
                changes.push(Change::RemoveEdge { source, target, kind, label });
            }
            Op::SetDeleted { node, deleted } => {
                let Some(target) = some_node(node) else { continue };
                let at = deleted.then_some(Timestamp(77));
                changes.push(Change::SetDeleted { target: Deletable::Node(target), at });
                if node % 7 == 0 {
                    changes.push(Change::SetDeleted { target: Deletable::Source(SourceId(1)), at });
                }
            }
            Op::SetSuperseded { memory, by } => {
                let Some(memory) = some_memory(memory) else { continue };
                let by = by.map(|by| memory_id(1 + by % next.memory));
                changes.push(Change::SetSuperseded { memory, by });
            }
            Op::SetVector { memory, seed } => {
                let Some(memory) = some_memory(memory) else { continue };
                changes.push(Change::SetVector { memory, vector: a_vector(seed) });
            }
            Op::Move { memory, ordinal } => {
                let Some(memory) = some_memory(memory) else { continue };
                let lines = (ordinal > 4).then_some(Lines { first: ordinal, last: ordinal + 2 });
                changes.push(Change::MoveMemory { memory, ordinal, lines });
            }
            Op::Touch { memory } => {
                let Some(memory) = some_memory(memory) else { continue };
                changes.push(Change::Touch { memory, at: Timestamp(5), count: 2 });
            }
            Op::CountType { entity, kind, given, times } => {
                let Some(entity) = some_entity(entity) else { continue };
                let kind = [EntityType::Person, EntityType::Tool, EntityType::Concept, EntityType::Org][kind];
                changes.push(Change::CountType { entity, kind, given, times });
            }
            Op::PutFact { fact, subject, object, evidence } => {
                let Some(subject) = some_entity(subject) else { continue };
                let object = match object {
                    None => FactObject::Literal("tabs".into()),
                    Some(object) => FactObject::Entity(some_entity(object).unwrap_or(subject)),
                };
                let number = fact % next.fact;
                next.fact += u32::from(number == 0);
                let evidence = evidence.map(|memory| own_evidence(1 + memory % next.memory, Timestamp(8)));
                let fact =
                    Fact { number, evidence: evidence.into_iter().collect(), ..a_fact(subject.number(), object) };
                changes.push(Change::PutFact(fact));
            }
        }
    }
    changes
}

pub(super) fn filters() -> Vec<Filter> {
    let scope = |user: Option<&str>, project: Option<&str>| Filter {
        scope: Scope { user: user.map(str::to_owned), project: project.map(str::to_owned) },
        ..Filter::default()
    };
    let all = Filter::default;
    vec![
        all(),
        Filter { superseded: true, ..all() },
        scope(Some("ada"), None),
        scope(Some("stranger"), Some("griot")),
        Filter { kinds: vec!["turn".into(), "unheard of".into()], ..all() },
        Filter { kinds: vec!["unheard of".into()], ..all() },
        Filter { tags: vec!["x".into()], ..all() },
        Filter { tags: vec!["x".into(), "y".into()], superseded: true, ..all() },
        Filter { tags: vec!["unheard of".into()], ..all() },
        Filter { sources: vec![SourceId(2), SourceId(9)], ..all() },
        Filter { trusted: true, ..all() },
        Filter { agent: Some("claude".into()), ..all() },
        Filter { agent: Some("unheard of".into()), ..all() },
        Filter { session: Some("s1".into()), ..all() },
        Filter {
            occurred: Some(Interval::new(Timestamp(3 * Timestamp::HOUR), Timestamp(20 * Timestamp::HOUR))),
            ..all()
        },
    ]
}

fn assert_near(wanted: f32, got: f32, what: &str) {
    assert!((wanted - got).abs() <= 1e-4 * wanted.abs().max(1.0), "{what}: {wanted} and {got}");
}

fn assert_same_words(wanted: &WordHits, got: &WordHits) {
    let nodes = |hits: &WordHits| hits.memories.iter().map(|hit| (hit.node, hit.matched)).collect::<Vec<_>>();
    assert_eq!(nodes(wanted), nodes(got), "memories by words");
    for (wanted, got) in wanted.memories.iter().zip(&got.memories) {
        assert_near(wanted.full, got.full, "full");
        assert_near(wanted.body, got.body, "body");
        assert_near(wanted.header, got.header, "header");
    }
    let places = |hits: &WordHits| hits.places.iter().map(|&(place, _)| place).collect::<Vec<_>>();
    assert_eq!(places(wanted), places(got), "places by words");
    for (wanted, got) in wanted.places.iter().zip(&got.places) {
        assert_near(wanted.1, got.1, "place");
    }
    assert_eq!(wanted.idf.len(), got.idf.len());
    for (wanted, got) in wanted.idf.iter().zip(&got.idf) {
        assert_near(*wanted, *got, "idf");
    }
}

/// An arc with its label as a word: the numbers of labels are the store's own.
fn spelled(store: &dyn Read, arcs: Vec<Vec<Arc>>) -> Vec<Vec<(Arc, String)>> {
    let spell = |arc: Arc| (Arc { label: 0, ..arc }, store.label(arc.label).unwrap());
    arcs.into_iter().map(|arcs| arcs.into_iter().map(spell).collect()).collect()
}

macro_rules! assert_same {
    ($oracle:ident, $store:ident: $($question:tt)+) => {
        assert_eq!($oracle.$($question)+.unwrap(), $store.$($question)+.unwrap(), "{}", stringify!($($question)+));
    };
}

/// Asks both stores everything.
fn assert_same_answers(oracle: &dyn Backend, store: &dyn Backend) {
    assert_eq!(oracle.revision(), store.revision());
    assert_same!(oracle, store: next_numbers());
    assert_same!(oracle, store: counts());
    assert_same!(oracle, store: vector_model());
    let next = oracle.next_numbers().unwrap();
    let memories: Vec<Node> = (0..=next.memory).map(Node::memory).collect();
    let entities: Vec<Node> = (0..=next.entity).map(Node::entity).collect();
    let nodes = [memories.clone(), entities.clone()].concat();

    assert_same!(oracle, store: memories(&nodes));
    assert_same!(oracle, store: entities(&nodes));
    assert_same!(oracle, store: edges(&(0..=next.edge).collect::<Vec<_>>()));
    assert_same!(oracle, store: memories_after(1, 3));
    assert_same!(oracle, store: entities_after(1, 2));
    assert_same!(oracle, store: edges_after(1, 3));
    assert_same!(oracle, store: placements(&nodes));
    assert_same!(oracle, store: years(&nodes));
    assert_same!(oracle, store: degrees(&nodes));
    assert_same!(oracle, store: sources());
    assert_same!(oracle, store: source_tallies());
    assert_same!(oracle, store: earliest());
    for &node in &nodes {
        assert_same!(oracle, store: edges_of(node));
    }
    for source in (0..=next.source).map(SourceId) {
        assert_same!(oracle, store: source(source));
        assert_same!(oracle, store: source_memories(source, false));
        assert_same!(oracle, store: source_memories(source, true));
        for session in [None, Some("s1"), Some("unheard of")] {
            assert_same!(oracle, store: next_ordinal(source, session));
        }
        assert_same!(oracle, store: source_by_origin(SourceType::File, &format!("/notes/{}.md", source.0)));
        assert_same!(oracle, store: source_by_origin(SourceType::Chat, "/notes/1.md"));
    }
    assert_same!(oracle, store: facts(None));
    assert_same!(oracle, store: merges_after(0, 100));
    assert_same!(oracle, store: merges_after(1, 1));
    assert_same!(oracle, store: next_merge());
    assert_same!(oracle, store: suggestions());
    for &node in &nodes {
        assert_same!(oracle, store: spoken_by(node));
        assert_same!(oracle, store: type_votes(node));
    }
    for &entity in &entities {
        assert_same!(oracle, store: facts(Some(entity)));
    }
    for memory in oracle.memories(&memories).unwrap() {
        assert_same!(oracle, store: vector(memory.node));
        assert_same!(oracle, store: memory_by_hash(&content_hash(&memory.text, &memory.scope)));
        assert_same!(oracle, store: find_nodes(&NodeName::Id(memory.id)));
        assert_same!(oracle, store: free_handle(memory.id));
        for digits in [1, 6, 10, 14] {
            assert_same!(oracle, store: find_nodes(&NodeName::Handle(&memory.id.handle(digits).0)));
        }
    }
    for edge in oracle.edges_after(0, usize::MAX >> 1).unwrap() {
        assert_same!(oracle, store: edge_by_key(edge.target, edge.source, edge.kind, &edge.label));
        assert_same!(oracle, store: edge_by_key(edge.source, edge.target, edge.kind, &edge.label));
        assert_same!(oracle, store: edge_by_key(edge.source, edge.target, edge.kind, "unheard of"));
    }
    let names: Vec<String> = NAMES.iter().map(|name| crate::text::normal_name(name)).collect();
    assert_same!(oracle, store: find_entities(&names));
    for name in &names {
        assert_same!(oracle, store: find_nodes(&NodeName::Entity(name)));
        assert_same!(oracle, store: find_nodes(&NodeName::Canonical(&canonical_id(EntityType::Tool, name))));
    }
    for kind in [None, Some(EntityType::Person), Some(EntityType::File)] {
        assert_same!(oracle, store: hubs(kind, 2));
        assert_same!(oracle, store: hubs(kind, 100));
        for part in ["", "a", "sql", "%"] {
            assert_same!(oracle, store: search_entities(part, kind, 3));
        }
    }
    for filter in &filters() {
        assert_same_searches(oracle, store, filter, next.memory, &nodes);
    }
}

fn assert_same_searches(oracle: &dyn Backend, store: &dyn Backend, filter: &Filter, end: u32, nodes: &[Node]) {
    let mut terms = Vec::new();
    crate::text::for_each_term("why is the database cache slow, Ada? 2019 数据库 absent", &mut |term| {
        if !terms.iter().any(|known| known == term) {
            terms.push(term.to_owned());
        }
    });
    for limit in [0, 2, 1000] {
        for terms in [terms.clone(), vec!["absent".into()], vec!["cach".into()]] {
            let query = WordQuery { terms, limit, places: limit };
            let (wanted, got) =
                (oracle.search_words(&query, filter).unwrap(), store.search_words(&query, filter).unwrap());
            assert_same_words(&wanted, &got);
        }
        let span = Interval::new(Timestamp(0), Timestamp(9 * Timestamp::HOUR));
        assert_same!(oracle, store: search_time(span, filter, limit));
        assert_same!(oracle, store: latest(filter, limit));
        let asked = unpacked(&a_vector(3));
        let (wanted, got) = (
            oracle.search_vectors(&asked, filter, limit).unwrap(),
            store.search_vectors(&asked, filter, limit).unwrap(),
        );
        let order = |hits: &[(Node, f32)]| hits.iter().map(|&(node, _)| node).collect::<Vec<_>>();
        assert_eq!(order(&wanted), order(&got), "memories by vector");
        let (wanted, got) = (oracle.similarities(&asked, nodes).unwrap(), store.similarities(&asked, nodes).unwrap());
        for (wanted, got) in wanted.into_iter().zip(got) {
            assert_eq!(wanted.is_some(), got.is_some(), "has a vector");
            assert_near(wanted.unwrap_or(0.0), got.unwrap_or(0.0), "cosine");
        }
    }
    assert_same_alike(oracle, store, &filter.scope);
    for number in 0..=end {
        assert_same!(oracle, store: around(Node::memory(number), 2, 3, filter));
    }
    for place in 0..9 {
        assert_same!(oracle, store: place_members(place, 2, 3, filter));
        assert_same!(oracle, store: place_members(place, 0, 100, filter));
    }
    let mut only_some = [0; CATALOGUE.len()];
    only_some[EdgeKind::Mentions as usize] = 1;
    only_some[EdgeKind::Temporal as usize] = 3;
    for fan_out in [[100; CATALOGUE.len()], only_some] {
        for direction in [Direction::Out, Direction::In, Direction::Both] {
            let ask = NeighbourQuery { direction, fan_out: &fan_out, filter };
            let wanted = spelled(oracle, oracle.neighbours(nodes, &ask).unwrap());
            let got = spelled(store, store.neighbours(nodes, &ask).unwrap());
            for ((node, wanted), got) in nodes.iter().zip(wanted).zip(got) {
                assert_eq!(wanted, got, "arcs of {node:?}, {direction:?}, {filter:?}");
            }
        }
    }
}

/// The bulk form may miss what is barely over the bound; it must miss nothing that is well over it, and make nothing up.
fn assert_same_alike(oracle: &dyn Backend, store: &dyn Backend, scope: &Scope) {
    if oracle.vector_model().unwrap().is_none_or(|model| model.0 != "test-64") {
        return;
    }
    let asked: Vec<StoredVector> = (0..13).map(a_vector).collect();
    let asked: Vec<(&StoredVector, &Scope)> = asked.iter().map(|vector| (vector, scope)).collect();
    for (least, limit) in [(0.9, 1000), (0.9, 2), (0.9, 0), (0.0, 1000)] {
        let wanted = oracle.search_alike(&asked, least, limit).unwrap();
        let got = store.search_alike(&asked, least, limit).unwrap();
        assert_eq!((wanted.len(), got.len()), (asked.len(), asked.len()));
        for (wanted, got) in wanted.iter().zip(&got) {
            let well_over = |hits: &[(Node, f32)]| {
                hits.iter().filter(|hit| hit.1 >= least.max(0.9)).map(|hit| hit.0).collect::<Vec<_>>()
            };
            assert_eq!(well_over(wanted), well_over(got), "memories by many vectors, at least {least}, {scope:?}");
            for (node, cosine) in got {
                let known = wanted.iter().find(|(other, _)| other == node);
                assert_near(known.unwrap_or_else(|| panic!("{node:?} is not over {least}")).1, *cosine, "cosine");
            }
        }
    }
}

fn a_merge(store: &dyn Read, kept: u32, merged: u32) -> Option<(Merge, Vec<Change>)> {
    let entities = store.next_numbers().unwrap().entity - 1;
    let node = |number: u32| (entities > 0).then(|| Node::entity(1 + number % entities));
    let who = merge::Who { by: Provenance::User, reason: None, at: Timestamp(500) };
    merge::merge(store, node(kept)?, node(merged)?, who).ok()
}

/// Rows that a merge changes; whether the merged one is hidden may follow from its memories.
fn all_that_merges_touch(store: &dyn Read, merge: &Merge) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut entities = store.entities(&[merge.kept.node, merge.merged.node]).unwrap();
    entities[1].deleted_at = None;
    let memories: Vec<Node> = (1..store.next_numbers().unwrap().memory).map(Node::memory).collect();
    let places = store.placements(&memories).unwrap();
    let votes = store.type_votes(merge.kept.node).unwrap();
    (entities, store.edges_after(0, 1 << 20).unwrap(), store.facts(None).unwrap(), places, votes)
}

fn open(path: &std::path::Path) -> SqliteBackend {
    SqliteBackend::open(path, Options { sync_full: false, ..Options::default() }).unwrap()
}

fn play(history: &[Step]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let oracle = MemoryBackend::new();
    let mut stores = [open(&path), open(&path)];
    for step in history {
        match step {
            Step::Write(ops, second) => {
                let changes = changes(&oracle, ops);
                let revision = write(&oracle, changes.clone());
                assert_eq!(write(&stores[usize::from(*second)], changes), revision);
            }
            Step::Fail(ops) => {
                let mut changes = changes(&oracle, ops);
                changes.push(Change::Touch { memory: Node::memory(1_000_000), at: Timestamp(1), count: 1 });
                let set = ChangeSet { at: Timestamp(1), changes };
                for store in [&oracle as &dyn Backend, &stores[0]] {
                    assert_eq!(store.write(&mut |_| Ok(set.clone())).unwrap_err().kind, ErrorKind::NotFound);
                }
            }
            Step::Reopen => {
                stores[0].write_snapshot_now();
                drop(std::mem::replace(&mut stores[0], open(&path)));
                stores[0] = open(&path);
            }
            Step::LoseIndex => {
                let _ = std::fs::remove_dir_all(stores[0].index_dir());
                stores[0] = open(&path);
            }
            Step::Rebuild => stores[0].rebuild().unwrap(),
            Step::Merge(kept, merged) => {
                if let Some((_, changes)) = a_merge(&oracle, *kept, *merged) {
                    let revision = write(&oracle, changes.clone());
                    assert_eq!(write(&stores[0], changes), revision);
                }
            }
            Step::Part(number) => {
                let number = 1 + number % oracle.next_merge().unwrap();
                if let Ok((.., changes)) = merge::undo(&oracle, number, Timestamp(600)) {
                    let revision = write(&oracle, changes.clone());
                    assert_eq!(write(&stores[1], changes), revision);
                }
            }
            Step::MergeAndPart(kept, merged) => {
                let Some((record, changes)) = a_merge(&oracle, *kept, *merged) else { continue };
                let before = all_that_merges_touch(&oracle, &record);
                let revision = write(&oracle, changes.clone());
                assert_eq!(write(&stores[1], changes), revision);
                let (.., changes) = merge::undo(&oracle, record.number, Timestamp(600)).unwrap();
                let revision = write(&oracle, changes.clone());
                assert_eq!(write(&stores[0], changes), revision);
                assert_eq!(all_that_merges_touch(&oracle, &record), before);
            }
        }
    }
    for store in &stores {
        store.refresh().unwrap();
        assert_same_answers(&oracle, store);
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_oracle_and_sqlite_answer_alike(history in proptest::collection::vec(a_step(), 1..14)) {
        play(&history);
    }
}
