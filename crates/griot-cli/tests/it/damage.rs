//! Damaged rows and read-only workspaces: what is reported, what still works, what is repaired.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Home, Parts, Run, has};

fn database(home: &Home) -> std::path::PathBuf {
    home.path().join("home/workspaces/default/griot.db")
}

#[test]
fn doctor_repairs_what_it_reports_and_keeps_what_it_removes() {
    let home = Home::new();
    let first = home.remember("Postgres is slow under load.", &["--entity", "Postgres"]);
    let second = home.remember("We moved the sessions to Redis.", &["--entity", "Redis"]);
    home.ok(&["link", &first, &second, "--kind", "causal", "--reason", "a private reason"]);
    let broken = rusqlite::Connection::open(database(&home)).expect("the database opens");
    let damage = "UPDATE edge SET kind = 99 WHERE number = (SELECT max(number) FROM edge)";
    broken.execute_batch(damage).expect("it is changed");
    drop(broken);

    // Other rows still work.
    home.remember("Written beside the damage.", &[]);
    assert!(home.ok(&["recall", "sessions"]).contains("Redis"));
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.code, 1, "{}", doctor.stdout);
    has(&doctor.stdout, "cannot be read");
    has(&doctor.stdout, "doctor --repair");

    let repaired = home.json(&["doctor", "--repair"]);
    assert_eq!(repaired["sound"], true, "{repaired}");
    assert_eq!(repaired["repaired"].as_array().map(Vec::len), Some(1), "{repaired}");
    let file = repaired["quarantine"].text();
    let kept = std::fs::read_to_string(file).expect("the file is there");
    assert!(kept.contains("\"kind\":99") && kept.contains("a private reason"), "{kept}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(file).expect("it is there").permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(home.run(&["doctor"]).code, 0);
    assert_eq!(home.json(&["doctor", "--repair"])["quarantine"], serde_json::Value::Null);
    assert_eq!(home.content().matches("\"text\"").count(), 3);
}

#[test]
fn an_edge_is_shown_by_its_number() {
    let home = Home::new();
    let first = home.remember("Postgres was slow.", &[]);
    let second = home.remember("Sessions moved to Redis.", &[]);
    let reason = ["--label", "caused", "--reason", "Ada said so"];
    let linked = home.json(&[&["link", &first, &second, "--kind", "causal"], &reason[..]].concat());
    let id = linked["edge"]["id"].text();
    assert_eq!(home.json(&["show", id]), linked["edge"]);
    let shown = home.ok(&["show", id]);
    for part in ["caused", "causal", "1.00 now, 1.00 as stored", "Ada said so", "provenance  user"] {
        has(&shown, part);
    }
    let missing = home.run(&["show", "e999"]);
    missing.refused(1, "error: cannot find the edge `e999`: there is no such edge");
    missing.refused(1, "hint: griot related");
}

/// A read-only home. Root may write anywhere, so its tests run as another user.
#[cfg(unix)]
fn read_only(home: &Home) -> impl Fn(&[&str]) -> Command {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    fn restrict(path: &Path) {
        let is_folder = path.is_dir();
        if is_folder {
            let entries = std::fs::read_dir(path).expect("a folder");
            entries.for_each(|entry| restrict(&entry.expect("an entry").path()));
        }
        let mode = if is_folder { 0o555 } else { 0o444 };
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("its owner may say so");
    }
    // Copied into the home, because that user may have no access to the build folder.
    let program = home.path().join("griot");
    std::fs::copy(env!("CARGO_BIN_EXE_griot"), &program).expect("the program is there");
    for path in [program.as_path(), home.path()] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("its owner may say so");
    }
    restrict(&home.path().join("home"));
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let (folder, home) = (home.path().to_owned(), home.path().join("home"));
    move |arguments| {
        let mut command = Command::new(&program);
        command.args(arguments).env_clear().env("GRIOT_HOME", &home).current_dir(&folder);
        command.stdin(Stdio::null());
        if is_root {
            command.uid(65534).gid(65534);
        }
        command
    }
}

#[cfg(unix)]
#[test]
fn a_workspace_that_cannot_be_written_can_be_asked() {
    let home = Home::new();
    let first = home.remember("Postgres was slow under load.", &["--entity", "Postgres"]);
    let second = home.remember("Sessions moved to Redis because Postgres was slow.", &["--entity", "Redis"]);
    home.ok(&["link", &first, &second, "--kind", "causal", "--label", "caused"]);
    let exported = home.content();
    let griot = read_only(&home);
    let run = |arguments: &[&str]| Run::of(griot(arguments).output().expect("griot starts"));
    for (arguments, part) in [
        (["recall", "sessions"].as_slice(), "Redis"),
        (&["show", &first], "under load"),
        (&["why", &second], "under load"),
        (&["status"], "2"),
    ] {
        let run = run(arguments);
        let is_answered = run.code == 0 && run.stdout.contains(part);
        assert!(is_answered, "{arguments:?}: {} {}{}", run.code, run.stdout, run.stderr);
    }
    // The files must be readable by others here, so doctor reports exactly that.
    let doctor = run(&["doctor"]);
    assert!(doctor.stdout.starts_with("checked 2 memories"), "{}{}", doctor.stdout, doctor.stderr);
    for problem in doctor.stdout.lines().filter(|line| line.starts_with("problem: ")) {
        has(problem, "others on this machine may read");
    }
    let export = run(&["export"]);
    let rest = export.stdout.split_once('\n').map(|(_, rest)| rest);
    assert_eq!((export.code, rest), (0, Some(exported.as_str())), "{}", export.stderr);

    let refused = run(&["remember", "something new"]);
    assert_eq!(refused.stdout, "");
    for part in ["error: cannot write to ", "read-only", "hint: "] {
        refused.refused(2, part);
    }
    let folder = database(&home).parent().expect("it has a folder").to_owned();
    let files =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(names.iter().all(|name| !name.ends_with("-wal") && !name.ends_with("-shm")), "{names:?}");
}

#[cfg(unix)]
#[test]
fn a_server_says_that_a_workspace_is_read_only() {
    use std::io::{BufRead, BufReader};
    let home = Home::new();
    home.remember("Postgres was slow.", &[]);
    let griot = read_only(&home);
    let mut server = griot(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = server.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("griot starts");
    let reported = BufReader::new(child.stderr.take().expect("it is a pipe")).lines().map_while(Result::ok);
    let said = reported.into_iter().find(|line| line.contains("read-only"));
    assert_eq!(
        said.as_deref(),
        Some("griot: the workspace `default` is read-only: questions are answered, nothing is stored")
    );
    let first = BufReader::new(child.stdout.take().expect("it is a pipe")).lines().next();
    assert!(first.is_some_and(|line| line.is_ok_and(|line| line.starts_with("griot listens on http://"))));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}
