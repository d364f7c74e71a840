//! Suggestions for the caller after a memory was stored: similar memories, possible causes, and how the new
//! memory differs from what was known.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::{Arc, Direction, Filter, NeighbourQuery, NodeName, Read, WordQuery};
use crate::embed::dequantise;
use crate::graph::{self, distinct};
use crate::model::{
    CATALOGUE, EdgeKind, Family, Interval, Memory, MemoryId, Node, Offer, OfferKind, OfferState, Result,
    Scope, Timestamp,
};
use crate::text;

use super::cause::{Clue, guess};
use super::likely::{self, Ground};
use super::offers::{self, Refused};
use super::plan::Planned;
use super::prepare::Prepared;
use super::replaces;
use super::{
    CausalCandidate, Diff, DiffSuggestion, EdgeTally, RememberSettings, Remembered, SemanticCandidate,
};

/// A stored memory that resembles the new one.
struct Similar {
    memory: Memory,
    cosine: Option<f32>,
    /// Share of common words, 0..1.
    overlap: f32,
}

/// The stored memories most similar to the draft, best first: by cosine where there are vectors, else by
/// words.
fn similar(
    read: &dyn Read,
    prepared: &Prepared,
    except: Option<Node>,
    settings: &RememberSettings,
    filter: &Filter,
) -> Result<Vec<Similar>> {
    // One more than is returned, because the memory itself is among the nearest.
    let limit = settings.max_semantic_candidates + settings.max_semantic_edges + 1;
    let nearest: Vec<(Node, Option<f32>)> = match &prepared.vector {
        Some((vector, _)) => read
            .search_vectors(vector, filter, limit)?
            .into_iter()
            .map(|(node, cosine)| (node, Some(cosine)))
            .collect(),
        None => {
            let terms = text::content_terms(&prepared.draft.text);
            let query = WordQuery { terms, limit, ..WordQuery::default() };
            read.search_words(&query, filter)?.memories.into_iter().map(|hit| (hit.node, None)).collect()
        }
    };
    let nearest: Vec<_> = nearest.into_iter().filter(|(node, _)| Some(*node) != except).collect();
    let memories = read.memories(&nearest.iter().map(|(node, _)| *node).collect::<Vec<_>>())?;
    let mut found = Vec::with_capacity(memories.len());
    for memory in memories {
        let cosine = nearest.iter().find(|(node, _)| *node == memory.node).and_then(|(_, cosine)| *cosine);
        let overlap = text::overlap(&prepared.words, &text::token_set(&memory.text));
        found.push(Similar { memory, cosine, overlap });
    }
    Ok(found)
}

/// Adds the candidates of a new memory to its answer, and counts its temporal edges.
pub fn add(
    read: &dyn Read,
    answer: &mut Remembered,
    prepared: &Prepared,
    planned: &Planned,
    settings: &RememberSettings,
    now: Timestamp,
) -> Result<()> {
    let node = planned.placed.node;
    let Some(memory) = read.memories(&[node])?.into_iter().next() else { return Ok(()) };
    let filter = within(&prepared.draft.scope, now);
    let similar = similar(read, prepared, Some(node), settings, &filter)?;
    let near = surroundings(read, node, &filter)?;
    let refused = Refused::of(read, &memory)?;
    answer.update_candidates = replaces::offers(read, &memory, prepared, &filter, &near.1, &refused)?;
    answer.semantic_candidates = semantic(&similar, &planned.linked, settings);
    // What is offered to be replaced need not be offered as similar, and few offers are judged with care.
    let mut room = replaces::MOST.saturating_sub(answer.update_candidates.len());
    answer.semantic_candidates.retain(|one| {
        let is_offered = answer.update_candidates.iter().any(|offer| offer.id == one.id);
        let stays = one.auto_linked || !is_offered && room > 0;
        room -= usize::from(stays && !one.auto_linked);
        stays
    });
    answer.diff = diff(prepared, &similar);
    let before = within(&memory.scope, memory.recorded_at);
    let latest = read.latest(&before, WIDER * settings.causal_lookback + 1)?;
    let known = Known { filter: &before, latest, similar: &similar, near, refused: &refused };
    answer.causal_candidates = causal(read, &memory, prepared, known, settings)?;
    answer.edges = EdgeTally { temporal: temporal_edges(read, node, now)?, ..planned.edges };
    Ok(())
}

/// Memories before a stored one that may be its cause, or that it may replace: at most `most`, those of open
/// offers first, then what `remember` would offer by its likelihood, then the most similar ones.
///
/// Left out are memories whose owner the stored one may not know, those that an edge settles already, and
/// those that a caller refused to connect. What was replaced since may still be a cause.
pub fn of_stored(
    read: &dyn Read,
    memory: &Memory,
    settings: &RememberSettings,
    most: usize,
    now: Timestamp,
) -> Result<Vec<Memory>> {
    let settings = RememberSettings { max_causal_candidates: most, ..settings.clone() };
    let prepared = Prepared::of_stored(memory, read.vector(memory.node)?);
    let until = Timestamp(memory.occurred_at.0.saturating_add(1));
    let until = Some(Interval::new(Timestamp(i64::MIN), until));
    let live = Filter { occurred: until, ..within(&memory.scope, now) };
    let filter = Filter { superseded: true, ..live.clone() };
    let refused = Refused::of(read, memory)?;
    let similar = similar(read, &prepared, Some(memory.node), &settings, &filter)?;
    let near = surroundings(read, memory.node, &filter)?;
    let replaced = replaces::offers(read, memory, &prepared, &live, &near.1, &refused)?;
    let (mut latest, _) = read.around(memory.node, WIDER * settings.causal_lookback, 0, &filter)?;
    latest.reverse();
    let known = Known { filter: &filter, latest, similar: &similar, near, refused: &refused };
    let causes = causal(read, memory, &prepared, known, &settings)?;
    let mut likely: Vec<(f32, MemoryId)> = replaced.iter().map(|one| (one.probability, one.id)).collect();
    likely.extend(causes.iter().map(|one| (one.probability, one.id)));
    likely.sort_by(|a, b| b.0.total_cmp(&a.0));

    let own: Vec<Offer> = read.offers_about(&[memory.node])?;
    let own: Vec<Offer> = own.into_iter().filter(|offer| offer.newer == memory.node).collect();
    let states = offers::states(read, &own)?;
    let mut open: Vec<&Offer> = own
        .iter()
        .zip(states)
        .filter(|(_, (state, _))| *state == OfferState::Open)
        .map(|(offer, _)| offer)
        .collect();
    open.sort_by(|a, b| b.probability.total_cmp(&a.probability));

    let names: Vec<NodeName<'_>> = likely.iter().map(|(_, id)| NodeName::Id(*id)).collect();
    let found = read.find(&names)?;
    let likely = found.iter().flatten().map(|found| found.node);
    let alike = similar.iter().map(|other| other.memory.node);
    let nodes = distinct_in_order(open.iter().map(|offer| offer.other).chain(likely).chain(alike));
    let settled = settled(read, memory.node)?;
    let rows: BTreeMap<Node, Memory> =
        read.memories(&nodes)?.into_iter().map(|memory| (memory.node, memory)).collect();
    let place = |memory: &Memory| (memory.occurred_at, memory.node);
    let is_meant = |other: &&Memory| {
        let is_offered = open.iter().any(|offer| offer.other == other.node);
        other.deleted_at.is_none()
            && !other.is_expired(now)
            && memory.scope.may_know(&other.scope)
            && (is_offered || place(other) < place(memory))
            && !settled.contains(&other.node)
            && !OfferKind::ALL.iter().any(|kind| refused.has(*kind, other))
    };
    Ok(nodes.iter().filter_map(|node| rows.get(node)).filter(is_meant).take(most).cloned().collect())
}

/// The memories that an edge connects as an offer would.
fn settled(read: &dyn Read, memory: Node) -> Result<Vec<Node>> {
    const ALL: usize = u32::MAX as usize;
    let fan_out = graph::fan_out(ALL, |edge| OfferKind::ALL.iter().any(|kind| kind.is_taken_by(edge)));
    let filter = Filter { superseded: true, ..Filter::default() };
    let ask = NeighbourQuery { direction: Direction::Both, fan_out: &fan_out, filter: &filter };
    Ok(read.neighbours(&[memory], &ask)?.into_iter().flatten().map(|arc| arc.to).collect())
}

fn distinct_in_order(nodes: impl Iterator<Item = Node>) -> Vec<Node> {
    let mut seen = BTreeSet::new();
    nodes.filter(|node| seen.insert(*node)).collect()
}

/// The number of temporal arcs of a memory, stored or derived.
fn temporal_edges(read: &dyn Read, node: Node, now: Timestamp) -> Result<u32> {
    let fan_out: Vec<usize> =
        CATALOGUE.iter().map(|row| if row.family == Family::Temporal { 10 } else { 0 }).collect();
    let filter = Filter { superseded: true, now: Some(now), ..Filter::default() };
    let ask = NeighbourQuery { direction: Direction::In, fan_out: &fan_out, filter: &filter };
    Ok(read.neighbours(&[node], &ask)?.first().map_or(0, |arcs| arcs.len() as u32))
}

/// Cosine of the nearest memory from which it counts as near: in a store of two, the other one is the
/// nearest.
const NEAR: f32 = 0.3;

/// Least share of common words for a candidate where there are no vectors; less is noise (as in Mnemon).
const WORDS_FALLBACK: f32 = 0.10;

fn semantic(similar: &[Similar], linked: &[Node], settings: &RememberSettings) -> Vec<SemanticCandidate> {
    let mut candidates = Vec::new();
    let mut reviewed = 0;
    for other in similar {
        let auto_linked = linked.contains(&other.memory.node);
        let similarity = other.cosine.unwrap_or(other.overlap);
        let least = if other.cosine.is_some() { settings.semantic_review } else { WORDS_FALLBACK };
        if !auto_linked && (similarity < least || reviewed == settings.max_semantic_candidates) {
            continue;
        }
        reviewed += usize::from(!auto_linked);
        let measure = if other.cosine.is_some() { "cosine" } else { "common words" };
        candidates.push(SemanticCandidate {
            id: other.memory.id,
            handle: other.memory.handle.clone(),
            text: other.memory.text.clone(),
            kind: other.memory.kind.clone(),
            similarity,
            auto_linked,
            reason: format!("{measure} {similarity:.2}"),
        });
    }
    candidates
}

/// How the draft differs from the most similar memory. Only a suggestion: to replace what looks like an
/// update would destroy unrelated memories.
fn diff(prepared: &Prepared, similar: &[Similar]) -> Diff {
    let mut best: Option<(f32, &Similar)> = None;
    for other in similar {
        // A high cosine counts; a lower one means "same subject", not "same statement".
        let similarity = match other.cosine {
            Some(cosine) if cosine >= 0.85 => cosine.max(other.overlap),
            _ => other.overlap,
        };
        if best.is_none_or(|(known, _)| similarity > known) {
            best = Some((similarity, other));
        }
    }
    let Some((similarity, other)) = best else {
        return Diff {
            suggestion: DiffSuggestion::Add,
            with: None,
            similarity: 0.0,
            reason: "no memory is similar".into(),
        };
    };
    let (new, old) = (&prepared.draft.text, &other.memory.text);
    let negated = text::negates(new) != text::negates(old);
    let numbers = text::numbers(new) != text::numbers(old);
    let (suggestion, reason) = if similarity < 0.5 {
        (DiffSuggestion::Add, "no memory says nearly the same".to_string())
    } else if negated {
        (DiffSuggestion::Conflict, "one of the two negates or replaces what the other says".to_string())
    } else if similarity > 0.9 && !numbers {
        (DiffSuggestion::Duplicate, "says nearly the same".to_string())
    } else if numbers {
        (DiffSuggestion::Update, "says nearly the same with other numbers".to_string())
    } else {
        (DiffSuggestion::Update, "says much the same in other words".to_string())
    };
    let with = (suggestion != DiffSuggestion::Add).then(|| (other.memory.id, other.memory.handle.clone()));
    Diff { suggestion, with, similarity: similarity.min(1.0), reason }
}

/// What is known about a memory before its causes are searched.
struct Known<'a> {
    filter: &'a Filter,
    /// Latest first.
    latest: Vec<Node>,
    similar: &'a [Similar],
    near: (Reached, Vec<Node>),
    refused: &'a Refused,
}

/// Memories that may have caused the new one, or followed from it: the likeliest of those within two hops,
/// the latest, the nearest in meaning and those with the same words. The caller has to judge.
fn causal(
    read: &dyn Read,
    new: &Memory,
    prepared: &Prepared,
    known: Known<'_>,
    settings: &RememberSettings,
) -> Result<Vec<CausalCandidate>> {
    let Known { filter, mut latest, similar, near: (reached, linked), refused } = known;
    latest.retain(|node| *node != new.node);
    let rarity = common_words(read, new, filter)?;
    let alike = similar.iter().map(|other| other.memory.node);
    let mut nodes: Vec<Node> =
        reached.keys().chain(&latest).chain(rarity.keys()).copied().chain(alike).collect();
    nodes.retain(|node| node.is_memory() && *node != new.node && !linked.contains(node));
    let nodes = distinct(nodes);
    let cosines = match &prepared.vector {
        Some((vector, _)) => read.similarities(vector, &nodes)?,
        None => vec![None; nodes.len()],
    };
    let cosines: BTreeMap<Node, f32> =
        nodes.iter().copied().zip(cosines.into_iter().map(Option::unwrap_or_default)).collect();
    let nearest = cosines.values().copied().fold(NEAR, f32::max);
    let chains = chains(read, &nodes, filter)?;
    let mut likely: Vec<(f32, usize, Node)> = Vec::with_capacity(nodes.len());
    for node in nodes {
        // What is not among the latest is further back, no matter how far.
        let rank = latest.iter().position(|known| *known == node).map_or(2 * latest.len(), |at| at + 1);
        let ground = Ground {
            rare: rarity.get(&node).copied().unwrap_or_default(),
            nearness: cosines.get(&node).map_or(0.0, |cosine| cosine / nearest),
            rank,
            caused: chains.get(&node).is_some_and(|(caused, _)| *caused),
            effects: chains.get(&node).map_or(0, |(_, effects)| *effects),
        };
        let probability = likely::probability(&ground);
        if probability >= likely::LEAST {
            likely.push((probability, rank, node));
        }
    }
    if !refused.is_empty() {
        let rows = read.memories(&likely.iter().map(|(.., node)| *node).collect::<Vec<_>>())?;
        let is_refused = |node| rows.iter().any(|row| row.node == node && refused.has(OfferKind::Cause, row));
        likely.retain(|(.., node)| !is_refused(*node));
    }
    likely.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(b.2.cmp(&a.2)));
    likely.truncate(settings.max_causal_candidates);

    let later = Clue { text: &new.text, words: &prepared.words, signals: &prepared.causes };
    let offered: Vec<Node> = likely.iter().map(|(.., node)| *node).collect();
    let mut rows: BTreeMap<Node, Memory> =
        read.memories(&offered)?.into_iter().map(|memory| (memory.node, memory)).collect();
    let mut candidates = Vec::with_capacity(likely.len());
    for (probability, _, node) in likely {
        let Some(memory) = rows.remove(&node) else { continue };
        let words = text::token_set(&memory.text);
        let signals = text::cause_signals(&memory.text);
        let earlier = Clue { text: &memory.text, words: &words, signals: &signals };
        let overlap = text::overlap(&words, &prepared.words);
        let may_precede = memory.occurred_at <= new.occurred_at;
        let judged = judge(&earlier, &later, may_precede, settings, || {
            let age = latest.iter().position(|known| *known == node);
            let when = age.map_or(String::new(), |age| format!(", {} memories before", age + 1));
            format!("cosine {:.2}{when}", cosines.get(&node).copied().unwrap_or_default())
        });
        let Judged { other_is_cause: candidate_is_cause, sub_type, reason } = judged;
        let far = if latest.contains(&node) { "latest" } else { "alike" };
        let (hop, via) = reached.get(&node).map_or((0, far), |(hop, kind)| (*hop, kind.name()));
        candidates.push(CausalCandidate {
            id: memory.id,
            handle: memory.handle,
            text: memory.text,
            kind: memory.kind,
            hop,
            via,
            signal: overlap,
            probability,
            suggested_sub_type: sub_type,
            candidate_is_cause,
            reason,
            offer: None,
        });
    }
    Ok(candidates)
}

/// For each memory whether a cause of it is known, and how many effects.
fn chains(read: &dyn Read, nodes: &[Node], filter: &Filter) -> Result<BTreeMap<Node, (bool, usize)>> {
    const FAN_OUT: usize = 3;
    let causal = graph::fan_out(FAN_OUT, |kind| kind.family() == Family::Causal);
    let ask = NeighbourQuery { direction: Direction::Both, fan_out: &causal, filter };
    let tally = |arcs: Vec<Arc>| {
        let effects = arcs.iter().filter(|arc| arc.forward).count();
        (effects < arcs.len(), effects)
    };
    Ok(nodes.iter().copied().zip(read.neighbours(nodes, &ask)?.into_iter().map(tally)).collect())
}

/// The memories with words of the new one, and how rare these are: 1 for a word that only one memory has.
fn common_words(read: &dyn Read, new: &Memory, filter: &Filter) -> Result<BTreeMap<Node, f32>> {
    let terms = text::content_terms(&new.text);
    let hits = read.search_words(&WordQuery { terms, limit: COMMON, ..WordQuery::default() }, filter)?;
    let rarest = hits.idf.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let rarity = |matched: u64| -> f32 {
        let idf = hits.idf.iter().take(64).enumerate();
        idf.filter(|(bit, _)| matched >> bit & 1 == 1).map(|(_, idf)| idf / rarest).sum()
    };
    Ok(hits.memories.iter().map(|hit| (hit.node, rarity(hit.matched))).collect())
}

/// What would connect a new memory with another one.
struct Judged {
    other_is_cause: bool,
    sub_type: &'static str,
    reason: String,
}

/// By cause words; without one, the earlier event (`may_precede`) would be the cause, because of the same
/// words or of what `nearness` says.
fn judge(
    other: &Clue<'_>,
    new: &Clue<'_>,
    may_precede: bool,
    settings: &RememberSettings,
    nearness: impl FnOnce() -> String,
) -> Judged {
    if let Some(guess) = guess(other, new, settings.causal_overlap / 2.0) {
        return Judged { other_is_cause: guess.forward, sub_type: guess.sub_type, reason: guess.reason };
    }
    let has_same_words = text::overlap(other.words, new.words) >= settings.causal_overlap;
    let reason = match has_same_words {
        true => "no cause word, but the same words".to_string(),
        false => nearness(),
    };
    Judged { other_is_cause: may_precede, sub_type: text::sub_type_of(new.text), reason }
}

/// The edge that would take an offer, and why it was offered.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    /// The cause, or what replaces the other.
    pub source: Node,
    pub target: Node,
    /// `causes`, `enables` or `prevents`; `None` for a replacement.
    pub sub_type: Option<&'static str>,
    pub reason: String,
}

/// What an offer proposes: it follows from the two memories, and is not stored with it.
pub fn proposal(
    read: &dyn Read,
    kind: OfferKind,
    newer: &Memory,
    other: &Memory,
    settings: &RememberSettings,
) -> Result<Proposal> {
    if kind == OfferKind::Replacement {
        let (source, target) = (newer.node, other.node);
        return Ok(Proposal { source, target, sub_type: None, reason: replaces::reason_of(newer).into() });
    }
    let words = [newer, other].map(|memory| text::token_set(&memory.text));
    let signals = [newer, other].map(|memory| text::cause_signals(&memory.text));
    let new = Clue { text: &newer.text, words: &words[0], signals: &signals[0] };
    let old = Clue { text: &other.text, words: &words[1], signals: &signals[1] };
    let cosine = match read.vector(newer.node)? {
        Some(vector) => read.similarities(&dequantise(&vector), &[other.node])?.pop().flatten(),
        None => None,
    };
    let may_precede = other.occurred_at <= newer.occurred_at;
    let judged = judge(&old, &new, may_precede, settings, || match cosine {
        Some(cosine) => format!("cosine {cosine:.2}"),
        None => "stored near to each other".to_string(),
    });
    let (source, target) =
        if judged.other_is_cause { (other.node, newer.node) } else { (newer.node, other.node) };
    Ok(Proposal { source, target, sub_type: Some(judged.sub_type), reason: judged.reason })
}

/// Factor on the look-back of the rule: the caller judges these candidates, so the search goes further back.
const WIDER: usize = 4;
/// The most memories with common words that are considered.
const COMMON: usize = 60;

/// Distance in hops, and the kind of edge of the last hop.
type Reached = BTreeMap<Node, (u8, EdgeKind)>;

/// The nodes within two hops of a memory, and those that a causal edge already joins with it.
fn surroundings(read: &dyn Read, of: Node, filter: &Filter) -> Result<(Reached, Vec<Node>)> {
    /// Per node and kind; entities named everywhere connect nothing.
    const FAN_OUT: usize = 20;
    let fan_out = [FAN_OUT; CATALOGUE.len()];
    let ask = NeighbourQuery { direction: Direction::Both, fan_out: &fan_out, filter };
    let mut reached = Reached::new();
    let mut linked = Vec::new();
    let mut frontier = vec![of];
    for hop in 1..=2u8 {
        let mut next = Vec::new();
        for arcs in read.neighbours(&frontier, &ask)? {
            for arc in arcs {
                if hop == 1 && arc.kind.family() == Family::Causal {
                    linked.push(arc.to);
                }
                if arc.to != of && !reached.contains_key(&arc.to) {
                    reached.insert(arc.to, (hop, arc.kind));
                    next.push(arc.to);
                }
            }
        }
        next.sort();
        frontier = next;
    }
    Ok((reached, linked))
}

fn within(scope: &Scope, now: Timestamp) -> Filter {
    Filter { scope: scope.clone(), now: Some(now), ..Filter::default() }
}
