//! Runs programs, and brings what tests need from elsewhere once.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where Python is installed, as its own installer names it.
pub const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Runs a program to its end; the error names what was run.
pub fn run(command: &mut Command) -> Result<(), String> {
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ended with {status}", shown(command))),
        Err(error) => Err(format!("{} cannot be run: {error}", shown(command))),
    }
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    format!("`{}`", words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" "))
}

/// Cargo, in the folder of the workspace.
pub fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string()));
    cargo.args(arguments).current_dir(root);
    cargo
}

/// Where cargo builds.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// The debug binary `griot`, built.
pub fn griot(root: &Path) -> Result<PathBuf, String> {
    // Of the whole workspace, so that dependencies have the features that the tests have them with.
    run(&mut cargo(root, &["build", "--quiet", "--workspace", "--bin=griot"]))?;
    Ok(target(root).join("debug").join(format!("griot{}", std::env::consts::EXE_SUFFIX)))
}

/// The program of a profile: for `dev` the one that the tests use, else as users get it.
pub fn griot_in(root: &Path, profile: &str) -> Result<PathBuf, String> {
    if profile == "dev" {
        return griot(root);
    }
    run(&mut cargo(root, &["build", "--quiet", "--package=griot-cli", "--bin=griot", "--profile", profile]))?;
    Ok(target(root).join(profile).join(format!("griot{}", std::env::consts::EXE_SUFFIX)))
}

/// A page of `griot reference`; `openapi` is one, too.
pub fn printed(root: &Path, page: &str) -> Result<String, String> {
    let output = Command::new(griot(root)?)
        .args(["reference", page])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run griot: {error}"))?;
    if !output.status.success() {
        return Err(format!("cannot print the reference page {page}: griot ended with {}", output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|error| format!("the reference page {page} is not UTF-8: {error}"))
}

/// Does the work again only if the file is not the one it was done for; the stamp is a copy of it.
pub fn once(file: &Path, stamp: &Path, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    once_for(&read(file)?, stamp, work)
}

pub fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Does the work again only if what is wanted is not what it was done for, which the stamp holds.
pub fn once_for(
    wanted: &[u8],
    stamp: &Path,
    work: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    if fs::read(stamp).is_ok_and(|done| done == wanted) {
        return Ok(());
    }
    // Work that fails in the middle is no longer what it was done for.
    let _ = fs::remove_file(stamp);
    work()?;
    let folder = stamp.parent().unwrap_or(stamp);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(stamp, wanted))
        .map_err(|error| format!("cannot write {}: {error}", stamp.display()))
}

/// The Python of a virtual environment below `target` with the packages that `requirements` pins.
pub fn python(root: &Path, name: &str, requirements: &Path) -> Result<PathBuf, String> {
    let folder = target(root).join("venv").join(name);
    let python = in_environment(&folder);
    once(requirements, &folder.join("requirements"), || {
        run(Command::new(PYTHON).args(["-m", "venv", "--clear"]).arg(&folder))?;
        let install =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"];
        run(Command::new(&python).args(install).arg(requirements))
    })?;
    Ok(python)
}

/// The Python of a virtual environment.
pub fn in_environment(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// npm, in this folder.
pub fn npm(folder: &Path) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder);
    npm
}

/// Installs what a folder's `package-lock.json` pins, into its `node_modules`.
pub fn node_modules(root: &Path, name: &str, folder: &Path) -> Result<PathBuf, String> {
    let (modules, stamp) = (folder.join("node_modules"), target(root).join(name).join("package-lock.json"));
    if !modules.is_dir() && stamp.is_file() {
        fs::remove_file(&stamp).map_err(|error| format!("cannot remove {}: {error}", stamp.display()))?;
    }
    once(&folder.join("package-lock.json"), &stamp, || {
        let quiet = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        run(npm(folder).args(quiet))
    })?;
    Ok(modules)
}

/// Is the program there, and new enough? `v20.20.2` and `Python 3.11.7` are what they say.
pub fn version(program: &str, least: (u32, u32)) -> Result<(), String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let printed = output.map_err(|error| format!("`{program}` cannot be run: {error}"))?.stdout;
    let printed = String::from_utf8_lossy(&printed);
    match numbers(&printed) {
        Some(known) if known >= least => Ok(()),
        _ => {
            Err(format!("{program} {}.{} or later is needed, this is {:?}", least.0, least.1, printed.trim()))
        }
    }
}

fn numbers(printed: &str) -> Option<(u32, u32)> {
    let mut parts = printed.trim_start_matches(|c: char| !c.is_ascii_digit()).split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_again_for_other_pins_and_after_a_failure() {
        let stamp = std::env::temp_dir().join(format!("griot-xtask-{}", std::process::id()));
        let did = |wanted: &str, outcome: Result<(), String>| {
            let mut did = false;
            let result = once_for(wanted.as_bytes(), &stamp, || {
                did = true;
                outcome.clone()
            });
            (did, result.is_ok())
        };
        assert_eq!([did("1", Ok(())), did("1", Ok(()))], [(true, true), (false, true)]);
        assert_eq!([did("2", Err(String::new())), did("1", Ok(()))], [(true, false), (true, true)]);
        fs::remove_file(stamp).expect("it was written");
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(numbers("v20.20.2\n"), Some((20, 20)));
        assert_eq!(numbers("Python 3.9\n"), Some((3, 9)));
        assert!(numbers("Python 3.9").is_some_and(|known| known < (3, 10)));
        assert_eq!(numbers("none"), None);
        assert!(version("there-is-no-such-program", (1, 0)).is_err());
    }
}
