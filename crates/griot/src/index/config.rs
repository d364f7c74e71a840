//! The configuration of an index, and when a snapshot of it is due.

use crate::model::StoredVector;

/// Splits a text into terms (folded, stemmed) and passes them to the sink, without stop terms: exactly these
/// terms are indexed, and their number is the length of the text.
pub type Tokenizer = fn(&str, &mut dyn FnMut(&str));

/// The vector of an entity's name; `None` for one without a known word. Always the same function, so that an
/// index is a function of the rows.
pub type Namer = fn(&str) -> Option<StoredVector>;

/// The properties that an index must share with its store.
#[derive(Clone, Debug)]
pub struct IndexConfig {
    /// A snapshot of another store is never opened.
    pub store_id: [u8; 16],
    /// Name and dimensions of the embedder whose vectors the store holds; `None` before the first vector.
    pub model: Option<(String, usize)>,
    pub tokenizer: Tokenizer,
    pub namer: Namer,
}

/// Whether the tail has grown so much that a new snapshot pays off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pressure {
    /// Not worth it.
    None,
    /// When the process closes: the tail holds more than 200 memories + 1 % of the base, or four times that
    /// in edges, or more than 256 KB of text + 1 % of the base's.
    OnClose,
    /// Now: the tail holds more than 20,000 memories + 25 % of the base, or four times that in edges, or more
    /// than 16 MB of text + 25 % of the base's.
    Now,
}
