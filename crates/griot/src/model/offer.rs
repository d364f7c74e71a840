//! What `remember` offers its caller to judge: that a new memory may replace another one, or be its cause or
//! its effect.

use super::{EdgeKind, Family, Node, Timestamp};

named! {
    /// What may connect the two memories of an offer.
    OfferKind {
        /// The newer one may replace the other.
        Replacement = "replacement",
        /// One may have caused the other.
        Cause = "cause",
    }

    OfferState {
        Open = "open",
        /// An edge of its kind connects the two, in either direction. Derived from the edges, so that linking
        /// and unlinking settle and reopen it on every path.
        Taken = "taken",
        /// A caller refused it: the two texts are not offered again.
        Refused = "refused",
    }
}

impl OfferKind {
    /// Whether an edge between the two memories takes the offer.
    pub fn is_taken_by(self, edge: EdgeKind) -> bool {
        match self {
            Self::Replacement => edge == EdgeKind::Supersedes,
            Self::Cause => edge.family() == Family::Causal,
        }
    }
}

/// An offer about two memories.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Offer {
    /// Number in the workspace, printed as `o12`.
    pub number: u32,
    /// The memory whose storing made the offer.
    pub newer: Node,
    pub other: Node,
    pub kind: OfferKind,
    /// 0..=1
    pub probability: f32,
    pub made_at: Timestamp,
    pub refused_at: Option<Timestamp>,
}

impl Offer {
    /// `o12`.
    pub fn id(&self) -> String {
        format!("o{}", self.number)
    }

    /// Parses `o12`.
    pub fn number_of(id: &str) -> Option<u32> {
        id.trim().strip_prefix('o')?.parse().ok().filter(|number| *number > 0)
    }

    /// The memory of the offer that is not this one.
    pub fn beside(&self, node: Node) -> Node {
        if self.newer == node { self.other } else { self.newer }
    }
}
