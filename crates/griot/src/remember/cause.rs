//! Which of two memories led to the other, told by cause words alone (seed 004, 4.3).
//!
//! A cause word marks a text that explains something. The clause that it names as the cause, and the clause that it names as
//! the effect, are compared with the other text: the other memory is the side that it shares more words with. So "the deploy
//! failed because the disk was full" makes an earlier "the disk is full" its cause, and becomes itself the cause of an earlier
//! "the deploy failed". Where neither side tells, the text with the cause word is the effect.

use crate::model::Scope;
use crate::text::{self, CauseSignal};

/// What the rule needs of a memory.
pub struct Clue<'a> {
    pub text: &'a str,
    pub words: &'a [u64],
    pub signals: &'a [CauseSignal],
}

/// A causal connection between an earlier and a later memory.
#[derive(Clone, PartialEq, Debug)]
pub struct CausalGuess {
    /// The earlier one is the cause.
    pub forward: bool,
    pub sub_type: &'static str,
    /// Share of common words, 0..1.
    pub overlap: f32,
    /// The cause word and what stands around it.
    pub quote: String,
    pub reason: String,
}

/// `None` where no cause word stands or too few words are common.
pub fn guess(earlier: &Clue<'_>, later: &Clue<'_>, least_overlap: f32) -> Option<CausalGuess> {
    if earlier.signals.is_empty() && later.signals.is_empty() {
        return None;
    }
    let overlap = text::overlap(earlier.words, later.words);
    if overlap < least_overlap {
        return None;
    }
    // The later text is asked first: what is said about an earlier event usually comes after it.
    let (holder, other, holder_is_later) =
        if later.signals.is_empty() { (earlier, later, false) } else { (later, earlier, true) };
    let signal = best_signal(holder, other);
    let shares = |range: &std::ops::Range<usize>| {
        let words = text::token_set(holder.text.get(range.clone()).unwrap_or_default());
        words.iter().filter(|w| other.words.binary_search(w).is_ok()).count()
    };
    let (as_cause, as_effect) = (shares(&signal.cause), shares(&signal.effect));
    let holder_is_effect = signal.points_back || as_cause >= as_effect;
    let cue = holder.text.get(signal.bytes.clone()).unwrap_or_default();
    let side = if holder_is_effect { "the cause" } else { "the effect" };
    Some(CausalGuess {
        forward: holder_is_effect == holder_is_later,
        sub_type: signal.sub_type,
        overlap,
        quote: excerpt_around(holder.text, signal),
        reason: format!("`{cue}` names {side}; {:.0} % of the words are common", overlap * 100.0),
    })
}

/// The signal whose clauses share most words with the other text.
fn best_signal<'a>(holder: &Clue<'a>, other: &Clue<'_>) -> &'a CauseSignal {
    let score = |signal: &CauseSignal| {
        [&signal.cause, &signal.effect]
            .into_iter()
            .map(|range| {
                let words = text::token_set(holder.text.get(range.clone()).unwrap_or_default());
                words.iter().filter(|w| other.words.binary_search(w).is_ok()).count()
            })
            .sum::<usize>()
    };
    let mut best = &holder.signals[0];
    let mut best_score = score(best);
    // Texts with many cause words are read for their first few: the rule stays linear in the text.
    for signal in holder.signals.iter().skip(1).take(7) {
        let candidate = score(signal);
        if candidate > best_score {
            (best, best_score) = (signal, candidate);
        }
    }
    best
}

/// At most about 160 bytes around the cause word.
fn excerpt_around(text: &str, signal: &CauseSignal) -> String {
    let floor = |mut at: usize| {
        while at > 0 && !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(signal.bytes.start.saturating_sub(80));
    let end = floor((signal.bytes.end + 80).min(text.len()));
    text[start..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A memory of one scope may stand beside one of another if whoever sees the first may see the second.
pub fn may_see(viewer: &Scope, other: &Scope) -> bool {
    let fits = |asked: &Option<String>, has: &Option<String>| has.is_none() || asked == has;
    fits(&viewer.user, &other.user) && fits(&viewer.project, &other.project)
}
