//! Erasure receipts and backups.

use griot_wire::{BackedUp, Erasure};

use super::{Page, counted, lines_or};

pub fn erasure(_: Page, receipt: &Erasure) -> String {
    let counts = &receipt.counts;
    let went = [
        (counts.memories, "memory", "memories"),
        (counts.vectors, "vector", "vectors"),
        (counts.entities, "entity", "entities"),
        (counts.sources, "source", "sources"),
        (counts.edges, "edge", "edges"),
        (counts.facts, "fact", "facts"),
        (counts.evidence, "piece of evidence", "pieces of evidence"),
        (counts.spellings, "name", "names"),
        (counts.merges, "merge", "merges"),
        (counts.job_rows, "row of a job", "rows of jobs"),
        (counts.replies, "kept reply", "kept replies"),
        (counts.recalls, "logged recall", "logged recalls"),
        (counts.copies, "copy of the database", "copies of the database"),
    ];
    let went: Vec<String> = went
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
    let verb = match &receipt.id {
        None => "would erase".to_string(),
        Some(id) => format!("{id} {} erased", receipt.at.day()),
    };
    let mut lines = vec![format!("{verb} {} ({}): {}", receipt.kind, receipt.by, went.join(", "))];
    if receipt.id.is_some() {
        lines.push(format!("  revision {} to {}", receipt.revision_before, receipt.revision_after));
    }
    if counts.same_texts > 0 {
        let others = counted(counts.same_texts, "other memory has", "other memories have");
        lines.push(format!("  kept: {others} the same text"));
    }
    if counts.mentioning > 0 {
        lines.push(format!("  kept: {} it", counted(counts.mentioning, "text mentions", "texts mention")));
    }
    if receipt.id.is_some() && receipt.finished_at.is_none() {
        lines.push("  not yet removed from all files: griot erase --resume".to_string());
    }
    match receipt.found {
        None => {}
        Some(0) => lines.push("  verified: no trace found".to_string()),
        Some(found) => lines.push(format!("  {} found", counted(found, "trace", "traces"))),
    }
    lines.join("\n")
}

pub fn erasures(page: Page, list: &[Erasure]) -> String {
    lines_or("Nothing was erased.", list, |receipt| erasure(page, receipt))
}

pub fn backed_up(_: Page, answer: &BackedUp) -> String {
    let settings =
        if answer.carried.is_empty() { "no settings".to_string() } else { answer.carried.join(", ") };
    let mut line = format!("{}: {} bytes, with {settings}", answer.file, answer.bytes);
    if let Some(trash) = &answer.trash {
        line.push_str(&format!("\nthe previous database was moved to {trash}"));
    }
    line
}

pub fn trash_emptied(removed: u64) -> String {
    format!("{} deleted for good", counted(removed, "removed workspace", "removed workspaces"))
}
