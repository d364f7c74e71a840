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
    has(&home.ok(&["offers", id]), "The archive of");
    assert_eq!(home.json(&["offers", "--take", id])[0]["edge"]["kind"], "supersedes");
    assert_eq!(state(&home.json(&["offers", id, "--all"])), "taken");
    home.refused(&["offers", "--take", "o99"], 1, "o99");
    home.refused(&["offers", "--take", new], 1, "no offer with this id");
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

#[test]
fn an_offer_says_which_memory_is_the_cause_or_replaces_the_other_and_why() {
    let (home, old, new) = stated();
    let full = home.remember("The disk of the search cluster was full on Monday.", &[]);
    let stop = home.json(&["remember", "The search cluster stopped because its disk was full."]);
    let offers = home.json(&["offers", "--all"]);
    let offer = |id: &Value| offers.list().iter().find(|one| one["id"] == *id).expect("it is listed").clone();
    let handle = |name: &str| Value::from(format!("#{}", name.trim_start_matches('#')));

    let replaces = offer(&new["update_candidates"][0]["offer"]);
    assert_eq!((&replaces["source"], &replaces["target"]), (&new["handle"], &handle(&old)));
    assert_eq!(replaces["reason"], new["update_candidates"][0]["reason"]);
    assert_eq!(replaces["sub_type"], Value::Null);

    let causes = stop["causal_candidates"].list();
    let cause = causes.iter().find(|one| one["handle"] == handle(&full)).expect("the cause is offered");
    let listed = offer(&cause["offer"]);
    assert_eq!(cause["candidate_is_cause"], true);
    assert_eq!((&listed["source"], &listed["target"]), (&handle(&full), &stop["handle"]));
    assert_eq!((&listed["reason"], &listed["sub_type"]), (&cause["reason"], &cause["suggested_sub_type"]));
    let text = home.ok(&["offers"]);
    has(&text, "may be the effect of");
    // What `link` takes settles it.
    let (source, target) = (listed["source"].text(), listed["target"].text());
    home.ok(&["link", source, target, "--kind", "causal"]);
    assert!(!home.json(&["offers"]).texts("id").contains(&cause["offer"].text()));
}
