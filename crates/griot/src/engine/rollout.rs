//! Which strategy answers a recall, what is counted of it, and the verbs around that: `rollout`, `feedback`.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::recorder::Event;
use super::{
    Engine, FeedbackRequest, FeedbackTaken, GraphStatus, Hub, HubQuery, ModeSet, RolloutReport, naming,
};
use crate::model::{Error, Memory, Node, Result, Timestamp, mark_of_user};
use crate::recall::{Query, Recall};
use crate::rollout::{
    self, Answered, Ask, Decision, Fallback, Feedback, Gate, GateState, Incident, JudgedAnswer, JudgedQuery,
    Judgement, Made, Mode, ModeChange, Standing, Strategy, Tally, alarms, closed_before, decide, overlap,
    plan, relevance, window_start,
};

/// The gate as it was worked out last. Windows that have ended change only by what other processes write
/// late.
#[derive(Default)]
pub(super) struct GateCache(Mutex<Option<(GateKey, GateState)>>);

/// Window, minute, and since when evidence counts.
type GateKey = (Timestamp, i64, Timestamp);

/// What is allowed now.
struct Permit {
    mode: Mode,
    gate: Option<GateState>,
    /// Set if that could not be read.
    unknown: Option<Error>,
}

impl Engine {
    /// The heart: see [`crate::recall::recall`]. A store without vectors answers by words; a store with
    /// another model's vectors is an error that names the command that embeds again. Whether the graph has
    /// its say is decided by the workspace's mode (see [`crate::rollout`]) and said in `Recall::made`.
    pub fn recall(&self, query: &Query) -> Result<Recall> {
        let asked = self.asked(query)?;
        let now = self.now();
        let settings = &self.settings.rollout;
        let window = window_start(now, settings.window_ms());
        let permit = self.permit(now, window);
        let strategy = if query.graph { query.strategy } else { Some(Strategy::Baseline) };
        let ask = Ask { strategy, question: &query.text };
        let mut decision = decide(
            &ask,
            permit.mode,
            permit.gate.unwrap_or_default(),
            self.settings.recall.graph,
            settings.canary_percent,
            settings.probe_percent,
            window.0,
        );
        if permit.unknown.is_some() && decision.requested == Strategy::HybridGraph {
            let held = Some(Fallback::RolloutGuardrail);
            decision = Decision {
                applied: Strategy::Baseline,
                fallback: held,
                shadow: false,
                probe: false,
                ..decision
            };
        }

        let began = Instant::now();
        let mut answer = self.answer(query, &asked, decision.applied)?;
        let mut tally = Tally { requests: 1.0, ..Tally::default() };
        time(&mut tally, &answer.made, began);
        let failed = |recall: &Recall| recall.missing.last().cloned().unwrap_or_default();
        let mut incident = None;
        let note = |message: String, reason, shadow| Some(Incident { at: now, reason, message, shadow });
        if let Some(error) = &permit.unknown {
            incident = note(error.to_string(), Fallback::RolloutGuardrail, false);
        }
        if answer.made.fallback == Some(Fallback::GraphExpansionError) {
            incident = note(failed(&answer), Fallback::GraphExpansionError, false);
        }
        if decision.shadow {
            let began = Instant::now();
            // Whatever becomes of it, the answer stands.
            match self.answer(query, &asked, Strategy::HybridGraph) {
                Ok(shadow) if shadow.made.fallback.is_none() => {
                    time(&mut tally, &shadow.made, began);
                    answer.made.graph_candidates = shadow.made.graph_candidates;
                    answer.made.expanded = shadow.made.expanded;
                    tally.compared = 1.0;
                    tally.overlap = overlap(&nodes(&answer), &nodes(&shadow));
                }
                Ok(shadow) => incident = note(failed(&shadow), Fallback::GraphExpansionError, true),
                Err(error) => incident = note(error.to_string(), Fallback::GraphExpansionError, true),
            }
            tally.shadow_executions = 1.0;
            tally.shadow_errors = f64::from(incident.as_ref().is_some_and(|i| i.shadow));
        }
        let fallback = answer.made.fallback.or(decision.fallback);
        // A view of one user asks for that user, whatever the question says.
        let asker = self.scope.user.as_deref().or(query.scope.user.as_deref());
        answer.made = Made {
            id: answer_id(query, asker, &answer),
            mode: permit.mode,
            requested: decision.requested,
            selection: decision.selection,
            fallback,
            gate: permit.gate,
            probe: decision.probe,
            shadow: decision.shadow,
            ..answer.made
        };
        count(&mut tally, &answer.made);
        let answered = Answered {
            id: answer.made.id.clone(),
            at: now,
            applied: answer.made.applied,
            asker: asker.map(mark_of_user),
            memories: answer.results.iter().map(|r| (r.memory.node, !r.path.is_empty())).collect(),
        };
        self.recorder.push(Event { at: now, tally, answered: Some(answered), incident, fallback });
        Ok(answer)
    }

    fn permit(&self, now: Timestamp, window: Timestamp) -> Permit {
        let standing = match self.backend.standing() {
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
        let ledger = self.backend.ledger(limits.window_ms())?;
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
        let ledger = self.backend.ledger(limits.window_ms())?;
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
        let health = self.backend.graph_health(rollout.now, &entities)?;
        Ok(GraphStatus { counts: self.live_counts()?, health, hubs, rollout })
    }

    /// Sets the mode. A mode that lets the graph answer more than now is refused while the gate is not open,
    /// unless it is forced; forcing starts the evidence anew.
    pub fn set_mode(&self, mode: Mode, by: &str, force: bool) -> Result<ModeSet> {
        let now = self.now();
        self.settle(now)?;
        let limits = &self.settings.rollout;
        let mut refused = None;
        self.backend.set_mode(limits.window_ms(), &mut |ledger| {
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
            None => Ok(ModeSet::Set(self.backend.standing()?)),
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
            let baseline = self.answer(&ask, &asked, Strategy::Baseline)?;
            let graph = self.answer(&ask, &asked, Strategy::HybridGraph)?;
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
        for one in self.backend.credit(&feedback)? {
            let row =
                one.memory.map(|node| read.memories(&[node])).transpose()?.and_then(|mut rows| rows.pop());
            credited.push((row.map(|memory: Memory| (memory.id, memory.handle)), one));
        }
        Ok(FeedbackTaken { good: request.good, credited })
    }
}

fn nodes(recall: &Recall) -> Vec<Node> {
    recall.results.iter().map(|result| result.memory.node).collect()
}

fn time(tally: &mut Tally, made: &Made, began: Instant) {
    let milliseconds = began.elapsed().as_secs_f64() * 1e3;
    match made.applied {
        Strategy::HybridGraph => (tally.graph_ms, tally.graph_timed) = (milliseconds, 1.0),
        // With the time of a graph that failed in it, it would say nothing about the baseline.
        Strategy::Baseline if made.fallback.is_none() => {
            (tally.baseline_ms, tally.baseline_timed) = (milliseconds, 1.0);
        }
        Strategy::Baseline => {}
    }
}

/// What an answer is counted as.
fn count(tally: &mut Tally, made: &Made) {
    let when = f64::from;
    tally.hybrid_requested = when(made.requested == Strategy::HybridGraph);
    let applied = made.applied == Strategy::HybridGraph;
    tally.hybrid_applied = when(applied);
    tally.canary_applied = when(applied && made.mode == Mode::Canary);
    tally.probes = when(made.probe && applied);
    match made.fallback {
        None => {}
        Some(Fallback::FeatureFlagDisabled) => tally.held_feature_flag = 1.0,
        Some(Fallback::RolloutOff) => tally.held_rollout_off = 1.0,
        Some(Fallback::ShadowMode) => tally.held_shadow_mode = 1.0,
        Some(Fallback::QualityGateBlocked) => tally.held_quality_gate = 1.0,
        Some(Fallback::GraphExpansionError) => tally.graph_errors = 1.0,
        Some(Fallback::RolloutGuardrail) => tally.guardrails = 1.0,
    }
    if applied || made.shadow && tally.shadow_errors == 0.0 {
        tally.baseline_candidates = made.baseline_candidates as f64;
        tally.graph_candidates = made.graph_candidates as f64;
        tally.expanded = made.expanded as f64;
        tally.covered = when(made.expanded > 0);
    }
}

/// The same question to the same revision by the same strategy has the same id.
fn answer_id(query: &Query, asker: Option<&str>, answer: &Recall) -> String {
    let scope = |part: &Option<String>| part.clone().unwrap_or_default();
    let parts = [
        query.text.trim().to_string(),
        asker.unwrap_or_default().to_string(),
        scope(&query.scope.project),
        query.limit.to_string(),
        answer.revision.0.to_string(),
        answer.made.applied.name().to_string(),
        query.reach.map(|reach| format!("{}\0{}", reach.hops, reach.memories)).unwrap_or_default(),
    ];
    let hash = blake3::hash(parts.join("\0").as_bytes());
    let digits: String = hash.as_bytes().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    format!("q-{digits}")
}
