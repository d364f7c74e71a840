//! Documents show what the binary prints: all `console` blocks of a document run in order in a fresh home.
//!
//! Handles differ in each run, so each handle of a document is mapped to one of the run. A block after
//! `<!-- not run: REASON -->` is skipped, with a message.
#![cfg(unix)]

use std::collections::HashMap;
use std::path::Path;

use super::{Home, Run};

#[test]
fn the_readme_shows_what_the_binary_prints() {
    follow("README.md");
}

#[test]
fn the_quickstart_shows_what_the_binary_prints() {
    follow("docs/guides/quickstart.md");
}

/// A command of a document and the output below it.
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

fn follow(document: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(document)).expect("the document is there");
    let home = Home::new();
    for entry in std::fs::read_dir(root.join("examples")).expect("the examples are there") {
        let entry = entry.expect("it can be listed").path();
        let name = entry.file_name().and_then(|name| name.to_str()).expect("it has a name");
        home.file(&format!("examples/{name}"), std::fs::read(&entry).expect("it can be read"));
    }
    let mut handles = HashMap::new();
    for shown in commands(document, &text) {
        let what = format!("{document}:{}: $ {}", shown.line, shown.command);
        let (printed, ended_well) = run(&home, &in_this_run(&shown.command, &handles));
        assert!(ended_well, "{what}: {printed}");
        if shown.output.is_empty() {
            continue;
        }
        let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
        for (own, other) in shown.output.iter().zip(&printed) {
            for (own, other) in found_handles(own).into_iter().zip(found_handles(other)) {
                handles.entry(own.to_string()).or_insert_with(|| other.to_string());
            }
        }
        let expected: Vec<String> = shown.output.iter().map(|line| in_this_run(line, &handles)).collect();
        assert_eq!(expected.join("\n"), printed.join("\n"), "{what}");
    }
}

fn commands(document: &str, text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let (mut inside, mut reason) = (false, None);
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console" && reason.is_none();
            if let (true, Some(reason)) = (line == "```console", reason.take()) {
                eprintln!("NOT RUN {document}:{}: {reason}", index + 1);
            }
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            found.push(Shown { line: index + 1, command: command.to_string(), output: Vec::new() });
        } else if inside {
            let shown = found.last_mut().expect("a block begins with a command");
            match shown.command.strip_suffix('\\') {
                Some(begun) => shown.command = format!("{begun}{}", line.trim_start()),
                None => shown.output.push(line.trim_end().to_string()),
            }
        } else if let Some(why) = line.strip_prefix("<!-- not run: ").and_then(|why| why.strip_suffix(" -->"))
        {
            reason = Some(why);
        }
    }
    for shown in &mut found {
        while shown.output.last().is_some_and(String::is_empty) {
            shown.output.pop();
        }
    }
    found
}

fn run(home: &Home, command: &str) -> (String, bool) {
    let binary = Path::new(env!("CARGO_BIN_EXE_griot"));
    let folder = binary.parent().expect("it is in a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = home.process_of("sh");
    shell.args(["-c", &format!("exec 2>&1; {command}")]).env("PATH", path);
    let run = Run::of(shell.current_dir(home.path().join("files")).output().expect("sh starts"));
    (run.stdout, run.code == 0)
}

/// `3c473f` of each `#3c473f`.
fn found_handles(line: &str) -> Vec<&str> {
    let handles = line.split('#').skip(1).filter_map(|rest| rest.get(..6));
    handles.filter(|handle| handle.bytes().all(|byte| byte.is_ascii_hexdigit())).collect()
}

/// The text with handles of this run instead of those of the document.
fn in_this_run(text: &str, handles: &HashMap<String, String>) -> String {
    let mut changed = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let handle = rest.get(..6).and_then(|handle| handles.get(handle));
        let length = if handle.is_some() { 6 } else { next.len_utf8() };
        changed.push_str(handle.map_or(&rest[..length], String::as_str));
        rest = &rest[length..];
    }
    changed
}
