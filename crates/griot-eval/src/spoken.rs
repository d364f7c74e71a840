//! Does an agent have in sight, when it is given work, what a person said once for good?
//!
//! A person states rules in passing, among orders and questions of many sessions (`data/spoken/`, and the
//! messages of the same writer in `data/wishes/`). The hooks record the sessions. Later a session begins, and
//! the person orders work for which one of the rules counts, mostly in other words, or work and questions for
//! which none does. The writers did not know the engine.

use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::{Error, Result, Timestamp};
use serde_json::{Value, json};

use crate::hooks::{added, beside};
use crate::output;
use crate::peer::Installation;
use crate::workspace;

macro_rules! sets {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../data/spoken/", $name, ".tsv")),
            include_str!(concat!("../data/wishes/", $name, ".tsv")))),*]
    };
}

const SETS: [(&str, &str, &str); 4] = sets!("everyday", "frontend", "operations", "web");
/// Messages of one session; there is one a day.
const SESSION: usize = 8;
/// Characters of a rule by which it is found in a block, which may cut it.
const SHOWN: usize = 40;

/// Record sessions in which rules are said, and see what later sessions and prompts get of them.
#[derive(Args)]
pub struct Options {
    /// The program; by default `griot` beside this one
    #[arg(long)]
    griot: Option<PathBuf>,
    /// Print the prompts without their rule
    #[arg(long)]
    show: bool,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let griot = match &self.griot {
            Some(path) => path.clone(),
            None => beside()?,
        };
        output::print(&format!(
            "{:12}{:>10}{:>10}{:>10}{:>12}{:>12}{:>10}\n",
            "writer", "messages", "at start", "lines", "in sight", "by prompt", "silent"
        ))?;
        for (name, table, messages) in SETS {
            let rows: Vec<[&str; 3]> = table.lines().filter_map(three).collect();
            let rules: Vec<&[&str; 3]> = rows.iter().filter(|row| row[0] == "rule").collect();
            let spoken: Vec<&str> = rules.iter().map(|row| row[1]).collect();
            let others: Vec<&str> =
                messages.lines().filter_map(|line| Some(line.split_once('\t')?.1)).collect();
            for said in [spoken.clone(), among(&spoken, &others)] {
                let row = self.measure(&griot, &said, &rows, &rules)?;
                output::print(&format!("{name:12}{:>10}{row}\n", said.len()))?;
            }
        }
        Ok(true)
    }

    fn measure(
        &self,
        griot: &Path,
        said: &[&str],
        rows: &[[&str; 3]],
        rules: &[&[&str; 3]],
    ) -> Result<String> {
        let folder = workspace::folder(None)?;
        let griot = Installation::new(griot, folder.path(), folder.path())?;
        record(&griot, folder.path(), said)?;
        let event = json!({ "session_id": "eval", "cwd": folder.path(), "source": "startup" });
        let start = added(&griot, "session-start", &event)?;
        let holds = |block: &str, id: &str| {
            let mut texts = rules.iter().filter(|rule| rule[2] == id).map(|rule| rule[1]);
            texts.any(|text| plain(block).contains(&plain(text).chars().take(SHOWN).collect::<String>()))
        };
        let at_start = rules.iter().filter(|rule| holds(&start, rule[2])).count();
        let (mut asked, mut in_sight, mut by_prompt, mut none, mut silent) = (0, 0, 0, 0, 0);
        for [kind, prompt, ids] in rows.iter().filter(|row| row[0] != "rule") {
            let event = json!({ "session_id": "eval", "cwd": folder.path(), "prompt": prompt });
            let block = added(&griot, "prompt", &event)?;
            if *kind == "silent" {
                none += 1;
                silent += usize::from(block.is_empty());
                continue;
            }
            let ids = ids.split(',').map(str::trim);
            let is_in = |block: &str| ids.clone().any(|id| holds(block, id));
            let (of_prompt, of_start) = (is_in(&block), is_in(&start));
            asked += 1;
            by_prompt += usize::from(of_prompt);
            in_sight += usize::from(of_prompt || of_start);
            if self.show && !of_prompt && !of_start {
                output::print(&format!("  missing {}: {prompt}\n", ids.clone().next().unwrap_or_default()))?;
            }
        }
        Ok(format!(
            "{:>10}{:>10}{:>12}{:>12}{:>10}",
            format!("{at_start}/{}", rules.len()),
            start.matches("\n- #").count(),
            format!("{in_sight}/{asked}"),
            format!("{by_prompt}/{asked}"),
            format!("{silent}/{none}")
        ))
    }
}

/// The rules at even distances among the other messages.
fn among<'a>(rules: &[&'a str], others: &[&'a str]) -> Vec<&'a str> {
    let mut said = Vec::new();
    for (at, rule) in rules.iter().enumerate() {
        let part = |at: usize| at * others.len() / rules.len();
        said.extend(&others[part(at)..part(at + 1)]);
        said.push(*rule);
    }
    said
}

/// Words alone: a block may break lines.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Records sessions of a user's messages and short answers.
fn record(griot: &Installation, folder: &Path, said: &[&str]) -> Result<()> {
    let first = Timestamp::from_day(2026, 3, 2).unwrap_or_default();
    for (day, messages) in said.chunks(SESSION).enumerate() {
        let session = format!("day-{day}");
        let mut lines = String::new();
        let mut parent = Value::Null;
        for (at, text) in messages.iter().enumerate() {
            for (turn, (speaker, text)) in
                [("user", *text), ("assistant", "I looked at it.")].into_iter().enumerate()
            {
                let minutes = (at * 4 + turn * 2) as i64;
                let time =
                    Timestamp(first.0 + day as i64 * Timestamp::DAY + minutes * 60 * Timestamp::SECOND);
                let id = format!("{session}-{at}-{turn}");
                let line = json!({
                    "type": speaker, "uuid": id, "parentUuid": parent, "sessionId": session,
                    "cwd": folder, "timestamp": time.to_string(),
                    "message": { "role": speaker, "content": text },
                });
                lines += &format!("{line}\n");
                parent = Value::from(id);
            }
        }
        let path = folder.join(format!("{session}.jsonl"));
        output::write(&path, lines)?;
        let event = json!({ "session_id": session, "cwd": folder, "transcript_path": path });
        let mut hook = griot.talk(&["hook", "stop", "--wait"])?;
        hook.send(&event.to_string())?;
        let printed = hook.rest();
        if !printed.is_empty() {
            return Err(Error::invalid("record a session", printed));
        }
    }
    Ok(())
}

fn three(row: &'static str) -> Option<[&'static str; 3]> {
    row.split('\t').collect::<Vec<_>>().try_into().ok()
}
