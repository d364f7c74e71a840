//! Lists what `remember` offered. `forget` refuses an offer, `restore` reopens it.

use std::collections::HashMap;

use super::{Engine, OfferView};
use crate::backend::Read;
use crate::graph::distinct;
use crate::model::{Memory, Node, Offer, OfferState, Result, Scope, Timestamp};
use crate::remember::{candidates, naming, offers};

/// Offers that are read at once with their memories, and that are put in order of likelihood.
const PAGE: usize = 200;
const BLOCK: usize = 5000;

impl Engine {
    /// Memories before this one that may be its cause, or that it may replace, likeliest first: at most
    /// `most`. Also for memories that came without offers. None for a passage of a document, whose time is
    /// not that of an event.
    pub fn candidates(&self, memory: &Memory, most: usize) -> Result<Vec<Memory>> {
        if memory.is_timeless() {
            return Ok(Vec::new());
        }
        candidates::of_stored(self.read()?, memory, &self.settings.remember, most, self.now())
    }

    /// Offers of `remember` within a scope: those about a memory, the one with an id (`o12`) or all. The open
    /// ones, the likeliest of each 5,000 first; or in `any_state`, the latest first. Offers about a forgotten
    /// memory are hidden with it.
    pub fn offers(
        &self,
        name: Option<&str>,
        any_state: bool,
        scope: &Scope,
        limit: usize,
    ) -> Result<Vec<OfferView>> {
        let read = self.read()?;
        let is_listed = |found: &Found| {
            let is_within = scope.meets(&found.newer.scope) && scope.meets(&found.other.scope);
            is_within && (any_state || found.state == OfferState::Open)
        };
        let by_likelihood = |block: &mut [Offer]| {
            if !any_state {
                block.sort_by(|a, b| b.probability.total_cmp(&a.probability));
            }
        };
        let mut found = Vec::new();
        if let Some(name) = name {
            let mut own = match offers::named(read, name)? {
                Some(offer) => vec![offer],
                None => {
                    let node = naming::memory(read, name)?;
                    let mut own = read.offers_about(&[node])?;
                    own.retain(|offer| offer.newer == node || offer.other == node);
                    own.reverse();
                    own
                }
            };
            by_likelihood(&mut own);
            found.extend(with_memories(read, &own)?.into_iter().filter(is_listed));
        } else {
            let (mut before, size) = (0, if any_state { PAGE } else { BLOCK });
            while found.len() < limit {
                let mut block = read.offers_before(before, size)?;
                let Some(last) = block.last() else { break };
                before = last.number;
                by_likelihood(&mut block);
                for page in block.chunks(PAGE) {
                    if found.len() < limit {
                        found.extend(with_memories(read, page)?.into_iter().filter(is_listed));
                    }
                }
            }
        }
        found.truncate(limit);
        let settings = &self.settings.remember;
        let view = |Found { offer, newer, other, state, settled_at }: Found| {
            let proposal = candidates::proposal(read, offer.kind, &newer, &other, settings)?;
            Ok(OfferView { offer, newer, other, state, settled_at, proposal })
        };
        found.into_iter().map(view).collect()
    }
}

/// An offer with both memories and what has become of it.
struct Found {
    offer: Offer,
    newer: Memory,
    other: Memory,
    state: OfferState,
    settled_at: Option<Timestamp>,
}

fn with_memories(read: &dyn Read, offers: &[Offer]) -> Result<Vec<Found>> {
    let nodes = distinct(offers.iter().flat_map(|offer| [offer.newer, offer.other]).collect());
    let rows: HashMap<Node, Memory> = read
        .memories(&nodes)?
        .into_iter()
        .filter(|memory| memory.deleted_at.is_none())
        .map(|memory| (memory.node, memory))
        .collect();
    let states = offers::states(read, offers)?;
    let view = |(offer, (state, settled_at)): (&Offer, _)| {
        let (newer, other) = (rows.get(&offer.newer)?.clone(), rows.get(&offer.other)?.clone());
        Some(Found { offer: *offer, newer, other, state, settled_at })
    };
    Ok(offers.iter().zip(states).filter_map(view).collect())
}
