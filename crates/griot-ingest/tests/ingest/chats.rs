//! Chats as JSON Lines and as text: who said what, when, in which session.

use griot::model::SourceType;
use griot_ingest::{Format, ReadOptions};

use crate::{lines, problems, read, read_with};

#[test]
fn the_documented_form() {
    let reading = read(
        "team.jsonl",
        r#"{"speaker": "Ada", "time": "2026-03-02 10:00", "session": "standup", "text": "Redis lost our sessions again."}
{"speaker": "Bob", "time": "2026-03-02T11:01:30+01:00", "session": "standup", "text": "Then we move them to Postgres.", "tags": ["infra"]}

{"speaker": "Ada", "time": "2026-03-02 10:02", "session": "standup", "text": "  "}
{"id": 7, "speaker": "Bob", "time": "2026-03-03 09:00", "session": "review", "text": "Two\nlines."}
"#,
    );
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(reading.source.title.as_deref(), Some("team"));
    assert_eq!(
        lines(&reading),
        [
            "turn 1-1 standup#0 2026-03-02T10:00:00Z Ada | Redis lost our sessions again.",
            "turn 2-2 standup#1 2026-03-02T10:01:30Z Bob [infra] | Then we move them to Postgres.",
            "turn 5-5 review#0 2026-03-03T09:00:00Z Bob | Two⏎lines.",
        ]
    );
    assert_eq!(problems(&reading), [""; 0]);
}

#[test]
fn other_names_of_the_fields() {
    let reading = read(
        "-",
        r#"{"role": "user", "timestamp": 1772442300, "conversation_id": 12, "content": [{"type": "text", "text": "Why?"}, {"type": "image"}]}
{"from": {"name": "Ada"}, "date": "2026-03-02", "channel": "ops", "message": "Because."}
{"type": "user", "sessionId": "s1", "timestamp": "2026-03-02T09:05:00Z", "message": {"role": "assistant", "content": "I see."}}
{"role": "assistant", "content": null, "tool_calls": []}
"#,
    );
    assert_eq!(
        lines(&reading),
        [
            "turn 1-1 12#0 2026-03-02T09:05:00Z user | Why?",
            "turn 2-2 ops#0 2026-03-02T00:00:00Z Ada | Because.",
            "turn 3-3 s1#0 2026-03-02T09:05:00Z assistant | I see.",
        ]
    );
    assert_eq!(problems(&reading), [""; 0]);
}

#[test]
fn silence_of_six_hours_begins_a_session() {
    let reading = read(
        "a.chat.txt",
        "[2026-03-02 22:00] Ada: one\n[2026-03-03 04:00] Ada: two\n[2026-03-03 10:01] Bob: three\nBob: four\n",
    );
    assert_eq!(
        lines(&reading),
        [
            "turn 1-1 2026-03-02 22:00#0 2026-03-02T22:00:00Z Ada | one",
            "turn 2-2 2026-03-02 22:00#1 2026-03-03T04:00:00Z Ada | two",
            "turn 3-3 2026-03-03 10:01#0 2026-03-03T10:01:00Z Bob | three",
            "turn 4-4 2026-03-03 10:01#1 Bob | four",
        ]
    );
}

#[test]
fn transcripts_with_indented_lines() {
    let chat = ReadOptions { format: Some(Format::Chat), ..ReadOptions::default() };
    let reading = read_with("talk.txt", "Ada: first\r\n  and second\r\n\r\nBob:\r\n\tthird\r\n", &chat);
    assert_eq!(lines(&reading), ["turn 1-2 #0 Ada | first⏎and second", "turn 4-5 #1 Bob | third"]);
}

#[test]
fn lists_of_messages() {
    let list = r#"[{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]"#;
    let reading = read("a.json", list);
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(lines(&reading), ["turn #0 user | one", "turn #1 assistant | two"]);

    let reading = read("a.json", &format!("{{\n\"title\": \"Pricing\",\n\"messages\": {list}\n}}"));
    assert_eq!(lines(&reading), ["turn Pricing#0 user | one", "turn Pricing#1 assistant | two"]);

    let reading =
        read("a.jsonl", &format!("{{\"messages\": {list}}}\n{{\"id\": \"x\", \"messages\": {list}}}\n"));
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(
        lines(&reading),
        [
            "turn 1-1 line 1#0 user | one",
            "turn 1-1 line 1#1 assistant | two",
            "turn 2-2 x#0 user | one",
            "turn 2-2 x#1 assistant | two",
        ]
    );
}

#[test]
fn a_time_that_is_none_is_told_and_the_message_kept() {
    let reading = read("a.jsonl", "{\"speaker\": \"Ada\", \"time\": \"yesterdayish\", \"text\": \"hi\"}\n");
    assert_eq!(lines(&reading), ["turn 1-1 #0 Ada | hi"]);
    assert_eq!(
        problems(&reading),
        ["cannot read `a.jsonl`: line 1: `time` is `\"yesterdayish\"`, not a time"]
    );

    let reading = read("a.chat.txt", "[1066-10-14] Ada: hi\n[noon] Bob: ho\n");
    assert_eq!(lines(&reading), ["turn 1-1 #0 Ada | hi", "turn 2-2 #1 Bob | ho"]);
    assert_eq!(
        problems(&reading),
        [
            "cannot read `a.chat.txt`: line 1: `1066-10-14` is not a time",
            "cannot read `a.chat.txt`: line 2: `noon` is not a time"
        ]
    );
}

#[test]
fn messages_that_are_none_are_told() {
    let chat = ReadOptions { format: Some(Format::Chat), ..ReadOptions::default() };
    let reading = read_with("a.json", r#"[{"speaker": "Ada", "text": "hi"}, {"speaker": "Bob"}, 5]"#, &chat);
    assert_eq!(lines(&reading), ["turn #0 Ada | hi"]);
    assert_eq!(
        problems(&reading),
        [
            "cannot read `a.json`: message 2 has no `text`",
            "cannot read `a.json`: message 3 is not an object with `speaker` and `text`",
        ]
    );
}
