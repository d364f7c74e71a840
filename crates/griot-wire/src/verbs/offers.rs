//! `offers`: what `remember` offered, for people to look through.

use griot::engine::OfferView;

use super::MOST;
use crate::Offer;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::usual;

requests! {
    /// List offers of `remember`, latest first.
    Offers {
        /// Only offers about this memory.
        #[arg(value_name = "MEMORY")]
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
