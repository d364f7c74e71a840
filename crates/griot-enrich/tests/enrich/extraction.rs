//! Names and relations in texts.

use std::sync::atomic::AtomicBool;

use griot::model::{ReadingOutcome, ReadingTask};
use griot::remember::Draft;
use griot_enrich::{Wish, run};
use serde_json::{Value, json};

use crate::vendor::{self, Act, Seen};
use crate::{World, content, task};

fn passages(seen: &Seen) -> Vec<Value> {
    content(seen)["passages"].as_array().expect("passages").clone()
}

/// Names the first word of each passage, and is cut in the last of several, or behind the names of the only
/// one.
fn cut(seen: &Seen) -> Act {
    let name = |passage: &Value| {
        passage["text"].as_str().and_then(|text| text.split(' ').next().map(str::to_string))
    };
    let named = passages(seen).into_iter().map(|passage| {
        let entity = json!({"name": name(&passage), "type": "person", "description": "d"});
        json!({"number": passage["number"], "entities": [entity], "relations": []}).to_string()
    });
    let all = format!("{{\"passages\": [{}]}}", named.collect::<Vec<_>>().join(", "));
    let keep = match passages(seen).len() {
        1 => all.rfind(",\"relations\"").expect("relations"),
        _ => all.rfind("\"description\"").expect("a description"),
    };
    Act::json(200, &vendor::reply("openai", &all[..keep], true))
}

/// Reads three texts at once with a model that replies like this; each of them is then read alone.
fn all_are_read_alone(act: fn(&Seen) -> Act) {
    let world = World::new(act, |settings| settings.enrich.batch = 3);
    for text in ["Ada repairs a clock.", "Mira sells a boat.", "Ole paints a house."] {
        world.say(Draft::new(text));
    }
    let done = world.read(ReadingTask::Extraction);
    assert_eq!((done.failure, done.outcomes.len(), done.tally.memories), (None, 0, 3));
    // All three, and each alone.
    assert_eq!(world.vendor.seen().len(), 4);
    for name in ["Ada", "Mira", "Ole"] {
        assert_eq!(world.engine.entity(name, 1, 9).expect(name).mention_count, 1);
    }
}

#[test]
fn of_a_reply_that_was_cut_only_what_is_about_one_text_counts() {
    all_are_read_alone(cut);
}

/// Names people in another language than that of the form.
fn foreign(seen: &Seen) -> Act {
    let name = |passage: &Value| match passage["text"].as_str() {
        Some("Ada repairs a clock.") => json!({"name": "Ada", "type": "person", "description": "d"}),
        _ => json!({"nom": "Mira", "genre": "personne"}),
    };
    let passages = passages(seen)
        .into_iter()
        .map(|passage| json!({"number": passage["number"], "entities": [name(&passage)], "relations": []}));
    Act::reply("openai", &json!({"passages": passages.collect::<Vec<Value>>()}).to_string())
}

#[test]
fn what_cannot_be_read_is_no_way_to_say_that_there_is_nothing() {
    let world = World::new(foreign, |settings| settings.enrich.batch = 1);
    for text in ["Ada repairs a clock.", "Mira sells a boat."] {
        world.say(Draft::new(text));
    }
    let done = world.read(ReadingTask::Extraction);
    assert_eq!((done.failure, done.outcomes), (None, [(ReadingOutcome::Unreadable, 1)].into()));
}

/// Names the first word of the first text only.
fn of_first(seen: &Seen) -> Value {
    let name = passages(seen)[0]["text"].as_str().and_then(|text| text.split(' ').next().map(str::to_string));
    json!({"entities": [{"name": name, "type": "person", "description": "d"}], "relations": []})
}

/// Does not say of which text it speaks.
fn forgetful(seen: &Seen) -> Act {
    Act::reply("openai", &json!({"passages": [of_first(seen)]}).to_string())
}

fn partial(seen: &Seen) -> Act {
    let mut first = of_first(seen);
    first["number"] = json!(1);
    Act::reply("openai", &json!({"passages": [first]}).to_string())
}

#[test]
fn a_text_that_a_reply_does_not_speak_of_is_asked_about_alone() {
    all_are_read_alone(forgetful);
    all_are_read_alone(partial);
}

#[test]
fn the_texts_of_one_request_share_what_the_model_takes() {
    let world = World::new(partial, |settings| {
        settings.enrich.batch = 2;
        settings.model.context_tokens = 1000;
    });
    for name in ["Ada", "Mira"] {
        world.say(Draft::new(format!("{name} {}", "counts the boats. ".repeat(400))));
    }
    world.read(ReadingTask::Extraction);
    for seen in world.vendor.seen() {
        let texts: usize = passages(&seen).iter().map(|one| one["text"].as_str().map_or(0, str::len)).sum();
        assert!(texts <= 3000, "{texts}");
    }
}

/// Names the first word of each text, and answers like this when it is asked what it overlooked.
fn once(seen: &Seen, again: Act) -> Act {
    if task(seen).contains("overlooked in stored") {
        return again;
    }
    let named = passages(seen).into_iter().map(|passage| {
        let name = passage["text"].as_str().and_then(|text| text.split(' ').next().map(str::to_string));
        let entity = json!({"name": name, "type": "person", "description": "d"});
        json!({"number": passage["number"], "entities": [entity], "relations": []})
    });
    Act::reply("openai", &json!({"passages": named.collect::<Vec<Value>>()}).to_string())
}

fn locked(seen: &Seen) -> Act {
    once(seen, Act::failure(401, "the key is wrong"))
}

fn rambling(seen: &Seen) -> Act {
    once(seen, Act::reply("openai", "I would rather not look again."))
}

fn finding(seen: &Seen) -> Act {
    once(seen, Act::reply("openai", "{\"passages\": []}"))
}

fn twice(act: fn(&Seen) -> Act) -> World {
    let world = World::new(act, |settings| {
        (settings.enrich.gleaning, settings.enrich.batch, settings.model.concurrency) = (1, 1, 1);
    });
    for text in ["Ada repairs a clock.", "Mira sells a boat."] {
        world.say(Draft::new(text));
    }
    world
}

#[test]
fn a_second_look_that_fails_leaves_the_work_and_pays_the_first_once() {
    let world = twice(locked);
    let done = world.read(ReadingTask::Extraction);
    assert!(done.failure.is_some(), "{done:?}");
    assert_eq!((done.tally.memories, done.left[&ReadingTask::Extraction]), (0, 2));
    let before = world.vendor.seen().len();
    assert_eq!(before, 2);
    world.read(ReadingTask::Extraction);
    let again: Vec<String> =
        world.vendor.seen()[before..].iter().map(|seen| task(seen).to_string()).collect();
    assert!(again.len() == 1 && again[0].contains("overlooked in stored"), "{again:?}");
}

#[test]
fn a_budget_between_both_looks_leaves_the_work() {
    let world = World::new(finding, |settings| {
        (settings.enrich.gleaning, settings.enrich.batch, settings.model.concurrency) = (1, 1, 1);
        settings.model.run_calls = 3;
    });
    for text in ["Ada repairs a clock.", "Mira sells a boat.", "Ole paints a house."] {
        world.say(Draft::new(text));
    }
    let left: Vec<u64> =
        (0..2).map(|_| world.read(ReadingTask::Extraction).left[&ReadingTask::Extraction]).collect();
    assert_eq!(left, [2, 0]);
    assert_eq!(world.vendor.seen().len(), 6);
}

#[test]
fn a_second_look_without_a_usable_reply_keeps_what_was_found_and_is_repeated_on_request() {
    let world = twice(rambling);
    let done = world.read(ReadingTask::Extraction);
    assert_eq!((done.failure, done.outcomes), (None, [(ReadingOutcome::Unreadable, 2)].into()));
    assert_eq!(world.engine.entity("Ada", 1, 9).expect("Ada").mention_count, 1);
    let before = world.vendor.seen().len();
    let wish = Wish { retry: true, ..World::wish(ReadingTask::Extraction) };
    run(&world.engine, &world.database(), &wish, &|_| {}, &AtomicBool::new(false)).expect("it runs");
    // The first replies are kept.
    assert_eq!(world.vendor.seen().len(), before + 2);
    assert_eq!(world.engine.entity("Ada", 1, 9).expect("Ada").mention_count, 1);
}
