//! Turns path, query and body into the JSON object of a request.

use std::collections::{BTreeMap, HashSet};

use griot::model::Error;
use griot_wire::verbs::Form;
use schemars::generate::SchemaSettings;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::failure::{Failure, Outcome};

/// The type of a value in an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    Text,
    Number,
    Truth,
    List,
}

/// The parameters of a request type, for addresses.
pub type Parameters = BTreeMap<String, Holds>;

/// Reads the parameters of a request from its schema.
pub fn parameters(request: Form) -> Parameters {
    let schema = (request.whole)(SchemaSettings::draft2020_12().into_generator());
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    properties.into_iter().map(|(name, schema)| (name, holds(&schema))).collect()
}

fn holds(schema: &Value) -> Holds {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if types.iter().any(|kind| matches!(*kind, "integer" | "number")) {
        Holds::Number
    } else if types.contains(&"boolean") {
        Holds::Truth
    } else if types.contains(&"array") {
        Holds::List
    } else {
        Holds::Text
    }
}

/// The keys of a query that are the scope.
pub const SCOPE: [&str; 4] = ["tenantId", "userId", "projectId", "agentId"];

/// Empty values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Empty {
    /// They count as not given: `?type=&limit=`.
    Skipped,
    /// They are refused, because leaving out `dry_run=` would remove something.
    Refused,
}

pub fn query(text: &str, known: &Parameters, empty: Empty) -> Outcome<Map<String, Value>> {
    let (mut object, mut scope) = (Map::new(), Map::new());
    for (name, text) in form_urlencoded::parse(text.as_bytes()).into_owned() {
        // An empty name of a user would mean all users.
        let is_scope = SCOPE.contains(&name.as_str()) || matches!(name.as_str(), "user" | "project");
        if text.is_empty() && known.contains_key(&name) && !is_scope && empty == Empty::Skipped {
            continue;
        }
        if known.contains_key("scope") && SCOPE.contains(&name.as_str()) {
            scope.insert(name, Value::String(text));
            continue;
        }
        let value = match known.get(&name) {
            Some(Holds::List) => {
                let items = text.split(',').filter(|one| !one.is_empty());
                let more = items.map(|one| Value::String(one.to_string()));
                match object.get_mut(&name) {
                    Some(Value::Array(list)) => {
                        list.extend(more);
                        continue;
                    }
                    _ => Value::Array(more.collect()),
                }
            }
            Some(Holds::Number) => {
                text.parse::<serde_json::Number>().map_or(Value::String(text), Value::Number)
            }
            Some(Holds::Truth) => match text.as_str() {
                "true" | "1" => Value::Bool(true),
                "false" | "0" => Value::Bool(false),
                _ => Value::String(text),
            },
            _ => Value::String(text),
        };
        if object.insert(name.clone(), value).is_some() {
            return Err(wrong(format!("`{name}` is given twice")));
        }
    }
    if !scope.is_empty() {
        object.insert("scope".to_string(), Value::Object(scope));
    }
    Ok(object)
}

/// Refuses objects that have a key twice: a proxy in between may have used the other value.
struct KeysOnce;

impl<'de> Deserialize<'de> for KeysOnce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

macro_rules! accept {
    ($($visit:ident $kind:ty),*) => {
        $(fn $visit<E>(self, _: $kind) -> Result<Self, E> {
            Ok(self)
        })*
    };
}

impl<'de> Visitor<'de> for KeysOnce {
    type Value = Self;

    fn expecting(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value::<Self>()?;
            if let Some(key) = seen.replace(key) {
                return Err(serde::de::Error::custom(format!("`{key}` is given twice")));
            }
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    accept!(visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str);

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// A body, which must be an object; an empty body is an empty object.
pub fn body(bytes: &[u8]) -> Outcome<Map<String, Value>> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => match serde_json::from_slice::<KeysOnce>(bytes) {
            Ok(KeysOnce) => Ok(object),
            Err(error) => Err(wrong(error.to_string())),
        },
        Ok(_) => Err(wrong("the body is no JSON object".to_string())),
        Err(error) => Err(wrong(format!("the body is no JSON: {error}"))),
    }
}

fn wrong(why: String) -> Failure {
    Error::invalid("read the request", why).into()
}

/// The schema of a name in the scope.
pub fn scope_name() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": 240, "pattern": griot_wire::request::VISIBLE})
}

#[cfg(test)]
mod tests {
    use griot_wire::request::{Request as _, typed};
    use griot_wire::verbs::entity::Entities;
    use griot_wire::verbs::form;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_becomes_a_typed_request() {
        let known = parameters(form::<Entities>());
        let read = |text: &str| query(text, &known, Empty::Skipped);
        let object = read("search=Auth%20Service&limit=5&tenantId=acme").expect("it is right");
        assert_eq!(
            Value::Object(object.clone()),
            json!({
                "search": "Auth Service", "limit": 5, "scope": {"tenantId": "acme"}
            })
        );
        let request: Entities = typed(object).expect("it is right");
        assert_eq!((request.limit, request.search.as_deref()), (5, Some("Auth Service")));
        let whole = json!({"limit": 5.0}).as_object().cloned().unwrap_or_default();
        assert_eq!(typed::<Entities>(whole).map(|request| request.limit), Ok(5));
        assert!(read("limit=1&limit=2").is_err());
        assert_eq!(read("search=&type=&layer=&limit=").map(|object| object.len()), Ok(0));
        let whole = |text: &str, empty| {
            query(text, &known, empty)
                .and_then(|object| typed::<Entities>(object)?.place().map_err(Into::into))
        };
        for (text, empty) in [
            ("user=", Empty::Skipped),
            ("userId=", Empty::Skipped),
            ("serch=", Empty::Skipped),
            ("limit=", Empty::Refused),
        ] {
            assert!(whole(text, empty).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_is_given_once() {
        let read = |text: &str| body(text.as_bytes()).map(|_| ()).map_err(|failure| failure.why);
        assert_eq!(read(r#"{"a": [1, -2, 0.5, true, null, "x", {"a": 1}], "b": {"a": 2}}"#), Ok(()));
        for text in [r#"{"a": 1, "a": 2}"#, r#"{"b": [{"a": 1, "\u0061": 2}]}"#] {
            assert!(read(text).is_err_and(|why| why.starts_with("`a` is given twice")), "{text}");
        }
    }
}
