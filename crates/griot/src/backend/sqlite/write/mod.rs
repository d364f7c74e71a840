//! Writes one ChangeSet as rows: its steps in order, inside the transaction that the caller began and
//! commits.
//!
//! [`Applied`] records what the index needs after the commit, borrowed from the ChangeSet where that is
//! complete, so that a commit reads back only its changes to older memories. Nothing here touches the index:
//! a failed commit has no effect on it.

pub(super) mod edges;
pub(super) mod erase;
pub(super) mod liveness;
mod merges;
mod staged;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::params;

use super::changes::Touched;
use super::codec::{pairs_to_bytes, strings_to_bytes};
use super::tables::Tables;
use crate::backend::{Committed, NextNumbers};
use crate::model::{
    Change, ChangeSet, Deletable, Document, Entity, Error, Link, Memory, MemoryId, Node, Offer, Reading,
    Result, Revision, Source, SourceId, StoredVector, Timestamp, Update,
};
use crate::text::normal_name;

use erase::Leftovers;
use liveness::Unsettled;

/// The effects of a ChangeSet that the index and the change log need.
#[derive(Default)]
pub(super) struct Applied<'a> {
    /// New memories, and older ones that changed, re-read from their rows.
    pub(super) documents: BTreeMap<u32, Document<'a>>,
    /// Entity number and whether the entity is hidden: forgotten, or not live.
    pub(super) entities: BTreeMap<u32, bool>,
    /// Names of entities that were written; `None` for those that were erased.
    pub(super) names: BTreeMap<u32, Option<&'a str>>,
    pub(super) links: BTreeMap<u32, Link>,
    pub(super) removed_edges: BTreeSet<u32>,
    /// Stored edges that are not live; the index does not contain them.
    pub(super) hidden_edges: BTreeSet<u32>,
    /// Memories that were removed for good.
    pub(super) erased: BTreeSet<u32>,
    /// Memories whose vector was dropped because the embedder changed.
    forgotten: BTreeSet<u32>,
    /// The new embedder.
    pub new_model: Option<(String, usize)>,
}

impl Applied<'_> {
    fn touched(&self) -> Touched {
        Touched {
            memories: self.documents.keys().chain(&self.forgotten).chain(&self.erased).copied().collect(),
            entities: self.entities.keys().copied().collect(),
            edges: self.links.keys().chain(&self.hidden_edges).copied().collect(),
            removed_edges: self.removed_edges.clone(),
        }
    }

    /// What the index needs, in the order in which it applies it.
    pub fn committed(&self, revision: Revision) -> Committed<'_> {
        let erased = (!self.erased.is_empty()).then_some(Update::Erase(&self.erased));
        let entities = self.entities.iter().map(|(&entity, &hidden)| Update::Entity { entity, hidden });
        let names = self.names.iter().map(|(&entity, &name)| Update::Name { entity, name });
        let removed = self.removed_edges.iter().chain(&self.hidden_edges).copied();
        let documents = self.documents.values().map(Update::Document);
        let updates = erased.into_iter().chain(documents).chain(entities).chain(names);
        let links = removed.map(Update::Unlink).chain(self.links.values().copied().map(Update::Link));
        Committed { revision, model: self.new_model.clone(), updates: updates.chain(links).collect() }
    }
}

/// Applies the steps, writes the row of the change log, and returns the effects.
pub(super) fn apply<'a>(tables: &Tables, set: &'a ChangeSet, revision: Revision) -> Result<Applied<'a>> {
    let before = tables.run("read", || tables.next_numbers())?;
    let model = tables.run("read", || tables.model())?;
    let mut writer = Writer::new(tables, before, model);
    writer.erases = set.changes.iter().any(|change| matches!(change, Change::Erase(_)));
    for change in &set.changes {
        writer.step(change)?;
    }
    writer.check_ends()?;
    if writer.erases {
        tables.run("erase from", || writer.sweep())?;
    }
    writer.check_keys()?;
    tables.run("write to", || {
        writer.resolve_speakers()?;
        writer.settle()?;
        writer.read_changed()?;
        tables.set_next_numbers(&before, &writer.next)?;
        let touched = writer.applied.touched().to_bytes();
        tables.execute(
            "INSERT INTO change (revision, at, touched) VALUES (?1, ?2, ?3)",
            (revision.0 as i64, set.at.0, touched),
        )?;
        Ok(())
    })?;
    Ok(writer.applied)
}

/// The state while applying a ChangeSet. Caches results of earlier steps for later ones.
struct Writer<'a, 't> {
    tables: &'t Tables,
    next: NextNumbers,
    applied: Applied<'a>,
    unsettled: Unsettled,
    /// New memories whose speaker is resolved to an entity after all steps.
    speakers: Vec<(u32, &'a str)>,
    /// Older memories that changed.
    changed: BTreeSet<u32>,
    /// The memories that this set adds.
    numbers: HashMap<MemoryId, u32>,
    ids: HashMap<u32, MemoryId>,
    places: HashMap<(u32, u32), u32>,
    /// Title of a source and its number as a name.
    titles: HashMap<SourceId, (String, u32)>,
    /// The current embedder, from the store or from this set.
    model: Option<(String, usize)>,
    /// Entities whose key another one took and that have no new key yet, so that two entities can swap keys.
    parked: BTreeSet<u32>,
    /// The highest memory and entity in edges, facts and offers.
    highest_memory: u32,
    highest_entity: u32,
    /// Cleanup that erasures leave until all steps are done.
    leftovers: Leftovers,
    /// Whether a step removes a row for good.
    erases: bool,
}

impl<'a, 't> Writer<'a, 't> {
    fn new(tables: &'t Tables, next: NextNumbers, model: Option<(String, usize)>) -> Self {
        Self {
            tables,
            next,
            applied: Applied::default(),
            unsettled: Unsettled::default(),
            speakers: Vec::new(),
            changed: BTreeSet::new(),
            numbers: HashMap::new(),
            ids: HashMap::new(),
            places: HashMap::new(),
            titles: HashMap::new(),
            model,
            parked: BTreeSet::new(),
            highest_memory: 0,
            highest_entity: 0,
            leftovers: Leftovers::default(),
            erases: false,
        }
    }

    fn step(&mut self, change: &'a Change) -> Result<()> {
        let tables = self.tables;
        match change {
            Change::PutSource(source) => self.put_source(source),
            Change::AddMemory { memory, vector } => self.add_memory(memory, vector.as_ref()),
            Change::MoveMemory { memory, ordinal, lines } => {
                let (first, last) = (lines.map(|lines| lines.first), lines.map(|lines| lines.last));
                let sql = "UPDATE memory SET ordinal = ?2, first_line = ?3, last_line = ?4 WHERE number = ?1";
                self.change_memory(*memory, |number| tables.execute(sql, (number, ordinal, first, last)))
            }
            Change::AddTags { memory, tags } => self.change_memory(*memory, |number| {
                let last = "SELECT max(position) FROM memory_tag WHERE memory = ?1";
                let last: Option<Option<i64>> = tables.one(last, [number])?;
                let mut position = last.flatten().map_or(0, |last| last + 1);
                for tag in tags {
                    let sql = "INSERT INTO memory_tag (memory, position, tag) SELECT ?1, ?2, ?3 WHERE NOT \
                        EXISTS (SELECT 1 FROM memory_tag WHERE memory = ?1 AND tag = ?3)";
                    let added = tables.execute(sql, (number, position, tables.intern(Some(tag))?))?;
                    position += added as i64;
                }
                Ok(1)
            }),
            Change::SetVector { memory, vector } => {
                self.expect_model(&vector.model, vector.values.len())?;
                self.change_memory(*memory, |number| tables.put_vector(number, vector))
            }
            Change::StageVectors { model, vectors } => self.stage_vectors(model, vectors),
            Change::TakeStaged { model } => self.take_staged(model),
            Change::SetDeleted { target: Deletable::Node(node), at } if node.is_memory() => {
                self.unsettled.nodes.insert(*node);
                if at.is_none() {
                    tables.run("write to", || tables.note_unread(node.number()))?;
                }
                let sql = "UPDATE memory SET deleted_at = ?2 WHERE number = ?1";
                self.change_memory(*node, |number| tables.execute(sql, (number, at.map(|at| at.0))))
            }
            Change::SetDeleted { target: Deletable::Node(entity), at } => self.hide_entity(*entity, *at),
            Change::SetDeleted { target: Deletable::Source(source), at } => {
                let sql = "UPDATE source SET deleted_at = ?2 WHERE number = ?1";
                let changed =
                    tables.run("write to", || tables.execute(sql, (source.0, at.map(|at| at.0))))?;
                self.expect_one(changed, || format!("source {source}"))
            }
            Change::SetSuperseded { memory, by } => self.change_memory(*memory, |number| {
                let sql = "UPDATE memory SET superseded_by = ?2 WHERE number = ?1";
                tables.execute(sql, (number, by.map(|id| id.0.into_bytes())))
            }),
            Change::SetTier { memory, tier, expires_at } => self.change_memory(*memory, |number| {
                let sql = "UPDATE memory SET tier = ?2, expires_at = ?3 WHERE number = ?1";
                tables.execute(sql, (number, *tier as u8, expires_at.map(|at| at.0)))
            }),
            Change::Touch { memory, at, count } => {
                // Not indexed, so the change log need not include it.
                let sql = "UPDATE memory SET access_count = access_count + ?2, last_accessed_at = ?3
                    WHERE number = ?1";
                let changed =
                    tables.run("write to", || tables.execute(sql, (memory.number(), count, at.0)))?;
                self.expect_one(changed, || format!("memory {memory:?}"))
            }
            Change::PutEntity(entity) => self.put_entity(entity),
            Change::PutEdge(edge) => tables.run("write an edge to", || self.put_edge(edge)),
            Change::RemoveEdge { source, target, kind, label } => {
                tables.run("remove an edge from", || self.remove_edge(*source, *target, *kind, label))
            }
            Change::PutFact(fact) => self.put_fact(fact),
            Change::SetEdge(edge) => self.set_edge(edge),
            Change::SetSpeaker { memory, entity } => self.set_speaker(*memory, *entity),
            Change::CountType { entity, kind, given, times } => {
                tables.run("write to", || tables.count_type(*entity, *kind, *given, *times))
            }
            Change::PutMerge(merge) => tables.run("log a merge in", || tables.put_merge(merge)),
            Change::Erase(what) => self.erase(*what),
            Change::RewriteMerge(merge) => self.rewrite_merge(merge),
            Change::PutWarning(warning) => tables.run("write to", || tables.put_warning(warning)),
            Change::RemoveWarning(id) => tables.run("write to", || tables.remove_warning(*id)),
            Change::PutOffer(offer) => self.put_offer(offer),
            Change::PutReading(reading) => self.put_reading(reading),
            Change::PutSuggestion(suggestion) => tables.run("write to", || tables.put_suggestion(suggestion)),
        }
    }

    fn put_offer(&mut self, offer: &Offer) -> Result<()> {
        take_number(&mut self.next.offer, offer.number)
            .ok_or_else(|| self.skipped_number(format!("offer {}", offer.id())))?;
        self.note_node(offer.newer);
        self.note_node(offer.other);
        self.tables.run("write an offer to", || self.tables.put_offer(offer))
    }

    fn put_reading(&mut self, reading: &Reading) -> Result<()> {
        self.note_node(reading.memory);
        self.note_node(reading.by);
        self.tables.run("write what a model said to", || self.tables.put_reading(reading))
    }

    fn put_source(&mut self, source: &Source) -> Result<()> {
        let tables = self.tables;
        self.titles.remove(&source.id);
        let is_new = take_number(&mut self.next.source, source.id.0)
            .ok_or_else(|| self.skipped_number(format!("source {}", source.id)))?;
        tables.run("write a source to", || {
            let kind = tables.intern(Some(source.kind.name()))?;
            let tags = strings_to_bytes(&source.tags);
            let metadata = pairs_to_bytes(&source.metadata);
            let (created, updated) = (source.created_at.0, source.updated_at.0);
            let deleted = source.deleted_at.map(|at| at.0);
            let sql = if is_new {
                "INSERT INTO source
                 (number, kind, origin, title, tags, content_hash, created_at, updated_at, deleted_at,
                 language, from_disk, metadata)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
            } else {
                "UPDATE source SET origin = ?3, title = ?4, tags = ?5, content_hash = ?6, created_at = ?7,
                 updated_at = ?8, deleted_at = ?9, language = ?10, from_disk = ?11, metadata = ?12
                 WHERE number = ?1 AND ?2 IS NOT NULL"
            };
            tables.execute(
                sql,
                params![
                    source.id.0,
                    kind,
                    source.origin,
                    source.title,
                    tags,
                    source.content_hash,
                    created,
                    updated,
                    deleted,
                    source.language,
                    source.from_disk,
                    metadata
                ],
            )?;
            Ok(())
        })
    }

    fn add_memory(&mut self, memory: &'a Memory, vector: Option<&'a StoredVector>) -> Result<()> {
        let number = memory.node.number();
        let is_new = memory.node.is_memory() && take_number(&mut self.next.memory, number) == Some(true);
        if !is_new {
            return Err(self.skipped_number(format!("memory {:?}", memory.node)));
        }
        self.numbers.insert(memory.id, number);
        if memory.deleted_at.is_some() {
            self.unsettled.nodes.insert(memory.node);
        }
        self.ids.insert(number, memory.id);
        if let Some(vector) = vector {
            self.expect_model(&vector.model, vector.values.len())?;
        }
        if let Some(speaker) = &memory.speaker {
            self.speakers.push((number, speaker));
        }
        let document = self.tables.run("write a memory to", || self.insert_memory(memory, vector))?;
        self.applied.documents.insert(number, document);
        Ok(())
    }

    fn insert_memory(
        &mut self,
        memory: &'a Memory,
        vector: Option<&'a StoredVector>,
    ) -> rusqlite::Result<Document<'a>> {
        let tables = self.tables;
        let number = memory.node.number();
        let session = tables.intern(memory.session.as_deref())?;
        let place = self.place(memory.source.0, session)?;
        let (title, title_number) = self.title(memory.source)?;
        let kind = tables.intern(Some(&memory.kind))?;
        let user = tables.intern(memory.scope.user.as_deref())?;
        let project = tables.intern(memory.scope.project.as_deref())?;
        let agent = tables.intern(memory.agent.as_deref())?;
        let speaker = tables.intern(memory.speaker.as_deref())?;
        tables
            .cached(
                "INSERT INTO memory (number, id, handle, hash, kind, importance, user, project, agent,
                    speaker,
                 speaker_entity, title, place, ordinal, occurred_at, recorded_at, deleted_at, superseded_by,
                 access_count, last_accessed_at, first_line, last_line, heading, text, tier,
                 expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
                 ?8, ?9, ?10, 0, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)",
            )?
            .execute(rusqlite::params![
                number,
                memory.id.0.into_bytes(),
                memory.handle.0.trim_start_matches('#'),
                short_hash(&crate::model::content_hash(&memory.text, &memory.scope)),
                kind,
                memory.importance,
                user,
                project,
                agent,
                speaker,
                title_number,
                place,
                memory.ordinal,
                memory.occurred_at.0,
                memory.recorded_at.0,
                memory.deleted_at.map(|at| at.0),
                memory.superseded_by.map(|id| id.0.into_bytes()),
                memory.access_count,
                memory.last_accessed_at.map(|at| at.0),
                memory.lines.map(|lines| lines.first),
                memory.lines.map(|lines| lines.last),
                strings_to_bytes(&memory.heading),
                &memory.text,
                memory.tier as u8,
                memory.expires_at.map(|at| at.0),
            ])?;
        for (position, tag) in memory.tags.iter().enumerate() {
            let tag = tables.intern(Some(tag))?;
            tables.execute(
                "INSERT INTO memory_tag (memory, position, tag) VALUES (?1, ?2, ?3)",
                (number, position as i64, tag),
            )?;
        }
        if let Some(vector) = vector {
            tables.put_vector(number, vector)?;
        }
        let document = Document::of(memory, &title, vector);
        Ok(Document { place, user, project, kind, agent, session, ..document })
    }

    fn place(&mut self, source: u32, session: u32) -> rusqlite::Result<u32> {
        if let Some(&place) = self.places.get(&(source, session)) {
            return Ok(place);
        }
        let sql = "SELECT number FROM place WHERE source = ?1 AND session = ?2";
        let place = match self.tables.one(sql, (source, session))? {
            Some(place) => place,
            None => {
                // Higher than every number that an erasure freed.
                let sql = "INSERT INTO place (number, source, session)
                    VALUES (1 + max((SELECT coalesce(max(number), 0) FROM place),
                    (SELECT coalesce(max(value), 0) FROM meta WHERE key = 'last place')), ?1, ?2)";
                self.tables.execute(sql, (source, session))?;
                self.tables.connection.last_insert_rowid() as u32
            }
        };
        self.places.insert((source, session), place);
        Ok(place)
    }

    fn title(&mut self, source: SourceId) -> rusqlite::Result<(String, u32)> {
        if let Some(title) = self.titles.get(&source) {
            return Ok(title.clone());
        }
        let title: Option<Option<String>> =
            self.tables.one("SELECT title FROM source WHERE number = ?1", [source.0])?;
        let title = title.flatten().unwrap_or_default();
        let number = self.tables.intern_label(&title)?;
        self.titles.insert(source, (title.clone(), number));
        Ok((title, number))
    }

    /// Runs one statement on a memory that must exist, and marks it for re-indexing.
    pub(super) fn change_memory(
        &mut self,
        memory: Node,
        act: impl FnOnce(u32) -> rusqlite::Result<usize>,
    ) -> Result<()> {
        let number = memory.number();
        if !memory.is_memory() || number == 0 || number >= self.next.memory {
            return self.expect_one(0, || format!("memory {memory:?}"));
        }
        let changed = self.tables.run("write to", || act(number))?;
        self.changed.insert(number);
        self.expect_one(changed, || format!("memory {memory:?}"))
    }

    fn put_entity(&mut self, entity: &'a Entity) -> Result<()> {
        let number = entity.node.number();
        let is_new = take_number(&mut self.next.entity, number)
            .filter(|_| entity.node.is_entity())
            .ok_or_else(|| self.skipped_number(format!("entity {:?}", entity.node)))?;
        self.unsettled.entities.insert(number);
        self.applied.names.insert(number, Some(&entity.name));
        self.tables.run("write an entity to", || {
            self.parked.remove(&number);
            self.parked.extend(self.tables.park_key_holder(entity)?);
            let sql = "SELECT deleted_at IS NOT NULL FROM entity WHERE number = ?1";
            let was_forgotten = self.tables.is(sql, [number])?;
            if was_forgotten != entity.deleted_at.is_some() {
                self.unsettled.nodes.insert(entity.node);
            }
            self.tables.put_entity(entity, is_new)
        })
    }

    fn hide_entity(&mut self, entity: Node, at: Option<Timestamp>) -> Result<()> {
        self.unsettled.entities.insert(entity.number());
        self.unsettled.nodes.insert(entity);
        let sql = "UPDATE entity SET deleted_at = ?2 WHERE number = ?1";
        let changed =
            self.tables.run("write to", || self.tables.execute(sql, (entity.number(), at.map(|at| at.0))))?;
        self.expect_one(changed, || format!("entity {entity:?}"))
    }

    /// A store holds vectors of one model and one length. Vectors of another model replace them, because the
    /// two cannot be compared.
    fn expect_model(&mut self, model: &str, dimensions: usize) -> Result<()> {
        if let Some((name, known)) = &self.model
            && name == model
        {
            if *known == dimensions {
                return Ok(());
            }
            let what = format!("write a vector of {name} to {}", self.tables.path().display());
            let why = format!("it has {dimensions} dimensions, those that are stored have {known}");
            return Err(Error::invalid(what, why).hint("griot reindex"));
        }
        let is_second = self.applied.new_model.is_some();
        self.model = Some((model.to_string(), dimensions));
        self.applied.new_model.clone_from(&self.model);
        self.tables.run("write to", || {
            self.applied.forgotten.extend(self.tables.all::<u32>("SELECT memory FROM vector", [])?);
            self.tables.execute("DELETE FROM vector", [])?;
            self.tables.set_model(model, dimensions)
        })?;
        // Re-read memories of this set from their rows.
        self.changed.extend(self.applied.documents.keys());
        if is_second {
            // It may be the model of before this set: its name alone does not drop what is gone.
            self.changed.extend(&self.applied.forgotten);
        }
        Ok(())
    }

    /// Resolves a speaker's name to the entity with that name: a person first, then the one known longest.
    fn resolve_speakers(&mut self) -> rusqlite::Result<()> {
        let mut known: HashMap<&str, u32> = HashMap::new();
        for &(number, speaker) in &self.speakers {
            let entity = match known.get(speaker) {
                Some(&entity) => entity,
                None => {
                    let entity = self.tables.speaking_entity(&normal_name(speaker))?;
                    known.insert(speaker, entity);
                    entity
                }
            };
            if entity == 0 {
                continue;
            }
            self.tables
                .execute("UPDATE memory SET speaker_entity = ?2 WHERE number = ?1", (number, entity))?;
            if let Some(document) = self.applied.documents.get_mut(&number) {
                document.speaker = entity;
            }
        }
        Ok(())
    }

    fn read_changed(&mut self) -> rusqlite::Result<()> {
        for &number in &self.changed {
            if let Some(document) = self.tables.document(number)? {
                self.applied.documents.insert(number, document);
            }
        }
        Ok(())
    }

    /// The nodes of edges, facts and offers must exist at the end of the set, whatever the order of its
    /// steps.
    fn check_ends(&self) -> Result<()> {
        if self.highest_memory >= self.next.memory || self.highest_entity >= self.next.entity {
            let why = "an edge, a fact or an offer names a node that does not exist";
            return Err(self.tables.bug("write to", why));
        }
        Ok(())
    }

    /// Each key belongs to at most one entity of a type.
    fn check_keys(&self) -> Result<()> {
        let Some(number) = self.parked.first() else { return Ok(()) };
        let why = format!("entity {number} and another one have the same type and key");
        Err(self.tables.bug("write to", why))
    }

    pub fn expect_one(&self, changed: usize, object: impl FnOnce() -> String) -> Result<()> {
        if changed == 1 {
            return Ok(());
        }
        let what = format!("change {} in {}", object(), self.tables.path().display());
        Err(Error::not_found(what, "there is no such thing"))
    }

    pub fn skipped_number(&self, object: String) -> Error {
        let why = "its number is neither the next free one nor in use";
        self.tables.bug(&format!("write {object} to"), why)
    }
}

/// Takes the next number if requested: `Some(true)` if `number` is new, `Some(false)` if it is in use, `None`
/// if it is neither. Numbers are dense, so "below the next" means "exists".
pub(super) fn take_number(next: &mut u32, number: u32) -> Option<bool> {
    if number == *next {
        *next += 1;
        return Some(true);
    }
    (1..*next).contains(&number).then_some(false)
}

/// The part of a content hash that is stored and searched; matches are verified on the text itself.
pub(super) fn short_hash(hash: &[u8; 16]) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = *hash;
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl Tables {
    pub fn next_numbers(&self) -> rusqlite::Result<NextNumbers> {
        // One statement, because others may write between two, and the numbers must belong to one revision.
        const NEXT: &str = "SELECT (SELECT value FROM meta WHERE key = 'next memory'),
            (SELECT value FROM meta WHERE key = 'next entity'), (SELECT value FROM meta
            WHERE key = 'next source'),
            (SELECT value FROM meta WHERE key = 'next edge'), (SELECT value FROM meta
            WHERE key = 'next fact'), (SELECT value FROM meta WHERE key = 'next offer')";
        self.cached(NEXT)?.query_row([], |row| {
            Ok(NextNumbers {
                memory: row.get(0)?,
                entity: row.get(1)?,
                source: row.get(2)?,
                edge: row.get(3)?,
                fact: row.get(4)?,
                offer: row.get(5)?,
            })
        })
    }

    fn set_next_numbers(&self, before: &NextNumbers, after: &NextNumbers) -> rusqlite::Result<()> {
        for (key, before, after) in [
            ("next memory", before.memory, after.memory),
            ("next entity", before.entity, after.entity),
            ("next source", before.source, after.source),
            ("next edge", before.edge, after.edge),
            ("next fact", before.fact, after.fact),
            ("next offer", before.offer, after.offer),
        ] {
            if before != after {
                self.execute("UPDATE meta SET value = ?2 WHERE key = ?1", (key, after))?;
            }
        }
        Ok(())
    }

    /// The embedder of the stored vectors, with its dimensions.
    pub fn model(&self) -> rusqlite::Result<Option<(String, usize)>> {
        let Some(model) = self.one::<u32>("SELECT value FROM meta WHERE key = 'model'", [])? else {
            return Ok(None);
        };
        let dimensions: Option<u32> = self.one("SELECT value FROM meta WHERE key = 'dimensions'", [])?;
        Ok(Some((self.word(model)?, dimensions.unwrap_or(0) as usize)))
    }

    fn set_model(&self, name: &str, dimensions: usize) -> rusqlite::Result<()> {
        let model = self.intern(Some(name))?;
        let sql = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2";
        self.execute(sql, ("model", model))?;
        self.execute(sql, ("dimensions", dimensions as u32))?;
        Ok(())
    }

    fn put_vector(&self, memory: u32, vector: &StoredVector) -> rusqlite::Result<usize> {
        let model = self.intern(Some(&vector.model))?;
        self.execute(
            "INSERT INTO vector (memory, model, scale, data) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (memory) DO UPDATE SET model = ?2, scale = ?3, data = ?4",
            (memory, model, vector.scale, bytemuck::cast_slice::<i8, u8>(&vector.values)),
        )
    }

    /// Takes type and key of an entity away from another one that has them; returns that one.
    fn park_key_holder(&self, entity: &Entity) -> rusqlite::Result<Option<u32>> {
        let Some(kind) = self.find_name(entity.kind.name())? else { return Ok(None) };
        let sql = "SELECT number FROM entity WHERE key = ?1 AND kind = ?2 AND number <> ?3";
        let holder: Option<u32> = self.one(sql, (&entity.key, kind, entity.node.number()))?;
        if let Some(holder) = holder {
            self.execute("UPDATE entity SET key = NULL WHERE number = ?1", [holder])?;
        }
        Ok(holder)
    }

    fn put_entity(&self, entity: &Entity, is_new: bool) -> rusqlite::Result<()> {
        let number = entity.node.number();
        let kind = self.intern(Some(entity.kind.name()))?;
        let description = strings_to_bytes(&entity.description);
        let (first, last) = (entity.first_seen.0, entity.last_seen.0);
        let deleted = entity.deleted_at.map(|at| at.0);
        let sql = if is_new {
            "INSERT INTO entity (number, name, kind, description, first_seen, last_seen, deleted_at, key)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        } else {
            "UPDATE entity SET name = ?2, kind = ?3, description = ?4, first_seen = ?5, last_seen = ?6,
             deleted_at = ?7, key = ?8 WHERE number = ?1"
        };
        self.execute(sql, (number, &entity.name, kind, description, first, last, deleted, &entity.key))?;
        let canonical = entity.canonical_id();
        let names = std::iter::once(canonical.as_str()).chain(entity.aliases.iter().map(String::as_str));
        if !is_new {
            // An entity is written whenever it is seen; its names rarely change.
            let known: Vec<String> =
                self.all("SELECT name FROM alias WHERE entity = ?1 ORDER BY position", [number])?;
            if known.iter().map(String::as_str).eq(names.clone()) {
                return Ok(());
            }
            self.execute("DELETE FROM alias WHERE entity = ?1", [number])?;
        }
        for (position, name) in names.enumerate() {
            let sql = "INSERT INTO alias (entity, position, name) VALUES (?1, ?2, ?3)";
            self.execute(sql, (number, position as i64, name))?;
        }
        Ok(())
    }

    /// `Node::raw` of the entity that a speaker's normal name refers to, 0 if there is none.
    fn speaking_entity(&self, name: &str) -> rusqlite::Result<u32> {
        let person = self.find_name(crate::model::EntityType::Person.name())?.unwrap_or(0);
        let number: Option<u32> = self.one(
            "SELECT e.number FROM alias a JOIN entity e ON e.number = a.entity
             WHERE a.name = ?1 AND a.position > 0 AND e.deleted_at IS NULL
             ORDER BY e.kind <> ?2, e.number LIMIT 1",
            (name, person),
        )?;
        Ok(number.map_or(0, |number| Node::entity(number).raw()))
    }
}
