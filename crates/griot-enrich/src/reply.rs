//! What every reply needs: JSON among words and fences, words on one line, numbers in any spelling.

use serde_json::{Deserializer, Value};

/// How many beginnings of a value are tried.
const TRIES: usize = 50;

/// Reads a value as it is, or the first object or list in a text that `read` accepts.
pub(crate) fn anywhere<T>(reply: &Value, read: impl Fn(&Value) -> Result<T, String>) -> Result<T, String> {
    let Value::String(text) = reply else { return read(reply) };
    let mut refused = None;
    for (at, _) in text.match_indices(['{', '[']).take(TRIES) {
        if let Some(Ok(value)) = Deserializer::from_str(&text[at..]).into_iter::<Value>().next() {
            match read(&value) {
                Ok(found) => return Ok(found),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
    }
    Err(refused.unwrap_or_else(|| "there is no JSON in it".to_string()))
}

/// One line of at most `most` characters, without control characters and quotes around it.
pub(crate) fn line(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    line.trim_matches(|c| matches!(c, '"' | '`' | '\'' | ' ')).chars().take(most).collect()
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
        let word = line(word, longest + 1);
        if !word.is_empty() && word.chars().count() <= longest && !found.contains(&word) {
            found.push(word);
        }
        if found.len() == most {
            break;
        }
    }
    found
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
    fn json_is_found_among_words_and_fences() {
        let list =
            |reply: &str| anywhere(&Value::from(reply), |v| v.as_array().cloned().ok_or("no".to_string()));
        assert_eq!(list("Here you are:\n```json\n[1, 2]\n```"), Ok(vec![json!(1), json!(2)]));
        assert_eq!(list("{\"a\": [3]}"), Ok(vec![json!(3)]));
        assert_eq!(list("nothing"), Err("there is no JSON in it".to_string()));
        assert_eq!(list("[1, 2"), Err("there is no JSON in it".to_string()));
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
                let _ = anywhere(&Value::from(text.as_str()), |value| Ok::<_, String>(value.clone()));
                let _ = (line(&text, 20), words(Some(&Value::from(text.as_str())), 5, 5));
            }
        }
    }
}
