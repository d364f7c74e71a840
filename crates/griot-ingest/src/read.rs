//! What a caller hands in and gets back; limits and hashes; which reader reads what.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use griot::engine::IngestSettings;
use griot::model::{Error, ErrorKind, Result, Scope, Source, Timestamp};
use griot::remember::{Draft, SourceDraft};

use crate::format::{HEAD, Shape};
use crate::readers::input::{Batch, Input};
use crate::readers::{
    binary, database, document, export, json, lines, notebook, restructured, subtitle, table, transcript,
    xml, yaml,
};
use crate::{Format, ReadLimits, allowed, decode, web, worker};

/// Above this a file that is read by line arrives in parts.
const WHOLE: u64 = 8 * 1024 * 1024;
/// A part is handed on when it has one of these.
const PART_DRAFTS: usize = 1000;
const PART_BYTES: usize = 8 * 1024 * 1024;
/// Part of every hash: to be changed when the readers make something else of the same bytes.
const READERS: &[u8] = b"griot-ingest 6";

/// What was read from one source, or one part of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    pub source: SourceDraft,
    /// In the order of the file. Empty if the file holds no text.
    pub drafts: Vec<Draft>,
    /// What was left out, by line or message. At most 100 in one source; the last one counts the others.
    pub problems: Vec<Error>,
}

/// How to read.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadOptions {
    /// Added to the tags that the file gives.
    pub tags: Vec<String>,
    /// Where it is set, a record's own `user` and `project` do not count.
    pub scope: Scope,
    /// Largest file; for formats that are read line by line by [`read_stream`], the longest line.
    pub max_bytes: u64,
    /// Origins are paths relative to it; absolute if there is none or the file lies outside.
    pub root: Option<PathBuf>,
    /// In place of `passage` and `turn`; a record's own `kind` is kept.
    pub kind: Option<String>,
    /// Default: [`Format::detect`].
    pub format: Option<Format>,
    /// Formats or MIME types that are read; all if there are none.
    pub allowed: Vec<String>,
    /// What reading one file may take, where it is read in a process of its own.
    pub limits: ReadLimits,
}

impl ReadOptions {
    /// As the settings have it.
    pub fn new(settings: &IngestSettings) -> Self {
        Self {
            tags: Vec::new(),
            scope: Scope::default(),
            max_bytes: settings.max_file_bytes,
            allowed: settings.allowed_types.clone(),
            root: None,
            kind: None,
            format: None,
            limits: ReadLimits::new(settings),
        }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new(&IngestSettings::default())
    }
}

/// The path as a source is named by it: relative to `options.root` if it lies inside, with forward slashes;
/// bytes that are not UTF-8 are written `\xNN`.
pub fn origin(path: &Path, options: &ReadOptions) -> String {
    let own = absolute(path);
    let inside = options.root.as_deref().and_then(|root| own.strip_prefix(absolute(root)).ok());
    match inside {
        Some(inside) if inside.as_os_str().is_empty() => {
            printed(Path::new(own.file_name().unwrap_or_default()))
        }
        Some(inside) => printed(inside),
        None => printed(&own),
    }
}

/// What a source is called that came as text or bytes, over a network or a pipe: no path and no address,
/// whatever its name and its user are, so that nothing is ever opened for it. Two users' texts of one name
/// are two sources.
pub fn upload_origin(user: Option<&str>, name: &str) -> String {
    match user {
        Some(user) => format!("{}{user}/{name}", Source::UPLOADED),
        None => format!("{}{name}", Source::UPLOADED),
    }
}

fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if absolute.components().any(|part| part == Component::ParentDir) {
        return absolute.canonicalize().unwrap_or(absolute);
    }
    absolute
}

pub(crate) fn printed(path: &Path) -> String {
    let mut text = String::new();
    for piece in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(piece.valid());
        text.extend(piece.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// Which source a file is, without parsing it: kind, origin and content hash, as its [`Reading`] will have
/// them. Reads the file once, in pieces. A pipe, which cannot be read twice, has no hash.
pub fn identify(path: &Path, options: &ReadOptions) -> Result<SourceDraft> {
    let name = path.display().to_string();
    let input = Input::new(&name, path, origin(path, options), options);
    let mut file = open(path)?;
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Ok(input.source(Shape::of(path, b"", options.format)));
    }
    let head = read_head(&mut file, &name)?;
    let mut source = input.source(Shape::of(path, &head, options.format));
    source.from_disk = true;
    let mut stream = Hashing { stream: file, hasher: hasher(options) };
    stream.hasher.update(&head);
    std::io::copy(&mut stream, &mut std::io::sink()).map_err(|error| io_error(&name, &error))?;
    source.content_hash = Some(stream.hasher.finalize().into());
    Ok(source)
}

/// BLAKE3 of the file's bytes and of the options that change what is made of them (tags, scope, kind,
/// format).
pub fn content_hash(path: &Path, options: &ReadOptions) -> Result<[u8; 32]> {
    let name = path.display().to_string();
    let mut stream = Hashing { stream: open(path)?, hasher: hasher(options) };
    std::io::copy(&mut stream, &mut std::io::sink()).map_err(|error| io_error(&name, &error))?;
    Ok(stream.hasher.finalize().into())
}

/// The same for bytes that are there already.
pub fn text_hash(bytes: &[u8], options: &ReadOptions) -> [u8; 32] {
    hasher(options).update(bytes).finalize().into()
}

fn hasher(options: &ReadOptions) -> blake3::Hasher {
    let ReadOptions { tags, scope, kind, format, max_bytes: _, root: _, allowed: _, limits: _ } = options;
    let mut hasher = blake3::Hasher::new();
    hasher.update(READERS);
    let format = format.map(|format| format.name().to_string());
    for part in [&scope.user, &scope.project, kind, &format]
        .into_iter()
        .map(Option::as_ref)
        .chain(tags.iter().map(Some))
    {
        let part = part.map_or("", String::as_str);
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&u64::MAX.to_le_bytes());
    hasher
}

/// Reads a whole file. One source, one reading.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Vec<Reading>> {
    let name = path.display().to_string();
    let mut input = Input::new(&name, path, origin(path, options), options);
    let file = open(path)?;
    let data = file.metadata().map_err(|error| io_error(&name, &error))?;
    input.is_file = data.is_file();
    input.modified = data.modified().ok().and_then(timestamp);
    let limit = options.max_bytes;
    let too_large = |size: String| {
        input
            .error(format!("it has {size} bytes, and the limit is {limit}"))
            .hint("set ingest.max_file_bytes in griot.toml")
    };
    if data.is_file() && data.len() > limit {
        return Err(too_large(data.len().to_string()));
    }
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| io_error(&name, &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(format!("more than {limit}")));
    }
    Ok(vec![read(&input, bytes)?])
}

/// Reads text that is no file, such as standard input, under the name `origin`.
pub fn read_text(origin: &str, text: &str, options: &ReadOptions) -> Result<Vec<Reading>> {
    let input = Input::new(origin, Path::new(origin), origin.to_string(), options);
    if text.len() as u64 > options.max_bytes {
        return Err(input.error(format!(
            "it has {} bytes, and the limit is {}",
            text.len(),
            options.max_bytes
        )));
    }
    Ok(vec![read(&input, text.as_bytes().to_vec())?])
}

/// Reads a document that is no file, such as an upload, under the name `origin`; it need not be text.
pub fn read_bytes(origin: &str, bytes: Vec<u8>, options: &ReadOptions) -> Result<Vec<Reading>> {
    let input = Input::new(origin, Path::new(origin), origin.to_string(), options);
    if bytes.len() as u64 > options.max_bytes {
        return Err(input.error(format!(
            "it has {} bytes, and the limit is {}",
            bytes.len(),
            options.max_bytes
        )));
    }
    Ok(vec![read(&input, bytes)?])
}

/// Reads a file of any size that is read line by line (JSON Lines, chats), and any other file as
/// [`read_file`] does.
///
/// Above 8 MB it arrives in parts of one source: about 1,000 drafts or 8 MB each. Only the last part carries
/// the content hash, so that a file whose reading was interrupted does not count as read. An error of `sink`
/// ends the reading.
pub fn read_stream(
    path: &Path,
    options: &ReadOptions,
    sink: &mut dyn FnMut(Reading) -> Result<()>,
) -> Result<()> {
    let name = path.display().to_string();
    let mut file = open(path)?;
    let data = file.metadata().map_err(|error| io_error(&name, &error))?;
    if data.is_file() && data.len() > WHOLE {
        let head = read_head(&mut file, &name)?;
        let text = decode::head(&head);
        let shape = Shape::of(path, &head, options.format);
        let mut input = Input::new(&name, path, origin(path, options), options);
        input.is_file = true;
        input.modified = data.modified().ok().and_then(timestamp);
        allowed::check(&input, shape)?;
        if shape == Shape::Database {
            drop(file);
            return match worker::read_database(&input, data.len(), sink) {
                Some(outcome) => outcome,
                None => read_database_here(&input, data.len(), sink),
            };
        }
        if shape.is_read_by_line() && !decode::is_utf16(&head) {
            file.rewind().map_err(|error| io_error(&name, &error))?;
            check_head(&input, shape, &head, &text)?;
            return read_parts(&input, shape, file, sink);
        }
    }
    drop(file);
    read_file(path, options)?.into_iter().try_for_each(sink)
}

fn read_parts(
    input: &Input,
    shape: Shape,
    file: File,
    sink: &mut dyn FnMut(Reading) -> Result<()>,
) -> Result<()> {
    let hashing = Hashing { stream: file, hasher: hasher(input.options) };
    let mut stream = BufReader::with_capacity(256 * 1024, hashing);
    let mut batch = Batch::default();
    let mut source = input.source(shape);
    lines::read(input, shape, &mut stream, &mut batch, &mut |batch| hand_on(batch, &source, sink))?;
    batch.finish(input)?;
    source.content_hash = Some(stream.into_inner().hasher.finalize().into());
    sink(batch.take(source))
}

/// A database is read where it is, in this process; for the hash the file is read once more.
pub(crate) fn read_database_here(
    input: &Input,
    size: u64,
    sink: &mut dyn FnMut(Reading) -> Result<()>,
) -> Result<()> {
    let mut file = open(input.path)?;
    let head = read_head(&mut file, input.name)?;
    let mut stream = Hashing { stream: file, hasher: hasher(input.options) };
    stream.hasher.update(&head);
    std::io::copy(&mut stream, &mut std::io::sink()).map_err(|error| io_error(input.name, &error))?;
    let mut batch = Batch::default();
    let mut source = input.source(Shape::Database);
    database::read_file(input, &head, size, &mut batch, &mut |batch| hand_on(batch, &source, sink))?;
    batch.finish(input)?;
    source.content_hash = Some(stream.hasher.finalize().into());
    sink(batch.take(source))
}

fn hand_on(
    batch: &mut Batch,
    source: &SourceDraft,
    sink: &mut dyn FnMut(Reading) -> Result<()>,
) -> Result<()> {
    let (drafts, bytes) = batch.size();
    if drafts < PART_DRAFTS && bytes < PART_BYTES {
        return Ok(());
    }
    sink(batch.take(source.clone()))
}

/// Reads a file whose bytes are there: a heavy one in a process of its own, where there is a program for it.
fn read(input: &Input, bytes: Vec<u8>) -> Result<Reading> {
    let shape = Shape::of(input.path, &bytes[..bytes.len().min(HEAD)], input.options.format);
    if shape.weight().is_heavy(bytes.len()) {
        // What is not wanted is no reason to start one.
        allowed::check(input, shape)?;
        if let Some(read) = worker::read(input, &bytes) {
            return read;
        }
    }
    read_here(input, bytes)
}

/// The same in this process.
pub(crate) fn read_here(input: &Input, mut bytes: Vec<u8>) -> Result<Reading> {
    let hash = text_hash(&bytes, input.options);
    let shape = Shape::of(input.path, &bytes[..bytes.len().min(HEAD)], input.options.format);
    if let Shape::Refused(why) = shape {
        return Err(input.error(why));
    }
    allowed::check(input, shape)?;
    if let Shape::Binary(format) = shape {
        let mut source = input.source(shape);
        source.content_hash = Some(hash);
        let mut batch = Batch::default();
        binary::read(input, format, &bytes, &mut source, &mut batch)?;
        batch.finish(input)?;
        return Ok(batch.take(source));
    }
    if shape == Shape::Database {
        let mut source = input.source(shape);
        source.content_hash = Some(hash);
        let mut batch = Batch::default();
        database::read_bytes(input, &bytes, &mut batch)?;
        batch.finish(input)?;
        return Ok(batch.take(source));
    }
    let mut batch = Batch::default();
    if decode::is_utf16(&bytes) {
        bytes = decode(input.name, bytes)?.into_bytes();
    } else if shape == Shape::Transcript && !bytes.contains(&0) {
        bytes = text(input, shape, bytes, &mut batch)?.into_bytes();
    }
    let head = decode::head(&bytes[..bytes.len().min(HEAD)]);
    let mut source = input.source(shape);
    source.content_hash = Some(hash);
    if decode::without_mark(&bytes).iter().all(u8::is_ascii_whitespace) {
        return Ok(batch.take(source));
    }
    if shape.is_read_by_line() {
        check_head(input, shape, &bytes[..bytes.len().min(HEAD)], &head)?;
        lines::read(input, shape, bytes.as_slice(), &mut batch, &mut |_| Ok(()))?;
    } else if shape == Shape::Html {
        // Pages say in themselves how they are encoded.
        let guess = (!says_encoding(&bytes)).then(|| decode::guess(&bytes).name());
        document::read_html(input, &web::fetch::decode(&bytes, guess), &mut source, &mut batch)?;
    } else {
        let text = text(input, shape, bytes, &mut batch)?;
        match shape {
            Shape::Markdown => document::read_markdown(input, &text, &mut source, &mut batch),
            Shape::Json | Shape::ChatJson => json::read(input, &text, shape.is_chat(), &mut batch)?,
            Shape::Restructured => {
                document::read_markdown(input, &restructured::to_markdown(&text), &mut source, &mut batch);
            }
            Shape::Csv => table::read_separated(input, &text, &mut batch)?,
            Shape::Yaml => yaml::read(input, &text, &mut batch)?,
            Shape::Xml => xml::read(input, &text, &mut batch)?,
            Shape::Notebook => {
                let markdown = notebook::to_markdown(input, &text)?;
                document::read_converted(input, &markdown, &[], None, &mut source, &mut batch);
            }
            Shape::SlackDay => export::read_slack_day(input, &text, &mut batch)?,
            Shape::ChatGpt => export::read_chatgpt(input, &text, &mut batch)?,
            Shape::Claude => export::read_claude(input, &text, &mut batch)?,
            Shape::Subtitles => subtitle::read(input, &text, &mut batch),
            _ => document::read_plain(input, &text, &source, &mut batch),
        }
    }
    batch.finish(input)?;
    Ok(batch.take(source))
}

/// JSON is Unicode; what people write may be in any encoding.
fn text(input: &Input, shape: Shape, bytes: Vec<u8>, batch: &mut Batch) -> Result<String> {
    if matches!(
        shape,
        Shape::Json | Shape::ChatJson | Shape::Notebook | Shape::SlackDay | Shape::ChatGpt | Shape::Claude
    ) {
        return decode::unicode(input.name, bytes);
    }
    let decoded = decode::read(input.name, bytes)?;
    if let Some((encoding, count)) = decoded.replaced {
        let (characters, were) = if count == 1 { ("character", "was") } else { ("characters", "were") };
        batch.problem(
            input.error(format!("it was read as {encoding}, and {count} {characters} {were} replaced")),
        );
    }
    Ok(decoded.text)
}

/// A page that is UTF-8 or says what it is needs no guess.
fn says_encoding(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
    head.contains("charset=") || head.contains("encoding=") || std::str::from_utf8(bytes).is_ok()
}

/// Files that are wrong as a whole would otherwise be told line by line.
fn check_head(input: &Input, shape: Shape, bytes: &[u8], text: &str) -> Result<()> {
    // Letters may hold anything. A session that was cut off by a crash may hold zeros; what was written
    // before and after is worth reading.
    if let Some(offset) =
        bytes.iter().position(|&byte| byte == 0).filter(|_| !matches!(shape, Shape::Session | Shape::Letters))
    {
        return Err(input.error(decode::not_text(offset)));
    }
    if shape == Shape::Transcript { transcript::check(input, text) } else { Ok(()) }
}

/// Hashes what passes through.
struct Hashing<R> {
    stream: R,
    hasher: blake3::Hasher,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

fn open(path: &Path) -> Result<File> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| io_error(&name, &error))?;
    match file.metadata() {
        Ok(data) if data.is_dir() => Err(Error::invalid(format!("read `{name}`"), "it is a folder")),
        Ok(_) => Ok(file),
        Err(error) => Err(io_error(&name, &error)),
    }
}

fn read_head(file: &mut File, name: &str) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut head).map_err(|error| io_error(name, &error))?;
    Ok(head)
}

pub(crate) fn io_error(name: &str, error: &std::io::Error) -> Error {
    let what = format!("read `{name}`");
    match error.kind() {
        std::io::ErrorKind::NotFound => Error::not_found(what, "there is no such file or folder"),
        kind => Error::new(ErrorKind::Unavailable, what, kind.to_string()),
    }
}

fn timestamp(time: SystemTime) -> Option<Timestamp> {
    let milliseconds = match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).ok()?,
        Err(before) => -i64::try_from(before.duration().as_millis()).ok()?,
    };
    Some(Timestamp(milliseconds)).filter(|at| (Timestamp::EARLIEST..=Timestamp::LATEST).contains(at))
}
