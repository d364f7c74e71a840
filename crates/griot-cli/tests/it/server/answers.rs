//! Answers beyond results: candidates for ambiguous names, progress of long calls; limited to the caller's
//! scope.

use serde_json::{Value, json};

use super::{Agent, Server, traced};
use crate::{Home, Parts, parsed};

#[test]
fn a_name_that_means_several_things_comes_with_what_it_may_mean() {
    let home = Home::new();
    home.remember("Mercury keeps the queues.", &["--entity", "Mercury:tool"]);
    home.remember("Mercury joined the team in May.", &["--entity", "Mercury:person"]);
    let one = |kind: &str| json!({"id": format!("{kind}:mercury"), "name": "Mercury", "type": kind});
    let expected = json!([one("person"), one("tool")]);
    let sorted = |candidates: &Value| {
        let mut all = candidates.as_array().cloned().unwrap_or_default();
        all.sort_by_key(|one| one["id"].to_string());
        Value::Array(all)
    };
    let run = home.run(&["--json", "related", "Mercury"]);
    let printed = parsed(&run.stderr);
    assert_eq!((run.code, sorted(&printed["candidates"])), (2, expected.clone()), "{printed}");
    let run = home.run(&["--json", "show", "nothing of this name"]);
    assert_eq!(parsed(&run.stderr)["candidates"], json!([]));

    let server = Server::start(&home, &[]);
    let reply = server.get("/v1/entities/Mercury");
    assert_eq!((reply.status, sorted(&reply.json()["error"]["candidates"])), (400, expected.clone()));
    let mut agent = Agent::start(&home, &[]);
    let result = agent.call("inspect", json!({"name": "Mercury"}));
    assert_eq!(result["isError"], true);
    let reported = &result["_meta"]["griot/error"];
    assert_eq!(reported["kind"], "invalid_input", "{result}");
    assert_eq!(sorted(&reported["candidates"]), expected, "{result}");
}

#[test]
fn ingestion_over_mcp_reports_its_progress() {
    let home = Home::new();
    let mut agent = Agent::start(&home, &["--set", "ingest.batch=2"]);
    let lines: Vec<String> =
        (0..5).map(|number| json!({"text": format!("Fact {number}.")}).to_string()).collect();
    let arguments = json!({"text": lines.join("\n"), "name": "facts.jsonl", "format": "jsonl"});
    let arguments = traced(arguments);
    let mut heard: Vec<(f64, f64)> = Vec::new();
    let answer = agent.call_with_progress("ingest", arguments, |progress| {
        let number = |key: &str| progress[key].as_f64().expect("it is a number");
        heard.push((number("progress"), number("total")));
    });
    assert_eq!(answer["structuredContent"]["trace"]["added"], 5, "{answer}");
    // Some notifications may be skipped when many arrive at once, but never the last.
    assert_eq!(heard.last(), Some(&(5.0, 5.0)), "{heard:?}");
    assert!(heard.is_sorted_by(|a, b| a.0 < b.0), "{heard:?}");
    assert!(heard.iter().all(|(_, total)| *total == 5.0), "{heard:?}");
}

#[test]
fn an_export_holds_what_its_scope_shows_and_can_be_read_again() {
    let home = Home::new();
    home.remember("Everybody knows that Redis holds the sessions.", &[]);
    home.remember("Ada likes Redis for its speed.", &["--user", "ada"]);
    home.remember("Ben met Kafka on Monday, because Redis was slow.", &["--user", "ben"]);
    // Connects two entities, one of which only Ben mentions.
    home.ok(&["link", "Redis", "Kafka", "--kind", "relation", "--label", "replaced_by"]);
    home.ok(&["facts", "add", "Redis", "integrates_with", "Kafka"]);
    let server = Server::start(&home, &[]);
    let export = |address: &str| server.get(address).body;
    let whole = export("/v1/export");
    assert!(whole.contains("Kafka on Monday") && whole.contains("likes Redis"));
    for address in ["/v1/export?user=ada", "/v1/export?userId=ada"] {
        let of_ada = export(address);
        assert!(of_ada.contains("Everybody knows") && of_ada.contains("likes Redis"), "{of_ada}");
        assert!(!of_ada.to_lowercase().contains("kafka") && !of_ada.contains("\"ben\""), "{of_ada}");
        let file = home.path().join("ada.jsonl");
        std::fs::write(&file, &of_ada).expect("the file can be written");
        let other = Home::new();
        other.ok(&["import", file.to_str().expect("it is UTF-8")]);
        assert_eq!(other.json(&["status"])["counts"]["memories"], 2);
        assert_eq!(other.run(&["doctor"]).code, 0);
    }
}

#[test]
fn a_search_is_narrowed_by_tier_and_layer_and_rules_are_listed_apart() {
    let home = Home::new();
    for (text, options) in [
        ("The certificate of the shop is renewed by hand.", ["--kind", "decision"]),
        ("Renew the certificate of the shop in May.", ["--kind", "task"]),
        ("The certificate of the shop is being renewed.", ["--tier", "working"]),
        ("Never copy the certificate of the shop.", ["--tier", "rule"]),
    ] {
        home.remember(text, &options);
    }
    let beginnings = |list: &Value, key: &str| -> Vec<String> {
        let mut texts: Vec<String> = list.texts(key).iter().map(|text| text[..5].to_string()).collect();
        texts.sort();
        texts
    };
    let mut agent = Agent::start(&home, &["--compatibility"]);
    let mut search = |more: Value| {
        let mut ask = json!({"query": "the certificate of the shop", "minScore": 0.0});
        ask.as_object_mut().expect("it is one").extend(more.as_object().cloned().expect("it is one"));
        let found = agent.trace("memory_search", ask);
        let (results, rules) = (&found["results"], &found["rules"]);
        (beginnings(results, "snippet"), beginnings(rules, "text"), results.clone())
    };
    let (results, rules, _) = search(json!({}));
    assert_eq!((results.len(), rules.join(" ").as_str()), (3, "Never"));
    let (results, rules, reported) = search(json!({"layers": ["project"]}));
    assert_eq!((results.join(" ").as_str(), rules.join(" ").as_str()), ("Renew", "Never"));
    assert_eq!((reported[0]["layer"].text(), reported[0]["tier"].text()), ("project", "long_term"));
    assert_eq!(search(json!({"tiers": ["working"]})).2[0]["tier"], "working");
    assert!(search(json!({"tiers": ["working"], "layers": ["code"]})).0.is_empty());
    // Rules that are requested explicitly are results.
    let (results, rules, _) = search(json!({"tiers": ["rule"]}));
    assert_eq!((results.join(" ").as_str(), rules.len()), ("Never", 0));
    assert!(search(json!({"includeRules": false})).1.is_empty());
    let refused = agent.call("memory_search", json!({"query": "shop", "layers": ["cellar"]}));
    assert_eq!(refused["isError"], true, "{refused}");

    // The same layers over every other interface.
    let count = |answer: &Value| answer["results"].as_array().map(Vec::len);
    let ask = json!({"query": "the certificate of the shop", "layers": ["project"], "no_floor": true});
    assert_eq!(count(&agent.trace("recall", ask.clone())), Some(1));
    let server = Server::start(&home, &[]);
    assert_eq!(count(&server.post("/v1/recall", &ask).json()), Some(1));
    assert_eq!(server.post("/v1/recall", &json!({"query": "shop", "layers": ["cellar"]})).status, 400);
    let ask = json!({"query": "the certificate of the shop", "layers": ["project"]});
    let traced = server.post("/api/sdk/v1/graph/trace", &ask).json().to_string();
    let is_narrowed = traced.contains("in May") && !traced.contains("by hand");
    assert!(is_narrowed && traced.contains("Never"), "{traced}");
    let asked = |layer: &str| {
        count(&home.json(&["recall", "the certificate of the shop", "--no-floor", "--layer", layer]))
    };
    assert_eq!((asked("project"), asked("knowledge"), asked("code")), (Some(1), Some(2), Some(0)));
}

#[test]
fn the_least_confidence_is_asked_for_on_every_surface() {
    let (home, edge) = crate::verbs::uncertain();
    let server = Server::start(&home, &[]);
    for (least, is_there) in [(0.3, true), (0.5, false)] {
        let body = json!({"name": "Redis", "min_confidence": least});
        for reply in [
            server.post("/v1/related", &body),
            server.get(&format!("/v1/entities/tool:redis?min_confidence={least}")),
            server.get(&format!("/api/graph/explore?nodeType=tool&nodeKey=redis&min_confidence={least}")),
        ] {
            assert_eq!((reply.status, reply.body.contains(&edge)), (200, is_there), "{}", reply.body);
        }
        let mut agent = Agent::start(&home, &["--compatibility"]);
        let found = agent.trace("related", body).to_string();
        assert_eq!(found.contains(&edge), is_there, "{found}");
    }
    let outside = json!({"source": "a", "target": "b", "min_confidence": 2});
    assert_eq!(server.post("/v1/path", &outside).status, 400);
}
