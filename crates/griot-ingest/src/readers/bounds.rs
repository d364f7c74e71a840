//! How dear a page is, told without a parser: the time of parsers grows with the square of some things that pages hold.

use std::collections::HashMap;

/// With more elements open at once, the time of parsers grows with the square of the page.
const MOST_OPEN: usize = 1000;
/// Elements of style that each new block opens again: a parser makes so many, each with its memory.
const MOST_AGAIN: usize = 1_000_000;
/// What html5ever 0.40 looks at to write a text: from each sign that may have to be written in another way, all that follows.
const MOST_LOOKS: usize = 2_000_000_000;
/// They stay open until they are ended by name, in whichever block.
const STYLES: [&str; 13] = ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// Elements that never hold others, or that end by themselves.
const SELF_ENDING: [&str; 24] = [
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "param", "source", "tbody", "td", "th", "thead", "tr", "track", "wbr",
];
/// What no end from inside of it reaches beyond.
const WALLS: [&str; 8] = ["table", "caption", "applet", "marquee", "object", "template", "svg", "math"];

/// More than any page that is meant to be read.
pub(crate) fn is_too_much(html: &str) -> bool {
    most_open(html) > MOST_OPEN || opened_again(html) > MOST_AGAIN || looks(html) > MOST_LOOKS
}

/// Elements of style that are open at the beginning of each block, over all blocks.
fn opened_again(html: &str) -> usize {
    let (mut open, mut again): (HashMap<String, usize>, usize) = (HashMap::new(), 0);
    let mut all: usize = 0;
    tags(html, |ends, name, _| {
        if !STYLES.contains(&name) {
            again = again.saturating_add(if ends { 0 } else { all });
        } else if !ends {
            *open.entry(name.to_string()).or_default() += 1;
            all += 1;
        } else if let Some(count) = open.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            all -= 1;
        }
    });
    again
}

/// Signs that may have to be escaped, each times the text that it stands in.
fn looks(html: &str) -> usize {
    let mut looks: usize = 0;
    tags(html, |_, _, text| {
        let signs = text.bytes().filter(|byte| matches!(byte, b'&' | 0xC2)).count();
        looks = looks.saturating_add(signs.saturating_mul(text.len()));
    });
    looks
}

/// Tags of a page in its order, found without a parser: whether it ends an element, its name, and the text before it.
fn tags<'a>(html: &'a str, mut visit: impl FnMut(bool, &str, &'a str)) {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = (&rest[..at], &rest[at + 1..]);
        let (ends, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let length = tag.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = tag[..length].to_ascii_lowercase();
        visit(ends, &name, before);
        // What looks like a tag in a script is none.
        let hidden = (!ends && matches!(name.as_str(), "script" | "style")).then(|| format!("</{name}"));
        rest = match hidden.and_then(|end| tag.find(&end)) {
            Some(end) => &tag[end..],
            None if length > 0 => tag.find('>').map_or("", |end| &tag[end + 1..]),
            None => tag,
        };
    }
    visit(true, "", rest);
}

/// About how many elements are open at once. An end closes what was opened within its own, and ends nothing that was not
/// opened, or only outside of a table and the like: pages that count on the opposite are made to be slow.
fn most_open(html: &str) -> usize {
    let (mut open, mut most): (Vec<String>, usize) = (Vec::new(), 0);
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    let mut walls: Vec<usize> = Vec::new();
    tags(html, |ends, name, _| {
        if name.is_empty() || SELF_ENDING.contains(&name) || most > MOST_OPEN {
            return;
        }
        if !ends {
            places.entry(name.to_string()).or_default().push(open.len());
            if WALLS.contains(&name) {
                walls.push(open.len());
            }
            open.push(name.to_string());
            most = most.max(open.len());
            return;
        }
        let inside = if WALLS.contains(&name) { None } else { walls.last() };
        let Some(&place) = places.get(name).and_then(|places| places.last()).filter(|place| inside < Some(place))
        else {
            return;
        };
        for name in open.drain(place..) {
            places.get_mut(&name).and_then(Vec::pop);
        }
        walls.truncate(walls.partition_point(|&wall| wall < place));
    });
    most
}

pub(crate) fn without_tags(html: &str) -> String {
    let mut text = String::new();
    tags(html, |_, name, before| {
        text.push_str(before);
        if matches!(name, "p" | "div" | "li" | "tr" | "br") && !text.ends_with('\n') {
            text.push('\n');
        }
    });
    text.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::{is_too_much, most_open};

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
            assert_eq!(most_open(html), open, "{html}");
        }
        for piece in ["</code></pre><ul><li>x<ul><li>", "<div><table><tr><td></div>", "<i></b><u></b>", "<b><i>"] {
            assert!(is_too_much(&piece.repeat(1_001)), "{piece}");
        }
        let styles: String = (0..900).map(|number| format!("<b id={number}>")).collect();
        assert!(is_too_much(&format!("<p>{styles}</p>{}", "<p>word</p>".repeat(5_000))), "opened again by each block");
        assert!(is_too_much(&"©".repeat(100_000)), "written by looking at the rest from each sign on");
        assert!(!is_too_much(&format!("<font><b><i>{}", "<p>© word</p>".repeat(50_000))));
        let plain = "<div><span>a</div><ul><li><b>b</b><li>c</ul><table><tr><td>d</table>";
        assert!(!is_too_much(&plain.repeat(10_000)));
    }
}
