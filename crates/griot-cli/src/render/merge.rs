//! Merged entities, undone merges and suggestions.

use griot_wire::{Entity, MergeLog, Merged, Suggestion, Unmerged};

use super::table::table;
use super::{NAME, Page, counted, text};

fn name(page: Page, entity: &Entity) -> String {
    let id = page.quiet(&format!("({})", text::visible(&entity.id)));
    format!("{} {id}", page.paint(NAME, &text::one_line(&entity.name, 40)))
}

pub fn merged(page: Page, merged: &Merged) -> String {
    let merge = &merged.merge;
    let mut lines = vec![format!(
        "{}  merged {} into {}",
        page.strong(&merge.id),
        name(page, &merge.merged),
        name(page, &merged.entity)
    )];
    let mut parts = vec![counted(merge.moved as u64, "edge moved", "edges moved")];
    for (count, one, many) in [
        (merge.folded, "edge combined with an existing one", "edges combined with existing ones"),
        (merge.dropped, "edge between the two dropped", "edges between the two dropped"),
        (merge.facts, "fact moved", "facts moved"),
    ] {
        if count > 0 {
            parts.push(counted(count as u64, one, many));
        }
    }
    lines.push(format!("    {}", parts.join(", ")));
    if merge.kept.id != merged.entity.id {
        lines.push(format!(
            "    its type is now {}; the id {} still resolves to it",
            merged.entity.r#type, merge.kept.id
        ));
    }
    lines.push(format!("    {}", page.quiet(&format!("griot merge --undo {}", merge.id))));
    lines.join("\n")
}

pub fn unmerged(page: Page, unmerged: &Unmerged) -> String {
    let mut lines = vec![format!(
        "{}  {} and {} are separate again",
        page.strong(&unmerged.merge.id),
        name(page, &unmerged.kept),
        name(page, &unmerged.merged)
    )];
    let (edges, facts) = (u64::from(unmerged.edges), u64::from(unmerged.facts));
    let (edges, facts) = (counted(edges, "edge", "edges"), counted(facts, "fact", "facts"));
    lines.push(format!("    {edges} and {facts} moved back"));
    lines.extend(unmerged.inseparable.iter().map(|sentence| format!("    {}", text::visible(sentence))));
    lines.join("\n")
}

pub fn dismissed(page: Page, suggestion: &Suggestion) -> String {
    format!(
        "{}  {} and {} stay separate; the pair will not be suggested again",
        page.strong(&suggestion.id),
        name(page, &suggestion.kept),
        name(page, &suggestion.merged)
    )
}

pub fn merges(page: Page, log: &MergeLog) -> String {
    let mut parts = Vec::new();
    if let Some(scan) = &log.scan {
        parts.push(format!(
            "compared {}: {}, {}",
            counted(scan.names, "name", "names"),
            counted(scan.merged as u64, "merge", "merges"),
            counted(scan.suggested, "new suggestion", "new suggestions")
        ));
    }
    if log.merges.is_empty() {
        parts.push("No merges yet.".to_string());
    } else {
        let header = ["id", "date", "kept", "merged", "by", "reason"];
        parts.push(table(page, header, &[], &log.merges, |merge| {
            let state = merge.undone_at.map(|at| format!("undone {}. ", at.day())).unwrap_or_default();
            let why = format!("{state}{}", merge.reason.as_deref().unwrap_or_default());
            let (kept, merged) = (merge.kept.id.clone(), merge.merged.id.clone());
            [merge.id.clone(), merge.at.day(), kept, merged, merge.by.clone(), why]
        }));
    }
    if log.suggestions.is_empty() {
        parts.push(format!("No open suggestions. {}", page.quiet("find some with griot merges --suggest")));
    } else {
        parts.push(table(
            page,
            ["id", "similarity", "keep", "merge", "why"],
            &[1],
            &log.suggestions,
            |one| {
                let similarity = format!("{:.2}", one.likeness);
                let state = if one.state == "open" { String::new() } else { format!("{}. ", one.state) };
                let why = format!("{state}{}", one.reason);
                [one.id.clone(), similarity, one.kept.id.clone(), one.merged.id.clone(), why]
            },
        ));
        parts.push(page.quiet("griot merges --apply ID merges a pair, --dismiss ID keeps it separate"));
    }
    parts.join("\n\n")
}
