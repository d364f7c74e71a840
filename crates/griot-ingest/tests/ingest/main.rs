//! The readers through their public interface: files in, drafts out.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod chats;
mod crawls;
mod databases;
mod documents;
mod emails;
mod exports;
mod folders;
mod formats;
mod hostile;
mod intake;
mod mutated;
mod office;
mod pdf;
mod records;
mod secure;
mod site;
mod streams;

use griot::remember::Draft;
use griot_ingest::{ReadOptions, Reading, read_text};

fn read(name: &str, text: &str) -> Reading {
    read_with(name, text, &ReadOptions::default())
}

fn read_with(name: &str, text: &str, options: &ReadOptions) -> Reading {
    let mut readings = read_text(name, text, options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(readings.len(), 1);
    readings.remove(0)
}

fn refusal(name: &str, text: &str) -> String {
    read_text(name, text, &ReadOptions::default()).expect_err("it should be refused").to_string()
}

fn problems(reading: &Reading) -> Vec<String> {
    reading.problems.iter().map(ToString::to_string).collect()
}

/// A draft on one line: `kind line session#ordinal time speaker (heading) [tags] | text`, without missing
/// fields.
fn line(draft: &Draft) -> String {
    let mut parts = vec![draft.kind.clone().unwrap_or_default()];
    parts.extend(draft.lines.map(|lines| format!("{}-{}", lines.first, lines.last)));
    parts.push(format!(
        "{}#{}",
        draft.session.as_deref().unwrap_or_default(),
        draft.ordinal.expect("it is numbered")
    ));
    parts.extend(draft.occurred_at.map(|at| at.to_string()));
    parts.extend(draft.speaker.clone());
    parts.extend((!draft.heading.is_empty()).then(|| format!("({})", draft.heading.join(" > "))));
    parts.extend((!draft.tags.is_empty()).then(|| format!("[{}]", draft.tags.join(", "))));
    parts.push(format!("| {}", draft.text.replace('\n', "⏎")));
    parts.join(" ")
}

fn lines(reading: &Reading) -> Vec<String> {
    reading.drafts.iter().map(line).collect()
}
