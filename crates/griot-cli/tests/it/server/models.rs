//! Answers of a language model over HTTP: the same as on the command line, within what a key allows.

use serde_json::json;

use super::{Agent, Server};
use crate::vendor::{Act, Vendor};
use crate::{Home, Parts, has, parsed};

#[test]
fn a_model_answers_over_http_within_the_reach_of_a_key() {
    let home = Home::new();
    let handle = format!("#{}", home.remember("The harbour master is Ilse Brandt.", &[]));
    home.remember("Ada's locker in the harbour is number 7.", &["--user", "ada"]);
    let question = json!({"query": "who is the harbour master?"});
    let server = Server::start(&home, &[]);
    let reply = server.post("/v1/answer", &question);
    assert_eq!(reply.status, 400, "{}", reply.body);
    has(&reply.body, "model.provider");
    drop(server);

    let good = json!({"statements": [{"text": "Ilse Brandt.", "citations": [handle]}]}).to_string();
    let vendor = Vendor::start(vec![Act::reply("openai", &good), Act::page(502)]);
    home.set_model(&vendor);
    let key = |options: &[&str]| {
        let made = home.json(&[&["key", "create"][..], options].concat());
        made["key"].text().to_string()
    };
    let (reader, bob) = (key(&["--role", "read"]), key(&["--role", "read", "--user", "bob"]));
    let server = Server::start(&home, &[]);
    let answer = server.with(&reader, "POST", "/v1/answer", &question).fine();
    assert_eq!(
        (&answer["text"], &answer["supported"]),
        (&json!(format!("Ilse Brandt. [{handle}]")), &json!(true))
    );
    assert_eq!(server.with(&reader, "GET", "/v1/usage", &json!(null)).fine()["total"]["calls"], 1);
    // Who pays is not for one user to see, and another user's texts are not sent for them.
    assert_eq!(server.with(&bob, "GET", "/v1/usage", &json!(null)).status, 403);
    let answer = server
        .with(&bob, "POST", "/v1/answer", &json!({"query": "Ada's locker in the harbour", "no_floor": true}))
        .fine();
    assert_eq!(answer["failure"]["kind"], "not_an_interface", "{answer}");
    // Nor is the address of the model.
    assert!(answer["failure"]["hint"].is_null() && !answer.to_string().contains(&vendor.address), "{answer}");
    assert!(!vendor.seen().iter().any(|seen| seen.body.to_string().contains("number 7")));
    let bad = server.with(&reader, "POST", "/v1/answer", &json!({"query": "x", "answer": true}));
    assert_eq!(parsed(&bad.body)["error"]["kind"].text(), "invalid_input");
    assert_eq!(server.with(&reader, "GET", "/v1/usage?days=0", &json!(null)).status, 400);
}

#[test]
fn new_memories_are_read_behind_the_answers_where_the_settings_say_so() {
    let vendor = Vendor::start(vec![Act::failure(503, "busy"), Act::By(crate::enrich::reader)]);
    let home = Home::new();
    home.set_model(&vendor);
    for (name, value) in [
        ("enrich.gleaning", "0"),
        ("enrich.causes", "false"),
        ("enrich.facts", "false"),
        ("enrich.background", "true"),
        ("model.timeout_ms", "1000"),
    ] {
        home.ok(&["config", "set", name, value]);
    }
    let server = Server::start(&home, &[]);
    server.post("/v1/remember", &json!({"text": "team Alpha keeps sessions in Beta"})).fine();
    let asked = json!({"query": "where are the sessions of team Alpha?"});
    let related = || {
        let reply = server.get("/v1/entities/Alpha");
        if reply.status == 404 { 0 } else { reply.fine()["relations"].list().len() }
    };
    let behind = || {
        let missing = server.post("/v1/recall", &asked).fine()["missing"].clone();
        missing.list().iter().any(|one| one.text().contains("the language model is behind"))
    };
    // One of the two holds at any time.
    crate::enrich::until("it reads", || {
        let (was_behind, relations) = (behind(), related());
        assert!(was_behind || relations == 1);
        relations == 1
    });
    assert!(!behind());
    assert_eq!(server.get("/v1/status").fine()["unread"], json!({}));
    // For the owner alone, since it costs money.
    let writer = home.json(&["key", "create", "--role", "write"])["key"].text().to_string();
    assert_eq!(server.with(&writer, "POST", "/v1/enrich", &json!({})).status, 403);
}

#[test]
fn a_caller_hears_that_the_model_is_behind_only_with_what_it_may_see() {
    let vendor = Vendor::start(vec![Act::failure(401, "no")]);
    let home = Home::new();
    home.set_model(&vendor);
    for name in ["enrich.background", "model.private_texts"] {
        home.ok(&["config", "set", name, "true"]);
    }
    home.remember("Ada's locker in the harbour is number 7.", &["--user", "ada"]);
    let key = |user: &str| {
        let made = home.json(&["key", "create", "--role", "read", "--user", user]);
        made["key"].text().to_string()
    };
    let (ada, bob) = (key("ada"), key("bob"));
    let server = Server::start(&home, &[]);
    let is_behind = |key: &str| {
        let asked = json!({"query": "where is the locker in the harbour?"});
        let missing = server.with(key, "POST", "/v1/recall", &asked).fine()["missing"].clone();
        missing.list().iter().any(|one| one.text().contains("the language model is behind"))
    };
    assert!(is_behind(&ada) && !is_behind(&bob));
    // Agents hear it, too.
    let mut agent = Agent::start(&home, &["--user", "ada"]);
    let mut says = |tool: &str, asked| agent.call(tool, asked)["content"][0]["text"].text().to_string();
    let question = "where is the locker in the harbour?";
    has(&says("recall", json!({"query": question})), "Note: the language model is behind");
    has(&says("status", json!({})), "The language model is behind: unread are 1 for causes");
    has(&home.ok(&["recall", question, "--user", "ada", "--context"]), "Note: the language model is behind");
}

#[test]
fn a_caller_elsewhere_hears_what_was_not_used_and_no_address() {
    let home = Home::new();
    for text in ["Ada's locker in the harbour is number 7.", "The harbour has lockers for Ada's crew."] {
        home.remember(text, &[]);
    }
    for (key, value) in [("name", "m"), ("url", "http://127.0.0.1:9/hidden"), ("provider", "jina")] {
        home.ok(&["config", "set", &format!("reranker.{key}"), value]);
    }
    let question = "where is Ada's locker in the harbour?";
    assert!(home.json(&["recall", question])["missing"].to_string().contains("/hidden"));
    let key = home.json(&["key", "create", "--role", "read"])["key"].text().to_string();
    let server = Server::start(&home, &[]);
    let answer = server.with(&key, "POST", "/v1/recall", &json!({"query": question})).fine();
    assert_eq!(answer["missing"], json!(["the reranker was not used"]));
}
