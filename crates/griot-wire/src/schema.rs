//! The JSON Schema of all requests and answers in one document, under `$defs`.
//!
//! It is generated from the types that are read and written. Where a request and an answer have the same
//! name, the request is called `NameRequest`, as in the OpenAPI document.

use std::collections::BTreeSet;

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::verbs::Verb;
use crate::{
    answer, enriched, erasure, host, job, node, recall, recalls, remember, rollout, sdk, status, verb,
};

/// Describes the types of one module, and names them.
type Describe = fn(&mut SchemaGenerator) -> Vec<&'static str>;

const ANSWERS: [Describe; 13] = [
    recall::schemas,
    recalls::schemas,
    remember::schemas,
    verb::schemas,
    node::schemas,
    status::schemas,
    rollout::schemas,
    host::schemas,
    job::schemas,
    erasure::schemas,
    answer::schemas,
    enriched::schemas,
    sdk::schemas,
];

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The document, as `docs/reference/griot.schema.json` holds it.
pub fn text(verbs: &[Verb]) -> String {
    format!("{:#}\n", document(verbs))
}

fn document(verbs: &[Verb]) -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut requests = settings.clone().for_deserialize().into_generator();
    let mut answers = settings.for_serialize().into_generator();
    let name = |schema: Schema| named(&schema.to_value()).map(str::to_string);
    let asked: BTreeSet<String> =
        verbs.iter().filter_map(|verb| name((verb.request.part)(&mut requests))).collect();
    for describe in ANSWERS {
        describe(&mut answers);
    }
    let mut all = Map::new();
    for (name, mut schema) in requests.take_definitions(true) {
        name_requests(&mut schema, &asked, "#/$defs/");
        all.insert(if asked.contains(&name) { request_name(&name) } else { name }, schema);
    }
    all.extend(answers.take_definitions(true));
    all.sort_keys();
    let mut document = json!({
        "$schema": DIALECT,
        "title": "Griot",
        "description": "Made by `cargo xtask codegen`. What Griot is asked and what it answers: refer to one \
                        of these, such as `griot.schema.json#/$defs/Recall`. A request is called \
                        `NameRequest`.",
        "$defs": all,
    });
    bounded(&mut document);
    document
}

/// Formats of whole numbers are words without force: what they mean is said as bounds, too.
pub fn bounded(value: &mut Value) {
    let most = match value.get("format").and_then(Value::as_str) {
        Some("uint8") => Some(u64::from(u8::MAX)),
        Some("uint32") => Some(u64::from(u32::MAX)),
        // What every reader of JSON can hold.
        Some("uint" | "uint64") => Some((1 << 53) - 1),
        _ => None,
    };
    if let (Some(most), Value::Object(object)) = (most, &mut *value) {
        object.entry("maximum").or_insert_with(|| json!(most));
    }
    match value {
        Value::Object(object) => object.values_mut().for_each(bounded),
        Value::Array(array) => array.iter_mut().for_each(bounded),
        _ => {}
    }
}

/// The name that a reference leads to.
pub fn named(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

pub fn request_name(name: &str) -> String {
    format!("{name}Request")
}

/// Lets references to requests lead to their names below `prefix`.
pub fn name_requests(value: &mut Value, asked: &BTreeSet<String>, prefix: &str) {
    if let Some(name) = named(value).filter(|name| asked.contains(*name)) {
        value["$ref"] = json!(format!("{prefix}{}", request_name(name)));
    }
    match value {
        Value::Object(object) => object.values_mut().for_each(|value| name_requests(value, asked, prefix)),
        Value::Array(array) => array.iter_mut().for_each(|value| name_requests(value, asked, prefix)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, into: &mut BTreeSet<String>) {
        into.extend(value.get("$ref").and_then(Value::as_str).map(str::to_string));
        match value {
            Value::Object(object) => object.values().for_each(|value| references(value, into)),
            Value::Array(array) => array.iter().for_each(|value| references(value, into)),
            _ => {}
        }
    }

    #[test]
    fn every_object_and_every_request_is_there_and_every_reference_leads_to_one() {
        let document = document(&crate::verbs::table());
        let known = document["$defs"].as_object().expect("there are definitions");
        for name in ["Recall", "RecallRequest", "RememberRequest", "Changed", "ErrorBody", "SdkStatus"] {
            assert!(known.contains_key(name), "{name}");
        }
        for object in crate::reference::objects() {
            assert!(known.contains_key(object.name), "{}", object.name);
        }
        let mut leads = BTreeSet::new();
        references(&document, &mut leads);
        assert!(leads.len() > 20);
        for lead in leads {
            assert!(lead.strip_prefix("#/$defs/").is_some_and(|name| known.contains_key(name)), "{lead}");
        }
    }

    #[test]
    fn what_is_asked_is_not_what_is_answered() {
        let document = document(&crate::verbs::table());
        let keys = |name: &str| document["$defs"][name]["properties"].clone();
        assert!(
            keys("RecallRequest").get("query").is_some() && keys("RecallRequest").get("results").is_none()
        );
        assert!(keys("Recall").get("results").is_some());
        assert_eq!(document["$defs"]["RecallRequest"]["additionalProperties"], false);
    }
}
