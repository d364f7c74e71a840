//! What became of a conversation, as memories of their own.
//!
//! A conversation is read as a whole, once no one has spoken in it for an hour; what is said later is read as
//! its next part. Each observation names the turns that say so. Observations and the marks that the turns
//! were read are one transaction, so that no turn is observed twice.

mod form;
mod marks;

use std::collections::HashSet;

use griot::Engine;
use griot::engine::EnrichSettings;
use griot::model::{Memory, ReadingOutcome, ReadingTask, Result, Timestamp};
use griot::remember::reading::{Observed, ReadingDraft};
use griot_models::Failure;
use serde_json::{Value, json};

use crate::reply::in_form;
use crate::shown::{CHARACTERS, Shown};
use crate::task::{Asking, Group, Request, Task};

pub use form::{Observation, Observations, Triple, read};

const TASK: &str = include_str!("task.md");
const MARKS: &str = include_str!("marks.md");
const JSON: &str = include_str!("json.md");
/// Version of the texts above and of the form of request and reply.
const VERSION: u32 = 1;
const PURPOSE: &str = "sessions";
/// How long no one has spoken in a conversation that is over.
const SILENCE: i64 = Timestamp::HOUR;
/// Characters of a turn that are sent beside its text, for its speaker and time.
const AROUND: usize = 80;

pub(crate) struct Sessions<'a> {
    pub(crate) settings: &'a EnrichSettings,
    /// Tokens of texts in one request.
    pub(crate) tokens: usize,
}

impl Task for Sessions<'_> {
    fn kind(&self) -> ReadingTask {
        ReadingTask::Sessions
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn batch(&self) -> usize {
        1
    }

    fn questions(&self) -> usize {
        1
    }

    fn is_grouped(&self) -> bool {
        true
    }

    fn group(&self, engine: &Engine, first: &Memory, taken: &HashSet<u32>) -> Result<Group> {
        let session = engine.session_of(first, ReadingTask::Sessions)?;
        let over_at = session.last_at.map(|at| Timestamp(at.0.saturating_add(SILENCE)));
        let wait = over_at.filter(|at| engine.now() < *at);
        let mut memories = session.alike;
        memories.retain(|memory| !taken.contains(&memory.node.number()));
        if wait.is_none() {
            memories.truncate(fitting(&memories, self.tokens.saturating_mul(CHARACTERS)));
        }
        Ok(Group { memories, wait })
    }

    fn request(&self, memories: &[Memory], shown: &Shown<'_>) -> Result<Option<Request>> {
        Ok(Some(self.asked(memories, shown)))
    }

    fn read(&self, memories: &[Memory], asking: &Asking<'_>) -> Result<Vec<ReadingDraft>, Failure> {
        let found = asking.ask(&self.asked(memories, &asking.shown), memories, read)?;
        let (observed, groundless) = observed(found.found, memories);
        asking.skipped(found.skipped + groundless);
        let mut observed = Some(observed);
        // They are of the first turn, so that they are stored with the marks or not at all.
        Ok(memories
            .iter()
            .map(|memory| ReadingDraft {
                observed: observed.take().unwrap_or_default(),
                ..ReadingDraft::new(memory.id, ReadingTask::Sessions, VERSION, ReadingOutcome::Read)
            })
            .collect())
    }
}

impl Sessions<'_> {
    fn asked(&self, memories: &[Memory], shown: &Shown<'_>) -> Request {
        let (task, schema) = in_form(self.settings.reply, [TASK, JSON, MARKS], form::schema());
        Request {
            purpose: PURPOSE,
            version: VERSION,
            task,
            content: content(memories, shown),
            about: memories.len(),
            form: "observations",
            schema,
        }
    }
}

/// How many turns fit into a request, at least one.
fn fitting(turns: &[Memory], characters: usize) -> usize {
    let mut sum = 0usize;
    let sizes = turns.iter().map(|turn| turn.text.chars().count() + AROUND);
    let fit = sizes.take_while(|size| {
        sum = sum.saturating_add(*size);
        sum <= characters
    });
    fit.count().max(1)
}

fn content(turns: &[Memory], shown: &Shown<'_>) -> String {
    let turns = turns.iter().enumerate().map(|(at, memory)| {
        let mut turn = shown.passage(memory);
        turn["turn"] = Value::from(at + 1);
        turn
    });
    json!({"turns": turns.collect::<Vec<_>>()}).to_string()
}

/// The observations of these turns, and how many name none of them.
fn observed(found: Vec<Observation>, turns: &[Memory]) -> (Vec<Observed>, u32) {
    let mut groundless = 0;
    let observed = found.into_iter().filter_map(|one| {
        let about: Vec<_> = one.turns.iter().filter_map(|turn| Some(turns.get(turn - 1)?.id)).collect();
        if about.is_empty() {
            groundless += 1;
            return None;
        }
        Some(Observed {
            text: one.text(),
            kind: one.kind.clone(),
            tags: one.concepts.clone(),
            about,
            facts: one.facts(),
        })
    });
    let observed = observed.collect();
    (observed, groundless)
}
