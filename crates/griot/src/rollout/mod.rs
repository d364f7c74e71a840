//! When is the graph used for an answer, and how is that known to be right?
//!
//! Modes, what a request gets under each, and the gate that decides it: functions over counted windows of
//! time. Nothing here knows a clock, a disk or a thread (`cargo xtask check` holds it to that); the engine
//! counts and keeps, this decides.
//!
//! `decide` answers one request, `window` is what is counted, `gate` judges closed windows, `plan` says which
//! mode is next and lets the autopilot take one step, `alarm` says what a person should look at, `judged`
//! measures relevance on labelled questions.
//!
//! Promises: a request that policy held back is no failure and closes no gate; the gate reopens by probing
//! within a bounded number of windows; streaks count closed windows, never requests.

mod alarm;
mod credit;
mod decide;
mod gate;
mod judged;
mod plan;
#[cfg(test)]
mod properties;
mod window;

use crate::model::{Mark, Node, Timestamp};

pub use alarm::{Alarm, AlarmSeverity, alarms};
pub use credit::{credit_latest, credit_to, may_judge, no_such_answer, not_your_answer};
pub use decide::{Ask, Decision, decide};
pub use gate::{Gate, GateState, GateStatus, Reason, Verdict, evaluate, gate};
pub use judged::{JudgedAnswer, JudgedQuery, Judgement, Relevance, relevance};
pub use plan::{Autopilot, Blocker, Goal, Plan, Stage, StageName, autopilot, plan, refusal};
pub use window::{Tally, Window, closed_before, overlap, window_start};

/// How far the graph is switched on in a workspace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Mode {
    /// The baseline answers; the graph is not run.
    Off,
    /// The graph runs for its measures; the baseline answers.
    Shadow,
    /// The graph answers those who ask for it, and a share of the others, as long as the gate allows.
    Canary,
    /// The graph answers all who do not decline it. The default: a fresh workspace has no past to be careful
    /// about.
    #[default]
    On,
}

impl Mode {
    pub const ALL: [Self; 4] = [Self::Off, Self::Shadow, Self::Canary, Self::On];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Shadow => "shadow",
            Self::Canary => "canary",
            Self::On => "on",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name.trim().to_ascii_lowercase())
    }
}

/// How an answer is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// Words, vectors, names, places and times.
    Baseline,
    /// The same, and a walk over the graph.
    HybridGraph,
}

impl Strategy {
    pub const ALL: [Self; 2] = [Self::Baseline, Self::HybridGraph];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::HybridGraph => "hybrid_graph",
        }
    }

    /// The word for a workspace's default.
    pub const fn policy_name(self) -> &'static str {
        match self {
            Self::Baseline => "lexical",
            Self::HybridGraph => "hybrid",
        }
    }

    /// Either word.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        Self::ALL.into_iter().find(|strategy| strategy.name() == name || strategy.policy_name() == name)
    }
}

/// Why a request for the graph got the baseline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fallback {
    /// The setting `recall.graph` is false.
    FeatureFlagDisabled,
    RolloutOff,
    ShadowMode,
    /// The gate is blocked, or half open and this request is no probe.
    QualityGateBlocked,
    /// The graph was run and failed.
    GraphExpansionError,
    /// What the workspace allows could not be read, so nothing is risked.
    RolloutGuardrail,
}

impl Fallback {
    pub const ALL: [Self; 6] = [
        Self::FeatureFlagDisabled,
        Self::RolloutOff,
        Self::ShadowMode,
        Self::QualityGateBlocked,
        Self::GraphExpansionError,
        Self::RolloutGuardrail,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::FeatureFlagDisabled => "feature_flag_disabled",
            Self::RolloutOff => "rollout_off",
            Self::ShadowMode => "shadow_mode",
            Self::QualityGateBlocked => "quality_gate_blocked",
            Self::GraphExpansionError => "graph_expansion_error",
            Self::RolloutGuardrail => "rollout_guardrail",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// Who chose the strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    Request,
    PolicyDefault,
}

impl Selection {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::PolicyDefault => "policy_default",
        }
    }
}

/// How one answer was made: part of the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// Names the answer for feedback. It follows from question, scope, revision and strategy, so it is no new
    /// information.
    pub id: String,
    pub mode: Mode,
    pub requested: Strategy,
    pub applied: Strategy,
    pub selection: Selection,
    pub fallback: Option<Fallback>,
    /// What the gate says; `None` where nobody asks it (`off` and `on`).
    pub gate: Option<GateState>,
    /// The gate is half open and let this request through to learn from it.
    pub probe: bool,
    /// The graph ran, and the answer does not hold what it found.
    pub shadow: bool,
    /// Memories that the baseline scored.
    pub baseline_candidates: usize,
    /// Memories that the walk reached over at least one edge.
    pub graph_candidates: usize,
    /// Results of the graph's answer that lie at the end of a path.
    pub expanded: usize,
}

impl Made {
    /// Before the engine has said what it decided.
    pub fn by(applied: Strategy) -> Self {
        Self {
            id: String::new(),
            mode: Mode::default(),
            requested: applied,
            applied,
            selection: Selection::Request,
            fallback: None,
            gate: None,
            probe: false,
            shadow: false,
            baseline_candidates: 0,
            graph_candidates: 0,
            expanded: 0,
        }
    }
}

/// The mode of a workspace and since when.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    pub mode: Mode,
    /// `None` if nobody ever chose.
    pub updated_at: Option<Timestamp>,
    /// `user`, `autopilot`, or the name that a server knows.
    pub updated_by: Option<String>,
    /// Windows that began before count no more: the mode was forced then.
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

/// What could not be done, for people to look at.
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
    /// The user who asked, as the hash that an erasure knows; `None` for nobody in particular.
    pub asker: Option<Mark>,
    /// The results, best first, and whether the graph had a part in each one's place.
    pub memories: Vec<(Node, bool)>,
}

/// What was counted since the last time somebody wrote it down.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measures {
    /// By window.
    pub windows: Vec<Window>,
    pub answered: Vec<Answered>,
    pub incidents: Vec<Incident>,
    /// The last request that got the baseline in place of the graph.
    pub last_fallback: Option<(Timestamp, Fallback)>,
    /// What began before is forgotten.
    pub keep_from: Timestamp,
}

/// What is written down about a workspace's rollout.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ledger {
    pub standing: Standing,
    /// Of one width, ascending; windows in which nothing happened have no entry.
    pub windows: Vec<Window>,
    /// Latest first.
    pub incidents: Vec<Incident>,
    pub last_fallback: Option<(Timestamp, Fallback)>,
}

/// What somebody says about an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Feedback {
    /// `None` asks for the latest answer that holds each memory.
    pub answer: Option<String>,
    /// Empty for the answer as a whole.
    pub memories: Vec<Node>,
    /// Whoever may speak of the answers of one user alone; `None` may speak of all.
    pub of: Option<Mark>,
    pub good: bool,
    pub at: Timestamp,
}

/// What one piece of feedback was counted for.
#[derive(Clone, PartialEq, Debug)]
pub struct Credited {
    /// `None` for the answer as a whole.
    pub memory: Option<Node>,
    /// The answer; `None` if no kept answer holds the memory.
    pub answer: Option<String>,
    /// What it counts for: the graph if it had a part in the place of this result.
    pub strategy: Option<Strategy>,
}

/// Windows that are kept, and that the gate looks at.
pub const WINDOWS: usize = 32;
/// Answers that feedback can name, the latest.
pub const ANSWERS: usize = 1000;
/// Incidents that are kept, the latest.
pub const INCIDENTS: usize = 50;
