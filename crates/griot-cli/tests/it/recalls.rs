//! The log of recalls, from the settings to what is left after an erasure.

use std::fs;

use serde_json::{Value, json};

use crate::server::{Server, key, user_key};
use crate::{Home, Parts, has};

const LAMP: &str = "The lamp of the lighthouse was replaced because lightning struck it in March.";
const PAINT: &str = "The fishing boats were painted green in the spring.";

fn filled() -> (Home, String, String) {
    let home = Home::new();
    let (lamp, paint) = (home.remember(LAMP, &[]), home.remember(PAINT, &[]));
    (home, lamp, paint)
}

#[test]
fn recalls_are_logged_once_that_is_set_with_what_they_gave() {
    let (home, lamp, _) = filled();
    let database = home.path().join("home/workspaces/default/griot.db.recalls");
    home.ok(&["recall", "who replaced the lamp of the lighthouse?"]);
    assert_eq!(home.json(&["recalls"]), json!({"enabled": false, "days": 7, "recalls": []}));
    has(&home.ok(&["recalls"]), "griot config set log.recalls true");
    assert!(!database.exists(), "it is off");

    home.ok(&["config", "set", "log.recalls", "true"]);
    let answer = home.json(&["recall", "why was the lamp of the lighthouse replaced?"]);
    home.ok(&["recall", "quasar telescope budget", "--agent", "stargazer"]);
    let log = home.json(&["recalls"]);
    assert_eq!((&log["enabled"], log["recalls"].list().len()), (&json!(true), 2), "{log}");
    let (last, first) = (&log["recalls"][0], &log["recalls"][1]);
    assert_eq!(
        (last["agent"].text(), &last["silent"], last["results"].list().len()),
        ("stargazer", &json!(true), 0)
    );
    assert_eq!((first["query"].text(), &first["silent"]), (answer["query"].text(), &json!(false)));
    assert_eq!(first["results"].texts("handle"), answer["results"].texts("handle"));
    assert_eq!(first["results"][0]["score"], answer["results"][0]["score"]);
    assert_eq!(first["results"][0]["handle"].text().trim_start_matches('#'), lamp.trim_start_matches('#'));
    assert!(first["milliseconds"].as_f64().is_some_and(|took| took > 0.0), "{first}");
    let of = |flags: &[&str]| home.json(&[&["recalls"], flags].concat())["recalls"].list().len();
    assert_eq!((of(&["--agent", "stargazer"]), of(&["--agent", "no one"]), of(&["--limit", "1"])), (1, 0, 1));
    assert_eq!(of(&["--before", "2001-01-01"]), 0);
    has(&home.ok(&["recalls"]), "nothing");
    assert!(home.ok(&["doctor"]).contains("healthy"));
}

#[test]
fn a_log_that_cannot_be_written_changes_no_answer() {
    let (home, ..) = filled();
    home.ok(&["config", "set", "log.recalls", "true"]);
    let question = ["recall", "why was the lamp of the lighthouse replaced?"];
    let answer = home.json(&question);
    let log = home.path().join("home/workspaces/default/griot.db.recalls");
    fs::remove_file(&log).expect("the log");
    fs::create_dir(&log).expect("a folder instead of it");
    assert_eq!(home.json(&question)["results"], answer["results"]);
    home.refused(&["recalls"], 2, "log of recalls");
}

#[test]
fn an_erased_memory_takes_the_recalls_that_name_or_quote_it() {
    let (home, lamp, _) = filled();
    home.ok(&["config", "set", "log.recalls", "true"]);
    home.ok(&["recall", "what happened to the lamp?"]);
    home.ok(&["recall", "lightning struck it in March"]);
    home.ok(&["recall", "which colour do the fishing boats have?", "--limit", "1"]);
    let asked = || home.json(&["recalls"])["recalls"].clone();
    let before = asked();
    let naming = |log: &Value| -> usize {
        let names = |entry: &&Value| {
            entry["results"]
                .texts("handle")
                .iter()
                .any(|one| one.trim_start_matches('#') == lamp.trim_start_matches('#'))
        };
        log.list().iter().filter(names).count()
    };
    assert!(naming(&before) >= 1 && before.list().len() == 3, "{before}");
    let receipt = home.json(&["erase", "memory", &lamp]);
    let after = asked();
    assert_eq!(naming(&after), 0);
    assert_eq!(after.texts("query"), ["which colour do the fishing boats have?"]);
    assert_eq!(receipt["counts"]["recalls"], json!(before.list().len() - after.list().len()));
    let folder = home.path().join("home/workspaces/default");
    for file in fs::read_dir(folder).expect("the workspace").flatten().filter(|file| file.path().is_file()) {
        let bytes = fs::read(file.path()).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        let pieces =
            LAMP.as_bytes().windows(12).filter(|piece| !PAINT.as_bytes().windows(12).any(|p| p == *piece));
        for piece in pieces {
            let piece = String::from_utf8_lossy(piece);
            assert!(!text.contains(&*piece), "{} holds {piece:?}", file.path().display());
        }
    }
}

#[test]
fn an_erased_user_takes_its_recalls() {
    let (home, ..) = filled();
    home.ok(&["config", "set", "log.recalls", "true"]);
    home.remember("Ada keeps the harbour accounts in a red book.", &["--user", "ada"]);
    home.ok(&["recall", "which colour is preferred?", "--user", "ada"]);
    home.ok(&["recall", "which colour do the boats have?"]);
    assert_eq!(home.json(&["recalls", "--user", "ada"])["recalls"].list().len(), 1);
    home.ok(&["erase", "user", "ada"]);
    let left = home.json(&["recalls"])["recalls"].clone();
    assert!(left.list().iter().all(|entry| entry["user"].is_null()), "{left}");
}

#[test]
fn the_last_questions_are_asked_again_with_both_strategies() {
    let (home, lamp, _) = filled();
    home.ok(&["config", "set", "log.recalls", "true"]);
    for question in ["why was the lamp of the lighthouse replaced?", "green fishing boats"] {
        home.ok(&["recall", question]);
        home.ok(&["recall", question]);
    }
    let compared = home.json(&["recalls", "--compare"]);
    let questions = compared["questions"].list();
    assert_eq!(questions.len(), 2, "each once: {compared}");
    let why = &questions[1];
    for strategy in ["baseline", "graph"] {
        let first = why[strategy]["first"]["handle"].text();
        assert_eq!(first.trim_start_matches('#'), lamp.trim_start_matches('#'));
        assert_eq!(why[strategy]["handles"][0].text(), first);
    }
    assert_eq!((&why["same_first"], &why["failure"]), (&json!(true), &Value::Null));
    let common = why["common"].as_u64().expect("a number") as usize;
    let longer = ["baseline", "graph"].map(|one| why[one]["handles"].list().len()).into_iter().max();
    assert_eq!(why["overlap"].as_f64(), longer.map(|longer| common as f64 / longer as f64));
    assert_eq!(home.json(&["recalls"])["recalls"].list().len(), 4, "a comparison is not logged");
    has(&home.ok(&["recalls", "--compare", "--limit", "1"]), "1 of 1 question");
}

#[test]
fn only_an_admin_of_the_whole_workspace_sees_what_was_asked() {
    let (home, ..) = filled();
    home.ok(&["config", "set", "log.recalls", "true"]);
    let (admin, read) = (key(&home, &["--role", "admin"]), key(&home, &["--role", "read"]));
    let (ada, bound) = (user_key(&home, "read", "ada"), user_key(&home, "admin", "ben"));
    let server = Server::start(&home, &[]);
    let ask = json!({"query": "who painted the boats?", "scope": {"agentId": "sailor"}});
    assert_eq!(server.with(&ada, "POST", "/v1/recall", &ask).status, 200);
    for path in ["/v1/recalls", "/v1/recalls/compare"] {
        for refused in [&read, &ada, &bound] {
            assert_eq!(server.with(refused, "GET", path, &Value::Null).status, 403, "{path}");
        }
    }
    let log = server.with(&admin, "GET", "/v1/recalls?limit=5", &Value::Null).json();
    let entry = &log["recalls"][0];
    assert_eq!((entry["user"].text(), entry["agent"].text()), ("ada", "sailor"), "{log}");
    assert!(entry["key"].is_string(), "{log}");
    assert_eq!(
        server.with(&admin, "GET", "/v1/recalls?agent=other", &Value::Null).json()["recalls"],
        json!([])
    );
    let compared = server.with(&admin, "GET", "/v1/recalls/compare?limit=1", &Value::Null).json();
    assert_eq!(compared["questions"].texts("user"), ["ada"], "{compared}");
}
