//! Orders causes before effects, and finds cycles.
//!
//! Strongly connected components (Tarjan 1972, iterative, so that a long chain does not overflow the stack)
//! and Kahn's order over them. Where several nodes are ready, the smallest number goes first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::hop::{Map, distinct};
use crate::model::Node;

/// The nodes `0..count`, causes first; smaller numbers first where the arcs leave a choice or form a cycle.
pub(super) fn topological(count: usize, arcs: &[(usize, usize)]) -> Vec<usize> {
    let component = components(count, arcs);
    let members = members(&component);
    let components = members.len();
    let mut after = vec![Vec::new(); components];
    let mut waits_for = vec![0usize; components];
    for (cause, effect) in arcs {
        let (cause, effect) = (component[*cause], component[*effect]);
        if cause != effect {
            after[cause].push(effect);
            waits_for[effect] += 1;
        }
    }
    let ready = |component: usize| Reverse((members[component][0], component));
    let mut queue: BinaryHeap<_> = (0..components).filter(|c| waits_for[*c] == 0).map(ready).collect();
    let mut order = Vec::with_capacity(count);
    while let Some(Reverse((_, component))) = queue.pop() {
        order.extend_from_slice(&members[component]);
        for effect in &after[component] {
            waits_for[*effect] -= 1;
            if waits_for[*effect] == 0 {
                queue.push(ready(*effect));
            }
        }
    }
    order
}

/// The strongly connected component of each node, numbered so that effects have smaller numbers than causes.
pub(super) fn components(count: usize, arcs: &[(usize, usize)]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut targets = vec![Vec::new(); count];
    for (from, to) in arcs {
        targets[*from].push(*to);
    }
    let mut component = vec![UNSEEN; count];
    let mut components = 0;
    let mut seen_at = vec![UNSEEN; count];
    let mut low = vec![0usize; count];
    let mut next_arc = vec![0usize; count];
    let mut clock = 0;
    let mut open = Vec::new();
    let mut path = Vec::new();
    for root in 0..count {
        if seen_at[root] != UNSEEN {
            continue;
        }
        path.push(root);
        while let Some(&node) = path.last() {
            if seen_at[node] == UNSEEN {
                seen_at[node] = clock;
                low[node] = clock;
                clock += 1;
                open.push(node);
            }
            if let Some(&to) = targets[node].get(next_arc[node]) {
                next_arc[node] += 1;
                if seen_at[to] == UNSEEN {
                    path.push(to);
                } else if component[to] == UNSEEN {
                    low[node] = low[node].min(seen_at[to]);
                }
                continue;
            }
            path.pop();
            if let Some(parent) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == seen_at[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

/// The nodes of each component, ascending.
fn members(component: &[usize]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); component.iter().max().map_or(0, |last| last + 1)];
    for (node, component) in component.iter().enumerate() {
        members[*component].push(node);
    }
    members
}

/// The nodes on cycles, grouped by cycle; each group and the list of groups ascend.
pub(super) fn cycles(count: usize, arcs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut members = members(&components(count, arcs));
    let mut has_loop = vec![false; count];
    for (from, to) in arcs {
        has_loop[*from] |= from == to;
    }
    members.retain(|group| group.len() > 1 || group.first().is_some_and(|node| has_loop[*node]));
    members.sort_unstable();
    members
}

/// A cycle of nodes, ascending, with the numbers of its edges.
pub(super) type Cycle = (Vec<Node>, Vec<u32>);

/// The cycles of numbered edges, each given as cause and effect.
pub(super) fn cycles_of(edges: &[((Node, Node), u32)]) -> Vec<Cycle> {
    let nodes = distinct(edges.iter().flat_map(|((cause, effect), _)| [*cause, *effect]).collect());
    let local: Map<Node, usize> = nodes.iter().enumerate().map(|(local, node)| (*node, local)).collect();
    let arcs: Vec<(usize, usize)> = edges.iter().map(|((from, to), _)| (local[from], local[to])).collect();
    let found = cycles(nodes.len(), &arcs);
    let members = found.iter().enumerate();
    let cycle_of: Map<usize, usize> =
        members.flat_map(|(cycle, members)| members.iter().map(move |member| (*member, cycle))).collect();
    let mut inside = vec![Vec::new(); found.len()];
    for ((cause, effect), (_, edge)) in arcs.iter().zip(edges) {
        if let Some(cycle) = cycle_of.get(cause).filter(|cycle| cycle_of.get(effect) == Some(cycle)) {
            inside[*cycle].push(*edge);
        }
    }
    let named = |members: Vec<usize>| members.into_iter().map(|member| nodes[member]).collect();
    found.into_iter().map(named).zip(inside.into_iter().map(distinct)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_come_before_effects_and_numbers_decide_the_rest() {
        assert_eq!(topological(4, &[(3, 2), (2, 1)]), [0, 3, 2, 1]);
        assert_eq!(topological(3, &[(1, 0)]), [1, 0, 2]);
        assert_eq!(topological(3, &[]), [0, 1, 2]);
        assert_eq!(topological(0, &[]), [0; 0]);
    }

    #[test]
    fn a_cycle_stays_together_in_the_order_of_numbers() {
        assert_eq!(topological(4, &[(1, 2), (2, 0), (0, 1), (3, 1)]), [3, 0, 1, 2]);
        assert_eq!(topological(2, &[(1, 1), (1, 0)]), [1, 0]);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let count = 200_000;
        let arcs: Vec<_> = (1..count).map(|node| (node, node - 1)).collect();
        assert!(topological(count, &arcs).into_iter().eq((0..count).rev()));
        assert_eq!(cycles(count, &[arcs, vec![(0, count - 1)]].concat()).len(), 1);
    }
}
