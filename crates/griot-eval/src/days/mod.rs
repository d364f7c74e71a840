//! What is the guide for models worth? Days of agents, played through the tools of `griot mcp`.
//!
//! A day in `data/days` is a script: what an agent that follows the guide stores, links and looks up, what it
//! is asked later that day, the next day and a month later with the memory that answers, what its user types,
//! and which memories really replace or cause which. It was written before anything was measured. Each day is
//! played twice, in a new store each: by an agent that follows the guide, and by one that only stores the
//! same texts, without kinds, links and judgement. What is offered is judged by what the day says is true.
//!
//! Dates of questions are given to `recall`; the hook has the clock of the machine.

mod replay;
mod script;
mod tools;

use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::{Error, Result};

use self::replay::Replay;
use self::script::{Day, Kind};
use crate::hooks::beside;
use crate::peer::Installation;
use crate::world::{self, Figures, Group, Share};
use crate::{output, workspace};

const DAYS: [(&str, &str); 12] = [
    ("clinic-vets.jsonl", include_str!("../../data/days/clinic-vets.jsonl")),
    ("coding-greenhouse.jsonl", include_str!("../../data/days/coding-greenhouse.jsonl")),
    ("coding-tickets.jsonl", include_str!("../../data/days/coding-tickets.jsonl")),
    ("flat-share-lindenhof.jsonl", include_str!("../../data/days/flat-share-lindenhof.jsonl")),
    ("household-brandt.jsonl", include_str!("../../data/days/household-brandt.jsonl")),
    ("household-moreau.jsonl", include_str!("../../data/days/household-moreau.jsonl")),
    ("pool-harbour.jsonl", include_str!("../../data/days/pool-harbour.jsonl")),
    ("research-bog.jsonl", include_str!("../../data/days/research-bog.jsonl")),
    ("research-printers.jsonl", include_str!("../../data/days/research-printers.jsonl")),
    ("support-bookings.jsonl", include_str!("../../data/days/support-bookings.jsonl")),
    ("support-ebikes.jsonl", include_str!("../../data/days/support-ebikes.jsonl")),
    ("workshop-violins.jsonl", include_str!("../../data/days/workshop-violins.jsonl")),
];

/// Play days of agents through the tools of `griot mcp` and ask for what they stored.
#[derive(Args)]
pub struct Options {
    /// Files of days; by default those of this repository
    days: Vec<PathBuf>,
    /// The program; by default `griot` beside this one
    #[arg(long)]
    griot: Option<PathBuf>,
    /// Print what went wrong
    #[arg(long)]
    show: bool,
}

/// How the agent of a day works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agent {
    FollowsGuide,
    OnlyStores,
}

/// Offers of one kind, and the true pairs that could be offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Pairs {
    offers: Share,
    /// True pairs that are offered the wrong way round.
    turned: usize,
    truths: Share,
}

/// What came of days.
#[derive(Default)]
struct Outcome {
    asked: Vec<(Kind, Figures)>,
    replaced: Pairs,
    caused: Pairs,
    /// Replacements that the engine made by itself and that are none.
    noted_wrongly: usize,
    /// Memories whose cause `why` was asked for, and gave.
    traced: Share,
    /// What results are marked as, such as outdated; and results that were replaced before, marked so.
    marks: Share,
    changes: Share,
    /// Prompts without and with a memory that they need.
    ordinary: Share,
    brought: Share,
    /// Tokens of each answer: of `remember`, of `recall`, and of the hook where it was not silent.
    remembered: Vec<usize>,
    recalled: Vec<usize>,
    added: Vec<usize>,
    misses: Vec<String>,
}

impl Pairs {
    fn add(&mut self, is_right: bool, is_turned: bool) {
        self.offers.add(is_right);
        self.turned += usize::from(is_turned);
    }

    fn join(&mut self, other: Self) {
        self.offers.join(other.offers);
        self.turned += other.turned;
        self.truths.join(other.truths);
    }

    fn text(self, memories: usize) -> String {
        let a_memory = self.offers.all as f64 / memories.max(1) as f64;
        let Self { truths, turned, offers } = self;
        let (truths, offers) = (truths.text(), offers.text());
        format!("{truths} true ones, {turned} turned; right {offers} offers, {a_memory:.1} a memory")
    }
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let griot = self.griot.clone().map_or_else(beside, Ok)?;
        let days = self.days()?;
        for (agent, title) in [
            (Agent::FollowsGuide, "an agent that follows the guide"),
            (Agent::OnlyStores, "an agent that only stores"),
        ] {
            let mut all = Outcome::default();
            for day in &days {
                let folder = workspace::folder(None)?;
                let installation = Installation::new(&griot, folder.path(), folder.path())?;
                all.join(Replay::of(day, agent, &installation)?);
            }
            if self.show {
                output::print(&all.misses.concat())?;
            }
            output::print(&format!("{title}, {} days\n{}\n", days.len(), all.table(agent)))?;
        }
        Ok(true)
    }

    fn days(&self) -> Result<Vec<Day>> {
        if self.days.is_empty() {
            return own();
        }
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).map_err(|why| {
                Error::not_found(format!("open {}", path.display()), why.to_string())
                    .hint("give files of days")
            })?;
            Day::parse(path, &text)
        };
        self.days.iter().map(read).collect()
    }
}

/// The days of this repository.
fn own() -> Result<Vec<Day>> {
    DAYS.iter().map(|(name, text)| Day::parse(Path::new(name), text)).collect()
}

impl Outcome {
    fn join(&mut self, other: Self) {
        self.asked.extend(other.asked);
        self.replaced.join(other.replaced);
        self.caused.join(other.caused);
        self.noted_wrongly += other.noted_wrongly;
        self.traced.join(other.traced);
        self.marks.join(other.marks);
        self.changes.join(other.changes);
        self.ordinary.join(other.ordinary);
        self.brought.join(other.brought);
        self.remembered.extend(other.remembered);
        self.recalled.extend(other.recalled);
        self.added.extend(other.added);
        self.misses.extend(other.misses);
    }

    fn table(&self, agent: Agent) -> String {
        const COLUMNS: [&str; 5] = ["first", "three", "seen", "old first", "silent"];
        let rows = |wanted: &dyn Fn(Kind) -> bool| {
            self.asked.iter().filter(|(kind, _)| wanted(*kind)).map(|(_, figures)| figures).collect()
        };
        let mut groups: Vec<Group> =
            Kind::ALL.map(|(kind, name)| Group { name, rows: rows(&|other| other == kind) }).into();
        groups.push(Group { name: "answerable", rows: rows(&|kind| kind != Kind::Never) });
        let mut text = world::table(&COLUMNS, &groups);
        if agent == Agent::FollowsGuide {
            text += &format!(
                "replacements offered  {} ({} made wrongly)\ncauses offered        {}\n",
                self.replaced.text(self.remembered.len()),
                self.noted_wrongly,
                self.caused.text(self.remembered.len()),
            );
        }
        text + &format!(
            "cause traced by why   {}\n\
             marks of results      right {}, changes marked {}\n\
             hook                  silent {} ordinary prompts, memory brought for {}\n\
             tokens of an answer   remember {}, recall {}, hook {}\n",
            self.traced.text(),
            self.marks.text(),
            self.changes.text(),
            self.ordinary.text(),
            self.brought.text(),
            sizes(&self.remembered),
            sizes(&self.recalled),
            sizes(&self.added),
        )
    }
}

/// Mean and largest.
fn sizes(of: &[usize]) -> String {
    let mean = of.iter().sum::<usize>() as f64 / of.len().max(1) as f64;
    format!("{mean:.0} (at most {})", of.iter().max().unwrap_or(&0))
}

#[cfg(test)]
mod tests {
    use super::script::{Act, Prompt};
    use super::*;

    #[test]
    fn every_day_can_be_read_and_names_only_what_it_stores() {
        let days = own().expect("the data of this crate");
        assert_eq!(days.len(), 12);
        for day in &days {
            let asked = day.steps.iter().filter(|step| matches!(step.act, Act::Ask(_))).count();
            assert!((15..=20).contains(&asked), "{}: {asked} questions", day.name);
            for (kind, name) in Kind::ALL {
                let is_kind = |act: &Act| matches!(act, Act::Ask(question) if question.kind == kind);
                assert!(day.steps.iter().any(|step| is_kind(&step.act)), "{}: none is {name}", day.name);
            }
            let is_ordinary = |act: &Act| matches!(act, Act::Prompt(Prompt { gold, .. }) if gold.is_empty());
            assert!(day.steps.iter().any(|step| is_ordinary(&step.act)), "{}", day.name);
        }
    }

    #[test]
    fn a_day_that_names_what_it_does_not_store_is_refused() {
        let parse = |lines: &str| {
            let title = r#"{"day": "one", "about": "A day"}"#;
            Day::parse(Path::new("one.jsonl"), &format!("{title}\n{lines}")).map(|_| ())
        };
        let stored = r#"{"at": "2025-01-01T08:00", "remember": "Ada has a dog.", "id": "dog"}"#;
        assert!(parse(stored).is_ok());
        for (line, why) in [
            (r#"{"at": "2025-01-01T09:00", "prompt": "go", "gold": ["cat"]}"#, "has the id \"cat\""),
            (r#"{"at": "2025-01-01T07:00", "recall": "dogs"}"#, "comes after what is later"),
            (r#"{"at": "2025-01-01T09:00", "ask": "?", "kind": "why", "gold": []}"#, "has gold and is never"),
            (r#"{"at": "2025-01-01T09:00", "recall": "dogs", "gold": ["dog"]}"#, "line 3"),
            (r#"{"at": "2025-01-01T09:00", "link": "causal", "from": "dog", "to": "dog"}"#, "is not true"),
            (r#"{"replaces": [["dog", "cat"]], "causes": []}"#, "has the id \"cat\""),
        ] {
            let error = parse(&format!("{stored}\n{line}")).expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
