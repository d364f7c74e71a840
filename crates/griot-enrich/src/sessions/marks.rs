//! Observations as text between marks: `<observation><title>…</title>…</observation>`. It is no XML document:
//! an element may miss its end, and anything may stand between two of them.

const OBSERVATION: &str = "observation";
/// Marks that begin a part of an observation.
const PARTS: &[&str] = &["type", "title", "turns", "narrative", "facts", "triples", "concepts"];

/// An observation as it is written, unchecked.
#[derive(Default)]
pub(super) struct Parts {
    pub kind: String,
    pub title: String,
    pub narrative: String,
    pub facts: Vec<String>,
    pub turns: Vec<String>,
    pub triples: Vec<[String; 3]>,
    pub concepts: Vec<String>,
}

/// The observations, `None` for one without a title. Nothing if there is no observation in the text, and it
/// does not say so either.
pub(super) fn read(text: &str) -> Option<Vec<Option<Parts>>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut is_any = false;
    while let Some((_, after)) = split(rest, &begin(OBSERVATION)) {
        is_any = true;
        let next = position(after, &begin(OBSERVATION)).unwrap_or(after.len());
        let end = position(after, &end(OBSERVATION)).unwrap_or(next).min(next);
        found.push(parts(&after[..end]));
        rest = &after[next..];
    }
    (is_any || position(text, "<none/>").is_some()).then_some(found)
}

fn parts(text: &str) -> Option<Parts> {
    let several = |outer: &str, name: &str| all(&inside(text, outer).unwrap_or_default(), name);
    let triples = several("triples", "triple");
    let part = |triple: &str, name: &str| inside(triple, name).map(|text| plain(&text)).unwrap_or_default();
    Some(Parts {
        kind: inside(text, "type").map(|text| plain(&text)).unwrap_or_default(),
        title: inside(text, "title").map(|text| plain(&text))?,
        narrative: inside(text, "narrative").map(|text| plain(&text)).unwrap_or_default(),
        facts: several("facts", "fact").iter().map(|text| plain(text)).collect(),
        turns: inside(text, "turns")
            .unwrap_or_default()
            .split(|c: char| c.is_whitespace() || c == ',')
            .map(plain)
            .collect(),
        triples: triples
            .iter()
            .map(|triple| ["subject", "predicate", "object"].map(|name| part(triple, name)))
            .collect(),
        concepts: several("concepts", "concept").iter().map(|text| plain(text)).collect(),
    })
}

fn begin(name: &str) -> String {
    format!("<{name}>")
}

fn end(name: &str) -> String {
    format!("</{name}>")
}

/// Where a mark is, in upper or lower case.
fn position(text: &str, mark: &str) -> Option<usize> {
    // Marks are ASCII, so that both of its ends are between characters.
    text.as_bytes().windows(mark.len()).position(|part| part.eq_ignore_ascii_case(mark.as_bytes()))
}

fn split<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let at = position(text, mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

/// The text of the first element with this name; if it is never closed, up to the next part.
fn inside(text: &str, name: &str) -> Option<String> {
    let (_, after) = split(text, &begin(name))?;
    let closed = position(after, &end(name));
    let next =
        PARTS.iter().filter(|part| **part != name).filter_map(|part| position(after, &begin(part))).min();
    let to = closed.or(next).unwrap_or(after.len());
    Some(after[..to].to_string())
}

/// The texts of all closed elements with this name.
fn all(text: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = split(rest, &begin(name)) {
        let Some((inner, behind)) = split(after, &end(name)) else { break };
        found.push(inner.to_string());
        rest = behind;
    }
    found
}

/// The text with the five escapes of XML undone.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let escapes = [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\'')];
        let (escape, letter) =
            escapes.into_iter().find(|(escape, _)| rest.starts_with(escape)).unwrap_or(("&", '&'));
        plain.push(letter);
        rest = &rest[escape.len()..];
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_marks_is_none_and_escapes_are_read() {
        assert!(read("Nothing.").is_none());
        assert!(read("<none/>").is_some_and(|all| all.is_empty()));
        assert_eq!(plain("&lt;a&gt; &amp;amp; & &x;"), "<a> &amp; & &x;");
    }
}
