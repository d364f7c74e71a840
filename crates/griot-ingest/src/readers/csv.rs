//! Comma-separated values: each row becomes a memory. The first lines determine the separator: comma,
//! semicolon, tab or bar.

use griot::model::{Lines, Result};

use crate::readers::reader::{Batch, Read, Reader};
use crate::readers::table::Table;

pub(crate) const READER: Reader = Reader {
    name: "csv",
    mime: "text/csv",
    summary: "a memory for each row: `column: value`, or records if all columns are fields of one",
    own_extensions: &["csv", "tsv", "tab"],
    is_crawled: false,
    read: |_| Read::Tree(read),
    ..Reader::BASE
};

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    let is_tab = ["tsv", "tab"]
        .iter()
        .any(|tab| batch.input.path.extension().is_some_and(|end| end.eq_ignore_ascii_case(tab)));
    let separator = if is_tab { b'\t' } else { separator(text) };
    let mut table = Table::default();
    let mut width = None;
    let (mut begin, mut line) = (0, 1);
    // After a quote that is not closed, reading begins anew in the next line.
    while let Some(rest) = text.get(begin..).filter(|rest| !rest.is_empty()) {
        let Some(open) = rows(rest, line, separator, &mut width, &mut table, batch)? else { break };
        batch.problem(format!("line {}: a quotation mark is not closed: the line is read alone", open.line));
        let at = begin + open.begin;
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
        let cells: Vec<String> = unquoted(&text[at..end], separator);
        let (first, label) = (number(open.line), format!("line {}", open.line));
        table.row(&cells, &label, Some(Lines { first, last: first }), batch);
        (begin, line) = (end, open.line + 1);
    }
    Ok(())
}

/// A line with a quotation mark that is not closed in it, and not meant to be closed in another one.
struct Open {
    begin: usize,
    line: u64,
}

/// Reads rows until their end, or until a quotation mark that is not closed. `first` is the number of the
/// first line, `width` the number of cells of the first row.
fn rows(
    text: &str,
    first: u64,
    separator: u8,
    width: &mut Option<usize>,
    table: &mut Table,
    batch: &mut Batch,
) -> Result<Option<Open>> {
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let mut cells = Vec::new();
    loop {
        match rows.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return Err(batch.error(format!("it is not a table: {error}"))),
        }
        // The reader is at the end of the row before; empty lines may follow.
        let (line, byte) = record.position().map_or((1, 0), |at| (at.line(), at.byte() as usize));
        let rest = text.as_bytes().get(byte..).unwrap_or_default().iter();
        let skipped = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let (length, more) =
            skipped.fold((0, 0), |(length, lines), byte| (length + 1, lines + u64::from(*byte == b'\n')));
        let (begin, line) = (byte + length, first - 1 + line + more);
        let breaks = record.iter().map(|cell| cell.matches('\n').count()).sum::<usize>();
        let end = rows.position().byte() as usize;
        if breaks > 0 && is_open(text.get(begin..end).unwrap_or_default(), &record, *width, separator) {
            return Ok(Some(Open { begin, line }));
        }
        width.get_or_insert(record.len());
        let first = number(line);
        let last = first.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        cells.clear();
        cells.extend(record.iter().map(str::to_string));
        table.row(&cells, &format!("line {first}"), Some(Lines { first, last }), batch);
    }
}

fn number(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX).max(1)
}

/// Whether the row of several lines that was read is one line with a quotation mark too many: it is not
/// closed until the end, or the row is none of the table, and its first lines look like rows.
fn is_open(written: &str, record: &csv::StringRecord, width: Option<usize>, separator: u8) -> bool {
    let ends_inside = record.iter().next_back().is_some_and(|cell| cell.contains('\n'))
        && written.bytes().filter(|byte| *byte == b'"').count() % 2 == 1;
    let mut lines = written.lines();
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let are_rows = |width: usize| {
        width > 1
            && (width != record.len() || goes_on_after_a_mark(written, separator))
            && unquoted(first, separator).len() == width
            && outside_quotes(second, separator) + 1 == width
    };
    ends_inside || width.is_some_and(are_rows)
}

/// Whether a cell goes on after the quotation mark that closes it.
fn goes_on_after_a_mark(written: &str, separator: u8) -> bool {
    let (mut inside, mut before) = (false, separator);
    written.bytes().any(|byte| {
        let goes_on = before == b'"' && !inside && !matches!(byte, b'"' | b'\r' | b'\n') && byte != separator;
        inside ^= byte == b'"';
        before = byte;
        goes_on
    })
}

/// The cells of a line in which quotation marks mean nothing.
fn unquoted(line: &str, separator: u8) -> Vec<String> {
    line.trim_end_matches(['\r', '\n'])
        .split(char::from(separator))
        .map(|cell| cell.trim().trim_matches('"').to_string())
        .collect()
}

/// The separator that divides the first lines into the same, largest number of cells.
fn separator(text: &str) -> u8 {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(10).collect();
    let score = |separator: u8| {
        let count = |line: &&str| outside_quotes(line, separator);
        let first = lines.first().map_or(0, count);
        let alike = lines.iter().filter(|line| count(line) == first).count();
        if first == 0 { (0, 0) } else { (alike, first) }
    };
    // A comma wins a tie, since the last of equals wins.
    [b'|', b'\t', b';', b','].into_iter().max_by_key(|separator| score(*separator)).unwrap_or(b',')
}

fn outside_quotes(line: &str, separator: u8) -> usize {
    let mut inside = false;
    line.bytes().fold(0, |count, byte| {
        inside ^= byte == b'"';
        count + usize::from(byte == separator && !inside)
    })
}
