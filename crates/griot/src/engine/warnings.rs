//! Warnings of the verifier: searched around each commit, listed, acknowledged, removed.
//!
//! - After each commit, the nodes at the ends of its causal edges are verified within a budget, together with
//!   the nodes of warnings that it may have ended. New findings are stored and obsolete ones removed, in a
//!   separate commit and only if something changed, so that most writes cost nothing. If this fails, the
//!   write is still valid, and the next `verify` finds the same.
//! - A list verifies the edges of all stored warnings again. A warning that ended without a write, because an
//!   edge expired or an entity changed its type, is therefore not listed, even before a commit or `verify`
//!   removes it.
//! - Warnings belong to the workspace. They are computed on all of it for every writer, and a view of one
//!   scope shows those whose edges it sees; only a view of the whole may acknowledge one.

use std::collections::{BTreeMap, BTreeSet};

use super::Engine;
use crate::backend::{Read, Store};
use crate::graph::{self, Verified};
use crate::model::{
    Acknowledged, Change, ChangeSet, Deletable, EdgeKind, EntityType, Error, ErrorKind, Finding, Node,
    Result, Scope, Timestamp, Warning, WarningId, WarningKind,
};

/// Most nodes that the verifier visits around one write, besides those that the write itself touched.
const BUDGET: usize = 2000;
/// Most characters of a note.
const NOTE: usize = 2000;

impl Engine {
    /// Commits the decision of a plan. Returns the nodes for [`Engine::look_around`].
    pub(super) fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Vec<Node>> {
        let mut touched = Vec::new();
        self.backend.write(&mut |read| {
            let set = plan(read)?;
            touched = nodes_to_verify(read, &set.changes)?;
            Ok(set)
        })?;
        Ok(touched)
    }

    /// Verifies the nodes touched by a commit, stores new findings and removes obsolete ones. Returns the
    /// findings that this engine sees and that are not acknowledged.
    pub(super) fn look_around(&self, touched: &[Node]) -> Vec<Warning> {
        if touched.is_empty() {
            return Vec::new();
        }
        let look = || -> Result<Vec<Warning>> {
            let now = self.now();
            let verify = |read: &dyn Read| graph::verify_touched(read, touched, BUDGET + touched.len(), now);
            let seen = verify(self.backend.as_ref())?;
            let whole = self.whole();
            let found = if self.sees_all() { seen.clone() } else { verify(whole)? };
            if !changes_around(whole, touched, found, now)?.is_empty() {
                // Others may have written since, so the changes are decided under the lock. If it is busy,
                // the findings are still returned.
                let _ = whole.write(&mut |read| {
                    Ok(ChangeSet { at: now, changes: changes_around(read, touched, verify(read)?, now)? })
                });
            }
            self.with_history(seen.found, now)
        };
        // The write is committed, even if the verification fails.
        let mut warnings = look().unwrap_or_default();
        warnings.retain(|warning| warning.acknowledged.is_none());
        warnings
    }

    /// Verifies the whole workspace, stores new findings and removes obsolete ones. Returns all findings,
    /// acknowledged or not.
    pub fn verify(&self) -> Result<Vec<Warning>> {
        self.backend.refresh()?;
        let now = self.now();
        let found = graph::verify_all(self.backend.as_ref(), now)?;
        if self.sees_all() && !self.is_read_only() {
            let changed = |read: &dyn Read| -> Result<Vec<Change>> {
                let stored = read.warnings()?;
                // Keep only findings from before the lock that still hold.
                let still = graph::verify_edges(read, &edges_of(&stored, &found), now)?;
                Ok(changed_warnings(&stored, &still, &|_| true, now))
            };
            let keep = || -> Result<()> {
                if changed(self.backend.as_ref())?.is_empty() {
                    return Ok(());
                }
                self.backend.write(&mut |read| Ok(ChangeSet { at: now, changes: changed(read)? })).map(drop)
            };
            keep().or_else(|error| {
                // It can be done the next time.
                let waits = matches!(error.kind, ErrorKind::Conflict | ErrorKind::Unavailable);
                if waits { Ok(()) } else { Err(error) }
            })?;
        }
        self.with_history(found, now)
    }

    /// The stored warnings that still hold, acknowledged or not, without verifying the rest of the workspace.
    pub fn warnings(&self) -> Result<Vec<Warning>> {
        self.backend.refresh()?;
        let now = self.now();
        let numbers = edges_of(&self.whole().warnings()?, &[]);
        self.with_history(graph::verify_edges(self.backend.as_ref(), &numbers, now)?, now)
    }

    /// Acknowledges a warning: it is not reported any more, unless its finding changes.
    pub fn acknowledge(&self, id: &str, by: &str, note: Option<&str>) -> Result<Warning> {
        let what = format!("acknowledge the warning `{}`", id.trim());
        self.refuse_part(&what)?;
        let hint = "griot verify --list";
        let wanted = WarningId::parse(id).ok_or_else(|| {
            Error::invalid(what.clone(), "the id of a warning looks like `w-3f2a90c1d4e5`").hint(hint)
        })?;
        let note = note.map(str::trim).filter(|note| !note.is_empty());
        if note.is_some_and(|note| note.chars().count() > NOTE) {
            return Err(Error::invalid(what, format!("the note is longer than {NOTE} characters")));
        }
        let now = self.now();
        let mut known = None;
        self.backend.write(&mut |read| {
            let stored = read.warnings()?;
            let found = graph::verify_edges(read, &edges_of(&stored, &[]), now)?;
            let Some(found) = found.into_iter().find(|finding| finding.id() == wanted) else {
                return Err(Error::not_found(what.clone(), "there is no such warning, or its cause is gone")
                    .hint(hint));
            };
            let first_seen =
                stored.iter().find(|warning| warning.found.id() == wanted).map(|known| known.first_seen);
            let acknowledged = Acknowledged { at: now, by: by.to_string(), note: note.map(str::to_string) };
            let warning =
                Warning { found, first_seen: first_seen.unwrap_or(now), acknowledged: Some(acknowledged) };
            known = Some(warning.clone());
            Ok(ChangeSet { at: now, changes: vec![Change::PutWarning(Box::new(warning))] })
        })?;
        known.ok_or_else(|| Error::new(ErrorKind::Bug, what, "nothing was changed"))
    }

    /// Adds the stored history to findings. A view of a part of the workspace does not get the notes of
    /// others.
    fn with_history(&self, found: Vec<Finding>, now: Timestamp) -> Result<Vec<Warning>> {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let nodes: Vec<Node> = found.iter().flat_map(|finding| &finding.nodes).copied().collect();
        let stored = self.whole().warnings_about(&nodes)?;
        let mut stored: BTreeMap<WarningId, Warning> =
            stored.into_iter().map(|kept| (kept.found.id(), kept)).collect();
        let warnings = found.into_iter().map(|found| {
            let kept = stored.remove(&found.id());
            let (first_seen, mut acknowledged) =
                kept.map_or((now, None), |kept| (kept.first_seen, kept.acknowledged));
            if let Some(acknowledged) = &mut acknowledged
                && !self.sees_all()
            {
                acknowledged.note = None;
            }
            Warning { found, first_seen, acknowledged }
        });
        Ok(warnings.collect())
    }

    fn whole(&self) -> &dyn Store {
        self.whole.as_ref()
    }

    fn sees_all(&self) -> bool {
        self.scope == Scope::default()
    }
}

/// Whether a rule of the verifier concerns edges of this kind.
fn is_verified(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Causal | EdgeKind::Blocks | EdgeKind::Extends)
}

/// The nodes where findings may appear or end with these changes; `read` is the store before them.
pub(super) fn nodes_to_verify(read: &dyn Read, changes: &[Change]) -> Result<Vec<Node>> {
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
pub(super) fn changes_around(
    read: &dyn Read,
    touched: &[Node],
    verified: Verified,
    now: Timestamp,
) -> Result<Vec<Change>> {
    let Verified { mut found, cut } = verified;
    let mut nodes: Vec<Node> =
        touched.iter().chain(found.iter().flat_map(|finding| &finding.nodes)).copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let stored = read.warnings_about(&nodes)?;
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
fn changed_warnings(
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
fn edges_of(stored: &[Warning], found: &[Finding]) -> Vec<u32> {
    let kept = stored.iter().flat_map(|warning| &warning.found.edges);
    let numbers: BTreeSet<u32> =
        kept.chain(found.iter().flat_map(|finding| &finding.edges)).copied().collect();
    numbers.into_iter().collect()
}
