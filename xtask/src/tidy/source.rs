//! Rust files as text, with the parts that only tests see told apart. Read by lines; no parser.

use std::fs;
use std::path::{Path, PathBuf};

use super::rust::{self, Kind, Token};

pub struct File {
    /// Relative to the workspace, with forward slashes.
    pub name: String,
    pub text: String,
    /// The whole file is for tests.
    pub is_test: bool,
}

/// Every Rust file under `crates` and `xtask`.
pub fn read_all(root: &Path) -> Result<Vec<File>, String> {
    let mut paths = Vec::new();
    walk(&root.join("crates"), &mut paths);
    walk(&root.join("xtask"), &mut paths);
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let text =
            fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let name = name(root, &path);
        let is_test = name.contains("/tests/") || name.ends_with("/tests.rs") || name.ends_with("_tests.rs");
        files.push(File { name, text, is_test });
    }
    mark_test_modules(&mut files);
    Ok(files)
}

/// A path as messages and tables name it.
pub fn name(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string().replace('\\', "/")
}

pub fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !matches!(
                entry.file_name().to_str(),
                Some("target" | "node_modules" | "fuzz" | "build" | "dist")
            ) {
                walk(&path, paths);
            }
        } else {
            paths.push(path);
        }
    }
}

/// Files that are declared as `#[cfg(test)] mod name;` are for tests.
fn mark_test_modules(files: &mut [File]) {
    let mut named = Vec::new();
    for file in files.iter() {
        let Some((folder, last)) = file.name.rsplit_once('/') else { continue };
        let folder = match last {
            "mod.rs" | "lib.rs" | "main.rs" => folder.to_string(),
            _ => format!("{folder}/{}", last.trim_end_matches(".rs")),
        };
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            let name = pair[1]
                .trim_start_matches("pub(crate) ")
                .strip_prefix("mod ")
                .and_then(|m| m.strip_suffix(';'));
            if let (true, Some(name)) = (pair[0].starts_with("#[cfg(test)]"), name) {
                named.push(format!("{folder}/{name}"));
            }
        }
    }
    for file in files {
        let own = file.name.trim_end_matches(".rs").trim_end_matches("/mod");
        file.is_test |= named.iter().any(|name| own == name || own.starts_with(&format!("{name}/")));
    }
}

impl File {
    /// Lines with their numbers, without comments and without the part that only tests see.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = if self.is_test { 0 } else { self.test_start() };
        self.text.lines().enumerate().take(end).map(|(index, line)| (index + 1, without_comment(line)))
    }

    /// What the product is made of: without comments, without what stands under `#[cfg(test)]`.
    pub fn product(&self) -> Vec<Token<'_>> {
        if self.is_test {
            return Vec::new();
        }
        let mut tokens = rust::tokens(&self.text);
        tokens.retain(|token| token.kind != Kind::Comment);
        let mut kept = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            if is_for_tests(&tokens[at..]) {
                at = rust::end_of_item(&tokens, at);
            } else {
                kept.push(tokens[at]);
                at += 1;
            }
        }
        kept
    }

    /// What only tests see.
    pub fn test_text(&self) -> String {
        let start = if self.is_test { 0 } else { self.test_start() };
        self.text.lines().skip(start).collect::<Vec<_>>().join("\n")
    }

    /// Index of the line where an inline test module begins; it is the last item of its file.
    fn test_start(&self) -> usize {
        let lines: Vec<&str> = self.text.lines().collect();
        let is_start = |pair: &[&str]| {
            pair[0].trim() == "#[cfg(test)]"
                && pair[1].trim_start().starts_with("mod ")
                && pair[1].ends_with('{')
        };
        lines.windows(2).position(is_start).unwrap_or(lines.len())
    }
}

fn is_for_tests(tokens: &[Token<'_>]) -> bool {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    tokens.len() > MARK.len() && MARK.iter().zip(tokens).all(|(mark, token)| token.is(mark))
}

/// Good enough for what is looked for: `//` in a string ends the line too early at worst.
fn without_comment(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_where_tests_begin() {
        let text = "//! Doc.\nuse a; // use b\n#[cfg(test)]\nmod tests {\n    use c;\n}\n";
        let file = File { name: "crates/x/src/a.rs".into(), text: text.into(), is_test: false };
        let code: Vec<(usize, &str)> = file.code().collect();
        assert_eq!(code, [(1, ""), (2, "use a; ")]);
        assert!(file.test_text().contains("use c;") && !file.test_text().contains("use a;"));
    }
}
