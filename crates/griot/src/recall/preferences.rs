//! Which standing preferences and rules govern the work that a prompt orders?
//!
//! An order rarely shares a word with the rule about it, so a search for the prompt does not find the rule.
//! This one searches for the words of the ordered work, and keeps what has the form of a preference for that
//! work ([`crate::text::governs`]). Rules of the scope are all looked at.
//!
//! A recall brings them, too: what an order needs from a memory is how to carry it out. Among its matches are
//! also wishes about what it names ("call Ada"), whatever their work.

use std::collections::BTreeMap;

use crate::backend::{Batch, Filter, Listing, Read, WordQuery};
use crate::model::{Memory, Node, Result, Scope, Tier, Timestamp};
use crate::text::{self, AskedKind, Intent, Order};

use super::Run;
use super::candidates::Candidate;
use super::rules::MOST as MOST_RULES;
use super::standing::is_over;

/// Memories that are read for one kind of work.
const READ: usize = 150;
/// Bytes; a preference is a statement, not a document.
const LONGEST: usize = 2000;

/// Preferences among the results of an order: at most this many, before all others.
const PLACED: usize = 3;
/// Matches of an order that are looked at for wishes about what it names.
const LOOKED_AT: usize = 30;

/// A preference for what a question orders.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wish {
    node: Node,
    /// It is about the ordered work, not only about what the order names.
    governs: bool,
    /// It is a result even below the floor.
    is_sure: bool,
}

/// At most so many preferences and rules about the work that `prompt` orders, the nearest first; none for a
/// prompt that orders nothing.
pub fn preferences(
    read: &dyn Read,
    prompt: &str,
    scope: &Scope,
    now: Timestamp,
    most: usize,
) -> Result<Vec<Memory>> {
    let filter = Filter { scope: scope.clone(), now: Some(now), ..Filter::default() };
    Ok(governing(read, prompt, filter, now, most, &[])?.0)
}

/// The same of what a filter admits, and the rows of these nodes, which are read with it.
fn governing(
    read: &dyn Read,
    prompt: &str,
    filter: Filter,
    now: Timestamp,
    most: usize,
    beside: &[Node],
) -> Result<(Vec<Memory>, Vec<Memory>)> {
    let order = if text::is_reaction(prompt) { None } else { text::order(prompt) };
    let Some(order) = order else { return Ok((Vec::new(), read.memories(beside)?)) };
    // A page on the web states no wishes of the user.
    let filter = Filter { trusted: true, ..filter };
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
    let others: Vec<Node> =
        beside.iter().copied().filter(|node| nodes.binary_search(node).is_err()).collect();
    let rows = read.memories(&[nodes.as_slice(), &others].concat())?;
    let mut rows: BTreeMap<Node, Memory> = rows.into_iter().map(|memory| (memory.node, memory)).collect();
    let beside = beside.iter().filter_map(|node| rows.get(node).cloned()).collect();
    let mut ranked: Vec<(Nearness, Memory)> = Vec::new();
    for memory in nodes.iter().filter_map(|node| rows.remove(node)) {
        if let Some(nearness) = nearness(&memory, &order, &asked)
            && !is_over(&memory, now)
        {
            ranked.push((nearness, memory));
        }
    }
    ranked.sort_by(|(a, one), (b, other)| {
        b.cmp(a).then(other.occurred_at.cmp(&one.occurred_at)).then(one.node.cmp(&other.node))
    });
    Ok((ranked.into_iter().take(most).map(|(_, memory)| memory).collect(), beside))
}

/// Adds the preferences for what a question orders to the candidates, nearest first; none for a question that
/// orders nothing.
pub fn follow(run: &mut Run<'_>) -> Result<Vec<Wish>> {
    let Run { question, pool, .. } = run;
    let (read, prompt, now) = (question.read, question.query.question(), question.query.now);
    let is_present = question.asked.is_none_or(|asked| asked.kind == AskedKind::Present);
    let asks_why = question.understood.intent.intent == Intent::Why;
    let Some(ordered) = text::ordered(prompt).filter(|_| is_present && !asks_why) else {
        return Ok(Vec::new());
    };
    let filter = Filter { superseded: false, ..question.filter.clone() };
    let best: Vec<Node> = pool.candidates.iter().take(LOOKED_AT).map(|candidate| candidate.node).collect();
    let (governing, best) = governing(read, prompt, filter, now, PLACED, &best)?;
    // Rules come beside the results, unless they are asked for.
    let is_beside = |memory: &Memory| memory.tier == Tier::Rule && question.query.tiers.is_empty();
    let sure = |memory: Memory| Wish { node: memory.node, governs: true, is_sure: true };
    let mut wishes: Vec<Wish> = governing.into_iter().filter(|memory| !is_beside(memory)).map(sure).collect();
    let asked = text::content_terms(ordered);
    for memory in best {
        let is_known = wishes.iter().any(|wish| wish.node == memory.node);
        if !is_known && !is_over(&memory, now) && wishes_for(&memory, &asked) {
            // What was said in passing must bear on the question by itself.
            let is_sure = memory.kind == Memory::PREFERENCE && memory.speaker.is_none();
            wishes.push(Wish { node: memory.node, governs: false, is_sure });
        }
    }
    let fresh = wishes.iter().map(|wish| wish.node).filter(|node| pool.get(*node).is_none()).collect();
    pool.extend(question, fresh)?;
    Ok(wishes)
}

/// Whether a memory states a wish about one of the ordered things.
fn wishes_for(memory: &Memory, asked: &[String]) -> bool {
    let is_own = memory.text.len() <= LONGEST && memory.speaker.as_deref() != Some("assistant");
    let states =
        || memory.kind == Memory::PREFERENCE || !memory.is_timeless() && text::states_wish(&memory.text);
    is_own && states() && text::content_terms(&memory.text).iter().any(|term| asked.contains(term))
}

/// Puts preferences before all other results, those for the work first, and otherwise in the order of the
/// results. What was replaced keeps its rank. No result scores below the floor.
pub fn place(
    mut ranked: Vec<Candidate>,
    below: &mut Vec<Candidate>,
    wishes: &[Wish],
    is_outdated: &dyn Fn(Node) -> bool,
    floor: f32,
) -> Vec<Candidate> {
    let is_known = |wish: &Wish| {
        let is_in = |all: &[Candidate]| all.iter().any(|candidate| candidate.node == wish.node);
        !is_outdated(wish.node) && (is_in(&ranked) || wish.is_sure && is_in(below))
    };
    let mut wishes: Vec<Wish> = wishes.iter().copied().filter(is_known).take(PLACED).collect();
    let rank = |node: Node| ranked.iter().position(|candidate| candidate.node == node).unwrap_or(usize::MAX);
    wishes.sort_by_key(|wish| (!wish.governs, rank(wish.node)));
    let mut placed = Vec::with_capacity(ranked.len());
    for wish in wishes {
        let take = |from: &mut Vec<Candidate>| {
            let at = from.iter().position(|candidate| candidate.node == wish.node)?;
            Some(from.remove(at))
        };
        let taken = take(&mut ranked).or_else(|| take(below));
        placed.extend(taken.map(|one| Candidate { score: one.score.max(floor), ..one }));
    }
    placed.append(&mut ranked);
    placed
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
    let is_rule = memory.tier == Tier::Rule || memory.kind == Memory::PREFERENCE;
    let (language, work) = text::governs(text, is_rule);
    let shared = work.iter().filter(|work| order.work.contains(work)).count();
    if shared == 0 {
        return None;
    }
    let own = text::content_terms(text);
    let words = asked.iter().filter(|term| own.contains(term)).count();
    // A document is about many things, and seldom states how the user wants to work.
    if words == 0 && memory.is_timeless() && !is_rule {
        return None;
    }
    Some((language == order.language, shared, words, is_rule, memory.importance))
}
