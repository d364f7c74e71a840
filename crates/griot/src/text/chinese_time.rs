//! Spans of time in Chinese: `2023年5月8日`, `三月初`, `上周五`, `两周前`, `去年底`, `从5月3日到7日`.
//!
//! Chinese has no spaces and puts the relation behind the time (之前, 以来), so its expressions are read from
//! the characters and give their relation themselves.

use jiff::civil::Date;

use crate::model::{Interval, Timestamp};

use super::calendar::{CalendarWord, Unit};
use super::intervals::{between, day_interval, days, months_interval, years_interval};
use super::spans::{Part, third};
use super::timespan::{Found, Reader, TimeRelation, Turn};

/// Bytes. No expression is longer.
const LONGEST: usize = 120;

/// What is left of a text while an expression is read from its front.
#[derive(Clone, Copy)]
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    /// Skips the first of these that is at the front.
    fn take(&mut self, words: &[&str]) -> bool {
        match words.iter().find(|word| self.0.starts_with(**word)) {
            Some(word) => {
                self.0 = &self.0[word.len()..];
                true
            }
            None => false,
        }
    }

    /// A number in figures or characters, up to 9999.
    fn number(&mut self) -> Option<i64> {
        self.0 = self.0.trim_start_matches(' ');
        let figures = self.0.bytes().take_while(u8::is_ascii_digit).count();
        if figures > 0 {
            let number = self.0[..figures].parse().ok().filter(|_| figures <= 4);
            self.0 = &self.0[figures..];
            return number;
        }
        let digit = |c: char| "〇一二三四五六七八九".chars().position(|one| one == c).map(|at| at as i64);
        let (mut sum, mut last, mut count, mut tens) = (0, None::<i64>, 0, false);
        let mut end = 0;
        for (at, c) in self.0.char_indices().take(6) {
            let value = match c {
                '两' | '兩' => Some(2),
                '零' => Some(0),
                c => digit(c),
            };
            if let Some(value) = value {
                last = Some(match (last, tens) {
                    (Some(before), false) => before * 10 + value,
                    _ => value,
                });
            } else if c == '十' {
                sum = last.unwrap_or(1) * 10;
                (last, tens) = (None, true);
            } else if c == '半' && count == 0 {
                return None;
            } else {
                break;
            }
            count += 1;
            end = at + c.len_utf8();
        }
        self.0 = &self.0[end..];
        (count > 0).then(|| sum + last.unwrap_or(0))
    }
}

impl Reader<'_> {
    /// The Chinese expression that begins at a word.
    pub(super) fn chinese(&self, at: usize) -> Option<Found> {
        let word = self.words.get(at)?;
        let head = &self.text
            [word.start..self.text.floor_char_boundary((word.start + LONGEST).min(self.text.len()))];
        let is_dated = || {
            word.digit
                && head
                    .trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')
                    .starts_with(['年', '月', '天', '周', '个', '小'])
        };
        if !word.ideograph && !is_dated() {
            return None;
        }
        let mut rest = Rest(head);
        let opens = rest.take(&["自从", "从", "自", "在", "到", "直到", "截至", "於", "于"]);
        let opening = &head[..head.len() - rest.0.len()];
        let (mut relation, mut span) = self.chinese_span(&mut rest)?;
        if !opens || matches!(opening, "从" | "自") {
            let mut further = rest;
            if further.take(&["到", "至", "-", "–", "—", "~"])
                && let Some(to) = self.chinese_end(&mut further, span)
                && to.end > span.start
            {
                span = Interval::new(span.start, to.end);
                rest = further;
            }
        }
        let since = || Interval::new(span.start, self.now.max(span.end));
        if rest.take(&["以来", "开始", "起", "至今"]) || matches!(opening, "自从") {
            span = since();
        } else if relation == TimeRelation::Within {
            if rest.take(&["之前", "以前", "前"]) {
                relation = TimeRelation::Before;
            } else if rest.take(&["之后", "以后", "后", "之後", "以後"]) {
                relation = TimeRelation::After;
            } else if rest.take(&["左右", "前后"]) {
                relation = TimeRelation::Around;
            } else if rest.take(&["为止"]) || matches!(opening, "直到" | "截至") {
                span = Interval::new(Timestamp::EARLIEST.min(span.start), span.end);
            }
        }
        let end = word.start + head.len() - rest.0.len();
        let len = self.words[at..].iter().take_while(|word| word.end <= end).count();
        (len > 0).then_some((len, relation, span))
    }

    /// The count of units that the words `from..to` are: "三周".
    pub(super) fn chinese_count(&self, from: usize, to: usize) -> Option<(i64, Unit)> {
        let mut rest = Rest(&self.text[self.words[from].start..self.words.get(to)?.start]);
        let count = rest.number()?;
        let unit = unit(&mut rest)?;
        rest.0.trim().is_empty().then_some((count, unit))
    }

    fn chinese_span(&self, rest: &mut Rest) -> Option<(TimeRelation, Interval)> {
        let within = |span| Some((TimeRelation::Within, span));
        if rest.take(&["最近", "过去", "近"]) {
            let mut further = *rest;
            let count = further.number()?;
            let unit = unit(&mut further)?;
            *rest = further;
            return within(Interval::new(self.back(count, unit)?, self.now));
        }
        const DAYS: &[(&str, i64)] = &[
            ("大前天", -3),
            ("前天", -2),
            ("昨天", -1),
            ("昨日", -1),
            ("昨晚", -1),
            ("今天", 0),
            ("今日", 0),
            ("今晚", 0),
            ("明天", 1),
            ("明日", 1),
            ("后天", 2),
            ("大后天", 3),
        ];
        if let Some((word, offset)) = DAYS.iter().find(|(word, _)| rest.0.starts_with(word)) {
            rest.take(&[word]);
            return within(day_interval(days(self.today, *offset)));
        }
        const YEARS: &[(&str, i16)] = &[("前年", -2), ("去年", -1), ("今年", 0), ("明年", 1)];
        if let Some((word, offset)) = YEARS.iter().find(|(word, _)| rest.0.starts_with(word)) {
            rest.take(&[word]);
            return within(self.in_year(rest, self.today.year() + offset)?);
        }
        const TURNS: &[(&str, Turn)] = &[
            ("上个", Turn::Last),
            ("上", Turn::Last),
            ("这个", Turn::This),
            ("这", Turn::This),
            ("本", Turn::This),
            ("下个", Turn::Next),
            ("下", Turn::Next),
        ];
        for (word, turn) in TURNS {
            let mut further = *rest;
            if !further.take(&[word]) {
                continue;
            }
            let week = further.take(&["星期", "周", "礼拜"]);
            let span = if week {
                let monday = self.turned_span(*turn, CalendarWord::Unit(Unit::Week))?.start.date();
                match weekday(&mut further) {
                    Some(day) => day_interval(days(monday, day)),
                    None if further.take(&["末"]) => between(days(monday, 5), days(monday, 7)),
                    None => between(monday, days(monday, 7)),
                }
            } else if further.take(&["月"]) {
                let month = self.turned_span(*turn, CalendarWord::Unit(Unit::Month))?;
                part(&mut further).map_or(month, |part| third(month, part))
            } else if further.take(&["季度"]) {
                self.turned_span(*turn, CalendarWord::Unit(Unit::Quarter))?
            } else {
                continue;
            };
            *rest = further;
            return within(span);
        }
        let mut further = *rest;
        if further.take(&["星期", "周", "礼拜"])
            && let Some(day) = weekday(&mut further)
        {
            *rest = further;
            return within(self.turned_span(Turn::Last, CalendarWord::Weekday(day as i8 + 1))?);
        }
        let mut further = *rest;
        let few = further.take(&["几"]);
        let number = if few { 3 } else { further.number()? };
        if !few && further.take(&["年"]) && (1000..=2100).contains(&number) {
            let span = self.in_year(&mut further, i16::try_from(number).ok()?)?;
            *rest = further;
            return within(span);
        }
        let mut counted = Rest(further.0);
        if !few && (1..=12).contains(&number) && counted.take(&["月"]) {
            let span = self.in_month(&mut counted, None, number as i8)?;
            *rest = counted;
            return within(span);
        }
        // "三天前", "两周以前".
        let unit = unit_or_year(&mut further, rest.0)?;
        if !further.take(&["以前", "之前", "前"]) {
            return None;
        }
        let moment = self.back(number, unit)?;
        let exact = further.take(&["的今天", "今天"]);
        *rest = further;
        if exact {
            return within(day_interval(moment.date()));
        }
        self.around(0, moment, unit).map(|(_, relation, span)| (relation, span))
    }

    /// The end of a range, which may lack the year and month of its start.
    fn chinese_end(&self, rest: &mut Rest, start: Interval) -> Option<Interval> {
        let mut further = *rest;
        let number = further.number()?;
        let first = start.start.date();
        let span = if further.take(&["年"]) {
            self.in_year(&mut further, i16::try_from(number).ok()?)?
        } else if further.take(&["月"]) {
            self.in_month(&mut further, Some(first.year()), i8::try_from(number).ok()?)?
        } else if further.take(&["日", "号", "號"]) {
            day_interval(Date::new(first.year(), first.month(), i8::try_from(number).ok()?).ok()?)
        } else {
            return None;
        };
        *rest = further;
        Some(span)
    }

    fn in_year(&self, rest: &mut Rest, year: i16) -> Option<Interval> {
        let whole = years_interval(year, year)?;
        let mut further = *rest;
        if let Some(month) = further.number().filter(|month| (1..=12).contains(month))
            && further.take(&["月"])
        {
            *rest = further;
            return self.in_month(rest, Some(year), month as i8);
        }
        for (words, first) in
            [(["春天", "春季"], 3), (["夏天", "夏季"], 6), (["秋天", "秋季"], 9), (["冬天", "冬季"], 12)]
        {
            if rest.take(&words) {
                return months_interval(year, first, 3);
            }
        }
        if rest.take(&["上半年"]) {
            return months_interval(year, 1, 6);
        }
        if rest.take(&["下半年"]) {
            return months_interval(year, 7, 6);
        }
        Some(part(rest).map_or(whole, |part| third(whole, part)))
    }

    fn in_month(&self, rest: &mut Rest, year: Option<i16>, month: i8) -> Option<Interval> {
        let mut further = *rest;
        let day = further.number().filter(|day| (1..=31).contains(day));
        let day = day.filter(|_| further.take(&["日", "号", "號"])).and_then(|day| i8::try_from(day).ok());
        let date = super::calendar::PartialDate { year, month: Some(month), day };
        if day.is_some() {
            *rest = further;
            return self.partial(date);
        }
        let whole = self.partial(date)?;
        Some(part(rest).map_or(whole, |part| third(whole, part)))
    }
}

fn part(rest: &mut Rest) -> Option<Part> {
    match () {
        () if rest.take(&["初", "上旬"]) => Some(Part::Early),
        () if rest.take(&["中旬"]) => Some(Part::Middle),
        () if rest.take(&["底", "末", "下旬"]) => Some(Part::Late),
        () => None,
    }
}

/// Days after Monday.
fn weekday(rest: &mut Rest) -> Option<i64> {
    const DAYS: [&[&str]; 7] = [&["一"], &["二"], &["三"], &["四"], &["五"], &["六"], &["日", "天"]];
    DAYS.iter().position(|words| rest.take(words)).map(|day| day as i64)
}

fn unit(rest: &mut Rest) -> Option<Unit> {
    const UNITS: &[(&[&str], Unit)] = &[
        (&["天", "日"], Unit::Day),
        (&["个星期", "星期", "周", "个礼拜"], Unit::Week),
        (&["个月"], Unit::Month),
        (&["个季度", "季度"], Unit::Quarter),
        (&["年"], Unit::Year),
        (&["个小时", "小时"], Unit::Hour),
        (&["分钟"], Unit::Minute),
    ];
    UNITS.iter().find(|(words, _)| rest.take(words)).map(|(_, unit)| *unit)
}

/// The unit of a count; "2 年" was taken as a year before it was known to be none.
fn unit_or_year(rest: &mut Rest, whole: &str) -> Option<Unit> {
    let taken = &whole[..whole.len() - rest.0.len()];
    if taken.ends_with('年') { Some(Unit::Year) } else { unit(rest) }
}
