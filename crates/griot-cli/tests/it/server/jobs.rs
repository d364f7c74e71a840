//! Crawls on a server: started over HTTP and MCP, streamed, killed and resumed.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

use serde_json::{Value, json};

use super::{Agent, Events, Server, traced, user_key};
use crate::site::{Site, answer, missing};
use crate::{Home, Parts, has, parsed};

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
        // An error says that pages are no longer held back.
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

/// The job once it has ended in this state.
#[track_caller]
fn ended(server: &Server, id: &str, state: &str) -> Value {
    let job = Events::open(server, "").until(|| {
        let job = server.get(&format!("/v1/jobs/{id}")).json();
        (!matches!(job["state"].as_str(), Some("queued" | "running"))).then_some(job)
    });
    assert_eq!(job["state"], state, "{job}");
    job
}

#[test]
fn a_crawl_over_http_is_worked_on_and_reports_its_progress() {
    let (home, site) = (Home::new(), site(4));
    let server = Server::start(&home, &OWN_SITES);
    assert_eq!(server.get("/v1/jobs").json(), json!([]));
    let mut events = Events::open(&server, "");
    let job = server.post("/v1/crawl", &json!({"url": site.at("/"), "depth": 9, "tags": ["piers"]})).fine();
    assert_eq!((job["id"].text(), job["kind"].text()), ("j1", "crawl"));
    assert_eq!(ended(&server, "j1", "done")["counts"]["stored"], 4);
    // A stream reports its progress until it is done.
    let is_done = |data: Value| data["id"] == "j1" && data["state"] == "done";
    while !is_done(parsed(&events.next("data: "))) {}
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
    let again = ended(&server, again["id"].text(), "done");
    assert_eq!((again["kind"].text(), &again["counts"]["unchanged"]), ("refresh", &json!(1)), "{again}");
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
    assert_eq!(ended(&server, "j1", "done")["counts"]["stored"], 12);
    // One page may have been on its way when the process ended.
    let twice = site.hits().values().filter(|count| **count > 1).count();
    assert!(twice <= 2, "{:?}", site.hits());
}

#[test]
fn jobs_can_be_stopped_and_belong_to_their_user() {
    let (home, (site, gate)) = (Home::new(), gated(100));
    let (ada, bob) = (user_key(&home, "write", "ada"), user_key(&home, "write", "bob"));
    let server = Server::start(&home, &OWN_SITES);
    let ask = |key: &str, method: &str, path: &str, body: Value| server.with(key, method, path, &body);
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
            let job = ask(&ada, "GET", "/v1/jobs/j1", Value::Null).json();
            (job["state"] == wanted).then_some(job)
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
    ended(&server, "j1", "failed");
    let page = server.post("/v1/ingest", &json!({"url": site.at("/")})).json();
    has(page["failed"][0]["message"].text(), "its address is not public");
    assert!(site.hits().is_empty());
    let wrong_mode = json!({"url": site.at("/"), "mode": "deep"});
    for body in [json!({"url": "ftp://x/"}), wrong_mode, json!({"url": "no address"})] {
        assert_eq!(server.post("/v1/crawl", &body).status, 400, "{body}");
    }
}

#[test]
fn a_crawl_over_mcp_waits_if_it_is_asked_to_and_reports_its_progress() {
    let (home, (site, gate)) = (Home::new(), gated(6));
    let mut arguments = vec!["--compatibility"];
    arguments.extend(OWN_SITES);
    let mut agent = Agent::start(&home, &arguments);
    let arguments = json!({"url": site.at("/"), "maxDepth": 9, "maxPages": 5, "wait": true});
    let arguments = traced(arguments);
    let mut heard = Vec::new();
    let answer = agent.call_with_progress("knowledge_crawl", arguments, |progress| {
        heard.push(progress["progress"].as_f64().expect("it is a number"));
        // The first report comes before the first page.
        match heard.len() {
            1 => let_go_of(2, &gate),
            2 => let_go_of(4, &gate),
            _ => {}
        }
    });
    let reported = &answer["structuredContent"]["trace"];
    assert_eq!((reported["status"].text(), &reported["pagesProcessed"]), ("done", &json!(5)), "{answer}");
    assert!(heard.len() > 1 && heard.is_sorted(), "{heard:?}");
    assert_eq!(agent.trace("knowledge_crawl_status", json!({})), *reported);
    let page = agent.trace("knowledge_ingest", json!({"url": site.at("/5")}));
    assert_eq!(page["added"], 1, "{page}");
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
