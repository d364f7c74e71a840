//! What is crawled and how, and what a crawl reports.

use griot::engine::CrawlSettings;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CrawlMode {
    /// The address alone.
    Single,
    /// What the site lists.
    Sitemap,
    /// What the links of its pages lead to.
    Recursive,
}

/// How to crawl. Kept with the job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CrawlOptions {
    pub mode: CrawlMode,
    /// Links from the first page; 0 is the first page alone.
    pub depth: u32,
    pub max_pages: u64,
    /// Globs over addresses or paths; without any, the origin of the first address.
    pub allow: Vec<String>,
    pub block: Vec<String>,
    pub tags: Vec<String>,
    pub user: Option<String>,
    pub project: Option<String>,
    /// Requests a second and host; 0 is as many as the site answers. A site's own Crawl-delay counts if it is
    /// slower.
    pub rate: f64,
    /// Keep to what sites ask of robots.
    pub respect_robots: bool,
    pub user_agent: String,
    /// Also addresses of this machine and its networks.
    pub allow_private: bool,
    /// Forget what came from pages that are gone.
    pub prune: bool,
    /// For one answer as a whole.
    pub timeout_ms: u64,
    /// Requests for one address, with those that are made again.
    pub tries: u32,
    /// Wait before the first repetition; doubled with each.
    pub backoff_ms: u64,
    pub max_bytes: u64,
    /// Crawl again so many hours after the end; 0 is never.
    pub every_hours: f64,
}

impl CrawlOptions {
    /// A crawl as the settings have it.
    pub fn new(settings: &CrawlSettings) -> Self {
        Self {
            mode: CrawlMode::Recursive,
            depth: 3,
            max_pages: settings.max_pages,
            allow: Vec::new(),
            block: Vec::new(),
            tags: Vec::new(),
            user: None,
            project: None,
            rate: settings.requests_per_second,
            respect_robots: settings.respect_robots,
            user_agent: settings.user_agent.clone(),
            allow_private: settings.allow_private,
            prune: false,
            timeout_ms: 30_000,
            tries: 3,
            backoff_ms: 1000,
            max_bytes: 10 * 1024 * 1024,
            every_hours: 0.0,
        }
    }
}

impl Default for CrawlOptions {
    fn default() -> Self {
        Self::new(&CrawlSettings::default())
    }
}

/// What was just written; a crawl can be interrupted after each of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CrawlEvent {
    Robots(String),
    /// An address is about to be asked for.
    Begun(String),
    /// An answer is recorded.
    Recorded(String),
    /// The engine has the page.
    Stored(String),
    /// The frontier knows that the engine has it.
    Settled(String),
}
