//! Which kinds of values a text holds, and which kind a question asks for: a clock time, a day, money, a
//! number, a code, a person, a place. Two statements of one property hold values of one kind.

use std::sync::LazyLock;

use super::calendar::{CalendarWord, calendar_word};
use super::words::{Gap, KeyMap, Word, key, lines, words};

named! {
    /// A kind of value.
    ValueKind {
        Number = "number",
        Money = "money",
        Clock = "clock",
        Day = "day",
        Date = "date",
        Code = "code",
        Person = "person",
        Place = "place",
    }
}

/// A set of kinds of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values(u8);

impl Values {
    fn add(&mut self, kind: ValueKind) {
        self.0 |= 1 << kind as u8;
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn has(self, kind: ValueKind) -> bool {
        self.0 >> (kind as u8) & 1 == 1
    }

    /// The share of these kinds that the other set has too; 0 for an empty set.
    pub fn share_in(self, other: Self) -> f32 {
        if self.0 == 0 { 0.0 } else { (self.0 & other.0).count_ones() as f32 / self.0.count_ones() as f32 }
    }

    /// Whether both hold a value of one kind.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether both hold a value of a narrow kind: not a mere number, name or place.
    pub fn share_narrow(self, other: Self) -> bool {
        const BROAD: u8 =
            1 << ValueKind::Number as u8 | 1 << ValueKind::Person as u8 | 1 << ValueKind::Place as u8;
        self.0 & other.0 & !BROAD != 0
    }
}

struct Lists {
    is: KeyMap<Values>,
    asks: KeyMap<Values>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists { is: KeyMap::default(), asks: KeyMap::default() };
    for line in lines(include_str!("../../data/value_words.tsv")) {
        let mut columns = line.split('\t');
        let (Some(kind), Some(role), Some(words)) = (columns.next(), columns.next(), columns.next()) else {
            continue;
        };
        let Some(kind) = ValueKind::parse(kind) else { continue };
        let list = if role == "is" { &mut lists.is } else { &mut lists.asks };
        for word in words.split_whitespace() {
            list.entry(key(word)).or_default().add(kind);
        }
    }
    lists
});

/// Whether a word is a value or its unit: "seven", "euros".
pub(super) fn is_unit(word: &Word) -> bool {
    const PLACE: Values = Values(1 << ValueKind::Place as u8);
    LISTS.is.get(&word.key).is_some_and(|kinds| *kinds != PLACE)
}

/// Whether a word asks for a value: "price", "limit".
pub(super) fn asks_value(word: &Word) -> bool {
    LISTS.asks.contains_key(&word.key)
}

/// The kinds of values that a text holds, which has been split into words.
pub(super) fn values_of(text: &str, words: &[Word]) -> Values {
    let mut found = Values::default();
    for (at, word) in words.iter().enumerate() {
        if let Some(listed) = LISTS.is.get(&word.key) {
            found.0 |= listed.0;
        }
        match calendar_word(word) {
            Some(CalendarWord::Weekday(_)) if word.end - word.start > 3 => found.add(ValueKind::Day),
            Some(CalendarWord::Month(_) | CalendarWord::Season(_)) if word.upper => {
                found.add(ValueKind::Date)
            }
            _ => {}
        }
        if word.digit {
            figures(text, words, at, &mut found);
        } else if word.upper && !opens_sentence(word) {
            found.add(ValueKind::Person);
        }
    }
    if text.contains(['€', '$', '£', '¥']) {
        found.add(ValueKind::Money);
    }
    if text.contains('@') {
        found.add(ValueKind::Code);
    }
    found
}

/// The kinds of values that a text holds.
pub fn held_values(text: &str) -> Values {
    values_of(text, &words(text))
}

/// The kinds of values that a question asks for; empty if it names none.
pub fn wanted_values(question: &str) -> Values {
    let mut wanted = Values::default();
    for word in words(question) {
        if let Some(listed) = LISTS.asks.get(&word.key) {
            wanted.0 |= listed.0;
        }
    }
    wanted
}

fn figures(text: &str, words: &[Word], at: usize, found: &mut Values) {
    let word = &words[at];
    found.add(ValueKind::Number);
    let next = words.get(at + 1);
    let is_clock = text.as_bytes().get(word.end) == Some(&b':') && next.is_some_and(|next| next.digit)
        || next.is_some_and(|next| matches!(next.text(text), "am" | "pm" | "Uhr" | "h" | "点"));
    if is_clock {
        found.add(ValueKind::Clock);
    }
    let form = word.text(text);
    let joined = next.is_some_and(|next| next.digit && matches!(next.gap, Gap::Hyphen));
    if joined || form.len() >= 4 || form.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        found.add(ValueKind::Code);
    }
}

fn opens_sentence(word: &Word) -> bool {
    matches!(word.gap, Gap::Start | Gap::Break | Gap::Dot | Gap::Bracket | Gap::Colon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_one_kind_are_seen() {
        let values = |text: &str| values_of(text, &words(text));
        let [clock, other] =
            ["The first boat leaves at 6:40.", "From June on it leaves at 7:10."].map(values);
        assert!(clock.has(ValueKind::Clock) && clock.share_narrow(other));
        assert!(!values("The mill grinds rye.").share_narrow(clock));
        assert_eq!(wanted_values("How much does it cost?").share_in(values("It is 14 euros.")), 1.0);
        assert!(wanted_values("Tell me more").is_empty());
    }
}
