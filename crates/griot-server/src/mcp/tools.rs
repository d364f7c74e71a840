//! The table of tools, from which discovery and calls are answered.

use griot::engine::McpSettings;
use griot::model::{Error, SourceId, SourceType};
use griot_wire::verbs::{self, Does, Verb};
use rmcp::model::ToolAnnotations;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::plain;
use crate::access::{Caller, Role};
use crate::compat;
use crate::failure::{Failure, Kind, Outcome};
use crate::service::{Progress, Service};

pub struct Tool {
    pub described: rmcp::model::Tool,
    pub writes: bool,
    /// It answers the view inside a chat client, not a model.
    pub is_of_view: bool,
    role: Role,
    /// The schema of every parameter that is read.
    request: Value,
    verb: Verb,
}

impl Tool {
    fn of_verb(verb: Verb) -> Option<Self> {
        let settings = SchemaSettings::draft2020_12().for_deserialize();
        let request = (verb.request.whole)(settings.into_generator()).to_value();
        let (described, role) = (described(&verb, &request)?, verb.tool?.does.role());
        Some(Self { described, writes: role > Role::Read, is_of_view: false, role, request, verb })
    }

    /// The verb as a tool of the view inside a chat client: it answers with the whole object.
    pub fn of_view(verb: Verb, keys: &'static [&'static str]) -> Option<Self> {
        let does = if verb.role == Role::Read { Does::Read } else { Does::Add };
        let tool = Self::of_verb(verb.tool(does, verb.summary, keys))?;
        let mut described = tool.described;
        described.input_schema = plain::schema(&tool.request, keys, false);
        described.name = format!("app_{}", verb.name).into();
        Some(Self { described, is_of_view: true, ..tool })
    }

    /// Whether it reports its progress as a count.
    pub fn counts(&self) -> bool {
        matches!(
            self.verb.name,
            "ingest" | "knowledge_ingest" | "knowledge_crawl" | "knowledge_crawl_status" | "build_graphs"
        )
    }

    /// Text for the model, and on request the object that the command line prints.
    pub fn call(
        &self,
        service: &Service,
        caller: &Caller,
        progress: &Progress,
        given: Map<String, Value>,
    ) -> Outcome<(String, Option<Value>)> {
        let mut given = plain::arguments(given, &self.request);
        let has_trace = match given.shift_remove(plain::DETAIL) {
            None => self.is_of_view,
            Some(detail) if detail == plain::TRACE => true,
            Some(detail) if detail == "text" => false,
            Some(detail) => {
                let why = format!("`detail` is {detail}");
                return Err(Error::invalid("read the request", why).hint("use \"text\" or \"trace\"").into());
            }
        };
        // The engine would leave a long memory out; the text shows the part of it that answers.
        let budget = given.get(BUDGET).and_then(Value::as_u64).filter(|_| self.verb.name == RECALL);
        if budget.is_some() && !has_trace {
            given.shift_remove(BUDGET);
        }
        let source = given.get(NAME).and_then(Value::as_str).and_then(|name| SourceId::parse(name.trim()));
        let asked = self.verb.read(given)?;
        let mut call = service.enter(caller, &asked.place, self.role)?;
        // One word of a model would hide all that agents ever remembered.
        if let Some(id) = source.filter(|_| self.verb.name == FORGET)
            && call.engine.read()?.source(id)?.is_some_and(|source| source.kind == SourceType::Agent)
        {
            let why = "its memories were remembered one by one";
            let hint = "forget each by its handle; a person can hide them all on the command line";
            return Err(Error::invalid(format!("forget the source `{id}`"), why).hint(hint).into());
        }
        call.progress = progress.clone();
        call.tokens = budget.map_or(call.tokens, |budget| budget as usize);
        let (json, text) = asked.answer_and_text(&call)?;
        // Through its text, so that a number keeps its digits.
        let object = has_trace.then(|| serde_json::from_str(&json).map_err(odd)).transpose()?;
        Ok((text, object))
    }
}

const RECALL: &str = "recall";
const FORGET: &str = "forget";
const NAME: &str = "name";
const BUDGET: &str = "budget";

fn odd(error: serde_json::Error) -> Failure {
    Failure::new(Kind::Engine(griot::model::ErrorKind::Bug), "write the answer", error.to_string())
}

fn described(verb: &Verb, request: &Value) -> Option<rmcp::model::Tool> {
    let tool = verb.tool?;
    let annotations = ToolAnnotations::new()
        .read_only(tool.does == Does::Read)
        .destructive(tool.does == Does::Hide)
        .idempotent(true)
        .open_world(false);
    // No output schema: hosts that find one show a model the object instead of the text that was written for
    // it, and clients check each answer against it, which takes longer than the answer.
    let shown = plain::schema(request, tool.keys, tool.does == Does::Read);
    Some(rmcp::model::Tool::new(verb.name, tool.about, shown).with_annotations(annotations))
}

/// All tools, on request also those of older servers. `is_local`: the agent runs on this machine as its
/// owner, and may name files.
pub fn table(settings: &McpSettings, is_local: bool) -> Vec<Tool> {
    let mut verbs = verbs::table();
    verbs.retain(|verb| settings.erase || verb.name != "erase");
    if settings.compatibility {
        verbs.extend(compat::tools(is_local));
    }
    verbs.into_iter().filter_map(Tool::of_verb).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::app;

    /// What some host or model provider refuses, anywhere in a schema.
    fn refused(value: &Value) -> Option<&str> {
        const KEYS: [&str; 9] =
            ["$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "additionalProperties", "pattern", "format"];
        match value {
            Value::Object(object) => {
                let key = KEYS.into_iter().find(|key| object.contains_key(*key));
                key.or_else(|| object.values().find_map(refused))
            }
            Value::Array(array) if array.contains(&Value::Null) => Some("null"),
            Value::Array(array) => array.iter().find_map(refused),
            _ => None,
        }
    }

    #[test]
    fn every_host_can_load_the_tools() {
        let mut tools = table(&McpSettings { compatibility: true, erase: true }, true);
        tools.extend(app::tools());
        for tool in tools {
            let schema = Value::Object((*tool.described.input_schema).clone());
            assert_eq!(refused(&schema), None, "{}", tool.described.name);
            assert!(tool.described.output_schema.is_none());
            let known = &schema["properties"];
            for key in tool.verb.tool.map(|tool| tool.keys).unwrap_or_default() {
                assert!(known.get(key).is_some(), "{} has no {key}", tool.described.name);
            }
        }
    }

    #[test]
    fn the_eight_tools_cost_a_model_at_most_four_thousand_tokens() {
        let tools = table(&McpSettings { compatibility: false, erase: false }, true);
        let described: Vec<&rmcp::model::Tool> = tools.iter().map(|tool| &tool.described).collect();
        let bytes = serde_json::to_string(&described).map(|text| text.len()).unwrap_or_default();
        assert_eq!(tools.len(), 8);
        assert!((1000..16 * 1024).contains(&bytes), "{bytes}");
    }
}
