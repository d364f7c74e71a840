//! The output of `griot demo`: what was ingested, each question with its answer, and what to try next.

use std::path::Path;

use griot_wire::Recall;

use super::{Page, counted};

/// One question with its answer and a follow-up.
pub struct Asked {
    pub about: &'static str,
    pub answer: Recall,
    pub further: Option<Further>,
}

/// Another command, and what it prints.
pub type Further = (String, Box<dyn Fn(Page) -> String>);

/// What was ingested into the workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DemoTally {
    pub documents: u64,
    pub passages: u64,
    pub messages: u64,
    pub entities: u64,
    pub edges: u64,
}

pub fn demo(page: Page, tally: &DemoTally, asked: &[Asked], kept: Option<&Path>) -> String {
    let mut lines = vec![
        format!(
            "A workspace with {} of a team's chat and {} from {}:",
            counted(tally.messages, "message", "messages"),
            counted(tally.passages, "passage", "passages"),
            counted(tally.documents, "document", "documents"),
        ),
        format!(
            "{} and {} were extracted. Nothing left this machine.",
            counted(tally.entities, "entity", "entities"),
            counted(tally.edges, "stored edge", "stored edges"),
        ),
    ];
    for one in asked {
        lines.push(String::new());
        let rule = "─".repeat(page.width.min(100).saturating_sub(one.about.chars().count() + 4));
        lines.push(page.quiet(&format!("── {} {rule}", one.about)));
        lines.push(command(page, &format!("recall \"{}\"", one.answer.query)));
        lines.push(String::new());
        lines.push(super::recall(page, &one.answer, false));
        if let Some((asked, answer)) = &one.further {
            lines.extend([String::new(), command(page, asked), String::new(), answer(page)]);
        }
    }
    lines.push(String::new());
    lines.push(page.quiet(&"─".repeat(page.width.min(100))));
    match kept {
        Some(path) => lines.push(format!("The workspace was kept; use it with --db {}", path.display())),
        None => lines.push("The workspace was deleted. Try your own:".to_string()),
    }
    lines.extend(
        [
            "  griot ingest docs/                         read files and folders",
            "  griot remember \"We chose … because …\"      store what you learn",
            "  griot recall \"why …?\" --explain            ask, and see why each result was found",
            "  griot why MEMORY                           follow causes and consequences",
            "  griot --help                               all commands",
        ]
        .map(str::to_string),
    );
    lines.join("\n")
}

fn command(page: Page, command: &str) -> String {
    format!("{} {}", page.quiet("$"), page.strong(&format!("griot {command}")))
}
