//! Databases of other memory programs: what becomes of their rows, which ones are refused, and that nothing
//! is written.

use std::fs;
use std::path::{Path, PathBuf};

use griot::engine::{Engine, FactDraft, FactView, LinkRequest, Settings, WhyDirection};
use griot::model::{Edge, EdgeKind, EntityType, FactObject, Memory, Predicate, Provenance, Scope, Timestamp};
use griot::recall::PathNode;
use griot::remember::{DraftLink, DraftObject, DraftPlace, SourceDraft};
use griot_ingest::{ReadOptions, Reading, identify, read_file};
use rusqlite::Connection;

use crate::{Folder, lines, problems, read_parts, read_path};

const MNEMON: &str = include_str!("sql/mnemon.sql");
const CLAWMEM: &str = include_str!("sql/clawmem.sql");
const INSIGHTS: &str = include_str!("sql/mnemon_insights.sql");
const TRIPLES: &str = include_str!("sql/clawmem_triples.sql");

fn made(folder: &Folder, name: &str, statements: &[&str]) -> PathBuf {
    let path = folder.path().join(name);
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    statements.iter().for_each(|statement| connection.execute_batch(statement).unwrap());
    connection.close().unwrap();
    path
}

/// The same by every way in: from the file, in parts, and as bytes.
fn read(path: &Path) -> Reading {
    let options = ReadOptions::default();
    let from_file = read_path(path);
    assert_eq!(read_parts(path, &options), std::slice::from_ref(&from_file));
    assert_eq!(identify(path, &options).unwrap().content_hash, from_file.source.content_hash);
    let sent = crate::read("sent.db", fs::read(path).unwrap());
    assert_eq!(lines(&sent).len(), lines(&from_file).len());
    from_file
}

/// What is read from a database of these statements, and an engine that has stored it.
fn stored(folder: &Folder, statements: &[&str]) -> (Reading, Engine) {
    let reading = read(&made(folder, "a.db", statements));
    let engine = folder.engine(Settings::default());
    engine.ingest(&reading.source, reading.drafts.clone()).unwrap();
    (reading, engine)
}

/// The memories of the only source.
fn memories(engine: &Engine) -> Vec<Memory> {
    engine.source(engine.sources().unwrap()[0].source.id).unwrap().1
}

fn names(reading: &Reading, at: usize) -> Vec<String> {
    let kind = |kind: Option<EntityType>| kind.map_or("?", |kind| kind.name());
    let entities = reading.drafts[at].entities.iter();
    entities.map(|entity| format!("{} {}", kind(entity.kind), entity.name)).collect()
}

/// Kind, ends and reason of each edge.
fn links(reading: &Reading) -> Vec<String> {
    let reason = |link: &DraftLink| link.reason.clone().unwrap_or_default();
    reading.source.links.iter().map(|link| format!("{} {}", ends(link), reason(link))).collect()
}

/// Label, weight, confidence and provenance of each edge, after its kind and ends.
fn qualities(reading: &Reading) -> Vec<String> {
    let describe = |link: &DraftLink| {
        let sure = link.confidence.map_or("-".to_string(), |confidence| format!("{confidence:.2}"));
        let label = link.label.as_deref().unwrap_or("-");
        format!("{} {label} {:.2} {sure} {}", ends(link), link.weight, link.provenance.name())
    };
    reading.source.links.iter().map(describe).collect()
}

fn ends(link: &DraftLink) -> String {
    let end = |DraftPlace { session, ordinal }: &DraftPlace| {
        format!("{}#{ordinal}", session.as_deref().unwrap_or_default())
    };
    format!("{} {} {}", link.kind.name(), end(&link.source), end(&link.target))
}

/// The same source after its file changed.
fn changed(reading: &Reading, hash: u8) -> SourceDraft {
    SourceDraft { content_hash: Some([hash; 32]), ..reading.source.clone() }
}

#[test]
fn edges_of_mnemon_keep_weight_label_and_who_says_so() {
    let folder = Folder::empty();
    let (reading, engine) = stored(&folder, &[MNEMON, include_str!("sql/mnemon_edges.sql")]);
    assert_eq!(
        qualities(&reading),
        [
            "causal #0 #1 enables 0.21 - rule",
            "causal #1 #2 prevents 0.90 - import",
            "causal #2 #3 no such thing 1.00 - import",
            "semantic #0 #3 - 0.65 - import",
        ],
        "similarity that the program measured and steps in time are found again; what was made by hand is not"
    );
    let problems = problems(&reading);
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].ends_with("a.db`: 1 edge between memories is left out: 1 `temporal`"),
        "{problems:?}"
    );

    let id = |at: usize| memories(&engine)[at].id.to_string();
    let edges = |a: usize, b: usize| {
        let edges = engine.linked(&id(a), &id(b), None, None).unwrap();
        let describe = |edge: &Edge| {
            format!("{} {:.2} {:.2} {}", edge.label, edge.weight, edge.confidence, edge.provenance.name())
        };
        edges.iter().map(|view| describe(&view.edge)).collect::<Vec<_>>()
    };
    assert_eq!(edges(0, 1), ["enables 0.21 0.70 rule"]);
    assert_eq!(edges(1, 2), ["prevents 0.90 1.00 import"]);
    assert_eq!(edges(2, 3), ["causes 1.00 1.00 import"], "what is no label of the kind is its default");
    assert_eq!(edges(0, 3), [" 0.65 1.00 import"]);
    // A person says otherwise, before and after the file is read again.
    let request = LinkRequest {
        source: id(1),
        target: id(2),
        kind: EdgeKind::Causal,
        label: Some("prevents".into()),
        weight: Some(0.4),
        reason: Some("I looked.".into()),
        provenance: Provenance::User,
        confidence: None,
        expires_at: None,
    };
    engine.link(&request).unwrap();
    assert_eq!(edges(1, 2), ["prevents 0.40 1.00 user"]);
    let mut again = changed(&reading, 1);
    for link in &mut again.links {
        link.reason = Some("Said again.".into());
        // Not even a source that claims to be the user.
        link.provenance = Provenance::User;
    }
    engine.ingest(&again, reading.drafts).unwrap();
    assert_eq!(edges(1, 2), ["prevents 0.40 1.00 user"], "a source never takes over what a person said");
    assert!(!edges(0, 1)[0].ends_with("user"), "nor does it speak for one: {:?}", edges(0, 1));
}

#[test]
fn edges_of_clawmem_keep_how_sure_its_model_was() {
    let folder = Folder::empty();
    let rows = include_str!("sql/clawmem_edges.sql");
    assert_eq!(
        qualities(&read(&made(&folder, "index.sqlite", &[CLAWMEM, rows]))),
        [
            "causal n/c#0 n/b#0 - 1.00 - import",
            "semantic n/a#0 n/c#0 - 0.60 0.60 llm",
            "semantic n/b#0 n/c#0 - 1.00 - import",
            "supporting n/c#0 n/a#0 - 0.92 0.92 llm",
            "contradicts n/a#0 n/b#0 - 0.90 0.90 llm",
        ]
    );
}

fn day(text: &str) -> Timestamp {
    let part = |at: std::ops::Range<usize>| text[at].parse::<i16>().unwrap();
    Timestamp::from_day(part(0..4), part(5..7) as i8, part(8..10) as i8).unwrap()
}

fn name_of(node: &PathNode) -> String {
    match node {
        PathNode::Entity { name, .. } => name.clone(),
        PathNode::Memory { handle, .. } => handle.clone(),
    }
}

/// Subject, predicate, object, times, confidence, and how many memories say so.
fn facts(engine: &Engine) -> Vec<String> {
    let day = |at: Option<Timestamp>| at.map_or("-".to_string(), |at| at.to_string()[..10].to_string());
    let describe = |view: FactView| {
        let object = match (&view.object, &view.fact.object) {
            (Some(node), _) => name_of(node),
            (None, FactObject::Literal(words)) => format!("\"{words}\""),
            (None, FactObject::Entity(_)) => "?".to_string(),
        };
        let FactView { fact, subject, .. } = view;
        let times = format!("{} {}", day(fact.valid_from), day(fact.valid_to));
        let said = fact.evidence.iter().filter(|one| one.memory.is_some()).count();
        let subject = name_of(&subject);
        format!("{subject} {} {object} {times} {:.1} said by {said}", fact.predicate.name(), fact.confidence)
    };
    engine.facts(None, None, None).unwrap().into_iter().map(describe).collect()
}

#[test]
fn triples_of_clawmem_become_facts_with_their_times_and_evidence() {
    let folder = Folder::empty();
    let (reading, engine) = stored(&folder, &[CLAWMEM, TRIPLES]);
    let problems = problems(&reading);
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].ends_with("a.db`: 1 fact is kept as a sentence alone: 1 `sails_with`"),
        "{problems:?}"
    );
    assert_eq!(reading.source.facts.len(), 5);
    assert_eq!(reading.source.facts[1].object, DraftObject::Literal("tea".into()));
    let all = [
        "The Shop migrated_to PostgreSQL 2026-02-15 - 0.8 said by 2",
        "ada prefers \"tea\" 2026-01-01 2026-03-01 1.0 said by 1",
        "ada avoids \"noise\" 2026-03-01 - 1.0 said by 1",
        "The Shop uses PostgreSQL - - 1.0 said by 2",
    ];
    assert_eq!(facts(&engine), all, "what is said twice is one fact");
    let views = engine.facts(Some("The Shop"), None, None).unwrap();
    let quotes: Vec<_> = views[0].fact.evidence.iter().map(|one| one.quote.as_deref()).collect();
    assert_eq!(quotes, [None, Some("The shop moved to PostgreSQL.")]);
    // The same file with a row more says nothing twice.
    engine.ingest(&changed(&reading, 1), reading.drafts.clone()).unwrap();
    assert_eq!(facts(&engine), all);
    // Nothing holds them up once the source is gone.
    engine.forget(&engine.sources().unwrap()[0].source.id.to_string()).unwrap();
    assert_eq!(facts(&engine), Vec::<String>::new());
}

#[test]
fn a_triple_ends_no_fact_of_a_person_and_what_a_person_ended_stays_ended() {
    let folder = Folder::empty();
    let reading = read(&made(&folder, "index.sqlite", &[CLAWMEM, TRIPLES]));
    let engine = folder.engine(Settings::default());
    let mine = |object: &str, from: &str| FactDraft {
        subject: "The Shop".into(),
        predicate: Predicate::MigratedTo,
        object: object.into(),
        valid_from: Some(day(from)),
        valid_to: None,
        confidence: None,
        memory: None,
        reason: None,
        scope: Scope::default(),
    };
    engine.add_fact(&mine("MySQL", "2026-01-01")).unwrap();
    engine.ingest(&reading.source, reading.drafts.clone()).unwrap();
    let of = |object: &str| {
        let mut views = engine.facts(Some("The Shop"), None, None).unwrap().into_iter();
        let is_of = |view: &FactView| {
            view.fact.predicate == Predicate::MigratedTo
                && view.object.as_ref().is_some_and(|node| name_of(node) == object)
        };
        views.find(is_of).unwrap()
    };
    let (person, source) = (of("MySQL"), of("PostgreSQL"));
    assert_eq!(person.fact.valid_to, None, "{person:?}");
    assert_eq!(
        person.contradicts,
        [source.fact.number],
        "both are listed, and that they contradict each other"
    );
    engine.add_fact(&mine("SQLite", "2026-04-01")).unwrap();
    let ended = of("PostgreSQL").fact.valid_to;
    assert_eq!(ended, Some(day("2026-04-01")));
    engine.ingest(&changed(&reading, 1), reading.drafts.clone()).unwrap();
    assert_eq!(of("PostgreSQL").fact.valid_to, ended);
    assert_eq!(facts(&engine).iter().filter(|fact| fact.contains("migrated_to PostgreSQL")).count(), 1);
}

#[test]
fn what_replaces_another_in_a_database_hides_it_and_circles_hide_nothing() {
    let folder = Folder::empty();
    let (_, engine) = stored(&folder, &[MNEMON, include_str!("sql/mnemon_replaced.sql")]);
    let replaced: Vec<bool> = memories(&engine).iter().map(|memory| memory.superseded_by.is_some()).collect();
    assert_eq!(replaced, [true, false, false, true, true], "of a circle one stays");
}

#[test]
fn edges_are_made_the_next_time_if_the_process_ends_before_them() {
    let folder = Folder::empty();
    let reading = read(&made(&folder, "mnemon.db", &[MNEMON, INSIGHTS]));
    let engine = folder.engine(Settings::default());
    let ends = std::panic::AssertUnwindSafe(|| {
        engine.ingest_with_progress(&reading.source, reading.drafts.clone(), &mut |done, all| {
            assert!(done < all, "it ends")
        })
    });
    assert!(std::panic::catch_unwind(ends).is_err(), "all memories are stored, and no edge");
    assert!(engine.ingest(&reading.source, reading.drafts).unwrap().is_some_and(|tally| tally.edges == 2));
}

#[test]
fn insights_of_mnemon_keep_what_they_say_of_themselves() {
    let folder = Folder::empty();
    let (mut reading, engine) = stored(&folder, &[MNEMON, INSIGHTS]);
    reading.drafts[2].occurred_at = None; // that of the file
    assert_eq!(
        lines(&reading),
        [
            "context #0 2026-01-02T10:00:00Z [db, Team] | The team lacks experience with Redis.",
            "decision #1 2026-01-03T10:00:00Z | SQLite is the storage.",
            "insight #2 [not a list] | Backups run each night.",
        ]
    );
    let importance: Vec<_> = reading.drafts.iter().map(|draft| draft.importance).collect();
    assert_eq!(importance, [Some(2), Some(5), Some(5)]);
    assert_eq!(reading.drafts[1].agent.as_deref(), Some("claude"));
    assert_eq!(names(&reading, 0), ["? Redis"]);
    let both = "semantic #1 #2 cause and effect, in either direction";
    assert_eq!(links(&reading), ["causal #0 #1 No one could run it.", both]);
    let problems = problems(&reading);
    let tag = "a.db`: `insights`, row 4 has the tag `x!y`, which is left out";
    assert!(problems.len() == 1 && problems[0].ends_with(tag), "{problems:?}");
    // The engine has all of it, and answers why.
    let stored = memories(&engine);
    assert_eq!(stored.len(), 3);
    let why = engine.why(&stored[1].id.to_string(), WhyDirection::Causes, 4, 0.0, None).unwrap();
    let causes: Vec<_> = why.causes.iter().map(|step| step.node.node()).collect();
    assert_eq!(causes, [stored[0].node], "{why:?}");
    // The same again, with a row more, says nothing twice.
    let edges = || engine.status().unwrap().counts.edges;
    let before = edges();
    engine.ingest(&changed(&reading, 1), reading.drafts.clone()).unwrap();
    assert_eq!(edges(), before);
}

#[test]
fn documents_of_clawmem_are_cut_and_keep_their_place() {
    let folder = Folder::empty();
    let rows = include_str!("sql/clawmem_documents.sql");
    let path = made(&folder, "index.sqlite", &[CLAWMEM, rows]);
    let reading = read(&path);
    assert_eq!(
        lines(&reading),
        [
            "passage notes/db.md#0 2026-02-15T00:00:00Z (Database) [db, infra] | We move to PostgreSQL.",
            "passage notes/db.md#1 2026-02-15T00:00:00Z (Database > Why) [db, infra] | Locks.",
            "problem _clawmem/obs/2.md#0 2026-02-10T08:00:00Z (Locks) | Writers wait for each other.",
            "task beads/b1#0 2026-02-16T00:00:00Z (Dump) | Write the dump.",
            "task beads/b2#0 2026-02-17T00:00:00Z (Restore) | Restore the dump.",
            "observation observations#0 2026-02-18T00:00:00Z | Databases are a worry.",
            "fact facts#0 2026-02-15T00:00:00Z | the shop migrated to PostgreSQL",
            "fact facts#1 2026-01-01T00:00:00Z | ada prefers tea (until 2026-03-01)",
        ]
    );
    assert_eq!(
        links(&reading),
        ["causal _clawmem/obs/2.md#0 notes/db.md#0 Locks made us move.", "causal beads/b1#0 beads/b2#0 "]
    );
    assert_eq!(names(&reading, 0), ["tool PostgreSQL"]);
    assert_eq!(names(&reading, 6), ["? the shop", "tool PostgreSQL"]);
    let whys = [
        "`documents`, row 4: its text is not in `content`",
        "1 edge between memories is left out: 1 `refines`",
    ];
    assert_eq!(problems(&reading), whys.map(|why| format!("cannot read `{}`: {why}", path.display())));
    assert_eq!(reading.drafts[0].importance, Some(5));
}

#[test]
fn what_is_of_no_use_does_not_stand_in_the_way() {
    let folder = Folder::empty();
    // A virtual table of a module that is not there, and a column that is computed.
    let other = "PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema VALUES ('table', 'vectors_vec', 'vectors_vec', 0,
            'CREATE VIRTUAL TABLE vectors_vec USING vec0(hash_seq TEXT PRIMARY KEY, embedding float[4])');
        CREATE TABLE insights (id TEXT PRIMARY KEY, content TEXT, category TEXT AS (upper(content)));
        CREATE TABLE edges (source_id TEXT, target_id TEXT, edge_type TEXT);
        INSERT INTO insights VALUES ('a', 'Tea is hot.');";
    let reading = read(&made(&folder, "a.db", &[other]));
    assert_eq!(reading.drafts.len(), 1);
    assert_eq!(reading.drafts[0].kind.as_deref(), Some("insight"));
}

#[test]
fn older_tables_with_fewer_columns_are_read() {
    let folder = Folder::empty();
    let tables = "CREATE TABLE insights (id TEXT PRIMARY KEY, content TEXT);
        CREATE TABLE edges (source_id TEXT, target_id TEXT, edge_type TEXT);
        INSERT INTO insights VALUES ('a', 'Tea is hot.'), ('b', NULL), ('c', x'FF'),
            ('d', CAST(x'C328' AS TEXT));";
    let path = made(&folder, "old.db", &[tables]);
    let reading = read(&path);
    assert_eq!(reading.drafts.len(), 1);
    let whys = [
        "row 2: its `content` is empty",
        "row 3: its `content` is not text",
        "row 4: its `content` is not UTF-8",
    ];
    let name = path.display();
    assert_eq!(problems(&reading), whys.map(|why| format!("cannot read `{name}`: `insights`, {why}")));
}

#[test]
fn other_databases_are_refused_with_what_would_help() {
    let folder = Folder::empty();
    // Views and virtual tables run code of the file: they are no tables.
    let views = "CREATE TABLE t (a); CREATE VIEW insights AS SELECT 1 AS id, 'x' AS content;
        CREATE VIEW edges AS SELECT 1 AS source_id, 2 AS target_id, 'x' AS edge_type;";
    let unknown = "it is a database of a program that is not known: it holds";
    for (name, statements, why, hint) in [
        (
            "music.db",
            "CREATE TABLE albums (id); CREATE TABLE songs (id, insights, edges);",
            format!("{unknown} `albums`, `songs`"),
            "sqlite3 -csv",
        ),
        (
            "own.db",
            "PRAGMA application_id = 0x4772696F; CREATE TABLE memory (id);",
            "it is a workspace of Griot itself, which is opened and not read".to_string(),
            "griot export",
        ),
        ("views.db", views, format!("{unknown} `t`"), "sqlite3 -csv"),
    ] {
        let path = made(&folder, name, &[statements]);
        let error = read_file(&path, &ReadOptions::default()).expect_err("it is refused");
        assert_eq!(error.why, why, "{name}");
        assert!(error.hint.as_ref().is_some_and(|found| found.contains(hint)), "{name}: {error:?}");
    }
}

#[test]
fn nothing_is_written_and_an_open_log_is_told() {
    let folder = Folder::empty();
    let path = folder.path().join("mnemon.db");
    let writer = Connection::open(&path).unwrap();
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    writer.execute_batch(MNEMON).unwrap();
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let row = "INSERT INTO insights (id, content, created_at, updated_at) VALUES ('a', 'Late.', '', '')";
    writer.execute_batch(row).unwrap();
    let listed = || {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            entries.map(|entry| (entry.file_name(), entry.metadata().unwrap().len())).collect();
        files.sort();
        files
    };
    let before = listed();
    let error = read_file(&path, &ReadOptions::default()).expect_err("what is there is in the log");
    assert!(error.why.contains("stands in the file `-wal` beside it"), "{error}");
    assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("wal_checkpoint")), "{error:?}");
    assert_eq!(listed(), before);
    writer.close().unwrap();
    assert_eq!(read(&path).drafts.len(), 1);
    assert_eq!(listed().len(), 1);
}

#[test]
fn a_large_database_arrives_in_parts() {
    let folder = Folder::empty();
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO insights (id, content, embedding, created_at, updated_at)
        SELECT 'id' || i, 'Insight number ' || i, zeroblob(4000), '2026-01-02', '' FROM n;";
    // Signs that an address would read otherwise.
    let path = made(&folder, "a b?c#%41.db", &[MNEMON, rows]);
    let options = ReadOptions { max_bytes: 2_000_000, ..ReadOptions::default() };
    let parts = read_parts(&path, &options);
    let sizes: Vec<usize> = parts.iter().map(|part| part.drafts.len()).collect();
    assert_eq!(sizes, [1000, 1000, 500]);
    let hash = identify(&path, &options).unwrap().content_hash;
    assert_eq!(parts.iter().map(|part| part.source.content_hash).collect::<Vec<_>>(), [None, None, hash]);
    assert_eq!(parts[2].drafts[499].ordinal, Some(2499));
    assert!(read_file(&path, &options).is_err(), "it is above the limit of a file that is read whole");
}
