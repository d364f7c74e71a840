//! Selects the standing rules returned with an answer.
//!
//! Rules are not results: they do not count towards the limit, do not prevent an abstention, and are not
//! ranked. All rules that the scope admits are returned within their token budget: first those relevant to
//! the question, then by importance, then the latest. Relevance is measured as for results, with the same
//! floor.

use crate::backend::{Answers, Filter, Read};
use crate::model::{Memory, Node, Result, Scope, Tier, Timestamp};
use crate::settings::RecallSettings;

use super::Query;
use super::candidates::{Limits, Pool};
use super::pack::{relevance, tokens};
use super::run::Question;
use super::trace::Rows;

/// The most rules that are read.
pub const MOST: usize = 200;

/// A rule returned with an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct RecalledRule {
    pub memory: Memory,
    /// Relevance to the question, 0..=1.
    pub relevance: f32,
    /// Whether it passes the floor.
    pub relevant: bool,
}

/// The rules of an answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules {
    pub shown: Vec<RecalledRule>,
    /// Number of rules that did not fit the budget.
    pub left_out: usize,
    /// Tokens of their texts.
    pub tokens: usize,
}

/// The tiers that a question searches: the requested ones, else all but rules, which are returned separately.
pub fn searched(tiers: &[Tier]) -> Vec<Tier> {
    if tiers.is_empty() { vec![Tier::LongTerm, Tier::Working] } else { tiers.to_vec() }
}

/// Selects the rules of the scope at the question's time. Filters for results (kind, layer, tag, source,
/// time) do not apply.
fn of_scope(query: &Query) -> Filter {
    Filter {
        scope: query.scope.clone(),
        trusted: query.trusted,
        tiers: vec![Tier::Rule],
        now: Some(query.now),
        ..Filter::default()
    }
}

/// The filter for the rules of an answer; `None` if none are wanted.
pub fn filter(question: &Question<'_>) -> Option<Filter> {
    let (query, settings) = (question.query, &question.context.settings.recall);
    // If the question asks for rules, they are among the results.
    let wanted = query.rules && settings.rules_budget > 0 && !query.tiers.contains(&Tier::Rule);
    (wanted && question.context.head.has_rules).then(|| of_scope(query))
}

/// The rules found by a search, each with its relevance.
pub fn measure(question: &Question<'_>, mut found: Answers) -> Result<Vec<(Node, f32)>> {
    /// Measure the rules alone, without neighbours.
    const LIMITS: Limits = Limits {
        words: MOST,
        vectors: 0,
        mentions: MOST,
        times: 0,
        neighboured: 0,
        places: 0,
        place_members: 0,
    };
    let rules = std::mem::take(&mut found.lists).concat();
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    let mut pool = Pool::collect(question, found, &LIMITS)?;
    let others = rules.iter().copied().filter(|rule| pool.get(*rule).is_none()).collect();
    pool.extend(question, others)?;
    Ok(rules.iter().map(|rule| (*rule, pool.get(*rule).map_or(0.0, relevance))).collect())
}

/// Selects the rules of an answer from the rows that were read.
pub fn beside(rules: &[(Node, f32)], rows: &Rows, settings: &RecallSettings) -> Rules {
    let row = |&(node, relevance): &(Node, f32)| {
        let memory = rows.memory(node)?.clone();
        Some(RecalledRule { memory, relevance, relevant: relevance >= settings.floor })
    };
    let mut rules: Vec<RecalledRule> = rules.iter().filter_map(row).collect();
    // Stable sort: keeps the store's order within both groups.
    rules.sort_by_key(|rule| !rule.relevant);
    within_budget(rules, settings.rules_budget)
}

/// The rules of a scope without a question: most important first, then the latest.
pub fn rules_of_scope(read: &dyn Read, scope: &Scope, now: Timestamp, budget: usize) -> Result<Rules> {
    let filter =
        Filter { scope: scope.clone(), tiers: vec![Tier::Rule], now: Some(now), ..Filter::default() };
    let rules = read.memories(&read.rules(&filter, MOST)?)?;
    Ok(within_budget(
        rules.into_iter().map(|memory| RecalledRule { memory, relevance: 0.0, relevant: false }).collect(),
        budget,
    ))
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
