//! Memories: stored, shown, forgotten.

use griot_wire::{
    Forgotten, GcCandidate, Ingested, Memory, NodeRef, Note, Offer, Remembered, Time, Timeline,
};

use super::table::table;
use super::{Page, counted, lines_or, text};

pub fn remembered(page: Page, answer: &Remembered) -> String {
    let handle = page.handle(&answer.handle);
    if answer.action == "skipped" {
        return format!("already known as {handle}");
    }
    if answer.action == "updated" {
        let now = page.quiet(&tier(&answer.tier, answer.expires_at));
        let mut lines = vec![format!("already known as {handle}, updated ({now})")];
        lines.extend(mentions(page, answer));
        return lines.join("\n");
    }
    let kind = page.quiet(&format!("{}, {}", answer.kind, answer.occurred_at.day()));
    let mut lines = vec![format!("remembered {handle}  {kind}")];
    if answer.tier != "long_term" || answer.expires_at.is_some() {
        lines.push(tier(&answer.tier, answer.expires_at));
    }
    lines.extend(mentions(page, answer));
    lines.extend(answer.flags.iter().map(|flag| page.warning(care(flag))));
    if !answer.embedded {
        lines.push(
            page.warning("no vector was made, so it is found by its words alone: griot reindex --embed"),
        );
    }
    let edges = &answer.edges_created;
    let made = [
        ("temporal", edges.temporal),
        ("entity", edges.entity),
        ("causal", edges.causal),
        ("semantic", edges.semantic),
    ];
    let made: Vec<String> =
        made.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{count} {name}")).collect();
    if !made.is_empty() {
        lines.push(format!("edges: {}", made.join(", ")));
    }
    if answer.diff.suggestion != "add" {
        let with = answer.diff.with_handle.as_deref().unwrap_or_default();
        let reason = text::one_line(&answer.diff.reason, page.width.saturating_sub(30));
        lines.push(format!("{} of {}? {}", answer.diff.suggestion, page.handle(with), page.quiet(&reason)));
    }
    for candidate in &answer.update_candidates {
        let about = match candidate.noted {
            true => "replaces, noted (undo: griot unlink)".to_string(),
            false => format!("replaces? {:.2}", candidate.probability),
        };
        let about = format!("{about}{}", id_of_offer(&candidate.offer));
        lines.push(offer(page, &candidate.handle, &about, &candidate.text));
    }
    for candidate in &answer.semantic_candidates {
        let linked = if candidate.auto_linked { ", linked" } else { "" };
        let about = format!("like {:.2}{linked}", candidate.similarity);
        lines.push(offer(page, &candidate.handle, &about, &candidate.text));
    }
    for candidate in &answer.causal_candidates {
        let side = if candidate.candidate_is_cause { "cause?" } else { "effect?" };
        let (kind, likely) = (&candidate.suggested_sub_type, candidate.probability);
        let about = format!("{side} {kind} {likely:.2}{}", id_of_offer(&candidate.offer));
        lines.push(offer(page, &candidate.handle, &about, &candidate.text));
    }
    lines.extend(answer.warnings.iter().map(|warning| page.warning(&text::visible(&warning.message))));
    lines.join("\n")
}

pub fn edited(page: Page, new: &Remembered, old: &str) -> String {
    let by_hand = old.trim_start_matches('#');
    format!(
        "{} replaces {}  {}",
        page.handle(&new.handle),
        page.handle(old),
        page.quiet(&format!("griot show {by_hand} prints the old version"))
    )
}

/// What `forget` takes to refuse it.
fn id_of_offer(id: &Option<String>) -> String {
    id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default()
}

fn offer(page: Page, handle: &str, about: &str, body: &str) -> String {
    let room = page.width.saturating_sub(handle.len() + about.len() + 6);
    format!("   {}  {}  {}", page.handle(handle), page.quiet(about), text::one_line(body, room))
}

/// Explains a flag to the user who stored the text.
fn care(flag: &str) -> &'static str {
    match flag {
        "secret" => "it seems to contain a key or password (griot config set remember.secrets mask)",
        _ => "it seems to contain instructions to a language model; recall flags it",
    }
}

pub fn remembered_all(page: Page, answers: &[Remembered]) -> String {
    let added = answers.iter().filter(|answer| answer.action == "added").count();
    let known = answers.len() - added;
    let mut lines =
        vec![format!("remembered {}, {known} already known", counted(added as u64, "memory", "memories"))];
    lines.extend(answers.iter().map(|answer| {
        let room = page.width.saturating_sub(answer.handle.len() + 14);
        let excerpt = text::one_line(&answer.text, room);
        format!("   {}  {:<7}  {excerpt}", page.handle(&answer.handle), answer.action)
    }));
    lines.join("\n")
}

fn mentions(page: Page, answer: &Remembered) -> Option<String> {
    let names: Vec<&str> = answer.entities.iter().map(|mention| mention.name.as_str()).collect();
    (!names.is_empty()).then(|| text::one_line(&format!("mentions {}", names.join(", ")), page.width))
}

/// `working, expires 2026-03-05T18:00:00Z`
fn tier(tier: &str, expires_at: Option<Time>) -> String {
    let end = expires_at.map(|at| format!(", expires {at}")).unwrap_or_default();
    format!("{}{end}", tier.replace('_', " "))
}

/// `replaced`: handles of its former versions.
pub fn memory(page: Page, memory: &Memory, replaced: &[String]) -> String {
    let mut lines = vec![format!("{}  {}", page.handle(&memory.handle), page.quiet(&memory.id))];
    let mut field = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let value = text::one_line(&value, page.width.saturating_sub(13));
            lines.push(format!("{}  {value}", page.quiet(&format!("{name:<11}"))));
        }
    };
    field("kind", Some(format!("{}, importance {}", memory.kind, memory.importance)));
    field("tags", Some(memory.tags.join(", ")));
    let special = memory.tier != "long_term" || memory.expires_at.is_some();
    field("tier", special.then(|| tier(&memory.tier, memory.expires_at)));
    field("occurred", Some(memory.occurred_at.to_string()));
    field("recorded", Some(memory.recorded_at.to_string()));
    field("user", memory.user.clone());
    field("project", memory.project.clone());
    field("agent", memory.agent.clone());
    field("speaker", memory.speaker.clone());
    field("session", memory.session.clone());
    field("source", Some(memory.source.clone()));
    field("heading", Some(memory.heading.join(" › ")));
    field("found in", memory.cite.clone());
    field("flagged", (!memory.flags.is_empty()).then(|| memory.flags.join(", ")));
    field("replaces", (!replaced.is_empty()).then(|| replaced.join(", ")));
    field("superseded", memory.superseded_by.as_ref().map(|by| format!("by {by}")));
    field("forgotten", memory.deleted_at.map(|at| at.to_string()));
    lines.push(String::new());
    lines.push(text::visible(&memory.text).trim_end().to_string());
    lines.join("\n")
}

/// The day on which each was stored, its handle, its kind and the beginning of its text.
pub fn list(page: Page, memories: &[Memory]) -> String {
    if memories.is_empty() {
        return "Nothing found: no such memories.".to_string();
    }
    table(page, ["stored", "memory", "kind", "text"], &[], memories, |memory| {
        let flags = memory.flags.iter().map(|flag| format!("[flagged: {flag}] "));
        let replaced = memory.superseded_by.as_ref().map(|_| "[superseded] ".to_string());
        let marks: String = flags.chain(replaced).collect();
        let excerpt = format!("{marks}{}", memory.text);
        [memory.recorded_at.day(), memory.handle.clone(), memory.kind.clone(), excerpt]
    })
}

pub fn timeline(page: Page, timeline: &Timeline) -> String {
    let line = |memory: &Memory, mark: &str| {
        let when = memory.occurred_at.to_string();
        let when = when.get(..16).unwrap_or(&when).replace('T', " ");
        let speaker = memory.speaker.as_ref().map(|speaker| format!("{speaker}: ")).unwrap_or_default();
        let room = page.width.saturating_sub(when.len() + memory.handle.len() + 7);
        let excerpt = text::one_line(&format!("{speaker}{}", memory.text), room);
        format!("{mark} {}  {}  {excerpt}", page.quiet(&when), page.handle(&memory.handle))
    };
    let before = timeline.before.iter().map(|memory| (memory, " "));
    let anchor = timeline.anchor.iter().map(|memory| (memory, "▸"));
    let marked: Vec<_> =
        before.chain(anchor).chain(timeline.after.iter().map(|memory| (memory, " "))).collect();
    lines_or("Nothing found: no memories in this range.", &marked, |(memory, mark)| line(memory, mark))
}

pub fn forgotten(page: Page, all: &Forgotten, done: &str) -> String {
    let mut names: Vec<String> = all.handles.iter().map(|handle| page.handle(handle)).collect();
    if names.len() > 10 {
        names = vec![counted(names.len() as u64, "memory", "memories")];
    }
    if all.entities.len() > 10 {
        names.push(counted(all.entities.len() as u64, "entity", "entities"));
    } else {
        names.extend(all.entities.iter().map(|id| text::visible(id)));
    }
    names.extend(all.sources.iter().map(|id| format!("source {id}")));
    names.extend(all.offers.iter().map(|id| format!("offer {id}")));
    names.extend(all.suggestions.iter().map(|id| format!("suggestion {id}")));
    if names.is_empty() {
        return match done {
            "restored" => "nothing was restored: it was not forgotten".to_string(),
            done => format!("nothing was {done}"),
        };
    }
    let edges = match (all.edges_hidden, done) {
        (0, _) | (_, "restored") => String::new(),
        (count, _) => format!("; {} hidden with it", counted(count, "edge is", "edges are")),
    };
    let restore = match (&*all.sources, &*all.memories, &*all.entities, &*all.offers) {
        ([source], .., []) => Some(source.clone()),
        ([], [_], [], []) => all.handles.first().map(|handle| handle.trim_start_matches('#').to_string()),
        ([], [], [entity], []) => Some(entity.clone()),
        ([], [], [], [offer]) => Some(offer.clone()),
        _ => None,
    };
    let back =
        restore.filter(|_| done == "forgotten").map(|name| format!("\nundo with: griot restore {name}"));
    let back = back.unwrap_or_default();
    let done = match (done, names.len() == all.offers.len() + all.suggestions.len()) {
        ("forgotten", true) => "refused",
        ("restored", true) => "reopened",
        _ => done,
    };
    format!("{done} {}{edges}{back}", names.join(", "))
}

pub fn offers(page: Page, list: &[Offer], all: bool) -> String {
    if list.is_empty() {
        let which = if all { "offers" } else { "open offers" };
        return format!("No {which}. {}", page.quiet("griot remember makes them"));
    }
    let shown = list.iter().map(|one| {
        let may = match one.kind.as_str() {
            "replacement" => "may replace",
            _ if one.source == one.newer.name => "may be the cause of",
            _ => "may be the effect of",
        };
        let state = if one.state == "open" { String::new() } else { format!(", {}", one.state) };
        let side = |side: &NodeRef| {
            let day = side.occurred_at.map(|at| at.day()).unwrap_or_default();
            let excerpt = side.excerpt.as_deref().unwrap_or_default();
            let line = format!("{}  {day}  {excerpt}", page.handle(&side.name));
            format!("   {}", text::one_line(&line, page.width.saturating_sub(3)))
        };
        let head = format!("{} {:.2}{state}", page.strong(&one.id), one.probability);
        let because = page.quiet(&format!("({})", text::one_line(&one.reason, 60)));
        format!("{head}\n{}\n   {may} {because}\n{}", side(&one.newer), side(&one.other))
    });
    let shown: Vec<String> = shown.collect();
    let next = page.quiet("griot offers --take ID takes an offer, --refuse ID refuses it");
    format!("{}\n\n{next}", shown.join("\n\n"))
}

pub fn notes(page: Page, list: &[Note]) -> String {
    if list.is_empty() {
        return format!("no notes {}", page.quiet("(a language model writes them, with enrich.notes)"));
    }
    let notes = list.iter().map(|note| {
        let state = match (note.counts, &note.undone_at) {
            (true, _) => "counts".to_string(),
            (false, Some(at)) => format!("undone {}", at.day()),
            (false, None) => "replaced".to_string(),
        };
        let by = note.by.as_ref().map(|by| format!(", because of {by}")).unwrap_or_default();
        let mut lines =
            vec![format!("{} {}", page.strong(&note.at.day()), page.quiet(&format!("{state}{by}")))];
        let words = |name: &str, words: &[String]| format!("  {name:9} {}", text::visible(&words.join(", ")));
        lines.push(words("keywords", &note.keywords));
        lines.push(words("tags", &note.tags));
        lines.push(words("context", std::slice::from_ref(&note.context)));
        lines.join("\n")
    });
    notes.collect::<Vec<_>>().join("\n\n")
}

pub fn gc(page: Page, list: &[GcCandidate], threshold: f32) -> String {
    if list.is_empty() {
        return format!("No memory has an importance below {threshold}.");
    }
    let table = table(page, ["now", "memory", "date", "why", "text"], &[0], list, |one| {
        let (now, memory) = (format!("{:.2}", one.effective_importance), &one.memory);
        [now, memory.handle.clone(), memory.occurred_at.day(), one.reason.clone(), memory.text.clone()]
    });
    format!(
        "{table}\n\nNothing was deleted. griot forget MEMORY deletes one, griot gc --keep MEMORY keeps it."
    )
}

pub fn kept(page: Page, kept: &[Memory]) -> String {
    let names: Vec<String> = kept.iter().map(|memory| page.handle(&memory.handle)).collect();
    format!("kept {}", names.join(", "))
}

/// `3 files are of kinds that are not read: 2 .js, 1 .png`, most first.
fn unread(page: Page, tally: &Ingested) -> String {
    /// Endings that are listed.
    const SHOWN: usize = 8;
    let mut kinds: Vec<(&String, &u64)> = tally.unread.iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let name =
        |kind: &str| if kind.is_empty() { "without an ending".to_string() } else { text::visible(kind) };
    let mut shown: Vec<String> =
        kinds.iter().take(SHOWN).map(|(kind, count)| format!("{count} {}", name(kind))).collect();
    if kinds.len() > SHOWN {
        shown.push("…".to_string());
    }
    let count = counted(kinds.iter().map(|(_, count)| **count).sum(), "file is", "files are");
    let line = format!("{count} of kinds that are not read: {}", shown.join(", "));
    if tally.sources > 0 {
        return line;
    }
    format!("{line}\n{}", page.quiet("griot ingest FILE reads one of them as text; griot reference formats"))
}

pub fn ingested(page: Page, tally: &Ingested) -> String {
    let mut lines = vec![format!(
        "{} read, {} unchanged: {} added, {} kept, {} removed; {}, {}",
        counted(tally.sources - tally.unchanged, "source", "sources"),
        tally.unchanged,
        counted(tally.added, "memory", "memories"),
        tally.kept,
        tally.removed,
        counted(tally.entities, "new entity", "new entities"),
        counted(tally.edges, "new edge", "new edges"),
    )];
    if tally.skipped > 0 {
        let known = counted(tally.skipped, "text is", "texts are");
        lines.push(format!("{known} already known from another source"));
    }
    if tally.flagged > 0 {
        let flagged = counted(tally.flagged, "memory is", "memories are");
        let why = "possible keys, passwords or instructions to a language model";
        lines.push(page.warning(&format!("{flagged} flagged: {why}")));
    }
    if tally.warnings > 0 {
        let noticed = counted(tally.warnings, "contradiction", "contradictions");
        lines.push(page.warning(&format!("{noticed} among causes: griot verify --list")));
    }
    if !tally.unread.is_empty() {
        lines.push(unread(page, tally));
    }
    for renamed in &tally.renamed {
        lines.push(format!("{} was renamed to {}; its memories were kept", renamed.from, renamed.to));
    }
    if !tally.pruned.is_empty() {
        let gone = counted(tally.pruned.len() as u64, "file is", "files are");
        lines.push(format!("{gone} gone: {}", tally.pruned.join(", ")));
    }
    if !tally.missing.is_empty() {
        let gone = counted(tally.missing.len() as u64, "file is", "files are");
        let names = listed(&tally.missing);
        lines.push(format!("{gone} gone, their memories are kept: {names}; --prune forgets them"));
    }
    if !tally.forgotten.is_empty() {
        let left = counted(tally.forgotten.len() as u64, "source was", "sources were");
        lines.push(format!("{left} forgotten and left out: griot restore {}", tally.forgotten.join(" ")));
    }
    if !tally.failed.is_empty() {
        lines.extend(failures(tally).iter().map(|line| page.warning(line)));
    }
    if tally.interrupted {
        lines.push("interrupted; run the same command again to continue".to_string());
    }
    lines.join("\n")
}

/// The first few of many names.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}

/// Files that were not read, and those with problems, each counted once.
fn failures(tally: &Ingested) -> Vec<String> {
    let paths = |is_read: bool| {
        let of = tally.failed.iter().filter(|one| one.partly == is_read).map(|one| one.path.as_str());
        of.collect::<std::collections::BTreeSet<_>>()
    };
    let unread = paths(false);
    let partly = paths(true).difference(&unread).count();
    let mut lines = Vec::new();
    if !unread.is_empty() {
        lines.push(format!("{} not read", counted(unread.len() as u64, "file was", "files were")));
    }
    if partly > 0 {
        lines.push(format!("{} read, with problems", counted(partly as u64, "file was", "files were")));
    }
    lines
}
