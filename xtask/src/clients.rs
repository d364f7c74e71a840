//! Do clients that others wrote get along with the server? The official client of MCP and schemathesis, at
//! pinned versions from PyPI, against the debug binary.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::program::{griot, python, run};

const FOLDER: &str = "crates/griot-server/tests/clients";

pub fn test(root: &Path) -> Outcome {
    let folder = root.join(FOLDER);
    let python = match python(root, "clients", &folder.join("requirements.txt")) {
        Ok(python) => python,
        Err(why) => {
            return Ok(vec![format!(
                "the official client of MCP and schemathesis against the server: {why}"
            )]);
        }
    };
    run(Command::new(python).arg(folder.join("clients.py")).arg(griot(root)?))?;
    Ok(Vec::new())
}
