//! What can be asked, and what comes back: the part of the OpenAPI document that an SDK shows, as the
//! templates take it, with each type spelled in both languages.
//!
//! The verbs of `/v1` and the server's own routes are read; routes under `/api/` keep older clients running
//! and are no part of an SDK. A form of schema that is not known here is an error, so that no type is
//! silently wrong.

use std::collections::BTreeMap;

use serde_json::{Value, json};

const MADE: &str = "Made by `cargo xtask codegen` from the server's OpenAPI document; changes here are lost.";

/// Words that cannot be a name in Python; as a parameter they get a `_` behind.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Parameters that say whose memories are meant; an SDK has `workspace` in their place.
const SCOPE: [&str; 5] = ["scope", "tenantId", "userId", "projectId", "agentId"];

/// `made`, `verbs`, `types` (what the verbs refer to, by name) and `refusals` (their kinds).
pub fn read(text: &str) -> Result<Value, String> {
    let root: Value =
        serde_json::from_str(text).map_err(|error| format!("the OpenAPI document is no JSON: {error}"))?;
    let (mut verbs, mut open) = (Vec::new(), Vec::new());
    for (path, methods) in entries(&root["paths"]).filter(|(path, _)| !path.starts_with("/api/")) {
        // A binary answer is for the page, which reads it itself.
        for (method, operation) in entries(methods).filter(|(_, operation)| !is_binary(operation)) {
            let read = verb(&root, path, method, operation, &mut open);
            verbs.push(read.map_err(|why| format!("cannot read {method} {path}: {why}"))?);
        }
    }
    let refusals =
        &root["components"]["schemas"]["Refusal"]["properties"]["error"]["properties"]["kind"]["enum"];
    if verbs.is_empty() || !refusals.is_array() {
        return Err("the OpenAPI document has no verbs, or no kinds of refusals".to_string());
    }
    let mut types = BTreeMap::new();
    while let Some(name) = open.pop() {
        if !types.contains_key(&name) {
            let schema = &root["components"]["schemas"][&name];
            references(schema, &mut open);
            let read = named(&name, schema);
            types.insert(name.clone(), read.map_err(|why| format!("cannot read the schema {name}: {why}"))?);
        }
    }
    let types: Vec<Value> = types.into_values().collect();
    Ok(json!({"made": MADE, "verbs": verbs, "types": types, "refusals": refusals}))
}

fn is_binary(operation: &Value) -> bool {
    operation["responses"]["200"]["content"]["application/octet-stream"].is_object()
}

/// One route; adds the types that it refers to.
fn verb(
    root: &Value,
    path: &str,
    method: &str,
    operation: &Value,
    open: &mut Vec<String>,
) -> Result<Value, String> {
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    let body = match body["$ref"].as_str() {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap_or(body),
        None => body,
    };
    let mut asked: Vec<(String, Value, bool)> = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let mut schema = without_null(&parameter["schema"]);
        schema["description"] = parameter["description"].clone();
        asked.push((text(&parameter["name"]).to_string(), schema, parameter["required"] == true));
    }
    asked.extend(properties(body));
    let scoped = asked.iter().any(|(name, ..)| matches!(name.as_str(), "scope" | "tenantId"));
    asked.retain(|(name, ..)| !SCOPE.contains(&name.as_str()));
    if scoped {
        let doc = "The workspace; default the one of the key, or the server's.";
        asked.push(("workspace".to_string(), json!({"type": "string", "description": doc}), false));
    }
    // A sort that is stable: within each half the order of the document stays.
    asked.sort_by_key(|(.., required)| !required);
    asked.iter().for_each(|(_, schema, _)| references(schema, open));

    let answer = match entries(&operation["responses"]["200"]["content"]).next() {
        Some((_, content)) if content["x-item-schema"].is_object() => {
            references(&content["x-item-schema"], open);
            Value::Null
        }
        Some(("application/json", content)) => {
            references(&content["schema"], open);
            answer(&content["schema"])?
        }
        Some(("application/x-ndjson", _)) => Value::Null,
        _ => json!({"python": "str", "typescript": "string"}),
    };
    let name = text(&operation["operationId"]);
    let (first, rest) = name.split_at(name.len().min(1));
    Ok(json!({
        "name": name, "summary": text(&operation["summary"]), "method": method.to_ascii_uppercase(),
        "path": path, "role": operation["x-role"], "python": snake(name), "answer": answer,
        "request": format!("{}{rest}Request", first.to_ascii_uppercase()),
        "parameters": fields(asked.into_iter())?,
    }))
}

fn answer(schema: &Value) -> Result<Value, String> {
    if is_any(schema) {
        return Ok(json!({"python": "dict[str, Any]", "typescript": "Record<string, unknown>"}));
    }
    let python = spell(schema, &Language { module: "types.", ..PYTHON })?;
    Ok(json!({"python": python, "typescript": spell(schema, &Language { module: "types.", ..TYPESCRIPT })?}))
}

fn named(name: &str, schema: &Value) -> Result<Value, String> {
    let doc = one_line(&schema["description"]);
    if schema["properties"].is_null() {
        let (python, typescript) = (alias(schema)?, spell(schema, &TYPESCRIPT)?);
        return Ok(json!({"name": name, "doc": doc, "python": python, "typescript": typescript}));
    }
    let has_keyword = entries(&schema["properties"]).any(|(name, _)| KEYWORDS.contains(&name));
    Ok(json!({
        "name": name, "doc": doc, "has_keyword": has_keyword, "fields": fields(properties(schema))?,
    }))
}

/// Name, schema, and whether it has to be there.
fn properties(schema: &Value) -> impl Iterator<Item = (String, Value, bool)> {
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|known| known == name));
    entries(&schema["properties"]).map(move |(name, own)| (name.to_string(), own.clone(), is_required(name)))
}

fn fields(properties: impl Iterator<Item = (String, Value, bool)>) -> Result<Vec<Value>, String> {
    let field = |(name, schema, required): (String, Value, bool)| {
        let spell = |language| spell(&schema, &language).map_err(|why| format!("`{name}`: {why}"));
        let python = spell(PYTHON)?;
        let of_argument = |inner: &str| format!("Sequence[{inner}]");
        let argument = spell(Language { list: of_argument, module: "types.", ..PYTHON })?;
        let own = snake(&name);
        Ok(json!({
            "name": name, "doc": doc(&schema), "required": required,
            "python": if required { python } else { format!("NotRequired[{python}]") },
            "argument": argument,
            "parameter": if KEYWORDS.contains(&own.as_str()) { format!("{own}_") } else { own },
            "typescript": spell(TYPESCRIPT)?,
        }))
    };
    properties.map(field).collect()
}

/// How a language spells types.
#[derive(Clone, Copy)]
struct Language {
    /// Of [`SIMPLE`].
    simple: [&'static str; 5],
    any: &'static str,
    list: fn(&str) -> String,
    map: fn(&str) -> String,
    /// What precedes the name of a type.
    module: &'static str,
}

const SIMPLE: [&str; 5] = ["string", "integer", "number", "boolean", "null"];

const PYTHON: Language = Language {
    simple: ["str", "int", "float", "bool", "None"],
    any: "Any",
    list: |inner| format!("list[{inner}]"),
    map: |inner| format!("dict[str, {inner}]"),
    module: "",
};

const TYPESCRIPT: Language = Language {
    simple: ["string", "number", "number", "boolean", "null"],
    any: "unknown",
    list: |inner| if inner.contains(" | ") { format!("({inner})[]") } else { format!("{inner}[]") },
    map: |inner| format!("Record<string, {inner}>"),
    module: "",
};

fn spell(schema: &Value, language: &Language) -> Result<String, String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return Ok(format!("{}{}", language.module, last(reference)));
    }
    if let Some(choices) = choices(schema) {
        let spelled: Result<Vec<String>, String> =
            choices.iter().map(|choice| spell(choice, language)).collect();
        return Ok(spelled?.join(" | "));
    }
    if is_any(schema) {
        return Ok(language.any.to_string());
    }
    match schema["type"].as_str() {
        Some("array") => Ok((language.list)(&spell(&schema["items"], language)?)),
        Some("object") if schema["properties"].is_null() => {
            Ok((language.map)(&spell(&schema["additionalProperties"], language)?))
        }
        name => SIMPLE
            .iter()
            .position(|known| Some(*known) == name)
            .map(|at| language.simple[at].to_string())
            .ok_or_else(|| format!("no SDK knows this form of schema: {schema}")),
    }
}

/// Evaluated at run time, where Python 3.10 knows no `|` between names in quotes.
fn alias(schema: &Value) -> Result<String, String> {
    let Some(choices) = choices(schema) else { return spell(schema, &PYTHON) };
    let spelled: Result<Vec<String>, String> = choices.iter().map(alias).collect();
    Ok(format!("Union[{}]", spelled?.join(", ")))
}

fn is_any(schema: &Value) -> bool {
    schema.is_null() || *schema == true
}

/// What it may be, one of several.
fn choices(schema: &Value) -> Option<Vec<Value>> {
    if let Some(choices) = schema["anyOf"].as_array() {
        return Some(choices.clone());
    }
    let of_type = |one: &Value| {
        let mut own = schema.clone();
        own["type"] = one.clone();
        own
    };
    Some(schema["type"].as_array()?.iter().map(of_type).collect())
}

/// In an address nothing is `null`.
fn without_null(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for key in ["anyOf", "type"] {
        if let Some(choices) = schema[key].as_array_mut() {
            choices.retain(|choice| choice != "null" && choice["type"] != "null");
        }
    }
    schema
}

/// The names of the types that a schema refers to.
fn references(schema: &Value, names: &mut Vec<String>) {
    names.extend(schema["$ref"].as_str().map(|reference| last(reference).to_string()));
    schema.as_array().into_iter().flatten().for_each(|inner| references(inner, names));
    entries(schema).for_each(|(_, inner)| references(inner, names));
}

fn last(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

/// The description, with a default that it does not state.
fn doc(schema: &Value) -> String {
    let doc = one_line(&schema["description"]);
    match &schema["default"] {
        Value::Number(number) if !doc.contains("default") => {
            format!("{}; default {number}.", doc.trim_end_matches('.')).trim_start_matches("; ").to_string()
        }
        _ => doc,
    }
}

fn one_line(value: &Value) -> String {
    text(value).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document with each form that is read.
    const SMALL: &str = include_str!("small.json");

    #[test]
    fn verbs_and_the_types_they_reach_are_read() {
        let document = read(SMALL).expect("it is right");
        let all = |list: &Value, key: &str| -> Vec<String> {
            let list = list.as_array().into_iter().flatten();
            list.map(|one| text(&one[key]).to_string()).collect()
        };
        assert_eq!(all(&document["verbs"], "name"), ["oneThing", "addThing", "events", "health"]);
        // The stream's items among them.
        assert_eq!(all(&document["types"], "name"), ["Changed", "Label", "Thing"]);
        let parameters = &document["verbs"][0]["parameters"];
        assert_eq!(all(parameters, "name"), ["name", "limit", "workspace"]);
        let docs = [
            "Its name.",
            "At most so many; default 3.",
            "The workspace; default the one of the key, or the server's.",
        ];
        assert_eq!(all(parameters, "doc"), docs);
        let parameters = &document["verbs"][1]["parameters"];
        assert_eq!(all(parameters, "name")[..2], ["from", "tags"]);
        assert_eq!(all(parameters, "doc")[..2], ["Where it comes from.", ""]);
        assert_eq!(document["verbs"][2]["answer"], Value::Null);
        assert_eq!(document["refusals"], json!(["conflict", "not_found"]));
    }

    #[test]
    fn an_unknown_form_is_an_error() {
        let text = SMALL.replace(r#""type": "boolean""#, r#""oneOf": []"#);
        let why = read(&text).err().unwrap_or_default();
        assert!(why.starts_with("cannot read the schema Thing: `sound`: no SDK knows this form"), "{why}");
    }
}
