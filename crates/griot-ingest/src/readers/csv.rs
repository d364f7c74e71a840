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
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut table = Table::default();
    let mut record = csv::StringRecord::new();
    let mut cells = Vec::new();
    loop {
        match rows.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(batch.error(format!("it is not a table: {error}"))),
        }
        // The reader is at the end of the row before; empty lines may follow.
        let (line, byte) = record.position().map_or((1, 0), |at| (at.line(), at.byte() as usize));
        let rest = text.as_bytes().get(byte..).unwrap_or_default().iter();
        let skipped = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let line = line + skipped.filter(|byte| **byte == b'\n').count() as u64;
        let first = u32::try_from(line).unwrap_or(u32::MAX).max(1);
        let breaks = record.iter().map(|cell| cell.matches('\n').count()).sum::<usize>();
        let last = first.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        cells.clear();
        cells.extend(record.iter().map(str::to_string));
        table.row(&cells, &format!("line {first}"), Some(Lines { first, last }), batch);
    }
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
