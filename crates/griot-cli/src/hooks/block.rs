//! The block of stored text that a hook returns to Claude Code.

use serde_json::json;

use super::event::Event;

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
