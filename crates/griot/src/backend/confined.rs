//! A back end that restricts another, shared one to a single scope.
//!
//! - A memory outside the scope does not exist: no search, name, walk or row returns it, and no walk passes
//!   through it.
//! - Evidence from such a memory is removed; an edge or fact without other evidence is hidden. So are facts
//!   with another scope of their own.
//! - Entities belong to the workspace. They are listed if a visible memory mentions them, or if no memory
//!   does, unless all facts about them are hidden. A caller who knows an entity's name may look it up.
//! - Counts cover visible rows only. Values used as weights (document frequencies, degrees) cover the whole
//!   workspace.
//!
//! Writes plan on the same view, so they cannot link, forget or supersede anything outside the scope.

use std::collections::{HashMap, HashSet};
use std::sync::Arc as Shared;

use super::{
    About, Answers, Batch, CATALOGUE_SIZE, ChangeNote, Commit, Counts, Direction, EntityQuery, Expired,
    Fetched, Filter, Found, Free, Frontier, Head, Listing, NeighbourQuery, NodeName, Read, Rows, Search,
    SourceTally, Store, Table, Traces, Wanted, pages,
};
use crate::model::{
    ChangeSet, Edge, EdgeKind, Entity, Erasure, ErasurePlan, Error, Evidence, Fact, Interval, Memory,
    MemoryId, Node, Provenance, Result, Revision, Scope, SourceId, StoredVector, Timestamp,
};

/// A store restricted to one scope.
pub struct Confined {
    inner: Shared<dyn Store>,
    scope: Scope,
}

impl Confined {
    pub fn new(inner: Shared<dyn Store>, scope: Scope) -> Self {
        Self { inner, scope }
    }

    fn view<T>(&self, act: impl FnOnce(&ReadGuard<'_>) -> T) -> Result<T> {
        Ok(act(&ReadGuard { inner: self.inner.as_ref(), scope: &self.scope }))
    }

    fn revision_of_view(&self) -> Revision {
        self.inner.revision()
    }
}

answer_by_view!(Confined);

impl Store for Confined {
    fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Commit> {
        self.inner.write(&mut |read| plan(&ReadGuard { inner: read, scope: &self.scope }))
    }

    fn at_once(&self, act: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()> {
        self.inner.at_once(&mut |read| act(&ReadGuard { inner: read, scope: &self.scope }))
    }

    forward! { self, self.inner =>
        refresh() -> Result<Head>;
        rebuild() -> Result<()>;
        integrity() -> Result<Vec<String>>;
        scrub(texts: Option<&[String]>) -> Result<u64>;
        finish_erasure(erasure: &Erasure) -> Result<()>;
    }

    fn changes_after(&self, since: Revision, limit: usize) -> Result<Vec<ChangeNote>> {
        let mut notes = self.inner.changes_after(since, limit)?;
        self.view(|view| {
            for note in &mut notes {
                let seen = view.visible_nodes(&note.nodes)?;
                let entities = note.nodes.iter().copied().filter(|node| node.is_entity()).collect();
                let listed: HashSet<Node> = view.keep_listed(entities, |node| *node)?.into_iter().collect();
                note.nodes.retain(|node| seen.contains(node) || listed.contains(node));
                note.edges = view.edges(&note.edges)?.into_iter().map(|edge| edge.number).collect();
            }
            Ok(notes)
        })?
    }

    // Erasure rewrites files that all users share, so a caller confined to one scope may not request it.

    fn erase(&self, _: &mut dyn FnMut(&dyn Read) -> Result<Option<ErasurePlan>>) -> Result<Option<Erasure>> {
        Err(Error::invalid("erase", "it concerns the whole workspace, and this is the view of one scope"))
    }
}

/// A view of the store at one revision, within a scope.
struct ReadGuard<'a> {
    inner: &'a dyn Read,
    scope: &'a Scope,
}

/// All time.
const ALWAYS: Interval = Interval { start: Timestamp(i64::MIN), end: Timestamp(i64::MAX) };
const ALL: usize = usize::MAX >> 1;
/// Nodes per request.
const PAGE: usize = 1000;

impl ReadGuard<'_> {
    /// The filter limited to the scope. A search for another user finds memories without a user at most.
    fn narrowed(&self, filter: &Filter) -> Filter {
        let mut filter = filter.clone();
        filter.scope.user = self.scope.user.clone().or(filter.scope.user);
        filter.scope.project = self.scope.project.clone().or(filter.scope.project);
        filter
    }

    fn within(&self) -> Filter {
        Filter { scope: self.scope.clone(), superseded: true, ..Filter::default() }
    }

    fn sees(&self, memory: &Memory) -> bool {
        self.scope.meets(&memory.scope)
    }

    /// The ids whose memories are in the scope.
    fn visible(&self, ids: impl Iterator<Item = MemoryId>) -> Result<HashSet<MemoryId>> {
        let ids: HashSet<MemoryId> = ids.collect();
        if ids.is_empty() {
            return Ok(ids);
        }
        let names: Vec<NodeName<'_>> = ids.iter().map(|id| NodeName::Id(*id)).collect();
        let found = self.inner.find(&names)?;
        let nodes: Vec<Node> = found.iter().flatten().map(|one| one.node).collect();
        let seen = self.visible_nodes(&nodes)?;
        let is_seen = |found: &[Found]| found.iter().any(|one| seen.contains(&one.node));
        let ids = ids.iter().zip(&found).filter(|(_, found)| is_seen(found));
        Ok(ids.map(|(id, _)| *id).collect())
    }

    /// Removes hidden evidence; returns false if that was all the evidence.
    fn keep_visible(evidence: &mut Vec<Evidence>, visible: &HashSet<MemoryId>) -> bool {
        let had = !evidence.is_empty();
        evidence.retain(|one| one.memory.is_none_or(|id| visible.contains(&id)));
        !had || !evidence.is_empty()
    }

    fn shown_edges(&self, edges: Vec<Edge>) -> Result<Vec<Edge>> {
        if edges.is_empty() {
            return Ok(edges);
        }
        let ends: Vec<Node> = edges.iter().flat_map(|edge| [edge.source, edge.target]).collect();
        let ends = self.visible_nodes(&ends)?;
        let evidence = edges.iter().flat_map(|edge| &edge.evidence).filter_map(|evidence| evidence.memory);
        let visible = self.visible(evidence)?;
        let there = |node: Node| node.is_entity() || ends.contains(&node);
        Ok(edges
            .into_iter()
            .filter(|edge| there(edge.source) && there(edge.target))
            .filter_map(|mut edge| Self::keep_visible(&mut edge.evidence, &visible).then_some(edge))
            .collect())
    }

    /// For each entity whether it is listed: a visible memory mentions it, or no memory does.
    fn listed(&self, entities: &[Node]) -> Result<Vec<bool>> {
        let mut fan_out = [0; CATALOGUE_SIZE];
        fan_out[EdgeKind::Mentions as usize] = 1;
        let any = Filter { superseded: true, ..Filter::default() };
        let arcs = &[Frontier { nodes: entities, direction: Direction::In, fan_out: &fan_out }];
        let within = self.within();
        let asked = [&within, &any].map(|filter| Batch { arcs, ..Batch::within(filter) });
        let found = self.inner.search(&asked)?;
        let [seen, there] = found.as_slice() else { return Ok(vec![false; entities.len()]) };
        let (seen, there) = (seen.arcs.concat(), there.arcs.concat());
        let unmentioned = entities.iter().zip(&there).filter(|(_, there)| there.is_empty());
        let elsewhere = self.spoken_of_elsewhere(unmentioned.map(|(entity, _)| *entity).collect())?;
        let listed = entities.iter().zip(seen.iter().zip(&there)).map(|(entity, (seen, there))| {
            !seen.is_empty() || (there.is_empty() && !elsewhere.contains(entity))
        });
        Ok(listed.collect())
    }

    /// The entities to which facts refer, all of them hidden.
    fn spoken_of_elsewhere(&self, entities: Vec<Node>) -> Result<HashSet<Node>> {
        if entities.is_empty() {
            return Ok(HashSet::new());
        }
        let all = self.inner.about(&About::Facts(&entities))?.facts;
        let shown: HashSet<u32> =
            self.shown_facts(all.clone())?.into_iter().map(|fact| fact.number).collect();
        let ends = |fact: &Fact| [Some(fact.subject), fact.object.entity()].into_iter().flatten();
        let seen: HashSet<Node> =
            all.iter().filter(|fact| shown.contains(&fact.number)).flat_map(ends).collect();
        let mut hidden: HashSet<Node> = all.iter().flat_map(ends).collect();
        hidden.retain(|node| !seen.contains(node));
        Ok(hidden)
    }

    fn keep_listed<T>(&self, found: Vec<T>, node: impl Fn(&T) -> Node) -> Result<Vec<T>> {
        if found.is_empty() {
            return Ok(found);
        }
        let listed = self.listed(&found.iter().map(node).collect::<Vec<_>>())?;
        Ok(found.into_iter().zip(listed).filter(|(_, listed)| *listed).map(|(one, _)| one).collect())
    }

    /// Up to `limit` memories of each source that are in the scope.
    fn of_sources(&self, sources: &[SourceId], limit: usize) -> Result<Vec<Vec<Node>>> {
        let filters: Vec<Filter> =
            sources.iter().map(|source| Filter { sources: vec![*source], ..self.within() }).collect();
        let lists = &[Listing::Within(ALWAYS, limit)];
        let batches: Vec<Batch<'_>> =
            filters.iter().map(|filter| Batch { lists, ..Batch::within(filter) }).collect();
        Ok(self.inner.search(&batches)?.into_iter().map(|answers| answers.lists.concat()).collect())
    }

    fn shown_tallies(&self, mut tallies: Vec<SourceTally>) -> Result<Vec<SourceTally>> {
        let mut fan_out = [0; CATALOGUE_SIZE];
        fan_out[EdgeKind::Mentions as usize] = ALL;
        let filter = self.within();
        let sources: Vec<SourceId> = tallies.iter().map(|tally| tally.source).collect();
        for (tally, memories) in tallies.iter_mut().zip(self.of_sources(&sources, ALL)?) {
            let ask = NeighbourQuery { direction: Direction::Out, fan_out: &fan_out, filter: &filter };
            let entities: HashSet<Node> =
                self.inner.neighbours(&memories, &ask)?.into_iter().flatten().map(|arc| arc.to).collect();
            tally.memories = memories.len() as u32;
            tally.entities = entities.len() as u32;
            tally.edges = self.inner.degrees(&memories, None)?.iter().sum();
        }
        tallies.retain(|tally| tally.memories > 0);
        Ok(tallies)
    }

    fn shown_facts(&self, mut facts: Vec<Fact>) -> Result<Vec<Fact>> {
        facts.retain(|fact| self.scope.meets(&fact.scope));
        let evidence = facts.iter().flat_map(|fact| &fact.evidence).filter_map(|evidence| evidence.memory);
        let visible = self.visible(evidence)?;
        facts.retain_mut(|fact| Self::keep_visible(&mut fact.evidence, &visible));
        Ok(facts)
    }

    /// Filters all rows. Naming every field makes a new kind of row fail to compile until it is handled here.
    fn shown(&self, mut found: Fetched) -> Result<Fetched> {
        let Fetched {
            memories,
            edges,
            facts,
            sources,
            tallies,
            // Rows of the workspace, or about nodes that the caller has already seen.
            entities: _,
            vectors: _,
            staged: _,
            labels: _,
            live: _,
            live_edges: _,
            nodes: _,
            votes: _,
            merges: _,
            suggestions: _,
            offers,
            captions,
            spans,
            readings,
            warnings: _,
            erasures: _,
        } = &mut found;
        memories.retain(|memory| self.sees(memory));
        captions.retain(|caption| self.scope.meets(&caption.scope));
        if !spans.is_empty() {
            let numbers: Vec<u32> = spans.iter().map(|span| span.edge).collect();
            let shown: HashSet<u32> = self.edges(&numbers)?.into_iter().map(|edge| edge.number).collect();
            spans.retain(|span| shown.contains(&span.edge));
        }
        if !sources.is_empty() {
            let ids: Vec<SourceId> = sources.iter().map(|source| source.id).collect();
            let mut seen = self.of_sources(&ids, 1)?.into_iter();
            sources.retain(|_| seen.next().is_some_and(|memories| !memories.is_empty()));
        }
        let ends = self.visible_nodes(&offers.iter().flat_map(|o| [o.newer, o.other]).collect::<Vec<_>>())?;
        offers.retain(|offer| ends.contains(&offer.newer) && ends.contains(&offer.other));
        let of = self.visible_nodes(&readings.iter().flat_map(|r| [r.memory, r.by]).collect::<Vec<_>>())?;
        readings.retain(|reading| of.contains(&reading.memory) && of.contains(&reading.by));
        *edges = self.shown_edges(std::mem::take(edges))?;
        *facts = self.shown_facts(std::mem::take(facts))?;
        *tallies = self.shown_tallies(std::mem::take(tallies))?;
        Ok(found)
    }

    /// The memories among these nodes that are in the scope.
    fn visible_nodes(&self, nodes: &[Node]) -> Result<HashSet<Node>> {
        let memories: Vec<Node> = nodes.iter().copied().filter(|node| node.is_memory()).collect();
        if memories.is_empty() {
            return Ok(HashSet::new());
        }
        Ok(self.captions(&memories)?.into_iter().map(|memory| memory.node).collect())
    }

    /// Stored edges that start or end at these nodes, without duplicates. Reads rows only for edges that may
    /// depend on hidden evidence.
    fn edges_within(
        &self,
        mut nodes: Vec<Node>,
        entities: &[Entity],
    ) -> Result<HashMap<u32, (EdgeKind, Provenance)>> {
        nodes.extend(entities.iter().map(|entity| entity.node));
        let within = self.within();
        let ask =
            NeighbourQuery { direction: Direction::Both, fan_out: &[ALL; CATALOGUE_SIZE], filter: &within };
        let mut edges = HashMap::new();
        for some in nodes.chunks(PAGE) {
            for arc in self.neighbours(some, &ask)?.into_iter().flatten().filter(|arc| arc.edge != 0) {
                edges.insert(arc.edge, (arc.kind, arc.provenance));
            }
        }
        Ok(edges)
    }

    fn live_entities(&self) -> Result<Vec<Entity>> {
        let mut entities = Vec::new();
        for page in pages::<Entity>(self) {
            let page = page?;
            let nodes: Vec<Node> = page.iter().map(|entity| entity.node).collect();
            let live = self.live(&nodes)?;
            entities.extend(page.into_iter().zip(live).filter_map(|(entity, live)| live.then_some(entity)));
        }
        Ok(entities)
    }
}

impl Rows for ReadGuard<'_> {
    forward! { self, self.inner =>
        head() -> Result<Head>;
        free(wanted: &[Free<'_>]) -> Result<Vec<u32>>;
        traces_of(memories: &[Node]) -> Result<Traces>;
    }

    fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        for kind in self.inner.counts()?.memories_by_kind.into_keys() {
            let filter = Filter { kinds: vec![kind.clone()], ..self.within() };
            let number = self.inner.search_time(ALWAYS, &filter, ALL)?.len() as u64;
            if number > 0 {
                counts.memories_by_kind.insert(kind, number);
            }
        }
        counts.memories = counts.memories_by_kind.values().sum();
        let memories = self.inner.search_time(ALWAYS, &self.within(), ALL)?;
        let current = Filter { superseded: false, ..self.within() };
        let current = self.inner.search_time(ALWAYS, &current, ALL)?.len();
        counts.superseded_memories = memories.len().saturating_sub(current) as u64;
        if let Some((_, dimensions)) = self.inner.vector_model()? {
            let near = self.inner.similarities(&vec![0.0; dimensions], &memories)?;
            counts.vectors = near.iter().flatten().count() as u64;
        }
        let first: Vec<Node> = memories.first().copied().into_iter().collect();
        let entities = self.live_entities()?;
        for entity in &entities {
            *counts.entities_by_type.entry(entity.kind.name().to_string()).or_default() += 1;
        }
        counts.entities = entities.len() as u64;
        let edges = self.edges_within(memories, &entities)?;
        counts.edges = edges.len() as u64;
        for (kind, provenance) in edges.into_values() {
            *counts.edges_by_kind.entry(kind.name().to_string()).or_default() += 1;
            *counts.edges_by_provenance.entry(provenance.name().to_string()).or_default() += 1;
        }
        counts.facts = self.facts(None)?.len() as u64;
        counts.sources = self.sources()?.len() as u64;
        let first = self.inner.placements(&first)?.into_iter().flatten().next();
        counts.earliest = first.map(|placement| placement.occurred_at);
        Ok(counts)
    }

    fn expired(&self, now: Timestamp) -> Result<Expired> {
        let all = self.inner.expired(now)?;
        let mut expired = Expired::default();
        for kind in all.memories.into_keys() {
            let all = Filter { kinds: vec![kind.clone()], ..self.within() };
            let live = Filter { now: Some(now), ..all.clone() };
            let number = |filter: &Filter| Ok(self.inner.search_time(ALWAYS, filter, ALL)?.len() as u64);
            let gone = number(&all)? - number(&live)?;
            if gone > 0 {
                expired.memories.insert(kind, gone);
            }
        }
        // Expired edges are rare; without any, skip the walk.
        if all.edges.is_empty() {
            return Ok(expired);
        }
        let memories = self.inner.search_time(ALWAYS, &self.within(), ALL)?;
        let edges = self.edges_within(memories, &self.live_entities()?)?;
        let mut numbers: Vec<u32> = edges.into_keys().collect();
        numbers.sort_unstable();
        for some in numbers.chunks(PAGE) {
            for edge in self.inner.edges(some)?.into_iter().filter(|edge| edge.has_expired(now)) {
                *expired.edges.entry((edge.kind, edge.provenance)).or_default() += 1;
            }
        }
        Ok(expired)
    }

    fn fetch(&self, wanted: &Wanted<'_>) -> Result<Fetched> {
        let mut found = self.shown(self.inner.fetch(&Wanted { origins: &[], ..*wanted })?)?;
        // A caller who knows the origin of a source may write to it.
        if !wanted.origins.is_empty() {
            let named = Wanted { origins: wanted.origins, ..Wanted::default() };
            found.sources.extend(self.inner.fetch(&named)?.sources);
        }
        Ok(found)
    }

    /// Skips pages without visible rows, so that a caller does not take an empty page for the end.
    fn scan(&self, table: Table, mut after: u32, limit: usize) -> Result<Fetched> {
        loop {
            let page = self.inner.scan(table, after, limit)?;
            let last = match table {
                Table::Memories => page.memories.last().map(|memory| memory.node.number()),
                Table::Entities => page.entities.last().map(|entity| entity.node.number()),
                Table::Edges => page.edges.last().map(|edge| edge.number),
                Table::Offers | Table::LatestOffers => page.offers.last().map(|offer| offer.number),
                Table::Readings => page.readings.last().map(|reading| reading.memory.number()),
                Table::Unread(_) => page.nodes.last().map(|memory| memory.number()),
                _ => None,
            };
            let mut page = self.shown(page)?;
            page.entities = self.keep_listed(page.entities, |entity| entity.node)?;
            let seen = self.visible_nodes(&page.nodes)?;
            page.nodes.retain(|node| seen.contains(node));
            let Some(last) = last else { return Ok(page) };
            let Fetched { memories, entities, edges, offers, readings, nodes, .. } = &page;
            let is_empty = memories.is_empty() && entities.is_empty() && edges.is_empty();
            if !(is_empty && offers.is_empty() && readings.is_empty() && nodes.is_empty()) {
                return Ok(page);
            }
            after = last;
        }
    }

    fn about(&self, what: &About<'_>) -> Result<Fetched> {
        let mut found = self.shown(self.inner.about(what)?)?;
        // Only a merge asks for the memories an entity speaks, and merges apply to the whole workspace.
        if !matches!(what, About::Spoken(_)) {
            let visible = self.visible_nodes(&found.nodes)?;
            found.nodes.retain(|node| visible.contains(node));
        }
        Ok(found)
    }

    fn find(&self, names: &[NodeName<'_>]) -> Result<Vec<Vec<Found>>> {
        let mut found = self.inner.find(names)?;
        let visible = self.visible_nodes(&found.iter().flatten().map(|one| one.node).collect::<Vec<_>>())?;
        for those in &mut found {
            those.retain(|one| one.node.is_entity() || visible.contains(&one.node));
        }
        Ok(found)
    }
}

impl Search for ReadGuard<'_> {
    fn revision(&self) -> Revision {
        self.inner.revision()
    }

    /// Filters all searches.
    fn search(&self, batches: &[Batch<'_>]) -> Result<Vec<Answers>> {
        let filters: Vec<Filter> = batches.iter().map(|batch| self.narrowed(batch.filter)).collect();
        let narrowed: Vec<Batch<'_>> =
            batches.iter().zip(&filters).map(|(batch, filter)| Batch { filter, ..*batch }).collect();
        let mut answers = self.inner.search(&narrowed)?;
        // An edge between entities may depend on a hidden memory alone; a mention depends on its own memory.
        let may_hide = |arc: &super::Arc| arc.edge != 0 && arc.kind != EdgeKind::Mentions;
        let arcs = answers.iter().flat_map(|answers| answers.arcs.iter().flatten().flatten());
        let mut stored: Vec<u32> = arcs.filter(|arc| may_hide(arc)).map(|arc| arc.edge).collect();
        if stored.is_empty() {
            return Ok(answers);
        }
        stored.sort_unstable();
        stored.dedup();
        let shown: HashSet<u32> = self.edges(&stored)?.into_iter().map(|edge| edge.number).collect();
        for arcs in answers.iter_mut().flat_map(|answers| answers.arcs.iter_mut().flatten()) {
            arcs.retain(|arc| !may_hide(arc) || shown.contains(&arc.edge));
        }
        Ok(answers)
    }

    fn search_alike(
        &self,
        asked: &[(&StoredVector, &Scope)],
        least: f32,
        limit: usize,
    ) -> Result<Vec<Vec<(Node, f32)>>> {
        let own = |asked: &Option<String>, seen: &Option<String>| {
            asked.clone().filter(|asked| seen.as_ref().is_none_or(|seen| seen == asked))
        };
        let scopes: Vec<Scope> = asked
            .iter()
            .map(|(_, scope)| Scope {
                user: own(&scope.user, &self.scope.user),
                project: own(&scope.project, &self.scope.project),
            })
            .collect();
        let asked: Vec<(&StoredVector, &Scope)> =
            asked.iter().zip(&scopes).map(|((vector, _), scope)| (*vector, scope)).collect();
        self.inner.search_alike(&asked, least, limit)
    }

    /// Requests growing pages until enough entities are listed or the store has no more.
    fn top_entities(&self, query: &EntityQuery<'_>) -> Result<Vec<(Node, u32)>> {
        let mut limit = query.limit.saturating_mul(2).max(16);
        loop {
            let found = self.inner.top_entities(&EntityQuery { limit, ..*query })?;
            let is_all = found.len() < limit;
            let mut listed = self.keep_listed(found, |(node, _)| *node)?;
            if is_all || listed.len() >= query.limit {
                listed.truncate(query.limit);
                return Ok(listed);
            }
            limit = limit.saturating_mul(4);
        }
    }
}
