//! Subjects of commits fit a line of `git log`.

use std::path::Path;
use std::process::Command;

use super::Problem;

const LONGEST: usize = 72;
/// The last commit before this rule.
const SINCE: &str = "d4dd40c5641fced98027a8a0399c95982b6a3aba";

/// Nothing where there is no history, as in an unpacked archive.
pub fn check(root: &Path) -> Vec<Problem> {
    let arguments = ["log", "--no-merges", "--format=%h %s", &format!("{SINCE}..HEAD")];
    let Ok(output) = Command::new("git").args(arguments).current_dir(root).output() else {
        return Vec::new();
    };
    String::from_utf8_lossy(&output.stdout).lines().filter_map(too_long).collect()
}

fn too_long(line: &str) -> Option<Problem> {
    let (commit, subject) = line.split_once(' ')?;
    let length = subject.chars().count();
    (length > LONGEST)
        .then(|| format!("commit {commit}: a subject of {length} characters, more than {LONGEST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_fits_a_line() {
        assert_eq!(too_long(&format!("abc {}", "x".repeat(72))), None);
        assert!(too_long(&format!("abc {}", "x".repeat(73))).is_some());
    }
}
