//! Names and relations that a language model reads out of texts.
//!
//! A reply is JSON or lines with delimiters; both are read, whichever was asked for. What cannot be read is
//! skipped and counted. Whether the text contains the names is decided where they are stored.

mod form;
mod lines;

use griot::engine::EnrichSettings;
use griot::model::{Memory, ReadingOutcome, ReadingTask, Result, Said};
use griot::remember::reading::ReadingDraft;
use griot_models::{Failure, FailureKind};
use serde_json::{Value, json};

use crate::reply::in_form;
use crate::shown::Shown;
use crate::task::{Asking, Request, Task, is_about_texts};

pub use form::Extracted;

const TASK: &str = include_str!("task.md");
const GLEANING: &str = include_str!("gleaning.md");
const LINES: &str = include_str!("lines.md");
/// Version of the texts above and of the form of request and reply.
const VERSION: u32 = 1;
const PURPOSE: &str = "extraction";

/// Reads any reply to `passages` numbered from 1: an object, or lines with delimiters.
pub fn read(reply: &Value, passages: usize) -> Result<Extracted, String> {
    match reply {
        Value::String(text) => lines::read(text, passages),
        object => form::read(object, passages),
    }
}

pub(crate) struct Extraction<'a> {
    pub(crate) settings: &'a EnrichSettings,
}

impl Task for Extraction<'_> {
    fn kind(&self) -> ReadingTask {
        ReadingTask::Extraction
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn batch(&self) -> usize {
        self.settings.batch
    }

    fn questions(&self) -> usize {
        1 + self.settings.gleaning
    }

    fn request(&self, memories: &[Memory], shown: &Shown<'_>) -> Result<Option<Request>> {
        Ok(Some(self.asked(memories, shown, TASK, None)))
    }

    fn read(&self, memories: &[Memory], asking: &Asking<'_>) -> Result<Vec<ReadingDraft>, Failure> {
        let mut found = self.ask(memories, asking, TASK, None)?;
        let mut outcome = ReadingOutcome::Read;
        for _ in 0..self.settings.gleaning {
            if found.is_empty() {
                break;
            }
            match self.ask(memories, asking, GLEANING, Some(&found)) {
                Ok(more) if more.is_empty() => break,
                Ok(more) => found.add(more),
                Err(failure) => {
                    outcome = without_second_look(failure, memories.len())?;
                    break;
                }
            }
        }
        asking.skipped(found.skipped);
        let drafts = memories.iter().zip(found.passages).map(|(memory, said)| ReadingDraft {
            said,
            ..ReadingDraft::new(memory.id, ReadingTask::Extraction, VERSION, outcome)
        });
        Ok(drafts.collect())
    }
}

impl Extraction<'_> {
    fn asked(
        &self,
        memories: &[Memory],
        shown: &Shown<'_>,
        task: &str,
        found: Option<&Extracted>,
    ) -> Request {
        let schema = form::schema(&self.settings.entity_types, &self.settings.relation_types);
        let (task, schema) = in_form(self.settings.reply, [task, "", LINES], schema);
        Request {
            purpose: PURPOSE,
            version: VERSION,
            task,
            content: self.content(memories, shown, found),
            about: memories.len(),
            form: "names",
            schema,
        }
    }

    fn content(&self, memories: &[Memory], shown: &Shown<'_>, found: Option<&Extracted>) -> String {
        let passages = memories.iter().enumerate().map(|(at, memory)| {
            let mut passage = shown.one_of(memories.len(), memory);
            passage["number"] = Value::from(at + 1);
            if let Some(found) = found {
                passage["found"] = found.names(at).into();
            }
            passage
        });
        let passages: Vec<Value> = passages.collect();
        let settings = self.settings;
        json!({"types": settings.entity_types, "relations": settings.relation_types, "passages": passages})
            .to_string()
    }

    fn ask(
        &self,
        memories: &[Memory],
        asking: &Asking<'_>,
        task: &str,
        found: Option<&Extracted>,
    ) -> Result<Extracted, Failure> {
        let request = self.asked(memories, &asking.shown, task, found);
        let is_json = request.schema.is_some();
        asking.ask(&request, memories, |reply| match read(reply, memories.len())? {
            // Of what it may have overlooked, a reply need not speak.
            read if found.is_none() && !read.missing.is_empty() => {
                Err(format!("it does not speak of {} of the texts", read.missing.len()))
            }
            // Where an object was asked for, words without a record are no way to say that there is nothing.
            found if is_json && reply.is_string() && found.is_empty() => Err("there is no name in it".into()),
            found if found.is_empty() && found.skipped > 0 => Err("no entry of it can be read".into()),
            found => Ok(found),
        })
    }
}

/// The outcome of memories whose names were found, and that could not be asked about again. What was found is
/// worth more than what a second look may add, so a failure for their texts costs only that. Any other ends
/// the run: the first reply is kept, and is not paid again.
fn without_second_look(failure: Failure, memories: usize) -> Result<ReadingOutcome, Failure> {
    match failure.kind {
        FailureKind::Refused => Ok(ReadingOutcome::Refused),
        // Fewer texts may fit.
        FailureKind::Truncated | FailureKind::TooLarge if memories > 1 => Err(failure),
        // Its first request was accepted.
        FailureKind::Rejected => Ok(ReadingOutcome::Unreadable),
        kind if is_about_texts(kind) => Ok(ReadingOutcome::Unreadable),
        _ => Err(failure),
    }
}

/// The names among statements.
fn names(said: &[Said]) -> impl Iterator<Item = &String> {
    said.iter().filter_map(|said| match said {
        Said::Entity { name, .. } => Some(name),
        _ => None,
    })
}
