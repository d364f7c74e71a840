//! The graph as it is drawn: nodes with a position, edges between them, communities.
//!
//! Whatever the number of nodes, a picture costs the same few requests to the store: node numbers and arcs
//! come from the index, and captions, labels and spans of edges in one request each.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use super::Engine;
use super::drawn::{ALL, ByNode, PAGE, UNIT, each_arc, each_arc_of, is_drawn, strength_drawn};
use super::kept::{Between, Link, keep_best, keep_strongest, line, ordered, strongest};
use super::layout::Layout;
use super::pictured::*;
use crate::backend::{CATALOGUE_SIZE, Caption, Direction, EdgeSpan, Filter, NeighbourQuery, Read, Wanted};
use crate::graph::{self, Network};
use crate::model::{
    EdgeKind, Error, ErrorKind, Family, Layer, Node, Provenance, Result, Revision, Source, SourceId,
    Timestamp,
};
use crate::remember::naming;

/// About how many nodes are asked for the edges between communities.
const ASKED: usize = 100_000;
/// Names in the label of a community.
const NAMES: usize = 3;

type Map<K, V> = HashMap<K, V, FixedState>;

/// A node before its caption is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Chosen {
    pub(super) node: Node,
    degree: u32,
}

impl Chosen {
    /// Best connected first; memories before entities, as their numbers are not comparable.
    fn rank(&self) -> (std::cmp::Reverse<u32>, bool, Node) {
        (std::cmp::Reverse(self.degree), self.node.is_entity(), self.node)
    }
}

impl Engine {
    /// Changes whenever a picture may be another one, apart from what expires and fades.
    pub fn picture_version(&self) -> Result<String> {
        let layout = self.layout_to_show()?.map_or(0, |layout| layout.stamp);
        let store = uuid::Uuid::from_bytes(self.whole.home().store_id).simple();
        Ok(format!("{store}-{}-{layout:x}", self.read()?.revision().0))
    }

    pub fn picture(&self, request: &PictureRequest) -> Result<Picture> {
        let now = self.now();
        let read = self.read()?;
        let revision = read.revision();
        let filter = self.everything(now);
        let all = self.every_node(read, &filter)?;
        let layout = self.layout_to_show()?;
        let mut drawing = Drawing { engine: self, read, filter, now, layout, revision };
        match (request.around.is_empty(), request.communities) {
            (false, _) => drawing.around(request, &all),
            (true, true) => drawing.of_communities(request, all),
            (true, false) => drawing.whole(request, all),
        }
    }

    /// All nodes that a view shows, with their numbers of edges.
    pub(super) fn every_node(&self, read: &dyn Read, filter: &Filter) -> Result<Vec<Chosen>> {
        let memories = read.latest(filter, ALL)?;
        let degrees = read.degrees(&memories, filter.now)?;
        let memories = memories.into_iter().zip(degrees);
        let entities = read.hubs(None, ALL, filter.now)?;
        Ok(memories.chain(entities).map(|(node, degree)| Chosen { node, degree }).collect())
    }
}

struct Drawing<'a> {
    engine: &'a Engine,
    read: &'a dyn Read,
    filter: Filter,
    now: Timestamp,
    layout: Option<std::sync::Arc<Layout>>,
    revision: Revision,
}

impl Drawing<'_> {
    fn whole(&mut self, request: &PictureRequest, all: Vec<Chosen>) -> Result<Picture> {
        let total_nodes = all.len();
        let mut chosen = self.of_source(request.source, all.clone())?;
        if let Some(id) = request.community {
            chosen.retain(|one| self.community_of(one.node) == Some(id));
        }
        keep_best(&mut chosen, request.limit, Chosen::rank);
        let nodes: Vec<Node> = chosen.iter().map(|one| one.node).collect();
        let links = self.links(&nodes)?;
        let stored = links.iter().filter(|link| link.arc.edge != 0).count() as u64;
        let total_edges = if nodes.len() == total_nodes { stored } else { self.count_edges(&all)? };
        let places = self.places(&nodes, &links);
        let communities = self.communities(&all)?;
        self.picture(Parts { total_nodes, total_edges, chosen, places, links, communities }, request.edges)
    }

    /// The graph around some nodes, which is laid out by itself: positions of the whole would scatter it.
    fn around(&mut self, request: &PictureRequest, all: &[Chosen]) -> Result<Picture> {
        let degrees: Map<Node, u32> = all.iter().map(|one| (one.node, one.degree)).collect();
        let mut middle: Vec<Node> = Vec::new();
        let mut sources: Vec<SourceId> = Vec::new();
        for name in &request.around {
            match SourceId::parse(name.trim()) {
                Some(id) => sources.push(id),
                None => match naming::node(self.read, name) {
                    // A memory that is forgotten or over still has a name.
                    Ok(node) if node.is_memory() && !degrees.contains_key(&node) => {
                        let what = format!("draw the graph around `{}`", name.trim());
                        return Err(Error::not_found(what, "it is forgotten or has expired"));
                    }
                    Ok(node) => middle.push(node),
                    Err(error) if error.kind == ErrorKind::NotFound => match self.source_named(name)? {
                        Some(id) => sources.push(id),
                        None => return Err(error),
                    },
                    Err(error) => return Err(error),
                },
            }
        }
        let known = self.sources_by_id(&sources)?;
        if let Some(id) = sources.iter().find(|id| !known.contains_key(id)) {
            return Err(Error::not_found(format!("find the source `{id}`"), "there is no such source")
                .hint("griot sources"));
        }
        let allowed: Option<Map<Node, ()>> = match request.source {
            Some(_) => {
                let inside = self.of_source(request.source, all.to_vec())?;
                Some(inside.into_iter().map(|one| (one.node, ())).collect())
            }
            None => None,
        };
        let is_wanted = |node: Node| {
            degrees.contains_key(&node)
                && allowed.as_ref().is_none_or(|allowed| allowed.contains_key(&node))
                && request.community.is_none_or(|id| self.community_of(node) == Some(id))
        };
        let mut reached = Reached::default();
        for node in middle {
            reached.admit(node, degrees.get(&node).copied().unwrap_or(0), 0, request.limit);
        }
        let (mut of_sources, mut hop) = (Vec::new(), 0);
        for (position, id) in sources.iter().enumerate() {
            let filter = Filter { sources: vec![*id], ..self.filter.clone() };
            let mut members: Vec<Chosen> = (self.read.latest(&filter, ALL)?.into_iter())
                .filter(|node| is_wanted(*node))
                .map(|node| Chosen { node, degree: degrees.get(&node).copied().unwrap_or(0) })
                .collect();
            let room = request.limit.saturating_sub(reached.chosen.len() + sources.len());
            keep_best(&mut members, room, Chosen::rank);
            for one in members {
                reached.admit(one.node, one.degree, 1, request.limit.saturating_sub(sources.len()));
                if let Some(at) = reached.at.get(&one.node) {
                    of_sources.push((position as u32, *at));
                }
            }
        }
        let fan_out = [ALL; CATALOGUE_SIZE];
        let ask =
            NeighbourQuery { direction: Direction::Both, fan_out: &fan_out, filter: &self.filter.clone() };
        while hop < request.depth && reached.chosen.len() < request.limit {
            let frontier: Vec<Node> = reached.of_hop(hop).collect();
            hop += 1;
            let mut found: Vec<Chosen> = Vec::new();
            for some in frontier.chunks(PAGE) {
                let arcs = self.read.neighbours(some, &ask)?;
                let new = arcs.iter().flatten().filter(|arc| is_drawn(arc)).map(|arc| arc.to);
                let new = new.filter(|node| !reached.at.contains_key(node) && is_wanted(*node));
                found.extend(new.map(|node| Chosen { node, degree: degrees[&node] }));
            }
            found.sort_unstable_by_key(Chosen::rank);
            found.dedup();
            for one in found {
                reached.admit(one.node, one.degree, hop, request.limit.saturating_sub(sources.len()));
            }
        }
        let nodes: Vec<Node> = reached.chosen.iter().map(|one| one.node).collect();
        let links = self.links(&nodes)?;
        let joined: Vec<(u32, u32, f32)> =
            links.iter().map(|link| (link.from, link.to, strength_drawn(&link.arc))).collect();
        let count = nodes.len() + sources.len();
        let of_sources: Vec<(u32, u32)> =
            of_sources.into_iter().map(|(position, to)| (nodes.len() as u32 + position, to)).collect();
        let joined = joined.into_iter().chain(of_sources.iter().map(|(from, to)| (*from, *to, 1.0)));
        let network = Network::new(count, joined);
        let mut hops = reached.hops.clone();
        hops.extend(sources.iter().map(|_| 0));
        let places = scaled(graph::arrange_around(&network, &hops));
        let total_nodes = all.len();
        let total_edges = self.count_edges(all)?;
        let communities = self.communities(all)?;
        let (own, of_source_nodes) = places.split_at(nodes.len());
        let parts = Parts {
            total_nodes,
            total_edges,
            chosen: reached.chosen,
            places: own.to_vec(),
            links,
            communities,
        };
        let mut picture = self.picture(parts, request.edges)?;
        picture.is_laid_out = true;
        // Where the communities are in the whole says nothing here.
        for one in &mut picture.communities {
            let members = picture.nodes.iter().filter(|node| node.community == Some(one.id));
            let disc = Disc::of(members.map(|node| (node.x, node.y)));
            (one.x, one.y, one.radius) = (disc.x, disc.y, disc.radius);
        }
        self.add_sources(&mut picture, &sources, &known, of_source_nodes, &of_sources, request.edges);
        Ok(picture)
    }

    fn of_communities(&mut self, request: &PictureRequest, all: Vec<Chosen>) -> Result<Picture> {
        let total_nodes = all.len();
        let inside = self.of_source(request.source, all)?;
        let nodes: Vec<Node> = inside.iter().map(|one| one.node).collect();
        let mut drawn = self.communities(&inside)?;
        drawn.retain(|one| request.community.is_none_or(|id| one.id == id));
        drawn.truncate(request.limit);
        let at: Map<u32, u32> = drawn.iter().zip(0..).map(|(one, at)| (one.id, at)).collect();
        let placed = |node: &Node| Some((*node, *at.get(&self.community_of(*node)?)?));
        let place = ByNode::of(nodes.iter().filter_map(placed));
        let mut sums: Map<(u32, u32, u8, u32), (f32, f32)> = Map::default();
        let total_edges = self.count_edges(&inside)?;
        // Of many nodes, one of several says enough about what joins communities.
        let step = (nodes.len() / ASKED).max(1);
        let asked: Vec<Node> = nodes.iter().copied().step_by(step).collect();
        // That one thing came after another joins everything with everything.
        let fan_out = graph::fan_out(ALL, |kind| kind.family() != Family::Temporal);
        each_arc_of(&fan_out, self.read, &asked, &self.filter, &mut |from, arc| {
            let (from, to) = (asked[from], arc.to);
            if let (Some(a), Some(b)) = (place.get(from), place.get(to))
                && a != b
                && !(arc.kind.is_symmetric() && from > to)
            {
                let label = if arc.kind == EdgeKind::Relation { arc.label } else { 0 };
                let (a, b) = if arc.kind.is_symmetric() { (a.min(b), a.max(b)) } else { (a, b) };
                let sum = sums.entry((a, b, arc.kind as u8, label)).or_default();
                sum.0 += graph::strength(arc) * step as f32;
                sum.1 = sum.1.max(arc.confidence);
            }
            Ok(())
        })?;
        let mut kinds = Kinds::default();
        let mut edges: Vec<DrawnEdge> = Vec::new();
        for Between { from, to, kind, label, weight, confidence } in strongest(sums) {
            let Some(kind) = EdgeKind::from_number(kind) else { continue };
            edges.push(DrawnEdge {
                from,
                to,
                kind: kinds.of(kind, label),
                weight,
                confidence,
                has_evidence: false,
                ended: false,
                provenance: Provenance::Rule,
                since: None,
                until: None,
                number: None,
            });
        }
        keep_best(&mut edges, request.edges, |edge| {
            (std::cmp::Reverse(ordered(edge.weight)), edge.from, edge.to, edge.kind)
        });
        edges.sort_by_key(|edge| (edge.from, edge.to, edge.kind));
        let nodes = drawn.iter().map(|one| DrawnNode {
            x: one.x,
            y: one.y,
            kind: DrawnType::Community,
            community: Some(one.id),
            source: None,
            degree: one.size,
            at: None,
            importance: 0,
            label: one.label.clone(),
            handle: one.id.to_string(),
        });
        Ok(Picture {
            revision: self.revision,
            total_nodes,
            total_edges,
            is_laid_out: self.layout.is_some(),
            nodes: nodes.collect(),
            edges,
            kinds: kinds.named(self.read)?,
            sources: Vec::new(),
            communities: drawn,
        })
    }

    /// The memories of a source, and the entities that they mention.
    fn of_source(&self, source: Option<SourceId>, all: Vec<Chosen>) -> Result<Vec<Chosen>> {
        let Some(id) = source else { return Ok(all) };
        if self.sources_by_id(&[id])?.is_empty() {
            return Err(Error::not_found(format!("find the source `{id}`"), "there is no such source")
                .hint("griot sources"));
        }
        let filter = Filter { sources: vec![id], ..self.filter.clone() };
        let memories = self.read.latest(&filter, ALL)?;
        let mut inside: Map<Node, ()> = memories.iter().map(|node| (*node, ())).collect();
        each_arc(self.read, &memories, &self.filter, &mut |_, arc| {
            if arc.kind == EdgeKind::Mentions {
                inside.insert(arc.to, ());
            }
            Ok(())
        })?;
        Ok(all.into_iter().filter(|one| inside.contains_key(&one.node)).collect())
    }

    fn source_named(&self, name: &str) -> Result<Option<SourceId>> {
        let name = name.trim();
        let sources = self.read.sources()?;
        let live = || sources.iter().filter(|source| source.deleted_at.is_none());
        let exact = live().find(|source| source.origin == name);
        let named =
            || live().find(|source| source.given_name() == name || source.title.as_deref() == Some(name));
        Ok(exact.or_else(named).map(|source| source.id))
    }

    fn sources_by_id(&self, ids: &[SourceId]) -> Result<Map<SourceId, Source>> {
        if ids.is_empty() {
            return Ok(Map::default());
        }
        let found = self.read.fetch(&Wanted { sources: ids, ..Wanted::default() })?.sources;
        Ok(found.into_iter().map(|source| (source.id, source)).collect())
    }

    fn community_of(&self, node: Node) -> Option<u32> {
        self.layout.as_ref()?.community(node)
    }

    /// The edges between nodes, each once.
    fn links(&self, nodes: &[Node]) -> Result<Vec<Link>> {
        let at = ByNode::of(nodes.iter().copied().zip(0..));
        let mut links = Vec::new();
        each_arc(self.read, nodes, &self.filter, &mut |from, arc| {
            // A symmetric edge is found from both of its ends.
            if let Some(to) = at.get(arc.to)
                && !(arc.kind.is_symmetric() && nodes[from] > arc.to)
            {
                links.push(Link { from: from as u32, to, arc: *arc });
            }
            Ok(())
        })?;
        Ok(links)
    }

    /// The number of stored edges that the caller sees; of many nodes also those below the least confidence.
    fn count_edges(&self, all: &[Chosen]) -> Result<u64> {
        if self.engine.sees_all() && (self.filter.belief.least <= 0.0 || all.len() > ASKED) {
            return Ok(all.iter().map(|one| u64::from(one.degree)).sum::<u64>() / 2);
        }
        let nodes: Vec<Node> = all.iter().map(|one| one.node).collect();
        let mut count = 0;
        each_arc(self.read, &nodes, &self.filter, &mut |from, arc| {
            count += u64::from(arc.edge != 0 && !(arc.kind.is_symmetric() && nodes[from] > arc.to));
            Ok(())
        })?;
        Ok(count)
    }

    /// A position for each node: that of the layout; near its neighbours for one that came later.
    fn places(&self, nodes: &[Node], links: &[Link]) -> Vec<(f32, f32)> {
        let Some(layout) = &self.layout else {
            return scaled(graph::spiral(nodes.len()));
        };
        let known: Vec<Option<(f32, f32)>> = nodes.iter().map(|node| layout.place(*node)).collect();
        let joined = links.iter().map(|link| (link.from, link.to, strength_drawn(&link.arc)));
        graph::settle(&Network::new(nodes.len(), joined), &known, UNIT)
    }

    /// The communities with at least two nodes that the caller sees, largest first.
    fn communities(&self, seen: &[Chosen]) -> Result<Vec<DrawnCommunity>> {
        let Some(layout) = &self.layout else { return Ok(Vec::new()) };
        #[derive(Default)]
        struct Sum {
            places: Vec<(f32, f32)>,
            best: Vec<Chosen>,
        }
        let mut sums: BTreeMap<u32, Sum> = BTreeMap::new();
        for one in seen {
            let (Some(id), Some((x, y))) = (layout.community(one.node), layout.place(one.node)) else {
                continue;
            };
            let sum = sums.entry(id).or_default();
            sum.places.push((x, y));
            // Names say more than texts do.
            let rank = |one: &Chosen| (one.node.is_memory(), one.rank());
            let at = sum.best.partition_point(|other| rank(other) < rank(one));
            if at < NAMES {
                sum.best.insert(at, *one);
                sum.best.truncate(NAMES);
            }
        }
        sums.retain(|_, sum| sum.places.len() > 1);
        let shown: Vec<Node> = sums.values().flat_map(|sum| &sum.best).map(|one| one.node).collect();
        let captions = self.captions(&shown)?;
        let mut drawn: Vec<DrawnCommunity> = sums
            .into_iter()
            .map(|(id, sum)| {
                let Disc { x, y, radius } = Disc::of(sum.places.iter().copied());
                let (label, size) = (label_of(&sum.best, &captions), sum.places.len() as u32);
                DrawnCommunity { id, label, size, x, y, radius }
            })
            .collect();
        drawn.sort_by_key(|one| (std::cmp::Reverse(one.size), one.id));
        Ok(drawn)
    }

    fn captions(&self, nodes: &[Node]) -> Result<Map<Node, Caption>> {
        let found = self.read.captions(nodes)?;
        Ok(found.into_iter().map(|caption| (caption.node, caption)).collect())
    }

    fn picture(&self, parts: Parts, most_edges: usize) -> Result<Picture> {
        let Parts { total_nodes, total_edges, chosen, places, mut links, mut communities } = parts;
        let wanted: Vec<Node> = chosen.iter().map(|one| one.node).collect();
        let captions = self.captions(&wanted)?;
        let mut ids: Vec<SourceId> = captions.values().filter_map(|caption| caption.source).collect();
        ids.sort_unstable();
        ids.dedup();
        let named = self.sources_by_id(&ids)?;
        let sources: Vec<DrawnSource> = ids.iter().filter_map(|id| named.get(id)).map(drawn_source).collect();
        let of_source: Map<SourceId, u32> = sources.iter().map(|source| source.id).zip(0..).collect();
        // A row may be gone since its number was read.
        let mut at = vec![None; chosen.len()];
        let mut nodes = Vec::with_capacity(chosen.len());
        let drawn_communities: Map<u32, ()> = communities.iter().map(|one| (one.id, ())).collect();
        for (position, (one, (x, y))) in chosen.iter().zip(places).enumerate() {
            let Some(caption) = captions.get(&one.node) else { continue };
            at[position] = Some(nodes.len() as u32);
            nodes.push(DrawnNode {
                x,
                y,
                kind: caption.kind.map_or(DrawnType::Memory, DrawnType::Entity),
                community: self.community_of(one.node).filter(|id| drawn_communities.contains_key(id)),
                source: caption.source.and_then(|id| of_source.get(&id).copied()),
                degree: one.degree,
                at: Some(caption.at),
                importance: caption.importance,
                label: line(&caption.text),
                handle: caption.name.clone(),
            });
        }
        keep_strongest(&mut links, chosen.len(), most_edges);
        let spans: Map<u32, EdgeSpan> = self.spans_of(&links, &captions, &wanted)?;
        let is_replaced = |at: u32| captions.get(&wanted[at as usize]).is_some_and(|one| one.superseded);
        let mut kinds = Kinds::default();
        let mut edges = Vec::with_capacity(links.len());
        for Link { from, to, arc } in links {
            let (Some(start), Some(end)) = (at[from as usize], at[to as usize]) else { continue };
            let span = spans.get(&arc.edge).filter(|_| arc.edge != 0);
            let until = span.and_then(|span| span.expires_at);
            let label = if arc.kind == EdgeKind::Relation { arc.label } else { 0 };
            edges.push(DrawnEdge {
                from: start,
                to: end,
                kind: kinds.of(arc.kind, label),
                weight: if arc.weight.is_finite() { arc.weight } else { 0.0 },
                confidence: graph::faded(&arc, self.now, self.engine.decay(arc.kind.family())),
                has_evidence: span.is_some_and(|span| span.has_evidence),
                ended: arc.kind != EdgeKind::Supersedes && (is_replaced(from) || is_replaced(to)),
                provenance: arc.provenance,
                since: span.map(|span| span.created_at).or(Some(arc.touched_at)),
                until,
                number: (arc.edge != 0).then_some(arc.edge),
            });
        }
        let shown: Map<u32, ()> = nodes.iter().filter_map(|node| node.community).map(|id| (id, ())).collect();
        communities.retain(|one| shown.contains_key(&one.id));
        Ok(Picture {
            revision: self.revision,
            total_nodes,
            total_edges,
            is_laid_out: self.layout.is_some(),
            nodes,
            edges,
            kinds: kinds.named(self.read)?,
            sources,
            communities,
        })
    }

    /// When the stored edges hold. A mention holds from when its memory happened, which needs no row.
    fn spans_of(
        &self,
        links: &[Link],
        captions: &Map<Node, Caption>,
        nodes: &[Node],
    ) -> Result<Map<u32, EdgeSpan>> {
        let mut spans: Map<u32, EdgeSpan> = Map::default();
        let mut rows: Vec<u32> = Vec::new();
        for Link { from, arc, .. } in links.iter().filter(|link| link.arc.edge != 0) {
            match captions.get(&nodes[*from as usize]) {
                Some(memory) if arc.kind == EdgeKind::Mentions => {
                    let (edge, created_at) = (arc.edge, memory.at);
                    spans.insert(edge, EdgeSpan { edge, created_at, expires_at: None, has_evidence: true });
                }
                _ => rows.push(arc.edge),
            }
        }
        rows.sort_unstable();
        spans.extend(self.read.spans(&rows)?.into_iter().map(|span| (span.edge, span)));
        Ok(spans)
    }

    /// Adds the sources that were asked as nodes, with an edge to each of their memories.
    fn add_sources(
        &self,
        picture: &mut Picture,
        sources: &[SourceId],
        known: &Map<SourceId, Source>,
        places: &[(f32, f32)],
        members: &[(u32, u32)],
        most_edges: usize,
    ) {
        if sources.is_empty() {
            return;
        }
        let first = picture.nodes.len() as u32;
        let offset = members.iter().map(|(from, _)| *from).min().unwrap_or(0);
        let kind = picture.kinds.len() as u16;
        picture.kinds.push(DrawnKind {
            kind: EdgeKind::Contains,
            name: "source".to_string(),
            layer: Layer::Knowledge,
        });
        for (id, (x, y)) in sources.iter().zip(places) {
            let Some(source) = known.get(id) else { continue };
            let degree = members.iter().filter(|(from, _)| sources[(from - offset) as usize] == *id).count();
            let position = picture.sources.iter().position(|one| one.id == *id);
            picture.nodes.push(DrawnNode {
                x: *x,
                y: *y,
                kind: DrawnType::Source,
                community: None,
                source: position.map(|position| position as u32),
                degree: degree as u32,
                at: Some(source.created_at),
                importance: 0,
                label: line(&drawn_source(source).name),
                handle: id.to_string(),
            });
        }
        let room = most_edges.saturating_sub(picture.edges.len());
        for (from, to) in members.iter().take(room) {
            picture.edges.push(DrawnEdge {
                from: first + from - offset,
                to: *to,
                kind,
                weight: 1.0,
                confidence: 1.0,
                has_evidence: false,
                ended: false,
                provenance: Provenance::Static,
                since: None,
                until: None,
                number: None,
            });
        }
    }
}

/// The disc that positions fill.
struct Disc {
    x: f32,
    y: f32,
    radius: f32,
}

impl Disc {
    fn of(places: impl Iterator<Item = (f32, f32)> + Clone) -> Self {
        let count = places.clone().count().max(1) as f64;
        let sum = |part: &dyn Fn((f32, f32)) -> f64| places.clone().map(part).sum::<f64>() / count;
        let (x, y) = (sum(&|place| f64::from(place.0)), sum(&|place| f64::from(place.1)));
        // The mean square of the distance is half the square of the radius of an even disc.
        let square = sum(&|place| (f64::from(place.0) - x).powi(2) + (f64::from(place.1) - y).powi(2));
        Self { x: x as f32, y: y as f32, radius: (2.0 * square).sqrt() as f32 }
    }
}

/// What a picture is made of.
struct Parts {
    total_nodes: usize,
    total_edges: u64,
    chosen: Vec<Chosen>,
    /// One for each of `chosen`.
    places: Vec<(f32, f32)>,
    links: Vec<Link>,
    communities: Vec<DrawnCommunity>,
}

/// Nodes around others, nearest first.
#[derive(Default)]
struct Reached {
    chosen: Vec<Chosen>,
    hops: Vec<u32>,
    at: Map<Node, u32>,
}

impl Reached {
    fn admit(&mut self, node: Node, degree: u32, hop: usize, limit: usize) {
        if self.chosen.len() < limit && !self.at.contains_key(&node) {
            self.at.insert(node, self.chosen.len() as u32);
            self.chosen.push(Chosen { node, degree });
            self.hops.push(hop as u32);
        }
    }

    fn of_hop(&self, hop: usize) -> impl Iterator<Item = Node> {
        let nodes = self.chosen.iter().zip(&self.hops);
        nodes.filter(move |(_, at)| **at as usize == hop).map(|(one, _)| one.node)
    }
}

/// The kinds of the edges of a picture, in the order in which they occur.
#[derive(Default)]
struct Kinds {
    at: Map<(u8, u32), u16>,
    all: Vec<(EdgeKind, u32)>,
}

impl Kinds {
    fn of(&mut self, kind: EdgeKind, label: u32) -> u16 {
        if let Some(at) = self.at.get(&(kind as u8, label)) {
            return *at;
        }
        // Beyond what a number of 16 bits holds, relations share the last one.
        let at = self.all.len().min(usize::from(u16::MAX)) as u16;
        if usize::from(at) == self.all.len() {
            self.all.push((kind, label));
        }
        self.at.insert((kind as u8, label), at);
        at
    }

    fn named(self, read: &dyn Read) -> Result<Vec<DrawnKind>> {
        let labels: Vec<u32> = self.all.iter().map(|(_, label)| *label).filter(|label| *label != 0).collect();
        let mut words = read.labels(&labels)?.into_iter();
        let name = |(kind, label): &(EdgeKind, u32)| {
            let word = if *label == 0 { None } else { words.next().filter(|word| !word.is_empty()) };
            DrawnKind {
                kind: *kind,
                name: word.map_or_else(|| kind.name().to_string(), |word| format!("{}:{word}", kind.name())),
                layer: Layer::of_edge(*kind),
            }
        };
        Ok(self.all.iter().map(name).collect())
    }
}

fn scaled(places: Vec<(f32, f32)>) -> Vec<(f32, f32)> {
    places.into_iter().map(|(x, y)| (x * UNIT, y * UNIT)).collect()
}

/// The names of the best connected entities of a community, or the first words of its best connected memory.
fn label_of(best: &[Chosen], captions: &Map<Node, Caption>) -> String {
    let names: Vec<&str> = (best.iter())
        .filter_map(|one| captions.get(&one.node))
        .filter(|caption| caption.kind.is_some())
        .map(|caption| caption.text.as_str())
        .collect();
    if !names.is_empty() {
        return line(&names.join(", "));
    }
    let text = best.iter().find_map(|one| captions.get(&one.node)).map_or("", |caption| &caption.text);
    line(&text.split_whitespace().take(NAMES).collect::<Vec<_>>().join(" "))
}

fn drawn_source(source: &Source) -> DrawnSource {
    let name = source.title.as_deref().filter(|title| !title.trim().is_empty());
    DrawnSource { id: source.id, name: name.unwrap_or_else(|| source.given_name()).to_string() }
}
