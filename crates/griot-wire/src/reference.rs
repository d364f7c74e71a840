//! Generates `docs/reference/json.md` and `docs/reference/settings.md` from the declarations of objects and
//! settings.

use std::fmt::Write;

use serde_json::Value;

use crate::object::ObjectDoc;
use crate::settings::{KEYS, KNOWLEDGE, Meaning, OTHER_VARIABLES, RETIRED, camel_case};
use crate::{
    answer, draft, enriched, erasure, export, host, job, node, recall, recalls, remember, rollout, sdk,
    status, verb,
};

const MADE: &str = "<!-- Made by `cargo xtask codegen`; changes here are lost. -->\n";

/// The JSON that commands print and take.
pub fn json_page() -> String {
    let mut page = format!("{MADE}\n# JSON\n\n");
    page.push_str(
        "What a command prints with `--json`: one object, or an array of them, on standard output. Keys are \
         snake case and always there; what is not known is `null`. Times are RFC 3339 in UTC. Scores and \
         confidences lie in 0..=1 unless the field says otherwise. Errors are an [ErrorBody](#errorbody) on \
         standard error.\n\n",
    );
    page.push_str("All of them are described as JSON Schema in [griot.schema.json](griot.schema.json).\n\n");
    page.push_str("| command | answer |\n|---|---|\n");
    for (command, answer) in ANSWERS {
        push(&mut page, format_args!("| `{command}` | {} |", linked(answer)));
    }
    page.push_str("\nOnly [HTTP](http.md) answers with these:\n\n| route | answer |\n|---|---|\n");
    for (route, answer) in ROUTES {
        push(&mut page, format_args!("| `{route}` | {} |", linked(answer)));
    }
    page.push_str(
        "\n## Input of `remember --json-input`\n\nOne object, or an array of objects. Unknown keys are \
         refused.\n\n",
    );
    page.push_str("| key | type | meaning |\n|---|---|---|\n");
    let schema = schemars::schema_for!(draft::Draft).to_value();
    for (name, key) in schema["properties"].as_object().into_iter().flatten() {
        let doc = key["description"].as_str().unwrap_or_default().replace('\n', " ");
        push(&mut page, format_args!("| `{name}` | {} | {doc} |", described(key)));
    }
    push(
        &mut page,
        format_args!(
            "\n## Export\n\nJSON Lines, format `{}`, version {}: one record a line, with its `type`, in \
             this order: `header`, `source`, `entity`, `memory`, `edge`, `fact`, `types`, `offer`, \
             `reading`, `merge`, `suggestion`, and at last `end` with the number of records, so that a \
             file that was not written to its end is noticed. The values of a vector are base64 of one \
             signed byte per dimension, times `scale`.",
            export::FORMAT,
            export::VERSION
        ),
    );
    for object in common() {
        push(&mut page, format_args!("\n## {}\n\n{}\n", object.name, sentence(object.doc)));
        page.push_str("| key | type | meaning |\n|---|---|---|\n");
        for field in object.fields {
            let name = field.name.trim_start_matches("r#");
            push(&mut page, format_args!("| `{name}` | {} | {} |", kind(field.kind), sentence(field.doc)));
        }
    }
    page.push_str("\nThe objects below have keys in camel case, as clients of a memory SDK know them.\n");
    for object in sdk::OBJECTS {
        push(&mut page, format_args!("\n## {}\n\n{}\n", object.name, sentence(object.doc)));
        page.push_str("| key | type |\n|---|---|\n");
        for field in object.fields {
            push(&mut page, format_args!("| `{}` | {} |", camel(field.name), kind(field.kind)));
        }
    }
    page
}

const ANSWERS: &[(&str, &str)] = &[
    ("remember", "Remembered"),
    ("remember --json-input", "Vec<Remembered>"),
    ("recall", "Recall"),
    ("recall --answer", "Answered"),
    ("usage", "Usage"),
    ("enrich", "Enriched"),
    ("link", "Linked"),
    ("unlink", "Unlinked"),
    ("forget, restore", "Forgotten"),
    ("erase", "Erasure"),
    ("erase --resume, erasures", "Vec<Erasure>"),
    ("backup, restore-backup", "BackedUp"),
    ("show", "Memory"),
    ("why", "Why"),
    ("related, similar, traverse", "Vec<Related>"),
    ("path", "Path"),
    ("entity", "EntityView"),
    ("facts", "Vec<Fact>"),
    ("facts add", "Fact"),
    ("conflicts", "Vec<FactConflict>"),
    ("hubs", "Vec<Hub>"),
    ("merge", "Merged"),
    ("merge --undo", "Unmerged"),
    ("merges", "MergeLog"),
    ("merges --suggest", "MergeLog"),
    ("merges --judge", "JudgedMerges"),
    ("merges --apply", "Merged"),
    ("merges --dismiss", "Suggestion"),
    ("notes, notes --undo", "Vec<Note>"),
    ("offers", "Vec<Offer>"),
    ("offers --refuse, --restore", "Forgotten"),
    ("recalls", "RecallLog"),
    ("recalls --compare", "ComparedRecalls"),
    ("timeline", "Timeline"),
    ("build-graphs", "BuiltGraphs"),
    ("gc", "Vec<GcCandidate>"),
    ("gc --keep", "Vec<Memory>"),
    ("ingest", "Ingested"),
    ("crawl, crawl-status", "CrawlProgress"),
    ("jobs", "Vec<Job>"),
    ("jobs show, pause, resume, cancel, retry", "Job"),
    ("sources", "Vec<SourceView>"),
    ("sources show", "SourceContent"),
    ("sources remove", "Forgotten"),
    ("sources tag", "SourceView"),
    ("sources refresh", "CrawlProgress"),
    ("status", "Status"),
    ("rollout, rollout plan, rollout set", "Rollout"),
    ("rollout judge", "Judged"),
    ("feedback", "Feedback"),
    ("verify, verify --list", "Verified"),
    ("verify --acknowledge", "Warning"),
    ("doctor", "Health"),
    ("reindex", "Reindexed"),
    ("import", "Imported"),
    ("demo", "Vec<Recall>"),
    ("workspace list", "Vec<WorkspaceView>"),
    ("workspace create, use", "WorkspaceView"),
    ("connect HOST", "Connected"),
    ("connect --list", "Vec<HostView>"),
];

const ROUTES: &[(&str, &str)] = &[
    ("GET /v1/events", "Changed"),
    ("GET, POST /api/sdk/v1/graph/status", "SdkStatus"),
    ("GET, POST, PATCH /api/sdk/v1/graph/rollout", "SdkRolloutReply"),
    ("POST, PATCH /api/sdk/v1/graph/rollout, refused", "SdkBlocked"),
    ("POST /api/sdk/v1/graph/trace", "SdkTraceReply"),
];

/// Every object of this crate.
#[cfg(test)]
pub(crate) fn objects() -> impl Iterator<Item = &'static ObjectDoc> {
    common().chain(sdk::OBJECTS)
}

fn common() -> impl Iterator<Item = &'static ObjectDoc> {
    let all = [
        recall::OBJECTS,
        recalls::OBJECTS,
        remember::OBJECTS,
        verb::OBJECTS,
        node::OBJECTS,
        status::OBJECTS,
        rollout::OBJECTS,
        host::OBJECTS,
        job::OBJECTS,
        erasure::OBJECTS,
        answer::OBJECTS,
        enriched::OBJECTS,
    ];
    all.into_iter().flatten()
}

/// Settings, their names in files, variables and flags, and their defaults.
pub fn settings_page() -> String {
    let mut page = format!("{MADE}\n# Settings\n\n");
    page.push_str(
        "Settings come from four places; later wins: defaults, `griot.toml` in `GRIOT_HOME` and then beside \
         the database of the workspace, environment variables `GRIOT_<BLOCK>_<KEY>`, and `--set \
         block.key=value` on the command line. An unknown name is an error that says which one was meant. \
         `griot config` prints every value with its origin, `griot config set KEY VALUE` writes one into the \
         workspace's file.\n",
    );
    page.push_str(AGENTS);
    knowledge(&mut page);
    let defaults = griot::engine::Settings::default();
    let mut block = "";
    for key in KEYS.iter().filter(|key| !key.name.starts_with("knowledge.")) {
        if key.block() != block {
            block = key.block();
            push(&mut page, format_args!("\n## {block}\n"));
            page.push_str("| key | default | holds | meaning | variable |\n|---|---|---|---|---|\n");
        }
        push(
            &mut page,
            format_args!(
                "| `{}` | `{}` | {} | {} | `{}` |",
                key.name,
                key.read(&defaults),
                key.kind,
                key.doc,
                key.variable()
            ),
        );
    }
    page.push_str(
        "\n## Retired settings\n\nConstants now: setting one has no effect and gives a warning. The next \
         version does not know them.\n\n| key | always |\n|---|---|\n",
    );
    for (name, value) in RETIRED {
        push(&mut page, format_args!("| `{name}` | `{value}` |"));
    }
    page.push_str("\n## Other variables\n\n| variable | meaning |\n|---|---|\n");
    for (name, doc) in OTHER_VARIABLES {
        push(&mut page, format_args!("| `{name}` | {doc} |"));
    }
    page.push_str("| `NO_COLOR` | Set to anything: no colours. |\n");
    page
}

/// What the names of the block `knowledge` mean.
fn knowledge(page: &mut String) {
    page.push_str(KNOWLEDGE_BLOCK);
    page.push_str("| name in `knowledge` | sets | |\n|---|---|---|\n");
    for (name, meaning) in KNOWLEDGE {
        let (sets, why) = match meaning {
            Meaning::Refused(why) => ("refused".to_string(), (*why).to_string()),
            Meaning::Sets(key) => {
                let key = KEYS.iter().find(|one| one.name == *key);
                let sets = key.map_or(&[][..], |key| key.sets).iter().map(|name| format!("`{name}`"));
                let note = key.filter(|key| key.is_alias()).map_or("", |key| key.doc);
                let sets = sets.collect::<Vec<_>>().join(", ");
                // A note that only repeats what is set says nothing.
                let note = if note == format!("Another name of {sets}.") { "" } else { note };
                let takes = key.map(|key| format!("takes {}", key.kind)).unwrap_or_default();
                (if sets.is_empty() { takes } else { sets }, note.to_string())
            }
        };
        push(page, format_args!("| `{}` | {sets} | {why} |", camel_case(name)));
    }
}

const KNOWLEDGE_BLOCK: &str = "
## The block knowledge

The names that a knowledge graph of another program gives its settings are read in `camelCase` and in
`snake_case`, at the top, for one agent and for all agents.

```toml
[knowledge.crawl]
maxPagesPerCrawl = 50

[agents.defaults.knowledge]
retrieval.graphExpansion.maxHops = 1

[agents.scout.knowledge.entityExtraction]
entityTypes = [\"person\", \"org\", \"concept\", \"repo\"]
```

Each name either sets the setting in the table or is refused with the reason; none is read and ignored. `true`
is the default of `enabled`. Documents that are ingested or crawled on request are read even if it is `false`:
then no rule looks for names in them.

";

const AGENTS: &str = "
## Agents

An agent may have settings of its own: everything in `remember`, `recall` (but `recall.ranker`), `graph`,
`ingest`, `crawl` and `hooks`, by which a single call decides. Hooks are those of `claude-code`.

```toml
[recall]
limit = 10

[agents.claude-code.recall]
limit = 5
effort = \"low\"

[agents.scout.remember]
entity_types = [\"person\", \"org\", \"concept\", \"repo\"]
```

`[agents.defaults.…]` is for all agents and for calls that name none: the same as the setting at the top. No
agent has this name.

They count when a call carries the agent's name: `--agent` of `griot remember`, `recall`, `ingest`, `watch`,
`crawl` and `sources refresh`, the keys `agent` and `scope.agentId` of a request over HTTP (`agentId` in an
address), and over MCP the same keys or else the name that the program gives itself (`clientInfo.name`). In
files what is said for the agent counts more than what is said for all; variables and `--set` are later
layers and win, `--set agents.NAME.block.key=value` over all. `griot config --agent NAME` prints what counts
for an agent, `griot config --agent NAME set KEY VALUE` writes it. Settings of the whole workspace or server
(`store`, `embedder`, `rollout`, `server`, `mcp`, `routing`, `hooks`) are the same for all agents; in an
agent's table they are errors.
";

fn push(page: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "{line}");
}

/// `top_node` as `topNode`.
fn camel(name: &str) -> String {
    let mut words = name.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_string();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        name + &head.to_uppercase() + tail
    })
}

fn sentence(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// A Rust type in the words of JSON.
fn kind(rust: &str) -> String {
    let rust = rust.replace(' ', "").replace("crate::", "");
    if let Some(inner) = rust.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("{} or null", kind(inner));
    }
    if let Some(inner) = rust.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("array of {}", kind(inner));
    }
    match rust.as_str() {
        "String" => "string".to_string(),
        "bool" => "true or false".to_string(),
        "u8" | "u32" | "u64" | "usize" | "f32" | "f64" => "number".to_string(),
        "Time" => "time".to_string(),
        "BTreeMap<String,u64>" => "object of numbers".to_string(),
        "BTreeMap<String,String>" => "object of strings".to_string(),
        name => linked(name),
    }
}

/// The type of a schema in the words of JSON.
fn described(schema: &Value) -> &'static str {
    let kind = &schema["type"];
    match kind.as_str().or_else(|| kind[0].as_str()) {
        Some("string") => "string",
        Some("integer" | "number") => "number",
        Some("array") if schema["items"]["type"] == "string" => "array of string",
        Some("array") => "array",
        _ => "object",
    }
}

fn linked(name: &str) -> String {
    match name.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>')) {
        Some(inner) => format!("array of {}", linked(inner)),
        None => format!("[{name}](#{})", name.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_that_the_page_names_is_on_it() {
        let page = json_page();
        for link in page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(objects().any(|object| object.name.to_lowercase() == link), "{link}");
        }
    }
}
