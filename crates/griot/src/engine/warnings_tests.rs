//! Warnings through the engine: which writes find them, how they end, and who sees them.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use super::bench::{Bench, NOW};
use super::*;
use crate::model::{
    Change, ChangeSet, Edge, EdgeKind, EntityType, ErasedKind, ErrorKind, Evidence, Node, Provenance,
    SourceType, Warning,
};
use crate::remember::{Draft, DraftLink, DraftPlace, EntityDraft, SourceDraft, naming, warnings};

/// Texts that are not connected automatically, so that the first edge is the first one made by a test.
const UNLIKE: [&str; 5] = [
    "The queue was long.",
    "No one rotated the logs.",
    "A fuse blew.",
    "Rain fell all day.",
    "The door stood open.",
];

impl Bench {
    fn link(&self, source: &str, target: &str) -> Linked {
        self.engine.link(&causes(source, target)).unwrap()
    }

    fn stored(&self) -> Vec<Warning> {
        self.engine.backend.warnings().unwrap()
    }

    /// The edges of the listed warnings, with `*` for acknowledged ones.
    fn listed(&self) -> String {
        listing(&self.engine.warnings().unwrap())
    }

    /// Writes edges without verification, as an older version did.
    fn unnoticed(&self, edges: &[(&str, &str)]) {
        let node = |id: &str| naming::memory(self.engine.backend.as_ref(), id).unwrap();
        let edge = |(source, target): &(&str, &str)| Change::PutEdge(causal(node(source), node(target)));
        let changes: Vec<Change> = edges.iter().map(edge).collect();
        self.engine
            .backend
            .write(&mut |_| Ok(ChangeSet { at: Timestamp(NOW), changes: changes.clone() }))
            .unwrap();
    }
}

fn listing(warnings: &[Warning]) -> String {
    let one = |warning: &Warning| {
        let mark = if warning.acknowledged.is_some() { "*" } else { "" };
        format!("{} {:?}{mark}", warning.found.kind.name(), warning.found.edges)
    };
    warnings.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn causes(source: &str, target: &str) -> LinkRequest {
    LinkRequest::new(source, target, EdgeKind::Causal)
}

fn causal(source: Node, target: Node) -> Edge {
    let evidence = Evidence { memory: None, quote: None, reason: None, at: Timestamp(NOW) };
    let edge = Edge::new((source, target), EdgeKind::Causal, Provenance::User, evidence);
    Edge { label: "causes".into(), ..edge }
}

/// A cycle of two memories: their ids, and that of the warning.
fn cycle(bench: &Bench) -> (String, String, String) {
    let (a, b) = (bench.remember("The queue was long."), bench.remember("The workers were slow."));
    let first = bench.link(&a, &b).edge.edge.number;
    let warnings = bench.link(&b, &a).warnings;
    assert_eq!(warnings[0].found.edges[0], first);
    let id = warnings[0].found.id().to_string();
    (a, b, id)
}

#[test]
fn a_warning_is_kept_until_its_cause_is_gone_and_comes_back_as_a_new_one() {
    let bench = Bench::new();
    let (a, b, id) = cycle(&bench);
    assert_eq!(bench.listed(), "causal_cycle [1, 2]");
    assert_eq!(bench.engine.status().unwrap().open_warnings, 1);
    bench.pass(5000);
    let said = bench.engine.acknowledge(&id, "ada", Some(" a real loop ")).unwrap();
    let said = said.acknowledged.unwrap();
    assert_eq!(
        (said.by.as_str(), said.note.as_deref(), said.at),
        ("ada", Some("a real loop"), Timestamp(NOW + 5000))
    );
    assert_eq!(
        (bench.listed().as_str(), bench.engine.status().unwrap().open_warnings),
        ("causal_cycle [1, 2]*", 0)
    );
    assert_eq!(bench.engine.unacknowledge(&id).unwrap().acknowledged, None);
    assert_eq!(
        (bench.listed().as_str(), bench.engine.status().unwrap().open_warnings),
        ("causal_cycle [1, 2]", 1)
    );
    bench.engine.acknowledge(&id, "ada", None).unwrap();
    // Stated again, also as another cause, it is the same cycle, which is not reported again.
    assert_eq!(bench.link(&a, &b).warnings, []);
    let enables = LinkRequest { label: Some("enables".into()), ..causes(&a, &b) };
    assert_eq!(bench.engine.link(&enables).unwrap().warnings, []);
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3]*");
    assert_eq!(bench.engine.warnings().unwrap()[0].first_seen, Timestamp(NOW));
    assert_eq!(bench.engine.verify().unwrap(), bench.engine.warnings().unwrap());

    bench.engine.unlink(&b, &a, None, None).unwrap();
    assert_eq!((bench.listed().as_str(), bench.stored()), ("", vec![]));
    assert!(bench.engine.acknowledge(&id, "ada", None).unwrap_err().why.contains("its cause is gone"));
    assert_eq!(bench.link(&b, &a).warnings.len(), 1, "it is new");
    assert_eq!(bench.engine.warnings().unwrap()[0].first_seen, Timestamp(NOW + 5000));
    for wrong in ["", "w-1", "e1", "w-zzzzzzzzzzzz"] {
        assert_eq!(bench.engine.acknowledge(wrong, "ada", None).unwrap_err().kind, ErrorKind::InvalidInput);
    }
    let long = "x".repeat(2001);
    assert_eq!(bench.engine.acknowledge(&id, "ada", Some(&long)).unwrap_err().kind, ErrorKind::InvalidInput);
}

#[test]
fn what_is_forgotten_expired_merged_or_retyped_warns_no_more() {
    let bench = Bench::new();
    let (a, b, _) = cycle(&bench);
    bench.engine.forget(&a).unwrap();
    assert_eq!((bench.listed().as_str(), bench.stored().len()), ("", 0));
    bench.engine.restore(&a).unwrap();
    assert_eq!(bench.listed(), "causal_cycle [1, 2]");

    // Time passes without a write: the list notices it at once, verify removes the warning.
    let c = bench.remember("The alarm rang.");
    let ends = LinkRequest { expires_at: Some(Timestamp(NOW + 1000)), ..causes(&c, &b) };
    bench.engine.link(&ends).unwrap();
    bench.link(&b, &c);
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3, 4]", "a cycle that grew is one warning");
    bench.pass(1000);
    assert_eq!((bench.listed().as_str(), bench.stored().len()), ("causal_cycle [1, 2]", 1));
    assert_eq!(listing(&bench.engine.verify().unwrap()), "causal_cycle [1, 2]");
    let kept = bench.stored();
    assert_eq!(listing(&kept), "causal_cycle [1, 2]");
    bench.engine.unlink(&a, &b, None, None).unwrap();

    // Two entities that are merged close a cycle, and are separated again.
    let named = |name: &str, kind| EntityDraft::named(name, Some(kind));
    let mut draft = Draft::new("The shop and what it is built on.");
    draft.entities = vec![
        named("Postgres", EntityType::Tool),
        named("Postgress", EntityType::Tool),
        named("Ledger", EntityType::Tool),
        named("src/Shop.java", EntityType::Type),
        named("HttpServlet", EntityType::External),
    ];
    bench.engine.remember(draft).unwrap();
    let first = bench.link("Postgres", "Ledger").edge.edge.number;
    assert_eq!(bench.link("Ledger", "Postgress").warnings, []);
    let request = MergeRequest {
        kept: "Postgres".into(),
        merged: "Postgress".into(),
        reason: None,
        by: Provenance::User,
    };
    let merged = bench.engine.merge(&request).unwrap();
    assert_eq!(bench.listed(), format!("causal_cycle [{first}, {}]", first + 1));
    bench.engine.unmerge(&merged.merge.id()).unwrap();
    assert_eq!((bench.listed().as_str(), bench.stored().len()), ("", 0));

    let extends = LinkRequest { kind: EdgeKind::Extends, ..causes("src/Shop.java", "HttpServlet") };
    let linked = bench.engine.link(&extends).unwrap();
    assert_eq!(bench.listed(), format!("external_base [{}]", linked.edge.edge.number));
    let mut servlet = bench.engine.backend.entities(&[linked.edge.edge.target]).unwrap().remove(0);
    assert_eq!(servlet.kind, EntityType::External);
    servlet.kind = EntityType::Type;
    let retyped = vec![Change::PutEntity(servlet)];
    bench
        .engine
        .backend
        .write(&mut |_| Ok(ChangeSet { at: Timestamp(NOW), changes: retyped.clone() }))
        .unwrap();
    assert_eq!(bench.listed(), "");
}

/// The rest of a cycle need not contain the removed edge's nodes.
#[test]
fn a_smaller_circle_that_is_left_is_noticed() {
    let bench = Bench::new();
    let memories: Vec<String> = UNLIKE[..4].iter().map(|text| bench.remember(text)).collect();
    for (source, target) in [(0, 1), (1, 0), (2, 0), (1, 3), (3, 2)] {
        bench.link(&memories[source], &memories[target]);
    }
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3, 4, 5]");
    bench.engine.unlink(&memories[3], &memories[2], None, None).unwrap();
    assert_eq!(bench.listed(), "causal_cycle [1, 2]");
    assert_eq!(bench.engine.verify().unwrap(), bench.engine.warnings().unwrap());
}

#[test]
fn a_batch_notices_what_its_causes_take_part_in() {
    let bench = Bench::new();
    let disk = bench.remember("The disk of the database was full.");
    let log = bench.remember("No one rotated the logs.");
    bench.unnoticed(&[(&disk, &log), (&log, &disk)]);
    assert_eq!(bench.listed(), "");
    let batch = ["Postgres was slow because the disk of the database was full.", "Ada prefers tabs."];
    let source = SourceDraft::new(SourceType::Agent, "test");
    let stored = bench.engine.remember_all(&source, batch.map(Draft::new).to_vec()).unwrap();
    assert!(stored[0].edges.causal > 0, "the batch makes a causal edge");
    assert_eq!(bench.listed(), "causal_cycle [1, 2]");
}

#[test]
fn ingest_notices_the_circles_of_a_source_and_forgets_them_with_it() {
    let bench = Bench::new();
    let place = |ordinal| DraftPlace { session: None, ordinal };
    let link = |source, target| DraftLink {
        reason: Some("the file says so".into()),
        ..DraftLink::new(place(source), place(target), EdgeKind::Causal)
    };
    let draft = |ordinal: u32, text: &str| Draft { ordinal: Some(ordinal), ..Draft::new(text) };
    let texts = vec![draft(0, "The chicken came."), draft(1, "The egg came.")];
    let mut source = SourceDraft::new(SourceType::File, "/notes/eggs.md");
    source.links = vec![link(0, 1), link(1, 0)];
    let tally = bench.engine.ingest(&source, texts.clone()).unwrap().unwrap();
    assert_eq!((tally.edges, tally.warnings), (2, 1));
    assert_eq!(bench.listed().split(' ').next(), Some("causal_cycle"));
    assert_eq!(listing(&bench.engine.verify().unwrap()), bench.listed());
    // Now the file contains only one of them.
    let shorter = SourceDraft { content_hash: Some([1; 32]), links: Vec::new(), ..source.clone() };
    bench.engine.ingest(&shorter, texts[..1].to_vec()).unwrap();
    assert_eq!((bench.listed().as_str(), bench.stored().len()), ("", 0));
}

#[test]
fn import_notices_anew_and_acknowledgements_do_not_travel() {
    let bench = Bench::new();
    let (_, _, id) = cycle(&bench);
    bench.engine.acknowledge(&id, "ada", None).unwrap();
    let mut records = Vec::new();
    let mut sink = |record| {
        records.push(record);
        Ok(())
    };
    bench.engine.export(&mut sink).unwrap();
    let other = Bench::new();
    other.engine.import(&mut records.into_iter().map(Ok)).unwrap();
    assert_eq!(other.listed(), "causal_cycle [1, 2]");
    assert_eq!(other.engine.status().unwrap().open_warnings, 1);
}

#[test]
fn many_memories_without_a_circle_write_nothing_more() {
    let bench = Bench::new();
    let drafts: Vec<Draft> =
        (0..40).map(|n| Draft::new(format!("Pump {n} failed because valve {n} was closed."))).collect();
    let source = SourceDraft::new(SourceType::Agent, "test");
    let before = bench.engine.backend.revision();
    bench.engine.remember_all(&source, drafts).unwrap();
    assert_eq!(bench.engine.backend.revision().0, before.0 + 1);
    // A write next to a known and stored warning.
    let (a, b, _) = cycle(&bench);
    let before = bench.engine.backend.revision();
    bench.link(&a, &b);
    assert_eq!(bench.engine.backend.revision().0, before.0 + 1);
}

#[test]
fn a_view_of_one_user_is_told_of_what_it_sees_and_acknowledges_nothing() {
    let bench = Bench::new();
    let of = |user: &str, text: &str| {
        let scope = Scope { user: Some(user.into()), project: None };
        bench.engine.remember(Draft { scope, ..Draft::new(text) }).unwrap().id.to_string()
    };
    let (a, b) = (of("ada", UNLIKE[0]), of("ada", UNLIKE[1]));
    let view = |user: &str| bench.engine.confined_to(Scope { user: Some(user.into()), project: None });
    let (ada, ben) = (view("ada"), view("ben"));
    ada.link(&causes(&a, &b)).unwrap();
    let warnings = ada.link(&causes(&b, &a)).unwrap().warnings;
    assert_eq!(warnings.len(), 1);
    // A memory that she does not see makes the cycle larger: it is stored as it is, and she sees
    // her part.
    assert_eq!(bench.listed(), "causal_cycle [1, 2]");
    let c = of("ben", UNLIKE[2]);
    bench.link(&b, &c);
    bench.link(&c, &a);
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3, 4]");
    assert_eq!(listing(&ada.warnings().unwrap()), "causal_cycle [1, 2]");
    let id = bench.engine.warnings().unwrap()[0].found.id().to_string();
    bench.engine.acknowledge(&id, "user", Some("Ben's signal")).unwrap();
    ada.link(&causes(&a, &b)).unwrap();
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3, 4]*", "her write decides on the whole");
    assert_eq!((ben.warnings().unwrap(), ben.status().unwrap().open_warnings), (vec![], 0));
    assert_eq!(ada.status().unwrap().open_warnings, 1);
    assert_eq!(ada.acknowledge(&id, "ada", None).unwrap_err().kind, ErrorKind::InvalidInput);
    assert_eq!(listing(&ada.verify().unwrap()), "causal_cycle [1, 2]");
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3, 4]*", "her look keeps nothing");
}

#[test]
fn an_erasure_takes_the_warnings_and_what_was_noted_there() {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::on_disk(folder.path(), Settings::default());
    let (a, b, id) = cycle(&bench);
    let c = bench.remember("The alarm rang.");
    bench.link(&b, &c);
    bench.link(&c, &b);
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3, 4]");
    assert!(bench.engine.acknowledge(&id, "ada", None).is_err(), "it grew");
    let id = bench.engine.warnings().unwrap()[0].found.id().to_string();
    let note = "Quillfeather described this queue";
    bench.engine.acknowledge(&id, "ada", Some(note)).unwrap();
    bench.engine.erase(ErasedKind::Memory, &a, "test", false, &mut |_, _| Ok(Beside::default())).unwrap();
    assert_eq!(bench.listed(), "causal_cycle [3, 4]", "what is left is noticed");
    assert_eq!(bench.stored().len(), 1);
    let holds = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
        bytes.windows(12).any(|part| part == &note.as_bytes()[..12])
    };
    assert!(!holds("griot.db") && !holds("griot.db-wal"));
    assert_eq!(bench.engine.doctor().unwrap().problems, Vec::<String>::new());
}

/// A warning that the budget cuts off is not treated as over.
#[test]
fn a_part_of_a_circle_replaces_no_whole() {
    let bench = Bench::new();
    let memories: Vec<String> = UNLIKE.iter().map(|text| bench.remember(text)).collect();
    for n in 0..5 {
        bench.link(&memories[n], &memories[(n + 1) % 5]);
    }
    bench.link(&memories[1], &memories[0]);
    assert_eq!(bench.listed(), "causal_cycle [1, 2, 3, 4, 5, 6]");
    let read = bench.engine.backend.as_ref();
    let touched = [Node::memory(1), Node::memory(2)];
    let cut = crate::graph::verify_touched(read, &touched, 2, Timestamp(NOW)).unwrap();
    assert!(cut.cut && cut.found.len() == 1 && cut.found[0].nodes.len() == 2, "{cut:?}");
    assert_eq!(warnings::changes_around(read, &touched, cut, Timestamp(NOW)).unwrap(), []);
    let nodes: BTreeSet<Node> = bench.engine.warnings().unwrap()[0].found.nodes.iter().copied().collect();
    assert_eq!(nodes.len(), 5);
}
