//! The log of recalls, and its questions asked with both strategies.

use griot::text::excerpt;

use crate::Time;

/// The longest text of a result that is shown for recognition.
const EXCERPT: usize = 120;
/// The first results, which are compared.
pub const COMPARED: usize = 10;

objects! {
    /// The answer to `recalls`.
    RecallLog {
        /// Whether recalls are logged (the setting `log.recalls`).
        enabled: bool,
        /// For how many days an entry is kept (the setting `log.recall_days`).
        days: u64,
        /// The latest first.
        recalls: Vec<LoggedRecall>,
    }

    /// A recall in the log.
    LoggedRecall from (entry: griot_ingest::LoggedRecall) {
        /// When it was answered.
        at: Time,
        /// The program that asked, by the name that it gives itself; `null` if it gave none.
        agent: Option<String>,
        /// Id of the key that it used; `null` on this machine.
        key: Option<String>,
        /// The user for whom it asked.
        user: Option<String>,
        /// The project that it asked about.
        project: Option<String>,
        /// The question; at most 4000 characters of it.
        query: String = entry.question.clone(),
        /// The strategy that answered: `baseline` or `hybrid_graph`.
        strategy: String,
        /// How long it took, in milliseconds.
        milliseconds: f64,
        /// Whether no memory was given.
        silent: bool = entry.given.is_empty(),
        /// The memories that were given, in their order.
        results: Vec<GivenMemory> = entry.given.iter().map(GivenMemory::from).collect(),
    }

    /// A memory that a recall gave.
    GivenMemory from (given: griot_ingest::Given) {
        /// Stable id.
        id: String = given.memory.to_string(),
        /// Short name.
        handle: String = given.handle.to_string(),
        /// Its score in that answer, 0..=1.
        score: f32,
    }

    /// The answer to `recalls --compare`.
    ComparedRecalls {
        /// The revision of the first question.
        revision: u64,
        /// Whether recalls are logged (the setting `log.recalls`).
        enabled: bool,
        /// The last questions, the latest first; each once.
        questions: Vec<ComparedRecall>,
    }

    /// One question, asked again with and without the graph.
    ComparedRecall {
        /// The question.
        query: String,
        /// When it was last asked.
        at: Time,
        /// The program that asked it.
        agent: Option<String>,
        /// The user for whom it asked.
        user: Option<String>,
        /// The project that it asked about.
        project: Option<String>,
        /// How many of the first ten results both have.
        common: usize,
        /// Their share of the longer of the two lists, 0..=1; 1 if both are silent.
        overlap: f64,
        /// Whether both have the same first result; also if both are silent.
        same_first: bool,
        /// Without the graph.
        baseline: StrategyAnswer,
        /// With the graph.
        graph: StrategyAnswer,
        /// Why the graph could not be used; the baseline answered instead.
        failure: Option<String>,
    }

    /// What one strategy answers.
    StrategyAnswer from (answer: griot::recall::Recall) {
        /// Its first result; `null` if it is silent.
        first: Option<FirstResult> = answer.results.first().map(FirstResult::from),
        /// Handles of its first ten results, in order.
        handles: Vec<String> = {
            answer.results.iter().take(COMPARED).map(|result| result.memory.handle.to_string()).collect()
        },
    }

    /// The first result of a strategy.
    FirstResult from (result: griot::recall::RecallResult) {
        /// Stable id.
        id: String = result.memory.id.to_string(),
        /// Short name.
        handle: String = result.memory.handle.to_string(),
        /// The start of its text.
        excerpt: String = excerpt(&result.memory.text, EXCERPT),
        /// Its score, 0..=1.
        score: f32,
    }
}

impl ComparedRecall {
    pub fn of(
        asked: &griot_ingest::LoggedRecall,
        baseline: &griot::recall::Recall,
        graph: &griot::recall::Recall,
    ) -> Self {
        let failure = graph.made.fallback.map(|reason| reason.name().to_string());
        let (baseline, graph) = (StrategyAnswer::from(baseline), StrategyAnswer::from(graph));
        let common = baseline.handles.iter().filter(|handle| graph.handles.contains(handle)).count();
        let longer = baseline.handles.len().max(graph.handles.len());
        Self {
            query: asked.question.clone(),
            at: asked.at.into(),
            agent: asked.agent.clone(),
            user: asked.user.clone(),
            project: asked.project.clone(),
            common,
            overlap: if longer == 0 { 1.0 } else { common as f64 / longer as f64 },
            same_first: baseline.handles.first() == graph.handles.first(),
            baseline,
            graph,
            failure,
        }
    }
}
