//! Registers how an erasure treats each table and each file of a workspace.
//!
//! Every new table or file needs an entry; a test compares this list with the schema, and one of the command
//! line with the files of a busy workspace.

/// The effect of an erasure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Erasing {
    /// Rows of erased items are removed.
    Removed,
    /// References to erased items are removed; the rest of the row stays.
    Rewritten,
    /// Only numbers, times, counts and hashes: nothing to remove. Numbers are never reused.
    Numbers,
    /// `scrub.rs` truncates, overwrites or rewrites the file.
    Scrubbed,
    /// The file is removed.
    Deleted,
    /// Written by a person or the program about the workspace as a whole, never derived from a memory.
    Kept,
}

/// Tables of the database. SQLite's own tables contain only names of tables.
pub const TABLES: &[(&str, Erasing)] = &[
    ("meta", Erasing::Numbers),
    ("name", Erasing::Removed),
    ("source", Erasing::Removed),
    ("place", Erasing::Removed),
    ("memory", Erasing::Removed),
    ("memory_tag", Erasing::Removed),
    ("vector", Erasing::Removed),
    ("next_vector", Erasing::Removed),
    ("entity", Erasing::Removed),
    ("alias", Erasing::Removed),
    ("entity_type", Erasing::Removed),
    ("edge", Erasing::Removed),
    ("evidence", Erasing::Removed),
    ("fact", Erasing::Removed),
    ("fact_evidence", Erasing::Removed),
    ("change", Erasing::Numbers),
    ("merge", Erasing::Rewritten),
    ("merge_suggestion", Erasing::Removed),
    ("offer", Erasing::Removed),
    ("reading", Erasing::Removed),
    ("rollout_mode", Erasing::Kept),
    ("rollout_count", Erasing::Numbers),
    ("rollout_answer", Erasing::Removed),
    ("rollout_feedback", Erasing::Numbers),
    ("rollout_incident", Erasing::Rewritten),
    // Its note is written by a person and may quote a memory.
    ("warning", Erasing::Removed),
    ("warning_node", Erasing::Removed),
    ("erasure", Erasing::Numbers),
    ("carried", Erasing::Kept),
];

/// Files of a workspace, by the name of its database; `*` matches any characters.
pub const FILES: &[(&str, Erasing)] = &[
    ("griot.db", Erasing::Scrubbed),
    ("griot.db-wal", Erasing::Scrubbed),
    // Contains only page numbers.
    ("griot.db-shm", Erasing::Numbers),
    ("griot.db.index/index-*", Erasing::Deleted),
    // Numbers of nodes, positions and communities.
    ("griot.db.index/layout.bin*", Erasing::Numbers),
    ("griot.db.before-*", Erasing::Deleted),
    ("griot.db.quarantine.jsonl", Erasing::Deleted),
    ("griot.db.jobs", Erasing::Scrubbed),
    ("griot.db.jobs-wal", Erasing::Scrubbed),
    ("griot.db.jobs-shm", Erasing::Numbers),
    ("griot.db.jobs.j*.lock", Erasing::Kept),
    ("griot.db.models", Erasing::Scrubbed),
    // Exists during a write only.
    ("griot.db.models-journal", Erasing::Deleted),
    ("griot.db.recalls", Erasing::Scrubbed),
    ("griot.db.recalls-journal", Erasing::Deleted),
    ("griot.toml", Erasing::Kept),
];

/// The entry for a file, by its path inside the folder of the workspace.
pub fn of_file(path: &str) -> Option<Erasing> {
    FILES.iter().find(|(pattern, _)| fits(pattern, path)).map(|(_, erasing)| *erasing)
}

fn fits(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((front, back)) => {
            path.len() >= front.len() + back.len() && path.starts_with(front) && path.ends_with(back)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::sqlite::schema::MIGRATIONS;
    use crate::backend::sqlite::write::erase::NAME_COLUMNS;
    use crate::backend::sqlite::{Options, SqliteBackend};

    fn strings(connection: &rusqlite::Connection, sql: &str) -> Vec<String> {
        let mut statement = connection.prepare(sql).expect("sound SQL");
        let rows = statement.query_map([], |row| row.get(0)).expect("an answer");
        rows.collect::<rusqlite::Result<_>>().expect("strings")
    }

    #[test]
    fn every_table_says_how_it_is_erased() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("griot.db");
        drop(SqliteBackend::open(&path, Options::default()).expect("it opens"));
        let connection = rusqlite::Connection::open(&path).expect("it opens");
        let sql =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut declared: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
        declared.sort_unstable();
        assert_eq!(
            strings(&connection, sql),
            declared,
            "a table that does not say how it is erased, or one that is gone"
        );
    }

    /// A column of name numbers missing from this list could keep an erased name, or lose one in use.
    #[test]
    fn every_column_of_names_is_looked_at_before_one_is_removed() {
        let schema = MIGRATIONS.concat();
        let mut table = "";
        let mut found: Vec<(&str, &str)> = Vec::new();
        for line in schema.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let column = match words.as_slice() {
                ["CREATE", "TABLE", name, ..] => {
                    table = name;
                    continue;
                }
                ["ALTER", "TABLE", name, "ADD", "COLUMN", column, ..] => {
                    table = name;
                    column
                }
                [column, ..] => column,
                [] => continue,
            };
            let note = line.split("--").nth(1).unwrap_or_default().trim_start();
            if note.starts_with("name") && line.contains("INTEGER NOT NULL") {
                found.push((table, *column));
            }
        }
        let mut declared = NAME_COLUMNS.to_vec();
        // Their notes document it in other words.
        declared.retain(|column| {
            !matches!(column, ("edge", "label") | ("entity_type", "kind")) || found.contains(column)
        });
        declared.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, declared);
    }
}
