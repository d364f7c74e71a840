//! Every setting: its name, what it may hold, what it means, and where it lies in the engine's settings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use griot::engine::{EmbedderModel, LogFormat, RoutingMode, SecretPolicy, Settings};
use griot::model::EntityType;
use griot::recall::Effort;

/// One setting.
pub struct Key {
    /// `block.key`.
    pub name: &'static str,
    pub doc: &'static str,
    /// What it holds, in words.
    pub kind: &'static str,
    /// The setting that this is another name of (the names of the proposal that the settings follow).
    pub same_as: Option<&'static str>,
    read: fn(&Settings) -> String,
    write: fn(&mut Settings, &toml::Value) -> Result<(), String>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Key {
    /// The part before the last dot.
    pub fn block(&self) -> &'static str {
        self.name.rsplit_once('.').map_or("", |(block, _)| block)
    }

    /// The part after the last dot.
    pub fn short(&self) -> &'static str {
        self.name.rsplit_once('.').map_or(self.name, |(_, short)| short)
    }

    /// The name of the setting that is stored.
    pub fn target(&self) -> &'static str {
        self.same_as.unwrap_or(self.name)
    }

    /// An agent may have a value of its own: settings by which a single call decides. The trees of
    /// `recall.ranker` are read once for all.
    pub fn is_per_agent(&self) -> bool {
        let block = self.target().split('.').next().unwrap_or_default();
        matches!(block, "remember" | "recall" | "graph" | "ingest" | "crawl" | "hooks")
            && self.target() != "recall.ranker"
    }

    /// The environment variable, such as `GRIOT_RECALL_LIMIT`.
    pub fn variable(&self) -> String {
        super::variable(self.name)
    }

    /// The value as TOML.
    pub fn read(&self, settings: &Settings) -> String {
        (self.read)(settings)
    }

    /// Sets the value, or says what is wrong with it, as the end of a sentence.
    pub fn write(&self, settings: &mut Settings, value: &toml::Value) -> Result<(), String> {
        (self.write)(settings, value)
    }
}

/// What a setting may hold.
trait Holds: Sized {
    fn from_toml(value: &toml::Value) -> Option<Self>;
    fn to_toml(&self) -> String;
    /// Every number of it lies between the bounds.
    fn within(&self, bounds: (f64, f64)) -> bool;
}

macro_rules! whole_numbers {
    ($($kind:ty),*) => {$(
        impl Holds for $kind {
            fn from_toml(value: &toml::Value) -> Option<Self> {
                Self::try_from(value.as_integer()?).ok()
            }
            fn to_toml(&self) -> String {
                self.to_string()
            }
            fn within(&self, (low, high): (f64, f64)) -> bool {
                (low..=high).contains(&(*self as f64))
            }
        }
    )*};
}
whole_numbers!(u32, u64, usize);

macro_rules! fractions {
    ($($kind:ty),*) => {$(
        impl Holds for $kind {
            fn from_toml(value: &toml::Value) -> Option<Self> {
                let number = value.as_float().or_else(|| value.as_integer().map(|n| n as f64))?;
                number.is_finite().then_some(number as $kind)
            }
            fn to_toml(&self) -> String {
                format!("{self:?}")
            }
            fn within(&self, (low, high): (f64, f64)) -> bool {
                (low..=high).contains(&f64::from(*self))
            }
        }
    )*};
}
fractions!(f32, f64);

impl Holds for bool {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_bool()
    }
    fn to_toml(&self) -> String {
        self.to_string()
    }
    fn within(&self, _: (f64, f64)) -> bool {
        true
    }
}

impl Holds for String {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_str().map(str::to_string)
    }
    fn to_toml(&self) -> String {
        toml::Value::from(self.as_str()).to_string()
    }
    fn within(&self, _: (f64, f64)) -> bool {
        true
    }
}

macro_rules! choices {
    ($($kind:ident: $($name:literal $choice:ident),+;)*) => {$(
        impl Holds for $kind {
            fn from_toml(value: &toml::Value) -> Option<Self> {
                match value.as_str()?.trim().to_ascii_lowercase().as_str() {
                    $($name => Some(Self::$choice),)+
                    _ => None,
                }
            }
            fn to_toml(&self) -> String {
                match self {
                    $(Self::$choice => concat!('"', $name, '"'),)+
                }
                .to_string()
            }
            fn within(&self, _: (f64, f64)) -> bool {
                true
            }
        }
    )*};
}
choices! {
    Effort: "low" Low, "normal" Normal, "high" High;
    SecretPolicy: "keep" Keep, "mask" Mask, "refuse" Refuse;
    EmbedderModel: "builtin" Builtin, "minilm" Minilm;
    RoutingMode: "off" Off, "auto" Auto;
    LogFormat: "text" Text, "json" Json, "off" Off;
}

impl Holds for [f32; 4] {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        let numbers: Option<Vec<f32>> = value.as_array()?.iter().map(f32::from_toml).collect();
        numbers?.try_into().ok()
    }
    fn to_toml(&self) -> String {
        format!("{self:?}")
    }
    fn within(&self, bounds: (f64, f64)) -> bool {
        self.iter().all(|number| number.within(bounds))
    }
}

impl Holds for BTreeMap<String, String> {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value
            .as_table()?
            .iter()
            .map(|(key, value)| Some((key.clone(), value.as_str()?.to_string())))
            .collect()
    }
    fn to_toml(&self) -> String {
        let pair = |(key, value): (&String, &String)| {
            format!("{} = {}", serde_json::Value::from(key.as_str()), serde_json::Value::from(value.as_str()))
        };
        let pairs: Vec<String> = self.iter().map(pair).collect();
        if pairs.is_empty() { "{}".to_string() } else { format!("{{ {} }}", pairs.join(", ")) }
    }
    fn within(&self, _: (f64, f64)) -> bool {
        true
    }
}

/// Strings separated by commas, or an array of them.
impl Holds for Vec<String> {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        if let Some(text) = value.as_str() {
            return Some(
                text.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_string).collect(),
            );
        }
        value.as_array()?.iter().map(|one| one.as_str().map(str::to_string)).collect()
    }
    fn to_toml(&self) -> String {
        // An array of strings in JSON is one in TOML too.
        serde_json::Value::from(self.clone()).to_string()
    }
    fn within(&self, _: (f64, f64)) -> bool {
        true
    }
}

impl Holds for PathBuf {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_str().map(Self::from)
    }
    fn to_toml(&self) -> String {
        // A string of JSON is one of TOML too, and `config --json` needs the former.
        serde_json::Value::from(self.to_string_lossy()).to_string()
    }
    fn within(&self, _: (f64, f64)) -> bool {
        true
    }
}

fn checked<T: Holds>(value: &toml::Value, bounds: (f64, f64), kind: &str) -> Result<T, String> {
    T::from_toml(value).filter(|held| held.within(bounds)).ok_or_else(|| format!("takes {kind}, not {value}"))
}

/// Names of types of entities, or what is wrong with them.
fn entity_types(value: &toml::Value) -> Result<Vec<String>, String> {
    let types: Vec<String> =
        checked(value, (0.0, 0.0), "types of entities, such as `[\"person\", \"tool\"]`")?;
    match types.iter().find(|name| EntityType::parse(name).is_none()) {
        Some(unknown) => Err(format!("takes types of entities, and there is no type `{unknown}`")),
        None => Ok(types),
    }
}

/// `name: place in the settings [bounds of its numbers, or a function that reads it], what it holds in words,
/// what it means`.
macro_rules! keys {
    (@value $value:ident, $kind:literal, in $low:literal .. $high:literal) => {
        checked($value, ($low, $high), $kind)?
    };
    (@value $value:ident, $kind:literal, as $read:ident) => {
        $read($value)?
    };
    ($($name:literal: $block:ident.$field:ident [$($how:tt)+], $kind:literal, $doc:literal;)*) => {
        /// Every setting, by block.
        pub const KEYS: &[Key] = &[
            $(Key {
                name: $name,
                doc: $doc,
                kind: $kind,
                same_as: None,
                read: |settings| settings.$block.$field.to_toml(),
                write: |settings, value| {
                    settings.$block.$field = keys!(@value value, $kind, $($how)+);
                    Ok(())
                },
            },)*
            Key {
                name: "entity_extraction.enabled",
                doc: "Another name of `remember.entities`.",
                kind: "`true` or `false`",
                same_as: Some("remember.entities"),
                read: |settings| settings.remember.entities.to_toml(),
                write: |settings, value| {
                    settings.remember.entities = checked(value, (0.0, 0.0), "`true` or `false`")?;
                    Ok(())
                },
            },
            Key {
                name: "entity_extraction.entity_types",
                doc: "Another name of `remember.entity_types`.",
                kind: "types of entities",
                same_as: Some("remember.entity_types"),
                read: |settings| settings.remember.entity_types.to_toml(),
                write: |settings, value| {
                    settings.remember.entity_types = entity_types(value)?;
                    Ok(())
                },
            },
            Key {
                name: "retrieval.graph_expansion.enabled",
                doc: "Another name of `recall.graph`.",
                kind: "`true` or `false`",
                same_as: Some("recall.graph"),
                read: |settings| settings.recall.graph.to_toml(),
                write: |settings, value| {
                    settings.recall.graph = checked(value, (0.0, 0.0), "`true` or `false`")?;
                    Ok(())
                },
            },
            Key {
                name: "retrieval.graph_expansion.max_hops",
                doc: "Another name of `recall.graph_hops`, counted in nodes between two memories: one less than the edges.",
                kind: "a number from 0 to 2",
                same_as: Some("recall.graph_hops"),
                read: |settings| settings.recall.graph_hops.saturating_sub(1).to_string(),
                write: |settings, value| {
                    let between: usize = checked(value, (0.0, 2.0), "a number from 0 to 2")?;
                    settings.recall.graph_hops = between + 1;
                    Ok(())
                },
            },
            Key {
                name: "retrieval.graph_expansion.max_chunks",
                doc: "Another name of `recall.graph_memories`.",
                kind: "a number from 0 to 60",
                same_as: Some("recall.graph_memories"),
                read: |settings| settings.recall.graph_memories.to_string(),
                write: |settings, value| {
                    settings.recall.graph_memories = checked(value, (0.0, 60.0), "a number from 0 to 60")?;
                    Ok(())
                },
            },
            Key {
                name: "ingestion.allowed_mime_types",
                doc: "Another name of `ingest.allowed_types`.",
                kind: "formats or MIME types",
                same_as: Some("ingest.allowed_types"),
                read: |settings| settings.ingest.allowed_types.to_toml(),
                write: |settings, value| {
                    settings.ingest.allowed_types = checked(value, (0.0, 0.0), "formats or MIME types")?;
                    Ok(())
                },
            },
            Key {
                name: "ingestion.max_file_size_mb",
                doc: "Another name of `ingest.max_file_bytes`, in units of 1024 × 1024 bytes.",
                kind: "a number from 1 to 65536",
                same_as: Some("ingest.max_file_bytes"),
                read: |settings| (settings.ingest.max_file_bytes >> 20).to_string(),
                write: |settings, value| {
                    let megabytes: u64 = checked(value, (1.0, 65536.0), "a number from 1 to 65536")?;
                    settings.ingest.max_file_bytes = megabytes << 20;
                    Ok(())
                },
            },
        ];
    };
}

keys! {
    "store.busy_timeout_ms": store.busy_timeout_ms [in 0.0..3600000.0], "milliseconds, 0 to 3600000",
        "How long a writer waits for another one.";
    "store.durable": store.durable [in 0.0..0.0], "`true` or `false`",
        "An acknowledged write survives a power cut; `false` only survives a crash of the process.";
    "remember.max_text_bytes": remember.max_text_bytes [in 1.0..1073741824.0], "bytes, 1 to 1073741824",
        "The largest text of one memory.";
    "remember.semantic_link": remember.semantic_link [in 0.0..1.0], "a number from 0 to 1",
        "Likeness (cosine) from which a semantic edge is made.";
    "remember.semantic_review": remember.semantic_review [in 0.0..1.0], "a number from 0 to 1",
        "Likeness (cosine) from which a memory is offered as a candidate.";
    "remember.max_semantic_edges": remember.max_semantic_edges [in 0.0..1000.0], "a number from 0 to 1000",
        "Most semantic edges that one write makes.";
    "remember.max_semantic_candidates": remember.max_semantic_candidates [in 0.0..1000.0], "a number from 0 to 1000",
        "Most semantic candidates that one write offers.";
    "remember.causal_overlap": remember.causal_overlap [in 0.0..1.0], "a number from 0 to 1",
        "Share of common words from which a causal edge is made.";
    "remember.causal_lookback": remember.causal_lookback [in 0.0..10000.0], "a number from 0 to 10000",
        "How many of the latest memories are looked at for causes.";
    "remember.max_causal_candidates": remember.max_causal_candidates [in 0.0..1000.0], "a number from 0 to 1000",
        "Most causal candidates that one write offers.";
    "remember.max_entities": remember.max_entities [in 0.0..10000.0], "a number from 0 to 10000",
        "Most entities that the rules find in one memory; given ones come on top.";
    "remember.entities": remember.entities [in 0.0..0.0], "`true` or `false`",
        "Find names in texts by rule; `false` leaves those that the caller gives.";
    "remember.entity_types": remember.entity_types [as entity_types], "types of entities; empty for all",
        "Only names of these types are taken from texts, such as `[\"person\", \"tool\"]`; `concept` is what has no other. Given names count in any case.";
    "remember.secrets": remember.secrets [in 0.0..0.0], "`keep`, `mask` or `refuse`",
        "What is done about keys and passwords in texts. Kept ones are flagged wherever they are shown.";
    "remember.working_hours": remember.working_hours [in 0.0..876000.0], "a number of hours",
        "Hours after which a working memory expires that says nothing else.";
    "remember.topics": remember.topics [in 0.0..0.0], "`true` or `false`",
        "Tags of memories become topics that they mention, so that walks lead from one to another.";
    "recall.rules_budget": recall.rules_budget [in 0.0..100000.0], "a number from 0 to 100000",
        "Tokens of standing rules beside an answer; 0 shows none.";
    "recall.limit": recall.limit [in 1.0..10000.0], "a number from 1 to 10000",
        "How many results `recall` returns at most.";
    "recall.floor": recall.floor [in -1000.0..1000.0], "a number",
        "Relevance (not score) that the best candidate must reach, else the answer is empty; see docs/concepts/recall.md.";
    "recall.redundancy": recall.redundancy [in 0.0..1.0], "a number from 0 to 1",
        "Share of common words above which a result says the same as a better one and is left out.";
    "recall.graph": recall.graph [in 0.0..0.0], "`true` or `false`",
        "Walk the graph; `false` answers from words, vectors and time alone.";
    "recall.graph_hops": recall.graph_hops [in 1.0..3.0], "a number from 1 to 3",
        "How many edges the walk follows at most; a node between two memories is two.";
    "recall.graph_memories": recall.graph_memories [in 0.0..60.0], "a number from 0 to 60",
        "How many memories that only the walk brings may become candidates.";
    "recall.effort": recall.effort [in 0.0..0.0], "`low`, `normal` or `high`",
        "How far a recall goes that does not say so itself.";
    "recall.ranker": recall.ranker [in 0.0..0.0], "a path, or nothing",
        "A file of ranking trees in place of the built-in ones.";
    "graph.why": graph.why [in 0.0..1.0], "four numbers from 0 to 1",
        "Weights of causal, temporal, entity and semantic edges for questions that ask why.";
    "graph.when": graph.when [in 0.0..1.0], "four numbers from 0 to 1",
        "The same weights for questions that ask when.";
    "graph.entity": graph.entity [in 0.0..1.0], "four numbers from 0 to 1",
        "The same weights for questions that ask who or what.";
    "graph.general": graph.general [in 0.0..1.0], "four numbers from 0 to 1",
        "The same weights for all other questions.";
    "graph.decay_causal": graph.decay_causal [in 0.0..10.0], "a rate per day, 0 to 10",
        "How fast confidence in causal edges fades; 0.001 halves it in 693 days.";
    "graph.decay_temporal": graph.decay_temporal [in 0.0..10.0], "a rate per day, 0 to 10",
        "How fast confidence in temporal edges fades.";
    "graph.decay_entity": graph.decay_entity [in 0.0..10.0], "a rate per day, 0 to 10",
        "How fast confidence in relations between entities fades; code and mentions never fade.";
    "graph.decay_semantic": graph.decay_semantic [in 0.0..10.0], "a rate per day, 0 to 10",
        "How fast confidence in semantic edges fades.";
    "graph.dim_below": graph.dim_below [in 0.0..1.0], "a number from 0 to 1",
        "Edges of less confidence are drawn dim.";
    "graph.min_confidence": graph.min_confidence [in 0.0..1.0], "a number from 0 to 1",
        "Edges of less confidence are left out of reasoning.";
    "ingest.max_file_bytes": ingest.max_file_bytes [in 1.0..68719476736.0], "bytes, 1 to 68719476736",
        "Larger files are reported and left out.";
    "ingest.batch": ingest.batch [in 1.0..1000000.0], "a number from 1 to 1000000",
        "Memories per transaction.";
    "ingest.allowed_types": ingest.allowed_types [in 0.0..0.0], "formats or MIME types; empty for all",
        "Only documents of these kinds are taken in, such as `[\"markdown\", \"application/pdf\"]`; others are reported.";
    "ingest.reader_memory_bytes": ingest.reader_memory_bytes [in 67108864.0..68719476736.0], "bytes, 67108864 to 68719476736",
        "Memory for reading one PDF, office document, book, page, archive or database. One that takes more is reported and left out.";
    "ingest.reader_seconds": ingest.reader_seconds [in 1.0..86400.0], "seconds, 1 to 86400",
        "Time for reading one of them. One that takes longer is reported and left out.";
    "crawl.max_pages_per_crawl": crawl.max_pages [in 1.0..10000000.0], "a number from 1 to 10000000",
        "Pages of one crawl, if it does not say so itself.";
    "crawl.requests_per_second": crawl.requests_per_second [in 0.0..1000.0], "a number from 0 to 1000",
        "How often one host is asked; 0 is as often as it answers. A site's own Crawl-delay counts if it is slower.";
    "crawl.respect_robots_txt": crawl.respect_robots [in 0.0..0.0], "`true` or `false`",
        "Keep to what a site asks of robots. `false` is for your own sites.";
    "crawl.user_agent": crawl.user_agent [in 0.0..0.0], "a text",
        "How a crawl introduces itself. What stands before the first `/` is the name that robots.txt may address.";
    "crawl.allow_private": crawl.allow_private [in 0.0..0.0], "`true` or `false`",
        "Crawls may ask addresses of this machine and its networks, too, whoever starts them.";
    "embedder.model": embedder.model [in 0.0..0.0], "`\"builtin\"` or `\"minilm\"`",
        "What makes vectors: the model in the binary, or a sentence encoder from `embedder.path` (a build with the feature `minilm`). Changing it takes `griot reindex --embed`; see docs/guides/minilm.md.";
    "embedder.path": embedder.path [in 0.0..0.0], "a path",
        "The folder of all-MiniLM-L6-v2 or another BERT sentence encoder.";
    "hooks.budget_tokens": hooks.budget_tokens [in 50.0..2000.0], "a number from 50 to 2000",
        "Tokens of memory that a hook puts beside one prompt, at most.";
    "hooks.timeout_ms": hooks.timeout_ms [in 10.0..10000.0], "milliseconds, 10 to 10000",
        "What a hook has not found by then is dropped; the prompt waits no longer.";
    "routing.mode": routing.mode [in 0.0..0.0], "`\"off\"` or `\"auto\"`",
        "Which workspace is used when none is named: the active one, or the one of the folder's git remote. Read from the file for all workspaces; see docs/guides/hosts.md.";
    "routing.organisations": routing.organisations [in 0.0..0.0], "a table of workspaces by host and owner",
        "Workspaces of organisations, such as `{ \"github.com/acme\" = \"acme\" }`.";
    "routing.personal": routing.personal [in 0.0..0.0], "the name of a workspace",
        "The workspace of repositories that belong to no organisation of the table.";
    "rollout.metrics": rollout.metrics [in 0.0..0.0], "`true` or `false`",
        "Count what the graph does, behind the answers. Without counts the gate does not move.";
    "rollout.canary_percent": rollout.canary_percent [in 0.0..100.0], "percent, 0 to 100",
        "In the mode `canary`, the share of the requests that do not say what they want which get the graph.";
    "rollout.window_hours": rollout.window_hours [in 0.0003..168.0], "hours, up to 168",
        "Width of a window. Only windows that have ended are judged.";
    "rollout.min_hybrid_samples": rollout.min_hybrid_samples [in 1.0..1000000.0], "a number from 1 to 1000000",
        "Runs of the graph from which a window is judged.";
    "rollout.max_fallback_rate": rollout.max_fallback_rate [in 0.0..1.0], "a number from 0 to 1",
        "Share of the requests for the graph that may fail, of those that nobody held back.";
    "rollout.max_graph_error_fallback_rate": rollout.max_graph_error_fallback_rate [in 0.0..1.0], "a number from 0 to 1",
        "Share of the runs of the graph that may fail, those in shadow among them.";
    "rollout.min_shadow_executions": rollout.min_shadow_executions [in 0.0..1000000.0], "a number from 0 to 1000000",
        "Runs in shadow, in one window, before `canary` is advised.";
    "rollout.max_relevance_drop": rollout.max_relevance_drop [in 0.0..1.0], "a number from 0 to 1",
        "How far the nDCG@10 of the graph may lie below that of the baseline.";
    "server.listen": server.listen [in 0.0..0.0], "an address and a port",
        "Where `griot serve` listens. Beyond this machine only with a key; see docs/guides/server.md.";
    "server.body_limit_bytes": server.body_limit_bytes [in 1024.0..1073741824.0], "bytes, 1024 to 1073741824",
        "The largest body of a request.";
    "server.request_timeout_ms": server.request_timeout_ms [in 100.0..3600000.0], "milliseconds, 100 to 3600000",
        "How long a request may take, its body included.";
    "server.header_timeout_ms": server.header_timeout_ms [in 100.0..3600000.0], "milliseconds, 100 to 3600000",
        "How long a client may take to send its headers.";
    "server.shutdown_timeout_ms": server.shutdown_timeout_ms [in 0.0..3600000.0], "milliseconds, 0 to 3600000",
        "How long requests that are under way may take to end when the server stops.";
    "server.cors_origins": server.cors_origins [in 0.0..0.0], "origins, such as `https://app.example.com`",
        "Pages that may ask from a browser; none by default.";
    "server.hosts": server.hosts [in 0.0..0.0], "host names",
        "Names under which the server may be asked, beside those of this machine.";
    "server.rate": server.rate [in 0.0..1000000.0], "a number from 0 to 1000000",
        "Requests per minute of a key that has no rate of its own; 0 is no limit.";
    "server.streams": server.streams [in 0.0..100000.0], "a number from 0 to 100000",
        "Streams of events (`GET /v1/events`) that may be open at once.";
    "server.log": server.log [in 0.0..0.0], "`text`, `json` or `off`",
        "How the server logs requests on standard error.";
    "mcp.compatibility": mcp.compatibility [in 0.0..0.0], "`true` or `false`",
        "Serve tools under the names of older memory servers, too; see docs/guides/mcp.md.";
    "mcp.erase": mcp.erase [in 0.0..0.0], "`true` or `false`",
        "Offer agents the tool `erase`, which removes for good; see docs/guides/erase.md.";
}

/// Settings that are constants now, with the value that they always have. Wherever one is set, it is passed over with
/// a warning; the next version does not know them.
pub const RETIRED: &[(&str, &str)] = &[
    ("rollout.min_canary_samples_for_relevance", "12"),
    ("rollout.max_fallback_rate_increase", "0.07"),
    ("rollout.max_graph_error_rate_increase", "0.03"),
    ("rollout.min_expansion_coverage_rate", "0.1"),
    ("rollout.max_expansion_coverage_drop", "0.25"),
    ("rollout.max_candidate_lift_drop_ratio", "0.35"),
    ("rollout.min_graph_candidates", "1.0"),
    ("rollout.min_judged_queries", "5"),
    ("rollout.min_feedback", "10"),
    ("rollout.max_bad_feedback_rate", "0.5"),
    ("rollout.min_overlap", "0.2"),
    ("rollout.max_slowdown", "5.0"),
    ("rollout.cooldown_windows", "1"),
    ("rollout.probe_percent", "20.0"),
    ("rollout.min_probes", "5"),
    ("rollout.autopilot", "false"),
    ("rollout.autopilot_windows", "2"),
];

/// What is said to somebody who sets a retired setting; `None` for any other name.
pub fn retired(name: &str) -> Option<String> {
    let (_, value) = RETIRED.iter().find(|(retired, _)| *retired == name)?;
    Some(format!("`{name}` is no longer a setting and has no effect: it is always {value}"))
}
