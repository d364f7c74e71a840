//! Crawls of local sites: what is requested, how often, and what is stored.

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use griot::engine::{Engine, SourceView};
use griot::model::Memory;
use griot::remember::{Draft, SourceDraft};
use griot_ingest::{CrawlEvent, CrawlMode, CrawlOptions, JobState, WorkedBy, start_refresh};

use crate::site::{Reply, Site, answer, html, missing, moved, page};
use crate::workspace::Workspace;
use crate::{packed, read};

pub fn fast() -> CrawlOptions {
    CrawlOptions { rate: 0.0, allow_private: true, backoff_ms: 0, ..CrawlOptions::default() }
}

fn in_mode(mode: CrawlMode) -> CrawlOptions {
    CrawlOptions { mode, ..fast() }
}

fn typed(kind: &str, body: impl AsRef<[u8]>) -> Reply {
    answer(200, &[("Content-Type", kind)], body)
}

/// A site that gives these replies by path.
fn serve(replies: impl IntoIterator<Item = (&'static str, Reply)>) -> Site {
    let replies: BTreeMap<&str, Reply> = replies.into_iter().collect();
    Site::new(move |request| replies.get(request.path.as_str()).cloned().unwrap_or_else(missing))
}

/// A site of these pages: path, title, links.
fn pages(pages: &[(&'static str, &str, &[&str])]) -> Site {
    serve(pages.iter().map(|(path, title, links)| (*path, html(title, links))))
}

fn hits(site: &Site, pairs: &[(&str, usize)]) {
    let expected: BTreeMap<String, usize> =
        pairs.iter().map(|(path, count)| ((*path).to_string(), *count)).collect();
    assert_eq!(site.hits(), expected);
}

/// Two pages that link to each other, one below them, and a dead link.
const SMALL: &[(&str, &str, &[&str])] = &[
    ("/", "Home", &["/a", "/b?utm_source=x", "/gone", "/a#part", "mailto:x@example.org", "/picture.png"]),
    ("/a", "Alba", &["/", "/a", "/b"]),
    ("/b", "Brest", &["/a", "/c"]),
    ("/c", "Cadiz", &["/d"]),
    ("/d", "Dover", &["/e"]),
];

fn small() -> (Site, Workspace) {
    (pages(SMALL), Workspace::new())
}

#[test]
fn a_site_is_read_breadth_first_and_each_page_once() {
    let (site, workspace) = small();
    let job = workspace.crawl(&site.at("/"), &fast());
    assert_eq!(job.state, JobState::Done);
    assert_eq!(workspace.sources(&site), ["/ 1", "/a 1", "/b 1", "/c 1", "/d 1"]);
    hits(&site, &[("/", 1), ("/a", 1), ("/b", 1), ("/c", 1), ("/d", 1), ("/gone", 1), ("/robots.txt", 1)]);
    let errors: Vec<&str> = job.errors.iter().map(|error| error.url.rsplit('/').next().unwrap()).collect();
    assert_eq!(errors, ["gone"]);
    assert_eq!((job.counts.discovered, job.counts.fetched, job.counts.gone), (6, 5, 1));
}

#[test]
fn limits_of_depth_and_pages_hold() {
    let (site, workspace) = small();
    workspace.crawl(&site.at("/"), &CrawlOptions { depth: 1, ..fast() });
    assert_eq!(workspace.sources(&site), ["/ 1", "/a 1", "/b 1"]);
    let (site, workspace) = small();
    let job = workspace.crawl(&site.at("/"), &CrawlOptions { max_pages: 2, ..fast() });
    assert_eq!(job.counts.fetched, 2);
    let (site, workspace) = small();
    workspace.crawl(&site.at("/a"), &in_mode(CrawlMode::Single));
    assert_eq!(workspace.sources(&site), ["/a 1"]);
    hits(&site, &[("/a", 1), ("/robots.txt", 1)]);
}

#[test]
fn a_crawl_that_is_killed_at_any_step_goes_on_from_there() {
    let whole = {
        let (site, workspace) = small();
        workspace.crawl(&site.at("/"), &fast());
        workspace.sources(&site)
    };
    for step in 0.. {
        let (site, workspace) = small();
        let id = workspace.start_crawl(&site.at("/"), &fast());
        let (mut count, mut recorded) = (0, Vec::new());
        let killed = catch_unwind(AssertUnwindSafe(|| {
            workspace.run_crawl_until(id, &AtomicBool::new(false), &mut |event| {
                if let CrawlEvent::Recorded(url) = event {
                    recorded.push(url.replace(&site.url, ""));
                }
                count += 1;
                if count > step {
                    resume_unwind(Box::new("killed"));
                }
            })
        }))
        .is_err();
        if !killed {
            assert!(step > 12, "there are as many steps as pages and more");
            break;
        }
        let before = site.hits();
        let workspace = workspace.reopened();
        assert_eq!(workspace.jobs.job(id).unwrap().state, JobState::Paused, "step {step}");
        let job = workspace.run_crawl(id);
        assert_eq!(job.state, JobState::Done, "step {step}");
        assert_eq!(job.counts.memories, 5, "step {step}: what was stored before the end is counted");
        assert_eq!(workspace.sources(&site), whole, "step {step}");
        for path in recorded {
            let again = format!("step {step}: {path} was recorded and is fetched again");
            assert_eq!(site.hits()[&path], before[&path], "{again}");
        }
    }
}

#[test]
fn a_page_at_which_the_process_ended_twice_is_given_up_and_the_others_are_read() {
    let (site, workspace) = small();
    let deadly = site.at("/a");
    let id = workspace.start_crawl(&site.at("/"), &fast());
    let run = || {
        catch_unwind(AssertUnwindSafe(|| {
            workspace.run_crawl_until(id, &AtomicBool::new(false), &mut |event| {
                if *event == CrawlEvent::Begun(deadly.clone()) {
                    resume_unwind(Box::new("killed"));
                }
            })
        }))
    };
    assert!(run().is_err() && run().is_err());
    let job = run().expect("it is given up").unwrap();
    assert_eq!((job.state, job.counts.failed), (JobState::Done, 1));
    let error = job.errors.iter().find(|error| error.url == deadly).expect("it is reported");
    assert_eq!(error.why, "given up: the process that read it crashed twice");
    let sources = workspace.sources(&site);
    assert!(sources.iter().any(|source| source.starts_with("/b ")), "{sources:?}");
}

#[test]
fn a_crawl_pauses_goes_on_and_is_cancelled() {
    let (site, workspace) = small();
    let id = workspace.start_crawl(&site.at("/"), &fast());
    let stop = AtomicBool::new(false);
    let job = workspace.run_crawl_until(id, &stop, &mut |_| stop.store(true, Ordering::Relaxed)).unwrap();
    assert_eq!(job.state, JobState::Paused);
    assert!(job.counts.processed < 5);
    workspace.jobs.request_state(id, JobState::Cancelled, 0).unwrap();
    assert_eq!(workspace.jobs.job(id).unwrap().state, JobState::Cancelled);
    assert!(workspace.jobs.request_state(id, JobState::Paused, 0).is_err());
    let id = workspace.start_crawl(&site.at("/"), &fast());
    let _held = workspace.jobs.lock(id).unwrap();
    let error = workspace.run_crawl_until(id, &stop, &mut |_| {}).unwrap_err();
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
    let workspace = Workspace::new();
    let job = workspace.crawl(&site.at("/"), &fast());
    assert_eq!(workspace.sources(&site), ["/ 1", "/new 1"]);
    assert_eq!(site.hits().keys().filter(|path| path.starts_with("/ever/")).count(), 11);
    assert!(site.hits().values().all(|count| *count == 1));
    let errors = job.errors.iter().map(|error| format!("{} {}", error.url.replace(&site.url, ""), error.why));
    assert_eq!(
        errors.collect::<Vec<_>>(),
        ["/inside it redirects to something that is not a page", "/ever/10 it redirects more than 10 times"]
    );
}

#[test]
fn what_did_not_change_is_not_sent_again_and_what_is_gone_goes() {
    let version = Arc::new(AtomicUsize::new(0));
    let now = Arc::clone(&version);
    let site = Site::new(move |request| {
        let version = now.load(Ordering::Relaxed);
        let is_known = request.headers.get("if-none-match").is_some_and(|tag| tag == "\"one\"");
        let stable = |title: &str, links: &[&str]| match is_known {
            true => answer(304, &[], ""),
            false => answer(200, &[("Content-Type", "text/html"), ("ETag", "\"one\"")], page(title, links)),
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
    let workspace = Workspace::new();
    workspace.crawl(&site.at("/"), &fast());
    site.forget_hits();
    version.store(1, Ordering::Relaxed);
    let job = workspace.crawl(&site.at("/"), &fast());
    hits(&site, &[("/", 1), ("/a", 1), ("/b", 1), ("/c", 1), ("/robots.txt", 1)]);
    // Links of an unchanged page are followed all the same.
    assert_eq!((job.counts.unchanged, job.counts.stored), (3, 1));
    assert_eq!((job.counts.memories, job.counts.removed), (1, 1));
    version.store(2, Ordering::Relaxed);
    let job = workspace.crawl(&site.at("/"), &fast());
    assert_eq!(job.counts.gone, 2);
    // Nothing is forgotten unless it is asked for.
    assert_eq!(workspace.sources(&site), ["/ 1", "/a 1", "/b 1", "/c 1"]);
    let prune = CrawlOptions { prune: true, ..fast() };
    workspace
        .run_crawl(start_refresh(&workspace.jobs, &site.at("/c"), &prune, WorkedBy::Creator, 0).unwrap());
    assert_eq!(workspace.sources(&site), ["/ 1", "/a 1", "/b 1"]);
    workspace.crawl(&site.at("/"), &prune);
    assert_eq!(workspace.sources(&site), ["/ 1", "/a 1"]);
    // With another tag, the text must be fetched again.
    let job = workspace.crawl(&site.at("/"), &CrawlOptions { tags: vec!["x".into()], ..fast() });
    assert_eq!((job.counts.unchanged, job.counts.stored), (0, 2));
}

#[test]
fn pages_that_are_one_are_stored_once() {
    let canonical = |title: &str, path: &str| {
        let link = format!("<head><link rel=canonical href={path}>");
        typed("text/html", page(title, &[]).replace("<head>", &link))
    };
    let site = serve([
        ("/", html("Home", &["/list?sort=1", "/list?sort=2", "/copy", "/list", "/liar"])),
        ("/list", canonical("List 5", "/list")),
        ("/list?sort=1", canonical("List 12", "/list")),
        ("/list?sort=2", canonical("List 12", "/list")),
        ("/liar", canonical("Liar", "/")),
        ("/copy", html("Home", &["/list"])),
    ]);
    let workspace = Workspace::new();
    let job = workspace.crawl(&site.at("/"), &fast());
    assert_eq!(workspace.sources(&site), ["/ 1", "/liar 1", "/list 1"]);
    assert_eq!(job.counts.duplicates, 3);
    let again = workspace.crawl(&site.at("/"), &fast());
    assert_eq!((again.counts.memories, again.counts.removed), (0, 0), "a second crawl changes nothing");
}

#[test]
fn robots_are_kept_to_and_a_huge_file_is_cut() {
    let words = "# nothing but words\n".repeat(50 * 1024 * 1024 / 20);
    let robots = format!("User-agent: *\nDisallow: /private\n{words}Disallow: /a\n");
    let site = serve([
        ("/robots.txt", answer(200, &[], robots)),
        ("/", html("Home", &["/a", "/private/x"])),
        ("/a", html("Alba", &[])),
    ]);
    let workspace = Workspace::new();
    let job = workspace.crawl(&site.at("/"), &fast());
    assert_eq!(workspace.sources(&site), ["/ 1", "/a 1"]);
    assert_eq!((job.counts.skipped, job.errors.len()), (1, 0));
    hits(&site, &[("/", 1), ("/a", 1), ("/robots.txt", 1)]);
    let closed = serve([("/robots.txt", answer(503, &[], "")), ("/", html("Home", &[]))]);
    let job = Workspace::new().crawl(&closed.at("/"), &fast());
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
                let names = ["one.xml.gz", "maps.xml", "no.xml"];
                let entries = names.map(|name| format!("<sitemap><loc>http://{host}/{name}</loc></sitemap>"));
                typed("application/xml", format!("<sitemapindex>{}</sitemapindex>", entries.concat()))
            }
            "/one.xml.gz" => {
                let hosts = [format!("{host}/a"), format!("{host}/b"), "example.invalid/x".to_string()];
                let entries = hosts.map(|page| format!("<url><loc>http://{page}</loc></url>"));
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                write!(packed, "<urlset>{}</urlset>", entries.concat()).unwrap();
                typed("application/gzip", packed.finish().unwrap())
            }
            "/" => html("Home", &["/unlisted"]),
            "/a" => html("Alba", &["/unlisted"]),
            "/b" => html("Brest", &[]),
            _ => missing(),
        }
    });
    let workspace = Workspace::new();
    let job = workspace.crawl(&site.at("/"), &in_mode(CrawlMode::Sitemap));
    assert_eq!(job.state, JobState::Done, "{:?}", job.errors);
    assert_eq!(workspace.sources(&site), ["/ 1", "/a 1", "/b 1"]);
    assert!(site.hits().values().all(|count| *count == 1), "{:?}", site.hits());
    let job = workspace.crawl(&pages(&[("/", "Home", &[])]).at("/"), &in_mode(CrawlMode::Sitemap));
    assert_eq!(job.errors[0].why, "no sitemap, feed or llms.txt was found");
    let feed = serve([
        ("/llms.txt", typed("text/plain", "# Site\n- [Alba](/a.md): a port\n")),
        ("/a.md", typed("text/markdown", "# Alba\n\nThe harbour of Alba is deep.\n")),
        ("/", html("Home", &[])),
    ]);
    let workspace = Workspace::new();
    workspace.crawl(&feed.at("/"), &in_mode(CrawlMode::Sitemap));
    assert_eq!(workspace.sources(&feed), ["/ 1", "/a.md 1"]);
}

#[test]
fn what_goes_wrong_is_told_and_the_rest_goes_on() {
    const LINKS: &[&str] =
        &["/short", "/silent", "/busy", "/large", "/latin", "/binary", "/garbage", "/ok", "/chunked"];
    let raw = |headers: &str, body: &str| {
        Reply::Raw(format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n\r\n{body}").into())
    };
    let latin = b"<title>Caf\xE9</title><p>The caf\xE9 of the harbour opens at six in the morning every day.";
    let site = serve([
        ("/", html("Home", LINKS)),
        ("/short", raw("Content-Length: 5000\r\nConnection: close", "<p>cut")),
        ("/silent", Reply::Silence),
        ("/busy", answer(503, &[("Retry-After", "0")], "")),
        ("/large", typed("text/html", vec![b'x'; 300_000])),
        ("/latin", typed("text/html; charset=utf-8", latin)),
        ("/binary", typed("application/pdf", "%PDF-1.7")),
        ("/garbage", Reply::Raw(b"\x00\x01nonsense\r\n\r\n".to_vec())),
        ("/chunked", raw("Transfer-Encoding: chunked", "ZZZ\r\nnot a length")),
        ("/ok", html("Oban", &[])),
    ]);
    let workspace = Workspace::new();
    let options = CrawlOptions { max_bytes: 200_000, timeout_ms: 700, tries: 2, ..fast() };
    let job = workspace.crawl(&site.at("/"), &options);
    assert_eq!(job.state, JobState::Done);
    assert_eq!(workspace.sources(&site), ["/ 1", "/latin 1", "/ok 1"]);
    let mut failed: Vec<String> = job.errors.iter().map(|error| error.url.replace(&site.url, "")).collect();
    failed.sort();
    assert_eq!(failed, ["/busy", "/chunked", "/garbage", "/large", "/short", "/silent"], "{:?}", job.errors);
    assert_eq!(job.counts.skipped, 1);
    for path in ["/short", "/silent", "/busy"] {
        assert_eq!(site.hits()[path], 2, "{path} is tried again");
    }
    assert_eq!(workspace.jobs.retry(job.id, 0).unwrap(), 6);
    let again = workspace.run_crawl(job.id);
    assert_eq!((again.counts.failed, site.hits()["/ok"]), (6, 1));
}

#[test]
fn a_calendar_without_end_ends() {
    let site = Site::new(|request| {
        let day = request.path.strip_prefix("/day/").and_then(|day| day.parse::<u64>().ok()).unwrap_or(0);
        let links: Vec<String> = (1..=200).map(|step| format!("/day/{}", day * 1000 + step)).collect();
        html(&format!("Day {day}"), &links.iter().map(String::as_str).collect::<Vec<_>>())
    });
    let workspace = Workspace::new();
    let job = workspace.crawl(&site.at("/day/1"), &CrawlOptions { max_pages: 30, depth: 1000, ..fast() });
    assert_eq!((job.state, job.counts.fetched), (JobState::Done, 30));
    assert!(site.hits().values().sum::<usize>() <= 31);
    assert!(job.counts.discovered <= 1600 && job.counts.dropped > 0, "{:?}", job.counts);
}

#[test]
fn a_private_address_is_never_connected_to_unless_allowed() {
    let (site, workspace) = small();
    let guarded = CrawlOptions { allow_private: false, ..fast() };
    let port = site.url.rsplit(':').next().unwrap();
    for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"] {
        let job = workspace.crawl(&format!("http://{host}:{port}/"), &guarded);
        assert_eq!(job.state, JobState::Failed, "{host}");
        let is_refused = job.errors.iter().any(|error| error.why.contains("its address is not public"));
        assert!(is_refused, "{host}: {:?}", job.errors);
    }
    assert_eq!(site.hits(), BTreeMap::new());
}

#[test]
fn a_start_that_moved_takes_the_crawl_with_it() {
    let new = pages(&[("/", "Home", &["/a", "/b"]), ("/a", "Alba", &[]), ("/b", "Brest", &[])]);
    let workspace = Workspace::new();
    let to = new.at("/");
    let old = Site::new(move |request| if request.path == "/" { moved(&to) } else { missing() });
    let id = workspace.start_crawl(&old.at("/"), &fast());
    // Stopped right after the redirect: the resumed crawl must know the new origin.
    let stop = AtomicBool::new(false);
    let recorded = CrawlEvent::Recorded(old.at("/"));
    workspace
        .run_crawl_until(id, &stop, &mut |event| stop.store(*event == recorded, Ordering::Relaxed))
        .unwrap();
    let workspace = workspace.reopened();
    workspace.run_crawl(id);
    assert_eq!(workspace.sources(&new), ["/ 1", "/a 1", "/b 1"]);
}

#[test]
fn documents_are_read_where_they_are_asked_for() {
    let site = serve([
        ("/", html("Home", &["/files/pages.pdf", "/notes?as=docx"])),
        ("/files/pages.pdf", typed("application/pdf", include_bytes!("../golden/pages.pdf"))),
        ("/notes?as=docx", typed("application/octet-stream", include_bytes!("../golden/notes.docx"))),
    ]);
    let workspace = Workspace::new();
    workspace.crawl(&site.at("/"), &fast());
    assert!(
        workspace.sources(&site).iter().all(|one| !one.contains("pdf")),
        "{:?}",
        workspace.sources(&site)
    );
    let allow = vec!["/".to_string(), "*.pdf".to_string()];
    workspace.crawl(&site.at("/"), &CrawlOptions { allow, ..fast() });
    let stored = |end: &str| {
        let sources = workspace.engine.sources().unwrap();
        let found = sources.iter().find(|view| view.source.origin.ends_with(end)).unwrap();
        workspace.engine.source(found.source.id).unwrap().1
    };
    let pages = stored("pages.pdf");
    assert!(pages.len() > 1 && pages.iter().all(|page| page.heading[0].starts_with("page ")), "{pages:?}");
    let notes = stored("/notes?as=docx");
    assert!(notes.iter().any(|note| note.heading.len() > 1), "{notes:?}");
}

#[test]
fn a_document_says_the_same_from_an_address_and_from_a_file() {
    // Contains a line that would become a heading if the passages were parsed as Markdown again.
    let mut paragraphs: Vec<String> =
        (0..400).map(|n| format!("Paragraph {n} is about lighthouse {n}.")).collect();
    paragraphs[40] = "# is the sign for numbers here".into();
    let body: String =
        paragraphs.iter().map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")).collect();
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let word = format!("<w:document xmlns:w='{space}'><w:body>{body}</w:body></w:document>");
    let long = packed(&[("word/document.xml", word.as_bytes())]);
    let sheet: &[u8] = include_bytes!("../golden/stock.xlsx");
    let site = serve([
        ("/long.docx", typed("application/octet-stream", &long)),
        ("/stock.xlsx", typed("application/octet-stream", sheet)),
    ]);
    for (name, bytes) in [("long.docx", long.as_slice()), ("stock.xlsx", sheet)] {
        let workspace = Workspace::new();
        workspace.crawl(&site.at(&format!("/{name}")), &in_mode(CrawlMode::Single));
        let (_, stored) = only_source(&workspace.engine);
        let drafts = read(name, bytes).drafts;
        assert!(drafts.len() > 1, "{name}");
        let stored: Vec<_> = stored.iter().map(|one| (&one.text, &one.heading, one.lines)).collect();
        let drafts: Vec<_> = drafts.iter().map(|one| (&one.text, &one.heading, one.lines)).collect();
        assert_eq!(stored, drafts, "{name}");
    }
}

fn only_source(engine: &Engine) -> (SourceView, Vec<Memory>) {
    engine.source(engine.sources().unwrap()[0].source.id).unwrap()
}

#[test]
fn a_page_of_which_a_part_was_stored_is_counted_as_a_whole() {
    let more = "<h2>Boats</h2><p>Six boats of the harbour go out to sea each morning.</p></main>";
    let body = page("Alba", &[]).replace("</main>", more);
    let site = serve([("/", typed("text/html", body))]);
    let single = in_mode(CrawlMode::Single);
    let whole = Workspace::new();
    let counts = whole.crawl(&site.at("/"), &single).counts;
    let (view, memories) = only_source(&whole.engine);
    assert!(memories.len() > 1 && counts.memories == memories.len() as u64, "{memories:?}");

    let workspace = Workspace::new();
    let id = workspace.start_crawl(&site.at("/"), &single);
    let source = SourceDraft::new(view.source.kind, &view.source.origin);
    let first = Draft { heading: memories[0].heading.clone(), ..Draft::new(&memories[0].text) };
    workspace.engine.arrival(&source).unwrap().unwrap().part(&source, vec![first]).unwrap();
    let job = workspace.run_crawl(id);
    assert_eq!((job.counts.stored, job.counts.memories), (1, counts.memories));
}

#[test]
fn a_page_keeps_the_language_that_it_names() {
    let body = page("Heim", &[]).replace("<html>", "<html lang='de_AT'>");
    let site = serve([("/", typed("text/html", body))]);
    let workspace = Workspace::new();
    workspace.crawl(&site.at("/"), &fast());
    assert_eq!(only_source(&workspace.engine).0.source.language.as_deref(), Some("de-AT"));
}

#[test]
fn a_page_that_needs_scripts_fails_and_its_links_are_followed() {
    let shell = "<!doctype html><html><head><title>Shop</title></head><body><div id=app></div>\
                 <nav><a href=/a>A</a></nav><noscript>Please enable JavaScript.</noscript>\
                 <script src=/main.js></script></body></html>";
    let site = serve([("/", typed("text/html", shell)), ("/a", html("Alba", &[]))]);
    let workspace = Workspace::new();
    let job = workspace.crawl(&site.at("/"), &fast());
    assert_eq!(workspace.sources(&site), ["/a 1"]);
    let [error] = &job.errors[..] else { panic!("{:?}", job.errors) };
    assert_eq!(error.url, site.at("/"));
    assert!(error.why.contains("only with JavaScript"), "{}", error.why);
}
