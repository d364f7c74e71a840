//! A process that is killed while it writes.

use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::SourceType;
use griot::remember::{Draft, SourceDraft};

use crate::support::*;

/// How many processes die.
const KILLS: usize = 200;
/// How many of them share a workspace.
const PER_WORKSPACE: usize = 25;

/// What a writer stores in one transaction: mostly one memory, now and then several.
fn texts(round: usize, write: usize) -> Vec<String> {
    let parts = if write % 3 == 2 { 4 } else { 1 };
    let text = |part| {
        format!(
            "Round {round} write {write} part {part}: Ada moved the cache to SQLite \
             because of r{round}w{write}."
        )
    };
    (0..parts).map(text).collect()
}

/// The child: writes without end and reports each write that was acknowledged.
#[test]
fn child_writer() {
    let Some(orders) = role("writer") else { return };
    let round: usize = orders["round"].parse().unwrap();
    let engine = open(orders["path"].as_ref()).unwrap();
    let source = SourceDraft::new(SourceType::Chat, "a chat");
    let mut last: Option<String> = None;
    for write in 0.. {
        let drafts: Vec<Draft> = texts(round, write).into_iter().map(Draft::new).collect();
        let stored = engine.remember_all(&source, drafts).unwrap();
        send("ACK", &write.to_string());
        // Edges of its own transactions, so that not all revisions are alike.
        let id = stored[0].id.to_string();
        if let Some(last) = last.replace(id.clone()) {
            engine.link(&link(&last, &id)).unwrap();
        }
    }
}

/// Starts a writer, kills it somewhere, and returns how many writes it said were done.
fn kill_one(path: &std::path::Path, round: usize, random: &mut fastrand::Rng) -> usize {
    let orders =
        [("role", "writer".into()), ("path", path.display().to_string()), ("round", round.to_string())];
    let (mut child, mut lines) = child("crash::child_writer", None, &orders);
    let mut acknowledged = 0;
    for _ in 0..random.usize(0..7) {
        assert_eq!(received(&mut lines), Some(("ACK".into(), acknowledged.to_string())));
        acknowledged += 1;
    }
    // The kill falls somewhere inside the next writes.
    let moment = Instant::now() + Duration::from_micros(random.u64(0..4000));
    while Instant::now() < moment {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    while let Some((word, write)) = received(&mut lines) {
        assert_eq!((word.as_str(), write), ("ACK", acknowledged.to_string()));
        acknowledged += 1;
    }
    acknowledged
}

/// The workspace holds what was acknowledged, and at most one write more, whole.
fn check(engine: &Engine, acknowledged: &mut [(usize, usize)]) {
    assert_sound(engine);
    let mut stored: Vec<String> = all_memories(engine).into_iter().map(|memory| memory.text).collect();
    stored.sort();
    let expect = |rounds: &[(usize, usize)]| {
        let writes =
            rounds.iter().flat_map(|&(round, writes)| (0..writes).flat_map(move |write| texts(round, write)));
        let mut texts: Vec<String> = writes.collect();
        texts.sort();
        texts
    };
    if stored != expect(acknowledged) {
        // The last one died between its commit and its word.
        acknowledged.last_mut().unwrap().1 += 1;
        assert_eq!(stored, expect(acknowledged));
    }
}

#[test]
fn invariant_2_a_crash_at_any_write_leaves_the_last_revision_whole() {
    let mut random = fastrand::Rng::with_seed(2);
    for first in (0..KILLS).step_by(PER_WORKSPACE) {
        let workspace = Workspace::new();
        let mut acknowledged: Vec<(usize, usize)> = Vec::new();
        for round in first..(first + PER_WORKSPACE).min(KILLS) {
            acknowledged.push((round, kill_one(&workspace.path(), round, &mut random)));
            check(&workspace.open(), &mut acknowledged);
        }
        // What survived can be asked for and added to.
        let engine = workspace.open();
        let last = remember(&engine, "After all the kills Ada wrote this.");
        let found = engine.recall(&ask("What did Ada write after the kills?")).unwrap();
        assert!(found.results.iter().any(|result| result.memory.id == last.id));
    }
}
