//! How do programs reach Griot? Real processes of the binary `griot` on one database: a server with
//! connections that stay open, and agents on pipes. Clients are as small as can be, because they share the
//! processors with what they measure.
//!
//! Every process that is started here ends with the value that stands for it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use griot::model::{Error, Result};
use serde_json::{Value, json};

/// How long anything may take to answer before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// The binary, the database it works on and a home of its own, so that no setting of this user counts.
#[derive(Clone, Debug)]
pub struct Installation {
    pub binary: PathBuf,
    pub database: PathBuf,
    pub home: PathBuf,
}

impl Installation {
    pub fn new(binary: &Path, database: PathBuf, home: PathBuf) -> Result<Self> {
        let binary = binary.canonicalize().map_err(|error| {
            Error::not_found(format!("find the binary `{}`", binary.display()), error.to_string())
        })?;
        Ok(Self { binary, database, home })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("GRIOT_")) {
                command.env_remove(name);
            }
        }
        command.env("GRIOT_HOME", &self.home).arg("--db").arg(&self.database).stderr(Stdio::null());
        command
    }

    fn cannot(&self, what: &str, why: impl ToString) -> Error {
        Error::unavailable(format!("{what} `{}`", self.binary.display()), why.to_string())
    }

    /// `griot serve` on a free port; it listens when this returns.
    pub fn serve(&self) -> Result<Server> {
        let mut command = self.command();
        command
            .args(["--json", "serve", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.cannot("start", error))?;
        let lines = lines(&mut child);
        let mut server = Server { child, lines, address: String::new() };
        let line = server.lines.recv_timeout(PATIENCE).unwrap_or_default();
        let said: Value = serde_json::from_str(&line)
            .map_err(|_| self.cannot("start the server of", "it did not say where it listens"))?;
        let address = said["listening"].as_str().unwrap_or_default();
        server.address = address.trim_start_matches("http://").to_string();
        Ok(server)
    }

    /// Starts a command that goes on by itself.
    pub fn start(&self, arguments: &[&str]) -> Result<Running> {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.cannot("start", error))?;
        let lines = lines(&mut child);
        Ok(Running { child, lines })
    }

    /// Starts a command and kills it after `moment`, unless it has ended by then.
    pub fn killed(&self, arguments: &[&str], moment: Duration) -> Result<Ended> {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.cannot("start", error))?;
        let lines = lines(&mut child);
        let start = Instant::now();
        let mut printed = String::new();
        while let Ok(line) = lines.recv_timeout(moment.saturating_sub(start.elapsed())) {
            printed.push_str(&line);
            printed.push('\n');
        }
        // It may have ended already.
        let _ = child.kill();
        let status = child.wait().map_err(|error| self.cannot("wait for", error))?;
        // What it printed before it was killed counts.
        for line in lines {
            printed.push_str(&line);
            printed.push('\n');
        }
        Ok(Ended { printed, succeeded: status.success() })
    }

    /// Runs a command to its end; what it printed. Exit 1, a check that failed, is no error.
    pub fn finished(&self, arguments: &[&str]) -> Result<(String, Option<i32>)> {
        let mut command = self.command();
        let output = command
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| self.cannot("start", error))?;
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code()))
    }

    /// Runs a command that has to succeed.
    pub fn run(&self, arguments: &[&str]) -> Result<String> {
        match self.finished(arguments)? {
            (printed, Some(0)) => Ok(printed),
            (_, code) => Err(self.cannot("run", format!("`{}` ended with {code:?}", arguments.join(" ")))),
        }
    }

    /// What `griot doctor` finds wrong.
    pub fn doctor(&self) -> Result<Vec<String>> {
        let (printed, code) = self.finished(&["--json", "doctor"])?;
        let health: Value = serde_json::from_str(&printed)
            .map_err(|_| self.cannot("run", format!("`doctor` ended with {code:?}")))?;
        let problems = health["problems"].as_array().into_iter().flatten();
        Ok(problems
            .map(|problem| problem.as_str().map_or_else(|| problem.to_string(), str::to_string))
            .collect())
    }

    /// `griot mcp`, greeted.
    pub fn agent(&self) -> Result<Agent> {
        let mut command = self.command();
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.cannot("start", error))?;
        let (stdin, lines) = (child.stdin.take(), lines(&mut child));
        let mut agent = Agent { child, stdin, lines, next: 0 };
        let client = json!({"name": "griot-eval", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        agent.ask("initialize", hello)?;
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(agent)
    }
}

/// A command that ended, by itself or killed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    pub printed: String,
    pub succeeded: bool,
}

/// What a process says, line by line. Nobody closes standard output before the end of its process, so that
/// the channel is closed when the process has ended: that is what is waited for instead of asking again and
/// again.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, lines) = channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(io::Result::ok) {
                // Who does not listen any more still wants to know of the end.
                let _ = sender.send(line);
            }
        });
    }
    lines
}

/// Waits for the end of a process by its output. False if it has not ended by then.
fn ends(lines: &Receiver<String>, patience: Duration) -> bool {
    let start = Instant::now();
    loop {
        match lines.recv_timeout(patience.saturating_sub(start.elapsed())) {
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => return true,
            Err(RecvTimeoutError::Timeout) => return false,
        }
    }
}

/// A running command, killed at the end.
pub struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    /// The next line that it prints.
    pub fn line(&self) -> Result<String> {
        let silent =
            |error: RecvTimeoutError| Error::unavailable("hear what a command prints", error.to_string());
        self.lines.recv_timeout(PATIENCE).map_err(silent)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running `griot serve`.
pub struct Server {
    child: Child,
    lines: Receiver<String>,
    address: String,
}

impl Server {
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Ends it as a power failure of the process would: nothing is finished.
    pub fn kill(mut self) {
        // Dropping it waits; it may have ended already.
        let _ = self.child.kill();
    }

    /// Asks it to end, and waits until it has.
    pub fn stop(mut self) -> Result<()> {
        let cannot = |why: String| Error::unavailable("stop the server", why);
        let asked = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status();
        asked.map_err(|error| cannot(error.to_string()))?;
        if !ends(&self.lines, PATIENCE) {
            return Err(cannot("it did not end".to_string()));
        }
        match self.child.wait().map_err(|error| cannot(error.to_string()))? {
            status if status.success() => Ok(()),
            status => Err(cannot(format!("it ended with {status}"))),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection of HTTP/1.1 that stays open.
pub struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    request: Vec<u8>,
    line: String,
    body: Vec<u8>,
}

impl Connection {
    pub fn open(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let (request, line, body) = (Vec::new(), String::new(), Vec::new());
        Ok(Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            host: address.to_string(),
            request,
            line,
            body,
        })
    }

    /// Posts JSON; status and body of the answer.
    pub fn post(&mut self, path: &str, body: &str) -> io::Result<(u16, &[u8])> {
        self.request.clear();
        write!(
            self.request,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        )?;
        self.stream.get_mut().write_all(&self.request)?;
        let status = self.status()?;
        self.read_body()?;
        Ok((status, &self.body))
    }

    fn next_line(&mut self) -> io::Result<&str> {
        self.line.clear();
        if self.stream.read_line(&mut self.line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(self.line.trim_end())
    }

    fn status(&mut self) -> io::Result<u16> {
        let line = self.next_line()?;
        line.split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .ok_or_else(|| io::Error::other("no status line"))
    }

    fn read_body(&mut self) -> io::Result<()> {
        let (mut length, mut chunked) = (0, false);
        loop {
            let line = self.next_line()?;
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
            chunked |= name.eq_ignore_ascii_case("transfer-encoding")
                && value.trim().eq_ignore_ascii_case("chunked");
        }
        self.body.clear();
        if !chunked {
            return self.take(length);
        }
        loop {
            let size = usize::from_str_radix(self.next_line()?, 16).map_err(io::Error::other)?;
            self.take(size)?;
            // The end of the piece, or of all.
            self.next_line()?;
            if size == 0 {
                return Ok(());
            }
        }
    }

    fn take(&mut self, length: usize) -> io::Result<()> {
        let start = self.body.len();
        self.body.resize(start + length, 0);
        self.stream.read_exact(&mut self.body[start..])
    }
}

/// A running `griot mcp` and its client.
pub struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
}

impl Agent {
    fn send(&mut self, message: &Value) -> Result<()> {
        let gone = || Error::unavailable("ask an agent's process", "it does not read any more");
        let stdin = self.stdin.as_mut().ok_or_else(gone)?;
        stdin.write_all(format!("{message}\n").as_bytes()).and_then(|()| stdin.flush()).map_err(|_| gone())
    }

    /// The result of a request.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        let what = || format!("ask an agent's process for `{method}`");
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.lines.recv_timeout(PATIENCE).map_err(|error| match error {
                RecvTimeoutError::Timeout => Error::unavailable(what(), "it does not answer"),
                RecvTimeoutError::Disconnected => Error::unavailable(what(), "it has ended"),
            })?;
            let mut message: Value =
                serde_json::from_str(&line).map_err(|error| Error::unavailable(what(), error.to_string()))?;
            if message["id"] != id {
                continue;
            }
            return match message.get_mut("result").map(Value::take) {
                Some(result) => Ok(result),
                None => Err(Error::unavailable(what(), message["error"].to_string())),
            };
        }
    }

    /// What a tool answers.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        let mut result = self.ask("tools/call", json!({"name": tool, "arguments": arguments}))?;
        if result["isError"] == true {
            return Err(Error::unavailable(format!("use the tool `{tool}`"), result["content"].to_string()));
        }
        Ok(result["structuredContent"].take())
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // The end of its input ends it; what hangs is ended.
        self.stdin = None;
        if !ends(&self.lines, Duration::from_secs(5)) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A server that answers each request with the next of `answers`, all on one connection.
    fn answering(answers: &'static [&'static str]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it has one").to_string();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client comes");
            let mut piece = [0; 4096];
            for answer in answers {
                let read = stream.read(&mut piece).expect("it asks");
                assert!(piece[..read].starts_with(b"POST /v1/recall HTTP/1.1\r\n"));
                stream.write_all(answer.as_bytes()).expect("it reads");
            }
        });
        address
    }

    #[test]
    fn answers_of_both_lengths_are_read_on_one_connection() {
        let address = answering(&[
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
        ]);
        let mut connection = Connection::open(&address).expect("it listens");
        for expected in [(200, &b"hello"[..]), (404, b"abcde"), (200, b"ok")] {
            assert_eq!(connection.post("/v1/recall", "{}").expect("it answers"), expected);
        }
        assert!(connection.post("/v1/recall", "{}").is_err(), "the server has gone");
    }
}
