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

use super::hop::{Expand, FanOut, Hop, Map, faded, fan_out, from_store, strength};
use super::order::{cycles, topological};
use super::walk::{Walk, WalkLimits, walk};
use crate::backend::{Arc, Direction, Filter, Read};
use crate::model::{EdgeKind, Family, Node, Result, Timestamp};

/// Most causal arcs of one kind that are followed from one node.
pub const FAN_OUT: usize = 256;
pub const MAX_DEPTH: usize = 10;
/// The sub-type of `causal` for why something did not happen.
pub const PREVENTS: &str = "prevents";

/// Which side of a node to follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    Cause,
    Consequence,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CausalHop {
    pub hop: Hop,
    /// Confidence at the time of the request.
    pub confidence: f32,
    pub prevents: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CausalLink {
    pub node: Node,
    pub role: Role,
    pub depth: u32,
    /// The product of the hops' faded confidences.
    pub confidence: f32,
    /// The product of stored confidences and weights, by which the path was chosen.
    pub strength: f32,
    /// From the start to the node.
    pub path: Vec<CausalHop>,
    /// Some hop of the path is of the sub-type `prevents`.
    pub opposed: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CausalChain {
    pub start: Node,
    /// Causes first.
    pub links: Vec<CausalLink>,
    /// The position of the start: before `links[start_at]`.
    pub start_at: usize,
    /// Every walked causal hop among the nodes that causes, not prevents, directed away from the start.
    pub hops: Vec<Hop>,
    /// The edges of each cycle among the nodes, without those that prevent.
    pub cycles: Vec<Vec<u32>>,
    /// The budget left nodes out.
    pub cut: bool,
    /// The graph continues beyond the depth.
    pub deeper: bool,
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
    let wanted = causal_fan_out(FAN_OUT);
    let backwards = from_store(read, Direction::In, &wanted, filter);
    let forwards = from_store(read, Direction::Out, &wanted, filter);
    let known: RefCell<Map<u32, bool>> = RefCell::default();
    let prevents = |label: u32| -> Result<bool> {
        if let Some(known) = known.borrow().get(&label) {
            return Ok(*known);
        }
        let prevents = read.labels(&[label])?.concat() == PREVENTS;
        known.borrow_mut().insert(label, prevents);
        Ok(prevents)
    };
    causal_with(&backwards, &forwards, &prevents, start, direction, limits)
}

/// The causal arcs that lead to some nodes, read together, so that the chains of many effects cost the
/// requests of one. What was not read with them is read when it is needed.
pub struct CausalArcs<'a> {
    read: &'a dyn Read,
    filter: &'a Filter,
    wanted: FanOut,
    rows: RefCell<Map<Node, Vec<Arc>>>,
    prevents: RefCell<Map<u32, bool>>,
}

impl<'a> CausalArcs<'a> {
    /// Reads at most about `most` nodes backwards from the effects.
    pub fn towards(
        read: &'a dyn Read,
        effects: &[Node],
        depth: usize,
        most: usize,
        filter: &'a Filter,
    ) -> Result<Self> {
        let (rows, prevents) = (RefCell::default(), RefCell::default());
        let arcs = Self { read, filter, wanted: causal_fan_out(FAN_OUT), rows, prevents };
        let mut frontier = effects.to_vec();
        for _ in 0..=depth {
            let known = arcs.rows.borrow().len();
            frontier.sort_unstable();
            frontier.dedup();
            frontier.truncate(most.saturating_sub(known));
            if frontier.is_empty() {
                break;
            }
            let rows = arcs.rows_of(&frontier)?;
            frontier = rows.into_iter().flatten().map(|arc| arc.to).collect();
            frontier.retain(|node| !arcs.rows.borrow().contains_key(node));
        }
        let labelled = |arc: &&Arc| arc.kind == EdgeKind::Causal;
        let mut labels: Vec<u32> =
            arcs.rows.borrow().values().flatten().filter(labelled).map(|arc| arc.label).collect();
        labels.sort_unstable();
        labels.dedup();
        if !labels.is_empty() {
            let words = read.labels(&labels)?;
            let prevents = labels.into_iter().zip(words).map(|(label, word)| (label, word == PREVENTS));
            arcs.prevents.borrow_mut().extend(prevents);
        }
        Ok(arcs)
    }

    /// What led to a node, as [`causal_chain`] finds it.
    pub fn causes(&self, effect: Node, limits: &CausalLimits) -> Result<CausalChain> {
        let backwards = |frontier: &[Node]| self.rows_of(frontier);
        let prevents = |label: u32| {
            let known = self.prevents.borrow().get(&label).copied();
            known.map_or_else(|| Ok(self.read.labels(&[label])?.concat() == PREVENTS), Ok)
        };
        causal_with(&backwards, &backwards, &prevents, effect, WhyDirection::Causes, limits)
    }

    fn rows_of(&self, frontier: &[Node]) -> Result<Vec<Vec<Arc>>> {
        let mut rows = self.rows.borrow_mut();
        let unknown: Vec<Node> = frontier.iter().copied().filter(|node| !rows.contains_key(node)).collect();
        if !unknown.is_empty() {
            let found = from_store(self.read, Direction::In, &self.wanted, self.filter)(&unknown)?;
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
    let mut links: Map<(Role, Node), CausalLink> = Map::default();
    let mut arcs: Vec<(Role, Hop)> = Vec::new();
    let mut cut = false;
    let mut deeper = false;
    for (role, expand) in [(Role::Cause, backwards), (Role::Consequence, forwards)] {
        if (direction == WhyDirection::Causes && role != Role::Cause)
            || (direction == WhyDirection::Consequences && role == Role::Cause)
        {
            continue;
        }
        let mut walk = follow(expand, start, role, limits)?;
        cut |= walk.cut;
        complete(&mut walk, expand)?;
        for node in walk.nodes() {
            for arc in walk.rows.get(node).into_iter().flatten().filter(|arc| is_followed(arc, role, limits))
            {
                deeper |= walk.best(arc.to).is_none();
                arcs.push((role, Hop { from: *node, arc: *arc }));
            }
            if *node == start {
                continue;
            }
            links.insert((role, *node), link(&walk, *node, role, prevents, limits)?);
        }
    }
    assemble(start, links, &arcs, prevents, cut, deeper && !cut)
}

/// Whether a causal arc leads towards causes or towards consequences, and is confident enough.
fn is_followed(arc: &Arc, role: Role, limits: &CausalLimits) -> bool {
    let confidence = faded(arc, limits.now, limits.lambda);
    arc.kind.family() == Family::Causal
        && arc.forward == (role == Role::Consequence)
        && confidence >= limits.min_confidence
        && confidence > 0.0
        && strength(arc) > 0.0
}

fn follow(expand: &Expand<'_>, start: Node, role: Role, limits: &CausalLimits) -> Result<Walk> {
    let mut judge = |hops: &[Hop]| {
        let worth = |hop: &Hop| match is_followed(&hop.arc, role, limits) {
            true => strength(&hop.arc),
            false => 0.0,
        };
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
    role: Role,
    prevents: &dyn Fn(u32) -> Result<bool>,
    limits: &CausalLimits,
) -> Result<CausalLink> {
    let mut path = Vec::new();
    for hop in walk.path(node) {
        path.push(CausalHop {
            hop,
            confidence: faded(&hop.arc, limits.now, limits.lambda),
            prevents: hop_prevents(&hop, prevents)?,
        });
    }
    Ok(CausalLink {
        node,
        role,
        depth: path.len() as u32,
        confidence: path.iter().map(|hop| hop.confidence).product(),
        strength: walk.best(node).map_or(0.0, |state| state.score),
        opposed: path.iter().any(|hop| hop.prevents),
        path,
    })
}

fn hop_prevents(hop: &Hop, prevents: &dyn Fn(u32) -> Result<bool>) -> Result<bool> {
    Ok(hop.arc.kind == EdgeKind::Causal && prevents(hop.arc.label)?)
}

/// The sign of the positions on one side of the start.
const fn side(role: Role) -> i64 {
    match role {
        Role::Cause => -1,
        Role::Consequence => 1,
    }
}

fn assemble(
    start: Node,
    mut links: Map<(Role, Node), CausalLink>,
    arcs: &[(Role, Hop)],
    prevents: &dyn Fn(u32) -> Result<bool>,
    cut: bool,
    deeper: bool,
) -> Result<CausalChain> {
    // The furthest causes first, the furthest consequences last, the start in between.
    let place = |link: &CausalLink| match link.role {
        Role::Cause => -i64::from(link.depth),
        Role::Consequence => i64::from(link.depth),
    };
    let mut places: Vec<(i64, Node)> = links.values().map(|link| (place(link), link.node)).collect();
    places.push((0, start));
    places.sort_unstable();
    // A node of a cycle has two positions, one on each side; the start has only its own.
    let at: Map<(i64, Node), usize> =
        places.iter().enumerate().map(|(at, (place, node))| ((place.signum(), *node), at)).collect();
    let place_of = |role: Role, node: Node| {
        let side = if node == start { 0 } else { side(role) };
        at.get(&(side, node)).copied()
    };
    let mut nodes: Vec<Node> = places.iter().map(|(_, node)| *node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let local: Map<Node, usize> = nodes.iter().enumerate().map(|(local, node)| (*node, local)).collect();

    let mut order_arcs = Vec::new();
    let mut causing = Vec::new();
    let mut edges = Vec::new();
    let mut hops = Vec::new();
    for (role, hop) in arcs {
        let (cause, effect) = hop.ends();
        // An arc from the start to one of its causes, or from a consequence back to the start, does not order
        // them.
        let closes = if *role == Role::Cause { cause == start } else { effect == start };
        if let (Some(cause), Some(effect), false) = (place_of(*role, cause), place_of(*role, effect), closes)
        {
            order_arcs.push((cause, effect));
        }
        if let (Some(cause), Some(effect)) = (local.get(&cause), local.get(&effect))
            && !hop_prevents(hop, prevents)?
        {
            causing.push((*cause, *effect));
            edges.push(hop.arc.edge);
            hops.push(*hop);
        }
    }
    let mut found = Vec::new();
    for cycle in cycles(nodes.len(), &causing) {
        let inside = |local: usize| cycle.binary_search(&local).is_ok();
        let mut numbers: Vec<u32> = causing
            .iter()
            .zip(&edges)
            .filter(|((cause, effect), _)| inside(*cause) && inside(*effect))
            .map(|(_, edge)| *edge)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        found.push(numbers);
    }
    found.sort_unstable();

    let mut start_at = 0;
    let mut ordered = Vec::with_capacity(links.len());
    for at in topological(places.len(), &order_arcs) {
        let (place, node) = places[at];
        let role = if place < 0 { Role::Cause } else { Role::Consequence };
        match links.remove(&(role, node)).filter(|_| place != 0) {
            Some(link) => ordered.push(link),
            None => start_at = ordered.len(),
        }
    }
    Ok(CausalChain { start, links: ordered, start_at, hops, cycles: found, cut, deeper })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::drawing::{Drawing, LABELS, draw, name, node, route};

    const LIMITS: CausalLimits =
        CausalLimits { depth: 10, min_confidence: 0.0, now: Timestamp(0), lambda: 0.0, budget: 99 };

    fn ask(drawing: &Drawing, start: char, direction: WhyDirection, limits: &CausalLimits) -> CausalChain {
        let wanted = causal_fan_out(FAN_OUT);
        let backwards = drawing.expand(Direction::In, &wanted);
        let forwards = drawing.expand(Direction::Out, &wanted);
        let prevents = |label: u32| Ok(LABELS[label as usize] == PREVENTS);
        causal_with(&backwards, &forwards, &prevents, node(start), direction, limits).expect("no store")
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
        words.insert(found.start_at, format!("[{}]", name(found.start)));
        words.join(" ")
    }

    fn check(graph: &str, start: char, direction: WhyDirection, expected: &str) {
        assert_eq!(chain(&ask(&draw(graph), start, direction, &LIMITS)), expected, "{graph}");
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
        assert_eq!(
            route(&found.links[0].path.iter().map(|hop| hop.hop).collect::<Vec<_>>()),
            "d <-causes- b <-causes- a"
        );
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
        assert_eq!((both.links[0].role, both.links[1].role), (Role::Cause, Role::Consequence));
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
        let mut drawing = Drawing::default();
        for (from, to) in (0..12).flat_map(|from| (0..12).map(move |to| (from, to))).filter(|(a, b)| a != b) {
            let node = |number: u32| Node::memory(number + 1);
            drawing.add(node(from), "causes", node(to), 0.9, 0.9);
        }
        for (at, edge) in drawing.edges.iter_mut().enumerate() {
            edge.touched_at = Timestamp(at as i64 * 7);
        }
        let paths = |now: i64| {
            let limits = CausalLimits { now: Timestamp(now), lambda: 0.001, ..LIMITS };
            let found = ask(&drawing, 'a', WhyDirection::Both, &limits);
            found.links.iter().map(|link| (link.role, link.node, link.depth)).collect::<Vec<_>>()
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
        assert_eq!((chain(&near).as_str(), near.deeper, near.cut), ("b:1.00 c:1.00 [d]", true, false));
        assert_eq!(line.calls.get(), 3);
        let few = ask(&line, 'd', WhyDirection::Causes, &CausalLimits { budget: 2, ..LIMITS });
        assert_eq!((chain(&few).as_str(), few.deeper, few.cut), ("c:1.00 [d]", false, true));
        let all = ask(&line, 'd', WhyDirection::Causes, &LIMITS);
        assert!(!all.deeper && !all.cut);
    }

    #[test]
    fn a_complete_graph_costs_what_it_holds() {
        let mut drawing = Drawing::default();
        for (from, to) in (0..12).flat_map(|from| (0..12).map(move |to| (from, to))).filter(|(a, b)| a != b) {
            let node = |number: u32| Node::memory(number + 1);
            drawing.add(node(from), "causes", node(to), 1.0, 0.9);
        }
        let found = ask(&drawing, 'a', WhyDirection::Causes, &LIMITS);
        assert_eq!(found.links.len(), 11);
        assert!(found.links.iter().all(|link| link.depth == 1));
        assert_eq!(found.cycles[0].len(), 12 * 11);
        assert!(drawing.calls.get() <= 3);
    }
}
