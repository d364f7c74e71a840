//! What the verifier notices is kept: looked for around what a commit touched, listed, acknowledged, let go.
//!
//! - After a commit, whatever verb made it, the nodes at the ends of its causal edges are verified within a
//!   budget, together with the nodes of warnings that it may have ended. What is new is kept, what is over is
//!   let go: in a commit of its own, and only if something changed, so that most writes cost nothing. Should
//!   it fail, the write stands, and the next `verify` finds the same.
//! - A list looks at the edges of all that is kept again, as they are now. What ended without a write,
//!   because its time was over or an entity is now of another type, is therefore not in it, even before a
//!   commit or `verify` lets it go.
//! - Warnings belong to the workspace. They are worked out on all of it, whoever writes, and shown to a view
//!   of one scope as far as that sees their edges; only who sees all may acknowledge one.

use std::collections::{BTreeMap, BTreeSet};

use super::Engine;
use crate::backend::{Backend, Read};
use crate::graph::{self, Verified};
use crate::model::{
    Acknowledged, Change, ChangeSet, Deletable, EdgeKind, EntityType, Error, ErrorKind, Finding, Node,
    Result, Scope, Timestamp, Warning, WarningId, WarningKind,
};

/// Nodes that the verifier looks at around one write, besides those that the write itself touched.
const BUDGET: usize = 2000;
/// Characters of a note.
const NOTE: usize = 2000;

impl Engine {
    /// Commits what a plan decides. Returns the nodes that [`Engine::look_around`] has to look at.
    pub(super) fn write(&self, plan: &mut dyn FnMut(&dyn Read) -> Result<ChangeSet>) -> Result<Vec<Node>> {
        let mut touched = Vec::new();
        self.backend.write(&mut |read| {
            let set = plan(read)?;
            touched = nodes_to_verify(read, &set.changes)?;
            Ok(set)
        })?;
        Ok(touched)
    }

    /// Verifies what a commit touched, keeps what is new and lets go what is over. Returns what is wrong
    /// there, as far as this engine sees it and nobody acknowledged it.
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
            if !news_around(whole, touched, found, now)?.is_empty() {
                // Others may have written since: what is kept is decided under the lock. That it was busy is
                // no reason to say less.
                let _ = whole.write(&mut |read| {
                    Ok(ChangeSet { at: now, changes: news_around(read, touched, verify(read)?, now)? })
                });
            }
            self.told(seen.found, now)
        };
        // What was written is written, whatever becomes of the look at it.
        let mut warnings = look().unwrap_or_default();
        warnings.retain(|warning| warning.acknowledged.is_none());
        warnings
    }

    /// Looks at the whole workspace, keeps what is new and lets go what is over. Returns all that is wrong,
    /// acknowledged or not.
    pub fn verify(&self) -> Result<Vec<Warning>> {
        self.backend.refresh()?;
        let now = self.now();
        let found = graph::verify_all(self.backend.as_ref(), now)?;
        if self.sees_all() && !self.is_read_only() {
            let changed = |read: &dyn Read| -> Result<Vec<Change>> {
                let stored = read.warnings()?;
                // Of what was found before the lock was taken, what is still so.
                let still = graph::verify_edges(read, &edges_of(&stored, &found), now)?;
                Ok(news(&stored, &still, &|_| true, now))
            };
            let keep = || -> Result<()> {
                if changed(self.backend.as_ref())?.is_empty() {
                    return Ok(());
                }
                self.backend.write(&mut |read| Ok(ChangeSet { at: now, changes: changed(read)? })).map(drop)
            };
            keep().or_else(|error| {
                // It can wait for the next time.
                let waits = matches!(error.kind, ErrorKind::Conflict | ErrorKind::Unavailable);
                if waits { Ok(()) } else { Err(error) }
            })?;
        }
        self.told(found, now)
    }

    /// What is kept and still so, acknowledged or not, without a look at the rest of the workspace.
    pub fn warnings(&self) -> Result<Vec<Warning>> {
        self.backend.refresh()?;
        let now = self.now();
        let numbers = edges_of(&self.whole().warnings()?, &[]);
        self.told(graph::verify_edges(self.backend.as_ref(), &numbers, now)?, now)
    }

    /// Notes that somebody knows of a warning and leaves it as it is: it is not told any more, until
    /// something else is wrong.
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

    /// Findings with what is kept of them. Who sees a part of the workspace is not told what others wrote
    /// about it.
    fn told(&self, found: Vec<Finding>, now: Timestamp) -> Result<Vec<Warning>> {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let nodes: Vec<Node> = found.iter().flat_map(|finding| &finding.nodes).copied().collect();
        let stored = self.whole().warnings_about(&nodes)?;
        let mut stored: BTreeMap<WarningId, Warning> =
            stored.into_iter().map(|kept| (kept.found.id(), kept)).collect();
        let told = found.into_iter().map(|found| {
            let kept = stored.remove(&found.id());
            let (first_seen, mut acknowledged) =
                kept.map_or((now, None), |kept| (kept.first_seen, kept.acknowledged));
            if let Some(said) = &mut acknowledged
                && !self.sees_all()
            {
                said.note = None;
            }
            Warning { found, first_seen, acknowledged }
        });
        Ok(told.collect())
    }

    fn whole(&self) -> &(dyn Backend + Send + Sync) {
        self.whole.as_ref()
    }

    fn sees_all(&self) -> bool {
        self.scope == Scope::default()
    }
}

/// Whether the verifier has a rule about edges of this kind.
fn is_verified(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Causal | EdgeKind::Blocks | EdgeKind::Extends)
}

/// Where something may be wrong after these steps, or may be so no longer; `read` is the store before them.
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
            // What was hidden comes back, or may come back.
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
        // What is left of a circle may be a smaller one, elsewhere on it.
        let left: Vec<Node> = left.into_iter().collect();
        nodes.extend(read.warnings_about(&left)?.into_iter().flat_map(|warning| warning.found.nodes));
    }
    Ok(nodes.into_iter().collect())
}

/// What changes of that which is kept about touched nodes.
pub(super) fn news_around(
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
        let are_circles = one.kind == WarningKind::CausalCycle && other.kind == WarningKind::CausalCycle;
        are_circles && one.nodes.iter().any(|node| other.nodes.binary_search(node).is_ok())
    };
    if cut {
        // A part of a circle may have been left out, so that what was found is no more than the beginning of
        // what is kept.
        found.retain(|finding| {
            !stored.iter().any(|kept| kept.found.id() == finding.id() || overlaps(&kept.found, finding))
        });
        return Ok(news(&stored, &found, &|_| false, now));
    }
    let touched: BTreeSet<Node> = touched.iter().copied().collect();
    let is_over = |kept: &Finding| {
        kept.nodes.iter().any(|node| touched.contains(node))
            || found.iter().any(|finding| overlaps(kept, finding))
    };
    Ok(news(&stored, &found, &is_over, now))
}

/// What was found and is not kept as it is, and what is kept, was not found, and is over.
fn news(
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

/// The edges of all of these, ascending.
fn edges_of(stored: &[Warning], found: &[Finding]) -> Vec<u32> {
    let kept = stored.iter().flat_map(|warning| &warning.found.edges);
    let numbers: BTreeSet<u32> =
        kept.chain(found.iter().flat_map(|finding| &finding.edges)).copied().collect();
    numbers.into_iter().collect()
}
