//! Background work: `worker` runs queued jobs, `watching` watches folders.

pub(crate) mod bell;
pub mod watching;
pub mod worker;
