//! Changing one value in a `griot.toml` and nothing else: comments and order stay.

use super::{Key, agents};

/// The text with `key` set to `value` (TOML), for all or in the table of an agent. The line is replaced if it
/// is there, else added to its block.
pub fn set_in_file(text: &str, agent: Option<&str>, key: &Key, value: &str) -> String {
    let own_block = agents::full(agent, key.block());
    let assignment = format!("{} = {value}", key.short());
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut block = String::new();
    let mut end_of_block = None;
    for (index, line) in lines.iter_mut().enumerate() {
        if let Some(header) = header_of(line) {
            block = header;
        }
        if block == own_block {
            if !line.trim().is_empty() {
                end_of_block = Some(index + 1);
            }
            if key_of(line) == Some(key.short()) {
                *line = assignment;
                return join(&lines);
            }
        } else if block.is_empty() && agent.is_none() && key_of(line) == Some(key.name) {
            *line = format!("{} = {value}", key.name);
            return join(&lines);
        }
    }
    match end_of_block {
        Some(index) => lines.insert(index, assignment),
        None => {
            if lines.last().is_some_and(|line| !line.trim().is_empty()) {
                lines.push(String::new());
            }
            lines.push(format!("[{own_block}]"));
            lines.push(assignment);
        }
    }
    join(&lines)
}

fn join(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn header_of(line: &str) -> Option<String> {
    let inner = line.trim().strip_prefix('[')?.split_once(']')?.0;
    (!inner.starts_with('[')).then(|| inner.trim().to_string())
}

fn key_of(line: &str) -> Option<&str> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    (!key.is_empty() && !key.starts_with('#')).then_some(key)
}
