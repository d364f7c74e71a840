//! `griot connect`: an entry in the configuration of a host, shown before it is written, and taken out again.
//!
//! All changes are known before the first file is touched. A file that changed while the user was asked is
//! not written.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use clap::ValueEnum;
use griot::model::{Error, ErrorKind, Result};
use griot_wire::{Connected, HostFile, HostView};

use super::fine;
use crate::args::Connect;
use crate::failure::Exit;
use crate::files;
use crate::home::DEFAULT_WORKSPACE;
use crate::hosts::connections::Connections;
use crate::hosts::{Config, Edited, Entry, HOME_BEFORE, Host, HostFolders, Server, Syntax, on_path};
use crate::render;
use crate::session::Session;

struct Step {
    config: Config,
    before: Option<String>,
    /// `None`: remove the file, because it did not exist before.
    after: Option<Edited>,
}

impl Step {
    fn is_nothing(&self) -> bool {
        match (&self.before, &self.after) {
            (None, None) => true,
            (Some(before), Some(after)) => *before == after.text,
            _ => false,
        }
    }

    fn view(&self) -> HostFile {
        let path = self.config.path.display().to_string();
        let change = match (&self.before, &self.after) {
            _ if self.is_nothing() => "nothing",
            (None, _) => "created",
            (_, None) => "deleted",
            _ => "changed",
        };
        let before = self.before.as_deref().unwrap_or_default();
        let after = self.after.as_ref().map_or("", |after| after.text.as_str());
        let diff = if self.is_nothing() {
            String::new()
        } else {
            let old = if self.before.is_some() { path.as_str() } else { "/dev/null" };
            let new = if self.after.is_some() { path.as_str() } else { "/dev/null" };
            similar::TextDiff::from_lines(before, after).unified_diff().header(old, new).to_string()
        };
        HostFile { path, change: change.to_string(), diff }
    }
}

pub fn run(session: &Session, args: &Connect) -> Result<Exit> {
    let Some(host) = args.host else { return list(session) };
    let folders = HostFolders::find()?;
    let server = server(session, host)?;
    let configs = if args.project {
        vec![folders.project_config(host, &server)?]
    } else {
        let griot = shell_command(&server);
        let hooks = (args.remove || !args.no_hooks).then_some(griot.as_str());
        folders.configs(host, &server, hooks, args.remove || !args.no_skill)
    };
    let mut connections = Connections::open(session.home()?.root())?;
    let steps: Vec<Step> = configs
        .into_iter()
        .map(|config| Config { force: args.force, ..config })
        .map(|config| if args.remove { removal(config, &connections) } else { addition(config) })
        .collect::<Result<_>>()?;

    let views: Vec<HostFile> = steps.iter().map(Step::view).collect();
    let is_nothing = steps.iter().all(Step::is_nothing);
    let action = match (is_nothing, args.dry_run, args.remove) {
        (true, ..) => "nothing",
        (_, true, _) => "planned",
        (_, _, true) => "removed",
        _ => "connected",
    };
    let answer = Connected { host: host.name(), action: action.to_string(), files: views };
    if is_nothing || args.dry_run {
        session
            .out
            .answer(&answer, |page, answer| render::connected(page, answer, host.title(), args.remove))?;
        return Ok(Exit::Fine);
    }
    for step in &steps {
        files::check_writable(&step.config.path)?;
    }
    if !session.out.is_json() {
        session.out.answer(&answer, render::differences)?;
    }
    if !args.yes && !asked(host, args.remove, session.out.is_json())? {
        return Ok(Exit::Problem);
    }
    for step in steps.iter().filter(|step| !step.is_nothing()) {
        write(step, args.remove, &mut connections)?;
    }
    if session.out.is_json() {
        session.out.answer(&answer, |_, _| String::new())?;
    } else {
        session.out.answer(&answer, |page, answer| render::connection(page, answer, host.title()))?;
    }
    Ok(Exit::Fine)
}

/// Asks on the terminal; an error if there is none.
fn asked(host: Host, remove: bool, json: bool) -> Result<bool> {
    if json || !std::io::stdin().is_terminal() {
        let verb = if remove { "disconnect" } else { "connect" };
        let again = if remove { " --remove" } else { "" };
        return Err(Error::invalid(
            format!("{verb} {}", host.name()),
            "nobody can be asked: there is no terminal",
        )
        .hint(format!("griot connect {}{again} --yes writes it, --dry-run only shows it", host.name())));
    }
    let mut out = std::io::stderr();
    let written = write!(out, "Write this? [y/N] ").and_then(|()| out.flush());
    written.map_err(|error| Error::unavailable("ask on the terminal", error.to_string()))?;
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|error| Error::unavailable("read the answer from the terminal", error.to_string()))?;
    let yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    if !yes {
        eprintln!("nothing was written");
    }
    Ok(yes)
}

fn addition(config: Config) -> Result<Step> {
    let before = files::read(&config.path)?;
    let mut after = config.add(before.as_deref().unwrap_or_default())?;
    if before.is_none() && !after.text.ends_with('\n') {
        after.text.push('\n');
    }
    Ok(Step { config, before, after: Some(after) })
}

fn removal(config: Config, connections: &Connections) -> Result<Step> {
    let before = files::read(&config.path)?;
    let Some(text) = before.as_deref() else { return Ok(Step { config, before, after: None }) };
    let file = connections.file(&config.path);
    let keep = |text: String| Some(Edited { text, created: Vec::new() });
    let after = match file.map(|file| (file, file.reverted(text))) {
        Some((file, Some(original))) => {
            if file.existed {
                keep(original)
            } else {
                None
            }
        }
        Some((file, None)) => {
            let rest = config.remove(text, &file.created)?;
            if !file.existed && config.is_blank(&rest) { None } else { keep(rest) }
        }
        None => {
            let rest = config.remove(text, &[])?;
            // A file that is ours as a whole goes as a whole.
            if config.syntax == Syntax::Skill && rest.is_empty() { None } else { keep(rest) }
        }
    };
    Ok(Step { config, before, after })
}

fn write(step: &Step, remove: bool, connections: &mut Connections) -> Result<()> {
    let path = &step.config.path;
    if files::read(path)? != step.before {
        return Err(Error::new(
            ErrorKind::Conflict,
            format!("write `{}`", path.display()),
            "it was changed in the meantime; nothing was written into it",
        )
        .hint("run this again"));
    }
    match &step.after {
        Some(edited) if remove => {
            files::write(path, &edited.text)?;
            connections.forget(path)
        }
        Some(edited) => {
            // First, so that what is written can always be undone.
            connections.record(path, step.before.as_deref(), edited)?;
            files::write(path, &edited.text)
        }
        None => {
            let folders = connections.file(path).map(|file| file.folders.clone()).unwrap_or_default();
            files::remove(path, &folders)?;
            connections.forget(path)
        }
    }
}

/// The command that starts `griot mcp`, with the workspace or database of the command line.
fn server(session: &Session, host: Host) -> Result<Server> {
    let mut command = vec![program(host.is_of_terminal())?, "mcp".to_string()];
    let (workspace, db) = session.named();
    if let Some(name) = workspace {
        let home = session.home()?;
        let target = home.workspace(name)?;
        if name != DEFAULT_WORKSPACE && !target.database.parent().is_some_and(Path::is_dir) {
            return Err(home.missing(name, "connect"));
        }
        command.extend(["--workspace".to_string(), name.to_string()]);
    }
    if let Some(path) = db {
        let path = std::path::absolute(path)
            .map_err(|error| Error::unavailable(format!("find `{}`", path.display()), error.to_string()))?;
        command.extend(["--db".to_string(), text_of(&path)?]);
    }
    Ok(Server { command, home: home()? })
}

/// `GRIOT_HOME` as an absolute path, if it is set here.
fn home() -> Result<Option<String>> {
    let Some(path) = std::env::var_os("GRIOT_HOME").filter(|path| !path.is_empty()) else { return Ok(None) };
    let path = Path::new(&path);
    let path = std::path::absolute(path)
        .map_err(|error| Error::unavailable(format!("find `{}`", path.display()), error.to_string()))?;
    text_of(&path).map(Some)
}

/// `griot` where the host's shell finds this very program under that name, else its absolute path.
fn program(short: bool) -> Result<String> {
    let own = std::env::current_exe()
        .map_err(|error| Error::unavailable("find the path of this program", error.to_string()))?;
    let found = on_path("griot").filter(|found| found.canonicalize().ok() == own.canonicalize().ok());
    match found {
        Some(_) if short => Ok("griot".to_string()),
        // The path that was found survives an update better than the one that it leads to.
        Some(found) => text_of(&std::path::absolute(&found).unwrap_or(found)),
        None => text_of(&own),
    }
}

fn text_of(path: &Path) -> Result<String> {
    path.to_str().map(str::to_string).ok_or_else(|| {
        Error::invalid(
            format!("use the path `{}`", path.display()),
            "it is not UTF-8, and configurations are",
        )
    })
}

/// The start of a hook's shell command, before `hook prompt`.
fn shell_command(server: &Server) -> String {
    let home = server.home.iter().map(|home| format!("{HOME_BEFORE}{}", quoted(home)));
    let command = server.command.iter().enumerate().filter(|(at, _)| *at != 1);
    home.chain(command.map(|(_, word)| quoted(word))).collect::<Vec<_>>().join(" ")
}

/// One word of a shell. Claude Code runs hooks by `sh`, on Windows by the one of Git.
fn quoted(word: &str) -> String {
    let word = if cfg!(windows) { word.replace('\\', "/") } else { word.to_string() };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn list(session: &Session) -> Result<Exit> {
    let folders = HostFolders::find()?;
    let views: Vec<HostView> = Host::value_variants().iter().map(|host| view(*host, &folders)).collect();
    fine(session.out.answer(&views, |page, views| render::hosts(page, views)))
}

fn view(host: Host, folders: &HostFolders) -> HostView {
    let configs = folders.configs(host, &Server::default(), Some("griot"), false);
    let mut view = HostView {
        host: host.name(),
        title: host.title().to_string(),
        found: folders.has(host, &configs),
        connected: false,
        hooks: None,
        files: configs.iter().map(|config| config.path.display().to_string()).collect(),
        problem: None,
    };
    for config in &configs {
        let held =
            files::read(&config.path).and_then(|text| config.contains(text.as_deref().unwrap_or_default()));
        let held = held.unwrap_or_else(|error| {
            view.problem.get_or_insert_with(|| error.to_string());
            vec![false; config.entries.len()]
        });
        for (entry, held) in config.entries.iter().zip(held) {
            match entry {
                Entry::Server { .. } => view.connected |= held,
                Entry::Hook { .. } => view.hooks = Some(view.hooks.unwrap_or(true) && held),
                Entry::Skill => {}
            }
        }
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell_are_quoted_when_they_have_to_be() {
        assert_eq!(quoted("/usr/bin/griot"), "/usr/bin/griot");
        assert_eq!(quoted("/my tools/griot"), "'/my tools/griot'");
        assert_eq!(quoted("/it's/griot"), "'/it'\\''s/griot'");
        assert_eq!(quoted("/x;rm -rf/griot"), "'/x;rm -rf/griot'");
    }
}
