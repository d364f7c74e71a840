//! Workspaces in temporary folders, a clock that only tests advance, and other processes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use griot::engine::{
    Access, Clock, Engine, FactDraft, GraphsToBuild, Imported, LinkRequest, Record, Settings,
};
use griot::model::{EdgeKind, ErrorKind, Memory, Predicate, Result, Scope, Timestamp};
use griot::recall::Query;
use griot::remember::{Draft, Remembered};

/// 2025-06-01T12:00:00Z.
pub const NOW: Timestamp = Timestamp(1_748_779_200_000);

/// Only edges of similarity.
pub fn semantic(threshold: f32) -> GraphsToBuild {
    GraphsToBuild { semantic: Some(threshold), temporal: false }
}

/// A clock in the hands of the test.
#[derive(Clone)]
pub struct Hands(Arc<AtomicI64>);

impl Hands {
    pub fn new() -> Self {
        Self(Arc::new(AtomicI64::new(NOW.0)))
    }

    pub fn clock(&self) -> Clock {
        let hands = self.clone();
        Arc::new(move || hands.now())
    }

    pub fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }

    pub fn advance(&self, milliseconds: i64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

pub struct Workspace {
    folder: tempfile::TempDir,
    pub hands: Hands,
}

impl Workspace {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), hands: Hands::new() }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("workspace.db")
    }

    pub fn index(&self) -> PathBuf {
        self.folder.path().join("workspace.db.index")
    }

    pub fn open(&self) -> Engine {
        self.open_with(quick())
    }

    pub fn open_with(&self, settings: Settings) -> Engine {
        let access = Access { create: true, read_only: false };
        Engine::open(&self.path(), access, settings).unwrap().with_clock(self.hands.clock())
    }

    pub fn open_read_only(&self) -> Engine {
        Engine::open(&self.path(), Access { create: false, read_only: true }, quick()).unwrap()
    }
}

/// A new workspace, open.
pub fn opened() -> (Workspace, Engine) {
    let workspace = Workspace::new();
    let engine = workspace.open();
    (workspace, engine)
}

/// Most tests are not about power cuts: they do not wait for the disk.
pub fn quick() -> Settings {
    let mut settings = Settings::default();
    settings.store.durable = false;
    settings
}

pub fn open(path: &Path) -> Result<Engine> {
    Engine::open(path, Access { create: true, read_only: false }, quick())
}

pub fn scope(user: Option<&str>, project: Option<&str>) -> Scope {
    Scope { user: user.map(str::to_owned), project: project.map(str::to_owned) }
}

pub fn remember(engine: &Engine, text: &str) -> Remembered {
    engine.remember(Draft::new(text)).unwrap()
}

pub fn ask(text: &str) -> Query {
    Query { limit: 50, ..Query::new(text, NOW) }
}

/// What was said so many days before [`NOW`].
pub fn said(text: &str, days: i64) -> Draft {
    Draft { occurred_at: Some(Timestamp(NOW.0 - days * Timestamp::DAY)), ..Draft::new(text) }
}

/// A cause stated by a person.
pub fn link(source: &str, target: &str) -> LinkRequest {
    LinkRequest {
        reason: Some("a person saw it".into()),
        ..LinkRequest::new(source, target, EdgeKind::Causal)
    }
}

/// A fact without times.
pub fn fact(subject: &str, predicate: Predicate, object: &str, memory: Option<&str>) -> FactDraft {
    FactDraft {
        subject: subject.into(),
        predicate,
        object: object.into(),
        valid_from: None,
        valid_to: None,
        confidence: None,
        memory: memory.map(str::to_owned),
        reason: None,
        scope: Scope::default(),
    }
}

/// All memories, hidden ones too.
pub fn all_memories(engine: &Engine) -> Vec<Memory> {
    engine.read().unwrap().memories_after(0, 1_000_000).unwrap()
}

/// An export, with its header.
pub fn records(engine: &Engine) -> Vec<Record> {
    let mut records = Vec::new();
    let mut sink = |record| {
        records.push(record);
        Ok(())
    };
    engine.export(&mut sink).unwrap();
    records
}

/// Everything a workspace holds, as text, without the header, which carries revision and time.
pub fn exported(engine: &Engine) -> Vec<String> {
    let records = records(engine).into_iter();
    let rest = records.filter(|record| !matches!(record, Record::Header { .. }));
    rest.map(|record| format!("{record:?}")).collect()
}

/// Imports all of these records.
pub fn import(engine: &Engine, records: &[Record]) -> Result<Imported> {
    engine.import(&mut records.iter().cloned().map(Ok))
}

pub fn assert_sound(engine: &Engine) {
    assert_eq!(engine.doctor().unwrap().problems, Vec::<String>::new());
}

/// An error of this kind that says something, and a store that is as it was.
#[track_caller]
pub fn assert_refused<T>(engine: &Engine, kind: ErrorKind, act: impl FnOnce(&Engine) -> Result<T>) -> String {
    let before = (engine.read().unwrap().revision(), engine.read().unwrap().counts().unwrap());
    let error = act(engine).err().expect("this is refused");
    assert_eq!(error.kind, kind, "{error}");
    assert!(!error.what.is_empty() && !error.why.is_empty(), "{error:?}");
    let after = (engine.read().unwrap().revision(), engine.read().unwrap().counts().unwrap());
    assert_eq!(before, after, "{error} changed the store");
    error.to_string()
}

/// The orders for a child process; empty in the parent.
pub const ROLE: &str = "GRIOT_TEST_ROLE";

/// The value under which the child finds its orders, if this process is such a child.
pub fn role(of: &str) -> Option<BTreeMap<String, String>> {
    let orders = std::env::var(ROLE).ok()?;
    let orders: BTreeMap<String, String> =
        orders.lines().filter_map(|line| line.split_once('=')).map(|(k, v)| (k.into(), v.into())).collect();
    (orders.get("role").map(String::as_str) == Some(of)).then_some(orders)
}

/// This very test binary, running one test that looks for a role. `shell` is put before it in `sh -c`.
pub fn child(test: &str, shell: Option<&str>, orders: &[(&str, String)]) -> (Child, BufReader<ChildStdout>) {
    let program = std::env::current_exe().unwrap();
    let mut command = match shell {
        None => Command::new(&program),
        Some(before) => {
            let mut command = Command::new("sh");
            command.arg("-c").arg(format!("{before}; exec \"$0\" \"$@\"")).arg(&program);
            command
        }
    };
    let orders: Vec<String> = orders.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut child = command
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(ROLE, orders.join("\n"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    (child, lines)
}

/// Sends the parent a line, in one write.
pub fn send(word: &str, text: &str) {
    // The test harness may have begun a line.
    let line = format!("\n{word} {text}\n");
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes()).unwrap();
    out.flush().unwrap();
}

/// The next line of the child: word and text. `None` when it has ended.
pub fn received(lines: &mut BufReader<ChildStdout>) -> Option<(String, String)> {
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let is_whole = line.ends_with('\n');
        if let Some((word, text)) = line.trim_end().split_once(' ')
            && is_whole
            && ["ACK", "ERROR", "CONFLICT", "DONE"].contains(&word)
        {
            return Some((word.to_owned(), text.to_owned()));
        }
    }
}
