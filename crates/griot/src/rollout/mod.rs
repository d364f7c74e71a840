//! When does the graph take part in an answer, and how do we know that it helps?
//!
//! Functions over counted windows of time. Nothing here knows a clock, a disk or a thread (`cargo xtask check`
//! enforces it): the engine counts, the back end keeps (`backend::Telemetry`), this decides.
//!
//! `decide` picks the strategy of one request, `window` says what is counted, `gate` judges closed windows,
//! `report` says what a person should know and do next, `feedback` and `judged` measure relevance.
//!
//! Guarantees: a request that policy held back is not a failure and closes no gate; a blocked gate reopens by
//! probing within a bounded number of windows; streaks count closed windows, never requests.

/// Declares enums whose values have names. Further names are read, and never written.
macro_rules! named {
    ($($(#[$about:meta])* $kind:ident {
        $($(#[$of:meta])* $value:ident = $name:literal $(| $other:literal)*,)+
    })+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $kind {
            $($(#[$of])* $value,)+
        }

        impl $kind {
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name.trim().to_ascii_lowercase().as_str() {
                    $($name $(| $other)* => Some(Self::$value),)+
                    _ => None,
                }
            }
        }
    )+};
}

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
pub use gate::{Gate, GateState, GateStatus, MIN_PROBES, Reason, Verdict, evaluate, gate};
pub use judged::{JudgedAnswer, JudgedQuery, Judgement, Relevance, relevance};
pub use report::{Alarm, AlarmSeverity, Goal, MIN_GRAPH_CANDIDATES, READY_WINDOWS, Report, Stage, report};
pub use window::{Tally, Window, closed_before, overlap, window_start};

named! {
    /// How far the graph is switched on in a workspace.
    #[derive(Default)]
    Mode {
        /// The baseline answers; the graph is not run.
        Off = "off",
        /// The graph runs for its measures; the baseline answers.
        Shadow = "shadow",
        /// The graph answers those who ask for it, and a share of the others, as long as the gate allows.
        Canary = "canary",
        /// The graph answers everyone who does not decline it. The default: a new workspace has no history to
        /// protect.
        #[default]
        On = "on",
    }

    /// How an answer is made.
    #[derive(Default)]
    Strategy {
        /// Words, vectors, names, sessions and times.
        #[default]
        Baseline = "baseline" | "lexical",
        /// The same, and a walk over the graph.
        HybridGraph = "hybrid_graph" | "hybrid",
    }

    /// Why a request for the graph got the baseline.
    Fallback {
        /// The setting `recall.graph` is false.
        FeatureFlagDisabled = "feature_flag_disabled",
        RolloutOff = "rollout_off",
        ShadowMode = "shadow_mode",
        /// The gate is blocked, or half open and this request is not a probe.
        QualityGateBlocked = "quality_gate_blocked",
        /// The graph was run and failed.
        GraphExpansionError = "graph_expansion_error",
        /// The mode or the gate could not be read, so nothing is risked.
        RolloutGuardrail = "rollout_guardrail",
    }

    /// Who chose the strategy.
    #[derive(Default)]
    Selection {
        #[default]
        Request = "request",
        PolicyDefault = "policy_default",
    }
}

impl Strategy {
    /// The word for a workspace's default.
    pub const fn policy_name(self) -> &'static str {
        match self {
            Self::Baseline => "lexical",
            Self::HybridGraph => "hybrid",
        }
    }
}

/// The mode of a workspace and since when.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    pub mode: Mode,
    /// `None` if it was never set.
    pub updated_at: Option<Timestamp>,
    /// `user`, or the name that a server knows.
    pub updated_by: Option<String>,
    /// Windows that began before no longer count: the mode was forced then.
    pub evidence_from: Timestamp,
}

/// A change of the mode, for the log.
#[derive(Clone, PartialEq, Debug)]
pub struct ModeChange {
    pub mode: Mode,
    pub at: Timestamp,
    pub by: String,
    /// Starts the evidence anew.
    pub forced: bool,
}

/// A failure of the graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Incident {
    pub at: Timestamp,
    pub reason: Fallback,
    pub message: String,
    /// The graph was run for measures only.
    pub shadow: bool,
}

/// What feedback can be about: an answer with its results, without any text.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    pub id: String,
    pub at: Timestamp,
    pub applied: Strategy,
    /// The user who asked, as the hash that an erasure knows; `None` if no user was given.
    pub asker: Option<Mark>,
    /// The results, best first, and whether the graph contributed to the rank of each.
    pub memories: Vec<(Node, bool)>,
}

/// What was counted and is not written yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measures {
    pub windows: Vec<Window>,
    pub answered: Vec<Answered>,
    pub incidents: Vec<Incident>,
    /// The last request that got the baseline in place of the graph.
    pub last_fallback: Option<(Timestamp, Fallback)>,
    /// Counts and feedback from before are deleted.
    pub keep_from: Timestamp,
}

impl Measures {
    /// Counts of one moment, in windows of this width (milliseconds).
    pub fn at(at: Timestamp, width: i64, tally: Tally) -> Self {
        let start = window_start(at, width);
        let keep_from = Timestamp(start.0.saturating_sub(width.saturating_mul(WINDOWS as i64)));
        Self { windows: vec![Window { start, width, tally }], keep_from, ..Self::default() }
    }

    /// Appends what was counted later. Lists are cut to what a back end keeps, so that measures that cannot be
    /// written do not grow without bound.
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

/// Everything that is stored about a workspace's rollout.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ledger {
    pub standing: Standing,
    /// Of one width, ascending; windows in which nothing happened have no entry.
    pub windows: Vec<Window>,
    /// Latest first.
    pub answers: Vec<Answered>,
    /// Latest first.
    pub incidents: Vec<Incident>,
    pub last_fallback: Option<(Timestamp, Fallback)>,
}

/// Windows that are kept, and that the gate looks at.
pub const WINDOWS: usize = 32;
/// Answers that feedback can name, the latest.
pub const ANSWERS: usize = 1000;
/// Incidents that are kept, the latest.
pub const INCIDENTS: usize = 50;
