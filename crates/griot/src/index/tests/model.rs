//! The index as lists: every expected answer, computed from the rows alone.

use std::collections::{BTreeMap, BTreeSet};

use super::{super::*, spaces};
use crate::model::{Provenance, WordHit};

#[derive(Clone, Debug)]
pub(super) struct Owned {
    pub(super) memory: u32,
    pub(super) text: String,
    pub(super) header: String,
    pub(super) place: u32,
    pub(super) source: u32,
    pub(super) ordinal: u32,
    pub(super) occurred_at: i64,
    pub(super) user: u32,
    pub(super) project: u32,
    pub(super) kind: u32,
    pub(super) agent: u32,
    pub(super) deleted: bool,
    pub(super) superseded: bool,
    pub(super) timeless: bool,
    pub(super) vector: Option<(Vec<i8>, f32)>,
}

impl Owned {
    pub(super) fn document(&self) -> Document<'_> {
        Document {
            memory: self.memory,
            text: &self.text,
            header: &self.header,
            place: self.place,
            source: self.source,
            ordinal: self.ordinal,
            occurred_at: self.occurred_at,
            user: self.user,
            project: self.project,
            kind: self.kind,
            agent: self.agent,
            session: self.place,
            speaker: 3,
            deleted: self.deleted,
            superseded: self.superseded,
            timeless: self.timeless,
            tier: (self.memory % 3) as u8,
            expires_at: self.memory.is_multiple_of(4).then_some(i64::from(self.memory)),
            vector: self.vector.as_ref().map(|(values, scale)| (&values[..], *scale)),
        }
    }

    pub(super) fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        spaces(text, &mut |term| terms.push(term.to_string()));
        terms
    }
}

/// The rows.
#[derive(Default, Clone)]
pub(super) struct Model {
    pub(super) documents: BTreeMap<u32, Owned>,
    pub(super) links: BTreeMap<u32, Link>,
    pub(super) hidden: BTreeSet<u32>,
}

impl Model {
    pub(super) fn sees(&self, visible: &Visible<'_>, memory: u32) -> bool {
        let Some(d) = self.documents.get(&memory) else {
            return false;
        };
        !d.deleted
            && (visible.superseded || !d.superseded)
            && visible.user.is_none_or(|user| d.user == user || d.user == 0)
            && visible.project.is_none_or(|project| d.project == project || d.project == 0)
            && (visible.kinds.is_empty() || visible.kinds.contains(&d.kind))
            && (visible.sources.is_empty() || visible.sources.contains(&d.source))
            && visible.agent.is_none_or(|agent| d.agent == agent)
            && visible.session.is_none_or(|session| d.place == session)
            && visible.occurred.is_none_or(|(start, end)| start <= d.occurred_at && d.occurred_at < end)
            && visible.within.is_none_or(|within| within.contains(&memory))
    }

    pub(super) fn seen(&self, visible: &Visible<'_>) -> Vec<&Owned> {
        self.documents.values().filter(|d| self.sees(visible, d.memory)).collect()
    }

    pub(super) fn words(&self, terms: &[String], limit: usize, visible: &Visible<'_>) -> WordHits {
        let all = self.documents.len();
        let bodies: BTreeMap<u32, Vec<String>> =
            self.documents.values().map(|d| (d.memory, Owned::terms(&d.text))).collect();
        let headers: BTreeMap<u32, Vec<String>> =
            self.documents.values().map(|d| (d.memory, Owned::terms(&d.header))).collect();
        let count = |texts: &BTreeMap<u32, Vec<String>>, memory: u32, term: &String| {
            texts[&memory].iter().filter(|other| *other == term).count() as f32
        };
        let length = |texts: &BTreeMap<u32, Vec<String>>, memory: u32| texts[&memory].len();
        let total = |texts: &BTreeMap<u32, Vec<String>>| texts.values().map(Vec::len).sum::<usize>();
        let idf = |all: usize, having: usize| match having {
            0 => 0.0,
            _ => (1.0 + (all as f64 - having as f64 + 0.5) / (having as f64 + 0.5)).ln() as f32,
        };
        let bm25 = |idf: f32, tf: f32, length: usize, total: usize, all: usize| {
            let average = if total == 0 { 1.0 } else { (total as f64 / all as f64) as f32 };
            idf * (tf * 2.2 / (tf + (1.2 * (1.0 - 0.75) + 1.2 * 0.75 / average * length as f32)))
        };
        let idfs: Vec<f32> = terms
            .iter()
            .map(|term| {
                let has = |d: &&Owned| count(&bodies, d.memory, term) + count(&headers, d.memory, term) > 0.0;
                idf(all, self.documents.values().filter(has).count())
            })
            .collect();
        let mut memories = Vec::new();
        for d in self.seen(visible) {
            let mut hit =
                WordHit { node: Node::memory(d.memory), body: 0.0, full: 0.0, header: 0.0, matched: 0 };
            for (at, (term, idf)) in terms.iter().zip(&idfs).enumerate() {
                let (body, header) = (count(&bodies, d.memory, term), count(&headers, d.memory, term));
                if body + header == 0.0 {
                    continue;
                }
                let (b, h) = (length(&bodies, d.memory), length(&headers, d.memory));
                hit.matched |= 1 << at;
                hit.full += bm25(*idf, body + header, b + h, total(&bodies) + total(&headers), all);
                if body > 0.0 {
                    hit.body += bm25(*idf, body, b, total(&bodies), all);
                }
                if header > 0.0 {
                    hit.header += bm25(*idf, header, h, total(&headers), all);
                }
            }
            if hit.matched > 0 {
                memories.push(hit);
            }
        }
        memories.sort_by(|a, b| b.full.total_cmp(&a.full).then(a.node.cmp(&b.node)));
        memories.truncate(limit);

        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for d in self.documents.values().filter(|d| d.place != 0) {
            members.entry(d.place).or_default().push(d.memory);
        }
        let tf = |memories: &Vec<u32>, term: &String| {
            memories.iter().map(|m| count(&bodies, *m, term)).sum::<f32>()
        };
        let of_place = |memories: &Vec<u32>| memories.iter().map(|m| length(&bodies, *m)).sum::<usize>();
        let total: usize = members.values().map(of_place).sum();
        let mut places = Vec::new();
        for (place, memories) in &members {
            let mut score = 0.0;
            for term in terms {
                let having = members.values().filter(|memories| tf(memories, term) > 0.0).count();
                let tf = tf(memories, term);
                if tf > 0.0 {
                    score += bm25(idf(members.len(), having), tf, of_place(memories), total, members.len());
                }
            }
            if score > 0.0 && memories.iter().any(|memory| self.sees(visible, *memory)) {
                places.push((*place, score));
            }
        }
        places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        places.truncate(limit);
        WordHits { memories, places, idf: idfs }
    }

    pub(super) fn nearest(&self, vector: &[f32], limit: usize, visible: &Visible<'_>) -> Vec<(u32, f32)> {
        let mut found: Vec<(u32, f32)> = self
            .seen(visible)
            .into_iter()
            .filter_map(|d| {
                let (values, scale) = d.vector.as_ref()?;
                Some((d.memory, simd::dot_f32(SimdLevel::Portable, vector, values) * scale))
            })
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        found
    }

    /// Everything visible, and `also`, in an order; and the position of `also`.
    pub(super) fn row<K: Ord>(
        &self,
        visible: &Visible<'_>,
        also: u32,
        key: impl Fn(&Owned) -> K,
    ) -> (Vec<&Owned>, usize) {
        let mut row: Vec<&Owned> =
            self.documents.values().filter(|d| d.memory == also || self.sees(visible, d.memory)).collect();
        row.sort_by_key(|d| (key(d), d.memory));
        let at = row.iter().position(|d| d.memory == also).unwrap_or(0);
        (row, at)
    }

    pub(super) fn arcs(
        &self,
        node: u32,
        direction: Direction,
        fan_out: &[usize],
        visible: &Visible<'_>,
    ) -> Vec<Arc> {
        let mut arcs = Vec::new();
        for link in self.links.values().filter(|link| !Self::is_over(link, visible.now)) {
            let mut add = |to: u32, forward: bool| {
                arcs.push(Arc {
                    to: Node::from_raw(to),
                    edge: link.number,
                    kind: link.kind,
                    label: link.label,
                    forward,
                    weight: link.weight,
                    confidence: link.confidence,
                    touched_at: Timestamp(link.touched_at),
                    provenance: link.provenance,
                });
            };
            if link.source == node {
                add(link.target, true);
            }
            if link.target == node && !(link.kind.is_symmetric() && link.source == node) {
                add(link.source, link.kind.is_symmetric());
            }
        }
        let own = Node::from_raw(node);
        if let Some(me) = self.documents.get(&own.number()).filter(|_| own.is_memory()) {
            let mut add = |other: &Owned, forward: bool, kind: EdgeKind, label: u32, weight: f32| {
                let touched_at = if forward { other.occurred_at } else { me.occurred_at };
                arcs.push(Arc {
                    to: Node::memory(other.memory),
                    edge: 0,
                    kind,
                    label,
                    forward,
                    weight,
                    confidence: 1.0,
                    touched_at: Timestamp(touched_at),
                    provenance: Provenance::Rule,
                });
            };
            let beside = |row: Vec<&Owned>, is_mate: &dyn Fn(&Owned) -> bool| {
                let row: Vec<Owned> = row.into_iter().filter(|d| is_mate(d)).cloned().collect();
                let at = row.iter().position(|d| d.memory == me.memory);
                let previous = at.and_then(|at| row.get(at.checked_sub(1)?).cloned());
                let next = at.and_then(|at| row.get(at + 1).cloned());
                [(previous, false), (next, true)]
            };
            let by_ordinal = self.row(visible, me.memory, |d| d.ordinal).0;
            for (other, forward) in beside(by_ordinal, &|d| d.place != 0 && d.place == me.place) {
                other.iter().for_each(|other| add(other, forward, EdgeKind::Narrative, 0, 1.0));
            }
            let by_source = self.row(visible, me.memory, |d| (d.occurred_at, d.ordinal)).0;
            let backbone = beside(by_source, &|d| !d.timeless && d.source != 0 && d.source == me.source);
            for (other, forward) in &backbone {
                other.iter().for_each(|other| add(other, *forward, EdgeKind::Temporal, LABEL_BACKBONE, 1.0));
            }
            let (row, at) = self.row(visible, me.memory, |d| d.occurred_at);
            let is_mate = |d: &&Owned| {
                !me.timeless
                    && !d.timeless
                    && backbone.iter().flat_map(|(b, _)| b).all(|b| b.memory != d.memory)
            };
            let mut near = Vec::new();
            let earlier: Vec<&Owned> = row[..at].iter().rev().copied().filter(is_mate).collect();
            let later: Vec<&Owned> = row[at + 1..].iter().copied().filter(is_mate).collect();
            for (side, forward) in [(earlier, false), (later, true)] {
                for (between, other) in side.into_iter().enumerate() {
                    let distance = (other.occurred_at - me.occurred_at).abs();
                    if distance <= Timestamp::DAY {
                        near.push((distance, between, forward, other.memory));
                    }
                }
            }
            near.sort();
            for (distance, _, forward, other) in near.into_iter().take(10) {
                let weight = (1.0 / (1.0 + distance as f64 / Timestamp::HOUR as f64)) as f32;
                add(&self.documents[&other], forward, EdgeKind::Temporal, LABEL_PROXIMITY, weight);
            }
        }
        arcs.retain(|arc| {
            let is_wanted = match direction {
                Direction::Both => true,
                Direction::Out => arc.forward,
                Direction::In => !arc.forward || arc.kind.is_symmetric(),
            };
            is_wanted
                && visible.belief.holds(arc.kind, arc.confidence, arc.touched_at, visible.now.map(Timestamp))
                && if arc.to.is_memory() {
                    self.sees(visible, arc.to.number())
                } else {
                    !self.hidden.contains(&arc.to.number())
                }
        });
        arcs.sort_by(|a, b| {
            (a.kind, a.forward)
                .cmp(&(b.kind, b.forward))
                .then(b.weight.total_cmp(&a.weight))
                .then(b.touched_at.cmp(&a.touched_at))
                .then((a.to, a.edge, a.label).cmp(&(b.to, b.edge, b.label)))
        });
        let mut taken: BTreeMap<(EdgeKind, bool), usize> = BTreeMap::new();
        arcs.retain(|arc| {
            let taken = taken.entry((arc.kind, arc.forward)).or_default();
            *taken += 1;
            *taken <= fan_out[arc.kind as usize]
        });
        arcs
    }

    fn is_over(link: &Link, now: Option<i64>) -> bool {
        now.is_some_and(|now| link.expires_at.is_some_and(|end| end <= now))
    }

    pub(super) fn degree(&self, node: u32, now: Option<i64>) -> u32 {
        let of_node = self.links.values().filter(|link| link.source == node || link.target == node);
        of_node.filter(|link| !Self::is_over(link, now)).count() as u32
    }
}
