//! Plain text: passages with lines.

use griot::model::Result;
use griot::remember::SourceDraft;
use griot::text::chunk_plain;

use crate::readers::document::{passage, with_plain_ends};
use crate::readers::head::TEXT;
use crate::readers::input::{Batch, Input};
use crate::readers::reader::{Fit, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "text",
    mime: "text/plain",
    summary: "passages with lines",
    own_extensions: &["log"],
    shared_extensions: TEXT,
    detect: |_| Some(Fit::Any),
    read: |_| Read::Text(read),
    ..Reader::BASE
};

fn read(input: &Input, text: &str, source: &mut SourceDraft, batch: &mut Batch) -> Result<()> {
    for chunk in chunk_plain(&with_plain_ends(text)) {
        batch.push(input, passage(input, chunk, input.time(), &source.tags), "a passage");
    }
    Ok(())
}
