//! Looking for damage: in the file, between rows, and between rows and index.
//!
//! Every finding is a sentence that names what it found. A class of findings is cut short after [`MOST`], so that a store
//! that lost a page does not answer with a million sentences.

use super::tables::Tables;
use crate::index::{Index, Link};

/// Findings of one class that are told one by one.
const MOST: usize = 10;

/// Questions whose every answer is damage: a sentence with `{}` for the number, and the SQL that finds the numbers.
const DANGLING: &[(&str, &str)] = &[
    ("memory m{} stands in a place that does not exist", "SELECT number FROM memory WHERE place NOT IN (SELECT number FROM place)"),
    ("place {} belongs to a source that does not exist", "SELECT number FROM place WHERE source NOT IN (SELECT number FROM source)"),
    ("a tag belongs to memory m{}, which does not exist", "SELECT memory FROM memory_tag WHERE memory NOT IN (SELECT number FROM memory)"),
    ("a vector belongs to memory m{}, which does not exist", "SELECT memory FROM vector WHERE memory NOT IN (SELECT number FROM memory)"),
    (
        "the vector of memory m{} is not of the store's model and length",
        "SELECT memory FROM vector WHERE model IS NOT (SELECT value FROM meta WHERE key = 'model')
         OR length(data) IS NOT (SELECT value FROM meta WHERE key = 'dimensions')",
    ),
    ("entity {} has no canonical id", "SELECT number FROM entity WHERE number NOT IN (SELECT entity FROM alias WHERE position = 0)"),
    ("an alias belongs to entity {}, which does not exist", "SELECT entity FROM alias WHERE entity NOT IN (SELECT number FROM entity)"),
    (
        "edge e{} starts at a node that does not exist",
        "SELECT number FROM edge WHERE CASE source & 1 WHEN 0 THEN source >> 1 NOT IN (SELECT number FROM memory)
         ELSE source >> 1 NOT IN (SELECT number FROM entity) END",
    ),
    (
        "edge e{} leads to a node that does not exist",
        "SELECT number FROM edge WHERE CASE target & 1 WHEN 0 THEN target >> 1 NOT IN (SELECT number FROM memory)
         ELSE target >> 1 NOT IN (SELECT number FROM entity) END",
    ),
    ("evidence belongs to edge e{}, which does not exist", "SELECT edge FROM evidence WHERE edge NOT IN (SELECT number FROM edge)"),
    (
        "edge e{} has no evidence",
        // Kind 2 is `mentions`: those without a row are evidenced by their own memory.
        "SELECT number FROM edge WHERE kind <> 2 AND number NOT IN (SELECT edge FROM evidence)",
    ),
    (
        "the evidence of edge e{} names a memory that does not exist",
        "SELECT edge FROM evidence WHERE typeof(memory) = 'integer' AND memory NOT IN (SELECT number FROM memory)",
    ),
    (
        "fact f{} is about a node that does not exist",
        "SELECT number FROM fact WHERE CASE subject & 1 WHEN 0 THEN subject >> 1 NOT IN (SELECT number FROM memory)
         ELSE subject >> 1 NOT IN (SELECT number FROM entity) END",
    ),
    (
        "fact f{} has an object that does not exist",
        "SELECT number FROM fact WHERE object IS NOT NULL AND CASE object & 1
         WHEN 0 THEN object >> 1 NOT IN (SELECT number FROM memory) ELSE object >> 1 NOT IN (SELECT number FROM entity) END",
    ),
    ("the change log misses a revision before {}", "SELECT revision FROM change WHERE revision > 1 AND revision - 1 NOT IN (SELECT revision FROM change)"),
    ("the change log does not begin with revision 1 but {}", "SELECT min(revision) FROM change HAVING min(revision) > 1"),
    ("number {} is in use but was not handed out to a memory", "SELECT number FROM memory WHERE number >= (SELECT value FROM meta WHERE key = 'next memory')"),
    ("number {} is in use but was not handed out to an entity", "SELECT number FROM entity WHERE number >= (SELECT value FROM meta WHERE key = 'next entity')"),
    ("number {} is in use but was not handed out to an edge", "SELECT number FROM edge WHERE number >= (SELECT value FROM meta WHERE key = 'next edge')"),
];

/// Everything that is wrong. The caller has brought the index up to date and holds a transaction.
pub(super) fn check(tables: &Tables, index: &Index) -> rusqlite::Result<Vec<String>> {
    let mut findings = Findings::default();
    for finding in tables.all::<String>("PRAGMA integrity_check(10)", [])? {
        if finding != "ok" {
            findings.add(format!("the file: {finding}"));
        }
    }
    if !findings.sentences.is_empty() {
        // On a damaged file the rest would only say the same in other words, or fail.
        return Ok(findings.sentences);
    }
    for (sentence, sql) in DANGLING {
        findings.class();
        for number in tables.all::<i64>(sql, [])? {
            findings.add(sentence.replace("{}", &number.to_string()));
        }
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
    let mut statement = tables.cached("SELECT number, deleted_at IS NOT NULL FROM entity")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (entity, deleted): (u32, bool) = (row.get(0)?, row.get(1)?);
        if index.is_hidden(entity) != deleted {
            findings.add(format!("the index disagrees with the row of entity {entity} on whether it is deleted"));
        }
    }
    Ok(())
}

/// Sentences by class, the first few of each.
#[derive(Default)]
struct Findings {
    sentences: Vec<String>,
    in_class: usize,
}

impl Findings {
    /// Begins another class.
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
