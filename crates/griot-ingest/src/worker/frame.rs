//! The protocol between a process and its read worker.
//!
//! A frame is one byte for its kind, eight bytes for the length of the content (little endian), and the
//! content: JSON, or the bytes of the file. The forms below destructure what they carry, so a new field is
//! either carried or does not compile.

use std::ffi::OsString;
use std::io::{Error as IoError, ErrorKind as IoErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use griot::model::{
    EdgeKind, EntityType, Error, ErrorKind, Lines, Predicate, Provenance, Scope, SourceType, Timestamp,
};
use griot::remember::{Draft, DraftFact, DraftLink, DraftObject, DraftPlace, EntityDraft, SourceDraft};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::jobs::Form;
use crate::options::{ReadLimits, ReadOptions};
use crate::readers::Format;
use crate::readers::input::{Input, Reading};
use crate::web::page::PageText;

/// The argument that makes a program a read worker.
pub const READ_WORKER: &str = "read-worker";
/// First frame of a worker; a different text means another version.
pub(super) const HELLO: &str = concat!("griot-reader 2 ", env!("CARGO_PKG_VERSION"));
/// Longest frame of an answer in bytes. Drafts come in batches; the longest frame holds one page or one
/// table row.
const MAX_FRAME: u64 = 256 * 1024 * 1024;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// From the worker, once: [`HELLO`].
    Hello = 1,
    /// To the worker: a task, followed by the bytes of its file.
    Task,
    Bytes,
    /// A batch of drafts of a reading.
    Drafts,
    /// The source and the problems of a reading, after its drafts.
    Reading,
    Page,
    /// The end of an answer, with its peak memory use in bytes.
    Done,
    /// The end of an answer without a result: the error and the peak memory use.
    Refused,
}

impl Kind {
    fn of(byte: u8) -> Option<Self> {
        use Kind::{Bytes, Done, Drafts, Hello, Page, Reading, Refused, Task};
        [Hello, Task, Bytes, Drafts, Reading, Page, Done, Refused]
            .into_iter()
            .find(|kind| *kind as u8 == byte)
    }
}

/// A complete answer.
pub(super) enum Answer {
    Reading(Box<Reading>),
    Page(Box<PageText>),
}

pub(super) fn send(to: &mut impl Write, kind: Kind, content: &[u8]) -> std::io::Result<()> {
    to.write_all(&[kind as u8])?;
    to.write_all(&(content.len() as u64).to_le_bytes())?;
    to.write_all(content)?;
    to.flush()
}

pub(super) fn send_json(to: &mut impl Write, kind: Kind, content: &impl Serialize) -> std::io::Result<()> {
    send(to, kind, &serde_json::to_vec(content)?)
}

pub(super) fn send_task(to: &mut impl Write, task: &Task, bytes: &[u8]) -> std::io::Result<()> {
    send_json(to, Kind::Task, task)?;
    send(to, Kind::Bytes, bytes)
}

pub(super) fn receive(from: &mut impl Read) -> std::io::Result<(Kind, Vec<u8>)> {
    let mut head = [0; 9];
    from.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let wrong = |why: &str| IoError::new(IoErrorKind::InvalidData, why);
    let kind = Kind::of(kind).ok_or_else(|| wrong("a frame of no known kind"))?;
    let length = u64::from_le_bytes(length);
    // Files may be as long as the settings allow; answers may not.
    if length > MAX_FRAME && kind != Kind::Bytes {
        return Err(wrong("a frame that is too long"));
    }
    let mut content = Vec::new();
    from.take(length).read_to_end(&mut content)?;
    if content.len() as u64 != length {
        return Err(IoErrorKind::UnexpectedEof.into());
    }
    Ok((kind, content))
}

/// A task for the worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Task {
    /// A file; its bytes follow.
    Read(FileForm),
    /// A database, opened in place.
    Database { file: FileForm, size: u64 },
    /// A fetched page; its bytes follow.
    Page { url: String, kind: String, charset: Option<String> },
}

/// A file and the options to read it with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FileForm {
    name: String,
    path: OsString,
    origin: String,
    modified: Option<i64>,
    is_file: bool,
    tags: Vec<String>,
    user: Option<String>,
    project: Option<String>,
    max_bytes: u64,
    root: Option<OsString>,
    kind: Option<String>,
    format: Option<String>,
    allowed: Vec<String>,
}

impl FileForm {
    pub(super) fn of(input: &Input, options: &ReadOptions) -> Self {
        let ReadOptions { tags, scope, max_bytes, root, kind, format, allowed, limits: _ } = options;
        Self {
            name: input.name.to_string(),
            path: input.path.into(),
            origin: input.origin.clone(),
            modified: input.modified.map(|at| at.0),
            is_file: input.is_file,
            tags: tags.clone(),
            user: scope.user.clone(),
            project: scope.project.clone(),
            max_bytes: *max_bytes,
            root: root.clone().map(PathBuf::into_os_string),
            kind: kind.clone(),
            format: format.map(|format| format.name().to_string()),
            allowed: allowed.clone(),
        }
    }

    pub(super) fn options(&self) -> ReadOptions {
        ReadOptions {
            tags: self.tags.clone(),
            scope: Scope { user: self.user.clone(), project: self.project.clone() },
            max_bytes: self.max_bytes,
            root: self.root.clone().map(PathBuf::from),
            kind: self.kind.clone(),
            format: self.format.as_deref().and_then(Format::parse),
            allowed: self.allowed.clone(),
            limits: ReadLimits { memory: 0, time: Duration::ZERO },
        }
    }

    pub(super) fn input<'a>(&'a self, options: &'a ReadOptions) -> Input<'a> {
        let mut input = options.input(&self.name, Path::new(&self.path), self.origin.clone());
        input.modified = self.modified.map(Timestamp);
        input.is_file = self.is_file;
        input
    }
}

/// Name, type and key.
type EntityForm = (String, Option<String>, Option<String>);

#[derive(Serialize, Deserialize)]
struct DraftForm {
    text: String,
    kind: Option<String>,
    tags: Vec<String>,
    importance: Option<u8>,
    user: Option<String>,
    project: Option<String>,
    agent: Option<String>,
    session: Option<String>,
    speaker: Option<String>,
    occurred_at: Option<i64>,
    entities: Vec<EntityForm>,
    expires_at: Option<i64>,
    heading: Vec<String>,
    lines: Option<(u32, u32)>,
    ordinal: Option<u32>,
    supersedes: Option<String>,
}

impl From<Draft> for DraftForm {
    fn from(draft: Draft) -> Self {
        let Draft {
            text,
            kind,
            tags,
            importance,
            scope: Scope { user, project },
            agent,
            session,
            speaker,
            occurred_at,
            entities,
            heading,
            lines,
            ordinal,
            supersedes,
            // Documents never create rules, whatever a reader returns.
            tier: _,
            expires_at,
        } = draft;
        Self {
            text,
            kind,
            tags,
            importance,
            user,
            project,
            agent,
            session,
            speaker,
            occurred_at: occurred_at.map(|at| at.0),
            entities: entities.into_iter().map(sent_entity).collect(),
            expires_at: expires_at.map(|at| at.0),
            heading,
            lines: lines.map(|Lines { first, last }| (first, last)),
            ordinal,
            supersedes,
        }
    }
}

impl From<DraftForm> for Draft {
    fn from(form: DraftForm) -> Self {
        Self {
            text: form.text,
            kind: form.kind,
            tags: form.tags,
            importance: form.importance,
            scope: Scope { user: form.user, project: form.project },
            agent: form.agent,
            session: form.session,
            speaker: form.speaker,
            occurred_at: form.occurred_at.map(Timestamp),
            entities: form.entities.into_iter().map(entity).collect(),
            heading: form.heading,
            lines: form.lines.map(|(first, last)| Lines { first, last }),
            ordinal: form.ordinal,
            supersedes: form.supersedes,
            tier: None,
            expires_at: form.expires_at.map(Timestamp),
        }
    }
}

type Place = (Option<String>, u32);

#[derive(Serialize, Deserialize)]
struct LinkForm {
    source: Place,
    target: Place,
    kind: String,
    label: Option<String>,
    weight: f32,
    confidence: Option<f32>,
    provenance: String,
    reason: Option<String>,
    at: Option<i64>,
}

impl From<DraftLink> for LinkForm {
    fn from(link: DraftLink) -> Self {
        let DraftLink { source, target, kind, label, weight, confidence, provenance, reason, at } = link;
        let (kind, provenance) = (kind.name().to_string(), provenance.name().to_string());
        let (source, target, at) = (sent_place(source), sent_place(target), at.map(|at| at.0));
        Self { source, target, kind, label, weight, confidence, provenance, reason, at }
    }
}

impl LinkForm {
    fn link(self) -> Result<DraftLink, String> {
        let kind =
            EdgeKind::parse(&self.kind).ok_or_else(|| format!("no edge is of the kind `{}`", self.kind))?;
        let Self { source, target, kind: _, label, weight, confidence, provenance, reason, at } = self;
        let provenance = Provenance::parse(&provenance)
            .ok_or_else(|| format!("no edge has the provenance `{provenance}`"))?;
        let (source, target, at) = (place(source), place(target), at.map(Timestamp));
        Ok(DraftLink { source, target, kind, label, weight, confidence, provenance, reason, at })
    }
}

fn sent_place(DraftPlace { session, ordinal }: DraftPlace) -> Place {
    (session, ordinal)
}

fn place((session, ordinal): Place) -> DraftPlace {
    DraftPlace { session, ordinal }
}

#[derive(Serialize, Deserialize)]
struct FactForm {
    said_by: Place,
    drawn_from: Option<(Place, Option<String>)>,
    subject: EntityForm,
    predicate: String,
    object: ObjectForm,
    valid_from: Option<i64>,
    valid_to: Option<i64>,
    confidence: f32,
    at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
enum ObjectForm {
    Entity(EntityForm),
    Literal(String),
}

impl From<DraftFact> for FactForm {
    fn from(fact: DraftFact) -> Self {
        let DraftFact {
            said_by,
            drawn_from,
            subject,
            predicate,
            object,
            valid_from,
            valid_to,
            confidence,
            at,
        } = fact;
        Self {
            said_by: sent_place(said_by),
            drawn_from: drawn_from.map(|(from, quote)| (sent_place(from), quote)),
            subject: sent_entity(subject),
            predicate: predicate.name().to_string(),
            object: match object {
                DraftObject::Entity(entity) => ObjectForm::Entity(sent_entity(entity)),
                DraftObject::Literal(words) => ObjectForm::Literal(words),
            },
            valid_from: valid_from.map(|at| at.0),
            valid_to: valid_to.map(|at| at.0),
            confidence,
            at: at.map(|at| at.0),
        }
    }
}

impl FactForm {
    fn fact(self) -> Result<DraftFact, String> {
        let predicate = Predicate::parse(&self.predicate);
        Ok(DraftFact {
            said_by: place(self.said_by),
            drawn_from: self.drawn_from.map(|(from, quote)| (place(from), quote)),
            subject: entity(self.subject),
            predicate: predicate.ok_or_else(|| format!("no fact has the predicate `{}`", self.predicate))?,
            object: match self.object {
                ObjectForm::Entity(named) => DraftObject::Entity(entity(named)),
                ObjectForm::Literal(words) => DraftObject::Literal(words),
            },
            valid_from: self.valid_from.map(Timestamp),
            valid_to: self.valid_to.map(Timestamp),
            confidence: self.confidence,
            at: self.at.map(Timestamp),
        })
    }
}

fn sent_entity(EntityDraft { name, kind, key }: EntityDraft) -> EntityForm {
    (name, kind.map(|kind| kind.name().to_string()), key)
}

fn entity((name, kind, key): EntityForm) -> EntityDraft {
    EntityDraft { name, kind: kind.and_then(|kind| EntityType::parse(&kind)), key }
}

#[derive(Serialize, Deserialize)]
struct ErrorForm {
    kind: String,
    what: String,
    why: String,
    hint: Option<String>,
}

impl From<Error> for ErrorForm {
    fn from(error: Error) -> Self {
        // Readers know no store, so they never suggest candidates.
        let Error { kind, what, why, hint, candidates: _ } = error;
        Self { kind: kind.code().to_string(), what, why, hint }
    }
}

impl From<ErrorForm> for Error {
    fn from(form: ErrorForm) -> Self {
        let kind = ErrorKind::ALL.into_iter().find(|kind| kind.code() == form.kind).unwrap_or(ErrorKind::Bug);
        Self { hint: form.hint, ..Self::new(kind, form.what, form.why) }
    }
}

/// The source and the problems of a reading.
#[derive(Serialize, Deserialize)]
struct ReadingForm {
    kind: String,
    origin: String,
    from_disk: bool,
    title: Option<String>,
    language: Option<String>,
    tags: Vec<String>,
    content_hash: Option<[u8; 32]>,
    links: Vec<LinkForm>,
    facts: Vec<FactForm>,
    problems: Vec<ErrorForm>,
}

/// Sends a reading in frames of moderate size.
pub(super) fn send_reading(to: &mut impl Write, reading: Reading) -> std::io::Result<()> {
    const MAX_DRAFTS: usize = 1000;
    const MAX_BYTES: usize = 8 * 1024 * 1024;
    let Reading { source, drafts, problems } = reading;
    let (mut forms, mut bytes) = (Vec::new(), 0);
    for draft in drafts {
        bytes += draft.text.len();
        forms.push(DraftForm::from(draft));
        if forms.len() >= MAX_DRAFTS || bytes >= MAX_BYTES {
            send_json(to, Kind::Drafts, &forms)?;
            forms.clear();
            bytes = 0;
        }
    }
    send_json(to, Kind::Drafts, &forms)?;
    let SourceDraft { kind, origin, from_disk, title, language, tags, content_hash, links, facts } = source;
    let form = ReadingForm {
        kind: kind.name().to_string(),
        origin,
        from_disk,
        title,
        language,
        tags,
        content_hash,
        links: links.into_iter().map(LinkForm::from).collect(),
        facts: facts.into_iter().map(FactForm::from).collect(),
        problems: problems.into_iter().map(ErrorForm::from).collect(),
    };
    send_json(to, Kind::Reading, &form)
}

/// Collects the drafts of a reading until its source arrives.
#[derive(Default)]
pub(super) struct PartialReading {
    drafts: Vec<Draft>,
}

impl PartialReading {
    pub(super) fn add(&mut self, content: &[u8]) -> Result<(), String> {
        let forms: Vec<DraftForm> = parse(content)?;
        self.drafts.extend(forms.into_iter().map(Draft::from));
        Ok(())
    }

    pub(super) fn finish(self, content: &[u8]) -> Result<Reading, String> {
        let form: ReadingForm = parse(content)?;
        let kind = SourceType::parse(&form.kind)
            .ok_or_else(|| format!("no source is of the kind `{}`", form.kind))?;
        let source = SourceDraft {
            kind,
            origin: form.origin,
            from_disk: form.from_disk,
            title: form.title,
            language: form.language,
            tags: form.tags,
            content_hash: form.content_hash,
            links: form.links.into_iter().map(LinkForm::link).collect::<Result<_, _>>()?,
            facts: form.facts.into_iter().map(FactForm::fact).collect::<Result<_, _>>()?,
        };
        Ok(Reading {
            source,
            drafts: self.drafts,
            problems: form.problems.into_iter().map(Error::from).collect(),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct PageForm {
    title: Option<String>,
    byline: Option<String>,
    language: Option<String>,
    published: Option<i64>,
    form: String,
    text: String,
    canonical: Option<String>,
    links: Vec<String>,
    feeds: Vec<String>,
}

pub(super) fn send_page(to: &mut impl Write, page: PageText) -> std::io::Result<()> {
    let PageText { title, byline, language, published, form, text, canonical, links, feeds } = page;
    let form = PageForm {
        title,
        byline,
        language,
        published: published.map(|at| at.0),
        form: form.name().to_string(),
        text,
        canonical: canonical.map(String::from),
        links: links.into_iter().map(String::from).collect(),
        feeds: feeds.into_iter().map(String::from).collect(),
    };
    send_json(to, Kind::Page, &form)
}

pub(super) fn page(content: &[u8]) -> Result<PageText, String> {
    let page: PageForm = parse(content)?;
    let urls = |list: Vec<String>| list.iter().filter_map(|url| Url::parse(url).ok()).collect();
    let form =
        [Form::Plain, Form::Markdown, Form::Passages].into_iter().find(|form| form.name() == page.form);
    Ok(PageText {
        title: page.title,
        byline: page.byline,
        language: page.language,
        published: page.published.map(Timestamp),
        form: form.ok_or_else(|| format!("no page is of the form `{}`", page.form))?,
        text: page.text,
        canonical: page.canonical.and_then(|url| Url::parse(&url).ok()),
        links: urls(page.links),
        feeds: urls(page.feeds),
    })
}

pub(super) fn send_refused(to: &mut impl Write, error: Error, peak: u64) -> std::io::Result<()> {
    send_json(to, Kind::Refused, &(ErrorForm::from(error), peak))
}

pub(super) fn error(content: &[u8]) -> Result<(Error, u64), String> {
    let (form, peak): (ErrorForm, u64) = parse(content)?;
    Ok((form.into(), peak))
}

pub(super) fn number(content: &[u8]) -> u64 {
    parse(content).unwrap_or(0)
}

pub(super) fn parse<'a, T: Deserialize<'a>>(content: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(content).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_survives_the_protocol() {
        let mut source = SourceDraft::new(SourceType::Chat, "a\\xFF.pdf");
        source.from_disk = true;
        source.content_hash = Some([7; 32]);
        let place = DraftPlace { session: Some("s".into()), ordinal: 3 };
        source.links = vec![DraftLink {
            label: Some("causes".into()),
            weight: 0.3,
            confidence: Some(0.1),
            provenance: Provenance::Llm,
            reason: Some("said".into()),
            at: Some(Timestamp(-5)),
            ..DraftLink::new(place.clone(), DraftPlace { session: None, ordinal: 0 }, EdgeKind::References)
        }];
        let fact = DraftFact {
            said_by: place.clone(),
            drawn_from: Some((DraftPlace { session: None, ordinal: 0 }, Some("words".into()))),
            subject: EntityDraft::named("Ada", EntityType::parse("person")),
            predicate: Predicate::Prefers,
            object: DraftObject::Literal("tea".into()),
            valid_from: Some(Timestamp(1)),
            valid_to: None,
            confidence: 0.7,
            at: Some(Timestamp(2)),
        };
        let other =
            DraftFact { object: DraftObject::Entity(EntityDraft::named("Bob", None)), ..fact.clone() };
        source.facts = vec![fact, other];
        let drafts = (0..2500).map(|number| Draft {
            kind: Some("passage".into()),
            tags: vec!["a".into()],
            importance: Some(2),
            scope: Scope { user: Some("ada".into()), project: None },
            speaker: Some("Ada \u{202E}".into()),
            occurred_at: Some(Timestamp(i64::MIN)),
            entities: vec![EntityDraft::named("Ada", EntityType::parse("person"))],
            heading: vec!["page 1".into()],
            lines: Some(Lines { first: 1, last: 2 }),
            ordinal: Some(number),
            ..Draft::new("text \u{1}\n\"quoted\"")
        });
        let problem = Error::invalid("read `a`", "it is damaged").hint("mend it");
        let reading = Reading { source, drafts: drafts.collect(), problems: vec![problem] };
        let mut sent = Vec::new();
        send_reading(&mut sent, reading.clone()).expect("it is sent");
        let (mut from, mut part) = (sent.as_slice(), PartialReading::default());
        let came = loop {
            match receive(&mut from).expect("it comes") {
                (Kind::Drafts, content) => part.add(&content).expect("drafts"),
                (Kind::Reading, content) => break part.finish(&content).expect("a reading"),
                (kind, _) => panic!("{kind:?}"),
            }
        };
        assert_eq!(came, reading);
    }

    #[test]
    fn a_page_survives_the_protocol() {
        let page = PageText {
            published: Some(Timestamp(5)),
            links: vec![Url::parse("https://example.org/a?b=c%20d").expect("an address")],
            ..PageText::new(Form::Passages, "[]".into())
        };
        let mut sent = Vec::new();
        send_page(&mut sent, page.clone()).expect("it is sent");
        let (kind, content) = receive(&mut sent.as_slice()).expect("it comes");
        assert_eq!((kind, super::page(&content)), (Kind::Page, Ok(page)));
    }

    #[test]
    fn broken_frames_are_errors() {
        for bytes in [
            &b""[..],
            &[1],
            &[200, 0, 0, 0, 0, 0, 0, 0, 0],
            &[4, 255, 255, 255, 255, 0, 0, 0, 0],
            &[4, 9, 0, 0, 0, 0, 0, 0, 0, 1],
        ] {
            assert!(receive(&mut &*bytes).is_err(), "{bytes:?}");
        }
    }
}
