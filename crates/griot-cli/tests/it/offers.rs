//! `griot offers`, across processes, exports and erasures.

use serde_json::Value;

use crate::{Home, Parts, has};

const OLD: &str = "The archive of the town is kept in the old mill.";
const NEW: &str = "The archive of the town is kept in the school.";

/// An old and a new statement, and the id of the offer that the new one replaces the old one.
fn stated() -> (Home, String, Value) {
    let home = Home::new();
    let old = home.remember(OLD, &[]);
    let new = home.json(&["remember", NEW]);
    (home, old, new)
}

fn replacement(new: &Value) -> &str {
    new["update_candidates"][0]["offer"].text()
}

#[test]
fn an_offer_is_taken_by_a_link_and_reopened_by_unlinking() {
    let (home, old, new) = stated();
    let (id, new) = (replacement(&new), new["handle"].text());
    let offers = home.json(&["offers", new, "--all"]);
    let state = |offers: &Value| {
        let one = offers.list().iter().find(|one| one["id"] == id).expect("the offer is listed");
        one["state"].text().to_string()
    };
    assert_eq!(state(&offers), "open");
    home.ok(&["link", new, &old, "--kind", "supersedes"]);
    assert_eq!(state(&home.json(&["offers", new, "--all"])), "taken");
    assert!(!home.json(&["offers"]).texts("id").contains(&id));
    home.ok(&["unlink", new, &old, "--kind", "supersedes"]);
    assert_eq!(state(&home.json(&["offers", new, "--all"])), "open");
}

#[test]
fn a_refused_offer_stays_refused_after_an_import_elsewhere() {
    let (home, _, new) = stated();
    let (id, handle) = (replacement(&new), new["handle"].text());
    has(&home.ok(&["offers", "--refuse", id]), &format!("refused offer {id}\nundo with: griot restore {id}"));
    let file = home.file("export.jsonl", home.ok(&["export"]));
    let other = Home::new();
    other.ok(&["import", file.to_str().expect("a path")]);
    for home in [&home, &other] {
        home.ok(&["forget", handle]);
        let again = home.json(&["remember", NEW]);
        assert_eq!((&again["action"], &again["update_candidates"]), (&"added".into(), &Value::Array(vec![])));
        let refused = home.json(&["offers", "--all"]);
        assert!(!refused.texts("id").contains(&id), "it is hidden with its memory: {refused}");
    }
    has(&home.ok(&["offers", "--restore", id]), &format!("reopened offer {id}"));
    home.refused(&["offers", "--refuse", "o99"], 1, "o99");
}

#[test]
fn an_erased_memory_takes_its_offers_with_it() {
    let (home, old, new) = stated();
    assert!(home.content().contains(r#""type":"offer""#));
    home.ok(&["erase", "memory", &old]);
    assert!(!home.content().contains(r#""type":"offer""#));
    assert_eq!(home.json(&["offers", new["handle"].text(), "--all"]), Value::Array(vec![]));
    assert!(home.ok(&["doctor"]).contains("healthy"));
}
