//! Decides how stored warnings of the verifier change with a write.
//!
//! A write can end warnings at the nodes that it touches, and cause new ones there. What is left of a cycle
//! may be a smaller one elsewhere on it, so the nodes of warnings that a write may have ended are verified
//! too.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::Read;
use crate::graph::{Verified, distinct};
use crate::model::{
    Change, Deletable, EdgeKind, EntityType, Finding, Node, Result, Timestamp, Warning, WarningId,
    WarningKind,
};

/// Whether a rule of the verifier concerns edges of this kind.
fn is_verified(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Causal | EdgeKind::Blocks | EdgeKind::Extends)
}

/// The nodes where findings may appear or end with these changes; `read` is the store before them.
pub fn nodes_to_verify(read: &dyn Read, changes: &[Change]) -> Result<Vec<Node>> {
    let mut nodes: BTreeSet<Node> = BTreeSet::new();
    let mut left: BTreeSet<Node> = BTreeSet::new();
    for change in changes {
        match change {
            Change::PutEdge(edge) | Change::SetEdge(edge) if is_verified(edge.kind) => {
                nodes.extend([edge.source, edge.target]);
            }
            Change::RemoveEdge { source, target, kind, .. } if is_verified(*kind) => {
                left.extend([*source, *target])
            }
            Change::SetDeleted { target: Deletable::Node(node), at: Some(_) } => {
                left.insert(*node);
            }
            // A hidden node is restored, or may be.
            Change::SetDeleted { target: Deletable::Node(node), at: None }
            | Change::SetTier { memory: node, .. } => {
                nodes.insert(*node);
            }
            Change::PutEntity(entity) if entity.kind == EntityType::External => {
                nodes.insert(entity.node);
            }
            _ => {}
        }
    }
    if !left.is_empty() {
        // The rest of a cycle may be a smaller one, elsewhere on it.
        let left: Vec<Node> = left.into_iter().collect();
        nodes.extend(read.warnings_about(&left)?.into_iter().flat_map(|warning| warning.found.nodes));
    }
    Ok(nodes.into_iter().collect())
}

/// The changes to stored warnings about touched nodes.
pub fn changes_around(
    read: &dyn Read,
    touched: &[Node],
    verified: Verified,
    now: Timestamp,
) -> Result<Vec<Change>> {
    let Verified { mut found, cut } = verified;
    let nodes = touched.iter().chain(found.iter().flat_map(|finding| &finding.nodes)).copied().collect();
    let stored = read.warnings_about(&distinct(nodes))?;
    let overlaps = |one: &Finding, other: &Finding| {
        let are_cycles = one.kind == WarningKind::CausalCycle && other.kind == WarningKind::CausalCycle;
        are_cycles && one.nodes.iter().any(|node| other.nodes.binary_search(node).is_ok())
    };
    if cut {
        // A part of a cycle may have been left out, so that a finding may be only a part of a stored
        // one.
        found.retain(|finding| {
            !stored.iter().any(|kept| kept.found.id() == finding.id() || overlaps(&kept.found, finding))
        });
        return Ok(changed_warnings(&stored, &found, &|_| false, now));
    }
    let touched: BTreeSet<Node> = touched.iter().copied().collect();
    let is_over = |kept: &Finding| {
        kept.nodes.iter().any(|node| touched.contains(node))
            || found.iter().any(|finding| overlaps(kept, finding))
    };
    Ok(changed_warnings(&stored, &found, &is_over, now))
}

/// Stores findings that are new or changed, and removes stored ones that are over.
pub fn changed_warnings(
    stored: &[Warning],
    found: &[Finding],
    is_over: &dyn Fn(&Finding) -> bool,
    now: Timestamp,
) -> Vec<Change> {
    let known: BTreeMap<WarningId, &Warning> = stored.iter().map(|kept| (kept.found.id(), kept)).collect();
    let there: BTreeSet<WarningId> = found.iter().map(Finding::id).collect();
    let over = stored.iter().filter(|kept| !there.contains(&kept.found.id()) && is_over(&kept.found));
    let mut changes: Vec<Change> = over.map(|kept| Change::RemoveWarning(kept.found.id())).collect();
    for finding in found {
        let warning = match known.get(&finding.id()) {
            Some(kept) if kept.found.edges == finding.edges => continue,
            Some(kept) => Warning { found: finding.clone(), ..(*kept).clone() },
            None => Warning { found: finding.clone(), first_seen: now, acknowledged: None },
        };
        changes.push(Change::PutWarning(Box::new(warning)));
    }
    changes
}

/// The edges of all these warnings and findings, ascending.
pub fn edges_of(stored: &[Warning], found: &[Finding]) -> Vec<u32> {
    let kept = stored.iter().flat_map(|warning| &warning.found.edges);
    distinct(kept.chain(found.iter().flat_map(|finding| &finding.edges)).copied().collect())
}
