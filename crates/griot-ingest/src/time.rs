//! Parses times in files: absolute ones only, never relative ones such as "yesterday".

use griot::model::Timestamp;
use griot::text::{self, TimeExpression, TimeRelation};
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

/// The time of a passage that is below these headings, outermost first: the day or month that one of them
/// names, else what the document states of itself, else what one of its titles names, else when its file was
/// written. What a heading or title names is a whole day, and not after the file was written.
pub(crate) fn of_passage(
    heading: &[String],
    stated: Option<Timestamp>,
    titles: &[&str],
    file: Option<Timestamp>,
) -> Option<Timestamp> {
    let may_be = |at: &Timestamp| file.is_none_or(|file| *at <= file);
    heading
        .iter()
        .rev()
        .find_map(|heading| named_in(heading))
        .filter(may_be)
        .or(stated)
        .or_else(|| titles.iter().find_map(|title| named_in(title)).filter(may_be))
        .or(file)
}

/// Days of the longest span that dates a text. A year names no day: an annual report of 2025 was not written
/// on 1 January of it.
const A_MONTH: f64 = 31.0;

/// The first moment of a day or month that a heading begins or ends with: "2026-03-14 Board",
/// "1.2.0 (1 May 2024)".
fn named_in(heading: &str) -> Option<Timestamp> {
    let heading = heading.replace('_', " ");
    let heading = heading.trim_matches(|c: char| !c.is_alphanumeric());
    let is_meant = |found: &&TimeExpression| {
        let days = found.interval.end.days_since(found.interval.start);
        found.relation == TimeRelation::Within
            && days <= A_MONTH
            && (found.bytes.start == 0 || found.bytes.end == heading.len())
    };
    text::absolute_expressions(heading).iter().find(is_meant).and_then(|found| in_range(found.interval.start))
}

/// The first moment of the day or month that a text begins with, and where its words end.
pub(crate) fn day_at(text: &str) -> Option<(Timestamp, usize)> {
    /// Bytes; no date is longer.
    const LONGEST: usize = 40;
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let found = text::absolute_expressions(text).into_iter().find(|found| found.bytes.start == 0)?;
    let days = found.interval.end.days_since(found.interval.start);
    let is_meant = found.relation == TimeRelation::Within && days <= A_MONTH;
    is_meant.then_some(()).and_then(|()| Some((in_range(found.interval.start)?, found.bytes.end)))
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

    #[test]
    fn a_heading_names_its_day_at_an_end() {
        let day = |year, month, day| Timestamp::from_day(year, month, day);
        for (heading, at) in [
            ("2026-03-14 Board", day(2026, 3, 14)),
            ("Minutes of 14 March 2026", day(2026, 3, 14)),
            ("[1.2.0] - 2024-05-01", day(2024, 5, 1)),
            ("1.2.0 (May 2024)", day(2024, 5, 1)),
            ("Protokoll vom 3. Mai 2025", day(2025, 5, 3)),
            ("会议记录 2026年3月14日", day(2026, 3, 14)),
            ("14 March 2026: the roof", day(2026, 3, 14)),
            ("What became of the plan of March 2026 later", None),
            ("Prices 2026", None),
            ("What happened yesterday", None),
            ("14 March", None),
            ("Step 2", None),
            ("prices_2019", None),
            ("2025 budget", None),
        ] {
            assert_eq!(named_in(heading), at, "{heading}");
        }
    }

    #[test]
    fn what_is_nearest_to_a_passage_dates_it() {
        let day = |month, day| Timestamp::from_day(2026, month, day);
        let file = day(6, 1).map(|at| Timestamp(at.0 + 12_345));
        let headings = ["Log".to_string(), "2026-03-14".to_string(), "Roof".to_string()];
        let other = day(4, 2);
        assert_eq!(of_passage(&headings, other, &["Prices May 2026"], file), day(3, 14));
        assert_eq!(of_passage(&[], other, &["Prices May 2026"], file), other);
        assert_eq!(of_passage(&[], None, &["Prices May 2026"], file), day(5, 1));
        assert_eq!(of_passage(&[], None, &["Prices 2026", "x"], file), file);
        assert_eq!(of_passage(&[], None, &["Plans for July 2026", "x"], file), file);
        assert_eq!(of_passage(&["2026-07-01".to_string()], None, &[], file), file);
    }
}
