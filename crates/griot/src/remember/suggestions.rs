//! Decides how suggestions of merges change. A pair of entities is suggested once.

use std::collections::BTreeSet;

use super::pairs::{Pair, ordered};
use crate::backend::Read;
use crate::model::{Change, Error, Merge, Node, Result, Suggestion, SuggestionState, Timestamp};

/// The pairs that were suggested, in whatever state.
pub fn known(read: &dyn Read) -> Result<BTreeSet<(Node, Node)>> {
    Ok(read.suggestions()?.iter().map(|suggestion| ordered(suggestion.kept, suggestion.merged)).collect())
}

/// The changes that suggest those of the pairs that were not suggested before.
pub fn suggest<'p>(
    read: &dyn Read,
    pairs: impl Iterator<Item = &'p Pair>,
    at: Timestamp,
) -> Result<Vec<Change>> {
    let known = known(read)?;
    let fresh = pairs.filter(|pair| !known.contains(&ordered(pair.kept, pair.merged)));
    let suggestion = |(number, pair): (u32, &Pair)| Suggestion {
        number,
        kept: pair.kept,
        merged: pair.merged,
        similarity: pair.cosine,
        reason: pair.reason.clone(),
        at,
        state: SuggestionState::Open,
    };
    Ok((next(read)?..).zip(fresh).map(suggestion).map(Change::PutSuggestion).collect())
}

/// The suggestions of a pair in their new state.
pub fn settle(read: &dyn Read, a: Node, b: Node, state: SuggestionState) -> Result<Vec<Change>> {
    let of_pair = read.suggestions()?.into_iter().filter(|s| ordered(s.kept, s.merged) == ordered(a, b));
    Ok(of_pair.map(|suggestion| Change::PutSuggestion(Suggestion { state, ..suggestion })).collect())
}

/// Whether no one decided about a pair.
pub fn is_undecided(read: &dyn Read, a: Node, b: Node) -> Result<bool> {
    let suggestions = read.suggestions()?;
    let mut of_pair = suggestions.iter().filter(|one| ordered(one.kept, one.merged) == ordered(a, b));
    Ok(of_pair.all(|one| one.state.is_open()))
}

/// The changes that give a pair a suggestion with this state, or its suggestion the state.
pub fn put(
    read: &dyn Read,
    (kept, merged, similarity): (Node, Node, f32),
    reason: &str,
    state: SuggestionState,
    at: Timestamp,
) -> Result<Vec<Change>> {
    let known = settle(read, kept, merged, state)?;
    if !known.is_empty() {
        return Ok(known);
    }
    let reason = reason.to_string();
    let suggestion = Suggestion { number: next(read)?, kept, merged, similarity, reason, at, state };
    Ok(vec![Change::PutSuggestion(suggestion)])
}

/// The changes after which the pair of a merge that was undone is not suggested again.
pub fn dismiss_undone(read: &dyn Read, merge: &Merge, at: Timestamp) -> Result<Vec<Change>> {
    let pair = (merge.kept.node, merge.merged.node, 0.0);
    put(read, pair, &format!("merge {} was undone", merge.id()), SuggestionState::Dismissed, at)
}

/// The open suggestion with this id (`p12`).
pub fn open(read: &dyn Read, id: &str, what: &str) -> Result<Suggestion> {
    let Some(number) = number(id, 'p') else {
        return Err(Error::invalid(what, "the id of a suggestion looks like `p12`").hint("griot merges"));
    };
    match read.suggestions()?.into_iter().find(|suggestion| suggestion.number == number) {
        None => Err(Error::not_found(what, "there is no such suggestion").hint("griot merges")),
        Some(suggestion) if !suggestion.state.is_open() => {
            Err(Error::invalid(what, format!("it is {}", suggestion.state.name())).hint("griot merges"))
        }
        Some(suggestion) => Ok(suggestion),
    }
}

/// The suggestion with this id (`p12`), in whatever state, if the name is one.
pub fn named(read: &dyn Read, name: &str) -> Result<Option<Suggestion>> {
    let Some(number) = name.trim().strip_prefix('p').and_then(|number| number.parse::<u32>().ok()) else {
        return Ok(None);
    };
    Ok(read.suggestions()?.into_iter().find(|suggestion| suggestion.number == number))
}

/// Parses `g12` or `12`.
pub fn number(id: &str, letter: char) -> Option<u32> {
    let id = id.trim();
    id.strip_prefix(letter).unwrap_or(id).parse().ok().filter(|number| *number > 0)
}

/// The number of the next suggestion.
pub fn next(read: &dyn Read) -> Result<u32> {
    Ok(read.suggestions()?.last().map_or(0, |last| last.number) + 1)
}
