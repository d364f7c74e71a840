//! Works off what a language model has not read: threads lease memories, ask, and store the result.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use griot::Engine;
use griot::engine::{ModelSettings, Settings};
use griot::model::{Error, Memory, ReadingOutcome, ReadingTask, Result, Timestamp};
use griot::remember::reading::{ReadingDraft, ReadingTally};
use griot_models::{Failure, FailureKind, LanguageModel, Owner, Run, Spent};

use crate::causes::Causes;
use crate::extraction::Extraction;
use crate::facts::Facts;
use crate::notes::Notes;
use crate::queue::{Batch, Queue, Wish};
use crate::sessions::Sessions;
use crate::shown::Shown;
use crate::summaries;
use crate::task::{Asking, Task, is_about_texts};

/// How long a lease is longer than the longest answer: writing waits for other writers.
const SLACK: i64 = 60_000;

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    pub task: ReadingTask,
    pub done: u64,
    pub total: u64,
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Done {
    pub tally: ReadingTally,
    pub spent: Spent,
    /// Memories that the model declined to read, whose replies could not be used, or that were not sent.
    pub outcomes: BTreeMap<ReadingOutcome, u64>,
    /// Parts of replies that could not be read.
    pub skipped: u64,
    /// Entities whose summary is new or changed.
    pub summaries: u64,
    /// What is left, by task.
    pub left: BTreeMap<ReadingTask, u64>,
    /// What of it has to wait, and for what.
    pub waits: Vec<Wait>,
    /// Why it ended early. What is left stays queued.
    pub failure: Option<Failure>,
}

/// Memories that could not be read yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    pub task: ReadingTask,
    pub memories: u64,
    pub reason: WaitReason,
    /// When the first of them can be read.
    pub until: Timestamp,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitReason {
    /// Another run has them, or had them when it was killed.
    Leased,
    /// Someone spoke in their conversation a short time ago.
    NotOver,
}

impl WaitReason {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leased => "leased",
            Self::NotOver => "not_over",
        }
    }
}

/// About what a run would send. Replies that cannot be used lead to more.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    pub memories: u64,
    /// Not sent, because they belong to a user: each once.
    pub withheld: u64,
    /// Conversations are read, and what is written about them is read in the same run, which is not counted.
    pub observes: bool,
    pub calls: u64,
    pub input: u64,
    pub output: u64,
    /// In the currency of the prices; `None` without a price.
    pub cost: Option<f64>,
}

/// The tasks that are asked for, in their order.
fn tasks<'a>(settings: &'a Settings, wish: &Wish) -> Result<Vec<Box<dyn Task + 'a>>> {
    let enrich = &settings.enrich;
    let tokens = settings.model.context_tokens;
    // What is read first helps what follows: what was observed is read like any memory, and names are known
    // before facts about them are asked for.
    let all: [(bool, Box<dyn Task + 'a>); 5] = [
        (enrich.sessions, Box::new(Sessions { settings: enrich, tokens })),
        (enrich.extraction, Box::new(Extraction { settings: enrich })),
        (enrich.causes, Box::new(Causes { settings: enrich })),
        (enrich.facts, Box::new(Facts { settings: enrich })),
        (enrich.notes, Box::new(Notes { settings: enrich })),
    ];
    let is_wished = |on: bool, kind: ReadingTask| match wish.tasks.as_slice() {
        [] => on,
        tasks => tasks.contains(&kind),
    };
    let wished = all.into_iter().filter(|(on, task)| is_wished(*on, task.kind()));
    let tasks: Vec<_> = wished.map(|(_, task)| task).collect();
    if tasks.is_empty() {
        return Err(Error::invalid("enrich", "every task is switched off")
            .hint("griot config set enrich.extraction true"));
    }
    Ok(tasks)
}

/// The tasks that the settings switch on.
pub fn tasks_on(settings: &Settings) -> Vec<ReadingTask> {
    tasks(settings, &Wish::default()).map_or(Vec::new(), |all| all.iter().map(|task| task.kind()).collect())
}

/// Asks the model of the settings about everything that it has not read. An error before the first question;
/// later failures are part of the answer.
pub fn run(
    engine: &Engine,
    database: &Path,
    wish: &Wish,
    progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
) -> Result<Done> {
    let settings = engine.settings();
    let model = LanguageModel::new(&settings.model).map_err(Error::from)?;
    let run = Run::new(engine.now());
    let asking = Asking::new(engine, database, &model, &run)?;
    let mut done = Done::default();
    let rejected = Mutex::new(None);
    for task in tasks(settings, wish)? {
        let queue = Queue::of(task.as_ref(), wish, &asking.shown)?;
        let work = Work {
            asking: &asking,
            task: task.as_ref(),
            owner: Owner::random(),
            lease: lease(settings.model.timeout_ms, task.questions()),
            rejected: &rejected,
            stop,
            progress,
            state: Mutex::new(State::of(queue)),
        };
        work.of_all_threads(&settings.model)?;
        let state = work.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.tally += state.tally;
        for (outcome, count) in state.outcomes {
            *done.outcomes.entry(outcome).or_default() += count;
        }
        done.left.insert(task.kind(), engine.unread_count(task.kind())?);
        let leased = asking.ledger.leased(task.kind().name(), engine.now())?;
        let waits = [(WaitReason::Leased, leased), (WaitReason::NotOver, state.queue.not_over())];
        done.waits.extend(waits.into_iter().filter_map(|(reason, found)| {
            let (memories, until) = found?;
            Some(Wait { task: task.kind(), memories, reason, until })
        }));
        done.failure = state.failure;
        if done.failure.is_some() || stop.load(Ordering::Relaxed) {
            break;
        }
    }
    // Once everything is read: what is known of an entity is then looked at once, and not after each batch.
    let is_read = done.left.get(&ReadingTask::Extraction) == Some(&0);
    if is_read && done.failure.is_none() && !stop.load(Ordering::Relaxed) {
        let summed = summaries::summarise(&asking, lease(settings.model.timeout_ms, 1), stop)?;
        (done.summaries, done.failure) = (summed.changed, summed.failure);
    }
    if done.failure.is_none() && !asking.is_answered() {
        done.failure = rejected.into_inner().unwrap_or_else(PoisonError::into_inner);
    }
    done.skipped = asking.all_skipped().into();
    done.spent = run.spent();
    Ok(done)
}

/// How long a batch is leased, in milliseconds.
fn lease(timeout_ms: u64, questions: usize) -> i64 {
    let answer = i64::try_from(timeout_ms).unwrap_or(i64::MAX / 4);
    answer.saturating_mul(questions as i64).saturating_add(SLACK)
}

/// What [`run`] would send. Asks no model.
pub fn estimate(engine: &Engine, wish: &Wish) -> Result<Estimate> {
    let settings = engine.settings();
    let shown = Shown::new(engine, &settings.model)?;
    let mut estimate = Estimate::default();
    // A memory is one for all tasks.
    let mut private: HashSet<u32> = HashSet::new();
    for task in tasks(settings, wish)? {
        let mut queue = Queue::of(task.as_ref(), wish, &shown)?;
        let is_of_sessions = task.kind() == ReadingTask::Sessions;
        while let Some(Batch { sent, withheld }) = queue.next(task.as_ref(), &shown)? {
            let taken = sent.len() + withheld.len();
            queue.take(taken);
            estimate.memories += taken as u64;
            private.extend(withheld.iter().map(|memory| memory.node.number()));
            if sent.is_empty() {
                continue;
            }
            let Some(request) = task.request(&sent, &shown)? else { continue };
            estimate.observes |= is_of_sessions;
            let calls = task.questions() as u64;
            estimate.calls += calls;
            estimate.input += calls * request.question(&[]).estimate();
            estimate.output += calls * settings.model.max_output_tokens as u64;
        }
    }
    if tasks(settings, wish)?.iter().any(|task| task.kind() == ReadingTask::Extraction) {
        let at_once = summaries::at_once(engine);
        for (request, calls) in summaries::estimated(&engine.described(at_once - 1)?, at_once) {
            estimate.calls += calls;
            estimate.input += calls * request.question(&[]).estimate();
            estimate.output += calls * settings.model.max_output_tokens as u64;
        }
    }
    estimate.withheld = private.len() as u64;
    estimate.cost = priced(&settings.model, estimate.input, estimate.output);
    Ok(estimate)
}

/// What so many tokens cost; `None` without a price.
pub(crate) fn priced(model: &ModelSettings, input: u64, output: u64) -> Option<f64> {
    let has_price = model.input_price > 0.0 || model.output_price > 0.0;
    let share = if model.flex { model.flex_price } else { 1.0 };
    let cost = input as f64 * model.input_price + output as f64 * model.output_price;
    has_price.then_some(share * cost / 1_000_000.0)
}

/// One task of a run, shared by its threads.
struct Work<'a> {
    asking: &'a Asking<'a>,
    task: &'a dyn Task,
    owner: Owner,
    lease: i64,
    /// Why the first batch of the run was rejected that no answer came before.
    rejected: &'a Mutex<Option<Failure>>,
    stop: &'a AtomicBool,
    progress: &'a (dyn Fn(Progress) + Sync),
    state: Mutex<State>,
}

struct State {
    queue: Queue,
    done: u64,
    tally: ReadingTally,
    outcomes: BTreeMap<ReadingOutcome, u64>,
    /// What was rejected before any answer came.
    aside: Vec<Memory>,
    failure: Option<Failure>,
}

impl State {
    fn of(queue: Queue) -> Self {
        let (done, tally, outcomes, aside, failure) = Default::default();
        Self { queue, done, tally, outcomes, aside, failure }
    }
}

impl Work<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of_all_threads(&self, settings: &ModelSettings) -> Result<()> {
        thread::scope(|scope| {
            let one = || self.of_one_thread();
            let threads: Vec<_> = (0..settings.concurrency.max(1)).map(|_| scope.spawn(one)).collect();
            let ended = threads.into_iter().map(|thread| match thread.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect::<Vec<_>>().into_iter().collect::<Result<()>>()
        })?;
        // What was answered since says whether its texts are at fault.
        let aside = std::mem::take(&mut self.lock().aside);
        if aside.is_empty() || self.has_ended() || !self.asking.is_answered() {
            return Ok(());
        }
        self.of_leased(&self.leased(aside)?)
    }

    fn of_one_thread(&self) -> Result<()> {
        while let Some(memories) = self.next()? {
            self.of_leased(&memories)?;
        }
        Ok(())
    }

    fn of_leased(&self, memories: &[Memory]) -> Result<()> {
        if memories.is_empty() {
            return Ok(());
        }
        let ended = self.one_batch(memories);
        // If this fails, the lease ends by itself.
        let _ = self.give_back(memories);
        ended
    }

    fn give_back(&self, memories: &[Memory]) -> Result<()> {
        let numbers: Vec<u32> = memories.iter().map(|memory| memory.node.number()).collect();
        self.asking.ledger.give_back(self.task.kind().name(), &numbers, self.owner)
    }

    /// Whether nothing more is to be asked.
    fn has_ended(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.lock().failure.is_some()
    }

    /// The next memories to ask about; `None` if there are none, or if the run is to end.
    fn next(&self) -> Result<Option<Vec<Memory>>> {
        let mut state = self.lock();
        while state.failure.is_none()
            && !self.stop.load(Ordering::Relaxed)
            && let Some(Batch { sent, withheld }) = state.queue.next(self.task, &self.asking.shown)?
        {
            if !withheld.is_empty() {
                state.queue.take(withheld.len());
                self.store(&mut state, &self.without(&withheld, ReadingOutcome::Withheld))?;
            }
            let own = self.leased(sent)?;
            if !own.is_empty() {
                state.queue.take(own.len());
                return Ok(Some(own));
            }
        }
        Ok(None)
    }

    /// Those of the memories that no other process has, or has read since they were looked at.
    fn leased(&self, memories: Vec<Memory>) -> Result<Vec<Memory>> {
        let numbers: Vec<u32> = memories.iter().map(|memory| memory.node.number()).collect();
        if numbers.is_empty() {
            return Ok(memories);
        }
        let (ledger, task, now) = (&self.asking.ledger, self.task.kind().name(), self.asking.engine.now());
        let until = Timestamp(now.0.saturating_add(self.lease));
        let leased = ledger.lease(task, &numbers, self.owner, now, until)?;
        let mut own = match self.task.is_grouped() && leased.len() < numbers.len() {
            // Another process reads this conversation.
            true => Vec::new(),
            // What has the lease stores before it gives it back, so that none is overlooked.
            false => self.asking.engine.still_unread(self.task.kind(), memories, self.asking.run.now)?,
        };
        own.retain(|memory| leased.contains(&memory.node.number()));
        let is_own = |number: &u32| own.iter().any(|memory| memory.node.number() == *number);
        let others: Vec<u32> = leased.into_iter().filter(|number| !is_own(number)).collect();
        if !others.is_empty() {
            ledger.give_back(task, &others, self.owner)?;
        }
        Ok(own)
    }

    /// Asks about a batch and stores the result. If a reply about several memories cannot be used, each is
    /// asked about alone; of a conversation that is too long, each half.
    fn one_batch(&self, memories: &[Memory]) -> Result<()> {
        match self.task.read(memories, self.asking) {
            Ok(drafts) => self.store(&mut self.lock(), &drafts),
            Err(failure) => {
                let outcome = match failure.kind {
                    FailureKind::Refused => Some(ReadingOutcome::Refused),
                    kind if is_about_texts(kind) => Some(ReadingOutcome::Unreadable),
                    // A request that a provider accepted with another text.
                    FailureKind::Rejected if self.asking.is_answered() => Some(ReadingOutcome::Unreadable),
                    _ => None,
                };
                let is_long = matches!(failure.kind, FailureKind::Truncated | FailureKind::TooLarge);
                let parts = match memories.len() {
                    ..2 => 1,
                    _ if !self.task.is_grouped() => memories.len(),
                    _ if is_long => 2,
                    // A conversation that was declined or misunderstood is not read turn by turn.
                    _ => 1,
                };
                match outcome {
                    Some(_) if parts > 1 => self.in_parts(memories, parts),
                    Some(outcome) => self.store(&mut self.lock(), &self.without(memories, outcome)),
                    None => {
                        self.reject(memories, failure);
                        Ok(())
                    }
                }
            }
        }
    }

    /// Each part takes as long as the whole, so that it gets a lease of its own.
    fn in_parts(&self, memories: &[Memory], parts: usize) -> Result<()> {
        for part in memories.chunks(memories.len().div_ceil(parts)) {
            if self.has_ended() {
                break;
            }
            self.give_back(part)?;
            self.of_leased(&self.leased(part.to_vec())?)?;
        }
        Ok(())
    }

    /// Ends the run, except for the first request that is rejected before any was answered: its texts may be
    /// at fault, or the model, which the next request shows.
    fn reject(&self, memories: &[Memory], failure: Failure) {
        let mut rejected = self.rejected.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.lock();
        if failure.kind == FailureKind::Rejected && rejected.is_none() {
            *rejected = Some(failure);
            state.aside.extend_from_slice(memories);
        } else {
            state.failure.get_or_insert(failure);
        }
    }

    fn without(&self, memories: &[Memory], outcome: ReadingOutcome) -> Vec<ReadingDraft> {
        let (kind, version) = (self.task.kind(), self.task.version());
        memories.iter().map(|memory| ReadingDraft::new(memory.id, kind, version, outcome)).collect()
    }

    /// Under the lock of the state, so that this process waits for itself here and not at the database.
    fn store(&self, state: &mut State, drafts: &[ReadingDraft]) -> Result<()> {
        state.tally += self.asking.engine.put_readings(drafts)?;
        for draft in drafts.iter().filter(|draft| draft.outcome != ReadingOutcome::Read) {
            *state.outcomes.entry(draft.outcome).or_default() += 1;
        }
        state.done += drafts.iter().filter(|draft| draft.by.is_none()).count() as u64;
        let (done, task) = (state.done, self.task.kind());
        (self.progress)(Progress { task, done, total: state.queue.total().max(done) });
        Ok(())
    }
}
