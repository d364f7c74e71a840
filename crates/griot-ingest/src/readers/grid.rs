//! The cells of a spreadsheet's sheet: tables below one another, forms, and names in two rows.

use griot::model::{Lines, Result};

use crate::readers::input::Batch;
use crate::readers::table::{COLUMNS, Table, are_names, filled, is_name};
use crate::shown::shown_text;

/// Rows that are searched for the names of the columns: titles and remarks may be above them.
const ABOVE: usize = 20;
/// Rows below an empty one that show whether a new table begins: a title, names, values.
const APART: usize = 3;
/// Bytes of a form that is one memory; a longer one is a list, and read in parts.
const FORM: usize = 4 * 1024;
/// Bytes of all cells of a sheet; a shared text counts once for each cell.
const CELLS: usize = 256 * 1024 * 1024;

/// A row with its number, from 0.
type Row = (u32, Vec<String>);

/// Takes the cells of a spreadsheet's sheet in order.
pub(crate) struct Sheet {
    heading: Vec<String>,
    table: Table,
    /// Lines of labels and values that are read as one.
    form: Option<Form>,
    /// Rows that wait until the names are found.
    first: Option<Vec<Row>>,
    /// Rows below an empty one that wait until it is known to what they belong.
    apart: Option<Vec<Row>>,
    open: Row,
    last: Option<u32>,
    looks: Vec<Look>,
    bytes: usize,
}

#[derive(Default)]
struct Form {
    text: String,
    lines: Option<Lines>,
}

/// What a column of the table holds.
#[derive(Clone, Copy, Default)]
struct Look {
    has_names: bool,
    has_others: bool,
}

impl Sheet {
    pub(crate) fn new(name: &str) -> Self {
        let heading = vec![name.to_string()];
        Self {
            table: Table::below(&heading),
            heading,
            form: None,
            first: Some(Vec::new()),
            apart: None,
            open: (0, Vec::new()),
            last: None,
            looks: Vec::new(),
            bytes: 0,
        }
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
            let name = shown_text(&self.heading.concat());
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
        self.decide(batch);
        self.begin(batch);
        self.end_form(batch);
    }

    fn end_row(&mut self, batch: &mut Batch) {
        let cells = std::mem::take(&mut self.open.1);
        if cells.is_empty() {
            return;
        }
        let row = (self.open.0, cells);
        if self.last.is_some_and(|last| row.0 > last.saturating_add(1)) {
            self.end_block(batch);
        }
        self.last = Some(row.0);
        if let Some(apart) = &mut self.apart {
            apart.push(row);
            if apart.len() >= APART {
                self.decide(batch);
            }
        } else if let Some(first) = &mut self.first {
            first.push(row);
            if first.len() >= ABOVE {
                self.begin(batch);
            }
        } else {
            self.row(&row, batch);
        }
    }

    /// What is above an empty row is read, unless it is only a title.
    fn end_block(&mut self, batch: &mut Batch) {
        self.decide(batch);
        if self.first.as_ref().is_some_and(|first| is_form(first, 1) || begins(first)) {
            self.begin(batch);
        }
        if self.first.is_none() {
            self.apart = Some(Vec::new());
        }
    }

    /// Whether the rows below an empty one are of the table above it, or of another one.
    fn decide(&mut self, batch: &mut Batch) {
        let Some(rows) = self.apart.take() else { return };
        let is_another = match &self.form {
            Some(_) => begins(&rows),
            None => is_form(&rows, 2) || self.another_begins(&rows),
        };
        if is_another {
            self.end_form(batch);
            self.table = Table::below(&self.heading);
            self.looks.clear();
            self.first = Some(rows);
        } else {
            rows.iter().for_each(|row| self.row(row, batch));
        }
    }

    /// Whether names begin a table, and values below them are not what their column holds anyway.
    fn another_begins(&self, rows: &[Row]) -> bool {
        let is_mixed =
            |column: usize| self.looks.get(column).is_some_and(|look| look.has_names && look.has_others);
        names_of(rows).is_some_and(|at| others(&rows[at], rows.get(at + 1)).any(|column| !is_mixed(column)))
    }

    /// Finds the names of the columns; the rows above them become passages of their own.
    fn begin(&mut self, batch: &mut Batch) {
        let Some(first) = self.first.take() else { return };
        if is_form(&first, 1) {
            self.form = Some(Form::default());
            return first.iter().for_each(|row| self.row(row, batch));
        }
        let count = |(_, cells): &Row| filled(cells).count();
        let most = first.iter().map(count).max().unwrap_or(0);
        let names = first.iter().position(|row| count(row) * 5 >= most * 3).unwrap_or(0);
        // The names may be in two rows, of which either may be the first that is wide enough.
        let above = names.saturating_sub(1);
        let joined = (above..=names).find_map(|at| Some((at, joined(&first[at..])?)));
        let names = joined.as_ref().map_or(names, |(at, _)| *at);
        for (_, cells) in &first[..names] {
            let words: Vec<&str> = filled(cells).collect();
            self.table.add(&words.join(" "), batch.input.time(), "a row", None, batch);
        }
        let skipped = match joined {
            Some((_, columns)) => {
                self.table.name(columns);
                2
            }
            None => 0,
        };
        first.iter().skip(names + skipped).for_each(|row| self.row(row, batch));
    }

    fn row(&mut self, (row, cells): &Row, batch: &mut Batch) {
        let number = row.saturating_add(1);
        let lines = Lines { first: number, last: number };
        if let Some(form) = &mut self.form {
            let words: Vec<&str> = filled(cells).collect();
            form.text.push_str(&(words.join(" ") + "\n"));
            form.lines = Some(Lines { first: form.lines.map_or(number, |lines| lines.first), ..lines });
            if form.text.len() > FORM {
                self.end_form(batch);
                self.form = Some(Form::default());
            }
            return;
        }
        if self.table.has_names() {
            self.looks.resize(self.looks.len().max(cells.len()), Look::default());
            for (look, cell) in self.looks.iter_mut().zip(cells).filter(|(_, cell)| !cell.trim().is_empty()) {
                *(if is_name(cell.trim()) { &mut look.has_names } else { &mut look.has_others }) = true;
            }
        }
        self.table.row(cells, &format!("row {number}"), Some(lines), batch);
    }

    fn end_form(&mut self, batch: &mut Batch) {
        if let Some(form) = self.form.take() {
            self.table.add(&form.text, batch.input.time(), "a form", form.lines, batch);
        }
    }
}

/// Whether rows with several cells begin with labels such as `Name:`, and there are enough of them.
fn is_form(rows: &[Row], least: usize) -> bool {
    let pairs = || rows.iter().filter(|(_, cells)| filled(cells).count() > 1);
    pairs().count() >= least && pairs().all(|(_, cells)| filled(cells).next().is_some_and(is_label))
}

fn is_label(cell: &str) -> bool {
    cell.ends_with([':', '：'])
}

/// The row of names that a table begins with, below a title at most.
fn names_of(rows: &[Row]) -> Option<usize> {
    let count = |row: &Row| filled(&row.1).count();
    let at = usize::from(rows.first().is_some_and(|row| count(row) == 1));
    let names = rows.get(at).filter(|row| count(row) > 1)?;
    (are_names(&names.1) && !filled(&names.1).any(is_label)).then_some(at)
}

/// Whether rows begin with names of columns and values.
fn begins(rows: &[Row]) -> bool {
    names_of(rows).is_some_and(|at| others(&rows[at], rows.get(at + 1)).next().is_some())
}

/// The columns in which the row below names holds what is no name: a number, a date.
fn others<'r>(names: &'r Row, below: Option<&'r Row>) -> impl Iterator<Item = usize> {
    let cells = below.map(|(_, cells)| cells.as_slice()).unwrap_or_default();
    let is_other = |(name, cell): (&String, &String)| {
        let (name, cell) = (name.trim(), cell.trim());
        !name.is_empty() && !cell.is_empty() && !is_name(cell)
    };
    names.1.iter().zip(cells).enumerate().filter(move |(_, pair)| is_other(*pair)).map(|(column, _)| column)
}

/// The names of columns whose names are in two rows: groups such as `Quarter 1`, written above the first of
/// several columns, and the names within them.
fn joined(rows: &[Row]) -> Option<Vec<String>> {
    let [(above, groups), (at, names), (_, values), ..] = rows else { return None };
    let cell = |cells: &[String], column: usize| {
        cells.get(column).map(|cell| cell.trim().to_string()).unwrap_or_default()
    };
    let own: Vec<&str> = filled(names).collect();
    let is_value = |cell: &str| !is_name(cell);
    if *at != above.saturating_add(1)
        || filled(groups).count() < 2
        || !own.iter().all(|name| is_name(name))
        || !filled(values).any(is_value)
    {
        return None;
    }
    let (mut group, mut spans, mut is_in_span, mut columns) = (String::new(), 0, false, Vec::new());
    for column in 0..groups.len().max(names.len()) {
        let (over, name) = (cell(groups, column), cell(names, column));
        if !over.is_empty() {
            // A name over two rows is no group.
            group = if name.is_empty() { String::new() } else { over.clone() };
            is_in_span = false;
        } else if !group.is_empty() && !name.is_empty() && !is_in_span {
            spans += 1;
            is_in_span = true;
        }
        columns.push(match (name.is_empty(), group.is_empty()) {
            (true, _) => over,
            (false, true) => name,
            (false, false) => format!("{group} {name}"),
        });
    }
    let are_distinct = own.iter().collect::<std::collections::HashSet<_>>().len() == own.len();
    let is_grouped = spans >= if are_distinct { 2 } else { 1 };
    (is_grouped && are_names(&columns)).then_some(columns)
}
