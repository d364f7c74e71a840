//! Counts the requests of a recall to its store: its cost if each request is a network round trip.

use std::sync::Arc;

use griot::backend::sqlite::{Options, SqliteBackend};
use griot::embed::StaticEmbedder;
use griot::engine::{Engine, GraphsToBuild, Settings};
use griot::model::{SourceType, Tier, Timestamp};
use griot::recall::{Query, Recall};
use griot::remember::{Draft, EntityDraft, SourceDraft};
use griot::store::Indexed;
use griot_testkit::{Switch, Watched};

const NOW: Timestamp = Timestamp(1_748_779_200_000);
const QUESTION: &str =
    "Who was the first president of the society that publishes the Journal of Tidal Studies?";
const ANSWER: &str = "When the Harbour Circle was founded, Ada Quell became its head, the first of nine.";

fn say(engine: &Engine, text: &str, names: &[&str]) {
    let entities = names.iter().map(|name| EntityDraft::named(*name, None)).collect();
    let draft = Draft { entities, ..Draft::new(text) };
    engine.remember_all(&SourceDraft::new(SourceType::File, text), vec![draft]).unwrap();
}

/// The most requests for a two-hop answer; `cargo xtask check` prints the number.
const REQUESTS_PER_RECALL: usize = 12;

/// About a hundred memories in many sessions, several kinds of edges, and a two-hop question.
fn furnish(engine: &Engine) {
    let publisher = "The Journal of Tidal Studies is published by the Harbour Circle.";
    say(engine, publisher, &["Journal of Tidal Studies", "Harbour Circle"]);
    say(engine, ANSWER, &["Harbour Circle", "Ada Quell"]);
    say(engine, "The Harbour Circle meets on Fridays.", &["Harbour Circle"]);
    for day in 0..30 {
        let session = format!("day {day}");
        let turn = |turn: usize| {
            let text = match turn % 4 {
                0 => format!("Ada Quell presided over the society on day {day}, {turn} came."),
                1 => format!("The Journal of Harbour Studies printed number {day}-{turn} in 2021."),
                2 => format!("Because the first press broke, the president moved issue {day}-{turn}."),
                _ => format!("Who was at the Rowing Club on day {day}, at table {turn}?"),
            };
            Draft { session: Some(session.clone()), ..Draft::new(text) }
        };
        engine
            .remember_all(&SourceDraft::new(SourceType::Chat, &session), (0..10).map(turn).collect())
            .unwrap();
    }
    let alike = GraphsToBuild { semantic: Some(0.9), temporal: false };
    engine.build_graphs(alike, &mut |_, _| {}).unwrap();
}

fn ask_once(engine: &Engine, switch: &Switch, query: &Query) -> (Recall, usize) {
    switch.take_requests();
    let answer = engine.recall(query).unwrap();
    (answer, switch.take_requests())
}

#[test]
fn a_two_hop_answer_costs_at_most_twelve_requests() {
    let (folder, switch) = (tempfile::tempdir().unwrap(), Switch::default());
    let store = SqliteBackend::open(
        &folder.path().join("store.db"),
        Options { sync_full: false, ..Options::default() },
    )
    .unwrap();
    let store = Watched::over(Box::new(Indexed::new(store).unwrap()), &switch);
    let clock = Arc::new(|| NOW);
    let engine = Engine::new(Box::new(store), Arc::new(StaticEmbedder), clock, Settings::default()).unwrap();
    furnish(&engine);

    // The answer shares no word with the question, so the floor would take it.
    let asked = Query { floor: false, ..Query::new(QUESTION, NOW) };
    let (_, requests) = ask_once(&engine, &switch, &asked);
    println!("two hops: {requests} requests");
    let (answer, _) = ask_once(&engine, &switch, &Query { limit: 60, ..asked });
    let found = answer.results.iter().find(|result| result.memory.text == ANSWER).unwrap();
    assert!(found.path.len() >= 2 && !answer.understanding.entities.is_empty(), "{found:?}");
    assert!(answer.candidates > 100 && answer.results.len() >= 10);
    assert!(requests <= REQUESTS_PER_RECALL, "{requests} requests");

    // Times and rules need no additional request.
    let timed = "Who was the first president before the Harbour Circle was founded in 2021?";
    let (_, requests) = ask_once(&engine, &switch, &Query::new(timed, NOW));
    // Many of its matches are duplicates, so that a second page is read.
    assert!(requests <= REQUESTS_PER_RECALL + 2, "{requests} requests with times");
    engine.remember(Draft { tier: Some(Tier::Rule), ..Draft::new("Name the president in full.") }).unwrap();
    let (answer, requests) = ask_once(&engine, &switch, &Query::new(QUESTION, NOW));
    assert_eq!(answer.rules.shown.len(), 1);
    assert!(requests <= REQUESTS_PER_RECALL, "{requests} requests with rules");
    let (_, requests) = ask_once(&engine, &switch, &Query { graph: false, ..Query::new(QUESTION, NOW) });
    assert!(requests <= 8, "{requests} requests without the graph");
    let why = "Why did the president move issue 3-2?";
    let (_, requests) = ask_once(&engine, &switch, &Query::new(why, NOW));
    println!("why: {requests} requests");
    assert!(requests <= 18, "{requests} requests of a WHY question");
    let wish = "We always call Ada Quell before noon.";
    engine.remember(Draft::new(wish)).unwrap();
    let (answer, requests) = ask_once(&engine, &switch, &Query::new("Call Ada Quell about the issue", NOW));
    assert_eq!(answer.results[0].memory.text, wish);
    println!("order: {requests} requests");
    assert!(requests <= 12, "{requests} requests of an order");
}
