//! The rows of the reference store as a back end: under [`Indexed`](crate::store::Indexed), its searches come
//! from the index, while those of the reference store itself scan everything.
//!
//! It shows how little a back end has to do: it passes on nothing after a commit, so that the index is fed
//! from the change log alone. The log names what differs from the revision before, and a second time what
//! the revision before named, because an update may be applied twice.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{MemoryBackend, State, locked};
use crate::backend::{
    Backend, ChangeNote, Commit, Committed, EntityQuery, Feed, Home, Of, Search, Store, Which,
};
use crate::model::{
    ChangeSet, Document, EntityType, Erasure, ErasurePlan, Link, Node, Result, Revision, Timestamp,
};

/// Rows in memory, shared by its clones.
#[derive(Clone)]
pub struct RowsInMemory {
    store: Arc<MemoryBackend>,
    home: Home,
}

impl RowsInMemory {
    /// New rows, and the folder for snapshots of their index.
    pub fn new(index: Option<PathBuf>) -> Self {
        let store = MemoryBackend::new();
        locked(&store.state).keeps_log = true;
        Self { store: Arc::new(store), home: Home { store_id: [7; 16], index, read_only: false } }
    }
}

impl Backend for RowsInMemory {
    fn home(&self) -> Home {
        self.home.clone()
    }

    fn read(&self, act: &mut dyn FnMut(&dyn Feed) -> Result<()>) -> Result<()> {
        let state = self.store.state().clone();
        act(&state)
    }

    fn write(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<ChangeSet>,
        _: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Commit> {
        self.store.commit(|state| plan(state))
    }

    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<Option<ErasurePlan>>,
        _: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Option<Erasure>> {
        self.store.commit_erasure(|state| plan(state))
    }

    forward! { self, self.store =>
        scrub(texts: Option<&[String]>) -> Result<u64>;
        finish_erasure(erasure: &Erasure) -> Result<()>;
    }
}

impl State {
    fn number_of_name(&self, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|at| at as u32 + 1)
    }

    fn document(&self, number: u32) -> Option<Document<'_>> {
        let stored = self.memories.get(&number)?;
        let memory = &stored.memory;
        let name = |name: Option<&str>| name.and_then(|name| self.number_of_name(name)).unwrap_or(0);
        Some(Document {
            place: stored.place,
            user: name(memory.scope.user.as_deref()),
            project: name(memory.scope.project.as_deref()),
            kind: name(Some(&memory.kind)),
            agent: name(memory.agent.as_deref()),
            session: name(memory.session.as_deref()),
            speaker: stored.speaker.map_or(0, Node::raw),
            ..Document::of(memory, &stored.title, stored.vector.as_ref())
        })
    }

    fn link(&self, number: u32) -> Option<Link> {
        let edge = self.edges.get(&number).filter(|edge| self.edge_is_live(edge))?;
        let label = self.labels.iter().position(|label| *label == edge.label);
        Some(Link {
            number,
            source: edge.source.raw(),
            target: edge.target.raw(),
            kind: edge.kind,
            label: label.map_or(0, |at| at as u32 + 1),
            weight: edge.weight,
            confidence: edge.confidence,
            touched_at: edge.touched_at.0,
            expires_at: edge.expires_at.map(|at| at.0),
            provenance: edge.provenance,
        })
    }

    /// Adds the rows that differ from those of the revision before to the log.
    pub(super) fn log_changes(&mut self, before: &Self, at: Timestamp) {
        // A document does not name the model of its vector.
        let has_other_model = self.model != before.model;
        let has_vector = |number| self.memories.get(&number).is_some_and(|stored| stored.vector.is_some());
        let differ = |node: &Node| {
            let number = node.number();
            if node.is_memory() {
                has_other_model && has_vector(number) || self.document(number) != before.document(number)
            } else {
                self.entity(*node).map(|entity| (&entity.name, self.is_live(*node)))
                    != before.entity(*node).map(|entity| (&entity.name, before.is_live(*node)))
            }
        };
        let memories = (1..self.next.memory).map(Node::memory);
        let nodes = memories.chain((1..self.next.entity).map(Node::entity)).filter(differ).collect();
        let edges = (1..self.next.edge).filter(|number| self.link(*number) != before.link(*number));
        let (edges, removed_edges) = edges.partition(|number| self.edges.contains_key(number));
        let note = ChangeNote { revision: Revision(self.revision), at, nodes, edges, removed_edges };
        self.log.push(note);
    }
}

fn asked<T>(which: Which<'_>, rows: &BTreeMap<u32, T>) -> Vec<u32> {
    match which {
        Which::All => rows.keys().copied().collect(),
        Which::These(numbers) => numbers.to_vec(),
    }
}

impl Feed for State {
    fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<ChangeNote>> {
        let merged = |at: usize| {
            let mut note = self.log[at].clone();
            if let Some(before) = at.checked_sub(1).map(|at| &self.log[at]) {
                note.nodes.extend(&before.nodes);
                note.edges.extend(&before.edges);
            }
            note
        };
        Ok((since.0 as usize..self.log.len()).take(limit).map(merged).collect())
    }

    fn documents(&self, which: Which<'_>, sink: &mut dyn FnMut(&Document<'_>)) -> Result<()> {
        let numbers = asked(which, &self.memories).into_iter();
        numbers.filter_map(|number| self.document(number)).for_each(|document| sink(&document));
        Ok(())
    }

    fn links(&self, which: Which<'_>, sink: &mut dyn FnMut(Link)) -> Result<()> {
        asked(which, &self.edges).into_iter().filter_map(|number| self.link(number)).for_each(sink);
        Ok(())
    }

    fn liveness(&self, kind: Option<EntityType>) -> Result<Vec<(Node, bool)>> {
        let of_kind = self.entities.values().filter(|entity| kind.is_none_or(|kind| entity.kind == kind));
        Ok(of_kind.map(|entity| (entity.node, self.entity_is_live(entity))).collect())
    }

    fn names(&self, names: &[&str]) -> Result<Vec<Option<u32>>> {
        Ok(names.iter().map(|name| self.number_of_name(name)).collect())
    }

    fn numbers(&self, of: Of<'_>) -> Result<Vec<u32>> {
        let memories = self.memories.values().map(|stored| &stored.memory);
        Ok(match of {
            Of::Tag(tag) => {
                let tagged = memories.filter(|memory| memory.tags.iter().any(|own| own == tag));
                tagged.map(|memory| memory.node.number()).collect()
            }
            Of::SourceType(kind) => {
                self.sources.values().filter(|source| source.kind == kind).map(|source| source.id.0).collect()
            }
            Of::Rules => self.rules().into_iter().map(|rule| rule.node.number()).collect(),
        })
    }

    fn named_like(&self, part: &str, kind: Option<EntityType>, limit: usize) -> Result<Vec<(Node, u32)>> {
        self.top_entities(&EntityQuery { part: Some(part), kind, limit, now: None })
    }
}
