//! How often a recall asks its store: what a question costs where each request is a trip over a network.

use std::sync::Arc;

use griot::backend::sqlite::{Options, SqliteBackend};
use griot::backend::watched::{Switch, Watched};
use griot::embed::StaticEmbedder;
use griot::engine::Engine;
use griot::model::SourceType;
use griot::recall::{Query, Recall};
use griot::remember::{Draft, SourceDraft};

use crate::second_question::{ANSWER, QUESTION, told};
use crate::support::*;

/// At most so many requests of the back end for a two-hop answer; `cargo xtask check` prints it.
const REQUESTS_PER_RECALL: usize = 12;

/// A two-hop question among some hundred memories in many sessions, and edges of several kinds.
fn furnish(engine: &Engine) {
    told(engine);
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
    engine.build_graphs(semantic(0.9), &mut |_, _| {}).unwrap();
}

fn ask_once(engine: &Engine, switch: &Switch, query: &Query) -> (Recall, usize) {
    switch.take_requests();
    let answer = engine.recall(query).unwrap();
    (answer, switch.take_requests())
}

#[test]
fn a_two_hop_answer_costs_at_most_twelve_requests() {
    let (folder, switch) = (tempfile::tempdir().unwrap(), Switch::default());
    let store = SqliteBackend::open(&folder.path().join("store.db"), Options::default()).unwrap();
    let store = Watched::over(Box::new(store), &switch);
    let hands = Hands::new();
    let engine = Engine::new(Box::new(store), Arc::new(StaticEmbedder), hands.clock(), quick()).unwrap();
    furnish(&engine);

    let (answer, requests) = ask_once(&engine, &switch, &Query::new(QUESTION, NOW));
    println!("two hops: {requests} requests");
    let found = answer.results.iter().find(|result| result.memory.text == ANSWER).unwrap();
    assert!(found.path.len() >= 2 && !answer.understanding.entities.is_empty(), "{found:?}");
    assert!(answer.candidates > 100 && answer.results.len() == 10);
    assert!(requests <= REQUESTS_PER_RECALL, "{requests} requests");

    // A span, an event, rules, or no graph: none of them costs a request of its own.
    let timed = "Who was the first president before the Harbour Circle was founded in 2021?";
    let (_, requests) = ask_once(&engine, &switch, &Query::new(timed, NOW));
    assert!(requests <= REQUESTS_PER_RECALL, "{requests} requests with times");
    engine
        .remember(Draft { tier: Some(griot::model::Tier::Rule), ..Draft::new("Name the president in full.") })
        .unwrap();
    let (answer, requests) = ask_once(&engine, &switch, &Query::new(QUESTION, NOW));
    assert_eq!(answer.rules.shown.len(), 1);
    assert!(requests <= REQUESTS_PER_RECALL, "{requests} requests with rules");
    let (_, requests) = ask_once(&engine, &switch, &Query { graph: false, ..Query::new(QUESTION, NOW) });
    assert!(requests <= 8, "{requests} requests without the graph");
    let why = "Why did the president move issue 3-2?";
    let (_, requests) = ask_once(&engine, &switch, &Query::new(why, NOW));
    println!("why: {requests} requests");
    assert!(requests <= 18, "{requests} requests of a WHY question");
}
