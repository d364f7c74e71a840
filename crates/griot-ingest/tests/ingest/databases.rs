//! Databases of other memory programs: what becomes of their rows, which ones are refused, and that nothing
//! is written.

use std::fs;
use std::path::{Path, PathBuf};

use griot::engine::{Access, Engine, FactDraft, FactView, LinkRequest, Settings, WhyDirection};
use griot::model::{EdgeKind, FactObject, Predicate, Provenance, Scope, Timestamp};
use griot::recall::PathNode;
use griot::remember::{DraftLink, DraftObject, DraftPlace, SourceDraft};
use griot_ingest::{ReadOptions, Reading, identify, read_bytes, read_file, read_stream};
use rusqlite::Connection;

use crate::{lines, problems};

/// The tables of Mnemon.
const MNEMON: &str = "
    CREATE TABLE insights (id TEXT PRIMARY KEY, content TEXT NOT NULL, category TEXT DEFAULT 'general',
        importance INTEGER DEFAULT 3, tags TEXT DEFAULT '[]', entities TEXT DEFAULT '[]', source TEXT DEFAULT 'user',
        access_count INTEGER DEFAULT 0, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
        last_accessed_at TEXT, embedding BLOB, effective_importance REAL DEFAULT 0.5);
    CREATE TABLE edges (source_id TEXT NOT NULL, target_id TEXT NOT NULL,
        edge_type TEXT NOT NULL CHECK(edge_type IN ('temporal','semantic','causal','entity','supersedes')),
        weight REAL DEFAULT 1.0, metadata TEXT DEFAULT '{}', created_at TEXT NOT NULL,
        PRIMARY KEY (source_id, target_id, edge_type),
        FOREIGN KEY (source_id) REFERENCES insights(id) ON DELETE CASCADE,
        FOREIGN KEY (target_id) REFERENCES insights(id) ON DELETE CASCADE);
    CREATE INDEX idx_insights_created ON insights(created_at);
    CREATE TABLE oplog (id INTEGER PRIMARY KEY AUTOINCREMENT, operation TEXT NOT NULL, insight_id TEXT,
        detail TEXT DEFAULT '', created_at TEXT NOT NULL);";
const INSIGHTS: &str = "
    INSERT INTO insights (id, content, category, importance, tags, entities, source, created_at, updated_at, deleted_at)
    VALUES
    ('aaaaaaaa-1', 'The team lacks experience with Redis.', 'context', 2, '[\"db\",\"Team\"]', '[\"Redis\"]', 'user',
        '2026-01-02T10:00:00Z', '2026-01-02T10:00:00Z', NULL),
    ('bbbbbbbb-2', 'SQLite is the storage.', 'decision', 5, '[]', '[\"SQLite\"]', 'claude',
        '2026-01-03T10:00:00Z', '2026-01-03T10:00:00Z', NULL),
    ('cccccccc-3', 'Forgotten long ago.', 'general', 3, '[]', '[]', 'user',
        '2026-01-04T10:00:00Z', '2026-01-04T10:00:00Z', '2026-01-05T10:00:00Z'),
    ('dddddddd-4', 'Backups run each night.', 'general', 9, 'not a list, x!y', '{}', 'user', 'some day', '', NULL);
    INSERT INTO edges VALUES
    ('aaaaaaaa-1', 'bbbbbbbb-2', 'causal', 0.75, '{\"sub_type\":\"causes\",\"reason\":\"Nobody could run it.\"}',
        '2026-01-03T10:00:01Z'),
    ('bbbbbbbb-2', 'dddddddd-4', 'causal', 0.5, '{\"created_by\":\"claude\"}', '2026-01-06T10:00:00Z'),
    ('dddddddd-4', 'bbbbbbbb-2', 'causal', 0.5, '{\"created_by\":\"claude\"}', '2026-01-06T10:00:00Z'),
    ('bbbbbbbb-2', 'cccccccc-3', 'supersedes', 1, '{}', '2026-01-06T10:00:00Z'),
    ('aaaaaaaa-1', 'bbbbbbbb-2', 'temporal', 1, '{}', '2026-01-06T10:00:00Z'),
    ('aaaaaaaa-1', 'bbbbbbbb-2', 'semantic', 0.9, '{}', '2026-01-06T10:00:00Z');";

/// The tables of ClawMem that matter, with some of the many others.
const CLAWMEM: &str = "
    CREATE TABLE content (hash TEXT PRIMARY KEY, doc TEXT NOT NULL, created_at TEXT NOT NULL);
    CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, path TEXT NOT NULL,
        title TEXT NOT NULL, hash TEXT NOT NULL, created_at TEXT NOT NULL, modified_at TEXT NOT NULL,
        active INTEGER NOT NULL DEFAULT 1, domain TEXT, workstream TEXT, tags TEXT, content_type TEXT DEFAULT 'note',
        review_by TEXT, confidence REAL DEFAULT 0.5, access_count INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0,
        authored_at TEXT, observation_type TEXT, invalidated_at TEXT, invalidated_by INTEGER, superseded_by INTEGER,
        UNIQUE(collection, path), FOREIGN KEY (hash) REFERENCES content(hash) ON DELETE CASCADE);
    CREATE VIRTUAL TABLE documents_fts USING fts5(filepath, title, body, tokenize='porter unicode61');
    CREATE TABLE memory_relations (source_id INTEGER NOT NULL, target_id INTEGER NOT NULL, relation_type TEXT NOT NULL,
        weight REAL DEFAULT 1.0, metadata TEXT, contradict_confidence REAL, created_at TEXT,
        PRIMARY KEY (source_id, target_id, relation_type));
    CREATE TABLE beads_issues (beads_id TEXT PRIMARY KEY, doc_id INTEGER, status TEXT);
    CREATE TABLE entity_nodes (entity_id TEXT PRIMARY KEY, entity_type TEXT, name TEXT, description TEXT,
        created_at TEXT, vault TEXT DEFAULT 'default');
    CREATE TABLE entity_mentions (entity_id TEXT NOT NULL, doc_id INTEGER NOT NULL, mention_text TEXT, created_at TEXT,
        PRIMARY KEY (entity_id, doc_id));
    CREATE TABLE entity_triples (id INTEGER PRIMARY KEY AUTOINCREMENT, subject_entity_id TEXT NOT NULL,
        predicate TEXT NOT NULL, object_entity_id TEXT, object_literal TEXT, valid_from TEXT, valid_to TEXT,
        confidence REAL DEFAULT 1.0, source_doc_id INTEGER, source_fact TEXT, created_at TEXT);
    CREATE TABLE consolidated_observations (id INTEGER PRIMARY KEY AUTOINCREMENT, observation TEXT NOT NULL,
        status TEXT NOT NULL DEFAULT 'active', invalidated_at TEXT, superseded_by INTEGER, created_at TEXT);
    CREATE VIEW active_documents AS SELECT * FROM documents WHERE active = 1;";
const DOCUMENTS: &str = "
    INSERT INTO content VALUES
    ('h1', '---\ntags: [infra]\n---\n# Database\n\nWe move to PostgreSQL.\n\n## Why\n\nLocks.', '2026-02-15'),
    ('h2', 'Writers wait for each other.', '2026-02-10'), ('h3', 'Old news.', '2026-01-01'),
    ('h5', 'Write the dump.', '2026-02-16'), ('h6', 'Restore the dump.', '2026-02-17');
    INSERT INTO documents (id, collection, path, title, hash, created_at, modified_at, active, tags, content_type,
        pinned, authored_at, observation_type, invalidated_at) VALUES
    (1, 'notes', 'db.md', 'Database', 'h1', '2026-02-20', '', 1, '[\"db\"]', 'note', 1, '2026-02-15', NULL, NULL),
    (2, '_clawmem', 'obs/2.md', 'Locks', 'h2', '2026-02-10T08:00:00Z', '', 1, NULL, 'observation', 0, NULL,
        'problem', NULL),
    (3, 'notes', 'old.md', 'Old', 'h3', '2026-01-01', '', 0, NULL, 'note', 0, NULL, NULL, NULL),
    (4, 'notes', 'lost.md', 'Lost', 'h4', '2026-01-01', '', 1, NULL, 'note', 0, NULL, NULL, NULL),
    (5, 'beads', 'b1', 'Dump', 'h5', '2026-02-16', '', 1, NULL, 'task', 0, NULL, NULL, NULL),
    (6, 'beads', 'b2', 'Restore', 'h6', '2026-02-17', '', 1, NULL, 'task', 0, NULL, NULL, NULL),
    (7, 'notes', 'wrong.md', 'Wrong', 'h3', '2026-01-01', '', 1, NULL, 'note', 0, NULL, NULL, '2026-02-01');
    INSERT INTO beads_issues VALUES ('b-1', 5, 'open'), ('b-2', 6, 'open');
    INSERT INTO memory_relations (source_id, target_id, relation_type, weight, metadata, created_at) VALUES
    (2, 1, 'causal', 0.8, '{\"reasoning\":\"Locks made us move.\"}', '2026-02-15T09:00:00Z'),
    (6, 5, 'causal', 1, '{}', NULL), (1, 2, 'semantic', 0.8, NULL, NULL), (1, 2, 'refines', 0.8, NULL, NULL), (1, 3, 'supporting', 0.8, NULL, NULL);
    INSERT INTO entity_nodes (entity_id, entity_type, name) VALUES ('default:tool:postgresql', 'tool', 'PostgreSQL');
    INSERT INTO entity_mentions VALUES ('default:tool:postgresql', 1, 'PostgreSQL', NULL);
    INSERT INTO entity_triples (subject_entity_id, predicate, object_entity_id, object_literal, valid_from, valid_to)
    VALUES
    ('default:project:the-shop', 'migrated_to', 'default:tool:postgresql', NULL, '2026-02-15', NULL),
    ('default:person:ada', 'prefers', NULL, 'tea', '2026-01-01', '2026-03-01');
    INSERT INTO consolidated_observations (observation, status, created_at) VALUES
    ('Databases are a worry.', 'active', '2026-02-18'), ('Nothing.', 'invalidated', '2026-02-18');";

fn made(folder: &Path, name: &str, statements: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    for statement in statements {
        connection.execute_batch(statement).unwrap();
    }
    connection.close().unwrap();
    path
}

/// The same by every way in: from the file, in parts, and as bytes.
fn read(path: &Path) -> Reading {
    let options = ReadOptions::default();
    let from_file = read_file(path, &options).unwrap_or_else(|error| panic!("{error}")).remove(0);
    let mut streamed = Vec::new();
    read_stream(path, &options, &mut |reading| {
        streamed.push(reading);
        Ok(())
    })
    .unwrap();
    assert_eq!(streamed, std::slice::from_ref(&from_file));
    assert_eq!(identify(path, &options).unwrap().content_hash, from_file.source.content_hash);
    let sent = read_bytes("sent.db", fs::read(path).unwrap(), &options).unwrap().remove(0);
    assert_eq!(lines(&sent).len(), lines(&from_file).len());
    from_file
}

fn open(folder: &Path) -> Engine {
    let access = Access { create: true, read_only: false };
    Engine::open(&folder.join("griot.db"), access, Settings::default()).unwrap()
}

fn names(reading: &Reading, at: usize) -> Vec<String> {
    let kind = |kind: Option<griot::model::EntityType>| kind.map_or("?", |kind| kind.name());
    reading.drafts[at]
        .entities
        .iter()
        .map(|entity| format!("{} {}", kind(entity.kind), entity.name))
        .collect()
}

fn links(reading: &Reading) -> Vec<String> {
    let place =
        |place: &DraftPlace| format!("{}#{}", place.session.as_deref().unwrap_or_default(), place.ordinal);
    let told = |link: &DraftLink| {
        let (source, target) = (place(&link.source), place(&link.target));
        format!("{} {source} {target} {}", link.kind.name(), link.reason.as_deref().unwrap_or_default())
    };
    reading.source.links.iter().map(told).collect()
}

/// What each edge says beside its kind and ends: label, weight, confidence and who says so.
fn said(reading: &Reading) -> Vec<String> {
    let place = |place: &DraftPlace| place.session.clone().unwrap_or_default() + &place.ordinal.to_string();
    let told = |link: &DraftLink| {
        let ends = format!("{} {} {}", link.kind.name(), place(&link.source), place(&link.target));
        let sure = link.confidence.map_or("-".to_string(), |confidence| format!("{confidence:.2}"));
        let label = link.label.as_deref().unwrap_or("-");
        format!("{ends} {label} {:.2} {sure} {}", link.weight, link.provenance.name())
    };
    reading.source.links.iter().map(told).collect()
}

/// The same source after its file changed.
fn changed(reading: &Reading, hash: u8) -> SourceDraft {
    SourceDraft { content_hash: Some([hash; 32]), ..reading.source.clone() }
}

#[test]
fn edges_of_mnemon_keep_weight_label_and_who_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let rows = r#"INSERT INTO insights (id, content, created_at, updated_at) VALUES
        ('a', 'The cache was cold.', '2026-01-01', ''), ('b', 'The page was slow.', '2026-01-02', ''),
        ('c', 'Users left the shop.', '2026-01-03', ''), ('d', 'Sales fell in spring.', '2026-01-04', '');
        INSERT INTO edges VALUES
        ('a', 'b', 'causal', 0.21, '{"overlap":"0.2100","sub_type":"enables"}', '2026-01-02'),
        ('b', 'c', 'causal', 0.9, '{"sub_type":"prevents","reason":"Nobody waits."}', '2026-01-03'),
        ('c', 'd', 'causal', 7, '{"sub_type":"no such thing"}', '2026-01-03'),
        ('a', 'd', 'semantic', 0.65, '{"created_by":"claude","reason":"Both are about spring."}', '2026-01-05'),
        ('d', 'a', 'semantic', 0.65, '{"created_by":"claude","reason":"Both are about spring."}', '2026-01-05'),
        ('a', 'c', 'semantic', 0.83, '{"cosine":"0.83"}', '2026-01-05'),
        ('a', 'b', 'temporal', 1, '{"sub_type":"backbone"}', '2026-01-05'),
        ('a', 'c', 'temporal', 0.5, '{"created_by":"mcp"}', '2026-01-05');"#;
    let path = made(folder.path(), "mnemon.db", &[MNEMON, rows]);
    let reading = read(&path);
    assert_eq!(
        said(&reading),
        [
            "causal 0 1 enables 0.21 - rule",
            "causal 1 2 prevents 0.90 - import",
            "causal 2 3 no such thing 1.00 - import",
            "semantic 0 3 - 0.65 - import",
        ],
        "likeness that the program measured and steps in time are found again; what was made by hand is not"
    );
    let left_out =
        format!("cannot read `{}`: 1 edge between memories is left out: 1 `temporal`", path.display());
    assert_eq!(problems(&reading), [left_out]);

    let engine = open(folder.path());
    engine.ingest(&reading.source, reading.drafts.clone()).unwrap();
    let (_, memories) = engine.source(engine.sources().unwrap()[0].source.id).unwrap();
    let id = |at: usize| memories[at].id.to_string();
    let stored = |a: usize, b: usize| {
        let edges = engine.linked(&id(a), &id(b), None, None).unwrap();
        let told = |edge: &griot::model::Edge| {
            format!("{} {:.2} {:.2} {}", edge.label, edge.weight, edge.confidence, edge.provenance.name())
        };
        edges.iter().map(|view| told(&view.edge)).collect::<Vec<_>>()
    };
    assert_eq!(stored(0, 1), ["enables 0.21 0.70 rule"]);
    assert_eq!(stored(1, 2), ["prevents 0.90 1.00 import"]);
    assert_eq!(stored(2, 3), ["causes 1.00 1.00 import"], "what is no label of the kind is its default");
    assert_eq!(stored(0, 3), [" 0.65 1.00 import"]);
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
    assert_eq!(stored(1, 2), ["prevents 0.40 1.00 user"]);
    let mut surer = changed(&reading, 1);
    surer.links.iter_mut().for_each(|link| link.reason = Some("Said again.".into()));
    // Not even a source that claims to be the user.
    surer.links.iter_mut().for_each(|link| link.provenance = Provenance::User);
    engine.ingest(&surer, reading.drafts.clone()).unwrap();
    assert_eq!(stored(1, 2), ["prevents 0.40 1.00 user"], "a source never takes over what a person said");
    assert!(!stored(0, 1)[0].ends_with("user"), "nor does it speak for one: {:?}", stored(0, 1));
}

#[test]
fn edges_of_clawmem_keep_how_sure_its_model_was() {
    let folder = tempfile::tempdir().unwrap();
    let rows = r#"INSERT INTO content VALUES ('h1', 'Tea is drunk at four.', ''), ('h2', 'Tea is drunk at five.', ''),
        ('h3', 'The kettle is new.', '');
        INSERT INTO documents (id, collection, path, title, hash, created_at, modified_at) VALUES
        (1, 'n', 'a', 'A', 'h1', '2026-01-01', ''), (2, 'n', 'b', 'B', 'h2', '2026-01-02', ''),
        (3, 'n', 'c', 'C', 'h3', '2026-01-03', '');
        INSERT INTO memory_relations (source_id, target_id, relation_type, weight, metadata, contradict_confidence)
        VALUES
        (1, 2, 'contradicts', 0, '{"reason":"Four is not five."}', 0.75),
        (2, 1, 'contradicts', 0.9, '{"reasoning":"Two times."}', NULL),
        (3, 1, 'supporting', 0.92, '{"reasoning":"A kettle makes tea."}', NULL),
        (1, 3, 'semantic', 0.6, '{"reasoning":"Both about tea."}', NULL),
        (2, 3, 'semantic', 1.0, '{"origin":"beads","dep_type":"relates-to"}', NULL),
        (3, 2, 'semantic', 0.71, NULL, NULL), (3, 2, 'causal', 'x', NULL, NULL), (1, 2, 'usage', 40, NULL, NULL);"#;
    let reading = read(&made(folder.path(), "index.sqlite", &[CLAWMEM, rows]));
    assert_eq!(
        said(&reading),
        [
            "causal n/c0 n/b0 - 1.00 - import",
            "semantic n/a0 n/c0 - 0.60 0.60 llm",
            "semantic n/b0 n/c0 - 1.00 - import",
            "supporting n/c0 n/a0 - 0.92 0.92 llm",
            "contradicts n/a0 n/b0 - 0.90 0.90 llm",
        ]
    );
}

const TRIPLES: &str = "
    INSERT INTO content VALUES ('h1', 'We moved the shop to PostgreSQL in spring.', '2026-02-15');
    INSERT INTO documents (id, collection, path, title, hash, created_at, modified_at) VALUES
    (1, 'notes', 'db.md', 'Database', 'h1', '2026-02-20', '');
    INSERT INTO entity_nodes (entity_id, entity_type, name) VALUES
    ('default:tool:postgresql', 'tool', 'PostgreSQL'), ('default:project:shop', 'project', 'The Shop');
    INSERT INTO entity_triples (subject_entity_id, predicate, object_entity_id, object_literal, valid_from, valid_to,
        confidence, source_doc_id, source_fact, created_at) VALUES
    ('default:project:shop', 'migrated_to', 'default:tool:postgresql', NULL, '2026-02-15', NULL, 0.8, 1,
        'The shop moved to PostgreSQL.', '2026-02-20'),
    ('default:person:ada', 'prefers', NULL, 'tea', '2026-01-01', '2026-03-01', NULL, NULL, NULL, '2026-01-01'),
    ('default:person:ada', 'avoids', NULL, 'noise', '2026-03-01', '2026-01-01', 9, 77, NULL, NULL),
    ('default:project:shop', 'uses', 'default:tool:postgresql', NULL, NULL, NULL, 1.0, NULL, NULL, NULL),
    ('default:project:shop', 'uses', 'default:tool:postgresql', NULL, NULL, NULL, 1.0, NULL, NULL, NULL),
    ('default:person:ada', 'sails_with', 'default:project:shop', NULL, NULL, NULL, 1.0, NULL, NULL, NULL);";

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
    let told = |view: FactView| {
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
    engine.facts(None, None, None).unwrap().into_iter().map(told).collect()
}

#[test]
fn triples_of_clawmem_become_facts_with_their_times_and_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), "index.sqlite", &[CLAWMEM, TRIPLES]);
    let reading = read(&path);
    let sentence = "1 fact is kept as a sentence alone: 1 `sails_with`";
    assert_eq!(problems(&reading), [format!("cannot read `{}`: {sentence}", path.display())]);
    assert_eq!(reading.source.facts.len(), 5);
    assert_eq!(reading.source.facts[1].object, DraftObject::Literal("tea".into()));
    let engine = open(folder.path());
    engine.ingest(&reading.source, reading.drafts.clone()).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let reading = read(&made(folder.path(), "index.sqlite", &[CLAWMEM, TRIPLES]));
    let engine = open(folder.path());
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
        let views = engine.facts(Some("The Shop"), None, None).unwrap();
        let called = |view: &&FactView| view.object.as_ref().is_some_and(|node| name_of(node) == object);
        let found: Vec<FactView> = views.iter().filter(called).cloned().collect();
        found.into_iter().find(|view| view.fact.predicate == Predicate::MigratedTo).unwrap()
    };
    let (person, source) = (of("MySQL"), of("PostgreSQL"));
    assert_eq!(person.fact.valid_to, None, "{person:?}");
    assert_eq!(person.contradicts, [source.fact.number], "both are told, and that they do not go together");
    engine.add_fact(&mine("SQLite", "2026-04-01")).unwrap();
    let ended = of("PostgreSQL").fact.valid_to;
    assert_eq!(ended, Some(day("2026-04-01")));
    engine.ingest(&changed(&reading, 1), reading.drafts.clone()).unwrap();
    assert_eq!(of("PostgreSQL").fact.valid_to, ended);
    assert_eq!(facts(&engine).iter().filter(|fact| fact.contains("migrated_to PostgreSQL")).count(), 1);
}

#[test]
fn what_replaces_another_in_a_database_hides_it_and_circles_hide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "INSERT INTO insights (id, content, created_at, updated_at) VALUES
        ('a', 'Tea is drunk at four.', '2026-01-01', ''), ('b', 'Tea is drunk at five.', '2026-01-02', ''),
        ('c', 'Cake is served on Sundays.', '2026-01-01', ''), ('d', 'Cake is served on Mondays.', '2026-01-02', ''),
        ('e', 'Cake is never served.', '2026-01-03', '');
        INSERT INTO edges (source_id, target_id, edge_type, created_at) VALUES ('b', 'a', 'supersedes', ''),
        ('c', 'd', 'supersedes', ''), ('d', 'e', 'supersedes', ''), ('e', 'c', 'supersedes', '');";
    let path = made(folder.path(), "mnemon.db", &[MNEMON, rows]);
    let engine = open(folder.path());
    let reading = read(&path);
    engine.ingest(&reading.source, reading.drafts).unwrap();
    let (_, memories) = engine.source(engine.sources().unwrap()[0].source.id).unwrap();
    let replaced: Vec<bool> = memories.iter().map(|memory| memory.superseded_by.is_some()).collect();
    assert_eq!(replaced, [true, false, false, true, true], "of a circle one stays");
}

#[test]
fn edges_are_made_the_next_time_if_the_process_ends_before_them() {
    let folder = tempfile::tempdir().unwrap();
    let reading = read(&made(folder.path(), "mnemon.db", &[MNEMON, INSIGHTS]));
    let engine = open(folder.path());
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
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), "mnemon.db", &[MNEMON, INSIGHTS]);
    let mut reading = read(&path);
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
    assert_eq!(links(&reading), ["causal #0 #1 Nobody could run it.", both]);
    // The engine takes all of it, and answers why.
    let engine = open(folder.path());
    let added = engine.ingest(&reading.source, reading.drafts.clone()).unwrap().map(|tally| tally.added);
    assert_eq!(added, Some(3));
    let (_, memories) = engine.source(engine.sources().unwrap()[0].source.id).unwrap();
    let why = engine.why(&memories[1].id.to_string(), WhyDirection::Causes, 4, 0.0, None).unwrap();
    let causes: Vec<_> = why.causes.iter().map(|step| step.node.node()).collect();
    assert_eq!(causes, [memories[0].node], "{why:?}");
    // The same again, with a row more, says nothing twice.
    let edges = |engine: &Engine| engine.status().unwrap().counts.edges;
    let before = edges(&engine);
    let again = SourceDraft { content_hash: Some([1; 32]), ..reading.source.clone() };
    engine.ingest(&again, reading.drafts.clone()).unwrap();
    assert_eq!(edges(&engine), before);
    let tag = "`insights`, row 4 has the tag `x!y`, which is left out";
    assert_eq!(problems(&reading), [format!("cannot read `{}`: {tag}", path.display())]);
}

#[test]
fn documents_of_clawmem_are_cut_and_keep_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), "index.sqlite", &[CLAWMEM, DOCUMENTS]);
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
        ["causal _clawmem/obs/2.md#0 notes/db.md#0 Locks made us move.", "causal beads/b1#0 beads/b2#0 ",]
    );
    assert_eq!(names(&reading, 0), ["tool PostgreSQL"]);
    assert_eq!(names(&reading, 6), ["? the shop", "tool PostgreSQL"]);
    let name = path.display();
    assert_eq!(
        problems(&reading),
        [
            format!("cannot read `{name}`: `documents`, row 4: its text is not in `content`"),
            format!("cannot read `{name}`: 1 edge between memories is left out: 1 `refines`"),
        ]
    );
    assert_eq!(reading.drafts[0].importance, Some(5));
}

#[test]
fn what_is_of_no_use_does_not_stand_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    // A virtual table of a module that is not there, and a column that is computed.
    let other = "PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema VALUES ('table', 'vectors_vec', 'vectors_vec', 0,
            'CREATE VIRTUAL TABLE vectors_vec USING vec0(hash_seq TEXT PRIMARY KEY, embedding float[4])');
        CREATE TABLE insights (id TEXT PRIMARY KEY, content TEXT, category TEXT AS (upper(content)));
        CREATE TABLE edges (source_id TEXT, target_id TEXT, edge_type TEXT);
        INSERT INTO insights VALUES ('a', 'Tea is hot.');";
    let reading = read(&made(folder.path(), "a.db", &[other]));
    assert_eq!(reading.drafts.len(), 1);
    assert_eq!(reading.drafts[0].kind.as_deref(), Some("insight"));
}

#[test]
fn older_tables_with_fewer_columns_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let tables = "CREATE TABLE insights (id TEXT PRIMARY KEY, content TEXT);
        CREATE TABLE edges (source_id TEXT, target_id TEXT, edge_type TEXT);
        INSERT INTO insights VALUES ('a', 'Tea is hot.'), ('b', NULL), ('c', x'FF'), ('d', CAST(x'C328' AS TEXT));";
    let path = made(folder.path(), "old.db", &[tables]);
    let reading = read(&path);
    assert_eq!(reading.drafts.len(), 1);
    let name = path.display();
    assert_eq!(
        problems(&reading),
        [
            format!("cannot read `{name}`: `insights`, row 2: its `content` is empty"),
            format!("cannot read `{name}`: `insights`, row 3: its `content` is not text"),
            format!("cannot read `{name}`: `insights`, row 4: its `content` is not UTF-8"),
        ]
    );
}

#[test]
fn other_databases_are_refused_with_what_would_help() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &Path| {
        let error = read_file(path, &ReadOptions::default()).expect_err("it is refused");
        (error.why.clone(), error.hint.clone().unwrap_or_default())
    };
    let path = made(
        folder.path(),
        "music.db",
        &["CREATE TABLE albums (id); CREATE TABLE songs (id, insights, edges);"],
    );
    let (why, hint) = refused(&path);
    assert_eq!(why, "it is a database of a program that is not known: it holds `albums`, `songs`");
    assert!(hint.contains("sqlite3 -csv"), "{hint}");
    let path =
        made(folder.path(), "own.db", &["PRAGMA application_id = 0x4772696F; CREATE TABLE memory (id);"]);
    let (why, hint) = refused(&path);
    assert!(
        why.starts_with("it is a workspace of Griot itself") && hint.starts_with("griot export"),
        "{why} {hint}"
    );
    // Views and virtual tables run code of the file: they are no tables.
    let views = "CREATE TABLE t (a); CREATE VIEW insights AS SELECT 1 AS id, 'x' AS content;
        CREATE VIEW edges AS SELECT 1 AS source_id, 2 AS target_id, 'x' AS edge_type;";
    let (why, _) = refused(&made(folder.path(), "views.db", &[views]));
    assert!(why.ends_with("it holds `t`"), "{why}");
}

#[test]
fn nothing_is_written_and_an_open_log_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mnemon.db");
    let writer = Connection::open(&path).unwrap();
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    writer.execute_batch(MNEMON).unwrap();
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    writer
        .execute_batch(
            "INSERT INTO insights (id, content, created_at, updated_at) VALUES ('a', 'Late.', '', '')",
        )
        .unwrap();
    let listed = || {
        let mut files: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name(), entry.metadata().unwrap().len()))
            .collect();
        files.sort();
        files
    };
    let before = listed();
    let error = read_file(&path, &ReadOptions::default()).expect_err("what is there is in the log");
    assert!(error.why.contains("stands in the file `-wal` beside it"), "{error}");
    assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("wal_checkpoint")), "{error:?}");
    assert_eq!(listed(), before);
    writer.close().unwrap();
    let reading = read(&path);
    assert_eq!(reading.drafts.len(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_large_database_arrives_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO insights (id, content, embedding, created_at, updated_at)
        SELECT 'id' || i, 'Insight number ' || i, zeroblob(4000), '2026-01-02', '' FROM n;";
    // Signs that an address would read otherwise.
    let path = made(folder.path(), "a b?c#%41.db", &[MNEMON, rows]);
    let options = ReadOptions { max_bytes: 2_000_000, ..ReadOptions::default() };
    let mut parts = Vec::new();
    read_stream(&path, &options, &mut |part| {
        parts.push(part);
        Ok(())
    })
    .unwrap();
    let sizes: Vec<usize> = parts.iter().map(|part| part.drafts.len()).collect();
    assert_eq!(sizes, [1000, 1000, 500]);
    let hashes: Vec<bool> = parts.iter().map(|part| part.source.content_hash.is_some()).collect();
    assert_eq!(hashes, [false, false, true]);
    assert_eq!(parts[2].source.content_hash, identify(&path, &options).unwrap().content_hash);
    assert_eq!(parts[2].drafts[499].ordinal, Some(2499));
    assert!(read_file(&path, &options).is_err(), "it is above the limit of a file that is read whole");
}
