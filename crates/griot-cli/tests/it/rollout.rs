//! `griot rollout` and `griot feedback`; `server::rollout` has the modes from end to end.

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

/// Positive and negative feedback in a window, whatever strategy it counts for.
pub fn votes(window: &Value) -> [u64; 2] {
    let count = |key: &str| window[key].as_u64().unwrap_or_default();
    [count("good_graph") + count("good_baseline"), count("bad_graph") + count("bad_baseline")]
}

#[test]
fn judged_questions_and_feedback_come_back_in_the_status() {
    let home = filled();
    let handle = home.remember("Postgres was retired in May.", &[]);
    let question = json!({"query": "when was Postgres retired?", "relevant": [handle]});
    home.file("judged.jsonl", format!("{question}\n"));
    let judged = home.json(&["rollout", "judge", "files/judged.jsonl"]);
    assert_eq!((&judged["queries"], &judged["baseline_recall"]), (&json!(1), &json!(1.0)), "{judged}");
    let answer = home.json(&["recall", "when was Postgres retired?"]);
    let id = answer["rollout"]["id"].text();
    let taken = home.json(&["feedback", id, &handle, "--good"]);
    assert_eq!(taken["credited"][0]["answer"], id);
    has(&home.ok(&["feedback", &handle, "--bad"]), " is bad: counted for ");
    home.ok(&["feedback", id, "--good"]);
    let window = &home.json(&["rollout"])["windows"][0];
    assert_eq!((votes(window), &window["judged"]), ([1, 1], &json!(1)), "{window}");
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
