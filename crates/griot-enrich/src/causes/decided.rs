//! What a reply decides about pairs of texts.
//!
//! Read are decisions about numbered texts, and pairs of source and target. What is said of two texts counts
//! once: the surest of it, and nothing if contrary statements are equally sure.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::reply::{
    confidence, get, index, is_empty_list, line, list_of, listed, object, one_of, plain, value_of,
};

/// Entries of a reply that are read.
const MOST: usize = 2000;
/// Characters of a reason.
const REASON: usize = 400;

/// What one text has to do with another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Causes,
    Replaces,
}

/// One statement about two texts by their numbers: the first is the cause, or the one that holds now.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    pub source: usize,
    pub target: usize,
    pub relation: Relation,
    /// 0 to 1.
    pub confidence: f32,
    pub reason: Option<String>,
}

/// What a reply decides.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decided {
    /// At most one for two texts, by their numbers.
    pub decisions: Vec<Decision>,
    /// Entries that could not be read or name no pair that was asked about, and statements that a contrary
    /// one outweighs.
    pub skipped: u32,
}

/// Which numbers a reply may name.
#[derive(Clone, Copy, Debug)]
pub enum Texts<'a> {
    /// Any two of so many texts, numbered from 0.
    All(usize),
    /// For each number the text that it is compared with, or nothing.
    Compared(&'a [Option<usize>]),
}

impl Texts<'_> {
    /// The text that one is compared with.
    fn other(&self, number: usize) -> Option<usize> {
        match self {
            Self::All(_) => None,
            Self::Compared(others) => others.get(number).copied().flatten(),
        }
    }

    fn has(&self, a: usize, b: usize) -> bool {
        match self {
            Self::All(count) => a != b && a < *count && b < *count,
            Self::Compared(_) => self.other(a) == Some(b) || self.other(b) == Some(a),
        }
    }
}

/// Reads a reply about these texts: a list, an object that holds one, or text around them.
pub fn read(reply: &Value, texts: Texts<'_>) -> Result<Decided, String> {
    if is_empty_list(reply) {
        return Ok(Decided::default());
    }
    value_of(reply, |value| list(value, texts))
}

fn list(reply: &Value, texts: Texts<'_>) -> Result<Decided, String> {
    // Under whatever name, but an empty list without its name may be a part of a broken entry.
    let only = || {
        let mut lists = reply.as_object()?.values().filter_map(Value::as_array);
        lists.find(|items| !items.is_empty()).map(Vec::as_slice)
    };
    let items = listed(reply, "decisions").or_else(only).ok_or("it has no `decisions`")?;
    let mut pairs: BTreeMap<(usize, usize), Vec<Decision>> = BTreeMap::new();
    let mut decided = Decided { skipped: items.len().saturating_sub(MOST) as u32, ..Decided::default() };
    let mut understood = 0usize;
    for item in items.iter().take(MOST) {
        match entry(item, texts) {
            Entry::Says(decision) => {
                let (a, b) = (decision.source, decision.target);
                pairs.entry((a.min(b), a.max(b))).or_default().push(decision);
            }
            Entry::None => {}
            Entry::Elsewhere => decided.skipped += 1,
            Entry::Unreadable => {
                decided.skipped += 1;
                continue;
            }
        }
        understood += 1;
    }
    if understood == 0 && !items.is_empty() {
        return Err("no entry of its list is a decision".to_string());
    }
    for mut said in pairs.into_values() {
        said.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        let is_same = |a: &Decision, b: &Decision| (a.source, a.relation) == (b.source, b.relation);
        let contrary = said.iter().find(|other| !is_same(other, &said[0]));
        let is_open = contrary.is_some_and(|other| other.confidence == said[0].confidence);
        decided.skipped += u32::from(contrary.is_some());
        if !is_open {
            decided.decisions.push(said.swap_remove(0));
        }
    }
    Ok(decided)
}

enum Entry {
    Says(Decision),
    None,
    /// It names no pair that was asked about.
    Elsewhere,
    Unreadable,
}

fn entry(item: &Value, texts: Texts<'_>) -> Entry {
    let word = get(item, &["relation", "type", "relation_type"]);
    let word = match word {
        Some(Value::String(word)) => Some(word.trim().to_lowercase().replace([' ', '-'], "_")),
        Some(_) => return Entry::Unreadable,
        None => None,
    };
    let source = get(item, &["source_fact_idx", "source_idx", "source", "cause"]);
    let target = get(item, &["target_fact_idx", "target_idx", "target", "effect", "number", "n"]);
    let Some(target) = target else { return Entry::Unreadable };
    let (Some(target), source) = (index(target), source.map(index)) else { return Entry::Elsewhere };
    let (source, word) = match source {
        Some(None) => return Entry::Elsewhere,
        Some(Some(source)) => (Some(source), word.unwrap_or_else(|| "causes".to_string())),
        None => match word {
            Some(word) => (None, word),
            None => return Entry::Unreadable,
        },
    };
    if matches!(
        word.as_str(),
        "none" | "unrelated" | "related" | "semantic" | "similar" | "supporting" | "supports" | "contradicts"
    ) {
        return Entry::None;
    }
    // Without a source, the number is the earlier text, and the relation that of the later one.
    let Some((first, second)) =
        source.map(|source| (source, target)).or_else(|| Some((texts.other(target)?, target)))
    else {
        return Entry::Elsewhere;
    };
    let (source, target, relation) = match (word.as_str(), source) {
        ("caused_by", _) | ("causal", None) => (second, first, Relation::Causes),
        ("led_to" | "causes" | "caused" | "causal", _) => (first, second, Relation::Causes),
        ("replaces" | "supersedes", _) => (first, second, Relation::Replaces),
        _ => return Entry::Unreadable,
    };
    if !texts.has(source, target) {
        return Entry::Elsewhere;
    }
    let Some(confidence) = get(item, &["confidence", "score"]).and_then(confidence) else {
        return Entry::Unreadable;
    };
    let reason = get(item, &["reason", "reasoning"]).and_then(Value::as_str);
    let reason = reason.map(|reason| line(reason, REASON)).filter(|reason| !reason.is_empty());
    Entry::Says(Decision { source, target, relation, confidence, reason })
}

/// The form of a reply.
pub(super) fn schema() -> Value {
    let decision = object(&[
        ("number", plain("integer")),
        ("relation", one_of(&["caused_by", "led_to", "replaces", "none"])),
        ("confidence", plain("number")),
        ("reason", plain("string")),
    ]);
    object(&[("decisions", list_of(decision))])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// Text 1 is compared with 2 and 3, text 4 with 5.
    const OTHERS: [Option<usize>; 6] = [None, None, Some(1), Some(1), None, Some(4)];
    const ASKED: Texts<'static> = Texts::Compared(&OTHERS);

    fn short(decided: &Decided) -> Vec<(usize, usize, Relation, f32)> {
        decided.decisions.iter().map(|one| (one.source, one.target, one.relation, one.confidence)).collect()
    }

    #[test]
    fn decisions_are_read_by_the_number_of_the_earlier_text() {
        let reply = json!({"decisions": [
            {"number": 2, "relation": "caused_by", "confidence": 0.9, "reason": " it\nsays \"so\" "},
            {"number": "3", "relation": "led to", "confidence": "0.7", "reason": ""},
            {"number": 5, "relation": "replaces", "confidence": 1},
            {"number": 5, "relation": "none"},
        ]});
        let decided = read(&reply, ASKED).expect("it reads");
        let expected =
            [(2, 1, Relation::Causes, 0.9), (1, 3, Relation::Causes, 0.7), (4, 5, Relation::Replaces, 1.0)];
        assert_eq!((short(&decided), decided.skipped), (expected.to_vec(), 0));
        assert_eq!(decided.decisions[0].reason.as_deref(), Some("it says \"so"));
        assert_eq!(decided.decisions[1].reason, None);
    }

    #[test]
    fn pairs_are_read_with_a_source() {
        let text = "Here are the pairs [1]:\n```json\n[\n\
            {\"source_fact_idx\": 0, \"target_fact_idx\": 1, \"confidence\": 0.92, \"reasoning\": \"r\"},\n\
            {\"source_idx\": 2, \"target_idx\": 1, \"type\": \"supersedes\", \"confidence\": 0.6}\n]\n```";
        let decided = read(&Value::from(text), Texts::All(3)).expect("it reads");
        let expected = [(0, 1, Relation::Causes, 0.92), (2, 1, Relation::Replaces, 0.6)];
        assert_eq!((short(&decided), decided.skipped), (expected.to_vec(), 0));
        let links = json!([
            {"target_idx": 2, "type": "supporting", "confidence": 0.8},
            {"target_idx": 3, "type": "causal", "confidence": 0.8},
        ]);
        assert_eq!(short(&read(&links, ASKED).expect("it reads")), [(3, 1, Relation::Causes, 0.8)]);
    }

    #[test]
    fn the_surer_of_contrary_statements_counts_and_equal_ones_do_not() {
        let pair = |source: usize, target: usize, confidence: f64| -> Value {
            json!({"source": source, "target": target, "confidence": confidence})
        };
        let both = json!([pair(0, 1, 0.5), pair(1, 0, 0.55), pair(2, 3, 0.7), pair(3, 2, 0.7)]);
        let decided = read(&both, Texts::All(4)).expect("it reads");
        assert_eq!((short(&decided), decided.skipped), (vec![(1, 0, Relation::Causes, 0.55)], 2));
        let other = json!({"number": 2, "relation": "replaces", "confidence": 0.9});
        let kinds = json!([{"number": 2, "relation": "caused_by", "confidence": 0.8}, other]);
        assert_eq!(short(&read(&kinds, ASKED).expect("it reads")), [(1, 2, Relation::Replaces, 0.9)]);
    }

    #[test]
    fn what_was_not_asked_about_is_skipped() {
        let one = |number: Value, confidence: Value| -> Value {
            json!({"number": number, "relation": "caused_by", "confidence": confidence})
        };
        let reply = json!([
            one(json!(2), json!(0.8)),
            one(json!(99), json!(0.8)),
            one(json!(-1), json!(0.8)),
            one(json!(1), json!(0.8)),
            one(json!("two"), json!(0.8)),
            one(json!(3), json!(7)),
            one(json!(3), json!("high")),
            {"source": 2, "target": 5, "confidence": 0.9},
            {"number": 3, "relation": "DROP TABLE memories; --", "confidence": 0.9},
            "../../etc/passwd",
        ]);
        let decided = read(&reply, ASKED).expect("it reads");
        assert_eq!((short(&decided), decided.skipped), (vec![(2, 1, Relation::Causes, 0.8)], 9));
        let same = vec![one(json!(2), json!(0.8)); 500];
        assert_eq!(short(&read(&Value::from(same), ASKED).expect("it reads")).len(), 1);
        let many = vec![one(json!(2), json!(0.8)); 5000];
        assert_eq!(read(&Value::from(many), ASKED).expect("it reads").skipped, 3000);
    }

    #[test]
    fn what_is_no_list_of_decisions_is_refused() {
        for text in ["", "I cannot help with that.", "[1, 2]", "{\"answer\": 3}", "[{\"a\": 1}]", "null"] {
            assert!(read(&Value::from(text), ASKED).is_err(), "{text}");
        }
        let broken = "{\"decisions\": [{\"number\": 2, \"evidence\": []} oops, {\"n\": {\"a\": []}}";
        assert!(read(&Value::from(broken), ASKED).is_err());
        for text in ["[]", "{\"decisions\": []}", "Keine Ursachen: []"] {
            assert_eq!(read(&Value::from(text), ASKED), Ok(Decided::default()), "{text}");
        }
        let mut wild = json!(1);
        for _ in 0..60 {
            wild = json!([wild]);
        }
        assert!(read(&wild, ASKED).is_err());
    }

    proptest! {
        #[test]
        fn no_reply_makes_it_fail_or_names_other_pairs(
            text in "(.|[\\[\\]{}\",:0-9]|\"(number|relation|source|target|confidence|caused_by)\"){0,80}",
            number in any::<i64>(),
            other in any::<f64>(),
            confidence in any::<f64>(),
            word in "caused_by|led_to|replaces|none|causal|.{0,8}",
        ) {
            let entries = json!([
                {"number": number, "relation": word, "confidence": confidence},
                {"source": other, "target": number % 7, "confidence": confidence},
                {"number": number.rem_euclid(7), "relation": word, "confidence": 0.5, "reason": text},
            ]);
            let replies = [Value::from(text.as_str()), entries, Value::from(format!("```json\n[{text}"))];
            for reply in replies {
                for decision in read(&reply, ASKED).unwrap_or_default().decisions {
                    prop_assert!(ASKED.has(decision.source, decision.target));
                    prop_assert!((0.0..=1.0).contains(&decision.confidence));
                    prop_assert!(decision.reason.is_none_or(|reason| reason.chars().count() <= REASON));
                }
            }
        }
    }
}
