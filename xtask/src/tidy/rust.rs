//! Rust as tokens and paths: enough of the language to find names, functions and comments. No parser.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier, a keyword or a number.
    Name,
    /// One character of punctuation, or `::`.
    Mark,
    /// A string or character literal with its quotes.
    Text,
    Comment,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Counted from 1.
    pub line: usize,
}

impl Token<'_> {
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, Kind::Name | Kind::Mark)
    }

    pub fn is_name(&self) -> bool {
        self.kind == Kind::Name && !self.text.starts_with(|c: char| c.is_ascii_digit())
    }
}

pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(next) = text[at..].chars().next() {
        let (kind, length) = first(&text[at..], next);
        let piece = &text[at..at + length];
        if let Some(kind) = kind {
            tokens.push(Token { kind, text: piece, line });
        }
        line += piece.matches('\n').count();
        at += length;
    }
    tokens
}

/// What begins here and how many bytes it has; `None` for blanks and lifetimes.
fn first(rest: &str, next: char) -> (Option<Kind>, usize) {
    if next.is_whitespace() {
        (None, next.len_utf8())
    } else if rest.starts_with("//") {
        (Some(Kind::Comment), rest.find('\n').unwrap_or(rest.len()))
    } else if rest.starts_with("/*") {
        (Some(Kind::Comment), rest.find("*/").map_or(rest.len(), |end| end + 2))
    } else if let Some(length) = literal(rest) {
        (Some(Kind::Text), length)
    } else if next == '\'' {
        let name = name_length(&rest[1..]);
        (None, 1 + name)
    } else if next.is_alphanumeric() || next == '_' {
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        (Some(Kind::Name), raw + name_length(&rest[raw..]))
    } else if rest.starts_with("::") {
        (Some(Kind::Mark), 2)
    } else {
        (Some(Kind::Mark), next.len_utf8())
    }
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// The length of a string or character literal, if one begins here.
fn literal(rest: &str) -> Option<usize> {
    let prefix = rest.find(|c: char| !matches!(c, 'b' | 'c' | 'r')).filter(|length| *length <= 2)?;
    let body = &rest[prefix..];
    let hashes = body.bytes().take_while(|byte| *byte == b'#').count();
    if rest[..prefix].ends_with('r') && body[hashes..].starts_with('"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
    }
    let quote = body.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    for (index, (at, c)) in body.char_indices().skip(1).enumerate() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(prefix + at + 1),
            // A lifetime: its name is not followed by a quote.
            _ if quote == '\'' && index > 0 && !body.starts_with("'\\") => return None,
            _ => {}
        }
    }
    (quote == '"').then_some(rest.len())
}

/// The position behind the item that begins at `start`: behind its `;` or its last brace. A field, variant
/// or arm ends at its comma.
pub fn end_of_item(tokens: &[Token<'_>], start: usize) -> usize {
    const ITEMS: [&str; 14] = [
        "pub",
        "fn",
        "mod",
        "use",
        "struct",
        "enum",
        "trait",
        "impl",
        "const",
        "static",
        "type",
        "unsafe",
        "async",
        "macro_rules",
    ];
    let mut at = start;
    while tokens.get(at).is_some_and(|token| token.is("#")) {
        at = end_of_group(tokens, at + 1);
    }
    let is_item = tokens.get(at).is_some_and(|token| ITEMS.contains(&token.text));
    while let Some(token) = tokens.get(at) {
        match token.text {
            ";" => return at + 1,
            "," if !is_item => return at + 1,
            "}" | ")" => return at,
            "{" => {
                at = end_of_group(tokens, at);
                let goes_on = tokens.get(at).is_some_and(|token| matches!(token.text, ";" | "," | "."));
                if !goes_on || is_item && !tokens[at].is(";") {
                    return at;
                }
            }
            "(" | "[" => at = end_of_group(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// The position behind the bracket that closes the one at `start`.
pub fn end_of_group(tokens: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        if token.kind == Kind::Mark {
            match token.text {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// A path that is written out: `a::b`, or one of those that a `use` names.
#[derive(Debug)]
pub struct Path {
    pub segments: Vec<String>,
    /// What a `use` calls it here; `*` for a glob.
    pub name: Option<String>,
    pub line: usize,
}

/// Every path of two or more segments, and those that `use` brings, group by group taken apart.
pub fn paths(tokens: &[Token<'_>]) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let line = tokens[at].line;
        if tokens[at].is("use") && tokens.get(at + 1).is_some_and(Token::is_name) {
            let end = end_of_item(tokens, at);
            paths.extend(used(&tokens[at + 1..end]));
            at = end;
            continue;
        }
        let mut segments = Vec::new();
        while tokens.get(at).is_some_and(Token::is_name) {
            segments.push(tokens[at].text.to_string());
            at += 1;
            if !tokens.get(at).is_some_and(|token| token.is("::")) {
                break;
            }
            at += 1;
        }
        match segments.len() {
            0 => at += 1,
            1 => {}
            _ => paths.push(Path { segments, name: None, line }),
        }
    }
    paths
}

/// The paths of a `use`, without its keyword.
pub fn used(tokens: &[Token<'_>]) -> Vec<Path> {
    let mut paths = Vec::new();
    flatten(tokens, &[], &mut paths);
    paths
}

fn flatten(tokens: &[Token<'_>], prefix: &[String], paths: &mut Vec<Path>) {
    let mut segments = prefix.to_vec();
    let Some(line) = tokens.first().map(|token| token.line) else { return };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "{" => {
                let end = end_of_group(tokens, at);
                let mut start = at + 1;
                while start < end - 1 {
                    let mut stop = start;
                    while stop < end - 1 && !tokens[stop].is(",") {
                        stop = if tokens[stop].is("{") { end_of_group(tokens, stop) } else { stop + 1 };
                    }
                    flatten(&tokens[start..stop], &segments, paths);
                    start = stop + 1;
                }
                return;
            }
            "*" => return paths.push(Path { segments, name: Some("*".to_string()), line }),
            "as" => {
                let name = tokens.get(at + 1).map(|name| name.text.to_string());
                return paths.push(Path { segments, name, line });
            }
            "self" if !segments.is_empty() => {}
            "::" | ";" => {}
            name => segments.push(name.to_string()),
        }
        at += 1;
    }
    let name = segments.last().cloned();
    paths.push(Path { segments, name, line });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn literals_comments_and_lifetimes_are_told_apart() {
        let text = "fn a<'b>(c: &'b str) { // d\n let e = ['f', '\\'', b'g']; r#\"h\"i\"#; \"j\\\"//\" }";
        let kinds = |kind| {
            let tokens = tokens(text).into_iter().filter(move |token| token.kind == kind);
            tokens.map(|token| token.text).collect::<Vec<_>>()
        };
        assert_eq!(kinds(Kind::Comment), ["// d"]);
        assert_eq!(kinds(Kind::Text), ["'f'", "'\\''", "b'g'", "r#\"h\"i\"#", "\"j\\\"//\""]);
        assert_eq!(kinds(Kind::Name), ["fn", "a", "c", "str", "let", "e"]);
    }

    #[test]
    fn an_item_ends_where_it_ends() {
        let text = "use a::{b, c}; struct D<E, F>(E, F); fn g<H, I>() -> [u8; 2] { j; } k";
        let tokens = tokens(text);
        let mut starts = vec![0];
        while *starts.last().unwrap_or(&0) < tokens.len() - 1 {
            starts.push(end_of_item(&tokens, *starts.last().unwrap_or(&0)));
        }
        let firsts: Vec<&str> = starts.iter().map(|at| tokens[*at].text).collect();
        assert_eq!(firsts, ["use", "struct", "fn", "k"]);
        assert_eq!(texts("a::b"), ["a", "::", "b"]);
    }

    #[test]
    fn a_group_is_taken_apart() {
        let tokens = tokens("use a::{b::{self, c}, d as e, f::*}; g::h::i(j); k");
        let paths = paths(&tokens);
        let read = paths.iter().map(|path| format!("{} {:?}", path.segments.join("::"), path.name));
        assert_eq!(
            read.collect::<Vec<_>>().join(", ").replace("Some(\"", "").replace("\")", ""),
            "a::b b, a::b::c c, a::d e, a::f *, g::h::i None"
        );
    }
}
