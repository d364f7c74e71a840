//! Index files that another program changed.

use std::fs;
use std::path::Path;

use super::*;
use crate::backend::{Batch, Cell, Filter, Look, NeighbourQuery, WordQuery};
use crate::model::*;
use crate::testkit::conformance::*;

const MEMORIES: u32 = 260;
const ENTITIES: u32 = 12;

/// A store with a snapshot that has data in every section.
fn a_store(path: &Path) {
    let store = opened(path, Options { sync_full: false, ..Options::default() }).unwrap();
    let mut changes = vec![Change::PutSource(a_source(1))];
    changes.extend(
        (1..=ENTITIES).map(|n| Change::PutEntity(an_entity(n, EntityType::Concept, &format!("Thing {n}")))),
    );
    let mut random = fastrand::Rng::with_seed(9);
    for number in 1..=MEMORIES {
        let words: Vec<String> = (0..12).map(|_| format!("word{}", random.u32(0..300))).collect();
        let text = format!("{} in {}", words.join(" "), 1900 + number % 120);
        let memory =
            Box::new(Memory { heading: vec![format!("Chapter {}", number % 9)], ..a_memory(number, &text) });
        changes.push(Change::AddMemory { memory, vector: Some(a_vector(u64::from(number))) });
        changes.push(Change::PutEdge(a_mention(number, number % ENTITIES + 1)));
        if number > 1 {
            let (cause, effect) = (Node::memory(number - 1), Node::memory(number));
            changes.push(Change::PutEdge(an_edge(cause, effect, EdgeKind::Causal, "causes")));
        }
    }
    write(&store, changes);
    store.write_snapshot_now();
}

/// Answers of every kind, as text.
fn answers(store: &Opened) -> String {
    let all = Filter::default();
    let mut told = String::new();
    let mut tell = |answer: &dyn std::fmt::Debug| told += &format!("{answer:?}\n");
    for word in (0..300).step_by(7) {
        let terms = vec![format!("word{word}"), "chapter".to_owned()];
        tell(
            &store
                .search_words(&WordQuery { terms, limit: 5, places: 3, ..WordQuery::default() }, &all)
                .unwrap(),
        );
    }
    for seed in [3, 77, 200] {
        tell(&store.search_vectors(&unpacked(&a_vector(seed)), &all, 5).unwrap());
    }
    let memories: Vec<Node> = (1..=MEMORIES).map(Node::memory).collect();
    let nodes: Vec<Node> = memories.iter().copied().chain((1..=ENTITIES).map(Node::entity)).collect();
    let fan_out = [9; CATALOGUE.len()];
    let ask = NeighbourQuery { direction: crate::backend::Direction::Both, fan_out: &fan_out, filter: &all };
    tell(&store.neighbours(&nodes, &ask).unwrap());
    let look = Look { nodes: &memories, placed: true, years: true, ..Batch::within(&all).look };
    tell(&store.search(&[Batch { look, ..Batch::within(&all) }]).unwrap());
    tell(&store.degrees(&nodes, None).unwrap());
    let days = Interval::new(Timestamp(0), Timestamp(40 * Timestamp::DAY));
    tell(&store.search_time(days, &all, 30).unwrap());
    tell(&store.place_members(1, 100, 9, &all).unwrap());
    tell(&store.around(Node::memory(50), 3, 3, &all).unwrap());
    tell(&store.hubs(None, 5, None).unwrap());
    tell(&store.counts().unwrap());
    told
}

fn snapshot(index: &Path) -> PathBuf {
    let mut files: Vec<_> = fs::read_dir(index).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

/// The snapshot of the store of `a_store`: its path and its bytes.
fn a_snapshot(path: &Path) -> (PathBuf, Vec<u8>) {
    a_store(path);
    let index = opened(path, Options::default()).unwrap().backend().home().index.unwrap();
    let file = snapshot(&index);
    let bytes = fs::read(&file).unwrap();
    (file, bytes)
}

#[test]
fn a_damaged_index_gives_the_answers_of_an_intact_one() {
    let (_folder, path) = place();
    let (file, sound) = a_snapshot(&path);
    let open = || opened(&path, Options::default()).unwrap();
    let expected = answers(&open());
    let mut random = fastrand::Rng::with_seed(12);
    let mut found = 0;
    for _ in 0..60 {
        let mut bytes = sound.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..bytes.len());
            bytes[at] ^= 1 << random.u8(0..8);
        }
        fs::write(&file, &bytes).unwrap();
        let store = open();
        assert_eq!(answers(&store), expected);
        found += usize::from(!store.integrity().unwrap().is_empty());
        drop(store);
        // The damaged file is removed, so that the next process does not start with it.
        let _ = fs::remove_file(&file);
    }
    assert!(found > 30, "{found} of 60 were said to be damaged");
}

#[test]
fn doctor_checks_blocks_that_no_question_touched() {
    let (_folder, path) = place();
    let (file, sound) = a_snapshot(&path);
    assert_eq!(opened(&path, Options::default()).unwrap().integrity().unwrap(), Vec::<String>::new());

    // The last bytes before the checksums belong to the last section.
    let mut bytes = sound.clone();
    let sums = u64::from_le_bytes(sound[64..72].try_into().unwrap()) as usize;
    let used = bytes[..sums].iter().rposition(|byte| *byte != 0).unwrap();
    bytes[used] ^= 4;
    fs::write(&file, &bytes).unwrap();
    let store = opened(&path, Options::default()).unwrap();
    let findings = store.integrity().unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].contains("was damaged in 1 of"), "{findings:?}");
    drop(store);
    let store = opened(&path, Options::default()).unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn a_plan_is_made_on_a_sound_index_and_what_it_writes_is_found() {
    let (_folder, path) = place();
    let (file, mut bytes) = a_snapshot(&path);
    // Every section but the first, whose numbers are checked on opening.
    for at in (8192..bytes.len() - 4096).step_by(4096) {
        bytes[at] ^= 16;
    }
    fs::write(&file, &bytes).unwrap();
    let store = opened(&path, Options::default()).unwrap();
    let mut seen = Vec::new();
    store
        .write(&mut |view| {
            let query =
                WordQuery { terms: vec!["chapter".into()], limit: 1000, places: 0, ..WordQuery::default() };
            seen = view.search_words(&query, &Filter::default())?.memories;
            Ok(ChangeSet {
                at: Timestamp(9),
                changes: vec![add(a_memory(MEMORIES + 1, "a brandnew memory"))],
            })
        })
        .unwrap();
    assert_eq!(seen.len(), MEMORIES as usize);
    assert_eq!(with_word(&store, "brandnew").len(), 1);
    assert_eq!(store.integrity().unwrap().len(), 1, "the damage, and nothing else");
}

#[test]
fn one_large_text_makes_a_snapshot_due_and_reindex_always_writes_one() {
    let (_folder, path) = place();
    let store = opened(&path, Options { sync_full: false, ..Options::default() }).unwrap();
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "small"))]);
    let index = store.backend().home().index.unwrap();
    drop(store);
    assert!(!index.exists(), "one small text is read again faster than a snapshot is written");

    let store = opened(&path, Options { sync_full: false, ..Options::default() }).unwrap();
    write(&store, vec![add(a_memory(2, &"a long text of many words ".repeat(20_000)))]);
    drop(store);
    assert!(snapshot(&index).ends_with("index-2.bin"));
    fs::remove_dir_all(&index).unwrap();

    let store = opened(&path, Options { sync_full: false, ..Options::default() }).unwrap();
    store.rebuild().unwrap();
    assert!(snapshot(&index).ends_with("index-2.bin"));
}

/// Gives rows values that this program would never write.
fn break_rows(path: &Path, statements: &str) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;").unwrap();
    connection.execute_batch(statements).unwrap();
}

/// One example of every kind of damage to rows in the store of `a_store`.
const BREAKS: &[&str] = &[
    "UPDATE edge SET kind = 99 WHERE number = 2",
    "UPDATE edge SET kind = 'x' WHERE number = 3",
    "UPDATE edge SET provenance = 77 WHERE number = 4",
    "UPDATE edge SET weight = 'heavy' WHERE number = 5",
    "UPDATE edge SET weight = 9e999 WHERE number = 6",
    "UPDATE edge SET label = 4000000 WHERE number = 7",
    "UPDATE edge SET target = 90001 WHERE number = 8",
    "UPDATE edge SET source = 90000 WHERE number = 9",
    "UPDATE edge SET created_at = 9223372036854775807, touched = 5 WHERE number = 10",
    "UPDATE evidence SET memory = 99999 WHERE edge = 11",
    "UPDATE evidence SET memory = 'nobody' WHERE edge = 13",
    "UPDATE evidence SET quote = x'ff00' WHERE edge = 15",
    "DELETE FROM evidence WHERE edge = 17",
    "INSERT INTO evidence (edge, position, at) VALUES (80000, 0, 1)",
    "INSERT INTO alias (entity, position, name) VALUES (90000, 0, 'concept:lost')",
    "UPDATE entity SET kind = 4000000 WHERE number = 2",
    "UPDATE vector SET data = x'0102' WHERE memory = 3",
    "INSERT INTO vector (memory, model, scale, data) VALUES (90000, 1, 0.5, x'00')",
    "INSERT INTO memory_tag (memory, position, tag) VALUES (90000, 0, 1)",
    "UPDATE memory SET ordinal = -7 WHERE number = 4",
    "UPDATE memory SET first_line = 'a', last_line = 3 WHERE number = 5",
    "UPDATE memory SET heading = x'ffff' WHERE number = 6",
    "UPDATE memory SET place = 44 WHERE number = 7",
    "UPDATE change SET touched = x'ffffff' WHERE revision = 1",
    "DELETE FROM change WHERE revision = 1; INSERT INTO change VALUES (4, 0, x'00000000')",
    "UPDATE meta SET value = 5 WHERE key = 'next edge'",
    "INSERT INTO fact (number, subject, predicate, recorded_at, confidence) VALUES (1, 90001, 1, 0, 1.0)",
    "INSERT INTO fact_evidence (fact, position, at) VALUES (90000, 0, 1)",
];

fn a_writer_goes_on(store: &Opened) {
    store
        .write(&mut |view| {
            let number = view.next_numbers()?.memory;
            for entity in 1..=ENTITIES {
                view.edges_of(Node::entity(entity))?;
            }
            view.edges_after(0, 10_000)?;
            view.entities_after(0, 10_000)?;
            view.facts(None)?;
            let mut mention = a_mention(number, 2);
            mention.evidence = vec![own_evidence(number, Timestamp(9))];
            let again = an_edge(Node::memory(4), Node::memory(5), EdgeKind::Causal, "causes");
            let changes = vec![
                add(Memory { ordinal: 5000, ..a_memory(number, "written beside damage") }),
                Change::PutEdge(mention),
                Change::PutEdge(again),
            ];
            Ok(ChangeSet { at: Timestamp(9), changes })
        })
        .unwrap();
}

#[test]
fn damaged_rows_stop_nobody_are_reported_and_healed_without_losing_a_text() {
    let folder = tempfile::tempdir().unwrap();
    let sound = folder.path().join("sound.db");
    a_store(&sound);
    let texts = |path: &Path| -> Vec<String> {
        let connection = rusqlite::Connection::open(path).unwrap();
        let mut statement = connection.prepare("SELECT text FROM memory ORDER BY number").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(std::result::Result::unwrap).collect()
    };
    let everything = BREAKS.join(";\n");
    for (case, breaks) in BREAKS.iter().copied().chain([everything.as_str()]).enumerate() {
        let path = folder.path().join(format!("{case}.db"));
        fs::copy(&sound, &path).unwrap();
        let before = texts(&path);
        break_rows(&path, breaks);
        let open = || opened(&path, Options { sync_full: false, ..Options::default() }).unwrap();
        let store = open();
        if !breaks.contains("next edge") {
            a_writer_goes_on(&store);
        }
        // An unreadable heading is omitted; everything else is reported.
        let findings = store.integrity().unwrap();
        assert!(!findings.is_empty() || breaks.contains("heading"), "{breaks}");
        answers(&store);
        drop(store);

        let store = open();
        let mut kept = 0;
        let repaired = store
            .repair(Timestamp(50), &mut |rows| {
                kept += rows.len();
                Ok(())
            })
            .unwrap();
        assert_eq!(kept, repaired.kept, "{breaks}");
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new(), "{breaks}");
        a_writer_goes_on(&store);
        drop(store);
        assert_eq!(open().integrity().unwrap(), Vec::<String>::new(), "{breaks}");
        assert_eq!(texts(&path)[..before.len()], before[..], "{breaks}");
        let counts = open().counts().unwrap();
        assert!(counts.memories >= u64::from(MEMORIES), "{breaks}: {} memories", counts.memories);
    }
}

#[test]
fn a_repair_that_cannot_keep_what_it_removes_changes_nothing() {
    let (_folder, path) = place();
    a_store(&path);
    break_rows(&path, BREAKS[0]);
    let store = opened(&path, Options::default()).unwrap();
    let before = store.integrity().unwrap();
    let refused = store.repair(Timestamp(50), &mut |rows| {
        assert!(rows.iter().any(|row| {
            row.columns.iter().any(|(name, cell)| name == "kind" && *cell == Cell::Integer(99))
        }));
        Err(Error::unavailable("write the quarantine", "the disk is full"))
    });
    assert_eq!(refused.unwrap_err().why, "the disk is full");
    assert_eq!(store.integrity().unwrap(), before);
}

#[test]
fn a_sound_store_is_left_as_it_is() {
    let (_folder, path) = place();
    a_store(&path);
    let store = opened(&path, Options::default()).unwrap();
    let before = store.revision();
    let repaired = store.repair(Timestamp(50), &mut |rows| {
        assert!(rows.is_empty());
        Ok(())
    });
    assert_eq!(repaired.unwrap(), Repaired::default());
    assert_eq!(store.revision(), before);
}
