//! The JSON input of `remember`: one object, or an array of them.
//!
//! An unknown key is an error that names the nearest known one, so that a typing mistake loses nothing.

use griot::model::{EntityType, Error, Lines, Result, Scope, Timestamp};
use griot::remember;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Span;
use crate::request::{entity_type, one_of, plainly, read_end, read_time, tier};

/// A text on its way into the store. Everything but `text` may be left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(extend("required" = ["text"]))]
#[serde(deny_unknown_fields, default)]
pub struct Draft {
    /// The text to store, verbatim. Required.
    #[schemars(schema_with = "crate::request::forms::text")]
    pub text: String,
    /// `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or your own
    /// word.
    #[schemars(schema_with = "crate::request::forms::word")]
    pub kind: Option<String>,
    /// Tags.
    #[schemars(schema_with = "crate::request::forms::words")]
    pub tags: Vec<String>,
    /// `long_term` (default), `rule` (a standing rule, returned with every answer in its scope) or `working`
    /// (expires automatically).
    #[schemars(schema_with = "crate::request::forms::tier")]
    pub tier: Option<String>,
    /// When it expires: a date, RFC 3339, or a duration such as `8h` or `30d`. Default: never; for a
    /// `working` memory, `remember.working_hours`.
    #[schemars(schema_with = "crate::request::forms::end")]
    pub expires_at: Option<String>,
    /// 1 (trivial) to 5 (vital); default 3.
    #[schemars(range(min = 1, max = 5))]
    pub importance: Option<u8>,
    /// The user it belongs to; shared by all users if omitted.
    pub user: Option<String>,
    /// The project it is about.
    pub project: Option<String>,
    /// The agent that stores it.
    pub agent: Option<String>,
    /// The session it belongs to.
    pub session: Option<String>,
    /// Who said it.
    pub speaker: Option<String>,
    /// When it happened: RFC 3339, a date, or words such as `yesterday`; default now.
    #[schemars(schema_with = "crate::request::forms::time")]
    pub occurred_at: Option<String>,
    /// Entities that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`. An
    /// additional `key` identifies it among those of its type, such as `crate::module::Type::method`.
    pub entities: Vec<EntityDraft>,
    /// Headings above it, outermost first.
    pub heading: Vec<String>,
    /// `{"first": 3, "last": 9}`: lines in the source.
    pub lines: Option<Span>,
    /// Position in its source and session; default after the last.
    #[schemars(range(max = 1_000_000_000))]
    pub ordinal: Option<u32>,
    /// Id or handle of the memory that this memory replaces.
    pub supersedes: Option<String>,
}

/// `"Redis"`, `"Redis:tool"` or `{"name": "get", "type": "function", "key": "http::get"}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum EntityDraft {
    Short(#[schemars(regex(pattern = crate::request::VISIBLE))] String),
    Long(NamedEntity),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(transform = crate::request::forms::named)]
#[serde(deny_unknown_fields)]
pub struct NamedEntity {
    pub name: String,
    #[serde(rename = "type", default)]
    #[schemars(schema_with = "crate::request::forms::entity_type")]
    pub kind: Option<String>,
    /// Which one of its type, where the name does not say so: `crate::module::Type::method`. It needs a type.
    #[serde(default)]
    pub key: Option<String>,
}

/// As the command line takes it.
impl From<String> for EntityDraft {
    fn from(text: String) -> Self {
        Self::Short(text)
    }
}

/// The keys of a draft.
pub(crate) fn keys() -> Vec<String> {
    let draft = serde_json::to_value(Draft::default()).unwrap_or_default();
    draft.as_object().into_iter().flat_map(|keys| keys.keys().cloned()).collect()
}

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
    let known = keys();
    if let Some(key) = object.keys().find(|key| !known.contains(key)) {
        let error = Error::invalid(what, format!("unknown key `{key}`"));
        return Err(match crate::settings::nearest(key, known.iter().map(String::as_str)) {
            Some(name) => error.hint(format!("did you mean `{name}`?")),
            None => error,
        });
    }
    if !object.contains_key("text") {
        return Err(Error::invalid(what, "it has no `text`"));
    }
    for (key, value) in object {
        if let Err(error) = check_field(key, value) {
            return Err(Error::invalid(what, format!("`{key}`: {}", plainly(&error.to_string()).0)));
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
        let tier = self.tier.as_deref().map(tier).transpose()?;
        let expires_at = self.expires_at.as_deref().map(|text| read_end(text, now)).transpose()?;
        let entities = self.entities.into_iter().map(EntityDraft::into_engine).collect::<Result<_>>()?;
        Ok(remember::Draft {
            text: self.text,
            kind: self.kind,
            tags: self.tags,
            tier,
            expires_at,
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
            keeps_links: false,
        })
    }
}

impl EntityDraft {
    fn into_engine(self) -> Result<remember::EntityDraft> {
        match self {
            Self::Short(text) => parse_entity(&text),
            Self::Long(NamedEntity { name, kind, key }) => {
                Ok(remember::EntityDraft { name, kind: kind.as_deref().map(entity_type).transpose()?, key })
            }
        }
    }
}

/// `Redis` or `Redis:tool`: a word behind the last colon is a type, and a type before the first one too, as
/// ids have it: `tool:Redis`. Other colons belong to the name: `std::vector`, `https://x`, `10:30`,
/// `Star Wars: Rebels`.
pub fn parse_entity(text: &str) -> Result<remember::EntityDraft> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid("name an entity", "the name is empty"));
    }
    if text.strip_prefix(':').is_some_and(|kind| EntityType::meant(kind.trim()).is_some()) {
        return Err(Error::invalid(format!("name the entity `{text}`"), "there is no name before the type"));
    }
    let Some((name, kind)) = text.rsplit_once(':').filter(|(name, _)| !name.trim().is_empty()) else {
        return Ok(remember::EntityDraft::named(text, None));
    };
    if let Some(kind) = EntityType::meant(kind.trim()) {
        return Ok(remember::EntityDraft::named(name.trim(), Some(kind)));
    }
    let typed = text.split_once(':').and_then(|(kind, name)| Some((EntityType::parse(kind)?, name.trim())));
    if let Some((kind, name)) = typed.filter(|(_, name)| !name.is_empty() && !name.starts_with(':')) {
        return Ok(remember::EntityDraft::named(name, Some(kind)));
    }
    let is_word = !kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphabetic() || c == '_' || c == '-');
    if name.ends_with(':') || !is_word {
        return Ok(remember::EntityDraft::named(text, None));
    }
    let error =
        Error::invalid(format!("name the entity `{text}`"), format!("there is no entity type `{kind}`"));
    Err(error.hint(format!(
        "{}; a colon in a name needs a type behind it: `{text}:concept`",
        one_of(EntityType::ALL.iter().map(|kind| kind.name()))
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_behind_the_last_colon_is_a_type() {
        let parse = |text: &str| parse_entity(text).map(|e| (e.name, e.kind)).expect("it is a name");
        assert_eq!(parse("Redis:tool"), ("Redis".to_string(), Some(EntityType::Tool)));
        assert_eq!(parse("person:Mira Holt"), ("Mira Holt".to_string(), Some(EntityType::Person)));
        assert_eq!(parse("Reifen Maurer:company"), ("Reifen Maurer".to_string(), Some(EntityType::Org)));
        assert_eq!(parse("foo::bar:function"), ("foo::bar".to_string(), Some(EntityType::Function)));
        for name in [
            "std::vector",
            "Ada Lovelace",
            "https://x.io/y",
            "localhost:8080",
            "10:30",
            "Star Wars: Rebels",
            ":",
        ] {
            assert_eq!(parse(name), (name.to_string(), None));
        }
        for wrong in ["Foo:starship", "Foo:Tool", "urn:isbn:x"] {
            let error = parse_entity(wrong).expect_err("there is no such type");
            assert!(error.hint.is_some_and(|hint| hint.contains("person, org")), "{wrong}");
        }
        assert!(parse_entity(":person").is_err(), "it has no name");
    }
}
