//! Verbs for maintenance: `status`, `sources`, `gc`, `reindex`, `doctor`.

use std::collections::BTreeMap;

use super::{Changed, Engine, GcCandidate, Health, HubQuery, SourceView, Status};
use crate::backend::{Counts, RemovedRow, Repaired};
use crate::embed;
use crate::model::{Change, ChangeSet, Error, Memory, Node, Result, Revision, SourceId, StoredVector};
use crate::remember::checked_words;
use crate::remember::importance::{effective_importance, is_immune};

/// Number of rows read, or vectors made, at once.
pub(super) const PAGE: usize = 1000;

impl Engine {
    pub fn status(&self) -> Result<Status> {
        const TOP: usize = 10;
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let counts = self.live_counts()?;
        let always =
            crate::model::Interval::new(crate::model::Timestamp(i64::MIN), crate::model::Timestamp(i64::MAX));
        let latest = read.search_time(always, &self.everything(self.now()), 1)?;
        let latest = read.placements(&latest)?.into_iter().flatten().map(|p| p.occurred_at).next();
        Ok(Status {
            path: self.path.as_ref().map(|p| p.display().to_string()),
            revision: read.revision(),
            bytes: self.bytes(),
            stored_model: read.vector_model()?.map(|(model, _)| model),
            embedder: self.embedder.name().to_string(),
            top_entities: self.hubs(HubQuery { kind: None, limit: TOP })?,
            sources: counts.sources,
            earliest: counts.earliest,
            latest,
            open_warnings: self.warnings()?.iter().filter(|warning| warning.acknowledged.is_none()).count()
                as u64,
            counts,
        })
    }

    /// Counts without expired memories and edges.
    pub(super) fn live_counts(&self) -> Result<Counts> {
        let mut counts = self.backend.counts()?;
        let over = self.backend.expired(self.now())?;
        for (kind, expired) in over.memories {
            counts.expired_memories += expired;
            if let Some(live) = counts.memories_by_kind.get_mut(&kind) {
                *live = live.saturating_sub(expired);
            }
        }
        counts.memories_by_kind.retain(|_, live| *live > 0);
        for ((kind, provenance), expired) in over.edges {
            counts.expired_edges += expired;
            let affected = [
                counts.edges_by_kind.get_mut(kind.name()),
                counts.edges_by_provenance.get_mut(provenance.name()),
            ];
            for live in affected.into_iter().flatten() {
                *live = live.saturating_sub(expired);
            }
        }
        counts.edges_by_kind.retain(|_, live| *live > 0);
        counts.edges_by_provenance.retain(|_, live| *live > 0);
        counts.edges = counts.edges.saturating_sub(counts.expired_edges);
        counts.memories = counts.memories.saturating_sub(counts.expired_memories);
        Ok(counts)
    }

    /// Size of database and write-ahead log, without indexes, which can be rebuilt.
    fn bytes(&self) -> u64 {
        let Some(path) = &self.path else { return 0 };
        let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |m| m.len());
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        size(path) + size(std::path::Path::new(&log))
    }

    /// The commits after a revision, by any process, ascending.
    pub fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<Changed>> {
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let mut changes = Vec::new();
        for note in self.backend.changes_after(since, limit)? {
            let memories = read.memories(&note.nodes)?;
            changes.push(Changed {
                revision: note.revision,
                at: note.at,
                memories: memories
                    .iter()
                    .map(|memory| (memory.id.to_string(), memory.handle.to_string()))
                    .collect(),
                entities: read.entities(&note.nodes)?.iter().map(|entity| entity.canonical_id()).collect(),
                edges: note.edges,
                removed_edges: note.removed_edges,
            });
        }
        Ok(changes)
    }

    /// The latest revision, by any process. Cheap: it reads one row.
    pub fn revision(&self) -> Result<Revision> {
        Ok(self.backend.refresh()?.revision)
    }

    pub fn sources(&self) -> Result<Vec<SourceView>> {
        self.backend.refresh()?;
        let sources = self.backend.sources()?;
        let tallies = self.backend.source_tallies()?;
        Ok(sources
            .into_iter()
            .map(|source| {
                let tally = tallies.iter().find(|t| t.source == source.id);
                SourceView {
                    memories: tally.map_or(0, |t| t.memories),
                    entities: tally.map_or(0, |t| t.entities),
                    edges: tally.map_or(0, |t| t.edges),
                    source,
                }
            })
            .collect())
    }

    /// A source with its memories in order.
    pub fn source(&self, id: SourceId) -> Result<(SourceView, Vec<Memory>)> {
        let view =
            self.sources()?.into_iter().find(|view| view.source.id == id).ok_or_else(|| no_source(id))?;
        let nodes = self.backend.source_memories(id, view.source.deleted_at.is_some())?;
        Ok((view, self.backend.memories(&nodes)?))
    }

    pub fn set_source_tags(&self, id: SourceId, tags: Vec<String>) -> Result<SourceView> {
        let now = self.now();
        let tags = checked_words("tag", &tags)?;
        self.backend.write(&mut |read| {
            let mut source = read.source(id)?.ok_or_else(|| no_source(id))?;
            source.tags.clone_from(&tags);
            source.tags.sort();
            source.tags.dedup();
            Ok(ChangeSet { at: now, changes: vec![Change::PutSource(source)] })
        })?;
        Ok(self.source(id)?.0)
    }

    /// Changes the origin of a source; its memories stay as they are, with their names and links. False if
    /// the source does not exist any more, or another one has that origin.
    pub fn rename_source(&self, id: SourceId, origin: &str) -> Result<bool> {
        let now = self.now();
        let mut renamed = false;
        self.backend.write(&mut |read| {
            let source = read.source(id)?.filter(|source| source.deleted_at.is_none());
            let Some(mut source) = source else { return Ok(ChangeSet::default()) };
            renamed = read.source_by_origin(source.kind, origin)?.is_none();
            source.origin = origin.to_string();
            let changes = if renamed { vec![Change::PutSource(source)] } else { Vec::new() };
            Ok(ChangeSet { at: now, changes })
        })?;
        Ok(renamed)
    }

    /// Memories whose effective importance is below the threshold, least first. Nothing is deleted.
    pub fn gc(&self, threshold: f32, limit: usize) -> Result<Vec<GcCandidate>> {
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let now = self.now();
        let mut found: Vec<GcCandidate> = Vec::new();
        self.each_memory(&mut |page| {
            let live: Vec<Memory> = page
                .into_iter()
                .filter(|m| m.deleted_at.is_none() && (m.is_expired(now) || !is_immune(m)))
                .collect();
            let degrees = read.degrees(&live.iter().map(|m| m.node).collect::<Vec<_>>(), Some(now))?;
            for (memory, degree) in live.into_iter().zip(degrees) {
                // An expired memory is useless, however important it was.
                let expired = memory.is_expired(now);
                let importance = if expired { 0.0 } else { effective_importance(&memory, degree, now) };
                if importance < threshold {
                    let days = now.days_since(memory.last_accessed_at.unwrap_or(memory.recorded_at)).max(0.0);
                    let reason = format!(
                        "importance {}, {degree} edges, not asked for in {days:.0} days{}",
                        memory.importance,
                        match (expired, memory.superseded_by.is_some()) {
                            (true, _) => ", expired",
                            (false, true) => ", superseded",
                            (false, false) => "",
                        }
                    );
                    found.push(GcCandidate { memory, effective_importance: importance, degree, reason });
                }
            }
            // Keeps the list short for large workspaces.
            if found.len() > 4 * limit + PAGE {
                shorten(&mut found, limit);
            }
            Ok(())
        })?;
        shorten(&mut found, limit);
        Ok(found)
    }

    pub(super) fn each_memory(&self, sink: &mut dyn FnMut(Vec<Memory>) -> Result<()>) -> Result<()> {
        let mut after = 0;
        loop {
            let page = self.backend.memories_after(after, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.node.number();
            sink(page)?;
        }
    }

    /// Rebuilds the indexes from the rows; with `embed`, first makes all vectors again with the current
    /// embedder. They are stored in one transaction, since vectors of two models must not coexist, but made
    /// before it: a large model takes minutes, and the lock must not be held that long. Texts never change
    /// (invariant 3), so vectors made early are still valid.
    pub fn reindex(&self, embed: bool, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        self.backend.refresh()?;
        if embed {
            let now = self.now();
            let counts = self.backend.counts()?;
            let all = counts.memories + counts.deleted_memories;
            let mut made: BTreeMap<Node, Option<StoredVector>> = BTreeMap::new();
            self.each_memory(&mut |page| {
                made.extend(self.vectors_of(&page)?);
                progress(made.len() as u64, all);
                Ok(())
            })?;
            self.backend.write(&mut |read| {
                // Memories stored meanwhile.
                let mut after = made.last_key_value().map_or(0, |(node, _)| node.number());
                loop {
                    let page = read.memories_after(after, PAGE)?;
                    let Some(last) = page.last() else { break };
                    after = last.node.number();
                    made.extend(self.vectors_of(&page)?);
                }
                let set = |(memory, vector): (&Node, &Option<StoredVector>)| {
                    Some(Change::SetVector { memory: *memory, vector: vector.clone()? })
                };
                Ok(ChangeSet { at: now, changes: made.iter().filter_map(set).collect() })
            })?;
        }
        self.backend.rebuild()
    }

    fn vectors_of(&self, page: &[Memory]) -> Result<Vec<(Node, Option<StoredVector>)>> {
        let texts: Vec<String> = page.iter().map(embedded_text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = self.embedder.embed(&texts)?.into_iter();
        let stored =
            |vector: Option<Vec<f32>>| vector.map(|vector| embed::quantise(self.embedder.name(), &vector));
        Ok(page.iter().map(|memory| memory.node).zip(vectors.map(stored)).collect())
    }

    /// Repairs damaged rows where this loses no text, and rebuilds the indexes. `keep` receives the former
    /// state of each removed or changed row before anything is committed.
    pub fn repair(&self, keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>) -> Result<Repaired> {
        self.backend.repair(self.now(), keep)
    }

    /// Checks for damage: in the file, between rows, and between rows and indexes.
    pub fn doctor(&self) -> Result<Health> {
        self.backend.refresh()?;
        let mut health = Health { problems: self.backend.integrity()?, checked: Vec::new() };
        if health
            .problems
            .iter()
            .any(|problem| !problem.contains("was built again") && !problem.contains("the file"))
        {
            health.problems.push("`griot doctor --repair` repairs what it can without losing text".into());
        }
        let counts = self.backend.counts()?;
        health.checked.push(format!(
            "{} memories, {} entities, {} edges and {} facts against each other and against the indexes",
            counts.memories + counts.deleted_memories,
            counts.entities,
            counts.edges,
            counts.facts
        ));
        if let Some((model, _)) = self.backend.vector_model()? {
            health.checked.push(format!("{} vectors of `{model}`", counts.vectors));
            if model != self.embedder.name() {
                health.problems.push(format!(
                    "the vectors are from `{model}`, the embedder in use is `{}`: run `griot reindex --embed`",
                    self.embedder.name()
                ));
            }
        }
        Ok(health)
    }
}

/// The text that is embedded for a memory: its headings and its text.
pub(super) fn embedded_text(memory: &Memory) -> String {
    embedded(&memory.heading, &memory.text)
}

/// A passage "Limits" means little without "Vector index" above it. The speaker's name is left out, because
/// it would make all turns of one person similar.
pub(super) fn embedded(heading: &[String], text: &str) -> String {
    if heading.is_empty() { text.to_string() } else { format!("{}\n{text}", heading.join(" ")) }
}

fn shorten(found: &mut Vec<GcCandidate>, limit: usize) {
    found.sort_by(|a, b| {
        a.effective_importance.total_cmp(&b.effective_importance).then(a.memory.node.cmp(&b.memory.node))
    });
    found.truncate(limit);
}

fn no_source(id: SourceId) -> Error {
    Error::not_found(format!("find source `{id}`"), "there is no such source").hint("griot sources")
}
