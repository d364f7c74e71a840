//! `griot rollout` and `griot feedback`: all modes, end to end.

use serde_json::{Value, json};

use crate::Home;

pub const QUESTION: &str = "why did the sessions move to Redis?";

pub fn filled() -> Home {
    let home = Home::new();
    home.remember("We moved the sessions to Redis because Postgres was too slow.", &[]);
    home.remember("Postgres was slow because the disk of the database was full.", &[]);
    home.remember("The Redis cluster has three nodes.", &[]);
    home.remember("Grace ordered a larger disk for the database on Monday.", &[]);
    home.remember("Ada prefers tabs.", &[]);
    home
}

/// An answer without the report on how it was made.
fn said(answer: &Value) -> Value {
    let mut answer = answer.clone();
    answer.as_object_mut().expect("an object").remove("rollout");
    answer
}

fn made(answer: &Value) -> [Value; 4] {
    let made = &answer["rollout"];
    [
        made["mode"].clone(),
        made["requested"].clone(),
        made["applied"].clone(),
        made["fallback_reason"].clone(),
    ]
}

#[test]
fn each_mode_names_what_was_asked_for_and_what_answered() {
    let home = filled();
    // The same time for all questions, so that answers are comparable.
    let ask = |options: &[&str]| {
        let mut all = vec!["recall", QUESTION, "--now", "2030-01-01T00:00:00Z"];
        all.extend(options);
        home.json(&all)
    };
    let on = ask(&[]);
    assert_eq!(made(&on), [json!("on"), json!("hybrid_graph"), json!("hybrid_graph"), Value::Null]);
    assert!(on["rollout"]["graph_candidates"].as_u64() > Some(0), "{}", on["rollout"]);
    let baseline = ask(&["--no-graph"]);
    assert_eq!(made(&baseline), [json!("on"), json!("baseline"), json!("baseline"), Value::Null]);
    let reached =
        on["results"].as_array().expect("results").iter().find(|r| r["hop_count"].as_u64() > Some(0));
    let reached = reached.expect("the graph had a part");
    for key in ["linked_node", "edge_type", "confidence", "why_included", "seed_memory"] {
        assert!(!reached[key].is_null(), "{key}: {reached}");
    }

    assert!(
        home.ok(&["rollout", "set", "off"]).starts_with("off  the baseline answers; the graph does not run")
    );
    let off = ask(&[]);
    assert_eq!(made(&off), [json!("off"), json!("hybrid_graph"), json!("baseline"), json!("rollout_off")]);
    assert_eq!(said(&off), said(&baseline));
    assert!(home.ok(&["recall", QUESTION]).contains("note: the baseline answered (rollout_off)"));

    home.ok(&["rollout", "set", "shadow"]);
    let shadow = ask(&[]);
    assert_eq!(
        made(&shadow),
        [json!("shadow"), json!("hybrid_graph"), json!("baseline"), json!("shadow_mode")]
    );
    assert_eq!(said(&shadow), said(&off));
    assert_eq!(shadow["rollout"]["shadow_executed"], true);
    assert_eq!(shadow["rollout"]["graph_candidates"], on["rollout"]["graph_candidates"]);

    home.ok(&["rollout", "set", "canary"]);
    assert_eq!(made(&ask(&[])), [json!("canary"), json!("baseline"), json!("baseline"), Value::Null]);
    let canary = ask(&["--graph"]);
    assert_eq!(made(&canary), [json!("canary"), json!("hybrid_graph"), json!("hybrid_graph"), Value::Null]);
    assert_eq!(said(&canary), said(&on));
    let share = ask(&["--set", "rollout.canary_percent=100"]);
    assert_eq!(share["rollout"]["applied"], "hybrid_graph");
    let disabled = ask(&["--graph", "--set", "recall.graph=false"]);
    assert_eq!(disabled["rollout"]["fallback_reason"], "feature_flag_disabled");

    // The counts of all these processes.
    let rollout = home.json(&["rollout"]);
    let window = &rollout["windows"][0];
    assert_eq!((&window["requests"], &window["shadow_executions"]), (&json!(9), &json!(1)), "{window}");
    assert_eq!((&window["held"], &window["graph_errors"]), (&json!(4), &json!(0)), "{window}");
    assert_eq!((&rollout["mode"], &rollout["updated_by"]), (&json!("canary"), &json!("user")));
    assert_eq!(home.json(&["rollout", "set", "on"])["mode"], "on");
}

#[test]
fn judged_questions_and_feedback_come_back_in_the_status() {
    let home = filled();
    let handle = home.remember("Postgres was retired in May.", &[]);
    let file = home.file(
        "judged.jsonl",
        format!("{{\"query\": \"when was Postgres retired?\", \"relevant\": [\"{handle}\"]}}\n"),
    );
    let judged = home.json(&["rollout", "judge", file.to_str().expect("a path")]);
    assert_eq!((&judged["queries"], &judged["baseline_recall"]), (&json!(1), &json!(1.0)), "{judged}");
    assert!(home.ok(&["rollout", "judge", file.to_str().expect("a path")]).contains("hybrid_graph"));
    let answer = home.json(&["recall", "when was Postgres retired?"]);
    let id = answer["rollout"]["id"].as_str().expect("an id");
    let taken = home.json(&["feedback", id, &handle, "--good"]);
    assert_eq!(taken["credited"][0]["answer"], id);
    assert!(home.ok(&["feedback", &handle, "--bad"]).contains(" is bad: counted for "));
    home.ok(&["feedback", id, "--good"]);
    let window = &home.json(&["rollout"])["windows"][0];
    let sum =
        |names: [&str; 2]| names.iter().map(|name| window[*name].as_u64().expect("a number")).sum::<u64>();
    assert_eq!(
        (sum(["good_graph", "good_baseline"]), sum(["bad_graph", "bad_baseline"])),
        (1, 1),
        "{window}"
    );
    assert_eq!(window["judged"], 2);
    for page in [home.ok(&["rollout"]), home.ok(&["rollout", "status"]), home.ok(&["rollout", "plan"])] {
        assert!(page.starts_with("on  the graph answers"), "{page}");
    }
    assert!(home.ok(&["recall", "Postgres", "--explain"]).contains("strategy  hybrid_graph (on)"));
}

#[test]
fn wrong_requests_say_what_is_wrong() {
    let home = filled();
    let broken = home.file("broken.jsonl", "{\"query\": \"x\"}\n");
    let unknown = home.file("unknown.jsonl", "{\"query\": \"x\", \"relevant\": [\"#ffffff\"]}\n");
    let empty = home.file("empty.jsonl", "\n");
    let name = |path: &std::path::PathBuf| path.to_str().expect("a path").to_string();
    for (arguments, code, wanted) in [
        (vec!["rollout", "set", "sideways"], 2, "possible values: off, shadow, canary, on"),
        (vec!["rollout", "judge", "nowhere.jsonl"], 1, "there is no such file"),
        (vec!["rollout", "judge", &name(&broken)], 2, "line 1 of the judged questions"),
        (vec!["rollout", "judge", &name(&unknown)], 1, "#ffffff"),
        (vec!["rollout", "judge", &name(&empty)], 2, "there is no question"),
        (vec!["feedback", "q-000000000000", "--good"], 1, "none of the last 1000 answers has this id"),
        (vec!["feedback", "q-1", "q-2", "--good"], 2, "more than one answer"),
        (vec!["feedback", "nothing", "--good"], 1, "nothing"),
        (vec!["feedback", "a1b2c3"], 2, "--good"),
        (vec!["feedback", "a1b2c3", "--good", "--bad"], 2, "--bad"),
        (vec!["recall", "x", "--graph", "--no-graph"], 2, "--no-graph"),
        (vec!["rollout", "--set", "rollout.max_fallback_rate=2"], 2, "a number from 0 to 1"),
    ] {
        let run = home.run(&arguments);
        assert!(run.stderr.contains(wanted), "griot {arguments:?}: {}", run.stderr);
        assert_eq!(run.code, code, "griot {arguments:?}: {}", run.stderr);
    }
    assert_eq!(home.json(&["rollout"])["windows"], json!([]));
}

/// A graph that really fails: the evidence table, which only paths need, is missing.
#[test]
fn a_failing_graph_blocks_the_gate_and_the_next_stage_is_refused() {
    let home = filled();
    let database = home.path().join("home").join("workspaces").join("default").join("griot.db");
    let break_it =
        |sql: &str| rusqlite::Connection::open(&database).expect("it opens").execute_batch(sql).expect(sql);
    let baseline = home.json(&["recall", QUESTION, "--no-graph", "--now", "2030-01-01T00:00:00Z"]);
    break_it("ALTER TABLE evidence RENAME TO evidence_gone");
    let broken = home.json(&["recall", QUESTION, "--now", "2030-01-01T00:00:00Z"]);
    assert_eq!(
        made(&broken),
        [json!("on"), json!("hybrid_graph"), json!("baseline"), json!("graph_expansion_error")]
    );
    assert_eq!(broken["results"], baseline["results"]);
    assert!(
        broken["missing"][0].as_str().is_some_and(|text| text.starts_with("the graph was not used")),
        "{broken}"
    );
    for _ in 0..2 {
        home.ok(&["recall", QUESTION]);
    }
    home.ok(&["rollout", "set", "shadow"]);
    // Moves the counts into the previous, closed window.
    break_it(
        "UPDATE rollout_count SET start = start - width;
         UPDATE rollout_count SET value = 30 WHERE counter = 'graph_errors'",
    );
    let rollout = home.json(&["rollout"]);
    assert_eq!((&rollout["gate"]["state"], &rollout["gate"]["status"]), (&json!("blocked"), &json!("fail")));
    assert_eq!(rollout["incidents"][0]["reason"], "graph_expansion_error");
    assert!(rollout["alarms"].to_string().contains("CANARY_QUALITY_GATE_BLOCKED"), "{rollout}");
    let run = home.run(&["rollout", "set", "canary"]);
    assert_eq!(run.code, 2);
    assert!(
        run.error()
            .contains("the quality gate is not open (fail, windows of 24 h): FALLBACK_RATE_ABOVE_LIMIT"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("--force"), "{}", run.stderr);
    let shown = home.ok(&["rollout"]);
    assert!(shown.contains("blocks: GRAPH_ERROR_RATE_ABOVE_LIMIT"), "{shown}");
    home.ok(&["rollout", "set", "canary", "--force"]);
    assert_eq!(home.json(&["rollout"])["gate"]["state"], "open");
}
