//! The name and the beginning of a file, which determine its format.

use std::path::Path;

/// How much of a file is used to recognise its format.
pub(crate) const HEAD: usize = 64 * 1024;

/// Extensions that several formats share.
pub(crate) const JSON: &[&str] = &["json"];
pub(crate) const JSON_LINES: &[&str] = &["jsonl", "ndjson"];
pub(crate) const MARKDOWN: &[&str] = &["md", "markdown", "mdx"];
pub(crate) const TEXT: &[&str] = &["txt", "text"];

pub(crate) struct Head<'a> {
    /// The file's name without its extension, in lower case.
    pub(crate) stem: String,
    /// In lower case.
    pub(crate) extension: String,
    pub(crate) bytes: &'a [u8],
    /// The same as text, without leading white space.
    pub(crate) text: &'a str,
}

impl<'a> Head<'a> {
    pub(crate) fn new(path: &Path, bytes: &'a [u8], text: &'a str) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        Self { stem: stem.to_string(), extension: extension.to_string(), bytes, text }
    }

    pub(crate) fn is_named(&self, extensions: &[&str]) -> bool {
        extensions.contains(&self.extension.as_str())
    }

    /// Whether its extension is none of those that formats share.
    pub(crate) fn is_unnamed(&self) -> bool {
        ![JSON, JSON_LINES, TEXT].concat().contains(&self.extension.as_str())
    }

    /// JSON by its extension, or by its beginning where the extension says nothing.
    pub(crate) fn is_json(&self) -> bool {
        self.is_named(JSON) || (self.is_unnamed() && looks_like_json(self.text))
    }

    /// Text whose extension does not decide.
    pub(crate) fn is_open_text(&self) -> bool {
        self.is_named(TEXT) || self.is_unnamed()
    }

    pub(crate) fn is_zip(&self) -> bool {
        self.bytes.starts_with(b"PK\x03\x04")
    }
}

/// Begins as JSON objects and arrays do; `[link]`, `[[wiki]]` and `[2026-03-02]` do not.
pub(crate) fn looks_like_json(text: &str) -> bool {
    let inner = text.trim_start_matches(|c: char| c == '[' || c.is_whitespace());
    match inner.chars().next() {
        Some('{') => matches!(inner[1..].trim_start().chars().next(), Some('"' | '}')),
        Some('"') => text.starts_with('['),
        _ => false,
    }
}
