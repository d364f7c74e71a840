//! The invariants of ARCHITECTURE.md that one workspace shows, by number. The others: 2 in `crash`,
//! 6 in `scope`, 7 in `sources`, 8 in the tests of griot-ingest, 10 in `vectors`.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use griot::embed::{Embedder, StaticEmbedder};
use griot::engine::{Engine, LinkRequest, Record, VectorsToMake, WhyDirection};
use griot::model::{EdgeKind, Error, ErrorKind, Predicate, Provenance, Result, SourceType, Timestamp};
use griot::recall::Query;
use griot::remember::{Draft, EntityDraft, SourceDraft};
use griot::text::Intent;

use crate::support::*;

const PEOPLE: &[&str] = &["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra"];
const THINGS: &[&str] = &["SQLite", "Redis", "Kafka", "PostgreSQL", "the cache", "the parser", "the deploy"];
const REASONS: &[&str] =
    &["because the disk was full", "so the latency fell", "due to a memory leak", "in May 2023", "again"];

/// Some hundred memories of several kinds, enough for a snapshot of the index to be written.
fn fill(engine: &Engine, hands: &Hands) {
    let mut random = fastrand::Rng::with_seed(7);
    let mut drafts = Vec::new();
    for number in 0..230 {
        let (who, what) = (random.choice(PEOPLE).unwrap(), random.choice(THINGS).unwrap());
        let (other, why) = (random.choice(THINGS).unwrap(), random.choice(REASONS).unwrap());
        let text = format!("{who} moved from {other} to {what} {why}. Ticket {number}.");
        drafts.push(Draft {
            session: Some(format!("s{}", number / 20)),
            speaker: (number % 3 == 0).then(|| (*who).to_owned()),
            kind: Some("turn".into()),
            occurred_at: Some(Timestamp(NOW.0 - i64::from(230 - number) * 5 * Timestamp::HOUR)),
            ..Draft::new(text)
        });
    }
    engine.remember_all(&SourceDraft::new(SourceType::Chat, "chat"), drafts).unwrap();
    let passages = (0..40).map(|number| Draft {
        kind: Some("passage".into()),
        heading: vec!["Operations".into(), format!("Chapter {}", number / 8)],
        ..Draft::new(format!(
            "Passage {number}: when {} is slow, look at the disk first.",
            THINGS[number % 7]
        ))
    });
    let manual =
        SourceDraft { title: Some("The Manual".into()), ..SourceDraft::new(SourceType::File, "/manual.md") };
    engine.ingest(&manual, passages.collect()).unwrap();
    hands.advance(1000);
    let cause = remember(engine, "The disk of the build server was full.");
    let effect = remember(engine, "The deploy failed on Friday.");
    engine.link(&link(&cause.id.to_string(), &effect.id.to_string())).unwrap();
    engine
        .remember(Draft { supersedes: Some(cause.id.to_string()), ..Draft::new("The disk was nearly full.") })
        .unwrap();
}

fn questions() -> Vec<Query> {
    let mut questions: Vec<Query> = [
        "Why did the deploy fail?",
        "When did Ada Lovelace move to Redis?",
        "What does Grace Hopper use?",
        "Kafka",
        "what happened in May 2023",
        "the disk was full",
        "Operations chapter 2",
        "what happened last week",
        "before the deploy failed",
        "nothing of all this: zebras and tulips",
    ]
    .map(ask)
    .to_vec();
    for intent in [Intent::Why, Intent::When, Intent::Entity, Intent::General] {
        questions.push(Query {
            intent: Some(intent),
            superseded: true,
            rejected: true,
            ..ask("disk full deploy")
        });
    }
    questions.push(Query { floor: false, graph: false, ..ask("SQLite latency") });
    questions.push(Query { budget: Some(200), ..ask("SQLite latency") });
    questions
}

fn answers(engine: &Engine) -> Vec<String> {
    questions().iter().map(|query| format!("{:#?}", engine.recall(query).unwrap())).collect()
}

#[track_caller]
fn assert_alike(wanted: &[String], got: &[String]) {
    for (wanted, got) in wanted.iter().zip(got) {
        if wanted != got {
            let different = wanted.lines().zip(got.lines()).find(|(a, b)| a != b);
            panic!("answers differ, first at {different:?}");
        }
    }
}

#[test]
fn invariant_1_a_lost_index_answers_alike() {
    let (workspace, engine) = opened();
    fill(&engine, &workspace.hands);
    let wanted = answers(&engine);
    assert!(wanted.iter().filter(|answer| answer.contains("RecallResult {")).count() > 10);
    engine.close().unwrap();
    assert!(workspace.index().is_dir(), "there is a snapshot to lose");
    assert_alike(&wanted, &answers(&workspace.open()));

    std::fs::remove_dir_all(workspace.index()).unwrap();
    assert_alike(&wanted, &answers(&workspace.open()));

    // A damaged snapshot is as good as none.
    let engine = workspace.open();
    engine.reindex(VectorsToMake::None, &mut |_, _| {}).unwrap();
    assert_alike(&wanted, &answers(&engine));
    drop(engine);
    for file in std::fs::read_dir(workspace.index()).unwrap() {
        std::fs::write(file.unwrap().path(), b"GRIOTIDX and then nothing").unwrap();
    }
    let engine = workspace.open();
    assert_alike(&wanted, &answers(&engine));
    assert_sound(&engine);
}

#[test]
fn invariant_3_nothing_that_a_rule_concludes_changes_a_memory() {
    let (workspace, engine) = opened();
    let texts = [
        "  spaces before and after \n",
        "tabs\tand\r\nlines of Windows\r\n\r\n",
        "e\u{301} decomposed, \u{e9} composed, ﬁ ligature, Ａ full width",
        "🜲 signs, 数据库, עברית, and a\u{200b}zero width space",
        "Ada said the deploy failed because the disk was full. \"Really?\" 《紅樓夢》",
        "Ada said the deploy did not fail because the disk was full.",
        "# Not a heading\n- [ ] `code` <b>html</b> & entities &amp;",
    ];
    let at = Timestamp(NOW.0 - 3 * Timestamp::DAY);
    let known: Vec<_> = texts
        .iter()
        .map(|text| {
            workspace.hands.advance(1000);
            let draft = Draft { occurred_at: Some(at), speaker: Some("Ada".into()), ..Draft::new(*text) };
            engine.remember(draft).unwrap().id
        })
        .collect();
    let before = all_memories(&engine);
    let ids: Vec<String> = known.iter().map(ToString::to_string).collect();
    engine.link(&link(&ids[4], &ids[5])).unwrap();
    engine.link(&LinkRequest { kind: EdgeKind::Contradicts, ..link(&ids[4], &ids[5]) }).unwrap();
    engine.link(&LinkRequest { kind: EdgeKind::Supersedes, ..link(&ids[5], &ids[4]) }).unwrap();
    engine.add_fact(&fact("Ada", Predicate::Uses, "SQLite", Some(&ids[0]))).unwrap();
    engine.build_graphs(semantic(0.2), &mut |_, _| {}).unwrap();
    engine.why(&ids[4], WhyDirection::Both, 5, 0.0, None).unwrap();
    engine.gc(5.0, 10).unwrap();
    engine.recall(&ask("why did the deploy fail?")).unwrap();
    engine.reindex(VectorsToMake::Missing, &mut |_, _| {}).unwrap();
    for id in &ids {
        engine.forget(id).unwrap();
        engine.restore(id).unwrap();
    }
    remember(&engine, "Ada said the deploy failed because the disk was full!");
    drop(engine);
    for (text, memory) in texts.iter().zip(all_memories(&workspace.open())) {
        assert_eq!(memory.text, *text);
        let was = before.iter().find(|other| other.id == memory.id).unwrap();
        let back = griot::model::Memory { superseded_by: None, ..memory.clone() };
        assert_eq!(back, *was);
    }
}

#[test]
fn invariant_4_the_same_question_at_the_same_revision_gives_the_same_bytes() {
    let (workspace, engine) = opened();
    fill(&engine, &workspace.hands);
    let wanted = answers(&engine);
    assert_alike(&wanted, &answers(&engine));
    // Time goes on, the question's does not.
    workspace.hands.advance(Timestamp::DAY);
    let other = workspace.open();
    assert_alike(&wanted, &answers(&other));
    let threads: Vec<Vec<String>> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..4).map(|_| scope.spawn(|| answers(&engine))).collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    threads.iter().for_each(|got| assert_alike(&wanted, got));
}

#[test]
fn invariant_4_the_first_five_are_the_first_five_of_fifty() {
    let (workspace, engine) = opened();
    fill(&engine, &workspace.hands);
    for query in questions().into_iter().filter(|query| query.budget.is_none()) {
        let fifty = engine.recall(&query).unwrap();
        for limit in [1, 5, 20] {
            let few = engine.recall(&Query { limit, ..query.clone() }).unwrap();
            assert_eq!(few.results.len(), fifty.results.len().min(limit), "{}", query.text);
            for (few, fifty) in few.results.iter().zip(&fifty.results) {
                assert_eq!(few, fifty, "{}", query.text);
            }
        }
    }
}

/// Every edge and fact has evidence, every memory a source, every mention of evidence a memory.
fn assert_grounded(engine: &Engine) {
    let mut sources = HashSet::new();
    let mut memories = HashSet::new();
    let mut edges = 0;
    for record in records(engine) {
        match record {
            Record::Source(source) => assert!(sources.insert(source.id)),
            Record::Memory { memory, .. } => {
                assert!(sources.contains(&memory.source), "{memory:?}");
                memories.insert(memory.id);
            }
            Record::Edge(record) => {
                edges += 1;
                assert!(!record.edge.evidence.is_empty(), "{record:?}");
                for evidence in &record.edge.evidence {
                    // Only a person may state something without a reason.
                    let is_said =
                        evidence.memory.is_some() || evidence.reason.is_some() || evidence.quote.is_some();
                    assert!(is_said || record.edge.provenance == Provenance::User, "{record:?}");
                    assert!(evidence.memory.is_none_or(|id| memories.contains(&id)), "{record:?}");
                }
            }
            Record::Fact(record) => assert!(!record.fact.evidence.is_empty(), "{record:?}"),
            _ => {}
        }
    }
    assert!(edges > 0);
}

#[test]
fn invariant_5_every_edge_and_fact_names_its_evidence_and_every_memory_its_source() {
    let (workspace, engine) = opened();
    fill(&engine, &workspace.hands);
    let named = engine
        .remember(Draft {
            entities: vec![EntityDraft::named("Project Zebra", None)],
            ..Draft::new("It was decided.")
        })
        .unwrap();
    let relation = LinkRequest {
        kind: EdgeKind::Relation,
        label: Some("uses".into()),
        reason: None,
        ..link("Project Zebra", "person:ada-lovelace")
    };
    engine.link(&relation).unwrap();
    engine.add_fact(&fact("Project Zebra", Predicate::Uses, "SQLite", Some(&named.id.to_string()))).unwrap();
    engine.add_fact(&fact("Project Zebra", Predicate::Prefers, "tabs", None)).unwrap();
    engine.build_graphs(semantic(0.7), &mut |_, _| {}).unwrap();
    assert_grounded(&engine);

    let mut records = records(&engine);
    // An export of another store may hold less.
    for record in &mut records {
        match record {
            Record::Edge(record) if record.edge.number % 5 == 0 => record.edge.evidence.clear(),
            Record::Fact(record) => record.fact.evidence.clear(),
            _ => {}
        }
    }
    let (_other, copy) = opened();
    import(&copy, &records).unwrap();
    assert_grounded(&copy);
    assert_sound(&copy);
    // The same once more adds nothing.
    let revision = copy.read().unwrap().revision();
    let again = import(&copy, &records).unwrap();
    assert_eq!((again.memories, again.edges, again.facts, again.entities, again.sources), (0, 0, 0, 0, 0));
    assert_eq!(copy.read().unwrap().revision(), revision);
}

#[test]
fn an_export_read_into_an_empty_workspace_is_the_same_export() {
    let (workspace, engine) = opened();
    fill(&engine, &workspace.hands);
    engine.forget(&all_memories(&engine)[3].id.to_string()).unwrap();
    engine.add_fact(&fact("Project Zebra", Predicate::Uses, "SQLite", None)).unwrap();
    let records = records(&engine);
    let (_other, copy) = opened();
    // Twice in one file is as good as once.
    copy.import(&mut records.iter().chain(&records).cloned().map(Ok)).unwrap();
    let (wanted, got) = (exported(&engine), exported(&copy));
    assert_eq!(wanted.len(), got.len());
    for (wanted, got) in wanted.iter().zip(&got) {
        assert_eq!(wanted, got);
    }
    let texts = |engine: &Engine| -> Vec<Vec<String>> {
        let of_query = |query: &Query| {
            engine.recall(query).unwrap().results.into_iter().map(|r| r.memory.text).collect()
        };
        questions().iter().map(of_query).collect()
    };
    assert_eq!(texts(&engine), texts(&copy));
}

/// Works until it is switched to fail; its name stays the same.
struct Fragile(AtomicBool);

impl Embedder for Fragile {
    fn name(&self) -> &str {
        StaticEmbedder.name()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        if self.0.load(Ordering::SeqCst) {
            return Err(Error::unavailable("embed", "the model is out for lunch"));
        }
        StaticEmbedder.embed(texts)
    }
}

#[test]
fn invariant_9_a_failing_embedder_loses_no_memory_and_silences_no_answer() {
    let workspace = Workspace::new();
    let embedder = Arc::new(Fragile(AtomicBool::new(false)));
    let engine = workspace.open().with_embedder(embedder.clone());
    assert!(remember(&engine, "Ada moved the cache to Redis.").embedded);
    assert!(engine.recall(&ask("Where is the cache?")).unwrap().missing.is_empty());

    embedder.0.store(true, Ordering::SeqCst);
    let long: String = (0..500).map(|word| format!("word{word} ")).collect();
    for text in ["Grace moved the cache to SQLite because Redis was slow.", &long] {
        let stored = remember(&engine, text);
        assert!(!stored.embedded);
        assert_eq!(engine.show(&stored.id.to_string()).unwrap().text, text);
    }
    let manual = SourceDraft::new(SourceType::File, "/manual.md");
    let tally = engine.ingest(&manual, vec![Draft::new("The manual of the cache.")]).unwrap().unwrap();
    assert_eq!(tally.added, 1);
    for question in ["Why did Grace move the cache?", "manual of the cache", "word77"] {
        let found = engine.recall(&ask(question)).unwrap();
        assert!(!found.results.is_empty(), "{question}");
        assert!(
            found.missing.iter().any(|missing| missing.to_string().contains("out for lunch")),
            "{:?}",
            found.missing
        );
    }
    assert!(!engine.traverse(&ask("Why did Grace move the cache?"), 5, 50, 3).unwrap().is_empty());
    let before = exported(&engine);
    assert_refused(&engine, ErrorKind::Unavailable, |engine| {
        engine.reindex(VectorsToMake::Missing, &mut |_, _| {})
    });
    assert_eq!(exported(&engine), before);
    assert_sound(&engine);

    // It comes back, and with it the vectors.
    embedder.0.store(false, Ordering::SeqCst);
    engine.reindex(VectorsToMake::Missing, &mut |_, _| {}).unwrap();
    assert_eq!(engine.read().unwrap().counts().unwrap().vectors, 4);
    assert!(engine.recall(&ask("Where is the cache?")).unwrap().missing.is_empty());
}

#[test]
fn invariant_9_an_embedder_that_never_worked_is_named_too() {
    let workspace = Workspace::new();
    let engine = workspace.open().with_embedder(Arc::new(Fragile(AtomicBool::new(true))));
    assert!(engine.recall(&ask("anything")).unwrap().missing.is_empty(), "an empty workspace misses nothing");
    remember(&engine, "Ada moved the cache to Redis.");
    let found = engine.recall(&ask("Where is the cache?")).unwrap();
    assert_eq!(found.results.len(), 1);
    assert_eq!(found.missing.len(), 1);
}
