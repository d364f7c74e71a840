//! An erasure with everything that lies beside a database: the file of jobs, and other copies of the same
//! store.

use std::path::PathBuf;

use griot::backend::sqlite::{SqliteBackend, remove_database};
use griot::engine::{Beside, Engine};
use griot::model::{ErasedKind, Erasure, Result};

use crate::jobs::Jobs;

/// Where a workspace lies, and databases that may be copies of it: those of removed workspaces.
#[derive(Clone, Debug, Default)]
pub struct Lies {
    pub database: PathBuf,
    pub removed: Vec<PathBuf>,
}

/// Removes a memory, a source, an entity or all that is a user's from every file of the workspace.
pub fn erase(
    engine: &Engine,
    lies: &Lies,
    kind: ErasedKind,
    name: &str,
    by: &str,
    dry_run: bool,
) -> Result<Erasure> {
    engine.erase(kind, name, by, dry_run, &mut |receipt| rid(lies, receipt))
}

/// Goes on with erasures that a process began and did not finish.
pub fn finish_erasures(engine: &Engine, lies: &Lies) -> Result<Vec<Erasure>> {
    engine.finish_erasures(&mut |receipt| rid(lies, receipt))
}

fn rid(lies: &Lies, receipt: &Erasure) -> Result<Beside> {
    let mut beside = Beside::default();
    if let Some(jobs) = Jobs::find(&lies.database)? {
        beside.job_rows = jobs.erase(receipt)?;
    }
    let own = SqliteBackend::store_id_of(&lies.database);
    for removed in &lies.removed {
        // A copy of this very store holds what was erased from it. It was thrown away already.
        if own.is_some() && SqliteBackend::store_id_of(removed) == own {
            remove_database(removed)?;
            beside.copies += 1;
        }
    }
    Ok(beside)
}
