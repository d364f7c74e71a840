//! The harness as it is called: exit codes, files and tables.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn griot_eval(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_griot-eval"))
        .args(arguments)
        .output()
        .expect("the binary of this crate starts")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Two pools that share words, so that a search across pools would be noticed.
fn write_set(folder: &Path) {
    let unit = |id: &str, pool: &str, text: &str| {
        format!(
            "{{\"id\":\"{id}\",\"pool\":\"{pool}\",\"text\":\"{text}\",\"body_offset\":0,\
             \"kind\":\"sentence\",\"source\":\"{pool}\",\"ordinal\":0}}\n"
        )
    };
    let query = |id: &str, pool: &str, text: &str, gold: &str, category: &str| {
        format!(
            "{{\"id\":\"{id}\",\"pool\":\"{pool}\",\"query\":\"{text}\",\"gold\":[\"{gold}\"],\
             \"cat\":\"{category}\"}}\n"
        )
    };
    fs::create_dir_all(folder).expect("a folder");
    let corpus = unit("a/1", "a", "the kettle whistles")
        + &unit("a/2", "a", "the kettle is red")
        + &unit("b/1", "b", "a red door");
    let queries = query("q1", "a", "which kettle is red", "a/2", "one")
        + &query("q2", "b", "red", "b/1", "one")
        + &query("q3", "a", "unknown words", "a/1", "two");
    fs::write(folder.join("corpus.jsonl"), corpus).expect("written");
    fs::write(folder.join("queries.jsonl"), queries).expect("written");
}

#[test]
fn a_run_writes_rankings_and_scores_them_beside_plain_search() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = folder.path().join("tiny");
    write_set(&set);
    let (set, out) = (set.display().to_string(), folder.path().join("runs").display().to_string());

    let table = stdout(&griot_eval(&["run", &set, "--out", &out]));
    let run = fs::read_to_string(folder.path().join("runs/tiny.jsonl")).expect("a run file");
    let lines: Vec<&str> = run.lines().collect();
    let starts =
        ["{\"qid\":\"q1\",\"ranked\":[\"a/2\"", "{\"qid\":\"q2\",\"ranked\":[\"b/1\"]}", "{\"qid\":\"q3\","];
    assert_eq!(lines.len(), starts.len());
    assert!(lines.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{run}");
    assert!(table.starts_with("tiny\nmissing queries: 0\n"), "{table}");
    // Plain search finds nothing for the question of unknown words.
    let last = table.lines().last().expect("a line for the set");
    assert_eq!(last.split_whitespace().nth(3), Some("0.667"), "{table}");
}

#[test]
fn what_cannot_be_done_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = folder.path().join("tiny");
    write_set(&set);
    let set = set.display().to_string();
    let cases: [(&[&str], &str); 3] = [
        (&["run", "no/such/set", "--out", "x"], "error: cannot open no/such/set/corpus.jsonl: "),
        (&["run", &set, "--embedder", "minilm", "--out", "x"], "error: cannot use the embedder minilm: "),
        (&["run", &set, &set, "--out", "x"], "error: cannot measure the set \"tiny\" twice: "),
    ];
    for (arguments, message) in cases {
        let output = griot_eval(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(errors.starts_with(message), "{errors}");
    }
}

#[test]
fn a_report_says_every_method_and_effort() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    write_set(&one);
    write_set(&two);
    let (page, json) = (folder.path().join("quality.md"), folder.path().join("quality.json"));
    let path = |path: &Path| path.display().to_string();
    let (one, two, out, data) = (path(&one), path(&two), path(&page), path(&json));
    stdout(&griot_eval(&["report", &one, &two, "--out", &out, "--json", &data]));

    let page = fs::read_to_string(&page).expect("a page");
    for part in [
        "| BM25 | – | 0.667 ± ",
        "### two",
        "| Griot, low |",
        "| one | two | 1 |",
        "| **mean of the sets** |",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&json).expect("figures")).expect("they are JSON");
    let methods: Vec<&str> = json["sets"][0]["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["method"].as_str())
        .collect();
    assert_eq!(methods, ["Bm25", "Vectors", "Rrf", "RrfContext", "Low", "Normal", "High"]);
    // The pool with two units is asked by a process of its own, at every effort.
    let cost = &json["sets"][0]["cost"];
    assert_eq!((&cost["units"], cost["efforts"].as_array().map(Vec::len)), (&2.into(), Some(3)));
    assert!(cost["efforts"][2]["median_ms"].as_f64() > Some(0.0));
}

#[test]
fn features_are_written_by_question_and_effort() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (set, out) = (folder.path().join("tiny"), folder.path().join("features.jsonl"));
    write_set(&set);
    let path = |path: &Path| path.display().to_string();
    stdout(&griot_eval(&["features", &path(&set), "--out", &path(&out)]));

    let text = fs::read_to_string(&out).expect("features");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let signals = lines[0]["signals"].as_array().expect("names").len();
    let asked: Vec<String> = lines[1..]
        .iter()
        .map(|line| format!("{} {} {}", line["id"], line["effort"], line["cluster"]))
        .collect();
    let expected = ["q1", "q3", "q2"].map(|id| ["low", "normal", "high"].map(|effort| (id, effort)));
    let cluster = |id: &str| if id == "q2" { "b" } else { "a" };
    let expected = expected.iter().flatten();
    let expected: Vec<String> =
        expected.map(|(id, effort)| format!("{id:?} {effort:?} {:?}", cluster(id))).collect();
    assert_eq!(asked, expected);
    let first = &lines[1];
    assert_eq!((&first["evidence"], &first["gold"]), (&1.into(), &serde_json::json!([0])));
    let values = first["values"].as_array().expect("candidates");
    assert_eq!(
        (&first["kind"], first["plain"].as_object().map(|plain| plain.len())),
        (&"held".into(), Some(4))
    );
    assert!(values.iter().all(|value| value.as_array().map(Vec::len) == Some(signals)));
}

/// The path of a file or folder in the data of this crate.
fn data(name: &str) -> String {
    format!("{}/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_run_can_leave_the_graph_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let run = [&["run", &data("house"), "--limit", "10", "--out", &out.display().to_string()], more];
        stdout(&griot_eval(&run.concat()));
        fs::read_to_string(out.join("house.jsonl")).expect("a run file")
    };
    let (with, without) = (run("with", &[]), run("without", &["--no-graph"]));
    let questions = |run: &str| run.lines().map(|line| line.split(',').next().map(str::to_owned)).collect();
    let [asked, again]: [Vec<_>; 2] = [questions(&with), questions(&without)];
    assert_eq!(asked, again);
    assert_ne!(with, without, "causes are linked in this set");
}

#[test]
fn worlds_are_asked_and_their_questions_counted() {
    let state = stdout(&griot_eval(&["state", &data("boat_yard.json"), "--judge"]));
    let count = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
        line.split_whitespace().find_map(|cell| cell.parse::<usize>().ok())
    };
    assert_eq!((count(&state, "answerable"), count(&state, "current")), (Some(10), Some(3)), "{state}");
    assert!(state.contains(" of 4; "), "{state}");

    let causal = stdout(&griot_eval(&["causal", &data("choir.json")]));
    let runs: Vec<&str> =
        causal.lines().filter(|line| line.contains("edges") && !line.contains(':')).collect();
    assert_eq!(runs, ["no edges", "all edges", "all edges and supersedes"], "{causal}");
    assert_eq!((count(&causal, "why"), count(&causal, "paraphrased")), (Some(4), Some(1)), "{causal}");

    let wrong = griot_eval(&["state", &data("choir.json")]);
    let errors = String::from_utf8_lossy(&wrong.stderr);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(errors.starts_with("error: cannot read ") && errors.contains("choir.json"), "{errors}");
}

#[test]
fn scores_and_tokens_are_measured_by_set() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = folder.path().join("tiny");
    write_set(&set);
    let set = set.display().to_string();
    let calibration = stdout(&griot_eval(&["calibration", &set]));
    assert!(calibration.starts_with("tiny (3 own questions, 0 foreign)\n"), "{calibration}");
    assert!(calibration.contains("\ncalibration error 0."), "{calibration}");
    // Six floors below their head.
    let curve = calibration.lines().skip_while(|line| !line.contains("R@10 lost"));
    assert_eq!(curve.filter(|line| !line.is_empty()).count(), 7, "{calibration}");
    let evidence = stdout(&griot_eval(&["evidence", &set]));
    let cells: Vec<&str> = evidence.lines().last().unwrap_or_default().split_whitespace().collect();
    // All of a pool fits, whatever its order.
    assert_eq!(cells[..3], ["tiny", "3", "4"], "{evidence}");
    assert_eq!(cells[3], cells[7], "{evidence}");
}
