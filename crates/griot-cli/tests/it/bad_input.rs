//! Large texts, cycles, foreign files, folders and disks that refuse: a clear error, and an unchanged store.
//! What is refused for its words alone is recorded in `tests/golden/refused.txt`.

use std::io::Write;

use serde_json::json;

use crate::{Home, Parts, Run, has};

fn filled() -> Home {
    let home = Home::new();
    home.remember("Postgres is slow.", &["--at", "2024-03-01"]);
    home
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
    assert!(home.ok(&["verify", "--acknowledge", id, "--undo"]).starts_with("warning:"));
    assert_eq!(home.run(&["verify", "--list"]).code, 1, "it is shown again");
    home.refused(&["verify", "--acknowledge", id, "--undo", "--note", "x"], 2, "--note");
    home.ok(&["verify", "--acknowledge", id]);
    let before = home.content();
    home.refused(&["verify", "--acknowledge", "w-000000000000"], 1, "there is no such warning");
    home.refused(&["verify", "--acknowledge", "e1"], 2, "looks like `w-");
    home.refused(&["verify", "--note", "x"], 2, "--acknowledge");
    assert_eq!(home.content(), before);
    home.ok(&["why", &a]);
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
