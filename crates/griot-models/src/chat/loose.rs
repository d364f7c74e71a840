//! JSON in replies that surround it with words, fences or thoughts, or end before it does.

use serde_json::Value;

/// How many beginnings of an object or a list are tried.
const TRIES: usize = 50;
/// How many of them are tried as a value that was cut.
const CUT_TRIES: usize = 5;

/// The object or list of a reply that `read` accepts, or else the whole reply as a string, and whether it was
/// cut. The error of the first object that it refuses, or what is there instead.
pub fn object<T>(text: &str, read: impl Fn(&Value) -> Result<T, String>) -> Result<(T, Value, bool), String> {
    let text = without_thoughts(text);
    if text.is_empty() {
        return Err("it is empty".to_string());
    }
    let mut refused = None;
    let mut cut_tries = 0;
    for (at, _) in text.match_indices(['{', '[']).take(TRIES) {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        let (value, is_cut, hits_end) = match values.next() {
            Some(Ok(value)) => (Some(value), false, false),
            failed => {
                cut_tries += 1;
                let value = (cut_tries <= CUT_TRIES).then(|| completed(&text[at..])).flatten();
                (value, true, matches!(failed, Some(Err(error)) if error.is_eof()))
            }
        };
        if let Some(value) = value {
            match read(&value) {
                Ok(read) => return Ok((read, value, is_cut)),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
        // What follows is inside a value that was cut: a whole list or object there is no reply.
        if hits_end {
            break;
        }
    }
    // A model that ignores the form may reply in another one that `read` knows.
    let whole = Value::String(text.to_string());
    match read(&whole) {
        Ok(read) => Ok((read, whole, false)),
        Err(_) => Err(refused.unwrap_or_else(|| "there is no JSON object in it".to_string())),
    }
}

/// A reply in plain text that `read` accepts, as one JSON string.
pub(crate) fn text<T>(
    text: &str,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<(T, Value, bool), String> {
    let value = Value::String(without_thoughts(text).to_string());
    Ok((read(&value)?, value, false))
}

fn without_thoughts(text: &str) -> &str {
    text.rsplit_once("</think>").map_or(text, |(_, after)| after).trim()
}

/// What is complete of an object that was cut: everything up to the last bracket that closes something.
fn completed(text: &str) -> Option<Value> {
    let mut open = Vec::new();
    let mut last = None;
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'}' | b']' => {
                open.pop()?;
                last = Some((at + 1, open.clone()));
            }
            _ => {}
        }
        // Deeper than any form that is asked for.
        if open.len() > 64 {
            return None;
        }
    }
    let (end, open) = last.filter(|(_, open)| !open.is_empty())?;
    let closed: String = text[..end].chars().chain(open.into_iter().rev()).collect();
    serde_json::from_str(&closed).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: &Value) -> Result<usize, String> {
        value.get("a").and_then(Value::as_array).map(Vec::len).ok_or_else(|| "it has no `a`".to_string())
    }

    #[test]
    fn json_is_found_in_what_surrounds_it() {
        for text in [
            r#"{"a":[1,2]}"#,
            "```json\n{\"a\":[1,2]}\n```",
            "Sure! Here it is:\n{\"a\": [1, 2]}\nI hope {this} helps.",
            "<think>maybe {\"a\":[]}?</think>{\"a\":[1,2]}",
            r#"{"b":1} {"a":[1,2]}"#,
            r#"As in [1]: [{"a":[1,2]}]"#,
        ] {
            assert_eq!(object(text, read).map(|found| (found.0, found.2)), Ok((2, false)), "{text}");
        }
    }

    #[test]
    fn a_list_or_the_whole_reply_is_taken_by_who_reads_it() {
        let list = |value: &Value| value.as_array().map(Vec::len).ok_or_else(|| "it is no list".to_string());
        assert_eq!(object("See:\n```json\n[{\"a\":1},{\"a\":2}]\n```", list).map(|found| found.0), Ok(2));
        assert_eq!(
            object("[{\"a\":1},{\"a\":2},{\"a\"", list).map(|found| (found.0, found.2)),
            Ok((2, true))
        );
        let text = |value: &Value| value.as_str().map(str::len).ok_or_else(|| "it is no text".to_string());
        assert_eq!(object(" <a>{\"b\":1}</a>", text).map(|found| found.0), Ok(14));
    }

    #[test]
    fn what_is_complete_of_a_cut_reply_counts() {
        let cut = r#"{"a":[{"t":"one } \" ["},{"t":"two"},{"t":"thr"#;
        let found = object(cut, read).expect("two are complete");
        assert_eq!((found.0, found.2), (2, true));
        assert_eq!(found.1, json!({"a": [{"t": "one } \" ["}, {"t": "two"}]}));
        let prefixed = format!("Here {{is}} it: {cut}");
        assert_eq!(object(&prefixed, read).map(|found| found.0), Ok(2));
        for hopeless in [r#"{"a":["#, r#"{"a""#, "}", "[[[", &"{".repeat(1_000_000), &"[{".repeat(10_000)] {
            assert!(object(hopeless, read).is_err());
        }
    }

    #[test]
    fn a_whole_part_of_a_cut_reply_is_not_the_reply() {
        let list = |value: &Value| value.as_array().map(Vec::len).ok_or_else(|| "it is no list".to_string());
        let cut = r#"{"a":[{"t":"one","turns":[1,2],"facts":[],"b":{"a":[]}"#;
        assert_eq!(object(cut, list).map(|_| ()), Err("it is no list".into()));
        let found = object(cut, read).expect("its beginning is complete");
        assert_eq!((found.0, found.2), (1, true));
        let inner = |value: &Value| match value.get("turns") {
            Some(_) => Ok(()),
            None => Err("it has no `turns`".to_string()),
        };
        assert!(object(cut, inner).is_err());
    }

    #[test]
    fn what_is_no_reply_says_why() {
        assert_eq!(object("", read).map(|_| ()), Err("it is empty".into()));
        assert_eq!(object("I do not know.", read).map(|_| ()), Err("there is no JSON object in it".into()));
        assert_eq!(object(r#"{"b":[]}"#, read).map(|_| ()), Err("it has no `a`".into()));
    }
}
