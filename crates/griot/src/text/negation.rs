//! Whether a text takes something back, and which numbers it names: what tells an update from a duplicate.

/// Says that something is not, or no longer, so.
pub fn negates(text: &str) -> bool {
    let _ = text;
    false
}

/// The numbers of a text as written, in order.
pub fn numbers(text: &str) -> Vec<String> {
    let _ = text;
    Vec::new()
}
