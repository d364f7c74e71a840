//! Pure algorithms over a bounded part of the graph: neighbours, paths, causes, contradictions.
//!
//! A traversal does not know how edges are stored. It asks for the arcs of a whole frontier at once, one call
//! per hop, so that it makes the same few requests to a store behind a network. Everything is deterministic:
//! ties break by node number, no list follows the order of a hash map, and there is no clock and no
//! randomness: times are arguments. No graph causes a panic: a weight of NaN counts as 0, one above 1 as 1.
//!
//! In reading order: [`hop`] (the types), [`subgraph`] and [`pagerank`] (ranking), `walk` (the one search for
//! strongest paths) under [`beam`] and [`causal`], then [`path`] and [`mod@verify`]. For drawings of the
//! whole graph: [`network`], [`mod@communities`], [`layout`].

pub mod beam;
pub mod causal;
pub mod communities;
pub mod hop;
pub mod layout;
mod nearby;
pub mod network;
mod order;
pub mod pagerank;
pub mod path;
pub mod subgraph;
pub mod verify;
mod walk;

#[cfg(test)]
mod drawing;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod whole_properties;

pub use beam::{Reached, traverse};
pub use causal::{
    CausalArcs, CausalChain, CausalLimits, CausalLink, MAX_DEPTH as CAUSAL_DEPTH, WhyDirection, causal_chain,
};
pub use communities::{RESOLUTION, communities, keep_numbers, modularity};
pub use hop::{Expand, FanOut, Hop, distinct, faded, fan_out, from_store, strength};
pub use layout::{arrange, arrange_around, settle, spiral};
pub use nearby::nearby_entities;
pub use network::Network;
pub use pagerank::Transitions;
pub use path::{Path, shortest_path};
pub use subgraph::Subgraph;
pub use verify::{Checked, Types, Verified, verify, verify_all, verify_edges, verify_touched};
pub use walk::WalkLimits;
