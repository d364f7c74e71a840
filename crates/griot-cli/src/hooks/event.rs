//! The event that a host sends to a hook, and the workspace that the event belongs to.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use griot::engine::{Engine, Settings};
use griot::model::{Error, Result, Scope};
use serde::{Deserialize, Serialize};

use crate::repository;
use crate::session::{Session, Use};

/// The agent whose settings apply: hooks are written for Claude Code.
pub const AGENT: &str = "claude-code";
/// Bytes of standard input to read; a prompt typed by a person is never longer.
const MAX_INPUT: u64 = 32 * 1024 * 1024;

/// The event on standard input, in Claude Code's format. Other fields are ignored.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
#[serde(default)]
pub struct Event {
    pub session_id: String,
    pub transcript_path: PathBuf,
    pub cwd: PathBuf,
    pub hook_event_name: String,
    pub prompt: String,
}

/// The least value of the setting `embedder.question_timeout_ms`.
const LEAST_TIMEOUT: u64 = 50;

impl Event {
    pub fn read() -> Result<Self> {
        const WHAT: &str = "read the event on standard input";
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(MAX_INPUT + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Error::unavailable(WHAT, error.to_string()))?;
        if bytes.len() as u64 > MAX_INPUT {
            return Err(Error::invalid(WHAT, format!("it is longer than {MAX_INPUT} bytes")));
        }
        let odd = |error: serde_json::Error| Error::invalid(WHAT, error.to_string());
        let mut fields: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&bytes).map_err(odd)?;
        // A host without a transcript may say so.
        fields.retain(|_, value| !value.is_null());
        serde_json::from_value(fields.into()).map_err(odd)
    }

    /// The working directory of the host, if it named one.
    pub fn folder(&self) -> Option<&Path> {
        Some(self.cwd.as_path()).filter(|folder| folder.is_absolute())
    }
}

/// Opens the workspace of the host's folder for reading; `None` if it does not exist yet.
pub fn open(
    session: &Session,
    event: &Event,
    within: &dyn Fn(Duration),
) -> Result<Option<(Engine, Settings, Scope)>> {
    let folder = event.folder();
    let target = session.target_for(folder)?;
    let settings = session.settings_of(&target, AGENT)?;
    within(Duration::from_millis(settings.hooks.timeout_ms));
    if !target.database.exists() {
        return Ok(None);
    }
    // A server that is slow to embed the prompt leaves time to answer without vectors.
    let most = (settings.hooks.timeout_ms / 2).max(LEAST_TIMEOUT).min(settings.embedder.question_timeout_ms);
    let session = session.with_setting(format!("embedder.question_timeout_ms={most}"));
    // A prompt does not wait for the order.
    let session = session.with_setting("reranker.provider=off".to_string());
    let engine = session.open_target(&target, Use::Read)?;
    let engine = engine.for_agent(AGENT).unwrap_or(engine);
    Ok(Some((engine, settings, Scope { user: None, project: folder.and_then(repository::project) })))
}
