//! Rows with named columns: each row is a memory of lines `column: value`.
//!
//! A table whose columns are all fields of a record (`text`, `speaker`, `time`, …) is read as records. Empty
//! cells are left out.

use griot::model::{Lines, Result, Timestamp};
use griot::remember::Draft;
use griot::text::chunk_plain;
use serde_json::{Map, Value};

use crate::readers::input::Batch;
use crate::readers::json;
use crate::readers::record::{is_field, is_text_field, is_time_field};
use crate::shown::shown_text;
use crate::time;

/// More columns than any table that people look at.
const COLUMNS: usize = 20_000;

/// Takes the rows of one table in order. The first one names the columns if it looks like names.
#[derive(Default)]
pub(crate) struct Table {
    heading: Vec<String>,
    columns: Option<Vec<String>>,
    are_records: bool,
}

impl Table {
    /// `label` names the row in problems.
    pub(crate) fn row(&mut self, cells: &[String], label: &str, lines: Option<Lines>, batch: &mut Batch) {
        if filled(cells).next().is_none() {
            return;
        }
        if cells.len() > COLUMNS {
            return batch.problem(format!("{label} has more than {COLUMNS} cells"));
        }
        let Some(columns) = &self.columns else {
            if are_names(cells) {
                let columns: Vec<String> = cells.iter().map(|cell| cell.trim().to_string()).collect();
                let known = columns.iter().map(|name| name.to_lowercase());
                self.are_records = known.clone().all(|name| is_field(&name))
                    && known.into_iter().any(|name| is_text_field(&name));
                self.columns = Some(columns);
                return;
            }
            self.columns = Some(Vec::new());
            return self.row(cells, label, lines, batch);
        };
        let cells = cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
        if self.are_records {
            let field = |(at, cell): (usize, &String)| Some((columns.get(at)?.to_lowercase(), value(cell)));
            let record: Map<String, Value> = cells.filter_map(field).collect();
            let line = lines.map(|lines| lines.first);
            return json::element(&Value::Object(record), label, line, batch);
        }
        let mut text = String::new();
        let mut at = None;
        for (number, cell) in cells {
            let cell = cell.trim();
            match columns.get(number).filter(|name| !name.is_empty()) {
                Some(name) => {
                    text.extend([name, ": ", cell, "\n"]);
                    if at.is_none() && is_time_field(&name.to_lowercase()) {
                        at = time::parse(cell);
                    }
                }
                None => text.push_str(&format!("column {}: {cell}\n", number + 1)),
            }
        }
        self.add(&text, at.or_else(|| batch.input.time()), label, lines, batch);
    }

    fn add(&self, text: &str, at: Option<Timestamp>, label: &str, lines: Option<Lines>, batch: &mut Batch) {
        let heading = self.heading.clone();
        let like = Draft { heading, occurred_at: at, lines, ..batch.draft("", "passage") };
        batch.push_chunks(chunk_plain(text), &like, label);
    }
}

/// Whether a row names columns: its cells are filled, short, distinct, and neither numbers nor dates.
fn are_names(cells: &[String]) -> bool {
    // Columns to the right of the last name have none.
    let count = cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
    if (count - filled(cells).count()) * 3 > count {
        return false;
    }
    let is_name = |cell: &str| {
        cell.chars().count() <= 80 && cell.parse::<f64>().is_err() && time::parse(cell).is_none()
    };
    let mut known = std::collections::HashSet::new();
    filled(cells).all(|cell| is_name(cell) && known.insert(cell.to_lowercase()))
}

/// The cells that are not blank.
fn filled(cells: &[String]) -> impl Iterator<Item = &str> {
    cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
}

fn value(cell: &str) -> Value {
    cell.trim().parse::<u64>().map_or_else(|_| Value::String(cell.to_string()), Value::from)
}

/// Rows that are searched for the names of the columns: titles and remarks may be above them.
const ABOVE: usize = 20;
/// Bytes of all cells of a sheet; a shared text counts once for each cell.
const CELLS: usize = 256 * 1024 * 1024;

/// Takes the cells of a spreadsheet's sheet in order.
pub(crate) struct Sheet {
    table: Table,
    /// Rows that wait until the names are found.
    first: Option<Vec<(u32, Vec<String>)>>,
    open: (u32, Vec<String>),
    bytes: usize,
}

impl Sheet {
    pub(crate) fn new(name: &str) -> Self {
        let table = Table { heading: vec![name.to_string()], ..Table::default() };
        Self { table, first: Some(Vec::new()), open: (0, Vec::new()), bytes: 0 }
    }

    /// Rows and columns count from 0. A sheet larger than any that people look at is an error.
    pub(crate) fn cell(&mut self, row: u32, column: u32, text: String, batch: &mut Batch) -> Result<()> {
        if row != self.open.0 {
            self.end_row(batch);
            self.open.0 = row;
        }
        if text.trim().is_empty() {
            return Ok(());
        }
        let column = column as usize;
        self.bytes += text.len() + 16 + column.saturating_sub(self.open.1.len());
        if self.bytes > CELLS || column >= COLUMNS {
            let name = shown_text(&self.table.heading.concat());
            let why = format!("sheet {name} holds more than {CELLS} bytes or {COLUMNS} columns");
            return Err(batch.error(why));
        }
        let cells = &mut self.open.1;
        if cells.len() <= column {
            cells.resize(column + 1, String::new());
        }
        if let Some(cell) = cells.get_mut(column) {
            *cell = text;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, batch: &mut Batch) {
        self.end_row(batch);
        self.begin(batch);
    }

    fn end_row(&mut self, batch: &mut Batch) {
        let cells = std::mem::take(&mut self.open.1);
        if cells.is_empty() {
            return;
        }
        match &mut self.first {
            Some(first) => {
                first.push((self.open.0, cells));
                if first.len() >= ABOVE {
                    self.begin(batch);
                }
            }
            None => self.row(self.open.0, &cells, batch),
        }
    }

    /// Finds the names of the columns; the rows above them become passages of their own.
    fn begin(&mut self, batch: &mut Batch) {
        let Some(first) = self.first.take() else { return };
        let count = |(_, cells): &(u32, Vec<String>)| filled(cells).count();
        let most = first.iter().map(count).max().unwrap_or(0);
        let names = first.iter().position(|row| count(row) * 5 >= most * 3).unwrap_or(0);
        for (_, cells) in &first[..names] {
            let words: Vec<&str> = filled(cells).collect();
            self.table.add(&words.join(" "), batch.input.time(), "a row", None, batch);
        }
        for (row, cells) in &first[names..] {
            self.row(*row, cells, batch);
        }
    }

    fn row(&mut self, row: u32, cells: &[String], batch: &mut Batch) {
        let number = row.saturating_add(1);
        let lines = Some(Lines { first: number, last: number });
        self.table.row(cells, &format!("row {number}"), lines, batch);
    }
}
