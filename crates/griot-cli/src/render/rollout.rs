//! The rollout of graph recall: its mode, its gate, what is missing, and judged questions.

use griot_wire::{Feedback, Judged, JudgedAnswer, Rollout, RolloutWindow};

use super::table::table;
use super::{ALARM, NAME, Page, counted, lines_or, text};

/// Windows to show; `--json` has all.
const WINDOWS: usize = 7;
const INCIDENTS: usize = 5;

fn mode(mode: &str) -> &'static str {
    match mode {
        "off" => "the baseline answers; the graph does not run",
        "shadow" => "the baseline answers; the graph runs for measurement only",
        "canary" => "the graph answers requests that ask for it",
        _ => "the graph answers",
    }
}

fn head(page: Page, rollout: &Rollout) -> Vec<String> {
    let mut about = mode(&rollout.mode).to_string();
    if let (Some(at), Some(by)) = (&rollout.updated_at, &rollout.updated_by) {
        about.push_str(&format!(" · since {at} by {}", text::visible(by)));
    }
    let mut lines = vec![format!("{}  {}", page.strong(&rollout.mode), page.quiet(&about))];
    if !rollout.enabled {
        lines.push("recall.graph is false: the graph is not used in any mode".into());
    }
    lines
}

pub fn rollout(page: Page, rollout: &Rollout) -> String {
    let mut parts = vec![head(page, rollout).join("\n")];
    let gate = &rollout.gate;
    let mut lines = vec![format!("{}  {} ({})", page.strong("gate"), gate.state, gate.status)];
    if gate.state == "half_open" {
        lines.push(format!("      {} of {} probe runs", gate.probes, gate.probes_wanted));
    }
    for reason in &gate.reasons {
        let what = if reason.blocking { "blocks" } else { "warns" };
        let bound = format!("{:.3}, limit {:.3}", reason.value, reason.limit);
        lines.push(format!("      {what}: {} {}", page.paint(NAME, &reason.code), page.quiet(&bound)));
    }
    parts.push(lines.join("\n"));
    if !rollout.alarms.is_empty() {
        parts.push(lines_or("", &rollout.alarms, |alarm| {
            let severity = page.paint(ALARM, &alarm.severity);
            format!("{severity} {}: {}", alarm.code, text::visible(&alarm.message))
        }));
    }
    if rollout.windows.is_empty() {
        parts.push("No windows yet.".into());
    } else {
        let header = [
            "window", "recalls", "asked", "graph", "shadow", "held", "errors", "coverage", "overlap", "gain",
        ];
        let latest = &rollout.windows[..rollout.windows.len().min(WINDOWS)];
        parts.push(table(page, header, &[1, 2, 3, 4, 5, 6, 7, 8, 9], latest, row));
    }
    if !rollout.incidents.is_empty() {
        let latest = &rollout.incidents[..rollout.incidents.len().min(INCIDENTS)];
        parts.push(lines_or("", latest, |incident| {
            let message = text::one_line(&incident.message, page.width.saturating_sub(48));
            format!("{}  {}  {message}", incident.at, incident.reason)
        }));
    }
    parts.push(advice(page, rollout));
    parts.join("\n\n")
}

fn row(window: &RolloutWindow) -> [String; 10] {
    let number = |value: u64| value.to_string();
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    [
        format!("{}{}", window.start, if window.closed { "" } else { " (open)" }),
        number(window.requests),
        number(window.hybrid_requested),
        number(window.hybrid_applied),
        number(window.shadow_executions),
        number(window.held),
        number(window.graph_errors + window.shadow_errors),
        format!("{:.2}", window.coverage),
        or_dash(window.overlap.map(|overlap| format!("{overlap:.2}"))),
        or_dash(window.relevance_gain.map(|gain| format!("{gain:+.3}"))),
    ]
}

fn advice(page: Page, rollout: &Rollout) -> String {
    let (next, why) = (&rollout.recommended, &rollout.rationale);
    let (say, command) = if *next == rollout.mode {
        (format!("Stay in {next}: {why}"), "griot rollout plan".into())
    } else {
        (format!("Next: {next}, because {why}"), format!("griot rollout set {next}"))
    };
    format!("{say}\n{}", page.quiet(&command))
}

pub fn rollout_set(page: Page, rollout: &Rollout) -> String {
    head(page, rollout).join("\n")
}

pub fn rollout_plan(page: Page, rollout: &Rollout) -> String {
    let mut parts = vec![head(page, rollout).join("\n")];
    parts.push(table(page, ["stage", "runs", "state"], &[], &rollout.stages, |stage| {
        let state = if stage.ready { "ready".to_string() } else { stage.blockers.join(", ") };
        [stage.stage.clone(), format!("{} of {}", stage.current_samples, stage.required_samples), state]
    }));
    parts.push(table(page, ["last closed window", "is", "should be", ""], &[1], &rollout.goals, |goal| {
        let wanted = format!("{} {:.2}", goal.comparator, goal.target);
        let state = if goal.ready { "met" } else { "not met" };
        [goal.metric.clone(), format!("{:.2}", goal.current), wanted, state.to_string()]
    }));
    let (ready, wanted) = (rollout.ready_windows, rollout.ready_windows_wanted);
    parts.push(format!("{ready} of {wanted} ready windows in a row"));
    parts.push(advice(page, rollout));
    parts.join("\n\n")
}

pub fn judged(page: Page, judged: &Judged) -> String {
    let strategies = [
        ("baseline", judged.baseline_ndcg, judged.baseline_recall),
        ("hybrid_graph", judged.graph_ndcg, judged.graph_recall),
    ];
    let header = ["strategy", "nDCG@10", "recall@10"];
    let mut parts = vec![table(page, header, &[1, 2], &strategies, |(name, ndcg, recall)| {
        [name.to_string(), format!("{ndcg:.3}"), format!("{recall:.3}")]
    })];
    let mut sum = format!(
        "{}: the graph is better on {}, worse on {}",
        counted(judged.queries as u64, "question", "questions"),
        judged.better,
        judged.worse
    );
    if judged.failed > 0 {
        sum.push_str(&format!(", and failed on {}", judged.failed));
    }
    parts.push(sum);
    let worse =
        |answer: &&JudgedAnswer| answer.graph_ndcg.is_none_or(|ndcg| ndcg < answer.baseline_ndcg - 1e-9);
    let lines: Vec<String> = judged
        .answers
        .iter()
        .filter(worse)
        .map(|answer| {
            let reached = answer.graph_ndcg.map_or("failed".into(), |ndcg| format!("{ndcg:.3}"));
            let query = text::one_line(&answer.query, page.width.saturating_sub(24));
            format!("  {:.3} → {reached}  {query}", answer.baseline_ndcg)
        })
        .collect();
    if !lines.is_empty() {
        parts.push(format!("Worse with the graph:\n{}", lines.join("\n")));
    }
    parts.join("\n\n")
}

pub fn feedback(page: Page, feedback: &Feedback) -> String {
    let said = if feedback.good { "good" } else { "bad" };
    lines_or("", &feedback.credited, |one| {
        let what = one.handle.as_deref().map_or("the answer".to_string(), |handle| page.handle(handle));
        match (&one.answer, &one.strategy) {
            (Some(answer), Some(strategy)) => format!("{what} is {said}: counted for {strategy} ({answer})"),
            _ => format!("{what} is {said}: not in any recent answer, so it counts for neither strategy"),
        }
    })
}
