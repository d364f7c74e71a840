//! Documents that are no text: told by their first bytes, whatever they are called, and handed to their
//! readers.
//!
//! What libraries make of damaged files is not all in our hands, so a panic in a reader is caught here and
//! becomes an error that names the file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use griot::model::Result;
use griot::remember::SourceDraft;

use crate::Format;
use crate::readers::archive::names_in_head;
use crate::readers::input::{Batch, Input};
use crate::readers::{epub, export, mail, open_document, pdf, rich_text, sheet, slides, word};

/// The format that a file's first bytes say, or why a file of this kind is not read. `None`: it may be text.
pub(crate) fn told(path: &Path, head: &[u8]) -> Option<Result<Format, &'static str>> {
    let end = path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    let starts = |mark: &[u8]| head.starts_with(mark);
    if starts(b"{\\rtf") {
        return Some(Ok(Format::RichText));
    }
    if head.windows(5).take(1024).any(|five| five == b"%PDF-")
        && (starts(b"%PDF-") || head.contains(&0) || end == "pdf")
    {
        return Some(Ok(Format::Pdf));
    }
    if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") || starts(b"PK\x07\x08") {
        return Some(of_zip(head, &end));
    }
    if starts(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        return Some(Err(
            "it is a document of Word, Excel or PowerPoint in the form before 2007, or one with a \
                         password: save it as .docx, .xlsx or .pptx without one",
        ));
    }
    let known: [(&[u8], &str); 7] = [
        (b"\x89PNG\r\n", "it is a picture"),
        (b"\xFF\xD8\xFF", "it is a picture"),
        (b"GIF8", "it is a picture"),
        (b"\x1F\x8B", "it is a compressed archive: unpack it first"),
        (b"BZh", "it is a compressed archive: unpack it first"),
        (b"\xFD7zXZ", "it is a compressed archive: unpack it first"),
        (b"7z\xBC\xAF", "it is a compressed archive: unpack it first"),
    ];
    known.into_iter().find(|(mark, _)| starts(mark) && head.contains(&0)).map(|(_, why)| Err(why))
}

fn of_zip(head: &[u8], end: &str) -> Result<Format, &'static str> {
    if head.get(30..38) == Some(b"mimetype") {
        let kind = head.get(38..).unwrap_or_default();
        let kinds: [(&[u8], Format); 3] = [
            (b"application/epub+zip", Format::Epub),
            (b"application/vnd.oasis.opendocument.text", Format::OpenText),
            (b"application/vnd.oasis.opendocument.spreadsheet", Format::OpenSheet),
        ];
        if let Some((_, format)) = kinds.into_iter().find(|(mark, _)| kind.starts_with(mark)) {
            return Ok(format);
        }
    }
    let names = names_in_head(head);
    // The first one decides: what stands in a folder of the package may be a document of another kind, such
    // as the workbook behind a chart.
    let kinds: [(&[u8], Format); 4] = [
        (b"word/", Format::Word),
        (b"xl/", Format::Sheet),
        (b"ppt/", Format::Slides),
        (b"META-INF/container.xml", Format::Epub),
    ];
    let own = names.iter().find_map(|name| kinds.iter().find(|(mark, _)| name.starts_with(mark)));
    if let Some((_, format)) = own {
        return Ok(*format);
    }
    match end {
        "zip"
            if names.contains(&b"users.json".as_slice()) || names.contains(&b"channels.json".as_slice()) =>
        {
            Ok(Format::Slack)
        }
        "zip" if names.contains(&b"conversations.json".as_slice()) => Ok(Format::ChatGpt),
        "docx" | "docm" | "dotx" => Ok(Format::Word),
        "xlsx" | "xlsm" => Ok(Format::Sheet),
        "pptx" | "pptm" => Ok(Format::Slides),
        "odt" => Ok(Format::OpenText),
        "ods" => Ok(Format::OpenSheet),
        "epub" => Ok(Format::Epub),
        _ => Err("it is a zip archive that holds no document that is read: unpack it first"),
    }
}

/// Reads a document of one of these formats.
pub(crate) fn read(
    input: &Input,
    format: Format,
    bytes: &[u8],
    source: &mut SourceDraft,
    batch: &mut Batch,
) -> Result<()> {
    if bytes.is_empty() {
        return Err(input.error("it is empty"));
    }
    let read = AssertUnwindSafe(|| match format {
        Format::Word => word::read(input, bytes, source, batch),
        Format::Slides => slides::read(input, bytes, source, batch),
        Format::Sheet => sheet::read(input, bytes, batch),
        Format::OpenText => open_document::read_text(input, bytes, source, batch),
        Format::OpenSheet => open_document::read_sheets(input, bytes, batch),
        Format::Letter => mail::read_message(input, bytes, batch),
        Format::Slack => export::read_slack(input, bytes, batch),
        Format::ChatGpt | Format::Claude => export::read_conversations(input, bytes, batch),
        Format::Pdf => pdf::read(input, bytes, batch),
        Format::Epub => epub::read(input, bytes, source, batch),
        _ => rich_text::read(input, bytes, source, batch),
    });
    catch_unwind(read)
        .unwrap_or_else(|_| Err(input.error("it is damaged in a way that its reader did not survive")))
}
