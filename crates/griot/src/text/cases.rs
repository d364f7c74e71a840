//! Cases of tests, from the files of `tests/cases`.
//!
//! A line holds a text and what is found in it, with a tab between them. A line that begins with `==` is the
//! heading of the lines below it. `\n`, `\r` and `\s` are a line break, a carriage return and a space.

/// Compares what is found in the text of each case with what the file says.
#[track_caller]
pub(crate) fn check(file: &str, found: impl Fn(&str) -> String) {
    let plain = |text: &str| text.replace("\\n", "\n").replace("\\r", "\r").replace("\\s", " ");
    let mut heading = "";
    for line in file.lines().filter(|line| !line.is_empty()) {
        if let Some(next) = line.strip_prefix("== ") {
            heading = next;
            continue;
        }
        let (text, expected) = line.split_once('\t').unwrap_or((line, ""));
        let text = plain(text);
        assert_eq!(found(&text).trim_end(), plain(expected), "{heading}: {text}");
    }
}
