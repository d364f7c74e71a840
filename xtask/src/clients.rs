//! Do clients that others wrote get along with the server? The official client of MCP and schemathesis, at pinned versions
//! from PyPI, against the debug binary.

use std::path::Path;
use std::process::Command;

use crate::venv;

const FOLDER: &str = "crates/griot-server/tests/clients";

/// `Ok` with a reason if it could not be tested here; where the variable `CI` is set, that is an error.
pub fn test(root: &Path) -> Result<Option<String>, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder));
    let folder = root.join(FOLDER);
    let python = match venv::python(&target, "clients", &folder.join("requirements.txt")) {
        Ok(python) => python,
        Err(why) if std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) => return Err(why),
        Err(why) => return Ok(Some(why)),
    };
    crate::cargo(root, &["build", "--quiet", "--package=griot-cli"], None)?;
    let griot = target.join("debug").join(format!("griot{}", std::env::consts::EXE_SUFFIX));
    venv::run(Command::new(python).arg(folder.join("clients.py")).arg(griot))?;
    Ok(None)
}
