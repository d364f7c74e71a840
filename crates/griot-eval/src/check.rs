//! Is recall as good as it was? A small fixed part of the measuring, on texts of this repository alone.
//!
//! `data/quality.tsv` says of each figure what it was and how wide its 95 % interval is. A figure that is
//! lower by more than that is a fall; one that is higher by more should be written down. The parts: the set
//! `house` (the worlds of causes and the conversation of `griot demo`, with questions after who, when, what,
//! why and several things at once), the facts and off-topic questions among 120 unrelated memories, the
//! chains of causes with a caller, and the intents of the held half.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::{Error, Result};
use griot::recall::Effort;

use crate::dataset::{self, Set};
use crate::embedder::built_in;
use crate::intents;
use crate::noise::Suite;
use crate::output;
use crate::quality;
use crate::score::{ALL, Scores};
use crate::small;
use crate::why::World;

/// Measure a small fixed part, on texts of this repository; exit 1 where a figure fell by more than its
/// interval.
#[derive(Args)]
pub struct Options {
    /// Write down what the figures are now instead of comparing: data/quality.tsv of this crate.
    #[arg(long)]
    write: Option<PathBuf>,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let now = measure()?;
        if let Some(path) = &self.write {
            output::write(path, file_of(&now))?;
            return Ok(true);
        }
        let compared = compare(now, &expected()?)?;
        output::print(&table(&compared))?;
        Ok(!compared.iter().any(Compared::has_fallen))
    }
}

/// A named figure, and how much it may differ by chance: half the width of its interval.
#[derive(Clone, PartialEq, Debug)]
struct Figure {
    name: String,
    value: f64,
    interval: f64,
}

/// A figure beside what it was.
#[derive(Clone, PartialEq, Debug)]
struct Compared {
    now: Figure,
    was: Figure,
}

impl Compared {
    fn has_fallen(&self) -> bool {
        self.now.value < self.was.value - self.was.interval - ROUNDING
    }

    fn has_risen(&self) -> bool {
        self.now.value > self.was.value + self.was.interval + ROUNDING
    }
}

/// The file has four digits.
const ROUNDING: f64 = 1e-4;
const UNRELATED: usize = 120;

/// The set that is part of this crate.
fn house() -> Result<Set> {
    Set::parse(
        Path::new("house"),
        include_str!("../data/house/corpus.jsonl"),
        include_str!("../data/house/queries.jsonl"),
    )
}

/// What the figures were.
fn expected() -> Result<Vec<Figure>> {
    parse(include_str!("../data/quality.tsv"))
}

fn parse(text: &str) -> Result<Vec<Figure>> {
    let figure = |[name, value, interval]: [&str; 3]| {
        let number = |text: &str| {
            let why = |_| {
                Error::invalid(format!("read {name} in data/quality.tsv"), format!("`{text}` is no number"))
            };
            text.parse::<f64>().map_err(why)
        };
        Ok(Figure { name: name.to_owned(), value: number(value)?, interval: number(interval)? })
    };
    dataset::columns("data/quality.tsv", text)?.into_iter().map(figure).collect()
}

/// The file that [`expected`] reads.
fn file_of(figures: &[Figure]) -> String {
    let mut text = String::from(
        "# What `griot-eval check` measures, and how far it may fall: name, figure, half the width of the \
         95 % interval.\n\
         # Written by `griot-eval check --write crates/griot-eval/data/quality.tsv`.\n",
    );
    for figure in figures {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}\t{:.4}\t{:.4}", figure.name, figure.value, figure.interval);
    }
    text
}

/// Measures every figure.
fn measure() -> Result<Vec<Figure>> {
    let embedder = built_in();
    let mut figures = of_set(&house()?, &embedder)?;
    let noise = Suite::load()?.measure(UNRELATED, &embedder)?;
    let facts = noise.found + noise.missed.len();
    figures.push(share("noise: facts in the first 10", noise.found, facts));
    figures.push(share("noise: silent", noise.off_topic - noise.answered.len(), noise.off_topic));
    let small = small::measure(&embedder)?;
    figures.push(mean("small stores: precision", small.precision, small.questions));
    figures.push(mean("small stores: recall", small.recall, small.questions));
    let chains = World::measure(&World::all()?, true)?;
    figures.push(share("why: chains found", chains.found, chains.questions));
    figures.push(share("why: chains in order", chains.ordered, chains.questions));
    let (right, asked) = intents::measure_held()?;
    figures.push(share("intents: held half", right, asked));
    Ok(figures)
}

/// A mean of shares; its interval is that of the nearest share of right answers.
fn mean(name: &str, value: f64, asked: usize) -> Figure {
    let right = (value * asked as f64).round() as usize;
    Figure { value, ..share(name, right, asked) }
}

/// nDCG@10 at every effort, and at normal effort R@10 and nDCG@10 of every category.
fn of_set(set: &Set, embedder: &Arc<dyn Embedder>) -> Result<Vec<Figure>> {
    let (by_effort, _) = quality::recalled(set, embedder, false)?;
    let mut figures = Vec::new();
    for (effort, (rankings, _)) in Effort::ALL.into_iter().zip(&by_effort) {
        for group in Scores::of(&set.queries, rankings).groups {
            let mut figure = |name: String, at: usize| {
                figures.push(Figure { name, value: group.mean.0[at], interval: group.half_width.0[at] });
            };
            // The positions of nDCG@10 and R@10 in `Measures`.
            match (group.name.as_str(), effort) {
                (ALL, _) => {
                    figure(format!("{}, {}: nDCG@10", set.name, effort.name()), 3);
                    if effort == Effort::Normal {
                        figure(format!("{}, {}: R@10", set.name, effort.name()), 1);
                    }
                }
                (category, Effort::Normal) => figure(format!("{}, {category}: nDCG@10", set.name), 3),
                _ => {}
            }
        }
    }
    Ok(figures)
}

/// A share, and how far below it the lower end of its 95 % Wilson interval is: not 0 where everything was
/// right.
fn share(name: &str, right: usize, asked: usize) -> Figure {
    const Z: f64 = 1.96;
    let n = asked.max(1) as f64;
    let value = right as f64 / n;
    let middle = (value + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
    Figure { name: name.to_owned(), value, interval: value - (middle - half) }
}

/// Puts each figure beside what it was; both lists must name the same.
fn compare(now: Vec<Figure>, was: &[Figure]) -> Result<Vec<Compared>> {
    let names = |figures: &[Figure]| figures.iter().map(|figure| figure.name.clone()).collect::<Vec<_>>();
    if names(&now) != names(was) {
        return Err(Error::invalid(
            "compare with data/quality.tsv",
            "it names other figures than are measured",
        )
        .hint("griot-eval check --write crates/griot-eval/data/quality.tsv"));
    }
    Ok(now.into_iter().zip(was.iter().cloned()).map(|(now, was)| Compared { now, was }).collect())
}

/// One line a figure.
fn table(compared: &[Compared]) -> String {
    let mut text = format!("{:32}{:>10}{:>10}{:>10}\n", "figure", "now", "was", "interval");
    for one in compared {
        let verdict = match (one.has_fallen(), one.has_risen()) {
            (true, _) => "  FALLEN",
            (_, true) => "  risen: write it down",
            _ => "",
        };
        let (now, was) = (&one.now, &one.was);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:32}{:>10.4}{:>10.4}{:>10.4}{verdict}",
            now.name, now.value, was.value, was.interval
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn no_figure_has_fallen() {
        let compared =
            compare(measure().expect("measured"), &expected().expect("readable")).expect("the same figures");
        assert!(!compared.iter().any(Compared::has_fallen), "{}", table(&compared));
    }

    #[test]
    fn a_fall_is_more_than_the_interval() {
        let figure = |value| Figure { name: "f".into(), value, interval: 0.05 };
        let one = |now| compare(vec![figure(now)], &[figure(0.8)]).expect("one figure").remove(0);
        assert!(one(0.74).has_fallen() && !one(0.76).has_fallen());
        assert!(one(0.86).has_risen() && !one(0.84).has_risen());
        assert!(compare(vec![figure(1.0)], &[]).is_err());
    }

    #[test]
    fn the_file_is_read_as_it_is_written() {
        let figures = vec![share("all right", 50, 50), share("half", 10, 20)];
        let read = parse(&file_of(&figures)).expect("readable");
        assert!((read[0].interval - 0.0714).abs() < 1e-9, "{read:?}");
        assert!((read[1].value - 0.5).abs() < 1e-9 && (read[1].interval - 0.2007).abs() < 1e-9, "{read:?}");
        assert!(parse("name\t0.5\n").is_err());
    }

    /// The set has the form of every other set; its texts are those of the worlds and of the demo.
    #[test]
    fn the_house_holds_the_texts_that_it_is_made_of() {
        let house = house().expect("the data of this crate");
        let texts: BTreeMap<&str, &str> =
            house.units.iter().map(|unit| (unit.id.as_str(), unit.body())).collect();
        let mut expected = BTreeMap::new();
        for (number, line) in (1..).zip(include_str!("../../../examples/team.jsonl").lines()) {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            expected.insert(format!("team/{number}"), line["text"].as_str().expect("a text").to_owned());
        }
        for world in World::all().expect("the worlds") {
            let texts = world.memories.into_iter();
            expected.extend(texts.map(|unit| (format!("{}/{}", world.name, unit.id), unit.text)));
        }
        assert_eq!(texts, expected.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect());
        assert!(house.queries.iter().filter(|query| query.category != "why").count() >= 40);
    }
}
