//! Which nodes and edges of a picture are kept within its limits, and how a label is cut.

use crate::backend::Arc;
use crate::graph;

/// Characters of a label.
const LABEL: usize = 80;

/// An edge between chosen nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) arc: Arc,
}

/// The beginning of a text as one line.
pub(super) fn line(text: &str) -> String {
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        for character in word.chars() {
            if length == LABEL {
                line.truncate(line.trim_end().len());
                return line;
            }
            line.push(character);
            length += 1;
        }
        if length == LABEL {
            break;
        }
    }
    line
}

/// Leaves at most `limit` edges: the strongest of each node before the second strongest of any, so that no
/// node loses all of them before others lose some.
pub(super) fn keep_strongest(links: &mut Vec<Link>, nodes: usize, limit: usize) {
    if links.len() <= limit {
        return;
    }
    let worth = |link: &Link| {
        let stored = link.arc.edge != 0;
        (std::cmp::Reverse((stored, ordered(graph::strength(&link.arc)))), link.from, link.to, link.arc.edge)
    };
    links.sort_by_key(worth);
    let mut had = vec![0u32; nodes];
    let mut order: Vec<(u32, u32)> = Vec::with_capacity(links.len());
    for (position, link) in links.iter().enumerate() {
        let (from, to) = (link.from as usize, link.to as usize);
        order.push((had[from].min(had[to]), position as u32));
        had[from] += 1;
        had[to] += 1;
    }
    order.sort_unstable();
    order.truncate(limit);
    *links = order.into_iter().map(|(_, position)| links[position as usize]).collect();
    links.sort_by_key(|link| (link.from, link.to, link.arc.kind as u8, link.arc.edge, link.arc.label));
}

/// Leaves the first `limit` in order.
pub(super) fn keep_best<T, K: Ord>(all: &mut Vec<T>, limit: usize, rank: impl Fn(&T) -> K) {
    if limit < all.len() && limit > 0 {
        all.select_nth_unstable_by_key(limit, &rank);
    }
    all.truncate(limit);
    all.sort_by_key(rank);
}

/// A number that sorts as a weight does.
pub(super) fn ordered(weight: f32) -> u32 {
    if weight > 0.0 { weight.to_bits() } else { 0 }
}
