//! Erases from the workspace and from the other files of its folder: the jobs file, the ledger of language
//! models, the log of recalls and copies of the store.

use std::path::PathBuf;
use std::time::Duration;

use griot::backend::sqlite::{SqliteBackend, remove_database};
use griot::engine::{Beside, Engine};
use griot::model::{ErasedKind, Erasure, Result};
use griot_models::Ledger;

use crate::jobs::Jobs;
use crate::recalls::{self, RecallLog};

/// How long entries of recalls that are about to be written are waited for.
const WRITTEN: Duration = Duration::from_secs(10);

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
    engine.erase(kind, name, by, dry_run, &mut |receipt, texts| erase_beside(lies, receipt, texts))
}

/// Resumes erasures that were interrupted.
pub fn finish_erasures(engine: &Engine, lies: &Lies) -> Result<Vec<Erasure>> {
    engine.finish_erasures(&mut |receipt, texts| erase_beside(lies, receipt, texts))
}

fn erase_beside(lies: &Lies, receipt: &Erasure, texts: Option<&[String]>) -> Result<Beside> {
    let mut beside = Beside::default();
    if let Some(jobs) = Jobs::find(&lies.database)? {
        beside.job_rows = jobs.erase(receipt)?;
    }
    if let Some(ledger) = Ledger::find(&lies.database)? {
        beside.replies = ledger.erase(receipt)?;
    }
    // What was asked before is among the entries then.
    recalls::flush(WRITTEN);
    if let Some(log) = RecallLog::find(&lies.database)? {
        beside.recalls = log.erase(receipt, texts)?;
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
