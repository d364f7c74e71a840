//! JSON Lines: a record in each line.

use std::io::BufRead;

use griot::model::Result;

use crate::readers::head::JSON_LINES;
use crate::readers::json;
use crate::readers::lines;
use crate::readers::reader::{Batch, Fit, Full, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "jsonl",
    mime: "application/jsonl",
    summary: "a record in each line",
    shared_extensions: JSON_LINES,
    detect: |head| {
        let fits = head.is_named(JSON_LINES) || (head.is_json() && json::is_lines(head.text));
        fits.then_some(Fit::Syntax)
    },
    read: |_| Read::Stream(read),
    ..Reader::BASE
};

fn read(stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    lines::check_head(batch.input, stream)?;
    lines::read_values(stream, batch, full, &mut |number, value, batch| {
        json::element(value, &format!("line {number}"), Some(number), batch);
    })
}
