//! What every reply needs: the form that is asked for, JSON among words and fences, words on one line,
//! numbers in any spelling.

use griot::engine::ReplyForm;
use griot::model::Predicate;
use griot_models::json_in;
use serde_json::{Value, json};

/// The task with what is said only where a reply is to be JSON, or lines; and for JSON its schema.
pub(crate) fn in_form(
    form: ReplyForm,
    [task, json, lines]: [&str; 3],
    schema: Value,
) -> (String, Option<Value>) {
    match form {
        ReplyForm::Json => (format!("{task}{json}"), Some(schema)),
        ReplyForm::Lines => (format!("{task}{lines}"), None),
    }
}

/// The schema of an object whose properties are all required.
pub(crate) fn object(properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        properties.iter().map(|(name, form)| (name.to_string(), form.clone())).collect();
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

/// The schema of a list.
pub(crate) fn list_of(item: Value) -> Value {
    json!({"type": "array", "items": item})
}

/// The schema of a text, a number, or another value without parts.
pub(crate) fn plain(kind: &str) -> Value {
    json!({ "type": kind })
}

/// The schema of one of these words.
pub(crate) fn one_of<W: AsRef<str>>(words: &[W]) -> Value {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    json!({"type": "string", "enum": words})
}

/// Reads a reply that is a value, or a text with one that `read` accepts. What is complete of a value that
/// was cut counts.
pub(crate) fn value_of<T>(reply: &Value, read: impl Fn(&Value) -> Result<T, String>) -> Result<T, String> {
    match reply {
        Value::String(text) => json_in(text, read).map(|found| found.0),
        value => read(value),
    }
}

/// The entries of a list, or of the list under a name. An empty list without its name may be a part of
/// anything, and is none.
pub(crate) fn listed<'a>(value: &'a Value, name: &str) -> Option<&'a [Value]> {
    let bare = value.as_array().filter(|items| !items.is_empty());
    bare.or_else(|| value.get(name)?.as_array()).map(Vec::as_slice)
}

/// Whether the reply is a list without entries, or a text that has no other bracket than those of such a list
/// at its end.
pub(crate) fn is_empty_list(reply: &Value) -> bool {
    let Value::String(text) = reply else { return reply.as_array().is_some_and(Vec::is_empty) };
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || c == '`');
    let list = text.strip_suffix(']').map(str::trim_end).and_then(|text| text.strip_suffix('['));
    list.is_some_and(|before| !before.contains(['[', ']', '{', '}']))
}

/// One line of at most `most` characters, without control characters and quotes around it.
pub(crate) fn line(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    line.trim_matches(|c| matches!(c, '"' | '`' | '\'' | ' ')).chars().take(most).collect()
}

/// The same for a name; `None` for what is empty or longer.
pub(crate) fn name(text: &str, longest: usize) -> Option<String> {
    let text = line(text, longest + 1);
    (!text.is_empty() && text.chars().count() <= longest).then_some(text)
}

/// The strings of a list, or of one string with commas; each once, without empty and overlong ones.
pub(crate) fn words(value: Option<&Value>, most: usize, longest: usize) -> Vec<String> {
    let all: Vec<&str> = match value {
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(words)) => words.split([',', ';']).collect(),
        _ => Vec::new(),
    };
    let mut found: Vec<String> = Vec::new();
    for word in all {
        found.extend(name(word, longest).filter(|word| !found.contains(word)));
        if found.len() == most {
            break;
        }
    }
    found
}

/// A predicate, with spaces or hyphens between its words, too.
pub(crate) fn predicate(text: &str) -> Option<Predicate> {
    Predicate::parse(&line(text, 60).to_lowercase().replace([' ', '-'], "_"))
}

/// The first of these keys that an object has.
pub(crate) fn get<'a>(item: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().find_map(|key| item.get(key)).filter(|value| !value.is_null())
}

/// A number, also one in quotes.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// The number of a text.
pub(crate) fn index(value: &Value) -> Option<usize> {
    const LAST: f64 = 1e9;
    let number = number(value)?;
    (number.fract() == 0.0 && (0.0..=LAST).contains(&number)).then_some(number as usize)
}

/// A confidence; `None` for what is not between 0 and 1, because nothing says what else it would mean.
pub(crate) fn confidence(value: &Value) -> Option<f32> {
    number(value).filter(|number| (0.0..=1.0).contains(number)).map(|number| number as f32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_list_counts_under_its_name_or_alone() {
        let read = |reply: &str| {
            value_of(&Value::from(reply), |v| listed(v, "a").map(<[Value]>::len).ok_or("no".to_string()))
        };
        assert_eq!(read("Here you are:\n```json\n[1, 2]\n```"), Ok(2));
        assert_eq!((read("{\"a\": []}"), read("{\"a\": [3]}")), (Ok(0), Ok(1)));
        assert_eq!(read("I see [] there"), Err("no".to_string()));
        assert_eq!(read("[1, 2"), Err("there is no JSON object in it".to_string()));
        for text in ["[]", " [ ]\n", "```json\n[]\n```", "None: []"] {
            assert!(is_empty_list(&Value::from(text)), "{text}");
        }
        for text in ["[] or", "[1]", "As in [].", "[[]", "{\"a\": []", "[1] []", "]"] {
            assert!(!is_empty_list(&Value::from(text)), "{text}");
        }
    }

    #[test]
    fn words_are_bounded() {
        let long = "x".repeat(41);
        assert_eq!(words(Some(&json!(["a", " a ", "", long, 7, "b", "c"])), 2, 40), ["a", "b"]);
        assert_eq!(words(Some(&json!("a, b;c")), 9, 40), ["a", "b", "c"]);
        assert_eq!(words(None, 9, 40), Vec::<String>::new());
        assert_eq!((index(&json!("3")), index(&json!(-1)), index(&json!("NaN"))), (Some(3), None, None));
        assert_eq!((confidence(&json!("0.5")), confidence(&json!(7))), (Some(0.5), None));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in ".{0,200}", tail in "[\\[\\]{}\",:a0-9\n]{0,60}") {
            for text in [text, tail] {
                let _ = value_of(&Value::from(text.as_str()), |value| Ok::<_, String>(value.clone()));
                let _ = (line(&text, 20), words(Some(&Value::from(text.as_str())), 5, 5));
            }
        }
    }
}
