//! Which standing preferences and rules govern the work that a prompt orders?
//!
//! An order rarely shares a word with the rule about it, so a search for the prompt does not find the rule.
//! This one searches for the words of the ordered work, and keeps what has the form of a preference for that
//! work ([`crate::text::governs`]). Rules of the scope are all looked at.

use crate::backend::{Batch, Filter, Listing, Read, WordQuery};
use crate::model::{Memory, Node, Result, Scope, Tier, Timestamp};
use crate::text::{self, Order};

use super::rules::MOST as MOST_RULES;

/// Memories that are read for one kind of work.
const READ: usize = 150;
/// Bytes; a preference is a statement, not a document.
const LONGEST: usize = 2000;

/// At most so many preferences and rules about the work that `prompt` orders, the nearest first; none for a
/// prompt that orders nothing.
pub fn preferences(
    read: &dyn Read,
    prompt: &str,
    scope: &Scope,
    now: Timestamp,
    most: usize,
) -> Result<Vec<Memory>> {
    if text::is_reaction(prompt) {
        return Ok(Vec::new());
    }
    let Some(order) = text::order(prompt) else { return Ok(Vec::new()) };
    // A page on the web states no wishes of the user.
    let filter = Filter { scope: scope.clone(), now: Some(now), trusted: true, ..Filter::default() };
    let asked = text::content_terms(prompt);
    let mut searches = Vec::new();
    for work in &order.work {
        let words: Vec<&str> = text::words_of(&[*work]).collect();
        let mut terms: Vec<String> = words.iter().flat_map(|words| text::content_terms(words)).collect();
        terms.extend(asked.iter().cloned());
        terms.sort_unstable();
        terms.dedup();
        searches.push(WordQuery { terms, limit: READ, ..WordQuery::default() });
    }
    let rules = [Listing::Rules(MOST_RULES)];
    let batch = Batch { words: &searches, lists: &rules, ..Batch::within(&filter) };
    let answers = read.search(&[batch])?.pop().unwrap_or_default();
    let mut nodes: Vec<Node> = answers.lists.concat();
    nodes.extend(answers.words.iter().flat_map(|hits| hits.memories.iter().map(|hit| hit.node)));
    nodes.sort_unstable();
    nodes.dedup();
    let mut ranked: Vec<(Nearness, Memory)> = Vec::new();
    for memory in read.memories(&nodes)? {
        if let Some(nearness) = nearness(&memory, &order, &asked) {
            ranked.push((nearness, memory));
        }
    }
    ranked.sort_by(|(a, one), (b, other)| {
        b.cmp(a).then(other.occurred_at.cmp(&one.occurred_at)).then(one.node.cmp(&other.node))
    });
    Ok(ranked.into_iter().take(most).map(|(_, memory)| memory).collect())
}

/// What makes a preference nearer to an order: its language, shared work, shared words, being a rule, and
/// importance, in this order.
type Nearness = (bool, usize, usize, bool, u8);

fn nearness(memory: &Memory, order: &Order, asked: &[String]) -> Option<Nearness> {
    let text = &memory.text;
    // What an assistant says is advice of the moment; the user's standing wishes are the user's to state.
    if text.len() > LONGEST || memory.speaker.as_deref() == Some("assistant") {
        return None;
    }
    let is_rule = memory.tier == Tier::Rule || memory.kind == "preference";
    let (language, work) = text::governs(text, is_rule);
    let shared = work.iter().filter(|work| order.work.contains(work)).count();
    if shared == 0 {
        return None;
    }
    let own = text::content_terms(text);
    let words = asked.iter().filter(|term| own.contains(term)).count();
    Some((language == order.language, shared, words, is_rule, memory.importance))
}
