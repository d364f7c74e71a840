//! What `griot demo` shows: what went in, each question with its answer, and how to go on.

use std::path::Path;

use griot_wire::Recall;

use super::{Page, counted};

/// What was put into the workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DemoTally {
    pub documents: u64,
    pub passages: u64,
    pub messages: u64,
    pub entities: u64,
    pub edges: u64,
}

pub fn demo(page: Page, tally: &DemoTally, answers: &[(&str, &Recall)], kept: Option<&Path>) -> String {
    let mut lines = vec![
        format!(
            "A workspace with {} of a team's chat and {} from {}:",
            counted(tally.messages, "message", "messages"),
            counted(tally.passages, "passage", "passages"),
            counted(tally.documents, "document", "documents"),
        ),
        format!(
            "{} and {} were found on the way. Nothing left this machine.",
            counted(tally.entities, "entity", "entities"),
            counted(tally.edges, "stored edge", "stored edges"),
        ),
    ];
    for (about, answer) in answers {
        lines.push(String::new());
        let rule = "─".repeat(page.width.saturating_sub(about.chars().count() + 4).min(80));
        lines.push(page.quiet(&format!("── {about} {rule}")));
        lines.push(format!("{} griot recall \"{}\"", page.quiet("$"), page.strong(&answer.query)));
        lines.push(String::new());
        lines.push(super::recall(page, answer, false));
    }
    lines.push(String::new());
    lines.push(page.quiet(&"─".repeat(page.width.min(84))));
    match kept {
        Some(path) => lines.push(format!("The workspace is kept: griot recall \"…\" --explain --db {}", path.display())),
        None => lines.push("The workspace is gone again. With your own:".to_string()),
    }
    lines.extend(
        [
            "  griot ingest docs/                         read files and folders",
            "  griot remember \"We chose … because …\"      store what you learn",
            "  griot recall \"why …?\" --explain            ask, and see why each answer is there",
            "  griot why MEMORY                           follow causes and consequences",
            "  griot --help                               everything else",
        ]
        .map(str::to_string),
    );
    lines.join("\n")
}
