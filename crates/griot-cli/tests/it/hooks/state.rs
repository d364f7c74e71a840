//! What a session begins with, and what a prompt gets: only what still holds, and what the agent has not.

use serde_json::json;

use super::{Agent, SESSION, Transcript, added};

const FREEZE: &str = "No schema migrations of payd on production from 20 November until 28 November 2024, \
                      only hotfixes.";

fn start(agent: &Agent) -> String {
    added(&agent.run(&["hook", "session-start"], &agent.event("", "s")))
}

#[test]
fn a_preferred_rule_is_shown_once() {
    let agent = Agent::new();
    let rule = ["--kind", "preference", "--tier", "rule"];
    agent.home.remember("Never push to main.", &rule);
    for text in ["Short subjects in commits.", "Tests before code.", "Answer in English."] {
        agent.home.remember(text, &["--kind", "preference"]);
    }
    agent.home.remember("No emojis anywhere.", &rule);
    let block = start(&agent);
    for text in ["push to main", "Short subjects", "Tests before", "in English", "No emojis"] {
        assert_eq!(block.matches(text).count(), 1, "{text}: {block}");
    }
}

#[test]
fn what_held_until_a_time_that_passed_is_left_out() {
    let agent = Agent::new();
    for tier in ["long_term", "rule"] {
        let options = ["--kind", "preference", "--at", "2024-11-16", "--tier", tier, "--project", "shop"];
        agent.home.remember(FREEZE, &options);
        let prompt = agent.prompt("write a migration that adds a column tier to the merchants table");
        let unmarked = |line: &&str| line.contains("schema migrations") && !line.contains("outdated");
        assert_eq!(prompt.lines().find(unmarked), None, "{tier}");
        let block = agent.run(&["hook", "session-start"], &agent.event("", "s")).stdout;
        assert!(!block.contains("schema migrations"), "{tier}: {block}");
    }
    let open = FREEZE.replace("from 20 November until 28 November 2024", "until 28 November 2094");
    agent.home.remember(&open, &["--kind", "preference"]);
    assert!(start(&agent).contains("2094"), "what holds is shown");
    let prompt = agent.prompt("write a migration that adds a column tier to the merchants table");
    assert!(prompt.contains("2094"), "{prompt}");
}

#[test]
fn what_was_closed_later_is_not_open() {
    let agent = Agent::new();
    let mut transcript = Transcript::default();
    transcript
        .user("Expo prebuild is still to do, Lukas wants it instead of these upgrades. try it on a branch")
        .says("m1", "I tried Expo prebuild on a branch, and it fails at the beacons.")
        .user("ok forget expo. We stay on bare React Native")
        .user("The index on product_id is still to do.")
        .user("today is thursday, so let's go with the rate limit");
    agent.end(&transcript);
    let block = start(&agent);
    let (_, open) = block.split_once("Still open:\n").expect("it has open ends");
    assert!(open.contains("product_id") && !open.contains("Expo"), "{block}");
    assert!(!block.contains("thursday"), "{block}");
    // Elsewhere in the project it takes more words in common.
    agent.home.remember("We decided to drop the new logo.", &["--project", "shop"]);
    assert!(start(&agent).contains("product_id"));
    agent.home.remember("We decided against an index on product_id.", &["--project", "shop"]);
    assert!(!start(&agent).contains("still to do"));
}

#[test]
fn after_a_compaction_a_session_recalls_what_came_before() {
    let agent = Agent::new();
    let mut transcript = Transcript::default();
    transcript
        .user("Why did we move the billing sessions to Postgres?")
        .says("m1", "Because the nightly Redis restart logged customers out.");
    agent.end(&transcript);
    let ask = |prompt: &str| added(&agent.run(&["hook", "prompt"], &agent.event(prompt, SESSION)));
    assert_eq!(ask("what logged customers out after the nightly Redis restart?"), "");
    // Words about a compaction are none.
    transcript.user(r#"What does {"type":"system","subtype":"compact_boundary"} mean?"#);
    agent.end(&transcript);
    assert_eq!(ask("what logged customers out after the nightly Redis restart?"), "");
    transcript
        .line(json!({ "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted" }))
        .user("The importer of invoices belongs to Marta.");
    agent.end(&transcript);
    assert!(ask("what logged customers out after the nightly Redis restart?").contains("nightly Redis"));
    assert_eq!(ask("who owns the importer of invoices?"), "", "that it still has");
}

#[test]
fn an_earlier_copy_of_the_prompt_is_left_out() {
    let agent = Agent::new();
    agent.home.remember("Run the importer tests again!", &[]);
    agent.home.remember("The importer tests need a running Redis.", &[]);
    let block = agent.prompt("run the importer tests again");
    assert!(block.contains("running Redis") && !block.contains("again!"), "{block}");
}
