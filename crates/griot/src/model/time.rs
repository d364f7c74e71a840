//! Points in time and intervals, in UTC, to the millisecond.

use std::fmt;

use jiff::tz::TimeZone;

/// Milliseconds since 1970-01-01T00:00:00Z; printed as RFC 3339.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub const SECOND: i64 = 1000;
    pub const HOUR: i64 = 3600 * Self::SECOND;
    pub const DAY: i64 = 24 * Self::HOUR;

    /// 1900-01-01: the earliest time of a memory, so that a mistyped year is noticed.
    pub const EARLIEST: Self = Self(-2_208_988_800_000);
    /// 9999-12-31T23:59:59.999Z, the last moment that RFC 3339 can print.
    pub const LATEST: Self = Self(253_402_300_799_999);

    /// The start of a day in UTC; `None` if there is no such day.
    pub fn from_day(year: i16, month: i8, day: i8) -> Option<Self> {
        let date = jiff::civil::Date::new(year, month, day).ok()?;
        let zoned = date.to_zoned(TimeZone::UTC).ok()?;
        Some(Self(zoned.timestamp().as_millisecond()))
    }

    /// The calendar day in UTC.
    pub fn date(self) -> jiff::civil::Date {
        self.civil().date()
    }

    /// Calendar day and wall clock in UTC.
    pub fn civil(self) -> jiff::civil::DateTime {
        // Every value between the bounds of `jiff::Timestamp` is valid; others are clamped to them.
        let clamped =
            self.0.clamp(jiff::Timestamp::MIN.as_millisecond() + 1, jiff::Timestamp::MAX.as_millisecond());
        let stamp = jiff::Timestamp::from_millisecond(clamped).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        TimeZone::UTC.to_datetime(stamp)
    }

    /// The first moment of its day in UTC.
    pub fn day_start(self) -> Self {
        Self(self.0 - self.0.rem_euclid(Self::DAY))
    }

    /// Hours between two points, never negative.
    pub fn hours_from(self, other: Self) -> f64 {
        self.0.abs_diff(other.0) as f64 / Self::HOUR as f64
    }

    /// Days from `earlier` to this point; negative if it is before `earlier`.
    pub fn days_since(self, earlier: Self) -> f64 {
        self.0.saturating_sub(earlier.0) as f64 / Self::DAY as f64
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let civil = self.civil();
        if self.0.rem_euclid(Self::SECOND) == 0 { write!(f, "{civil}Z") } else { write!(f, "{civil:.3}Z") }
    }
}

/// A span of time that includes `start` and excludes `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interval {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Interval {
    pub fn new(start: Timestamp, end: Timestamp) -> Self {
        Self { start, end: end.max(start) }
    }

    pub fn contains(self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }
}
