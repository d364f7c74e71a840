//! The workspace: contents, settings, health.

use std::collections::BTreeMap;

use griot_wire::settings::Origin;
use griot_wire::{Health, Imported, Reindexed, SourceContent, SourceView, Status, WorkspaceView};

use super::table::table;
use super::{ALARM, Page, counted, text};

pub fn status(page: Page, status: &Status, workspace: Option<&str>) -> String {
    let counts = &status.counts;
    let mut lines = Vec::new();
    let mut field = |name: &str, value: String| {
        lines.push(format!(
            "{}  {}",
            page.quiet(&format!("{name:<10}")),
            text::one_line_keeping_gaps(&value, page.width.saturating_sub(12))
        ));
    };
    if let Some(workspace) = workspace {
        field("workspace", workspace.to_string());
    }
    if let Some(path) = &status.path {
        field("file", format!("{path}, {}, revision {}", bytes(status.bytes), status.revision));
    }
    let hidden = [
        (counts.deleted_memories, "forgotten"),
        (counts.superseded_memories, "superseded"),
        (counts.expired_memories, "expired"),
    ];
    let hidden: String = hidden
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!(", {count} {word}"))
        .collect();
    field("memories", format!("{}{hidden}{}", counts.memories, by(&counts.memories_by_kind)));
    if let (Some(earliest), Some(latest)) = (status.earliest, status.latest) {
        field("time", format!("{} to {}", earliest.day(), latest.day()));
    }
    field("entities", format!("{}{}", counts.entities, by(&counts.entities_by_type)));
    let expired = (counts.expired_edges > 0).then(|| format!(", {} expired", counts.expired_edges));
    field("edges", format!("{}{}{}", counts.edges, expired.unwrap_or_default(), by(&counts.edges_by_kind)));
    if !counts.edges_by_provenance.is_empty() {
        field("", format!("provenance{}", by(&counts.edges_by_provenance)));
    }
    field("facts", counts.facts.to_string());
    let kinds: Vec<String> = status
        .sources_by_kind
        .iter()
        .map(|tally| format!("{} {} (last {})", tally.sources, tally.kind, tally.updated_at.day()))
        .collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    field("sources", format!("{}{kinds}", counts.sources));
    if let Some(model) = &status.language_model {
        field("model", model.clone());
    }
    for (task, count) in &status.unread {
        field("unread", format!("{count} for {task}: griot enrich"));
    }
    if status.open_warnings > 0 {
        field("warnings", format!("{} open: griot verify --list", status.open_warnings));
    }
    field(
        "vectors",
        match &status.stored_model {
            Some(model) if *model != status.embedder => {
                format!(
                    "{} by {model}; {} is selected: griot reindex --embed",
                    counts.vectors, status.embedder
                )
            }
            _ => {
                let without = counts.without_vector();
                let why = "a text without a known word gets none";
                let lack = format!(", {without} memories have none: griot reindex --embed ({why})");
                let lack = if without > 0 { lack } else { String::new() };
                format!("{} by {}{lack}", counts.vectors, status.embedder)
            }
        },
    );
    if !status.top_entities.is_empty() {
        let names: Vec<String> =
            status.top_entities.iter().map(|hub| format!("{} ({})", hub.entity.name, hub.degree)).collect();
        field("hubs", names.join(", "));
    }
    lines.join("\n")
}

/// `: 12 passage, 3 insight`, largest first.
fn by(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let parts: Vec<String> = sorted.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

fn bytes(count: u64) -> String {
    match count {
        0..1024 => format!("{count} bytes"),
        1024..1_048_576 => format!("{:.1} KB", count as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MB", count as f64 / 1_048_576.0),
        _ => format!("{:.1} GB", count as f64 / 1_073_741_824.0),
    }
}

pub fn health(page: Page, health: &Health) -> String {
    let mut lines: Vec<String> =
        health.checked.iter().map(|checked| format!("checked {}", text::visible(checked))).collect();
    lines.extend(health.repaired.iter().map(|healed| format!("repaired: {}", text::visible(healed))));
    if let Some(file) = &health.quarantine {
        lines.push(format!("the original rows were saved in {}", text::visible(file)));
    }
    if health.sound {
        lines.push("The workspace is healthy.".to_string());
    }
    for problem in &health.problems {
        lines.push(format!("{} {}", page.paint(ALARM, "problem:"), text::visible(problem)));
    }
    lines.join("\n")
}

pub fn reindexed(page: Page, made: &Reindexed) -> String {
    /// Entities that are listed.
    const LISTED: usize = 20;
    if let Some(planned) = &made.estimate {
        return super::answer::bulk("text", "texts", planned);
    }
    let mut lines = Vec::new();
    if let Some(again) = &made.names {
        lines.push(format!(
            "looked for names in {}: {} and {} added, {} and {} removed",
            counted(again.memories, "memory", "memories"),
            counted(again.entities_added, "entity", "entities"),
            counted(again.mentions_added, "mention", "mentions"),
            counted(again.entities_removed, "entity", "entities"),
            counted(again.mentions_removed, "mention", "mentions"),
        ));
        let change =
            |count: u64, sign: char| if count > 0 { format!("{sign}{count}") } else { String::new() };
        let listed = again.entities.iter().take(LISTED);
        lines.extend(listed.map(|one| {
            let counts = [change(one.added, '+'), change(one.removed, '-')];
            let counts =
                counts.iter().filter(|count| !count.is_empty()).cloned().collect::<Vec<_>>().join(" ");
            let room = page.width.saturating_sub(12);
            format!("  {counts:<8}  {}", text::one_line(&one.id, room))
        }));
        let rest = again.entities.len().saturating_sub(LISTED);
        if rest > 0 {
            lines.push(format!("  and {rest} more (--json lists them)"));
        }
    }
    lines.push(
        if made.embedded { "vectors are made, indexes are made again" } else { "indexes are made again" }
            .into(),
    );
    lines.join("\n")
}

pub fn sources(page: Page, sources: &[SourceView]) -> String {
    if sources.is_empty() {
        return "No sources yet.".to_string();
    }
    table(page, ["id", "kind", "memories", "updated", "origin"], &[2], sources, |view| {
        let source = &view.source;
        let mut origin = source.origin.clone();
        origin.extend(source.title.as_ref().map(|title| format!(" ({title})")));
        origin.extend(source.language.as_ref().map(|language| format!(" in {language}")));
        origin.extend((!source.tags.is_empty()).then(|| format!(" [{}]", source.tags.join(", "))));
        origin.extend(source.deleted_at.map(|_| " forgotten"));
        let (id, kind) = (source.id.clone(), source.kind.clone());
        [id, kind, view.memories.to_string(), source.updated_at.day(), origin]
    })
}

pub fn source_content(page: Page, content: &SourceContent) -> String {
    let mut lines = vec![sources(page, std::slice::from_ref(&content.source))];
    let metadata = content.source.source.metadata.iter();
    lines.extend(metadata.map(|(name, value)| text::visible(&format!("{name}: {value}"))));
    lines.push(String::new());
    lines.extend(content.memories.iter().map(|memory| {
        let span = memory.lines.as_ref().map(|span| format!("{}–{}", span.first, span.last));
        let room = page.width.saturating_sub(memory.handle.len() + 14);
        let excerpt = text::one_line(&memory.text, room);
        format!("{}  {:>9}  {excerpt}", page.handle(&memory.handle), span.unwrap_or_default())
    }));
    lines.join("\n")
}

pub fn imported(_: Page, imported: &Imported) -> String {
    let mut counts = vec![
        counted(imported.memories, "memory", "memories"),
        counted(imported.entities, "entity", "entities"),
        counted(imported.edges, "edge", "edges"),
        counted(imported.facts, "fact", "facts"),
        counted(imported.sources, "source", "sources"),
    ];
    if imported.merges > 0 {
        counts.push(counted(imported.merges, "merge", "merges"));
    }
    format!("imported {}; {} already known", counts.join(", "), imported.skipped)
}

/// TOML with the origin of each value as a comment, so that lines can be copied into `griot.toml`.
pub fn settings(page: Page, entries: &[(&str, String, Origin)]) -> String {
    let mut lines = Vec::new();
    let mut last = "";
    for (name, value, origin) in entries {
        let (block, key) = name.rsplit_once('.').unwrap_or(("", name));
        if block != last {
            if !last.is_empty() {
                lines.push(String::new());
            }
            lines.push(page.strong(&format!("[{block}]")));
            last = block;
        }
        let assignment = format!("{key} = {value}");
        lines.push(format!("{assignment:<40} {}", page.quiet(&format!("# {origin}"))));
    }
    lines.join("\n")
}

pub fn workspaces(page: Page, views: &[WorkspaceView]) -> String {
    table(page, ["", "name", "size", "file"], &[2], views, |view| {
        let mark = if view.active { "*" } else { "" };
        let size = if view.exists { bytes(view.bytes) } else { "not created yet".to_string() };
        [mark.to_string(), view.name.clone(), size, view.path.clone()]
    })
}
