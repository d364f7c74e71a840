//! The rollout over the command line, HTTP and MCP: modes from end to end, a graph that fails, feedback, the
//! routes of a memory SDK, permissions.

use serde_json::{Value, json};

use super::{Agent, Reply, Server, key, traced, user_key};
use crate::rollout::{QUESTION, filled};
use crate::{Home, Parts, has};

/// The same time for all questions, so that answers are comparable.
const NOW: &str = "2030-01-01T00:00:00Z";

/// Asks over HTTP.
fn recall(server: &Server, strategy: Option<&str>) -> Value {
    server.post("/v1/recall", &json!({"query": QUESTION, "now": NOW, "strategy": strategy})).fine()
}

/// Asks on the command line.
fn ask(home: &Home, options: &[&str]) -> Value {
    home.json(&[&["recall", QUESTION, "--now", NOW], options].concat())
}

fn set(server: &Server, mode: &str) -> Reply {
    server.send("PATCH", "/v1/rollout", &[], &json!({"mode": mode}).to_string())
}

/// The mode, the strategy that was requested, the one that answered, and why it was another.
fn made(answer: &Value) -> [&str; 4] {
    ["mode", "requested", "applied", "fallback_reason"]
        .map(|key| answer["rollout"][key].as_str().unwrap_or("-"))
}

/// A request was refused with a message that contains this.
#[track_caller]
fn refused(reply: &Reply, message: &str) {
    assert_eq!(reply.status, 400, "{}", reply.body);
    has(&reply.body, message);
}

#[test]
fn each_mode_names_what_was_asked_for_and_what_answered() {
    let home = filled();
    let server = Server::start(&home, &[]);
    let (graph, baseline) = (recall(&server, None), recall(&server, Some("baseline")));
    assert!(graph["rollout"]["graph_candidates"].as_u64() > Some(0), "{}", graph["rollout"]);
    let reached = graph["results"].list().iter().find(|r| r["hop_count"].as_u64() > Some(0));
    let reached = reached.expect("the graph had a part");
    for key in ["linked_node", "edge_type", "confidence", "why_included", "seed_memory"] {
        assert!(!reached[key].is_null(), "{key}: {reached}");
    }
    has(&home.ok(&["recall", QUESTION, "--explain"]), "strategy  hybrid_graph (on)");
    for (strategy, options, expected) in [
        (None, &[][..], ["on", "hybrid_graph", "hybrid_graph", "-"]),
        (Some("baseline"), &["--no-graph"], ["on", "baseline", "baseline", "-"]),
        (None, &[], ["off", "hybrid_graph", "baseline", "rollout_off"]),
        (None, &[], ["shadow", "hybrid_graph", "baseline", "shadow_mode"]),
        (None, &[], ["canary", "baseline", "baseline", "-"]),
        (Some("hybrid_graph"), &["--graph"], ["canary", "hybrid_graph", "hybrid_graph", "-"]),
    ] {
        let [mode, _, applied, _] = expected;
        assert_eq!(set(&server, mode).fine()["mode"], mode);
        let same = if applied == "baseline" { &baseline } else { &graph };
        for answer in [recall(&server, strategy), ask(&home, options)] {
            assert_eq!((made(&answer), &answer["results"]), (expected, &same["results"]));
            let runs = if mode == "shadow" { &graph } else { same };
            let candidates = |answer: &Value| answer["rollout"]["graph_candidates"].clone();
            assert_eq!(candidates(&answer), candidates(runs), "{expected:?}");
            assert_eq!(answer["rollout"]["shadow_executed"], mode == "shadow");
        }
    }
    let share = ask(&home, &["--set", "rollout.canary_percent=100"]);
    assert_eq!(share["rollout"]["applied"], "hybrid_graph");
    let disabled = ask(&home, &["--graph", "--set", "recall.graph=false"]);
    assert_eq!(disabled["rollout"]["fallback_reason"], "feature_flag_disabled");

    // The counts of all these processes. The server answers: its own last counts may still be pending.
    let rollout = server.get("/v1/rollout").fine();
    let window = &rollout["windows"][0];
    let counts = ["requests", "shadow_executions", "held", "graph_errors"].map(|key| window[key].as_u64());
    assert_eq!(counts, [17, 2, 5, 0].map(Some), "{window}");
    assert_eq!((&rollout["mode"], &rollout["updated_by"]), (&json!("canary"), &json!("user")));
    let said = home.ok(&["rollout", "set", "off"]);
    assert!(said.starts_with("off  the baseline answers; the graph does not run"), "{said}");
    assert_eq!(recall(&server, None)["rollout"]["mode"], "off");
    has(&home.ok(&["recall", QUESTION]), "note: the baseline answered (rollout_off)");
    refused(&set(&server, "half"), "use off, shadow, canary or on");
    let reply = server.post("/v1/recall", &json!({"query": "x", "strategy": "both"}));
    refused(&reply, "use baseline or hybrid_graph");
}

/// A graph that really fails: the evidence table, which only paths need, is missing.
#[test]
fn invariant_9_a_failing_graph_is_answered_by_the_baseline_and_blocks_the_gate() {
    let home = filled();
    let server = Server::start(&home, &[]);
    let database = home.path().join("home").join("workspaces").join("default").join("griot.db");
    let break_it =
        |sql: &str| rusqlite::Connection::open(&database).expect("it opens").execute_batch(sql).expect(sql);
    let baseline = recall(&server, Some("baseline"));
    break_it("ALTER TABLE evidence RENAME TO evidence_gone");
    for broken in [recall(&server, None), ask(&home, &[]), recall(&server, None)] {
        assert_eq!(made(&broken), ["on", "hybrid_graph", "baseline", "graph_expansion_error"]);
        assert_eq!(broken["results"], baseline["results"]);
        has(broken["missing"][0].text(), "the graph was not used");
    }
    let status = &server.get("/api/sdk/v1/graph/status").fine()["data"];
    assert_eq!(status["shadowMetrics"]["graphErrorFallbacks"], 3, "{status}");
    assert_eq!(status["recentErrors"][0]["code"], "GRAPH_EXPANSION_ERROR");
    assert_eq!(set(&server, "shadow").status, 200);
    // Moves the counts into the previous, closed window.
    break_it(
        "UPDATE rollout_count SET start = start - width;
         UPDATE rollout_count SET value = 30 WHERE counter = 'graph_errors'",
    );
    let rollout = server.get("/v1/rollout").fine();
    let gate = &rollout["gate"];
    assert_eq!((gate["state"].text(), gate["status"].text()), ("blocked", "fail"));
    assert_eq!(rollout["incidents"][0]["reason"], "graph_expansion_error");
    has(&rollout["alarms"].to_string(), "CANARY_QUALITY_GATE_BLOCKED");
    let reply = set(&server, "on");
    assert_eq!((reply.status, &reply.json()["error"]["kind"]), (409, &json!("conflict")));
    let reply = server.send("PATCH", "/api/sdk/v1/graph/rollout", &[], r#"{"mode": "on"}"#);
    let error = &reply.json()["error"];
    assert_eq!((reply.status, error["code"].text()), (409, "CANARY_ROLLOUT_BLOCKED"));
    let codes = ["FALLBACK_RATE_ABOVE_LIMIT", "GRAPH_ERROR_RATE_ABOVE_LIMIT"];
    let details = json!({"reasonCodes": codes, "qualityStatus": "fail", "windowHours": 24.0});
    assert_eq!(error["details"], details);
    let run = home.run(&["rollout", "set", "canary"]);
    run.refused(2, "the quality gate is not open (fail, windows of 24 h): FALLBACK_RATE_ABOVE_LIMIT");
    run.refused(2, "--force");
    has(&home.ok(&["rollout"]), "blocks: GRAPH_ERROR_RATE_ABOVE_LIMIT");
    home.ok(&["rollout", "set", "canary", "--force"]);
    assert_eq!(home.json(&["rollout"])["gate"]["state"], "open");
    // A mode that cannot be read risks nothing; counts that cannot be written change no answer.
    break_it("ALTER TABLE rollout_mode RENAME TO mode_gone; ALTER TABLE rollout_count RENAME TO count_gone");
    let answer = ask(&home, &["--graph"]);
    assert_eq!(made(&answer)[1..], ["hybrid_graph", "baseline", "rollout_guardrail"]);
    assert_eq!(answer["results"], baseline["results"]);
    assert_eq!(made(&recall(&server, Some("baseline")))[1..], ["baseline", "baseline", "-"]);
}

/// What else the routes of a memory SDK answer is in the golden script `rollout`.
#[test]
fn the_sdk_sets_the_mode_and_traces_an_answer_within_limits() {
    let home = filled();
    let server = Server::start(&home, &[]);
    let data = |reply: Reply| reply.fine()["data"].clone();
    let send = |body: &Value| server.send("PATCH", "/api/sdk/v1/graph/rollout", &[], &body.to_string());
    let reply = data(send(&json!({"mode": "canary", "scope": {"userId": "ada"}})));
    assert_eq!((&reply["rollout"]["mode"], &reply["scope"]["userId"]), (&json!("canary"), &json!("ada")));
    let reply = send(&json!({"mode": "half"}));
    assert_eq!((reply.status, reply.json()["error"]["type"].clone()), (400, json!("validation_error")));

    let trace = |key: &str, value: Value| {
        let asked = json!({"query": QUESTION, "strategy": "hybrid_graph", key: value});
        data(server.post("/api/sdk/v1/graph/trace", &asked))
    };
    let far = trace("graphLimit", json!(50));
    assert_eq!(far["strategy"], json!({"requested": "hybrid_graph", "applied": "hybrid_graph"}));
    assert_eq!((&far["trace"]["rolloutMode"], &far["trace"]["conflictCount"]), (&json!("canary"), &json!(0)));
    // A result that was also found without the graph is not an expansion, even if the graph moved it.
    for one in far["recall"].list() {
        let way = &one["graph"];
        assert_eq!(one["source"] == "graph_expansion", !way.is_null(), "{one}");
        let names_node = way["linkedViaNode"].as_str().is_some_and(|node| node.contains(':'));
        let is_reached = way["hopCount"].as_u64() >= Some(1) && way["edgeType"].is_string();
        assert!(way.is_null() || names_node && is_reached, "{way}");
    }
    let near = trace("graphDepth", json!(0));
    assert_eq!(near["strategy"]["applied"], "baseline");
    assert_eq!(near["trace"]["graphExpandedCount"], 0);
    for one in trace("graphDepth", json!(1))["recall"].list() {
        assert!(one["graph"].is_null() || one["graph"]["hopCount"].as_u64() <= Some(2), "{one}");
    }
    assert_eq!(trace("mode", json!("working"))["recall"], json!([]));
    // Two of the results contradict each other.
    let (a, b) = (&far["recall"][0]["memoryId"], &far["recall"][1]["memoryId"]);
    server.post("/v1/link", &json!({"source": a, "target": b, "kind": "contradicts"})).fine();
    assert_eq!(trace("graphLimit", json!(50))["trace"]["conflictCount"], 1);
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
    let found = agent.call("recall", traced(json!({"query": "Redis cluster nodes"})));
    let answer = &found["structuredContent"]["trace"];
    let (id, text) = (answer["rollout"]["id"].text(), found["structuredContent"]["text"].text());
    assert!(text.ends_with(&format!("Answer {id}")), "{text}");
    has(text, answer["results"][0]["handle"].text());
    let asked = json!({"query": "tabs", "feedback": [{"answer": id, "good": false}]});
    assert_ne!(agent.call("recall", asked)["isError"], true);
    let window = &server.get("/v1/rollout").json()["windows"][0];
    let count = |key: &str| window[key].as_u64().unwrap_or_default();
    let votes = [count("good_graph") + count("good_baseline"), count("bad_graph") + count("bad_baseline")];
    assert_eq!(votes, [1, 1], "{window}");
}

#[test]
fn only_who_may_sets_the_mode_and_gives_feedback() {
    let home = filled();
    let admin = key(&home, &["--role", "admin"]);
    let bound = user_key(&home, "admin", "ada");
    let keys = [key(&home, &[]), key(&home, &["--role", "write"]), bound, admin];
    let server = Server::start(&home, &[]);
    let (mode, feedback) = (json!({"mode": "shadow"}), json!({"answer": "q-000000000000", "good": true}));
    let sdk = "/api/sdk/v1/graph/rollout";
    for (method, path, body, expected) in [
        ("PATCH", "/v1/rollout", &mode, [403, 403, 403, 200]),
        ("PATCH", sdk, &mode, [403, 403, 403, 200]),
        ("GET", "/v1/rollout", &Value::Null, [200; 4]),
        ("GET", sdk, &Value::Null, [200; 4]),
        ("POST", "/v1/recall", &json!({"query": QUESTION}), [200; 4]),
        ("POST", "/v1/recall", &json!({"query": QUESTION, "feedback": [feedback]}), [403, 200, 200, 200]),
        ("POST", "/v1/feedback", &feedback, [403, 404, 404, 404]),
    ] {
        let found = keys.each_ref().map(|key| server.with(key, method, path, body).status);
        assert_eq!(found, expected, "{method} {path} {body}");
    }
    assert_eq!(home.json(&["rollout"])["updated_by"], "key k1");
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
        let answer = with(&ada, "POST", "/v1/recall", &on_the_way).json();
        let missing = answer["missing"].to_string();
        assert!(missing.contains("feedback was not taken") && missing.contains("it answered"), "{missing}");
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
