//! `ingest`: stores a document given as text, as bytes, or as the URL of a page; files and folders.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use griot::model::{Error, ErrorKind, SourceId, SourceType};
use griot::remember::{checked_metadata, checked_word, checked_words};
use griot_ingest::{
    CrawlEvent, CrawlMode, CrawlOptions, FileEvent, FileOptions, Format, JobState, PageError, ReadOptions,
    Reading, WorkedBy, run_crawl, run_ingest, start_crawl, start_ingest,
};

use super::stored;
use crate::brief;
use crate::call::Call;
use crate::failure::{Failure, Kind, Outcome};
use crate::request;
use crate::{IngestFailure, Ingested};

/// While a client waits: attempts to fetch a page, timeout of each, and pause in between.
const TRIES: u32 = 2;
const PATIENCE: Duration = Duration::from_secs(10);
const BACKOFF: Duration = Duration::from_millis(200);

requests! {
    /// Store a document, or the page at a URL.
    #[schemars(transform = crate::request::forms::ingest)]
    Ingest of speaker {
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
        /// What to note of the source, by name; shown with it, never searched.
        #[schemars(schema_with = "crate::request::forms::metadata")]
        #[arg(skip)]
        metadata [default]: BTreeMap<String, String>,
        /// Kind of its memories; default `passage` or `turn`.
        #[schemars(schema_with = "crate::request::forms::word")]
        kind [default]: Option<String>,
        /// Keep a kind that looks like a mistyped one.
        new_kind [default]: bool,
        /// The agent that the memories belong to; settings specific to this agent apply.
        agent [default]: Option<String>,
    }

    /// Store a document, or the page at a URL, with the keys of older memory servers.
    #[schemars(transform = crate::request::forms::document)]
    KnowledgeDocument of speaker {
        /// `text` or `url`: which of the two is given. A file is sent as a form.
        #[schemars(regex(pattern = r"^(text|url)$"))]
        r#type [default]: Option<String>,
        /// The document.
        text [default]: Option<String>,
        /// The same as `text`.
        content [default]: Option<String>,
        /// URL of a page, instead of a text.
        #[schemars(schema_with = "crate::request::forms::maybe_url")]
        url [default]: Option<String>,
        /// Name of the source; storing under the same name again replaces its content.
        name [default]: Option<String>,
        /// `markdown`, `text`, `json`, `jsonl`, `chat` or `claude-code`; detected by default.
        #[schemars(schema_with = "crate::request::forms::format")]
        format [default]: Option<String>,
        /// The MIME type of the document, instead of its format. Where several formats have the type, such as
        /// `application/json`, the content decides.
        #[schemars(schema_with = "crate::request::forms::mime")]
        mime_type [default, rename = "mimeType"]: Option<String>,
        /// Tags for everything in it.
        #[schemars(schema_with = "crate::request::forms::words")]
        tags [default]: Vec<String>,
        /// What to note of the source, by name; shown with it, never searched.
        #[schemars(schema_with = "crate::request::forms::metadata")]
        #[arg(skip)]
        metadata [default]: BTreeMap<String, String>,
        /// Kind of its memories; default `passage` or `turn`.
        #[schemars(schema_with = "crate::request::forms::word")]
        kind [default]: Option<String>,
        /// Keep a kind that looks like a mistyped one.
        new_kind [default]: bool,
        /// The agent that the memories belong to; settings specific to this agent apply.
        agent [default]: Option<String>,
    }
}

/// A document as bytes, and what its memories get.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Detected if it is not given.
    pub format: Option<Format>,
    pub tags: Vec<String>,
    pub metadata: BTreeMap<String, String>,
    pub kind: Option<String>,
    /// Keep a kind that looks like a mistyped one.
    pub new_kind: bool,
    pub agent: Option<String>,
}

/// The answer to a document with the keys of older memory servers.
#[derive(Clone, PartialEq, Debug, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeIngested {
    /// Id of the source, such as `s4`, the first of several; `null` if nothing could be read.
    pub source_id: Option<String>,
    /// Memories that these sources hold now.
    pub chunks: u64,
    /// Edges that were added, mentions among them.
    pub relationships: u64,
    /// How long it took.
    pub duration_ms: u64,
    #[serde(flatten)]
    pub tally: Ingested,
}

impl Ingest {
    pub fn new(text: Option<String>, url: Option<String>, tags: Vec<String>) -> Self {
        Self {
            text,
            url,
            name: None,
            format: None,
            tags,
            metadata: BTreeMap::new(),
            kind: None,
            new_kind: false,
            agent: None,
            user: None,
            project: None,
            scope: None,
        }
    }

    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }
}

impl KnowledgeDocument {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }
}

impl KnowledgeIngested {
    /// `since` is when the work began.
    pub fn new(call: &Call, tally: Ingested, since: Instant) -> Outcome<Self> {
        let read = call.engine.read()?;
        let mut chunks = 0;
        for source in tally.source_ids.iter().filter_map(|id| SourceId::parse(id)) {
            chunks += read.source_memories(source, false)?.len() as u64;
        }
        Ok(Self {
            source_id: tally.source_ids.first().cloned(),
            chunks,
            relationships: tally.edges,
            duration_ms: since.elapsed().as_millis() as u64,
            tally,
        })
    }
}

pub fn ingest(call: &Call, q: Ingest) -> Outcome<Ingested> {
    let format = q.format.as_deref().map(Format::named).transpose()?;
    take(call, q, format)
}

/// The same with the keys of older memory servers.
pub fn knowledge_ingest(call: &Call, q: KnowledgeDocument) -> Outcome<KnowledgeIngested> {
    let since = Instant::now();
    let refused = |why: &str| Err(Error::invalid("ingest", why).into());
    let given = match (&q.text, &q.content, &q.url) {
        (Some(_), None, None) | (None, Some(_), None) => "text",
        (None, None, Some(_)) => "url",
        _ => return refused("give either a `text` (or `content`) or a `url`"),
    };
    match q.r#type.as_deref() {
        Some("file") => {
            let error = Error::invalid("ingest", "a `file` of the server is not read");
            return Err(error.hint("send the file as a form (multipart/form-data)").into());
        }
        Some(kind) if kind != given => {
            return refused(&format!("the type is `{kind}`, but a `{given}` is given"));
        }
        _ => {}
    }
    let format = match (&q.format, &q.mime_type) {
        (Some(_), Some(_)) => return refused("give either a `format` or a `mimeType`"),
        (Some(name), None) => Some(Format::named(name)?),
        (None, Some(mime)) => Format::of_mime(mime)?,
        (None, None) => None,
    };
    let document = Ingest {
        name: q.name,
        metadata: q.metadata,
        kind: q.kind,
        new_kind: q.new_kind,
        agent: q.agent,
        ..Ingest::new(q.text.or(q.content), q.url, q.tags)
    };
    KnowledgeIngested::new(call, take(call, document, format)?, since)
}

fn take(call: &Call, q: Ingest, format: Option<Format>) -> Outcome<Ingested> {
    let text = match (q.text, q.url) {
        (Some(text), None) => text,
        (None, Some(url)) => {
            let options = CrawlOptions {
                tags: q.tags,
                metadata: q.metadata,
                agent: q.agent,
                timeout_ms: PATIENCE.as_millis() as u64,
                ..page_options(call)
            };
            return read_page(call, &url, options);
        }
        _ => return Err(Error::invalid("ingest", "give either a `text` or a `url`").into()),
    };
    let document = Document {
        name: q.name.unwrap_or_else(|| name_of(&text)),
        bytes: text.into_bytes(),
        format,
        tags: q.tags,
        metadata: q.metadata,
        kind: q.kind,
        new_kind: q.new_kind,
        agent: q.agent,
    };
    ingest_bytes(call, document, Ingested::empty())
}

/// The name of a text that was given none: its first words, and what makes the name its own.
pub fn name_of(text: &str) -> String {
    const WORDS: usize = 6;
    const MOST: usize = 48;
    let mut name = String::new();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    for word in words.take(WORDS) {
        let word: String = word.to_lowercase().chars().take(MOST).collect();
        if name.chars().count() + word.chars().count() > MOST {
            break;
        }
        name.push_str(&word);
        name.push('-');
    }
    if name.is_empty() {
        name.push_str("text-");
    }
    format!("{name}{}", &blake3::hash(text.as_bytes()).to_hex()[..6])
}

/// A name that was made of the text is no title of it: a title names an entity.
fn without_own_name(reading: &mut Reading, made: Option<&String>) {
    if made.is_some() && reading.source.title.as_ref() == made {
        reading.source.title = None;
    }
}

/// That nothing could be read is a failure: the first one of those reported.
pub fn read_something(answer: &Ingested) -> Outcome<()> {
    let first = match answer.failed.first() {
        Some(first) if answer.added + answer.kept + answer.skipped + answer.unchanged == 0 => first,
        _ => return Ok(()),
    };
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == first.code);
    let kind = kind.unwrap_or(Kind::Engine(ErrorKind::InvalidInput));
    Err(Failure::new(kind, format!("ingest `{}`", first.path), &first.message))
}

/// What was read.
pub fn as_text(_: &Call, answer: &Ingested, _: &str) -> Outcome<String> {
    read_something(answer)?;
    Ok(stored(&brief::ingested(answer)))
}

/// The same as JSON.
pub fn as_json(_: &Call, answer: &Ingested, json: &str) -> Outcome<String> {
    read_something(answer)?;
    Ok(stored(json))
}

/// Adds a document to what was stored before of the same request.
pub fn ingest_bytes(call: &Call, document: Document, mut tally: Ingested) -> Outcome<Ingested> {
    let Document { name, bytes, format, tags, metadata, kind, new_kind, agent } = document;
    // Check first, so that invalid tags are refused for an empty document, too.
    let kind = request::kind(&call.engine, kind.as_ref(), new_kind)?;
    let kind = kind.map(|kind| checked_word("kind", &kind)).transpose()?;
    let options = ReadOptions {
        tags: checked_words("tag", &tags)?,
        metadata: checked_metadata(&metadata)?,
        scope: call.scope.clone(),
        kind,
        format,
        ..ReadOptions::new(&call.engine.settings().ingest)
    };
    // The name is only a label; it is never opened as a path.
    let name = name.rsplit(['/', '\\']).next().filter(|name| !name.trim().is_empty()).unwrap_or("text");
    let made = std::str::from_utf8(&bytes).ok().map(name_of);
    let mut readings = griot_ingest::read_bytes(name, bytes, &options)?;
    readings.iter_mut().for_each(|reading| without_own_name(reading, made.as_ref()));
    let all = readings.iter().map(|reading| reading.drafts.len() as u64).sum();
    let mut before = 0;
    for mut reading in readings {
        for problem in &reading.problems {
            let (code, message) = (problem.kind.code().into(), problem.to_string());
            tally.failed.push(IngestFailure { path: name.to_string(), code, message, partly: true });
        }
        reading.belongs_to(agent.as_deref());
        reading.source.origin =
            griot_ingest::upload_origin(call.scope.user.as_deref(), &reading.source.origin);
        let own = reading.drafts.len() as u64;
        let mut tell = |done, _| call.progress.report(before + done, all);
        tally.count(call.engine.ingest_with_progress(&reading.source, reading.drafts, &mut tell)?);
        name_source(call, &mut tally, reading.source.kind, &reading.source.origin)?;
        before += own;
        call.progress.report(before, all);
    }
    Ok(tally)
}

fn name_source(call: &Call, tally: &mut Ingested, kind: SourceType, origin: &str) -> Outcome<()> {
    let found = call.engine.read()?.source_by_origin(kind, origin)?.map(|source| source.id.to_string());
    tally.source_ids.extend(found.filter(|id| !tally.source_ids.contains(id)));
    Ok(())
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
    // The last address that was answered: the page may have moved.
    let mut answered = None;
    let job = run_crawl(&jobs, id, &call.whole, &call.ending, &mut |event| {
        if let CrawlEvent::Recorded(url) | CrawlEvent::Stored(url) = event {
            answered = Some(url.clone());
        }
    })?;
    let origin = match answered.filter(|_| job.counts.processed > 0) {
        Some(url) => jobs.origin_of_page(options.user.as_deref(), &url)?,
        None => None,
    };
    let counts = &job.counts;
    let failed = |one: &PageError| IngestFailure {
        path: one.url.clone(),
        code: ErrorKind::Unavailable.code().into(),
        message: one.why.clone(),
        partly: false,
    };
    let mut tally = Ingested {
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
    };
    if let Some(origin) = origin {
        name_source(call, &mut tally, SourceType::Page, &origin)?;
    }
    Ok(tally)
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
            without_own_name(&mut reading, Some(&name_of(text)));
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
