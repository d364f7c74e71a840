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
use super::marks::marked_names;
use super::mention::{EntityMention, EntityRule};
use super::names::capitalised_names;
use super::words::{KeySet, Phrases, Word, key, lines, words};

/// The names of a text in order, not overlapping; of a repeated name only the first occurrence.
pub fn entities(text: &str) -> Vec<EntityMention> {
    let words = words(text);
    let capitals = Capitals::of(text, &words);
    let mut found = Vec::new();
    marked_names(text, &mut found);
    dates(text, &words, &mut found);
    dictionary_terms(text, &words, &capitals, &mut found);
    capitalised_names(&capitals, &mut found);
    first_of_each(longest(found))
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

fn dictionary_terms(text: &str, words: &[Word], capitals: &Capitals, found: &mut Vec<EntityMention>) {
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
