//! The view of an answer inside chat clients.

use serde_json::{Value, json};

use super::remote::Remote;
use super::{Agent, Server, hello_of_host, key};
use crate::{Home, Parts, has};

const ADDRESS: &str = "ui://griot/recall";

/// A cause, its effect, and what the effect replaced; the handle of the effect.
fn decided(home: &Home) -> String {
    let slow = home.remember("Postgres was too slow for the sessions of Quokka.", &[]);
    let before = home.remember("Quokka keeps its sessions in Postgres.", &[]);
    let moved = home.remember("We moved the sessions of Quokka to Redis.", &["--kind", "decision"]);
    home.ok(&["link", &slow, &moved, "--kind", "causal"]);
    home.ok(&["link", &moved, &before, "--kind", "supersedes"]);
    format!("#{moved}")
}

/// The names of tools that only the view may call.
fn of_view(tools: &Value) -> Vec<&str> {
    let own = tools.list().iter().filter(|tool| tool["_meta"]["ui"]["visibility"] == json!(["app"]));
    own.map(|tool| tool["name"].text()).collect()
}

#[test]
fn an_answer_has_a_view_in_hosts_that_show_one() {
    let home = Home::new();
    let moved = decided(&home);
    let mut agent = Agent::start_with(&home, &[], hello_of_host());
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    let mut names = of_view(&tools);
    names.sort_unstable();
    assert_eq!(names, ["app_entity", "app_feedback", "app_recall", "app_status", "app_timeline", "app_why"]);
    let named = |name: &str| tools.list().iter().find(|tool| tool["name"] == name).expect("it is listed");
    assert_eq!(named("recall")["_meta"], json!({"ui": {"resourceUri": ADDRESS}}));
    assert_eq!(named("app_recall")["_meta"]["ui"]["resourceUri"], ADDRESS);
    assert_eq!(named("remember")["_meta"], Value::Null);

    let resources = agent.ask("resources/list", json!({}))["result"]["resources"].clone();
    let listed = resources.list().iter().find(|one| one["uri"] == ADDRESS).expect("it is listed");
    let read = agent.ask("resources/read", json!({"uri": ADDRESS}))["result"]["contents"][0].clone();
    for one in [listed, &read] {
        assert_eq!(one["mimeType"], "text/html;profile=mcp-app");
        // Without addresses in it, a host lets the page load nothing.
        assert_eq!(one["_meta"], json!({"ui": {"prefersBorder": true}}));
    }
    assert!(read["text"].text().starts_with("<!doctype html>"));
    assert_eq!(listed["size"].as_u64(), Some(read["text"].text().len() as u64));

    // What a model gets is the same as elsewhere.
    let asked = json!({"query": "why are the sessions of Quokka in Redis?"});
    let result = agent.call("recall", asked.clone());
    assert_eq!((&result["structuredContent"], &result["_meta"]), (&Value::Null, &Value::Null));
    has(result["content"][0]["text"].text(), "to Redis");

    let result = agent.call("app_recall", asked);
    let answer = &result["structuredContent"]["trace"];
    let found = answer["results"].list().iter().find(|one| one["handle"] == moved.as_str());
    let found = found.expect("it is an answer");
    assert!(found["source"]["id"].is_string() && found["signals"].is_array() && found["path"].is_array());
    assert_eq!(found["standing"]["is"], "current", "{found}");
    assert!(!answer["chains"].list().is_empty(), "{answer}");
    // The text holds what a model reads, and not the object once more.
    let text = result["content"][0]["text"].text();
    assert!(text.contains("to Redis") && !text.contains("\"signals\""), "{text}");
    let why = agent.call("app_why", json!({"name": moved, "direction": "causes"}));
    has(&why["structuredContent"]["trace"]["causes"].to_string(), "too slow");
    let around = agent.call("app_timeline", json!({"anchor": moved}));
    assert_eq!(around["structuredContent"]["trace"]["anchor"]["handle"], moved.as_str());
    let asked = json!({"answer": answer["rollout"]["id"], "memories": [moved], "good": true});
    let given = agent.call("app_feedback", asked);
    assert_eq!(given["structuredContent"]["trace"]["credited"].list().len(), 1, "{given}");
}

#[test]
fn other_hosts_see_no_view() {
    let home = Home::new();
    decided(&home);
    let mut agent = Agent::start(&home, &[]);
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    for tool in tools.list() {
        assert!(tool["_meta"].is_null() && !tool["name"].text().starts_with("app_"), "{tool}");
    }
    let resources = agent.ask("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(resources.texts("uri"), ["griot://guide"]);
    // A misspelt name does not lead there.
    let answer = agent.ask("tools/call", json!({"name": "app_recal", "arguments": {}}));
    assert!(!answer["error"]["message"].text().contains("app_recall"), "{answer}");
    // A host may keep a view open in a session that has not named the extension again.
    let result = agent.call("app_recall", json!({"query": "sessions of Quokka"}));
    assert!(!result["structuredContent"]["trace"]["results"].list().is_empty(), "{result}");
}

#[test]
fn a_server_has_the_view_for_each_key() {
    let home = Home::new();
    decided(&home);
    let (read, write) = (key(&home, &["--role", "read"]), key(&home, &["--role", "write"]));
    let server = Server::start(&home, &[]);
    for (key, role) in [(&read, "read"), (&write, "write")] {
        let host = Remote::start_with(&server, key, hello_of_host());
        let tools = host.ask("tools/list", json!({}))["result"]["tools"].clone();
        assert_eq!(of_view(&tools).len(), 6);
        let page = host.ask("resources/read", json!({"uri": ADDRESS}))["result"]["contents"][0].clone();
        assert!(page["text"].text().starts_with("<!doctype html>"));
        let answer = host.call("app_recall", json!({"query": "sessions of Quokka", "rejected": true}));
        let answer = &answer["structuredContent"]["trace"];
        assert!(!answer["results"].list().is_empty(), "{answer}");
        // The view offers feedback to those who may give it.
        let status = host.call("app_status", json!({}));
        assert_eq!(status["structuredContent"]["trace"]["role"], role);
        let given = json!({"answer": answer["rollout"]["id"], "memories": [], "good": true});
        let given = host.call("app_feedback", given);
        assert_eq!(given["isError"] == true, role == "read", "{given}");
    }
}
