//! Rust files as text, with the parts that only tests see told apart. No parser.

use std::collections::BTreeMap;
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
                Some("target" | "node_modules" | "fuzz" | "build" | "dist" | "dist-app")
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
    /// The lines of [`Self::product`] with their numbers, without blanks.
    pub fn code(&self) -> BTreeMap<usize, String> {
        let mut lines: BTreeMap<usize, String> = BTreeMap::new();
        for token in self.product() {
            lines.entry(token.line).or_default().push_str(token.text);
        }
        lines
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
}

fn is_for_tests(tokens: &[Token<'_>]) -> bool {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    tokens.len() > MARK.len() && MARK.iter().zip(tokens).all(|(mark, token)| token.is(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_what_tests_do_not_see() {
        let text = "//! Doc.\nuse a; // use b\n#[cfg(test)]\nmod tests {\n    use c;\n}\nuse d::E;\n";
        let file = File { name: "crates/x/src/a.rs".into(), text: text.into(), is_test: false };
        let code: Vec<(usize, String)> = file.code().into_iter().collect();
        assert_eq!(code, [(2, "usea;".to_string()), (7, "used::E;".to_string())]);
    }
}
