//! What verbs do to a small workspace. What each of them prints is recorded in `tests/golden`.

use crate::{Home, Parts, has};

/// Two decisions with their cause, as a team would record them.
fn team() -> (Home, String, String) {
    let home = Home::new();
    let slow = home.remember(
        "Postgres is too slow for the session store.",
        &["--at", "2024-03-01", "--kind", "observation"],
    );
    let moved = home.remember(
        "We moved the session store to Redis because Postgres is too slow.",
        &["--at", "2024-03-02", "--kind", "decision", "--speaker", "Ada", "--entity", "Redis:tool"],
    );
    (home, slow, moved)
}

#[test]
fn the_same_text_is_stored_once() {
    let (home, slow, _) = team();
    let again = home.ok(&["remember", "Postgres is too slow for the session store."]);
    assert_eq!(again, format!("already known as #{slow}\n"));
    let other_user = home.json(&["remember", "Postgres is too slow for the session store.", "--user", "ada"]);
    assert_eq!(other_user["action"], "added");
}

#[test]
fn a_handle_that_looks_like_an_edge_shows_its_memory() {
    let (home, other) = (Home::new(), Home::new());
    let handle = home.remember("The gate opens at eight.", &[]);
    let id = home.json(&["show", &handle])["id"].text().to_string();
    home.ok(&["export", "gate.jsonl"]);
    let file = home.path().join("gate.jsonl");
    // The handle follows from the id: this one has `#e50198`.
    let export = std::fs::read_to_string(&file).expect("the export can be read");
    let export = export.replace(&id, "01a20911-f441-72fb-b7ff-0000000001d5");
    std::fs::write(&file, export).expect("the export can be written");
    other.ok(&["import", &file.display().to_string()]);
    has(&other.ok(&["show", "e50198"]), "The gate opens at eight.");
    let missing = other.run(&["show", "e50199"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (1, ""));
    has(&missing.stderr, "there is no such edge");
}

#[test]
fn a_link_has_one_direction_and_why_follows_it_to_its_end() {
    let (home, slow, moved) = team();
    let later = home.remember("Logins take 3 ms.", &["--at", "2024-03-03"]);
    home.ok(&["link", &slow, &moved, "--kind", "causal", "--sub-type", "causes", "--reason", "said so"]);
    home.ok(&["link", &moved, &later, "--kind", "causal", "--sub-type", "enables"]);
    let why = home.json(&["why", &later, "--direction", "causes"]);
    let causes: Vec<&str> = why["causes"].list().iter().map(|cause| cause["node"]["name"].text()).collect();
    assert_eq!(causes, [format!("#{moved}"), format!("#{slow}")]);
    assert!(why["consequences"].list().is_empty());
    let drawn = home.ok(&["why", &later, "--direction", "causes"]);
    let [first, second] = [&slow, &moved].map(|handle| drawn.find(&format!("   #{handle}")));
    assert!(first.is_some() && first < second, "{drawn}");
    for part in ["↓ causes", "↓ enables", "said so"] {
        has(&drawn, part);
    }

    home.ok(&["unlink", &slow, &moved, "--kind", "causal"]);
    let why = home.json(&["why", &later, "--direction", "causes"]);
    let mut hops = why["causes"].list().iter().flat_map(|cause| cause["hops"].list());
    assert!(hops.all(|hop| hop["provenance"] != "user" || hop["label"] == "enables"), "{why}");
}

#[test]
fn the_expiry_of_an_edge_is_shown_wherever_the_edge_is() {
    let home = Home::new();
    let full = home.remember("The disk of the shop was full.", &["--at", "2024-03-01"]);
    let lost = home.remember("Orders of the shop were lost.", &["--at", "2024-03-02"]);
    let linked = home.ok(&["link", &full, &lost, "--kind", "causal", "--expires", "2090-05-01"]);
    assert!(linked.trim_end().ends_with("expires 2090-05-01"), "{linked}");
    let edge = home.json(&["related", &lost, "--family", "causal", "--depth", "1"])[0]["path"][0].clone();
    assert_eq!(edge["expires_at"], "2090-05-01T00:00:00Z");
    let id = edge["edge"].text();
    has(&home.ok(&["show", id]), "\nexpires     2090-05-01T00:00:00Z\n");
    for shown in [
        home.ok(&["why", &lost, "--direction", "causes"]),
        home.ok(&["recall", "Why were orders of the shop lost?", "--explain"]),
    ] {
        has(&shown, &format!("{id}, expires 2090-05-01"));
    }
    assert!(!home.ok(&["status"]).contains("expired"));
    // In a workspace where that date has passed, the edge has expired.
    let ended = home.ok(&["export"]).replace("2090-05-01T00:00:00Z", "2024-04-01T00:00:00Z");
    home.file("ended.jsonl", ended);
    home.ok(&["workspace", "create", "later"]);
    home.ok(&["-w", "later", "import", "files/ended.jsonl"]);
    let status = home.ok(&["-w", "later", "status"]);
    assert!(status.contains(", 1 expired") && !status.contains("causal"), "{status}");
    assert_eq!(home.json(&["-w", "later", "status"])["counts"]["expired_edges"], 1);
    has(&home.ok(&["-w", "later", "show", id]), "\nexpires     2024-04-01T00:00:00Z\n");
}

#[test]
fn what_is_forgotten_comes_back() {
    let (home, slow, moved) = team();
    let forgotten = home.ok(&["forget", &slow]);
    assert!(forgotten.starts_with(&format!("forgotten #{slow}")), "{forgotten}");
    let question = ["recall", "Postgres slow session store", "--no-floor"];
    assert_eq!(home.json(&question)["results"].texts("handle"), [format!("#{moved}")]);
    home.ok(&["restore", &slow]);
    assert_eq!(home.json(&question)["results"].list().len(), 2);
}

#[test]
fn superseded_memories_are_shown_on_request_only() {
    let (home, slow, _) = team();
    let new = home.remember(
        "Postgres is fast enough for the session store since 17.",
        &["--at", "2024-09-01", "--supersedes", &slow],
    );
    let handles = |options: &[&str]| {
        let question = ["recall", "is Postgres too slow for the session store", "--no-floor"];
        home.json(&[&question, options].concat())["results"].texts("handle").join(" ")
    };
    assert!(handles(&[]).contains(&new) && !handles(&[]).contains(&slow));
    assert!(handles(&["--superseded"]).contains(&slow));
    has(&home.ok(&["show", &slow]), "superseded   by ");
}

#[test]
fn a_workspace_is_maintained() {
    let (home, slow, _) = team();
    assert_eq!(home.ok(&["verify"]), "No contradictions.\n");
    home.ok(&["reindex", "--embed"]);
    assert!(home.json(&["gc", "--threshold", "1"]).is_array());
    home.ok(&["gc", "--keep", &slow]);
    assert_eq!(home.json(&["show", &slow])["kind"], "observation");
}

#[test]
fn documents_are_joined_in_the_order_of_time_on_request() {
    let home = Home::new();
    for (name, date) in [("a.md", "2024-03-01"), ("b.md", "2024-03-03"), ("c.md", "2024-03-02")] {
        home.file(name, format!("---\ndate: {date}\n---\n\nThe report {name} speaks of the harbour.\n"));
    }
    home.ok(&["ingest", "files"]);
    let found = home.json(&["recall", "a.md"]);
    let first = found["results"][0]["handle"].text();
    has(&home.ok(&["related", first, "--family", "temporal"]), "nothing is connected");
    let built = home.json(&["build-graphs", "--graphs", "temporal"]);
    assert_eq!((&built["temporal_added"], &built["semantic_total"]), (&2.into(), &0.into()), "{built}");
    let related = home.json(&["related", first, "--family", "temporal", "--depth", "1"]);
    let hop = &related[0]["path"][0];
    assert_eq!((hop["label"].as_str(), hop["hours"].as_f64()), (Some("backbone"), Some(24.0)), "{related}");
    has(&home.ok(&["related", first, "--family", "temporal"]), "24.0 h→");
}

#[test]
fn the_demo_answers_one_question_of_each_intent_and_leaves_nothing() {
    let home = Home::new();
    let shown = home.ok(&["demo"]);
    for text in [
        "$ griot recall \"Why",
        "$ griot recall \"When",
        "$ griot recall \"Who",
        "$ griot recall \"What",
        "$ griot link ",
        "$ griot why ",
        "confidence 1.00, 2 steps",
        "The workspace was deleted",
    ] {
        has(&shown, text);
    }
    assert!(!home.path().join("home").exists());
    let answers = home.json(&["demo"]);
    for (answer, intent) in answers.list().iter().zip(["why", "when", "entity", "general"]) {
        assert_eq!(answer["understanding"]["intent"], intent);
        assert!(answer["results"][0]["id"].is_string(), "{answer}");
    }
    assert_eq!(answers.list().len(), 4);
}

/// A home with an edge of little confidence, and the id of the edge.
pub fn uncertain() -> (Home, String) {
    let home = Home::new();
    home.remember("The Auth Service is slow.", &["--entity", "Auth Service:concept", "--at", "2024-03-01"]);
    home.remember("Redis was upgraded.", &["--entity", "Redis:tool", "--at", "2024-05-01"]);
    let link = ["link", "Auth Service", "Redis", "--kind", "relation", "--label", "uses"];
    let linked = home.json(&[&link[..], &["--confidence", "0.4", "--expires", "2090-05-01"]].concat());
    (home, linked["edge"]["id"].to_string())
}

/// An edge is found by default, but not above its confidence or after its end.
#[test]
fn the_least_confidence_and_the_time_are_asked_for() {
    let (home, edge) = uncertain();
    for verb in [
        ["related", "Auth Service"].as_slice(),
        &["path", "Auth Service", "Redis"],
        &["entity", "Auth Service"],
    ] {
        let holds = |more: &[&str]| home.run(&[verb, more, &["--json"]].concat()).stdout.contains(&edge);
        assert!(holds(&[]) && holds(&["--min-confidence", "0.3"]), "{verb:?}");
        assert!(!holds(&["--min-confidence", "0.5"]) && !holds(&["--now", "2091-01-01"]), "{verb:?}");
    }
    for verb in ["recall", "traverse"] {
        let asked = |least: &str| home.run(&[verb, "the Auth Service", "--min-confidence", least, "--json"]);
        assert!(asked("0.5").code == 0 && !asked("0.5").stdout.contains(&edge), "{verb}");
        let refused = asked("2").stderr;
        assert!(refused.contains("cannot use min_confidence 2: it "), "{refused}");
    }
}
