//! Vectors from a server: formats, what is sent, replies that cannot be used, the ledger.

use std::sync::Arc;

use griot::embed::Embedder;
use griot::engine::{Access, EmbedderSettings, Engine, Settings, VectorsToMake};
use griot::model::{Error, ErrorKind};
use griot::remember::Draft;
use griot_models::ServerEmbedder;

use super::*;
use crate::vendor::{texts, vectors};

const SERVERS: [&str; 4] = ["openai", "azure", "gemini", "ollama"];

/// A folder with a ledger and a key, and settings for a server.
struct Place {
    folder: tempfile::TempDir,
    settings: EmbedderSettings,
    model: ModelSettings,
}

impl Place {
    fn new(provider: &str, vendor: &Vendor) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("key"), format!("{KEY}\n")).expect("a key");
        let settings = EmbedderSettings {
            provider: ModelProvider::parse(provider).expect("a provider"),
            name: "test-model".into(),
            url: vendor.address.clone(),
            key_file: folder.path().join("key"),
            timeout_ms: 20_000,
            question_timeout_ms: 20_000,
            ..EmbedderSettings::default()
        };
        Self { folder, settings, model: ModelSettings::default() }
    }

    fn open(&self) -> griot::model::Result<ServerEmbedder> {
        let database = self.folder.path().join("griot.db");
        ServerEmbedder::with_timing(&self.settings, &self.model, &database, QUICK)
    }

    fn embed(&self, texts: &[&str]) -> griot::model::Result<Vec<Option<Vec<f32>>>> {
        self.open()?.embed(texts)
    }

    fn engine(&self, embedder: ServerEmbedder) -> Engine {
        let access = Access { create: true, read_only: false };
        let database = self.folder.path().join("griot.db");
        let engine = Engine::open(&database, access, Settings::default()).expect("a workspace");
        engine.with_embedder(Arc::new(embedder))
    }

    /// The file of the ledger.
    fn ledger(&self) -> PathBuf {
        self.folder.path().join("griot.db.models")
    }

    fn usage(&self) -> Vec<Usage> {
        let ledger = Ledger::for_database(&self.folder.path().join("griot.db")).expect("a ledger");
        ledger.usage(Timestamp(0)).expect("the usage")
    }
}

/// The error of a server that does this, for two texts.
fn error(provider: &str, acts: Vec<Act>) -> (Error, Place, Vendor) {
    let vendor = Vendor::start(acts);
    let place = Place::new(provider, &vendor);
    let error = place.embed(&["one", "two"]).expect_err("it fails");
    explains(&error, provider);
    assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    (error, place, vendor)
}

/// It says what could not be done, why, and what helps.
fn explains(error: &Error, provider: &str) {
    assert_eq!(error.what, format!("make vectors with `{provider}/test-model`"));
    assert!(!error.why.is_empty() && error.hint.is_some(), "{error:?}");
}

fn hint(error: &Error) -> String {
    format!("{error} {}", error.hint.as_deref().unwrap_or_default())
}

/// A successful reply with these vectors.
fn say(provider: &str, all: &[Vec<f64>]) -> Act {
    let path = match provider {
        "gemini" => ":batchEmbedContents",
        "ollama" => "/api/embed",
        _ => "/v1/embeddings",
    };
    Act::json(200, &vectors(path, all))
}

fn axis(at: usize) -> Vec<f64> {
    let mut vector = vec![0.0; 4];
    vector[at] = 2.0;
    vector
}

#[test]
fn each_server_is_asked_in_its_format_and_understood() {
    for provider in SERVERS {
        let vendor = Vendor::start(vec![say(provider, &[axis(0), axis(1)]), say(provider, &[axis(2)])]);
        let mut place = Place::new(provider, &vendor);
        (place.settings.dimensions, place.settings.price) = (4, 2.0);
        place.settings.passage_prefix = "passage: ".into();
        place.settings.query_prefix = "query: ".into();
        let embedder = place.open().expect("the settings fit");
        assert_eq!(embedder.name(), format!("{provider}/test-model (4) \"passage: \""));
        // An empty text has no vector, and is not sent.
        let found = embedder.embed(&["one", " \n", "two"]).expect("vectors");
        let expected = [Some(vec![1.0, 0.0, 0.0, 0.0]), None, Some(vec![0.0, 1.0, 0.0, 0.0])];
        assert_eq!(found, expected, "{provider}");
        let found = embedder.embed_question("which?").expect("a vector");
        assert_eq!(found, Some(vec![0.0, 0.0, 1.0, 0.0]));

        let seen = vendor.seen();
        let (path, key, dimensions) = match provider {
            "gemini" => (
                "/v1beta/models/test-model:batchEmbedContents",
                "x-goog-api-key: ",
                "/requests/0/outputDimensionality",
            ),
            "ollama" => ("/api/embed", "authorization: bearer ", "/dimensions"),
            "azure" => ("/openai/v1/embeddings", "api-key: ", "/dimensions"),
            _ => ("/v1/embeddings", "authorization: bearer ", "/dimensions"),
        };
        assert_eq!(seen[0].path, path);
        assert!(seen[0].head.contains(&format!("{key}{KEY}")), "{provider}: {}", seen[0].head);
        assert_eq!(seen[0].body.pointer(dimensions), Some(&json!(4)), "{provider}");
        assert_eq!(texts(&seen[0].body), ["passage: one", "passage: two"]);
        assert_eq!(texts(&seen[1].body), ["query: which?"]);
        if provider == "gemini" {
            assert_eq!(seen[0].body["requests"][0]["taskType"], "RETRIEVAL_DOCUMENT");
            assert_eq!(seen[1].body["requests"][0]["taskType"], "RETRIEVAL_QUERY");
        } else {
            assert_eq!(seen[0].body["model"], "test-model");
        }
        let usage = place.usage();
        assert_eq!((usage.len(), usage[0].purpose.as_str(), usage[0].calls), (1, "embed", 2));
        // Gemini does not count the tokens of vectors: the estimate stays.
        let tokens = if provider == "gemini" { 8 + 5 } else { 2 * INPUT };
        assert_eq!((usage[0].input_tokens, usage[0].output_tokens), (tokens, 0), "{provider}");
        assert_eq!(usage[0].cost, Some(tokens as f64 * 2.0 / 1e6));
    }
}

#[test]
fn texts_are_sent_in_batches_masked_and_cut() {
    let vendor = Vendor::start(vec![Act::Embed(8)]);
    let mut place = Place::new("openai", &vendor);
    (place.settings.batch, place.settings.text_tokens) = (2, 20);
    // Assembled here, so that secret scanners do not report this file.
    let secret = format!("AKIA{}", "Q7".repeat(8));
    let (masked, long) = (format!("the key is {secret}"), "ü".repeat(100));
    let embedder = place.open().expect("the settings fit");
    let found = embedder.embed(&["one", "two", &masked, &long, "five"]).expect("vectors");
    assert_eq!(found.iter().flatten().map(Vec::len).collect::<Vec<_>>(), [8; 5]);
    let sent: Vec<Vec<String>> = vendor.seen().iter().map(|seen| texts(&seen.body)).collect();
    assert_eq!(sent.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
    assert!(sent[1][0].starts_with("the key is ") && !sent[1][0].contains(&secret), "{}", sent[1][0]);
    assert_eq!(sent[1][1], "ü".repeat(30));
    assert_eq!(embedder.batch(), 2);
    assert_eq!(embedder.name(), "openai/test-model");
}

#[test]
fn a_busy_or_failing_server_is_asked_again() {
    for provider in SERVERS {
        let whole = vectors("/v1/embeddings", &[axis(0), axis(1)]).to_string();
        let acts = vec![
            Act::busy(3),
            Act::failure(500, "oops"),
            Act::Cut(whole),
            say(provider, &[axis(0), axis(1)]),
        ];
        let vendor = Vendor::start(acts);
        let place = Place::new(provider, &vendor);
        WAITS.take();
        assert_eq!(place.embed(&["one", "two"]).expect("vectors").len(), 2, "{provider}");
        assert_eq!(WAITS.take(), [3500, 1000, 2000].map(Duration::from_millis), "{provider}");
        assert_eq!((place.usage()[0].calls, place.usage()[0].failed), (4, 3), "{provider}");
        // One that does not recover is asked as often as any, and then the error says why.
        for (act, why) in [
            (Act::busy(0), "too many requests"),
            (Act::failure(500, "oops"), "status 500, oops"),
            (Act::Hang, "was cut"),
        ] {
            let (error, place, vendor) = error(provider, vec![act]);
            assert!(error.why.contains(why), "{provider}: {}", error.why);
            assert_eq!((vendor.seen().len(), place.usage()[0].failed), (4, 4), "{provider}");
        }
    }
    let (error, _, vendor) = error("openai", vec![Act::busy(3600)]);
    assert!(error.why.contains("3600 s"), "{}", error.why);
    assert_eq!((error.kind, vendor.seen().len()), (ErrorKind::Unavailable, 1));
}

#[test]
fn replies_that_trickle_end_at_the_time_limit() {
    let vendor = Vendor::start(vec![Act::Drip]);
    let mut place = Place::new("openai", &vendor);
    (place.settings.timeout_ms, place.settings.question_timeout_ms) = (300, 200);
    let embedder = place.open().expect("the settings fit");
    let error = embedder.embed(&["one"]).expect_err("it is too slow");
    explains(&error, "openai");
    assert!(hint(&error).contains("embedder.timeout_ms"), "{}", hint(&error));
    let error = embedder.embed_question("one").expect_err("it is too slow");
    assert!(hint(&error).contains("embedder.question_timeout_ms"), "{}", hint(&error));
}

#[test]
fn replies_that_cannot_be_used_say_why() {
    for provider in SERVERS {
        let texts_of = |value: Value| {
            let mut body = vectors(
                match provider {
                    "gemini" => ":batchEmbedContents",
                    "ollama" => "/api/embed",
                    _ => "/v1/embeddings",
                },
                &[axis(0), axis(1)],
            );
            let place = match provider {
                "gemini" => "/embeddings/0/values",
                "ollama" => "/embeddings/0",
                _ => "/data/0/embedding",
            };
            *body.pointer_mut(place).expect("a vector") = value;
            Act::json(200, &body)
        };
        for (act, why) in [
            (say(provider, &[]), "0 vectors for 2 texts"),
            (say(provider, &[axis(0)]), "1 vectors for 2 texts"),
            (say(provider, &[axis(0), axis(1), axis(2)]), "3 vectors for 2 texts"),
            (texts_of(json!([1.0, 2.0])), "dimensions"),
            (texts_of(json!([])), "empty"),
            (texts_of(json!([1.0, null, 0.0, 0.0])), "no number"),
            (texts_of(json!("AAAA")), "no list of numbers"),
            (Act::Say(200, vec![], "application/json", "{nonsense".into()), "other than JSON"),
            (Act::json(200, &json!({"hello": "world"})), "its reply has no"),
            (Act::json(200, &json!(" ".repeat(3_000_000))), "its reply is larger than"),
            (Act::failure(418, "I am a teapot"), "does not accept the request (status 418, I am a teapot)"),
        ] {
            let (error, place, vendor) = error(provider, vec![act.clone()]);
            assert!(error.why.contains(why), "{provider} {act:?}: {}", error.why);
            assert_eq!((vendor.seen().len(), place.usage()[0].failed), (1, 1), "final and counted");
        }
        // A number that no float has is no JSON to begin with, or no number.
        let body = say(provider, &[axis(0), axis(1)]);
        let Act::Say(_, _, kind, text) = body else { continue };
        let (error, ..) =
            error(provider, vec![Act::Say(200, vec![], kind, text.replacen("2.0", "1e999", 1))]);
        assert_eq!(error.kind, ErrorKind::Unavailable, "{provider}");
    }
    // A vector of length 0 is none; large numbers are a direction like any other.
    let vendor = Vendor::start(vec![say("openai", &[vec![0.0; 4], vec![0.0, 1e300, 0.0, 0.0]])]);
    let found = Place::new("openai", &vendor).embed(&["one", "two"]).expect("vectors");
    assert_eq!(found, [None, Some(vec![0.0, 1.0, 0.0, 0.0])]);
}

#[test]
fn vectors_are_placed_by_index() {
    let reply = |indexes: [Value; 2]| {
        let one = |(at, index): (usize, &Value)| json!({"index": index, "embedding": axis(at)});
        Act::json(200, &json!({"data": indexes.iter().enumerate().map(one).collect::<Vec<_>>()}))
    };
    let vendor = Vendor::start(vec![reply([json!(1), json!(0)])]);
    let found = Place::new("openai", &vendor).embed(&["one", "two"]).expect("vectors");
    assert_eq!(found[0], Some(vec![0.0, 1.0, 0.0, 0.0]));
    for wrong in [[json!(0), json!(0)], [json!(1), json!(2)], [json!(-1), json!(0)], [json!("0"), json!(1)]] {
        let (error, ..) = error("openai", vec![reply(wrong.clone())]);
        assert!(error.why.contains("index"), "{wrong:?}: {}", error.why);
    }
}

#[test]
fn other_dimensions_than_before_or_than_asked_are_an_error() {
    let vendor = Vendor::start(vec![Act::Embed(8), Act::Embed(4)]);
    let mut place = Place::new("openai", &vendor);
    let embedder = place.open().expect("the settings fit");
    embedder.embed(&["one"]).expect("vectors");
    let error = embedder.embed(&["two"]).expect_err("they are shorter");
    assert!(error.why.contains("4 dimensions, and those before had 8"), "{}", error.why);
    place.settings.dimensions = 16;
    let error = place.embed(&["one"]).expect_err("it ignores the number");
    assert!(hint(&error).contains("griot config set embedder.dimensions 0"), "{}", hint(&error));
}

#[test]
fn what_is_set_wrongly_is_one_clear_error() {
    for provider in SERVERS {
        for (act, part) in [
            (Act::failure(401, &format!("wrong key {KEY}")), "embedder.key_file"),
            (Act::failure(403, "no"), "embedder.key_file"),
            (Act::page(200), "embedder.url"),
            (Act::page(404), "embedder.url"),
            (Act::failure(404, "no such route"), "embedder.url"),
            (Act::failure(404, "model `test-model` not found"), "embedder.name"),
            (Act::failure(400, "maximum context length is 10"), "embedder.text_tokens"),
            (Act::failure(500, "input is too large to process"), "embedder.text_tokens"),
            (Act::failure(413, "too much"), "embedder.batch"),
            (Act::failure(400, "this model takes no dimensions"), "embedder.dimensions"),
        ] {
            let (error, place, vendor) = error(provider, vec![act.clone()]);
            assert!(hint(&error).contains(part), "{provider} {act:?}: {}", hint(&error));
            assert!(!hint(&error).contains(" model."), "{provider}: {}", hint(&error));
            assert_eq!(vendor.seen().len(), 1, "{provider} {act:?}");
            assert_eq!((place.usage()[0].failed, place.usage()[0].input_tokens), (1, 0), "errors are free");
        }
    }
    let vendor = Vendor::start(vec![Act::Embed(4)]);
    type Change = fn(&mut EmbedderSettings);
    let cases: [(Change, bool, &str); 5] = [
        (|all| all.provider = ModelProvider::Off, false, "embedder.provider"),
        (|all| all.provider = ModelProvider::Anthropic, false, "embedder.provider"),
        (|all| all.name = " ".into(), false, "embedder.name"),
        // What is stored then has no vector, and is not lost.
        (|all| all.key_file = "/no/such/file".into(), true, "embedder.key_file"),
        (|all| all.url = "localhost:8080".into(), true, "embedder.url"),
    ];
    for (change, opens, part) in cases {
        let mut place = Place::new("openai", &vendor);
        change(&mut place.settings);
        let error = place.embed(&["one"]).expect_err("it is refused");
        assert_eq!((error.kind, place.open().is_ok()), (ErrorKind::InvalidInput, opens), "{error:?}");
        assert!(hint(&error).contains(part), "{}", hint(&error));
    }
    assert!(vendor.seen().is_empty());
}

#[test]
fn budgets_of_the_day_count_vectors_too() {
    let vendor = Vendor::start(vec![Act::Embed(4)]);
    let mut place = Place::new("openai", &vendor);
    place.model.day_calls = 1;
    place.embed(&["one"]).expect("the first one");
    let error = place.embed(&["two"]).expect_err("the budget is used up");
    assert!(hint(&error).contains("model.day_calls"), "{}", hint(&error));
    assert_eq!(vendor.seen().len(), 1);
}

#[test]
fn a_memory_whose_vector_fails_is_stored_and_gets_it_later() {
    for act in [
        Act::failure(401, "no"),
        Act::busy(3600),
        Act::failure(500, "oops"),
        Act::Drip,
        say("openai", &[]),
        say("openai", &[vec![]]),
        Act::Say(200, vec![], "application/json", r#"{"data":[{"embedding":[NaN]}]}"#.into()),
    ] {
        let vendor = Vendor::start(vec![act.clone()]);
        let mut place = Place::new("openai", &vendor);
        place.settings.timeout_ms = 300;
        let engine = place.engine(place.open().expect("the settings fit"));
        let stored = engine.remember(Draft::new("The cache was slow.")).expect("it is stored");
        let counts = || {
            let counts = engine.status().expect("the status").counts;
            (counts.memories, counts.vectors)
        };
        assert_eq!((stored.embedded, counts()), (false, (1, 0)), "{act:?}");
        let error = engine.reindex(VectorsToMake::Missing, &mut |_, _| {}).expect_err("it fails still");
        explains(&error, "openai");
        assert_eq!(counts(), (1, 0));

        let vendor = Vendor::start(vec![Act::Embed(4)]);
        place.settings.url.clone_from(&vendor.address);
        let engine = engine.with_embedder(Arc::new(place.open().expect("the settings fit")));
        engine.reindex(VectorsToMake::Missing, &mut |_, _| {}).expect("the vectors");
        let counts = engine.status().expect("the status").counts;
        assert_eq!((counts.memories, counts.vectors), (1, 1), "{act:?}");
    }
}

#[test]
fn a_question_waits_no_longer_for_the_ledger_than_for_its_vector() {
    let vendor = Vendor::start(vec![Act::Embed(4)]);
    let mut place = Place::new("openai", &vendor);
    place.settings.question_timeout_ms = 300;
    let embedder = place.open().expect("the settings fit");
    embedder.embed_question("one").expect("a vector");
    // Another process writes the ledger for longer than the question may take.
    let ledger = rusqlite::Connection::open(place.ledger()).expect("the ledger");
    ledger.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let error = embedder.embed_question("two").expect_err("it waits no longer");
    assert!(error.why.contains("ledger") && error.hint.is_some(), "{}", hint(&error));
    ledger.execute_batch("COMMIT").expect("the lock is free");
    assert_eq!((vendor.seen().len(), place.usage()[0].calls, place.usage()[0].failed), (1, 1, 0));
    embedder.embed_question("two").expect("a vector");
}

#[test]
fn the_former_model_is_found_where_it_was() {
    let vendor = Vendor::start(vec![Act::Embed(4)]);
    let mut place = Place::new("openai", &vendor);
    (place.settings.passage_prefix, place.settings.query_prefix) = ("p: ".into(), "q: ".into());
    (place.settings.price, place.settings.text_tokens) = (2.0, 16);
    let name = place.open().expect("the settings fit").name().to_string();
    place.embed(&["one"]).expect("vectors");
    let database = place.folder.path().join("griot.db");
    let former =
        |settings: &EmbedderSettings| ServerEmbedder::former(&name, settings, &place.model, &database);
    let key_of = |settings: &EmbedderSettings| {
        let found = former(settings).expect("it opens").expect("it was at a server");
        assert_eq!(found.name(), name);
        found.embed_question(&"where? ".repeat(20)).expect("a vector");
        let seen = vendor.seen().pop().expect("a request");
        assert_eq!(texts(&seen.body), [format!("q: {}", &"where? ".repeat(20)[..48])]);
        seen.head.contains(KEY)
    };
    // The key of the settings is for their own server.
    let other = EmbedderSettings { name: "other-model".into(), ..place.settings.clone() };
    assert!(key_of(&other));
    assert!(key_of(&EmbedderSettings { url: format!("{}/v1/", vendor.address), ..other.clone() }));
    for provider in [ModelProvider::Gemini, ModelProvider::Openai] {
        let url = "http://127.0.0.1:9/v1".to_string();
        assert!(!key_of(&EmbedderSettings { provider, url, ..other.clone() }));
    }
    assert!(!key_of(&EmbedderSettings::default()));
    let static_256 = ServerEmbedder::former("static-256", &other, &place.model, &database);
    assert!(static_256.expect("no error").is_none());
    // It is paid as it was, whatever the selected model costs.
    let usage = &place.usage()[0];
    assert_eq!(usage.cost, Some(usage.input_tokens as f64 * 2.0 / 1e6));
    // The ledger holds no key, and not where it is.
    let bytes = std::fs::read(place.ledger()).expect("the ledger");
    for secret in [KEY, "key_file", &place.settings.key_file.to_string_lossy()] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret}");
    }
}

#[test]
fn a_former_model_of_which_nothing_is_known_is_not_looked_for() {
    let vendor = Vendor::start(vec![Act::Embed(4)]);
    let mut place = Place::new("openai", &vendor);
    let database = place.folder.path().join("griot.db");
    let former = |name: &str| {
        let found = ServerEmbedder::former(name, &place.settings, &place.model, &database);
        let error = found.expect_err("it is not known where it is");
        assert_eq!(error.what, format!("open the embedder `{name}`"));
        assert!(error.why.contains("where its server is"), "{error}");
        hint(&error)
    };
    // Without a ledger, and in one that another model is in.
    assert!(former("openai/lost-model").contains("embedder.url"));
    place.embed(&["one"]).expect("vectors");
    assert!(former("openai/lost-model").contains("embedder.url"));
    assert_eq!(vendor.seen().len(), 1);

    // One that does not answer: the hint says what is possible without it.
    let gone = Vendor::start(vec![Act::failure(401, "no")]);
    place.settings.url.clone_from(&gone.address);
    place.embed(&["one"]).expect_err("it fails");
    let other = EmbedderSettings { provider: ModelProvider::Gemini, ..EmbedderSettings::default() };
    let found = ServerEmbedder::former("openai/test-model", &other, &place.model, &database);
    let error = found.expect("it opens").expect("it was at a server").embed_question("where?");
    let hint = hint(&error.expect_err("it has no key"));
    assert!(
        hint.contains("its provider and its address") && hint.contains("griot reindex --embed"),
        "{hint}"
    );
}

#[test]
fn a_host_that_does_not_exist_costs_nothing() {
    let vendor = Vendor::start(vec![Act::Hang]);
    let mut place = Place::new("openai", &vendor);
    place.settings.url = nowhere();
    let error = place.embed(&["one"]).expect_err("there is no such host");
    assert!(error.why.contains("does not exist"), "{error:?}");
    assert_eq!(error.hint.as_deref(), Some("griot config set embedder.url ADDRESS"));
    let usage = place.usage();
    assert_eq!((usage[0].calls, usage[0].failed, usage[0].input_tokens), (1, 1, 0));
}
