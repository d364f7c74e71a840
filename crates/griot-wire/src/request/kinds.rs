//! Is a kind of memory meant as it was written?

use std::collections::BTreeMap;

use griot::engine::Engine;
use griot::model::{Error, Result};

/// The kinds that need no look at what is stored.
const USUAL: [&str; 9] =
    ["insight", "decision", "fact", "preference", "event", "observation", "note", "passage", "turn"];

/// Kinds by which memories are searched, in lower case. One that no memory has is refused if it looks like a
/// mistyped one, so that the answer is not an empty list.
pub fn kinds(engine: &Engine, asked: &[String]) -> Result<Vec<String>> {
    checked(engine, asked.iter(), false, "")
}

/// The kind of what is stored, likewise. `is_new` keeps one that looks like a mistyped one.
pub fn kind(engine: &Engine, asked: Option<&String>, is_new: bool) -> Result<Option<String>> {
    Ok(checked(engine, asked.into_iter(), is_new, " --new-kind keeps it")?.pop())
}

fn checked<'a>(
    engine: &Engine,
    asked: impl Iterator<Item = &'a String>,
    is_new: bool,
    further: &str,
) -> Result<Vec<String>> {
    let mut known: Option<BTreeMap<String, u64>> = None;
    let mut checked = Vec::new();
    for kind in asked {
        let word = kind.trim().to_lowercase();
        if !USUAL.contains(&word.as_str()) {
            let known = match &mut known {
                Some(known) => known,
                none => none.insert(engine.status()?.counts.memories_by_kind),
            };
            if !known.contains_key(&word) {
                check_new(&word, known, is_new, further)?;
            }
        }
        checked.push(word);
    }
    Ok(checked)
}

fn check_new(word: &str, known: &BTreeMap<String, u64>, is_new: bool, further: &str) -> Result<()> {
    let what = || format!("use the kind `{word}`");
    if word.contains(char::is_whitespace) {
        let joined = word.split_whitespace().collect::<Vec<_>>().join("-");
        return Err(Error::invalid(what(), "a kind is one word").hint(format!("write `{joined}`")));
    }
    let names = USUAL.into_iter().chain(known.keys().map(String::as_str));
    let near = names.filter(|name| is_slip(word, name)).min_by_key(|name| slips(word, name));
    match near.filter(|_| !is_new) {
        Some(near) => Err(Error::invalid(what(), "no memory has this kind")
            .hint(format!("did you mean `{near}`?{further}"))),
        None => Ok(()),
    }
}

fn slips(typed: &str, known: &str) -> usize {
    strsim::osa_distance(typed, known)
}

/// One mistake, or two in a long word. A short word is another word.
fn is_slip(typed: &str, known: &str) -> bool {
    let most = match known.chars().count() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    slips(typed, known) <= most
}
