//! Which memories are stored? The verb `list`, and what of it other verbs ask.

use super::Engine;
use crate::backend::Filter;
use crate::model::{EdgeKind, Handle, Memory, Node, Result, Scope, SourceId, Timestamp};
use crate::remember::naming;
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
            let page = read.memories(page)?;
            // The order is that of storing: what follows is older still.
            let is_over = since.zip(page.last()).is_some_and(|(since, last)| last.recorded_at < since);
            found.extend(page.into_iter().filter(is_wanted));
            if is_over || found.len() >= limit {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }
    /// Whether there is no memory to find.
    pub fn is_empty(&self) -> Result<bool> {
        let any = Filter { superseded: true, ..Filter::default() };
        Ok(self.read()?.latest(&any, 1)?.is_empty())
    }

    /// The memories that this one replaced itself.
    pub fn replaced_by(&self, name: &str) -> Result<Vec<Handle>> {
        let read = self.read()?;
        let node = naming::memory(read, name)?;
        let edges = read.edges_of(node)?.into_iter();
        let old: Vec<Node> = edges
            .filter(|edge| edge.kind == EdgeKind::Supersedes && edge.source == node)
            .map(|edge| edge.target)
            .collect();
        Ok(read.memories(&old)?.into_iter().map(|memory| memory.handle).collect())
    }
}
