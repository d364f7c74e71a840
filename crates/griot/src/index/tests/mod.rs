//! The index against a model of plain lists, over random histories; complete, split in base and tail, and
//! damaged.

mod model;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use proptest::prelude::*;

use super::*;
use crate::model::{CATALOGUE, Provenance};
use model::{Model, Owned};

const DIMENSIONS: usize = 70;
const VOCABULARY: usize = 12;

fn spaces(text: &str, sink: &mut dyn FnMut(&str)) {
    text.split([' ', '?']).filter(|term| !term.is_empty()).for_each(sink);
}

fn config() -> IndexConfig {
    IndexConfig { store_id: [7; 16], model: Some(("test".into(), DIMENSIONS)), tokenizer: spaces }
}

fn random_vector(random: &mut fastrand::Rng) -> (Vec<i8>, f32) {
    let values: Vec<i8> = (0..DIMENSIONS).map(|_| random.i8(-127..=127)).collect();
    let length = values.iter().map(|value| f32::from(*value).powi(2)).sum::<f32>().sqrt();
    (values, 1.0 / length.max(1.0))
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

/// One random step, applied to the model and to all indexes.
fn step(random: &mut fastrand::Rng, model: &mut Model, indexes: &mut [&mut Index]) {
    let mut apply = |update: Update<'_>, twice: bool| {
        for index in indexes.iter_mut() {
            index.apply(update);
            if twice {
                index.apply(update);
            }
        }
    };
    let twice = random.u8(..) < 40;
    let known = model.documents.len();
    match random.u8(0..10) {
        0..=3 if known < 60 => {
            // Numbers are sometimes skipped, and assigned later.
            let memory = random.u32(1..(known as u32 + 4));
            if let Entry::Vacant(row) = model.documents.entry(memory) {
                let document = Owned {
                    memory,
                    text: random_text(random, 12),
                    header: random_text(random, 2),
                    place: random.u32(0..4),
                    source: random.u32(0..3),
                    ordinal: random.u32(0..10),
                    occurred_at: random.i64(-40..40) * Timestamp::HOUR,
                    user: random.u32(0..3),
                    project: random.u32(0..3),
                    kind: random.u32(1..4),
                    agent: random.u32(0..3),
                    deleted: random.u8(..) < 20,
                    superseded: random.u8(..) < 20,
                    timeless: random.u8(..) < 60,
                    vector: random.bool().then(|| random_vector(random)),
                };
                apply(Update::Document(document.document()), twice);
                row.insert(document);
            }
        }
        4 | 5 if known > 0 => {
            let at = random.usize(0..known);
            let Some(document) = model.documents.values_mut().nth(at) else {
                return;
            };
            match random.u8(0..8) {
                6 => document.timeless = !document.timeless,
                0 => document.ordinal = random.u32(0..10),
                1 => document.deleted = !document.deleted,
                2 => document.superseded = !document.superseded,
                3 => document.vector = random.bool().then(|| random_vector(random)),
                4 => document.occurred_at = random.i64(-40..40) * Timestamp::HOUR,
                5 => document.place = random.u32(0..4),
                _ => document.user = random.u32(0..3),
            }
            apply(Update::Document(document.document()), twice);
        }
        9 if known > 8 && random.bool() => {
            let gone: BTreeSet<u32> =
                model.documents.keys().copied().filter(|_| random.u8(..) < 30).collect();
            model.documents.retain(|memory, _| !gone.contains(memory));
            apply(Update::Erase(&gone), twice);
        }
        6..=8 => {
            let number = random.u32(1..40);
            if random.u8(..) < 60 {
                model.links.remove(&number);
                apply(Update::Unlink(number), twice);
                return;
            }
            let kind = EdgeKind::from_number(random.u8(0..8)).unwrap_or(EdgeKind::Mentions);
            let link = Link {
                number,
                source: random.u32(2..12),
                target: random.u32(2..12),
                kind,
                label: random.u32(0..3),
                weight: f32::from(random.u8(0..4)) / 4.0,
                confidence: random.f32(),
                touched_at: random.i64(0..4),
                expires_at: (random.u8(..) < 80).then(|| random.i64(0..4)),
                provenance: Provenance::Llm,
            };
            apply(Update::Link(link), twice);
            model.links.insert(number, link);
        }
        _ => {
            let entity = random.u32(1..6);
            let deleted = random.bool();
            if deleted {
                model.hidden.insert(entity)
            } else {
                model.hidden.remove(&entity)
            };
            apply(Update::Entity { entity, deleted }, twice);
        }
    }
}

struct Filters {
    kinds: Vec<u32>,
    sources: Vec<u32>,
    within: Vec<u32>,
}

impl Filters {
    fn random(random: &mut fastrand::Rng) -> Self {
        let mut some = |most: u32, at_most: usize| {
            let set: BTreeSet<u32> = (0..random.usize(0..=at_most)).map(|_| random.u32(0..most)).collect();
            set.into_iter().collect()
        };
        Self { kinds: some(4, 2), sources: some(3, 2), within: some(60, 50) }
    }

    fn visible(&self, random: &mut fastrand::Rng) -> Visible<'_> {
        let mut visible = Visible { superseded: random.bool(), ..Visible::default() };
        visible.now = random.bool().then(|| random.i64(0..4));
        match random.u8(0..10) {
            0 => visible.user = Some(random.u32(0..3)),
            1 => visible.project = Some(random.u32(0..3)),
            2 => visible.kinds = &self.kinds,
            3 => visible.sources = &self.sources,
            4 => visible.agent = Some(random.u32(1..3)),
            5 => visible.occurred = Some((-20 * Timestamp::HOUR, random.i64(-10..40) * Timestamp::HOUR)),
            6 => visible.within = Some(&self.within),
            7 => visible.session = Some(random.u32(1..4)),
            8 => visible.belief.least = random.f32(),
            _ => {}
        }
        visible
    }
}

/// Compares all answers of a model and an index.
fn compare(random: &mut fastrand::Rng, model: &Model, index: &Index) {
    let filters = Filters::random(random);
    let visible = filters.visible(random);
    let limit = *random.choice(&[1, 3, 100]).unwrap_or(&3);

    let terms: BTreeSet<String> =
        (0..random.usize(1..6)).map(|_| format!("w{}", random.usize(0..VOCABULARY + 1))).collect();
    let terms: Vec<String> = terms.into_iter().collect();
    let query = WordQuery { terms, limit, places: limit };
    assert_eq!(index.words(&query, &visible), model.words(&query.terms, limit, &visible));
    let without = WordQuery { places: 0, ..query.clone() };
    let expected = WordHits { places: Vec::new(), ..index.words(&query, &visible) };
    assert_eq!(index.words(&without, &visible), expected, "places are left out and nothing else");

    let vector: Vec<f32> = (0..DIMENSIONS).map(|_| random.f32() - 0.5).collect();
    assert_eq!(index.nearest(&vector, limit, &visible), model.nearest(&vector, limit, &visible));
    let (values, scale) = random_vector(random);
    let batch = index.alike(&[VectorQuery { values: &values, scale, visible }], -1.0, limit).remove(0);
    let as_floats: Vec<f32> = values.iter().map(|value| f32::from(*value)).collect();
    let expected = model.nearest(&as_floats, limit, &visible);
    assert_eq!(batch.len(), expected.len());
    for ((_, cosine), (_, expected)) in batch.iter().zip(&expected) {
        assert!((cosine - expected * scale).abs() < 1e-4);
    }

    let start = random.i64(-40..40) * Timestamp::HOUR;
    let interval = Interval::new(Timestamp(start), Timestamp(start + random.i64(0..40) * Timestamp::HOUR));
    let mut inside: Vec<(i64, u32)> = model
        .seen(&visible)
        .into_iter()
        .filter(|d| interval.contains(Timestamp(d.occurred_at)))
        .map(|d| (d.occurred_at, d.memory))
        .collect();
    inside.sort_unstable();
    let inside: Vec<u32> =
        inside.split_off(inside.len().saturating_sub(limit)).into_iter().map(|(_, m)| m).collect();
    assert_eq!(index.within(interval, limit, &visible), inside);

    let latest: Vec<u32> = model.seen(&visible).into_iter().rev().take(limit).map(|d| d.memory).collect();
    assert_eq!(index.latest(limit, &visible), latest);

    for memory in 0..index.memory_end() + 2 {
        let known = model.documents.get(&memory);
        assert_eq!(index.checksum(memory), known.map(|d| index.checksum_of(&d.document())));
        assert_eq!(visible.admits(index, memory), model.sees(&visible, memory));
        let Some(document) = known else {
            assert!(index.placement(memory).is_none() && index.vector_of(memory).is_none());
            continue;
        };
        let placement =
            index.placement(memory).map(|p| (p.place, p.ordinal, p.occurred_at.0, p.asks, p.length as usize));
        let length = Owned::terms(&document.text).len();
        let asks = document.text.ends_with('?');
        assert_eq!(placement, Some((document.place, document.ordinal, document.occurred_at, asks, length)));
        assert_eq!(index.years(memory), years::years_in(&document.text));
        assert_eq!(index.vector_of(memory).map(|(v, s)| (v.to_vec(), s)), document.vector);
        let (row, at) = model.row(&visible, memory, |d| d.occurred_at);
        let numbers: Vec<u32> = row.iter().map(|d| d.memory).collect();
        let expected =
            (numbers[at.saturating_sub(2)..at].to_vec(), numbers[at + 1..numbers.len().min(at + 4)].to_vec());
        assert_eq!(index.around(memory, 2, 3, &visible), expected);
    }

    for place in 1..5 {
        let around = random.u32(0..10);
        let mut members: Vec<&Owned> =
            model.seen(&visible).into_iter().filter(|d| d.place == place).collect();
        members.sort_by_key(|d| {
            // Before the ordinal the later number is nearer, after it the earlier.
            let is_after = d.ordinal >= around;
            let number = if is_after { i64::from(d.memory) } else { -i64::from(d.memory) };
            (d.ordinal.abs_diff(around), is_after, number)
        });
        members.truncate(limit);
        members.sort_by_key(|d| (d.ordinal, d.memory));
        let members: Vec<u32> = members.into_iter().map(|d| d.memory).collect();
        assert_eq!(index.place_members(place, around, limit, &visible), members);
    }

    let fan_out: Vec<usize> = CATALOGUE.iter().map(|_| random.usize(0..4) * random.usize(1..5)).collect();
    for node in 2..14 {
        let direction =
            *random.choice(&[Direction::Out, Direction::In, Direction::Both]).unwrap_or(&Direction::Both);
        let mut arcs = Vec::new();
        index.arcs(node, direction, &fan_out, &visible, &mut arcs);
        assert_eq!(arcs, model.arcs(node, direction, &fan_out, &visible));
        assert_eq!(index.degree(node, visible.now), model.degree(node, visible.now));
    }
    let now = visible.now;
    let mut hubs: Vec<(u32, u32)> =
        (2..14).map(|node| (node, model.degree(node, now))).filter(|hub| hub.1 > 0).collect();
    hubs.sort_by_key(|(node, degree)| (std::cmp::Reverse(*degree), *node));
    hubs.truncate(limit);
    assert_eq!(index.hubs(limit, now, &|_| true), hubs);
    let mut links = BTreeMap::new();
    index.each_link(&mut |link| assert!(links.insert(link.number, link).is_none()));
    assert_eq!(links, model.links);
    assert_eq!(index.link_count(), model.links.len() as u64);
    assert_eq!(index.memory_count() as usize, model.documents.len());
    assert_eq!(
        index.vector_count() as usize,
        model.documents.values().filter(|d| d.vector.is_some()).count()
    );
}

/// Calls every search, ignoring the answers.
fn ask(index: &Index) {
    let visible = Visible::default();
    let terms: Vec<String> = (0..VOCABULARY).map(|word| format!("w{word}")).collect();
    let mut arcs = Vec::new();
    index.words(&WordQuery { terms, limit: 5, places: 5 }, &visible);
    index.nearest(&[0.1; DIMENSIONS], 5, &visible);
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
    fn base_and_tail_answer_like_the_model(seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        let dir = tempfile::tempdir().expect("a folder");
        let mut model = Model::default();
        let mut whole = Index::empty(config());
        let mut cut = Index::empty(config());
        for revision in 1..160 {
            step(&mut random, &mut model, &mut [&mut whole, &mut cut]);
            whole.set_revision(revision);
            cut.set_revision(revision);
            match random.u8(0..40) {
                0 => {
                    cut.write_snapshot(dir.path(), &|| true).expect("a snapshot");
                    prop_assert!(cut.reopen(dir.path()));
                }
                1 => {
                    cut.write_snapshot(dir.path(), &|| true).expect("a snapshot");
                    cut = Index::open(dir.path(), config()).expect("a snapshot");
                    prop_assert_eq!(cut.revision(), revision);
                }
                2..8 => {
                    let mut same = random.clone();
                    compare(&mut random, &model, &whole);
                    compare(&mut same, &model, &cut);
                }
                _ => {}
            }
        }
        prop_assert_eq!(fs::read_dir(dir.path()).expect("a folder").count().min(1), snapshot::list(dir.path()).len());
    }

    #[test]
    fn a_damaged_file_never_panics(seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        let dir = tempfile::tempdir().expect("a folder");
        let mut model = Model::default();
        let mut index = Index::empty(config());
        for _ in 0..120 {
            step(&mut random, &mut model, &mut [&mut index]);
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
            let mut model = model.clone();
            for _ in 0..40 {
                step(&mut random, &mut model, &mut [&mut index]);
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
    let document = |memory| Document { memory, text: "w1", ..Document::default() };
    for (count, pressure) in [(200, Pressure::None), (201, Pressure::OnClose), (20_001, Pressure::Now)] {
        while index.memory_count() < count {
            index.apply(Update::Document(document(index.memory_end())));
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
    let document = Document { memory: 1, text: "w1", vector: Some((&values, 0.1)), ..Document::default() };
    let mut index = Index::empty(IndexConfig { model: None, ..config() });
    index.apply(Update::Document(document));
    assert_eq!(index.vector_of(1), Some((&values[..], 0.1)));
    // Naming the model of the vectors that came before keeps them.
    index.set_model(config().model);
    assert_eq!(index.vector_count(), 1);
    index.set_model(Some(("other".into(), 3)));
    assert_eq!((index.vector_of(1), index.vector_count()), (None, 0));
    index.apply(Update::Document(document));
    assert_eq!(index.vector_of(1), None);
    index.apply(Update::Document(Document { vector: Some((&[1, 2, 3], 0.2)), ..document }));
    assert_eq!(index.nearest(&[1.0, 0.0, 0.0], 5, &Visible::default()), [(1, 0.2)]);
}
