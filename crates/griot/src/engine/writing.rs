//! Verbs that store: `remember`, `forget`, `restore`. `ingest` is in `arrival`.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use super::care::embedded;
use super::{Engine, Forgotten, naming};
use crate::backend::{Direction, Filter, NeighbourQuery, Read};
use crate::embed;
use crate::model::{
    CATALOGUE, Change, ChangeSet, Deletable, Entity, Error, Family, Memory, MemoryId, Node, Result, SourceId,
    SourceType, Timestamp, Warning, entity_key,
};
use crate::remember::plan::{Batch, Part, Plan, plan};
use crate::remember::prepare::{self, Prepared};
use crate::remember::{
    Action, Diff, DiffSuggestion, Draft, EdgeTally, Remembered, SourceDraft, candidates, importance,
};
use crate::text;

impl Engine {
    /// Stores one text. The answer contains what the caller should judge: similar memories, possible causes,
    /// and how the new memory differs from what was known.
    pub fn remember(&self, draft: Draft) -> Result<Remembered> {
        let origin = draft.agent.clone().unwrap_or_else(|| "user".to_string());
        self.remember_from(&SourceDraft::new(SourceType::Agent, origin), draft)
    }

    /// The same as [`Engine::remember`], from a source of the caller's choice.
    pub fn remember_from(&self, source: &SourceDraft, draft: Draft) -> Result<Remembered> {
        let now = self.now();
        let prepared = self.prepare(vec![draft], now)?;
        let (planned, warnings) = self.store(source, &prepared, now, None, true)?;
        let mut remembered = self.answers(&prepared, &planned, &warnings)?;
        let mut answer = remembered.pop().ok_or_else(|| Error::invalid("remember", "there is no text"))?;
        self.add_candidates(&mut answer, &prepared[0], &planned)?;
        Ok(answer)
    }

    /// Stores drafts of several sources in one transaction, like [`Engine::remember_all`] for one.
    pub fn remember_batch(&self, batch: Vec<(SourceDraft, Vec<Draft>)>) -> Result<Vec<Remembered>> {
        let now = self.now();
        let mut sources = Vec::with_capacity(batch.len());
        let mut drafts = Vec::new();
        for (source, of_source) in batch {
            sources.push((source, of_source.len()));
            drafts.extend(of_source);
        }
        let prepared = self.prepare(drafts, now)?;
        let mut rest = prepared.as_slice();
        let mut parts = Vec::with_capacity(sources.len());
        for (source, count) in &sources {
            let (drafts, after) = rest.split_at(*count);
            parts.push(Part {
                source,
                drafts,
                skip_duplicates: source.kind == SourceType::Agent,
                content_hash: None,
            });
            rest = after;
        }
        let (planned, warnings) = self.store_parts(&parts, now)?;
        self.answers(&prepared, &planned, &warnings)
    }

    /// Stores all drafts in one transaction. Temporal edges are derived when read and not counted here;
    /// candidates are not searched.
    pub fn remember_all(&self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<Vec<Remembered>> {
        let now = self.now();
        let prepared = self.prepare(drafts, now)?;
        let (planned, warnings) =
            self.store(source, &prepared, now, None, source.kind == SourceType::Agent)?;
        self.answers(&prepared, &planned, &warnings)
    }

    /// Whether the stored content hash of a source is current, so that it need not be read again.
    pub fn source_is_current(&self, source: &SourceDraft) -> Result<bool> {
        self.backend.refresh()?;
        let known = self.backend.source_by_origin(source.kind, &source.origin)?;
        Ok(known.is_some_and(|k| {
            k.deleted_at.is_none()
                && k.content_hash.is_some()
                && k.content_hash == source.content_hash
                && (k.from_disk || !source.from_disk)
        }))
    }

    /// Hides a memory, an entity, or a source with everything that only it supported. Nothing is destroyed:
    /// `restore` undoes it. An entity keeps its type and key, and is revived with its edges when it is named
    /// again: it is never created a second time.
    pub fn forget(&self, name: &str) -> Result<Forgotten> {
        self.set_deleted(name, Some(self.now()))
    }

    pub fn restore(&self, name: &str) -> Result<Forgotten> {
        self.set_deleted(name, None)
    }

    fn set_deleted(&self, name: &str, at: Option<Timestamp>) -> Result<Forgotten> {
        self.backend.refresh()?;
        let mut forgotten = Forgotten::default();
        let mut before = Touched::default();
        let now = self.now();
        let touched = self.write(&mut |read| {
            forgotten = Forgotten::default();
            let mut changes = Vec::new();
            match SourceId::parse(name.trim()) {
                Some(id) => {
                    let nodes = delete_source(read, id, at, &mut changes, &mut forgotten)?;
                    before = Touched::by(read, &nodes)?;
                }
                None => {
                    let node = match naming::node(read, name) {
                        // A hidden entity is not found by its name any more; its canonical id is kept for
                        // this.
                        Err(_) if at.is_none() => hidden_entity(read, name)?,
                        // The name may have been given to another entity since.
                        Ok(live) if at.is_none() && live.is_entity() => {
                            hidden_entity(read, name).unwrap_or(live)
                        }
                        found => found?,
                    };
                    let known = read.memories(&[node])?;
                    for memory in &known {
                        forgotten.memories.push((memory.id.to_string(), memory.handle.to_string()));
                    }
                    let is_as_asked = known.iter().any(|m| m.deleted_at.is_some() == at.is_some());
                    for entity in read.entities(&[node])? {
                        forgotten.entities.push(entity.canonical_id());
                    }
                    before = Touched::by(read, &[node])?;
                    let entity =
                        read.entities(&[node])?.pop().filter(|e| at.is_none() && e.deleted_at.is_some());
                    if let Some(entity) = entity {
                        refuse_merged(read, &entity)?;
                        changes.push(Change::SetDeleted { target: Deletable::Node(entity.node), at: None });
                    } else if !is_as_asked {
                        changes.push(Change::SetDeleted { target: Deletable::Node(node), at });
                    }
                }
            }
            Ok(ChangeSet { at: now, changes })
        })?;
        self.look_around(&touched);
        before.compare(self.backend.as_ref(), &mut forgotten)?;
        Ok(forgotten)
    }

    pub(super) fn prepare(&self, drafts: Vec<Draft>, now: Timestamp) -> Result<Vec<Prepared>> {
        // Fails early if the store's vectors are from another model.
        self.has_vectors()?;
        let mut checked = Vec::with_capacity(drafts.len());
        for draft in drafts {
            checked.push(prepare::check(draft, now, &self.settings.remember)?);
        }
        Ok(in_two_halves(checked, &|drafts| {
            let vectors = self.embed_drafts(&drafts);
            let drafts = drafts.into_iter().zip(vectors);
            drafts
                .map(|((draft, occurred_at), vector)| self.prepare_one(draft, occurred_at, vector, now))
                .collect()
        }))
    }

    fn prepare_one(
        &self,
        draft: Draft,
        occurred_at: Timestamp,
        vector: Option<Vec<f32>>,
        now: Timestamp,
    ) -> Prepared {
        let stored = vector.map(|v| {
            let stored = embed::quantise(self.embedder.name(), &v);
            (v, stored)
        });
        Prepared {
            id: new_id(now),
            occurred_at,
            names: prepare::names(&draft, &self.settings.remember),
            causes: text::cause_signals(&draft.text),
            words: text::token_set(&draft.text),
            vector: stored,
            draft,
        }
    }

    /// One vector per draft. If the embedder fails, the memories are stored without vectors, answer
    /// `embedded: false`, and get theirs by `reindex --embed`.
    fn embed_drafts(&self, drafts: &[(Draft, Timestamp)]) -> Vec<Option<Vec<f32>>> {
        let texts: Vec<String> =
            drafts.iter().map(|(draft, _)| embedded(&draft.heading, &draft.text)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut vectors = self.embedder.embed(&texts).unwrap_or_default();
        vectors.resize(drafts.len(), None);
        vectors
    }

    pub(super) fn store(
        &self,
        source: &SourceDraft,
        prepared: &[Prepared],
        now: Timestamp,
        content_hash: Option<[u8; 32]>,
        skip_duplicates: bool,
    ) -> Result<(Plan, Vec<Warning>)> {
        self.store_parts(&[Part { source, drafts: prepared, skip_duplicates, content_hash }], now)
    }

    fn store_parts(&self, parts: &[Part<'_>], now: Timestamp) -> Result<(Plan, Vec<Warning>)> {
        let mut stored = Plan::default();
        let batch = Batch { parts, now, settings: &self.settings.remember };
        let touched = self.write(&mut |read| {
            let mut planned = plan(read, &batch)?;
            let nothing_new =
                !planned.planned.is_empty() && planned.planned.iter().all(|p| p.action == Action::Skipped);
            let changes = std::mem::take(&mut planned.changes);
            stored = planned;
            Ok(if nothing_new { ChangeSet::default() } else { changes })
        })?;
        Ok((stored, self.look_around(&touched)))
    }

    fn answers(&self, prepared: &[Prepared], plan: &Plan, warnings: &[Warning]) -> Result<Vec<Remembered>> {
        let mut answers = Vec::with_capacity(prepared.len());
        // Entities from before the batch, each read once however many memories mention it.
        let mentioned = plan.planned.iter().flat_map(|planned| &planned.entities);
        let mut nodes: Vec<Node> =
            mentioned.filter(|(_, id, _)| id.is_empty()).map(|(node, ..)| *node).collect();
        nodes.sort();
        nodes.dedup();
        let known: HashMap<Node, (String, String)> = self
            .backend
            .entities(&nodes)?
            .into_iter()
            .map(|e| (e.node, (e.canonical_id(), e.name)))
            .collect();
        for (prepared, planned) in prepared.iter().zip(&plan.planned) {
            let draft = &prepared.draft;
            let entities = planned
                .entities
                .iter()
                .map(|(node, id, name)| {
                    known.get(node).cloned().unwrap_or_else(|| (id.clone(), name.clone()))
                })
                .collect();
            let importance = draft.importance.unwrap_or(3);
            answers.push(Remembered {
                id: planned.placed.id,
                handle: planned.placed.handle.clone(),
                action: planned.action,
                kind: draft.kind.clone().unwrap_or_else(|| "insight".to_string()),
                tags: draft.tags.clone(),
                tier: planned.tier,
                expires_at: planned.expires_at,
                importance,
                text: draft.text.clone(),
                occurred_at: prepared.occurred_at,
                source: planned.placed.source,
                entities,
                edges: planned.edges,
                diff: Diff {
                    suggestion: match planned.action {
                        Action::Added => DiffSuggestion::Add,
                        Action::Skipped | Action::Updated => DiffSuggestion::Duplicate,
                    },
                    with: (planned.action != Action::Added)
                        .then(|| (planned.placed.id, planned.placed.handle.clone())),
                    similarity: if planned.action == Action::Added { 0.0 } else { 1.0 },
                    reason: match planned.action {
                        Action::Added => "not compared with other memories".to_string(),
                        Action::Skipped => "the same text already exists in the same scope".to_string(),
                        Action::Updated => {
                            "the same text already exists in the same scope; its tier and expiry were updated"
                                .to_string()
                        }
                    },
                },
                semantic_candidates: Vec::new(),
                causal_candidates: Vec::new(),
                embedded: prepared.vector.is_some(),
                effective_importance: importance::of_new(
                    importance,
                    planned.edges.entity + planned.edges.causal + planned.edges.semantic,
                ),
                warnings: warnings
                    .iter()
                    .filter(|one| one.found.is_about(planned.placed.node))
                    .cloned()
                    .collect(),
            });
        }
        Ok(answers)
    }

    fn add_candidates(&self, answer: &mut Remembered, prepared: &Prepared, plan: &Plan) -> Result<()> {
        let (Some(planned), Action::Added) = (plan.planned.first(), answer.action) else { return Ok(()) };
        let read = self.backend.as_ref();
        let node = planned.placed.node;
        let Some(memory) = read.memories(&[node])?.into_iter().next() else { return Ok(()) };
        let settings = &self.settings.remember;
        let similar = candidates::similar(read, prepared, Some(node), settings, self.now())?;
        answer.semantic_candidates = candidates::semantic(&similar, &planned.linked, settings);
        answer.diff = candidates::diff(prepared, &similar);
        answer.causal_candidates = candidates::causal(read, &memory, prepared, settings)?;
        answer.edges = EdgeTally { temporal: temporal_edges(read, node, self.now())?, ..planned.edges };
        Ok(())
    }
}

/// The number of temporal arcs of a memory, stored or derived.
fn temporal_edges(read: &dyn Read, node: Node, now: Timestamp) -> Result<u32> {
    let fan_out: Vec<usize> =
        CATALOGUE.iter().map(|row| if row.family == Family::Temporal { 10 } else { 0 }).collect();
    let filter = Filter { superseded: true, now: Some(now), ..Filter::default() };
    let ask = NeighbourQuery { direction: Direction::In, fan_out: &fan_out, filter: &filter };
    Ok(read.neighbours(&[node], &ask)?.first().map_or(0, |arcs| arcs.len() as u32))
}

/// The entities and edges at nodes that are forgotten or restored. Whether they stay live is derived
/// (invariant 7), and found by comparison.
#[derive(Default)]
struct Touched {
    entities: Vec<Node>,
    edges: Vec<u32>,
    were_live: (Vec<bool>, Vec<bool>),
}

impl Touched {
    fn by(read: &dyn Read, nodes: &[Node]) -> Result<Self> {
        let (mut entities, mut edges) = (BTreeSet::new(), BTreeSet::new());
        for node in nodes {
            for edge in read.edges_of(*node)? {
                edges.insert(edge.number);
                entities.extend(
                    [edge.source, edge.target].into_iter().filter(|end| end.is_entity() && end != node),
                );
            }
        }
        let (entities, edges): (Vec<Node>, Vec<u32>) =
            (entities.into_iter().collect(), edges.into_iter().collect());
        let were_live = (read.live(&entities)?, read.live_edges(&edges)?);
        Ok(Self { entities, edges, were_live })
    }

    /// Adds the entities and edges that were hidden or restored.
    fn compare(&self, read: &dyn Read, forgotten: &mut Forgotten) -> Result<()> {
        let live = read.live(&self.entities)?;
        let changed = self.were_live.0.iter().zip(&live).map(|(before, after)| before != after);
        let changed: Vec<Node> =
            self.entities.iter().zip(changed).filter(|(_, c)| *c).map(|(node, _)| *node).collect();
        forgotten.entities.extend(read.entities(&changed)?.iter().map(Entity::canonical_id));
        let live = read.live_edges(&self.edges)?;
        forgotten.edges_hidden =
            self.were_live.1.iter().zip(&live).filter(|(before, after)| before != after).count() as u64;
        Ok(())
    }
}

/// Hides or restores a source and its memories, and returns these. What only they support follows them.
fn delete_source(
    read: &dyn Read,
    id: SourceId,
    at: Option<Timestamp>,
    changes: &mut Vec<Change>,
    forgotten: &mut Forgotten,
) -> Result<Vec<Node>> {
    let Some(source) = read.source(id)? else {
        return Err(
            Error::not_found(format!("find source `{id}`"), "there is no such source").hint("griot sources")
        );
    };
    forgotten.sources.push(id.to_string());
    // Forgetting it again would change its time, and a restore would not find its memories.
    if source.deleted_at.is_some() && at.is_some() {
        return Ok(Vec::new());
    }
    // A restore brings back the memories forgotten with the source, not those forgotten before.
    let was_forgotten_with_it = |memory: &Memory| at.is_some() || memory.deleted_at == source.deleted_at;
    let nodes = read.source_memories(id, at.is_none())?;
    let memories: Vec<Memory> = read.memories(&nodes)?.into_iter().filter(was_forgotten_with_it).collect();
    for memory in &memories {
        forgotten.memories.push((memory.id.to_string(), memory.handle.to_string()));
        changes.push(Change::SetDeleted { target: Deletable::Node(memory.node), at });
    }
    changes.push(Change::SetDeleted { target: Deletable::Source(id), at });
    Ok(memories.iter().map(|memory| memory.node).collect())
}

/// Refuses to restore a merged entity: the undo of the merge restores it with its edges.
fn refuse_merged(read: &dyn Read, hidden: &Entity) -> Result<()> {
    let Some(merge) = crate::remember::merge::hiding(read, hidden.node)? else { return Ok(()) };
    let why = format!("it was merged into `{}`", merge.kept.canonical_id());
    Err(Error::invalid(format!("restore `{}`", hidden.canonical_id()), why)
        .hint(format!("griot merge --undo {}", merge.id())))
}

/// The hidden entity with this id; else, of those with this name, the one hidden last.
fn hidden_entity(read: &dyn Read, name: &str) -> Result<Node> {
    let wanted = name.trim();
    let alias = text::normal_name(wanted);
    let typed = naming::typed(wanted).map(|(kind, key)| (kind, entity_key(kind, key)));
    let is_id = |entity: &Entity| {
        entity.canonical_id() == wanted
            || typed.as_ref().is_some_and(|(kind, key)| (entity.kind, &entity.key) == (*kind, key))
    };
    let mut latest: Option<(Option<Timestamp>, Node)> = None;
    let mut after = 0;
    loop {
        let page = read.entities_after(after, 1000)?;
        let Some(last) = page.last() else { break };
        after = last.node.number();
        let hidden = page.iter().filter(|e| e.deleted_at.is_some());
        for entity in hidden {
            if is_id(entity) {
                return Ok(entity.node);
            }
            if entity.aliases.contains(&alias) {
                latest = latest.max(Some((entity.deleted_at, entity.node)));
            }
        }
    }
    match latest {
        Some((_, node)) => Ok(node),
        None => Err(Error::not_found(format!("restore `{wanted}`"), "nothing with this name was forgotten")),
    }
}

/// A version 7 id for this time.
fn new_id(now: Timestamp) -> MemoryId {
    let millis = now.0.max(0) as u64;
    let stamp =
        uuid::Timestamp::from_unix(uuid::NoContext, millis / 1000, (millis % 1000) as u32 * 1_000_000);
    MemoryId(Uuid::new_v7(stamp))
}

/// Maps a large batch on two threads, a small one on the current thread: reading a text takes tens of
/// microseconds.
fn in_two_halves<T: Send, U: Send>(mut items: Vec<T>, map: &(dyn Fn(Vec<T>) -> Vec<U> + Sync)) -> Vec<U> {
    const WORTH_A_THREAD: usize = 64;
    if items.len() < WORTH_A_THREAD {
        return map(items);
    }
    let second = items.split_off(items.len() / 2);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| map(second));
        let mut done = map(items);
        match second.join() {
            Ok(rest) => done.extend(rest),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        done
    })
}
