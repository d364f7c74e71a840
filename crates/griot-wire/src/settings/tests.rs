//! Later layers win; errors about mistyped keys suggest the right one.

use super::*;

fn complaint(result: Result<()>) -> String {
    let error = result.expect_err("it is wrong");
    format!("{error} ({})", error.hint.as_deref().unwrap_or_default())
}

#[test]
fn later_layers_win_and_each_value_knows_its_origin() {
    let mut layers = Layers::default();
    layers
        .file(Path::new("griot.toml"), "[recall]\nlimit = 7\nfloor = 0.1\n[graph]\nwhy = [1, 0, 0, 0]")
        .expect("it is right");
    let variables =
        [("GRIOT_RECALL_LIMIT", "8"), ("GRIOT_HOME", "/x"), ("GRIOTTE", "1"), ("GRIOT_QUITE_ELSE", "1")];
    layers.environment(variables.map(|(a, b)| (a.to_string(), b.to_string()))).expect("it is right");
    layers.flag("store.durable=false").expect("it is right");
    layers.flag("graph.when=0.1,0.2,0.3,0.4").expect("it is right");
    let entries: Vec<String> = layers
        .entries()
        .filter(|(.., origin)| *origin != Origin::Default)
        .map(|(key, value, origin)| format!("{} = {value} ({origin})", key.name))
        .collect();
    assert_eq!(
        entries,
        [
            "store.durable = false (--set)",
            "recall.limit = 8 (GRIOT_RECALL_LIMIT)",
            "recall.floor = 0.1 (griot.toml)",
            "graph.why = [1.0, 0.0, 0.0, 0.0] (griot.toml)",
            "graph.when = [0.1, 0.2, 0.3, 0.4] (--set)",
        ]
    );
}

#[test]
fn wrong_settings_are_named_with_what_was_meant() {
    let file = |text: &str| complaint(Layers::default().file(Path::new("g.toml"), text));
    let flag = |text: &str| complaint(Layers::default().flag(text));
    let variable =
        |name: &str| complaint(Layers::default().environment([(name.to_string(), "1".to_string())]));
    assert_eq!(
        file("[recall]\nlimt = 3"),
        "cannot read the settings in `g.toml`: unknown setting `recall.limt` (did you mean `recall.limit`?)"
    );
    assert_eq!(
        file("[recall]\nlimit = 0"),
        "cannot read the settings in `g.toml`: `recall.limit` takes a number from 1 to 10000, not 0 ()"
    );
    assert_eq!(
        file("[recall]\ngraph = true\n[retrieval.graph_expansion]\nenabled = false"),
        "cannot read the settings in `g.toml`: `recall.graph` and `retrieval.graph_expansion.enabled` are \
         the same setting ()"
    );
    assert!(file("[recall").starts_with("cannot read the settings in `g.toml`: "));
    assert_eq!(
        flag("recall.limit=many"),
        "cannot use `--set recall.limit=many`: `recall.limit` takes a number from 1 to 10000, not \"many\" ()"
    );
    assert_eq!(
        variable("GRIOT_RECALL_LIMITS"),
        "cannot use the environment variable `GRIOT_RECALL_LIMITS`: there is no such setting (did you mean \
         `GRIOT_RECALL_LIMIT`?)"
    );
}

#[test]
fn every_setting_of_the_engine_has_a_key_and_every_key_reads_what_it_prints() {
    let settings = format!("{:?}", Settings::default());
    let blocks = settings.matches("Settings {").count() - 1;
    let count = settings.matches(": ").count() - blocks;
    assert_eq!(KEYS.iter().filter(|key| key.same_as.is_none()).count(), count, "{settings}");

    let mut layers = Layers::default();
    let entries: Vec<_> = layers.entries().collect();
    for (key, value, _) in entries {
        layers.flag(&format!("{}={value}", key.name)).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(*layers.settings(), Settings::default());
}

#[test]
fn a_retired_setting_is_passed_over_with_a_warning() {
    let mut layers = Layers::default();
    let file = "[recall]\nlimit = 7\n[rollout]\nmin_probes = 9\ncanary_percent = 5\nautopilot = \"what?\"";
    layers.file(Path::new("g.toml"), file).expect("it is right");
    let variable = ("GRIOT_ROLLOUT_MAX_SLOWDOWN".to_string(), "9".to_string());
    layers.environment([variable]).expect("it is right");
    layers.flag("rollout.cooldown_windows=9").expect("it is right");
    let gone = "is no longer a setting and has no effect: it is always";
    assert_eq!(
        layers.warnings(),
        [
            format!("g.toml: `rollout.autopilot` {gone} false"),
            format!("g.toml: `rollout.min_probes` {gone} 5"),
            format!("GRIOT_ROLLOUT_MAX_SLOWDOWN: `rollout.max_slowdown` {gone} 5.0"),
            format!("--set: `rollout.cooldown_windows` {gone} 1"),
        ]
    );
    assert_eq!((layers.settings().recall.limit, layers.settings().rollout.canary_percent), (7, 5.0));
    for (retired, _) in RETIRED {
        assert!(KEYS.iter().all(|key| key.name != *retired), "{retired}");
    }
}

#[test]
fn a_table_of_organisations_is_one_setting_in_every_form() {
    let read = |layers: &Layers| layers.settings().routing.organisations.clone();
    let expected =
        [("github.com/acme", "acme"), ("gitlab.com/a/b", "b")].map(|(a, b)| (a.to_string(), b.to_string()));
    let text = "[routing.organisations]\n\"github.com/acme\" = \"acme\"\n\"gitlab.com/a/b\" = \"b\"\n";
    let inline = "{ \"github.com/acme\" = \"acme\", \"gitlab.com/a/b\" = \"b\" }";
    let (mut block, mut line, mut flag) = (Layers::default(), Layers::default(), Layers::default());
    block.file(Path::new("g.toml"), text).expect("it is right");
    line.file(Path::new("g.toml"), &format!("[routing]\norganisations = {inline}")).expect("it is right");
    flag.flag(&format!("routing.organisations={inline}")).expect("it is right");
    for layers in [&block, &line, &flag] {
        assert_eq!(read(layers), expected.clone().into());
    }
    let key = find("routing.organisations").expect("it exists");
    assert_eq!(key.read(block.settings()), inline);
    let wrong = complaint(Layers::default().flag("routing.organisations={ a = 1 }"));
    assert!(wrong.contains("takes a table of workspaces by host and owner"), "{wrong}");
}

#[test]
fn setting_one_value_leaves_the_rest_of_the_file() {
    let limit = find("recall.limit").expect("it exists");
    assert_eq!(set_in_file("", None, limit, "5"), "[recall]\nlimit = 5\n");
    assert_eq!(
        set_in_file("# mine\n[recall]\nlimit = 3 # few\nfloor = 0.1\n", None, limit, "5"),
        "# mine\n[recall]\nlimit = 5\nfloor = 0.1\n"
    );
    assert_eq!(
        set_in_file("[recall]\nfloor = 0.1\n\n[store]\ndurable = true\n", None, limit, "5"),
        "[recall]\nfloor = 0.1\nlimit = 5\n\n[store]\ndurable = true\n"
    );
    assert_eq!(set_in_file("[store]\n", None, limit, "5"), "[store]\n\n[recall]\nlimit = 5\n");
    let own = set_in_file("[recall]\nlimit = 3\n", Some("claude-code"), limit, "5");
    assert_eq!(own, "[recall]\nlimit = 3\n\n[agents.claude-code.recall]\nlimit = 5\n");
    assert_eq!(set_in_file(&own, Some("claude-code"), limit, "6"), own.replace('5', "6"));
    let spaced = set_in_file("", Some("my agent"), limit, "5");
    assert_eq!(spaced, "[agents.\"my agent\".recall]\nlimit = 5\n");
    assert_eq!(set_in_file(&spaced, Some("my agent"), limit, "6"), spaced.replace('5', "6"));
}

#[test]
fn an_agent_has_settings_of_its_own_and_later_places_still_win() {
    let mut layers = Layers::default();
    let first = "[recall]\nlimit = 7\nfloor = 0.1\n[agents.scout.recall]\nlimit = 3\neffort = \
        \"low\"\n[agents.scout.graph]\nwhy = [1, 0, 0, 0]";
    layers.file(Path::new("home.toml"), first).expect("it is right");
    layers
        .file(Path::new("own.toml"), "[recall]\nlimit = 9\nfloor = 0.2\n[agents]\n\"a.b\".recall.limit = 4")
        .expect("it is right");
    layers.environment([("GRIOT_RECALL_EFFORT".to_string(), "high".to_string())]).expect("it is right");
    layers.flag("agents.scout.graph.dim_below=0.5").expect("it is right");
    layers.flag("graph.dim_below=0.4").expect("it is right");
    let said = |layers: &Layers| -> Vec<String> {
        let given = layers.entries().filter(|(.., origin)| *origin != Origin::Default);
        given.map(|(key, value, origin)| format!("{} = {value} ({origin})", key.name)).collect()
    };
    let all = [
        "recall.limit = 9 (own.toml)",
        "recall.floor = 0.2 (own.toml)",
        "recall.effort = \"high\" (GRIOT_RECALL_EFFORT)",
        "graph.dim_below = 0.4 (--set)",
    ];
    assert_eq!(said(&layers), all);
    assert_eq!(said(&layers.of_agent("other").expect("it is right")), all);
    assert_eq!(
        said(&layers.of_agent("scout").expect("it is right")),
        [
            // The agent's own counts, although the second file says something for all.
            "recall.limit = 3 (home.toml [agents.scout])",
            "recall.floor = 0.2 (own.toml)",
            // The environment comes after files.
            "recall.effort = \"high\" (GRIOT_RECALL_EFFORT)",
            "graph.why = [1.0, 0.0, 0.0, 0.0] (home.toml [agents.scout])",
            "graph.dim_below = 0.5 (--set)",
        ]
    );
    let agents = layers.agents().expect("they are right");
    let limits: Vec<(&str, usize)> =
        agents.iter().map(|(name, own)| (name.as_str(), own.recall.limit)).collect();
    assert_eq!(limits, [("a.b", 4), ("scout", 3)]);
}

#[test]
fn wrong_settings_of_an_agent_are_named_with_what_was_meant() {
    let file = |text: &str| complaint(Layers::default().file(Path::new("g.toml"), text));
    assert_eq!(
        file("[agents.scout.recall]\nlimt = 3"),
        "cannot read the settings in `g.toml`: unknown setting `agents.scout.recall.limt` (did you mean \
         `agents.scout.recall.limit`?)"
    );
    assert_eq!(
        file("[agents.scout.recall]\nlimit = 0"),
        "cannot read the settings in `g.toml`: `agents.scout.recall.limit` takes a number from 1 to 10000, \
         not 0 ()"
    );
    assert_eq!(
        file("[agents.scout.store]\ndurable = false"),
        "cannot read the settings in `g.toml`: `store.durable` is a setting for all, not for one agent (an \
         agent may have its own remember.*, recall.* (but recall.ranker), graph.*, ingest.*, crawl.* and \
         hooks.*)"
    );
    assert_eq!(
        file("[agents]\nscout = 3"),
        "cannot read the settings in `g.toml`: `agents.scout` takes a table of settings, not 3 \
         ([agents.scout.recall])"
    );
    assert_eq!(
        file("[agents.scout.remember]\nentity_types = [\"persons\"]"),
        "cannot read the settings in `g.toml`: `agents.scout.remember.entity_types` takes types of \
         entities, and there is no type `persons` ()"
    );
    let flag = |text: &str| complaint(Layers::default().flag(text));
    assert_eq!(
        flag("agents.scout.recal.limit=3"),
        "cannot use `--set agents.scout.recal.limit=3`: unknown setting `agents.scout.recal.limit` (did you \
         mean `agents.scout.recall.limit`?)"
    );
}
