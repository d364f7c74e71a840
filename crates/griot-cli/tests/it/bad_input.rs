//! Invalid requests: a clear error with a hint, and an unchanged store.

use std::io::Write;

use serde_json::json;

use crate::{Home, Run};

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
    assert!(
        run.stderr.starts_with("error: ") && run.stderr.contains(message),
        "{arguments:?}: {}",
        run.stderr
    );
    assert_eq!(run.stdout, "", "{arguments:?}");
    assert_eq!(home.content(), before, "{arguments:?}");
    run
}

#[test]
fn arguments_that_are_not_text() {
    let home = filled();
    refused(&home, &["remember", ""], b"", 2, "cannot remember: the text is empty");
    refused(&home, &["remember", " \n\t "], b"", 2, "cannot remember: the text is empty");
    refused(&home, &["remember", "-"], b"", 2, "cannot remember: the text is empty");
    refused(&home, &["remember", "-"], b"a\0b", 2, "the text contains a NUL byte");
    refused(&home, &["remember", "-"], b"abc\xff\xfe", 2, "byte 4 is not UTF-8");
    refused(&home, &["remember", "--json-input"], b"{\"text\": \"x\"", 2, "cannot read the JSON input: EOF");
    refused(&home, &["remember", "--json-input"], b"{\"txt\": \"x\"}", 2, "unknown key `txt`");
    refused(
        &home,
        &["remember", "--json-input"],
        b"[{\"text\": \"fine\"}, {\"text\": \"\"}]",
        2,
        "the text is empty",
    );
    refused(&home, &["recall", "  "], b"", 2, "the question is empty");
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
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("a memory holds at most 16777216") && run.stderr.contains("hint: griot ingest"),
        "{}",
        run.stderr
    );
}

#[test]
fn things_that_are_not_there() {
    let home = filled();
    for arguments in [
        vec!["show", "ffffff"],
        vec!["show", "00000000-0000-7000-8000-000000000000"],
        vec!["why", "nobody"],
        vec!["related", "nobody"],
        vec!["entity", "nobody"],
        vec!["path", "nobody", "nothing"],
        vec!["link", "nobody", "nothing", "--kind", "causal"],
        vec!["unlink", "nobody", "nothing"],
        vec!["forget", "nobody"],
        vec!["restore", "nobody"],
        vec!["facts", "f99"],
        vec!["sources", "show", "s99"],
        vec!["sources", "remove", "nothing.md"],
        vec!["gc", "--keep", "nobody"],
        vec!["remember", "x", "--supersedes", "nobody"],
        vec!["config", "get", "recall.nothing"],
    ] {
        refused(&home, &arguments, b"", 1, "cannot ");
    }
}

#[test]
fn words_that_mean_nothing() {
    let home = filled();
    let known = home.json(&["recall", "Postgres"])["results"][0]["handle"].as_str().expect("it is there")
        [1..]
        .to_string();
    refused(&home, &["link", &known, &known, "--kind", "casual"], b"", 2, "hint: did you mean `causal`?");
    refused(&home, &["link", &known, &known, "--provenance", "me"], b"", 2, "use one of user");
    refused(&home, &["remember", "x", "--kind", "what?!"], b"", 2, "the kind `what?!` is not a word");
    refused(&home, &["remember", "x", "--importance", "9"], b"", 2, "importance 9 is not between 1 and 5");
    refused(&home, &["remember", "x", "--entity", "  "], b"", 2, "the name is empty");
    refused(&home, &["recall", "x", "--intent", "who"], b"", 2, "use why, when, entity or general");
    refused(
        &home,
        &["related", &known, "--family", "kin"],
        b"",
        2,
        "use temporal, entity, causal or semantic",
    );
    refused(&home, &["hubs", "--type", "planet"], b"", 2, "use one of person");
    refused(&home, &["facts", "add", "A", "likes", "B"], b"", 2, "there is no such predicate");
    refused(&home, &["ingest", "x.md", "--format", "parchment"], b"", 2, "use one of markdown");
}

#[test]
fn numbers_out_of_bounds() {
    let home = filled();
    let known = home.json(&["recall", "Postgres"])["results"][0]["handle"].as_str().expect("it is there")
        [1..]
        .to_string();
    let other = home.remember("Redis is fast.", &[]);
    for weight in ["1.5", "-0.1", "nan", "inf"] {
        refused(&home, &["link", &known, &other, "--weight", weight], b"", 2, "lies outside 0..1");
    }
    refused(&home, &["why", &known, "--depth", "0"], b"", 2, "lies outside 1..10");
    refused(&home, &["why", &known, "--depth", "11"], b"", 2, "lies outside 1..10");
    refused(&home, &["entity", "x", "--hops", "4"], b"", 2, "lies outside 1..3");
    refused(&home, &["gc", "--threshold", "7"], b"", 2, "lies outside 0..1");
    refused(&home, &["recall", "x", "--limit", "0"], b"", 2, "the limit is 0");
}

#[test]
fn times_that_cannot_be() {
    let home = filled();
    for time in ["1850-01-01", "2024-02-30", "the day the music died", "99999-01-01"] {
        let run = refused(&home, &["remember", "x", "--at", time], b"", 2, "cannot ");
        assert!(run.stderr.contains("hint: ") || run.stderr.contains("1900"), "{time}: {}", run.stderr);
    }
    refused(
        &home,
        &["recall", "x", "--since", "2024-05", "--until", "2024-04"],
        b"",
        2,
        "`until` lies before `since`",
    );
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
    let id = linked["warnings"][0]["id"].as_str().expect("an id");
    assert!(verified.stdout.contains(id), "{}", verified.stdout);
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
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("newer") && run.stderr.contains("hint: "), "{}", run.stderr);
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
    let place = if is_locked { folder.join("home") } else { "/proc/griot".into() };
    let output =
        home.command().env("GRIOT_HOME", &place).args(["remember", "x"]).output().expect("griot starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("cannot create the folder") && stderr.contains("hint: set GRIOT_HOME"),
        "{stderr}"
    );
}

/// A file size limit fails in the same call as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full() {
    let home = filled();
    let before = home.content();
    let size =
        std::fs::metadata(home.path().join("home/workspaces/default/griot.db")).expect("it is there").len();
    // In units of 1024 bytes; the write-ahead log exceeds it at once.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec '{}' remember -",
        size / 1024 / 2 + 4,
        env!("CARGO_BIN_EXE_griot")
    );
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
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(written.is_ok(), "{stderr}");
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: cannot "), "{stderr}");
    assert_eq!(home.content(), before);
    assert!(home.ok(&["doctor"]).contains("healthy"));
}
