//! Who works on jobs: `worker` on those that anyone may work on, `watching` on folders as they change.

pub(crate) mod bell;
pub mod watching;
pub mod worker;
