//! Removes rows for good, together with what refers to them.
//!
//! Leftovers of removed rows are handled once all steps of a ChangeSet are done ([`Writer::sweep`]): empty
//! sessions, unused names, speakers that are gone. Numbers are never reused: if the highest of a table is
//! removed, `meta` keeps it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rusqlite::Row;

use super::Writer;
use super::liveness::{EDGES_BY_EVIDENCE, FACTS_BY_EVIDENCE};
use crate::backend::Traces;
use crate::backend::sqlite::tables::Tables;
use crate::model::{Erasable, Merge, Node, Result, SourceId};

/// References from erased rows.
#[derive(Default)]
pub(super) struct Leftovers {
    places: BTreeSet<u32>,
    pub(super) names: BTreeSet<u32>,
    /// Erased entities, by `Node::raw`.
    entities: BTreeSet<u32>,
    /// Erased sources; they are removed after their sessions.
    sources: BTreeSet<u32>,
}

/// Columns that contain numbers of the table `name`. `schema_is_covered` in the registry's tests checks that
/// the list is complete.
pub(in crate::backend::sqlite) const NAME_COLUMNS: &[(&str, &str)] = &[
    ("source", "kind"),
    ("place", "session"),
    ("memory", "kind"),
    ("memory", "user"),
    ("memory", "project"),
    ("memory", "agent"),
    ("memory", "speaker"),
    ("memory", "title"),
    ("memory_tag", "tag"),
    ("vector", "model"),
    ("next_vector", "model"),
    ("entity", "kind"),
    ("edge", "label"),
    ("fact", "predicate"),
    ("fact", "user"),
    ("fact", "project"),
    ("entity_type", "kind"),
];

/// Those with an index, and the index's condition.
const INDEXED: &[(&str, &str, &str)] =
    &[("memory_tag", "tag", "true"), ("memory", "title", "title > 0"), ("edge", "label", "label > 2")];

impl Writer<'_, '_> {
    pub(super) fn erase(&mut self, what: Erasable) -> Result<()> {
        let tables = self.tables;
        let removed = tables.run("erase from", || match what {
            Erasable::Node(node) if node.is_memory() => self.erase_memory(node.number()),
            Erasable::Node(node) => self.erase_entity(node),
            Erasable::Source(SourceId(number)) => {
                self.note_names("SELECT kind FROM source WHERE number = ?1", number)?;
                self.leftovers.sources.insert(number);
                Ok(tables.one::<u32>("SELECT 1 FROM source WHERE number = ?1", [number])?.map_or(0, |_| 1))
            }
            Erasable::Fact(number) => {
                for column in ["predicate", "user", "project"] {
                    self.note_names(&format!("SELECT {column} FROM fact WHERE number = ?1"), number)?;
                }
                self.unsettled.entities.extend(tables.ends_of_fact(number)?);
                tables.execute("DELETE FROM fact WHERE number = ?1", [number])
            }
            Erasable::Merge(number) => {
                tables.keep_number("last merge", number)?;
                tables.execute("DELETE FROM merge WHERE number = ?1", [number])
            }
            Erasable::Suggestion(number) => {
                tables.execute("DELETE FROM merge_suggestion WHERE number = ?1", [number])
            }
        })?;
        self.expect_one(removed, || format!("{what:?}"))
    }

    pub(super) fn rewrite_merge(&mut self, merge: &Merge) -> Result<()> {
        let undo = crate::backend::sqlite::merges::undo_to_bytes(merge);
        let sql = "UPDATE merge SET reason = ?2, undo = ?3 WHERE number = ?1";
        let changed = self
            .tables
            .run("erase from", || self.tables.execute(sql, (merge.number, &merge.reason, undo)))?;
        self.expect_one(changed, || merge.id())
    }

    fn erase_memory(&mut self, number: u32) -> rusqlite::Result<usize> {
        let tables = self.tables;
        let places: Vec<u32> = tables.all("SELECT place FROM memory WHERE number = ?1", [number])?;
        self.leftovers.places.extend(places);
        for column in ["kind", "user", "project", "agent", "speaker", "title"] {
            self.note_names(&format!("SELECT {column} FROM memory WHERE number = ?1"), number)?;
        }
        self.note_names("SELECT tag FROM memory_tag WHERE memory = ?1", number)?;
        self.note_names("SELECT model FROM vector WHERE memory = ?1", number)?;
        self.note_names("SELECT model FROM next_vector WHERE memory = ?1", number)?;
        tables.execute("DELETE FROM memory_tag WHERE memory = ?1", [number])?;
        tables.execute("DELETE FROM vector WHERE memory = ?1", [number])?;
        tables.execute("DELETE FROM next_vector WHERE memory = ?1", [number])?;
        tables.execute("DELETE FROM offer WHERE newer = ?1 OR other = ?1", [number])?;
        tables.execute("DELETE FROM reading WHERE memory = ?1 OR by = ?1", [number])?;
        let removed = tables.execute("DELETE FROM memory WHERE number = ?1", [number])?;
        self.applied.documents.remove(&number);
        self.changed.remove(&number);
        self.applied.erased.insert(number);
        Ok(removed)
    }

    fn erase_entity(&mut self, node: Node) -> rusqlite::Result<usize> {
        let (tables, number) = (self.tables, node.number());
        self.leftovers.entities.insert(node.raw());
        self.note_names("SELECT kind FROM entity WHERE number = ?1", number)?;
        self.note_names("SELECT kind FROM entity_type WHERE entity = ?1", number)?;
        tables.execute("DELETE FROM entity_type WHERE entity = ?1", [number])?;
        tables.execute("DELETE FROM alias WHERE entity = ?1", [number])?;
        self.applied.entities.insert(number, false);
        self.applied.names.insert(number, None);
        tables.execute("DELETE FROM entity WHERE number = ?1", [number])
    }

    /// Records the names used by a row; `sql` selects their numbers.
    pub(super) fn note_names(&mut self, sql: &str, number: u32) -> rusqlite::Result<()> {
        self.leftovers.names.extend(self.tables.all::<u32>(sql, [number])?);
        Ok(())
    }

    /// Removes what only erased rows used.
    pub(super) fn sweep(&mut self) -> rusqlite::Result<()> {
        let Leftovers { places, mut names, entities, sources } = std::mem::take(&mut self.leftovers);
        let tables = self.tables;
        for place in places {
            let used: Option<u32> = tables.one("SELECT 1 FROM memory WHERE place = ?1 LIMIT 1", [place])?;
            if used.is_none() {
                names.extend(tables.all::<u32>("SELECT session FROM place WHERE number = ?1", [place])?);
                tables.keep_number("last place", place)?;
                tables.execute("DELETE FROM place WHERE number = ?1", [place])?;
                self.places.retain(|_, known| *known != place);
            }
        }
        for source in sources {
            tables.execute("DELETE FROM source WHERE number = ?1", [source])?;
        }
        if !entities.is_empty() {
            let sql = "SELECT number, speaker_entity FROM memory WHERE speaker_entity <> 0";
            let speakers = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?));
            for (number, speaker) in tables.map(sql, [], speakers)? {
                if entities.contains(&speaker) {
                    tables.execute("UPDATE memory SET speaker_entity = 0 WHERE number = ?1", [number])?;
                    self.changed.insert(number);
                }
            }
        }
        if !self.applied.erased.is_empty() || !entities.is_empty() {
            // A message may quote erased text.
            tables.execute("UPDATE rollout_incident SET message = '' WHERE message <> ''", [])?;
        }
        tables.remove_unused_names(names)
    }
}

impl Tables {
    /// Records a number that must not be reused.
    fn keep_number(&self, key: &str, number: u32) -> rusqlite::Result<()> {
        let sql = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE
            SET value = max(value, ?2)";
        self.execute(sql, (key, number)).map(drop)
    }

    /// Removes those of these names that no row uses.
    fn remove_unused_names(&self, mut names: BTreeSet<u32>) -> rusqlite::Result<()> {
        // Skip "none", the two labels known to the index, and the embedder, which every vector names.
        names.retain(|name| *name > 2);
        let model: Option<u32> = self.one("SELECT value FROM meta WHERE key = 'model'", [])?;
        names.retain(|name| Some(*name) != model);
        for (table, column, condition) in INDEXED {
            let sql = format!("SELECT 1 FROM {table} WHERE {column} = ?1 AND {condition} LIMIT 1");
            let mut unused = BTreeSet::new();
            for name in names {
                if self.one::<u32>(&sql, [name])?.is_none() {
                    unused.insert(name);
                }
            }
            names = unused;
        }
        let mut columns: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        // Vectors name only the embedder, which stays.
        let is_searched = |table: &str, column: &str| {
            table == "vector" || INDEXED.iter().any(|indexed| (indexed.0, indexed.1) == (table, column))
        };
        for (table, column) in NAME_COLUMNS.iter().filter(|(table, column)| !is_searched(table, column)) {
            columns.entry(table).or_default().push(column);
        }
        // Most names are quickly found in use; for an unused one, each table is read once.
        for (table, columns) in columns {
            let mut statement = self.cached(&format!("SELECT {} FROM {table}", columns.join(", ")))?;
            let mut rows = statement.query([])?;
            while !names.is_empty()
                && let Some(row) = rows.next()?
            {
                for at in 0..columns.len() {
                    names.remove(&row.get::<_, u32>(at)?);
                }
            }
        }
        if let Some(&highest) = names.last() {
            self.keep_number("last name", highest)?;
        }
        for name in names {
            self.execute("DELETE FROM name WHERE number = ?1", [name])?;
        }
        self.names.borrow_mut().forget();
        Ok(())
    }

    pub fn traces_of(&self, memories: &[Node]) -> rusqlite::Result<Traces> {
        let numbers: HashSet<u32> =
            memories.iter().filter(|node| node.is_memory()).map(|node| node.number()).collect();
        let mut traces = Traces::default();
        let (mut edges, mut facts, mut sources) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut texts: BTreeSet<String> = BTreeSet::new();
        for &number in &numbers {
            let Some(id) = self.memory_id(number)? else { continue };
            let id = id.0.into_bytes();
            edges.extend(self.evidenced(EDGES_BY_EVIDENCE, number)?);
            // A mention without evidence rows has its own memory as evidence.
            let own = "SELECT number FROM edge WHERE source = ?1 AND kind = 2
                AND number NOT IN (SELECT edge FROM evidence WHERE edge = number)";
            edges.extend(self.all::<u32>(own, [Node::memory(number).raw()])?);
            facts.extend(self.evidenced(FACTS_BY_EVIDENCE, number)?);
            traces.replaced.extend(
                self.all::<u32>("SELECT number FROM memory WHERE superseded_by = ?1", [id])?
                    .into_iter()
                    .map(Node::memory),
            );
            sources.extend(self.all::<u32>(
                "SELECT p.source FROM memory m JOIN place p ON p.number = m.place WHERE m.number = ?1",
                [number],
            )?);
            texts.extend(self.all::<String>("SELECT text FROM memory WHERE number = ?1", [number])?);
        }
        traces.replaced.retain(|node| !numbers.contains(&node.number()));
        traces.replaced.sort();
        traces.replaced.dedup();
        traces.edges = edges.into_iter().collect();
        traces.facts = facts.into_iter().collect();
        for source in sources {
            let mut statement = self.cached(
                "SELECT m.number FROM memory m JOIN place p ON p.number = m.place WHERE p.source = ?1",
            )?;
            let mut rows = statement.query([source])?;
            let mut holds_another = false;
            while let Some(row) = rows.next()? {
                if !numbers.contains(&row.get(0)?) {
                    holds_another = true;
                    break;
                }
            }
            if !holds_another {
                traces.emptied.push(SourceId(source));
            }
        }
        for text in texts {
            // An index finds texts by their length.
            let same = "SELECT number FROM memory WHERE octet_length(text) = octet_length(?1) AND text = ?1";
            let holders = self.all::<u32>(same, [text])?;
            traces.same_texts += holders.iter().filter(|number| !numbers.contains(number)).count() as u64;
        }
        Ok(traces)
    }
}
