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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Timestamp, mark_of_user};

    fn answer(id: &str, user: Option<&str>, memories: &[(u32, bool)]) -> Answered {
        let memories = memories.iter().map(|(number, graph)| (Node::memory(*number), *graph)).collect();
        let applied = Strategy::HybridGraph;
        Answered { id: id.into(), at: Timestamp(0), applied, asker: user.map(mark_of_user), memories }
    }

    /// `1 q-ada hybrid_graph` for each piece, or why it was refused.
    fn credited(of: Option<&str>, id: Option<&str>, memories: &[u32]) -> String {
        let answers = [
            answer("q-any", None, &[(1, false)]),
            answer("q-ben", Some("ben"), &[(1, false), (2, true)]),
            answer("q-ada", Some("ada"), &[(1, true), (3, false)]),
        ];
        let memories: Vec<Node> = memories.iter().map(|number| Node::memory(*number)).collect();
        let piece = |one: &Credited| {
            let memory = one.memory.map_or("all".into(), |node| node.number().to_string());
            let strategy = one.strategy.map_or("none", Strategy::name);
            format!("{memory} {} {strategy}", one.answer.as_deref().unwrap_or("-"))
        };
        match credit(&answers, id, &memories, of.map(mark_of_user)) {
            Ok(pieces) => pieces.iter().map(piece).collect::<Vec<_>>().join(", "),
            Err(error) => error.why,
        }
    }

    #[test]
    fn feedback_counts_for_what_affected_the_rank_in_an_answer_that_the_caller_may_judge() {
        let (ada, of_other) = (Some("ada"), "it answered a question of somebody else");
        for (of, id, memories, expected) in [
            (None, Some("q-ada"), &[1, 3][..], "1 q-ada hybrid_graph, 3 q-ada baseline"),
            (None, Some("q-ada"), &[], "all q-ada hybrid_graph"),
            (None, None, &[1, 2, 7], "1 q-any baseline, 2 q-ben hybrid_graph, 7 - none"),
            (None, Some("q-none"), &[], "none of the last 1000 answers has this id"),
            (None, Some("q-ben"), &[3], "it does not hold memory 3"),
            (ada, Some("q-ada"), &[], "all q-ada hybrid_graph"),
            (ada, Some("q-ben"), &[], of_other),
            (ada, Some("q-any"), &[], of_other),
            (ada, None, &[1, 2], "1 q-ada hybrid_graph, 2 - none"),
        ] {
            assert_eq!(credited(of, id, memories), expected, "{of:?} {id:?} {memories:?}");
        }
    }
}
