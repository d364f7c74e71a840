//! Whether two texts speak of the same property of the same thing, by their words alone.
//!
//! What names a thing is not enough: "Kestrel Farm pays 39 euros" and "the door codes of Kestrel Farm" have a
//! name in common and state two properties. So the words beside names, numbers and times decide, and only
//! those of main clauses: a reason may mention anything.

use std::ops::Range;

use crate::model::EntityType;

use super::calendar::{calendar_word, is_calendar_name};
use super::clause::{ends_before, subordinate};
use super::entity::entities;
use super::language::{is_stop_word, language_of};
use super::negation::numbers;
use super::query::{content_of, content_terms, is_related};
use super::statement::{TAKES_BACK, begins_sentence, is_about_one_thing, is_cue, replaces_at};
use super::stem::stem_into;
use super::values::is_unit;
use super::words::{Gap, Word, pair_at, words};

context_words! {
    FORMER MOVES_FROM MOVES_TO TAKES_OVER DROPS ENDS_FORMER SUBJECTS
}

/// What two texts have in common.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Common {
    /// Words that say what is stated, in the two sentences that have the most in common.
    pub words: usize,
    /// Their share of the words of the shorter of both sentences.
    pub share: f32,
    /// Names in common.
    pub names: usize,
    /// Each text has names, and none of the other's.
    pub is_of_others: bool,
}

/// A text as far as it says what it speaks of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Topic {
    /// Of each sentence, or what is like one, what is stated.
    sentences: Vec<Said>,
    names: Vec<String>,
    /// It is about more than one thing: a change that it states is one of a sentence.
    is_long: bool,
}

/// A sentence as far as it says what it speaks of.
#[derive(Clone, PartialEq, Debug, Default)]
struct Said {
    stems: Vec<String>,
    /// It says that something changes, was wrong or is cancelled.
    replaces: bool,
    /// It has a name or a number.
    is_filled: bool,
}

impl Topic {
    pub fn of(text: &str) -> Self {
        let words = words(text);
        let own = language_of(text, &words);
        let inside = subordinate(&words, own);
        let is_content = content_of(own);
        let mentions = entities(text);
        let is_named = |word: &Word| {
            let holds = |range: &Range<usize>| range.start <= word.start && word.end <= range.end;
            mentions.iter().any(|one| one.kind != EntityType::Date && holds(&one.bytes))
        };
        let mut topic = Self { is_long: !is_about_one_thing(&words), ..Self::default() };
        let mut begun = 0;
        for (at, word) in words.iter().enumerate() {
            if at == 0 || begins_sentence(word) {
                begun = topic.sentences.len();
            }
            if at == 0 || ends_before(word) {
                // "Correction: it is 95 metres long" is one sentence.
                let replaces = topic.sentences.get(begun).is_some_and(|said| said.replaces);
                topic.sentences.push(Said { replaces, ..Said::default() });
            }
            let Some(said) = topic.sentences.last_mut() else { continue };
            said.is_filled |= word.digit;
            if topic.is_long && replaces_at(&words, at, own) {
                topic.sentences[begun..].iter_mut().for_each(|said| said.replaces = true);
            }
            if !is_content(word.key) || word.digit || calendar_word(word).is_some() || is_unit(word) {
                continue;
            }
            // "The hotel Mirador": what comes between an article and a name belongs to the name.
            let is_title = at > 0
                && is_stop_word(words[at - 1].key)
                && words.get(at + 1).is_some_and(|next| next.gap.joins_phrase() && is_named(next));
            let mut stem = String::new();
            match pair_at(&words, at) {
                Some(pair) => stem.push_str(&text[pair]),
                None if word.ideograph => continue,
                None => stem_into(word.text(text), own, &mut stem),
            }
            if is_title || is_named(word) {
                topic.names.push(stem);
                topic.sentences.last_mut().into_iter().for_each(|said| said.is_filled = true);
            } else if !inside[at] && !is_cue(&words, at, own) {
                topic.sentences.last_mut().into_iter().for_each(|said| said.stems.push(stem.clone()));
            }
        }
        // "Hut." is the heading of what follows.
        let least = |said: &Said| if topic.is_long && !said.is_filled { 2 } else { 1 };
        topic.sentences.retain(|said| said.stems.len() >= least(said));
        let stems = topic.sentences.iter_mut().map(|said| &mut said.stems);
        for list in stems.chain([&mut topic.names]) {
            list.sort_unstable();
            list.dedup();
        }
        topic
    }

    /// What it has in common with a later text. Where that says that something changes (`says_so`), among
    /// other things, only the sentences that say so count.
    pub fn in_common(&self, later: &Self, says_so: bool) -> Common {
        let counts = |said: &&Said| said.replaces || !says_so || !later.is_long;
        let names = self.names.iter().filter(|name| later.names.contains(name)).count();
        let is_of_others = names == 0 && !self.names.is_empty() && !later.names.is_empty();
        let mut best = Common { names, is_of_others, ..Common::default() };
        for one in &self.sentences {
            for two in later.sentences.iter().filter(counts) {
                let (one, two) = (&one.stems, &two.stems);
                let words = one.iter().filter(|word| two.iter().any(|other| is_related(word, other))).count();
                let share = words as f32 / one.len().min(two.len()) as f32;
                if (words, share) > (best.words, best.share) {
                    best = Common { words, share, ..best };
                }
            }
        }
        best
    }
}

/// Whether a text of unknown time may have what a change brought already: a number or a name of it, or if it
/// brings neither, most of its words. What the change names as the former value does not count.
pub fn has_change(text: &str, change: &str) -> bool {
    /// Share of the words of the change.
    const MOST: f32 = 0.85;
    let all = words(change);
    let own = language_of(change, &all);
    let is_former = |at: usize| is_former(&all, at);
    let brought: Vec<usize> = (0..all.len()).filter(|at| !is_former(*at)).collect();
    let spelled = |is: &dyn Fn(usize) -> bool| {
        brought.iter().filter(|at| is(**at)).map(|at| all[*at].text(change)).collect::<Vec<_>>().join(" ")
    };
    let (new, had) = (numbers(&spelled(&|_| true)), numbers(text));
    if !new.is_empty() {
        return new.iter().any(|number| had.contains(number));
    }
    let had = content_terms(text);
    let names = entities(change);
    let is_named = |at: usize| {
        let mut names = names.iter().filter(|name| name.kind != EntityType::Date);
        names.any(|name| name.bytes.start <= all[at].start && all[at].end <= name.bytes.end)
    };
    let new = content_terms(&spelled(&is_named));
    if !new.is_empty() {
        return new.iter().any(|term| had.contains(term));
    }
    let new = content_terms(&spelled(&|at| !is_cue(&all, at, own)));
    let common = new.iter().filter(|term| had.contains(term)).count();
    !new.is_empty() && common as f32 >= MOST * new.len() as f32
}

/// Words between the one that takes back and the value.
const BETWEEN: usize = 3;

/// Whether the word at this position is of a value that was so before the change: "from X to Y", "not X".
fn is_former(all: &[Word], at: usize) -> bool {
    let takes_back = |word: &Word| TAKES_BACK.contains(&word.key) || FORMER.contains(&word.key);
    is_left(all, at) || all[at.saturating_sub(BETWEEN)..at].iter().any(takes_back)
}

/// Whether it is of what a change leaves: "from X to Y", "took over from X", "we dropped X".
fn is_left(all: &[Word], at: usize) -> bool {
    let ends = |word: &Word| MOVES_TO.contains(&word.key) || ENDS_FORMER.contains(&word.key);
    (at.saturating_sub(BETWEEN)..at).any(|before| {
        let key = &all[before].key;
        let goes_on = || {
            all[at..].iter().any(|word| MOVES_TO.contains(&word.key))
                || all[..before].iter().any(|word| TAKES_OVER.contains(&word.key))
        };
        MOVES_FROM.contains(key) && goes_on()
            // "Dropped its fee to ten" still has a fee.
            || DROPS.contains(key)
                && !all[before + 1..=at].iter().any(|word| ends_before(word) || word.gap == Gap::Comma)
                && !all[before + 1..all.len().min(at + BETWEEN)].iter().any(ends)
    })
}

/// What a change leaves: "from X to Y", "took over from X", "we dropped X".
pub struct Left {
    /// Keys of the content terms of the former value ([`super::term_key`]).
    left: Vec<u64>,
    /// Those of which one says what changes; none where "we" changed something.
    about: Option<Vec<u64>>,
}

impl Left {
    /// Of the words of a text, and its stems that say something with the word of each; `None` if it does not
    /// say what was so before.
    pub(super) fn of(all: &[Word], stems: impl Iterator<Item = (usize, u64)>) -> Option<Self> {
        let first = all.first()?;
        // "From 20 November to 2 January" is no value.
        let is_day = |at: usize| {
            let beside = at.saturating_sub(1)..all.len().min(at + 2);
            all[at].digit && all[beside].iter().any(is_calendar_name) || is_calendar_name(&all[at])
        };
        let (left, about): (Vec<_>, Vec<_>) =
            stems.filter(|(at, _)| !is_day(*at)).partition(|(at, _)| is_left(all, *at));
        if left.is_empty() {
            return None;
        }
        let [mut left, mut about] =
            [left, about].map(|own| own.into_iter().map(|(_, key)| key).collect::<Vec<u64>>());
        left.retain(|term| !about.contains(term));
        // What is spoken of comes first, but for "Orla took over the helpdesk from Jens".
        if !all.iter().any(|word| TAKES_OVER.contains(&word.key)) {
            about.truncate(1);
        }
        let is_ours = SUBJECTS.contains(&first.key);
        Some(Self { left, about: (!is_ours).then_some(about) })
    }

    /// Whether a text that says these terms has the former value, and speaks of what changes.
    pub fn is_in(&self, says: &dyn Fn(u64) -> bool) -> bool {
        let has = |terms: &[u64]| terms.iter().any(|term| says(*term));
        has(&self.left) && self.about.as_deref().is_none_or(has)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{TieText, Ties};

    fn common(one: &str, other: &str) -> Common {
        Topic::of(one).in_common(&Topic::of(other), false)
    }

    #[test]
    fn a_name_in_common_is_no_property() {
        let pays = "The guest house Harrow Hill pays 39 euros a month.";
        let codes = "From May on the door codes of Harrow Hill are sent by post.";
        let more = "From May on Harrow Hill pays 45 euros a month.";
        assert_eq!(common(pays, codes).words, 0);
        assert!(common(pays, codes).names > 0);
        assert!(common(pays, more).words > 0);
        // The class of a named thing is part of its name.
        let push = "The hotel Amsel switched on push messages.";
        assert_eq!(common(push, "The hotel Amsel has ten rooms.").words, 0);
    }

    #[test]
    fn a_reason_says_nothing_of_the_property() {
        let one = "The roof of the barn is closed, because the beam is broken.";
        let other = "The beam is at the carpenter's, until the barn is dry.";
        assert_eq!(common(one, other).words, 0);
    }

    #[test]
    fn a_text_that_has_the_new_value_is_not_changed() {
        let change = "From June on the flour comes from the mill of Brandt, no longer from Kornhaus.";
        assert!(!has_change("Flour: Kornhaus, sacks of 25 kg.", change));
        assert!(has_change("The flour comes from the mill of Brandt since June.", change));
        let change = "The key to the oven room has moved: it hangs in the office now.";
        assert!(!has_change("The key to the oven room hangs behind the bin.", change));
        assert!(has_change("The key to the oven room hangs in the office.", change));
        assert!(!has_change("We meet in room 2.", "The meeting moved from room 2 to room 5."));
        assert!(has_change("We meet in room 5.", "The meeting moved from room 2 to room 5."));
        assert!(!has_change("", "") && !has_change("anything", ""));
    }

    #[test]
    fn two_texts_of_other_names_are_noticed() {
        let one = "Selma hat 80 Euro in die Kasse gelegt.";
        assert!(common(one, "Bastian hat 60 Euro in die Kasse gelegt.").is_of_others);
        assert!(!common(one, "Selma hat 60 Euro in die Kasse gelegt.").is_of_others);
        assert_eq!(common(one, "Selma hat 60 Euro in die Kasse gelegt.").share, 1.0);
    }

    #[test]
    fn what_a_change_leaves_is_known() {
        let has_left = |text: &str, change: &str| {
            let texts = [text, change].map(|text| TieText { text, speaker: None, vector: None });
            let ties = Ties::between(&texts, &|_| None);
            ties.left(1).is_some_and(|left| left.is_in(&|term| ties.says(0, term)))
        };
        let (moved, dropped) =
            ("CI moved from Jenkins to Buildbot.", "We dropped Grove, flags are in a table now.");
        assert!(has_left("CI runs on Jenkins.", moved));
        assert!(!has_left("CI runs on Buildbot.", moved) && !has_left("Backups run on Jenkins.", moved));
        assert!(has_left("Flags are read from a Grove project.", dropped));
        assert!(!has_left("The flags have ten colours.", dropped));
        assert!(!has_left("Gifts of November may come back.", "From 20 November to 2 January we close."));
        let over = "Orla took over the helpdesk from Jens.";
        assert!(has_left("Jens runs the helpdesk.", over) && !has_left("Jens has a boat.", over));
        assert!(!has_left("The office is in Kiel.", "Our boat house is no longer in Kiel."));
        assert!(has_left("We print at Rahm.", "We switched from Rahm to Ottendorf."));
    }
}
