//! What is told besides results: what a name may have meant, how far a long call is, and no more than the scope shows.

use serde_json::{Value, json};

use super::{Agent, Server};
use crate::Home;

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
    let printed: Value = serde_json::from_str(&run.stderr).expect("an error is JSON");
    assert_eq!((run.code, sorted(&printed["candidates"])), (2, expected.clone()), "{printed}");
    let run = home.run(&["--json", "show", "nothing of this name"]);
    let printed: Value = serde_json::from_str(&run.stderr).expect("an error is JSON");
    assert_eq!(printed["candidates"], json!([]));

    let server = Server::start(&home, &[]);
    let reply = server.get("/v1/entities/Mercury");
    assert_eq!((reply.status, sorted(&reply.json()["error"]["candidates"])), (400, expected.clone()));
    let mut agent = Agent::start(&home, &[]);
    let result = agent.call("inspect", json!({"name": "Mercury"}));
    assert_eq!(result["isError"], true);
    let told = &result["_meta"]["griot/error"];
    assert_eq!((&told["kind"], sorted(&told["candidates"])), (&json!("invalid_input"), expected), "{result}");
}

#[test]
fn ingestion_over_mcp_tells_how_many_of_how_many_are_stored() {
    let home = Home::new();
    let mut agent = Agent::start(&home, &["--set", "ingest.batch=2"]);
    let lines: Vec<String> = (0..5).map(|number| json!({"text": format!("Fact {number}.")}).to_string()).collect();
    let arguments = json!({"text": lines.join("\n"), "name": "facts.jsonl", "format": "jsonl"});
    let params = json!({"name": "ingest", "arguments": arguments, "_meta": {"progressToken": "p"}});
    let call = json!({"jsonrpc": "2.0", "id": "ingest", "method": "tools/call", "params": params});
    agent.write(format!("{call}\n").as_bytes());
    let mut heard: Vec<(f64, f64)> = Vec::new();
    let answer = loop {
        let message = agent.read();
        if message["id"] == "ingest" {
            break message;
        }
        let progress = &message["params"];
        assert_eq!((&message["method"], &progress["progressToken"]), (&json!("notifications/progress"), &json!("p")));
        let number = |key: &str| progress[key].as_f64().expect("it is a number");
        heard.push((number("progress"), number("total")));
    };
    assert_eq!(answer["result"]["structuredContent"]["added"], 5, "{answer}");
    // Some may be passed over when many come at once; the last never is.
    assert_eq!(heard.last(), Some(&(5.0, 5.0)), "{heard:?}");
    assert!(heard.is_sorted_by(|a, b| a.0 < b.0) && heard.iter().all(|(_, total)| *total == 5.0), "{heard:?}");
}

#[test]
fn an_export_holds_what_its_scope_shows_and_can_be_read_again() {
    let home = Home::new();
    home.remember("Everybody knows that Redis holds the sessions.", &[]);
    home.remember("Ada likes Redis for its speed.", &["--user", "ada"]);
    home.remember("Ben met Kafka on Monday, because Redis was slow.", &["--user", "ben"]);
    // Joins two entities, one of which nobody but Ben speaks of.
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
