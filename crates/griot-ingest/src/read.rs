//! Turns files and texts into drafts. Files that are expensive to parse are read in a separate process
//! (`worker`), all others in this one (`in_process`).

use std::fs::Metadata;
use std::io::{Read as _, Seek};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use griot::model::{Result, Source, Timestamp};
use griot::remember::SourceDraft;

use crate::detect::choose;
use crate::in_process::{open, read_head};
use crate::options::ReadOptions;
use crate::readers::input::{Input, Reading};
use crate::readers::reader::Read;
use crate::shown::{io_error, printed};
use crate::time::in_range;
use crate::{allowed, decode, hash, in_process, worker};

/// Larger files in line-based formats are read in parts. In bytes.
const WHOLE: u64 = 8 * 1024 * 1024;

/// The origin of a file's source: its path with forward slashes, relative to `options.root` if that contains
/// the file. Bytes that are not UTF-8 become `\xNN`.
pub fn origin(path: &Path, options: &ReadOptions) -> String {
    let own = absolute(path);
    let inside = options.root.as_deref().and_then(|root| own.strip_prefix(absolute(root)).ok());
    match inside {
        Some(inside) if inside.as_os_str().is_empty() => {
            printed(own.file_name().unwrap_or_default().as_ref())
        }
        inside => printed(inside.unwrap_or(&own)),
    }
}

/// The origin of a text that arrived over a network or a pipe. It is never a valid path or address, whatever
/// the name and the user, so that a refresh cannot open a file. Equal names of different users are different
/// sources.
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

/// Determines kind, origin and content hash of a file without parsing it. Reads the file once, in chunks. A
/// pipe has no hash, because it cannot be read twice.
pub fn identify(path: &Path, options: &ReadOptions) -> Result<SourceDraft> {
    let name = path.display().to_string();
    let input = options.input(&name, path, origin(path, options));
    let is_chat = |head: &[u8]| choose(path, head, options.format).is_ok_and(|choice| choice.reader.is_chat);
    let mut file = open(path)?;
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Ok(input.source(is_chat(b"")));
    }
    let head = read_head(&mut file, &name)?;
    let mut source = input.source(is_chat(&head));
    source.from_disk = true;
    source.content_hash = Some(hash::file_hash(&name, &head, file, options)?);
    Ok(source)
}

/// Reads a whole file as one reading.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Vec<Reading>> {
    let name = path.display().to_string();
    let file = open(path)?;
    let data = file.metadata().map_err(|error| io_error(&name, &error))?;
    let input = of_file(&name, path, &data, options);
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
    Ok(vec![read(&input, options, bytes)?])
}

/// Reads text that does not come from a file, such as standard input, under the name `origin`.
pub fn read_text(origin: &str, text: &str, options: &ReadOptions) -> Result<Vec<Reading>> {
    read_bytes(origin, text.as_bytes().to_vec(), options)
}

/// Reads a document that does not come from a file, such as an upload, under the name `origin`. It may be
/// binary.
pub fn read_bytes(origin: &str, bytes: Vec<u8>, options: &ReadOptions) -> Result<Vec<Reading>> {
    let input = options.input(origin, Path::new(origin), origin.to_string());
    let (size, limit) = (bytes.len(), options.max_bytes);
    if size as u64 > limit {
        return Err(input.error(format!("it has {size} bytes, and the limit is {limit}")));
    }
    Ok(vec![read(&input, options, bytes)?])
}

/// Reads a file of any size if its format is line-based (JSON Lines, chats), and other files like
/// [`read_file`].
///
/// A line-based file above 8 MB is passed to `sink` in parts of one source, of about 1,000 drafts or 8 MB
/// each. Only the last part has the content hash, so that an interrupted file does not count as read. An
/// error of `sink` stops the reading.
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
        let input = of_file(&name, path, &data, options);
        if let Ok(choice) = choose(path, &head, options.format) {
            allowed::check(&input, options, choice.reader)?;
            if matches!(choice.read, Read::Database) {
                drop(file);
                return match worker::read_database(&input, options, data.len(), sink) {
                    Some(outcome) => outcome,
                    None => in_process::read_database(&input, options, data.len(), sink),
                };
            }
            file.rewind().map_err(|error| io_error(&name, &error))?;
            if !decode::is_utf16(&head) && in_process::read_parts(&input, options, choice, file, sink)? {
                return Ok(());
            }
        }
    }
    read_file(path, options)?.into_iter().try_for_each(sink)
}

/// Reads bytes in memory; expensive formats in a separate process, if a worker program is available.
fn read(input: &Input, options: &ReadOptions, bytes: Vec<u8>) -> Result<Reading> {
    if let Ok(choice) = choose(input.path, &bytes, options.format)
        && choice.read.is_heavy(bytes.len())
    {
        // Checked before a process is started.
        allowed::check(input, options, choice.reader)?;
        if let Some(read) = worker::read(input, options, &bytes) {
            return read;
        }
    }
    in_process::read(input, options, bytes)
}

fn of_file<'a>(name: &'a str, path: &'a Path, data: &Metadata, options: &'a ReadOptions) -> Input<'a> {
    let modified = data.modified().ok().and_then(timestamp);
    // A whole day is one that a document states.
    let modified = modified.map(|at| if at == at.day_start() { Timestamp(at.0 + 1) } else { at });
    Input { is_file: data.is_file(), modified, ..options.input(name, path, origin(path, options)) }
}

fn timestamp(time: SystemTime) -> Option<Timestamp> {
    let milliseconds = match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).ok()?,
        Err(before) => -i64::try_from(before.duration().as_millis()).ok()?,
    };
    in_range(Timestamp(milliseconds))
}
