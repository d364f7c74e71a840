//! Tools of older memory servers: a parameter has the effect that its name says, or it is refused.

use serde_json::{Value, json};

use super::Agent;
use crate::{Home, Parts, has};

fn agent(home: &Home) -> Agent {
    Agent::start(home, &["--compatibility"])
}

/// The text of a call that is refused.
#[track_caller]
fn refused(agent: &mut Agent, tool: &str, arguments: Value, message: &str) {
    let answer = agent.call(tool, arguments);
    assert_eq!(answer["isError"], true, "{answer}");
    has(answer["content"][0]["text"].text(), message);
}

#[test]
fn kg_query_takes_a_name_that_is_nearly_right_and_says_which() {
    let home = Home::new();
    let entities = ["--entity", "Session Store:tool", "--entity", "Node 202:tool"];
    home.remember("Node 202 runs the Session Store.", &entities);
    home.remember("Kubernetes runs the portal.", &["--entity", "Kubernetes:tool"]);
    for fact in [
        ["Session Store", "uses", "Redis"],
        ["Portal", "depends_on", "Session Store"],
        ["Kubernetes", "owned_by", "Ada"],
    ] {
        home.ok(&[&["facts", "add"], &fact[..]].concat());
    }
    let mut agent = agent(&home);
    for (asked, id, by) in [
        ("Session Store", "tool:session-store", "name"),
        ("SESSION STORE", "tool:session-store", "name"),
        ("tool:session-store", "tool:session-store", "id"),
        ("default:tool:session-store", "tool:session-store", "id"),
        ("k8s", "tool:kubernetes", "alias"),
        ("Sesion Stor", "tool:session-store", "similar_name"),
        ("Kubernets", "tool:kubernetes", "similar_name"),
        ("session", "tool:session-store", "part_of_name"),
    ] {
        let answer = agent.trace("kg_query", json!({"entity": asked}));
        let entity = &answer["entity"];
        assert_eq!((entity["id"].text(), entity["by"].text()), (id, by), "{asked}: {answer}");
        assert_eq!(entity["asked"], asked);
        assert!(!answer["facts"].list().is_empty(), "{asked}: {answer}");
    }
    // Another number is another thing, and another workspace is not this one.
    refused(&mut agent, "kg_query", json!({"entity": "Node 207"}), "no entity has this name");
    let elsewhere = json!({"entity": "acme:tool:session-store"});
    refused(&mut agent, "kg_query", elsewhere, "is not the workspace that is asked");

    let mut of = |direction: &str| {
        let answer = agent.trace("kg_query", json!({"entity": "Session Store", "direction": direction}));
        answer["facts"].texts("predicate").join(" ")
    };
    assert_eq!((of("outgoing"), of("incoming")), ("uses".into(), "depends_on".into()));
    assert_eq!(of("both").split(' ').count(), 2);
    let sideways = json!({"entity": "Session Store", "direction": "sideways"});
    refused(&mut agent, "kg_query", sideways, "there is no such direction");
}

#[test]
fn intent_search_forces_an_intent_and_walks_or_does_not() {
    let home = Home::new();
    home.remember("We moved sessions to Redis because Postgres was slow.", &[]);
    let mut agent = agent(&home);
    let mut search = |more: Value| {
        let mut ask = json!({"query": "sessions in Redis"});
        ask.as_object_mut().expect("it is one").extend(more.as_object().cloned().expect("it is one"));
        agent.trace("intent_search", ask)
    };
    for (forced, intent) in [("WHY", "why"), ("WHEN", "when"), ("ENTITY", "entity"), ("WHAT", "general")] {
        assert_eq!(search(json!({"force_intent": forced}))["understanding"]["intent"], intent);
    }
    let asked = |answer: Value| answer["rollout"]["requested"].text().to_string();
    assert_eq!(asked(search(json!({"enable_graph_traversal": true}))), "hybrid_graph");
    assert_eq!(asked(search(json!({"enable_graph_traversal": false}))), "baseline");
    refused(&mut agent, "intent_search", json!({"query": "x", "force_intent": "HOW"}), "no such intent");
}

#[test]
fn a_timeline_has_a_document_in_its_middle() {
    let home = Home::new();
    let days = ["2024-03-01", "2024-03-02", "2024-03-03"];
    let handles = days.map(|day| home.remember(&format!("It rained on {day}."), &["--at", day]));
    let mut agent = agent(&home);
    let ask = json!({"docid": format!("#{}", handles[1]), "before": 1, "after": 0});
    let around = agent.trace("timeline", ask);
    assert_eq!(around["anchor"]["handle"].text(), format!("#{}", handles[1]));
    assert_eq!((around["before"].list().len(), around["after"].list().len()), (1, 0), "{around}");
    let ask = json!({"docid": handles[1], "same_collection": true});
    refused(&mut agent, "timeline", ask, "memories are not in collections");
    let ask = json!({"docid": handles[1], "since": "2024-03-02"});
    refused(&mut agent, "timeline", ask, "`docid` excludes");
}

#[test]
fn a_threshold_is_for_the_graph_that_has_one() {
    let home = Home::new();
    home.remember("Redis holds the sessions.", &["--at", "2024-03-01"]);
    home.remember("Redis holds all sessions.", &["--at", "2024-05-01"]);
    let mut agent = agent(&home);
    let ask = json!({"graph_types": ["temporal"], "semantic_threshold": 0.2});
    refused(&mut agent, "build_graphs", ask, "which is not among `graph_types`");
    let built = agent.trace("build_graphs", json!({"graph_types": [], "semantic_threshold": 0.2}));
    assert_eq!((&built["semantic_total"], &built["temporal_total"]), (&1.into(), &1.into()), "{built}");
}

#[test]
fn one_thing_is_ingested_at_a_time() {
    let home = Home::new();
    let file = home.file("note.md", "A note.");
    let mut agent = agent(&home);
    refused(&mut agent, "knowledge_ingest", json!({"path": file, "text": "Another."}), "a `path` excludes");
    refused(
        &mut agent,
        "knowledge_ingest",
        json!({"text": "x", "url": "http://a.example/"}),
        "either a `text`",
    );
    assert_eq!(agent.trace("knowledge_ingest", json!({"path": file}))["added"], 1);
}

#[test]
fn searches_are_limited_to_a_period() {
    let home = Home::new();
    home.remember("Vault kept the keys.", &["--at", "2024-03-01", "--entity", "Vault:tool"]);
    home.remember("Redis keeps the keys.", &["--at", "2025-03-01", "--entity", "Redis:tool"]);
    home.ok(&["link", "Vault", "Redis", "--kind", "relation", "--label", "replaced_by"]);
    let mut agent = agent(&home);
    let period = |mut ask: Value, start: &str, end: &str| {
        ask["start"] = json!(start);
        ask["end"] = json!(end);
        ask
    };
    let ask = json!({"query": "who keeps the keys", "minScore": 0.0});
    let found = agent.trace("memory_search", ask.clone());
    assert_eq!(found["results"].list().len(), 2);
    let found = agent.trace("memory_search", period(ask.clone(), "2025-01-01", "2025-12-31"));
    assert_eq!(found["results"].texts("snippet"), ["Redis keeps the keys."]);

    let ask = json!({"query": "Redis"});
    let found = agent.trace("graph_search", ask.clone());
    assert_eq!((found["entities"].list().len(), found["relationships"].list().len()), (2, 1), "{found}");
    let found = agent.trace("graph_search", period(ask.clone(), "2025-01-01", "2025-12-31"));
    assert_eq!((found["entities"].texts("id"), found["relationships"].list().len()), (vec!["tool:redis"], 0));
    let found = agent.trace("graph_search", period(ask.clone(), "2024-01-01", "2024-12-31"));
    assert!(found["entities"].list().is_empty(), "{found}");
    for tool in ["memory_search", "graph_search"] {
        let backwards = period(ask.clone(), "2025-01-01", "2024-01-01");
        refused(&mut agent, tool, backwards, "the period ends before it begins");
    }
}

#[test]
fn entities_are_joined_by_relationships_and_the_best_connected_are_listed() {
    let home = Home::new();
    for (from, to) in [("Portal", "Session Store"), ("Session Store", "Redis")] {
        let entities = ["--entity", &format!("{from}:tool"), "--entity", &format!("{to}:tool")];
        home.remember(&format!("{from} talks to {to}."), &entities);
        home.ok(&["link", from, to, "--kind", "relation", "--label", "uses"]);
    }
    home.remember(
        "Redis and Grafana were discussed.",
        &["--entity", "Grafana:tool", "--entity", "Redis:tool"],
    );
    let mut agent = agent(&home);
    let mut path = |to: &str, hops: usize| {
        agent.trace("graph_path", json!({"fromEntity": "Portal", "toEntity": to, "maxHops": hops}))
    };
    let found = path("redis", 6);
    let steps = found["path"].list();
    let entities: Vec<&str> = steps.iter().map(|step| step["entity"]["id"].text()).collect();
    assert_eq!(entities, ["tool:portal", "tool:session-store", "tool:redis"]);
    assert_eq!(steps[2]["relationship"]["targetEntityId"], "tool:redis");
    assert!(path("Redis", 1)["path"].list().is_empty());
    // A memory that names both is no relationship.
    assert!(path("Grafana", 6)["path"].list().is_empty());
    let hubs = agent.trace("graph_hubs", json!({"entityType": "tool", "limit": 2}));
    assert_eq!(hubs["hubs"].list().len(), 2, "{hubs}");
    assert!(hubs["hubs"].texts("id").contains(&"tool:session-store"), "{hubs}");
}

#[test]
fn an_edge_of_the_type_entity_is_one_that_griot_has() {
    let home = Home::new();
    home.remember("Portal and Vault are tools.", &["--entity", "Portal:tool", "--entity", "Vault:tool"]);
    let (one, other) = (home.remember("It was slow.", &[]), home.remember("It is fast.", &[]));
    let mut agent = agent(&home);
    let link = |source: &str, target: &str| json!({"source": source, "target": target, "type": "entity"});
    refused(&mut agent, "link", link(&one, &other), "an entity that both mention");
    let mut shared = link(&one, &other);
    shared["label"] = json!("Portal");
    assert_ne!(agent.call("link", shared)["isError"], true);
    assert_eq!(home.json(&["entity", "Portal"])["mention_count"], 3);
    // Whichever end is named first.
    assert_ne!(agent.call("link", link("Vault", &one))["isError"], true);
    assert_eq!(home.json(&["entity", "Vault"])["mention_count"], 2);
    let edge = home.json(&["link", "Portal", "Vault", "--type", "entity"])["edge"].clone();
    assert_eq!((edge["kind"].text(), edge["label"].text()), ("relation", "related_to"));
}

#[test]
fn a_failed_ingest_and_a_failed_crawl_are_errors() {
    let home = Home::new();
    let mut agent = Agent::start(&home, &["--compatibility", "--set", "crawl.allow_private=true"]);
    refused(&mut agent, "knowledge_ingest", json!({"path": "/nope.md"}), "/nope.md");
    // Port 9 (discard) is closed.
    let url = "http://127.0.0.1:9/";
    refused(&mut agent, "knowledge_ingest", json!({"url": url}), "127.0.0.1:9");
    refused(&mut agent, "knowledge_crawl", json!({"url": url, "wait": true}), "127.0.0.1:9");
    let stored = agent.call("knowledge_ingest", json!({"text": "Redis holds the sessions."}));
    assert_eq!(stored["isError"], false, "{stored}");
}
