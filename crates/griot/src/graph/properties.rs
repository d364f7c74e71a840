//! Properties of the algorithms on random small graphs, compared with brute force.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::causal::{PREVENTS, causal_fan_out};
use super::drawing::Drawing;
use super::hop::strength;
use super::order::{cycles, topological};
use super::*;
use crate::backend::{Arc, CATALOGUE_SIZE, Direction};
use crate::model::{EdgeKind, Finding, Node, Timestamp, WarningKind};

const COUNT: u32 = 8;
const WORDS: [&str; 7] = ["causes", "prevents", "explains", "semantic", "temporal", "relation", "blocks"];

type Line = (u32, u32, usize, f32, f32);

fn node(number: u32) -> Node {
    Node::memory(number + 1)
}

fn number(node: Node) -> usize {
    node.number() as usize - 1
}

fn drawing(lines: &[Line], words: &[&str]) -> Drawing {
    let mut drawing = Drawing::default();
    for (from, to, word, weight, confidence) in lines {
        drawing.add(node(*from), words[word % words.len()], node(*to), *weight, *confidence);
    }
    drawing
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    // Eighths, so that ties happen, and some numbers that a valid store never contains.
    let eighths = (1u32..=8).prop_map(|eighths| eighths as f32 / 8.0);
    let share = prop_oneof![9 => eighths, 1 => Just(f32::NAN), 1 => Just(3.0)];
    prop::collection::vec((0..COUNT, 0..COUNT, 0..WORDS.len(), share.clone(), share), 0..24)
}

/// The fewest hops, at least one, between all pairs; large without a path (Floyd and Warshall).
fn fewest_hops(arcs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let count = COUNT as usize;
    let mut hops = vec![vec![usize::MAX / 4; count]; count];
    arcs.for_each(|(from, to)| hops[from][to] = 1);
    for middle in 0..count {
        for a in 0..count {
            for b in 0..count {
                hops[a][b] = hops[a][b].min(hops[a][middle] + hops[middle][b]);
            }
        }
    }
    hops
}

/// The largest product over at most `depth` hops from `start`, by `depth` rounds over all edges.
fn best_products(
    drawing: &Drawing,
    start: usize,
    depth: usize,
    step: impl Fn(&crate::model::Edge, usize) -> Option<(usize, f32)>,
) -> Vec<f32> {
    let mut best = vec![0.0f32; COUNT as usize];
    best[start] = 1.0;
    for _ in 0..depth {
        let before = best.clone();
        for edge in &drawing.edges {
            for (from, before) in before.iter().enumerate() {
                if let Some((to, worth)) = step(edge, from) {
                    best[to] = best[to].max(before * worth);
                }
            }
        }
    }
    best
}

fn worth(edge: &crate::model::Edge) -> f32 {
    hop::unit(edge.weight) * hop::unit(edge.confidence)
}

fn is_contiguous(hops: &[Hop], from: Node, to: Node) -> bool {
    let mut at = from;
    hops.iter().all(|hop| std::mem::replace(&mut at, hop.arc.to) == hop.from) && at == to
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_shortest_path_is_as_long_as_by_floyd_warshall(
        lines in lines(), from in 0..COUNT, to in 0..COUNT,
    ) {
        let drawing = drawing(&lines, &WORDS);
        let expand = drawing.expand(Direction::Both, &[99; CATALOGUE_SIZE]);
        let found = shortest_path(&expand, node(from), node(to), 8, 99, &strength).expect("no store");
        let ends = drawing.edges.iter().map(|edge| (number(edge.source), number(edge.target)));
        let hops = fewest_hops(ends.flat_map(|(a, b)| [(a, b), (b, a)]))[from as usize][to as usize];
        let hops = if from == to { 0 } else { hops };
        prop_assert_eq!(found.as_ref().map(|path| path.hops.len()), (hops < 99).then_some(hops));
        if let Some(path) = found {
            prop_assert!(is_contiguous(&path.hops, node(from), node(to)));
            // Within so few hops only shortest paths are left, so the strongest of all is the strongest of
            // them.
            let best = best_products(&drawing, from as usize, hops, |edge, at| {
                let (source, target) = (number(edge.source), number(edge.target));
                let to = if at == source { target } else if at == target { source } else { return None };
                Some((to, worth(edge)))
            })[to as usize];
            prop_assert!((best - path.strength).abs() < 1e-6, "{} {}", best, path.strength);
        }
    }

    #[test]
    fn a_causal_chain_is_exact_and_loses_confidence_with_each_hop(
        lines in lines(), start in 0..COUNT, depth in 1usize..5, floor in 0usize..4,
    ) {
        let drawing = drawing(&lines, &WORDS);
        let min_confidence = floor as f32 / 8.0;
        let limits = CausalLimits { depth, min_confidence, now: Timestamp(0), lambda: 0.0, budget: 99 };
        for direction in [WhyDirection::Causes, WhyDirection::Consequences] {
            let chain = drawing.causal_chain(node(start), direction, &limits);
            let best = best_products(&drawing, start as usize, depth, |edge, at| {
                let (source, target) = (number(edge.source), number(edge.target));
                let is_backwards = direction == WhyDirection::Causes;
                let (from, to) = if is_backwards { (target, source) } else { (source, target) };
                let causal = edge.kind.family() == crate::model::Family::Causal;
                let believed = hop::unit(edge.confidence) >= min_confidence;
                (causal && believed && at == from).then_some((to, worth(edge)))
            });
            let is_reached = |place: &usize| *place != start as usize && best[*place] > 0.0;
            let reached = (0..COUNT as usize).filter(is_reached).count();
            prop_assert_eq!(chain.links.len(), reached);
            for link in &chain.links {
                prop_assert!((link.strength - best[number(link.node)]).abs() < 1e-6);
                prop_assert!(link.path.len() <= depth && link.depth as usize == link.path.len());
                prop_assert!(is_contiguous(&link.path, node(start), link.node));
                prop_assert!(link.strength <= link.confidence + 1e-6);
                for hop in &link.path {
                    let confidence = hop::unit(hop.arc.confidence);
                    prop_assert!(link.confidence <= confidence && confidence >= min_confidence);
                }
            }
        }
    }

    #[test]
    fn without_cycles_causes_come_before_and_consequences_after(lines in lines(), start in 0..COUNT) {
        let forward: Vec<Line> = lines
            .into_iter()
            .filter(|line| line.0 != line.1)
            .map(|(a, b, word, weight, confidence)| (a.min(b), a.max(b), word, weight, confidence))
            .collect();
        let drawing = drawing(&forward, &["causes", "prevents", "explains", "blocks"]);
        let now = Timestamp(0);
        let limits = CausalLimits { depth: 10, min_confidence: 0.0, now, lambda: 0.0, budget: 99 };
        let chain = drawing.causal_chain(node(start), WhyDirection::Both, &limits);
        prop_assert!(chain.cycles.is_empty());
        prop_assert!(chain.links.is_sorted_by_key(|link| link.side));
        for link in &chain.links {
            prop_assert_eq!(link.side == WhyDirection::Causes, link.node < node(start));
        }
        let order: Vec<Node> = chain.links.iter().map(|link| link.node).collect();
        for edge in drawing.edges.iter().filter(|edge| worth(edge) > 0.0) {
            let place = |node| order.iter().position(|other| *other == node);
            if let (Some(cause), Some(effect)) = (place(edge.source), place(edge.target)) {
                prop_assert!(cause < effect);
            }
        }
    }

    #[test]
    fn pagerank_is_a_distribution(
        lines in lines(),
        seeds in prop::collection::vec(0..COUNT, 1..4),
        restart in prop::collection::vec((0usize..12, -1.0f32..2.0), 0..4),
        damping in -0.5f32..1.5,
        budget in 1usize..9,
    ) {
        let drawing = drawing(&lines, &WORDS);
        let seeds: Vec<Node> = seeds.into_iter().map(node).collect();
        let expand = drawing.expand(Direction::Both, &[3; CATALOGUE_SIZE]);
        let (graph, _) = Subgraph::gather(&expand, &seeds, 3, budget).expect("no store");
        prop_assert!(graph.len() <= budget && drawing.calls.get() <= 3);
        for place in 0..graph.len() {
            for (to, arc) in graph.row(place).filter(|(to, _)| *to != place) {
                let back = Hop { from: graph.nodes()[place], arc: *arc }.flipped().arc;
                let is_back = |at: usize, other: &Arc| {
                    at == place && other.edge == back.edge && other.forward == back.forward
                };
                prop_assert!(graph.row(to).any(|(at, other)| is_back(at, other)));
            }
        }
        let rank = Transitions::new(&graph, &|_, arc| arc.weight).pagerank(&restart, damping, 12);
        prop_assert!(rank.iter().all(|rank| *rank >= 0.0));
        prop_assert!((rank.iter().map(|rank| f64::from(*rank)).sum::<f64>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_beam_keeps_its_bounds(
        lines in lines(),
        anchors in prop::collection::vec((0..COUNT, 0.0f32..=1.0), 0..5),
        width in 0usize..4, depth in 0usize..5, budget in 0usize..9,
    ) {
        let drawing = drawing(&lines, &WORDS);
        let anchors: Vec<(Node, f32)> =
            anchors.into_iter().map(|(number, score)| (node(number), score)).collect();
        let limits = WalkLimits { width, depth, budget };
        let expand = drawing.expand(Direction::Both, &[99; CATALOGUE_SIZE]);
        let found = beam::traverse(&expand, &anchors, &limits, &strength, None).expect("no store");
        prop_assert!(found.len() <= budget && drawing.calls.get() <= depth);
        let mut seen: Vec<Node> = found.iter().map(|reached| reached.node).collect();
        seen.sort_unstable();
        seen.dedup();
        prop_assert_eq!(seen.len(), found.len());
        let is_anchor = |node: Node| anchors.iter().any(|anchor| anchor.0 == node);
        for reached in &found {
            prop_assert_eq!(reached.hops as usize, reached.path.len());
            prop_assert!(reached.hops as usize <= depth && (0.0..=1.0).contains(&reached.score));
            prop_assert_eq!(reached.hops == 0, is_anchor(reached.node));
            if let Some(first) = reached.path.first() {
                prop_assert!(is_anchor(first.from) && is_contiguous(&reached.path, first.from, reached.node));
                let product: f32 = reached.path.iter().map(|hop| beam::DECAY * strength(&hop.arc)).product();
                let anchor = found.iter().find(|other| other.node == first.from).expect("an anchor");
                prop_assert!((reached.score - anchor.score * product).abs() < 1e-6);
                prop_assert!(reached.score < anchor.score);
            }
        }
        let distinct: BTreeSet<Node> = anchors.iter().map(|anchor| anchor.0).collect();
        let found_anchors = found.iter().filter(|reached| reached.hops == 0).count();
        prop_assert_eq!(found_anchors, distinct.len().min(budget));
    }

    #[test]
    fn the_verifier_finds_exactly_the_cycles(lines in lines()) {
        let drawing = drawing(&lines, &WORDS);
        let causing: Vec<&crate::model::Edge> = drawing
            .edges
            .iter()
            .filter(|edge| matches!(edge.kind, EdgeKind::Causal | EdgeKind::Blocks) && edge.label != PREVENTS)
            .collect();
        let hops = fewest_hops(causing.iter().map(|edge| (number(edge.source), number(edge.target))));
        let leads = |from: Node, to: Node| hops[number(from)][number(to)] < 99;
        let expected: Vec<u32> = causing
            .iter()
            .filter(|edge| leads(edge.target, edge.source))
            .map(|edge| edge.number)
            .collect();
        let checked: Vec<Checked> = drawing.edges.iter().filter_map(Checked::new).collect();
        let types = Types { type_of: &|_| None, single_inheritance: &|_| true };
        let warnings = verify(&checked, &types);
        let cycles: Vec<&Finding> =
            warnings.iter().filter(|warning| warning.kind == WarningKind::CausalCycle).collect();
        let mut edges: Vec<u32> = cycles.iter().flat_map(|warning| warning.edges.iter().copied()).collect();
        edges.sort_unstable();
        prop_assert_eq!(edges, expected);
        for warning in cycles {
            for (a, b) in warning.nodes.iter().flat_map(|a| warning.nodes.iter().map(move |b| (a, b))) {
                prop_assert!(leads(*a, *b));
            }
            let wanted = causal_fan_out(99);
            let around = drawing.expand(Direction::Both, &wanted);
            let forwards = drawing.expand(Direction::Out, &wanted);
            let (passed, _) =
                super::verify::reachable(&around, &forwards, &warning.nodes[..1], 99).expect("no store");
            let numbers = super::verify::doubtful(&passed);
            prop_assert!(warning.edges.iter().all(|edge| numbers.contains(edge)));
        }
    }

    #[test]
    fn an_order_has_every_node_once_and_keeps_all_arcs_outside_cycles(
        arcs in prop::collection::vec((0usize..9, 0usize..9), 0..20),
    ) {
        let order = topological(9, &arcs);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..9).collect::<Vec<_>>());
        let found = cycles(9, &arcs);
        for (cause, effect) in &arcs {
            let together = found.iter().any(|cycle| cycle.contains(cause) && cycle.contains(effect));
            let place = |node| order.iter().position(|other| other == node);
            prop_assert!(together || place(cause) < place(effect));
        }
    }
}
