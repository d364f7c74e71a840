//! Random histories of a workspace: what agents and people do to it, in any order.

use griot::engine::{Engine, Forgotten, LinkRequest, MergeRequest};
use griot::model::{EdgeKind, EntityType, ErrorKind, Predicate, Provenance, SourceType, Tier, Timestamp};
use griot::remember::{Draft, EntityDraft, SourceDraft};
use proptest::prelude::*;

use crate::support::*;

const WHO: &[&str] = &["Ada Lovelace", "Grace Hopper", "the team", "Paul"];
const DID: &[&str] = &["moved the cache to", "chose", "never liked", "replaced", "asked about"];
const WHAT: &[&str] = &["SQLite", "Redis", "the deploy of Kafka", "数据库", "the parser"];
const WHY: &[&str] = &["", " because the disk was full", " so the latency fell", " in May 2023", " again?"];
const KINDS: &[EdgeKind] = &[
    EdgeKind::Causal,
    EdgeKind::Semantic,
    EdgeKind::Contradicts,
    EdgeKind::Supersedes,
    EdgeKind::Supporting,
];

/// Names that differ by spelling or type alone, and some that fold into one.
const NAMED: &[(&str, Option<EntityType>)] = &[
    ("operator+", Some(EntityType::Function)),
    ("operator-", Some(EntityType::Function)),
    ("Get", Some(EntityType::Function)),
    ("get", Some(EntityType::Function)),
    ("src/a_b.rs", Some(EntityType::File)),
    ("src/a/b.rs", Some(EntityType::File)),
    ("Mercury", Some(EntityType::Person)),
    ("Mercury", Some(EntityType::Location)),
    ("Auth Service", None),
    ("auth-service", Some(EntityType::Tool)),
    ("Ops!", None),
    ("Redis", Some(EntityType::Repo)),
];

#[derive(Clone, Debug)]
pub enum Op {
    Remember {
        words: (usize, usize, usize, usize),
        source: u8,
        user: u8,
        passage: bool,
        hours: i64,
        supersedes: Option<usize>,
        named: Vec<usize>,
        tier: Option<Tier>,
    },
    Link {
        ends: (usize, usize),
        kind: usize,
        weight: u8,
        /// Until so many seconds from now.
        seconds: Option<u8>,
    },
    /// A fact of two named entities, or of one and a literal.
    Fact((usize, usize), bool, usize),
    Merge(usize, usize),
    Unmerge(u32),
    Unlink(usize, usize),
    Forget(usize),
    Restore(usize),
    ForgetSource(u8),
    RestoreSource(u8),
    Reopen,
}

pub fn config(cases: u32, max_shrink_iters: u32) -> ProptestConfig {
    ProptestConfig { cases, max_shrink_iters, failure_persistence: None, ..ProptestConfig::default() }
}

pub fn an_op() -> impl Strategy<Value = Op> {
    let words = (0..WHO.len(), 0..DID.len(), 0..WHAT.len(), 0..WHY.len());
    prop_oneof![
        8 => (
            words,
            0..4_u8,
            0..4_u8,
            any::<bool>(),
            0..200_i64,
            proptest::option::weighted(0.15, any::<usize>()),
            proptest::collection::vec(0..NAMED.len(), 0..3),
            proptest::option::weighted(0.2, prop_oneof![Just(Tier::Rule), Just(Tier::Working)]),
        )
            .prop_map(|(words, source, user, passage, hours, supersedes, named, tier)| Op::Remember {
                words, source, user, passage, hours, supersedes, named, tier
            }),
        5 => (any::<(usize, usize)>(), 0..KINDS.len(), 0..5_u8, proptest::option::weighted(0.2, 1..20_u8))
            .prop_map(|(ends, kind, weight, seconds)| Op::Link { ends, kind, weight, seconds }),
        2 => (any::<(usize, usize)>(), any::<bool>(), any::<usize>())
            .prop_map(|(ends, literal, memory)| Op::Fact(ends, literal, memory)),
        1 => any::<(usize, usize)>().prop_map(|(a, b)| Op::Merge(a, b)),
        1 => (1..4_u32).prop_map(Op::Unmerge),
        1 => any::<(usize, usize)>().prop_map(|(a, b)| Op::Unlink(a, b)),
        2 => any::<usize>().prop_map(Op::Forget),
        1 => any::<usize>().prop_map(Op::Restore),
        1 => (0..4_u8).prop_map(Op::ForgetSource),
        1 => (0..4_u8).prop_map(Op::RestoreSource),
        1 => Just(Op::Reopen),
    ]
}

/// An engine with the ids that it gave: they are random, so the n-th of one corresponds to the n-th of
/// another.
pub struct Side {
    pub engine: Engine,
    ids: Vec<String>,
}

/// What an operation came to, without ids.
pub type Outcome = Result<String, ErrorKind>;

/// A name of [`NAMED`] as a front end would give it.
fn name(number: usize) -> String {
    let (name, kind) = NAMED[number % NAMED.len()];
    kind.map_or_else(|| name.to_owned(), |kind| format!("{}:{name}", kind.name()))
}

impl Side {
    pub fn new(engine: Engine) -> Self {
        Self { engine, ids: Vec::new() }
    }

    fn id(&self, number: usize) -> Option<&str> {
        (!self.ids.is_empty()).then(|| self.ids[number % self.ids.len()].as_str())
    }

    pub fn play(&mut self, op: &Op) -> Outcome {
        self.try_play(op).map_err(|error| error.kind)
    }

    fn try_play(&mut self, op: &Op) -> griot::model::Result<String> {
        match op {
            Op::Remember {
                words: (who, did, what, why),
                source,
                user,
                passage,
                hours,
                supersedes,
                named,
                tier,
            } => {
                let text = format!("{} {} {}{}.", WHO[*who], DID[*did], WHAT[*what], WHY[*why]);
                let draft = Draft {
                    kind: passage.then(|| "passage".to_owned()),
                    scope: scope([None, Some("ada"), Some("bob"), None][usize::from(*user)], None),
                    session: (source % 2 == 1).then(|| format!("s{user}")),
                    speaker: (*user == 3).then(|| WHO[*who].to_owned()),
                    occurred_at: Some(Timestamp(NOW.0 - hours * Timestamp::HOUR)),
                    supersedes: supersedes.and_then(|number| self.id(number)).map(str::to_owned),
                    entities: named.iter().map(|&at| EntityDraft::named(NAMED[at].0, NAMED[at].1)).collect(),
                    tier: if *passage { None } else { *tier },
                    ..Draft::new(text)
                };
                let kind = if *source == 0 { SourceType::Agent } else { SourceType::Chat };
                let source = SourceDraft {
                    title: Some("Notes on Kafka".into()),
                    ..SourceDraft::new(kind, source.to_string())
                };
                let stored = self.engine.remember_from(&source, draft)?;
                let id = stored.id.to_string();
                if !self.ids.contains(&id) {
                    self.ids.push(id);
                }
                let alike: Vec<String> = stored.semantic_candidates.into_iter().map(|c| c.text).collect();
                let causes = stored.causal_candidates.iter().map(|c| format!("{} {}", c.text, c.hop));
                let causes: Vec<String> = causes.collect();
                let (action, edges, entities) = (stored.action, stored.edges, stored.entities);
                let (diff, embedded) = (stored.diff.suggestion, stored.embedded);
                let (alike, causes) = (alike.join("|"), causes.join("|"));
                let warnings = stored.warnings;
                Ok(format!(
                    "{action:?} {edges:?} {entities:?} {diff:?} {embedded} / {alike} / {causes} {warnings:?}"
                ))
            }
            Op::Link { ends, kind, weight, seconds } => {
                let (Some(source), Some(target)) = (self.id(ends.0), self.id(ends.1)) else {
                    return Ok(String::new());
                };
                let end = |seconds| Timestamp(self.engine.now().0 + i64::from(seconds) * 1000);
                let request = LinkRequest {
                    kind: KINDS[*kind],
                    weight: Some(f32::from(*weight) / 4.0),
                    expires_at: seconds.map(end),
                    ..link(source, target)
                };
                let linked = self.engine.link(&request)?;
                Ok(format!("{} {} {:?}", linked.created, linked.edge.edge.number, linked.warnings))
            }
            Op::Fact(ends, literal, memory) => {
                let Some(memory) = self.id(*memory) else { return Ok(String::new()) };
                let (predicate, object) = match literal {
                    true => (Predicate::Prefers, "small steps".to_owned()),
                    false => (Predicate::Uses, name(ends.1)),
                };
                let draft = fact(&name(ends.0), predicate, &object, Some(memory));
                self.engine.add_fact(&draft).map(|_| String::new())
            }
            Op::Merge(kept, merged) => {
                let request = MergeRequest {
                    kept: name(*kept),
                    merged: name(*merged),
                    reason: None,
                    by: Provenance::User,
                };
                let merged = self.engine.merge(&request)?.merge;
                // Its evidence names memories by their random ids.
                let (moved, folded, dropped) =
                    (merged.moved.len(), merged.folded.len(), merged.dropped.len());
                Ok(format!(
                    "{} {} {moved} {folded} {dropped} {}",
                    merged.id(),
                    merged.kept.name,
                    merged.facts.len()
                ))
            }
            Op::Unmerge(merge) => self.engine.unmerge(&format!("g{merge}")).map(|_| String::new()),
            Op::Unlink(source, target) => {
                let (Some(source), Some(target)) = (self.id(*source), self.id(*target)) else {
                    return Ok(String::new());
                };
                let gone = self.engine.unlink(source, target, None, None)?;
                Ok(format!("{:?}", gone.iter().map(|view| view.edge.number).collect::<Vec<_>>()))
            }
            Op::Forget(memory) | Op::Restore(memory) => {
                let Some(id) = self.id(*memory) else { return Ok(String::new()) };
                let done = self.hide(id, matches!(op, Op::Forget(_)))?;
                Ok(format!("{} {}", done.memories.len(), done.edges_hidden))
            }
            Op::ForgetSource(source) | Op::RestoreSource(source) => {
                let done = self.hide(&format!("s{}", source + 1), matches!(op, Op::ForgetSource(_)))?;
                Ok(format!("{} {:?}", done.memories.len(), done.entities))
            }
            Op::Reopen => Ok(String::new()),
        }
    }

    /// Forgets what a name means, or restores it.
    fn hide(&self, name: &str, forget: bool) -> griot::model::Result<Forgotten> {
        if forget { self.engine.forget(name) } else { self.engine.restore(name) }
    }
}
