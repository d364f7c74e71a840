//! The log of recalls: entries are made where a question is answered, listed, and asked again with both
//! strategies.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use griot::engine::Engine;
use griot::model::{Result, Scope, mark_of_entity};
use griot::recall::{Query, Recall};
use griot_ingest::recalls::{self, Given, LoggedRecall, RecallLog as Log, Wish};

use super::MOST;
use crate::call::Call;
use crate::failure::Outcome;
use crate::recalls::COMPARED;
use crate::request::{named, read_time, usual};
use crate::{ComparedRecall, ComparedRecalls, LoggedRecall as Entry, RecallLog};

/// The most questions that are asked again for one request: each is two recalls.
const MOST_COMPARED: usize = 100;
/// How long a list waits for entries that are about to be written.
const WRITTEN: Duration = Duration::from_secs(2);

requests! {
    /// List logged recalls, latest first.
    Recalls {
        /// Only recalls of this agent.
        #[schemars(length(min = 1, max = 240))]
        #[arg(long)]
        agent [default]: Option<String>,
        /// Only recalls before this time, to list further ones.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        before [default]: Option<String>,
        /// The most recalls.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
        limit [default = "usual::<20>"]: usize,
    }

    /// Ask the last questions of the log again, with and without the graph.
    CompareRecalls {
        /// Only questions of this agent.
        #[schemars(length(min = 1, max = 240))]
        agent [default]: Option<String>,
        /// The most questions.
        #[schemars(range(min = 1, max = 100))]
        limit [default = "usual::<20>"]: usize,
    }
}

pub fn recalls(call: &Call, q: Recalls) -> Outcome<RecallLog> {
    call.bounded("the limit", q.limit, 1, MOST)?;
    let engine = call.of_all("list recalls")?;
    let before = q.before.as_deref().map(|text| read_time(text, engine.now())).transpose()?;
    let wish = Wish { before, ..wish(call, q.agent.as_ref(), q.limit)? };
    let settings = &engine.settings().log;
    let recalls = listed(engine, &call.lies.database, &wish)?.iter().map(Entry::from).collect();
    Ok(RecallLog { enabled: settings.recalls, days: settings.recall_days, recalls })
}

pub fn compare(call: &Call, q: CompareRecalls) -> Outcome<ComparedRecalls> {
    call.bounded("the limit", q.limit, 1, MOST_COMPARED)?;
    let engine = call.of_all("compare recalls")?;
    let logged = listed(engine, &call.lies.database, &wish(call, q.agent.as_ref(), usize::MAX)?)?;
    let mut seen = HashSet::new();
    let mut last = logged.iter().collect::<Vec<_>>();
    last.retain(|entry| seen.insert((&entry.question, &entry.user, &entry.project)));
    last.truncate(q.limit);
    let mut questions = Vec::with_capacity(last.len());
    let mut revision = engine.revision()?.0;
    for (done, entry) in last.iter().enumerate() {
        let scope = Scope { user: entry.user.clone(), project: entry.project.clone() };
        let query = Query { scope, limit: COMPARED, ..Query::new(entry.question.clone(), engine.now()) };
        let (baseline, graph) = engine.both_strategies(&query)?;
        if done == 0 {
            revision = baseline.revision.0;
        }
        questions.push(ComparedRecall::of(entry, &baseline, &graph));
        call.progress.report(done as u64 + 1, last.len() as u64);
    }
    Ok(ComparedRecalls { revision, enabled: engine.settings().log.recalls, questions })
}

fn wish<'a>(call: &'a Call, agent: Option<&'a String>, limit: usize) -> Result<Wish<'a>> {
    let agent = agent.map(|agent| named("agent", agent)).transpose()?.map(String::as_str);
    let (user, project) = (call.scope.user.as_deref(), call.scope.project.as_deref());
    Ok(Wish { agent, user, project, before: None, limit })
}

/// Entries that are not too old, with those that this process is about to write.
fn listed(engine: &Engine, database: &Path, wish: &Wish<'_>) -> Result<Vec<LoggedRecall>> {
    recalls::flush(WRITTEN);
    let Some(log) = Log::find(database)? else { return Ok(Vec::new()) };
    log.prune(recalls::oldest(engine.now(), engine.settings().log.recall_days))?;
    log.list(wish)
}

/// Who asked, and how long the answer took.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    pub agent: Option<String>,
    pub key: Option<String>,
}

/// Passes an entry to the log, if the settings want one. Never fails and never waits.
pub fn log(engine: &Engine, database: &Path, asker: Asker, query: &Query, answer: &Recall, took: Duration) {
    let settings = &engine.settings().log;
    if !settings.recalls {
        return;
    }
    let given = answer.results.iter().map(|result| Given {
        memory: result.memory.id,
        handle: result.memory.handle.clone(),
        score: result.score,
    });
    let named = answer.understanding.entities.iter().map(|entity| mark_of_entity(entity.node.number()));
    let entry = LoggedRecall {
        at: engine.now(),
        agent: asker.agent,
        key: asker.key,
        user: query.scope.user.clone(),
        project: query.scope.project.clone(),
        question: query.text.clone(),
        strategy: answer.made.applied.name().to_string(),
        milliseconds: took.as_secs_f64() * 1000.0,
        given: given.collect(),
        named: named.collect(),
    };
    recalls::log(database, entry, settings.recall_days);
}
