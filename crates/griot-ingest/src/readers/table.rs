//! Rows with named columns: each row is a memory of lines `column: value`.
//!
//! A table whose columns are all fields of a record (`text`, `speaker`, `time`, …) is read as records. Empty
//! cells are left out.

use griot::model::{Lines, Timestamp};
use griot::remember::Draft;
use griot::text::chunk_plain;
use serde_json::{Map, Value};

use crate::readers::input::Batch;
use crate::readers::json;
use crate::readers::record::{is_field, is_text_field, is_time_field};
use crate::time;

/// More columns than any table that people look at.
pub(crate) const COLUMNS: usize = 20_000;

/// Takes the rows of one table in order. The first one names the columns if it looks like names.
#[derive(Default)]
pub(crate) struct Table {
    heading: Vec<String>,
    columns: Option<Vec<String>>,
    are_records: bool,
}

impl Table {
    pub(crate) fn below(heading: &[String]) -> Self {
        Self { heading: heading.to_vec(), ..Self::default() }
    }

    /// Whether it is known which names its columns have, if any.
    pub(crate) fn has_names(&self) -> bool {
        self.columns.is_some()
    }

    pub(crate) fn name(&mut self, columns: Vec<String>) {
        let known = columns.iter().map(|name| name.to_lowercase());
        self.are_records =
            known.clone().all(|name| is_field(&name)) && known.into_iter().any(|name| is_text_field(&name));
        self.columns = Some(columns);
    }

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
                return self.name(cells.iter().map(|cell| cell.trim().to_string()).collect());
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

    /// Adds a text that is no row, such as a title.
    pub(crate) fn add(
        &self,
        text: &str,
        at: Option<Timestamp>,
        label: &str,
        lines: Option<Lines>,
        batch: &mut Batch,
    ) {
        let heading = self.heading.clone();
        let like = Draft { heading, occurred_at: at, lines, ..batch.draft("", "passage") };
        batch.push_chunks(chunk_plain(text), &like, label);
    }
}

/// Whether a row names columns: its cells are filled, short, distinct, and neither numbers nor dates.
pub(crate) fn are_names(cells: &[String]) -> bool {
    // Columns to the right of the last name have none.
    let count = cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
    if (count - filled(cells).count()) * 3 > count {
        return false;
    }
    let mut known = std::collections::HashSet::new();
    filled(cells).all(|cell| is_name(cell) && known.insert(cell.to_lowercase()))
}

/// Whether a cell may name a column: it is short, and neither a number nor a date.
pub(crate) fn is_name(cell: &str) -> bool {
    let number = cell.strip_suffix('%').unwrap_or(cell);
    cell.chars().count() <= 80 && number.parse::<f64>().is_err() && time::parse(cell).is_none()
}

/// The cells that are not blank.
pub(crate) fn filled(cells: &[String]) -> impl Iterator<Item = &str> {
    cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
}

fn value(cell: &str) -> Value {
    cell.trim().parse::<u64>().map_or_else(|_| Value::String(cell.to_string()), Value::from)
}
