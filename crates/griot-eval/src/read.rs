//! What the readers make of documents, as JSON Lines, for `tools/overlap`, which compares it with what other
//! programs read.

use std::path::PathBuf;

use clap::Args;
use griot::model::Result;
use griot_ingest::{Format, ReadOptions, files, read_file};
use serde_json::{Value, json};

use crate::output;

/// Print what is read from documents, a line for each reading, for `tools/overlap`.
#[derive(Args)]
pub struct Options {
    /// Documents, or folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only files of this format; may be given several times.
    #[arg(long = "format")]
    formats: Vec<String>,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        for path in &self.paths {
            for file in files(path)?.files {
                let format = Format::detect(&file, "").name();
                if !self.formats.is_empty() && !self.formats.iter().any(|wanted| wanted == format) {
                    continue;
                }
                let line = |title: Option<&str>, passages: Vec<Value>, problems: Vec<&str>| {
                    let line = json!({
                        "path": file, "format": format, "title": title, "passages": passages,
                        "problems": problems,
                    });
                    output::print(&format!("{line}\n"))
                };
                match read_file(&file, &ReadOptions::default()) {
                    Ok(readings) => readings.iter().try_for_each(|reading| {
                        let passages = reading.drafts.iter();
                        let passage = |text, heading| json!({"text": text, "heading": heading});
                        line(
                            reading.source.title.as_deref(),
                            passages.map(|draft| passage(&draft.text, &draft.heading)).collect(),
                            reading.problems.iter().map(|problem| problem.why.as_str()).collect(),
                        )
                    })?,
                    Err(error) => line(None, Vec::new(), vec![&format!("refused: {}", error.why)])?,
                }
            }
        }
        Ok(true)
    }
}
