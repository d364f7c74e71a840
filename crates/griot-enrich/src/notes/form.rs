//! Replies about notes, links and what changes in earlier notes.

use griot::model::{EdgeKind, Said};
use serde_json::Value;

use crate::reply::{
    confidence, get, index, is_empty_list, line, list_of, listed, object, one_of, plain, value_of, words,
};

/// Keywords of a note; more are dropped.
const KEYWORDS: usize = 12;
/// Tags of a note.
const TAGS: usize = 8;
/// Characters of a keyword or tag; a longer one is dropped.
const WORD: usize = 60;
/// Characters of a context; the rest is cut.
const CONTEXT: usize = 500;
/// Characters of a reason; the rest is cut.
const REASON: usize = 400;

/// What is noted of a memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    pub keywords: Vec<String>,
    pub tags: Vec<String>,
    pub context: String,
}

impl Note {
    fn of(keywords: Option<&Value>, tags: Option<&Value>, context: Option<&Value>) -> Option<Self> {
        let tags = words(tags, TAGS, WORD).into_iter().map(|tag| tag_of(&tag)).filter(|tag| !tag.is_empty());
        let note = Self {
            keywords: words(keywords, KEYWORDS, WORD),
            tags: tags.collect(),
            context: line(context.and_then(Value::as_str).unwrap_or_default(), CONTEXT),
        };
        (!note.keywords.is_empty() || !note.context.is_empty()).then_some(note)
    }

    pub(super) fn said(self) -> Vec<Said> {
        vec![Said::Keywords(self.keywords), Said::Tags(self.tags), Said::Context(self.context)]
    }
}

/// Lower-case words joined by hyphens.
fn tag_of(tag: &str) -> String {
    let words = tag.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// A connection with the neighbour at a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    pub neighbour: usize,
    pub kind: EdgeKind,
    /// 0 to 1.
    pub confidence: f32,
    pub reason: String,
}

/// What a reply says about neighbours, each at most once, and how many entries could not be read.
#[derive(Clone, PartialEq, Debug)]
pub struct AboutNeighbours<T> {
    pub found: Vec<T>,
    pub skipped: u32,
}

impl<T> AboutNeighbours<T> {
    const NONE: Self = Self { found: Vec::new(), skipped: 0 };

    /// An error if there were entries, and none of them could be read.
    fn understood(self, entries: &[Value]) -> Result<Self, String> {
        match !entries.is_empty() && self.skipped as usize == entries.len() {
            true => Err("no entry of its list is about a neighbour".to_string()),
            false => Ok(self),
        }
    }
}

/// Reads a note: an object, or a text with one.
pub fn read_note(reply: &Value) -> Result<Note, String> {
    value_of(reply, |value| {
        let note = Note::of(value.get("keywords"), value.get("tags"), value.get("context"));
        note.ok_or_else(|| "it has neither `keywords` nor `context`".to_string())
    })
}

/// Reads links with `neighbours` memories: an object with `links`, a list, or a text with one of them.
pub fn read_links(reply: &Value, neighbours: usize) -> Result<AboutNeighbours<Link>, String> {
    if is_empty_list(reply) {
        return Ok(AboutNeighbours::NONE);
    }
    value_of(reply, |value| {
        let list = listed(value, "links").ok_or("it has no `links`")?;
        let mut seen = Vec::new();
        let mut links = AboutNeighbours::NONE;
        for entry in list {
            match link(entry, neighbours, &mut seen) {
                Some(Some(link)) => links.found.push(link),
                Some(None) => {}
                None => links.skipped += 1,
            }
        }
        links.understood(list)
    })
}

/// `None` if the entry cannot be read; `Some(None)` if it says that nothing connects the two.
fn link(entry: &Value, neighbours: usize, seen: &mut Vec<usize>) -> Option<Option<Link>> {
    let neighbour = neighbour_of(entry, neighbours, seen)?;
    let kind = match line(entry.get("type")?.as_str()?, WORD).to_lowercase().as_str() {
        "none" | "" => return Some(None),
        "semantic" => EdgeKind::Semantic,
        "supporting" => EdgeKind::Supporting,
        "contradicts" => EdgeKind::Contradicts,
        "causal" => EdgeKind::Causal,
        _ => return None,
    };
    let confidence = confidence(entry.get("confidence")?)?;
    let reason = get(entry, &["reason", "reasoning"]).and_then(Value::as_str);
    Some(Some(Link { neighbour, kind, confidence, reason: line(reason.unwrap_or_default(), REASON) }))
}

/// Reads which notes change, of `neighbours` memories: an object with `neighbours`, a list, an object about
/// the first one alone, or a text with one of them.
pub fn read_evolution(reply: &Value, neighbours: usize) -> Result<AboutNeighbours<(usize, Note)>, String> {
    if is_empty_list(reply) {
        return Ok(AboutNeighbours::NONE);
    }
    value_of(reply, |value| {
        // With a neighbour of its own, it is an entry of a list that could not be read.
        let is_alone = value.get("should_evolve").is_some() && get(value, NEIGHBOUR).is_none();
        let alone = is_alone.then(|| std::slice::from_ref(value));
        let list = listed(value, "neighbours").or(alone).ok_or("it has no `neighbours`")?;
        let mut seen = Vec::new();
        let mut changes = AboutNeighbours::NONE;
        for entry in list {
            let position = match alone {
                Some(_) => (neighbours > 0).then_some(0),
                None => neighbour_of(entry, neighbours, &mut seen),
            };
            let should = entry.get("should_evolve").and_then(truth);
            let (Some(position), Some(should)) = (position, should) else {
                changes.skipped += 1;
                continue;
            };
            if !should {
                continue;
            }
            let part = |name: &str| entry.get(name);
            match Note::of(part("new_keywords"), part("new_tags"), part("new_context")) {
                Some(note) => changes.found.push((position, note)),
                None => changes.skipped += 1,
            }
        }
        changes.understood(list)
    })
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(word) => match word.trim().to_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

const NEIGHBOUR: &[&str] = &["neighbour", "target_idx"];

/// The neighbour that an entry is about; `None` if there is no such one, or an entry before was about it.
fn neighbour_of(entry: &Value, neighbours: usize, seen: &mut Vec<usize>) -> Option<usize> {
    let neighbour = index(get(entry, NEIGHBOUR)?)?;
    if neighbour >= neighbours || seen.contains(&neighbour) {
        return None;
    }
    seen.push(neighbour);
    Some(neighbour)
}

pub(super) fn note_schema() -> Value {
    let words = list_of(plain("string"));
    object(&[("keywords", words.clone()), ("tags", words), ("context", plain("string"))])
}

pub(super) fn links_schema() -> Value {
    let link = object(&[
        ("neighbour", plain("integer")),
        ("type", one_of(&["semantic", "supporting", "contradicts", "causal", "none"])),
        ("confidence", plain("number")),
        ("reason", plain("string")),
    ]);
    object(&[("links", list_of(link))])
}

pub(super) fn evolution_schema() -> Value {
    let words = list_of(plain("string"));
    let change = object(&[
        ("neighbour", plain("integer")),
        ("should_evolve", plain("boolean")),
        ("new_keywords", words.clone()),
        ("new_tags", words),
        ("new_context", plain("string")),
    ]);
    object(&[("neighbours", list_of(change))])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn text(reply: &str) -> Value {
        Value::from(reply)
    }

    #[test]
    fn a_note_is_read_from_an_object_and_from_a_text() {
        let object =
            json!({"keywords": ["ferry", "Lisbon"], "tags": ["Day Trip", "!"], "context": " A  trip. "});
        let note = read_note(&object).expect("it reads");
        assert_eq!((note.keywords.len(), note.tags.as_slice()), (2, ["day-trip".to_string()].as_slice()));
        assert_eq!(note.context, "A trip.");
        let fenced = text(&format!("The note:\n```json\n{object}\n```"));
        assert_eq!(read_note(&fenced), Ok(note));
        assert!(read_note(&json!({"tags": ["a"]})).is_err());
        assert!(read_note(&text("I cannot do that.")).is_err());
        let many: Vec<String> = (0..99).map(|n| format!("word {n}")).collect();
        let long = read_note(&json!({"keywords": many, "context": "x".repeat(9000)})).expect("it reads");
        assert_eq!((long.keywords.len(), long.context.len()), (KEYWORDS, CONTEXT));
    }

    #[test]
    fn links_outside_the_neighbours_are_skipped_and_none_is_none() {
        let reply = text(
            r#"[{"target_idx": 0, "type": "Semantic", "confidence": "0.8",
                 "reasoning": "both name the ferry"},
                {"target_idx": 1, "type": "none", "confidence": 0.1, "reasoning": ""},
                {"target_idx": 2, "type": "causal", "confidence": 1, "reasoning": "r"},
                {"target_idx": 2, "type": "causal", "confidence": 70, "reasoning": "r"},
                {"target_idx": 3, "type": "semantic", "confidence": 0.9},
                {"target_idx": 0, "type": "causal", "confidence": 0.9},
                {"target_idx": 1.5, "type": "causal", "confidence": 0.9},
                {"neighbour": 2, "type": "sequel", "confidence": 0.9}, 7]"#,
        );
        let links = read_links(&reply, 3).expect("it reads");
        assert_eq!(links.skipped, 6);
        let [first, second] = links.found.as_slice() else { panic!("{links:?}") };
        assert_eq!((first.neighbour, first.kind, first.confidence), (0, EdgeKind::Semantic, 0.8));
        assert_eq!(first.reason, "both name the ferry");
        assert_eq!((second.neighbour, second.kind, second.confidence), (2, EdgeKind::Causal, 1.0));
        assert_eq!(read_links(&json!({"links": []}), 3).map(|links| links.found), Ok(Vec::new()));
        assert!(read_links(&json!({"target_idx": 0}), 3).is_err());
    }

    #[test]
    fn lists_inside_a_cut_reply_and_lists_of_nothing_are_refused() {
        let cut = r#"{"links": [{"neighbour": 0, "type": "causal", "tags": [], "confid"#;
        let other = r#"{"neighbours": [{"neighbour": 1, "should_evolve": true, "new_keywords": [], "new_c"#;
        for text in [cut, other, "As in [].", "[7]", r#"{"links": [7]}"#, r#"{"neighbours": [7]}"#] {
            assert!(read_links(&Value::from(text), 2).is_err(), "{text}");
            assert!(read_evolution(&Value::from(text), 2).is_err(), "{text}");
        }
        let broken = r#"{"neighbours": [{"neighbour": 1, "should_evolve": true, "new_context": "c"} oops]}"#;
        assert!(read_evolution(&Value::from(broken), 2).is_err());
        assert_eq!(read_links(&Value::from("[]"), 2), Ok(AboutNeighbours::NONE));
    }

    #[test]
    fn a_note_changes_only_where_the_reply_says_so() {
        let reply = json!({"neighbours": [
            {"neighbour": 1, "should_evolve": true, "new_keywords": ["ferry"], "new_tags": [],
             "new_context": "c"},
            {"neighbour": 0, "should_evolve": false, "new_keywords": ["x"], "new_tags": [],
             "new_context": "x"},
            {"neighbour": 2, "should_evolve": true, "new_keywords": [], "new_tags": [], "new_context": ""},
            {"neighbour": 9, "should_evolve": true, "new_context": "c"},
        ]});
        let changes = read_evolution(&reply, 3).expect("it reads");
        assert_eq!((changes.found.len(), changes.found[0].0, changes.skipped), (1, 1, 2));
        let alone = text(r#"So: {"should_evolve": "true", "new_context": "c", "reasoning": "r"}"#);
        let alone = read_evolution(&alone, 2).expect("it reads");
        assert_eq!((alone.found.len(), alone.found[0].0), (1, 0));
        assert!(read_evolution(&json!({"answer": 1}), 2).is_err());
    }

    /// Values of any form under the names that the readers know.
    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[a-z <>0-9.-]{0,12}".prop_map(Value::from),
        ];
        let name = prop_oneof![
            Just("links"),
            Just("neighbours"),
            Just("neighbour"),
            Just("target_idx"),
            Just("type"),
            Just("confidence"),
            Just("should_evolve"),
            Just("new_keywords"),
            Just("keywords"),
            Just("context"),
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            let objects = proptest::collection::vec((name.clone(), inner.clone()), 0..6);
            prop_oneof![
                proptest::collection::vec(inner, 0..6).prop_map(Value::from),
                objects.prop_map(|all| all.into_iter().map(|(k, v)| (k.to_string(), v)).collect::<Value>()),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_reply_makes_it_fail(value in values(), text in ".{0,200}", most in 0usize..4) {
            for reply in [value.clone(), Value::from(value.to_string()), Value::from(text.as_str())] {
                let _ = read_note(&reply);
                if let Ok(links) = read_links(&reply, most) {
                    prop_assert!(links.found.iter().all(|link| link.neighbour < most));
                    prop_assert!(links.found.iter().all(|link| (0.0..=1.0).contains(&link.confidence)));
                }
                if let Ok(changes) = read_evolution(&reply, most) {
                    prop_assert!(changes.found.iter().all(|(at, _)| *at < most));
                }
            }
        }
    }
}
