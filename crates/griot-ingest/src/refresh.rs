//! A source read again, for those and with the tags that it was read for before.
//!
//! What came as text over a network or a pipe is never opened as a file, whatever it is called.

use std::path::PathBuf;

use griot::engine::Engine;
use griot::model::{Error, Result, SourceId, SourceType};

use crate::crawl::{CrawlOptions, start_refresh};
use crate::intake::{FileOptions, start_ingest};
use crate::jobs::{JobId, Jobs, WorkedBy};
use crate::web::source;

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
pub fn refresh_source(
    jobs: &Jobs,
    engine: &Engine,
    source: SourceId,
    options: RefreshOptions,
) -> Result<JobId> {
    let (view, memories) = engine.source(source)?;
    let (known, owner) =
        (view.source, memories.first().map(|memory| memory.scope.clone()).unwrap_or_default());
    let now = engine.now().0;
    match known.kind {
        SourceType::Page => {
            let usual = CrawlOptions::new(&engine.settings().crawl);
            let user = source::address(&known.origin).1.map(str::to_string);
            let crawl = CrawlOptions {
                tags: known.tags,
                user: user.or(owner.user),
                project: owner.project,
                allow_private: options.allow_private || usual.allow_private,
                prune: options.prune,
                ..usual
            };
            start_refresh(jobs, source::address(&known.origin).0, &crawl, options.by, now)
        }
        SourceType::File | SourceType::Chat if !known.from_disk => {
            // Its origin is a name that somebody gave, and may look like any path.
            let why = "it was not read from a file of this machine, or by an older version";
            Err(Error::invalid(format!("refresh `{source}`"), why)
                .hint("griot ingest PATH, or send the text again"))
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
