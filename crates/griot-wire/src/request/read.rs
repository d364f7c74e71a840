//! Reads a typed request from a JSON object; errors name the key.

use griot::model::Error;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::failure::{Failure, Outcome};

/// The typed request. An unknown key is met with the nearest known one.
pub fn typed<Q: DeserializeOwned>(object: Map<String, Value>) -> Outcome<Q> {
    // Serde would take an array for an object, field by field.
    for name in ["scope", "lines"] {
        if object.get(name).is_some_and(Value::is_array) {
            return Err(wrong(format!("`{name}` is no object")));
        }
    }
    if let Some(Value::Array(memories)) = object.get("memories")
        && memories.iter().any(Value::is_array)
    {
        return Err(wrong("`memories` holds something else than objects".to_string()));
    }
    let mut value = Value::Object(object);
    whole_numbers(&mut value);
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let message = error.into_inner().to_string();
        let (why, hint) = plainly(&message);
        let failure = match path.as_str() {
            "." => wrong(why),
            path if message.contains(&format!("`{path}`")) => wrong(why),
            path => wrong(format!("`{path}`: {why}")),
        };
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    })
}

/// What serde says, without its names of types and without a list of all fields; and a hint.
pub(crate) fn plainly(message: &str) -> (String, Option<String>) {
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let mut names = rest.split('`').step_by(2);
        let unknown = names.next().unwrap_or_default();
        let known: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        return (format!("unknown field `{unknown}`"), meant(unknown, known));
    }
    if message.starts_with("data did not match any variant") {
        return ("it has none of the forms that it may have".to_string(), None);
    }
    let Some((given, wanted)) = message.rsplit_once(", expected ") else {
        return (message.to_string(), None);
    };
    // Serde ends messages about a text with where it is.
    let (wanted, at) = wanted.find(" at line ").map_or((wanted, ""), |at| wanted.split_at(at));
    let wanted = match wanted {
        "u8" => "a whole number from 0 to 255".to_string(),
        "u16" => "a whole number from 0 to 65535".to_string(),
        "u32" | "u64" | "usize" => "a whole number, 0 or more".to_string(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_string(),
        "f32" | "f64" => "a number".to_string(),
        "a boolean" => "true or false".to_string(),
        "a string" => "a text".to_string(),
        "a sequence" => "a list".to_string(),
        "a map" => "an object".to_string(),
        other if other.starts_with("struct ") => "an object".to_string(),
        other => other.to_string(),
    };
    (format!("{given}, expected {wanted}{at}"), None)
}

/// What others call a field of ours, and what it is called here.
const SYNONYMS: [(&[&str], &str); 4] = [
    (&["content", "message", "memory", "body", "note", "data"], "text"),
    (&["date", "time", "timestamp", "when", "created_at", "datetime"], "occurred_at"),
    (&["q", "question", "search", "prompt"], "query"),
    (&["n", "top_k", "k", "max_results", "count"], "limit"),
];

/// The known name that may be meant, else the few that are nearest.
fn meant(unknown: &str, mut known: Vec<&str>) -> Option<String> {
    const SHOWN: usize = 3;
    let synonym = SYNONYMS.iter().find(|(others, own)| others.contains(&unknown) && known.contains(own));
    let near = crate::settings::nearest(unknown, known.iter().copied());
    if let Some(near) = synonym.map(|(_, own)| *own).or(near) {
        return Some(format!("did you mean `{near}`?"));
    }
    let likeness = |name: &str| strsim::jaro_winkler(unknown, name);
    known.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    let is_all = known.len() <= SHOWN;
    known.truncate(SHOWN);
    let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    match names.as_str() {
        "" => None,
        _ if is_all => Some(format!("it takes {names}")),
        _ => Some(format!("the nearest fields are {names}")),
    }
}

/// `24.0` is a whole number in JSON, but not for serde.
fn whole_numbers(value: &mut Value) {
    /// From here on a fraction does not hold every whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            if let Some(float) =
                number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT)
            {
                *number = (float as i64).into();
            }
        }
        Value::Array(array) => array.iter_mut().for_each(whole_numbers),
        Value::Object(object) => object.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

fn wrong(why: String) -> Failure {
    Error::invalid("read the request", why).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::verbs::recall::Recall;

    #[test]
    fn what_is_wrong_is_named() {
        let fails = |json: Value| {
            let failure = typed::<Recall>(json.as_object().cloned().unwrap_or_default()).expect_err("wrong");
            (failure.why, failure.hint.unwrap_or_default())
        };
        let (why, hint) = fails(json!({"query": "x", "limt": 3}));
        assert_eq!(why, "unknown field `limt`");
        assert_eq!(hint, "did you mean `limit`?");
        assert_eq!(
            fails(json!({"query": "x", "limit": "many"})).0,
            "`limit`: invalid type: string \"many\", expected a whole number, 0 or more"
        );
        let (why, hint) = fails(json!({"query": "x", "colour": 3}));
        assert_eq!((why.as_str(), hint.matches('`').count()), ("unknown field `colour`", 6), "{hint}");
        let given = fails(json!({"query": "x", "feedback": [3]})).0;
        assert!(given.ends_with("invalid type: integer `3`, expected an object"), "{given}");
        assert_eq!(fails(json!({})).0, "missing field `query`");
        assert_eq!(fails(json!({"query": "x", "scope": ["acme"]})).0, "`scope` is no object");
    }
}
