//! Puts the example conversation and the project's documentation into the binary, for `griot demo`.
//!
//! Writes `TEXTS: &[(name, text)]`, sorted by name. The generated reference is left out: tables say little as
//! passages.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?)
        .join("../..")
        .canonicalize()?;
    let mut files = Vec::new();
    for name in ["README.md", "ARCHITECTURE.md", "examples/team.jsonl", "examples/decisions.md"] {
        let path = root.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_file() {
            files.push(path);
        }
    }
    let docs = root.join("docs");
    println!("cargo::rerun-if-changed={}", docs.display());
    markdown(&docs, &mut files)?;
    files.retain(|path| !path.starts_with(docs.join("reference")));
    files.sort();

    let mut code = String::from("pub const TEXTS: &[(&str, &str)] = &[\n");
    for path in files {
        let name =
            path.strip_prefix(&root).map_err(io::Error::other)?.display().to_string().replace('\\', "/");
        writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .map_err(io::Error::other)?;
    }
    code.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("texts.rs"), code)
}

fn markdown(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            markdown(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    Ok(())
}
