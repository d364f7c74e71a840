//! Which strategy answers a recall, what is counted of it, and the verbs around that: `rollout`, `feedback`.

use std::sync::{Mutex, PoisonError};

use super::recorder::Event;
use super::{
    Engine, FeedbackRequest, FeedbackTaken, GraphStatus, Hub, HubQuery, ModeSet, RolloutReport, naming,
};
use crate::model::{Error, Memory, Node, Result, Timestamp, mark_of_user};
use crate::recall::{Query, Recall};
use crate::rollout::{
    self, Feedback, Gate, GateState, JudgedAnswer, JudgedQuery, Judgement, Mode, ModeChange, Standing,
    Strategy, Tally, alarms, closed_before, plan, relevance, window_start,
};

/// The gate as it was worked out last. Windows that have ended change only by what other processes write
/// late.
#[derive(Default)]
pub(super) struct GateCache(Mutex<Option<(GateKey, GateState)>>);

/// Window, minute, and since when evidence counts.
type GateKey = (Timestamp, i64, Timestamp);

/// What is allowed now.
pub(super) struct Permit {
    pub mode: Mode,
    pub gate: Option<GateState>,
    /// Set if that could not be read.
    pub unknown: Option<Error>,
}

impl Engine {
    pub(super) fn permit(&self, now: Timestamp, window: Timestamp) -> Permit {
        let standing = match self.backend.telemetry().standing() {
            Ok(standing) => standing,
            Err(error) => return Permit { mode: Mode::default(), gate: None, unknown: Some(error) },
        };
        if standing.mode != Mode::Canary {
            return Permit { mode: standing.mode, gate: None, unknown: None };
        }
        match self.gate_state(now, window, &standing) {
            Ok(gate) => Permit { mode: standing.mode, gate: Some(gate), unknown: None },
            Err(error) => Permit { mode: standing.mode, gate: None, unknown: Some(error) },
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
        let state = self.gate(now)?.state;
        *cache = Some((key, state));
        Ok(state)
    }

    fn gate(&self, now: Timestamp) -> Result<Gate> {
        let limits = &self.settings.rollout;
        let ledger = self.backend.telemetry().ledger(limits.window_ms())?;
        let closed = closed_before(&ledger.windows, now, ledger.standing.evidence_from);
        Ok(rollout::gate(&closed, window_start(now, limits.window_ms()), limits))
    }

    /// Writes down now what was counted so far; closing does the same.
    pub fn flush_measures(&self) -> Result<()> {
        self.recorder.flush()
    }

    /// How the rollout stands: mode, windows, gate, plan, alarms. The autopilot takes its step first, if one
    /// is due.
    pub fn rollout(&self) -> Result<RolloutReport> {
        let now = self.now();
        self.settle(now)?;
        let limits = &self.settings.rollout;
        let ledger = self.backend.telemetry().ledger(limits.window_ms())?;
        let open = window_start(now, limits.window_ms());
        let plan = plan(&ledger, now, limits);
        let mut recent = Tally::default();
        let from = open.0.saturating_sub(limits.window_ms());
        ledger
            .windows
            .iter()
            .filter(|window| window.start.0 >= from)
            .for_each(|window| recent.add(&window.tally));
        let alarms = alarms(&recent, &plan, limits);
        Ok(RolloutReport {
            now,
            enabled: self.settings.recall.graph,
            limits: limits.clone(),
            open: ledger
                .windows
                .iter()
                .find(|window| window.start == open)
                .map(|w| w.tally)
                .unwrap_or_default(),
            recent,
            plan,
            alarms,
            ledger,
        })
    }

    /// What was counted is written; the autopilot has looked. Neither is possible in a store that is only
    /// read, and both can wait.
    fn settle(&self, now: Timestamp) -> Result<()> {
        use crate::model::ErrorKind::{Conflict, Unavailable};
        let settled = self.flush_measures().and_then(|()| self.recorder.pilot(now));
        settled
            .or_else(|error| if matches!(error.kind, Conflict | Unavailable) { Ok(()) } else { Err(error) })
    }

    /// The rollout with the graph that it is about: counts, the best connected entities.
    pub fn graph_status(&self, top: usize) -> Result<GraphStatus> {
        let rollout = self.rollout()?;
        let hubs: Vec<Hub> = self.hubs(HubQuery { kind: None, limit: top })?;
        let entities: Vec<Node> = hubs.iter().map(|hub| hub.entity.node).collect();
        let health = self.backend.telemetry().graph_health(rollout.now, &entities)?;
        Ok(GraphStatus { counts: self.live_counts()?, health, hubs, rollout })
    }

    /// Sets the mode. A mode that lets the graph answer more than now is refused while the gate is not open,
    /// unless it is forced; forcing starts the evidence anew.
    pub fn set_mode(&self, mode: Mode, by: &str, force: bool) -> Result<ModeSet> {
        let now = self.now();
        self.settle(now)?;
        let limits = &self.settings.rollout;
        let mut refused = None;
        self.backend.telemetry().set_mode(limits.window_ms(), &mut |ledger| {
            let plan = plan(ledger, now, limits);
            if let Some(reasons) = rollout::refusal(&plan, mode).filter(|_| !force) {
                refused = Some(ModeSet::Refused {
                    mode,
                    reasons,
                    status: plan.gate.verdict.status,
                    window_hours: limits.window_hours,
                });
                return Ok(None);
            }
            let news = mode != ledger.standing.mode || force || ledger.standing.updated_at.is_none();
            Ok(news.then(|| ModeChange { mode, at: now, by: by.to_string(), forced: force }))
        })?;
        match refused {
            Some(refused) => Ok(refused),
            None => Ok(ModeSet::Set(self.backend.telemetry().standing()?)),
        }
    }

    /// Asks judged questions both ways, and counts what each strategy reached.
    pub fn judge(&self, queries: &[JudgedQuery]) -> Result<Judgement> {
        if queries.is_empty() {
            return Err(Error::invalid("judge the graph", "there is no question"));
        }
        self.backend.refresh()?;
        let now = self.now();
        let (mut judgement, mut tally) = (Judgement::default(), Tally::default());
        // Every name is looked up first, so that a wrong one leaves nothing half counted.
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
        self.recorder.push(Event { at: now, tally, ..Event::default() });
        self.flush_measures()?;
        Ok(judgement)
    }

    /// Takes what somebody says of an answer or of memories. Whoever sees what is one user's speaks of that
    /// user's answers alone: another's are refused, and a memory counts for the latest answer that was their
    /// own.
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
        self.settle(self.now())?;
        let of = self.scope.user.as_deref().map(mark_of_user);
        let feedback =
            Feedback { answer: request.answer.clone(), memories, of, good: request.good, at: self.now() };
        let mut credited = Vec::new();
        for one in self.backend.telemetry().credit(&feedback)? {
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
