//! Selects the standing rules returned with an answer.
//!
//! Rules are not results: they do not count towards the limit, do not prevent an abstention, and are not
//! ranked. All rules that the scope admits are returned within their token budget: first those relevant to
//! the question, then by importance, then the latest. Relevance is half words, half similarity:
//! with a handful of rules there is nothing to learn an order from.

use crate::backend::{Answers, Filter, Read};
use crate::model::{Node, Result, Scope, Tier, Timestamp};
use crate::settings::RecallSettings;

use super::answer::{RecalledRule, Rules};
use super::candidates::{Candidate, Pool};
use super::pack::tokens;
use super::signals::SignalName;
use super::standing::is_over;
use super::trace::Rows;
use super::{Limits, Question};

/// The most rules that are read.
pub const MOST: usize = 200;
/// Relevance from which a rule counts as relevant; chosen, not tuned.
const RELEVANT: f32 = 0.27;

/// Selects the rules of a scope. Filters for results (kind, layer, tag, source, time) do not apply.
fn of_scope(scope: &Scope, now: Timestamp) -> Filter {
    Filter { scope: scope.clone(), tiers: vec![Tier::Rule], now: Some(now), ..Filter::default() }
}

/// The filter for the rules of an answer; `None` if none are wanted.
pub fn filter(question: &Question<'_>) -> Option<Filter> {
    let (query, settings) = (question.query, &question.context.settings.recall);
    // If the question asks for rules, they are among the results.
    let wanted = query.rules && settings.rules_budget > 0 && !query.tiers.contains(&Tier::Rule);
    let of_scope = || Filter { trusted: query.trusted, ..of_scope(&query.scope, query.now) };
    (wanted && question.context.head.has_rules).then(of_scope)
}

/// The rules found by a search, each with its relevance.
pub fn measure(question: &Question<'_>, mut found: Answers) -> Result<Vec<(Node, f32)>> {
    let rules = std::mem::take(&mut found.lists).concat();
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    // The rules alone, without neighbours.
    let limits = Limits { words: MOST, mentions: MOST, ..Limits::default() };
    let mut pool = Pool::collect(question, found, &limits)?;
    let others = rules.iter().copied().filter(|rule| pool.get(*rule).is_none()).collect();
    pool.extend(question, others)?;
    Ok(rules.iter().map(|rule| (*rule, pool.get(*rule).map_or(0.0, relevance))).collect())
}

/// Selects the rules of an answer from the rows that were read. What says that it held until a time that has
/// passed is no rule any more.
pub fn beside(rules: &[(Node, f32)], rows: &Rows, settings: &RecallSettings, now: Timestamp) -> Rules {
    let row = |&(node, relevance): &(Node, f32)| {
        let memory = rows.memory(node).filter(|memory| !is_over(memory, now))?.clone();
        Some(RecalledRule { memory, relevance, relevant: relevance >= RELEVANT })
    };
    let mut rules: Vec<RecalledRule> = rules.iter().filter_map(row).collect();
    // Stable sort: keeps the store's order within both groups.
    rules.sort_by_key(|rule| !rule.relevant);
    within_budget(rules, settings.rules_budget)
}

/// The rules of a scope without a question: most important first, then the latest, without those that are
/// over.
pub fn rules_of_scope(read: &dyn Read, scope: &Scope, now: Timestamp, budget: usize) -> Result<Rules> {
    let mut rules = read.memories(&read.rules(&of_scope(scope, now), MOST)?)?;
    rules.retain(|rule| !is_over(rule, now));
    let rule = |memory| RecalledRule { memory, relevance: 0.0, relevant: false };
    Ok(within_budget(rules.into_iter().map(rule).collect(), budget))
}

/// Takes the rules that fit, in order. Skips a rule that is too long instead of truncating it, because
/// truncation changes its meaning.
fn within_budget(rules: Vec<RecalledRule>, budget: usize) -> Rules {
    let mut taken = Rules::default();
    for rule in rules {
        let cost = tokens(&rule.memory.text);
        if taken.tokens + cost > budget {
            taken.left_out += 1;
        } else {
            taken.tokens += cost;
            taken.shown.push(rule);
        }
    }
    taken
}

/// Relevance of a rule to the question, 0..=1. Does not depend on other rules.
fn relevance(candidate: &Candidate) -> f32 {
    let value = |signal: SignalName| candidate.values[signal as usize];
    // A matching date adds relevance only to a candidate that also shares a word with the question.
    let coverage = value(SignalName::Coverage);
    let time = if coverage > 0.0 { value(SignalName::Time) } else { 0.0 };
    let names = value(SignalName::Entities);
    (0.5 * coverage + 0.5 * value(SignalName::Cosine) + 0.15 * names + 0.1 * time).min(1.0)
}
