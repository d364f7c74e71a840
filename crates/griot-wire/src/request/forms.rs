//! JSON Schema of requests: which values a key may have, and which keys exclude each other.
//!
//! A request that follows the schema is not refused for its form, with one exception that JSON Schema cannot
//! express: a span that ends before it begins. The server also accepts more than the schema promises:
//! expressions of time in other languages, leap seconds, both names of a scope if they agree.

use griot::model::{CATALOGUE, EntityType, Family, Labels, Layer, Predicate, Provenance, Tier};
use griot::recall::Effort;
use griot::text::Intent;
use griot_ingest::Format;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::words::{CRAWL_MODES, DIRECTIONS};

/// A point in time: RFC 3339, a date (leap years are recognised by their number), or one of a few words.
pub(crate) const TIME: &str = concat!(
    r"^((19|[2-8][0-9])[0-9]{2}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])",
    r"|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))",
    r"|((19|[2-8][0-9])(0[48]|[2468][048]|[13579][26])|(2[048]|[468][048]|[357][26])00)-02-29)",
    r"(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-2]):[0-5][0-9])?)?$",
    r"|^(now|today|yesterday|last week|last month|last year|[1-9][0-9]? (days|weeks|months|years) ago)$",
);
/// Something besides white space. NEL is some to us, and none to the patterns of ECMAScript.
pub const VISIBLE: &str = r"[^\s\x85]";
/// The same, and no NUL.
const TEXT: &str = r"^[^\x00]*[^\s\x85\x00][^\x00]*$";
/// A kind or a tag: letters and digits of any script, and a few signs.
const WORD: &str = r"^[\w./:#@-]([\w./:#@ -]{0,62}[\w./:#@-])?$";

/// An address with a name of letters; the server also takes others.
const URL: &str =
    r"^https?://([a-z][a-z0-9]{0,20}\.){0,5}[a-z]{1,20}(:[1-9][0-9]{0,3})?(/[A-Za-z0-9._~-]*)*$";
/// How long: the server also takes dates that are not over.
const END: &str = r"^[1-9][0-9]{0,3}[hdw]$";
/// A glob without classes and choices, which have a grammar of their own.
const GLOB: &str = r"^[A-Za-z0-9./:*?_~-]+$";

fn choice<'a>(names: impl Iterator<Item = &'a str>) -> Schema {
    json_schema!({"type": "string", "enum": names.collect::<Vec<_>>()})
}

/// The same, or `null`.
fn or_null(schema: Schema) -> Schema {
    let mut value = schema.to_value();
    value["type"] = json!([value["type"], "null"]);
    if let Some(names) = value.get_mut("enum").and_then(Value::as_array_mut) {
        names.push(Value::Null);
    }
    Schema::try_from(value).unwrap_or_default()
}

fn all_of(schema: Schema) -> Schema {
    json_schema!({"type": "array", "items": schema})
}

macro_rules! forms {
    ($($(#[doc = $doc:literal])* $name:ident: $schema:expr;)*) => {$(
        $(#[doc = $doc])*
        pub fn $name(_: &mut SchemaGenerator) -> Schema {
            $schema
        }
    )*};
}

forms! {
    text: json_schema!({"type": "string", "minLength": 1, "pattern": TEXT});
    question: json_schema!({"type": "string", "minLength": 1, "pattern": VISIBLE});
    short_question: json_schema!({"type": "string", "minLength": 1, "maxLength": 500, "pattern": VISIBLE});
    word: or_null(json_schema!({"type": "string", "maxLength": 64, "pattern": WORD}));
    words: all_of(json_schema!({"type": "string", "maxLength": 64, "pattern": WORD}));
    metadata: json_schema!({
        "type": "object",
        "maxProperties": 50,
        "propertyNames": {"maxLength": 64, "pattern": WORD},
        "additionalProperties": {"type": "string", "maxLength": 2000, "pattern": r"^[^\x00]*$"},
    });
    mime: or_null(json_schema!({"type": "string", "enum": Format::mimes()}));
    time: or_null(json_schema!({"type": "string", "pattern": TIME}));
    intent: or_null(choice(Intent::ALL.iter().map(|intent| intent.name())));
    effort: or_null(choice(Effort::ALL.iter().map(|effort| effort.name())));
    strategy: or_null(choice(["baseline", "hybrid_graph"].into_iter()));
    mode: choice(["off", "shadow", "canary", "on"].into_iter());
    direction: or_null(choice(DIRECTIONS.iter().map(|(name, ..)| *name)));
    families: all_of(choice(Family::ALL.iter().map(|family| family.name())));
    edge_kind: or_null(choice(CATALOGUE.iter().map(|row| row.name)));
    provenance: or_null(choice(Provenance::ALL.iter().map(|one| one.name())));
    predicate: choice(Predicate::ALL.iter().map(|predicate| predicate.name()));
    entity_type: or_null(choice(EntityType::ALL.iter().map(|kind| kind.name())));
    format: or_null(choice(Format::ALL.iter().map(|format| format.name())));
    url: json_schema!({"type": "string", "maxLength": 2000, "pattern": URL});
    maybe_url: or_null(json_schema!({"type": "string", "maxLength": 2000, "pattern": URL}));
    graphs: all_of(choice(["semantic", "temporal", "all"].into_iter()));
    globs: all_of(json_schema!({"type": "string", "maxLength": 500, "pattern": GLOB}));
    crawl_mode: or_null(choice(CRAWL_MODES.iter().map(|(name, ..)| *name)));
    tier: or_null(choice(Tier::ALL.iter().map(|tier| tier.name())));
    tiers: all_of(choice(Tier::ALL.iter().map(|tier| tier.name())));
    end: or_null(json_schema!({"type": "string", "pattern": END}));
    layer: or_null(choice(Layer::ALL.iter().map(|layer| layer.name())));
    node_layers: all_of(choice(Layer::ALL.iter().map(|layer| layer.name())));
    layers: or_null(choice(["all", "working", "long_term", "rules_only"].into_iter()));
}

/// Adds a condition to those that hold for the whole object.
fn also(schema: &mut Schema, condition: Value) {
    let all = schema.ensure_object().entry("allOf").or_insert_with(|| json!([]));
    if let Some(all) = all.as_array_mut() {
        all.push(condition);
    }
}

fn given(key: &str) -> Value {
    json!({"required": [key], "properties": {key: {"not": {"type": "null"}}}})
}

fn absent() -> Value {
    json!({"type": "null"})
}

/// Not both: `one` property says this, or each of `others` says that. A missing property says anything, so
/// the conditions stay few, and generators of requests can solve them together.
fn exclude(schema: &mut Schema, one: (&str, Value), others: Value) {
    also(schema, json!({"anyOf": [{"properties": {one.0: one.1}}, {"properties": others}]}));
}

/// User and project have two names each: one of them is enough.
pub fn one_scope(schema: &mut Schema) {
    for (own, inner) in [("user", "userId"), ("project", "projectId")] {
        exclude(schema, (own, absent()), json!({"scope": {"properties": {inner: absent()}}}));
    }
}

/// Generators of requests solve four conditions on an object this wide, not five: that `graph` excludes
/// `no_graph` and the strategy `baseline` is left to the server.
pub fn recall(schema: &mut Schema) {
    exclude(schema, ("at", absent()), json!({"since": absent(), "until": absent()}));
}

pub fn timeline(schema: &mut Schema) {
    exclude(schema, ("anchor", absent()), json!({"since": absent(), "until": absent()}));
}

pub fn end_fact(schema: &mut Schema) {
    exclude(schema, ("valid_to", absent()), json!({"undo": {"not": {"const": true}}}));
}

pub fn acknowledge(schema: &mut Schema) {
    exclude(schema, ("note", absent()), json!({"undo": {"not": {"const": true}}}));
}

/// A text or an address.
pub fn ingest(schema: &mut Schema) {
    exclude(schema, ("text", absent()), json!({"url": absent()}));
    also(schema, json!({"anyOf": [given("text"), given("url")]}));
}

/// A text under one of its two names, or an address; `type` says which, if it says anything.
pub fn document(schema: &mut Schema) {
    let only = |own: &str, kind: &str| {
        let mut properties: serde_json::Map<String, Value> =
            ["text", "content", "url"].map(|key| (key.to_string(), absent())).into_iter().collect();
        properties.insert(own.to_string(), json!({"not": {"type": "null"}}));
        properties.insert("type".to_string(), json!({"enum": [kind, null]}));
        json!({"required": [own], "properties": properties})
    };
    also(schema, json!({"anyOf": [only("text", "text"), only("content", "text"), only("url", "url")]}));
    exclude(schema, ("format", absent()), json!({"mimeType": absent()}));
}

/// Which label a kind of edge takes.
pub fn link(schema: &mut Schema) {
    let mut none = vec![Value::Null];
    let mut choices = Vec::new();
    for row in CATALOGUE {
        let kind = json!({"const": row.name});
        match row.labels {
            Labels::None => none.push(json!(row.name)),
            Labels::OneOf(known) => {
                let mut labels: Vec<Value> = known.iter().map(|label| json!(label)).collect();
                labels.push(Value::Null);
                choices.push(
                    json!({"required": ["kind"], "properties": {"kind": kind, "label": {"enum": labels}}}),
                );
            }
            Labels::Free => {
                let label = json!({"type": "string", "pattern": "^[a-z0-9_]{1,64}$"});
                choices.push(
                    json!({"required": ["kind", "label"], "properties": {"kind": kind, "label": label}}),
                );
            }
        }
    }
    choices.push(json!({"properties": {"kind": {"enum": none}, "label": {"type": "null"}}}));
    also(schema, json!({"anyOf": choices}));
}

/// Feedback is on an answer, on memories, or on both.
pub fn feedback(schema: &mut Schema) {
    let memories = json!({"required": ["memories"], "properties": {"memories": {"minItems": 1}}});
    also(schema, json!({"anyOf": [given("answer"), memories]}));
}

/// A key identifies an entity among those of its type, so it needs a type.
pub fn named(schema: &mut Schema) {
    also(schema, json!({"anyOf": [{"properties": {"key": absent()}}, given("type")]}));
}

#[cfg(test)]
mod tests {
    use griot::model::Timestamp;

    use crate::request::{read_time, span};

    #[test]
    fn every_time_that_is_promised_is_read() {
        let now = Timestamp(1_748_779_200_000);
        for time in [
            "1900-01-31",
            "2023-02-28",
            "2024-02-29",
            "2000-02-29",
            "8999-12-31",
            "2024-04-30",
            "2024-05-03T09:30",
            "2024-05-03T09:30:05",
            "2024-05-03T09:30:05.123456789Z",
            "2024-05-03T09:30+02:00",
            "now",
            "today",
            "yesterday",
            "last week",
            "last month",
            "last year",
            "1 days ago",
            "99 weeks ago",
            "12 months ago",
            "10 years ago",
        ] {
            assert!(read_time(time, now).is_ok(), "{time}");
            assert!(span(time, now).is_ok(), "{time}");
        }
    }
}
