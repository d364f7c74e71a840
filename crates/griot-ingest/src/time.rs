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

/// RFC 3339, `YYYY-MM-DD` with or without a time of day (UTC unless an offset follows), a number of seconds
/// since 1970, or words that name a date. `None` also for times that no memory can have (before 1900).
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 64 {
        return None;
    }
    if let Some(at) = written_in_numbers(text) {
        return in_range(at);
    }
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return of_number(text.parse().ok()?);
    }
    if starts_with_date(text) {
        return None; // an invalid numeric date: a more lenient parser must not guess
    }
    in_range(in_words(text)?)
}

fn starts_with_date(text: &str) -> bool {
    let mut rest = text.as_bytes();
    take(&mut rest, 4, 4).is_some() && sign(&mut rest, b"-/.").is_some() && take(&mut rest, 1, 2).is_some()
}

/// The first date in a file name: `2026-03-02-release`, `notes_20260302`.
pub(crate) fn in_name(stem: &str) -> Option<Timestamp> {
    let bytes = stem.as_bytes();
    let digits = |range: std::ops::Range<usize>| -> Option<u32> {
        let part = bytes.get(range)?;
        part.iter().all(u8::is_ascii_digit).then(|| number(part))
    };
    let day = |year: u32, month: u32, day: u32| {
        let at = Timestamp::from_day(year as i16, month as i8, day as i8)?;
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

fn in_range(at: Timestamp) -> Option<Timestamp> {
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
    in_range(Timestamp(milliseconds as i64))
}

/// Uses the engine's date parser. It also resolves relative dates ("last week"), which are rejected here: the
/// result must be the same for two different values of now.
fn in_words(text: &str) -> Option<Timestamp> {
    let presents =
        [(2001, 3, 14), (2019, 11, 5)].map(|(y, m, d)| Timestamp::from_day(y, m, d).unwrap_or_default());
    let [one, other] = presents.map(|now| text::parse_time(text, now));
    if one == other { one } else { None }
}

fn number(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0'))
}

/// Consumes `at_least` to `at_most` leading digits.
fn take(text: &mut &[u8], at_least: usize, at_most: usize) -> Option<u32> {
    let count = text.iter().take(at_most).take_while(|b| b.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(count)?;
    if count < at_least {
        return None;
    }
    *text = rest;
    Some(number(digits))
}

fn sign(text: &mut &[u8], signs: &[u8]) -> Option<u8> {
    let (&first, rest) = text.split_first()?;
    if !signs.contains(&first) {
        return None;
    }
    *text = rest;
    Some(first)
}

/// `2026-03-02`, `2026/3/2 9:05`, `2026-03-02T09:05:07.25+01:00`, `2026-03-02 09:05 UTC`.
fn written_in_numbers(text: &str) -> Option<Timestamp> {
    let mut rest = text.as_bytes();
    let year = take(&mut rest, 4, 4)?;
    let separator = sign(&mut rest, b"-/.")?;
    let month = take(&mut rest, 1, 2)?;
    sign(&mut rest, &[separator])?;
    let day = take(&mut rest, 1, 2)?;
    let midnight = Timestamp::from_day(year as i16, month as i8, day as i8)?;
    if rest.is_empty() {
        return Some(midnight);
    }
    sign(&mut rest, b",");
    sign(&mut rest, b"Tt _")?;
    let hour = take(&mut rest, 1, 2)?;
    sign(&mut rest, b":")?;
    let minute = take(&mut rest, 2, 2)?;
    let mut second = 0;
    let mut millisecond = 0;
    if sign(&mut rest, b":").is_some() {
        second = take(&mut rest, 2, 2)?;
        if sign(&mut rest, b".,").is_some() {
            let fraction = rest;
            take(&mut rest, 1, 9)?;
            let digits = &fraction[..fraction.len() - rest.len()];
            millisecond = (0..3).fold(0, |n, i| n * 10 + u32::from(digits.get(i).map_or(0, |b| b - b'0')));
        }
    }
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    sign(&mut rest, b" ");
    let offset = match rest {
        b"" | b"Z" | b"z" | b"UTC" | b"GMT" => 0,
        _ => {
            let direction = if sign(&mut rest, b"+-")? == b'-' { -1 } else { 1 };
            let hours = take(&mut rest, 2, 2)?;
            sign(&mut rest, b":");
            let minutes = if rest.is_empty() { 0 } else { take(&mut rest, 2, 2)? };
            if !rest.is_empty() || hours > 23 || minutes > 59 {
                return None;
            }
            direction * i64::from(hours * 60 + minutes) * 60
        }
    };
    let seconds = i64::from(hour * 3600 + minute * 60 + second) - offset;
    Some(Timestamp(midnight.0 + seconds * Timestamp::SECOND + i64::from(millisecond)))
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
