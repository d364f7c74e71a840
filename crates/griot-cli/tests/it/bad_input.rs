//! Invalid requests: a clear error with a hint, and an unchanged store.

use std::io::Write;

use serde_json::json;

use crate::{Home, Parts, Run, has};

const KNOWN: &str = "Postgres is slow.";

fn filled() -> Home {
    let home = Home::new();
    home.remember(KNOWN, &["--at", "2024-03-01"]);
    home
}

/// The run fails with this message and changes nothing.
#[track_caller]
fn refused(home: &Home, arguments: &[&str], stdin: &[u8], code: i32, message: &str) -> Run {
    let before = home.content();
    let run = home.run_with(arguments, stdin);
    assert_eq!(run.code, code, "{arguments:?}: {}{}", run.stdout, run.stderr);
    let is_clear = run.stderr.starts_with("error: ") && run.stderr.contains(message);
    assert!(is_clear, "{arguments:?}: no {message:?} in: {}", run.stderr);
    assert_eq!(run.stdout, "", "{arguments:?}");
    assert_eq!(home.content(), before, "{arguments:?}");
    run
}

#[test]
fn arguments_that_are_not_text() {
    let home = filled();
    let json = ["remember", "--json-input"];
    for (arguments, stdin, message) in [
        (&["remember", ""][..], &b""[..], "cannot remember: the text is empty"),
        (&["remember", " \n\t "], b"", "cannot remember: the text is empty"),
        (&["remember", "-"], b"", "cannot remember: the text is empty"),
        (&["remember", "-"], b"a\0b", "the text contains a NUL byte"),
        (&["remember", "-"], b"abc\xff\xfe", "byte 4 is not UTF-8"),
        (&json, b"{\"text\": \"x\"", "cannot read the JSON input: EOF"),
        (&json, b"{\"txt\": \"x\"}", "unknown key `txt`"),
        (&json, b"[{\"text\": \"fine\"}, {\"text\": \"\"}]", "the text is empty"),
        (&["recall", "  "], b"", "the question is empty"),
    ] {
        refused(&home, arguments, stdin, 2, message);
    }
}

#[test]
fn ten_megabytes_in_one_memory_are_stored_and_twenty_are_refused() {
    let home = filled();
    let sentence = b"The quick brown fox jumps over the lazy dog. ";
    let large = sentence.repeat(10_000_000 / sentence.len());
    let run = home.run_with(&["remember", "-", "--json"], &large);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found = home.run(&["recall", "quick brown fox"]);
    assert!(found.code == 0 && found.stdout.contains("The quick brown fox"), "{}", found.stderr);
    let run = home.run_with(&["remember", "-"], &sentence.repeat(20_000_000 / sentence.len()));
    run.refused(2, "a memory holds at most 16777216");
    run.refused(2, "hint: griot ingest");
}

#[test]
fn things_that_are_not_there() {
    let home = filled();
    for arguments in [
        vec!["show", "ffffff"],
        vec!["show", "00000000-0000-7000-8000-000000000000"],
        vec!["why", "no one"],
        vec!["related", "no one"],
        vec!["entity", "no one"],
        vec!["path", "no one", "nothing"],
        vec!["link", "no one", "nothing", "--kind", "causal"],
        vec!["unlink", "no one", "nothing"],
        vec!["forget", "no one"],
        vec!["restore", "no one"],
        vec!["facts", "f99"],
        vec!["sources", "show", "s99"],
        vec!["sources", "remove", "nothing.md"],
        vec!["gc", "--keep", "no one"],
        vec!["remember", "x", "--supersedes", "no one"],
        vec!["config", "get", "recall.nothing"],
    ] {
        refused(&home, &arguments, b"", 1, "cannot ");
    }
}

#[test]
fn words_that_mean_nothing_and_numbers_out_of_bounds() {
    let home = filled();
    let recalled = home.json(&["recall", "Postgres"]);
    let known = recalled["results"][0]["handle"].text().trim_start_matches('#');
    let other = &home.remember("Redis is fast.", &[]);
    for (arguments, message) in [
        (&["link", known, known, "--kind", "casual"][..], "hint: did you mean `causal`?"),
        (&["link", known, known, "--provenance", "me"], "use one of user"),
        (&["remember", "x", "--kind", "what?!"], "the kind `what?!` is not a word"),
        (&["remember", "x", "--importance", "9"], "importance 9 is not between 1 and 5"),
        (&["remember", "x", "--entity", "  "], "the name is empty"),
        (&["recall", "x", "--intent", "who"], "use why, when, entity or general"),
        (&["related", known, "--family", "kin"], "use temporal, entity, causal or semantic"),
        (&["hubs", "--type", "planet"], "use one of person"),
        (&["facts", "add", "A", "likes", "B"], "there is no such predicate"),
        (&["ingest", "x.md", "--format", "parchment"], "use one of markdown"),
        (&["link", known, other, "--weight", "1.5"], "outside 0..1"),
        (&["link", known, other, "--weight", "-0.1"], "outside 0..1"),
        (&["link", known, other, "--weight", "nan"], "outside 0..1"),
        (&["link", known, other, "--weight", "inf"], "outside 0..1"),
        (&["why", known, "--depth", "0"], "outside 1..10"),
        (&["why", known, "--depth", "11"], "outside 1..10"),
        (&["entity", "x", "--hops", "4"], "outside 1..3"),
        (&["gc", "--threshold", "7"], "outside 0..1"),
        (&["recall", "x", "--limit", "0"], "the limit is 0"),
        (&["recall", "x", "--since", "2024-05", "--until", "2024-04"], "before `since`"),
    ] {
        refused(&home, arguments, b"", 2, message);
    }
}

#[test]
fn times_that_cannot_be() {
    let home = filled();
    for time in ["1850-01-01", "2024-02-30", "the day the music died", "99999-01-01"] {
        let run = refused(&home, &["remember", "x", "--at", time], b"", 2, "cannot ");
        assert!(run.stderr.contains("hint: ") || run.stderr.contains("1900"), "{time}: {}", run.stderr);
    }
}

#[test]
fn a_circle_of_causes_is_stored_and_warned_of() {
    let home = Home::new();
    let (a, b) = (home.remember("The chicken came.", &[]), home.remember("The egg came.", &[]));
    home.ok(&["link", &a, &b, "--kind", "causal"]);
    let linked = home.json(&["link", &b, &a, "--kind", "causal"]);
    assert_eq!(linked["created"], true);
    assert_eq!(linked["warnings"][0]["code"], "causal_cycle");
    assert_eq!(linked["warnings"][0]["edges"].as_array().map(Vec::len), Some(2));
    let verified = home.run(&["verify"]);
    assert_eq!(verified.code, 1);
    assert!(verified.stdout.contains("causes form a circle over e"), "{}", verified.stdout);
    let listed = home.run(&["verify", "--list"]);
    assert_eq!((listed.code, &listed.stdout), (1, &verified.stdout));
    assert!(home.ok(&["status"]).contains("1 open: griot verify --list"));
    let id = linked["warnings"][0]["id"].text();
    has(&verified.stdout, id);
    let said = home.ok(&["verify", "--acknowledge", id, "--note", "both come \u{202e}first"]);
    assert!(said.contains("by user on ") && said.contains("both come ⟨U+202E⟩first"), "{said}");
    for arguments in [vec!["verify"], vec!["verify", "--list"]] {
        assert_eq!(home.ok(&arguments), "No contradictions.\n1 acknowledged: griot verify --list --all\n");
    }
    assert_eq!(home.json(&["verify"]), json!({"warnings": [], "acknowledged": 1}));
    assert_eq!(home.json(&["verify", "--all"]), home.json(&["verify", "--list", "--all"]));
    assert_eq!(home.json(&["verify", "--list", "--all"])["warnings"][0]["acknowledged"]["by"], "user");
    assert_eq!(home.json(&["status"])["open_warnings"], 0);
    refused(&home, &["verify", "--acknowledge", "w-000000000000"], b"", 1, "there is no such warning");
    refused(&home, &["verify", "--acknowledge", "e1"], b"", 2, "looks like `w-");
    refused(&home, &["verify", "--note", "x"], b"", 2, "--acknowledge");
    home.ok(&["why", &a]);
}

#[test]
fn queries_are_words_and_never_a_language() {
    let home = filled();
    for query in [
        "Postgres AND (slow OR \"x",
        "\"",
        "'; drop table memories; --",
        "*",
        "NEAR(Postgres slow, 3)",
        "body:Postgres",
        "-slow",
        "()",
        "%_^",
        "🦀",
    ] {
        let run = home.run(&["recall", "--", query]);
        assert_eq!(run.code, 0, "{query}: {}", run.stderr);
    }
    assert!(home.ok(&["recall", "\"Postgres\" AND slow*"]).contains(KNOWN));
    let long = "why is Postgres slow ".repeat(100_000 / 21);
    let run = home.run(&["recall", &long]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn files_that_are_no_store() {
    let home = Home::new();
    let text = home.file("notes.db", "this is no database, and it is long enough to look at ".repeat(100));
    let folder = home.path().join("files");
    let before = std::fs::read(&text).expect("it is there");
    for (path, message) in [(&text, "not a Griot database"), (&folder, "it is a directory")] {
        let run = home.run(&["--db", path.to_str().expect("it is UTF-8"), "remember", "x"]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(message) && run.stderr.contains("\n\nhint: "), "{}", run.stderr);
    }
    assert_eq!(std::fs::read(&text).expect("it is there"), before);
}

#[test]
fn a_store_of_a_newer_griot() {
    let home = filled();
    let database = home.path().join("home/workspaces/default/griot.db");
    let mut bytes = std::fs::read(&database).expect("it is there");
    // SQLite keeps `user_version`, the number of migrations that ran, at byte 60 of the file, big-endian.
    bytes[60..64].copy_from_slice(&999u32.to_be_bytes());
    std::fs::write(&database, &bytes).expect("it can be written");
    let run = home.run(&["recall", "Postgres"]);
    run.refused(2, "newer");
    run.refused(2, "hint: ");
    assert_eq!(std::fs::read(&database).expect("it is there"), bytes);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let folder = home.path().join("locked");
    std::fs::create_dir(&folder).expect("it can be made");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).expect("it can be locked");
    // Root may write to locked folders, but not to /proc.
    let is_locked = std::fs::write(folder.join("probe"), "").is_err();
    let new = if is_locked { folder.join("home") } else { "/proc/griot".into() };
    let run = home.run_in(&[("GRIOT_HOME", &new.to_string_lossy())], &["remember", "x"]);
    run.refused(2, "cannot create the folder");
    run.refused(2, "hint: set GRIOT_HOME");
}

/// A file size limit fails in the same call as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full() {
    let home = filled();
    let before = home.content();
    let database = home.path().join("home/workspaces/default/griot.db");
    let size = std::fs::metadata(database).expect("it is there").len();
    // In units of 1024 bytes; the write-ahead log exceeds it at once.
    let (limit, griot) = (size / 1024 / 2 + 4, env!("CARGO_BIN_EXE_griot"));
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec '{griot}' remember -");
    let mut child = std::process::Command::new("bash")
        .args(["-c", &script])
        .env("GRIOT_HOME", home.path().join("home"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("bash starts");
    let text = "A long story about a full disk. ".repeat(100_000);
    let written = child.stdin.take().expect("it is a pipe").write_all(text.as_bytes());
    let run = Run::of(child.wait_with_output().expect("it ends"));
    assert!(written.is_ok(), "{}", run.stderr);
    run.refused(2, "error: cannot ");
    assert_eq!(home.content(), before);
    assert!(home.ok(&["doctor"]).contains("healthy"));
}
