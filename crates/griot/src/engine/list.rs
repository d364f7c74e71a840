//! Which memories are stored? The verb `list`, and what of it other verbs ask.

use super::Engine;
use crate::backend::{Filter, pages};
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
    /// Only memories that were forgotten, instead of those that count.
    pub forgotten: bool,
    /// Only memories stored at or after this time.
    pub since: Option<Timestamp>,
}

impl ListRequest {
    /// Whether rows have to be read to know which memories are meant.
    fn narrows(&self) -> bool {
        self.superseded || self.flagged || self.forgotten || self.since.is_some()
    }
}

impl Engine {
    /// At most `limit` memories, those stored last first.
    pub fn list(&self, request: &ListRequest, limit: usize) -> Result<Vec<Memory>> {
        let mut found = Vec::new();
        self.each_listed(request, limit, &mut |page| {
            found.extend(page);
            found.len() < limit
        })?;
        found.truncate(limit);
        Ok(found)
    }

    /// Number of memories that [`Engine::list`] returns without a limit.
    pub fn list_count(&self, request: &ListRequest) -> Result<usize> {
        if !request.narrows() {
            return Ok(self.read()?.latest(&self.filter_of(request), usize::MAX >> 1)?.len());
        }
        let mut count = 0;
        self.each_listed(request, usize::MAX >> 1, &mut |page| {
            count += page.len();
            true
        })?;
        Ok(count)
    }

    fn filter_of(&self, request: &ListRequest) -> Filter {
        let ListRequest { scope, kinds, tags, sources, agent, superseded, .. } = request.clone();
        let now = Some(self.now());
        Filter { scope, kinds, tags, sources, agent, superseded, now, ..Filter::default() }
    }

    /// Hands over the memories in pages, until there are no more or `take` says that it has enough.
    fn each_listed(
        &self,
        request: &ListRequest,
        limit: usize,
        take: &mut dyn FnMut(Vec<Memory>) -> bool,
    ) -> Result<()> {
        let read = self.read()?;
        let ListRequest { flagged, superseded, since, forgotten, .. } = *request;
        let is_wanted = |memory: &Memory| {
            (!superseded || forgotten || memory.superseded_by.is_some())
                && since.is_none_or(|since| memory.recorded_at >= since)
                && (!flagged || !text::alerts(&memory.text).is_empty())
        };
        if forgotten {
            let mut found = self.forgotten(request)?;
            found.retain(is_wanted);
            take(found);
            return Ok(());
        }
        let most = if request.narrows() { usize::MAX >> 1 } else { limit };
        let nodes = read.latest(&self.filter_of(request), most)?;
        for page in nodes.chunks(PAGE) {
            let mut page = read.memories(page)?;
            // The order is that of storing: what follows is older still.
            let is_over = since.zip(page.last()).is_some_and(|(since, last)| last.recorded_at < since);
            page.retain(is_wanted);
            if !take(page) || is_over {
                break;
            }
        }
        Ok(())
    }

    /// The forgotten memories, those stored last first. Searches do not know them, so this reads all rows.
    fn forgotten(&self, request: &ListRequest) -> Result<Vec<Memory>> {
        let read = self.read()?;
        let ListRequest { scope, kinds, tags, sources, agent, .. } = request;
        let is_within =
            |own: &Option<String>, asked: &Option<String>| asked.is_none() || own.is_none() || own == asked;
        let is_wanted = |memory: &Memory| {
            memory.deleted_at.is_some()
                && is_within(&memory.scope.user, &scope.user)
                && is_within(&memory.scope.project, &scope.project)
                && (kinds.is_empty() || kinds.contains(&memory.kind))
                && tags.iter().all(|tag| memory.tags.contains(tag))
                && (sources.is_empty() || sources.contains(&memory.source))
                && (agent.is_none() || memory.agent == *agent)
        };
        let mut found = Vec::new();
        for page in pages::<Memory>(read) {
            found.extend(page?.into_iter().filter(is_wanted));
        }
        found.reverse();
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
