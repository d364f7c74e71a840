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

/// The beginning of what `griot export` writes.
const EXPORT: &[u8] = br#"{"type":"header","format":"griot-export""#;

fn read(stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    lines::check_head(batch.input, stream)?;
    if stream.fill_buf().is_ok_and(|head| head.starts_with(EXPORT)) {
        return Err(batch.error("it is an export of Griot, which `griot import` reads"));
    }
    lines::read_values(stream, batch, full, &mut |number, value, batch| {
        json::element(value, &format!("line {number}"), Some(number), batch);
    })
}
