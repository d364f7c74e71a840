//! A source read again, for those and with the tags that it was read for before.

use std::path::PathBuf;

use griot::engine::Engine;
use griot::model::{Error, Result, SourceId, SourceType};

use crate::{CrawlOptions, FileOptions, JobId, Jobs, WorkedBy, start_ingest, start_refresh};

/// How to read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefreshOptions {
    /// Forget it if it is gone.
    pub prune: bool,
    /// Also from addresses of this machine and its networks.
    pub allow_private: bool,
    pub by: WorkedBy,
}

/// Makes a job that reads a page or a file again.
pub fn refresh_source(jobs: &Jobs, engine: &Engine, source: SourceId, options: RefreshOptions) -> Result<JobId> {
    let (view, memories) = engine.source(source)?;
    let (known, owner) = (view.source, memories.first().map(|memory| memory.scope.clone()).unwrap_or_default());
    let now = engine.now().0;
    match known.kind {
        SourceType::Page => {
            let usual = CrawlOptions::new(&engine.settings().crawl);
            let crawl = CrawlOptions {
                tags: known.tags,
                user: owner.user,
                project: owner.project,
                allow_private: options.allow_private || usual.allow_private,
                prune: options.prune,
                ..usual
            };
            start_refresh(jobs, &known.origin, &crawl, options.by, now)
        }
        SourceType::File | SourceType::Chat => {
            let files = FileOptions {
                paths: vec![PathBuf::from(known.origin)],
                tags: known.tags,
                user: owner.user,
                project: owner.project,
                prune: options.prune,
                ..FileOptions::default()
            };
            start_ingest(jobs, &files, options.by, now)
        }
        other => Err(Error::invalid(
            format!("refresh `{source}`"),
            format!("a source of the kind `{}` cannot be read again", other.name()),
        )
        .hint("griot sources")),
    }
}
