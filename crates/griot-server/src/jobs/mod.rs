//! Background work: `worker` runs queued jobs, `watching` watches folders.

pub mod watching;
pub mod worker;
