//! The routes of older servers, and those of Griot that answer the same: what they take and what they answer.

use std::path::Path;

use serde_json::{Value, json};

use super::{Reply, Server};
use crate::{Home, Parts, has, parsed};

/// Redis and Vault are tools, each named in one memory; both are named in a third one, and joined.
fn filled(server: &Server) {
    for (text, at, names) in [
        ("Redis holds the sessions.", "2024-01-01", &["Redis:tool"][..]),
        ("Vault holds the keys.", "2024-02-01", &["Vault:tool"]),
        ("Redis reads its password from Vault.", "2026-06-01", &["Redis:tool", "Vault:tool"]),
    ] {
        let memory = json!({"text": text, "occurred_at": at, "entities": names, "tags": ["cache"]});
        server.post("/v1/remember", &memory).fine();
    }
    let link = json!({"source": "Redis", "target": "Vault", "kind": "relation", "label": "uses"});
    server.post("/v1/link", &link).fine();
}

/// A form with these fields; one with a dot in its name is a file.
fn form(server: &Server, fields: &[(&str, &str)]) -> Reply {
    let mut body = String::new();
    for (name, value) in fields {
        let file = if name.contains('.') { format!("; filename=\"{name}\"") } else { String::new() };
        body.push_str(&format!(
            "--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n"
        ));
    }
    body.push_str("--edge--\r\n");
    let kind = ("Content-Type", "multipart/form-data; boundary=edge");
    server.send("POST", "/api/knowledge/ingest", &[kind], &body)
}

fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if std::fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
        {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn empty_parameters_count_as_not_given() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    filled(&server);
    let same = |empty: &str, none: &str| {
        assert_eq!(server.get(empty).fine(), server.get(none).fine(), "{empty}");
    };
    let graph = "/api/knowledge/graph";
    same(&format!("{graph}/entities?type=&search=&limit=&offset="), &format!("{graph}/entities"));
    let around = format!("{graph}/entity/tool:redis/neighborhood");
    same(&format!("{around}?hops=&relTypes="), &around);
    same(&format!("{graph}/relationships?sourceId=&targetId=&type="), &format!("{graph}/relationships"));
    same("/v1/memories?kinds=&since=&limit=", "/v1/memories");
    same("/v1/entities?search=&type=&limit=", "/v1/entities");
    same("/api/graph/explore?nodeType=&nodeKey=&limit=", "/api/graph/explore");
    // An empty user would be all users, and an empty `dry_run` an erasure.
    for path in ["/v1/entities?user=", "/v1/entities?tenantId=", "/v1/entities?serch="] {
        assert_eq!(server.get(path).status, 400, "{path}");
    }
    assert_eq!(server.send("DELETE", "/v1/entities/tool:redis?dry_run=", &[], "").status, 400);
    assert_eq!(server.get("/v1/entities/tool:redis").status, 200);
}

#[test]
fn lists_say_how_many_match() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    filled(&server);
    let get = |path: &str| server.get(&format!("/api/knowledge/graph/{path}")).fine();
    let counted = |answer: Value, list: &str| (answer[list].list().len(), answer["total"].clone());
    assert_eq!(counted(get("entities?type=tool&limit=1"), "entities"), (1, json!(2)));
    assert_eq!(counted(get("entities?type=tool&limit=1&offset=1"), "entities"), (1, json!(2)));
    assert_eq!(counted(get("entities?layer=knowledge&limit=1"), "entities"), (1, json!(3)));
    assert_eq!(counted(get("entities?layer=project"), "entities"), (0, json!(0)));
    assert_eq!(counted(get("entities?search=vau"), "entities"), (1, json!(1)));
    let link = json!({"source": "Vault", "target": "Redis", "kind": "relation", "label": "blocks"});
    server.post("/v1/link", &link).fine();
    assert_eq!(counted(get("relationships?limit=1"), "relationships"), (1, json!(2)));
    assert_eq!(counted(get("relationships?limit=1&offset=2"), "relationships"), (0, json!(2)));
    assert_eq!(counted(get("relationships?type=uses"), "relationships"), (1, json!(1)));
    assert_eq!(counted(get("relationships?sourceId=tool:vault"), "relationships"), (1, json!(1)));
    assert_eq!(counted(get("relationships?targetId=tool:vault&type=blocks"), "relationships"), (0, json!(0)));
    server.post("/api/knowledge/ingest", &json!({"text": "A note.", "name": "note.md"})).fine();
    assert_eq!(counted(get("sources?limit=1"), "sources"), (1, json!(2)));
    assert_eq!(counted(get("sources?type=manual"), "sources"), (1, json!(1)));
    assert_eq!(server.get("/api/knowledge/graph/sources?type=book").status, 400);
    let stats = get("stats");
    assert_eq!(stats["relationshipTypes"], json!({"uses": 1, "blocks": 1}), "{stats}");
    assert_eq!((&stats["relationshipCount"], &stats["entityCount"]), (&json!(2), &json!(3)), "{stats}");
    assert_eq!(stats["sourceKinds"].texts("kind"), ["memory", "manual"], "{stats}");
}

#[test]
fn an_entity_was_last_seen_when_the_latest_memory_about_it_happened() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    filled(&server);
    // 2024-01-01 and 2026-06-01, in milliseconds since 1970.
    let (first, last) = (1_704_067_200_000_i64, 1_780_272_000_000_i64);
    let graph = "/api/knowledge/graph";
    let about = |list: &Value| {
        let one = list.list().iter().find(|one| one["id"] == "tool:redis").expect("it is there").clone();
        (one["firstSeen"].clone(), one["lastSeen"].clone())
    };
    for path in ["entities", "entity/tool:redis/neighborhood", "subgraph?entityIds=tool:redis"] {
        let answer = server.get(&format!("{graph}/{path}")).fine();
        assert_eq!(about(&answer["entities"]), (json!(first), json!(last)), "{path}");
    }
    let own = server.get("/v1/entities/tool:redis").fine();
    assert_eq!(own["entity"]["last_seen"], "2026-06-01T00:00:00Z", "{own}");
}

#[test]
fn a_document_is_taken_in_the_form_of_older_servers() {
    let home = Home::new();
    let server = Server::start(&home, &["--set", "agents.scout.ingest.allowed_types=markdown"]);
    let ingest = |body: Value| server.post("/api/knowledge/ingest", &body);
    let document = json!({
        "type": "text", "content": "# Piers\n\nAda Lovelace keeps the pier.\n\n# Boats\n\nBob rows.",
        "mimeType": "text/markdown; charset=utf-8", "tags": ["harbour"], "metadata": {"author": "Ada"},
        "agent": "scout",
    });
    let stored = ingest(document.clone()).fine();
    let source = stored["sourceId"].text().to_string();
    assert_eq!((&stored["chunks"], &stored["added"]), (&json!(2), &json!(2)), "{stored}");
    assert_eq!((&stored["source_ids"], &stored["relationships"]), (&json!([source]), &stored["edges"]));
    assert!(stored["entities"].is_u64() && stored["durationMs"].is_u64(), "{stored}");
    // What the source holds counts, also where nothing is new.
    let again = ingest(document).fine();
    assert_eq!((&again["sourceId"], &again["chunks"]), (&json!(source), &json!(2)), "{again}");
    assert_eq!(again["unchanged"], 1, "{again}");
    let memories = server.get(&format!("/v1/sources/{source}")).fine()["memories"].clone();
    assert_eq!(memories.list()[0]["agent"], "scout", "{memories}");
    for (body, why) in [
        (json!({"type": "url", "content": "x"}), "the type is `url`"),
        (json!({"type": "file", "path": "/etc/passwd"}), "unknown field `path`"),
        (json!({"type": "file", "content": "x"}), "a `file` of the server is not read"),
        (json!({"text": "x", "content": "x"}), "give either a `text`"),
        (json!({"content": "x", "mimeType": "text/elvish"}), "no format has this MIME type"),
        (json!({"content": "x", "metadata": {"a": 1}}), "metadata"),
        (json!({"content": "x", "metadata": {"": "x"}}), "is not a word"),
        // Only Markdown is read for this agent.
        (json!({"content": "{\"a\": 1}", "mimeType": "application/json", "agent": "scout"}), "allowed_types"),
    ] {
        let refused = ingest(body);
        assert_eq!(refused.status, 400, "{}", refused.body);
        has(&refused.body, why);
    }

    // The same as a form.
    let fields = [
        ("boats.md", "Bob rows to the island."),
        ("crew.json", "{\"captain\": \"Bob\"}"),
        ("metadata", "{\"author\": \"Bob\"}"),
        ("agent", "scout"),
    ];
    let stored = form(&server, &fields).fine();
    assert_eq!((&stored["added"], stored["failed"].list().len()), (&json!(1), 1), "{stored}");
    has(stored["failed"][0]["message"].text(), "allowed_types");
    let shown = server.get(&format!("/v1/sources/{}", stored["sourceId"].text())).fine();
    assert_eq!(shown["source"]["source"]["metadata"], json!({"author": "Bob"}), "{shown}");
    assert_eq!(shown["memories"][0]["agent"], "scout", "{shown}");
    let stored = form(&server, &fields[..3]).fine();
    assert_eq!((&stored["sources"], stored["failed"].list().len()), (&json!(2), 0), "{stored}");
    for wrong in [("metadata", "[1]"), ("agent", " "), ("captain", "Bob")] {
        assert_eq!(form(&server, &[fields[0], wrong]).status, 400, "{wrong:?}");
    }

    // Into another workspace.
    let elsewhere = |name| form(&server, &[fields[0], ("tenantId", name)]);
    assert_eq!(elsewhere("nowhere").status, 404);
    home.ok(&["workspace", "create", "harbour"]);
    let sources = elsewhere("harbour").fine();
    assert_eq!(sources["sourceId"], "s1", "{sources}");
    assert_eq!(server.get("/v1/sources?tenantId=harbour").fine().list().len(), 1);
}

#[test]
fn metadata_stays_with_its_source_and_goes_with_it() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let body =
        |more: Value| json!({"text": "Ada Lovelace keeps the pier.", "name": "pier.md", "metadata": more});
    server.post("/v1/ingest", &body(json!({"author": "Ada", "shelf": "heronwing"}))).fine();
    // The text is the same, and only what is named changes.
    server.post("/v1/ingest", &body(json!({"author": "Bob"}))).fine();
    let kept = json!({"author": "Bob", "shelf": "heronwing"});
    let source = server.get("/v1/sources").fine()[0]["source"].clone();
    assert_eq!((&source["metadata"], &source["origin"]), (&kept, &json!("upload:pier.md")), "{source}");
    let listed = server.get("/api/knowledge/graph/sources").fine()["sources"][0].clone();
    assert_eq!((&listed["metadata"], &listed["type"]), (&kept, &json!("manual")), "{listed}");
    assert_eq!(listed["contentHash"].text().len(), 64, "{listed}");
    assert_eq!(server.post("/v1/ingest", &body(json!({"note": "x".repeat(2001)}))).status, 400);

    home.ok(&["export", "all.jsonl"]);
    let other = Home::new();
    other.ok(&["import", &home.path().join("all.jsonl").display().to_string()]);
    assert_eq!(other.json(&["sources"])[0]["source"]["metadata"], kept);
    std::fs::remove_file(home.path().join("all.jsonl")).expect("it is there");

    assert!(!files_with(&home.path().join("home"), "heronwing").is_empty());
    let erased = server.send("DELETE", &format!("/v1/sources/{}", source["id"].text()), &[], "");
    assert_eq!(erased.status, 200, "{}", erased.body);
    assert_eq!(files_with(&home.path().join("home"), "heronwing"), Vec::<String>::new());
}

/// An import is the only way to a relation that a memory states.
fn with_stated_relation() -> (Home, String) {
    let first = Home::new();
    let server = Server::start(&first, &[]);
    filled(&server);
    drop(server);
    let lines: Vec<Value> = first.ok(&["export"]).lines().map(parsed).collect();
    let is_stating = |line: &&Value| line["text"] == "Redis reads its password from Vault.";
    let memory = lines.iter().find(is_stating).expect("it is there")["id"].text().to_string();
    let mut text = String::new();
    for mut line in lines {
        if line["kind"] == "relation" {
            let at = line["created_at"].clone();
            line["evidence"] = json!([{"memory": memory, "quote": "reads its password", "at": at}]);
        }
        text.push_str(&format!("{line}\n"));
    }
    let home = Home::new();
    let file = home.file("stated.jsonl", &text);
    home.ok(&["import", &file.to_string_lossy()]);
    (home, memory)
}

#[test]
fn a_relationship_says_why_it_is_believed() {
    let (home, memory) = with_stated_relation();
    let server = Server::start(&home, &[]);
    let found = server.get("/api/knowledge/graph/relationships").fine()["relationships"][0].clone();
    assert_eq!((&found["type"], &found["description"]), (&json!("uses"), &json!("reads its password")));
    assert_eq!((&found["keywords"], &found["sourceFiles"]), (&json!(["cache"]), &json!(["user"])), "{found}");
    assert_eq!(
        (&found["sourceChunkIds"], &found["provenance"]),
        (&json!([memory]), &json!("user")),
        "{found}"
    );
    assert_eq!(found["evidence"][0]["memoryId"], json!(memory), "{found}");
    assert!(found["confidence"].as_f64().is_some_and(|share| share > 0.9), "{found}");
}

#[test]
fn a_source_has_a_graph_and_entities_have_paths_without_memories() {
    let (home, memory) = with_stated_relation();
    let server = Server::start(&home, &[]);
    let document = json!({"text": "Kafka and Nomad are new.", "name": "new.md"});
    let source = server.post("/api/knowledge/ingest", &document).fine()["sourceId"].text().to_string();
    for text in ["Kafka feeds Nomad.", "Nomad watches Vault."] {
        let names = json!(["Kafka:tool", "Nomad:tool", "Vault:tool"]);
        server.post("/v1/remember", &json!({"text": text, "entities": names})).fine();
    }

    let own = server.get("/v1/sources").fine();
    let user = own.list().iter().find(|view| view["source"]["origin"] == "user").expect("it is there");
    let user = user["source"]["id"].text();
    let graph = server.get(&format!("/v1/sources/{user}/graph")).fine();
    let found: Vec<&str> = graph["entities"].list().iter().map(|one| one["entity"]["id"].text()).collect();
    assert!(found.contains(&"tool:redis") && found.contains(&"topic:cache"), "{found:?}");
    assert_eq!((&graph["relation_count"], &graph["relations"][0]["label"]), (&json!(1), &json!("uses")));
    let knowledge = server.get(&format!("/api/knowledge/graph/source/{user}?limit=1")).fine();
    assert_eq!(knowledge["relationships"][0]["sourceChunkIds"], json!([memory]), "{knowledge}");
    assert_eq!(knowledge["source"]["type"], "memory", "{knowledge}");
    assert_eq!((knowledge["chunks"].list().len(), &knowledge["chunkTotal"]), (1, &json!(5)), "{knowledge}");
    // Nothing that it says joins two entities.
    let other = server.get(&format!("/v1/sources/{source}/graph")).fine();
    assert_eq!((&other["relation_count"], &other["relations"]), (&json!(0), &json!([])), "{other}");
    assert_eq!(server.get("/v1/sources/s99/graph").status, 404);

    let path = |to: &str| {
        let asked = json!({"source": "Redis", "target": to, "relations_only": true});
        server.post("/v1/path", &asked).fine()
    };
    let hops = path("Vault")["hops"].clone();
    assert_eq!((hops.list().len(), &hops[0]["label"]), (1, &json!("uses")), "{hops}");
    // A memory that names both is no relation.
    assert_eq!(path("Nomad")["found"], false);
    let link = json!({"source": "Nomad", "target": "Vault", "kind": "relation", "label": "watches"});
    server.post("/v1/link", &link).fine();
    assert_eq!(path("Nomad")["hops"].list().len(), 2);
    let steps = server.get("/api/knowledge/graph/path?from=tool:redis&to=tool:nomad").fine()["path"].clone();
    let on_it: Vec<&str> = steps.list().iter().map(|step| step["entity"]["id"].text()).collect();
    assert_eq!(on_it, ["tool:redis", "tool:vault", "tool:nomad"]);
    let by: Vec<&Value> = steps.list().iter().map(|step| &step["relationship"]["type"]).collect();
    assert_eq!(by, [&Value::Null, &json!("uses"), &json!("watches")]);
    let none = server.get("/api/knowledge/graph/path?from=tool:redis&to=tool:nomad&maxHops=1").fine();
    assert_eq!(none["path"], json!([]));
    has(&home.ok(&["path", "Redis", "Nomad", "--relations-only"]), "watches");
}

#[test]
fn hubs_and_unimportant_memories_are_listed_over_http() {
    let home = Home::new();
    let (reader, bound) = (super::key(&home, &["--role", "read"]), super::user_key(&home, "read", "ada"));
    let server = Server::start(&home, &[]);
    let writer = super::key(&home, &["--role", "write"]);
    let memory = json!({"text": "Redis holds the sessions.", "entities": ["Redis:tool"], "importance": 1});
    assert_eq!(server.with(&writer, "POST", "/v1/remember", &memory).status, 200);
    let hubs = server.with(&reader, "POST", "/v1/hubs", &json!({"type": "tool"})).fine();
    assert_eq!((hubs.list().len(), &hubs[0]["entity"]["id"]), (1, &json!("tool:redis")), "{hubs}");
    let asked = json!({"threshold": 1, "limit": 5});
    let listed = server.with(&reader, "POST", "/v1/gc", &asked).fine();
    assert_eq!(listed[0]["memory"]["text"], "Redis holds the sessions.", "{listed}");
    // It concerns the memories of all users.
    assert_eq!(server.with(&bound, "POST", "/v1/gc", &asked).status, 403);
    let graphs = json!({"graphs": ["all"]});
    assert_eq!(server.with(&reader, "POST", "/v1/build-graphs", &graphs).status, 403);
    server.with(&writer, "POST", "/v1/build-graphs", &graphs).fine();
}

#[test]
fn an_upload_of_which_nothing_could_be_read_is_refused() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let picture = ("z.png", "\u{89}PNG\r\n\u{1a}\n\0\0\0\rIHDR");
    let refused = form(&server, &[picture]);
    let body = refused.json();
    assert_eq!(
        (refused.status, &body["sources"], &body["error"]["kind"]),
        (400, &json!(0), &json!("invalid_input"))
    );
    has(body["failed"][0]["message"].text(), "z.png");
    // Beside a file that is read, it is only reported.
    let stored = form(&server, &[picture, ("a.md", "Redis holds the sessions.")]).fine();
    assert_eq!((&stored["sources"], stored["failed"].list().len()), (&json!(1), 1), "{stored}");
}
