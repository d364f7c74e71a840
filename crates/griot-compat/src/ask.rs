//! Requests of the routes and tools of older memory servers.

use std::collections::BTreeMap;

use griot::engine::GraphsToBuild;
use griot::model::{Error, Result};
use griot_wire::request::{graphs, share, usual};
use griot_wire::verbs::health::usual_similarity;
use griot_wire::verbs::job::Crawl;

griot_wire::requests! {
    /// List entities by type and name, in pages.
    GraphEntities {
        /// Only of this type.
        #[schemars(schema_with = "griot_wire::request::forms::entity_type")]
        r#type [default]: Option<String>,
        /// Part of a name.
        search [default]: Option<String>,
        /// Only of this layer: `code`, `execution`, `knowledge` or `project`.
        #[schemars(schema_with = "griot_wire::request::forms::layer")]
        layer [default]: Option<String>,
        /// Maximum number of results, up to 200.
        #[schemars(range(min = 1, max = 200))]
        limit [default = "usual::<50>"]: usize,
        /// Number of results to skip.
        #[schemars(range(min = 0, max = 1000000))]
        offset [default]: usize,
    }

    /// One entity.
    GraphEntity {
        /// Canonical id, such as `tool:redis`.
        entity_id [rename = "entityId"]: String,
    }

    /// List the neighbours of an entity.
    GraphNeighborhood {
        /// Canonical id, such as `tool:redis`.
        entity_id [rename = "entityId"]: String,
        /// Maximum number of steps, 1 to 3.
        #[schemars(range(min = 1, max = 3))]
        hops [default = "usual::<1>"]: usize,
        /// Only over relationships of these types.
        rel_types [default, rename = "relTypes"]: Vec<String>,
        /// Maximum number of entities, up to 200.
        #[schemars(range(min = 1, max = 200))]
        limit [default = "usual::<50>"]: usize,
    }

    /// Relationships between entities.
    GraphRelationships {
        /// Only from this entity.
        source_id [default, rename = "sourceId"]: Option<String>,
        /// Only to this entity.
        target_id [default, rename = "targetId"]: Option<String>,
        /// Only of this type.
        r#type [default]: Option<String>,
        /// Maximum number of results, up to 1000.
        #[schemars(range(min = 1, max = 1000))]
        limit [default = "usual::<100>"]: usize,
        /// Number of results to skip.
        #[schemars(range(min = 0, max = 1000000))]
        offset [default]: usize,
    }

    /// The shortest path between two entities over relationships alone.
    GraphPath {
        /// Name or id of the entity to start from.
        from [alias = "fromEntity", alias = "fromEntityId"]: String,
        /// Name or id of the entity to arrive at.
        to [alias = "toEntity", alias = "toEntityId"]: String,
        /// Maximum number of steps, 1 to 32.
        #[schemars(range(min = 1, max = 32))]
        max_hops [default = "usual::<6>", rename = "maxHops"]: usize,
    }

    /// Sources, in the order in which they were first read.
    GraphSources {
        /// Only of this type: `memory`, `manual` or `crawl`.
        #[schemars(regex(pattern = r"^(memory|manual|crawl)$"))]
        r#type [default]: Option<String>,
        /// Maximum number of results, up to 1000; default all.
        #[schemars(range(min = 1, max = 1000))]
        limit [default]: Option<usize>,
        /// Number of results to skip.
        #[schemars(range(min = 0, max = 1000000))]
        offset [default]: usize,
    }

    /// A source with what it speaks of.
    GraphSource {
        /// Id of a source, such as `s4`, or its origin.
        source_id [rename = "sourceId"]: String,
        /// Maximum number of entities, relationships and memories each, up to 1000.
        #[schemars(range(min = 1, max = 1000))]
        limit [default = "usual::<200>"]: usize,
    }

    /// Entities and the relationships between them.
    GraphSubgraph {
        /// Canonical ids, at most 200.
        #[schemars(length(min = 1, max = 200))]
        entity_ids [rename = "entityIds"]: Vec<String>,
    }

    /// The explorer: the best connected nodes, or one node with its edges and memories.
    GraphExplore above min_confidence as_of now {
        /// Type of the node, such as `tool`; without a key, the best connected nodes of this type. With a key
        /// also `repo` (a project), `user`, `memory_type` (a kind of memories) and `category` (a topic).
        #[schemars(schema_with = "griot_wire::request::forms::entity_type")]
        node_type [default, rename = "nodeType"]: Option<String>,
        /// Key of the node inside its type, such as `redis`; without a type, whatever has this name.
        node_key [default, rename = "nodeKey"]: Option<String>,
        /// Only of this layer: `code`, `execution`, `knowledge` or `project`.
        #[schemars(schema_with = "griot_wire::request::forms::layer")]
        layer [default]: Option<String>,
        /// Maximum number of results, up to 100.
        #[schemars(range(min = 1, max = 100))]
        limit [default = "usual::<20>"]: usize,
    }

    /// State of the graph.
    GraphStatus {
        /// How many nodes to list, 1 to 50.
        #[schemars(range(min = 1, max = 50))]
        top_nodes_limit [default = "usual::<10>", rename = "topNodesLimit"]: usize,
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
        #[schemars(range(min = 1, max = 50))]
        limit [default = "usual::<10>"]: usize,
        /// Return rules with the results.
        include_rules [default, rename = "includeRules"]: Option<bool>,
        /// `all`, `working`, `long_term` or `rules_only`.
        #[schemars(schema_with = "griot_wire::request::forms::layers")]
        mode [default]: Option<String>,
        /// Only memories of these layers, which follow from their kind: `code`, `execution`, `knowledge`,
        /// `project`.
        #[schemars(schema_with = "griot_wire::request::forms::node_layers")]
        layers [default]: Vec<String>,
        /// `baseline` or `hybrid_graph`; the workspace's mode decides by default.
        #[schemars(schema_with = "griot_wire::request::forms::strategy")]
        strategy [default]: Option<String>,
        /// Depth of the graph walk. 0: none. 1: one node in between. 2 (default): as far as Griot walks.
        #[schemars(range(min = 0, max = 2))]
        graph_depth [default = "usual::<2>", rename = "graphDepth"]: usize,
        /// Maximum number of memories found only by the walk, 1 to 50.
        #[schemars(range(min = 1, max = 50))]
        graph_limit [default = "usual::<8>", rename = "graphLimit"]: usize,
    }

    /// Build edges over the whole memory.
    SeedBuildGraphs {
        /// What to build: `semantic`, `temporal`, or `all` (default).
        #[schemars(schema_with = "griot_wire::request::forms::graphs")]
        graph_types [default]: Vec<String>,
        /// Minimum similarity (cosine, 0 to 1) at which two memories are connected; default 0.7. Only with
        /// `semantic`.
        #[schemars(range(min = 0, max = 1))]
        semantic_threshold [default]: Option<f64>,
    }

    /// Search memories.
    MemorySearch {
        /// The question, or keywords.
        query: String,
        /// Maximum number of results; default 6.
        max_results [default, rename = "maxResults"]: Option<usize>,
        /// Only results of at least this relevance, 0 to 1.
        min_score [default, rename = "minScore"]: Option<f32>,
        /// Use the graph or not; the workspace's mode decides by default.
        use_graph [default, rename = "useGraph"]: Option<bool>,
        /// Only memories of these tiers: `rule`, `working`, `long_term`; default all except rules, which are
        /// returned separately from the results.
        #[schemars(schema_with = "griot_wire::request::forms::tiers")]
        tiers [default]: Vec<String>,
        /// Only memories of these layers, which follow from their kind: `code`, `execution`, `knowledge`,
        /// `project`.
        #[schemars(schema_with = "griot_wire::request::forms::node_layers")]
        layers [default]: Vec<String>,
        /// Return rules with the results; default true.
        include_rules [default, rename = "includeRules"]: Option<bool>,
        /// Only events at or after this time.
        #[schemars(schema_with = "griot_wire::request::forms::time")]
        start [default, alias = "since"]: Option<String>,
        /// Only events up to the end of this time.
        #[schemars(schema_with = "griot_wire::request::forms::time")]
        end [default, alias = "until"]: Option<String>,
    }

    /// Search the graph for entities and their relationships.
    GraphSearch {
        /// Part of a name, or a question that names entities.
        query: String,
        /// Only of this type.
        entity_type [default, rename = "entityType"]: Option<String>,
        /// Maximum number of steps around each, 1 to 3.
        #[schemars(range(min = 1, max = 3))]
        max_hops [default = "usual::<1>", rename = "maxHops"]: usize,
        /// Maximum number of entities.
        #[schemars(range(min = 1, max = 100))]
        max_results [default = "usual::<10>", rename = "maxResults"]: usize,
        /// Only what memories mention or state at or after this time.
        #[schemars(schema_with = "griot_wire::request::forms::time")]
        start [default, alias = "since"]: Option<String>,
        /// Only what memories mention or state up to the end of this time.
        #[schemars(schema_with = "griot_wire::request::forms::time")]
        end [default, alias = "until"]: Option<String>,
    }

    /// List the best connected entities.
    GraphHubs {
        /// Only of this type.
        #[schemars(schema_with = "griot_wire::request::forms::entity_type")]
        entity_type [default, rename = "entityType", alias = "type"]: Option<String>,
        /// Only of this layer: `code`, `execution`, `knowledge` or `project`.
        #[schemars(schema_with = "griot_wire::request::forms::layer")]
        layer [default]: Option<String>,
        /// Maximum number of entities.
        #[schemars(range(min = 1, max = 200))]
        limit [default = "usual::<10>"]: usize,
    }

    /// One entity with its relationships.
    GraphInspect {
        /// Name or canonical id.
        entity_name [rename = "entityName"]: String,
        /// Include its neighbours.
        include_neighborhood [default, rename = "includeNeighborhood"]: bool,
    }

    /// Crawl an address or a site.
    KnowledgeCrawl of speaker {
        /// The page to start from.
        #[schemars(schema_with = "griot_wire::request::forms::url")]
        url: String,
        /// `single`, `sitemap` or `recursive`; default `crawl.mode`.
        #[schemars(schema_with = "griot_wire::request::forms::crawl_mode")]
        mode [default]: Option<String>,
        /// Maximum number of pages; default `crawl.max_pages_per_crawl`.
        #[schemars(range(min = 1, max = 10000000))]
        max_pages [default, rename = "maxPages"]: Option<u64>,
        /// Maximum link depth; default `crawl.depth`.
        #[schemars(range(min = 0, max = 1000))]
        max_depth [default, rename = "maxDepth"]: Option<u32>,
        /// Only URLs or paths that match, such as `/docs/**`; default `crawl.allow`, else the site
        /// of the start page.
        #[schemars(schema_with = "griot_wire::request::forms::globs")]
        allow_patterns [default, rename = "allowPatterns"]: Vec<String>,
        /// Skip URLs or paths that match, besides those of `crawl.block`.
        #[schemars(schema_with = "griot_wire::request::forms::globs")]
        block_patterns [default, rename = "blockPatterns"]: Vec<String>,
        /// Tags for the stored memories.
        #[schemars(schema_with = "griot_wire::request::forms::words")]
        tags [default]: Vec<String>,
        /// What to note of each page, by name; shown with its source, never searched.
        #[schemars(schema_with = "griot_wire::request::forms::metadata")]
        metadata [default]: BTreeMap<String, String>,
        /// The agent that the memories belong to; settings specific to this agent apply.
        agent [default]: Option<String>,
        /// Wait for the end of the crawl before answering.
        wait [default]: bool,
    }

    /// Show the progress of a crawl.
    KnowledgeCrawlStatus {
        /// Id of a crawl, such as `j3`; default the latest one.
        #[schemars(regex(pattern = r"^j[1-9][0-9]{0,8}$"))]
        crawl_id [default, rename = "crawlId"]: Option<String>,
        /// Wait for the end of the crawl before answering.
        wait [default]: bool,
    }

    /// Store a text, the page at an address, or a file of this machine.
    KnowledgeIngest {
        /// A file on this machine (only on stdio, and only for its owner).
        path [default]: Option<String>,
        /// The text itself.
        text [default]: Option<String>,
        /// The address of a page.
        url [default]: Option<String>,
        /// Tags for everything in it.
        tags [default]: Vec<String>,
    }

    /// Search with the intent of the question.
    IntentSearch {
        /// The question.
        query: String,
        /// Maximum number of results.
        limit [default = "usual::<10>"]: usize,
        /// `WHY`, `WHEN`, `ENTITY` or `WHAT`; detected from the question by default.
        force_intent [default, alias = "intent"]: Option<String>,
        /// Walk the graph or not; the workspace's mode decides by default.
        enable_graph_traversal [default]: Option<bool>,
    }

    /// List the memories around one in the order of time.
    SeedTimeline as_of now {
        /// Handle or id of the memory to centre on; without one, the latest memories.
        docid [default, alias = "anchor"]: Option<String>,
        /// Number of memories before it.
        #[schemars(range(min = 0, max = 1000))]
        before [default = "usual::<5>"]: usize,
        /// Number of memories after it; without a centre, of memories besides `before`.
        #[schemars(range(min = 0, max = 1000))]
        after [default = "usual::<5>"]: usize,
        /// Only events at or after this time; not with `docid`.
        #[schemars(schema_with = "griot_wire::request::forms::time")]
        since [default]: Option<String>,
        /// Only events up to the end of this time; not with `docid`.
        #[schemars(schema_with = "griot_wire::request::forms::time")]
        until [default]: Option<String>,
        /// Only `false`: memories are not in collections. `project` limits them.
        same_collection [default]: bool,
    }

    /// Find the causes and consequences of a memory.
    FindCausalLinks {
        /// Handle or id of a memory.
        docid: String,
        /// `causes`, `caused_by` or `both` (default).
        direction [default]: Option<String>,
        /// Maximum number of steps, 1 to 10.
        #[schemars(range(min = 1, max = 10))]
        depth [default = "usual::<5>"]: usize,
    }

    /// List facts about an entity.
    KgQuery {
        /// Name, or id such as `tool:redis` or `default:tool:redis`. A name that is not known means the one
        /// that is most similar; the answer says which.
        entity: String,
        /// Facts valid at this time.
        #[schemars(schema_with = "griot_wire::request::forms::time")]
        as_of [default]: Option<String>,
        /// `outgoing` (the entity is the subject), `incoming` (it is the object) or `both` (default).
        direction [default]: Option<String>,
    }
}

impl KnowledgeCrawl {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
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
            metadata: q.metadata,
            agent: q.agent,
            prune: false,
            every_hours: None,
            user: q.user,
            project: q.project,
            scope: q.scope,
        }
    }
}

impl SeedBuildGraphs {
    pub fn to_engine(&self) -> Result<GraphsToBuild> {
        let threshold = self.semantic_threshold.unwrap_or_else(usual_similarity);
        let threshold = share("semantic_threshold", threshold as f32)?;
        let wanted = match self.graph_types.as_slice() {
            [] => graphs(&["all".to_string()], threshold)?,
            some => graphs(some, threshold)?,
        };
        if self.semantic_threshold.is_some() && wanted.semantic.is_none() {
            let why = "`semantic_threshold` is for the graph `semantic`, which is not among `graph_types`";
            return Err(Error::invalid("build graphs", why).hint("add `semantic`, or leave it out"));
        }
        Ok(wanted)
    }
}
