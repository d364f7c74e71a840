//! Checks for damage in the file and between rows. Each finding is a sentence with its location.

use super::damage;
use super::keys;
use super::tables::Tables;
use crate::backend::Integrity;
use crate::backend::findings::Findings;

/// Returns all defects. The caller holds a transaction.
pub(super) fn check(tables: &Tables) -> rusqlite::Result<Integrity> {
    let mut findings = Findings::default();
    for finding in tables.all::<String>("PRAGMA integrity_check(10)", [])? {
        if finding != "ok" {
            findings.add(format!("the file: {finding}"));
        }
    }
    if !findings.sentences.is_empty() {
        findings.class();
        findings.add(
            "the file itself is damaged: restore a backup; `griot export` writes what can still be read"
                .into(),
        );
        // On a damaged file the remaining checks would repeat the same finding or fail.
        return Ok(Integrity { findings: findings.sentences, unreadable: true });
    }
    damage::find(tables, &mut |class| {
        findings.class();
        class.into_iter().for_each(|sentence| findings.add(sentence));
    })?;
    findings.class();
    for (number, id) in keys::wrong_ids(tables)? {
        findings.add(keys::wrong_id(number, &id));
    }
    Ok(Integrity { findings: findings.sentences, unreadable: false })
}
