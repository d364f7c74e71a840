//! Do the SDKs work? Their tests, run against the debug binary, with what they need from PyPI and npm at
//! pinned versions.
//!
//! What an SDK needs at run time is nothing; pytest, mypy and the TypeScript compiler are for the tests
//! alone.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::program::{self, griot, run};

/// The variable by which the suites find the binary.
const BINARY: &str = "GRIOT_BIN";

/// Why its tests cannot be run, or what they came to.
type Tested = Result<Result<(), String>, String>;

pub fn test(root: &Path) -> Outcome {
    let binary = griot(root)?;
    let (mut untested, mut failed) = (Vec::new(), Vec::new());
    for (name, tested) in [("Python", python(root, &binary)), ("TypeScript", typescript(root, &binary))] {
        match tested {
            Err(why) => untested.push(format!("the {name} SDK: {why}")),
            Ok(Err(why)) => failed.push(format!("{name} SDK: {why}")),
            Ok(Ok(())) => {}
        }
    }
    if failed.is_empty() {
        return Ok(untested);
    }
    failed.append(&mut untested);
    Err(failed.join("\n"))
}

fn python(root: &Path, binary: &Path) -> Tested {
    version("python3", (3, 10))?;
    let python = program::python(root, "sdk", &root.join("sdk/python/requirements-test.txt"))?;
    let module = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).current_dir(root.join("sdk/python")).env(BINARY, binary);
        run(&mut command)
    };
    // Installed as a user would, so that what is missing in the package is missed.
    let quiet = ["pip", "install", "--quiet", "--disable-pip-version-check"];
    let install = [&quiet[..], &["--no-deps", "--no-build-isolation", "--force-reinstall", "."]].concat();
    let pytest = ["pytest", "--quiet", "-p", "no:cacheprovider"];
    Ok(module(&install).and_then(|()| module(&["mypy"])).and_then(|()| module(&pytest)))
}

fn typescript(root: &Path, binary: &Path) -> Tested {
    version("node", (20, 3))?;
    let folder = root.join("sdk/typescript");
    program::node_modules(root, "sdk", &folder)?;
    let mut npm = Command::new(program::NPM);
    Ok(run(npm.args(["test", "--silent"]).current_dir(&folder).env(BINARY, binary)))
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
