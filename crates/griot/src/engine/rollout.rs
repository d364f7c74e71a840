//! Chooses and counts the strategy of recalls; the verbs `rollout` and `feedback`.

use std::sync::{Mutex, PoisonError};

use super::{Engine, FeedbackRequest, FeedbackTaken, GraphStatus, Hub, HubQuery, ModeSet, naming};
use crate::model::{Error, Memory, Node, Result, Timestamp, mark_of_user};
use crate::recall::{Query, Recall};
use crate::rollout::{
    self, GateState, JudgedAnswer, JudgedQuery, Judgement, Measures, Mode, ModeChange, Permit, Report,
    Standing, Strategy, Tally, closed_before, credit, relevance, report,
};

/// The gate as last computed. Closed windows change only through late writes of other processes.
#[derive(Default)]
pub(super) struct GateCache(Mutex<Option<(GateKey, GateState)>>);

/// Start of the open window, minute, and start of the evidence.
type GateKey = (Timestamp, i64, Timestamp);

impl Engine {
    pub(super) fn permit(&self, now: Timestamp, window: Timestamp) -> Permit {
        let standing = match self.backend.telemetry().standing() {
            Ok(standing) => standing,
            Err(error) => return Permit { unknown: Some(error), ..Permit::default() },
        };
        let permit = Permit { mode: standing.mode, ..Permit::default() };
        if standing.mode != Mode::Canary {
            return permit;
        }
        match self.gate_state(now, window, &standing) {
            Ok(gate) => Permit { gate: Some(gate), ..permit },
            Err(error) => Permit { unknown: Some(error), ..permit },
        }
    }

    fn gate_state(&self, now: Timestamp, window: Timestamp, standing: &Standing) -> Result<GateState> {
        const MINUTE: i64 = 60_000;
        let key = (window, now.0.div_euclid(MINUTE), standing.evidence_from);
        let mut cache = self.gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, state)) = &*cache
            && *known == key
        {
            return Ok(*state);
        }
        let limits = &self.settings.rollout;
        let ledger = self.backend.telemetry().ledger(limits.window_ms())?;
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
        let ledger = self.backend.telemetry().ledger(self.settings.rollout.window_ms())?;
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
        let rollout = self.rollout()?;
        let hubs: Vec<Hub> = self.hubs(HubQuery { kind: None, limit: top })?;
        let entities: Vec<Node> = hubs.iter().map(|hub| hub.entity.node).collect();
        let health = self.backend.telemetry().graph_health(rollout.now, &entities)?;
        Ok(GraphStatus { counts: self.live_counts()?, health, hubs, rollout })
    }

    /// Sets the mode. Refuses a mode that gives the graph more requests than now while the gate is not open,
    /// unless forced; forcing discards earlier evidence.
    pub fn set_mode(&self, mode: Mode, by: &str, force: bool) -> Result<ModeSet> {
        // Another process may set the mode between reading and writing; then its mode is judged anew.
        loop {
            if let Some(set) = self.try_set_mode(mode, by, force)? {
                return Ok(set);
            }
        }
    }

    /// `None` if another process set the mode meanwhile.
    fn try_set_mode(&self, mode: Mode, by: &str, force: bool) -> Result<Option<ModeSet>> {
        let report = self.rollout()?;
        if let Some(reasons) = report.refuses(mode).filter(|_| !force) {
            return Ok(Some(ModeSet::Refused {
                mode,
                reasons,
                status: report.gate.verdict.status,
                window_hours: report.limits.window_hours,
            }));
        }
        let (telemetry, before) = (self.backend.telemetry(), &report.ledger.standing);
        if mode != before.mode || force || before.updated_at.is_none() {
            let change = ModeChange { mode, at: report.now, by: by.to_string(), forced: force };
            if !telemetry.set_mode(&change, before)? {
                return Ok(None);
            }
        }
        Ok(Some(ModeSet::Set(telemetry.standing()?)))
    }

    /// Runs labelled questions with both strategies and counts the relevance of each.
    pub fn judge(&self, queries: &[JudgedQuery]) -> Result<Judgement> {
        if queries.is_empty() {
            return Err(Error::invalid("judge the graph", "there is no question"));
        }
        self.backend.refresh()?;
        let now = self.now();
        let (mut judgement, mut tally) = (Judgement::default(), Tally::default());
        // Resolve all names first, so that an unknown one leaves no partial counts.
        let mut wanted = Vec::with_capacity(queries.len());
        for query in queries {
            let read = self.backend.as_ref();
            let nodes = query
                .relevant
                .iter()
                .map(|name| naming::memory(read, name))
                .collect::<Result<Vec<Node>>>()?;
            if nodes.is_empty() {
                let what = format!("judge the question `{}`", query.query);
                return Err(Error::invalid(what, "it names no memory that should be found"));
            }
            wanted.push(nodes);
        }
        for (query, wanted) in queries.iter().zip(wanted) {
            let ask = Query { scope: query.scope.clone(), ..Query::new(query.query.clone(), now) };
            let asked = self.asked(&ask)?;
            let baseline = self.run_strategy(&ask, &asked, Strategy::Baseline)?;
            let graph = self.run_strategy(&ask, &asked, Strategy::HybridGraph)?;
            let of_baseline = relevance(&nodes(&baseline), &wanted);
            let of_graph = graph.made.fallback.is_none().then(|| relevance(&nodes(&graph), &wanted));
            match of_graph {
                Some(reached) => {
                    tally.judged += 1.0;
                    tally.judged_baseline_ndcg += of_baseline.ndcg;
                    tally.judged_baseline_recall += of_baseline.recall;
                    tally.judged_graph_ndcg += reached.ndcg;
                    tally.judged_graph_recall += reached.recall;
                }
                None => {
                    tally.shadow_executions += 1.0;
                    tally.shadow_errors += 1.0;
                }
            }
            judgement.answers.push(JudgedAnswer {
                query: query.query.clone(),
                baseline: of_baseline,
                graph: of_graph,
            });
        }
        self.recorder.push(Measures::at(now, self.settings.rollout.window_ms(), tally));
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
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let mut memories = Vec::new();
        for name in &request.memories {
            let node = naming::memory(read, name)?;
            if !memories.contains(&node) {
                memories.push(node);
            }
        }
        self.settle()?;
        let of = self.scope.user.as_deref().map(mark_of_user);
        let telemetry = self.backend.telemetry();
        let ledger = telemetry.ledger(self.settings.rollout.window_ms())?;
        let credits = credit(&ledger.answers, request.answer.as_deref(), &memories, of)?;
        telemetry.keep_feedback(&credits, request.good, self.now())?;
        let mut credited = Vec::new();
        for one in credits {
            let row =
                one.memory.map(|node| read.memories(&[node])).transpose()?.and_then(|mut rows| rows.pop());
            credited.push((row.map(|memory: Memory| (memory.id, memory.handle)), one));
        }
        Ok(FeedbackTaken { good: request.good, credited })
    }
}

pub(super) fn nodes(recall: &Recall) -> Vec<Node> {
    recall.results.iter().map(|result| result.memory.node).collect()
}
