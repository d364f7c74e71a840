//! Parses times in files: absolute ones only, never relative ones such as "yesterday".

use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

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
    let bytes = text.as_bytes();
    let are_digits = |range| bytes.get(range).is_some_and(|part: &[u8]| part.iter().all(u8::is_ascii_digit));
    are_digits(0..4) && matches!(bytes.get(4), Some(b'-' | b'/' | b'.')) && are_digits(5..6)
}

/// The first date in a file name: `2026-03-02-release`, `notes_20260302`.
pub(crate) fn in_name(stem: &str) -> Option<Timestamp> {
    let bytes = stem.as_bytes();
    let date = |year: Range<usize>, month: Range<usize>, day: Range<usize>| {
        let year = number(stem.get(year)?, 4..=4)?;
        let (month, day) = (number(stem.get(month)?, 2..=2)?, number(stem.get(day)?, 2..=2)?);
        Timestamp::from_day(year, month, day).filter(|_| (1900..2200).contains(&year))
    };
    (0..bytes.len()).filter(|&i| i == 0 || !bytes[i - 1].is_ascii_digit()).find_map(|i| {
        let ends = |at: usize| !bytes.get(at).is_some_and(u8::is_ascii_digit);
        let separator = bytes.get(i + 4).copied()?;
        let separated = matches!(separator, b'-' | b'_' | b'.') && bytes.get(i + 7) == Some(&separator);
        if separated && ends(i + 10) {
            date(i..i + 4, i + 5..i + 7, i + 8..i + 10)
        } else if ends(i + 8) {
            date(i..i + 4, i + 4..i + 6, i + 6..i + 8)
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

/// A number of so many digits.
fn number<T: FromStr>(digits: &str, length: RangeInclusive<usize>) -> Option<T> {
    let is_number = length.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// `2026-03-02`, `2026/3/2 9:05`, `2026-03-02T09:05:07.25+01:00`, `2026-03-02 09:05 UTC`.
fn written_in_numbers(text: &str) -> Option<Timestamp> {
    let separator = text.chars().nth(4).filter(|c| "-/.".contains(*c))?;
    let (date, clock) = match text.split_once(['T', 't', ' ', '_']) {
        Some((date, clock)) => (date.strip_suffix(',').unwrap_or(date), Some(clock)),
        None => (text, None),
    };
    let [year, month, day] = date.split(separator).collect::<Vec<_>>().try_into().ok()?;
    let midnight = Timestamp::from_day(number(year, 4..=4)?, number(month, 1..=2)?, number(day, 1..=2)?)?;
    match clock {
        Some(clock) => Some(Timestamp(midnight.0 + time_of_day(clock)?)),
        None => Some(midnight),
    }
}

/// Milliseconds since midnight of `9:05`, `09:05:07.25+01:00`, `09:05 UTC`.
fn time_of_day(clock: &str) -> Option<i64> {
    let end = clock.find(|c: char| !c.is_ascii_digit() && !":.,".contains(c)).unwrap_or(clock.len());
    let (clock, zone) = clock.split_at(end);
    let (hour, rest) = clock.split_once(':')?;
    let (minute, second) = rest.split_once(':').unwrap_or((rest, "00"));
    let (second, fraction) = second.split_once(['.', ',']).unwrap_or((second, "0"));
    let in_range = |number: Option<i64>, limit| number.filter(|number| *number < limit);
    let hour = in_range(number(hour, 1..=2), 24)?;
    let minute = in_range(number(minute, 2..=2), 60)?;
    let second = in_range(number(second, 2..=2), 61)?;
    number::<u32>(fraction, 1..=9)?;
    let milliseconds: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let seconds = hour * 3600 + minute * 60 + second - offset(zone.strip_prefix(' ').unwrap_or(zone))?;
    Some(seconds * Timestamp::SECOND + milliseconds)
}

/// Seconds east of UTC: `Z`, `+01:00`, `-0130`, `+02`.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "" | "Z" | "z" | "UTC" | "GMT") {
        return Some(0);
    }
    let (direction, zone) = match zone.strip_prefix('+') {
        Some(zone) => (1, zone),
        None => (-1, zone.strip_prefix('-')?),
    };
    let (hours, minutes) = zone.split_at_checked(2)?;
    let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
    let minutes = if minutes.is_empty() { 0 } else { number::<i64>(minutes, 2..=2)? };
    let hours: i64 = number(hours, 2..=2)?;
    (hours < 24 && minutes < 60).then_some(direction * (hours * 60 + minutes) * 60)
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
