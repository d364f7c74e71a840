//! What a language model said of memories: notes with their versions, links, and observations of sessions.

use griot::engine::{Beside, Engine, FactDraft};
use griot::model::{
    EdgeKind, ErasedKind, MemoryId, Predicate, Provenance, ReadingOutcome, ReadingTask, Said, Scope,
    SourceType, Timestamp,
};
use griot::remember::erase::Erased;
use griot::remember::reading::{Observed, ReadingDraft, SaidFact, SaidLink};
use griot::remember::{Draft, Remembered, SourceDraft};

use crate::support::*;

fn note(memory: MemoryId, context: &str) -> ReadingDraft {
    ReadingDraft {
        said: vec![Said::Keywords(vec!["k".into()]), Said::Tags(vec![]), Said::Context(context.into())],
        ..ReadingDraft::new(memory, ReadingTask::Notes, 1, ReadingOutcome::Read)
    }
}

fn by(memory: MemoryId, by: MemoryId, context: &str) -> ReadingDraft {
    ReadingDraft { by: Some(by), ..note(memory, context) }
}

/// Context of each note, latest first, and the one that counts.
fn contexts(engine: &Engine, memory: MemoryId) -> (Vec<String>, Option<String>) {
    let notes = engine.notes(&memory.to_string()).unwrap();
    let counts: Vec<_> = notes.iter().filter(|note| note.counts).collect();
    assert!(counts.len() <= 1);
    (notes.iter().map(|note| note.context.clone()).collect(), counts.first().map(|note| note.context.clone()))
}

#[test]
fn a_note_of_a_later_memory_counts_until_it_is_undone_or_that_memory_is_forgotten() {
    let (_workspace, engine) = opened();
    let [old, new] = ["We rent a van.", "The van was sold in May."].map(|text| remember(&engine, text).id);
    let tally = engine.put_readings(&[note(old, "own"), note(new, "n"), by(old, new, "sold")]).unwrap();
    assert_eq!((tally.memories, tally.evolved, tally.late), (2, 1, 0));
    assert_eq!(contexts(&engine, old), (vec!["sold".into(), "own".into()], Some("sold".into())));
    // The same again changes nothing.
    assert_eq!(engine.put_readings(&[by(old, new, "again")]).unwrap().late, 1);

    engine.forget(&new.to_string()).unwrap();
    assert_eq!(contexts(&engine, old).1, Some("own".into()));
    engine.restore(&new.to_string()).unwrap();
    assert_eq!(contexts(&engine, old).1, Some("sold".into()));

    engine.undo_note(&old.to_string()).unwrap();
    assert_eq!(contexts(&engine, old), (vec!["sold".into(), "own".into()], Some("own".into())));
    assert_eq!(engine.put_readings(&[by(old, new, "again")]).unwrap().late, 1, "it stays undone");
    engine.undo_note(&old.to_string()).unwrap();
    assert_eq!(contexts(&engine, old).1, None);
    assert!(engine.undo_note(&old.to_string()).unwrap_err().why.contains("no note"));
    assert_eq!(engine.unread_count(ReadingTask::Notes).unwrap(), 0);
}

#[test]
fn a_note_on_top_of_one_that_goes_goes_with_it() {
    let (workspace, engine) = opened();
    let texts = ["We rent a van.", "The van was sold in May.", "A lorry came.", "A tram came."];
    let [old, first, second, third] = texts.map(|text| remember(&engine, text).id);
    let put = |draft| {
        workspace.hands.advance(1000);
        assert_eq!(engine.put_readings(&[draft]).unwrap().late, 0);
    };
    put(note(old, "own"));
    put(by(old, first, "sold in May"));
    put(by(old, second, "sold in May, now a lorry"));
    assert_eq!(contexts(&engine, old).1, Some("sold in May, now a lorry".into()));

    let node = engine.show(&first.to_string()).unwrap().node;
    workspace.hands.advance(1000);
    engine.forget(&first.to_string()).unwrap();
    assert_eq!(contexts(&engine, old).1, Some("own".into()));
    // The model gets the note that counts.
    put(by(old, third, "now a tram"));
    assert_eq!(contexts(&engine, old).1, Some("now a tram".into()));

    let read = engine.read().unwrap();
    let plan = griot::remember::erase::plan(read, &Erased::Memory(node), "t", engine.now()).unwrap();
    for (text, is_erased) in [("sold in May, now a lorry", true), ("now a tram", false), ("own", false)] {
        assert_eq!(plan.texts.iter().any(|one| one == text), is_erased, "{text}");
    }
    let erase = |id: MemoryId| {
        engine.erase(ErasedKind::Memory, &id.to_string(), "t", false, &mut |_, _| Ok(Beside::default()))
    };
    erase(first).unwrap();
    assert_eq!(contexts(&engine, old), (vec!["now a tram".into(), "own".into()], Some("now a tram".into())));
    erase(third).unwrap();
    assert_eq!(contexts(&engine, old), (vec!["own".into()], Some("own".into())));
}

#[test]
fn what_a_users_memory_says_changes_no_note_that_others_see() {
    let (_workspace, engine) = opened();
    let shared = remember(&engine, "The team meets on Mondays.").id;
    let scope = Scope { user: Some("ada".into()), project: None };
    let own = engine.remember(Draft { scope, ..Draft::new("I hate the meeting on Mondays.") }).unwrap().id;
    let tally =
        engine.put_readings(&[note(shared, "own"), note(own, "n"), by(shared, own, "hated")]).unwrap();
    assert_eq!((tally.evolved, tally.dropped), (0, 1));
    assert_eq!(contexts(&engine, shared).0, ["own"]);
    // The other way the private note may learn.
    assert_eq!(engine.put_readings(&[by(own, shared, "explained")]).unwrap().evolved, 1);
    let neighbours = |id: MemoryId| {
        let found = engine.neighbours(&engine.show(&id.to_string()).unwrap(), 9).unwrap();
        found.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!((neighbours(own), neighbours(shared)), (vec![shared], vec![]));
}

#[test]
fn links_of_a_model_carry_its_confidence_and_reason() {
    let (_workspace, engine) = opened();
    let [a, b] =
        ["The pump failed at night.", "The cellar was under water."].map(|text| remember(&engine, text).id);
    let said = SaidLink {
        source: a,
        target: b,
        kind: EdgeKind::Causal,
        label: None,
        confidence: 0.8,
        reason: Some("the pump keeps it dry".into()),
    };
    let unknown = SaidLink { target: MemoryId(uuid::Uuid::from_u128(7)), ..said.clone() };
    let draft = ReadingDraft { links: vec![said, unknown], ..note(b, "c") };
    let tally = engine.put_readings(&[draft]).unwrap();
    assert_eq!((tally.links, tally.dropped), (1, 1));
    let edges = engine.read().unwrap().edges_of(engine.show(&a.to_string()).unwrap().node).unwrap();
    let edge = edges.iter().find(|edge| edge.kind == EdgeKind::Causal && edge.provenance == Provenance::Llm);
    let edge = edge.expect("the link");
    assert_eq!((edge.confidence, edge.evidence[0].memory), (0.8, Some(b)));
    assert_eq!(edge.evidence[0].reason.as_deref(), Some("the pump keeps it dry"));
}

fn chat() -> SourceDraft {
    SourceDraft::new(SourceType::Chat, "/chats/boat.json")
}

/// Turns of one conversation, said in one minute.
fn turns(texts: &[&str]) -> Vec<Draft> {
    let turn = |(at, text): (usize, &&str)| Draft {
        kind: Some("turn".into()),
        session: Some("s1".into()),
        speaker: Some(if at % 2 == 0 { "Mira" } else { "Ole" }.into()),
        occurred_at: Some(Timestamp(1_700_000_000_000 + at as i64 * 1000)),
        ordinal: Some(at as u32),
        ..Draft::new(*text)
    };
    texts.iter().enumerate().map(turn).collect()
}

const TALK: [&str; 3] = ["Shall we sell the boat?", "Yes, to Jonas.", "Then it is agreed."];

fn stored(engine: &Engine) -> Vec<MemoryId> {
    engine.ingest(&chat(), turns(&TALK)).unwrap();
    let all = engine.unread(ReadingTask::Sessions, 0, 99).unwrap();
    all.iter().map(|memory| memory.id).collect()
}

/// The session with one observation about its first two turns.
fn observed(turns: &[MemoryId], text: &str) -> Vec<ReadingDraft> {
    let fact = SaidFact {
        subject: "the boat".into(),
        predicate: Predicate::OwnedBy,
        object: "Jonas".into(),
        confidence: 0.7,
    };
    let mut observation = Some(Observed {
        text: text.into(),
        kind: "decision".into(),
        tags: vec!["boat".into()],
        about: turns[..2].to_vec(),
        facts: vec![fact],
    });
    let draft = |turn: &MemoryId| ReadingDraft {
        observed: observation.take().into_iter().collect(),
        ..ReadingDraft::new(*turn, ReadingTask::Sessions, 1, ReadingOutcome::Read)
    };
    turns.iter().map(draft).collect()
}

const SOLD: &str = "Mira and Ole sell the boat to Jonas\nThey agreed on it.";

#[test]
fn observations_are_stored_once_with_the_marks_and_linked_with_their_turns() {
    let (_workspace, engine) = opened();
    let turns = stored(&engine);
    remember(&engine, "No turn, so no conversation.");
    assert_eq!((turns.len(), engine.unread_count(ReadingTask::Sessions).unwrap()), (3, 3));
    let session =
        engine.session_of(&engine.show(&turns[0].to_string()).unwrap(), ReadingTask::Sessions).unwrap();
    assert_eq!(session.alike.iter().map(|turn| turn.id).collect::<Vec<_>>(), turns);
    assert_eq!(session.last_at, Some(Timestamp(1_700_000_002_000)));

    let tally = engine.put_readings(&observed(&turns, SOLD)).unwrap();
    assert_eq!((tally.observations, tally.memories, tally.links, tally.facts), (1, 3, 2, 1));
    assert_eq!(engine.unread_count(ReadingTask::Sessions).unwrap(), 0);
    // Another process, or the same after it was killed before it heard of the commit.
    let again = engine.put_readings(&observed(&turns, "The same in other words.")).unwrap();
    assert_eq!((again.observations, again.late), (0, 3));

    let found = engine.unread(ReadingTask::Notes, 0, 99).unwrap();
    let observation = found.iter().find(|memory| memory.text == SOLD).expect("it is stored");
    let turn = engine.show(&turns[0].to_string()).unwrap();
    assert_eq!((observation.kind.as_str(), observation.source), ("decision", turn.source));
    assert_eq!(observation.occurred_at, Timestamp(1_700_000_001_000));
    assert_ne!(observation.session, turn.session);
    let edges = engine.read().unwrap().edges_of(observation.node).unwrap();
    let from =
        edges.iter().filter(|edge| edge.kind == EdgeKind::Supporting && edge.target == observation.node);
    assert_eq!(from.count(), 2);
    let facts = engine.read().unwrap().facts(None).unwrap();
    assert_eq!((facts.len(), facts[0].evidence[0].memory), (1, Some(observation.id)));
}

#[test]
fn a_source_that_is_read_again_keeps_what_was_observed_in_it_while_its_turns_are_there() {
    let (_workspace, engine) = opened();
    let turns_read = stored(&engine);
    engine.put_readings(&observed(&turns_read, SOLD)).unwrap();
    let is_there = || {
        let all = engine.unread(ReadingTask::Notes, 0, 99).unwrap();
        all.iter().any(|memory| memory.text == SOLD)
    };
    let tally = engine.ingest(&chat(), turns(&[TALK[0], TALK[1], "Or not.", "Who knows?"])).unwrap().unwrap();
    assert_eq!((tally.kept, tally.removed, tally.added), (2, 1, 2));
    assert!(is_there());
    assert_eq!(engine.unread_count(ReadingTask::Sessions).unwrap(), 2);
    engine.ingest(&chat(), turns(&["Something else."])).unwrap();
    assert!(!is_there());
}

#[test]
fn an_erased_turn_takes_what_was_observed_in_it_with_it() {
    let (_workspace, engine) = opened();
    let turns = stored(&engine);
    engine.put_readings(&observed(&turns, SOLD)).unwrap();
    let user: Remembered = remember(&engine, "Mira repeats: the boat is gone.");
    let read = engine.read().unwrap();
    let node = |id: MemoryId| engine.show(&id.to_string()).unwrap().node;
    let plan =
        |id: MemoryId| griot::remember::erase::plan(read, &Erased::Memory(node(id)), "t", engine.now());
    assert_eq!(plan(turns[0]).unwrap().receipt.counts.memories, 2);
    assert_eq!(plan(turns[2]).unwrap().receipt.counts.memories, 1);
    assert_eq!(plan(user.id).unwrap().receipt.counts.memories, 1);
}

#[test]
fn what_a_model_said_about_an_erased_entity_is_erased_and_the_rest_stays() {
    let (_workspace, engine) = opened();
    let id = remember(&engine, "Ada Byron asked Zelmo Kraft for the ledger.").id;
    let entity = |name: &str, description: &str| Said::Entity {
        name: name.into(),
        kind: "person".into(),
        description: description.into(),
    };
    let relation = Said::Relation {
        source: "Ada Byron".into(),
        target: "zelmo kraft".into(),
        kind: "related_to".into(),
        description: "she asked him".into(),
        keywords: vec!["asking".into()],
        strength: 7,
    };
    let ada = entity("Ada Byron", "she asked");
    engine
        .put_readings(&[ReadingDraft {
            said: vec![ada.clone(), entity("Zelmo Kraft", "keeps the ledger"), relation],
            ..ReadingDraft::new(id, ReadingTask::Extraction, 1, ReadingOutcome::Read)
        }])
        .unwrap();
    let said = || engine.readings(&id.to_string()).unwrap().remove(0).said;
    assert_eq!(said().len(), 3);
    let relations = engine.entity("Zelmo Kraft", 1, 9).unwrap().relations;
    assert_eq!((relations.len(), relations[0].keywords.len()), (1, 0));
    let named = format!("e{}", relations[0].edge.number);
    assert_eq!(engine.edge(&named).unwrap().keywords, ["asking"]);
    let read = engine.read().unwrap();
    let node = engine.entity("Zelmo Kraft", 1, 1).unwrap().entity.node;
    let plan = griot::remember::erase::plan(read, &Erased::Entity(node), "t", engine.now()).unwrap();
    for text in ["keeps the ledger", "she asked him", "asking"] {
        assert!(plan.texts.iter().any(|one| one == text), "{text}");
    }
    engine.erase(ErasedKind::Entity, "Zelmo Kraft", "t", false, &mut |_, _| Ok(Beside::default())).unwrap();
    assert_eq!(said(), [ada]);
    assert_eq!(engine.unread_count(ReadingTask::Extraction).unwrap(), 0);
}

#[test]
fn a_fact_that_a_person_ended_is_not_reopened_by_a_model_and_can_be_opened_by_a_person() {
    let (_workspace, engine) = opened();
    let dated = |text: &str, day: i64| {
        let draft = Draft { occurred_at: Some(Timestamp(day * 86_400_000)), ..Draft::new(text) };
        engine.remember(draft).unwrap().id
    };
    let owned = |memory: MemoryId| {
        let name =
            |name: &str| Said::Entity { name: name.into(), kind: "person".into(), description: "d".into() };
        let fact = SaidFact {
            subject: "Mira Holm".into(),
            predicate: Predicate::Uses,
            object: "Quillpad".into(),
            confidence: 0.7,
        };
        ReadingDraft {
            said: vec![name("Mira Holm"), name("Quillpad")],
            facts: vec![fact],
            ..ReadingDraft::new(memory, ReadingTask::Extraction, 1, ReadingOutcome::Read)
        }
    };
    let facts = || engine.read().unwrap().facts(None).unwrap();
    let first = dated("Mira Holm writes with Quillpad.", 100);
    engine.put_readings(&[owned(first)]).unwrap();
    assert_eq!((facts().len(), facts()[0].valid_to), (1, None));

    // By rule an end would be a new beginning for what is said later.
    let ended = engine.end_fact("f1", Some(Timestamp(150 * 86_400_000))).unwrap();
    assert!(!ended.current && ended.fact.ended_at.is_some());
    let later = dated("Mira Holm still writes with Quillpad.", 200);
    engine.put_readings(&[owned(later)]).unwrap();
    let now = facts();
    assert_eq!((now.len(), now[0].valid_to), (1, ended.fact.valid_to));
    assert_eq!(now[0].evidence.iter().filter_map(|one| one.memory).collect::<Vec<_>>(), [first, later]);

    let opened = engine.end_fact("f1", None).unwrap();
    assert!(opened.current && opened.fact.ended_at.is_none());
    let early = engine.end_fact("f1", Some(Timestamp(99 * 86_400_000))).unwrap_err();
    assert!(early.why.contains("before it begins"), "{early:?}");
    assert!(engine.end_fact("f9", None).unwrap_err().why.contains("no such fact"));
    assert!(engine.end_fact("Quillpad", None).unwrap_err().why.contains("like f12"));
}

#[test]
fn a_fact_that_arrives_late_ends_where_the_next_one_begins() {
    let (_workspace, engine) = opened();
    let owned = |by: &str, day: i64| {
        let from = Some(Timestamp(day * Timestamp::DAY));
        let draft = FactDraft { valid_from: from, ..fact("Payments", Predicate::OwnedBy, by, None) };
        engine.add_fact(&draft).unwrap().fact.valid_to.map(|end| end.0 / Timestamp::DAY)
    };
    let ends = [("Ada", 1), ("Bob", 31), ("Cleo", 14)].map(|(by, day)| owned(by, day));
    assert_eq!(ends, [None, None, Some(31)]);
    let open: Vec<_> = engine
        .read()
        .unwrap()
        .facts(None)
        .unwrap()
        .into_iter()
        .filter(|one| one.valid_to.is_none())
        .collect();
    assert_eq!(open.len(), 1);
    // Others that began later do not end what may hold beside them.
    let used = |what: &str, day: i64| {
        let from = Some(Timestamp(day * Timestamp::DAY));
        let draft = FactDraft { valid_from: from, ..fact("Payments", Predicate::Uses, what, None) };
        engine.add_fact(&draft).unwrap().fact.valid_to
    };
    assert_eq!([used("Kafka", 31), used("Redis", 14)], [None, None]);
}

#[test]
fn a_text_that_a_model_reads_late_states_no_open_fact() {
    let (_workspace, engine) = opened();
    let owned = |by: &str, day: i64| {
        let draft = Draft {
            occurred_at: Some(Timestamp(day * Timestamp::DAY)),
            ..Draft::new(format!("The shop Payments is owned by {by}."))
        };
        let memory = engine.remember(draft).unwrap().id;
        let fact = SaidFact {
            subject: "Payments".into(),
            predicate: Predicate::OwnedBy,
            object: by.into(),
            confidence: 0.8,
        };
        ReadingDraft {
            facts: vec![fact],
            ..ReadingDraft::new(memory, ReadingTask::Extraction, 1, ReadingOutcome::Read)
        }
    };
    // In one batch and in batches of their own.
    engine.put_readings(&[owned("Cleo Ward", 60), owned("Bob Tarn", 31)]).unwrap();
    engine.put_readings(&[owned("Ada Holm", 1)]).unwrap();
    let facts = engine.read().unwrap().facts(None).unwrap();
    let mut spans: Vec<_> = facts
        .iter()
        .map(|fact| [fact.valid_from, fact.valid_to].map(|at| at.map(|at| at.0 / Timestamp::DAY)))
        .collect();
    spans.sort_unstable();
    assert_eq!(spans, [[Some(1), Some(31)], [Some(31), Some(60)], [Some(60), None]]);
}

#[test]
fn a_name_that_is_a_function_word_is_one_where_it_is_written_as_a_name() {
    let (_workspace, engine) = opened();
    let said = |text: &str| {
        let id = remember(&engine, text).id;
        let name = |name: &str, kind: &str| Said::Entity {
            name: name.into(),
            kind: kind.into(),
            description: String::new(),
        };
        let said = vec![name("Will", "person"), name("May", "person")];
        let draft =
            ReadingDraft { said, ..ReadingDraft::new(id, ReadingTask::Extraction, 1, ReadingOutcome::Read) };
        engine.put_readings(&[draft]).unwrap().mentions
    };
    assert_eq!(said("The keys are with Will and his sister May."), 2);
    assert_eq!(said("Will it rain? We will see, it may."), 0);
}
