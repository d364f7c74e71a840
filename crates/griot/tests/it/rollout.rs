//! The rollout on real files: several processes count into one book, and counting changes nothing else.

use griot::engine::{Engine, FeedbackRequest};
use griot::model::Timestamp;
use griot::recall::Query;
use griot::rollout::{GateState, Mode, Strategy};

use crate::support::*;

fn set(engine: &Engine, mode: Mode) {
    assert_eq!(engine.set_mode(mode, "user", false).unwrap(), None);
}

fn filled(workspace: &Workspace) -> Engine {
    let engine = workspace.open();
    for text in [
        "We moved the sessions to Redis because Postgres was too slow.",
        "Postgres was slow because the disk of the database was full.",
        "Ada prefers tabs.",
    ] {
        remember(&engine, text);
    }
    engine
}

#[test]
fn what_several_engines_count_is_added_up() {
    let workspace = Workspace::new();
    filled(&workspace).close().unwrap();
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let engine = workspace.open();
            std::thread::spawn(move || {
                for round in 0..25 {
                    engine.recall(&ask(&format!("Redis {number} {round}"))).unwrap();
                }
                engine.close().unwrap();
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let tally = workspace.open().rollout().unwrap().open;
    assert_eq!((tally.requests, tally.hybrid_applied), (100.0, 100.0));
}

/// The child asks and is killed before it has closed anything.
#[test]
fn child_asker() {
    let Some(orders) = role("asker") else { return };
    let engine = open(orders["path"].as_ref()).unwrap();
    assert!(!engine.recall(&ask("Redis")).unwrap().results.is_empty());
    send("ACK", "asked");
    std::thread::park();
}

#[test]
fn a_crash_loses_measures_and_nothing_else() {
    let workspace = Workspace::new();
    filled(&workspace).close().unwrap();
    let orders = [("role", "asker".to_string()), ("path", workspace.path().display().to_string())];
    let (mut child, mut lines) = child("rollout::child_asker", None, &orders);
    assert_eq!(received(&mut lines).unwrap().0, "ACK");
    child.kill().unwrap();
    child.wait().unwrap();
    let engine = workspace.open();
    assert!(engine.rollout().unwrap().open.requests <= 1.0);
    assert_eq!(all_memories(&engine).len(), 3);
    assert_sound(&engine);
}

#[test]
fn invariant_4_counting_changes_no_byte_and_no_revision() {
    let workspace = Workspace::new();
    let engine = filled(&workspace);
    let (revision, content) = (engine.read().unwrap().revision(), exported(&engine));
    let question = ask("Why did the sessions move to Redis?");
    let first = format!("{:?}", engine.recall(&question).unwrap());
    for _ in 0..20 {
        assert_eq!(format!("{:?}", engine.recall(&question).unwrap()), first);
    }
    let id = engine.recall(&question).unwrap().made.id;
    engine.feedback(&FeedbackRequest { answer: Some(id), memories: Vec::new(), good: true }).unwrap();
    engine.close().unwrap();
    let engine = workspace.open();
    assert_eq!(format!("{:?}", engine.recall(&question).unwrap()), first, "another process");
    assert_eq!((engine.read().unwrap().revision(), exported(&engine)), (revision, content));
    assert_sound(&engine);
}

#[test]
fn invariant_1_the_rollout_lives_without_the_index() {
    let workspace = Workspace::new();
    let engine = filled(&workspace);
    set(&engine, Mode::Canary);
    for number in 0..30 {
        let query = Query { strategy: Some(Strategy::HybridGraph), ..ask(&format!("Redis {number}")) };
        engine.recall(&query).unwrap();
    }
    engine.close().unwrap();
    let _ = std::fs::remove_dir_all(workspace.index());
    workspace.hands.advance(Timestamp::DAY);
    let report = workspace.open().rollout().unwrap();
    assert_eq!(report.ledger.windows[0].tally.canary_applied, 30.0);
    assert_eq!(report.gate.state, GateState::Open);
}

#[test]
fn a_store_that_is_only_read_answers_and_counts_nothing() {
    let workspace = Workspace::new();
    filled(&workspace).close().unwrap();
    let engine = workspace.open_read_only();
    for _ in 0..3 {
        assert!(!engine.recall(&ask("Redis")).unwrap().results.is_empty());
    }
    assert_eq!(engine.rollout().unwrap().open.requests, 0.0);
    assert!(engine.set_mode(Mode::Off, "user", false).is_err());
    engine.close().unwrap();
}
