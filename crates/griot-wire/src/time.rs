//! A point in time as JSON prints it: RFC 3339, UTC.

use std::fmt;

use griot::model::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// `"2024-05-03T09:30:00Z"`; milliseconds only where there are some.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Time(pub Timestamp);

impl Time {
    /// Reads RFC 3339 with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        griot::text::parse_instant(text).map(Self)
    }

    /// The calendar day in UTC, such as `2024-05-03`.
    pub fn day(self) -> String {
        self.0.date().to_string()
    }

    /// The minute in UTC, such as `2024-05-03 09:30`; the day if it is the first one of it, as of a date.
    pub fn minute(self) -> String {
        const MINUTE: i64 = 60_000;
        match self.0.0.rem_euclid(Timestamp::DAY) / MINUTE {
            0 => self.day(),
            minute => format!("{} {:02}:{:02}", self.day(), minute / 60, minute % 60),
        }
    }
}

impl From<Timestamp> for Time {
    fn from(at: Timestamp) -> Self {
        Self(at)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            de::Error::custom(format_args!("`{text}` is no time in RFC 3339, such as 2024-05-03T09:30:00Z"))
        })
    }
}

impl schemars::JsonSchema for Time {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_back_what_they_write() {
        for text in ["2024-05-03T09:30:00Z", "1969-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z"] {
            assert_eq!(Time::parse(text).map(|t| t.to_string()).as_deref(), Some(text));
        }
        assert_eq!(
            Time::parse("2024-05-03T09:30:00+02:00").map(|t| t.to_string()).as_deref(),
            Some("2024-05-03T07:30:00Z")
        );
        assert_eq!(Time::parse("yesterday"), None);
    }
}
