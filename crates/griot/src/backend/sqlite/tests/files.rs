//! Which files open, which are refused and why, and what survives.

use std::path::Path;

use rusqlite::Connection;

use super::*;
use crate::model::*;
use crate::testkit::conformance::*;

fn open(path: &Path) -> Result<Opened> {
    opened(path, Options::default())
}

fn refusal(path: &Path, options: Options) -> Error {
    let error = opened(path, options).err().unwrap();
    assert!(error.to_string().contains(&path.display().to_string()), "{error} does not name the file");
    assert!(error.hint.is_some(), "{error} has no hint");
    error
}

#[test]
fn what_was_written_is_read_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep").join("store.db");
    let store = open(&path).unwrap();
    let id = store.backend().store_id();
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "hello world"))]);
    drop(store);
    let store = open(&path).unwrap();
    assert_eq!((store.revision(), store.backend().store_id()), (Revision(1), id));
    assert_eq!(store.memories(&[Node::memory(1)]).unwrap(), [a_memory(1, "hello world")]);
}

#[test]
fn a_directory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = refusal(folder.path(), Options::default());
    assert_eq!((error.kind, error.why.as_str()), (ErrorKind::InvalidInput, "it is a directory"));
}

#[test]
fn a_missing_file_is_not_made_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no.db");
    let error = refusal(&path, Options { create: false, ..Options::default() });
    assert_eq!((error.kind, error.why.as_str()), (ErrorKind::NotFound, "there is no such file"));
    assert_eq!(refusal(&path, Options { read_only: true, ..Options::default() }).kind, ErrorKind::NotFound);
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.md");
    let text = "# Notes\n".repeat(2000);
    std::fs::write(&path, &text).unwrap();
    let error = refusal(&path, Options::default());
    assert_eq!((error.kind, error.why.as_str()), (ErrorKind::Corrupt, "the file is not a Griot database"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn the_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs (a)").unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = refusal(&path, Options::default());
    assert_eq!(
        (error.kind, error.why.as_str()),
        (ErrorKind::InvalidInput, "it is the database of another program")
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    Connection::open(&path).unwrap().pragma_update(None, "application_id", 77).unwrap();
    assert_eq!(refusal(&path, Options::default()).kind, ErrorKind::InvalidInput);
}

#[test]
fn the_database_of_a_newer_version_is_refused() {
    let (_folder, path) = place();
    drop(open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = refusal(&path, Options::default());
    assert_eq!(error.kind, ErrorKind::Corrupt);
    assert!(error.why.contains("newer Griot"), "{error}");
}

#[test]
fn an_empty_file_becomes_a_store_but_not_for_a_reader() {
    let (_folder, path) = place();
    std::fs::write(&path, "").unwrap();
    assert_eq!(
        refusal(&path, Options { read_only: true, ..Options::default() }).kind,
        ErrorKind::Unavailable
    );
    open(&path).unwrap();
}

#[test]
fn a_truncated_database_is_an_error_and_never_a_panic() {
    let (_folder, path) = place();
    let store = open(&path).unwrap();
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, &"long ".repeat(9000)))]);
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    for pages in 1..whole.len() / 4096 {
        std::fs::write(&path, &whole[..pages * 4096]).unwrap();
        if let Ok(store) = open(&path) {
            let sound = store.integrity().is_ok_and(|findings| findings.is_empty());
            assert!(!sound, "{pages} pages of {} pass as whole", whole.len() / 4096);
        }
    }
}

#[test]
fn a_place_where_nothing_can_be_made_is_named() {
    // Root may write anywhere, so a read-only directory does not suffice for the test; but a file is never a
    // directory, even for root.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let error = refusal(&file.join("store.db"), Options::default());
    assert_eq!(error.kind, ErrorKind::Unavailable);
    if cfg!(target_os = "linux") {
        let error = refusal(Path::new("/proc/griot.db"), Options::default());
        assert_eq!(error.kind, ErrorKind::Unavailable, "a directory that takes no files");
    }
}

#[test]
fn a_reader_reads_and_does_not_write() {
    let (_folder, path) = place();
    let store = open(&path).unwrap();
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "hello"))]);
    let reader = opened(&path, Options { read_only: true, ..Options::default() }).unwrap();
    assert_eq!(reader.counts().unwrap().memories, 1);
    let error = reader.write(&mut |_| Ok(ChangeSet::default())).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);
    write(&store, vec![add(a_memory(2, "later"))]);
    assert_eq!(reader.refresh().unwrap().revision, Revision(2));
    drop(reader);
    assert!(!store.backend().home().index.unwrap().exists());
}

#[test]
fn a_full_disk_is_told_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store.db")).unwrap();
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "hello"))]);
    // SQLite reports its own page limit like a full disk.
    {
        let writer = lock(&store.backend().writer);
        let connection = &writer.as_ref().unwrap().connection;
        let pages: i64 = connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        connection.query_row(&format!("PRAGMA max_page_count = {}", pages + 1), [], |_| Ok(())).unwrap();
    }
    let error = refused(&store, vec![add(a_memory(2, &"zebra ".repeat(9000)))]);
    assert_eq!((error.kind, error.why.as_str()), (ErrorKind::Unavailable, "the disk is full"));
    assert_eq!(store.revision(), Revision(1));
    assert_eq!(with_word(&store, "zebra"), []);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    assert_eq!(
        write(&store, vec![Change::Touch { memory: Node::memory(1), at: Timestamp(1), count: 1 }]),
        Revision(2)
    );
}

#[test]
fn a_snapshot_of_a_later_or_another_store_is_ignored() {
    let (folder, path) = place();
    let copy = folder.path().join("copy.db");
    let store = open(&path).unwrap();
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "hello"))]);
    drop(store);
    std::fs::copy(&path, &copy).unwrap();
    let store = open(&path).unwrap();
    write(&store, vec![add(a_memory(2, "zebra"))]);
    store.write_snapshot_now();
    drop(store);
    // Restore the store to an older state, but keep the index.
    std::fs::copy(&copy, &path).unwrap();
    let store = open(&path).unwrap();
    assert_eq!(store.revision(), Revision(1));
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let index_dir = store.backend().home().index.unwrap();
    drop(store);
    let other = Options { index_dir: Some(index_dir), ..Options::default() };
    let other = opened(&folder.path().join("other.db"), other).unwrap();
    assert_eq!((other.revision(), other.counts().unwrap().edges), (Revision(0), 0));
}

#[test]
fn a_place_beyond_the_last_stops_nobody_who_writes_later() {
    let (_folder, path) = place();
    let store = open(&path).unwrap();
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "one")), add(a_memory(2, "two"))]);
    let next = store.next_ordinal(SourceId(1), None).unwrap();
    let sql = "UPDATE memory SET ordinal = 4294967295 WHERE number = 1";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    assert!(store.next_ordinal(SourceId(1), None).unwrap() <= next);
    write(&store, vec![add(a_memory(3, "three"))]);
    assert!(store.integrity().unwrap().iter().any(|found| found.contains("beyond the last")));
}

#[test]
fn damage_is_found() {
    let (_folder, path) = place();
    let store = open(&path).unwrap();
    let changes = vec![
        Change::PutSource(a_source(1)),
        add(a_memory(1, "one")),
        add(a_memory(2, "two")),
        Change::PutEntity(an_entity(1, EntityType::Tool, "Griot")),
        Change::PutEdge(a_mention(1, 1)),
        Change::PutEdge(an_edge(Node::memory(1), Node::memory(2), EdgeKind::Causal, "causes")),
    ];
    write(&store, changes);
    write(&store, vec![Change::Touch { memory: Node::memory(1), at: Timestamp(1), count: 1 }]);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let damage = |sql: &str, finding: &str| {
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("PRAGMA foreign_keys = OFF; BEGIN").unwrap();
        connection.execute_batch(sql).unwrap();
        connection.execute_batch("COMMIT").unwrap();
        let findings = store.integrity().unwrap();
        assert!(findings.iter().any(|found| found.contains(finding)), "{sql}: {findings:?}");
    };
    damage("UPDATE memory SET ordinal = 55 WHERE number = 1", "the row of memory m1");
    damage("UPDATE edge SET weight = 0.1 WHERE number = 1", "the row of edge e1");
    damage("DELETE FROM evidence WHERE edge = 2", "edge e2 has no evidence");
    damage("UPDATE entity SET deleted_at = 5", "entity 1 is live, although");
    damage("UPDATE entity SET live = 0", "entity 1 on whether");
    damage("DELETE FROM edge WHERE number = 2", "holds edge e2");
    damage("DELETE FROM memory WHERE number = 2", "the index holds 2 memories, the store 1");
    damage("DELETE FROM entity", "edge e1 leads to a node that does not exist");
    damage("DELETE FROM change WHERE revision = 1", "cannot be read at revision 1");
}
