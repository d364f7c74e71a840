//! Guesses which of two memories caused the other, from cause words alone (as in Mnemon).
//!
//! A cause word marks a text that explains something. Its clauses, the cause and the effect, are compared
//! with the other text: the other memory is the side with which it shares more words. So "the deploy failed
//! because the disk was full" makes an earlier "the disk is full" its cause, and becomes itself the cause of
//! an earlier "the deploy failed". Where the sides are equal, the text with the cause word is the effect.

use crate::text::{self, CauseDirection, CauseSignal};

/// The inputs of the rule for one memory.
pub struct Clue<'a> {
    pub text: &'a str,
    pub words: &'a [u64],
    pub signals: &'a [CauseSignal],
}

/// A causal connection between an earlier and a later memory.
#[derive(Clone, PartialEq, Debug)]
pub struct CausalGuess {
    /// Whether the earlier one is the cause.
    pub forward: bool,
    /// The later text only refers to a cause stated before: it can mean only one of several earlier texts.
    pub points_back: bool,
    pub sub_type: &'static str,
    /// Share of common words, 0..1.
    pub overlap: f32,
    /// The cause word and its surroundings.
    pub quote: String,
    pub reason: String,
}

/// `None` if the later text has no cause word, too few words are common, or they are in neither clause.
pub fn guess(earlier: &Clue<'_>, later: &Clue<'_>, least_overlap: f32) -> Option<CausalGuess> {
    if later.signals.is_empty() {
        return None;
    }
    let overlap = text::overlap(earlier.words, later.words);
    if overlap < least_overlap {
        return None;
    }
    let (signal, as_cause, as_effect) = best_signal(later, earlier)?;
    let later_is_effect = signal.points_back || as_cause >= as_effect;
    if !later_is_effect {
        // "X, therefore Y": Y comes last, so an earlier text on the same subject is its occasion, not Y
        // itself.
        let is_occasion = signal.direction == CauseDirection::CauseThenEffect;
        if is_occasion || !restates(later, signal, earlier, as_effect) {
            return None;
        }
    }
    let cue = later.text.get(signal.bytes.clone()).unwrap_or_default();
    let side = if later_is_effect { "the cause" } else { "the effect" };
    Some(CausalGuess {
        forward: later_is_effect,
        points_back: signal.points_back,
        sub_type: signal.sub_type,
        overlap,
        quote: excerpt_around(later.text, signal),
        reason: format!("`{cue}` names {side}; {:.0} % of the words are common", overlap * 100.0),
    })
}

/// Whether the effect clause restates the earlier text: it shares most of its words, and they are half of
/// that text. Otherwise both only have a subject in common, and a reason that is given later would become the
/// cause of its own cause.
fn restates(holder: &Clue<'_>, signal: &CauseSignal, other: &Clue<'_>, shared: usize) -> bool {
    let clause = content(holder, &signal.effect).len();
    shared * 3 >= clause * 2 && shared * 2 >= other.words.len()
}

/// The content words of a clause. Stop words are detected in the whole text, since a clause may be too short
/// for that.
fn content(holder: &Clue<'_>, clause: &std::ops::Range<usize>) -> Vec<u64> {
    let mut words = text::token_set(holder.text.get(clause.clone()).unwrap_or_default());
    words.retain(|word| holder.words.binary_search(word).is_ok());
    words
}

/// Least number of words that two texts must share in a clause, unless a third of a short clause is shared:
/// one name alone would join everything about a thing.
const SHARED_WORDS: usize = 2;

/// The signal whose clauses share most words with the other text, and the number of words shared by its cause
/// and by its effect.
fn best_signal<'a>(holder: &Clue<'a>, other: &Clue<'_>) -> Option<(&'a CauseSignal, usize, usize)> {
    let shared = |range: &std::ops::Range<usize>| {
        let words = content(holder, range);
        let shared = words.iter().filter(|w| other.words.binary_search(w).is_ok()).count();
        if shared >= SHARED_WORDS || shared * 3 >= words.len().max(1) { shared } else { 0 }
    };
    let mut best: Option<(&CauseSignal, usize, usize)> = None;
    // Only the first few cause words are read, so that the rule stays linear in the text.
    for signal in holder.signals.iter().take(8) {
        let (cause, effect) = (shared(&signal.cause), shared(&signal.effect));
        let counts = cause + effect > 0 || signal.points_back;
        if counts && best.is_none_or(|(_, c, e)| cause + effect > c + e) {
            best = Some((signal, cause, effect));
        }
    }
    best
}

/// At most about 160 bytes around the cause word.
fn excerpt_around(text: &str, signal: &CauseSignal) -> String {
    let start = text.floor_char_boundary(signal.bytes.start.saturating_sub(80));
    let end = text.floor_char_boundary(signal.bytes.end + 80);
    text[start..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases;

    #[test]
    fn causes_are_guessed_from_an_earlier_and_a_later_text() {
        cases::check(include_str!("../../tests/cases/guesses.tsv"), |texts| {
            let (earlier, later) = texts.split_once(" | ").expect("two texts");
            let read = |text| (text::token_set(text), text::cause_signals(text));
            let ((words_a, signals_a), (words_b, signals_b)) = (read(earlier), read(later));
            let earlier = Clue { text: earlier, words: &words_a, signals: &signals_a };
            let later = Clue { text: later, words: &words_b, signals: &signals_b };
            let found = guess(&earlier, &later, 0.15);
            let verb = |guess: CausalGuess| if guess.forward { "causes" } else { "is explained by" };
            found.map_or("nothing", verb).to_string()
        });
    }
}
