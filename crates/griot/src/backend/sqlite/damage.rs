//! Kinds of damage to rows and their repairs: one table for checking (`integrity`) and for repairing.
//!
//! Readers skip damaged rows (`rows`, `changes`), so that one of them never blocks writes to others. A repair
//! loses no text: `keep` receives each row that it removes or changes in its old state, before the commit.
//! The repair is one transaction whose change log entry touches everything, so that other processes read all
//! rows again.

use rusqlite::types::ValueRef;

use Remedy::{Make, Remove, Set};

use super::changes::Touched;
use super::keys;
use super::tables::{Tables, nodes_exist};
use crate::backend::{Cell, RemovedRow, Repaired};
use crate::model::{
    CATALOGUE, EntityType, Error, OfferKind, Provenance, ReadingOutcome, ReadingTask, Result, Timestamp,
};

/// The repair of a row.
#[derive(Clone, Copy)]
enum Remedy {
    /// Deletes the row.
    Remove,
    /// Sets these columns.
    Set(&'static str),
    /// Creates the missing row with a statement without parameters.
    Make(&'static str),
}

/// One kind of damage.
struct Damage {
    table: &'static str,
    /// A description, with `{}` for the number in `key`.
    sentence: &'static str,
    key: &'static str,
    /// Condition for damaged rows. `$KINDS`, `$PROVENANCES`, `$TYPES`, `$OFFERS`,
    /// `$TASKS` and `$OUTCOMES` are replaced by the
    /// values that this program knows.
    wrong: &'static str,
    remedy: Remedy,
}

/// Declares kinds of damage: table, key, sentence, condition and remedy.
macro_rules! damages {
    ($($table:ident.$key:ident: $sentence:literal where $wrong:expr => $remedy:expr;)+) => {
        &[$(Damage {
            table: stringify!($table),
            sentence: $sentence,
            key: stringify!($key),
            wrong: $wrong,
            remedy: $remedy,
        }),+]
    };
}

/// All known kinds of damage. The checks of edges and facts cover everything needed to read their columns
/// with the right types.
const DAMAGES: &[Damage] = damages! {
    place.number: "place {} belongs to a source that does not exist"
        where "source NOT IN (SELECT number FROM source)" => Make(
            "INSERT INTO source (number, kind, origin, created_at, updated_at)
             SELECT DISTINCT p.source, (SELECT number FROM name WHERE text = 'agent'), 'lost source ' ||
             p.source, 0, 0
             FROM place p WHERE p.source NOT IN (SELECT number FROM source) AND p.source BETWEEN 1
             AND 4294967295",
        );
    // Its source is missing as well and is created in the next round.
    memory.number: "memory m{} stands in a place that does not exist"
        where "place NOT IN (SELECT number FROM place)" => Make(
            "INSERT INTO place (number, source, session)
             SELECT DISTINCT m.place, (SELECT max(value, 1) FROM meta WHERE key = 'next source') + m.place, 0
             FROM memory m WHERE m.place NOT IN (SELECT number FROM place) AND m.place BETWEEN 1
             AND 1000000000",
        );
    memory.number: "the lines of memory m{} cannot be read"
        where "(first_line IS NULL) <> (last_line IS NULL)
            OR first_line IS NOT NULL AND (typeof(first_line) <> 'integer'
            OR first_line NOT BETWEEN 0 AND 4294967295 OR typeof(last_line) <> 'integer'
            OR last_line NOT BETWEEN 0 AND 4294967295)" => Set("first_line = NULL, last_line = NULL");
    // `Memory::LAST_ORDINAL`.
    memory.number: "memory m{} has no place within its session, or one beyond the last"
        where "typeof(ordinal) <> 'integer' OR ordinal NOT BETWEEN 0 AND 2000000000" => Set("ordinal = 0");
    memory_tag.memory: "a tag belongs to memory m{}, which does not exist"
        where "memory NOT IN (SELECT number FROM memory)" => Remove;
    vector.memory: "a vector belongs to memory m{}, which does not exist"
        where "memory NOT IN (SELECT number FROM memory)" => Remove;
    vector.memory: "the vector of memory m{} is not of the store's model and length"
        where "model IS NOT (SELECT value FROM meta WHERE key = 'model') OR typeof(data) <> 'blob'
            OR length(data) IS NOT (SELECT value FROM meta WHERE key = 'dimensions')" => Remove;
    next_vector.memory: "a vector in the making belongs to memory m{}, which does not exist"
        where "memory NOT IN (SELECT number FROM memory)" => Remove;
    next_vector.memory: "the vector in the making of memory m{} cannot be read"
        where "(data IS NULL) <> (scale IS NULL) OR typeof(data) NOT IN ('blob', 'null')
            OR typeof(scale) NOT IN ('real', 'null')" => Remove;
    alias.entity: "an alias belongs to entity {}, which does not exist"
        where "entity NOT IN (SELECT number FROM entity)" => Remove;
    // The number distinguishes the key from that of a concept.
    entity.number: "the type of entity {} cannot be read"
        where "kind NOT IN (SELECT number FROM name WHERE text IN ($TYPES))" => Set(
            "kind = (SELECT number FROM name WHERE text = 'concept'), key = coalesce(key, name, '') || ' ('
                || number || ')'",
        );
    entity.number: "entity {} has no key"
        where "typeof(key) <> 'text' OR key = ''" => Set("key = coalesce(name, '') || ' (' || number || ')'");
    edge.number: "edge e{} cannot be read"
        where "typeof(kind) <> 'integer' OR kind NOT BETWEEN 0 AND $KINDS
            OR typeof(provenance) <> 'integer' OR provenance NOT BETWEEN 0 AND $PROVENANCES
            OR typeof(weight) NOT IN ('real', 'integer') OR abs(weight) > 1e30
            OR typeof(confidence) NOT IN ('real', 'integer') OR abs(confidence) > 1e30
            OR typeof(source) <> 'integer' OR source NOT BETWEEN 0 AND 4294967295
            OR typeof(target) <> 'integer' OR target NOT BETWEEN 0 AND 4294967295
            OR typeof(label) <> 'integer' OR label <> 0 AND label NOT IN (SELECT number FROM name)
            OR typeof(created_at) <> 'integer' OR typeof(touched) <> 'integer'
            OR typeof(created_at + touched) <> 'integer'
            OR typeof(expires_at) NOT IN ('integer', 'null')
            OR number NOT BETWEEN 1 AND 4294967295" => Remove;
    edge.number: "edge e{} starts at a node that does not exist"
        where concat!("NOT (", nodes_exist!("edge.source"), ")") => Remove;
    edge.number: "edge e{} leads to a node that does not exist"
        where concat!("NOT (", nodes_exist!("edge.target"), ")") => Remove;
    evidence.edge: "evidence belongs to edge e{}, which does not exist"
        where "edge NOT IN (SELECT number FROM edge)" => Remove;
    evidence.edge: "an evidence of edge e{} cannot be read"
        where "typeof(memory) NOT IN ('integer', 'blob', 'null')
            OR typeof(memory) = 'blob' AND length(memory) <> 16
            OR typeof(quote) NOT IN ('text', 'null') OR typeof(reason) NOT IN ('text', 'null')
            OR typeof(at) <> 'integer'" => Remove;
    evidence.edge: "the evidence of edge e{} names a memory that does not exist"
        where "typeof(memory) = 'integer' AND memory NOT IN (SELECT number FROM memory)" => Remove;
    // Kind 2 is `mentions`: without evidence rows, its own memory is the evidence.
    edge.number: "edge e{} has no evidence"
        where "kind <> 2 AND number NOT IN (SELECT edge FROM evidence)" => Remove;
    edge.number: "edge e{} is live, although what it joins or rests on was forgotten"
        where "live AND (
            (source & 1 = 0 AND source >> 1 IN (SELECT number FROM memory WHERE deleted_at IS NOT NULL))
            OR (target & 1 = 0 AND target >> 1 IN (SELECT number FROM memory WHERE deleted_at IS NOT NULL))
            OR (source & 1 = 1 AND source >> 1 IN (SELECT number FROM entity WHERE deleted_at IS NOT NULL))
            OR (target & 1 = 1 AND target >> 1 IN (SELECT number FROM entity WHERE deleted_at IS NOT NULL))
            OR number IN (SELECT v.edge FROM evidence v LEFT JOIN memory m ON m.number = CASE typeof(v.memory)
                WHEN 'blob' THEN (SELECT number FROM memory WHERE id = v.memory) ELSE v.memory END
                GROUP BY v.edge HAVING sum(m.deleted_at IS NULL) = 0))" => Set("live = 0");
    entity.number: "entity {} is live, although nothing live names it"
        where "live AND (deleted_at IS NOT NULL OR (
            NOT EXISTS (SELECT 1 FROM edge WHERE target = entity.number * 2 + 1 AND live)
            AND NOT EXISTS (SELECT 1 FROM edge WHERE source = entity.number * 2 + 1 AND live)
            AND NOT EXISTS (SELECT 1 FROM fact WHERE subject = entity.number * 2 + 1
            OR object = entity.number * 2 + 1)))" => Set("live = 0");
    fact.number: "fact f{} is about a node that does not exist"
        where concat!("typeof(subject) <> 'integer' OR NOT (", nodes_exist!("fact.subject"), ")") => Remove;
    fact.number: "fact f{} has an object that does not exist"
        where concat!(
            "object IS NULL AND typeof(literal) <> 'text' OR object IS NOT NULL AND NOT (",
            nodes_exist!("fact.object"),
            ")"
        ) => Remove;
    fact.number: "fact f{} cannot be read"
        where "predicate NOT IN (SELECT number FROM name) OR typeof(confidence) NOT IN ('real', 'integer')
            OR abs(confidence) > 1e30 OR typeof(recorded_at) <> 'integer' OR user <> 0
            AND user NOT IN (SELECT number FROM name)
            OR project <> 0 AND project NOT IN (SELECT number FROM name)" => Remove;
    fact_evidence.fact: "evidence belongs to fact f{}, which does not exist"
        where "fact NOT IN (SELECT number FROM fact)" => Remove;
    fact_evidence.fact: "an evidence of fact f{} cannot be read"
        where "typeof(memory) NOT IN ('integer', 'blob', 'null')
            OR typeof(memory) = 'blob' AND length(memory) <> 16
            OR typeof(memory) = 'integer' AND memory NOT IN (SELECT number FROM memory)
            OR typeof(at) <> 'integer'" => Remove;
    offer.number: "offer o{} names a memory that does not exist"
        where "newer NOT IN (SELECT number FROM memory) OR other NOT IN (SELECT number FROM memory)"
        => Remove;
    offer.number: "offer o{} cannot be read"
        where "typeof(kind) <> 'integer' OR kind NOT BETWEEN 0 AND $OFFERS
            OR typeof(probability) <> 'integer' OR probability NOT BETWEEN 0 AND 1065353216
            OR typeof(made_at) <> 'integer' OR typeof(refused_at) NOT IN ('integer', 'null')
            OR number NOT BETWEEN 1 AND 4294967295" => Remove;
    reading.memory: "what a model said belongs to memory m{}, which does not exist, or to one that led to it"
        where "memory NOT IN (SELECT number FROM memory) OR by NOT IN (SELECT number FROM memory)"
        => Remove;
    reading.memory: "what a model said about memory m{} cannot be read"
        where "typeof(task) <> 'integer' OR task NOT BETWEEN 0 AND $TASKS
            OR typeof(outcome) <> 'integer' OR outcome NOT BETWEEN 0 AND $OUTCOMES
            OR typeof(version) <> 'integer' OR version NOT BETWEEN 0 AND 4294967295
            OR typeof(at) <> 'integer' OR typeof(undone_at) NOT IN ('integer', 'null')
            OR typeof(said) NOT IN ('blob', 'null')" => Remove;
};

/// Counters of used numbers, by table.
const COUNTERS: &[(&str, &str)] = &[
    ("memory", "a memory"),
    ("entity", "an entity"),
    ("source", "a source"),
    ("edge", "an edge"),
    ("fact", "a fact"),
    ("offer", "an offer"),
];

/// Rounds after which a repair gives up: each may uncover damage for the next (a missing session, then its
/// source).
const ROUNDS: usize = 4;

impl Damage {
    fn wrong(&self) -> String {
        let types: Vec<String> = EntityType::ALL.iter().map(|kind| format!("'{}'", kind.name())).collect();
        self.wrong
            .replace("$KINDS", &(CATALOGUE.len() - 1).to_string())
            .replace("$TASKS", &(ReadingTask::ALL.len() - 1).to_string())
            .replace("$OUTCOMES", &(ReadingOutcome::ALL.len() - 1).to_string())
            .replace("$OFFERS", &(OfferKind::ALL.len() - 1).to_string())
            .replace("$PROVENANCES", &(Provenance::ALL.len() - 1).to_string())
            .replace("$TYPES", &types.join(", "))
    }

    /// A sentence for each damaged row.
    fn found(&self, tables: &Tables) -> rusqlite::Result<Vec<String>> {
        let sql = format!("SELECT CAST({} AS TEXT) FROM {} WHERE {}", self.key, self.table, self.wrong());
        let numbers: Vec<String> = tables.all(&sql, [])?;
        Ok(numbers.into_iter().map(|number| self.sentence.replace("{}", &number)).collect())
    }

    /// Returns how many rows it changed, and adds those that it removes or changes to `kept`.
    fn repair(&self, tables: &Tables, kept: &mut Vec<RemovedRow>) -> rusqlite::Result<usize> {
        let rows = format!("{} WHERE {}", self.table, self.wrong());
        let statement = match self.remedy {
            Make(statement) => return tables.execute(statement, []),
            Remove => format!("DELETE FROM {rows}"),
            Set(columns) => format!("UPDATE {} SET {columns} WHERE {}", self.table, self.wrong()),
        };
        // A foreign key deletes evidence together with its edge or fact.
        let evidence = match self.table {
            "edge" => Some("evidence WHERE edge"),
            "fact" => Some("fact_evidence WHERE fact"),
            _ => None,
        };
        if let Some(evidence) = evidence {
            let rows = format!("{evidence} IN (SELECT number FROM {rows})");
            kept.extend(read_rows(tables, "evidence", &rows, self.sentence)?);
        }
        kept.extend(read_rows(tables, self.table, &rows, self.sentence)?);
        if self.table == "reading" {
            // The memories are unread again.
            let memories: Vec<u32> = tables.all(&format!("SELECT memory FROM {rows} AND memory > 0"), [])?;
            memories.into_iter().try_for_each(|memory| tables.note_unread(memory))?;
        }
        tables.execute(&statement, [])
    }
}

/// Reports all damaged rows in sentences, one kind at a time.
pub(super) fn find(tables: &Tables, class: &mut dyn FnMut(Vec<String>)) -> rusqlite::Result<()> {
    for damage in DAMAGES {
        class(damage.found(tables)?);
    }
    for (table, name) in COUNTERS {
        let wrong = format!("SELECT number FROM {table} WHERE number >= {}", counter(table));
        class(tables.all(&wrong, [])?.into_iter().map(|number| not_handed_out(number, name)).collect());
    }
    class(broken_revisions(tables)?.into_iter().map(broken_revision).collect());
    Ok(())
}

fn not_handed_out(number: i64, name: &str) -> String {
    format!("number {number} is in use but was not handed out to {name}")
}

fn broken_revision(revision: i64) -> String {
    format!("the change log cannot be read at revision {revision}")
}

fn counter(table: &str) -> String {
    format!("coalesce((SELECT value FROM meta WHERE key = 'next {table}'), 0)")
}

/// Revisions that are missing from the log or unreadable.
fn broken_revisions(tables: &Tables) -> rusqlite::Result<Vec<i64>> {
    let mut statement = tables.cached("SELECT revision, touched FROM change ORDER BY revision")?;
    let mut rows = statement.query([])?;
    let mut broken = Vec::new();
    let mut next = 1;
    while let Some(row) = rows.next()? {
        let revision: i64 = row.get(0)?;
        broken.extend((next..revision).take(1000));
        let is_read =
            row.get_ref(1)?.as_blob().is_ok_and(|bytes| Touched::default().add_bytes(bytes).is_some());
        if !is_read {
            broken.push(revision);
        }
        next = revision + 1;
    }
    Ok(broken)
}

/// Repairs what can be repaired without losing text, in the caller's transaction. `keep` receives the rows in
/// their old state.
pub(super) fn repair(
    tables: &Tables,
    now: Timestamp,
    keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>,
) -> Result<Repaired> {
    let mut changed: Vec<RemovedRow> = Vec::new();
    let mut healed = tables.run("repair", || repair_rows(tables, &mut changed))?;
    let broken = tables.run("repair", || broken_revisions(tables))?;
    if healed.is_empty() && broken.is_empty() {
        return Ok(Repaired::default());
    }
    // Before the commit: a row saved twice does no harm, a lost row does.
    keep(&changed)?;
    tables.run("repair", || {
        let everything = everything(tables)?;
        let next = tables.revision()?.0 as i64 + 1;
        for revision in broken.iter().copied().chain([next]) {
            let sql = "INSERT INTO change (revision, at, touched) VALUES (?1, ?2, ?3)
                ON CONFLICT (revision) DO UPDATE SET touched = ?3";
            tables.execute(sql, (revision, now.0, &everything))?;
        }
        Ok(())
    })?;
    healed.extend(broken.into_iter().map(broken_revision));
    Ok(Repaired { healed, kept: changed.len() })
}

/// Repairs everything but the change log; returns the repaired defects in sentences.
fn repair_rows(tables: &Tables, changed: &mut Vec<RemovedRow>) -> rusqlite::Result<Vec<String>> {
    let mut healed = Vec::new();
    // Repairs set columns to these names.
    tables.execute("INSERT OR IGNORE INTO name (text) VALUES ('concept'), ('agent')", [])?;
    for _ in 0..ROUNDS {
        let mut count = 0;
        for damage in DAMAGES {
            let found = damage.found(tables)?;
            if !found.is_empty() {
                count += damage.repair(tables, changed)?;
                healed.extend(found);
            }
        }
        if count == 0 {
            break;
        }
    }
    for (entity, id) in keys::wrong_ids(tables)? {
        keys::set_id(tables, entity, &id)?;
        healed.push(keys::wrong_id(entity, &id));
    }
    for (table, name) in COUNTERS {
        let wrong = format!("SELECT max(number) FROM {table} WHERE number >= {}", counter(table));
        if let Some(Some(highest)) = tables.one::<Option<i64>>(&wrong, [])? {
            let sql = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE
                SET value = ?2";
            tables.execute(sql, (format!("next {table}"), highest + 1))?;
            healed.push(not_handed_out(highest, name));
        }
    }
    Ok(healed)
}

/// The blob of a revision that touched every possible row.
fn everything(tables: &Tables) -> rusqlite::Result<Vec<u8>> {
    let all = |table: &str| -> rusqlite::Result<_> {
        let numbers: Vec<i64> = tables.all(&format!("SELECT number FROM {table} WHERE number > 0"), [])?;
        Ok(numbers.into_iter().filter_map(|number| u32::try_from(number).ok()).collect())
    };
    let (memories, entities, edges) = (all("memory")?, all("entity")?, all("edge")?);
    Ok(Touched { memories, entities, edges, ..Touched::default() }.to_bytes())
}

/// Reads rows without checking their values.
fn read_rows(tables: &Tables, table: &str, rows: &str, sentence: &str) -> rusqlite::Result<Vec<RemovedRow>> {
    let mut statement = tables.connection.prepare(&format!("SELECT * FROM {rows}"))?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query([])?;
    let mut read = Vec::new();
    while let Some(row) = found.next()? {
        let cell = |at: usize| -> rusqlite::Result<Cell> {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(number) => Cell::Integer(number),
                ValueRef::Real(number) => Cell::Real(number),
                ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                    Ok(text) => Cell::Text(text.to_owned()),
                    Err(_) => Cell::Bytes(bytes.to_vec()),
                },
                ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
            })
        };
        let columns = names
            .iter()
            .enumerate()
            .map(|(at, name)| Ok((name.clone(), cell(at)?)))
            .collect::<rusqlite::Result<_>>()?;
        read.push(RemovedRow { table: table.to_owned(), why: sentence.replace(" {}", ""), columns });
    }
    Ok(read)
}

/// The error for a damaged file: its rows cannot be trusted, so nothing is repaired.
pub(super) fn refuse_damaged_file(tables: &Tables) -> Result<()> {
    let findings = tables.run("check", || tables.all::<String>("PRAGMA integrity_check(1)", []))?;
    match findings.first() {
        Some(finding) if finding != "ok" => {
            let what = format!("repair {}", tables.path().display());
            Err(Error::corrupt(what, format!("the file itself is damaged ({finding})"))
                .hint("restore a backup; `griot export` writes what can still be read"))
        }
        _ => Ok(()),
    }
}
