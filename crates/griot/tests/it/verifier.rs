//! Circles of causes: stored, and warned of by the numbers of their edges.

use griot::engine::{LinkRequest, WhyDirection};
use griot::model::{EdgeKind, EntityType, Timestamp};
use griot::remember::{Draft, EntityDraft};

use crate::support::*;

#[test]
fn a_circle_of_causes_is_stored_and_named_by_both_edges() {
    let (workspace, engine) = opened();
    let a = remember(&engine, "The queue was long.").id.to_string();
    let b = remember(&engine, "The workers were slow.").id.to_string();
    let first = engine.link(&link(&a, &b)).unwrap();
    assert!(first.created && first.warnings.is_empty());
    assert!(engine.verify().unwrap().is_empty());

    let second = engine.link(&link(&b, &a)).unwrap();
    assert!(second.created);
    let edges = vec![first.edge.edge.number, second.edge.edge.number];
    assert_eq!(second.warnings.len(), 1);
    assert_eq!(second.warnings[0].found.edges, edges);
    let mut nodes = vec![first.edge.source.node(), first.edge.target.node()];
    nodes.sort();
    assert_eq!(second.warnings[0].found.nodes, nodes);
    assert_eq!(engine.verify().unwrap(), second.warnings);

    let why = engine.why(&a, WhyDirection::Both, 10, 0.0, None).unwrap();
    // What closes the circle is a cause and a consequence.
    assert_eq!((why.cycles, why.causes.len(), why.consequences.len()), (vec![edges], 1, 1));
    drop(engine);

    // It is warned of after a restart, until one of the two is taken back.
    let engine = workspace.open();
    assert_eq!(engine.verify().unwrap(), second.warnings);
    assert_sound(&engine);
    engine.unlink(&b, &a, None, None).unwrap();
    assert!(engine.verify().unwrap().is_empty());
}

#[test]
fn a_warning_whose_edge_expires_is_not_listed_and_verify_lets_it_go() {
    let (workspace, engine) = opened();
    let a = remember(&engine, "The queue was long.").id.to_string();
    let b = remember(&engine, "The workers were slow.").id.to_string();
    let end = Timestamp(engine.now().0 + 5_000);
    engine.link(&LinkRequest { expires_at: Some(end), ..link(&a, &b) }).unwrap();
    assert_eq!(engine.link(&link(&b, &a)).unwrap().warnings.len(), 1);
    assert_eq!(engine.warnings().unwrap().len(), 1);

    workspace.hands.advance(10_000);
    assert!(engine.warnings().unwrap().is_empty());
    let revision = || engine.read().unwrap().revision();
    let before = revision();
    assert!(engine.verify().unwrap().is_empty());
    let verified = revision();
    assert_ne!(verified, before);
    assert!(engine.verify().unwrap().is_empty());
    assert_eq!(revision(), verified);
}

#[test]
fn a_long_circle_is_found_where_it_closes_and_not_over_what_is_forgotten() {
    let (_workspace, engine) = opened();
    let memories: Vec<String> = (0..20)
        .map(|n| remember(&engine, &format!("Stage number {n} of the pump.")).id.to_string())
        .collect();
    let mut edges = Vec::new();
    for pair in memories.windows(2) {
        let linked = engine.link(&link(&pair[0], &pair[1])).unwrap();
        assert_eq!(linked.warnings, []);
        edges.push(linked.edge.edge.number);
    }
    let last = engine.link(&link(&memories[19], &memories[0])).unwrap();
    edges.push(last.edge.edge.number);
    assert_eq!(last.warnings.len(), 1);
    assert_eq!(last.warnings[0].found.edges, edges);
    engine.forget(&memories[7]).unwrap();
    assert!(engine.verify().unwrap().is_empty());
    engine.restore(&memories[7]).unwrap();
    assert_eq!(engine.verify().unwrap(), last.warnings);
}

#[test]
fn what_is_caused_and_prevented_is_warned_of() {
    let (_workspace, engine) = opened();
    let a = remember(&engine, "The index was rebuilt.").id.to_string();
    let b = remember(&engine, "The search was fast.").id.to_string();
    let causes = engine.link(&link(&a, &b)).unwrap();
    let prevents = engine.link(&LinkRequest { label: Some("prevents".into()), ..link(&a, &b) }).unwrap();
    assert_eq!(prevents.warnings.len(), 1);
    assert_eq!(prevents.warnings[0].found.edges, [causes.edge.edge.number, prevents.edge.edge.number]);
    assert_eq!(engine.verify().unwrap(), prevents.warnings);
}

#[test]
fn a_local_type_of_a_language_with_one_parent_must_not_extend_an_external_one() {
    let (_workspace, engine) = opened();
    let named = |name: &str, kind| EntityDraft::named(name, Some(kind));
    let mut draft = Draft::new("The shop and what it is built on.");
    draft.entities = vec![
        named("src/Shop.java", EntityType::Type),
        named("src/shop.py", EntityType::Type),
        named("HttpServlet", EntityType::External),
    ];
    engine.remember(draft).unwrap();
    let extends = |source: &str| LinkRequest { kind: EdgeKind::Extends, ..link(source, "HttpServlet") };
    assert_eq!(engine.link(&extends("src/shop.py")).unwrap().warnings, []);
    let linked = engine.link(&extends("src/Shop.java")).unwrap();
    assert_eq!(linked.warnings.len(), 1);
    assert_eq!(linked.warnings[0].found.edges, [linked.edge.edge.number]);
    assert_eq!(engine.verify().unwrap(), linked.warnings);
}
