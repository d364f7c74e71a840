//! Settings of an agent apply to its calls over every transport.

use serde_json::{Value, json};

use super::{Agent, Server};
use crate::{Home, Parts, has};

/// Five memories; a limit of 4 in general, 2 for the agent `scout`, and 1 for `t`, the agent of these
/// tests.
fn filled() -> Home {
    let home = Home::new();
    let text = "[recall]\nlimit = 4\nredundancy = 1\n[agents.scout.recall]\nlimit = 2\n\
                [agents.t.recall]\nlimit = 1\n[agents.scout.remember]\nentity_types = [\"tool\"]\n";
    let folder = home.path().join("home");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("griot.toml"), text).expect("the file can be written");
    for number in 0..5 {
        home.remember(&format!("Deploy number {number} went well."), &["--agent", "scout"]);
    }
    home
}

fn count(answer: &Value) -> usize {
    answer["results"].as_array().map(Vec::len).unwrap_or_default()
}

#[test]
fn an_agents_own_settings_count_for_its_calls() {
    let home = filled();
    let asked = |extra: &[&str]| count(&home.json(&[&["recall", "deploy", "--no-floor"], extra].concat()));
    assert_eq!((asked(&[]), asked(&["--agent", "scout"])), (4, 2));
    assert_eq!(asked(&["--agent", "scout", "--limit", "3"]), 3);
    assert_eq!(asked(&["--agent", "scout", "--set", "recall.limit=3"]), 3);

    let server = Server::start(&home, &[]);
    let asked = |extra: Value| {
        let mut body = json!({"query": "deploy", "no_floor": true});
        body.as_object_mut().expect("it is one").extend(extra.as_object().cloned().expect("it is one"));
        count(&server.post("/v1/recall", &body).json())
    };
    assert_eq!(asked(json!({})), 4);
    assert_eq!(asked(json!({"agent": "scout"})), 2);
    // The calling agent is not a filter: nothing is left out of the search.
    assert_eq!(asked(json!({"scope": {"agentId": "scout"}})), 2);
    assert_eq!(asked(json!({"agent": "scout", "scope": {"agentId": "another"}})), 4);

    let mut agent = Agent::start(&home, &[]);
    let mut asked = |arguments: Value| count(&agent.trace("recall", arguments));
    assert_eq!(asked(json!({"query": "deploy", "no_floor": true})), 1);
    assert_eq!(asked(json!({"query": "deploy", "no_floor": true, "agent": "scout"})), 2);
}

#[test]
fn an_agent_may_say_which_names_it_takes_from_texts() {
    let home = filled();
    let names = |arguments: &[&str]| {
        let stored =
            home.json(&[&["remember", "Dr. Ada Lovelace moved the ledger to Redis."], arguments].concat());
        stored["entities"].texts("id").join(" ")
    };
    let own = names(&["--agent", "scout", "--project", "a"]);
    assert!(own.contains("redis") && !own.contains("lovelace"), "{own}");
    has(&names(&["--project", "b"]), "lovelace");
}
