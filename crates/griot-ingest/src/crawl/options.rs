//! What is crawled and how, and what a crawl reports.

use std::collections::BTreeMap;

use griot::engine::CrawlSettings;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CrawlMode {
    /// One page.
    Single,
    /// The pages in the site's sitemaps, feeds or `llms.txt`.
    Sitemap,
    /// The pages that links lead to.
    Recursive,
}

/// Options of a crawl. Stored with the job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CrawlOptions {
    pub mode: CrawlMode,
    /// Links to follow from the first page; 0 fetches the first page alone.
    pub depth: u32,
    pub max_pages: u64,
    /// Globs over addresses or paths; empty allows the origin of the first address.
    pub allow: Vec<String>,
    pub block: Vec<String>,
    pub tags: Vec<String>,
    /// Metadata of each page.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
    pub user: Option<String>,
    pub project: Option<String>,
    /// The agent that the memories belong to.
    #[serde(default)]
    pub agent: Option<String>,
    /// The agent whose settings count while the pages are stored; default `agent`.
    #[serde(default)]
    pub settings_of: Option<String>,
    /// Requests per second and host; 0 is unlimited. A slower Crawl-delay of the site takes precedence.
    pub rate: f64,
    /// Obey robots.txt.
    pub respect_robots: bool,
    pub user_agent: String,
    /// Also fetch from addresses of this machine and private networks.
    pub allow_private: bool,
    /// Forget the sources of pages that are gone.
    pub prune: bool,
    /// Timeout of one request, including its body.
    pub timeout_ms: u64,
    /// Requests per address, including retries.
    pub tries: u32,
    /// Wait before the first retry; doubled for each further one.
    pub backoff_ms: u64,
    pub max_bytes: u64,
    /// Repeat the crawl this many hours after it ends; 0 never repeats.
    pub every_hours: f64,
}

impl CrawlOptions {
    pub fn new(settings: &CrawlSettings) -> Self {
        Self {
            mode: CrawlMode::Recursive,
            depth: 3,
            max_pages: settings.max_pages_per_crawl,
            allow: Vec::new(),
            block: Vec::new(),
            tags: Vec::new(),
            metadata: BTreeMap::new(),
            user: None,
            project: None,
            agent: None,
            settings_of: None,
            rate: settings.requests_per_second,
            respect_robots: settings.respect_robots_txt,
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

/// A step that was just written. The process may be killed after any of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CrawlEvent {
    Robots(String),
    /// An address is about to be requested.
    Begun(String),
    /// The answer is recorded.
    Recorded(String),
    /// The engine has stored the page.
    Stored(String),
    /// The frontier records that the engine has it.
    Settled(String),
}

/// Called after each step was written.
pub type Report<'a> = dyn FnMut(&CrawlEvent) + 'a;
