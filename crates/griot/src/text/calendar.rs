//! Words of the calendar and dates made of them, in English, German, French and Spanish.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::words::{Gap, KeyMap, Word, key, lines, words};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CalendarWord {
    /// 1..=12.
    Month(i8),
    /// Monday is 1.
    Weekday(i8),
    /// The first month of the season.
    Season(i8),
    Unit(Unit),
    Number(i32),
    /// Days from today.
    Day(i32),
}

named! {
    /// In the order of their numbers in `data/calendar.tsv`, from 1.
    Unit {
        Hour = "hour",
        Day = "day",
        Week = "week",
        Month = "month",
        Quarter = "quarter",
        Year = "year",
        Decade = "decade",
        Weekend = "weekend",
        Minute = "minute",
    }
}

/// For each word whether it needs a capital, and its meaning.
static CALENDAR: LazyLock<KeyMap<(bool, CalendarWord)>> = LazyLock::new(|| {
    let mut calendar = KeyMap::default();
    for line in lines(include_str!("../../data/calendar.tsv")) {
        let mut columns = line.split('\t');
        let (Some(word), Some(kind), Some(number)) = (columns.next(), columns.next(), columns.next()) else {
            continue;
        };
        let Ok(number) = number.trim().parse::<i32>() else { continue };
        let small = number as i8;
        let meaning = match (kind, number) {
            ("month", _) => CalendarWord::Month(small),
            ("weekday", _) => CalendarWord::Weekday(small),
            ("season", _) => CalendarWord::Season(small),
            ("number", _) => CalendarWord::Number(number),
            ("day", _) => CalendarWord::Day(number),
            ("unit", _) => match number.checked_sub(1).and_then(|at| Unit::ALL.get(at as usize)) {
                Some(unit) => CalendarWord::Unit(*unit),
                None => continue,
            },
            _ => continue,
        };
        let (capital, word) = word.strip_prefix('=').map_or((false, word), |word| (true, word));
        calendar.entry(key(word)).or_insert((capital, meaning));
    }
    calendar
});

pub(super) fn calendar_word(word: &Word) -> Option<CalendarWord> {
    let (capital, meaning) = CALENDAR.get(&word.key)?;
    (!capital || word.upper).then_some(*meaning)
}

/// Month or weekday: a capitalised word that is not a name.
pub(super) fn is_calendar_name(word: &Word) -> bool {
    matches!(calendar_word(word), Some(CalendarWord::Month(_) | CalendarWord::Weekday(_)))
        || WEEKDAYS.contains(&word.key)
}

/// A text without weekdays and months.
pub fn without_days(text: &str) -> Cow<'_, str> {
    let words = words(text);
    if !words.iter().any(is_calendar_name) {
        return text.into();
    }
    let kept = words.iter().filter(|word| !is_calendar_name(word)).map(|word| word.text(text));
    kept.collect::<Vec<_>>().join(" ").into()
}

word_sets! {
    /// Weekdays that come again.
    WEEKDAYS = "mondays tuesdays wednesdays thursdays fridays saturdays sundays";
}

pub(super) fn month(word: &Word) -> Option<i8> {
    match calendar_word(word) {
        Some(CalendarWord::Month(month)) => Some(month),
        _ => None,
    }
}

/// A year, a month or a day; a month or day may lack its year.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PartialDate {
    pub year: Option<i16>,
    pub month: Option<i8>,
    pub day: Option<i8>,
}

impl PartialDate {
    /// `2023-05-08`, `2023-05` or `2023`; `None` without a year.
    pub(super) fn normal_name(self) -> Option<String> {
        Some(match (self.year?, self.month, self.day) {
            (year, Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
            (year, Some(month), None) => format!("{year:04}-{month:02}"),
            (year, None, _) => format!("{year:04}"),
        })
    }
}

/// Parses a whole number of at most nine digits.
pub(super) fn digits(word: &str) -> Option<u32> {
    (word.len() <= 9 && word.bytes().all(|b| b.is_ascii_digit())).then(|| word.parse().ok()).flatten()
}

/// Four digits from 1000 to 2100.
pub(super) fn year(word: &str) -> Option<i16> {
    let number = digits(word).filter(|_| word.len() == 4)?;
    i16::try_from(number).ok().filter(|year| (1000..=2100).contains(year))
}

fn day(word: &str) -> Option<i8> {
    let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[number.len()..];
    if number.len() > 2 || !matches!(suffix, "" | "st" | "nd" | "rd" | "th") {
        return None;
    }
    number_to(31, number)
}

/// A whole number from 1 to `most`.
fn number_to(most: i8, word: &str) -> Option<i8> {
    digits(word).and_then(|number| i8::try_from(number).ok()).filter(|number| (1..=most).contains(number))
}

/// The date that begins at word `at`, and its number of words: `2023-05-08`, `8 May 2023`, `8. Mai`, `May
/// 8, 2023`, `May 2023`, `08.05.2023`, `2023`. A month alone is not a date.
pub(super) fn date_at(text: &str, words: &[Word], at: usize) -> Option<(usize, PartialDate)> {
    let word = words.get(at)?;
    if word.digit {
        if let Some(year) = year(word.text(text)) {
            return Some(after_year(text, words, at, year));
        }
        return day(word.text(text)).and_then(|day| after_day(text, words, at, day));
    }
    // "May 8, 2023", "May 8th", "May 2023", "May of 2023".
    let date = PartialDate { month: Some(month(word)?), ..PartialDate::default() };
    let next = words.get(at + 1)?;
    if !matches!(next.gap, Gap::Space | Gap::Line | Gap::Comma | Gap::Dot) {
        return None;
    }
    let year_at = |at: usize| words.get(at).and_then(|word| year(word.text(text)));
    if let Some(year) = year(next.text(text)) {
        return Some((2, PartialDate { year: Some(year), ..date }));
    }
    if let Some(day) = day(next.text(text)).filter(|_| next.gap != Gap::Comma) {
        let is_next = |word: &Word| matches!(word.gap, Gap::Space | Gap::Line | Gap::Comma);
        let year = year_at(at + 2).filter(|_| is_next(&words[at + 2]));
        return Some((2 + usize::from(year.is_some()), PartialDate { year, day: Some(day), ..date }));
    }
    let year = year_at(at + 2).filter(|_| matches!(next.text(text), "of" | "de" | "del"))?;
    Some((3, PartialDate { year: Some(year), ..date }))
}

fn after_year(text: &str, words: &[Word], at: usize, year: i16) -> (usize, PartialDate) {
    let alone = (1, PartialDate { year: Some(year), ..PartialDate::default() });
    // Only a hyphen joins year and month; a dash, "2010–11", joins years.
    let is_joined = |next: &&Word| text[words[at].end..next.start] == *"-" && next.end - next.start == 2;
    let next = words.get(at + 1).filter(is_joined);
    let Some(month) = next.and_then(|next| number_to(12, next.text(text))) else { return alone };
    let date = PartialDate { month: Some(month), ..alone.1 };
    let Some(last) = words.get(at + 2).filter(|last| last.gap == Gap::Hyphen) else { return (2, date) };
    // "2023-05-08T14:00": the hour is glued to the day.
    let last = last.text(text).split(['T', 't']).next().unwrap_or_default();
    match day(last).filter(|_| last.len() == 2) {
        Some(day) => (3, PartialDate { day: Some(day), ..date }),
        None => alone,
    }
}

/// "8 May 2023", "8th of May", "8. Mai", "8.5.2023", "8/5/2023".
fn after_day(text: &str, words: &[Word], at: usize, day: i8) -> Option<(usize, PartialDate)> {
    let mut next = at + 1;
    let is_plain = |n: usize| {
        matches!(words.get(n).map(|word| word.gap), Some(Gap::Space | Gap::Line | Gap::Dot | Gap::Hyphen))
    };
    if words.get(next).is_some_and(|word| matches!(word.text(text), "of" | "de")) {
        next += 1;
    }
    if let Some(month) = words.get(next).filter(|_| is_plain(next)).and_then(month) {
        let mut last = next + 1;
        if words.get(last).is_some_and(|word| matches!(word.text(text), "de" | "del" | "of")) {
            last += 1;
        }
        let year = words
            .get(last)
            .filter(|word| matches!(word.gap, Gap::Space | Gap::Line | Gap::Comma | Gap::Hyphen));
        let year = year.and_then(|word| self::year(word.text(text)));
        let end = if year.is_some() { last + 1 } else { next + 1 };
        return Some((end - at, PartialDate { year, month: Some(month), day: Some(day) }));
    }
    let (second, third) = (words.get(at + 1)?, words.get(at + 2)?);
    let sign = |word: &Word, before: &Word| text[before.end..word.start].to_string();
    let (first_sign, second_sign) = (sign(second, words.get(at)?), sign(third, second));
    let year = year(third.text(text))?;
    let number = number_to(31, second.text(text))?;
    let (day, month) = match (first_sign.as_str(), second_sign.as_str()) {
        ("." | ". ", "." | ". ") => (day, number),
        // American order unless the first number cannot be a month.
        ("/", "/") if day > 12 => (day, number),
        ("/", "/") => (number, day),
        _ => return None,
    };
    (month <= 12).then_some((3, PartialDate { year: Some(year), month: Some(month), day: Some(day) }))
}

context_words! {
    YEAR_CUES
}

/// The year that two digits after another year mean: "1950-99". "2026-99" is a number of something.
pub(super) fn short_end(from: i16, end: i16) -> Option<i16> {
    const LONGEST: i16 = 50;
    (1..=LONGEST).contains(&(end - from % 100)).then(|| from / 100 * 100 + end)
}

/// "1916-1920", "1916–20", "1916 to 1920": the number of words, and both years.
pub(super) fn year_range(text: &str, words: &[Word], at: usize) -> Option<(usize, i16, i16)> {
    let from = year(words[at].text(text))?;
    let next = words.get(at + 1)?;
    let sign = text[words[at].end..next.start].trim();
    let (len, to) = match sign {
        "-" | "–" | "—" | "/" => (2, next.text(text)),
        "" if matches!(next.text(text), "to" | "bis" | "until" | "through" | "till") => {
            (3, words.get(at + 2)?.text(text))
        }
        _ => return None,
    };
    let to = match to.len() {
        2 if sign != "/" => short_end(from, to.parse().ok()?)?,
        _ => year(to)?,
    };
    (from < to).then_some((len, from, to))
}

/// Whether a number of four digits is a year, not a count, a price or a part of something longer.
pub(super) fn is_year(text: &str, words: &[Word], at: usize) -> bool {
    let word = &words[at];
    let Some(year) = year(word.text(text)) else { return false };
    if matches!(word.gap, Gap::DotJoined | Gap::Apostrophe) {
        return false;
    }
    let before = text[..word.start].chars().next_back();
    if before.is_some_and(|c| "$€£¥#/:+=_-.".contains(c)) {
        return false;
    }
    let after = &text[word.end..];
    let unit_follows = after.starts_with(['%', '€', '°', '/', ':', '_', '=', '+', '-'])
        || after.strip_prefix([',', '.']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if unit_follows {
        return false;
    }
    let cued = at > 0 && YEAR_CUES.contains(&words[at - 1].key);
    let counts = words.get(at + 1).is_some_and(|next| {
        let counted = next.text(text);
        next.gap == Gap::Space && next.lower && !next.upper && counted.len() > 3 && counted.ends_with('s')
    });
    match year {
        1900..=2100 => !counts || cued,
        _ => cued && !counts || (word.gap == Gap::Bracket),
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;
    use crate::text::cases::check;

    #[test]
    fn dates_are_read_in_the_usual_forms() {
        check(include_str!("../../tests/cases/dates.tsv"), |text| {
            let found = date_at(text, &words(text), 0);
            found.and_then(|(len, date)| Some(format!("{len} {}", date.normal_name()?))).unwrap_or_default()
        });
    }
}
