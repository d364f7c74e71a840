//! Unpacks zip archives of documents, part by part and only in memory. The size of a part, and of all parts
//! together, is limited.

use std::io::{Cursor, Read};

use griot::model::Result;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::decode::decode;
use crate::readers::element::{Element, NODES, parse_within};
use crate::readers::input::Input;

/// Maximum unpacked size of a part, in bytes.
const PART: u64 = 64 * 1024 * 1024;
/// Maximum unpacked size of all parts of an archive, in bytes.
const ALL: u64 = 256 * 1024 * 1024;
/// Maximum compression ratio. Text reaches 10, tables 50, zip bombs 1,000.
const RATIO: u64 = 300;
/// Below this size the ratio is not checked.
const SMALL: u64 = 4 * 1024 * 1024;
const ENTRIES: usize = 20_000;

pub(crate) struct Archive<'a> {
    input: &'a Input<'a>,
    zip: ZipArchive<Cursor<&'a [u8]>>,
    unpacked: u64,
    /// Remaining number of elements and attributes for the XML trees of its parts.
    nodes: usize,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(input: &'a Input<'a>, bytes: &'a [u8]) -> Result<Self> {
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| input.error(format!("it is not a whole zip archive: {error}")))?;
        if zip.len() > ENTRIES {
            return Err(input.error(format!("it holds {} parts, and the limit is {ENTRIES}", zip.len())));
        }
        Ok(Self { input, zip, unpacked: 0, nodes: NODES })
    }

    /// Sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.zip.file_names().flatten().map(|name| name.into_owned()).collect();
        names.sort();
        names
    }

    /// `None` if there is no such part.
    pub(crate) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let input = self.input;
        let part = match self.zip.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(input.error("it is encrypted: save it without a password"));
            }
            Err(error) => {
                return Err(input.error(format!("`{}` in it cannot be unpacked: {error}", short(name))));
            }
        };
        let packed = part.compressed_size();
        let limit = PART.min(ALL.saturating_sub(self.unpacked)).min(packed.saturating_mul(RATIO).max(SMALL));
        let mut bytes = Vec::new();
        part.take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| input.error(format!("`{}` in it is damaged: {error}", short(name))))?;
        if bytes.len() as u64 > limit {
            let why =
                format!("`{}` in it unpacks to more than {limit} bytes, which no document does", short(name));
            return Err(input.error(why));
        }
        self.unpacked += bytes.len() as u64;
        Ok(Some(bytes))
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>> {
        let Some(bytes) = self.bytes(name)? else { return Ok(None) };
        decode(self.input.name, bytes).map(Some)
    }

    pub(crate) fn xml(&mut self, name: &str) -> Result<Option<Element>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let root = parse_within(&text, &mut self.nodes);
        root.map(Some).map_err(|why| self.input.error(format!("`{}` in it: {why}", short(name))))
    }

    /// Reads a part that the format requires.
    pub(crate) fn needed(&mut self, name: &str, what: &str) -> Result<Element> {
        let root = self.xml(name)?;
        root.ok_or_else(|| self.input.error(format!("it is not {what}: there is no `{}` in it", short(name))))
    }
}

fn short(name: &str) -> String {
    name.chars().take(80).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

/// Resolves the reference `to` in the part `from`. The result is always a part of the archive.
pub(crate) fn beside(from: &str, to: &str) -> String {
    let mut parts: Vec<&str> = match to.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => from.rsplit_once('/').map(|(folder, _)| folder.split('/').collect()).unwrap_or_default(),
    };
    for part in to.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Names of the parts at the beginning of an archive, excluding those of nested archives.
pub(crate) fn names_in_head(head: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(found) =
        head.get(at..).and_then(|rest| rest.windows(4).position(|four| four == b"PK\x03\x04"))
    {
        let begin = at + found;
        let number = |from: usize, bytes: usize| {
            let field = head.get(begin + from..begin + from + bytes)?;
            Some(field.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
        };
        let (Some(flags), Some(packed), Some(name), Some(extra)) =
            (number(6, 2), number(18, 4), number(26, 2), number(28, 2))
        else {
            break;
        };
        names.extend(head.get(begin + 30..begin + 30 + name));
        // The length may be stored after the content; then search for the next part.
        let has_length = flags & 8 == 0 && packed != 0xFFFF_FFFF;
        at = begin + 4 + if has_length { 26 + name + extra + packed } else { 0 };
    }
    names
}
