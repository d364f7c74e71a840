//! Verbs that store: `remember`, `forget`, `restore`. `ingest` is in `arrival`.

use std::collections::HashMap;

use uuid::Uuid;

use super::{Engine, Forgotten, LinkRequest};
use crate::backend::Read;
use crate::graph::distinct;
use crate::model::{
    ChangeSet, EdgeKind, Error, ErrorKind, MemoryId, Node, Provenance, Result, Source, SourceId, SourceType,
    StoredVector, Timestamp, Warning,
};
use crate::remember::forget::{self, Forgetting};
use crate::remember::plan::{Batch, Part, Plan, plan};
use crate::remember::prepare::{self, Prepared};
use crate::remember::{Action, Draft, Remembered, SourceDraft, candidates, offers};
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
        let mut prepared = self.prepare(vec![draft], now)?;
        let (planned, warnings) = self.store_with_vectors(&mut prepared, &mut |prepared| {
            self.store(source, prepared, now, None, true)
        })?;
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
        let mut prepared = self.prepare(drafts, now)?;
        let (planned, warnings) = self.store_with_vectors(&mut prepared, &mut |prepared| {
            let mut rest = prepared;
            let mut parts = Vec::with_capacity(sources.len());
            for (source, count) in &sources {
                let (drafts, after) = rest.split_at(*count);
                let skip_duplicates = source.kind == SourceType::Agent;
                parts.push(Part { source, drafts, skip_duplicates, content_hash: None });
                rest = after;
            }
            self.store_parts(&parts, now)
        })?;
        self.answers(&prepared, &planned, &warnings)
    }

    /// Stores all drafts in one transaction. Temporal edges are derived when read and not counted here;
    /// candidates are not searched.
    pub fn remember_all(&self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<Vec<Remembered>> {
        self.remember_batch(vec![(source.clone(), drafts)])
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
        self.hide(&|read| forget::named(read, name, Some(self.now())))
    }

    pub fn restore(&self, name: &str) -> Result<Forgotten> {
        self.hide(&|read| {
            let done = forget::named(read, name, None)?;
            // Where nothing was forgotten nothing comes back.
            Ok(if done.changes.is_empty() { Forgetting::default() } else { done })
        })
    }

    /// Forgets a source because its file or page is gone. Unlike one that a person forgot it comes back with
    /// its content, see [`Engine::forgotten_source`].
    pub fn forget_missing(&self, source: &Source) -> Result<Forgotten> {
        self.hide(&|read| forget::missing(read, source.id, self.now()))
    }

    /// The source with the origin of this one that a person forgot: its content is not to be read again
    /// before it is restored.
    pub fn forgotten_source(&self, source: &SourceDraft) -> Result<Option<SourceId>> {
        self.backend.refresh()?;
        let known = self.backend.source_by_origin(source.kind, &source.origin)?;
        Ok(known.filter(|known| known.deleted_at.is_some() && known.content_hash.is_some()).map(|one| one.id))
    }

    fn hide(&self, decide: &dyn Fn(&dyn Read) -> Result<Forgetting>) -> Result<Forgotten> {
        let mut done = Forgetting::default();
        let now = self.now();
        let touched = self.write(&mut |read| {
            done = decide(read)?;
            Ok(ChangeSet { at: now, changes: std::mem::take(&mut done.changes) })
        })?;
        self.look_around(&touched);
        done.finish(self.backend.as_ref())
    }

    pub(super) fn prepare(&self, drafts: Vec<Draft>, now: Timestamp) -> Result<Vec<Prepared>> {
        let count = drafts.len();
        let mut checked = Vec::with_capacity(count);
        for (index, draft) in drafts.into_iter().enumerate() {
            let draft = prepare::check(draft, now, &self.settings.remember);
            checked.push(draft.map_err(|error| error.of_item(index, count))?);
        }
        // One for both halves: vectors of two models in one batch would replace each other.
        let maker = self.maker();
        Ok(in_two_halves(checked, &|drafts| {
            let texts =
                drafts.iter().map(|(draft, _)| (&draft.heading[..], draft.text.as_str(), &draft.scope));
            let vectors = Self::vectors_of_new(maker.as_ref(), texts);
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
        vector: Option<(Vec<f32>, StoredVector)>,
        now: Timestamp,
    ) -> Prepared {
        Prepared {
            id: new_id(now),
            occurred_at,
            names: prepare::names(&draft, &self.settings.remember),
            causes: text::cause_signals(&draft.text),
            clauses: prepare::clauses(&draft.text),
            words: text::token_set(&draft.text),
            vector,
            draft,
        }
    }

    /// Calls `store` with the drafts. If it answers `None`, because vectors of another model took over after
    /// these were made, it is called again with vectors of that one.
    pub(super) fn store_with_vectors<T>(
        &self,
        prepared: &mut [Prepared],
        store: &mut dyn FnMut(&[Prepared]) -> Result<Option<T>>,
    ) -> Result<T> {
        /// Changes of the model within one write.
        const CHANGES: usize = 2;
        for _ in 0..CHANGES {
            if let Some(done) = store(prepared)? {
                return Ok(done);
            }
            let texts = prepared.iter().map(|one| &one.draft);
            let texts = texts.map(|draft| (&draft.heading[..], draft.text.as_str(), &draft.scope));
            let vectors = Self::vectors_of_new(self.maker().as_ref(), texts);
            prepared.iter_mut().zip(vectors).for_each(|(one, vector)| one.vector = vector);
        }
        prepared.iter_mut().for_each(|one| one.vector = None);
        store(prepared)?.ok_or_else(|| Error::new(ErrorKind::Bug, "remember", "nothing was stored"))
    }

    /// `None` if vectors of the drafts are of another model than those that are stored, or than each other.
    pub(super) fn store(
        &self,
        source: &SourceDraft,
        prepared: &[Prepared],
        now: Timestamp,
        content_hash: Option<[u8; 32]>,
        skip_duplicates: bool,
    ) -> Result<Option<(Plan, Vec<Warning>)>> {
        self.store_parts(&[Part { source, drafts: prepared, skip_duplicates, content_hash }], now)
    }

    fn store_parts(&self, parts: &[Part<'_>], now: Timestamp) -> Result<Option<(Plan, Vec<Warning>)>> {
        let mut stored = Plan::default();
        let batch = Batch { parts, now, settings: &self.settings.remember };
        let vectors = parts.iter().flat_map(|part| part.drafts).filter_map(|one| one.vector.as_ref());
        let made_by: Vec<&str> = vectors.map(|(_, stored)| stored.model.as_str()).collect();
        let mut is_stale = false;
        let touched = self.write(&mut |read| {
            let model = read.vector_model()?;
            let expected = model.as_ref().map(|(name, _)| name.as_str()).or(made_by.first().copied());
            is_stale = made_by.iter().any(|name| Some(*name) != expected);
            if is_stale {
                return Ok(ChangeSet::default());
            }
            let mut planned = plan(read, &batch)?;
            let nothing_new =
                !planned.planned.is_empty() && planned.planned.iter().all(|p| p.action == Action::Skipped);
            let changes = std::mem::take(&mut planned.changes);
            stored = planned;
            Ok(if nothing_new { ChangeSet::default() } else { changes })
        })?;
        Ok(if is_stale { None } else { Some((stored, self.look_around(&touched))) })
    }

    fn answers(&self, prepared: &[Prepared], plan: &Plan, warnings: &[Warning]) -> Result<Vec<Remembered>> {
        let mut answers = Vec::with_capacity(prepared.len());
        // Entities from before the batch, each read once however many memories mention it.
        let mentioned = plan.planned.iter().flat_map(|planned| &planned.entities);
        let nodes = distinct(mentioned.filter(|(_, id, _)| id.is_empty()).map(|(node, ..)| *node).collect());
        let known: HashMap<Node, (String, String)> = self
            .backend
            .entities(&nodes)?
            .into_iter()
            .map(|e| (e.node, (e.canonical_id(), e.name)))
            .collect();
        for (prepared, planned) in prepared.iter().zip(&plan.planned) {
            let named = planned.entities.iter();
            let entities =
                named.map(|(node, id, name)| known.get(node).cloned().unwrap_or((id.clone(), name.clone())));
            answers.push(Remembered::of(prepared, planned, entities.collect(), warnings));
        }
        Ok(answers)
    }

    fn add_candidates(&self, answer: &mut Remembered, prepared: &Prepared, plan: &Plan) -> Result<()> {
        let (Some(planned), Action::Added) = (plan.planned.first(), answer.action) else { return Ok(()) };
        candidates::add(
            self.backend.as_ref(),
            answer,
            prepared,
            planned,
            &self.settings.remember,
            self.now(),
        )?;
        self.keep_offers(answer);
        self.note_replacement(answer);
        Ok(())
    }

    /// Keeps the offers of an answer. The memory is stored already, so what cannot be kept is only shown.
    fn keep_offers(&self, answer: &mut Remembered) {
        let at = self.now();
        let kept =
            self.backend.write(&mut |read| Ok(ChangeSet { at, changes: offers::kept(read, answer, at)? }));
        if kept.is_err() {
            answer.update_candidates.iter_mut().for_each(|one| one.offer = None);
            answer.causal_candidates.iter_mut().for_each(|one| one.offer = None);
        }
    }

    /// Stores the edge of a replacement that is sure, the first of them; `unlink` undoes it. What cannot be
    /// stored stays an offer.
    fn note_replacement(&self, answer: &mut Remembered) {
        let mut noted = false;
        for offer in answer.update_candidates.iter_mut().filter(|offer| offer.noted) {
            let request = LinkRequest {
                reason: Some("it names the value that is said there and takes it back".to_string()),
                provenance: Provenance::Rule,
                ..LinkRequest::new(answer.id.to_string(), offer.id.to_string(), EdgeKind::Supersedes)
            };
            offer.noted = !noted && self.link(&request).is_ok();
            noted |= offer.noted;
        }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::engine::bench::Bench;

    #[test]
    fn a_batch_with_vectors_of_two_models_is_not_stored() {
        let bench = Bench::new();
        let (engine, now) = (&bench.engine, bench.engine.now());
        let source = SourceDraft::new(SourceType::File, "/notes.txt");
        let prepared = |other: usize| {
            let drafts = ["The queue was long.", "A fuse blew."].map(Draft::new).to_vec();
            let mut prepared = engine.prepare(drafts, now).unwrap();
            prepared[other].vector.as_mut().unwrap().1.model = "another".to_string();
            prepared
        };
        let store = |prepared: &[Prepared]| engine.store(&source, prepared, now, None, false).unwrap();
        // In a store without a vector, and in one that has some.
        assert!(store(&prepared(1)).is_none());
        engine.remember(Draft::new("Rain fell all day.")).unwrap();
        for other in [0, 1] {
            assert!(store(&prepared(other)).is_none());
        }
        assert_eq!(engine.backend.counts().unwrap().vectors, 1);
    }
}
