//! Verbs about edges: `link`, `unlink`, `facts`.

use super::{EdgeView, Engine, FactDraft, FactView, LinkRequest, Linked, naming};
use crate::backend::Read;
use crate::model::{
    Change, ChangeSet, Deletable, Edge, EdgeKind, Entity, EntityType, Error, Evidence, Fact, FactObject,
    Family, Labels, Node, Provenance, Result, Timestamp, entity_key,
};
use crate::recall::ArcWeights;
use crate::remember::DraftLink;
use crate::remember::merge::survivor_of;
use crate::text;

impl Engine {
    /// Connects two nodes. An edge that is stated again gains evidence; a rule never overwrites a person's
    /// statement.
    pub fn link(&self, request: &LinkRequest) -> Result<Linked> {
        let row = request.kind.row();
        let what = format!("link `{}` and `{}`", request.source.trim(), request.target.trim());
        let weight = request.weight.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&weight) {
            return Err(Error::invalid(what, format!("weight {weight} is not between 0 and 1")));
        }
        if let Some(confidence) = request.confidence
            && !(0.0..=1.0).contains(&confidence)
        {
            return Err(Error::invalid(what, format!("confidence {confidence} is not between 0 and 1")));
        }
        let label = self::label(request.kind, request.label.as_deref(), &what)?;
        let now = self.now();
        if let Some(end) = request.expires_at
            && end <= now
        {
            return Err(Error::invalid(what, format!("the expiry {end} is not in the future"))
                .hint("give a future time: 2030-01-31, or 30d"));
        }
        let mut stored: Option<(Node, Node, bool)> = None;
        let touched = self.write(&mut |read| {
            let source = naming::node(read, &request.source)?;
            let target = naming::node(read, &request.target)?;
            if source == target {
                return Err(Error::invalid(what.clone(), "both are the same node"));
            }
            if !row.ends.allow(source, target) {
                let why = format!("`{}` connects {}", row.name, row.ends.describe());
                return Err(Error::invalid(what.clone(), why).hint("griot link --help lists the kinds"));
            }
            let reason = request.reason.clone();
            let evidence = Evidence { memory: None, quote: None, reason, at: now };
            let edge = Edge {
                number: 0,
                source,
                target,
                kind: request.kind,
                label: label.clone(),
                weight,
                confidence: match request.confidence {
                    Some(confidence) => confidence,
                    None => confidence_of(read, request.provenance, source, target)?,
                },
                provenance: request.provenance,
                evidence: vec![evidence],
                created_at: now,
                touched_at: now,
                expires_at: request.expires_at,
            }
            .normalised();
            let known = read.edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?;
            stored = Some((edge.source, edge.target, known.is_none()));
            let replaces = edge.kind == EdgeKind::Supersedes;
            let hides = match replaces.then(|| replacement(read, source, target)).transpose()? {
                None => None,
                Some(Replacement::Hides(change)) => Some(change),
                Some(Replacement::OtherScope) => {
                    let why = "their scopes differ, so a reader of the second memory may not see the first";
                    return Err(Error::invalid(what.clone(), why));
                }
                Some(Replacement::Circle) => {
                    let why = "the second already replaces the first, so neither would be shown";
                    let hint =
                        format!("griot unlink \"{}\" \"{}\"", request.target.trim(), request.source.trim());
                    return Err(Error::invalid(what.clone(), why).hint(hint));
                }
            };
            Ok(ChangeSet { at: now, changes: hides.into_iter().chain([Change::PutEdge(edge)]).collect() })
        })?;
        let (source, target, created) = stored.ok_or_else(|| bug("link"))?;
        let edge = self
            .backend
            .edge_by_key(source, target, request.kind, &label)?
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
            let mut changes = Vec::new();
            for view in &views {
                let edge = &view.edge;
                changes.push(Change::RemoveEdge {
                    source: edge.source,
                    target: edge.target,
                    kind: edge.kind,
                    label: edge.label.clone(),
                });
                if edge.kind == EdgeKind::Supersedes {
                    // Another memory may replace it as well.
                    let others = read.edges_of(edge.target)?.into_iter().filter(|other| {
                        other.kind == EdgeKind::Supersedes
                            && other.target == edge.target
                            && other.source != edge.source
                    });
                    let by = others.map(|other| other.source).max();
                    let by =
                        read.memories(&by.into_iter().collect::<Vec<_>>())?.first().map(|memory| memory.id);
                    changes.push(Change::SetSuperseded { memory: edge.target, by });
                }
            }
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
        let what = format!("add the fact `{} {} {}`", draft.subject, draft.predicate.name(), draft.object);
        if draft.subject.trim().is_empty() || draft.object.trim().is_empty() {
            return Err(Error::invalid(what, "subject and object must not be empty"));
        }
        if let (Some(from), Some(to)) = (draft.valid_from, draft.valid_to)
            && to <= from
        {
            return Err(Error::invalid(what, format!("it would end at {to}, before it begins at {from}")));
        }
        let confidence = draft.confidence.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&confidence) {
            return Err(Error::invalid(what, format!("confidence {confidence} is not between 0 and 1")));
        }
        let now = self.now();
        let mut number = 0;
        self.backend.write(&mut |read| {
            let mut changes = Vec::new();
            let mut next_entity = read.next_numbers()?.entity;
            let subject = subject_or_new(read, &draft.subject, &mut next_entity, now, &mut changes)?;
            let object = if draft.predicate.takes_literal() {
                FactObject::Literal(draft.object.trim().to_string())
            } else {
                FactObject::Entity(subject_or_new(read, &draft.object, &mut next_entity, now, &mut changes)?)
            };
            let memory = match &draft.memory {
                Some(name) => {
                    let memory = read.memories(&[naming::memory(read, name)?])?.pop();
                    if memory.as_ref().is_some_and(|m| m.deleted_at.is_some()) {
                        let why = format!("its evidence `{}` was forgotten", name.trim());
                        return Err(Error::invalid(what.clone(), why)
                            .hint(format!("griot restore \"{}\"", name.trim())));
                    }
                    memory.map(|m| m.id)
                }
                None => None,
            };
            number = read.next_numbers()?.fact;
            let evidence = Evidence { memory, quote: None, reason: draft.reason.clone(), at: now };
            let fact = Fact {
                number,
                subject,
                predicate: draft.predicate,
                object,
                valid_from: draft.valid_from,
                valid_to: draft.valid_to,
                recorded_at: now,
                superseded_at: None,
                confidence,
                scope: draft.scope.clone(),
                evidence: vec![evidence],
            };
            changes
                .extend(closed_by(&fact, &read.facts(Some(subject))?, now).into_iter().map(Change::PutFact));
            changes.push(Change::PutFact(fact));
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
            if !is_without_evidence(read, &fact)? {
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
            let contradicts =
                facts.iter().filter(|other| contradict(fact, other)).map(|other| other.number).collect();
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

/// The changes that store an edge stated by a source; empty if the edge already has this reason, or is
/// impossible.
pub(super) fn stated_edge(
    read: &dyn Read,
    link: &DraftLink,
    source: Node,
    target: Node,
    now: Timestamp,
) -> Result<Vec<Change>> {
    let is_known =
        |word: &&str| matches!(link.kind.row().labels, Labels::OneOf(known) if known.contains(word));
    let label = link.label.as_deref().filter(is_known);
    let edge = Edge {
        number: 0,
        source,
        target,
        kind: link.kind,
        label: self::label(link.kind, label, "store an edge of the source")?,
        weight: within(link.weight, 1.0),
        confidence: within(
            link.confidence.unwrap_or(link.provenance.confidence()),
            link.provenance.confidence(),
        ),
        // The user of the source is not the user of this store.
        provenance: link.provenance.max(Provenance::Static),
        evidence: vec![Evidence {
            memory: None,
            quote: None,
            reason: link.reason.clone(),
            at: link.at.unwrap_or(now),
        }],
        created_at: now,
        touched_at: now,
        expires_at: None,
    }
    .normalised();
    let known = read.edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?;
    let is_stated =
        known.is_some_and(|known| known.evidence.iter().any(|evidence| evidence.reason == link.reason));
    if source == target || is_stated {
        return Ok(Vec::new());
    }
    if link.kind != EdgeKind::Supersedes {
        return Ok(vec![Change::PutEdge(edge)]);
    }
    match replacement(read, source, target)? {
        Replacement::Hides(change) => Ok(vec![change, Change::PutEdge(edge)]),
        Replacement::OtherScope | Replacement::Circle => Ok(Vec::new()),
    }
}

/// Clamps a number of a source to 0..=1; NaN becomes `otherwise`.
pub(super) fn within(number: f32, otherwise: f32) -> f32 {
    if number.is_nan() { otherwise } else { number.clamp(0.0, 1.0) }
}

/// The effect of replacing one memory by another.
enum Replacement {
    /// The change that hides the old memory.
    Hides(Change),
    /// A reader of the old memory may not see the new one.
    OtherScope,
    /// The old memory replaces the new one, directly or through others.
    Circle,
}

fn replacement(read: &dyn Read, new: Node, old: Node) -> Result<Replacement> {
    let memories = read.memories(&[new, old])?;
    let [first, second] = memories.as_slice() else { return Err(bug("replace a memory")) };
    if !first.scope.meets(&second.scope) {
        return Ok(Replacement::OtherScope);
    }
    if is_superseded_by(read, new, old)? {
        return Ok(Replacement::Circle);
    }
    Ok(Replacement::Hides(Change::SetSuperseded { memory: old, by: Some(first.id) }))
}

/// Whether the chain of replacements of `memory` leads to `other`.
fn is_superseded_by(read: &dyn Read, memory: Node, other: Node) -> Result<bool> {
    let mut seen = vec![memory];
    while let Some(known) =
        seen.last().map(|last| read.memories(&[*last])).transpose()?.and_then(|mut rows| rows.pop())
    {
        let Some(by) = known.superseded_by else { return Ok(false) };
        let next = read.find_nodes(&crate::backend::NodeName::Id(by))?;
        match next.first() {
            Some(&next) if next == other => return Ok(true),
            Some(&next) if !seen.contains(&next) => seen.push(next),
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// Whether a fact has evidence, and all of it was forgotten.
fn is_without_evidence(read: &dyn Read, fact: &Fact) -> Result<bool> {
    for evidence in &fact.evidence {
        let Some(id) = evidence.memory else { return Ok(false) };
        let nodes = read.find_nodes(&crate::backend::NodeName::Id(id))?;
        if nodes.is_empty() || read.memories(&nodes)?.iter().any(|memory| memory.deleted_at.is_none()) {
            return Ok(false);
        }
    }
    Ok(!fact.evidence.is_empty())
}

/// The confidence of an edge without a given one: that of its provenance; for an embedder the cosine, if both
/// ends have a vector.
fn confidence_of(read: &dyn Read, by: Provenance, source: Node, target: Node) -> Result<f32> {
    if by == Provenance::Embedding
        && let (Some(a), Some(b)) = (read.vector(source)?, read.vector(target)?)
        && a.model == b.model
        && a.values.len() == b.values.len()
    {
        return Ok(crate::embed::cosine(&a, &b).clamp(0.0, 1.0));
    }
    Ok(by.confidence())
}

fn bug(what: &str) -> Error {
    Error::new(crate::model::ErrorKind::Bug, what, "the store does not contain what it acknowledged")
}

fn label(kind: EdgeKind, label: Option<&str>, what: &str) -> Result<String> {
    let label = label.map(str::trim).filter(|l| !l.is_empty());
    match (kind.row().labels, label) {
        (Labels::None, None) => Ok(String::new()),
        (Labels::None, Some(_)) => {
            Err(Error::invalid(what, format!("`{}` has no sub-types and takes no label", kind.name())))
        }
        (Labels::OneOf(known), None) => Ok(known.first().copied().unwrap_or_default().to_string()),
        (Labels::OneOf(known), Some(label)) if known.contains(&label) => Ok(label.to_string()),
        (Labels::OneOf(known), Some(label)) => {
            Err(Error::invalid(what, format!("`{label}` is not one of {}", known.join(", "))))
        }
        (Labels::Free, None) => Err(Error::invalid(what, format!("`{}` needs a label", kind.name()))
            .hint("--label uses, depends_on, authored_by, part_of, …")),
        (Labels::Free, Some(label)) => {
            let is_word =
                label.len() <= 64 && label.chars().all(|c| c.is_lowercase() || c.is_numeric() || c == '_');
            if is_word {
                Ok(label.to_string())
            } else {
                Err(Error::invalid(what, format!("the label `{label}` is not a lower-case word with `_`")))
            }
        }
    }
}

/// The node that a name means; a new entity if it means none. A hidden entity with that type and key is
/// revived.
fn subject_or_new(
    read: &dyn Read,
    name: &str,
    next_entity: &mut u32,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> Result<Node> {
    match naming::node(read, name) {
        Ok(node) => return Ok(node),
        Err(error) if error.kind == crate::model::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let typed =
        name.split_once(':').and_then(|(kind, name)| Some((EntityType::parse(kind.trim())?, name.trim())));
    let (kind, name) =
        typed.filter(|(_, name)| !name.is_empty()).unwrap_or((EntityType::Concept, name.trim()));
    let key = entity_key(kind, name);
    // The same new name twice in one fact is one entity.
    let pending = changes.iter().find_map(|change| match change {
        Change::PutEntity(e) if (e.kind, &e.key) == (kind, &key) => Some(e.node),
        _ => None,
    });
    if let Some(node) = pending {
        return Ok(node);
    }
    let holders = read.key_holders(std::slice::from_ref(&key))?.concat();
    if let Some(holder) = holders.into_iter().find(|holder| holder.kind == kind) {
        let node = survivor_of(read, holder.node)?.unwrap_or(holder.node);
        changes.push(Change::SetDeleted { target: Deletable::Node(node), at: None });
        return Ok(node);
    }
    let node = Node::entity(*next_entity);
    *next_entity += 1;
    if kind != EntityType::Concept {
        changes.push(Change::CountType { entity: node, kind, given: true, times: 1 });
    }
    changes.push(Change::PutEntity(Entity {
        node,
        name: name.to_string(),
        kind,
        key,
        aliases: vec![text::normal_name(name)],
        description: Vec::new(),
        first_seen: now,
        last_seen: now,
        deleted_at: None,
    }));
    Ok(node)
}

/// Facts that a new one closes: same subject and functional predicate, another object, still open. A fact
/// about an earlier period ends at its own end and closes nothing later. Facts of another scope are not
/// closed, because others see them.
fn closed_by(new: &Fact, known: &[Fact], now: Timestamp) -> Vec<Fact> {
    if !new.predicate.is_functional() || new.valid_to.is_some() {
        return Vec::new();
    }
    let from = new.valid_from.unwrap_or(now);
    known
        .iter()
        .filter(|old| {
            old.subject == new.subject
                && old.scope == new.scope
                && old.predicate == new.predicate
                && old.object != new.object
                && old.superseded_at.is_none()
                && old.valid_to.is_none()
                && old.valid_from.is_none_or(|began| began <= from)
        })
        .map(|old| Fact { valid_to: Some(from), ..old.clone() })
        .collect()
}

/// Whether two facts cannot both hold: a functional predicate with two objects, or one thing preferred and
/// avoided, at overlapping times.
fn contradict(a: &Fact, b: &Fact) -> bool {
    use crate::model::Predicate::{Avoids, Prefers};
    let overlap = |a: &Fact, b: &Fact| match (a.valid_to, b.valid_from) {
        (Some(end), Some(begin)) => begin < end,
        _ => true,
    };
    let opposed =
        matches!((a.predicate, b.predicate), (Prefers, Avoids) | (Avoids, Prefers)) && a.object == b.object;
    let split = a.predicate == b.predicate && a.predicate.is_functional() && a.object != b.object;
    a.number != b.number
        && a.subject == b.subject
        && a.superseded_at.is_none()
        && b.superseded_at.is_none()
        && (opposed || split)
        && overlap(a, b)
        && overlap(b, a)
}
