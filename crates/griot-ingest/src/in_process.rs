//! Reads files in this process, without limits on time and memory.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use griot::model::{Error, Result};

use crate::detect::{Choice, choose};
use crate::hash::{Hashing, file_hash, text_hash};
use crate::options::ReadOptions;
use crate::readers::database;
use crate::readers::head::HEAD;
use crate::readers::input::{Batch, Input, Reading};
use crate::readers::reader::Read;
use crate::shown::io_error;
use crate::{allowed, decode};

/// A part is passed to the sink when it reaches either limit.
const PART_DRAFTS: usize = 1000;
const PART_BYTES: usize = 8 * 1024 * 1024;
/// Size of the read buffer in bytes; large enough for format detection.
const BUFFER: usize = 4 * HEAD;

pub(crate) type Sink<'s> = dyn FnMut(Reading) -> Result<()> + 's;

pub(crate) fn read(input: &Input, options: &ReadOptions, bytes: Vec<u8>) -> Result<Reading> {
    let choice = choose(input.path, &bytes, options.format).map_err(|why| input.error(why))?;
    allowed::check(input, options, choice.reader)?;
    let hash = text_hash(&bytes, options);
    let mut batch = Batch::new(input, choice.reader.is_chat);
    fill(choice.read, bytes, &mut batch)?;
    batch.finish(hash)
}

fn fill(read: Read, mut bytes: Vec<u8>, batch: &mut Batch) -> Result<()> {
    let name = batch.input.name;
    match read {
        Read::Database => return database::read_bytes(&bytes, batch),
        Read::Bytes(_) if bytes.is_empty() => return Err(batch.error("it is empty")),
        // Libraries may panic on damaged files.
        Read::Bytes(read) => {
            return catch_unwind(AssertUnwindSafe(|| read(&bytes, batch)))
                .unwrap_or_else(|_| Err(batch.error("the reader crashed; the file is probably damaged")));
        }
        _ => {}
    }
    if decode::is_utf16(&bytes) {
        bytes = decode::decode(name, bytes)?.into_bytes();
    } else if matches!(read, Read::TextStream(_)) && !bytes.contains(&0) {
        bytes = text(bytes, batch)?.into_bytes();
    }
    if decode::without_mark(&bytes).iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    match read {
        Read::Text(read) | Read::Tree(read) => read(&text(bytes, batch)?, batch),
        Read::Json(read) => read(&decode::unicode(name, bytes)?, batch),
        Read::Stream(read) | Read::TextStream(read) => read(&mut bytes.as_slice(), batch, &mut |_| Ok(())),
        Read::Page(read) | Read::Bytes(read) => read(&bytes, batch),
        Read::Database => Ok(()),
    }
}

/// Decodes text of any encoding, and reports replaced characters as a problem.
fn text(bytes: Vec<u8>, batch: &mut Batch) -> Result<String> {
    let decoded = decode::read(batch.input.name, bytes)?;
    if let Some((encoding, count)) = decoded.replaced {
        let characters = if count == 1 { "character was" } else { "characters were" };
        batch.problem(format!("it was read as {encoding}, and {count} {characters} replaced"));
    }
    Ok(decoded.text)
}

/// Reads a large file in parts. Returns `Ok(false)`, without reading, if its format cannot be split.
pub(crate) fn read_parts(
    input: &Input,
    options: &ReadOptions,
    choice: Choice,
    file: File,
    sink: &mut Sink,
) -> Result<bool> {
    let (Read::Stream(read) | Read::TextStream(read)) = choice.read else { return Ok(false) };
    let mut stream = BufReader::with_capacity(BUFFER, Hashing::new(file, options));
    let mut batch = Batch::new(input, choice.reader.is_chat);
    read(&mut stream, &mut batch, &mut |batch| hand_on(batch, sink))?;
    sink(batch.finish(stream.into_inner().finish())?)?;
    Ok(true)
}

/// Reads a database from its file. A second pass over the file computes its hash.
pub(crate) fn read_database(input: &Input, options: &ReadOptions, size: u64, sink: &mut Sink) -> Result<()> {
    let mut file = open(input.path)?;
    let head = read_head(&mut file, input.name)?;
    let hash = file_hash(input.name, &head, file, options)?;
    let mut batch = Batch::new(input, false);
    database::read_file(&head, size, &mut batch, &mut |batch| hand_on(batch, sink))?;
    sink(batch.finish(hash)?)
}

fn hand_on(batch: &mut Batch, sink: &mut Sink) -> Result<()> {
    let (drafts, bytes) = batch.size();
    if drafts < PART_DRAFTS && bytes < PART_BYTES {
        return Ok(());
    }
    sink(batch.take())
}

pub(crate) fn open(path: &Path) -> Result<File> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| io_error(&name, &error))?;
    match file.metadata() {
        Ok(data) if data.is_dir() => Err(Error::invalid(format!("read `{name}`"), "it is a folder")),
        Ok(_) => Ok(file),
        Err(error) => Err(io_error(&name, &error)),
    }
}

pub(crate) fn read_head(file: &mut File, name: &str) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut head).map_err(|error| io_error(name, &error))?;
    Ok(head)
}
