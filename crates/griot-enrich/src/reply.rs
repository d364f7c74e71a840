//! What every reply needs: words on one line, numbers in any spelling.

use serde_json::Value;

/// One line of at most `most` characters, without control characters and quotes around it.
pub(crate) fn line(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    line.trim_matches(|c| matches!(c, '"' | '`' | '\'' | ' ')).chars().take(most).collect()
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
