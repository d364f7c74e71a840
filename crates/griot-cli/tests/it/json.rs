//! Answers as JSON: objects of `griot-wire`, and nothing else on standard output.

use griot_wire::{Remembered, Status};

use crate::Home;

#[test]
fn answers_read_back_as_the_objects_they_are() {
    let home = Home::new();
    let text =
        home.ok(&["--json", "remember", "Redis is a cache because it is fast.", "--entity", "Redis:tool"]);
    let answer: Remembered = serde_json::from_str(&text).expect("it is the object");
    assert_eq!((answer.action.as_str(), answer.embedded), ("added", true));
    assert!(answer.entities.iter().any(|mention| mention.id == "tool:redis"));
    assert_eq!(answer.diff.suggestion, "add");
    let recall: griot_wire::Recall =
        serde_json::from_str(&home.ok(&["--json", "recall", "redis cache"])).expect("it is the object");
    let best = &recall.results[0];
    assert_eq!((best.id.as_str(), best.why_included.as_str()), (answer.id.as_str(), "direct_match"));
    assert_eq!(best.source.kind.as_deref(), Some("agent"));
    let sum: f32 = best.signals.iter().map(|signal| signal.share).sum();
    assert!((sum - best.score).abs() < 1e-4, "{sum} {}", best.score);
    let _: Status = serde_json::from_str(&home.ok(&["--json", "status"])).expect("it is the object");
}

#[test]
fn json_input_is_one_object_or_many() {
    let home = Home::new();
    let remember = ["--json", "remember", "--json-input"];
    let draft = br#"{"text": "One.", "tags": ["a"], "occurred_at": "2024-05-01"}"#;
    let run = home.run_with(&remember, draft);
    let one: Remembered = serde_json::from_str(&run.stdout).expect("it is one object");
    assert_eq!((one.tags.join(" ").as_str(), one.occurred_at.day().as_str()), ("a", "2024-05-01"));
    let run = home.run_with(&remember, br#"[{"text": "One."}, {"text": "Two."}]"#);
    let many: Vec<Remembered> = serde_json::from_str(&run.stdout).expect("it is a list");
    assert_eq!(many.iter().map(|answer| answer.action.as_str()).collect::<Vec<_>>(), ["skipped", "added"]);
}

#[test]
fn an_empty_answer_is_not_an_error() {
    let home = Home::new();
    let run = home.run(&["recall", "anything at all"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.starts_with("Nothing found: "), "{}", run.stdout);
    assert_eq!(home.json(&["recall", "anything at all"])["results"], serde_json::json!([]));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let home = Home::new();
    for number in 0..50 {
        home.remember(&format!("Note number {number}."), &[]);
    }
    let griot = env!("CARGO_BIN_EXE_griot");
    let script = format!("'{griot}' export | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}");
    let status = std::process::Command::new("bash")
        .args(["-c", &script])
        .env("GRIOT_HOME", home.path().join("home"))
        .status()
        .expect("bash starts");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn help_speaks_of_every_verb() {
    let home = Home::new();
    let help = home.ok(&["--help"]);
    for verb in ["remember", "recall", "link", "why", "ingest", "workspace", "demo"] {
        assert!(help.contains(&format!("\n  {verb} ")), "{verb}");
        assert!(home.ok(&[verb, "--help"]).contains("Usage: griot "), "{verb}");
    }
    assert!(home.ok(&["completions", "bash"]).contains("griot"));
}
