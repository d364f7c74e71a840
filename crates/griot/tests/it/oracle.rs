//! The engine on SQLite against the engine on the oracle: the same random history, the same answers.

use std::sync::Arc;

use griot::backend::memory::MemoryBackend;
use griot::embed::StaticEmbedder;
use griot::engine::{Engine, LinkRequest};
use griot::model::{EdgeKind, ErrorKind, Provenance, SourceType, Timestamp};
use griot::recall::{Query, Recall};
use griot::remember::{Draft, SourceDraft};
use proptest::prelude::*;

use crate::support::*;

const WHO: &[&str] = &["Ada Lovelace", "Grace Hopper", "the team", "Paul"];
const DID: &[&str] = &["moved the cache to", "chose", "never liked", "replaced", "asked about"];
const WHAT: &[&str] = &["SQLite", "Redis", "the deploy of Kafka", "数据库", "the parser"];
const WHY: &[&str] = &["", " because the disk was full", " so the latency fell", " in May 2023", " again?"];
const KINDS: &[EdgeKind] =
    &[EdgeKind::Causal, EdgeKind::Semantic, EdgeKind::Contradicts, EdgeKind::Supersedes, EdgeKind::Supporting];

#[derive(Clone, Debug)]
enum Op {
    Remember {
        words: (usize, usize, usize, usize),
        source: u8,
        user: u8,
        passage: bool,
        hours: i64,
        supersedes: Option<usize>,
    },
    Link {
        ends: (usize, usize),
        kind: usize,
        weight: u8,
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

fn an_op() -> impl Strategy<Value = Op> {
    let words = (0..WHO.len(), 0..DID.len(), 0..WHAT.len(), 0..WHY.len());
    prop_oneof![
        8 => (words, 0..4_u8, 0..4_u8, any::<bool>(), 0..200_i64, proptest::option::weighted(0.15, any::<usize>()))
            .prop_map(|(words, source, user, passage, hours, supersedes)| Op::Remember {
                words, source, user, passage, hours, supersedes
            }),
        5 => (any::<(usize, usize)>(), 0..KINDS.len(), 0..5_u8).prop_map(|(ends, kind, weight)| Op::Link { ends, kind, weight }),
        1 => any::<(usize, usize)>().prop_map(|ends| Op::Unlink { ends }),
        2 => any::<usize>().prop_map(|memory| Op::Forget { memory }),
        1 => any::<usize>().prop_map(|memory| Op::Restore { memory }),
        1 => (0..4_u8).prop_map(|source| Op::ForgetSource { source }),
        1 => (0..4_u8).prop_map(|source| Op::RestoreSource { source }),
        1 => Just(Op::Reopen),
    ]
}

/// An engine with the ids that it gave: they are random, so the n-th of one stands for the n-th of the other.
struct Side {
    engine: Engine,
    ids: Vec<String>,
}

/// What an operation came to, without ids.
type Outcome = Result<String, ErrorKind>;

impl Side {
    fn id(&self, number: usize) -> Option<&str> {
        (!self.ids.is_empty()).then(|| self.ids[number % self.ids.len()].as_str())
    }

    fn play(&mut self, op: &Op) -> Outcome {
        match op {
            Op::Remember { words: (who, did, what, why), source, user, passage, hours, supersedes } => {
                let text = format!("{} {} {}{}.", WHO[*who], DID[*did], WHAT[*what], WHY[*why]);
                let draft = Draft {
                    kind: passage.then(|| "passage".to_owned()),
                    scope: scope([None, Some("ada"), Some("bob"), None][usize::from(*user)], None),
                    session: (source % 2 == 1).then(|| format!("s{user}")),
                    speaker: (*user == 3).then(|| WHO[*who].to_owned()),
                    occurred_at: Some(Timestamp(NOW.0 - hours * Timestamp::HOUR)),
                    supersedes: supersedes.and_then(|number| self.id(number)).map(str::to_owned),
                    ..Draft::new(text)
                };
                let kind = if *source == 0 { SourceType::Agent } else { SourceType::Chat };
                let source =
                    SourceDraft { title: Some("Notes on Kafka".into()), ..SourceDraft::new(kind, source.to_string()) };
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
                    texts(stored.causal_candidates.into_iter().map(|c| format!("{} {}", c.text, c.hop)).collect()),
                    stored.warnings
                ))
            }
            Op::Link { ends, kind, weight } => {
                let (Some(source), Some(target)) = (self.id(ends.0), self.id(ends.1)) else { return Ok(String::new()) };
                let request = LinkRequest {
                    source: source.into(),
                    target: target.into(),
                    kind: KINDS[*kind],
                    label: None,
                    weight: Some(f32::from(*weight) / 4.0),
                    reason: Some("a test".into()),
                    provenance: Provenance::User,
                    confidence: None,
                    expires_at: None,
                };
                let linked = self.engine.link(&request).map_err(|error| error.kind)?;
                Ok(format!("{} {} {:?}", linked.created, linked.edge.edge.number, linked.warnings))
            }
            Op::Unlink { ends } => {
                let (Some(source), Some(target)) = (self.id(ends.0), self.id(ends.1)) else { return Ok(String::new()) };
                let gone = self.engine.unlink(source, target, None, None).map_err(|error| error.kind)?;
                Ok(format!("{:?}", gone.iter().map(|view| view.edge.number).collect::<Vec<_>>()))
            }
            Op::Forget { memory } | Op::Restore { memory } => {
                let Some(id) = self.id(*memory) else { return Ok(String::new()) };
                let is_forget = matches!(op, Op::Forget { .. });
                let done = if is_forget { self.engine.forget(id) } else { self.engine.restore(id) };
                done.map(|done| format!("{} {}", done.memories.len(), done.edges_hidden)).map_err(|error| error.kind)
            }
            Op::ForgetSource { source } | Op::RestoreSource { source } => {
                let name = format!("s{}", source + 1);
                let is_forget = matches!(op, Op::ForgetSource { .. });
                let done = if is_forget { self.engine.forget(&name) } else { self.engine.restore(&name) };
                done.map(|done| format!("{} {:?}", done.memories.len(), done.entities)).map_err(|error| error.kind)
            }
            Op::Reopen => Ok(String::new()),
        }
    }
}

fn questions() -> Vec<Query> {
    let mut questions = Vec::new();
    for text in
        ["Why did Ada Lovelace move the cache?", "When was Kafka replaced?", "Redis", "数据库 disk full", "in May 2023"]
    {
        for user in [None, Some("ada")] {
            questions.push(Query { scope: scope(user, None), ..ask(text) });
        }
        questions.push(Query { superseded: true, floor: false, ..ask(text) });
        questions.push(Query { graph: false, ..ask(text) });
    }
    questions
}

fn assert_alike(wanted: &Recall, got: &Recall) {
    let what = &wanted.query;
    assert_eq!(wanted.candidates, got.candidates, "candidates of {what}");
    assert_eq!(wanted.missing, got.missing);
    let rows = |found: &Recall| -> Vec<(f32, u32, String)> {
        found.results.iter().map(|r| (r.score, r.memory.node.number(), r.memory.text.clone())).collect()
    };
    let (wanted, got) = (rows(wanted), rows(got));
    assert_eq!(wanted.len(), got.len(), "{what}: {wanted:#?} {got:#?}");
    for (at, (score, node, text)) in wanted.iter().enumerate() {
        assert!((score - got[at].0).abs() <= 1e-4, "{what}: {wanted:#?} {got:#?}");
        // Two that are this near may have changed places.
        let there =
            got.iter().find(|(other, number, same)| (other - score).abs() <= 1e-4 && number == node && same == text);
        assert!(there.is_some(), "{what}: {text} is missing among {got:#?}");
    }
}

fn play(history: &[Op]) {
    let workspace = Workspace::new();
    let oracle =
        Engine::new(Box::new(MemoryBackend::new()), Arc::new(StaticEmbedder), workspace.hands.clock(), quick());
    let mut oracle = Side { engine: oracle.unwrap(), ids: Vec::new() };
    let mut store = Side { engine: workspace.open(), ids: Vec::new() };
    for op in history {
        workspace.hands.advance(1000);
        if matches!(op, Op::Reopen) {
            store.engine = workspace.open();
        }
        assert_eq!(oracle.play(op), store.play(op), "{op:?}");
    }
    let counts = |side: &Side| side.engine.read().unwrap().counts().unwrap();
    assert_eq!(counts(&oracle), counts(&store));
    for query in questions() {
        assert_alike(&oracle.engine.recall(&query).unwrap(), &store.engine.recall(&query).unwrap());
    }
    assert_eq!(oracle.engine.verify().unwrap(), store.engine.verify().unwrap());
    assert_sound(&store.engine);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_answers_alike_on_sqlite_and_on_the_oracle(history in proptest::collection::vec(an_op(), 1..40)) {
        play(&history);
    }
}
