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

    /// `name:kind` of every mention.
    fn shown(text: &str) -> Vec<String> {
        entities(text).iter().map(|mention| format!("{}:{}", mention.name, mention.kind.name())).collect()
    }

    #[track_caller]
    fn check(cases: &[(&str, &[&str])]) {
        for (text, expected) in cases {
            assert_eq!(shown(text), *expected, "{text}");
        }
    }

    #[test]
    fn signs_give_addresses_paths_and_code_away() {
        check(&[
            ("see https://example.org/a?b=1.", &["https://example.org/a?b=1:external"]),
            ("(see http://x.io/y), ok", &["http://x.io/y:external"]),
            ("edit ./cmd/root.go and src/text/mod.rs now", &["./cmd/root.go:file", "src/text/mod.rs:file"]),
            ("open Cargo.toml, then /etc/hosts", &["Cargo.toml:file", "/etc/hosts:file"]),
            ("ask @alice or bob@example.org", &["alice:person", "bob@example.org:person"]),
            ("call griot::recall with user_id", &["griot::recall:module", "user_id:concept"]),
            ("foo.bar_baz calls parse_time()", &["foo.bar_baz:concept", "parse_time:function"]),
            ("the HttpServer and fetchUser", &["HttpServer:concept", "fetchUser:concept"]),
            ("either and/or both, e.g. this", &[]),
        ]);
    }

    #[test]
    fn terms_of_the_trade_have_one_name() {
        check(&[
            ("moved from postgres to sqlite", &["PostgreSQL:tool", "SQLite:tool"]),
            ("k8s runs it with docker compose", &["Kubernetes:tool", "Docker Compose:tool"]),
            ("Go is fine, but we go with Rust", &["Rust:tool"]),
            ("we write Go and the rust is gone", &["Go:tool"]),
            ("written in C++ or C#", &["C++:tool", "C#:tool"]),
            ("Node.js and Next.js", &["Node.js:tool", "Next.js:tool"]),
            ("take a rest, react and express it", &[]),
        ]);
    }

    #[test]
    fn capitals_name_people_places_and_organisations() {
        check(&[
            ("Caroline's dog met Dr. Smith.", &["Caroline:person", "Smith:person"]),
            (
                "I met Alice and Bob Miller in Springfield.",
                &["Alice:person", "Bob Miller:person", "Springfield:location"],
            ),
            ("He studied at the University of Oxford", &["University of Oxford:org"]),
            (
                "She works for Acme Widgets Inc. in New York City.",
                &["Acme Widgets Inc:org", "New York City:location"],
            ),
            ("the Bank of England", &["Bank of England:org"]),
            (
                "Vincent van Gogh and J. R. R. Tolkien",
                &["Vincent van Gogh:person", "J. R. R. Tolkien:person"],
            ),
            ("the 2008 Summer Olympics in Beijing", &["2008 Summer Olympics:event", "Beijing:location"]),
            ("We crossed the Colorado River", &["Colorado River:location"]),
            ("Use the API via MCP", &["API:concept", "MCP:concept"]),
        ]);
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
    fn sentence_starts_are_no_names() {
        check(&[
            ("The build broke. Then we fixed it. Maybe.", &[]),
            ("When I asked, My friend said No. Yesterday was fine.", &[]),
            ("Hey Mel! Thanks! Wow, great.", &["Mel:person"]),
            ("Monday was in May. Running is fun.", &[]),
            ("WE ARE SHOUTING AT YOU NOW", &[]),
            ("Qdrantino is fast. We like Qdrantino.", &["Qdrantino:concept"]),
        ]);
    }

    #[test]
    fn dates_are_entities_in_normal_form() {
        check(&[
            ("on 8 May 2023 and May 2023", &["2023-05-08:date", "2023-05:date"]),
            ("2023-05-08, 1916-1920 and in 2023", &["2023-05-08:date", "1916-1920:date", "2023:date"]),
            ("it has 2000 users and costs $2010", &[]),
        ]);
    }

    #[test]
    fn quoted_titles_are_names() {
        check(&[
            ("she read \"The Tunnel of Love\" twice", &["The Tunnel of Love:concept"]),
            ("he said \"yes, I do.\" and “Fine,”", &[]),
            ("我读了《红楼梦》", &["红楼梦:concept"]),
        ]);
    }

    #[test]
    fn german_nouns_are_no_names() {
        check(&[
            ("Die Datenbank ist langsam und der Server auch", &[]),
            (
                "Wir haben mit Angela Merkel in Berlin über die Verwaltung der Daten gesprochen",
                &["Angela Merkel:person", "Berlin:location"],
            ),
        ]);
    }

    #[test]
    fn a_name_is_kept_once_and_nothing_overlaps() {
        let text = "Redis is here. redis again. Use Redis Labs Inc now, Redis.";
        let found = entities(text);
        assert_eq!(found.iter().filter(|mention| mention.name == "Redis").count(), 1);
        assert!(found.windows(2).all(|pair| pair[0].bytes.end <= pair[1].bytes.start));
    }
}
