//! The domain as plain types: memories, entities, edges, facts and sources.
//!
//! Nothing here reads a clock, a disk or a random number, and nothing depends on how it is stored or printed.

mod change;
mod edge;
mod entity;
mod erasure;
mod error;
mod fact;
mod id;
mod indexed;
mod key;
mod layer;
mod memory;
mod merge;
mod offer;
mod reading;
mod search;
mod simd;
mod time;
mod vector;
mod warning;

pub use change::{Change, ChangeSet, Deletable, Erasable, Revision, StagedVector};
pub use edge::{CATALOGUE, Edge, EdgeKind, EdgeKindRow, Ends, Evidence, Family, Labels, Provenance};
pub use entity::{Entity, EntityType};
pub use erasure::{
    ErasedKind, Erasure, ErasureCounts, ErasurePlan, Mark, mark_of_entity, mark_of_memory, mark_of_origin,
    mark_of_part, mark_of_source, mark_of_turn, mark_of_user,
};
pub use error::{Candidate, Error, ErrorKind, Result};
pub use fact::{Fact, FactObject, Predicate};
pub use id::{Handle, MemoryId, Node, SourceId};
pub use indexed::{Document, LABEL_BACKBONE, LABEL_PROXIMITY, Link, Update};
pub use key::{canonical_id, entity_key, normal_name, spelled_name, split_canonical_id};
pub use layer::Layer;
pub use memory::{Lines, Memory, OriginKind, Scope, Source, SourceType, Tier, Trust, content_hash};
pub use merge::{EdgeKey, FoldedEdge, Merge, Suggestion, SuggestionState, TypeVotes, most_given_type};
pub use offer::{Offer, OfferKind, OfferState};
pub use reading::{Reading, ReadingOutcome, ReadingTask, Said};
pub(crate) use search::only_asks;
pub use search::{
    Arc, Belief, CATALOGUE_SIZE, Direction, Part, Place, Placement, WordHit, WordHits, WordQuery,
};
pub use simd::SimdLevel;
pub use time::{Interval, Timestamp};
pub use vector::{StoredVector, most_differing_signs, signs};
pub use warning::{Acknowledged, Finding, Warning, WarningId, WarningKind};
