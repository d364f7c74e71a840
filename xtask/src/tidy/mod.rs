//! Tidiness: rules of the architecture that no compiler knows, each with the file and line that breaks it.
//!
//! - `imports`: imports follow the tables in ARCHITECTURE.md; SQL and clocks only where they belong
//! - `modules`: no import cycle between the files of a crate
//! - `numbers`: sizes and counts, printed as a table
//! - `known`: how often the code still breaks a rule
//! - `files`: module docs, length, names
//! - `links`: links between documents lead somewhere
//! - `width`: lines fit a screen
//! - `words`: one word for one thing; documents do not say what is missing
//! - `subjects`: subjects of commits are short
//! - the pages of `docs/reference`, the JSON Schema and the SDKs' types are what the binary prints; every
//!   invariant has a test that names it

mod files;
mod imports;
mod known;
mod links;
mod modules;
mod numbers;
mod rust;
mod source;
mod subjects;
mod width;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use self::known::Known;
use self::modules::Crate;
use crate::codegen;

/// One thing that is not as it should be: where, and what.
pub type Problem = String;

/// Prints the table of numbers and every violation. With `lower`, writes the counts that have fallen to
/// `xtask/known.tsv`.
pub fn check(root: &Path, lower: bool) -> Result<(), String> {
    let rust = source::read_all(root)?;
    let documents = documents(root)?;
    let architecture = read(&root.join("ARCHITECTURE.md"))?;
    let mut known = Known::read(root)?;
    let mut problems = structure(&rust, &architecture, &mut known)?;
    problems.extend(imports::check(&rust, &architecture));
    problems.extend(files::check(&rust));
    problems.extend(known.allow("long file", "all", files::long(&rust)));
    for (what, wide) in width::check(root, &rust, &documents)? {
        problems.extend(known.allow("wide line", &what, wide));
    }
    for (word, uses) in words::check(root, &rust, &documents, &architecture)? {
        problems.extend(known.allow("word", &word, uses));
    }
    problems.extend(words::stale(root, &documents));
    problems.extend(known.allow("long subject", "all", subjects::check(root)));
    problems.extend(links::check(root, &documents));
    problems.extend(invariants(&rust, &architecture));
    problems.extend(reference(root)?);
    problems.sort();
    if lower {
        known.lower()?;
    } else if known.fallen() > 0 {
        eprintln!("{} counts of xtask/known.tsv have fallen: cargo xtask check lower", known.fallen());
    }
    if problems.is_empty() {
        eprintln!("tidy: {} source files, {} documents", rust.len(), documents.len());
        return Ok(());
    }
    Err(format!("{}\ntidy: {} problems", problems.join("\n"), problems.len()))
}

/// Imports and cycles; prints the numbers.
fn structure(rust: &[source::File], architecture: &str, known: &mut Known) -> Result<Vec<Problem>, String> {
    let mut problems = Vec::new();
    for (what, found) in imports::against(rust, architecture)? {
        problems.extend(known.allow("import", &what, found));
    }
    let crates = Crate::all(rust);
    let mut cycles = Vec::new();
    for tree in &crates {
        let of_tree = modules::cycles(&tree.imports());
        let found = of_tree.iter().flatten().map(|file| format!("{file}: part of an import cycle"));
        problems.extend(known.allow("cycle", &tree.name, found.collect()));
        cycles.extend(of_tree);
    }
    print!("{}", numbers::table(rust, &crates, &cycles, known.found("import")));
    Ok(problems)
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
    for folder in ["docs", "examples", "crates", "sdk", "tools"] {
        source::walk(&root.join(folder), &mut paths);
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.into_iter().map(|path| Ok((path.clone(), read(&path)?))).collect()
}

/// Each numbered item under the heading "Invariants" has a test `invariant_N_…`.
fn invariants(rust: &[source::File], architecture: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let section = architecture.split_once("## Invariants").map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    for line in section.lines() {
        let Some((number, _)) = line.split_once(". ") else { continue };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let test = format!("fn invariant_{number}_");
        // The tests of this check name invariants as examples.
        let mut engine = rust.iter().filter(|file| !file.name.starts_with("xtask/"));
        if !engine.any(|file| file.text.contains(&test)) {
            problems.push(format!("ARCHITECTURE.md: no test names invariant {number}"));
        }
    }
    problems
}

/// Generated files that are not what would be generated now.
fn reference(root: &Path) -> Result<Vec<Problem>, String> {
    let files = codegen::files(root)?.into_iter();
    let stale = files.filter(|(name, text)| fs::read_to_string(root.join(name)).ok().as_ref() != Some(text));
    Ok(stale
        .map(|(name, _)| format!("{name}: not what the binary prints; run cargo xtask codegen"))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_test_outside_of_xtask_speaks_for_an_invariant() {
        let file =
            |name: &str, text: &str| source::File { name: name.into(), text: text.into(), is_test: true };
        let files = [
            file("crates/a/tests/b.rs", "fn invariant_1_x() {}\nfn invariant_20_x() {}"),
            file("xtask/src/a.rs", "fn invariant_2_x() {}"),
        ];
        let problems = invariants(&files, "## Invariants\n\n1. **A.**\n2. **B.**\n\n## Rest\n\n3. **C.**\n");
        assert_eq!(problems, ["ARCHITECTURE.md: no test names invariant 2"]);
    }
}
