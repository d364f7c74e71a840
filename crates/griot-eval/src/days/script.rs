//! A day as it is written down: JSON Lines, each what the agent does or is asked at a time, and last what is
//! true of the memories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use griot::model::{Error, Result, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::causes::Causes;
use crate::dataset;

#[derive(Clone, PartialEq, Debug)]
pub struct Day {
    pub name: String,
    pub steps: Vec<Step>,
    /// New and old memory.
    pub replaces: BTreeSet<(String, String)>,
    pub causes: Causes,
    /// Memories that state a plan, and those that say until when they hold.
    pub plans: BTreeSet<String>,
    pub ends: BTreeSet<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub at: Timestamp,
    pub act: Act,
}

/// A line of the file without its time.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Act {
    Remember(Remember),
    Ingest(Ingest),
    Link(Link),
    Recall(Looked),
    Ask(Question),
    Why(Traced),
    Prompt(Prompt),
}

/// A line that has no time.
#[derive(Deserialize)]
#[serde(untagged)]
enum Untimed {
    Title(Title),
    Truth(Truth),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Title {
    day: String,
    #[serde(rename = "about")]
    _about: String,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remember {
    pub remember: String,
    pub id: String,
    pub kind: Option<String>,
    pub tier: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ingest {
    pub ingest: String,
    pub name: String,
    /// A phrase of a passage by the id that questions use for it.
    pub holds: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The kind of the edge.
    pub link: String,
    pub from: String,
    pub to: String,
    pub reason: Option<String>,
}

/// The agent looks before it acts; no answer is expected.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Looked {
    pub recall: String,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub ask: String,
    pub kind: Kind,
    /// Any of them answers; none if it was never said.
    pub gold: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traced {
    /// The memory whose causes are wanted.
    pub why: String,
    pub gold: Vec<String>,
}

/// What the user types to the agent.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    pub prompt: String,
    /// None for a prompt that needs no memory.
    pub gold: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Truth {
    replaces: BTreeSet<(String, String)>,
    causes: BTreeSet<(String, String)>,
    #[serde(default)]
    plans: BTreeSet<String>,
    #[serde(default)]
    ends: BTreeSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Direct,
    Paraphrased,
    Now,
    Before,
    Why,
    /// What the user wants for work that is ordered.
    Preference,
    Never,
}

impl Kind {
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Direct, "direct"),
        (Self::Paraphrased, "paraphrased"),
        (Self::Now, "holds now"),
        (Self::Before, "was before"),
        (Self::Why, "why"),
        (Self::Preference, "preference"),
        (Self::Never, "never said"),
    ];
}

#[derive(Deserialize)]
struct Time(#[serde(deserialize_with = "dataset::timestamp")] Option<Timestamp>);

impl Day {
    /// Reads a day and checks that its times ascend and that it names only memories that it stores before.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        let mut day = Self {
            name: String::new(),
            steps: Vec::new(),
            replaces: BTreeSet::new(),
            causes: Causes::default(),
            plans: BTreeSet::new(),
            ends: BTreeSet::new(),
        };
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let cannot = |why: serde_json::Error| dataset::at_line(path, number, why.to_string());
            let mut line: Map<String, Value> = serde_json::from_str(line).map_err(cannot)?;
            let at = line.remove("at").map(serde_json::from_value::<Time>).transpose().map_err(cannot)?;
            let line = Value::Object(line);
            if let Some(at) = at.and_then(|time| time.0) {
                day.steps.push(Step { at, act: serde_json::from_value(line).map_err(cannot)? });
                continue;
            }
            match serde_json::from_value(line).map_err(cannot)? {
                Untimed::Title(title) => day.name = title.day,
                Untimed::Truth(truth) => {
                    day.replaces.extend(truth.replaces);
                    day.plans.extend(truth.plans);
                    day.ends.extend(truth.ends);
                    day.causes.0.extend(truth.causes.into_iter().map(|pair| (pair, true)));
                }
            }
        }
        match day.problem() {
            Some(why) => Err(Error::invalid(format!("read {}", path.display()), why)),
            None => Ok(day),
        }
    }

    fn problem(&self) -> Option<String> {
        if self.name.is_empty() {
            return Some("no line names the day".to_owned());
        }
        if let Some(pair) = self.steps.windows(2).find(|pair| pair[0].at > pair[1].at) {
            return Some(format!("what is at {} comes after what is later", pair[1].at));
        }
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for step in &self.steps {
            let named: Vec<&String> = match &step.act {
                Act::Remember(Remember { id, .. }) if !known.insert(id) => {
                    return Some(format!("the id {id:?} was there before"));
                }
                Act::Ingest(Ingest { ingest, holds, .. }) => {
                    for (id, phrase) in holds {
                        if !ingest.contains(phrase) {
                            return Some(format!("the document does not contain {phrase:?}"));
                        }
                        if !known.insert(id) {
                            return Some(format!("the id {id:?} was there before"));
                        }
                    }
                    Vec::new()
                }
                Act::Link(link) => vec![&link.from, &link.to],
                Act::Ask(Question { ask, kind, gold }) => {
                    if gold.is_empty() != (*kind == Kind::Never) {
                        return Some(format!("{ask:?} has gold and is never said, or neither"));
                    }
                    gold.iter().collect()
                }
                Act::Why(Traced { why, gold }) => [why].into_iter().chain(gold).collect(),
                Act::Prompt(Prompt { gold, .. }) => gold.iter().collect(),
                Act::Remember(_) | Act::Recall(_) => Vec::new(),
            };
            if let Some(unknown) = named.into_iter().find(|id| !known.contains(id.as_str())) {
                return Some(format!("no memory before {} has the id {unknown:?}", step.at));
            }
        }
        let paired = self.replaces.iter().chain(self.causes.0.keys()).flat_map(|(one, other)| [one, other]);
        let mut named = paired.chain(&self.plans).chain(&self.ends);
        if let Some(unknown) = named.find(|id| !known.contains(id.as_str())) {
            return Some(format!("no memory has the id {unknown:?}"));
        }
        let mut links = self.steps.iter().filter_map(|step| match &step.act {
            Act::Link(link) => Some(link),
            _ => None,
        });
        let untrue = links.find(|link| !self.is_true(link))?;
        Some(format!("{} is linked to {} as {}, and that is not true", untrue.from, untrue.to, untrue.link))
    }

    /// What replaces or causes what is written down; any other edge may be made.
    fn is_true(&self, link: &Link) -> bool {
        match link.link.as_str() {
            "supersedes" => self.replaces.contains(&(link.from.clone(), link.to.clone())),
            "causal" => self.causes.has(&link.from, &link.to),
            _ => true,
        }
    }
}
