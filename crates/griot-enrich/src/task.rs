//! One thing to ask a language model about memories, and what is needed to ask it.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use griot::Engine;
use griot::model::{Mark, Memory, ReadingTask, Result, Timestamp, mark_of_memory};
use griot::remember::reading::ReadingDraft;
use griot_models::{Failure, FailureKind, LanguageModel, Ledger, Question, Run};
use serde_json::Value;

use crate::shown::Shown;

/// Memories that are read together.
pub(crate) struct Group {
    pub(crate) memories: Vec<Memory>,
    /// Until then they are left for a later run.
    pub(crate) wait: Option<Timestamp>,
}

/// One thing to ask about memories.
pub(crate) trait Task: Sync {
    fn kind(&self) -> ReadingTask;
    fn version(&self) -> u32;
    /// Memories in one request.
    fn batch(&self) -> usize;
    /// Requests about one batch, at most.
    fn questions(&self) -> usize;
    /// Whether memories have to be read together; [`Task::group`] says which.
    fn is_grouped(&self) -> bool {
        false
    }
    /// The memories that have to be read together with an unread one, itself among them, without those that
    /// this run has `taken` already.
    fn group(&self, _engine: &Engine, first: &Memory, _taken: &HashSet<u32>) -> Result<Group> {
        Ok(Group { memories: vec![first.clone()], wait: None })
    }
    /// Those of the memories that can be asked about now; the others are left for a later run.
    fn ready(&self, memories: Vec<Memory>, _shown: &Shown<'_>) -> Result<Vec<Memory>> {
        Ok(memories)
    }
    /// The longest of the requests about these memories, for an estimate; `None` if there is nothing to ask.
    fn request(&self, memories: &[Memory], shown: &Shown<'_>) -> Result<Option<Request>>;
    /// Asks, and returns what was said about each memory.
    fn read(&self, memories: &[Memory], asking: &Asking<'_>) -> Result<Vec<ReadingDraft>, Failure>;
}

/// A request as a task makes it.
pub(crate) struct Request {
    pub(crate) purpose: &'static str,
    pub(crate) version: u32,
    pub(crate) task: String,
    pub(crate) content: String,
    /// Memories or pairs that the reply has to be about.
    pub(crate) about: usize,
    pub(crate) form: &'static str,
    pub(crate) schema: Option<Value>,
}

impl Request {
    pub(crate) fn question<'a>(&'a self, memories: &'a [Mark]) -> Question<'a> {
        Question {
            purpose: self.purpose,
            version: self.version,
            task: &self.task,
            content: &self.content,
            form: self.form,
            schema: self.schema.as_ref(),
            can_wait: true,
            memories,
        }
    }
}

/// Whether a failure comes from the texts that were sent, so that others may still succeed.
pub(crate) fn is_about_texts(kind: FailureKind) -> bool {
    use FailureKind::{Refused, TooLarge, Truncated, Unreadable};
    matches!(kind, Refused | Unreadable | Truncated | TooLarge)
}

/// What is needed to ask: one for a run, shared by its threads.
pub(crate) struct Asking<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) shown: Shown<'a>,
    model: &'a LanguageModel,
    pub(crate) ledger: Ledger,
    pub(crate) run: &'a Run,
    skipped: AtomicU32,
    /// Some question was answered.
    answered: AtomicBool,
}

impl<'a> Asking<'a> {
    pub(crate) fn new(
        engine: &'a Engine,
        database: &Path,
        model: &'a LanguageModel,
        run: &'a Run,
    ) -> Result<Self> {
        Ok(Self {
            engine,
            shown: Shown::new(engine, &engine.settings().model)?,
            model,
            ledger: Ledger::for_database(database)?,
            run,
            skipped: AtomicU32::new(0),
            answered: AtomicBool::new(false),
        })
    }

    /// Asks with these `memories` in the content. A reply that was cut is of use if it is about one thing: of
    /// several, nothing says which of them it was about to name.
    pub(crate) fn ask<T>(
        &self,
        request: &Request,
        memories: &[Memory],
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> Result<T, Failure> {
        let marks: Vec<_> = memories.iter().map(|memory| mark_of_memory(memory.id)).collect();
        let question = request.question(&marks);
        let still = || memories.iter().all(|memory| self.engine.owner_of(&memory.id.to_string()).is_ok());
        let got = self.model.ask(&self.ledger, self.run, &question, read, &still)?;
        self.answered.store(true, Ordering::Relaxed);
        if got.truncated && request.about > 1 {
            let why = format!("the reply about {} texts was cut", request.about);
            return Err(Failure::new(FailureKind::Truncated, why)
                .hint("griot config set model.max_output_tokens NUMBER, larger than now"));
        }
        Ok(got.value)
    }

    /// Whether some question of the run was answered, so that what is rejected is so for its texts.
    pub(crate) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Notes parts of a reply that could not be read.
    pub(crate) fn skipped(&self, parts: u32) {
        self.skipped.fetch_add(parts, Ordering::Relaxed);
    }

    /// How many parts there were.
    pub(crate) fn all_skipped(&self) -> u32 {
        self.skipped.load(Ordering::Relaxed)
    }
}
