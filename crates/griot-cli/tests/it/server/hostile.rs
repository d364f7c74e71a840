//! Hostile input: texts that pose as files, numbers out of range, requests for data of others.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{Server, key, user_key};
use crate::site::{Site, answer, missing};
use crate::{Home, Parts, Run};

#[test]
fn what_came_over_the_network_or_a_pipe_is_never_opened_as_a_file() {
    let home = Home::new();
    let file = home.file("secrets.txt", "The vault opens with xyzzy.");
    let folder = file.parent().expect("it has a folder").display().to_string();
    let server = Server::start(&home, &[]);
    let text = json!({"text": "harmless", "name": "secrets.txt", "user": folder, "format": "text"});
    assert_eq!(server.post("/v1/ingest", &text).status, 200);
    let path = file.display().to_string();
    let run = home.run_with(&["ingest", "-", "--name", &path], b"as harmless");
    assert_eq!(run.code, 0, "{}", run.stderr);
    // An export may name any path, too.
    let other = Home::new();
    other.ok(&["ingest", &path]);
    let export = other.ok(&["export"]).replace("xyzzy", "plugh");
    let run = home.run_with(&["import", "-"], export.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let sources = home.json(&["sources"]);
    assert_eq!(sources.list().len(), 2, "{sources}");
    for source in sources.list() {
        let id = source["source"]["id"].text();
        let reply = server.post(&format!("/v1/sources/{id}/refresh"), &json!({}));
        assert_eq!(reply.status, 400, "{source} {}", reply.body);
        assert_ne!(home.run(&["sources", "refresh", id]).code, 0, "{source}");
    }
    assert!(!home.content().contains("xyzzy"));
    // A file that its owner ingested from disk is read again.
    home.ok(&["ingest", &path]);
    let sources = home.json(&["sources"]);
    let read = sources.list().iter().find(|source| source["source"]["origin"] == path);
    let id = read.expect("it was read")["source"]["id"].text();
    server.post(&format!("/v1/sources/{id}/refresh"), &json!({})).fine();
}

#[test]
fn no_number_stops_those_who_write_later() {
    let home = Home::new();
    let write = user_key(&home, "write", "ada");
    let server = Server::start(&home, &[]);
    let post = |path: &str, body: Value| server.with(&write, "POST", path, &body).status;
    assert_eq!(post("/v1/remember", json!({"text": "p", "ordinal": 4_294_967_295_u32})), 400);
    assert_eq!(post("/v1/remember", json!({"text": "p", "ordinal": 1_000_000_001})), 400);
    let batch = json!({"memories": [{"text": "q", "ordinal": 4_294_967_295_u32}]});
    assert_eq!(post("/v1/remember/batch", batch), 400);
    assert_eq!(post("/v1/remember", json!({"text": "the last one", "ordinal": 1_000_000_000})), 200);
    for number in 0..3 {
        assert_eq!(post("/v1/remember", json!({"text": format!("after it {number}")})), 200);
    }
    home.ok(&["remember", "everybody goes on"]);
    assert_eq!(home.run(&["doctor"]).code, 0);
}

#[test]
fn a_page_belongs_to_the_user_for_whom_it_was_read() {
    let home = Home::new();
    let user = |name: &str| user_key(&home, "write", name);
    let (ada, bob, all) = (user("ada"), user("bob"), key(&home, &["-w", "default", "--role", "admin"]));
    let says = Arc::new(Mutex::new("The lighthouse keeper is Quinn."));
    let page = Arc::clone(&says);
    let site = Site::new(move |request| match request.path.as_str() {
        "/page" => answer(200, &[("Content-Type", "text/plain")], *page.lock().expect("no panic")),
        _ => missing(),
    });
    let url = site.at("/page");
    let server = Server::start(&home, &["--set", "crawl.allow_private=true"]);
    // What a read adds and removes.
    let read = |key: &str| {
        let tally = server.with(key, "POST", "/v1/ingest", &json!({"url": url})).json();
        (tally["added"].as_u64(), tally["removed"].as_u64())
    };
    let sees = |key: &str, name: &str| {
        let question = json!({"query": format!("the lighthouse keeper {name}")});
        let reply = server.with(key, "POST", "/v1/recall", &question);
        reply.body.contains(&format!("keeper is {name}"))
    };
    assert_eq!(read(&all).0, Some(1));
    assert_eq!(read(&ada).0, Some(1));
    // Nothing changed since, and it is Bob's as well.
    assert_eq!(read(&bob), (Some(1), Some(0)));
    *says.lock().expect("no panic") = "The lighthouse keeper is Rowan.";
    assert_eq!(read(&bob), (Some(1), Some(1)));
    assert!(sees(&bob, "Rowan") && sees(&ada, "Quinn") && !sees(&ada, "Rowan"));
    let content = home.content();
    let mut about_quinn = content.lines().filter(|line| line.contains("Quinn") && line.contains("text"));
    let is_shared = |line: &str| !line.contains("\"user\"") && !line.contains("deleted_at");
    assert!(about_quinn.any(is_shared), "{content}");
    // After a refresh it is still hers.
    let sources = server.with(&ada, "GET", "/v1/sources", &Value::Null).json();
    let own = format!("{url}#user=ada");
    assert!(sources.list().iter().any(|one| one["source"]["origin"] == own), "{sources}");
}

#[test]
fn a_bound_key_changes_no_edge_and_shows_no_fact_of_others() {
    let home = Home::new();
    let first = home.remember("Redis is fast.", &["--entity", "Redis:tool"]);
    let second = home.remember("Redis is slow.", &["--entity", "Redis:tool"]);
    let ada = home.remember("Ada likes Redis.", &["--user", "ada", "--entity", "Redis:tool"]);
    home.ok(&["facts", "add", "Redis", "owned_by", "Ada Lovelace"]);
    home.ok(&["link", "Redis", "Ada Lovelace", "--kind", "relation", "--label", "kept_by"]);
    let (ada_key, bob) = (user_key(&home, "write", "ada"), user_key(&home, "write", "bob"));
    let server = Server::start(&home, &[]);
    let post = |key: &str, path: &str, body: Value| server.with(key, "POST", path, &body);
    let get = |key: &str, path: &str| server.with(key, "GET", path, &Value::Null);
    for (source, target) in [("Redis", "Ada Lovelace"), (first.as_str(), "Redis")] {
        let reply = post(&bob, "/v1/unlink", json!({"source": source, "target": target}));
        assert_eq!(reply.status, 403, "{}", reply.body);
    }
    let contradicts = json!({"source": first, "target": second, "kind": "contradicts"});
    assert_eq!(post(&bob, "/v1/link", contradicts).status, 403);
    let own = json!({"source": ada, "target": second, "kind": "contradicts"});
    assert_eq!(post(&ada_key, "/v1/link", own).status, 200);
    let own = json!({"source": ada, "target": second});
    assert_eq!(post(&ada_key, "/v1/unlink", own).status, 200);
    let secret = json!({"subject": "Ada Lovelace", "predicate": "prefers", "object": "a secret medicine"});
    assert_eq!(post(&ada_key, "/v1/facts", secret).status, 200);
    let tool = json!({"subject": "Ada Lovelace", "predicate": "uses", "object": "Hushware"});
    assert_eq!(post(&ada_key, "/v1/facts", tool).status, 200);
    // One user's fact does not end a shared one.
    let owner = json!({"subject": "Redis", "predicate": "owned_by", "object": "Nobody"});
    assert_eq!(post(&ada_key, "/v1/facts", owner).json()["user"], "ada");
    for path in ["/v1/facts", "/v1/entities/Ada%20Lovelace", "/v1/entities", "/v1/status"] {
        let reported = get(&bob, path).body;
        assert!(!reported.contains("medicine") && !reported.contains("Hushware"), "{path}: {reported}");
    }
    let reported = get(&ada_key, "/v1/facts").body;
    assert!(reported.contains("medicine") && reported.contains("Hushware"), "{reported}");
    let facts = get(&bob, "/v1/facts").json();
    assert_eq!((facts.list().len(), &facts[0]["valid_to"]), (1, &Value::Null), "{facts}");
    // No user ends a shared fact, or one of another user; one's own, and not both ways.
    let end = |key: &str, id: &str, body: Value| server.with(key, "PATCH", &format!("/v1/facts/{id}"), &body);
    let mine = get(&ada_key, "/v1/facts?entity=Ada%20Lovelace").json();
    let mine = mine.list().iter().find(|fact| fact["predicate"] == "prefers").expect("her fact");
    let mine = mine["id"].text();
    let until = json!({"valid_to": "now"});
    assert_eq!(end(&ada_key, facts[0]["id"].text(), until.clone()).status, 403);
    assert_eq!(end(&bob, mine, until.clone()).status, 404);
    assert_eq!(end(&ada_key, mine, json!({"valid_to": "now", "undo": true})).status, 400);
    assert_eq!(end(&ada_key, mine, until).json()["current"], false);
    assert_eq!(end(&ada_key, mine, json!({"undo": true})).json()["current"], true);
    // Export and import keep their owners.
    let copy = Home::new();
    let run = copy.run_with(&["import", "-"], home.ok(&["export"]).as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(copy.json(&["facts"]), home.json(&["facts"]));
}

#[test]
fn a_server_that_had_a_key_stays_closed_when_the_file_is_away() {
    let home = Home::new();
    let admin = key(&home, &["-w", "default", "--role", "admin"]);
    let file = home.path().join("home").join("keys.json");
    let aside = home.path().join("aside.json");
    let server = Server::start(&home, &[]);
    std::fs::rename(&file, &aside).expect("it is there");
    for path in ["/v1/export", "/v1/status", "/v1/status?tenantId=default"] {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
    drop(server);
    let server = Server::start(&home, &[]);
    assert_eq!(server.get("/v1/status").status, 401);
    std::fs::write(&file, r#"{"version": 1, "keys": []}"#).expect("it can be written");
    assert_eq!(server.get("/v1/status").status, 401);
    assert!(home.ok(&["key", "list"]).contains("griot key open"));
    std::fs::rename(&aside, &file).expect("it is there");
    server.with(&admin, "GET", "/v1/status", &Value::Null).fine();
    drop(server);
    assert_ne!(home.run(&["key", "open"]).code, 0, "a key is live");
    home.ok(&["key", "revoke", "k1"]);
    home.ok(&["key", "open"]);
    assert_eq!(Server::start(&home, &[]).get("/v1/status").status, 200);
}

#[test]
fn a_batch_for_another_user_is_refused_like_a_single_text() {
    let home = Home::new();
    let bob = user_key(&home, "write", "bob");
    let server = Server::start(&home, &[]);
    let batch = json!({"memories": [{"text": "x"}, {"text": "y", "user": "ada"}]});
    assert_eq!(server.with(&bob, "POST", "/v1/remember/batch", &batch).status, 403);
    assert_eq!(home.json(&["status"])["counts"]["memories"], 0);
}

#[cfg(unix)]
#[test]
fn what_is_made_is_its_owners_alone_whatever_the_umask_says() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let root = home.path().join("home");
    let griot = |arguments: &str| {
        let line = format!("umask 000; exec '{}' {arguments}", env!("CARGO_BIN_EXE_griot"));
        let status = std::process::Command::new("sh")
            .args(["-c", &line])
            .env("GRIOT_HOME", &root)
            .current_dir(home.path())
            .stdout(std::process::Stdio::null())
            .status();
        assert!(status.expect("sh starts").success(), "{arguments}");
    };
    let file = home.file("notes.md", "# Notes\n\nRedis holds sessions.");
    griot("remember 'The vault is green.'");
    griot(&format!("ingest '{}'", file.display()));
    griot("reindex");
    griot("config set recall.limit 5");
    griot("key create --role read");
    griot("workspace create old");
    griot("-w old remember x");
    griot("workspace remove old");
    griot("export out.jsonl");
    let mut waiting = vec![root.clone(), home.path().join("out.jsonl")];
    let mut seen = 0;
    while let Some(path) = waiting.pop() {
        let data = std::fs::metadata(&path).expect("it is there");
        assert_eq!(data.permissions().mode() & 0o077, 0, "{}", path.display());
        seen += 1;
        if data.is_dir() {
            let entries = std::fs::read_dir(&path).expect("it can be listed");
            waiting.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
    }
    assert!(seen > 10, "{seen}");
    assert_eq!(home.run(&["doctor"]).code, 0);
    let database = root.join("workspaces/default/griot.db");
    std::fs::set_permissions(&database, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
    let reported = home.run(&["doctor"]);
    assert!(reported.code != 0 && reported.stdout.contains("chmod -R go="), "{}", reported.stdout);
}

#[cfg(unix)]
#[test]
fn a_file_size_limit_is_an_error_and_not_a_crash() {
    let home = Home::new();
    let text = "lighthouse ".repeat(40_000);
    let file = home.file("long.md", text);
    let line = format!("ulimit -f 64; exec '{}' ingest '{}'", env!("CARGO_BIN_EXE_griot"), file.display());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &line]).env("GRIOT_HOME", home.path().join("home")).current_dir(home.path());
    // A process killed by a signal has no exit code, for which `Run` has -1.
    let run = Run::of(shell.output().expect("sh starts"));
    assert!(run.code > 0 && run.stderr.contains("error: "), "{} {}", run.code, run.stderr);
}

#[test]
fn one_host_is_named_and_errors_name_no_path() {
    let home = Home::new();
    let read = key(&home, &["-w", "default", "--role", "read"]);
    let server = Server::start(&home, &[]);
    let ask = |target: &str, hosts: &[&str]| {
        let hosts: String = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
        let rest = format!("Connection: close\r\nAuthorization: Bearer {read}\r\n\r\n");
        server.raw(format!("GET {target} HTTP/1.1\r\n{hosts}{rest}").as_bytes()).status
    };
    let own = server.address.as_str();
    assert_eq!(ask("/v1/status", &[own]), 200);
    assert_eq!(ask(&format!("http://{own}/v1/status"), &[own]), 200);
    assert_eq!(ask("/v1/status", &[own, "evil.example"]), 400);
    assert_eq!(ask("http://evil.example/v1/status", &[own]), 400);
    let twice = r#"{"query": "x", "query": "y"}"#;
    let authorization = format!("Bearer {read}");
    let reply = server.send("POST", "/v1/recall", &[("Authorization", &authorization)], twice);
    assert_eq!(reply.status, 400);
    let root = home.path().join("home");
    std::fs::write(root.join("keys.json"), "{").expect("it can be written");
    let reported = server.get("/v1/status");
    assert!(reported.status == 503 && reported.body.contains("keys.json"), "{}", reported.body);
    assert!(!reported.body.contains(&root.display().to_string()), "{}", reported.body);
}
