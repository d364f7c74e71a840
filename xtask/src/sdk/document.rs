//! What can be asked, and what comes back: the part of the OpenAPI document that an SDK shows.
//!
//! The verbs of `/v1` and the server's own routes are read; routes under `/api/` keep older clients running
//! and are no part of an SDK. A form of schema that is not known here is an error, so that no type is
//! silently wrong.

use std::collections::BTreeMap;

use serde_json::Value;

/// The type of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    Text,
    Integer,
    Number,
    Truth,
    Null,
    Any,
    List(Box<Kind>),
    /// Texts to values.
    Map(Box<Kind>),
    Named(String),
    Either(Vec<Kind>),
}

/// A key of an object, or a parameter of a verb.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub name: String,
    pub doc: String,
    pub kind: Kind,
    pub required: bool,
}

/// A named schema.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    Object(Vec<Field>),
    Alias(Kind),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    pub name: String,
    pub doc: String,
    pub shape: Shape,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Json(Kind),
    Text,
    /// A stream of objects, which each SDK reads by hand.
    Stream(Option<Kind>),
}

/// One route.
#[derive(Clone, PartialEq, Debug)]
pub struct Verb {
    /// In camel case.
    pub name: String,
    pub summary: String,
    pub method: String,
    pub path: String,
    /// What a key needs; `None` for what everybody may ask.
    pub role: Option<String>,
    /// Required ones first. `workspace` stands for `scope.tenantId`; `user` and `project` for the rest of the
    /// scope.
    pub parameters: Vec<Field>,
    pub answer: Answer,
}

pub struct Document {
    pub verbs: Vec<Verb>,
    /// What the verbs speak of, by name.
    pub types: Vec<Named>,
    /// Kinds of refusals.
    pub refusals: Vec<String>,
}

impl Document {
    pub fn read(text: &str) -> Result<Self, String> {
        let root: Value = serde_json::from_str(text)
            .map_err(|error| format!("the OpenAPI document is no JSON: {error}"))?;
        let mut verbs = Vec::new();
        for (path, methods) in entries(&root["paths"]).filter(|(path, _)| !path.starts_with("/api/")) {
            for (method, operation) in entries(methods) {
                let read = verb(&root, path, method, operation);
                verbs.push(read.map_err(|why| format!("cannot read {method} {path}: {why}"))?);
            }
        }
        let refusals =
            &root["components"]["schemas"]["Refusal"]["properties"]["error"]["properties"]["kind"]["enum"];
        let refusals: Vec<String> = texts(refusals);
        if verbs.is_empty() || refusals.is_empty() {
            return Err("the OpenAPI document has no verbs, or no kinds of refusals".to_string());
        }
        Ok(Self { types: types(&root, &verbs)?, verbs, refusals })
    }
}

fn verb(root: &Value, path: &str, method: &str, operation: &Value) -> Result<Verb, String> {
    let mut parameters: Vec<Field> = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let mut kind = kind(&parameter["schema"])?;
        // In an address nothing is `null`.
        if let Kind::Either(kinds) = &mut kind {
            kinds.retain(|kind| *kind != Kind::Null);
        }
        parameters.push(Field {
            name: text(&parameter["name"]),
            doc: doc(&parameter["description"], &parameter["schema"]),
            kind,
            required: parameter["required"] == true,
        });
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        parameters.extend(fields(resolved(root, body))?);
    }
    // A sort that is stable: within each half the order of the document stays.
    parameters.sort_by_key(|parameter| !parameter.required);
    let scoped = parameters.iter().any(|parameter| matches!(parameter.name.as_str(), "scope" | "tenantId"));
    parameters.retain(|parameter| {
        !matches!(parameter.name.as_str(), "scope" | "tenantId" | "userId" | "projectId" | "agentId")
    });
    if scoped {
        parameters.push(Field {
            name: "workspace".to_string(),
            doc: "The workspace; default the one of the key, or the server's.".to_string(),
            kind: Kind::Text,
            required: false,
        });
    }
    let answer = match entries(&operation["responses"]["200"]["content"]).next() {
        Some((_, content)) if content["x-item-schema"].is_object() => {
            Answer::Stream(Some(kind(&content["x-item-schema"])?))
        }
        Some(("application/json", content)) => Answer::Json(kind(&content["schema"])?),
        Some(("application/x-ndjson", _)) => Answer::Stream(None),
        _ => Answer::Text,
    };
    Ok(Verb {
        name: text(&operation["operationId"]),
        summary: text(&operation["summary"]),
        method: method.to_ascii_uppercase(),
        path: path.to_string(),
        role: operation["x-role"].as_str().map(str::to_string),
        parameters,
        answer,
    })
}

/// All types that the verbs reach, by name.
fn types(root: &Value, verbs: &[Verb]) -> Result<Vec<Named>, String> {
    let mut open: Vec<String> = Vec::new();
    for verb in verbs {
        verb.parameters.iter().for_each(|parameter| names(&parameter.kind, &mut open));
        if let Answer::Json(kind) | Answer::Stream(Some(kind)) = &verb.answer {
            names(kind, &mut open);
        }
    }
    let mut found = BTreeMap::new();
    while let Some(name) = open.pop() {
        if found.contains_key(&name) {
            continue;
        }
        let schema = &root["components"]["schemas"][&name];
        let shape = if schema["properties"].is_object() {
            let fields = fields(schema).map_err(|why| format!("cannot read the schema {name}: {why}"))?;
            fields.iter().for_each(|field| names(&field.kind, &mut open));
            Shape::Object(fields)
        } else {
            let kind = kind(schema).map_err(|why| format!("cannot read the schema {name}: {why}"))?;
            names(&kind, &mut open);
            Shape::Alias(kind)
        };
        found.insert(name.clone(), Named { name, doc: one_line(&schema["description"]), shape });
    }
    Ok(found.into_values().collect())
}

fn names(kind: &Kind, into: &mut Vec<String>) {
    match kind {
        Kind::Named(name) => into.push(name.clone()),
        Kind::List(inner) | Kind::Map(inner) => names(inner, into),
        Kind::Either(kinds) => kinds.iter().for_each(|kind| names(kind, into)),
        _ => {}
    }
}

fn fields(schema: &Value) -> Result<Vec<Field>, String> {
    let required = texts(&schema["required"]);
    entries(&schema["properties"])
        .map(|(name, schema)| {
            Ok(Field {
                name: name.to_string(),
                doc: doc(&schema["description"], schema),
                kind: kind(schema).map_err(|why| format!("`{name}`: {why}"))?,
                required: required.iter().any(|known| known == name),
            })
        })
        .collect()
}

fn kind(schema: &Value) -> Result<Kind, String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return Ok(Kind::Named(reference.rsplit('/').next().unwrap_or_default().to_string()));
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        return Ok(Kind::Either(choices.iter().map(kind).collect::<Result<_, _>>()?));
    }
    if let Some(types) = schema["type"].as_array() {
        return Ok(Kind::Either(types.iter().map(|one| simple(one, schema)).collect::<Result<_, _>>()?));
    }
    if *schema == Value::Null || *schema == Value::Bool(true) {
        return Ok(Kind::Any);
    }
    simple(&schema["type"], schema)
}

fn simple(name: &Value, schema: &Value) -> Result<Kind, String> {
    Ok(match name.as_str() {
        Some("string") => Kind::Text,
        Some("integer") => Kind::Integer,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::Truth,
        Some("null") => Kind::Null,
        Some("array") => Kind::List(Box::new(kind(&schema["items"])?)),
        Some("object") if schema["properties"].is_null() => {
            Kind::Map(Box::new(kind(&schema["additionalProperties"])?))
        }
        _ => return Err(format!("no SDK knows this form of schema: {schema}")),
    })
}

fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap_or(schema),
        None => schema,
    }
}

/// The description, with a default that it does not tell.
fn doc(description: &Value, schema: &Value) -> String {
    let doc = one_line(description);
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

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A document with each form that is read.
    pub const SMALL: &str = include_str!("small.json");

    #[test]
    fn verbs_and_the_types_they_reach_are_read() {
        let document = Document::read(SMALL).expect("it is right");
        let names: Vec<&str> = document.verbs.iter().map(|verb| verb.name.as_str()).collect();
        assert_eq!(names, ["oneThing", "addThing", "events", "health"]);
        let types: Vec<&str> = document.types.iter().map(|named| named.name.as_str()).collect();
        assert_eq!(types, ["Changed", "Label", "Thing"]);
        let parameters = |verb: usize| -> Vec<String> {
            document.verbs[verb]
                .parameters
                .iter()
                .map(|field| format!("{}: {}", field.name, field.doc))
                .collect()
        };
        let first = [
            "name: Its name.",
            "limit: At most so many; default 3.",
            "workspace: The workspace; default the one of the key, or the server's.",
        ];
        assert_eq!(parameters(0), first);
        assert_eq!(parameters(1)[..2], ["from: Where it comes from.", "tags: "]);
        assert_eq!(document.verbs[2].answer, Answer::Stream(Some(Kind::Named("Changed".into()))));
        assert_eq!(document.refusals, ["conflict", "not_found"]);
    }

    #[test]
    fn an_unknown_form_is_an_error() {
        let text = SMALL.replace(r#""type": "boolean""#, r#""oneOf": []"#);
        let why = Document::read(&text).err().unwrap_or_default();
        assert!(why.starts_with("cannot read the schema Thing: `sound`: no SDK knows this form"), "{why}");
    }
}
