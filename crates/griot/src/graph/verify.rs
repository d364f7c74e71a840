//! Finds contradictions in the graph.
//!
//! There are three: a cycle of causal edges, since nothing causes itself; a pair that is caused and prevented
//! at overlapping times; a local node that extends an external one where the language allows a single parent.
//! They are warnings with the numbers of the edges, not errors: the write goes through. After a change, only
//! nodes that can be reached from the touched ones are gathered, and only warnings about a touched node are
//! reported; everything is checked on demand. Edges that prevent do not form a cycle: an effect that prevents
//! its own cause is feedback, not a contradiction. Neither do explanations: a later explanation of an event
//! did not cause it.

use super::causal::{PREVENTS, causal_fan_out};
use super::hop::{Expand, Map, Set, distinct, from_store};
use super::order::cycles_of;
use crate::backend::{Direction, Filter, Read};
use crate::model::{
    Edge, EdgeKind, Entity, EntityType, Family, Finding, Node, Result, Timestamp, WarningKind,
};

/// Most arcs of one kind that are read per node.
const FAN_OUT: usize = 4096;
/// Number of edges that are read at once when everything is verified.
const PAGE: usize = 4096;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    pub found: Vec<Finding>,
    /// The budget left nodes out: there may be more findings.
    pub cut: bool,
}

/// The meaning of an edge for the three rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    /// `causal`: the source causes the target.
    Causes,
    /// `blocks`: counts for cycles only.
    LeadsTo,
    Prevents,
    Extends,
}

/// The verified part of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    number: u32,
    source: Node,
    target: Node,
    claim: Claim,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
}

impl Checked {
    /// `None` for an edge that no rule concerns.
    pub fn new(edge: &Edge) -> Option<Self> {
        let claim = match edge.kind {
            EdgeKind::Causal if edge.label == PREVENTS => Claim::Prevents,
            EdgeKind::Causal => Claim::Causes,
            EdgeKind::Extends => Claim::Extends,
            EdgeKind::Blocks => Claim::LeadsTo,
            _ => return None,
        };
        Some(Self {
            number: edge.number,
            source: edge.source,
            target: edge.target,
            claim,
            created_at: edge.created_at,
            expires_at: edge.expires_at,
        })
    }

    /// Whether neither had expired when the other was created.
    fn overlaps(&self, other: &Self) -> bool {
        let outlives = |a: &Self, b: &Self| a.expires_at.is_none_or(|end| end > b.created_at);
        outlives(self, other) && outlives(other, self)
    }
}

/// The types of entities, and whether a node belongs to a language in which a type has one parent.
pub struct Types<'a> {
    pub type_of: &'a dyn Fn(Node) -> Option<EntityType>,
    pub single_inheritance: &'a dyn Fn(Node) -> bool,
}

/// All findings among these edges, sorted.
pub fn verify(edges: &[Checked], types: &Types<'_>) -> Vec<Finding> {
    let mut warnings = causal_cycles(edges);
    warnings.extend(contradictions(edges));
    warnings.extend(external_bases(edges, types));
    warnings.sort_unstable();
    // Edges with different labels between one pair are one finding.
    warnings.dedup_by(|next, first| {
        let is_same = (next.kind, &next.nodes) == (first.kind, &first.nodes);
        if is_same {
            first.edges.append(&mut next.edges);
            first.edges.sort_unstable();
            first.edges.dedup();
        }
        is_same
    });
    warnings
}

fn causal_cycles(edges: &[Checked]) -> Vec<Finding> {
    let causing = edges.iter().filter(|edge| matches!(edge.claim, Claim::Causes | Claim::LeadsTo));
    let arcs: Vec<_> = causing.map(|edge| ((edge.source, edge.target), edge.number)).collect();
    let findings = cycles_of(&arcs).into_iter();
    findings.map(|(nodes, edges)| warning(WarningKind::CausalCycle, nodes, edges)).collect()
}

fn contradictions(edges: &[Checked]) -> Vec<Finding> {
    let mut by_pair: Vec<&Checked> =
        edges.iter().filter(|edge| matches!(edge.claim, Claim::Causes | Claim::Prevents)).collect();
    by_pair.sort_unstable_by_key(|edge| (edge.source, edge.target, edge.number));
    let mut warnings = Vec::new();
    for pair in by_pair.chunk_by(|a, b| (a.source, a.target) == (b.source, b.target)) {
        let mut at_odds = Vec::new();
        for causes in pair.iter().filter(|edge| edge.claim == Claim::Causes) {
            for prevents in pair.iter().filter(|edge| edge.claim == Claim::Prevents) {
                if causes.overlaps(prevents) {
                    at_odds.extend([causes.number, prevents.number]);
                }
            }
        }
        if !at_odds.is_empty() {
            warnings.push(warning(
                WarningKind::CausedAndPrevented,
                vec![pair[0].source, pair[0].target],
                at_odds,
            ));
        }
    }
    warnings
}

fn external_bases(edges: &[Checked], types: &Types<'_>) -> Vec<Finding> {
    let is_wrong = |edge: &&Checked| {
        edge.claim == Claim::Extends
            && (types.type_of)(edge.target) == Some(EntityType::External)
            && (types.type_of)(edge.source).is_some_and(|kind| kind != EntityType::External)
            && (types.single_inheritance)(edge.source)
    };
    let wrong = edges.iter().filter(is_wrong);
    wrong
        .map(|edge| warning(WarningKind::ExternalBase, vec![edge.source, edge.target], vec![edge.number]))
        .collect()
}

fn warning(kind: WarningKind, nodes: Vec<Node>, edges: Vec<u32>) -> Finding {
    Finding { kind, nodes, edges: distinct(edges) }
}

/// The findings about the ends of changed edges. `budget` is the most nodes whose edges are read.
pub fn verify_touched(read: &dyn Read, touched: &[Node], budget: usize, now: Timestamp) -> Result<Verified> {
    let mut wanted = causal_fan_out(FAN_OUT);
    wanted[EdgeKind::Extends as usize] = FAN_OUT;
    let filter = Filter { superseded: true, now: Some(now), ..Filter::default() };
    let around = from_store(read, Direction::Both, &wanted, &filter);
    let forwards = from_store(read, Direction::Out, &wanted, &filter);
    let (reached, cut) = reachable(&around, &forwards, touched, budget)?;
    let mut found = verify_edges(read, &doubtful(&reached), now)?;
    let touched: Set<Node> = touched.iter().copied().collect();
    found.retain(|finding| finding.nodes.iter().any(|node| touched.contains(node)));
    Ok(Verified { found, cut })
}

/// The findings among these edges alone, without edges that are not live or have expired.
pub fn verify_edges(read: &dyn Read, numbers: &[u32], now: Timestamp) -> Result<Vec<Finding>> {
    let mut live = read.live_edges(numbers)?.into_iter();
    let numbers: Vec<u32> = numbers.iter().copied().filter(|_| live.next() == Some(true)).collect();
    let edges = read.edges(&numbers)?;
    verify_in_store(
        read,
        edges.iter().filter(|edge| !edge.has_expired(now)).filter_map(Checked::new).collect(),
        now,
    )
}

/// An arc that the search followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Passed {
    edge: u32,
    source: Node,
    target: Node,
    kind: EdgeKind,
}

/// The edges that may be part of a finding, judged by their ends and kinds alone. Only their rows are read:
/// few, unless causes run in a cycle.
pub(super) fn doubtful(passed: &[Passed]) -> Vec<u32> {
    let leads = |arc: &&Passed| matches!(arc.kind, EdgeKind::Causal | EdgeKind::Blocks);
    let mut leading: Vec<&Passed> = passed.iter().filter(leads).collect();
    leading.sort_unstable_by_key(|arc| (arc.source, arc.target, arc.edge));
    let arcs: Vec<_> = leading.iter().map(|arc| ((arc.source, arc.target), arc.edge)).collect();
    let extends = passed.iter().filter(|arc| arc.kind == EdgeKind::Extends).map(|arc| arc.edge);
    let in_cycles = cycles_of(&arcs).into_iter().flat_map(|(_, edges)| edges);
    let mut numbers: Vec<u32> = extends.chain(in_cycles).collect();
    for pair in leading.chunk_by(|a, b| (a.source, a.target) == (b.source, b.target)) {
        if pair.len() > 1 {
            numbers.extend(pair.iter().map(|arc| arc.edge));
        }
    }
    distinct(numbers)
}

/// The edges at touched nodes, and those that a cycle through a touched node can consist of: they all start
/// at nodes that can be reached forwards.
pub(super) fn reachable(
    around: &Expand<'_>,
    forwards: &Expand<'_>,
    touched: &[Node],
    budget: usize,
) -> Result<(Vec<Passed>, bool)> {
    let mut frontier = distinct(touched.to_vec());
    let mut cut = frontier.len() > budget;
    frontier.truncate(budget);
    let mut seen: Set<Node> = frontier.iter().copied().collect();
    let mut passed = Vec::new();
    let mut expand = around;
    while !frontier.is_empty() {
        let mut next = Vec::new();
        let arcs = expand(&frontier)?;
        for (from, arc) in
            frontier.iter().zip(&arcs).flat_map(|(from, arcs)| arcs.iter().map(move |arc| (*from, arc)))
        {
            if arc.edge != 0 {
                let (source, target) = if arc.forward { (from, arc.to) } else { (arc.to, from) };
                passed.push(Passed { edge: arc.edge, source, target, kind: arc.kind });
            }
            if arc.forward && arc.kind.family() == Family::Causal && !seen.contains(&arc.to) {
                next.push(arc.to);
            }
        }
        next = distinct(next);
        let room = budget.saturating_sub(seen.len());
        cut |= next.len() > room;
        next.truncate(room);
        seen.extend(next.iter().copied());
        frontier = next;
        expand = forwards;
    }
    Ok((distinct(passed), cut))
}

/// The findings among all live edges of the store that have not expired.
pub fn verify_all(read: &dyn Read, now: Timestamp) -> Result<Vec<Finding>> {
    let mut edges = Vec::new();
    let mut after = 0;
    loop {
        let page = read.edges_after(after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.number;
        edges.extend(page.iter().filter(|edge| !edge.has_expired(now)).filter_map(Checked::new));
    }
    let numbers: Vec<u32> = edges.iter().map(|edge: &Checked| edge.number).collect();
    let mut live = read.live_edges(&numbers)?.into_iter();
    edges.retain(|_| live.next() == Some(true));
    verify_in_store(read, edges, now)
}

/// Drops the findings of expired memories. These are looked up only for nodes that have a finding.
fn verify_in_store(read: &dyn Read, mut edges: Vec<Checked>, now: Timestamp) -> Result<Vec<Finding>> {
    loop {
        let found = verify_with_types(read, &edges)?;
        let ends = found.iter().flat_map(|finding| &finding.nodes).filter(|node| node.is_memory());
        let memories = read.memories(&distinct(ends.copied().collect()))?;
        let expired: Set<Node> =
            memories.iter().filter(|memory| memory.is_expired(now)).map(|memory| memory.node).collect();
        if expired.is_empty() {
            return Ok(found);
        }
        edges.retain(|edge| !expired.contains(&edge.source) && !expired.contains(&edge.target));
    }
}

fn verify_with_types(read: &dyn Read, edges: &[Checked]) -> Result<Vec<Finding>> {
    let extending = edges.iter().filter(|edge| edge.claim == Claim::Extends);
    let ends = distinct(extending.flat_map(|edge| [edge.source, edge.target]).collect());
    let entities: Map<Node, Entity> =
        read.entities(&ends)?.into_iter().map(|entity| (entity.node, entity)).collect();
    let type_of = |node: Node| entities.get(&node).map(|entity| entity.kind);
    let single_inheritance =
        |node: Node| entities.get(&node).is_some_and(|entity| has_one_parent(&entity.name));
    Ok(verify(edges, &Types { type_of: &type_of, single_inheritance: &single_inheritance }))
}

/// File extensions of languages in which a type has one parent. Python, C++, Perl, Eiffel, Lisp and the like
/// are missing, as are languages without classes; headers may belong to several languages.
const ONE_PARENT: &[&str] = &[
    "java", "cs", "vb", "rb", "php", "kt", "kts", "swift", "dart", "scala", "groovy", "ts", "tsx", "js",
    "jsx", "mjs", "cjs",
];

/// Whether a name contains a file of such a language, as in `src/App.kt` or `src/App.kt::Main`. A name
/// without a file is never single-parent.
fn has_one_parent(name: &str) -> bool {
    let is_separator =
        |c: char| c.is_whitespace() || matches!(c, ':' | '#' | '/' | '\\' | '(' | ')' | ',' | '@');
    name.split(is_separator).filter_map(|part| part.rsplit_once('.')).any(|(stem, extension)| {
        !stem.is_empty() && ONE_PARENT.iter().any(|known| known.eq_ignore_ascii_case(extension))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::drawing::{Drawing, draw, names, node};

    /// `P` and `Q` are external, other capitals are types; only the language of `J` has single inheritance.
    fn found(drawing: &Drawing) -> String {
        let type_of = |wanted: Node| {
            let is_external = wanted == node('P') || wanted == node('Q');
            wanted.is_entity().then_some(if is_external { EntityType::External } else { EntityType::Type })
        };
        let types = Types { type_of: &type_of, single_inheritance: &|wanted| wanted == node('J') };
        let edges: Vec<Checked> = drawing.edges.iter().filter_map(Checked::new).collect();
        let line =
            |w: &Finding| format!("{} {} {:?}", w.kind.name(), names(w.nodes.iter().copied()), w.edges);
        verify(&edges, &types).iter().map(line).collect::<Vec<_>>().join("; ")
    }

    fn check(graph: &str, expected: &str) {
        assert_eq!(found(&draw(graph)), expected, "{graph}");
    }

    #[test]
    fn circles_over_causal_kinds() {
        check("a -causes-> b -causes-> c; a -causes-> c", "");
        check("a -causes-> b -enables-> a; b -causes-> c", "causal_cycle ab [1, 2]");
        check("a -causes-> a", "causal_cycle a [1]");
        check("a -explains-> b -caused-> a; A -blocks-> B -blocks-> A", "causal_cycle AB [3, 4]");
        check("a -causes-> b -prevents-> a", "");
        check("a -causes-> b -semantic- a; b -supersedes-> a", "");
        check("a -causes-> b -causes-> a; b -causes-> c -causes-> b", "causal_cycle abc [1, 2, 3, 4]");
    }

    #[test]
    fn caused_and_prevented_at_the_same_time() {
        check("a -causes-> b; a -prevents-> b", "caused_and_prevented ab [1, 2]");
        check("a -causes-> b; a -caused-> b; a -prevents-> b", "caused_and_prevented ab [1, 2, 3]");
        check("a -explains-> b; a -prevents-> b", "");
        check("a -causes-> b -prevents-> a", "");

        let mut drawing = draw("a -causes-> b; a -prevents-> b");
        drawing.edges[1].created_at = Timestamp(50);
        drawing.edges[0].expires_at = Some(Timestamp(51));
        assert_eq!(found(&drawing), "caused_and_prevented ab [1, 2]");
        drawing.edges[0].expires_at = Some(Timestamp(50));
        assert_eq!(found(&drawing), "");
    }

    #[test]
    fn a_local_type_under_an_external_one() {
        check("J -extends-> P", "external_base JP [1]");
        check("K -extends-> P; J -extends-> K; P -extends-> Q; J -imports-> P", "");
    }

    #[test]
    fn the_language_is_that_of_the_file_in_a_name() {
        for name in
            ["src/App.java", "src/App.kt::Main", "lib/user.rb#User", "C:\\src\\Shop.CS", "app.ts (Store)"]
        {
            assert!(has_one_parent(name), "{name}");
        }
        for name in
            ["AuthService", "src/app.py::App", "com.example.Main", "main.cpp", ".java", "java", "a.javac", ""]
        {
            assert!(!has_one_parent(name), "{name}");
        }
    }

    #[test]
    fn a_change_gathers_the_edges_of_its_possible_cycles() {
        let drawing = draw(
            "a -causes-> b -causes-> c -causes-> a; x -causes-> a; c -causes-> d -causes-> e; y -causes-> x",
        );
        let mut wanted = causal_fan_out(99);
        wanted[EdgeKind::Extends as usize] = 99;
        let (around, forwards) =
            (drawing.expand(Direction::Both, &wanted), drawing.expand(Direction::Out, &wanted));
        let gather = |touched: &[Node], budget| {
            let (passed, cut) = reachable(&around, &forwards, touched, budget).expect("no store");
            (passed.iter().map(|arc| arc.edge).collect::<Vec<u32>>(), cut)
        };
        assert_eq!(gather(&[node('a')], 99), (vec![1, 2, 3, 4, 5, 6], false));
        assert_eq!(gather(&[node('a')], 2), (vec![1, 2, 3, 4], true));
        assert_eq!(gather(&[node('e')], 99), (vec![6], false));
        assert_eq!(gather(&[], 99), (vec![], false));
    }

    #[test]
    fn only_doubtful_rows_are_read() {
        let rows = |graph: &str| {
            let drawing = draw(graph);
            let passed = |edge: &Edge| {
                let Edge { number, source, target, kind, .. } = *edge;
                Passed { edge: number, source, target, kind }
            };
            doubtful(&drawing.edges.iter().map(passed).collect::<Vec<_>>())
        };
        assert_eq!(rows("a -causes-> b -causes-> c; a -causes-> c; b -prevents-> d"), Vec::<u32>::new());
        assert_eq!(rows("a -causes-> b -causes-> a; b -causes-> c"), [1, 2]);
        assert_eq!(rows("a -causes-> b; a -prevents-> b; b -causes-> c; A -extends-> P"), [1, 2, 4]);
        // Only the row shows whether one of them prevents.
        assert_eq!(rows("a -causes-> b -prevents-> a; c -explains-> d"), [1, 2]);
    }
}
