//! Tidiness: rules of the architecture that no compiler knows, each with the file and line that breaks it.
//!
//! - `imports`: who may import whom in the engine, as the table in ARCHITECTURE.md says; SQL in its place;
//!   purity
//! - `files`: module docs, length, names
//! - `links`: links between documents lead somewhere
//! - the pages of `docs/reference`, the JSON Schema and the SDKs' types are what the binary prints; every
//!   invariant has a test that names it

mod files;
mod imports;
mod links;
mod source;

use std::fs;
use std::path::{Path, PathBuf};

use crate::{codegen, sdk};

/// One thing that is not as it should be: where, and what.
pub type Problem = String;

pub fn check(root: &Path) -> Result<(), String> {
    let rust = source::read_all(root)?;
    let documents = documents(root)?;
    let architecture = read(&root.join("ARCHITECTURE.md"))?;
    let mut problems = Vec::new();
    problems.extend(imports::check(&rust, &architecture));
    problems.extend(files::check(&rust));
    problems.extend(links::check(root, &documents));
    problems.extend(invariants(&rust, &architecture));
    problems.extend(reference(root)?);
    problems.sort();
    if problems.is_empty() {
        eprintln!("tidy: {} source files, {} documents", rust.len(), documents.len());
        return Ok(());
    }
    Err(format!("{}\ntidy: {} problems", problems.join("\n"), problems.len()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The Markdown files that people read, with their text.
fn documents(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let mut paths = Vec::new();
    for entry in
        fs::read_dir(root).map_err(|error| format!("cannot list {}: {error}", root.display()))?.flatten()
    {
        if entry.path().is_file() {
            paths.push(entry.path());
        }
    }
    for folder in ["docs", "examples", "crates", "sdk"] {
        source::walk(&root.join(folder), &mut paths);
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.into_iter().map(|path| Ok((path.clone(), read(&path)?))).collect()
}

/// Each numbered item under the heading "Invariants" is named by a test as `invariant N`.
fn invariants(rust: &[source::File], architecture: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    // The tests of this check name invariants as examples.
    let engine = || rust.iter().filter(|file| !file.name.starts_with("xtask/"));
    let section = architecture.split_once("## Invariants").map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    for line in section.lines() {
        let Some((number, _)) = line.split_once(". ") else { continue };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let names = [format!("invariant {number}"), format!("invariant_{number}")];
        let is_named = engine().any(|file| names.iter().any(|name| names_whole(&file.test_text(), name)));
        if !is_named {
            problems.push(format!("ARCHITECTURE.md: no test names invariant {number}"));
        }
    }
    problems
}

/// The name stands there and no digit follows it.
fn names_whole(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| !text[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

fn reference(root: &Path) -> Result<Vec<Problem>, String> {
    let mut problems = Vec::new();
    for (page, name) in codegen::PAGES {
        if fs::read_to_string(root.join(name)).unwrap_or_default() != codegen::printed(root, page)? {
            problems.push(format!("{name}: not what the binary prints; run cargo xtask codegen"));
        }
    }
    for (name, text) in sdk::generated(root)? {
        if fs::read_to_string(root.join(name)).unwrap_or_default() != text {
            problems.push(format!("{name}: not what the OpenAPI document says; run cargo xtask codegen"));
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_named_whole() {
        assert!(names_whole("see invariant 1, too", "invariant 1"));
        assert!(!names_whole("see invariant 10", "invariant 1"));
    }

    #[test]
    fn only_a_test_outside_of_xtask_speaks_for_an_invariant() {
        let file =
            |name: &str, text: &str| source::File { name: name.into(), text: text.into(), is_test: true };
        let files = [
            file("crates/a/tests/b.rs", "fn invariant_1_x() {}"),
            file("xtask/src/a.rs", "// invariant 2\nx(1);"),
        ];
        let problems = invariants(&files, "## Invariants\n\n1. **A.**\n2. **B.**\n\n## Rest\n\n3. **C.**\n");
        assert_eq!(problems, ["ARCHITECTURE.md: no test names invariant 2"]);
    }
}
