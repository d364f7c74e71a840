//! Memories are read by a scripted model on a real socket; what it says becomes edges and facts.

#[path = "../../../griot-models/tests/chat/vendor.rs"]
#[allow(dead_code)]
mod vendor;

mod extraction;
mod merges;
mod notes;
mod queue;
mod sessions;
mod summaries;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use griot::engine::{Access, Engine, FactDraft, ModelProvider, ReplyForm, Settings};
use griot::model::{
    EdgeKind, EntityType, MemoryId, OfferState, Predicate, Provenance, ReadingOutcome, ReadingTask, Scope,
    SourceType, Timestamp,
};
use griot::recall::PathNode;
use griot::remember::{Draft, EntityDraft, SourceDraft};
use griot_enrich::{Done, Wish, estimate, run};
use serde_json::{Value, json};
use vendor::{Act, Seen, Vendor};

const START: i64 = 1_700_000_000_000;

struct World {
    folder: tempfile::TempDir,
    engine: Engine,
    vendor: Vendor,
}

impl World {
    fn new(act: fn(&Seen) -> Act, change: impl Fn(&mut Settings)) -> Self {
        let vendor = Vendor::start(vec![Act::By(act)]);
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("key"), "sk-test\n").expect("a key");
        let mut settings = Settings::default();
        settings.model.provider = ModelProvider::Openai;
        settings.model.name = "test-model".into();
        settings.model.url = vendor.address.clone();
        settings.model.key_file = folder.path().join("key");
        settings.enrich.gleaning = 0;
        change(&mut settings);
        let access = Access { create: true, read_only: false };
        let time = AtomicI64::new(START);
        let clock = Arc::new(move || Timestamp(time.fetch_add(1000, Ordering::Relaxed)));
        let engine = Engine::open(&folder.path().join("griot.db"), access, settings).expect("a workspace");
        Self { folder, engine: engine.with_clock(clock), vendor }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("griot.db")
    }

    fn say(&self, draft: Draft) -> MemoryId {
        self.engine.remember(draft).expect("it is stored").id
    }

    fn wish(task: ReadingTask) -> Wish {
        Wish { tasks: vec![task], ..Wish::default() }
    }

    fn read(&self, task: ReadingTask) -> Done {
        run(&self.engine, &self.database(), &Self::wish(task), &|_| {}, &AtomicBool::new(false))
            .expect("it runs")
    }

    fn edges(&self, kind: EdgeKind, by: Provenance) -> Vec<(String, String, Option<String>)> {
        let read = self.engine.read().expect("a view");
        let mut found = Vec::new();
        for edge in read.edges_after(0, 1000).expect("edges") {
            if edge.kind == kind && edge.provenance == by {
                let ends = read.memories(&[edge.source, edge.target]).expect("memories");
                let reason = edge.evidence.first().and_then(|evidence| evidence.reason.clone());
                found.push((ends[0].text.clone(), ends[1].text.clone(), reason));
            }
        }
        found
    }
}

/// What a request asks for.
fn task(seen: &Seen) -> &str {
    seen.body.pointer("/messages/0/content").and_then(Value::as_str).expect("a task")
}

/// What a request is about.
fn content(seen: &Seen) -> Value {
    let text = seen.body.pointer("/messages/1/content").and_then(Value::as_str).expect("a content");
    serde_json::from_str(text).expect("an object")
}

/// Decides by words: a flood led to the closing, the school comes after the mill.
fn judge(seen: &Seen) -> Act {
    let mut decisions = Vec::new();
    for memory in content(seen)["memories"].as_array().expect("memories") {
        let own = memory["text"].as_str().expect("a text");
        for other in memory["earlier"].as_array().expect("earlier texts") {
            let text = other["text"].as_str().expect("a text");
            let (relation, confidence) = match () {
                () if own.contains("closed") && text.contains("flood") => ("caused_by", 0.9),
                () if own.contains("school") && text.contains("mill") => ("replaces", 0.8),
                () if own.contains("closed") => ("caused_by", 0.55),
                () => ("none", 0.9),
            };
            decisions.push(json!({
                "number": other["number"], "relation": relation, "confidence": confidence,
                "reason": "it says so",
            }));
        }
    }
    decisions.push(json!({"number": 77, "relation": "caused_by", "confidence": 1.0, "reason": ""}));
    Act::reply("openai", &json!({"decisions": decisions}).to_string())
}

const FLOOD: &str = "A flood came over the quay in the night.";
const CLOSED: &str = "The shop at the quay is closed for two weeks.";
const MILL: &str = "The archive of the town is kept in the old mill.";
const SCHOOL: &str = "The archive of the town is kept in the school.";

#[test]
fn sure_decisions_become_edges_and_denials_refuse_nothing() {
    let world = World::new(judge, |_| {});
    for text in [FLOOD, MILL, "The bell rings at nine.", CLOSED, SCHOOL] {
        world.say(Draft::new(text));
    }
    let open = |world: &World| -> Vec<_> {
        let all = world.engine.offers(None, true, &Scope::default(), 1000).expect("offers");
        all.into_iter().filter(|view| view.state == OfferState::Open).map(|view| view.offer.id()).collect()
    };
    let before = open(&world);
    let done = world.read(ReadingTask::Causes);
    let it = Some("it says so".to_string());
    let caused = world.edges(EdgeKind::Causal, Provenance::Llm);
    assert_eq!(caused, [(FLOOD.to_string(), CLOSED.to_string(), it.clone())]);
    let replaced = world.edges(EdgeKind::Supersedes, Provenance::Llm);
    assert_eq!(replaced, [(SCHOOL.to_string(), MILL.to_string(), it)]);
    assert_eq!((done.tally.memories, done.tally.links, done.tally.dropped), (5, 2, 0));
    assert!(done.skipped > 0 && done.failure.is_none(), "{done:?}");
    // The first memory has no earlier one, so it was not asked about.
    assert_eq!(world.vendor.seen().len(), 4);
    let all = world.engine.offers(None, true, &Scope::default(), 1000).expect("offers");
    assert!(all.iter().all(|view| view.state != OfferState::Refused));
    let taken = all.iter().filter(|view| view.state == OfferState::Taken).count();
    assert_eq!(open(&world).len() + taken, before.len());
    assert!(taken > 0);
    assert_eq!(world.engine.unread_count(ReadingTask::Causes).expect("a count"), 0);
    assert_eq!(world.read(ReadingTask::Causes).tally.memories, 0);
}

#[test]
fn what_was_ingested_without_offers_is_compared_too() {
    let world = World::new(judge, |settings| settings.enrich.batch = 5);
    let draft = |text: &str, ordinal: u32| Draft {
        session: Some("monday".into()),
        ordinal: Some(ordinal),
        occurred_at: Some(Timestamp(START)),
        kind: Some("turn".into()),
        ..Draft::new(text)
    };
    let drafts = vec![draft(FLOOD, 0), draft("Is it deep?", 1), draft(CLOSED, 2)];
    world.engine.ingest(&SourceDraft::new(SourceType::Chat, "talk"), drafts).expect("it is read");
    assert!(world.engine.offers(None, true, &Scope::default(), 10).expect("offers").is_empty());
    let planned = estimate(&world.engine, &World::wish(ReadingTask::Causes)).expect("an estimate");
    assert_eq!((planned.memories, planned.calls), (3, 1));
    let done = world.read(ReadingTask::Causes);
    assert_eq!((done.tally.links, world.vendor.seen().len()), (1, 1));
    assert_eq!(world.edges(EdgeKind::Causal, Provenance::Llm).len(), 1);
}

#[test]
fn passages_have_no_causes_and_private_texts_are_not_sent() {
    let world = World::new(judge, |_| {});
    let passage = |text: &str| Draft { kind: Some("passage".into()), ..Draft::new(text) };
    let source = SourceDraft::new(SourceType::File, "notes.md");
    world.engine.ingest(&source, vec![passage(FLOOD), passage(CLOSED)]).expect("it is read");
    assert_eq!(world.read(ReadingTask::Causes).tally.memories, 2);
    let scope = Scope { user: Some("ada".into()), project: None };
    world.say(Draft { scope, ..Draft::new("A secret flood in the cellar.") });
    world.say(Draft::new("The shop is closed again."));
    let done = world.read(ReadingTask::Causes);
    assert_eq!(done.outcomes.get(&ReadingOutcome::Withheld), Some(&1));
    let sent: Vec<String> = world.vendor.seen().iter().map(|seen| seen.body.to_string()).collect();
    assert!(!sent.is_empty() && sent.iter().all(|body| !body.contains("secret")), "{sent:?}");
}

#[test]
fn a_pair_that_was_refused_is_not_asked_about() {
    let world = World::new(judge, |_| {});
    for text in [MILL, "The bell rings at nine.", SCHOOL] {
        world.say(Draft::new(text));
    }
    let all = world.engine.offers(None, true, &Scope::default(), 1000).expect("offers");
    let refused = all.iter().find(|view| view.newer.text == SCHOOL && view.other.text == MILL);
    world.engine.forget(&refused.expect("it is offered").offer.id()).expect("it is refused");
    world.read(ReadingTask::Causes);
    assert_eq!(world.edges(EdgeKind::Supersedes, Provenance::Llm), []);
}

fn facts(seen: &Seen) -> Act {
    let triple = |number: &Value, [subject, predicate, object]: [&str; 3]| -> Value {
        json!({"number": number, "subject": subject, "predicate": predicate, "object": object})
    };
    let mut all = Vec::new();
    for passage in content(seen)["passages"].as_array().expect("passages") {
        let (text, number) = (passage["text"].as_str().expect("a text"), &passage["number"]);
        if text.contains("Redis") {
            all.push(triple(number, ["Shop", "runs_on", "Redis"]));
        }
        if text.contains("Valkey") {
            all.push(triple(number, ["Shop", "runs on", "Valkey"]));
            all.push(triple(number, ["Shop", "runs_on", "Kubernetes"]));
            all.push(triple(number, ["Shop", "admired_by", "Valkey"]));
        }
        if text.contains("tea") {
            all.push(triple(number, ["Ada", "prefers", "tea in the morning"]));
        }
    }
    Act::reply("openai", &json!({"facts": all}).to_string())
}

fn known(world: &World) -> Vec<String> {
    let views = world.engine.facts(None, None, None).expect("facts");
    let line = |view: &griot::engine::FactView| {
        let object = match &view.object {
            Some(PathNode::Entity { name, .. }) => name,
            _ => "…",
        };
        format!("{} {object}{}", view.fact.predicate.name(), if view.current { "" } else { " then" })
    };
    views.iter().map(line).collect()
}

#[test]
fn facts_hold_from_the_time_of_their_memory_and_contradictions_stay() {
    let world = World::new(facts, |settings| settings.enrich.batch = 3);
    let at = |day: i64, text: &str| Draft {
        kind: Some("decision".into()),
        occurred_at: Some(Timestamp(START - Timestamp::DAY * day)),
        ..Draft::new(text)
    };
    world.say(at(9, "The Shop runs on Redis."));
    world.say(at(3, "The Shop runs on Valkey."));
    world.say(at(3, "Ada likes tea in the morning."));
    world.say(Draft { kind: Some("refactor".into()), ..Draft::new("Renamed the Redis client of the Shop.") });
    let done = world.read(ReadingTask::Facts);
    assert_eq!((done.tally.memories, done.tally.facts, done.tally.dropped, done.skipped), (4, 3, 1, 1));
    let sent: String = world.vendor.seen().iter().map(|seen| seen.body.to_string()).collect();
    assert!(!sent.contains("Renamed"), "{sent}");
    assert_eq!(known(&world), ["runs_on Redis then", "runs_on Valkey", "prefers …"]);
    // Said of the same time, the two contradict each other, and neither ends.
    world.say(at(3, "No, the Shop runs on Redis at that time."));
    world.read(ReadingTask::Facts);
    let open: Vec<_> = world.engine.facts(Some("Shop"), None, None).expect("facts");
    let opposed = open.iter().filter(|view| !view.contradicts.is_empty()).count();
    assert_eq!((open.len(), opposed), (3, 2), "{open:#?}");
}

#[test]
fn a_fact_of_a_person_is_contradicted_and_not_closed() {
    let world = World::new(facts, |_| {});
    let said = FactDraft {
        subject: "Shop".into(),
        predicate: Predicate::RunsOn,
        object: "Postgres".into(),
        valid_from: Some(Timestamp(START - Timestamp::DAY)),
        valid_to: None,
        confidence: None,
        memory: None,
        reason: None,
        scope: Scope::default(),
    };
    world.engine.add_fact(&said).expect("it is stored");
    world.say(Draft::new("The Shop runs on Redis."));
    world.read(ReadingTask::Facts);
    let views = world.engine.facts(Some("Shop"), None, None).expect("facts");
    assert_eq!(views.iter().filter(|view| view.current && view.contradicts.len() == 1).count(), 2);
}

#[test]
fn a_name_from_the_memory_of_a_user_is_not_sent_with_that_of_others() {
    let world = World::new(facts, |_| {});
    let named = |name: &str| vec![EntityDraft::named(name, Some(EntityType::Org))];
    let scope = Scope { user: Some("ada".into()), project: None };
    let text = "The North Harbour Company is mine.";
    world.say(Draft { scope, entities: named("North Harbour Company"), ..Draft::new(text) });
    world.say(Draft { entities: named("NHC"), ..Draft::new("NHC runs on Redis.") });
    let request = griot::engine::MergeRequest {
        kept: "North Harbour Company".into(),
        merged: "NHC".into(),
        reason: None,
        by: Provenance::User,
    };
    world.engine.merge(&request).expect("it is merged");
    world.read(ReadingTask::Facts);
    let sent: String = world.vendor.seen().iter().map(|seen| seen.body.to_string()).collect();
    assert!(sent.contains("NHC runs on") && !sent.contains("Harbour"), "{sent}");
}

/// Names the shop and its database, in capitals or not, and states one fact about them.
fn reader(seen: &Seen) -> Act {
    if task(seen).contains("lasting facts") {
        return Act::reply(
            "openai",
            &json!({"facts": [
                {"number": 1, "subject": "shop", "predicate": "runs_on", "object": "the database"},
            ]})
            .to_string(),
        );
    }
    let entity = |name: &str| json!({"name": name, "type": "tool", "description": "d"});
    let passages = content(seen)["passages"].as_array().expect("passages").clone();
    let passages = passages.iter().map(|passage| {
        let entities = [entity("shop"), entity("database")];
        json!({"number": passage["number"], "entities": entities, "relations": []})
    });
    Act::reply("openai", &json!({"passages": passages.collect::<Vec<_>>()}).to_string())
}

#[test]
fn a_turn_waits_for_its_names_before_facts_are_asked_for() {
    let world = World::new(reader, |_| {});
    let turn = Draft { kind: Some("turn".into()), ..Draft::new("our shop runs on the database now.") };
    world.engine.ingest(&SourceDraft::new(SourceType::Chat, "talk"), vec![turn]).expect("it is read");
    let planned = estimate(&world.engine, &World::wish(ReadingTask::Facts)).expect("an estimate");
    let done = world.read(ReadingTask::Facts);
    assert_eq!((planned.memories, done.tally.memories, done.left[&ReadingTask::Facts]), (0, 0, 1));
    assert_eq!(world.vendor.seen().len(), 0);
    world.read(ReadingTask::Extraction);
    let done = world.read(ReadingTask::Facts);
    assert_eq!((done.tally.memories, done.tally.facts, done.left[&ReadingTask::Facts]), (1, 1, 0));
}

#[test]
fn turns_without_a_name_are_not_asked_about_and_blocks_are_read() {
    fn blocks(_: &Seen) -> Act {
        let text = "Here:\n<passage number=\"1\"><triple><subject>Shop</subject><predicate>uses</predicate>\
            <object>Redis</object></triple></passage>";
        Act::reply("openai", text)
    }
    for form in [ReplyForm::Lines, ReplyForm::Json] {
        let world = World::new(blocks, |settings| {
            settings.enrich.reply = form;
            settings.enrich.extraction = false;
        });
        let turn =
            |text: &str| Draft { kind: Some("turn".into()), speaker: Some("Ada".into()), ..Draft::new(text) };
        let drafts =
            vec![turn("Hello there."), turn("The Shop uses Redis."), turn("I prefer short meetings.")];
        world.engine.ingest(&SourceDraft::new(SourceType::Chat, "talk"), drafts).expect("it is read");
        let done = world.read(ReadingTask::Facts);
        assert_eq!((world.vendor.seen().len(), done.tally.memories, done.tally.facts), (2, 3, 1), "{done:?}");
    }
}
