//! Borderless tables: a header line, columns two spaces apart.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::{Page, text};

/// A table whose last column takes the remaining width. `right`: right-aligned columns.
pub fn table(page: Page, header: &[&str], rows: &[Vec<String>], right: &[usize]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().map(|name| name.to_uppercase()));
    let last = header.len().saturating_sub(1);
    let used: usize = (0..last)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| text::width(cell));
            cells.chain([text::width(header[column])]).max().unwrap_or(0) + 2
        })
        .sum();
    let left = page.width.saturating_sub(used + 1).max(20);
    for row in rows {
        let mut cells: Vec<String> = row.iter().map(|cell| text::visible(cell)).collect();
        if let Some(cell) = cells.get_mut(last) {
            *cell = text::one_line(cell, left);
        }
        table.add_row(cells);
    }
    for (position, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if right.contains(&position) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let text = table.trim_fmt();
    match text.split_once('\n') {
        Some((header, body)) => format!("{}\n{body}", page.quiet(header)),
        None => page.quiet(&text),
    }
}
