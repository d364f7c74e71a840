//! A server whose graph fails. The store of its engine breaks when the test says so, and the test sets its
//! clock; everything else is as in `griot serve`.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use griot::embed::StaticEmbedder;
use griot::engine::{Clock, Engine, McpSettings, ServerSettings, Settings};
use griot::model::{Error, Result, Timestamp};
use griot::remember::Draft;
use griot_server::access::Keys;
use griot_server::http::{App, listen};
use griot_server::service::{Service, Workspaces};
use griot_testkit::{Fault, Switch, Watched};
use serde_json::{Value, json};
use tokio::sync::oneshot;

const NOW: i64 = 1_748_779_200_000;
/// Width of a window, as the settings have it.
const WINDOW: i64 = Timestamp::DAY;
const QUESTION: &str = "Why did we move the sessions to Redis?";
/// How long the test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// One workspace, which is opened once.
struct One(Mutex<Option<Engine>>);

impl Workspaces for One {
    fn open(&self, name: &str) -> Result<Engine> {
        let engine = self.0.lock().ok().and_then(|mut engine| engine.take());
        engine.ok_or_else(|| Error::not_found(format!("open the workspace `{name}`"), "it was opened before"))
    }

    fn database(&self, name: &str) -> Result<PathBuf> {
        Ok(PathBuf::from(format!("{name}.nowhere")))
    }

    fn names(&self) -> Result<Vec<String>> {
        Ok(vec![self.active()?])
    }

    fn active(&self) -> Result<String> {
        Ok("default".to_string())
    }
}

/// A server, the store's switch and the engine's clock.
struct Bench {
    address: SocketAddr,
    switch: Switch,
    clock: Arc<AtomicI64>,
    end: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<Result<()>>>,
}

impl Bench {
    fn new() -> Self {
        let (switch, clock) = (Switch::default(), Arc::new(AtomicI64::new(NOW)));
        let hands = Arc::clone(&clock);
        let clock_of_engine: Clock = Arc::new(move || Timestamp(hands.load(Ordering::SeqCst)));
        let backend = Box::new(Watched::new(&switch));
        let engine = Engine::new(backend, Arc::new(StaticEmbedder), clock_of_engine, Settings::default())
            .expect("the engine starts");
        for text in [
            "We moved the sessions to Redis because Postgres was too slow.",
            "Postgres was slow because the disk of the database was full.",
            "Grace ordered a larger disk for the database on Monday.",
            "Ada prefers tabs.",
            "The Redis cluster has three nodes.",
        ] {
            engine.remember(Draft::new(text)).expect("it is stored");
        }
        let service = Arc::new(Service::new(Box::new(One(Mutex::new(Some(engine))))));
        let (listening, address) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        let server = std::thread::spawn(move || {
            let home = tempfile::tempdir()
                .map_err(|error| Error::unavailable("make a folder", error.to_string()))?;
            let keys = Keys::at(home.path().join("keys.json"));
            let make = |loopback| {
                App::new(service, keys, ServerSettings::default(), McpSettings::default(), loopback)
            };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime =
                runtime.map_err(|error| Error::unavailable("start the server", error.to_string()))?;
            runtime.block_on(async {
                let server = listen::bind("127.0.0.1:0", make).await?;
                // The test may have given up.
                let _ = listening.send(server.address());
                server.run(async { drop(ended.await) }).await
            })
        });
        let address = address.recv_timeout(PATIENCE).expect("it listens");
        Self { address, switch, clock, end: Some(end), server: Some(server) }
    }

    fn send(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        let kind = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all((head + &kind).as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        let (head, body) = reply.split_once("\r\n\r\n").expect("it is HTTP");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("it has a status");
        (status, serde_json::from_str(body).expect("it is JSON"))
    }

    fn recall(&self, question: &str, strategy: Option<&str>) -> Value {
        let body = json!({"query": question, "strategy": strategy}).to_string();
        let (status, answer) = self.send("POST", "/v1/recall", &body);
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Many questions that ask for the graph, and how each was answered.
    fn many(&self, count: usize) -> Vec<Value> {
        let ask =
            |number| self.recall(&format!("{QUESTION} {number}"), Some("hybrid_graph"))["rollout"].take();
        let answered = (0..count).map(ask).collect();
        // What was counted is written.
        self.rollout();
        answered
    }

    fn rollout(&self) -> Value {
        let (status, rollout) = self.send("GET", "/v1/rollout", "");
        assert_eq!(status, 200, "{rollout}");
        rollout
    }

    fn set(&self, mode: &str) -> (u16, Value) {
        self.send("PATCH", "/v1/rollout", &json!({ "mode": mode }).to_string())
    }

    fn pass(&self, windows: i64) {
        self.clock.fetch_add(windows * WINDOW, Ordering::SeqCst);
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // It ends when its other end is dropped, too.
        drop(self.end.take());
        if let Some(server) = self.server.take() {
            let ended = server.join().expect("the server does not panic");
            assert_eq!(ended, Ok(()));
        }
    }
}

fn made(answer: &Value) -> [&str; 3] {
    ["requested", "applied", "fallback_reason"].map(|key| answer["rollout"][key].as_str().unwrap_or_default())
}

#[test]
fn invariant_9_a_failing_graph_is_answered_over_http_by_the_baseline() {
    let bench = Bench::new();
    let graph = bench.recall(QUESTION, None);
    assert_eq!(made(&graph), ["hybrid_graph", "hybrid_graph", ""]);
    let baseline = bench.recall(QUESTION, Some("baseline"));
    assert_ne!(graph["results"], baseline["results"], "the graph makes a difference here");
    for fault in [Fault::Walks, Fault::Edges] {
        bench.switch.set(fault);
        let answer = bench.recall(QUESTION, None);
        assert_eq!(made(&answer), ["hybrid_graph", "baseline", "graph_expansion_error"], "{fault:?}");
        assert!(!answer["results"].as_array().is_none_or(Vec::is_empty), "{fault:?}");
        assert!(!answer["missing"].as_array().is_none_or(Vec::is_empty), "the answer says what was missing");
        if fault == Fault::Walks {
            assert_eq!(answer["results"], baseline["results"]);
        }
    }
    // Failures are counted and shown in the status.
    let (_, status) = bench.send("GET", "/api/sdk/v1/graph/status", "");
    assert_eq!(status["data"]["shadowMetrics"]["graphErrorFallbacks"], 2, "{status}");
    assert_eq!(status["data"]["recentErrors"][0]["code"], "GRAPH_EXPANSION_ERROR");
    bench.switch.set(Fault::None);
    assert_eq!(made(&bench.recall(QUESTION, None)), ["hybrid_graph", "hybrid_graph", ""]);
}

#[test]
fn the_gate_blocks_a_failing_graph_over_http_and_opens_again_once_it_is_mended() {
    let bench = Bench::new();
    assert_eq!(bench.set("canary").0, 200);
    bench.switch.set(Fault::Walks);
    let failing = bench.many(20);
    assert!(failing.iter().all(|made| made["fallback_reason"] == "graph_expansion_error"), "{failing:?}");
    assert_eq!(bench.rollout()["gate"]["state"], "open", "the window has not ended: nothing is judged");

    bench.pass(1);
    let held = bench.many(30);
    let is_held =
        |made: &Value| made["fallback_reason"] == "quality_gate_blocked" && made["applied"] == "baseline";
    assert!(held.iter().all(is_held), "{held:?}");
    assert_eq!(bench.rollout()["gate"]["state"], "blocked");
    let (status, refused) = bench.set("on");
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("conflict")), "{refused}");

    // Mended; after a window of cooling down a share of the requests tries it.
    bench.switch.set(Fault::None);
    bench.pass(1);
    let probing = bench.many(40);
    let probes = probing.iter().filter(|made| made["probe"] == true).count();
    assert!((1..40).contains(&probes), "{probes} of 40 probe");
    assert!(probing.iter().all(|made| made["probe"] == true || is_held(made)), "{probing:?}");
    assert_eq!(bench.rollout()["gate"]["state"], "half_open");

    bench.pass(1);
    let open = bench.many(5);
    assert!(open.iter().all(|made| made["gate"] == "open" && made["applied"] == "hybrid_graph"), "{open:?}");
    assert_eq!(bench.rollout()["gate"]["state"], "open");
}
