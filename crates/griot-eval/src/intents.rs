//! How often do the rules read the intent of a question right?
//!
//! The questions and the rules for their labels are in `data/intents.tsv`. Rules may be improved by the
//! mistakes of the half `tune`; of the half `held` nothing but totals leaves this module, so that it stays a
//! measure.

use griot::model::{Error, Result};
use griot::text::{Intent, read_intent};

/// Share of the half `held` that must be read right.
pub const HELD_WANTED: f64 = 0.93;

/// In the order of the tables.
pub const INTENTS: [(Intent, &str); 4] =
    [(Intent::Why, "why"), (Intent::When, "when"), (Intent::Entity, "entity"), (Intent::General, "general")];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    Tune,
    Held,
}

impl Half {
    pub const ALL: [Self; 2] = [Self::Tune, Self::Held];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Tune => "tune",
            Self::Held => "held",
        }
    }
}

/// A line of the set.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    pub half: Half,
    pub language: String,
    pub intent: Intent,
    /// Words of several intents meet in it.
    pub hard: bool,
    pub text: String,
}

/// Questions read right, of those asked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub right: usize,
    pub asked: usize,
}

impl Tally {
    pub fn accuracy(self) -> f64 {
        self.right as f64 / self.asked.max(1) as f64
    }
}

/// A language, an intent, the hard ones, or all.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub name: String,
    /// By half.
    pub tallies: [Tally; 2],
}

/// A question of the half `tune` that was read wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    pub question: Question,
    pub read: Intent,
    /// The words that decided.
    pub cue: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub groups: Vec<Group>,
    /// By half, label and reading.
    pub confusion: [[[usize; 4]; 4]; 2],
    pub mistakes: Vec<Mistake>,
}

impl Outcome {
    /// All questions of a half.
    pub fn total(&self, half: Half) -> Tally {
        self.groups.first().map_or(Tally::default(), |all| all.tallies[half as usize])
    }

    /// A file without a held half has nothing to hold.
    pub fn holds(&self) -> bool {
        let held = self.total(Half::Held);
        held.asked == 0 || held.accuracy() >= HELD_WANTED
    }
}

/// The questions of this crate.
pub fn built_in() -> Result<Vec<Question>> {
    parse("data/intents.tsv", include_str!("../data/intents.tsv"))
}

/// Reads lines of half, language, intent, hard and question; `name` is for errors.
pub fn parse(name: &str, text: &str) -> Result<Vec<Question>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            question(line).map_err(|why| {
                Error::invalid(format!("read {name} line {number}"), why)
                    .hint("the columns are half (tune, held), language, intent, hard (0, 1) and question")
            })
        })
        .collect()
}

fn question(line: &str) -> Result<Question, String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [half, language, intent, hard, text] = columns[..] else {
        return Err(format!("it has {} columns and not 5", columns.len()));
    };
    let unknown = |column: &str, value: &str| format!("{value:?} is no {column}");
    Ok(Question {
        half: Half::ALL
            .into_iter()
            .find(|known| known.name() == half)
            .ok_or_else(|| unknown("half", half))?,
        language: language.to_owned(),
        intent: INTENTS
            .into_iter()
            .find(|(_, name)| *name == intent)
            .map(|(known, _)| known)
            .ok_or_else(|| unknown("intent", intent))?,
        hard: match hard {
            "0" => false,
            "1" => true,
            _ => return Err(unknown("value of hard", hard)),
        },
        text: text.to_owned(),
    })
}

/// Reads every question by the rules of the engine.
pub fn measure(questions: &[Question]) -> Outcome {
    let mut outcome = Outcome { groups: Vec::new(), confusion: [[[0; 4]; 4]; 2], mistakes: Vec::new() };
    // The fixed groups come first, and languages in the order of the file.
    let fixed = ["all", "easy", "hard"].into_iter().chain(INTENTS.map(|(_, name)| name));
    outcome.groups.extend(fixed.map(|name| Group { name: name.to_owned(), tallies: [Tally::default(); 2] }));
    for question in questions {
        let reading = read_intent(&question.text);
        let is_right = reading.intent == question.intent;
        let difficulty = if question.hard { "hard" } else { "easy" };
        for name in ["all", difficulty, name(question.intent), &question.language] {
            let group = match outcome.groups.iter().position(|group| group.name == name) {
                Some(place) => &mut outcome.groups[place],
                None => {
                    outcome.groups.push(Group { name: name.to_owned(), tallies: [Tally::default(); 2] });
                    let last = outcome.groups.len() - 1;
                    &mut outcome.groups[last]
                }
            };
            let tally = &mut group.tallies[question.half as usize];
            tally.asked += 1;
            tally.right += usize::from(is_right);
        }
        outcome.confusion[question.half as usize][place(question.intent)][place(reading.intent)] += 1;
        if !is_right && question.half == Half::Tune {
            outcome.mistakes.push(Mistake {
                question: question.clone(),
                read: reading.intent,
                cue: reading.cue.map(|cue| question.text[cue].to_owned()),
            });
        }
    }
    outcome
}

pub fn name(intent: Intent) -> &'static str {
    INTENTS[place(intent)].1
}

fn place(intent: Intent) -> usize {
    match intent {
        Intent::Why => 0,
        Intent::When => 1,
        Intent::Entity => 2,
        Intent::General => 3,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;

    fn questions() -> Vec<Question> {
        built_in().expect("the data of this crate")
    }

    /// FNV-1a, 64 bits.
    fn hash(text: &str) -> u64 {
        text.bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    #[test]
    fn the_held_half_is_read_right() {
        let held = measure(&questions()).total(Half::Held);
        assert!(held.accuracy() >= HELD_WANTED, "{} of {}", held.right, held.asked);
    }

    #[test]
    fn the_set_has_questions_of_every_kind() {
        let questions = questions();
        let texts: HashSet<&str> = questions.iter().map(|question| question.text.as_str()).collect();
        assert_eq!(texts.len(), questions.len());
        assert!(questions.len() >= 480);
        for (intent, name) in INTENTS {
            let of_intent = || questions.iter().filter(|question| question.intent == intent);
            assert!(of_intent().count() >= 120, "{name}");
            assert!(of_intent().filter(|question| question.hard).count() >= 25, "{name}");
            for language in ["english", "german", "french", "spanish", "chinese"] {
                assert!(
                    of_intent().filter(|question| question.language == language).count() >= 15,
                    "{language} {name}"
                );
            }
        }
    }

    #[test]
    fn the_halves_are_dealt_by_hash() {
        let questions = questions();
        let mut strata: BTreeMap<(&str, &str), Vec<&Question>> = BTreeMap::new();
        for question in &questions {
            strata.entry((&question.language, name(question.intent))).or_default().push(question);
        }
        for stratum in strata.values_mut() {
            stratum.sort_by_key(|question| hash(&question.text));
            for (place, question) in stratum.iter().enumerate() {
                assert_eq!(question.half, Half::ALL[place % 2], "{}", question.text);
            }
        }
    }

    #[test]
    fn mistakes_of_the_held_half_stay_hidden() {
        let wrong = "tune\tenglish\twhen\t0\tWhy is it so?\nheld\tenglish\twhen\t1\tWhy was it so?\n";
        let outcome = measure(&parse("wrong", wrong).expect("two lines"));
        assert_eq!(outcome.mistakes.len(), 1);
        assert_eq!(outcome.mistakes[0].question.half, Half::Tune);
        assert_eq!(outcome.mistakes[0].cue.as_deref(), Some("Why"));
        assert_eq!(outcome.total(Half::Held), Tally { right: 0, asked: 1 });
        assert_eq!(outcome.confusion[1][1], [1, 0, 0, 0]);
        assert!(!outcome.holds());
    }

    #[test]
    fn a_bad_line_is_named() {
        for (line, why) in [
            ("tune\tenglish\twhy\t0", "4 columns"),
            ("test\tenglish\twhy\t0\tWhy?", "\"test\" is no half"),
            ("tune\tenglish\twho\t0\tWhy?", "\"who\" is no intent"),
            ("tune\tenglish\twhy\tno\tWhy?", "\"no\" is no value of hard"),
        ] {
            let error = parse("bad.tsv", &format!("# head\n{line}\n")).expect_err(why).to_string();
            assert!(error.contains("bad.tsv line 2") && error.contains(why), "{error}");
        }
    }
}
