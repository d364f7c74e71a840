//! `griot rollout` and `griot feedback`: all modes, end to end.

use serde_json::{Value, json};

use crate::{Home, Parts, has};

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

/// The mode, the strategy that was requested, the one that answered, and why it was another.
fn made(answer: &Value) -> [&str; 4] {
    ["mode", "requested", "applied", "fallback_reason"]
        .map(|key| answer["rollout"][key].as_str().unwrap_or("-"))
}

#[test]
fn each_mode_names_what_was_asked_for_and_what_answered() {
    let home = filled();
    // The same time for all questions, so that answers are comparable.
    let ask = |options: &[&str]| {
        home.json(&[&["recall", QUESTION, "--now", "2030-01-01T00:00:00Z"], options].concat())
    };
    let on = ask(&[]);
    assert_eq!(made(&on), ["on", "hybrid_graph", "hybrid_graph", "-"]);
    assert!(on["rollout"]["graph_candidates"].as_u64() > Some(0), "{}", on["rollout"]);
    let baseline = ask(&["--no-graph"]);
    assert_eq!(made(&baseline), ["on", "baseline", "baseline", "-"]);
    let reached = on["results"].list().iter().find(|r| r["hop_count"].as_u64() > Some(0));
    let reached = reached.expect("the graph had a part");
    for key in ["linked_node", "edge_type", "confidence", "why_included", "seed_memory"] {
        assert!(!reached[key].is_null(), "{key}: {reached}");
    }

    let set = home.ok(&["rollout", "set", "off"]);
    assert!(set.starts_with("off  the baseline answers; the graph does not run"), "{set}");
    let off = ask(&[]);
    assert_eq!(made(&off), ["off", "hybrid_graph", "baseline", "rollout_off"]);
    assert_eq!(said(&off), said(&baseline));
    has(&home.ok(&["recall", QUESTION]), "note: the baseline answered (rollout_off)");

    home.ok(&["rollout", "set", "shadow"]);
    let shadow = ask(&[]);
    assert_eq!(made(&shadow), ["shadow", "hybrid_graph", "baseline", "shadow_mode"]);
    assert_eq!(said(&shadow), said(&off));
    assert_eq!(shadow["rollout"]["shadow_executed"], true);
    assert_eq!(shadow["rollout"]["graph_candidates"], on["rollout"]["graph_candidates"]);

    home.ok(&["rollout", "set", "canary"]);
    assert_eq!(made(&ask(&[])), ["canary", "baseline", "baseline", "-"]);
    let canary = ask(&["--graph"]);
    assert_eq!(made(&canary), ["canary", "hybrid_graph", "hybrid_graph", "-"]);
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
    let question = json!({"query": "when was Postgres retired?", "relevant": [handle]});
    home.file("judged.jsonl", format!("{question}\n"));
    let judged = home.json(&["rollout", "judge", "files/judged.jsonl"]);
    assert_eq!((&judged["queries"], &judged["baseline_recall"]), (&json!(1), &json!(1.0)), "{judged}");
    has(&home.ok(&["rollout", "judge", "files/judged.jsonl"]), "hybrid_graph");
    let answer = home.json(&["recall", "when was Postgres retired?"]);
    let id = answer["rollout"]["id"].text();
    let taken = home.json(&["feedback", id, &handle, "--good"]);
    assert_eq!(taken["credited"][0]["answer"], id);
    has(&home.ok(&["feedback", &handle, "--bad"]), " is bad: counted for ");
    home.ok(&["feedback", id, "--good"]);
    let window = &home.json(&["rollout"])["windows"][0];
    let sum = |a: &str, b: &str| window[a].as_u64().zip(window[b].as_u64()).map(|(a, b)| a + b);
    let (good, bad) = (sum("good_graph", "good_baseline"), sum("bad_graph", "bad_baseline"));
    assert_eq!((good, bad), (Some(1), Some(1)), "{window}");
    assert_eq!(window["judged"], 2);
    for page in [home.ok(&["rollout"]), home.ok(&["rollout", "status"]), home.ok(&["rollout", "plan"])] {
        assert!(page.starts_with("on  the graph answers"), "{page}");
    }
    has(&home.ok(&["recall", "Postgres", "--explain"]), "strategy  hybrid_graph (on)");
}

#[test]
fn wrong_requests_say_what_is_wrong() {
    let home = filled();
    home.file("broken.jsonl", "{\"query\": \"x\"}\n");
    home.file("unknown.jsonl", "{\"query\": \"x\", \"relevant\": [\"#ffffff\"]}\n");
    home.file("empty.jsonl", "\n");
    for (arguments, code, wanted) in [
        (&["rollout", "set", "sideways"][..], 2, "possible values: off, shadow, canary, on"),
        (&["rollout", "judge", "nowhere.jsonl"], 1, "there is no such file"),
        (&["rollout", "judge", "files/broken.jsonl"], 2, "line 1 of the judged questions"),
        (&["rollout", "judge", "files/unknown.jsonl"], 1, "#ffffff"),
        (&["rollout", "judge", "files/empty.jsonl"], 2, "there is no question"),
        (&["feedback", "q-000000000000", "--good"], 1, "none of the last 1000 answers has this id"),
        (&["feedback", "q-1", "q-2", "--good"], 2, "more than one answer"),
        (&["feedback", "nothing", "--good"], 1, "nothing"),
        (&["feedback", "a1b2c3"], 2, "--good"),
        (&["feedback", "a1b2c3", "--good", "--bad"], 2, "--bad"),
        (&["recall", "x", "--graph", "--no-graph"], 2, "--no-graph"),
        (&["rollout", "--set", "rollout.max_fallback_rate=2"], 2, "a number from 0 to 1"),
    ] {
        home.refused(arguments, code, wanted);
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
    assert_eq!(made(&broken), ["on", "hybrid_graph", "baseline", "graph_expansion_error"]);
    assert_eq!(broken["results"], baseline["results"]);
    has(broken["missing"][0].text(), "the graph was not used");
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
    let gate = &rollout["gate"];
    assert_eq!((gate["state"].text(), gate["status"].text()), ("blocked", "fail"));
    assert_eq!(rollout["incidents"][0]["reason"], "graph_expansion_error");
    has(&rollout["alarms"].to_string(), "CANARY_QUALITY_GATE_BLOCKED");
    let run = home.run(&["rollout", "set", "canary"]);
    run.refused(2, "the quality gate is not open (fail, windows of 24 h): FALLBACK_RATE_ABOVE_LIMIT");
    run.refused(2, "--force");
    has(&home.ok(&["rollout"]), "blocks: GRAPH_ERROR_RATE_ABOVE_LIMIT");
    home.ok(&["rollout", "set", "canary", "--force"]);
    assert_eq!(home.json(&["rollout"])["gate"]["state"], "open");
}
