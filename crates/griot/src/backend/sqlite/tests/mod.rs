//! Promises of the SQLite store that no other back end makes.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::model::*;

fn source(id: u32) -> Change {
    Change::PutSource(Source {
        id: SourceId(id),
        kind: SourceType::Agent,
        origin: format!("agent-{id}"),
        title: None,
        tags: vec!["a".into()],
        content_hash: None,
        created_at: Timestamp(1),
        updated_at: Timestamp(1),
        deleted_at: None,
    })
}

fn memory(number: u32, text: &str) -> Memory {
    let id = MemoryId(uuid::Uuid::from_u128(u128::from(number) << 32 | 7));
    Memory {
        node: Node::memory(number),
        id,
        handle: id.handle(8),
        text: text.to_owned(),
        kind: "note".into(),
        tags: Vec::new(),
        importance: 3,
        scope: Scope::default(),
        agent: Some("tester".into()),
        session: None,
        speaker: None,
        heading: Vec::new(),
        lines: None,
        source: SourceId(1),
        ordinal: number,
        occurred_at: Timestamp(1000 + i64::from(number)),
        recorded_at: Timestamp(2000),
        deleted_at: None,
        superseded_by: None,
        access_count: 0,
        last_accessed_at: None,
    }
}

#[test]
fn what_was_written_is_read_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep").join("store.db");
    let store = SqliteBackend::open(&path, Options::default()).unwrap();
    let wanted = memory(1, "hello world");
    let commit = store
        .write(&mut |view| {
            assert_eq!(view.next_numbers()?.memory, 1);
            Ok(ChangeSet {
                at: Timestamp(5),
                changes: vec![source(1), Change::AddMemory { memory: Box::new(wanted.clone()), vector: None }],
            })
        })
        .unwrap();
    assert_eq!(commit, Commit { revision: Revision(1), changed: true });
    assert_eq!(store.memories(&[wanted.node]).unwrap(), [wanted.clone()]);
    drop(store);
    let store = SqliteBackend::open(&path, Options::default()).unwrap();
    assert_eq!(store.revision(), Revision(1));
    assert_eq!(store.memories(&[wanted.node]).unwrap(), [wanted]);
}
