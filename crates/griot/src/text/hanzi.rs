//! Finds names in Chinese text, and tells from the characters around it what a Latin name in it is.
//!
//! A person is a listed surname with one or two more characters that a role, a verb or a grammatical
//! character encloses. An organisation or a place ends in a word that says so and begins behind a grammatical
//! character. What these rules do not enclose is not named: a missing name is better than a piece of a word.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::model::EntityType;

use super::mention::{EntityMention, EntityRule};
use super::words::{is_ideograph, lines};

/// A list of words with the length of the longest, in characters.
#[derive(Default)]
struct List {
    words: HashSet<&'static str>,
    longest: usize,
}

impl List {
    fn of(label: &str) -> Self {
        let mut list = Self::default();
        let own = |line: &'static str| line.strip_prefix(label)?.strip_prefix(' ');
        for word in lines(include_str!("../../data/chinese_names.txt"))
            .filter_map(own)
            .flat_map(str::split_whitespace)
        {
            list.longest = list.longest.max(word.chars().count());
            list.words.insert(word);
        }
        list
    }

    /// The longest listed word at the front, in bytes.
    fn at_front(&self, text: &str) -> Option<usize> {
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(self.longest);
        ends.filter(|end| self.words.contains(&text[..*end])).last()
    }

    /// The longest listed word at the end, in bytes.
    fn at_end(&self, text: &str) -> Option<usize> {
        let starts = text.char_indices().rev().map(|(at, _)| at).take(self.longest);
        starts.filter(|start| self.words.contains(&text[*start..])).last().map(|start| text.len() - start)
    }
}

struct Lists {
    surname: List,
    /// Surnames that are everyday characters too.
    doubtful: List,
    not_given: List,
    role: List,
    address: List,
    verb: List,
    before: List,
    after: List,
    org: List,
    place_end: List,
    place: List,
    boundary: List,
    generic: List,
    thing: List,
    placed: List,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    surname: List::of("SURNAME"),
    doubtful: List::of("DOUBTFUL"),
    not_given: List::of("NOT_GIVEN"),
    role: List::of("ROLE"),
    address: List::of("ADDRESS"),
    verb: List::of("VERB"),
    before: List::of("BEFORE"),
    after: List::of("AFTER"),
    org: List::of("ORG"),
    place_end: List::of("PLACE_END"),
    place: List::of("PLACE"),
    boundary: List::of("BOUNDARY"),
    generic: List::of("GENERIC"),
    thing: List::of("THING"),
    placed: List::of("PLACED"),
});

impl Lists {
    /// The length of the words that end an organisation at the front: "科技公司" as well as "公司".
    fn org_len(&self, text: &str) -> Option<usize> {
        let mut len = self.org.at_front(text)?;
        while let Some(more) = self.org.at_front(&text[len..]) {
            len += more;
        }
        Some(len)
    }
}

/// Characters of an organisation or place before the word that ends it.
const LONGEST_PREFIX: usize = 8;

/// The names of the runs of Chinese characters in a text.
pub(super) fn chinese_names(text: &str, found: &mut Vec<EntityMention>) {
    if text.is_ascii() {
        return;
    }
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_han = is_ideograph(c) && !matches!(c as u32, 0x3041..=0x30FF | 0xFF66..=0xFF9D);
        match (start, is_han) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                run_names(text, first..at, found);
                start = None;
            }
            _ => {}
        }
    }
}

fn run_names(text: &str, run: Range<usize>, found: &mut Vec<EntityMention>) {
    let lists = &*LISTS;
    let mut at = run.start;
    // The end of the last name: nothing reaches back into it.
    let mut free = run.start;
    while at < run.end {
        let rest = &text[at..run.end];
        let next = at + rest.chars().next().map_or(1, char::len_utf8);
        if let Some(len) = lists.org_len(rest)
            && let Some(start) = prefix_start(text, free..at, &lists.org)
        {
            push(text, start..at + len, EntityType::Org, found);
            (at, free) = (at + len, at + len);
            continue;
        }
        if let Some(len) = lists.place.at_front(rest) {
            let end = at + len;
            let ending = lists.place_end.at_front(&text[end..run.end]).unwrap_or(0);
            // The place may begin the name of an organisation.
            if !begins_org(&text[end..run.end]) {
                push(text, at..end + ending, EntityType::Location, found);
                (at, free) = (end + ending, end + ending);
                continue;
            }
        }
        if let Some(len) = person(text, at, free, run.end) {
            push(text, at..at + len, EntityType::Person, found);
            (at, free) = (at + len, at + len);
            continue;
        }
        if let Some(len) = lists.place_end.at_front(rest)
            && let Some(start) = prefix_start(text, free..at, &lists.place_end)
            && (1..=4).contains(&text[start..at].chars().count())
            && is_enclosed_place(text, start, at + len, &run)
        {
            push(text, start..at + len, EntityType::Location, found);
            (at, free) = (at + len, at + len);
            continue;
        }
        at = next;
    }
}

fn push(text: &str, bytes: Range<usize>, kind: EntityType, found: &mut Vec<EntityMention>) {
    let name = text[bytes.clone()].to_string();
    found.push(EntityMention { bytes, name, kind, rule: EntityRule::Capitalised });
}

/// Whether an organisation word comes within a few characters, with nothing grammatical between.
fn begins_org(rest: &str) -> bool {
    let lists = &*LISTS;
    for (count, (at, _)) in rest.char_indices().enumerate() {
        if count > LONGEST_PREFIX || lists.boundary.at_front(&rest[at..]).is_some() {
            return false;
        }
        if lists.org.at_front(&rest[at..]).is_some() {
            return true;
        }
    }
    false
}

/// Where a name begins that ends in a listed word: behind the last grammatical character before it. `None`
/// if nothing of its own is between.
fn prefix_start(text: &str, before: Range<usize>, ends: &List) -> Option<usize> {
    let lists = &*LISTS;
    let mut start = before.end;
    for (at, _) in text[before.clone()].char_indices().rev().take(LONGEST_PREFIX) {
        let from = before.start + at;
        if lists.boundary.at_end(&text[before.start..start]).is_some() {
            break;
        }
        start = from;
    }
    if let Some(len) = lists.role.at_front(&text[start..before.end]) {
        start += len;
    }
    if start == before.end {
        start = around_boundary(text, &before)?;
    }
    // Words that stand before any of its kind are no name: "软件公司", "山区".
    let mut own = &text[start..before.end];
    let is_single = own.chars().count() == 1;
    while let Some(len) =
        lists.generic.at_front(own).or_else(|| ends.at_front(own)).filter(|len| is_single || *len > 3)
    {
        own = &own[len..];
    }
    (own.chars().count() >= 2 || (own.chars().count() == 1 && own.len() < text[start..before.end].len()))
        .then_some(start)
}

/// A name of two characters whose second is grammatical elsewhere: "仁和" before "医院".
fn around_boundary(text: &str, before: &Range<usize>) -> Option<usize> {
    let lists = &*LISTS;
    let own = &text[before.clone()];
    let (at, first) = own.char_indices().rev().nth(1)?;
    let is_open = lists.boundary.at_end(&own[..at]).is_some() || at == 0;
    let alone = &own[at..at + first.len_utf8()];
    (is_open && lists.boundary.at_end(alone).is_none() && lists.not_given.at_end(alone).is_none())
        .then_some(before.start + at)
}

fn is_enclosed_place(text: &str, start: usize, end: usize, run: &Range<usize>) -> bool {
    let lists = &*LISTS;
    let before = &text[run.start..start];
    let is_placed = lists.placed.at_end(before).is_some();
    let rest = &text[end..run.end];
    let closes = rest.is_empty()
        || lists.after.at_front(rest).is_some()
        || lists.boundary.at_front(rest).is_some()
        || lists.verb.at_front(rest).is_some();
    closes && (is_placed || (before.is_empty() && text[start..end].chars().count() >= 3))
}

/// The length in bytes of the name of a person that begins at `at`.
fn person(text: &str, at: usize, free: usize, end: usize) -> Option<usize> {
    let lists = &*LISTS;
    let rest = &text[at..end];
    let before = &text[free..at];
    // "小王", "老李".
    if let Some(pet) = rest.strip_prefix('小').or_else(|| rest.strip_prefix('老'))
        && let Some(len) = lists.surname.at_front(pet).filter(|len| *len == 3)
        && (before.is_empty()
            || lists.before.at_end(before).is_some()
            || lists.boundary.at_end(before).is_some())
    {
        let after = &pet[len..];
        let acts = lists.verb.at_front(after).is_some() || lists.after.at_front(after).is_some();
        return (acts || after.is_empty()).then_some(3 + len);
    }
    let surname = lists.surname.at_front(rest)?;
    let is_doubtful = lists.doubtful.words.contains(&rest[..surname]);
    let role_before = lists.role.at_end(before).is_some();
    let cue_before = role_before || lists.before.at_end(before).is_some();
    let open_before = before.is_empty() || lists.boundary.at_end(before).is_some();
    if !cue_before && !open_before {
        return None;
    }
    // "王经理", "李老师": a form of address right behind the surname.
    if let Some(len) = lists.address.at_front(&rest[surname..])
        && !is_doubtful
    {
        return Some(surname + len);
    }
    let mut ends = rest[surname..].char_indices().map(|(at, c)| surname + at + c.len_utf8());
    let lengths = [ends.next(), ends.next()];
    for len in lengths.into_iter().rev().flatten() {
        let given = &rest[surname..len];
        if given.char_indices().any(|(at, c)| lists.not_given.words.contains(&given[at..at + c.len_utf8()])) {
            continue;
        }
        // "白云小学" is no person called 白云小.
        let last = given.char_indices().next_back().map_or(0, |(at, _)| at);
        if lists.org.at_front(&rest[surname + last..]).is_some() {
            continue;
        }
        let after = &rest[len..];
        let strong_after = lists.verb.at_front(after).is_some() || lists.address.at_front(after).is_some();
        let open_after = after.is_empty() || lists.after.at_front(after).is_some();
        let full = given.chars().count() == 2;
        let is_name = match (strong_after, open_after) {
            (true, _) => full || !is_doubtful || cue_before,
            (_, true) => {
                role_before || (cue_before && (full || !is_doubtful)) || (full && !is_doubtful && open_before)
            }
            _ => role_before && full && !is_doubtful,
        };
        if is_name {
            return Some(len);
        }
    }
    None
}

/// The type that the characters around a Latin name give it, and whether that is a guess.
pub(super) fn kind_around(
    text: &str,
    bytes: &Range<usize>,
    words: usize,
    is_common: bool,
) -> Option<(EntityType, bool)> {
    let lists = &*LISTS;
    let before = text[..bytes.start].trim_end_matches(' ');
    let after = text[bytes.end..].trim_start_matches(' ');
    if lists.org.at_front(after).is_some() {
        return Some((EntityType::Org, false));
    }
    if lists.thing.at_front(after).is_some() {
        return Some((EntityType::Concept, false));
    }
    if lists.place_end.at_front(after).is_some() && !is_common {
        return Some((EntityType::Location, false));
    }
    if is_common || words > 3 {
        return None;
    }
    if lists.role.at_end(before).is_some() {
        return Some((EntityType::Person, false));
    }
    if lists.verb.at_front(after).is_some() || lists.address.at_front(after).is_some() {
        return Some((EntityType::Person, false));
    }
    if lists.placed.at_end(before).is_some() && !after.starts_with('上') {
        return Some((EntityType::Location, false));
    }
    let is_owner = after.starts_with('的') || lists.before.at_end(before).is_some();
    (is_owner && words <= 2).then_some((EntityType::Person, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut found = Vec::new();
        chinese_names(text, &mut found);
        found.iter().map(|one| format!("{}:{}", one.name, one.kind.name())).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_are_enclosed_by_what_stands_around_them() {
        for (text, expected) in [
            ("工程师李建国说服务器坏了。", "李建国:person"),
            ("王芳建议我们搬到杭州。", "王芳:person 杭州:location"),
            ("昨天张伟和刘洋在上海见面", "张伟:person 刘洋:person 上海:location"),
            ("我们公司很大", ""),
            ("数据库很慢，需要优化", ""),
            ("她在清源大学工作", "清源大学:org"),
            ("合同由宏远建筑公司签署", "宏远建筑公司:org"),
            ("王经理同意了", "王经理:person"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
