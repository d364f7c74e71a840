//! Which nodes and edges of a picture are kept within its limits, and how a label is cut.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::backend::Arc;
use crate::graph;

/// Characters of a label.
const LABEL: usize = 80;
/// Edges of each community that are drawn: nearly all communities have some edge between them.
const OF_COMMUNITY: usize = 4;

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
        (Reverse((stored, ordered(graph::strength(&link.arc)))), link.from, link.to, link.arc.edge)
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

/// What joins two communities, as one edge: of the kind and in the direction of most of its weight.
pub(super) struct Between {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Number of the kind, and of its label.
    pub(super) kind: u8,
    pub(super) label: u32,
    /// Of all kinds and both directions.
    pub(super) weight: f32,
    pub(super) confidence: f32,
}

/// The strongest edges of each community, of sums by both ends, kind and label: weight and confidence.
pub(super) fn strongest(
    sums: impl IntoIterator<Item = ((u32, u32, u8, u32), (f32, f32))>,
) -> impl Iterator<Item = Between> {
    let mut sums: Vec<_> = sums.into_iter().collect();
    // The heaviest of a pair comes first and lends its kind.
    sums.sort_unstable_by_key(|(key, (weight, _))| (Reverse(ordered(*weight)), *key));
    let mut pairs: BTreeMap<(u32, u32), Between> = BTreeMap::new();
    for ((from, to, kind, label), (weight, confidence)) in sums {
        let first = Between { from, to, kind, label, weight: 0.0, confidence: 0.0 };
        let pair = pairs.entry((from.min(to), from.max(to))).or_insert(first);
        pair.weight += weight;
        pair.confidence = pair.confidence.max(confidence);
    }
    let mut all: Vec<Between> = pairs.into_values().collect();
    all.sort_by_key(|one| (Reverse(ordered(one.weight)), one.from, one.to));
    let mut drawn: BTreeMap<u32, usize> = BTreeMap::new();
    all.into_iter().filter(move |one| {
        let is_strong = [one.from, one.to].iter().any(|end| drawn.get(end).is_none_or(|n| *n < OF_COMMUNITY));
        if is_strong {
            for end in [one.from, one.to] {
                *drawn.entry(end).or_default() += 1;
            }
        }
        is_strong
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn communities_are_joined_by_their_strongest_edges_one_for_two() {
        let sums = [((1, 0, 3, 0), (2.0, 0.5)), ((0, 1, 3, 0), (1.0, 0.9)), ((0, 1, 5, 7), (1.5, 0.1))];
        let all: Vec<Between> = strongest(sums).collect();
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].from, all[0].to, all[0].kind, all[0].label), (1, 0, 3, 0));
        assert_eq!((all[0].weight, all[0].confidence), (4.5, 0.9));

        // Nine that are all joined, the more the higher their numbers: each keeps what it has.
        let all = (0..9u32).flat_map(|a| (a + 1..9).map(move |b| ((a, b, 3, 0), ((a + b) as f32, 1.0))));
        let kept: Vec<Between> = strongest(all).collect();
        assert!(kept.len() < 36 && kept.is_sorted_by_key(|one| Reverse(ordered(one.weight))));
        for end in 0..9 {
            let own = kept.iter().filter(|one| [one.from, one.to].contains(&end)).count();
            assert!(own >= OF_COMMUNITY, "{end} has {own}");
        }
    }
}
