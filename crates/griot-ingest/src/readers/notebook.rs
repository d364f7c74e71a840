//! Jupyter notebooks: the cells in order, as Markdown; code and its output stay together.

use griot::model::Result;
use serde_json::Value;

use crate::readers::markup::fenced;
use crate::readers::reader::{Batch, Read, Reader};
use crate::readers::{document, json};
use crate::shown::cut;

pub(crate) const READER: Reader = Reader {
    name: "ipynb",
    mime: "application/x-ipynb+json",
    summary: "a notebook: its text, its code, and the output of the code",
    own_extensions: &["ipynb"],
    read: |_| Read::Json(read),
    ..Reader::BASE
};

/// Maximum characters of a cell's output; the rest, such as training logs, is cut off.
const OUTPUT: usize = 4_000;

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    document::read_converted(&to_markdown(text, batch)?, &[], None, batch);
    Ok(())
}

fn to_markdown(text: &str, batch: &Batch) -> Result<String> {
    let notebook = json::parse(batch.input, text)?;
    // Before version 4, the cells were part of a worksheet.
    let cells = notebook.get("cells").or_else(|| notebook.pointer("/worksheets/0/cells"));
    let Some(cells) = cells.and_then(Value::as_array) else {
        return Err(batch.error("it is not a notebook: it has no `cells`"));
    };
    let language = notebook
        .pointer("/metadata/language_info/name")
        .or_else(|| notebook.pointer("/metadata/kernelspec/language"))
        .and_then(Value::as_str)
        .unwrap_or("python");
    let mut out = String::new();
    for cell in cells {
        let source = joined(cell.get("source").or_else(|| cell.get("input")));
        if source.trim().is_empty() {
            continue;
        }
        match cell["cell_type"].as_str() {
            Some("markdown") => out.push_str(&source),
            Some("heading") => {
                let level = cell["level"].as_u64().unwrap_or(1).clamp(1, 6);
                out.extend(["#".repeat(level as usize).as_str(), " ", source.trim()]);
            }
            Some("code") => {
                fenced(&source, language, &mut out);
                let printed = outputs(cell);
                if !printed.is_empty() {
                    out.push_str("\n\nOutput:\n\n");
                    fenced(&printed, "", &mut out);
                }
            }
            _ => fenced(&source, "", &mut out),
        }
        out.push_str("\n\n");
    }
    Ok(out)
}

/// The text output of a cell, its result and its errors; pictures are left out.
fn outputs(cell: &Value) -> String {
    let mut printed = String::new();
    for output in cell["outputs"].as_array().into_iter().flatten() {
        let part = |name: &str| output[name].as_str().unwrap_or_default();
        let text = match part("output_type") {
            "error" | "pyerr" => format!("{}: {}", part("ename"), part("evalue")),
            _ => joined(output.pointer("/data/text~1plain").or_else(|| output.get("text"))),
        };
        if !text.trim().is_empty() {
            printed.extend([text.trim_end(), "\n"]);
        }
    }
    cut(&printed, OUTPUT)
}

/// A text, or its lines.
fn joined(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}
