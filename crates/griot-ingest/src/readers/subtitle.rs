//! Subtitles (WebVTT, SubRip): the spoken words with their times.
//!
//! If cues name their speakers, successive cues of one speaker are a turn; otherwise cues are joined to
//! passages that end with a sentence. The heading gives start and end. Lines that a rolling caption repeats
//! appear once. A draft has a time only if the file's name contains a date: the cue's offset is added to it.

use griot::model::{Lines, Result, Timestamp};

use crate::readers::reader::{Batch, Fit, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "subtitles",
    mime: "text/vtt",
    summary: "WebVTT and SubRip: passages, or turns where speakers are named, with their times",
    own_extensions: &["vtt", "srt"],
    detect: |head| (head.is_open_text() && head.text.starts_with("WEBVTT")).then_some(Fit::Mark),
    read: |_| Read::Text(read),
    ..Reader::BASE
};

/// A passage ends with the first sentence after this many characters, or at twice as many.
const PASSAGE: usize = 800;
/// A silence that ends a passage, in milliseconds.
const SILENCE: i64 = 20_000;

struct Cue {
    from: i64,
    to: i64,
    lines: Lines,
    speaker: Option<String>,
    text: String,
}

fn read(text: &str, batch: &mut Batch) -> Result<()> {
    let cues = cues(text, batch);
    let begin = batch.input.named_time();
    let mut open: Option<Cue> = None;
    let mut last_line = String::new();
    for mut cue in cues {
        let fresh: Vec<&str> = cue.text.lines().filter(|line| *line != last_line).collect();
        let fresh = fresh.join(" ");
        last_line = cue.text.lines().next_back().unwrap_or_default().to_string();
        if fresh.trim().is_empty() {
            continue;
        }
        cue.text = fresh;
        match &mut open {
            Some(passage) if goes_on(passage, &cue) => {
                passage.text.push(' ');
                passage.text.push_str(&cue.text);
                passage.to = cue.to;
                passage.lines.last = cue.lines.last;
            }
            _ => {
                if let Some(passage) = open.replace(cue) {
                    add(passage, begin, batch);
                }
            }
        }
    }
    if let Some(passage) = open {
        add(passage, begin, batch);
    }
    Ok(())
}

fn goes_on(passage: &Cue, cue: &Cue) -> bool {
    let length = passage.text.chars().count();
    let ends = passage.text.trim_end().ends_with(['.', '!', '?', '…', '。', '"']);
    passage.speaker == cue.speaker
        && cue.from - passage.to <= SILENCE
        && length < 2 * PASSAGE
        && !(length >= PASSAGE && ends)
}

fn add(cue: Cue, begin: Option<Timestamp>, batch: &mut Batch) {
    let mut draft = batch.draft(cue.text, if cue.speaker.is_some() { "turn" } else { "passage" });
    draft.speaker = cue.speaker;
    draft.heading = vec![format!("{}–{}", shown(cue.from), shown(cue.to))];
    draft.lines = Some(cue.lines);
    draft.occurred_at = begin.map(|begin| Timestamp(begin.0 + cue.from)).or_else(|| batch.input.time());
    batch.push(draft, "a cue");
}

fn shown(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn cues(text: &str, batch: &mut Batch) -> Vec<Cue> {
    let mut cues = Vec::new();
    let mut open: Option<Cue> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some((from, to)) = line.split_once("-->") {
            cues.extend(open.take());
            // Settings may follow the second time.
            let to = to.split_whitespace().next().unwrap_or_default();
            match (offset(from.trim()), offset(to)) {
                (Some(from), Some(to)) => {
                    let lines = Lines { first: number, last: number };
                    open = Some(Cue { from, to: to.max(from), lines, speaker: None, text: String::new() });
                }
                _ => batch.problem(format!("line {number} has no times that can be read")),
            }
        } else if line.is_empty() {
            cues.extend(open.take());
        } else if let Some(cue) = &mut open {
            let (speaker, said) = said(line);
            if cue.speaker.is_none() {
                cue.speaker = speaker;
            }
            if !cue.text.is_empty() {
                cue.text.push('\n');
            }
            cue.text.push_str(&said);
            cue.lines.last = number;
        }
    }
    cues.extend(open);
    cues
}

/// `01:02:03.456`, `02:03,456`.
fn offset(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let mut seconds: i64 = 0;
    let parts: Vec<&str> = whole.split(':').collect();
    if !(2..=3).contains(&parts.len()) || parts.iter().any(|part| part.is_empty() || part.len() > 4) {
        return None;
    }
    for part in parts {
        seconds = seconds * 60 + i64::from(part.parse::<u32>().ok()?);
    }
    let digits = format!("{fraction:0<3}");
    Some(seconds * 1000 + i64::from(digits.get(..3)?.parse::<u32>().ok()?))
}

/// Who speaks (`<v Ada>`, `Ada: …`), and what without tags.
fn said(line: &str) -> (Option<String>, String) {
    let mut speaker = None;
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        let Some(end) = rest[at..].find('>') else { break };
        let tag = &rest[at + 1..at + end];
        let is_tag = tag.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/');
        text.push_str(&rest[..at]);
        if !is_tag {
            text.push_str(&rest[at..=at + end]);
        } else if let Some((name, voice)) = tag.split_once(' ')
            && (name == "v" || name.starts_with("v."))
            && !voice.trim().is_empty()
        {
            speaker = Some(voice.trim().to_string());
        }
        rest = &rest[at + end + 1..];
    }
    text.push_str(rest);
    let text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ");
    if speaker.is_none()
        && let Some((name, said)) = text.trim_start_matches("- ").split_once(": ")
        && name.starts_with(char::is_uppercase)
        && name.split_whitespace().count() <= 3
        && name.chars().count() <= 30
        && name.chars().all(|c| c.is_alphanumeric() || " .-'’".contains(c))
    {
        return (Some(name.to_string()), said.trim().to_string());
    }
    (speaker, text.trim().to_string())
}
