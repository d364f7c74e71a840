//! Wrong requests of `griot rollout` and `griot feedback`. What right ones answer is in the golden script
//! `rollout`, and the modes from end to end are in `server::rollout`.

use serde_json::json;

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
