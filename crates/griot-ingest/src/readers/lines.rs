//! Formats that are read line by line. A bad line is a problem, and the next one is read.

use std::io::{BufRead, Read as _};

use griot::model::Result;
use serde_json::Value;

use crate::decode::{not_text, not_utf8, without_mark};
use crate::readers::head::HEAD;
use crate::readers::input::{Batch, Input};
use crate::readers::json;
use crate::readers::reader::Full;
use crate::shown::io_error;

/// Takes a line that is not blank, with its number.
type Take<'t, T> = &'t mut dyn FnMut(u32, &T, &mut Batch);

/// Reads the value of each line. Lines that are not JSON are problems.
pub(crate) fn read_values(
    stream: &mut dyn BufRead,
    batch: &mut Batch,
    full: &mut Full,
    take: Take<Value>,
) -> Result<()> {
    read(stream, batch, full, &mut |number, line, batch| {
        let value = json::parse_line(batch.input, number, line.trim());
        match value {
            Ok(value) => take(number, &value, batch),
            Err(error) => batch.report(error),
        }
    })
}

/// Refuses a stream that begins with a NUL: a file that is not text would be reported line by line.
pub(crate) fn check_head(input: &Input, stream: &mut dyn BufRead) -> Result<()> {
    match head(input, stream)?.iter().position(|&byte| byte == 0) {
        Some(offset) => Err(input.error(not_text(offset))),
        None => Ok(()),
    }
}

/// The beginning of a stream, which stays in it.
pub(crate) fn head<'s>(input: &Input, stream: &'s mut dyn BufRead) -> Result<&'s [u8]> {
    let head = stream.fill_buf().map_err(|error| io_error(input.name, &error))?;
    Ok(&head[..head.len().min(HEAD)])
}

/// Reads to the end. After each line, `full` may take what is in the batch.
pub(crate) fn read(
    stream: &mut dyn BufRead,
    batch: &mut Batch,
    full: &mut Full,
    take: Take<str>,
) -> Result<()> {
    let input = batch.input;
    let failed = |error: std::io::Error| io_error(input.name, &error);
    let mut number: u32 = 0;
    let mut offset: usize = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = input.max_bytes.saturating_add(1);
        let length = (&mut *stream).take(limit).read_until(b'\n', &mut line).map_err(failed)?;
        if length == 0 {
            break;
        }
        number = number.saturating_add(1);
        if length as u64 >= limit && line.last() != Some(&b'\n') {
            batch.problem(format!("line {number} is longer than {} bytes", input.max_bytes));
            offset += length + stream.skip_until(b'\n').map_err(failed)?;
            continue;
        }
        let content = if offset == 0 { without_mark(&line) } else { &line };
        match text(content, offset + line.len() - content.len()) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => take(number, text, batch),
            Err(why) => batch.problem(format!("line {number}: {why}")),
        }
        offset += length;
        full(batch)?;
    }
    Ok(())
}

fn text(line: &[u8], offset: usize) -> Result<&str, String> {
    if let Some(at) = line.iter().position(|&b| b == 0) {
        return Err(not_text(offset + at));
    }
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        not_utf8(offset + at, line[at])
    })
}
