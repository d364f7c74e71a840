//! Decides when the graph takes part in an answer and measures whether it helps.
//!
//! Pure functions over windows of counts, without clock, disk or threads (enforced by `cargo xtask check`):
//! the engine counts, the back end stores (`backend::Telemetry`), this module decides.
//!
//! `decide` chooses the strategy of one request, `window` defines the counters, `gate` judges closed windows,
//! `report` summarises the state and the next step, `feedback` and `judged` measure relevance.
//!
//! Guarantees: a request held back by policy is not a failure and closes no gate; a blocked gate reopens
//! through probes within a bounded number of windows; streaks count closed windows, never requests.

mod decide;
mod feedback;
mod gate;
mod judged;
#[cfg(test)]
mod properties;
mod report;
mod window;

use crate::model::{Mark, Node, Timestamp};

pub use decide::{Made, Permit, decide};
pub use feedback::{Credited, credit};
pub use gate::{Gate, MIN_PROBES, Reason, Verdict, evaluate, gate};
pub use judged::{JudgedAnswer, JudgedQuery, Judgement, Relevance, relevance};
pub use report::{Alarm, AlarmSeverity, Goal, MIN_GRAPH_CANDIDATES, READY_WINDOWS, Report, Stage, report};
pub use window::{Tally, Window, closed_before, overlap, window_start};

named! {
    /// To what extent the graph is enabled in a workspace.
    #[derive(Default)]
    Mode lenient {
        /// The baseline answers; the graph does not run.
        Off = "off",
        /// The graph runs for its measures; the baseline answers.
        Shadow = "shadow",
        /// The graph answers requests that ask for it and a percentage of the others, while the gate allows
        /// it.
        Canary = "canary",
        /// The graph answers all requests that do not decline it. The default, because a new workspace has no
        /// history to protect.
        #[default]
        On = "on",
    }

    /// The method of an answer.
    #[derive(Default)]
    Strategy lenient {
        /// Words, vectors, names, sessions and times.
        #[default]
        Baseline = "baseline" | "lexical",
        /// The baseline plus a walk over the graph.
        HybridGraph = "hybrid_graph" | "hybrid",
    }

    /// Why a request for the graph got the baseline.
    Fallback lenient {
        /// The setting `recall.graph` is false.
        FeatureFlagDisabled = "feature_flag_disabled",
        RolloutOff = "rollout_off",
        ShadowMode = "shadow_mode",
        /// The gate is blocked, or half open and this request is not a probe.
        QualityGateBlocked = "quality_gate_blocked",
        /// The graph ran and failed.
        GraphExpansionError = "graph_expansion_error",
        /// The mode or the gate could not be read; the safe choice is the baseline.
        RolloutGuardrail = "rollout_guardrail",
    }

    #[derive(Default)]
    GateState {
        #[default]
        Open = "open",
        /// The graph does not run.
        Blocked = "blocked",
        /// The graph runs and answers a percentage of the requests.
        HalfOpen = "half_open",
    }

    /// The status of a window.
    #[derive(Default)]
    GateStatus {
        Pass = "pass",
        /// Something needs attention; no request is held back for it.
        Warn = "warn",
        Fail = "fail",
        #[default]
        InsufficientData = "insufficient_data",
    }

    /// Who chose the strategy.
    #[derive(Default)]
    Selection lenient {
        #[default]
        Request = "request",
        PolicyDefault = "policy_default",
    }
}

impl Strategy {
    /// The name of the mode as a workspace's default policy.
    pub const fn policy_name(self) -> &'static str {
        match self {
            Self::Baseline => "lexical",
            Self::HybridGraph => "hybrid",
        }
    }
}

/// The mode of a workspace and when it was set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    pub mode: Mode,
    /// `None` if it was never set.
    pub updated_at: Option<Timestamp>,
    /// `user`, or the caller's name on a server.
    pub updated_by: Option<String>,
    /// Windows that began earlier do not count, because the mode was forced then.
    pub evidence_from: Timestamp,
}

/// A failure of the graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Incident {
    pub at: Timestamp,
    pub reason: Fallback,
    pub message: String,
    /// The graph ran for measures only.
    pub shadow: bool,
}

/// The target of feedback: an answer with its results, without any text.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    pub id: String,
    pub at: Timestamp,
    pub applied: Strategy,
    /// The user who asked, as the hash used by erasures; `None` if the request named no user.
    pub asker: Option<Mark>,
    /// The results, best first, and whether the graph affected the rank of each.
    pub memories: Vec<(Node, bool)>,
}

/// Measures that are not written yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measures {
    pub windows: Vec<Window>,
    pub answered: Vec<Answered>,
    pub incidents: Vec<Incident>,
    /// The latest request that got the baseline instead of the graph.
    pub last_fallback: Option<(Timestamp, Fallback)>,
    /// Older counts and feedback are deleted.
    pub keep_from: Timestamp,
}

impl Measures {
    /// Measures at one moment, in windows of this width (milliseconds).
    pub fn at(at: Timestamp, width: i64, tally: Tally) -> Self {
        let start = window_start(at, width);
        let keep_from = Timestamp(start.0.saturating_sub(width.saturating_mul(WINDOWS as i64)));
        Self { windows: vec![Window { start, width, tally }], keep_from, ..Self::default() }
    }

    /// Appends later measures. Truncates lists to the stored size, so that measures that cannot be written do
    /// not grow without bound.
    pub fn append(&mut self, later: Self) {
        for window in later.windows {
            match self.windows.iter_mut().find(|known| known.start == window.start) {
                Some(known) => known.tally.add(&window.tally),
                None => self.windows.push(window),
            }
        }
        self.answered.extend(later.answered);
        self.answered.drain(..self.answered.len().saturating_sub(ANSWERS));
        self.incidents.extend(later.incidents);
        self.incidents.drain(..self.incidents.len().saturating_sub(INCIDENTS));
        self.last_fallback = later.last_fallback.or(self.last_fallback);
        self.keep_from = self.keep_from.max(later.keep_from);
    }
}

/// Everything stored about a workspace's rollout.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ledger {
    pub standing: Standing,
    /// Of equal width, ascending; empty windows have no entry.
    pub windows: Vec<Window>,
    /// Latest first.
    pub answers: Vec<Answered>,
    /// Latest first.
    pub incidents: Vec<Incident>,
    pub last_fallback: Option<(Timestamp, Fallback)>,
}

/// Windows that are stored and evaluated by the gate.
pub const WINDOWS: usize = 32;
/// The latest answers that are stored and can receive feedback.
pub const ANSWERS: usize = 1000;
/// The latest incidents that are stored.
pub const INCIDENTS: usize = 50;
