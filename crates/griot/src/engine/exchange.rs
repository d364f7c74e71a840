//! `export` and `import` of a whole workspace.

use super::{Engine, Imported, Record};
use crate::model::{ChangeSet, Result};
use crate::remember::export::export;
use crate::remember::import::Import;

impl Engine {
    /// Exports every record, including hidden ones; see `remember::export`. Others may write meanwhile.
    pub fn export(&self, sink: &mut dyn FnMut(Record) -> Result<()>) -> Result<()> {
        export(self.read()?, self.sees_all(), self.now(), sink)
    }

    /// Imports records in one transaction: an error leaves the store unchanged. Records that exist already,
    /// or are repeated (by id, canonical id, key), are skipped; edges gain evidence. Warnings of the verifier
    /// are not exchanged, but found again.
    pub fn import(&self, records: &mut dyn Iterator<Item = Result<Record>>) -> Result<Imported> {
        // Read completely before the lock is taken: a slow or broken file must not block other writers.
        let records: Vec<Record> = records.collect::<Result<_>>()?;
        let now = self.now();
        let mut imported = Imported::default();
        let touched = self.write(&mut |read| {
            let mut import = Import::new(read, self.embedder_name())?;
            records.iter().try_for_each(|record| import.take(read, record))?;
            imported = import.imported;
            Ok(ChangeSet { at: now, changes: import.changes })
        })?;
        self.look_around(&touched);
        Ok(imported)
    }
}
