//! The block between `---` lines at the start of a Markdown file: `key: value` and lists, nothing more of
//! YAML.

/// The fields that are read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
    /// As written, with its line.
    pub(crate) date: Option<(u32, String)>,
    pub(crate) tags: Vec<String>,
}

/// The front matter, and how many lines and bytes it takes. `None` without any: a first line `---` that is
/// not closed, or that encloses prose, is a rule.
pub(crate) fn read(text: &str) -> Option<(FrontMatter, u32, usize)> {
    let mut lines = text.split_inclusive('\n');
    let mut bytes = lines.next().filter(|line| line.trim_end() == "---")?.len();
    let mut front = FrontMatter::default();
    let mut key = "";
    for (number, line) in (2..).zip(lines) {
        bytes += line.len();
        let line = line.trim_end();
        if line == "---" || line == "..." {
            return Some((front, number, bytes));
        }
        let item = line.trim_start();
        if item.is_empty() || item.starts_with('#') {
            continue;
        }
        if let Some(item) = item.strip_prefix("- ").or_else(|| (item == "-").then_some("")) {
            if key == "tags" {
                front.tags.extend(value(item));
            }
        } else if let Some((name, rest)) = line.split_once(':').filter(|(name, _)| is_key(name)) {
            key = name;
            match key.to_lowercase().as_str() {
                "title" => front.title = value(rest),
                "lang" | "language" => front.language = value(rest),
                "date" => front.date = value(rest).map(|date| (number, date)),
                "tags" => {
                    key = "tags";
                    let list = rest.trim();
                    let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
                    front.tags.extend(list.split(',').filter_map(value));
                }
                _ => {}
            }
        } else if !line.starts_with([' ', '\t']) {
            return None;
        }
    }
    None
}

fn is_key(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// A value without its quotation marks, or without a comment.
fn value(text: &str) -> Option<String> {
    let text = text.trim();
    let quoted = ['"', '\''].iter().find_map(|&mark| {
        let rest = text.strip_prefix(mark)?;
        Some(&rest[..rest.find(mark)?])
    });
    let plain = || text.split(" #").next().unwrap_or_default();
    let text = quoted.unwrap_or_else(plain).trim();
    (!text.is_empty()).then(|| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_lists() {
        let text = "---\ntitle: \"Why: we left\" # really\nDate: 2026-03-02\ntags: [infra, 'data base']\n\
                    layout: post\nnested:\n  a: 1\n---\n# Head\n";
        let (front, lines, bytes) = read(text).expect("front matter");
        assert_eq!(front.title.as_deref(), Some("Why: we left"));
        assert_eq!(front.date, Some((3, "2026-03-02".to_string())));
        assert_eq!(front.tags, ["infra", "data base"]);
        assert_eq!((lines, &text[bytes..]), (8, "# Head\n"));
    }

    #[test]
    fn lists_in_lines() {
        let (front, lines, _) =
            read("---\r\ntags:\r\n  - a\r\n  - b # c\r\nother:\r\n  - x\r\n---\r\n").expect("front matter");
        assert_eq!((front.tags, lines), (vec!["a".to_string(), "b".to_string()], 7));
        assert_eq!(read("---\ntags: a, b\n---").expect("front matter").0.tags, ["a", "b"]);
    }

    #[test]
    fn rules_are_no_front_matter() {
        assert_eq!(read("---\nSome words.\n---\n"), None);
        assert_eq!(read("---\ntitle: open\n"), None);
        assert_eq!(read("text\n---\n"), None);
        assert_eq!(read(""), None);
        assert!(read("---\n---\n").is_some());
    }
}
