//! Several handles on one file, as in several processes.

use std::collections::BTreeSet;
use std::sync::Barrier;

use super::*;
use crate::backend::{Filter, NodeName};
use crate::model::*;
use crate::testkit::conformance::*;

const WRITERS: u32 = 8;

fn quick() -> Options {
    // Durability is irrelevant here. The whole test run shares the disk, hence the long timeout.
    Options { sync_full: false, busy_timeout_ms: 60_000, ..Options::default() }
}

/// Runs `act` on eight threads that start at the same time.
fn at_once(act: impl Fn(u32) + Sync) {
    let start = Barrier::new(WRITERS as usize);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (act, start) = (&act, &start);
            scope.spawn(move || {
                start.wait();
                act(writer);
            });
        }
    });
}

#[test]
fn eight_open_a_new_file_at_once() {
    for _ in 0..5 {
        let (_folder, path) = place();
        let ids = Mutex::new(BTreeSet::new());
        at_once(|_| {
            let store = opened(&path, quick()).unwrap();
            lock(&ids).insert(store.backend().store_id());
        });
        assert_eq!(lock(&ids).len(), 1);
    }
}

#[test]
fn eight_writers_with_handles_of_their_own_lose_nothing() {
    const EACH: u32 = 20;
    let (_folder, path) = place();
    write(&opened(&path, quick()).unwrap(), vec![Change::PutSource(a_source(1))]);
    at_once(|writer| {
        let store = opened(&path, quick()).unwrap();
        for round in 0..EACH {
            store
                .write(&mut |view| {
                    let next = view.next_numbers()?.memory;
                    let ordinal = view.next_ordinal(SourceId(1), None)?;
                    let text = format!("writer {writer} round {round}");
                    let mut changes = vec![add(Memory { ordinal, ..a_memory(next, &text) })];
                    if let Some(before) = view.latest(&Filter::default(), 1)?.first() {
                        let edge = an_edge(*before, Node::memory(next), EdgeKind::Causal, "causes");
                        changes.push(Change::PutEdge(edge));
                    }
                    Ok(ChangeSet { at: Timestamp(1), changes })
                })
                .unwrap();
            store.refresh().unwrap();
        }
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    });
    let store = opened(&path, quick()).unwrap();
    assert_eq!(store.revision(), Revision(u64::from(WRITERS * EACH + 1)));
    let all = store.memories_after(0, 10_000).unwrap();
    let texts: BTreeSet<&str> = all.iter().map(|memory| memory.text.as_str()).collect();
    assert_eq!(texts.len(), (WRITERS * EACH) as usize);
    assert!(all.iter().zip(0..).all(|(memory, ordinal)| memory.ordinal == ordinal));
    assert_eq!(store.counts().unwrap().edges, u64::from(WRITERS * EACH - 1));
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn one_text_that_eight_remember_at_once_is_stored_once() {
    let (_folder, path) = place();
    write(&opened(&path, quick()).unwrap(), vec![Change::PutSource(a_source(1))]);
    at_once(|_| {
        let store = opened(&path, quick()).unwrap();
        let hash = content_hash("the same", &Scope::default());
        store
            .write(&mut |view| {
                let changes = match view.memory_by_hash(&hash)? {
                    Some(_) => vec![],
                    None => vec![add(a_memory(view.next_numbers()?.memory, "the same"))],
                };
                Ok(ChangeSet { at: Timestamp(1), changes })
            })
            .unwrap();
    });
    let store = opened(&path, quick()).unwrap();
    assert_eq!((store.revision(), store.counts().unwrap().memories), (Revision(2), 1));
}

#[test]
fn one_handle_serves_threads_that_read_and_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(&folder.path().join("store.db"), quick()).unwrap();
    write(&store, vec![Change::PutSource(a_source(1))]);
    at_once(|writer| {
        for round in 0..10 {
            store
                .write(&mut |view| {
                    let next = view.next_numbers()?.memory;
                    let text = format!("writer {writer} round {round}");
                    Ok(ChangeSet { at: Timestamp(1), changes: vec![add(a_memory(next, &text))] })
                })
                .unwrap();
            let last = store.latest(&Filter::default(), 1).unwrap();
            let memory = store.memories(&last).unwrap().remove(0);
            assert_eq!(store.find_nodes(&NodeName::Id(memory.id)).unwrap(), last);
            store.refresh().unwrap();
        }
    });
    assert_eq!(store.counts().unwrap().memories, u64::from(WRITERS) * 10);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn a_writer_that_waits_too_long_is_told_to_try_again() {
    let (_folder, path) = place();
    let first = opened(&path, quick()).unwrap();
    let second = opened(&path, Options { busy_timeout_ms: 20, ..quick() }).unwrap();
    first
        .write(&mut |_| {
            let error = second.write(&mut |_| Ok(ChangeSet::default())).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Conflict);
            assert!(error.why.contains("another process is writing"), "{error}");
            // Reading works meanwhile.
            assert_eq!(second.counts().unwrap().memories, 0);
            Ok(ChangeSet { at: Timestamp(1), changes: vec![Change::PutSource(a_source(1))] })
        })
        .unwrap();
    assert_eq!(second.refresh().unwrap().revision, Revision(1));
    write(&second, vec![add(a_memory(1, "now it works"))]);
}

#[test]
fn a_panic_inside_a_plan_leaves_the_store_usable() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(&folder.path().join("store.db"), quick()).unwrap();
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = store.write(&mut |_| panic!("a mistake in a plan"));
    }));
    assert!(panic.is_err());
    write(&store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "still here"))]);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}
