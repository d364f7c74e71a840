//! How much a memory matters now: the order in which `gc` lists what could be forgotten.

use crate::model::{Memory, Tier, Timestamp};

/// Effective importance after the formula of Mnemon: a base by importance, raised by the number of times a
/// caller asked for this very memory and by its edges (at most five count), halved every 30 days since the
/// last access.
///
/// Being surfaced by a search is no access: otherwise what is found often would stay for ever because it is
/// found often.
pub fn effective_importance(memory: &Memory, degree: u32, now: Timestamp) -> f32 {
    const HALF_LIFE_DAYS: f64 = 30.0;
    let accesses = (1.0 + f64::from(memory.access_count)).ln().max(1.0);
    let since = now.days_since(memory.last_accessed_at.unwrap_or(memory.recorded_at)).max(0.0);
    (f64::from(of_new(memory.importance, degree)) * accesses * 0.5f64.powf(since / HALF_LIFE_DAYS)) as f32
}

/// The same of a memory that was just stored with so many edges.
pub fn of_new(importance: u8, degree: u32) -> f32 {
    const BASE: [f32; 5] = [0.15, 0.3, 0.5, 0.8, 1.0];
    BASE[usize::from(importance.clamp(1, 5)) - 1] * (1.0 + 0.1 * degree.min(5) as f32)
}

/// Memories that `gc` never lists: important ones, and those that were asked for three times.
pub fn is_immune(memory: &Memory) -> bool {
    memory.importance >= 4 || memory.access_count >= 3 || memory.tier == Tier::Rule
}
