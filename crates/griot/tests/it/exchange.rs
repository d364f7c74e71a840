//! An export while others write.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use griot::engine::Record;
use griot::model::{Evidence, Predicate};
use griot::remember::Draft;

use crate::support::*;

#[test]
fn an_export_beside_a_writer_names_nothing_that_it_leaves_out() {
    let (workspace, engine) = opened();
    let first = remember(&engine, "The disk of the build server was full.");
    let second = remember(&engine, "The deploy failed on Friday because the disk was full.");
    engine.add_fact(&fact("Build Server", Predicate::Uses, "SQLite", Some(&first.id.to_string()))).unwrap();

    let (done, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let writer = workspace.open();
            let mut last = first.id.to_string();
            while !done.load(Ordering::SeqCst) {
                let number = written.load(Ordering::SeqCst);
                let text = format!(
                    "Ada of Team{number} saw that disk {number} of SQLite was full, so the deploy failed."
                );
                // Replaces what an export may have handed out already.
                let next = writer
                    .remember(Draft { supersedes: Some(last), ..Draft::new(text) })
                    .unwrap()
                    .id
                    .to_string();
                writer.link(&link(&next, &second.id.to_string())).unwrap();
                writer.add_fact(&fact("Build Server", Predicate::Uses, "SQLite", Some(&next))).unwrap();
                writer
                    .add_fact(&fact(&format!("Team{number}"), Predicate::Uses, "Redis", Some(&next)))
                    .unwrap();
                last = next;
                written.fetch_add(1, Ordering::SeqCst);
            }
        });
        // The writer must not go on for ever if this fails.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for _ in 0..5 {
                export_beside(&engine, &written);
            }
        }));
        done.store(true, Ordering::SeqCst);
        if let Err(panic) = outcome {
            std::panic::resume_unwind(panic);
        }
    });
    assert_sound(&engine);
}

/// Between two kinds of records the writer gets time for two rounds.
fn export_beside(engine: &griot::engine::Engine, written: &AtomicUsize) {
    let mut records: Vec<Record> = Vec::new();
    let mut sink = |record: Record| {
        if records.last().is_none_or(|last| std::mem::discriminant(last) != std::mem::discriminant(&record)) {
            let before = written.load(Ordering::SeqCst);
            while written.load(Ordering::SeqCst) < before + 2 {
                std::thread::yield_now();
            }
        }
        records.push(record);
        Ok(())
    };
    engine.export(&mut sink).unwrap();

    let mut names = HashSet::new();
    let is_known = |names: &HashSet<String>, evidence: &[Evidence]| {
        evidence
            .iter()
            .filter_map(|evidence| evidence.memory)
            .all(|memory| names.contains(&memory.to_string()))
    };
    for record in &records {
        match record {
            Record::Header { .. } => {}
            Record::Source(source) => _ = names.insert(source.id.to_string()),
            Record::Entity(entity) => _ = names.insert(entity.canonical_id()),
            Record::Memory { memory, .. } => {
                assert!(names.contains(&memory.source.to_string()), "{memory:?}");
                names.insert(memory.id.to_string());
            }
            Record::Edge(record) => {
                assert!(names.contains(&record.source) && names.contains(&record.target), "{record:?}");
                assert!(is_known(&names, &record.edge.evidence), "{record:?}");
            }
            Record::Fact(record) => {
                assert!(names.contains(&record.subject), "{record:?}");
                assert!(record.object.as_ref().is_none_or(|object| names.contains(object)), "{record:?}");
                assert!(is_known(&names, &record.fact.evidence), "{record:?}");
            }
            Record::Types { entity, .. } => assert!(names.contains(entity), "{record:?}"),
            Record::Merge(record) => {
                assert!(record.names.iter().all(|name| names.contains(name)), "{record:?}")
            }
            Record::Offer { newer, other, .. } => {
                assert!(names.contains(newer) && names.contains(other), "{record:?}");
            }
            Record::Reading { memory, by, .. } => {
                assert!(names.contains(memory) && names.contains(by), "{record:?}");
            }
            Record::Suggestion { kept, merged, .. } => {
                assert!(names.contains(kept) && names.contains(merged), "{record:?}");
            }
        }
    }
    for record in &records {
        if let Record::Memory { memory, .. } = record {
            assert!(memory.superseded_by.is_none_or(|by| names.contains(&by.to_string())), "{memory:?}");
        }
    }
    let (_other, copy) = opened();
    copy.import(&mut records.into_iter().map(Ok)).unwrap();
    assert_sound(&copy);
}
