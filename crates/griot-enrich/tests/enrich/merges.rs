//! Which names are one thing: what is sent of them, in which order, and what an unusable reply leads to.

use std::sync::atomic::AtomicBool;

use griot::engine::SuggestionView;
use griot::model::{EntityType, MemoryId, Scope};
use griot::remember::{Draft, EntityDraft};
use griot_enrich::{Judged, Pairs, judge_merges};
use serde_json::{Value, json};

use crate::vendor::{self, Act, Seen};
use crate::{World, content};

fn pairs(seen: &Seen) -> Vec<Value> {
    content(seen)["pairs"].as_array().expect("pairs").clone()
}

fn decide(seen: &Seen, confidence: f64) -> String {
    let decisions = pairs(seen).into_iter().map(
        |pair| json!({"number": pair["number"], "same": false, "confidence": confidence, "reason": "two"}),
    );
    json!({"decisions": decisions.collect::<Vec<Value>>()}).to_string()
}

fn denying(seen: &Seen) -> Act {
    Act::reply("openai", &decide(seen, 1.0))
}

fn unsure(seen: &Seen) -> Act {
    Act::reply("openai", &decide(seen, 0.3))
}

/// Writes a story, or is cut, unless it is asked about one pair.
fn overwhelmed(seen: &Seen) -> Act {
    match pairs(seen).len() {
        1 => denying(seen),
        2 => Act::json(200, &vendor::reply("openai", "{\"decisions\": [{\"number\": 1, ", true)),
        _ => Act::reply("openai", "There once was a company."),
    }
}

fn say(world: &World, user: Option<&str>, text: &str, name: &str) -> MemoryId {
    let scope = Scope { user: user.map(str::to_string), project: None };
    let entities = vec![EntityDraft::named(name, Some(EntityType::Org))];
    world.say(Draft { scope, entities, ..Draft::new(text) })
}

fn judge(world: &World, most: Option<usize>) -> Judged {
    asked(world, Pairs { most, again: false })
}

fn asked(world: &World, pairs: Pairs) -> Judged {
    judge_merges(&world.engine, &world.database(), pairs, &|_, _| {}, &AtomicBool::new(false))
        .expect("it is judged")
}

fn sent(world: &World) -> String {
    world.vendor.seen().iter().map(|seen| seen.body.to_string()).collect()
}

#[test]
fn neither_texts_nor_names_of_users_are_sent_and_secrets_are_masked() {
    // Not even where the texts of users may be sent: a merge is for all of them.
    let world = World::new(denying, |settings| settings.model.private_texts = true);
    let key = format!("AKIA{}", "Q7".repeat(8));
    say(&world, None, "The North Harbour Company runs the cranes.", "North Harbour Company");
    say(&world, None, &format!("NHC has the key {key}."), "NHC");
    say(&world, Some("ada"), "NHC pays a ransom.", "NHC");
    say(&world, Some("ada"), "The North Harbour Vault is mine.", "North Harbour Vault");
    say(&world, Some("bob"), "The North Harbour Vaults are his.", "North Harbour Vaults");
    let judged = judge(&world, None);
    assert_eq!((judged.pairs, judged.different, judged.left, judged.failure), (1, 1, 0, None));
    let sent = sent(&world);
    assert!(sent.contains("cranes") && sent.contains("[AWS key removed]"), "{sent}");
    for private in ["ransom", "Vault", &key] {
        assert!(!sent.contains(private), "{private}: {sent}");
    }
}

#[test]
fn after_a_merge_a_name_from_texts_of_users_alone_is_not_sent() {
    let world = World::new(denying, |_| {});
    say(&world, None, "NHC hired two crane drivers.", "NHC");
    say(&world, None, "North Harbour Coal is sold.", "North Harbour Coal");
    let private = say(&world, Some("ada"), "The North Harbour Company is mine.", "North Harbour Company");
    let request = griot::engine::MergeRequest {
        kept: "North Harbour Company".into(),
        merged: "NHC".into(),
        reason: None,
        by: griot::model::Provenance::User,
    };
    world.engine.merge(&request).expect("it is merged");
    assert_eq!((judge(&world, None).pairs, sent(&world).as_str()), (0, ""));
    world.engine.forget(&private.to_string()).expect("it is forgotten");
    assert_eq!((judge(&world, None).pairs, sent(&world).as_str()), (0, ""));
    say(&world, None, "The North Harbour Company runs the cranes.", "North Harbour Company");
    assert!(judge(&world, None).pairs >= 1);
    assert!(!sent(&world).contains("is mine"));
}

#[test]
fn new_pairs_come_before_open_suggestions() {
    let world = World::new(unsure, |_| {});
    say(&world, None, "The North Harbour Company runs the cranes.", "North Harbour Company");
    say(&world, None, "NHC hired two crane drivers.", "NHC");
    assert_eq!(judge(&world, None).unsure, 1);
    let open: Vec<SuggestionView> = world.engine.merges().expect("merges").suggestions;
    assert_eq!(open.len(), 1);
    say(&world, None, "The Zebra Zone opens.", "Zebra Zone");
    say(&world, None, "The Zebra Zones open.", "Zebra Zones");
    let judged = asked(&world, Pairs { most: Some(1), again: true });
    assert_eq!(judged.pairs, 1);
    let last = world.vendor.seen().last().expect("a request").body.to_string();
    assert!(last.contains("Zebra Zone") && !last.contains("NHC"), "{last}");
    assert!(judged.left >= 1, "the open one is left");
}

#[test]
fn what_a_model_was_not_sure_about_is_asked_again_on_request() {
    let world = World::new(unsure, |_| {});
    say(&world, None, "The North Harbour Company runs the cranes.", "North Harbour Company");
    say(&world, None, "NHC hired two crane drivers.", "NHC");
    assert_eq!(judge(&world, None).unsure, 1);
    let again = judge(&world, None);
    assert_eq!((again.pairs, again.left, again.spent.calls), (0, 0, 0));
    say(&world, None, "NHC sold a crane.", "NHC");
    assert_eq!(asked(&world, Pairs { most: None, again: true }).unsure, 1);
    let open: Vec<SuggestionView> = world.engine.merges().expect("merges").suggestions;
    assert_eq!(open.len(), 1, "a person may still decide");
    world.engine.apply_suggestion(&open[0].suggestion.id()).expect("it is applied");
    assert_eq!(asked(&world, Pairs { most: None, again: true }).pairs, 0);
}

#[test]
fn a_batch_whose_reply_is_of_no_use_is_halved() {
    let world = World::new(overwhelmed, |_| {});
    for name in ["North Harbour Company", "North Harbour Companies", "North Harbour Comp", "North Harbour"] {
        say(&world, None, &format!("{name} runs the cranes."), name);
    }
    let judged = judge(&world, Some(4));
    assert_eq!((judged.pairs, judged.different, judged.failure), (4, 4, None));
    // All four, each half, and each alone.
    assert_eq!(world.vendor.seen().len(), 7);
}
