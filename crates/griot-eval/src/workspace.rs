//! The one module that talks to the engine, through what a library user has. Edges are in [`edges`], what
//! a language model would read in [`readings`].
//!
//! A workspace is in a folder of its own. What is put in as units comes out as ids of units, so that no other
//! module here knows how the engine cuts, names or stores them.

mod edges;
mod readings;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use griot::backend::{Filter, NodeName};
use griot::embed::Embedder;
use griot::engine::{Access, Engine, MergeQuestion, Settings};
use griot::model::{
    EntityType, Error, Interval, MemoryId, ReadingOutcome, ReadingTask, Result, Said, Scope, SourceType,
    Timestamp,
};
use griot::recall::{Query, Recall};
use griot::remember::reading::{ReadingDraft, ReadingTally};
use griot::remember::{Draft, EntityDraft, Remembered, SourceDraft};
use tempfile::TempDir;

use crate::dataset::Unit;
use crate::embedder;
use crate::generator::GeneratedMemory;

/// An open workspace and, for measured sets, which memory holds which unit.
pub struct Workspace {
    directory: PathBuf,
    engine: Engine,
    settings: Settings,
    embedder: Arc<dyn Embedder>,
    units: HashMap<MemoryId, String>,
    /// The latest time of what came in: questions are asked then.
    now: Timestamp,
    /// Removed with the value, after the engine.
    _folder: Option<TempDir>,
}

const FILE: &str = "eval.griot";

/// Settings for measuring quality: a power failure may lose the workspace, which spares a disk access per
/// document.
pub fn volatile() -> Settings {
    let mut settings = Settings::default();
    settings.store.durable = false;
    settings
}

/// Settings without counting what the graph does.
pub fn uncounted() -> Settings {
    let mut settings = Settings::default();
    settings.rollout.metrics = false;
    settings
}

impl Workspace {
    /// Opens the workspace in `directory` with the built-in embedder, or creates it.
    pub fn open(directory: &Path) -> Result<Self> {
        Self::with(directory, Settings::default(), &embedder::built_in())
    }

    /// A new one in a folder that is removed with the value; [`volatile`].
    pub fn temporary(embedder: &Arc<dyn Embedder>) -> Result<Self> {
        Self::temporary_with(volatile(), embedder)
    }

    pub fn temporary_with(settings: Settings, embedder: &Arc<dyn Embedder>) -> Result<Self> {
        let folder = folder(None)?;
        let workspace = Self::with(folder.path(), settings, embedder)?;
        Ok(Self { _folder: Some(folder), ..workspace })
    }

    pub fn with(directory: &Path, settings: Settings, embedder: &Arc<dyn Embedder>) -> Result<Self> {
        let engine = engine(directory, &settings, embedder)?;
        let always = Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX));
        let everything = Filter { superseded: true, ..Filter::default() };
        let read = engine.read()?;
        let latest = read.search_time(always, &everything, 1)?;
        let now =
            read.placements(&latest)?.into_iter().flatten().map(|p| p.occurred_at).next().unwrap_or_default();
        Ok(Self {
            directory: directory.to_path_buf(),
            engine,
            settings,
            embedder: Arc::clone(embedder),
            units: HashMap::new(),
            now,
            _folder: None,
        })
    }

    /// Where it is, for processes of their own.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Takes units in the way a user would: turns as a chat with speakers, times and sessions; passages and
    /// sentences as documents by `source` and `ordinal`; notes one after another.
    pub fn ingest(&mut self, units: &[&Unit]) -> Result<Vec<Remembered>> {
        let of_one_source = |a: &&Unit, b: &&Unit| a.source == b.source && a.kind == b.kind;
        let mut all = Vec::with_capacity(units.len());
        for units in units.chunk_by(of_one_source) {
            let drafts = units.iter().map(|unit| draft(unit)).collect();
            let remembered = self.engine.remember_all(&source(units[0]), drafts)?;
            for (unit, memory) in units.iter().zip(&remembered) {
                self.keep(&unit.id, memory);
            }
            all.extend(remembered);
        }
        Ok(all)
    }

    /// Takes in one unit as soon as it is said; the answer carries what the caller should judge.
    pub fn remember_unit(&mut self, unit: &Unit) -> Result<Remembered> {
        let remembered = self.engine.remember_from(&source(unit), draft(unit))?;
        self.keep(&unit.id, &remembered);
        Ok(remembered)
    }

    /// Takes in what `origin` says as the unit `id`, as [`Self::remember_unit`] does.
    pub fn say(&mut self, id: &str, origin: &str, draft: Draft) -> Result<Remembered> {
        let remembered = self.engine.remember_from(&SourceDraft::new(SourceType::Agent, origin), draft)?;
        self.keep(id, &remembered);
        Ok(remembered)
    }

    /// Takes in several units by their ids, in one transaction and without a caller who judges.
    pub fn say_all(&mut self, origin: &str, drafts: Vec<(&str, Draft)>) -> Result<()> {
        let (ids, drafts): (Vec<&str>, Vec<Draft>) = drafts.into_iter().unzip();
        let source = SourceDraft::new(SourceType::Agent, origin);
        for (id, memory) in ids.into_iter().zip(self.engine.remember_all(&source, drafts)?) {
            self.keep(id, &memory);
        }
        Ok(())
    }

    /// Takes in a text that names these things of one type.
    pub fn say_names(&mut self, names: &[String], kind: EntityType) -> Result<()> {
        let entities = names.iter().map(|name| EntityDraft::named(name, Some(kind))).collect();
        let text = names.join(", ");
        self.engine.remember(Draft { entities, ..Draft::new(text) }).map(|_| ())
    }

    /// See [`Engine::merge_questions`].
    pub fn merge_questions(&self, most: usize) -> Result<Vec<MergeQuestion>> {
        self.engine.merge_questions(most, false)
    }

    /// See [`Engine::settle_merge`].
    pub fn settle_merge(&self, question: &MergeQuestion, are_one: Option<bool>) -> Result<bool> {
        Ok(self.engine.settle_merge(question, are_one, "decided by the labels")?.is_some())
    }

    /// The id of the entity with this name.
    pub fn entity_called(&self, name: &str) -> Result<String> {
        Ok(self.engine.entity(name, 1, 1)?.entity.canonical_id())
    }

    /// Stores what a language model replied about units; says what became of it.
    pub fn enrich(&self, replies: &HashMap<String, Vec<Said>>) -> Result<String> {
        const BATCH: usize = 200;
        let read = |(memory, unit): (&MemoryId, &String)| {
            let (task, outcome) = (ReadingTask::Extraction, ReadingOutcome::Read);
            let said = replies.get(unit)?.clone();
            Some(ReadingDraft { said, ..ReadingDraft::new(*memory, task, 1, outcome) })
        };
        let mut drafts: Vec<ReadingDraft> = self.units.iter().filter_map(read).collect();
        drafts.sort_by(|a, b| self.units[&a.memory].cmp(&self.units[&b.memory]));
        let mut all = ReadingTally::default();
        for some in drafts.chunks(BATCH) {
            all += self.engine.put_readings(some)?;
        }
        Ok(format!("{all:?}"))
    }

    fn keep(&mut self, id: &str, memory: &Remembered) {
        self.now = self.now.max(memory.occurred_at);
        self.units.insert(memory.id, id.to_owned());
    }

    /// Ids of at most `limit` units as a user gets them, best first: what is irrelevant is left out, and the
    /// answer may be empty.
    pub fn ranking(&self, question: &str, limit: usize) -> Result<Vec<String>> {
        Ok(self.ranked(&self.recall(&Query { limit, ..self.query(question) })?))
    }

    /// A question as a user asks it, at the time of the latest memory.
    pub fn query(&self, question: &str) -> Query {
        Query::new(question, self.now)
    }

    pub fn recall(&self, query: &Query) -> Result<Recall> {
        self.engine.recall(query)
    }

    /// The units of an answer, best first.
    pub fn ranked(&self, answer: &Recall) -> Vec<String> {
        answer.results.iter().filter_map(|result| self.units.get(&result.memory.id)).cloned().collect()
    }

    /// The unit that a memory holds.
    pub fn unit(&self, memory: MemoryId) -> Option<&str> {
        self.units.get(&memory).map(String::as_str)
    }

    /// Remembers all of `memories` in one durable transaction, vectors and every edge included.
    pub fn remember(&mut self, memories: &[GeneratedMemory]) -> Result<()> {
        let mut by_source: Vec<(&str, Vec<Draft>)> = Vec::new();
        for memory in memories {
            self.now = self.now.max(memory.occurred_at);
            let draft = Draft {
                kind: Some(memory.kind.clone()),
                tags: memory.tags.clone(),
                importance: Some(memory.importance),
                scope: Scope { user: memory.user.clone(), project: memory.project.clone() },
                session: memory.session.clone(),
                speaker: memory.speaker.clone(),
                occurred_at: Some(memory.occurred_at),
                ..Draft::new(&memory.text)
            };
            match by_source.iter_mut().find(|(source, _)| *source == memory.source) {
                Some((_, drafts)) => drafts.push(draft),
                None => by_source.push((&memory.source, vec![draft])),
            }
        }
        let batch = by_source
            .into_iter()
            .map(|(origin, drafts)| {
                let kind = match origin.split('/').next() {
                    Some("chat") => SourceType::Chat,
                    Some("file") => SourceType::File,
                    _ => SourceType::Agent,
                };
                (SourceDraft::new(kind, origin), drafts)
            })
            .collect();
        self.engine.remember_batch(batch).map(|_| ())
    }

    /// A memory has this id and says this; false for what is no id.
    pub fn holds(&self, id: &str, text: &str) -> Result<bool> {
        let Some(id) = MemoryId::parse(id) else { return Ok(false) };
        let read = self.engine.read()?;
        let nodes = read.find_nodes(&NodeName::Id(id))?;
        Ok(read.memories(&nodes)?.iter().any(|memory| memory.text == text))
    }

    /// The latest time of what came in.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The database of the workspace in `directory`, for processes of their own.
    pub fn file(directory: &Path) -> PathBuf {
        directory.join(FILE)
    }

    /// Brings the index files up to date, as a user's process does when it ends.
    pub fn finish(self) -> Result<Self> {
        self.engine.close()?;
        let engine = engine(&self.directory, &self.settings, &self.embedder)?;
        Ok(Self { engine, ..self })
    }

    /// Size of the database, its write-ahead log included and the rebuildable index files not.
    pub fn database_bytes(&self) -> Result<u64> {
        Ok(self.engine.status()?.bytes)
    }

    /// Size of the index files beside the database.
    pub fn index_bytes(&self) -> Result<u64> {
        let folder = self.directory.join(format!("{FILE}.index"));
        let Ok(files) = std::fs::read_dir(&folder) else { return Ok(0) };
        Ok(files.flatten().filter_map(|file| file.metadata().ok()).map(|meta| meta.len()).sum())
    }
}

fn engine(directory: &Path, settings: &Settings, embedder: &Arc<dyn Embedder>) -> Result<Engine> {
    let access = Access { create: true, read_only: false };
    let engine = Engine::open(&directory.join(FILE), access, settings.clone())?;
    Ok(engine.with_embedder(Arc::clone(embedder)))
}

/// A new folder in `directory`, or where the system has its temporary files; removed with the value.
pub fn folder(directory: Option<&Path>) -> Result<TempDir> {
    match directory {
        Some(directory) => tempfile::tempdir_in(directory),
        None => tempfile::tempdir(),
    }
    .map_err(|error| Error::unavailable("make a folder for a workspace", error.to_string()))
}

/// Where a unit comes from.
fn source(unit: &Unit) -> SourceDraft {
    match unit.kind.as_str() {
        "turn" => SourceDraft::new(SourceType::Chat, &unit.pool),
        "note" => SourceDraft::new(SourceType::Agent, "user"),
        _ => SourceDraft { title: unit.title.clone(), ..SourceDraft::new(SourceType::File, &unit.source) },
    }
}

fn draft(unit: &Unit) -> Draft {
    let is_chat = unit.kind == "turn";
    Draft {
        kind: (unit.kind != "note").then(|| if is_chat { "turn" } else { "passage" }.to_string()),
        session: is_chat.then(|| unit.source.clone()),
        speaker: unit.speaker.clone(),
        occurred_at: unit.occurred_at,
        ..Draft::new(unit.body())
    }
}
