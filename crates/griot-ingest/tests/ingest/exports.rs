//! What other programs give back: ChatGPT, Claude, Slack, the memory server of MCP, vaults of notes.

use std::fs;
use std::io::Write;

use griot::model::SourceType;
use griot_ingest::{ReadOptions, read_file};

use crate::{lines, problems, read, refusal};

const CHATGPT: &str = r#"[{"title": "Tea", "create_time": 1772442300.0, "current_node": "d", "mapping": {
  "a": {"id": "a", "message": null, "parent": null, "children": ["b"]},
  "b": {"id": "b", "message": {"author": {"role": "user"}, "create_time": 1772442300.0, "content": {"content_type": "text", "parts": ["Which tea?"]}}, "parent": "a", "children": ["c", "d"]},
  "c": {"id": "c", "message": {"author": {"role": "assistant"}, "content": {"parts": ["An old branch."]}}, "parent": "b", "children": []},
  "d": {"id": "d", "message": {"author": {"role": "assistant"}, "create_time": 1772442360.0, "content": {"parts": ["Assam.", {"asset": 1}]}}, "parent": "b", "children": []}}},
 {"title": "Tea", "create_time": 1772528700.0, "mapping": {
  "x": {"id": "x", "message": {"author": {"role": "user"}, "content": {"parts": ["Again"]}}, "parent": "x", "children": []}}}]"#;

#[test]
fn chatgpt_tells_the_branch_that_was_seen_last() {
    let reading = read("conversations.json", CHATGPT);
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(
        lines(&reading)[..2],
        [
            "turn Tea#0 2026-03-02T09:05:00Z user | Which tea?",
            "turn Tea#1 2026-03-02T09:06:00Z assistant | Assam.",
        ]
    );
    assert!(lines(&reading)[2].starts_with("turn Tea (2)#0 2026-03-03T09:05:00Z user | Again"));
    assert_eq!(problems(&reading), ["cannot read `conversations.json`: conversation 2 runs in a circle"]);
}

#[test]
fn claude_tells_who_said_what() {
    let text = r#"[{"uuid": "u", "name": "Garden", "created_at": "2026-03-02T09:00:00Z", "chat_messages": [
      {"sender": "human", "text": "When?", "content": [{"type": "text", "text": "When?"}], "created_at": "2026-03-02T09:05:00.5Z"},
      {"sender": "assistant", "text": "", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "In May."}], "created_at": "2026-03-02T09:06:00Z"}]}]"#;
    assert_eq!(
        lines(&read("conversations.json", text)),
        [
            "turn Garden#0 2026-03-02T09:05:00.500Z user | When?",
            "turn Garden#1 2026-03-02T09:06:00Z assistant | In May.",
        ]
    );
    assert!(refusal("conversations.json", &text[..text.len() - 3]).contains("it ends too early"));
}

const DAY: &str = r#"[{"type": "message", "user": "U1", "text": "<@U2> see <https://x.org|the plan> &amp; go", "ts": "1772442300.000100", "thread_ts": "1772442300.000100"},
 {"type": "message", "subtype": "channel_join", "user": "U3", "text": "<@U3> has joined", "ts": "1772442301.0"},
 {"type": "message", "user": "U2", "text": "ok", "ts": "1772442310.000200"}]"#;
const USERS: &str = r#"[{"id": "U1", "name": "ada", "profile": {"display_name": "Ada"}}, {"id": "U2", "name": "bob", "profile": {"real_name": "Bob"}}]"#;

#[test]
fn slack_is_read_from_a_folder_and_from_its_archive() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("general")).unwrap();
    fs::write(folder.path().join("users.json"), USERS).unwrap();
    let day = folder.path().join("general/2026-03-02.json");
    fs::write(&day, DAY).unwrap();
    let path = folder.path().join("export.zip");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, text) in [("users.json", USERS), ("general/2026-03-02.json", DAY)] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    for path in [day, path] {
        let reading = read_file(&path, &ReadOptions::default()).unwrap().remove(0);
        assert_eq!(reading.source.kind, SourceType::Chat);
        assert_eq!(
            lines(&reading),
            [
                "turn #general thread of 2026-03-02 09:05#0 2026-03-02T09:05:00Z Ada | @Bob see the plan (https://x.org) & go",
                "turn #general 2026-03-02 09:05#0 2026-03-02T09:05:10Z Bob | ok",
            ]
        );
    }
}

#[test]
fn a_downloaded_export_and_a_folder_of_slack() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.zip");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, text) in [("user.json", "{}"), ("conversations.json", CHATGPT)] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    let reading = read_file(&path, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(lines(&reading), lines(&read("conversations.json", CHATGPT)));

    fs::create_dir(folder.path().join("general")).unwrap();
    for name in ["users.json", "channels.json", "general/2026-03-02.json", "general/users.json", "notes.json"]
    {
        fs::write(folder.path().join(name), "[]").unwrap();
    }
    let found = griot_ingest::files(folder.path()).unwrap().files;
    let names: Vec<_> =
        found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect();
    assert_eq!(names, ["general/2026-03-02.json", "general/users.json", "notes.json"]);
}

#[test]
fn the_memory_of_mcp_becomes_memories_about_its_entities() {
    let text = "{\"type\":\"entity\",\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":[\"likes tea\",\"ships on Friday\"]}\n\
                {\"type\":\"relation\",\"from\":\"Ada\",\"to\":\"Initech\",\"relationType\":\"works_at\"}\n\
                {\"type\":\"entity\",\"name\":\"Initech\",\"entityType\":\"company\",\"observations\":[]}\n{\"type\":\"relation\"}\n";
    for name in ["memory.jsonl", "memory.json"] {
        let reading = read(name, text);
        assert_eq!(
            lines(&reading),
            [
                "observation 1-1 #0 (Ada) | likes tea",
                "observation 1-1 #1 (Ada) | ships on Friday",
                "relation 2-2 #2 | Ada works at Initech",
                "observation 3-3 #3 (Initech) | Initech: company",
            ]
        );
        let names: Vec<&str> = reading.drafts[2].entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["Ada", "Initech"]);
        assert_eq!(reading.drafts[0].entities[0].kind.map(|kind| kind.name()), Some("person"));
        assert_eq!(
            problems(&reading),
            [format!("cannot read `{name}`: line 4 is a relation without two ends")]
        );
    }
}

#[test]
fn links_and_tags_of_a_vault_are_known() {
    let reading = read("a.md", "---\ntags: [work]\n---\n# Day\n\nMet [[people/Ada Lovelace|Ada]] #plan\n");
    assert_eq!(
        lines(&reading),
        ["passage 6-6 #0 (Day) [work, plan] | Met [[people/Ada Lovelace|Ada]] #plan"]
    );
    assert_eq!(reading.drafts[0].entities[0].name, "Ada Lovelace");
}
