//! Email: a message (`.eml`), or a mailbox (`.mbox`) as a stream.
//!
//! A message is a turn of its sender, at its date, below its subject. Its thread is its session: the first
//! message that it refers to, or else its subject without `Re:`. If there is only HTML, its text is read.
//! What a reply quotes is left out: it is a message of its own. The end of the text says who got it, and
//! names attachments, which are not read.

use std::io::{BufRead, Read as _};

use griot::model::{Lines, Result, Timestamp};
use griot::text::chunk_plain;
use mail_parser::{Addr, Address, HeaderValue, Message, MessageParser, MimeHeaders, PartType};

use crate::readers::markup::one_line;
use crate::readers::reader::{Batch, Full, Read, Reader};
use crate::readers::{html, reply};
use crate::shown::io_error;
use crate::time::in_range;

pub(crate) const EMAIL: Reader = Reader {
    name: "eml",
    mime: "message/rfc822",
    summary: "an email: a turn of its sender; a thread is a session",
    own_extensions: &["eml"],
    is_chat: true,
    read: |_| Read::Bytes(read_message),
    ..Reader::BASE
};

pub(crate) const MAILBOX: Reader = Reader {
    name: "mbox",
    mime: "application/mbox",
    summary: "many emails in one file: turns of their senders; a thread is a session",
    own_extensions: &["mbox", "mbx"],
    is_chat: true,
    read: |_| Read::Stream(read_box),
    ..Reader::BASE
};

/// Bytes of one message with its attachments; the rest is cut off.
const MESSAGE: usize = 32 * 1024 * 1024;
/// Bytes of one message's text.
const BODY: usize = 1024 * 1024;
/// More receivers of a message are only counted.
const RECEIVERS: usize = 20;

fn read_message(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    if !message(bytes, None, "the message", batch) {
        return Err(batch.error("not an email: no headers found"));
    }
    Ok(())
}

/// Messages begin with a line `From `, which is quoted inside them. After each one, `full` may take what is
/// in the batch.
fn read_box(stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    let mut open: Vec<u8> = Vec::new();
    let mut line = Vec::new();
    let mut number: u32 = 0;
    let mut first: u32 = 0;
    let mut is_blank = true;
    let mut is_cut = false;
    loop {
        line.clear();
        // A line longer than a message is read in pieces.
        let length = (&mut *stream)
            .take(MESSAGE as u64)
            .read_until(b'\n', &mut line)
            .map_err(|e| io_error(batch.input.name, &e))?;
        let is_start = is_blank && line.starts_with(b"From ");
        if length == 0 || is_start {
            if first > 0 {
                let label = format!("the message in line {first}");
                if is_cut {
                    batch.problem(format!("{label} is longer than {MESSAGE} bytes: its end is left out"));
                }
                let lines = Lines { first, last: number.max(first) };
                if !message(&open, Some(lines), &label, batch) && !open.iter().all(u8::is_ascii_whitespace) {
                    batch.problem(format!("{label} has no headers"));
                }
                full(batch)?;
            } else if !open.is_empty() {
                return Err(batch.error("not a mailbox: it does not begin with `From `"));
            }
            if length == 0 {
                return Ok(());
            }
        }
        if line.ends_with(b"\n") || is_start {
            number = number.saturating_add(1);
        }
        if is_start {
            open.clear();
            is_cut = false;
            first = number;
        } else if open.len() + line.len() <= MESSAGE
            && !(first == 0 && is_blank && line.iter().all(u8::is_ascii_whitespace))
        {
            let quoted = line.iter().take_while(|byte| **byte == b'>').count();
            let is_quoted = quoted > 0 && line[quoted..].starts_with(b"From ");
            open.extend_from_slice(&line[usize::from(is_quoted)..]);
        } else {
            is_cut = first > 0 && open.len() + line.len() > MESSAGE;
        }
        is_blank = line.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
        if first == 0 && !is_blank && !is_start {
            return Err(batch.error("not a mailbox: it does not begin with `From `"));
        }
    }
}

/// Adds a message; false if it has no headers.
fn message(bytes: &[u8], lines: Option<Lines>, label: &str, batch: &mut Batch) -> bool {
    let Some(message) = MessageParser::default().parse(bytes) else { return false };
    let writer = message.from().and_then(named);
    let subject =
        message.subject().map(one_line).filter(|subject| !subject.is_empty() && !subject.contains('\0'));
    if writer.is_none() && subject.is_none() && message.date().is_none() {
        return false;
    }
    let mut text = words(&message, subject.as_deref().unwrap_or_default());
    if text.is_empty() {
        // A message without a text is its subject.
        text.extend(subject.clone());
    }
    for (label, receivers) in [("To", message.to()), ("Cc", message.cc())] {
        let names = receivers.map(names).unwrap_or_default();
        if !names.is_empty() && !text.is_empty() {
            let apart = if label == "To" { "\n\n" } else { "\n" };
            text.push_str(&format!("{apart}{label}: {names}"));
        }
    }
    let attached: Vec<String> =
        message.attachments().filter_map(|part| part.attachment_name()).map(one_line).collect();
    if !attached.is_empty() {
        text.push_str(&format!("\n\nAttached: {}", attached.join(", ")));
    }
    let text = text.replace('\0', "\u{FFFD}");
    let at = message.date().map(|date| Timestamp(date.to_timestamp().saturating_mul(1000)));
    let at = at.and_then(in_range);
    if at.is_none() && message.date().is_some() {
        batch.problem(format!("{label} has a date that no memory can have"));
    }
    let session = thread(&message, subject.as_deref());
    for chunk in chunk_plain(&text) {
        let mut draft = batch.draft(chunk.text, "turn");
        draft.speaker = writer.clone();
        draft.heading = subject.clone().into_iter().collect();
        draft.occurred_at = at.or_else(|| batch.input.time());
        draft.session = session.clone();
        draft.lines = lines;
        batch.push(draft, label);
    }
    if lines.is_none() {
        batch.title = subject;
    }
    true
}

fn named(address: &Address) -> Option<String> {
    name(address.first()?)
}

fn name(address: &Addr) -> Option<String> {
    let name = address.name().map(one_line).filter(|name| !name.is_empty());
    name.or_else(|| address.address().map(one_line))
        .filter(|name| !name.is_empty() && !name.contains(char::is_control))
}

fn names(addresses: &Address) -> String {
    let mut names: Vec<String> = addresses.iter().filter_map(name).collect();
    let more = names.len().saturating_sub(RECEIVERS);
    names.truncate(RECEIVERS);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

fn thread<'m>(message: &'m Message, subject: Option<&'m str>) -> Option<String> {
    let first = |value: &'m HeaderValue| match value {
        HeaderValue::TextList(ids) => ids.first().map(AsRef::as_ref),
        value => value.as_text(),
    };
    let id = first(message.references())
        .or_else(|| first(message.in_reply_to()))
        .or_else(|| message.message_id())
        .or_else(|| subject.map(without_re));
    id.map(one_line).filter(|id| !id.is_empty() && id.len() <= 300 && !id.contains(char::is_control))
}

fn without_re(subject: &str) -> &str {
    let mut rest = subject.trim();
    while let Some((mark, after)) = rest.split_once(':')
        && (is_mark(mark, &REPLIED) || is_mark(mark, &FORWARDED))
    {
        rest = after.trim();
    }
    rest
}

const REPLIED: [&str; 4] = ["re", "aw", "sv", "antw"];
const FORWARDED: [&str; 5] = ["fw", "fwd", "wg", "tr", "rv"];

fn is_mark(mark: &str, marks: &[&str]) -> bool {
    marks.contains(&mark.trim().to_lowercase().as_str())
}

/// The text of a message without the messages that it replies to.
fn words(message: &Message, subject: &str) -> String {
    let mut whole = String::new();
    for part in message.text_bodies() {
        let text = match &part.body {
            PartType::Text(text) => text.clone(),
            PartType::Html(page) => html::read_mail(page).into(),
            _ => continue,
        };
        if !whole.is_empty() {
            whole.push_str("\n\n");
        }
        whole.push_str(&text);
        if whole.len() > BODY {
            whole.truncate(whole.floor_char_boundary(BODY));
            break;
        }
    }
    let is_forward = subject.split_once(':').is_some_and(|(mark, _)| is_mark(mark, &FORWARDED));
    reply::own_words(&whole.replace("\r\n", "\n"), is_forward)
}
