//! Borderless tables: a header line, columns two spaces apart.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::{Page, text};

/// A table of items whose last column takes the remaining width. `right`: right-aligned columns.
pub fn table<T, const N: usize>(
    page: Page,
    header: [&str; N],
    right: &[usize],
    items: &[T],
    row: impl FnMut(&T) -> [String; N],
) -> String {
    let rows: Vec<[String; N]> = items.iter().map(row).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().map(|name| name.to_uppercase()));
    let last = N - 1;
    let used: usize = (0..last)
        .map(|column| {
            let cells = rows.iter().map(|row| text::width(&row[column]));
            cells.chain([text::width(header[column])]).max().unwrap_or(0) + 2
        })
        .sum();
    let left = page.width.saturating_sub(used + 1).max(20);
    for row in rows {
        let mut cells = row.map(|cell| text::visible(&cell));
        cells[last] = text::one_line(&cells[last], left);
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
