//! Snapshots: foreign, damaged, due, and with another model. Answers are compared with those of the reference
//! store in `testkit::conformance`.

use std::borrow::Cow;
use std::fs;

use proptest::prelude::*;

use super::*;
use crate::model::{CATALOGUE, Provenance, StoredVector};

const DIMENSIONS: usize = 70;
const VOCABULARY: usize = 12;

fn spaces(text: &str, sink: &mut dyn FnMut(&str)) {
    text.split([' ', '?']).filter(|term| !term.is_empty()).for_each(sink);
}

/// A vector of the bytes.
fn namer(name: &str) -> Option<StoredVector> {
    let values: Vec<i8> = name.bytes().cycle().take(DIMENSIONS).map(|byte| byte as i8).collect();
    (!values.is_empty()).then(|| StoredVector { model: String::new(), scale: 0.01, values })
}

fn config() -> IndexConfig {
    IndexConfig { store_id: [7; 16], model: Some(("test".into(), DIMENSIONS)), tokenizer: spaces, namer }
}

fn random_vector(random: &mut fastrand::Rng) -> (Cow<'static, [i8]>, f32) {
    let values: Vec<i8> = (0..DIMENSIONS).map(|_| random.i8(-127..=127)).collect();
    let length = values.iter().map(|value| f32::from(*value).powi(2)).sum::<f32>().sqrt();
    (values.into(), 1.0 / length.max(1.0))
}

fn random_text(random: &mut fastrand::Rng, most: usize) -> String {
    let words = random.usize(0..=most);
    let mut text: Vec<String> = (0..words)
        .map(|_| format!("w{}", random.usize(0..VOCABULARY).min(random.usize(0..VOCABULARY))))
        .collect();
    if random.u8(..) < 60 {
        text.push(random.i32(900..2200).to_string());
    }
    text.join(" ") + if random.bool() { "?" } else { "" }
}

/// Applies a random update.
fn step(random: &mut fastrand::Rng, index: &mut Index) {
    match random.u8(0..11) {
        0..=4 => {
            let document = Document {
                memory: random.u32(1..60),
                text: random_text(random, 12).into(),
                header: random_text(random, 2),
                place: random.u32(0..4),
                source: random.u32(0..3),
                ordinal: random.u32(0..10),
                occurred_at: random.i64(-40..40) * Timestamp::HOUR,
                user: random.u32(0..3),
                kind: random.u32(1..4),
                deleted: random.u8(..) < 20,
                superseded: random.u8(..) < 20,
                timeless: random.u8(..) < 60,
                expires_at: random.bool().then_some(7),
                vector: random.bool().then(|| random_vector(random)),
                ..Document::default()
            };
            index.apply(Update::Document(&document));
        }
        5 => {
            let erased = (1..60).filter(|_| random.u8(..) < 20).collect();
            index.apply(Update::Erase(&erased));
        }
        6 => index.apply(Update::Unlink(random.u32(1..40))),
        7 => index.apply(Update::Entity { entity: random.u32(1..6), hidden: random.bool() }),
        8 => {
            let name = (random.u8(..) > 40).then(|| random_text(random, 3));
            index.apply(Update::Name { entity: random.u32(1..6), name: name.as_deref() });
        }
        _ => {
            let link = Link {
                number: random.u32(1..40),
                source: random.u32(2..12),
                target: random.u32(2..12),
                kind: EdgeKind::from_number(random.u8(0..8)).unwrap_or(EdgeKind::Mentions),
                label: random.u32(0..3),
                weight: f32::from(random.u8(0..4)) / 4.0,
                confidence: random.f32(),
                touched_at: random.i64(0..4),
                expires_at: (random.u8(..) < 80).then(|| random.i64(0..4)),
                provenance: Provenance::Llm,
            };
            index.apply(Update::Link(link));
        }
    }
}

/// Calls every search, ignoring the answers.
fn ask(index: &Index) {
    let visible = Visible::default();
    let terms: Vec<String> = (0..VOCABULARY).map(|word| format!("w{word}")).collect();
    let mut arcs = Vec::new();
    index.words(&WordQuery { terms, limit: 5, places: 5, ..WordQuery::default() }, &visible);
    index.nearest(&[0.1; DIMENSIONS], 5, &visible);
    index.named_like(&[0.1; DIMENSIONS], 5, &visible);
    index.alike(&[VectorQuery { values: &[3; DIMENSIONS], scale: 0.01, visible }], 0.5, 5);
    index.within(Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX)), 100, &visible);
    index.latest(5, &visible);
    for memory in 0..70 {
        index.around(memory, 5, 5, &visible);
        index.placement(memory);
        index.years(memory);
        index.checksum(memory);
        index.place_members(memory, 3, 5, &visible);
        index.cosines(&[0.1; DIMENSIONS], &[memory]);
        index.arcs(memory, Direction::Both, &[9; CATALOGUE.len()], &visible, &mut arcs);
    }
    index.hubs(5, None, &|_| true);
    index.each_link(&mut |_| {});
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_never_panics(seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        let dir = tempfile::tempdir().expect("a folder");
        let mut index = Index::empty(config());
        for _ in 0..120 {
            step(&mut random, &mut index);
        }
        index.set_revision(9);
        index.write_snapshot(dir.path(), &|| true).expect("a snapshot");
        let path = dir.path().join("index-9.bin");
        let sound = fs::read(&path).expect("a file");
        for round in 0..12 {
            let mut bytes = sound.clone();
            if round % 4 == 0 {
                bytes.truncate(random.usize(0..bytes.len()));
            } else {
                // Mostly small changes, so that the head often stays intact.
                for _ in 0..1 << random.u8(0..10) {
                    let at = random.usize(700 * usize::from(round % 3 > 0)..bytes.len());
                    bytes[at] = if random.bool() { random.u8(..) } else { 255 };
                }
            }
            fs::write(&path, &bytes).expect("a file");
            let Some(mut index) = Index::open(dir.path(), config()) else { continue };
            ask(&index);
            for _ in 0..40 {
                step(&mut random, &mut index);
            }
            ask(&index);
            let other = tempfile::tempdir().expect("a folder");
            let written = index.write_snapshot(other.path(), &|| true);
            // Damaged data gets no new checksums.
            assert_eq!(written.is_err(), index.is_damaged());
            if let Some(index) = Index::open(other.path(), config()) {
                ask(&index);
            }
        }
    }
}

#[test]
fn a_foreign_snapshot_is_passed_over() {
    let dir = tempfile::tempdir().expect("a folder");
    assert!(Index::open(dir.path(), config()).is_none());
    let mut index = Index::empty(config());
    index.set_revision(4);
    index.write_snapshot(dir.path(), &|| true).expect("a snapshot");
    assert_eq!(Index::open(dir.path(), config()).map(|index| index.revision()), Some(4));
    let other_store = IndexConfig { store_id: [8; 16], ..config() };
    let other_model = IndexConfig { model: Some(("other".into(), DIMENSIONS)), ..config() };
    let no_model = IndexConfig { model: None, ..config() };
    for config in [other_store, other_model, no_model] {
        assert!(Index::open(dir.path(), config).is_none());
    }
    // A newer truncated file does not hide the older one.
    fs::write(dir.path().join("index-5.bin"), b"GRIOTIDX").expect("a file");
    assert_eq!(Index::open(dir.path(), config()).map(|index| index.revision()), Some(4));
}

#[test]
fn the_tail_says_when_a_snapshot_pays() {
    let mut index = Index::empty(config());
    let document = |memory| Document { memory, text: "w1".into(), ..Document::default() };
    for (count, pressure) in [(200, Pressure::None), (201, Pressure::OnClose), (20_001, Pressure::Now)] {
        while index.memory_count() < count {
            index.apply(Update::Document(&document(index.memory_end())));
        }
        assert_eq!(index.wants_snapshot(), pressure);
    }
    let dir = tempfile::tempdir().expect("a folder");
    index.write_snapshot(dir.path(), &|| true).expect("a snapshot");
    assert!(index.reopen(dir.path()));
    assert_eq!(index.wants_snapshot(), Pressure::None);
    assert_eq!(index.memory_count(), 20_001);
}

#[test]
fn an_index_is_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&Index::empty(config()));
}

#[test]
fn another_model_forgets_the_vectors() {
    let values = [1i8; DIMENSIONS];
    let document = Document {
        memory: 1,
        text: "w1".into(),
        vector: Some((values[..].into(), 0.1)),
        ..Document::default()
    };
    let mut index = Index::empty(IndexConfig { model: None, ..config() });
    index.apply(Update::Document(&document));
    assert_eq!(index.vector_of(1), Some((&values[..], 0.1)));
    // Naming the model of the vectors that came before keeps them.
    index.set_model(config().model);
    assert_eq!(index.vector_count(), 1);
    index.set_model(Some(("other".into(), 3)));
    assert_eq!((index.vector_of(1), index.vector_count()), (None, 0));
    index.apply(Update::Document(&document));
    assert_eq!(index.vector_of(1), None);
    index.apply(Update::Document(&Document { vector: Some((vec![1, 2, 3].into(), 0.2)), ..document }));
    assert_eq!(index.nearest(&[1.0, 0.0, 0.0], 5, &Visible::default()), [(1, 0.2)]);
}

#[test]
fn the_nearest_name_is_found_behind_many_that_nobody_mentions() {
    let mut index = Index::empty(config());
    for entity in 1..=60 {
        index.apply(Update::Name { entity, name: Some("aaa") });
    }
    index.apply(Update::Name { entity: 61, name: Some("aab") });
    index.apply(Update::Document(&Document { memory: 1, text: "w1".into(), ..Document::default() }));
    index.apply(Update::Link(Link {
        number: 1,
        source: Node::memory(1).raw(),
        target: Node::entity(61).raw(),
        kind: EdgeKind::Mentions,
        label: 0,
        weight: 1.0,
        confidence: 1.0,
        touched_at: 0,
        expires_at: None,
        provenance: Provenance::Rule,
    }));
    let StoredVector { values, scale, .. } = namer("aaa").expect("a name");
    let asked: Vec<f32> = values.iter().map(|value| f32::from(*value) * scale).collect();
    let found = index.named_like(&asked, 3, &Visible::default());
    assert_eq!(found.iter().map(|(entity, _)| *entity).collect::<Vec<_>>(), [61]);
}
