//! What callers get wrong: each is an error of the right kind, and the store is as it was.

use std::path::Path;

use griot::engine::{Access, Engine, LinkRequest, Record, WhyDirection};
use griot::model::{
    EdgeKind, Error, ErrorKind, Interval, Predicate, Provenance, SourceId, SourceType, Timestamp,
};
use griot::recall::Query;
use griot::remember::{Draft, SourceDraft};

use crate::support::*;

/// Two memories, linked, and what they mention.
fn small() -> (Workspace, Engine, String, String) {
    let (workspace, engine) = opened();
    let a = remember(&engine, "Ada moved the cache to Redis.").id.to_string();
    let b = remember(&engine, "The latency fell to 3 ms.").id.to_string();
    engine.link(&link(&a, &b)).unwrap();
    (workspace, engine, a, b)
}

#[test]
fn texts_that_cannot_be_kept_are_refused() {
    let (_workspace, engine, ..) = small();
    let refused = |draft: Draft| {
        let source = SourceDraft::new(SourceType::Chat, "chat");
        assert_refused(&engine, ErrorKind::InvalidInput, |engine| engine.remember(draft.clone()));
        // One of several takes the others with it.
        let all = vec![Draft::new("This one is fine."), draft];
        assert_refused(&engine, ErrorKind::InvalidInput, |engine| engine.remember_all(&source, all.clone()));
        assert_refused(&engine, ErrorKind::InvalidInput, |engine| {
            engine.remember_batch(vec![(SourceDraft::new(SourceType::Chat, "other"), all.clone())])
        });
        assert_refused(&engine, ErrorKind::InvalidInput, |engine| engine.ingest(&source, all.clone()));
    };
    refused(Draft::new(""));
    refused(Draft::new(" \n\t\u{3000}"));
    refused(Draft::new("a\0b"));
    refused(Draft::new("x".repeat(16 * 1024 * 1024 + 1)));
    refused(Draft { importance: Some(0), ..Draft::new("x") });
    refused(Draft { importance: Some(6), ..Draft::new("x") });
    refused(Draft { kind: Some("not\na word".into()), ..Draft::new("x") });
    refused(Draft { tags: vec!["fine".into(), "x".repeat(65)], ..Draft::new("x") });
    for time in [i64::MIN, Timestamp::EARLIEST.0 - 1, Timestamp::LATEST.0 + 1, i64::MAX] {
        refused(Draft { occurred_at: Some(Timestamp(time)), ..Draft::new("x") });
    }
}

#[test]
fn the_first_and_the_last_time_are_times() {
    let (_workspace, engine) = opened();
    for time in [Timestamp::EARLIEST, Timestamp::LATEST] {
        engine
            .remember(Draft { occurred_at: Some(time), ..Draft::new(format!("At {time} the clock struck.")) })
            .unwrap();
    }
    assert_eq!(engine.recall(&ask("When did the clock strike?")).unwrap().results.len(), 2);
    let status = engine.status().unwrap();
    assert_eq!((status.earliest, status.latest), (Some(Timestamp::EARLIEST), Some(Timestamp::LATEST)));
    assert_sound(&engine);
}

#[test]
fn names_that_nothing_has_are_not_found() {
    let (_workspace, engine, a, _) = small();
    for name in [
        "#ffffff",
        "#",
        "#xyz",
        "01890000-0000-7000-8000-000000000000",
        "tool:nothing",
        "default:tool:nothing",
        "no one of this name",
        "",
        "  ",
        "'; DROP TABLE memory; --",
        "%",
        "\u{0}",
        "s999",
    ] {
        let refused = |act: &dyn Fn(&Engine) -> Result<(), Error>| {
            assert_refused(&engine, ErrorKind::NotFound, act);
        };
        refused(&|e| e.show(name).map(drop));
        refused(&|e| e.keep(name).map(drop));
        refused(&|e| e.forget(name).map(drop));
        refused(&|e| e.restore(name).map(drop));
        refused(&|e| e.why(name, WhyDirection::Both, 3, 0.0, None).map(drop));
        refused(&|e| e.related(name, 2, &[], &[], 9).map(drop));
        refused(&|e| e.path(name, &a, 5).map(drop));
        refused(&|e| e.path(&a, name, 5).map(drop));
        refused(&|e| e.entity(name, 1, 9).map(drop));
        refused(&|e| e.similar(name, 9).map(drop));
        refused(&|e| e.timeline(Some(name), 1, 1, None, &scope(None, None)).map(drop));
        refused(&|e| e.link(&link(name, &a)).map(drop));
        refused(&|e| e.link(&link(&a, name)).map(drop));
        refused(&|e| e.unlink(&a, name, None, None).map(drop));
        refused(&|e| e.facts(Some(name), None, None).map(drop));
        refused(&|e| e.add_fact(&fact("Ada", Predicate::Uses, "Redis", Some(name))).map(drop));
        if !name.trim().is_empty() {
            refused(&|e| {
                e.remember(Draft { supersedes: Some(name.into()), ..Draft::new("A correction.") }).map(drop)
            });
        }
    }
    assert_refused(&engine, ErrorKind::NotFound, |e| e.source(SourceId(77)));
    assert_refused(&engine, ErrorKind::NotFound, |e| e.set_source_tags(SourceId(77), vec![]));
    assert_refused(&engine, ErrorKind::NotFound, |e| e.unlink(&a, "Ada", Some(EdgeKind::Causal), None));
}

#[test]
fn things_of_the_wrong_kind_are_refused() {
    let (_workspace, engine, a, b) = small();
    let refused = |act: &dyn Fn(&Engine) -> Result<(), Error>| {
        assert_refused(&engine, ErrorKind::InvalidInput, act);
    };
    // There is no memory, or no entity, of this name.
    assert_refused(&engine, ErrorKind::NotFound, |e| e.show("Redis"));
    assert_refused(&engine, ErrorKind::NotFound, |e| e.entity(&a, 1, 9));
    refused(&|e| e.link(&link(&a, &a)).map(drop));
    refused(&|e| e.link(&LinkRequest { kind: EdgeKind::Mentions, ..link(&a, &b) }).map(drop));
    refused(&|e| e.link(&LinkRequest { kind: EdgeKind::Supersedes, ..link(&a, "Redis") }).map(drop));
    refused(&|e| e.link(&LinkRequest { kind: EdgeKind::Relation, ..link("Ada", "Redis") }).map(drop));
    refused(&|e| e.link(&LinkRequest { label: Some("heals".into()), ..link(&a, &b) }).map(drop));
    refused(&|e| {
        e.link(&LinkRequest { kind: EdgeKind::Semantic, label: Some("x".into()), ..link(&a, &b) }).map(drop)
    });
    for label in ["Two Words", "UPPER", "a'b", &"x".repeat(65)] {
        let label = Some(label.to_owned());
        refused(&|e| {
            e.link(&LinkRequest { kind: EdgeKind::Relation, label: label.clone(), ..link("Ada", "Redis") })
                .map(drop)
        });
    }
    for weight in [-0.1, 1.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        refused(&|e| e.link(&LinkRequest { weight: Some(weight), ..link(&a, &b) }).map(drop));
        let confidence = Some(weight);
        refused(&|e| {
            e.add_fact(&griot::engine::FactDraft {
                confidence,
                ..fact("Ada", Predicate::Uses, "Redis", None)
            })
            .map(drop)
        });
        refused(&|e| e.why(&a, WhyDirection::Both, 3, weight, None).map(drop));
        refused(&|e| e.build_graphs(semantic(weight), &mut |_, _| {}).map(drop));
    }
    let (from, to) = (Some(Timestamp(5)), Some(Timestamp(5)));
    let backwards = griot::engine::FactDraft {
        valid_from: from,
        valid_to: to,
        ..fact("Ada", Predicate::Uses, "Redis", None)
    };
    refused(&|e| e.add_fact(&backwards).map(drop));
    refused(&|e| e.add_fact(&fact(" ", Predicate::Uses, "Redis", None)).map(drop));
    refused(&|e| e.add_fact(&fact("Ada", Predicate::Uses, "", None)).map(drop));
    for depth in [0, 11, usize::MAX] {
        refused(&|e| e.why(&a, WhyDirection::Both, depth, 0.0, None).map(drop));
        refused(&|e| e.related(&a, depth, &[], &[], 9).map(drop));
        refused(&|e| e.entity("Redis", depth, 9).map(drop));
        refused(&|e| e.traverse(&ask("cache"), 5, 50, depth).map(drop));
    }
    refused(&|e| e.traverse(&ask("cache"), 0, 50, 3).map(drop));
    engine.forget(&b).unwrap();
    refused(&|e| e.add_fact(&fact("Ada", Predicate::Uses, "Redis", Some(&b))).map(drop));
    refused(&|e| e.recall(&ask(" \n")).map(drop));
    refused(&|e| e.recall(&Query { limit: 0, ..ask("cache") }).map(drop));
}

#[test]
fn a_memory_is_replaced_in_one_direction_only() {
    let (_workspace, engine, a, b) = small();
    let replace =
        |new: &str, old: &str| engine.link(&LinkRequest { kind: EdgeKind::Supersedes, ..link(new, old) });
    let c = remember(&engine, "The latency rose again.").id.to_string();
    replace(&b, &a).unwrap();
    replace(&c, &b).unwrap();
    for (new, old) in [(&a, &b), (&a, &c), (&b, &c)] {
        assert_refused(&engine, ErrorKind::InvalidInput, |_| replace(new, old));
    }
    // Two replace one: it comes back when neither does.
    replace(&c, &a).unwrap();
    engine.unlink(&c, &a, Some(EdgeKind::Supersedes), None).unwrap();
    assert_eq!(engine.show(&a).unwrap().superseded_by.map(|id| id.to_string()), Some(b.clone()));
    engine.unlink(&b, &a, Some(EdgeKind::Supersedes), None).unwrap();
    assert_eq!(engine.show(&a).unwrap().superseded_by, None);
}

#[test]
fn a_question_is_words_and_nothing_else() {
    let (_workspace, engine, a, _) = small();
    let revision = engine.read().unwrap().revision();
    for text in [
        "\"cache",
        "cache\" OR \"1\"=\"1",
        "cache AND NOT redis",
        "NEAR(cache redis, 5)",
        "text:cache",
        "cache*",
        "^cache",
        "-cache +redis",
        "{cache redis} : x",
        "(((cache",
        "cache'; DROP TABLE memory; --",
        "cache\0redis",
        "%cache_%",
        "cache \u{202e}\u{200b}\u{feff}",
        "《cache》「redis」",
        "\\cache\\",
    ] {
        let found = engine.recall(&Query { floor: false, ..ask(text) }).unwrap();
        assert_eq!(
            found.results.first().map(|result| result.memory.id.to_string()),
            Some(a.clone()),
            "{text}"
        );
        engine.traverse(&ask(text), 5, 50, 3).unwrap();
        engine.entities_named(text, None, &[], 5).unwrap();
    }
    for text in ["???", "*", "\"\"", "\0", "....", "🜲", "AND", "' OR ''='", "before after during", "last"]
    {
        engine.recall(&ask(text)).unwrap();
    }
    for mut query in [ask("cache"), ask("why the cache?")] {
        query.kinds = vec!["unheard of".into()];
        assert!(engine.recall(&query).unwrap().results.is_empty());
        query.kinds.clear();
        query.sources = vec![SourceId(99), SourceId(0), SourceId(u32::MAX)];
        assert!(engine.recall(&query).unwrap().results.is_empty());
        query.sources.clear();
        query.occurred = Some(Interval { start: Timestamp(i64::MAX), end: Timestamp(i64::MIN) });
        assert!(engine.recall(&query).unwrap().results.is_empty());
        query.occurred = None;
        for now in [Timestamp(i64::MIN), Timestamp(i64::MAX), Timestamp(0)] {
            engine.recall(&Query { now, ..query.clone() }).unwrap();
            engine
                .recall(&Query { now, ..ask("what happened last week, in 3 years, before 1800?") })
                .unwrap();
        }
        engine.recall(&Query { limit: usize::MAX, budget: Some(usize::MAX), ..query.clone() }).unwrap();
        assert!(engine.recall(&Query { budget: Some(0), ..query }).unwrap().results.is_empty());
    }
    assert_eq!(engine.hubs(None, &[], 0).unwrap().len(), 0);
    assert_eq!(engine.read().unwrap().revision(), revision);
}

#[test]
fn a_question_of_a_hundred_thousand_characters_is_answered() {
    let (_workspace, engine, a, _) = small();
    let words: String = (0..).map(|n| format!("word{n} ")).take(12_000).collect();
    let repeated = "why did Ada because of the cache last week? ".repeat(2500);
    let names = "Ada Lovelace and Grace Hopper, ".repeat(3500);
    let quotes = "\"".repeat(100_000);
    let signs = "数据库".repeat(34_000);
    for text in [&format!("cache {words}"), &repeated, &names, &quotes, &signs, &"x".repeat(100_000)] {
        assert!(text.chars().count() >= 100_000);
        engine.recall(&ask(text)).unwrap();
    }
    // One word of sixty that count is not relevant, but it is found.
    let found = engine.recall(&Query { floor: false, ..ask(&format!("cache {words}")) }).unwrap();
    assert_eq!(found.results.first().map(|result| result.memory.id.to_string()), Some(a));
}

#[test]
fn ten_megabytes_in_one_memory_come_back() {
    let (_workspace, engine, ..) = small();
    let line = "The auditor found that Ledger 4711 was late because Grace Hopper was on leave, \
        see https://example.com/a_b.\n";
    let mut text = line.repeat(10 * 1024 * 1024 / line.len());
    text.push_str("The last word is quagga.");
    let stored = engine.remember(Draft::new(text.clone())).unwrap();
    assert_eq!(engine.show(&stored.id.to_string()).unwrap().text, text);
    let found = engine.recall(&ask("quagga")).unwrap();
    assert!(found.results.iter().any(|result| result.memory.id == stored.id));
    assert_sound(&engine);
}

#[test]
fn files_that_are_no_workspace_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.md");
    let text = "# Notes\n".repeat(2000);
    std::fs::write(&path, &text).unwrap();
    assert_eq!(open(&path).err().unwrap().kind, ErrorKind::Corrupt);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);

    let newer = folder.path().join("newer.db");
    remember(&open(&newer).unwrap(), "From the future.");
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = std::fs::read(&newer).unwrap();
    let error = open(&newer).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Corrupt);
    assert!(error.why.contains("newer") && error.hint.is_some(), "{error}");
    assert_eq!(std::fs::read(&newer).unwrap(), before);

    let missing = folder.path().join("missing.db");
    let access = Access { create: false, read_only: false };
    assert_eq!(Engine::open(&missing, access, quick()).err().unwrap().kind, ErrorKind::NotFound);
    assert!(!missing.exists());
    assert_eq!(open(folder.path()).err().unwrap().kind, ErrorKind::InvalidInput);
}

/// Root may write anywhere, but not below a file, nor in a folder that takes no files.
#[test]
fn a_path_that_cannot_be_written_to_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let mut paths = vec![file.join("workspace.db")];
    if cfg!(target_os = "linux") {
        paths.push(Path::new("/proc/griot/workspace.db").to_owned());
    }
    let locked = folder.path().join("locked");
    std::fs::create_dir(&locked).unwrap();
    let mut rights = std::fs::metadata(&locked).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&locked, rights).unwrap();
    if std::fs::write(locked.join("probe"), "").is_err() {
        paths.push(locked.join("workspace.db"));
    }
    for path in paths {
        let error = open(&path).err().unwrap();
        assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}

#[test]
fn a_workspace_that_is_read_only_answers_and_takes_nothing() {
    let (workspace, engine, a, b) = small();
    drop(engine);
    let engine = workspace.open_read_only();
    assert_eq!(engine.recall(&ask("Where is the cache?")).unwrap().results[0].memory.id.to_string(), a);
    assert_eq!(engine.show(&a).unwrap().access_count, 0);
    let refused = |act: &dyn Fn(&Engine) -> Result<(), Error>| {
        assert_refused(&engine, ErrorKind::Unavailable, act);
    };
    refused(&|e| e.remember(Draft::new("Something new.")).map(drop));
    refused(&|e| e.link(&link(&b, &a)).map(drop));
    refused(&|e| e.unlink(&a, &b, None, None).map(drop));
    refused(&|e| e.forget(&a).map(drop));
    refused(&|e| e.keep(&a).map(drop));
    refused(&|e| e.add_fact(&fact("Ada", Predicate::Uses, "Redis", None)).map(drop));
    refused(&|e| e.import(&mut std::iter::empty()).map(drop));
}

#[test]
fn an_import_that_breaks_in_the_middle_leaves_nothing() {
    let (_workspace, engine, ..) = small();
    engine.add_fact(&fact("Ada", Predicate::Uses, "Redis", None)).unwrap();
    let records = records(&engine);
    let (_other, target) = opened();
    remember(&target, "Already here.");
    for broken in 0..records.len() {
        let torn = || {
            let whole = records.iter().take(broken).cloned().map(Ok);
            whole.chain([Err(Error::invalid("read line 7", "it is no JSON"))])
        };
        let error = assert_refused(&target, ErrorKind::InvalidInput, |target| target.import(&mut torn()));
        assert!(error.contains("line 7"), "{error}");
    }
    assert_eq!(all_memories(&target).len(), 1);
    import(&target, &records).unwrap();
    assert_eq!(all_memories(&target).len(), 3);
    assert_sound(&target);
}

#[test]
fn an_import_with_nonsense_in_it_is_refused_whole() {
    let (_workspace, engine, ..) = small();
    engine.add_fact(&fact("Ada", Predicate::Uses, "Redis", None)).unwrap();
    let records = records(&engine);
    let (_other, target) = opened();
    remember(&target, "Already here.");
    let refused = |spoil: &dyn Fn(&mut Record) -> bool| {
        let mut records = records.clone();
        assert!(records.iter_mut().any(spoil), "nothing was spoilt");
        assert_refused(&target, ErrorKind::InvalidInput, |target| import(target, &records));
    };
    macro_rules! spoil {
        ($kind:pat => $act:expr) => {
            refused(&|record| match record {
                $kind => {
                    $act;
                    true
                }
                _ => false,
            })
        };
    }
    spoil!(Record::Memory { memory, .. } => memory.text = " ".into());
    spoil!(Record::Memory { memory, .. } => memory.text = "a\0b".into());
    spoil!(Record::Memory { memory, .. } => memory.importance = 200);
    spoil!(Record::Memory { memory, .. } => memory.occurred_at = Timestamp(i64::MIN));
    spoil!(Record::Memory { memory, .. } => memory.source = SourceId(500));
    spoil!(Record::Memory { vector: Some(vector), .. } => vector.values.truncate(3));
    spoil!(Record::Memory { vector: Some(vector), .. } => vector.values.clear());
    spoil!(Record::Memory { vector: Some(vector), .. } => vector.scale = f32::NAN);
    spoil!(Record::Edge(record) => record.source = "unknown".into());
    spoil!(Record::Edge(record) => record.target = "01890000-0000-7000-8000-000000000000".into());
    spoil!(Record::Edge(record) => std::mem::swap(&mut record.source, &mut record.target));
    spoil!(Record::Edge(record) => record.edge.weight = 7.0);
    spoil!(Record::Edge(record) => record.edge.weight = f32::NAN);
    spoil!(Record::Edge(record) => record.edge.confidence = -1.0);
    spoil!(Record::Edge(record) => record.edge.label = "nonsense".into());
    spoil!(Record::Fact(record) => record.subject = "unknown".into());
    spoil!(Record::Fact(record) => record.object = None);
    spoil!(Record::Fact(record) => record.fact.confidence = f32::NAN);
    // Edges before their nodes.
    refused(&|record| {
        let is_entity = matches!(record, Record::Entity(_));
        if is_entity {
            *record = Record::Header { revision: Default::default(), exported_at: NOW, vector_model: None };
        }
        is_entity
    });
    assert_sound(&target);
}

#[test]
fn what_a_person_said_is_not_overwritten() {
    let (_workspace, engine, a, b) = small();
    for provenance in Provenance::ALL {
        let linked = engine.link(&LinkRequest { provenance, weight: Some(0.3), ..link(&a, &b) }).unwrap();
        assert_eq!((linked.created, linked.edge.edge.weight), (false, 1.0));
    }
}
