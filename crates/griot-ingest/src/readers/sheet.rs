//! Spreadsheets (`.xlsx`): each row of each sheet is a memory with the names of its columns, below the
//! sheet's name.
//!
//! Cells are read as a stream: two cells at opposite corners would otherwise make a table of billions. The
//! value of a formula is its last result.

use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader as _, Xlsx};
use griot::model::Result;

use crate::decode;
use crate::readers::archive::Archive;
use crate::readers::input::{Batch, Input};
use crate::readers::reader::{Read, Reader, Zip};
use crate::readers::table::Sheet;

pub(crate) const READER: Reader = Reader {
    name: "xlsx",
    mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    summary: "a memory for each row, below the sheet's name",
    own_extensions: &["xlsx", "xlsm"],
    zip: Zip::Package { mimetype: None, part: Some("xl/") },
    is_crawled: false,
    read: |_| Read::Bytes(read),
    ..Reader::BASE
};

fn read(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let input = batch.input;
    check(input, bytes)?;
    let damaged = |error: &dyn std::fmt::Display| input.error(format!("it is not a whole workbook: {error}"));
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    for name in book.sheet_names() {
        let mut sheet = Sheet::new(&name);
        let mut cells = match book.worksheet_cells_reader(&name) {
            Ok(cells) => cells,
            // A sheet of nothing but a chart has no cells.
            Err(calamine::XlsxError::NotAWorksheet(_)) => continue,
            Err(error) => {
                batch.report(damaged(&error));
                continue;
            }
        };
        while let Some(cell) = cells.next_cell().unwrap_or_else(|error| {
            batch.report(damaged(&error));
            None
        }) {
            let (row, column) = cell.get_position();
            sheet.cell(row, column, shown(cell.get_value()), batch)?;
        }
        sheet.finish(batch);
    }
    Ok(())
}

/// Unpacks everything once, since the library does it without limits; and it makes room for as many texts as
/// the list of them says it holds.
fn check(input: &Input, bytes: &[u8]) -> Result<()> {
    let mut archive = Archive::open(input, bytes)?;
    for name in archive.names() {
        let part = archive.bytes(&name)?.unwrap_or_default();
        let text = decode::head(&part);
        for (_, rest) in text.match_indices("uniqueCount").map(|(at, key)| text.split_at(at + key.len())) {
            let number = rest.trim_start_matches([' ', '\t', '\r', '\n', '=', '"', '\'']);
            let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
            if number[..end].parse::<u64>().is_ok_and(|count| count > part.len() as u64) {
                let why =
                    format!("it is not a whole workbook: it says that it holds {} texts", &number[..end]);
                return Err(input.error(why));
            }
        }
    }
    Ok(())
}

fn shown(value: &DataRef) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_string(),
        DataRef::Bool(truth) => truth.to_string(),
        DataRef::DateTime(at) => shown_time(at),
        DataRef::Error(error) => error.to_string(),
        _ => String::new(),
    }
}

fn shown_time(at: &ExcelDateTime) -> String {
    let days = at.as_f64();
    if at.is_duration() || !(0.0..3_000_000.0).contains(&days) {
        return days.to_string();
    }
    let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
    match days {
        days if days < 1.0 => format!("{hour:02}:{minute:02}:{second:02}"),
        days if days.fract() == 0.0 => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
    }
}
