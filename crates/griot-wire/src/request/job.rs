//! What is asked of crawls, jobs, sources and other long work.

use serde::{Deserialize, Serialize};

use super::{Place, Request, Scope, graphs, share, three};
use griot::engine::GraphsToBuild;
use griot::model::Result;

requests! {
    /// Build edges over the whole workspace.
    BuildGraphs {
        /// What to build: `semantic` (likeness), `temporal` (the order in time over all sources, documents
        /// too), or `all`.
        #[serde(default = "semantic")]
        #[schemars(schema_with = "crate::request::forms::graphs")]
        graphs: Vec<String>,
        /// Likeness (cosine, 0 to 1) from which two memories are joined.
        #[serde(default = "likeness")]
        #[schemars(range(min = 0, max = 1))]
        threshold: f64,
    }

    /// Read a page, the pages that a site lists, or those that its links lead to.
    Crawl {
        /// The page to start from.
        #[schemars(schema_with = "crate::request::forms::url")]
        url: String,
        /// `single`, `sitemap` or `recursive` (default).
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::crawl_mode")]
        mode: Option<String>,
        /// Follow links so many steps; default 3.
        #[serde(default = "three")]
        #[schemars(range(min = 0, max = 1000))]
        depth: u32,
        /// At most so many pages; default `crawl.max_pages_per_crawl`.
        #[serde(default)]
        #[schemars(range(min = 1, max = 10000000))]
        max_pages: Option<u64>,
        /// Only addresses or paths such as `/docs/**`; default the site of the address.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::globs")]
        allow: Vec<String>,
        /// Not these addresses or paths.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::globs")]
        block: Vec<String>,
        /// Tags for what is read.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::words")]
        tags: Vec<String>,
        /// Forget the memories of pages that are gone.
        #[serde(default)]
        prune: bool,
        /// Crawl again so many hours after the end; default never.
        #[serde(default)]
        #[schemars(range(min = 0, max = 87600))]
        every_hours: Option<f64>,
    }

    /// A job by its id.
    OneJob {
        /// Id of a job, such as `j3`.
        #[schemars(regex(pattern = r"^j[1-9][0-9]{0,8}$"))]
        name: String,
    }

    /// Read a source again.
    Refresh {
        /// Id of a source, such as `s4`.
        name: String,
        /// Forget it if it is gone.
        #[serde(default)]
        prune: bool,
    }

    /// Give a source other tags.
    SourceTags {
        /// Id of a source, such as `s4`.
        name: String,
        /// All of them.
        #[schemars(schema_with = "crate::request::forms::words")]
        tags: Vec<String>,
    }
}

impl BuildGraphs {
    pub fn to_engine(&self) -> Result<GraphsToBuild> {
        graphs(&self.graphs, share("threshold", self.threshold as f32)?)
    }
}

fn semantic() -> Vec<String> {
    vec!["semantic".into()]
}
/// As ClawMem has it.
pub(super) fn likeness() -> f64 {
    0.7
}
