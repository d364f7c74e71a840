//! `griot export` and `griot import`.

use crate::Home;

fn filled() -> Home {
    let home = Home::new();
    let cause = home.remember("The disk was full.", &["--at", "2024-01-01", "--kind", "event"]);
    let effect = home.remember(
        "The deploy of Kafka failed because the disk was full.",
        &["--at", "2024-01-02", "--user", "ada"],
    );
    home.ok(&["link", &cause, &effect, "--kind", "causal", "--reason", "the log says so"]);
    home.ok(&["facts", "add", "Shop", "uses", "Kafka", "--from", "2024-01-01"]);
    home.ok(&["facts", "add", "Ada", "prefers", "small disks"]);
    let gone = home.remember("A secret.", &[]);
    home.ok(&["forget", &gone]);
    home
}

#[test]
fn an_export_imported_elsewhere_exports_the_same() {
    let home = filled();
    home.ok(&["export", "all.jsonl"]);
    let other = Home::new();
    let file = home.path().join("all.jsonl").display().to_string();
    let imported = other.json(&["import", &file]);
    assert_eq!((&imported["memories"], &imported["facts"]), (&3.into(), &2.into()), "{imported}");
    let sorted = |content: String| {
        let mut lines: Vec<String> = content.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(other.content()), sorted(home.content()));
    assert!(other.ok(&["doctor"]).contains("healthy"));
    let question = ["recall", "why did the deploy fail", "--now", "2024-02-01"];
    let strip = |mut answer: serde_json::Value| {
        answer["revision"] = 0.into();
        // The id contains the revision.
        answer["rollout"]["id"] = "".into();
        answer
    };
    assert_eq!(strip(other.json(&question)), strip(home.json(&question)));

    assert_eq!(other.json(&["import", &file])["memories"], 0);
}

#[test]
fn an_existing_file_is_replaced_on_request_only() {
    let home = filled();
    home.file("all.jsonl", "precious");
    let run = home.run(&["export", "files/all.jsonl"]);
    assert_eq!((run.code, run.error()), (2, "error: cannot export to `files/all.jsonl`: the file exists"));
    home.ok(&["export", "files/all.jsonl", "--force"]);
    let written = std::fs::read_to_string(home.path().join("files/all.jsonl")).expect("it is there");
    assert!(written.starts_with("{\"type\":\"header\"") && written.ends_with("}\n"));
}

#[test]
fn a_damaged_import_changes_nothing_and_names_the_line() {
    let home = filled();
    let export = home.ok(&["export"]);
    let other = Home::new();
    other.remember("Mine.", &[]);
    let before = other.content();
    let lines: Vec<&str> = export.lines().collect();
    let half = &export[..export.len() - lines[lines.len() - 2].len()];
    let short = format!("{}\n", lines[..3].join("\n"));
    for (content, message) in [
        (half, "the line is cut off"),
        (&short, "it ends after line 3 without its last record"),
        (&export.replace("\"kind\":\"causal\"", "\"kind\":\"magic\""), "unknown kind of edge `magic`"),
        ("{\"speaker\": \"Ada\"}\n", "cannot import line 1: it is not the header of a griot export"),
        ("", "it ends after line 0"),
        (&export.replace("\"version\":3", "\"version\":9"), "version 9 of the export format"),
    ] {
        other.file("damaged.jsonl", content);
        other.refused(&["import", "files/damaged.jsonl"], 2, message);
        assert_eq!(other.content(), before, "{message}");
    }
    let missing = "error: cannot import `nowhere.jsonl`: there is no such file";
    other.refused(&["import", "nowhere.jsonl"], 1, missing);
}
