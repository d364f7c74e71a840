//! Crawls of local sites: what is requested, how often, and what is stored.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use griot::engine::{Access, Engine, Settings};
use griot::remember::{Draft, SourceDraft};
use griot_ingest::{
    CrawlMode, CrawlOptions, Job, JobState, Jobs, ReadOptions, WorkedBy, run_crawl, start_crawl,
    start_refresh,
};

use crate::office::packed;
use crate::site::{Reply, Request, Site, answer, html, missing, moved, page};

/// A temporary workspace with its jobs.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("griot.db")
    }

    pub fn engine(&self) -> Engine {
        open(&self.database())
    }

    fn jobs(&self) -> Jobs {
        Jobs::for_database(&self.database()).unwrap()
    }

    pub fn crawl(&self, url: &str, options: &CrawlOptions) -> Job {
        let (engine, jobs) = (self.engine(), self.jobs());
        let id = start_crawl(&jobs, url, options, WorkedBy::Creator, engine.now().0).unwrap();
        run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |_| {}).unwrap()
    }

    /// Origins of live sources, with the number of their memories.
    fn sources(&self, site: &Site) -> Vec<String> {
        let engine = self.engine();
        let mut all: Vec<String> = engine
            .sources()
            .unwrap()
            .iter()
            .filter(|view| view.source.deleted_at.is_none())
            .map(|view| format!("{} {}", view.source.origin.replace(&site.url, ""), view.memories))
            .collect();
        all.sort();
        all
    }
}

fn open(database: &Path) -> Engine {
    Engine::open(database, Access { create: true, read_only: false }, Settings::default()).unwrap()
}

pub fn fast() -> CrawlOptions {
    CrawlOptions { rate: 0.0, allow_private: true, backoff_ms: 0, ..CrawlOptions::default() }
}

fn hits(site: &Site, pairs: &[(&str, usize)]) {
    let expected: BTreeMap<String, usize> =
        pairs.iter().map(|(path, count)| ((*path).to_string(), *count)).collect();
    assert_eq!(site.hits(), expected);
}

/// Two pages that link to each other, one below them, and a dead link.
fn small(request: &Request) -> Reply {
    match request.path.as_str() {
        "/" => html(
            "Home",
            &["/a", "/b?utm_source=x", "/gone", "/a#part", "mailto:x@example.org", "/picture.png"],
        ),
        "/a" => html("Alba", &["/", "/a", "/b"]),
        "/b" => html("Brest", &["/a", "/c"]),
        "/c" => html("Cadiz", &["/d"]),
        "/d" => html("Dover", &["/e"]),
        _ => missing(),
    }
}

#[test]
fn a_site_is_read_breadth_first_and_each_page_once() {
    let (site, place) = (Site::new(small), Place::new());
    let job = place.crawl(&site.at("/"), &fast());
    assert_eq!(job.state, JobState::Done);
    assert_eq!(place.sources(&site), ["/ 1", "/a 1", "/b 1", "/c 1", "/d 1"]);
    hits(&site, &[("/", 1), ("/a", 1), ("/b", 1), ("/c", 1), ("/d", 1), ("/gone", 1), ("/robots.txt", 1)]);
    let errors: Vec<&str> = job.errors.iter().map(|error| error.url.rsplit('/').next().unwrap()).collect();
    assert_eq!(errors, ["gone"]);
    assert_eq!((job.counts.discovered, job.counts.fetched, job.counts.gone), (6, 5, 1));
}

#[test]
fn limits_of_depth_and_pages_hold() {
    let (site, place) = (Site::new(small), Place::new());
    place.crawl(&site.at("/"), &CrawlOptions { depth: 1, ..fast() });
    assert_eq!(place.sources(&site), ["/ 1", "/a 1", "/b 1"]);
    let (site, place) = (Site::new(small), Place::new());
    let job = place.crawl(&site.at("/"), &CrawlOptions { max_pages: 2, ..fast() });
    assert_eq!(job.counts.fetched, 2);
    let (site, place) = (Site::new(small), Place::new());
    place.crawl(&site.at("/a"), &CrawlOptions { mode: CrawlMode::Single, ..fast() });
    assert_eq!(place.sources(&site), ["/a 1"]);
    hits(&site, &[("/a", 1), ("/robots.txt", 1)]);
}

#[test]
fn a_crawl_that_is_killed_at_any_step_goes_on_from_there() {
    let whole = {
        let (site, place) = (Site::new(small), Place::new());
        place.crawl(&site.at("/"), &fast());
        place.sources(&site)
    };
    for step in 0.. {
        let (site, place) = (Site::new(small), Place::new());
        let id = start_crawl(&place.jobs(), &site.at("/"), &fast(), WorkedBy::Creator, 0).unwrap();
        let recorded: Cell<Vec<String>> = Cell::default();
        let killed = {
            let (engine, jobs) = (place.engine(), place.jobs());
            let count = Cell::new(0);
            catch_unwind(AssertUnwindSafe(|| {
                run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |event| {
                    if let griot_ingest::CrawlEvent::Recorded(url) = event {
                        let mut all = recorded.take();
                        all.push(url.replace(&site.url, ""));
                        recorded.set(all);
                    }
                    if count.replace(count.get() + 1) == step {
                        std::panic::resume_unwind(Box::new("killed"));
                    }
                })
            }))
            .is_err()
        };
        if !killed {
            assert!(step > 12, "there are as many steps as pages and more");
            break;
        }
        let before = site.hits();
        let (engine, jobs) = (place.engine(), place.jobs());
        assert_eq!(jobs.job(id).unwrap().state, JobState::Paused, "step {step}");
        let job = run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!(job.state, JobState::Done, "step {step}");
        assert_eq!(job.counts.memories, 5, "step {step}: what was stored before the end is counted");
        drop(engine);
        assert_eq!(place.sources(&site), whole, "step {step}");
        for path in recorded.take() {
            assert_eq!(
                site.hits()[&path],
                before[&path],
                "step {step}: {path} was recorded and is fetched again"
            );
        }
    }
}

#[test]
fn a_page_at_which_the_process_ended_twice_is_given_up_and_the_others_are_read() {
    let (site, place) = (Site::new(small), Place::new());
    let deadly = site.at("/a");
    let (engine, jobs) = (place.engine(), place.jobs());
    let id = start_crawl(&jobs, &site.at("/"), &fast(), WorkedBy::Anyone, 0).unwrap();
    let mut ends = 0;
    loop {
        let run = catch_unwind(AssertUnwindSafe(|| {
            run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |event| {
                if *event == griot_ingest::CrawlEvent::Begun(deadly.clone()) {
                    std::panic::resume_unwind(Box::new("killed"));
                }
            })
        }));
        let Ok(job) = run else {
            ends += 1;
            assert!(ends <= 2, "it is given up");
            continue;
        };
        let job = job.unwrap();
        assert_eq!((ends, job.state, job.counts.failed), (2, JobState::Done, 1));
        let error = job.errors.iter().find(|error| error.url == deadly).expect("it is reported");
        assert_eq!(error.why, "given up: the process that read it crashed twice");
        break;
    }
    assert!(
        place.sources(&site).iter().any(|source| source.starts_with("/b ")),
        "{:?}",
        place.sources(&site)
    );
}

#[test]
fn a_crawl_pauses_goes_on_and_is_cancelled() {
    let (site, place) = (Site::new(small), Place::new());
    let (engine, jobs) = (place.engine(), place.jobs());
    let id = start_crawl(&jobs, &site.at("/"), &fast(), WorkedBy::Creator, 0).unwrap();
    let stop = AtomicBool::new(false);
    let job = run_crawl(&jobs, id, &engine, &stop, &mut |_| stop.store(true, Ordering::Relaxed)).unwrap();
    assert_eq!(job.state, JobState::Paused);
    assert!(job.counts.processed < 5);
    jobs.request_state(id, JobState::Cancelled, 0).unwrap();
    assert_eq!(jobs.job(id).unwrap().state, JobState::Cancelled);
    assert!(jobs.request_state(id, JobState::Paused, 0).is_err());
    let id = start_crawl(&jobs, &site.at("/"), &fast(), WorkedBy::Creator, 0).unwrap();
    let _held = jobs.lock(id).unwrap();
    let error = run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot resume the job `{id}`: another process works on it"));
}

#[test]
fn redirects_are_followed_hop_by_hop_and_not_for_ever() {
    let site = Site::new(|request| match request.path.as_str() {
        "/" => html("Home", &["/old", "/loop/1", "/ever/0", "/out", "/inside"]),
        "/old" => moved("/new"),
        "/new" => html("Newport", &[]),
        "/loop/1" => moved("/loop/2"),
        "/loop/2" => moved("/loop/1"),
        "/out" => moved("http://example.invalid/"),
        "/inside" => moved("ftp://example.org/"),
        path => match path.strip_prefix("/ever/").and_then(|number| number.parse::<u32>().ok()) {
            Some(number) => moved(&format!("/ever/{}", number + 1)),
            None => missing(),
        },
    });
    let place = Place::new();
    let job = place.crawl(&site.at("/"), &fast());
    assert_eq!(place.sources(&site), ["/ 1", "/new 1"]);
    assert_eq!(site.hits().keys().filter(|path| path.starts_with("/ever/")).count(), 11);
    assert!(site.hits().values().all(|count| *count == 1));
    let errors: Vec<String> = job
        .errors
        .iter()
        .map(|error| format!("{} {}", error.url.replace(&site.url, ""), error.why))
        .collect();
    assert_eq!(
        errors,
        ["/inside it redirects to something that is not a page", "/ever/10 it redirects more than 10 times"]
    );
}

#[test]
fn what_did_not_change_is_not_sent_again_and_what_is_gone_goes() {
    let version = Arc::new(AtomicUsize::new(0));
    let now = Arc::clone(&version);
    let site = Site::new(move |request| {
        let version = now.load(Ordering::Relaxed);
        let stable =
            |title: &str, links: &[&str]| match request.headers.get("if-none-match").map(String::as_str) {
                Some("\"one\"") => answer(304, &[], ""),
                _ => answer(200, &[("Content-Type", "text/html"), ("ETag", "\"one\"")], page(title, links)),
            };
        match (request.path.as_str(), version) {
            ("/", _) => stable("Home", &["/a", "/b"]),
            ("/a", _) => stable("Alba", &["/c"]),
            ("/b", 0) => html("Brest", &[]),
            ("/b", 1) => html("Bremen", &[]),
            ("/c", 0 | 1) => stable("Cadiz", &[]),
            _ => missing(),
        }
    });
    let place = Place::new();
    place.crawl(&site.at("/"), &fast());
    site.forget_hits();
    version.store(1, Ordering::Relaxed);
    let job = place.crawl(&site.at("/"), &fast());
    hits(&site, &[("/", 1), ("/a", 1), ("/b", 1), ("/c", 1), ("/robots.txt", 1)]);
    assert_eq!(
        (job.counts.unchanged, job.counts.stored),
        (3, 1),
        "links of an unchanged page are followed all the same"
    );
    assert_eq!((job.counts.memories, job.counts.removed), (1, 1));
    version.store(2, Ordering::Relaxed);
    let job = place.crawl(&site.at("/"), &fast());
    assert_eq!(job.counts.gone, 2);
    assert_eq!(
        place.sources(&site),
        ["/ 1", "/a 1", "/b 1", "/c 1"],
        "nothing is forgotten unless it is asked for"
    );
    let (engine, jobs) = (place.engine(), place.jobs());
    let id =
        start_refresh(&jobs, &site.at("/c"), &CrawlOptions { prune: true, ..fast() }, WorkedBy::Creator, 0)
            .unwrap();
    run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |_| {}).unwrap();
    drop(engine);
    assert_eq!(place.sources(&site), ["/ 1", "/a 1", "/b 1"]);
    place.crawl(&site.at("/"), &CrawlOptions { prune: true, ..fast() });
    assert_eq!(place.sources(&site), ["/ 1", "/a 1"]);
    // With another tag, the text must be fetched again.
    let job = place.crawl(&site.at("/"), &CrawlOptions { tags: vec!["x".into()], ..fast() });
    assert_eq!((job.counts.unchanged, job.counts.stored), (0, 2));
}

#[test]
fn pages_that_are_one_are_stored_once() {
    let site = Site::new(|request| match request.path.as_str() {
        "/" => html("Home", &["/list?sort=1", "/list?sort=2", "/copy", "/list", "/liar"]),
        "/list" | "/list?sort=1" | "/list?sort=2" => {
            let body = page(&format!("List {}", request.path.len()), &[]);
            answer(
                200,
                &[("Content-Type", "text/html")],
                body.replace("<head>", "<head><link rel=canonical href=/list>"),
            )
        }
        "/liar" => {
            let body = page("Liar", &[]).replace("<head>", "<head><link rel=canonical href=/>");
            answer(200, &[("Content-Type", "text/html")], body)
        }
        "/copy" => html("Home", &["/list"]),
        _ => missing(),
    });
    let place = Place::new();
    let job = place.crawl(&site.at("/"), &fast());
    assert_eq!(place.sources(&site), ["/ 1", "/liar 1", "/list 1"]);
    assert_eq!(job.counts.duplicates, 3);
    let again = place.crawl(&site.at("/"), &fast());
    assert_eq!((again.counts.memories, again.counts.removed), (0, 0), "a second crawl changes nothing");
}

#[test]
fn robots_are_kept_to_and_a_huge_file_is_cut() {
    let site = Site::new(|request| match request.path.as_str() {
        "/robots.txt" => {
            let mut text = "User-agent: *\nDisallow: /private\n".to_string();
            text.push_str(&"# nothing but words\n".repeat(50 * 1024 * 1024 / 20));
            text.push_str("Disallow: /a\n");
            answer(200, &[], text)
        }
        "/" => html("Home", &["/a", "/private/x"]),
        "/a" => html("Alba", &[]),
        _ => missing(),
    });
    let place = Place::new();
    let job = place.crawl(&site.at("/"), &fast());
    assert_eq!(place.sources(&site), ["/ 1", "/a 1"]);
    assert_eq!((job.counts.skipped, job.errors.len()), (1, 0));
    hits(&site, &[("/", 1), ("/a", 1), ("/robots.txt", 1)]);
    let closed = Site::new(|request| match request.path.as_str() {
        "/robots.txt" => answer(503, &[], ""),
        _ => html("Home", &[]),
    });
    let job = Place::new().crawl(&closed.at("/"), &fast());
    assert_eq!(job.state, JobState::Failed);
    hits(&closed, &[("/robots.txt", 3)]);
}

#[test]
fn sitemaps_within_sitemaps_packed_or_not_name_the_pages() {
    let site = Site::new(|request| {
        let host = request.headers["host"].clone();
        match request.path.as_str() {
            "/robots.txt" => answer(200, &[], format!("Sitemap: http://{host}/maps.xml\n")),
            "/maps.xml" => {
                let entry = |name: &str| format!("<sitemap><loc>http://{host}/{name}</loc></sitemap>");
                let list = format!(
                    "<sitemapindex>{}{}{}</sitemapindex>",
                    entry("one.xml.gz"),
                    entry("maps.xml"),
                    entry("no.xml")
                );
                answer(200, &[("Content-Type", "application/xml")], list)
            }
            "/one.xml.gz" => {
                let map = format!(
                    "<urlset><url><loc>http://{host}/a</loc></url><url><loc>http://{host}/b</loc></url>\
                     <url><loc>http://example.invalid/x</loc></url></urlset>"
                );
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                std::io::Write::write_all(&mut packed, map.as_bytes()).unwrap();
                answer(200, &[("Content-Type", "application/gzip")], packed.finish().unwrap())
            }
            "/" => html("Home", &["/unlisted"]),
            "/a" => html("Alba", &["/unlisted"]),
            "/b" => html("Brest", &[]),
            _ => missing(),
        }
    });
    let place = Place::new();
    let job = place.crawl(&site.at("/"), &CrawlOptions { mode: CrawlMode::Sitemap, ..fast() });
    assert_eq!(job.state, JobState::Done, "{:?}", job.errors);
    assert_eq!(place.sources(&site), ["/ 1", "/a 1", "/b 1"]);
    assert!(site.hits().values().all(|count| *count == 1), "{:?}", site.hits());
    let none = Site::new(|request| if request.path == "/" { html("Home", &[]) } else { missing() });
    let job = Place::new().crawl(&none.at("/"), &CrawlOptions { mode: CrawlMode::Sitemap, ..fast() });
    assert_eq!(job.errors[0].why, "no sitemap, feed or llms.txt was found");
    let feed = Site::new(|request| match request.path.as_str() {
        "/llms.txt" => answer(200, &[("Content-Type", "text/plain")], "# Site\n- [Alba](/a.md): a port\n"),
        "/a.md" => {
            answer(200, &[("Content-Type", "text/markdown")], "# Alba\n\nThe harbour of Alba is deep.\n")
        }
        "/" => html("Home", &[]),
        _ => missing(),
    });
    let place = Place::new();
    place.crawl(&feed.at("/"), &CrawlOptions { mode: CrawlMode::Sitemap, ..fast() });
    assert_eq!(place.sources(&feed), ["/ 1", "/a.md 1"]);
}

#[test]
fn what_goes_wrong_is_told_and_the_rest_goes_on() {
    let site = Site::new(|request| {
        match request.path.as_str() {
        "/" => {
            html("Home", &["/short", "/silent", "/busy", "/large", "/latin", "/binary", "/garbage", "/ok", "/chunked"])
        }
        "/short" => Reply::Raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n<p>cut"
                .to_vec(),
        ),
        "/silent" => Reply::Silence,
        "/busy" => answer(503, &[("Retry-After", "0")], ""),
        "/large" => answer(200, &[("Content-Type", "text/html")], vec![b'x'; 300_000]),
        "/latin" => answer(
            200,
            &[("Content-Type", "text/html; charset=utf-8")],
            b"<title>Caf\xE9</title><p>The caf\xE9 of the harbour opens at six in the morning every day.".as_slice(),
        ),
        "/binary" => answer(200, &[("Content-Type", "application/pdf")], "%PDF-1.7"),
        "/garbage" => Reply::Raw(b"\x00\x01nonsense\r\n\r\n".to_vec()),
        "/chunked" => Reply::Raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\nnot a length"
                .to_vec(),
        ),
        "/ok" => html("Oban", &[]),
        _ => missing(),
    }
    });
    let place = Place::new();
    let options = CrawlOptions { max_bytes: 200_000, timeout_ms: 700, tries: 2, ..fast() };
    let job = place.crawl(&site.at("/"), &options);
    assert_eq!(job.state, JobState::Done);
    assert_eq!(place.sources(&site), ["/ 1", "/latin 1", "/ok 1"]);
    let mut failed: Vec<String> = job.errors.iter().map(|error| error.url.replace(&site.url, "")).collect();
    failed.sort();
    assert_eq!(failed, ["/busy", "/chunked", "/garbage", "/large", "/short", "/silent"], "{:?}", job.errors);
    assert_eq!(job.counts.skipped, 1);
    for path in ["/short", "/silent", "/busy"] {
        assert_eq!(site.hits()[path], 2, "{path} is tried again");
    }
    let engine = place.engine();
    let jobs = place.jobs();
    assert_eq!(jobs.retry(job.id, 0).unwrap(), 6);
    let again = run_crawl(&jobs, job.id, &engine, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!((again.counts.failed, site.hits()["/ok"]), (6, 1));
}

#[test]
fn a_calendar_without_end_ends() {
    let site = Site::new(|request| {
        let day = request.path.strip_prefix("/day/").and_then(|day| day.parse::<u64>().ok()).unwrap_or(0);
        let links: Vec<String> = (1..=200).map(|step| format!("/day/{}", day * 1000 + step)).collect();
        html(&format!("Day {day}"), &links.iter().map(String::as_str).collect::<Vec<_>>())
    });
    let place = Place::new();
    let job = place.crawl(&site.at("/day/1"), &CrawlOptions { max_pages: 30, depth: 1000, ..fast() });
    assert_eq!((job.state, job.counts.fetched), (JobState::Done, 30));
    assert!(site.hits().values().sum::<usize>() <= 31);
    assert!(job.counts.discovered <= 1600 && job.counts.dropped > 0, "{:?}", job.counts);
}

#[test]
fn a_private_address_is_never_connected_to_unless_allowed() {
    let site = Site::new(small);
    let guarded = CrawlOptions { allow_private: false, ..fast() };
    let port = site.url.rsplit(':').next().unwrap().to_string();
    for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"] {
        let job = Place::new().crawl(&format!("http://{host}:{port}/"), &guarded);
        assert_eq!(job.state, JobState::Failed, "{host}");
        assert!(
            job.errors.iter().any(|error| error.why.contains("its address is not public")),
            "{host}: {:?}",
            job.errors
        );
    }
    assert_eq!(site.hits(), BTreeMap::new());
}

#[test]
fn a_start_that_moved_takes_the_crawl_with_it() {
    let new = Site::new(|request| match request.path.as_str() {
        "/" => html("Home", &["/a", "/b"]),
        "/a" => html("Alba", &[]),
        "/b" => html("Brest", &[]),
        _ => missing(),
    });
    let place = Place::new();
    let to = new.at("/");
    let old = Site::new(move |request| if request.path == "/" { moved(&to) } else { missing() });
    let (engine, jobs) = (place.engine(), place.jobs());
    let id = start_crawl(&jobs, &old.at("/"), &fast(), WorkedBy::Creator, 0).unwrap();
    let stop = AtomicBool::new(false);
    // Stopped right after the redirect: the resumed crawl must know the new origin.
    let moved_away =
        |event: &griot_ingest::CrawlEvent| *event == griot_ingest::CrawlEvent::Recorded(old.at("/"));
    run_crawl(&jobs, id, &engine, &stop, &mut |event| stop.store(moved_away(event), Ordering::Relaxed))
        .unwrap();
    run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |_| {}).unwrap();
    drop(engine);
    assert_eq!(place.sources(&new), ["/ 1", "/a 1", "/b 1"]);
}

#[test]
fn documents_are_read_where_they_are_asked_for() {
    let site = Site::new(|request| match request.path.as_str() {
        "/" => html("Home", &["/files/pages.pdf", "/notes?as=docx"]),
        "/files/pages.pdf" => {
            answer(200, &[("Content-Type", "application/pdf")], include_bytes!("../golden/pages.pdf"))
        }
        "/notes?as=docx" => answer(
            200,
            &[("Content-Type", "application/octet-stream")],
            include_bytes!("../golden/notes.docx"),
        ),
        _ => missing(),
    });
    let place = Place::new();
    place.crawl(&site.at("/"), &fast());
    assert!(place.sources(&site).iter().all(|one| !one.contains("pdf")), "{:?}", place.sources(&site));
    let allow = vec!["/".to_string(), "*.pdf".to_string()];
    place.crawl(&site.at("/"), &CrawlOptions { allow, ..fast() });
    let engine = place.engine();
    let read = |end: &str| {
        let sources = engine.sources().unwrap();
        let found = sources.iter().find(|view| view.source.origin.ends_with(end)).unwrap();
        engine.source(found.source.id).unwrap().1
    };
    let pages = read("pages.pdf");
    assert!(pages.len() > 1 && pages.iter().all(|page| page.heading[0].starts_with("page ")), "{pages:?}");
    let notes = read("/notes?as=docx");
    assert!(notes.iter().any(|note| note.heading.len() > 1), "{notes:?}");
}

#[test]
fn a_document_says_the_same_from_an_address_and_from_a_file() {
    // Contains a line that would become a heading if the passages were parsed as Markdown again.
    let mut paragraphs: Vec<String> =
        (0..400).map(|n| format!("Paragraph {n} tells of lighthouse {n}.")).collect();
    paragraphs[40] = "# is the sign for numbers here".into();
    let body: String =
        paragraphs.iter().map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")).collect();
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let word = format!("<w:document xmlns:w='{space}'><w:body>{body}</w:body></w:document>");
    let long = packed(&[("word/document.xml", word.as_bytes())]);
    let (served, sheet): (_, &[u8]) = (long.clone(), include_bytes!("../golden/stock.xlsx"));
    let site = Site::new(move |request| match request.path.as_str() {
        "/long.docx" => answer(200, &[("Content-Type", "application/octet-stream")], &served),
        "/stock.xlsx" => answer(200, &[("Content-Type", "application/octet-stream")], sheet),
        _ => missing(),
    });
    for (name, bytes) in [("long.docx", long.as_slice()), ("stock.xlsx", sheet)] {
        let place = Place::new();
        place.crawl(&site.at(&format!("/{name}")), &CrawlOptions { mode: CrawlMode::Single, ..fast() });
        let engine = place.engine();
        let (_, stored) = engine.source(engine.sources().unwrap()[0].source.id).unwrap();
        let of_file = griot_ingest::read_bytes(name, bytes.to_vec(), &ReadOptions::default()).unwrap();
        let drafts: Vec<_> = of_file.into_iter().flat_map(|reading| reading.drafts).collect();
        assert!(drafts.len() > 1, "{name}");
        let stored: Vec<_> = stored.iter().map(|one| (&one.text, &one.heading, one.lines)).collect();
        let drafts: Vec<_> = drafts.iter().map(|one| (&one.text, &one.heading, one.lines)).collect();
        assert_eq!(stored, drafts, "{name}");
    }
}

#[test]
fn a_page_of_which_a_part_was_stored_is_counted_as_a_whole() {
    let site = Site::new(|request| match request.path.as_str() {
        "/" => {
            let more = "<h2>Boats</h2><p>Six boats of the harbour go out to sea each morning.</p></main>";
            answer(200, &[("Content-Type", "text/html")], page("Alba", &[]).replace("</main>", more))
        }
        _ => missing(),
    });
    let of_page = |engine: &Engine| engine.source(engine.sources().unwrap()[0].source.id).unwrap();
    let single = CrawlOptions { mode: CrawlMode::Single, ..fast() };
    let whole = Place::new();
    let counts = whole.crawl(&site.at("/"), &single).counts;
    let (view, memories) = of_page(&whole.engine());
    assert!(memories.len() > 1 && counts.memories == memories.len() as u64, "{memories:?}");

    let place = Place::new();
    let (engine, jobs) = (place.engine(), place.jobs());
    let id = start_crawl(&jobs, &site.at("/"), &single, WorkedBy::Creator, engine.now().0).unwrap();
    let source = SourceDraft::new(view.source.kind, &view.source.origin);
    let first = Draft { heading: memories[0].heading.clone(), ..Draft::new(&memories[0].text) };
    engine.arrival(&source).unwrap().unwrap().part(&source, vec![first]).unwrap();
    let job = run_crawl(&jobs, id, &engine, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!((job.counts.stored, job.counts.memories), (1, counts.memories));
}

#[test]
fn a_page_keeps_the_language_that_it_names() {
    let site = Site::new(|request| match request.path.as_str() {
        "/" => answer(
            200,
            &[("Content-Type", "text/html")],
            page("Heim", &[]).replace("<html>", "<html lang='de_AT'>"),
        ),
        _ => missing(),
    });
    let place = Place::new();
    place.crawl(&site.at("/"), &fast());
    assert_eq!(place.engine().sources().unwrap()[0].source.language.as_deref(), Some("de-AT"));
}
