//! The protocol between a process and its read worker.
//!
//! A frame is its length in eight bytes (little endian) and its content: a message as JSON, or, after a task,
//! the bytes of the file to read.

use std::ffi::OsString;
use std::io::{Error as IoError, ErrorKind, Read, Result, Write};
use std::path::Path;

use griot::model::{Error, Timestamp};
use griot::remember::{Draft, SourceDraft};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::options::ReadOptions;
use crate::readers::input::{Input, Reading};
use crate::web::page::PageText;

/// The argument that makes a program a read worker.
pub const READ_WORKER: &str = "read-worker";
/// First message of a worker; a different text means another version.
pub(super) const HELLO: &str = concat!("griot-reader 3 ", env!("CARGO_PKG_VERSION"));
/// Longest message in bytes. Drafts come in batches; the longest message holds one page or one table row.
const MAX_MESSAGE: u64 = 256 * 1024 * 1024;
const MAX_HELLO: u64 = 1024;
/// A batch of drafts is sent when it reaches either limit.
const BATCH_DRAFTS: usize = 1000;
const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// A message to the worker. A frame with the bytes of the file follows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Task {
    File(FileTask),
    /// A database, opened at its path: the frame after it is empty.
    Database {
        file: FileTask,
        size: u64,
    },
    Page {
        url: Url,
        kind: String,
        charset: Option<String>,
    },
}

/// A message from the worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Once, when it starts: [`HELLO`].
    Hello(String),
    /// A batch of drafts of a reading.
    Drafts(Vec<Draft>),
    /// The source and the problems of a reading, after its drafts.
    Reading(SourceDraft, Vec<Error>),
    Page(Box<PageText>),
    /// The end of an answer, with its peak memory use in bytes.
    Done {
        error: Option<Error>,
        peak: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FileTask {
    name: String,
    path: OsString,
    origin: String,
    modified: Option<Timestamp>,
    is_file: bool,
    pub(super) options: ReadOptions,
}

impl FileTask {
    pub(super) fn new(input: &Input, options: &ReadOptions) -> Self {
        Self {
            name: input.name.to_string(),
            path: input.path.into(),
            origin: input.origin.clone(),
            modified: input.modified,
            is_file: input.is_file,
            options: options.clone(),
        }
    }

    pub(super) fn input(&self) -> Input<'_> {
        Input {
            modified: self.modified,
            is_file: self.is_file,
            ..self.options.input(&self.name, Path::new(&self.path), self.origin.clone())
        }
    }
}

/// Sends a reading in messages of moderate size.
pub(super) fn send_reading(to: &mut impl Write, reading: Reading) -> Result<()> {
    let Reading { source, drafts, problems } = reading;
    let (mut batch, mut bytes) = (Vec::new(), 0);
    for draft in drafts {
        bytes += draft.text.len();
        batch.push(draft);
        if batch.len() >= BATCH_DRAFTS || bytes >= BATCH_BYTES {
            send(to, &Reply::Drafts(std::mem::take(&mut batch)))?;
            bytes = 0;
        }
    }
    send(to, &Reply::Drafts(batch))?;
    send(to, &Reply::Reading(source, problems))
}

pub(super) fn send(to: &mut impl Write, message: &impl Serialize) -> Result<()> {
    send_bytes(to, &serde_json::to_vec(message)?)
}

pub(super) fn send_bytes(to: &mut impl Write, content: &[u8]) -> Result<()> {
    to.write_all(&(content.len() as u64).to_le_bytes())?;
    to.write_all(content)?;
    to.flush()
}

pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> Result<T> {
    Ok(serde_json::from_slice(&receive_bytes(from, MAX_MESSAGE)?)?)
}

/// The first message of a worker. Other programs and versions mostly exceed its limit, so that they are
/// refused without waiting for more.
pub(super) fn receive_hello(from: &mut impl Read) -> Result<Reply> {
    Ok(serde_json::from_slice(&receive_bytes(from, MAX_HELLO)?)?)
}

/// Allocates as the bytes arrive, whatever length the frame claims to have.
pub(super) fn receive_bytes(from: &mut impl Read, limit: u64) -> Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > limit {
        return Err(IoError::new(ErrorKind::InvalidData, "a frame that is too long"));
    }
    let mut content = Vec::new();
    from.take(length).read_to_end(&mut content)?;
    if content.len() as u64 != length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use griot::model::Lines;

    use super::*;
    use crate::jobs::Form;
    use crate::readers::html::Page;

    /// A reading with links, facts, entities and problems, and more drafts than one message holds.
    #[test]
    fn a_reading_survives_the_protocol() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/clawmem.sqlite");
        let options = ReadOptions::default();
        let input = options.input("a.db", &path, "a\\xFF.db".to_string());
        let bytes = std::fs::read(&path).expect("a database");
        let mut reading = crate::in_process::read(&input, &options, bytes).expect("it is read");
        let source = &reading.source;
        assert!(!source.links.is_empty() && !source.facts.is_empty() && source.content_hash.is_some());
        let draft = Draft {
            importance: Some(2),
            occurred_at: Some(Timestamp(i64::MIN)),
            speaker: Some("Ada \u{202E}".into()),
            lines: Some(Lines { first: 1, last: 2 }),
            ..reading.drafts[0].clone()
        };
        reading.drafts.extend(
            (0..2500).map(|number| Draft { text: format!("{number} \u{1}\n\"quoted\""), ..draft.clone() }),
        );
        reading.problems.push(Error::invalid("read `a`", "it is damaged").hint("mend it"));
        let mut sent = Vec::new();
        send_reading(&mut sent, reading.clone()).expect("it is sent");
        let (mut from, mut drafts) = (sent.as_slice(), Vec::new());
        let (source, problems) = loop {
            match receive(&mut from).expect("a message") {
                Reply::Drafts(batch) => drafts.extend(batch),
                Reply::Reading(source, problems) => break (source, problems),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(Reading { source, drafts, problems }, reading);
    }

    #[test]
    fn a_page_survives_the_protocol() {
        let page = Page {
            published: Some(Timestamp(5)),
            links: vec![Url::parse("https://example.org/a?b=c%20d").expect("an address")],
            text: "[]".into(),
            ..Page::default()
        };
        let page = PageText { form: Form::Passages, page };
        let mut sent = Vec::new();
        send(&mut sent, &Reply::Page(Box::new(page.clone()))).expect("it is sent");
        let received = receive(&mut sent.as_slice()).expect("a message");
        assert!(matches!(&received, Reply::Page(other) if **other == page), "{received:?}");
    }

    #[test]
    fn broken_frames_are_errors() {
        let long = (MAX_MESSAGE + 1).to_le_bytes();
        for bytes in [
            &b""[..],
            &[1],
            &long,
            &[255; 16],
            // Shorter than it claims to be, also by far.
            &[9, 0, 0, 0, 0, 0, 0, 0, b'"'],
            &[0, 0, 0, 16, 0, 0, 0, 0, b'"'],
            // No JSON, and no message.
            &[1, 0, 0, 0, 0, 0, 0, 0, b'x'],
            b"\x0a\0\0\0\0\0\0\0{\"Other\":1}",
        ] {
            assert!(receive::<Reply>(&mut &*bytes).is_err(), "{bytes:?}");
        }
        // The first frame of protocol 2.
        let hello = b"\x01\x14\0\0\0\0\0\0\0griot-reader 2 0.1.0";
        let refused = receive_hello(&mut &hello[..]).map_err(|error| error.kind());
        assert!(matches!(refused, Err(ErrorKind::InvalidData)), "{refused:?}");
    }
}
