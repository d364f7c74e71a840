//! Facts in replies: as JSON, or as `<triple>` blocks.

use griot::model::{Predicate, Provenance};
use griot::remember::reading::SaidFact;
use serde_json::Value;

use crate::reply::{
    confidence, get, index, is_empty_list, list_of, listed, name, object, one_of, plain,
    predicate as predicate_of, value_of,
};

/// Facts of one passage; more are dropped.
const MOST: usize = 50;
/// Characters of a subject or an object; what is longer is none.
const WORDS: usize = 120;

/// Bytes of a tag.
const LONGEST_TAG: usize = 80;

/// What a reply states about each passage.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stated {
    /// In the order in which they were sent.
    pub passages: Vec<Vec<SaidFact>>,
    /// Statements with a predicate that is none of the fixed ones.
    pub unknown: u32,
    /// Entries that could not be read, or are about no passage.
    pub skipped: u32,
}

impl Stated {
    fn of(passages: usize) -> Self {
        Self { passages: vec![Vec::new(); passages], ..Self::default() }
    }

    /// Adds a statement about a passage, numbered from 1.
    fn put(&mut self, passage: usize, [subject, predicate, object]: [&str; 3], confidence: f32) {
        let facts = passage.checked_sub(1).and_then(|at| self.passages.get_mut(at));
        let (Some(facts), Some(subject), Some(object)) = (facts, name(subject, WORDS), name(object, WORDS))
        else {
            self.skipped += 1;
            return;
        };
        let Some(predicate) = predicate_of(predicate) else {
            self.unknown += 1;
            return;
        };
        let is_known = |known: &SaidFact| {
            (&known.subject, known.predicate, &known.object) == (&subject, predicate, &object)
        };
        if facts.iter().any(is_known) {
            return;
        }
        if facts.len() == MOST {
            self.skipped += 1;
            return;
        }
        facts.push(SaidFact { subject, predicate, object, confidence });
    }
}

/// Reads any reply to `passages` numbered from 1.
pub fn read(reply: &Value, passages: usize) -> Result<Stated, String> {
    if let Value::String(text) = reply
        && let Some(stated) = blocks(text, passages)
    {
        return stated;
    }
    if is_empty_list(reply) {
        return Ok(Stated::of(passages));
    }
    value_of(reply, |value| form(value, passages))
}

fn named(value: &Value) -> Option<&[Value]> {
    get(value, &["facts", "triples"])?.as_array().map(Vec::as_slice)
}

fn form(reply: &Value, passages: usize) -> Result<Stated, String> {
    let mut stated = Stated::of(passages);
    let mut add = |entry: &Value, passage: Option<usize>| {
        let number = get(entry, &["number", "passage"]);
        let passage = number.map_or(passage, index);
        let part = |key: &str| entry.get(key).and_then(Value::as_str);
        let parts = (part("subject"), part("predicate"), part("object"));
        let (Some(passage), (Some(subject), Some(predicate), Some(object))) = (passage, parts) else {
            stated.skipped += 1;
            return false;
        };
        let usual = Provenance::Llm.confidence();
        let said = entry.get("confidence").map_or(Some(usual), confidence).unwrap_or(usual);
        stated.put(passage, [subject, predicate, object], said);
        true
    };
    // Where only one passage was sent, a fact need not say of which it is.
    let alone = (passages == 1).then_some(1);
    let lists = match (listed(reply, "facts"), named(reply), listed(reply, "passages")) {
        (Some(facts), ..) | (_, Some(facts), _) => vec![(alone, facts)],
        (.., Some(items)) => {
            let lists = items
                .iter()
                .filter_map(|item| Some((item.get("number").and_then(index).or(alone), named(item)?)));
            lists.collect()
        }
        _ => return Err("it has no `facts`".to_string()),
    };
    let count: usize = lists.iter().map(|(_, facts)| facts.len()).sum();
    let mut readable = 0;
    for (passage, facts) in lists {
        readable += facts.iter().filter(|fact| add(fact, passage)).count();
    }
    if count > 0 && readable == 0 {
        return Err("no entry of its list is a fact".to_string());
    }
    Ok(stated)
}

/// Blocks among any other text; `None` if there is none. `<passage number="2">` says of which passage the
/// blocks behind it are; an error if some block is of none.
fn blocks(text: &str, passages: usize) -> Option<Result<Stated, String>> {
    let mut stated = Stated::of(passages);
    // Where only one passage was sent, a block need not say of which it is.
    let mut passage = (passages == 1).then_some(1);
    let (mut is_there, mut rest) = (false, text);
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let Some(end) = rest.bytes().take(LONGEST_TAG).position(|byte| byte == b'>') else { continue };
        let (tag, after) = (rest[..end].trim().to_lowercase(), &rest[end + 1..]);
        if let Some(of) = tag.strip_prefix("passage") {
            let digits: String = of.chars().filter(char::is_ascii_digit).take(6).collect();
            passage = digits.parse().ok();
            is_there = true;
        } else if tag == "triples" || tag == "facts" || tag == "triples/" {
            is_there = true;
        } else if tag == "triple" {
            is_there = true;
            // Without its end, a block reaches to the next one.
            let next = after.find("<triple>").unwrap_or(after.len());
            let block = match after[..next].find("</triple>") {
                Some(end) => &after[..end],
                None => &after[..next],
            };
            let Some(passage) = passage else {
                return Some(Err("it does not say of which text a block is".to_string()));
            };
            let parts = ["subject", "predicate", "object"].map(|name| element(block, name));
            match parts {
                [Some(subject), Some(predicate), Some(object)] => {
                    let parts = [subject, predicate, object].map(unescaped);
                    stated.put(passage, parts.each_ref().map(String::as_str), Provenance::Llm.confidence());
                }
                _ => stated.skipped += 1,
            }
            rest = &after[block.len()..];
            continue;
        }
        rest = after;
    }
    is_there.then_some(Ok(stated))
}

fn element<'a>(block: &'a str, name: &str) -> Option<&'a str> {
    let inner = block.split_once(&format!("<{name}>"))?.1;
    Some(inner.split_once(&format!("</{name}>"))?.0)
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    text.replace("&amp;", "&")
}

/// The form of a reply.
pub(super) fn schema() -> Value {
    let predicates: Vec<&str> = Predicate::ALL.iter().map(|predicate| predicate.name()).collect();
    let fact = object(&[
        ("number", plain("integer")),
        ("subject", plain("string")),
        ("predicate", one_of(&predicates)),
        ("object", plain("string")),
    ]);
    object(&[("facts", list_of(fact))])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn short(stated: &Stated, passage: usize) -> Vec<String> {
        let facts = stated.passages[passage].iter();
        facts.map(|one| format!("{} {} {}", one.subject, one.predicate.name(), one.object)).collect()
    }

    #[test]
    fn facts_are_read_by_passage() {
        let fact = |number: Value, predicate: &str| -> Value {
            json!({"number": number, "subject": " Shop ", "predicate": predicate, "object": "Redis"})
        };
        let reply = json!({"facts": [
            fact(json!(2), "runs_on"), fact(json!("1"), "Depends on"), fact(json!(2), "runs-on"),
            fact(json!(2), "mentored_by"), fact(json!(9), "uses"), fact(json!(null), "uses"),
            {"number": 1, "subject": "", "predicate": "uses", "object": "x"}, 7,
        ]});
        let stated = read(&reply, 2).expect("it reads");
        assert_eq!(short(&stated, 0), ["Shop depends_on Redis"]);
        assert_eq!(short(&stated, 1), ["Shop runs_on Redis"]);
        assert_eq!((stated.unknown, stated.skipped), (1, 4));
        let nested = json!({"passages": [{"number": 1, "triples": [fact(json!(null), "uses")]}]});
        assert_eq!(short(&read(&nested, 2).expect("it reads"), 0), ["Shop uses Redis"]);
        let list =
            Value::from("Sure:\n```json\n[{\"subject\":\"A\",\"predicate\":\"uses\",\"object\":\"B\"}]\n```");
        assert_eq!(short(&read(&list, 1).expect("it reads"), 0), ["A uses B"]);
        assert_eq!(read(&list, 2).map(|_| ()), Err("no entry of its list is a fact".to_string()));
    }

    #[test]
    fn blocks_are_read_among_other_text() {
        let triple = |subject: &str, predicate: &str, object: &str| {
            format!(
                "<triple><subject>{subject}</subject><predicate>{predicate}</predicate>\
                 <object>{object}</object></triple>"
            )
        };
        let text = format!(
            "Here they are:\n<observation><title>A</title><facts><fact>open\n<triples>{}{}\n\
             <triple><subject>cut</subject><predicate>uses</predicate>{}</triples></observation>",
            triple("R&amp;D", "uses", "a &lt;b&gt;"),
            triple("Jon", "mentored_by", "Ada"),
            triple("Ada", "avoids", "late meetings"),
        );
        let stated = read(&Value::from(text), 1).expect("it reads");
        assert_eq!(short(&stated, 0), ["R&D uses a <b>", "Ada avoids late meetings"]);
        assert_eq!((stated.unknown, stated.skipped), (1, 1));
        let two = format!("<passage number=\"2\">{}</passage>", triple("A", "uses", "B"));
        let stated = read(&Value::from(two), 2).expect("it reads");
        assert_eq!((short(&stated, 0), short(&stated, 1)), (vec![], vec!["A uses B".to_string()]));
        for before in ["", "<passage>", "<passage number=\"first\">"] {
            let nameless = Value::from(format!("{before}{}", triple("A", "uses", "B")));
            assert!(read(&nameless, 2).is_err(), "{before}");
        }
        let none = "<observation><triples></triples></observation>";
        assert_eq!(read(&Value::from(none), 1), Ok(Stated::of(1)));
    }

    #[test]
    fn a_hostile_reply_is_bounded_or_refused() {
        let broken = "{\"facts\": [{\"subject\": \"A\", \"tags\": []} oops";
        for text in
            ["", "I cannot help with that.", "<html></html>", "[1]", "{\"a\": 1}", "No [] here", broken]
        {
            assert!(read(&Value::from(text), 1).is_err(), "{text}");
        }
        let fact =
            |object: String| json!({"number": 1, "subject": "A", "predicate": "uses", "object": object});
        let same = vec![fact("B".into()); 500];
        assert_eq!(read(&json!({"facts": same}), 1).expect("it reads").passages[0].len(), 1);
        let many: Vec<Value> = (0..5000).map(|n| fact(format!("b {n}"))).collect();
        let stated = read(&json!({"facts": many}), 1).expect("it reads");
        assert_eq!((stated.passages[0].len(), stated.skipped as usize), (MOST, 5000 - MOST));
        let long = fact("x".repeat(10_000));
        assert_eq!(read(&json!({"facts": [long]}), 1).expect("it reads").skipped, 1);
        let unsure = json!({"facts": [
            {"subject": "A", "predicate": "uses", "object": "'; DROP TABLE facts; --", "confidence": 7},
        ]});
        let stated = read(&unsure, 1).expect("it reads");
        assert_eq!(stated.passages[0][0].confidence, Provenance::Llm.confidence());
    }

    proptest! {
        #[test]
        fn no_reply_makes_it_fail(
            text in "(.|<|>|</?(passage|triple|triples|subject|predicate|object)>|[{}\\[\\]\":,]|uses){0,80}",
            number in any::<i64>(),
            word in "uses|runs_on|.{0,12}",
        ) {
            let entry = json!({"number": number, "subject": text, "predicate": word, "object": text});
            let listed = json!({"facts": [entry.clone(), [entry.clone()]]});
            for reply in [Value::from(text.as_str()), listed, entry] {
                for fact in read(&reply, 2).unwrap_or_default().passages.concat() {
                    prop_assert!((0.0..=1.0).contains(&fact.confidence));
                    prop_assert!((1..=WORDS).contains(&fact.subject.chars().count()));
                }
            }
        }
    }
}
