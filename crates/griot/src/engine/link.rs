//! Verbs about edges: `link`, `unlink`, `facts`.

use super::{EdgeView, Engine, FactDraft, FactView, LinkRequest, Linked};
use crate::backend::Read;
use crate::model::{Change, ChangeSet, Edge, EdgeKind, Error, Fact, Family, Node, Result, Timestamp};
use crate::recall::trace::Rows;
use crate::recall::{ArcWeights, PathNode};
use crate::remember::{edges, facts, naming};
use crate::text;

/// Decides on a fact and on the changes that store it, under the writer's lock.
type FactPlan<'a> = &'a mut dyn FnMut(&dyn Read, Timestamp) -> Result<(Fact, Vec<Change>)>;

impl Engine {
    /// Connects two nodes. An edge that is stated again gains evidence; a rule never overwrites a person's
    /// statement.
    pub fn link(&self, request: &LinkRequest) -> Result<Linked> {
        let now = self.now();
        let label = request.check(now)?;
        let mut stored: Option<(Edge, bool)> = None;
        let touched = self.write(&mut |read| {
            let ends = (naming::node(read, &request.source)?, naming::node(read, &request.target)?);
            let (edge, is_new, changes) = edges::link(read, request, &label, ends, now)?;
            stored = Some((edge, is_new));
            Ok(ChangeSet { at: now, changes })
        })?;
        let (edge, created) = stored.ok_or_else(|| bug("link"))?;
        let edge = self
            .backend
            .edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?
            .ok_or_else(|| bug("find the edge that was just stored"))?;
        let warnings = self.look_around(&touched);
        Ok(Linked { edge: self.edge_view(edge)?, created, warnings })
    }

    /// The stored edges that [`Engine::unlink`] would remove.
    pub fn linked(
        &self,
        source: &str,
        target: &str,
        kind: Option<EdgeKind>,
        label: Option<&str>,
    ) -> Result<Vec<EdgeView>> {
        let read = self.read()?;
        let ends = (naming::node(read, source)?, naming::node(read, target)?);
        self.edge_views(edges::between(read, ends, kind, label)?)
    }

    /// Whether an edge belongs to a user.
    pub fn is_edge_of(&self, edge: &Edge, user: &str) -> Result<bool> {
        edges::belongs_to(self.backend.as_ref(), edge, user)
    }

    /// Removes stored edges between two nodes, of one kind and label or all. Returns the removed
    /// edges.
    pub fn unlink(
        &self,
        source: &str,
        target: &str,
        kind: Option<EdgeKind>,
        label: Option<&str>,
    ) -> Result<Vec<EdgeView>> {
        let views = self.linked(source, target, kind, label)?;
        if views.is_empty() {
            let what = format!("unlink `{}` and `{}`", source.trim(), target.trim());
            return Err(Error::not_found(what, "no such edge runs from the first to the second")
                .hint(format!("griot related \"{}\"", source.trim())));
        }
        let now = self.now();
        let touched = self.write(&mut |read| {
            let changes = edges::unlink(read, views.iter().map(|view| &view.edge))?;
            Ok(ChangeSet { at: now, changes })
        })?;
        self.look_around(&touched);
        Ok(views)
    }

    pub(super) fn edge_view(&self, edge: Edge) -> Result<EdgeView> {
        self.edge_views(vec![edge])?.pop().ok_or_else(|| bug("show an edge"))
    }

    pub fn edge_views(&self, edges: Vec<Edge>) -> Result<Vec<EdgeView>> {
        let rows = self.rows(edges.iter().flat_map(|edge| [edge.source, edge.target]))?;
        let now = self.now();
        let view = |edge: Edge| {
            Ok(EdgeView {
                source: described(&rows, edge.source)?,
                target: described(&rows, edge.target)?,
                confidence: edge.confidence_at(now, self.decay(edge.kind.family())),
                keywords: Vec::new(),
                edge,
            })
        };
        edges.into_iter().map(view).collect()
    }

    fn rows(&self, nodes: impl Iterator<Item = Node>) -> Result<Rows> {
        Rows::read(self.backend.as_ref(), &nodes.collect::<Vec<_>>(), std::iter::empty())
    }

    pub(super) fn decay(&self, family: Family) -> f64 {
        let graph = &self.settings.graph;
        match family {
            Family::Temporal => graph.decay_temporal,
            Family::Entity => graph.decay_entity,
            Family::Causal => graph.decay_causal,
            Family::Semantic => graph.decay_semantic,
        }
    }

    pub(super) fn arc_weights(&self, intent: text::Intent) -> ArcWeights {
        ArcWeights::new(intent, &self.settings.graph, self.now())
    }

    /// Stores a fact. An unknown subject or object becomes an entity; a functional predicate closes the fact
    /// that held before.
    pub fn add_fact(&self, draft: &FactDraft) -> Result<FactView> {
        draft.check()?;
        self.put_fact(&mut |read, now| facts::add(read, draft, now))
    }

    /// Sets the end of a fact (`f12`) as a person's decision, or opens it again.
    pub fn end_fact(&self, name: &str, valid_to: Option<Timestamp>) -> Result<FactView> {
        let number = fact_number(name).ok_or_else(|| {
            Error::invalid(format!("set the end of the fact `{name}`"), "the id of a fact is like f12")
                .hint("griot facts")
        })?;
        self.put_fact(&mut |read, now| facts::ended(read, number, valid_to, now))
    }

    fn put_fact(&self, plan: FactPlan<'_>) -> Result<FactView> {
        let now = self.now();
        let mut stored: Option<Fact> = None;
        self.backend.write(&mut |read| {
            let (fact, changes) = plan(read, now)?;
            stored = Some(fact);
            Ok(ChangeSet { at: now, changes })
        })?;
        let Fact { number, subject, .. } = stored.ok_or_else(|| bug("store a fact"))?;
        let mut views = self.facts_of(subject)?.into_iter();
        views.find(|view| view.fact.number == number).ok_or_else(|| bug("find the fact that was just stored"))
    }

    /// Facts about an entity (by name or id), or one fact (`f12`), or all. With `as_of` those that were true
    /// then; with `known_at` according to the store at that time, else of today.
    pub fn facts(
        &self,
        entity: Option<&str>,
        as_of: Option<Timestamp>,
        known_at: Option<Timestamp>,
    ) -> Result<Vec<FactView>> {
        let read = self.read()?;
        let numbered = entity.and_then(fact_number);
        let all: Vec<Fact> = match (entity, numbered) {
            (Some(_), Some(number)) => read.facts(None)?.into_iter().filter(|f| f.number == number).collect(),
            (Some(name), None) => read.facts(Some(naming::node(read, name)?))?,
            (None, _) => read.facts(None)?,
        };
        self.fact_views(all, as_of, known_at)
    }

    pub(super) fn facts_of(&self, node: Node) -> Result<Vec<FactView>> {
        self.fact_views(self.backend.facts(Some(node))?, None, None)
    }

    fn fact_views(
        &self,
        all: Vec<Fact>,
        as_of: Option<Timestamp>,
        known_at: Option<Timestamp>,
    ) -> Result<Vec<FactView>> {
        let facts = facts::supported(self.backend.as_ref(), all)?;
        let ends = facts.iter().flat_map(|fact| [Some(fact.subject), fact.object.entity()]);
        let rows = self.rows(ends.flatten())?;
        let now = self.now();
        let (valid, known) = (as_of.unwrap_or(now), known_at.unwrap_or(now));
        let is_past = as_of.is_some() || known_at.is_some();
        let shown = facts.iter().filter(|fact| !is_past || fact.holds(valid, known));
        let view = |fact: &Fact| {
            let opposed = facts.iter().filter(|other| facts::contradict(fact, other));
            Ok(FactView {
                fact: fact.clone(),
                subject: described(&rows, fact.subject)?,
                object: fact.object.entity().map(|node| described(&rows, node)).transpose()?,
                current: fact.holds(valid, known),
                contradicts: opposed.map(|other| other.number).collect(),
            })
        };
        shown.map(view).collect()
    }
}

fn described(rows: &Rows, node: Node) -> Result<PathNode> {
    let memory = rows.memory(node).map(PathNode::of_memory);
    memory.or_else(|| rows.entity(node).map(PathNode::of_entity)).ok_or_else(|| {
        Error::corrupt(format!("read node {node:?}"), "an edge refers to it, but it has no row")
    })
}

fn fact_number(name: &str) -> Option<u32> {
    name.trim().strip_prefix('f')?.parse().ok()
}

fn bug(what: &str) -> Error {
    Error::new(crate::model::ErrorKind::Bug, what, "the store does not contain what it acknowledged")
}
