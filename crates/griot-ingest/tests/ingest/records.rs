//! JSON and JSON Lines: records with a text, and documents that are flattened.

use griot::model::{EntityType, Scope, SourceType};
use griot::remember::EntityDraft;
use griot_ingest::ReadOptions;

use crate::{lines, problems, read, read_with};

#[test]
fn objects_with_a_text_are_memories() {
    let reading = read(
        "facts.json",
        r#"[
  {"text": "Sessions live in Postgres.", "title": "Sessions", "tags": "infra, db", "kind": "Fact", "importance": 4,
   "time": "2026-03-02", "author": "Ada", "session": "s1", "user": "ada", "project": "shop",
   "entities": ["Postgres", {"name": "Ada", "type": "person"}, {"name": "X", "type": "nonsense"}, ""]},
  {"content": "Ünïcode “as it came”\n  indented", "unknown": {"deep": true}},
  {"body": "   "},
  "a plain string"
]"#,
    );
    assert_eq!(reading.source.kind, SourceType::File);
    assert_eq!(
        lines(&reading),
        [
            "fact s1#0 2026-03-02T00:00:00Z Ada (Sessions) [infra, db] | Sessions live in Postgres.",
            "passage #0 | Ünïcode “as it came”⏎  indented",
            "passage #1 | a plain string",
        ]
    );
    let first = &reading.drafts[0];
    assert_eq!(first.importance, Some(4));
    assert_eq!(first.scope, Scope { user: Some("ada".to_string()), project: Some("shop".to_string()) });
    let entity = |name: &str, kind| EntityDraft::named(name, kind);
    assert_eq!(
        first.entities,
        [entity("Postgres", None), entity("Ada", Some(EntityType::Person)), entity("X", None)]
    );
}

#[test]
fn a_record_does_not_leave_the_given_scope() {
    let scope = Scope { user: Some("ada".to_string()), project: None };
    let options = ReadOptions { scope, tags: vec!["t".to_string()], ..ReadOptions::default() };
    let reading = read_with(
        "a.json",
        r#"[{"text": "x", "user": "bob", "project": "p", "tags": ["t", "u"]}]"#,
        &options,
    );
    assert_eq!(
        reading.drafts[0].scope,
        Scope { user: Some("ada".to_string()), project: Some("p".to_string()) }
    );
    assert_eq!(reading.drafts[0].tags, ["t", "u"]);
}

#[test]
fn other_objects_are_told_line_by_line() {
    let reading = read(
        "package.json",
        r#"{
  "name": "shop", "private": true, "description": null,
  "scripts": {"build": "tsc", "test": ["a", {"b": 1.5}]},
  "empty": {}, "blank": " "
}"#,
    );
    let all: Vec<&str> = reading.drafts.iter().map(|draft| draft.text.as_str()).collect();
    let all = all.join("\n");
    for line in
        ["name: shop", "private: true", "scripts.build: tsc", "scripts.test[0]: a", "scripts.test[1].b: 1.5"]
    {
        assert!(all.lines().any(|other| other == line), "{line} in {all}");
    }
    assert!(!all.contains("null") && !all.contains("blank"), "{all}");

    let reading = read("rows.json", r#"[{"name": "a", "size": 1}, {"name": "b", "size": 2}, 3, 4]"#);
    assert_eq!(
        lines(&reading),
        ["passage #0 | name: a⏎size: 1", "passage #1 | name: b⏎size: 2", "passage #2 | [2]: 3⏎[3]: 4"]
    );
}

#[test]
fn json_lines_go_on_after_a_bad_line() {
    let reading = read(
        "a.jsonl",
        "{\"text\": \"one\"}\r\n{\"text\": \"tw\n\n[1,2\n{\"text\": \"three\", \"importance\": 9}\n{\"n\": 4}",
    );
    assert_eq!(lines(&reading), ["passage 1-1 #0 | one", "passage 5-5 #1 | three", "passage 6-6 #2 | n: 4"]);
    assert_eq!(
        problems(&reading),
        [
            "cannot read `a.jsonl`: line 2 is not JSON: it ends too early (while parsing a string) at column 12",
            "cannot read `a.jsonl`: line 4 is not JSON: it ends too early (while parsing a list) at column 4",
            "cannot read `a.jsonl`: line 5: `importance` is `9`, not 1 to 5",
        ]
    );
}

#[test]
fn json_lines_in_a_file_named_json() {
    let reading = read("a.json", "{\"text\": \"one\"}\n{\"text\": \"two\"}\n");
    assert_eq!(lines(&reading), ["passage 1-1 #0 | one", "passage 2-2 #1 | two"]);
}

#[test]
fn dates_of_the_file_hold_for_its_records() {
    let reading = read("2026-03-02.json", r#"[{"text": "one"}, {"text": "two", "date": "2026-03-05"}]"#);
    assert_eq!(
        lines(&reading),
        ["passage #0 2026-03-02T00:00:00Z | one", "passage #1 2026-03-05T00:00:00Z | two"]
    );
}
