//! How are two nodes connected? Over the fewest hops, or over the strongest path.
//!
//! Both walk edges either way; each hop of the answer says which way its edge runs. The shortest path grows from both
//! ends, always the smaller side, one request a hop, so that it sees about twice the square root of what a search from one
//! end sees. Among equally short paths the strongest wins, then the smaller nodes.

use super::hop::{Expand, FanOut, Hop, Map, from_store, unit};
use super::walk::{WalkLimits, walk};
use crate::backend::{Arc, Direction, Filter, Read};
use crate::model::{Node, Result};

#[derive(Clone, Debug)]
pub struct PathLimits {
    pub max_hops: usize,
    /// Nodes that are looked at, at most.
    pub budget: usize,
    /// 0 for the kinds that the path must not use.
    pub fan_out: FanOut,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// Empty if both ends are one node.
    pub hops: Vec<Hop>,
    /// The product of its hops, 0..=1.
    pub strength: f32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    pub path: Option<Path>,
    /// The budget left something out: there may be a better path.
    pub cut: bool,
}

pub fn shortest_path(
    read: &dyn Read,
    from: Node,
    to: Node,
    limits: &PathLimits,
    strength_of: &dyn Fn(&Arc) -> f32,
    filter: &Filter,
) -> Result<Search> {
    let expand = from_store(read, Direction::Both, &limits.fan_out, filter);
    shortest_with(&expand, from, to, limits, strength_of)
}

/// The path whose hops have the largest product, within `max_hops`; exact unless `cut`.
pub fn strongest_path(
    read: &dyn Read,
    from: Node,
    to: Node,
    limits: &PathLimits,
    strength_of: &dyn Fn(&Arc) -> f32,
    filter: &Filter,
) -> Result<Search> {
    let expand = from_store(read, Direction::Both, &limits.fan_out, filter);
    strongest_with(&expand, from, to, limits, strength_of)
}

pub(super) fn strongest_with(
    expand: &Expand<'_>,
    from: Node,
    to: Node,
    limits: &PathLimits,
    strength_of: &dyn Fn(&Arc) -> f32,
) -> Result<Search> {
    let bounds = WalkLimits {
        depth: limits.max_hops,
        budget: limits.budget,
        width: usize::MAX,
        goal: Some(to),
    };
    let mut judge = |hops: &[Hop]| Ok(hops.iter().map(|hop| strength_of(&hop.arc)).collect());
    if from == to {
        return Ok(Search {
            path: Some(Path {
                hops: Vec::new(),
                strength: 1.0,
            }),
            cut: false,
        });
    }
    let walk = walk(expand, &mut judge, &[(from, 1.0)], &bounds)?;
    let path = walk.best(to).map(|state| Path {
        hops: walk.path(to),
        strength: state.score,
    });
    Ok(Search {
        path,
        cut: walk.cut,
    })
}

struct Reach {
    hops: usize,
    strength: f32,
    via: Option<Hop>,
}

/// What was seen from one end.
struct Side {
    reached: Map<Node, Reach>,
    frontier: Vec<Node>,
    hops: usize,
}

impl Side {
    fn new(end: Node) -> Self {
        let mut reached = Map::default();
        reached.insert(
            end,
            Reach {
                hops: 0,
                strength: 1.0,
                via: None,
            },
        );
        Self {
            reached,
            frontier: vec![end],
            hops: 0,
        }
    }

    /// One hop further. Nodes of the other side are always taken: they end the search.
    fn grow(
        &mut self,
        expand: &Expand<'_>,
        other: &Self,
        budget: usize,
        strength_of: &dyn Fn(&Arc) -> f32,
    ) -> Result<bool> {
        self.hops += 1;
        let mut found: Map<Node, usize> = Map::default();
        let mut next: Vec<(Node, f32, Hop)> = Vec::new();
        for (from, row) in self.frontier.iter().zip(expand(&self.frontier)?) {
            let so_far = self.reached[from].strength;
            for arc in row {
                if self.reached.contains_key(&arc.to) {
                    continue;
                }
                let strength = so_far * unit(strength_of(&arc));
                let hop = Hop { from: *from, arc };
                let at = *found.entry(arc.to).or_insert(next.len());
                match next.get_mut(at) {
                    None => next.push((arc.to, strength, hop)),
                    Some(known) => {
                        let is_first = (*from, arc.edge, arc.kind)
                            < (known.2.from, known.2.arc.edge, known.2.arc.kind);
                        if strength > known.1 || (strength == known.1 && is_first) {
                            *known = (arc.to, strength, hop);
                        }
                    }
                }
            }
        }
        next.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut room = budget.saturating_sub(self.reached.len() + other.reached.len());
        let mut cut = false;
        self.frontier.clear();
        for (node, strength, hop) in next {
            if !other.reached.contains_key(&node) {
                if room == 0 {
                    cut = true;
                    continue;
                }
                room -= 1;
            }
            self.reached.insert(
                node,
                Reach {
                    hops: self.hops,
                    strength,
                    via: Some(hop),
                },
            );
            self.frontier.push(node);
        }
        Ok(cut)
    }

    /// From `node` back to this side's end.
    fn trail(&self, node: Node) -> Vec<Hop> {
        let mut trail = Vec::new();
        let mut at = self.reached.get(&node);
        while let Some(hop) = at.and_then(|reach| reach.via) {
            trail.push(hop);
            at = self.reached.get(&hop.from);
        }
        trail
    }
}

pub(super) fn shortest_with(
    expand: &Expand<'_>,
    from: Node,
    to: Node,
    limits: &PathLimits,
    strength_of: &dyn Fn(&Arc) -> f32,
) -> Result<Search> {
    if from == to {
        return Ok(Search {
            path: Some(Path {
                hops: Vec::new(),
                strength: 1.0,
            }),
            cut: false,
        });
    }
    let (mut near, mut far) = (Side::new(from), Side::new(to));
    let mut cut = false;
    while near.hops + far.hops < limits.max_hops
        && !near.frontier.is_empty()
        && !far.frontier.is_empty()
    {
        let (side, other) = if near.frontier.len() <= far.frontier.len() {
            (&mut near, &far)
        } else {
            (&mut far, &near)
        };
        cut |= side.grow(expand, other, limits.budget, strength_of)?;
        let meeting = side
            .frontier
            .iter()
            .filter_map(|node| {
                let (a, b) = (side.reached.get(node)?, other.reached.get(node)?);
                Some((a.hops + b.hops, a.strength * b.strength, *node))
            })
            .min_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        if let Some((_, strength, node)) = meeting {
            let mut hops = near.trail(node);
            hops.reverse();
            hops.extend(far.trail(node).into_iter().map(Hop::flipped));
            return Ok(Search {
                path: Some(Path { hops, strength }),
                cut,
            });
        }
    }
    Ok(Search { path: None, cut })
}
