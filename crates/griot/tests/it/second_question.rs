//! Questions whose answer shares no word with them but the name of a bridge, which only another memory gives.

use griot::engine::Engine;
use griot::model::{EdgeKind, SourceType};
use griot::recall::{Hop, PathNode, Query, RecallResult};
use griot::remember::{Draft, EntityDraft, SourceDraft};

use crate::support::{ask, opened};

pub const QUESTION: &str =
    "Who was the first president of the society that publishes the Journal of Tidal Studies?";
const BRIDGE: &str = "The Journal of Tidal Studies is published by the Harbour Circle.";
pub const ANSWER: &str = "When the Harbour Circle was founded, Ada Quell became its head, the first of nine.";

fn say(engine: &Engine, text: &str, names: &[&str]) {
    let entities = names.iter().map(|name| EntityDraft::named(*name, None)).collect();
    let draft = Draft { entities, ..Draft::new(text) };
    engine.remember_all(&SourceDraft::new(SourceType::File, text), vec![draft]).unwrap();
}

/// Many presidents, one journal, and one sentence about the head of the circle that publishes it.
pub fn fill(engine: &Engine) {
    for (number, name) in
        ["Chess", "Garden", "Rowing", "Choir", "Archery", "Model Railway"].iter().enumerate()
    {
        let club = format!("{name} Club");
        say(
            engine,
            &format!(
                "The first president of the {club}, a society of the town, was elected in year {number}."
            ),
            &[&club],
        );
    }
    say(engine, BRIDGE, &["Journal of Tidal Studies", "Harbour Circle"]);
    say(engine, ANSWER, &["Harbour Circle", "Ada Quell"]);
    say(engine, "The Harbour Circle meets on Fridays.", &["Harbour Circle"]);
}

fn signal(result: &RecallResult, name: &str) -> f32 {
    result.signals.iter().find(|signal| signal.name == name).map_or(0.0, |signal| signal.value)
}

#[test]
fn the_passage_that_names_the_bridge_leads_to_the_one_that_answers() {
    let (_workspace, engine) = opened();
    fill(&engine);
    // It shares no word with the question, so the floor would take it.
    let recall = engine.recall(&Query { floor: false, ..ask(QUESTION) }).unwrap();
    let rank = |text: &str| recall.results.iter().position(|result| result.memory.text == text);
    assert_eq!(rank(BRIDGE), Some(0));
    let answer = &recall.results[rank(ANSWER).unwrap()];
    assert!(signal(answer, "bridge") > 0.0 && signal(answer, "bridge_open") > 0.0, "{:?}", answer.signals);
    let sum: f32 = answer.signals.iter().map(|signal| signal.share).sum();
    assert!((sum - answer.score).abs() < 1e-3, "what the second question gives is part of the score");
    assert!(answer.path.iter().all(|hop| hop.kind == EdgeKind::Mentions), "{:?}", answer.path);
    let over = |hop: &Hop| matches!(&hop.to, PathNode::Entity { name, .. } if name == "Harbour Circle");
    assert!(answer.path.iter().any(over), "{:?}", answer.path);
}

#[test]
fn without_the_graph_or_within_one_hop_no_second_question_is_asked() {
    let (_workspace, engine) = opened();
    fill(&engine);
    let one_hop = griot::recall::Reach { hops: 1, memories: 60 };
    for query in [
        griot::recall::Query { graph: false, ..ask(QUESTION) },
        griot::recall::Query { reach: Some(one_hop), ..ask(QUESTION) },
    ] {
        let recall = engine.recall(&query).unwrap();
        assert!(recall.results.iter().all(|result| signal(result, "bridge") == 0.0));
    }
}
