//! The block of stored text that a hook hands to Claude Code.

use serde_json::json;

use super::Event;

/// A block in the form that Claude Code takes from a hook; `usual` is the event where the host did not name
/// one.
pub fn answer(event: &Event, usual: &str, block: &str) -> String {
    let name = if is_word(&event.hook_event_name) { event.hook_event_name.as_str() } else { usual };
    json!({ "hookSpecificOutput": { "hookEventName": name, "additionalContext": block } }).to_string()
}

fn is_word(name: &str) -> bool {
    (1..=40).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Stored text that cannot end the block that it stands in, nor open one of the host.
pub fn harmless(text: &str) -> String {
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
