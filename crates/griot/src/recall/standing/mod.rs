//! What holds now, what held then: orders the best candidates of a question about a property by what is asked
//! of it, and says of each result whether it still stands.
//!
//! A decision of its own after relevance: the candidates stay the same, only their order changes, and only
//! for a question that asks what a property is, was, became or came from. An edge `supersedes` that somebody
//! made counts as a certain bond, a guessed one as much as it is likely. Two requests: edges of outdated
//! candidates, and rows; more where a replacement was replaced.

mod features;
mod pairs;
mod title;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::{Batch, Direction, Frontier, Wanted};
use crate::embed::dequantise;
use crate::graph::{distinct, fan_out};
use crate::model::{EdgeKind, Entity, Memory, Node, Result, Source, Timestamp};
use crate::text::{self, Act, Asked, AskedKind, TieText, Ties};

use super::Run;
use super::candidates::Candidate;
use features::{FEW, Measured, Reading, Scale, answers};
use pairs::Pairs;
use title::Title;
use verdicts::ON_SUBJECT;

pub use verdicts::{Standing, StandingKind, Successor, is_over, of_row};

/// The most candidates that are compared with each other.
const COMPARED: usize = 60;
/// The same for what holds now, the most frequent question, which is said in its words and ranks high, and
/// where relevance alone decides the order. With 12 to 60, 278 questions of eleven worlds have the same
/// answers but for two.
const COMPARED_FOR_FEW: usize = 16;
/// The most replacements of a memory that are read.
const REPLACEMENTS: usize = 8;
/// How often a memory that replaced another one may have been replaced itself, one read for each time.
const TIMES_REPLACED: usize = 4;
/// The share of an outdated memory's relevance that passes to what replaced it.
const INHERITED: f32 = 0.8;
/// What counts of a bond whose later statement does not say that it changes, corrects or cancels something,
/// for a question without a word such as "now" or "before"; and if one is a turn of a talk: two of them are
/// often alike and seldom replace each other. Measured in docs/design/recall-experiments.md.
const UNSAID: f32 = 0.5;
const UNSAID_IN_TALK: f32 = 0.3;
/// A question with more content words names so much that the words decide the order.
const DETAILED: usize = 6;
/// Characters of a passage that are compared with other texts.
const PART: usize = 300;

/// Adds the memories that replaced a candidate, wherever they rank: they are about what it is about. False if
/// there are none to add.
pub fn follow(run: &mut Run<'_>) -> Result<bool> {
    let Run { question, pool, replaced, .. } = run;
    if question.asked.is_none() || !question.edges {
        return Ok(false);
    }
    let of_pool = pool.candidates.iter().take(COMPARED).filter(|c| c.placement.superseded);
    let mut outdated: Vec<Node> = of_pool.map(|c| c.node).collect();
    let fan_out = fan_out(REPLACEMENTS, |kind| kind == EdgeKind::Supersedes);
    let mut is_fresh = false;
    for _ in 0..TIMES_REPLACED {
        if outdated.is_empty() {
            break;
        }
        let arcs = [Frontier { nodes: &outdated, direction: Direction::In, fan_out: &fan_out }];
        let found = question.read.search_one(&Batch { arcs: &arcs, ..Batch::within(&question.filter) })?;
        let by: Vec<(Node, Node)> = outdated
            .iter()
            .zip(found.arcs.into_iter().flatten())
            .flat_map(|(old, arcs)| arcs.into_iter().map(|arc| (*old, arc.to)))
            .collect();
        let new = distinct(by.iter().map(|(_, new)| *new).collect());
        replaced.extend(by);
        let fresh: Vec<Node> = new.iter().copied().filter(|new| pool.get(*new).is_none()).collect();
        is_fresh |= !fresh.is_empty();
        pool.extend(question, fresh)?;
        // What replaced it may be replaced, too.
        let is_read = |node: &Node| replaced.iter().any(|(old, _)| old == node);
        let is_replaced = |node: &Node| pool.get(*node).is_some_and(|c| c.placement.superseded);
        outdated = new.into_iter().filter(|node| is_replaced(node) && !is_read(node)).collect();
    }
    Ok(is_fresh)
}

/// Orders the candidates, best first, by what the question asks, and notes how each stands.
pub fn order(
    run: &mut Run<'_>,
    mut ranked: Vec<Candidate>,
    below: &mut Vec<Candidate>,
) -> Result<Vec<Candidate>> {
    let Some(asked) = run.question.asked else { return Ok(ranked) };
    // An order needs what replaced its matches; how the others compare would cost it a request.
    if ranked.is_empty() || asked.is_order && run.replaced.is_empty() {
        return Ok(ranked);
    }
    bring_replacements(&mut ranked, below, &run.replaced);
    let reading = reading(&asked, run.question.query.as_of.is_some());
    let is_detailed =
        asked.is_order || reading != Reading::Then && run.question.understood.words() > DETAILED;
    let considered = || ranked.iter().chain(&*below).take(COMPARED).map(|one| one.order);
    let scale = Scale::new(considered().collect());
    // Where relevance alone decides the order, only what is on the subject says how another one stands.
    let on_subject = considered().filter(|relevance| scale.below(*relevance) >= ON_SUBJECT);
    let most = match is_detailed && run.replaced.is_empty() {
        true => on_subject.count().min(COMPARED_FOR_FEW),
        false if matches!(reading, Reading::Present | Reading::Now) => COMPARED_FOR_FEW,
        false => COMPARED,
    };
    // What an edge says is compared wherever it ranks.
    let is_linked = |one: &Candidate| run.replaced.iter().any(|pair| [pair.0, pair.1].contains(&one.node));
    let linked = ranked.iter().rposition(is_linked).map_or(0, |last| last + 1);
    let most = most.max(linked.min(COMPARED));
    let rest = ranked.split_off(ranked.len().min(most));
    let passed: BTreeSet<Node> = ranked.iter().map(|candidate| candidate.node).collect();
    // What is below the floor is compared too, because it may state later what a result states.
    ranked.extend(below.drain(..below.len().min(most - passed.len())));
    let compared = Compared::read(run, ranked)?;
    let Compared { ranked, memories, measured, pairs, .. } = &compared;
    let now = run.question.query.now;
    let past = (asked.kind == AskedKind::Past && asked.at < now).then_some(asked.at);
    let certain = |a: usize, b: usize| run.replaced.contains(&(ranked[a].node, ranked[b].node));
    let names_time = !matches!(reading, Reading::Present | Reading::Reason | Reading::Verdict);
    // What gives no reason does not replace a reason.
    let lacks_reason = |old: usize, new: usize| {
        let gives = |at: usize| measured[at].statement.has(Act::Cause);
        asked.kind == AskedKind::Reason && gives(old) && !gives(new)
    };
    let counted = |a: usize, b: usize| {
        let bond = pairs.bond(a, b);
        let (earlier, later) = if measured[a].at > measured[b].at { (b, a) } else { (a, b) };
        // Most pairs have none.
        if bond == 0.0 || lacks_reason(earlier, later) {
            return 0.0;
        }
        let is_sure = certain(a, b) || certain(b, a) || pairs.are_alike(a, b);
        let is_full = names_time || measured[later].statement.replaces() || is_sure;
        let is_turn = |at: usize| memories[at].speaker.is_some() || memories[at].session.is_some();
        let unsaid = if is_turn(a) || is_turn(b) { UNSAID_IN_TALK } else { UNSAID };
        bond * if is_full { 1.0 } else { unsaid }
    };
    let mut scores = match is_detailed {
        true => measured.iter().map(|one| one.relevance).collect(),
        false => answers(reading, past, scale, measured, &counted, now),
    };
    let place = |node: Node| ranked.iter().position(|candidate| candidate.node == node);
    let mut hidden = Vec::new();
    // Its successor answers for what holds; for why, if it is another version of the same text.
    let is_version = |old: usize, new: usize| {
        let [old, new] = [old, new].map(|at| text::token_set(&memories[at].text));
        text::overlap(&old, &new) >= VERSION
    };
    let answers_for = |old: usize, new: usize| match asked.kind {
        AskedKind::Present | AskedKind::Verdict => asked.at >= now,
        AskedKind::Reason => asked.at >= now && is_version(old, new) && !lacks_reason(old, new),
        _ => false,
    };
    for (old, best) in best_replacements(&run.replaced, &scores, &place) {
        if answers_for(old, best) {
            // It comes right before it, or instead of it.
            scores[old] = scores[old].min(scores[best] - 0.01);
            // What was replaced may be a link of the chain.
            if !run.question.query.superseded && run.chained.is_empty() {
                hidden.push(old);
            }
        }
    }
    let passes: Vec<bool> = ranked.iter().map(|candidate| passed.contains(&candidate.node)).collect();
    let mut order: Vec<usize> = (0..ranked.len()).filter(|at| !hidden.contains(at)).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let shown = compared.shown(&order, &scores, &passes, reading, is_detailed);
    order.retain(|at| shown.contains(at));
    if asked.kind == AskedKind::History && !is_detailed {
        by_time(&mut order, &scores, measured);
    }
    let moment = moment(Some(&asked), now);
    let relevance: Vec<f32> = measured.iter().map(|one| scale.below(one.relevance)).collect();
    // Near repetitions of a result are left out, and others move up.
    let shown = &order[..order.len().min(run.question.query.limit.saturating_mul(2))];
    let texts = texts_of(memories, &compared.parts);
    let said: Vec<(&Memory, &str)> = memories.iter().zip(texts).collect();
    let standings_of =
        |shown: &[usize]| verdicts::standings(&said, measured, &relevance, pairs, &certain, moment, shown);
    let mut standings = standings_of(shown);
    if matches!(reading, Reading::Present | Reading::Now | Reading::Verdict | Reading::Then | Reading::Past) {
        let brought = lead_with_successors(&mut order, &hidden, &standings, memories);
        if !brought.is_empty() {
            let found = standings_of(&brought);
            brought.iter().for_each(|at| standings[*at] = found[*at].clone());
        }
    }
    let tied = order.iter().copied().filter(|at| !passes[*at]);
    let by_tie: Vec<(usize, f32)> = tied.map(|at| (at, compared.score_by_tie(at, &passes))).collect();
    let Compared { mut ranked, memories, beside, .. } = compared;
    for (at, score) in by_tie {
        ranked[at].score = ranked[at].score.max(score);
    }
    let nodes = ranked.iter().map(|candidate| candidate.node);
    run.standings = nodes.zip(standings).filter_map(|(node, one)| Some((node, one?))).collect();
    run.rows.keep(memories, beside.0, beside.1);
    let mut waiting: Vec<Option<Candidate>> = ranked.into_iter().map(Some).collect();
    let mut placed: Vec<Candidate> = order.iter().filter_map(|at| waiting[*at].take()).collect();
    placed.extend(rest);
    let unplaced = waiting.into_iter().enumerate().filter(|(at, _)| !hidden.contains(at));
    below.splice(0..0, unplaced.filter_map(|(_, candidate)| candidate));
    Ok(placed)
}

/// Words in common from which a memory is another version of the one that it replaced.
const VERSION: f32 = 0.5;

/// Results that are shown whatever the floor, if they answer nearly as well as the first: at most this many,
/// at most this far behind it.
const BEST: usize = 3;
const BEHIND: f32 = 2.0;

/// How likely a candidate below the floor states the property of a result, for it to be shown above it.
const KIN: f32 = 0.15;

fn reading(asked: &Asked, is_given: bool) -> Reading {
    match asked.kind {
        AskedKind::Present if asked.is_cued => Reading::Now,
        AskedKind::Present => Reading::Present,
        AskedKind::Past if is_given => Reading::Then,
        AskedKind::Past => Reading::Past,
        AskedKind::Before => Reading::Before,
        AskedKind::Change => Reading::Change,
        AskedKind::History => Reading::History,
        AskedKind::Reason => Reading::Reason,
        AskedKind::Verdict => Reading::Verdict,
    }
}

/// Puts what makes a result outdated before it, unless it is hidden. Returns what was moved.
fn lead_with_successors(
    order: &mut Vec<usize>,
    hidden: &[usize],
    standings: &[Option<Standing>],
    memories: &[Memory],
) -> Vec<usize> {
    let mut moved = Vec::new();
    let mut place = 0;
    while place < order.len() {
        let by = standings[order[place]].as_ref().and_then(|standing| standing.by.as_ref());
        let new = by.and_then(|by| memories.iter().position(|memory| memory.id == by.id));
        if let Some(new) = new.filter(|new| !order[..place].contains(new) && !hidden.contains(new)) {
            order.retain(|at| *at != new);
            order.insert(place, new);
            moved.push(new);
            place += 1;
        }
        place += 1;
    }
    moved
}

/// What replaced a result is relevant, whatever its own words.
fn bring_replacements(ranked: &mut Vec<Candidate>, below: &mut Vec<Candidate>, replaced: &[(Node, Node)]) {
    for (old, new) in replaced {
        if ranked.iter().any(|candidate| candidate.node == *old)
            && let Some(at) = below.iter().position(|candidate| candidate.node == *new)
        {
            ranked.push(below.remove(at));
        }
    }
}

/// The best candidates with what decides their order.
struct Compared {
    ranked: Vec<Candidate>,
    memories: Vec<Memory>,
    /// Of a passage of a document the part that answers.
    parts: Vec<Option<String>>,
    measured: Vec<Measured>,
    pairs: Pairs,
    /// Rows that the answer shows beside them.
    beside: (Vec<Entity>, Vec<Source>),
}

/// What is compared of each memory.
fn texts_of<'a>(memories: &'a [Memory], parts: &'a [Option<String>]) -> Vec<&'a str> {
    memories.iter().zip(parts).map(|(memory, part)| part.as_deref().unwrap_or(&memory.text)).collect()
}

impl Compared {
    /// What is shown of an order: what passes the floor, and what is tied to it; what replaced a match seldom
    /// has its words, so the first few are shown whatever the floor.
    fn shown(
        &self,
        order: &[usize],
        scores: &[f32],
        passes: &[bool],
        reading: Reading,
        is_detailed: bool,
    ) -> BTreeSet<usize> {
        let Self { memories, measured, pairs, .. } = self;
        // A history has all of its parts; elsewhere only what answers better is worth showing.
        let in_parts = matches!(reading, Reading::History | Reading::Change | Reading::Before);
        let tied = |at: usize| {
            (0..passes.len()).filter(move |other| passes[*other] && pairs.bond(at, *other) >= KIN)
        };
        let is_kin = |at: usize| tied(at).any(|other| in_parts || scores[at] >= scores[other]);
        // A past time moves down what was said later, and up whatever was there, the irrelevant too. Nor does
        // a document say in passing what changed. In a store of a few memories any is among the first.
        let is_past = matches!(reading, Reading::Then | Reading::Past);
        let is_small = passes.len() < FEW && !in_parts;
        let follows = |at: usize| tied(at).any(|other| measured[at].at > measured[other].at);
        let is_bound = |at: usize| match is_past || memories[at].is_timeless() {
            true => tied(at).next().is_some(),
            false => !is_small || follows(at),
        };
        let top = order.first().map_or(0.0, |first| scores[*first]);
        let may_lead = |at: usize| scores[at] >= top - BEHIND && is_bound(at);
        let best = if is_detailed { 0 } else { BEST };
        let shown = |(place, at): (usize, usize)| {
            passes[at] || !is_detailed && is_kin(at) || place < best && may_lead(at)
        };
        order.iter().copied().enumerate().filter(|one| shown(*one)).map(|(_, at)| at).collect()
    }

    /// How probable it is by its tie to a result that one of them bears on the question.
    fn score_by_tie(&self, at: usize, passes: &[bool]) -> f32 {
        let results = (0..passes.len()).filter(|other| passes[*other]);
        results.map(|other| self.pairs.bond(at, other) * self.ranked[other].score).fold(0.0, f32::max)
    }

    fn read(run: &Run<'_>, mut ranked: Vec<Candidate>) -> Result<Self> {
        let question = &run.question;
        let memories: Vec<Node> = ranked.iter().map(|candidate| candidate.node).collect();
        // With what the answer will show beside them, in the same request.
        let nodes: Vec<Node> = memories.iter().chain(&question.entities).copied().collect();
        let sources = distinct(ranked.iter().map(|candidate| candidate.placement.source).collect());
        let wanted = Wanted { nodes: &nodes, vectors: &memories, sources: &sources, ..Wanted::default() };
        let found = question.read.fetch(&wanted)?;
        let mut rows: Vec<Option<Memory>> = found.memories.into_iter().map(Some).collect();
        let places: BTreeMap<Node, usize> =
            rows.iter().enumerate().filter_map(|(at, row)| Some((row.as_ref()?.node, at))).collect();
        ranked.retain(|candidate| places.contains_key(&candidate.node));
        let memories: Vec<Memory> =
            ranked.iter().filter_map(|c| rows[*places.get(&c.node)?].take()).collect();
        let mut vectors: BTreeMap<Node, Vec<f32>> =
            found.vectors.iter().map(|(node, vector)| (*node, dequantise(vector))).collect();
        let terms = &question.understood.terms;
        // A passage speaks of many things: the part that answers is what is compared.
        let part = |memory: &Memory| memory.is_timeless().then(|| text::window(&memory.text, terms, PART));
        let parts: Vec<Option<String>> = memories.iter().map(part).collect();
        let said: Vec<&str> = texts_of(&memories, &parts);
        let texts: Vec<TieText<'_>> = memories
            .iter()
            .zip(&said)
            .map(|(memory, said)| TieText {
                text: said,
                speaker: memory.speaker.as_deref(),
                vector: vectors.remove(&memory.node),
            })
            .collect();
        let ties = Ties::between(&texts, &|_| None);
        let wanted = text::wanted_values(question.query.question());
        let mut measured: Vec<Measured> = memories
            .iter()
            .enumerate()
            .map(|(at, memory)| Measured {
                relevance: ranked[at].order,
                at: memory.occurred_at,
                statement: ties.statement(at, memory.occurred_at),
                value: wanted.share_in(match &parts[at] {
                    Some(_) => text::held_values(&memory.text),
                    None => ties.values(at),
                }),
            })
            .collect();
        // Of documents: what is said in a talk has the title of the talk.
        let title = |memory: &Memory| {
            let source = found.sources.iter().find(|source| source.id == memory.source)?;
            source.title.as_deref().filter(|_| memory.is_timeless()).map(Title::new)
        };
        let titles: Vec<Option<Title>> = memories.iter().map(title).collect();
        let mut pairs = Pairs::of(&ties, &memories, &said, &measured, &titles);
        for at in pairs.editions() {
            measured[at].at = titles[at].as_ref().and_then(Title::begins).unwrap_or(measured[at].at);
        }
        // What changes a passage is later than what it says, whenever the document was read, and what it says
        // may have been so at any time.
        let count = ranked.len();
        for a in (0..count).filter(|at| !memories[*at].is_dated()) {
            let changed = (0..count).filter(|b| pairs.bond(a, *b) > 0.0 && !pairs.are_editions(a, *b));
            let before = changed.map(|b| Timestamp(measured[b].at.0 - 1));
            let latest = before.chain(question.asked.map(|asked| asked.at)).min();
            measured[a].at = latest.map_or(measured[a].at, |latest| latest.min(measured[a].at));
        }
        // What differs in its value bears on the question alike, whatever that makes of the values.
        pairs.compare(&ties, question.query.question(), terms, &memories, &titles);
        for (a, b) in pairs.alike() {
            let best = ranked[a].order.max(ranked[b].order);
            for at in [a, b] {
                measured[at].relevance = measured[at].relevance.max(best);
            }
        }
        let place = |node: Node| ranked.iter().position(|candidate| candidate.node == node);
        for (old, new) in &run.replaced {
            if let (Some(old), Some(new)) = (place(*old), place(*new)) {
                pairs.bind(old, new, 1.0);
                let gain = INHERITED * (measured[old].relevance - measured[new].relevance).max(0.0);
                measured[new].relevance += gain;
            }
        }
        Ok(Self { ranked, memories, parts, measured, pairs, beside: (found.entities, found.sources) })
    }
}

/// For each outdated candidate the best placed of those that replaced it.
fn best_replacements(
    replaced: &[(Node, Node)],
    scores: &[f32],
    place: &dyn Fn(Node) -> Option<usize>,
) -> Vec<(usize, usize)> {
    let mut best: BTreeMap<usize, usize> = BTreeMap::new();
    for (old, new) in replaced {
        let (Some(old), Some(new)) = (place(*old), place(*new)) else { continue };
        let known = best.entry(old).or_insert(new);
        if scores[new] > scores[*known] {
            *known = new;
        }
    }
    let mut pairs: Vec<(usize, usize)> = best.into_iter().collect();
    // What was replaced twice moves below what replaced its replacement.
    pairs.sort_by(|a, b| scores[b.1].total_cmp(&scores[a.1]).then(a.cmp(b)));
    pairs
}

/// Puts the first few, those that answer about as well as the best, in order of time.
fn by_time(order: &mut [usize], scores: &[f32], measured: &[Measured]) {
    const HEAD: usize = 6;
    const ABOUT_AS_WELL: f32 = 1.2;
    let Some(best) = order.first().map(|first| scores[*first]) else { return };
    let head = order.iter().take(HEAD).take_while(|at| scores[**at] > best - ABOUT_AS_WELL).count();
    order[..head].sort_by_key(|at| (measured[*at].at, *at));
}

/// The standings of the candidates that were compared.
pub type Standings = BTreeMap<Node, Standing>;

/// The time of the answer, for what says until when it holds.
pub fn moment(asked: Option<&Asked>, now: Timestamp) -> Timestamp {
    asked.map_or(now, |asked| asked.at)
}
