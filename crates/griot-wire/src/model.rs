//! The language model of a workspace, as answers speak of it: its failures, what it has not read, whether it
//! is behind.

use std::collections::BTreeMap;

use griot::engine::{Engine, ModelProvider};
use griot::model::{ReadingTask, Result};
use griot::recall::Missing;
use griot_models::{Failure, FailureKind};

use crate::answer::ModelFailure;
use crate::call::Call;

/// The failure as an answer has it.
pub(crate) fn failed(call: &Call, failure: Failure) -> ModelFailure {
    let Failure { kind, why, hint, .. } = shown_to(call, failure);
    ModelFailure { kind: kind.name().to_string(), why, hint }
}

/// The failure without files and addresses of this machine, if the caller may be on another one.
pub(crate) fn shown_to(call: &Call, mut failure: Failure) -> Failure {
    if call.is_remote() {
        failure.hint = None;
        match failure.kind {
            FailureKind::Misconfigured => failure.why = "its settings are not complete".to_string(),
            FailureKind::Ledger => failure.why = "its ledger cannot be used".to_string(),
            _ => {}
        }
    }
    failure
}

/// The tasks of the settings; none without a model.
fn tasks_on(engine: &Engine) -> Vec<ReadingTask> {
    match engine.settings().model.provider {
        ModelProvider::Off => Vec::new(),
        _ => griot_enrich::tasks_on(engine.settings()),
    }
}

/// The name of the language model of the settings; `None` where they set none.
pub fn model_named(engine: &Engine) -> Option<String> {
    let model = &engine.settings().model;
    (model.provider != ModelProvider::Off && !model.name.is_empty()).then(|| model.name.clone())
}

/// How many memories the language model of the settings has not read, by task; empty without a model. Looks
/// at each of them.
pub fn unread(engine: &Engine) -> Result<BTreeMap<String, u64>> {
    let mut unread = BTreeMap::new();
    for task in tasks_on(engine) {
        let count = engine.unread_count(task)?;
        if count > 0 {
            unread.insert(task.name().to_string(), count);
        }
    }
    Ok(unread)
}

/// Whether reading is to keep up with one of these tasks, and has not.
pub(crate) fn is_behind(engine: &Engine, is_meant: impl Fn(ReadingTask) -> bool) -> Result<bool> {
    if engine.settings().enrich.background {
        for task in tasks_on(engine).into_iter().filter(|task| is_meant(*task)) {
            if engine.has_unread(task)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The sentence for an answer that could not use what is still to be read, where reading is to keep up. An
/// answer does not fail because this is unknown.
pub(crate) fn behind(call: &Call) -> Option<Missing> {
    // What is unread outside of the view is nothing that the answer lacks, or that its caller may know. A
    // conversation is read once it is over, so its turns are never all read.
    let is_behind = is_behind(&call.engine, |task| task != ReadingTask::Sessions).unwrap_or(false);
    let part = "the language model is behind: it has not read all memories yet".to_string();
    is_behind.then_some(Missing { part, why: None })
}
