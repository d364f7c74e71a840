//! Packages of PyPI for tests, in a virtual environment below `target`: made once, and again when the file that pins them
//! changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Python of the environment `name` with what `requirements` pins.
pub fn python(target: &Path, name: &str, requirements: &Path) -> Result<PathBuf, String> {
    let folder = target.join("venv").join(name);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = folder.join("requirements");
    let wanted = fs::read(requirements).map_err(|error| format!("cannot read {}: {error}", requirements.display()))?;
    if fs::read(&stamp).ok().as_ref() == Some(&wanted) {
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"];
    run(Command::new(&python).args(install).arg(requirements))?;
    fs::write(&stamp, wanted).map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    Ok(python)
}

/// Runs a program to its end.
pub fn run(command: &mut Command) -> Result<(), String> {
    let told = format!("{:?}", command.get_program());
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{told} ended with {status}")),
        Err(error) => Err(format!("{told} cannot be run: {error}")),
    }
}
