//! Which reader is right for a file.

use std::path::Path;

use griot::model::{Error, Result};
use serde_json::{Deserializer, Value};

use crate::decode;
use crate::readers::{binary, database, export, record, session, subtitle, transcript};

/// How much of a file is looked at to tell its format.
pub(crate) const HEAD: usize = 64 * 1024;
/// A tree of a file of so many bytes fits everywhere.
const SMALL: usize = 256 * 1024;

/// What reading a file of a format may take of memory and time, whatever is in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Weight {
    /// A few times the file.
    Light,
    /// Many times the file, and no more.
    Tree,
    /// As much as the file says: it is packed, or it describes more than it holds.
    Heavy,
}

impl Weight {
    /// Whether a file of so many bytes is read in a process of its own.
    pub(crate) const fn is_heavy(self, bytes: usize) -> bool {
        match self {
            Self::Light => false,
            Self::Tree => bytes > SMALL,
            Self::Heavy => true,
        }
    }
}

macro_rules! formats {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $weight:ident,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Format { $($(#[doc = $doc])* $variant,)* }

        impl Format {
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            const fn weight(self) -> Weight {
                match self { $(Self::$variant => Weight::$weight,)* }
            }
        }
    };
}

formats! {
    Markdown "markdown" Light,
    Text "text" Light,
    /// reStructuredText.
    Restructured "rst" Light,
    /// Comma-separated values and their kin.
    Csv "csv" Tree,
    Json "json" Tree,
    JsonLines "jsonl" Light,
    Yaml "yaml" Tree,
    Xml "xml" Tree,
    /// A Jupyter notebook.
    Notebook "ipynb" Tree,
    /// WebVTT and SubRip.
    Subtitles "subtitles" Light,
    /// `.docx`.
    Word "docx" Heavy,
    /// `.pptx`.
    Slides "pptx" Heavy,
    /// `.xlsx`.
    Sheet "xlsx" Heavy,
    /// `.odt`.
    OpenText "odt" Heavy,
    /// `.ods`.
    OpenSheet "ods" Heavy,
    Epub "epub" Heavy,
    /// `.rtf`.
    RichText "rtf" Heavy,
    Pdf "pdf" Heavy,
    /// A letter (`.eml`).
    Letter "eml" Heavy,
    /// Many letters (`.mbox`).
    Letters "mbox" Light,
    /// A day of a channel of Slack, or a whole export as a zip archive.
    Slack "slack" Tree,
    ChatGpt "chatgpt" Tree,
    /// Conversations that Claude gave back.
    Claude "claude" Tree,
    /// The file of the reference server for memory over MCP.
    McpMemory "mcp-memory" Light,
    /// Messages: JSON Lines, a JSON array, or lines `[time] Speaker: text`.
    Chat "chat" Light,
    /// A session of Claude Code, as it writes them into `~/.claude/projects`.
    ClaudeCode "claude-code" Light,
    Html "html" Heavy,
}

impl Format {
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// As [`Format::parse`], for a name that somebody gave.
    pub fn named(name: &str) -> Result<Self> {
        Self::parse(name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            Error::invalid(format!("read the format `{name}`"), "there is no such format")
                .hint(format!("use one of {}", known.join(", ")))
        })
    }

    /// By the file's extension, and by its beginning where the extension does not tell.
    pub fn detect(path: &Path, head: &str) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let head = head.trim_start_matches('\u{FEFF}').trim_start();
        match extension {
            "md" | "markdown" | "mdx" => Self::Markdown,
            "html" | "htm" | "xhtml" => Self::Html,
            "txt" | "text" | "json" | "jsonl" | "ndjson" if stem.ends_with(".chat") => Self::Chat,
            "jsonl" | "ndjson" if is_session(head) => Self::ClaudeCode,
            "jsonl" | "ndjson" if is_graph(head) => Self::McpMemory,
            "jsonl" | "ndjson" if first_lines_are_messages(head) => Self::Chat,
            "jsonl" | "ndjson" => Self::JsonLines,
            "json" => Self::of_json(head),
            "rst" => Self::Restructured,
            "csv" | "tsv" | "tab" => Self::Csv,
            "yaml" | "yml" => Self::Yaml,
            "xml" => Self::Xml,
            "ipynb" => Self::Notebook,
            "vtt" | "srt" => Self::Subtitles,
            "log" => Self::Text,
            "docx" | "docm" | "dotx" => Self::Word,
            "pptx" | "pptm" => Self::Slides,
            "xlsx" | "xlsm" => Self::Sheet,
            "odt" => Self::OpenText,
            "ods" => Self::OpenSheet,
            "epub" => Self::Epub,
            "rtf" => Self::RichText,
            "pdf" => Self::Pdf,
            "eml" => Self::Letter,
            "mbox" | "mbx" => Self::Letters,
            _ if subtitle::is_certain(head) => Self::Subtitles,
            _ if transcript::is_certain(head) => Self::Chat,
            "txt" | "text" => Self::Text,
            _ if looks_like_json(head) => Self::of_json(head),
            _ if head.starts_with("<?xml ") => Self::Xml,
            _ if looks_like_markdown(head) => Self::Markdown,
            _ => Self::Text,
        }
    }

    fn of_json(head: &str) -> Self {
        if export::is_claude(head) {
            return Self::Claude;
        }
        if export::is_chatgpt(head) {
            return Self::ChatGpt;
        }
        if export::is_slack(head) {
            return Self::Slack;
        }
        if is_graph(head) {
            return Self::McpMemory;
        }
        match (is_lines(head), first_lines_are_messages(head)) {
            (true, true) => Self::Chat,
            (true, false) => Self::JsonLines,
            (false, _) if is_array_of_messages(head) => Self::Chat,
            (false, _) => Self::Json,
        }
    }
}

/// What a reader has to expect: the format, and which of its forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// No text.
    Binary(Format),
    /// A database of another program; which one, its tables say. No name: nothing else begins like it.
    Database,
    /// Of a kind that is not read, and why.
    Refused(&'static str),
    Markdown,
    Text,
    Restructured,
    Csv,
    Yaml,
    Xml,
    Notebook,
    Subtitles,
    Json,
    ChatJson,
    Records,
    ChatLines,
    Transcript,
    Session,
    Letters,
    SlackDay,
    ChatGpt,
    Claude,
    McpMemory,
    Html,
}

impl Shape {
    /// The format that it is one form of; nothing if it is not read.
    pub(crate) fn format(self) -> Option<Format> {
        Some(match self {
            Self::Binary(format) => format,
            Self::Refused(_) | Self::Database => return None,
            Self::Markdown => Format::Markdown,
            Self::Text => Format::Text,
            Self::Restructured => Format::Restructured,
            Self::Csv => Format::Csv,
            Self::Yaml => Format::Yaml,
            Self::Xml => Format::Xml,
            Self::Notebook => Format::Notebook,
            Self::Subtitles => Format::Subtitles,
            Self::Json => Format::Json,
            Self::Records => Format::JsonLines,
            Self::ChatJson | Self::ChatLines | Self::Transcript => Format::Chat,
            Self::Session => Format::ClaudeCode,
            Self::Letters => Format::Letters,
            Self::SlackDay => Format::Slack,
            Self::ChatGpt => Format::ChatGpt,
            Self::Claude => Format::Claude,
            Self::McpMemory => Format::McpMemory,
            Self::Html => Format::Html,
        })
    }

    /// What reading a file of this shape may take.
    pub(crate) fn weight(self) -> Weight {
        match self {
            // Packed, whatever of.
            Self::Binary(_) | Self::Database => Weight::Heavy,
            Self::ChatJson => Weight::Tree,
            _ => self.format().map_or(Weight::Light, Format::weight),
        }
    }

    pub(crate) fn of(path: &Path, bytes: &[u8], format: Option<Format>) -> Self {
        if format.is_none() && bytes.starts_with(database::MARK) {
            return Self::Database;
        }
        let told = if format.is_none() { binary::told(path, bytes) } else { None };
        let format = match told {
            Some(Ok(told)) => Some(told),
            Some(Err(why)) => return Self::Refused(why),
            None => format,
        };
        let head = decode::head(bytes);
        let head = head.trim_start();
        let format = format.unwrap_or_else(|| Format::detect(path, head));
        match format {
            Format::Word
            | Format::Slides
            | Format::Sheet
            | Format::OpenText
            | Format::OpenSheet
            | Format::Epub
            | Format::RichText
            | Format::Pdf
            | Format::Letter => Self::Binary(format),
            Format::Markdown => Self::Markdown,
            Format::Text => Self::Text,
            Format::Restructured => Self::Restructured,
            Format::Csv => Self::Csv,
            Format::Yaml => Self::Yaml,
            Format::Xml => Self::Xml,
            Format::Notebook => Self::Notebook,
            Format::Subtitles => Self::Subtitles,
            Format::Json => Self::Json,
            Format::JsonLines => Self::Records,
            Format::Chat if !looks_like_json(head) => Self::Transcript,
            Format::Chat if head.starts_with('{') && (is_lines(head) || named_as_lines(path)) => {
                Self::ChatLines
            }
            Format::Chat => Self::ChatJson,
            Format::ClaudeCode => Self::Session,
            Format::Letters => Self::Letters,
            Format::Slack | Format::ChatGpt | Format::Claude if bytes.starts_with(b"PK\x03\x04") => {
                Self::Binary(format)
            }
            Format::Slack => Self::SlackDay,
            Format::ChatGpt => Self::ChatGpt,
            Format::Claude => Self::Claude,
            Format::McpMemory => Self::McpMemory,
            Format::Html => Self::Html,
        }
    }

    pub(crate) fn is_chat(self) -> bool {
        matches!(
            self,
            Self::ChatJson
                | Self::ChatLines
                | Self::Transcript
                | Self::Session
                | Self::Letters
                | Self::SlackDay
                | Self::ChatGpt
                | Self::Claude
                | Self::Binary(Format::Letter | Format::Slack | Format::ChatGpt | Format::Claude)
        )
    }

    pub(crate) fn is_read_by_line(self) -> bool {
        matches!(
            self,
            Self::Records
                | Self::ChatLines
                | Self::Transcript
                | Self::Session
                | Self::Letters
                | Self::McpMemory
        )
    }
}

fn named_as_lines(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("jsonl") || end.eq_ignore_ascii_case("ndjson"))
}

/// Starts as JSON objects and arrays do; `[link]`, `[[wiki]]` and `[2026-03-02]` do not.
fn looks_like_json(head: &str) -> bool {
    let inner = head.trim_start_matches(|c: char| c == '[' || c.is_whitespace());
    match inner.chars().next() {
        Some('{') => matches!(inner[1..].trim_start().chars().next(), Some('"' | '}')),
        Some('"') => head.starts_with('['),
        _ => false,
    }
}

fn looks_like_markdown(head: &str) -> bool {
    let heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    head.starts_with("---\n") || head.starts_with("---\r\n") || head.lines().any(heading)
}

/// The first line is a whole object. A single object on a single line counts: both readers take it alike.
fn is_lines(head: &str) -> bool {
    let line = head.lines().next().unwrap_or_default();
    line.starts_with('{') && serde_json::from_str::<Value>(line).is_ok()
}

fn first_lines_are_messages(head: &str) -> bool {
    // The last line may be cut off.
    let mut lines =
        head.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).take(50).peekable();
    lines.peek().is_some() && lines.all(|value| record::is_message(&value) || record::is_conversation(&value))
}

fn is_graph(head: &str) -> bool {
    let line = head.lines().next().unwrap_or_default();
    serde_json::from_str::<Value>(line).is_ok_and(|value| export::is_graph(&value))
}

/// Some of the first lines is one of a session; those before it may be of other kinds.
fn is_session(head: &str) -> bool {
    head.lines()
        .take(50)
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .any(|value| session::is_line(&value))
}

fn is_array_of_messages(head: &str) -> bool {
    let mut rest = match head.strip_prefix('[') {
        Some(rest) => rest,
        None => match after_key(head, "\"messages\"") {
            Some(rest) => rest,
            None => return false,
        },
    };
    let mut count = 0;
    while count < 50 {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        let mut values = Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) if record::is_message(&value) || record::is_conversation(&value) => count += 1,
            Some(Ok(_)) => return false,
            _ => break, // the end of the array, or of the piece
        }
        rest = &rest[values.byte_offset()..];
    }
    count > 0
}

/// What follows `"key": [` where it comes first.
fn after_key<'a>(head: &'a str, key: &str) -> Option<&'a str> {
    let rest = &head[head.find(key)? + key.len()..];
    rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_name_and_beginning() {
        let message = r#"{"speaker":"Ada","text":"hi"}"#;
        for (name, head, expected) in [
            ("a.md", "{\"x\": 1}", Format::Markdown),
            ("a.MDX", "", Format::Markdown),
            ("a.HTM", "", Format::Html),
            ("a.txt", "Just words: and more.", Format::Text),
            (
                "a.txt",
                "[2026-03-02 10:00] Ada: hi\n[2026-03-02 10:01] Bob: ho\n[2026-03-02 10:02] Ada: so",
                Format::Chat,
            ),
            (
                "a.log",
                "[2026-03-02 10:00] ERROR: a\n[2026-03-02 10:01] INFO: b\n[2026-03-02 10:02] INFO: c",
                Format::Text,
            ),
            ("a.chat.txt", "Ada: hi", Format::Chat),
            ("a.json", "{\"a\": 1}", Format::JsonLines),
            ("a.json", "{\n\"a\": 1}", Format::Json),
            ("a.json", "[{\"title\":\"x\",\"author\":\"Ada\",\"text\":\"hi\"}]", Format::Json),
            (
                "a.json",
                "[ {\"role\":\"user\",\"content\":\"hi\"}, {\"role\":\"assistant\",\"con",
                Format::Chat,
            ),
            ("a.json", "{\n \"messages\": [ {\"role\":\"user\",\"content\":\"hi\"}]}", Format::Chat),
            ("a.jsonl", message, Format::Chat),
            ("a.jsonl", "{\"text\":\"hi\"}", Format::JsonLines),
            (
                "a.jsonl",
                "{\"type\":\"summary\",\"summary\":\"x\"}\n{\"type\":\"user\",\"sessionId\":\"s\",\"parentUuid\":null}",
                Format::ClaudeCode,
            ),
            ("-", message, Format::Chat),
            ("-", "[link](x) and more", Format::Text),
            ("-", "[[wiki]] and more", Format::Text),
            ("-", "# Notes\n\ntext", Format::Markdown),
            ("-", "", Format::Text),
        ] {
            assert_eq!(Format::detect(Path::new(name), head), expected, "{name}: {head}");
        }
    }
}
