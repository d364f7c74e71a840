//! Presentations (`.pptx`) as Markdown: a heading `Slide 3: Title` for each slide, its lists, tables, charts
//! and diagrams, and its notes.

use std::collections::{HashMap, HashSet};

use griot::model::Result;

use crate::readers::archive::Archive;
use crate::readers::chart;
use crate::readers::document;
use crate::readers::element::Element;
use crate::readers::markup::{heading, item, one_line, plain, table};
use crate::readers::reader::{Batch, Read, Reader, Zip};
use crate::readers::word::{main_part, properties, relations};

pub(crate) const READER: Reader = Reader {
    name: "pptx",
    mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    summary: "slides in their order, below `Slide 3: Title`, with their tables, charts and notes",
    own_extensions: &["pptx", "pptm"],
    zip: Zip::Package { mimetype: None, part: Some("ppt/") },
    is_crawled: false,
    read: |_| Read::Bytes(read),
    ..Reader::BASE
};

const SLIDES: usize = 5_000;

fn read(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let mut archive = Archive::open(batch.input, bytes)?;
    let main = main_part(&mut archive, "ppt/presentation.xml")?;
    let root = archive.needed(&main, "a presentation")?;
    let targets = relations(&mut archive, &main)?;
    let about = properties(&mut archive)?;
    let mut out = String::new();
    let mut seen = HashSet::new();
    let slides = root.child("sldIdLst").into_iter().flat_map(Element::elements).take(SLIDES);
    // A slide has two attributes `id`; only one is that of a relation.
    let id = |slide: &Element| {
        slide
            .attributes()
            .find(|(name, value)| *name == "id" && targets.contains_key(*value))
            .map(|(_, id)| id.to_string())
    };
    for (number, id) in (1..).zip(slides.map(id)) {
        let Some((_, part)) = id.and_then(|id| targets.get(&id)) else { continue };
        // A slide is shown once, however often a list names it.
        if !seen.insert(part) {
            continue;
        }
        let Some(slide) = archive.xml(part)? else {
            batch.problem(format!("slide {number} is missing"));
            continue;
        };
        let mut parts = Parts::default();
        for (id, (kind, target)) in relations(&mut archive, part)? {
            if !matches!(kind.as_str(), "notesSlide" | "chart" | "diagramData") {
                continue;
            }
            let Some(root) = archive.xml(&target)? else { continue };
            let mut drawn = String::new();
            match kind.as_str() {
                "notesSlide" => shapes(&root, None, &mut String::new(), &mut parts.notes),
                "diagramData" => {
                    root.all("pt").into_iter().for_each(|point| paragraphs(point, true, &mut drawn));
                }
                _ => {
                    if !chart::write(&root, &mut drawn) {
                        batch.problem(format!("slide {number}: a chart is too large to be read whole"));
                    }
                }
            }
            parts.drawn.insert(id, drawn);
        }
        write(&slide, number, &parts, &mut out);
    }
    batch.source.language = about.language;
    batch.title = about.title.or_else(|| Some(batch.input.stem()).filter(|title| !title.is_empty()));
    document::read_converted(&out, &[], about.at, batch);
    Ok(())
}

/// What belongs to a slide and is no part of its tree.
#[derive(Default)]
struct Parts {
    notes: String,
    /// Charts and diagrams by the ids of their relations.
    drawn: HashMap<String, String>,
}

fn write(slide: &Element, number: usize, parts: &Parts, out: &mut String) {
    let mut title = String::new();
    let mut words = String::new();
    shapes(slide, Some(parts), &mut title, &mut words);
    let title = one_line(&title);
    heading(
        1,
        &if title.is_empty() { format!("Slide {number}") } else { format!("Slide {number}: {title}") },
        out,
    );
    out.push_str(&words);
    if !parts.notes.trim().is_empty() {
        out.extend(["Notes:\n\n", parts.notes.as_str()]);
    }
}

/// `slide` is what belongs to the slide; `None` for notes.
fn shapes(parent: &Element, slide: Option<&Parts>, title: &mut String, out: &mut String) {
    let of_notes = slide.is_none();
    for element in parent.elements() {
        match element.name.as_str() {
            "sp" => {
                let placeholder = element.find("nvPr").and_then(|shape| shape.child("ph"));
                let kind = placeholder.map(|shape| shape.attribute("type").unwrap_or("body"));
                match kind {
                    Some("title" | "ctrTitle") if !of_notes => {
                        title.push_str(&element.find("txBody").map(words).unwrap_or_default())
                    }
                    Some("sldNum" | "dt" | "ftr" | "hdr" | "sldImg") => {}
                    kind => paragraphs(element, kind == Some("body") && !of_notes, out),
                }
            }
            "tbl" => {
                let cells = |row: &Element| row.named("tc").map(words).collect();
                table(&element.named("tr").map(cells).collect::<Vec<_>>(), out);
            }
            "chart" | "relIds" => {
                let id = element.attribute("id").or_else(|| element.attribute("dm")).unwrap_or_default();
                out.push_str(slide.and_then(|slide| slide.drawn.get(id)).map_or("", String::as_str));
            }
            // The same again for older programs.
            "Fallback" => {}
            _ => shapes(element, slide, title, out),
        }
    }
}

fn paragraphs(shape: &Element, is_list: bool, out: &mut String) {
    for paragraph in shape.all("p") {
        let text = one_line(&words(paragraph));
        if text.is_empty() {
            continue;
        }
        if is_list {
            let level = paragraph.child("pPr").and_then(|shape| shape.attribute("lvl"));
            item(level.and_then(|level| level.parse().ok()).unwrap_or(0), "-", &text, out);
        } else {
            out.extend([plain(&text).as_str(), "\n\n"]);
        }
    }
    if is_list {
        out.push('\n');
    }
}

fn words(element: &Element) -> String {
    let mut out = String::new();
    add(element, &mut out);
    return out;

    fn add(element: &Element, out: &mut String) {
        for child in element.elements() {
            match child.name.as_str() {
                "t" => out.push_str(&child.text()),
                "br" => out.push('\n'),
                "p" => {
                    add(child, out);
                    out.push('\n');
                }
                _ => add(child, out),
            }
        }
    }
}
