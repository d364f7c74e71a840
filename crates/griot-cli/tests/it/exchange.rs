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
