//! Do the SDKs work? Their tests, run against the debug binary, with what they need from PyPI and npm at pinned versions.
//!
//! What an SDK needs at run time is nothing; pytest, mypy and the TypeScript compiler are for the tests alone. Where
//! Python or Node is missing, the rest of the tests is still worth running, so that this is said and not failed; in CI
//! (the variable `CI` is set) it fails.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What could not be tested here, one line each.
pub type Untested = Vec<String>;

/// The variable by which the suites find the binary.
const BINARY: &str = "GRIOT_BIN";

pub fn test(root: &Path) -> Result<Untested, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    run(&cargo, &["build", "--quiet", "--package=griot-cli"], root, &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let binary = target.join("debug").join(format!("griot{}", std::env::consts::EXE_SUFFIX));
    let variables = [(BINARY, binary.as_os_str())];
    let mut untested = Untested::new();
    let mut failed = Vec::new();
    for (name, program, suite) in [("Python", "python3", python as Suite), ("TypeScript", "node", typescript)] {
        if !answers(program) {
            untested.push(format!("the {name} SDK: `{program} --version` cannot be run"));
        } else if let Err(why) = suite(root, &target, &variables) {
            failed.push(format!("{name} SDK: {why}"));
        }
    }
    if std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) {
        failed.append(&mut untested);
    }
    if failed.is_empty() { Ok(untested) } else { Err(failed.join("\n")) }
}

type Variables<'a> = [(&'a str, &'a OsStr)];
type Suite = fn(&Path, &Path, &Variables<'_>) -> Result<(), String>;

fn python(root: &Path, target: &Path, variables: &Variables<'_>) -> Result<(), String> {
    let folder = root.join("sdk/python");
    let venv = target.join("sdk/python");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let requirements = folder.join("requirements-test.txt");
    let stamp = venv.join("requirements");
    let wanted = fs::read(&requirements).map_err(|error| format!("cannot read {}: {error}", requirements.display()))?;
    if fs::read(&stamp).ok().as_ref() != Some(&wanted) {
        run("python3", &["-m", "venv", "--clear", text(&venv)?], root, &[])?;
        run(&python, &["-m", "pip", "install", "--quiet", "--require-hashes", "-r", text(&requirements)?], root, &[])?;
        fs::write(&stamp, wanted).map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    }
    // Installed like anybody would, so that what is missing in the package is missed.
    let install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--force-reinstall", "."];
    run(&python, &install, &folder, &[])?;
    run(&python, &["-m", "mypy"], &folder, &[])?;
    run(&python, &["-m", "pytest", "--quiet", "-p", "no:cacheprovider"], &folder, variables)
}

fn typescript(root: &Path, target: &Path, variables: &Variables<'_>) -> Result<(), String> {
    let folder = root.join("sdk/typescript");
    let stamp = target.join("sdk/package-lock.json");
    let lock = folder.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|error| format!("cannot read {}: {error}", lock.display()))?;
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if !folder.join("node_modules").is_dir() || fs::read(&stamp).ok().as_ref() != Some(&wanted) {
        run(npm, &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], &folder, &[])?;
        fs::create_dir_all(target.join("sdk")).and_then(|()| fs::write(&stamp, wanted))
            .map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    }
    run(npm, &["test", "--silent"], &folder, variables)
}

fn answers(program: &str) -> bool {
    let status = Command::new(program).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn run(program: impl AsRef<OsStr>, arguments: &[&str], folder: &Path, variables: &Variables<'_>) -> Result<(), String> {
    let program = program.as_ref();
    let told = || format!("`{} {}`", program.to_string_lossy(), arguments.join(" "));
    let mut command = Command::new(program);
    command.args(arguments).envs(variables.iter().copied()).current_dir(folder).stdin(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ended with {status}", told())),
        Err(error) => Err(format!("{} cannot be run: {error}", told())),
    }
}

fn text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()))
}
