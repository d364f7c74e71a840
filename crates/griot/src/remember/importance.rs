//! The present importance of a memory, by which `gc` sorts what could be forgotten.

use crate::model::{Memory, Tier, Timestamp};

/// Effective importance by the formula of Mnemon: a base by importance, raised by the number of times a
/// caller asked for this very memory and by its edges (at most five count), halved every 30 days since the
/// last access.
///
/// Being a search result is not an access: otherwise a memory would stay forever because it is found often.
fn effective_importance(memory: &Memory, degree: u32, now: Timestamp) -> f32 {
    const HALF_LIFE_DAYS: f64 = 30.0;
    let accesses = (1.0 + f64::from(memory.access_count)).ln().max(1.0);
    let since = now.days_since(memory.last_accessed_at.unwrap_or(memory.recorded_at)).max(0.0);
    (f64::from(of_new(memory.importance, degree)) * accesses * 0.5f64.powf(since / HALF_LIFE_DAYS)) as f32
}

/// The effective importance of a memory that was just stored, with this many edges.
pub fn of_new(importance: u8, degree: u32) -> f32 {
    const BASE: [f32; 5] = [0.15, 0.3, 0.5, 0.8, 1.0];
    BASE[usize::from(importance.clamp(1, 5)) - 1] * (1.0 + 0.1 * degree.min(5) as f32)
}

/// The effective importance of a memory that is below the threshold, and why it could be forgotten.
pub fn forgettable(memory: &Memory, degree: u32, threshold: f32, now: Timestamp) -> Option<(f32, String)> {
    // An expired memory is useless, however important it was.
    let expired = memory.is_expired(now);
    let importance = if expired { 0.0 } else { effective_importance(memory, degree, now) };
    let reason = || {
        let days = now.days_since(memory.last_accessed_at.unwrap_or(memory.recorded_at)).max(0.0);
        let state = match (expired, memory.superseded_by.is_some()) {
            (true, _) => ", expired",
            (false, true) => ", superseded",
            (false, false) => "",
        };
        let base = memory.importance;
        format!("importance {base}, {degree} edges, not asked for in {days:.0} days{state}")
    };
    (importance < threshold).then(|| (importance, reason()))
}

/// Whether `gc` never lists a memory: important ones, rules, and those that were asked for three times.
pub fn is_immune(memory: &Memory) -> bool {
    memory.importance >= 4 || memory.access_count >= 3 || memory.tier == Tier::Rule
}
