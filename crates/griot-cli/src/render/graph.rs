//! Nodes, edges and paths.

use griot::engine::WhyDirection;
use griot_wire::{
    BuiltGraphs, Edge, Entity, EntityView, Evidence, Fact, FactConflict, Hop, Hub, Linked, NodeRef, Path,
    Related, Unlinked, Verified, Warning, Why, WhyStep,
};

use super::table::table;
use super::{ALARM, EDGE, NAME, Page, counted, lines_or, text};

/// `#a1b2c3` or `Redis`.
pub fn node(page: Page, node: &NodeRef) -> String {
    if node.is_memory() { page.handle(&node.name) } else { page.paint(NAME, &text::one_line(&node.name, 40)) }
}

/// A path on one line: `#a1b2c3 ─mentions→ Redis ─mentioned in→ #b2c3d4`.
pub fn walk(page: Page, hops: &[Hop]) -> String {
    let Some(first) = hops.first() else { return String::new() };
    let mut line = node(page, &first.from);
    for hop in hops {
        line.push_str(&page.paint(EDGE, &format!(" ─{}→ ", words(hop))));
        line.push_str(&node(page, &hop.to));
    }
    line
}

/// `0.80, rule, e12, expires 2026-05-01`.
pub fn confidence(hop: &Hop) -> String {
    let mut parts = vec![format!("{:.2}", hop.confidence), hop.provenance.clone()];
    parts.extend(hop.edge.clone());
    parts.extend(hop.expires_at.map(|at| format!("expires {}", at.day())));
    parts.join(", ")
}

/// The first two pieces of evidence of a step: quotes, else stated reasons.
pub fn grounds(hop: &Hop, columns: usize) -> impl Iterator<Item = String> {
    let quote = move |evidence: &Evidence| match (&evidence.quote, &evidence.reason) {
        (Some(quote), _) => Some(format!("“{}”", text::one_line(quote, columns.saturating_sub(2)))),
        (None, Some(reason)) => Some(text::one_line(reason, columns)),
        (None, None) => None,
    };
    hop.evidence.iter().filter_map(quote).take(2)
}

/// The label of a step: `caused by`, `preceded by, 3.5 h`.
pub fn words(hop: &Hop) -> String {
    hop.hours.map_or_else(|| hop.reads.clone(), |hours| format!("{}, {}", hop.reads, length(hours)))
}

fn length(hours: f64) -> String {
    match hours {
        ..1.0 => format!("{:.0} min", hours * 60.0),
        ..48.0 => format!("{hours:.1} h"),
        _ => format!("{:.0} days", hours / 24.0),
    }
}

/// A chain with causes above effects, each step with its evidence.
pub fn chain_of(page: Page, hops: &[Hop], indent: &str, lines: &mut Vec<String>) {
    let Some(first) = hops.first() else { return };
    lines.push(format!("{indent}{}", described(page, &first.from, indent.len())));
    for hop in hops {
        // A hop may be traversed against its edge; the chain still reads from cause to effect.
        let reads = if hop.forward || hop.label.is_empty() { &hop.reads } else { &hop.label };
        let arrow = page.paint(EDGE, &format!("↓ {reads}"));
        let grounds: Vec<String> = grounds(hop, page.width.saturating_sub(40)).collect();
        let beside = if let [only] = grounds.as_slice() { format!("  {only}") } else { String::new() };
        lines.push(format!("{indent}  {arrow}  {}", page.quiet(&format!("{}{beside}", confidence(hop)))));
        if grounds.len() > 1 {
            lines.extend(grounds.iter().map(|grounds| format!("{indent}    {}", page.quiet(grounds))));
        }
        lines.push(format!("{indent}{}", described(page, &hop.to, indent.len())));
    }
}

/// A node with its date and the start of its text.
fn described(page: Page, of: &NodeRef, used: usize) -> String {
    let date = of.occurred_at.map(|at| at.day()).unwrap_or_default();
    let room = page.width.saturating_sub(used + of.name.len() + date.len() + 5);
    match (&of.excerpt, &of.entity_type) {
        (Some(excerpt), _) => {
            format!("{}  {}  {}", node(page, of), page.quiet(&date), text::one_line(excerpt, room))
        }
        (None, Some(kind)) => format!("{} {}", node(page, of), page.quiet(&format!("({kind})"))),
        (None, None) => node(page, of),
    }
}

pub fn why(page: Page, why: &Why, direction: WhyDirection) -> String {
    let mut lines = vec![described(page, &why.start, 0)];
    if direction != WhyDirection::Consequences {
        steps(page, "What led to it", "No known cause.", &why.causes, &mut lines);
    }
    if direction != WhyDirection::Causes {
        steps(page, "What followed from it", "No known consequence.", &why.consequences, &mut lines);
    }
    for cycle in &why.cycles {
        lines.push(String::new());
        lines.push(page.warning(&format!("causes form a cycle over {}", cycle.join(", "))));
    }
    if why.truncated {
        lines.push(String::new());
        lines.push("note: incomplete; the search reached its budget".to_string());
    }
    lines.join("\n")
}

/// Shows complete chains only, not those that are part of a longer one.
fn steps(page: Page, title: &str, none: &str, steps: &[WhyStep], lines: &mut Vec<String>) {
    lines.push(String::new());
    if steps.is_empty() {
        lines.push(none.to_string());
        return;
    }
    lines.push(page.strong(title));
    let is_part = |step: &WhyStep| {
        steps.iter().any(|other| {
            other.hops.len() > step.hops.len()
                && (other.hops.starts_with(&step.hops) || other.hops.ends_with(&step.hops))
        })
    };
    for (position, step) in steps.iter().filter(|step| !is_part(step)).enumerate() {
        if position > 0 {
            lines.push(String::new());
        }
        let prevents = if step.prevents { ", prevents" } else { "" };
        let summary = format!(
            "confidence {:.2}{prevents}, {}",
            step.confidence,
            counted(step.depth as u64, "step", "steps")
        );
        lines.push(format!("   {}", page.quiet(&summary)));
        chain_of(page, &step.hops, "   ", lines);
    }
}

pub fn related(page: Page, found: &[Related], none: &str) -> String {
    lines_or(&format!("Nothing found: {none}."), found, |near| match walk(page, &near.path) {
        path if path.is_empty() => scored(page, near),
        path => format!("{}\n      {path}", scored(page, near)),
    })
}

fn scored(page: Page, near: &Related) -> String {
    format!("{:.2}  {}", near.score, described(page, &near.node, 6))
}

pub fn similar(page: Page, found: &[Related]) -> String {
    lines_or("Nothing found: no similar memory.", found, |near| scored(page, near))
}

pub fn path(page: Page, path: &Path, most: usize) -> String {
    if !path.found {
        return format!(
            "Nothing found: no path of at most {} connects them.",
            counted(most as u64, "step", "steps")
        );
    }
    let Some(first) = path.hops.first() else { return "They are the same.".to_string() };
    let mut lines = vec![
        format!("{}  {}", walk(page, &path.hops), page.quiet(&format!("confidence {:.2}", path.confidence))),
        String::new(),
        described(page, &first.from, 0),
    ];
    for hop in &path.hops {
        let arrow = page.paint(EDGE, &format!("─{}→", words(hop)));
        lines.push(format!("  {arrow}  {}", page.quiet(&confidence(hop))));
        let grounds = grounds(hop, page.width.saturating_sub(6));
        lines.extend(grounds.map(|grounds| format!("     {}", page.quiet(&grounds))));
        lines.push(described(page, &hop.to, 0));
    }
    lines.join("\n")
}

/// An edge on one line with its weight and confidence.
fn edge(page: Page, edge: &Edge) -> String {
    let label = if edge.label.is_empty() { &edge.kind } else { &edge.label };
    let arrow = page.paint(EDGE, &format!(" ─{label}→ "));
    let mut about = vec![
        format!("weight {:.2}", edge.weight),
        format!("confidence {:.2}", edge.confidence),
        edge.provenance.clone(),
    ];
    about.extend(edge.id.clone());
    about.extend(edge.expires_at.map(|at| format!("expires {}", at.day())));
    format!(
        "{}{arrow}{}  {}",
        node(page, &edge.source),
        node(page, &edge.target),
        page.quiet(&about.join(", "))
    )
}

/// One edge with all its fields.
pub fn edge_in_full(page: Page, edge: &Edge) -> String {
    let id = edge.id.clone().unwrap_or_default();
    let label =
        if edge.label.is_empty() { String::new() } else { format!(" ({})", text::visible(&edge.label)) };
    let mut lines = vec![
        format!("{}  {}{label}, {}", page.strong(&id), edge.kind, edge.family),
        format!("from        {}", node(page, &edge.source)),
        format!("to          {}", node(page, &edge.target)),
        format!("weight      {:.2}", edge.weight),
        format!("confidence  {:.2} now, {:.2} as stored", edge.confidence, edge.stored_confidence),
        format!("provenance  {}", edge.provenance),
        format!("created     {}", edge.created_at),
        format!("touched     {}", edge.touched_at),
    ];
    lines.extend(edge.expires_at.map(|at| format!("expires     {at}")));
    for evidence in &edge.evidence {
        let memory = evidence.memory.as_ref().map(|memory| format!(" {memory}")).unwrap_or_default();
        lines.push(format!("evidence    {}{memory}", evidence.at));
        let said = evidence.quote.as_ref().map(|quote| format!("“{}”", text::visible(quote)));
        for line in said.into_iter().chain(evidence.reason.as_ref().map(|reason| text::visible(reason))) {
            let wrapped = text::wrap(&line, page.width.saturating_sub(12));
            lines.extend(wrapped.iter().map(|line| format!("            {line}")));
        }
    }
    lines.join("\n")
}

pub fn linked(page: Page, linked: &Linked) -> String {
    let verb = if linked.created { "linked " } else { "strengthened " };
    let mut lines = vec![format!("{verb}{}", edge(page, &linked.edge))];
    lines.extend(linked.warnings.iter().map(|warning| page.warning(&text::visible(&warning.message))));
    lines.join("\n")
}

pub fn unlinked(page: Page, unlinked: &Unlinked) -> String {
    lines_or("Nothing found: no such edge connects them.", &unlinked.removed, |removed| {
        format!("unlinked {}", edge(page, removed))
    })
}

pub fn verified(page: Page, verified: &Verified) -> String {
    let mut lines = Vec::new();
    if verified.warnings.is_empty() {
        lines.push("No contradictions.".to_string());
    }
    for warning in &verified.warnings {
        lines.extend(one_warning(page, warning));
    }
    let hidden =
        verified.acknowledged - verified.warnings.iter().filter(|one| one.acknowledged.is_some()).count();
    if hidden > 0 {
        lines.push(page.quiet(&format!("{hidden} acknowledged: griot verify --list --all")));
    }
    lines.join("\n")
}

/// A warning with its id and its acknowledgement.
fn one_warning(page: Page, warning: &Warning) -> Vec<String> {
    let word = if warning.acknowledged.is_some() {
        page.quiet("acknowledged:")
    } else {
        page.paint(ALARM, "warning:")
    };
    let mut lines = vec![
        format!("{word} {}", text::visible(&warning.message)),
        page.quiet(&format!("  {}  since {}", warning.id, warning.first_seen.day())),
    ];
    if let Some(said) = &warning.acknowledged {
        let note =
            said.note.as_ref().map(|note| format!(": {}", text::one_line_keeping_gaps(note, usize::MAX)));
        let by = text::visible(&said.by);
        lines.push(page.quiet(&format!("  by {by} on {}{}", said.at.day(), note.unwrap_or_default())));
    }
    lines
}

pub fn acknowledged(page: Page, warning: &Warning) -> String {
    one_warning(page, warning).join("\n")
}

pub fn entity(page: Page, view: &EntityView) -> String {
    let entity = &view.entity;
    let mut lines = vec![format!(
        "{}  {}",
        page.strong(&text::visible(&entity.name)),
        page.quiet(&format!("{}  {} to {}", entity.id, entity.first_seen.day(), entity.last_seen.day()))
    )];
    if entity.aliases.len() > 1 {
        lines.push(format!(
            "also {}",
            text::one_line(&entity.aliases.join(", "), page.width.saturating_sub(5))
        ));
    }
    lines.extend(text::wrap(&entity.description.join(" "), page.width));
    page.section("Relations", &view.relations, &mut lines, |relation| edge(page, relation));
    page.section("Facts", &view.facts, &mut lines, |one| fact(page, one));
    page.section("Around it", &view.neighbourhood, &mut lines, |near| {
        let kind = near.node.entity_type.as_deref().unwrap_or("memory");
        let about = format!("({kind}, {})", counted(near.distance as u64, "step", "steps"));
        format!("{:.2}  {} {}", near.score, node(page, &near.node), page.quiet(&about))
    });
    let count = counted(view.mention_count.into(), "memory", "memories");
    lines.extend([String::new(), format!("{} {count}", page.strong("Mentioned in"))]);
    lines.extend(view.mentions.iter().map(|memory| {
        let day = memory.occurred_at.day();
        let room = page.width.saturating_sub(7 + memory.handle.len() + day.len());
        let excerpt = text::one_line(&memory.text, room);
        format!("   {}  {}  {excerpt}", page.handle(&memory.handle), page.quiet(&day))
    }));
    lines.join("\n")
}

pub fn hubs(page: Page, hubs: &[Hub]) -> String {
    if hubs.is_empty() {
        return "No entities yet.".to_string();
    }
    table(page, ["edges", "name", "type", "id"], &[0], hubs, |hub| {
        let Entity { name, r#type, id, .. } = &hub.entity;
        [hub.degree.to_string(), name.clone(), r#type.clone(), id.clone()]
    })
}

pub fn facts(page: Page, facts: &[Fact]) -> String {
    lines_or("No facts yet.", facts, |one| fact(page, one))
}

/// Both facts of each conflict; the second one is indented.
pub fn conflicts(page: Page, conflicts: &[FactConflict]) -> String {
    lines_or("No facts contradict each other.", conflicts, |FactConflict { first, second }| {
        format!("{}\n   {}", fact(page, first), fact(page, second))
    })
}

/// `f3  Session store migrated to Redis  since 2024-04-02`.
fn fact(page: Page, fact: &Fact) -> String {
    let object = match &fact.object_node {
        Some(object) => node(page, object),
        None => format!("“{}”", text::one_line(&fact.object, 80)),
    };
    let span = match (fact.valid_from, fact.valid_to) {
        (None, None) => String::new(),
        (Some(from), None) => format!("since {}", from.day()),
        (None, Some(to)) => format!("until {}", to.day()),
        (Some(from), Some(to)) => format!("{} to {}", from.day(), to.day()),
    };
    let mut about = vec![span, format!("confidence {:.2}", fact.confidence)];
    if !fact.current {
        about.push("not current".to_string());
    }
    if !fact.contradicts.is_empty() {
        about.push(format!("contradicts {}", fact.contradicts.join(", ")));
    }
    about.retain(|part| !part.is_empty());
    let predicate = page.paint(EDGE, &fact.predicate.replace('_', " "));
    format!(
        "{}  {} {predicate} {object}  {}",
        page.quiet(&fact.id),
        node(page, &fact.subject),
        page.quiet(&about.join(", "))
    )
}

pub fn built(_: Page, built: &BuiltGraphs) -> String {
    format!(
        "{} in time added, {} removed, {} in all; {} of likeness added, {} in all; {} to topics added",
        counted(built.temporal_added, "step", "steps"),
        built.temporal_removed,
        built.temporal_total,
        counted(built.semantic_added, "edge", "edges"),
        built.semantic_total,
        built.topics_added
    )
}
