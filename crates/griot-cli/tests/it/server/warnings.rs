//! Warnings of the verifier over HTTP: listed, acknowledged, and by whom.

use serde_json::{Value, json};

use super::{Server, key, user_key};
use crate::{Home, Parts};

#[test]
fn warnings_are_listed_and_acknowledged_by_who_sees_the_whole() {
    let home = Home::new();
    let (read, write) = (key(&home, &[]), key(&home, &["--role", "write"]));
    let bound = user_key(&home, "admin", "ada");
    let server = Server::start(&home, &[]);
    let with = |key: &str, method: &str, path: &str, body: &Value| server.with(key, method, path, body);
    let stored =
        |text: &str| with(&write, "POST", "/v1/remember", &json!({"text": text})).json()["id"].clone();
    let (a, b) = (stored("The chicken came."), stored("The egg came."));
    for (source, target) in [(&a, &b), (&b, &a)] {
        let link = json!({"source": source, "target": target, "kind": "causal"});
        assert_eq!(with(&write, "POST", "/v1/link", &link).status, 200);
    }
    let nothing = Value::Null;
    let listed = with(&read, "GET", "/v1/warnings", &nothing).json();
    let warning = &listed["warnings"][0];
    assert_eq!((warning["code"].text(), &listed["acknowledged"]), ("causal_cycle", &json!(0)));
    assert_eq!(with(&read, "GET", "/v1/verify", &nothing).json(), listed);
    assert_eq!(with(&read, "GET", "/v1/status", &nothing).json()["open_warnings"], 1);
    let path = format!("/v1/warnings/{}/acknowledge", warning["id"].text());
    let note = json!({"note": "both come first"});
    assert_eq!([&read, &bound].map(|key| with(key, "POST", &path, &note).status), [403, 403]);
    assert_eq!(with(&bound, "GET", "/v1/warnings", &nothing).status, 403);
    let said = with(&write, "POST", &path, &note);
    assert_eq!((said.status, &said.json()["acknowledged"]["note"]), (200, &note["note"]), "{}", said.body);
    assert_eq!(said.json()["acknowledged"]["by"], "key k2");
    let left = with(&read, "GET", "/v1/warnings", &nothing).json();
    assert_eq!(left, json!({"warnings": [], "acknowledged": 1}));
    let all = with(&read, "GET", "/v1/warnings?all=true", &nothing).json();
    assert_eq!(all["warnings"][0], said.json());
    assert_eq!(with(&write, "POST", "/v1/warnings/w-000000000000/acknowledge", &json!({})).status, 404);
    assert_eq!(with(&write, "POST", "/v1/warnings/e1/acknowledge", &json!({})).status, 400);
    // The command line shows the server's warnings.
    assert_eq!(home.json(&["verify", "--list", "--all"])["warnings"][0], said.json());
}
