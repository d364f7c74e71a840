//! The engine on SQLite against the engine on the oracle: the same random history, the same answers.

use std::sync::Arc;

use griot::embed::StaticEmbedder;
use griot::engine::Engine;
use griot::recall::{Query, Recall};
use griot_testkit::MemoryBackend;
use proptest::prelude::*;

use crate::history::{Op, Side, an_op, config};
use crate::support::*;

fn questions() -> Vec<Query> {
    let mut questions = Vec::new();
    for text in [
        "Why did Ada Lovelace move the cache?",
        "When was Kafka replaced?",
        "Redis",
        "数据库 disk full",
        "in May 2023",
    ] {
        for user in [None, Some("ada")] {
            questions.push(Query { scope: scope(user, None), ..ask(text) });
        }
        questions.push(Query { superseded: true, floor: false, ..ask(text) });
        questions.push(Query { graph: false, ..ask(text) });
    }
    questions
}

fn assert_alike(wanted: &Recall, got: &Recall) {
    let what = &wanted.query;
    assert_eq!(wanted.candidates, got.candidates, "candidates of {what}");
    assert_eq!(wanted.missing, got.missing);
    let rows = |found: &Recall| -> Vec<(f32, String)> {
        found.results.iter().map(|r| (r.score, r.memory.text.clone())).collect()
    };
    let (wanted, got) = (rows(wanted), rows(got));
    assert_eq!(wanted.len(), got.len(), "{what}: {wanted:#?} {got:#?}");
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-4;
    // Where order and probability disagree, a score is that of its neighbour: two results that tie in the
    // order may share one in one engine and not in the other.
    let beside = |rows: &[(f32, String)], at: usize, score: f32| {
        let around = &rows[at.saturating_sub(1)..rows.len().min(at + 2)];
        around.iter().any(|(other, _)| near(*other, score))
    };
    for (at, (score, text)) in wanted.iter().enumerate() {
        let is_alike = beside(&wanted, at, got[at].0) || beside(&got, at, *score);
        assert!(is_alike, "{what}: {wanted:#?} {got:#?}");
        // Two that are this near may be in the other order, and of two with one text either may be shown.
        let is_there = |(other, row): (usize, &(f32, String))| {
            row.1 == *text && (near(row.0, *score) || other.abs_diff(at) <= 1)
        };
        assert!(got.iter().enumerate().any(is_there), "{what}: {text} is missing among {got:#?}");
    }
}

fn play(history: &[Op]) {
    let workspace = Workspace::new();
    let oracle = Engine::new(
        Box::new(MemoryBackend::new()),
        Arc::new(StaticEmbedder),
        workspace.hands.clock(),
        quick(),
    );
    let mut oracle = Side::new(oracle.unwrap());
    let mut store = Side::new(workspace.open());
    for op in history {
        workspace.hands.advance(1000);
        if matches!(op, Op::Reopen) {
            store.engine = workspace.open();
        }
        assert_eq!(oracle.play(op), store.play(op), "{op:?}");
    }
    let counts = |side: &Side| side.engine.read().unwrap().counts().unwrap();
    assert_eq!(counts(&oracle), counts(&store));
    for query in questions() {
        assert_alike(&oracle.engine.recall(&query).unwrap(), &store.engine.recall(&query).unwrap());
    }
    for side in [&oracle, &store] {
        // What was noticed around each commit is what a look at everything finds.
        let noticed = side.engine.warnings().unwrap();
        let revision = side.engine.read().unwrap().revision();
        assert_eq!(noticed, side.engine.verify().unwrap());
        // An edge that expired ends its warning without a commit, so the first `verify` may let one go.
        if history.iter().all(|op| !matches!(op, Op::Link { seconds: Some(_), .. })) {
            let verified = side.engine.read().unwrap().revision();
            assert_eq!(verified, revision, "verify had nothing to keep or to let go");
        }
    }
    assert_eq!(oracle.engine.verify().unwrap(), store.engine.verify().unwrap());
    assert_sound(&store.engine);
}

proptest! {
    #![proptest_config(config(24, 200))]

    #[test]
    fn the_engine_answers_alike_on_sqlite_and_on_the_oracle(
        history in proptest::collection::vec(an_op(), 1..40),
    ) {
        play(&history);
    }
}
