//! Export, import into an empty workspace, export again: the same records, whatever happened before.

use griot::engine::{Engine, Record};
use griot::model::{FactObject, Node, Offer};
use proptest::prelude::*;

use crate::history::{Op, Side, an_op, config};
use crate::support::*;

/// What a record says without the nodes of its workspace, which it also names. A path in an export was not
/// read on this machine.
fn said(record: Record) -> Option<String> {
    let nowhere = Node::memory(0);
    let record = match record {
        Record::Header { .. } => return None,
        Record::Source(mut source) => {
            source.from_disk = false;
            Record::Source(source)
        }
        Record::Entity(mut entity) => {
            entity.node = nowhere;
            Record::Entity(entity)
        }
        Record::Memory { mut memory, vector } => {
            memory.node = nowhere;
            Record::Memory { memory, vector }
        }
        Record::Edge(mut edge) => {
            (edge.edge.source, edge.edge.target) = (nowhere, nowhere);
            Record::Edge(edge)
        }
        Record::Fact(mut fact) => {
            fact.fact.subject = nowhere;
            if let FactObject::Entity(node) = &mut fact.fact.object {
                *node = nowhere;
            }
            Record::Fact(fact)
        }
        Record::Offer { offer, newer, other } => {
            // Numbered anew: those of erased ones are free.
            let offer = Offer { number: 0, newer: nowhere, other: nowhere, ..offer };
            Record::Offer { offer, newer, other }
        }
        other => other,
    };
    Some(format!("{record:#?}"))
}

fn all_said(engine: &Engine) -> Vec<String> {
    let mut said: Vec<String> = records(engine).into_iter().filter_map(said).collect();
    said.sort();
    said
}

fn round_trip(history: &[Op]) {
    let workspace = Workspace::new();
    let mut side = Side::new(workspace.open());
    for op in history {
        workspace.hands.advance(1000);
        // What is refused is part of a history too.
        _ = side.play(op);
    }
    let (exported, wanted) = (records(&side.engine), all_said(&side.engine));
    let other = Workspace::new();
    other.hands.advance(workspace.hands.now().0 - NOW.0);
    let engine = other.open();
    import(&engine, &exported).unwrap();
    assert_same(&wanted, &all_said(&engine), "an import into an empty workspace");
    assert_sound(&engine);
    let (revision, before) = (engine.read().unwrap().revision(), engine.read().unwrap().counts().unwrap());
    let again = import(&engine, &exported).unwrap();
    assert_eq!((again.memories, again.entities, again.edges, again.facts), (0, 0, 0, 0));
    assert_same(&wanted, &all_said(&engine), "a second import");
    assert_eq!(engine.read().unwrap().counts().unwrap(), before);
    assert_eq!(engine.read().unwrap().revision(), revision, "a second import changes nothing");
    assert_eq!(side.engine.read().unwrap().counts().unwrap(), before, "what is live is live there too");
}

#[track_caller]
fn assert_same(wanted: &[String], got: &[String], what: &str) {
    let missing: Vec<&String> = wanted.iter().filter(|record| !got.contains(record)).collect();
    let more: Vec<&String> = got.iter().filter(|record| !wanted.contains(record)).collect();
    assert!(missing.is_empty() && more.is_empty(), "{what}: missing {missing:#?}, instead {more:#?}");
    assert_eq!(wanted.len(), got.len(), "{what}: some stand twice");
}

proptest! {
    #![proptest_config(config(32, 300))]

    #[test]
    fn what_was_exported_and_imported_exports_the_same(history in proptest::collection::vec(an_op(), 1..40)) {
        round_trip(&history);
    }
}
