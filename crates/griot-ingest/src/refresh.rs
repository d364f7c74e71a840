//! Reads a source again, with its previous tags, owner and agent.
//!
//! A source that arrived over a network or a pipe is never opened as a file, whatever its name.

use std::path::PathBuf;

use griot::engine::Engine;
use griot::model::{Error, Result, SourceId, SourceType};

use crate::crawl::{CrawlOptions, start_refresh};
use crate::intake::{FileOptions, start_ingest};
use crate::jobs::{JobId, Jobs, WorkedBy};
use crate::web::reading;

/// Options for reading a source again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefreshOptions {
    /// Forget the source if it is gone.
    pub prune: bool,
    /// Also fetch from addresses of this machine and private networks.
    pub allow_private: bool,
    pub by: WorkedBy,
}

/// Creates a job that reads a page or a file again.
pub fn refresh_source(
    jobs: &Jobs,
    engine: &Engine,
    source: SourceId,
    options: RefreshOptions,
) -> Result<JobId> {
    let (view, memories) = engine.source(source)?;
    let known = view.source;
    let first = memories.into_iter().next();
    let (owner, agent) = first.map(|first| (first.scope, first.agent)).unwrap_or_default();
    let own = agent.as_deref().and_then(|agent| engine.for_agent(agent));
    let engine = own.as_ref().unwrap_or(engine);
    let now = engine.now().0;
    match known.kind {
        SourceType::Page => {
            let usual = CrawlOptions::new(&engine.settings().crawl);
            let user = reading::address(&known.origin).1.map(str::to_string);
            let crawl = CrawlOptions {
                tags: known.tags,
                metadata: known.metadata,
                user: user.or(owner.user),
                project: owner.project,
                agent,
                allow_private: options.allow_private || usual.allow_private,
                prune: options.prune,
                ..usual
            };
            start_refresh(jobs, reading::address(&known.origin).0, &crawl, options.by, now)
        }
        SourceType::File | SourceType::Chat if !known.from_disk => {
            // The caller chose the origin freely, so it may look like any path on this machine.
            let why = "it was not read from a file on this machine, or was read by an older version";
            Err(Error::invalid(format!("refresh `{source}`"), why)
                .hint("griot ingest PATH, or send the text again"))
        }
        SourceType::File | SourceType::Chat => {
            let files = FileOptions {
                paths: vec![PathBuf::from(known.origin)],
                tags: known.tags,
                metadata: known.metadata,
                user: owner.user,
                project: owner.project,
                agent,
                prune: options.prune,
                ..FileOptions::default()
            };
            start_ingest(jobs, &files, options.by, now)
        }
        other => Err(Error::invalid(
            format!("refresh `{source}`"),
            format!("a source of type `{}` cannot be read again", other.name()),
        )
        .hint("griot sources")),
    }
}
