//! Erasure through the engine, on files: no file contains any of an erased text.

use std::path::Path;

use griot::backend::sqlite::SqliteBackend;
use griot::engine::{Beside, EdgeRecord, Engine, ListRequest, MergeRequest, Record};
use griot::model::{
    Edge, EdgeKind, EntityType, ErasedKind, Erasure, Error, ErrorKind, Evidence, Node, Predicate, Provenance,
    Result, SourceType, Timestamp,
};
use griot::remember::{Draft, EntityDraft, Remembered, SourceDraft};

use crate::support::*;

fn draft(text: &str, user: Option<&str>) -> Draft {
    Draft { scope: scope(user, None), ..Draft::new(text) }
}

fn say(engine: &Engine, text: &str, user: Option<&str>) -> Remembered {
    engine.remember(draft(text, user)).unwrap()
}

fn merge(engine: &Engine, kept: &str, merged: &str) -> String {
    let (kept, merged) = (kept.to_owned(), merged.to_owned());
    engine.merge(&MergeRequest { kept, merged, reason: None, by: Provenance::User }).unwrap().merge.id()
}

/// No file holds this text.
#[track_caller]
fn assert_gone(folder: &Workspace, text: &str) {
    assert_eq!(holding(folder.folder(), text), Vec::<String>::new(), "{text}");
}

fn erase(engine: &Engine, kind: ErasedKind, name: &str) -> Erasure {
    engine.erase(kind, name, "test", false, &mut |_, _| Ok(Beside::default())).unwrap()
}

fn try_erase(engine: &Engine, memory: &str, dry_run: bool) -> Result<Erasure> {
    engine.erase(ErasedKind::Memory, memory, "test", dry_run, &mut |_, _| Ok(Beside::default()))
}

/// The files below a folder that contain these bytes.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(holding(&entry.path(), text));
        } else if std::fs::read(entry.path()).unwrap().windows(text.len()).any(|part| part == text.as_bytes())
        {
            found.push(entry.path().display().to_string());
        }
    }
    found
}

#[test]
fn an_erased_memory_is_in_no_file_and_in_no_answer() {
    let (folder, engine) = opened();
    let secret = "Ada Quillfeather keeps the spare key of the observatory under the third flowerpot";
    let own = Draft {
        tags: vec!["hiding-spot-of-keys".into()],
        session: Some("garden-chat-17".into()),
        ..draft(secret, None)
    };
    let erased = engine.remember(own).unwrap();
    for number in 0..40 {
        say(&engine, &format!("note {number}: the comet was seen over the harbour again"), None);
    }
    assert!(!holding(folder.folder(), "third flowerpot").is_empty());
    let would = try_erase(&engine, &erased.handle.0, true).unwrap();
    let receipt = erase(&engine, ErasedKind::Memory, &erased.handle.0);
    assert_eq!((would.counts, receipt.counts.memories), (receipt.counts, 1));
    assert_eq!(receipt.after.0, receipt.before.0 + 1);
    assert!(receipt.finished_at.is_some());
    for part in ["third flowerpot", "Quillfeather", "quillfeather", "hiding-spot-of-keys", "garden-chat-17"] {
        assert_gone(&folder, part);
    }
    assert_sound(&engine);
    assert!(engine.show(&erased.handle.0).is_err());
    assert_eq!(engine.verify_erasures().unwrap().iter().map(|(_, found)| *found).collect::<Vec<_>>(), [0]);
    engine.close().unwrap();
    assert_gone(&folder, "flowerpot");
}

#[test]
fn what_others_say_stays_and_is_counted() {
    let (_folder, engine) = opened();
    let text = "The gate of the lower garden is locked at nine in the evening";
    say(&engine, text, Some("ada"));
    say(&engine, text, Some("bob"));
    let receipt = erase(&engine, ErasedKind::User, "ada");
    assert_eq!((receipt.counts.memories, receipt.counts.same_texts), (1, 1));
    assert_eq!(engine.status().unwrap().counts.memories, 1);
    let again = engine.erase(ErasedKind::User, "ada", "test", false, &mut |_, _| Ok(Beside::default()));
    assert_eq!(again.expect_err("nothing is left").kind, ErrorKind::NotFound);
    assert_sound(&engine);
}

#[test]
fn a_relation_weighs_what_is_left_of_those_who_said_it() {
    let (_folder, engine) = opened();
    let said = ["Redis is faster than Postgres", "Postgres was slower than Redis"].map(|text| {
        let tools = ["Redis", "Postgres"].map(|name| EntityDraft::named(name, Some(EntityType::Tool)));
        engine.remember(Draft { entities: tools.to_vec(), ..draft(text, None) }).unwrap()
    });
    let evidence = |memory| Evidence { memory: Some(memory), quote: None, reason: None, at: NOW };
    let ends = (Node::entity(1), Node::entity(2));
    let edge = Edge {
        label: "faster_than".into(),
        weight: 2.0,
        evidence: said.iter().map(|memory| evidence(memory.id)).collect(),
        ..Edge::new(ends, EdgeKind::Relation, Provenance::Llm, evidence(said[0].id))
    };
    let record =
        Record::Edge(EdgeRecord { source: "tool:redis".into(), target: "tool:postgres".into(), edge });
    engine.import(&mut [Ok(record)].into_iter()).unwrap();
    let weights = || -> Vec<f32> {
        let edges = engine.read().unwrap().edges_after(0, 100).unwrap();
        edges.iter().filter(|edge| edge.kind == EdgeKind::Relation).map(|edge| edge.weight).collect()
    };
    assert_eq!(weights(), [2.0]);
    erase(&engine, ErasedKind::Memory, &said[0].handle.0);
    assert_eq!(weights(), [1.0]);
    erase(&engine, ErasedKind::Memory, &said[1].handle.0);
    assert!(weights().is_empty());
}

#[test]
fn an_erased_entity_takes_its_names_and_leaves_the_texts() {
    let (folder, engine) = opened();
    let ada = EntityDraft::named("Ada Quillfeather", Some(EntityType::Person));
    for number in 0..3 {
        let own = Draft { entities: vec![ada.clone()], ..draft(&format!("note {number} about her"), None) };
        engine.remember(own).unwrap();
    }
    let receipt = erase(&engine, ErasedKind::Entity, "Ada Quillfeather");
    assert_eq!((receipt.counts.entities, receipt.counts.memories, receipt.counts.mentioning), (1, 0, 3));
    assert_gone(&folder, "Quillfeather");
    assert_gone(&folder, "quillfeather");
    assert_eq!(engine.status().unwrap().counts.memories, 3);
    assert_sound(&engine);
}

#[test]
fn an_erased_source_goes_with_its_title_and_its_origin() {
    let (folder, engine) = opened();
    let source = SourceDraft {
        title: Some("Minutes of the heron society".into()),
        ..SourceDraft::new(SourceType::File, "/papers/heron.md")
    };
    let drafts = (0..5)
        .map(|number| draft(&format!("paragraph {number} on wading birds of the estuary"), None))
        .collect();
    engine.remember_all(&source, drafts).unwrap();
    say(&engine, "something else entirely", None);
    let receipt = erase(&engine, ErasedKind::Source, "/papers/heron.md");
    assert_eq!((receipt.counts.memories, receipt.counts.sources), (5, 1));
    for part in ["heron society", "/papers/heron.md", "wading birds"] {
        assert_gone(&folder, part);
    }
    assert_sound(&engine);
}

/// A session that goes on: what was said so far, each turn a second after the one before.
fn transcript(said: &[&str]) -> (SourceDraft, Vec<Draft>) {
    let title = said.first().map(|first| format!("{first}…"));
    let origin = "/sessions/one.jsonl";
    let source = SourceDraft { title, is_session: true, ..SourceDraft::new(SourceType::Chat, origin) };
    let turn = |(at, text): (usize, &&str)| Draft {
        speaker: Some("user".into()),
        occurred_at: Some(Timestamp(1_700_000_000_123 + 1000 * at as i64)),
        ..Draft::new(*text)
    };
    (source, said.iter().enumerate().map(turn).collect())
}

fn texts(engine: &Engine) -> Vec<String> {
    let listed = engine.list(&ListRequest::default(), 10).unwrap();
    let mut texts: Vec<String> = listed.into_iter().map(|memory| memory.text).collect();
    texts.sort();
    texts
}

#[test]
fn what_was_erased_or_forgotten_of_a_session_does_not_come_back_with_it() {
    let (folder, engine) = opened();
    let read = |said: &[&str]| {
        let (source, drafts) = transcript(said);
        engine.ingest(&source, drafts).unwrap();
    };
    let said =
        ["where is the vault", "its pin is 4711-zebra", "the walrus sleeps", "lunch is where the vault is"];
    read(&said[..3]);
    let handle = |text: &str| {
        let listed = engine.list(&ListRequest::default(), 10).unwrap();
        listed.into_iter().find(|memory| memory.text == text).unwrap().handle.0
    };
    erase(&engine, ErasedKind::Memory, &handle(said[1]));
    engine.forget(&handle(said[2])).unwrap();
    assert_gone(&folder, "zebra");
    read(&said);
    assert_eq!(texts(&engine), [said[3], said[0]]);
    assert_gone(&folder, "zebra");
    let refused = try_erase(&engine, &handle(said[0]), false).expect_err("it is the title, too");
    assert_eq!(refused.hint.as_deref(), Some("griot erase source s1"));
    let dry_run = |text: &str| try_erase(&engine, &handle(text), true);
    assert!(dry_run(said[3]).is_ok(), "it has a word of the title, and is not where that is from");
    erase(&engine, ErasedKind::Source, "s1");
    assert_gone(&folder, "vault");
    read(&said);
    assert_eq!(texts(&engine), Vec::<String>::new());
    assert_gone(&folder, "vault");
    assert_sound(&engine);
}

#[test]
fn an_erasure_that_was_cut_off_goes_on_and_says_so_until_then() {
    let (folder, engine) = opened();
    let erased = say(&engine, "the ferryman counts every coin twice before dawn", None);
    say(&engine, "the lighthouse keeper reads at night", None);
    let cut_off = engine.erase(ErasedKind::Memory, &erased.handle.0, "test", false, &mut |_, _| {
        Err(Error::unavailable("look beside", "the test cut it off"))
    });
    assert!(cut_off.is_err());
    assert_eq!(engine.unfinished_erasures().unwrap().len(), 1);
    assert!(!holding(folder.folder(), "counts every coin").is_empty(), "the log holds it still");
    drop(engine);
    let engine = folder.open();
    let finished = engine.finish_erasures(&mut |_, _| Ok(Beside::default())).unwrap();
    assert_eq!(finished.len(), 1);
    assert!(engine.unfinished_erasures().unwrap().is_empty());
    assert_gone(&folder, "counts every coin");
}

#[test]
fn a_reader_of_the_state_before_delays_it_and_is_named() {
    let folder = Workspace::new();
    let mut settings = quick();
    settings.store.busy_timeout_ms = 20;
    let engine = folder.open_with(settings);
    let erased = say(&engine, "the clockmaker hides his ledger behind the stove", None);
    say(&engine, "the stove was cold", None);
    let reader = rusqlite::Connection::open(folder.path()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM memory;").unwrap();
    let refused = try_erase(&engine, &erased.handle.0, false).expect_err("another reads");
    assert_eq!(refused.kind, ErrorKind::Conflict);
    if cfg!(target_os = "linux") {
        assert!(refused.why.contains(&format!("process {}", std::process::id())), "{}", refused.why);
    }
    assert!(engine.show(&erased.handle.0).is_err(), "the row is gone at once");
    drop(reader);
    assert_eq!(engine.finish_erasures(&mut |_, _| Ok(Beside::default())).unwrap().len(), 1);
    assert_gone(&folder, "hides his ledger");
}

#[test]
fn another_process_drops_what_was_erased_and_writes_no_snapshot_of_it() {
    let folder = Workspace::new();
    let (first, second) = (folder.open(), folder.open());
    let erased = say(&first, "the miller grinds at midnight for a price", Some("ada"));
    say(&second, "the miller has two sons", Some("ada"));
    assert!(second.show(&erased.handle.0).is_ok());
    erase(&first, ErasedKind::User, "ada");
    // The user's name was removed; the other process must not write its former number.
    let new = say(&second, "the miller sold the mill", Some("ada"));
    assert!(second.show(&erased.handle.0).is_err());
    assert_eq!(first.show(&new.handle.0).unwrap().scope.user.as_deref(), Some("ada"));
    for engine in [&first, &second] {
        assert_sound(engine);
    }
    first.close().unwrap();
    second.close().unwrap();
    assert_gone(&folder, "at midnight for a price");
}

#[test]
fn a_backup_is_a_store_of_its_own_that_carries_settings() {
    let (folder, engine) = opened();
    say(&engine, "the baker rises at three", None);
    let file = folder.folder().join("copy.griot");
    engine.backup(&file, &[("griot.toml".into(), "[recall]\nlimit = 7\n".into())]).unwrap();
    say(&engine, "the baker burned the bread", None);
    let carried = SqliteBackend::carried_by(&file).unwrap();
    assert_eq!(carried, [("griot.toml".to_string(), "[recall]\nlimit = 7\n".to_string())]);
    let other = Workspace::new();
    std::fs::copy(&file, other.path()).unwrap();
    let copy = other.open();
    assert_eq!(copy.status().unwrap().counts.memories, 1);
    assert_sound(&copy);
}

#[test]
fn a_name_that_only_an_erased_text_wrote_is_in_no_merge() {
    let (folder, engine) = opened();
    let named = |text: &str, name: &str| Draft {
        entities: vec![EntityDraft::named(name, Some(EntityType::Tool))],
        ..draft(text, None)
    };
    let stored = |draft| engine.remember(draft).unwrap().handle.0;
    stored(named("Harbour Ledger books every crate that comes in", "Harbour Ledger"));
    let first = stored(named("Zanzibarlogger lost two of the crates", "Zanzibarlogger"));
    let second = stored(named("Quetzalcounter counted the crates again", "Quetzalcounter"));
    merge(&engine, "Harbour Ledger", "Zanzibarlogger");
    let undone = merge(&engine, "Harbour Ledger", "Quetzalcounter");
    engine.unmerge(&undone).unwrap();
    for (handle, name) in [(first, "anzibarlogger"), (second, "uetzalcounter")] {
        assert!(!holding(folder.folder(), name).is_empty());
        erase(&engine, ErasedKind::Memory, &handle);
        assert_gone(&folder, name);
    }
    assert_eq!(engine.entity("Harbour Ledger", 1, 5).unwrap().mention_count, 1);
    assert_sound(&engine);
}

#[test]
fn a_merge_into_a_name_that_only_an_erased_text_wrote_goes_and_what_was_merged_stays() {
    let (folder, engine) = opened();
    let stored = |text: &str| say(&engine, text, None).handle.0;
    let first = stored("The Quetzal Counter counted the crates again");
    stored("The Harbour Ledger books every crate that comes in");
    merge(&engine, "Quetzal Counter", "Harbour Ledger");
    erase(&engine, ErasedKind::Memory, &first);
    for name in ["uetzal Counter", "uetzal counter", "uetzal-counter"] {
        assert_gone(&folder, name);
    }
    assert_eq!(engine.entity("Harbour Ledger", 1, 5).unwrap().mention_count, 1);
    assert_eq!(engine.merges().unwrap().merges.len(), 0);
    assert_sound(&engine);
}

#[test]
fn only_a_whole_name_is_erased_never_a_part_of_what_was_typed() {
    let (_folder, engine) = opened();
    say(&engine, "We run Redis behind the Keycloak API", None);
    for name in ["concept:keep-redis-for-now", "keep redis for now", "the redis api"] {
        let error = engine
            .erase(ErasedKind::Entity, name, "test", true, &mut |_, _| Ok(Beside::default()))
            .expect_err(name);
        assert_eq!(error.kind, ErrorKind::NotFound, "{name}");
    }
}

#[test]
fn a_name_that_only_the_fact_of_an_erased_text_gave_leaves_no_merge() {
    let (person, counter) = ("Hanna Gretaick", "quetzal counter and more");
    for (kept, merged) in [(person, counter), (counter, person)] {
        let (folder, engine) = opened();
        let first = say(&engine, "Redis uses a quetzal counter and more", None).id;
        say(&engine, "Hanna Gretaick books every crate that comes in", None);
        let object = "quetzal counter and more";
        engine.add_fact(&fact("Redis", Predicate::Uses, object, Some(&first.to_string()))).unwrap();
        merge(&engine, kept, merged);
        erase(&engine, ErasedKind::Memory, &first.to_string());
        for name in ["quetzal count", "quetzal-count"] {
            assert_gone(&folder, name);
        }
        assert_eq!(engine.entity("Hanna Gretaick", 1, 5).unwrap().mention_count, 1);
        assert_sound(&engine);
    }
}
