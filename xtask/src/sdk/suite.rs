//! Do the SDKs work? Their tests, run against the debug binary, with what they need from PyPI and npm at
//! pinned versions.
//!
//! What an SDK needs at run time is nothing; pytest, mypy and the TypeScript compiler are for the tests
//! alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::program::{self, griot, once, run, target};

/// The variable by which the suites find the binary.
const BINARY: &str = "GRIOT_BIN";

/// One SDK: what brings its tools, and what runs its tests.
struct Suite {
    name: &'static str,
    program: &'static str,
    /// The oldest version that will do.
    least: (u32, u32),
    prepare: fn(&Path) -> Result<(), String>,
    /// Root and binary.
    test: fn(&Path, &Path) -> Result<(), String>,
}

const SUITES: [Suite; 2] = [
    Suite {
        name: "Python",
        program: "python3",
        least: (3, 10),
        prepare: |root| python(root).map(drop),
        test: test_python,
    },
    Suite {
        name: "TypeScript",
        program: "node",
        least: (20, 3),
        prepare: prepare_typescript,
        test: test_typescript,
    },
];

pub fn test(root: &Path) -> Outcome {
    let binary = griot(root)?;
    let (mut untested, mut failed) = (Vec::new(), Vec::new());
    for suite in SUITES {
        let name = suite.name;
        if let Err(why) = version(suite.program, suite.least).and_then(|()| (suite.prepare)(root)) {
            untested.push(format!("the {name} SDK: {why}"));
        } else if let Err(why) = (suite.test)(root, &binary) {
            failed.push(format!("{name} SDK: {why}"));
        }
    }
    if failed.is_empty() {
        return Ok(untested);
    }
    failed.append(&mut untested);
    Err(failed.join("\n"))
}

fn python(root: &Path) -> Result<PathBuf, String> {
    program::python(root, "sdk", &root.join("sdk/python/requirements-test.txt"))
}

fn test_python(root: &Path, binary: &Path) -> Result<(), String> {
    let python = python(root)?;
    let module = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).current_dir(root.join("sdk/python")).env(BINARY, binary);
        run(&mut command)
    };
    // Installed as a user would, so that what is missing in the package is missed.
    let quiet = ["pip", "install", "--quiet", "--disable-pip-version-check"];
    module(&[&quiet[..], &["--no-deps", "--no-build-isolation", "--force-reinstall", "."]].concat())?;
    module(&["mypy"])?;
    module(&["pytest", "--quiet", "-p", "no:cacheprovider"])
}

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

fn npm(root: &Path, arguments: &[&str], binary: Option<&Path>) -> Result<(), String> {
    let mut command = Command::new(NPM);
    command
        .args(arguments)
        .current_dir(root.join("sdk/typescript"))
        .envs(binary.map(|binary| (BINARY, binary)));
    run(&mut command)
}

fn prepare_typescript(root: &Path) -> Result<(), String> {
    let folder = root.join("sdk/typescript");
    let stamp = target(root).join("sdk/package-lock.json");
    if !folder.join("node_modules").is_dir() && stamp.is_file() {
        fs::remove_file(&stamp).map_err(|error| format!("cannot remove {}: {error}", stamp.display()))?;
    }
    once(&folder.join("package-lock.json"), &stamp, || {
        npm(root, &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], None)
    })
}

fn test_typescript(root: &Path, binary: &Path) -> Result<(), String> {
    npm(root, &["test", "--silent"], Some(binary))
}

/// Is the program there, and new enough? `v20.20.2` and `Python 3.11.7` are what they say.
fn version(program: &str, least: (u32, u32)) -> Result<(), String> {
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
    fn versions_are_read() {
        assert_eq!(numbers("v20.20.2\n"), Some((20, 20)));
        assert_eq!(numbers("Python 3.9\n"), Some((3, 9)));
        assert!(numbers("Python 3.9").is_some_and(|known| known < (3, 10)));
        assert_eq!(numbers("none"), None);
        assert!(version("there-is-no-such-program", (1, 0)).is_err());
    }
}
