//! What is shown follows from what is live: names and edges whose evidence is gone go with it and come back,
//! edges end when their time is over, and `why` does not depend on the millisecond.

use griot::engine::{Hub, LinkRequest, WhyDirection};
use griot::model::{Provenance, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};

use crate::support::*;

fn hubs(engine: &griot::engine::Engine) -> Vec<String> {
    let hubs = engine.hubs(None, &[], 50).unwrap();
    let mut shown: Vec<String> =
        hubs.iter().map(|Hub { entity, degree }| format!("{} {degree}", entity.name)).collect();
    shown.sort();
    shown
}

#[test]
fn invariant_7_a_name_that_nothing_live_says_is_gone_after_an_edit_and_after_a_forget() {
    let (workspace, engine) = opened();
    let file = SourceDraft::new(SourceType::File, "/notes.md");
    engine.ingest(&file, vec![Draft::new("Grace Hopper chose SQLite.")]).unwrap();
    let before = hubs(&engine);
    assert!(before.iter().any(|hub| hub == "Grace Hopper 1"), "{before:?}");

    workspace.hands.advance(1000);
    engine.ingest(&file, vec![Draft::new("Alan Turing chose Redis.")]).unwrap();
    let edited = hubs(&engine);
    assert!(!edited.iter().any(|hub| hub.contains("Grace") || hub.contains("SQLite")), "{edited:?}");
    assert!(engine.entity("Grace Hopper", 1, 9).is_err());
    assert_sound(&engine);

    let said = remember(&engine, "Edsger Dijkstra chose Kafka.");
    assert!(hubs(&engine).iter().any(|hub| hub == "Edsger Dijkstra 1"));
    let gone = engine.forget(&said.id.to_string()).unwrap();
    assert!(gone.entities.contains(&"person:edsger-dijkstra".to_string()), "{:?}", gone.entities);
    assert!(gone.edges_hidden >= 2);
    assert_eq!(hubs(&engine), edited);
    let back = engine.restore(&said.id.to_string()).unwrap();
    assert_eq!((back.entities, back.edges_hidden), (gone.entities, gone.edges_hidden));
    assert_eq!(engine.entity("Edsger Dijkstra", 1, 9).unwrap().mention_count, 1);
    assert_sound(&engine);
}

#[test]
fn an_edge_that_has_ended_is_no_step_of_any_walk_and_is_counted_apart() {
    let (workspace, engine) = opened();
    let cause = remember(&engine, "The licence of the old parser ran out.").id.to_string();
    let effect = remember(&engine, "No one could build on Tuesday.").id.to_string();
    let end = Timestamp(NOW.0 + 30 * Timestamp::DAY);
    let linked = engine.link(&LinkRequest { expires_at: Some(end), ..link(&cause, &effect) }).unwrap();
    assert_eq!(linked.edge.edge.expires_at, Some(end));
    let causes = |now| engine.why(&effect, WhyDirection::Causes, 5, 0.0, now).unwrap().causes.len();
    assert_eq!((causes(None), causes(Some(Timestamp(end.0 - 1))), causes(Some(end))), (1, 1, 0));

    workspace.hands.advance(31 * Timestamp::DAY);
    assert_eq!((causes(None), causes(Some(NOW))), (0, 1));
    let families = [griot::model::Family::Causal];
    assert!(engine.related(&effect, 2, &families, &[], 9).unwrap().is_empty());
    let past = LinkRequest { expires_at: Some(end), ..link(&cause, &effect) };
    assert!(engine.link(&past).unwrap_err().to_string().contains("is not in the future"));
    // Said again after its end, it begins anew.
    assert_eq!(engine.link(&link(&cause, &effect)).unwrap().edge.edge.expires_at, None);
    assert_eq!(causes(None), 1);
    assert_sound(&engine);
}

#[test]
fn the_last_mention_is_known_wherever_an_entity_is_shown() {
    let (_workspace, engine) = opened();
    let at = |days: i64, text: &str| {
        let draft = Draft { occurred_at: Some(Timestamp(NOW.0 - days * Timestamp::DAY)), ..Draft::new(text) };
        engine.remember(draft).unwrap().id.to_string()
    };
    at(300, "Grace Hopper chose SQLite.");
    let latest = at(10, "Grace Hopper praised SQLite.");
    let earliest = at(400, "Grace Hopper found SQLite.");
    let seen = || {
        let hubs = engine.hubs(None, &[], 9).unwrap();
        let entity = &hubs.iter().find(|hub| hub.entity.name == "Grace Hopper").unwrap().entity;
        let days = |at: Timestamp| (NOW.0 - at.0) / Timestamp::DAY;
        (days(entity.first_seen), days(entity.last_seen))
    };
    assert_eq!(seen(), (400, 10));
    engine.forget(&latest).unwrap();
    assert_eq!(seen(), (400, 300));
    engine.forget(&earliest).unwrap();
    assert_eq!(seen(), (300, 300));
    engine.restore(&latest).unwrap();
    assert_eq!(seen(), (300, 10));
    assert_sound(&engine);
}

#[test]
fn why_tells_both_sides_of_a_circle_and_the_same_at_any_millisecond() {
    let (workspace, engine) = opened();
    let texts = [
        "The queue grew.",
        "Workers timed out.",
        "Clients retried.",
        "The disk filled up.",
        "Logs exploded.",
    ];
    let ids: Vec<String> = texts.iter().map(|text| remember(&engine, text).id.to_string()).collect();
    for (at, from) in ids.iter().enumerate() {
        for to in ids.iter().filter(|to| *to != from) {
            workspace.hands.advance(7 + at as i64);
            engine.link(&LinkRequest { weight: Some(0.9), ..link(from, to) }).unwrap();
        }
    }
    let shown = || {
        let why = engine.why(&ids[0], WhyDirection::Both, 5, 0.0, None).unwrap();
        let steps = |steps: &[griot::engine::WhyStep]| -> Vec<String> {
            steps
                .iter()
                .map(|step| format!("{} {} {}", step.node.name(), step.depth, step.hops.len()))
                .collect()
        };
        (steps(&why.causes), steps(&why.consequences))
    };
    let first = shown();
    assert_eq!((first.0.len(), first.1.len()), (4, 4));
    for _ in 0..20 {
        workspace.hands.advance(1);
        assert_eq!(shown(), first);
    }
}

#[test]
fn who_says_it_says_how_sure_it_is() {
    let (_workspace, engine) = opened();
    remember(&engine, "Grace Hopper chose SQLite.");
    let sure = |provenance, confidence| {
        let (kind, label) =
            (griot::model::EdgeKind::Relation, format!("uses_{}", Provenance::name(provenance)));
        let request = LinkRequest {
            kind,
            label: Some(label),
            provenance,
            confidence,
            ..link("Grace Hopper", "SQLite")
        };
        engine.link(&request).map(|linked| linked.edge.edge.confidence)
    };
    let known: Vec<f32> =
        Provenance::ALL.into_iter().map(|provenance| sure(provenance, None).unwrap()).collect();
    assert_eq!(known, [1.0, 1.0, 1.0, 0.6, 0.8, 0.7]);
    assert_eq!(sure(Provenance::Rule, Some(0.9)).unwrap(), 0.9);
    assert_eq!(sure(Provenance::Rule, Some(0.2)).unwrap(), 0.9, "a later writer never lowers it");
    assert!(sure(Provenance::Rule, Some(1.5)).is_err());
    assert!(sure(Provenance::Rule, Some(f32::NAN)).is_err());
}
