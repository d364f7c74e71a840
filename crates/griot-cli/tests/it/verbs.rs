//! The verbs, each on a small workspace.

use crate::Home;

/// Two decisions with their cause, as a team would record them.
fn team() -> (Home, String, String) {
    let home = Home::new();
    let slow = home.remember(
        "Postgres is too slow for the session store.",
        &["--at", "2024-03-01", "--kind", "observation"],
    );
    let moved = home.remember(
        "We moved the session store to Redis because Postgres is too slow.",
        &[
            "--at",
            "2024-03-02",
            "--kind",
            "decision",
            "--speaker",
            "Ada",
            "--entity",
            "Redis:tool",
            "--tag",
            "storage",
        ],
    );
    (home, slow, moved)
}

#[test]
fn a_question_finds_what_was_remembered_and_says_why() {
    let (home, _, moved) = team();
    let answer = home.ok(&["recall", "why did we move the session store to Redis?"]);
    assert!(answer.contains(&format!("#{moved}  2024-03-02 · Ada")), "{answer}");
    assert!(answer.contains("its own words match"), "{answer}");
    let explained = home.ok(&["recall", "why did we move the session store to Redis?", "--explain"]);
    assert!(explained.starts_with("Understood\n├─ intent    why"), "{explained}");
    assert!(explained.contains("├─ words"), "{explained}");
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
fn a_link_has_one_direction_and_why_follows_it_to_its_end() {
    let (home, slow, moved) = team();
    let later = home.remember("Logins take 3 ms.", &["--at", "2024-03-03"]);
    home.ok(&["link", &slow, &moved, "--kind", "causal", "--sub-type", "causes", "--reason", "said so"]);
    home.ok(&["link", &moved, &later, "--kind", "causal", "--sub-type", "enables"]);
    let why = home.json(&["why", &later, "--direction", "causes"]);
    let causes: Vec<&str> =
        why["causes"].as_array().expect("a list").iter().filter_map(|c| c["node"]["name"].as_str()).collect();
    assert_eq!(causes, [format!("#{moved}"), format!("#{slow}")]);
    assert_eq!(why["consequences"].as_array().map(Vec::len), Some(0));
    let drawn = home.ok(&["why", &later, "--direction", "causes"]);
    let order: Vec<usize> = [&slow, &moved]
        .iter()
        .map(|handle| drawn.find(&format!("   #{handle}")).expect("it is drawn"))
        .collect();
    assert!(order[0] < order[1] && drawn.contains("↓ causes") && drawn.contains("↓ enables"), "{drawn}");
    assert!(drawn.contains("said so"), "{drawn}");

    home.ok(&["unlink", &slow, &moved, "--kind", "causal"]);
    let why = home.json(&["why", &later, "--direction", "causes"]);
    assert!(why["causes"].as_array().expect("a list").iter().all(|cause| {
        cause["hops"].as_array().is_none_or(|hops| {
            hops.iter().all(|hop| hop["provenance"] != "user" || hop["label"] == "enables")
        })
    }));
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
    let id = edge["edge"].as_str().expect("it is stored");
    assert!(home.ok(&["show", id]).contains("\nexpires     2090-05-01T00:00:00Z\n"));
    for shown in [
        home.ok(&["why", &lost, "--direction", "causes"]),
        home.ok(&["recall", "Why were orders of the shop lost?", "--explain"]),
    ] {
        assert!(shown.contains(&format!("{id}, expires 2090-05-01")), "{shown}");
    }
    assert!(!home.ok(&["status"]).contains("expired"));
    // In a workspace where that date has passed, the edge has expired.
    let ended = home.ok(&["export"]).replace("2090-05-01T00:00:00Z", "2024-04-01T00:00:00Z");
    let file = home.file("ended.jsonl", ended);
    home.ok(&["workspace", "create", "later"]);
    home.ok(&["-w", "later", "import", file.to_str().expect("it is text")]);
    let status = home.ok(&["-w", "later", "status"]);
    assert!(status.contains(", 1 expired") && !status.contains("causal"), "{status}");
    assert_eq!(home.json(&["-w", "later", "status"])["counts"]["expired_edges"], 1);
    assert!(home.ok(&["-w", "later", "show", id]).contains("\nexpires     2024-04-01T00:00:00Z\n"));
}

#[test]
fn what_is_forgotten_comes_back() {
    let (home, slow, moved) = team();
    let forgotten = home.ok(&["forget", &slow]);
    assert!(forgotten.starts_with(&format!("forgotten #{slow}")), "{forgotten}");
    let found = home.json(&["recall", "Postgres slow session store", "--no-floor"]);
    let handles: Vec<&str> =
        found["results"].as_array().expect("a list").iter().filter_map(|r| r["handle"].as_str()).collect();
    assert_eq!(handles, [format!("#{moved}")]);
    home.ok(&["restore", &slow]);
    let found = home.json(&["recall", "Postgres slow session store", "--no-floor"]);
    assert_eq!(found["results"].as_array().map(Vec::len), Some(2));
}

#[test]
fn superseded_memories_are_shown_on_request_only() {
    let (home, slow, _) = team();
    let new = home.remember(
        "Postgres is fast enough for the session store since 17.",
        &["--at", "2024-09-01", "--supersedes", &slow],
    );
    let handles = |options: &[&str]| {
        let mut all = vec!["recall", "is Postgres too slow for the session store", "--no-floor"];
        all.extend(options);
        let found = home.json(&all);
        found["results"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|r| r["handle"].to_string())
            .collect::<String>()
    };
    assert!(handles(&[]).contains(&new) && !handles(&[]).contains(&slow));
    assert!(handles(&["--superseded"]).contains(&slow));
    assert!(home.ok(&["show", &slow]).contains("superseded   by "));
}

#[test]
fn scope_tags_kind_and_time_restrict_the_search() {
    let home = Home::new();
    for (user, project, day) in
        [("ada", "shop", "2024-03-01"), ("bob", "shop", "2024-04-01"), ("ada", "blog", "2024-05-01")]
    {
        let text = format!("The deploy of {project} by {user} failed.");
        home.remember(
            &text,
            &["--user", user, "--project", project, "--at", day, "--tag", project, "--kind", "event"],
        );
    }
    let count = |options: &[&str]| {
        let mut all = vec!["recall", "deploy failed", "--no-floor"];
        all.extend(options);
        home.json(&all)["results"].as_array().map(Vec::len)
    };
    assert_eq!(count(&[]), Some(3));
    assert_eq!(count(&["--user", "ada"]), Some(2));
    assert_eq!(count(&["--user", "ada", "--project", "blog"]), Some(1));
    assert_eq!(count(&["--tag", "shop"]), Some(2));
    assert_eq!(count(&["--kind", "decision"]), Some(0));
    assert_eq!(count(&["--since", "2024-04-01"]), Some(2));
    assert_eq!(count(&["--until", "2024-04-01"]), Some(2));
    assert_eq!(count(&["--at", "2024-04"]), Some(1));
    assert_eq!(count(&["--limit", "1"]), Some(1));
    assert_eq!(count(&["--budget", "12"]), Some(1));
}

#[test]
fn facts_are_closed_by_the_next_one() {
    let home = Home::new();
    home.ok(&["facts", "add", "Session store", "migrated_to", "Redis", "--from", "2024-03-01"]);
    home.ok(&["facts", "add", "Session store", "migrated_to", "Valkey", "--from", "2024-09-01"]);
    home.ok(&["facts", "add", "Ada", "prefers", "tabs over spaces"]);
    assert_eq!(
        home.ok(&["facts"]),
        "f1  Session store migrated to Redis  2024-03-01 to 2024-09-01, confidence 1.00, not current\n\
         f2  Session store migrated to Valkey  since 2024-09-01, confidence 1.00\n\
         f3  Ada prefers “tabs over spaces”  confidence 1.00\n"
    );
    let about = home.ok(&["facts", "Ada"]);
    assert_eq!(about, "f3  Ada prefers “tabs over spaces”  confidence 1.00\n");
    assert!(home.ok(&["facts", "f1"]).starts_with("f1  Session store"));
}

#[test]
fn entities_paths_hubs_and_neighbours_are_shown() {
    let (home, slow, moved) = team();
    let entity = home.ok(&["entity", "redis"]);
    assert!(entity.starts_with("Redis  tool:redis"), "{entity}");
    assert!(entity.contains("Mentioned in 1 memory") && entity.contains(&moved), "{entity}");
    let path = home.ok(&["path", &moved, "Redis"]);
    assert!(path.starts_with(&format!("#{moved} ─mentions→ Redis")), "{path}");
    assert!(home.ok(&["hubs"]).contains("Redis"));
    let related = home.json(&["related", &moved, "--depth", "1", "--family", "entity"]);
    assert!(related.to_string().contains("tool:redis"));
    assert!(home.ok(&["similar", &slow]).contains(&moved));
    let timeline = home.ok(&["timeline", &moved]);
    assert!(
        timeline.lines().nth(1).is_some_and(|line| line.starts_with('▸') && line.contains(&moved)),
        "{timeline}"
    );
    assert!(home.ok(&["traverse", "session store Redis"]).contains(&moved));
}

#[test]
fn the_context_block_has_entities_and_memories() {
    let (home, _, moved) = team();
    let block = home.ok(&["recall", "what about Redis and the session store?", "--context"]);
    assert!(block.starts_with("## Knowledge Graph Context\nQuery entities: [Redis"), "{block}");
    assert!(block.contains("\n### Redis (tool)\n"), "{block}");
    assert!(block.contains("\n### Memories:\n"), "{block}");
    assert!(block.contains(&format!("- #{moved} (2024-03-02, Ada")), "{block}");
}

#[test]
fn looking_after_a_workspace() {
    let (home, slow, _) = team();
    assert!(home.ok(&["status"]).contains("memories    2: 1 decision, 1 observation"));
    assert!(home.ok(&["doctor"]).contains("The workspace is healthy."));
    assert_eq!(home.ok(&["verify"]), "No contradictions.\n");
    home.ok(&["reindex"]);
    home.ok(&["reindex", "--embed"]);
    home.ok(&["build-graphs"]);
    let gc = home.json(&["gc", "--threshold", "1"]);
    assert!(gc.is_array());
    home.ok(&["gc", "--keep", &slow]);
    assert_eq!(home.json(&["show", &slow])["kind"], "observation");
    assert!(home.ok(&["sources"]).contains("agent"));
}

#[test]
fn documents_stand_in_one_order_in_time_when_that_is_asked_for() {
    let home = Home::new();
    for (name, date) in [("a.md", "2024-03-01"), ("b.md", "2024-03-03"), ("c.md", "2024-03-02")] {
        home.file(name, format!("---\ndate: {date}\n---\n\nThe report {name} speaks of the harbour.\n"));
    }
    home.ok(&["ingest", "files"]);
    let first =
        home.json(&["recall", "a.md"])["results"][0]["handle"].as_str().expect("it has one").to_string();
    assert!(home.ok(&["related", &first, "--family", "temporal"]).contains("nothing is connected"));
    let built = home.json(&["build-graphs", "--graphs", "temporal"]);
    assert_eq!((&built["temporal_added"], &built["semantic_total"]), (&2.into(), &0.into()), "{built}");
    let related = home.json(&["related", &first, "--family", "temporal", "--depth", "1"]);
    let hop = &related[0]["path"][0];
    assert_eq!((hop["label"].as_str(), hop["hours"].as_f64()), (Some("backbone"), Some(24.0)), "{related}");
    assert!(home.ok(&["related", &first, "--family", "temporal"]).contains("24.0 h→"));
    let refused = home.run(&["build-graphs", "--graphs", "causal"]);
    assert_eq!(refused.code, 2);
    assert!(refused.error().contains("there is no such graph to build"), "{}", refused.error());
}

#[test]
fn the_demo_answers_one_question_of_each_intent_and_leaves_nothing() {
    let home = Home::new();
    let shown = home.ok(&["demo"]);
    for text in [
        "$ griot recall \"Why",
        "$ griot recall \"When",
        "$ griot recall \"Who",
        "$ griot recall \"How",
        "$ griot why ",
        "The workspace was deleted",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(!home.path().join("home").exists());
    let answers = home.json(&["demo"]);
    let intents: Vec<&str> = answers
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|a| a["understanding"]["intent"].as_str())
        .collect();
    assert_eq!(intents, ["why", "when", "entity", "general"]);
    assert!(answers.as_array().is_some_and(|all| all.iter().all(|a| a["results"][0]["id"].is_string())));
}

/// An edge is there by default, and gone above its confidence and after its end.
#[test]
fn the_least_confidence_and_the_time_are_asked_for() {
    let home = Home::new();
    home.remember("The Auth Service is slow.", &["--entity", "Auth Service:concept", "--at", "2024-03-01"]);
    home.remember("Redis was upgraded.", &["--entity", "Redis:tool", "--at", "2024-05-01"]);
    let link =
        ["link", "Auth Service", "Redis", "--kind", "relation", "--label", "uses", "--confidence", "0.4"];
    let linked = home.json(&[link.as_slice(), &["--expires", "2090-05-01"]].concat());
    let edge = linked["edge"]["id"].to_string();
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
        assert!(refused.contains("cannot use min_confidence 2: it lies outside 0..1"), "{refused}");
    }
}
