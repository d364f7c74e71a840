//! Reads points and spans of time in a text.
//!
//! The only parser of times. [`parse_instant`] accepts RFC 3339, as in JSON; [`parse_absolute_time`] what
//! people and programs write into files; [`parse_time`] also what a user says, such as "yesterday". In
//! running text, `calendar` finds dates and `timespan` finds spans.
//!
//! All times are UTC, because memories are stored in UTC. A date without a year is the latest one that is not
//! in the future, because questions to a memory are about the past.

use std::ops::RangeInclusive;

use crate::model::Timestamp;

use super::calendar::{CalendarWord, Unit, calendar_word, date_at, digits, year};
use super::timespan::{Reader, TimeExpression};
use super::words::{Word, words};

/// Bytes of a question that are read: a question is short, a pasted document is not one.
pub(super) const QUERY_BYTES: usize = 4096;

/// A point in time with its offset from UTC, as in RFC 3339.
pub fn parse_instant(text: &str) -> Option<Timestamp> {
    text.parse().ok().map(|stamp: jiff::Timestamp| Timestamp(stamp.as_millisecond()))
}

/// A point in time that does not depend on the present: a date in figures or in words, with or without a time
/// of day, from 1900 on.
pub fn parse_absolute_time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let at = in_figures(text).or_else(|| {
        // The rules for words must not guess what an invalid date in figures means.
        if matches!(text.as_bytes(), [a, b, c, d, b'-' | b'/' | b'.', e, ..]
            if [a, b, c, d, e].iter().all(|byte| byte.is_ascii_digit()))
        {
            return None;
        }
        // A relative date such as "last week" differs for two values of now.
        let presents = [(2001, 3, 14), (2019, 11, 5)].map(|(y, m, d)| Timestamp::from_day(y, m, d));
        let [one, other] = presents.map(|now| parse_time(text, now.unwrap_or_default()));
        one.filter(|_| one == other)
    });
    at.filter(|at| (Timestamp::EARLIEST..=Timestamp::LATEST).contains(at))
}

/// `2026-03-02`, `2026/3/2 9:05`, `2026-03-02T09:05:07.25+01:00`, `2026-03-02 09:05 UTC`; UTC unless an
/// offset follows.
fn in_figures(text: &str) -> Option<Timestamp> {
    let is_number = |part: &str, lengths: RangeInclusive<usize>| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let separator = text.get(4..)?.chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let (date, clock) = match text.split_once(['T', 't', ' ', '_']) {
        Some((date, clock)) => (date.strip_suffix(',').unwrap_or(date), Some(clock)),
        None => (text, None),
    };
    let parts: Vec<&str> = date.split(separator).collect();
    let &[year, month, day] = parts.as_slice() else { return None };
    if !is_number(year, 4..=4) || !is_number(month, 1..=2) || !is_number(day, 1..=2) {
        return None;
    }
    let date = format!("{year}-{month:0>2}-{day:0>2}");
    let Some(clock) = clock else { return parse_instant(&format!("{date}T00:00Z")) };
    let end =
        clock.find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.' | ',')).unwrap_or(clock.len());
    let (clock, offset) = clock.split_at(end);
    let (hour, rest) = clock.split_once(':').filter(|(hour, _)| is_number(hour, 1..=2))?;
    let offset = match offset.strip_prefix(' ').unwrap_or(offset) {
        "" | "UTC" | "GMT" => "Z",
        other => other,
    };
    parse_instant(&format!("{date}T{hour:0>2}:{rest}{offset}"))
}

/// A point in time: RFC 3339, a date with or without time of day, "yesterday", "3 days ago".
///
/// A date without time is its first moment; "3 days ago" keeps the time of day of `now`. `None` if the text
/// contains anything else.
pub fn parse_time(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 100 {
        return None;
    }
    let civil = || text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok();
    let in_utc = || civil().map(|zoned| Timestamp(zoned.timestamp().as_millisecond()));
    parse_instant(text).or_else(in_utc).or_else(|| in_words(text, now))
}

fn in_words(text: &str, now: Timestamp) -> Option<Timestamp> {
    let words = words(text);
    if words.len() == 1
        && matches!(text.to_lowercase().as_str(), "now" | "jetzt" | "maintenant" | "ahora" | "现在")
    {
        return Some(now);
    }
    let skip_fillers = |mut at: usize| {
        while words.get(at).is_some_and(|word| is_filler(text, word)) {
            at += 1;
        }
        at
    };
    let mut at = 0;
    let mut time_of_day = None;
    // "1:56 pm on 8 May, 2023", "at 14:00 yesterday".
    if let Some((len, millis)) = clock(text, &words, 0) {
        time_of_day = Some(millis);
        at = len;
    }
    at = skip_fillers(at);
    let reader = Reader { text, words: &words, now, today: now.date() };
    let (len, start) = match date_at(text, &words, at) {
        // A year alone is usually a number, but here it is the whole text.
        Some((len, date)) if date.year.is_some() => {
            let (year, month, day) = (date.year?, date.month.unwrap_or(1), date.day.unwrap_or(1));
            (len, Timestamp::from_day(year, month, day)?)
        }
        _ => match reader.moment_ago(at) {
            Some((len, moment, Unit::Minute | Unit::Hour | Unit::Day | Unit::Week)) => (len, moment),
            // Months and years have no fixed length: the calendar decides.
            _ => reader.expression_at(at).map(|(len, _, interval)| (len, interval.start))?,
        },
    };
    at = skip_fillers(at + len);
    if time_of_day.is_none()
        && let Some((len, millis)) = clock(text, &words, at)
    {
        time_of_day = Some(millis);
        at = skip_fillers(at + len);
    }
    (at == words.len()).then(|| Timestamp(start.0 + time_of_day.unwrap_or(0)))
}

fn is_filler(text: &str, word: &Word) -> bool {
    matches!(
        word.text(text).to_lowercase().as_str(),
        "on" | "at" | "am" | "um" | "the" | "in" | "im" | "uhr" | "utc" | "den" | "der"
    ) || (matches!(calendar_word(word), Some(CalendarWord::Weekday(_)))
        && !text[word.end..].trim().is_empty())
}

/// "14:00", "14:00:30", "1:56 pm", "2pm": the number of words, and milliseconds of the day.
fn clock(text: &str, words: &[Word], at: usize) -> Option<(usize, i64)> {
    let word = words.get(at)?;
    let shown = word.text(text).to_lowercase();
    let half = |text: &str| match text {
        "am" => Some(0),
        "pm" => Some(12),
        _ => None,
    };
    let number_len = shown.bytes().take_while(u8::is_ascii_digit).count();
    let (number, glued) = shown.split_at(number_len);
    let hour = i64::from(digits(number).filter(|_| (1..=2).contains(&number_len))?);
    let next = words.get(at + 1);
    let colon = |before: &Word, after: Option<&Word>| {
        after.is_some_and(|after| text[before.end..after.start] == *":")
    };
    let (mut len, mut millis) = (1, 0);
    let mut glued_half = half(glued);
    if glued.is_empty() && colon(word, next) {
        let minute_text = next?.text(text).to_lowercase();
        let minute_len = minute_text.bytes().take_while(u8::is_ascii_digit).count();
        let minute = digits(&minute_text[..minute_len]).filter(|minute| *minute < 60)?;
        glued_half = half(&minute_text[minute_len..]);
        millis += i64::from(minute) * 60 * Timestamp::SECOND;
        len = 2;
        if colon(next?, words.get(at + 2)) {
            let second = digits(words.get(at + 2)?.text(text)).filter(|second| *second < 60)?;
            millis += i64::from(second) * Timestamp::SECOND;
            len = 3;
        }
    } else if !glued.is_empty() && glued_half.is_none() {
        return None;
    }
    let half_day = match glued_half {
        Some(half) => Some(half),
        None => {
            let spaced = words.get(at + len).and_then(|word| half(&word.text(text).to_lowercase()));
            // In "8 am Montag" the "am" is German for "on", but there the hour would have minutes.
            len += usize::from(spaced.is_some());
            spaced
        }
    };
    let hour = match half_day {
        Some(offset) if (1..=12).contains(&hour) => hour % 12 + offset,
        None if len >= 2 && hour < 24 => hour,
        _ => return None,
    };
    Some((len, millis + hour * Timestamp::HOUR))
}

/// The spans of time that a question names, in order.
pub fn time_expressions(query: &str, now: Timestamp) -> Vec<TimeExpression> {
    let query = &query[..query.floor_char_boundary(QUERY_BYTES)];
    let words = words(query);
    Reader { text: query, words: &words, now, today: now.date() }.expressions()
}

/// The distinct years from 1000 to 2100 that are written as four digits, sorted; for "1916–20" both ends.
pub fn years_in(text: &str) -> Vec<i16> {
    let bytes = text.as_bytes();
    let mut years = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        let Some(found) = text.get(start..at).and_then(year) else { continue };
        let before = &bytes[..start];
        let is_part = match before {
            // A decimal, but not the year of "8.5.2023".
            [days @ .., b'0'..=b'9', b'.'] => {
                !text[..days.len()].trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('.')
            }
            [.., b'0'..=b'9', b','] => true,
            [.., last] => last.is_ascii_alphabetic() || matches!(last, b'$' | b'#' | b'_'),
            [] => false,
        };
        let after = &bytes[at..];
        let is_number = match after {
            [b'.' | b',', digit, ..] => digit.is_ascii_digit() && before.last() != Some(&b'.'),
            [b's' | b'e', ..] => false,
            [next, ..] => next.is_ascii_alphabetic() && *next != b'T',
            [] => false,
        };
        if is_part || is_number {
            continue;
        }
        years.push(found);
        // The short end of a range; "2023-05" is a month.
        let rest = text[at..].strip_prefix(['-', '–', '/']).unwrap_or_default();
        let short = rest.bytes().take_while(u8::is_ascii_digit).count();
        let ends_there = !rest[short..].starts_with(['-', '.']);
        if let (2, true, Some(end)) = (short, ends_there, digits(&rest[..short])) {
            let end = i16::try_from(end).unwrap_or(0);
            if end > found % 100 && (end > 12 || text[at..].starts_with('–')) {
                years.push(found / 100 * 100 + end);
            }
        }
    }
    years.sort_unstable();
    years.dedup();
    years
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    use crate::text::{TimeRelation, event_anchors};

    /// A Wednesday, half past nine.
    fn now() -> Timestamp {
        parse_instant("2024-06-05T09:30:00Z").expect("it is RFC 3339")
    }

    #[test]
    fn points_in_time_are_read() {
        let cases = [
            ("2023-05-08T14:00:00Z", "2023-05-08T14:00:00Z"),
            ("2023-05-08T14:00:00+02:00", "2023-05-08T12:00:00Z"),
            ("2023-05-08T14:00:00", "2023-05-08T14:00:00Z"),
            ("2023-05-08", "2023-05-08T00:00:00Z"),
            ("2023-05-08 14:00", "2023-05-08T14:00:00Z"),
            ("8 May 2023", "2023-05-08T00:00:00Z"),
            ("8. Mai 2023", "2023-05-08T00:00:00Z"),
            ("May 8, 2023", "2023-05-08T00:00:00Z"),
            ("May 8, 2023 at 2pm", "2023-05-08T14:00:00Z"),
            ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00Z"),
            ("8. Mai 2023 um 14:30 Uhr", "2023-05-08T14:30:00Z"),
            ("May 2023", "2023-05-01T00:00:00Z"),
            ("2023", "2023-01-01T00:00:00Z"),
            ("yesterday", "2024-06-04T00:00:00Z"),
            ("yesterday at 10:15", "2024-06-04T10:15:00Z"),
            ("gestern", "2024-06-04T00:00:00Z"),
            ("3 days ago", "2024-06-02T09:30:00Z"),
            ("two hours ago", "2024-06-05T07:30:00Z"),
            ("vor drei Tagen", "2024-06-02T09:30:00Z"),
            ("last Friday", "2024-05-31T00:00:00Z"),
            ("now", "2024-06-05T09:30:00Z"),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_time(text, now()).map(|t| t.to_string()), Some(expected.to_string()), "{text}");
        }
        for text in
            ["", "soon", "2023-13-01", "31 February 2023", "in the release of 2023 we", "99:99", "May", "8"]
        {
            if text != "May" {
                assert_eq!(parse_time(text, now()), None, "{text}");
            }
        }
    }

    fn shown(query: &str) -> Vec<String> {
        let day = |t: Timestamp| t.to_string()[..10].to_string();
        time_expressions(query, now())
            .iter()
            .map(|e| {
                format!(
                    "{:?} {}..{} [{}]",
                    e.relation,
                    day(e.interval.start),
                    day(e.interval.end),
                    &query[e.bytes.clone()]
                )
            })
            .collect()
    }

    #[track_caller]
    fn check(cases: &[(&str, &[&str])]) {
        for (query, expected) in cases {
            assert_eq!(shown(query), *expected, "{query}");
        }
    }

    #[test]
    fn years_and_ranges_become_spans() {
        check(&[
            ("What happened in 2023?", &["Within 2023-01-01..2024-01-01 [in 2023]"]),
            ("coach from 2012 to 2015", &["Within 2012-01-01..2016-01-01 [from 2012 to 2015]"]),
            (
                "between May 2019 and June 2021",
                &["Within 2019-05-01..2021-07-01 [between May 2019 and June 2021]"],
            ),
            ("from Mar to Jun 2014", &["Within 2014-03-01..2014-07-01 [from Mar to Jun 2014]"]),
            ("position 1916-1920?", &["Within 1916-01-01..1921-01-01 [1916-1920]"]),
            ("music of the 1990s", &["Within 1990-01-01..2000-01-01 [1990s]"]),
            ("in the 19th century", &["Within 1801-01-01..1901-01-01 [in the 19th century]"]),
            ("revenue in Q2 2024", &["Within 2024-04-01..2024-07-01 [in Q2 2024]"]),
            ("zwischen 2019 und 2021", &["Within 2019-01-01..2022-01-01 [zwischen 2019 und 2021]"]),
            ("port 5432 and 1500 users", &[]),
        ]);
    }

    #[test]
    fn days_months_and_seasons_become_spans() {
        check(&[
            ("the talk in May 2023", &["Within 2023-05-01..2023-06-01 [in May 2023]"]),
            ("What did we do in May?", &["Within 2024-05-01..2024-06-01 [in May]"]),
            ("last November", &["Within 2023-11-01..2023-12-01 [last November]"]),
            ("May I ask?", &[]),
            ("on 8 May, 2023", &["Within 2023-05-08..2023-05-09 [on 8 May, 2023]"]),
            ("on December 24", &["Within 2023-12-24..2023-12-25 [on December 24]"]),
            ("summer 2022", &["Within 2022-06-01..2022-09-01 [summer 2022]"]),
            ("last winter", &["Within 2023-12-01..2024-03-01 [last winter]"]),
            ("im Mai 2023", &["Within 2023-05-01..2023-06-01 [im Mai 2023]"]),
        ]);
    }

    #[test]
    fn relative_times_are_counted_from_now() {
        check(&[
            ("what did I say yesterday", &["Within 2024-06-04..2024-06-05 [yesterday]"]),
            ("last week", &["Within 2024-05-27..2024-06-03 [last week]"]),
            ("this month", &["Within 2024-06-01..2024-07-01 [this month]"]),
            ("last year", &["Within 2023-01-01..2024-01-01 [last year]"]),
            ("two weeks ago", &["Around 2024-05-20..2024-05-27 [two weeks ago]"]),
            ("3 days ago", &["Within 2024-06-02..2024-06-03 [3 days ago]"]),
            ("in the last 3 days", &["Within 2024-06-02..2024-06-05 [in the last 3 days]"]),
            ("last Friday", &["Within 2024-05-31..2024-06-01 [last Friday]"]),
            ("on Wednesday", &["Within 2024-05-29..2024-05-30 [on Wednesday]"]),
            ("vor zwei Wochen", &["Around 2024-05-20..2024-05-27 [vor zwei Wochen]"]),
            ("letzte Woche", &["Within 2024-05-27..2024-06-03 [letzte Woche]"]),
            ("vorgestern", &["Within 2024-06-03..2024-06-04 [vorgestern]"]),
            ("in den letzten drei Monaten", &["Within 2024-03-05..2024-06-05 [in den letzten drei Monaten]"]),
        ]);
    }

    #[test]
    fn prepositions_say_how_the_times_relate() {
        check(&[
            ("before 2020", &["Before 2020-01-01..2021-01-01 [before 2020]"]),
            ("after May 2021", &["After 2021-05-01..2021-06-01 [after May 2021]"]),
            ("since 2022", &["Within 2022-01-01..2024-06-05 [since 2022]"]),
            ("until 2020", &["Within 1900-01-01..2021-01-01 [until 2020]"]),
            ("around 2015", &["Around 2015-01-01..2016-01-01 [around 2015]"]),
            ("seit 2022", &["Within 2022-01-01..2024-06-05 [seit 2022]"]),
            ("vor 2020", &["Before 2020-01-01..2021-01-01 [vor 2020]"]),
        ]);
    }

    #[test]
    fn events_anchor_time_where_no_date_does() {
        let shown = |query: &str| {
            let anchors = event_anchors(query).into_iter();
            let line =
                |(relation, range): (TimeRelation, Range<usize>)| format!("{relation:?} {}", &query[range]);
            anchors.map(line).collect::<Vec<_>>()
        };
        let cases: [(&str, &[&str]); 10] = [
            ("What changed before the release?", &["Before release"]),
            ("What broke after the migration to Redis?", &["After migration to Redis"]),
            ("After we moved, what failed?", &["After we moved"]),
            ("After the release what did we do?", &["After release"]),
            ("What happened before 2020?", &[]),
            ("What happened after May 2021?", &[]),
            ("Who was she named after?", &[]),
            ("Was geschah nach dem Umzug?", &["After Umzug"]),
            ("during the outage", &["Around outage"]),
            ("发布之前发生了什么？", &["Before 发布"]),
        ];
        for (query, expected) in cases {
            assert_eq!(shown(query), expected, "{query}");
        }
    }

    #[test]
    fn years_are_found_by_their_four_digits() {
        let cases: [(&str, &[i16]); 8] = [
            ("1916-1920 and 2023-05-08", &[1916, 1920, 2023]),
            ("1916–20, 1990s, (2001)", &[1916, 1920, 1990, 2001]),
            ("12345 3.1999 $2000 v2001 0999 2101", &[]),
            ("2,023 or 1500.5", &[]),
            ("In 2023.", &[2023]),
            ("2023-05", &[2023]),
            ("8.5.2023", &[2023]),
            ("2023-05-08T14:00:00", &[2023]),
        ];
        for (text, expected) in cases {
            assert_eq!(years_in(text), expected, "{text}");
        }
    }
}
