//! PDF: the text of each page in reading order, below the heading `page N`.
//!
//! The library trusts its input, so this is checked first: the unpacked size of streams and the depth of
//! arrays (`weight`), the number of operators of a page (`content`), and that no page and no form contains
//! itself. The library runs in a thread with its own stack: an endless page blocks that thread and not the
//! caller, and a panic loses only the page.

mod content;
mod layout;
mod unicode_map;
mod weight;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use griot::model::Result;
use griot::remember::Draft;
use griot::text::chunk_plain;
use pdf_extract::{Dictionary, Document, Object, ObjectId, output_doc_page};

use crate::readers::hyphen::Vocabulary;
use crate::readers::markup::one_line;
use crate::readers::reader::{Batch, Read, Reader};
use content::{Drawn, TOKENS, drawn};
use layout::{Layout, PAGE};

pub(crate) const READER: Reader = Reader {
    name: "pdf",
    mime: "application/pdf",
    summary: "passages below `page 3`; words divided at the end of a line are whole",
    own_extensions: &["pdf"],
    magic: |head| {
        let starts = head.bytes.starts_with(MARK);
        let names = || head.bytes.contains(&0) || head.extension == "pdf";
        starts || (position(head.bytes).is_some() && names())
    },
    is_crawled: false,
    read: |_| Read::Bytes(read),
    ..Reader::BASE
};

const MARK: &[u8] = b"%PDF-";

/// The beginning of the document; other bytes may precede it.
fn position(bytes: &[u8]) -> Option<usize> {
    bytes.windows(MARK.len()).take(1024).position(|five| five == MARK)
}

const PAGES: usize = 20_000;
/// Maximum bytes of the text of all pages.
const WORDS: usize = 128 * 1024 * 1024;
/// Maximum time; a thousand pages take about ten seconds. What was read until then is kept.
const TIME: Duration = Duration::from_secs(90);
const STACK: usize = 256 * 1024 * 1024;
const PARENTS: usize = 64;
const CRASHED: &str = "the reader crashed; the file is probably damaged";

enum Event {
    Title(String),
    Page(u32, std::result::Result<String, String>),
    LeftOut(String),
    Failed(String),
}

fn read(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    let Some(begin) = position(bytes) else {
        return Err(batch.error("it is not a PDF: it does not begin with `%PDF-`"));
    };
    let bytes = bytes[begin..].to_vec();
    weight::check(&bytes).map_err(|why| batch.error(why))?;
    let (tell, events) = sync_channel(16);
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let reader = std::thread::Builder::new().name("pdf".to_string()).stack_size(STACK).spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| read_pages(&bytes, &tell, &stopped)));
        let why = outcome.unwrap_or_else(|_| Err(CRASHED.to_string()));
        if let Err(why) = why {
            let _ = tell.send(Event::Failed(why));
        }
    });
    reader.map_err(|error| batch.error(format!("there is no thread to read it: {error}")))?;
    let outcome = receive(&events, batch);
    stop.store(true, Ordering::Relaxed);
    outcome
}

fn receive(events: &Receiver<Event>, batch: &mut Batch) -> Result<()> {
    let end = Instant::now() + TIME;
    let mut pages = 0;
    let mut empty = 0;
    let mut bytes = 0;
    let mut vocabulary = Vocabulary::default();
    loop {
        match events.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Event::Title(title)) => batch.title = Some(title),
            Ok(Event::Failed(why)) => return Err(batch.error(why)),
            Ok(Event::LeftOut(why)) => batch.problem(why),
            Ok(Event::Page(number, Err(why))) => {
                pages += 1;
                batch.problem(format!("page {number}: {why}"));
            }
            Ok(Event::Page(number, Ok(words))) => {
                pages += 1;
                bytes += words.len();
                empty += usize::from(words.trim().is_empty());
                add(number, &vocabulary.joined(&words), batch);
                if bytes > WORDS {
                    let why = format!("it is left out from page {number} on: it has more than {WORDS} bytes");
                    batch.problem(why);
                    break;
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let (next, seconds) = (pages + 1, TIME.as_secs());
                let why =
                    format!("it is left out from page {next} on: it took longer than {seconds} seconds");
                batch.problem(why);
                break;
            }
        }
    }
    match (pages, empty) {
        (0, _) => Err(batch.error("it holds no pages that can be read")),
        (pages, empty) if pages == empty => Err(batch
            .error(format!("it is scanned: none of its {pages} pages holds text"))
            .hint("recognise its text first, for example with ocrmypdf")),
        (pages, empty) if empty * 2 > pages => {
            batch.problem(format!("{empty} of its {pages} pages hold no text: they may be scanned"));
            Ok(())
        }
        _ => Ok(()),
    }
}

fn add(number: u32, words: &str, batch: &mut Batch) {
    // Some fonts name characters that are none.
    let words: String = words.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c }).collect();
    let like = Draft { heading: vec![format!("page {number}")], ..batch.passage("") };
    batch.push_chunks(chunk_plain(&words), &like, "a page");
}

fn read_pages(bytes: &[u8], tell: &SyncSender<Event>, stop: &AtomicBool) -> std::result::Result<(), String> {
    let mut document = Document::load_mem(bytes).map_err(|error| {
        let why = error.to_string();
        if why.to_lowercase().contains("password") || why.to_lowercase().contains("decrypt") {
            "it is encrypted: save it without a password".to_string()
        } else {
            format!("it is not a whole PDF: {why}")
        }
    })?;
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err("it is encrypted: save it without a password".to_string());
    }
    weight::lighten(&mut document);
    let (loops, work) = without_loops(&mut document);
    unicode_map::mend(&mut document);
    if let Some(title) = title(&document) {
        let _ = tell.send(Event::Title(title));
    }
    let pages = document.get_pages();
    if pages.len() > PAGES {
        return Err(format!("it has {} pages, and the limit is {PAGES}", pages.len()));
    }
    for (number, id) in pages {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let words = if has_end(&document, id) {
            is_light(&document, id, &work).and_then(|()| page(&document, number, stop))
        } else {
            Err("it lies in itself".to_string())
        };
        if tell.send(Event::Page(number, words)).is_err() {
            break;
        }
    }
    if loops > 0 {
        let _ = tell.send(Event::LeftOut(format!(
            "what {loops} forms draw is left out: they draw themselves, or too much"
        )));
    }
    Ok(())
}

fn page(document: &Document, number: u32, stop: &AtomicBool) -> std::result::Result<String, String> {
    let mut layout = Layout::new(stop);
    let outcome = catch_unwind(AssertUnwindSafe(|| output_doc_page(document, &mut layout, number)));
    match outcome {
        Ok(Ok(())) => Ok(layout.finish()),
        Ok(Err(_)) if layout.is_full() => Err(format!("it holds more than {PAGE} bytes of text")),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(CRASHED.to_string()),
    }
}

/// A value of a dictionary, or what it refers to.
fn found<'d>(document: &'d Document, dictionary: &'d Dictionary, key: &[u8]) -> Option<&'d Object> {
    document.dereference(dictionary.get(key).ok()?).ok().map(|(_, object)| object)
}

fn title(document: &Document) -> Option<String> {
    let about = found(document, &document.trailer, b"Info")?.as_dict().ok()?;
    let title = pdf_extract::decode_text_string(found(document, about, b"Title")?).ok()?;
    Some(one_line(&title.replace('\0', ""))).filter(|title| !title.is_empty() && title.len() < 500)
}

/// Whether the chain of a page's parents ends.
fn has_end(document: &Document, page: ObjectId) -> bool {
    let mut at = page;
    for _ in 0..PARENTS {
        let Ok(above) =
            document.get_dictionary(at).and_then(|page| page.get(b"Parent")).and_then(Object::as_reference)
        else {
            return true;
        };
        at = above;
    }
    false
}

/// Whether a page is not too expensive, with all that it draws through forms.
fn is_light(
    document: &Document,
    page: ObjectId,
    work: &HashMap<ObjectId, u64>,
) -> std::result::Result<(), String> {
    let mut left = weight::STREAM;
    let mut content = Vec::new();
    for id in document.get_page_contents(page) {
        let Ok(stream) = document.get_object(id).and_then(Object::as_stream) else { continue };
        let part = stream.get_plain_content().unwrap_or_else(|_| stream.content.clone());
        left = left
            .checked_sub(part.len() as u64)
            .ok_or_else(|| format!("its content unpacks to more than {} bytes", weight::STREAM))?;
        content.extend(part);
        content.push(b'\n');
    }
    let Drawn { tokens, forms } = drawn(&content)?;
    // An unknown name may mean any form.
    let any = work.values().copied().max().unwrap_or(0);
    let below =
        |name: &[u8]| form(document, page, name).map_or(any, |id| work.get(&id).copied().unwrap_or(0));
    let all =
        forms.iter().fold(tokens, |all, (name, count)| all.saturating_add(count.saturating_mul(below(name))));
    if all > TOKENS {
        return Err(format!("it is drawn, with its forms, with more than {TOKENS} operators and operands"));
    }
    Ok(())
}

/// The form of this name in a page.
fn form(document: &Document, page: ObjectId, name: &[u8]) -> Option<ObjectId> {
    let (own, above) = document.get_page_resources(page).ok()?;
    let above = above.into_iter().filter_map(|id| document.get_dictionary(id).ok());
    let named = |resources: &Dictionary| -> Option<ObjectId> {
        found(document, resources, b"XObject")?.as_dict().ok()?.get(name).ok()?.as_reference().ok()
    };
    own.into_iter().chain(above).find_map(named)
}

/// Empties forms that draw themselves, directly or through others, and those that draw too much. Returns
/// their number, and the cost of drawing each of the others.
fn without_loops(document: &mut Document) -> (usize, HashMap<ObjectId, u64>) {
    let mut draws: HashMap<ObjectId, Vec<ObjectId>> = HashMap::new();
    let mut bare = Vec::new();
    for (id, object) in &document.objects {
        let Ok(form) = object.as_stream() else { continue };
        let kind = found(document, &form.dict, b"Subtype").and_then(|kind| kind.as_name().ok());
        let is_form = kind == Some(b"Form".as_slice());
        if !is_form && !form.dict.has(b"Resources") {
            continue;
        }
        match found(document, &form.dict, b"Resources") {
            Some(Object::Dictionary(resources)) => {
                let drawn = found(document, resources, b"XObject").and_then(|drawn| drawn.as_dict().ok());
                let forms = drawn.into_iter().flat_map(Dictionary::iter);
                draws.insert(*id, forms.filter_map(|(_, form)| form.as_reference().ok()).collect());
            }
            // It would use the resources of its page, and may be among them.
            _ => bare.push(*id),
        }
    }
    let costs: HashMap<ObjectId, Option<(u64, u64)>> =
        draws.keys().chain(&bare).map(|id| (*id, cost(document, *id))).collect();
    let (looping, mut work) =
        without_end(&draws, &|id| costs.get(&id).copied().flatten().unwrap_or_default());
    work.extend(bare.iter().map(|id| (*id, costs.get(id).copied().flatten().unwrap_or_default().0)));
    let count = looping.len();
    let heavy = costs.iter().filter(|(_, cost)| cost.is_none()).map(|(id, _)| *id).collect::<Vec<_>>();
    // A form that draws a missing one would make the whole page fail.
    for id in looping.into_iter().chain(heavy.iter().copied()) {
        if let Some(Object::Stream(form)) = document.objects.get_mut(&id) {
            form.dict.remove(b"Filter");
            form.set_content(Vec::new());
        }
    }
    for id in bare {
        if let Some(Object::Stream(form)) = document.objects.get_mut(&id) {
            form.dict.set("Resources", Dictionary::new());
        }
    }
    (count + heavy.len(), work)
}

/// The tokens of a form, and how often it draws other forms; `None` if that is too much.
fn cost(document: &Document, form: ObjectId) -> Option<(u64, u64)> {
    let form = document.get_object(form).and_then(Object::as_stream).ok()?;
    let content = form.get_plain_content().unwrap_or_else(|_| form.content.clone());
    let drawn = drawn(&content).ok()?;
    Some((drawn.tokens, drawn.forms.values().sum()))
}

/// Finds the forms that draw in a circle or draw one that does: forms without others are removed until none
/// is left, and those remain. Forms that draw too much through others are found, too. `cost` gives the tokens
/// of a form, and how often it draws others; the second result is the cost of drawing each form.
fn without_end(
    draws: &HashMap<ObjectId, Vec<ObjectId>>,
    cost: &dyn Fn(ObjectId) -> (u64, u64),
) -> (Vec<ObjectId>, HashMap<ObjectId, u64>) {
    let known = |ids: &[ObjectId]| ids.iter().filter(|id| draws.contains_key(id)).count();
    let mut counts: HashMap<ObjectId, usize> = draws.iter().map(|(id, drawn)| (*id, known(drawn))).collect();
    let mut drawn_by: HashMap<ObjectId, Vec<ObjectId>> = HashMap::new();
    for (id, drawn) in draws {
        for form in drawn {
            drawn_by.entry(*form).or_default().push(*id);
        }
    }
    let mut open: Vec<ObjectId> =
        counts.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
    let mut work: HashMap<ObjectId, u64> = HashMap::new();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        counts.remove(&id);
        let (own, times) = cost(id);
        let below = draws.get(&id).into_iter().flatten().filter_map(|form| work.get(form)).max();
        let mut all = own.saturating_add(times.saturating_mul(below.copied().unwrap_or(0)));
        if all > TOKENS {
            found.push(id);
            all = own;
        }
        work.insert(id, all);
        for above in drawn_by.get(&id).into_iter().flatten() {
            if let Some(count) = counts.get_mut(above) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    open.push(*above);
                }
            }
        }
    }
    found.extend(counts.into_keys());
    (found, work)
}
