//! Which recent memory does a clause of a new one mean as its cause?
//!
//! "Because the rolls came late, the school ended its order" means the memory that told of the late rolls.
//! The clause has to share words with it, rare ones, and it has to be recent: a logistic sum, learned on
//! written worlds one by one and several worlds mixed in one store. A clause means one memory at most. In
//! talk most reasons are new, and "since you like the sea" repeats the question that it answers, so no clause
//! counts there. "That is why …" at the beginning of a text means what was said just before. Documents
//! explain themselves, so their passages mean nothing outside. Pure.

use std::collections::BTreeMap;

use crate::text::{self, PointingKind};

/// A clause with its words, read from the text alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    pub kind: PointingKind,
    pub sub_type: &'static str,
    /// The content words of the clause, without numbers, days and months: they are times more often than
    /// names.
    pub terms: Vec<String>,
    /// The content words of the rest of its sentence.
    pub rest: Vec<String>,
    /// The cue and the clause, as they are written.
    pub quote: String,
}

/// The clauses of a text that may name an earlier memory.
pub fn clauses(text: &str) -> Vec<Clause> {
    let slice = |range: &std::ops::Range<usize>| text.get(range.clone()).unwrap_or_default();
    let read = |one: text::Pointing| {
        let mut terms = text::content_terms(&text::without_days(slice(&one.clause)));
        terms.retain(|term| !term.chars().all(char::is_numeric));
        let mut rest: Vec<String> =
            one.rest.iter().flat_map(|range| text::content_terms(slice(range))).collect();
        rest.retain(|term| !terms.contains(term));
        let end = one.clause.end.max(one.bytes.end);
        Clause {
            kind: one.kind,
            sub_type: one.sub_type,
            terms,
            rest,
            quote: slice(&(one.bytes.start..end)).to_string(),
        }
    };
    let found = text::pointing_clauses(text).into_iter().map(read);
    found.filter(|clause| clause.kind == PointingKind::Back || !clause.terms.is_empty()).collect()
}

/// A memory that a clause means.
#[derive(Clone, PartialEq, Debug)]
pub struct Meant {
    /// Its position among the recent memories.
    pub at: usize,
    pub probability: f32,
    pub sub_type: &'static str,
    pub quote: String,
    pub reason: String,
}

/// One of the recent memories.
pub struct Earlier<'a> {
    /// Keys of its content words, sorted.
    pub words: &'a [u64],
    /// Said in the same session, just before.
    pub adjacent: bool,
}

/// Rarity of a word: 1 for one that a single memory has, less for common ones.
pub type Rarity = BTreeMap<String, f32>;

/// The least probability of an edge.
const LEAST: f32 = 0.45;
/// What a weak cue takes from the probability.
const WEAK: f32 = 0.15;
/// The same for a clause after its effect, which is more often new.
const INSIDE: f32 = 0.1;
/// Probability that "that is why" means what was said just before.
const BACK: f32 = 0.75;
/// The most that common words count, in words that no other memory has.
const MOST_RARE: f32 = 3.0;
const MOST_REST: f32 = 2.0;

/// The recent memories that the clauses mean, latest first; each at most once.
pub fn meant(clauses: &[Clause], recent: &[Earlier<'_>], rarity: &Rarity, talk: bool) -> Vec<Meant> {
    let mut found: Vec<Meant> = Vec::new();
    for clause in clauses {
        let one = match clause.kind {
            PointingKind::Back => back(clause, recent),
            _ if talk => None,
            _ => best(clause, recent, rarity),
        };
        if let Some(one) = one
            && !found.iter().any(|known| known.at == one.at)
        {
            found.push(one);
        }
    }
    found
}

fn back(clause: &Clause, recent: &[Earlier<'_>]) -> Option<Meant> {
    let at = recent.first().filter(|earlier| earlier.adjacent).map(|_| 0)?;
    let reason = format!("`{}` means what was said just before", clause.quote);
    Some(Meant { at, probability: BACK, sub_type: clause.sub_type, quote: clause.quote.clone(), reason })
}

fn best(clause: &Clause, recent: &[Earlier<'_>], rarity: &Rarity) -> Option<Meant> {
    let mut best: Option<(f32, usize, usize)> = None;
    for (at, earlier) in recent.iter().enumerate() {
        let (probability, common) = probability(clause, earlier, at + 1, rarity);
        if common > 0 && !restates(clause, earlier) && best.is_none_or(|(known, ..)| probability > known) {
            best = Some((probability, at, common));
        }
    }
    let (probability, at, common) = best?;
    let least = match clause.kind {
        PointingKind::Weak => LEAST + WEAK,
        PointingKind::Inside => LEAST + INSIDE,
        PointingKind::Opening | PointingKind::Back => LEAST,
    };
    (probability >= least).then(|| Meant {
        at,
        probability,
        sub_type: clause.sub_type,
        quote: clause.quote.clone(),
        reason: format!("`{}` has {common} of its {} words from there", clause.quote, clause.terms.len()),
    })
}

/// Whether the earlier memory says the rest of the sentence too: then it is the same statement, not a cause.
fn restates(clause: &Clause, earlier: &Earlier<'_>) -> bool {
    const FEW: usize = 2;
    let said = clause.rest.iter().filter(|term| has(earlier, term)).count();
    clause.rest.len() >= FEW && said * 3 >= clause.rest.len() * 2
}

fn has(earlier: &Earlier<'_>, term: &str) -> bool {
    earlier.words.binary_search(&text::term_key(term)).is_ok()
}

/// The probability that the clause means this memory, the `rank`-th before it, and the number of words that
/// they have in common.
fn probability(clause: &Clause, earlier: &Earlier<'_>, rank: usize, rarity: &Rarity) -> (f32, usize) {
    let is_common = |term: &&String| has(earlier, term);
    let rare = |term: &String| rarity.get(term).copied().unwrap_or(1.0);
    let common: Vec<f32> = clause.terms.iter().filter(is_common).map(rare).collect();
    let rest: f32 = clause.rest.iter().filter(is_common).map(rare).sum();
    let count = clause.terms.len().max(1) as f32;
    let sum = -0.72
        + 2.04 * common.iter().sum::<f32>().min(MOST_RARE)
        + 1.81 * common.iter().copied().fold(0.0, f32::max)
        + 0.31 * common.len() as f32 / count
        - 0.70 * (rank.max(1) as f32).ln()
        - 1.58 * count.ln()
        - 0.38 * rest.min(MOST_REST);
    (1.0 / (1.0 + (-sum).exp()), common.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions of the meant memories, latest first; all words are equally rare.
    fn means(text: &str, recent: &[&str], talk: bool) -> Vec<usize> {
        let words: Vec<Vec<u64>> = recent.iter().map(|text| text::token_set(text)).collect();
        let earlier: Vec<Earlier<'_>> =
            words.iter().enumerate().map(|(at, words)| Earlier { words, adjacent: at == 0 }).collect();
        meant(&clauses(text), &earlier, &Rarity::new(), talk).into_iter().map(|one| one.at).collect()
    }

    const CRACK: &str = "There is a crack in the north wall.";
    const CAT: &str = "The cat has a new collar.";

    #[test]
    fn a_clause_means_the_memory_that_it_repeats() {
        let text = "Because of the crack in the north wall, we rented a scaffold.";
        assert_eq!(means(text, &[CAT, CRACK], false), [1]);
        assert!(means(text, &[CAT], false).is_empty());
        assert!(means("We rented a scaffold, so that we can paint.", &[CRACK], false).is_empty());
        let again = "The tall scaffold arrived yesterday because of the crack in the north wall.";
        assert!(means(text, &[text], false).is_empty() && means(again, &[again], false).is_empty());
    }

    #[test]
    fn in_talk_a_reason_that_is_stated_in_full_means_nothing_outside() {
        let text = "I rented a scaffold because of the crack in the north wall.";
        assert_eq!(means(text, &[CRACK], false), [0]);
        assert!(means(text, &[CRACK], true).is_empty());
        assert!(means("Since you have a crack in the north wall, call Ada.", &[CRACK], true).is_empty());
        assert_eq!(means("That is why I rented a scaffold.", &[CRACK, CAT], true), [0]);
    }
}
