//! Invariant 6: no result leaves the scope that was asked.

use griot::engine::{Engine, LinkRequest};
use griot::model::{EdgeKind, ErrorKind, Interval, Memory, Scope, Timestamp};
use griot::recall::{Query, Rejected, Rejection};
use griot::remember::Draft;
use griot::text::Intent;

use crate::support::*;

/// Words that stand in the texts of one scope only, and in no question.
const MARKS: &[(&str, Option<&str>, Option<&str>)] = &[
    ("xxadax", Some("ada"), None),
    ("xxbobx", Some("bob"), None),
    ("xxadagriotx", Some("ada"), Some("griot")),
    ("xxbobgriotx", Some("bob"), Some("griot")),
    ("xxcoralx", None, Some("coral")),
    ("xxnobodyx", None, None),
];

/// The same story in every scope, by the same people about the same things, and linked across scopes.
fn fill(engine: &Engine, hands: &Hands) {
    let mut chain: Vec<String> = Vec::new();
    for round in 0..3 {
        for (mark, user, project) in MARKS {
            for text in [
                format!("Grace Hopper said the disk of SQLite was full, round {round} {mark}."),
                format!("The deploy of SQLite failed because the disk was full, round {round} {mark}."),
                format!(
                    "Grace Hopper moved the deploy from SQLite to Redis in May 2025, round {round} {mark}."
                ),
            ] {
                hands.advance(60_000);
                let draft = Draft {
                    scope: scope(*user, *project),
                    session: Some(format!("session {}", chain.len() % 4)),
                    speaker: Some("Grace Hopper".into()),
                    ..Draft::new(text)
                };
                let id = engine.remember(draft).unwrap().id.to_string();
                if let Some(last) = chain.last() {
                    engine.link(&link(last, &id)).unwrap();
                    let kind =
                        if chain.len().is_multiple_of(2) { EdgeKind::Semantic } else { EdgeKind::Supporting };
                    engine.link(&LinkRequest { kind, ..link(last, &id) }).unwrap();
                }
                chain.push(id);
            }
        }
    }
    // One memory of each scope is replaced by a later one of the same.
    for first in (0..3 * MARKS.len()).step_by(3) {
        let later = &chain[first + 3 * MARKS.len()];
        engine.link(&LinkRequest { kind: EdgeKind::Supersedes, ..link(later, &chain[first]) }).unwrap();
    }
}

/// Text and id of every memory that `asked` may not see.
fn foreign(engine: &Engine, asked: &Scope) -> Vec<Memory> {
    all_memories(engine).into_iter().filter(|memory| !memory.scope.meets(asked)).collect()
}

/// An answer contains nothing of what may not be seen: no text, no mark, no id, no handle.
#[track_caller]
fn assert_within(what: &str, asked: &Scope, foreign: &[Memory], answer: &str) {
    for memory in foreign {
        for piece in [&memory.text, &memory.id.to_string(), &format!("\"{}\"", memory.handle.0)] {
            if let Some(at) = answer.find(piece.as_str()) {
                let around: String = answer[..at].chars().rev().take(500).collect();
                panic!(
                    "{what} for {asked:?} shows {piece} after {}",
                    around.chars().rev().collect::<String>()
                );
            }
        }
        let mark = memory.text.rsplit(' ').next().unwrap().trim_end_matches('.');
        assert!(!mark.starts_with("xx") || !answer.contains(mark), "{what} for {asked:?} shows {mark}");
    }
}

fn scopes() -> Vec<Scope> {
    [
        (Some("ada"), None),
        (Some("bob"), Some("griot")),
        (None, Some("griot")),
        (None, Some("coral")),
        (Some("stranger"), Some("nothing")),
    ]
    .map(|(user, project)| scope(user, project))
    .to_vec()
}

#[test]
fn invariant_6_no_answer_leaves_the_scope_that_was_asked() {
    let (workspace, engine) = opened();
    fill(&engine, &workspace.hands);
    let mut named_elsewhere = 0;
    for asked in scopes() {
        let foreign = foreign(&engine, &asked);
        assert!(!foreign.is_empty());
        for text in [
            "Why did the deploy of SQLite fail?",
            "When did Grace Hopper move to Redis?",
            "What did Grace Hopper say?",
            "disk full",
            "what happened in June 2025",
            "before the deploy failed",
        ] {
            for intent in
                [None, Some(Intent::Why), Some(Intent::When), Some(Intent::Entity), Some(Intent::General)]
            {
                let query = Query {
                    scope: asked.clone(),
                    intent,
                    rejected: true,
                    superseded: intent.is_none(),
                    floor: false,
                    ..ask(text)
                };
                let mut found = engine.recall(&query).unwrap();
                assert!(!found.results.is_empty(), "{text} for {asked:?}");
                // The list of what was left out names other projects, marked as such, and never another
                // user.
                let (elsewhere, rejected): (Vec<_>, Vec<_>) =
                    found.rejected.into_iter().partition(|rejected| rejected.reason == Rejection::Scope);
                found.rejected = rejected;
                for Rejected { memory, .. } in elsewhere {
                    let any_project = Scope { project: None, ..asked.clone() };
                    assert!(
                        memory.scope.meets(&any_project) && !memory.scope.meets(&asked),
                        "{text}: {memory:?}"
                    );
                    named_elsewhere += 1;
                }
                assert_within("recall", &asked, &foreign, &format!("{found:?}"));
            }
            let query = Query { scope: asked.clone(), ..ask(text) };
            let reached = engine.traverse(&query, 50, 500, 5).unwrap();
            assert_within("traverse", &asked, &foreign, &format!("{reached:?}"));
        }

        let always = Interval::new(Timestamp(0), Timestamp(i64::MAX));
        for interval in [None, Some(always)] {
            let timeline = engine.timeline(None, 100, 100, interval, &asked).unwrap();
            assert!(!timeline.after.is_empty());
            assert_within("timeline", &asked, &foreign, &format!("{timeline:?}"));
            for memory in all_memories(&engine) {
                if let Ok(timeline) = engine.timeline(Some(&memory.id.to_string()), 9, 9, interval, &asked) {
                    assert_within("timeline around", &asked, &foreign, &format!("{timeline:?}"));
                }
            }
        }
    }
    assert!(named_elsewhere > 0);
}

#[test]
fn invariant_6_what_is_remembered_is_compared_within_its_scope() {
    let (workspace, engine) = opened();
    fill(&engine, &workspace.hands);
    for (number, asked) in scopes().into_iter().enumerate() {
        let before = foreign(&engine, &asked);
        for text in [
            "Grace Hopper said the disk of SQLite was full, round 0",
            "The deploy of SQLite failed because the disk was full, round 1",
            "The deploy of SQLite did not fail because the disk was not full",
        ] {
            let stored = engine
                .remember(Draft { scope: asked.clone(), ..Draft::new(format!("{text} {number}.")) })
                .unwrap();
            assert_within("remember", &asked, &before, &format!("{stored:?}"));
            let similar = engine.similar(&stored.id.to_string(), 50).unwrap();
            assert_within("similar", &asked, &before, &format!("{similar:?}"));
            // The rules joined it to nothing that its owner may not see.
            for edge in
                engine.read().unwrap().edges_of(engine.show(&stored.id.to_string()).unwrap().node).unwrap()
            {
                let ends = engine.read().unwrap().memories(&[edge.source, edge.target]).unwrap();
                assert_within("an edge by rule", &asked, &before, &format!("{ends:?} {edge:?}"));
            }
        }
    }
}

#[test]
fn invariant_6_a_memory_is_replaced_by_one_that_is_seen_in_its_place() {
    let (_workspace, engine) = opened();
    let say = |user: Option<&str>, text: &str, supersedes: Option<String>| {
        engine
            .remember(Draft { scope: scope(user, None), supersedes, ..Draft::new(text) })
            .map(|stored| stored.id.to_string())
    };
    let of_ada = say(Some("ada"), "The port is 8080.", None).unwrap();
    let of_bob = say(Some("bob"), "The port is 9090.", None).unwrap();
    assert_refused(&engine, ErrorKind::InvalidInput, |_| {
        say(Some("bob"), "The port is 7070.", Some(of_ada.clone()))
    });
    let replace = LinkRequest { kind: EdgeKind::Supersedes, ..link(&of_bob, &of_ada) };
    assert_refused(&engine, ErrorKind::InvalidInput, |engine| engine.link(&replace));
    say(None, "The port is 6060 for all.", Some(of_ada)).unwrap();
}

#[test]
fn the_same_text_in_two_scopes_is_two_memories() {
    let (_workspace, engine) = opened();
    let say = |user: Option<&str>| {
        engine.remember(Draft { scope: scope(user, None), ..Draft::new("The same.") }).unwrap()
    };
    let ids = [Some("ada"), Some("bob"), None].map(|user| say(user).id);
    assert_eq!([Some("ada"), Some("bob"), None].map(|user| say(user).id), ids);
    assert_eq!(all_memories(&engine).len(), 3);
}

#[test]
fn invariant_6_shared_memories_are_never_compared_with_those_of_a_user() {
    let (_workspace, engine) = opened();
    let text =
        |number: usize| format!("The nightly backup of the billing database took {number} minutes again.");
    // More than are compared by similarity alone, and all of them nearer.
    for number in 0..40 {
        engine.remember(Draft { scope: scope(Some("ada"), None), ..Draft::new(text(number)) }).unwrap();
    }
    let last = engine.remember(Draft::new(text(41))).unwrap();
    assert_eq!(last.edges.semantic, 0, "{last:?}");
    let own = engine.remember(Draft { scope: scope(Some("ada"), None), ..Draft::new(text(42)) }).unwrap();
    assert!(own.edges.semantic > 0, "alike enough: {own:?}");
}
