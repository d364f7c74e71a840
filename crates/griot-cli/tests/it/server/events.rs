//! Streams of a server, and what several processes see of each other.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};

use super::{Agent, Events, PATIENCE, Server, reply_of};
use crate::{Home, Parts, parsed};

#[test]
fn what_was_acknowledged_is_there_after_a_kill() {
    let home = Home::new();
    let mut server = Server::start(&home, &[]);
    let address = server.address.clone();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let (address, stop) = (address.clone(), std::sync::Arc::clone(&stop));
            std::thread::spawn(move || {
                let mut acknowledged = Vec::new();
                for number in 0..10_000 {
                    if stop.load(std::sync::atomic::Ordering::Relaxed) {
                        break;
                    }
                    let Ok(mut stream) = TcpStream::connect(&address) else { break };
                    let body = json!({"text": format!("Writer {writer} says {number}.")}).to_string();
                    let request = format!(
                        "POST /v1/remember HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    if stream.write_all(request.as_bytes()).is_err() {
                        break;
                    }
                    let mut reply = String::new();
                    let read = stream.read_to_string(&mut reply);
                    let reply = reply_of(&reply);
                    if read.is_ok() && reply.status == 200 {
                        acknowledged.push(reply.json()["id"].text().to_string());
                    }
                }
                acknowledged
            })
        })
        .collect();
    let start = Instant::now();
    while server.get("/v1/status").json()["counts"]["memories"].as_u64() < Some(100) {
        assert!(start.elapsed() < PATIENCE, "nothing is written");
    }
    server.child.0.kill().expect("it can be killed");
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let acknowledged: Vec<String> =
        writers.into_iter().flat_map(|writer| writer.join().expect("it ends")).collect();
    assert!(acknowledged.len() >= 92, "{} acknowledged", acknowledged.len());
    drop(server);
    let export = home.ok(&["export"]);
    for id in &acknowledged {
        assert!(export.contains(id.as_str()), "{id} was acknowledged and is gone");
    }
    assert_eq!(home.json(&["doctor"])["sound"], true);
}

#[test]
fn eight_agents_and_a_server_see_each_others_writes() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let mut agents: Vec<Agent> = (0..8).map(|_| Agent::start(&home, &[])).collect();
    let words = ["Quokka", "Wombat", "Numbat", "Bilby", "Dingo", "Emu", "Kookaburra", "Platypus"];
    for (writer, word) in words.into_iter().enumerate() {
        let text = format!("The {word} lives in house {writer}.");
        let stored = agents[writer].trace("remember", json!({"text": text}));
        let id = stored["id"].clone();
        assert!(id.is_string(), "{stored}");
        let asked = json!({"query": format!("Where does the {word} live?"), "no_floor": true});
        let seen = |answer: &Value| {
            answer["results"].as_array().is_some_and(|list| list.iter().any(|one| one["id"] == id))
        };
        for reader in &mut agents {
            let answer = reader.trace("recall", asked.clone());
            assert!(seen(&answer), "{word}: {answer}");
        }
        assert!(seen(&server.post("/v1/recall", &asked).json()), "{word}");
    }
}

#[test]
fn events_report_every_change_and_resume() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    server.post("/v1/remember", &json!({"text": "First."}));
    let mut events = Events::open(&server, "Last-Event-ID: 0\r\n");
    // Where the stream begins, and then what happened.
    assert_eq!(events.next("id: "), "0");
    assert_eq!(events.next("id: "), "1");
    // Another process writes.
    let handle = home.remember("Second.", &[]);
    assert_eq!(events.next("id: "), "2");
    assert_eq!(parsed(&events.next("data: "))["handles"], json!([format!("#{handle}")]));
}

#[test]
fn a_compressed_export_reaches_its_end() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let memories: Vec<Value> =
        (0..100).map(|number| json!({"text": format!("Memory number {number}.")})).collect();
    server.post("/v1/remember/batch", &json!({"memories": memories}));
    let mut stream = server.connect();
    let request =
        b"GET /v1/export HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
    stream.write_all(request).expect("it listens");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it can be read");
    assert!(String::from_utf8_lossy(&answer).to_lowercase().contains("content-encoding: gzip"));
    assert!(answer.ends_with(b"\r\n0\r\n\r\n"), "the last chunk is missing");
}

#[test]
fn streams_are_bounded_and_given_back() {
    let home = Home::new();
    let server = Server::start(&home, &["--set", "server.streams=1"]);
    let open = || {
        let mut stream = server.connect();
        stream.write_all(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it listens");
        let mut status = [0; 12];
        stream.read_exact(&mut status).expect("it answers");
        (stream, String::from_utf8_lossy(&status).into_owned())
    };
    let (first, status) = open();
    assert_eq!(status, "HTTP/1.1 200");
    assert_eq!(open().1, "HTTP/1.1 503");
    drop(first);
    let (start, mut number) = (Instant::now(), 0);
    while open().1 != "HTTP/1.1 200" {
        // The server notices with its next event that the client is gone.
        number += 1;
        home.remember(&format!("Something happens, number {number}."), &[]);
        assert!(start.elapsed() < PATIENCE, "the stream is not given back");
    }
}
