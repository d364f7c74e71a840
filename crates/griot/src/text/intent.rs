//! Classifies a question by the answer it asks for: a reason, a time, a thing, or nothing in particular.
//!
//! The question word of the main clause decides: "When did we decide why…" asks for a time, "Why did it fail
//! when…" for a reason. After a weak one, "what is", the noun or verb next to it decides; without one, nouns
//! such as "reason" or "deadline" do. The cues are in `data/intent_cues.tsv`.

use super::date::QUERY_BYTES;
use super::intent_cues::*;
use super::language::{Language, language_of};
use super::time_expressions;
use super::words::{Gap, KeySet, Word, key, words};
use crate::model::Timestamp;

#[derive(Clone, PartialEq, Debug)]
pub struct IntentReading {
    pub intent: Intent,
    /// Asks for the consequences of something, not for its causes: "what did it lead to".
    pub forward: bool,
    /// Confidence, 0..=1.
    pub confidence: f32,
}

/// Confidence without any cue.
const NO_CUE: f32 = 0.5;
/// Factor for a question word that does not open the main clause: "and when did it start".
const INNER_QUESTION: f32 = 0.85;
/// Up to this weight a cue leaves the decision to the words that follow.
const WEAK: f32 = 0.7;
/// "Who can tell me", "was it": a question word that is usually not the question.
const POLITE: f32 = 0.6;
/// "What colour is": the noun makes it a question about a thing.
const NAMED_THING: f32 = 0.75;
/// Number of words after a weak question word that are searched for the noun or verb.
const FOCUS_WORDS: usize = 5;
/// Number of words after "how many" that are searched for a unit of time: "how many more working days".
const COUNT_WORDS: usize = 3;
/// Shortest last part of a German compound that is looked up, in bytes, and the shortest part before it.
const COMPOUND_PART: usize = 3;
/// Longest word that is split as a compound, in bytes.
const LONGEST_COMPOUND: usize = 64;

/// Reads the intent of a question in English, German, French, Spanish or Chinese.
pub fn read_intent(query: &str) -> IntentReading {
    let text = &query[..query.floor_char_boundary(QUERY_BYTES)];
    let words = words(text);
    let language = language_of(text, &words);
    match (Question { text, words, language }).read() {
        Some(Found { intent, forward, weight, .. }) if intent != Intent::General => {
            IntentReading { intent, forward, confidence: weight }
        }
        _ => IntentReading { intent: Intent::General, forward: false, confidence: NO_CUE },
    }
}

struct Question<'q> {
    text: &'q str,
    words: Vec<Word>,
    language: Language,
}

/// The cue words that were found, and their meaning.
#[derive(Clone, Copy, Debug)]
struct Found {
    intent: Intent,
    forward: bool,
    weight: f32,
    at: usize,
    len: usize,
}

impl Found {
    fn of(cue: &Cue, at: usize, len: usize) -> Self {
        Self { intent: cue.intent, forward: cue.forward, weight: cue.weight, at, len }
    }
}

impl Question<'_> {
    fn read(&self) -> Option<Found> {
        let mut best: Option<Found> = None;
        // Whether only lead-in words have been seen, so that a question word here opens the main clause.
        let mut opening = true;
        let mut asked = false;
        let mut yes_or_no = self.is_yes_or_no(0);
        let mut at = 0;
        while at < self.words.len() {
            // "Hi! When was it?", "After the release, why…": the next clause has its own beginning.
            if at > 0 && matches!(self.words[at].gap, Gap::Break | Gap::Colon | Gap::Dot) {
                opening = true;
                yes_or_no = self.is_yes_or_no(at);
            }
            let starts = opening;
            if opening
                && !asked
                && let Some(framed) = self.framed(at)
            {
                return Some(framed);
            }
            // Chinese puts the question word where the answer would be.
            opening |= self.language == Language::Chinese && !asked;
            let Some((len, cue)) = self.cue_at(at, starts, opening, asked || yes_or_no) else {
                opening = starts && LEAD_IN.contains(&self.words[at].key);
                // "After we moved, why did it fail?"
                if !asked && self.words.get(at + 1).is_some_and(|next| next.gap == Gap::Comma) {
                    opening = true;
                    yes_or_no |= self.is_yes_or_no(at + 1);
                }
                at += 1;
                continue;
            };
            let mut found = Found::of(&cue, at, len);
            let is_weak = cue.weight <= WEAK;
            match cue.place {
                Place::Ask if opening && self.asks_politely(at) => found.weight = found.weight.min(POLITE),
                Place::Ask if opening => {
                    let focus = if is_weak { self.focus(at, len, &cue) } else { None };
                    if focus.is_some() {
                        return focus;
                    }
                    if !is_weak && cue.intent != Intent::General {
                        return Some(found);
                    }
                    (asked, opening) = (true, false);
                }
                Place::Ask => found.weight *= INNER_QUESTION,
                Place::Count => {
                    found = self.by_unit(found);
                    found.weight *= if opening { 1.0 } else { INNER_QUESTION };
                    (asked, opening) = (true, false);
                }
                // "Give me" is not yet a question, and "show me how" asks for something else.
                Place::Start if is_weak => {
                    if let Some(focus) = self.focus(at, len, &cue) {
                        return Some(focus);
                    }
                }
                Place::Start => return Some(found),
                Place::Event | Place::Span => found = self.by_time(found, cue.place),
                Place::Any | Place::Head | Place::Focus | Place::Act | Place::Frame => opening = false,
            }
            if best.is_none_or(|known| found.weight > known.weight) {
                best = Some(found);
            }
            at += len;
        }
        best
    }

    /// A question around its subject: "what did … lead to".
    fn framed(&self, at: usize) -> Option<Found> {
        CUES.frames.all_at(&self.words, at).filter(|(_, frame)| self.speaks(&frame.cue)).find_map(
            |(len, frame)| {
                let mut behind = self.following(at + len).skip(1);
                behind
                    .any(|end| frame.end.at(&self.words, end).is_some())
                    .then(|| Found::of(&frame.cue, at, len))
            },
        )
    }

    /// The longest cue that counts at this word, except nouns of a focus.
    fn cue_at(&self, at: usize, starts: bool, opening: bool, closed: bool) -> Option<(usize, Cue)> {
        let counts = |len: usize, cue: &Cue| match cue.place {
            Place::Ask => self.is_question_word(at, len, opening),
            Place::Start => starts && !closed,
            // "Is anything related to it?"
            Place::Any => !closed || cue.intent != Intent::Entity,
            Place::Count => true,
            Place::Head | Place::Span => !closed && self.speaks(cue),
            Place::Event => len > 1 && !closed && self.speaks(cue),
            Place::Focus | Place::Act | Place::Frame => false,
        };
        let phrase = CUES.phrases.all_at(&self.words, at).find(|(len, cue)| counts(*len, cue));
        let compound = || self.compound_at(at).filter(|cue| counts(1, cue)).map(|cue| (1, cue));
        phrase.map(|(len, cue)| (len, *cue)).or_else(compound)
    }

    /// The noun or verb after a weak question word or request that shows what it asks for.
    fn focus(&self, at: usize, len: usize, cue: &Cue) -> Option<Found> {
        let first = at + len;
        if cue.place == Place::Ask && !DETERMINERS.contains(&self.words[first - 1].key) {
            if let Some(found) = self.cause_or_event(first) {
                return Some(found);
            }
            if OBJECT_QUESTIONS.contains(&self.words[first - 1].key)
                && self
                    .following(first)
                    .take(FOCUS_WORDS)
                    .any(|at| FRENCH_VERBS.contains(&self.words[at].key))
            {
                return Some(Found { intent: Intent::General, ..Found::of(cue, at, len) });
            }
        }
        let mut best: Option<Found> = None;
        for here in self.following(first).take(FOCUS_WORDS) {
            if let Some((len, cue)) = self.noun_at(here) {
                if best.is_none_or(|known| cue.weight > known.weight) {
                    best = Some(Found::of(&cue, here, len));
                }
            } else if CLOSES_FOCUS.contains(&self.words[here].key) {
                break;
            }
        }
        best.or_else(|| self.named_thing(at, len))
    }

    /// "What kept us from", "was hat … ausgelöst", "what happened before".
    fn cause_or_event(&self, first: usize) -> Option<Found> {
        let is_english = self.language == Language::English;
        // Whether no other subject has been named that acts.
        let mut acts = !OBJECT_QUESTIONS.contains(&self.words[first - 1].key);
        for (distance, here) in self.following(first).enumerate() {
            for (len, cue) in CUES.phrases.all_at(&self.words, here).filter(|(_, cue)| self.speaks(cue)) {
                let found = Found::of(cue, here, len);
                match cue.place {
                    Place::Event => return Some(self.by_time(found, cue.place)),
                    Place::Act if acts => return Some(found),
                    _ => {}
                }
            }
            acts &= !is_english || BEFORE_ACT.contains(&self.words[here].key);
            if is_english && (distance == FOCUS_WORDS || ENGLISH_SUBJECTS.contains(&self.words[here].key)) {
                break;
            }
        }
        None
    }

    /// "What colour is", "what brand of tea did": a noun between "what" and the verb.
    fn named_thing(&self, at: usize, len: usize) -> Option<Found> {
        if self.language != Language::English || len > 1 || self.words[at].key != key("what") {
            return None;
        }
        for (distance, here) in self.following(at + len).enumerate() {
            let word = self.words[here].key;
            if ENGLISH_AUXILIARIES.contains(&word) {
                let thing = Found { intent: Intent::Entity, forward: false, weight: NAMED_THING, at, len };
                return (distance > 0).then_some(thing);
            }
            if ENGLISH_SUBJECTS.contains(&word) || NOT_IN_NOUN.contains(&word) || distance > FOCUS_WORDS {
                return None;
            }
        }
        None
    }

    /// The indices of the words from `first` to the end of the clause.
    fn following(&self, first: usize) -> impl Iterator<Item = usize> {
        let ends = |gap| matches!(gap, Gap::Comma | Gap::Break | Gap::Colon | Gap::Dot);
        (first..self.words.len()).take_while(move |at| !ends(self.words[*at].gap))
    }

    fn noun_at(&self, at: usize) -> Option<(usize, Cue)> {
        let is_noun = |cue: &Cue| matches!(cue.place, Place::Head | Place::Focus) && self.speaks(cue);
        let phrase = CUES.phrases.all_at(&self.words, at).find(|(_, cue)| is_noun(cue));
        let compound = || self.compound_at(at).filter(is_noun).map(|cue| (1, cue));
        phrase.map(|(len, cue)| (len, *cue)).or_else(compound)
    }

    /// "Liefertermin" is a "termin".
    fn compound_at(&self, at: usize) -> Option<Cue> {
        let word = &self.words[at];
        if !matches!(self.language, Language::German | Language::Other)
            || !word.upper
            || word.end - word.start > LONGEST_COMPOUND
        {
            return None;
        }
        let form = word.text(self.text).to_lowercase();
        let ends = form.char_indices().map(|(start, _)| start).skip(COMPOUND_PART);
        ends.take_while(|start| form.len() - start >= COMPOUND_PART)
            .find_map(|start| CUES.compounds.get(&key(&form[start..])))
            .copied()
    }

    fn speaks(&self, cue: &Cue) -> bool {
        self.language == cue.language || self.language == Language::Other
    }

    /// "What happened" is a question of time only if it names a time.
    fn by_time(&self, found: Found, place: Place) -> Found {
        let relates =
            || place == Place::Event && self.words.iter().any(|word| TIME_RELATIONS.contains(&word.key));
        // Only whether a time is named matters, so any present will do.
        if relates() || !time_expressions(self.text, Timestamp(0)).is_empty() {
            return Found { intent: Intent::When, ..found };
        }
        Found { intent: Intent::General, weight: NO_CUE, ..found }
    }

    /// Whether the question word only introduces the question: "Who can tell me why".
    fn asks_politely(&self, at: usize) -> bool {
        let is = |at: usize, set: &KeySet| self.words.get(at).is_some_and(|word| set.contains(&word.key));
        let offers = if is(at, &PERSONS) {
            is(at + 1, &OFFERS)
        } else {
            self.words[at].key == key("what") && is(at + 2, &ASKED_PERSONS)
        };
        offers && self.following(at + 1).take(4).any(|at| POLITE_VERBS.contains(&self.words[at].key))
    }

    /// "How many weeks" is a question of time.
    fn by_unit(&self, found: Found) -> Found {
        let is_unit = |cue: &Cue| cue.place == Place::Focus && cue.intent == Intent::When && self.speaks(cue);
        let mut behind = self.following(found.at + found.len).take(COUNT_WORDS);
        match behind.any(|at| CUES.phrases.all_at(&self.words, at).any(|(_, cue)| is_unit(cue))) {
            true => Found { intent: Intent::When, ..found },
            false => found,
        }
    }

    /// Whether a question begins that is answered by yes or no. "Do you have the date" is a request.
    fn is_yes_or_no(&self, at: usize) -> bool {
        if self.language == Language::Chinese {
            return self.words.iter().any(|word| word.text(self.text) == "吗");
        }
        let is_request = self.words.get(at + 1).is_some_and(|next| ASKED_PERSONS.contains(&next.key));
        // German "was" is a question word.
        let asks =
            |(len, cue): (usize, &Cue)| cue.place == Place::Ask && self.is_question_word(at, len, true);
        self.words.get(at).is_some_and(|word| YES_OR_NO.contains(&word.key))
            && !is_request
            && !CUES.phrases.all_at(&self.words, at).any(asks)
    }

    /// Whether the question word asks here, and does not join clauses or belong to another language.
    fn is_question_word(&self, at: usize, len: usize, opening: bool) -> bool {
        if opening && self.opens_subordinate_clause(at, len) {
            return false;
        }
        if len > 1 {
            return true;
        }
        let word = &self.words[at];
        // English "was", "wo", "qui" are not question words.
        let is_foreign = match self.language {
            Language::English => AMBIGUOUS.contains(&word.key),
            Language::German | Language::Chinese => ROMANCE_ONLY.contains(&word.key),
            Language::French => GERMAN_ONLY.contains(&word.key),
            Language::Spanish => GERMAN_ONLY.contains(&word.key) || ROMANCE_ONLY.contains(&word.key),
            Language::Other => AMBIGUOUS.contains(&word.key) && !opening,
        };
        if is_foreign || opening || at == 0 {
            return !is_foreign;
        }
        // "Was it Tom or Lea who": asks for the stressed part.
        let is_cleft = self.words.get(1).is_some_and(|word| word.key == key("it")) && self.is_yes_or_no(0);
        let follows = FOLLOWS_VERB.contains(&self.words[at - 1].key);
        let joins = JOINING.contains(&word.key);
        let is_relative = RELATIVE.contains(&word.key) && !is_cleft;
        let is_last = self.words.get(at + 1).is_none_or(|next| matches!(next.gap, Gap::Break | Gap::Dot));
        follows || is_last || !(joins || is_relative)
    }

    /// "When we moved, who helped": another question follows the comma.
    fn opens_subordinate_clause(&self, at: usize, len: usize) -> bool {
        if len > 1 || !OPENS_CLAUSE.contains(&self.words[at].key) {
            return false;
        }
        if self.words.get(at + 1).is_some_and(|next| ENGLISH_AUXILIARIES.contains(&next.key)) {
            return false;
        }
        let mut after = self.following(at + 1).last().map_or(at + 1, |last| last + 1);
        if self.words.get(after).is_none_or(|word| word.gap != Gap::Comma) {
            return false;
        }
        while self
            .words
            .get(after)
            .is_some_and(|word| LEAD_IN.contains(&word.key) && !YES_OR_NO.contains(&word.key))
        {
            after += 1;
        }
        after < self.words.len()
            && (self.is_yes_or_no(after)
                || CUES.phrases.all_at(&self.words, after).any(|(_, cue)| cue.place == Place::Ask))
    }
}

#[cfg(test)]
mod tests {
    use super::read_intent;
    use crate::text::cases::check;

    #[test]
    fn questions_in_five_languages_have_their_intent() {
        check(include_str!("../../tests/cases/intents.tsv"), |query| {
            let reading = read_intent(query);
            assert!((0.0..=1.0).contains(&reading.confidence), "{query}: {reading:?}");
            let forward = if reading.forward { " forward" } else { "" };
            format!("{}{forward}", reading.intent.name())
        });
    }
}
