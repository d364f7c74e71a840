//! A reranker at a server: formats, what is sent, replies that cannot be used, the ledger.

use griot::engine::{RerankProvider, RerankerSettings};
use griot::model::{Error, ErrorKind};
use griot::recall::Reranker;
use griot_models::ServerReranker;

use super::*;

const PROVIDERS: [&str; 4] = ["cohere", "jina", "voyage", "tei"];
const QUESTION: &str = "which?";

struct Place {
    folder: tempfile::TempDir,
    settings: RerankerSettings,
    model: ModelSettings,
}

impl Place {
    fn new(provider: &str, vendor: &Vendor) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("key"), format!("{KEY}\n")).expect("a key");
        let settings = RerankerSettings {
            provider: RerankProvider::parse(provider).expect("a provider"),
            name: "test-model".into(),
            url: vendor.address.clone(),
            key_file: folder.path().join("key"),
            timeout_ms: 20_000,
            ..RerankerSettings::default()
        };
        Self { folder, settings, model: ModelSettings::default() }
    }

    fn open(&self) -> Option<ServerReranker> {
        let database = self.folder.path().join("griot.db");
        ServerReranker::with_timing(&self.settings, &self.model, &database, QUICK)
    }

    fn relevance(&self, texts: &[&str]) -> griot::model::Result<Vec<f32>> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        self.open().expect("a reranker").relevance(QUESTION, &texts)
    }

    fn usage(&self) -> Vec<Usage> {
        let ledger = Ledger::for_database(&self.folder.path().join("griot.db")).expect("a ledger");
        ledger.usage(Timestamp(0)).expect("the usage")
    }
}

/// A reply in the form of the provider: positions with numbers.
fn ranks(provider: &str, all: &[(usize, f64)]) -> Value {
    let list = |score: &str| -> Value {
        all.iter().map(|(at, of)| json!({"index": at, score: of})).collect::<Vec<_>>().into()
    };
    match provider {
        "cohere" => {
            json!({"results": list("relevance_score"), "meta": {"billed_units": {"search_units": 1}}})
        }
        "jina" => json!({"results": list("relevance_score"), "usage": {"total_tokens": 77}}),
        "voyage" => {
            json!({"object": "list", "data": list("relevance_score"), "usage": {"total_tokens": 77}})
        }
        _ => list("score"),
    }
}

fn error(provider: &str, acts: Vec<Act>) -> (Error, Place, Vendor) {
    let vendor = Vendor::start(acts);
    let place = Place::new(provider, &vendor);
    let error = place.relevance(&["one", "two"]).expect_err("it fails");
    assert!(error.what == "rerank" && !error.why.is_empty() && error.hint.is_some(), "{error:?}");
    assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    (error, place, vendor)
}

#[test]
fn each_service_is_asked_in_its_format_and_understood() {
    for provider in PROVIDERS {
        let vendor = Vendor::start(vec![Act::json(200, &ranks(provider, &[(1, 0.9), (0, 0.2)]))]);
        let mut place = Place::new(provider, &vendor);
        (place.settings.price, place.settings.text_tokens) = (2.0, 16);
        let long = "x".repeat(100);
        let secret = format!("AKIA{}", "Q7".repeat(8));
        assert_eq!(place.relevance(&[&format!("key {secret}"), &long]).expect("ranks"), [0.2, 0.9]);

        let seen = vendor.seen();
        let path = match provider {
            "cohere" => "/v2/rerank",
            "tei" => "/rerank",
            _ => "/v1/rerank",
        };
        assert_eq!((seen.len(), seen[0].path.as_str()), (1, path));
        assert!(seen[0].head.contains(&format!("authorization: bearer {KEY}")), "{}", seen[0].head);
        let body = &seen[0].body;
        let texts = if provider == "tei" { &body["texts"] } else { &body["documents"] };
        assert_eq!((&body["query"], &texts[1]), (&json!(QUESTION), &json!("x".repeat(48))), "{provider}");
        assert!(!texts[0].to_string().contains(&secret), "a secret was sent: {texts}");
        assert_eq!(body.get("model").is_some(), provider != "tei");

        let usage = place.usage();
        assert_eq!((usage.len(), usage[0].purpose.as_str(), usage[0].calls), (1, "rerank", 1));
        assert_eq!(usage[0].provider, provider);
        let counted = matches!(provider, "jina" | "voyage");
        assert_eq!(usage[0].input_tokens == 77, counted, "{provider}: {}", usage[0].input_tokens);
        assert_eq!(usage[0].cost, Some(usage[0].input_tokens as f64 * 2.0 / 1e6));
    }
}

#[test]
fn replies_that_cannot_be_used_are_errors() {
    for provider in PROVIDERS {
        for (all, why) in [
            (&[(0, 0.5)][..], "nothing usable about 1 of 2"),
            (&[(0, 0.5), (0, 0.6)], "names text 0 twice"),
            (&[(0, 0.5), (2, 0.6)], "names text 2 of 2"),
        ] {
            let (error, place, _) = error(provider, vec![Act::json(200, &ranks(provider, all))]);
            assert!(error.why.contains(why), "{provider}: {error}");
            assert_eq!(place.usage()[0].failed, 1, "paid and counted");
        }
        let (error, ..) = error(provider, vec![Act::json(200, &json!({"answer": 42}))]);
        assert!(error.why.contains("its reply has no"), "{error}");
    }
}

#[test]
fn failures_of_a_server_say_what_helps() {
    for (act, hint) in [
        (Act::failure(401, "bad key"), "reranker.key_file"),
        (Act::page(200), "/rerank"),
        (Act::failure(404, "model not found"), "reranker.name"),
        (Act::failure(413, "too large"), "reranker.text_tokens"),
        (Act::Cut("{\"results\"".into()), "reranker.url"),
    ] {
        let (error, ..) = error("jina", vec![act.clone()]);
        assert!(error.hint.as_deref().unwrap_or_default().contains(hint), "{act:?}: {error:?}");
        assert!(!error.to_string().contains("openai"), "{error}");
    }
    // Asked again once, not longer: someone waits.
    let (busy, _, vendor) = error("jina", vec![Act::busy(0)]);
    assert_eq!((busy.kind, vendor.seen().len()), (ErrorKind::Unavailable, 2));
    // However long it wants to be waited for: longer than any clock goes.
    let (busy, ..) = error("jina", vec![Act::busy(10_000_000_000_000_000_000)]);
    assert!(busy.why.contains("it asks to wait 10000000000000000000 s"), "{busy}");
    // What a filter of the provider declines is declined again.
    let filtered = Act::failure(400, "it triggered the content management policy");
    let (error, _, vendor) = error("jina", vec![filtered]);
    assert!(error.why.contains("declined the text") && vendor.seen().len() == 1, "{error}");
}

#[test]
fn settings_that_cannot_work_are_errors_of_a_question_and_nothing_is_sent() {
    let vendor = Vendor::start(vec![Act::Hang]);
    let with = |change: fn(&mut Place)| {
        let mut place = Place::new("jina", &vendor);
        change(&mut place);
        place
    };
    assert!(with(|place| place.settings.provider = RerankProvider::Off).open().is_none());
    for (change, hint) in [
        ((|place| place.settings.name.clear()) as fn(&mut Place), "reranker.name"),
        (|place| place.settings.url = "ftp://x".into(), "reranker.url"),
        (|place| place.settings.key_file = "/nowhere/key".into(), "reranker.key_file"),
        (
            |place| {
                place.settings.provider = RerankProvider::Tei;
                place.settings.url.clear();
            },
            "reranker.url http://127.0.0.1:8080",
        ),
        (
            |place| {
                place.settings.url = "http://example.invalid/v1".into();
                place.model.day_cost = 1.0;
            },
            "reranker.price",
        ),
    ] {
        let error = with(change).relevance(&["one"]).expect_err("refused");
        assert!(format!("{error} {:?}", error.hint).contains(hint), "{error:?}");
    }
    assert!(vendor.seen().is_empty());
}

#[test]
fn a_server_of_ones_own_needs_no_name_and_no_price() {
    let vendor = Vendor::start(vec![Act::json(200, &ranks("tei", &[(0, 0.5)]))]);
    let mut place = Place::new("tei", &vendor);
    place.settings.name.clear();
    place.model.day_cost = 1.0;
    assert_eq!(place.relevance(&["one"]).expect("ranks"), [0.5]);
    assert_eq!(place.usage()[0].provider, "tei");
}

#[test]
fn a_host_that_does_not_exist_costs_nothing() {
    let vendor = Vendor::start(vec![Act::Hang]);
    let mut place = Place::new("cohere", &vendor);
    place.settings.url = nowhere();
    let error = place.relevance(&["one"]).expect_err("there is no such host");
    assert!(error.why.contains("does not exist"), "{error:?}");
    assert_eq!(error.hint.as_deref(), Some("griot config set reranker.url ADDRESS"));
    let usage = place.usage();
    assert_eq!((usage[0].calls, usage[0].failed, usage[0].input_tokens), (1, 1, 0));
}
