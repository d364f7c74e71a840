//! The words of the domain as plain types: what a memory, an entity, an edge, a fact and a source are.
//!
//! Nothing here reads a clock, a disk or a random number, and nothing here knows how it is stored or printed.

mod change;
mod edge;
mod entity;
mod error;
mod fact;
mod id;
mod memory;
mod merge;
mod time;
mod vector;

pub use change::{Change, ChangeSet, Deletable, Revision};
pub use edge::{CATALOGUE, Edge, EdgeKind, EdgeKindRow, Ends, Evidence, Family, Labels, Provenance};
pub use entity::{Entity, EntityType, canonical_id, slug};
pub use error::{Candidate, Error, ErrorKind, Result};
pub use fact::{Fact, FactObject, Predicate};
pub use id::{Handle, MemoryId, Node, SourceId};
pub use memory::{Lines, Memory, Scope, Source, SourceType, Trust, content_hash};
pub use merge::{EdgeKey, FoldedEdge, Merge, Suggestion, SuggestionState, TypeVotes, most_given_type};
pub use time::{Interval, Timestamp};
pub use vector::{StoredVector, most_differing_signs, signs};
