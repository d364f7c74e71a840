//! Decides which offers of `remember` are kept, which were refused before, and what has become of each.

use std::collections::HashMap;

use crate::backend::{Direction, Filter, NeighbourQuery, NodeName, Read, Wanted};
use crate::graph::{self, distinct};
use crate::model::{
    Change, Memory, MemoryId, Node, Offer, OfferKind, OfferState, Result, Timestamp, content_hash,
};

use super::Remembered;

/// What may not be offered to a new memory, because a caller refused it.
///
/// Compares texts and not numbers, so that a text which is forgotten and stored again is the same.
#[derive(Default)]
pub struct Refused(Vec<(OfferKind, [u8; 16])>);

impl Refused {
    pub fn of(read: &dyn Read, new: &Memory) -> Result<Self> {
        let mut refused = read.offers_about(&[new.node])?;
        refused.retain(|offer| offer.refused_at.is_some());
        let ends = distinct(refused.iter().flat_map(|offer| [offer.newer, offer.other]).collect());
        let hashes: HashMap<Node, [u8; 16]> =
            read.memories(&ends)?.iter().map(|memory| (memory.node, hash(memory))).collect();
        let own = hash(new);
        let far = |offer: &Offer| {
            let (newer, other) = (hashes.get(&offer.newer)?, hashes.get(&offer.other)?);
            Some((offer.kind, if *newer == own { *other } else { *newer }))
        };
        Ok(Self(refused.iter().filter_map(far).collect()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, kind: OfferKind, other: &Memory) -> bool {
        !self.is_empty() && self.0.contains(&(kind, hash(other)))
    }
}

fn hash(memory: &Memory) -> [u8; 16] {
    content_hash(&memory.text, &memory.scope)
}

/// The changes that keep the offers of an answer, and the ids of these offers, which the answer gets.
pub fn kept(read: &dyn Read, answer: &mut Remembered, made_at: Timestamp) -> Result<Vec<Change>> {
    let replaced = answer.update_candidates.iter_mut();
    let replaced =
        replaced.map(|one| (OfferKind::Replacement, one.id, one.probability.clamp(0.0, 1.0), &mut one.offer));
    let causes = answer.causal_candidates.iter_mut();
    let causes =
        causes.map(|one| (OfferKind::Cause, one.id, one.probability.clamp(0.0, 1.0), &mut one.offer));
    let offered: Vec<_> = replaced.chain(causes).collect();
    let ids: Vec<MemoryId> =
        std::iter::once(answer.id).chain(offered.iter().map(|(_, id, ..)| *id)).collect();
    let names: Vec<NodeName<'_>> = ids.iter().map(|id| NodeName::Id(*id)).collect();
    // Since the candidates were found, others may have erased one.
    let mut nodes = read.find(&names)?.into_iter().map(|found| found.first().map(|one| one.node));
    let Some(newer) = nodes.next().flatten() else { return Ok(Vec::new()) };
    let first = read.next_numbers()?.offer;
    let mut changes = Vec::with_capacity(offered.len());
    for ((kind, _, probability, id), other) in offered.into_iter().zip(nodes) {
        let Some(other) = other else { continue };
        let number = first + changes.len() as u32;
        let offer = Offer { number, newer, other, kind, probability, made_at, refused_at: None };
        *id = Some(offer.id());
        changes.push(Change::PutOffer(offer));
    }
    Ok(changes)
}

/// The offer with this id (`o12`), if the name is one.
pub fn named(read: &dyn Read, name: &str) -> Result<Option<Offer>> {
    let Some(number) = Offer::number_of(name) else { return Ok(None) };
    Ok(read.fetch(&Wanted { offers: &[number], ..Wanted::default() })?.offers.pop())
}

/// What has become of each offer, and when. An edge settles an offer also if it was refused before.
pub fn states(read: &dyn Read, offers: &[Offer]) -> Result<Vec<(OfferState, Option<Timestamp>)>> {
    const ALL: usize = u32::MAX as usize;
    let newer = distinct(offers.iter().map(|offer| offer.newer).collect());
    let fan_out = graph::fan_out(ALL, |edge| OfferKind::ALL.iter().any(|kind| kind.is_taken_by(edge)));
    let filter = Filter { superseded: true, ..Filter::default() };
    let ask = NeighbourQuery { direction: Direction::Both, fan_out: &fan_out, filter: &filter };
    let arcs: HashMap<Node, _> = newer.iter().copied().zip(read.neighbours(&newer, &ask)?).collect();
    let taken = |offer: &Offer| {
        let mut arcs = arcs.get(&offer.newer)?.iter();
        arcs.find(|arc| arc.to == offer.other && offer.kind.is_taken_by(arc.kind)).map(|arc| arc.edge)
    };
    let taken: Vec<Option<u32>> = offers.iter().map(taken).collect();
    let numbers: Vec<u32> = taken.iter().flatten().copied().collect();
    let made: HashMap<u32, Timestamp> =
        read.edges(&numbers)?.into_iter().map(|edge| (edge.number, edge.created_at)).collect();
    let state = |(offer, edge): (&Offer, Option<u32>)| match (edge, offer.refused_at) {
        (Some(edge), _) => (OfferState::Taken, made.get(&edge).copied()),
        (None, Some(at)) => (OfferState::Refused, Some(at)),
        (None, None) => (OfferState::Open, None),
    };
    Ok(offers.iter().zip(taken).map(state).collect())
}
