//! Adds the standing rules to the start of a session.
//!
//! Prints the JSON that makes Claude Code add them, or nothing if there are no rules. Writes nothing and
//! creates no workspace.

use std::time::Duration;

use griot::model::Result;
use griot::recall::tokens;
use griot_ingest::{MEMORY_BEGIN, MEMORY_END};
use griot_wire::Rule;

use super::block::{answer, escaped};
use super::event::{Event, open};
use crate::session::Session;

/// Precedes the rules inside the block.
const PREFACE: &str = "Standing rules and preferences that were stored with Griot for this project, or for \
                       everything. Names such as #a1b2c3 can be looked up with Griot.";

pub fn context(session: &Session, event: &Event, within: &dyn Fn(Duration)) -> Result<String> {
    let Some((engine, settings, scope)) = open(session, event, within)? else { return Ok(String::new()) };
    let rules: Vec<Rule> = engine.rules(&scope)?.shown.iter().map(Rule::from).collect();
    // Closing may write an index for the next process; the host should not wait for that.
    std::mem::forget(engine);
    let frame = format!("{MEMORY_BEGIN}\n{PREFACE}\n");
    let room = settings.hooks.budget_tokens.saturating_sub(tokens(&frame) + tokens(MEMORY_END) + 1);
    let lines = lines(rules.iter(), room);
    if lines.is_empty() {
        return Ok(String::new());
    }
    Ok(answer(event, "SessionStart", &format!("{frame}{lines}{MEMORY_END}")))
}

/// One line per rule, as many as fit. A rule that is too long is left out: half a rule could mean something
/// else.
pub fn lines<'a>(rules: impl Iterator<Item = &'a Rule>, mut room: usize) -> String {
    let mut lines = String::new();
    for rule in rules {
        let text = escaped(rule.text.trim()).replace('\n', "\n  ");
        let line = format!("- {} (rule, {}): {text}\n", rule.handle, rule.occurred_at.day());
        if tokens(&line) <= room {
            room -= tokens(&line);
            lines.push_str(&line);
        }
    }
    lines
}
