//! Whether two sentences say the same of the same but for their end: "the rent is 940 euros", "the rent is
//! 985 euros". Pure; by words alone.

use super::calendar::{calendar_word, is_calendar_name};
use super::language::Language;
use super::query::content_of;
use super::values::{ValueKind, is_unit, values_of};
use super::words::{Gap, Word};

/// Words of a common beginning that say what is spoken of, if the ends are no values.
const MANY_NAMED: usize = 2;
/// Words of a value, and those after it that may be its unit.
const MOST_OF_VALUE: usize = 6;
const MOST_UNITS: usize = 1;

context_words! {
    IS AT_PLACE
}

/// A sentence of a text.
pub(super) struct Sentence<'a> {
    text: &'a str,
    language: Language,
    words: &'a [Word],
}

impl<'a> Sentence<'a> {
    /// The sentences of a text with one of these words, and their last clauses.
    pub fn all_with(asked: &[u64], text: &'a str, language: Language, words: &'a [Word]) -> Vec<Self> {
        let all = words.chunk_by(|_, next| !matches!(next.gap, Gap::Start | Gap::Dot | Gap::Break));
        let last = |sentence: &'a [Word]| {
            let comma = sentence.iter().rposition(|word| word.gap == Gap::Comma);
            comma.map(|at| &sentence[at..])
        };
        all.flat_map(|sentence| [Some(sentence), last(sentence)])
            .flatten()
            .filter(|words| words.iter().any(|word| asked.contains(&word.key)))
            .map(|words| Self { text, language, words })
            .collect()
    }

    /// Whether both begin with the same words, some of the question's among them, and go on with others, none
    /// of the question's; if so, whether all that differs is a value. Where something is counts as one if the
    /// question asks where.
    pub fn alike(&self, other: &Self, asked: &[u64], asks_where: bool) -> Option<bool> {
        let is_asked = |word: &Word| asked.contains(&word.key);
        let is_content = content_of(self.language);
        let (one, two) = (self.words, other.words);
        let shorter = one.len().min(two.len());
        let begin = one.iter().zip(two).take_while(|(x, y)| x.key == y.key).count();
        if begin == shorter || !one[..begin].iter().any(is_asked) {
            return None;
        }
        let end = one[begin..].iter().rev().zip(two[begin..].iter().rev());
        let end = end.take_while(|(x, y)| x.key == y.key).count();
        let [x, y] = [one, two].map(|words| &words[begin..words.len() - end]);
        if x.iter().chain(y).any(is_asked) {
            return None;
        }
        let before = &one[begin - 1];
        let is_value = if IS.contains(&before.key) { Self::names } else { Self::measures };
        // After the number of a thing comes what is said of it, after that of a measure its unit.
        let rest = &one[one.len() - end..];
        let clause = rest.iter().take_while(|word| word.gap != Gap::Comma);
        let units = clause.filter(|word| !is_unit(word) && is_content(word.key)).count();
        let in_value = begin > 1
            && (units <= MOST_UNITS && !rest.iter().any(is_asked) || !is_content(before.key))
            && is_value(self, x)
            && is_value(other, y)
            && values_of(self.text, x).meets(values_of(other.text, y));
        let are_places = || asks_where && self.is_place(begin) && other.is_place(begin);
        let in_value = in_value || are_places();
        let named = one[..begin].iter().filter(|word| is_content(word.key) && !word.digit).count();
        (in_value || named >= MANY_NAMED && 3 * begin >= 2 * shorter).then_some(in_value)
    }

    /// Whether words are a number, a day or a time, with what joins and measures it.
    fn measures(&self, words: &[Word]) -> bool {
        let is_content = content_of(self.language);
        let is_day = |word: &Word| calendar_word(word).is_some() || is_calendar_name(word);
        let is_value = |word: &Word| word.digit || is_day(word) || is_unit(word);
        words.len() <= MOST_OF_VALUE
            && words.iter().any(is_value)
            && words.iter().all(|word| is_value(word) || !is_content(word.key))
    }

    /// Whether the words from this one on say where something is: "under the mat", "in Room 4".
    fn is_place(&self, begin: usize) -> bool {
        let is_time = |word: &Word| calendar_word(word).is_some() || is_calendar_name(word);
        let end = &self.words[begin..];
        let clause =
            end.iter().skip(1).position(|word| word.gap == Gap::Comma).map_or(end.len(), |at| at + 1);
        let at = |word: &Word| AT_PLACE.contains(&word.key);
        (at(&self.words[begin - 1]) || end.first().is_some_and(at))
            && clause <= MOST_OF_VALUE
            && !end[..clause].iter().any(|word| is_time(word) || IS.contains(&word.key))
            && !values_of(self.text, &end[..clause]).has(ValueKind::Clock)
    }

    /// Whether words after "is" are a name, a number or a code.
    fn names(&self, words: &[Word]) -> bool {
        words.len() <= MOST_OF_VALUE && words.iter().any(|word| word.digit || word.upper || is_unit(word))
    }
}

#[cfg(test)]
mod tests {
    use crate::text::{TieText, Ties};

    #[test]
    fn statements_that_differ_in_their_end_are_seen() {
        let alike = |one: &str, other: &str, question: &str| {
            let texts = [one, other].map(|text| TieText { text, speaker: None, vector: None });
            let ties = Ties::between(&texts, &|_| None);
            let found = ties.alike(question, &|_, _| true);
            found.first().map(|alike| alike.in_value)
        };
        let costs = "What does the rye loaf cost?";
        let loaf = "From June on we are open. The rye loaf costs 4 euros and 60 cents.";
        assert_eq!(alike("The rye loaf costs 3 euros. Breaks are short.", loaf, costs), Some(true));
        assert_eq!(alike("The rye loaf is sold on Mondays and Fridays.", loaf, costs), None);
        for (question, one, other, found) in [
            ("How high is the rent?", "The rent is 940 euros.", "The rent is 985 euros.", Some(true)),
            ("When do we deploy?", "We deploy on Tuesdays.", "We deploy on Thursdays.", Some(true)),
            ("How much does Max weigh?", "Max weighs 61 kilos.", "Max weighs 64 kilos.", Some(true)),
            (
                "Wann ist das Training?",
                "Das Training ist montags.",
                "Das Training ist um sechs.",
                Some(false),
            ),
            (
                "What is the password?",
                "The password is bluefin-22.",
                "The password is marlin-31.",
                Some(true),
            ),
            ("How is the printer?", "The printer is broken.", "The printer is slow.", None),
            (
                "How is the key to the attic?",
                "The key to the attic is new.",
                "The key to the attic is lost.",
                Some(false),
            ),
            (
                "When do we train?",
                "We train on Mondays in the gym.",
                "We train on Fridays in the gym.",
                Some(true),
            ),
            (
                "What is the fee?",
                "The fee is 30 pounds, due in May.",
                "The fee is 42 pounds, due in May.",
                Some(true),
            ),
            (
                "Where is the spare key?",
                "The spare key is under the mat.",
                "The spare key is with Orla.",
                Some(true),
            ),
            (
                "Where does the club meet?",
                "The Swan is closed, the club meets in the library.",
                "The club meets at the mill.",
                Some(true),
            ),
            (
                "When does the club meet?",
                "The club meets at the mill.",
                "The club meets at ten.",
                Some(false),
            ),
            ("What do I like?", "I like tea.", "I like coffee.", None),
            ("Which room is free?", "Room 3 is free.", "Room 4 is free.", None),
            ("What is an invoice?", "Invoice 17 is 40 euros.", "Invoice 18 is 60 euros.", None),
            ("Who writes?", "The rent is 940 euros.", "The rent is 985 euros.", None),
        ] {
            assert_eq!(alike(one, other, question), found, "{other}");
        }
        let opens = ["The shop opens at nine on Monday.", "The shop opens at ten on Sunday."];
        assert_eq!(alike(opens[0], opens[1], "When does the shop open?"), Some(true));
        assert_eq!(alike(opens[0], opens[1], "When does the shop open on Sunday?"), None);
        let texts = ["Ada", "Ben"].map(|name| TieText {
            text: if name == "Ada" { "My rent is 940 euros." } else { "My rent is 985 euros." },
            speaker: Some(name),
            vector: None,
        });
        assert_eq!(Ties::between(&texts, &|_| None).alike("How high is the rent?", &|_, _| true), []);
        let ties = Ties::between(&[], &|_| None);
        assert_eq!(ties.alike("", &|_, _| true), []);
    }
}
