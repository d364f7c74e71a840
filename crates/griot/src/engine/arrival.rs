//! `ingest`: makes a source hold the content of its file, at once or part by part.
//!
//! Unchanged memories stay (and move), new ones are added, missing ones are forgotten. Large sources take
//! several transactions; the content hash is written with the last one, so that an interrupted run is
//! resumed.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Engine;
use crate::backend::{Batch, Filter, Listing};
use crate::model::{
    Change, ChangeSet, Deletable, EdgeKind, Interval, Mark, Memory, Node, Result, Tier, Timestamp, Warning,
    WarningId, mark_of_turn,
};
use crate::remember::erase::is_title_of;
use crate::remember::reading::observations_among;
use crate::remember::reread::Unseen;
use crate::remember::{Draft, DraftLink, DraftPlace, IngestTally, SourceDraft, edges, prepare, stated};
use crate::text;

/// Number of known memories that are read at once.
const PAGE: usize = 10_000;
/// Number of edges per transaction.
const LINKS: usize = 1000;

/// Number of drafts that are compared with other sources at once, and of memories of one moment.
const COMPARED: usize = 500;
const SAME_TIME: usize = 50;

/// A source that arrives in parts. If it is interrupted, the parts so far stay, and are recognised the next
/// time.
pub struct Arrival<'a> {
    engine: &'a Engine,
    now: Timestamp,
    unseen: Unseen,
    /// What was forgotten of a session, and marks of what was erased: neither is stored again.
    forgotten: Unseen,
    erased: HashSet<Mark>,
    /// Its title came from an erased text.
    is_untitled: bool,
    /// The memories that a language model wrote about turns of the source, with those turns.
    observations: BTreeMap<Node, Vec<Node>>,
    tally: IngestTally,
    /// Warnings about what was written so far.
    noticed: HashSet<WarningId>,
}

impl Engine {
    /// Makes the source hold exactly these drafts. `None` if the content hash is unchanged.
    pub fn ingest(&self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<Option<IngestTally>> {
        self.ingest_with_progress(source, drafts, &mut |_, _| {})
    }

    /// The same as [`Engine::ingest`]; `progress` is called after each transaction with the number of drafts
    /// that are done, and of all.
    pub fn ingest_with_progress(
        &self,
        source: &SourceDraft,
        drafts: Vec<Draft>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<IngestTally>> {
        let Some(mut arrival) = self.arrival(source)? else { return Ok(None) };
        let all = drafts.len() as u64;
        // A refused draft must not leave the source half replaced.
        let drafts = arrival.checked(drafts)?;
        let (fresh, moves) = arrival.compare(source, drafts)?;
        arrival.settle(moves)?;
        // Kept and moved memories are done.
        let before = all - fresh.len() as u64;
        progress(before, all);
        // The hash marks the source as read, so it is written last.
        let is_last = source.links.is_empty() && source.facts.is_empty();
        arrival.store(source, fresh, source.content_hash.filter(|_| is_last), &mut |done| {
            progress(before + done, all)
        })?;
        if !is_last {
            arrival.join(source)?;
            arrival.store(source, Vec::new(), source.content_hash, &mut |_| {})?;
        }
        Ok(Some(arrival.tally))
    }

    /// Begins a source that is too large for memory. `None` if the content hash is unchanged.
    pub fn arrival(&self, source: &SourceDraft) -> Result<Option<Arrival<'_>>> {
        if self.source_is_current(source)? {
            return Ok(None);
        }
        let (mut unseen, mut observations) = (Unseen::default(), BTreeMap::new());
        let mut forgotten = Unseen::default();
        if let Some(stored) = self.backend.source_by_origin(source.kind, &source.origin)? {
            let nodes = self.backend.source_memories(stored.id, source.is_session)?;
            for page in nodes.rchunks(PAGE) {
                let all = self.backend.memories(page)?;
                let (hidden, memories): (Vec<Memory>, Vec<Memory>) =
                    all.into_iter().partition(|memory| memory.deleted_at.is_some());
                hidden.iter().rev().for_each(|memory| forgotten.add(memory));
                let written = observations_among(self.backend.as_ref(), &memories)?;
                let read_from_file = memories.iter().rev().filter(|one| !written.contains_key(&one.node));
                read_from_file.for_each(|memory| unseen.add(memory));
                observations.extend(written);
            }
        }
        let receipts = if source.is_session { self.backend.erasures()? } else { Vec::new() };
        Ok(Some(Arrival {
            engine: self,
            now: self.now(),
            unseen,
            forgotten,
            erased: receipts.into_iter().flat_map(|receipt| receipt.marks).collect(),
            is_untitled: false,
            observations,
            tally: IngestTally::default(),
            noticed: HashSet::new(),
        }))
    }
}

impl Arrival<'_> {
    /// Takes the next part: existing memories stay, the others are stored. The reader numbers the
    /// drafts.
    pub fn part(&mut self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<()> {
        let drafts = self.checked(drafts)?;
        let (fresh, moves) = self.compare(source, drafts)?;
        self.write(moves)?;
        if fresh.is_empty() { Ok(()) } else { self.store(source, fresh, None, &mut |_| {}) }
    }

    /// Ends the source after the last part: memories that were not seen again are forgotten.
    pub fn finish(mut self, source: &SourceDraft) -> Result<IngestTally> {
        self.settle(Vec::new())?;
        self.join(source)?;
        self.store(source, Vec::new(), source.content_hash, &mut |_| {})?;
        Ok(self.tally)
    }

    /// Applies the checks of `remember`, so that stored memories are recognised. Documents create no rules.
    fn checked(&self, mut drafts: Vec<Draft>) -> Result<Vec<Draft>> {
        let settings = &self.engine.settings.remember;
        for draft in &mut drafts {
            prepare::check(draft.clone(), self.now, settings)?;
            if draft.tier == Some(Tier::Rule) {
                draft.tier = None;
            }
            draft.text = prepare::guarded(std::mem::take(&mut draft.text), settings.secrets)?;
            let headings = draft.heading.iter_mut();
            headings.for_each(|one| *one = prepare::without_secrets(std::mem::take(one), settings.secrets));
        }
        Ok(drafts)
    }

    /// Separates new drafts from known memories, and returns the changes for those that moved.
    fn compare(&mut self, source: &SourceDraft, mut drafts: Vec<Draft>) -> Result<(Vec<Draft>, Vec<Change>)> {
        let is_erased = |draft: &Draft| {
            let turn = draft.speaker.as_deref().zip(draft.occurred_at);
            turn.is_some_and(|(speaker, at)| self.erased.contains(&mark_of_turn(speaker, at)))
        };
        let title = source.title.as_deref().unwrap_or_default();
        let mut is_untitled = false;
        drafts.retain(|draft| {
            let is_erased = is_erased(draft);
            is_untitled |= is_erased && is_title_of(title, &draft.text);
            !is_erased
        });
        self.is_untitled |= is_untitled;
        let compared = self.unseen.compare(drafts);
        self.tally.kept += compared.kept;
        let fresh = self.forgotten.compare(compared.fresh).fresh;
        Ok((self.without_copies(source, fresh)?, compared.moves))
    }

    /// Leaves out new messages that are stored from another source: the same words of the same speaker in the
    /// same scope at the same millisecond. What is stored from this source stays, so that of two copies in
    /// the store neither goes because of the other.
    fn without_copies(&self, source: &SourceDraft, fresh: Vec<Draft>) -> Result<Vec<Draft>> {
        if !source.is_session {
            return Ok(fresh);
        }
        let own = self.engine.backend.source_by_origin(source.kind, &source.origin)?.map(|own| own.id);
        let mut kept = Vec::with_capacity(fresh.len());
        let mut rest = fresh.into_iter().peekable();
        while rest.peek().is_some() {
            let drafts: Vec<Draft> = rest.by_ref().take(COMPARED).collect();
            let at = |draft: &Draft| draft.occurred_at.unwrap_or(Timestamp::EARLIEST);
            let moment = |at: Timestamp| Interval::new(at, Timestamp(at.0.saturating_add(1)));
            let lists: Vec<Listing> =
                drafts.iter().map(|draft| Listing::Within(moment(at(draft)), SAME_TIME)).collect();
            let filter = Filter { superseded: true, ..Filter::default() };
            let batch = Batch { lists: &lists, ..Batch::within(&filter) };
            let found = self.engine.backend.search(&[batch])?.pop().unwrap_or_default().lists;
            let mut nodes = found.concat();
            nodes.sort_unstable();
            nodes.dedup();
            let stored = self.engine.backend.memories(&nodes)?;
            kept.extend(drafts.into_iter().filter(|draft| {
                !stored.iter().any(|memory| Some(memory.source) != own && is_copy(draft, memory))
            }));
        }
        Ok(kept)
    }

    /// Applies moves, and forgets the remaining known memories, with what was only observed in them.
    fn settle(&mut self, mut changes: Vec<Change>) -> Result<()> {
        let mut gone = self.unseen.take_all();
        let is_left = |turn: &Node| gone.binary_search(turn).is_err();
        let groundless = self.observations.iter().filter(|(_, turns)| !turns.iter().any(is_left));
        let groundless: Vec<Node> = groundless.map(|(observation, _)| *observation).collect();
        gone.extend(groundless);
        self.observations.retain(|observation, _| !gone.contains(observation));
        self.tally.removed += gone.len() as u32;
        let forget = |memory| Change::SetDeleted { target: Deletable::Node(memory), at: Some(self.now) };
        changes.extend(gone.into_iter().map(forget));
        self.write(changes)
    }

    fn write(&self, changes: Vec<Change>) -> Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        let touched = self.engine.write(&mut |_| Ok(ChangeSet { at: self.now, changes: changes.clone() }))?;
        self.engine.look_around(&touched);
        Ok(())
    }

    /// Stores drafts in transactions of bounded size; the hash with the last one. `progress` is called with
    /// the number of stored drafts.
    fn store(
        &mut self,
        source: &SourceDraft,
        fresh: Vec<Draft>,
        hash: Option<[u8; 32]>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let untitled = self.is_untitled.then(|| SourceDraft { title: None, ..source.clone() });
        let source = untitled.as_ref().unwrap_or(source);
        let size = self.engine.settings.ingest.batch.max(1);
        let parts = fresh.len().div_ceil(size).max(1);
        let mut fresh = fresh.into_iter();
        let mut done = 0;
        for part in 1..=parts {
            let drafts: Vec<Draft> = fresh.by_ref().take(size).collect();
            let mut prepared = self.engine.prepare(drafts, self.now)?;
            let hash = hash.filter(|_| part == parts);
            let (planned, warnings) = self.engine.store_with_vectors(&mut prepared, &mut |prepared| {
                self.engine.store(source, prepared, self.now, hash, false)
            })?;
            let flagged = prepared.iter().filter(|one| !text::alerts(&one.draft.text).is_empty());
            self.tally.flagged += flagged.count() as u32;
            for memory in &planned.planned {
                self.tally.added += 1;
                self.tally.edges += memory.edges.entity + memory.edges.causal + memory.edges.semantic;
            }
            self.tally.entities += planned.entities_made;
            self.notice(&warnings);
            done += prepared.len() as u64;
            progress(done);
        }
        Ok(())
    }

    fn notice(&mut self, warnings: &[Warning]) {
        self.noticed.extend(warnings.iter().map(|warning| warning.found.id()));
        self.tally.warnings = self.noticed.len() as u32;
    }

    /// Stores the edges and facts that the source states. Those that refer to a missing draft or entity, or
    /// would hide both of their ends, are skipped.
    fn join(&mut self, source: &SourceDraft) -> Result<()> {
        if source.links.is_empty() && source.facts.is_empty() {
            return Ok(());
        }
        let Some(stored) = self.engine.backend.source_by_origin(source.kind, &source.origin)? else {
            return Ok(());
        };
        let mut nodes = HashMap::new();
        for page in self.engine.backend.source_memories(stored.id, false)?.chunks(PAGE) {
            for Memory { session, ordinal, node, .. } in self.engine.backend.memories(page)? {
                nodes.insert(DraftPlace { session, ordinal }, node);
            }
        }
        let ends = |link: &DraftLink| Some((*nodes.get(&link.source)?, *nodes.get(&link.target)?));
        let links: Vec<(&DraftLink, Node, Node)> =
            source.links.iter().filter_map(|link| ends(link).map(|(a, b)| (link, a, b))).collect();
        // An edge that replaces a memory must be seen by the next one, so these are written one by one.
        let (alone, together): (Vec<_>, Vec<_>) =
            links.into_iter().partition(|(link, ..)| link.kind == EdgeKind::Supersedes);
        for some in together.chunks(LINKS).chain(alone.chunks(1)) {
            let mut made = 0;
            let touched = self.engine.write(&mut |read| {
                let mut changes = Vec::new();
                for (link, source, target) in some {
                    changes.extend(edges::stated_edge(read, link, *source, *target, self.now)?);
                }
                made = changes.iter().filter(|change| matches!(change, Change::PutEdge(_))).count();
                Ok(ChangeSet { at: self.now, changes })
            })?;
            let warnings = self.engine.look_around(&touched);
            self.notice(&warnings);
            self.tally.edges += made as u32;
        }
        let settings = &self.engine.settings.remember;
        for some in source.facts.chunks(LINKS) {
            self.engine.backend.write(&mut |read| {
                let changes = stated::facts(read, &nodes, some, settings, self.now)?;
                Ok(ChangeSet { at: self.now, changes })
            })?;
        }
        Ok(())
    }
}

/// Whether a draft and a memory are one message.
fn is_copy(draft: &Draft, memory: &Memory) -> bool {
    draft.occurred_at == Some(memory.occurred_at)
        && draft.speaker.is_some()
        && draft.speaker == memory.speaker
        && draft.text == memory.text
        && draft.scope == memory.scope
}
