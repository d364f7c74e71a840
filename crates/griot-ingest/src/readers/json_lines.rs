//! JSON Lines: a record in each line.

use std::io::BufRead;

use griot::model::Result;

use crate::readers::head::JSON_LINES;
use crate::readers::input::{Batch, Input};
use crate::readers::json;
use crate::readers::lines::{self, Values};
use crate::readers::reader::{Fit, Full, Read, Reader};

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

fn read(input: &Input, stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    lines::check_head(input, stream)?;
    let take = |number, value: &_, batch: &mut _| {
        json::element(input, value, &format!("line {number}"), Some(number), batch);
    };
    lines::read(input, &mut Values { input, take }, stream, batch, full)
}
