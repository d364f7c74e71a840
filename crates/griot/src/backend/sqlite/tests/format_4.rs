//! Migrates a store written by format 4: nothing is lost, entities with a shared id become distinct, and
//! merges can still be undone.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::backend::NodeName;
use crate::engine::{Access, Engine, Record, Settings};
use crate::model::*;

fn engine(path: &Path, create: bool) -> Engine {
    Engine::open(path, Access { create, read_only: false }, Settings::default()).unwrap()
}

/// The store as written, in its own file.
fn format_4(folder: &Path) -> PathBuf {
    let path = folder.join("griot.db");
    crate::private::file(&path).unwrap();
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("format_4.sql")).unwrap();
    path
}

fn rows(path: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<rusqlite::Result<_>>().unwrap()
}

/// Every record without numbers, which an import assigns anew.
fn exported(engine: &Engine) -> Vec<String> {
    let mut records = Vec::new();
    let mut sink = |record: Record| {
        if !matches!(record, Record::Header { .. }) {
            let text = format!("{record:?}");
            let mut parts = text.split("number: ");
            let first = parts.next().unwrap_or_default().to_owned();
            let rest = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
            records.push(rest.fold(first, |text, part| text + "number: _" + part));
        }
        Ok(())
    };
    engine.export(&mut sink).unwrap();
    records.sort();
    records
}

/// Columns that a migration must not change, by table.
const KEPT: &[&str] = &[
    "SELECT hex(id) || handle || text || occurred_at || ifnull(deleted_at, '') || ifnull(hex(superseded_by),
        '') FROM memory",
    "SELECT memory || ' ' || tag FROM memory_tag",
    "SELECT memory || ' ' || hex(data) FROM vector",
    "SELECT origin || ifnull(title, '') || ifnull(deleted_at, '') FROM source",
    "SELECT number || name || first_seen || ' ' || last_seen FROM entity",
    "SELECT number || ' ' || source || ' ' || target || ' ' || kind || ' ' || weight || ' ' || created_at
        FROM edge",
    "SELECT edge || ' ' || ifnull(memory, '') || ifnull(quote, '') || ifnull(reason, '') FROM evidence",
    "SELECT subject || ' ' || ifnull(object, literal) || ifnull(valid_from, '') || ifnull(superseded_at, '')
        FROM fact",
    "SELECT entity || ' ' || kind || ' ' || given || ' ' || times FROM entity_type",
    "SELECT number || ' ' || kept || ' ' || merged || ifnull(reason, '') || ifnull(undone_at, '') FROM merge",
];

fn kept(path: &Path) -> Vec<Vec<String>> {
    KEPT.iter().map(|sql| rows(path, sql)).collect()
}

fn assert_sound(engine: &Engine) {
    assert_eq!(engine.doctor().unwrap().problems, Vec::<String>::new());
}

#[test]
fn a_store_of_format_4_is_copied_and_brought_up_to_date_without_a_loss() {
    let folder = tempfile::tempdir().unwrap();
    let path = format_4(folder.path());
    let before = kept(&path);
    assert!(before.iter().all(|rows| !rows.is_empty()), "{before:?}");
    let engine = engine(&path, false);
    let copy = engine.copy_made().expect("a copy is made before").to_path_buf();
    assert_eq!(rows(&copy, "SELECT 'format ' || user_version FROM pragma_user_version"), ["format 4"]);
    assert_eq!(kept(&copy), before);
    assert_eq!(kept(&path), before);
    assert_sound(&engine);
    let status = engine.status().unwrap();
    assert_eq!((status.counts.memories, status.counts.deleted_memories, status.counts.facts), (13, 2, 3));
    let found =
        engine.recall(&crate::recall::Query::new("why does Auth Service use Redis?", engine.now())).unwrap();
    assert!(found.results[0].memory.text.contains("because Postgres was too slow"), "{found:?}");
}

#[test]
fn what_had_one_id_is_told_apart_and_former_ids_lead_to_what_alone_had_them() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&format_4(folder.path()), false);
    let read = engine.read().unwrap();
    let ids: Vec<String> = read.entities_after(0, 100).unwrap().iter().map(Entity::canonical_id).collect();
    assert_eq!(
        ids,
        [
            "function:operator+",
            "function:operator-",
            "concept:auth-service",
            "tool:redis",
            "tool:postgres",
            "tool:postgresql",
            "concept:auth-service-(2)",
            "concept:gateway",
            "org:ops",
            "org:ops-(2)",
            "date:2021",
            "file:src/a_b.rs",
            "file:src/a/b.rs",
            "person:ada-lovelace",
            "person:ada",
            "tool:printer",
            "tool:nomad",
            "concept:fridays",
            "concept:deploying",
            "concept:garden",
        ]
    );
    let find = |id: &str| read.find_nodes(&NodeName::Canonical(id)).unwrap();
    assert_eq!(find("function:operator"), [], "two had it");
    assert_eq!(find("file:src-a-b-rs"), [], "two had it");
    assert_eq!(find("org:ops"), [Node::entity(9)], "the first of two keeps it");
    assert_eq!(find("concept:auth-service"), [Node::entity(3)]);
    assert_eq!(find("tool:postgres"), [Node::entity(6)], "what was merged leads to what it is part of");
}

#[test]
fn merges_of_format_4_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let path = format_4(folder.path());
    let engine = engine(&path, false);
    let log = engine.merges().unwrap();
    let undone: Vec<bool> = log.merges.iter().map(|merge| merge.undone_at.is_some()).collect();
    assert_eq!(undone, [true, false, false], "the latest first");
    assert!(engine.unmerge("g3").is_err(), "it was undone");
    let parted = engine.unmerge("g2").unwrap();
    assert_eq!(parted.kept.canonical_id(), "concept:auth-service");
    assert_eq!(parted.merged.canonical_id(), "concept:auth-service-(2)");
    assert_eq!((parted.edges, parted.inseparable), (1, Vec::new()));
    let parted = engine.unmerge("g1").unwrap();
    assert_eq!((parted.kept.name.as_str(), parted.merged.name.as_str()), ("PostgreSQL", "Postgres"));
    assert_eq!((parted.edges, parted.facts, parted.inseparable), (2, 1, Vec::new()));
    assert_sound(&engine);
    let read = engine.read().unwrap();
    assert_eq!(read.find_nodes(&NodeName::Canonical("tool:postgres")).unwrap(), [Node::entity(5)]);
    let mentioned = |entity: u32| read.edges_of(Node::entity(entity)).unwrap().len();
    assert_eq!((mentioned(3), mentioned(7)), (1, 1));
}

#[test]
fn a_store_of_format_4_goes_out_and_comes_in_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let first = engine(&format_4(folder.path()), false);
    let mut records = Vec::new();
    let mut sink = |record: Record| {
        records.push(Ok(record));
        Ok(())
    };
    first.export(&mut sink).unwrap();
    let second = engine(&folder.path().join("second.db"), true);
    second.import(&mut records.into_iter()).unwrap();
    assert_eq!(exported(&second), exported(&first));
    assert_sound(&second);
    let parted = second.unmerge("g2").unwrap();
    assert_eq!((parted.edges, parted.inseparable), (1, Vec::new()));
    assert_sound(&second);
}
