//! Locates the configuration files of each host on this platform, and says which entries they need.
//!
//! The paths are those that the hosts document (November 2026); `docs/guides/hosts.md` lists them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use griot::model::{Error, Result};

use super::{Config, Entry, Host, Server, Syntax, json};

/// Seconds that Claude Code waits for a hook, which takes 0.3 s at most with the default settings.
const HOOK_SECONDS: u64 = 10;

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

    /// The files of a host. `hooks` is the shell command of `griot`, if hooks are wanted.
    pub fn configs(&self, host: Host, server: &Server, hooks: Option<&str>, skill: bool) -> Vec<Config> {
        let mut configs = vec![config(host, self.user_file(host), server)];
        let whole = |path, syntax, entries| Config { path, syntax, entries, force: false };
        if let (Host::ClaudeCode, Some(griot)) = (host, hooks) {
            let path = self.claude_folder().join("settings.json");
            configs.push(whole(path, Syntax::Json, claude_hooks(griot)));
        }
        if let Some(folder) = self.skills_folder(host).filter(|_| skill) {
            configs.push(whole(folder.join("griot/SKILL.md"), Syntax::Skill, vec![Entry::Skill]));
        }
        configs
    }

    fn claude_folder(&self) -> PathBuf {
        variable("CLAUDE_CONFIG_DIR").unwrap_or_else(|| self.home.join(".claude"))
    }

    /// The folder with the user's skills, of a host that has one of its own.
    fn skills_folder(&self, host: Host) -> Option<PathBuf> {
        let folder = match host {
            Host::ClaudeCode => self.claude_folder(),
            Host::Cursor => self.home.join(".cursor"),
            Host::GeminiCli => self.gemini_folder(),
            Host::OpenCode => self.xdg_config().join("opencode"),
            Host::CopilotCli => self.copilot_folder(),
            _ => return None,
        };
        Some(folder.join("skills"))
    }

    fn gemini_folder(&self) -> PathBuf {
        variable("GEMINI_CLI_HOME").unwrap_or_else(|| self.home.clone()).join(".gemini")
    }

    fn copilot_folder(&self) -> PathBuf {
        variable("COPILOT_HOME").unwrap_or_else(|| self.home.join(".copilot"))
    }

    /// As `xdg-basedir` has it on every platform.
    fn xdg_config(&self) -> PathBuf {
        variable("XDG_CONFIG_HOME").unwrap_or_else(|| self.home.join(".config"))
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
            Host::GeminiCli => self.gemini_folder().join("settings.json"),
            Host::OpenCode => opencode_file(&self.xdg_config().join("opencode")),
            Host::OpenClaw => variable("OPENCLAW_CONFIG_PATH")
                .unwrap_or_else(|| base("OPENCLAW_STATE_DIR", ".openclaw").join("openclaw.json")),
            Host::Zed if cfg!(windows) => self.config.join("Zed/settings.json"),
            Host::Zed => self.xdg_config().join("zed/settings.json"),
            Host::Cline => self.of_extension("saoudrizwan.claude-dev").join("cline_mcp_settings.json"),
            Host::RooCode => self.of_extension("rooveterinaryinc.roo-cline").join("mcp_settings.json"),
            // Reads every file of this folder.
            Host::Continue => self.home.join(".continue/mcpServers/griot.json"),
            Host::Goose if cfg!(windows) => self.config.join("Block/goose/config/config.yaml"),
            Host::Goose => self.xdg_config().join("goose/config.yaml"),
            Host::CopilotCli => self.copilot_folder().join("mcp-config.json"),
        }
    }

    /// Settings of an extension of VS Code.
    fn of_extension(&self, id: &str) -> PathBuf {
        self.config.join("Code/User/globalStorage").join(id).join("settings")
    }

    /// The file that a host reads in a project's folder, if it has one.
    pub fn project_config(&self, host: Host, server: &Server) -> Result<Config> {
        let path = match host {
            Host::ClaudeCode => self.here.join(".mcp.json"),
            Host::Cursor => self.here.join(".cursor/mcp.json"),
            Host::Codex => self.here.join(".codex/config.toml"),
            Host::Vscode => self.here.join(".vscode/mcp.json"),
            Host::GeminiCli => self.here.join(".gemini/settings.json"),
            Host::OpenCode => opencode_file(&self.here),
            Host::Zed => self.here.join(".zed/settings.json"),
            Host::RooCode => self.here.join(".roo/mcp.json"),
            Host::Continue => self.here.join(".continue/mcpServers/griot.json"),
            Host::CopilotCli => self.here.join(".github/mcp.json"),
            Host::ClaudeDesktop | Host::Windsurf | Host::OpenClaw | Host::Cline | Host::Goose => {
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
        let has_continue = host == Host::Continue && self.home.join(".continue").is_dir();
        has_continue || on_path(host.program()).is_some() || configs.iter().any(own_folder)
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

fn config(host: Host, path: PathBuf, server: &Server) -> Config {
    let (syntax, mut keys, value) = host.format(server);
    // opencode 1 keeps servers directly in `mcp`, which opencode 2 reads, too; a file in the format of
    // opencode 2 keeps them in `mcp.servers`.
    if host == Host::OpenCode {
        const OF_TWO: &[&str] = &["mcp", "servers"];
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        keys = if json::has_object(&text, OF_TWO) { OF_TWO } else { keys };
    }
    Config { path, syntax, entries: vec![Entry::Server { keys, value }], force: false }
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
    let hook = |(event, verb): (&'static str, &'static str)| Entry::Hook {
        event,
        command: format!("{griot} hook {verb}"),
        verb,
        seconds: HOOK_SECONDS,
    };
    let hooks = [
        ("SessionStart", "session-start"),
        ("UserPromptSubmit", "prompt"),
        ("Stop", "stop"),
        ("PreCompact", "pre-compact"),
        ("SessionEnd", "session-end"),
    ];
    hooks.into_iter().map(hook).collect()
}
