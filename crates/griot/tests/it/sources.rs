//! Invariant 7: a source takes with it what only it supported, and brings it back.

use griot::engine::{Engine, LinkRequest};
use griot::model::{EdgeKind, ErrorKind, Memory, Predicate, SourceId, SourceType};
use griot::recall::Query;
use griot::remember::{Draft, SourceDraft};

use crate::support::*;

struct Library {
    workspace: Workspace,
    engine: Engine,
    /// The source that comes and goes.
    going: SourceId,
}

fn draft(text: &str) -> Draft {
    Draft { kind: Some(Memory::PASSAGE.into()), ..Draft::new(text) }
}

/// Two files that both name SQLite; one alone names Grace Hopper, the other alone Alan Turing.
fn library() -> Library {
    let (workspace, engine) = opened();
    let file = |name: &str, drafts: Vec<Draft>| {
        workspace.hands.advance(1000);
        engine.ingest(&SourceDraft::new(SourceType::File, name), drafts).unwrap();
        engine.sources().unwrap().iter().find(|view| view.source.origin == name).unwrap().source.id
    };
    let going = file(
        "/going.md",
        vec![draft("Grace Hopper chose SQLite for the ledger."), draft("Grace Hopper praised the Mark III.")],
    );
    file(
        "/staying.md",
        vec![draft("Alan Turing also chose SQLite."), draft("Alan Turing wrote about machines.")],
    );
    workspace.hands.advance(1000);
    Library { workspace, engine, going }
}

impl Library {
    fn memory(&self, text: &str) -> String {
        all_memories(&self.engine).iter().find(|memory| memory.text.contains(text)).unwrap().id.to_string()
    }

    /// Memories that are found by asking, in no order.
    fn found(&self, question: &str) -> Vec<String> {
        let found = self.engine.recall(&Query { floor: false, ..ask(question) }).unwrap();
        let mut texts: Vec<String> = found.results.into_iter().map(|result| result.memory.text).collect();
        texts.sort();
        texts
    }
}

#[test]
fn invariant_7_forgetting_a_source_removes_what_only_it_supported_and_restoring_brings_it_back() {
    let library = library();
    let engine = &library.engine;
    let (said, kept) = (library.memory("for the ledger"), library.memory("also chose"));
    engine.link(&link(&said, &kept)).unwrap();
    engine.add_fact(&fact("Ledger", Predicate::Uses, "SQLite", Some(&said))).unwrap();
    engine.add_fact(&fact("Machines", Predicate::Uses, "SQLite", Some(&kept))).unwrap();
    let before = exported(engine);
    let answers = library.found("Who chose SQLite?");
    let facts = engine.facts(None, None, None).unwrap();
    assert_eq!((answers.len(), facts.len()), (4, 2));

    let gone = engine.forget(&library.going.to_string()).unwrap();
    assert_eq!(gone.memories.len(), 2);
    assert!(gone.entities.contains(&"person:grace-hopper".to_string()), "{:?}", gone.entities);
    assert!(
        !gone.entities.iter().any(|id| id.contains("sqlite") || id.contains("turing")),
        "{:?}",
        gone.entities
    );
    assert_eq!(
        library.found("Who chose SQLite?"),
        answers.iter().filter(|t| t.starts_with("Alan")).cloned().collect::<Vec<_>>()
    );
    assert_eq!(engine.entity("Grace Hopper", 1, 9).unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(engine.entity("SQLite", 1, 9).unwrap().mention_count, 1);
    let left: Vec<String> =
        engine.facts(None, None, None).unwrap().iter().map(|view| view.subject.name().to_string()).collect();
    assert_eq!(left, ["Machines"]);
    assert!(
        engine
            .related(&kept, 3, &[], &[], 50)
            .unwrap()
            .iter()
            .all(|related| !format!("{related:?}").contains("Grace"))
    );
    assert_sound(engine);

    // Once more changes nothing, and does not make the way back longer.
    library.workspace.hands.advance(1000);
    assert_eq!(engine.forget(&library.going.to_string()).unwrap().memories.len(), 0);

    engine.restore(&library.going.to_string()).unwrap();
    assert_eq!(exported(engine), before);
    assert_eq!(library.found("Who chose SQLite?"), answers);
    assert_eq!(engine.facts(None, None, None).unwrap(), facts);
    assert_sound(engine);
}

#[test]
fn invariant_7_what_was_forgotten_before_its_source_stays_forgotten() {
    let library = library();
    let engine = &library.engine;
    engine.forget(&library.memory("Mark III")).unwrap();
    library.workspace.hands.advance(1000);
    engine.forget(&library.going.to_string()).unwrap();
    engine.restore(&library.going.to_string()).unwrap();
    let hidden: Vec<String> = all_memories(engine)
        .into_iter()
        .filter(|memory| memory.deleted_at.is_some())
        .map(|memory| memory.text)
        .collect();
    assert_eq!(hidden, ["Grace Hopper praised the Mark III."]);
}

#[test]
fn invariant_7_an_entity_with_a_fact_stays() {
    let library = library();
    let engine = &library.engine;
    engine.add_fact(&fact("Grace Hopper", Predicate::Prefers, "COBOL", None)).unwrap();
    engine.forget(&library.going.to_string()).unwrap();
    assert_eq!(engine.entity("Grace Hopper", 1, 9).unwrap().facts.len(), 1);
}

#[test]
fn invariant_7_a_name_that_came_again_meanwhile_is_one_entity_after_the_restore() {
    let library = library();
    let engine = &library.engine;
    let relation = LinkRequest {
        kind: EdgeKind::Relation,
        label: Some("uses".into()),
        ..link("Grace Hopper", "SQLite")
    };
    engine.forget(&library.going.to_string()).unwrap();
    library.workspace.hands.advance(1000);
    remember(engine, "Grace Hopper visited the museum.");
    engine.link(&relation).unwrap();
    engine.restore(&library.going.to_string()).unwrap();
    let view = engine.entity("Grace Hopper", 1, 9).unwrap();
    assert_eq!((view.mention_count, view.relations.len()), (3, 1));
    assert_sound(engine);
    // The same for an entity that was forgotten by itself.
    engine.forget("Grace Hopper").unwrap();
    library.workspace.hands.advance(1000);
    remember(engine, "Grace Hopper wrote a compiler.");
    engine.restore("person:grace-hopper").unwrap();
    assert_eq!(engine.entity("Grace Hopper", 1, 9).unwrap().mention_count, 4);
    assert_sound(engine);
}

#[test]
fn a_source_that_is_read_again_holds_what_it_holds_now() {
    let library = library();
    let engine = &library.engine;
    let file = SourceDraft { content_hash: Some([7; 32]), ..SourceDraft::new(SourceType::File, "/going.md") };
    let kept = library.memory("for the ledger");
    let drafts = vec![draft("A new beginning."), draft("Grace Hopper chose SQLite for the ledger.")];
    let tally = engine.ingest(&file, drafts.clone()).unwrap().unwrap();
    assert_eq!((tally.added, tally.kept, tally.removed), (1, 1, 1));
    assert_eq!(library.memory("for the ledger"), kept);
    assert_eq!(engine.ingest(&file, drafts).unwrap(), None);
    let texts: Vec<String> =
        engine.source(library.going).unwrap().1.into_iter().map(|memory| memory.text).collect();
    assert_eq!(texts, ["A new beginning.", "Grace Hopper chose SQLite for the ledger."]);
    // One bad part leaves the whole as it was.
    let file = SourceDraft { content_hash: Some([8; 32]), ..file };
    let drafts = vec![draft("Another beginning."), draft("binary\0data")];
    assert_refused(engine, ErrorKind::InvalidInput, |engine| engine.ingest(&file, drafts));
    assert_sound(engine);
}
