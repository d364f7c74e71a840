//! Markdown and plain text: passages with their headings, lines and front matter.

use griot::model::{Scope, SourceType, Timestamp};
use griot_ingest::{Format, ReadOptions, read_file};

use crate::{lines, problems, read, read_with};

const NOTE: &str = "---
title: Why we left Redis
date: 2026-03-02
tags: [infra, decision]
---

# Leaving Redis

We lost sessions twice.

## What now

Sessions go to Postgres.
";

#[test]
fn markdown_with_front_matter() {
    let options = ReadOptions {
        tags: vec!["work".to_string(), "infra".to_string()],
        scope: Scope { user: Some("ada".to_string()), project: None },
        ..ReadOptions::default()
    };
    for text in [NOTE.to_string(), NOTE.replace('\n', "\r\n"), format!("\u{FEFF}{NOTE}")] {
        let reading = read_with("notes/redis.md", &text, &options);
        assert_eq!(reading.source.kind, SourceType::File);
        assert_eq!(reading.source.origin, "notes/redis.md");
        assert_eq!(reading.source.title.as_deref(), Some("Why we left Redis"));
        assert_eq!(reading.source.tags, ["work", "infra", "decision"]);
        let all: String = reading.drafts.iter().map(|draft| draft.text.as_str()).collect();
        assert!(all.contains("We lost sessions twice.") && all.contains("Sessions go to Postgres."), "{all}");
        assert!(!all.contains("title:") && !all.contains('\r'), "{all}");
        let source: Vec<&str> = NOTE.lines().collect();
        for (ordinal, draft) in reading.drafts.iter().enumerate() {
            assert_eq!(draft.kind.as_deref(), Some("passage"));
            assert_eq!(draft.tags, ["work", "infra", "decision"]);
            assert_eq!(draft.scope, options.scope);
            assert_eq!(draft.ordinal, Some(ordinal as u32));
            assert_eq!(draft.occurred_at, Timestamp::from_day(2026, 3, 2));
            let lines = draft.lines.expect("passages have lines");
            assert!(lines.first > 5, "the front matter is counted: {lines:?}");
            let named = source[lines.first as usize - 1..lines.last as usize].join("\n");
            assert!(named.contains(draft.text.trim()), "{named:?} holds {:?}", draft.text);
        }
        assert_eq!(problems(&reading), [""; 0]);
    }
}

#[test]
fn titles_come_from_the_nearest_place() {
    let title = |name, text| read(name, text).source.title;
    assert_eq!(title("notes/plain.txt", "words"), Some("plain".to_string()));
    assert_eq!(title("notes/plain.md", "words"), Some("plain".to_string()));
    assert_eq!(title("-", "words"), None);
    let heading = griot::text::markdown_title("# Head\n\nwords").or(Some("plain".to_string()));
    assert_eq!(title("notes/plain.md", "# Head\n\nwords"), heading);
}

#[test]
fn the_date_comes_from_the_nearest_place() {
    let at = |name, text| read(name, text).drafts[0].occurred_at.map(|at| at.to_string());
    assert_eq!(at("2026-03-02-standup.md", "words").as_deref(), Some("2026-03-02T00:00:00Z"));
    assert_eq!(at("2026-03-02.txt", "words").as_deref(), Some("2026-03-02T00:00:00Z"));
    assert_eq!(
        at("2026-03-02-standup.md", "---\ndate: 2026-03-04 12:30\n---\nwords").as_deref(),
        Some("2026-03-04T12:30:00Z")
    );
    assert_eq!(at("standup.md", "words"), None, "text has no time of its own");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("standup.md");
    std::fs::write(&path, "words").unwrap();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_772_442_300);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let reading = read_file(&path, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(
        reading.drafts[0].occurred_at.map(|at| at.to_string()).as_deref(),
        Some("2026-03-02T09:05:00Z")
    );
}

#[test]
fn a_date_that_is_none_is_told() {
    let reading = read("2026-03-02.md", "---\ndate: soonish\n---\nwords");
    assert_eq!(reading.drafts[0].occurred_at, Timestamp::from_day(2026, 3, 2));
    assert_eq!(problems(&reading), ["cannot read `2026-03-02.md`: line 2: `soonish` is not a date"]);
}

#[test]
fn the_asked_kind_and_format() {
    let options = ReadOptions {
        kind: Some("decision".to_string()),
        format: Some(Format::Text),
        ..ReadOptions::default()
    };
    let reading = read_with("a.json", "{not json", &options);
    assert_eq!(reading.drafts[0].kind.as_deref(), Some("decision"));
    assert_eq!(reading.drafts[0].text, "{not json");
}

#[test]
fn who_wrote_a_page_is_named_by_its_passages() {
    let text = "<html><head><title>Tides</title><meta name=author content='By Ada Lovelace and Charles Babbage'></head>
        <body><main><h1>Tides</h1><p>The moon pulls the sea twice a day.</p><h2>Sun</h2><p>It helps.</p></main></body>";
    let reading = read("a.html", text);
    assert_eq!(reading.drafts.len(), 2);
    for draft in &reading.drafts {
        let names: Vec<&str> = draft.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["Ada Lovelace", "Charles Babbage"]);
        assert_eq!(draft.speaker, None);
    }
}

#[test]
fn a_tag_that_is_no_word_does_not_cost_the_document() {
    let reading = read("a.md", "---\ntags: [R&D, infra]\n---\n# A\n\nOne.\n\n# B\n\nTwo.\n");
    assert_eq!(reading.source.tags, ["infra"]);
    assert!(reading.drafts.iter().all(|draft| draft.tags == ["infra"]));
    assert_eq!(problems(&reading), ["cannot read `a.md`: a passage has the tag `R&D`, which is left out"]);
    let reading = read("a.json", r#"[{"text":"a","kind":"x<y"},{"text":"b","kind":"fact","tags":["x|y"]}]"#);
    assert_eq!(lines(&reading).len(), 2);
    assert_eq!(reading.drafts[0].kind.as_deref(), Some("passage"));
    assert_eq!(problems(&reading).len(), 2);
}
