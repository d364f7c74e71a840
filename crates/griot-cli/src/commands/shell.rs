//! `griot completions` and `griot man`: what a shell and `man` know about the commands.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::Generator;
use griot::model::{Error, Result};

use super::{Cli, fine};
use crate::args::{Completions, Man, Shell};
use crate::failure::Exit;
use crate::session::Session;

pub fn completions(session: &Session, args: &Completions) -> Result<Exit> {
    let shell = args.shell.map_or_else(present_shell, Ok)?;
    let script = script(shell);
    if !args.install {
        return fine(session.out.text(&script));
    }
    let Place { file, further } = place(shell)?;
    write(&file, script.as_bytes())?;
    let mut said = format!("wrote {}", file.display());
    if let Some(further) = further {
        said.push_str(&format!("\n{further}"));
    }
    let answer = serde_json::json!({ "files": [file.display().to_string()] });
    fine(session.out.answer(&answer, |_, _| said))
}

fn script(shell: Shell) -> String {
    fn made(generator: impl Generator) -> String {
        let mut script = Vec::new();
        clap_complete::generate(generator, &mut Cli::command(), "griot", &mut script);
        String::from_utf8_lossy(&script).into_owned()
    }
    match shell {
        Shell::Bash => made(clap_complete::Shell::Bash),
        Shell::Elvish => made(clap_complete::Shell::Elvish),
        Shell::Fish => made(clap_complete::Shell::Fish),
        Shell::Nushell => made(clap_complete_nushell::Nushell),
        Shell::Powershell => made(clap_complete::Shell::PowerShell),
        Shell::Zsh => made(clap_complete::Shell::Zsh),
    }
}

/// The shell that this process was called from, by its variables.
fn present_shell() -> Result<Shell> {
    if std::env::var_os("NU_VERSION").is_some() {
        return Ok(Shell::Nushell);
    }
    let login = std::env::var("SHELL").unwrap_or_default();
    let name = Path::new(&login).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    clap::ValueEnum::from_str(if name == "nu" { "nushell" } else { name }, true).map_err(|_| {
        Error::invalid("find your shell", format!("$SHELL is `{login}`"))
            .hint("griot completions bash, elvish, fish, nushell, powershell or zsh")
    })
}

/// Where a shell looks for completions, and what its user must do besides.
struct Place {
    file: PathBuf,
    further: Option<String>,
}

fn place(shell: Shell) -> Result<Place> {
    let folders = directories::BaseDirs::new()
        .ok_or_else(|| Error::unavailable("install completions", "this user has no home folder"))?;
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let config = variable("XDG_CONFIG_HOME").unwrap_or_else(|| folders.home_dir().join(".config"));
    let data = variable("XDG_DATA_HOME").unwrap_or_else(|| folders.home_dir().join(".local/share"));
    let ready = |file: PathBuf| Ok(Place { file, further: None });
    match shell {
        Shell::Bash => ready(data.join("bash-completion/completions/griot")),
        Shell::Fish => ready(config.join("fish/completions/griot.fish")),
        Shell::Nushell => ready(folders.config_dir().join("nushell/autoload/griot.nu")),
        Shell::Elvish => {
            let further = Some("add to rc.elv: use griot".to_string());
            Ok(Place { file: config.join("elvish/lib/griot.elv"), further })
        }
        Shell::Zsh => {
            let home = variable("ZDOTDIR").unwrap_or_else(|| folders.home_dir().to_path_buf());
            let folder = home.join(".zfunc");
            let settings = std::fs::read_to_string(home.join(".zshrc")).unwrap_or_default();
            let further = (!settings.contains(".zfunc")).then(|| {
                format!(
                    "add to {}:\n  fpath=({} $fpath)\n  autoload -Uz compinit && compinit",
                    home.join(".zshrc").display(),
                    folder.display()
                )
            });
            Ok(Place { file: folder.join("_griot"), further })
        }
        Shell::Powershell => Err(Error::invalid("install completions", "PowerShell has no folder for them")
            .hint("griot completions powershell >> $PROFILE")),
    }
}

pub fn man(session: &Session, args: &Man) -> Result<Exit> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    if !args.install {
        let found = match &args.command {
            None => Some(&command),
            Some(name) => command.find_subcommand(name),
        };
        let found = found.ok_or_else(|| {
            let name = args.command.as_deref().unwrap_or_default();
            Error::not_found(format!("print the page of `{name}`"), "there is no such command")
                .hint("griot --help")
        })?;
        return fine(session.out.text(&String::from_utf8_lossy(&page(found)?)));
    }
    let folder = match &args.dir {
        Some(folder) => folder.clone(),
        None => {
            let folders = directories::BaseDirs::new()
                .ok_or_else(|| Error::unavailable("install man pages", "this user has no home folder"))?;
            folders.home_dir().join(".local/share/man/man1")
        }
    };
    let mut files = Vec::new();
    for one in std::iter::once(&command).chain(command.get_subcommands().filter(|one| !one.is_hide_set())) {
        let name = one.get_display_name().unwrap_or_else(|| one.get_name());
        let file = folder.join(format!("{name}.1"));
        write(&file, &page(one)?)?;
        files.push(file.display().to_string());
    }
    let answer = serde_json::json!({ "files": files });
    let said = format!("wrote {} pages into {}: man griot", files.len(), folder.display());
    fine(session.out.answer(&answer, |_, _| said))
}

fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut page)
        .map_err(|error| Error::unavailable("print the man page", error.to_string()))?;
    Ok(page)
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    let written = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    written
        .and_then(|()| std::fs::write(file, bytes))
        .map_err(|error| Error::unavailable(format!("write `{}`", file.display()), error.to_string()))
}
