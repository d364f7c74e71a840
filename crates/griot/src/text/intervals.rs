//! Calendar arithmetic: days, months and years as intervals.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::model::{Interval, Timestamp};

pub(super) fn day_start(date: Date) -> Timestamp {
    Timestamp::from_day(date.year(), date.month(), date.day()).unwrap_or_default()
}

pub(super) fn days(date: Date, days: i64) -> Date {
    date.saturating_add(days.clamp(-3_000_000, 3_000_000).days())
}

/// From the start of `from` to the start of `to`.
pub(super) fn between(from: Date, to: Date) -> Interval {
    Interval::new(day_start(from), day_start(to))
}

pub(super) fn day_interval(date: Date) -> Interval {
    between(date, days(date, 1))
}

/// The month `months` after January of `year`.
pub(super) fn month_start(year: i32, months: i32) -> Option<Date> {
    let (year, month) = (year + months.div_euclid(12), months.rem_euclid(12) + 1);
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()
}

pub(super) fn months_interval(year: i16, first: i8, count: i32) -> Option<Interval> {
    let first = i32::from(first) - 1;
    Some(between(month_start(year.into(), first)?, month_start(year.into(), first + count)?))
}

pub(super) fn years_interval(from: i16, to: i16) -> Option<Interval> {
    Some(between(Date::new(from, 1, 1).ok()?, Date::new(to.checked_add(1)?, 1, 1).ok()?))
}
