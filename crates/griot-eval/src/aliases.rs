//! Are the names of one thing found to be one, if the judge knows?
//!
//! Spelling and vectors choose the pairs; a scripted judge answers from the labels, through the same reply
//! and the same code as a language model (`griot merges --judge`). The figure says what the choice of pairs
//! lets a judge find, and at how many questions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use griot::model::{EntityType, Error, Result};
use griot_enrich::merges;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::dataset::parse_lines;
use crate::workspace::Workspace;
use crate::{embedder, output};

/// Let a judge who knows the labels decide which names are one.
#[derive(Args)]
pub struct Options {
    /// Lines with the `id` of a text, a `type`, `names` of one thing, and `others` of the same type.
    file: PathBuf,
    /// Questions for the sake of one name.
    #[arg(long, default_value_t = 3)]
    most: usize,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    names: Vec<String>,
    others: Vec<String>,
}

/// The names of one type in one text, and which of them are one.
#[derive(Default)]
struct Text {
    names: BTreeSet<String>,
    groups: Vec<BTreeSet<String>>,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    texts: usize,
    names: usize,
    questions: usize,
    right: usize,
    found: usize,
    wanted: usize,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let text = std::fs::read_to_string(&self.file).map_err(|error| {
            Error::unavailable(format!("read {}", self.file.display()), error.to_string())
        })?;
        let mut texts: BTreeMap<(String, String), Text> = BTreeMap::new();
        for line in parse_lines::<Line>(&self.file, &text)? {
            let text = texts.entry((line.id, line.kind)).or_default();
            text.names.extend(line.names.iter().chain(&line.others).cloned());
            text.groups.push(line.names.into_iter().collect());
        }
        let mut tally = Tally::default();
        for ((_, kind), text) in &texts {
            self.one(kind, text, &mut tally)?;
        }
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        let (precision, recall) = (share(tally.right, tally.found), share(tally.right, tally.wanted));
        let f1 = 2.0 * precision * recall / (precision + recall).max(1e-9);
        output::print(&format!(
            "{} texts, {} names, {:.2} questions a name\npairs that are one: precision {precision:.3}, \
             recall {recall:.3}, F1 {f1:.3}\n",
            tally.texts,
            tally.names,
            share(tally.questions, tally.names)
        ))?;
        Ok(true)
    }

    fn one(&self, kind: &str, text: &Text, tally: &mut Tally) -> Result<()> {
        let mut workspace = Workspace::temporary(&embedder::built_in())?;
        let kind = match kind {
            "PER" => EntityType::Person,
            "ORG" => EntityType::Org,
            "LOC" => EntityType::Location,
            _ => EntityType::Tool,
        };
        let names: Vec<String> = text.names.iter().cloned().collect();
        workspace.say_names(&names, kind)?;
        let questions = workspace.merge_questions(self.most)?;
        let are_one =
            |a: &str, b: &str| text.groups.iter().any(|group| group.contains(a) && group.contains(b));
        let decisions = questions.iter().enumerate().map(|(at, question)| {
            let same = are_one(&question.kept.name, &question.merged.name);
            json!({"number": at + 1, "same": same, "confidence": 1.0, "reason": "by the labels"})
        });
        let reply = json!({"decisions": decisions.collect::<Vec<Value>>()});
        let decided = merges::read(&reply, questions.len())
            .map_err(|why| Error::invalid("read the decisions of the judge", why))?;
        for decision in decided {
            workspace.settle_merge(&questions[decision.pair], decision.are_one)?;
        }
        tally.texts += 1;
        tally.names += names.len();
        tally.questions += questions.len();
        let ids: Vec<String> =
            names.iter().map(|name| workspace.entity_called(name)).collect::<Result<_>>()?;
        for (at, a) in names.iter().enumerate() {
            for (b, other) in names.iter().zip(&ids).skip(at + 1) {
                let (wanted, found) = (are_one(a, b), ids[at] == *other);
                tally.wanted += usize::from(wanted);
                tally.found += usize::from(found);
                tally.right += usize::from(wanted && found);
            }
        }
        Ok(())
    }
}
