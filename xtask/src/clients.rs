//! Do programs that others wrote get along with the server? The official client of MCP, schemathesis, and the
//! frameworks in which agents are written, at pinned versions from PyPI and npm, against the debug binary.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::program::{griot, node_modules, python, run};

const TESTS: &str = "crates/griot-server/tests";

pub fn test(root: &Path) -> Outcome {
    let mut skipped = Vec::new();
    let clients = root.join(TESTS).join("clients");
    match python(root, "clients", &clients.join("requirements.txt")) {
        Ok(python) => run(Command::new(python).arg(clients.join("clients.py")).arg(griot(root)?))?,
        Err(why) => {
            skipped.push(format!("the official client of MCP and schemathesis against the server: {why}"))
        }
    }
    let hosts = root.join(TESTS).join("hosts");
    let installed = python(root, "hosts", &hosts.join("requirements.txt"))
        .and_then(|python| Ok((python, node_modules(root, "hosts", &hosts)?)));
    match installed {
        Ok((python, modules)) => {
            run(Command::new(python).arg(hosts.join("hosts.py")).arg(griot(root)?).arg(modules))?;
        }
        Err(why) => skipped.push(format!("frameworks of agents against the server: {why}")),
    }
    Ok(skipped)
}
