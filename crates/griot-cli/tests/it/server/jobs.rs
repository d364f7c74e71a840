//! Crawls on a server: started over HTTP and MCP, streamed, killed and resumed.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

use serde_json::{Value, json};

use super::{Agent, Events, Server, key};
use crate::Home;
use crate::site::{Site, answer, missing};

/// A site of so many pages, each leading to the next.
fn site(pages: usize) -> Site {
    gated(pages).0
}

/// As [`site`]; each page waits for a message, until the sender is dropped.
fn gated(pages: usize) -> (Site, Sender<()>) {
    let (let_go, turns) = channel();
    let turns = Mutex::new(turns);
    let site = Site::new(move |request| {
        let path = request.path.trim_start_matches('/');
        let number = if path.is_empty() { Some(0) } else { path.parse::<usize>().ok() };
        let Some(number) = number.filter(|number| *number < pages) else { return missing() };
        // An error says that nobody holds the page back any more.
        let _ = turns.lock().expect("no panic").recv();
        let text = format!(
            "<title>Pier {number}</title><h1>Pier {number}</h1><p>The keeper of pier {number} is called \
             Ada {number}. <a href=\"/{}\">on</a></p>",
            number + 1
        );
        answer(200, &[("Content-Type", "text/html")], text)
    });
    (site, let_go)
}

fn let_go_of(pages: usize, gate: &Sender<()>) {
    (0..pages).for_each(|_| gate.send(()).expect("the site is there"));
}

const OWN_SITES: [&str; 4] = ["--set", "crawl.allow_private=true", "--set", "crawl.requests_per_second=0"];

fn ended(server: &Server, job: &str) -> Value {
    Events::open(server, "").until(|| {
        let told = server.get(&format!("/v1/jobs/{job}")).json();
        (!matches!(told["state"].as_str(), Some("queued" | "running"))).then_some(told)
    })
}

#[test]
fn a_crawl_over_http_is_worked_on_and_told_as_it_goes() {
    let (home, site) = (Home::new(), site(4));
    let server = Server::start(&home, &OWN_SITES);
    assert_eq!(server.get("/v1/jobs").json(), json!([]));
    let mut events = Events::open(&server, "");
    let reply = server.post("/v1/crawl", &json!({"url": site.at("/"), "depth": 9, "tags": ["piers"]}));
    assert_eq!(reply.status, 200, "{}", reply.body);
    let job = reply.json();
    assert_eq!((&job["id"], &job["kind"]), (&json!("j1"), &json!("crawl")));
    let told = ended(&server, "j1");
    assert_eq!((&told["state"], &told["counts"]["stored"]), (&json!("done"), &json!(4)), "{told}");
    // A stream tells how far it is until it is done.
    loop {
        let data: Value = serde_json::from_str(&events.next("data: ")).expect("it is JSON");
        if data["id"] == "j1" && data["state"] == "done" {
            break;
        }
    }
    let progress = server.get("/api/knowledge/crawl/j1").json();
    let expected = json!({
        "crawlId": "j1", "status": "done", "pagesDiscovered": 5, "pagesCrawled": 4, "pagesProcessed": 4,
        "entitiesExtracted": progress["entitiesExtracted"],
        "errors": [{"url": site.at("/4"), "error": progress["errors"][0]["error"]}],
    });
    assert_eq!(progress, expected);
    let found = server.post("/v1/recall", &json!({"query": "Who is the keeper of pier 2?"})).json();
    assert!(found["results"][0]["text"].as_str().is_some_and(|text| text.contains("Ada 2")), "{found}");

    // One page while the client waits, by both routes.
    let page = server.post("/v1/ingest", &json!({"url": site.at("/3"), "tags": ["piers"]})).json();
    assert_eq!((&page["sources"], &page["unchanged"]), (&json!(1), &json!(1)), "{page}");
    let gone = server.post("/api/knowledge/ingest", &json!({"url": site.at("/77")})).json();
    assert_eq!((&gone["sources"], gone["failed"].as_array().map(Vec::len)), (&json!(0), Some(1)), "{gone}");
    assert_eq!(server.post("/v1/ingest", &json!({"url": site.at("/"), "text": "x"})).status, 400);

    let again = server.post("/v1/sources/s2/refresh", &json!({})).json();
    let again = ended(&server, again["id"].as_str().expect("it has an id"));
    assert_eq!((&again["kind"], &again["counts"]["unchanged"]), (&json!("refresh"), &json!(1)), "{again}");
    let tagged = server.send("PATCH", "/v1/sources/s2", &[], "{\"tags\": [\"harbour\"]}").json();
    assert_eq!(tagged["source"]["tags"], json!(["harbour"]), "{tagged}");
}

#[test]
fn a_server_that_is_killed_goes_on_with_its_crawl() {
    let (home, (site, gate)) = (Home::new(), gated(12));
    let server = Server::start(&home, &OWN_SITES);
    let mut events = Events::open(&server, "");
    server.post("/v1/crawl", &json!({"url": site.at("/"), "depth": 50}));
    // The last page is held back: the crawl cannot have ended.
    let_go_of(11, &gate);
    let stored = || server.get("/v1/jobs/j1").json()["counts"]["stored"].as_u64();
    events.until(|| (stored() >= Some(3)).then_some(()));
    drop(server);
    drop(gate);
    let server = Server::start(&home, &OWN_SITES);
    let told = ended(&server, "j1");
    assert_eq!((&told["state"], &told["counts"]["stored"]), (&json!("done"), &json!(12)), "{told}");
    // One page may have been on its way when the process ended.
    let twice = site.hits().values().filter(|count| **count > 1).count();
    assert!(twice <= 2, "{:?}", site.hits());
}

#[test]
fn jobs_can_be_stopped_and_belong_to_their_user() {
    let (home, (site, gate)) = (Home::new(), gated(100));
    let (ada, bob) = (
        key(&home, &["--user", "ada", "--role", "write"]),
        key(&home, &["--user", "bob", "--role", "write"]),
    );
    let server = Server::start(&home, &OWN_SITES);
    let ask = |key: &str, method: &str, path: &str, body: Value| {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        server.send(method, path, &[("Authorization", &format!("Bearer {key}"))], &text)
    };
    ask(&ada, "POST", "/v1/crawl", json!({"url": site.at("/"), "depth": 100}));
    assert_eq!(ask(&bob, "GET", "/v1/jobs", Value::Null).json(), json!([]));
    for (method, path) in
        [("GET", "/v1/jobs/j1"), ("POST", "/v1/jobs/j1/cancel"), ("GET", "/api/knowledge/crawl/j1")]
    {
        let body = if method == "GET" { Value::Null } else { json!({}) };
        assert_eq!(ask(&bob, method, path, body).status, 404, "{path}");
    }
    let mut events = Events::open(&server, &format!("Authorization: Bearer {ada}\r\n"));
    let mut state = |wanted: &str| {
        events.until(|| {
            let told = ask(&ada, "GET", "/v1/jobs/j1", Value::Null).json();
            (told["state"] == wanted).then_some(told)
        })
    };
    state("running");
    ask(&ada, "POST", "/v1/jobs/j1/pause", json!({}));
    let_go_of(10, &gate);
    let paused = state("paused");
    assert_eq!(ask(&ada, "POST", "/v1/jobs/j1/resume", json!({})).status, 200);
    state("running");
    ask(&ada, "POST", "/v1/jobs/j1/cancel", json!({}));
    let_go_of(10, &gate);
    let cancelled = state("cancelled");
    assert!(cancelled["counts"]["fetched"].as_u64() >= paused["counts"]["fetched"].as_u64());
    assert_eq!(ask(&ada, "POST", "/v1/jobs/j1/resume", json!({})).status, 400);
    // The crawled pages are Ada's.
    let found = ask(&bob, "POST", "/v1/recall", json!({"query": "keeper of pier 0"})).json();
    assert_eq!(found["results"], json!([]));
}

#[test]
fn addresses_of_this_machine_are_not_asked_for_a_client() {
    let (home, site) = (Home::new(), site(2));
    let server = Server::start(&home, &[]);
    server.post("/v1/crawl", &json!({"url": site.at("/")}));
    let told = ended(&server, "j1");
    assert_eq!(told["state"], "failed", "{told}");
    let page = server.post("/v1/ingest", &json!({"url": site.at("/")})).json();
    let failed = &page["failed"][0]["message"];
    assert!(failed.as_str().is_some_and(|why| why.contains("its address is not public")), "{page}");
    assert!(site.hits().is_empty());
    for body in [
        json!({"url": "ftp://x/"}),
        json!({"url": site.at("/"), "mode": "deep"}),
        json!({"url": "no address"}),
    ] {
        assert_eq!(server.post("/v1/crawl", &body).status, 400, "{body}");
    }
}

#[test]
fn a_crawl_over_mcp_waits_if_it_is_asked_to_and_tells_how_far_it_is() {
    let (home, (site, gate)) = (Home::new(), gated(6));
    let mut arguments = vec!["--compatibility"];
    arguments.extend(OWN_SITES);
    let mut agent = Agent::start(&home, &arguments);
    let arguments = json!({"url": site.at("/"), "maxDepth": 9, "maxPages": 5, "wait": true});
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
        // What was told first comes before the first page.
        if heard.len() == 1 {
            let_go_of(2, &gate);
        } else if heard.len() == 2 {
            let_go_of(4, &gate);
        }
    };
    let reported = &answer["result"]["structuredContent"];
    assert_eq!((&reported["status"], &reported["pagesProcessed"]), (&json!("done"), &json!(5)), "{answer}");
    assert!(heard.len() > 1 && heard.is_sorted(), "{heard:?}");
    let status = agent.call("knowledge_crawl_status", json!({}));
    assert_eq!(status["structuredContent"], *reported);
    let page = agent.call("knowledge_ingest", json!({"url": site.at("/5")}));
    assert_eq!(page["structuredContent"]["added"], 1, "{page}");
}

#[test]
fn a_server_repeats_crawls_and_watches_folders() {
    let (home, site) = (Home::new(), site(2));
    let folder = home.path().join("memory");
    std::fs::create_dir(&folder).expect("it can be made");
    std::fs::write(folder.join("tea.md"), "Ada drinks green tea.").expect("it can be written");
    let mut arguments = vec!["--watch", folder.to_str().expect("a name")];
    arguments.extend(OWN_SITES);
    let server = Server::start(&home, &arguments);
    // A second after its end.
    server.post("/v1/crawl", &json!({"url": site.at("/"), "every_hours": 0.0003}));
    let mut events = Events::open(&server, "");
    let recalls = |question: &str, text: &str| {
        server.post("/v1/recall", &json!({"query": question})).body.contains(text).then_some(())
    };
    events.until(|| recalls("What does Ada drink?", "green tea"));
    std::fs::write(folder.join("tea.md"), "Ada drinks black coffee.").expect("it can be written");
    events.until(|| recalls("What does Ada drink?", "black coffee"));
    events.until(|| {
        let jobs = server.get("/v1/jobs").json();
        let is_repeated =
            |job: &Value| job["kind"] == "refresh" && job["counts"]["unchanged"].as_u64() > Some(0);
        jobs.as_array().is_some_and(|jobs| jobs.iter().any(is_repeated)).then_some(())
    });
}
