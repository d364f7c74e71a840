//! `griot ingest`: skips unchanged files, updates changed ones, reports bad ones.

use serde_json::json;

use crate::{Home, Parts, has};

const NOTES: &str = "# Notes\n\nThe cache lives in Redis.\n\n## Deploy\n\nWe deploy on Tuesdays.\n";

#[test]
fn a_folder_is_read_skipped_when_unchanged_and_followed_when_changed() {
    let home = Home::new();
    home.file("docs/notes.md", NOTES);
    home.file("docs/more.txt", "Plain text about Kafka.\n");
    home.file("docs/.gitignore", "secret.md\n");
    home.file("docs/secret.md", "# Secret\n\nThis is not read.\n");
    let first = home.json(&["ingest", "files/docs"]);
    assert_eq!((&first["sources"], &first["unchanged"]), (&2.into(), &0.into()), "{first}");
    assert!(first["failed"].list().is_empty(), "{first}");
    assert!(!home.content().contains("This is not read"));

    let again = home.json(&["ingest", "files/docs"]);
    assert_eq!((&again["unchanged"], &again["added"]), (&2.into(), &0.into()));

    home.file("docs/notes.md", NOTES.replace("Tuesdays", "Thursdays"));
    let changed = home.json(&["ingest", "files/docs"]);
    assert_eq!((&changed["unchanged"], &changed["removed"]), (&1.into(), &1.into()), "{changed}");
    let found = home.json(&["recall", "when do we deploy"]);
    has(found["results"][0]["text"].text(), "Thursdays");
    assert_eq!(found["results"][0]["heading"][1], "Deploy");
}

#[test]
fn files_that_are_gone_are_pruned_on_request() {
    let home = Home::new();
    home.file("docs/a.md", "# A\n\nAbout apples.\n");
    let gone = home.file("docs/b.md", "# B\n\nAbout bananas.\n");
    home.ok(&["ingest", "files/docs"]);
    std::fs::remove_file(gone).expect("it is there");
    assert_eq!(home.json(&["ingest", "files/docs"])["pruned"], json!([]));
    let pruned = home.json(&["ingest", "files/docs", "--prune"]);
    assert_eq!(pruned["pruned"].as_array().map(Vec::len), Some(1));
    assert_eq!(pruned["removed"], 1);
    let left = home.json(&["recall", "bananas", "--no-floor"]);
    assert!(!left.to_string().contains("About bananas"));
}

#[test]
fn a_bad_file_is_reported_and_the_others_are_read() {
    let home = Home::new();
    home.file("docs/good.md", NOTES);
    home.file("docs/bad.json", "{\"text\": ");
    let run = home.run(&["ingest", "files/docs", "files/missing.md"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("bad.json") && run.stderr.contains("missing.md"), "{}", run.stderr);
    assert!(run.stdout.contains("2 files were not read completely"), "{}", run.stdout);
    assert!(home.content().contains("The cache lives in Redis."));
}

#[test]
fn a_chat_keeps_speakers_times_and_sessions() {
    let home = Home::new();
    let line = |speaker: &str, time: &str, text: &str| {
        json!({ "speaker": speaker, "time": time, "session": "planning", "text": text }).to_string()
    };
    let asks = line("Ada", "2024-05-01T10:01:00Z", "Shall we take Kafka?");
    let answers = line("Bob", "2024-05-01T10:02:00Z", "No, RabbitMQ, because we know it.");
    home.file("chat.jsonl", format!("{asks}\n{answers}\n"));
    let read = home.json(&["ingest", "files/chat.jsonl", "--project", "shop", "--tag", "team"]);
    assert_eq!(read["added"], 2, "{read}");
    let found = home.json(&["recall", "why RabbitMQ", "--project", "shop", "--limit", "1"]);
    let best = &found["results"][0];
    assert_eq!((&best["speaker"], &best["session"]), (&"Bob".into(), &"planning".into()));
    assert_eq!(best["occurred_at"], "2024-05-01T10:02:00Z");
    assert_eq!((&best["kind"], &best["project"]), (&"turn".into(), &"shop".into()));
}
