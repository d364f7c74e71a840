//! Decides what linking, unlinking and the edges of a source change.

use crate::backend::{NodeName, Read};
use crate::embed;
use crate::model::{
    Change, Edge, EdgeKind, Error, Evidence, Labels, Memory, MemoryId, Node, Provenance, Result, Timestamp,
};

use super::DraftLink;

/// `link A B`.
#[derive(Clone, PartialEq, Debug)]
pub struct LinkRequest {
    /// Any name of a node: id, handle, canonical id or name of an entity.
    pub source: String,
    pub target: String,
    pub kind: EdgeKind,
    /// Sub-type or relation label; the kind's default if it has one.
    pub label: Option<String>,
    /// 0..=1; default 1.
    pub weight: Option<f32>,
    pub reason: Option<String>,
    pub provenance: Provenance,
    /// 0..=1; default that of the provenance ([`Provenance::confidence`]), for an embedder the cosine of two
    /// memories.
    pub confidence: Option<f32>,
    /// The edge is ignored from then on.
    pub expires_at: Option<Timestamp>,
}

impl LinkRequest {
    /// What a person links, with the defaults of the kind.
    pub fn new(source: impl Into<String>, target: impl Into<String>, kind: EdgeKind) -> Self {
        Self {
            source: source.into(),
            target: target.into(),
            kind,
            label: None,
            weight: None,
            reason: None,
            provenance: Provenance::User,
            confidence: None,
            expires_at: None,
        }
    }

    fn what(&self) -> String {
        format!("link `{}` and `{}`", self.source.trim(), self.target.trim())
    }

    /// Checks everything that needs no store, and returns the label.
    pub fn check(&self, now: Timestamp) -> Result<String> {
        let what = self.what();
        let weight = self.weight.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&weight) {
            return Err(Error::invalid(what, format!("weight {weight} is not between 0 and 1")));
        }
        if let Some(confidence) = self.confidence
            && !(0.0..=1.0).contains(&confidence)
        {
            return Err(Error::invalid(what, format!("confidence {confidence} is not between 0 and 1")));
        }
        let label = checked_label(self.kind, self.label.as_deref(), &what)?;
        if let Some(end) = self.expires_at
            && end <= now
        {
            return Err(Error::invalid(what, format!("the expiry {end} is not in the future"))
                .hint("give a future time: 2030-01-31, or 30d"));
        }
        Ok(label)
    }
}

/// The edge of a checked request, whether it is new, and the changes that store it.
pub fn link(
    read: &dyn Read,
    request: &LinkRequest,
    label: &str,
    (source, target): (Node, Node),
    now: Timestamp,
) -> Result<(Edge, bool, Vec<Change>)> {
    let (what, row) = (request.what(), request.kind.row());
    if source == target {
        return Err(Error::invalid(what, "both are the same node"));
    }
    if !row.ends.allow(source, target) {
        let why = format!("`{}` connects {}", row.name, row.ends.describe());
        return Err(Error::invalid(what, why).hint("griot link --help lists the kinds"));
    }
    let confidence = match request.confidence {
        Some(confidence) => confidence,
        None => confidence_of(read, request.provenance, source, target)?,
    };
    let evidence = Evidence { memory: None, quote: None, reason: request.reason.clone(), at: now };
    let edge = Edge {
        label: label.to_string(),
        weight: request.weight.unwrap_or(1.0),
        confidence,
        expires_at: request.expires_at,
        ..Edge::new((source, target), request.kind, request.provenance, evidence)
    }
    .normalised();
    let is_new = read.edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?.is_none();
    let mut changes = Vec::with_capacity(2);
    if edge.kind == EdgeKind::Supersedes {
        match replacement(read, source, target)? {
            Replacement::Hides(change) => changes.push(change),
            Replacement::OtherScope => {
                let why = "their scopes differ, so a reader of the second memory may not see the first";
                return Err(Error::invalid(what, why));
            }
            Replacement::Cycle => {
                let why = "the second already replaces the first, so neither would be shown";
                let hint =
                    format!("griot unlink \"{}\" \"{}\"", request.target.trim(), request.source.trim());
                return Err(Error::invalid(what, why).hint(hint));
            }
        }
    }
    changes.push(Change::PutEdge(edge.clone()));
    Ok((edge, is_new, changes))
}

/// The stored edges between two nodes, of one kind and label or all; directed ones from the first to the
/// second.
pub fn between(
    read: &dyn Read,
    (a, b): (Node, Node),
    kind: Option<EdgeKind>,
    label: Option<&str>,
) -> Result<Vec<Edge>> {
    // Read the end with fewer edges, since the other may be a hub.
    let degrees = read.degrees(&[a, b], None)?;
    let (near, far) = if degrees.first() <= degrees.get(1) { (a, b) } else { (b, a) };
    let mut edges = read.edges_of(near)?;
    edges.retain(|edge| {
        (edge.source == far || edge.target == far)
            && kind.is_none_or(|kind| kind == edge.kind)
            && label.is_none_or(|label| label == edge.label)
            && (edge.kind.is_symmetric() || edge.source == a)
    });
    Ok(edges)
}

/// Whether an edge belongs to a user: it connects one of their memories, or all its evidence is theirs. A
/// replacement belongs to the owner of the replaced memory.
pub fn belongs_to(read: &dyn Read, edge: &Edge, user: &str) -> Result<bool> {
    let is_theirs = |memory: &Memory| memory.scope.user.as_deref() == Some(user);
    let mut ends = vec![edge.target];
    if edge.kind != EdgeKind::Supersedes {
        ends.push(edge.source);
    }
    ends.retain(|node| node.is_memory());
    if !ends.is_empty() {
        return Ok(read.memories(&ends)?.iter().any(is_theirs));
    }
    // The stored edge, with evidence that the user may not see.
    let stored = read.edge_by_key(edge.source, edge.target, edge.kind, &edge.label)?;
    let evidence = stored.map(|edge| edge.evidence).unwrap_or_default();
    let said_by: Option<Vec<MemoryId>> = evidence.iter().map(|one| one.memory).collect();
    let Some(said_by) = said_by.filter(|ids| !ids.is_empty()) else { return Ok(false) };
    let names: Vec<NodeName<'_>> = said_by.iter().map(|id| NodeName::Id(*id)).collect();
    let nodes: Vec<Node> = read.find(&names)?.iter().flatten().map(|found| found.node).collect();
    let rows = read.memories(&nodes)?;
    Ok(said_by.iter().all(|id| rows.iter().any(|memory| memory.id == *id && is_theirs(memory))))
}

/// The changes that remove edges. A memory that another one replaces as well stays superseded.
pub fn unlink<'e>(read: &dyn Read, edges: impl Iterator<Item = &'e Edge>) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for edge in edges {
        changes.push(Change::removal(edge));
        if edge.kind == EdgeKind::Supersedes {
            let others = read.edges_of(edge.target)?.into_iter().filter(|other| {
                other.kind == EdgeKind::Supersedes
                    && other.target == edge.target
                    && other.source != edge.source
            });
            let by: Vec<Node> = others.map(|other| other.source).max().into_iter().collect();
            let by = read.memories(&by)?.first().map(|memory| memory.id);
            changes.push(Change::SetSuperseded { memory: edge.target, by });
        }
    }
    Ok(changes)
}

/// The changes that store an edge stated by a source; empty if the edge already has this reason, or is
/// impossible.
pub fn stated_edge(
    read: &dyn Read,
    link: &DraftLink,
    source: Node,
    target: Node,
    now: Timestamp,
) -> Result<Vec<Change>> {
    let is_known =
        |word: &&str| matches!(link.kind.row().labels, Labels::OneOf(known) if known.contains(word));
    let label = link.label.as_deref().filter(is_known);
    let at = link.at.unwrap_or(now);
    let evidence = Evidence { memory: None, quote: None, reason: link.reason.clone(), at };
    // The user of the source is not the user of this store.
    let provenance = link.provenance.max(Provenance::Static);
    let usual = link.provenance.confidence();
    let edge = Edge {
        label: checked_label(link.kind, label, "store an edge of the source")?,
        weight: clamped(link.weight, 1.0),
        confidence: clamped(link.confidence.unwrap_or(usual), usual),
        created_at: now,
        touched_at: now,
        ..Edge::new((source, target), link.kind, provenance, evidence)
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
        Replacement::OtherScope | Replacement::Cycle => Ok(Vec::new()),
    }
}

/// Clamps a number of a source to 0..=1; NaN becomes `otherwise`.
pub fn clamped(number: f32, otherwise: f32) -> f32 {
    if number.is_nan() { otherwise } else { number.clamp(0.0, 1.0) }
}

/// The effect of replacing one memory by another.
enum Replacement {
    /// The change that hides the old memory.
    Hides(Change),
    /// A reader of the old memory may not see the new one.
    OtherScope,
    /// The old memory replaces the new one, directly or through others.
    Cycle,
}

fn replacement(read: &dyn Read, new: Node, old: Node) -> Result<Replacement> {
    let memories = read.memories(&[new, old])?;
    let [first, second] = memories.as_slice() else {
        return Err(Error::corrupt("replace a memory", "one of the two has no row"));
    };
    if !first.scope.meets(&second.scope) {
        return Ok(Replacement::OtherScope);
    }
    if is_superseded_by(read, new, old)? {
        return Ok(Replacement::Cycle);
    }
    Ok(Replacement::Hides(Change::SetSuperseded { memory: old, by: Some(first.id) }))
}

/// Whether the chain of replacements of `memory` leads to `other`.
pub(super) fn is_superseded_by(read: &dyn Read, memory: Node, other: Node) -> Result<bool> {
    let mut seen = vec![memory];
    while let Some(known) =
        seen.last().map(|last| read.memories(&[*last])).transpose()?.and_then(|mut rows| rows.pop())
    {
        let Some(by) = known.superseded_by else { return Ok(false) };
        let next = read.find_nodes(&NodeName::Id(by))?;
        match next.first() {
            Some(&next) if next == other => return Ok(true),
            Some(&next) if !seen.contains(&next) => seen.push(next),
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// The confidence of an edge without a given one: that of its provenance; for an embedder the cosine, if both
/// ends have a vector.
fn confidence_of(read: &dyn Read, by: Provenance, source: Node, target: Node) -> Result<f32> {
    if by == Provenance::Embedding
        && let (Some(a), Some(b)) = (read.vector(source)?, read.vector(target)?)
        && a.model == b.model
        && a.values.len() == b.values.len()
    {
        return Ok(embed::cosine(&a, &b).clamp(0.0, 1.0));
    }
    Ok(by.confidence())
}

fn checked_label(kind: EdgeKind, label: Option<&str>, what: &str) -> Result<String> {
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
