//! Transcripts: a line `[time] Speaker: text` or `Speaker: text` for each message; indented lines continue
//! the message above.

use std::io::BufRead;

use griot::model::{Lines, Result};
use griot::remember::Draft;

use crate::readers::input::{Batch, Input};
use crate::readers::lines;
use crate::readers::messages::Chat;
use crate::readers::reader::Full;
use crate::shown::shown_text;
use crate::{decode, time};

/// A line that starts a message.
#[derive(PartialEq, Debug)]
struct Turn<'a> {
    time: Option<&'a str>,
    speaker: &'a str,
    text: &'a str,
}

fn turn(line: &str) -> Option<Turn<'_>> {
    let (time, rest) = match line.strip_prefix('[') {
        Some(rest) => {
            let (time, rest) = rest.split_once(']')?;
            (Some(time.trim()), rest.trim_start())
        }
        None => (None, line),
    };
    let (speaker, text) = rest.split_once(':')?;
    let named = speaker.starts_with(|c: char| c.is_alphanumeric() || c == '@')
        && speaker.chars().count() <= 40
        && speaker.split_whitespace().count() <= 4
        && speaker.chars().all(|c| c.is_alphanumeric() || " ._-'’()@#+".contains(c));
    let spaced = text.is_empty() || text.starts_with(char::is_whitespace);
    (named && spaced).then_some(Turn { time, speaker: speaker.trim(), text: text.trim() })
}

fn is_continued(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// How many lines should start a message, and how many do.
fn count(head: &str, fits: impl Fn(&str) -> bool) -> (usize, usize) {
    let lines = head.lines().filter(|line| !line.trim().is_empty() && !is_continued(line));
    lines.fold((0, 0), |(all, good), line| (all + 1, good + usize::from(fits(line))))
}

/// Whether there are at least three lines, and four of five have a speaker and a time. (`Speaker: text` alone
/// could be any list of terms.)
pub(crate) fn is_certain(head: &str) -> bool {
    let with_time = |line: &str| turn(line).and_then(|turn| time::parse(turn.time?)).is_some();
    let (all, good) = count(head, with_time);
    all >= 3 && good * 5 >= all * 4
}

/// Refuses a file whose beginning is no transcript.
fn check(input: &Input, head: &str) -> Result<()> {
    let (all, good) = count(head, |line| turn(line).is_some());
    if good * 5 >= all * 4 {
        return Ok(());
    }
    let why =
        format!("it is not a chat: {} of its first {all} lines are not `[time] Speaker: text`", all - good);
    Err(input.error(why).hint("docs/guides/chat-transcripts.md"))
}

pub(crate) fn read(stream: &mut dyn BufRead, batch: &mut Batch, full: &mut Full) -> Result<()> {
    lines::check_head(batch.input, stream)?;
    check(batch.input, &decode::head(lines::head(batch.input, stream)?))?;
    let mut transcript = Transcript::default();
    lines::read(stream, batch, full, &mut |number, line, batch| transcript.line(number, line, batch))?;
    transcript.finish(batch);
    Ok(())
}

/// A message is added when the next one starts.
#[derive(Default)]
struct Transcript {
    chat: Chat,
    open: Option<(u32, Draft)>,
}

impl Transcript {
    fn line(&mut self, number: u32, line: &str, batch: &mut Batch) {
        let line = line.trim_end();
        if let Some(turn) = turn(line).filter(|_| !is_continued(line)) {
            self.finish(batch);
            let mut draft = batch.draft(turn.text.to_string(), "turn");
            draft.speaker = Some(turn.speaker.to_string());
            draft.lines = Some(Lines { first: number, last: number });
            if let Some(written) = turn.time {
                draft.occurred_at = time::parse(written);
                if draft.occurred_at.is_none() {
                    batch.problem(format!("line {number}: {} is not a time", shown_text(written)));
                }
            }
            self.open = Some((number, draft));
        } else if let Some((_, draft)) = &mut self.open {
            if !draft.text.is_empty() {
                draft.text.push('\n');
            }
            draft.text.push_str(line.trim());
            if let Some(lines) = &mut draft.lines {
                lines.last = number;
            }
        } else {
            batch.problem(format!("line {number} has no speaker"));
        }
    }

    fn finish(&mut self, batch: &mut Batch) {
        if let Some((number, draft)) = self.open.take() {
            self.chat.add(draft, &format!("line {number}"), None, batch);
        }
    }
}
