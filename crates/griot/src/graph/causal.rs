//! Finds the causes and the consequences of a node.
//!
//! Causes are found by walking causal edges (`causal`, `explains`, `blocks`) backwards, from effect to cause;
//! consequences by walking them forwards. Each node appears once on each side with its best path: the one
//! with the largest product of weight and stored confidence within the depth. Faded confidence decides
//! whether an edge is followed and is the one that is shown, but it does not choose between paths: the answer
//! would change with the millisecond. A node of a cycle is both a cause and a consequence. A product shrinks
//! with each hop and is never better than its weakest hop. The work is linear in the visited part of the
//! graph, times the depth.
//!
//! Links are in causal order: causes, the start, consequences. Cycles are reported with their edges and
//! sorted by depth, then node. A hop that *prevents* is kept and marked: what prevented an event did not
//! cause it.

use std::cell::RefCell;

use super::hop::{Expand, FanOut, Hop, Map, Set, distinct, faded, fan_out, from_store, strength};
use super::order::{cycles_of, topological};
use super::walk::{Walk, WalkLimits, walk};
use crate::backend::{Arc, Direction, Filter, Read};
use crate::model::{EdgeKind, Family, Node, Result, Timestamp};

/// Most causal arcs of one kind that are followed from one node.
pub const FAN_OUT: usize = 256;
pub const MAX_DEPTH: usize = 10;
/// The sub-type of `causal` for why something did not happen.
pub const PREVENTS: &str = "prevents";

/// Which side of a node to follow, and on which side a link is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WhyDirection {
    Causes,
    Consequences,
    Both,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CausalLimits {
    /// Clamped to 1..=10.
    pub depth: usize,
    /// Edges with a lower faded confidence are not followed.
    pub min_confidence: f32,
    pub now: Timestamp,
    /// Decay of confidence per day.
    pub lambda: f64,
    /// Most nodes in each direction, including the start.
    pub budget: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CausalLink {
    pub node: Node,
    /// Not `Both`: a node on both sides has two links.
    pub side: WhyDirection,
    pub depth: u32,
    /// The product of the hops' faded confidences.
    pub confidence: f32,
    /// The product of stored confidences and weights, by which the path was chosen.
    pub strength: f32,
    /// From the start to the node.
    pub path: Vec<Hop>,
    /// Some hop of the path is of the sub-type `prevents`.
    pub opposed: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CausalChain {
    pub start: Node,
    /// In causal order, so causes first.
    pub links: Vec<CausalLink>,
    /// Every walked causal hop among the nodes, directed away from the start.
    pub hops: Vec<Hop>,
    /// The edges of each cycle among the nodes, without those that prevent.
    pub cycles: Vec<Vec<u32>>,
    /// The budget left nodes out.
    pub cut: bool,
}

/// At most `cap` arcs of each causal kind.
pub fn causal_fan_out(cap: usize) -> FanOut {
    fan_out(cap, |kind| kind.family() == Family::Causal)
}

pub fn causal_chain(
    read: &dyn Read,
    start: Node,
    direction: WhyDirection,
    limits: &CausalLimits,
    filter: &Filter,
) -> Result<CausalChain> {
    CausalArcs::new(read, WhyDirection::Causes, filter).chain(start, direction, limits)
}

/// The causal arcs on one side of some nodes, read together, so that the chains of many nodes cost the
/// requests of one. What was not read with them is read when it is needed.
pub struct CausalArcs<'a> {
    read: &'a dyn Read,
    filter: &'a Filter,
    wanted: FanOut,
    /// The side whose arcs are kept.
    side: WhyDirection,
    rows: RefCell<Map<Node, Vec<Arc>>>,
    /// For each label whether it is [`PREVENTS`].
    prevents: RefCell<Map<u32, bool>>,
}

impl<'a> CausalArcs<'a> {
    fn new(read: &'a dyn Read, side: WhyDirection, filter: &'a Filter) -> Self {
        let (rows, prevents) = (RefCell::default(), RefCell::default());
        Self { read, filter, wanted: causal_fan_out(FAN_OUT), side, rows, prevents }
    }

    /// Reads at most about `most` nodes from the starts on: their causes, or their consequences.
    pub fn from(
        read: &'a dyn Read,
        side: WhyDirection,
        starts: &[Node],
        depth: usize,
        most: usize,
        filter: &'a Filter,
    ) -> Result<Self> {
        let arcs = Self::new(read, side, filter);
        let mut frontier = starts.to_vec();
        for _ in 0..=depth {
            let known = arcs.rows.borrow().len();
            frontier = distinct(frontier);
            frontier.truncate(most.saturating_sub(known));
            if frontier.is_empty() {
                break;
            }
            let rows = arcs.rows_of(&frontier)?;
            frontier = rows.into_iter().flatten().map(|arc| arc.to).collect();
            frontier.retain(|node| !arcs.rows.borrow().contains_key(node));
        }
        let labelled = |arc: &&Arc| arc.kind == EdgeKind::Causal;
        let labels = arcs.rows.borrow().values().flatten().filter(labelled).map(|arc| arc.label).collect();
        arcs.read_labels(distinct(labels))?;
        Ok(arcs)
    }

    /// The chain of a node on the side that was read, as [`causal_chain`] finds it.
    pub fn of(&self, start: Node, limits: &CausalLimits) -> Result<CausalChain> {
        self.chain(start, self.side, limits)
    }

    fn chain(&self, start: Node, direction: WhyDirection, limits: &CausalLimits) -> Result<CausalChain> {
        let side = |side: WhyDirection| {
            move |frontier: &[Node]| match self.side == side {
                true => self.rows_of(frontier),
                false => self.read_rows(side, frontier),
            }
        };
        let (backwards, forwards) = (side(WhyDirection::Causes), side(WhyDirection::Consequences));
        let prevents = |label: u32| {
            if !self.prevents.borrow().contains_key(&label) {
                self.read_labels(vec![label])?;
            }
            Ok(self.prevents.borrow().get(&label) == Some(&true))
        };
        causal_with(&backwards, &forwards, &prevents, start, direction, limits)
    }

    fn read_labels(&self, labels: Vec<u32>) -> Result<()> {
        if !labels.is_empty() {
            let words = self.read.labels(&labels)?;
            let prevents = labels.into_iter().zip(words).map(|(label, word)| (label, word == PREVENTS));
            self.prevents.borrow_mut().extend(prevents);
        }
        Ok(())
    }

    fn read_rows(&self, side: WhyDirection, frontier: &[Node]) -> Result<Vec<Vec<Arc>>> {
        let direction = if side == WhyDirection::Causes { Direction::In } else { Direction::Out };
        from_store(self.read, direction, &self.wanted, self.filter)(frontier)
    }

    fn rows_of(&self, frontier: &[Node]) -> Result<Vec<Vec<Arc>>> {
        let mut rows = self.rows.borrow_mut();
        let unknown: Vec<Node> = frontier.iter().copied().filter(|node| !rows.contains_key(node)).collect();
        if !unknown.is_empty() {
            let found = self.read_rows(self.side, &unknown)?;
            rows.extend(unknown.into_iter().zip(found));
        }
        Ok(frontier.iter().map(|node| rows.get(node).cloned().unwrap_or_default()).collect())
    }
}

pub(super) fn causal_with(
    backwards: &Expand<'_>,
    forwards: &Expand<'_>,
    prevents: &dyn Fn(u32) -> Result<bool>,
    start: Node,
    direction: WhyDirection,
    limits: &CausalLimits,
) -> Result<CausalChain> {
    let mut links: Map<(WhyDirection, Node), CausalLink> = Map::default();
    let mut arcs: Vec<(WhyDirection, Hop)> = Vec::new();
    let mut cut = false;
    for (side, expand) in [(WhyDirection::Causes, backwards), (WhyDirection::Consequences, forwards)] {
        if direction != WhyDirection::Both && direction != side {
            continue;
        }
        let mut walk = follow(expand, start, side, limits)?;
        cut |= walk.cut;
        complete(&mut walk, expand)?;
        for node in walk.nodes() {
            let row = walk.rows.get(node).into_iter().flatten().filter(|arc| is_followed(arc, side, limits));
            arcs.extend(row.map(|arc| (side, Hop { from: *node, arc: *arc })));
            if *node != start {
                links.insert((side, *node), link(&walk, *node, side, prevents, limits)?);
            }
        }
    }
    let known: Set<Node> = links.keys().map(|(_, node)| *node).chain([start]).collect();
    let (mut hops, mut ends) = (Vec::new(), Vec::new());
    for (_, hop) in &arcs {
        if known.contains(&hop.from) && known.contains(&hop.arc.to) {
            hops.push(*hop);
            if !hop_prevents(hop, prevents)? {
                ends.push((hop.ends(), hop.arc.edge));
            }
        }
    }
    let mut cycles: Vec<Vec<u32>> = cycles_of(&ends).into_iter().map(|(_, edges)| edges).collect();
    cycles.sort_unstable();
    Ok(CausalChain { start, links: in_order(start, links, &arcs), hops, cycles, cut })
}

/// Whether a causal arc leads towards causes or towards consequences, and is confident enough.
fn is_followed(arc: &Arc, side: WhyDirection, limits: &CausalLimits) -> bool {
    let confidence = faded(arc, limits.now, limits.lambda);
    arc.kind.family() == Family::Causal
        && arc.forward == (side == WhyDirection::Consequences)
        && confidence >= limits.min_confidence
        && confidence > 0.0
        && strength(arc) > 0.0
}

fn follow(expand: &Expand<'_>, start: Node, side: WhyDirection, limits: &CausalLimits) -> Result<Walk> {
    let mut judge = |hops: &[Hop]| {
        let worth = |hop: &Hop| if is_followed(&hop.arc, side, limits) { strength(&hop.arc) } else { 0.0 };
        Ok(hops.iter().map(worth).collect())
    };
    let bounds =
        WalkLimits { depth: limits.depth.clamp(1, MAX_DEPTH), budget: limits.budget, width: usize::MAX };
    walk(expand, &mut judge, &[(start, 1.0)], &bounds)
}

/// Expands the nodes at the rim once more: the arcs between them decide their order.
fn complete(walk: &mut Walk, expand: &Expand<'_>) -> Result<()> {
    let rim: Vec<Node> = walk.nodes().iter().copied().filter(|node| !walk.rows.contains_key(node)).collect();
    if !rim.is_empty() {
        for (node, row) in rim.iter().zip(expand(&rim)?) {
            walk.rows.insert(*node, row);
        }
    }
    Ok(())
}

fn link(
    walk: &Walk,
    node: Node,
    side: WhyDirection,
    prevents: &dyn Fn(u32) -> Result<bool>,
    limits: &CausalLimits,
) -> Result<CausalLink> {
    let path = walk.path(node);
    let mut opposed = false;
    for hop in &path {
        opposed |= hop_prevents(hop, prevents)?;
    }
    Ok(CausalLink {
        node,
        side,
        depth: path.len() as u32,
        confidence: path.iter().map(|hop| faded(&hop.arc, limits.now, limits.lambda)).product(),
        strength: walk.best(node).map_or(0.0, |state| state.score),
        opposed,
        path,
    })
}

fn hop_prevents(hop: &Hop, prevents: &dyn Fn(u32) -> Result<bool>) -> Result<bool> {
    Ok(hop.arc.kind == EdgeKind::Causal && prevents(hop.arc.label)?)
}

/// The furthest causes first, the furthest consequences last, but no effect before its cause.
fn in_order(
    start: Node,
    mut links: Map<(WhyDirection, Node), CausalLink>,
    arcs: &[(WhyDirection, Hop)],
) -> Vec<CausalLink> {
    let sign = |side: WhyDirection| if side == WhyDirection::Causes { -1 } else { 1 };
    let mut places: Vec<(i64, Node)> =
        links.values().map(|link| (sign(link.side) * i64::from(link.depth), link.node)).collect();
    places.push((0, start));
    places.sort_unstable();
    // A node of a cycle has two positions, one on each side; the start has only its own.
    let at: Map<(i64, Node), usize> =
        places.iter().enumerate().map(|(at, (place, node))| ((place.signum(), *node), at)).collect();
    let mut order_arcs = Vec::new();
    for (side, hop) in arcs {
        let place_of = |node: Node| at.get(&(if node == start { 0 } else { sign(*side) }, node)).copied();
        let (cause, effect) = hop.ends();
        // An arc from the start to one of its causes, or from a consequence back to the start, does not order
        // them.
        let closes = if *side == WhyDirection::Causes { cause == start } else { effect == start };
        if let (Some(cause), Some(effect), false) = (place_of(cause), place_of(effect), closes) {
            order_arcs.push((cause, effect));
        }
    }
    let order = topological(places.len(), &order_arcs).into_iter().map(|at| places[at]);
    let side = |place: i64| if place < 0 { WhyDirection::Causes } else { WhyDirection::Consequences };
    order.filter_map(|(place, node)| links.remove(&(side(place), node))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::drawing::{Drawing, draw, name, node, route};

    const LIMITS: CausalLimits =
        CausalLimits { depth: 10, min_confidence: 0.0, now: Timestamp(0), lambda: 0.0, budget: 99 };

    fn ask(drawing: &Drawing, start: char, direction: WhyDirection, limits: &CausalLimits) -> CausalChain {
        drawing.causal_chain(node(start), direction, limits)
    }

    /// The chain in causal order, the start in brackets, confidences after it, `!` for an opposed link.
    fn chain(found: &CausalChain) -> String {
        let mut words: Vec<String> = found
            .links
            .iter()
            .map(|link| {
                format!("{}{}:{:.2}", name(link.node), if link.opposed { "!" } else { "" }, link.confidence)
            })
            .collect();
        let causes = found.links.iter().filter(|link| link.side == WhyDirection::Causes).count();
        words.insert(causes, format!("[{}]", name(found.start)));
        words.join(" ")
    }

    fn check(graph: &str, start: char, direction: WhyDirection, expected: &str) {
        assert_eq!(chain(&ask(&draw(graph), start, direction, &LIMITS)), expected, "{graph}");
    }

    /// Twelve nodes, each of which causes all others.
    fn complete_graph(weight: f32) -> Drawing {
        let mut drawing = Drawing::default();
        for (from, to) in (1..13).flat_map(|from| (1..13).map(move |to| (from, to))).filter(|(a, b)| a != b) {
            drawing.add(Node::memory(from), "causes", Node::memory(to), weight, 0.9);
        }
        drawing
    }

    #[test]
    fn causes_are_found_backwards_and_consequences_forwards() {
        let line = "a -causes*.9-> b -enables*.8-> c -causes*.5-> d";
        check(line, 'c', WhyDirection::Causes, "a:0.72 b:0.80 [c]");
        check(line, 'b', WhyDirection::Consequences, "[b] c:0.80 d:0.40");
        check(line, 'c', WhyDirection::Both, "a:0.72 b:0.80 [c] d:0.50");
        check(line, 'z', WhyDirection::Both, "[z]");
    }

    #[test]
    fn explanations_and_blockers_are_causes_and_other_edges_are_not() {
        check("k -explains-> o; A -blocks-> B", 'o', WhyDirection::Causes, "k:1.00 [o]");
        check("A -blocks-> B -blocks-> C", 'C', WhyDirection::Causes, "A:1.00 B:1.00 [C]");
        check("a -semantic- b; a -temporal-> b; a -mentions-> B", 'b', WhyDirection::Both, "[b]");
    }

    #[test]
    fn each_node_appears_once_with_its_best_path() {
        let graph = "a -causes*.2-> d; a -causes*.9-> b -causes*.9-> d; a -causes=.1-> c -causes-> d";
        check(graph, 'd', WhyDirection::Causes, "a:0.81 b:0.90 c:1.00 [d]");
        let found = ask(&draw(graph), 'd', WhyDirection::Causes, &LIMITS);
        assert_eq!(route(&found.links[0].path), "d <-causes- b <-causes- a");
        let near = CausalLimits { depth: 1, ..LIMITS };
        assert_eq!(chain(&ask(&draw(graph), 'd', WhyDirection::Causes, &near)), "a:0.20 b:0.90 c:1.00 [d]");
    }

    #[test]
    fn what_prevents_is_kept_and_marked() {
        let graph = "c -causes*.9-> p -prevents*.8-> x -causes-> y";
        check(graph, 'x', WhyDirection::Both, "c!:0.72 p!:0.80 [x] y:1.00");
        check("a -prevents-> b -causes-> a", 'b', WhyDirection::Causes, "a!:1.00 [b]");
        assert!(
            ask(&draw("a -prevents-> b -causes-> a"), 'b', WhyDirection::Causes, &LIMITS).cycles.is_empty()
        );
    }

    #[test]
    fn circles_are_reported_and_do_not_trap() {
        let found = ask(
            &draw("a -causes-> b -causes-> c -causes-> a; z -causes-> a"),
            'c',
            WhyDirection::Both,
            &LIMITS,
        );
        assert_eq!(chain(&found), "z:1.00 a:1.00 b:1.00 [c] a:1.00 b:1.00");
        assert_eq!(found.cycles, [vec![1, 2, 3]]);
        let both = ask(&draw("a -causes*.5-> b -causes*.9-> a"), 'b', WhyDirection::Both, &LIMITS);
        assert_eq!(chain(&both), "a:0.50 [b] a:0.90");
        assert_eq!(
            (both.links[0].side, both.links[1].side),
            (WhyDirection::Causes, WhyDirection::Consequences)
        );
        let own = ask(&draw("a -causes-> a"), 'a', WhyDirection::Both, &LIMITS);
        assert_eq!((chain(&own).as_str(), &own.cycles), ("[a]", &vec![vec![1]]));
    }

    #[test]
    fn faded_and_weak_edges_drop_out() {
        let mut drawing = draw("a -causes*.6-> b -causes*.9-> c");
        let believed = CausalLimits { min_confidence: 0.7, ..LIMITS };
        assert_eq!(chain(&ask(&drawing, 'c', WhyDirection::Causes, &believed)), "b:0.90 [c]");
        let later = CausalLimits { now: Timestamp(10 * Timestamp::DAY), lambda: 0.1, ..LIMITS };
        assert_eq!(chain(&ask(&drawing, 'c', WhyDirection::Causes, &later)), "a:0.07 b:0.33 [c]");
        drawing.edges[1].touched_at = Timestamp(10 * Timestamp::DAY);
        assert_eq!(chain(&ask(&drawing, 'c', WhyDirection::Causes, &later)), "a:0.20 b:0.90 [c]");
    }

    #[test]
    fn a_path_is_chosen_alike_at_any_time_and_on_both_sides_of_a_circle() {
        let mut drawing = complete_graph(0.9);
        for (at, edge) in drawing.edges.iter_mut().enumerate() {
            edge.touched_at = Timestamp(at as i64 * 7);
        }
        let paths = |now: i64| {
            let limits = CausalLimits { now: Timestamp(now), lambda: 0.001, ..LIMITS };
            let found = ask(&drawing, 'a', WhyDirection::Both, &limits);
            found.links.iter().map(|link| (link.side, link.node, link.depth)).collect::<Vec<_>>()
        };
        let first = paths(1_000_000);
        assert_eq!(first.len(), 22, "each is a cause and a consequence");
        for later in 1..200 {
            assert_eq!(paths(1_000_000 + later * 13), first);
        }
        assert_eq!(paths(Timestamp::DAY * 1000), first);
    }

    #[test]
    fn depth_and_budget_bound_the_chain_and_say_so() {
        let line = draw("a -causes-> b -causes-> c -causes-> d");
        let near = ask(&line, 'd', WhyDirection::Causes, &CausalLimits { depth: 2, ..LIMITS });
        assert_eq!((chain(&near).as_str(), near.cut), ("b:1.00 c:1.00 [d]", false));
        assert_eq!(line.calls.get(), 3);
        let few = ask(&line, 'd', WhyDirection::Causes, &CausalLimits { budget: 2, ..LIMITS });
        assert_eq!((chain(&few).as_str(), few.cut), ("c:1.00 [d]", true));
        let all = ask(&line, 'd', WhyDirection::Causes, &LIMITS);
        assert!(!all.cut);
    }

    #[test]
    fn a_complete_graph_costs_what_it_holds() {
        let drawing = complete_graph(1.0);
        let found = ask(&drawing, 'a', WhyDirection::Causes, &LIMITS);
        assert_eq!(found.links.len(), 11);
        assert!(found.links.iter().all(|link| link.depth == 1));
        assert_eq!(found.cycles[0].len(), 12 * 11);
        assert!(drawing.calls.get() <= 3);
    }
}
