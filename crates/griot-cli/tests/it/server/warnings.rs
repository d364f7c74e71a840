//! Warnings of the verifier over HTTP: listed, acknowledged, and by whom.

use serde_json::{Value, json};

use super::{Server, key};
use crate::Home;

#[test]
fn warnings_are_listed_and_acknowledged_by_who_sees_the_whole() {
    let home = Home::new();
    let (read, write) = (key(&home, &[]), key(&home, &["--role", "write"]));
    let bound = key(&home, &["--role", "admin", "--user", "ada"]);
    let server = Server::start(&home, &[]);
    let with = |key: &str, method: &str, path: &str, body: &Value| {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        server.send(method, path, &[("Authorization", &format!("Bearer {key}"))], &body)
    };
    let stored =
        |text: &str| with(&write, "POST", "/v1/remember", &json!({"text": text})).json()["id"].clone();
    let (a, b) = (stored("The chicken came."), stored("The egg came."));
    for (source, target) in [(&a, &b), (&b, &a)] {
        let link = json!({"source": source, "target": target, "kind": "causal"});
        assert_eq!(with(&write, "POST", "/v1/link", &link).status, 200);
    }
    let nothing = Value::Null;
    let listed = with(&read, "GET", "/v1/warnings", &nothing).json();
    assert_eq!(
        (&listed["warnings"][0]["code"], &listed["acknowledged"]),
        (&json!("causal_cycle"), &json!(0))
    );
    assert_eq!(with(&read, "GET", "/v1/verify", &nothing).json(), listed);
    assert_eq!(with(&read, "GET", "/v1/status", &nothing).json()["open_warnings"], 1);
    let id = listed["warnings"][0]["id"].as_str().expect("an id");
    let path = format!("/v1/warnings/{id}/acknowledge");
    let note = json!({"note": "both come first"});
    assert_eq!([&read, &bound].map(|key| with(key, "POST", &path, &note).status), [403, 403]);
    assert_eq!(with(&bound, "GET", "/v1/warnings", &nothing).status, 403);
    let said = with(&write, "POST", &path, &note);
    assert_eq!((said.status, &said.json()["acknowledged"]["note"]), (200, &note["note"]), "{}", said.body);
    assert_eq!(said.json()["acknowledged"]["by"], "key k2");
    assert_eq!(
        with(&read, "GET", "/v1/warnings", &nothing).json(),
        json!({"warnings": [], "acknowledged": 1})
    );
    let all = with(&read, "GET", "/v1/warnings?all=true", &nothing).json();
    assert_eq!(all["warnings"][0], said.json());
    assert_eq!(with(&write, "POST", "/v1/warnings/w-000000000000/acknowledge", &json!({})).status, 404);
    assert_eq!(with(&write, "POST", "/v1/warnings/e1/acknowledge", &json!({})).status, 400);
    // The command line shows the server's warnings.
    assert_eq!(home.json(&["verify", "--list", "--all"])["warnings"][0], said.json());
}
