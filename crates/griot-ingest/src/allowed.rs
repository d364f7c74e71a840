//! Checks documents against the formats that a workspace accepts (`ingest.allowed_types`).

use griot::model::{Error, Result};

use crate::options::ReadOptions;
use crate::readers::input::Input;
use crate::readers::reader::Reader;
use crate::readers::readers;

/// Rejects documents of a format that the options exclude, and lists with an unknown word.
pub(crate) fn check(input: &Input, options: &ReadOptions, reader: &Reader) -> Result<()> {
    let allowed = &options.allowed;
    if allowed.is_empty() {
        return Ok(());
    }
    if let Some(unknown) = allowed.iter().find(|word| !readers().any(|reader| fits(reader, word))) {
        let what = format!("use `{unknown}` in ingest.allowed_types");
        return Err(
            Error::invalid(what, "it is no format and no MIME type of one").hint("griot config explain")
        );
    }
    if allowed.iter().any(|word| fits(reader, word)) {
        return Ok(());
    }
    let Reader { name, mime, .. } = reader;
    let why = format!("`{name}` is not among ingest.allowed_types");
    Err(input.error(why).hint(format!("allow `{name}` or `{mime}`")))
}

/// Whether `word` is the format's name, its MIME type, or a MIME family such as `text/*`.
fn fits(reader: &Reader, word: &str) -> bool {
    let word = word.trim().to_ascii_lowercase();
    word == reader.name
        || word == reader.mime
        || (word == "text/x-markdown" && reader.mime == "text/markdown")
        || word
            .strip_suffix('*')
            .is_some_and(|family| family.ends_with('/') && reader.mime.starts_with(family))
}
