//! `griot reindex --names`: names that are looked for in stored texts again.

use serde_json::{Value, json};

use crate::{Home, Parts, has, parsed};

const ONLY_TOOLS: &str = "remember.entity_types=tool";

/// What a memory mentions, as an export says it.
fn entities(home: &Home, handle: &str) -> Vec<String> {
    let export = home.content();
    let lines: Vec<Value> = export.lines().map(parsed).collect();
    let handle = format!("#{handle}");
    let memory = lines.iter().find(|line| line["handle"] == handle.as_str()).expect("it is exported");
    let own = |line: &&Value| line["kind"] == "mentions" && line["source"] == memory["id"];
    let mut names: Vec<String> =
        lines.iter().filter(own).map(|line| line["target"].text().to_string()).collect();
    names.sort();
    names
}

fn again(home: &Home, flags: &[&str]) -> Value {
    home.json(&[flags, &["reindex", "--names"]].concat())["names"].clone()
}

#[test]
fn a_person_is_known_with_and_without_an_honorific() {
    let home = Home::new();
    home.remember("The bike is ready.", &["--entity", "Mr Okafor:person"]);
    home.remember("Frau Albers hat angerufen, sie kommt am Freitag.", &[]);
    for (name, id) in [("Okafor", "person:okafor"), ("Mr Okafor", "person:okafor"), ("Frau Albers", "albers")]
    {
        has(&home.ok(&["entity", name]), id);
    }
}

#[test]
fn mentions_follow_the_rules_and_what_people_said_stays() {
    let home = Home::new();
    let text = "Dr. Ada Lovelace moved the shop to Redis.";
    let plain = home.remember(text, &["--tag", "shop"]);
    let given = home.remember(&format!("{text} This is so."), &["--entity", "Ada Lovelace:person"]);
    let linked = home.remember(&format!("{text} This was so."), &[]);
    home.ok(&["link", &linked, "Ada Lovelace", "--kind", "mentions", "--reason", "I was there"]);
    let before = home.content();

    let same = again(&home, &[]);
    assert_eq!((&same["memories"], &same["entities"]), (&json!(3), &json!([])));
    assert_eq!(home.content(), before, "the same rules change nothing");

    let fewer = again(&home, &["--set", ONLY_TOOLS]);
    assert_eq!((&fewer["mentions_removed"], &fewer["mentions_added"]), (&json!(1), &json!(0)));
    assert_eq!(fewer["entities"][0]["id"], "person:ada-lovelace");
    assert_eq!(entities(&home, &plain), ["tool:redis", "topic:shop"]);
    assert_eq!(entities(&home, &given), ["person:ada-lovelace", "tool:redis"]);
    assert_eq!(entities(&home, &linked), ["person:ada-lovelace", "tool:redis"]);

    let run = home.ok(&["reindex", "--names"]);
    has(&run, "0 entities and 1 mention added, 0 entities and 0 mentions removed");
    has(&run, "+1        person:ada-lovelace");
    assert_eq!(entities(&home, &plain), ["person:ada-lovelace", "tool:redis", "topic:shop"]);
}

#[test]
fn entities_come_and_go_with_their_last_mention() {
    let home = Home::new();
    home.ok(&["--set", "remember.entities=false", "remember", "Dr. Grace Hopper wrote the compiler."]);
    let added = again(&home, &[]);
    assert_eq!((&added["entities_added"], &added["mentions_added"]), (&json!(1), &json!(1)));
    has(&home.ok(&["entity", "Grace Hopper"]), "compiler");
    let gone = again(&home, &["--set", ONLY_TOOLS]);
    assert_eq!((&gone["entities_removed"], &gone["mentions_removed"]), (&json!(1), &json!(1)));
    home.refused(&["entity", "Grace Hopper"], 1, "no entity");
}

#[test]
fn what_someone_forgot_stays_forgotten_and_titles_stay_linked() {
    let home = Home::new();
    let old = home.remember("we met at the Lantern gate before noon", &[]);
    let file = home.file("lantern.md", "# Lantern gate\n\nIt closes at six.\n");
    home.ok(&["ingest", &file.to_string_lossy()]);
    let known = entities(&home, &old);
    assert!(known.iter().any(|id| id == "concept:lantern-gate"), "by a later title: {known:?}");
    home.remember("Dr. Grace Hopper wrote the compiler.", &[]);
    home.ok(&["forget", "Grace Hopper"]);
    let same = again(&home, &[]);
    assert_eq!(same["entities"], json!([]), "{known:?}");
    assert_eq!(entities(&home, &old), known);
    home.refused(&["entity", "Grace Hopper"], 1, "Grace Hopper");
}

#[test]
fn each_text_is_read_with_the_settings_of_its_agent() {
    let home = Home::new();
    let text = "Dr. Grace Hopper wrote the compiler.";
    let (scout, other) =
        (home.remember(text, &["--agent", "scout"]), home.remember(&format!("{text} This is so."), &[]));
    let own = again(&home, &["--set", "agents.scout.knowledge.entityExtraction.enabled=false"]);
    assert_eq!(own["mentions_removed"], json!(1));
    assert_eq!(entities(&home, &scout), Vec::<String>::new());
    assert_eq!(entities(&home, &other), ["person:grace-hopper"]);
}
