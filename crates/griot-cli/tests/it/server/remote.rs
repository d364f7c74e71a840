//! `/mcp`: agents over HTTP are subject to the same keys, scopes and limits as all clients.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::access::{SECRET, filled};
use super::{Reply, Server, hello, key, traced, user_key};
use crate::{Home, Parts};

/// An agent's session at `/mcp`.
pub struct Remote<'a> {
    server: &'a Server,
    key: String,
    session: String,
}

fn send(server: &Server, key: &str, session: &str, message: &Value) -> Reply {
    let bearer = format!("Bearer {key}");
    let mut headers =
        vec![("Authorization", bearer.as_str()), ("Accept", "application/json, text/event-stream")];
    if !session.is_empty() {
        headers.extend([("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-11-25")]);
    }
    server.send("POST", "/mcp", &headers, &message.to_string())
}

impl<'a> Remote<'a> {
    fn start(server: &'a Server, key: &str) -> Self {
        Self::start_with(server, key, hello())
    }

    /// With this handshake.
    pub fn start_with(server: &'a Server, key: &str, hello: Value) -> Self {
        let asked = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello});
        let reply = send(server, key, "", &asked);
        assert_eq!(reply.status, 200, "{} {}", reply.head, reply.body);
        let named = |line: &str| line.to_lowercase().starts_with("mcp-session-id: ");
        let session = reply.head.lines().find(|line| named(line)).and_then(|line| line.split_once(": "));
        let remote =
            Self { server, key: key.to_string(), session: session.expect("a session").1.to_string() };
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(send(server, key, &remote.session, &ready).status, 202);
        remote
    }

    fn send(&self, key: &str, method: &str, params: Value) -> Reply {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        send(self.server, key, &self.session, &message)
    }

    pub fn ask(&self, method: &str, params: Value) -> Value {
        answer(&self.send(&self.key, method, params))
    }

    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    fn trace(&self, tool: &str, arguments: Value) -> Value {
        self.call(tool, traced(arguments))["structuredContent"]["trace"].clone()
    }
}

/// The answer in an event stream.
fn answer(reply: &Reply) -> Value {
    let pieces = reply.body.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut messages = pieces.filter_map(|text| serde_json::from_str::<Value>(text.trim()).ok());
    messages.find(|message| message["id"] == 1).unwrap_or_else(|| panic!("{} {}", reply.head, reply.body))
}

#[test]
fn no_tool_at_mcp_shows_another_users_memory() {
    let home = Home::new();
    home.remember("Ada uses Redis.", &["--user", "ada", "--entity", "Redis:tool"]);
    let text = format!("The Quokka password of Redis is {SECRET}, because Vault was down.");
    let ben = home.remember(&text, &["--user", "ben", "--entity", "Redis:tool", "--entity", "Quokka:tool"]);
    let shown = home.json(&["show", &ben]);
    let id = shown["id"].text();
    home.ok(&["workspace", "create", "acme"]);
    let ada = user_key(&home, "admin", "ada");
    let admin = key(&home, &["-w", "default", "--role", "admin"]);
    let server = Server::start(&home, &["--set", "mcp.compatibility=true"]);
    let remote = Remote::start(&server, &ada);
    let listed = remote.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].list();
    assert!(tools.len() > 15, "{} tools", tools.len());
    // Counts cover only what the caller may see.
    let seen = remote.trace("status", json!({}));
    let whole = home.json(&["status"]);
    assert_eq!((&seen["path"], &seen["counts"]["memories"]), (&Value::Null, &json!(1)), "{seen}");
    for what in ["entities", "edges"] {
        let (seen, whole) = (seen["counts"][what].as_u64(), whole["counts"][what].as_u64());
        assert!(seen > Some(0) && seen < whole, "{what}: {seen:?} of {whole:?}");
    }
    for tool in tools {
        let name = tool["name"].text();
        let mut arguments = filled(&tool["inputSchema"], &ben);
        let reported = remote.call(name, arguments.clone()).to_string();
        assert!(!reported.contains(SECRET) && !reported.contains(id), "{name}: {reported}");
        for scope in [json!({"tenantId": "acme"}), json!({"userId": "ben"})] {
            arguments["scope"] = scope;
            let reported = remote.call(name, arguments.clone());
            assert_eq!(reported["isError"], true, "{name}: {reported}");
            let text = reported["content"][0]["text"].as_str().unwrap_or_default();
            assert!(text.contains("the key is bound") || text.contains("the key belongs"), "{name}: {text}");
        }
    }
    let read = remote.ask("resources/read", json!({"uri": format!("memory://{ben}")}));
    assert!(read["error"]["message"].is_string(), "{read}");
    let prompt =
        remote.ask("prompts/get", json!({"name": "why", "arguments": {"question": "Quokka password"}}));
    assert!(!prompt.to_string().contains(SECRET), "{prompt}");
    // A session is invalid with another key, and cannot be ended by it.
    let asked = json!({"name": "recall", "arguments": {"query": "Quokka password"}});
    assert_eq!(remote.send(&admin, "tools/call", asked.clone()).status, 404);
    let bearer = format!("Bearer {admin}");
    let headers = [("Authorization", bearer.as_str()), ("Mcp-Session-Id", remote.session.as_str())];
    assert_eq!(server.send("DELETE", "/mcp", &headers, "").status, 404);
    assert!(!answer(&remote.send(&ada, "tools/call", asked.clone())).to_string().contains(SECRET));
    let remote = Remote::start(&server, &admin);
    assert!(answer(&remote.send(&admin, "tools/call", asked)).to_string().contains(SECRET));
    assert_eq!(home.json(&["show", &ben])["deleted_at"], Value::Null);
}

#[test]
fn a_key_that_is_revoked_ends_a_session_and_a_reader_cannot_write() {
    let home = Home::new();
    home.remember("Redis holds the sessions.", &[]);
    let (read, write) = (key(&home, &[]), key(&home, &["--role", "write"]));
    let server = Server::start(&home, &[]);
    let remote = Remote::start(&server, &read);
    let refused = remote.call("remember", json!({"text": "A reader writes."}));
    assert_eq!(refused["isError"], true, "{refused}");
    assert_eq!(remote.trace("status", json!({}))["counts"]["memories"], 1);
    home.ok(&["key", "revoke", "k1"]);
    let reply = remote.send(&read, "tools/call", json!({"name": "status", "arguments": {}}));
    assert_eq!((reply.status, reply.json()["error"]["kind"].clone()), (401, json!("unauthenticated")));
    assert_eq!(send(&server, "griot_0", "", &json!({})).status, 401);
    let remote = Remote::start(&server, &write);
    assert_ne!(remote.call("remember", json!({"text": "A writer writes."}))["isError"], true);
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for() {
    let home = Home::new();
    let limits = ["--set", "server.request_timeout_ms=500", "--set", "server.body_limit_bytes=2048"];
    let server = Server::start(&home, &limits);
    let mut slow = server.connect();
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\"";
    slow.write_all(head.as_bytes()).expect("it listens");
    let start = Instant::now();
    let mut reply = [0; 64];
    let read = slow.read(&mut reply).expect("it answers");
    assert!(String::from_utf8_lossy(&reply[..read]).starts_with("HTTP/1.1 504"), "{reply:?}");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(send(&server, "", "", &json!({"text": "x".repeat(3000)})).status, 401);
    let accept = [("Accept", "application/json, text/event-stream")];
    let long = server.send("POST", "/mcp", &accept, &"x".repeat(3000));
    assert_eq!(long.status, 413, "{}", long.body);
}

#[cfg(unix)]
#[test]
fn a_server_that_ends_finishes_what_agents_write_and_waits_for_no_session() {
    let home = Home::new();
    let write = key(&home, &["--role", "write"]);
    let mut server = Server::start(&home, &[]);
    let remote = Remote::start(&server, &write);
    let session = remote.session.clone();
    // A stream for server messages, on which none will arrive.
    let mut idle = server.connect();
    let head = format!(
        "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {write}\r\n\
         Accept: text/event-stream\r\nMcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n\r\n"
    );
    idle.write_all(head.as_bytes()).expect("it listens");
    let mut first = [0; 12];
    idle.read_exact(&mut first).expect("it answers");
    assert_eq!(&first, b"HTTP/1.1 200");
    // A slow document, and a shutdown in the middle of it.
    let lines =
        (0..2000).map(|n| format!("# Part {n}\n\nThe part number {n} of the engine is made of steel.\n\n"));
    let text: String = lines.collect();
    let asked = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "ingest", "arguments": {"text": text, "name": "parts.md"}}})
    .to_string();
    let mut busy = server.connect();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {write}\r\n\
         Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\
         Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{asked}",
        asked.len()
    );
    busy.write_all(head.as_bytes()).expect("it listens");
    // Once the server starts to stream, it has received the request.
    let mut begun = [0; 12];
    busy.read_exact(&mut begun).expect("it answers");
    let start = Instant::now();
    let ended = std::process::Command::new("kill").arg(server.child.0.id().to_string()).status();
    assert!(ended.is_ok_and(|status| status.success()));
    let status = server.child.0.wait().expect("it ends");
    let spent = start.elapsed();
    assert!(status.success() && spent < Duration::from_secs(25), "{status} after {spent:?}");
    drop(server);
    let memories = home.json(&["status"])["counts"]["memories"].as_u64();
    assert!(memories >= Some(2000), "{memories:?}");
}
