//! `mnemon.db` of Mnemon: insights and the edges between them.

use griot::model::{Provenance, Result};
use griot::remember::{Draft, EntityDraft};
use griot::text::chunk_plain;

use super::relation::{Claim, Relations, confidence, metadata, reason, word};
use super::rows::{Database, Row};
use crate::readers::input::{Batch, add_tags};
use crate::readers::reader::Full;
use crate::readers::record;

/// Longer insights are split like documents; the program itself allows half of this. In bytes.
const LONGEST: usize = 16 * 1024;

pub(super) fn is_one(database: &Database) -> bool {
    database.has("insights", &["id", "content"])
        && database.has("edges", &["source_id", "target_id", "edge_type"])
}

pub(super) fn read(database: &Database, batch: &mut Batch, full: &mut Full) -> Result<()> {
    let mut relations = Relations::default();
    let columns = "source_id, target_id, edge_type, weight, metadata, created_at";
    database.each("edges", columns, batch, &mut |row, _| {
        let kind = row.text("edge_type").unwrap_or("unnamed");
        relations.add(row, kind, claim(row), |_, _| false);
        Ok(())
    })?;
    let columns =
        "id, content, category, importance, tags, entities, source, created_at, updated_at, deleted_at";
    database.each("insights", columns, batch, &mut |row, batch| {
        if row.has("deleted_at") {
            return Ok(());
        }
        match row.words("content") {
            Ok(content) => insight(row, content, &mut relations, batch),
            Err(why) => batch.problem(format!("{}: {why}", row.label())),
        }
        full(batch)
    })?;
    relations.finish(batch);
    Ok(())
}

/// An edge of `mnemon link` names its author; one that the program derived has the overlap of words.
fn claim(row: &Row) -> Claim {
    let metadata = metadata(row);
    let by_rule = metadata.get("overlap").is_some();
    let reason = reason(&metadata);
    Claim {
        weight: row.share("weight").unwrap_or(1.0),
        confidence: confidence(&metadata),
        provenance: if by_rule { Provenance::Rule } else { Provenance::Import },
        label: word(&metadata, &["sub_type"]),
        judged: reason.is_some() || word(&metadata, &["created_by"]).is_some(),
        reason,
    }
}

fn insight(row: &Row, content: &str, relations: &mut Relations, batch: &mut Batch) {
    let label = row.label();
    let mut draft = batch.draft("", "insight");
    // `general` is the program's default.
    if let Some(kind) = row.text("category").filter(|kind| *kind != "general") {
        draft.kind = Some(kind.to_lowercase());
    }
    add_tags(&mut draft.tags, record::listed(row.text("tags")));
    draft.importance = row.number("importance").map(|number| number.clamp(1, 5) as u8);
    draft.agent = row.text("source").filter(|source| *source != "user").map(str::to_string);
    draft.occurred_at = row.time(&["created_at", "updated_at"]).or_else(|| batch.input.time());
    let names = record::listed(row.text("entities"));
    draft.entities = names.into_iter().map(|name| EntityDraft::named(name, None)).collect();
    let key = row.key("id").unwrap_or_default();
    if content.len() <= LONGEST {
        let ordinal = batch.push(Draft { text: content.to_string(), ..draft }, &label);
        return relations.became(&key, None, ordinal);
    }
    for chunk in chunk_plain(content) {
        let ordinal = batch.push(Draft { text: chunk.text, ..draft.clone() }, &label);
        relations.became(&key, None, ordinal);
    }
}
