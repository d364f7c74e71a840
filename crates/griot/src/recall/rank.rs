//! Orders the candidates, says how probable each is, and drops what is below the floor.

use crate::model::{Node, Result};
use crate::text::{self, AskedKind, Language};

use super::candidates::Candidate;
use super::confidence::{Measured, Situation};
use super::ranking::Ranking;
use super::signals::{SignalName, Values};
use super::{Question, Run, rerank};

/// Sets the first score of each candidate, which chooses among all that was found.
pub fn score(candidates: &mut [Candidate], ranking: &Ranking) {
    for candidate in candidates {
        candidate.score = ranking.first(&candidate.values);
    }
}

/// Drops all but the best candidates, compares these with the top ones, and orders them.
pub fn order(run: &mut Run<'_>) -> Result<()> {
    run.scored = run.pool.candidates.len();
    run.pool.keep_best(run.limits.ranked);
    run.pool.compare_with_best(&run.question)?;
    sort(run);
    Ok(())
}

/// Orders the candidates and sets their probabilities.
pub fn sort(run: &mut Run<'_>) {
    let ranking = run.question.context.ranking;
    let candidates = &mut run.pool.candidates;
    let values: Vec<Values> = candidates.iter().map(|c| c.values).collect();
    for (candidate, order) in candidates.iter_mut().zip(ranking.order(&values)) {
        candidate.order = order;
    }
    candidates.sort_by(|a, b| b.order.total_cmp(&a.order).then(a.node.cmp(&b.node)));
    let measured: Vec<Measured> = candidates.iter().map(measured).collect();
    let (answerable, scores) = ranking.confidence.scores(&situation(run), &measured);
    run.answerable = answerable;
    run.pool.candidates.iter_mut().zip(scores).for_each(|(candidate, score)| candidate.score = score);
    if knows_names_only(run) {
        run.pool.candidates.iter_mut().for_each(|candidate| candidate.score *= OF_NAME_ONLY);
    }
    // Last, so that how probable anything is does not depend on it.
    rerank::arrange(&mut run.pool.candidates, run.question.context.relevance);
    run.pool.index();
}

/// What is left of the probability of a candidate if none of the best says what is asked of what is named.
const OF_NAME_ONLY: f32 = 0.25;

/// Whether the question asks something of a name, and none of the best candidates has the name and a word of
/// what it asks: "what is Mara allergic to", where it is known what Mara does, and what Tom is allergic to.
/// Among a few candidates a word of what is asked is enough. Why something is, and what was before, is asked
/// in other words than it was stated in.
fn knows_names_only(run: &Run<'_>) -> bool {
    /// Best candidates that are looked at.
    const AMONG: usize = 10;
    let Question { understood, asked, .. } = &run.question;
    let is_present = asked.is_none_or(|asked| asked.kind == AskedKind::Present);
    let are_few = run.pool.candidates.len() < AMONG;
    // Among many a name need not be known; in German every noun has a capital.
    let has_names = !are_few && understood.language != Language::German;
    let naming = understood.naming | if has_names { understood.capitals } else { 0 };
    if naming == 0 || !is_present || understood.intent.intent == text::Intent::Why {
        return false;
    }
    let is_asked = |(at, term): (u32, &String)| {
        let bit = 1u64.checked_shl(at).unwrap_or(0);
        if naming & bit != 0 || text::is_vague(term) { 0 } else { bit }
    };
    let wanted = (0..).zip(&understood.terms).map(is_asked).fold(0, |all, bit| all | bit);
    let says_both = |candidate: &Candidate| {
        let matched = run.pool.matched(candidate);
        let is_of_name = || matched & naming != 0 || candidate.values[SignalName::Entities as usize] > 0.0;
        matched & wanted != 0 && (are_few || is_of_name())
    };
    wanted != 0 && !run.pool.candidates.iter().take(AMONG).any(says_both)
}

fn measured(candidate: &Candidate) -> Measured {
    let value = |signal: SignalName| candidate.values[signal as usize];
    Measured {
        order: candidate.order,
        coverage: value(SignalName::Coverage),
        possible: value(SignalName::Possible),
        rarity: value(SignalName::Rarity),
        cosine: value(SignalName::Cosine),
        names: value(SignalName::Entities),
        named: value(SignalName::Named),
        time: value(SignalName::Time),
    }
}

fn situation(run: &Run<'_>) -> Situation {
    /// Candidates from which a mean says something.
    const SEVERAL: usize = 5;
    let candidates = &run.pool.candidates;
    let cosines = || candidates.iter().map(|c| c.values[SignalName::Cosine as usize]);
    let several = candidates.len() >= SEVERAL;
    Situation {
        unknown: run.pool.unknown_share(),
        capitals: run.question.understood.capitals != 0,
        terms: (run.question.understood.words() as f32 / 12.0).min(1.0),
        words: ((1.0 + run.question.words() as f32).ln() / 1e8f32.ln()).min(1.0),
        vectors: candidates.iter().any(|c| c.cosine.is_some()),
        mean_cosine: if several { cosines().sum::<f32>() / candidates.len() as f32 } else { 0.0 },
    }
}

/// Makes the scores fall with the order: results that are less probable than one after them share the mean of
/// theirs, so that as much evidence is expected among them as before.
pub fn settle(ranked: &mut [Candidate]) {
    // The sum and number of each run of equal scores.
    let mut runs: Vec<(f32, usize)> = Vec::new();
    for candidate in ranked.iter() {
        let mut last = (candidate.score, 1);
        while let Some(before) = runs.pop_if(|run| run.0 / run.1 as f32 <= last.0 / last.1 as f32) {
            last = (last.0 + before.0, last.1 + before.1);
        }
        runs.push(last);
    }
    let scores = runs.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f32, count));
    ranked.iter_mut().zip(scores).for_each(|(candidate, score)| candidate.score = score);
}

/// How probable it has to be that anything here answers the question, for a floor and a number of words in
/// the store.
///
/// Among many candidates each one may be improbable while it is clear that one of them answers; so this is
/// more than the floor: 1.5 times as much up to 2,000 words, 3.3 times at 20,000, 5 times from 175,000 on.
/// The more is written, the more of it looks like an answer by chance.
fn least_answerable(floor: f32, words: u64) -> f32 {
    const SURELY: f32 = 0.9;
    let decades = (words.max(1) as f32).log10();
    ((1.5 + 1.8 * (decades - 3.3)).clamp(1.5, 5.0) * floor).min(SURELY)
}

/// Splits the ordered candidates into those that pass the floor and those below it: all, if it is improbable
/// that anything here answers the question.
pub fn floor(run: &mut Run<'_>) -> (Vec<Candidate>, Vec<Candidate>) {
    let ranked = std::mem::take(&mut run.pool.candidates);
    let question = &run.question;
    if !question.query.floor {
        return (ranked, Vec::new());
    }
    let understood = &question.understood;
    if understood.is_reaction {
        return (Vec::new(), ranked);
    }
    let floor = run.floor();
    let is_of_time = understood.is_of_time();
    let in_time = |candidate: &Candidate| candidate.values[SignalName::Time as usize] >= 1.0;
    let said = said_point(run);
    let is_silent = run.answerable < needed(run);
    let passes =
        |candidate: &Candidate| !is_silent && (candidate.score >= floor || Some(candidate.node) == said);
    // "What was the rent in August" is answered by what was said of the rent, at any time; "what did we
    // discuss in August" by what was said then, whatever its words.
    if is_of_time && !(understood.has_subject && ranked.iter().any(passes)) {
        let (mut ranked, below): (Vec<_>, Vec<_>) = ranked.into_iter().partition(in_time);
        ranked.iter_mut().for_each(|candidate| candidate.score = candidate.score.max(floor));
        return (ranked, below);
    }
    ranked.into_iter().partition(passes)
}

/// The memory whose causal chain a caller linked, if it is what is asked about: then an answer exists,
/// however the question words it.
fn said_point(run: &Run<'_>) -> Option<Node> {
    run.chained.first().filter(|chained| chained.is_said()).map(|chained| chained.point)
}

/// How probable it has to be that anything answers.
fn needed(run: &Run<'_>) -> f32 {
    let least = least_answerable(run.floor(), run.question.words());
    if said_point(run).is_some() { least * LINKED } else { least }
}

/// Whether nothing will pass the floor, whatever else becomes known of the candidates.
pub fn is_surely_silent(run: &Run<'_>) -> bool {
    let question = &run.question;
    let least = least_answerable(run.floor(), question.words()) * LINKED;
    question.query.floor && (question.understood.is_reaction || run.answerable < least)
}

/// Share of the usual probability that suffices where a caller linked the chain of what is asked about.
const LINKED: f32 = 0.4;

/// The reason for an empty answer; `None` if there are results.
pub fn abstained(run: &Run<'_>, ranked: &[Candidate], below: &[Candidate]) -> Option<String> {
    if !ranked.is_empty() {
        return None;
    }
    let nearest = below.iter().map(|candidate| candidate.score).fold(0.0, f32::max);
    Some(match (run.question.context.head.memories, run.scored) {
        (0, _) => "the workspace is empty".to_string(),
        (_, 0) => "no memory matches".to_string(),
        _ if run.question.understood.is_reaction => "no word of it says what it is about".to_string(),
        _ if run.question.understood.is_of_time() && !run.question.understood.has_subject => {
            "no memory is of that time".to_string()
        }
        (_, 1) if nearest < run.floor() => {
            format!("nothing relevant: the only candidate has a probability of {nearest:.2}")
        }
        (_, scored) if nearest >= run.floor() => format!(
            "nothing relevant: that one of {scored} candidates answers has a probability of {:.2}, at \
             least {:.2} is needed",
            run.answerable,
            needed(run)
        ),
        (_, scored) => format!(
            "nothing relevant: the best of {scored} candidates has a probability of {nearest:.2}, the floor \
             is {:.2}",
            run.floor()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::least_answerable;

    #[test]
    fn more_words_and_a_higher_floor_ask_for_more() {
        let asked = [1, 1_000, 20_000, 10_000_000].map(|words| least_answerable(0.08, words));
        for (asked, wanted) in asked.into_iter().zip([0.12, 0.12, 0.2646, 0.4]) {
            assert!((asked - wanted).abs() < 1e-3, "{asked} is not {wanted}");
        }
        assert_eq!(least_answerable(0.0, 1_000), 0.0);
        assert_eq!(least_answerable(0.5, 100_000), 0.9);
    }
}
