//! One word for one thing, by the table of words in ARCHITECTURE.md; statements in documents that go stale.
//!
//! Counted in comments and string literals of Rust and in the prose of documents. A counted word may have
//! other meanings (a letter of the alphabet), so the counts of `known` need not reach zero.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::rust::{self, Kind};
use super::source::{self, File};
use super::{Problem, imports, links, width};

/// Text by file and line.
type Lines = Vec<(String, usize, String)>;

/// Uses of each word that the table replaces by another.
pub fn check(
    root: &Path,
    rust: &[File],
    documents: &[(PathBuf, String)],
    architecture: &str,
) -> Result<BTreeMap<String, Vec<Problem>>, Problem> {
    let words = table(architecture)?;
    let mut uses: BTreeMap<String, Vec<Problem>> =
        words.keys().map(|word| (word.clone(), Vec::new())).collect();
    // The table itself is in ARCHITECTURE.md, in cells that are not prose.
    for (name, line, text) in of_rust(rust).into_iter().chain(of_documents(root, documents)) {
        for word in spoken(&text) {
            if let (Some(instead), Some(uses)) = (words.get(&word), uses.get_mut(&word)) {
                uses.push(format!("{name}:{line}: `{word}`: write {instead}"));
            }
        }
    }
    Ok(uses)
}

/// Lines of documents that say "yet" or "not there" without a link to an issue.
pub fn stale(root: &Path, documents: &[(PathBuf, String)]) -> Vec<Problem> {
    let lines = of_documents(root, documents).into_iter();
    let says = |text: &str| spoken(text).any(|word| word == "yet") || text.contains("not there");
    let stale = lines
        .filter(|(name, _, text)| !name.ends_with("CHANGELOG.md") && says(text) && !text.contains("issue"));
    stale
        .map(|(name, line, _)| format!("{name}:{line}: says what is missing; name the issue, or say what is"))
        .collect()
}

fn of_rust(files: &[File]) -> Lines {
    let files = files.iter().filter(|file| !file.name.starts_with("xtask/"));
    let tokens = files.flat_map(|file| rust::tokens(&file.text).into_iter().map(move |token| (file, token)));
    let texts = tokens.filter(|(_, token)| matches!(token.kind, Kind::Comment | Kind::Text));
    texts.map(|(file, token)| (file.name.clone(), token.line, token.text.to_string())).collect()
}

fn of_documents(root: &Path, documents: &[(PathBuf, String)]) -> Lines {
    let generated = width::generated();
    let mut lines = Lines::new();
    for (path, text) in documents {
        let name = source::name(root, path);
        if generated.contains(&name.as_str()) || name.starts_with("examples/") {
            continue;
        }
        let prose =
            links::prose(text).filter(|(_, line)| !line.starts_with('|') || name != "ARCHITECTURE.md");
        lines.extend(prose.map(|(number, line)| (name.clone(), number, without_code(line))));
    }
    lines
}

fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Words in lower case.
fn spoken(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Words of the column `not` in the table `| say | not |`, each with what to say instead.
fn table(architecture: &str) -> Result<BTreeMap<String, String>, Problem> {
    let mut words = BTreeMap::new();
    for cells in imports::table(architecture, ["say", "not"])? {
        words.extend(imports::words(&cells[1]).into_iter().map(|word| (word, cells[0].clone())));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_table_are_found_in_text_and_not_in_code() {
        let text = "//! An email is no letter.\nfn letter() { f(\"a Letter\") }\n".to_string();
        let file = File { name: "crates/a/src/lib.rs".into(), text, is_test: false };
        let table = "| say | not | of |\n|---|---|---|\n| email | `letter` | mail |\n";
        let document =
            (PathBuf::from("/r/a.md"), "A `letter`.\nNo letter yet.\nNothing (issue 3) yet.\n".to_string());
        let found = check(Path::new("/r"), &[file], std::slice::from_ref(&document), table);
        assert_eq!(
            found.unwrap_or_default().into_values().flatten().collect::<Vec<_>>(),
            [
                "crates/a/src/lib.rs:1: `letter`: write email",
                "crates/a/src/lib.rs:2: `letter`: write email",
                "a.md:2: `letter`: write email",
            ]
        );
        assert_eq!(stale(Path::new("/r"), &[document]).len(), 1);
    }
}
