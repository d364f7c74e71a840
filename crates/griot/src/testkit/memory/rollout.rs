//! Telemetry of the reference store: plain lists, scanned completely.

use std::collections::BTreeMap;

use super::State;
use crate::backend::{EdgeEnds, GraphHealth};
use crate::model::{Edge, EdgeKind, Mark, Node, Timestamp};
use crate::rollout::{
    ANSWERS, Answered, Credited, Fallback, INCIDENTS, Incident, Ledger, Measures, ModeChange, Standing,
    Strategy, Tally, WINDOWS, Window, window_start,
};

/// When, whether good, and about which strategy.
type Vote = (Timestamp, bool, Option<Strategy>);

#[derive(Default)]
pub(super) struct Book {
    modes: Vec<ModeChange>,
    windows: BTreeMap<(i64, Timestamp), Tally>,
    /// By time and id.
    answers: BTreeMap<(Timestamp, String), Answered>,
    /// Keyed by answer and memory: time, whether it was positive, and the strategy it counts for.
    feedback: BTreeMap<(Option<String>, Option<Node>), Vote>,
    incidents: Vec<Incident>,
    last_fallback: Option<(Timestamp, Fallback)>,
}

impl Book {
    /// Removes the answers of erased users.
    pub fn forget_answers_of(&mut self, gone: &[Mark]) {
        self.answers.retain(|_, answer| answer.asker.is_none_or(|asker| !gone.contains(&asker)));
    }

    /// A message may quote erased text.
    pub fn forget_messages(&mut self) {
        self.incidents.iter_mut().for_each(|incident| incident.message.clear());
    }

    pub fn set_mode(&mut self, change: &ModeChange, before: &Standing) -> bool {
        let is_current = self.standing() == *before;
        if is_current {
            self.modes.push(change.clone());
        }
        is_current
    }

    pub fn keep_feedback(&mut self, credited: &[Credited], good: bool, at: Timestamp) {
        let said = |one: &Credited| ((one.answer.clone(), one.memory), (at, good, one.strategy));
        self.feedback.extend(credited.iter().map(said));
    }

    pub fn standing(&self) -> Standing {
        let Some(last) = self.modes.last() else { return Standing::default() };
        let forced = self.modes.iter().filter(|change| change.forced).map(|change| change.at).max();
        Standing {
            mode: last.mode,
            updated_at: Some(last.at),
            updated_by: Some(last.by.clone()),
            evidence_from: forced.unwrap_or_default(),
        }
    }

    pub fn ledger(&self, width: i64) -> Ledger {
        let of_width = self.windows.iter().filter(|((of, _), _)| *of == width);
        let mut windows: BTreeMap<Timestamp, Tally> =
            of_width.map(|((_, start), tally)| (*start, *tally)).collect();
        for (at, good, strategy) in self.feedback.values() {
            if let Some(strategy) = strategy {
                let tally = windows.entry(window_start(*at, width)).or_default();
                tally.say(*good, *strategy == Strategy::HybridGraph);
            }
        }
        let windows = windows.into_iter().map(|(start, tally)| Window { start, width, tally }).collect();
        Ledger {
            standing: self.standing(),
            windows: super::search::last(windows, WINDOWS + 1),
            answers: self.answers.values().rev().cloned().collect(),
            incidents: self.incidents.iter().rev().cloned().collect(),
            last_fallback: self.last_fallback,
        }
    }

    pub fn record(&mut self, measures: &Measures) {
        for window in &measures.windows {
            self.windows.entry((window.width, window.start)).or_default().add(&window.tally);
        }
        for answer in &measures.answered {
            self.answers.retain(|(_, id), _| *id != answer.id);
            self.answers.insert((answer.at, answer.id.clone()), answer.clone());
        }
        self.incidents.extend(measures.incidents.iter().cloned());
        if let Some(last) = measures.last_fallback
            && self.last_fallback.is_none_or(|(at, _)| last.0 >= at)
        {
            self.last_fallback = Some(last);
        }
        self.windows.retain(|(_, start), _| *start >= measures.keep_from);
        self.feedback.retain(|_, (at, _, _)| *at >= measures.keep_from);
        while self.answers.len() > ANSWERS {
            self.answers.pop_first();
        }
        self.incidents.drain(..self.incidents.len().saturating_sub(INCIDENTS));
    }
}

impl State {
    pub(super) fn graph_health(&self, now: Timestamp, entities: &[Node]) -> GraphHealth {
        let count = |counts: &dyn Fn(&Edge) -> bool| {
            let live = self.edges.values().filter(|edge| self.edge_is_live(edge));
            live.filter(|edge| counts(edge)).count() as u64
        };
        let holds = |edge: &Edge| !edge.has_expired(now);
        let touched =
            |node: Node| count(&|edge| holds(edge) && (edge.source == node || edge.target == node)) > 0;
        let live = self.entities.values().filter(|entity| self.entity_is_live(entity));
        let mention = |edge: &Edge| edge.kind == EdgeKind::Mentions;
        let ends = |node: &Node| EdgeEnds {
            mentions: count(&|edge| edge.target == *node && mention(edge) && holds(edge)),
            outbound: count(&|edge| edge.source == *node && !mention(edge) && holds(edge)),
            inbound: count(&|edge| edge.target == *node && !mention(edge) && holds(edge)),
        };
        GraphHealth {
            expired_edges: count(&|edge| edge.has_expired(now)),
            orphan_entities: live.filter(|entity| !touched(entity.node)).count() as u64,
            ends: entities.iter().map(ends).collect(),
        }
    }
}
