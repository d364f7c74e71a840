//! How do programs reach Griot? Real processes of the binary `griot` on one database, and connections to a
//! server that stay open.
//!
//! Every process that is started here ends with the value that represents it.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use clap::Args;
use griot::model::{Error, Result};
use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;
use ureq::config::AutoHeaderValue;

use crate::output;
use crate::workspace::{self, Workspace};

/// How long anything may take to answer before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// Options of every measurement of the binary.
#[derive(Args, Clone, Debug)]
pub struct Testbed {
    /// The binary `griot`.
    #[arg(long)]
    binary: PathBuf,
    /// Where the workspace is made and removed again.
    #[arg(long)]
    directory: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

impl Testbed {
    /// A folder that is removed with the value.
    pub fn folder(&self) -> Result<TempDir> {
        workspace::folder(self.directory.as_deref())
    }

    /// The binary on the workspace in `folder`, with its home in `beside`.
    pub fn installation(&self, folder: &Path, beside: &Path) -> Result<Installation> {
        Installation::new(&self.binary, folder, beside)
    }

    /// Prints what was measured, as JSON or as a table.
    pub fn print(&self, outcome: &impl Serialize, table: &str) -> Result<()> {
        output::print(&if self.json { output::json(outcome)? } else { table.to_string() })
    }
}

/// The binary, the database it works on and a home of its own, so that no setting of this user counts.
#[derive(Clone, Debug)]
pub struct Installation {
    pub binary: PathBuf,
    pub database: PathBuf,
    pub home: PathBuf,
}

impl Installation {
    pub fn new(binary: &Path, folder: &Path, beside: &Path) -> Result<Self> {
        let binary = binary.canonicalize().map_err(|error| {
            Error::not_found(format!("find the binary `{}`", binary.display()), error.to_string())
        })?;
        Ok(Self { binary, database: Workspace::file(folder), home: beside.join("home") })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("GRIOT_")) {
                command.env_remove(name);
            }
        }
        command.env("GRIOT_HOME", &self.home).arg("--db").arg(&self.database).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    fn cannot(&self, what: &str, why: impl ToString) -> Error {
        Error::unavailable(format!("{what} `{}`", self.binary.display()), why.to_string())
    }

    /// Starts a command that goes on by itself.
    pub fn start(&self, arguments: &[&str]) -> Result<Running> {
        let mut child = self.command(arguments).spawn().map_err(|error| self.cannot("start", error))?;
        let lines = lines(&mut child);
        Ok(Running { child, lines })
    }

    /// Starts a command that reads what it is sent, line by line.
    pub fn talk(&self, arguments: &[&str]) -> Result<Dialogue> {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().map_err(|error| self.cannot("start", error))?;
        let input = child.stdin.take();
        let lines = lines(&mut child);
        Ok(Dialogue { input, running: Running { child, lines } })
    }

    /// `griot serve` on a free port; it listens when this returns.
    pub fn serve(&self) -> Result<Server> {
        let running = self.start(&["--json", "serve", "--listen", "127.0.0.1:0"])?;
        let said: Value = serde_json::from_str(&running.line()?)
            .map_err(|_| self.cannot("start the server of", "it did not say where it listens"))?;
        let address = said["listening"].as_str().unwrap_or_default();
        Ok(Server { running, address: address.trim_start_matches("http://").to_string() })
    }

    /// Starts a command and kills it after `moment`; true if it had ended well by then.
    pub fn killed(&self, arguments: &[&str], moment: Duration) -> Result<bool> {
        let mut running = self.start(arguments)?;
        let start = Instant::now();
        while running.lines.recv_timeout(moment.saturating_sub(start.elapsed())).is_ok() {}
        // It may have ended already.
        let _ = running.child.kill();
        let status = running.child.wait().map_err(|error| self.cannot("wait for", error))?;
        Ok(status.success())
    }

    /// Runs a command to its end; what it printed. Exit 1, a check that failed, is no error.
    pub fn finished(&self, arguments: &[&str]) -> Result<(String, Option<i32>)> {
        let output = self.command(arguments).output().map_err(|error| self.cannot("start", error))?;
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code()))
    }

    /// Runs a command that has to succeed.
    pub fn run(&self, arguments: &[&str]) -> Result<()> {
        match self.finished(arguments)? {
            (_, Some(0)) => Ok(()),
            (_, code) => Err(self.cannot("run", format!("`{}` ended with {code:?}", arguments.join(" ")))),
        }
    }

    /// Runs a command to its end; the JSON that it printed.
    pub fn json(&self, arguments: &[&str]) -> Result<(Value, Option<i32>)> {
        let (printed, code) = self.finished(&[&["--json"], arguments].concat())?;
        let json = serde_json::from_str(&printed)
            .map_err(|_| self.cannot("run", format!("`{}` ended with {code:?}", arguments.join(" "))))?;
        Ok((json, code))
    }

    /// What `griot doctor` finds wrong.
    pub fn doctor(&self) -> Result<Vec<String>> {
        let (health, _) = self.json(&["doctor"])?;
        let problems = health["problems"].as_array().into_iter().flatten();
        Ok(problems
            .map(|problem| problem.as_str().map_or_else(|| problem.to_string(), str::to_string))
            .collect())
    }
}

/// The lines that a process prints. A process closes standard output only by ending, so a closed channel says
/// that it has ended, and nothing has to poll.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, lines) = channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(io::Result::ok) {
                // A dropped receiver must not end the reading: the process would block on a full pipe.
                let _ = sender.send(line);
            }
        });
    }
    lines
}

/// A running command, killed at the end.
pub struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    /// The next line that it prints.
    pub fn line(&self) -> Result<String> {
        self.lines
            .recv_timeout(PATIENCE)
            .map_err(|error| Error::unavailable("read what a command prints", error.to_string()))
    }

    /// Waits for the end by the output. False if it has not ended by then.
    fn ends(&self) -> bool {
        let start = Instant::now();
        loop {
            match self.lines.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
                Ok(_) => {}
                Err(error) => return error == RecvTimeoutError::Disconnected,
            }
        }
    }
}

/// A running command that is sent lines, and its answers.
pub struct Dialogue {
    input: Option<ChildStdin>,
    running: Running,
}

impl Dialogue {
    pub fn send(&mut self, line: &str) -> Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        writeln!(input, "{line}").map_err(|error| Error::unavailable("write to a command", error.to_string()))
    }

    pub fn line(&self) -> Result<String> {
        self.running.line()
    }

    /// Ends its input; what it still prints until it ends.
    pub fn rest(mut self) -> String {
        self.input = None;
        let mut rest = String::new();
        while let Ok(line) = self.running.line() {
            rest += &line;
            rest.push('\n');
        }
        rest
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
    running: Running,
    address: String,
}

impl Server {
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Asks it to end, and waits until it has.
    pub fn stop(mut self) -> Result<()> {
        let cannot = |why: String| Error::unavailable("stop the server", why);
        let asked = Command::new("kill").arg("-TERM").arg(self.running.child.id().to_string()).status();
        asked.map_err(|error| cannot(error.to_string()))?;
        if !self.running.ends() {
            return Err(cannot("it did not end".to_string()));
        }
        match self.running.child.wait().map_err(|error| cannot(error.to_string()))? {
            status if status.success() => Ok(()),
            status => Err(cannot(format!("it ended with {status}"))),
        }
    }
}

/// One connection to a server that stays open.
pub struct Connection {
    agent: ureq::Agent,
    address: String,
}

impl Connection {
    pub fn new(address: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .proxy(None)
            .user_agent(AutoHeaderValue::None)
            // Packed answers would be work for both sides.
            .accept_encoding(AutoHeaderValue::None)
            .build();
        Self { agent: config.into(), address: format!("http://{address}") }
    }

    /// Posts JSON; the body of the answer. Another status than 200 is an error.
    pub fn post(&self, path: &str, body: &str) -> Result<Vec<u8>> {
        let cannot = |why: String| Error::unavailable("ask the server", why);
        let request = self.agent.post(format!("{}{path}", self.address)).content_type("application/json");
        let mut answer = request.send(body).map_err(|why| cannot(why.to_string()))?;
        let body = answer.body_mut().read_to_vec().map_err(|why| cannot(why.to_string()))?;
        match answer.status().as_u16() {
            200 => Ok(body),
            status => {
                let text: String = String::from_utf8_lossy(&body).chars().take(300).collect();
                Err(cannot(format!("{status} {text}")))
            }
        }
    }
}
