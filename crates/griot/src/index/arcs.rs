//! The edges of each node: every edge is stored as an arc at both of its ends.
//!
//! ```text
//! offsets  u64      by node: where its arcs start; one more than nodes
//! arcs     32 B     to, edge, weight, confidence, touched_at, label, kind, provenance, forward
//! ends     u32 × 2  by edge number: source and target; 0 0 for a removed edge
//! degrees  u32      by node: how many edges it has (a loop counts once)
//! expiring 16 B     by (node, edge): the expiry of the few edges that have one
//! hidden   u8       by entity number: arcs to it are not followed
//! ```
//!
//! Nodes are `Node::raw`. A node's arcs are sorted by (kind, forward, weight down, touched down, to, edge),
//! so that the first few of a kind are the front of its range. Symmetric edges are forward from both ends,
//! and a search for incoming arcs finds them too; a directed loop is two arcs, a symmetric one is one.
//!
//! A changed edge of the base is marked as moved and from then on is in the tail: a table of edges and, per
//! node, the numbers of its edges.

use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::io;

use bytemuck::{Pod, Zeroable};

use super::best::descending;
use super::columns::Column;
use super::map::{Section, Sections};
use super::snapshot::Writer;
use super::{Totals, Visible};
use crate::model::{self, CATALOGUE, Direction, EdgeKind, Link, Node, Provenance, Timestamp};

type Map<V> = HashMap<u32, V, foldhash::fast::RandomState>;

/// An arc in the file format.
#[derive(Clone, Copy, Pod, Zeroable, Debug)]
#[repr(C)]
pub(super) struct Packed {
    pub(super) to: u32,
    pub(super) edge: u32,
    pub(super) weight: f32,
    pub(super) confidence: f32,
    pub(super) touched_at: i64,
    pub(super) label: u32,
    pub(super) kind: u8,
    pub(super) provenance: u8,
    pub(super) forward: u8,
    /// [`EXPIRES`].
    pub(super) flags: u8,
}

/// Flag of an edge that expires: its time is in `expiring` or in the tail.
const EXPIRES: u8 = 1;

/// The expiry of an edge, once for each of its ends.
#[derive(Clone, Copy, Pod, Zeroable, Debug)]
#[repr(C)]
struct Expiring {
    node: u32,
    edge: u32,
    at: i64,
}

impl Packed {
    fn group(&self) -> (u8, u8) {
        (self.kind, self.forward)
    }

    fn order(&self, other: &Self) -> Ordering {
        self.group()
            .cmp(&other.group())
            .then(other.weight.total_cmp(&self.weight))
            .then(other.touched_at.cmp(&self.touched_at))
            .then(self.to.cmp(&other.to))
            .then(self.edge.cmp(&other.edge))
            .then(self.label.cmp(&other.label))
    }

    fn unpack(&self) -> Option<model::Arc> {
        Some(model::Arc {
            to: Node::from_raw(self.to),
            edge: self.edge,
            kind: EdgeKind::from_number(self.kind)?,
            label: self.label,
            forward: self.forward == 1,
            weight: self.weight,
            confidence: self.confidence,
            touched_at: Timestamp(self.touched_at),
            provenance: Provenance::from_number(self.provenance)?,
        })
    }
}

/// An edge seen from one of its ends: one arc, or two for a directed loop.
fn seen_from(link: &Link, node: u32) -> impl Iterator<Item = Packed> + use<> {
    let arc = |to: u32, forward: bool| Packed {
        to,
        edge: link.number,
        weight: link.weight,
        confidence: link.confidence,
        touched_at: link.touched_at,
        label: link.label,
        kind: link.kind as u8,
        provenance: link.provenance as u8,
        forward: u8::from(forward),
        flags: if link.expires_at.is_some() { EXPIRES } else { 0 },
    };
    let symmetric = link.kind.is_symmetric();
    let away = (link.source == node).then(|| arc(link.target, true));
    let towards =
        (link.target == node && !(symmetric && link.source == node)).then(|| arc(link.source, symmetric));
    away.into_iter().chain(towards)
}

#[derive(Default)]
pub(super) struct Arcs {
    offsets: Section<u64>,
    arcs: Section<Packed>,
    ends: Section<[u32; 2]>,
    degrees: Column<u32>,
    expiring: Section<Expiring>,
    hidden: Column<u8>,
    /// One bit per edge of the base: it was moved to the tail or removed. Empty until the first.
    moved: Vec<u64>,
    /// Edges of the base that changed.
    changed: Map<Link>,
    /// Edges after the base, by number.
    new: Vec<Option<Link>>,
    /// The tail's edges of each node.
    of_node: Map<Vec<u32>>,
    /// Edges of the tail that expire, by number.
    ending: BTreeSet<u32>,
}

impl Arcs {
    pub(super) const SECTIONS: usize = 6;

    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        let arcs = Self {
            offsets: sections.next()?,
            arcs: sections.next()?,
            ends: sections.next()?,
            degrees: Column::new(sections.next()?),
            expiring: sections.next()?,
            hidden: Column::new(sections.next()?),
            ..Self::default()
        };
        (arcs.offsets.len() == arcs.degrees.len() + 1).then_some(arcs)
    }

    pub(super) fn write(&self, writer: &mut Writer) -> io::Result<()> {
        let nodes = self.degrees.len() as u32;
        let mut own = Vec::new();
        let mut count = |node| {
            self.all_of(node, &mut own);
            own.len()
        };
        writer.offsets((0..nodes).map(&mut count))?;
        writer.begin()?;
        for node in 0..nodes {
            self.all_of(node, &mut own);
            own.sort_unstable_by(Packed::order);
            writer.put(&own)?;
        }
        writer.end()?;
        let numbers = 0..(self.ends.len() + self.new.len()) as u32;
        writer.values(numbers.map(|number| self.ends_of(number).unwrap_or([0, 0])))?;
        self.degrees.write(writer)?;
        writer.section(&self.every_end())?;
        self.hidden.write(writer)
    }

    pub(super) fn hide(&mut self, entity: u32, deleted: bool) {
        if deleted || (entity as usize) < self.hidden.len() {
            self.hidden.set(entity as usize, u8::from(deleted));
        }
    }

    pub(super) fn is_hidden(&self, entity: u32) -> bool {
        self.hidden.get(entity as usize) != 0
    }

    pub(super) fn degree(&self, node: u32, now: Option<i64>) -> u32 {
        let all = self.degrees.get(node as usize);
        let Some(now) = now.filter(|_| all > 0) else { return all };
        let base = self.ends_at(node).iter().filter(|end| end.at <= now && !self.is_moved(end.edge)).count();
        let is_over = |number: &&u32| self.tail_end(**number).is_some_and(|end| end <= now);
        let of_tail = || self.of_node.get(&node).map_or(&[][..], |numbers| numbers);
        let tail = if self.ending.is_empty() { 0 } else { of_tail().iter().filter(is_over).count() };
        all.saturating_sub((base + tail) as u32)
    }

    /// The expiring edges of the base at one node.
    fn ends_at(&self, node: u32) -> &[Expiring] {
        let start = self.expiring.partition_point(|end| end.node < node);
        let end = self.expiring.partition_point(|end| end.node <= node);
        self.expiring.range(start..end).unwrap_or(&[])
    }

    fn tail_end(&self, number: u32) -> Option<i64> {
        self.in_tail(number)?.expires_at
    }

    /// The expiry of an arc of this node.
    fn end_of(&self, node: u32, arc: &Packed) -> Option<i64> {
        if arc.flags & EXPIRES == 0 {
            return None;
        }
        if let Some(link) = self.in_tail(arc.edge) {
            return link.expires_at;
        }
        let ends = self.ends_at(node);
        ends.binary_search_by_key(&arc.edge, |end| end.edge).ok().map(|at| ends[at].at)
    }

    /// The section `expiring` of a snapshot of base and tail.
    fn every_end(&self) -> Vec<Expiring> {
        let base = self.expiring.all().iter().filter(|end| !self.is_moved(end.edge)).copied();
        let of_link = |link: &Link| {
            let (edge, at) = (link.number, link.expires_at);
            distinct([link.source, link.target])
                .filter_map(move |node| Some(Expiring { node, edge, at: at? }))
        };
        let tail = self.ending.iter().filter_map(|number| self.in_tail(*number)).flat_map(of_link);
        let mut ends: Vec<Expiring> = base.chain(tail).collect();
        ends.sort_unstable_by_key(|end| (end.node, end.edge));
        ends
    }

    /// Whether the edge of an arc has not expired and is confident enough.
    fn holds(&self, node: u32, arc: &Packed, visible: &Visible<'_>) -> bool {
        if visible.is_over(self.end_of(node, arc)) {
            return false;
        }
        visible.belief.least <= 0.0
            || EdgeKind::from_number(arc.kind).is_some_and(|kind| {
                visible.belief.holds(kind, arc.confidence, Timestamp(arc.touched_at), visible.timestamp())
            })
    }

    fn is_moved(&self, edge: u32) -> bool {
        self.moved.get(edge as usize / 64).is_some_and(|bits| bits >> (edge % 64) & 1 == 1)
    }

    fn in_tail(&self, number: u32) -> Option<&Link> {
        match (number as usize).checked_sub(self.ends.len()) {
            Some(at) => self.new.get(at)?.as_ref(),
            None => self.changed.get(&number),
        }
    }

    fn ends_of(&self, number: u32) -> Option<[u32; 2]> {
        if let Some(link) = self.in_tail(number) {
            return Some([link.source, link.target]);
        }
        self.ends.get(number as usize).filter(|ends| *ends != [0, 0] && !self.is_moved(number))
    }

    pub(super) fn put(&mut self, link: Link, totals: &mut Totals) {
        let ends = [link.source, link.target];
        let was_in_tail = self.in_tail(link.number).is_some();
        let former = self.ends_of(link.number);
        if former != Some(ends) || !was_in_tail {
            self.remove(link.number, totals);
            totals.links += 1;
            for node in distinct(ends) {
                self.degrees.set(node as usize, self.degrees.get(node as usize).saturating_add(1));
                self.of_node.entry(node).or_default().push(link.number);
            }
        }
        if link.expires_at.is_some() {
            self.ending.insert(link.number);
        } else {
            self.ending.remove(&link.number);
        }
        self.set_tail(link.number, Some(link));
    }

    fn set_tail(&mut self, number: u32, link: Option<Link>) {
        match ((number as usize).checked_sub(self.ends.len()), link) {
            (Some(at), link) => {
                if at >= self.new.len() {
                    self.new.resize(at + 1, None);
                }
                self.new[at] = link;
            }
            (None, Some(link)) => drop(self.changed.insert(number, link)),
            (None, None) => drop(self.changed.remove(&number)),
        }
    }

    pub(super) fn remove(&mut self, number: u32, totals: &mut Totals) {
        let Some(ends) = self.ends_of(number) else {
            return;
        };
        let was_in_tail = self.in_tail(number).is_some();
        totals.links = totals.links.saturating_sub(1);
        self.ending.remove(&number);
        for node in distinct(ends) {
            if let Some(degree) = self.degrees.get_mut(node as usize) {
                *degree = degree.saturating_sub(1);
            }
            if was_in_tail && let Some(numbers) = self.of_node.get_mut(&node) {
                numbers.retain(|other| *other != number);
            }
        }
        self.set_tail(number, None);
        if (number as usize) < self.ends.len() {
            if self.moved.is_empty() {
                self.moved.resize(self.ends.len().div_ceil(64), 0);
            }
            self.moved[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// The arcs of a node in the base, including moved ones.
    fn base_of(&self, node: u32) -> &[Packed] {
        let at = node as usize;
        match (self.offsets.get(at), self.offsets.get(at + 1)) {
            (Some(start), Some(end)) => self.arcs.range(start as usize..end as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    fn tail_of(&self, node: u32) -> impl Iterator<Item = Packed> + '_ {
        let numbers = self.of_node.get(&node).map_or(&[][..], |numbers| numbers);
        numbers.iter().filter_map(|number| self.in_tail(*number)).flat_map(move |link| seen_from(link, node))
    }

    fn all_of(&self, node: u32, out: &mut Vec<Packed>) {
        out.clear();
        out.extend(self.base_of(node).iter().filter(|arc| !self.is_moved(arc.edge)));
        out.extend(self.tail_of(node));
    }

    /// Appends the first `fan_out` arcs of each kind and direction that hold and lead to visible nodes, with
    /// the derived arcs of `extra` sorted in.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn collect(
        &self,
        node: u32,
        direction: Direction,
        fan_out: &[usize],
        mut extra: Vec<Packed>,
        visible: &Visible<'_>,
        sees: impl Fn(Node) -> bool,
        out: &mut Vec<model::Arc>,
    ) {
        let cap = |(kind, forward): (u8, u8)| {
            let symmetric = CATALOGUE.get(kind as usize).is_none_or(|row| row.symmetric);
            let wanted = match direction {
                Direction::Both => true,
                Direction::Out => forward == 1,
                Direction::In => forward == 0 || symmetric,
            };
            if wanted { fan_out.get(kind as usize).copied().unwrap_or(0) } else { 0 }
        };
        extra.extend(self.tail_of(node));
        extra.retain(|arc| {
            cap(arc.group()) > 0 && self.holds(node, arc, visible) && sees(Node::from_raw(arc.to))
        });
        if extra.len() > 256 {
            extra = best_of_groups(extra, cap);
        }
        extra.sort_unstable_by(Packed::order);

        let mut base = self.base_of(node);
        let mut extra = &extra[..];
        while let Some(group) = [base.first(), extra.first()].into_iter().flatten().map(Packed::group).min() {
            let mut left = cap(group);
            while left > 0 {
                let of_base = base.first().filter(|arc| arc.group() == group);
                let of_extra = extra.first().filter(|arc| arc.group() == group);
                let from_base = match (of_base, of_extra) {
                    (Some(arc), Some(other)) => arc.order(other).is_le(),
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (None, None) => break,
                };
                let list = if from_base { &mut base } else { &mut extra };
                let Some((arc, rest)) = list.split_first() else {
                    break;
                };
                *list = rest;
                // Arcs in `extra` were checked above.
                let is_seen = !from_base
                    || !self.is_moved(arc.edge)
                        && self.holds(node, arc, visible)
                        && sees(Node::from_raw(arc.to));
                if is_seen && let Some(arc) = arc.unpack() {
                    out.push(arc);
                    left -= 1;
                }
            }
            // In a damaged file the arcs may be unsorted: this still makes progress.
            base = &base[base.partition_point(|arc| arc.group() <= group)..];
            extra = &extra[extra.partition_point(|arc| arc.group() <= group)..];
        }
    }

    /// The nodes with the most edges, most first, ties by node.
    pub(super) fn hubs(
        &self,
        limit: usize,
        now: Option<i64>,
        wanted: &dyn Fn(u32) -> bool,
    ) -> Vec<(u32, u32)> {
        let heap: BinaryHeap<(u32, std::cmp::Reverse<u32>)> = (0..self.degrees.len() as u32)
            .map(|node| (self.degree(node, now), std::cmp::Reverse(node)))
            .filter(|(degree, _)| *degree > 0)
            .collect();
        descending(heap)
            .map(|(degree, node)| (node.0, degree))
            .filter(|(node, _)| wanted(*node))
            .take(limit)
            .collect()
    }

    pub(super) fn each(&self, sink: &mut dyn FnMut(Link)) {
        for node in 0..self.degrees.len() as u32 {
            for arc in self.base_of(node) {
                let is_source = self.ends.get(arc.edge as usize).is_some_and(|ends| ends[0] == node);
                if arc.forward != 1 || !is_source || self.is_moved(arc.edge) {
                    continue;
                }
                let Some(read) = arc.unpack() else { continue };
                sink(Link {
                    number: arc.edge,
                    source: node,
                    target: arc.to,
                    kind: read.kind,
                    label: arc.label,
                    weight: arc.weight,
                    confidence: arc.confidence,
                    touched_at: arc.touched_at,
                    expires_at: self.end_of(node, arc),
                    provenance: read.provenance,
                });
            }
        }
        let mut changed: Vec<&Link> = self.changed.values().collect();
        changed.sort_unstable_by_key(|link| link.number);
        changed.into_iter().chain(self.new.iter().flatten()).for_each(|link| sink(*link));
    }
}

fn distinct(ends: [u32; 2]) -> impl Iterator<Item = u32> {
    let [source, target] = ends;
    [Some(source), (target != source).then_some(target)].into_iter().flatten()
}

/// Leaves the first `cap` arcs of each group, unsorted: a hub whose edges are in the tail need not be sorted
/// as a whole.
fn best_of_groups(arcs: Vec<Packed>, cap: impl Fn((u8, u8)) -> usize) -> Vec<Packed> {
    let mut groups: Vec<Vec<Packed>> = vec![Vec::new(); 2 * CATALOGUE.len()];
    for arc in arcs {
        if let Some(group) = groups.get_mut(2 * arc.kind as usize + usize::from(arc.forward)) {
            group.push(arc);
        }
    }
    for group in &mut groups {
        let cap = group.first().map_or(0, |arc| cap(arc.group()));
        if group.len() > cap && cap > 0 {
            group.select_nth_unstable_by(cap - 1, Packed::order);
            group.truncate(cap);
        }
    }
    groups.concat()
}
