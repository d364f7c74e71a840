//! The answer of a language model with its sources, and what models cost.

use griot_wire::{Answered, BulkEstimate, Enriched, JudgedMerges, ModelFailure, Usage, Withheld};

use super::{ALARM, Page, counted, table, text};

pub fn answered(page: Page, answered: &Answered) -> String {
    if let Some(failure) = &answered.failure {
        let mut lines =
            vec![page.warning(&format!("could not ask the language model: {}", text::visible(&failure.why)))];
        lines.extend(failure.hint.iter().map(|hint| format!("hint: {}", text::visible(hint))));
        lines.extend([String::new(), super::recall(page, &answered.recall, false)]);
        return lines.join("\n");
    }
    let mut lines = Vec::new();
    if let Some(why) = &answered.abstained {
        lines.push(format!("No answer: {}.", text::visible(why).trim_end_matches('.')));
    }
    for statement in &answered.statements {
        let mark = match statement.citations.as_slice() {
            [] => page.paint(ALARM, "[unsupported]"),
            citations => citations.iter().map(|one| page.handle(one)).collect::<Vec<_>>().join(" "),
        };
        lines.extend(text::wrap(&statement.text, page.width));
        lines.push(format!("   {mark}"));
        if !statement.invented.is_empty() {
            let invented = text::one_line(&statement.invented.join(" "), page.width.saturating_sub(20));
            lines.push(format!("   {}", page.paint(ALARM, &format!("cites what was not sent: {invented}"))));
        }
    }
    page.section("Sources", &answered.cited, &mut lines, |cited| {
        let mut about = vec![cited.occurred_at.day()];
        about.extend(cited.cite.as_ref().map(|cite| text::visible(cite)));
        about.extend((cited.trust.as_deref() == Some("web")).then(|| "from the web".to_string()));
        about.extend(cited.flags.iter().map(|flag| format!("flagged: {flag}")));
        format!("{}  {}", page.handle(&cited.handle), page.quiet(&about.join(" · ")))
    });
    let mut notes = Vec::new();
    if answered.truncated {
        notes.push("note: the reply was cut (model.max_output_tokens)".to_string());
    }
    notes.extend(withheld(&answered.withheld));
    notes.extend(used(answered));
    if !notes.is_empty() {
        lines.push(String::new());
        lines.extend(notes.iter().map(|note| page.quiet(note)));
    }
    lines.join("\n")
}

fn withheld(all: &[Withheld]) -> Vec<String> {
    let reasons = [
        ("private", "not sent because they belong to a user (model.private_texts)"),
        ("budget", "not sent because there was no room (model.context_tokens)"),
        ("secret", "sent with their secrets masked"),
    ];
    let note = |(reason, words): (&str, &str)| {
        let handles: Vec<&str> =
            all.iter().filter(|one| one.reason == reason).map(|one| one.handle.as_str()).collect();
        (!handles.is_empty()).then(|| format!("note: {words}: {}", handles.join(" ")))
    };
    reasons.into_iter().filter_map(note).collect()
}

/// `openai gpt-4.1-mini: 1 request, 812 + 64 tokens, 0.0012`.
fn used(answered: &Answered) -> Option<String> {
    let used = &answered.model;
    let name = text::visible(&format!("{} {}", used.provider, used.name));
    if used.kept {
        return Some(format!("{name}: a kept reply"));
    }
    (used.calls > 0).then(|| {
        let cost = used.cost.map(|cost| format!(", {}", money(cost))).unwrap_or_default();
        let calls = counted(used.calls, "request", "requests");
        format!("{name}: {calls}, {} + {} tokens{cost}", used.input_tokens, used.output_tokens)
    })
}

fn money(cost: f64) -> String {
    format!("{cost:.4}")
}

/// What a language model read, or would have to read.
pub fn enriched(_: Page, enriched: &Enriched) -> String {
    if let Some(estimate) = &enriched.estimate {
        let cost = estimate.cost.map_or_else(String::new, |cost| format!(", cost {}", money(cost)));
        let mut lines = vec![format!(
            "{} to do: about {}, {} + {} tokens{cost}",
            counted(estimate.memories, "reading", "readings"),
            counted(estimate.calls, "request", "requests"),
            estimate.input_tokens,
            estimate.output_tokens
        )];
        if estimate.withheld > 0 {
            let withheld = counted(estimate.withheld, "memory", "memories");
            lines.push(format!("not sent: {withheld} of users (griot config set model.private_texts true)"));
        }
        if estimate.observes {
            lines.push("not counted: what is written about conversations, which the same run reads".into());
        }
        return lines.join("\n");
    }
    let mut lines = vec![format!(
        "{}: {}, {}, {}, {}, {}",
        counted(enriched.memories, "reading", "readings"),
        counted(enriched.entities, "new entity", "new entities"),
        counted(enriched.mentions, "mention", "mentions"),
        counted(enriched.relations, "relation", "relations"),
        counted(enriched.links, "link", "links"),
        counted(enriched.facts, "fact", "facts")
    )];
    let also = [
        (enriched.observations, "observation", "observations"),
        (enriched.evolved, "changed note", "changed notes"),
        (enriched.summaries, "summary", "summaries"),
    ];
    for (count, one, several) in also.into_iter().filter(|(count, ..)| *count > 0) {
        lines[0].push_str(&format!(", {}", counted(count, one, several)));
    }
    let without = enriched.without.iter().map(|(reason, count)| format!("{count} {reason}"));
    let dropped =
        (enriched.dropped > 0).then(|| format!("{} not in the text, or impossible", enriched.dropped));
    let skipped = (enriched.skipped > 0).then(|| format!("{} unreadable parts", enriched.skipped));
    let lost: Vec<String> = without.chain(dropped).chain(skipped).collect();
    if !lost.is_empty() {
        lines.push(format!("left out: {}", lost.join(", ")));
    }
    lines.push(spent(enriched.calls, enriched.input_tokens, enriched.output_tokens, enriched.cost));
    let left: Vec<String> = enriched
        .left
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(task, count)| format!("{} for {task}", counted(*count, "memory", "memories")))
        .collect();
    if !left.is_empty() {
        lines.push(format!("left: {}", left.join(", ")));
    }
    lines.extend(enriched.waits.iter().map(|wait| {
        let memories = format!("{} for {}", counted(wait.memories, "memory", "memories"), wait.task);
        let until = wait.until.minute();
        match wait.reason.as_str() {
            "leased" => {
                format!("waiting: another run has {memories}; if it was killed, they are free at {until}")
            }
            _ => format!("waiting: {memories}, whose conversation is not over before {until}"),
        }
    }));
    lines.extend(ended_early(enriched.failure.as_ref()));
    lines.join("\n")
}

/// What a language model decided about pairs of entities.
pub fn judged_merges(_: Page, judged: &JudgedMerges) -> String {
    if let Some(planned) = &judged.estimate {
        return bulk("pair", "pairs", planned);
    }
    let mut lines: Vec<String> = judged
        .merged
        .iter()
        .map(|merge| {
            let reason = merge.reason.as_deref().unwrap_or_default();
            format!("{}: {} is {} ({reason})", merge.id, merge.merged.name, merge.kept.name)
        })
        .collect();
    lines.push(format!(
        "{}: {} merged, {} different, {} to look at (griot merges), {} left",
        counted(judged.pairs, "pair", "pairs"),
        judged.merged.len(),
        judged.different,
        judged.unsure,
        judged.left
    ));
    lines.push(spent(judged.calls, judged.input_tokens, judged.output_tokens, judged.cost));
    lines.extend(ended_early(judged.failure.as_ref()));
    lines.join("\n")
}

/// What a run would send.
pub(super) fn bulk(one: &str, several: &str, planned: &BulkEstimate) -> String {
    let cost = planned.cost.map_or_else(String::new, |cost| format!(", cost {}", money(cost)));
    let (items, calls) =
        (counted(planned.items, one, several), counted(planned.calls, "request", "requests"));
    format!("{items} to do: about {calls}, {} + {} tokens{cost}", planned.input_tokens, planned.output_tokens)
}

fn spent(calls: u64, input: u64, output: u64, cost: Option<f64>) -> String {
    let cost = cost.map_or_else(String::new, |cost| format!(", cost {}", money(cost)));
    format!("{}, {input} + {output} tokens{cost}", counted(calls, "request", "requests"))
}

fn ended_early(failure: Option<&ModelFailure>) -> Vec<String> {
    let Some(failure) = failure else { return Vec::new() };
    let hint = failure.hint.iter().map(|hint| format!("hint: {hint}"));
    std::iter::once(format!("it ended early: {}", failure.why)).chain(hint).collect()
}

pub fn usage(page: Page, usage: &Usage) -> String {
    if usage.rows.is_empty() {
        return "no language model was asked".to_string();
    }
    let cost = |cost: Option<f64>| cost.map_or_else(|| "-".to_string(), money);
    let header =
        ["day", "for", "requests", "failed", "unfinished", "kept", "tokens in", "out", "cost", "model"];
    let mut lines = vec![table(page, header, &[2, 3, 4, 5, 6, 7, 8], &usage.rows, |row| {
        [
            row.day.day(),
            row.purpose.clone(),
            row.calls.to_string(),
            row.failed.to_string(),
            row.unfinished.to_string(),
            row.kept.to_string(),
            row.input_tokens.to_string(),
            row.output_tokens.to_string(),
            cost(row.cost),
            format!("{} {}", row.provider, row.model),
        ]
    })];
    let total = &usage.total;
    lines.push(String::new());
    lines.push(format!(
        "total: {}, {} + {} tokens, cost {}",
        counted(total.calls, "request", "requests"),
        total.input_tokens,
        total.output_tokens,
        cost(total.cost)
    ));
    let today = &usage.today;
    let left = [
        today.calls_left.map(|left| counted(left, "request", "requests")),
        today.tokens_left.map(|left| counted(left, "token", "tokens")),
        today.cost_left.map(|left| format!("cost {}", money(left))),
    ];
    let left: Vec<String> = left.into_iter().flatten().collect();
    if !left.is_empty() {
        lines.push(format!("left today: {}", left.join(", ")));
    }
    lines.join("\n")
}
