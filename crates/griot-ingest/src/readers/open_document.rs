//! OpenDocument texts (`.odt`) as Markdown, and spreadsheets (`.ods`) as rows with the names of their
//! columns.

use std::collections::HashMap;

use griot::model::Result;

use crate::readers::archive::Archive;
use crate::readers::document;
use crate::readers::element::{About, Element, Node};
use crate::readers::grid::Sheet;
use crate::readers::input::{Batch, Input};
use crate::readers::markup::{code_block, heading, item, link, one_line, paragraph, table};
use crate::readers::reader::{Read, Reader, Zip};
use crate::time;

pub(crate) const TEXT: Reader = Reader {
    name: "odt",
    mime: "application/vnd.oasis.opendocument.text",
    summary: "passages with headings; lists, tables and code stay as Markdown",
    own_extensions: &["odt"],
    zip: Zip::Package { mimetype: Some("application/vnd.oasis.opendocument.text"), part: None },
    is_crawled: false,
    read: |_| Read::Bytes(read_text),
    ..Reader::BASE
};

pub(crate) const SHEET: Reader = Reader {
    name: "ods",
    mime: "application/vnd.oasis.opendocument.spreadsheet",
    summary: "a memory for each row, below the sheet's name",
    own_extensions: &["ods"],
    zip: Zip::Package { mimetype: Some("application/vnd.oasis.opendocument.spreadsheet"), part: None },
    read: |_| Read::Bytes(read_sheets),
    ..Reader::BASE
};

/// A row or a cell that is repeated more often is layout and counts once.
const REPEATED: u32 = 100;
/// Most spaces of one element.
const SPACES: usize = 200;

fn read_text(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(batch.input, bytes)?;
    check_key(batch.input, &mut archive)?;
    let root = archive.needed("content.xml", "an OpenDocument text")?;
    let shared = archive.xml("styles.xml")?.unwrap_or_default();
    let about = properties(&mut archive)?;
    let mut writer = Writer { title: about.title, ..Writer::default() };
    writer.learn(&shared);
    writer.learn(&root);
    let body = root.child("body").and_then(|body| body.elements().next());
    let Some(body) = body else { return Err(batch.error("it is not an OpenDocument text: it has no body")) };
    writer.blocks(body, 0, None);
    code_block(&mut writer.code, &mut writer.out);
    // A document of nothing but its title says at least that.
    if writer.out.trim().is_empty() {
        paragraph(&writer.shown_title, &mut writer.out);
    }
    batch.title = writer.title.take();
    batch.source.language = about.language;
    document::read_converted(&writer.out, &[], about.at, batch);
    Ok(())
}

fn read_sheets(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(batch.input, bytes)?;
    check_key(batch.input, &mut archive)?;
    let root = archive.needed("content.xml", "an OpenDocument spreadsheet")?;
    let about = properties(&mut archive)?;
    (batch.title, batch.source.language) = (about.title, about.language);
    let sheets = root.find("spreadsheet").map(|body| body.all("table"));
    for table in sheets.unwrap_or_default() {
        let mut sheet = Sheet::new(table.attribute("name").unwrap_or("sheet"));
        let mut number: u32 = 0;
        for row in table.all("table-row") {
            let repeated = count(row, "number-rows-repeated");
            let cells = cells(row);
            let is_layout = cells.iter().all(|(_, text)| text.is_empty()) || repeated > REPEATED;
            for again in 0..if is_layout { 1 } else { repeated } {
                let row = number.saturating_add(again);
                let mut column: u32 = 0;
                for (width, text) in &cells {
                    let shown = if text.is_empty() || *width > REPEATED { 1 } else { *width };
                    for at in 0..shown {
                        sheet.cell(row, column.saturating_add(at), text.clone(), batch)?;
                    }
                    column = column.saturating_add(*width);
                }
            }
            number = number.saturating_add(repeated);
        }
        sheet.finish(batch);
    }
    Ok(())
}

fn count(element: &Element, name: &str) -> u32 {
    element.attribute(name).and_then(|count| count.parse().ok()).unwrap_or(1).max(1)
}

/// Width and text of each cell.
fn cells(row: &Element) -> Vec<(u32, String)> {
    let text = |cell: &Element| match cell.attribute("value-type") {
        Some("date") => cell.attribute("date-value").map(|date| date.replace('T', " ")),
        Some("float") => cell.attribute("value").map(str::to_string),
        _ => None,
    };
    let shown = |cell: &Element| cell.named("p").map(inline).collect::<Vec<_>>().join("\n");
    row.elements()
        .filter(|cell| matches!(cell.name.as_str(), "table-cell" | "covered-table-cell"))
        .map(|cell| (count(cell, "number-columns-repeated"), text(cell).unwrap_or_else(|| shown(cell))))
        .collect()
}

/// Parts that are encrypted look like damaged ones; the list of parts says why.
fn check_key(input: &Input, archive: &mut Archive) -> Result<()> {
    let list = archive.xml("META-INF/manifest.xml")?.unwrap_or_default();
    match list.find("encryption-data") {
        Some(_) => Err(input.error("it is encrypted: save it without a password")),
        None => Ok(()),
    }
}

fn properties(archive: &mut Archive) -> Result<About> {
    let root = archive.xml("meta.xml")?.unwrap_or_default();
    Ok(About::of(&root, |at| time::parse(at.get(..19).unwrap_or(at)), ["date", "creation-date"]))
}

#[derive(Default)]
struct Writer {
    /// Of a paragraph's style: the one that it is made from.
    parents: HashMap<String, String>,
    /// Which levels of a list's style are numbered.
    lists: HashMap<String, Vec<bool>>,
    /// Of the properties, else the first paragraph of this style.
    title: Option<String>,
    /// As the text has it.
    shown_title: String,
    code: String,
    out: String,
}

impl Writer {
    fn learn(&mut self, root: &Element) {
        for group in
            root.elements().filter(|group| matches!(group.name.as_str(), "styles" | "automatic-styles"))
        {
            for style in group.elements() {
                let Some(name) = style.attribute("name") else { continue };
                if let Some(parent) =
                    style.attribute("parent-style-name").or_else(|| style.attribute("display-name"))
                {
                    self.parents.insert(name.to_string(), parent.to_string());
                }
                if style.name == "list-style" {
                    let numbered =
                        style.elements().map(|level| level.name == "list-level-style-number").collect();
                    self.lists.insert(name.to_string(), numbered);
                }
            }
        }
    }

    /// The style or one that it is made from has a name with this word.
    fn is_style(&self, name: Option<&str>, words: &[&str]) -> bool {
        let mut name = name;
        for _ in 0..8 {
            let Some(style) = name else { return false };
            if words.iter().any(|word| style.to_lowercase().contains(word)) {
                return true;
            }
            name = self.parents.get(style).map(String::as_str);
        }
        false
    }

    fn blocks(&mut self, parent: &Element, depth: usize, style: Option<&str>) {
        for element in parent.elements() {
            if element.name != "p" {
                code_block(&mut self.code, &mut self.out);
            }
            match element.name.as_str() {
                "h" => {
                    let level =
                        element.attribute("outline-level").and_then(|level| level.parse().ok()).unwrap_or(1);
                    heading(level, &inline(element), &mut self.out);
                }
                "p" => self.paragraph(element),
                "list" => {
                    self.list(element, depth, element.attribute("style-name").or(style));
                    if depth == 0 {
                        self.out.push('\n');
                    }
                }
                "table" => {
                    let texts = |row| cells(row).into_iter().map(|(_, text)| text).collect();
                    let rows: Vec<Vec<String>> = element.all("table-row").into_iter().map(texts).collect();
                    table(&rows, &mut self.out);
                }
                // It says what the headings say.
                "table-of-content" | "tracked-changes" | "sequence-decls" | "forms" => {}
                _ => self.blocks(element, depth, style),
            }
        }
    }

    fn paragraph(&mut self, element: &Element) {
        let text = inline(element);
        let style = element.attribute("style-name");
        if self.is_style(style, &["preformatted", "code", "source"]) {
            self.code.extend([text.as_str(), "\n"]);
            return;
        }
        code_block(&mut self.code, &mut self.out);
        if text.trim().is_empty() {
            return;
        }
        if style.is_some_and(|style| {
            style == "Title" || self.parents.get(style).is_some_and(|parent| parent == "Title")
        }) {
            let text = one_line(&text);
            let title = self.title.get_or_insert_with(|| text.clone());
            // The title of the document is no text of its own; what else looks like one is a heading.
            if title.to_lowercase() == text.to_lowercase() {
                self.shown_title = text;
            } else {
                heading(1, &text, &mut self.out);
            }
            return;
        }
        paragraph(&text, &mut self.out);
    }

    fn list(&mut self, list: &Element, depth: usize, style: Option<&str>) {
        let levels = style.and_then(|style| self.lists.get(style));
        let is_numbered = levels.and_then(|levels| levels.get(depth)).copied().unwrap_or(false);
        for (number, entry) in (1..).zip(list.elements()) {
            let mut is_first = true;
            for part in entry.elements() {
                if part.name == "list" {
                    self.list(part, depth + 1, part.attribute("style-name").or(style));
                    continue;
                }
                let text = one_line(&inline(part));
                let mark = match (is_first, is_numbered) {
                    (true, true) => format!("{number}."),
                    (true, false) => "-".to_string(),
                    (false, _) => " ".to_string(),
                };
                if !text.is_empty() {
                    item(depth, &mark, &text, &mut self.out);
                }
                is_first = false;
            }
        }
    }
}

fn inline(element: &Element) -> String {
    let mut out = String::new();
    add_inline(element, &mut out);
    out
}

fn add_inline(element: &Element, out: &mut String) {
    for node in &element.children {
        match node {
            Node::Text(text) => {
                // Layout of the file: more than one space is written as an element.
                for c in text.chars() {
                    if !c.is_whitespace() || c == '\u{A0}' {
                        out.push(c);
                    } else if !out.ends_with(' ') {
                        out.push(' ');
                    }
                }
            }
            Node::Element(child) => match child.name.as_str() {
                "s" => {
                    let count = child.attribute("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                    out.push_str(&" ".repeat(std::cmp::min(count, SPACES)));
                }
                "tab" => out.push('\t'),
                "line-break" => out.push('\n'),
                "note-citation" | "annotation" | "bookmark" => {}
                "note" => {
                    let mut note = String::new();
                    add_inline(child, &mut note);
                    out.push_str(&format!(" ({})", one_line(&note)));
                }
                "a" => {
                    let target = child.attribute("href").filter(|target| target.contains(':'));
                    link(&inline(child), target, out);
                }
                "p" if !out.is_empty() => {
                    out.push('\n');
                    add_inline(child, out);
                }
                _ => add_inline(child, out),
            },
        }
    }
}
