//! The log of recalls, and its questions asked with both strategies.

use griot_wire::{ComparedRecalls, LoggedRecall, RecallLog, StrategyAnswer};

use super::table::table;
use super::{Page, counted, text};

const OFF: &str = "recalls are not logged: griot config set log.recalls true";

pub fn recalls(page: Page, log: &RecallLog) -> String {
    let mut parts = Vec::new();
    if log.recalls.is_empty() {
        parts.push("No recalls.".to_string());
    } else {
        let header = ["time", "agent", "ms", "given", "question"];
        parts.push(table(page, header, &[2], &log.recalls, |one| {
            let ms = format!("{:.0}", one.milliseconds);
            [one.at.minute(), agent(one), ms, given(one), text::one_line(&one.query, 200)]
        }));
    }
    if !log.enabled {
        parts.push(page.quiet(OFF));
    }
    parts.join("\n\n")
}

/// The agent, else the key.
fn agent(one: &LoggedRecall) -> String {
    let name = one.agent.clone().or_else(|| one.key.as_ref().map(|key| format!("key {key}")));
    text::one_line(&name.unwrap_or_default(), 24)
}

fn given(one: &LoggedRecall) -> String {
    /// Handles that are shown.
    const SHOWN: usize = 3;
    if one.silent {
        return "nothing".to_string();
    }
    let mut shown: Vec<String> =
        one.results.iter().take(SHOWN).map(|one| format!("{} {:.2}", one.handle, one.score)).collect();
    let more = one.results.len().saturating_sub(SHOWN);
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

pub fn compared(page: Page, compared: &ComparedRecalls) -> String {
    let mut parts = Vec::new();
    if compared.questions.is_empty() {
        parts.push("No questions.".to_string());
    } else {
        let header = ["common", "overlap", "first without the graph", "first with it", "question"];
        parts.push(table(page, header, &[0, 1], &compared.questions, |one| {
            let graph = one.failure.clone().unwrap_or_else(|| first(&one.graph));
            let overlap = format!("{:.2}", one.overlap);
            [one.common.to_string(), overlap, first(&one.baseline), graph, text::one_line(&one.query, 200)]
        }));
        let same = compared.questions.iter().filter(|one| one.same_first).count();
        let all = counted(compared.questions.len() as u64, "question", "questions");
        parts.push(page.quiet(&format!("{same} of {all} have the same first result with both")));
    }
    if !compared.enabled {
        parts.push(page.quiet(OFF));
    }
    parts.join("\n\n")
}

fn first(answer: &StrategyAnswer) -> String {
    let found = answer.first.as_ref();
    found.map_or_else(
        || "nothing".to_string(),
        |one| format!("{} {}", one.handle, text::one_line(&one.excerpt, 40)),
    )
}
