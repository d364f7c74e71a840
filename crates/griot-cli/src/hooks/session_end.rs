//! Stores a session's transcript as memories of a chat source.
//!
//! The transcript's path is the source. The source is made to hold what the transcript holds, so a
//! continued session adds only what is new, and the same transcript again adds nothing.

use std::path::PathBuf;

use griot::model::{Error, Result, Scope};
use griot_ingest::{Format, ReadOptions, Reading, read_stream};

use super::event::{AGENT, Event};
use crate::repository;
use crate::session::{Session, Use};

pub fn store(session: &Session, event: &Event) -> Result<()> {
    let path = transcript(event)?;
    let folder = event.folder();
    let target = session.target_for(folder)?;
    let settings = session.settings_of(&target, AGENT)?;
    let options = ReadOptions {
        scope: Scope { user: None, project: folder.and_then(repository::project) },
        max_bytes: settings.ingest.max_file_bytes,
        format: Some(Format::ClaudeCode),
        ..ReadOptions::default()
    };
    // The engine replaces the content of the source, so the parts of a long transcript are joined first.
    let mut whole: Option<Reading> = None;
    read_stream(&path, &options, &mut |reading| {
        match &mut whole {
            Some(whole) => {
                whole.drafts.extend(reading.drafts);
                whole.source = reading.source;
            }
            None => whole = Some(reading),
        }
        Ok(())
    })?;
    // An empty session must not clear what an earlier one stored.
    let Some(whole) = whole.filter(|whole| !whole.drafts.is_empty()) else { return Ok(()) };
    let engine = session.open_target(&target, Use::Write)?;
    engine.for_agent(AGENT).as_ref().unwrap_or(&engine).ingest(&whole.source, whole.drafts)?;
    engine.close()
}

fn transcript(event: &Event) -> Result<PathBuf> {
    let path = &event.transcript_path;
    let what = || format!("read the transcript `{}`", path.display());
    if path.as_os_str().is_empty() {
        return Err(Error::invalid("read the transcript", "the event has no `transcript_path`"));
    }
    let whole = match path.strip_prefix("~") {
        Ok(rest) => {
            directories::BaseDirs::new().map_or_else(|| path.clone(), |folders| folders.home_dir().join(rest))
        }
        Err(_) => path.clone(),
    };
    if !whole.is_absolute() || whole.extension().is_none_or(|end| end != "jsonl") {
        return Err(Error::invalid(what(), "it is not an absolute path to a `.jsonl` file"));
    }
    // Reading a pipe would block.
    match std::fs::metadata(&whole) {
        Ok(data) if data.is_file() => Ok(whole),
        Ok(_) => Err(Error::invalid(what(), "it is not a file")),
        Err(error) => Err(Error::not_found(what(), error.to_string())),
    }
}
