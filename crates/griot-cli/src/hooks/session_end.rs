//! Stores what was said in a session, as memories of a chat source.
//!
//! The source is the transcript's path. It is made to hold what the transcript holds, so that a session that
//! went on adds only what is new, and the same session twice adds nothing.

use std::path::PathBuf;

use griot::model::{Error, Result, Scope};
use griot_ingest::{Format, ReadOptions, Reading, read_stream};

use super::{AGENT, Event};
use crate::commands::session::{Session, Use};
use crate::repository;

pub fn store(session: &Session, event: &Event) -> Result<()> {
    let path = transcript(event)?;
    let folder = Some(event.cwd.as_path()).filter(|folder| folder.is_absolute());
    let target = session.target_for(folder)?;
    let settings = session.settings_of(&target, AGENT)?;
    let options = ReadOptions {
        scope: Scope { user: None, project: folder.and_then(repository::project) },
        max_bytes: settings.ingest.max_file_bytes,
        format: Some(Format::ClaudeCode),
        ..ReadOptions::default()
    };
    // A source is made to hold exactly what it is given, so the parts of a long transcript are put together
    // first.
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
    // A session in which nothing was said is none, and takes nothing away.
    let Some(whole) = whole.filter(|whole| !whole.drafts.is_empty()) else { return Ok(()) };
    let engine = session.open_target(&target, Use::Write)?;
    engine.for_agent(AGENT).as_ref().unwrap_or(&engine).ingest(&whole.source, whole.drafts)?;
    engine.close()
}

fn transcript(event: &Event) -> Result<PathBuf> {
    let path = &event.transcript_path;
    let what = || format!("read the transcript `{}`", path.display());
    if path.as_os_str().is_empty() {
        return Err(Error::invalid("read the transcript", "the event names no `transcript_path`"));
    }
    let whole = match path.strip_prefix("~") {
        Ok(rest) => {
            directories::BaseDirs::new().map_or_else(|| path.clone(), |folders| folders.home_dir().join(rest))
        }
        Err(_) => path.clone(),
    };
    if !whole.is_absolute() || whole.extension().is_none_or(|end| end != "jsonl") {
        return Err(Error::invalid(what(), "it is not the absolute path of a file `.jsonl`"));
    }
    // A pipe would be waited for.
    match std::fs::metadata(&whole) {
        Ok(data) if data.is_file() => Ok(whole),
        Ok(_) => Err(Error::invalid(what(), "it is not a file")),
        Err(error) => Err(Error::not_found(what(), error.to_string())),
    }
}
