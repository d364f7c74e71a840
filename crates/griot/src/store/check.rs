//! Compares the index with the rows that it was derived from.

use super::catch_up::{catch_up, each_entity};
use crate::backend::findings::Findings;
use crate::backend::{Feed, Which};
use crate::embed::name_vector;
use crate::index::Index;
use crate::model::{Link, Result};

/// Returns all differences, after catching up.
pub(super) fn compare(rows: &dyn Feed, index: &mut Index) -> Result<Vec<String>> {
    let head = rows.head()?;
    let _ = catch_up(rows, &head, index)?;
    let mut findings = Findings::default();
    compare_memories(rows, index, &mut findings)?;
    compare_edges(rows, index, &mut findings)?;
    compare_entities(rows, index, &mut findings)?;
    findings.class();
    let stored = head.revision.0;
    if index.revision() != stored {
        findings.add(format!("the index stands at revision {}, the store at {stored}", index.revision()));
    }
    Ok(findings.sentences)
}

fn compare_memories(rows: &dyn Feed, index: &Index, findings: &mut Findings) -> Result<()> {
    findings.class();
    let (mut count, mut vectors) = (0_u32, 0_u64);
    rows.documents(Which::All, &mut |document| {
        count += 1;
        vectors += u64::from(document.vector.is_some());
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
    if index.vector_count() != vectors {
        findings.add(format!("the index holds {} vectors, the store {vectors}", index.vector_count()));
    }
    Ok(())
}

fn compare_edges(rows: &dyn Feed, index: &Index, findings: &mut Findings) -> Result<()> {
    findings.class();
    let mut known: Vec<Link> = Vec::new();
    index.each_link(&mut |link| known.push(link));
    known.sort_unstable_by_key(|link| link.number);
    let mut known = known.into_iter().peekable();
    let extra = |link: &Link| format!("the index holds edge e{}, which the store does not", link.number);
    rows.links(Which::All, &mut |link| {
        while let Some(other) = known.next_if(|other| other.number < link.number) {
            findings.add(extra(&other));
        }
        match known.next_if(|other| other.number == link.number) {
            None => findings.add(format!("the index does not know edge e{}", link.number)),
            Some(other) if other != link => {
                findings.add(format!("the index disagrees with the row of edge e{}", link.number));
            }
            Some(_) => {}
        }
    })?;
    known.for_each(|other| findings.add(extra(&other)));
    Ok(())
}

fn compare_entities(rows: &dyn Feed, index: &Index, findings: &mut Findings) -> Result<()> {
    findings.class();
    for (entity, live) in rows.liveness(None)? {
        let entity = entity.number();
        if index.is_hidden(entity) == live {
            findings
                .add(format!("the index disagrees with the row of entity {entity} on whether it is hidden"));
        }
    }
    each_entity(rows, &mut |entity| {
        let number = entity.node.number();
        let expected = name_vector(&entity.name);
        let expected = expected.as_ref().map(|vector| (&vector.values[..], vector.scale));
        if index.name_vector(number) != expected {
            findings.add(format!("the index disagrees with the row of entity {number} on its name"));
        }
    })
}
