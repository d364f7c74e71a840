//! Finds the clauses of a text that may refer to an earlier statement as their cause.
//!
//! "Because the rolls came late, …" states a cause; whether another memory tells of it is for the caller to
//! decide, by the words of the clause. Unlike `cause`, words that only sometimes imply a cause count too
//! ("after", "with"), because the clause alone joins nothing. Purposes ("so that") and times ("since Monday")
//! do not count. A clause ends at a comma; one that opens a sentence without a comma ends before the next
//! subject, or after a few words, because the effect follows in the same breath.

use std::ops::Range;
use std::sync::LazyLock;

use super::calendar::{CalendarWord, calendar_word};
use super::language::{Language, language_of};
use super::sentence::sentences;
use super::words::{self, Gap, Phrases, Word};

/// A cue with the clause that it introduces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointing {
    /// The cue itself.
    pub bytes: Range<usize>,
    pub kind: PointingKind,
    /// `causes`, `enables` or `prevents`.
    pub sub_type: &'static str,
    /// What may have been said before. Empty for `Back`.
    pub clause: Range<usize>,
    /// The sentence before the cue, and after the clause.
    pub rest: [Range<usize>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointingKind {
    /// The clause opens a sentence.
    Opening,
    /// The clause follows its effect.
    Inside,
    /// Often mere circumstances: "with", "without".
    Weak,
    /// The memory begins with "that is why": what was said just before is the cause.
    Back,
}

named! {
    Position {
        Any = "any",
        Front = "front",
        Comma = "comma",
        Weak = "weak",
        Back = "back",
    }
}

#[derive(Clone, Copy, Debug)]
struct Cue {
    language: Language,
    place: Position,
    sub_type: &'static str,
}

static CUES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    let table = include_str!("../../data/pointing_cues.tsv");
    Phrases::read(table, |language, [place, sub_type]| {
        Some(Cue { language, place: Position::parse(place)?, sub_type })
    })
});

context_words! {
    NOT_AFTER_POINTING BEFORE_POINTING SUBJECTS BEFORE_SUBJECT
}

/// The most words of a clause that opens a sentence and has no comma, and of any clause.
const WITHOUT_COMMA: usize = 9;
const LONGEST: usize = 22;
/// The most clauses of a text, so that the work for a long one stays small.
const MOST: usize = 8;

/// The first few clauses of the text that may name an earlier statement, in order.
pub fn pointing_clauses(text: &str) -> Vec<Pointing> {
    let words = words::words(text);
    let mut known: Option<(Language, Vec<Range<usize>>)> = None;
    let mut found: Vec<Pointing> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < MOST {
        let mut next = at + 1;
        if CUES.at(&words, at).is_some() {
            let (language, sentences) =
                known.get_or_insert_with(|| (language_of(text, &words), sentences(text)));
            let start = words[at].start;
            let sentence = sentences.partition_point(|sentence| sentence.end <= start);
            let sentence = sentences.get(sentence).cloned().unwrap_or(start..text.len());
            let one = CUES.all_at(&words, at).find_map(|(len, cue)| {
                let is_read = cue.language.is_read_in(*language);
                let found = is_read.then(|| read(text, &words, at, len, *cue, &sentence))?;
                found.map(|found| (len, found))
            });
            if let Some((len, one)) = one {
                next = (at + len).max(words.partition_point(|word| word.start < one.clause.end));
                found.push(one);
            }
        }
        at = next;
    }
    found
}

fn read(
    text: &str,
    words: &[Word],
    at: usize,
    len: usize,
    cue: Cue,
    sentence: &Range<usize>,
) -> Option<Pointing> {
    let bytes = words[at].start..words[at + len - 1].end;
    if bytes.end > sentence.end {
        return None;
    }
    let before = trimmed(text, sentence.start..bytes.start);
    // "And because …" opens a sentence too; so does what follows a colon.
    let follows_and = at > 0
        && before == (words[at - 1].start..words[at - 1].end)
        && BEFORE_POINTING.contains(&words[at - 1].key);
    let opens = before.is_empty() || follows_and || words[at].gap == Gap::Colon;
    let kind = match cue.place {
        Position::Back if opens && at <= EXCLAMATION => PointingKind::Back,
        Position::Back => return None,
        Position::Weak if opens => PointingKind::Weak,
        Position::Any | Position::Front if opens => PointingKind::Opening,
        Position::Any => PointingKind::Inside,
        Position::Comma if !opens && words[at].gap == Gap::Comma => PointingKind::Inside,
        Position::Weak | Position::Front | Position::Comma => return None,
    };
    let empty = bytes.end..bytes.end;
    if kind == PointingKind::Back {
        let rest = [empty.clone(), trimmed(text, bytes.end..sentence.end)];
        return Some(Pointing { bytes, kind, sub_type: cue.sub_type, clause: empty, rest });
    }
    let first = at + len;
    if words.get(first).is_none_or(|word| is_no_cause(text, word, words.get(first + 1))) {
        return None;
    }
    let inside: Vec<&Word> = words[first..].iter().take_while(|word| word.end <= sentence.end).collect();
    let ends = |word: &&&Word| matches!(word.gap, Gap::Comma | Gap::Colon | Gap::Break | Gap::Dot);
    let comma = inside.iter().skip(1).position(|word| ends(&word)).map(|position| position + 1);
    let most = if comma.is_none() && kind != PointingKind::Inside { WITHOUT_COMMA } else { LONGEST };
    let subject = (1..inside.len())
        .find(|at| SUBJECTS.contains(&inside[*at].key) && !BEFORE_SUBJECT.contains(&inside[*at - 1].key));
    let end = match subject {
        Some(subject) if comma.is_none() && kind != PointingKind::Inside => subject,
        _ => comma.unwrap_or(inside.len()),
    };
    let count = end.min(most);
    let end = count.checked_sub(1).and_then(|last| inside.get(last)).map_or(bytes.end, |word| word.end);
    let clause = trimmed(text, bytes.end..end);
    if clause.is_empty() {
        return None;
    }
    let rest = [before, trimmed(text, end..sentence.end)];
    Some(Pointing { bytes, kind, sub_type: cue.sub_type, clause, rest })
}

/// The most words of an exclamation before "that is why": "For sure, Ann!"
const EXCLAMATION: usize = 3;

/// Whether a time or a set phrase follows: "since Monday", "after 20 minutes", "after nine years", "as of".
fn is_no_cause(text: &str, word: &Word, next: Option<&Word>) -> bool {
    let is_calendar = match calendar_word(word) {
        Some(CalendarWord::Number(_)) => {
            next.is_some_and(|next| matches!(calendar_word(next), Some(CalendarWord::Unit(_))))
        }
        Some(CalendarWord::Unit(_)) | None => false,
        Some(_) => true,
    };
    let starts_with_digit = word.text(text).starts_with(|c: char| c.is_ascii_digit());
    starts_with_digit || is_calendar || NOT_AFTER_POINTING.contains(&word.key)
}

/// The range without white space and punctuation at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    words::trimmed(text, range, |c| c.is_whitespace() || ",;:.!?-–—，。；：！？、*\"“”".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    #[test]
    fn clauses_that_may_name_an_earlier_statement_are_found() {
        check(include_str!("../../tests/cases/pointing.tsv"), |text| {
            let one = |p: Pointing| match p.kind {
                PointingKind::Back => "<".to_string(),
                PointingKind::Weak => format!("({})", &text[p.clause]),
                _ => text[p.clause].to_string(),
            };
            pointing_clauses(text).into_iter().map(one).collect::<Vec<_>>().join("; ")
        });
    }
}
