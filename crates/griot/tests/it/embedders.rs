//! The change from one embedder to another: the former one answers until all vectors are made.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use griot::embed::{Embedder, StaticEmbedder, normalise};
use griot::engine::{Beside, Engine, VectorsToMake};
use griot::model::{ErasedKind, Error, ErrorKind, Result, SourceType};
use griot::remember::{Draft, SourceDraft};

use crate::support::*;

/// Another model: the first dimensions of the built-in one. It counts what it is given.
struct Short {
    name: &'static str,
    given: Mutex<Vec<String>>,
    /// Texts after which it fails.
    most: AtomicUsize,
    takes_private_texts: bool,
}

impl Short {
    fn new(name: &'static str) -> Self {
        Self { name, given: Mutex::default(), most: AtomicUsize::new(usize::MAX), takes_private_texts: true }
    }

    fn given(&self) -> Vec<String> {
        self.given.lock().unwrap().clone()
    }
}

impl Embedder for Short {
    fn name(&self) -> &str {
        self.name
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        let mut given = self.given.lock().unwrap();
        if given.len() + texts.len() > self.most.load(Ordering::SeqCst) {
            return Err(Error::unavailable("embed", "the model is out for lunch"));
        }
        given.extend(texts.iter().map(|text| (*text).to_string()));
        let cut = |vector: Vec<f32>| {
            let mut vector = vector[..64].to_vec();
            normalise(&mut vector).then_some(vector)
        };
        Ok(StaticEmbedder.embed(texts)?.into_iter().map(|vector| vector.and_then(cut)).collect())
    }

    fn batch(&self) -> usize {
        3
    }

    fn takes_private_texts(&self) -> bool {
        self.takes_private_texts
    }
}

fn model(engine: &Engine) -> String {
    engine.status().unwrap().stored_model.unwrap()
}

fn vectors(engine: &Engine) -> u64 {
    engine.read().unwrap().counts().unwrap().vectors
}

fn text(number: usize) -> String {
    format!("Note {number} about the cache, the weather and the number {number}.")
}

fn reindex(engine: &Engine) -> Result<()> {
    engine.reindex(VectorsToMake::Missing, &mut |_, _| {})
}

#[test]
fn invariant_9_the_former_embedder_answers_until_all_vectors_are_made() {
    let (workspace, engine) = opened();
    (0..10).for_each(|number| drop(remember(&engine, &text(number))));
    let next = Arc::new(Short::new("short"));
    next.most.store(6, Ordering::SeqCst);
    let engine = engine.with_embedder(next.clone());
    let fine = |engine: &Engine, memories: u64| {
        let found = engine.recall(&ask("what about the weather?")).unwrap();
        assert!(!found.results.is_empty());
        assert_eq!(found.missing, []);
        assert_eq!((model(engine).as_str(), vectors(engine)), ("static-256", memories));
    };
    fine(&engine, 10);
    // It fails after two of four batches; they stay.
    let mut steps = Vec::new();
    let failed = engine.reindex(VectorsToMake::Missing, &mut |done, all| steps.push((done, all)));
    assert_eq!(failed.unwrap_err().kind, ErrorKind::Unavailable);
    assert_eq!(steps, [(0, 10), (3, 10), (6, 10)]);
    fine(&engine, 10);
    // What comes meanwhile has a vector of the former model, and gets one of the next.
    assert!(remember(&engine, &text(10)).embedded);
    fine(&engine, 11);
    let problems = engine.doctor().unwrap().problems;
    assert!(problems.len() == 1 && problems[0].contains("griot reindex --embed"), "{problems:?}");

    // Another process goes on where it was.
    drop(engine);
    next.most.store(usize::MAX, Ordering::SeqCst);
    let engine = workspace.open().with_embedder(next.clone());
    let before = next.given();
    steps.clear();
    engine.reindex(VectorsToMake::Missing, &mut |done, all| steps.push((done, all))).unwrap();
    assert_eq!(steps[..3], [(6, 11), (9, 11), (11, 11)]);
    let given = next.given();
    assert_eq!((before.len(), given.len()), (6, 11), "each text once");
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("short", 11));
    assert_eq!(engine.recall(&ask("what about the weather?")).unwrap().missing, []);
    assert_sound(&engine);
    // Nothing is left to do.
    reindex(&engine).unwrap();
    assert_eq!(next.given().len(), given.len() + 1, "the question alone");
    // Unless it is ordered, also for a model whose vectors are there.
    engine.reindex(VectorsToMake::All, &mut |_, _| {}).unwrap();
    assert_eq!(next.given().len(), 2 * given.len() + 1);
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("short", 11));
    // A process that was opened before the change answers with the present model as well.
    let late = workspace.open();
    let found = late.recall(&ask("what about the weather?")).unwrap();
    assert!(found.missing[0].to_string().contains("`short`"), "{:?}", found.missing);
    let opens = next.clone();
    let late = late.with_opener(Arc::new(move |_| Ok(opens.clone())));
    assert_eq!(late.recall(&ask("what about the weather?")).unwrap().missing, []);
    assert!(remember(&late, "Something else.").embedded);
    assert_eq!((model(&late).as_str(), vectors(&late)), ("short", 12));
}

#[test]
fn invariant_9_a_former_embedder_that_cannot_be_opened_silences_no_answer() {
    let workspace = Workspace::new();
    let former = workspace.open().with_embedder(Arc::new(Short::new("former")));
    remember(&former, "Ada moved the cache to Redis.");
    drop(former);
    let engine = workspace.open();
    let found = engine.recall(&ask("Where is the cache?")).unwrap();
    assert_eq!(found.results.len(), 1);
    assert_eq!(found.missing.len(), 1);
    for part in ["`former`", "griot reindex --embed"] {
        assert!(found.missing[0].to_string().contains(part), "{:?}", found.missing);
    }
    assert!(!engine.traverse(&ask("Where is the cache?"), 5, 50, 3).unwrap().is_empty());
    assert!(!remember(&engine, "Grace moved it back.").embedded);
    reindex(&engine).unwrap();
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("static-256", 2));
    assert_eq!(engine.recall(&ask("Where is the cache?")).unwrap().missing, []);
    assert_sound(&engine);
}

#[test]
fn the_texts_of_a_user_are_given_to_no_embedder_that_may_not_see_them() {
    let (_workspace, engine) = opened();
    let private = |engine: &Engine, text: &str| {
        let draft = Draft { scope: scope(Some("ada"), None), ..Draft::new(text) };
        engine.remember(draft).unwrap()
    };
    private(&engine, "My salary is a heronsecret.");
    let closed = Arc::new(Short { takes_private_texts: false, ..Short::new("closed") });
    let engine = engine.with_embedder(closed.clone());
    // No text would have a vector, so the former ones stay.
    let error = reindex(&engine).unwrap_err();
    assert!(error.hint.as_deref().is_some_and(|hint| hint.contains("model.private_texts")), "{error:?}");
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("static-256", 1));
    remember(&engine, "Lunch is at noon.");
    reindex(&engine).unwrap();
    assert!(!private(&engine, "Another heronsecret.").embedded);
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("closed", 1));
    engine.suggest_merges(false).unwrap();
    assert!(!closed.given().iter().any(|text| text.contains("heronsecret")), "{:?}", closed.given());
    let mine = griot::recall::Query { scope: scope(Some("ada"), None), ..ask("heronsecret") };
    let found = engine.recall(&mine).unwrap().results;
    assert_eq!(found.iter().filter(|one| one.memory.text.contains("heronsecret")).count(), 2);
}

/// The former model, until another process takes over while it works.
struct Overtaken(Mutex<Option<Engine>>);

impl Embedder for Overtaken {
    fn name(&self) -> &str {
        StaticEmbedder.name()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        if let Some(other) = self.0.lock().unwrap().take() {
            reindex(&other)?;
        }
        StaticEmbedder.embed(texts)
    }
}

#[test]
fn a_text_that_is_stored_while_the_model_changes_gets_a_vector_of_the_new_one() {
    let (workspace, engine) = opened();
    remember(&engine, &text(0));
    let next = Arc::new(Short::new("short"));
    let other = workspace.open().with_embedder(next.clone());
    let engine = engine
        .with_embedder(Arc::new(Overtaken(Mutex::new(Some(other)))))
        .with_opener(Arc::new(move |_| Ok(next.clone())));
    assert!(remember(&engine, &text(1)).embedded);
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("short", 2));
}

#[test]
fn a_large_batch_that_is_stored_while_the_model_changes_has_vectors_of_one_model() {
    let (workspace, engine) = opened();
    remember(&engine, &text(0));
    let next = Arc::new(Short::new("short"));
    let other = workspace.open().with_embedder(next.clone());
    let engine = engine.with_embedder(Arc::new(Overtaken(Mutex::new(Some(other))))).with_opener({
        let next = next.clone();
        Arc::new(move |_| Ok(next.clone()))
    });
    // So many are prepared on two threads.
    let drafts = (1..100).map(|number| Draft::new(text(number))).collect();
    let stored = engine.remember_all(&SourceDraft::new(SourceType::File, "/notes.txt"), drafts).unwrap();
    assert!(stored.iter().all(|one| one.embedded));
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("short", 100));
    assert_sound(&workspace.open().with_embedder(next));
}

/// Makes a vector less than there are texts.
struct Odd;

impl Embedder for Odd {
    fn name(&self) -> &str {
        "odd"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        StaticEmbedder.embed(&texts[1..])
    }
}

#[test]
fn a_vector_too_few_is_an_error_and_no_vector_of_another_text() {
    let (_workspace, engine) = opened();
    (0..3).for_each(|number| drop(remember(&engine, &text(number))));
    let engine = engine.with_embedder(Arc::new(Odd));
    let error = reindex(&engine).unwrap_err();
    assert_eq!((error.kind, error.why.as_str()), (ErrorKind::Bug, "`odd` made 2 for 3 texts"));
    assert_eq!((model(&engine).as_str(), vectors(&engine)), ("static-256", 3));
}

#[test]
fn an_empty_workspace_changes_its_model_without_a_text() {
    let (_workspace, engine) = opened();
    let id = remember(&engine, &text(0)).id.to_string();
    engine.erase(ErasedKind::Memory, &id, "test", false, &mut |_, _| Ok(Beside::default())).unwrap();
    let engine = engine.with_embedder(Arc::new(Short::new("short")));
    reindex(&engine).unwrap();
    assert_eq!(engine.status().unwrap().stored_model, None);
    assert!(remember(&engine, &text(1)).embedded);
    assert_eq!(model(&engine), "short");
    assert_sound(&engine);
}
