//! Locates the configuration files of each host on this platform, and says which entries they need.
//!
//! The paths are those that the hosts document (November 2026); `docs/guides/hosts.md` lists them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use griot::model::{Error, Result};

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
        let mut configs = vec![config(host, self.user_file(host), server)];
        if let (Host::ClaudeCode, Some(griot)) = (host, hooks) {
            let folder = variable("CLAUDE_CONFIG_DIR").unwrap_or_else(|| self.home.join(".claude"));
            let (path, entries) = (folder.join("settings.json"), claude_hooks(griot));
            configs.push(Config { path, syntax: Syntax::Json, entries });
        }
        configs
    }

    fn user_file(&self, host: Host) -> PathBuf {
        let base = |name: &str, usual: &str| variable(name).unwrap_or_else(|| self.home.join(usual));
        match host {
            Host::ClaudeCode => base("CLAUDE_CONFIG_DIR", "").join(".claude.json"),
            Host::ClaudeDesktop => self.claude_desktop(),
            Host::Cursor => self.home.join(".cursor/mcp.json"),
            Host::Codex => base("CODEX_HOME", ".codex").join("config.toml"),
            Host::Vscode => self.config.join("Code/User/mcp.json"),
            Host::Windsurf => self.home.join(".codeium/windsurf/mcp_config.json"),
            Host::GeminiCli => base("GEMINI_CLI_HOME", "").join(".gemini/settings.json"),
            // `xdg-basedir` on every platform.
            Host::OpenCode => opencode_file(&base("XDG_CONFIG_HOME", ".config").join("opencode")),
            Host::OpenClaw => variable("OPENCLAW_CONFIG_PATH")
                .unwrap_or_else(|| base("OPENCLAW_STATE_DIR", ".openclaw").join("openclaw.json")),
        }
    }

    /// The file that a host reads in a project's folder, if it has one.
    pub fn project_config(&self, host: Host, server: &[String]) -> Result<Config> {
        let path = match host {
            Host::ClaudeCode => self.here.join(".mcp.json"),
            Host::Cursor => self.here.join(".cursor/mcp.json"),
            Host::Codex => self.here.join(".codex/config.toml"),
            Host::Vscode => self.here.join(".vscode/mcp.json"),
            Host::GeminiCli => self.here.join(".gemini/settings.json"),
            Host::OpenCode => opencode_file(&self.here),
            Host::ClaudeDesktop | Host::Windsurf | Host::OpenClaw => {
                let what = format!("connect {} for one project", host.name());
                let why = format!("{} has no configuration per project", host.title());
                return Err(Error::invalid(what, why).hint(format!("griot connect {}", host.name())));
            }
        };
        Ok(config(host, path, server))
    }

    /// Whether this host is installed: one of its files or folders exists, or its program.
    pub fn has(&self, host: Host, configs: &[Config]) -> bool {
        let own_folder = |config: &Config| {
            let folder = config.path.parent();
            config.path.exists() || folder.is_some_and(|folder| folder != self.home && folder.is_dir())
        };
        on_path(host.program()).is_some() || configs.iter().any(own_folder)
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

fn config(host: Host, path: PathBuf, server: &[String]) -> Config {
    let (syntax, mut keys, value) = host.format(server);
    // opencode 1 keeps servers directly in `mcp`, which opencode 2 reads, too; a file in the format of
    // opencode 2 keeps them in `mcp.servers`.
    if host == Host::OpenCode {
        const OF_TWO: &[&str] = &["mcp", "servers"];
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        keys = if json::has_object(&text, OF_TWO) { OF_TWO } else { keys };
    }
    Config { path, syntax, entries: vec![Entry::Server { keys, value }] }
}

fn opencode_file(folder: &Path) -> PathBuf {
    let commented = folder.join("opencode.jsonc");
    if commented.exists() { commented } else { folder.join("opencode.json") }
}

/// The first program of this name on `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let paths: OsString = std::env::var_os("PATH")?;
    let names: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    std::env::split_paths(&paths)
        .flat_map(|folder| names.iter().map(move |end| folder.join(format!("{name}{end}"))))
        .find(|path| path.is_file())
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
