//! Entities that many memories describe.

use griot::engine::Beside;
use griot::model::{ErasedKind, Erasure, ReadingTask, Scope, SourceType};
use griot::remember::{Draft, SourceDraft};
use griot_enrich::estimate;
use serde_json::{Value, json};

use crate::vendor::{Act, Seen};
use crate::{World, content};

/// Says of Ada what the text says, and of descriptions how many there are and what was said before.
fn biographer(seen: &Seen) -> Act {
    let content = content(seen);
    let reply = match content["descriptions"].as_array() {
        Some(all) => {
            let before = content["summary"].as_str().map_or(String::new(), |text| format!("{text} "));
            json!({"summary": format!("{before}[{}]", all.len())})
        }
        None => {
            let passages = content["passages"].as_array().expect("passages").iter();
            let passages = passages.map(|passage| {
                let ada = json!({"name": "Ada", "type": "person", "description": passage["text"]});
                json!({"number": passage["number"], "entities": [ada], "relations": []})
            });
            json!({"passages": passages.collect::<Vec<Value>>()})
        }
    };
    Act::reply("openai", &reply.to_string())
}

fn world() -> World {
    // One after the other, so that the latest is known.
    World::new(biographer, |settings| settings.model.concurrency = 1)
}

impl World {
    fn repairs(&self, clocks: std::ops::Range<usize>) {
        for clock in clocks {
            self.say(Draft::new(format!("Ada repairs clock {clock}.")));
        }
    }

    fn description(&self) -> Vec<String> {
        self.engine.entity("Ada", 1, 99).expect("Ada").entity.description
    }

    /// Requests for summaries.
    fn asked(&self) -> Vec<Value> {
        let all = self.vendor.seen();
        all.iter().map(content).filter(|content| content["descriptions"].is_array()).collect()
    }
}

#[test]
fn more_descriptions_than_are_shown_are_summarised() {
    let world = world();
    world.repairs(0..6);
    assert_eq!(world.read(ReadingTask::Extraction).summaries, 0);
    assert_eq!((world.description().len(), world.asked().len()), (6, 0));

    world.repairs(6..7);
    assert_eq!(world.read(ReadingTask::Extraction).summaries, 1);
    let asked = world.asked();
    assert_eq!(
        (asked.len(), asked[0]["name"].as_str(), asked[0]["type"].as_str()),
        (1, Some("Ada"), Some("person"))
    );
    let first = &asked[0]["descriptions"][0];
    assert_eq!(first["text"], "Ada repairs clock 0.");
    assert!(first["when"].as_str().is_some_and(|when| when.starts_with("2023-11-14")), "{first}");
    let described = world.description();
    assert_eq!((described[0].as_str(), described.len()), ("[7]", 6));
    assert_eq!(described[1], "Ada repairs clock 6.", "the latest are shown beside the summary");
}

#[test]
fn only_what_is_new_is_summarised() {
    let world = world();
    world.repairs(0..13);
    assert_eq!(world.read(ReadingTask::Extraction).summaries, 1);
    assert_eq!(world.read(ReadingTask::Extraction).summaries, 0);
    assert_eq!(world.asked().len(), 1);

    world.repairs(13..14);
    assert_eq!(world.read(ReadingTask::Extraction).summaries, 1);
    let asked = world.asked();
    assert_eq!((asked.len(), asked[1]["summary"].as_str()), (2, Some("[7]")));
    assert_eq!(world.description()[0], "[7] [7]");
}

#[test]
fn what_not_everyone_may_see_and_what_the_web_says_is_left_out() {
    let world = world();
    world.repairs(0..6);
    let of = |user: Option<&str>, project: Option<&str>| Scope {
        user: user.map(str::to_string),
        project: project.map(str::to_string),
    };
    world.say(Draft { scope: of(Some("mira"), None), ..Draft::new("Ada repairs a boat.") });
    world.say(Draft { scope: of(None, Some("docks")), ..Draft::new("Ada repairs a dock.") });
    let page = SourceDraft::new(SourceType::Page, "https://example.org/ada");
    world.engine.ingest(&page, vec![Draft::new("Ada repairs the web.")]).expect("it is read");
    world.read(ReadingTask::Extraction);
    assert_eq!(world.asked(), Vec::<Value>::new());
    world.repairs(6..7);
    world.read(ReadingTask::Extraction);
    let asked = world.asked();
    assert_eq!(asked.len(), 1);
    for secret in ["boat", "dock", "web"] {
        assert!(!asked[0].to_string().contains(secret), "{secret}");
    }
}

#[test]
fn a_summary_goes_with_what_it_was_made_of() {
    let world = world();
    world.repairs(0..7);
    world.read(ReadingTask::Extraction);
    let eighth = world.say(Draft::new("Ada repairs clock 7.")).to_string();
    assert_eq!(world.description()[0], "[7]");
    world.engine.forget(&eighth).expect("it is forgotten");
    world.read(ReadingTask::Extraction);
    assert_eq!(world.description()[0], "[7]", "it never was a part");

    let ninth = world.say(Draft::new("Ada repairs clock 8.")).to_string();
    world.read(ReadingTask::Extraction);
    world.engine.forget(&ninth).expect("it is forgotten");
    assert_eq!(world.description()[0], "Ada repairs clock 6.");
    world.read(ReadingTask::Extraction);
    assert_eq!((world.description()[0].as_str(), world.asked().len()), ("[7]", 1), "its reply was kept");

    let mut beside = |_: &Erasure, _: Option<&[String]>| Ok(Beside::default());
    world.engine.erase(ErasedKind::Memory, &ninth, "user", false, &mut beside).expect("it is erased");
    assert_eq!(world.description()[0], "Ada repairs clock 6.");
}

#[test]
fn an_estimate_counts_summaries() {
    let world = world();
    world.repairs(0..14);
    let wish = World::wish(ReadingTask::Extraction);
    assert_eq!(estimate(&world.engine, &wish).expect("an estimate").calls, 14);
    let read = |limit| griot_enrich::Wish { limit: Some(limit), ..World::wish(ReadingTask::Extraction) };
    griot_enrich::run(
        &world.engine,
        &world.database(),
        &read(13),
        &|_| {},
        &std::sync::atomic::AtomicBool::new(false),
    )
    .expect("it runs");
    assert_eq!(world.asked().len(), 0, "not before everything is read");
    let calls = estimate(&world.engine, &wish).expect("an estimate").calls;
    assert_eq!(calls, 2, "one memory is unread, and thirteen descriptions make one summary");
}
