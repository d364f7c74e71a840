//! Chats that WhatsApp exports: `09/11/2026, 09:12 - Ada: text` (Android) or `[09.11.26, 09:12:03] Ada: text`
//! (iOS). Every other line continues the message above.
//!
//! The order of day and month follows the language of the phone, which the file does not have: the first date
//! with a number above 12 decides for all. Without one, dates with AM and PM are read as in the United
//! States. Times have no zone and are read as UTC. Lines without a speaker (who joined, what is encrypted)
//! are left out.

use std::io::BufRead;

use griot::model::{Result, Timestamp};

use crate::decode;
use crate::readers::lines;
use crate::readers::messages::LineChat;
use crate::readers::reader::{Batch, Fit, Full, Read, Reader};
use crate::shown::shown_text;
use crate::time;

pub(crate) const READER: Reader = Reader {
    name: "whatsapp",
    mime: "text/plain",
    summary: "a chat that WhatsApp exports without media: `_chat.txt`, or the `.txt` of an Android phone",
    detect: |head| (head.is_open_text() && is_export(head.text)).then_some(Fit::Lines),
    is_chat: true,
    read: |_| Read::TextStream(read),
    ..Reader::BASE
};

/// iOS puts it before what it says itself, such as that a picture was left out.
const NOT_SAID: char = '\u{200e}';
/// What Android says instead of a picture or a recording.
const NO_WORDS: &[&str] =
    &["<Media omitted>", "<Medien ausgeschlossen>", "<Médias omis>", "<Multimedia omitido>"];

/// A line that begins a message.
struct Stamp<'a> {
    date: [u16; 3],
    hour: u8,
    minute: u8,
    second: u8,
    /// Said with AM or PM.
    is_half_day: bool,
    rest: &'a str,
}

/// Marks of the direction of writing stand before brackets and names.
fn bare(text: &str) -> &str {
    text.trim_start_matches(['\u{200e}', '\u{200f}', '\u{202a}', '\u{202c}', '\u{feff}'])
}

fn stamp(line: &str) -> Option<Stamp<'_>> {
    let line = bare(line);
    let (when, rest) = match line.strip_prefix('[') {
        Some(line) => line.split_once("] ")?,
        None => line.split_once(" - ")?,
    };
    // `[2026-03-02 10:00] Ada: text` is a transcript.
    let by_space = || when.split_once(' ').filter(|(date, _)| date.get(..4).and_then(number).is_none());
    let (date, clock) = when.split_once(", ").or_else(by_space)?;
    let mut parts = date.splitn(3, ['/', '.', '-']).map(number);
    let date = [parts.next()??, parts.next()??, parts.next()??];
    let clock = clock.trim().to_lowercase().replace(['\u{202f}', '\u{a0}', '.'], " ");
    let (clock, half) = match clock.split_once(' ') {
        Some((clock, half)) => (clock.to_string(), half.replace(' ', "")),
        None => (clock, String::new()),
    };
    let mut parts = clock.splitn(3, ':').map(|part| number(part).and_then(|part| u8::try_from(part).ok()));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0))?);
    let hour = match half.as_str() {
        "" if hour < 24 => hour,
        "am" if (1..=12).contains(&hour) => hour % 12,
        "pm" if (1..=12).contains(&hour) => hour % 12 + 12,
        _ => return None,
    };
    Some(Stamp { date, hour, minute, second, is_half_day: !half.is_empty(), rest: bare(rest) })
}

fn number(text: &str) -> Option<u16> {
    let fits = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

/// What a date begins with.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
enum Order {
    #[default]
    Day,
    Month,
    Year,
}

impl Order {
    fn of(head: &str) -> Self {
        let stamps: Vec<Stamp<'_>> = head.lines().filter_map(stamp).collect();
        let decided = stamps.iter().find_map(|stamp| match stamp.date {
            [32..=9999, ..] => Some(Self::Year),
            [13..=31, ..] => Some(Self::Day),
            [_, 13..=31, _] => Some(Self::Month),
            _ => None,
        });
        let usual = if stamps.iter().any(|stamp| stamp.is_half_day) { Self::Month } else { Self::Day };
        decided.unwrap_or(usual)
    }

    fn time(self, stamp: &Stamp<'_>) -> Option<Timestamp> {
        let [a, b, c] = stamp.date;
        let (year, month, day) = match self {
            Self::Day => (c, b, a),
            Self::Month => (c, a, b),
            Self::Year => (a, b, c),
        };
        let year = if year < 100 { 2000 + year } else { year };
        let Stamp { hour, minute, second, .. } = stamp;
        time::parse(&format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"))
    }
}

/// Whether there are three messages or more, and the first line is one or says something of the chat.
fn is_export(head: &str) -> bool {
    let first = head.lines().next().and_then(stamp).is_some();
    first && head.lines().filter_map(stamp).filter(|stamp| speaker(stamp.rest).is_some()).take(3).count() == 3
}

fn speaker(rest: &str) -> Option<(&str, &str)> {
    let (speaker, text) = rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
    let speaker = speaker.trim_matches(['\u{202a}', '\u{202c}', '~', ' ', '\u{a0}', '\u{202f}']);
    (!speaker.is_empty() && speaker.chars().count() <= 60).then_some((speaker, text))
}

fn read(stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    lines::check_head(batch.input, stream)?;
    let head = decode::head(lines::head(batch.input, stream)?);
    if !is_export(&head) {
        return Err(batch
            .input
            .error("it is no chat that WhatsApp exported")
            .hint("docs/guides/chat-transcripts.md"));
    }
    let mut export = Export { order: Order::of(&head), ..Export::default() };
    lines::read(stream, batch, full, &mut |number, line, batch| export.line(number, line, batch))?;
    export.chat.finish(batch);
    Ok(())
}

#[derive(Default)]
struct Export {
    order: Order,
    chat: LineChat,
}

impl Export {
    fn line(&mut self, number: u32, line: &str, batch: &mut Batch) {
        let line = line.trim_end();
        let Some(stamp) = stamp(line) else {
            self.chat.go_on(number, line);
            return;
        };
        self.chat.finish(batch);
        let said = speaker(stamp.rest);
        let Some((speaker, text)) =
            said.filter(|(_, text)| !text.starts_with(NOT_SAID) && !NO_WORDS.contains(text))
        else {
            return;
        };
        let mut draft = batch.draft(text.to_string(), "turn");
        draft.speaker = Some(speaker.to_string());
        draft.occurred_at = self.order.time(&stamp);
        if draft.occurred_at.is_none() {
            let written = &line[..line.len() - stamp.rest.len()];
            batch.problem(format!("line {number}: {} is not a time", shown_text(written)));
        }
        self.chat.begin(number, draft, batch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_day(head: &str) -> String {
        let stamp = stamp(head.lines().next().expect("a line")).expect("a stamp");
        Order::of(head).time(&stamp).expect("a time").to_string()[..16].to_string()
    }

    #[test]
    fn the_order_of_day_and_month_follows_the_file() {
        assert_eq!(first_day("09/11/2026, 09:12 - Ada: x\n13/11/2026, 09:12 - Ada: y"), "2026-11-09T09:12");
        assert_eq!(
            first_day("11/9/26, 9:12\u{202f}PM - Ada: x\n11/13/26, 1:00 AM - Ada: y"),
            "2026-11-09T21:12"
        );
        assert_eq!(first_day("[09.11.26, 00:12:03] Ada: x"), "2026-11-09T00:12");
        assert_eq!(first_day("1/2/26, 12:05 AM - Ada: x"), "2026-01-02T00:05");
        assert_eq!(first_day("2026-11-09, 09:12 - Ada: x"), "2026-11-09T09:12");
    }

    #[test]
    fn other_texts_are_no_export() {
        for text in ["", "a - b: c\nd - e: f", "[2026-03-02 10:00] Ada: x\n", "1/2 - 3: x\n1/2/3 - x: y\n"] {
            assert!(!is_export(text), "{text}");
        }
    }
}
