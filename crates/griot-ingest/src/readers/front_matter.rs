//! The block between `---` lines at the start of a Markdown file: `key: value` and lists, nothing more of
//! YAML.

/// The fields that are read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
    /// As written, with its line. That of the text comes before those of its file.
    pub(crate) date: Option<(u32, String)>,
    pub(crate) tags: Vec<String>,
    /// Other names of what the title names.
    pub(crate) aliases: Vec<String>,
}

/// Keys of the time of a text; the first ones win.
const DATES: [&str; 6] = ["date", "published", "publishdate", "pubdate", "created", "date created"];

/// The front matter, and how many lines and bytes it takes. `None` without any: a first line `---` that is
/// not closed, or that encloses prose, is a rule.
pub(crate) fn read(text: &str) -> Option<(FrontMatter, u32, usize)> {
    let mut lines = text.split_inclusive('\n');
    let mut bytes = lines.next().filter(|line| line.trim_end() == "---")?.len();
    let mut front = FrontMatter::default();
    let mut rank = DATES.len();
    let mut key = String::new();
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
            match key.as_str() {
                "tags" | "tag" => front.tags.extend(value(item)),
                "aliases" | "alias" => front.aliases.extend(value(item)),
                _ => {}
            }
        } else if let Some((name, rest)) = line.split_once(':').filter(|(name, _)| is_key(name)) {
            key = name.to_lowercase();
            match key.as_str() {
                "title" => front.title = value(rest),
                "lang" | "language" => front.language = value(rest),
                "tags" | "tag" => front.tags.extend(list(rest)),
                "aliases" | "alias" => front.aliases.extend(list(rest)),
                _ => {}
            }
            let dated = DATES.iter().position(|date| *date == key).zip(value(rest));
            if let Some((own, date)) = dated.filter(|(own, _)| *own < rank) {
                (rank, front.date) = (own, Some((number, date)));
            }
        } else if !line.starts_with([' ', '\t']) {
            return None;
        }
    }
    None
}

fn is_key(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(char::is_alphabetic)
            && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
    };
    name.split(' ').count() <= 3 && name.split(' ').all(is_word)
}

/// The values of a list in one line. Commas divide it, except between quotation marks.
fn list(text: &str) -> Vec<String> {
    let text = text.trim();
    let inside = text.strip_prefix('[').and_then(|rest| Some(rest[..rest.rfind(']')?].trim()));
    let (mut found, mut start, mut open) = (Vec::new(), 0, None);
    let text = inside.unwrap_or(text);
    for (at, c) in text.char_indices() {
        match open {
            Some(mark) if mark == c => open = None,
            None if matches!(c, '"' | '\'') && text[start..at].trim().is_empty() => open = Some(c),
            None if c == ',' => {
                found.extend(value(&text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(value(&text[start..]));
    found
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
