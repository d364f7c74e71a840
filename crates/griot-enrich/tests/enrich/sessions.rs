//! Conversations that are over become observations.

use griot::engine::{ListRequest, ReplyForm};
use griot::model::{EdgeKind, Memory, Provenance, ReadingTask, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot_enrich::{Wait, WaitReason};
use griot_models::{Ledger, Owner};
use serde_json::{Value, json};

use crate::vendor::{Act, Seen};
use crate::{START, World, content, task};

fn turn(session: &str, ordinal: u32, text: &str, hours_ago: i64) -> Draft {
    Draft {
        kind: Some(Memory::TURN.into()),
        session: Some(session.into()),
        speaker: Some("Mira".into()),
        ordinal: Some(ordinal),
        occurred_at: Some(Timestamp(START - hours_ago * Timestamp::HOUR)),
        ..Draft::new(text)
    }
}

fn chat() -> SourceDraft {
    SourceDraft::new(SourceType::Chat, "/chats/one.json")
}

/// Observes the first turn, and one that is not there.
fn observing(seen: &Seen) -> Act {
    let content = content(seen);
    let text = content["turns"][0]["text"].as_str().expect("a text");
    if task(seen).contains("<observation>") {
        let marked = format!(
            "<observation><type>decision</type><title>Noted: {text}</title><turns>1</turns></observation>\
             <observation><title>lost</title><turns>99</turns></observation>"
        );
        return Act::reply("openai", &marked);
    }
    let one = json!({"type": "decision", "title": format!("Noted: {text}"), "turns": [1], "narrative": "",
        "facts": [], "triples": [], "concepts": []});
    let lost = json!({"type": "decision", "title": "lost", "turns": [99]});
    Act::reply("openai", &json!({"observations": [one, lost]}).to_string())
}

fn declining(_: &Seen) -> Act {
    Act::reply("openai", "I would rather not say what was said there.")
}

#[test]
fn a_conversation_is_observed_when_it_is_over_and_goes_on_where_it_ended() {
    for form in [ReplyForm::Json, ReplyForm::Lines] {
        let world = World::new(observing, |settings| settings.enrich.reply = form);
        let mut turns = vec![
            turn("old", 0, "We sell the boat.", 30),
            turn("old", 1, "Good.", 30),
            turn("fresh", 0, "We paint the house.", 2),
            turn("fresh", 1, "Which colour?", 0),
        ];
        world.engine.ingest(&chat(), turns.clone()).expect("it is stored");
        let done = world.read(ReadingTask::Sessions);
        assert_eq!(done.failure, None);
        assert_eq!((done.tally.observations, done.tally.memories, done.skipped), (1, 2, 1));
        assert_eq!((done.left[&ReadingTask::Sessions], world.vendor.seen().len()), (2, 1));

        // What is said later in the same conversation is its next part.
        turns.push(turn("old", 2, "The boat is sold.", 3));
        world.engine.ingest(&chat(), turns).expect("it is stored");
        let done = world.read(ReadingTask::Sessions);
        assert_eq!((done.tally.observations, done.tally.memories), (1, 1));
        assert_eq!(world.vendor.seen().len(), 2);
        let texts = world.edges(EdgeKind::Supporting, Provenance::Llm);
        let texts: Vec<(&str, &str)> = texts.iter().map(|(a, b, _)| (a.as_str(), b.as_str())).collect();
        let expected = [
            ("We sell the boat.", "Noted: We sell the boat."),
            ("The boat is sold.", "Noted: The boat is sold."),
        ];
        assert_eq!(texts, expected);
        assert_eq!(world.read(ReadingTask::Sessions).tally.observations, 0);
    }
}

#[test]
fn a_long_conversation_is_read_in_parts_that_fit() {
    let world = World::new(observing, |settings| {
        settings.model.context_tokens = 500;
        settings.model.concurrency = 3;
    });
    let turns = (0..30).map(|at| turn("long", at, &format!("{at}: {}", "word ".repeat(60)), 30));
    world.engine.ingest(&chat(), turns.collect()).expect("it is stored");
    let done = world.read(ReadingTask::Sessions);
    let asked = world.vendor.seen().len();
    assert_eq!((done.failure, done.tally.memories), (None, 30));
    assert_eq!((done.left[&ReadingTask::Sessions], done.tally.observations as usize), (0, asked));
    assert!((8..=12).contains(&asked), "{asked}");
}

#[test]
fn a_conversation_whose_reply_cannot_be_read_is_asked_about_once() {
    let world = World::new(declining, |_| {});
    let turns = (0..9).map(|at| turn("one", at, &format!("Number {at} is said."), 30));
    world.engine.ingest(&chat(), turns.collect()).expect("it is stored");
    let done = world.read(ReadingTask::Sessions);
    assert_eq!((done.failure, done.tally.observations), (None, 0));
    assert_eq!(done.outcomes.values().sum::<u64>(), 9);
    assert_eq!(done.left[&ReadingTask::Sessions], 0);
    let asked = world.vendor.seen().len();
    assert_eq!(world.read(ReadingTask::Sessions).outcomes.len(), 0);
    assert_eq!(world.vendor.seen().len(), asked);
}

#[test]
fn a_turn_that_is_cut_off_is_read_in_the_same_run() {
    let world = World::new(observing, |settings| settings.model.context_tokens = 1100);
    // The last turn was stored first, and two fit into a request.
    let long = "We sell the boat. ".repeat(80);
    let turns = [2, 0, 1].map(|ordinal| turn("old", ordinal, &format!("{ordinal}: {long}"), 30));
    world.engine.ingest(&chat(), turns.to_vec()).expect("it is stored");
    let done = world.read(ReadingTask::Sessions);
    assert_eq!((done.failure, done.tally.memories, world.vendor.seen().len()), (None, 3, 2));
}

/// Observes a turn with names and statements of which only one is in it.
fn inventing(seen: &Seen) -> Act {
    if let Some(passages) = content(seen)["passages"].as_array() {
        let entity = |name: &str| json!({"name": name, "type": "tool", "description": "d"});
        let named = passages.iter().map(|passage| {
            let entities: Vec<Value> = ["Cobol", "Billing"].into_iter().map(entity).collect();
            json!({"number": passage["number"], "entities": entities, "relations": []})
        });
        return Act::reply("openai", &json!({"passages": named.collect::<Vec<_>>()}).to_string());
    }
    let triple = |[subject, predicate, object]: [&str; 3]| -> Value {
        json!({"subject": subject, "predicate": predicate, "object": object})
    };
    let one = json!({
        "type": "decision", "title": "Payments runs on Cobol", "turns": [1],
        "narrative": "Billing uses Postgres and is owned by Mallory Eviltwin, see http://evil.example/x.",
        "facts": [], "concepts": ["billing", "Mallory Eviltwin"],
        "triples": [
            triple(["Payments", "runs_on", "Cobol"]),
            triple(["Billing", "owned_by", "Mallory Eviltwin"]),
            triple(["Billing", "uses", "Postgres"]),
        ],
    });
    Act::reply("openai", &json!({"observations": [one]}).to_string())
}

#[test]
fn an_observation_names_nothing_that_its_turns_do_not_name() {
    let world = World::new(inventing, |_| {});
    let turns = vec![turn("old", 0, "Billing uses Postgres now.", 30), turn("old", 1, "Good.", 30)];
    world.engine.ingest(&chat(), turns).expect("it is stored");
    let done = world.read(ReadingTask::Sessions);
    assert_eq!((done.tally.observations, done.tally.facts, done.tally.dropped), (1, 1, 2), "{done:?}");
    let facts = world.engine.facts(None, None, None).expect("facts");
    assert_eq!(facts.len(), 1);
    // Neither if it is read as any memory is.
    world.read(ReadingTask::Extraction);
    assert_eq!(world.engine.unread_count(ReadingTask::Extraction).expect("a count"), 0);
    for invented in ["Mallory Eviltwin", "Mallory", "Cobol"] {
        assert!(world.engine.entity(invented, 1, 9).is_err(), "{invented}");
    }
    // The observation says that a model wrote it, and the turns say that none did.
    let listed = world.engine.list(&ListRequest::default(), 9).expect("a list");
    let written = listed.iter().map(|memory| {
        let is_written = !world.engine.written_by_model(&[memory.id]).expect("authors").is_empty();
        assert_eq!(is_written, memory.kind == "decision", "{}", memory.text);
        is_written
    });
    assert_eq!(written.filter(|is_written| *is_written).count(), 1);
}

#[test]
fn what_is_left_says_what_it_waits_for() {
    let world = World::new(observing, |_| {});
    world.engine.ingest(&chat(), vec![turn("fresh", 0, "We paint the house.", 0)]).expect("it is stored");
    let done = world.read(ReadingTask::Sessions);
    let wait = Wait {
        task: ReadingTask::Sessions,
        memories: 1,
        reason: WaitReason::NotOver,
        until: Timestamp(START + Timestamp::HOUR),
    };
    assert_eq!(done.waits, [wait]);
    // Another run has it.
    let ledger = Ledger::for_database(&world.database()).expect("a ledger");
    let (now, until) = (Timestamp(START), Timestamp(START + Timestamp::DAY));
    ledger.lease("extraction", &[1], Owner::random(), now, until).expect("a lease");
    let done = world.read(ReadingTask::Extraction);
    assert_eq!(
        done.waits,
        [Wait { task: ReadingTask::Extraction, memories: 1, reason: WaitReason::Leased, until }]
    );
}
