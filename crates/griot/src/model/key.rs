//! The key that distinguishes an entity from all others of its type, and the canonical id made of type and
//! key.
//!
//! Each pair of type and key exists once in a workspace, including hidden entities. Names of code, paths and
//! plans are *spelled*: every character counts, so `Get` and `get` are two functions. All other names are
//! *folded*: case, compatibility forms, and the characters that join words (`Auth Service`, `auth-service`)
//! do not count, nor do enclosing quotes and the punctuation at the end of a sentence (`Ops!`). Characters
//! that distinguish names stay: C, C++, C#, .NET, AT&T.

use unicode_normalization::UnicodeNormalization;

use super::{Entity, EntityType};

impl EntityType {
    /// The type that a word means: its name, or a usual word for it such as "organization".
    pub fn meant(word: &str) -> Option<Self> {
        Some(match word {
            "organization" | "organisation" | "company" | "institution" | "team" | "group" => Self::Org,
            "place" | "geo" | "city" | "country" | "loc" | "region" => Self::Location,
            "human" | "people" | "per" | "character" => Self::Person,
            "software" | "product" | "technology" | "library" | "service" => Self::Tool,
            "project" | "repository" => Self::Repo,
            "time" | "year" => Self::Date,
            "document" => Self::File,
            _ => return Self::parse(word),
        })
    }

    /// Whether names of this type are spelled; all other types fold.
    pub const fn is_spelled(self) -> bool {
        use EntityType::{External, File, Function, Goal, Module, Repo, Task, Type};
        matches!(self, File | Module | Function | Type | External | Repo | Goal | Task)
    }
}

impl Entity {
    /// `type:key`, unique in a workspace.
    pub fn canonical_id(&self) -> String {
        canonical_id(self.kind, &self.key)
    }

    /// Whether this is one of its names, however it is written.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.aliases.contains(&normal_name(name))
    }

    /// Whether the key is derived from the name, not given by a caller.
    pub fn is_keyed_by_name(&self) -> bool {
        self.key == entity_key(self.kind, &self.name)
    }

    /// The key that the entity would have with another type.
    pub fn key_as(&self, kind: EntityType) -> String {
        entity_key(kind, if self.is_keyed_by_name() { &self.name } else { &self.key })
    }

    /// Whether a spelled name matches this entity exactly: as name, key, or former id.
    pub fn is_spelled_so(&self, name: &str) -> bool {
        let name = spelled_name(name);
        let former = |alias: &String| {
            let id = alias.split_once(':');
            id.is_some_and(|(kind, key)| {
                key == name && EntityType::parse(kind).is_some_and(EntityType::is_spelled)
            })
        };
        spelled_name(&self.name) == name || self.key == name || self.aliases.iter().any(former)
    }
}

/// The key of a name, or of a qualified name such as `crate::module::Type::method`, among entities of a type.
pub fn entity_key(kind: EntityType, name: &str) -> String {
    if kind.is_spelled() { spelled_name(name) } else { normal_name(name) }
}

/// A name as written: composed forms, without white space around it.
pub fn spelled_name(name: &str) -> String {
    name.trim().nfc().collect()
}

/// `type:key`, unique by type and key: the spaces of a folded key are written as `-`, which it cannot
/// contain. A key consisting only of characters that would fold away is written unchanged.
pub fn canonical_id(kind: EntityType, key: &str) -> String {
    let is_folded = !kind.is_spelled() && !bare(key).is_empty();
    if is_folded {
        format!("{}:{}", kind.name(), key.replace(' ', "-"))
    } else {
        format!("{}:{key}", kind.name())
    }
}

/// The form in which names are compared: NFKC, case folded, runs of white space, hyphens and underscores as
/// one space, without enclosing quotes and the punctuation at the end of a sentence. If nothing else would be
/// left, only case and white space fold.
pub fn normal_name(name: &str) -> String {
    let cased = cased(name);
    let mut words = String::with_capacity(cased.len());
    let mut is_gap = false;
    for c in bare(&cased).chars() {
        if is_joint(c) {
            is_gap = true;
            continue;
        }
        if is_gap && !words.is_empty() {
            words.push(' ');
        }
        is_gap = false;
        words.push(c);
    }
    if words.is_empty() { cased.split_whitespace().collect::<Vec<_>>().join(" ") } else { words }
}

fn cased(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let mut lower = String::with_capacity(name.len());
    for c in name.nfkc().flat_map(char::to_lowercase) {
        match c {
            'ß' => lower.push_str("ss"),
            'ς' => lower.push('σ'),
            c => lower.push(c),
        }
    }
    // Lower-casing can create new combinations, so NFKC comes last.
    lower.nfkc().collect()
}

/// Whether a character joins words: white space, hyphens and dashes, underscores.
fn is_joint(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Strips enclosing quotes, joints, and punctuation at the end, in any nesting.
fn bare(name: &str) -> &str {
    const QUOTES: [(char, char); 9] = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('“', '”'),
        ('„', '“'),
        ('‘', '’'),
        ('«', '»'),
        ('「', '」'),
        ('《', '》'),
    ];
    let ends_sentence = |c: char| matches!(c, '!' | '?' | '.' | ',' | ';' | ':' | '|' | '。' | '、');
    let mut name = name;
    loop {
        let before = name.len();
        name = name.trim_matches(is_joint).trim_end_matches(ends_sentence);
        for (open, close) in QUOTES {
            if let Some(inner) = name.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
                name = inner;
            }
        }
        if name.len() == before {
            return name;
        }
    }
}

/// Splits the canonical id of an entity, `type:key`, also as part of `workspace:type:key`.
pub fn split_canonical_id(name: &str) -> Option<(EntityType, &str)> {
    let (first, rest) = name.split_once(':')?;
    if let Some(kind) = EntityType::parse(first) {
        return Some((kind, rest));
    }
    let (second, rest) = rest.split_once(':')?;
    Some((EntityType::parse(second)?, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use EntityType::{Concept, File, Function, Tool};

    #[test]
    fn different_forms_of_a_name_are_one_thing() {
        for (one, other) in [
            ("Auth Service", "auth-service"),
            ("auth_service", "AUTH  SERVICE"),
            ("Ops", "Ops!"),
            ("Ops |", "\"Ops\""),
            ("“The Trial”", "the trial?"),
            ("Straße", "STRASSE"),
            ("Café", "cafe\u{301}"),
            ("Acme Inc.", "acme inc"),
            ("1916–1920", "1916-1920"),
        ] {
            assert_eq!(entity_key(Concept, one), entity_key(Concept, other), "{one} | {other}");
        }
    }

    #[test]
    fn distinguishing_characters_stay() {
        let names = [
            "C", "C++", "C#", ".NET", "net", "AT&T", "ATT", "a/b", "ab", "node.js", "nodejs", "!", "-", "--",
        ];
        for (at, one) in names.iter().enumerate() {
            for other in &names[at + 1..] {
                assert_ne!(entity_key(Concept, one), entity_key(Concept, other), "{one} | {other}");
            }
        }
        assert_eq!(canonical_id(Tool, &entity_key(Tool, "C++")), "tool:c++");
        assert_eq!(canonical_id(Concept, &entity_key(Concept, "Auth Service")), "concept:auth-service");
    }

    #[test]
    fn every_character_of_a_spelled_name_counts() {
        let names = "operator+ operator- Get get next __next__ /boot boot/ src/a_b.rs src/a/b.rs";
        let names: Vec<&str> = names.split(' ').collect();
        for (at, one) in names.iter().enumerate() {
            for other in &names[at + 1..] {
                assert_ne!(entity_key(Function, one), entity_key(Function, other), "{one} | {other}");
            }
        }
        assert_eq!(canonical_id(File, &entity_key(File, " src/a_b.rs ")), "file:src/a_b.rs");
        assert_eq!(entity_key(File, "cafe\u{301}"), entity_key(File, "café"));
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 512,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn a_normal_name_is_normal(name in "[-_ a-cA-C!?.\"'+#ßİ\u{301}|“”]{0,10}|\\PC{0,8}") {
            let normal = normal_name(&name);
            prop_assert_eq!(normal_name(&normal), normal);
        }

        #[test]
        fn ids_differ_where_keys_do(one in "[-_ a-b!?.\"'+#|]{0,5}", other in "[-_ a-b!?.\"'+#|]{0,5}") {
            for kind in [Concept, Function] {
                let (one, other) = (entity_key(kind, &one), entity_key(kind, &other));
                prop_assert_eq!(canonical_id(kind, &one) == canonical_id(kind, &other), one == other);
            }
        }
    }
}
