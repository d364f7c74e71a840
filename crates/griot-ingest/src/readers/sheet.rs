//! Spreadsheets (`.xlsx`): each row of each sheet is a memory with the names of its columns, below the
//! sheet's name.
//!
//! Cells are read as a stream: two cells at opposite corners would otherwise make a table of billions. The
//! value of a formula is its last result.

use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader as _, SheetVisible, Style, Xlsx};
use griot::model::Result;

use crate::decode;
use crate::readers::archive::Archive;
use crate::readers::grid::Sheet;
use crate::readers::input::{Batch, Input};
use crate::readers::reader::{Read, Reader, Zip};
use crate::shown::shown_text;

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
    for sheet in book.sheets_metadata().to_vec() {
        let name = sheet.name;
        if sheet.visible != SheetVisible::Visible {
            batch.problem(format!("the sheet {} is hidden: it is left out", shown_text(&name)));
            continue;
        }
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
        let percents: Vec<bool> = cells.styles().iter().map(is_percent).collect();
        while let Some((cell, style)) = cells.next_cell_with_style_id().unwrap_or_else(|error| {
            batch.report(damaged(&error));
            None
        }) {
            let (row, column) = cell.get_position();
            let text = match (percents.get(style), cell.get_value()) {
                (Some(true), DataRef::Float(number)) => percent(*number),
                (Some(true), DataRef::Int(number)) => percent(*number as f64),
                (_, value) => shown(value),
            };
            sheet.cell(row, column, text, batch)?;
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

/// Whether numbers are shown as percentages: `0%`, `0.00 %;[Red]-0.00 %`.
fn is_percent(style: &Style) -> bool {
    let code = style.number_format.as_ref().map(|format| format.format_code.as_str()).unwrap_or_default();
    let first = code.split(';').next().unwrap_or_default();
    // What is in quotation marks is shown beside the number.
    first.split('"').step_by(2).any(|part| part.contains('%'))
}

/// Without the digits that a hundredth has only in a computer.
fn percent(number: f64) -> String {
    format!("{}%", (number * 1e8).round() / 1e6)
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
