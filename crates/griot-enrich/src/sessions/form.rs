//! What a reply observes in a conversation, and replies as JSON.

use griot::model::Predicate;
use griot::remember::reading::SaidFact;
use serde_json::Value;

use super::marks::{self, Parts};
use crate::reply::{
    is_empty_list, line, list_of, listed, object, one_of, plain, predicate as predicate_of, value_of, words,
};

/// Observations of one conversation; more are dropped.
const MOST: usize = 40;
/// Characters of a title, and of a name in a triple; the rest is cut.
const TITLE: usize = 200;
/// Characters of a narrative.
const NARRATIVE: usize = 1500;
/// Characters of a fact.
const FACT: usize = 400;
/// Facts and triples of one observation.
const FACTS: usize = 12;
/// Turns of one observation.
const TURNS: usize = 60;
const CONCEPTS: usize = 6;
/// Characters of a concept: it becomes a tag, which may have 64.
const CONCEPT: usize = 60;
/// Confidence in a statement of an observation.
const STATED: f32 = 0.7;

/// What an observation may be, as ClawMem has it.
pub(super) const KINDS: &[&str] = &[
    "decision",
    "preference",
    "milestone",
    "problem",
    "discovery",
    "feature",
    "bugfix",
    "change",
    "refactor",
];
/// The kinds that state no triples, as in ClawMem: what they say of names is true of one edit.
const WITHOUT_TRIPLES: &[&str] = &["bugfix", "change", "refactor"];
const OTHER: &str = "observation";

/// One thing worth keeping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    pub kind: String,
    pub title: String,
    pub narrative: String,
    pub facts: Vec<String>,
    /// Numbers of the turns that say so, from 1.
    pub turns: Vec<usize>,
    pub triples: Vec<Triple>,
    pub concepts: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Triple {
    pub subject: String,
    pub predicate: Predicate,
    pub object: String,
}

/// What a reply observes, and how many observations and parts of them could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observations {
    pub found: Vec<Observation>,
    pub skipped: u32,
}

/// Reads what a reply observes: an object with `observations`, a list, or a text with one of them, or in
/// marks.
pub fn read(reply: &Value) -> Result<Observations, String> {
    if let Value::String(text) = reply
        && let Some(all) = marks::read(text)
    {
        let mut found = Observations::default();
        all.into_iter().for_each(|parts| found.put(parts));
        return found.understood();
    }
    if is_empty_list(reply) {
        return Ok(Observations::default());
    }
    value_of(reply, |value| {
        let list = listed(value, "observations").ok_or("it has no `observations`")?;
        let mut found = Observations::default();
        list.iter().for_each(|entry| found.put(parts(entry)));
        found.understood()
    })
}

fn parts(entry: &Value) -> Option<Parts> {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_string);
    let list = |name: &str| entry.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let turn = |turn: &Value| match turn {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let triple = |triple: &Value| {
        ["subject", "predicate", "object"].map(|name| text(triple, name).unwrap_or_default())
    };
    Some(Parts {
        kind: text(entry, "type").unwrap_or_default(),
        title: text(entry, "title")?,
        narrative: text(entry, "narrative").unwrap_or_default(),
        facts: words(entry.get("facts"), FACTS, FACT),
        turns: list("turns").iter().filter_map(turn).collect(),
        triples: list("triples").iter().map(triple).collect(),
        concepts: words(entry.get("concepts"), CONCEPTS, CONCEPT),
    })
}

impl Observations {
    /// An error if there was something, and nothing of it is an observation.
    fn understood(self) -> Result<Self, String> {
        match self.found.is_empty() && self.skipped > 0 {
            true => Err("nothing in it is an observation".to_string()),
            false => Ok(self),
        }
    }

    /// Adds an observation with parts of bounded size. Without title or turns it is none: nothing says so.
    pub(super) fn put(&mut self, parts: Option<Parts>) {
        let found = parts.and_then(|parts| self.checked(parts));
        match found {
            Some(found) if self.found.len() < MOST => {
                if !self.found.contains(&found) {
                    self.found.push(found);
                }
            }
            _ => self.skipped += 1,
        }
    }

    fn checked(&mut self, parts: Parts) -> Option<Observation> {
        let kind = line(&parts.kind, CONCEPT).to_lowercase();
        let kind = if KINDS.contains(&kind.as_str()) { kind } else { OTHER.to_string() };
        let title = Some(line(&parts.title, TITLE)).filter(|title| !title.is_empty())?;
        let mut turns: Vec<usize> = parts.turns.iter().filter_map(|turn| turn_of(turn)).take(TURNS).collect();
        turns.sort_unstable();
        turns.dedup();
        if turns.is_empty() {
            return None;
        }
        let mut facts: Vec<String> = Vec::new();
        for fact in parts.facts.iter().map(|fact| line(fact, FACT)).filter(|fact| !fact.is_empty()) {
            if facts.len() < FACTS && !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        let states = !WITHOUT_TRIPLES.contains(&kind.as_str());
        let mut triples = Vec::new();
        for triple in parts.triples.iter().take(FACTS).filter(|_| states) {
            match triple_of(triple) {
                Some(triple) => triples.push(triple),
                None => self.skipped += 1,
            }
        }
        let concepts = parts.concepts.iter().map(|word| tag_of(word)).filter(|word| !word.is_empty());
        let concepts = concepts.take(CONCEPTS).collect();
        let narrative = line(&parts.narrative, NARRATIVE);
        Some(Observation { kind, title, narrative, facts, turns, triples, concepts })
    }
}

impl Observation {
    /// The text that is stored: title, narrative, and facts as a list.
    pub fn text(&self) -> String {
        let facts = self.facts.iter().map(|fact| format!("- {fact}"));
        let parts = [self.title.clone(), self.narrative.clone()].into_iter().filter(|part| !part.is_empty());
        parts.chain(facts).collect::<Vec<_>>().join("\n")
    }

    /// What its triples state.
    pub fn facts(&self) -> Vec<SaidFact> {
        let fact = |triple: &Triple| SaidFact {
            subject: triple.subject.clone(),
            predicate: triple.predicate,
            object: triple.object.clone(),
            confidence: STATED,
        };
        self.triples.iter().map(fact).collect()
    }
}

/// The number at the end of what a model calls a turn: `7`, `#7`, `D2:7`.
fn turn_of(turn: &str) -> Option<usize> {
    let turn = turn.trim().trim_end_matches([',', '.', ';', ')', ']']);
    let digits = turn.len() - turn.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    turn[turn.len() - digits..].parse().ok().filter(|number| *number > 0)
}

fn triple_of([subject, predicate, object]: &[String; 3]) -> Option<Triple> {
    let predicate = predicate_of(predicate)?;
    let [subject, object] = [subject, object].map(|name| line(name, TITLE));
    (!subject.is_empty() && !object.is_empty()).then_some(Triple { subject, predicate, object })
}

/// The concept as a tag may be written.
fn tag_of(concept: &str) -> String {
    let is_fine = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '#' | '@');
    let words = concept.split(|c: char| !is_fine(c)).filter(|word| !word.is_empty());
    let tag = words.collect::<Vec<_>>().join(" ").to_lowercase();
    if tag.chars().count() <= CONCEPT { tag } else { String::new() }
}

pub(super) fn schema() -> Value {
    let texts = list_of(plain("string"));
    let triple =
        object(&[("subject", plain("string")), ("predicate", plain("string")), ("object", plain("string"))]);
    let observation = object(&[
        ("type", one_of(KINDS)),
        ("title", plain("string")),
        ("turns", list_of(plain("integer"))),
        ("narrative", plain("string")),
        ("facts", texts.clone()),
        ("triples", list_of(triple)),
        ("concepts", texts),
    ]);
    object(&[("observations", list_of(observation))])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn observations_are_read_between_words_and_without_their_ends() {
        let text = "Here is what I saw.\n\
            <observation>\n <type>problem</type>\n <title>Ole &amp; Mira lose the key</title>\n\
            <turns>S4:2 S4:5</turns>\n <narrative>The key of the boat is gone.</narrative>\n\
            <facts><fact>The key is gone.</fact><fact>Ole had it.</fact>\n\
            <concepts><concept>key</concept></concepts>\n</observation>\n and\n\
            <OBSERVATION><title>never closed</title><turns>1</turns>\n\
            <observation><title>no turns</title></observation>\n\
            <observation><title>last</title><turns>3, 4</turns><triples><triple><subject>Ole</subject>\
            <predicate>uses</predicate><object>a spare key</object></triple></triples></observation>";
        let found = read(&Value::from(text)).expect("there are some");
        let [first, second, last] = found.found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (first.title.as_str(), first.turns.as_slice()),
            ("Ole & Mira lose the key", [2, 5].as_slice())
        );
        assert_eq!((first.facts.len(), first.concepts.as_slice()), (2, ["key".to_string()].as_slice()));
        assert_eq!((second.title.as_str(), second.kind.as_str()), ("never closed", "observation"));
        assert_eq!((last.turns.as_slice(), last.triples.len()), ([3, 4].as_slice(), 1));
        assert_eq!(found.skipped, 1);
        assert_eq!(read(&Value::from("<none/>")), Ok(Observations::default()));
    }

    #[test]
    fn observations_are_read_from_json_and_bounded() {
        let reply = json!({"observations": [
            {"type": "Decision", "title": " Mira  sells the boat ", "turns": [2, "T3", 2], "narrative": "n",
             "facts": ["f", "f", ""], "concepts": ["Boat!", "sale"],
             "triples": [{"subject": "Mira", "predicate": "owned by", "object": "Ole"},
                         {"subject": "Mira", "predicate": "sails", "object": "Ole"}]},
            {"type": "song", "title": "t", "turns": [1], "narrative": ""},
            {"type": "decision", "title": "no turn says so", "turns": []},
            {"type": "bugfix", "title": "u", "turns": ["1"], "triples": [{"subject": "a", "predicate": "uses",
             "object": "b"}]},
            {"type": "decision", "turns": [1]}, 7,
        ]});
        let found = read(&reply).expect("it reads");
        let [decision, other, fix] = found.found.as_slice() else { panic!("{found:?}") };
        assert_eq!((decision.kind.as_str(), decision.turns.as_slice()), ("decision", [2, 3].as_slice()));
        assert_eq!(decision.text(), "Mira sells the boat\nn\n- f");
        assert_eq!(decision.concepts, ["boat", "sale"]);
        assert_eq!((decision.triples.len(), decision.triples[0].predicate), (1, Predicate::OwnedBy));
        assert_eq!((other.kind.as_str(), other.text().as_str()), ("observation", "t"));
        assert!(fix.triples.is_empty());
        assert_eq!(found.skipped, 4);
        assert_eq!(read(&json!({"observations": []})), Ok(Observations::default()));
        assert!(read(&json!({"answer": 1})).is_err());
        assert!(read(&Value::from("There was nothing to see.")).is_err());
        let same: Vec<Value> = (0..99).map(|n| json!({"title": format!("t{n}"), "turns": [1]})).collect();
        let many = read(&json!({"observations": same})).expect("it reads");
        assert_eq!((many.found.len(), many.skipped as usize), (MOST, 99 - MOST));
    }

    #[test]
    fn what_is_complete_of_a_cut_reply_is_read_and_its_inner_lists_are_not() {
        let one = json!({"type": "decision", "title": "t", "turns": [1], "facts": []}).to_string();
        let cut = format!("{{\"observations\": [{one}, {{\"title\": \"u\", \"turns\": [2], \"facts\": [\"");
        let found = read(&Value::from(cut.as_str())).expect("one is complete");
        assert_eq!((found.found.len(), found.found[0].title.as_str()), (2, "t"));
        let first = cut.replacen(&format!("{one}, "), "", 1);
        let found = read(&Value::from(first.as_str())).expect("its turns are complete");
        assert_eq!((found.found.len(), found.found[0].facts.len()), (1, 0));
        let early = "{\"observations\": [{\"type\": \"decision\", \"facts\": [], \"concepts\": [\"a\"], \"ti";
        assert!(read(&Value::from(early)).is_err());
        for text in ["I saw [] there.", "[1]", "{\"observations\": [{\"turns\": [1]}]}"] {
            assert!(read(&Value::from(text)).is_err(), "{text}");
        }
        assert_eq!(read(&Value::from("[]")), Ok(Observations::default()));
    }

    #[test]
    fn a_turn_is_the_number_at_its_end() {
        let turns = ["7", "#7", "D2:17", "turn 3,", "0", "x", "", "99999999999999999999999"].map(turn_of);
        assert_eq!(turns, [Some(7), Some(7), Some(17), Some(3), None, None, None, None]);
    }

    proptest! {
        #[test]
        fn no_reply_makes_it_fail(
            text in ".{0,200}",
            marked in "(<(/)?(observation|title|turns|facts|fact|triple|subject)>|[a-z&;:0-9<\n ]){0,40}",
            title in ".{0,20}", turn in ".{0,9}",
        ) {
            let json = json!([{"title": title, "turns": [turn], "facts": [text], "concepts": [title]}]);
            let written = Value::from(json.to_string());
            for reply in [Value::from(text.as_str()), Value::from(marked), written, json] {
                if let Ok(found) = read(&reply) {
                    let is_whole = |one: &Observation| !one.title.is_empty() && !one.turns.is_empty();
                    prop_assert!(found.found.iter().all(is_whole));
                }
            }
        }
    }
}
