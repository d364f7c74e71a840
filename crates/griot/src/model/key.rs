//! What tells one entity from all others of its type: its key, and the canonical id that follows from type
//! and key.
//!
//! A workspace holds each pair of type and key once, hidden entities too, for ever. Names of code, paths and
//! plans are *spelled*: every sign counts, so `Get` and `get` are two functions. All other names are
//! *folded*: case, compatibility forms, and how words are joined (`Auth Service`, `auth-service`) do not
//! count, nor do enclosing quotes and the punctuation that ends a sentence (`Ops!`). Signs that tell things
//! apart stay: C, C++, C#, .NET, AT&T.

use unicode_normalization::UnicodeNormalization;

use super::{Entity, EntityType};

impl EntityType {
    /// How names of this type are compared. A type that is not listed folds.
    pub const fn is_spelled(self) -> bool {
        matches!(
            self,
            Self::File
                | Self::Module
                | Self::Function
                | Self::Type
                | Self::External
                | Self::Repo
                | Self::Goal
                | Self::Task
        )
    }
}

impl Entity {
    /// `type:key`, unique in a workspace.
    pub fn canonical_id(&self) -> String {
        canonical_id(self.kind, &self.key)
    }

    /// The key follows from the name: no caller gave it.
    pub fn is_keyed_by_name(&self) -> bool {
        self.key == entity_key(self.kind, &self.name)
    }

    /// The key that the entity would have with another type.
    pub fn key_as(&self, kind: EntityType) -> String {
        entity_key(kind, if self.is_keyed_by_name() { &self.name } else { &self.key })
    }

    /// A name that is spelled means this entity only if every sign of it does: as name, key, or former id.
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

/// The key that a name, or a qualified name such as `crate::module::Type::method`, has among entities of a
/// type.
pub fn entity_key(kind: EntityType, name: &str) -> String {
    if kind.is_spelled() { spelled_name(name) } else { normal_name(name) }
}

/// A name as it is written: composed forms, without white space around it.
pub fn spelled_name(name: &str) -> String {
    name.trim().nfc().collect()
}

/// `type:key`. No two keys of a type have the same id: the spaces of a folded key are written as `-`, which
/// it does not hold. One of nothing but signs that would fold away is written as it is.
pub fn canonical_id(kind: EntityType, key: &str) -> String {
    let is_folded = !kind.is_spelled() && !bare(key).is_empty();
    if is_folded {
        format!("{}:{}", kind.name(), key.replace(' ', "-"))
    } else {
        format!("{}:{key}", kind.name())
    }
}

/// A name as names are compared: NFKC, case folded, runs of white space, hyphens and underscores as one
/// space, without enclosing quotes and the punctuation that ends a sentence. Of a name that is nothing else
/// only case and white space fold.
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
    // Lower-casing can make new combinations, so NFKC comes last.
    lower.nfkc().collect()
}

/// White space, hyphens and dashes, underscores: how words are joined.
fn is_joint(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Without enclosing quotes, joints, and punctuation at the end, however they are nested.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use EntityType::{Concept, File, Function, Tool};

    #[test]
    fn names_that_differ_in_how_they_are_written_are_one_thing() {
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
    fn signs_that_tell_things_apart_stay() {
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
    fn where_spelling_counts_every_sign_does() {
        let names = [
            "operator+",
            "operator-",
            "Get",
            "get",
            "next",
            "__next__",
            "/boot",
            "boot/",
            "src/a_b.rs",
            "src/a/b.rs",
        ];
        for (at, one) in names.iter().enumerate() {
            for other in &names[at + 1..] {
                assert_ne!(entity_key(Function, one), entity_key(Function, other), "{one} | {other}");
            }
        }
        assert_eq!(canonical_id(File, &entity_key(File, " src/a_b.rs ")), "file:src/a_b.rs");
        assert_eq!(entity_key(File, "cafe\u{301}"), entity_key(File, "café"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

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
