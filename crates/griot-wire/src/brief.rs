//! Answers as short text for a language model: what it needs to go on, with the handles to ask for more.
//!
//! Pure functions of the wire objects. Stored text is between marks ([`crate::verbs::stored`]). A list
//! that is cut says how to see the rest.

use std::fmt::Write;

use griot::recall::tokens;
use griot::text::excerpt;

use crate::verbs::memory::Inspected;
use crate::{
    Edge, EntityView, Forgotten, Hop, Ingested, Linked, Memory, NodeRef, Offer, Remembered, SourceContent,
    Status, Why, WhyStep,
};

/// Candidates of each kind, mentions, relations, and names in a row.
const CANDIDATES: usize = 3;
const MENTIONS: usize = 8;
const RELATIONS: usize = 15;
const NAMES: usize = 12;
/// The least probability of a cause; below it, judging costs a model more than it brings.
const LIKELY: f32 = 0.023;
/// Characters of a memory in a list.
const LINE: usize = 140;
/// Tokens of an answer that shows one thing in full.
const MOST: usize = 950;

/// Lines of a text that stay within a number of tokens.
struct Page {
    text: String,
    left: usize,
    is_cut: bool,
}

impl Page {
    fn new(most: usize) -> Self {
        Self { text: String::new(), left: most, is_cut: false }
    }

    fn line(&mut self, line: &str) {
        let cost = tokens(line) + 1;
        if self.is_cut || cost > self.left {
            self.is_cut = true;
            return;
        }
        self.left -= cost;
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A line that may be long: as much of it as fits, cut at a word.
    fn prose(&mut self, line: &str) {
        if !self.is_cut && tokens(line) + 1 > self.left {
            let fits = head(line, self.left.saturating_sub(2));
            if !fits.is_empty() {
                self.line(&format!("{fits}…"));
            }
            self.is_cut = true;
        }
        self.line(line);
    }

    /// At most so many of the lines, and how many more there are.
    fn list(&mut self, title: &str, lines: impl ExactSizeIterator<Item = String>, most: usize, rest: &str) {
        let more = lines.len().saturating_sub(most);
        let mut lines = lines.peekable();
        if lines.peek().is_none() {
            return;
        }
        self.line(title);
        lines.take(most).for_each(|line| self.line(&format!("- {line}")));
        if more > 0 {
            self.line(&format!("- and {more} more{rest}"));
        }
    }

    fn done(mut self, rest: &str) -> String {
        if self.is_cut {
            self.text.push_str(rest);
        }
        self.text.trim_end().to_string()
    }
}

/// The beginning of a line in at most so many tokens, cut at a word if it has one.
fn head(line: &str, most: usize) -> &str {
    let fits = |end: &usize| tokens(&line[..*end]) <= most;
    let ends: Vec<usize> = line.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let end = ends.partition_point(fits).checked_sub(1).map_or(0, |last| ends[last]);
    let cut = line[..end].rfind(char::is_whitespace).filter(|at| *at > end / 2);
    line[..cut.unwrap_or(end)].trim_end()
}

/// What was stored, and what the caller should judge.
pub fn remembered(answer: &Remembered) -> String {
    let mut page = Page::new(usize::MAX);
    let done = match answer.action.as_str() {
        "skipped" => "was known already as",
        "updated" => "was known already, and is updated:",
        _ => "is stored as",
    };
    page.line(&format!("The {} {done} {}.", answer.kind, answer.handle));
    let names: Vec<&str> = answer.entities.iter().map(|entity| entity.name.as_str()).collect();
    if !names.is_empty() {
        page.line(&format!("Mentions: {}", row(&names)));
    }
    let offer = |offer: &Option<String>| offer.as_ref().map(|id| format!("{id}, ")).unwrap_or_default();
    let replaced = answer.update_candidates.iter().take(CANDIDATES).map(|one| {
        let noted = if one.noted { ", noted" } else { "" };
        format!(
            "{} ({}{:.2}{noted}, {}): {}",
            one.handle,
            offer(&one.offer),
            one.probability,
            one.reason,
            excerpt(&one.text, LINE)
        )
    });
    page.list("May replace:", replaced, CANDIDATES, "");
    let causal = |is_cause: bool| {
        let ones = answer.causal_candidates.iter().filter(move |one| one.candidate_is_cause == is_cause);
        ones.filter(|one| one.probability >= LIKELY).take(CANDIDATES).collect::<Vec<_>>()
    };
    for (is_cause, title) in [(true, "Its cause may be:"), (false, "It may have caused:")] {
        let lines = causal(is_cause).into_iter().map(|one| {
            let head = format!("{} ({}{:.2}", one.handle, offer(&one.offer), one.probability);
            format!("{head}, {}, {}): {}", one.suggested_sub_type, one.reason, excerpt(&one.text, LINE))
        });
        page.list(title, lines, CANDIDATES, "");
    }
    let similar = answer.semantic_candidates.iter().take(CANDIDATES);
    let similar =
        similar.map(|one| format!("{} ({:.2}): {}", one.handle, one.similarity, excerpt(&one.text, LINE)));
    page.list("Similar:", similar, CANDIDATES, "");
    if !answer.flags.is_empty() {
        page.line(&format!("Its text needs care: {}.", answer.flags.join(", ")));
    }
    if !answer.embedded {
        page.line("It has no vector, and is found by its words alone.");
    }
    answer.warnings.iter().for_each(|warning| page.line(&format!("Warning: {}", warning.message)));
    page.done("")
}

/// Names in a row, and how many more there are.
fn row(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMES);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// What has a name, in full as far as that is short.
pub fn inspected(answer: &Inspected) -> String {
    match answer {
        Inspected { memory: Some(one), .. } => memory(one),
        Inspected { entity: Some(view), .. } => entity(view),
        Inspected { edge: Some(one), .. } => edge(one),
        Inspected { source: Some(one), .. } => source(one),
        Inspected { offer: Some(one), .. } => offer(one),
        Inspected { .. } => String::new(),
    }
}

fn memory(memory: &Memory) -> String {
    let mut page = Page::new(MOST);
    let mut about = vec![memory.kind.clone(), memory.occurred_at.day()];
    about.extend(memory.speaker.clone());
    about.extend(memory.project.iter().map(|project| format!("project {project}")));
    about.extend(memory.expires_at.map(|at| format!("expires {}", at.day())));
    about.extend(memory.superseded_by.iter().map(|by| format!("replaced by {by}")));
    about.extend(memory.deleted_at.map(|at| format!("forgotten {}", at.day())));
    page.line(&format!("{} ({})", memory.handle, about.join(", ")));
    page.line(&format!("Source {}", memory.cite.as_ref().unwrap_or(&memory.source)));
    if !memory.tags.is_empty() {
        page.line(&format!("Tags: {}", memory.tags.join(", ")));
    }
    memory.text.trim_end().lines().for_each(|line| page.prose(line));
    page.done("… the rest with `detail`: \"trace\"")
}

fn entity(view: &EntityView) -> String {
    let own = &view.entity;
    let mut page = Page::new(MOST);
    page.line(&format!("{} ({})", own.name, own.id));
    if !own.description.is_empty() {
        page.line(&excerpt(&own.description.join(" "), 3 * LINE));
    }
    let facts = view.facts.iter().map(|fact| {
        let ends = [
            fact.valid_from.map(|at| format!("since {}", at.day())),
            fact.valid_to.map(|at| format!("until {}", at.day())),
        ];
        let ends: Vec<String> = ends.into_iter().flatten().collect();
        let ends = if ends.is_empty() { String::new() } else { format!(" ({})", ends.join(", ")) };
        format!("{} {} {}{ends}", fact.subject.name, fact.predicate.replace('_', " "), fact.object)
    });
    page.list("Facts:", facts, RELATIONS, "");
    let relations = view.relations.iter().map(|edge| {
        let reads = if edge.label.is_empty() { &edge.kind } else { &edge.label };
        format!("{} → {}: {reads}", name(&edge.source), name(&edge.target))
    });
    page.list("Relations:", relations, RELATIONS, "");
    let near = view.neighbourhood.iter().filter(|near| near.node.r#type != "memory");
    let near: Vec<&str> = near.map(|near| near.node.name.as_str()).collect();
    if !near.is_empty() {
        page.line(&format!("Mentioned with: {}", row(&near)));
    }
    let mentions = view
        .mentions
        .iter()
        .map(|one| format!("{} ({}): {}", one.handle, one.occurred_at.day(), excerpt(&one.text, LINE)));
    page.list(&format!("Mentioned in {}:", view.mention_count), mentions, MENTIONS, "");
    if view.mention_count as usize > MENTIONS {
        page.line("`recall` with a question about it finds what matters among these.");
    }
    page.done("… `recall` with a question about it shows more")
}

fn edge(edge: &Edge) -> String {
    let mut page = Page::new(MOST);
    let label = if edge.label.is_empty() { String::new() } else { format!(" {}", edge.label) };
    page.line(&format!(
        "{} {} → {}: {}{label} (confidence {:.2}, {})",
        edge.id.as_deref().unwrap_or("derived"),
        name(&edge.source),
        name(&edge.target),
        edge.kind,
        edge.confidence,
        edge.provenance
    ));
    for end in [&edge.source, &edge.target] {
        end.excerpt.iter().for_each(|text| page.line(&format!("{}: {text}", end.name)));
    }
    let grounds = edge.evidence.iter().flat_map(|one| one.quote.iter().chain(&one.reason));
    grounds.for_each(|ground| page.line(&format!("Evidence: {}", excerpt(ground, 2 * LINE))));
    page.done("")
}

fn source(content: &SourceContent) -> String {
    let mut page = Page::new(MOST);
    let own = &content.source.source;
    page.line(&format!("{} ({}) {}", own.id, own.kind, own.origin));
    own.title.iter().for_each(|title| page.line(&format!("Title: {title}")));
    let shown = content.memories.iter().map(|one| format!("{}: {}", one.handle, excerpt(&one.text, LINE)));
    page.list(&format!("{} memories:", content.source.memories), shown, MENTIONS, "");
    page.done("")
}

fn offer(offer: &Offer) -> String {
    let mut page = Page::new(MOST);
    let does = offer.sub_type.as_deref().unwrap_or("replaces");
    page.line(&format!(
        "{}: {} {does} {} ({:.2}, {}, {})",
        offer.id, offer.source, offer.target, offer.probability, offer.reason, offer.state
    ));
    for end in [&offer.newer, &offer.other] {
        end.excerpt.iter().for_each(|text| page.line(&format!("{}: {text}", end.name)));
    }
    page.done("")
}

fn name(node: &NodeRef) -> &str {
    &node.name
}

/// Chains of causes, then of consequences, from cause to effect.
pub fn why(answer: &Why) -> String {
    let mut page = Page::new(MOST);
    page.line(&named(&answer.start));
    if answer.causes.is_empty() && answer.consequences.is_empty() {
        page.line("Nothing was found that led to it or followed from it, as far as it was asked for.");
    }
    let sides = [("What led to it:", &answer.causes), ("What followed from it:", &answer.consequences)];
    for (title, steps) in sides.into_iter().filter(|(_, steps)| !steps.is_empty()) {
        page.line(title);
        let is_part = |step: &WhyStep| {
            steps.iter().any(|other| {
                other.hops.len() > step.hops.len()
                    && (other.hops.starts_with(&step.hops) || other.hops.ends_with(&step.hops))
            })
        };
        for step in steps.iter().filter(|step| !is_part(step)) {
            chain(&mut page, &step.hops);
        }
    }
    answer.cycles.iter().for_each(|cycle| page.line(&format!("A circle of causes: {}", cycle.join(", "))));
    if answer.truncated {
        page.line("Incomplete: the search reached its budget.");
    }
    page.done("… more with a smaller `depth`, or from one of these")
}

fn chain(page: &mut Page, hops: &[Hop]) {
    let Some(first) = hops.first() else { return };
    page.line(&format!("- {}", named(&first.from)));
    for hop in hops {
        let reads = if hop.forward || hop.label.is_empty() { &hop.reads } else { &hop.label };
        page.line(&format!("  → {reads} ({:.2}): {}", hop.confidence, named(&hop.to)));
    }
}

/// `#a1b2c3 (2026-01-05): The disk was full.`
fn named(node: &NodeRef) -> String {
    let date = node.occurred_at.map(|at| format!(" ({})", at.day())).unwrap_or_default();
    let text = node.excerpt.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    format!("{}{date}{text}", node.name)
}

pub fn linked(answer: &Linked) -> String {
    let mut text = edge(&answer.edge);
    if !answer.created {
        text.push_str("\nThe edge was there and gained evidence.");
    }
    answer.warnings.iter().for_each(|warning| {
        let _ = write!(text, "\nWarning: {}", warning.message);
    });
    text
}

pub fn forgotten(answer: &Forgotten) -> String {
    let mut page = Page::new(MOST);
    for (what, names) in [
        ("Memories hidden", &answer.handles),
        ("Entities hidden", &answer.entities),
        ("Sources hidden", &answer.sources),
        ("Offers refused", &answer.offers),
    ] {
        if !names.is_empty() {
            page.line(&format!("{what}: {}", row(&names.iter().map(String::as_str).collect::<Vec<_>>())));
        }
    }
    page.line("A person can restore them.");
    page.done("")
}

pub fn ingested(answer: &Ingested) -> String {
    let mut page = Page::new(MOST);
    let count =
        |number: u64, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    page.line(&format!(
        "{} read, {} unchanged: {} added, {} removed, {}.",
        count(answer.sources, "source", "sources"),
        answer.unchanged,
        count(answer.added, "memory", "memories"),
        answer.removed,
        count(answer.entities, "new entity", "new entities")
    ));
    page.list("Sources; `inspect` shows what one holds:", answer.source_ids.iter().cloned(), MENTIONS, "");
    if answer.flagged > 0 {
        page.line(&format!("{} memories hold a key, a password or instructions to a model.", answer.flagged));
    }
    let failed = answer.failed.iter().map(|one| format!("{}: {}", one.path, one.message));
    page.list("Not read:", failed, MENTIONS, "");
    page.done("")
}

pub fn status(answer: &Status) -> String {
    let counts = &answer.counts;
    let mut page = Page::new(MOST);
    page.line(&format!(
        "{} memories, {} entities, {} edges, {} facts, {} sources.",
        counts.memories, counts.entities, counts.edges, counts.facts, counts.sources
    ));
    if let (Some(first), Some(last)) = (answer.earliest, answer.latest) {
        page.line(&format!("From {} to {}.", first.day(), last.day()));
    }
    let mut kinds: Vec<(&String, &u64)> = counts.memories_by_kind.iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(a.1));
    let kinds: Vec<String> = kinds.into_iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    if !kinds.is_empty() {
        page.line(&format!("Kinds: {}", row(&kinds.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    let hubs: Vec<String> = answer
        .top_entities
        .iter()
        .map(|hub| format!("{} ({})", hub.entity.name, hub.entity.r#type))
        .collect();
    if !hubs.is_empty() {
        page.line(&format!("Best connected: {}", row(&hubs.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    let unread: Vec<String> =
        answer.unread.iter().map(|(task, count)| format!("{count} for {task}")).collect();
    if !unread.is_empty() {
        page.line(&format!("The language model is behind: unread are {}.", unread.join(", ")));
    }
    let without = counts.without_vector();
    if without > 0 {
        page.line(&format!("{without} memories have no vector, and are found by their words alone."));
    }
    if answer.open_warnings > 0 {
        page.line(&format!("{} open warnings about causes.", answer.open_warnings));
    }
    page.done("")
}
