//! How a document is cut into passages to store.

use std::ops::Range;

/// A passage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The slice `bytes` of the input.
    pub text: String,
    pub bytes: Range<usize>,
    /// Headings above the passage, outermost first.
    pub heading: Vec<String>,
    /// Counted from 1.
    pub first_line: u32,
    pub last_line: u32,
}

pub fn chunk_markdown(text: &str) -> Vec<Chunk> {
    chunk_plain(text)
}

pub fn chunk_plain(text: &str) -> Vec<Chunk> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Vec::new();
    }
    let start = text.len() - text.trim_start().len();
    let last_line = text.lines().count() as u32;
    vec![Chunk { text: trimmed.to_string(), bytes: start..start + trimmed.len(), heading: Vec::new(), first_line: 1, last_line }]
}

pub fn markdown_title(text: &str) -> Option<String> {
    let _ = text;
    None
}
