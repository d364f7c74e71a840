//! Formats that are read line by line: JSON Lines, chats. A bad line is a problem, and the rest goes on.

use std::io::{BufRead, Read};

use griot::model::Result;

use crate::decode::{not_text, not_utf8, without_mark};
use crate::format::Shape;
use crate::read::io_error;
use crate::readers::chat::Chat;
use crate::readers::input::{Batch, Input};
use crate::readers::session::Session;
use crate::readers::transcript::Transcript;
use crate::readers::{export, json, mail};

enum Reader<'a> {
    Records,
    Chat(Chat<'a>),
    Transcript(Box<Transcript<'a>>),
    Session(Box<Session<'a>>),
    /// Entities and relations.
    Graph,
}

/// Reads to the end. After each line, `full` may take what is in the batch.
pub(crate) fn read(
    input: &Input,
    shape: Shape,
    mut stream: impl BufRead,
    batch: &mut Batch,
    full: &mut dyn FnMut(&mut Batch) -> Result<()>,
) -> Result<()> {
    if shape == Shape::Letters {
        return mail::read_box(input, stream, batch, full);
    }
    let mut reader = match shape {
        Shape::McpMemory => Reader::Graph,
        Shape::ChatLines => Reader::Chat(Chat::new(input)),
        Shape::Transcript => Reader::Transcript(Box::new(Transcript::new(input))),
        Shape::Session => Reader::Session(Box::new(Session::new(input))),
        _ => Reader::Records,
    };
    let mut number: u32 = 0;
    let mut offset: usize = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = input.options.max_bytes.saturating_add(1);
        let length =
            stream.by_ref().take(limit).read_until(b'\n', &mut line).map_err(|e| io_error(input.name, &e))?;
        if length == 0 {
            break;
        }
        number = number.saturating_add(1);
        if length as u64 >= limit && line.last() != Some(&b'\n') {
            batch.problem(
                input.error(format!("line {number} is longer than {} bytes", input.options.max_bytes)),
            );
            offset += length + stream.skip_until(b'\n').map_err(|e| io_error(input.name, &e))?;
            continue;
        }
        let content = if offset == 0 { without_mark(&line) } else { &line };
        match text(content, offset + line.len() - content.len()) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => reader.line(input, number, text, batch),
            Err(why) => batch.problem(input.error(format!("line {number}: {why}"))),
        }
        offset += length;
        full(batch)?;
    }
    match &mut reader {
        Reader::Transcript(transcript) => transcript.finish(batch),
        Reader::Session(session) => session.finish(batch),
        Reader::Records | Reader::Chat(_) | Reader::Graph => {}
    }
    Ok(())
}

impl Reader<'_> {
    fn line(&mut self, input: &Input, number: u32, line: &str, batch: &mut Batch) {
        let value = match self {
            Self::Transcript(transcript) => return transcript.line(number, line.trim_end(), batch),
            _ => json::parse_line(input, number, line.trim()),
        };
        match (value, self) {
            (Err(error), _) => batch.problem(error),
            (Ok(value), Self::Chat(chat)) => {
                chat.read(&value, &format!("line {number}"), Some(number), batch)
            }
            (Ok(value), Self::Graph) => export::graph_line(input, number, &value, batch),
            (Ok(value), Self::Session(session)) => session.line(number, &value, batch),
            (Ok(value), _) => json::element(input, &value, &format!("line {number}"), Some(number), batch),
        }
    }
}

fn text(line: &[u8], offset: usize) -> Result<&str, String> {
    if let Some(at) = line.iter().position(|&b| b == 0) {
        return Err(not_text(offset + at));
    }
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        not_utf8(offset + at, line[at])
    })
}
