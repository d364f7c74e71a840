//! Random histories of a workspace: what agents and people do to it, in any order.

use griot::engine::{Engine, FactDraft, LinkRequest, MergeRequest};
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
    Fact {
        ends: (usize, usize),
        literal: bool,
        memory: usize,
    },
    Merge {
        ends: (usize, usize),
    },
    Unmerge {
        merge: u32,
    },
    Unlink {
        ends: (usize, usize),
    },
    Forget {
        memory: usize,
    },
    Restore {
        memory: usize,
    },
    ForgetSource {
        source: u8,
    },
    RestoreSource {
        source: u8,
    },
    Reopen,
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
            .prop_map(|(ends, literal, memory)| Op::Fact { ends, literal, memory }),
        1 => any::<(usize, usize)>().prop_map(|ends| Op::Merge { ends }),
        1 => (1..4_u32).prop_map(|merge| Op::Unmerge { merge }),
        1 => any::<(usize, usize)>().prop_map(|ends| Op::Unlink { ends }),
        2 => any::<usize>().prop_map(|memory| Op::Forget { memory }),
        1 => any::<usize>().prop_map(|memory| Op::Restore { memory }),
        1 => (0..4_u8).prop_map(|source| Op::ForgetSource { source }),
        1 => (0..4_u8).prop_map(|source| Op::RestoreSource { source }),
        1 => Just(Op::Reopen),
    ]
}

/// An engine with the ids that it gave: they are random, so the n-th of one stands for the n-th of the other.
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
                let stored = self.engine.remember_from(&source, draft).map_err(|error| error.kind)?;
                let id = stored.id.to_string();
                if !self.ids.contains(&id) {
                    self.ids.push(id);
                }
                let texts = |candidates: Vec<String>| candidates.join("|");
                Ok(format!(
                    "{:?} {:?} {:?} {:?} {} / {} / {} {:?}",
                    stored.action,
                    stored.edges,
                    stored.entities,
                    stored.diff.suggestion,
                    stored.embedded,
                    texts(stored.semantic_candidates.into_iter().map(|c| c.text).collect()),
                    texts(
                        stored
                            .causal_candidates
                            .into_iter()
                            .map(|c| format!("{} {}", c.text, c.hop))
                            .collect()
                    ),
                    stored.warnings
                ))
            }
            Op::Link { ends, kind, weight, seconds } => {
                let (Some(source), Some(target)) = (self.id(ends.0), self.id(ends.1)) else {
                    return Ok(String::new());
                };
                let request = LinkRequest {
                    source: source.into(),
                    target: target.into(),
                    kind: KINDS[*kind],
                    label: None,
                    weight: Some(f32::from(*weight) / 4.0),
                    reason: Some("a test".into()),
                    provenance: Provenance::User,
                    confidence: None,
                    expires_at: seconds
                        .map(|seconds| Timestamp(self.engine.now().0 + i64::from(seconds) * 1000)),
                };
                let linked = self.engine.link(&request).map_err(|error| error.kind)?;
                Ok(format!("{} {} {:?}", linked.created, linked.edge.edge.number, linked.warnings))
            }
            Op::Fact { ends, literal, memory } => {
                let Some(memory) = self.id(*memory) else { return Ok(String::new()) };
                let draft = FactDraft {
                    subject: name(ends.0),
                    predicate: if *literal { Predicate::Prefers } else { Predicate::Uses },
                    object: if *literal { "small steps".into() } else { name(ends.1) },
                    valid_from: None,
                    valid_to: None,
                    confidence: None,
                    memory: Some(memory.to_owned()),
                    reason: None,
                    scope: scope(None, None),
                };
                self.engine.add_fact(&draft).map(|_| String::new()).map_err(|error| error.kind)
            }
            Op::Merge { ends } => {
                let request = MergeRequest {
                    kept: name(ends.0),
                    merged: name(ends.1),
                    reason: None,
                    by: Provenance::User,
                };
                let merged = self.engine.merge(&request).map_err(|error| error.kind)?.merge;
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
            Op::Unmerge { merge } => {
                self.engine.unmerge(&format!("g{merge}")).map(|_| String::new()).map_err(|error| error.kind)
            }
            Op::Unlink { ends } => {
                let (Some(source), Some(target)) = (self.id(ends.0), self.id(ends.1)) else {
                    return Ok(String::new());
                };
                let gone = self.engine.unlink(source, target, None, None).map_err(|error| error.kind)?;
                Ok(format!("{:?}", gone.iter().map(|view| view.edge.number).collect::<Vec<_>>()))
            }
            Op::Forget { memory } | Op::Restore { memory } => {
                let Some(id) = self.id(*memory) else { return Ok(String::new()) };
                let is_forget = matches!(op, Op::Forget { .. });
                let done = if is_forget { self.engine.forget(id) } else { self.engine.restore(id) };
                done.map(|done| format!("{} {}", done.memories.len(), done.edges_hidden))
                    .map_err(|error| error.kind)
            }
            Op::ForgetSource { source } | Op::RestoreSource { source } => {
                let name = format!("s{}", source + 1);
                let is_forget = matches!(op, Op::ForgetSource { .. });
                let done = if is_forget { self.engine.forget(&name) } else { self.engine.restore(&name) };
                done.map(|done| format!("{} {:?}", done.memories.len(), done.entities))
                    .map_err(|error| error.kind)
            }
            Op::Reopen => Ok(String::new()),
        }
    }
}
