//! A workspace with everything that may hold a text: memories of many users, files that were read and files
//! that were watched, a crawled site and a crawl that was cut off, facts, merges and undone ones, what was
//! forgotten and what was replaced.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

use griot::engine::{Engine, FactDraft, MergeRequest};
use griot::model::{Entity, Memory, Predicate, Provenance, Result, Scope, SourceType};
use griot::remember::{Draft, SourceDraft};
use serde::Serialize;

use super::{Folders, cannot, open};
use crate::bench;
use crate::generator::Generator;
use crate::output;
use crate::peer::Installation;
use crate::random::Random;

/// Files of each of the two folders, and pages of each of the two sites, for 1,000 memories; each has three
/// paragraphs.
const FILES: usize = 8;
const PAGES: usize = 8;
/// Users of a few memories each, for 1,000 memories.
const LODGERS: usize = 4;
const OF_A_LODGER: usize = 3;
/// The rest, for 1,000 memories.
const FACTS: usize = 20;
const MERGES: usize = 6;
const FORGOTTEN: usize = 10;
const REPLACED: usize = 10;
/// After how long the second crawl is killed.
const CRAWLING: Duration = Duration::from_millis(250);

/// What was made of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Made {
    pub memories: usize,
    pub sources: usize,
    pub facts: usize,
    pub merges: usize,
    pub undone: usize,
    pub forgotten: usize,
    pub replaced: usize,
    pub jobs: usize,
}

/// Texts that no other part of the workspace has, one after another.
struct Texts {
    generator: Generator,
    next: usize,
}

impl Texts {
    fn take(&mut self) -> String {
        self.next += 1;
        self.generator.memory(self.next - 1).text
    }

    fn paragraphs(&mut self) -> Vec<String> {
        (0..3).map(|_| self.take()).collect()
    }
}

/// Returns with it the pages of the crawl that was cut off, with their addresses: what it had fetched and not
/// stored waits among the jobs.
pub fn build(
    griot: &Installation,
    folders: &Folders<'_>,
    memories: usize,
    random: &mut Random,
) -> Result<(Made, Vec<String>)> {
    let (workspace, generator, _) = bench::build(folders.folder, memories)?;
    drop(workspace);
    let scale = |count: usize| (count * memories / 1000).max(2);
    let mut texts = Texts { generator, next: memories };
    let read = Files::new(folders, "read", scale(FILES), &mut texts)?;
    griot.run(&["ingest", &read.folder.to_string_lossy()])?;
    watch(griot, Files::new(folders, "watched", scale(FILES), &mut texts)?, texts.take())?;
    let waiting = crawl(griot, scale(PAGES), &mut texts)?;

    let engine = open(&griot.database)?;
    for lodger in 0..scale(LODGERS) {
        let scope = Scope { user: Some(format!("lodger number {lodger:03}")), project: None };
        let draft = |text: String| Draft { scope: scope.clone(), ..Draft::new(text) };
        let drafts = (0..OF_A_LODGER).map(|_| draft(texts.take())).collect();
        engine.remember_all(&SourceDraft::new(SourceType::Agent, "lodgings"), drafts)?;
    }
    let all = super::memories(&engine)?;
    let mut made = Made::default();
    for _ in 0..scale(REPLACED) {
        let old = &all[random.below(all.len())];
        let draft = Draft {
            supersedes: Some(old.id.to_string()),
            scope: old.scope.clone(),
            ..Draft::new(texts.take())
        };
        made.replaced += usize::from(engine.remember(draft).is_ok());
    }
    for _ in 0..scale(FACTS) {
        made.facts += usize::from(add_fact(&engine, &all[random.below(all.len())]));
    }
    (made.merges, made.undone) = merge(&engine, scale(MERGES), random)?;
    for _ in 0..scale(FORGOTTEN) {
        made.forgotten += engine.forget(&all[random.below(all.len())].id.to_string())?.memories.len();
    }
    made.memories = super::memories(&engine)?.len();
    made.sources = engine.sources()?.len();
    engine.close()?;
    made.jobs = griot.json(&["jobs"])?.0.as_array().map_or(0, Vec::len);
    Ok((made, waiting))
}

/// A fact whose object and reason are pieces of the text that says it.
fn add_fact(engine: &Engine, memory: &Memory) -> bool {
    let words: Vec<&str> = memory.text.split(' ').collect();
    let piece = |from: usize| words.iter().skip(from).take(5).copied().collect::<Vec<_>>().join(" ");
    let draft = FactDraft {
        subject: words[0].trim_matches(|c: char| !c.is_alphanumeric()).to_string(),
        predicate: if words.len().is_multiple_of(2) { Predicate::Prefers } else { Predicate::Uses },
        object: piece(2),
        valid_from: None,
        valid_to: None,
        confidence: None,
        memory: Some(memory.id.to_string()),
        reason: Some(piece(4)),
        scope: memory.scope.clone(),
    };
    // Not every first word names a thing, and not every piece is an object.
    engine.add_fact(&draft).is_ok()
}

fn merge(engine: &Engine, wanted: usize, random: &mut Random) -> Result<(usize, usize)> {
    let entities: Vec<Entity> = super::entities(engine)?;
    let (mut merges, mut undone) = (0, 0);
    for _ in 0..wanted * 4 {
        let (kept, merged) =
            (&entities[random.below(entities.len())], &entities[random.below(entities.len())]);
        let request = MergeRequest {
            kept: kept.canonical_id(),
            merged: merged.canonical_id(),
            // What a person says of a merge stays with it: no piece of a text.
            reason: Some("so says the register".to_string()),
            by: Provenance::Llm,
        };
        // One of the two may be merged already, or both may be the same.
        let Ok(done) = engine.merge(&request) else { continue };
        merges += 1;
        if merges % 3 == 0 {
            engine.unmerge(&done.merge.id())?;
            undone += 1;
        }
        if merges == wanted {
            break;
        }
    }
    Ok((merges, undone))
}

/// A folder of files, and the paragraphs of each.
struct Files {
    folder: PathBuf,
    pages: Vec<Vec<String>>,
}

impl Files {
    fn new(folders: &Folders<'_>, name: &str, count: usize, texts: &mut Texts) -> Result<Self> {
        let folder = folders.beside.join(name);
        fs::create_dir_all(&folder).map_err(|why| cannot("make a folder", why))?;
        let files = Self { folder, pages: (0..count).map(|_| texts.paragraphs()).collect() };
        (0..count).try_for_each(|number| files.write(number))?;
        Ok(files)
    }

    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("file-{number:04}.md"))
    }

    fn write(&self, number: usize) -> Result<()> {
        output::write(&self.path(number), format!("# Notes\n\n{}\n", self.pages[number].join("\n\n")))
    }
}

/// Files come, change and go while their folder is watched.
fn watch(griot: &Installation, mut files: Files, text: String) -> Result<()> {
    let watching = griot.start(&["--json", "watch", &files.folder.to_string_lossy()])?;
    let wait_for = |what: &str| -> Result<()> {
        loop {
            let line: serde_json::Value =
                serde_json::from_str(&watching.line()?).map_err(|why| cannot("watch a folder", why))?;
            let happened = match &line[what] {
                serde_json::Value::Array(all) => !all.is_empty(),
                count => *count != 0,
            };
            if happened {
                return Ok(());
            }
        }
    };
    wait_for("added")?;
    files.pages[0][1] = text;
    files.write(0)?;
    wait_for("added")?;
    fs::remove_file(files.path(1)).map_err(|why| cannot("remove a file", why))?;
    wait_for("pruned")
}

/// A site that is crawled to its end, and one whose crawl is killed.
fn crawl(griot: &Installation, pages: usize, texts: &mut Texts) -> Result<Vec<String>> {
    let mut site = || -> Vec<Vec<String>> { (0..pages).map(|_| texts.paragraphs()).collect() };
    let (whole, part) = (site(), site());
    let most = (pages + 10).to_string();
    griot.run(&crawl_of(&serve(&whole)?, &most))?;
    let url = serve(&part)?;
    griot.killed(&crawl_of(&url, &most), CRAWLING)?;
    let page = |(number, page): (usize, &Vec<String>)| {
        format!("{url}{number}\n# Page {number}\n\n{}", page.join("\n\n"))
    };
    Ok(part.iter().enumerate().map(page).collect())
}

fn crawl_of<'a>(url: &'a str, pages: &'a str) -> [&'a str; 7] {
    ["crawl", url, "--allow-private", "--rate", "0", "--max-pages", pages]
}

/// Pages on this machine, the first with links to all others; answers as long as this process lives.
fn serve(pages: &[Vec<String>]) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|why| cannot("serve a site", why))?;
    let url = format!("http://{}/", listener.local_addr().map_err(|why| cannot("serve a site", why))?);
    let links: String = (1..pages.len()).map(|to| format!("<li><a href=\"/{to}\">{to}</a>")).collect();
    let html = |(number, paragraphs): (usize, &Vec<String>)| {
        let (text, links) = (paragraphs.join("</p><p>"), if number == 0 { links.as_str() } else { "" });
        format!("<title>Page {number}</title><h1>Page {number}</h1><p>{text}</p><ul>{links}</ul>")
    };
    let pages: Vec<String> = pages.iter().enumerate().map(html).collect();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = [0_u8; 4096];
            let count = stream.read(&mut asked).unwrap_or(0);
            let asked = String::from_utf8_lossy(&asked[..count]).into_owned();
            let path = asked.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let number = if path.is_empty() { Some(0) } else { path.parse::<usize>().ok() };
            let page = number.and_then(|number| pages.get(number));
            let (status, body) = page.map_or((404, ""), |page| (200, page));
            let length = body.len();
            // A client that was killed does not listen any more.
            let _ = write!(
                stream,
                "HTTP/1.1 {status} x\r\nConnection: close\r\nContent-Type: text/html\r\n\
                 Content-Length: {length}\r\n\r\n{body}"
            );
        }
    });
    Ok(url)
}

/// A source that was made of one of these files or pages.
pub fn is_small(origin: &str, folders: &Folders<'_>) -> bool {
    origin.starts_with("http://127.0.0.1:") || origin.starts_with(&*folders.beside.to_string_lossy())
}
