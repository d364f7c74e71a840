//! Verbs that walk: `show`, `why`, `related`, `path`, `entity`, `hubs`, `timeline`, `similar`, `traverse`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::summaries::{descriptions, keywords};
use super::{EdgeView, Engine, EntityView, Hub, Related, Timeline, Why, WhyStep};
use crate::backend::{Arc, CATALOGUE_SIZE, Direction, EntityQuery, Filter, NeighbourQuery, Read};
use crate::embed;
use crate::graph::{self, CausalLimits, Subgraph, WalkLimits, WhyDirection, distinct};
use crate::model::{
    Change, ChangeSet, EdgeKind, Entity, EntityType, Error, Family, Interval, Layer, Memory, Node, Reading,
    Result, Scope, SourceId, Timestamp,
};
use crate::recall::trace::Rows;
use crate::recall::{self, ArcWeights, Hop, PathNode, Query};
use crate::remember::naming::SimilarName;
use crate::remember::{naming, offers};
use crate::rollout::Strategy;
use crate::text::{Intent, normal_name};

/// Most nodes visited by a walk for a person.
const BUDGET: usize = 5000;
/// Most arcs of one kind that such a walk follows per node.
const FAN_OUT: usize = 200;
/// Number of nodes that are searched for those of a layer.
const LOOKED_AT: usize = 1000;

impl Engine {
    /// One memory, in full. Counts as an access.
    pub fn show(&self, name: &str) -> Result<Memory> {
        self.access(name, 1)
    }

    /// One edge by its number, such as `e4`, with all its evidence and keywords.
    pub fn edge(&self, name: &str) -> Result<EdgeView> {
        let number: Vec<u32> = edge_number(name).into_iter().collect();
        match self.read()?.edges(&number)?.pop() {
            Some(edge) => {
                let keywords = keywords(self.read()?, &edge)?;
                Ok(EdgeView { keywords, ..self.edge_view(edge)? })
            }
            None => {
                Err(Error::not_found(format!("find the edge `{}`", name.trim()), "there is no such edge")
                    .hint("griot related NAME lists the edges of a memory or an entity"))
            }
        }
    }

    /// Counts as three accesses, so that `gc` stops listing it.
    pub fn keep(&self, name: &str) -> Result<Memory> {
        self.access(name, 3)
    }

    fn access(&self, name: &str, count: u32) -> Result<Memory> {
        let node = naming::memory(self.read()?, name)?;
        let now = self.now();
        // A read-only store can still be read.
        let touched = self.backend.write(&mut |_| {
            Ok(ChangeSet { at: now, changes: vec![Change::Touch { memory: node, at: now, count }] })
        });
        if count > 1 {
            touched?;
        }
        self.memory_row(node)
    }

    /// The owner of a memory, or of the newer one of an offer; `None` for a shared one, and for an entity or
    /// a source, which are always shared.
    pub fn owner_of(&self, name: &str) -> Result<Option<String>> {
        if SourceId::parse(name.trim()).is_some() {
            return Ok(None);
        }
        let read = self.read()?;
        let node = match offers::named(read, name)? {
            Some(offer) => offer.newer,
            None => naming::node(read, name)?,
        };
        Ok(if node.is_memory() { self.memory_row(node)?.scope.user } else { None })
    }

    fn memory_row(&self, node: Node) -> Result<Memory> {
        self.backend.memories(&[node])?.pop().ok_or_else(|| {
            Error::corrupt(format!("read memory {node:?}"), "its name refers to it, but it has no row")
        })
    }

    /// The causes and consequences of a node, over causal edges with at least `min_confidence` at `now`
    /// (default: the clock). `depth` is 1 to 10.
    pub fn why(
        &self,
        name: &str,
        direction: WhyDirection,
        depth: usize,
        min_confidence: f32,
        now: Option<Timestamp>,
    ) -> Result<Why> {
        let what = format!("trace why `{name}`");
        check(&what, "depth", depth, DEPTHS)?;
        if !(0.0..=1.0).contains(&min_confidence) {
            let why = format!("the minimum confidence {min_confidence} is not between 0 and 1");
            return Err(Error::invalid(what, why));
        }
        let now = now.unwrap_or_else(|| self.now());
        let read = self.read()?;
        let start = naming::node(read, name)?;
        let limits =
            CausalLimits { depth, min_confidence, now, lambda: self.decay(Family::Causal), budget: BUDGET };
        let mut seen = self.everything(now);
        seen.belief.least = min_confidence;
        let chain = graph::causal_chain(read, start, direction, &limits, &seen)?;
        let weights = ArcWeights::new(Intent::Why, &self.settings.graph, now);
        let hops = chain.links.iter().flat_map(|link| &link.path);
        let rows = Rows::read(read, &[start], hops)?;
        let step = |link: &graph::CausalLink| {
            let walked = link.path.iter();
            // Causes are walked from the start backwards and listed from the cause on.
            let hops: Vec<Hop> = if link.side == WhyDirection::Causes {
                walked.rev().map(|hop| rows.hop(&hop.flipped(), &weights)).collect()
            } else {
                walked.map(|hop| rows.hop(hop, &weights)).collect()
            };
            WhyStep {
                node: rows.node(link.node),
                depth: link.depth as usize,
                confidence: link.confidence,
                hops,
                prevents: link.opposed,
            }
        };
        let side = |side: WhyDirection| -> Vec<WhyStep> {
            let mut steps: Vec<WhyStep> = chain.links.iter().filter(|l| l.side == side).map(step).collect();
            steps.sort_by_key(|step| step.depth);
            steps
        };
        Ok(Why {
            start: rows.node(start),
            causes: side(WhyDirection::Causes),
            consequences: side(WhyDirection::Consequences),
            cycles: chain.cycles,
            truncated: chain.cut,
        })
    }

    /// The filter of a verb that starts from a named node: includes superseded memories, because a caller who
    /// names a memory wants its history, and edges that hold at `now` with enough confidence.
    pub(super) fn everything(&self, now: Timestamp) -> Filter {
        let belief = recall::belief(&self.settings.graph);
        Filter { superseded: true, now: Some(now), belief, ..Filter::default() }
    }

    /// Nodes within `depth` hops over the given families and of the given layers (empty: all), strongest path
    /// first. Paths may cross other layers: the connection of two layers is often the question.
    pub fn related(
        &self,
        name: &str,
        depth: usize,
        families: &[Family],
        layers: &[Layer],
        limit: usize,
    ) -> Result<Vec<Related>> {
        check(&format!("find what is related to `{name}`"), "depth", depth, DEPTHS)?;
        let read = self.read()?;
        let most = if layers.is_empty() { limit } else { LOOKED_AT.max(limit) };
        let start = naming::node(read, name)?;
        let wanted = |kind: EdgeKind| families.is_empty() || families.contains(&kind.family());
        let fan_out = graph::fan_out(FAN_OUT, wanted);
        let limits = WalkLimits { width: BUDGET, depth, budget: (most + 1).max(64) * 8 };
        let weights = self.arc_weights(Intent::General);
        let strength = |arc: &Arc| arc.weight.clamp(0.0, 1.0) * weights.confidence(arc);
        let seen = self.everything(self.now());
        let expand = graph::from_store(read, Direction::Both, &fan_out, &seen);
        let reached = graph::traverse(&expand, &[(start, 1.0)], &limits, &strength, None)?;
        let reached = reached.into_iter().filter(|r| r.hops > 0).take(most).collect();
        let mut found = self.spelled_out(reached, &weights)?;
        found.retain(|related| layers.is_empty() || layers.contains(&related.node.layer()));
        found.truncate(limit);
        Ok(found)
    }

    fn spelled_out(&self, reached: Vec<graph::Reached>, weights: &ArcWeights) -> Result<Vec<Related>> {
        let read = self.backend.as_ref();
        let nodes: Vec<Node> = reached.iter().map(|r| r.node).collect();
        let rows = Rows::read(read, &nodes, reached.iter().flat_map(|r| &r.path))?;
        Ok(reached
            .into_iter()
            .map(|r| Related {
                node: rows.node(r.node),
                distance: r.hops as usize,
                score: r.score,
                path: r.path.iter().map(|hop| rows.hop(hop, weights)).collect(),
            })
            .collect())
    }

    /// The fewest hops between two nodes; among equally short paths the strongest. `None` if there is none of
    /// at most `max_hops`.
    pub fn path(&self, from: &str, to: &str, max_hops: usize) -> Result<Option<Vec<Hop>>> {
        let read = self.read()?;
        let ends = (naming::node(read, from)?, naming::node(read, to)?);
        self.path_between(ends, max_hops, |_| true)
    }

    pub(super) fn path_between(
        &self,
        (from, to): (Node, Node),
        max_hops: usize,
        is_followed: impl Fn(&Arc) -> bool,
    ) -> Result<Option<Vec<Hop>>> {
        let read = self.backend.as_ref();
        let weights = self.arc_weights(Intent::General);
        let strength = |arc: &Arc| arc.weight.clamp(0.0, 1.0) * weights.confidence(arc);
        let seen = self.everything(self.now());
        let all = graph::from_store(read, Direction::Both, &[FAN_OUT; CATALOGUE_SIZE], &seen);
        let expand = |frontier: &[Node]| {
            let mut rows = all(frontier)?;
            rows.iter_mut().for_each(|arcs| arcs.retain(&is_followed));
            Ok(rows)
        };
        let found = graph::shortest_path(&expand, from, to, max_hops, 20 * BUDGET, &strength)?;
        let Some(path) = found else { return Ok(None) };
        let rows = Rows::read(read, &[from, to], path.hops.iter())?;
        Ok(Some(path.hops.iter().map(|hop| rows.hop(hop, &weights)).collect()))
    }

    /// Everything known about an entity. `hops` is 1 to 3; `limit` bounds mentions and neighbourhood each.
    pub fn entity(&self, name: &str, hops: usize, limit: usize) -> Result<EntityView> {
        check(&format!("look at `{name}`"), "hops", hops, 1..=3)?;
        let node = naming::entity(self.read()?, name)?;
        let view = self.entity_at(node, hops, limit)?;
        view.ok_or_else(|| {
            Error::corrupt(format!("read entity `{name}`"), "its name refers to it, but it has no row")
        })
    }

    /// The same for a node of an answer, so that no name has to be resolved again. `None` if it does not
    /// exist any more. `hops` is at least 1.
    pub fn entity_at(&self, node: Node, hops: usize, limit: usize) -> Result<Option<EntityView>> {
        let read = self.backend.as_ref();
        let Some(mut entity) = read.entities(&[node])?.pop() else { return Ok(None) };
        // A hub is mentioned by thousands of memories: the index has their times, and only those shown are
        // read.
        let seen = self.everything(self.now());
        let mentions = around(read, node, Direction::In, |kind| kind == EdgeKind::Mentions, &seen)?;
        let mentions = distinct(mentions.into_iter().map(|arc| arc.to).collect());
        let placements = read.placements(&mentions)?.into_iter().flatten();
        let mut latest: Vec<(Timestamp, Node)> =
            placements.map(|memory| (memory.occurred_at, memory.node)).collect();
        latest.sort_by(|a, b| b.cmp(a));
        let mention_count = latest.len() as u32;
        // In a view of a part of the workspace the times may differ from those of the whole.
        if let (Some((last, _)), Some((first, _))) = (latest.first(), latest.last()) {
            (entity.first_seen, entity.last_seen) = (*first, *last);
        }
        latest.truncate(limit);
        let latest: Vec<Node> = latest.into_iter().map(|(_, node)| node).collect();
        let mentions = read.memories(&latest)?;
        describe(&mut entity, &read.readings_about(&latest)?, self.settings.enrich.description_fragments);
        let relations = around(read, node, Direction::Both, |kind| kind != EdgeKind::Mentions, &seen)?;
        // A derived edge has no number.
        let relations = relations.into_iter().map(|arc| arc.edge).filter(|edge| *edge != 0);
        let relations = distinct(relations.collect());
        let relations = self.edge_views(read.edges(&relations)?)?;
        let neighbourhood = self.neighbourhood(node, hops, limit, &seen)?;
        let facts = self.facts_of(node)?;
        Ok(Some(EntityView { entity, relations, mentions, mention_count, facts, neighbourhood }))
    }

    fn neighbourhood(&self, of: Node, hops: usize, limit: usize, seen: &Filter) -> Result<Vec<Related>> {
        let is_crossed = |kind: EdgeKind| kind.family() != Family::Temporal && kind != EdgeKind::Semantic;
        let fan_out = graph::fan_out(FAN_OUT, is_crossed);
        let expand = graph::from_store(self.backend.as_ref(), Direction::Both, &fan_out, seen);
        let (subgraph, _) = Subgraph::gather(&expand, &[of], 2 * hops, BUDGET)?;
        let weights = self.arc_weights(Intent::Entity);
        let strength = |arc: &Arc| arc.weight.clamp(0.0, 1.0) * weights.confidence(arc);
        let mut found = graph::nearby_entities(&subgraph, hops, &strength);
        found.truncate(limit);
        self.spelled_out(found, &weights)
    }

    /// Entities of one type and of these layers (empty: all) with the most edges.
    pub fn hubs(&self, kind: Option<EntityType>, layers: &[Layer], limit: usize) -> Result<Vec<Hub>> {
        let found = self.best_connected(kind, layers, limit)?;
        let nodes: Vec<Node> = found.iter().map(|(node, _)| *node).collect();
        let degrees: BTreeMap<Node, u32> = found.into_iter().collect();
        let entities = self.backend.entities(&nodes)?.into_iter();
        Ok(entities.map(|entity| Hub { degree: degrees[&entity.node], entity }).collect())
    }

    pub(super) fn best_connected(
        &self,
        kind: Option<EntityType>,
        layers: &[Layer],
        limit: usize,
    ) -> Result<Vec<(Node, u32)>> {
        let (read, now) = (self.read()?, Some(self.now()));
        best(kind, layers, limit, |kind| read.hubs(kind, limit, now))
    }

    /// Entities whose name contains `part`, of one type and of these layers (empty: all).
    pub fn entities_named(
        &self,
        part: &str,
        kind: Option<EntityType>,
        layers: &[Layer],
        limit: usize,
    ) -> Result<Vec<Entity>> {
        let nodes: Vec<Node> =
            self.named(part, kind, layers, limit)?.into_iter().map(|(node, _)| node).collect();
        self.backend.entities(&nodes)
    }

    /// Nodes whose name contains `part`, with how many memories mention them, most mentioned first.
    pub(super) fn named(
        &self,
        part: &str,
        kind: Option<EntityType>,
        layers: &[Layer],
        limit: usize,
    ) -> Result<Vec<(Node, u32)>> {
        let (read, part) = (self.read()?, normal_name(part));
        let named = |kind| EntityQuery { part: Some(&part), kind, limit, now: None };
        best(kind, layers, limit, |kind| read.top_entities(&named(kind)))
    }

    /// Entities with a name that is nearly this one, the most similar first.
    pub fn entities_alike(&self, name: &str, limit: usize) -> Result<Vec<SimilarName>> {
        let mut found = naming::alike(self.read()?, name.trim())?;
        found.truncate(limit);
        Ok(found)
    }

    /// Whether `name` means an entity; otherwise it means a memory.
    pub fn is_entity(&self, name: &str) -> Result<bool> {
        Ok(naming::node(self.read()?, name)?.is_entity())
    }

    /// The memories around one, or, without an anchor, the latest memories in an interval and scope, in the
    /// order of time.
    pub fn timeline(
        &self,
        anchor: Option<&str>,
        before: usize,
        after: usize,
        interval: Option<Interval>,
        scope: &Scope,
    ) -> Result<Timeline> {
        let read = self.read()?;
        let now = Some(self.now());
        let filter =
            Filter { scope: scope.clone(), superseded: true, occurred: interval, now, ..Filter::default() };
        let Some(anchor) = anchor else {
            let all = Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX));
            let nodes = read.search_time(interval.unwrap_or(all), &filter, before + after)?;
            return Ok(Timeline { before: Vec::new(), anchor: None, after: read.memories(&nodes)? });
        };
        let node = naming::memory(read, anchor)?;
        let memory = self.memory_row(node)?;
        if !scope.meets(&memory.scope) {
            let what = format!("show the memories around `{}`", anchor.trim());
            return Err(Error::not_found(what, "there is no such memory in this scope"));
        }
        let (earlier, later) = read.around(node, before, after, &filter)?;
        Ok(Timeline { before: read.memories(&earlier)?, anchor: Some(memory), after: read.memories(&later)? })
    }

    /// Number of memories in an interval and scope.
    pub fn timeline_count(&self, interval: Option<Interval>, scope: &Scope) -> Result<usize> {
        let now = Some(self.now());
        let filter =
            Filter { scope: scope.clone(), superseded: true, occurred: interval, now, ..Filter::default() };
        let all = Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX));
        Ok(self.read()?.search_time(interval.unwrap_or(all), &filter, usize::MAX >> 1)?.len())
    }

    /// The memories most similar to one, by cosine.
    pub fn similar(&self, name: &str, limit: usize) -> Result<Vec<Related>> {
        let read = self.read()?;
        let node = naming::memory(read, name)?;
        let scope = self.memory_row(node)?.scope;
        let Some(vector) = read.vector(node)? else {
            return Err(Error::not_found(format!("find memories similar to `{name}`"), "it has no vector")
                .hint("griot reindex --embed"));
        };
        let filter = Filter { scope, superseded: true, now: Some(self.now()), ..Filter::default() };
        let nearest = read.search_vectors(&embed::dequantise(&vector), &filter, limit + 1)?;
        let nearest: Vec<_> = nearest.into_iter().filter(|(n, _)| *n != node).take(limit).collect();
        let nodes: Vec<Node> = nearest.iter().map(|(n, _)| *n).collect();
        let rows = Rows::read(read, &nodes, std::iter::empty())?;
        Ok(nearest
            .into_iter()
            .map(|(n, cosine)| Related {
                node: rows.node(n),
                distance: 1,
                score: cosine.clamp(0.0, 1.0),
                path: Vec::new(),
            })
            .collect())
    }

    /// A beam search from the best matches of a question: each hop continues from `width` nodes, and at most
    /// `budget` nodes are reached.
    pub fn traverse(&self, query: &Query, width: usize, budget: usize, depth: usize) -> Result<Vec<Related>> {
        if width == 0 || budget == 0 || !(1..=10).contains(&depth) {
            let why = "width and budget must be at least 1, depth between 1 and 10";
            return Err(Error::invalid("traverse the graph", why));
        }
        /// Number of matches from which the beam starts.
        const ANCHORS: usize = 5;
        let mut baseline = query.clone();
        baseline.limit = ANCHORS;
        baseline.budget = None;
        let asked = self.asked(&baseline)?;
        let found = self.run_strategy(&baseline, &asked, Strategy::Baseline)?;
        let top = found.results.first().map_or(1.0, |r| r.score.max(1e-6));
        let anchors: Vec<(Node, f32)> =
            found.results.iter().map(|r| (r.memory.node, (r.score / top).clamp(0.0, 1.0))).collect();
        let weights = self.arc_weights(found.understanding.intent);
        // Without a vector the beam follows edges alone.
        let read = self.backend.as_ref();
        let similarity = |nodes: &[Node]| match &asked.vector {
            Some(vector) => read.similarities(vector, nodes),
            None => Ok(vec![None; nodes.len()]),
        };
        let limits = WalkLimits { width, depth, budget };
        let filter = query.filter(recall::belief(&self.settings.graph));
        let weight = |arc: &Arc| weights.of(arc);
        let expand = graph::from_store(read, Direction::Both, &[FAN_OUT; CATALOGUE_SIZE], &filter);
        let reached = graph::traverse(&expand, &anchors, &limits, &weight, Some(&similarity))?;
        self.spelled_out(reached, &weights)
    }
}

/// What was found of one type and of these layers (empty: all), the largest numbers first.
fn best(
    kind: Option<EntityType>,
    layers: &[Layer],
    limit: usize,
    find: impl Fn(Option<EntityType>) -> Result<Vec<(Node, u32)>>,
) -> Result<Vec<(Node, u32)>> {
    if layers.is_empty() {
        return find(kind);
    }
    let is_asked =
        |one: &EntityType| kind.is_none_or(|kind| kind == *one) && layers.contains(&Layer::of_entity(*one));
    let mut found = Vec::new();
    for kind in EntityType::ALL.iter().copied().filter(is_asked) {
        found.extend(find(Some(kind))?);
    }
    found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(limit);
    Ok(found)
}

/// The depths of walks for a person.
const DEPTHS: RangeInclusive<usize> = 1..=10;

fn check(what: &str, name: &str, value: usize, range: RangeInclusive<usize>) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let why = format!("{name} {value} is not between {} and {}", range.start(), range.end());
    Err(Error::invalid(what, why))
}

/// The arcs between an entity and live nodes, of the requested kinds.
fn around(
    read: &dyn Read,
    entity: Node,
    direction: Direction,
    kind: impl Fn(EdgeKind) -> bool,
    filter: &Filter,
) -> Result<Vec<Arc>> {
    let fan_out = graph::fan_out(usize::MAX, kind);
    let ask = NeighbourQuery { direction, fan_out: &fan_out, filter };
    Ok(read.neighbours(&[entity], &ask)?.concat())
}

impl PathNode {
    /// The handle of a memory, or the name of an entity.
    pub fn name(&self) -> &str {
        match self {
            Self::Memory { handle, .. } => handle,
            Self::Entity { name, .. } => name,
        }
    }
}

/// Parses `e4` as a number; `None` if it cannot be the id of an edge.
pub fn edge_number(name: &str) -> Option<u32> {
    let digits = name.trim().strip_prefix('e')?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && *number > 0)
}

/// Adds what a language model said in these memories to the description of an entity, the latest first.
fn describe(entity: &mut Entity, readings: &[Reading], most: usize) {
    let mut said = descriptions(readings, entity);
    said.sort_by_key(|one| std::cmp::Reverse((one.at, one.of)));
    let mut found = std::mem::take(&mut entity.description);
    for one in said {
        if !found.iter().any(|known| known == one.text) {
            found.push(one.text.to_string());
        }
    }
    found.truncate(most);
    entity.description = found;
}
