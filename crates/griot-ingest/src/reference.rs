//! Generates `docs/reference/formats.md` from the table of formats.

use std::fmt::Write;

use crate::readers::readers;

/// Lists every format with its extensions, its MIME type, and how its files become memories.
pub fn formats_page() -> String {
    let mut page = String::from(
        "<!-- Made by `cargo xtask codegen`; changes here are lost. -->\n\n# Formats\n\n\
         What [`griot ingest`](../guides/ingest.md) reads, by the name that `--format` and \
         `ingest.allowed_types` take. Files of a folder are read if they have one of these endings. If \
         several formats have an ending, or a file has none of them, its content decides. Binary formats are \
         recognised by their first bytes, whatever a file is called.\n\n\
         | format | endings | MIME type | read as |\n|---|---|---|---|\n",
    );
    for reader in readers() {
        let endings: Vec<String> = reader.extensions().map(|end| format!("`.{end}`")).collect();
        let (name, mime, summary) = (reader.name, reader.mime, reader.summary);
        let _ = writeln!(page, "| `{name}` | {} | `{mime}` | {summary} |", endings.join(" "));
    }
    page.push_str(
        "\nDatabases (`sqlite`) are recognised by their bytes alone: `--format` does not take this name.\n",
    );
    page
}
