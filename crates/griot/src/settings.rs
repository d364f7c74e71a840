//! Every default of the engine, in one place. Front ends read the same names from `griot.toml`, `GRIOT_*` and
//! flags.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Settings by block. Names and values are what `griot config` prints.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    pub store: StoreSettings,
    pub remember: RememberSettings,
    pub recall: RecallSettings,
    pub graph: GraphSettings,
    pub ingest: IngestSettings,
    pub crawl: CrawlSettings,
    pub embedder: EmbedderSettings,
    pub hooks: HooksSettings,
    pub routing: RoutingSettings,
    pub rollout: RolloutSettings,
    pub server: ServerSettings,
    pub mcp: McpSettings,
}

/// What a hook may cost the host that calls it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HooksSettings {
    /// Tokens of memory beside one prompt, about four characters each.
    pub budget_tokens: usize,
    /// What is not ready after so many milliseconds is dropped.
    pub timeout_ms: u64,
}

impl Default for HooksSettings {
    fn default() -> Self {
        Self { budget_tokens: 800, timeout_ms: 300 }
    }
}

/// Which workspace a folder's memories go to when nobody names one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoutingSettings {
    pub mode: RoutingMode,
    /// Workspaces by host and owner of a repository, such as `github.com/acme`.
    pub organisations: BTreeMap<String, String>,
    /// The workspace of all other repositories.
    pub personal: String,
}

impl Default for RoutingSettings {
    fn default() -> Self {
        Self { mode: RoutingMode::Off, organisations: BTreeMap::new(), personal: "default".into() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoutingMode {
    /// The active workspace, wherever the folder lies.
    #[default]
    Off,
    /// By the git remote of the folder.
    Auto,
}

/// How `griot serve` listens and what it lets in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerSettings {
    /// Address and port.
    pub listen: String,
    /// Largest body of a request.
    pub body_limit_bytes: usize,
    /// How long a request may take, its body included; streams are not bounded once they have begun.
    pub request_timeout_ms: u64,
    /// How long a client may take to send its headers.
    pub header_timeout_ms: u64,
    /// How long requests that are under way may take to end when the server stops.
    pub shutdown_timeout_ms: u64,
    /// Origins of pages that may ask from a browser; none by default.
    pub cors_origins: Vec<String>,
    /// Names under which the server may be asked, beside those of this machine.
    pub hosts: Vec<String>,
    /// Requests per minute of a key that has no rate of its own; 0 is no limit.
    pub rate: u32,
    /// Streams of events that may be open at once.
    pub streams: usize,
    /// `text` or `json`, on standard error.
    pub log: LogFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogFormat {
    #[default]
    Text,
    Json,
    Off,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:4747".to_string(),
            body_limit_bytes: 8 * 1024 * 1024,
            request_timeout_ms: 60_000,
            header_timeout_ms: 10_000,
            shutdown_timeout_ms: 30_000,
            cors_origins: Vec::new(),
            hosts: Vec::new(),
            rate: 0,
            streams: 256,
            log: LogFormat::Text,
        }
    }
}

/// What agents are offered over MCP.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct McpSettings {
    /// Serve the tools under the names of older memory servers, too.
    pub compatibility: bool,
    /// Offer agents a tool that removes for good.
    pub erase: bool,
}

/// Which embedder a front end brings. The engine takes the one that it is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EmbedderSettings {
    pub model: EmbedderModel,
    /// The folder of a model that is not in the binary; empty for none.
    pub path: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EmbedderModel {
    /// The static model in the binary.
    #[default]
    Builtin,
    /// A sentence encoder such as all-MiniLM-L6-v2 from `path`.
    Minilm,
}

#[derive(Clone, PartialEq, Debug)]
pub struct StoreSettings {
    /// How long a writer waits for another one, in milliseconds.
    pub busy_timeout_ms: u64,
    /// An acknowledged write survives a power cut; `false` only survives a crash of the process.
    pub durable: bool,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self { busy_timeout_ms: 5000, durable: true }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct RememberSettings {
    /// Largest text of one memory, in bytes.
    pub max_text_bytes: usize,
    /// Cosine from which a semantic edge is made (Mnemon: 0.80).
    pub semantic_link: f32,
    /// Cosine from which a memory is offered as a candidate (Mnemon: 0.40).
    pub semantic_review: f32,
    pub max_semantic_edges: usize,
    pub max_semantic_candidates: usize,
    /// Share of common words from which a causal edge is made (Mnemon: 0.15).
    pub causal_overlap: f32,
    /// How many of the latest memories are looked at for causes (Mnemon: 10).
    pub causal_lookback: usize,
    pub max_causal_candidates: usize,
    /// Most entities that one memory mentions by rule; given ones come on top.
    pub max_entities: usize,
    /// Find names in texts by rule; `false` leaves those that the caller gives.
    pub entities: bool,
    /// Names of other types are not taken from texts; empty for all types.
    pub entity_types: Vec<String>,
    /// What is done about keys and passwords in texts.
    pub secrets: SecretPolicy,
    /// Hours after which a working memory expires that says nothing else (memories.sh: 24).
    pub working_hours: f64,
    /// Tags become topics that memories mention.
    pub topics: bool,
}

/// What is done about a text that holds a key or a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SecretPolicy {
    /// It is stored as it is, and flagged wherever it is shown.
    #[default]
    Keep,
    /// What it is stands in its place.
    Mask,
    /// The text is refused.
    Refuse,
}

impl Default for RememberSettings {
    fn default() -> Self {
        Self {
            max_text_bytes: 16 * 1024 * 1024,
            semantic_link: 0.80,
            semantic_review: 0.40,
            max_semantic_edges: 3,
            max_semantic_candidates: 5,
            causal_overlap: 0.15,
            causal_lookback: 10,
            max_causal_candidates: 10,
            max_entities: 50,
            entities: true,
            entity_types: Vec::new(),
            secrets: SecretPolicy::Keep,
            working_hours: 24.0,
            topics: true,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct RecallSettings {
    pub limit: usize,
    /// An answer whose best candidate is less relevant is empty. Relevance is half word coverage, half
    /// cosine: see `docs/concepts/recall.md`. `griot-eval noise` says how many off-topic questions stay
    /// unanswered.
    pub floor: f32,
    /// Share of words in common above which a result counts as saying the same as a better one.
    pub redundancy: f32,
    pub graph: bool,
    /// Edges that the walk follows from its starts, at most.
    pub graph_hops: usize,
    /// Memories that only the walk brings, at most.
    pub graph_memories: usize,
    /// How far a recall goes that does not say so itself.
    pub effort: Effort,
    /// Tokens of rules beside an answer, about four characters each; 0 shows none.
    pub rules_budget: usize,
    /// A file of ranking trees in place of the built-in ones; empty for those.
    pub ranker: String,
}

impl Default for RecallSettings {
    fn default() -> Self {
        Self {
            limit: 10,
            floor: 0.27,
            redundancy: 0.9,
            graph: true,
            // Three hops, and 300 nodes at normal effort, instead of four and 1,200 each changed nDCG@10 by
            // at most 0.002 on two measured sets.
            graph_hops: 3,
            graph_memories: 60,
            effort: Effort::default(),
            rules_budget: 400,
            ranker: String::new(),
        }
    }
}

/// How far a recall goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effort {
    /// For a prompt that waits: fewer candidates, a smaller piece of the graph.
    Low,
    #[default]
    Normal,
    /// For a question that is worth a tenth of a second.
    High,
}

impl Effort {
    pub const ALL: [Self; 3] = [Self::Low, Self::Normal, Self::High];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.name() == name.trim().to_ascii_lowercase())
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct GraphSettings {
    /// Edge families' weights by intent: causal, temporal, entity, semantic (Mnemon).
    pub why: [f32; 4],
    pub when: [f32; 4],
    pub entity: [f32; 4],
    pub general: [f32; 4],
    /// Rate at which confidence fades, per day; code and mentions never fade.
    pub decay_causal: f64,
    pub decay_temporal: f64,
    pub decay_entity: f64,
    pub decay_semantic: f64,
    /// Edges below are drawn dim.
    pub dim_below: f32,
    /// Edges below are left out of reasoning.
    pub min_confidence: f32,
}

impl Default for GraphSettings {
    fn default() -> Self {
        // 0.001 a day halves confidence in 693 days.
        Self {
            why: [0.70, 0.20, 0.05, 0.05],
            when: [0.15, 0.65, 0.10, 0.10],
            entity: [0.10, 0.05, 0.55, 0.30],
            general: [0.25, 0.25, 0.25, 0.25],
            decay_causal: 0.001,
            decay_temporal: 0.0,
            decay_entity: 0.001,
            decay_semantic: 0.001,
            dim_below: 0.2,
            min_confidence: 0.05,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct IngestSettings {
    pub max_file_bytes: u64,
    /// Memories per transaction.
    pub batch: usize,
    /// Formats or MIME types; all where there are none.
    pub allowed_types: Vec<String>,
    /// For one document that is read in a process of its own.
    pub reader_memory_bytes: u64,
    pub reader_seconds: u64,
}

impl Default for IngestSettings {
    fn default() -> Self {
        Self {
            max_file_bytes: 50 * 1024 * 1024,
            batch: 1000,
            allowed_types: Vec::new(),
            reader_memory_bytes: 1024 * 1024 * 1024,
            reader_seconds: 120,
        }
    }
}

/// How crawls go that say nothing else.
#[derive(Clone, PartialEq, Debug)]
pub struct CrawlSettings {
    pub max_pages: u64,
    /// Per host; 0 is as many as it answers.
    pub requests_per_second: f64,
    pub respect_robots: bool,
    pub user_agent: String,
    /// Also addresses of this machine and its networks.
    pub allow_private: bool,
}

impl Default for CrawlSettings {
    fn default() -> Self {
        Self {
            max_pages: 100,
            requests_per_second: 2.0,
            respect_robots: true,
            user_agent: concat!("griot/", env!("CARGO_PKG_VERSION")).into(),
            allow_private: false,
        }
    }
}

/// When the graph is trusted. Limits that depend on a workspace's traffic or on what its owner accepts; the others
/// are constants of `rollout`. Defaults that memories.sh documents are its values.
#[derive(Clone, PartialEq, Debug)]
pub struct RolloutSettings {
    /// Count what the graph does; without counts the gate does not move.
    pub metrics: bool,
    /// In `canary`, the share of the requests that name no strategy which get the graph, in percent.
    pub canary_percent: f64,
    /// Width of a window, in hours.
    pub window_hours: f64,
    /// Runs of the graph from which a window is judged.
    pub min_hybrid_samples: u64,
    /// Runs in shadow before `canary`.
    pub min_shadow_executions: u64,
    pub max_fallback_rate: f64,
    pub max_graph_error_fallback_rate: f64,
    /// How far the graph's nDCG@10 may lie below the baseline's.
    pub max_relevance_drop: f64,
}

impl Default for RolloutSettings {
    fn default() -> Self {
        Self {
            metrics: true,
            canary_percent: 0.0,
            window_hours: 24.0,
            min_hybrid_samples: 20,
            min_shadow_executions: 40,
            max_fallback_rate: 0.15,
            max_graph_error_fallback_rate: 0.05,
            max_relevance_drop: 0.02,
        }
    }
}

impl RolloutSettings {
    /// Width of a window, in milliseconds, at least a second.
    pub fn window_ms(&self) -> i64 {
        ((self.window_hours * 3_600_000.0) as i64).max(1000)
    }
}
