//! Tests of the binary as users meet it: arguments and standard input in; exit code, standard output and
//! standard error out.
//!
//! - `verbs`: remember, recall, link, why and the other verbs on small workspaces
//! - `crawl`, `ingest`, `exchange`, `merges`, `offers`, `embedder`, `settings`
//! - `names`: names that are looked for in stored texts again
//! - `damage`: damaged rows, and read-only workspaces
//! - `watch`: folders that change under a running `griot watch`
//! - `reader`: the worker process for heavy documents
//! - `hosts`: configuration of programs that run agents; `hooks`: the hooks those programs call
//! - `rollout`: modes of the rollout from end to end
//! - `server`: HTTP and MCP over real sockets and pipes
//! - `erase`: erasures and backups
//! - `models`: answers of language models, from a server that speaks their formats
//! - `notes`: what a language model noted of a memory
//! - `recalls`: the log of recalls
//! - `lists`: lists that are cut, and what they say
//! - `habits`: what people expect of any command line
//! - `golden`: the answers of every verb, recorded
//! - `documents`: the console blocks of README and the quickstart
//! - `json`: answers as JSON
//! - `bad_input`: large texts, foreign files, full disks: a clear error, and nothing changes

mod bad_input;
mod crawl;
mod damage;
mod documents;
mod embedder;
mod enrich;
mod erase;
mod exchange;
mod golden;
mod habits;
mod hooks;
mod hosts;
mod ingest;
mod json;
mod lists;
mod merges;
mod models;
mod names;
mod notes;
mod offers;
#[path = "../../../griot-ingest/tests/ingest/pdf.rs"]
#[allow(clippy::unwrap_used)]
mod pdf;
mod reader;
mod recalls;
mod rollout;
mod server;
mod settings;
#[path = "../../../griot-ingest/tests/ingest/site.rs"]
#[allow(dead_code, clippy::unwrap_used)]
mod site;
mod trust;
#[path = "../../../griot-models/tests/chat/vendor.rs"]
#[allow(dead_code)]
mod vendor;
mod verbs;
mod watch;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A temporary home.
#[derive(Debug)]
pub struct Home {
    folder: tempfile::TempDir,
}

/// A process that is killed when it is dropped.
pub struct Running(pub std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The result of a run.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Default for Home {
    fn default() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder can be made") }
    }
}

impl Home {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file beside the home and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join("files").join(name);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
        std::fs::write(&path, content).expect("the file can be written");
        path
    }

    /// The binary in this home, without settings of the user who runs the tests.
    pub fn process(&self) -> std::process::Command {
        self.process_of(env!("CARGO_BIN_EXE_griot"))
    }

    /// Another program in this home.
    pub fn process_of(&self, program: &str) -> std::process::Command {
        let mut command = std::process::Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("GRIOT_")) {
                command.env_remove(name);
            }
        }
        command.env("GRIOT_HOME", self.path().join("home")).env("COLUMNS", "100").current_dir(self.path());
        command
    }

    pub fn command(&self) -> assert_cmd::Command {
        assert_cmd::Command::from_std(self.process())
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, b"")
    }

    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Run {
        Run::of(self.command().args(arguments).write_stdin(stdin).output().expect("griot starts"))
    }

    /// A run that must fail with this code and a message that contains this.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str], code: i32, message: &str) {
        let run = self.run(arguments);
        assert!(run.stderr.contains(message), "griot {arguments:?}: no {message:?} in: {}", run.stderr);
        assert_eq!(run.code, code, "griot {arguments:?}: {}", run.stderr);
    }

    /// A run with more variables of the environment.
    pub fn run_in(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        let mut command = self.command();
        Run::of(command.envs(variables.iter().copied()).args(arguments).output().expect("griot starts"))
    }

    /// The output of a run that must succeed.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "griot {arguments:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    }

    /// The JSON answer of a run that must succeed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend(arguments);
        parsed(&self.ok(&all))
    }

    /// Stores a text and returns its handle without `#`.
    pub fn remember(&self, text: &str, options: &[&str]) -> String {
        let mut all = vec!["remember", text];
        all.extend(options);
        let answer = self.json(&all);
        answer["handle"].text().trim_start_matches('#').to_string()
    }

    /// An export of the workspace without its header, which contains the time.
    pub fn content(&self) -> String {
        let export = self.ok(&["export"]);
        export.split_once('\n').expect("it has a header").1.to_string()
    }
}

impl Run {
    pub fn of(output: std::process::Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("output is UTF-8"),
        }
    }

    /// The error message without the hint.
    pub fn error(&self) -> &str {
        self.stderr.split("\n\n").next().unwrap_or_default().trim_end()
    }

    /// Whether it succeeded without any output.
    #[track_caller]
    pub fn is_silent(&self, what: &str) {
        assert_eq!((self.code, self.stdout.as_str(), self.stderr.as_str()), (0, "", ""), "{what}");
    }

    /// The run failed with this code and a message that contains this.
    #[track_caller]
    pub fn refused(&self, code: i32, message: &str) {
        assert!(self.stderr.contains(message), "no {message:?} in: {}{}", self.stdout, self.stderr);
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
    }
}

/// Parts of JSON that must be there.
pub trait Parts {
    fn text(&self) -> &str;
    fn list(&self) -> &[Value];

    /// A text of each item of a list.
    fn texts(&self, key: &str) -> Vec<&str> {
        self.list().iter().filter_map(|one| one[key].as_str()).collect()
    }
}

impl Parts for Value {
    #[track_caller]
    fn text(&self) -> &str {
        self.as_str().unwrap_or_else(|| panic!("not a text: {self}"))
    }

    #[track_caller]
    fn list(&self) -> &[Value] {
        self.as_array().unwrap_or_else(|| panic!("not a list: {self}"))
    }
}

pub fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[track_caller]
pub fn has(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in: {text}");
}
