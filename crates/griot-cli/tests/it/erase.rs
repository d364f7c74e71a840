//! Erased texts are in no file of the workspace, whichever files it has and however the process ended.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use griot::backend::sqlite::{Erasing, of_file};
use serde_json::{Value, json};

use crate::{Home, Parts, parsed};

/// Length of the searched pieces of a text in bytes.
const PIECE: usize = 12;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

fn workspace(home: &Home) -> PathBuf {
    home.path().join("home/workspaces/default")
}

/// Files of the workspace that contain a piece of an erased text that no kept text contains, with the
/// piece.
fn remnants(folder: &Path, erased: &[String], kept: &[String]) -> Vec<(String, String)> {
    let pieces = |texts: &[String]| -> HashSet<Vec<u8>> {
        texts.iter().flat_map(|text| text.as_bytes().windows(PIECE).map(<[u8]>::to_vec)).collect()
    };
    let kept = pieces(kept);
    let wanted: HashSet<Vec<u8>> = pieces(erased).into_iter().filter(|piece| !kept.contains(piece)).collect();
    let mut found = Vec::new();
    for file in files(folder) {
        let bytes = std::fs::read(&file).expect("a file");
        if let Some(piece) = bytes.windows(PIECE).find(|piece| wanted.contains(*piece)) {
            found.push((file.display().to_string(), String::from_utf8_lossy(piece).into_owned()));
        }
    }
    found
}

/// Deterministic pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// A word that is unlikely to occur in other texts.
    fn word(&mut self) -> String {
        let syllables = ["ka", "lo", "mi", "ra", "tu", "ve", "zo", "pi", "ne", "su", "do", "ha"];
        (0..4).map(|_| syllables[self.below(syllables.len())]).collect()
    }

    fn text(&mut self) -> String {
        (0..8).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn a_memory_is_erased_with_a_receipt_that_is_listed_and_verified() {
    let home = Home::new();
    let id = home.remember("the gardener buried the papers beneath the quince", &[]);
    home.remember("the quince bears fruit in autumn", &[]);
    let would = home.json(&["erase", "memory", &id, "--dry-run"]);
    assert_eq!((&would["id"], &would["counts"]["memories"]), (&Value::Null, &json!(1)));
    let receipt = home.json(&["erase", "memory", &id]);
    assert_eq!((&receipt["id"], &receipt["by"]), (&json!("x1"), &json!("user")));
    let (before, after) = (receipt["revision_before"].as_u64(), receipt["revision_after"].as_u64());
    assert_eq!(after, before.map(|before| before + 1));
    assert!(receipt["finished_at"].is_string());
    let gone = ["the gardener buried the papers beneath".to_string()];
    assert_eq!(remnants(&workspace(&home), &gone, &[]), []);
    let run = home.run(&["show", &id]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let list = home.json(&["erasures", "--verify"]);
    assert_eq!((&list[0]["id"], &list[0]["found"]), (&json!("x1"), &json!(0)));
    assert!(home.ok(&["erasures"]).contains("x1"));
    assert_eq!(home.run(&["erase", "user", "missing"]).code, 1);
    home.ok(&["doctor"]);
}

#[test]
fn a_backup_is_restored_with_its_settings_and_its_rollout() {
    let home = Home::new();
    home.remember("the baker rises at three", &[]);
    home.ok(&["config", "set", "recall.limit", "7"]);
    home.ok(&["rollout", "set", "shadow"]);
    let backup = home.json(&["backup", "copy.griot"]);
    assert_eq!(backup["carried"], json!(["griot.toml"]));
    assert_eq!(home.run(&["backup", "copy.griot"]).code, 2);
    home.ok(&["restore-backup", "copy.griot", "--workspace", "second"]);
    assert!(home.ok(&["-w", "second", "recall", "when does the baker rise?"]).contains("at three"));
    assert_eq!(home.ok(&["-w", "second", "config", "get", "recall.limit"]).trim(), "7");
    assert_eq!(home.json(&["-w", "second", "rollout"])["mode"], json!("shadow"));
    let refused = home.run(&["restore-backup", "copy.griot", "--workspace", "second"]);
    assert!(refused.code == 2 && refused.stderr.contains("--force"), "{}", refused.stderr);
    let restored = home.json(&["restore-backup", "copy.griot", "--workspace", "second", "--force"]);
    let trash = Path::new(restored["trash"].text());
    assert!(trash.join("griot.db").is_file());
    // The trash holds a copy of the same store, so the erasure removes it.
    let id = home.json(&["-w", "second", "recall", "baker", "--no-floor"])["results"][0]["id"].clone();
    home.ok(&["-w", "second", "erase", "memory", id.text()]);
    assert!(!trash.join("griot.db").exists());
    assert_eq!(home.json(&["workspace", "empty-trash"])["removed"], json!(1));
}

/// A new file of a workspace must be declared in `backend/sqlite/registry.rs`, with how it is erased.
#[test]
fn every_file_of_a_busy_workspace_says_how_it_is_erased() {
    let home = Home::new();
    home.file("notes/one.md", "# Tides\n\nThe tide turns at noon, because the moon is high.\n");
    home.remember("the tide turned at noon", &["--user", "ada"]);
    home.ok(&["config", "set", "recall.limit", "9"]);
    home.ok(&["ingest", "files/notes"]);
    let database = workspace(&home).join("griot.db");
    let reader = rusqlite::Connection::open(&database).expect("it opens");
    reader.execute_batch("BEGIN; SELECT count(*) FROM memory;").expect("it reads");
    let lines: Vec<Value> =
        (0..300).map(|number| json!({"text": format!("the tide turned {number} times")})).collect();
    home.run_with(&["remember", "--json-input"], json!(lines).to_string().as_bytes());
    home.ok(&["recall", "when does the tide turn?"]);
    let folder = workspace(&home);
    let names: Vec<String> = files(&folder)
        .iter()
        .map(|file| file.strip_prefix(&folder).expect("inside").to_string_lossy().replace('\\', "/"))
        .collect();
    for expected in ["griot.db", "griot.db-wal", "griot.toml"] {
        assert!(names.iter().any(|name| name == expected), "{names:?}");
    }
    let silent: Vec<&String> = names.iter().filter(|name| of_file(name).is_none()).collect();
    assert!(silent.is_empty(), "files that do not say how they are erased: {silent:?}");
    assert_eq!(of_file("griot.db.index/index-7.bin"), Some(Erasing::Deleted));
}

/// Starts an erasure and kills it once the rows are gone from the database, if it lives that long.
fn erase_and_kill(home: &Home, what: &[&str], spins: usize) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("griot"));
    let mut child = command
        .args(["erase"].iter().chain(what))
        .env("GRIOT_HOME", home.path().join("home"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let log = workspace(home).join("griot.db-wal");
    let size = || std::fs::metadata(&log).map_or(0, |file| file.len());
    while child.try_wait().expect("it can be asked").is_none() && size() == 0 {
        std::hint::spin_loop();
    }
    for _ in 0..spins {
        std::hint::black_box(size());
    }
    let _ = child.kill();
    child.wait().expect("it ended");
}

/// Texts with names that occur in one of them, in some, or in many.
fn drafts(random: &mut Random, count: usize) -> Vec<Value> {
    let draft = |at: usize| {
        let name = match at % 5 {
            0 => format!(" said Torvald Quistgaard{at}"),
            1 => " because Oskar Brandelius was late".to_string(),
            2 => format!(" for Marietta Lindqvist{}", at % 15),
            _ => String::new(),
        };
        let user = at.is_multiple_of(7).then_some("ada");
        json!({"text": random.text() + &name, "user": user, "tags": [format!("tag{}", at % 30)]})
    };
    (0..count).map(draft).collect()
}

#[test]
fn random_erasures_some_of_them_killed_leave_no_piece_of_a_text() {
    const ALL: usize = 400;
    const ERASED: usize = 60;
    let home = Home::new();
    let mut random = Random(7);
    for page in drafts(&mut random, ALL).chunks(40) {
        let run = home.run_with(&["remember", "--json-input"], json!(page).to_string().as_bytes());
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let exported = home.ok(&["export"]);
    let memories = exported.lines().map(parsed).filter(|record| record["type"] == "memory");
    let field = |one: &Value, key: &str| one[key].text().to_string();
    let stored: Vec<(String, String)> =
        memories.map(|record| (field(&record, "id"), field(&record, "text"))).collect();
    assert_eq!(stored.len(), ALL);
    let mut order: Vec<usize> = (0..ALL).collect();
    for at in (1..ALL).rev() {
        order.swap(at, random.below(at + 1));
    }
    let mut erased = Vec::new();
    for (turn, &at) in order[..ERASED].iter().enumerate() {
        let (id, text) = &stored[at];
        erased.push(text.clone());
        if turn % 3 == 0 {
            erase_and_kill(&home, &["memory", id], random.below(3000));
            // Killed before its rows were gone, it did not start; afterwards, opening the store resumes it.
            let _ = home.run(&["erase", "memory", id]);
        } else {
            home.ok(&["erase", "memory", id]);
        }
    }
    home.ok(&["erase", "--resume"]);
    let kept: Vec<String> = order[ERASED..].iter().map(|at| stored[*at].1.clone()).collect();
    assert_eq!(remnants(&workspace(&home), &erased, &kept), []);
    home.ok(&["doctor"]);
    home.ok(&["erasures", "--verify"]);
    answers_like_a_workspace_without_them(&home, &kept);
}

/// The answers equal those of a workspace that never held the erased texts.
fn answers_like_a_workspace_without_them(home: &Home, kept: &[String]) {
    home.file("rest.jsonl", home.ok(&["export"]));
    home.ok(&["-w", "fresh", "workspace", "create", "fresh"]);
    home.ok(&["-w", "fresh", "import", "files/rest.jsonl"]);
    for text in kept.iter().step_by(20) {
        let question = text.split(' ').take(3).collect::<Vec<_>>().join(" ");
        let [own, fresh] = ["default", "fresh"].map(|workspace| {
            let question = ["-w", workspace, "recall", &question];
            let options = ["--no-floor", "--limit", "20", "--now", "2030-01-01"];
            home.json(&[&question[..], &options].concat())["results"].clone()
        });
        for key in ["id", "text"] {
            assert_eq!(own.texts(key), fresh.texts(key), "{question}");
        }
        // Sums of the same numbers in another order differ in the last bits.
        for (own, fresh) in own.list().iter().zip(fresh.list()) {
            let score = |one: &Value| one["score"].as_f64().expect("a score");
            assert!((score(own) - score(fresh)).abs() < 1e-5, "{own} {fresh}");
        }
    }
}
