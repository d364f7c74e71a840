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
        let failure = match path.as_str() {
            "." => wrong(message.clone()),
            path if message.contains(&format!("`{path}`")) => wrong(message.clone()),
            path => wrong(format!("`{path}`: {message}")),
        };
        match nearest_to(&message) {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        }
    })
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

/// Serde names the unknown field first and all known ones after it.
fn nearest_to(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `")?;
    let mut names = rest.split('`').step_by(2);
    let unknown = names.next()?;
    let known: Vec<&str> = names.collect();
    crate::settings::nearest(unknown, known.into_iter()).map(str::to_string)
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
        assert!(why.starts_with("unknown field `limt`"), "{why}");
        assert_eq!(hint, "did you mean `limit`?");
        assert_eq!(
            fails(json!({"query": "x", "limit": "many"})).0,
            "`limit`: invalid type: string \"many\", expected usize"
        );
        assert_eq!(fails(json!({})).0, "missing field `query`");
        assert_eq!(fails(json!({"query": "x", "scope": ["acme"]})).0, "`scope` is no object");
    }
}
