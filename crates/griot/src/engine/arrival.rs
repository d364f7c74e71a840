//! `ingest`: a source is made to hold what its file holds, at once or part by part.
//!
//! Unchanged memories stay (and move), others are added, those gone are forgotten. Large sources take several
//! transactions; the content hash is written with the last, so that an interrupted run is taken up again.

use std::collections::{HashMap, HashSet};

use super::stated::Stated;
use super::{Engine, link};
use crate::model::{
    Change, ChangeSet, Deletable, EdgeKind, Lines, Memory, Node, Result, Tier, Timestamp, Warning, WarningId,
};
use crate::remember::{Draft, DraftLink, DraftPlace, IngestTally, SourceDraft, prepare};
use crate::text;

/// Known memories that are read at once.
const PAGE: usize = 10_000;
/// Edges that one transaction makes.
const LINKS: usize = 1000;

/// A source that arrives in parts. What has arrived stays if the rest never comes, and is known again the
/// next time.
pub struct Arrival<'a> {
    engine: &'a Engine,
    now: Timestamp,
    /// What the source held and was not met again so far, the last one first.
    known: HashMap<Likeness, Vec<Known>>,
    tally: IngestTally,
    /// Warnings around what was written so far.
    noticed: HashSet<WarningId>,
}

struct Known {
    node: Node,
    ordinal: u32,
    lines: Option<Lines>,
}

impl Engine {
    /// Makes the source hold exactly these drafts. `None` if the content hash is the known one.
    pub fn ingest(&self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<Option<IngestTally>> {
        self.ingest_telling(source, drafts, &mut |_, _| {})
    }

    /// As [`Engine::ingest`]; `tell` hears after each transaction how many drafts of how many are done.
    pub fn ingest_telling(
        &self,
        source: &SourceDraft,
        drafts: Vec<Draft>,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<IngestTally>> {
        let Some(mut arrival) = self.arrival(source)? else { return Ok(None) };
        let all = drafts.len() as u64;
        // A draft that is refused must not leave the source half replaced.
        let drafts = arrival.checked(drafts)?;
        let (fresh, moves) = arrival.compare(drafts);
        arrival.settle(moves)?;
        // What was kept or moved is done.
        let before = all - fresh.len() as u64;
        tell(before, all);
        // A source counts as read with its hash, so that comes after all else.
        let is_last = source.links.is_empty() && source.facts.is_empty();
        arrival.store(source, fresh, source.content_hash.filter(|_| is_last), &mut |done| {
            tell(before + done, all)
        })?;
        if !is_last {
            arrival.join(source)?;
            arrival.store(source, Vec::new(), source.content_hash, &mut |_| {})?;
        }
        Ok(Some(arrival.tally))
    }

    /// Begins a source that is too large to be held as a whole. `None` if the content hash is the known one.
    pub fn arrival(&self, source: &SourceDraft) -> Result<Option<Arrival<'_>>> {
        if self.source_is_current(source)? {
            return Ok(None);
        }
        // Fails early when the store's vectors are another model's.
        self.has_vectors()?;
        let mut known: HashMap<Likeness, Vec<Known>> = HashMap::new();
        if let Some(stored) = self.backend.source_by_origin(source.kind, &source.origin)? {
            let nodes = self.backend.source_memories(stored.id, false)?;
            for page in nodes.rchunks(PAGE) {
                for memory in self.backend.memories(page)?.into_iter().rev() {
                    let Memory { node, ordinal, lines, .. } = memory;
                    known.entry(Likeness::of_memory(&memory)).or_default().push(Known {
                        node,
                        ordinal,
                        lines,
                    });
                }
            }
        }
        Ok(Some(Arrival {
            engine: self,
            now: self.now(),
            known,
            tally: IngestTally::default(),
            noticed: HashSet::new(),
        }))
    }
}

impl Arrival<'_> {
    /// Takes the next part: what is there stays, the rest is stored. Drafts are numbered by whoever read
    /// them.
    pub fn part(&mut self, source: &SourceDraft, drafts: Vec<Draft>) -> Result<()> {
        let drafts = self.checked(drafts)?;
        let (fresh, moves) = self.compare(drafts);
        self.write(moves)?;
        if fresh.is_empty() { Ok(()) } else { self.store(source, fresh, None, &mut |_| {}) }
    }

    /// After the last part: what was not met again is forgotten, and the source counts as read.
    pub fn finish(mut self, source: &SourceDraft) -> Result<IngestTally> {
        self.settle(Vec::new())?;
        self.join(source)?;
        self.store(source, Vec::new(), source.content_hash, &mut |_| {})?;
        Ok(self.tally)
    }

    /// As they will be stored, so that they are known again. A document makes no rules.
    fn checked(&self, mut drafts: Vec<Draft>) -> Result<Vec<Draft>> {
        let settings = &self.engine.settings.remember;
        for draft in &mut drafts {
            prepare::check(draft.clone(), self.now, settings)?;
            if draft.tier == Some(Tier::Rule) {
                draft.tier = None;
            }
            draft.text = prepare::guarded(std::mem::take(&mut draft.text), settings.secrets)?;
        }
        Ok(drafts)
    }

    /// Which drafts are new, and which known memories only moved.
    fn compare(&mut self, drafts: Vec<Draft>) -> (Vec<Draft>, Vec<Change>) {
        let mut fresh = Vec::new();
        let mut moves = Vec::new();
        for draft in number_ordinals(drafts) {
            let Some(known) = self.known.get_mut(&Likeness::of_draft(&draft)).and_then(Vec::pop) else {
                fresh.push(draft);
                continue;
            };
            self.tally.kept += 1;
            let ordinal = draft.ordinal.unwrap_or(known.ordinal);
            if ordinal != known.ordinal || draft.lines != known.lines {
                moves.push(Change::MoveMemory { memory: known.node, ordinal, lines: draft.lines });
            }
        }
        (fresh, moves)
    }

    /// Moves what moved, and forgets what is left of the known.
    fn settle(&mut self, mut changes: Vec<Change>) -> Result<()> {
        let mut gone: Vec<Node> =
            self.known.drain().flat_map(|(_, all)| all).map(|known| known.node).collect();
        gone.sort();
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

    /// Stores drafts in transactions of bounded size; the hash with the last of them. `tell` hears how many
    /// are stored.
    fn store(
        &mut self,
        source: &SourceDraft,
        fresh: Vec<Draft>,
        hash: Option<[u8; 32]>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let size = self.engine.settings.ingest.batch.max(1);
        let parts = fresh.len().div_ceil(size).max(1);
        let mut fresh = fresh.into_iter();
        let mut done = 0;
        for part in 1..=parts {
            let drafts: Vec<Draft> = fresh.by_ref().take(size).collect();
            let prepared = self.engine.prepare(drafts, self.now)?;
            let (planned, warnings) =
                self.engine.store(source, &prepared, self.now, hash.filter(|_| part == parts), false)?;
            let flagged = prepared.iter().filter(|one| !text::alerts(&one.draft.text).is_empty());
            self.tally.flagged += flagged.count() as u32;
            for memory in &planned.planned {
                self.tally.added += 1;
                self.tally.edges += memory.edges.entity + memory.edges.causal + memory.edges.semantic;
            }
            self.tally.entities += planned.entities_made;
            self.notice(&warnings);
            done += prepared.len() as u64;
            tell(done);
        }
        Ok(())
    }
}

impl Arrival<'_> {
    fn notice(&mut self, warnings: &[Warning]) {
        self.noticed.extend(warnings.iter().map(|warning| warning.found.id()));
        self.tally.warnings = self.noticed.len() as u32;
    }

    /// Makes the edges and facts that the source tells. What names a draft or an entity that is not there, or
    /// would hide both of its ends, is left out.
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
        // Whether something is replaced already must be seen by the next one.
        let (alone, together): (Vec<_>, Vec<_>) =
            links.into_iter().partition(|(link, ..)| link.kind == EdgeKind::Supersedes);
        for some in together.chunks(LINKS).chain(alone.chunks(1)) {
            let mut made = 0;
            let touched = self.engine.write(&mut |read| {
                let mut changes = Vec::new();
                for (link, source, target) in some {
                    changes.extend(link::told(read, link, *source, *target, self.now)?);
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
                let mut stated = Stated::new(read, &nodes, settings, self.now);
                for fact in some {
                    stated.add(fact)?;
                }
                Ok(ChangeSet { at: self.now, changes: stated.changes() })
            })?;
        }
        Ok(())
    }
}

/// What makes a stored memory and a draft of the same source the same: a digest of text, headings, speaker,
/// session, and of the time where the source gives one (a file's own time changes with each save).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Likeness([u8; 16]);

impl Likeness {
    fn of_memory(memory: &Memory) -> Self {
        let at = memory.speaker.as_ref().map(|_| memory.occurred_at);
        Self::new(&memory.text, &memory.heading, memory.speaker.as_deref(), memory.session.as_deref(), at)
    }

    fn of_draft(draft: &Draft) -> Self {
        let at = draft.speaker.as_ref().and(draft.occurred_at);
        Self::new(&draft.text, &draft.heading, draft.speaker.as_deref(), draft.session.as_deref(), at)
    }

    fn new(
        text: &str,
        heading: &[String],
        speaker: Option<&str>,
        session: Option<&str>,
        at: Option<Timestamp>,
    ) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: Option<&str>| {
            // A length that no text has stands for what is not there.
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            hasher.update(&length.to_le_bytes());
            hasher.update(part.unwrap_or_default().as_bytes());
        };
        add(Some(text));
        add(speaker);
        add(session);
        heading.iter().for_each(|heading| add(Some(heading)));
        hasher.update(&at.map_or(i64::MIN, |at| at.0).to_le_bytes());
        let mut digest = [0; 16];
        hasher.finalize_xof().fill(&mut digest);
        Self(digest)
    }
}

/// Drafts without an ordinal are numbered in their order within the session.
fn number_ordinals(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut next: HashMap<Option<String>, u32> = HashMap::new();
    for draft in &mut drafts {
        let next = next.entry(draft.session.clone()).or_default();
        let ordinal = *draft.ordinal.get_or_insert(*next);
        *next = ordinal.saturating_add(1).min(Memory::LAST_ORDINAL);
    }
    drafts
}
