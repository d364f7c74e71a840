//! Word documents (`.docx`) as Markdown: headings, lists, tables, code, links, notes and what pictures
//! show; deleted text is left out.

use std::collections::{BTreeMap, HashMap};

use griot::model::Result;

use crate::readers::archive::{Archive, beside};
use crate::readers::document;
use crate::readers::element::{About, Element, Node};
use crate::readers::markup::{code_block, heading, item, link, one_line, paragraph, table};
use crate::readers::reader::{Batch, Read, Reader, Zip};
use crate::time;

pub(crate) const READER: Reader = Reader {
    name: "docx",
    mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    summary: "passages with headings; lists, tables and code stay as Markdown",
    own_extensions: &["docx", "docm", "dotx"],
    zip: Zip::Package { mimetype: None, part: Some("word/") },
    is_crawled: false,
    read: |_| Read::Bytes(read),
    ..Reader::BASE
};

/// Notes of both kinds are counted from the same number.
const FOOTNOTE: &str = "";
const ENDNOTE: &str = "e";
/// Wide cells make a row no longer than this.
const COLUMNS: usize = 1_000;

fn read(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(batch.input, bytes)?;
    let main = main_part(&mut archive, "word/document.xml")?;
    let root = archive.needed(&main, "a Word document")?;
    let styles = archive.xml(&beside(&main, "styles.xml"))?.unwrap_or_default();
    let numbering = archive.xml(&beside(&main, "numbering.xml"))?.unwrap_or_default();
    let links = relations(&mut archive, &main)?;
    let footnotes = archive.xml(&beside(&main, "footnotes.xml"))?.unwrap_or_default();
    let endnotes = archive.xml(&beside(&main, "endnotes.xml"))?.unwrap_or_default();
    let about = properties(&mut archive)?;
    let (styles, lists) = (Style::all(&styles), lists(&numbering));
    let mut writer = Writer { styles, lists, links, title: about.title, ..Writer::default() };
    for (notes, mark) in [(&footnotes, FOOTNOTE), (&endnotes, ENDNOTE)] {
        writer.learn_notes(notes, mark);
    }
    writer.blocks(root.child("body").unwrap_or(&root));
    writer.finish();
    batch.title = writer.title;
    batch.source.language = about.language;
    document::read_converted(&writer.out, &[], about.at, batch);
    Ok(())
}

/// The part that the package names as its document.
pub(crate) fn main_part(archive: &mut Archive, usual: &str) -> Result<String> {
    let relations = archive.xml("_rels/.rels")?.unwrap_or_default();
    let main = relations
        .elements()
        .find(|relation| relation.attribute("Type").is_some_and(|kind| kind.ends_with("/officeDocument")));
    Ok(main
        .and_then(|main| main.attribute("Target"))
        .map_or_else(|| usual.to_string(), |target| beside("", target)))
}

/// Targets by id: parts of the archive as their names, others as they are written.
pub(crate) fn relations(archive: &mut Archive, part: &str) -> Result<HashMap<String, (String, String)>> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let root = archive.xml(&beside("", &format!("{folder}/_rels/{name}.rels")))?.unwrap_or_default();
    let mut found = HashMap::new();
    for relation in root.elements() {
        let (Some(id), Some(target)) = (relation.attribute("Id"), relation.attribute("Target")) else {
            continue;
        };
        let is_outside = relation.attribute("TargetMode") == Some("External");
        let target = if is_outside { target.to_string() } else { beside(part, target) };
        let kind = relation.attribute("Type").and_then(|kind| kind.rsplit('/').next()).unwrap_or_default();
        found.insert(id.to_string(), (kind.to_string(), target));
    }
    Ok(found)
}

/// Title and time of the last change.
pub(crate) fn properties(archive: &mut Archive) -> Result<About> {
    let core = archive.xml("docProps/core.xml")?.unwrap_or_default();
    Ok(About::of(&core, time::parse, ["modified", "created"]))
}

#[derive(Clone, Default)]
struct Style {
    /// Of a heading, from 1.
    level: Option<usize>,
    is_title: bool,
    is_code: bool,
    list: Option<String>,
    base: Option<String>,
}

impl Style {
    fn all(root: &Element) -> HashMap<String, Self> {
        let mut styles = HashMap::new();
        for style in root.named("style") {
            let Some(id) = style.attribute("styleId") else { continue };
            let name = value(style.child("name")).unwrap_or(id).to_lowercase();
            let shape = style.child("pPr");
            let outline =
                value(shape.and_then(|shape| shape.child("outlineLvl"))).and_then(|level| level.parse().ok());
            let named = name.strip_prefix("heading ").and_then(|level| level.parse().ok());
            let is_code =
                ["code", "verbatim", "preformatted", "html pre"].iter().any(|word| name.contains(word));
            let list =
                shape.and_then(|shape| shape.child("numPr")).and_then(|list| value(list.child("numId")));
            styles.insert(
                id.to_string(),
                Self {
                    level: outline.filter(|level| *level < 9).map(|level: usize| level + 1).or(named),
                    is_title: name == "title",
                    is_code,
                    list: list.map(str::to_string),
                    base: value(style.child("basedOn")).map(str::to_string),
                },
            );
        }
        // Missing values are inherited from the base style; eight steps are enough.
        for _ in 0..8 {
            let known = styles.clone();
            for style in styles.values_mut() {
                let Some(base) = style.base.as_ref().and_then(|base| known.get(base)) else { continue };
                style.level = style.level.or(base.level);
                style.list = style.list.take().or_else(|| base.list.clone());
                style.is_code |= base.is_code;
            }
        }
        styles
    }
}

fn value(element: Option<&Element>) -> Option<&str> {
    element?.attribute("val")
}

/// Which levels of which lists are numbered.
fn lists(root: &Element) -> HashMap<String, Vec<bool>> {
    let mut shapes = HashMap::new();
    for shape in root.named("abstractNum") {
        let numbered =
            |level: &Element| !matches!(value(level.child("numFmt")), Some("bullet" | "none") | None);
        let levels: Vec<bool> = shape.named("lvl").map(numbered).collect();
        shapes.insert(shape.attribute("abstractNumId"), levels);
    }
    let list = |list: &Element| {
        let levels = shapes.get(&value(list.child("abstractNumId")))?;
        Some((list.attribute("numId")?.to_string(), levels.clone()))
    };
    root.named("num").filter_map(list).collect()
}

#[derive(Default)]
struct Writer {
    styles: HashMap<String, Style>,
    lists: HashMap<String, Vec<bool>>,
    links: HashMap<String, (String, String)>,
    counts: HashMap<(String, usize), usize>,
    /// Of the properties, else the first paragraph of this style.
    title: Option<String>,
    /// By their labels; one is taken out where it is referred to.
    notes: BTreeMap<String, String>,
    /// As the text has it.
    shown_title: Option<String>,
    /// Notes to write below the block that refers to them.
    open_notes: String,
    /// A drop cap, which Word stores as a separate paragraph.
    initial: String,
    code: String,
    in_list: bool,
    out: String,
}

impl Writer {
    /// Those with a type are lines between text and notes. Many programs write the type of a note, too.
    fn learn_notes(&mut self, notes: &Element, mark: &str) {
        for note in notes.elements().filter(|note| matches!(note.attribute("type"), None | Some("normal"))) {
            let text = one_line(&self.inline(note));
            if let Some(id) = note.attribute("id").filter(|_| !text.is_empty()) {
                self.notes.insert(format!("{mark}{id}"), text);
            }
        }
    }

    /// Takes out the notes that a text refers to: they belong to its section.
    fn open_notes(&mut self, text: &str) {
        for (_, rest) in text.match_indices("[^").map(|(at, mark)| text.split_at(at + mark.len())) {
            let label = rest.split(']').next().unwrap_or_default();
            if let Some(note) = self.notes.remove(label) {
                self.open_notes.push_str(&format!("[^{label}]: {note}\n\n"));
            }
        }
    }

    fn close_notes(&mut self) {
        self.out.push_str(&std::mem::take(&mut self.open_notes));
    }

    fn finish(&mut self) {
        let initial = std::mem::take(&mut self.initial);
        self.out.push_str(&initial);
        code_block(&mut self.code, &mut self.out);
        self.end_list();
        self.close_notes();
        for (label, note) in std::mem::take(&mut self.notes) {
            self.out.push_str(&format!("[^{label}]: {note}\n\n"));
        }
        // A document of nothing but its title says at least that.
        if self.out.trim().is_empty()
            && let Some(title) = self.shown_title.take()
        {
            paragraph(&title, &mut self.out);
        }
    }

    fn blocks(&mut self, parent: &Element) {
        for element in parent.elements() {
            match element.name.as_str() {
                "p" => self.paragraph(element),
                "tbl" => {
                    code_block(&mut self.code, &mut self.out);
                    self.end_list();
                    let rows = self.rows(element);
                    rows.iter().flatten().for_each(|cell| self.open_notes(cell));
                    table(&rows, &mut self.out);
                    self.close_notes();
                }
                "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "smartTag" => self.blocks(element),
                _ => {}
            }
        }
    }

    fn paragraph(&mut self, element: &Element) {
        let shape = element.child("pPr");
        let property = |name: &str| shape.and_then(|shape| shape.child(name));
        let style = value(property("pStyle")).and_then(|id| self.styles.get(id)).cloned().unwrap_or_default();
        let text = std::mem::take(&mut self.initial) + &self.inline(element);
        self.open_notes(&text);
        let frame = property("framePr").and_then(|frame| frame.attribute("dropCap"));
        if frame.is_some_and(|place| place != "none") {
            self.initial = text;
            return;
        }
        if style.is_code {
            self.end_list();
            self.code.extend([text.trim_end(), "\n"]);
            return;
        }
        code_block(&mut self.code, &mut self.out);
        if text.trim().is_empty() {
            return;
        }
        if style.is_title {
            return self.title_line(&one_line(&text));
        }
        let outline = value(property("outlineLvl")).and_then(|level| level.parse::<usize>().ok());
        if let Some(level) = outline.filter(|level| *level < 9).map(|level| level + 1).or(style.level) {
            self.end_list();
            heading(level, &text, &mut self.out);
            return self.close_notes();
        }
        let own = property("numPr");
        let list = own.and_then(|list| value(list.child("numId"))).map(str::to_string).or(style.list);
        let Some(list) = list.filter(|list| list != "0") else {
            self.end_list();
            paragraph(&text, &mut self.out);
            return self.close_notes();
        };
        let level =
            own.and_then(|list| value(list.child("ilvl"))).and_then(|level| level.parse().ok()).unwrap_or(0);
        let level: usize = std::cmp::min(level, 8);
        let is_numbered =
            self.lists.get(&list).and_then(|levels| levels.get(level)).copied().unwrap_or(false);
        for deeper in level + 1..9 {
            self.counts.remove(&(list.clone(), deeper));
        }
        let count = self.counts.entry((list, level)).or_default();
        *count += 1;
        let mark = if is_numbered { format!("{count}.") } else { "-".to_string() };
        item(level, &mark, &one_line(&text), &mut self.out);
        self.in_list = true;
    }

    /// The title of the document is no text of its own; what else looks like one is a heading.
    fn title_line(&mut self, text: &str) {
        let title = self.title.get_or_insert_with(|| text.to_string());
        if title.to_lowercase() == text.to_lowercase() {
            self.shown_title.get_or_insert_with(|| text.to_string());
            return;
        }
        self.end_list();
        heading(1, text, &mut self.out);
        self.close_notes();
    }

    fn end_list(&mut self) {
        if std::mem::take(&mut self.in_list) {
            self.out.push('\n');
            self.close_notes();
        }
    }

    fn rows(&self, element: &Element) -> Vec<Vec<String>> {
        let cells = |row: &Element| {
            let mut cells = Vec::new();
            for cell in row.all("tc") {
                let span = cell.child("tcPr").and_then(|shape| value(shape.child("gridSpan")));
                cells.push(self.inline(cell));
                let span = span.and_then(|span| span.parse::<usize>().ok()).unwrap_or(1);
                let wide = (cells.len() + span.clamp(1, 64) - 1).min(COLUMNS.max(cells.len()));
                cells.resize(wide, String::new());
            }
            cells
        };
        element.all("tr").into_iter().map(cells).collect()
    }

    /// The words of a paragraph, a cell or a note.
    fn inline(&self, element: &Element) -> String {
        let mut text = String::new();
        self.add_inline(element, &mut text);
        text
    }

    fn add_inline(&self, parent: &Element, out: &mut String) {
        for element in parent.elements() {
            match element.name.as_str() {
                "t" => out.extend(element.children.iter().filter_map(Node::text)),
                "tab" => out.push('\t'),
                "br" | "cr" => out.push('\n'),
                "noBreakHyphen" => out.push('-'),
                "footnoteReference" | "endnoteReference" => {
                    let mark = if element.name == "endnoteReference" { ENDNOTE } else { FOOTNOTE };
                    out.extend(element.attribute("id").map(|id| format!("[^{mark}{id}]")));
                }
                // The alternative text of a picture.
                "docPr" => {
                    out.extend(element.attribute("descr").map(one_line).filter(|text| !text.is_empty()))
                }
                "hyperlink" => {
                    let words = self.inline(element);
                    let target = element.attribute("id").and_then(|id| self.links.get(id));
                    link(&words, target.map(|(_, target)| target.as_str()), out);
                }
                "r" => {
                    let style = element.child("rPr").and_then(|shape| value(shape.child("rStyle")));
                    let is_code = style.and_then(|id| self.styles.get(id)).is_some_and(|style| style.is_code);
                    let words = self.inline(element);
                    let in_paragraph = parent.name == "p" && !words.trim().is_empty() && !words.contains('`');
                    // A whole paragraph of code has its own block.
                    let block = parent.child("pPr").and_then(|shape| value(shape.child("pStyle")));
                    let in_code = block.and_then(|id| self.styles.get(id)).is_some_and(|style| style.is_code);
                    if is_code && in_paragraph && !in_code {
                        out.push_str(&format!("`{words}`"));
                    } else {
                        out.push_str(&words);
                    }
                }
                // The same again for older programs; and what was taken out.
                "Fallback" | "del" | "moveFrom" | "pPr" | "rPr" | "instrText" => {}
                "p" => {
                    self.add_inline(element, out);
                    out.push('\n');
                }
                _ => self.add_inline(element, out),
            }
        }
    }
}
