//! Every setting of the engine and its front ends, declared once: what it means, its default, what it may hold.
//! `griot-wire` reads it from `griot.toml`, `GRIOT_*` and flags, and makes the reference page of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Hands the declaration of all settings to a macro: by block, `name: type = default, "what it may hold"`,
/// and bounds where these are numbers.
#[macro_export]
macro_rules! each_setting {
    ($then:ident) => {
        $then! {
            store: StoreSettings {
                /// How long a writer waits for another one.
                busy_timeout_ms: u64 = 5000, "milliseconds, 0 to 3600000" in 0.0..3600000.0;
                /// An acknowledged write survives a power cut; `false` only survives a crash of the process.
                durable: bool = true, "`true` or `false`";
            }

            remember: RememberSettings {
                /// The largest text of one memory.
                max_text_bytes: usize = 16 * 1024 * 1024, "bytes, 1 to 1073741824" in 1.0..1073741824.0;
                /// Likeness (cosine) from which a semantic edge is made.
                // Mnemon: 0.80.
                semantic_link: f32 = 0.80, "a number from 0 to 1" in 0.0..1.0;
                /// Likeness (cosine) from which a memory is offered as a candidate.
                // Mnemon: 0.40.
                semantic_review: f32 = 0.40, "a number from 0 to 1" in 0.0..1.0;
                /// Most semantic edges that one write makes.
                max_semantic_edges: usize = 3, "a number from 0 to 1000" in 0.0..1000.0;
                /// Most semantic candidates that one write offers.
                max_semantic_candidates: usize = 5, "a number from 0 to 1000" in 0.0..1000.0;
                /// Share of common words from which a causal edge is made.
                // Mnemon: 0.15.
                causal_overlap: f32 = 0.15, "a number from 0 to 1" in 0.0..1.0;
                /// How many of the latest memories are looked at for causes.
                // Mnemon: 10.
                causal_lookback: usize = 10, "a number from 0 to 10000" in 0.0..10000.0;
                /// Most causal candidates that one write offers.
                max_causal_candidates: usize = 10, "a number from 0 to 1000" in 0.0..1000.0;
                /// Most entities that the rules find in one memory; given ones come on top.
                max_entities: usize = 50, "a number from 0 to 10000" in 0.0..10000.0;
                /// Find names in texts by rule; `false` leaves those that the caller gives.
                entities: bool = true, "`true` or `false`";
                /// Only names of these types are taken from texts, such as `["person", "tool"]`; `concept` is
                /// what has no other. Given names count in any case.
                entity_types: Vec<String> = Vec::new(), "types of entities; empty for all";
                /// What is done about keys and passwords in texts. Kept ones are flagged wherever they are
                /// shown.
                secrets: SecretPolicy = SecretPolicy::Keep, "`keep`, `mask` or `refuse`";
                /// Hours after which a working memory expires that says nothing else.
                // memories.sh: 24.
                working_hours: f64 = 24.0, "a number of hours" in 0.0..876000.0;
                /// Tags of memories become topics that they mention, so that walks lead from one to another.
                topics: bool = true, "`true` or `false`";
            }

            recall: RecallSettings {
                /// Tokens of standing rules beside an answer; 0 shows none.
                rules_budget: usize = 400, "a number from 0 to 100000" in 0.0..100000.0;
                /// How many results `recall` returns at most.
                limit: usize = 10, "a number from 1 to 10000" in 1.0..10000.0;
                /// Relevance (not score) that the best candidate must reach, else the answer is empty; see
                /// docs/concepts/recall.md.
                // Relevance is half word coverage, half cosine. `griot-eval noise` says how many off-topic
                // questions stay unanswered.
                floor: f32 = 0.27, "a number" in -1000.0..1000.0;
                /// Share of common words above which a result says the same as a better one and is left out.
                redundancy: f32 = 0.9, "a number from 0 to 1" in 0.0..1.0;
                /// Walk the graph; `false` answers from words, vectors and time alone.
                graph: bool = true, "`true` or `false`";
                /// How many edges the walk follows at most; a node between two memories is two.
                // Three hops, and 300 nodes at normal effort, instead of four and 1,200 each changed nDCG@10 by
                // at most 0.002 on two measured sets.
                graph_hops: usize = 3, "a number from 1 to 3" in 1.0..3.0;
                /// How many memories that only the walk brings may become candidates.
                graph_memories: usize = 60, "a number from 0 to 60" in 0.0..60.0;
                /// How far a recall goes that does not say so itself.
                effort: Effort = Effort::default(), "`low`, `normal` or `high`";
                /// A file of ranking trees in place of the built-in ones.
                ranker: String = String::new(), "a path, or nothing";
            }

            graph: GraphSettings {
                /// Weights of causal, temporal, entity and semantic edges for questions that ask why.
                // All weights are Mnemon's.
                why: [f32; 4] = [0.70, 0.20, 0.05, 0.05], "four numbers from 0 to 1" in 0.0..1.0;
                /// The same weights for questions that ask when.
                when: [f32; 4] = [0.15, 0.65, 0.10, 0.10], "four numbers from 0 to 1" in 0.0..1.0;
                /// The same weights for questions that ask who or what.
                entity: [f32; 4] = [0.10, 0.05, 0.55, 0.30], "four numbers from 0 to 1" in 0.0..1.0;
                /// The same weights for all other questions.
                general: [f32; 4] = [0.25, 0.25, 0.25, 0.25], "four numbers from 0 to 1" in 0.0..1.0;
                /// How fast confidence in causal edges fades; 0.001 halves it in 693 days.
                decay_causal: f64 = 0.001, "a rate per day, 0 to 10" in 0.0..10.0;
                /// How fast confidence in temporal edges fades.
                decay_temporal: f64 = 0.0, "a rate per day, 0 to 10" in 0.0..10.0;
                /// How fast confidence in relations between entities fades; code and mentions never fade.
                decay_entity: f64 = 0.001, "a rate per day, 0 to 10" in 0.0..10.0;
                /// How fast confidence in semantic edges fades.
                decay_semantic: f64 = 0.001, "a rate per day, 0 to 10" in 0.0..10.0;
                /// Edges of less confidence are drawn dim.
                dim_below: f32 = 0.2, "a number from 0 to 1" in 0.0..1.0;
                /// Edges of less confidence are left out of reasoning.
                min_confidence: f32 = 0.05, "a number from 0 to 1" in 0.0..1.0;
            }

            ingest: IngestSettings {
                /// Larger files are reported and left out.
                max_file_bytes: u64 = 50 * 1024 * 1024, "bytes, 1 to 68719476736" in 1.0..68719476736.0;
                /// Memories per transaction.
                batch: usize = 1000, "a number from 1 to 1000000" in 1.0..1000000.0;
                /// Only documents of these kinds are taken in, such as `["markdown", "application/pdf"]`;
                /// others are reported.
                allowed_types: Vec<String> = Vec::new(), "formats or MIME types; empty for all";
                /// Memory for reading one PDF, office document, book, page, archive or database. One that
                /// takes more is reported and left out.
                reader_memory_bytes: u64 =
                    1024 * 1024 * 1024, "bytes, 67108864 to 68719476736" in 67108864.0..68719476736.0;
                /// Time for reading one of them. One that takes longer is reported and left out.
                reader_seconds: u64 = 120, "seconds, 1 to 86400" in 1.0..86400.0;
            }

            /// How crawls go that say nothing else.
            crawl: CrawlSettings {
                /// Pages of one crawl, if it does not say so itself.
                max_pages_per_crawl: u64 = 100, "a number from 1 to 10000000" in 1.0..10000000.0;
                /// How often one host is asked; 0 is as often as it answers. A site's own Crawl-delay counts
                /// if it is slower.
                requests_per_second: f64 = 2.0, "a number from 0 to 1000" in 0.0..1000.0;
                /// Keep to what a site asks of robots. `false` is for your own sites.
                respect_robots_txt: bool = true, "`true` or `false`";
                /// How a crawl introduces itself. What stands before the first `/` is the name that
                /// robots.txt may address.
                user_agent: String = concat!("griot/", env!("CARGO_PKG_VERSION")).into(), "a text";
                /// Crawls may ask addresses of this machine and its networks, too, whoever starts them.
                allow_private: bool = false, "`true` or `false`";
            }

            /// Which embedder a front end brings. The engine takes the one that it is given.
            embedder: EmbedderSettings {
                /// What makes vectors: the model in the binary, or a sentence encoder from `embedder.path` (a
                /// build with the feature `minilm`). Changing it takes `griot reindex --embed`; see
                /// docs/guides/minilm.md.
                model: EmbedderModel = EmbedderModel::Builtin, "`\"builtin\"` or `\"minilm\"`";
                /// The folder of all-MiniLM-L6-v2 or another BERT sentence encoder.
                path: PathBuf = PathBuf::new(), "a path";
            }

            /// What a hook may cost the host that calls it.
            hooks: HooksSettings {
                /// Tokens of memory that a hook puts beside one prompt, at most.
                budget_tokens: usize = 800, "a number from 50 to 2000" in 50.0..2000.0;
                /// What a hook has not found by then is dropped; the prompt waits no longer.
                timeout_ms: u64 = 300, "milliseconds, 10 to 10000" in 10.0..10000.0;
            }

            /// Which workspace a folder's memories go to when nobody names one.
            routing: RoutingSettings {
                /// Which workspace is used when none is named: the active one, or the one of the folder's git
                /// remote. Read from the file for all workspaces; see docs/guides/hosts.md.
                mode: RoutingMode = RoutingMode::Off, "`\"off\"` or `\"auto\"`";
                /// Workspaces of organisations, such as `{ "github.com/acme" = "acme" }`.
                organisations: BTreeMap<String, String> =
                    BTreeMap::new(), "a table of workspaces by host and owner";
                /// The workspace of repositories that belong to no organisation of the table.
                personal: String = "default".into(), "the name of a workspace";
            }

            /// When the graph is trusted. Limits that depend on a workspace's traffic or on what its owner accepts;
            /// the others are constants of `rollout`. Defaults that memories.sh documents are its values.
            rollout: RolloutSettings {
                /// Count what the graph does, behind the answers. Without counts the gate does not move.
                metrics: bool = true, "`true` or `false`";
                /// In the mode `canary`, the share of the requests that do not say what they want which get
                /// the graph.
                canary_percent: f64 = 0.0, "percent, 0 to 100" in 0.0..100.0;
                /// Width of a window. Only windows that have ended are judged.
                window_hours: f64 = 24.0, "hours, up to 168" in 0.0003..168.0;
                /// Runs of the graph from which a window is judged.
                min_hybrid_samples: u64 = 20, "a number from 1 to 1000000" in 1.0..1000000.0;
                /// Share of the requests for the graph that may fail, of those that policy did not hold back.
                max_fallback_rate: f64 = 0.15, "a number from 0 to 1" in 0.0..1.0;
                /// Share of the runs of the graph that may fail, those in shadow among them.
                max_graph_error_fallback_rate: f64 = 0.05, "a number from 0 to 1" in 0.0..1.0;
                /// Runs in shadow, in one window, before `canary` is advised.
                min_shadow_executions: u64 = 40, "a number from 0 to 1000000" in 0.0..1000000.0;
                /// How far the nDCG@10 of the graph may lie below that of the baseline.
                max_relevance_drop: f64 = 0.02, "a number from 0 to 1" in 0.0..1.0;
            }

            /// How `griot serve` listens and what it lets in.
            server: ServerSettings {
                /// Where `griot serve` listens. Beyond this machine only with a key; see
                /// docs/guides/server.md.
                listen: String = "127.0.0.1:4747".into(), "an address and a port";
                /// The largest body of a request.
                body_limit_bytes: usize = 8 * 1024 * 1024, "bytes, 1024 to 1073741824"
                in 1024.0..1073741824.0;
                /// How long a request may take, its body included.
                request_timeout_ms: u64 = 60_000, "milliseconds, 100 to 3600000" in 100.0..3600000.0;
                /// How long a client may take to send its headers.
                header_timeout_ms: u64 = 10_000, "milliseconds, 100 to 3600000" in 100.0..3600000.0;
                /// How long requests that are under way may take to end when the server stops.
                shutdown_timeout_ms: u64 = 30_000, "milliseconds, 0 to 3600000" in 0.0..3600000.0;
                /// Pages that may ask from a browser; none by default.
                cors_origins: Vec<String> = Vec::new(), "origins, such as `https://app.example.com`";
                /// Names under which the server may be asked, beside those of this machine.
                hosts: Vec<String> = Vec::new(), "host names";
                /// Requests per minute of a key that has no rate of its own; 0 is no limit.
                rate: u32 = 0, "a number from 0 to 1000000" in 0.0..1000000.0;
                /// Streams of events (`GET /v1/events`) that may be open at once.
                streams: usize = 256, "a number from 0 to 100000" in 0.0..100000.0;
                /// How the server logs requests on standard error.
                log: LogFormat = LogFormat::Text, "`text`, `json` or `off`";
            }

            /// What agents are offered over MCP.
            mcp: McpSettings {
                /// Serve tools under the names of older memory servers, too; see docs/guides/mcp.md.
                compatibility: bool = false, "`true` or `false`";
                /// Offer agents the tool `erase`, which removes for good; see docs/guides/erase.md.
                erase: bool = false, "`true` or `false`";
            }
        }
    };
}

macro_rules! declare {
    ($($(#[$about:meta])* $block:ident: $settings:ident {$(
        $(#[$doc:meta])* $name:ident: $kind:ty = $default:expr,
        $holds:literal $(in $low:literal..$high:literal)?;
    )*})*) => {
        /// Settings by block. Names and values are what `griot config` prints.
        #[derive(Clone, PartialEq, Debug, Default)]
        pub struct Settings {
            $(pub $block: $settings,)*
        }

        $(
            $(#[$about])*
            #[derive(Clone, PartialEq, Debug)]
            pub struct $settings {
                $($(#[$doc])* pub $name: $kind,)*
            }

            impl Default for $settings {
                fn default() -> Self {
                    Self { $($name: $default,)* }
                }
            }
        )*
    };
}

each_setting!(declare);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoutingMode {
    /// The active workspace, wherever the folder lies.
    #[default]
    Off,
    /// By the git remote of the folder.
    Auto,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogFormat {
    #[default]
    Text,
    Json,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EmbedderModel {
    /// The static model in the binary.
    #[default]
    Builtin,
    /// A sentence encoder such as all-MiniLM-L6-v2 from `path`.
    Minilm,
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

impl RolloutSettings {
    /// Width of a window, in milliseconds, at least a second.
    pub fn window_ms(&self) -> i64 {
        ((self.window_hours * 3_600_000.0) as i64).max(1000)
    }
}
