//! Notes on memories, links with their neighbours, and earlier notes that a new memory changes.
//!
//! Three questions for each memory: what is it about, what connects it with the memories that are most
//! similar, and, if a link is strong, whether the neighbours' notes should say so. Nothing is overwritten: a
//! changed note is one more reading of the neighbour, by the memory that led to it.

mod form;

use griot::engine::EnrichSettings;
use griot::model::{EdgeKind, Memory, MemoryId, ReadingOutcome, ReadingTask, Said};
use griot::remember::reading::{ReadingDraft, SaidLink};
use griot_models::{Failure, FailureKind};
use serde_json::{Value, json};

use crate::reply::in_form;
use crate::shown::Shown;
use crate::task::{Asking, Request, Task, is_about_texts};

pub use form::{AboutNeighbours, Link, Note, read_evolution, read_links, read_note};

const NOTE: &str = include_str!("note.md");
const LINKS: &str = include_str!("links.md");
const EVOLUTION: &str = include_str!("evolution.md");
/// Version of the texts above and of the form of request and reply.
const VERSION: u32 = 1;
const PURPOSE: &str = "notes";
/// A link of less confidence is none: it is more likely wrong than right.
const LEAST: f32 = 0.5;
/// Confidence of a link from which the note of the neighbour may change: a quarter of the links that a strong
/// model stated between 62 memories about one conversation.
const STRONG: f32 = 0.7;

pub(crate) struct Notes<'a> {
    pub(crate) settings: &'a EnrichSettings,
}

impl Task for Notes<'_> {
    fn kind(&self) -> ReadingTask {
        ReadingTask::Notes
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn batch(&self) -> usize {
        1
    }

    fn questions(&self) -> usize {
        if self.settings.neighbours == 0 { 1 } else { 3 }
    }

    fn request(&self, memories: &[Memory], shown: &Shown<'_>) -> griot::Result<Option<Request>> {
        let mut content = String::new();
        for memory in memories {
            let near = self.near(memory, shown)?;
            let all = std::iter::once(memory).chain(&near);
            content.extend(all.map(|memory| shown.one_of(1 + near.len(), memory).to_string()));
        }
        Ok(Some(self.asked(EVOLUTION, content, ("evolution", form::evolution_schema()))))
    }

    fn read(&self, memories: &[Memory], asking: &Asking<'_>) -> Result<Vec<ReadingDraft>, Failure> {
        let mut drafts = Vec::new();
        for memory in memories {
            drafts.extend(self.of_memory(memory, asking)?);
        }
        Ok(drafts)
    }
}

impl Notes<'_> {
    /// The memory's own reading, and one for each neighbour whose note changes.
    fn of_memory(&self, memory: &Memory, asking: &Asking<'_>) -> Result<Vec<ReadingDraft>, Failure> {
        let content = asking.shown.passage(memory).to_string();
        let request = self.asked(NOTE, content, ("note", form::note_schema()));
        let note = asking.ask(&request, std::slice::from_ref(memory), read_note)?;
        let own = ReadingDraft::new(memory.id, ReadingTask::Notes, VERSION, ReadingOutcome::Read);
        let mut drafts = vec![ReadingDraft { said: note.said(), ..own }];
        let near = self.near(memory, &asking.shown)?;
        if near.is_empty() {
            return Ok(drafts);
        }
        let Some(links) = usable(self.links(memory, &near, asking))? else { return Ok(drafts) };
        drafts[0].links = links.iter().map(|link| said_link(memory, &near[link.neighbour], link)).collect();
        if let Some(changed) = usable(self.evolution(memory, &near, &links, asking))? {
            drafts.extend(changed.into_iter().map(|(neighbour, said)| ReadingDraft {
                said,
                by: Some(memory.id),
                ..ReadingDraft::new(neighbour, ReadingTask::Notes, VERSION, ReadingOutcome::Read)
            }));
        }
        Ok(drafts)
    }

    /// The neighbours that may be sent.
    fn near(&self, memory: &Memory, shown: &Shown<'_>) -> griot::Result<Vec<Memory>> {
        let mut near = shown.engine.neighbours(memory, self.settings.neighbours)?;
        near.retain(|neighbour| shown.admits(neighbour));
        Ok(near)
    }

    fn links(&self, memory: &Memory, near: &[Memory], asking: &Asking<'_>) -> Result<Vec<Link>, Failure> {
        let texts = 1 + near.len();
        let neighbours = near.iter().enumerate().map(|(at, neighbour)| {
            let mut passage = asking.shown.one_of(texts, neighbour);
            passage["neighbour"] = Value::from(at);
            passage
        });
        let neighbours: Vec<Value> = neighbours.collect();
        let own = asking.shown.one_of(texts, memory);
        let content = json!({"memory": own, "neighbours": neighbours}).to_string();
        let request = self.asked(LINKS, content, ("links", form::links_schema()));
        let links =
            asking.ask(&request, &with(memory, near), |reply: &Value| read_links(reply, near.len()))?;
        asking.skipped(links.skipped);
        Ok(links.found.into_iter().filter(|link| link.confidence >= LEAST).collect())
    }

    /// What changes in the notes of strongly linked neighbours. A neighbour without a note has none to
    /// change, and one that others may see learns nothing from the memory of a user.
    fn evolution(
        &self,
        memory: &Memory,
        near: &[Memory],
        links: &[Link],
        asking: &Asking<'_>,
    ) -> Result<Vec<(MemoryId, Vec<Said>)>, Failure> {
        let strong = links.iter().filter(|link| link.confidence >= STRONG).map(|link| &near[link.neighbour]);
        let (mut asked, mut shown) = (Vec::new(), Vec::new());
        for neighbour in strong.filter(|one| one.scope.may_know(&memory.scope)) {
            let notes = asking.engine.notes(&neighbour.id.to_string())?;
            let Some(note) = notes.into_iter().find(|note| note.counts) else { continue };
            let mut passage = asking.shown.one_of(1 + near.len(), neighbour);
            passage["neighbour"] = Value::from(asked.len());
            passage["keywords"] = note.keywords.into();
            passage["tags"] = note.tags.into();
            passage["context"] = note.context.into();
            shown.push(passage);
            asked.push(neighbour.clone());
        }
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let own = asking.shown.one_of(1 + near.len(), memory);
        let content = json!({"memory": own, "neighbours": shown}).to_string();
        let request = self.asked(EVOLUTION, content, ("evolution", form::evolution_schema()));
        let changes =
            asking.ask(&request, &with(memory, &asked), |reply| read_evolution(reply, asked.len()))?;
        asking.skipped(changes.skipped);
        Ok(changes.found.into_iter().map(|(at, note)| (asked[at].id, note.said())).collect())
    }

    fn asked(&self, task: &str, content: String, (form, schema): (&'static str, Value)) -> Request {
        let (task, schema) = in_form(self.settings.reply, [task, "", ""], schema);
        Request { purpose: PURPOSE, version: VERSION, task, content, about: 1, form, schema }
    }
}

/// `None` if this reply is of no use: what was found before is kept. Other failures end the run, and the
/// replies so far are not paid again.
fn usable<T>(asked: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match asked {
        Ok(found) => Ok(Some(found)),
        Err(failure) if is_about_texts(failure.kind) || failure.kind == FailureKind::Rejected => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn with(memory: &Memory, others: &[Memory]) -> Vec<Memory> {
    std::iter::once(memory).chain(others).cloned().collect()
}

/// Of two memories that caused one another, the earlier one is the cause.
fn said_link(memory: &Memory, neighbour: &Memory, link: &Link) -> SaidLink {
    let is_later = neighbour.occurred_at <= memory.occurred_at;
    let (source, target) = match link.kind {
        EdgeKind::Causal if is_later => (neighbour.id, memory.id),
        _ => (memory.id, neighbour.id),
    };
    SaidLink {
        source,
        target,
        kind: link.kind,
        label: None,
        confidence: link.confidence,
        reason: Some(link.reason.clone()),
    }
}
