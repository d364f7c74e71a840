//! Who may see and do what: keys, roles, and the memories of another user.

use serde_json::{Value, json};

use super::{Agent, Events, Server, key, user_key};
use crate::{Home, Parts};

/// The words that only Ben's memory holds.
pub const SECRET: &str = "hunter2zz";

#[test]
fn keys_open_one_workspace_for_one_role_until_they_are_revoked() {
    let home = Home::new();
    home.ok(&["workspace", "create", "acme"]);
    let (read, write) =
        (key(&home, &["-w", "acme"]), key(&home, &["-w", "acme", "--role", "write", "--rate", "3"]));
    let server = Server::start(&home, &[]);
    assert_eq!(server.get("/v1/status").status, 401);
    let post = |key: &str, path: &str, body: Value| server.with(key, "POST", path, &body).status;
    let status = |key: &str| server.with(key, "GET", "/v1/status", &Value::Null);
    assert_eq!(status(&read).status, 200);
    assert_eq!(post(&read, "/v1/remember", json!({"text": "x"})), 403);
    let elsewhere = json!({"query": "x", "scope": {"tenantId": "default"}});
    assert_eq!(post(&read, "/v1/recall", elsewhere), 403);
    assert_eq!(post(&write, "/v1/remember", json!({"text": "In acme only."})), 200);
    assert_eq!(post(&write, "/v1/merges/suggest", json!({})), 403);
    assert_eq!(status(&write).status, 200);
    let limited = status(&write);
    assert_eq!((limited.status, limited.json()["error"]["kind"].text()), (429, "rate_limited"));
    assert!(limited.head.to_lowercase().contains("retry-after: "), "{}", limited.head);
    assert_eq!(home.json(&["status"])["counts"]["memories"], 0);
    assert_eq!(home.json(&["-w", "acme", "status"])["counts"]["memories"], 1);
    home.ok(&["key", "revoke", "k1"]);
    assert_eq!(status(&read).status, 401);
    let list = home.json(&["key", "list"]);
    assert!(list[0]["revoked_at"].is_string() && list[1]["revoked_at"].is_null(), "{list}");
    assert!(list[0].get("hash").is_none(), "{list}");
}

/// The parameters that a schema requires, with values that lead to the memory of Ben if they can.
pub fn filled(schema: &Value, ben: &str) -> Value {
    let value = |name: &str| match name {
        "query" | "search" => json!("Quokka password"),
        "text" => json!("Ada asks."),
        "kept" | "source" | "entityId" | "entity" => json!("tool:redis"),
        "subject" | "object" => json!("Redis"),
        "predicate" => json!("uses"),
        "memories" => json!([{"text": "Ada asks twice."}]),
        "mode" => json!("shadow"),
        "good" => json!(true),
        "entityIds" => json!(["tool:redis", "tool:quokka"]),
        _ => json!(ben),
    };
    let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Value::Object(names.map(|name| (name.to_string(), value(name))).collect())
}

/// A request to each route that needs a key: method, address and body.
fn requests(document: &Value, ben: &str) -> Vec<(String, String, Value)> {
    let mut requests = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            if operation["security"] == json!([]) || path == "/v1/events" {
                continue;
            }
            let mut address = path.clone();
            let mut query = Vec::new();
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].text();
                if parameter["in"] == "path" {
                    let value = if name == "entityId" { "tool:redis" } else { ben };
                    address = address.replace(&format!("{{{name}}}"), value);
                } else if parameter["required"] == true {
                    query.push(format!("{name}=tool:redis,tool:quokka"));
                }
            }
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let reference = schema["$ref"].as_str().and_then(|text| text.rsplit('/').next());
            let schema = reference.map_or(schema, |name| &document["components"]["schemas"][name]);
            let body = if method == "get" { Value::Null } else { filled(schema, ben) };
            if !query.is_empty() {
                address = format!("{address}?{}", query.join("&"));
            }
            requests.push((method.to_uppercase(), address, body));
        }
    }
    requests
}

#[test]
fn no_route_and_no_tool_shows_another_users_memory() {
    let home = Home::new();
    home.remember("Redis is shared knowledge.", &["--entity", "Redis:tool"]);
    home.remember("Ada uses Redis.", &["--user", "ada", "--entity", "Redis:tool"]);
    let text = format!("The Quokka password of Redis is {SECRET}, because Vault was down.");
    let ben = home.remember(&text, &["--user", "ben", "--entity", "Redis:tool", "--entity", "Quokka:tool"]);
    let shown = home.json(&["show", &ben]);
    let id = shown["id"].text();
    home.ok(&["facts", "add", "Redis", "uses", "Quokka", "--memory", &ben]);
    home.ok(&["workspace", "create", "acme"]);
    let key = user_key(&home, "admin", "ada");
    let server = Server::start(&home, &[]);
    let requests = requests(&server.get("/openapi.json").json(), &ben);
    assert!(requests.len() > 35, "{requests:?}");
    for (method, address, body) in requests {
        let reply = server.with(&key, &method, &address, &body);
        let what = format!("{method} {address}: {} {}", reply.head, reply.body);
        assert!(reply.status != 0 && reply.status != 500, "{what}");
        assert!(!reply.body.contains(SECRET) && !reply.body.contains(id), "{what}");
        // Nor in the scope of another user.
        for scope in ["tenantId=acme", "userId=ben"].iter().filter(|_| method == "GET") {
            let more = if address.contains('?') { '&' } else { '?' };
            let reply = server.with(&key, "GET", &format!("{address}{more}{scope}"), &Value::Null);
            assert_eq!(reply.status, 403, "{address} {scope}: {}", reply.body);
        }
    }
    // The last of these events is about a memory that Ada may see: all before it have come when it has.
    let last = server.with(&key, "POST", "/v1/remember", &json!({"text": "Ada ends."})).fine();
    let headers = format!("Authorization: Bearer {key}\r\nLast-Event-ID: 0\r\n");
    let mut events = Events::open(&server, &headers);
    let mut seen = String::new();
    while !seen.contains(last["id"].text()) {
        seen += &events.next("data: ");
    }
    assert!(!seen.contains(id), "{seen}");
    drop(server);

    let mut agent = Agent::start(&home, &["--user", "ada", "--compatibility"]);
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    for tool in tools.list() {
        let name = tool["name"].text();
        let answer = agent.call(name, filled(&tool["inputSchema"], &ben)).to_string();
        assert!(!answer.contains(SECRET) && !answer.contains(id), "{name}: {answer}");
    }
    let answer = agent.ask("resources/read", json!({"uri": format!("memory://{ben}")})).to_string();
    assert!(!answer.contains(SECRET), "{answer}");
    drop(agent);
    // Ben's memory is as it was.
    assert_eq!(home.json(&["show", &ben])["deleted_at"], Value::Null);
}

#[test]
fn a_supervisor_learns_whether_a_server_is_ready() {
    let home = Home::new();
    let mut server = Server::start(&home, &[]);
    let check = |listen: &str| {
        let run = home.run(&["serve", "--check", "--listen", listen]);
        (run.code, run.stdout)
    };
    let ready = format!("the server at {} is ready\n", server.address);
    assert_eq!(check(&server.address), (0, ready.clone()));
    // A server that listens on every address of the machine answers on the loopback one.
    let port = server.address.rsplit(':').next().expect("it has a port");
    assert_eq!(check(&format!("0.0.0.0:{port}")), (0, ready));
    server.child.0.kill().and_then(|()| server.child.0.wait()).expect("it ends");
    let (code, text) = check(&server.address);
    assert_eq!(code, 1);
    assert!(text.starts_with(&format!("cannot ask the server at {} whether it is ready: ", server.address)));

    // Something else listens there, and hangs up.
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = other.local_addr().expect("it is bound").to_string();
    let thread = std::thread::spawn(move || drop(other.accept()));
    let (code, text) = check(&address);
    assert_eq!(code, 1);
    assert!(text.contains("whether it is ready: "), "{text}");
    thread.join().expect("it was asked");
    home.refused(&["serve", "--check", "--listen", "nonsense"], 2, "write it as 127.0.0.1:4747");
}
