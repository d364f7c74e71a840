//! Positions for the nodes of a whole graph: communities first, then members inside.
//!
//! Forces as in ForceAtlas2: nodes push each other away by `mass · mass / distance`, edges draw their ends
//! together, and everything is drawn to the middle so that the nodes fill a disc evenly. Pushing is
//! approximated by a tree of cells (Barnes and Hut). Each community gets a disc as large as its members need;
//! the discs are placed by the same forces and then moved apart. A large community is laid out like a graph
//! of its own, by communities inside it. So no step looks at more than some thousand nodes, and the cost
//! grows with the nodes.
//!
//! One unit is the distance of neighbours: N nodes fill a disc of radius √N. Everything is deterministic.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::communities::{communities, compact, members};
use super::network::Network;

/// Nodes of a community that are laid out at once; a larger one is divided.
const AT_ONCE: usize = 1500;
/// Depth of communities inside communities.
const DEEPEST: usize = 6;
/// Resolution inside a community, where the usual one would find one community only.
const INSIDE: f64 = 2.0;
/// Share of its disc that a community fills, so that neighbours are distinguished.
const FILLED: f32 = 0.85;
/// Cells seen under a smaller angle (width by distance) count as one body.
const ANGLE: f32 = 1.0;
/// Nodes in a cell that is not divided.
const LEAF: usize = 6;
/// Work of one layout: nodes times steps.
const WORK: usize = 250_000;
/// Most work of all communities together: a graph of a million nodes should take less than a minute.
const WORK_OF_ALL: usize = 50_000_000;
const STEPS: (usize, usize) = (25, 160);
/// Turns each next point of a spiral by the golden angle, so that points are spread evenly.
const GOLDEN: f32 = 2.399_963_2;

pub type Place = (f32, f32);

/// Positions for all nodes. `community` says where each belongs, numbered from 0; `former` where some nodes
/// were, from where they start. `None` if `go_on`, which is given the finished share, said no.
pub fn arrange(
    network: &Network,
    community: &[u32],
    former: &[Option<Place>],
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Option<Vec<Place>> {
    let mut community = community.to_vec();
    let count = compact(&mut community);
    let is_number = |(x, y): &Place| x.is_finite() && y.is_finite();
    let former: Vec<Option<Place>> = former.iter().map(|place| place.filter(is_number)).collect();
    let mut job = Job { done: 0, all: network.len().max(1), go_on };
    let mut places = divided(network, &community, count, &former, 0, &mut job)?;
    apart(&mut places);
    Some(places)
}

/// The positions of a spiral from the middle outward: for the time being, and where nothing is better.
pub fn spiral(count: usize) -> Vec<Place> {
    (0..count).map(spot).collect()
}

fn spot(position: usize) -> Place {
    let (radius, angle) = ((position as f32 + 0.5).sqrt(), position as f32 * GOLDEN);
    (radius * angle.cos(), radius * angle.sin())
}

/// Positions around the nodes with the hop 0, those with higher hops farther outside.
pub fn arrange_around(network: &Network, hops: &[u32]) -> Vec<Place> {
    let count = network.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    // Next to the neighbour through which a node is reached.
    let mut rank = vec![0u32; count];
    let last = hops.iter().max().copied().unwrap_or(0);
    let mut places = vec![(0.0, 0.0); count];
    let mut inside = 0;
    for hop in 0..=last {
        let mut ring: Vec<u32> = order.iter().copied().filter(|node| hops[*node as usize] == hop).collect();
        let reached_by = |node: u32| {
            let inner = network.row(node as usize).iter().filter(|(to, _)| hops[*to as usize] + 1 == hop);
            inner.map(|(to, _)| rank[*to as usize]).min().unwrap_or(0)
        };
        ring.sort_by_key(|node| (reached_by(*node), *node));
        let (from, to) = ((inside as f32).sqrt(), ((inside + ring.len()) as f32).sqrt());
        let rows = (((to - from) / 0.9) as usize).max(1);
        for (at, node) in ring.iter().enumerate() {
            rank[*node as usize] = at as u32;
            let angle = std::f32::consts::TAU * at as f32 / ring.len() as f32;
            let row = (at % rows) as f32 + 0.5;
            let radius =
                if hop == 0 && ring.len() == 1 { 0.0 } else { from + (to - from) * row / rows as f32 };
            places[*node as usize] = (radius * angle.cos(), radius * angle.sin());
        }
        inside += ring.len();
        order.retain(|node| hops[*node as usize] > hop);
    }
    let fixed: Vec<bool> = hops.iter().map(|hop| *hop == 0).collect();
    let masses = masses(network);
    let steps = (WORK / count.max(1)).clamp(STEPS.0 / 3, STEPS.1);
    let mut forces = Forces { network, masses: &masses, fixed: Some(&fixed), radius: (count as f32).sqrt() };
    forces.relax(&mut places, steps, 0.1);
    apart(&mut places);
    places
}

/// Keeps the known positions; the others get one near their neighbours, or outside. Lengths are in `unit`s.
pub fn settle(network: &Network, known: &[Option<Place>], unit: f32) -> Vec<Place> {
    let mut places = known.to_vec();
    let mut outside = known.iter().flatten().map(|(x, y)| x.hypot(*y)).fold(0.0, f32::max) / unit;
    outside = outside.powi(2) + 4.0;
    for round in 0..2 {
        let before = places.clone();
        for (node, place) in places.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
            let (mut x, mut y, mut all) = (0.0, 0.0, 0.0);
            for (to, weight) in network.row(node) {
                if let Some((a, b)) = before[*to as usize] {
                    (x, y, all) = (x + a * weight, y + b * weight, all + weight);
                }
            }
            // Beside its neighbours, each at another angle.
            let (angle, away) = (node as f32 * GOLDEN, unit * (0.4 + 0.05 * (node % 7) as f32));
            if all > 0.0 {
                *place = Some((x / all + away * angle.cos(), y / all + away * angle.sin()));
            } else if round == 1 {
                outside += 1.0;
                let radius = unit * outside.sqrt();
                *place = Some((radius * angle.cos(), radius * angle.sin()));
            }
        }
    }
    let mut places: Vec<Place> = places.into_iter().map(Option::unwrap_or_default).collect();
    apart(&mut places);
    places
}

/// How far a layout is, and whether it goes on.
struct Job<'a> {
    done: usize,
    all: usize,
    go_on: &'a mut dyn FnMut(f32) -> bool,
}

impl Job<'_> {
    fn finished(&mut self, nodes: usize) -> Option<()> {
        self.done += nodes;
        let share = self.share();
        (self.go_on)(share).then_some(())
    }

    fn share(&self) -> f32 {
        (self.done as f32 / self.all as f32).min(1.0)
    }
}

/// A layout by communities, numbered from 0.
fn divided(
    network: &Network,
    community: &[u32],
    count: usize,
    former: &[Option<Place>],
    depth: usize,
    job: &mut Job<'_>,
) -> Option<Vec<Place>> {
    if count <= 1 {
        return inner(network, former, depth, job);
    }
    let members = members(community, count);
    let radii: Vec<f32> = (0..count).map(|own| (members.of_group(own).len() as f32).sqrt()).collect();
    let middles: Vec<Option<Place>> = (0..count)
        .map(|own| middle(members.of_group(own).iter().map(|node| former[*node as usize])))
        .collect();
    let centres = discs(&network.grouped(community, count), &radii, &middles);
    let mut places = vec![(0.0, 0.0); network.len()];
    let mut scratch = vec![u32::MAX; network.len()];
    for own in 0..count {
        let nodes = members.of_group(own);
        let (x, y) = centres[own];
        if let [node] = nodes {
            places[*node as usize] = (x, y);
            job.done += 1;
            continue;
        }
        let part = network.part(nodes, &mut scratch);
        // Positions of before, seen from the middle of the community as it was.
        let (left, top) = middles[own].unwrap_or_default();
        let moved = |node: &u32| former[*node as usize].map(|(x, y)| (x - left, y - top));
        let former: Vec<Option<Place>> = nodes.iter().map(moved).collect();
        let mut inside = inner(&part, &former, depth, job)?;
        fit(&mut inside, radii[own] * FILLED);
        for (node, (a, b)) in nodes.iter().zip(inside) {
            places[*node as usize] = (x + a, y + b);
        }
    }
    Some(places)
}

/// A layout of one community.
fn inner(network: &Network, former: &[Option<Place>], depth: usize, job: &mut Job<'_>) -> Option<Vec<Place>> {
    let count = network.len();
    if count > AT_ONCE && depth < DEEPEST {
        let resolution = INSIDE * (depth + 1) as f64;
        let share = job.share();
        let mut found = communities(network, None, resolution, &mut || (job.go_on)(share))?;
        let groups = compact(&mut found);
        if groups > 1 && groups < count / 2 {
            return divided(network, &found, groups, former, depth + 1, job);
        }
    }
    let is_known = former.iter().filter(|place| place.is_some()).count() * 2 > count;
    let masses = masses(network);
    // The best connected in the middle.
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by(|a, b| masses[*b as usize].total_cmp(&masses[*a as usize]).then(a.cmp(b)));
    let mut places = vec![(0.0, 0.0); count];
    order.iter().enumerate().for_each(|(position, node)| places[*node as usize] = spot(position));
    if is_known {
        places = settle(network, former, 1.0);
    }
    let steps = (WORK / count.max(1)).min(WORK_OF_ALL / job.all).clamp(STEPS.0, STEPS.1);
    let (steps, heat) = if is_known { (steps / 2, 0.03) } else { (steps, 0.15) };
    let mut forces = Forces { network, masses: &masses, fixed: None, radius: (count as f32).sqrt() };
    if count > 2 {
        forces.relax(&mut places, steps, heat);
    }
    job.finished(count)?;
    Some(places)
}

/// The more neighbours, the more room; slowly, so that a hub stays among its neighbours.
fn masses(network: &Network) -> Vec<f32> {
    (0..network.len()).map(|node| 1.0 + (1.0 + network.row(node).len() as f32).ln() * 0.5).collect()
}

fn middle(places: impl Iterator<Item = Option<Place>>) -> Option<Place> {
    let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
    for (a, b) in places.flatten() {
        (x, y, count) = (x + a, y + b, count + 1.0);
    }
    (count > 0.0).then(|| (x / count, y / count))
}

/// Centres and scales positions so that they fill a disc around the middle.
fn fit(places: &mut [Place], radius: f32) {
    let Some((x, y)) = middle(places.iter().map(|place| Some(*place))) else { return };
    places.iter_mut().for_each(|place| *place = (place.0 - x, place.1 - y));
    let count = places.len() as f32;
    let square = places.iter().map(|(x, y)| x * x + y * y).sum::<f32>() / count;
    // The radius of an even disc with this mean square.
    let own = (2.0 * square).sqrt();
    if own <= 0.0 {
        return;
    }
    let scale = radius / own;
    for place in places {
        let (x, y) = (place.0 * scale, place.1 * scale);
        let away = x.hypot(y);
        // The few that are outside of the disc come to its edge, in their order.
        let shrunk = if away > radius { radius * (1.1 - 0.1 * radius / away) / away } else { 1.0 };
        *place = (x * shrunk, y * shrunk);
    }
}

/// Positions of discs, the connected ones by forces, the others around them.
fn discs(network: &Network, radii: &[f32], former: &[Option<Place>]) -> Vec<Place> {
    let count = network.len();
    let mut linked: Vec<u32> = Vec::new();
    let mut free: Vec<u32> = Vec::new();
    for (node, had) in former.iter().enumerate() {
        let is_linked = !network.row(node).is_empty();
        // One that has no connection keeps its position.
        if is_linked || had.is_some() { &mut linked } else { &mut free }.push(node as u32);
    }
    let mut scratch = vec![u32::MAX; count];
    let part = network.part(&linked, &mut scratch);
    let masses: Vec<f32> = linked.iter().map(|node| radii[*node as usize].powi(2)).collect();
    let all: f32 = masses.iter().sum();
    let mut order: Vec<u32> = (0..linked.len() as u32).collect();
    order.sort_by(|a, b| masses[*b as usize].total_cmp(&masses[*a as usize]).then(a.cmp(b)));
    // Largest in the middle: each on the spiral where what is before it has room.
    let (mut places, mut inside) = (vec![(0.0, 0.0); linked.len()], 0.0);
    for (position, node) in order.iter().enumerate() {
        let own = masses[*node as usize];
        let (distance, angle) = ((inside + own / 2.0).sqrt(), position as f32 * GOLDEN);
        places[*node as usize] =
            if position == 0 { (0.0, 0.0) } else { (distance * angle.cos(), distance * angle.sin()) };
        inside += own;
    }
    let known: Vec<Option<Place>> = linked.iter().map(|node| former[*node as usize]).collect();
    let is_known = known.iter().filter(|place| place.is_some()).count() * 2 > linked.len();
    if is_known {
        places = settle(&part, &known, 1.0);
    }
    let steps = (WORK * 2 / linked.len().max(1)).clamp(STEPS.0 * 2, STEPS.1 * 2);
    let (steps, heat) = if is_known { (steps / 4, 0.01) } else { (steps, 0.15) };
    let mut forces = Forces { network: &part, masses: &masses, fixed: None, radius: all.sqrt() };
    if linked.len() > 1 {
        forces.relax(&mut places, steps, heat);
    }
    let sizes: Vec<f32> = linked.iter().map(|node| radii[*node as usize]).collect();
    separate(&mut places, &sizes);
    let mut found = vec![(0.0, 0.0); count];
    let mut edge = 0f32;
    for ((node, place), radius) in linked.iter().zip(&places).zip(&sizes) {
        found[*node as usize] = *place;
        edge = edge.max(place.0.hypot(place.1) + radius);
    }
    free.sort_by(|a, b| radii[*b as usize].total_cmp(&radii[*a as usize]).then(a.cmp(b)));
    around(&mut found, &free, radii, edge);
    found
}

/// Positions discs, sorted by size, in rings around what is inside of `edge`.
fn around(places: &mut [Place], free: &[u32], radii: &[f32], edge: f32) {
    let mut rest = free;
    let mut edge = edge;
    while let Some(first) = rest.first() {
        let widest = radii[*first as usize] * 1.1;
        if edge <= 0.0 {
            places[*first as usize] = (0.0, 0.0);
            (rest, edge) = (&rest[1..], widest);
            continue;
        }
        let middle = edge + widest;
        // What fits into the ring, evenly spread over it.
        let (mut used, mut count) = (0.0, 0);
        for node in rest {
            let own = 2.0 * (radii[*node as usize] * 1.1 / middle).min(1.0).asin();
            if count > 0 && used + own > std::f32::consts::TAU {
                break;
            }
            (used, count) = (used + own, count + 1);
        }
        let slack = (std::f32::consts::TAU - used).max(0.0) / count as f32;
        let is_last = count == rest.len();
        let mut angle = 0f32;
        for node in &rest[..count] {
            let own = 2.0 * (radii[*node as usize] * 1.1 / middle).min(1.0).asin();
            angle += own / 2.0;
            places[*node as usize] = (middle * angle.cos(), middle * angle.sin());
            angle += own / 2.0 + if is_last { slack.min(own) } else { slack };
        }
        rest = &rest[count..];
        edge = middle + widest;
    }
}

/// Moves overlapping discs apart.
fn separate(places: &mut [Place], radii: &[f32]) {
    /// The largest discs are compared with all others, so that cells can be small.
    const LARGE: usize = 48;
    const ROUNDS: usize = 60;
    let mut order: Vec<u32> = (0..radii.len() as u32).collect();
    order.sort_by(|a, b| radii[*b as usize].total_cmp(&radii[*a as usize]).then(a.cmp(b)));
    let (large, small) = order.split_at(order.len().min(LARGE));
    let cell = 2.0 * small.first().map_or(1.0, |node| radii[*node as usize]).max(1e-3);
    for _ in 0..ROUNDS {
        let mut is_apart = true;
        for (at, one) in large.iter().enumerate() {
            for other in &order[at + 1..] {
                is_apart &= !pushed(places, radii, *one as usize, *other as usize);
            }
        }
        let key = |(x, y): Place| ((x / cell).floor() as i32, (y / cell).floor() as i32);
        let mut cells: Vec<((i32, i32), u32)> =
            small.iter().map(|node| (key(places[*node as usize]), *node)).collect();
        cells.sort_unstable();
        for at in 0..cells.len() {
            let ((column, row), one) = cells[at];
            for (next_column, from, to) in [(column, row, row + 1), (column + 1, row - 1, row + 1)] {
                let start = cells.partition_point(|(key, _)| *key < (next_column, from));
                for (key, other) in &cells[start.max(at + 1)..] {
                    if *key > (next_column, to) {
                        break;
                    }
                    is_apart &= !pushed(places, radii, one as usize, *other as usize);
                }
            }
        }
        if is_apart {
            return;
        }
    }
}

/// Moves two discs apart if they overlap, the smaller one more.
fn pushed(places: &mut [Place], radii: &[f32], one: usize, other: usize) -> bool {
    let ((a, b), (c, d)) = (places[one], places[other]);
    let (mut x, mut y) = (c - a, d - b);
    let need = radii[one] + radii[other];
    let mut distance = x.hypot(y);
    if distance >= need * 0.999 {
        return false;
    }
    if distance < 1e-6 {
        let angle = (one * 31 + other) as f32 * GOLDEN;
        (x, y, distance) = (angle.cos(), angle.sin(), 1.0);
        // As if they were a little apart in that direction.
        (x, y) = (x * 1e-3, y * 1e-3);
        distance *= 1e-3;
    }
    let lack = (need - distance) / distance;
    let (own, its) = (radii[one].powi(2), radii[other].powi(2));
    let share = its / (own + its);
    places[one] = (a - x * lack * share, b - y * lack * share);
    places[other] = (c + x * lack * (1.0 - share), d + y * lack * (1.0 - share));
    true
}

/// Gives every node a position of its own, so that none hides another; a position that is no number becomes
/// one.
fn apart(places: &mut [Place]) {
    let mut taken: HashSet<(u32, u32), FixedState> = HashSet::default();
    for (node, place) in places.iter_mut().enumerate() {
        if !(place.0.is_finite() && place.1.is_finite()) {
            *place = spot(node);
        }
        let bits = |(x, y): Place| ((x + 0.0).to_bits(), (y + 0.0).to_bits());
        let mut turn = 0;
        while !taken.insert(bits(*place)) {
            turn += 1;
            let away = 0.05 * turn as f32 + place.0.abs().max(place.1.abs()) * 1e-5;
            let angle = (node + turn) as f32 * GOLDEN;
            *place = (place.0 + away * angle.cos(), place.1 + away * angle.sin());
        }
    }
}

/// The forces on one group of nodes.
struct Forces<'a> {
    network: &'a Network,
    masses: &'a [f32],
    /// Nodes that stay where they are.
    fixed: Option<&'a [bool]>,
    /// Of the disc that the nodes fill if no edge draws them together.
    radius: f32,
}

impl Forces<'_> {
    /// `heat` is the longest first step, as a share of the radius; it falls to nothing.
    fn relax(&mut self, places: &mut [Place], steps: usize, heat: f32) {
        let count = places.len();
        let all: f32 = self.masses.iter().sum();
        // Of masses that fill a disc evenly, the push on one at distance d is `all · d / radius²`.
        let pull = all / self.radius.powi(2).max(1e-6);
        let sums: Vec<f32> =
            (0..count).map(|node| self.network.row(node).iter().map(|(_, weight)| weight).sum()).collect();
        let mut tree = Tree::default();
        let mut next = places.to_vec();
        for step in 0..steps {
            let left = 1.0 - step as f32 / steps as f32;
            let longest = (heat * self.radius * left * left).max(0.02 * left);
            tree.build(places, self.masses);
            for (node, next) in next.iter_mut().enumerate() {
                if self.fixed.is_some_and(|fixed| fixed[node]) {
                    continue;
                }
                let (x, y) = places[node];
                let (mut a, mut b) = tree.push(x, y);
                (a, b) = (a - pull * x, b - pull * y);
                for (to, weight) in self.network.row(node) {
                    let other = *to as usize;
                    let (dx, dy) = (places[other].0 - x, places[other].1 - y);
                    // An edge counts by its share of what its less connected end has: else hubs collapse.
                    let share = weight / sums[node].min(sums[other]).max(1e-12);
                    // The better connected end moves less.
                    let draw = share * sums[other] / (sums[node] + sums[other]).max(1e-12);
                    (a, b) = (a + dx * draw * DRAW, b + dy * draw * DRAW);
                }
                let length = a.hypot(b);
                let moves = if length > longest { longest / length } else { 1.0 };
                let moved = (x + a * moves * EASE, y + b * moves * EASE);
                if moved.0.is_finite() && moved.1.is_finite() {
                    *next = moved;
                }
            }
            places.copy_from_slice(&next);
        }
    }
}

/// How strongly edges draw.
const DRAW: f32 = 2.0;
/// Part of a step that is taken, so that two nodes do not swing around each other.
const EASE: f32 = 0.5;

/// A tree of square cells over points with masses; rebuilt in each step, with its memory kept.
#[derive(Default)]
struct Tree {
    cells: Vec<Cell>,
    /// Points in the order of the cells.
    points: Vec<(f32, f32, f32)>,
    codes: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Cell {
    x: f32,
    y: f32,
    mass: f32,
    /// The square of its width.
    square: f32,
    /// The cell after this one and all inside it.
    after: u32,
    /// Its points if it is not divided.
    first: u32,
    last: u32,
}

impl Tree {
    fn build(&mut self, places: &[Place], masses: &[f32]) {
        self.cells.clear();
        self.codes.clear();
        let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        for (x, y) in places {
            low = (low.0.min(*x), low.1.min(*y));
            high = (high.0.max(*x), high.1.max(*y));
        }
        let width = (high.0 - low.0).max(high.1 - low.1).max(1e-6) * 1.0001;
        let scale = 65_536.0 / width;
        self.codes.extend(places.iter().enumerate().map(|(node, (x, y))| {
            let column = ((x - low.0) * scale) as u32;
            let row = ((y - low.1) * scale) as u32;
            u64::from(spread(column.min(65_535)) | spread(row.min(65_535)) << 1) << 32 | node as u64
        }));
        self.codes.sort_unstable();
        self.points.clear();
        self.points.extend(self.codes.iter().map(|code| {
            let node = (code & 0xffff_ffff) as usize;
            (places[node].0, places[node].1, masses[node])
        }));
        self.cell(0, self.points.len(), 0, width);
    }

    /// Adds the cell of some points that share the first `level` pairs of bits of their codes.
    fn cell(&mut self, first: usize, last: usize, level: u32, width: f32) {
        let at = self.cells.len();
        let (mut x, mut y, mut mass) = (0.0, 0.0, 0.0);
        for point in &self.points[first..last] {
            (x, y, mass) = (x + point.0 * point.2, y + point.1 * point.2, mass + point.2);
        }
        let is_leaf = last - first <= LEAF || level == 16;
        let (first_point, last_point) = if is_leaf { (first as u32, last as u32) } else { (0, 0) };
        self.cells.push(Cell {
            x: x / mass.max(1e-12),
            y: y / mass.max(1e-12),
            mass,
            square: width * width,
            after: 0,
            first: first_point,
            last: last_point,
        });
        if !is_leaf {
            let shift = 32 + 30 - 2 * level;
            let mut start = first;
            for quarter in 0..4 {
                let inside = &self.codes[start..last];
                let end = start + inside.partition_point(|code| code >> shift & 3 <= quarter);
                if end > start {
                    self.cell(start, end, level + 1, width / 2.0);
                }
                start = end;
            }
        }
        self.cells[at].after = self.cells.len() as u32;
    }

    /// The push on a unit of mass at a point, without that of what is there itself.
    fn push(&self, x: f32, y: f32) -> Place {
        let (mut a, mut b) = (0.0, 0.0);
        let mut at = 0;
        while let Some(cell) = self.cells.get(at) {
            let (dx, dy) = (x - cell.x, y - cell.y);
            let square = dx * dx + dy * dy;
            if cell.square < ANGLE * ANGLE * square {
                let force = cell.mass / square;
                (a, b) = (a + dx * force, b + dy * force);
                at = cell.after as usize;
            } else if cell.last > cell.first {
                for point in &self.points[cell.first as usize..cell.last as usize] {
                    let (dx, dy) = (x - point.0, y - point.1);
                    let square = dx * dx + dy * dy;
                    if square > 0.0 {
                        // Points that nearly coincide do not fly apart.
                        let force = point.2 / square.max(1e-4);
                        (a, b) = (a + dx * force, b + dy * force);
                    }
                }
                at = cell.after as usize;
            } else {
                at += 1;
            }
        }
        (a, b)
    }
}

/// Puts a zero before each of 16 bits.
fn spread(bits: u32) -> u32 {
    let mut bits = bits & 0xffff;
    bits = (bits | bits << 8) & 0x00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}
