//! The counters, per window.
//!
//! A window is a time span of fixed width that starts at a multiple of the width since 1970, so that all
//! processes agree on it. Only closed windows are judged. Counters are stored by name, so that later versions
//! can add some.

use super::{Fallback, Made, Mode, Strategy};
use crate::model::{Node, Timestamp};

/// Declares the counters: fields, stored names, and addition.
macro_rules! tally {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// Counts and sums of one window. Integers are exact up to 2⁵³; tallies are combined by addition.
        #[derive(Clone, Copy, PartialEq, Debug, Default)]
        pub struct Tally {
            $($(#[doc = $doc])* pub $name: f64,)*
        }

        impl Tally {
            /// Every non-zero counter with its stored name.
            pub fn counts(&self) -> impl Iterator<Item = (&'static str, f64)> {
                [$((stringify!($name), self.$name)),*].into_iter().filter(|(_, value)| *value != 0.0)
            }

            /// Adds to a counter by name; ignores names that this version does not know.
            pub fn count(&mut self, name: &str, value: f64) {
                match name {
                    $(stringify!($name) => self.$name += value,)*
                    _ => {}
                }
            }

            pub fn add(&mut self, other: &Self) {
                $(self.$name += other.$name;)*
            }

            #[cfg(test)]
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];
        }
    };
}

tally! {
    /// Answered recalls.
    requests,
    /// Recalls for which the request or the mode asked for the graph.
    hybrid_requested,
    /// Recalls answered by the graph.
    hybrid_applied,
    /// … in the mode `canary`.
    canary_applied,
    /// Graph runs for measures only, including failed ones.
    shadow_executions,
    shadow_errors,
    /// Graph runs for an answer that failed.
    graph_errors,
    /// Requests whose mode or gate could not be read.
    guardrails,
    held_feature_flag,
    held_rollout_off,
    held_shadow_mode,
    held_quality_gate,
    /// Sums over all successful graph runs.
    graph_candidates,
    expanded,
    /// Runs with at least one expanded result.
    covered,
    /// Sum of the shares of the baseline's results that the graph kept, over runs with both answers.
    overlap,
    compared,
    /// Times of baseline and graph in milliseconds, and the number of each.
    baseline_ms,
    baseline_timed,
    graph_ms,
    graph_timed,
    /// Labelled questions, and the sum of each strategy's nDCG on them.
    judged,
    judged_baseline_ndcg,
    judged_graph_ndcg,
    /// Feedback on results whose rank the graph affected, and on the others.
    good_graph,
    bad_graph,
    good_baseline,
    bad_baseline,
}

impl Tally {
    /// Counts an answer by how it was made. The caller sets `shadow_errors`.
    pub fn made(&mut self, made: &Made) {
        let when = f64::from;
        let applied = made.applied == Strategy::HybridGraph;
        self.hybrid_requested = when(made.requested == Strategy::HybridGraph);
        self.hybrid_applied = when(applied);
        self.canary_applied = when(applied && made.mode == Mode::Canary);
        self.shadow_executions = when(made.shadow);
        match made.fallback {
            None => {}
            Some(Fallback::FeatureFlagDisabled) => self.held_feature_flag = 1.0,
            Some(Fallback::RolloutOff) => self.held_rollout_off = 1.0,
            Some(Fallback::ShadowMode) => self.held_shadow_mode = 1.0,
            Some(Fallback::QualityGateBlocked) => self.held_quality_gate = 1.0,
            Some(Fallback::GraphExpansionError) => self.graph_errors = 1.0,
            Some(Fallback::RolloutGuardrail) => self.guardrails = 1.0,
        }
        if applied || made.shadow && self.shadow_errors == 0.0 {
            self.graph_candidates = made.graph_candidates as f64;
            self.expanded = made.expanded as f64;
            self.covered = when(made.expanded > 0);
        }
    }

    /// Counts the time of one answer, in milliseconds.
    pub fn took(&mut self, made: &Made, milliseconds: f64) {
        match made.applied {
            Strategy::HybridGraph => (self.graph_ms, self.graph_timed) = (milliseconds, 1.0),
            // Including the time of a failed graph run would distort the baseline.
            Strategy::Baseline if made.fallback.is_none() => {
                (self.baseline_ms, self.baseline_timed) = (milliseconds, 1.0);
            }
            Strategy::Baseline => {}
        }
    }

    /// Counts one piece of feedback.
    pub fn say(&mut self, good: bool, graph: bool) {
        match (good, graph) {
            (true, true) => self.good_graph += 1.0,
            (false, true) => self.bad_graph += 1.0,
            (true, false) => self.good_baseline += 1.0,
            (false, false) => self.bad_baseline += 1.0,
        }
    }

    /// Graph runs, the evidence for the gate.
    pub fn runs(&self) -> f64 {
        self.hybrid_applied + self.graph_errors + self.shadow_executions
    }

    pub fn errors(&self) -> f64 {
        self.graph_errors + self.shadow_errors
    }

    /// Share of failed runs, shadow runs included.
    pub fn error_rate(&self) -> f64 {
        share(self.errors(), self.runs())
    }

    /// Requests for the graph that policy did not hold back.
    pub fn tries(&self) -> f64 {
        self.hybrid_applied + self.graph_errors + self.guardrails
    }

    /// Share of those that still got the baseline.
    pub fn fallback_rate(&self) -> f64 {
        share(self.graph_errors + self.guardrails, self.tries())
    }

    /// All requests for the graph that got the baseline, for any reason.
    pub fn fallbacks(&self) -> f64 {
        self.graph_errors + self.guardrails + self.held()
    }

    /// Requests held back by policy, which are not failures.
    pub fn held(&self) -> f64 {
        self.held_feature_flag + self.held_rollout_off + self.held_shadow_mode + self.held_quality_gate
    }

    /// Successful runs.
    pub fn good_runs(&self) -> f64 {
        self.runs() - self.errors()
    }

    /// Share of successful runs that contributed a result.
    pub fn coverage(&self) -> f64 {
        share(self.covered, self.good_runs())
    }

    /// Results contributed by the graph per successful run.
    pub fn lift(&self) -> f64 {
        share(self.expanded, self.good_runs())
    }

    pub fn mean_graph_candidates(&self) -> f64 {
        share(self.graph_candidates, self.good_runs())
    }

    pub fn mean_overlap(&self) -> Option<f64> {
        (self.compared > 0.0).then(|| self.overlap / self.compared)
    }

    /// nDCG of the graph minus nDCG of the baseline, over the labelled questions.
    pub fn relevance_gain(&self) -> Option<f64> {
        (self.judged > 0.0).then(|| (self.judged_graph_ndcg - self.judged_baseline_ndcg) / self.judged)
    }

    /// Ratio of the graph's answer time to the baseline's.
    pub fn slowdown(&self) -> Option<f64> {
        let both = self.baseline_timed > 0.0 && self.graph_timed > 0.0 && self.baseline_ms > 0.0;
        both.then(|| (self.graph_ms / self.graph_timed) / (self.baseline_ms / self.baseline_timed))
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// A time span with its counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    pub start: Timestamp,
    /// In milliseconds.
    pub width: i64,
    pub tally: Tally,
}

impl Window {
    pub fn end(&self) -> Timestamp {
        Timestamp(self.start.0.saturating_add(self.width))
    }
}

/// The start of the window that contains a time.
pub fn window_start(at: Timestamp, width: i64) -> Timestamp {
    let width = width.max(1);
    Timestamp(at.0.div_euclid(width) * width)
}

/// The closed windows that began at or after `evidence_from`.
pub fn closed_before(windows: &[Window], now: Timestamp, evidence_from: Timestamp) -> Vec<Window> {
    windows.iter().filter(|w| w.end() <= now && w.start >= evidence_from).copied().collect()
}

/// Share of the first list's results that are also in the second; 1 for two empty lists.
pub fn overlap(baseline: &[Node], graph: &[Node]) -> f64 {
    if baseline.is_empty() {
        return if graph.is_empty() { 1.0 } else { 0.0 };
    }
    baseline.iter().filter(|node| graph.contains(node)).count() as f64 / baseline.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_come_back_under_their_names() {
        let tally = Tally { requests: 3.0, shadow_errors: 1.0, graph_ms: 0.5, ..Tally::default() };
        let mut again = Tally::default();
        tally.counts().for_each(|(name, value)| again.count(name, value));
        again.count("a counter of tomorrow", 7.0);
        assert_eq!(again, tally);
        again.add(&tally);
        assert_eq!((again.requests, again.shadow_errors, again.graph_ms), (6.0, 2.0, 1.0));
    }

    #[test]
    fn windows_begin_at_multiples_of_their_width() {
        let starts = [-1, 0, 99, 100, 199].map(|at| window_start(Timestamp(at), 100).0);
        assert_eq!(starts, [-100, 0, 0, 100, 100]);
        let window = |start| Window { start: Timestamp(start), width: 100, tally: Tally::default() };
        let all = [window(0), window(100), window(200)];
        let closed = |now, from| -> Vec<i64> {
            closed_before(&all, Timestamp(now), Timestamp(from)).iter().map(|w| w.start.0).collect()
        };
        assert_eq!(closed(199, 0), [0]);
        assert_eq!(closed(300, 0), [0, 100, 200]);
        assert_eq!(closed(300, 1), [100, 200]);
    }

    #[test]
    fn overlap_is_the_share_that_was_kept() {
        let nodes = |numbers: &[u32]| -> Vec<Node> { numbers.iter().map(|n| Node::memory(*n)).collect() };
        assert_eq!(overlap(&nodes(&[1, 2, 3, 4]), &nodes(&[4, 9, 1])), 0.5);
        assert_eq!(overlap(&[], &[]), 1.0);
        assert_eq!(overlap(&[], &nodes(&[1])), 0.0);
    }
}
