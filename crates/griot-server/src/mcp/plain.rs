//! Schemas and arguments of tools in the forms that every host and every model can handle.
//!
//! Hosts hand schemas on to providers that know less of JSON Schema than its writers: some refuse `$ref`,
//! `anyOf`, `null` in an `enum`, `additionalProperties`, formats and patterns. So a tool shows plain types
//! and says the rest in words; the server still refuses what is wrong. Models send numbers as strings, one
//! word where a list is asked for, and an empty string for what they leave out, which strict modes make them
//! name.

use std::sync::Arc;

use serde_json::{Map, Value, json};

/// The key with which a caller asks for the whole answer as JSON beside the text.
pub const DETAIL: &str = "detail";
pub const TRACE: &str = "trace";

/// The schema of an object with these keys of it, or all; without references and conditions.
pub fn schema(whole: &Value, keys: &[&str], has_detail: bool) -> Arc<Map<String, Value>> {
    let known = whole["properties"].as_object().cloned().unwrap_or_default();
    let named = |key: &String| keys.is_empty() || keys.contains(&key.as_str());
    let mut properties: Map<String, Value> = known
        .iter()
        .filter(|(key, _)| named(key))
        .map(|(key, value)| (key.clone(), plain(value, whole)))
        .collect();
    if has_detail {
        let about = "`trace` adds the whole answer as JSON: scores, signals, paths. Default: the text alone.";
        properties
            .insert(DETAIL.into(), json!({"type": "string", "enum": ["text", TRACE], "description": about}));
    }
    let mut object = Map::new();
    object.insert("type".into(), json!("object"));
    let required = whole["required"].as_array().cloned().unwrap_or_default();
    let required: Vec<Value> = required
        .into_iter()
        .filter(|key| key.as_str().is_some_and(|key| properties.contains_key(key)))
        .collect();
    object.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        object.insert("required".into(), Value::Array(required));
    }
    Arc::new(object)
}

/// One type, its description and what is inside it.
fn plain(value: &Value, whole: &Value) -> Value {
    let is_null = |value: &&Value| value["type"] == "null";
    let description = value.get("description");
    if let Some(target) = value["$ref"].as_str().and_then(|path| whole.pointer(path.trim_start_matches('#')))
    {
        return described(plain(target, whole), description);
    }
    let choices = value["anyOf"].as_array().or(value["oneOf"].as_array());
    // A text is the form that every model writes.
    let choice = choices.and_then(|all| {
        let text = all.iter().find(|one| one["type"] == "string");
        text.or_else(|| all.iter().find(|one| !is_null(one)))
    });
    if let Some(choice) = choice {
        return described(plain(choice, whole), description);
    }
    let kind = match &value["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or(json!("string")),
        Value::String(kind) => json!(kind),
        _ => json!("string"),
    };
    let mut object = Map::new();
    object.insert("type".into(), kind);
    if let Some(names) = value["enum"].as_array() {
        object.insert("enum".into(), names.iter().filter(|name| !name.is_null()).cloned().collect());
    }
    if let Some(items) = value.get("items") {
        object.insert("items".into(), plain(items, whole));
    }
    if let Some(properties) = value["properties"].as_object() {
        let inside = properties.iter().map(|(key, value)| (key.clone(), plain(value, whole)));
        object.insert("properties".into(), Value::Object(inside.collect()));
        if let Some(required) = value.get("required") {
            object.insert("required".into(), required.clone());
        }
    }
    described(Value::Object(object), description)
}

/// With this description on one line, unless there is none.
fn described(mut value: Value, description: Option<&Value>) -> Value {
    if let Some(text) = description.and_then(Value::as_str) {
        value["description"] = json!(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    value
}

/// A message whose arguments are a text that holds the object, as some models write it.
pub fn message(mut message: Value) -> Result<Value, String> {
    let text = match message.pointer("/params/arguments") {
        Some(Value::String(text)) if message["method"] == "tools/call" => text.trim(),
        _ => return Ok(message),
    };
    let object = match text {
        "" => Ok(json!({})),
        text => serde_json::from_str(text),
    };
    match object {
        Ok(object @ Value::Object(_)) => message["params"]["arguments"] = object,
        _ => return Err("`arguments` is a text, not an object".to_string()),
    }
    Ok(message)
}

/// The arguments as the schema wants them: what is empty is left out, numbers and lists may be texts.
pub fn arguments(given: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    let required = schema["required"].as_array();
    let is_required = |key: &str| required.is_some_and(|all| all.iter().any(|one| one == key));
    let mut read = Map::new();
    for (key, value) in given {
        let own = &schema["properties"][&key];
        let value = fitted(value, &key, own, schema);
        // "No limit" where a number begins at one.
        let is_zero = value.as_u64() == Some(0) && own["minimum"].as_u64() == Some(1);
        let is_empty = value.is_null()
            || value.as_str().is_some_and(str::is_empty)
            || value.as_array().is_some_and(Vec::is_empty)
            || is_zero;
        if !is_empty || is_required(&key) {
            read.insert(key, value);
        }
    }
    read
}

/// The schemas of which a value may have any, without references and choices.
fn choices<'a>(schema: &'a Value, whole: &'a Value) -> Vec<&'a Value> {
    if let Some(target) = schema["$ref"].as_str().and_then(|path| whole.pointer(path.trim_start_matches('#')))
    {
        return choices(target, whole);
    }
    match schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        Some(all) => all.iter().flat_map(|one| choices(one, whole)).collect(),
        None => vec![schema],
    }
}

/// A value in the form that the schema wants, if it is plain which one is meant.
fn fitted(value: Value, key: &str, schema: &Value, whole: &Value) -> Value {
    let choices = choices(schema, whole);
    let of = |kind: &str| {
        choices.iter().copied().find(|one| match &one["type"] {
            Value::Array(kinds) => kinds.iter().any(|one| one == kind),
            one => one == kind,
        })
    };
    match value {
        Value::String(text) => of_text(text, key, &of, whole),
        Value::Array(items) => match of("array") {
            Some(list) => {
                let items = items.into_iter().map(|item| fitted(item, "", &list["items"], whole));
                items.filter(|item| !item.is_null() && *item != "").collect()
            }
            None => Value::Array(items),
        },
        Value::Object(object) => match (of("object"), of("array")) {
            (Some(own), _) => {
                let fit = |(key, value): (String, Value)| {
                    let value = fitted(value, &key, &own["properties"][&key], whole);
                    (key, value)
                };
                Value::Object(object.into_iter().map(fit).collect())
            }
            // One where a list is wanted.
            (None, Some(list)) => json!([fitted(Value::Object(object), "", &list["items"], whole)]),
            (None, None) => Value::Object(object),
        },
        other => other,
    }
}

fn of_text<'a>(text: String, key: &str, of: &dyn Fn(&str) -> Option<&'a Value>, whole: &Value) -> Value {
    if of("string").is_some() {
        return Value::String(text);
    }
    let parsed = |text: &str| serde_json::from_str::<Value>(text.trim()).ok();
    if of("integer").is_some() || of("number").is_some() {
        return parsed(&text).filter(Value::is_number).unwrap_or(Value::String(text));
    }
    if of("boolean").is_some() {
        return parsed(&text.to_lowercase()).filter(Value::is_boolean).unwrap_or(Value::String(text));
    }
    if let Some(list) = of("array") {
        return match parsed(&text) {
            Some(value @ (Value::Array(_) | Value::Object(_))) => fitted(value, key, list, whole),
            // Names of files may hold commas.
            _ if key == "sources" => json!([text]),
            _ => text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect(),
        };
    }
    if of("object").is_some() {
        return parsed(&text).filter(Value::is_object).unwrap_or(Value::String(text));
    }
    Value::String(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_has_plain_types() {
        let whole = json!({
            "type": "object",
            "additionalProperties": false,
            "$defs": {"Draft": {"anyOf": [{"type": "object"}, {"type": "string"}]}},
            "properties": {
                "text": {"type": "string", "pattern": "x", "description": "A\ntext."},
                "kind": {"type": ["string", "null"], "enum": ["a", null], "default": null},
                "count": {"type": ["integer", "null"], "format": "uint8"},
                "names": {"type": "array", "items": {"$ref": "#/$defs/Draft"}},
                "lines": {"anyOf": [{"$ref": "#/$defs/Draft"}, {"type": "null"}]},
            },
            "required": ["text", "lines"],
        });
        let plain = schema(&whole, &["text", "kind", "count", "names"], false);
        let wanted = json!({
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "A text."},
                "kind": {"type": "string", "enum": ["a"]},
                "count": {"type": "integer"},
                "names": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["text"],
        });
        assert_eq!(Value::Object((*plain).clone()), wanted);
    }

    #[test]
    fn arguments_are_read_as_models_write_them() {
        let schema = json!({
            "properties": {
                "query": {"type": "string"},
                "limit": {"type": ["integer", "null"], "minimum": 1},
                "depth": {"type": "integer", "minimum": 1},
                "tags": {"type": "array"},
                "trusted": {"type": "boolean"},
            },
            "required": ["query"],
        });
        let given = json!({"query": "12", "limit": "3", "tags": "a", "trusted": "true", "at": "",
            "user": null, "depth": 0});
        let read = arguments(given.as_object().cloned().unwrap_or_default(), &schema);
        assert_eq!(Value::Object(read), json!({"query": "12", "limit": 3, "tags": ["a"], "trusted": true}));
        let given = json!({"query": "", "limit": "many", "tags": "[\"a\",\"b\"]"});
        let read = arguments(given.as_object().cloned().unwrap_or_default(), &schema);
        assert_eq!(Value::Object(read), json!({"query": "", "limit": "many", "tags": ["a", "b"]}));
    }

    #[test]
    fn lists_and_objects_are_read_as_models_write_them() {
        let schema = json!({
            "$defs": {
                "Given": {"type": "object", "properties": {
                    "good": {"type": "boolean"}, "memories": {"type": "array", "items": {"type": "string"}},
                }},
                "Entity": {"anyOf": [{"type": "string"}, {"type": "object"}]},
            },
            "properties": {
                "kinds": {"type": "array", "items": {"type": "string"}},
                "tags": {"type": "array", "items": {"type": "string"}},
                "entities": {"type": "array", "items": {"$ref": "#/$defs/Entity"}},
                "feedback": {"type": "array", "items": {"$ref": "#/$defs/Given"}},
            },
        });
        let read =
            |given: Value| Value::Object(arguments(given.as_object().cloned().unwrap_or_default(), &schema));
        for empty in [json!(""), json!([]), json!([""]), json!(" , "), json!("[]")] {
            assert_eq!(read(json!({"kinds": empty, "tags": empty})), json!({}), "{empty}");
        }
        let given = json!({"tags": "x,y", "kinds": "a, b", "entities": "Redis, Kafka"});
        let lists = json!({"tags": ["x", "y"], "kinds": ["a", "b"], "entities": ["Redis", "Kafka"]});
        assert_eq!(read(given), lists);
        let wanted = json!({"feedback": [{"good": true, "memories": ["#a1b2c3"]}]});
        for feedback in [
            json!([{"good": "true", "memories": "#a1b2c3"}]),
            json!({"good": true, "memories": ["#a1b2c3"]}),
            json!("{\"good\": \"True\", \"memories\": [\"#a1b2c3\"]}"),
        ] {
            assert_eq!(read(json!({ "feedback": feedback })), wanted, "{feedback}");
        }
        let call = |arguments: &str| {
            message(json!({"method": "tools/call", "params": {"name": "recall", "arguments": arguments}}))
        };
        let read = call("{\"query\": \"x\"}").map(|message| message["params"]["arguments"].clone());
        assert_eq!(read, Ok(json!({"query": "x"})));
        assert_eq!(call("x"), Err("`arguments` is a text, not an object".to_string()));
    }
}
