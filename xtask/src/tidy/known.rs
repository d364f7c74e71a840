//! Known violations of the rules, counted in `xtask/known.tsv`. A count may only fall.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Problem, read};

const HEAD: &str = "\
# Known violations of `cargo xtask check`: rule, what, count. The check fails above a count;
# `cargo xtask check lower` writes down counts that have fallen.
";

/// Violations by rule and kind: allowed, found.
type Counts = BTreeMap<(String, String), (usize, usize)>;

pub struct Known {
    path: PathBuf,
    counts: Counts,
}

impl Known {
    pub fn read(root: &Path) -> Result<Known, String> {
        let path = root.join("xtask/known.tsv");
        Ok(Known { counts: parse(&read(&path)?)?, path })
    }

    /// The problems, if there are more than the file allows.
    pub fn allow(&mut self, rule: &str, what: &str, problems: Vec<Problem>) -> Vec<Problem> {
        let count = self.counts.entry((rule.to_string(), what.to_string())).or_default();
        count.1 = problems.len();
        let (allowed, found) = *count;
        if found <= allowed {
            return Vec::new();
        }
        let sum = format!("{rule} {what}: {found}, and xtask/known.tsv allows {allowed}");
        if allowed == 0 { problems } else { problems.into_iter().chain([sum]).collect() }
    }

    /// Violations of a rule found in this run.
    pub fn found(&self, rule: &str) -> usize {
        let of_rule = self.counts.iter().filter(|((named, _), _)| named == rule);
        of_rule.map(|(_, (_, found))| found).sum()
    }

    /// How many counts are below what the file says.
    pub fn fallen(&self) -> usize {
        self.counts.values().filter(|(allowed, found)| found < allowed).count()
    }

    pub fn lower(&self) -> Result<(), String> {
        fs::write(&self.path, text(&self.counts))
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

fn parse(text: &str) -> Result<Counts, String> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut cells = line.split('\t');
            let row = (cells.next(), cells.next(), cells.next().and_then(|count| count.parse().ok()));
            let (Some(rule), Some(what), Some(count)) = row else {
                return Err(format!("xtask/known.tsv: not a rule, a name and a count: {line}"));
            };
            Ok(((rule.to_string(), what.to_string()), (count, 0)))
        })
        .collect()
}

fn text(counts: &Counts) -> String {
    let kept = counts.iter().map(|(key, (allowed, found))| (key, allowed.min(found)));
    let lines = kept.filter(|(_, count)| **count > 0);
    lines.fold(HEAD.to_string(), |text, ((rule, what), count)| format!("{text}{rule}\t{what}\t{count}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_may_only_fall() -> Result<(), String> {
        let mut known = Known { path: PathBuf::new(), counts: parse("word\ta\t2\nword\tb\t1\n")? };
        let problems = |count| vec!["x".to_string(); count];
        assert_eq!(known.allow("word", "a", problems(1)), problems(0));
        assert_eq!(known.allow("word", "b", problems(2)).len(), 3);
        assert_eq!(known.allow("word", "c", problems(1)), problems(1));
        assert_eq!((known.found("word"), known.fallen()), (4, 1));
        assert_eq!(text(&known.counts), format!("{HEAD}word\ta\t1\nword\tb\t1\n"));
        Ok(())
    }
}
