//! The answer of `recall` as a view inside the chat client: the extension "MCP Apps" of the protocol.
//!
//! A host that names the extension shows the view in a frame without access to anything, below each call of
//! `recall`. The view asks for its data through the host: with tools that it alone may call, so that they
//! cost a model nothing. Other hosts see neither.

use griot_wire::verbs;
use rmcp::model::{
    ClientCapabilities, ExtensionCapabilities, JsonObject, MetaObject, Resource, ResourceContents,
};
use serde_json::{Value, json};

use super::tools::Tool;

/// Name of the extension in capabilities.
const EXTENSION: &str = "io.modelcontextprotocol/ui";
const MIME: &str = "text/html;profile=mcp-app";
pub const ADDRESS: &str = "ui://griot/recall";

/// Built from `web/app`; script and style are inside, because hosts let it load nothing.
const VIEW: &str = include_str!("../../../../web/dist-app/recall.html");

/// The tool whose answer the view shows.
const SHOWN: &str = "recall";
/// The verbs that the view asks, with the parameters that it gives; all of them if there are none. Others are
/// read, too: the view hands on what a model asked.
const ASKED: [(&str, &[&str]); 6] = [
    (
        "recall",
        &[
            "query",
            "limit",
            "kinds",
            "tags",
            "since",
            "until",
            "at",
            "as_of",
            "intent",
            "superseded",
            "rejected",
            "user",
            "project",
        ],
    ),
    ("why", &["name", "direction", "now", "user", "project"]),
    ("timeline", &["anchor", "now", "user", "project"]),
    ("entity", &["name", "limit", "now", "user", "project"]),
    ("feedback", &[]),
    ("status", &["user", "project"]),
];

/// Whether the host shows views.
pub fn is_shown_by(capabilities: Option<&ClientCapabilities>) -> bool {
    let settings = capabilities.and_then(|all| all.extensions.as_ref()?.get(EXTENSION));
    let kinds = settings.and_then(|settings| settings.get("mimeTypes")?.as_array());
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == MIME))
}

/// What the server says of it in the handshake.
pub fn extension() -> ExtensionCapabilities {
    let settings = JsonObject::from_iter([("mimeTypes".to_string(), json!([MIME]))]);
    ExtensionCapabilities::from([(EXTENSION.to_string(), settings)])
}

/// The tools of the view.
pub fn tools() -> Vec<Tool> {
    let asked = verbs::table().into_iter().filter_map(|verb| {
        let (_, keys) = ASKED.into_iter().find(|(name, _)| *name == verb.name)?;
        Tool::of_view(verb, keys)
    });
    asked.collect()
}

/// A tool as hosts that show the view read it.
pub fn described(tool: &Tool) -> rmcp::model::Tool {
    let described = tool.described.clone();
    if tool.is_of_view {
        described.with_meta(ui(json!({"resourceUri": ADDRESS, "visibility": ["app"]})))
    } else if described.name == SHOWN {
        described.with_meta(ui(json!({"resourceUri": ADDRESS})))
    } else {
        described
    }
}

pub fn resource() -> Resource {
    Resource::new(ADDRESS, SHOWN)
        .with_title("Answer of the memory")
        .with_description("Shows an answer of `recall` with standing, sources, paths and causes")
        .with_mime_type(MIME)
        .with_size(VIEW.len() as u64)
        .with_meta(appearance())
}

pub fn contents() -> ResourceContents {
    ResourceContents::text(VIEW, ADDRESS).with_mime_type(MIME).with_meta(appearance())
}

/// No address is named, so the host blocks all of them.
fn appearance() -> MetaObject {
    ui(json!({"prefersBorder": true}))
}

fn ui(value: Value) -> MetaObject {
    MetaObject(JsonObject::from_iter([("ui".to_string(), value)]))
}

#[cfg(test)]
mod tests {
    use griot::engine::McpSettings;

    use super::*;
    use crate::mcp::table;

    #[test]
    fn only_a_host_that_names_its_type_shows_the_view() {
        let shows = |capabilities: Value| {
            let capabilities: ClientCapabilities = serde_json::from_value(capabilities).expect("it is valid");
            is_shown_by(Some(&capabilities))
        };
        assert!(shows(json!({"extensions": {EXTENSION: {"mimeTypes": ["text/html", MIME]}}})));
        for other in [
            json!({}),
            json!({"extensions": {}}),
            json!({"extensions": {EXTENSION: {}}}),
            json!({"extensions": {EXTENSION: {"mimeTypes": ["text/html"]}}}),
            json!({"extensions": {"io.modelcontextprotocol/skills": {"mimeTypes": [MIME]}}}),
        ] {
            assert!(!shows(other));
        }
        assert!(!is_shown_by(None));
    }

    #[test]
    fn the_view_is_one_file_that_loads_nothing() {
        assert!(VIEW.len() <= 150 * 1024, "{}", VIEW.len());
        assert!(VIEW.starts_with("<!doctype html>"));
        for outside in ["<link", " src=", "@import", "url(http", "import("] {
            assert!(!VIEW.contains(outside), "{outside}");
        }
    }

    #[test]
    fn hosts_that_show_the_view_read_a_short_list() {
        let mut all = table(&McpSettings { compatibility: false, erase: false }, true);
        all.extend(tools());
        let described: Vec<rmcp::model::Tool> = all.iter().map(described).collect();
        let bytes = serde_json::to_string(&described).map(|text| text.len()).unwrap_or_default();
        assert!((1000..16 * 1024).contains(&bytes), "{bytes}");
    }

    #[test]
    fn every_verb_that_the_view_asks_is_a_tool() {
        let tools = tools();
        let names: Vec<&str> = tools.iter().map(|tool| tool.described.name.as_ref()).collect();
        assert_eq!(names.len(), ASKED.len());
        for (verb, _) in ASKED {
            assert!(names.contains(&format!("app_{verb}").as_str()), "{verb}");
        }
        let writing: Vec<&str> =
            tools.iter().filter(|tool| tool.writes).map(|tool| tool.described.name.as_ref()).collect();
        assert_eq!(writing, ["app_feedback"]);
    }
}
