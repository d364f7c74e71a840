//! `griot crawl` and its jobs, with a local site.

use serde_json::json;

use crate::site::{Site, answer, missing};
use crate::{Home, Parts, has};

/// Two pages and nothing else, at an address of this machine.
pub fn harbour() -> Site {
    Site::new(|request| {
        let html = |body: &str| answer(200, &[("Content-Type", "text/html")], body);
        match request.path.as_str() {
            "/" => {
                html("<title>Home</title><h1>Home</h1><p>The harbour master is Ada. <a href=/tides>Tides</a>")
            }
            "/tides" => html("<title>Tides</title><h1>Tides</h1><p>High water at Brest is at noon.</p>"),
            _ => missing(),
        }
    })
}

#[test]
fn a_site_becomes_sources_and_a_job_that_can_be_looked_at() {
    let (home, site) = (Home::new(), harbour());
    let url = site.at("/");
    let crawl = home.json(&["crawl", &url, "--allow-private", "--rate", "0", "--tag", "web"]);
    assert_eq!(
        crawl,
        json!({
            "crawlId": "j1", "status": "done", "pagesDiscovered": 2, "pagesCrawled": 2, "pagesProcessed": 2,
            "entitiesExtracted": crawl["entitiesExtracted"], "errors": []
        })
    );
    assert_eq!(home.json(&["crawl-status"]), crawl);
    assert_eq!(home.json(&["crawl-status", "j1"]), crawl);
    let sources = home.json(&["sources"]);
    assert_eq!(sources[1]["source"]["origin"], format!("{url}tides"));
    let tides = &sources[1]["source"];
    assert_eq!((tides["kind"].text(), &tides["tags"]), ("page", &json!(["web"])));
    has(&home.ok(&["recall", "when is high water at Brest?"]), "High water at Brest");
    let refreshed = home.json(&["sources", "refresh", "s2", "--allow-private"]);
    assert_eq!((&refreshed["crawlId"], &refreshed["status"]), (&json!("j2"), &json!("done")));
    let jobs = home.json(&["jobs"]);
    assert_eq!((&jobs[0]["kind"], &jobs[1]["kind"]), (&json!("refresh"), &json!("crawl")));
    assert_eq!(jobs[0]["counts"]["unchanged"], json!(1));
    let sources = home.json(&["sources"]);
    let last = |at: usize| (sources[at]["last_job"]["id"].text(), sources[at]["last_job"]["state"].text());
    assert_eq!((last(0), last(1)), (("j1", "done"), ("j2", "done")), "{sources}");
    assert_eq!(sources[1]["source"]["trust"], "web");
    assert_eq!(sources[1]["source"]["readable"], true);
    assert_eq!(home.json(&["sources", "show", "s2"])["source"]["last_job"]["kind"], "refresh");
    let run = home.run(&["jobs", "pause", "j1"]);
    assert_eq!(run.error(), "error: cannot set the job `j1` to paused: it is done already");
}

#[test]
fn what_cannot_be_crawled_is_said() {
    let (home, site) = (Home::new(), harbour());
    let url = site.at("/");
    let run = home.run(&["crawl", &url]);
    assert_eq!(run.code, 1);
    has(&run.stderr, "its address is not public");
    home.run(&["crawl", "--resume", "j1"]);
    let folder = Home::new();
    folder.file("page.html", "<title>Tea</title><h1>Tea</h1><p>Ada drinks her tea in the morning.</p>");
    folder.ok(&["ingest", "files/page.html"]);
    has(&folder.ok(&["recall", "tea"]), "Ada drinks her tea");
}

#[test]
fn a_retry_says_with_its_exit_code_whether_everything_was_read() {
    let home = Home::new();
    home.file("tides.md", "High water at Brest is at noon.");
    let plan = home.file("plan.docx", "this is no zip archive");
    assert_eq!(home.run(&["ingest", "files"]).code, 1);
    let run = home.run(&["jobs", "retry", "j1"]);
    assert_eq!(run.code, 1);
    has(&run.stdout, "1 unchanged, 0 gone, 1 failed");
    std::fs::remove_file(plan).expect("it is there");
    has(&home.ok(&["jobs", "retry", "j1"]), "1 unchanged, 0 gone, 0 failed");
}
