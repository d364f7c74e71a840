//! Lasting facts: statements with one of the fixed predicates.
//!
//! Whether the text contains subject and object is decided where they are stored. A fact holds from the time
//! of its memory; what contradicts it is listed and never resolved.

mod stated;

use std::collections::HashSet;

use griot::engine::EnrichSettings;
use griot::model::{Memory, ReadingOutcome, ReadingTask, Result, Timestamp, normal_name};
use griot::remember::reading::{self, ReadingDraft};
use griot::text;
use griot_models::Failure;
use serde_json::{Value, json};

use crate::reply::in_form;
use crate::shown::{Shown, clean};
use crate::task::{Asking, Request, Task};

pub use stated::{Stated, read};

const TASK: &str = include_str!("task.md");
const BLOCKS: &str = include_str!("blocks.md");
/// Version of the texts above and of the form of request and reply.
pub const VERSION: u32 = 1;

/// Kinds that report an edit of files. What lasts of it is in the decision or the problem behind it, as
/// ClawMem holds it, too.
const EDITS: [&str; 3] = ["bugfix", "change", "refactor"];
/// Kinds that hold whatever was written or said, most of it no fact.
const RAW: [&str; 2] = [Memory::PASSAGE, "turn"];

pub(crate) struct Facts<'a> {
    pub(crate) settings: &'a EnrichSettings,
}

/// Whether a memory may state a fact. What a caller chose to keep may, whatever its kind. A passage or a turn
/// needs something that a fact could be about: a name besides that of its speaker, or the form of a wish.
/// Nothing else in it would become a fact, since both ends have to be named, and asking costs as much.
fn is_asked(memory: &Memory, names: &[String]) -> bool {
    let kind = memory.kind.as_str();
    let speaker = memory.speaker.as_deref().map(normal_name);
    let is_other = |name: &String| Some(normal_name(name)) != speaker;
    let is_wish = || memory.speaker.is_some() && text::states_wish(&memory.text);
    !EDITS.contains(&kind) && (!RAW.contains(&kind) || names.iter().any(is_other) || is_wish())
}

/// The memories that are asked about, with the names in them.
fn asked<'a>(memories: &'a [Memory], shown: &Shown<'_>) -> Result<Vec<(&'a Memory, Vec<String>)>> {
    let nodes: Vec<_> = memories.iter().map(|memory| memory.node).collect();
    let named = memories.iter().zip(shown.engine.mentioned(&nodes)?);
    let mut asked: Vec<_> = named.filter(|(memory, names)| is_asked(memory, names)).collect();
    // After a merge, an entity may have its name from the memory of a user.
    for (memory, names) in &mut asked {
        names.retain(|name| reading::has_name(memory, name));
    }
    Ok(asked)
}

fn content(asked: &[(&Memory, Vec<String>)], shown: &Shown<'_>) -> String {
    let passages = asked.iter().enumerate().map(|(at, (memory, names))| {
        let mut passage = shown.one_of(asked.len(), memory);
        passage["number"] = Value::from(at + 1);
        passage["names"] = names.iter().map(|name| clean(name)).collect();
        passage
    });
    json!({"passages": passages.collect::<Vec<_>>()}).to_string()
}

impl Facts<'_> {
    fn asked(&self, asked: &[(&Memory, Vec<String>)], shown: &Shown<'_>) -> Option<Request> {
        let (task, schema) = in_form(self.settings.reply, [TASK, "", BLOCKS], stated::schema());
        (!asked.is_empty()).then(|| Request {
            purpose: "facts",
            version: VERSION,
            task,
            content: content(asked, shown),
            about: asked.len(),
            form: "facts",
            schema,
        })
    }
}

impl Task for Facts<'_> {
    fn kind(&self) -> ReadingTask {
        ReadingTask::Facts
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn batch(&self) -> usize {
        self.settings.batch
    }

    fn questions(&self) -> usize {
        1
    }

    /// Without those that are not asked about yet, because the names in them are still to be read.
    fn ready(&self, mut memories: Vec<Memory>, shown: &Shown<'_>) -> Result<Vec<Memory>> {
        if !self.settings.extraction {
            return Ok(memories);
        }
        let asked: HashSet<_> = asked(&memories, shown)?.into_iter().map(|(memory, _)| memory.node).collect();
        let may_wait = |one: &&Memory| RAW.contains(&one.kind.as_str()) && !asked.contains(&one.node);
        let waiting: Vec<Memory> = memories.iter().filter(may_wait).cloned().collect();
        // A text that the model declined or did not get gets no names later.
        let since = Timestamp(i64::MIN);
        let waiting = shown.engine.still_unread(ReadingTask::Extraction, waiting, since)?;
        memories.retain(|memory| waiting.iter().all(|one| one.node != memory.node));
        Ok(memories)
    }

    fn request(&self, memories: &[Memory], shown: &Shown<'_>) -> Result<Option<Request>> {
        Ok(self.asked(&asked(memories, shown)?, shown))
    }

    fn read(&self, memories: &[Memory], asking: &Asking<'_>) -> Result<Vec<ReadingDraft>, Failure> {
        let asked = asked(memories, &asking.shown)?;
        let mut stated = Stated::default();
        if let Some(request) = self.asked(&asked, &asking.shown) {
            let sent: Vec<Memory> = asked.iter().map(|(memory, _)| (*memory).clone()).collect();
            stated = asking.ask(&request, &sent, |reply| read(reply, sent.len()))?;
            asking.skipped(stated.skipped + stated.unknown);
        }
        let mut facts = asked.iter().zip(stated.passages).peekable();
        let drafts = memories.iter().map(|memory| ReadingDraft {
            facts: facts
                .next_if(|((asked, _), _)| asked.id == memory.id)
                .map_or(Vec::new(), |(_, facts)| facts),
            ..ReadingDraft::new(memory.id, ReadingTask::Facts, VERSION, ReadingOutcome::Read)
        });
        Ok(drafts.collect())
    }
}
