//! Choosing the embedder: a missing one is reported, and one command switches a workspace, during which the
//! former one answers.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Agent;
use crate::vendor::{Act, Vendor, texts};
use crate::{Home, Parts, Running, has};

const QUESTION: &str = "why is the cache slow?";

impl Home {
    /// Selects a model at this server.
    fn set_embedder(&self, vendor: &Vendor) {
        for (key, value) in [
            ("embedder.provider", "openai"),
            ("embedder.name", "test-model"),
            ("embedder.url", vendor.address.as_str()),
            ("embedder.batch", "2"),
            ("embedder.model", "api"),
        ] {
            self.ok(&["config", "set", key, value]);
        }
    }

    /// Recalls; returns what could not be used.
    fn missing(&self) -> Value {
        let answer = self.json(&["recall", QUESTION]);
        assert!(!answer["results"].list().is_empty(), "{answer}");
        answer["missing"].clone()
    }

    /// The model of the stored vectors, the selected one, and the number of vectors.
    fn vectors(&self) -> (String, String, u64) {
        let status = self.json(&["status"]);
        let text = |name: &str| status[name].text().to_string();
        (text("stored_model"), text("embedder"), status["counts"]["vectors"].as_u64().unwrap_or_default())
    }
}

/// The texts of each request.
fn sent(vendor: &Vendor) -> Vec<Vec<String>> {
    vendor.seen().iter().map(|seen| texts(&seen.body)).collect()
}

#[test]
fn a_workspace_changes_to_a_server_and_has_vectors_all_the_time() {
    const BUILT_IN: &str = "static-256";
    const SERVER: &str = "openai/test-model";
    let home = Home::new();
    for number in 0..9 {
        home.remember(&format!("Note {number}: the cache was slow because of cause {number}."), &[]);
    }
    // The third batch takes longer than the process lives.
    let (embed, slow) = (Act::Embed(16), Act::After(Duration::from_secs(20), Box::new(Act::Embed(16))));
    let vendor = Vendor::start(vec![embed.clone(), embed.clone(), slow, embed]);
    home.set_embedder(&vendor);
    let state = |stored: &str, count| (stored.to_string(), SERVER.to_string(), count);
    assert_eq!((home.missing(), home.vectors()), (json!([]), state(BUILT_IN, 9)));
    has(&home.ok(&["status"]), "griot reindex --embed");
    assert!(vendor.seen().is_empty(), "the former model answers");

    let mut run = Running(home.process().args(["reindex", "--embed"]).spawn().expect("it starts"));
    while vendor.seen().len() < 3 {
        assert!(run.0.try_wait().expect("its state").is_none(), "it waits for the server");
        std::thread::sleep(Duration::from_millis(5));
    }
    // During the run, and after its end in the middle.
    for _ in 0..2 {
        assert_eq!((home.missing(), home.vectors()), (json!([]), state(BUILT_IN, 9)));
        let _ = run.0.kill();
        let _ = run.0.wait();
    }
    home.remember("Note 9: the cache was slow because of the weather.", &[]);
    assert_eq!((home.missing(), home.vectors()), (json!([]), state(BUILT_IN, 10)));

    home.ok(&["reindex", "--embed"]);
    assert_eq!(home.vectors(), state(SERVER, 10));
    let all = sent(&vendor);
    let done: BTreeSet<&String> = all[..2].iter().flatten().collect();
    let again: Vec<&String> = all[3..].iter().flatten().collect();
    assert_eq!((done.len(), again.len()), (4, 6), "{all:?}");
    assert!(!again.iter().any(|text| done.contains(text)), "{all:?}");
    // Once more makes nothing, and a question is one text.
    home.ok(&["reindex", "--embed"]);
    assert_eq!((home.missing(), sent(&vendor).len()), (json!([]), all.len() + 1));
    assert_eq!(sent(&vendor).pop(), Some(vec![QUESTION.to_string()]));
    assert_eq!(home.run(&["doctor"]).code, 0);
    let usage = home.json(&["usage"]);
    let rows = usage["rows"].list();
    assert_eq!((rows[0]["purpose"].text(), rows[0]["unfinished"].as_u64()), ("embed", Some(1)), "{usage}");

    // A server that fails loses nothing.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", closed.local_addr().expect("an address"));
    drop(closed);
    home.ok(&["config", "set", "embedder.url", &url]);
    has(&home.missing().to_string(), "accepts no connection");
    let stored = home.json(&["remember", "Note 10: the cache was slow again."]);
    assert_eq!(stored["embedded"], false, "{stored}");
    has(&home.ok(&["remember", "Note 11: the cache was slow once more."]), "no vector was made");
    has(&home.ok(&["status"]), "2 memories have none: griot reindex --embed");
    has(&home.ok(&["doctor"]), "2 memories without a vector");
    let mut agent = Agent::start(&home, &[]);
    let said = agent.call("recall", json!({"query": QUESTION}))["content"][0]["text"].text().to_string();
    has(&said, "Note: vectors were not used");
    drop(agent);
    let run = home.run(&["reindex", "--embed"]);
    has(run.error(), "accepts no connection");
    home.ok(&["config", "set", "embedder.url", &vendor.address]);
    let before = vendor.seen().len();
    let planned = home.json(&["--set", "embedder.price=2", "reindex", "--embed", "--estimate"]);
    let planned = planned["estimate"].clone();
    assert_eq!((&planned["items"], &planned["calls"]), (&json!(2), &json!(1)), "{planned}");
    assert!(planned["cost"].as_f64() > Some(0.0) && vendor.seen().len() == before, "{planned}");
    home.ok(&["reindex", "--embed"]);
    assert_eq!((home.missing(), home.vectors()), (json!([]), state(SERVER, 12)));

    // Back again: the server answers meanwhile, where it was.
    for (key, value) in [("model", "builtin"), ("url", ""), ("provider", "off"), ("name", "")] {
        home.ok(&["config", "set", &format!("embedder.{key}"), value]);
    }
    let before = vendor.seen().len();
    assert_eq!((home.missing(), vendor.seen().len()), (json!([]), before + 1));
    // Unless nothing says where that was: then no one is asked.
    let database = home.json(&["status"])["path"].text().to_string();
    std::fs::remove_file(format!("{database}.models")).expect("the ledger");
    let missing = home.missing().to_string();
    has(&missing, "does not say where its server is");
    has(&missing, "griot reindex --embed");
    assert_eq!(vendor.seen().len(), before + 1);
    home.ok(&["reindex", "--embed"]);
    assert_eq!(home.vectors(), (BUILT_IN.to_string(), BUILT_IN.to_string(), 12));
}

#[test]
fn a_server_gets_no_private_text_unless_it_may() {
    let home = Home::new();
    let vendor = Vendor::start(vec![Act::Embed(16)]);
    home.set_embedder(&vendor);
    home.remember("The cache is slow on Mondays.", &[]);
    home.remember("My heronsecret about the cache.", &["--user", "ada"]);
    home.ok(&["reindex", "--embed"]);
    assert!(!format!("{:?}", sent(&vendor)).contains("heronsecret"));
    assert_eq!(home.vectors().2, 1);
    home.ok(&["config", "set", "model.private_texts", "true"]);
    home.ok(&["reindex", "--embed"]);
    assert!(format!("{:?}", sent(&vendor)).contains("heronsecret"));
    assert_eq!(home.vectors().2, 2);
}

#[test]
fn a_key_that_is_missing_loses_no_memory() {
    let home = Home::new();
    let vendor = Vendor::start(vec![Act::Embed(16)]);
    home.set_embedder(&vendor);
    home.ok(&["config", "set", "embedder.key_env", "GRIOT_TEST_NO_SUCH_KEY"]);
    let stored = home.json(&["remember", "The cache is slow on Mondays."]);
    assert_eq!(stored["embedded"], false, "{stored}");
    assert_eq!(home.missing().list().len(), 1);
    let run = home.run(&["reindex", "--embed"]);
    has(run.error(), "the environment variable that `embedder.key_env` names is not set");
    assert!(vendor.seen().is_empty());
    home.ok(&["config", "set", "embedder.provider", "off"]);
    has(&home.run(&["recall", QUESTION]).stderr, "griot config set embedder.provider");
}

/// What is selected by a setting, and what selects nothing that was left out.
const SELECTED: [(&str, &str, &str); 2] = [("embedder", "model", "builtin"), ("reranker", "provider", "off")];

#[cfg(not(feature = "minilm"))]
#[test]
fn a_model_that_was_not_built_in_is_an_error_with_a_way_out() {
    for (what, setting, usual) in SELECTED {
        let home = Home::new();
        let setting = format!("{what}.{setting}");
        home.ok(&["config", "set", &setting, "minilm"]);
        let run = home.run(&["remember", "Ada moved the cache to Redis."]);
        let why = format!("error: cannot use the {what} `minilm`: this griot was built without it");
        assert_eq!(run.error(), why);
        has(&run.stderr, &format!("\n\nhint: griot config set {setting} {usual}"));
        home.ok(&["config", "set", &setting, usual]);
        home.remember("Ada moved the cache to Redis.", &[]);
    }
}

#[cfg(feature = "minilm")]
#[test]
fn a_folder_that_holds_no_model_is_an_error() {
    for (what, setting, _) in SELECTED {
        let home = Home::new();
        home.ok(&["config", "set", &format!("{what}.{setting}"), "minilm"]);
        let run = home.run(&["status"]);
        assert_eq!(run.error(), format!("error: cannot use the {what} `minilm`: `{what}.path` is not set"));
        home.ok(&["config", "set", &format!("{what}.path"), "no/such/folder"]);
        let run = home.run(&["status"]);
        let why = "there is no such folder";
        assert_eq!(run.error(), format!("error: cannot load the {what} from `no/such/folder`: {why}"));
    }
}

#[cfg(feature = "minilm")]
#[test]
fn a_workspace_changes_to_minilm_and_back_by_embedding_again() {
    use std::io::Write;

    let Some(folder) = std::env::var("GRIOT_TEST_MINILM").ok().filter(|folder| !folder.is_empty()) else {
        let text = "\nSKIPPED: GRIOT_TEST_MINILM names no folder, so griot was not run with the real model\n";
        let _ = std::io::stderr().write_all(text.as_bytes());
        return;
    };
    let home = Home::new();
    home.remember("Ada moved the cache to Redis.", &[]);
    home.remember("Lunch is at noon on Fridays.", &[]);
    let models = || {
        let status = home.json(&["status"]);
        [status["stored_model"].clone(), status["embedder"].clone()]
    };
    home.ok(&["config", "set", "embedder.path", &folder]);
    for (model, name, other) in
        [("minilm", "all-minilm-l6-v2", "static-256"), ("builtin", "static-256", "all-minilm-l6-v2")]
    {
        home.ok(&["config", "set", "embedder.model", model]);
        assert_eq!(models(), [other, name]);
        // The former one answers until all vectors are made.
        assert_eq!(home.json(&["recall", "where is the cache"])["missing"], json!([]));
        home.remember(&format!("Written before {model}."), &[]);
        assert_eq!(models(), [other, name]);
        home.ok(&["reindex", "--embed"]);
        assert_eq!(models(), [name, name]);
        assert_eq!(home.run(&["doctor"]).code, 0);
        let answer = home.json(&["recall", "which software holds temporary data?", "--no-floor"]);
        assert_eq!(answer["results"][0]["text"], "Ada moved the cache to Redis.");
        home.remember(&format!("Written with {model}."), &[]);
    }
}

/// With the small random model that the tests of `griot-models` compute by hand.
#[cfg(feature = "minilm")]
#[test]
fn what_a_model_wants_before_texts_is_a_setting() {
    const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../griot-models/tests/data/textbook");
    let home = Home::new();
    home.ok(&["config", "set", "embedder.model", "minilm"]);
    home.ok(&["config", "set", "embedder.path", MODEL]);
    let mut names = vec![home.json(&["status"])["embedder"].clone()];
    // A space at the end counts. What is before a question changes no vector that is stored.
    for (prefix, value) in [("passage", "a"), ("passage", "a "), ("query", "the ")] {
        home.ok(&["config", "set", &format!("embedder.{prefix}_prefix"), value]);
        names.push(home.json(&["status"])["embedder"].clone());
    }
    assert!(names[0] != names[1] && names[1] != names[2] && names[2] == names[3], "{names:?}");
    home.remember("The kettle is red.", &[]);
    let answer = home.json(&["recall", "is the kettle red?", "--no-floor"]);
    assert_eq!(answer["results"][0]["text"], "The kettle is red.");
}

/// With the small random model that the tests of `griot-models` compare with transformers.
#[cfg(feature = "minilm")]
#[test]
fn a_reranker_from_a_folder_moves_results_and_no_hook_opens_it() {
    const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../griot-models/tests/data/cross/roberta");
    let home = Home::new();
    for text in [
        "The cache is slow on Fridays.",
        "The cache is slow on days on which the backup of the archive has run before it.",
        "The cache was slow in the old house.",
    ] {
        home.remember(text, &["--user", "ada"]);
    }
    let recall = || {
        let answer = home.json(&["recall", QUESTION, "--user", "ada"]);
        let of = |key: &str| answer["results"].list().iter().map(|one| one[key].clone()).collect::<Vec<_>>();
        (of("text"), of("score"), answer["missing"].clone())
    };
    let own = recall();
    for (key, value) in [("provider", "minilm"), ("path", MODEL)] {
        home.ok(&["config", "set", &format!("reranker.{key}"), value]);
    }
    let (texts, scores, missing) = recall();
    assert_ne!(texts, own.0);
    assert_eq!((scores, missing), (own.1, own.2));
    assert_eq!(home.json(&["usage"])["rows"], json!([]), "nothing was sent");

    home.ok(&["config", "set", "reranker.path", "no/such/folder"]);
    has(home.run(&["recall", QUESTION]).error(), "cannot load the reranker");
    let event = json!({"prompt": QUESTION, "session_id": "one", "cwd": home.path()}).to_string();
    let run = home.run_with(&["hook", "prompt"], event.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

/// Prefers the longest text.
fn longest(seen: &crate::vendor::Seen) -> Act {
    let texts = seen.body["documents"].list().iter().enumerate();
    let ranks = texts.map(|(at, text)| json!({"index": at, "relevance_score": text.text().len()}));
    Act::json(200, &json!({"results": ranks.collect::<Vec<_>>(), "usage": {"total_tokens": 50}}))
}

#[test]
fn a_reranker_moves_results_until_it_fails_and_no_hook_waits_for_it() {
    let home = Home::new();
    for text in [
        "The cache is slow.",
        "The cache is slow on days on which the backup of the archive has run before it.",
        "The cache was slow in May.",
    ] {
        home.remember(text, &[]);
    }
    let first = || home.json(&["recall", QUESTION])["results"][0]["text"].text().to_string();
    let scores =
        |answer: &Value| answer["results"].list().iter().map(|one| one["score"].as_f64()).collect::<Vec<_>>();
    let own = home.json(&["recall", QUESTION]);
    let before = first();
    let vendor = Vendor::start(vec![Act::By(longest)]);
    for (key, value) in [("name", "m"), ("url", vendor.address.as_str()), ("provider", "jina")] {
        home.ok(&["config", "set", &format!("reranker.{key}"), value]);
    }
    let answer = home.json(&["recall", QUESTION]);
    assert_eq!((&answer["missing"], scores(&answer)), (&json!([]), scores(&own)));
    assert_ne!(first(), before, "{answer}");
    assert_eq!(home.json(&["usage"])["rows"][0]["purpose"], "rerank");

    let asked = vendor.seen().len();
    let event = json!({"prompt": QUESTION, "session_id": "one", "cwd": home.path()}).to_string();
    let run = home.run_with(&["hook", "prompt"], event.as_bytes());
    has(&run.stdout, "cache");
    assert_eq!(vendor.seen().len(), asked);

    let vendor = Vendor::start(vec![Act::Hang]);
    home.ok(&["config", "set", "reranker.url", &vendor.address]);
    has(&home.missing().to_string(), "the reranker was not used");
    assert_eq!(first(), before);
}
