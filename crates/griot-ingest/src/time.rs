//! Parses times in files: absolute ones only, never relative ones such as "yesterday".

use griot::model::Timestamp;
use griot::text;
use serde_json::Value;

/// Parses a JSON string or number; numbers are seconds, milliseconds or microseconds since 1970.
pub(crate) fn of_value(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => parse(text),
        Value::Number(number) => of_number(number.as_f64()?),
        _ => None,
    }
}

/// An absolute time as the engine reads it, or a number of seconds since 1970. `None` also for times that no
/// memory can have (before 1900).
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 64 {
        return None;
    }
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        // `2026.03.02` is a date.
        return text.parse().map_or_else(|_| text::parse_absolute_time(text), of_number);
    }
    text::parse_absolute_time(text)
}

/// A time as mail headers give it: `Mon, 5 May 2025 10:00:00 +0200`.
pub(crate) fn of_mail(text: &str) -> Option<Timestamp> {
    let at = mail_parser::DateTime::parse_rfc822(text).filter(mail_parser::DateTime::is_valid)?;
    in_range(Timestamp(at.to_timestamp().checked_mul(1000)?))
}

/// The first date in a file name: `2026-03-02-release`, `notes_20260302`.
pub(crate) fn in_name(stem: &str) -> Option<Timestamp> {
    let bytes = stem.as_bytes();
    let digits = |range: std::ops::Range<usize>| -> Option<i16> {
        let part = stem.get(range).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        part.parse().ok()
    };
    let day = |year: i16, month: i16, day: i16| {
        let at = Timestamp::from_day(year, month as i8, day as i8)?;
        (1900..2200).contains(&year).then_some(at)
    };
    (0..bytes.len()).filter(|&i| i == 0 || !bytes[i - 1].is_ascii_digit()).find_map(|i| {
        let ends = |at: usize| !bytes.get(at).is_some_and(u8::is_ascii_digit);
        let separator = bytes.get(i + 4).copied()?;
        let separated = matches!(separator, b'-' | b'_' | b'.') && bytes.get(i + 7) == Some(&separator);
        if separated && ends(i + 10) {
            day(digits(i..i + 4)?, digits(i + 5..i + 7)?, digits(i + 8..i + 10)?)
        } else if ends(i + 8) {
            day(digits(i..i + 4)?, digits(i + 4..i + 6)?, digits(i + 6..i + 8)?)
        } else {
            None
        }
    })
}

/// A time that a memory can have.
pub(crate) fn in_range(at: Timestamp) -> Option<Timestamp> {
    (Timestamp::EARLIEST..=Timestamp::LATEST).contains(&at).then_some(at)
}

/// Numbers below 10⁸ (March 1973) are more likely counts or dates without separators.
fn of_number(number: f64) -> Option<Timestamp> {
    let milliseconds = match number {
        n if (1e8..1e11).contains(&n) => n * 1e3,
        n if (1e11..1e14).contains(&n) => n,
        n if (1e14..1e17).contains(&n) => n / 1e3,
        _ => return None,
    };
    Some(Timestamp(milliseconds as i64))
}
