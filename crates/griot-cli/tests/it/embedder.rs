//! Choosing the embedder: a missing one is reported, and one command switches a workspace.

use crate::Home;

#[cfg(not(feature = "minilm"))]
#[test]
fn an_embedder_that_was_not_built_in_is_an_error_with_a_way_out() {
    let home = Home::new();
    home.ok(&["config", "set", "embedder.model", "minilm"]);
    let run = home.run(&["remember", "Ada moved the cache to Redis."]);
    assert_eq!(run.error(), "error: cannot use the embedder `minilm`: this griot was built without it");
    assert!(run.stderr.contains("\n\nhint: griot config set embedder.model builtin"), "{}", run.stderr);
    home.ok(&["config", "set", "embedder.model", "builtin"]);
    home.remember("Ada moved the cache to Redis.", &[]);
}

#[cfg(feature = "minilm")]
#[test]
fn a_folder_that_holds_no_model_is_an_error() {
    let home = Home::new();
    home.ok(&["config", "set", "embedder.model", "minilm"]);
    let run = home.run(&["status"]);
    assert_eq!(run.error(), "error: cannot use the embedder `minilm`: `embedder.path` is not set");
    home.ok(&["config", "set", "embedder.path", "no/such/folder"]);
    let run = home.run(&["status"]);
    assert_eq!(run.error(), "error: cannot load the embedder from `no/such/folder`: there is no such folder");
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
        for refused in [&["recall", "where is the cache"][..], &["remember", "Something else."]] {
            let run = home.run(refused);
            let why = format!("from `{other}`, the current embedder is `{name}`");
            assert!(run.error().ends_with(&why), "{}", run.stderr);
            assert!(run.stderr.ends_with("hint: griot reindex --embed\n"), "{}", run.stderr);
        }
        home.ok(&["reindex", "--embed"]);
        assert_eq!(models(), [name, name]);
        assert_eq!(home.run(&["doctor"]).code, 0);
        let answer = home.json(&["recall", "which software holds temporary data now?", "--no-floor"]);
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
    // A space at the end counts.
    for (prefix, value) in [("query", "the"), ("query", "the "), ("passage", "a ")] {
        home.ok(&["config", "set", &format!("embedder.{prefix}_prefix"), value]);
        names.push(home.json(&["status"])["embedder"].clone());
    }
    assert!((1..names.len()).all(|at| !names[..at].contains(&names[at])), "{names:?}");
    home.remember("The kettle is red.", &[]);
    let answer = home.json(&["recall", "is the kettle red?", "--no-floor"]);
    assert_eq!(answer["results"][0]["text"], "The kettle is red.");
}
