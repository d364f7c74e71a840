//! Answers as text: pure functions of the wire objects and the page that they are printed on.
//!
//! Everything is readable without colours.

mod answer;
mod demo;
mod diagram;
mod erasure;
mod graph;
mod hosts;
mod job;
mod keep;
mod merge;
mod recall;
mod recalls;
mod rollout;
mod store;
mod table;
mod text;

use anstyle::{AnsiColor, Style};
use griot_wire::ErrorBody;

pub use answer::{answered, enriched, judged_merges, usage};
pub use demo::{Asked, DemoTally, Further, demo};
pub use diagram::{Language, path_diagram, why_diagram};
pub use erasure::{backed_up, erasure, erasures, trash_emptied};
pub use graph::{
    acknowledged, built, conflicts, edge_in_full, entity, facts, hubs, linked, path, related, similar,
    unlinked, verified, why,
};
pub use hosts::{connected, connection, differences, hosts};
pub use job::{job, jobs};
pub use keep::{
    edited, forgotten, gc, ingested, kept, list, memory, notes, offers, remembered, remembered_all, timeline,
};
pub use merge::{dismissed, merged, merges, unmerged};
pub use recall::recall;
pub use recalls::{compared, recalls};
pub use rollout::{feedback, judged, rollout, rollout_plan, rollout_set};
pub use store::{health, imported, reindexed, settings, source_content, sources, status, workspaces};
pub use table::table;

/// The page that text is laid out for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Columns.
    pub width: usize,
    pub colour: bool,
}

const STRONG: Style = Style::new().bold();
const QUIET: Style = Style::new().dimmed();
const HANDLE: Style = AnsiColor::Cyan.on_default();
const NAME: Style = AnsiColor::Green.on_default();
const EDGE: Style = AnsiColor::Yellow.on_default();
const ALARM: Style = AnsiColor::Red.on_default().bold();

impl Page {
    fn paint(self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    fn strong(self, text: &str) -> String {
        self.paint(STRONG, text)
    }

    fn quiet(self, text: &str) -> String {
        self.paint(QUIET, text)
    }

    fn warning(self, message: &str) -> String {
        format!("{} {message}", self.paint(ALARM, "warning:"))
    }

    fn handle(self, text: &str) -> String {
        self.paint(HANDLE, text)
    }

    /// A title with an indented line for each item; nothing if there are none.
    fn section<T>(self, title: &str, items: &[T], lines: &mut Vec<String>, line: impl FnMut(&T) -> String) {
        if !items.is_empty() {
            lines.extend([String::new(), self.strong(title)]);
            lines.extend(items.iter().map(line).map(|line| format!("   {line}")));
        }
    }
}

/// `error: cannot …: why`, an empty line, `hint: …`.
pub fn error(body: &ErrorBody, colour: bool) -> String {
    let page = Page { width: usize::MAX, colour };
    let mut text = format!("{} {}", page.paint(ALARM, "error:"), text::visible(&body.message));
    if let Some(hint) = &body.hint {
        text.push_str(&format!("\n\n{} {}", page.strong("hint:"), text::visible(hint)));
    }
    text
}

/// A line for each item, or this text if there are none.
fn lines_or<T>(none: &str, items: &[T], line: impl FnMut(&T) -> String) -> String {
    if items.is_empty() {
        return none.to_string();
    }
    items.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `1 memory`, `2 memories`.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
