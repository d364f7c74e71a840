//! Spans of time that several words name together: ranges, parts of months and years, days of one month, "two
//! weeks ago today", and the French and Spanish forms, where the turn stands behind its unit.
//!
//! Each reader gives the number of its words, the relation and the span, as those of `timespan` do, or
//! nothing; the month of a span without a year is the latest that is not in the future.

use jiff::civil::Date;

use crate::model::{Interval, Timestamp};

use super::calendar::{CalendarWord, PartialDate, Unit, date_at, digits, year, year_range};
use super::intervals::{between, day_interval, days, years_interval};
use super::language::{Language, language};
use super::timespan::{Found, Reader, TimeRelation, Turn, turn};
use super::words::Gap;

/// A third of a span.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Early,
    Middle,
    Late,
}

pub(super) fn part(word: &str) -> Option<Part> {
    match word {
        "early" | "beginning" | "start" | "anfang" | "début" | "principios" | "comienzos" | "inicios" => {
            Some(Part::Early)
        }
        "mid" | "middle" | "mitte" | "mi" | "milieu" | "mediados" => Some(Part::Middle),
        "late" | "end" | "ende" | "fin" | "finales" | "fines" => Some(Part::Late),
        _ => None,
    }
}

/// The third of a span: of a month its days 1 to 10, 11 to 20 and the rest.
pub(super) fn third(interval: Interval, part: Part) -> Interval {
    let first = interval.start.date();
    let length = (interval.end.0 - interval.start.0) / Timestamp::DAY;
    let whole = if (28..=31).contains(&length) { 30 } else { length };
    let (one, two) = (days(first, whole / 3), days(first, whole * 2 / 3));
    match part {
        Part::Early => between(first, one),
        Part::Middle => between(one, two),
        Part::Late => between(two, days(first, length)),
    }
}

impl Reader<'_> {
    /// Whatever this module reads at a word.
    pub(super) fn compound_at(&self, at: usize) -> Option<Found> {
        self.part_of(at)
            .or_else(|| self.days_of_month(at))
            .or_else(|| self.day_counted(at))
            .or_else(|| self.romance_ago(at))
            .or_else(|| self.turned_behind(at))
            .or_else(|| self.last_between(at))
            .or_else(|| self.romance_day(at))
    }

    /// "from 1811 to 1827", "between May 2019 and June 2021", "1916-1920", "2023-05-01 to 2023-05-08".
    pub(super) fn range(&self, at: usize) -> Option<Found> {
        let opens =
            matches!(&*self.word(at), "from" | "between" | "von" | "zwischen" | "de" | "entre" | "desde");
        let first = at + usize::from(opens);
        let (mut len, mut from) = self.point(first)?;
        if from.month.is_none()
            && let Some((len, from, to)) = year_range(self.text, self.words, first)
        {
            return Some((first + len - at, TimeRelation::Within, years_interval(from, to)?));
        }
        let joins: &[&str] = if opens {
            &["to", "and", "until", "till", "through", "bis", "und", "a", "hasta", "y", "et", "à", "au"]
        } else {
            &["to", "until", "till", "through", "bis", "hasta"]
        };
        let second = first + len;
        let skip = match self.words.get(second) {
            Some(word) if joins.contains(&&*self.word(second)) && word.gap == Gap::Space => 1,
            Some(word)
                if matches!(self.text[self.words[second - 1].end..word.start].trim(), "-" | "–" | "—") =>
            {
                0
            }
            _ => return None,
        };
        let (second_len, to) = self.point(second + skip)?;
        len = second + skip + second_len - at;
        if from.year.is_none() {
            // "from May to June 2023" is one year; "from November to February 2023" crosses it.
            from.year =
                to.year.map(|year| if from.month > to.month && to.month.is_some() { year - 1 } else { year });
        }
        let (from, to) = (self.partial(from)?, self.partial(to)?);
        (from.start < to.end).then(|| (len, TimeRelation::Within, Interval::new(from.start, to.end)))
    }

    fn plain(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| matches!(word.gap, Gap::Space | Gap::Line | Gap::Hyphen))
    }

    /// "early March", "end of May 2023", "Mitte Mai", "fin de mars", "a mediados de mayo", "late 2022".
    fn part_of(&self, at: usize) -> Option<Found> {
        let part = part(&self.word(at))?;
        let mut next = at + 1;
        const JOINING: &[&str] =
            &["of", "the", "in", "de", "du", "del", "des", "d", "mois", "mes", "jahres", "l"];
        while next < at + 4 && JOINING.contains(&&*self.word(next)) && self.plain(next) {
            next += 1;
        }
        let follows = self.plain(next)
            || self.words.get(next).is_some_and(|word| word.gap == Gap::Apostrophe && next > at + 1);
        if !follows {
            return None;
        }
        if let Some(year) = year(&self.word(next)).filter(|year| (1900..=2100).contains(year)) {
            let whole = self.partial(PartialDate { year: Some(year), ..PartialDate::default() })?;
            return Some((next + 1 - at, TimeRelation::Within, third(whole, part)));
        }
        if let Some((len, turned)) =
            turn(&self.word(next)).and_then(|_| self.turned(next)).map(|(len, _, span)| (len, span))
        {
            return Some((next + len - at, TimeRelation::Within, third(turned, part)));
        }
        let (len, date) = self.point(next)?;
        if date.month.is_none() || date.day.is_some() {
            return None;
        }
        // "mediados de mayo de 2023".
        let (mut len, mut date) = (len, date);
        if date.year.is_none()
            && matches!(&*self.word(next + len), "of" | "de" | "del")
            && let Some(found) = year(&self.word(next + len + 1))
        {
            date.year = Some(found);
            len += 2;
        }
        Some((next + len - at, TimeRelation::Within, third(self.partial(date)?, part)))
    }

    /// "3 to 7 May", "from 3 to 7 May 2023", "3–7 May", "vom 3. bis 7. Mai", "du 3 au 7 mai", "del 3 al 7 de
    /// mayo", "May 3 to 7", "May 3-7, 2023".
    fn days_of_month(&self, at: usize) -> Option<Found> {
        const OPENING: &[&str] =
            &["from", "between", "vom", "von", "zwischen", "du", "del", "de", "entre", "desde", "the"];
        const JOINING: &[&str] = &[
            "to", "until", "till", "through", "and", "bis", "zum", "und", "au", "et", "al", "a", "y",
            "hasta", "the", "el",
        ];
        let opens = OPENING.contains(&&*self.word(at));
        let mut first = at + usize::from(opens);
        first += usize::from(opens && matches!(&*self.word(first), "the" | "el" | "dem" | "le"));
        let day = |word: &str| {
            let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let suffix = &word[number.len()..];
            let day =
                digits(number).and_then(|day| i8::try_from(day).ok()).filter(|day| (1..=31).contains(day))?;
            matches!(suffix, "" | "st" | "nd" | "rd" | "th" | "er").then_some(day)
        };
        let dash = |at: usize| {
            self.words.get(at).is_some_and(|word| {
                at > 0
                    && matches!(
                        self.text[self.words[at - 1].end..word.start].trim(),
                        "-" | "–" | "—" | ".-" | ".–"
                    )
            })
        };
        let joined = |mut at: usize| {
            if dash(at) {
                return Some(at);
            }
            let start = at;
            while at < start + 2 && JOINING.contains(&&*self.word(at)) {
                at += 1;
            }
            (at > start).then_some(at)
        };
        if let Some(from) = day(&self.word(first)) {
            let second = joined(first + 1)?;
            let (len, to) = date_at(self.text, self.words, second)?;
            let (_, last) = (to.month?, to.day?);
            let span = self.days_between(PartialDate { day: Some(from), ..to }, last)?;
            return Some((second + len - at, TimeRelation::Within, span));
        }
        let Some(CalendarWord::Month(_)) = self.calendar(first) else { return None };
        let (len, date) = date_at(self.text, self.words, first)?;
        date.day.filter(|_| date.year.is_none())?;
        let second = joined(first + len)?;
        let last = day(&self.word(second))?;
        let year = year(&self.word(second + 1));
        let span = self.days_between(PartialDate { year, ..date }, last)?;
        Some((second + 1 + usize::from(year.is_some()) - at, TimeRelation::Within, span))
    }

    /// From a date to a later day of its month.
    fn days_between(&self, from: PartialDate, last: i8) -> Option<Interval> {
        let start = self.partial(from)?;
        let first = start.start.date();
        let last = Date::new(first.year(), first.month(), last).ok()?;
        (first < last).then(|| between(first, days(last, 1)))
    }

    /// "two weeks ago today", "a year ago to the day", "heute vor zwei Wochen", "hoy hace dos semanas": the
    /// day itself.
    fn day_counted(&self, at: usize) -> Option<Found> {
        let leads = matches!(&*self.word(at), "heute" | "hoy" | "today");
        let (len, moment) = match self.moment_ago(at + usize::from(leads)) {
            Some((len, moment, _)) => (len, moment),
            None if leads => self.romance_moment(at + 1).map(|(len, moment, _)| (len, moment))?,
            None => return None,
        };
        let behind = matches!(&*self.word(at + len), "today" | "exactly")
            || (self.word(at + len) == "to" && self.word(at + len + 2) == "day");
        if !leads && !behind {
            return None;
        }
        let tail = if leads {
            1
        } else if self.word(at + len) == "to" {
            3
        } else {
            1
        };
        Some((len + tail, TimeRelation::Within, day_interval(moment.date())))
    }

    /// "il y a deux jours", "hace tres semanas".
    fn romance_ago(&self, at: usize) -> Option<Found> {
        let (len, moment, unit) = self.romance_moment(at)?;
        self.around(len, moment, unit)
    }

    fn romance_moment(&self, at: usize) -> Option<(usize, Timestamp, Unit)> {
        let number_at = match (&*self.word(at), &*self.word(at + 1), &*self.word(at + 2)) {
            ("il", "y", "a") => at + 3,
            ("hace", "ya", _) => at + 2,
            ("hace", ..) => at + 1,
            _ => return None,
        };
        let mut count_at = number_at;
        while matches!(&*self.word(count_at), "environ" | "unos" | "unas" | "casi" | "como") {
            count_at += 1;
        }
        let count = if matches!(&*self.word(count_at), "quelques" | "algunos" | "algunas") {
            3
        } else if count_at > number_at && self.unit(count_at).is_some() {
            count_at -= 1;
            3
        } else {
            self.number(count_at)?
        };
        let unit = self.unit(count_at + 1)?;
        Some((count_at + 2 - at, self.back(count, unit)?, unit))
    }

    /// The unit at a word; "an" is French for a year here.
    pub(super) fn unit(&self, at: usize) -> Option<Unit> {
        match self.calendar(at) {
            Some(CalendarWord::Unit(unit)) => Some(unit),
            _ if self.word(at) == "an" => Some(Unit::Year),
            _ => None,
        }
    }

    /// "la semaine dernière", "le mois prochain", "lundi dernier", "la semana pasada", "el mes que viene".
    fn turned_behind(&self, at: usize) -> Option<Found> {
        let article = usize::from(matches!(&*self.word(at), "la" | "le" | "el" | "l"));
        let subject = at + article;
        let word = match self.unit(subject) {
            Some(unit) => CalendarWord::Unit(unit),
            None => self.calendar(subject)?,
        };
        if !self.plain(subject + 1) {
            return None;
        }
        let (turn, len) = match (&*self.word(subject + 1), &*self.word(subject + 2)) {
            (
                "dernier" | "dernière" | "passé" | "passée" | "pasado" | "pasada" | "précédent"
                | "précédente" | "anterior",
                _,
            ) => (Turn::Last, 1),
            ("prochain" | "prochaine" | "suivant" | "suivante" | "próximo" | "próxima" | "siguiente", _) => {
                (Turn::Next, 1)
            }
            ("que", "viene") => (Turn::Next, 2),
            ("actual" | "courant" | "courante" | "ci", _) => (Turn::This, 1),
            _ => return None,
        };
        let span = self.turned_span(turn, word)?;
        Some((article + 1 + len, TimeRelation::Within, span))
    }

    /// "les trois derniers mois", "los tres últimos meses".
    fn last_between(&self, at: usize) -> Option<Found> {
        let count = self.number(at)?;
        if turn(&self.word(at + 1)) != Some(Turn::Last) {
            return None;
        }
        let unit = self.unit(at + 2)?;
        Some((3, TimeRelation::Within, Interval::new(self.back(count, unit)?, self.now)))
    }

    /// "hier", which is German for "here", "avant-hier", "mañana", which is the morning too.
    fn romance_day(&self, at: usize) -> Option<Found> {
        let (len, offset) = match (&*self.word(at), &*self.word(at + 1)) {
            ("avant", "hier") => (2, -2),
            ("hier", _) if language(self.text) == Language::French => (1, -1),
            ("aujourd", "hui") => (2, 0),
            ("demain", _) => (1, 1),
            ("anteayer", _) => (1, -2),
            ("mañana", _) if at == 0 || !matches!(&*self.word(at - 1), "la" | "de" | "cada" | "esta") => {
                (1, 1)
            }
            _ => return None,
        };
        Some((len, TimeRelation::Within, day_interval(days(self.today, offset))))
    }
}
