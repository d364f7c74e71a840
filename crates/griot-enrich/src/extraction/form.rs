//! What a reply says about each passage, and replies as JSON.

use std::collections::BTreeSet;

use griot::model::{EntityType, Said, normal_name};
use serde_json::Value;

use crate::reply::{get, index, line, list_of, name as name_of, number, object, one_of, plain, words};

/// Entities and relations of one passage; more are dropped.
const MOST: usize = 300;
/// Characters of a description; the rest is cut.
const DESCRIPTION: usize = 400;
/// Characters of any other word.
pub(super) const WORD: usize = 120;
/// Keywords of a relation.
pub(super) const KEYWORDS: usize = 8;
/// Strength of a relation if the model gives none that can be read.
const USUAL_STRENGTH: u8 = 5;

/// What a reply says about each passage.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Extracted {
    /// In the order in which they were sent.
    pub passages: Vec<Vec<Said>>,
    /// Lines or entries that could not be read.
    pub skipped: u32,
    /// Numbers of the passages that the reply does not speak of, if several were sent.
    pub missing: BTreeSet<usize>,
}

impl Extracted {
    pub(super) fn of(passages: usize) -> Self {
        let missing = if passages > 1 { (1..=passages).collect() } else { BTreeSet::new() };
        Self { passages: vec![Vec::new(); passages], skipped: 0, missing }
    }

    pub fn is_empty(&self) -> bool {
        self.passages.iter().all(Vec::is_empty)
    }

    pub(super) fn names(&self, passage: usize) -> Vec<String> {
        self.passages.get(passage).map_or(Vec::new(), |said| super::names(said).cloned().collect())
    }

    /// Adds what another reply says about the same passages.
    pub fn add(&mut self, other: Self) {
        self.skipped += other.skipped;
        for (at, more) in other.passages.into_iter().enumerate() {
            more.into_iter().for_each(|said| self.put(Some(at), said));
        }
    }

    /// Adds a statement about a passage, at its position. A name or a relation that is there already keeps
    /// the longer description.
    pub(super) fn put(&mut self, passage: Option<usize>, said: Said) {
        let Some(statements) = passage.and_then(|passage| self.passages.get_mut(passage)) else {
            self.skipped += 1;
            return;
        };
        let Some(said) = bounded(said) else {
            self.skipped += 1;
            return;
        };
        let is_full = statements.len() >= MOST;
        match statements.iter_mut().find(|known| is_same(known, &said)) {
            Some(known) if description(known).len() < description(&said).len() => *known = said,
            Some(_) => {}
            None if is_full => self.skipped += 1,
            None => statements.push(said),
        }
    }
}

fn is_same(a: &Said, b: &Said) -> bool {
    match (a, b) {
        (Said::Entity { name, .. }, Said::Entity { name: other, .. }) => {
            normal_name(name) == normal_name(other)
        }
        (
            Said::Relation { source, target, kind, .. },
            Said::Relation { source: other_source, target: other_target, kind: other_kind, .. },
        ) => (source, target, kind) == (other_source, other_target, other_kind),
        _ => a == b,
    }
}

fn description(said: &Said) -> &str {
    match said {
        Said::Entity { description, .. } | Said::Relation { description, .. } => description,
        _ => "",
    }
}

/// The statement with words of bounded length; `None` if a name is empty or too long to be one.
fn bounded(said: Said) -> Option<Said> {
    Some(match said {
        Said::Entity { name, kind, description } => Said::Entity {
            name: name_of(&name, WORD)?,
            kind: kind_of(&kind),
            description: line(&description, DESCRIPTION),
        },
        Said::Relation { source, target, kind, description, keywords, strength } => Said::Relation {
            source: name_of(&source, WORD)?,
            target: name_of(&target, WORD)?,
            kind: name_of(&kind, WORD).unwrap_or_else(|| "related_to".to_string()),
            description: line(&description, DESCRIPTION),
            keywords: keywords.iter().filter_map(|one| name_of(one, WORD)).take(KEYWORDS).collect(),
            strength: strength.clamp(1, 10),
        },
        other => other,
    })
}

/// The name of the type as Griot has it; other words stay as they are.
fn kind_of(kind: &str) -> String {
    let kind = line(kind, WORD).to_lowercase();
    EntityType::meant(&kind).map_or(kind, |known| known.name().to_string())
}

/// Reads a reply as JSON: `passages` with their numbers, or the lists of a single passage.
pub(super) fn read(reply: &Value, passages: usize) -> Result<Extracted, String> {
    let mut found = Extracted::of(passages);
    match reply.get("passages").and_then(Value::as_array) {
        Some(list) => {
            for entry in list {
                read_lists(entry, &mut found);
            }
        }
        None if list(reply, ENTITIES).is_some() || list(reply, RELATIONS).is_some() => {
            read_lists(reply, &mut found);
        }
        None => return Err("it has no `passages`".to_string()),
    }
    Ok(found)
}

const ENTITIES: &[&str] = &["entities", "names", "nodes"];
const RELATIONS: &[&str] = &["relations", "relationships", "edges"];

fn list<'a>(entry: &'a Value, names: &[&str]) -> Option<&'a Vec<Value>> {
    names.iter().find_map(|name| entry.get(name)?.as_array())
}

fn read_lists(entry: &Value, found: &mut Extracted) {
    // Where only one passage was sent, lists need not say of which they are.
    let alone = (found.passages.len() == 1).then_some(1);
    let own = get(entry, &["number"]).map_or(alone, index);
    let passage = own.and_then(|own| own.checked_sub(1));
    found.missing.retain(|missing| Some(*missing) != own);
    let text = |one: &Value, names: &[&str]| {
        names.iter().find_map(|name| one.get(name)?.as_str()).map(str::to_string)
    };
    for one in list(entry, ENTITIES).into_iter().flatten() {
        match text(one, &["name", "entity"]) {
            Some(name) => {
                let kind = text(one, &["type", "kind"]).unwrap_or_default();
                let description = text(one, &["description"]).unwrap_or_default();
                found.put(passage, Said::Entity { name, kind, description });
            }
            None => found.skipped += 1,
        }
    }
    for one in list(entry, RELATIONS).into_iter().flatten() {
        let ends = (text(one, &["source", "from", "subject"]), text(one, &["target", "to", "object"]));
        let (Some(source), Some(target)) = ends else {
            found.skipped += 1;
            continue;
        };
        found.put(
            passage,
            Said::Relation {
                source,
                target,
                kind: text(one, &["type", "kind", "label", "relation"]).unwrap_or_default(),
                description: text(one, &["description"]).unwrap_or_default(),
                keywords: words(one.get("keywords"), KEYWORDS, WORD),
                strength: one.get("strength").and_then(number).map_or(USUAL_STRENGTH, strength),
            },
        );
    }
}

/// Of 1 to 10, whatever the model thinks the scale is.
pub(super) fn strength(number: f64) -> u8 {
    if number.is_nan() { USUAL_STRENGTH } else { number.round().clamp(1.0, 10.0) as u8 }
}

/// The form of a reply.
pub(super) fn schema(types: &[String], relations: &[String]) -> Value {
    let word = |words: &[String]| if words.is_empty() { plain("string") } else { one_of(words) };
    let entity =
        object(&[("description", plain("string")), ("name", plain("string")), ("type", word(types))]);
    let relation = object(&[
        ("description", plain("string")),
        ("keywords", list_of(plain("string"))),
        ("source", plain("string")),
        ("strength", plain("integer")),
        ("target", plain("string")),
        ("type", word(relations)),
    ]);
    let passage = object(&[
        ("entities", list_of(entity)),
        ("number", plain("integer")),
        ("relations", list_of(relation)),
    ]);
    object(&[("passages", list_of(passage))])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entity(name: &str) -> Value {
        json!({"name": name, "type": "Company", "description": "d"})
    }

    #[test]
    fn lists_without_a_number_are_of_the_only_passage() {
        let reply = json!({"passages": [
            {"number": 2, "entities": [entity("B")], "relations": []},
            {"number": "1", "entities": [entity("A"), entity(" a "), {"name": 7}], "relations": [
                {"source": "A", "target": "B", "type": "", "keywords": "x; y", "strength": "70"},
            ]},
            {"number": 9, "entities": [entity("lost")], "relations": []},
        ]});
        let found = read(&reply, 2).expect("it reads");
        assert_eq!((found.names(0), found.names(1)), (vec!["A".to_string()], vec!["B".to_string()]));
        assert_eq!(found.skipped, 2);
        let Some(Said::Relation { kind, keywords, strength, .. }) = found.passages[0].get(1) else {
            panic!("{found:?}");
        };
        assert_eq!((kind.as_str(), keywords.len(), *strength), ("related_to", 2, 10));
        assert!(found.missing.is_empty());
        let alone = read(&json!({"entities": [entity("A")]}), 1).expect("it reads");
        assert_eq!(alone.names(0), ["A"]);
        assert!(matches!(&alone.passages[0][0], Said::Entity { kind, .. } if kind == "org"));
        let second = read(&json!({"number": 2, "entities": [entity("B")]}), 2).expect("it reads");
        assert_eq!((second.names(0), second.names(1)), (vec![], vec!["B".to_string()]));
        assert_eq!(second.missing, [1].into());
        let nameless = read(&json!({"passages": [{"entities": [entity("A")]}]}), 2).expect("it reads");
        assert_eq!((nameless.is_empty(), nameless.skipped, nameless.missing.len()), (true, 1, 2));
        assert!(read(&json!({"answer": 3}), 1).is_err());
    }

    #[test]
    fn a_hostile_reply_is_bounded() {
        let many: Vec<Value> = (0..5000).map(|n| entity(&format!("name {n}"))).collect();
        let same: Vec<Value> = (0..5000).map(|_| entity("One")).collect();
        let long = [entity(&"x".repeat(10_000)), entity(""), entity("\"\u{0}\"")];
        let all: Vec<Value> = many.into_iter().chain(same).chain(long).collect();
        let found = read(&json!({"entities": all}), 1).expect("it reads");
        assert_eq!(found.passages[0].len(), MOST);
        assert!(found.skipped > 4000);
    }
}
