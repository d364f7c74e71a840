//! Where sentences begin and end.

use std::ops::Range;

pub fn sentences(text: &str) -> Vec<Range<usize>> {
    if text.trim().is_empty() { Vec::new() } else { vec![0..text.len()] }
}
