//! Who may see and do what: keys, roles, and the memories of another user.

use serde_json::{Value, json};

use super::{Agent, Events, Server, key};
use crate::Home;

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
    let with = |key: &str, method: &str, path: &str, body: &str| {
        server.send(method, path, &[("Authorization", &format!("Bearer {key}"))], body)
    };
    assert_eq!(with(&read, "GET", "/v1/status", "").status, 200);
    assert_eq!(with(&read, "POST", "/v1/remember", r#"{"text": "x"}"#).status, 403);
    let elsewhere = r#"{"query": "x", "scope": {"tenantId": "default"}}"#;
    assert_eq!(with(&read, "POST", "/v1/recall", elsewhere).status, 403);
    assert_eq!(with(&write, "POST", "/v1/remember", r#"{"text": "In acme only."}"#).status, 200);
    assert_eq!(with(&write, "POST", "/v1/merges/suggest", "{}").status, 403);
    assert_eq!(with(&write, "GET", "/v1/status", "").status, 200);
    let limited = with(&write, "GET", "/v1/status", "");
    assert_eq!((limited.status, limited.json()["error"]["kind"].clone()), (429, json!("rate_limited")));
    assert!(limited.head.to_lowercase().contains("retry-after: "), "{}", limited.head);
    assert_eq!(home.json(&["status"])["counts"]["memories"], 0);
    assert_eq!(home.json(&["-w", "acme", "status"])["counts"]["memories"], 1);
    home.ok(&["key", "revoke", "k1"]);
    assert_eq!(with(&read, "GET", "/v1/status", "").status, 401);
    let list = home.json(&["key", "list"]);
    assert!(
        list[0]["revoked_at"].is_string() && list[0].get("hash").is_none() && list[1]["revoked_at"].is_null()
    );
}

#[test]
fn no_route_and_no_tool_shows_another_users_memory() {
    let home = Home::new();
    home.remember("Redis is shared knowledge.", &["--entity", "Redis:tool"]);
    home.remember("Ada uses Redis.", &["--user", "ada", "--entity", "Redis:tool"]);
    let text = format!("The Quokka password of Redis is {SECRET}, because Vault was down.");
    let ben = home.remember(&text, &["--user", "ben", "--entity", "Redis:tool", "--entity", "Quokka:tool"]);
    let id = home.json(&["show", &ben])["id"].as_str().expect("an id").to_string();
    home.ok(&["facts", "add", "Redis", "uses", "Quokka", "--memory", &ben]);
    home.ok(&["workspace", "create", "acme"]);
    let key = key(&home, &["-w", "default", "--role", "admin", "--user", "ada"]);
    let bearer = format!("Bearer {key}");
    let server = Server::start(&home, &[]);
    let document = server.get("/openapi.json").json();
    let fill = |name: &str| match name {
        "query" | "search" => json!("Quokka password"),
        "text" => json!("Ada asks."),
        "kept" | "source" | "entityId" => json!("tool:redis"),
        "subject" | "object" => json!("Redis"),
        "predicate" => json!("uses"),
        "memories" => json!([{"text": "Ada asks twice."}]),
        "mode" => json!("shadow"),
        "good" => json!(true),
        "entityIds" => json!(["tool:redis", "tool:quokka"]),
        _ => json!(ben),
    };
    let mut asked = 0;
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            if operation["security"] == json!([]) || path == "/v1/events" {
                continue;
            }
            let mut address = path.clone();
            let mut query = Vec::new();
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().expect("a name");
                if parameter["in"] == "path" {
                    let value = if name == "entityId" { "tool:redis".to_string() } else { ben.clone() };
                    address = address.replace(&format!("{{{name}}}"), &value);
                } else if parameter["required"] == true {
                    query.push(format!("{name}=tool:redis,tool:quokka"));
                }
            }
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let reference = schema["$ref"].as_str().and_then(|text| text.rsplit('/').next());
            let schema = reference.map_or(schema, |name| &document["components"]["schemas"][name]);
            let mut body = serde_json::Map::new();
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                body.insert(name.to_string(), fill(name));
            }
            let body = if method == "get" { String::new() } else { Value::Object(body).to_string() };
            if !query.is_empty() {
                address = format!("{address}?{}", query.join("&"));
            }
            let reply = server.send(&method.to_uppercase(), &address, &[("Authorization", &bearer)], &body);
            asked += 1;
            assert!(
                reply.status != 0 && reply.status != 500,
                "{method} {address}: {} {}",
                reply.head,
                reply.body
            );
            assert!(!reply.body.contains(SECRET), "{method} {address}: {}", reply.body);
            assert!(!reply.body.contains(&id), "{method} {address}: {}", reply.body);
            // Nor does asking for somebody else help.
            if method == "get" {
                let more = if address.contains('?') { '&' } else { '?' };
                let reply = server.send(
                    "GET",
                    &format!("{address}{more}tenantId=acme"),
                    &[("Authorization", &bearer)],
                    "",
                );
                assert_eq!(reply.status, 403, "{address}: {}", reply.body);
                let reply = server.send(
                    "GET",
                    &format!("{address}{more}userId=ben"),
                    &[("Authorization", &bearer)],
                    "",
                );
                assert_eq!(reply.status, 403, "{address}: {}", reply.body);
            }
        }
    }
    assert!(asked > 35, "{asked} routes");
    // The last of these events is about a memory that Ada may see: all before it have come when it has.
    let last =
        server.send("POST", "/v1/remember", &[("Authorization", &bearer)], r#"{"text": "Ada ends."}"#).json();
    let last = last["id"].as_str().expect("an id").to_string();
    let mut events = Events::open(&server, &format!("Authorization: {bearer}\r\nLast-Event-ID: 0\r\n"));
    let mut seen = String::new();
    while !seen.contains(&last) {
        seen += &events.next("data: ");
    }
    assert!(!seen.contains(&id), "{seen}");
    drop(server);

    let mut agent = Agent::start(&home, &["--user", "ada", "--compatibility"]);
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    for tool in tools.as_array().expect("a list") {
        let mut arguments = serde_json::Map::new();
        for name in tool["inputSchema"]["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
        {
            arguments.insert(name.to_string(), if name == "docid" { json!(ben) } else { fill(name) });
        }
        let name = tool["name"].as_str().expect("a name");
        let answer = agent.call(name, Value::Object(arguments)).to_string();
        assert!(!answer.contains(SECRET) && !answer.contains(&id), "{name}: {answer}");
    }
    let answer = agent.ask("resources/read", json!({"uri": format!("memory://{ben}")})).to_string();
    assert!(!answer.contains(SECRET), "{answer}");
    drop(agent);
    // Ben's memory is as it was.
    assert_eq!(home.json(&["show", &ben])["deleted_at"], Value::Null);
}
