//! The answer to `recall`: ranked results, each with its reason; with `--explain`, scores and paths.

use griot_wire::{Chain, Recall, RecallResult, Rejected, Signal};

use super::graph::{chain_of, confidence, grounds, node, walk, words};
use super::{NAME, Page, counted, text};

const LINES: usize = 3;

pub fn recall(page: Page, recall: &Recall, explain: bool) -> String {
    let mut lines = Vec::new();
    if explain {
        understanding(page, recall, &mut lines);
    }
    if recall.left_out > 0 {
        let are = recall.abstained.as_deref().unwrap_or_default();
        lines.push(format!("{are}."));
    } else if recall.results.is_empty() {
        let why = recall.abstained.as_deref().unwrap_or("no memory in the workspace matches");
        lines.push(format!("Nothing found: {}.", text::visible(why).trim_end_matches('.')));
    }
    for (position, found) in recall.results.iter().enumerate() {
        if position > 0 {
            lines.push(String::new());
        }
        result(page, recall, position + 1, found, explain, &mut lines);
    }
    chains(page, &recall.chains, &mut lines);
    rules(page, recall, explain, &mut lines);
    rejected(page, &recall.rejected, &mut lines);
    let made = &recall.rollout;
    if let Some(reason) = made.fallback_reason.as_deref().filter(|reason| *reason != "feature_flag_disabled")
    {
        lines.push(format!("note: the baseline answered ({reason})"));
    }
    for missing in &recall.missing {
        lines.push(format!("note: {}", text::visible(missing)));
    }
    lines.join("\n")
}

fn understanding(page: Page, recall: &Recall, lines: &mut Vec<String>) {
    let read = &recall.understanding;
    let mut branches = vec![format!(
        "intent    {} ({:.2}), language {}",
        read.intent, read.intent_confidence, read.language
    )];
    if !read.terms.is_empty() {
        branches.push(format!("words     {}", read.terms.join(" ")));
    }
    for one in &read.translations {
        branches.push(format!("asked in  {}: {}", one.language, one.terms.join(" ")));
    }
    if !read.entities.is_empty() {
        let names: Vec<String> =
            read.entities.iter().map(|entity| format!("{} ({})", entity.name, entity.r#type)).collect();
        branches.push(format!("entities  {}", names.join(", ")));
    }
    for time in &read.times {
        let (start, end) = (time.interval.start, time.interval.end);
        branches.push(format!("time      “{}”: {start} to {end}", time.words));
    }
    branches.push(format!("scored    {}", counted(recall.candidates as u64, "memory", "memories")));
    let made = &recall.rollout;
    let mut strategy =
        format!("strategy  {} ({}), {} by the graph", made.applied, made.mode, made.graph_candidates);
    if let Some(reason) = &made.fallback_reason {
        strategy.push_str(&format!("; requested {}: {reason}", made.requested));
    }
    branches.push(format!("{strategy}; answer {}", made.id));
    lines.push(page.strong("Understood"));
    let last = branches.len() - 1;
    for (position, branch) in branches.iter().enumerate() {
        let branch = text::one_line_keeping_gaps(branch, page.width.saturating_sub(4));
        lines.push(format!("{} {branch}", page.quiet(if position == last { "└─" } else { "├─" })));
    }
    lines.push(String::new());
}

fn result(
    page: Page,
    recall: &Recall,
    rank: usize,
    result: &RecallResult,
    explain: bool,
    lines: &mut Vec<String>,
) {
    let indent = "   ";
    let mut about: Vec<String> = result.when().into_iter().collect();
    about.extend(result.speaker.clone());
    about.extend(result.named_source());
    about.extend((result.tier != "long_term").then(|| result.tier.clone()));
    about.extend(result.standing.as_ref().map(griot_wire::Standing::words));
    about.extend((result.source.trust.as_deref() == Some("web")).then(|| "from the web".to_string()));
    about.extend(result.flags.iter().map(|flag| format!("flagged: {flag}")));
    let room = page.width.saturating_sub(12 + result.handle.len());
    lines.push(format!(
        "{} {:.2}  {}  {}",
        page.strong(&format!("{rank:>2}")),
        result.score,
        page.handle(&result.handle),
        page.quiet(&text::one_line(&about.join(" · "), room)),
    ));
    let room = page.width.saturating_sub(indent.len());
    let excerpt = text::excerpt(&result.text, &recall.understanding.searched(), room, LINES);
    lines.extend(excerpt.iter().map(|line| format!("{indent}{line}")));
    // Whole, so that it can be copied.
    lines.extend(result.cite.as_ref().map(|cite| format!("{indent}{}", page.quiet(&text::visible(cite)))));
    let others = result.also_in.iter().filter_map(|other| other.cite.as_ref());
    lines.extend(
        others.map(|cite| format!("{indent}{}", page.quiet(&format!("also in {}", text::visible(cite))))),
    );
    if explain {
        reasons(page, result, indent, lines);
        return;
    }
    let mut why = included(&result.why_included).to_string();
    if !result.entities.is_empty() {
        why.push_str(&format!(" · {}", text::visible(&result.entities.join(", "))));
    }
    lines.push(format!("{indent}{}", page.quiet(&text::one_line(&why, room))));
    if !result.path.is_empty() {
        lines.push(format!("{indent}{}", walk(page, &result.path)));
    }
}

fn included(why: &str) -> &str {
    match why {
        "direct_match" => "its own words match",
        "similar_meaning" => "its meaning is close",
        "place" => "what surrounds it matches",
        "graph_expansion" => "reached over the graph",
        "time" => "its time matches",
        other => other,
    }
}

/// The tree of `--explain`: the terms of the score, then the path with its evidence.
fn reasons(page: Page, result: &RecallResult, indent: &str, lines: &mut Vec<String>) {
    let has_path = !result.path.is_empty();
    let fork = |last: bool| page.quiet(if last { "└─" } else { "├─" });
    let bar = if has_path { format!("{} ", page.quiet("│")) } else { "  ".to_string() };
    lines.push(format!(
        "{indent}{} {:.3}  {}",
        fork(!has_path),
        result.score,
        included(&result.why_included)
    ));
    // Smaller terms are summed up in one line; `--json` has them all.
    const COUNTS: f32 = 0.01;
    let (mut shown, rest): (Vec<&Signal>, Vec<&Signal>) =
        result.signals.iter().partition(|s| s.share.abs() >= COUNTS);
    shown.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    let others = format!("{} others", rest.len());
    let widest =
        shown.iter().map(|signal| text::width(&signal.name)).max().unwrap_or(0).max(text::width(&others));
    let mut line = |name: &str, share: f32, note: &str, last: bool| {
        let gap = " ".repeat(widest - text::width(name));
        lines.push(format!("{indent}{bar} {} {name}{gap}  {share:+.3}  {}", fork(last), page.quiet(note)));
    };
    for (position, signal) in shown.iter().enumerate() {
        let last = rest.is_empty() && position + 1 == shown.len();
        line(&signal.name, signal.share, &format!("at {:.2}", signal.value), last);
    }
    if !rest.is_empty() {
        line(&others, rest.iter().map(|signal| signal.share).sum(), "", true);
    }
    if has_path {
        let sure = result.confidence.map(|value| format!("  confidence {value:.2}")).unwrap_or_default();
        lines.push(format!("{indent}{} {}{}", fork(true), walk(page, &result.path), page.quiet(&sure)));
        for (position, hop) in result.path.iter().enumerate() {
            let last = position + 1 == result.path.len();
            let excerpt = hop.to.excerpt.as_deref().map(|excerpt| {
                let room = page.width.saturating_sub(50);
                format!("  {}", text::one_line(excerpt, room))
            });
            let step = format!("{} {}{}", words(hop), node(page, &hop.to), excerpt.unwrap_or_default());
            lines.push(format!("{indent}   {} {step}  {}", fork(last), page.quiet(&confidence(hop))));
            let bar = if last { " " } else { "│" };
            let grounds = grounds(hop, page.width.saturating_sub(12));
            lines.extend(grounds.map(|grounds| format!("{indent}   {bar}    {}", page.quiet(&grounds))));
        }
    }
}

fn rules(page: Page, recall: &Recall, explain: bool, lines: &mut Vec<String>) {
    page.section("Rules", &recall.rules, lines, |rule| {
        let fit = if explain { format!("{:.2}  ", rule.relevance) } else { String::new() };
        let room = page.width.saturating_sub(5 + fit.len() + rule.handle.len());
        format!("{fit}{}  {}", page.handle(&rule.handle), text::one_line(&rule.text, room))
    });
    if !recall.rules.is_empty() && recall.rules_left_out > 0 {
        let more = format!("and {} more (recall.rules_budget)", recall.rules_left_out);
        lines.push(format!("   {}", page.quiet(&more)));
    }
}

fn chains(page: Page, chains: &[Chain], lines: &mut Vec<String>) {
    for chain in chains {
        let confidence = page.quiet(&format!("confidence {:.2}", chain.confidence));
        lines.extend([String::new(), format!("{} {confidence}", page.strong("Cause → effect"))]);
        chain_of(page, &chain.hops, "   ", lines);
    }
}

fn rejected(page: Page, rejected: &[Rejected], lines: &mut Vec<String>) {
    page.section("Left out", rejected, lines, |left| {
        let why = match left.reason.as_str() {
            "floor" => "not relevant enough",
            "limit" => "beyond the limit",
            "budget" => "does not fit the budget",
            "scope" => "from another project",
            "redundant" => "repeats a better result",
            "superseded" => "superseded",
            other => other,
        };
        let memory = &left.memory;
        let room = page.width.saturating_sub(22 + memory.handle.len() + why.len());
        let (handle, why) = (page.handle(&memory.handle), page.paint(NAME, why));
        format!("{:.2}  {handle}  {why}  {}", left.score, text::one_line(&memory.text, room))
    });
}
