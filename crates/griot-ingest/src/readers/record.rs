//! JSON objects as memories: the field names that are known.
//!
//! A field may also be in an object `message`, as in the logs of some agents. Unknown fields are ignored: a
//! memory holds its text unchanged.

use griot::model::{EntityType, Scope};
use griot::remember::{Draft, EntityDraft};
use serde_json::{Map, Value};

use crate::readers::input::{Batch, add_tags};
use crate::readers::markup::one_line;
use crate::shown::shown;
use crate::time;

const TEXT: [&str; 4] = ["text", "content", "body", "message"];
const SPEAKER: [&str; 6] = ["speaker", "role", "author", "from", "sender", "name"];
const TIME: [&str; 6] = ["occurred_at", "time", "timestamp", "created_at", "date", "datetime"];
const SESSION: [&str; 8] = [
    "session",
    "session_id",
    "sessionId",
    "conversation",
    "conversation_id",
    "thread",
    "thread_id",
    "channel",
];

pub(crate) struct Record<'a> {
    outer: &'a Map<String, Value>,
    inner: Option<&'a Map<String, Value>>,
}

impl<'a> Record<'a> {
    pub(crate) fn new(object: &'a Map<String, Value>) -> Self {
        Self { outer: object, inner: object.get("message").and_then(Value::as_object) }
    }

    fn objects(&self) -> impl Iterator<Item = &'a Map<String, Value>> {
        std::iter::once(self.outer).chain(self.inner)
    }

    fn field(&self, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
        self.objects().find_map(|object| {
            names.iter().find_map(|&name| {
                object.get(name).filter(|value| !value.is_null()).map(|value| (name, value))
            })
        })
    }

    fn string(&self, names: &[&'static str]) -> Option<String> {
        scalar(self.field(names)?.1)
    }

    /// The verbatim text; `None` if the object is not a text.
    pub(crate) fn text(&self) -> Option<String> {
        self.objects().find_map(|object| TEXT.iter().find_map(|&name| object.get(name).and_then(text_of)))
    }

    /// Whether there is a field for text, if only an empty one.
    pub(crate) fn has_text_field(&self) -> bool {
        self.objects().any(|object| TEXT.iter().any(|&name| object.contains_key(name)))
    }

    /// The speaker; in chats also from the field `name`.
    fn speaker(&self, in_chat: bool) -> Option<String> {
        let names = if in_chat { &SPEAKER[..] } else { &SPEAKER[..5] };
        match self.field(names)?.1 {
            Value::Object(person) => {
                ["name", "username", "role", "id"].iter().find_map(|&name| person.get(name).and_then(scalar))
            }
            value => scalar(value),
        }
    }

    /// A draft of the text with all known fields. `label` names it in problems, such as `line 3`.
    pub(crate) fn draft(&self, text: String, in_chat: bool, label: &str, batch: &mut Batch) -> Draft {
        let mut draft = batch.draft(text, if in_chat { "turn" } else { "passage" });
        if let Some(kind) = self.string(&["kind"]) {
            draft.kind = Some(kind.to_lowercase());
        }
        if let Some((_, value)) = self.field(&["tags"]) {
            add_tags(&mut draft.tags, strings(value));
        }
        if let Some((name, value)) = self.field(&["importance"]) {
            match value.as_u64().and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=5).contains(n)) {
                Some(importance) => draft.importance = Some(importance),
                None => batch.problem(format!("{label}: `{name}` is {}, not 1 to 5", shown(value))),
            }
        }
        draft.speaker = self.speaker(in_chat);
        draft.session = self.string(&SESSION);
        draft.agent = self.string(&["agent"]);
        draft.heading = self.string(&["title"]).into_iter().collect();
        let given = batch.input.scope;
        draft.scope = Scope {
            user: given.user.clone().or_else(|| self.string(&["user"])),
            project: given.project.clone().or_else(|| self.string(&["project"])),
        };
        if let Some((_, value)) = self.field(&["entities"]) {
            draft.entities = entities(value);
        }
        match self.field(&TIME) {
            Some((name, value)) => {
                draft.occurred_at = time::of_value(value);
                if draft.occurred_at.is_none() {
                    batch.problem(format!("{label}: `{name}` is {}, not a time", shown(value)));
                }
            }
            None if !in_chat => draft.occurred_at = batch.input.time(),
            None => {}
        }
        draft
    }
}

/// A column of this name, in lower case, is a field of a record.
pub(crate) fn is_field(name: &str) -> bool {
    let others = ["kind", "tags", "importance", "agent", "title", "user", "project", "entities"];
    [&TEXT[..], &SPEAKER, &TIME, &SESSION, &others].concat().contains(&name)
}

pub(crate) fn is_text_field(name: &str) -> bool {
    TEXT.contains(&name)
}

pub(crate) fn is_time_field(name: &str) -> bool {
    TIME.contains(&name)
}

/// Whether an object is certainly a message: it has a field for text and a speaker.
pub(crate) fn is_message(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return false };
    let record = Record::new(object);
    let says_who = record.field(&["speaker", "role", "sender"]).is_some()
        || (record.field(&["from", "author"]).is_some()
            && record.field(&TIME).is_some()
            && !object.contains_key("title"));
    says_who && record.has_text_field()
}

/// Whether an object has a list `messages` that holds only messages.
pub(crate) fn is_conversation(value: &Value) -> bool {
    messages(value).is_some_and(|list| list.iter().all(is_message))
}

pub(crate) fn messages(value: &Value) -> Option<&Vec<Value>> {
    value.get("messages").and_then(Value::as_array).filter(|list| !list.is_empty())
}

/// The name of an object with messages.
pub(crate) fn conversation_name(value: &Value) -> Option<String> {
    let object = value.as_object()?;
    let record = Record { outer: object, inner: None };
    record.string(&SESSION).or_else(|| record.string(&["id", "title", "name"]))
}

/// A string, or the strings of a list of parts (`[{"type": "text", "text": "…"}]`).
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let mut texts = parts.iter().filter_map(|part| match part {
                Value::String(text) => Some(text.as_str()),
                part => part.get("text").and_then(Value::as_str),
            });
            let first = texts.next()?.to_string();
            Some(texts.fold(first, |mut whole, text| {
                if !whole.ends_with(char::is_whitespace) && !text.starts_with(char::is_whitespace) {
                    whole.push('\n');
                }
                whole + text
            }))
        }
        _ => None,
    }
}

/// Strings, numbers and truth values as text; `None` if blank.
fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_string(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => return None,
    };
    (!text.is_empty() && !text.contains('\0')).then_some(text)
}

/// `["a", "b"]` or `"a, b"`.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(scalar).collect(),
        Value::String(list) => list.split(',').map(str::to_string).collect(),
        _ => Vec::new(),
    }
}

/// Names, or objects `{"name": "…", "type": "…"}`.
fn entities(value: &Value) -> Vec<EntityDraft> {
    let Value::Array(list) = value else {
        return strings(value).into_iter().filter_map(|name| entity(name.trim(), None)).collect();
    };
    let named = |value: &Value| match value {
        Value::Object(object) => {
            let kind = object.get("type").or_else(|| object.get("kind")).and_then(scalar);
            entity(
                &object.get("name").and_then(scalar)?,
                kind.and_then(|kind| EntityType::meant(&kind.to_lowercase())),
            )
        }
        value => entity(&scalar(value)?, None),
    };
    list.iter().filter_map(named).collect()
}

fn entity(name: &str, kind: Option<EntityType>) -> Option<EntityDraft> {
    (!name.is_empty()).then(|| EntityDraft::named(name, kind))
}

/// The strings of a list in a column: JSON, or `a, b`.
pub(crate) fn listed(column: Option<&str>) -> Vec<String> {
    let Some(column) = column else { return Vec::new() };
    let value = serde_json::from_str(column).unwrap_or_else(|_| Value::String(column.to_string()));
    strings(&value).iter().map(|name| one_line(name)).filter(|name| !name.is_empty()).collect()
}
