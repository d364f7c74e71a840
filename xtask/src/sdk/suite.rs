//! Do the SDKs work? Their tests, run against the debug binary, with what they need from PyPI and npm at
//! pinned versions.
//!
//! What an SDK needs at run time is nothing; pytest, mypy and the TypeScript compiler are for the tests
//! alone.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::program::{self, PYTHON, griot, run, version};

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
    version(PYTHON, (3, 10))?;
    let python = program::python(root, "sdk", &root.join("sdk/python/requirements-test.txt"))?;
    let module = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).current_dir(root.join("sdk/python")).env(BINARY, binary);
        run(&mut command)
    };
    // Installed as a user would, so that what is missing in the package is missed. The engine and the classes
    // for hosts are tested with the wheel (`crate::packages`).
    let quiet = ["pip", "install", "--quiet", "--disable-pip-version-check", "--config-settings=pure=1"];
    let install = [&quiet[..], &["--no-deps", "--no-build-isolation", "--force-reinstall", "."]].concat();
    let mypy = ["mypy", "--exclude", r"tests/engine/|src/griot/(langchain|llamaindex)\.py"];
    let pytest = ["pytest", "--quiet", "-p", "no:cacheprovider", "--ignore=tests/engine"];
    Ok(module(&install).and_then(|()| module(&mypy)).and_then(|()| module(&pytest)))
}

fn typescript(root: &Path, binary: &Path) -> Tested {
    version("node", (20, 3))?;
    let folder = root.join("sdk/typescript");
    program::node_modules(root, "sdk", &folder)?;
    Ok(run(program::npm(&folder).args(["test", "--silent"]).env(BINARY, binary)))
}
