//! Stores what was said in a session as memories of a chat source.
//!
//! The transcript's path is the source. The source is made to hold what the transcript holds, so a later call
//! adds only what is new, and the same transcript again adds nothing. Reading a long transcript takes longer
//! than a host should wait, so a process of its own does it ([`hand_over`]); a lock makes several of them
//! work one after the other, each on the transcript as it then is.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use griot::engine::SecretPolicy;
use griot::model::{Error, Result, Scope};
use griot::private;
use griot::text::{is_reaction, masked, secrets};
use griot_ingest::{Format, ReadOptions, Reading, read_stream};

use super::event::{AGENT, Event};
use crate::repository;
use crate::session::{Session, Use};

/// Starts a process that stores the event's transcript, and does not wait for it.
pub fn hand_over(session: &Session, event: &Event) -> Result<()> {
    const WHAT: &str = "start the process that stores the session";
    let failed = |error: std::io::Error| Error::unavailable(WHAT, error.to_string());
    // What is wrong with the event is reported by this process.
    transcript(event)?;
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.args(session.arguments()).args(["hook", "session-end", "--wait"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A host that ends or stops its hooks must not stop this one.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    {
        /// `DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP`
        const DETACHED: u32 = 0x0000_0008 | 0x0000_0200;
        std::os::windows::process::CommandExt::creation_flags(&mut command, DETACHED);
    }
    let mut child = command.spawn().map_err(failed)?;
    let brief = Event { prompt: String::new(), ..event.clone() };
    let text = serde_json::to_vec(&brief).map_err(|error| Error::invalid(WHAT, error.to_string()))?;
    // Short enough for the pipe, which is closed when the handle goes.
    child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(&text)).map_err(failed)
}

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
    if !target.database.exists() && drafts_of(&path, &options)?.is_none() {
        return Ok(());
    }
    let engine = session.open_target(&target, Use::Write)?;
    let _lock = lock(&target.database)?;
    // An empty session must not clear what an earlier one stored.
    let Some(mut whole) = drafts_of(&path, &options)? else { return Ok(()) };
    let refused = without_secrets(&mut whole, settings.remember.secrets);
    if refused > 0 {
        let messages = if refused == 1 { "message" } else { "messages" };
        super::warn(&format!("{refused} {messages} with a secret left out (remember.secrets = \"refuse\")"));
    }
    if whole.drafts.is_empty() {
        return Ok(());
    }
    engine.for_agent(AGENT).as_ref().unwrap_or(&engine).ingest(&whole.source, whole.drafts)?;
    engine.close()
}

/// What the transcript holds, without what only reacts ("ok", "yes, go on"); `None` if nothing remains.
fn drafts_of(path: &Path, options: &ReadOptions) -> Result<Option<Reading>> {
    // The engine replaces the content of the source, so the parts of a long transcript are joined first.
    let mut whole: Option<Reading> = None;
    read_stream(path, options, &mut |reading| {
        match &mut whole {
            Some(whole) => {
                whole.drafts.extend(reading.drafts);
                whole.source = reading.source;
            }
            None => whole = Some(reading),
        }
        Ok(())
    })?;
    Ok(whole.and_then(|mut whole| {
        whole.drafts.retain(|draft| !is_reaction(&draft.text));
        (!whole.drafts.is_empty()).then_some(whole)
    }))
}

/// Masks secrets, which no one asked to keep here, or leaves the messages with one out if the policy refuses
/// them, and returns how many: one must not keep the rest of the session from being stored. The title is one
/// of the messages.
fn without_secrets(whole: &mut Reading, policy: SecretPolicy) -> usize {
    let mask = |text: String| masked(&text).unwrap_or(text);
    whole.source.title = whole.source.title.take().map(mask);
    let before = whole.drafts.len();
    if policy == SecretPolicy::Refuse {
        whole.drafts.retain(|draft| secrets(&draft.text).is_empty());
    }
    whole.drafts.iter_mut().for_each(|draft| draft.text = mask(std::mem::take(&mut draft.text)));
    before - whole.drafts.len()
}

/// Waits for other processes that store sessions in this database. The lock ends with the process.
fn lock(database: &Path) -> Result<File> {
    let path = private::beside(database, ".hooks");
    let failed = |error: std::io::Error| Error::unavailable("lock the stored sessions", error.to_string());
    let file = private::file(&path).map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

pub fn transcript(event: &Event) -> Result<PathBuf> {
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
