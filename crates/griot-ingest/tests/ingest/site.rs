//! A web site for tests: one closure answers every request, and each request is counted.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub struct Request {
    /// With the query.
    pub path: String,
    pub headers: BTreeMap<String, String>,
}

#[derive(Clone)]
pub enum Reply {
    /// The whole answer as it is sent.
    Raw(Vec<u8>),
    /// Nothing: the connection stays open until the test is over.
    Silence,
}

pub fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let mut raw = format!("HTTP/1.1 {status} x\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        raw.push_str(&format!("{name}: {value}\r\n"));
    }
    raw.push_str("\r\n");
    let mut raw = raw.into_bytes();
    raw.extend_from_slice(body);
    Reply::Raw(raw)
}

pub fn html(title: &str, links: &[&str]) -> Reply {
    answer(200, &[("Content-Type", "text/html; charset=utf-8")], page(title, links))
}

/// A page whose words are its own.
pub fn page(title: &str, links: &[&str]) -> String {
    let links: String = links.iter().map(|link| format!("<a href=\"{link}\">on</a> ")).collect();
    format!(
        "<!doctype html><html><head><title>{title}</title></head><body><nav>{links}</nav><main>\
         <h1>{title}</h1><p>This page says what the harbour of {title} looks like in the morning, and who \
         works there at {title}.</p></main></body></html>"
    )
}

pub fn moved(to: &str) -> Reply {
    answer(302, &[("Location", to)], "")
}

pub fn missing() -> Reply {
    answer(404, &[], "not here")
}

pub struct Site {
    pub url: String,
    hits: Arc<Mutex<BTreeMap<String, usize>>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Site {
    pub fn new(handle: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let hits = Arc::new(Mutex::new(BTreeMap::new()));
        let open = Arc::new(Mutex::new(Vec::new()));
        let (handle, counted, kept) = (Arc::new(handle), Arc::clone(&hits), Arc::clone(&open));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (handle, counted, kept) = (Arc::clone(&handle), Arc::clone(&counted), Arc::clone(&kept));
                std::thread::spawn(move || serve(stream, handle.as_ref(), &counted, &kept));
            }
        });
        Self { url, hits, open }
    }

    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Requests by path, in the order of paths.
    pub fn hits(&self) -> BTreeMap<String, usize> {
        self.hits.lock().unwrap().clone()
    }

    pub fn forget_hits(&self) {
        self.hits.lock().unwrap().clear();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.open.lock().unwrap().clear();
    }
}

fn serve(
    stream: TcpStream,
    handle: &(impl Fn(&Request) -> Reply + ?Sized),
    hits: &Mutex<BTreeMap<String, usize>>,
    open: &Mutex<Vec<TcpStream>>,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    if reader.read_line(&mut line).is_err() || line.is_empty() {
        return;
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_string();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.trim().to_lowercase(), value.trim().to_string());
        }
    }
    *hits.lock().unwrap().entry(path.clone()).or_default() += 1;
    match handle(&Request { path, headers }) {
        Reply::Raw(bytes) => {
            let mut stream = stream;
            // The client may have gone, as it does when it has enough.
            let _ = stream.write_all(&bytes);
        }
        Reply::Silence => open.lock().unwrap().push(stream),
    }
}
