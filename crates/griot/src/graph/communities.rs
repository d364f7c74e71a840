//! Communities of a whole graph: groups with more edges inside than chance would give them.
//!
//! Leiden (Traag, Waltman, van Eck 2019): nodes move to the neighbouring community with the largest gain of
//! modularity; each community is then refined into well-connected parts, and the graph of the parts is
//! searched likewise. Without randomness: nodes are visited in order, the best part is taken instead of a
//! random good one, and ties go to the smaller number. So the same graph and the same start give the same
//! communities. Each community is connected, because a part only grows along an edge, and what is left in
//! pieces at the end is taken apart.

use std::collections::VecDeque;

use super::network::{Members, Network};

/// The usual resolution of modularity: larger values give smaller communities.
pub const RESOLUTION: f64 = 1.0;
/// A smaller gain is rounding.
const LEAST_GAIN: f64 = 1e-12;
/// Searches of the whole, each from the result of the one before.
const ROUNDS: usize = 2;

/// The community of each node, numbered by the first member. `start` is a former result, or nothing; the
/// modularity of the answer is at least that of the start. `None` if `go_on` said no.
pub fn communities(
    network: &Network,
    start: Option<&[u32]>,
    resolution: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<u32>> {
    let mut found: Vec<u32> = match start {
        Some(start) if start.len() == network.len() => start.to_vec(),
        _ => (0..network.len() as u32).collect(),
    };
    compact(&mut found);
    for _ in 0..ROUNDS {
        let before = found.clone();
        found = searched(network, found, resolution, go_on)?;
        found = connected(network, &found);
        compact(&mut found);
        if found == before {
            break;
        }
    }
    Some(found)
}

/// How much more of the weight is inside communities than chance would put there.
pub fn modularity(network: &Network, community: &[u32], resolution: f64) -> f64 {
    let count = community.iter().max().map_or(0, |last| *last as usize + 1);
    let (mut inside, mut all, mut total) = (0.0, vec![0.0; count], 0.0);
    for node in 0..network.len() {
        let weight = network.weight(node);
        all[community[node] as usize] += weight;
        total += weight;
        inside += 2.0 * network.has_loop(node);
        let own = |(to, _): &&(u32, f32)| community[*to as usize] == community[node];
        inside += network.row(node).iter().filter(own).map(|(_, weight)| f64::from(*weight)).sum::<f64>();
    }
    if total <= 0.0 {
        return 0.0;
    }
    inside / total - resolution * all.iter().map(|weight| (weight / total).powi(2)).sum::<f64>()
}

/// The same communities with the numbers that most of their members had; the others get free numbers, the
/// largest first. `u32::MAX` is a member that had none.
pub fn keep_numbers(found: &[u32], former: &[u32]) -> Vec<u32> {
    let count = found.iter().max().map_or(0, |last| *last as usize + 1);
    let mut sizes = vec![0u32; count];
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(found.len());
    for (own, had) in found.iter().zip(former) {
        sizes[*own as usize] += 1;
        if *had != u32::MAX {
            pairs.push((*own, *had));
        }
    }
    pairs.sort_unstable();
    let mut shared: Vec<(u32, u32, u32)> = Vec::new();
    for (own, had) in pairs {
        match shared.last_mut() {
            Some((_, a, b)) if (*a, *b) == (own, had) => {}
            _ => shared.push((0, own, had)),
        }
        if let Some((size, ..)) = shared.last_mut() {
            *size += 1;
        }
    }
    shared.sort_unstable_by_key(|(size, own, had)| (std::cmp::Reverse(*size), *own, *had));
    let mut number = vec![u32::MAX; count];
    let mut taken = std::collections::BTreeSet::new();
    for (_, own, had) in shared {
        if number[own as usize] == u32::MAX && taken.insert(had) {
            number[own as usize] = had;
        }
    }
    let mut rest: Vec<u32> = (0..count as u32).filter(|own| number[*own as usize] == u32::MAX).collect();
    rest.sort_by_key(|own| (std::cmp::Reverse(sizes[*own as usize]), *own));
    let mut free = (0..u32::MAX).filter(|number| !taken.contains(number));
    for own in rest {
        number[own as usize] = free.next().unwrap_or_default();
    }
    found.iter().map(|own| number[*own as usize]).collect()
}

/// Numbers groups from 0 in the order of their first members; returns how many there are.
pub(super) fn compact(group: &mut [u32]) -> usize {
    let mut number: std::collections::HashMap<u32, u32, foldhash::fast::FixedState> = Default::default();
    for own in group.iter_mut() {
        let next = number.len() as u32;
        *own = *number.entry(*own).or_insert(next);
    }
    number.len()
}

/// One search: levels of moving, refining and grouping.
fn searched(
    network: &Network,
    mut part: Vec<u32>,
    resolution: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<u32>> {
    // Where each node of the whole is in the graph of the level.
    let mut place: Vec<u32> = (0..network.len() as u32).collect();
    let mut level: Option<Network> = None;
    loop {
        let graph = level.as_ref().unwrap_or(network);
        moved(graph, &mut part, resolution, go_on)?;
        let count = compact(&mut part);
        if count == graph.len() {
            break;
        }
        let mut refined = refined(graph, &part, count, resolution);
        let parts = compact(&mut refined);
        if parts == graph.len() {
            break;
        }
        let mut of_parts = vec![0; parts];
        for (own, refined) in part.iter().zip(&refined) {
            of_parts[*refined as usize] = *own;
        }
        let next = graph.grouped(&refined, parts);
        place.iter_mut().for_each(|at| *at = refined[*at as usize]);
        part = of_parts;
        level = Some(next);
    }
    Some(place.into_iter().map(|at| part[at as usize]).collect())
}

/// Sums of weights by group, for one node at a time.
struct Sums {
    of: Vec<f64>,
    touched: Vec<u32>,
}

impl Sums {
    fn new(groups: usize) -> Self {
        Self { of: vec![0.0; groups], touched: Vec::new() }
    }

    fn add(&mut self, group: u32, weight: f32) {
        let sum = &mut self.of[group as usize];
        if *sum == 0.0 {
            self.touched.push(group);
        }
        *sum += f64::from(weight);
    }

    fn clear(&mut self) {
        self.touched.drain(..).for_each(|group| self.of[group as usize] = 0.0);
    }
}

/// Moves nodes to better communities until none gains. `part` is numbered from 0.
fn moved(graph: &Network, part: &mut [u32], resolution: f64, go_on: &mut dyn FnMut() -> bool) -> Option<()> {
    let weights: Vec<f64> = (0..graph.len()).map(|node| graph.weight(node)).collect();
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return Some(());
    }
    let (mut all, mut sizes) = (vec![0.0; graph.len()], vec![0u32; graph.len()]);
    for (own, weight) in part.iter().zip(&weights) {
        all[*own as usize] += weight;
        sizes[*own as usize] += 1;
    }
    let mut empty: Vec<u32> = (0..graph.len() as u32).rev().filter(|own| sizes[*own as usize] == 0).collect();
    let mut sums = Sums::new(graph.len());
    let mut queue: VecDeque<u32> = (0..graph.len() as u32).collect();
    let mut waits = vec![true; graph.len()];
    // Each move gains at least `LEAST_GAIN`; the bound is for what rounding might do.
    let mut left = 200 * graph.len();
    while let Some(node) = queue.pop_front().filter(|_| left > 0) {
        left -= 1;
        if left.is_multiple_of(1 << 14) && !go_on() {
            return None;
        }
        let at = node as usize;
        waits[at] = false;
        let (own, weight) = (part[at], weights[at]);
        for (to, weight) in graph.row(at) {
            sums.add(part[*to as usize], *weight);
        }
        all[own as usize] -= weight;
        let gain = |group: u32, joined: f64| joined - resolution * weight * all[group as usize] / total;
        let stays = gain(own, sums.of[own as usize]);
        let mut best = (stays + LEAST_GAIN * total, own);
        for group in &sums.touched {
            let gained = gain(*group, sums.of[*group as usize]);
            if gained > best.0 || (gained == best.0 && *group < best.1 && best.1 != own) {
                best = (gained, *group);
            }
        }
        if best.0 < 0.0
            && sizes[own as usize] > 1
            && let Some(group) = empty.last()
        {
            best = (0.0, *group);
        }
        let group = best.1;
        all[group as usize] += weight;
        if group != own {
            part[at] = group;
            if sizes[group as usize] == 0 {
                empty.pop();
            }
            sizes[group as usize] += 1;
            sizes[own as usize] -= 1;
            if sizes[own as usize] == 0 {
                empty.push(own);
            }
            for (to, _) in graph.row(at) {
                if part[*to as usize] != group && !waits[*to as usize] {
                    waits[*to as usize] = true;
                    queue.push_back(*to);
                }
            }
        }
        sums.clear();
    }
    Some(())
}

/// Parts of the communities: nodes join a part that is well connected to the rest of its community.
fn refined(graph: &Network, part: &[u32], count: usize, resolution: f64) -> Vec<u32> {
    let weights: Vec<f64> = (0..graph.len()).map(|node| graph.weight(node)).collect();
    let total: f64 = weights.iter().sum();
    let mut of_community = vec![0.0; count];
    part.iter().zip(&weights).for_each(|(own, weight)| of_community[*own as usize] += weight);
    let mut refined: Vec<u32> = (0..graph.len() as u32).collect();
    let mut all = weights.clone();
    let mut sizes = vec![1u32; graph.len()];
    // Weight from each part to the rest of its community.
    let mut outer: Vec<f64> = (0..graph.len())
        .map(|node| {
            let inside = graph.row(node).iter().filter(|(to, _)| part[*to as usize] == part[node]);
            inside.map(|(_, weight)| f64::from(*weight)).sum()
        })
        .collect();
    let is_well = |outer: f64, weight: f64, community: f64| {
        outer >= resolution * weight * (community - weight) / total - LEAST_GAIN
    };
    let mut sums = Sums::new(graph.len());
    for node in 0..graph.len() {
        let own = refined[node];
        let community = of_community[part[node] as usize];
        if sizes[own as usize] != 1 || !is_well(outer[own as usize], weights[node], community) {
            continue;
        }
        for (to, weight) in graph.row(node) {
            if part[*to as usize] == part[node] {
                sums.add(refined[*to as usize], *weight);
            }
        }
        let mut best = (LEAST_GAIN, own);
        for group in &sums.touched {
            let (at, joined) = (*group as usize, sums.of[*group as usize]);
            let gained = joined - resolution * weights[node] * all[at] / total;
            let is_better = gained > best.0 || (gained == best.0 && *group < best.1);
            if *group != own && is_better && is_well(outer[at], all[at], community) {
                best = (gained, *group);
            }
        }
        let group = best.1;
        if group != own {
            let joined = sums.of[group as usize];
            outer[group as usize] += outer[own as usize] - 2.0 * joined;
            all[group as usize] += weights[node];
            sizes[group as usize] += 1;
            sizes[own as usize] = 0;
            refined[node] = group;
        }
        sums.clear();
    }
    refined
}

/// The connected pieces of each group: never of less modularity than the groups.
fn connected(network: &Network, group: &[u32]) -> Vec<u32> {
    let mut piece = vec![u32::MAX; group.len()];
    let mut next = 0;
    let mut open: Vec<u32> = Vec::new();
    for node in 0..group.len() {
        if piece[node] != u32::MAX {
            continue;
        }
        piece[node] = next;
        open.push(node as u32);
        while let Some(one) = open.pop() {
            for (to, _) in network.row(one as usize) {
                if piece[*to as usize] == u32::MAX && group[*to as usize] == group[node] {
                    piece[*to as usize] = next;
                    open.push(*to);
                }
            }
        }
        next += 1;
    }
    piece
}

/// The members of communities that are numbered from 0.
pub(super) fn members(community: &[u32], count: usize) -> Members {
    Members::of(community, count)
}
