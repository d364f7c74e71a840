//! Paths as diagrams, for Graphviz and Mermaid.

use griot_wire::{Hop, NodeRef, Path, Why};

use super::text;

/// Columns of a memory's text in a diagram.
const EXCERPT: usize = 60;

/// The language of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Dot,
    Mermaid,
}

pub fn path_diagram(path: &Path, language: Language) -> String {
    Diagram::of(path.hops.iter(), None).write(language)
}

pub fn why_diagram(why: &Why, language: Language) -> String {
    let steps = why.causes.iter().chain(&why.consequences);
    Diagram::of(steps.flat_map(|step| &step.hops), Some(&why.start)).write(language)
}

/// Each node and each edge once, in the order in which they are met.
#[derive(Default)]
struct Diagram<'a> {
    nodes: Vec<&'a NodeRef>,
    /// Positions of the ends in `nodes`, in the direction of the edge, and its label.
    edges: Vec<(usize, usize, &'a str)>,
}

impl<'a> Diagram<'a> {
    fn of(hops: impl Iterator<Item = &'a Hop>, start: Option<&'a NodeRef>) -> Self {
        let mut diagram = Self::default();
        if let Some(start) = start {
            diagram.node(start);
        }
        for hop in hops {
            let (from, to) = (diagram.node(&hop.from), diagram.node(&hop.to));
            let label = if hop.label.is_empty() { &hop.kind } else { &hop.label };
            let edge = if hop.forward { (from, to, label.as_str()) } else { (to, from, label.as_str()) };
            if !diagram.edges.contains(&edge) {
                diagram.edges.push(edge);
            }
        }
        diagram
    }

    fn node(&mut self, node: &'a NodeRef) -> usize {
        self.nodes.iter().position(|known| known.id == node.id).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn write(&self, language: Language) -> String {
        let nodes = self.nodes.iter().enumerate();
        let edges = self.edges.iter();
        let lines: Vec<String> = match language {
            Language::Dot => {
                let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
                let begin = ["digraph griot {", "  rankdir=LR;", "  node [shape=box];"].map(str::to_string);
                let node =
                    |(at, node): (usize, &&NodeRef)| format!("  n{at} [label={}];", quoted(&label(node)));
                let edge = |(from, to, label): &(usize, usize, &str)| {
                    format!("  n{from} -> n{to} [label={}];", quoted(&text::visible(label)))
                };
                begin.into_iter().chain(nodes.map(node)).chain(edges.map(edge)).chain(["}".into()]).collect()
            }
            Language::Mermaid => {
                let quoted = |text: &str| format!("\"{}\"", text.replace('#', "#35;").replace('"', "#quot;"));
                let node = |(at, node): (usize, &&NodeRef)| format!("  n{at}[{}]", quoted(&label(node)));
                let edge = |(from, to, label): &(usize, usize, &str)| {
                    format!("  n{from} -->|{}| n{to}", quoted(&text::visible(label)))
                };
                ["graph LR".into()].into_iter().chain(nodes.map(node)).chain(edges.map(edge)).collect()
            }
        };
        lines.join("\n")
    }
}

/// `#a1b2c3: We moved sessions to …` or `Redis`.
fn label(node: &NodeRef) -> String {
    match &node.excerpt {
        Some(excerpt) => format!("{}: {}", node.name, text::one_line(excerpt, EXCERPT)),
        None => text::one_line(&node.name, EXCERPT),
    }
}
