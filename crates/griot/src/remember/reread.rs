//! Compares the drafts of a source with the memories that are stored from it.

use std::collections::HashMap;

use crate::model::{Change, Lines, Memory, Node, Timestamp};

use super::Draft;

/// Memories of a source that have not been seen again, the last one first.
#[derive(Default)]
pub struct Unseen(HashMap<ContentKey, Vec<Known>>);

struct Known {
    node: Node,
    ordinal: u32,
    lines: Option<Lines>,
    tags: Vec<String>,
}

/// The result of comparing a part of a source.
#[derive(Default)]
pub struct Compared {
    /// Drafts without a stored memory.
    pub fresh: Vec<Draft>,
    /// The changes for memories that moved, or got tags.
    pub moves: Vec<Change>,
    /// Number of drafts with a stored memory.
    pub kept: u32,
}

impl Unseen {
    /// Adds a stored memory; the last one of the source first.
    pub fn add(&mut self, memory: &Memory) {
        let &Memory { node, ordinal, lines, .. } = memory;
        let known = Known { node, ordinal, lines, tags: memory.tags.clone() };
        self.0.entry(ContentKey::of_memory(memory)).or_default().push(known);
    }

    /// Takes out the memories of these drafts.
    pub fn compare(&mut self, drafts: Vec<Draft>) -> Compared {
        let mut compared = Compared::default();
        for draft in number_ordinals(drafts) {
            let Some(known) = self.0.get_mut(&ContentKey::of_draft(&draft)).and_then(Vec::pop) else {
                compared.fresh.push(draft);
                continue;
            };
            compared.kept += 1;
            let ordinal = draft.ordinal.unwrap_or(known.ordinal);
            if ordinal != known.ordinal || draft.lines != known.lines {
                let change = Change::MoveMemory { memory: known.node, ordinal, lines: draft.lines };
                compared.moves.push(change);
            }
            let mut tags = draft.tags;
            tags.retain(|tag| !known.tags.contains(tag));
            if !tags.is_empty() {
                compared.moves.push(Change::AddTags { memory: known.node, tags });
            }
        }
        compared
    }

    /// Takes out the remaining memories, ascending.
    pub fn take_all(&mut self) -> Vec<Node> {
        let mut nodes: Vec<Node> = self.0.drain().flat_map(|(_, all)| all).map(|known| known.node).collect();
        nodes.sort();
        nodes
    }
}

/// Identifies a memory within its source: a digest of text, headings, speaker, session, and of the time if
/// the source gives one (a file's own time changes with each save).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ContentKey([u8; 16]);

impl ContentKey {
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
            // An impossible length represents a missing part.
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

/// Numbers drafts without an ordinal in their order within the session.
fn number_ordinals(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut next: HashMap<Option<String>, u32> = HashMap::new();
    for draft in &mut drafts {
        let next = next.entry(draft.session.clone()).or_default();
        let ordinal = *draft.ordinal.get_or_insert(*next);
        *next = ordinal.saturating_add(1).min(Memory::LAST_ORDINAL);
    }
    drafts
}
