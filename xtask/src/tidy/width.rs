//! Lines that fit a screen: Rust, Markdown, TOML, Python and TypeScript that people write.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::source::{self, File};
use super::{Problem, links};
use crate::{codegen, sdk};

const WIDEST: usize = 110;

/// Lines that are too wide, by crate, or by the kind of file.
pub fn check(
    root: &Path,
    rust: &[File],
    documents: &[(PathBuf, String)],
) -> Result<BTreeMap<String, Vec<Problem>>, String> {
    let mut wide: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
    for file in rust {
        let folder = file.name.trim_start_matches("crates/").split('/').next().unwrap_or_default();
        let lines = file.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        wide.entry(folder.to_string()).or_default().extend(too_wide(&file.name, lines));
    }
    let generated = generated();
    for (path, text) in documents {
        let name = source::name(root, path);
        // The examples are input of `griot demo`.
        if !generated.contains(&name.as_str()) && !name.starts_with("examples/") {
            let prose = links::prose(text).filter(|(_, line)| !line.trim_start().starts_with('|'));
            wide.entry("documents".to_string()).or_default().extend(too_wide(&name, prose));
        }
    }
    for path in others(root) {
        let name = source::name(root, &path);
        if !generated.contains(&name.as_str()) {
            let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {name}: {error}"))?;
            let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
            wide.entry("sdk and settings".to_string()).or_default().extend(too_wide(&name, lines));
        }
    }
    Ok(wide)
}

fn too_wide<'a>(name: &str, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Problem> {
    let widths = lines.map(|(number, line)| (number, line.chars().count()));
    let wide = widths.filter(|(_, width)| *width > WIDEST);
    wide.map(|(number, width)| format!("{name}:{number}: {width} columns, more than {WIDEST}")).collect()
}

/// Documents and code that programs write.
pub fn generated() -> Vec<&'static str> {
    codegen::PAGES
        .iter()
        .map(|(_, name)| *name)
        .chain(sdk::FILES.map(|(name, _)| name))
        .chain(["docs/quality.md", "docs/quality-left-out.md"])
        .collect()
}

/// TOML, Python and TypeScript.
fn others(root: &Path) -> Vec<PathBuf> {
    let mut paths = vec![root.join("Cargo.toml"), root.join("rustfmt.toml")];
    for folder in ["crates", "xtask", "sdk", "tools"] {
        source::walk(&root.join(folder), &mut paths);
    }
    let kinds = ["toml", "py", "ts", "mts"];
    paths.retain(|path| {
        path.extension().and_then(|kind| kind.to_str()).is_some_and(|kind| kinds.contains(&kind))
    });
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_not_bytes() {
        let lines = ["é".repeat(110), "é".repeat(111)];
        let lines = lines.iter().enumerate().map(|(index, line)| (index + 1, line.as_str()));
        assert_eq!(too_wide("a.md", lines), ["a.md:2: 111 columns, more than 110"]);
    }
}
