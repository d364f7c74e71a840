//! The routes and tools of older memory servers: a table of their names over the verbs of Griot.
//!
//! - `ask`: the requests with their keys
//! - `graph`: the graph as entities and relationships
//! - `explore`: the graph as typed nodes
//! - `rollout`: the state of the rollout as clients of a memory SDK know it
//! - `crawl`: crawls that a client may wait for
//! - `tools`: the tools

// The command line has none of these requests.
#![allow(unexpected_cfgs)]

/// Declares answers, whose keys are in camel case.
macro_rules! answers {
    ($(
        $(#[$about:meta])*
        $vis:vis $name:ident { $($(#[$what:meta])* $field:ident: $kind:ty,)* }
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        $vis struct $name {
            $($(#[$what])* pub $field: $kind,)*
        }
    )*};
}

pub mod ask;
mod crawl;
mod explore;
mod graph;
mod rollout;
mod tools;

use griot_wire::verbs::Verb;

pub use tools::tools;

/// The routes.
const ROUTES: &[Verb] = griot_wire::verbs! {
    GET "/api/knowledge/graph/stats" "graphStats" Read graph::stats: "Counts of the graph";
    GET "/api/knowledge/graph/entities" "graphEntities" Read graph::entities: "Entities";
    GET "/api/knowledge/graph/entity/{entityId}" "graphEntity" Read graph::entity: "An entity";
    GET "/api/knowledge/graph/entity/{entityId}/neighborhood" "graphNeighborhood" Read graph::neighborhood:
        "List the neighbours of an entity";
    GET "/api/knowledge/graph/relationships" "graphRelationships" Read graph::relationships:
        "Relationships between entities";
    GET "/api/knowledge/graph/subgraph" "graphSubgraph" Read graph::subgraph:
        "Entities and the relationships between them";
    GET "/api/knowledge/graph/path" "graphPath" Read graph::path: "Path between two entities";
    GET "/api/knowledge/graph/sources" "graphSources" Read graph::sources: "Sources";
    GET "/api/knowledge/graph/source/{sourceId}" "graphSource" Read graph::source:
        "A source with its entities, relationships and memories";
    POST "/api/knowledge/crawl" "knowledgeCrawl" Write crawl::crawl: "Crawl an address or a site";
    GET "/api/knowledge/crawl/{crawlId}" "knowledgeCrawlStatus" Read crawl::status:
        "Show the progress of a crawl";
    GET "/api/graph/explore" "graphExplore" Read explore::explore: "A node with its edges and memories";
    GET "/api/sdk/v1/graph/status" "sdkGraphStatus" Read rollout::status: "State of the graph";
    POST "/api/sdk/v1/graph/status" "sdkGraphStatusPost" Read rollout::status: "State of the graph";
    GET "/api/sdk/v1/graph/rollout" "sdkGraphRollout" Read rollout::rollout: "State of the rollout";
    POST "/api/sdk/v1/graph/rollout" "sdkGraphRolloutPost" Admin rollout::set_rollout: "Set the mode";
    PATCH "/api/sdk/v1/graph/rollout" "sdkGraphRolloutSet" Admin rollout::set_rollout: "Set the mode";
    POST "/api/sdk/v1/graph/trace" "sdkGraphTrace" Read rollout::trace: "Trace how an answer was made";
};

pub fn table() -> Vec<Verb> {
    ROUTES.to_vec()
}
