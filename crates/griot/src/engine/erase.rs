//! Verbs that remove for good: `erase`, its receipts, and `backup`, which copies a workspace.
//!
//! An erasure has three steps. The rows are removed in one revision, with a receipt that records what is left
//! to do. Then the caller searches files that the engine does not know (`beside`): jobs, other copies. Last
//! the store's own files are cleaned, and the receipt is finished. If the process dies in between, the
//! receipt stays unfinished, and [`Engine::finish_erasures`] continues from it: it needs no text and no name,
//! only the receipt.

use std::collections::HashSet;
use std::path::Path;

use super::Engine;
use crate::backend::sqlite::{Options, SqliteBackend};
use crate::backend::{Read, pages};
use crate::model::{
    Entity, ErasedKind, Erasure, Error, Mark, Memory, Result, mark_of_entity, mark_of_memory, mark_of_source,
};
use crate::remember::erase::{self, Erased};
use crate::remember::{naming, warnings};

pub use crate::backend::sqlite::Carried;

/// What was removed from files that the engine does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Beside {
    pub job_rows: u64,
    /// Kept replies of language models that were removed.
    pub replies: u64,
    /// Entries of the log of recalls.
    pub recalls: u64,
    pub copies: u64,
}

/// Removes from files besides the database what a receipt names by its hashes. Every removed text comes with
/// it, unless an earlier process began the erasure: the texts are never written.
pub type RidBeside<'a> = &'a mut dyn FnMut(&Erasure, Option<&[String]>) -> Result<Beside>;

impl Engine {
    /// Removes a memory, a source, an entity, or everything of a user, for good. When it returns, no file of
    /// the workspace contains a text of it. With `dry_run` nothing is written, and the receipt lists what
    /// would be removed.
    pub fn erase(
        &self,
        kind: ErasedKind,
        name: &str,
        by: &str,
        dry_run: bool,
        beside: RidBeside<'_>,
    ) -> Result<Erasure> {
        self.refuse_part("erase")?;
        self.backend.refresh()?;
        let now = self.now();
        if dry_run {
            let read = self.backend.as_ref();
            let plan = erase::plan(read, &erased(read, kind, name)?, by, now)?;
            if plan.changes.is_empty() {
                return Err(nothing(kind, name));
            }
            let revision = read.revision();
            return Ok(Erasure { before: revision, after: revision, ..plan.receipt });
        }
        let mut texts = Vec::new();
        let mut touched = Vec::new();
        let receipt = self.backend.erase(&mut |read| {
            let mut plan = erase::plan(read, &erased(read, kind, name)?, by, now)?;
            if plan.changes.is_empty() {
                return Ok(None);
            }
            texts = std::mem::take(&mut plan.texts);
            touched = warnings::nodes_to_verify(read, &plan.changes)?;
            Ok(Some(plan))
        })?;
        let Some(receipt) = receipt else {
            return Err(nothing(kind, name));
        };
        let receipt = self.finish(receipt, Some(&texts), beside)?;
        self.look_around(&touched);
        Ok(receipt)
    }

    /// Continues erasures that a process began and did not finish.
    pub fn finish_erasures(&self, beside: RidBeside<'_>) -> Result<Vec<Erasure>> {
        let left = self.unfinished_erasures()?;
        left.into_iter().map(|receipt| self.finish(receipt, None, &mut *beside)).collect()
    }

    pub fn unfinished_erasures(&self) -> Result<Vec<Erasure>> {
        self.backend.unfinished_erasures()
    }

    fn finish(
        &self,
        mut receipt: Erasure,
        texts: Option<&[String]>,
        beside: RidBeside<'_>,
    ) -> Result<Erasure> {
        let found = beside(&receipt, texts)?;
        receipt.counts.job_rows += found.job_rows;
        receipt.counts.replies += found.replies;
        receipt.counts.recalls += found.recalls;
        receipt.counts.copies += found.copies + self.backend.scrub(texts)?;
        receipt.finished_at = Some(self.now());
        self.backend.finish_erasure(&receipt)?;
        receipt.beside.clear();
        Ok(receipt)
    }

    /// Receipts of erasures, the latest first.
    pub fn erasures(&self) -> Result<Vec<Erasure>> {
        self.refuse_part("list erasures")?;
        let mut receipts = self.backend.erasures()?;
        receipts.reverse();
        Ok(receipts)
    }

    /// Compares each receipt with the store: how many of the erased things exist. The latest receipt
    /// first.
    pub fn verify_erasures(&self) -> Result<Vec<(Erasure, u64)>> {
        let receipts = self.erasures()?;
        let read = self.read()?;
        let mut there: HashSet<Mark> =
            read.sources()?.iter().map(|source| mark_of_source(source.id.0)).collect();
        for page in pages::<Memory>(read) {
            there.extend(page?.iter().map(|memory| mark_of_memory(memory.id)));
        }
        for page in pages::<Entity>(read) {
            there.extend(page?.iter().map(|entity| mark_of_entity(entity.node.number())));
        }
        let compared = |receipt: Erasure| {
            let found = receipt.marks.iter().filter(|mark| there.contains(*mark)).count() as u64;
            (receipt, found)
        };
        Ok(receipts.into_iter().map(compared).collect())
    }

    /// Writes the present workspace into one file, while other processes may write; `carried` are files
    /// besides the database, such as settings.
    pub fn backup(&self, to: &Path, carried: &[Carried]) -> Result<()> {
        self.refuse_part("back up")?;
        let Some(path) = &self.path else {
            return Err(Error::unavailable("back up", "this store is not a file"));
        };
        let busy_timeout_ms = self.settings.store.busy_timeout_ms;
        let options = Options { create: false, busy_timeout_ms, ..Options::default() };
        SqliteBackend::backup(path, options, to, carried)
    }

    /// The copy of the database that was made when this engine migrated it to the present format.
    pub fn copy_made(&self) -> Option<&Path> {
        self.copy.as_deref()
    }

    pub(super) fn refuse_part(&self, verb: &str) -> Result<()> {
        if self.sees_all() {
            return Ok(());
        }
        Err(Error::invalid(verb, "it concerns the whole workspace, and this is the view of one scope"))
    }
}

fn nothing(kind: ErasedKind, name: &str) -> Error {
    Error::not_found(
        format!("erase the {} `{}`", kind.name(), name.trim()),
        "the workspace contains nothing of it",
    )
}

fn erased(read: &dyn Read, kind: ErasedKind, name: &str) -> Result<Erased> {
    Ok(match kind {
        ErasedKind::Memory => Erased::Memory(naming::memory(read, name)?),
        ErasedKind::Entity => Erased::Entity(naming::entity(read, name)?),
        ErasedKind::Source => Erased::Source(naming::source(read, name)?),
        ErasedKind::User => Erased::User(name.trim().to_owned()),
    })
}
