//! The verb `recall`: what an answer needs, which strategy gives it, and what is counted of it.

use std::time::Instant;

use super::Engine;
use super::recorder::Event;
use super::rollout::nodes;
use crate::backend::Head;
use crate::embed::Embedder;
use crate::model::{Error, ErrorKind, Result, mark_of_user};
use crate::recall::{self, Context, Forest, Query, Recall};
use crate::rollout::{
    Answered, Ask, Decision, Fallback, Incident, Made, Mode, Strategy, Tally, decide, overlap, window_start,
};
use crate::settings::Settings;

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
        let mut answer = self.run_strategy(query, &asked, decision.applied)?;
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
            match self.run_strategy(query, &asked, Strategy::HybridGraph) {
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

    /// What an answer needs besides the store, once for all strategies.
    pub(super) fn asked(&self, query: &Query) -> Result<Asked<'_>> {
        let head = self.backend.refresh()?;
        if query.text.trim().is_empty() {
            return Err(Error::invalid("recall", "the question is empty")
                .hint("griot recall \"what did we decide?\""));
        }
        if query.limit == 0 {
            return Err(Error::invalid("recall", "the limit is 0, so nothing can be returned"));
        }
        let trees = self.trees.get_or_init(|| RankingTrees::of(self.embedder.as_ref(), &self.settings));
        let mut missing: Vec<String> = trees.missing.iter().cloned().collect();
        let vector = if self.can_compare(&head)? {
            match self.embedder.embed(&[recall::subject(query).as_str()]) {
                Ok(mut vectors) => vectors.pop().flatten(),
                Err(error) => {
                    missing.push(format!("vectors were not used: {error}"));
                    None
                }
            }
        } else {
            if head.next.memory > 1 {
                missing.push(
                    "vectors were not used: no memory has one (`griot reindex --embed` makes them)"
                        .to_string(),
                );
            }
            None
        };
        Ok(Asked { head, vector, missing, forest: trees.forest.as_ref() })
    }

    /// The answer by one strategy, whatever the workspace's mode.
    pub(super) fn run_strategy(
        &self,
        query: &Query,
        asked: &Asked<'_>,
        strategy: Strategy,
    ) -> Result<Recall> {
        let context = Context {
            head: &asked.head,
            vector: asked.vector.as_deref(),
            settings: &self.settings,
            ranker: &self.ranker,
            forest: asked.forest,
            missing: asked.missing.clone(),
            strategy,
        };
        recall::recall(self.backend.as_ref(), query, &context)
    }

    pub(super) fn has_vectors(&self) -> Result<bool> {
        self.can_compare(&self.backend.head()?)
    }

    /// False before the first vector; an error if another model made them.
    fn can_compare(&self, head: &Head) -> Result<bool> {
        match &head.model {
            None => Ok(false),
            Some((model, _)) if model.as_str() == self.embedder.name() => Ok(true),
            Some((model, _)) => Err(Error::new(
                ErrorKind::Unavailable,
                "compare vectors",
                format!(
                    "the store's were made by `{model}`, the embedder in use is `{}`",
                    self.embedder.name()
                ),
            )
            .hint("griot reindex --embed")),
        }
    }
}

/// A question's vector, and what could not be had.
pub(super) struct Asked<'a> {
    head: Head,
    vector: Option<Vec<f32>>,
    missing: Vec<String>,
    forest: Option<&'a Forest>,
}

/// The ranking trees that the settings name, or those of the embedder.
pub(super) struct RankingTrees {
    /// `None` leaves the order to the weighted sum.
    forest: Option<Forest>,
    /// What could not be used, and why.
    missing: Option<String>,
}

impl RankingTrees {
    fn of(embedder: &dyn Embedder, settings: &Settings) -> Self {
        let mut missing = None;
        let path = &settings.recall.ranker;
        if !path.is_empty() {
            let read = std::fs::read_to_string(path).map_err(|error| {
                Error::unavailable(format!("read the ranking trees in {path}"), error.to_string())
            });
            match read.and_then(|text| Forest::parse(&text)) {
                Ok(forest) => return Self { forest: Some(forest), missing },
                Err(error) => {
                    missing = Some(format!("the built-in ranking trees were used instead: {error}"))
                }
            }
        }
        match embedder.ranking_trees().map_or_else(Forest::built_in, Forest::parse) {
            Ok(forest) => Self { forest: Some(forest), missing },
            Err(error) => {
                let missing = Some(format!("results are ranked by the weighted sum alone: {error}"));
                Self { forest: None, missing }
            }
        }
    }
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
