//! The state that one recall passes through its stages.

use crate::backend::{Batch, Direction, Filter, Frontier, Like, Listing, Look, Read, WordQuery};
use crate::model::{Interval, Node, Result, Timestamp};
use crate::rollout::{Made, Strategy};
use crate::settings::Effort;
use crate::text::{self, EventAnchor, TimeRelation};

use super::candidates::{Limits, Pool, mentions_of};
use super::cause::Behind;
use super::rules;
use super::understand::{Span, Understood, understand};
use super::walk::{ArcWeights, Walk};
use super::{Context, Query};

/// A question and everything derived from it before the search.
pub struct Question<'a> {
    pub read: &'a dyn Read,
    pub query: &'a Query,
    pub context: &'a Context<'a>,
    pub understood: Understood,
    /// Time spans of the question, including those of events that it refers to.
    pub spans: Vec<Span>,
    pub filter: Filter,
    /// Entities named in the question.
    pub entities: Vec<Node>,
    /// Whether edges may be read.
    pub edges: bool,
}

impl Question<'_> {
    /// The comparisons for each candidate: with the question's vector, if there is one.
    pub fn likes(&self) -> Vec<Like<'_>> {
        self.context.vector.map(Like::Vector).into_iter().collect()
    }

    /// The attributes needed to measure a candidate.
    pub fn look<'q>(&self, alike: &'q [Like<'q>]) -> Look<'q> {
        Look { nodes: &[], found: 0, placed: true, years: !self.spans.is_empty(), alike, degrees: &[] }
    }

    /// Memories that mention the question's entities; empty if edges are not read.
    fn mentions<'q>(&'q self, fan_out: &'q [usize]) -> Vec<Frontier<'q>> {
        let frontier = Frontier { nodes: &self.entities, direction: Direction::In, fan_out };
        if self.edges && !self.entities.is_empty() { vec![frontier] } else { Vec::new() }
    }
}

/// The limits of an effort level.
pub struct Bounds {
    pub limits: Limits,
    /// The most graph nodes in the walk.
    pub nodes: usize,
    /// The most candidates that are compared with the best, and the most results.
    pub ranked: usize,
}

impl Bounds {
    const fn of(effort: Effort) -> Self {
        match effort {
            Effort::Low => Self { limits: Limits::LOW, nodes: 100, ranked: 60 },
            Effort::Normal => Self { limits: Limits::NORMAL, nodes: 300, ranked: 120 },
            Effort::High => Self { limits: Limits::HIGH, nodes: 3000, ranked: 1000 },
        }
    }
}

pub struct Run<'a> {
    pub question: Question<'a>,
    pub weights: ArcWeights,
    pub bounds: Bounds,
    pub pool: Pool,
    /// The rules of the answer with their relevance, most important first.
    pub rules: Vec<(Node, f32)>,
    /// The graph walk, if it ran.
    pub walk: Option<Walk>,
    /// The causes of the best matches of a WHY question.
    pub behind: Vec<Behind>,
    /// Number of scored candidates.
    pub scored: usize,
    pub made: Made,
}

impl<'a> Run<'a> {
    /// Interprets the question and collects its candidates.
    pub fn begin(
        read: &'a dyn Read,
        query: &'a Query,
        context: &'a Context<'a>,
        strategy: Strategy,
        edges: bool,
    ) -> Result<Self> {
        let settings = context.settings;
        let understood = understand(read, query)?;
        let mut question = Question {
            read,
            query,
            context,
            spans: understood.spans.clone(),
            filter: super::filter(query, &settings.graph),
            entities: understood.entities.iter().map(|entity| entity.node).collect(),
            understood,
            edges,
        };
        let bounds = Bounds::of(query.effort.unwrap_or(settings.recall.effort));
        let (pool, rules) = first_search(&mut question, &bounds.limits)?;
        Ok(Self {
            weights: ArcWeights::new(question.understood.intent.intent, &settings.graph, query.now),
            made: Made { baseline_candidates: pool.candidates.len(), ..Made::by(strategy) },
            question,
            bounds,
            pool,
            rules,
            walk: None,
            behind: Vec::new(),
            scored: 0,
        })
    }
}

/// Searches by words, vectors, names and times, and among the rules of the scope, in one request; then in the
/// neighbourhood of the best results.
fn first_search(question: &mut Question<'_>, limits: &Limits) -> Result<(Pool, Vec<(Node, f32)>)> {
    let anchors = anchors(question.query.text.trim());
    let (mut found, rules) = {
        let question = &*question;
        let terms = &question.understood.terms;
        let mut words =
            vec![WordQuery { terms: terms.clone(), limit: limits.words, places: limits.words / 2 }];
        words.extend(anchors.iter().map(|(_, words)| words.clone()));
        let vectors: Vec<(&[f32], usize)> =
            question.context.vector.map(|vector| (vector, limits.vectors)).into_iter().collect();
        let within = question.spans.iter().filter(|span| span.relation == TimeRelation::Within);
        let lists: Vec<Listing> = within.map(|span| Listing::Within(span.interval, limits.times)).collect();
        let fan_out = mentions_of(limits.mentions);
        let arcs = question.mentions(&fan_out);
        let likes = question.likes();
        let look = Look {
            found: usize::MAX,
            years: !(question.spans.is_empty() && anchors.is_empty()),
            degrees: if question.edges { &question.entities } else { &[] },
            ..question.look(&likes)
        };
        let filter = &question.filter;
        let mut batches =
            vec![Batch { filter, words: &words, vectors: &vectors, lists: &lists, arcs: &arcs, look }];

        let rules_filter = rules::filter(question);
        let rules_words = [WordQuery { terms: terms.clone(), limit: rules::MOST, places: rules::MOST / 2 }];
        let rules_lists = [Listing::Rules(rules::MOST)];
        let rules_fan_out = mentions_of(rules::MOST);
        let rules_arcs = question.mentions(&rules_fan_out);
        if let Some(filter) = &rules_filter {
            batches.push(Batch {
                filter,
                words: &rules_words,
                vectors: &[],
                lists: &rules_lists,
                arcs: &rules_arcs,
                look,
            });
        }
        let mut answers = question.read.search(&batches)?.into_iter();
        (answers.next().unwrap_or_default(), answers.next())
    };
    let hits = found.words.split_off(1.min(found.words.len()));
    for ((relation, words), hits) in anchors.into_iter().zip(hits) {
        let all = if words.terms.len() >= 64 { u64::MAX } else { (1 << words.terms.len()) - 1 };
        let Some(hit) = hits.memories.first().filter(|hit| hit.matched & all == all) else { continue };
        let at = found.nodes.iter().position(|node| *node == hit.node);
        if let Some(placement) = at.and_then(|at| found.placements.get(at).copied().flatten()) {
            let at = placement.occurred_at;
            question.spans.push(Span { relation, interval: Interval::new(at, Timestamp(at.0 + 1)) });
        }
    }
    let rules = match rules {
        Some(found) => rules::measure(question, found)?,
        None => Vec::new(),
    };
    Ok((Pool::collect(question, found, limits)?, rules))
}

/// Events used as time references ("before the release"), with the queries that find them.
fn anchors(text: &str) -> Vec<(TimeRelation, WordQuery)> {
    let mut anchors = Vec::new();
    for anchor in text::event_anchors(text) {
        let (range, relation) = match anchor {
            EventAnchor::Before(range) => (range, TimeRelation::Before),
            EventAnchor::After(range) => (range, TimeRelation::After),
            EventAnchor::During(range) => (range, TimeRelation::Around),
        };
        let event = text.get(range).unwrap_or_default();
        let terms: Vec<String> =
            text::query_terms(event).into_iter().filter(|t| !t.stop).map(|t| t.text).collect();
        if !terms.is_empty() {
            anchors.push((relation, WordQuery { terms, limit: 1, places: 0 }));
        }
    }
    anchors
}
