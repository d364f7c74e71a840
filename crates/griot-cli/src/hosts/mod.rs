//! Edits the configuration of programs that run agents ("hosts"), so that they start Griot.
//!
//! - `folders`: which file on this machine, and which entries it needs
//! - `json`, `toml`, `yaml`: add entries to a text and remove them, preserving everything else
//! - `skill`: the file with instructions for the model
//! - `connections`: the record of what was written, for undoing it
//!
//! The editors are functions over text and access no files.

pub mod connections;
mod folders;
mod json;
mod skill;
mod toml;
mod yaml;

use std::path::PathBuf;

use clap::ValueEnum;
use griot::model::{Error, Result};
use serde_json::{Value, json};

pub use folders::{HostFolders, on_path};

/// Key of Griot's entry in every file.
pub const ENTRY: &str = "griot";

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
    Zed,
    Cline,
    RooCode,
    Continue,
    Goose,
    CopilotCli,
}

/// The name as its vendor writes it, and the program, of each [`Host`] in order.
const HOSTS: [(&str, &str); 15] = [
    ("Claude Code", "claude"),
    ("Claude Desktop", "claude-desktop"),
    ("Cursor", "cursor"),
    ("Codex", "codex"),
    ("VS Code", "code"),
    ("Windsurf", "windsurf"),
    ("Gemini CLI", "gemini"),
    ("opencode", "opencode"),
    ("OpenClaw", "openclaw"),
    ("Zed", "zed"),
    ("Cline", "cline"),
    ("Roo Code", "roo"),
    ("Continue", "cn"),
    ("Goose", "goose"),
    ("Copilot CLI", "copilot"),
];

impl Host {
    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }

    pub const fn title(self) -> &'static str {
        HOSTS[self as usize].0
    }

    pub const fn program(self) -> &'static str {
        HOSTS[self as usize].1
    }

    /// Whether it is started from a shell and so has the shell's `PATH`; other hosts get the desktop's.
    pub const fn is_of_terminal(self) -> bool {
        matches!(
            self,
            Self::ClaudeCode
                | Self::Codex
                | Self::GeminiCli
                | Self::OpenCode
                | Self::OpenClaw
                | Self::CopilotCli
        )
    }

    /// How it writes the entry of a server: syntax, keys of the object with all servers, and the entry.
    fn format(self, server: &Server) -> (Syntax, &'static [&'static str], ServerEntry) {
        let (command, arguments) = server
            .command
            .split_first()
            .map_or(("griot", &[][..]), |(command, rest)| (command.as_str(), rest));
        let plain = vec![("command", json!(command)), ("args", json!(arguments))];
        let typed = [vec![("type", json!("stdio"))], plain.clone()].concat();
        let (syntax, keys, mut entry): (_, &'static [&'static str], ServerEntry) = match self {
            Self::ClaudeCode => (Syntax::Json, &["mcpServers"], typed),
            Self::ClaudeDesktop => (Syntax::Json, &["mcpServers"], plain),
            Self::Cline | Self::RooCode => (Syntax::Json, &["mcpServers"], plain),
            Self::Cursor | Self::Windsurf | Self::GeminiCli | Self::Continue => {
                (Syntax::Jsonc, &["mcpServers"], plain)
            }
            Self::CopilotCli => {
                // Without `tools` none is offered to the model.
                let entry = [vec![("type", json!("local"))], plain, vec![("tools", json!(["*"]))]].concat();
                (Syntax::Jsonc, &["mcpServers"], entry)
            }
            Self::Codex => (Syntax::Toml, &["mcp_servers"], plain),
            Self::Vscode => (Syntax::Jsonc, &["servers"], typed),
            Self::Zed => (Syntax::Jsonc, &["context_servers"], plain),
            Self::OpenCode => {
                let entry = vec![("type", json!("local")), ("command", json!(server.command))];
                (Syntax::Jsonc, &["mcp"], entry)
            }
            Self::OpenClaw => (Syntax::Json5, &["mcp", "servers"], plain),
            Self::Goose => {
                let entry = vec![
                    ("enabled", json!(true)),
                    ("type", json!("stdio")),
                    ("name", json!(ENTRY)),
                    ("description", json!("Graph memory")),
                    ("cmd", json!(command)),
                    ("args", json!(arguments)),
                    ("timeout", json!(GOOSE_SECONDS)),
                ];
                (Syntax::Yaml, &["extensions"], entry)
            }
        };
        if let Some(home) = &server.home {
            let name = match self {
                Self::OpenCode => "environment",
                Self::Goose => "envs",
                _ => "env",
            };
            entry.push((name, json!({ "GRIOT_HOME": home })));
        }
        (syntax, keys, entry)
    }
}

/// Seconds that Goose waits for an answer, its usual value.
const GOOSE_SECONDS: u64 = 300;

/// How a host starts Griot.
#[derive(Clone, Default, Debug)]
pub struct Server {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// `GRIOT_HOME`, if it is set: the host may not have the variable.
    pub home: Option<String>,
}

/// The members of a server's entry.
type ServerEntry = Vec<(&'static str, Value)>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    Json,
    /// With comments and trailing commas.
    Jsonc,
    Json5,
    Toml,
    Yaml,
    /// A file that is Griot's as a whole.
    Skill,
}

/// A file of a host and the entries that it should hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    pub path: PathBuf,
    pub syntax: Syntax,
    pub entries: Vec<Entry>,
    /// Replace an entry of our name that starts another program.
    pub force: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// The member `griot` of the object at these keys.
    Server { keys: &'static [&'static str], value: ServerEntry },
    /// A command to run at this event, in Claude Code's format.
    Hook { event: &'static str, command: String, verb: &'static str, seconds: u64 },
    /// The file with instructions for the model.
    Skill,
}

/// An edited text, and the keys of the objects and arrays that were created for the entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    pub text: String,
    pub created: Vec<Vec<String>>,
}

impl Config {
    /// Adds our entries; returns the same text if they are there already.
    pub fn add(&self, text: &str) -> Result<Edited> {
        match self.syntax {
            Syntax::Toml => toml::add(text, self),
            Syntax::Yaml => yaml::add(text, self),
            Syntax::Skill => skill::add(text, self),
            _ => json::add(text, self),
        }
    }

    /// Removes our entries, and those of the created containers that are empty afterwards.
    pub fn remove(&self, text: &str, created: &[Vec<String>]) -> Result<String> {
        match self.syntax {
            Syntax::Toml => toml::remove(text, self, created),
            Syntax::Yaml => yaml::remove(text, self, created),
            Syntax::Skill => Ok(skill::remove(text)),
            _ => json::remove(text, self, created),
        }
    }

    /// Which of the entries are present, whatever their details.
    pub fn contains(&self, text: &str) -> Result<Vec<bool>> {
        match self.syntax {
            Syntax::Toml => toml::contains(text, self),
            Syntax::Yaml => yaml::contains(text, self),
            Syntax::Skill => Ok(skill::contains(text)),
            _ => json::contains(text, self),
        }
    }

    /// Whether the text holds no data.
    pub fn is_blank(&self, text: &str) -> bool {
        let text = text.trim_start_matches('\u{FEFF}').trim();
        match self.syntax {
            Syntax::Toml | Syntax::Yaml | Syntax::Skill => text.is_empty(),
            _ => {
                text.is_empty()
                    || text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).is_some_and(blank)
            }
        }
    }

    fn error(&self, why: impl Into<String>) -> Error {
        Error::invalid(format!("edit `{}`", self.path.display()), why)
    }

    /// The error for a file that its host cannot parse either.
    fn broken(&self, why: &str) -> Error {
        let syntax = match self.syntax {
            Syntax::Json => "JSON",
            Syntax::Jsonc => "JSON with comments",
            Syntax::Json5 => "JSON5",
            Syntax::Toml => "TOML",
            Syntax::Yaml => "YAML",
            Syntax::Skill => "text",
        };
        self.error(format!("invalid {syntax}; the file was left unchanged: {why}"))
            .hint("fix the file, then run this again")
    }

    /// The error for an entry of our name that is not ours.
    fn foreign(&self, path: &str) -> Error {
        self.error(format!("`{path}` starts another program; the file was left unchanged"))
            .hint("rename that entry, or add --force to replace it")
    }
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Whether an entry starts `griot mcp`, written by us or by hand.
fn is_ours(entry: &Value) -> bool {
    let strings = |value: Option<&Value>| -> Vec<String> {
        match value {
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) => list.iter().filter_map(|v| v.as_str().map(str::to_string)).collect(),
            _ => Vec::new(),
        }
    };
    // Goose has `cmd`.
    let mut words = strings(entry.get("command").or_else(|| entry.get("cmd")));
    words.extend(strings(entry.get("args")));
    let Some((program, arguments)) = words.split_first() else { return false };
    is_griot(program) && arguments.iter().any(|argument| argument == "mcp")
}

/// Whether this is `griot`, `/usr/bin/griot` or `C:\bin\griot.exe`.
fn is_griot(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name) == "griot"
}

/// Whether a hook's command calls `griot … hook <verb>`.
fn is_our_hook(command: &str, verb: &str) -> bool {
    let Some(head) = command.trim().strip_suffix(&format!("hook {verb}")) else { return false };
    // `GRIOT_HOME=/data griot hook prompt`
    let head = match head.strip_prefix(HOME_BEFORE) {
        Some(rest) => after_word(rest),
        None => head,
    };
    // The program may be quoted, and its path may contain spaces.
    let head = head.trim_end();
    let program = head.split(" --").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    is_griot(program)
}

/// Before the command of a hook, if `GRIOT_HOME` is set.
pub const HOME_BEFORE: &str = "GRIOT_HOME=";

/// What follows a word of a shell, which may be quoted.
fn after_word(text: &str) -> &str {
    let mut quoted = false;
    let end = text.find(|c: char| {
        quoted ^= c == '\'';
        !quoted && c.is_whitespace()
    });
    end.map_or("", |end| text[end..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_entries_are_distinguished_from_others() {
        for ours in [
            json!({"command": "griot", "args": ["mcp"]}),
            json!({"command": "/opt/bin/griot", "args": ["mcp", "--workspace", "x"], "env": {}}),
            json!({"command": "C:\\bin\\griot.exe", "args": ["mcp"]}),
            json!({"type": "local", "command": ["/opt/bin/griot", "mcp"]}),
            json!({"type": "stdio", "cmd": "griot", "args": ["mcp"]}),
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
        assert!(is_our_hook("GRIOT_HOME=/x griot hook stop", "stop"));
        assert!(is_our_hook("GRIOT_HOME='/a b' '/c d/griot' hook stop", "stop"));
        assert!(!is_our_hook("GRIOT_HOME=/x other hook stop", "stop"));
        assert!(!is_our_hook("griot hook prompt", "session-end"));
        assert!(!is_our_hook("other-griot hook prompt", "prompt"));
        assert!(!is_our_hook("mygriot.sh; hook prompt", "prompt"));
    }
}
