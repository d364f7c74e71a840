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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        parse(text).map_or_else(|| "no time".to_string(), |at| at.to_string())
    }

    #[test]
    fn times_in_numbers() {
        for (text, expected) in [
            ("2026-03-02", "2026-03-02T00:00:00Z"),
            (" 2026/3/2 9:05 ", "2026-03-02T09:05:00Z"),
            ("2026-03-02 09:05", "2026-03-02T09:05:00Z"),
            ("2026-03-02T09:05:07Z", "2026-03-02T09:05:07Z"),
            ("2026-03-02T09:05:07.25+01:00", "2026-03-02T08:05:07.250Z"),
            ("2026-03-02T00:05:07.123456789-0130", "2026-03-02T01:35:07.123Z"),
            ("2026-03-02 09:05 UTC", "2026-03-02T09:05:00Z"),
            ("1772442300", "2026-03-02T09:05:00Z"),
            ("1772442300.5", "2026-03-02T09:05:00.500Z"),
            ("1772442300000", "2026-03-02T09:05:00Z"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_point_in_time() {
        for text in [
            "",
            "tomorrow",
            "last week",
            "2026-02-30",
            "2026-13-01",
            "2026-03-02T25:00",
            "2026-03-02T09:05:07+1",
            "1899-12-31",
            "0001-01-01",
            "20260302",
            "17",
            "9",
            "-1",
            "1e9",
            "2026-03-02T09:05 or so",
            "99999999999999999999999",
        ] {
            assert_eq!(read(text), "no time", "{text}");
        }
        assert_eq!(of_value(&serde_json::json!(true)), None);
        assert_eq!(of_value(&serde_json::json!(-5)), None);
    }

    #[test]
    fn dates_in_file_names() {
        for (name, expected) in [
            ("2026-03-02-release", Some("2026-03-02T00:00:00Z")),
            ("standup_2026_03_02", Some("2026-03-02T00:00:00Z")),
            ("notes-20260302", Some("2026-03-02T00:00:00Z")),
            ("v1.2.3", None),
            ("2026-13-02", None),
            ("120260302", None),
            ("zażółć-2026-03-0", None),
            ("", None),
        ] {
            assert_eq!(in_name(name).map(|at| at.to_string()).as_deref(), expected, "{name}");
        }
    }
}
