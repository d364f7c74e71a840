//! Eight processes on one workspace.

use std::time::{Duration, Instant};

use griot::engine::Engine;
use griot::model::{Error, ErrorKind};
use griot::remember::Draft;

use crate::support::*;

const PROCESSES: usize = 8;

fn seconds() -> u64 {
    std::env::var("GRIOT_SOAK_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(3)
}

fn text(process: usize, number: usize) -> String {
    format!(
        "Process {process} noted p{process}n{number}: the deploy of service{process} failed because \
         disk{number} was full."
    )
}

/// Reports an error to the parent. Conflicts are expected, other errors are not.
fn report(error: &Error) {
    send(if error.kind == ErrorKind::Conflict { "CONFLICT" } else { "ERROR" }, &error.to_string());
}

/// Whether the memory with this text is an answer to its own words.
fn is_recalled(engine: &Engine, process: usize, number: usize) -> bool {
    let question = format!("What did process {process} note about p{process}n{number}?");
    match engine.recall(&ask(&question)) {
        Ok(found) => found.results.iter().any(|result| result.memory.text == text(process, number)),
        Err(error) => {
            report(&error);
            true
        }
    }
}

/// The child: remembers, recalls, forgets and restores until its time is over.
#[test]
fn child_user() {
    let Some(orders) = role("user") else { return };
    let process: usize = orders["process"].parse().unwrap();
    let mut engine = open(orders["path"].as_ref()).unwrap();
    let end = Instant::now() + Duration::from_secs(orders["seconds"].parse().unwrap());
    let mut stored: Vec<usize> = Vec::new();
    let mut number = 0;
    while Instant::now() < end {
        let draft = Draft { agent: Some(format!("agent {process}")), ..Draft::new(text(process, number)) };
        match engine.remember(draft) {
            Err(error) => report(&error),
            Ok(memory) => {
                stored.push(number);
                send("ACK", &text(process, number));
                if number % 5 == 4 {
                    for act in [Engine::forget, Engine::restore] {
                        // A restore that met a conflict is said again: the memory was acknowledged.
                        while let Err(error) = act(&engine, &memory.id.to_string()) {
                            report(&error);
                        }
                    }
                }
            }
        }
        if let Some(last) = stored.last()
            && !is_recalled(&engine, process, *last)
        {
            send("ERROR", &format!("p{process}n{last} is not recalled right after it was remembered"));
        }
        if number % 16 == 15 {
            // A process that ends and comes again, with the snapshot that it wrote or another one did.
            drop(engine);
            engine = open(orders["path"].as_ref()).unwrap();
        }
        number += 1;
    }
    for number in stored.iter().rev().take(5) {
        if !is_recalled(&engine, process, *number) {
            send("ERROR", &format!("p{process}n{number} is not recalled at the end"));
        }
    }
    send("DONE", &stored.len().to_string());
}

#[test]
fn eight_processes_that_remember_and_recall_lose_nothing() {
    let workspace = Workspace::new();
    let start = |process: usize| {
        let orders = [
            ("role", "user".to_owned()),
            ("path", workspace.path().display().to_string()),
            ("process", process.to_string()),
            ("seconds", seconds().to_string()),
        ];
        child("several_processes::child_user", None, &orders)
    };
    let children: Vec<_> = (0..PROCESSES).map(start).collect();
    let mut acknowledged = Vec::new();
    let mut errors = Vec::new();
    let mut done = 0;
    // One after the other is enough: a pipe holds more than one of them says in the default time; reading on
    // threads keeps long soaks from filling it.
    let heard: Vec<Vec<(String, String)>> = std::thread::scope(|scope| {
        let listen = |(mut child, mut lines): (std::process::Child, _)| {
            scope.spawn(move || {
                let heard: Vec<_> = std::iter::from_fn(|| received(&mut lines)).collect();
                assert!(child.wait().unwrap().success());
                heard
            })
        };
        let listeners: Vec<_> = children.into_iter().map(listen).collect();
        listeners.into_iter().map(|listener| listener.join().unwrap()).collect()
    });
    for (word, text) in heard.into_iter().flatten() {
        match word.as_str() {
            "ACK" => acknowledged.push(text),
            "ERROR" => errors.push(text),
            "DONE" => done += 1,
            _ => {}
        }
    }
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(done, PROCESSES);
    assert!(acknowledged.len() >= PROCESSES, "{} memories are no test", acknowledged.len());

    let engine = workspace.open();
    let mut stored: Vec<String> = all_memories(&engine).into_iter().map(|memory| memory.text).collect();
    assert_eq!(engine.read().unwrap().counts().unwrap().deleted_memories, 0);
    stored.sort();
    acknowledged.sort();
    assert_eq!(stored, acknowledged);
    assert_sound(&engine);
    for process in 0..PROCESSES {
        assert!(is_recalled(&engine, process, 0), "what process {process} said first is not recalled");
    }
}
