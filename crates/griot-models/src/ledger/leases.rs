//! Which process works on which memories. A lease saves money and time, nothing else: if one ends early, two
//! processes read the same memory, and the store takes the first result.

use griot::model::{Result, Timestamp};
use rusqlite::params;

use super::{Ledger, cannot};

/// Who takes leases: one for each run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner(i64);

impl Owner {
    pub fn random() -> Self {
        Self(fastrand::i64(..))
    }
}

impl Ledger {
    /// Takes those of these memories, by number, that no one else works on.
    pub fn lease(
        &self,
        task: &str,
        memories: &[u32],
        owner: Owner,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<u32>> {
        self.change("take a lease in the ledger", |transaction| {
            transaction.execute("DELETE FROM lease WHERE until <= ?1", [now.0])?;
            let sql = "INSERT OR IGNORE INTO lease (task, memory, owner, until) VALUES (?1, ?2, ?3, ?4)";
            let mut insert = transaction.prepare_cached(sql)?;
            let mut taken = Vec::with_capacity(memories.len());
            for memory in memories {
                if insert.execute(params![task, memory, owner.0, until.0])? == 1 {
                    taken.push(*memory);
                }
            }
            Ok(taken)
        })
    }

    /// How many memories are leased for a task, and when the first of these leases ends.
    pub fn leased(&self, task: &str, now: Timestamp) -> Result<Option<(u64, Timestamp)>> {
        let sql = "SELECT count(*), min(until) FROM lease WHERE task = ?1 AND until > ?2";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?));
        let found = self.connection().query_row(sql, params![task, now.0], read);
        let (count, until) = found.map_err(|error| cannot("read the ledger of language models", &error))?;
        Ok(until.map(|until| (count.unsigned_abs(), Timestamp(until))))
    }

    /// Gives back what an owner has.
    pub fn give_back(&self, task: &str, memories: &[u32], owner: Owner) -> Result<()> {
        self.change("give back a lease in the ledger", |transaction| {
            let sql = "DELETE FROM lease WHERE task = ?1 AND memory = ?2 AND owner = ?3";
            let mut delete = transaction.prepare_cached(sql)?;
            memories.iter().try_for_each(|memory| delete.execute(params![task, memory, owner.0]).map(drop))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_has_one_owner_until_its_lease_ends_or_is_given_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::for_database(&folder.path().join("griot.db")).expect("it opens");
        let (one, other) = (Owner(1), Owner(2));
        let lease = |task, memories: &[u32], owner, now| {
            ledger.lease(task, memories, owner, Timestamp(now), Timestamp(now + 10)).expect("the lease")
        };
        assert_eq!(lease("notes", &[1, 2], one, 0), [1, 2]);
        assert_eq!(lease("notes", &[1, 2, 3], other, 5), [3]);
        let leased = |now| ledger.leased("notes", Timestamp(now)).expect("the leases");
        assert_eq!((leased(6), leased(12)), (Some((3, Timestamp(10))), Some((1, Timestamp(15)))));
        assert_eq!(leased(15), None);
        assert_eq!(lease("facts", &[1], other, 5), [1]);
        ledger.give_back("notes", &[1, 3], one).expect("given back");
        assert_eq!(lease("notes", &[1, 3], other, 6), [1]);
        assert_eq!(lease("notes", &[2, 3], one, 10), [2]);
        assert_eq!(lease("notes", &[3], one, 15), [3]);
    }
}
