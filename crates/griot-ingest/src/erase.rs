//! Erases from the workspace and from the other files of its folder: the jobs file, the ledger of language
//! models and copies of the store.

use std::path::PathBuf;

use griot::backend::sqlite::{SqliteBackend, remove_database};
use griot::engine::{Beside, Engine};
use griot::model::{ErasedKind, Erasure, Result};
use griot_models::Ledger;

use crate::jobs::Jobs;

/// The database of a workspace, and the databases of removed workspaces, which may be copies of it.
#[derive(Clone, Debug, Default)]
pub struct Lies {
    pub database: PathBuf,
    pub removed: Vec<PathBuf>,
}

/// Erases a memory, a source, an entity or all content of a user from every file of the workspace.
pub fn erase(
    engine: &Engine,
    lies: &Lies,
    kind: ErasedKind,
    name: &str,
    by: &str,
    dry_run: bool,
) -> Result<Erasure> {
    engine.erase(kind, name, by, dry_run, &mut |receipt| erase_beside(lies, receipt))
}

/// Resumes erasures that were interrupted.
pub fn finish_erasures(engine: &Engine, lies: &Lies) -> Result<Vec<Erasure>> {
    engine.finish_erasures(&mut |receipt| erase_beside(lies, receipt))
}

fn erase_beside(lies: &Lies, receipt: &Erasure) -> Result<Beside> {
    let mut beside = Beside::default();
    if let Some(jobs) = Jobs::find(&lies.database)? {
        beside.job_rows = jobs.erase(receipt)?;
    }
    if let Some(ledger) = Ledger::find(&lies.database)? {
        beside.replies = ledger.erase(receipt)?;
    }
    let own = SqliteBackend::store_id_of(&lies.database);
    for removed in &lies.removed {
        // A removed workspace that is a copy of this store still contains the erased text. The user has
        // discarded it already, so it is deleted.
        if own.is_some() && SqliteBackend::store_id_of(removed) == own {
            remove_database(removed)?;
            beside.copies += 1;
        }
    }
    Ok(beside)
}
