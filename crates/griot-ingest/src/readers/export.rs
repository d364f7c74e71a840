//! What other programs give back: conversations of ChatGPT and Claude, days of a channel and whole exports of
//! Slack, and the file of the reference server for memory over MCP.
//!
//! Each conversation is a session with its name. Of a conversation that was edited, the branch that was seen
//! last is read. A channel of Slack is cut into sessions by threads and by silence.

use std::collections::HashMap;

use griot::model::{EntityType, Lines, Result, Timestamp};
use griot::remember::EntityDraft;
use serde_json::Value;

use crate::readers::archive::Archive;
use crate::readers::input::{Batch, Input};
use crate::readers::json;
use crate::readers::markdown::one_line;
use crate::time;

/// A silence of more than this begins a new session in a channel.
const SILENCE: i64 = 6 * Timestamp::HOUR;
/// Largest list of people beside a day of a channel.
const PEOPLE: u64 = 32 * 1024 * 1024;

fn parsed(input: &Input, text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| input.error(json::parse_error(&error, true)))
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty() && !text.contains('\0'))
}

/// One object, or a list of them.
fn listed(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(list) => list.iter().collect(),
        value => vec![value],
    }
}

/// Names of conversations; two of one name are told apart by their number.
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

pub(crate) fn is_chatgpt(head: &str) -> bool {
    head.starts_with(['[', '{']) && ["\"mapping\"", "\"create_time\""].iter().all(|key| head.contains(key))
}

/// `conversations.json`: a tree of messages for each conversation.
pub(crate) fn read_chatgpt(input: &Input, whole: &str, batch: &mut Batch) -> Result<()> {
    let value = parsed(input, whole)?;
    let mut names = Names::default();
    for (number, conversation) in (1..).zip(listed(&value)) {
        let Some(tree) = conversation.get("mapping").and_then(Value::as_object) else {
            batch.problem(input.error(format!("conversation {number} has no `mapping`")));
            continue;
        };
        let session = names.of(text(conversation, "title"));
        let begin = conversation.get("create_time").and_then(time::of_value);
        // From the last message back to the first; a circle ends where it closes.
        let mut at = text(conversation, "current_node").or_else(|| last_leaf(tree));
        let mut messages = Vec::new();
        let mut steps = 0;
        while let Some(node) = at.and_then(|id| tree.get(id)) {
            steps += 1;
            if steps > tree.len() {
                batch.problem(input.error(format!("conversation {number} runs in a circle")));
                break;
            }
            messages.extend(node.get("message").filter(|message| message.is_object()));
            at = text(node, "parent");
        }
        for message in messages.into_iter().rev() {
            let speaker = message.pointer("/author/role").and_then(Value::as_str).unwrap_or("user");
            let is_hidden =
                message.pointer("/metadata/is_visually_hidden_from_conversation") == Some(&Value::Bool(true));
            if !matches!(speaker, "user" | "assistant") || is_hidden {
                continue;
            }
            let parts = message.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten();
            let said: Vec<&str> =
                parts.filter_map(|part| part.as_str().or_else(|| text(part, "text"))).collect();
            let at = message.get("create_time").and_then(time::of_value).or(begin);
            add(input, &said.join("\n"), speaker, &session, at, number, batch);
        }
    }
    Ok(())
}

/// The newest message that nothing follows.
fn last_leaf(tree: &serde_json::Map<String, Value>) -> Option<&str> {
    let is_leaf = |node: &Value| node.get("children").and_then(Value::as_array).is_none_or(Vec::is_empty);
    let made = |node: &Value| node.pointer("/message/create_time").and_then(Value::as_f64).unwrap_or(0.0);
    let leaves = tree.iter().filter(|(_, node)| is_leaf(node));
    leaves.max_by(|a, b| made(a.1).total_cmp(&made(b.1))).map(|(id, _)| id.as_str())
}

fn add(
    input: &Input,
    said: &str,
    speaker: &str,
    session: &str,
    at: Option<Timestamp>,
    number: usize,
    batch: &mut Batch,
) {
    let mut draft = input.draft(said.trim().to_string(), "turn");
    draft.speaker = Some(speaker.to_string());
    draft.session = Some(session.to_string());
    draft.occurred_at = at;
    batch.push(input, draft, &format!("conversation {number}"));
}

pub(crate) fn is_claude(head: &str) -> bool {
    head.starts_with(['[', '{']) && head.contains("\"chat_messages\"")
}

/// `conversations.json` of Claude.
pub(crate) fn read_claude(input: &Input, whole: &str, batch: &mut Batch) -> Result<()> {
    let value = parsed(input, whole)?;
    let mut names = Names::default();
    for (number, conversation) in (1..).zip(listed(&value)) {
        let Some(messages) = conversation.get("chat_messages").and_then(Value::as_array) else {
            batch.problem(input.error(format!("conversation {number} has no `chat_messages`")));
            continue;
        };
        let session = names.of(text(conversation, "name"));
        for message in messages {
            let parts = message.get("content").and_then(Value::as_array).into_iter().flatten();
            let is_said = |part: &&Value| part.get("type").and_then(Value::as_str) == Some("text");
            let said: Vec<&str> = parts.filter(is_said).filter_map(|part| text(part, "text")).collect();
            let said = if said.is_empty() {
                text(message, "text").unwrap_or_default().to_string()
            } else {
                said.join("\n\n")
            };
            let speaker = match text(message, "sender") {
                Some("human") | None => "user",
                Some(sender) => sender,
            };
            add(
                input,
                &said,
                speaker,
                &session,
                message.get("created_at").and_then(time::of_value),
                number,
                batch,
            );
        }
    }
    Ok(())
}

/// An export of ChatGPT or Claude as it is downloaded: a zip archive with its conversations among other
/// things.
pub(crate) fn read_conversations(input: &Input, bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(input, bytes)?;
    let Some(whole) = archive.text("conversations.json")? else {
        return Err(
            input.error("it is not an export of conversations: there is no `conversations.json` in it")
        );
    };
    if is_claude(whole.trim_start()) {
        read_claude(input, &whole, batch)
    } else {
        read_chatgpt(input, &whole, batch)
    }
}

/// The first message of a day of a channel.
pub(crate) fn is_slack(head: &str) -> bool {
    let Some(rest) = head.strip_prefix('[') else { return false };
    let first = serde_json::Deserializer::from_str(rest).into_iter::<Value>().next();
    first.and_then(std::result::Result::ok).is_some_and(|message| {
        text(&message, "type") == Some("message") && text(&message, "ts").is_some_and(|at| at.contains('.'))
    })
}

/// A day of a channel: the folder is the channel, and the people may stand in a file beside it.
pub(crate) fn read_slack_day(input: &Input, whole: &str, batch: &mut Batch) -> Result<()> {
    let value = parsed(input, whole)?;
    let folder = input.path.parent();
    let channel = folder
        .and_then(|folder| folder.file_name())
        .map_or("channel".to_string(), |name| name.to_string_lossy().into_owned());
    // What was sent to a server has no neighbours, whatever it is called.
    let beside = folder
        .filter(|_| input.is_file)
        .and_then(|folder| folder.parent())
        .map(|root| root.join("users.json"));
    let is_small = |path: &std::path::PathBuf| {
        std::fs::symlink_metadata(path).is_ok_and(|data| data.is_file() && data.len() <= PEOPLE)
    };
    let users = beside.filter(is_small).and_then(|path| std::fs::read(path).ok());
    let users = users
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .map(|value| people(&value))
        .unwrap_or_default();
    Channel::new(&channel).read(input, &value, &users, "the file", batch);
    Ok(())
}

/// A whole export as a zip archive.
pub(crate) fn read_slack(input: &Input, bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(input, bytes)?;
    let users = match archive.text("users.json")? {
        Some(users) => people(&parsed(input, &users)?),
        None => HashMap::new(),
    };
    let mut open: Option<Channel> = None;
    // Sorted: the days of a channel stand beside each other, in their order.
    for name in archive.names() {
        let Some((channel, day)) =
            name.split_once('/').filter(|(_, day)| day.ends_with(".json") && !day.contains('/'))
        else {
            continue;
        };
        let Some(whole) = archive.text(&name)? else { continue };
        match serde_json::from_str::<Value>(&whole) {
            Ok(value) => {
                if open.as_ref().is_none_or(|open| open.name != channel) {
                    open = Some(Channel::new(channel));
                }
                if let Some(open) = &mut open {
                    open.read(input, &value, &users, &format!("{channel}/{day}"), batch);
                }
            }
            Err(error) => {
                batch.problem(input.error(format!("`{channel}/{day}`: {}", json::parse_error(&error, true))))
            }
        }
    }
    Ok(())
}

/// Names by id.
fn people(value: &Value) -> HashMap<String, String> {
    let name = |user: &Value| {
        let profile = user.get("profile").unwrap_or(&Value::Null);
        let name = text(profile, "display_name").or_else(|| text(profile, "real_name"));
        let name = name.or_else(|| text(user, "real_name")).or_else(|| text(user, "name"))?;
        Some((text(user, "id")?.to_string(), one_line(name)))
    };
    listed(value).into_iter().filter_map(name).collect()
}

struct Channel {
    name: String,
    session: String,
    last: Option<Timestamp>,
}

impl Channel {
    fn new(name: &str) -> Self {
        Self { name: name.to_string(), session: format!("#{name}"), last: None }
    }

    fn read(
        &mut self,
        input: &Input,
        value: &Value,
        users: &HashMap<String, String>,
        place: &str,
        batch: &mut Batch,
    ) {
        for (number, message) in (1..).zip(listed(value)) {
            // People who come and go say nothing; bots, edits and answers shown to all do.
            let kind = text(message, "subtype").unwrap_or("bot_message");
            let is_said = matches!(
                kind,
                "bot_message" | "me_message" | "thread_broadcast" | "file_share" | "file_comment"
            );
            let (Some(words), true) = (text(message, "text"), is_said) else { continue };
            let at = message.get("ts").and_then(time::of_value);
            if at.is_none() {
                batch.problem(input.error(format!("{place}, message {number}: `ts` is not a time")));
            }
            let thread = message.get("thread_ts").and_then(time::of_value);
            let mut draft = input.draft(plain(words, users), "turn");
            draft.session = Some(match (thread, at) {
                (Some(thread), _) => format!("#{} thread of {}", self.name, minute(thread)),
                (None, Some(at)) => {
                    if self.last.is_none_or(|last| (at.0 - last.0).abs() > SILENCE) {
                        self.session = format!("#{} {}", self.name, minute(at));
                    }
                    self.last = Some(at);
                    self.session.clone()
                }
                (None, None) => self.session.clone(),
            });
            let own = message
                .pointer("/user_profile/display_name")
                .and_then(Value::as_str)
                .filter(|name| !name.is_empty());
            let id = text(message, "user");
            let speaker = id
                .and_then(|id| users.get(id).map(String::as_str))
                .or(own)
                .or_else(|| text(message, "username"));
            draft.speaker = speaker.or(id).or_else(|| text(message, "bot_id")).map(one_line);
            draft.occurred_at = at;
            batch.push(input, draft, place);
        }
    }
}

fn minute(at: Timestamp) -> String {
    at.to_string().get(..16).unwrap_or_default().replace('T', " ")
}

/// `<@U1>` becomes a name, `<https://…|words>` what it shows and where it leads.
fn plain(words: &str, users: &HashMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some(at) = rest.find('<') {
        let Some(end) = rest[at..].find('>') else { break };
        out.push_str(&rest[..at]);
        let inner = &rest[at + 1..at + end];
        let (target, shown) =
            inner.split_once('|').map_or((inner, None), |(target, shown)| (target, Some(shown)));
        match target.chars().next() {
            Some('@') => {
                let name = shown.or_else(|| users.get(&target[1..]).map(String::as_str));
                out.extend(["@", name.unwrap_or(&target[1..])]);
            }
            Some('#') => out.extend(["#", shown.unwrap_or(&target[1..])]),
            Some('!') => out.extend(["@", shown.unwrap_or(&target[1..]).trim_start_matches('@')]),
            _ => match shown.filter(|shown| *shown != target) {
                Some(shown) => out.push_str(&format!("{shown} ({target})")),
                None => out.push_str(target),
            },
        }
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// A line of the reference server's file.
pub(crate) fn is_graph(value: &Value) -> bool {
    match text(value, "type") {
        Some("entity") => value.get("name").is_some() && value.get("entityType").is_some(),
        Some("relation") => ["from", "to", "relationType"].iter().all(|name| value.get(name).is_some()),
        _ => false,
    }
}

/// An entity's observations become memories about it; a relation becomes a memory that names both of its
/// ends.
pub(crate) fn graph_line(input: &Input, number: u32, value: &Value, batch: &mut Batch) {
    let place = format!("line {number}");
    let mut tell = |words: String, kind: &str, names: Vec<EntityDraft>, heading: Option<&str>| {
        let mut draft = input.draft(words, kind);
        draft.entities = names;
        draft.heading = heading.map(one_line).into_iter().collect();
        draft.lines = Some(Lines { first: number, last: number });
        draft.occurred_at = input.time();
        batch.push(input, draft, &place);
    };
    let entity = |name: &str, kind: Option<EntityType>| EntityDraft::named(one_line(name), kind);
    match (text(value, "type"), text(value, "name")) {
        (Some("entity"), Some(name)) => {
            let said_kind = text(value, "entityType").map(|kind| kind.trim().to_lowercase());
            let kind = said_kind.as_deref().and_then(entity_type);
            let observations = value.get("observations").and_then(Value::as_array);
            let observations: Vec<&str> =
                observations.into_iter().flatten().filter_map(Value::as_str).collect();
            for observation in &observations {
                tell((*observation).to_string(), "observation", vec![entity(name, kind)], Some(name));
            }
            if observations.is_empty() {
                let words = said_kind.map_or_else(|| name.to_string(), |kind| format!("{name}: {kind}"));
                tell(words, "observation", vec![entity(name, kind)], Some(name));
            }
        }
        (Some("relation"), _) => {
            match (text(value, "from"), text(value, "relationType"), text(value, "to")) {
                (Some(from), Some(relation), Some(to)) => {
                    let words = format!("{from} {} {to}", relation.replace('_', " "));
                    tell(words, "relation", vec![entity(from, None), entity(to, None)], None);
                }
                _ => batch.problem(input.error(format!("{place} is a relation without two ends"))),
            }
        }
        _ => batch.problem(input.error(format!("{place} is neither an entity nor a relation"))),
    }
}

/// A type by the names that programs give to it.
pub(crate) fn entity_type(name: &str) -> Option<EntityType> {
    EntityType::parse(name).or(match name {
        "organization" | "organisation" | "company" | "team" => Some(EntityType::Org),
        "place" | "city" | "country" => Some(EntityType::Location),
        "repository" => Some(EntityType::Repo),
        _ => None,
    })
}
