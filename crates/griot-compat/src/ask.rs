//! Requests of the routes and tools of older memory servers.

use griot::engine::GraphsToBuild;
use griot::model::Result;
use griot_wire::request::{graphs, share};
use griot_wire::verbs::job::Crawl;

griot_wire::requests! {
    /// List entities by type and name, in pages.
    GraphEntities {
        /// Only of this type.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::entity_type")]
        r#type: Option<String>,
        /// Part of a name.
        #[serde(default)]
        search: Option<String>,
        /// Only of this layer: `code`, `execution`, `knowledge` or `project`.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::layer")]
        layer: Option<String>,
        /// Maximum number of results, up to 200.
        #[serde(default = "fifty")]
        #[schemars(range(min = 1, max = 200))]
        limit: usize,
        /// Number of results to skip.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1000000))]
        offset: usize,
    }

    /// One entity.
    GraphEntity {
        /// Canonical id, such as `tool:redis`.
        #[serde(rename = "entityId")]
        entity_id: String,
    }

    /// List the neighbours of an entity.
    GraphNeighborhood {
        /// Canonical id, such as `tool:redis`.
        #[serde(rename = "entityId")]
        entity_id: String,
        /// Maximum number of steps, 1 to 3.
        #[serde(default = "one")]
        #[schemars(range(min = 1, max = 3))]
        hops: usize,
        /// Only over relationships of these types.
        #[serde(default)]
        #[serde(rename = "relTypes")]
        rel_types: Vec<String>,
        /// Maximum number of entities, up to 200.
        #[serde(default = "fifty")]
        #[schemars(range(min = 1, max = 200))]
        limit: usize,
    }

    /// Relationships between entities.
    GraphRelationships {
        /// Only from this entity.
        #[serde(default)]
        #[serde(rename = "sourceId")]
        source_id: Option<String>,
        /// Only to this entity.
        #[serde(default)]
        #[serde(rename = "targetId")]
        target_id: Option<String>,
        /// Only of this type.
        #[serde(default)]
        r#type: Option<String>,
        /// Maximum number of results, up to 1000.
        #[serde(default = "hundred")]
        #[schemars(range(min = 1, max = 1000))]
        limit: usize,
    }

    /// Entities and the relationships between them.
    GraphSubgraph {
        /// Canonical ids, at most 200.
        #[serde(rename = "entityIds")]
        #[schemars(length(min = 1, max = 200))]
        entity_ids: Vec<String>,
    }

    /// The explorer: the best connected nodes, or one node with its edges and memories.
    GraphExplore above min_confidence as_of now {
        /// Type of the node, such as `tool`; without a key, the best connected nodes of this type. With a key
        /// also `repo` (a project), `user`, `memory_type` (a kind of memories) and `category` (a topic).
        #[serde(default)]
        #[serde(rename = "nodeType")]
        #[schemars(schema_with = "griot_wire::request::forms::entity_type")]
        node_type: Option<String>,
        /// Key of the node inside its type, such as `redis`; without a type, whatever has this name.
        #[serde(default)]
        #[serde(rename = "nodeKey")]
        node_key: Option<String>,
        /// Only of this layer: `code`, `execution`, `knowledge` or `project`.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::layer")]
        layer: Option<String>,
        /// Maximum number of results, up to 100.
        #[serde(default = "twenty")]
        #[schemars(range(min = 1, max = 100))]
        limit: usize,
    }

    /// State of the graph.
    GraphStatus {
        /// How many nodes to list, 1 to 50.
        #[serde(default = "ten")]
        #[serde(rename = "topNodesLimit")]
        #[schemars(range(min = 1, max = 50))]
        top_nodes_limit: usize,
    }

    /// Set the rollout mode of the graph.
    GraphRollout {
        /// `off`, `shadow`, `canary` or `on`.
        #[schemars(schema_with = "griot_wire::request::forms::mode")]
        mode: String,
    }

    /// Trace how an answer was made.
    GraphTrace {
        /// The question, at most 500 characters.
        #[schemars(schema_with = "griot_wire::request::forms::short_question")]
        query: String,
        /// Maximum number of results, up to 50.
        #[serde(default = "ten")]
        #[schemars(range(min = 1, max = 50))]
        limit: usize,
        /// Return rules with the results.
        #[serde(default)]
        #[serde(rename = "includeRules")]
        include_rules: Option<bool>,
        /// `all`, `working`, `long_term` or `rules_only`.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::layers")]
        mode: Option<String>,
        /// Only memories of these layers, which follow from their kind: `code`, `execution`, `knowledge`,
        /// `project`.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::node_layers")]
        layers: Vec<String>,
        /// `baseline` or `hybrid_graph`; the workspace's mode decides by default.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::strategy")]
        strategy: Option<String>,
        /// Depth of the graph walk. 0: none. 1: one node in between. 2 (default): as far as Griot walks.
        #[serde(default = "two")]
        #[serde(rename = "graphDepth")]
        #[schemars(range(min = 0, max = 2))]
        graph_depth: usize,
        /// Maximum number of memories found only by the walk, 1 to 50.
        #[serde(default = "eight")]
        #[serde(rename = "graphLimit")]
        #[schemars(range(min = 1, max = 50))]
        graph_limit: usize,
    }

    /// Build edges over the whole memory.
    SeedBuildGraphs {
        /// What to build: `semantic`, `temporal`, or `all`.
        #[serde(default = "every_graph")]
        #[schemars(schema_with = "griot_wire::request::forms::graphs")]
        graph_types: Vec<String>,
        /// Minimum similarity (cosine, 0 to 1) at which two memories are connected.
        #[serde(default = "griot_wire::verbs::health::likeness")]
        #[schemars(range(min = 0, max = 1))]
        semantic_threshold: f64,
    }

    /// Search memories.
    MemorySearch {
        /// The question, or keywords.
        query: String,
        /// Maximum number of results; default 6.
        #[serde(default)]
        #[serde(rename = "maxResults")]
        max_results: Option<usize>,
        /// Only results of at least this relevance, 0 to 1.
        #[serde(default)]
        #[serde(rename = "minScore")]
        min_score: Option<f32>,
        /// Use the graph or not; the workspace's mode decides by default.
        #[serde(default)]
        #[serde(rename = "useGraph")]
        use_graph: Option<bool>,
        /// Only memories of these tiers: `rule`, `working`, `long_term`; default all except rules, which are
        /// returned separately from the results.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::tiers")]
        tiers: Vec<String>,
        /// Only memories of these layers, which follow from their kind: `code`, `execution`, `knowledge`,
        /// `project`.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::node_layers")]
        layers: Vec<String>,
        /// Return rules with the results; default true.
        #[serde(default)]
        #[serde(rename = "includeRules")]
        include_rules: Option<bool>,
    }

    /// Search the graph for entities and their relationships.
    GraphSearch {
        /// Part of a name, or a question that names entities.
        query: String,
        /// Only of this type.
        #[serde(default)]
        #[serde(rename = "entityType")]
        entity_type: Option<String>,
        /// Maximum number of steps around each, 1 to 3.
        #[serde(default = "one")]
        #[serde(rename = "maxHops")]
        #[schemars(range(min = 1, max = 3))]
        max_hops: usize,
        /// Maximum number of entities.
        #[serde(default = "ten")]
        #[serde(rename = "maxResults")]
        #[schemars(range(min = 1, max = 100))]
        max_results: usize,
    }

    /// One entity with its relationships.
    GraphInspect {
        /// Name or canonical id.
        #[serde(rename = "entityName")]
        entity_name: String,
        /// Include its neighbours.
        #[serde(default)]
        #[serde(rename = "includeNeighborhood")]
        include_neighborhood: bool,
    }

    /// Crawl an address or a site.
    KnowledgeCrawl {
        /// The page to start from.
        #[schemars(schema_with = "griot_wire::request::forms::url")]
        url: String,
        /// `single`, `sitemap` or `recursive` (default).
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::crawl_mode")]
        mode: Option<String>,
        /// Maximum number of pages; default `crawl.max_pages_per_crawl`.
        #[serde(default)]
        #[serde(rename = "maxPages")]
        #[schemars(range(min = 1, max = 10000000))]
        max_pages: Option<u64>,
        /// Maximum link depth; default 3.
        #[serde(default = "three")]
        #[serde(rename = "maxDepth")]
        #[schemars(range(min = 0, max = 1000))]
        max_depth: u32,
        /// Only URLs or paths that match, such as `/docs/**`; default the site of the start page.
        #[serde(default)]
        #[serde(rename = "allowPatterns")]
        #[schemars(schema_with = "griot_wire::request::forms::globs")]
        allow_patterns: Vec<String>,
        /// Skip URLs or paths that match.
        #[serde(default)]
        #[serde(rename = "blockPatterns")]
        #[schemars(schema_with = "griot_wire::request::forms::globs")]
        block_patterns: Vec<String>,
        /// Tags for the stored memories.
        #[serde(default)]
        #[schemars(schema_with = "griot_wire::request::forms::words")]
        tags: Vec<String>,
        /// Wait for the end of the crawl before answering.
        #[serde(default)]
        wait: bool,
    }

    /// Show the progress of a crawl.
    KnowledgeCrawlStatus {
        /// Id of a crawl, such as `j3`; default the latest one.
        #[serde(default)]
        #[serde(rename = "crawlId")]
        #[schemars(regex(pattern = r"^j[1-9][0-9]{0,8}$"))]
        crawl_id: Option<String>,
        /// Wait for the end of the crawl before answering.
        #[serde(default)]
        wait: bool,
    }

    /// Store a text, the page at an address, or a file of this machine.
    KnowledgeIngest {
        /// A file on this machine (only on stdio, and only for its owner).
        #[serde(default)]
        path: Option<String>,
        /// The text itself.
        #[serde(default)]
        text: Option<String>,
        /// The address of a page.
        #[serde(default)]
        url: Option<String>,
        /// Tags for everything in it.
        #[serde(default)]
        tags: Vec<String>,
    }

    /// Search with the intent of the question.
    IntentSearch {
        /// The question.
        query: String,
        /// Maximum number of results.
        #[serde(default = "ten")]
        limit: usize,
        /// `why`, `when`, `entity` or `general`; detected from the question by default.
        #[serde(default)]
        intent: Option<String>,
    }

    /// Find the causes and consequences of a memory.
    FindCausalLinks {
        /// Handle or id of a memory.
        docid: String,
        /// `causes`, `caused_by` or `both` (default).
        #[serde(default)]
        direction: Option<String>,
        /// Maximum number of steps, 1 to 10.
        #[serde(default = "five")]
        #[schemars(range(min = 1, max = 10))]
        depth: usize,
    }

    /// List facts about an entity.
    KgQuery {
        /// Name, or id such as `tool:redis` or `default:tool:redis`.
        entity: String,
        /// Facts valid at this time.
        #[serde(default)]
        as_of: Option<String>,
    }
}

impl From<KnowledgeCrawl> for Crawl {
    fn from(q: KnowledgeCrawl) -> Self {
        Self {
            url: q.url,
            mode: q.mode,
            depth: q.max_depth,
            max_pages: q.max_pages,
            allow: q.allow_patterns,
            block: q.block_patterns,
            tags: q.tags,
            prune: false,
            every_hours: None,
            user: q.user,
            project: q.project,
            scope: q.scope,
        }
    }
}

fn one() -> usize {
    1
}
fn two() -> usize {
    2
}
fn three() -> u32 {
    3
}
fn five() -> usize {
    5
}
fn eight() -> usize {
    8
}
fn ten() -> usize {
    10
}
fn twenty() -> usize {
    20
}
fn fifty() -> usize {
    50
}
fn hundred() -> usize {
    100
}

impl SeedBuildGraphs {
    pub fn to_engine(&self) -> Result<GraphsToBuild> {
        graphs(&self.graph_types, share("semantic_threshold", self.semantic_threshold as f32)?)
    }
}

fn every_graph() -> Vec<String> {
    vec!["all".into()]
}
