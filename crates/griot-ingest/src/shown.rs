//! Formats paths, values and I/O errors for messages.

use std::io;
use std::path::Path;

use griot::model::{Error, ErrorKind};
use serde_json::Value;

/// Longest quotation, in characters.
const QUOTED: usize = 60;

/// A path with forward slashes; bytes that are not UTF-8 become `\xNN`.
pub(crate) fn printed(path: &Path) -> String {
    let mut text = String::new();
    for piece in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(piece.valid());
        text.extend(piece.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// A JSON value as a short quotation. JSON escapes control characters.
pub(crate) fn shown(value: &Value) -> String {
    shortened(&value.to_string())
}

/// Plain text as a short quotation without control characters.
pub(crate) fn shown_text(text: &str) -> String {
    shortened(&text.replace(char::is_control, "\u{FFFD}"))
}

fn shortened(text: &str) -> String {
    format!("`{}`", cut(text, QUOTED))
}

/// The first characters of a text, and `…` if there are more.
pub(crate) fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

pub(crate) fn io_error(name: &str, error: &io::Error) -> Error {
    let what = format!("read `{name}`");
    match error.kind() {
        io::ErrorKind::NotFound => Error::not_found(what, "there is no such file or folder"),
        kind => Error::new(ErrorKind::Unavailable, what, kind.to_string()),
    }
}
