//! `offers`: what `remember` offered, for people to look through and take.

use griot::engine::OfferView;
use griot::model::{EdgeKind, Error};

use super::MOST;
use super::link::{Link, link};
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::usual;
use crate::{Linked, Offer};

requests! {
    /// List offers of `remember`, likeliest first.
    Offers {
        /// Only offers about this memory, or the offer with this id.
        #[arg(value_name = "MEMORY|ID")]
        memory [default]: Option<String>,
        /// Include taken and refused ones.
        #[arg(long)]
        all [default]: bool,
        /// The most offers.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
        limit [default = "usual::<20>"]: usize,
    }
}

pub fn offers(call: &Call, q: Offers) -> Outcome<Vec<Offer>> {
    call.bounded("limit", q.limit, 1, MOST)?;
    let found: Vec<OfferView> = call.engine.offers(q.memory.as_deref(), q.all, &call.scope, q.limit)?;
    Ok(found.iter().map(Offer::from).collect())
}

/// Adds the edge that an offer proposes; takes back a refusal.
pub fn take(call: &Call, id: &str) -> Outcome<Linked> {
    let found = call.engine.offers(Some(id), true, &call.scope, 1)?;
    let Some(OfferView { proposal, newer, other, .. }) = found.into_iter().find(|one| one.offer.id() == id)
    else {
        return Err(Error::not_found(format!("take `{id}`"), "there is no offer with this id").into());
    };
    let name = |node| if node == newer.node { newer.id } else { other.id }.to_string();
    let kind = if proposal.sub_type.is_some() { EdgeKind::Causal } else { EdgeKind::Supersedes };
    let request = Link {
        source: name(proposal.source),
        target: name(proposal.target),
        kind: Some(kind.name().to_string()),
        label: proposal.sub_type.map(str::to_string),
        weight: None,
        reason: Some(proposal.reason),
        provenance: None,
        confidence: None,
        expires_at: None,
        user: None,
        project: None,
        scope: None,
    };
    link(call, request)
}
