//! The block of stored text that a hook returns to Claude Code.

use griot::model::{Memory, Tier};
use griot::text::{masked, window};
use griot_wire::{RecallResult, Rule, Standing, Time};
use serde_json::json;

use super::event::Event;

/// Characters of a memory to show, on one line.
const LINE_CHARS: usize = 240;

/// A block in Claude Code's hook format; `default` is the event if the host did not name one.
pub fn answer(event: &Event, default: &str, block: &str) -> String {
    let name = if is_word(&event.hook_event_name) { event.hook_event_name.as_str() } else { default };
    json!({ "hookSpecificOutput": { "hookEventName": name, "additionalContext": block } }).to_string()
}

fn is_word(name: &str) -> bool {
    (1..=40).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Escapes stored text so that it can neither end its block nor open one of the host.
pub fn escaped(text: &str) -> String {
    const NAMES: [&str; 2] = ["griot-memory", "system-reminder"];
    let mut safe = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let opens = c == '<' && {
            let rest = text[at + 1..].trim_start_matches(|c: char| c == '/' || c.is_whitespace());
            NAMES
                .iter()
                .any(|name| rest.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)))
        };
        match c {
            '<' if opens => safe.push('‹'),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() => safe.push('\u{FFFD}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Stored text for a model: without secrets, which it is not given unasked, and escaped.
pub fn safe(text: &str) -> String {
    escaped(masked(text).as_deref().unwrap_or(text))
}

/// One memory as it is shown: `- #a1b2c3 (2026-03-05, user): text`. The title of its source is left out: it
/// is the same for all memories of a session, and often a memory itself.
pub struct Line {
    pub id: String,
    pub text: String,
}

impl Line {
    /// Of a long text, the sentences that have the most of `terms`.
    fn new(id: &str, handle: &str, about: Vec<String>, text: &str, terms: &[String]) -> Self {
        let about = escaped(&about.join(", ")).replace('\n', " ");
        let about = if about.is_empty() { about } else { format!(" ({about})") };
        // A secret that was cut in two would not be known.
        let text = window(&safe(text), terms, LINE_CHARS).replace('\n', " ");
        Self { id: id.to_string(), text: format!("- {handle}{about}: {text}\n") }
    }

    /// `word` says what the memory is, such as `preference`.
    pub fn of_memory(memory: &Memory, word: Option<&str>, terms: &[String]) -> Self {
        let word = if memory.tier == Tier::Rule { Some("rule") } else { word };
        let mut about: Vec<String> = word.map(str::to_string).into_iter().collect();
        about.push(Time::from(memory.occurred_at).day());
        Self::new(&memory.id.to_string(), &memory.handle.to_string(), about, &memory.text, terms)
    }

    pub fn of_rule(rule: &Rule, terms: &[String]) -> Self {
        Self::new(&rule.id, &rule.handle, vec!["rule".to_string(), rule.occurred_at.day()], &rule.text, terms)
    }

    pub fn of_result(result: &RecallResult, terms: &[String]) -> Self {
        let mut about: Vec<String> = result.when().into_iter().collect();
        about.extend(result.speaker.clone());
        about.extend(result.standing.as_ref().map(Standing::words));
        Self::new(&result.id, &result.handle, about, &result.text, terms)
    }
}
