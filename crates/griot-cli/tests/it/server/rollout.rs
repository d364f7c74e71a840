//! The rollout over HTTP and MCP: modes from end to end, feedback, the routes of a memory SDK, permissions.

use serde_json::{Value, json};

use super::{Agent, Reply, Server, key, user_key};
use crate::rollout::{QUESTION, filled};
use crate::{Parts, has};

fn recall(server: &Server, strategy: Option<&str>) -> Value {
    let mut asked = json!({"query": QUESTION, "now": "2030-01-01T00:00:00Z"});
    if let Some(strategy) = strategy {
        asked["strategy"] = json!(strategy);
    }
    server.post("/v1/recall", &asked).fine()
}

fn set(server: &Server, mode: &str) {
    let reply = server.send("PATCH", "/v1/rollout", &[], &json!({"mode": mode}).to_string());
    assert_eq!(reply.fine()["mode"], mode);
}

/// The strategy that was requested, the one that answered, and why it was another.
fn made(answer: &Value) -> [&str; 3] {
    ["requested", "applied", "fallback_reason"].map(|key| answer["rollout"][key].as_str().unwrap_or("-"))
}

/// A request was refused with a message that contains this.
#[track_caller]
fn refused(reply: &Reply, message: &str) {
    assert_eq!(reply.status, 400, "{}", reply.body);
    has(&reply.body, message);
}

#[test]
fn each_mode_answers_over_http_as_it_should() {
    let home = filled();
    let server = Server::start(&home, &[]);
    assert_eq!(made(&recall(&server, None)), ["hybrid_graph", "hybrid_graph", "-"]);
    let plain = recall(&server, Some("baseline"));
    assert_eq!(made(&plain), ["baseline", "baseline", "-"]);
    set(&server, "off");
    let off = recall(&server, None);
    assert_eq!(made(&off), ["hybrid_graph", "baseline", "rollout_off"]);
    assert_eq!(off["results"], plain["results"]);
    set(&server, "shadow");
    let shadow = recall(&server, None);
    assert_eq!(made(&shadow), ["hybrid_graph", "baseline", "shadow_mode"]);
    assert_eq!(shadow["results"], plain["results"]);
    assert_eq!(shadow["rollout"]["shadow_executed"], true);
    set(&server, "canary");
    assert_eq!(made(&recall(&server, None)), ["baseline", "baseline", "-"]);
    assert_eq!(made(&recall(&server, Some("hybrid_graph"))), ["hybrid_graph", "hybrid_graph", "-"]);
    let reply = server.post("/v1/recall", &json!({"query": "x", "strategy": "both"}));
    refused(&reply, "use baseline or hybrid_graph");

    // The command line and the server share their counts.
    let rollout = server.get("/v1/rollout").json();
    let window = &rollout["windows"][0];
    assert_eq!((&window["requests"], &window["shadow_executions"]), (&json!(6), &json!(1)), "{window}");
    assert_eq!((&rollout["mode"], &rollout["updated_by"]), (&json!("canary"), &json!("user")));
    assert_eq!(home.json(&["rollout"])["windows"][0]["requests"], 6);
    home.ok(&["rollout", "set", "off"]);
    assert_eq!(recall(&server, None)["rollout"]["mode"], "off");
    let reply = server.send("PATCH", "/v1/rollout", &[], r#"{"mode": "half"}"#);
    refused(&reply, "use off, shadow, canary or on");
}

#[test]
fn the_sdk_sees_the_same_rollout() {
    let home = filled();
    let server = Server::start(&home, &[]);
    let data = |reply: Reply| reply.fine()["data"].clone();
    let send =
        |method: &str, body: &Value| server.send(method, "/api/sdk/v1/graph/rollout", &[], &body.to_string());
    assert_eq!(data(server.get("/api/sdk/v1/graph/rollout"))["retrievalPolicy"]["defaultStrategy"], "hybrid");
    let reply = data(send("POST", &json!({"mode": "shadow", "scope": {"userId": "ada"}})));
    assert_eq!((&reply["rollout"]["mode"], &reply["scope"]["userId"]), (&json!("shadow"), &json!("ada")));
    assert_eq!(data(send("PATCH", &json!({"mode": "canary"})))["rolloutPlan"]["currentMode"], "canary");

    let trace = |more: Value| {
        let mut asked = json!({"query": QUESTION, "strategy": "hybrid_graph"});
        asked.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        data(server.post("/api/sdk/v1/graph/trace", &asked))
    };
    let far = trace(json!({"graphLimit": 50}));
    assert_eq!(far["strategy"], json!({"requested": "hybrid_graph", "applied": "hybrid_graph"}));
    assert_eq!((&far["trace"]["rolloutMode"], &far["trace"]["conflictCount"]), (&json!("canary"), &json!(0)));
    // A result that was also found without the graph is not an expansion, even if the graph moved it.
    for one in far["recall"].list() {
        let way = &one["graph"];
        assert_eq!(one["source"] == "graph_expansion", !way.is_null(), "{one}");
        let names_node = way["linkedViaNode"].as_str().is_some_and(|node| node.contains(':'));
        assert!(way.is_null() || names_node, "{way}");
        assert!(way.is_null() || way["hopCount"].as_u64() >= Some(1) && way["edgeType"].is_string(), "{way}");
    }
    // Limits on depth apply.
    let near = trace(json!({"graphDepth": 0}));
    assert_eq!(near["strategy"]["applied"], "baseline");
    assert_eq!(near["trace"]["graphExpandedCount"], 0);
    for one in trace(json!({"graphDepth": 1}))["recall"].list() {
        assert!(one["graph"].is_null() || one["graph"]["hopCount"].as_u64() <= Some(2), "{one}");
    }
    assert_eq!(trace(json!({"mode": "working"}))["recall"], json!([]));
    // Two of the results contradict each other.
    let (a, b) = (&far["recall"][0]["memoryId"], &far["recall"][1]["memoryId"]);
    server.post("/v1/link", &json!({"source": a, "target": b, "kind": "contradicts"})).fine();
    assert_eq!(trace(json!({}))["trace"]["conflictCount"], 1);

    let status = data(server.get("/api/sdk/v1/graph/status?topNodesLimit=3"));
    assert_eq!((&status["rollout"]["mode"], &status["health"]), (&json!("canary"), &json!("ok")));
    assert_eq!(status["topConnectedNodes"].as_array().map(Vec::len), Some(3));
    assert!(status["shadowMetrics"]["totalRequests"].as_u64() >= Some(4), "{}", status["shadowMetrics"]);
    let reply = send("PATCH", &json!({"mode": "half"}));
    assert_eq!((reply.status, reply.json()["error"]["type"].clone()), (400, json!("validation_error")));
}

#[test]
fn feedback_is_taken_over_http_and_with_the_next_recall() {
    let home = filled();
    let server = Server::start(&home, &[]);
    let answer = recall(&server, None);
    let handle = answer["results"][0]["handle"].clone();
    let given = json!({"answer": answer["rollout"]["id"], "memories": [handle], "good": true});
    assert_eq!(server.post("/v1/feedback", &given).fine()["credited"][0]["handle"], handle);
    assert_eq!(server.post("/v1/feedback", &json!({"good": true})).status, 400);
    assert_eq!(server.post("/v1/feedback", &json!({"answer": "q-000000000000", "good": true})).status, 404);

    let mut agent = Agent::start(&home, &[]);
    let found = agent.call("recall", json!({"query": "Redis cluster nodes"}));
    let answer = &found["structuredContent"];
    let (id, text) = (answer["rollout"]["id"].text(), found["content"][0]["text"].text());
    assert!(text.ends_with(&format!("Answer {id}")), "{text}");
    has(text, answer["results"][0]["handle"].text());
    let asked = json!({"query": "tabs", "feedback": [{"answer": id, "good": false}]});
    assert_ne!(agent.call("recall", asked)["isError"], true);
    let window = &server.get("/v1/rollout").json()["windows"][0];
    let sum =
        |a: &str, b: &str| window[a].as_u64().unwrap_or_default() + window[b].as_u64().unwrap_or_default();
    assert_eq!((sum("good_graph", "good_baseline"), sum("bad_graph", "bad_baseline")), (1, 1), "{window}");
}

#[test]
fn only_who_may_sets_the_mode_and_gives_feedback() {
    let home = filled();
    let admin = key(&home, &["--role", "admin"]);
    let (read, write) = (key(&home, &[]), key(&home, &["--role", "write"]));
    let bound = user_key(&home, "admin", "ada");
    let server = Server::start(&home, &[]);
    let with =
        |key: &str, method: &str, path: &str, body: &Value| server.with(key, method, path, body).status;
    let mode = json!({"mode": "shadow"});
    for path in ["/v1/rollout", "/api/sdk/v1/graph/rollout"] {
        assert_eq!([&read, &write, &bound].map(|key| with(key, "PATCH", path, &mode)), [403; 3], "{path}");
        assert_eq!(
            [&read, &write, &bound].map(|key| with(key, "GET", path, &Value::Null)),
            [200; 3],
            "{path}"
        );
        assert_eq!(with(&admin, "PATCH", path, &mode), 200);
    }
    assert_eq!(home.json(&["rollout"])["updated_by"], "key k1");
    let asked = json!({"query": QUESTION});
    assert_eq!(with(&read, "POST", "/v1/recall", &asked), 200);
    let reported = json!({"query": QUESTION, "feedback": [{"answer": "q-000000000000", "good": true}]});
    assert_eq!(with(&read, "POST", "/v1/recall", &reported), 403);
    assert_eq!(with(&write, "POST", "/v1/recall", &reported), 404);
    assert_eq!(with(&read, "POST", "/v1/feedback", &json!({"answer": "q-000000000000", "good": true})), 403);
}

#[test]
fn feedback_is_given_on_ones_own_answers() {
    let home = filled();
    let admin = key(&home, &["--role", "admin"]);
    let (ada, ben) = (user_key(&home, "write", "ada"), user_key(&home, "write", "ben"));
    let server = Server::start(&home, &[]);
    let with = |key: &str, method: &str, path: &str, body: &Value| server.with(key, method, path, body);
    let asked = |key: &str| {
        let answer = with(key, "POST", "/v1/recall", &json!({"query": QUESTION})).json();
        (answer["rollout"]["id"].clone(), answer["results"][0]["handle"].clone())
    };
    let ((of_ada, handle), (of_ben, _), (of_admin, _)) = (asked(&ada), asked(&ben), asked(&admin));
    assert!(of_ada != of_ben && of_ben != of_admin);
    let give = |key: &str, answer: &Value| {
        with(key, "POST", "/v1/feedback", &json!({"answer": answer, "good": true}))
    };
    assert_eq!((give(&ada, &of_ada).status, give(&ben, &of_ben).status), (200, 200));
    for other in [&of_ben, &of_admin] {
        refused(&give(&ada, other), "it answered a question of ");
        let on_the_way = json!({"query": QUESTION, "feedback": [{"answer": other, "good": true}]});
        assert_eq!(with(&ada, "POST", "/v1/recall", &on_the_way).status, 400);
    }
    assert_eq!((give(&admin, &of_ada).status, give(&admin, &of_ben).status), (200, 200));
    assert_eq!(home.json(&["feedback", of_ben.text(), "--good"])["credited"][0]["answer"], of_ben);
    // The latest answer with this memory went to another user.
    let reply = with(&ada, "POST", "/v1/feedback", &json!({"memories": [handle], "good": false}));
    assert_eq!((reply.status, &reply.json()["credited"][0]["answer"]), (200, &of_ada), "{}", reply.body);
    // After an erasure, nothing shows that the user asked.
    home.remember("Ben likes the sea.", &["--user", "ben"]);
    assert_eq!(with(&admin, "DELETE", "/v1/users/ben", &Value::Null).status, 200);
    assert_eq!((give(&admin, &of_ben).status, give(&admin, &of_ada).status), (404, 200));
}
