//! Verbs for maintenance: `status`, `sources`, `gc`, `reindex`, `doctor`.

use std::collections::{BTreeMap, BTreeSet};

use super::vectors::VectorsToMake;
use super::{Changed, Engine, GcCandidate, Health, KindTally, NamedAgain, NamesAgain, SourceView, Status};
use crate::backend::{ChangeNote, Counts, Filter, RemovedRow, Repaired, SourceTally, Wanted, pages};
use crate::model::{
    Change, ChangeSet, Entity, Error, Interval, Memory, Node, OriginKind, Result, Revision, Source, SourceId,
    SourceType, Timestamp,
};
use crate::remember::importance::{forgettable, is_immune};
use crate::remember::{checked_words, mentions};

/// Number of candidates of `gc` beyond the limit that are kept before the list is shortened.
const KEPT: usize = 1000;

impl Engine {
    pub fn status(&self) -> Result<Status> {
        const TOP: usize = 10;
        let read = self.read()?;
        let counts = self.live_counts()?;
        let always = Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX));
        let latest = read.search_time(always, &self.everything(self.now()), 1)?;
        let latest = read.placements(&latest)?.into_iter().flatten().map(|p| p.occurred_at).next();
        let open = self.warnings()?.into_iter().filter(|warning| warning.acknowledged.is_none());
        Ok(Status {
            path: self.path.as_ref().map(|p| p.display().to_string()),
            revision: read.revision(),
            bytes: self.bytes(),
            stored_model: read.vector_model()?.map(|(model, _)| model),
            embedder: self.embedder_name().to_string(),
            top_entities: self.hubs(None, &[], TOP)?,
            sources: counts.sources,
            sources_by_kind: self.sources_by_kind()?,
            earliest: counts.earliest,
            latest,
            open_warnings: open.count() as u64,
            counts,
        })
    }

    /// The sources that are not forgotten, by kind of origin.
    fn sources_by_kind(&self) -> Result<Vec<KindTally>> {
        let read = self.read()?;
        let mut tallies: BTreeMap<OriginKind, (u64, Timestamp)> = BTreeMap::new();
        for source in read.sources()?.into_iter().filter(|source| source.deleted_at.is_none()) {
            let mut updated_at = source.updated_at;
            // What grows memory by memory is not read as a whole: its latest memory says when.
            if source.kind == SourceType::Agent {
                let latest = self.backend.source_memories(source.id, false)?.into_iter().max();
                let latest = self.backend.memories(latest.as_slice())?;
                updated_at = latest.iter().map(|memory| memory.recorded_at).fold(updated_at, Timestamp::max);
            }
            let (sources, last) = tallies.entry(source.origin_kind()).or_insert((0, updated_at));
            *sources += 1;
            *last = updated_at.max(*last);
        }
        let tally = |(kind, (sources, updated_at))| KindTally { kind, sources, updated_at };
        Ok(tallies.into_iter().map(tally).collect())
    }

    /// The sources from which a memory of this agent came.
    pub fn sources_of_agent(&self, agent: &str) -> Result<Vec<SourceView>> {
        let read = self.read()?;
        let theirs = Filter { agent: Some(agent.to_string()), superseded: true, ..Filter::default() };
        let placements = read.placements(&read.latest(&theirs, usize::MAX >> 1)?)?;
        let of_agent: BTreeSet<SourceId> = placements.into_iter().flatten().map(|one| one.source).collect();
        let views = self.sources()?.into_iter();
        Ok(views.filter(|view| of_agent.contains(&view.source.id)).collect())
    }

    /// Counts without expired memories and edges.
    pub(super) fn live_counts(&self) -> Result<Counts> {
        Ok(self.backend.counts()?.without(self.backend.expired(self.now())?))
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
        let notes = self.backend.changes_after(since, limit)?;
        let changed = |note: ChangeNote| {
            let rows = self.backend.fetch(&Wanted { nodes: &note.nodes, ..Wanted::default() })?;
            let name = |memory: &Memory| (memory.id.to_string(), memory.handle.to_string());
            Ok(Changed {
                revision: note.revision,
                at: note.at,
                memories: rows.memories.iter().map(name).collect(),
                entities: rows.entities.iter().map(Entity::canonical_id).collect(),
                edges: note.edges,
                removed_edges: note.removed_edges,
            })
        };
        notes.into_iter().map(changed).collect()
    }

    /// The latest revision, by any process. Cheap: it reads one row.
    pub fn revision(&self) -> Result<Revision> {
        Ok(self.backend.refresh()?.revision)
    }

    pub fn sources(&self) -> Result<Vec<SourceView>> {
        let read = self.read()?;
        let tallies = read.source_tallies()?;
        let view = |source: Source| {
            let tally = tallies.iter().find(|tally| tally.source == source.id);
            let &SourceTally { memories, entities, edges, .. } =
                tally.unwrap_or(&SourceTally { source: source.id, memories: 0, entities: 0, edges: 0 });
            SourceView { source, memories, entities, edges }
        };
        Ok(read.sources()?.into_iter().map(view).collect())
    }

    /// A source with its memories in order.
    pub fn source(&self, id: SourceId) -> Result<(SourceView, Vec<Memory>)> {
        let view =
            self.sources()?.into_iter().find(|view| view.source.id == id).ok_or_else(|| no_source(id))?;
        let nodes = self.backend.source_memories(id, view.source.deleted_at.is_some())?;
        Ok((view, self.backend.memories(&nodes)?))
    }

    /// Replaces the tags of a source. Its memories get the new ones, by which they are found, and keep those
    /// that they had.
    pub fn set_source_tags(&self, id: SourceId, tags: Vec<String>) -> Result<SourceView> {
        let now = self.now();
        let mut tags = checked_words("tag", &tags)?;
        tags.sort();
        tags.dedup();
        self.backend.write(&mut |read| {
            let source = read.source(id)?.ok_or_else(|| no_source(id))?;
            let fresh: Vec<String> = tags.iter().filter(|tag| !source.tags.contains(tag)).cloned().collect();
            let memories = if fresh.is_empty() { Vec::new() } else { read.source_memories(id, false)? };
            let tag = |memory| Change::AddTags { memory, tags: fresh.clone() };
            let mut changes: Vec<Change> = memories.into_iter().map(tag).collect();
            changes.push(Change::PutSource(Source { tags: tags.clone(), ..source }));
            Ok(ChangeSet { at: now, changes })
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
        let read = self.read()?;
        let now = self.now();
        let mut found: Vec<GcCandidate> = Vec::new();
        for page in pages::<Memory>(read) {
            let mut page = page?;
            page.retain(|m| m.deleted_at.is_none() && (m.is_expired(now) || !is_immune(m)));
            let degrees = read.degrees(&page.iter().map(|m| m.node).collect::<Vec<_>>(), Some(now))?;
            for (memory, degree) in page.into_iter().zip(degrees) {
                if let Some((effective_importance, reason)) = forgettable(&memory, degree, threshold, now) {
                    found.push(GcCandidate { memory, effective_importance, degree, reason });
                }
            }
            // Keeps the list short for large workspaces.
            if found.len() > 4 * limit + KEPT {
                shorten(&mut found, limit);
            }
        }
        shorten(&mut found, limit);
        Ok(found)
    }

    /// Rebuilds the indexes from the rows, and before that makes vectors of the selected embedder. Those of
    /// another one answer until all are made.
    pub fn reindex(&self, vectors: VectorsToMake, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        self.backend.refresh()?;
        self.make_vectors(vectors, progress)?;
        self.backend.rebuild()
    }

    /// Looks for names in all texts again, each with the settings of its agent. One transaction a page, so
    /// that others can write in between.
    pub fn find_names_again(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<NamesAgain> {
        let now = self.now();
        let read = self.read()?;
        let titles = mentions::titles(&read.sources()?);
        let all = read.counts()?.memories;
        let mut again = NamesAgain::default();
        let (mut added, mut removed) = (BTreeMap::<Node, u64>::new(), BTreeMap::<Node, u64>::new());
        for page in pages::<Memory>(read) {
            let page = page?;
            let live = page.iter().filter(|memory| memory.deleted_at.is_none());
            // Outside the writer's lock, since it is most of the work.
            let named: Vec<(Node, Vec<_>)> = live
                .map(|memory| {
                    let own = memory.agent.as_deref().and_then(|agent| self.agents.get(agent));
                    (memory.node, mentions::names(memory, &own.unwrap_or(&self.settings).remember))
                })
                .collect();
            let mut compared = mentions::Compared::default();
            self.backend.write(&mut |read| {
                compared = mentions::compare(read, &named, &titles, now)?;
                Ok(ChangeSet { at: now, changes: std::mem::take(&mut compared.changes) })
            })?;
            again.memories += named.len() as u64;
            again.entities_added += compared.entities_added;
            compared.added.into_iter().for_each(|(node, count)| *added.entry(node).or_default() += count);
            compared.removed.into_iter().for_each(|(node, count)| *removed.entry(node).or_default() += count);
            progress(again.memories, all);
        }
        again.mentions_added = added.values().sum();
        again.mentions_removed = removed.values().sum();
        let nodes: BTreeSet<Node> = added.keys().chain(removed.keys()).copied().collect();
        let read = self.read()?;
        for entity in read.entities(&nodes.into_iter().collect::<Vec<_>>())? {
            let count = |counts: &BTreeMap<Node, u64>| counts.get(&entity.node).copied().unwrap_or_default();
            let (added, removed) = (count(&added), count(&removed));
            if removed > 0 && read.live(&[entity.node])?.contains(&false) {
                again.entities_removed += 1;
            }
            again.entities.push(NamedAgain { entity, added, removed });
        }
        again.entities.sort_by_key(|one| (std::cmp::Reverse(one.added + one.removed), one.entity.node));
        Ok(again)
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
        let needs_repair =
            |problem: &String| !problem.contains("was built again") && !problem.contains("the file");
        if health.problems.iter().any(needs_repair) {
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
            let selected = self.embedder_name();
            if model != selected {
                health.problems.push(format!(
                    "the vectors are from `{model}`, the settings select `{selected}`: \
                     run `griot reindex --embed`"
                ));
            }
        }
        Ok(health)
    }
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
