//! Each file says what it is for, stays short enough to be read at once, and names things of the domain.

use super::Problem;
use super::source::File;

const LONGEST: usize = 700;
/// Words that say nothing about what a thing is.
const EMPTY_WORDS: [&str; 4] = ["Manager", "Helper", "Util", "Utils"];

pub fn check(files: &[File]) -> Vec<Problem> {
    files.iter().flat_map(|file| [docs(file), names(file)]).flatten().collect()
}

/// Files that are too long to be read at once.
pub fn long(files: &[File]) -> Vec<Problem> {
    files.iter().filter_map(length).collect()
}

fn docs(file: &File) -> Option<Problem> {
    let first = file.text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("#!"));
    let says = first.is_some_and(|line| line.starts_with("//!") && line.len() > "//! ".len());
    (!says).then(|| format!("{}:1: no module documentation", file.name))
}

fn length(file: &File) -> Option<Problem> {
    let lines = file.text.lines().count();
    (lines > LONGEST).then(|| format!("{}: {lines} lines, more than {LONGEST}", file.name))
}

fn names(file: &File) -> Option<Problem> {
    file.text.lines().enumerate().find_map(|(index, line)| {
        let line = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        let name = ["struct ", "enum ", "trait "].iter().find_map(|keyword| line.strip_prefix(keyword))?;
        let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
        let word = EMPTY_WORDS.iter().find(|word| name.ends_with(**word))?;
        Some(format!("{}:{}: `{name}`: {word} says nothing about what it is", file.name, index + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_found() {
        let file = |text: &str| File { name: "a.rs".into(), text: text.into(), is_test: false };
        let long = format!("//! Doc.\n{}", "x\n".repeat(700));
        assert_eq!(check(&[file("//! Doc.\nstruct Store;\n")]), Vec::<String>::new());
        assert_eq!(check(&[file("use a;\n")]), ["a.rs:1: no module documentation"]);
        assert_eq!(super::long(&[file(&long)]), ["a.rs: 701 lines, more than 700"]);
        let named = check(&[file("//! Doc.\npub struct StoreManager;\n")]);
        assert_eq!(named, ["a.rs:2: `StoreManager`: Manager says nothing about what it is"]);
    }
}
