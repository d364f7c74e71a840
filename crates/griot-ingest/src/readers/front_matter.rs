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
