//! `griot merge` and `griot merges`.

use crate::{Home, Parts, has, parsed};

fn filled() -> Home {
    let home = Home::new();
    home.remember("the orders live in bluebird.", &["--entity", "Bluebird:tool"]);
    home.remember("the order cluster was slow.", &["--entity", "Order Cluster"]);
    home.ok(&["facts", "add", "Order Cluster", "uses", "Disk Array"]);
    home
}

#[test]
fn two_names_become_one_entity_and_are_parted_again() {
    let home = filled();
    let before = home.content();
    let said = home.ok(&["merge", "Bluebird", "order cluster", "--reason", "one cluster"]);
    has(&said, "g1  merged Order Cluster (concept:order-cluster) into Bluebird (tool:bluebird)\n");
    assert!(said.contains("1 edge moved, 1 fact moved") && said.contains("griot merge --undo g1"), "{said}");
    let view = home.json(&["entity", "Order Cluster"]);
    assert_eq!((&view["entity"]["id"], &view["mention_count"]), (&"tool:bluebird".into(), &2.into()));
    let log = home.json(&["merges"]);
    assert_eq!(log["merges"][0]["reason"], "one cluster");
    assert_eq!(log["merges"][0]["by"], "user");
    let said = home.ok(&["merge", "--undo", "g1"]);
    assert!(said.contains("are separate again") && said.contains("1 edge and 1 fact moved back"), "{said}");
    let rest = |content: String| -> Vec<String> {
        let is_other = |line: &&str| !["merge", "suggestion", "end"].contains(&parsed(line)["type"].text());
        content.lines().filter(is_other).map(str::to_string).collect()
    };
    assert_eq!(rest(home.content()), rest(before));
    assert!(home.ok(&["merges"]).contains("undone "));
    assert!(home.ok(&["doctor"]).contains("healthy"));
}

#[test]
fn names_that_are_alike_are_suggested_applied_and_dismissed() {
    let home = Home::new();
    for name in ["Winston Churchill", "Churchill", "Nikos Aliagas", "Níkos Aliágas"] {
        home.remember(&format!("about {name}."), &["--entity", &format!("{name}:person")]);
    }
    let log = home.json(&["merges", "--suggest"]);
    assert_eq!(log["scan"]["suggested"], 2, "{log}");
    let shown = home.ok(&["merges"]);
    assert!(shown.contains("No merges yet.") && shown.contains("person:winston-churchill"), "{shown}");
    let ids = log["suggestions"].texts("id");
    assert!(home.ok(&["merges", "--apply", ids[0]]).starts_with("g1  "));
    has(&home.ok(&["merges", "--dismiss", ids[1]]), "stay separate");
    let again = home.json(&["merges", "--suggest", "--auto"]);
    assert_eq!((&again["scan"]["suggested"], &again["scan"]["merged"]), (&0.into(), &0.into()));
    assert_eq!(again["suggestions"], serde_json::json!([]));

    let all = home.json(&["merges", "--all"]);
    assert_eq!(
        (all["suggestions"].texts("id"), all["suggestions"].texts("state")),
        (vec![ids[1]], vec!["dismissed"])
    );
    has(&home.ok(&["restore", ids[1]]), &format!("reopened suggestion {}", ids[1]));
    assert_eq!(home.json(&["merges"])["suggestions"].texts("id"), [ids[1]]);
    home.refused(&["restore", ids[0]], 2, "the two were merged");
    // A merge that is undone leaves its pair dismissed; it may be suggested again on request.
    home.ok(&["merge", "--undo", "g1"]);
    assert_eq!(home.json(&["merges"])["suggestions"].texts("id"), [ids[1]]);
    home.ok(&["restore", ids[0], ids[1]]);
    assert_eq!(home.json(&["merges"])["suggestions"].list().len(), 2);
    home.refused(&["restore", "p9"], 1, "p9");
}

#[test]
fn a_merge_is_undone_once() {
    let home = filled();
    home.ok(&["merge", "Bluebird", "Order Cluster"]);
    home.ok(&["merge", "--undo", "g1"]);
    home.refused(&["merge", "--undo", "g1"], 2, "it was undone");
}
