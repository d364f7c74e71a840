//! Finds the names of things in a text, by rules.
//!
//! There are four kinds of evidence: marks (addresses, paths, code, quotation marks), a dictionary of
//! technical terms, dates, and capitals. Where matches overlap, the longest wins. A wrong name costs little
//! (a node that nothing else mentions), a missing one much (a connection that is never found), so single
//! capitalised words count wherever the capital is not just grammar.

use std::sync::LazyLock;

use crate::model::EntityType;

use super::calendar::{date_at, is_year, year_range};
use super::capitals::Capitals;
use super::hanzi::chinese_names;
use super::layout::{prose, without_code, without_tables};
use super::marks::marked_names;
use super::mention::{EntityMention, EntityRule};
use super::names::capitalised_names;
use super::words::{KeyMap, KeySet, Phrases, Word, key, lines, words};

/// The names of a text in order, not overlapping; of a repeated name only the first occurrence.
pub fn entities(text: &str) -> Vec<EntityMention> {
    let readable = without_code(text);
    let readable_words = words(&readable);
    let prose = prose(text);
    // Most texts are all prose, and to split them costs a third of the whole.
    let other_words = (prose != readable).then(|| words(&prose));
    let capitals = Capitals::of(&prose, other_words.as_ref().unwrap_or(&readable_words));
    let other_capitals = other_words.as_ref().map(|_| Capitals::of(&readable, &readable_words));
    let mut found = Vec::new();
    marked_names(&without_tables(&readable), &mut found);
    dates(&readable, &readable_words, &mut found);
    dictionary_terms(other_capitals.as_ref().unwrap_or(&capitals), &mut found);
    capitalised_names(&capitals, &mut found);
    chinese_names(&prose, &mut found);
    let mut found = longest(found);
    join_persons(text, &mut found);
    agree(&mut found);
    without_parts(&mut found);
    first_of_each(found)
}

/// Keeps the longest of overlapping mentions; of two equally long ones, the one with the stronger rule.
fn longest(mut found: Vec<EntityMention>) -> Vec<EntityMention> {
    found.sort_by(|a, b| {
        a.bytes.start.cmp(&b.bytes.start).then(b.bytes.end.cmp(&a.bytes.end)).then(a.rule.cmp(&b.rule))
    });
    let mut kept: Vec<EntityMention> = Vec::with_capacity(found.len());
    for mention in found {
        match kept.last_mut() {
            Some(last) if mention.bytes.start < last.bytes.end => {
                if mention.bytes.len() > last.bytes.len() {
                    *last = mention;
                }
            }
            _ => kept.push(mention),
        }
    }
    kept
}

/// Gives every mention of a name the type that the surest of them has, and a part of a person's name the type
/// of the whole: "Byron" after "Ada Byron".
fn agree(found: &mut [EntityMention]) {
    let is_open = |one: &EntityMention| one.rule >= EntityRule::Quoted && one.kind == EntityType::Concept;
    let mut types: KeyMap<(EntityType, EntityRule)> = KeyMap::default();
    for one in found.iter().filter(|one| one.rule >= EntityRule::AllCaps && one.kind != EntityType::Concept) {
        let typed = types.entry(key(&one.name)).or_insert((one.kind, one.rule));
        if one.rule < typed.1 {
            *typed = (one.kind, one.rule);
        }
    }
    for one in found.iter().filter(|one| one.kind == EntityType::Person) {
        for part in one.name.split(' ').filter(|part| part.len() > 2) {
            types.entry(key(part)).or_insert((one.kind, one.rule));
        }
    }
    for one in found.iter_mut().filter(|one| is_open(one) || one.rule == EntityRule::Guessed) {
        if let Some((kind, rule)) = types.get(&key(&one.name)) {
            (one.kind, one.rule) = (*kind, (*rule).max(EntityRule::Capitalised));
        }
    }
}

/// A name beside a person's is a person too: "Rufina and Oskar Byron".
fn join_persons(text: &str, found: &mut [EntityMention]) {
    const JOINING: &[&str] = &[" and ", " und ", " et ", " y ", " e ", " & ", "和", "与"];
    let is_open = |one: &EntityMention| {
        one.rule == EntityRule::Capitalised && one.kind == EntityType::Concept && !one.name.contains(' ')
    };
    for at in 1..found.len() {
        let between = text.get(found[at - 1].bytes.end..found[at].bytes.start).unwrap_or_default();
        if !JOINING.contains(&between) {
            continue;
        }
        let is_person =
            |one: &EntityMention| one.kind == EntityType::Person && one.rule >= EntityRule::Capitalised;
        let open = match (is_person(&found[at - 1]), is_person(&found[at])) {
            (true, false) => at,
            (false, true) => at - 1,
            _ => continue,
        };
        if is_open(&found[open]) {
            (found[open].kind, found[open].rule) = (EntityType::Person, EntityRule::Guessed);
        }
    }
}

/// Drops a name that is the first or last word of one person's name in the same text: "Byron" after "Ada
/// Byron" is no second person.
fn without_parts(found: &mut Vec<EntityMention>) {
    let mut bearers: KeyMap<(u64, u32)> = KeyMap::default();
    for one in found.iter().filter(|one| one.kind == EntityType::Person && one.name.contains(' ')) {
        let whole = key(&one.name);
        let ends = [one.name.split(' ').next(), one.name.rsplit(' ').next()];
        for part in ends.into_iter().flatten() {
            let (bearer, count) = bearers.entry(key(part)).or_insert((whole, 0));
            *count += u32::from(*bearer != whole || *count == 0);
        }
    }
    found.retain(|one| {
        one.kind != EntityType::Person
            || one.name.contains(' ')
            || bearers.get(&key(&one.name)).is_none_or(|(_, count)| *count != 1)
    });
}

fn first_of_each(mut found: Vec<EntityMention>) -> Vec<EntityMention> {
    let mut seen = KeySet::default();
    found.retain(|mention| seen.insert(key(&mention.name)));
    found
}

struct Term {
    name: &'static str,
    kind: EntityType,
    /// The listed form, if its capitals are required.
    exact: Option<&'static str>,
}

struct Dictionary {
    terms: Phrases<Term>,
    /// `C++`, `C#`: a word followed by punctuation.
    signed: Vec<(&'static str, &'static str)>,
}

static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(|| {
    let mut signed = Vec::new();
    let mut terms = Vec::new();
    for line in lines(include_str!("../../data/tech_terms.tsv")) {
        let mut columns = line.split('\t');
        let (Some(listed), Some(kind)) = (columns.next(), columns.next().and_then(EntityType::parse)) else {
            continue;
        };
        let name = listed.trim_start_matches('=');
        let aliases = columns.next().into_iter().flat_map(|aliases| aliases.split('|'));
        for form in std::iter::once(listed).chain(aliases) {
            let plain = form.trim_start_matches('=');
            if plain.ends_with(['+', '#']) {
                signed.push((plain, name));
            } else {
                terms.push((plain, Term { name, kind, exact: (plain.len() < form.len()).then_some(plain) }));
            }
        }
    }
    Dictionary { terms: Phrases::new(terms), signed }
});

fn dictionary_terms(capitals: &Capitals, found: &mut Vec<EntityMention>) {
    let (text, words) = (capitals.text, capitals.words);
    let dictionary = &*DICTIONARY;
    let mut at = 0;
    while at < words.len() {
        let start = words[at].start;
        if words[at].end - start == 1 && words[at].upper {
            let rest = &text[start..];
            let signed = dictionary.signed.iter().find(|(form, _)| rest.starts_with(form));
            if let Some((form, name)) = signed {
                let (bytes, name) = (start..start + form.len(), (*name).to_string());
                found.push(EntityMention {
                    bytes,
                    name,
                    kind: EntityType::Tool,
                    rule: EntityRule::Dictionary,
                });
                at += 1;
                continue;
            }
        }
        let term = dictionary.terms.all_at(words, at).find(|(len, term)| {
            let end = words[at + len - 1].end;
            term.exact.is_none_or(|form| {
                // "Go on" at the start of a sentence is the verb.
                text[start..end].chars().zip(form.chars()).all(|(a, b)| a == b || !b.is_uppercase())
                    && !(capitals.starts_sentence(at) && capitals.is_everyday(&words[at]))
            })
        });
        match term {
            Some((len, term)) => {
                let bytes = start..words[at + len - 1].end;
                let name = term.name.to_string();
                found.push(EntityMention { bytes, name, kind: term.kind, rule: EntityRule::Dictionary });
                at += len;
            }
            None => at += 1,
        }
    }
}

fn dates(text: &str, words: &[Word], found: &mut Vec<EntityMention>) {
    let mut at = 0;
    while at < words.len() {
        let Some((len, date)) = date_at(text, words, at) else {
            at += 1;
            continue;
        };
        let is_bare_year = date.month.is_none();
        if is_bare_year && let Some((len, from, to)) = year_range(text, words, at) {
            push_date(words, at, len, format!("{from}-{to}"), found);
            at += len;
            continue;
        }
        if (!is_bare_year || is_year(text, words, at))
            && let Some(name) = date.normal_name()
        {
            push_date(words, at, len, name, found);
        }
        at += len;
    }
}

fn push_date(words: &[Word], at: usize, len: usize, name: String, found: &mut Vec<EntityMention>) {
    let bytes = words[at].start..words[at + len - 1].end;
    found.push(EntityMention { bytes, name, kind: EntityType::Date, rule: EntityRule::Date });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    /// `name:kind` of every mention.
    fn shown(text: &str) -> Vec<String> {
        entities(text).iter().map(|mention| format!("{}:{}", mention.name, mention.kind.name())).collect()
    }

    #[test]
    fn names_are_found_with_their_types() {
        check(include_str!("../../tests/cases/entities.tsv"), |text| shown(text).join(" | "));
    }

    #[test]
    fn what_carries_an_article_is_no_person() {
        let kinds = |text: &str| -> Vec<&str> { entities(text).iter().map(|one| one.kind.name()).collect() };
        for text in [
            // Software.
            "The Payment Gateway depends on our own cache.",
            "We moved the Token Issuer behind the Rate Limiter.",
            "Nobody owns the Billing Engine, and each Refund Engine is somebody else's.",
            "Our Login Flow broke after the upgrade; your Cache Layer did not.",
            // Factories, kitchens, hospitals, law, ships.
            "The Stamping Press worked all night.",
            "A Dough Mixer costs more than the Proving Cabinet.",
            "Every Infusion Pump said nothing; the Ward Roster decided.",
            "Under the Tenancy Clause they moved out.",
        ] {
            assert!(!kinds(text).contains(&"person"), "{text}: {:?}", shown(text));
        }
        assert!(!kinds("Payment Gateway is down. Restart the gateway.").contains(&"person"));
        for (text, name) in [
            ("We asked Dr Jane Doe about it.", "Jane Doe"),
            ("The report is by Tunde Okafor.", "Tunde Okafor"),
            ("She said that Oluwaseun Adebayo left.", "Oluwaseun Adebayo"),
            ("Oduya Makinde suggested mint.", "Oduya Makinde"),
            ("die Angela Merkel von damals", "Angela Merkel"),
            ("We met the Maria Callas of our time.", "Maria Callas"),
        ] {
            let found = entities(text).into_iter().find(|one| one.name == name);
            assert_eq!(found.map(|one| one.kind.name()), Some("person"), "{text}: {:?}", shown(text));
        }
        // The words around it do not show whether "the late" is a person; the name is found all the same.
        assert!(shown("the late Ada Lovelace").iter().any(|name| name.starts_with("Ada Lovelace:")));
    }

    #[test]
    fn a_name_is_kept_once_and_nothing_overlaps() {
        let text = "Redis is here. redis again. Use Redis Labs Inc now, Redis.";
        let found = entities(text);
        assert_eq!(found.iter().filter(|mention| mention.name == "Redis").count(), 1);
        assert!(found.windows(2).all(|pair| pair[0].bytes.end <= pair[1].bytes.start));
    }
}
