//! The skill: a file that says when to remember, recall and link. Hosts show its description to the
//! model, which reads the rest when the description fits its task.

use griot::model::Result;

use super::{Config, Edited};

/// The front matter of the guide. The name is that of the folder.
const HEAD: &str = "---\nname: griot\ndescription: Long-term memory. Use it to recall decisions, \
                    preferences, people and earlier problems, and to remember new ones; whenever the past \
                    may matter.\n---\n\n";

/// The whole file.
pub fn text() -> String {
    format!("{HEAD}{}", griot_wire::GUIDE)
}

/// Replaces an older version of ours.
pub fn add(held: &str, config: &Config) -> Result<Edited> {
    if !held.trim().is_empty() && !contains(held)[0] && !config.force {
        return Err(config
            .error("it is a skill of another origin; the file was left unchanged")
            .hint("rename that skill, or add --force to replace it"));
    }
    Ok(Edited { text: text(), created: Vec::new() })
}

/// Nothing remains of a file of ours.
pub fn remove(held: &str) -> String {
    if contains(held)[0] { String::new() } else { held.to_string() }
}

pub fn contains(held: &str) -> Vec<bool> {
    // The title of the guide stays the same from version to version.
    let title = griot_wire::GUIDE.lines().next().unwrap_or_default();
    vec![held.starts_with("---\nname: griot\n") && held.lines().any(|line| line == title)]
}
