//! Compares the answers of two back ends to every request of `Read`.

use super::{a_vector, unpacked};
use crate::backend::{
    Arc, Batch, Belief, Direction, Filter, Like, Listing, Look, NeighbourQuery, NodeName, Read, Store,
    Wanted, WordHits, WordQuery,
};
use crate::embed::{dequantise, name_vector};
use crate::model::*;

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

/// An arc with its label as text, because label numbers differ between stores.
fn spelled(store: &dyn Read, arcs: Vec<Vec<Arc>>) -> Vec<Vec<(Arc, String)>> {
    let spell = |arc: Arc| (Arc { label: 0, ..arc }, store.labels(&[arc.label]).unwrap().concat());
    arcs.into_iter().map(|arcs| arcs.into_iter().map(spell).collect()).collect()
}

macro_rules! assert_same {
    ($oracle:ident, $store:ident: $($question:tt)+) => {
        let (wanted, got) = ($oracle.$($question)+.unwrap(), $store.$($question)+.unwrap());
        assert_eq!(wanted, got, "{}", stringify!($($question)+));
    };
}

/// Names of entities in the tests.
pub(super) const NAMES: &[&str] = &["Ada", "SQLite", "ada lovelace", "Griot", "cache"];

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
        Filter { layers: vec![Layer::Execution], ..all() },
        Filter { layers: vec![Layer::Knowledge, Layer::Project], ..all() },
        Filter { layers: vec![Layer::Code], superseded: true, ..all() },
        Filter { layers: vec![Layer::Knowledge], kinds: vec!["turn".into(), "insight".into()], ..all() },
        Filter { layers: vec![Layer::Knowledge], kinds: vec!["turn".into()], ..all() },
        Filter { tags: vec!["x".into()], ..all() },
        Filter { tags: vec!["x".into(), "y".into()], superseded: true, ..all() },
        Filter { tags: vec!["unheard of".into()], ..all() },
        Filter { sources: vec![SourceId(2), SourceId(9)], ..all() },
        Filter { trusted: true, ..all() },
        Filter { now: Some(Timestamp(10 * Timestamp::HOUR)), ..all() },
        Filter {
            now: Some(Timestamp(20 * Timestamp::HOUR)),
            tiers: vec![Tier::Rule, Tier::Working],
            ..all()
        },
        Filter { tiers: vec![Tier::LongTerm], superseded: true, ..all() },
        Filter { agent: Some("claude".into()), ..all() },
        Filter { now: Some(Timestamp(9000)), superseded: true, ..all() },
        Filter {
            now: Some(Timestamp(8999)),
            belief: Belief { least: 0.74, decay: [1e5, 1e5, 2e6, 0.0] },
            ..all()
        },
        Filter { belief: Belief { least: 0.8, ..Belief::default() }, ..all() },
        Filter { agent: Some("unheard of".into()), ..all() },
        Filter { session: Some("s1".into()), ..all() },
        Filter {
            occurred: Some(Interval::new(Timestamp(3 * Timestamp::HOUR), Timestamp(20 * Timestamp::HOUR))),
            ..all()
        },
    ]
}

/// Makes every request to both stores.
pub fn assert_same_answers(oracle: &dyn Store, store: &dyn Store) {
    assert_eq!(oracle.revision(), store.revision());
    assert_same!(oracle, store: head());
    assert_same!(oracle, store: counts());
    for now in [0, 8999, 9000, 9 * Timestamp::HOUR] {
        assert_same!(oracle, store: expired(Timestamp(now)));
    }
    let next = oracle.next_numbers().unwrap();
    let memories: Vec<Node> = (0..=next.memory).map(Node::memory).collect();
    let entities: Vec<Node> = (0..=next.entity).map(Node::entity).collect();
    let nodes = [memories.clone(), entities.clone()].concat();

    assert_same!(oracle, store: memories(&nodes));
    assert_same!(oracle, store: entities(&nodes));
    assert_same!(oracle, store: edges(&(0..=next.edge).collect::<Vec<_>>()));
    assert_same!(oracle, store: captions(&nodes));
    assert_same!(oracle, store: spans(&(0..=next.edge).collect::<Vec<_>>()));
    assert_same!(oracle, store: live(&nodes));
    assert_same!(oracle, store: live_edges(&(0..=next.edge).collect::<Vec<_>>()));
    assert_same!(oracle, store: memories_after(1, 3));
    assert_same!(oracle, store: entities_after(1, 2));
    assert_same!(oracle, store: edges_after(1, 3));
    assert_same!(oracle, store: placements(&nodes));
    for now in [None, Some(Timestamp(9000)), Some(Timestamp(8999))] {
        assert_same!(oracle, store: degrees(&nodes, now));
        assert_same!(oracle, store: hubs(None, 3, now));
    }
    assert_same!(oracle, store: sources());
    assert_same!(oracle, store: source_tallies());
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
    assert_same!(oracle, store: suggestions());
    let numbers: Vec<u32> = (0..=next.offer).collect();
    assert_same!(oracle, store: fetch(&Wanted { offers: &numbers, ..Default::default() }));
    assert_same!(oracle, store: offers_after(1, 2));
    assert_same!(oracle, store: offers_before(0, 3));
    assert_same!(oracle, store: offers_before(4, 100));
    assert_same!(oracle, store: readings_after(0, 100));
    assert_same!(oracle, store: readings_after(2, 1));
    for task in ReadingTask::ALL {
        assert_same!(oracle, store: unread(task, 0, 100));
        assert_same!(oracle, store: unread(task, 2, 1));
    }
    assert_same!(oracle, store: erasures());
    assert_same!(oracle, store: unfinished_erasures());
    assert_same!(oracle, store: warnings());
    for &node in &nodes {
        assert_same!(oracle, store: warnings_about(&[node]));
        assert_same!(oracle, store: offers_about(&[node]));
        assert_same!(oracle, store: readings_about(&[node]));
    }
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
    assert_same!(oracle, store: key_holders(&names));
    for name in &names {
        assert_same!(oracle, store: find_nodes(&NodeName::Entity(name)));
        assert_same!(oracle, store: find_nodes(&NodeName::Canonical(&canonical_id(EntityType::Tool, name))));
    }
    for kind in [None, Some(EntityType::Person), Some(EntityType::File)] {
        assert_same!(oracle, store: hubs(kind, 2, None));
        assert_same!(oracle, store: hubs(kind, 100, None));
        for part in ["", "a", "sql", "%"] {
            assert_same!(oracle, store: search_entities(part, kind, 3));
        }
    }
    for filter in &filters() {
        assert_same_searches(oracle, store, filter, next.memory, &nodes);
    }
}

fn assert_same_searches(oracle: &dyn Store, store: &dyn Store, filter: &Filter, end: u32, nodes: &[Node]) {
    let mut terms = Vec::new();
    crate::text::for_each_term("why is the database cache slow, Ada? 2019 数据库 absent", &mut |term| {
        if !terms.iter().any(|known| known == term) {
            terms.push(term.to_owned());
        }
    });
    for limit in [0, 2, 1000] {
        for terms in [terms.clone(), vec!["absent".into()], vec!["cach".into()]] {
            // "why" and "cach" as parts of "is": a whole that is there; "absent" as a whole that is not.
            let whole = |term: &str| terms.iter().position(|known| known == term);
            let part = |term, of| Some(Part { term: whole(term)?, whole: whole(of)? });
            let parts = [part("why", "is"), part("cach", "is"), part("slow", "absent")];
            let parts = parts.into_iter().flatten().collect();
            let query = WordQuery { terms, parts, limit, places: limit };
            let (wanted, got) =
                (oracle.search_words(&query, filter).unwrap(), store.search_words(&query, filter).unwrap());
            assert_same_words(&wanted, &got);
        }
        let span = Interval::new(Timestamp(0), Timestamp(9 * Timestamp::HOUR));
        assert_same!(oracle, store: search_time(span, filter, limit));
        assert_same!(oracle, store: latest(filter, limit));
        let asked = unpacked(&a_vector(3));
        if is_comparable(oracle, &asked) {
            let (wanted, got) = (
                oracle.search_vectors(&asked, filter, limit).unwrap(),
                store.search_vectors(&asked, filter, limit).unwrap(),
            );
            let order = |hits: &[(Node, f32)]| hits.iter().map(|&(node, _)| node).collect::<Vec<_>>();
            assert_eq!(order(&wanted), order(&got), "memories by vector");
        }
        assert_same_looks(oracle, store, filter, &asked, nodes);
    }
    for limit in [0, 2, 1000] {
        assert_same!(oracle, store: rules(filter, limit));
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

/// Vectors of another length than the store's cannot be compared.
fn is_comparable(store: &dyn Store, vector: &[f32]) -> bool {
    store.vector_model().unwrap().is_none_or(|(_, dimensions)| dimensions == vector.len())
}

/// Compares the attributes of requested and of found memories.
fn assert_same_looks(oracle: &dyn Store, store: &dyn Store, filter: &Filter, vector: &[f32], nodes: &[Node]) {
    let mut alike = vec![Like::Memory(nodes[1]), Like::Memory(Node::memory(1_000_000))];
    if is_comparable(oracle, vector) {
        alike.push(Like::Vector(vector));
    }
    let within = Batch::within(filter);
    let look =
        Look { nodes: &nodes[..2], found: 3, placed: true, years: true, alike: &alike, degrees: nodes };
    let always = Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX));
    let name = name_vector("Ada Redis").map(|name| dequantise(&name)).unwrap_or_default();
    let names = [(&name[..], 3), (&name[..], 100), (&name[..], 0)];
    let batch =
        Batch { lists: &[Listing::Latest(2), Listing::Within(always, 9)], names: &names, look, ..within };
    let answers = |store: &dyn Store| store.search(&[batch, batch]).unwrap();
    let (mut wanted, mut got) = (answers(oracle), answers(store));
    assert_eq!(wanted[0], wanted[1]);
    for (wanted, got) in wanted.iter_mut().zip(&mut got) {
        let names = std::mem::take(&mut wanted.names).into_iter().zip(std::mem::take(&mut got.names));
        for (wanted, got) in names {
            assert_eq!(wanted.len(), got.len(), "entities by name");
            for ((entity, wanted), (same, got)) in wanted.into_iter().zip(got) {
                assert_eq!(entity, same, "an entity by name");
                assert_near(wanted, got, "cosine of a name");
            }
        }
        let (wanted, got) = (std::mem::take(&mut wanted.alike), std::mem::take(&mut got.alike));
        for (wanted, got) in wanted.into_iter().zip(got) {
            assert_eq!(wanted.len(), got.len(), "what is compared with has a vector");
            for (wanted, got) in wanted.into_iter().zip(got) {
                assert_eq!(wanted.is_some(), got.is_some(), "has a vector");
                assert_near(wanted.unwrap_or(0.0), got.unwrap_or(0.0), "cosine");
            }
        }
    }
    assert_eq!(wanted, got);
}

/// The bulk form may miss neighbours barely above the threshold. It must find all those well above it, and
/// must not return any below.
fn assert_same_alike(oracle: &dyn Store, store: &dyn Store, scope: &Scope) {
    if oracle.vector_model().unwrap().is_none_or(|model| model.0 != "test-70") {
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
            assert_eq!(
                well_over(wanted),
                well_over(got),
                "memories by many vectors, at least {least}, {scope:?}"
            );
            for (node, cosine) in got {
                let known = wanted.iter().find(|(other, _)| other == node);
                assert_near(
                    known.unwrap_or_else(|| panic!("{node:?} is not over {least}")).1,
                    *cosine,
                    "cosine",
                );
            }
        }
    }
}
