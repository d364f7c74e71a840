//! Notes and sessions from the unread memory to the stored result, with a scripted model on a real socket.

#![allow(clippy::unwrap_used)]

mod replay;
mod scripted;

use std::sync::atomic::AtomicBool;

use griot::engine::{Access, Engine, ModelProvider, ReplyForm, Settings};
use griot::model::{EdgeKind, Memory, ReadingTask, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};
use griot_enrich::{Done, Wish, run};
use scripted::Model;
use serde_json::{Value, json};

const NOW: i64 = 1_750_000_000_000;

/// A workspace in a folder of its own, whose model answers by a script.
struct Place {
    folder: tempfile::TempDir,
    settings: Settings,
}

impl Place {
    fn new(model: &Model, change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        settings.store.durable = false;
        settings.model.provider = ModelProvider::Ollama;
        settings.model.name = "scripted".into();
        settings.model.url = model.address.clone();
        settings.enrich.extraction = false;
        change(&mut settings);
        Self { folder, settings }
    }

    fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("griot.db")
    }

    fn open(&self) -> Engine {
        let access = Access { create: true, read_only: false };
        let engine = Engine::open(&self.database(), access, self.settings.clone()).unwrap();
        engine.with_clock(std::sync::Arc::new(|| Timestamp(NOW)))
    }

    fn run(&self, engine: &Engine) -> Done {
        let done = run(engine, &self.database(), &Wish::default(), &|_| {}, &AtomicBool::new(false)).unwrap();
        assert_eq!(done.failure, None);
        done
    }
}

/// What was sent: the stored texts as an object.
fn sent(question: &str) -> Value {
    serde_json::from_str(question).unwrap()
}

const FIRST: &str = "The ferry to Lisbon leaves at nine in the morning.";
const LATER: &str = "The ferry to Lisbon leaves at ten in the morning since May.";

/// Notes each memory by its first word, links it with every neighbour, and changes every note.
fn noting(task: &str, question: &str) -> String {
    let content = sent(question);
    let neighbours = content["neighbours"].as_array().map_or(0, Vec::len);
    if task.contains("`should_evolve`") {
        assert!(content["neighbours"][0]["context"].as_str().unwrap().contains("own"));
        let change = json!({"neighbour": 0, "should_evolve": true, "new_keywords": ["ferry"], "new_tags": [],
            "new_context": "It leaves later now."});
        json!({"neighbours": [change]}).to_string()
    } else if task.contains("`contradicts`") {
        let link =
            |at: usize| json!({"neighbour": at, "type": "contradicts", "confidence": 0.9, "reason": "r"});
        let weak = json!({"neighbour": 99, "type": "semantic", "confidence": 0.9, "reason": "no such"});
        let links: Vec<Value> = (0..neighbours).map(link).chain([weak]).collect();
        json!({ "links": links }).to_string()
    } else {
        json!({"keywords": ["ferry"], "tags": ["travel"], "context": "own"}).to_string()
    }
}

#[test]
fn a_later_memory_is_noted_linked_and_changes_the_note_of_the_earlier_one() {
    let model = Model::start(noting);
    let place = Place::new(&model, |settings| {
        settings.enrich.notes = true;
        settings.model.concurrency = 1;
    });
    let engine = place.open();
    let draft = |text: &str, day: i64| Draft {
        occurred_at: Some(Timestamp(NOW - day * 86_400_000)),
        ..Draft::new(text)
    };
    let first = engine.remember(draft(FIRST, 9)).unwrap().id;
    place.run(&engine);
    let later = engine.remember(draft(LATER, 1)).unwrap().id;
    let done = place.run(&engine);
    assert_eq!((done.tally.memories, done.tally.evolved, done.tally.links), (1, 1, 1));
    assert_eq!((done.skipped, done.left[&ReadingTask::Notes]), (1, 0));
    let notes = engine.notes(&first.to_string()).unwrap();
    assert_eq!(notes.len(), 2);
    assert_eq!((notes[0].context.as_str(), notes[0].counts), ("It leaves later now.", true));
    assert!(notes[0].by.is_some());
    assert_eq!(
        (notes[1].context.as_str(), notes[1].tags.as_slice()),
        ("own", ["travel".to_string()].as_slice())
    );
    assert_eq!(engine.notes(&later.to_string()).unwrap().len(), 1);
    let node = engine.show(&first.to_string()).unwrap().node;
    let edges = engine.read().unwrap().edges_of(node).unwrap();
    assert_eq!(edges.iter().filter(|edge| edge.kind == EdgeKind::Contradicts).count(), 1);
    let asked = model.asked();
    assert_eq!(place.run(&engine).tally.memories, 0);
    assert_eq!(model.asked(), asked, "nothing is asked twice");
}

#[test]
fn a_note_is_kept_if_the_reply_about_links_is_of_no_use() {
    let model = Model::start(|task, question| match task.contains("`contradicts`") {
        true => "I would rather not.".to_string(),
        false => noting(task, question),
    });
    let place = Place::new(&model, |settings| settings.enrich.notes = true);
    let engine = place.open();
    [FIRST, LATER].map(|text| engine.remember(Draft::new(text)).unwrap());
    let done = place.run(&engine);
    assert_eq!((done.tally.memories, done.tally.links, done.left[&ReadingTask::Notes]), (2, 0, 0));
}

fn turn(session: &str, ordinal: u32, text: &str, hours_ago: i64) -> Draft {
    Draft {
        kind: Some(Memory::TURN.into()),
        session: Some(session.into()),
        speaker: Some("Mira".into()),
        ordinal: Some(ordinal),
        occurred_at: Some(Timestamp(NOW - hours_ago * Timestamp::HOUR + i64::from(ordinal))),
        ..Draft::new(text)
    }
}

/// Observes the first turn, and one turn that is not there.
fn observing(task: &str, question: &str) -> String {
    let content = sent(question);
    let text = content["turns"][0]["text"].as_str().unwrap();
    if task.contains("<observation>") {
        return format!(
            "<observation><type>decision</type><title>Noted: {text}</title><turns>1</turns></observation>\
             <observation><title>lost</title><turns>99</turns></observation>"
        );
    }
    let one = json!({"type": "decision", "title": format!("Noted: {text}"), "turns": [1], "narrative": "",
        "facts": [], "triples": [], "concepts": []});
    let lost = json!({"type": "decision", "title": "lost", "turns": [99]});
    json!({"observations": [one, lost]}).to_string()
}

#[test]
fn a_conversation_is_observed_when_it_is_over_and_goes_on_where_it_ended() {
    for form in [ReplyForm::Json, ReplyForm::Lines] {
        let model = Model::start(observing);
        let place = Place::new(&model, |settings| {
            settings.enrich.sessions = true;
            settings.enrich.reply = form;
        });
        let engine = place.open();
        let source = SourceDraft::new(SourceType::Chat, "/chats/one.json");
        let mut turns = vec![
            turn("old", 0, "We sell the boat.", 30),
            turn("old", 1, "Good.", 30),
            turn("fresh", 0, "We paint the house.", 2),
            turn("fresh", 1, "Which colour?", 0),
        ];
        engine.ingest(&source, turns.clone()).unwrap();
        let done = place.run(&engine);
        assert_eq!((done.tally.observations, done.tally.memories, done.skipped), (1, 2, 1));
        assert_eq!(done.left[&ReadingTask::Sessions], 2);
        assert_eq!(model.asked(), 1);

        // What is said later in the same conversation is its next part.
        turns.push(turn("old", 2, "The boat is sold.", 3));
        engine.ingest(&source, turns).unwrap();
        let done = place.run(&engine);
        assert_eq!((done.tally.observations, done.tally.memories, model.asked()), (1, 1, 2));
        let all = engine.unread(ReadingTask::Notes, 0, 99).unwrap();
        let observed: Vec<&str> =
            all.iter().filter(|one| one.kind == "decision").map(|one| one.text.as_str()).collect();
        assert_eq!(observed, ["Noted: We sell the boat.", "Noted: The boat is sold."]);
        assert_eq!(place.run(&engine).tally.observations, 0);
    }
}

#[test]
fn a_long_conversation_is_read_in_parts_that_fit() {
    let model = Model::start(observing);
    let place = Place::new(&model, |settings| {
        settings.enrich.sessions = true;
        settings.model.context_tokens = 500;
        settings.model.concurrency = 3;
    });
    let engine = place.open();
    let source = SourceDraft::new(SourceType::Chat, "/chats/one.json");
    let turns = (0..30).map(|at| turn("long", at, &format!("{at}: {}", "word ".repeat(60)), 30));
    engine.ingest(&source, turns.collect()).unwrap();
    let done = place.run(&engine);
    assert_eq!((done.tally.memories, done.left[&ReadingTask::Sessions]), (30, 0));
    assert_eq!(u64::from(done.tally.observations), model.asked() as u64);
    assert!((8..=12).contains(&model.asked()), "{}", model.asked());
}
