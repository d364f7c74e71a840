//! The size of a store.

use super::*;
use crate::model::*;
use crate::testkit::conformance::*;

/// Data like a user's: texts of 300 characters, vectors of 256 dimensions, four mentions of skewed entities.
fn realistic(random: &mut fastrand::Rng, first: u32, count: u32, entities: u32) -> Vec<Change> {
    let mut changes = Vec::new();
    for number in first..first + count {
        let mut text = String::new();
        while text.len() < 300 {
            let length = random.usize(2..9);
            text.extend((0..length).map(|_| random.lowercase()));
            text.push(' ');
        }
        text.truncate(300);
        let id = MemoryId(uuid::Uuid::from_u128(
            0x0190 << 112 | u128::from(number) << 64 | u128::from(random.u64(..)),
        ));
        let now = Timestamp(1_700_000_000_000 + i64::from(number) * 60_000);
        let mut memory = Memory {
            id,
            handle: id.handle(9),
            occurred_at: now,
            recorded_at: now,
            ..a_memory(number, &text)
        };
        memory.agent = Some("claude".into());
        memory.session = Some(format!("session {}", number / 50));
        memory.ordinal = number % 50;
        memory.scope = Scope { user: Some("ada".into()), project: Some("griot".into()) };
        let values: Vec<i8> = (0..256).map(|_| random.i8(-127..=127)).collect();
        let vector = StoredVector { model: "static-256".into(), scale: 0.0009, values };
        changes.push(Change::AddMemory { memory: Box::new(memory), vector: Some(vector) });
        let mut mentioned = std::collections::BTreeSet::new();
        while mentioned.len() < 4 {
            let entity = (f64::from(entities) * random.f64().powi(3)) as u32 + 1;
            mentioned.insert(entity.min(entities));
        }
        for entity in mentioned {
            let edge = Edge {
                created_at: now,
                touched_at: now,
                ..an_edge(Node::memory(number), Node::entity(entity), EdgeKind::Mentions, "")
            };
            let evidence = Evidence { memory: Some(id), quote: None, reason: None, at: now };
            changes.push(Change::PutEdge(Edge { evidence: vec![evidence], ..edge }));
        }
    }
    changes
}

fn entities(count: u32) -> Vec<Change> {
    let mut changes = vec![Change::PutSource(a_source(1))];
    changes.extend(
        (1..=count)
            .map(|n| Change::PutEntity(an_entity(n, EntityType::Concept, &format!("Entity Number {n}")))),
    );
    changes
}

#[test]
fn a_memory_of_300_characters_takes_less_than_2_kb() {
    let (_folder, path) = place();
    let store = opened(&path, Options { sync_full: false, ..Options::default() }).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    write(&store, entities(2_000));
    let count = 10_000;
    for batch in 0..count / 1000 {
        write(&store, realistic(&mut random, batch * 1000 + 1, 1000, 2_000));
    }
    drop(store);
    let bytes = std::fs::metadata(&path).unwrap().len();
    println!("{} bytes per memory", bytes / u64::from(count));
    assert!(bytes < 2048 * u64::from(count), "{} bytes per memory", bytes / u64::from(count));
}

/// Run in release with `--nocapture` to see the times; in a normal run it only checks that nothing fails.
#[test]
fn writing_in_batches_and_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let size = if cfg!(debug_assertions) { 2 } else { 100 };
    let store = opened(&folder.path().join("store.db"), Options::default()).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    write(&store, entities(10_000));
    let mut next = 1;
    let mut timed = |what: &str, batches: u32, each: u32| {
        let mut times = Vec::new();
        for _ in 0..batches {
            let changes = realistic(&mut random, next, each, 10_000);
            next += each;
            let start = std::time::Instant::now();
            write(&store, changes);
            times.push(start.elapsed());
        }
        times.sort();
        println!("{what}: median {:?}, slowest {:?}", times[times.len() / 2], times[times.len() - 1]);
    };
    timed("1,000 memories with 4,000 mentions", size, 1000);
    timed("one memory with 4 mentions", 10 * size, 1);
    let start = std::time::Instant::now();
    let counts = store.counts().unwrap();
    println!("counts of {}: {:?}", counts.memories, start.elapsed());
    let start = std::time::Instant::now();
    assert_eq!(store.refresh().unwrap().revision, store.revision());
    println!("refresh without news: {:?}", start.elapsed());
    let path = store.backend().path().to_owned();
    drop(store);
    let start = std::time::Instant::now();
    let store = opened(&path, Options::default()).unwrap();
    println!("open with a snapshot: {:?}", start.elapsed());
    let start = std::time::Instant::now();
    store.rebuild().unwrap();
    println!("rebuild: {:?}", start.elapsed());
}
