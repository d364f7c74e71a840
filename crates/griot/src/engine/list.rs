//! Which memories are stored? The verb `list`.

use super::Engine;
use crate::backend::Filter;
use crate::model::{Memory, Result, Scope, SourceId, Timestamp};
use crate::text;

/// Memories that are read at once.
const PAGE: usize = 200;

/// Which memories [`Engine::list`] returns; the default is all that count now.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListRequest {
    pub scope: Scope,
    /// Any of these; empty means any.
    pub kinds: Vec<String>,
    /// All of these.
    pub tags: Vec<String>,
    /// Any of these; empty means any.
    pub sources: Vec<SourceId>,
    pub agent: Option<String>,
    /// Only memories whose text needs care.
    pub flagged: bool,
    /// Only memories that another one replaced, instead of those that none did.
    pub superseded: bool,
    /// Only memories stored at or after this time.
    pub since: Option<Timestamp>,
}

impl Engine {
    /// At most `limit` memories, those stored last first.
    pub fn list(&self, request: &ListRequest, limit: usize) -> Result<Vec<Memory>> {
        let read = self.read()?;
        let ListRequest { scope, kinds, tags, sources, agent, flagged, superseded, since } = request.clone();
        let now = Some(self.now());
        let filter = Filter { scope, kinds, tags, sources, agent, superseded, now, ..Filter::default() };
        let is_wanted = |memory: &Memory| {
            (!superseded || memory.superseded_by.is_some())
                && since.is_none_or(|since| memory.recorded_at >= since)
                && (!flagged || !text::alerts(&memory.text).is_empty())
        };
        let narrows = superseded || flagged || since.is_some();
        let nodes = read.latest(&filter, if narrows { usize::MAX >> 1 } else { limit })?;
        let mut found = Vec::new();
        for page in nodes.chunks(PAGE) {
            found.extend(read.memories(page)?.into_iter().filter(is_wanted));
            if found.len() >= limit {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }
}
