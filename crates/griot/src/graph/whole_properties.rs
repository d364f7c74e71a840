//! Properties of communities and layouts on random graphs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::layout::Place;
use super::*;

type Edges = Vec<(u32, u32, f32)>;

/// Up to 60 nodes, sparse enough that some are alone; a weight may be no number.
fn graphs() -> impl Strategy<Value = (usize, Edges)> {
    (1usize..60).prop_flat_map(|count| {
        let end = 0..count as u32;
        let weight =
            prop_oneof![9 => (1u32..=8).prop_map(|eighths| eighths as f32 / 8.0), 1 => Just(f32::NAN)];
        (Just(count), prop::collection::vec((end.clone(), end, weight), 0..120))
    })
}

fn found(network: &Network, start: Option<&[u32]>) -> Vec<u32> {
    communities(network, start, RESOLUTION, &mut || true).expect("nothing stops it")
}

fn arranged(network: &Network, community: &[u32], former: &[Option<Place>]) -> Vec<Place> {
    arrange(network, community, former, &mut |_| true).expect("nothing stops it")
}

fn bits(places: &[Place]) -> Vec<(u32, u32)> {
    places.iter().map(|(x, y)| (x.to_bits(), y.to_bits())).collect()
}

fn are_apart(places: &[Place]) {
    assert!(places.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{:?}", places);
    let distinct: BTreeSet<(u32, u32)> = bits(places).into_iter().collect();
    assert_eq!(distinct.len(), places.len(), "two nodes are on one point");
}

/// Groups of `size` nodes, each joined with every other; one edge leads from a group to the next.
fn islands(groups: u32, size: u32) -> (usize, Edges) {
    let mut edges = Vec::new();
    for group in 0..groups {
        let first = group * size;
        edges.extend((0..size).flat_map(|a| (0..a).map(move |b| (first + a, first + b, 1.0))));
        edges.push((first, (group + 1) % groups * size, 0.5));
    }
    ((groups * size) as usize, edges)
}

proptest! {
    #[test]
    fn every_node_has_one_connected_community_and_a_start_is_never_made_worse(
        (count, edges) in graphs(),
        start in prop::collection::vec(0u32..9, 60),
    ) {
        let network = Network::new(count, edges.iter().copied());
        let start = &start[..count];
        let alone: Vec<u32> = (0..count as u32).collect();
        for start in [start, &alone] {
            let community = found(&network, Some(start));
            prop_assert_eq!(community.len(), count);
            let before = modularity(&network, start, RESOLUTION);
            prop_assert!(modularity(&network, &community, RESOLUTION) >= before - 1e-9);
            prop_assert_eq!(&found(&network, Some(start)), &community);
            // Each is reached from its first member without leaving it.
            let mut members: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
            community.iter().zip(0..).for_each(|(own, node)| {
                members.entry(*own).or_default().insert(node);
            });
            for inside in members.values() {
                let mut reached: BTreeSet<u32> = inside.iter().take(1).copied().collect();
                loop {
                    let next = edges.iter().filter(|(.., weight)| *weight > 0.0).flat_map(|(a, b, _)| {
                        [(*a, *b), (*b, *a)]
                    });
                    let next: BTreeSet<u32> =
                        next.filter(|(a, b)| reached.contains(a) && inside.contains(b))
                            .map(|(_, b)| b)
                            .collect();
                    let known = reached.len();
                    reached.extend(next);
                    if reached.len() == known { break; }
                }
                prop_assert_eq!(&reached, inside);
            }
        }
    }

    #[test]
    fn the_same_graph_has_the_same_layout_and_every_node_a_place_of_its_own(
        (count, edges) in graphs(),
        had in prop::collection::vec(prop::option::of((-9f32..9.0, -9f32..9.0)), 60),
        hops in prop::collection::vec(0u32..4, 60),
    ) {
        let network = Network::new(count, edges);
        let community = found(&network, None);
        for former in [&had[..count], &vec![None; count]] {
            let places = arranged(&network, &community, former);
            are_apart(&places);
            prop_assert_eq!(bits(&arranged(&network, &community, former)), bits(&places));
            are_apart(&settle(&network, former, 100.0));
        }
        are_apart(&arrange_around(&network, &hops[..count]));
        // Also where all were on one point, or a position is no number.
        are_apart(&arranged(&network, &community, &vec![Some((1.0, 1.0)); count]));
        are_apart(&arranged(&network, &community, &vec![Some((f32::NAN, 0.0)); count]));
    }

    #[test]
    fn communities_keep_the_numbers_of_their_members(found in prop::collection::vec(0u32..6, 1..40)) {
        let mut dense = found.clone();
        super::communities::compact(&mut dense);
        let named: Vec<u32> = dense.iter().map(|own| own * 7 + 3).collect();
        prop_assert_eq!(keep_numbers(&dense, &named), named);
        let fresh = keep_numbers(&dense, &vec![u32::MAX; dense.len()]);
        let pairs: BTreeSet<(u32, u32)> = dense.iter().copied().zip(fresh.iter().copied()).collect();
        let numbers: BTreeSet<u32> = fresh.iter().copied().collect();
        prop_assert_eq!(pairs.len(), numbers.len());
    }
}

#[test]
fn islands_are_communities_that_stay_as_the_graph_grows() {
    let (count, mut edges) = islands(6, 10);
    let network = Network::new(count, edges.iter().copied());
    let community = found(&network, None);
    let expected: Vec<u32> = (0..count as u32).map(|node| node / 10).collect();
    assert_eq!(community, expected);
    let places = arranged(&network, &community, &vec![None; count]);
    // Members are nearer to their middle than to any other.
    let middle = |own: u32| {
        let of = |part: &dyn Fn(&Place) -> f32| {
            (places.iter().zip(&community)).filter(|(_, c)| **c == own).map(|(p, _)| part(p)).sum::<f32>()
                / 10.0
        };
        (of(&|place| place.0), of(&|place| place.1))
    };
    let middles: Vec<Place> = (0..6).map(middle).collect();
    for (place, own) in places.iter().zip(&community) {
        let away = |other: &Place| (place.0 - other.0).hypot(place.1 - other.1);
        let nearest = middles.iter().min_by(|a, b| away(a).total_cmp(&away(b))).expect("six");
        assert_eq!(nearest, &middles[*own as usize]);
    }
    // One more node: all others stay about where they were.
    edges.push((count as u32, 5, 1.0));
    let grown = Network::new(count + 1, edges);
    let begun: Vec<u32> = community.iter().copied().chain([6]).collect();
    let after = found(&grown, Some(&begun));
    assert_eq!(keep_numbers(&after, &begun)[..count], community);
    assert_eq!(after[count], after[5]);
    let former: Vec<Option<Place>> = places.iter().copied().map(Some).chain([None]).collect();
    let moved = arranged(&grown, &after, &former);
    let radius = (count as f32).sqrt();
    for (old, new) in places.iter().zip(&moved) {
        assert!((old.0 - new.0).hypot(old.1 - new.1) < radius / 2.0, "{old:?} went to {new:?}");
    }
}

#[test]
fn a_node_with_fifty_thousand_neighbours_is_in_the_middle_of_them() {
    let count = 50_001;
    let network = Network::new(count, (1..count as u32).map(|leaf| (0, leaf, 1.0)));
    let hops: Vec<u32> = (0..count).map(|node| u32::from(node > 0)).collect();
    let around = arrange_around(&network, &hops);
    assert_eq!(around[0], (0.0, 0.0));
    are_apart(&around);
    let community = found(&network, None);
    assert_eq!(community.iter().max(), Some(&0));
    let places = arranged(&network, &community, &vec![None; count]);
    are_apart(&places);
    let away = |place: &Place| place.0.hypot(place.1);
    let farthest = places.iter().map(away).fold(0.0, f32::max);
    assert!(away(&places[0]) < farthest / 2.0);
}

/// `cargo test --release -p griot --lib -- --ignored --nocapture million`
#[test]
#[ignore = "takes a minute"]
fn a_million_nodes() {
    for (count, links) in [(20_000u32, 60_000u32), (1_000_000, 3_000_000)] {
        let topics = count.isqrt() / 2;
        let mut random = 88_172_645_463_325_252u64;
        let mut next = |most: u32| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % u64::from(most)) as u32
        };
        let edges: Edges = (0..links)
            .map(|_| {
                let topic = next(topics);
                let own = |at: u32| (at / topics * topics + topic) % count;
                (own(next(count)), if next(10) < 8 { own(next(count) / 4) } else { next(count) }, 1.0)
            })
            .collect();
        let start = std::time::Instant::now();
        let network = Network::new(count as usize, edges);
        let community = found(&network, None);
        let grouped = start.elapsed();
        are_apart(&arranged(&network, &community, &vec![None; count as usize]));
        let groups = community.iter().max().map_or(0, |last| last + 1);
        println!(
            "{count} nodes: {groups} communities in {grouped:?}, with positions in {:?}",
            start.elapsed()
        );
    }
}
