//! Slack: a day of a channel as JSON, or a whole export as a zip archive. A channel is cut into sessions by
//! threads and by pauses.

use std::collections::HashMap;

use griot::model::Result;
use serde_json::Value;

use crate::readers::archive::Archive;
use crate::readers::json;
use crate::readers::markup::one_line;
use crate::readers::messages::Chat;
use crate::readers::reader::{Batch, Fit, Read, Reader, Zip};
use crate::time;

/// Largest list of users beside a day of a channel.
const PEOPLE: u64 = 32 * 1024 * 1024;

pub(crate) const READER: Reader = Reader {
    name: "slack",
    mime: "application/json",
    summary: "turns with the names of people; threads and pauses make sessions. An export is a folder, or a \
              `.zip` to name",
    zip: Zip::Export(&["users.json", "channels.json"]),
    detect: |head| (head.is_json() && is_day(head.text)).then_some(Fit::Record),
    is_chat: true,
    read: |head| if head.is_zip() { Read::Bytes(read_export) } else { Read::Json(read_day) },
    ..Reader::BASE
};

/// Whether the first item is a message of a channel.
fn is_day(head: &str) -> bool {
    let Some(rest) = head.strip_prefix('[') else { return false };
    let first = serde_json::Deserializer::from_str(rest).into_iter::<Value>().next();
    first.and_then(std::result::Result::ok).is_some_and(|message| {
        json::field(&message, "type") == Some("message")
            && json::field(&message, "ts").is_some_and(|at| at.contains('.'))
    })
}

/// A day of a channel. The folder names the channel, and the list of users may be beside it.
fn read_day(whole: &str, batch: &mut Batch) -> Result<()> {
    let value = json::parse(batch.input, whole)?;
    let folder = batch.input.path.parent();
    let channel = folder
        .and_then(|folder| folder.file_name())
        .map_or("channel".to_string(), |name| name.to_string_lossy().into_owned());
    // An upload has no neighbours, whatever it is called.
    let beside = folder
        .filter(|_| batch.input.is_file)
        .and_then(|folder| folder.parent())
        .map(|root| root.join("users.json"));
    let is_small = |path: &std::path::PathBuf| {
        std::fs::symlink_metadata(path).is_ok_and(|data| data.is_file() && data.len() <= PEOPLE)
    };
    let users = beside.filter(is_small).and_then(|path| std::fs::read(path).ok());
    let users: Value = users.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let users = people(&users);
    read_messages(&mut Chat::of_channel(&channel), &value, &users, "the file", batch);
    Ok(())
}

/// A whole export as a zip archive.
fn read_export(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(batch.input, bytes)?;
    let users = match archive.text("users.json")? {
        Some(users) => people(&json::parse(batch.input, &users)?),
        None => HashMap::new(),
    };
    let mut open: Option<(String, Chat)> = None;
    // The names are sorted, so the days of a channel follow each other in order.
    for name in archive.names() {
        let Some((channel, day)) = name.split_once('/') else { continue };
        if !day.ends_with(".json") || day.contains('/') {
            continue;
        }
        let Some(whole) = archive.text(&name)? else { continue };
        let value: Value = match serde_json::from_str(&whole) {
            Ok(value) => value,
            Err(error) => {
                batch.problem(format!("`{name}`: {}", json::parse_error(&error, true)));
                continue;
            }
        };
        let known = open.take().filter(|(known, _)| known == channel);
        let (_, chat) =
            open.insert(known.unwrap_or_else(|| (channel.to_string(), Chat::of_channel(channel))));
        read_messages(chat, &value, &users, &name, batch);
    }
    Ok(())
}

/// The names of users by their ids.
fn people(value: &Value) -> HashMap<String, String> {
    let name = |user: &Value| {
        let profile = &user["profile"];
        let name = json::field(profile, "display_name").or_else(|| json::field(profile, "real_name"));
        let name = name.or_else(|| json::field(user, "real_name")).or_else(|| json::field(user, "name"))?;
        Some((json::field(user, "id")?.to_string(), one_line(name)))
    };
    json::items(value).iter().filter_map(name).collect()
}

/// Adds the messages of a day.
fn read_messages(
    chat: &mut Chat,
    value: &Value,
    users: &HashMap<String, String>,
    day: &str,
    batch: &mut Batch,
) {
    for (number, message) in (1..).zip(json::items(value)) {
        // Joins and leaves are not messages; those of bots and broadcast replies are.
        let kind = json::field(message, "subtype").unwrap_or("bot_message");
        let is_said =
            matches!(kind, "bot_message" | "me_message" | "thread_broadcast" | "file_share" | "file_comment");
        let (Some(words), true) = (json::field(message, "text"), is_said) else { continue };
        let mut draft = batch.draft(plain(words, users), "turn");
        draft.occurred_at = message.get("ts").and_then(time::of_value);
        if draft.occurred_at.is_none() {
            batch.problem(format!("{day}, message {number}: `ts` is not a time"));
        }
        let thread = message.get("thread_ts").and_then(time::of_value);
        draft.session = thread.map(|begin| chat.thread(begin));
        let own = message.pointer("/user_profile/display_name").and_then(Value::as_str);
        let id = json::field(message, "user");
        let speaker = id
            .and_then(|id| users.get(id).map(String::as_str))
            .or(own.filter(|name| !name.is_empty()))
            .or_else(|| json::field(message, "username"));
        draft.speaker = speaker.or(id).or_else(|| json::field(message, "bot_id")).map(one_line);
        chat.add(draft, day, None, batch);
    }
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
