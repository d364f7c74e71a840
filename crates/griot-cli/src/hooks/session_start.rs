//! What a session should begin with: the standing rules, what was decided last, and what is still open.
//!
//! Prints the JSON that makes Claude Code add them, or nothing if there is nothing. Writes nothing and
//! creates no workspace.

use std::time::Duration;

use griot::model::Result;
use griot::recall::tokens;
use griot_ingest::{MEMORY_BEGIN, MEMORY_END};
use griot_wire::Rule;

use super::block::{Line, answer, escaped, safe};
use super::compaction::OwnTurns;
use super::event::{Event, open};
use crate::session::Session;

/// Precedes the memories inside the block. The agent needs the name of the project to store what belongs to
/// it.
fn preface(project: Option<&str>) -> String {
    let project =
        project.map_or_else(|| "this project".to_string(), |name| format!("the project `{}`", escaped(name)));
    format!(
        "Standing rules and preferences that were stored with Griot for {project}, or for everything, and \
         the state of work. Names such as #a1b2c3 can be looked up with Griot."
    )
}

/// The most decisions, and the most open ends.
const EACH: usize = 3;
/// The most preferences: the agent knows better than a search which work they are about.
const PREFERRED: usize = 40;

pub fn context(session: &Session, event: &Event, within: &dyn Fn(Duration)) -> Result<String> {
    let Some((engine, settings, scope)) = open(session, event, within)? else { return Ok(String::new()) };
    let rules: Vec<Rule> = engine.rules(&scope)?.shown.iter().map(Rule::from).collect();
    let progress = engine.latest_progress(&scope, EACH, PREFERRED)?;
    // Closing may write an index for the next process; the host should not wait for that.
    std::mem::forget(engine);
    let frame = format!("{MEMORY_BEGIN}\n{}\n", preface(scope.project.as_deref()));
    let mut left = settings.hooks.budget_tokens.saturating_sub(tokens(&frame) + tokens(MEMORY_END) + 1);
    let mut block = String::new();
    // A rule that is too long is left out: half a rule could mean something else.
    let rules = rules.iter().map(|rule| {
        let text = safe(rule.text.trim()).replace('\n', "\n  ");
        format!("- {} (rule, {}): {text}\n", rule.handle, rule.occurred_at.day())
    });
    add("", rules, &mut left, &mut block);
    let own = OwnTurns::of(event);
    let lists = [
        ("Decided last:\n", progress.decided),
        ("Still open:\n", progress.open),
        ("Preferred:\n", progress.preferred),
    ];
    for (heading, memories) in lists {
        let others =
            memories.iter().filter(|memory| !own.are_known(memory.session.as_deref(), memory.occurred_at));
        add(heading, others.map(|memory| Line::of_memory(memory, None, &[]).text), &mut left, &mut block);
    }
    if block.is_empty() {
        return Ok(String::new());
    }
    Ok(answer(event, "SessionStart", &format!("{frame}{block}{MEMORY_END}")))
}

/// Adds the lines that there is room for, below their heading.
fn add(heading: &str, lines: impl Iterator<Item = String>, left: &mut usize, block: &mut String) {
    let mut heading = Some(heading);
    for line in lines {
        let line = format!("{}{line}", heading.unwrap_or_default());
        let cost = tokens(&line);
        if cost <= *left {
            *left -= cost;
            block.push_str(&line);
            heading = None;
        }
    }
}
