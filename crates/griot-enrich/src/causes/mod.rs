//! What a memory followed from, and what it replaces.
//!
//! A model is not asked about all pairs: for each memory it gets the earlier ones that `remember` offered, or
//! would offer. It decides, and what is sure enough becomes an edge. What it denies is not refused: an offer
//! stays open for people.

mod decided;
mod sheet;

use griot::engine::EnrichSettings;
use griot::model::{Memory, ReadingTask, Result};
use griot::remember::reading::ReadingDraft;
use griot_models::Failure;

use crate::reply::in_form;
use crate::shown::Shown;
use crate::task::{Asking, Request, Task};

pub use decided::{Decided, Decision, Relation, Texts, read};
pub use sheet::Sheet;

const TASK: &str = include_str!("task.md");
const ARRAY: &str = include_str!("array.md");
/// Version of the texts above and of the form of request and reply.
pub const VERSION: u32 = 1;

pub(crate) struct Causes<'a> {
    pub(crate) settings: &'a EnrichSettings,
}

impl Causes<'_> {
    fn asked(&self, sheet: &Sheet, about: usize, shown: &Shown<'_>) -> Option<Request> {
        let (task, schema) = in_form(self.settings.reply, [TASK, "", ARRAY], decided::schema());
        (!sheet.is_empty()).then(|| Request {
            purpose: "causes",
            version: VERSION,
            task,
            content: sheet.content(shown),
            about,
            form: "decisions",
            schema,
        })
    }
}

fn sheet(memories: &[Memory], shown: &Shown<'_>) -> Result<Sheet> {
    Sheet::of(shown.engine, memories, &|memory| shown.admits(memory))
}

impl Task for Causes<'_> {
    fn kind(&self) -> ReadingTask {
        ReadingTask::Causes
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

    fn request(&self, memories: &[Memory], shown: &Shown<'_>) -> Result<Option<Request>> {
        Ok(self.asked(&sheet(memories, shown)?, memories.len(), shown))
    }

    fn read(&self, memories: &[Memory], asking: &Asking<'_>) -> Result<Vec<ReadingDraft>, Failure> {
        let sheet = sheet(memories, &asking.shown)?;
        let mut decided = Decided::default();
        if let Some(request) = self.asked(&sheet, memories.len(), &asking.shown) {
            decided = asking.ask(&request, &sheet.sent(), |reply| read(reply, sheet.texts()))?;
            asking.skipped(decided.skipped);
        }
        Ok(sheet.drafts(&decided, self.settings.least_confidence, VERSION))
    }
}
