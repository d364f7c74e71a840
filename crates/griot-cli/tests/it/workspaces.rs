//! Workspaces: one database each, isolated from each other; names are never paths.

use crate::{Home, Parts, has};

#[test]
fn workspaces_are_made_chosen_and_moved_to_the_trash() {
    let home = Home::new();
    home.ok(&["workspace", "create", "shop"]);
    home.ok(&["-w", "shop", "remember", "Shop sells shoes."]);
    let found = || home.json(&["recall", "shoes", "--no-floor"])["results"].list().len();
    assert_eq!(found(), 0);
    home.ok(&["workspace", "use", "shop"]);
    assert_eq!(found(), 1);
    let list = home.json(&["workspace", "list"]);
    let active = list.list().iter().filter(|one| one["active"] == true).map(|one| one["name"].text());
    assert_eq!(active.collect::<Vec<_>>(), ["shop"]);

    let removed = home.json(&["workspace", "remove", "shop"]);
    assert!(std::path::Path::new(removed["trash"].text()).join("griot.db").is_file());
    has(&home.ok(&["status"]), "workspace   default");
    let missing = "error: cannot open the workspace `shop`: it does not exist";
    home.refused(&["-w", "shop", "status"], 1, missing);
}

#[test]
fn a_mistyped_workspace_is_met_with_the_right_one() {
    let home = Home::new();
    home.ok(&["workspace", "create", "shop"]);
    home.refused(&["-w", "shopp", "remember", "x"], 1, "hint: did you mean `shop`?");
    let exists = "error: cannot create the workspace `shop`: it exists";
    home.refused(&["workspace", "create", "shop"], 2, exists);
}

#[test]
fn names_are_never_paths() {
    let home = Home::new();
    for name in ["../x", "a/b", "..", "", ".hidden", "A", "a\\b"] {
        for arguments in
            [vec!["-w", name, "status"], vec!["workspace", "create", name], vec!["workspace", "remove", name]]
        {
            home.refused(&arguments, 2, "error: cannot use the workspace `");
        }
    }
    assert!(!home.path().join("home").exists());
}

#[test]
fn a_database_file_can_stand_in_for_a_workspace() {
    let home = Home::new();
    let missing = "error: cannot open `own.db`: there is no such file";
    home.refused(&["--db", "own.db", "status"], 1, missing);
    home.ok(&["--db", "own.db", "remember", "Kept here."]);
    has(&home.ok(&["--db", "own.db", "recall", "kept"]), "Kept here.");
    assert!(!home.path().join("home").exists());
}
