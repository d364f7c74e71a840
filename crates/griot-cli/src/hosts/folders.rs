//! Locates the configuration files of each host on this platform, and says which entries they need.
//!
//! The paths are those that the hosts document (November 2026); `docs/guides/hosts.md` lists them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use griot::model::{Error, Result};
use serde_json::Value;

use super::{Config, Entry, Host, Syntax, json};

/// Seconds that Claude Code waits for a hook. A prompt takes 0.3 s with the default settings. At the end of
/// a session the transcript is read; 60 s is the maximum of Claude Code.
const PROMPT_SECONDS: u64 = 10;
const SESSION_END_SECONDS: u64 = 60;

/// Base folders of configuration files.
#[derive(Clone, Debug)]
pub struct HostFolders {
    home: PathBuf,
    /// `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    config: PathBuf,
    /// `%LOCALAPPDATA%` on Windows.
    local: PathBuf,
    /// Working directory, for `--project`.
    here: PathBuf,
}

impl HostFolders {
    pub fn find() -> Result<Self> {
        let folders = directories::BaseDirs::new().ok_or_else(|| {
            Error::unavailable("find the configuration of hosts", "this user has no home folder")
        })?;
        let here = std::env::current_dir()
            .map_err(|error| Error::unavailable("find the folder of the project", error.to_string()))?;
        Ok(Self {
            home: folders.home_dir().to_path_buf(),
            config: folders.config_dir().to_path_buf(),
            local: folders.data_local_dir().to_path_buf(),
            here,
        })
    }

    /// The files of a host. `server` starts `griot mcp`; `hooks` is the shell command of `griot`, if hooks
    /// are wanted.
    pub fn configs(&self, host: Host, server: &[String], hooks: Option<&str>) -> Vec<Config> {
        let one = |path: PathBuf, syntax, keys: &[&'static str], value| {
            vec![Config { path, syntax, entries: vec![Entry::Server { keys: keys.to_vec(), value }] }]
        };
        let (plain, typed) = (plain(server), typed(server));
        match host {
            Host::ClaudeCode => {
                let own = variable("CLAUDE_CONFIG_DIR");
                let file = own.clone().unwrap_or_else(|| self.home.clone()).join(".claude.json");
                let mut configs = one(file, Syntax::Json, &["mcpServers"], typed);
                if let Some(griot) = hooks {
                    let folder = own.unwrap_or_else(|| self.home.join(".claude"));
                    let path = folder.join("settings.json");
                    configs.push(Config { path, syntax: Syntax::Json, entries: claude_hooks(griot) });
                }
                configs
            }
            Host::ClaudeDesktop => one(self.claude_desktop(), Syntax::Json, &["mcpServers"], plain),
            Host::Cursor => one(self.home.join(".cursor/mcp.json"), Syntax::Jsonc, &["mcpServers"], plain),
            Host::Codex => {
                let folder = variable("CODEX_HOME").unwrap_or_else(|| self.home.join(".codex"));
                one(folder.join("config.toml"), Syntax::Toml, &["mcp_servers"], plain)
            }
            Host::Vscode => one(self.config.join("Code/User/mcp.json"), Syntax::Jsonc, &["servers"], typed),
            Host::Windsurf => one(
                self.home.join(".codeium/windsurf/mcp_config.json"),
                Syntax::Jsonc,
                &["mcpServers"],
                plain,
            ),
            Host::GeminiCli => {
                let home = variable("GEMINI_CLI_HOME").unwrap_or_else(|| self.home.clone());
                one(home.join(".gemini/settings.json"), Syntax::Jsonc, &["mcpServers"], plain)
            }
            Host::OpenCode => {
                // `xdg-basedir` on every platform.
                let config = variable("XDG_CONFIG_HOME").unwrap_or_else(|| self.home.join(".config"));
                let path = either(&config.join("opencode"), "opencode.jsonc", "opencode.json");
                let keys = opencode_keys(&path);
                one(path, Syntax::Jsonc, keys, opencode(server))
            }
            Host::OpenClaw => {
                let path = variable("OPENCLAW_CONFIG_PATH").unwrap_or_else(|| {
                    let folder =
                        variable("OPENCLAW_STATE_DIR").unwrap_or_else(|| self.home.join(".openclaw"));
                    folder.join("openclaw.json")
                });
                one(path, Syntax::Json5, &["mcp", "servers"], plain)
            }
        }
    }

    /// The file that a host reads in a project's folder, if it has one.
    pub fn project_configs(&self, host: Host, server: &[String]) -> Result<Vec<Config>> {
        let (plain, typed) = (plain(server), typed(server));
        let (name, syntax, keys, value): (PathBuf, _, &[&'static str], _) = match host {
            Host::ClaudeCode => (".mcp.json".into(), Syntax::Json, &["mcpServers"], typed),
            Host::Cursor => (".cursor/mcp.json".into(), Syntax::Jsonc, &["mcpServers"], plain),
            Host::Codex => (".codex/config.toml".into(), Syntax::Toml, &["mcp_servers"], plain),
            Host::Vscode => (".vscode/mcp.json".into(), Syntax::Jsonc, &["servers"], typed),
            Host::GeminiCli => (".gemini/settings.json".into(), Syntax::Jsonc, &["mcpServers"], plain),
            Host::OpenCode => {
                let path = either(&self.here, "opencode.jsonc", "opencode.json");
                let keys = opencode_keys(&path);
                (path, Syntax::Jsonc, keys, opencode(server))
            }
            Host::ClaudeDesktop | Host::Windsurf | Host::OpenClaw => {
                let what = format!("connect {} for one project", host.name());
                return Err(Error::invalid(
                    what,
                    format!("{} has no configuration per project", host.title()),
                )
                .hint(format!("griot connect {}", host.name())));
            }
        };
        let entries = vec![Entry::Server { keys: keys.to_vec(), value }];
        Ok(vec![Config { path: self.here.join(name), syntax, entries }])
    }

    /// Whether this host is installed: one of its files or folders exists, or its program.
    pub fn has(&self, host: Host, configs: &[Config]) -> bool {
        let program = match host {
            Host::ClaudeCode => "claude",
            Host::ClaudeDesktop => "claude-desktop",
            Host::Vscode => "code",
            Host::GeminiCli => "gemini",
            Host::Cursor | Host::Codex | Host::Windsurf | Host::OpenCode | Host::OpenClaw => host.name(),
        };
        let own_folder = |config: &Config| {
            let folder = config.path.parent();
            config.path.exists() || folder.is_some_and(|folder| folder != self.home && folder.is_dir())
        };
        on_path(program).is_some() || configs.iter().any(own_folder)
    }

    fn claude_desktop(&self) -> PathBuf {
        const FILE: &str = "claude_desktop_config.json";
        let usual = self.config.join("Claude").join(FILE);
        if !cfg!(windows) || usual.exists() {
            return usual;
        }
        // The Microsoft Store edition uses folders of its own, which it creates itself.
        let in_store = |folder: PathBuf, inner: &str| {
            let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
            let claude = |path: &PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
                name.starts_with("claude_") && path.join(inner).is_dir()
            };
            entries.filter(claude).min().map(|path| path.join(inner).join(FILE))
        };
        in_store(self.local.join("Claude-Data"), "")
            .or_else(|| in_store(self.local.join("Packages"), "LocalCache/Roaming/Claude"))
            .unwrap_or(usual)
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn either(folder: &Path, first: &str, usual: &str) -> PathBuf {
    let first = folder.join(first);
    if first.exists() { first } else { folder.join(usual) }
}

/// The first program of this name on `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let paths: OsString = std::env::var_os("PATH")?;
    let names: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    std::env::split_paths(&paths)
        .flat_map(|folder| names.iter().map(move |end| folder.join(format!("{name}{end}"))))
        .find(|path| path.is_file())
}

fn parts(server: &[String]) -> (&str, &[String]) {
    server.split_first().map_or(("griot", &[]), |(command, arguments)| (command.as_str(), arguments))
}

/// `{ "command": …, "args": […] }`
fn plain(server: &[String]) -> Vec<(&'static str, Value)> {
    let (command, arguments) = parts(server);
    vec![("command", command.into()), ("args", arguments.into())]
}

fn typed(server: &[String]) -> Vec<(&'static str, Value)> {
    let mut value = plain(server);
    value.insert(0, ("type", "stdio".into()));
    value
}

fn opencode(server: &[String]) -> Vec<(&'static str, Value)> {
    vec![("type", "local".into()), ("command", server.into())]
}

/// opencode 1 keeps servers directly in `mcp`, which opencode 2 reads, too; a file in the format of
/// opencode 2 keeps them in `mcp.servers`.
fn opencode_keys(path: &Path) -> &'static [&'static str] {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if json::has_object(&text, &["mcp", "servers"]) { &["mcp", "servers"] } else { &["mcp"] }
}

fn claude_hooks(griot: &str) -> Vec<Entry> {
    let hook = |event, verb: &'static str, seconds| Entry::Hook {
        event,
        command: format!("{griot} hook {verb}"),
        verb,
        seconds,
    };
    vec![
        hook("SessionStart", "session-start", PROMPT_SECONDS),
        hook("UserPromptSubmit", "prompt", PROMPT_SECONDS),
        hook("SessionEnd", "session-end", SESSION_END_SECONDS),
    ]
}
