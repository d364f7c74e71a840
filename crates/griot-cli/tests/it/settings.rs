//! Settings: their origins in order of precedence; mistakes are named.

use serde_json::json;

use crate::{Home, Parts, has, parsed};

#[test]
fn later_places_win_and_each_value_knows_its_origin() {
    let home = Home::new();
    home.ok(&["config", "set", "recall.limit", "3", "--global"]);
    assert_eq!(home.ok(&["config", "get", "recall.limit"]), "3\n");
    home.ok(&["config", "set", "recall.limit", "4"]);
    assert_eq!(home.ok(&["config", "get", "recall.limit"]), "4\n");
    let variables = [("GRIOT_RECALL_LIMIT", "5")];
    assert_eq!(home.run_in(&variables, &["config", "get", "recall.limit"]).stdout, "5\n");
    let all = home.run_in(&variables, &["--set", "recall.limit=6", "--json", "config"]);
    let all = parsed(&all.stdout);
    assert_eq!(all["recall.limit"], json!({ "value": 6, "origin": "--set" }));
    assert_eq!(all["store.durable"], json!({ "value": true, "origin": "default" }));
}

#[test]
fn mistakes_are_named_with_what_was_meant() {
    let home = Home::new();
    let run = home.run(&["--set", "recall.limt=3", "status"]);
    assert_eq!(run.error(), "error: cannot use `--set recall.limt=3`: unknown setting `recall.limt`");
    assert!(run.stderr.ends_with("hint: did you mean `recall.limit`?\n"));
    let why = "`recall.limit` takes a number from 1 to 10000, not \"many\"";
    home.refused(&["config", "set", "recall.limit", "many"], 2, why);
    assert_eq!(home.ok(&["config", "get", "recall.limit"]), "10\n");
    let run = home.run_in(&[("GRIOT_RECALL_LIMITS", "5")], &["status"]);
    has(&run.stderr, "did you mean `GRIOT_RECALL_LIMIT`?");
}

#[test]
fn the_limit_of_the_settings_is_the_limit_of_recall() {
    let home = Home::new();
    for number in 0..5 {
        home.remember(&format!("Deploy number {number} went well."), &[]);
    }
    let set = ["--set", "recall.limit=2", "--set", "recall.redundancy=1"];
    let found = home.json(&[&set[..], &["recall", "deploy", "--no-floor"]].concat());
    assert_eq!(found["results"].list().len(), 2);
}

#[test]
fn a_retired_setting_warns_and_stops_nothing() {
    let home = Home::new();
    let gone = "`rollout.min_probes` is no longer a setting and has no effect: it is always 5";
    let run = home.run(&["config", "set", "rollout.min_probes", "9"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, format!("warning: {gone}\n").as_str()));
    home.ok(&["config", "set", "recall.limit", "4"]);
    let path = home.ok(&["config", "path"]);
    let file = std::path::Path::new(path.lines().last().expect("a path"));
    let text = std::fs::read_to_string(file).expect("it was written");
    assert_eq!(text, "[recall]\nlimit = 4\n", "nothing is written for a retired setting");
    std::fs::write(file, format!("{text}[rollout]\nmin_probes = 9\n")).expect("it can be written");
    let run = home.run(&["config", "get", "recall.limit"]);
    let warning = format!("warning: {}: {gone}\n", file.display());
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "4\n", warning.as_str()));
    let run = home.run(&["--json", "rollout"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, warning.as_str()), "once, and never among the answer");
}
