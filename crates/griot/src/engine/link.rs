//! Verbs about edges: `link`, `unlink`, `facts`.

use super::{EdgeView, Engine, FactDraft, FactView, LinkRequest, Linked, naming};
use crate::model::{ChangeSet, Edge, EdgeKind, Error, Fact, FactObject, Family, Node, Result, Timestamp};
use crate::recall::ArcWeights;
use crate::remember::{edges, facts};
use crate::text;

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
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let (a, b) = (naming::node(read, source)?, naming::node(read, target)?);
        let mut views = Vec::new();
        for edge in self.edges_between(a, b)? {
            let fits = kind.is_none_or(|k| k == edge.kind)
                && label.is_none_or(|l| l == edge.label)
                && (edge.kind.is_symmetric() || edge.source == a);
            if fits {
                views.push(self.edge_view(edge)?);
            }
        }
        Ok(views)
    }

    /// Whether an edge belongs to a user: it connects one of their memories, or all its evidence is theirs. A
    /// replacement belongs to the owner of the replaced memory.
    pub fn is_edge_of(&self, edge: &Edge, user: &str) -> Result<bool> {
        let read = self.backend.as_ref();
        let owns = |nodes: &[Node]| -> Result<bool> {
            Ok(read.memories(nodes)?.iter().any(|memory| memory.scope.user.as_deref() == Some(user)))
        };
        if edge.kind == EdgeKind::Supersedes {
            return owns(&[edge.target]);
        }
        let ends: Vec<Node> =
            [edge.source, edge.target].into_iter().filter(|node| node.is_memory()).collect();
        if owns(&ends)? {
            return Ok(true);
        }
        // The stored edge, with evidence that the user may not see.
        let stored = read.edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?;
        let evidence = stored.map(|edge| edge.evidence).unwrap_or_default();
        for one in &evidence {
            let Some(id) = one.memory else { return Ok(false) };
            if !owns(&read.find_nodes(&crate::backend::NodeName::Id(id))?)? {
                return Ok(false);
            }
        }
        Ok(ends.is_empty() && !evidence.is_empty())
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

    fn edges_between(&self, a: Node, b: Node) -> Result<Vec<Edge>> {
        // Read the end with fewer edges, since the other may be a hub.
        let degrees = self.backend.degrees(&[a, b], None)?;
        let (near, far) = if degrees.first() <= degrees.get(1) { (a, b) } else { (b, a) };
        let edges = self.backend.edges_of(near)?;
        Ok(edges.into_iter().filter(|e| e.source == far || e.target == far).collect())
    }

    pub(super) fn edge_view(&self, edge: Edge) -> Result<EdgeView> {
        let read = self.backend.as_ref();
        let confidence = edge.confidence_at(self.now(), self.decay(edge.kind.family()));
        Ok(EdgeView {
            source: naming::path_node(read, edge.source)?,
            target: naming::path_node(read, edge.target)?,
            confidence,
            edge,
        })
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
        let now = self.now();
        let mut number = 0;
        self.backend.write(&mut |read| {
            let memory = draft.memory.as_deref().map(|name| naming::memory(read, name)).transpose()?;
            let resolve = |name: &str| naming::node(read, name);
            let (fact, changes) = facts::add(read, draft, memory, &resolve, now)?;
            number = fact;
            Ok(ChangeSet { at: now, changes })
        })?;
        let subject = self.facts(None, None, None)?.into_iter().find(|view| view.fact.number == number);
        subject.ok_or_else(|| bug("find the fact that was just stored"))
    }

    /// Facts about an entity (by name or id), or one fact (`f12`), or all. With `as_of` those that were true
    /// then; with `known_at` according to the store at that time, else of today.
    pub fn facts(
        &self,
        entity: Option<&str>,
        as_of: Option<Timestamp>,
        known_at: Option<Timestamp>,
    ) -> Result<Vec<FactView>> {
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let numbered = entity.and_then(|name| name.trim().strip_prefix('f')?.parse::<u32>().ok());
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
        let read = self.backend.as_ref();
        let mut facts = Vec::with_capacity(all.len());
        for fact in all {
            if !facts::is_without_evidence(read, &fact)? {
                facts.push(fact);
            }
        }
        let now = self.now();
        let (valid, known) = (as_of.unwrap_or(now), known_at.unwrap_or(now));
        let mut views = Vec::new();
        for fact in &facts {
            let current = fact.holds(valid, known);
            if (as_of.is_some() || known_at.is_some()) && !current {
                continue;
            }
            let contradicts = facts
                .iter()
                .filter(|other| facts::contradict(fact, other))
                .map(|other| other.number)
                .collect();
            let object = match fact.object {
                FactObject::Entity(node) => Some(naming::path_node(read, node)?),
                FactObject::Literal(_) => None,
            };
            let subject = naming::path_node(read, fact.subject)?;
            views.push(FactView { fact: fact.clone(), subject, object, current, contradicts });
        }
        Ok(views)
    }
}

fn bug(what: &str) -> Error {
    Error::new(crate::model::ErrorKind::Bug, what, "the store does not contain what it acknowledged")
}
