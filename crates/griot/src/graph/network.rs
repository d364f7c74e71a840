//! A whole graph as arrays, undirected and weighted, for algorithms that know neither nodes nor kinds of
//! edge.

/// Nodes `0..len()` and the edges between them. Several edges between two nodes are one of their summed
/// weight. A weight that is not above 0 counts as none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Row `i` is `first[i]..first[i + 1]` of `ends`.
    first: Vec<u32>,
    /// The other end and the weight, ascending by end.
    ends: Vec<(u32, f32)>,
    /// Weight of the loops at each node.
    loops: Vec<f64>,
}

impl Network {
    pub fn new(nodes: usize, edges: impl IntoIterator<Item = (u32, u32, f32)>) -> Self {
        let mut loops = vec![0.0; nodes];
        let mut both: Vec<(u32, u32, f32)> = Vec::new();
        let is_sound = |(a, b, weight): &(u32, u32, f32)| {
            (*a as usize) < nodes && (*b as usize) < nodes && *weight > 0.0 && weight.is_finite()
        };
        for (a, b, weight) in edges.into_iter().filter(is_sound) {
            if a == b {
                loops[a as usize] += f64::from(weight);
            } else {
                both.push((a, b, weight));
                both.push((b, a, weight));
            }
        }
        Self::of_pairs(nodes, both, loops)
    }

    /// From edges that are given from both of their ends.
    fn of_pairs(nodes: usize, pairs: Vec<(u32, u32, f32)>, loops: Vec<f64>) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for (from, ..) in &pairs {
            starts[*from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut ends = vec![(0, 0.0); pairs.len()];
        for (from, to, weight) in pairs {
            let at = &mut next[from as usize];
            ends[*at as usize] = (to, weight);
            *at += 1;
        }
        let (mut first, mut kept) = (Vec::with_capacity(nodes + 1), 0usize);
        first.push(0);
        for node in 0..nodes {
            let (start, end) = (starts[node] as usize, starts[node + 1] as usize);
            // Equal ends are summed in one order, so that rounding is the same from both sides.
            ends[start..end].sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let begun = kept;
            for at in start..end {
                let (to, weight) = ends[at];
                if kept > begun && ends[kept - 1].0 == to {
                    ends[kept - 1].1 += weight;
                } else {
                    ends[kept] = (to, weight);
                    kept += 1;
                }
            }
            first.push(kept as u32);
        }
        ends.truncate(kept);
        Self { first, ends, loops }
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    pub(super) fn row(&self, node: usize) -> &[(u32, f32)] {
        &self.ends[self.first[node] as usize..self.first[node + 1] as usize]
    }

    pub(super) fn has_loop(&self, node: usize) -> f64 {
        self.loops[node]
    }

    /// The weight of a node: that of its edges, a loop twice.
    pub(super) fn weight(&self, node: usize) -> f64 {
        self.row(node).iter().map(|(_, weight)| f64::from(*weight)).sum::<f64>() + 2.0 * self.loops[node]
    }

    /// One node for each of `count` groups; edges inside a group are its loop.
    pub(super) fn grouped(&self, group: &[u32], count: usize) -> Self {
        let mut loops = vec![0.0; count];
        for (node, own) in group.iter().enumerate() {
            loops[*own as usize] += self.loops[node];
        }
        let members = Members::of(group, count);
        let mut sums = vec![0f64; count];
        let mut touched: Vec<u32> = Vec::new();
        let mut pairs: Vec<(u32, u32, f32)> = Vec::new();
        for (own, inside) in loops.iter_mut().enumerate() {
            for node in members.of_group(own) {
                for (to, weight) in self.row(*node as usize) {
                    let other = group[*to as usize];
                    if other as usize == own {
                        // Met from both ends.
                        *inside += f64::from(*weight) / 2.0;
                        continue;
                    }
                    if sums[other as usize] == 0.0 {
                        touched.push(other);
                    }
                    sums[other as usize] += f64::from(*weight);
                }
            }
            pairs.extend(touched.iter().map(|other| (own as u32, *other, sums[*other as usize] as f32)));
            touched.drain(..).for_each(|other| sums[other as usize] = 0.0);
        }
        Self::of_pairs(count, pairs, loops)
    }

    /// The part between some nodes, ascending. `scratch` has one slot for each node of the whole and holds
    /// `u32::MAX` before and after.
    pub(super) fn part(&self, nodes: &[u32], scratch: &mut [u32]) -> Self {
        nodes.iter().zip(0..).for_each(|(node, at)| scratch[*node as usize] = at);
        let mut first = Vec::with_capacity(nodes.len() + 1);
        let mut ends = Vec::new();
        first.push(0);
        for node in nodes {
            let row = self.row(*node as usize).iter();
            let inside = row.map(|(to, weight)| (scratch[*to as usize], *weight));
            ends.extend(inside.filter(|(to, _)| *to != u32::MAX));
            first.push(ends.len() as u32);
        }
        nodes.iter().for_each(|node| scratch[*node as usize] = u32::MAX);
        Self { first, ends, loops: nodes.iter().map(|node| self.loops[*node as usize]).collect() }
    }
}

/// The nodes of each group, ascending.
pub(super) struct Members {
    first: Vec<u32>,
    nodes: Vec<u32>,
}

impl Members {
    pub(super) fn of(group: &[u32], count: usize) -> Self {
        let mut first = vec![0u32; count + 1];
        for own in group {
            first[*own as usize + 1] += 1;
        }
        for own in 0..count {
            first[own + 1] += first[own];
        }
        let mut next = first.clone();
        let mut nodes = vec![0; group.len()];
        for (node, own) in group.iter().enumerate() {
            let at = &mut next[*own as usize];
            nodes[*at as usize] = node as u32;
            *at += 1;
        }
        Self { first, nodes }
    }

    pub(super) fn of_group(&self, own: usize) -> &[u32] {
        &self.nodes[self.first[own] as usize..self.first[own + 1] as usize]
    }
}
