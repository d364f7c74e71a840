//! Which kinds of documents a workspace takes in (`ingest.allowed_types`).

use griot::model::{Error, Result};

use crate::Format;
use crate::format::Shape;
use crate::readers::input::Input;

/// Databases of other programs are told by their bytes alone, and have no name to ask for them by.
const DATABASE: (&str, &str) = ("sqlite", "application/vnd.sqlite3");

/// Refuses a document whose kind is not among those that the options allow, and lists that nothing could fit.
pub(crate) fn check(input: &Input, shape: Shape) -> Result<()> {
    let allowed = &input.options.allowed;
    if allowed.is_empty() {
        return Ok(());
    }
    let known = || Format::ALL.iter().map(|format| kind(*format)).chain([DATABASE]);
    if let Some(unknown) = allowed.iter().find(|word| !known().any(|kind| fits(kind, word))) {
        let what = format!("use `{unknown}` in ingest.allowed_types");
        return Err(
            Error::invalid(what, "it is no format and no MIME type of one").hint("griot config explain")
        );
    }
    let (name, mime) = shape.format().map_or(DATABASE, kind);
    if allowed.iter().any(|word| fits((name, mime), word)) {
        return Ok(());
    }
    let why = format!("`{name}` is not among ingest.allowed_types");
    Err(input.error(why).hint(format!("allow `{name}` or `{mime}`")))
}

/// A word is a format's name, its MIME type, or `text/*` and the like.
fn fits((name, mime): (&str, &str), word: &str) -> bool {
    let word = word.trim().to_ascii_lowercase();
    word == name
        || word == mime
        || (word == "text/x-markdown" && mime == "text/markdown")
        || word.strip_suffix('*').is_some_and(|family| family.ends_with('/') && mime.starts_with(family))
}

fn kind(format: Format) -> (&'static str, &'static str) {
    (format.name(), mime(format))
}

fn mime(format: Format) -> &'static str {
    match format {
        Format::Markdown => "text/markdown",
        Format::Text => "text/plain",
        Format::Restructured => "text/x-rst",
        Format::Csv => "text/csv",
        Format::Json => "application/json",
        Format::JsonLines => "application/jsonl",
        Format::Yaml => "application/yaml",
        Format::Xml => "application/xml",
        Format::Notebook => "application/x-ipynb+json",
        Format::Subtitles => "text/vtt",
        Format::Word => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Format::Slides => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        Format::Sheet => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Format::OpenText => "application/vnd.oasis.opendocument.text",
        Format::OpenSheet => "application/vnd.oasis.opendocument.spreadsheet",
        Format::Epub => "application/epub+zip",
        Format::RichText => "application/rtf",
        Format::Pdf => "application/pdf",
        Format::Letter => "message/rfc822",
        Format::Letters => "application/mbox",
        Format::Html => "text/html",
        // Exports are what their files are.
        Format::Slack | Format::ChatGpt | Format::Claude => "application/json",
        Format::McpMemory | Format::Chat | Format::ClaudeCode => "application/jsonl",
    }
}
