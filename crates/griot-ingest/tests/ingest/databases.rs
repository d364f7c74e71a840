//! Databases of other memory programs: what an engine makes of their rows, and that nothing is written. What
//! is read from them is in `tests/cases/databases.txt`.

use std::fs;
use std::path::{Path, PathBuf};

use griot::engine::{Engine, FactDraft, FactView, LinkRequest, Settings, WhyDirection};
use griot::model::{Edge, EdgeKind, FactObject, Memory, Predicate, Provenance, Scope, Timestamp};
use griot::recall::PathNode;
use griot::remember::{DraftObject, SourceDraft};
use griot_ingest::{ReadOptions, Reading, identify, read_file};
use rusqlite::Connection;

use crate::{Folder, lines, read_parts, read_path};

const MNEMON: &str = include_str!("sql/mnemon.sql");
const CLAWMEM: &str = include_str!("sql/clawmem.sql");
const INSIGHTS: &str = include_str!("sql/mnemon_insights.sql");
const TRIPLES: &str = include_str!("sql/clawmem_triples.sql");

fn made(folder: &Folder, name: &str, statements: &[&str]) -> PathBuf {
    let path = folder.path().join(name);
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    statements.iter().for_each(|statement| connection.execute_batch(statement).unwrap());
    connection.close().unwrap();
    path
}

/// The same by every way in: from the file, in parts, and as bytes.
fn read(path: &Path) -> Reading {
    let options = ReadOptions::default();
    let from_file = read_path(path);
    assert_eq!(read_parts(path, &options), std::slice::from_ref(&from_file));
    assert_eq!(identify(path, &options).unwrap().content_hash, from_file.source.content_hash);
    let sent = crate::read("sent.db", fs::read(path).unwrap());
    assert_eq!(lines(&sent).len(), lines(&from_file).len());
    from_file
}

/// What is read from a database of these statements, and an engine that has stored it.
fn stored(folder: &Folder, statements: &[&str]) -> (Reading, Engine) {
    let reading = read(&made(folder, "a.db", statements));
    let engine = folder.engine(Settings::default());
    engine.ingest(&reading.source, reading.drafts.clone()).unwrap();
    (reading, engine)
}

/// The memories of the only source.
fn memories(engine: &Engine) -> Vec<Memory> {
    engine.source(engine.sources().unwrap()[0].source.id).unwrap().1
}

/// The same source after its file changed.
fn changed(reading: &Reading, hash: u8) -> SourceDraft {
    SourceDraft { content_hash: Some([hash; 32]), ..reading.source.clone() }
}

#[test]
fn edges_of_a_source_never_take_over_what_a_person_said() {
    let folder = Folder::empty();
    let (reading, engine) = stored(&folder, &[MNEMON, include_str!("sql/mnemon_edges.sql")]);
    let id = |at: usize| memories(&engine)[at].id.to_string();
    let edges = |a: usize, b: usize| {
        let edges = engine.linked(&id(a), &id(b), None, None).unwrap();
        let describe = |edge: &Edge| {
            format!("{} {:.2} {:.2} {}", edge.label, edge.weight, edge.confidence, edge.provenance.name())
        };
        edges.iter().map(|view| describe(&view.edge)).collect::<Vec<_>>()
    };
    assert_eq!(edges(0, 1), ["enables 0.21 0.70 rule"]);
    assert_eq!(edges(1, 2), ["prevents 0.90 1.00 import"]);
    assert_eq!(edges(2, 3), ["causes 1.00 1.00 import"], "what is no label of the kind is its default");
    assert_eq!(edges(0, 3), [" 0.65 1.00 import"]);
    // A person says otherwise, before and after the file is read again.
    let request = LinkRequest {
        source: id(1),
        target: id(2),
        kind: EdgeKind::Causal,
        label: Some("prevents".into()),
        weight: Some(0.4),
        reason: Some("I looked.".into()),
        provenance: Provenance::User,
        confidence: None,
        expires_at: None,
    };
    engine.link(&request).unwrap();
    assert_eq!(edges(1, 2), ["prevents 0.40 1.00 user"]);
    let mut again = changed(&reading, 1);
    for link in &mut again.links {
        link.reason = Some("Said again.".into());
        // Not even a source that claims to be the user.
        link.provenance = Provenance::User;
    }
    engine.ingest(&again, reading.drafts).unwrap();
    assert_eq!(edges(1, 2), ["prevents 0.40 1.00 user"], "a source never takes over what a person said");
    assert!(!edges(0, 1)[0].ends_with("user"), "nor does it speak for one: {:?}", edges(0, 1));
}

fn day(text: &str) -> Timestamp {
    let part = |at: std::ops::Range<usize>| text[at].parse::<i16>().unwrap();
    Timestamp::from_day(part(0..4), part(5..7) as i8, part(8..10) as i8).unwrap()
}

fn name_of(node: &PathNode) -> String {
    match node {
        PathNode::Entity { name, .. } => name.clone(),
        PathNode::Memory { handle, .. } => handle.clone(),
    }
}

/// Subject, predicate, object, times, confidence, and how many memories say so.
fn facts(engine: &Engine) -> Vec<String> {
    let day = |at: Option<Timestamp>| at.map_or("-".to_string(), |at| at.to_string()[..10].to_string());
    let describe = |view: FactView| {
        let object = match (&view.object, &view.fact.object) {
            (Some(node), _) => name_of(node),
            (None, FactObject::Literal(words)) => format!("\"{words}\""),
            (None, FactObject::Entity(_)) => "?".to_string(),
        };
        let FactView { fact, subject, .. } = view;
        let times = format!("{} {}", day(fact.valid_from), day(fact.valid_to));
        let said = fact.evidence.iter().filter(|one| one.memory.is_some()).count();
        let subject = name_of(&subject);
        format!("{subject} {} {object} {times} {:.1} said by {said}", fact.predicate.name(), fact.confidence)
    };
    engine.facts(None, None, None).unwrap().into_iter().map(describe).collect()
}

#[test]
fn triples_of_clawmem_become_facts_with_their_times_and_evidence() {
    let folder = Folder::empty();
    let (reading, engine) = stored(&folder, &[CLAWMEM, TRIPLES]);
    assert_eq!(reading.source.facts.len(), 5);
    assert_eq!(reading.source.facts[1].object, DraftObject::Literal("tea".into()));
    let all = [
        "The Shop migrated_to PostgreSQL 2026-02-15 - 0.8 said by 2",
        "ada prefers \"tea\" 2026-01-01 2026-03-01 1.0 said by 1",
        "ada avoids \"noise\" 2026-03-01 - 1.0 said by 1",
        "The Shop uses PostgreSQL - - 1.0 said by 2",
    ];
    assert_eq!(facts(&engine), all, "what is said twice is one fact");
    let views = engine.facts(Some("The Shop"), None, None).unwrap();
    let quotes: Vec<_> = views[0].fact.evidence.iter().map(|one| one.quote.as_deref()).collect();
    assert_eq!(quotes, [None, Some("The shop moved to PostgreSQL.")]);
    // The same file with a row more says nothing twice.
    engine.ingest(&changed(&reading, 1), reading.drafts.clone()).unwrap();
    assert_eq!(facts(&engine), all);
    // Nothing holds them up once the source is gone.
    engine.forget(&engine.sources().unwrap()[0].source.id.to_string()).unwrap();
    assert_eq!(facts(&engine), Vec::<String>::new());
}

#[test]
fn a_triple_ends_no_fact_of_a_person_and_what_a_person_ended_stays_ended() {
    let folder = Folder::empty();
    let reading = read(&made(&folder, "index.sqlite", &[CLAWMEM, TRIPLES]));
    let engine = folder.engine(Settings::default());
    let mine = |object: &str, from: &str| FactDraft {
        subject: "The Shop".into(),
        predicate: Predicate::MigratedTo,
        object: object.into(),
        valid_from: Some(day(from)),
        valid_to: None,
        confidence: None,
        memory: None,
        reason: None,
        scope: Scope::default(),
    };
    engine.add_fact(&mine("MySQL", "2026-01-01")).unwrap();
    engine.ingest(&reading.source, reading.drafts.clone()).unwrap();
    let of = |object: &str| {
        let mut views = engine.facts(Some("The Shop"), None, None).unwrap().into_iter();
        let is_of = |view: &FactView| {
            view.fact.predicate == Predicate::MigratedTo
                && view.object.as_ref().is_some_and(|node| name_of(node) == object)
        };
        views.find(is_of).unwrap()
    };
    let (person, source) = (of("MySQL"), of("PostgreSQL"));
    assert_eq!(person.fact.valid_to, None, "{person:?}");
    assert_eq!(
        person.contradicts,
        [source.fact.number],
        "both are listed, and that they contradict each other"
    );
    engine.add_fact(&mine("SQLite", "2026-04-01")).unwrap();
    let ended = of("PostgreSQL").fact.valid_to;
    assert_eq!(ended, Some(day("2026-04-01")));
    engine.ingest(&changed(&reading, 1), reading.drafts.clone()).unwrap();
    assert_eq!(of("PostgreSQL").fact.valid_to, ended);
    assert_eq!(facts(&engine).iter().filter(|fact| fact.contains("migrated_to PostgreSQL")).count(), 1);
}

#[test]
fn what_replaces_another_in_a_database_hides_it_and_circles_hide_nothing() {
    let folder = Folder::empty();
    let (_, engine) = stored(&folder, &[MNEMON, include_str!("sql/mnemon_replaced.sql")]);
    let replaced: Vec<bool> = memories(&engine).iter().map(|memory| memory.superseded_by.is_some()).collect();
    assert_eq!(replaced, [true, false, false, true, true], "of a circle one stays");
}

#[test]
fn edges_are_made_the_next_time_if_the_process_ends_before_them() {
    let folder = Folder::empty();
    let reading = read(&made(&folder, "mnemon.db", &[MNEMON, INSIGHTS]));
    let engine = folder.engine(Settings::default());
    let ends = std::panic::AssertUnwindSafe(|| {
        engine.ingest_with_progress(&reading.source, reading.drafts.clone(), &mut |done, all| {
            assert!(done < all, "it ends")
        })
    });
    assert!(std::panic::catch_unwind(ends).is_err(), "all memories are stored, and no edge");
    assert!(engine.ingest(&reading.source, reading.drafts).unwrap().is_some_and(|tally| tally.edges == 2));
}

#[test]
fn edges_of_mnemon_answer_why_and_are_made_once() {
    let folder = Folder::empty();
    let (reading, engine) = stored(&folder, &[MNEMON, INSIGHTS]);
    // The engine has all of it, and answers why.
    let stored = memories(&engine);
    assert_eq!(stored.len(), 3);
    let why = engine.why(&stored[1].id.to_string(), WhyDirection::Causes, 4, 0.0, None).unwrap();
    let causes: Vec<_> = why.causes.iter().map(|step| step.node.node()).collect();
    assert_eq!(causes, [stored[0].node], "{why:?}");
    // The same again, with a row more, says nothing twice.
    let edges = || engine.status().unwrap().counts.edges;
    let before = edges();
    engine.ingest(&changed(&reading, 1), reading.drafts.clone()).unwrap();
    assert_eq!(edges(), before);
}

#[test]
fn nothing_is_written_and_an_open_log_is_told() {
    let folder = Folder::empty();
    let path = folder.path().join("mnemon.db");
    let writer = Connection::open(&path).unwrap();
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    writer.execute_batch(MNEMON).unwrap();
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let row = "INSERT INTO insights (id, content, created_at, updated_at) VALUES ('a', 'Late.', '', '')";
    writer.execute_batch(row).unwrap();
    let listed = || {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            entries.map(|entry| (entry.file_name(), entry.metadata().unwrap().len())).collect();
        files.sort();
        files
    };
    let before = listed();
    let error = read_file(&path, &ReadOptions::default()).expect_err("what is there is in the log");
    assert!(error.why.contains("stands in the file `-wal` beside it"), "{error}");
    assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("wal_checkpoint")), "{error:?}");
    assert_eq!(listed(), before);
    writer.close().unwrap();
    assert_eq!(read(&path).drafts.len(), 1);
    assert_eq!(listed().len(), 1);
}

#[test]
fn a_large_database_arrives_in_parts() {
    let folder = Folder::empty();
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO insights (id, content, embedding, created_at, updated_at)
        SELECT 'id' || i, 'Insight number ' || i, zeroblob(4000), '2026-01-02', '' FROM n;";
    // Signs that an address would read otherwise.
    let path = made(&folder, "a b?c#%41.db", &[MNEMON, rows]);
    let options = ReadOptions { max_bytes: 2_000_000, ..ReadOptions::default() };
    let parts = read_parts(&path, &options);
    let sizes: Vec<usize> = parts.iter().map(|part| part.drafts.len()).collect();
    assert_eq!(sizes, [1000, 1000, 500]);
    let hash = identify(&path, &options).unwrap().content_hash;
    assert_eq!(parts.iter().map(|part| part.source.content_hash).collect::<Vec<_>>(), [None, None, hash]);
    assert_eq!(parts[2].drafts[499].ordinal, Some(2499));
    assert!(read_file(&path, &options).is_err(), "it is above the limit of a file that is read whole");
}
