//! Pure algorithms over a bounded part of the graph: what is near, what leads where, what caused what, what
//! cannot be.
//!
//! Nothing here knows how edges are kept. A traversal asks for the arcs of a whole frontier at once, one call
//! a hop, so that it costs the same few requests on a store behind a network. Everything is deterministic:
//! ties break by node number, no list follows the order of a hash map, and there is no clock and no
//! randomness: times come in as arguments. No graph makes anything here panic: weights that are not numbers
//! count as 0, weights above 1 as 1.
//!
//! In reading order: [`hop`] (the words), [`subgraph`] and [`pagerank`] (ranking), `walk` (the one search for
//! strongest paths) under [`beam`] and [`causal`], then [`path`] and [`mod@verify`].

pub mod beam;
pub mod causal;
pub mod hop;
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

pub use beam::{BeamLimits, Reached, traverse};
pub use causal::{CausalChain, CausalHop, CausalLimits, CausalLink, Role, WhyDirection, causal_chain};
pub use hop::{FanOut, Hop, faded, fan_out, strength};
pub use pagerank::Transitions;
pub use path::{Path, PathLimits, Search, shortest_path};
pub use subgraph::{GatherLimits, Subgraph};
pub use verify::{Checked, Types, Verified, verify, verify_all, verify_edges, verify_touched};
