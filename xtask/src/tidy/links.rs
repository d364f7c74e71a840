//! Links between documents: the file is there, and the heading too.

use std::path::{Path, PathBuf};

use super::Problem;

pub fn check(root: &Path, documents: &[(PathBuf, String)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in documents {
        let name = path.strip_prefix(root).unwrap_or(path).display();
        for (number, target) in links(text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let there = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            let Ok(there) = there.canonicalize() else {
                problems.push(format!("{name}:{number}: no such file: {target}"));
                continue;
            };
            if !anchor.is_empty() {
                let known =
                    documents.iter().find(|(other, _)| other.canonicalize().is_ok_and(|it| it == there));
                if known.is_some_and(|(_, text)| !headings(text).iter().any(|heading| heading == anchor)) {
                    problems.push(format!("{name}:{number}: no such heading: {target}"));
                }
            }
        }
    }
    problems
}

/// Targets of `[text](target)` outside of code, with their line.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // Every second piece between backticks is code.
        for piece in line.split('`').step_by(2) {
            let targets = piece.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
            found.extend(targets.filter(|target| !target.is_empty()).map(|target| (number, target)));
        }
    }
    found
}

/// Lines outside of fenced code.
pub fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((index + 1, line))
    })
}

/// Headings as links name them: lower case, letters, digits, `-` and `_`, blanks as `-`.
fn headings(text: &str) -> Vec<String> {
    prose(text)
        .filter_map(|(_, line)| {
            line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim().to_lowercase())
        })
        .map(|heading| {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_no_links() {
        let text = "See [a](b.md#c) and `[x](y)`.\n```\n[z](w)\n```\n[e](#f)\n";
        assert_eq!(links(text), [(1, "b.md#c"), (5, "#f")]);
    }

    #[test]
    fn headings_are_named_as_links_name_them() {
        assert_eq!(headings("# A b\n## The `recall` verb, twice\n"), ["a-b", "the-recall-verb-twice"]);
    }
}
