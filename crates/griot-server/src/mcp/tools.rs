//! The table of tools, from which discovery and calls are answered.

use std::sync::Arc;

use griot::engine::McpSettings;
use griot_wire::verbs::{self, Does, Form, Verb};
use rmcp::model::ToolAnnotations;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::access::{Caller, Role};
use crate::compat;
use crate::failure::{Failure, Kind, Outcome};
use crate::service::{Progress, Service};

pub struct Tool {
    pub described: rmcp::model::Tool,
    pub writes: bool,
    role: Role,
    verb: Verb,
}

impl Tool {
    fn of_verb(verb: Verb) -> Option<Self> {
        let (described, role) = (described(&verb)?, verb.tool?.role());
        Some(Self { described, writes: role > Role::Read, role, verb })
    }

    /// Whether it reports its progress as a count.
    pub fn counts(&self) -> bool {
        matches!(
            self.verb.name,
            "ingest" | "knowledge_ingest" | "knowledge_crawl" | "knowledge_crawl_status" | "build_graphs"
        )
    }

    /// Text for the model, and the object that the command line prints.
    pub fn call(
        &self,
        service: &Service,
        caller: &Caller,
        progress: &Progress,
        arguments: Map<String, Value>,
    ) -> Outcome<(String, Value)> {
        let asked = self.verb.read(arguments)?;
        let mut call = service.enter(caller, &asked.place, self.role)?;
        call.progress = progress.clone();
        let (json, text) = asked.answer_and_text(&call)?;
        // Through its text, so that a number keeps its digits.
        Ok((text, serde_json::from_str(&json).map_err(odd)?))
    }
}

fn odd(error: serde_json::Error) -> Failure {
    Failure::new(Kind::Engine(griot::model::ErrorKind::Bug), "write the answer", error.to_string())
}

fn schema(form: Form, settings: SchemaSettings) -> Arc<Map<String, Value>> {
    let value = (form.whole)(settings.into_generator()).to_value();
    let mut object = value.as_object().cloned().unwrap_or_default();
    object.shift_remove("title");
    // Model providers reject tools with conditional parameters; the server enforces the conditions anyway.
    object.shift_remove("allOf");
    // A model needs the parameters of a tool, not the name of their type.
    Arc::new(object)
}

fn described(verb: &Verb) -> Option<rmcp::model::Tool> {
    let tool = verb.tool?;
    let annotations = ToolAnnotations::new()
        .read_only(tool.does == Does::Read)
        .destructive(tool.does == Does::Hide)
        .idempotent(true)
        .open_world(false);
    let settings = SchemaSettings::draft2020_12();
    let request = schema(verb.request, settings.clone().for_deserialize());
    let answer = schema(verb.answer, settings.for_serialize());
    let described = rmcp::model::Tool::new(verb.name, tool.about, request);
    Some(described.with_raw_output_schema(answer).with_annotations(annotations))
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

    /// Model providers reject such tools.
    #[test]
    fn no_tool_takes_its_parameters_under_a_condition() {
        for tool in crate::mcp::table(&McpSettings { compatibility: true, erase: true }, true) {
            let schema = &tool.described.input_schema;
            for key in ["allOf", "anyOf", "oneOf", "not"] {
                assert!(!schema.contains_key(key), "{} {key}", tool.described.name);
            }
        }
    }
}
