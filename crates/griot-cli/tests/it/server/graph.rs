//! The page for people, and the graph that it draws.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::time::Instant;

use serde_json::{Value, json};

use super::{PATIENCE, Server, user_key};
use crate::{Home, Parts};

/// A drawing, decoded by what the server guide says.
struct Drawing {
    head: String,
    header: Value,
    numbers: BTreeMap<String, Vec<f64>>,
    labels: Vec<String>,
    handles: Vec<String>,
    edges: Vec<String>,
}

/// Head and body of an answer that need not be text.
fn bytes(server: &Server, path: &str, headers: &str) -> (String, Vec<u8>) {
    let mut stream = server.connect();
    let asked =
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", server.address);
    stream.write_all(asked.as_bytes()).expect("it listens");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).expect("it answers");
    let end = reply.windows(4).position(|four| four == b"\r\n\r\n").expect("it has a head");
    (String::from_utf8_lossy(&reply[..end]).to_lowercase(), reply[end + 4..].to_vec())
}

fn drawn(server: &Server, path: &str, headers: &str) -> Drawing {
    let (head, body) = bytes(server, path, headers);
    assert!(head.starts_with("http/1.1 200"), "{path}: {head} {}", String::from_utf8_lossy(&body));
    assert!(head.contains("content-type: application/octet-stream"), "{head}");
    assert_eq!(&body[..8], b"GRIOTG01");
    let length = u32::from_le_bytes(body[8..12].try_into().expect("four bytes")) as usize;
    assert_eq!(length % 4, 0);
    let header: Value = serde_json::from_slice(&body[12..12 + length]).expect("the header is JSON");
    let mut numbers = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for section in header["sections"].list() {
        let name = section["name"].text().to_string();
        let number = |key: &str| section[key].as_u64().expect("a number") as usize;
        let (offset, count) = (number("offset"), number("count"));
        assert_eq!(offset % 8, 0, "{name}");
        let part = |size: usize| body[offset..offset + size * count].chunks_exact(size);
        let values: Vec<f64> = match section["form"].text() {
            "u8" => part(1).map(|one| f64::from(one[0])).collect(),
            "u16" => part(2).map(|one| f64::from(u16::from_le_bytes([one[0], one[1]]))).collect(),
            "u32" => part(4).map(|one| u32::from_le_bytes(one.try_into().expect("four")).into()).collect(),
            "f32" => part(4).map(|one| f32::from_le_bytes(one.try_into().expect("four")).into()).collect(),
            "f64" => part(8).map(|one| f64::from_le_bytes(one.try_into().expect("eight"))).collect(),
            other => panic!("{name} has the form {other}"),
        };
        if ["labels", "handles", "edge_handles"].contains(&name.as_str()) {
            texts.insert(name, body[offset..offset + count].to_vec());
        } else {
            numbers.insert(name, values);
        }
    }
    let cut = |ends: &str, of: &str| {
        let mut start = 0;
        let mut found = Vec::new();
        for end in &numbers[ends] {
            found.push(String::from_utf8(texts[of][start..*end as usize].to_vec()).expect("UTF-8"));
            start = *end as usize;
        }
        assert_eq!(start, texts[of].len());
        found
    };
    let (labels, handles) = (cut("label_end", "labels"), cut("handle_end", "handles"));
    let edges = cut("edge_end", "edge_handles");
    let drawing = Drawing { head, header, numbers, labels, handles, edges };
    drawing.is_sound(path);
    drawing
}

impl Drawing {
    fn count(&self, key: &str) -> usize {
        self.header[key].as_u64().expect("a number") as usize
    }

    /// Every list has its length, every position exists, no two nodes are on one point.
    fn is_sound(&self, path: &str) {
        let (nodes, edges) = (self.count("nodes"), self.count("edges"));
        let of_nodes = ["x", "y", "type", "community", "source", "degree", "time", "importance", "label_end"];
        let of_edges = ["from", "to", "kind", "weight", "confidence", "flags", "from_time", "until_time"];
        for name in of_nodes {
            assert_eq!(self.numbers[name].len(), nodes, "{path}: {name}");
        }
        for name in of_edges {
            assert_eq!(self.numbers[name].len(), edges, "{path}: {name}");
        }
        let below = |name: &str, most: usize| self.numbers[name].iter().all(|at| (*at as usize) < most);
        assert!(below("from", nodes) && below("to", nodes), "{path}");
        assert!(below("type", self.header["types"].list().len()));
        let kinds = self.header["kinds"].list().len();
        assert!(below("kind", kinds));
        for key in ["families", "directed", "layers"] {
            assert_eq!(self.header[key].list().len(), kinds, "{path}: {key}");
        }
        let mut points: Vec<(u64, u64)> = (self.numbers["x"].iter())
            .zip(&self.numbers["y"])
            .map(|(x, y)| {
                assert!(x.is_finite() && y.is_finite(), "{path}");
                (x.to_bits(), y.to_bits())
            })
            .collect();
        points.sort_unstable();
        points.dedup();
        assert_eq!(points.len(), nodes, "{path}: two nodes are on one point");
        let known: Vec<u64> =
            self.header["communities"].list().iter().filter_map(|one| one["id"].as_u64()).collect();
        let none = f64::from(u32::MAX);
        assert!(
            self.numbers["community"].iter().all(|id| *id == none || known.contains(&(*id as u64))),
            "{path}"
        );
        assert!(self.labels.iter().all(|label| label.chars().count() <= 80), "{path}");
    }

    fn at(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|one| one.starts_with(label))
    }

    fn has(&self, part: &str) -> bool {
        self.labels.iter().any(|label| label.contains(part))
    }
}

#[test]
fn the_graph_is_drawn_with_names_that_other_routes_take() {
    let home = Home::new();
    home.remember("We moved sessions to Redis because Postgres was too slow", &["--entity", "Redis:tool"]);
    home.remember("Ada restarts Redis every Monday", &["--entity", "Redis:tool", "--entity", "Ada:person"]);
    home.ok(&["link", "Ada", "Redis", "--kind", "relation", "--label", "maintains"]);
    let server = Server::start(&home, &[]);
    let drawing = drawn(&server, "/v1/graph", "");
    assert_eq!(drawing.header["layout"], "computed");
    assert_eq!(drawing.count("total_nodes"), drawing.count("nodes"));
    let kinds: Vec<&str> = drawing.header["kinds"].list().iter().map(Parts::text).collect();
    assert!(kinds.contains(&"relation:maintains") && kinds.contains(&"mentions"), "{kinds:?}");
    for handle in &drawing.handles {
        let name = handle.replace('#', "%23");
        let route = if handle.starts_with('#') { "memories" } else { "entities" };
        assert_eq!(server.get(&format!("/v1/{route}/{name}")).status, 200, "{handle}");
    }
    let stored: Vec<&String> = drawing.edges.iter().filter(|edge| !edge.is_empty()).collect();
    assert_eq!(stored.len(), drawing.count("total_edges"));
    for edge in stored {
        assert_eq!(server.get(&format!("/v1/edges/{edge}")).status, 200, "{edge}");
    }
    let redis = drawing.at("Redis").expect("it is drawn");
    assert_eq!(drawing.header["types"][drawing.numbers["type"][redis] as usize], "tool");
    assert_eq!(drawing.numbers["importance"][redis], 0.0);
    let by_hand = kinds.iter().position(|kind| *kind == "relation:maintains").expect("it is there");
    let edge = drawing.numbers["kind"].iter().position(|kind| *kind as usize == by_hand).expect("an edge");
    assert_eq!(drawing.numbers["flags"][edge] as u8 & 8, 8, "a person said so");

    // The client that has it is not sent it again, until something changes.
    let mut head = drawing.head.clone();
    let mut known = String::new();
    let end = Instant::now() + PATIENCE;
    // The layout that the first drawing starts is such a change.
    while !head.starts_with("http/1.1 304") {
        assert!(Instant::now() < end, "{head}");
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("it has a tag");
        known = format!("If-None-Match: {}\r\n", tag.replace("w/", "W/"));
        head = bytes(&server, "/v1/graph", &known).0;
    }
    drawn(&server, "/v1/graph?limit=2", &known);
    server.post("/v1/remember", &json!({"text": "Ben broke Redis."})).fine();
    assert!(drawn(&server, "/v1/graph", &known).has("Ben broke"));
    let state = server.get("/v1/graph/layout").fine();
    assert_eq!(state["state"], "ready", "{state}");
}

#[test]
fn a_drawing_shows_what_its_caller_may_see_and_nothing_that_was_forgotten_or_erased() {
    let home = Home::new();
    home.remember("Everybody knows Redis.", &["--entity", "Redis:tool"]);
    home.remember("Ada likes Redis.", &["--user", "ada", "--entity", "Redis:tool"]);
    home.remember(
        "Ben hides Quokka behind Redis.",
        &["--user", "ben", "--entity", "Redis:tool", "--entity", "Quokka:tool"],
    );
    let forgotten = home.remember("Forget Redis today.", &["--entity", "Redis:tool"]);
    let erased = home.remember("Erase Redis today.", &["--entity", "Redis:tool"]);
    let key = user_key(&home, "read", "ada");
    let admin = super::key(&home, &["--role", "admin"]);
    let server = Server::start(&home, &[]);
    let (as_ada, as_admin) =
        (format!("Authorization: Bearer {key}\r\n"), format!("Authorization: Bearer {admin}\r\n"));
    assert!(bytes(&server, "/v1/graph", "").0.starts_with("http/1.1 401"));
    let whole = drawn(&server, "/v1/graph", &as_admin);
    assert!(whole.has("Ben hides") && whole.has("Quokka") && whole.has("Forget") && whole.has("Erase"));
    home.ok(&["forget", &forgotten]);
    home.ok(&["erase", "memory", &erased]);
    let whole = drawn(&server, "/v1/graph", &as_admin);
    assert!(whole.has("Ben hides") && !whole.has("Forget") && !whole.has("Erase"));
    for (path, headers) in [
        ("/v1/graph", &as_ada),
        ("/v1/graph?user=ada", &as_admin),
        ("/v1/graph?around=Redis&depth=4", &as_ada),
        ("/v1/graph?communities=true", &as_ada),
    ] {
        let drawing = drawn(&server, path, headers);
        let text = format!("{:?} {:?} {}", drawing.labels, drawing.handles, drawing.header);
        assert!(!text.contains("Ben") && !text.to_lowercase().contains("quokka"), "{path}: {text}");
    }
    let of_ada = drawn(&server, "/v1/graph", &as_ada);
    assert!(of_ada.has("Ada likes"));
    assert_eq!(of_ada.count("total_nodes"), of_ada.count("nodes"));
    assert!(of_ada.count("nodes") < whole.count("nodes"));
    assert!(bytes(&server, "/v1/graph?user=ben", &as_ada).0.starts_with("http/1.1 403"));
    for name in [&forgotten, "Quokka hides"] {
        let path = format!("/v1/graph?around={}", name.replace(' ', "%20"));
        assert!(bytes(&server, &path, &as_ada).0.starts_with("http/1.1 404"), "{name}");
    }
    let state = server.with(&key, "GET", "/v1/graph/layout", &Value::Null).fine();
    assert_eq!(state["nodes"], of_ada.count("nodes"), "{state}");
    assert_eq!(server.with(&key, "POST", "/v1/graph/layout", &json!({})).status, 403);
}

#[test]
fn a_drawing_is_narrowed_and_limited() {
    let home = Home::new();
    let notes = home.file("notes.md", "# Notes\n\nKafka feeds the billing service of Otto.\n");
    home.ok(&["ingest", &notes.to_string_lossy()]);
    for number in 0..12 {
        home.remember(&format!("Note {number} about Redis"), &["--entity", "Redis:tool"]);
    }
    home.remember("Redis feeds Kafka", &["--entity", "Redis:tool", "--entity", "Kafka:tool"]);
    home.remember("The freeze ends soon", &["--expires", "2d"]);
    let server = Server::start(&home, &[]);
    let whole = drawn(&server, "/v1/graph", "");
    assert!(whole.has("The freeze"));
    let later = drawn(&server, "/v1/graph?as_of=2100-01-01", "");
    assert!(!later.has("The freeze") && later.has("Note 3"), "{:?}", later.labels);

    let best = drawn(&server, "/v1/graph?limit=1&edges=0", "");
    assert_eq!((best.labels.as_slice(), best.count("edges")), (&["Redis".to_string()][..], 0));
    assert_eq!(best.count("total_nodes"), whole.count("total_nodes"));
    let few = drawn(&server, "/v1/graph?edges=3", "");
    assert_eq!((few.count("edges"), few.count("nodes")), (3, whole.count("nodes")));

    let near = drawn(&server, "/v1/graph?around=Redis", "");
    assert!(near.has("Note 3") && !near.has("The freeze"), "{:?}", near.labels);
    assert_eq!(near.labels[0], "Redis");
    let away: Vec<f64> = near.numbers["x"].iter().zip(&near.numbers["y"]).map(|(x, y)| x.hypot(*y)).collect();
    assert!(away[1..].iter().all(|one| *one > away[0]), "the middle is not in the middle: {away:?}");
    let far = drawn(&server, "/v1/graph?around=Redis&depth=2", "");
    assert!(far.labels.iter().any(|label| label == "Kafka"), "{:?}", far.labels);
    assert_eq!(drawn(&server, "/v1/graph?around=Redis&limit=5", "").count("nodes"), 5);

    let sources = server.get("/v1/sources").fine();
    let file = sources.list().iter().find(|one| one["source"]["origin"].text().ends_with("notes.md"));
    let id = file.expect("it is listed")["source"]["id"].text().to_string();
    let of_file = drawn(&server, &format!("/v1/graph?source={id}"), "");
    assert!(of_file.has("Kafka feeds") && !of_file.has("Note 3"), "{:?}", of_file.labels);
    let around = drawn(&server, &format!("/v1/graph?around={id}"), "");
    let middle = around.handles.iter().position(|handle| *handle == id).expect("the source is drawn");
    assert_eq!(around.header["types"][around.numbers["type"][middle] as usize], "source");
    assert!(around.numbers["from"].contains(&(middle as f64)), "it is joined with its memories");

    let groups = drawn(&server, "/v1/graph?communities=true", "");
    assert_eq!(groups.count("nodes"), groups.header["communities"].list().len());
    assert_eq!(groups.handles.first().map(String::as_str), Some("0"));
    let first = drawn(&server, "/v1/graph?community=0", "");
    assert!(first.numbers["community"].iter().all(|id| *id == 0.0) && first.count("nodes") > 1);
    assert_eq!(first.count("nodes") as u64, first.header["communities"][0]["size"].as_u64().unwrap_or(0));
    for (path, status) in [
        ("/v1/graph?limit=0", 400),
        ("/v1/graph?depth=5", 400),
        ("/v1/graph?limit=200001", 400),
        ("/v1/graph?nodes=3", 400),
        ("/v1/graph?around=nothing+of+this+name", 404),
        ("/v1/graph?source=s99", 404),
    ] {
        assert_eq!(server.get(path).status, status, "{path}");
    }
}

#[test]
fn a_large_graph_is_laid_out_in_the_background_and_again_without_its_file() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let empty = drawn(&server, "/v1/graph", "");
    assert_eq!((empty.count("nodes"), empty.count("edges")), (0, 0));
    assert_eq!(drawn(&server, "/v1/graph?communities=true", "").count("nodes"), 0);
    // More than are laid out while a caller waits, all of them around one.
    let hub = json!({"name": "Hub", "type": "tool"});
    for page in 0..6 {
        let memories: Vec<Value> = (0..500)
            .map(|number| json!({"text": format!("Order {page} {number} at Hub"), "entities": [hub.clone()]}))
            .collect();
        server.post("/v1/remember/batch", &json!({ "memories": memories })).fine();
    }
    let first = drawn(&server, "/v1/graph", "");
    assert_eq!((first.count("nodes"), &first.header["layout"]), (3001, &json!("provisional")));
    let start = Instant::now();
    let laid_out = loop {
        let drawing = drawn(&server, "/v1/graph", "");
        if drawing.header["layout"] == "computed" {
            break drawing;
        }
        assert!(start.elapsed() < PATIENCE, "{}", server.get("/v1/graph/layout").body);
    };
    assert_eq!(laid_out.labels[0], "Hub");
    assert_eq!(laid_out.numbers["degree"][0], 3000.0);
    let near = drawn(&server, "/v1/graph?around=Hub&limit=100", "");
    assert_eq!((near.count("nodes"), near.labels[0].as_str()), (100, "Hub"));
    // What comes later has a position at once.
    server.post("/v1/remember", &json!({"text": "One more at Hub", "entities": [hub]})).fine();
    let more = drawn(&server, "/v1/graph", "");
    assert!(more.has("One more") && more.header["layout"] == "computed");
    server.post("/v1/graph/layout", &json!({})).fine();
    home.ok(&["reindex"]);
    assert_eq!(drawn(&server, "/v1/graph", "").count("nodes"), 3002);
    drop(server);

    let folder = home.path().join("home/workspaces/default/griot.db.index");
    let file = folder.join("layout.bin");
    assert!(file.exists(), "the layout is kept");
    std::fs::write(&file, b"GRIOTLAY and nothing more").expect("it can be written");
    let server = Server::start(&home, &[]);
    let again = drawn(&server, "/v1/graph", "");
    assert_eq!((again.count("nodes"), &again.header["layout"]), (3002, &json!("provisional")));
}

#[test]
fn the_page_needs_no_key_and_allows_no_foreign_script() {
    let home = Home::new();
    let key = user_key(&home, "read", "ada");
    let server = Server::start(&home, &[]);
    for path in ["/", "/knowledge"] {
        let reply = server.get(path);
        let head = reply.head.to_lowercase();
        assert_eq!(reply.status, 200, "{path}");
        assert!(reply.body.contains("<title>"), "{}", reply.body);
        for line in [
            "content-type: text/html; charset=utf-8",
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; \
             img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "cache-control: no-cache",
        ] {
            assert!(head.contains(line), "{path}: {line}: {head}");
        }
        let only_head = server.send("HEAD", path, &[], "");
        assert_eq!((only_head.status, only_head.body.as_str()), (200, ""));
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("it has a tag").trim();
        let tag = tag.replacen("w/", "W/", 1);
        assert_eq!(server.send("GET", path, &[("If-None-Match", &tag)], "").status, 304);
        assert_eq!(server.send("POST", path, &[], "").status, 405);
    }
    let missing = server.get("/assets/nothing.js");
    assert_eq!((missing.status, missing.json()["error"]["kind"].text()), (404, "not_found"));
    assert_eq!(server.get("/assets/../index.html").status, 404);
    assert_eq!(server.get("/v1/graph").status, 401);
    assert_eq!(server.get("/nothing").status, 401);
    assert_eq!(server.with(&key, "GET", "/nothing", &Value::Null).status, 404);
}
