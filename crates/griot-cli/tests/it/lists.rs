//! Lists: at most as long as asked, with the number of what is left out.

use serde_json::Value;

use crate::{Home, has};

/// A list of three is cut to one.
#[track_caller]
fn cut(home: &Home, command: &[&str], part: Option<&str>, noun: &str) {
    let list = |answer: &Value| {
        let list = part.map_or(answer, |part| &answer[part]);
        list.as_array().unwrap_or_else(|| panic!("not a list: {answer}")).len()
    };
    assert_eq!(list(&home.json(command)), 3, "{command:?}");
    for json in [true, false] {
        let flags: &[&str] = if json { &["--json"] } else { &[] };
        let run = home.run(&[command, &["--limit", "1"], flags].concat());
        has(&run.stderr, &format!("2 more {noun}; --limit 3 lists all"));
        assert_eq!(run.code, 0);
        if json {
            assert_eq!(list(&crate::parsed(&run.stdout)), 1, "{command:?}");
        }
    }
    let run = home.run(&[command, &["--limit", "3"]].concat());
    assert!(!run.stderr.contains("more"), "{}", run.stderr);
}

#[test]
fn lists_are_cut_and_say_what_is_left_out() {
    let home = Home::new();
    for name in ["one", "two", "three"] {
        let file = home.file(&format!("{name}.md"), format!("The {name} is fine."));
        home.ok(&["ingest", &file.to_string_lossy(), "--tag", name]);
        home.ok(&["facts", "add", &format!("Tool {name}"), "uses", "Redis"]);
        home.ok(&["key", "create", "--name", name]);
    }
    cut(&home, &["facts"], None, "facts");
    cut(&home, &["facts", "list", "Redis"], None, "facts");
    cut(&home, &["key", "list"], None, "keys");
    cut(&home, &["sources"], None, "sources");
    cut(&home, &["sources", "list"], None, "sources");
    for name in ["blue", "green"] {
        home.ok(&["workspace", "create", name]);
    }
    cut(&home, &["workspace"], None, "workspaces");
    cut(&home, &["workspace", "list"], None, "workspaces");
    for name in ["one", "two", "three"] {
        home.ok(&["merge", "Redis", &format!("Tool {name}")]);
    }
    cut(&home, &["merges"], Some("merges"), "merges");
    for name in ["one", "two", "three"] {
        let file = home.path().join(format!("files/{name}.md"));
        home.ok(&["erase", "source", &file.to_string_lossy()]);
    }
    cut(&home, &["erasures"], None, "erasures");
    cut(&home, &["erasures", "--verify"], None, "erasures");
}

#[test]
fn jobs_warnings_and_reached_nodes_are_cut() {
    let home = Home::new();
    for name in ["a", "b", "c"] {
        let file = home.file(&format!("{name}/note.md"), format!("Note {name}."));
        home.ok(&["ingest", &file.parent().expect("a folder").to_string_lossy()]);
    }
    cut(&home, &["jobs"], None, "jobs");
    cut(&home, &["jobs", "list"], None, "jobs");
    let text = home.file("long.md", "# One\n\nThe first.\n\n# Two\n\nThe second.\n\n# Three\n\nThe third.\n");
    home.ok(&["ingest", &text.to_string_lossy()]);
    cut(&home, &["sources", "show", &text.to_string_lossy()], Some("memories"), "memories");
    let (one, other) = (home.remember("The lift broke.", &[]), home.remember("All took the stairs.", &[]));
    home.ok(&["link", &one, &other, "--kind", "causal"]);
    let reached = home.json(&["traverse", "the lift broke"]);
    let all = reached.as_array().map_or(0, Vec::len);
    assert!(all > 1, "{reached}");
    let run = home.run(&["traverse", "the lift broke", "--limit", "1"]);
    has(&run.stderr, &format!("; --limit {all} lists all"));
}

#[test]
fn sources_of_an_agent_are_listed_and_what_it_stored_is_removed() {
    let home = Home::new();
    home.remember("The parser is done.", &["--agent", "coder"]);
    home.remember("The parser is tested.", &["--agent", "tester"]);
    let file = home.file("plan.md", "The plan is ready.");
    let file = file.to_string_lossy();
    home.ok(&["ingest", &file, "--agent", "coder"]);
    home.ok(&["ingest", "--text", "A note without an agent.", "--name", "note"]);
    let count = |arguments: &[&str]| home.json(arguments).as_array().map_or(0, Vec::len);
    assert_eq!(count(&["sources"]), 4, "{}", home.ok(&["sources"]));
    assert_eq!(count(&["sources", "--agent", "coder"]), 2);
    assert_eq!(count(&["sources", "list", "--agent", "tester"]), 1);
    home.refused(&["sources", "remove", &file, "--agent", "tester"], 1, "it has no memory there");
    home.ok(&["sources", "remove", &file, "--agent", "coder"]);
    assert_eq!(count(&["list", "--agent", "coder"]), 1);
    has(&home.ok(&["sources"]), "(plan) forgotten");
    // Of a source of two agents, one part stays.
    let chat = |agent: &str, text: &str| {
        let log = home.file("log.md", text);
        home.ok(&["ingest", &log.to_string_lossy(), "--agent", agent]);
        log.to_string_lossy().into_owned()
    };
    chat("coder", "# One\n\nThe lift is old.\n");
    let log = chat("tester", "# One\n\nThe lift is old.\n\n# Two\n\nThe roof is new.\n");
    home.ok(&["sources", "remove", &log, "--agent", "tester"]);
    let left = home.json(&["sources", "show", &log]);
    assert_eq!(left["memories"].as_array().map_or(0, Vec::len), 1, "{left}");
    has(&left["memories"][0]["text"].to_string(), "The lift is old.");
}

#[test]
fn facts_that_contradict_each_other_are_listed() {
    let home = Home::new();
    assert_eq!(home.ok(&["conflicts"]).trim(), "No facts contradict each other.");
    home.ok(&["facts", "add", "Shop", "runs_on", "Redis", "--from", "2024-01-01", "--to", "2024-06-01"]);
    home.ok(&["facts", "add", "Shop", "runs_on", "Valkey", "--from", "2024-03-01", "--to", "2024-09-01"]);
    home.ok(&["facts", "add", "Shop", "runs_on", "Postgres", "--from", "2023-01-01", "--to", "2024-01-01"]);
    for taste in ["tea", "trains"] {
        home.ok(&["facts", "add", "Ada", "prefers", taste]);
        home.ok(&["facts", "add", "Ada", "avoids", taste]);
    }
    let found = home.json(&["conflicts"]);
    let pair = |at: usize| (&found[at]["first"]["object"], &found[at]["second"]["object"]);
    assert_eq!((pair(0), pair(1)), ((&"Redis".into(), &"Valkey".into()), (&"tea".into(), &"tea".into())));
    assert_eq!(home.json(&["conflicts", "Ada"]).as_array().map(Vec::len), Some(2));
    let text = home.ok(&["conflicts", "Shop"]);
    assert!(text.contains("runs on Redis") && text.contains("runs on Valkey"), "{text}");
    cut(&home, &["conflicts"], None, "conflicts");
}

#[test]
fn a_person_ends_a_fact_opens_it_again_and_an_older_export_does_not() {
    let home = Home::new();
    home.ok(&["facts", "add", "Shop", "uses", "Redis", "--from", "2024-01-01"]);
    let before = home.file("before.jsonl", home.ok(&["export"]));
    let ended = home.json(&["facts", "end", "f1", "--at", "2024-06-01"]);
    assert_eq!((&ended["valid_to"], &ended["current"]), (&"2024-06-01T00:00:00Z".into(), &false.into()));
    assert!(ended["ended_at"].is_string(), "{ended}");
    home.ok(&["import", before.to_str().expect("a path")]);
    assert_eq!(home.json(&["facts"]), Value::Array(vec![ended]));
    // What ended goes out and comes in as it is.
    let after = home.file("after.jsonl", home.ok(&["export"]));
    let other = Home::new();
    other.ok(&["import", after.to_str().expect("a path")]);
    assert_eq!(other.json(&["facts"])[0]["ended_at"], home.json(&["facts"])[0]["ended_at"]);
    let opened = home.json(&["facts", "end", "f1", "--undo"]);
    assert_eq!((&opened["valid_to"], &opened["ended_at"]), (&Value::Null, &Value::Null));
    has(&home.ok(&["facts", "end", "f1"]), "not current");
    home.refused(&["facts", "end", "f7"], 1, "there is no such fact");
    home.refused(&["facts", "end", "f1", "--at", "2023-01-01"], 2, "before it begins");
}
