//! What feedback counts for: the graph, if it had a part in the place of what the feedback is about.

use super::{ANSWERS, Answered, Credited, Strategy};
use crate::model::{Error, Mark, Node, Result};

fn strategy_of(graph: bool) -> Strategy {
    if graph { Strategy::HybridGraph } else { Strategy::Baseline }
}

/// Whether somebody who may speak of the answers of one user alone may speak of this one.
pub fn may_judge(of: Option<Mark>, answer: &Answered) -> bool {
    of.is_none() || of == answer.asker
}

pub fn not_your_answer(id: &str) -> Error {
    Error::invalid(format!("take feedback on the answer `{id}`"), "it answered a question of somebody else")
        .hint("name memories instead: griot feedback HANDLE --good")
}

/// Feedback on an answer as a whole, or on some of its results.
pub fn credit_to(answer: &Answered, memories: &[Node]) -> Result<Vec<Credited>> {
    if memories.is_empty() {
        let whole =
            Credited { memory: None, answer: Some(answer.id.clone()), strategy: Some(answer.applied) };
        return Ok(vec![whole]);
    }
    let credit = |node: &Node| {
        let found = answer.memories.iter().find(|(memory, _)| memory == node);
        let (_, graph) = found.ok_or_else(|| {
            let what = format!("take feedback on the answer `{}`", answer.id);
            Error::not_found(what, format!("it does not hold memory {}", node.number()))
        })?;
        Ok(Credited {
            memory: Some(*node),
            answer: Some(answer.id.clone()),
            strategy: Some(strategy_of(*graph)),
        })
    };
    memories.iter().map(credit).collect()
}

/// Feedback on a memory counts for the latest answer that holds it, if one is kept.
pub fn credit_latest(memory: Node, answer: Option<Answered>) -> Credited {
    let graph = |a: &Answered| a.memories.iter().any(|(node, graph)| *node == memory && *graph);
    Credited {
        memory: Some(memory),
        strategy: answer.as_ref().map(|a| strategy_of(graph(a))),
        answer: answer.map(|a| a.id),
    }
}

pub fn no_such_answer(id: &str) -> Error {
    Error::not_found(
        format!("find the answer `{id}`"),
        format!("none of the last {ANSWERS} answers has this id"),
    )
    .hint("name memories instead: griot feedback HANDLE --good")
}
