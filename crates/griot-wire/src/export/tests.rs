//! An export reads back exactly, and a damaged one is refused with its line.

use griot::engine::{EdgeRecord, FactRecord};
use griot::model::{
    Edge, EdgeKind, Entity, EntityType, Evidence, Fact, FactObject, Handle, Lines, Memory, MemoryId, Node,
    Predicate, Provenance, Revision, Scope, Source, SourceId, SourceType, StoredVector, Tier, Timestamp,
};

use super::*;

fn records() -> Vec<Record> {
    let id = MemoryId::parse("0190b5a0-0000-7000-8000-000000000001").expect("it is a UUID");
    let at = Timestamp(1_714_728_600_123);
    let evidence = vec![Evidence { memory: Some(id), quote: Some("because".into()), reason: None, at }];
    vec![
        Record::Header {
            revision: Revision(7),
            exported_at: at,
            vector_model: Some(("static-256".into(), 3)),
        },
        Record::Source(Source {
            id: SourceId(2),
            kind: SourceType::File,
            origin: "notes.md".into(),
            title: Some("Notes".into()),
            tags: vec!["a".into()],
            language: Some("de".into()),
            content_hash: Some([171; 32]),
            from_disk: false,
            created_at: at,
            updated_at: at,
            deleted_at: None,
        }),
        Record::Entity(Entity {
            node: Node::from_raw(0),
            name: "Redis".into(),
            kind: EntityType::Tool,
            key: "redis".into(),
            aliases: vec!["redis".into()],
            description: vec![],
            first_seen: at,
            last_seen: at,
            deleted_at: Some(at),
        }),
        Record::Memory {
            memory: Memory {
                node: Node::from_raw(0),
                id,
                handle: Handle("#a1b2c3".into()),
                text: "line one\nline \"two\" \u{1F600}".into(),
                kind: "note".into(),
                tags: vec![],
                tier: Tier::Working,
                importance: 4,
                scope: Scope { user: Some("ada".into()), project: None },
                agent: None,
                session: Some("s".into()),
                speaker: None,
                heading: vec!["H".into()],
                lines: Some(Lines { first: 1, last: 2 }),
                source: SourceId(2),
                ordinal: 3,
                occurred_at: at,
                recorded_at: at,
                expires_at: Some(at),
                deleted_at: None,
                superseded_by: Some(id),
                access_count: 2,
                last_accessed_at: Some(at),
            },
            vector: Some(StoredVector {
                model: "static-256".into(),
                scale: 0.007_123_4,
                values: vec![-127, 0, 127],
            }),
        },
        Record::Edge(EdgeRecord {
            source: id.to_string(),
            target: "tool:redis".into(),
            edge: Edge {
                number: 5,
                source: Node::from_raw(0),
                target: Node::from_raw(0),
                kind: EdgeKind::Mentions,
                label: String::new(),
                weight: 0.1,
                confidence: 0.333_333_34,
                provenance: Provenance::Rule,
                evidence: evidence.clone(),
                created_at: at,
                touched_at: at,
                expires_at: None,
            },
        }),
        Record::Fact(FactRecord {
            subject: "tool:redis".into(),
            object: None,
            fact: Fact {
                number: 1,
                subject: Node::from_raw(0),
                predicate: Predicate::Prefers,
                object: FactObject::Literal("memory".into()),
                valid_from: Some(at),
                valid_to: None,
                recorded_at: at,
                superseded_at: None,
                confidence: 1.0,
                scope: Scope { user: Some("ada".into()), project: None },
                evidence,
            },
        }),
    ]
}

fn written() -> String {
    let mut text = Vec::new();
    let mut writer = Writer::new(&mut text);
    for record in records() {
        writer.write(&record).expect("a vector takes it");
    }
    writer.finish().expect("a vector takes it");
    String::from_utf8(text).expect("JSON is UTF-8")
}

fn read(text: &str) -> Result<Vec<Record>> {
    Reader::new(text.as_bytes()).collect()
}

#[test]
fn an_export_reads_back_exactly() {
    assert_eq!(read(&written()).expect("it is whole"), records());
}

#[test]
fn a_half_written_export_is_refused_wherever_it_ends() {
    let text = written();
    for end in (0..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
        assert!(read(&text[..end]).is_err(), "cut off at {end}");
    }
    let lines: Vec<&str> = text.lines().collect();
    let message = |text: String| read(&text).expect_err("it is damaged").to_string();
    assert_eq!(
        message(lines[..3].join("\n")),
        "cannot import the file: it ends after line 3 without its last record"
    );
    let cut = lines[3].len() / 2;
    assert_eq!(
        message(format!("{}\n{}", lines[..3].join("\n"), &lines[3][..cut])),
        "cannot import line 4: the line is cut off"
    );
}

#[test]
fn what_is_no_export_is_refused_with_its_line() {
    for (from, to, expected) in [
        (
            "\"griot-export\"",
            "\"other\"",
            "cannot import the file: its format is `other`, not `griot-export`",
        ),
        (
            "\"version\":3",
            "\"version\":4",
            "cannot import the file: it has version 4 of the export format, this griot reads up to 3",
        ),
        ("\"kind\":\"mentions\"", "\"kind\":\"likes\"", "cannot import line 5: unknown kind of edge `likes`"),
        ("\"records\":6", "\"records\":7", "cannot import line 7: 6 records came before it, 7 were written"),
        (
            "{\"type\":\"header\"",
            "{\"type\":\"hello\"",
            "cannot import line 1: it is not the header of a griot export",
        ),
    ] {
        let text = written().replace(from, to);
        assert_eq!(read(&text).expect_err("it is damaged").to_string(), expected);
    }
    let twice = format!("{0}{0}", written());
    assert!(read(&twice).expect_err("it is two").to_string().contains("two exports were joined"));
}
