//! The answer to a question as Markdown for the context of a language model: the entities that the question
//! names with their neighbours, the relevant relationships, and the memories with handle and date.
//!
//! A pure function of the wire objects, so that every surface prints the same block.

use std::collections::BTreeSet;
use std::fmt::Write;

use griot::model::SourceType;
use griot::recall::tokens;
use griot::text::window;

use crate::{Edge, EntityView, Hop, Recall, RecallResult};

/// How many neighbours, relationships and characters of a description are listed, so that the block stays a
/// block.
const RELATED: usize = 12;
const RELATIONSHIPS: usize = 12;
const DESCRIPTION: usize = 400;

/// `entities`: the views of the entities that the question names, in that order.
pub fn block(recall: &Recall, entities: &[EntityView]) -> String {
    let mut text = String::from("## Knowledge Graph Context\n");
    text.push_str(&about(recall, entities));
    text.push_str("\n### Memories:\n");
    abstained(&mut text, recall);
    missing(&mut text, recall);
    for result in &recall.results {
        line(&mut text, format_args!("{}", memory(result, result.text.trim_end())));
    }
    rules(&mut text, recall);
    text
}

/// The same in at most so many tokens: the memories, each as the part of it that answers, then the rules, and
/// of what is known about the entities as much as there is room for.
pub fn short_block(recall: &Recall, entities: &[EntityView], most: usize) -> String {
    /// Characters of a memory; a shorter one is whole.
    const WINDOW: usize = 420;
    /// Tokens below which no part of a memory says anything.
    const LEAST: usize = 30;
    let mut text = String::from("## Knowledge Graph Context\n\n### Memories:\n");
    abstained(&mut text, recall);
    missing(&mut text, recall);
    let (mut shown, mut is_cut) = (0, false);
    let searched = recall.understanding.searched();
    for result in &recall.results {
        let room = most.saturating_sub(tokens(&text) + tokens(&memory(result, "")) + 1);
        if room < LEAST {
            break;
        }
        let short = window(&result.text, &searched, WINDOW.min(room * 4));
        let entry = memory(result, &short);
        if tokens(&text) + tokens(&entry) < most {
            line(&mut text, format_args!("{entry}"));
            shown += 1;
            is_cut |= short.ends_with('…') || short.starts_with('…');
        }
    }
    let left_out = recall.results.len() - shown;
    if left_out > 0 && shown == 0 {
        // Whatever the budget: an empty list would say that nothing is known.
        line(&mut text, format_args!("None: {}", too_long(left_out)));
    } else if left_out > 0 && tokens(&text) + 12 < most {
        line(&mut text, format_args!("- and {left_out} more; a larger `budget` shows them"));
    }
    let rest = "- … marks what is left out; `inspect` with a handle shows it";
    if is_cut && tokens(&text) + tokens(rest) < most {
        line(&mut text, format_args!("{rest}"));
    }
    let mut standing = String::new();
    rules(&mut standing, recall);
    for part in [standing, about(recall, entities)] {
        for one in part.lines() {
            if tokens(&text) + tokens(one) + 1 > most {
                return text;
            }
            line(&mut text, format_args!("{one}"));
        }
    }
    text
}

/// The entities and their relationships.
fn about(recall: &Recall, entities: &[EntityView]) -> String {
    let mut text = String::new();
    let names: Vec<&str> = recall.understanding.entities.iter().map(|entity| entity.name.as_str()).collect();
    if names.is_empty() {
        text.push_str("Query entities: none\n");
    } else {
        line(&mut text, format_args!("Query entities: [{}]", names.join(", ")));
    }
    for view in entities {
        entity(&mut text, view);
    }
    relationships(&mut text, recall, entities);
    text
}

/// That there are results, though none fits.
pub(crate) fn too_long(results: usize) -> String {
    match results {
        1 => "1 result does not fit; a larger `budget` shows it".to_string(),
        many => format!("{many} results do not fit; a larger `budget` shows them"),
    }
}

/// What could not be used, so that the answer may lack something.
fn missing(text: &mut String, recall: &Recall) {
    for part in &recall.missing {
        line(text, format_args!("Note: {}", shorten(part, DESCRIPTION)));
    }
}

/// Why there is no memory, if there is none.
fn abstained(text: &mut String, recall: &Recall) {
    if recall.results.is_empty() {
        let why = recall.abstained.as_deref().unwrap_or("nothing is known about this");
        line(text, format_args!("None: {why}"));
    }
}

/// A memory with where it comes from, as a point of a list.
fn memory(result: &RecallResult, text: &str) -> String {
    format!("- {}: {}", provenance(result), text.replace('\n', "\n  "))
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{line}");
}

fn entity(text: &mut String, view: &EntityView) {
    line(text, format_args!("\n### {} ({})", view.entity.name, view.entity.r#type));
    let related = related(view);
    if !related.is_empty() {
        line(text, format_args!("Related: {}", related.join(", ")));
    }
    let together = together(view);
    if !together.is_empty() {
        line(text, format_args!("Mentioned with: {}", together.join(", ")));
    }
    if !view.entity.description.is_empty() {
        line(text, format_args!("Description: {}", shorten(&view.entity.description.join(" "), DESCRIPTION)));
    }
    for fact in view.facts.iter().filter(|fact| fact.current) {
        let since = fact.valid_from.map(|at| format!(" (since {})", at.day())).unwrap_or_default();
        line(
            text,
            format_args!("Fact: {} {} {}{since}", fact.subject.name, words(&fact.predicate), fact.object),
        );
    }
    line(text, format_args!("Mentioned in: {}", counted(view.mention_count, "memory", "memories")));
}

/// Names of neighbours over relations, with how they are related.
fn related(view: &EntityView) -> Vec<String> {
    let own = &view.entity.id;
    let relations = view.relations.iter().filter(|edge| !edge.source.is_memory() && !edge.target.is_memory());
    let related = relations.map(|edge| {
        let forward = edge.source.id == *own;
        let other = if forward { &edge.target } else { &edge.source };
        let weight =
            if edge.weight > 1.0 { format!(", weight: {}", rounded(edge.weight)) } else { String::new() };
        format!("{} ({}{weight})", other.name, relation(edge, forward))
    });
    limited(related.collect())
}

/// Names of entities that share a memory with it and no relation.
fn together(view: &EntityView) -> Vec<String> {
    let is_related =
        |id: &String| view.relations.iter().any(|edge| edge.source.id == *id || edge.target.id == *id);
    let near = view.neighbourhood.iter().map(|near| &near.node);
    limited(
        near.filter(|node| !node.is_memory() && !is_related(&node.id))
            .map(|node| node.name.clone())
            .collect(),
    )
}

fn limited(mut names: Vec<String>) -> Vec<String> {
    let more = names.len().saturating_sub(RELATED);
    names.truncate(RELATED);
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names
}

fn relation(edge: &Edge, forward: bool) -> String {
    match griot::model::EdgeKind::parse(&edge.kind) {
        Some(kind) => crate::node::reads(kind, &edge.label, forward),
        None if edge.label.is_empty() => edge.kind.clone(),
        None => edge.label.clone(),
    }
}

/// Edges between what the answer shows: relations of the named entities, and the steps of chains and paths.
fn relationships(text: &mut String, recall: &Recall, entities: &[EntityView]) {
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    let relations = entities.iter().flat_map(|view| &view.relations);
    for edge in relations {
        if seen.insert((
            edge.source.id.clone(),
            edge.target.id.clone(),
            edge.kind.clone(),
            edge.label.clone(),
        )) {
            let evidence = edge.evidence.iter().find_map(|e| e.quote.as_deref().or(e.reason.as_deref()));
            lines.push(relationship(
                &edge.source.name,
                &edge.target.name,
                &relation(edge, true),
                evidence,
                edge.weight,
            ));
        }
    }
    let steps =
        recall.chains.iter().flat_map(|chain| &chain.hops).chain(recall.results.iter().flat_map(|r| &r.path));
    for hop in steps.filter(|hop| is_informative(hop)) {
        let (source, target) = if hop.forward { (&hop.from, &hop.to) } else { (&hop.to, &hop.from) };
        if seen.insert((source.id.clone(), target.id.clone(), hop.kind.clone(), hop.label.clone())) {
            let evidence = hop.evidence.iter().find_map(|e| e.quote.as_deref().or(e.reason.as_deref()));
            let reads = if hop.label.is_empty() { &hop.kind } else { &hop.label };
            lines.push(relationship(&source.name, &target.name, reads, evidence, hop.weight));
        }
    }
    if !lines.is_empty() {
        text.push_str("\n### Relevant Relationships:\n");
        lines.truncate(RELATIONSHIPS);
        lines.iter().for_each(|entry| line(text, format_args!("{entry}")));
    }
}

/// Mentions and order in time follow from the memories themselves.
fn is_informative(hop: &Hop) -> bool {
    hop.kind != "mentions" && hop.family != "temporal"
}

fn relationship(source: &str, target: &str, reads: &str, evidence: Option<&str>, weight: f32) -> String {
    let evidence = evidence.map(|words| format!(" — {}", shorten(words, 200))).unwrap_or_default();
    format!("- {source} → {target}: \"{reads}\"{evidence} (strength: {})", rounded(weight))
}

/// Standing rules of the scope, after what answers the question.
fn rules(text: &mut String, recall: &Recall) {
    if recall.rules.is_empty() {
        return;
    }
    text.push_str("\n### Rules:\n");
    for rule in &recall.rules {
        let body = rule.text.trim_end().replace('\n', "\n  ");
        line(text, format_args!("- {} ({}): {body}", rule.handle, rule.occurred_at.day()));
    }
    if recall.rules_left_out > 0 {
        line(text, format_args!("- and {} more", recall.rules_left_out));
    }
}

/// `#a1b2c3 (2024-05-03, Ada, team.jsonl)`.
fn provenance(result: &RecallResult) -> String {
    let mut parts: Vec<String> = result.when().into_iter().collect();
    parts.extend(result.speaker.clone());
    parts.extend(result.named_source());
    parts.extend(result.cite.as_deref().map(|cite| brief(result, cite).to_string()));
    parts.extend(result.also_in.iter().filter_map(|other| Some(format!("also in {}", other.cite.as_ref()?))));
    parts.extend(result.standing.as_ref().map(crate::Standing::words));
    if result.source.trust.as_deref() == Some("web") {
        parts.push("from the web".to_string());
    }
    parts.extend(result.flags.iter().map(|flag| format!("flagged: {flag}")));
    if parts.is_empty() { result.handle.clone() } else { format!("{} ({})", result.handle, parts.join(", ")) }
}

/// A transcript is known by its name; the path of each of ten turns is half of what a model reads of them.
fn brief<'a>(result: &RecallResult, cite: &'a str) -> &'a str {
    let is_chat = result.source.kind.as_deref() == Some(SourceType::Chat.name());
    let name = cite.rsplit(['/', '\\']).next().unwrap_or(cite);
    if is_chat && !name.is_empty() { name } else { cite }
}

fn words(predicate: &str) -> String {
    predicate.replace('_', " ")
}

fn counted(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn rounded(weight: f32) -> String {
    let text = format!("{weight:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// At most so many characters on one line, cut at a word.
fn shorten(text: &str, limit: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= limit {
        return text;
    }
    let cut: String = text.chars().take(limit).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    format!("{cut}…")
}
