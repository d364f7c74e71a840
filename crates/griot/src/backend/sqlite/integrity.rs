//! Checks for damage: in the file, between rows, and between rows and index.
//!
//! Each finding is a sentence with its location. Each class of findings is cut after [`MOST`], so that the
//! loss of one page does not produce a million sentences.

use super::damage;
use super::keys;
use super::tables::Tables;
use crate::index::{Index, Link};

/// Findings per class that are reported individually.
const MOST: usize = 10;

/// Returns all defects. The caller has caught up the index and holds a transaction.
pub(super) fn check(tables: &Tables, index: &Index) -> rusqlite::Result<Vec<String>> {
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
    }
    if !findings.sentences.is_empty() {
        // On a damaged file the remaining checks would repeat the same finding or fail.
        return Ok(findings.sentences);
    }
    damage::find(tables, &mut |class| {
        findings.class();
        class.into_iter().for_each(|sentence| findings.add(sentence));
    })?;
    findings.class();
    for (number, id) in keys::wrong_ids(tables)? {
        findings.add(keys::wrong_id(number, &id));
    }
    compare_memories(tables, index, &mut findings)?;
    compare_edges(tables, index, &mut findings)?;
    compare_entities(tables, index, &mut findings)?;
    findings.class();
    if index.revision() != tables.revision()?.0 {
        let stored = tables.revision()?.0;
        findings.add(format!("the index stands at revision {}, the store at {stored}", index.revision()));
    }
    Ok(findings.sentences)
}

fn compare_memories(tables: &Tables, index: &Index, findings: &mut Findings) -> rusqlite::Result<()> {
    findings.class();
    let mut count = 0_u32;
    tables.every_document(&mut |document| {
        count += 1;
        let number = document.memory;
        match index.checksum(number) {
            None => findings.add(format!("the index does not know memory m{number}")),
            Some(known) if known != index.checksum_of(document) => {
                findings.add(format!("the index disagrees with the row of memory m{number}"));
            }
            Some(_) => {}
        }
    })?;
    if index.memory_count() != count {
        findings.add(format!("the index holds {} memories, the store {count}", index.memory_count()));
    }
    let vectors: i64 = tables.one("SELECT count(*) FROM vector", [])?.unwrap_or(0);
    if index.vector_count() != vectors as u64 {
        findings.add(format!("the index holds {} vectors, the store {vectors}", index.vector_count()));
    }
    Ok(())
}

fn compare_edges(tables: &Tables, index: &Index, findings: &mut Findings) -> rusqlite::Result<()> {
    findings.class();
    let mut known: Vec<Link> = Vec::new();
    index.each_link(&mut |link| known.push(link));
    known.sort_unstable_by_key(|link| link.number);
    let mut known = known.into_iter().peekable();
    tables.every_link(&mut |link| {
        while let Some(extra) = known.next_if(|other| other.number < link.number) {
            findings.add(format!("the index holds edge e{}, which the store does not", extra.number));
        }
        match known.next_if(|other| other.number == link.number) {
            None => findings.add(format!("the index does not know edge e{}", link.number)),
            Some(other) if other != link => {
                findings.add(format!("the index disagrees with the row of edge e{}", link.number));
            }
            Some(_) => {}
        }
    })?;
    for extra in known {
        findings.add(format!("the index holds edge e{}, which the store does not", extra.number));
    }
    Ok(())
}

fn compare_entities(tables: &Tables, index: &Index, findings: &mut Findings) -> rusqlite::Result<()> {
    findings.class();
    let mut statement = tables.cached("SELECT number, NOT live FROM entity")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (entity, deleted): (u32, bool) = (row.get(0)?, row.get(1)?);
        if index.is_hidden(entity) != deleted {
            findings
                .add(format!("the index disagrees with the row of entity {entity} on whether it is hidden"));
        }
    }
    Ok(())
}

/// Findings by class, limited to the first few of each.
#[derive(Default)]
struct Findings {
    sentences: Vec<String>,
    in_class: usize,
}

impl Findings {
    /// Starts another class.
    fn class(&mut self) {
        self.in_class = 0;
    }

    fn add(&mut self, sentence: String) {
        self.in_class += 1;
        if self.in_class <= MOST {
            self.sentences.push(sentence);
        } else if self.in_class == MOST + 1 {
            self.sentences.push("… and more of this kind".to_owned());
        }
    }
}
