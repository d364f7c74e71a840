//! Notes, links with neighbours, and notes that a later memory changes.

use griot::engine::Note;
use griot::model::{EdgeKind, MemoryId, Provenance, ReadingTask, Timestamp};
use griot::remember::Draft;
use serde_json::{Value, json};

use crate::vendor::{Act, Seen};
use crate::{START, World, content, task};

const FIRST: &str = "The ferry to Lisbon leaves at nine in the morning.";
const LATER: &str = "The ferry to Lisbon leaves at ten in the morning since May.";

/// Notes each memory, links it with every neighbour, and changes the note of the first.
fn noting(seen: &Seen) -> Act {
    let content = content(seen);
    let reply = if task(seen).contains("`should_evolve`") {
        assert_eq!(content["neighbours"][0]["context"], "own");
        let change = json!({"neighbour": 0, "should_evolve": true, "new_keywords": ["ferry"], "new_tags": [],
            "new_context": "It leaves later now."});
        json!({"neighbours": [change]})
    } else if task(seen).contains("`contradicts`") {
        let neighbours = content["neighbours"].as_array().map_or(0, Vec::len);
        let link =
            |at: usize| json!({"neighbour": at, "type": "contradicts", "confidence": 0.9, "reason": "r"});
        let unknown = json!({"neighbour": 99, "type": "semantic", "confidence": 0.9, "reason": "none such"});
        let links: Vec<Value> = (0..neighbours).map(link).chain([unknown]).collect();
        json!({ "links": links })
    } else {
        json!({"keywords": ["ferry"], "tags": ["Day Trip"], "context": "own"})
    };
    Act::reply("openai", &reply.to_string())
}

fn declining_links(seen: &Seen) -> Act {
    match task(seen).contains("`contradicts`") {
        true => Act::reply("openai", "I would rather not."),
        false => noting(seen),
    }
}

fn said(text: &str, days_ago: i64) -> Draft {
    Draft { occurred_at: Some(Timestamp(START - days_ago * 24 * Timestamp::HOUR)), ..Draft::new(text) }
}

fn notes(world: &World, memory: MemoryId) -> Vec<Note> {
    world.engine.notes(&memory.to_string()).expect("notes")
}

#[test]
fn a_later_memory_is_noted_linked_and_changes_the_note_of_the_earlier_one() {
    let world = World::new(noting, |_| {});
    let first = world.say(said(FIRST, 9));
    assert_eq!(world.read(ReadingTask::Notes).tally.memories, 1);
    assert_eq!(world.vendor.seen().len(), 1, "without neighbours there is one question");
    let later = world.say(said(LATER, 1));
    let done = world.read(ReadingTask::Notes);
    assert_eq!(done.failure, None);
    assert_eq!((done.tally.memories, done.tally.evolved, done.tally.links), (1, 1, 1));
    assert_eq!((done.skipped, done.left[&ReadingTask::Notes]), (1, 0));
    let of_first = notes(&world, first);
    let [changed, own] = of_first.as_slice() else { panic!("{of_first:?}") };
    assert_eq!((changed.context.as_str(), changed.counts), ("It leaves later now.", true));
    assert!(changed.by.is_some());
    assert_eq!((own.context.as_str(), own.tags.as_slice()), ("own", ["day-trip".to_string()].as_slice()));
    assert_eq!(notes(&world, later).len(), 1);
    assert_eq!(world.edges(EdgeKind::Contradicts, Provenance::Llm).len(), 1);

    let asked = world.vendor.seen().len();
    assert_eq!(world.read(ReadingTask::Notes).tally.memories, 0);
    assert_eq!(world.vendor.seen().len(), asked, "nothing is asked twice");
}

#[test]
fn a_note_is_kept_if_the_reply_about_links_is_of_no_use() {
    let world = World::new(declining_links, |_| {});
    let memories = [FIRST, LATER].map(|text| world.say(said(text, 1)));
    let done = world.read(ReadingTask::Notes);
    assert_eq!((done.failure, done.tally.memories, done.tally.links), (None, 2, 0));
    assert_eq!(done.left[&ReadingTask::Notes], 0);
    assert!(memories.iter().all(|memory| notes(&world, *memory).len() == 1));
}

#[test]
fn without_neighbours_there_is_one_question_for_each_memory() {
    let world = World::new(noting, |settings| settings.enrich.neighbours = 0);
    for text in [FIRST, LATER] {
        world.say(said(text, 1));
    }
    assert_eq!(world.read(ReadingTask::Notes).tally.memories, 2);
    assert_eq!(world.vendor.seen().len(), 2);
}
