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

use super::asked_cues::{Tense, tense};
use super::calendar::{CalendarWord, Unit, calendar_word, date_at, digits, short_end, year};
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
        let [one, other] = presents().map(|now| parse_time(text, now));
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
    // The rules for words would leave out what is wrong in "2026-11-20T25:00:00Z".
    let is_instant =
        matches!(text.as_bytes(), [_, _, _, _, b'-', _, _, b'-', _, _, b'T' | b't', b'0'..=b'9', ..]);
    parse_instant(text).or_else(in_utc).or_else(|| if is_instant { None } else { in_words(text, now) })
}

fn in_words(text: &str, now: Timestamp) -> Option<Timestamp> {
    let words = words(text);
    if words.len() == 1
        && matches!(text.to_lowercase().as_str(), "now" | "jetzt" | "maintenant" | "ahora" | "现在")
    {
        return Some(now);
    }
    let reader = Reader::new(text, &words, now);
    // "A las 9", but not "a week ago".
    let is_a_las = |at: usize| reader.word(at) == "a" && matches!(&*reader.word(at + 1), "la" | "las");
    let skip_fillers = |mut at: usize| {
        while words.get(at).is_some_and(|word| is_filler(text, word)) || is_a_las(at) {
            at += 1;
        }
        at
    };
    // "in two weeks": the "in" is no filler here.
    if let Some((len, moment)) = reader.moment_ahead(0) {
        return (len == words.len()).then_some(moment);
    }
    // "1:56 pm on 8 May, 2023", "at 14:00 yesterday"; but not "um 8. Mai".
    let mut at = skip_fillers(0);
    let mut time_of_day = None;
    if date_at(text, &words, at).is_none()
        && let Some((len, millis)) = clock(&reader, at)
    {
        time_of_day = Some(millis);
        at = skip_fillers(at + len);
    }
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
        && let Some((len, millis)) = clock(&reader, at)
    {
        time_of_day = Some(millis);
        at = skip_fillers(at + len);
    }
    (at == words.len()).then(|| Timestamp(start.0 + time_of_day.unwrap_or(0)))
}

word_sets! {
    /// Words around a date or a time of day that add nothing to it.
    FILLERS = "on at am um the in im uhr utc den der le la el las à";
}

fn is_filler(text: &str, word: &Word) -> bool {
    let is_weekday = || matches!(calendar_word(word), Some(CalendarWord::Weekday(_)));
    FILLERS.contains(&word.key) || is_weekday() && !text[word.end..].trim().is_empty()
}

/// "14:00", "14:00:30", "1:56 pm", "2pm", "14 Uhr", "14h30", and "9" after "at", "um", "à" or "las": the
/// number of words, and milliseconds of the day.
fn clock(reader: &Reader<'_>, at: usize) -> Option<(usize, i64)> {
    let (text, words) = (reader.text, reader.words);
    let word = words.get(at)?;
    let shown = reader.word(at);
    let half = |text: &str| match text {
        "am" => Some(0),
        "pm" => Some(12),
        _ => None,
    };
    let number_len = shown.bytes().take_while(u8::is_ascii_digit).count();
    let (number, glued) = shown.split_at(number_len);
    let hour = i64::from(digits(number).filter(|_| (1..=2).contains(&number_len))?);
    let minutes = |text: &str| digits(text).filter(|minute| text.len() == 2 && *minute < 60);
    let of_day = |minute: u32| (hour * 60 + i64::from(minute)) * 60 * Timestamp::SECOND;
    if let Some(minute) = glued.strip_prefix('h').filter(|_| hour < 24) {
        return Some((1, of_day(if minute.is_empty() { 0 } else { minutes(minute)? })));
    }
    if glued.is_empty() && hour < 24 && matches!(&*reader.word(at + 1), "uhr" | "h" | "heures" | "horas") {
        let minute = minutes(&reader.word(at + 2));
        return Some((2 + usize::from(minute.is_some()), of_day(minute.unwrap_or(0))));
    }
    let is_cued = at > 0 && matches!(&*reader.word(at - 1), "at" | "um" | "à" | "las" | "la");
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
            let spaced = half(&reader.word(at + len));
            // In "8 am Montag" the "am" is German for "on", but there the hour would have minutes.
            len += usize::from(spaced.is_some());
            spaced
        }
    };
    let hour = match half_day {
        Some(offset) if (1..=12).contains(&hour) => hour % 12 + offset,
        None if (len >= 2 || is_cued) && hour < 24 => hour,
        _ => return None,
    };
    Some((len, millis + hour * Timestamp::HOUR))
}

/// The spans of time that a text names, in order; a day or month without a year is the latest one.
pub fn time_expressions(text: &str, now: Timestamp) -> Vec<TimeExpression> {
    let text = &text[..text.floor_char_boundary(QUERY_BYTES)];
    Reader::new(text, &words(text), now).expressions()
}

/// The same of a question. Where it asks for what is to come, a day or month without a year is the next one;
/// where it may mean either ("who is away on 15 December?"), also the next one if that is near.
pub fn times_asked(question: &str, now: Timestamp) -> Vec<TimeExpression> {
    /// Days ahead.
    const NEAR: f64 = 92.0;
    let mut times = time_expressions(question, now);
    if times.is_empty() {
        return times;
    }
    let question = &question[..question.floor_char_boundary(QUERY_BYTES)];
    let words = words(question);
    let next = || Reader::ahead(question, &words, now).expressions();
    match tense(question, &words) {
        Tense::Past => {}
        Tense::Ahead => times = next(),
        Tense::Either => {
            let mut next = next();
            next.retain(|one| {
                let start = one.interval.start;
                start > now && start.days_since(now) <= NEAR && !times.contains(one)
            });
            times.append(&mut next);
        }
    }
    times
}

/// The spans of time that a text names in full: neither relative ones nor those without a year.
pub fn absolute_expressions(text: &str) -> Vec<TimeExpression> {
    // Each has a year, and most texts have none.
    if years_in(text).is_empty() {
        return Vec::new();
    }
    let [mut one, other] = presents().map(|now| time_expressions(text, now));
    one.retain(|found| other.contains(found));
    one
}

/// Two values of now, for which a relative date such as "last week" differs.
fn presents() -> [Timestamp; 2] {
    [(2001, 3, 14), (2019, 11, 5)].map(|(y, m, d)| Timestamp::from_day(y, m, d).unwrap_or_default())
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
            let is_year = end > 12 || text[at..].starts_with('–');
            years.extend(short_end(found, end).filter(|_| is_year));
        }
    }
    years.sort_unstable();
    years.dedup();
    years
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;
    use crate::text::{EventAnchor, event_anchors};

    /// A Wednesday, half past nine.
    fn now() -> Timestamp {
        parse_instant("2024-06-05T09:30:00Z").expect("it is RFC 3339")
    }

    #[test]
    fn points_in_time_are_read() {
        check(include_str!("../../tests/cases/instants.tsv"), |text| {
            parse_time(text, now()).map(|time| time.to_string()).unwrap_or_default()
        });
    }

    #[test]
    fn spans_of_time_are_found() {
        let day = |t: Timestamp| t.to_string()[..10].to_string();
        let shown = |query: &str, found: Vec<TimeExpression>| {
            let shown = found.iter().map(|one| {
                let (start, end) = (day(one.interval.start), day(one.interval.end));
                format!("{:?} {start}..{end} [{}]", one.relation, &query[one.bytes.clone()])
            });
            shown.collect::<Vec<_>>().join(" | ")
        };
        check(include_str!("../../tests/cases/spans.tsv"), |text| shown(text, time_expressions(text, now())));
        check(include_str!("../../tests/cases/spans_asked.tsv"), |text| {
            shown(text, times_asked(text, now()))
        });
    }

    #[test]
    fn events_anchor_time_where_no_date_does() {
        check(include_str!("../../tests/cases/anchors.tsv"), |query| {
            let anchors = event_anchors(query).into_iter();
            let shown = |one: EventAnchor| {
                let day = |ms: i64| ms as f64 / Timestamp::DAY as f64;
                let far = one.distance.map(|far| format!(" {} to {} days", day(far.start), day(far.end)));
                format!("{:?} {}{}", one.relation, &query[one.bytes], far.unwrap_or_default())
            };
            anchors.map(shown).collect::<Vec<_>>().join(" | ")
        });
    }

    #[test]
    fn years_are_found_by_their_four_digits() {
        check(include_str!("../../tests/cases/years.tsv"), |text| {
            years_in(text).iter().map(i16::to_string).collect::<Vec<_>>().join(" ")
        });
    }
}
