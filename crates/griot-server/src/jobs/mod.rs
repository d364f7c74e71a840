//! Background work: `worker` runs queued jobs, `watching` watches folders.

pub(crate) mod notify;
pub mod watching;
pub mod worker;
