//! Assigns keys to entities from formats before 5, which had none, and derives canonical ids from them;
//! `doctor` uses the same rule for checks and repairs.
//!
//! In format 4, names that differ only in punctuation shared one canonical id. The live entity with the
//! lowest number keeps the plain key, the others get a numbered one (`ops (2)`). Nothing is merged: that
//! decision is left to a person or to `griot merges --suggest --auto`. A former id stays as an alias if only
//! one entity had it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::Connection;

use super::merges::{undo_of_format_4, undo_to_bytes};
use super::tables::Tables;
use crate::model::{Entity, EntityType, canonical_id, entity_key, normal_name};

/// An entity of format 4 with its new key and names.
struct Row {
    number: u32,
    name: String,
    kind: EntityType,
    /// 0 live, 1 forgotten, 2 merged into another.
    rank: u8,
    /// The canonical id that format 4 derived from the name.
    former_id: String,
    former_aliases: Vec<String>,
    key: String,
}

/// Assigns keys. Runs inside the migration's transaction.
pub(super) fn give_keys(connection: &Connection) -> rusqlite::Result<()> {
    let mut rows = read(connection)?;
    rows.sort_by_key(|row| (row.rank, row.number));
    let mut taken: BTreeSet<(EntityType, String)> = BTreeSet::new();
    for row in &mut rows {
        let plain = entity_key(row.kind, &row.name);
        row.key.clone_from(&plain);
        let mut number = 2;
        while !taken.insert((row.kind, row.key.clone())) {
            row.key = format!("{plain} ({number})");
            number += 1;
        }
    }
    let ids: BTreeSet<String> = rows.iter().map(|row| canonical_id(row.kind, &row.key)).collect();
    // By former id: the lowest rank among its entities, and how many have that rank.
    let mut bearers: HashMap<&str, (u8, u32)> = HashMap::new();
    for row in &rows {
        let bearer = bearers.entry(&row.former_id).or_insert((row.rank, 0));
        bearer.1 += u32::from(bearer.0 == row.rank);
    }
    for row in &rows {
        let is_its_own =
            bearers.get(row.former_id.as_str()) == Some(&(row.rank, 1)) && !ids.contains(&row.former_id);
        let names = names(row, is_its_own);
        connection
            .prepare_cached("UPDATE entity SET key = ?2 WHERE number = ?1")?
            .execute((row.number, &row.key))?;
        connection.prepare_cached("DELETE FROM alias WHERE entity = ?1")?.execute([row.number])?;
        for (position, name) in names.iter().enumerate() {
            connection
                .prepare_cached("INSERT INTO alias (entity, position, name) VALUES (?1, ?2, ?3)")?
                .execute((row.number, position as i64, name))?;
        }
    }
    rewrite_merges(connection, &rows)
}

/// Entities of the current format with a wrong canonical id, each with the right one.
pub(super) fn wrong_ids(tables: &Tables) -> rusqlite::Result<Vec<(u32, String)>> {
    let mut statement = tables.connection.prepare(
        "SELECT e.number, n.text, e.key, a.name FROM entity e JOIN name n ON n.number = e.kind
         LEFT JOIN alias a ON a.entity = e.number AND a.position = 0 WHERE typeof(e.key) = 'text'
         ORDER BY e.number",
    )?;
    let mut found = statement.query([])?;
    let mut wrong = Vec::new();
    while let Some(row) = found.next()? {
        let (kind, key): (String, String) = (row.get(1)?, row.get(2)?);
        let Some(kind) = EntityType::parse(&kind) else { continue };
        let id = canonical_id(kind, &key);
        if row.get_ref(3)?.as_str_or_null().ok().flatten() != Some(id.as_str()) {
            wrong.push((row.get(0)?, id));
        }
    }
    Ok(wrong)
}

/// The sentence for one of them.
pub(super) fn wrong_id(entity: u32, id: &str) -> String {
    format!("entity {entity} is not found by its canonical id `{id}`")
}

/// Corrects the canonical id of an entity.
pub(super) fn set_id(tables: &Tables, entity: u32, id: &str) -> rusqlite::Result<()> {
    tables.execute("DELETE FROM alias WHERE entity = ?1 AND (position = 0 OR name = ?2)", (entity, id))?;
    tables.execute("INSERT INTO alias (entity, position, name) VALUES (?1, 0, ?2)", (entity, id))?;
    Ok(())
}

fn read(connection: &Connection) -> rusqlite::Result<Vec<Row>> {
    let mut aliases: BTreeMap<u32, Vec<(i64, String)>> = BTreeMap::new();
    let mut statement =
        connection.prepare("SELECT entity, position, name FROM alias ORDER BY entity, position")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        aliases.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?));
    }
    let mut statement = connection.prepare(
        "SELECT e.number, e.name, n.text, e.deleted_at IS NOT NULL,
         EXISTS (SELECT 1 FROM merge m WHERE m.merged = e.number AND m.undone_at IS NULL)
         FROM entity e JOIN name n ON n.number = e.kind",
    )?;
    let rows = statement.query_map([], |row| {
        let (number, kind): (u32, String) = (row.get(0)?, row.get(2)?);
        let (is_hidden, is_merged): (bool, bool) = (row.get(3)?, row.get(4)?);
        let mut names = aliases.remove(&number).unwrap_or_default();
        let former_id = if names.first().is_some_and(|(position, _)| *position == 0) {
            names.remove(0).1
        } else {
            String::new()
        };
        Ok(Row {
            number,
            name: row.get(1)?,
            kind: EntityType::parse(&kind)
                .ok_or_else(|| super::tables::unreadable("the type of an entity"))?,
            rank: u8::from(is_hidden) + u8::from(is_hidden && is_merged),
            former_id,
            former_aliases: names.into_iter().map(|(_, name)| name).collect(),
            key: String::new(),
        })
    })?;
    rows.collect()
}

/// Canonical id, normal names, former ids.
fn names(row: &Row, has_own_former_id: bool) -> Vec<String> {
    let id = canonical_id(row.kind, &row.key);
    let known = aliases(&row.former_aliases, &row.name);
    let former = has_own_former_id.then(|| row.former_id.clone());
    distinct([id].into_iter().chain(known).chain([normal_name(&row.key)]).chain(former))
}

/// The first of each.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    names.filter(|name| known.insert(name.clone())).collect()
}

/// Names in the current normal form; former ids unchanged.
fn aliases(former: &[String], name: &str) -> Vec<String> {
    let is_id =
        |alias: &str| alias.split_once(':').is_some_and(|(kind, _)| EntityType::parse(kind).is_some());
    let now = |alias: &String| if is_id(alias) { alias.clone() } else { normal_name(alias) };
    distinct(former.iter().map(now).chain([normal_name(name)]))
}

/// The undo record of a merge contains both entities.
fn rewrite_merges(connection: &Connection, rows: &[Row]) -> rusqlite::Result<()> {
    let rows: HashMap<u32, &Row> = rows.iter().map(|row| (row.number, row)).collect();
    let keyed = |mut entity: Entity| {
        let row =
            rows.get(&entity.node.number()).filter(|row| row.kind == entity.kind && row.name == entity.name);
        entity.key = row.map_or_else(|| entity_key(entity.kind, &entity.name), |row| row.key.clone());
        entity.aliases = aliases(&entity.aliases, &entity.name);
        entity
    };
    let mut statement = connection.prepare("SELECT number, undo FROM merge")?;
    let blobs: Vec<(u32, Vec<u8>)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    for (number, bytes) in blobs {
        // Keep damaged bytes; reading them reports an error.
        let Some(mut merge) = undo_of_format_4(&bytes) else { continue };
        (merge.kept, merge.merged) = (keyed(merge.kept), keyed(merge.merged));
        connection
            .execute("UPDATE merge SET undo = ?2 WHERE number = ?1", (number, undo_to_bytes(&merge)))?;
    }
    Ok(())
}
