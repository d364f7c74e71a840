//! Exports of ChatGPT and Claude: `conversations.json`, alone or in the downloaded zip archive.
//!
//! Each conversation becomes a session with its title. Of an edited conversation, only the branch that was
//! shown last is read.

use std::collections::HashMap;

use griot::model::Result;
use serde_json::Value;

use crate::readers::archive::Archive;
use crate::readers::head::Head;
use crate::readers::json;
use crate::readers::markup::one_line;
use crate::readers::reader::{Batch, Fit, Read, ReadText, Reader, Zip};
use crate::time;

pub(crate) const CHATGPT: Reader = Reader {
    name: "chatgpt",
    summary: "an export of ChatGPT: `conversations.json`, or the `.zip` that holds it; a session for each \
              conversation",
    zip: Zip::Export(&["conversations.json"]),
    detect: |head| (head.is_json() && is_chatgpt(head.text)).then_some(Fit::Keys),
    read: |head| how(head, read_chatgpt),
    ..BASE
};

pub(crate) const CLAUDE: Reader = Reader {
    name: "claude",
    summary: "an export of Claude: `conversations.json`, or the `.zip` that holds it; a session for each \
              conversation",
    detect: |head| (head.is_json() && is_claude(head.text)).then_some(Fit::Keys),
    read: |head| how(head, read_claude),
    ..BASE
};

const BASE: Reader = Reader { mime: "application/json", is_chat: true, ..Reader::BASE };

fn how(head: &Head, read: ReadText) -> Read {
    if head.is_zip() { Read::Bytes(read_archive) } else { Read::Json(read) }
}

fn is_chatgpt(head: &str) -> bool {
    head.starts_with(['[', '{']) && ["\"mapping\"", "\"create_time\""].iter().all(|key| head.contains(key))
}

fn is_claude(head: &str) -> bool {
    head.starts_with(['[', '{']) && head.contains("\"chat_messages\"")
}

/// An archive of either program.
fn read_archive(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(batch.input, bytes)?;
    let Some(whole) = archive.text("conversations.json")? else {
        return Err(
            batch.error("it is not an export of conversations: there is no `conversations.json` in it")
        );
    };
    let read = if is_claude(whole.trim_start()) { read_claude } else { read_chatgpt };
    read(&whole, batch)
}

/// Names of conversations; a name that was used before gets a number.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn of(&mut self, title: Option<&str>) -> String {
        let mut title: String = one_line(title.unwrap_or("Untitled")).chars().take(200).collect();
        title.retain(|c| !c.is_control());
        let count = self.0.entry(title.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{title} ({count})") } else { title }
    }
}

/// Each conversation is a tree of messages.
fn read_chatgpt(whole: &str, batch: &mut Batch) -> Result<()> {
    let value = json::parse(batch.input, whole)?;
    let mut names = Names::default();
    for (number, conversation) in (1..).zip(json::items(&value)) {
        let Some(tree) = conversation["mapping"].as_object() else {
            batch.problem(format!("conversation {number} has no `mapping`"));
            continue;
        };
        let session = names.of(json::field(conversation, "title"));
        let begin = conversation.get("create_time").and_then(time::of_value);
        // From the last message back to the first; a cycle ends the walk.
        let mut at = json::field(conversation, "current_node").or_else(|| last_leaf(tree));
        let mut nodes = Vec::new();
        while let Some(node) = at.and_then(|id| tree.get(id)) {
            if nodes.len() == tree.len() {
                batch.problem(format!("conversation {number} runs in a circle"));
                break;
            }
            nodes.push(node);
            at = json::field(node, "parent");
        }
        let messages = nodes.iter().rev().filter_map(|node| node.get("message"));
        for message in messages.filter(|message| message.is_object()) {
            let speaker = message.pointer("/author/role").and_then(Value::as_str).unwrap_or("user");
            let is_hidden =
                message.pointer("/metadata/is_visually_hidden_from_conversation") == Some(&Value::Bool(true));
            if !matches!(speaker, "user" | "assistant") || is_hidden {
                continue;
            }
            let parts = message.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten();
            let words: Vec<&str> =
                parts.filter_map(|part| part.as_str().or_else(|| json::field(part, "text"))).collect();
            let at = message.get("create_time").and_then(time::of_value).or(begin);
            let mut draft = batch.draft(words.join("\n").trim(), "turn");
            draft.speaker = Some(speaker.to_string());
            draft.session = Some(session.clone());
            draft.occurred_at = at;
            batch.push(draft, &format!("conversation {number}"));
        }
    }
    Ok(())
}

/// The newest message without a successor.
fn last_leaf(tree: &serde_json::Map<String, Value>) -> Option<&str> {
    let is_leaf = |node: &Value| node["children"].as_array().is_none_or(Vec::is_empty);
    let made = |node: &Value| node.pointer("/message/create_time").and_then(Value::as_f64).unwrap_or(0.0);
    let leaves = tree.iter().filter(|(_, node)| is_leaf(node));
    leaves.max_by(|a, b| made(a.1).total_cmp(&made(b.1))).map(|(id, _)| id.as_str())
}

/// Each conversation is a list of messages.
fn read_claude(whole: &str, batch: &mut Batch) -> Result<()> {
    let value = json::parse(batch.input, whole)?;
    let mut names = Names::default();
    for (number, conversation) in (1..).zip(json::items(&value)) {
        let Some(messages) = conversation["chat_messages"].as_array() else {
            batch.problem(format!("conversation {number} has no `chat_messages`"));
            continue;
        };
        let session = names.of(json::field(conversation, "name"));
        for message in messages {
            let parts = message["content"].as_array().into_iter().flatten();
            let parts = parts.filter(|part| part["type"] == "text");
            let mut words: Vec<&str> = parts.filter_map(|part| json::field(part, "text")).collect();
            if words.is_empty() {
                words.extend(json::field(message, "text"));
            }
            let sender = json::field(message, "sender").filter(|sender| *sender != "human");
            let speaker = sender.unwrap_or("user");
            let mut draft = batch.draft(words.join("\n\n").trim(), "turn");
            draft.speaker = Some(speaker.to_string());
            draft.session = Some(session.clone());
            draft.occurred_at = message.get("created_at").and_then(time::of_value);
            batch.push(draft, &format!("conversation {number}"));
        }
    }
    Ok(())
}
