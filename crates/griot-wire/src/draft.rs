//! What `remember` takes as JSON: one object, or an array of them.
//!
//! Unknown keys are refused with the nearest known one, so that a typing mistake never loses what was meant.

use griot::model::{EntityType, Error, Lines, Result, Scope, Timestamp};
use griot::remember;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Span;

/// A text on its way into the store. Everything but `text` may be left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("required" = ["text"])))]
#[serde(deny_unknown_fields, default)]
pub struct Draft {
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::request::forms::text"))]
    pub text: String,
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::request::forms::word"))]
    pub kind: Option<String>,
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::request::forms::words"))]
    pub tags: Vec<String>,
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 5)))]
    pub importance: Option<u8>,
    pub user: Option<String>,
    pub project: Option<String>,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub speaker: Option<String>,
    /// RFC 3339, a date, or words such as `yesterday`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::request::forms::time"))]
    pub occurred_at: Option<String>,
    pub entities: Vec<EntityDraft>,
    pub heading: Vec<String>,
    pub lines: Option<Span>,
    pub ordinal: Option<u32>,
    pub supersedes: Option<String>,
}

/// `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum EntityDraft {
    Short(#[cfg_attr(feature = "schema", schemars(regex(pattern = r"[^\s\x85]")))] String),
    Long(NamedEntity),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NamedEntity {
    pub name: String,
    #[serde(rename = "type", default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::request::forms::entity_type"))]
    pub kind: Option<String>,
}

/// The keys of a draft with what they mean, for the reference page.
pub const FIELDS: &[(&str, &str, &str)] = &[
    ("text", "string", "What is remembered, as it is. Required."),
    (
        "kind",
        "string",
        "`insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or a word of your own.",
    ),
    ("tags", "array of string", "Tags."),
    ("importance", "number", "1 (trivial) to 5 (vital); default 3."),
    ("user", "string", "Whose it is; everybody's if left out."),
    ("project", "string", "What it is about."),
    ("agent", "string", "The agent that says so."),
    ("session", "string", "The session it belongs to."),
    ("speaker", "string", "Who said it."),
    ("occurred_at", "string", "When it happened: RFC 3339, a date, or words such as `yesterday`; default now."),
    (
        "entities",
        "array",
        "Names that the rules may miss: `\"Redis\"`, `\"Redis:tool\"` or `{\"name\": \"Redis\", \"type\": \"tool\"}`.",
    ),
    ("heading", "array of string", "Headings above it, outermost first."),
    ("lines", "object", "`{\"first\": 3, \"last\": 9}`: lines in the source."),
    ("ordinal", "number", "Place inside its source and session; default after the last."),
    ("supersedes", "string", "Id or handle of the memory that this one replaces."),
];

/// Reads one object or an array of objects. Errors name the item and the key.
pub fn read(json: &str) -> Result<Vec<Draft>> {
    let value: Value = serde_json::from_str(json).map_err(|error| {
        Error::invalid("read the JSON input", error.to_string())
            .hint(r#"{"text": "We chose Postgres because …", "kind": "decision"}"#)
    })?;
    match value {
        Value::Array(items) => {
            items.into_iter().enumerate().map(|(index, item)| read_one(item, Some(index + 1))).collect()
        }
        item => Ok(vec![read_one(item, None)?]),
    }
}

fn read_one(value: Value, number: Option<usize>) -> Result<Draft> {
    let what = match number {
        Some(number) => format!("read item {number} of the JSON input"),
        None => "read the JSON input".to_string(),
    };
    let Value::Object(object) = &value else {
        return Err(Error::invalid(what, "it is not an object with a `text`"));
    };
    for key in object.keys() {
        if !FIELDS.iter().any(|(name, ..)| name == key) {
            let error = Error::invalid(what, format!("unknown key `{key}`"));
            let known = FIELDS.iter().map(|(name, ..)| *name);
            return Err(match crate::settings::nearest(key, known) {
                Some(name) => error.hint(format!("did you mean `{name}`?")),
                None => error,
            });
        }
    }
    if !object.contains_key("text") {
        return Err(Error::invalid(what, "it has no `text`"));
    }
    for (key, value) in object {
        if let Err(error) = check_field(key, value) {
            return Err(Error::invalid(what, format!("`{key}`: {error}")));
        }
    }
    serde_json::from_value(value).map_err(|error| Error::invalid(what, error.to_string()))
}

/// Reads one key alone, so that the error is about this key.
fn check_field(key: &str, value: &Value) -> Result<(), serde_json::Error> {
    let mut alone = serde_json::Map::new();
    alone.insert(key.to_string(), value.clone());
    // An untagged choice says nothing about what is wrong inside it; the object itself does.
    if let ("entities", Value::Array(items)) = (key, value) {
        for item in items.iter().filter(|item| item.is_object()) {
            NamedEntity::deserialize(item)?;
        }
    }
    Draft::deserialize(Value::Object(alone)).map(drop)
}

impl Draft {
    /// The engine's draft. Words of time are relative to `now`.
    pub fn into_engine(self, now: Timestamp) -> Result<remember::Draft> {
        let occurred_at = self.occurred_at.as_deref().map(|text| read_time(text, now)).transpose()?;
        let entities = self.entities.into_iter().map(EntityDraft::into_engine).collect::<Result<_>>()?;
        Ok(remember::Draft {
            text: self.text,
            kind: self.kind,
            tags: self.tags,
            importance: self.importance,
            scope: Scope { user: self.user, project: self.project },
            agent: self.agent,
            session: self.session,
            speaker: self.speaker,
            occurred_at,
            entities,
            heading: self.heading,
            lines: self.lines.map(|span| Lines { first: span.first, last: span.last }),
            ordinal: self.ordinal,
            supersedes: self.supersedes,
        })
    }
}

impl EntityDraft {
    fn into_engine(self) -> Result<remember::EntityDraft> {
        match self {
            Self::Short(text) => parse_entity(&text),
            Self::Long(NamedEntity { name, kind: None }) => Ok(remember::EntityDraft { name, kind: None }),
            Self::Long(NamedEntity { name, kind: Some(kind) }) => {
                Ok(remember::EntityDraft { name, kind: Some(parse_entity_type(&kind)?) })
            }
        }
    }
}

/// `Redis` or `Redis:tool`. A colon that no type follows belongs to the name.
pub fn parse_entity(text: &str) -> Result<remember::EntityDraft> {
    if let Some((name, kind)) = text.rsplit_once(':')
        && let Some(kind) = EntityType::parse(kind.trim())
        && !name.trim().is_empty()
    {
        return Ok(remember::EntityDraft { name: name.trim().to_string(), kind: Some(kind) });
    }
    if text.trim().is_empty() {
        return Err(Error::invalid("name an entity", "the name is empty"));
    }
    Ok(remember::EntityDraft { name: text.trim().to_string(), kind: None })
}

pub fn parse_entity_type(name: &str) -> Result<EntityType> {
    EntityType::parse(name).ok_or_else(|| {
        let known: Vec<&str> = EntityType::ALL.iter().map(|kind| kind.name()).collect();
        Error::invalid(format!("use the entity type `{name}`"), "there is no such type")
            .hint(format!("use one of {}", known.join(", ")))
    })
}

/// RFC 3339, a date, or words such as `yesterday`, relative to `now`.
pub fn read_time(text: &str, now: Timestamp) -> Result<Timestamp> {
    griot::text::parse_time(text, now).ok_or_else(|| {
        Error::invalid(format!("read the time `{text}`"), "it is neither a date nor an expression of time")
            .hint("write 2024-05-03, 2024-05-03T09:30:00Z, \"yesterday\" or \"two weeks ago\"")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str) -> String {
        let error = read(json).expect_err("it is wrong");
        match error.hint {
            Some(hint) => format!("{}: {} ({hint})", error.what, error.why),
            None => format!("{}: {}", error.what, error.why),
        }
    }

    #[test]
    fn errors_name_the_item_and_the_key() {
        assert_eq!(refused(r#"{"texts": "x"}"#), "read the JSON input: unknown key `texts` (did you mean `text`?)");
        assert_eq!(refused(r#"[{"text": "x"}, {"kind": "note"}]"#), "read item 2 of the JSON input: it has no `text`");
        assert!(refused(r#"{"text": "x", "importance": "high"}"#).starts_with("read the JSON input: `importance`: "));
        assert!(refused(r#"{"text": "x", "entities": [{"nme": "y"}]}"#).contains("`entities`: unknown field `nme`"));
        assert_eq!(refused("3"), "read the JSON input: it is not an object with a `text`");
    }

    #[test]
    fn the_table_of_keys_is_the_draft() {
        let json = serde_json::to_value(Draft::default()).expect("a draft serialises");
        let keys: Vec<&str> = json.as_object().expect("it is an object").keys().map(String::as_str).collect();
        let table: Vec<&str> = FIELDS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(keys, table);
    }

    #[test]
    fn entities_carry_a_type_only_if_there_is_one_of_that_name() {
        let parse = |text: &str| parse_entity(text).map(|e| (e.name, e.kind)).expect("it is a name");
        assert_eq!(parse("Redis:tool"), ("Redis".to_string(), Some(EntityType::Tool)));
        assert_eq!(parse("std::vector"), ("std::vector".to_string(), None));
        assert_eq!(parse("Ada Lovelace"), ("Ada Lovelace".to_string(), None));
    }
}
