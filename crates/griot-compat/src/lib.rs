//! The routes and tools of older memory servers: their names for things, as a table over the verbs of Griot.
//!
//! - `ask`: the requests with their keys
//! - `graph`, `metadata`: the graph as entities and relationships, and the explorer
//! - `rollout`: the state of the rollout as clients of a memory SDK know it
//! - `crawl`: crawls that a client may wait for
//! - `tools`: the tools

// The command line has none of these requests.
#![allow(unexpected_cfgs)]

pub mod ask;
mod crawl;
mod graph;
mod metadata;
mod rollout;
mod tools;

use griot_wire::call::Role::{Admin, Read, Write};
use griot_wire::verbs::{Verb, verb};

pub use tools::tools;

/// The routes.
pub fn table() -> Vec<Verb> {
    const GET: &str = "GET";
    const POST: &str = "POST";
    const PATCH: &str = "PATCH";
    vec![
        verb(GET, "/api/knowledge/graph/stats", "graphStats", Read, "Counts of the graph", graph::stats),
        verb(GET, "/api/knowledge/graph/entities", "graphEntities", Read, "Entities", graph::entities),
        verb(GET, "/api/knowledge/graph/entity/{entityId}", "graphEntity", Read, "An entity", graph::entity),
        verb(
            GET,
            "/api/knowledge/graph/entity/{entityId}/neighborhood",
            "graphNeighborhood",
            Read,
            "List the neighbours of an entity",
            graph::neighborhood,
        ),
        verb(
            GET,
            "/api/knowledge/graph/relationships",
            "graphRelationships",
            Read,
            "Relationships between entities",
            graph::relationships,
        ),
        verb(
            GET,
            "/api/knowledge/graph/subgraph",
            "graphSubgraph",
            Read,
            "Entities and the relationships between them",
            graph::subgraph,
        ),
        verb(GET, "/api/knowledge/graph/sources", "graphSources", Read, "Sources", graph::sources),
        verb(
            POST,
            "/api/knowledge/crawl",
            "knowledgeCrawl",
            Write,
            "Crawl an address or a site",
            crawl::crawl,
        ),
        verb(
            GET,
            "/api/knowledge/crawl/{crawlId}",
            "knowledgeCrawlStatus",
            Read,
            "Show the progress of a crawl",
            crawl::status,
        ),
        verb(
            GET,
            "/api/graph/explore",
            "graphExplore",
            Read,
            "A node with its edges and memories",
            graph::explore,
        ),
        verb(GET, "/api/sdk/v1/graph/status", "sdkGraphStatus", Read, "State of the graph", rollout::status),
        verb(
            POST,
            "/api/sdk/v1/graph/status",
            "sdkGraphStatusPost",
            Read,
            "State of the graph",
            rollout::status,
        ),
        verb(
            GET,
            "/api/sdk/v1/graph/rollout",
            "sdkGraphRollout",
            Read,
            "State of the rollout",
            rollout::rollout,
        ),
        verb(
            POST,
            "/api/sdk/v1/graph/rollout",
            "sdkGraphRolloutPost",
            Admin,
            "Set the mode",
            rollout::set_rollout,
        ),
        verb(
            PATCH,
            "/api/sdk/v1/graph/rollout",
            "sdkGraphRolloutSet",
            Admin,
            "Set the mode",
            rollout::set_rollout,
        ),
        verb(
            POST,
            "/api/sdk/v1/graph/trace",
            "sdkGraphTrace",
            Read,
            "Trace how an answer was made",
            rollout::trace,
        ),
    ]
}
