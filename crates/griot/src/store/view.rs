//! A view of the store at one revision: rows from the back end, searches from the index.
//!
//! The same view serves readers and the plan of a write, which sees the rows inside its own transaction, so
//! that it never waits for a lock that its caller holds.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::filter::{Resolved, known_to};
use super::live::LiveIndex;
use crate::backend::{
    About, Answers, Batch, Counts, EntityQuery, Expired, Feed, Fetched, Found, Free, Head, Like, Listing,
    NodeName, Of, Rows, Search, Table, Traces, Wanted,
};
use crate::index::{Index, VectorQuery, Visible};
use crate::model::{EdgeKind, Node, Provenance, Result, Revision, Scope, StoredVector, Timestamp};

pub(super) struct View<'a> {
    rows: &'a dyn Feed,
    index: &'a LiveIndex,
    /// Read once: a plan asks for it several times.
    head: OnceCell<Head>,
}

impl<'a> View<'a> {
    pub fn new(rows: &'a dyn Feed, index: &'a LiveIndex) -> Self {
        Self { rows, index, head: OnceCell::new() }
    }

    pub fn catch_up(&self) -> Result<()> {
        self.index.catch_up(self.rows, self.head_of_rows()?)
    }

    fn head_of_rows(&self) -> Result<&Head> {
        if let Some(head) = self.head.get() {
            return Ok(head);
        }
        let head = self.rows.head()?;
        Ok(self.head.get_or_init(|| head))
    }

    /// Queries the index; see [`LiveIndex::ask`].
    fn ask<T>(&self, question: impl Fn(&Index) -> T) -> Result<T> {
        self.index.ask(self.rows, question)
    }
}

impl Rows for View<'_> {
    fn head(&self) -> Result<Head> {
        let head = self.head_of_rows()?.clone();
        self.ask(|index| Head {
            revision: Revision(index.revision()),
            memories: u64::from(index.memory_count()),
            words: index.word_count(),
            ..head.clone()
        })
    }

    fn counts(&self) -> Result<Counts> {
        let counts = self.rows.counts()?;
        self.ask(|index| {
            let mut counts = Counts { edges: 0, ..counts.clone() };
            counts.edges_by_kind.clear();
            counts.edges_by_provenance.clear();
            let mut links: BTreeMap<(EdgeKind, Provenance), u64> = BTreeMap::new();
            index.each_link(&mut |link| *links.entry((link.kind, link.provenance)).or_default() += 1);
            for ((kind, provenance), count) in links {
                counts.edges += count;
                *counts.edges_by_kind.entry(kind.name().to_owned()).or_default() += count;
                *counts.edges_by_provenance.entry(provenance.name().to_owned()).or_default() += count;
            }
            counts
        })
    }

    fn expired(&self, now: Timestamp) -> Result<Expired> {
        let memories = self.rows.expired(now)?.memories;
        self.ask(|index| {
            let mut expired = Expired { memories: memories.clone(), ..Expired::default() };
            index.each_link(&mut |link| {
                if link.expires_at.is_some_and(|end| end <= now.0) {
                    *expired.edges.entry((link.kind, link.provenance)).or_default() += 1;
                }
            });
            expired
        })
    }

    forward! { self, self.rows =>
        fetch(wanted: &Wanted<'_>) -> Result<Fetched>;
        scan(table: Table, after: u32, limit: usize) -> Result<Fetched>;
        about(what: &About<'_>) -> Result<Fetched>;
        find(names: &[NodeName<'_>]) -> Result<Vec<Vec<Found>>>;
        free(wanted: &[Free<'_>]) -> Result<Vec<u32>>;
        traces_of(memories: &[Node]) -> Result<Traces>;
    }
}

impl Search for View<'_> {
    fn revision(&self) -> Revision {
        self.index.revision()
    }

    fn search(&self, batches: &[Batch<'_>]) -> Result<Vec<Answers>> {
        let filters: Vec<Resolved> =
            batches.iter().map(|batch| Resolved::new(self.rows, batch.filter)).collect::<Result<_>>()?;
        let lists_rules = |batch: &Batch<'_>| batch.lists.iter().any(|l| matches!(l, Listing::Rules(_)));
        let rules = if batches.iter().any(lists_rules) { self.rows.numbers(Of::Rules)? } else { Vec::new() };
        self.ask(|index| {
            let answer =
                |(batch, filter): (&Batch<'_>, &Resolved)| answer(index, batch, &filter.visible(), &rules);
            batches.iter().zip(&filters).map(answer).collect()
        })
    }

    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>> {
        let asked: Vec<VectorQuery<'_>> = asked
            .iter()
            .map(|(vector, scope)| {
                let visible = known_to(self.rows, scope)?;
                Ok(VectorQuery { values: &vector.values, scale: vector.scale, visible })
            })
            .collect::<Result<_>>()?;
        let hits = self.ask(|index| index.alike(&asked, least, limit))?;
        Ok(hits.into_iter().map(scored_nodes).collect())
    }

    fn top_entities(&self, query: &EntityQuery<'_>) -> Result<Vec<(Node, u32)>> {
        let EntityQuery { part, kind, limit, now } = *query;
        if let Some(part) = part {
            return self.rows.named_like(part, kind, limit);
        }
        let mut wanted: Vec<bool> = Vec::new();
        for (entity, _) in self.rows.liveness(kind)?.into_iter().filter(|(_, live)| *live) {
            wanted.resize(entity.number() as usize + 1, false);
            wanted[entity.number() as usize] = true;
        }
        let is_wanted = |raw: u32| {
            let node = Node::from_raw(raw);
            node.is_entity() && wanted.get(node.number() as usize).copied().unwrap_or(false)
        };
        let hubs = self.ask(|index| index.hubs(limit, now.map(|now| now.0), &is_wanted))?;
        Ok(hubs.into_iter().map(|(raw, degree)| (Node::from_raw(raw), degree)).collect())
    }
}

/// Arcs of a node for which memory is reserved; most nodes of a walk have fewer.
const USUAL_ARCS: usize = 16;

/// Answers a batch from the index. `rules` are all rules, in order.
fn answer(index: &Index, batch: &Batch<'_>, visible: &Visible<'_>, rules: &[u32]) -> Answers {
    let look = &batch.look;
    let mut answers = Answers {
        words: batch.words.iter().map(|query| index.words(query, visible)).collect(),
        vectors: batch
            .vectors
            .iter()
            .map(|(vector, limit)| scored_nodes(index.nearest(vector, *limit, visible)))
            .collect(),
        names: batch
            .names
            .iter()
            .map(|(vector, limit)| {
                let found = index.named_like(vector, *limit, visible).into_iter();
                found.map(|(entity, cosine)| (Node::entity(entity), cosine)).collect()
            })
            .collect(),
        lists: batch.lists.iter().map(|list| listed(index, list, visible, rules)).collect(),
        ..Answers::default()
    };
    for frontier in batch.arcs {
        let arcs_of = |node: &Node| {
            let mut arcs = Vec::with_capacity(USUAL_ARCS);
            if node.is_entity() || visible.admits(index, node.number()) {
                index.arcs(node.raw(), frontier.direction, frontier.fan_out, visible, &mut arcs);
            }
            arcs
        };
        answers.arcs.push(frontier.nodes.iter().map(arcs_of).collect());
    }
    answers.degrees = look.degrees.iter().map(|node| index.degree(node.raw(), visible.now)).collect();
    answers.nodes = answers.looked_at(look);
    let numbers: Vec<u32> =
        answers.nodes.iter().map(|node| if node.is_memory() { node.number() } else { 0 }).collect();
    if look.placed {
        answers.placements = numbers.iter().map(|memory| index.placement(*memory)).collect();
    }
    if look.years {
        answers.years = numbers.iter().map(|memory| index.years(*memory).to_vec()).collect();
    }
    for like in look.alike {
        answers.alike.push(match *like {
            Like::Vector(vector) => index.cosines(vector, &numbers),
            Like::Memory(node) => match index.vector_of(if node.is_memory() { node.number() } else { 0 }) {
                Some((values, scale)) => {
                    let vector: Vec<f32> = values.iter().map(|value| f32::from(*value) * scale).collect();
                    index.cosines(&vector, &numbers)
                }
                None => Vec::new(),
            },
        });
    }
    answers
}

fn listed(index: &Index, listing: &Listing, visible: &Visible<'_>, rules: &[u32]) -> Vec<Node> {
    let number = |node: Node| if node.is_memory() { node.number() } else { 0 };
    let numbers = match *listing {
        Listing::Within(interval, limit) => index.within(interval, limit, visible),
        Listing::Latest(limit) => index.latest(limit, visible),
        Listing::Rules(limit) => {
            rules.iter().copied().filter(|rule| visible.admits(index, *rule)).take(limit).collect()
        }
        Listing::Before(node, _) | Listing::After(node, _) if node.is_entity() => Vec::new(),
        Listing::Before(node, limit) => index.around(number(node), limit, 0, visible).0,
        Listing::After(node, limit) => index.around(number(node), 0, limit, visible).1,
        Listing::Place { place, around, limit } => index.place_members(place, around, limit, visible),
    };
    numbers.into_iter().map(Node::memory).collect()
}

fn scored_nodes(hits: Vec<(u32, f32)>) -> Vec<(Node, f32)> {
    hits.into_iter().map(|(memory, cosine)| (Node::memory(memory), cosine)).collect()
}
