//! What a language model reads out of stored memories: names and relations, notes, links, observations.
//!
//! `run` works off the memories that were not read yet: it leases them, asks, and stores what was said in one
//! transaction with the mark that they were read. So a process that is killed loses nothing and applies
//! nothing twice, and several share the work. A model that fails leaves the work where it was.
//!
//! - `extraction`: names and relations
//! - `notes`: keywords, tags and context; links with neighbours; notes that a new memory changes
//! - `sessions`: what became of a conversation, as memories
//! - `causes`: what a memory followed from, and what it replaces
//! - `facts`: statements with a fixed predicate
//! - `merges`: which entities are one
//! - `summaries`: entities that many memories describe
//! - `queue`: which memories are asked about together
//! - `reply`: JSON, words and numbers of replies
//! - `shown`: what is sent of a memory, and what is not
//! - `task`: one thing to ask, and what is needed to ask it
//! - `run`: the work, its threads and its end
//!
//! What a model says is untrusted: it is parsed into statements of bounded size, and the engine decides which
//! of them count.

pub mod causes;
pub mod extraction;
pub mod facts;
pub mod merges;
pub mod notes;
mod queue;
mod reply;
mod run;
pub mod sessions;
mod shown;
pub mod summaries;
mod task;

pub use merges::{Judged, MergeEstimate, Pairs, estimate_merges, judge_merges};
pub use queue::Wish;
pub use run::{Done, Estimate, Progress, Wait, WaitReason, estimate, run, tasks_on};
