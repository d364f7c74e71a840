//! Is a standing wish known from an order of the moment, in messages of a writer who had no part in it?
//!
//! `data/wishes/` has messages of several writers, one file each: label (`standing`, `once`, `other`) and
//! text. Each writer is left out in turn; then the weights are learned from all of them, and written for
//! `griot::text::standing_wish`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use griot::model::{Error, Result};
use griot::text::wish_features;

use crate::output;

/// Messages that a feature must be in to have a weight.
const LEAST: usize = 3;
/// Strength of the penalty on squared weights, and steps of the descent.
const PENALTY: f64 = 1.0;
const STEPS: usize = 600;
/// Weights nearer to none are left out of the file.
const SMALLEST: f64 = 0.02;

/// Learn which messages state a standing wish, and measure it on writers that are left out.
#[derive(Args)]
pub struct Options {
    /// The folder with a file per writer
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/wishes"))]
    folder: PathBuf,
    /// Write the weights that all writers give, such as `crates/griot/data/wish.tsv`
    #[arg(long)]
    out: Option<PathBuf>,
}

struct Message {
    lasts: bool,
    features: Vec<String>,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let writers = read(&self.folder)?;
        output::print(&format!(
            "{:14}{:>9}{:>10}{:>18}{:>11}{:>8}{:>7}\n",
            "left out", "messages", "standing", "by phrases alone", "precision", "recall", "auc"
        ))?;
        let mut sums = [0.0; 3];
        for (name, held) in &writers {
            let others = writers.iter().filter(|(other, _)| *other != name);
            let known: Vec<&Message> = others.flat_map(|(_, messages)| messages).collect();
            let weights = learn(&known);
            let figures = measure(held, &weights);
            let standing = held.iter().filter(|message| message.lasts).count();
            let [precision, recall, auc] = figures;
            output::print(&format!(
                "{name:14}{:>9}{standing:>10}{:>18}{precision:>11.2}{recall:>8.2}{auc:>7.3}\n",
                held.len(),
                by_phrases(held)
            ))?;
            sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure / writers.len() as f64);
        }
        let [precision, recall, auc] = sums;
        output::print(&format!("{:14}{:>37}{precision:>11.2}{recall:>8.2}{auc:>7.3}\n", "mean", ""))?;
        if let Some(out) = &self.out {
            let all: Vec<&Message> = writers.values().flatten().collect();
            write(out, &learn(&all))?;
        }
        Ok(true)
    }
}

fn read(folder: &Path) -> Result<BTreeMap<String, Vec<Message>>> {
    let failed =
        |why: std::io::Error| Error::unavailable(format!("read {}", folder.display()), why.to_string());
    let mut writers = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let text = std::fs::read_to_string(&path).map_err(failed)?;
        let rows =
            text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
        let messages = rows.filter_map(|(label, text)| {
            let mut features = Vec::new();
            let is_read = wish_features(text, &mut |feature| features.push(feature.to_string()));
            is_read.then_some(Message { lasts: label == "standing", features })
        });
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        writers.insert(name, messages.collect());
    }
    Ok(writers)
}

type Weights<'a> = BTreeMap<&'a str, f64>;

/// Logistic regression with a penalty on squared weights, by steps that each weight takes in its own size
/// (Adagrad on all messages at once): the same messages give the same weights.
fn learn<'a>(messages: &[&'a Message]) -> Weights<'a> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for message in messages {
        let mut own: Vec<&str> = message.features.iter().map(String::as_str).collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter().for_each(|feature| *counts.entry(feature).or_default() += 1);
    }
    let names: Vec<&str> =
        counts.into_iter().filter(|(_, count)| *count >= LEAST).map(|(name, _)| name).collect();
    let rows: Vec<Vec<usize>> = messages
        .iter()
        .map(|message| {
            let known =
                message.features.iter().filter_map(|feature| names.binary_search(&feature.as_str()).ok());
            known.collect()
        })
        .collect();
    let (mut weights, mut squares) = (vec![0.0f64; names.len()], vec![1e-6f64; names.len()]);
    for step in 0..STEPS {
        let mut slopes: Vec<f64> = weights.iter().map(|weight| PENALTY * weight).collect();
        for (message, row) in messages.iter().zip(&rows) {
            let odds: f64 = row.iter().map(|at| weights[*at]).sum();
            let error = 1.0 / (1.0 + (-odds).exp()) - f64::from(u8::from(message.lasts));
            row.iter().for_each(|at| slopes[*at] += error);
        }
        let size = 0.3 / (1.0 + step as f64 / 100.0);
        for ((weight, square), slope) in weights.iter_mut().zip(&mut squares).zip(&slopes) {
            *square += slope * slope;
            *weight -= size * slope / square.sqrt();
        }
    }
    names.into_iter().zip(weights).collect()
}

fn odds(message: &Message, weights: &Weights<'_>) -> f64 {
    message.features.iter().filter_map(|feature| weights.get(feature.as_str())).sum()
}

/// Precision and recall at even odds, and the share of pairs that are in order.
fn measure(held: &[Message], weights: &Weights<'_>) -> [f64; 3] {
    let scored: Vec<(f64, bool)> =
        held.iter().map(|message| (odds(message, weights), message.lasts)).collect();
    let count = |is: &dyn Fn(&(f64, bool)) -> bool| scored.iter().filter(|one| is(one)).count() as f64;
    let (found, right) = (count(&|one| one.0 > 0.0), count(&|one| one.0 > 0.0 && one.1));
    let all = count(&|one| one.1);
    let of = |lasts: bool| scored.iter().filter(move |one| one.1 == lasts).map(|one| one.0);
    let ordered: usize = of(true).map(|high| of(false).filter(|low| *low < high).count()).sum();
    let pairs = all * (scored.len() as f64 - all);
    [right / found.max(1.0), right / all.max(1.0), ordered as f64 / pairs.max(1.0)]
}

/// Precision and recall if a phrase of rules alone said so.
fn by_phrases(held: &[Message]) -> String {
    let has = |message: &&Message| message.features.iter().any(|feature| feature == "cue rule");
    let found = held.iter().filter(has).count() as f64;
    let right = held.iter().filter(has).filter(|message| message.lasts).count() as f64;
    let all = held.iter().filter(|message| message.lasts).count() as f64;
    format!("{:.2} {:.2}", right / found.max(1.0), right / all.max(1.0))
}

fn write(out: &Path, weights: &Weights<'_>) -> Result<()> {
    let mut text = String::from(
        "# Log odds that a message states a standing wish, by its features; see src/text/wish.rs.\n\
         # Written by `griot-eval wishes --out crates/griot/data/wish.tsv`. Columns: feature, weight.\n",
    );
    for (feature, weight) in weights.iter().filter(|(_, weight)| weight.abs() >= SMALLEST) {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{feature}\t{weight:.3}");
    }
    output::write(out, text)
}
