//! Workspaces: one database each, isolated from each other; names are never paths.

use crate::Home;

#[test]
fn workspaces_are_made_chosen_and_moved_to_the_trash() {
    let home = Home::new();
    home.ok(&["workspace", "create", "shop"]);
    home.ok(&["-w", "shop", "remember", "Shop sells shoes."]);
    assert_eq!(home.json(&["recall", "shoes", "--no-floor"])["results"].as_array().map(Vec::len), Some(0));
    home.ok(&["workspace", "use", "shop"]);
    assert_eq!(home.json(&["recall", "shoes", "--no-floor"])["results"].as_array().map(Vec::len), Some(1));
    let list = home.json(&["workspace", "list"]);
    let active: Vec<&str> = list
        .as_array()
        .expect("a list")
        .iter()
        .filter(|w| w["active"] == true)
        .filter_map(|w| w["name"].as_str())
        .collect();
    assert_eq!(active, ["shop"]);

    let removed = home.json(&["workspace", "remove", "shop"]);
    let trash = std::path::PathBuf::from(removed["trash"].as_str().expect("it says where"));
    assert!(trash.join("griot.db").is_file());
    assert!(home.ok(&["status"]).contains("workspace   default"));
    let run = home.run(&["-w", "shop", "status"]);
    assert_eq!((run.code, run.error()), (1, "error: cannot open the workspace `shop`: it does not exist"));
}

#[test]
fn a_mistyped_workspace_is_met_with_the_right_one() {
    let home = Home::new();
    home.ok(&["workspace", "create", "shop"]);
    let run = home.run(&["-w", "shopp", "remember", "x"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("hint: did you mean `shop`?"), "{}", run.stderr);
    let run = home.run(&["workspace", "create", "shop"]);
    assert_eq!((run.code, run.error()), (2, "error: cannot create the workspace `shop`: it exists"));
}

#[test]
fn names_are_never_paths() {
    let home = Home::new();
    for name in ["../x", "a/b", "..", "", ".hidden", "A", "a\\b"] {
        for arguments in
            [vec!["-w", name, "status"], vec!["workspace", "create", name], vec!["workspace", "remove", name]]
        {
            let run = home.run(&arguments);
            assert_eq!(run.code, 2, "{arguments:?}");
            assert!(
                run.stderr.starts_with("error: cannot use the workspace `"),
                "{arguments:?}: {}",
                run.stderr
            );
        }
    }
    assert!(!home.path().join("home").exists());
}

#[test]
fn a_database_file_can_stand_in_for_a_workspace() {
    let home = Home::new();
    let missing = home.run(&["--db", "own.db", "status"]);
    assert_eq!((missing.code, missing.error()), (1, "error: cannot open `own.db`: there is no such file"));
    home.ok(&["--db", "own.db", "remember", "Kept here."]);
    assert!(home.ok(&["--db", "own.db", "recall", "kept"]).contains("Kept here."));
    assert!(!home.path().join("home").exists());
}
