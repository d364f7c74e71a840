//! `griot serve` and `griot mcp` as clients meet them: real processes, sockets and pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{Home, Parts, Running, parsed};

mod access;
mod agents;
mod answers;
mod compatibility;
mod events;
mod graph;
mod hostile;
mod jobs;
mod knowledge;
mod models;
mod protocol;
mod remote;
mod rollout;
mod view;
mod warnings;

/// Time limit for expected events.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server with a home.
pub struct Server {
    child: Running,
    pub address: String,
}

/// A response.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        parsed(&self.body)
    }

    /// The answer to a request that must succeed.
    #[track_caller]
    fn fine(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()
    }
}

impl Server {
    pub fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut child = home
            .process()
            .args(["--json", "serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("griot starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let address = parsed(&line)["listening"].text().trim_start_matches("http://").to_string();
        Self { child: Running(child), address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        stream
    }

    /// Sends bytes and reads until the server closes the connection.
    fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server that refuses early may close before everything was sent.
        let _ = stream.write_all(bytes);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        reply_of(&String::from_utf8_lossy(&reply))
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut text =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text.push_str(&format!("Host: {}\r\n", self.address));
        }
        if !body.is_empty() && !headers.iter().any(|(name, _)| *name == "Content-Type") {
            text.push_str("Content-Type: application/json\r\n");
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        self.raw(format!("{text}\r\n{body}").as_bytes())
    }

    fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[], &body.to_string())
    }

    /// A request with a key; `null` is no body.
    pub(crate) fn with(&self, key: &str, method: &str, path: &str, body: &Value) -> Reply {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, path, &[("Authorization", &format!("Bearer {key}"))], &body)
    }

    fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "")
    }
}

/// The events of a server, in the order in which they come.
struct Events(BufReader<TcpStream>);

impl Events {
    /// The stream has begun when this returns. `headers` end with a line break each.
    fn open(server: &Server, headers: &str) -> Self {
        let mut stream = server.connect();
        let asked = format!("GET /v1/events HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", server.address);
        stream.write_all(asked.as_bytes()).expect("it listens");
        let mut events = Self(BufReader::new(stream));
        events.next("HTTP/1.1 200");
        events
    }

    /// The rest of the next line that begins so.
    fn next(&mut self, prefix: &str) -> String {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "no {prefix:?} in time");
            let mut line = String::new();
            let read = self.0.read_line(&mut line).expect("an event comes in time");
            assert!(read > 0, "the stream ended before {prefix:?}");
            if let Some(rest) = line.strip_prefix(prefix) {
                return rest.trim_end().to_string();
            }
        }
    }

    /// Looks now and after every event until there is an answer.
    fn until<T>(&mut self, look: impl Fn() -> Option<T>) -> T {
        loop {
            if let Some(found) = look() {
                return found;
            }
            self.next("data: ");
        }
    }
}

fn reply_of(text: &str) -> Reply {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
        unchunked(body)
    } else {
        body.into()
    };
    Reply { status, head: head.to_string(), body }
}

fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or_default();
        let Some(piece) = after.get(..size).filter(|_| size > 0) else { break };
        body.push_str(piece);
        rest = after.get(size + 2..).unwrap_or_default();
    }
    body
}

/// A client of `griot mcp`.
pub struct Agent {
    _child: Running,
    stdin: ChildStdin,
    lines: Receiver<Value>,
    next: u64,
}

impl Agent {
    pub fn start(home: &Home, arguments: &[&str]) -> Self {
        Self::start_with(home, arguments, hello())
    }

    /// With this handshake.
    fn start_with(home: &Home, arguments: &[&str], hello: Value) -> Self {
        let mut child = home
            .process()
            .arg("mcp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("griot starts");
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).unwrap_or_else(|_| json!({ "no protocol": line }));
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut agent = Self { _child: Running(child), stdin, lines, next: 0 };
        let answer = agent.ask("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "griot");
        agent.write(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        agent
    }

    fn write(&mut self, bytes: &[u8]) {
        self.stdin.write_all(bytes).and_then(|()| self.stdin.flush()).expect("it reads");
    }

    fn read(&self) -> Value {
        self.lines.recv_timeout(PATIENCE).expect("it answers")
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.write(
            format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
                .as_bytes(),
        );
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
        }
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// The whole answer of a tool.
    pub fn trace(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, traced(arguments))["structuredContent"]["trace"].clone()
    }

    /// Calls a tool that reports its progress: the answer, and what `hear` was given before.
    fn call_with_progress(&mut self, tool: &str, arguments: Value, mut hear: impl FnMut(&Value)) -> Value {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}});
        let call = json!({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": params});
        self.write(format!("{call}\n").as_bytes());
        loop {
            let message = self.read();
            if message["id"] == "call" {
                return message["result"].clone();
            }
            assert_eq!(message["method"], "notifications/progress", "{message}");
            assert_eq!(message["params"]["progressToken"], "p", "{message}");
            hear(&message["params"]);
        }
    }
}

/// The arguments with which a tool gives its whole answer.
fn traced(mut arguments: Value) -> Value {
    arguments["detail"] = json!("trace");
    arguments
}

/// The handshake of a client.
fn hello() -> Value {
    let client = json!({"name": "t", "version": "1"});
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
}

/// The handshake of a client that shows pages of servers.
fn hello_of_host() -> Value {
    let mut hello = hello();
    let settings = json!({"mimeTypes": ["text/html;profile=mcp-app"]});
    hello["capabilities"]["extensions"] = json!({"io.modelcontextprotocol/ui": settings});
    hello
}

pub(crate) fn key(home: &Home, arguments: &[&str]) -> String {
    home.json(&[&["key", "create"], arguments].concat())["key"].text().to_string()
}

/// A key that is bound to a user.
pub(crate) fn user_key(home: &Home, role: &str, user: &str) -> String {
    key(home, &["--role", role, "--user", user])
}
