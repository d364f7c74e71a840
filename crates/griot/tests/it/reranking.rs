//! A reranker orders the best candidates; what is shown, and how probable it is, it does not decide.

use std::sync::{Arc, Mutex};

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot::recall::{Recall, Reranker};
use griot::remember::Draft;

use crate::support::*;

const QUESTION: &str = "how large is the cache of the reader?";
const TEXTS: [&str; 4] = [
    "The cache of the reader has a size of 64 megabytes.",
    "The cache of the reader was large until March.",
    "The reader has a cache.",
    "A large cache helps the reader of the archive.",
];

/// Prefers the texts that a function prefers; keeps what it was given.
struct Preferring {
    relevance: fn(&str) -> f32,
    takes_private: bool,
    given: Mutex<Vec<Vec<String>>>,
}

impl Reranker for Preferring {
    fn relevance(&self, question: &str, texts: &[String]) -> Result<Vec<f32>> {
        assert_eq!(question, QUESTION);
        self.given.lock().unwrap().push(texts.to_vec());
        let all: Vec<f32> = texts.iter().map(|text| (self.relevance)(text)).collect();
        match all.iter().any(|one| *one < 0.0) {
            true => Err(Error::unavailable("rerank", "the server is away").hint("start it")),
            false => Ok(all),
        }
    }

    fn takes_private_texts(&self) -> bool {
        self.takes_private
    }
}

/// An engine with the texts and this reranker.
fn with(relevance: fn(&str) -> f32, takes_private: bool) -> (Workspace, Engine, Arc<Preferring>) {
    let (workspace, engine) = opened();
    TEXTS.iter().for_each(|text| drop(remember(&engine, text)));
    let reranker = Arc::new(Preferring { relevance, takes_private, given: Mutex::default() });
    (workspace, engine.with_reranker(reranker.clone()), reranker)
}

fn texts(recall: &Recall) -> Vec<&str> {
    recall.results.iter().map(|result| result.memory.text.as_str()).collect()
}

fn scores(recall: &Recall) -> Vec<f32> {
    recall.results.iter().map(|result| result.score).collect()
}

#[test]
fn it_moves_results_and_no_probability() {
    let (workspace, engine, reranker) = with(|text| text.len() as f32, false);
    let own = workspace.open().recall(&ask(QUESTION)).unwrap();
    let answer = engine.recall(&ask(QUESTION)).unwrap();
    assert!(own.results.len() > 2, "{:?}", texts(&own));
    assert_ne!(texts(&answer), texts(&own));
    assert_eq!(scores(&answer), scores(&own));
    assert!(answer.missing.is_empty());
    // Once, although the answer may have been made by several strategies.
    assert_eq!(reranker.given.lock().unwrap().len(), 1);
    // The same question on the same revision has the same answer.
    assert_eq!(texts(&engine.recall(&ask(QUESTION)).unwrap()), texts(&answer));
}

#[test]
fn who_agrees_changes_nothing_and_who_fails_is_named() {
    let (workspace, engine, _) = with(|_| 0.5, false);
    let own = workspace.open().recall(&ask(QUESTION)).unwrap();
    assert_eq!(texts(&engine.recall(&ask(QUESTION)).unwrap()), texts(&own));

    for relevance in [|_: &str| -1.0, |_: &str| f32::NAN] {
        let (_workspace, engine, _) = with(relevance, false);
        let answer = engine.recall(&ask(QUESTION)).unwrap();
        assert_eq!(texts(&answer), texts(&own));
        assert!(answer.missing.len() == 1 && answer.missing[0].part == "the reranker was not used");
    }
}

#[test]
fn it_gets_no_text_of_a_user_unless_it_may() {
    for takes_private in [false, true] {
        let (_workspace, engine, reranker) = with(|text| text.len() as f32, takes_private);
        let own = "My cache of the reader is large, says Ada.";
        engine.remember(Draft { scope: scope(Some("ada"), None), ..Draft::new(own) }).unwrap();
        let query = griot::recall::Query { scope: scope(Some("ada"), None), ..ask(QUESTION) };
        assert!(texts(&engine.recall(&query).unwrap()).contains(&own));
        let given = reranker.given.lock().unwrap().concat();
        assert_eq!(given.iter().any(|text| text == own), takes_private);
        assert!(given.iter().any(|text| text == TEXTS[0]));
    }
}

#[test]
fn an_answer_that_it_ranks_last_silences_nothing() {
    let (workspace, engine) = opened();
    remember(&engine, "Mara Voss has shoe size 42.");
    for city in ["Berlin", "Ghent", "Oslo", "Porto", "Lund", "Turin", "Cork", "Bern", "Riga", "Nice", "Metz"]
    {
        remember(&engine, &format!("Mara Voss talked about {city} at lunch."));
    }
    let question = "what is Mara Voss's shoe size?";
    let own = engine.recall(&ask(question)).unwrap();
    assert!(!own.results.is_empty());
    struct Last;
    impl Reranker for Last {
        fn relevance(&self, _: &str, texts: &[String]) -> Result<Vec<f32>> {
            Ok(texts.iter().map(|text| if text.contains("42") { 0.0 } else { 1.0 }).collect())
        }

        fn takes_private_texts(&self) -> bool {
            false
        }
    }
    let answer = workspace.open().with_reranker(Arc::new(Last)).recall(&ask(question)).unwrap();
    assert_eq!(scores(&answer), scores(&own));
}

#[test]
fn an_answer_says_that_the_reranker_may_not_see_its_texts() {
    let (_workspace, engine) = opened();
    let own = || scope(Some("ada"), None);
    for text in TEXTS {
        engine.remember(Draft { scope: own(), ..Draft::new(text) }).unwrap();
    }
    let reranker =
        Preferring { relevance: |_| unreachable!(), takes_private: false, given: Mutex::default() };
    let engine = engine.with_reranker(Arc::new(reranker));
    let answer = engine.recall(&griot::recall::Query { scope: own(), ..ask(QUESTION) }).unwrap();
    assert!(!answer.results.is_empty());
    assert!(
        ["belong to a user", "private_texts"].iter().all(|part| answer.missing[0].to_string().contains(part))
    );
}

#[test]
fn it_is_not_asked_where_nothing_is_known() {
    let (_workspace, engine, reranker) = with(|_| unreachable!(), false);
    let answer = engine.recall(&ask("what does Zelda's insurance cover in Peru?")).unwrap();
    assert!(answer.results.is_empty() && answer.missing.is_empty());
    assert!(reranker.given.lock().unwrap().is_empty());
}
