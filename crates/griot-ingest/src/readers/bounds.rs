//! Estimates the cost of parsing a page without parsing it: the time of a parser grows with the square of
//! some features of a page, and a page of nothing but tags takes forty times its size in memory.

use std::borrow::Cow;
use std::collections::HashMap;

/// Maximum nesting. Beyond it, parsing time grows with the square of the page size.
const MOST_OPEN: usize = 1000;
/// Maximum number of formatting elements that a parser reopens, summed over all blocks.
const MOST_AGAIN: usize = 1_000_000;
/// Maximum bytes that html5ever 0.40 scans to serialise text: for each character that may need escaping, all
/// that follow.
const MOST_LOOKS: usize = 2_000_000_000;
/// Maximum number of elements, texts and attributes; each takes up to 1,000 bytes in all trees together.
const MOST_NODES: usize = 600_000;
/// Maximum attributes of one element; a parser compares each with all previous ones.
const MOST_ATTRIBUTES: usize = 1_000;
/// Formatting elements: they stay open across blocks until an end tag closes them.
const STYLES: [&str; 13] =
    ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// Elements that have no content or need no end tag.
const SELF_ENDING: [&str; 24] = [
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option",
    "p", "param", "source", "tbody", "td", "th", "thead", "tr", "track", "wbr",
];
/// Scope boundaries: an end tag inside cannot close an element outside.
const WALLS: [&str; 8] = ["table", "caption", "applet", "marquee", "object", "template", "svg", "math"];

/// Whether a page is too expensive to parse.
pub(crate) fn is_too_much(html: &str) -> bool {
    let cost = Cost::of(html);
    cost.most_open > MOST_OPEN
        || cost.opened_again > MOST_AGAIN
        || cost.looks > MOST_LOOKS
        || cost.nodes > MOST_NODES
        || cost.most_attributes > MOST_ATTRIBUTES
}

/// Removes comments: a parser would keep them in memory, plus an error for each nested one.
pub(crate) fn without_comments(html: &str) -> Cow<'_, str> {
    if !html.contains("<!--") {
        return Cow::Borrowed(html);
    }
    let (mut out, mut rest) = (String::new(), html);
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        if tag.starts_with("<!--") {
            rest = tag[2..].split_once("-->").map_or("", |(_, after)| after);
        } else {
            let length = 1 + RAW.iter().find_map(|name| raw_length(&tag[1..], name)).unwrap_or(0);
            out.push_str(&tag[..length]);
            rest = &tag[length..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Elements whose content is raw text up to their own end tag.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// The length of an element with raw text, if the tag begins one of that name.
fn raw_length(tag: &str, name: &str) -> Option<usize> {
    let is_name =
        |text: &[u8]| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
    let bytes = tag.as_bytes();
    if !is_name(bytes) || bytes.get(name.len()).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let mut at = 0;
    while let Some(end) = tag[at..].find("</") {
        at += end + 2;
        if is_name(&bytes[at..]) {
            return Some(at);
        }
    }
    Some(tag.len())
}

/// The estimated cost of parsing a page.
#[derive(Default)]
struct Cost {
    /// Approximate maximum nesting.
    most_open: usize,
    /// Formatting elements that are open at the start of a block, summed over all blocks.
    opened_again: usize,
    /// For each character that may need escaping, the length of its text, summed.
    looks: usize,
    nodes: usize,
    most_attributes: usize,
    /// Open formatting elements.
    styles: usize,
    /// Index of the element for each tag name.
    numbers: HashMap<String, usize>,
    elements: Vec<Element>,
    open: Vec<usize>,
    walls: Vec<usize>,
}

/// All elements with the same name.
#[derive(Default)]
struct Element {
    is_style: bool,
    is_wall: bool,
    ends_itself: bool,
    /// Formatting elements without an end tag so far.
    unended: usize,
    /// Their positions among the open elements.
    positions: Vec<usize>,
}

impl Cost {
    fn of(html: &str) -> Self {
        let mut cost = Self::default();
        tags(html, |ends, name, text, inside| {
            let attributes =
                inside.bytes().filter(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'/')).count();
            cost.most_attributes =
                cost.most_attributes.max(if ends { 0 } else { inside.matches('=').count() });
            cost.nodes += usize::from(!ends) + usize::from(!text.is_empty()) + attributes;
            let signs = text.bytes().filter(|byte| matches!(byte, b'&' | 0xC2)).count();
            cost.looks = cost.looks.saturating_add(signs.saturating_mul(text.len()));
            if !name.is_empty() {
                let number = cost.number(name);
                cost.style(number, ends);
                cost.nest(number, ends);
            }
        });
        cost
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let (is_style, is_wall) = (STYLES.contains(&name), WALLS.contains(&name));
        let ends_itself = SELF_ENDING.contains(&name);
        self.elements.push(Element { is_style, is_wall, ends_itself, ..Element::default() });
        self.numbers.insert(name.to_string(), self.elements.len() - 1);
        self.elements.len() - 1
    }

    fn style(&mut self, number: usize, ends: bool) {
        let element = &mut self.elements[number];
        if !element.is_style {
            self.opened_again = self.opened_again.saturating_add(if ends { 0 } else { self.styles });
        } else if !ends {
            element.unended += 1;
            self.styles += 1;
        } else if element.unended > 0 {
            element.unended -= 1;
            self.styles -= 1;
        }
    }

    /// An end tag closes its element and all inside it. It closes nothing if its element is not open, or is
    /// open only outside a scope boundary.
    fn nest(&mut self, number: usize, ends: bool) {
        let element = &mut self.elements[number];
        if element.ends_itself || self.most_open > MOST_OPEN {
            return;
        }
        if !ends {
            element.positions.push(self.open.len());
            if element.is_wall {
                self.walls.push(self.open.len());
            }
            self.open.push(number);
            self.most_open = self.most_open.max(self.open.len());
            return;
        }
        let inside = if element.is_wall { None } else { self.walls.last() };
        let Some(&at) = element.positions.last().filter(|at| inside < Some(at)) else { return };
        for number in self.open.drain(at..) {
            self.elements[number].positions.pop();
        }
        self.walls.truncate(self.walls.partition_point(|&wall| wall < at));
    }
}

/// Tags of a page in its order, found without a parser: whether it ends an element, its name, the text before
/// it, and what follows the name.
fn tags<'a>(html: &'a str, mut visit: impl FnMut(bool, &str, &'a str, &'a str)) {
    let (mut rest, mut name) = (html, String::new());
    while let Some(at) = rest.find('<') {
        let (before, tag) = (&rest[..at], &rest[at + 1..]);
        let (ends, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let length = tag.bytes().take_while(u8::is_ascii_alphanumeric).count();
        name.clear();
        name.push_str(&tag[..length]);
        name.make_ascii_lowercase();
        let end = tag.find('>').filter(|_| length > 0);
        visit(ends, &name, before, end.map_or(&tag[length..length], |end| &tag[length..end.max(length)]));
        // Tags inside a script are text.
        let hidden = (!ends && matches!(name.as_str(), "script" | "style")).then(|| format!("</{name}"));
        rest = match hidden.map(|end| tag.find(&end)) {
            Some(Some(end)) => &tag[end..],
            // It reaches to the end of the page.
            Some(None) => "",
            None if length > 0 => end.map_or("", |end| &tag[end + 1..]),
            None => tag,
        };
    }
    visit(true, "", rest, "");
}

pub(crate) fn without_tags(html: &str) -> String {
    let mut text = String::new();
    tags(html, |_, name, before, _| {
        text.push_str(before);
        if matches!(name, "p" | "div" | "li" | "tr" | "br") && !text.ends_with('\n') {
            text.push('\n');
        }
    });
    text.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::{Cost, is_too_much, without_comments};

    #[test]
    fn comments_are_taken_out_where_they_are_some() {
        for (html, without) in [
            ("a<!-- b --><p>c<!-->d<!--->e", "a<p>cde"),
            ("<script><!-- x --></Script><i><!-- y", "<script><!-- x --></Script><i>"),
            ("<title>a <!-- b</title>c<!---->d", "<title>a <!-- b</title>cd"),
            ("<scripts><!-- x -->y", "<scripts>y"),
            ("a < b <! c", "a < b <! c"),
        ] {
            assert_eq!(without_comments(html), without, "{html}");
        }
        assert_eq!(without_comments(&"<!--".repeat(3_000_000)), "");
    }

    #[test]
    fn pages_of_nothing_but_tags_are_too_much() {
        assert!(is_too_much(&"<p>x".repeat(400_000)));
        assert!(is_too_much(&format!("<p {}>", (0..2_000).map(|n| format!("a{n}=1 ")).collect::<String>())));
        assert!(!is_too_much(&"<p class=a>word</p>\n".repeat(100_000)));
    }

    #[test]
    fn ends_close_what_was_opened_and_nothing_else() {
        for (html, open) in [
            ("<div><p>a<p>b</div><div></div>", 1),
            ("<div><span><b></div><div></div>", 3),
            ("</b></i><div></div>", 1),
            ("<div><table><tr><td></div><div>", 3),
            ("<div><table><div></table><b></b></div>", 3),
            ("<script><b><b><b></script><b>", 1),
        ] {
            assert_eq!(Cost::of(html).most_open, open, "{html}");
        }
        for piece in
            ["</code></pre><ul><li>x<ul><li>", "<div><table><tr><td></div>", "<i></b><u></b>", "<b><i>"]
        {
            assert!(is_too_much(&piece.repeat(1_001)), "{piece}");
        }
        let styles: String = (0..900).map(|number| format!("<b id={number}>")).collect();
        assert!(
            is_too_much(&format!("<p>{styles}</p>{}", "<p>word</p>".repeat(5_000))),
            "opened again by each block"
        );
        assert!(is_too_much(&"©".repeat(100_000)), "written by looking at the rest from each sign on");
        assert!(!is_too_much(&format!("<font><b><i>{}", "<p>© word</p>".repeat(50_000))));
        let plain = "<div><span>a</div><ul><li><b>b</b><li>c</ul><table><tr><td>d</table>";
        assert!(!is_too_much(&plain.repeat(10_000)));
    }
}
