//! Crawls on a server: started over HTTP and MCP, streamed, killed and resumed.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Agent, PATIENCE, Server, key};
use crate::Home;

/// A slow site of this many pages, each linking to the next.
struct Site {
    url: String,
    hits: Arc<Mutex<BTreeMap<String, usize>>>,
}

fn site(pages: usize, pause: Duration) -> Site {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/", listener.local_addr().expect("it has an address"));
    let hits: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
    let counted = Arc::clone(&hits);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let counted = Arc::clone(&counted);
            std::thread::spawn(move || {
                let mut asked = [0_u8; 4096];
                let count = stream.read(&mut asked).unwrap_or(0);
                let asked = String::from_utf8_lossy(&asked[..count]).into_owned();
                let path = asked.split(' ').nth(1).unwrap_or_default().to_string();
                *counted.lock().expect("no panic").entry(path.clone()).or_default() += 1;
                let number =
                    path.trim_start_matches('/').parse::<usize>().ok().or((path == "/").then_some(0));
                let (status, body) = match number.filter(|number| *number < pages) {
                    Some(number) => {
                        std::thread::sleep(pause);
                        let text = format!(
                            "<title>Pier {number}</title><h1>Pier {number}</h1><p>The keeper of pier {number} is called \
                             Ada {number}. <a href=\"/{}\">on</a></p>",
                            number + 1
                        );
                        (200, text)
                    }
                    None => (404, String::new()),
                };
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status} x\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n{body}"
                );
            });
        }
    });
    Site { url, hits }
}

const OWN_SITES: [&str; 4] = ["--set", "crawl.allow_private=true", "--set", "crawl.requests_per_second=0"];

fn ended(server: &Server, job: &str) -> Value {
    let start = Instant::now();
    loop {
        let reported = server.get(&format!("/v1/jobs/{job}")).json();
        if !matches!(reported["state"].as_str(), Some("queued" | "running")) {
            return reported;
        }
        assert!(start.elapsed() < PATIENCE, "{reported}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_crawl_over_http_runs_and_reports_its_progress() {
    let (home, site) = (Home::new(), site(4, Duration::ZERO));
    let server = Server::start(&home, &OWN_SITES);
    assert_eq!(server.get("/v1/jobs").json(), json!([]));
    let mut events = BufReader::new(server.connect());
    let asked = format!("GET /v1/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    events.get_mut().write_all(asked.as_bytes()).expect("it listens");
    let reply = server.post("/v1/crawl", &json!({"url": site.url, "depth": 9, "tags": ["piers"]}));
    assert_eq!(reply.status, 200, "{}", reply.body);
    let job = reply.json();
    assert_eq!((&job["id"], &job["kind"]), (&json!("j1"), &json!("crawl")));
    let reported = ended(&server, "j1");
    assert_eq!(
        (&reported["state"], &reported["counts"]["stored"]),
        (&json!("done"), &json!(4)),
        "{reported}"
    );
    // The event stream reports progress until the job is done.
    let mut line = String::new();
    loop {
        line.clear();
        events.read_line(&mut line).expect("the stream goes on");
        let data = line.strip_prefix("data: ").and_then(|data| serde_json::from_str::<Value>(data).ok());
        if data.is_some_and(|data| data["id"] == "j1" && data["state"] == "done") {
            break;
        }
    }
    let progress = server.get("/api/knowledge/crawl/j1").json();
    let expected = json!({
        "crawlId": "j1", "status": "done", "pagesDiscovered": 5, "pagesCrawled": 4, "pagesProcessed": 4,
        "entitiesExtracted": progress["entitiesExtracted"],
        "errors": [{"url": format!("{}4", site.url), "error": progress["errors"][0]["error"]}],
    });
    assert_eq!(progress, expected);
    let found = server.post("/v1/recall", &json!({"query": "Who is the keeper of pier 2?"})).json();
    assert!(found["results"][0]["text"].as_str().is_some_and(|text| text.contains("Ada 2")), "{found}");

    // One page while the client waits, over both routes.
    let page = server.post("/v1/ingest", &json!({"url": format!("{}3", site.url), "tags": ["piers"]})).json();
    assert_eq!((&page["sources"], &page["unchanged"]), (&json!(1), &json!(1)), "{page}");
    let gone = server.post("/api/knowledge/ingest", &json!({"url": format!("{}77", site.url)})).json();
    assert_eq!((&gone["sources"], gone["failed"].as_array().map(Vec::len)), (&json!(0), Some(1)), "{gone}");
    assert_eq!(server.post("/v1/ingest", &json!({"url": site.url, "text": "x"})).status, 400);

    let again = server.post("/v1/sources/s2/refresh", &json!({})).json();
    let again = ended(&server, again["id"].as_str().expect("it has an id"));
    assert_eq!((&again["kind"], &again["counts"]["unchanged"]), (&json!("refresh"), &json!(1)), "{again}");
    let tagged = server.send("PATCH", "/v1/sources/s2", &[], "{\"tags\": [\"harbour\"]}").json();
    assert_eq!(tagged["source"]["tags"], json!(["harbour"]), "{tagged}");
}

#[test]
fn a_killed_server_resumes_its_crawl() {
    let (home, site) = (Home::new(), site(12, Duration::from_millis(40)));
    let server = Server::start(&home, &OWN_SITES);
    server.post("/v1/crawl", &json!({"url": site.url, "depth": 50}));
    let start = Instant::now();
    while server.get("/v1/jobs/j1").json()["counts"]["stored"].as_u64() < Some(3) {
        assert!(start.elapsed() < PATIENCE);
    }
    drop(server);
    let server = Server::start(&home, &OWN_SITES);
    let reported = ended(&server, "j1");
    assert_eq!(
        (&reported["state"], &reported["counts"]["stored"]),
        (&json!("done"), &json!(12)),
        "{reported}"
    );
    // One page may have been in flight when the process was killed.
    let twice = site.hits.lock().expect("no panic").values().filter(|count| **count > 1).count();
    assert!(twice <= 2, "{:?}", site.hits);
}

#[test]
fn jobs_can_be_stopped_and_belong_to_their_user() {
    let (home, site) = (Home::new(), site(100, Duration::from_millis(30)));
    let (ada, bob) = (
        key(&home, &["--user", "ada", "--role", "write"]),
        key(&home, &["--user", "bob", "--role", "write"]),
    );
    let server = Server::start(&home, &OWN_SITES);
    let ask = |key: &str, method: &str, path: &str, body: Value| {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        server.send(method, path, &[("Authorization", &format!("Bearer {key}"))], &text)
    };
    ask(&ada, "POST", "/v1/crawl", json!({"url": site.url, "depth": 100}));
    assert_eq!(ask(&bob, "GET", "/v1/jobs", Value::Null).json(), json!([]));
    for (method, path) in
        [("GET", "/v1/jobs/j1"), ("POST", "/v1/jobs/j1/cancel"), ("GET", "/api/knowledge/crawl/j1")]
    {
        let body = if method == "GET" { Value::Null } else { json!({}) };
        assert_eq!(ask(&bob, method, path, body).status, 404, "{path}");
    }
    let state = |wanted: &str| {
        let start = Instant::now();
        loop {
            let reported = ask(&ada, "GET", "/v1/jobs/j1", Value::Null).json();
            if reported["state"] == wanted {
                return reported;
            }
            assert!(start.elapsed() < PATIENCE, "{reported}");
            std::thread::sleep(Duration::from_millis(30));
        }
    };
    state("running");
    ask(&ada, "POST", "/v1/jobs/j1/pause", json!({}));
    let paused = state("paused");
    assert_eq!(ask(&ada, "POST", "/v1/jobs/j1/resume", json!({})).status, 200);
    state("running");
    ask(&ada, "POST", "/v1/jobs/j1/cancel", json!({}));
    let cancelled = state("cancelled");
    assert!(cancelled["counts"]["fetched"].as_u64() >= paused["counts"]["fetched"].as_u64());
    assert_eq!(ask(&ada, "POST", "/v1/jobs/j1/resume", json!({})).status, 400);
    // The crawled pages are Ada's.
    let found = ask(&bob, "POST", "/v1/recall", json!({"query": "keeper of pier 0"})).json();
    assert_eq!(found["results"], json!([]));
}

#[test]
fn addresses_of_this_machine_are_not_asked_for_a_client() {
    let (home, site) = (Home::new(), site(2, Duration::ZERO));
    let server = Server::start(&home, &[]);
    server.post("/v1/crawl", &json!({"url": site.url}));
    let reported = ended(&server, "j1");
    assert_eq!(reported["state"], "failed", "{reported}");
    let page = server.post("/v1/ingest", &json!({"url": site.url})).json();
    let failed = &page["failed"][0]["message"];
    assert!(failed.as_str().is_some_and(|why| why.contains("its address is not public")), "{page}");
    assert!(site.hits.lock().expect("no panic").is_empty());
    for body in
        [json!({"url": "ftp://x/"}), json!({"url": site.url, "mode": "deep"}), json!({"url": "no address"})]
    {
        assert_eq!(server.post("/v1/crawl", &body).status, 400, "{body}");
    }
}

#[test]
fn a_crawl_over_mcp_waits_on_request_and_reports_its_progress() {
    let (home, site) = (Home::new(), site(6, Duration::from_millis(100)));
    let mut arguments = vec!["--compatibility"];
    arguments.extend(OWN_SITES);
    let mut agent = Agent::start(&home, &arguments);
    let arguments = json!({"url": site.url, "maxDepth": 9, "maxPages": 5, "wait": true});
    let params = json!({"name": "knowledge_crawl", "arguments": arguments, "_meta": {"progressToken": "p"}});
    let call = json!({"jsonrpc": "2.0", "id": "crawl", "method": "tools/call", "params": params});
    agent.write(format!("{call}\n").as_bytes());
    let mut heard = Vec::new();
    let answer = loop {
        let message = agent.read();
        if message["id"] == "crawl" {
            break message;
        }
        heard.push(message["params"]["progress"].as_f64().expect("it is a number"));
    };
    let reported = &answer["result"]["structuredContent"];
    assert_eq!((&reported["status"], &reported["pagesProcessed"]), (&json!("done"), &json!(5)), "{answer}");
    assert!(heard.len() > 1 && heard.is_sorted(), "{heard:?}");
    let status = agent.call("knowledge_crawl_status", json!({}));
    assert_eq!(status["structuredContent"], *reported);
    let page = agent.call("knowledge_ingest", json!({"url": format!("{}5", site.url)}));
    assert_eq!(page["structuredContent"]["added"], 1, "{page}");
}

#[test]
fn a_server_repeats_crawls_and_watches_folders() {
    let (home, site) = (Home::new(), site(2, Duration::ZERO));
    let folder = home.path().join("memory");
    std::fs::create_dir(&folder).expect("it can be made");
    std::fs::write(folder.join("tea.md"), "Ada drinks green tea.").expect("it can be written");
    let mut arguments = vec!["--watch", folder.to_str().expect("a name")];
    arguments.extend(OWN_SITES);
    let server = Server::start(&home, &arguments);
    // Repeats one second after it ends.
    server.post("/v1/crawl", &json!({"url": site.url, "every_hours": 0.0003}));
    let until = |what: &str, is_so: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < PATIENCE, "{what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let recalls = |question: &str, text: &str| {
        server.post("/v1/recall", &json!({"query": question})).body.contains(text)
    };
    until("what is there is read", &|| recalls("What does Ada drink?", "green tea"));
    std::fs::write(folder.join("tea.md"), "Ada drinks black coffee.").expect("it can be written");
    until("what changes is read", &|| recalls("What does Ada drink?", "black coffee"));
    until("the crawl is repeated", &|| {
        let jobs = server.get("/v1/jobs").json();
        jobs.as_array().is_some_and(|jobs| {
            jobs.iter().any(|job| job["kind"] == "refresh" && job["counts"]["unchanged"].as_u64() > Some(0))
        })
    });
}
