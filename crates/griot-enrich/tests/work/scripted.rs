//! A server with the interface of Ollama that answers each question by a script.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

pub struct Model {
    pub address: String,
    asked: Arc<AtomicUsize>,
}

impl Model {
    /// The script gets the task and what it works on, and returns the text of the reply.
    pub fn start(script: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, script) = (Arc::new(AtomicUsize::new(0)), Arc::new(script));
        let count = Arc::clone(&asked);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (count, script) = (Arc::clone(&count), Arc::clone(&script));
                thread::spawn(move || {
                    while let Some(body) = request(&mut stream) {
                        count.fetch_add(1, Ordering::SeqCst);
                        let said = |role: &str| {
                            let messages = body["messages"].as_array().unwrap();
                            let one = messages.iter().find(|one| one["role"] == role).unwrap();
                            one["content"].as_str().unwrap().to_string()
                        };
                        let reply = script(&said("system"), &said("user"));
                        let body = json!({
                            "message": {"role": "assistant", "content": reply}, "done": true,
                            "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 5,
                        })
                        .to_string();
                        let head = format!(
                            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                            body.len()
                        );
                        if stream.write_all(format!("{head}{body}").as_bytes()).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Self { address, asked }
    }

    /// Requests so far.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// The body of the next request on the connection.
fn request(stream: &mut TcpStream) -> Option<Value> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
