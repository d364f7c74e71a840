//! From path, query and body to the object of a request.

use std::collections::{BTreeMap, HashSet};

use griot::model::Error;
use griot_wire::verbs::Form;
use schemars::generate::SchemaSettings;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::failure::{Failure, Outcome};

/// What a value in an address stands for.
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

/// The keys of a query.
pub fn query(text: &str, known: &Parameters) -> Outcome<Map<String, Value>> {
    let pairs: Vec<(String, String)> = serde_urlencoded(text);
    let mut object = Map::new();
    let mut scope = Map::new();
    for (name, text) in pairs {
        if known.contains_key("scope") && SCOPE.contains(&name.as_str()) {
            scope.insert(name, Value::String(text));
            continue;
        }
        let value = match known.get(&name) {
            Some(Holds::List) => {
                let more = text.split(',').map(|one| Value::String(one.to_string()));
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

fn serde_urlencoded(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (unescape(name), unescape(value))
        })
        .collect()
}

/// `%20` and `+` to what they stand for; bytes that are no UTF-8 become the sign for that.
fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |at: usize| bytes.get(at).and_then(|byte| (*byte as char).to_digit(16));
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                plain.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'+', ..) => {
                plain.push(b' ');
                at += 1;
            }
            (byte, ..) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Reads JSON only to see that no object has a key twice: which of the two counts, what stands between may
/// see otherwise.
struct KeysOnce;

impl<'de> Deserialize<'de> for KeysOnce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
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

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// A body that has to be an object; an empty one is an empty object.
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

#[cfg(test)]
mod tests {
    use griot_wire::request::typed;
    use griot_wire::verbs::entity::Entities;
    use griot_wire::verbs::form;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_becomes_a_typed_request() {
        let known = parameters(form::<Entities>());
        let object = query("search=Auth%20Service&limit=5&tenantId=acme", &known).expect("it is right");
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
        assert!(query("limit=1&limit=2", &known).is_err());
    }

    #[test]
    fn a_key_is_given_once() {
        let told = |text: &str| body(text.as_bytes()).map(|_| ()).map_err(|failure| failure.why);
        assert_eq!(told(r#"{"a": [1, -2, 0.5, true, null, "x", {"a": 1}], "b": {"a": 2}}"#), Ok(()));
        for text in [r#"{"a": 1, "a": 2}"#, r#"{"b": [{"a": 1, "\u0061": 2}]}"#] {
            assert!(told(text).is_err_and(|why| why.starts_with("`a` is given twice")), "{text}");
        }
    }
}
