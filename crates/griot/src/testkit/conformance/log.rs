//! Checks the change log at each write: it must name every row whose indexed form differs afterwards.

use std::collections::BTreeMap;

use crate::backend::{
    Backend, Commit, Committed, Feed, Home, Integrity, RemovedRow, Repaired, Telemetry, Which,
};
use crate::model::{ChangeSet, Erasure, ErasurePlan, Link, Node, Result, Revision, Timestamp};

/// A back end with a checked log.
pub struct Logged<B>(pub B);

/// Everything that an index keeps; documents as text.
#[derive(Default)]
struct Indexable {
    documents: BTreeMap<u32, String>,
    links: BTreeMap<u32, Link>,
    live: BTreeMap<Node, bool>,
}

impl Indexable {
    fn of(rows: &dyn Feed) -> Result<Self> {
        let mut found = Self { live: rows.liveness(None)?.into_iter().collect(), ..Self::default() };
        rows.documents(Which::All, &mut |document| {
            found.documents.insert(document.memory, format!("{document:?}"));
        })?;
        rows.links(Which::All, &mut |link| {
            found.links.insert(link.number, link);
        })?;
        Ok(found)
    }

    /// Reads the rows, then runs a plan on them.
    fn then<T>(&mut self, rows: &dyn Feed, plan: &mut dyn FnMut(&dyn Feed) -> Result<T>) -> Result<T> {
        *self = Self::of(rows)?;
        plan(rows)
    }
}

/// The keys whose values differ.
fn changed<K: Ord + Copy, V: PartialEq>(before: &BTreeMap<K, V>, after: &BTreeMap<K, V>) -> Vec<K> {
    let keys = before.keys().chain(after.keys().filter(|key| !before.contains_key(key)));
    keys.filter(|key| before.get(key) != after.get(key)).copied().collect()
}

impl<B: Backend> Logged<B> {
    fn check(&self, before: &Indexable, since: Revision) -> Result<()> {
        self.0.read(&mut |rows| {
            let after = Indexable::of(rows)?;
            let notes = rows.changes_after(since, usize::MAX >> 1)?;
            let revisions: Vec<u64> = notes.iter().map(|note| note.revision.0).collect();
            assert_eq!(revisions, [since.0 + 1], "one revision for each commit");
            let note = &notes[0];
            for memory in changed(&before.documents, &after.documents) {
                assert!(note.nodes.contains(&Node::memory(memory)), "the log names memory m{memory}");
            }
            for (entity, live) in &after.live {
                // The index takes an unknown entity for live.
                let is_same = before.live.get(entity).unwrap_or(&true) == live;
                assert!(is_same || note.nodes.contains(entity), "the log names entity {entity:?}");
            }
            for edge in changed(&before.links, &after.links) {
                let is_named = note.edges.contains(&edge) || note.removed_edges.contains(&edge);
                assert!(is_named, "the log names edge e{edge}");
            }
            Ok(())
        })
    }
}

impl<B: Backend> Backend for Logged<B> {
    fn write(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<ChangeSet>,
        committed: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Commit> {
        let mut before = Indexable::default();
        let commit = self.0.write(&mut |rows| before.then(rows, plan), committed)?;
        if commit.changed {
            self.check(&before, Revision(commit.revision.0 - 1))?;
        }
        Ok(commit)
    }

    fn erase(
        &self,
        plan: &mut dyn FnMut(&dyn Feed) -> Result<Option<ErasurePlan>>,
        committed: &mut dyn FnMut(&Committed<'_>),
    ) -> Result<Option<Erasure>> {
        let mut before = Indexable::default();
        let erasure = self.0.erase(&mut |rows| before.then(rows, plan), committed)?;
        if let Some(erasure) = &erasure {
            self.check(&before, erasure.before)?;
        }
        Ok(erasure)
    }

    forward! { self, self.0 =>
        home() -> Home;
        read(act: &mut dyn FnMut(&dyn Feed) -> Result<()>) -> Result<()>;
        scrub(texts: Option<&[String]>) -> Result<u64>;
        finish_erasure(erasure: &Erasure) -> Result<()>;
        integrity() -> Result<Integrity>;
        repair(now: Timestamp, keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>) -> Result<Repaired>;
        telemetry() -> &dyn Telemetry;
    }
}
