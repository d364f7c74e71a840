//! Transcripts: a line `[time] Speaker: text` or `Speaker: text` for each message; indented lines continue
//! the message above.
//!
//! In Markdown, `**Speaker** (time): text` and its variants: all other lines continue the message above, and
//! headings name sessions.

use std::io::BufRead;

use griot::model::{Result, Timestamp};

use crate::readers::input::{Batch, Input};
use crate::readers::lines;
use crate::readers::messages::LineChat;
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

/// `[time] Speaker: text`, `Speaker: text`
fn turn(line: &str) -> Option<Turn<'_>> {
    let (time, rest) = match line.strip_prefix('[') {
        Some(rest) => {
            let (time, rest) = rest.split_once(']')?;
            (Some(time.trim()), rest.trim_start())
        }
        None => (None, line),
    };
    let (speaker, text) = rest.split_once(':')?;
    let spaced = text.is_empty() || text.starts_with(char::is_whitespace);
    let speaker = speaker.trim_end();
    (is_name(speaker) && spaced).then_some(Turn { time, speaker, text: text.trim() })
}

/// `**Speaker** (time): text`, `**Speaker (time):** text`, `[time] **Speaker**: text`, `**Speaker:** text`;
/// also behind the mark of a list, and with the time in square brackets.
fn marked_turn(line: &str) -> Option<Turn<'_>> {
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line).trim_start();
    let (before, line) = bracketed(line).map_or((None, line), |(time, rest)| (Some(time), rest));
    let (name, rest) = line.strip_prefix("**")?.split_once("**")?;
    let (name, ended) = match name.trim_end().strip_suffix(':') {
        Some(name) => (name.trim_end(), true),
        None => (name.trim(), false),
    };
    let (name, inside) = match name.find(['(', '[']) {
        Some(at) if at > 0 => (name[..at].trim_end(), Some(bracketed(&name[at..])?.0)),
        _ => (name, None),
    };
    let rest = rest.trim_start();
    let (behind, rest) = match bracketed(rest).filter(|_| !ended && inside.is_none()) {
        Some((time, rest)) => (Some(time), rest),
        None => (None, rest),
    };
    let time = before.or(inside).or(behind);
    let text = match rest.strip_prefix(':') {
        Some(text) if !ended => text,
        None if ended || (time.is_some() && rest.is_empty()) => rest,
        _ => return None,
    };
    is_name(name).then_some(Turn { time, speaker: name, text: text.trim() })
}

/// The inside of the brackets that a text begins with, and what follows them.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = match text.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => text.strip_prefix('[')?.split_once(']')?,
    };
    Some((inside.trim(), rest.trim_start()))
}

fn is_name(speaker: &str) -> bool {
    speaker.starts_with(|c: char| c.is_alphanumeric() || c == '@')
        && speaker.chars().count() <= 40
        && speaker.split_whitespace().count() <= 4
        && speaker.chars().all(|c| c.is_alphanumeric() || " ._-'’()@#+".contains(c))
}

/// The level and the text of a Markdown heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' '))
        .then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

/// The time of a message. One without a day was said on the day that a heading names.
fn time_of(written: &str, day: Option<Timestamp>) -> Option<Timestamp> {
    time::parse(written).or_else(|| {
        let day = day?.to_string();
        let clock = written.starts_with(|c: char| c.is_ascii_digit()).then_some(written)?;
        time::parse(&format!("{} {clock}", day.get(..10)?))
    })
}

/// The day that a heading names: `2026-11-09`, `Monday, 9 November 2026`; not the first of `March 2026`.
fn day_of(heading: &str) -> Option<Timestamp> {
    let is_day = |word: &str| {
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        (1..=2).contains(&digits)
    };
    let has_day = || heading.split(|c: char| !c.is_alphanumeric()).any(is_day);
    time::in_name(heading).or_else(|| has_day().then(|| time::parse(heading)).flatten())
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
/// could be any list of terms.) Or the form that Markdown has for it.
pub(crate) fn is_certain(head: &str) -> bool {
    let with_time = |line: &str| turn(line).and_then(|turn| time::parse(turn.time?)).is_some();
    let (all, good) = count(head, with_time);
    (all >= 3 && good * 5 >= all * 4) || is_markdown(head)
}

/// Whether it begins with a speaker in bold and a time, as at least every second paragraph does, and a
/// speaker has two turns. (`**1.2.0** (2026-03-02): …` is a list of releases.)
fn is_markdown(head: &str) -> bool {
    // Most documents end here.
    if !begins_marked(head) {
        return false;
    }
    let (mut paragraphs, mut speakers) = (0, Vec::new());
    let (mut begins, mut fenced, mut day) = (true, false, None);
    for line in head.lines().map(str::trim_end) {
        if let Some((_, text)) = heading(line).filter(|_| !fenced) {
            day = day_of(text).or(day);
            begins = true;
            continue;
        }
        let timed =
            marked_turn(line).filter(|turn| turn.time.is_some_and(|time| time_of(time, day).is_some()));
        paragraphs += usize::from(timed.is_some() || (begins && !fenced && !line.is_empty()));
        speakers.extend(timed.map(|turn| turn.speaker));
        fenced ^= is_fence(line);
        begins = line.is_empty();
    }
    let turns = speakers.len();
    speakers.sort_unstable();
    speakers.dedup();
    turns >= 3 && turns * 2 >= paragraphs && speakers.len() < turns
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

/// Whether the first line that is no heading has a speaker in bold.
fn begins_marked(head: &str) -> bool {
    let mut lines =
        head.lines().map(str::trim_end).filter(|line| !line.is_empty() && heading(line).is_none());
    lines.next().is_some_and(|line| marked_turn(line).is_some())
}

fn form_of(input: &Input, head: &str) -> Result<Form> {
    match begins_marked(head) {
        true if is_markdown(head) => Ok(Form::Timed),
        true => Ok(Form::Marked),
        false => check(input, head).map(|()| Form::Plain),
    }
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
    let form = form_of(batch.input, &decode::head(lines::head(batch.input, stream)?))?;
    let mut transcript = Transcript { form, ..Transcript::default() };
    lines::read(stream, batch, full, &mut |number, line, batch| transcript.line(number, line, batch))?;
    transcript.chat.finish(batch);
    Ok(())
}

#[derive(Default, PartialEq)]
enum Form {
    #[default]
    Plain,
    /// Markdown.
    Marked,
    /// Markdown in which messages have times; bold words without one begin no message.
    Timed,
}

#[derive(Default)]
struct Transcript {
    chat: LineChat,
    form: Form,
    /// Inside a block of code, where `#` begins no heading.
    fenced: bool,
    /// The headings above, outermost first, with their levels.
    headings: Vec<(usize, String)>,
    /// The day that one of them names.
    day: Option<Timestamp>,
}

impl Transcript {
    fn line(&mut self, number: u32, line: &str, batch: &mut Batch) {
        let line = line.trim_end();
        let marked = self.form != Form::Plain && !self.fenced;
        if let Some((level, text)) = heading(line).filter(|_| marked) {
            return self.enter(level, text, batch);
        }
        let started = match self.form {
            Form::Plain => turn(line),
            _ if self.fenced => None,
            Form::Marked => marked_turn(line),
            Form::Timed => marked_turn(line).filter(|turn| turn.time.is_some()),
        };
        self.fenced ^= self.form != Form::Plain && is_fence(line);
        if let Some(turn) = started.filter(|_| !is_continued(line)) {
            let mut draft = batch.draft(turn.text.to_string(), "turn");
            draft.speaker = Some(turn.speaker.to_string());
            if let Some(written) = turn.time {
                draft.occurred_at = time_of(written, self.day);
                if draft.occurred_at.is_none() {
                    batch.problem(format!("line {number}: {} is not a time", shown_text(written)));
                }
            }
            draft.session = self.session();
            draft.heading = self.headings.iter().map(|(_, text)| text.clone()).collect();
            self.chat.begin(number, draft, batch);
        } else if !self.chat.go_on(number, if self.fenced { line } else { line.trim() }) {
            batch.problem(format!("line {number} has no speaker"));
        }
    }

    fn enter(&mut self, level: usize, text: &str, batch: &mut Batch) {
        self.chat.finish(batch);
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, text.to_string()));
        self.day = day_of(text).or(self.day);
    }

    /// The headings, where one below the title is open; else times part the sessions.
    fn session(&self) -> Option<String> {
        let texts: Vec<&str> = self.headings.iter().map(|(_, text)| text.as_str()).collect();
        let below_title = self.headings.last().is_some_and(|(level, _)| *level > 1);
        below_title.then(|| texts.join(" › "))
    }
}
