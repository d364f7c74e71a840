//! The order in time over all sources, where it is asked for.

use griot::engine::{BuiltGraphs, Engine, GraphsToBuild, Related};
use griot::model::{Family, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft};

use crate::support::*;

fn temporal(engine: &Engine) -> BuiltGraphs {
    engine.build_graphs(GraphsToBuild { semantic: None, temporal: true }, &mut |_, _| {}).unwrap()
}

/// A document of two passages whose file was written so many days before now.
fn document(engine: &Engine, origin: &str, days: i64) -> String {
    let at = Timestamp(NOW.0 - days * Timestamp::DAY);
    let passage = |text: &str| Draft {
        kind: Some("passage".into()),
        occurred_at: Some(at),
        ..Draft::new(format!("{origin}: {text}"))
    };
    let passages = vec![passage("the first part"), passage("the second part")];
    engine.ingest(&SourceDraft::new(SourceType::File, origin), passages).unwrap();
    first_passage(engine, origin)
}

/// The first passage of a document that lives.
fn first_passage(engine: &Engine, origin: &str) -> String {
    let sources = engine.sources().unwrap();
    let view = sources.iter().find(|view| view.source.origin == origin).unwrap();
    engine.source(view.source.id).unwrap().1[0].handle.to_string()
}

fn said(engine: &Engine, user: Option<&str>, text: &str, days: i64) -> String {
    let at = Timestamp(NOW.0 - days * Timestamp::DAY);
    let draft = Draft { scope: scope(user, None), occurred_at: Some(at), ..Draft::new(text) };
    // A source of its own: consecutive memories of one source are joined as it is.
    engine.remember_from(&SourceDraft::new(SourceType::Chat, text), draft).unwrap().handle.to_string()
}

/// The memories one step in time away: handle, whether it came later, and the hours between.
fn steps(engine: &Engine, name: &str) -> Vec<(String, bool, f64)> {
    let related: Vec<Related> = engine.related(name, 1, &[Family::Temporal], &[], 20).unwrap();
    let steps = related.iter().filter_map(|one| one.path.first()).filter(|hop| hop.label == "backbone");
    let mut steps: Vec<_> = steps
        .map(|hop| match &hop.to {
            griot::recall::PathNode::Memory { handle, .. } => {
                (handle.clone(), hop.forward, hop.hours().unwrap())
            }
            griot::recall::PathNode::Entity { .. } => unreachable!("time joins memories"),
        })
        .collect();
    steps.sort_by(|a, b| a.0.cmp(&b.0));
    steps
}

fn sorted(mut steps: Vec<(String, bool, f64)>) -> Vec<(String, bool, f64)> {
    steps.sort_by(|a, b| a.0.cmp(&b.0));
    steps
}

#[test]
fn documents_and_memories_of_all_sources_stand_in_one_order() {
    let (_workspace, engine) = opened();
    let new = document(&engine, "new.md", 1);
    let old = document(&engine, "old.md", 9);
    let note = said(&engine, None, "The pump was changed.", 4);
    assert!(steps(&engine, &note).is_empty(), "no source has two of them");

    let built = temporal(&engine);
    assert_eq!((built.temporal_added, built.temporal_removed, built.temporal_total), (2, 0, 2));
    assert_eq!(steps(&engine, &note), sorted(vec![(old, false, 120.0), (new.clone(), true, 72.0)]));
    let again = temporal(&engine);
    assert_eq!((again.temporal_added, again.temporal_removed, again.temporal_total), (0, 0, 2));

    // A document of a day in between comes between.
    let between = document(&engine, "between.md", 2);
    let built = temporal(&engine);
    assert_eq!((built.temporal_added, built.temporal_removed, built.temporal_total), (2, 1, 3));
    assert_eq!(steps(&engine, &between), sorted(vec![(note, false, 48.0), (new, true, 24.0)]));
    assert_sound(&engine);
}

#[test]
fn memories_of_others_do_not_separate_those_of_one_user() {
    let (_workspace, engine) = opened();
    let first = said(&engine, Some("ada"), "Ada wrote a poem.", 9);
    said(&engine, Some("bob"), "Bob bought a horse.", 6);
    let last = said(&engine, Some("ada"), "Ada printed the poem.", 3);
    temporal(&engine);
    assert_eq!(steps(&engine, &first), vec![(last, true, 144.0)]);
}

#[test]
fn a_step_is_hidden_with_its_memory_and_a_new_one_leads_past_it() {
    let (_workspace, engine) = opened();
    let first = document(&engine, "a.md", 9);
    let middle = document(&engine, "b.md", 6);
    let last = document(&engine, "c.md", 3);
    temporal(&engine);
    engine.forget(&middle).unwrap();
    assert!(steps(&engine, &first).is_empty());
    engine.restore(&middle).unwrap();
    assert_eq!(steps(&engine, &first).len(), 1);
    engine.forget(&middle).unwrap();
    temporal(&engine);
    // The first passage of `b.md` is hidden; its second one now represents the document.
    let second = first_passage(&engine, "b.md");
    assert_eq!(steps(&engine, &second), sorted(vec![(first, false, 72.0), (last, true, 72.0)]));
    assert_sound(&engine);
}
