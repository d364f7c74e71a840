//! Rewrites the maps from the codes of a font to characters in a form that the PDF library can read.
//!
//! The library fails on characters of one byte, as some programs write them, and on ranges that begin with
//! several characters, such as a ligature. The former get a second byte; the latter become a list with the
//! characters of each code.

use std::collections::BTreeSet;

use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

/// Maximum codes of a range that becomes a list.
const CODES: u32 = 0x100;
/// Maximum codes of all ranges of a map; fonts have no more.
const ALL_CODES: u64 = 200_000;

/// Rewrites the maps of all fonts where that is necessary.
pub(crate) fn mend(document: &mut Document) {
    let map_of = |object: &Object| object.as_dict().ok()?.get(b"ToUnicode").ok()?.as_reference().ok();
    let maps: BTreeSet<ObjectId> = document.objects.values().filter_map(map_of).collect();
    for id in maps {
        let Some(Object::Stream(map)) = document.objects.get_mut(&id) else { continue };
        let Ok(content) = map.decompressed_content() else { continue };
        let content = String::from_utf8_lossy(&content);
        if codes(&content) > ALL_CODES {
            *map = Stream::new(Dictionary::new(), b"0 beginbfchar\nendbfchar\n".to_vec());
        } else if let Some(mended) = mended(&content) {
            *map = Stream::new(Dictionary::new(), mended.into_bytes());
        }
    }
}

/// The number of codes in the ranges of a map: the library stores each of them.
fn codes(map: &str) -> u64 {
    let mut all = 0_u64;
    for block in map.split("beginbfrange").skip(1) {
        let mut rest = &block[..block.find("endbfrange").unwrap_or(block.len())];
        while let Some((first, after)) = string(rest) {
            let Some((last, after)) = string(after) else { break };
            let number = |text: &str| u32::from_str_radix(text.trim(), 16).ok();
            if let (Some(first), Some(last)) = (number(first), number(last)) {
                all = all.saturating_add(u64::from(last.saturating_sub(first)) + 1);
            }
            rest = match string(after) {
                Some((_, after)) => after,
                None => after.split_once(']').map_or("", |(_, after)| after),
            };
        }
    }
    all
}

/// `None` if nothing has to change.
fn mended(map: &str) -> Option<String> {
    let characters = replaced(map, "beginbfchar", "endbfchar", character);
    let ranges = replaced(characters.as_deref().unwrap_or(map), "beginbfrange", "endbfrange", range);
    ranges.or(characters)
}

/// The new form of an entry if it changes, and what follows the entry; `None` at the end.
type Entry<'a> = Option<(Option<String>, &'a str)>;

fn replaced(map: &str, begin: &str, end: &str, entry: fn(&str) -> Entry<'_>) -> Option<String> {
    let mut out = String::new();
    let mut is_mended = false;
    let mut rest = map;
    while let Some(at) = rest.find(begin) {
        let (before, block) = rest.split_at(at + begin.len());
        out.push_str(before);
        let (mut entries, after) = block.split_at(block.find(end).unwrap_or(block.len()));
        while let Some((written, next)) = entry(entries) {
            is_mended |= written.is_some();
            let own = &entries[..entries.len() - next.len()];
            out.push_str(&written.map_or_else(|| own.to_string(), |written| format!("\n{written}")));
            entries = next;
        }
        out.push_str(entries);
        rest = after;
    }
    out.push_str(rest);
    is_mended.then_some(out)
}

/// `<code> <character>`
fn character(text: &str) -> Entry<'_> {
    let (code, rest) = string(text)?;
    let (target, rest) = string(rest)?;
    let units = units(target).filter(|units| units.len() != target.len());
    Some((units.map(|units| format!("<{code}> <{units}>")), rest))
}

/// `<first> <last> <character>` or `<first> <last> [<character> …]`
fn range(text: &str) -> Entry<'_> {
    let (first, rest) = string(text)?;
    let (last, rest) = string(rest)?;
    match string(rest) {
        Some((target, rest)) => Some((list(first, last, target), rest)),
        None => rest.split_once(']').map(|(_, rest)| (None, rest)),
    }
}

fn string(text: &str) -> Option<(&str, &str)> {
    text.trim_start().strip_prefix('<')?.split_once('>')
}

/// The digits of whole units of UTF-16.
fn units(target: &str) -> Option<String> {
    let digits: String = target.split_whitespace().collect();
    let width = digits.len().next_multiple_of(4);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| format!("{digits:0>width$}"))
}

/// The list of characters of a range, if the library cannot read the range itself: the last unit counts up.
fn list(first: &str, last: &str, target: &str) -> Option<String> {
    let number = |text: &str| u32::from_str_radix(text.trim(), 16).ok();
    let (from, to) = (number(first)?, number(last)?);
    let units = units(target)?;
    let is_known = units.len() == target.len() && units.len() <= 8;
    if is_known || to < from || to - from >= CODES {
        return None;
    }
    let (head, unit) = units.split_at(units.len() - 4);
    let unit = number(unit)?;
    let all = (0..=to - from).map(|step| format!("<{head}{:04X}>", (unit + step) & 0xFFFF));
    Some(format!("<{first}> <{last}> [{}]", all.collect::<Vec<_>>().join(" ")))
}

#[cfg(test)]
mod tests {
    use super::{codes, mended};

    #[test]
    fn codes_of_ranges_are_counted() {
        let ranges = |ranges: &str| format!("1 beginbfrange\n{ranges}\nendbfrange\nendcmap");
        for (given, count) in [
            ("<00> <FF> <0041>\n<01> <02> [<0041> <0042>]", 258),
            ("<00000000> <FFFFFFFF> <0041>", 1 << 32),
            ("<05> <01> <0041>", 1),
            ("<05", 0),
        ] {
            assert_eq!(codes(&ranges(given)), count, "{given}");
        }
    }

    #[test]
    fn what_the_library_does_not_know_is_written_otherwise() {
        let ranges = |ranges: &str| format!("1 beginbfrange\n{ranges}\nendbfrange\nendcmap");
        for (given, expected) in [
            ("<C5> <C7> <C5>", "<C5> <C7> [<00C5> <00C6> <00C7>]"),
            ("<01> <02> <0041>\n<1E> <1E> <006600660069>", "<01> <02> <0041>\n<1E> <1E> [<006600660069>]"),
            ("<01> <02> [<0041> <0042>]\n<D8><D8><D8>", "<01> <02> [<0041> <0042>]\n<D8> <D8> [<00D8>]"),
        ] {
            assert_eq!(mended(&ranges(given)), Some(ranges(expected)));
        }
        let characters = |to: &str| format!("2 beginbfchar\n<01> <0041>\n<C5> <{to}>\nendbfchar");
        assert_eq!(mended(&characters("C5")), Some(characters("00C5")));
        assert_eq!(mended(&characters("00660069")), None);
        for whole in
            ["<01> <02> <0041>", "<01> <01> <D83DDE00>", "<02> <01> <41>", "<01> <", "<0000> <FFFF> <41>"]
        {
            assert_eq!(mended(&ranges(whole)), None, "{whole}");
        }
    }
}
