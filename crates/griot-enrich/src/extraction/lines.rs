//! Replies as lines with delimiters: `("entity" | "Ada" | "person" | "wrote it")`. Other marks that models
//! use in such lines (`<|>`, `##`, numbering, fences) are read, too.

use griot::model::Said;
use serde_json::Value;

use super::form::{self, Extracted};
use crate::reply::words;

/// Reads the lines; an error if there is none. A reply without lines may be JSON.
pub(super) fn read(text: &str, passages: usize) -> Result<Extracted, String> {
    let mut found = Extracted::of(passages);
    // Where only one passage was sent, its records need no line before them.
    let mut passage = (passages == 1).then_some(0);
    let mut records = 0u32;
    let plain = text.replace("<|>", "|").replace("##", "\n");
    for line in plain.lines() {
        let Some(fields) = fields(line) else { continue };
        let mut fields = fields.into_iter();
        let tag = fields.next().unwrap_or_default().to_lowercase();
        let rest: Vec<String> = fields.collect();
        match (tag.as_str(), rest.as_slice()) {
            ("passage" | "text", [number]) => match number.trim().parse::<usize>() {
                Ok(number) => {
                    found.missing.remove(&number);
                    passage = number.checked_sub(1);
                }
                Err(_) => {
                    found.skipped += 1;
                    passage = None;
                }
            },
            ("entity", [name, kind, description]) => {
                let said =
                    Said::Entity { name: name.clone(), kind: kind.clone(), description: description.clone() };
                found.put(passage, said);
                records += 1;
            }
            ("relationship" | "relation", [source, target, kind, description, keywords, strength]) => {
                let strength = strength.trim().parse().map_or(f64::NAN, |number: f64| number);
                found.put(
                    passage,
                    Said::Relation {
                        source: source.clone(),
                        target: target.clone(),
                        kind: kind.clone(),
                        description: description.clone(),
                        keywords: words(Some(&Value::from(keywords.as_str())), form::KEYWORDS, form::WORD),
                        strength: form::strength(strength),
                    },
                );
                records += 1;
            }
            ("entity" | "relationship" | "relation" | "passage" | "text", _) => found.skipped += 1,
            _ => {}
        }
    }
    if records > 0 || found.skipped > 0 {
        return Ok(found);
    }
    match text.find('{').map(|at| serde_json::Deserializer::from_str(&text[at..]).into_iter().next()) {
        Some(Some(Ok(object))) => form::read(&object, passages),
        _ if says_nothing(text) => Ok(found),
        _ => Err("there is no record in it".to_string()),
    }
}

/// Whether a reply without records is a way to say that there is none: short words without brackets.
fn says_nothing(text: &str) -> bool {
    const SHORT: usize = 200;
    text.len() <= SHORT && !text.contains(['{', '(', '<', '|'])
}

/// The fields of a record: `("a" | "b" | 3)`. A quote ends a field only before a delimiter, so that quotes
/// inside it stay. `None` for a line that is no record.
fn fields(line: &str) -> Option<Vec<String>> {
    let start = line.find('(')?;
    let before = line[..start].trim_matches(|c: char| c.is_whitespace() || "-*.0123456789".contains(c));
    let inside = line[start + 1..].trim();
    if !before.is_empty() || !inside.trim_start_matches(['"', '\'']).starts_with(|c: char| c.is_alphabetic())
    {
        return None;
    }
    let inside = inside.strip_suffix([',', ';']).unwrap_or(inside);
    // Without its bracket, the line was cut, and its last field with it.
    let inside = inside.strip_suffix(')')?;
    let mut fields = Vec::new();
    let mut rest = inside.trim();
    loop {
        let (field, after) = field(rest);
        fields.push(field);
        match after {
            Some(after) => rest = after.trim_start(),
            None => return Some(fields),
        }
    }
}

/// The first field, and what is behind its delimiter.
fn field(text: &str) -> (String, Option<&str>) {
    let Some(quoted) = text.strip_prefix('"') else {
        return match text.split_once('|') {
            Some((field, after)) => (field.trim().to_string(), Some(after)),
            None => (text.trim().to_string(), None),
        };
    };
    for (at, _) in quoted.match_indices('"') {
        let after = quoted[at + 1..].trim_start();
        if after.is_empty() {
            return (unescaped(&quoted[..at]), None);
        }
        if let Some(after) = after.strip_prefix('|') {
            return (unescaped(&quoted[..at]), Some(after));
        }
    }
    match quoted.split_once('|') {
        Some((field, after)) => (unescaped(field), Some(after)),
        None => (unescaped(quoted), None),
    }
}

fn unescaped(text: &str) -> String {
    text.trim().replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn records_are_read_among_words_fences_and_other_marks() {
        let text = "Here are the names:\n\n```\n\
            (\"entity\" | \"Ada | Co\" | \"org\" | \"wrote \"Notes\" on (it)\")\n\
            2. (\"entity\"<|>\"Babbage\"<|>\"person\"<|>\"built it\")##\n\
            (\"relationship\" | \"Ada | Co\" | \"Babbage\" | \"uses\" | \"d\" | \"a, b\" | 9)\n\
            (\"relationship\" | \"Ada | Co\" | \"Babbage\" | \"uses\" | \"no keywords\" | 9)\n\
            (\"entity\" | \"cut\" | \"person\" | \"of whom on\n```\n";
        let found = read(text, 1).expect("it reads");
        assert_eq!(found.names(0), ["Ada | Co", "Babbage"]);
        assert_eq!((found.passages[0].len(), found.skipped), (3, 1));
        let Said::Entity { description, .. } = &found.passages[0][0] else { panic!("{found:?}") };
        assert_eq!(description, "wrote \"Notes\" on (it)");
    }

    #[test]
    fn lines_belong_to_the_passage_before_them() {
        let text = "(\"passage\" | 2)\n(\"entity\" | \"B\" | \"org\" | \"\")\n(\"passage\" | 1)\n\
            (\"entity\" | \"A\" | \"org\" | \"\")\n(\"passage\" | 5)\n(\"entity\" | \"C\" | \"org\" | \"\")";
        let found = read(text, 2).expect("it reads");
        assert_eq!((found.names(0), found.names(1)), (vec!["A".into()], vec!["B".into()]));
        assert_eq!((found.skipped, found.missing.len()), (1, 0));
        let before = "(\"entity\" | \"A\" | \"org\" | \"\")\n(\"passage\" | 2)";
        let found = read(before, 2).expect("it reads");
        assert_eq!((found.is_empty(), found.skipped, found.missing), (true, 1, [1].into()));
    }

    #[test]
    fn a_reply_without_records_is_empty_json_or_refused() {
        assert!(
            read("There are no further entities or relationships in the text.", 1)
                .is_ok_and(|found| found.is_empty())
        );
        assert!(read("", 1).is_ok_and(|found| found.is_empty()));
        let object = "```json\n{\"entities\": [{\"name\": \"Ada\"}]}\n```";
        assert_eq!(read(object, 1).expect("it reads").names(0), ["Ada"]);
        assert!(read(&"I cannot help with that. ".repeat(40), 1).is_err());
        assert!(read("<html><body>404</body></html>", 1).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in ".{0,300}", tail in "[(\"|)\\\\a\n]{0,60}") {
            let _ = read(&text, 2);
            let _ = read(&format!("(\"entity\" | {tail}"), 1);
        }
    }
}
