//! Assigns feedback to a strategy: to the graph if it affected the rank of the result.

use super::{ANSWERS, Answered, Strategy};
use crate::model::{Error, Mark, Node, Result};

/// One piece of feedback and the strategy that it counts for.
#[derive(Clone, PartialEq, Debug)]
pub struct Credited {
    /// `None` for the answer as a whole.
    pub memory: Option<Node>,
    /// The answer; `None` if no stored answer contains the memory.
    pub answer: Option<String>,
    pub strategy: Option<Strategy>,
}

/// Assigns feedback on a whole answer, on some of its results, or on memories in the latest answer that
/// contains each. `answers` are the stored ones, latest first. A caller confined to the user `of` may only
/// judge that user's answers.
pub fn credit(
    answers: &[Answered],
    id: Option<&str>,
    memories: &[Node],
    of: Option<Mark>,
) -> Result<Vec<Credited>> {
    const BY_MEMORY: &str = "name memories instead: griot feedback HANDLE --good";
    let may_judge = |answer: &&Answered| of.is_none() || of == answer.asker;
    let Some(id) = id else {
        let latest = |node: &Node| {
            let found = answers.iter().filter(may_judge).find_map(|answer| of_result(answer, *node));
            found.unwrap_or(Credited { memory: Some(*node), answer: None, strategy: None })
        };
        return Ok(memories.iter().map(latest).collect());
    };
    let Some(answer) = answers.iter().find(|answer| answer.id == id) else {
        let why = format!("none of the last {ANSWERS} answers has this id");
        return Err(Error::not_found(format!("find the answer `{id}`"), why).hint(BY_MEMORY));
    };
    let what = format!("take feedback on the answer `{id}`");
    if !may_judge(&answer) {
        return Err(Error::invalid(what, "it answered a question of somebody else").hint(BY_MEMORY));
    }
    if memories.is_empty() {
        let (answer, strategy) = (Some(answer.id.clone()), Some(answer.applied));
        return Ok(vec![Credited { memory: None, answer, strategy }]);
    }
    let credited = |node: &Node| {
        let absent = || Error::not_found(&what, format!("it does not hold memory {}", node.number()));
        of_result(answer, *node).ok_or_else(absent)
    };
    memories.iter().map(credited).collect()
}

fn of_result(answer: &Answered, node: Node) -> Option<Credited> {
    let (_, graph) = answer.memories.iter().find(|(memory, _)| *memory == node)?;
    let strategy = if *graph { Strategy::HybridGraph } else { Strategy::Baseline };
    Some(Credited { memory: Some(node), answer: Some(answer.id.clone()), strategy: Some(strategy) })
}
