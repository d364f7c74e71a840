//! Writes Markdown, for readers of other formats: escapes and blocks.

/// A block of code; the fence is longer than any that the code holds.
pub(crate) fn fenced(code: &str, language: &str, out: &mut String) {
    let mut longest = 2;
    let mut run = 0;
    for c in code.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    out.extend([fence.as_str(), language, "\n", code.trim_end(), "\n", fence.as_str()]);
}

/// Writes the gathered lines as a block of code, unless they are blank.
pub(crate) fn code_block(gathered: &mut String, out: &mut String) {
    let code = std::mem::take(gathered);
    if !code.trim().is_empty() {
        fenced(&code, "", out);
        out.push_str("\n\n");
    }
}

/// A heading; `level` counts from 1.
pub(crate) fn heading(level: usize, title: &str, out: &mut String) {
    let title = one_line(title);
    if !title.is_empty() {
        out.extend(["#".repeat(level.clamp(1, 6)).as_str(), " ", &title, "\n\n"]);
    }
}

/// A paragraph, with its line breaks.
pub(crate) fn paragraph(text: &str, out: &mut String) {
    for line in text.lines() {
        out.extend([plain(line.trim()).as_str(), "\n"]);
    }
    out.push('\n');
}

/// An item of a list; `level` counts from 0.
pub(crate) fn item(level: usize, mark: &str, text: &str, out: &mut String) {
    out.extend(["    ".repeat(level.min(8)).as_str(), mark, " ", text, "\n"]);
}

/// A link, if there is a target that the words do not show.
pub(crate) fn link(words: &str, target: Option<&str>, out: &mut String) {
    match target.filter(|target| *target != words && !words.trim().is_empty()) {
        Some(target) => out.push_str(&format!("[{words}]({target})")),
        None => out.push_str(words),
    }
}

/// Most cells of a table whose rows are padded to one length.
const CELLS: usize = 1_000_000;

/// A table; the first row names the columns.
pub(crate) fn table(rows: &[Vec<String>], out: &mut String) {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    // Padding many short rows to one long row would take too much memory.
    let is_even = width.saturating_mul(rows.len()) <= CELLS;
    if width == 0 {
        return;
    }
    for (at, row) in rows.iter().enumerate() {
        out.push('|');
        for column in 0..if is_even { width } else { row.len() } {
            let cell = row.get(column).map(|cell| one_line(cell).replace('|', "\\|")).unwrap_or_default();
            out.extend([" ", cell.as_str(), " |"]);
        }
        out.push('\n');
        if at == 0 {
            out.push('|');
            out.push_str(&" --- |".repeat(width));
            out.push('\n');
        }
    }
    out.push('\n');
}

/// Escapes a line that Markdown would take for a heading, a rule or a fence.
pub(crate) fn plain(line: &str) -> String {
    let is_mark = line.starts_with('#') || line.starts_with("```") || line.starts_with("~~~");
    let is_rule = line.len() >= 2 && line.chars().all(|c| "-=_* ".contains(c));
    if is_mark || is_rule { format!("\\{line}") } else { line.to_string() }
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
