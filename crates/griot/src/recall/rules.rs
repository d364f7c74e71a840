//! Which standing rules belong beside an answer?
//!
//! Rules are no results: they count neither for the limit nor for silence, and no ranking orders them. All
//! that the scope sees come along, as far as their budget goes: first those that have to do with the
//! question, then by importance, then the latest. Whether one has to do with the question is measured as it
//! is for results, by the same floor.

use crate::backend::{Answers, Filter, Read};
use crate::model::{Memory, Node, Result, Scope, Tier, Timestamp};
use crate::settings::RecallSettings;

use super::Query;
use super::candidates::{Limits, Pool};
use super::pack::{relevance, tokens};
use super::run::Question;
use super::trace::Rows;

/// Rules that are looked at: more are no rules any more.
pub const MOST: usize = 200;

/// A rule beside an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct RecalledRule {
    pub memory: Memory,
    /// How much it has to do with the question, 0..=1.
    pub relevance: f32,
    /// It passes the floor.
    pub relevant: bool,
}

/// The rules of an answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules {
    pub shown: Vec<RecalledRule>,
    /// How many more the scope has than the budget holds.
    pub left_out: usize,
    /// Tokens of their texts.
    pub tokens: usize,
}

/// The tiers that a question searches: what it names, else all but rules, which come beside its results.
pub fn searched(tiers: &[Tier]) -> Vec<Tier> {
    if tiers.is_empty() { vec![Tier::LongTerm, Tier::Working] } else { tiers.to_vec() }
}

/// Rules of the scope at the question's time. What narrows the results (kind, layer, tag, source, time) does
/// not narrow them.
fn of_scope(query: &Query) -> Filter {
    Filter {
        scope: query.scope.clone(),
        trusted: query.trusted,
        tiers: vec![Tier::Rule],
        now: Some(query.now),
        ..Filter::default()
    }
}

/// The filter of the rules that come beside an answer; `None` if none do.
pub fn filter(question: &Question<'_>) -> Option<Filter> {
    let (query, settings) = (question.query, &question.context.settings.recall);
    // Who asks for rules has them among the results.
    let wanted = query.rules && settings.rules_budget > 0 && !query.tiers.contains(&Tier::Rule);
    (wanted && question.context.head.has_rules).then(|| of_scope(query))
}

/// The rules that a search among them lists, with what each has to do with the question.
pub fn measure(question: &Question<'_>, mut found: Answers) -> Result<Vec<(Node, f32)>> {
    /// Only rules are measured: nothing around them.
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

/// The rules beside an answer, whose rows were read.
pub fn beside(rules: &[(Node, f32)], rows: &Rows, settings: &RecallSettings) -> Rules {
    let row = |&(node, relevance): &(Node, f32)| {
        let memory = rows.memory(node)?.clone();
        Some(RecalledRule { memory, relevance, relevant: relevance >= settings.floor })
    };
    let mut rules: Vec<RecalledRule> = rules.iter().filter_map(row).collect();
    // Stable: among themselves they stay in the order of the store.
    rules.sort_by_key(|rule| !rule.relevant);
    within_budget(rules, settings.rules_budget)
}

/// The rules of a scope where nothing is asked: most important first, then the latest.
pub fn rules_of_scope(read: &dyn Read, scope: &Scope, now: Timestamp, budget: usize) -> Result<Rules> {
    let filter =
        Filter { scope: scope.clone(), tiers: vec![Tier::Rule], now: Some(now), ..Filter::default() };
    let rules = read.memories(&read.rules(&filter, MOST)?)?;
    Ok(within_budget(
        rules.into_iter().map(|memory| RecalledRule { memory, relevance: 0.0, relevant: false }).collect(),
        budget,
    ))
}

/// Takes what fits, in order. A rule that is too long is passed over, never cut: half a rule is another rule.
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
