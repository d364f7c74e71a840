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
    let cost = Cost::of(html);
    cost.most_open > MOST_OPEN || cost.opened_again > MOST_AGAIN || cost.looks > MOST_LOOKS
}

/// What a page would cost a parser.
#[derive(Default)]
struct Cost {
    /// About how many elements are open at once.
    most_open: usize,
    /// Elements of style that are open at the beginning of each block, over all blocks.
    opened_again: usize,
    /// Signs that may have to be escaped, each times the text that it stands in.
    looks: usize,
    /// Elements of style that are open.
    styles: usize,
    /// Of the names of tags, the numbers of their elements.
    numbers: HashMap<String, usize>,
    elements: Vec<Element>,
    open: Vec<usize>,
    walls: Vec<usize>,
}

/// All elements of one name.
struct Element {
    is_style: bool,
    is_wall: bool,
    ends_itself: bool,
    /// Of style, not ended by name.
    unended: usize,
    /// Where they stand among those that are open.
    places: Vec<usize>,
}

impl Cost {
    fn of(html: &str) -> Self {
        let mut cost = Self::default();
        tags(html, |ends, name, text| {
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
        self.elements.push(Element {
            is_style: STYLES.contains(&name),
            is_wall: WALLS.contains(&name),
            ends_itself: SELF_ENDING.contains(&name),
            unended: 0,
            places: Vec::new(),
        });
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

    /// An end closes what was opened within its own, and ends nothing that was not opened, or only outside of a table and
    /// the like: pages that count on the opposite are made to be slow.
    fn nest(&mut self, number: usize, ends: bool) {
        let element = &mut self.elements[number];
        if element.ends_itself || self.most_open > MOST_OPEN {
            return;
        }
        if !ends {
            element.places.push(self.open.len());
            if element.is_wall {
                self.walls.push(self.open.len());
            }
            self.open.push(number);
            self.most_open = self.most_open.max(self.open.len());
            return;
        }
        let inside = if element.is_wall { None } else { self.walls.last() };
        let Some(&place) = element.places.last().filter(|place| inside < Some(place)) else { return };
        for number in self.open.drain(place..) {
            self.elements[number].places.pop();
        }
        self.walls.truncate(self.walls.partition_point(|&wall| wall < place));
    }
}

/// Tags of a page in its order, found without a parser: whether it ends an element, its name, and the text before it.
fn tags<'a>(html: &'a str, mut visit: impl FnMut(bool, &str, &'a str)) {
    let (mut rest, mut name) = (html, String::new());
    while let Some(at) = rest.find('<') {
        let (before, tag) = (&rest[..at], &rest[at + 1..]);
        let (ends, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let length = tag.bytes().take_while(u8::is_ascii_alphanumeric).count();
        name.clear();
        name.push_str(&tag[..length]);
        name.make_ascii_lowercase();
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
    use super::{Cost, is_too_much};

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
