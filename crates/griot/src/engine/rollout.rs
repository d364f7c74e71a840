//! Chooses and counts the strategy of recalls; the verbs `rollout` and `feedback`.

use std::sync::{Mutex, PoisonError};

use super::{Engine, FeedbackRequest, FeedbackTaken, GraphStatus, ModeRefused};
use crate::model::{Error, Node, Result, Timestamp, mark_of_user};
use crate::recall::{Query, Recall};
use crate::remember::naming;
use crate::rollout::{
    self, Credited, GateState, JudgedAnswer, JudgedQuery, Judgement, Measures, Mode, Permit, Report,
    Standing, Strategy, closed_before, credit, relevance, report,
};

/// The gate as last computed. Closed windows change only through late writes of other processes.
pub(super) type GateCache = Mutex<Option<(GateKey, GateState)>>;

/// Start of the open window, minute, and start of the evidence.
type GateKey = (Timestamp, i64, Timestamp);

impl Engine {
    pub(super) fn permit(&self, now: Timestamp, window: Timestamp) -> Permit {
        let mut permit = Permit::default();
        let mut read = || -> Result<()> {
            let standing = self.whole.telemetry().standing()?;
            permit.mode = standing.mode;
            if standing.mode == Mode::Canary {
                permit.gate = Some(self.gate_state(now, window, &standing)?);
            }
            Ok(())
        };
        let failed = read().err();
        Permit { unknown: failed, ..permit }
    }

    fn gate_state(&self, now: Timestamp, window: Timestamp, standing: &Standing) -> Result<GateState> {
        const MINUTE: i64 = 60_000;
        let key = (window, now.0.div_euclid(MINUTE), standing.evidence_from);
        let mut cache = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, state)) = *cache
            && known == key
        {
            return Ok(state);
        }
        let limits = &self.settings.rollout;
        let ledger = self.whole.telemetry().ledger(limits.window_ms())?;
        let closed = closed_before(&ledger.windows, now, ledger.standing.evidence_from);
        let state = rollout::gate(&closed, window, limits).state;
        *cache = Some((key, state));
        Ok(state)
    }

    /// Writes all pending measures now; closing does the same.
    pub fn flush_measures(&self) -> Result<()> {
        self.recorder.flush()
    }

    /// The state of the rollout: mode, windows, gate, goals, alarms.
    pub fn rollout(&self) -> Result<Report> {
        self.settle()?;
        let ledger = self.whole.telemetry().ledger(self.settings.rollout.window_ms())?;
        Ok(report(ledger, self.now(), &self.settings))
    }

    /// Writes pending measures. A busy or read-only store does not prevent an answer.
    fn settle(&self) -> Result<()> {
        use crate::model::ErrorKind::{Conflict, Unavailable};
        match self.flush_measures() {
            Err(error) if !matches!(error.kind, Conflict | Unavailable) => Err(error),
            _ => Ok(()),
        }
    }

    /// The rollout together with statistics of the graph: counts, the best connected entities.
    pub fn graph_status(&self, top: usize) -> Result<GraphStatus> {
        const ALL: usize = usize::MAX >> 1;
        let rollout = self.rollout()?;
        let hubs = self.hubs(None, &[], top)?;
        let entities: Vec<Node> = hubs.iter().map(|hub| hub.entity.node).collect();
        let ends = self.whole.telemetry().edge_ends(rollout.now, &entities)?;
        let connected = self.whole.hubs(None, ALL, Some(rollout.now))?.len() as u64;
        let orphan_entities = self.whole.counts()?.entities.saturating_sub(connected);
        Ok(GraphStatus { counts: self.live_counts()?, orphan_entities, hubs, ends, rollout })
    }

    /// Sets the mode and returns `None`. Refuses a mode that gives the graph more requests than now while the
    /// gate is not open, unless forced; forcing discards earlier evidence.
    pub fn set_mode(&self, mode: Mode, by: &str, force: bool) -> Result<Option<ModeRefused>> {
        loop {
            let report = self.rollout()?;
            if let Some(reasons) = report.refuses(mode).filter(|_| !force) {
                let (status, window_hours) = (report.gate.verdict.status, report.limits.window_hours);
                return Ok(Some(ModeRefused { mode, reasons, status, window_hours }));
            }
            let before = &report.ledger.standing;
            let after = Standing {
                mode,
                updated_at: Some(report.now),
                updated_by: Some(by.to_string()),
                evidence_from: if force { report.now } else { before.evidence_from },
            };
            let is_set = mode == before.mode && before.updated_at.is_some() && !force;
            // If another process set the mode since it was read, that mode is judged anew.
            if is_set || self.whole.telemetry().set_mode(&after, before)? {
                return Ok(None);
            }
        }
    }

    /// The answers of the baseline and of the graph, whatever the workspace's mode. Neither is counted.
    pub fn both_strategies(&self, query: &Query) -> Result<(Recall, Recall)> {
        let asked = self.asked(query)?;
        let baseline = self.run_strategy(query, &asked, Strategy::Baseline)?;
        Ok((baseline, self.run_strategy(query, &asked, Strategy::HybridGraph)?))
    }

    /// Runs labelled questions with both strategies and counts the relevance of each.
    pub fn judge(&self, queries: &[JudgedQuery]) -> Result<Judgement> {
        if queries.is_empty() {
            return Err(Error::invalid("judge the graph", "there is no question"));
        }
        let read = self.read()?;
        let now = self.now();
        let relevant = |query: &JudgedQuery| -> Result<Vec<Node>> {
            if query.relevant.is_empty() {
                let what = format!("judge the question `{}`", query.query);
                return Err(Error::invalid(what, "it names no memory that should be found"));
            }
            query.relevant.iter().map(|name| naming::memory(read, name)).collect()
        };
        // Resolve all names first, so that an unknown one leaves no partial counts.
        let wanted: Vec<Vec<Node>> = queries.iter().map(relevant).collect::<Result<_>>()?;
        let mut judgement = Judgement::default();
        for (query, wanted) in queries.iter().zip(wanted) {
            let ask = Query { scope: query.scope.clone(), ..Query::new(query.query.clone(), now) };
            let asked = self.asked(&ask)?;
            let baseline = self.run_strategy(&ask, &asked, Strategy::Baseline)?;
            let graph = self.run_strategy(&ask, &asked, Strategy::HybridGraph)?;
            judgement.answers.push(JudgedAnswer {
                query: query.query.clone(),
                baseline: relevance(&nodes(&baseline), &wanted),
                graph: graph.made.fallback.is_none().then(|| relevance(&nodes(&graph), &wanted)),
            });
        }
        let width = self.settings.rollout.window_ms();
        self.recorder.push(Measures::at(now, width, judgement.tally()));
        self.flush_measures()?;
        Ok(judgement)
    }

    /// Records feedback on an answer or on memories. A caller confined to one user may only judge that user's
    /// answers; a memory counts for the user's own latest answer.
    pub fn feedback(&self, request: &FeedbackRequest) -> Result<FeedbackTaken> {
        if request.answer.is_none() && request.memories.is_empty() {
            return Err(Error::invalid("take feedback", "it names neither an answer nor a memory")
                .hint("griot feedback HANDLE --good"));
        }
        let read = self.read()?;
        let mut memories = Vec::new();
        for name in &request.memories {
            let node = naming::memory(read, name)?;
            if !memories.contains(&node) {
                memories.push(node);
            }
        }
        self.settle()?;
        let of = self.scope.user.as_deref().map(mark_of_user);
        let telemetry = self.whole.telemetry();
        let ledger = telemetry.ledger(self.settings.rollout.window_ms())?;
        let credits = credit(&ledger.answers, request.answer.as_deref(), &memories, of)?;
        telemetry.keep_feedback(&credits, request.good, self.now())?;
        let rows = read.memories(&memories)?;
        let named = |one: Credited| {
            let row = rows.iter().find(|memory| Some(memory.node) == one.memory);
            (row.map(|memory| (memory.id, memory.handle.clone())), one)
        };
        Ok(FeedbackTaken { good: request.good, credited: credits.into_iter().map(named).collect() })
    }
}

pub(super) fn nodes(recall: &Recall) -> Vec<Node> {
    recall.results.iter().map(|result| result.memory.node).collect()
}
