//! `ingest`: stores a document given as text, as bytes, or as the URL of a page; files and folders.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use griot::model::{Error, ErrorKind};
use griot::remember::{checked_word, checked_words};
use griot_ingest::{
    CrawlMode, CrawlOptions, FileEvent, FileOptions, Format, JobState, PageError, ReadOptions, WorkedBy,
    run_crawl, run_ingest, start_crawl, start_ingest,
};

use super::stored;
use crate::brief;
use crate::call::Call;
use crate::failure::{Failure, Kind, Outcome};
use crate::{IngestFailure, Ingested};

/// While a client waits: attempts to fetch a page, timeout of each, and pause in between.
const TRIES: u32 = 2;
const PATIENCE: Duration = Duration::from_secs(10);
const BACKOFF: Duration = Duration::from_millis(200);

requests! {
    /// Store a document, or the page at a URL.
    #[schemars(transform = crate::request::forms::ingest)]
    Ingest {
        /// The document.
        text [default]: Option<String>,
        /// URL of a page, instead of a text.
        #[schemars(schema_with = "crate::request::forms::maybe_url")]
        url [default]: Option<String>,
        /// Name of the source; storing under the same name again replaces its content.
        name [default]: Option<String>,
        /// `markdown`, `text`, `json`, `jsonl`, `chat` or `claude-code`; detected by default.
        #[schemars(schema_with = "crate::request::forms::format")]
        format [default]: Option<String>,
        /// Tags for everything in it.
        #[schemars(schema_with = "crate::request::forms::words")]
        tags [default]: Vec<String>,
        /// Kind of its memories; default `passage` or `turn`.
        #[schemars(schema_with = "crate::request::forms::word")]
        kind [default]: Option<String>,
    }
}

impl Ingest {
    pub fn new(text: Option<String>, url: Option<String>, tags: Vec<String>) -> Self {
        Self { text, url, name: None, format: None, tags, kind: None, user: None, project: None, scope: None }
    }
}

pub fn ingest(call: &Call, q: Ingest) -> Outcome<Ingested> {
    let text = match (q.text, q.url) {
        (Some(text), None) => text,
        (None, Some(url)) => {
            let options =
                CrawlOptions { tags: q.tags, timeout_ms: PATIENCE.as_millis() as u64, ..page_options(call) };
            return read_page(call, &url, options);
        }
        _ => return Err(Error::invalid("ingest", "give either a `text` or a `url`").into()),
    };
    let name = q.name.unwrap_or_else(|| name_of(&text));
    ingest_bytes(call, &name, text.into_bytes(), q.format.as_deref(), q.tags, q.kind, Ingested::empty())
}

/// The name of a text that was given none.
pub fn name_of(text: &str) -> String {
    format!("text-{}", &blake3::hash(text.as_bytes()).to_hex()[..12])
}

/// What was read. That nothing could be is a failure.
pub fn as_text(_: &Call, answer: &Ingested, _: &str) -> Outcome<String> {
    match answer.failed.first() {
        Some(first) if answer.added + answer.kept + answer.skipped + answer.unchanged == 0 => {
            Err(Failure::new(Kind::Engine(ErrorKind::InvalidInput), "ingest", &first.message))
        }
        _ => Ok(stored(&brief::ingested(answer))),
    }
}

/// A document as bytes: a part of an upload, counted in `tally`.
pub fn ingest_bytes(
    call: &Call,
    name: &str,
    bytes: Vec<u8>,
    format: Option<&str>,
    tags: Vec<String>,
    kind: Option<String>,
    mut tally: Ingested,
) -> Outcome<Ingested> {
    // Check first, so that invalid tags are refused for an empty document, too.
    let kind = kind.map(|kind| checked_word("kind", &kind)).transpose()?;
    let tags = checked_words("tag", &tags)?;
    let options = ReadOptions {
        tags,
        scope: call.scope.clone(),
        kind,
        format: format.map(Format::named).transpose()?,
        ..ReadOptions::new(&call.engine.settings().ingest)
    };
    // The name is only a label; it is never opened as a path.
    let name = name.rsplit(['/', '\\']).next().filter(|name| !name.trim().is_empty()).unwrap_or("text");
    let readings = griot_ingest::read_bytes(name, bytes, &options)?;
    let all = readings.iter().map(|reading| reading.drafts.len() as u64).sum();
    let mut before = 0;
    for mut reading in readings {
        for problem in &reading.problems {
            let (code, message) = (problem.kind.code().into(), problem.to_string());
            tally.failed.push(IngestFailure { path: name.to_string(), code, message });
        }
        reading.source.origin =
            griot_ingest::upload_origin(call.scope.user.as_deref(), &reading.source.origin);
        let own = reading.drafts.len() as u64;
        let mut tell = |done, _| call.progress.report(before + done, all);
        tally.count(call.engine.ingest_with_progress(&reading.source, reading.drafts, &mut tell)?);
        before += own;
        call.progress.report(before, all);
    }
    Ok(tally)
}

/// How one page is read into the scope of the call.
pub fn page_options(call: &Call) -> CrawlOptions {
    CrawlOptions {
        mode: CrawlMode::Single,
        user: call.scope.user.clone(),
        project: call.scope.project.clone(),
        tries: TRIES,
        backoff_ms: BACKOFF.as_millis() as u64,
        ..CrawlOptions::new(&call.engine.settings().crawl)
    }
}

/// Reads one page while the caller waits.
pub fn read_page(call: &Call, url: &str, options: CrawlOptions) -> Outcome<Ingested> {
    let jobs = call.jobs()?;
    let id = start_crawl(&jobs, url, &options, WorkedBy::Creator, call.engine.now().0)?;
    let job = run_crawl(&jobs, id, &call.whole, &call.ending, &mut |_| {})?;
    let counts = &job.counts;
    let failed = |one: &PageError| IngestFailure {
        path: one.url.clone(),
        code: ErrorKind::Unavailable.code().into(),
        message: one.why.clone(),
    };
    Ok(Ingested {
        sources: counts.processed,
        unchanged: counts.unchanged + counts.duplicates,
        added: counts.memories,
        removed: counts.removed,
        entities: counts.entities,
        edges: counts.edges,
        // Report the failure of the page, which is the reason why the job failed.
        failed: job
            .errors
            .iter()
            .skip(usize::from(job.errors.len() > 1 && job.message.is_some()))
            .map(failed)
            .collect(),
        ..Ingested::empty()
    })
}

/// Reads a text under a name, if there is one, and the files of the options as a job of this process, which
/// can be resumed; `false` if it was stopped.
pub fn ingest_here(
    call: &Call,
    text: Option<(&str, &str)>,
    options: &FileOptions,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(FileEvent<'_>),
) -> Outcome<bool> {
    let read_options = options.read_options(&call.engine)?;
    if let Some((name, text)) = text {
        let path = Path::new(name);
        for mut reading in griot_ingest::read_text(name, text, &read_options)? {
            reading.belongs_to(options.agent.as_deref());
            reading.source.origin = griot_ingest::upload_origin(None, &reading.source.origin);
            reading.problems.iter().for_each(|error| on_event(FileEvent::Problem { path, error }));
            let tally = call.engine.ingest(&reading.source, reading.drafts)?;
            on_event(FileEvent::Taken { path, tally });
        }
    }
    if options.paths.is_empty() {
        return Ok(true);
    }
    let jobs = call.jobs()?;
    let id = start_ingest(&jobs, options, WorkedBy::Creator, call.engine.now().0)?;
    let job = run_ingest(&jobs, id, &call.whole, stop, &mut |event| {
        on_event(event);
        Ok(())
    })?;
    Ok(job.state == JobState::Done)
}
