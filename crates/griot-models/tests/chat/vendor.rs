//! A server on a real socket that speaks the interface of each vendor, and fails on request.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

pub const PROVIDERS: [&str; 5] = ["openai", "azure", "anthropic", "gemini", "ollama"];
/// Tokens that each successful reply counts.
pub const INPUT: u64 = 120;
pub const OUTPUT: u64 = 30;

/// What the server does with one request.
#[derive(Clone, Debug)]
pub enum Act {
    /// Status, headers besides length and type, type, body.
    Say(u16, Vec<(&'static str, String)>, &'static str, String),
    /// A part of the body, then the end of the connection.
    Cut(String),
    /// One byte after another, forever.
    Drip,
    /// Vectors of so many dimensions for the texts of the request, which say which words they have.
    Embed(usize),
    /// The end of the connection without a response.
    Hang,
    /// A wait before the next act.
    After(Duration, Box<Act>),
    /// What follows from the request.
    By(fn(&Seen) -> Act),
}

impl Act {
    pub fn json(status: u16, body: &Value) -> Self {
        Self::Say(status, Vec::new(), "application/json", body.to_string())
    }

    pub fn busy(retry_after: u64) -> Self {
        let body = json!({"error": {"message": "slow down", "type": "rate_limit"}}).to_string();
        Self::Say(429, vec![("Retry-After", retry_after.to_string())], "application/json", body)
    }

    pub fn failure(status: u16, message: &str) -> Self {
        Self::json(status, &json!({"error": {"message": message}}))
    }

    pub fn page(status: u16) -> Self {
        let body = "<!doctype html><title>Welcome</title>".to_string();
        Self::Say(status, Vec::new(), "text/html; charset=utf-8", body)
    }

    /// A complete reply whose text is this.
    pub fn reply(provider: &str, text: &str) -> Self {
        Self::json(200, &reply(provider, text, false))
    }
}

/// One request as it arrived.
#[derive(Clone, Debug)]
pub struct Seen {
    pub path: String,
    /// Head of the request, in lower case.
    pub head: String,
    pub body: Value,
}

pub struct Vendor {
    pub address: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    most: Arc<AtomicUsize>,
}

impl Vendor {
    /// Does these acts in turn; the last one again and again.
    pub fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (most, now) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let acts = Arc::new(Mutex::new(VecDeque::from(acts)));
        let vendor = Self { address, seen: Arc::clone(&seen), most: Arc::clone(&most) };
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, acts) = (Arc::clone(&seen), Arc::clone(&acts));
                let (most, now) = (Arc::clone(&most), Arc::clone(&now));
                thread::spawn(move || {
                    let mut stream = stream;
                    while let Some(request) = read(&mut stream) {
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        seen.lock().expect("the list").push(request.clone());
                        let act = {
                            let mut acts = acts.lock().expect("the acts");
                            if acts.len() > 1 { acts.pop_front() } else { acts.front().cloned() }
                        };
                        let stays = act.is_some_and(|act| perform(&mut stream, &request, act));
                        now.fetch_sub(1, Ordering::SeqCst);
                        if !stays {
                            return;
                        }
                    }
                });
            }
        });
        vendor
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("the list").clone()
    }

    /// The most requests that were open at once.
    pub fn most_at_once(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

/// Whether the connection stays open.
fn perform(stream: &mut TcpStream, request: &Seen, act: Act) -> bool {
    match act {
        Act::Say(status, headers, kind, body) => {
            let mut head =
                format!("HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
            headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
            stream.write_all(format!("{head}\r\n{body}").as_bytes()).is_ok()
        }
        Act::Cut(body) => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(&body.as_bytes()[..body.len() / 2]);
            false
        }
        Act::Drip => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            while stream.write_all(b" ").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
            false
        }
        Act::Embed(dimensions) => {
            let of_text = |text: &String| words(text, dimensions);
            let body = vectors(&request.path, &texts(&request.body).iter().map(of_text).collect::<Vec<_>>());
            perform(stream, request, Act::json(200, &body))
        }
        Act::Hang => false,
        Act::After(wait, act) => {
            thread::sleep(wait);
            perform(stream, request, *act)
        }
        Act::By(act) => perform(stream, request, act(request)),
    }
}

fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut piece = [0; 8192];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        match stream.read(&mut piece) {
            Ok(count) if count > 0 => bytes.extend_from_slice(&piece[..count]),
            _ => return None,
        }
    };
    let whole = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let head = whole.to_lowercase();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: "))?.trim().parse::<usize>().ok()?;
    while bytes.len() < end + length {
        match stream.read(&mut piece) {
            Ok(count) if count > 0 => bytes.extend_from_slice(&piece[..count]),
            _ => return None,
        }
    }
    let path = whole.split_whitespace().nth(1)?.to_string();
    Some(Seen { path, head, body: serde_json::from_slice(&bytes[end..end + length]).unwrap_or_default() })
}

/// A reply in the vendor's format; `cut` says that its tokens ended.
pub fn reply(provider: &str, text: &str, cut: bool) -> Value {
    match provider {
        "anthropic" => {
            let input: Result<Value, _> = serde_json::from_str(text);
            let block = match input {
                Ok(input) => json!({"type": "tool_use", "id": "t1", "name": "answer", "input": input}),
                Err(_) => json!({"type": "text", "text": text}),
            };
            json!({
                "type": "message", "role": "assistant", "content": [block],
                "stop_reason": if cut { "max_tokens" } else { "tool_use" },
                "usage": {"input_tokens": INPUT, "output_tokens": OUTPUT},
            })
        }
        "gemini" => json!({
            "candidates": [{
                "content": {"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": text}]},
                "finishReason": if cut { "MAX_TOKENS" } else { "STOP" },
            }],
            "usageMetadata": {
                "promptTokenCount": INPUT, "candidatesTokenCount": OUTPUT - 10, "thoughtsTokenCount": 10,
            },
        }),
        "ollama" => json!({
            "model": "m", "message": {"role": "assistant", "content": text}, "done": true,
            "done_reason": if cut { "length" } else { "stop" },
            "prompt_eval_count": INPUT, "eval_count": OUTPUT,
        }),
        _ => json!({
            "object": "chat.completion",
            "choices": [{
                "index": 0, "message": {"role": "assistant", "content": text, "refusal": null},
                "finish_reason": if cut { "length" } else { "stop" },
            }],
            "usage": {"prompt_tokens": INPUT, "completion_tokens": OUTPUT},
        }),
    }
}

/// A refusal in the vendor's format.
pub fn refusal(provider: &str) -> Value {
    match provider {
        "anthropic" => json!({
            "type": "message", "content": [], "stop_reason": "refusal",
            "usage": {"input_tokens": INPUT, "output_tokens": OUTPUT},
        }),
        "gemini" => json!({
            "promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": INPUT},
        }),
        _ => json!({
            "choices": [{
                "message": {"role": "assistant", "content": null, "refusal": "I cannot help with that."},
                "finish_reason": "stop",
            }],
            "usage": {"prompt_tokens": INPUT, "completion_tokens": OUTPUT},
        }),
    }
}

/// The texts whose vectors a request wants, in any vendor's format.
pub fn texts(body: &Value) -> Vec<String> {
    let list = body["input"].as_array().or_else(|| body["requests"].as_array());
    let text = |one: &Value| {
        one.as_str().or_else(|| one.pointer("/content/parts/0/text")?.as_str()).map(String::from)
    };
    list.into_iter().flatten().filter_map(text).collect()
}

/// Counts of the words of a text, by a hash of each: texts that share words are similar.
fn words(text: &str, dimensions: usize) -> Vec<f64> {
    let mut vector = vec![0.0; dimensions];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let hash = word.bytes().fold(5381usize, |hash, byte| {
            hash.wrapping_mul(33).wrapping_add(usize::from(byte.to_ascii_lowercase()))
        });
        vector[hash % dimensions] += 1.0;
    }
    vector
}

/// A reply with these vectors in the format of the vendor with this path.
pub fn vectors(path: &str, vectors: &[Vec<f64>]) -> Value {
    if path.ends_with(":batchEmbedContents") {
        let values: Vec<Value> = vectors.iter().map(|values| json!({"values": values})).collect();
        return json!({"embeddings": values});
    }
    if path.ends_with("/api/embed") {
        return json!({"model": "m", "embeddings": vectors, "prompt_eval_count": INPUT});
    }
    // The order is that of the indexes, not of the list.
    let data: Vec<Value> = vectors
        .iter()
        .enumerate()
        .rev()
        .map(|(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector}))
        .collect();
    json!({"object": "list", "data": data, "usage": {"prompt_tokens": INPUT, "total_tokens": INPUT}})
}
