//! Chooses the reader for a file by its first bytes, its extension, and the text at its beginning.

use std::path::Path;

use crate::decode;
use crate::readers::archive::names_in_head;
use crate::readers::head::{HEAD, Head};
use crate::readers::reader::{Read, Reader, Zip};
use crate::readers::{Format, database};

/// The reader chosen for a file, and how it reads this file.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    /// `None` for a database.
    pub(crate) format: Option<Format>,
    pub(crate) reader: &'static Reader,
    pub(crate) read: Read,
}

/// The reader for a file that begins with `bytes`, or the reason why such files are not supported.
pub(crate) fn choose(path: &Path, bytes: &[u8], asked: Option<Format>) -> Result<Choice, &'static str> {
    let bytes = &bytes[..bytes.len().min(HEAD)];
    let text = decode::head(bytes);
    let head = Head::new(path, bytes, text.trim_start());
    let format = match asked {
        Some(format) => Some(format),
        None if (database::READER.magic)(&head) => None,
        None => Some(by_bytes(&head)?.unwrap_or_else(|| Format::detect(path, head.text))),
    };
    let reader = format.map_or(&database::READER, Format::reader);
    Ok(Choice { format, reader, read: (reader.read)(&head) })
}

/// The name of a file's format; `None` if it is not supported. Databases are `sqlite`, which callers cannot
/// request as a format.
pub fn format_name(path: &Path, bytes: &[u8]) -> Option<&'static str> {
    choose(path, bytes, None).ok().map(|choice| choice.reader.name)
}

impl Format {
    /// Detects the format by the file's extension, and by its beginning if formats share the extension.
    pub fn detect(path: &Path, head: &str) -> Self {
        let head = Head::new(path, b"", head.trim_start_matches('\u{FEFF}').trim_start());
        let fits = |format: Self| Some(((format.reader().detect)(&head)?, format));
        let named = find(|reader| reader.own_extensions.contains(&head.extension.as_str()));
        // A chat can be written in Markdown.
        let is_chat = || fits(Self::Chat).is_some();
        named.filter(|format| *format != Self::Markdown || !is_chat()).unwrap_or_else(|| {
            let best = Self::ALL.into_iter().filter_map(fits).max_by_key(|(fit, _)| *fit);
            best.map_or(Self::Text, |(_, format)| format)
        })
    }
}

fn find(fits: impl Fn(&Reader) -> bool) -> Option<Format> {
    Format::ALL.into_iter().find(|format| fits(format.reader()))
}

/// `Ok(None)` if the file may be text.
fn by_bytes(head: &Head) -> Result<Option<Format>, &'static str> {
    let starts = |mark: &[u8]| head.bytes.starts_with(mark);
    if let Some(format) = find(|reader| (reader.magic)(head)) {
        return Ok(Some(format));
    }
    if head.is_zip() || starts(b"PK\x05\x06") || starts(b"PK\x07\x08") {
        return by_parts(head).map(Some);
    }
    if starts(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        return Err("it is a document of Word, Excel or PowerPoint in the form before 2007, or one with a \
                    password: save it as .docx, .xlsx or .pptx without one");
    }
    let pictures: [&[u8]; 3] = [b"\x89PNG\r\n", b"\xFF\xD8\xFF", b"GIF8"];
    let archives: [&[u8]; 4] = [b"\x1F\x8B", b"BZh", b"\xFD7zXZ", b"7z\xBC\xAF"];
    match head.bytes.contains(&0) {
        true if pictures.into_iter().any(starts) => Err("it is a picture"),
        true if archives.into_iter().any(starts) => Err("it is a compressed archive: unpack it first"),
        _ => Ok(None),
    }
}

fn by_parts(head: &Head) -> Result<Format, &'static str> {
    if head.bytes.get(30..38) == Some(b"mimetype") {
        let kind = head.bytes.get(38..).unwrap_or_default();
        let is_said = |reader: &Reader| match reader.zip {
            Zip::Package { mimetype: Some(mimetype), .. } => kind.starts_with(mimetype.as_bytes()),
            _ => false,
        };
        if let Some(format) = find(is_said) {
            return Ok(format);
        }
    }
    let names = names_in_head(head.bytes);
    let has_part = |name: &[u8]| {
        find(|reader| match reader.zip {
            Zip::Package { part: Some(part), .. } => name.starts_with(part.as_bytes()),
            _ => false,
        })
    };
    // The first known part decides, because a package may embed documents of other formats, such as the
    // workbook of a chart.
    if let Some(format) = names.iter().find_map(|name| has_part(name)) {
        return Ok(format);
    }
    let is_named = |reader: &Reader| match reader.zip {
        Zip::Export(parts) => {
            head.extension == "zip" && parts.iter().any(|part| names.contains(&part.as_bytes()))
        }
        Zip::Package { .. } => reader.own_extensions.contains(&head.extension.as_str()),
        Zip::None => false,
    };
    find(is_named).ok_or("it is a zip archive that holds no document that is read: unpack it first")
}
