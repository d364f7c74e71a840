//! Which turns of its own session an agent still has before it.
//!
//! It has them all until the host compacts the session: then it has a summary. The transcript says when that
//! was. It is read from its end, since a hook has little time and the last compaction counts.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use griot::model::Timestamp;
use griot_wire::Time;
use serde_json::Value;

use super::event::Event;
use super::store::transcript;

/// Bytes that are read at once.
const BLOCK: u64 = 1024 * 1024;
/// Bytes from the end to look at; a session without a compaction is seldom longer.
const MOST: u64 = 16 * BLOCK;
const MARK: &str = "compact_boundary";

/// The turns of the session that an event belongs to.
pub struct OwnTurns<'a> {
    event: &'a Event,
    /// Read when it is first needed.
    compacted: OnceCell<Option<Timestamp>>,
}

impl<'a> OwnTurns<'a> {
    pub fn of(event: &'a Event) -> Self {
        Self { event, compacted: OnceCell::new() }
    }

    /// Whether the agent has what was said then in a session before it.
    pub fn are_known(&self, session: Option<&str>, at: Timestamp) -> bool {
        let is_own = !self.event.session_id.is_empty() && session == Some(self.event.session_id.as_str());
        is_own && self.compacted.get_or_init(|| last_compaction(self.event)).is_none_or(|then| at >= then)
    }
}

/// When the session was compacted last; `None` if it was not, or no transcript says so.
fn last_compaction(event: &Event) -> Option<Timestamp> {
    let mut file = File::open(transcript(event).ok()?).ok()?;
    let mut end = file.metadata().ok()?.len();
    let least = end.saturating_sub(MOST);
    // The end of a line that begins before what was read.
    let mut tail = Vec::new();
    while end > least {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start)).ok()?;
        let mut block = Vec::new();
        (&mut file).take(end - start).read_to_end(&mut block).ok()?;
        block.append(&mut tail);
        let whole = match block.iter().position(|byte| *byte == b'\n') {
            _ if start == 0 => 0,
            Some(at) => at + 1,
            None => block.len(),
        };
        let found = block[whole..].rsplit(|byte| *byte == b'\n').find_map(compaction);
        if found.is_some() {
            return found;
        }
        block.truncate(whole);
        (tail, end) = (block, start);
    }
    None
}

/// The time of a line that says that the session was compacted.
fn compaction(line: &[u8]) -> Option<Timestamp> {
    let line = std::str::from_utf8(line).ok().filter(|line| line.contains(MARK))?;
    let value: Value = serde_json::from_str(line).ok()?;
    // The words of a message may hold the mark, too.
    let is_mark = value["type"] == "system" && value["subtype"] == MARK;
    Time::parse(value["timestamp"].as_str().filter(|_| is_mark)?).map(|time| time.0)
}
