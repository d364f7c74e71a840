//! What is asked about together, what several runs leave to each other, and what an estimate says of it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use griot::model::{Memory, ReadingOutcome, ReadingTask, Scope, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot_enrich::{Wish, estimate, run};
use serde_json::{Value, json};

use crate::vendor::{Act, Seen};
use crate::{START, World, content};

/// Finds nothing in any text.
fn silent(seen: &Seen) -> Act {
    let passages = content(seen)["passages"].as_array().expect("passages").clone();
    let nothing = |passage: &Value| json!({"number": passage["number"], "entities": [], "relations": []});
    let nothing: Vec<Value> = passages.iter().map(nothing).collect();
    Act::reply("openai", &json!({ "passages": nothing }).to_string())
}

fn observing(_: &Seen) -> Act {
    Act::reply("openai", &json!({"observations": []}).to_string())
}

fn declining(_: &Seen) -> Act {
    Act::reply("openai", "I would rather not say.")
}

fn of(user: Option<&str>, text: &str) -> Draft {
    Draft { scope: Scope { user: user.map(str::to_string), project: None }, ..Draft::new(text) }
}

fn texts(seen: &Seen) -> Vec<String> {
    let passages = content(seen)["passages"].as_array().expect("passages").clone();
    passages.iter().map(|passage| passage["text"].as_str().expect("a text").to_string()).collect()
}

#[test]
fn no_request_has_texts_of_two_users() {
    let world = World::new(silent, |settings| {
        settings.enrich.batch = 5;
        settings.model.private_texts = true;
    });
    let said = [
        (Some("ada"), "Ada one."),
        (Some("ada"), "Ada two."),
        (Some("bob"), "Bob one."),
        (None, "All one."),
        (None, "All two."),
        (Some("bob"), "Bob two."),
    ];
    for (user, text) in said {
        world.say(of(user, text));
    }
    let planned = estimate(&world.engine, &World::wish(ReadingTask::Extraction)).expect("an estimate");
    assert_eq!((planned.memories, planned.calls), (6, 4));
    assert_eq!(world.read(ReadingTask::Extraction).tally.memories, 6);
    let mut asked: Vec<Vec<String>> = world.vendor.seen().iter().map(texts).collect();
    asked.sort();
    let expected =
        [vec!["Ada one.", "Ada two."], vec!["All one.", "All two."], vec!["Bob one."], vec!["Bob two."]];
    assert_eq!(asked, expected);
}

#[test]
fn what_may_not_be_sent_ends_no_batch() {
    let world = World::new(silent, |settings| settings.enrich.batch = 3);
    for (user, text) in [(None, "All one."), (Some("ada"), "Ada one."), (None, "All two.")] {
        world.say(of(user, text));
    }
    let done = world.read(ReadingTask::Extraction);
    assert_eq!(done.outcomes.get(&ReadingOutcome::Withheld), Some(&1));
    let asked: Vec<Vec<String>> = world.vendor.seen().iter().map(texts).collect();
    assert_eq!(asked, [["All one.", "All two."]]);
}

#[test]
fn what_another_run_has_read_meanwhile_is_not_asked_about() {
    let world = World::new(silent, |settings| {
        settings.enrich.batch = 1;
        settings.model.concurrency = 1;
        settings.model.cache = false;
    });
    for text in ["One thing.", "Two things.", "Three things."] {
        world.say(of(None, text));
    }
    let wish = World::wish(ReadingTask::Extraction);
    let (never, others) = (AtomicBool::new(false), AtomicU32::new(0));
    // The first memory is stored, and this run has looked at all three.
    let other = |_| {
        if others.fetch_add(1, Ordering::Relaxed) == 0 {
            let done = run(&world.engine, &world.database(), &wish, &|_| {}, &never).expect("it runs");
            assert_eq!(done.tally.memories, 2);
        }
    };
    let done = run(&world.engine, &world.database(), &wish, &other, &never).expect("it runs");
    assert_eq!((done.tally.memories, done.tally.late, world.vendor.seen().len()), (1, 0, 3));
}

/// Writes a story about several texts, and has no key for a single one.
fn failing(seen: &Seen) -> Act {
    match texts(seen).len() {
        1 => Act::failure(401, "the key is wrong"),
        _ => Act::reply("openai", &"Once upon a time. ".repeat(40)),
    }
}

/// Writes a story about several texts.
fn overwhelmed(seen: &Seen) -> Act {
    match texts(seen).len() {
        1 => silent(seen),
        _ => Act::reply("openai", &"Once upon a time. ".repeat(40)),
    }
}

#[test]
fn a_batch_in_parts_ends_with_a_failure_and_when_it_is_told_to() {
    let three = |act: fn(&Seen) -> Act| {
        let world = World::new(act, |settings| settings.enrich.batch = 3);
        for text in ["One thing.", "Two things.", "Three things."] {
            world.say(of(None, text));
        }
        world
    };
    let world = three(failing);
    let done = world.read(ReadingTask::Extraction);
    assert!(done.failure.is_some());
    assert_eq!((world.vendor.seen().len(), done.left[&ReadingTask::Extraction]), (2, 3));

    let world = three(overwhelmed);
    let stop = AtomicBool::new(false);
    let wish = World::wish(ReadingTask::Extraction);
    let ended = |_| stop.store(true, Ordering::Relaxed);
    let done = run(&world.engine, &world.database(), &wish, &ended, &stop).expect("it runs");
    assert_eq!((done.failure, world.vendor.seen().len()), (None, 2));
    assert_eq!(done.left[&ReadingTask::Extraction], 2);
    assert_eq!(world.read(ReadingTask::Extraction).tally.memories, 2);
}

/// A provider that takes no request with one of the words.
fn strict(seen: &Seen) -> Act {
    match texts(seen).iter().any(|text| text.contains("forbidden")) {
        true => Act::failure(400, "this text is not allowed"),
        false => silent(seen),
    }
}

#[test]
fn a_text_that_is_rejected_first_stops_no_others() {
    let world = World::new(strict, |settings| {
        settings.enrich.batch = 2;
        settings.model.concurrency = 1;
    });
    world.say(of(None, "A forbidden thing."));
    let done = world.read(ReadingTask::Extraction);
    // Nothing shows yet whether it is the text or the model.
    assert!(done.failure.is_some());
    assert_eq!(done.left[&ReadingTask::Extraction], 1);
    for text in ["One thing.", "Two things.", "Three things."] {
        world.say(of(None, text));
    }
    let done = world.read(ReadingTask::Extraction);
    assert_eq!((done.failure, done.tally.memories), (None, 4));
    assert_eq!(done.outcomes, [(ReadingOutcome::Unreadable, 1)].into());
    assert_eq!(done.left[&ReadingTask::Extraction], 0);
}

#[test]
fn a_model_that_rejects_all_ends_the_run() {
    let rejecting = |_: &Seen| Act::failure(400, "there is no such model");
    let world = World::new(rejecting, |settings| {
        settings.enrich.batch = 1;
        settings.model.concurrency = 1;
    });
    for text in ["One thing.", "Two things.", "Three things."] {
        world.say(of(None, text));
    }
    let done = world.read(ReadingTask::Extraction);
    assert!(done.failure.is_some());
    assert_eq!((world.vendor.seen().len(), done.left[&ReadingTask::Extraction]), (2, 3));
}

fn turn(session: &str, ordinal: u32, hours_ago: i64) -> Draft {
    Draft {
        kind: Some(Memory::TURN.into()),
        session: Some(session.into()),
        ordinal: Some(ordinal),
        occurred_at: Some(Timestamp(START - hours_ago * Timestamp::HOUR)),
        ..Draft::new(format!("Turn {ordinal} of {session}."))
    }
}

#[test]
fn an_estimate_groups_as_the_run_does() {
    let world = World::new(observing, |_| {});
    let turns = ["one", "two"].into_iter().flat_map(|name| (0..3).map(move |at| turn(name, at, 30)));
    let fresh = (0..2).map(|at| turn("three", at, 0));
    let source = SourceDraft::new(SourceType::Chat, "/chats/all.json");
    world.engine.ingest(&source, turns.chain(fresh).collect()).expect("it is read");
    let planned = estimate(&world.engine, &World::wish(ReadingTask::Sessions)).expect("an estimate");
    let done = world.read(ReadingTask::Sessions);
    assert_eq!((planned.memories, planned.calls), (6, 2));
    assert_eq!((done.tally.memories, done.spent.calls), (6, 2));
    assert!(planned.input >= done.spent.input, "{planned:?} {:?}", done.spent);
}

#[test]
fn an_estimate_of_asking_again_is_of_what_is_asked_again() {
    let world = World::new(declining, |_| {});
    let turns = (0..3).map(|at| turn("one", at, 30)).collect();
    let source = SourceDraft::new(SourceType::Chat, "/chats/one.json");
    world.engine.ingest(&source, turns).expect("it is read");
    world.read(ReadingTask::Sessions);
    let again = Wish { retry: true, ..World::wish(ReadingTask::Sessions) };
    let planned = |wish: &Wish| {
        let planned = estimate(&world.engine, wish).expect("an estimate");
        (planned.memories, planned.calls)
    };
    assert_eq!((planned(&World::wish(ReadingTask::Sessions)), planned(&again)), ((0, 0), (3, 1)));
    let before = world.vendor.seen().len();
    let never = AtomicBool::new(false);
    run(&world.engine, &world.database(), &again, &|_| {}, &never).expect("it runs");
    assert_eq!(world.vendor.seen().len(), before + 1);
    assert!(world.vendor.seen()[before].body.to_string().contains("Turn 2 of one"));
}

#[test]
fn an_estimate_counts_a_memory_of_a_user_once() {
    let world = World::new(silent, |_| {});
    world.say(of(Some("ada"), "A secret flood in the cellar."));
    let wish = Wish { tasks: vec![ReadingTask::Extraction, ReadingTask::Causes], ..Wish::default() };
    let planned = estimate(&world.engine, &wish).expect("an estimate");
    assert_eq!((planned.withheld, planned.memories, planned.observes), (1, 2, false));
}
