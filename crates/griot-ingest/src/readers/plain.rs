//! Plain text: passages with lines.

use griot::model::Result;
use griot::text::chunk_plain;

use crate::readers::byline;
use crate::readers::document::{passage, with_plain_ends};
use crate::readers::head::TEXT;
use crate::readers::reader::{Batch, Fit, Read, Reader};

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

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    let at = byline::date(text);
    for chunk in chunk_plain(&with_plain_ends(text)) {
        let mut draft = passage(chunk, batch);
        draft.occurred_at = at.or(draft.occurred_at);
        batch.push(draft, "a passage");
    }
    Ok(())
}
