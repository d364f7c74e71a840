//! Reads the spans of time that a question names, as intervals.

use std::borrow::Cow;
use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::model::{Interval, Timestamp};

use super::calendar::{CalendarWord, PartialDate, Unit, calendar_word, date_at, digits, is_year, year};
use super::intervals::{
    between, day_interval, day_start, days, month_start, months_interval, years_interval,
};
use super::words::{Word, is_one_of};

/// The relation of the asked time to the interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TimeRelation {
    Within,
    /// Before the interval starts.
    Before,
    /// After the interval ends.
    After,
    /// In the interval or near it.
    Around,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeExpression {
    /// Including the preposition: "since 2019".
    pub bytes: Range<usize>,
    pub relation: TimeRelation,
    /// The span the words name. For `Before` and `After` the named span itself, not the time outside it;
    /// "since 2019" is `Within` from 2019 to now, "until 2019" `Within` up to its end.
    pub interval: Interval,
}

/// An expression: its number of words, its relation to the asked time, and its span.
pub(super) type Found = (usize, TimeRelation, Interval);

pub(super) struct Reader<'t> {
    pub text: &'t str,
    pub words: &'t [Word],
    pub now: Timestamp,
    pub today: Date,
    /// Whether a day or month without a year may be the next one. Otherwise it is the latest one.
    ahead: bool,
}

/// Selects one of several spans of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Last,
    This,
    Next,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, words: &'t [Word], now: Timestamp) -> Self {
        Self { text, words, now, today: now.date(), ahead: false }
    }

    /// Reads "December" as the next one.
    pub(super) fn ahead(text: &'t str, words: &'t [Word], now: Timestamp) -> Self {
        Self { ahead: true, ..Self::new(text, words, now) }
    }

    pub(super) fn expressions(&self) -> Vec<TimeExpression> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            match self.expression_at(at) {
                Some((len, relation, interval)) => {
                    let (first, relation, interval) = match relation {
                        TimeRelation::Within => self.related(at, interval),
                        other => (at, other, interval),
                    };
                    let bytes = self.bytes(first..at + len);
                    found.push(TimeExpression { bytes, relation, interval });
                    at += len;
                }
                None => at += 1,
            }
        }
        found
    }

    fn bytes(&self, words: Range<usize>) -> Range<usize> {
        self.words[words.start].start..self.words[words.end - 1].end
    }

    /// The word in lower case; empty beyond the end.
    pub(super) fn word(&self, at: usize) -> Cow<'t, str> {
        let Some(word) = self.words.get(at) else { return Cow::default() };
        let text = word.text(self.text);
        match text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            true => Cow::Borrowed(text),
            false => Cow::Owned(text.to_lowercase()),
        }
    }

    pub(super) fn calendar(&self, at: usize) -> Option<CalendarWord> {
        self.words.get(at).and_then(calendar_word)
    }

    pub(super) fn expression_at(&self, at: usize) -> Option<Found> {
        self.words.get(at).filter(|word| may_open(word)).and_then(|_| self.read_at(at))
    }

    fn read_at(&self, at: usize) -> Option<Found> {
        // An expression continues only over a plain gap; each reader checks its own.
        self.chinese(at)
            .or_else(|| self.compound_at(at))
            .or_else(|| self.range(at))
            .or_else(|| self.last_units(at))
            .or_else(|| self.ago(at))
            .or_else(|| self.century_or_decade(at))
            .or_else(|| self.part_of_year(at))
            .or_else(|| self.quarter(at))
            .or_else(|| self.season(at))
            .or_else(|| self.turned(at))
            .or_else(|| self.date(at))
            .or_else(|| self.named_day(at))
            .or_else(|| self.weekday(at))
            .or_else(|| self.month(at))
    }

    /// Reads "before", "since", "around" ahead of the expression: the first word of both, relation and span.
    fn related(&self, at: usize, interval: Interval) -> (usize, TimeRelation, Interval) {
        let mut cue = at;
        while cue > 0
            && at - cue < 2
            && matches!(
                &*self.word(cue - 1),
                "the"
                    | "dem"
                    | "der"
                    | "den"
                    | "year"
                    | "jahr"
                    | "start"
                    | "end"
                    | "of"
                    | "le"
                    | "la"
                    | "el"
                    | "l"
                    | "à"
                    | "de"
                    | "del"
                    | "du"
            )
        {
            cue -= 1;
        }
        let Some(first) = cue.checked_sub(1) else { return (at, TimeRelation::Within, interval) };
        match &*self.word(first) {
            "before" | "prior" | "vor" | "avant" | "antes" => (first, TimeRelation::Before, interval),
            "after" | "following" | "nach" | "après" | "después" => (first, TimeRelation::After, interval),
            "since" | "seit" | "ab" | "depuis" | "desde" => {
                (first, TimeRelation::Within, Interval::new(interval.start, self.now.max(interval.end)))
            }
            "until" | "till" | "by" | "bis" | "jusqu" | "hasta" => (
                first,
                TimeRelation::Within,
                Interval::new(Timestamp::EARLIEST.min(interval.start), interval.end),
            ),
            "around" | "about" | "circa" | "roughly" | "near" | "um" | "gegen" | "etwa" | "ungefähr"
            | "vers" => (first, TimeRelation::Around, interval),
            "in" | "on" | "during" | "im" | "am" | "en" | "at" => (first, TimeRelation::Within, interval),
            _ => (at, TimeRelation::Within, interval),
        }
    }

    /// A date, or a month alone.
    pub(super) fn point(&self, at: usize) -> Option<(usize, PartialDate)> {
        date_at(self.text, self.words, at).or_else(|| match self.calendar(at)? {
            CalendarWord::Month(month) => {
                Some((1, PartialDate { month: Some(month), ..PartialDate::default() }))
            }
            _ => None,
        })
    }

    /// The span of a date; without a year the latest one that is not in the future, or the next one.
    pub(super) fn partial(&self, date: PartialDate) -> Option<Interval> {
        let year = date.year.unwrap_or_else(|| self.year_of(date.month.unwrap_or(1), date.day.unwrap_or(1)));
        match (date.month, date.day) {
            (Some(month), Some(day)) => Some(day_interval(Date::new(year, month, day).ok()?)),
            (Some(month), None) => months_interval(year, month, 1),
            (None, _) => years_interval(year, year),
        }
    }

    /// The year of a day that is named without one.
    fn year_of(&self, month: i8, day: i8) -> i16 {
        /// A month that is further ahead is the one of the last quarter, also where plans are asked for.
        const AHEAD: i8 = 8;
        let today = self.today;
        if !self.ahead {
            return today.year() - i16::from((month, day) > (today.month(), today.day()));
        }
        let ahead = (month - today.month()).rem_euclid(12);
        let away = if ahead <= AHEAD { ahead } else { ahead - 12 };
        today.year() + i16::from(today.month() - 1 + away).div_euclid(12)
    }

    fn date(&self, at: usize) -> Option<Found> {
        let (len, date) = date_at(self.text, self.words, at)?;
        if date.month.is_none() && !is_year(self.text, self.words, at) {
            return None;
        }
        Some((len, TimeRelation::Within, self.partial(date)?))
    }

    /// "in the last 3 days", "past two weeks", "den letzten drei Monaten", "seit drei Wochen".
    fn last_units(&self, at: usize) -> Option<Found> {
        let word = self.word(at);
        let is_last = turn(&word) == Some(Turn::Last) || word == "seit";
        let count = self.number(at + 1)?;
        let unit_at = at + 2 + usize::from(self.word(at + 2) == "of");
        let Some(CalendarWord::Unit(unit)) = self.calendar(unit_at).filter(|_| is_last) else { return None };
        let interval = Interval::new(self.back(count, unit)?, self.now);
        Some((unit_at + 1 - at, TimeRelation::Within, interval))
    }

    pub(super) fn number(&self, at: usize) -> Option<i64> {
        if let Some(number) = digits(&self.word(at)) {
            return Some(number.into());
        }
        match self.calendar(at)? {
            CalendarWord::Number(number) => Some(number.into()),
            _ => None,
        }
    }

    /// The moment `count` units before now.
    pub(super) fn back(&self, count: i64, unit: Unit) -> Option<Timestamp> {
        let months = i32::try_from(count).ok()?;
        let whole = match unit {
            Unit::Minute => {
                return Some(Timestamp(self.now.0.checked_sub(count.checked_mul(60 * Timestamp::SECOND)?)?));
            }
            Unit::Hour => {
                return Some(Timestamp(self.now.0.checked_sub(count.checked_mul(Timestamp::HOUR)?)?));
            }
            Unit::Day => days(self.today, -count),
            Unit::Week | Unit::Weekend => days(self.today, count.checked_mul(-7)?),
            Unit::Month => self.today.checked_sub(months.months()).ok()?,
            Unit::Quarter => self.today.checked_sub(months.checked_mul(3)?.months()).ok()?,
            Unit::Year => self.today.checked_sub(i16::try_from(count).ok()?.years()).ok()?,
            Unit::Decade => {
                self.today.checked_sub(i16::try_from(count.checked_mul(10)?).ok()?.years()).ok()?
            }
        };
        let time_of_day = self.now.0 - day_start(self.today).0;
        Some(Timestamp(day_start(whole).0 + time_of_day))
    }

    /// "two weeks ago", "vor zwei Wochen", "a few days ago", "hace dos semanas", "il y a deux jours".
    fn ago(&self, at: usize) -> Option<Found> {
        let (len, moment, unit) = self.moment_ago(at)?;
        self.around(len, moment, unit)
    }

    /// A moment that was counted in a unit, as the span that the count leaves open.
    pub(super) fn around(&self, len: usize, moment: Timestamp, unit: Unit) -> Option<Found> {
        let (relation, interval) = match unit {
            Unit::Minute | Unit::Hour => (
                TimeRelation::Around,
                Interval::new(moment, Timestamp(moment.0.saturating_add(Timestamp::HOUR))),
            ),
            Unit::Day => (TimeRelation::Within, day_interval(moment.date())),
            _ => (TimeRelation::Around, self.unit_around(moment.date(), unit)?),
        };
        Some((len, relation, interval))
    }

    /// The same as a moment, with the time of day of `now`.
    pub(super) fn moment_ago(&self, at: usize) -> Option<(usize, Timestamp, Unit)> {
        let before = self.word(at) == "vor";
        let number_at = at + usize::from(before);
        let mut unit_at = number_at + 1;
        let mut count = self.number(number_at)?;
        // "a couple of", "a few": the second word is the number.
        if let Some(CalendarWord::Number(number)) = self.calendar(unit_at) {
            count = number.into();
            unit_at += 1;
        }
        unit_at += usize::from(self.word(unit_at) == "of");
        let Some(CalendarWord::Unit(unit)) = self.calendar(unit_at) else { return None };
        let len = unit_at + 1 - at;
        match &*self.word(unit_at + 1) {
            _ if before => Some((len, self.back(count, unit)?, unit)),
            "ago" | "earlier" | "back" => Some((len + 1, self.back(count, unit)?, unit)),
            _ => None,
        }
    }

    /// "in two weeks", "in zwei Wochen", "dans deux semaines", "dentro de dos semanas", "two weeks from now":
    /// the number of words, and the moment with the time of day of `now`.
    pub(super) fn moment_ahead(&self, at: usize) -> Option<(usize, Timestamp)> {
        let opening = match (&*self.word(at), &*self.word(at + 1)) {
            ("in" | "dans" | "en", _) => 1,
            ("dentro", "de") => 2,
            _ => 0,
        };
        let count = self.number(at + opening)?;
        let unit = self.unit(at + opening + 1)?;
        let len = opening + 2;
        let closing = match (&*self.word(at + len), &*self.word(at + len + 1)) {
            ("from", "now") => 2,
            _ if opening > 0 => 0,
            _ => return None,
        };
        Some((len + closing, self.back(-count, unit)?))
    }

    /// The calendar span that contains a day.
    fn unit_around(&self, date: Date, unit: Unit) -> Option<Interval> {
        let monday = days(date, -i64::from(date.weekday().to_monday_zero_offset()));
        match unit {
            Unit::Minute | Unit::Hour | Unit::Day => Some(day_interval(date)),
            Unit::Week => Some(between(monday, days(monday, 7))),
            Unit::Weekend => Some(between(days(monday, 5), days(monday, 7))),
            Unit::Month => months_interval(date.year(), date.month(), 1),
            Unit::Quarter => months_interval(date.year(), (date.month() - 1) / 3 * 3 + 1, 3),
            Unit::Year => years_interval(date.year(), date.year()),
            Unit::Decade => {
                let first = date.year() / 10 * 10;
                years_interval(first, first + 9)
            }
        }
    }

    /// "19th century", "1990s", "the 90s", "1990er".
    fn century_or_decade(&self, at: usize) -> Option<Found> {
        let word = self.word(at);
        let number_len = word.bytes().take_while(u8::is_ascii_digit).count();
        let (number, suffix) = word.split_at(number_len);
        let number = i16::try_from(digits(number)?).ok()?;
        if matches!(&*self.word(at + 1), "century" | "jahrhundert" | "jahrhunderts") {
            let is_ordinal = matches!(suffix, "" | "st" | "nd" | "rd" | "th") && (1..=21).contains(&number);
            return is_ordinal
                .then(|| years_interval((number - 1) * 100 + 1, number * 100))
                .flatten()
                .map(|i| (2, TimeRelation::Within, i));
        }
        if !matches!(suffix, "s" | "er" | "ern") || number % 10 != 0 {
            return None;
        }
        let first = match number_len {
            4 if (1000..=2100).contains(&number) => number,
            // "the 20s" is the decade after 2000; from "the 30s" on it is in the 20th century.
            2 if number <= 20 => 2000 + number,
            2 => 1900 + number,
            _ => return None,
        };
        Some((1, TimeRelation::Within, years_interval(first, first + 9)?))
    }

    /// "The third quarter of 2025", "3. Quartal 2025", "first half of 2024".
    fn part_of_year(&self, at: usize) -> Option<Found> {
        let which = ordinal(&self.word(at))?;
        let months = match &*self.word(at + 1) {
            "quarter" | "quartal" | "quartals" | "trimestre" => 3i8,
            "half" | "halbjahr" | "halbjahres" | "semestre" => 6,
            _ => return None,
        };
        let of = usize::from(matches!(&*self.word(at + 2), "of" | "de" | "des" | "del"));
        let year = year(&self.word(at + 2 + of))?;
        let first = (which - 1) * months + 1;
        let interval = (first <= 12).then(|| months_interval(year, first, months.into())).flatten()?;
        Some((3 + of, TimeRelation::Within, interval))
    }

    /// "Q2 2024", "2024 Q2", "Q2".
    fn quarter(&self, at: usize) -> Option<Found> {
        let quarter = |at: usize| match &*self.word(at) {
            "q1" => Some(1),
            "q2" => Some(4),
            "q3" => Some(7),
            "q4" => Some(10),
            _ => None,
        };
        if let Some(first) = quarter(at) {
            let year = year(&self.word(at + 1));
            let interval = months_interval(year.unwrap_or_else(|| self.year_of(first, 1)), first, 3)?;
            return Some((1 + usize::from(year.is_some()), TimeRelation::Within, interval));
        }
        let year = year(&self.word(at))?;
        Some((2, TimeRelation::Within, months_interval(year, quarter(at + 1)?, 3)?))
    }

    /// "summer 2023", "last winter", "in the spring of 2022", "im Herbst".
    fn season(&self, at: usize) -> Option<Found> {
        let turn = turn(&self.word(at));
        let season_at = at + usize::from(turn.is_some());
        let Some(CalendarWord::Season(first)) = self.calendar(season_at) else { return None };
        let of = usize::from(matches!(&*self.word(season_at + 1), "of" | "des"));
        if let Some(year) = year(&self.word(season_at + 1 + of)) {
            return Some((season_at + 2 + of - at, TimeRelation::Within, months_interval(year, first, 3)?));
        }
        let article = usize::from(self.before(at) == "the");
        let cued = turn.is_some()
            || matches!(&*self.before(at - article.min(at)), "in" | "during" | "im" | "since" | "seit");
        if !cued {
            return None;
        }
        let year = match turn {
            Some(Turn::Next) => self.today.year() + i16::from(first <= self.today.month()),
            Some(Turn::This) => self.today.year(),
            None if self.ahead => self.year_of(first, 1),
            _ => self.today.year() - i16::from(first + 2 >= self.today.month()),
        };
        Some((season_at + 1 - at, TimeRelation::Within, months_interval(year, first, 3)?))
    }

    fn before(&self, at: usize) -> Cow<'t, str> {
        at.checked_sub(1).map(|at| self.word(at)).unwrap_or_default()
    }

    /// "last week", "this month", "next Friday", "letzten Mai", "the past year", "vorige Woche".
    pub(super) fn turned(&self, at: usize) -> Option<Found> {
        let turn = turn(&self.word(at))?;
        if self.word(at + 1) == "night" && turn == Turn::Last {
            return Some((2, TimeRelation::Within, day_interval(days(self.today, -1))));
        }
        Some((2, TimeRelation::Within, self.turned_span(turn, self.calendar(at + 1)?)?))
    }

    /// The last, present or next span of a kind.
    pub(super) fn turned_span(&self, turn: Turn, word: CalendarWord) -> Option<Interval> {
        let sign = match turn {
            Turn::Last => -1,
            Turn::This => 0,
            Turn::Next => 1,
        };
        Some(match word {
            CalendarWord::Unit(Unit::Day | Unit::Hour | Unit::Minute) => return None,
            CalendarWord::Unit(unit @ (Unit::Week | Unit::Weekend)) => {
                self.unit_around(days(self.today, sign * 7), unit)?
            }
            CalendarWord::Unit(unit) => {
                let months = match unit {
                    Unit::Month => 1,
                    Unit::Quarter => 3,
                    Unit::Decade => 120,
                    _ => 12,
                };
                let months = i32::from(self.today.month()) - 1 + months * sign as i32;
                self.unit_around(month_start(self.today.year().into(), months)?, unit)?
            }
            CalendarWord::Weekday(weekday) => self.weekday_interval(weekday, turn),
            CalendarWord::Month(month) => {
                let year = match turn {
                    Turn::Last => self.today.year() - i16::from(month >= self.today.month()),
                    Turn::This => self.today.year(),
                    Turn::Next => self.today.year() + i16::from(month <= self.today.month()),
                };
                months_interval(year, month, 1)?
            }
            _ => return None,
        })
    }

    fn weekday_interval(&self, weekday: i8, turn: Turn) -> Interval {
        let today = self.today.weekday().to_monday_one_offset();
        let ahead = i64::from((weekday - today).rem_euclid(7));
        let offset = match turn {
            Turn::Last if ahead == 0 => -7,
            Turn::Last => ahead - 7,
            Turn::This => ahead,
            Turn::Next if ahead == 0 => 7,
            Turn::Next => ahead,
        };
        day_interval(days(self.today, offset))
    }

    /// "yesterday", "the day before yesterday", "vorgestern".
    fn named_day(&self, at: usize) -> Option<Found> {
        let Some(CalendarWord::Day(offset)) = self.calendar(at) else { return None };
        // The noun in "guten Morgen", "am Morgen" is the morning, not tomorrow.
        if self.word(at) == "morgen" && self.words[at].upper && at > 0 {
            return None;
        }
        let further = match (&*self.before(at), offset) {
            ("before", -1) => -1,
            ("after", 1) => 1,
            _ => 0,
        };
        Some((1, TimeRelation::Within, day_interval(days(self.today, i64::from(offset + further)))))
    }

    fn weekday(&self, at: usize) -> Option<Found> {
        let Some(CalendarWord::Weekday(weekday)) = self.calendar(at) else { return None };
        // "Sun" and "Sat" are also words; full names are not.
        let is_short = self.words[at].end - self.words[at].start <= 3;
        let cued =
            matches!(&*self.before(at), "on" | "since" | "before" | "after" | "until" | "by" | "am" | "seit");
        let turn = if self.ahead { Turn::This } else { Turn::Last };
        (!is_short || cued).then(|| (1, TimeRelation::Within, self.weekday_interval(weekday, turn)))
    }

    fn month(&self, at: usize) -> Option<Found> {
        let Some(CalendarWord::Month(month)) = self.calendar(at) else { return None };
        const CUES: &str = "in during since before after until by of mid early late around im seit vor nach \
            bis ab mitte anfang ende en depuis desde and or und";
        let cued = is_one_of(CUES, &self.before(at));
        // "May I", "March on" and "April said" are not months; "September" alone is one.
        let word = self.word(at);
        let is_plain = word.len() > 5 && !matches!(&*word, "august");
        if !cued && !is_plain {
            return None;
        }
        let interval = self.partial(PartialDate { month: Some(month), ..PartialDate::default() })?;
        Some((1, TimeRelation::Within, interval))
    }
}

context_words! {
    OPENS_TIME
}

/// Whether an expression may begin with a word: to ask every reader costs a hundred times as much.
pub(super) fn may_open(word: &Word) -> bool {
    word.digit || word.ideograph || calendar_word(word).is_some() || OPENS_TIME.contains(&word.key)
}

/// A number of an order up to four; "3." counts as one.
fn ordinal(word: &str) -> Option<i8> {
    let stem = word.trim_end_matches(['n', 'r', 's', 'm']).trim_end_matches('e');
    Some(match stem {
        "1" | "first" | "1st" | "erst" | "premi" | "prim" | "primero" => 1,
        "2" | "second" | "2nd" | "zweit" | "deuxièm" | "segundo" => 2,
        "3" | "third" | "3rd" | "dritt" | "troisièm" | "terc" | "tercero" => 3,
        "4" | "fourth" | "4th" | "viert" | "quatrièm" | "cuarto" => 4,
        _ => return None,
    })
}

/// The word that selects one of several spans of a kind, before its unit.
pub(super) fn turn(word: &str) -> Option<Turn> {
    match word {
        "last" | "previous" | "past" | "último" | "última" | "últimos" | "últimas" | "pasado" | "pasada"
        | "derniers" | "dernières" => Some(Turn::Last),
        "this" | "current" | "cette" | "ce" | "cet" | "esta" | "este" => Some(Turn::This),
        "next" | "coming" | "upcoming" | "próximo" | "próxima" => Some(Turn::Next),
        _ => {
            let stem = |stems: &[&str]| {
                stems.iter().any(|stem| {
                    word.strip_prefix(stem).is_some_and(|end| matches!(end, "e" | "en" | "er" | "es" | "em"))
                })
            };
            match () {
                () if stem(&["letzt", "vorig", "vergangen"]) => Some(Turn::Last),
                () if stem(&["dies", "aktuell"]) => Some(Turn::This),
                () if stem(&["nächst", "kommend"]) => Some(Turn::Next),
                () => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn no_expression_begins_with_a_word_that_is_not_listed() {
        let now = Timestamp::from_day(2024, 6, 5).unwrap_or_default();
        let stems = ["letzt", "vorig", "vergangen", "dies", "aktuell", "nächst", "kommend"];
        let turned = stems.iter().flat_map(|stem| {
            ["e", "en", "er", "es", "em"].map(|end| format!("{stem}{end} Woche, {stem}{end} drei Monate"))
        });
        let cases = [
            include_str!("../../tests/cases/spans.tsv"),
            include_str!("../../tests/cases/spans_asked.tsv"),
            include_str!("../../tests/cases/instants.tsv"),
            include_str!("../../tests/cases/anchors.tsv"),
            include_str!("../../tests/cases/dates.tsv"),
            include_str!("../../tests/cases/statements.tsv"),
        ];
        let mut read = 0;
        for text in cases.into_iter().flat_map(str::lines).map(str::to_string).chain(turned) {
            let words = words(&text);
            let reader = Reader::new(&text, &words, now);
            for (at, word) in words.iter().enumerate().filter(|(at, _)| reader.read_at(*at).is_some()) {
                assert!(may_open(word), "{}: {text}", reader.word(at));
                read += 1;
            }
        }
        assert!(read > 500, "{read} expressions are read");
    }
}
