//! Conventions of note vaults (Obsidian and the like): `[[links]]` to other notes, which are names of things,
//! and `#tags`. Code contains neither.

use std::ops::Range;

use griot::remember::EntityDraft;

/// Most names and tags of one passage; more would be a list of links and not its subject.
const MOST: usize = 50;

/// Names and tags in the order of the text, without duplicates.
pub(crate) fn read(text: &str) -> (Vec<EntityDraft>, Vec<String>) {
    let (mut names, mut tags) = (Vec::new(), Vec::new());
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (None, None) if !line.starts_with("    ") && !line.starts_with('\t') => {
                // Every second piece between backticks is code.
                for piece in line.split('`').step_by(2) {
                    add(&mut names, links(piece));
                    add(&mut tags, hash_tags(piece));
                }
            }
            _ => {}
        }
    }
    (names.into_iter().map(|name| EntityDraft::named(name, None)).collect(), tags)
}

fn add(known: &mut Vec<String>, found: impl Iterator<Item = String>) {
    for word in found {
        if known.len() < MOST && !known.contains(&word) {
            known.push(word);
        }
    }
}

/// `[[folder/Note#Heading|shown]]` names `Note`; pictures and other files that are embedded name nothing.
fn links(text: &str) -> impl Iterator<Item = String> {
    let pieces = text.split("[[").skip(1).filter_map(|piece| Some(piece.split_once("]]")?.0));
    let name = |link: &str| {
        let note = link.split(['|', '#', '^']).next()?.trim().trim_end_matches('\\');
        let note = note.rsplit('/').next()?.trim();
        let note = note.strip_suffix(".md").unwrap_or(note);
        let fits = !note.is_empty()
            && note.chars().count() <= 100
            && !note.contains(|c: char| c.is_control() || c == '[');
        (fits && !is_file(note)).then(|| note.to_string())
    };
    pieces.filter_map(name)
}

/// Whether a link leads to a file that is no note.
pub(crate) fn is_file(link: &str) -> bool {
    link.rsplit_once('.').is_some_and(|(_, end)| {
        matches!(
            end.to_lowercase().as_str(),
            "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "pdf" | "mp3" | "mp4" | "canvas"
        )
    })
}

/// The part of a link that is shown of it: `Note` of `folder/Note.md#Heading`, `Heading` of `#Heading`.
pub(crate) fn shown(link: &str) -> Range<usize> {
    if let Some(heading) = link.strip_prefix('#') {
        return link.len() - heading.len()..link.len();
    }
    let path = link.split('#').next().unwrap_or_default();
    let start = path.rfind('/').map_or(0, |at| at + 1);
    start..path.strip_suffix(".md").unwrap_or(path).len().max(start)
}

/// `#tag`, `#area/topic`; neither numbers (`#12`) nor colours (`#fff`).
fn hash_tags(text: &str) -> impl Iterator<Item = String> {
    let words = text.split_whitespace().filter_map(|word| word.trim_start_matches('(').strip_prefix('#'));
    let tag = |word: &str| {
        let tag: String =
            word.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/')).collect();
        let tag = tag.trim_end_matches(['-', '/']).to_string();
        let is_colour = matches!(tag.len(), 3 | 6 | 8) && tag.chars().all(|c| c.is_ascii_hexdigit());
        let rest = word.get(tag.len()..).unwrap_or_default();
        let ends = rest.is_empty() || rest.starts_with(['.', ',', ';', ':', '!', '?', ')']);
        (ends && tag.starts_with(char::is_alphabetic) && tag.chars().count() <= 60 && !is_colour)
            .then_some(tag)
    };
    words.filter_map(tag)
}
