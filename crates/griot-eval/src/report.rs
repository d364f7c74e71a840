//! How results are printed: tables of fixed columns on standard output, in the form of the reference scorer.

use std::fmt::Write;

use crate::intents::{self, Half};
use crate::noise;
use crate::run::{self, Outcome};
use crate::score::{Measures, Scores};
use crate::why::{self, Caller, World};

/// Measures by category, as the reference scorer prints them.
pub fn scores(scores: &Scores) -> String {
    let mut text = format!("missing queries: {}\n{:28}{:>6}", scores.missing, "group", "n");
    for name in Measures::NAMES {
        push(&mut text, format_args!("{name:>16}"));
    }
    text.push('\n');
    for group in &scores.groups {
        push(&mut text, format_args!("{:28}{:>6}", group.name, group.questions));
        for (mean, half) in group.mean.0.iter().zip(group.half_width.0) {
            push(&mut text, format_args!("{:>16}", format!("{mean:.3} ±{half:.3}")));
        }
        text.push('\n');
    }
    text
}

/// One line a set and the macro average, beside plain word search on the same questions.
pub fn outcomes(outcomes: &[Outcome]) -> String {
    let mut text = format!(
        "{:28}{:>6}{:>10}{:>10}{:>8}{:>8}{:>10}{:>10}{:>10}{:>12}\n",
        "set", "n", "nDCG@10", "BM25", "ratio", "R@10", "BM25", "ms median", "ms mean", "units/s"
    );
    let mut line = |name: &str, n: String, own: Measures, plain: Measures, rest: String| {
        let (own_ndcg, plain_ndcg) = (own.ndcg_at_10(), plain.ndcg_at_10());
        let ratio = if plain_ndcg > 0.0 { format!("{:.3}", own_ndcg / plain_ndcg) } else { "–".into() };
        push(
            &mut text,
            format_args!(
                "{name:28}{n:>6}{own_ndcg:>10.3}{plain_ndcg:>10.3}{ratio:>8}{:>8.3}{:>10.3}{rest}\n",
                own.recall_at_10(),
                plain.recall_at_10()
            ),
        );
    };
    for outcome in outcomes {
        let n = outcome.scores.headline().map_or(0, |group| group.questions).to_string();
        let rest = format!(
            "{:>10.2}{:>10.2}{:>12.0}",
            outcome.median_ms, outcome.mean_ms, outcome.ingested_per_second
        );
        line(&outcome.set, n, run::headline(&outcome.scores), outcome.baseline, rest);
    }
    if outcomes.len() > 1 {
        let own = average(outcomes.iter().map(|o| run::headline(&o.scores)));
        let plain = average(outcomes.iter().map(|o| o.baseline));
        line("macro average", String::new(), own, plain, String::new());
    }
    for outcome in outcomes {
        if let Some(floor) = outcome.floor {
            let share = 100.0 * floor.lost as f64 / floor.questions.max(1) as f64;
            push(
                &mut text,
                format_args!(
                    "floor on {}: {} of {} answerable questions lose their answer ({share:.1} %), {} get none\n",
                    outcome.set, floor.lost, floor.questions, floor.empty
                ),
            );
        }
    }
    text
}

/// The worlds of the causal suite in one table, their sum below, and what went wrong if asked for.
pub fn why(caller: Caller, worlds: &[World], outcomes: &[why::Outcome], misses: bool) -> String {
    let title = match caller {
        Caller::Confirms => "with a caller who confirms what is offered and true",
        Caller::Absent => "by rules alone",
        Caller::Knows => "with a caller who links every true cause",
    };
    let mut text = format!(
        "{title}\n{:12}{:>10}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>11}{:>7}{:>9}{:>9}\n",
        "world",
        "questions",
        "found",
        "ordered",
        "traced",
        "turned",
        "links",
        "by rule",
        "confirmed",
        "none",
        "shortcut",
        "wrong"
    );
    let mut line = |name: &str, one: &why::Outcome| {
        let share = |n: usize| format!("{:.1} %", 100.0 * n as f64 / one.questions.max(1) as f64);
        push(
            &mut text,
            format_args!(
                "{name:12}{:>10}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>11}{:>7}{:>9}{:>9}\n",
                one.questions,
                share(one.found),
                share(one.ordered),
                share(one.traced),
                one.turned.len(),
                one.true_links,
                one.by_rule,
                one.confirmed,
                one.never_offered.len(),
                one.shortcuts,
                one.wrong.len()
            ),
        );
    };
    for (world, outcome) in worlds.iter().zip(outcomes) {
        line(world.name, outcome);
    }
    let sum = why::Outcome::sum(outcomes);
    line("all", &sum);
    push(
        &mut text,
        format_args!(
            "{} of {} questions understood as why; {:.1} candidates judged per memory\n",
            sum.understood,
            sum.questions,
            sum.judged as f64 / sum.remembered.max(1) as f64
        ),
    );
    for turned in &sum.turned {
        push(&mut text, format_args!("a consequence as a cause: {turned}\n"));
    }
    if misses {
        for miss in &sum.misses {
            let effect = if miss.effect_found { "found" } else { "not found" };
            let (absent, chains, shown) =
                (miss.absent.join(" "), miss.chains.join(" | "), miss.shown.join(" "));
            push(
                &mut text,
                format_args!(
                    "missed: {}\n  absent: {absent}; effect {effect}; chains: {chains}; results: {shown}{}\n",
                    miss.question,
                    miss.abstained.as_deref().unwrap_or_default()
                ),
            );
        }
        for (what, links) in [("never offered", &sum.never_offered), ("wrong by rule", &sum.wrong)] {
            for link in links {
                push(&mut text, format_args!("{what}: {link}\n"));
            }
        }
    }
    text.push('\n');
    text
}

/// One size of the noise suite beside plain word search, with the questions that went wrong.
pub fn noise(outcome: &noise::Outcome, plain: &noise::Outcome) -> String {
    let facts = outcome.found + outcome.missed.len();
    let silent = |of: &noise::Outcome| of.off_topic - of.answered.len();
    let mut text = format!(
        "{:>4} unrelated: {} of {facts} facts in the first 10 (wanted {}; BM25 {}), {} first (BM25 {}); \
         silent for {} of {} off-topic questions (wanted {}; BM25 {})\n",
        outcome.unrelated,
        outcome.found,
        noise::FACTS_WANTED,
        plain.found,
        outcome.first,
        plain.first,
        silent(outcome),
        outcome.off_topic,
        noise::SILENT_WANTED,
        silent(plain)
    );
    for question in &outcome.missed {
        push(&mut text, format_args!("     missed: {question}\n"));
    }
    for question in &outcome.answered {
        push(&mut text, format_args!("     answered: {question}\n"));
    }
    text
}

/// The mean of means: every set counts alike, however many questions it has.
pub fn average(rows: impl ExactSizeIterator<Item = Measures>) -> Measures {
    let count = rows.len().max(1) as f64;
    let mut sum = Measures::default();
    for row in rows {
        for (cell, value) in sum.0.iter_mut().zip(row.0) {
            *cell += value;
        }
    }
    Measures(sum.0.map(|cell| cell / count))
}

/// 1234567 as 1,234,567.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Accuracy by group and half, what was read as what, and the mistakes that rules may learn from.
pub fn intents(outcome: &intents::Outcome) -> String {
    let mut text = format!("{:12}", "group");
    for half in Half::ALL {
        push(&mut text, format_args!("{:>8}{:>12}", half.name(), "accuracy"));
    }
    text.push('\n');
    for group in &outcome.groups {
        push(&mut text, format_args!("{:12}", group.name));
        for tally in group.tallies {
            push(&mut text, format_args!("{:>8}{:>12.3}", tally.asked, tally.accuracy()));
        }
        text.push('\n');
    }
    for (half, confusion) in Half::ALL.into_iter().zip(&outcome.confusion) {
        push(&mut text, format_args!("\n{:12}", format!("{} as", half.name())));
        for (_, name) in intents::INTENTS {
            push(&mut text, format_args!("{name:>8}"));
        }
        for ((_, label), row) in intents::INTENTS.into_iter().zip(confusion) {
            push(&mut text, format_args!("\n{label:12}"));
            for count in row {
                push(&mut text, format_args!("{count:>8}"));
            }
        }
        text.push('\n');
    }
    if !outcome.mistakes.is_empty() {
        text.push_str("\nmistakes of the half tune: label, reading, cue, question\n");
    }
    for mistake in &outcome.mistakes {
        let (label, read) = (intents::name(mistake.question.intent), intents::name(mistake.read));
        let cue = mistake.cue.as_deref().unwrap_or("-");
        push(&mut text, format_args!("{label:8} {read:8} {cue:20} {}\n", mistake.question.text));
    }
    let held = outcome.total(Half::Held);
    let verdict = if outcome.holds() { "holds" } else { "DOES NOT HOLD" };
    push(
        &mut text,
        format_args!(
            "\nheld half: {} of {} read right, {:.2} wanted: {verdict}\n",
            held.right,
            held.asked,
            intents::HELD_WANTED
        ),
    );
    text
}

fn push(text: &mut String, what: std::fmt::Arguments) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Floor;
    use crate::score::Group;

    fn group(name: &str, questions: usize, value: f64) -> Group {
        Group { name: name.into(), questions, mean: Measures([value; 6]), half_width: Measures([0.0125; 6]) }
    }

    #[test]
    fn scores_are_printed_as_the_reference_does() {
        let all = Scores { missing: 2, groups: vec![group("ALL", 755, 0.5)] };
        let text = scores(&all);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "missing queries: 2");
        assert_eq!(
            lines[1],
            "group                            n             R@5            R@10            R@20         nDCG@10             MRR          All@10"
        );
        assert_eq!(
            lines[2],
            "ALL                            755    0.500 ±0.013    0.500 ±0.013    0.500 ±0.013    0.500 ±0.013    0.500 ±0.013    0.500 ±0.013"
        );
    }

    #[test]
    fn sets_are_averaged_alike_and_stand_beside_plain_search() {
        let outcome = |set: &str, questions, value| Outcome {
            set: set.into(),
            scores: Scores { missing: 0, groups: vec![group("ALL", questions, value)] },
            baseline: Measures([0.2; 6]),
            median_ms: 1.0,
            mean_ms: 2.0,
            ingested_per_second: 3000.0,
            floor: Some(Floor { questions: 50, empty: 3, lost: 1 }),
        };
        let text = outcomes(&[outcome("small", 1, 0.2), outcome("large", 999, 0.6)]);
        let average = text.lines().nth(3).expect("four lines");
        assert_eq!(
            average.split_whitespace().collect::<Vec<_>>(),
            ["macro", "average", "0.400", "0.200", "2.000", "0.400", "0.200"]
        );
        assert!(
            text.contains(
                "floor on small: 1 of 50 answerable questions lose their answer (2.0 %), 3 get none"
            )
        );
    }

    #[test]
    fn long_numbers_have_commas() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
    }
}
