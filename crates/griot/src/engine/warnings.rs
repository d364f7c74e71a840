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

use std::collections::BTreeMap;

use super::Engine;
use crate::backend::{Read, Store};
use crate::graph;
use crate::model::{
    Acknowledged, Change, ChangeSet, Error, ErrorKind, Finding, Node, Result, Scope, Timestamp, Warning,
    WarningId,
};
use crate::remember::warnings::{changed_warnings, changes_around, edges_of, nodes_to_verify};

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
        let note = note.map(str::trim).filter(|note| !note.is_empty());
        if note.is_some_and(|note| note.chars().count() > NOTE) {
            let what = format!("acknowledge the warning `{}`", id.trim());
            return Err(Error::invalid(what, format!("the note is longer than {NOTE} characters")));
        }
        let note = note.map(str::to_string);
        self.settle_warning(id, Some(Acknowledged { at: self.now(), by: by.to_string(), note }))
    }

    /// Takes an acknowledgement back: the warning is reported again.
    pub fn unacknowledge(&self, id: &str) -> Result<Warning> {
        self.settle_warning(id, None)
    }

    fn settle_warning(&self, id: &str, acknowledged: Option<Acknowledged>) -> Result<Warning> {
        let doing = if acknowledged.is_some() { "acknowledge" } else { "reopen" };
        let what = format!("{doing} the warning `{}`", id.trim());
        self.refuse_part(&what)?;
        let hint = "griot verify --list";
        let wanted = WarningId::parse(id).ok_or_else(|| {
            Error::invalid(what.clone(), "the id of a warning looks like `w-3f2a90c1d4e5`").hint(hint)
        })?;
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
            let first_seen = first_seen.unwrap_or(now);
            let warning = Warning { found, first_seen, acknowledged: acknowledged.clone() };
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

    pub(super) fn sees_all(&self) -> bool {
        self.scope == Scope::default()
    }
}
