//! Graphs drawn in a line of text, for tests: `a -causal-> b -semantic=.8- C; b -prevents*.5-> d`.
//!
//! A lower-case letter is a memory, a capital an entity, numbered by their position in the alphabet. An arrow
//! is `-kind->`, a symmetric edge `-kind-`; `causes`, `enables`, `prevents`, `caused` are the sub-types of
//! `causal`, other words that are not a kind are relations. `=w` sets the weight and `*c` the confidence,
//! both default to 1. Edges are numbered from 1 in the order in which they are drawn; `;` starts a new chain.

use std::cell::Cell;

use super::causal::{FAN_OUT, PREVENTS, causal_fan_out, causal_with};
use super::hop::{FanOut, Hop};
use super::{CausalChain, CausalLimits, WhyDirection};
use crate::backend::{Arc, Direction};
use crate::model::{Edge, EdgeKind, Node, Provenance, Result, Timestamp};

#[derive(Default)]
pub(super) struct Drawing {
    pub edges: Vec<Edge>,
    /// Number of requests that were made.
    pub calls: Cell<usize>,
}

pub(super) const LABELS: [&str; 5] = ["", "causes", "enables", "prevents", "caused"];

pub(super) fn node(name: char) -> Node {
    match name {
        'a'..='z' => Node::memory(name as u32 - 'a' as u32 + 1),
        _ => Node::entity(name as u32 - 'A' as u32 + 1),
    }
}

pub(super) fn name(node: Node) -> char {
    let first = if node.is_memory() { b'a' } else { b'A' };
    char::from_u32(u32::from(first) + node.number() - 1).unwrap_or('?')
}

pub(super) fn names(nodes: impl IntoIterator<Item = Node>) -> String {
    nodes.into_iter().map(name).collect()
}

/// `a -causal-> b <-semantic- c`: the hops of a path.
pub(super) fn route(hops: &[Hop]) -> String {
    let mut text = hops.first().map(|hop| name(hop.from).to_string()).unwrap_or_default();
    for Hop { arc, .. } in hops {
        let word = if arc.label == 0 { arc.kind.name() } else { LABELS[arc.label as usize] };
        let (left, right) = match (arc.kind.is_symmetric(), arc.forward) {
            (true, _) => ("-", "-"),
            (_, true) => ("-", "->"),
            (_, false) => ("<-", "-"),
        };
        text += &format!(" {left}{word}{right} {}", name(arc.to));
    }
    text
}

pub(super) fn draw(text: &str) -> Drawing {
    let mut drawing = Drawing::default();
    for chain in text.split(';') {
        let words: Vec<&str> = chain.split_whitespace().collect();
        for step in words.windows(3).step_by(2) {
            let end = |word: &str| node(word.chars().next().expect("a name"));
            let word = step[1].trim_end_matches('>').trim_matches('-');
            let (word, confidence) = word.split_once('*').unwrap_or((word, "1"));
            let (word, weight) = word.split_once('=').unwrap_or((word, "1"));
            let number = |text: &str| text.parse::<f32>().expect("a number");
            drawing.add(end(step[0]), word, end(step[2]), number(weight), number(confidence));
        }
    }
    drawing
}

impl Drawing {
    pub fn add(&mut self, source: Node, word: &str, target: Node, weight: f32, confidence: f32) {
        let (kind, label) = match EdgeKind::parse(word) {
            Some(kind) => (kind, ""),
            None if LABELS.contains(&word) => (EdgeKind::Causal, word),
            None => (EdgeKind::Relation, word),
        };
        let edge = Edge {
            number: self.edges.len() as u32 + 1,
            source,
            target,
            kind,
            label: label.to_string(),
            weight,
            confidence,
            provenance: Provenance::User,
            evidence: Vec::new(),
            created_at: Timestamp(0),
            touched_at: Timestamp(0),
            expires_at: None,
        };
        self.edges.push(edge.normalised());
    }

    fn arcs(&self, node: Node, direction: Direction) -> Vec<Arc> {
        let mut arcs = Vec::new();
        for edge in &self.edges {
            let arc = |to: Node, forward: bool| Arc {
                to,
                edge: edge.number,
                kind: edge.kind,
                label: LABELS.iter().position(|label| *label == edge.label).unwrap_or(0) as u32,
                forward: forward || edge.kind.is_symmetric(),
                weight: edge.weight,
                confidence: edge.confidence,
                touched_at: edge.touched_at,
                provenance: edge.provenance,
            };
            if edge.source == node && (direction != Direction::In || edge.kind.is_symmetric()) {
                arcs.push(arc(edge.target, true));
            }
            if edge.target == node
                && edge.source != node
                && (direction != Direction::Out || edge.kind.is_symmetric())
            {
                arcs.push(arc(edge.source, false));
            }
        }
        arcs.sort_by(|a, b| {
            let kind = (a.kind, a.forward).cmp(&(b.kind, b.forward));
            kind.then(b.weight.total_cmp(&a.weight))
                .then(b.touched_at.cmp(&a.touched_at))
                .then(a.to.cmp(&b.to))
        });
        arcs
    }

    /// Answers like a store.
    pub fn expand<'a>(
        &'a self,
        direction: Direction,
        fan_out: &'a FanOut,
    ) -> impl Fn(&[Node]) -> Result<Vec<Vec<Arc>>> + 'a {
        move |frontier| {
            self.calls.set(self.calls.get() + 1);
            let row = |node: &Node| {
                let arcs = self.arcs(*node, direction);
                let groups = arcs.chunk_by(|a, b| (a.kind, a.forward) == (b.kind, b.forward));
                groups.flat_map(|group| group.iter().take(fan_out[group[0].kind as usize]).copied()).collect()
            };
            Ok(frontier.iter().map(row).collect())
        }
    }

    pub fn causal_chain(&self, start: Node, direction: WhyDirection, limits: &CausalLimits) -> CausalChain {
        let wanted = causal_fan_out(FAN_OUT);
        let backwards = self.expand(Direction::In, &wanted);
        let forwards = self.expand(Direction::Out, &wanted);
        let prevents = |label: u32| Ok(LABELS[label as usize] == PREVENTS);
        causal_with(&backwards, &forwards, &prevents, start, direction, limits).expect("no store")
    }

    pub fn degrees(&self, nodes: &[Node]) -> Result<Vec<u32>> {
        let degree =
            |node: &Node| self.edges.iter().filter(|e| e.source == *node || e.target == *node).count() as u32;
        Ok(nodes.iter().map(degree).collect())
    }
}
