//! Do the SDKs work? Their tests, run against the debug binary, with what they need from PyPI and npm at pinned versions.
//!
//! What an SDK needs at run time is nothing; pytest, mypy and the TypeScript compiler are for the tests alone. Where
//! Python, Node or those cannot be had, the rest of the tests is still worth running, so that this is said and not failed;
//! in CI (the variable `CI` is set) it fails.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What could not be tested here, one line each.
pub type Untested = Vec<String>;

/// The variable by which the suites find the binary.
const BINARY: &str = "GRIOT_BIN";

/// One SDK: what brings its tools, and what runs its tests.
struct Suite {
    name: &'static str,
    program: &'static str,
    /// The oldest version that will do.
    least: (u32, u32),
    prepare: fn(&Path, &Path) -> Result<(), String>,
    test: fn(&Path, &Path, &Variables<'_>) -> Result<(), String>,
}

type Variables<'a> = [(&'a str, &'a OsStr)];

const SUITES: [Suite; 2] = [
    Suite { name: "Python", program: "python3", least: (3, 10), prepare: prepare_python, test: test_python },
    Suite { name: "TypeScript", program: "node", least: (20, 3), prepare: prepare_typescript, test: test_typescript },
];

pub fn test(root: &Path) -> Result<Untested, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    run(&cargo, &["build", "--quiet", "--package=griot-cli"], root, &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder));
    let binary = target.join("debug").join(format!("griot{}", std::env::consts::EXE_SUFFIX));
    let variables = [(BINARY, binary.as_os_str())];
    let mut untested = Untested::new();
    let mut failed = Vec::new();
    for suite in SUITES {
        let name = suite.name;
        if let Err(why) = version(suite.program, suite.least).and_then(|()| (suite.prepare)(root, &target)) {
            untested.push(format!("the {name} SDK: {why}"));
        } else if let Err(why) = (suite.test)(root, &target, &variables) {
            failed.push(format!("{name} SDK: {why}"));
        }
    }
    if std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) {
        failed.append(&mut untested);
    }
    if failed.is_empty() {
        return Ok(untested);
    }
    failed.append(&mut untested);
    Err(failed.join("\n"))
}

fn venv(target: &Path) -> (PathBuf, PathBuf) {
    let folder = target.join("sdk/python");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    (folder, python)
}

fn prepare_python(root: &Path, target: &Path) -> Result<(), String> {
    let (venv, python) = venv(target);
    let requirements = root.join("sdk/python/requirements-test.txt");
    once(&requirements, &venv.join("requirements"), || {
        run("python3", &["-m", "venv", "--clear", text(&venv)?], root, &[])?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"];
        run(&python, &[&install[..], &[text(&requirements)?]].concat(), root, &[])
    })
}

fn test_python(root: &Path, target: &Path, variables: &Variables<'_>) -> Result<(), String> {
    let (_, python) = venv(target);
    let folder = root.join("sdk/python");
    // Installed like anybody would, so that what is missing in the package is missed.
    let install = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--force-reinstall"];
    run(&python, &[&["-m", "pip", "install"], &install[..], &["."]].concat(), &folder, &[])?;
    run(&python, &["-m", "mypy"], &folder, &[])?;
    run(&python, &["-m", "pytest", "--quiet", "-p", "no:cacheprovider"], &folder, variables)
}

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

fn prepare_typescript(root: &Path, target: &Path) -> Result<(), String> {
    let folder = root.join("sdk/typescript");
    let stamp = target.join("sdk/package-lock.json");
    if !folder.join("node_modules").is_dir() && stamp.is_file() {
        fs::remove_file(&stamp).map_err(|error| format!("cannot remove {}: {error}", stamp.display()))?;
    }
    once(&folder.join("package-lock.json"), &stamp, || {
        run(NPM, &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], &folder, &[])
    })
}

fn test_typescript(root: &Path, _: &Path, variables: &Variables<'_>) -> Result<(), String> {
    run(NPM, &["test", "--silent"], &root.join("sdk/typescript"), variables)
}

/// Does the work again only if the file is not the one it was done for.
fn once(file: &Path, stamp: &Path, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let wanted = fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    if fs::read(stamp).ok().as_ref() == Some(&wanted) {
        return Ok(());
    }
    work()?;
    let folder = stamp.parent().unwrap_or(stamp);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(stamp, wanted))
        .map_err(|error| format!("cannot write {}: {error}", stamp.display()))
}

/// Is the program there, and new enough? `v20.20.2` and `Python 3.11.7` are what they say.
fn version(program: &str, least: (u32, u32)) -> Result<(), String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let told = output.map_err(|error| format!("`{program}` cannot be run: {error}"))?.stdout;
    let told = String::from_utf8_lossy(&told);
    match numbers(&told) {
        Some(known) if known >= least => Ok(()),
        _ => Err(format!("{program} {}.{} or later is needed, this is {:?}", least.0, least.1, told.trim())),
    }
}

fn numbers(told: &str) -> Option<(u32, u32)> {
    let mut parts = told.trim_start_matches(|c: char| !c.is_ascii_digit()).split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.trim().parse().ok()?))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(numbers("v20.20.2\n"), Some((20, 20)));
        assert_eq!(numbers("Python 3.9\n"), Some((3, 9)));
        assert!(numbers("Python 3.9").is_some_and(|known| known < (3, 10)));
        assert_eq!(numbers("none"), None);
        assert!(version("there-is-no-such-program", (1, 0)).is_err());
    }
}
