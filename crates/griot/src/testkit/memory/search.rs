//! Searches of the reference store; each one scans all memories.

use std::collections::BTreeSet;

use super::{State, Stored, words};
use crate::backend::{
    Answers, Batch, CATALOGUE_SIZE, Direction, EntityQuery, Filter, Frontier, Like, Listing, Place,
    Placement, Search,
};
use crate::embed::name_vector;
use crate::model::{EdgeKind, Entity, Memory, Node, Result, Revision, Scope, StoredVector, Tier, only_asks};

impl Search for State {
    fn revision(&self) -> Revision {
        Revision(self.revision)
    }

    fn search(&self, batches: &[Batch<'_>]) -> Result<Vec<Answers>> {
        Ok(batches.iter().map(|batch| self.answers(batch)).collect())
    }

    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>> {
        let near = |(vector, scope): &(&StoredVector, &Scope)| {
            let asked: Vec<f32> = vector.values.iter().map(|&v| f32::from(v) * vector.scale).collect();
            let mut found = self.nearest(&asked, &Filter::default());
            let knows = |node| self.get(node).is_some_and(|stored| scope.may_know(&stored.memory.scope));
            found.retain(|(node, cosine)| *cosine >= least && knows(*node));
            found.truncate(limit);
            found
        };
        Ok(asked.iter().map(near).collect())
    }

    fn top_entities(&self, query: &EntityQuery<'_>) -> Result<Vec<(Node, u32)>> {
        let EntityQuery { part, kind, limit, now } = *query;
        let live = self.entities.values().filter(|entity| self.entity_is_live(entity));
        let ranked = |entity: &Entity| match part {
            None => Some(self.degree(entity.node, now)).filter(|degree| *degree > 0),
            Some(part) => {
                let is_named = entity.aliases.iter().any(|alias| alias.contains(part));
                is_named.then(|| self.mentions(entity.node) as u32)
            }
        };
        let mut found: Vec<(Node, u32)> = live
            .filter(|entity| kind.is_none_or(|kind| entity.kind == kind))
            .filter_map(|entity| Some((entity.node, ranked(entity)?)))
            .collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        Ok(found)
    }
}

impl State {
    fn answers(&self, batch: &Batch<'_>) -> Answers {
        let (filter, look) = (batch.filter, &batch.look);
        let nearest = |(vector, limit): &(&[f32], usize)| {
            let mut found = self.nearest(vector, filter);
            found.truncate(*limit);
            found
        };
        let arcs = |frontier: &Frontier<'_>| {
            frontier.nodes.iter().map(|&node| self.arcs(node, frontier, filter)).collect()
        };
        let mut answers = Answers {
            words: batch.words.iter().map(|query| words::search(self, query, filter)).collect(),
            vectors: batch.vectors.iter().map(nearest).collect(),
            names: batch
                .names
                .iter()
                .map(|(vector, limit)| self.named_like(vector, *limit, filter))
                .collect(),
            lists: batch.lists.iter().map(|listing| self.listed(listing, filter)).collect(),
            arcs: batch.arcs.iter().map(arcs).collect(),
            degrees: look.degrees.iter().map(|&node| self.degree(node, filter.now)).collect(),
            ..Answers::default()
        };
        answers.nodes = answers.looked_at(look);
        let nodes = &answers.nodes;
        if look.placed {
            answers.placements = nodes.iter().map(|&node| self.placement(node)).collect();
        }
        if look.years {
            let years = |&node: &Node| self.get(node).map(Self::years_of).unwrap_or_default();
            answers.years = nodes.iter().map(years).collect();
        }
        let alike = |like: &Like<'_>| -> Vec<Option<f32>> {
            let cosines = |vector: &[f32]| nodes.iter().map(|&node| self.cosine(vector, node)).collect();
            match *like {
                Like::Vector(vector) => cosines(vector),
                Like::Memory(node) => match self.get(node).and_then(|stored| stored.vector.as_ref()) {
                    Some(own) => {
                        cosines(&own.values.iter().map(|v| f32::from(*v) * own.scale).collect::<Vec<_>>())
                    }
                    None => Vec::new(),
                },
            }
        };
        answers.alike = look.alike.iter().map(alike).collect();
        answers
    }

    /// All memories with a vector, nearest first.
    fn nearest(&self, vector: &[f32], filter: &Filter) -> Vec<(Node, f32)> {
        let seen = self.in_time(filter).into_iter();
        let mut found: Vec<(Node, f32)> =
            seen.filter_map(|node| Some((node, self.cosine(vector, node)?))).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// Entities that a visible memory mentions, nearest by name first.
    fn named_like(&self, vector: &[f32], limit: usize, filter: &Filter) -> Vec<(Node, f32)> {
        let mut fan_out = [0; CATALOGUE_SIZE];
        fan_out[EdgeKind::Mentions as usize] = 1;
        let frontier = Frontier { nodes: &[], direction: Direction::In, fan_out: &fan_out };
        let is_mentioned = |entity: &&Entity| {
            self.entity_is_live(entity) && !self.arcs(entity.node, &frontier, filter).is_empty()
        };
        let near = |entity: &Entity| {
            let own = name_vector(&entity.name)?;
            let sum: f32 = own.values.iter().zip(vector).map(|(own, asked)| f32::from(*own) * asked).sum();
            Some((entity.node, sum * own.scale))
        };
        let mut found: Vec<(Node, f32)> =
            self.entities.values().filter(is_mentioned).filter_map(near).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        found
    }

    fn listed(&self, listing: &Listing, filter: &Filter) -> Vec<Node> {
        let time = |node: Node| self.get(node).map(|stored| (stored.memory.occurred_at, node));
        match *listing {
            Listing::Within(interval, limit) => {
                let inside = |node: &Node| time(*node).is_some_and(|(at, _)| interval.contains(at));
                last(self.in_time(filter).into_iter().filter(inside).collect(), limit)
            }
            Listing::Latest(limit) => {
                let mut found = self.in_time(filter);
                found.sort_by(|a, b| b.cmp(a));
                found.truncate(limit);
                found
            }
            Listing::Rules(limit) => {
                let rules = self.rules().into_iter().filter(|rule| self.shows(filter, rule));
                rules.take(limit).map(|rule| rule.node).collect()
            }
            Listing::Before(node, limit) => {
                let earlier = |other: &Node| time(node).is_some_and(|own| time(*other) < Some(own));
                last(self.in_time(filter).into_iter().filter(earlier).collect(), limit)
            }
            Listing::After(node, limit) => {
                let later = |other: &Node| time(node).is_some_and(|own| time(*other) > Some(own));
                self.in_time(filter).into_iter().filter(later).take(limit).collect()
            }
            Listing::Place { place, around, limit } => self.members(place, around, limit, filter),
        }
    }

    /// Live rules, most important first, then the latest recorded.
    pub(super) fn rules(&self) -> Vec<&Memory> {
        let memories = self.memories.values().map(|stored| &stored.memory);
        let live = |memory: &&Memory| memory.tier == Tier::Rule && memory.deleted_at.is_none();
        let mut rules: Vec<&Memory> = memories.filter(live).collect();
        rules.sort_by_key(|rule| std::cmp::Reverse((rule.importance, rule.recorded_at, rule.node)));
        rules
    }

    fn placement(&self, node: Node) -> Option<Placement> {
        let stored = self.get(node)?;
        let memory = &stored.memory;
        let years = Self::years_of(stored);
        Some(Placement {
            node,
            place: stored.place,
            source: memory.source,
            ordinal: memory.ordinal,
            occurred_at: memory.occurred_at,
            speaker: stored.speaker,
            length: words::terms(&memory.text).len() as u32,
            document_length: self.document_length(stored),
            asks: only_asks(&memory.text),
            superseded: memory.superseded_by.is_some(),
            first_year: years.first().copied().unwrap_or(0),
            last_year: years.last().copied().unwrap_or(0),
        })
    }

    fn document_length(&self, passage: &Stored) -> u64 {
        if passage.place == 0 || !passage.memory.is_timeless() {
            return 0;
        }
        let members = self.memories.values().filter(|stored| stored.place == passage.place);
        members.map(|stored| words::terms(&stored.memory.text).len() as u64).sum()
    }

    fn members(&self, place: Place, around: u32, limit: usize, filter: &Filter) -> Vec<Node> {
        let mut members: Vec<(u32, Node)> = self
            .memories
            .values()
            .filter(|stored| stored.place == place && self.shows(filter, &stored.memory))
            .map(|stored| (stored.memory.ordinal, stored.memory.node))
            .collect();
        // The nearest first; among equals the earlier one; among members with the same ordinal, the next one
        // outward on either side.
        members.sort_by_key(|&(ordinal, node)| {
            let is_after = ordinal >= around;
            let outward = if is_after { i64::from(node.raw()) } else { -i64::from(node.raw()) };
            (ordinal.abs_diff(around), is_after, outward)
        });
        members.truncate(limit);
        members.sort();
        members.into_iter().map(|(_, node)| node).collect()
    }

    /// Numbers of exactly four digits from 1000 to 2100, ascending, without duplicates.
    fn years_of(stored: &Stored) -> Vec<i16> {
        let runs = stored.memory.text.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 4);
        let years: BTreeSet<i16> = runs.filter_map(|run| run.parse().ok()).collect();
        years.into_iter().filter(|year| (1000..=2100).contains(year)).collect()
    }
}

/// The last `limit` items of a list.
pub(super) fn last<T>(mut list: Vec<T>, limit: usize) -> Vec<T> {
    list.drain(..list.len().saturating_sub(limit));
    list
}
