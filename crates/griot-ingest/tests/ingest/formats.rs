//! Bounds of text formats, the table of formats, and what the cases in `tests/cases` cannot show.

use griot::model::Scope;
use griot_ingest::{Format, ReadOptions};

use crate::{Folder, lines, read_path, read_with, refusal};

#[test]
fn yaml_that_wants_too_much_is_refused() {
    let mut bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_string();
    for n in 1..12 {
        let before = vec![format!("*a{}", n - 1); 9].join(", ");
        bomb.push_str(&format!("a{n}: &a{n} [{before}]\n"));
    }
    let why = refusal("a.yaml", bomb);
    assert!(why.contains("the limit of") || why.contains("repeats more than"), "{why}");
    let why = refusal("a.yaml", "- ".repeat(5000));
    assert!(why.contains("nested"), "{why}");
}

#[test]
fn xml_that_is_too_deep_is_refused() {
    assert!(refusal("a.xml", "<a>".repeat(1000)).contains("more than 200 elements deep"));
}

#[test]
fn a_record_does_not_leave_the_given_scope() {
    let scope =
        |project: Option<&str>| Scope { user: Some("ada".to_string()), project: project.map(str::to_string) };
    let tags = vec!["t".to_string()];
    let options = ReadOptions { scope: scope(None), tags, ..ReadOptions::default() };
    let record = r#"[{"text": "x", "user": "bob", "project": "p", "tags": ["t", "u"]}]"#;
    let reading = read_with("a.json", record, &options);
    assert_eq!(reading.drafts[0].scope, scope(Some("p")));
    assert_eq!(reading.drafts[0].tags, ["t", "u"]);
    let reading = read_with("notes/redis.md", "---\ntags: [infra, t]\n---\nSessions.", &options);
    assert_eq!(
        (reading.source.origin.as_str(), &reading.drafts[0].scope),
        ("notes/redis.md", &options.scope)
    );
    assert_eq!(reading.source.tags, ["t", "infra"]);
    assert_eq!(reading.drafts[0].tags, ["t", "infra"]);
}

#[test]
fn a_file_without_a_date_has_the_time_of_its_last_change() {
    let folder = Folder::empty();
    let path = folder.file("standup.md", "words");
    // At midnight, too, it is no day that a document states.
    for (seconds, expected) in
        [(1_772_442_300, "2026-03-02T09:05:00Z"), (1_772_409_600, "2026-03-02T00:00:00.001Z")]
    {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        let at = read_path(&path).drafts[0].occurred_at.map(|at| at.to_string());
        assert_eq!(at.as_deref(), Some(expected));
    }
}

#[test]
fn the_asked_kind_and_format() {
    let (kind, format) = (Some("decision".to_string()), Some(Format::Text));
    let reading = read_with("a.json", "{not json", &ReadOptions { kind, format, ..ReadOptions::default() });
    assert_eq!(lines(&reading), ["decision 1-1 #0 | {not json"]);
}

#[test]
fn every_format_has_a_name() {
    for format in Format::ALL {
        assert_eq!(Format::parse(format.name()), Some(format));
    }
}

#[test]
fn the_reference_page_has_a_row_for_each_format_and_an_ending_for_one_row() {
    let page = griot_ingest::formats_page();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let known = Format::ALL.iter().map(|format| format.name()).chain(["sqlite"]);
    assert_eq!(names, known.collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.len() == 4 && !row[2].is_empty() && !row[3].is_empty()), "{page}");
    let mut endings: Vec<&str> = rows.iter().flat_map(|row| row[1].split_whitespace()).collect();
    let all = endings.len();
    endings.sort_unstable();
    endings.dedup();
    assert_eq!(endings.len(), all, "{page}");
}
