//! The verb `recall`: inputs of an answer, choice of the strategy, and counting.

use std::borrow::Cow;
use std::time::Instant;

use super::Engine;
use super::rollout::nodes;
use crate::backend::Head;
use crate::embed::{self, Embedder, StaticEmbedder};
use crate::model::{Error, ErrorKind, Memory, Result, mark_of_user};
use crate::recall::{self, Context, Missing, Query, Ranking, Recall, Relevance, Reranker};
use crate::rollout::{
    Answered, Fallback, Incident, Made, Measures, Strategy, Tally, decide, overlap, window_start,
};
use crate::settings::Settings;

impl Engine {
    /// Answers a question: see [`crate::recall::recall`]. A store without vectors answers by words, and so
    /// does one whose embedder fails or cannot be opened; `Recall::missing` says so. The workspace's mode
    /// decides whether the graph takes part (see [`crate::rollout`]); `Recall::made` reports it.
    pub fn recall(&self, query: &Query) -> Result<Recall> {
        let mut asked = self.asked(query)?;
        let (now, width) = (self.now(), self.settings.rollout.window_ms());
        let window = window_start(now, width);
        let permit = self.permit(now, window);
        let strategy = if query.graph { query.strategy } else { Some(Strategy::Baseline) };
        let decided = decide(strategy, &query.text, &permit, &self.settings, window);

        let mut tally = Tally { requests: 1.0, ..Tally::default() };
        self.rerank(query, &mut asked, decided.applied);
        // The time of a service elsewhere says nothing of the graph.
        let began = Instant::now();
        let mut answer = self.run_strategy(query, &asked, decided.applied)?;
        tally.took(&answer.made, milliseconds(began));
        let mut failure = permit.unknown.map(|error| (Fallback::RolloutGuardrail, error.to_string()));
        if let Some(reason) = answer.made.fallback {
            failure = Some((reason, last_missing(&answer)));
        }
        if decided.shadow
            && let Err(why) = self.run_in_shadow(query, &asked, &mut answer, &mut tally)
        {
            tally.shadow_errors = 1.0;
            failure = Some((Fallback::GraphExpansionError, why));
        }
        // A view of one user asks for that user, whatever the question's scope.
        let asker = self.scope.user.as_deref().or(query.scope.user.as_deref());
        let ran = &answer.made;
        answer.made = Made {
            id: answer_id(query, asker, &answer),
            applied: ran.applied,
            fallback: ran.fallback.or(decided.fallback),
            baseline_candidates: ran.baseline_candidates,
            graph_candidates: ran.graph_candidates,
            expanded: ran.expanded,
            ..decided
        };
        let made = &answer.made;
        tally.made(made);
        let incident = |(reason, message)| Incident { at: now, reason, message, shadow: made.shadow };
        let answered = Answered {
            id: made.id.clone(),
            at: now,
            applied: made.applied,
            asker: asker.map(mark_of_user),
            memories: answer.results.iter().map(|r| (r.memory.node, !r.path.is_empty())).collect(),
        };
        self.recorder.push(Measures {
            answered: vec![answered],
            incidents: failure.into_iter().map(incident).collect(),
            last_fallback: made.fallback.map(|reason| (now, reason)),
            ..Measures::at(now, width, tally)
        });
        Ok(answer)
    }

    /// Runs the graph in shadow, for its measures. The answer does not change, even if the graph fails.
    fn run_in_shadow(
        &self,
        query: &Query,
        asked: &Asked<'_>,
        answer: &mut Recall,
        tally: &mut Tally,
    ) -> std::result::Result<(), String> {
        let began = Instant::now();
        let graph =
            self.run_strategy(query, asked, Strategy::HybridGraph).map_err(|error| error.to_string())?;
        if graph.made.fallback.is_some() {
            return Err(last_missing(&graph));
        }
        tally.took(&graph.made, milliseconds(began));
        (tally.compared, tally.overlap) = (1.0, overlap(&nodes(answer), &nodes(&graph)));
        answer.made.graph_candidates = graph.made.graph_candidates;
        answer.made.expanded = graph.made.expanded;
        Ok(())
    }

    /// The inputs of an answer besides the store, shared by all strategies.
    pub(super) fn asked(&self, query: &Query) -> Result<Asked<'_>> {
        let head = self.backend.refresh()?;
        if query.text.trim().is_empty() {
            return Err(Error::invalid("recall", "the question is empty")
                .hint("griot recall \"what did we decide?\""));
        }
        if query.limit == 0 {
            return Err(Error::invalid("recall", "the limit is 0, so nothing can be returned"));
        }
        let chosen = match self.ranking.get() {
            Some(chosen) => chosen,
            None => {
                let chosen = ChosenRanking::of(&self.settings)?;
                self.ranking.get_or_init(|| chosen)
            }
        };
        let mut missing: Vec<Missing> = chosen.missing.iter().cloned().collect();
        let vector = self.vector_of(query, &head).unwrap_or_else(|error| {
            missing.push(not_used("vectors were not used", &error));
            None
        });
        if head.model.is_none() && head.next.memory > 1 {
            let why = "no memory has one (`griot reindex --embed` makes them)";
            missing.push(Missing::because("vectors were not used", why));
        }
        let naming = match head.model.as_ref().is_some_and(|(name, _)| name == StaticEmbedder::NAME) {
            true => vector.clone(),
            false => StaticEmbedder.embed_question(&recall::subject(query)).unwrap_or_default(),
        };
        Ok(Asked { head, vector, naming, missing, ranking: &chosen.ranking, relevance: Relevance::new() })
    }

    /// Asks the reranker, if there is one, about the best candidates of a strategy.
    fn rerank(&self, query: &Query, asked: &mut Asked<'_>, strategy: Strategy) {
        let Some(reranker) = &self.reranker else { return };
        match self.best(query, asked, strategy).and_then(|best| relevance(reranker.as_ref(), query, best)) {
            Ok(relevance) => asked.relevance = relevance,
            Err(error) => asked.missing.push(not_used("the reranker was not used", &error)),
        }
    }

    fn best(&self, query: &Query, asked: &Asked<'_>, strategy: Strategy) -> Result<Vec<Memory>> {
        let context = self.context(asked, strategy);
        let mut best = Vec::new();
        self.backend.at_once(&mut |read| {
            best = recall::best(read, query, &context)?;
            Ok(())
        })?;
        Ok(best)
    }

    fn context<'a>(&'a self, asked: &'a Asked<'_>, strategy: Strategy) -> Context<'a> {
        Context {
            head: &asked.head,
            vector: asked.vector.as_deref(),
            naming: asked.naming.as_deref(),
            settings: &self.settings,
            ranking: asked.ranking,
            relevance: &asked.relevance,
            missing: asked.missing.clone(),
            strategy,
        }
    }

    /// The answer of one strategy, whatever the workspace's mode.
    pub(super) fn run_strategy(
        &self,
        query: &Query,
        asked: &Asked<'_>,
        strategy: Strategy,
    ) -> Result<Recall> {
        let context = self.context(asked, strategy);
        let mut answer = None;
        self.backend.at_once(&mut |read| {
            answer = Some(recall::recall(read, query, &context)?);
            Ok(())
        })?;
        answer.ok_or_else(|| Error::new(ErrorKind::Bug, "recall", "the store showed nothing"))
    }
}

/// The head of the store, the question's vector, and the parts that failed.
pub(super) struct Asked<'a> {
    head: Head,
    pub(super) vector: Option<Vec<f32>>,
    naming: Option<Vec<f32>>,
    missing: Vec<Missing>,
    ranking: &'a Ranking,
    /// What a reranker said; empty without one.
    relevance: Relevance,
}

/// What a reranker says about memories. An error also if it may not see enough of them.
fn relevance(reranker: &dyn Reranker, query: &Query, mut memories: Vec<Memory>) -> Result<Relevance> {
    /// One alone has no order.
    const FEWEST: usize = 2;
    if memories.len() < FEWEST {
        return Ok(Relevance::new());
    }
    memories.retain(|memory| memory.scope.user.is_none() || reranker.takes_private_texts());
    if memories.len() < FEWEST {
        return Err(Error::unavailable("rerank", "texts that belong to a user are not sent")
            .hint("griot config set model.private_texts true, if they may be"));
    }
    let texts: Vec<String> =
        memories.iter().map(|memory| embed::embedded(&memory.heading, &memory.text)).collect();
    let relevance = reranker.relevance(query.question(), &texts)?;
    if relevance.len() != texts.len() || relevance.iter().any(|one| !one.is_finite()) {
        let why = format!("it gave {} numbers for {} texts, or none", relevance.len(), texts.len());
        return Err(Error::new(ErrorKind::Bug, "rerank", why));
    }
    Ok(memories.iter().map(|memory| memory.node).zip(relevance).collect())
}

fn not_used(part: &str, error: &Error) -> Missing {
    let hint = error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    Missing::because(part, format!("{error}{hint}"))
}

/// The ranking from the settings, or the built-in one.
pub(super) struct ChosenRanking {
    ranking: Cow<'static, Ranking>,
    /// Why it is not the one from the settings.
    missing: Option<Missing>,
}

impl ChosenRanking {
    fn of(settings: &Settings) -> Result<Self> {
        let built_in = Ranking::built_in;
        let path = &settings.recall.ranker;
        if path.is_empty() {
            return Ok(Self { ranking: Cow::Borrowed(built_in()?), missing: None });
        }
        let read = std::fs::read_to_string(path)
            .map_err(|error| Error::unavailable(format!("read the ranking in {path}"), error.to_string()));
        match read.and_then(|text| Ranking::parse(&text)) {
            Ok(ranking) => Ok(Self { ranking: Cow::Owned(ranking), missing: None }),
            Err(error) => {
                let missing = Some(Missing::because("the built-in ranking was used instead", error));
                Ok(Self { ranking: Cow::Borrowed(built_in()?), missing })
            }
        }
    }
}

fn milliseconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// The reason why the graph failed, as in the answer.
fn last_missing(recall: &Recall) -> String {
    recall.missing.last().map(Missing::to_string).unwrap_or_default()
}

/// A deterministic id: the same question, revision and strategy give the same id.
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
