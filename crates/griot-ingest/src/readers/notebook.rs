//! Jupyter notebooks: the cells in order, as Markdown; code and what it printed stay together.

use griot::model::Result;
use serde_json::Value;

use crate::readers::input::Input;
use crate::readers::json;
use crate::readers::markdown::fenced;

/// Of what a cell printed, so much is kept: logs of a training are no memory.
const OUTPUT: usize = 4_000;

pub(crate) fn to_markdown(input: &Input, text: &str) -> Result<String> {
    let notebook: Value =
        serde_json::from_str(text).map_err(|error| input.error(json::parse_error(&error, true)))?;
    // Before version 4 the cells lay in a worksheet.
    let cells = notebook.get("cells").or_else(|| notebook.pointer("/worksheets/0/cells"));
    let Some(cells) = cells.and_then(Value::as_array) else {
        return Err(input.error("it is not a notebook: it has no `cells`"));
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
        match cell.get("cell_type").and_then(Value::as_str) {
            Some("markdown") => out.push_str(&source),
            Some("heading") => {
                let level = cell.get("level").and_then(Value::as_u64).unwrap_or(1).clamp(1, 6);
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

/// What a cell printed and answered as text, and how it failed; pictures and the like are left out.
fn outputs(cell: &Value) -> String {
    let mut printed = String::new();
    for output in cell.get("outputs").and_then(Value::as_array).into_iter().flatten() {
        let text = match output.get("output_type").and_then(Value::as_str) {
            Some("error" | "pyerr") => {
                let part = |name: &str| output.get(name).and_then(Value::as_str).unwrap_or_default();
                format!("{}: {}", part("ename"), part("evalue"))
            }
            _ => joined(output.pointer("/data/text~1plain").or_else(|| output.get("text"))),
        };
        if !text.trim().is_empty() {
            printed.extend([text.trim_end(), "\n"]);
        }
    }
    match printed.char_indices().nth(OUTPUT) {
        Some((end, _)) => format!("{}…", &printed[..end]),
        None => printed,
    }
}

/// A text, or its lines.
fn joined(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}
