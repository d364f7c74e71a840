//! The output of `griot demo`: what was ingested, each question with its answer, and what to try next.

use std::path::Path;

use griot_wire::{Recall, Timeline, Why};

use super::{Page, counted};
use crate::args::Direction;

/// One question with its answer and a follow-up.
pub struct Asked {
    pub about: &'static str,
    pub answer: Recall,
    pub further: Option<Further>,
}

/// A follow-up: another verb applied to the answer.
pub enum Further {
    /// The handle of the memory, and its causes.
    Why(String, Why),
    Timeline(String, Box<Timeline>),
    /// Both ends, and the path.
    Path(&'static str, &'static str, griot_wire::Path),
    /// The best result again, with its scores.
    Explain,
}

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
        if let Some(further) = &one.further {
            lines.push(String::new());
            go_further(page, &one.answer, further, &mut lines);
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

fn go_further(page: Page, answer: &Recall, further: &Further, lines: &mut Vec<String>) {
    let (asked, answer) = match further {
        Further::Why(handle, why) => {
            (format!("why {} --direction causes", bare(handle)), super::why(page, why, Direction::Causes))
        }
        Further::Timeline(handle, timeline) => {
            (format!("timeline {} --before 2 --after 2", bare(handle)), super::timeline(page, timeline))
        }
        Further::Path(from, to, path) => (format!("path \"{from}\" \"{to}\""), super::path(page, path, 6)),
        Further::Explain => {
            let best = Recall { results: answer.results.iter().take(1).cloned().collect(), ..answer.clone() };
            (format!("recall \"{}\" --limit 1 --explain", answer.query), super::recall(page, &best, true))
        }
    };
    lines.push(command(page, &asked));
    lines.push(String::new());
    lines.push(answer);
}

/// A handle without `#`, which starts a comment in most shells.
fn bare(handle: &str) -> &str {
    handle.trim_start_matches('#')
}
