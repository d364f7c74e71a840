//! The tree of a page: as Markdown, or as plain text.

use std::cell::RefCell;
use std::rc::Rc;

use dom_query::NodeRef;
use htmd::element_handler::Handlers;
use htmd::options::{BrStyle, BulletListMarker, Options};
use htmd::{Element, HtmlToMarkdown};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};
use markup5ever_rcdom::{Node, NodeData};
use url::Url;

use crate::readers::markup::one_line;

/// Never content: code, controls, and what was taken out.
pub(crate) const UNREAD: [&str; 12] = [
    "script", "style", "noscript", "template", "svg", "iframe", "object", "button", "head", "del", "s",
    "strike",
];

/// Walks a tree without recursion. `visit` receives each node with its depth and returns whether to visit its
/// children.
pub(crate) fn walk<'a>(root: &NodeRef<'a>, mut visit: impl FnMut(&NodeRef<'a>, usize) -> bool) {
    let (mut node, mut depth) = (*root, 0);
    loop {
        if visit(&node, depth)
            && let Some(child) = node.first_child()
        {
            (node, depth) = (child, depth + 1);
            continue;
        }
        loop {
            if depth == 0 {
                return;
            }
            if let Some(next) = node.next_sibling() {
                node = next;
                break;
            }
            let Some(parent) = node.parent() else { return };
            (node, depth) = (parent, depth - 1);
        }
    }
}

/// The words of a tree, blocks on lines of their own.
pub(crate) fn plain(root: &NodeRef<'_>) -> String {
    let mut text = String::new();
    walk(root, |node, _| {
        if node.is_text() {
            text.push_str(&node.text());
            return false;
        }
        let Some(name) = node.node_name() else { return true };
        if matches!(
            &*name,
            "p" | "div" | "li" | "tr" | "br" | "h1" | "h2" | "h3" | "h4" | "pre" | "section" | "dt" | "dd"
        ) && !text.ends_with('\n')
        {
            text.push('\n');
        }
        !UNREAD.contains(&&*name)
    });
    text.trim().to_string()
}

/// The words of a tree, each block and row on a line of its own, and those of quotations behind `> `.
pub(crate) fn quoting(root: &NodeRef<'_>) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    // Depths of the blocks and of the quotations around a node.
    let (mut blocks, mut quotes): (Vec<(usize, bool)>, Vec<usize>) = (Vec::new(), Vec::new());
    let end = |line: &mut String, text: &mut String, is_quoted: bool| {
        let words = one_line(line);
        line.clear();
        if words == "--" {
            // The mark above a signature keeps its space.
            text.push_str("-- \n");
        } else if !words.is_empty() {
            text.extend([if is_quoted { "> " } else { "" }, &words, "\n"]);
        }
    };
    let part = |text: &mut String| text.push_str(if text.ends_with("\n\n") { "" } else { "\n" });
    walk(root, |node, depth| {
        if blocks.last().is_some_and(|(block, _)| depth <= *block) {
            end(&mut line, &mut text, !quotes.is_empty());
            while let Some((_, is_apart)) = blocks.pop_if(|(block, _)| depth <= *block) {
                if is_apart {
                    part(&mut text);
                }
            }
        }
        while quotes.pop_if(|quote| depth <= *quote).is_some() {}
        if node.is_text() {
            line.push_str(&node.text());
            return false;
        }
        let Some(name) = node.node_name() else { return true };
        match &*name {
            "br" => end(&mut line, &mut text, !quotes.is_empty()),
            "td" | "th" => line.push(' '),
            name if BLOCKS.contains(&name) => {
                end(&mut line, &mut text, !quotes.is_empty());
                let is_apart = !INNER.contains(&name);
                if is_apart {
                    part(&mut text);
                }
                blocks.push((depth, is_apart));
            }
            _ => {}
        }
        if &*name == "blockquote" {
            quotes.push(depth);
        }
        !UNREAD.contains(&&*name)
    });
    end(&mut line, &mut text, !quotes.is_empty());
    text.trim().to_string()
}

/// Elements that begin and end a line.
const BLOCKS: [&str; 27] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "table",
    "tr",
    "ul",
];

/// Those between which there is no blank line.
const INNER: [&str; 5] = ["dd", "div", "dt", "li", "tr"];

/// Converts a tree to Markdown. Links inside the site become plain text, because they would outweigh the text
/// of a memory. Images become their descriptions.
pub(crate) fn markdown(root: &NodeRef<'_>, base: Option<&Url>) -> String {
    let host = base.and_then(Url::host_str).map(str::to_string);
    let value = |element: &Element, name: &str| {
        element.attrs.iter().find(|attr| &*attr.name.local == name).map(|attr| attr.value.to_string())
    };
    let link = move |handlers: &dyn Handlers, element: Element| {
        let inner = handlers.walk_children(element.node).content;
        let text = inner.trim();
        if matches!(text, "" | "¶" | "#" | "§" | "🔗") {
            return None;
        }
        let target = value(&element, "href").and_then(|href| Url::parse(&href).ok());
        let outside = target.filter(|url| {
            matches!(url.scheme(), "http" | "https") && url.host_str().map(str::to_string) != host
        });
        // Blocks inside a link would break its brackets.
        match outside.filter(|_| !text.contains('\n')) {
            Some(url) => Some(format!("[{text}]({url})").into()),
            None => Some(inner.into()),
        }
    };
    let image = move |_: &dyn Handlers, element: Element| {
        value(&element, "alt").map(|alt| one_line(&alt)).filter(|alt| !alt.is_empty()).map(Into::into)
    };
    let converter = HtmlToMarkdown::builder()
        .options(Options {
            bullet_list_marker: BulletListMarker::Dash,
            ul_bullet_spacing: 1,
            ol_number_spacing: 1,
            br_style: BrStyle::TwoSpaces,
            ..Options::default()
        })
        .skip_tags(UNREAD.to_vec())
        .add_handler(vec!["a"], link)
        .add_handler(vec!["img"], image)
        .build();
    converter.tree_to_markdown(&copy(root)).trim().to_string()
}

/// Copies the tree into the converter's type. Serialising it and parsing it again would cost more than the
/// conversion.
fn copy(root: &NodeRef<'_>) -> Rc<Node> {
    let document = Node::new(NodeData::Document);
    let mut open = vec![Rc::clone(&document)];
    walk(root, |node, depth| {
        open.truncate(depth + 1);
        let Some(parent) = open.last() else { return false };
        let data = if let Some(element) = node.element_ref() {
            let attrs = element.attrs.iter().map(|attr| Attribute {
                name: QualName::new(None, ns!(), LocalName::from(&*attr.name.local)),
                value: StrTendril::from(&*attr.value),
            });
            new_element(&element.name.local, attrs.collect())
        } else if node.is_text() {
            let text = node.text();
            // What stood between two texts may have been taken out.
            if let Some(NodeData::Text { contents }) = parent.children.borrow().last().map(|last| &last.data)
            {
                contents.borrow_mut().push_slice(&text);
                return false;
            }
            NodeData::Text { contents: RefCell::new(text) }
        } else {
            return false;
        };
        let copied = Node::new(data);
        adopt(parent, &copied);
        // The converter knows code by its element; in other preformatted text marks of Markdown would count.
        let is_plain = node.node_name().is_some_and(|name| &*name == "pre") && !is_one_code(node);
        if is_plain {
            let code = Node::new(new_element("code", Vec::new()));
            adopt(&code, &Node::new(NodeData::Text { contents: RefCell::new(preformatted(node).into()) }));
            adopt(&copied, &code);
        }
        open.push(copied);
        !is_plain
    });
    document
}

fn new_element(name: &str, attrs: Vec<Attribute>) -> NodeData {
    NodeData::Element {
        name: QualName::new(None, ns!(html), LocalName::from(name)),
        attrs: RefCell::new(attrs),
        template_contents: RefCell::new(None),
        mathml_annotation_xml_integration_point: false,
    }
}

fn adopt(parent: &Rc<Node>, child: &Rc<Node>) {
    child.parent.set(Some(Rc::downgrade(parent)));
    parent.children.borrow_mut().push(Rc::clone(child));
}

/// Whether its text is that of one `code`, as the converter expects.
fn is_one_code(root: &NodeRef<'_>) -> bool {
    let (mut codes, mut has_more) = (0, false);
    walk(root, |node, _| {
        let name = node.node_name();
        let name = name.as_deref().unwrap_or_default();
        codes += usize::from(name == "code");
        has_more |= node.is_text() && !node.text().trim().is_empty();
        name != "code" && !UNREAD.contains(&name)
    });
    codes == 1 && !has_more
}

fn preformatted(root: &NodeRef<'_>) -> String {
    let mut text = String::new();
    walk(root, |node, _| {
        if node.is_text() {
            text.push_str(&node.text());
        }
        let name = node.node_name();
        let name = name.as_deref().unwrap_or_default();
        if name == "br" {
            text.push('\n');
        }
        !UNREAD.contains(&name)
    });
    text
}
