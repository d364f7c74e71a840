//! What do the programs that run agents need in their configuration to start Griot, and where does it lie?
//!
//! - `places`: which file on this machine, and what belongs into it
//! - `json`, `toml`: putting entries into a text and taking them out, with everything else as it was
//! - `files`: reading and replacing a file as a whole
//! - `ledger`: what was written, so that it can be undone to the byte
//!
//! The first two are functions over text and know no file.

pub mod files;
mod json;
pub mod ledger;
mod places;
mod toml;

use std::path::PathBuf;

use clap::ValueEnum;
use griot::model::{Error, Result};
use serde_json::Value;

pub use places::{Places, on_path};

/// The name of the entry in every file.
pub const ENTRY: &str = "griot";

/// A program that runs an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Host {
    ClaudeCode,
    ClaudeDesktop,
    Cursor,
    Codex,
    Vscode,
    Windsurf,
    GeminiCli,
    #[value(name = "opencode")]
    OpenCode,
    #[value(name = "openclaw")]
    OpenClaw,
}

impl Host {
    pub const ALL: [Self; 9] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Cursor,
        Self::Codex,
        Self::Vscode,
        Self::Windsurf,
        Self::GeminiCli,
        Self::OpenCode,
        Self::OpenClaw,
    ];

    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Cursor => "cursor",
            Self::Codex => "codex",
            Self::Vscode => "vscode",
            Self::Windsurf => "windsurf",
            Self::GeminiCli => "gemini-cli",
            Self::OpenCode => "opencode",
            Self::OpenClaw => "openclaw",
        }
    }

    /// As its makers write it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::Codex => "Codex",
            Self::Vscode => "VS Code",
            Self::Windsurf => "Windsurf",
            Self::GeminiCli => "Gemini CLI",
            Self::OpenCode => "opencode",
            Self::OpenClaw => "OpenClaw",
        }
    }

    /// Started from a shell, so that it searches the same `PATH`. Others are started by a desktop, which has
    /// its own.
    pub const fn is_of_terminal(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Codex | Self::GeminiCli | Self::OpenCode | Self::OpenClaw)
    }
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    Json,
    /// With comments and trailing commas.
    Jsonc,
    Json5,
    Toml,
}

/// One file of a host with all that Griot wants to stand in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    pub path: PathBuf,
    pub syntax: Syntax,
    pub entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// The member `griot` of the object below these keys.
    Server { keys: Vec<&'static str>, value: Vec<(&'static str, Value)> },
    /// A command that is run at this event, in Claude Code's form.
    Hook { event: &'static str, command: String, verb: &'static str, seconds: u64 },
}

/// A text with the entries in it, and the keys of the objects and arrays that had to be made for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    pub text: String,
    pub made: Vec<Vec<String>>,
}

impl Config {
    /// The text with our entries in it; the same text if they are there already.
    pub fn put(&self, text: &str) -> Result<Edited> {
        match self.syntax {
            Syntax::Toml => toml::put(text, self),
            _ => json::put(text, self),
        }
    }

    /// The text without our entries. Of the containers that were made for them, those go that are empty.
    pub fn take(&self, text: &str, made: &[Vec<String>]) -> Result<String> {
        match self.syntax {
            Syntax::Toml => toml::take(text, self, made),
            _ => json::take(text, self, made),
        }
    }

    /// Which of the entries are there, whatever their details.
    pub fn holds(&self, text: &str) -> Result<Vec<bool>> {
        match self.syntax {
            Syntax::Toml => toml::holds(text, self),
            _ => json::holds(text, self),
        }
    }

    /// Nothing is said in this text.
    pub fn is_blank(&self, text: &str) -> bool {
        let text = text.trim_start_matches('\u{FEFF}').trim();
        match self.syntax {
            Syntax::Toml => text.is_empty(),
            _ => {
                text.is_empty()
                    || text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).is_some_and(blank)
            }
        }
    }

    fn error(&self, why: impl Into<String>) -> Error {
        Error::invalid(format!("edit `{}`", self.path.display()), why)
    }

    /// The file cannot be read by its host either.
    fn broken(&self, why: &str) -> Error {
        let syntax = match self.syntax {
            Syntax::Json => "JSON",
            Syntax::Jsonc => "JSON with comments",
            Syntax::Json5 => "JSON5",
            Syntax::Toml => "TOML",
        };
        self.error(format!("it is broken {syntax}, and was left as it is: {why}"))
            .hint("mend the file, then run this again")
    }
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// An entry that starts `griot mcp`: one that was written by us, or by hand for us.
fn is_ours(entry: &Value) -> bool {
    let strings = |value: Option<&Value>| -> Vec<String> {
        match value {
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) => list.iter().filter_map(|v| v.as_str().map(str::to_string)).collect(),
            _ => Vec::new(),
        }
    };
    let mut words = strings(entry.get("command"));
    words.extend(strings(entry.get("args")));
    let Some((program, arguments)) = words.split_first() else { return false };
    is_griot(program) && arguments.iter().any(|argument| argument == "mcp")
}

/// `griot`, `/usr/bin/griot`, `C:\bin\griot.exe`.
fn is_griot(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name) == "griot"
}

/// A command of a hook that calls `griot … hook <verb>`.
fn is_our_hook(command: &str, verb: &str) -> bool {
    let Some(head) = command.trim().strip_suffix(&format!("hook {verb}")) else { return false };
    // The program may be quoted and may have spaces in its path.
    let head = head.trim_end();
    let program = head.split(" --").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    is_griot(program)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn our_entries_are_told_from_those_of_others() {
        for ours in [
            json!({"command": "griot", "args": ["mcp"]}),
            json!({"command": "/opt/bin/griot", "args": ["mcp", "--workspace", "x"], "env": {}}),
            json!({"command": "C:\\bin\\griot.exe", "args": ["mcp"]}),
            json!({"type": "local", "command": ["/opt/bin/griot", "mcp"]}),
        ] {
            assert!(is_ours(&ours), "{ours}");
        }
        for other in [
            json!({"command": "npx", "args": ["griot", "mcp"]}),
            json!({"command": "griot"}),
            json!({"command": "not-griot", "args": ["mcp"]}),
            json!({"url": "https://example.org/mcp"}),
            json!("griot mcp"),
            json!(null),
        ] {
            assert!(!is_ours(&other), "{other}");
        }
        assert!(is_our_hook("griot hook prompt", "prompt"));
        assert!(is_our_hook("'/a b/griot' --workspace x hook prompt", "prompt"));
        assert!(is_our_hook("\"C:/a b/griot.exe\" hook session-end ", "session-end"));
        assert!(!is_our_hook("griot hook prompt", "session-end"));
        assert!(!is_our_hook("other-griot hook prompt", "prompt"));
        assert!(!is_our_hook("mygriot.sh; hook prompt", "prompt"));
    }
}
