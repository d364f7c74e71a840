//! `enrich`: lets a language model read what it has not read yet; `judge_merges`: lets it decide which
//! entities are one.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use griot::engine::Engine;
use griot::model::{Error, ReadingTask, Result};
use griot_enrich::{Pairs, Wish};

use crate::call::Call;
use crate::failure::Outcome;
use crate::model::{failed, is_behind};
use crate::request::within;
use crate::{Enriched, JudgedMerges};

/// Memories of one request to a server, unless the request says how many: more would outlast its caller.
const REMOTE: u64 = 20;
/// The most memories of one run.
const MOST: usize = 100_000_000;

requests! {
    /// Let the language model read new memories.
    Enrich {
        /// What to read out of them: `extraction` (names and relations), `causes` (causes and replacements),
        /// `facts`, `notes` (notes and links), `sessions` (observations of conversations). Default: all that
        /// the settings `enrich.…` switch on.
        #[arg(long = "task", value_name = "TASK", help = "What to read out of them: extraction (names and \
            relations), causes, facts, notes (notes and links), sessions (observations of conversations); \
            may be given more than once [default: all that the settings switch on]")]
        tasks [default]: Vec<String>,
        /// The most memories of each task; over HTTP 20 unless it is given.
        #[schemars(range(min = 1, max = 100000000))]
        #[arg(long, short = 'n', value_name = "COUNT", help = "The most memories of each task")]
        limit [default]: Option<usize>,
        /// Only say what it would take: requests, tokens, money.
        #[arg(long)]
        estimate [default]: bool,
        /// Also ask again about memories that were refused, withheld, or answered with something that could
        /// not be read.
        #[arg(long)]
        retry [default]: bool,
    }

    /// Let the language model decide which entities are one.
    JudgeMerges by new {
        /// The most pairs to ask about; over HTTP 20 unless it is given.
        #[schemars(range(min = 1, max = 100000000))]
        #[arg(long, short = 'n', value_name = "COUNT", help = "The most pairs")]
        limit [default]: Option<usize>,
        /// Only say what it would take: requests, tokens, money.
        #[arg(long)]
        estimate [default]: bool,
        /// Also ask again about pairs about which a model was not sure.
        #[arg(long)]
        retry [default]: bool,
    }
}

/// Pairs of one request to a server, unless the request says how many.
const REMOTE_PAIRS: usize = 20;

pub fn judge_merges(call: &Call, q: JudgeMerges) -> Outcome<JudgedMerges> {
    let engine = call.of_all("decide which entities are one")?;
    if let Some(limit) = q.limit {
        within("the limit", limit, 1, MOST)?;
    }
    let most = q.limit.or(call.is_served().then_some(REMOTE_PAIRS));
    let asked = Pairs { most, again: q.retry };
    if q.estimate {
        return Ok(JudgedMerges::estimated(griot_enrich::estimate_merges(engine, asked)?));
    }
    let progress = |done, all| call.progress.report(done, all);
    let mut judged = griot_enrich::judge_merges(engine, &call.lies.database, asked, &progress, &call.ending)?;
    let failure = judged.failure.take().map(|failure| failed(call, failure));
    Ok(JudgedMerges::new(judged, failure))
}

pub fn enrich(call: &Call, q: Enrich) -> Outcome<Enriched> {
    let engine = call.of_all("enrich memories")?;
    if let Some(limit) = q.limit {
        within("the limit", limit, 1, MOST)?;
    }
    let limit = q.limit.map(|limit| limit as u64).or(call.is_served().then_some(REMOTE));
    let wish = Wish { tasks: tasks(&q.tasks)?, limit, retry: q.retry };
    if q.estimate {
        return Ok(Enriched::estimated(&griot_enrich::estimate(engine, &wish)?));
    }
    let progress = call.progress.clone();
    let shown = move |now: griot_enrich::Progress| progress.report(now.done, now.total);
    let mut done = griot_enrich::run(engine, &call.lies.database, &wish, &shown, &call.ending)?;
    let failure = done.failure.take().map(|failure| failed(call, failure));
    Ok(Enriched::of_run(done, failure))
}

/// What keeping up came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptUp {
    /// Memories that were read.
    pub memories: u32,
    /// Why it ended early.
    pub failure: Option<String>,
}

/// Reads some of what is unread, where reading is to keep up; `None` if nothing is unread.
pub fn keep_up(engine: &Engine, database: &Path, stop: &AtomicBool) -> Result<Option<KeptUp>> {
    if !is_behind(engine, |_| true)? {
        return Ok(None);
    }
    let wish = Wish { limit: Some(REMOTE), ..Wish::default() };
    let done = griot_enrich::run(engine, database, &wish, &|_| {}, stop)?;
    let failure = done.failure.map(|failure| failure.why);
    Ok(Some(KeptUp { memories: done.tally.memories, failure }))
}

fn tasks(names: &[String]) -> Result<Vec<ReadingTask>> {
    let task = |name: &String| {
        ReadingTask::parse(name.trim()).ok_or_else(|| {
            let all = ReadingTask::ALL.map(ReadingTask::name).join(", ");
            Error::invalid(format!("enrich by `{name}`"), "there is no such task")
                .hint(format!("one of: {all}"))
        })
    };
    names.iter().map(task).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use griot::engine::{Access, ModelProvider, Settings};
    use griot::model::Scope;
    use griot::remember::Draft;
    use griot_ingest::Lies;

    use super::*;

    /// A call with this many memories and a model that no one could ask.
    fn call(folder: &Path, memories: usize) -> Call {
        let mut settings = Settings::default();
        settings.model.provider = ModelProvider::Ollama;
        settings.model.name = "test-model".into();
        settings.model.url = "http://127.0.0.1:9".into();
        let database = folder.join("griot.db");
        let access = Access { create: true, read_only: false };
        let engine = Engine::open(&database, access, settings).expect("a workspace");
        let drafts = (0..memories).map(|at| Draft::new(format!("Lighthouse {at} is painted.")));
        drafts.for_each(|draft| drop(engine.remember(draft).expect("it is stored")));
        Call::of_owner(engine, Scope::default(), "default".into(), Lies { database, removed: Vec::new() })
    }

    #[test]
    fn a_server_without_keys_reads_some_memories_and_ends_runs_when_it_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut call = call(folder.path(), 21);
        let request = |estimate: bool| -> Enrich {
            let request = serde_json::json!({"tasks": ["extraction"], "estimate": estimate});
            serde_json::from_value(request).expect("a request")
        };
        let estimated = |call: &Call| {
            enrich(call, request(true)).ok().and_then(|done| done.estimate).expect("an estimate").memories
        };
        assert_eq!(estimated(&call), 21);
        call.wake = Some(Arc::new(|| {}));
        assert_eq!(estimated(&call), REMOTE);
        call.ending.store(true, Ordering::Relaxed);
        let Ok(done) = enrich(&call, request(false)) else { panic!("it fails") };
        assert!(done.failure.is_none());
    }
}
