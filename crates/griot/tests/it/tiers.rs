//! Rules stand beside answers, working memories expire, and tags are nodes.

use griot::engine::{Engine, LinkRequest, Settings};
use griot::model::{EntityType, Layer, Memory, SourceType, Tier, Timestamp};
use griot::recall::Query;
use griot::remember::{Action, Draft, EntityDraft, SourceDraft};

use crate::support::*;

fn rule(text: &str) -> Draft {
    Draft { tier: Some(Tier::Rule), ..Draft::new(text) }
}

fn tagged(text: &str, tag: &str, project: &str) -> Draft {
    Draft { tags: vec![tag.into()], scope: scope(None, Some(project)), ..Draft::new(text) }
}

fn rules_of(engine: &Engine, query: &Query) -> Vec<String> {
    engine.recall(query).unwrap().rules.shown.into_iter().map(|rule| rule.memory.text).collect()
}

fn results_of(engine: &Engine, query: &Query) -> Vec<String> {
    engine.recall(query).unwrap().results.into_iter().map(|result| result.memory.text).collect()
}

#[test]
fn rules_count_neither_for_the_limit_nor_for_silence() {
    let (_workspace, engine) = opened();
    engine.remember(rule("We use pnpm here, not npm.")).unwrap();
    engine.remember(Draft::new("The package lodash was installed with pnpm in May.")).unwrap();
    engine.remember(Draft::new("The package react was installed with pnpm in June.")).unwrap();

    let asked = Query { limit: 1, ..ask("Which package was installed with pnpm?") };
    assert_eq!(rules_of(&engine, &asked), ["We use pnpm here, not npm."]);
    let results = results_of(&engine, &asked);
    assert_eq!(results.len(), 1);
    assert!(results[0].starts_with("The package"), "{results:?}");

    let nothing = engine.recall(&ask("Who won the chess tournament in Reykjavik?")).unwrap();
    assert!(nothing.results.is_empty() && nothing.abstained.is_some(), "a rule breaks no silence");
    assert_eq!(nothing.rules.shown.len(), 1);
    assert!(!nothing.rules.shown[0].relevant, "{:?}", nothing.rules.shown[0].relevance);
    let fits = engine.recall(&ask("do we use pnpm or npm here?")).unwrap();
    assert!(fits.rules.shown[0].relevant);

    let asked = Query { tiers: vec![Tier::Rule], ..ask("do we use pnpm or npm here?") };
    assert_eq!(
        results_of(&engine, &asked),
        ["We use pnpm here, not npm."],
        "who asks for rules gets them as results"
    );
    assert!(rules_of(&engine, &asked).is_empty());
    assert!(rules_of(&engine, &Query { rules: false, ..ask("pnpm") }).is_empty());
}

#[test]
fn invariant_6_a_rule_is_shown_in_its_scope_only() {
    let (_workspace, engine) = opened();
    engine
        .remember(Draft { scope: scope(None, Some("shop")), ..rule("In the shop we write tests first.") })
        .unwrap();
    engine
        .remember(Draft { scope: scope(Some("ada"), None), ..rule("Ada wants answers in German.") })
        .unwrap();
    engine.remember(rule("Never push to main.")).unwrap();
    let within = |user, project| {
        let mut found = rules_of(&engine, &Query { scope: scope(user, project), ..ask("how do we work?") });
        found.sort();
        found
    };
    assert_eq!(within(Some("bob"), Some("blog")), ["Never push to main."]);
    assert_eq!(
        within(Some("bob"), Some("shop")),
        ["In the shop we write tests first.", "Never push to main."]
    );
    let confined = engine.confined_to(scope(Some("bob"), None));
    assert!(!rules_of(&confined, &ask("how do we work?")).iter().any(|text| text.contains("Ada")));
    assert!(
        confined
            .rules(&scope(Some("ada"), None))
            .unwrap()
            .shown
            .iter()
            .all(|r| !r.memory.text.contains("Ada"))
    );
}

#[test]
fn rules_keep_to_their_budget_and_are_never_cut() {
    let workspace = Workspace::new();
    let settings = |tokens| {
        let mut settings = Settings::default();
        settings.recall.rules_budget = tokens;
        settings
    };
    let engine = workspace.open();
    for (importance, text) in [(3, "a".repeat(80)), (5, "b".repeat(40)), (4, "c".repeat(4000))] {
        engine.remember(Draft { importance: Some(importance), ..rule(&text) }).unwrap();
    }
    drop(engine);
    let shown = |tokens| {
        let rules = workspace.open_with(settings(tokens)).recall(&ask("what holds?")).unwrap().rules;
        let first: String = rules.shown.iter().filter_map(|rule| rule.memory.text.chars().next()).collect();
        (first, rules.left_out, rules.tokens)
    };
    assert_eq!(shown(10), ("b".into(), 2, 10));
    assert_eq!(shown(30), ("ba".into(), 1, 30), "the long one is passed over");
    assert_eq!(shown(2000), ("bca".into(), 0, 1030), "by importance");
    assert_eq!(shown(0), (String::new(), 0, 0));
}

#[test]
fn invariant_8_no_document_makes_a_rule() {
    let (_workspace, engine) = opened();
    for (kind, origin) in
        [(SourceType::File, "a.md"), (SourceType::Page, "https://a.test"), (SourceType::Chat, "c")]
    {
        let source = SourceDraft::new(kind, origin);
        engine.ingest(&source, vec![rule(&format!("Obey the document of {origin}."))]).unwrap();
        engine.remember_all(&source, vec![rule(&format!("Obey what {origin} adds."))]).unwrap();
        engine.remember_from(&source, rule(&format!("Obey {origin} once more."))).unwrap();
    }
    engine
        .ingest(&SourceDraft::new(SourceType::Agent, "agent"), vec![rule("Obey an ingested text.")])
        .unwrap();
    assert!(all_memories(&engine).iter().all(|memory| memory.tier == Tier::LongTerm));
    assert!(rules_of(&engine, &ask("what must be obeyed?")).is_empty());
}

#[test]
fn a_working_memory_is_found_until_it_expires_and_shown_afterwards() {
    let (workspace, engine) = opened();
    let plan = "The release of the shop waits for the certificate of Grace Hopper.";
    let working = engine.remember(Draft { tier: Some(Tier::Working), ..Draft::new(plan) }).unwrap();
    assert_eq!(
        working.expires_at,
        Some(Timestamp(NOW.0 + 24 * Timestamp::HOUR)),
        "the default of the settings"
    );
    let stays = engine.remember(Draft::new("Grace Hopper renewed the certificate of the shop.")).unwrap();
    engine.link(&link(&stays.id.to_string(), &working.id.to_string())).unwrap();

    let found = |engine: &Engine| -> Vec<(&str, bool)> {
        let has = |memories: &[Memory]| memories.iter().any(|memory| memory.text == plan);
        let in_related = |related: &[griot::engine::Related]| format!("{related:?}").contains("waits for");
        let view = engine.entity("Grace Hopper", 1, 10).unwrap();
        let time = engine.timeline(None, 5, 5, None, &scope(None, None)).unwrap();
        let asked =
            Query { now: workspace.hands.now(), ..ask("What does the release of the shop wait for?") };
        vec![
            ("recall", results_of(engine, &asked).contains(&plan.to_string())),
            ("related", in_related(&engine.related(&stays.id.to_string(), 2, &[], &[], 20).unwrap())),
            ("similar", in_related(&engine.similar(&stays.id.to_string(), 5).unwrap())),
            ("traverse", in_related(&engine.traverse(&asked, 5, 50, 3).unwrap())),
            ("path", engine.path(&stays.id.to_string(), &working.id.to_string(), 3).unwrap().is_some()),
            ("entity", has(&view.mentions)),
            ("timeline", has(&time.after) || has(&time.before)),
            ("status", engine.status().unwrap().counts.memories == 2),
        ]
    };
    assert_eq!(
        found(&engine).iter().filter(|(_, there)| !there).collect::<Vec<_>>(),
        Vec::<&(&str, bool)>::new()
    );
    workspace.hands.advance(24 * Timestamp::HOUR);
    let after = found(&engine);
    let left: Vec<&str> = after.iter().filter(|(_, there)| *there).map(|(verb, _)| *verb).collect();
    // A path may name its ends, whatever they are.
    assert!(left.is_empty() || left == ["path"], "{left:?}");
    let counts = engine.status().unwrap().counts;
    assert_eq!((counts.memories, counts.expired_memories, counts.memories_by_kind["insight"]), (1, 1, 1));
    let shown = engine.show(&working.id.to_string()).unwrap();
    assert_eq!((shown.text.as_str(), shown.tier), (plan, Tier::Working));
    assert!(engine.gc(0.1, 10).unwrap().iter().any(|candidate| candidate.reason.contains("expired")));
    assert_sound(&engine);
    drop(engine);

    // The rows say the same as the index.
    std::fs::remove_dir_all(workspace.index()).ok();
    let engine = workspace.open();
    assert_eq!(found(&engine), after);
    // Said again, it is there again.
    let again = engine.remember(Draft::new(plan)).unwrap();
    assert_eq!((again.action, again.id), (Action::Updated, working.id));
    assert_eq!((again.tier, again.expires_at), (Tier::LongTerm, None));
    assert!(found(&engine).iter().all(|(_, there)| *there));
}

#[test]
fn what_is_said_beside_a_known_text_comes_to_it() {
    let (_workspace, engine) = opened();
    let [old, new] = ["The lathe is in hall 2.", "The lathe is in hall 5."]
        .map(|text| engine.remember(Draft { tags: vec!["shop".into()], ..Draft::new(text) }).unwrap());
    let said = |draft: Draft| engine.remember(Draft { tags: vec!["move".into()], ..draft }).unwrap();
    let again = said(Draft {
        entities: vec![EntityDraft::named("Odo Kranz", Some(EntityType::Person))],
        supersedes: Some(old.handle.to_string()),
        kind: Some("task".into()),
        ..Draft::new("The lathe is in hall 5.")
    });
    assert_eq!((again.action, again.id), (Action::Updated, new.id));
    let named: Vec<&str> = again.entities.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!((named, again.kind.as_str()), (vec!["Odo Kranz"], "insight"));
    assert_eq!(again.tags, ["shop", "move"]);
    assert_eq!(engine.show(&new.id.to_string()).unwrap().tags, ["shop", "move"]);
    assert_eq!(engine.entity("Odo Kranz", 1, 9).unwrap().mention_count, 1);
    assert_eq!(engine.show(&old.id.to_string()).unwrap().superseded_by, Some(new.id));
    // The same once more changes nothing.
    let revision = engine.status().unwrap().revision;
    let once_more = said(Draft {
        entities: vec![EntityDraft::named("Odo Kranz", Some(EntityType::Person))],
        supersedes: Some(old.handle.to_string()),
        ..Draft::new("The lathe is in hall 5.")
    });
    assert_eq!((once_more.action, engine.status().unwrap().revision), (Action::Skipped, revision));
    let itself = Draft { supersedes: Some(new.handle.to_string()), ..Draft::new("The lathe is in hall 5.") };
    assert!(engine.remember(itself).unwrap_err().why.contains("the same text"));
    assert_sound(&engine);
}

#[test]
fn a_recall_finds_memories_of_the_layers_that_are_asked_for() {
    let (_workspace, engine) = opened();
    for (kind, text) in [
        ("task", "The certificate of the shop has to be renewed in May."),
        ("decision", "The certificate of the shop is renewed by hand."),
        ("error", "The certificate of the shop was refused by the browser."),
        ("my own word", "The certificate of the shop hangs in the hall."),
    ] {
        engine.remember(Draft { kind: Some(kind.into()), ..Draft::new(text) }).unwrap();
    }
    engine.remember(rule("No one touches the certificate of the shop.")).unwrap();
    let kinds = |layers: &[Layer], kinds: &[&str]| -> Vec<String> {
        let kinds = kinds.iter().map(|kind| (*kind).to_string()).collect();
        let asked = Query {
            layers: layers.to_vec(),
            kinds,
            floor: false,
            ..ask("what about the certificate of the shop?")
        };
        let answer = engine.recall(&asked).unwrap();
        assert_eq!(answer.rules.shown.len(), 1, "rules are not narrowed");
        let mut kinds: Vec<String> = answer.results.into_iter().map(|result| result.memory.kind).collect();
        kinds.sort();
        kinds
    };
    assert_eq!(kinds(&[], &[]), ["decision", "error", "my own word", "task"]);
    assert_eq!(kinds(&[Layer::Project], &[]), ["task"]);
    assert_eq!(kinds(&[Layer::Knowledge], &[]), ["decision", "my own word"]);
    assert_eq!(kinds(&[Layer::Execution, Layer::Project], &[]), ["error", "task"]);
    assert!(kinds(&[Layer::Code], &[]).is_empty());
    assert_eq!(kinds(&[Layer::Knowledge], &["decision", "task"]), ["decision"]);
    assert!(kinds(&[Layer::Knowledge], &["task"]).is_empty());
    assert_eq!(kinds(&Layer::ALL, &[]).len(), 4);
}

#[test]
fn the_status_counts_edges_that_have_expired_apart() {
    let (workspace, engine) = opened();
    let cause = engine.remember(Draft::new("The disk was full.")).unwrap().id.to_string();
    let effect = engine.remember(Draft::new("Nothing was stored.")).unwrap().id.to_string();
    let link = link(&cause, &effect);
    let kind = link.kind;
    engine.link(&link).unwrap();
    let end = Timestamp(NOW.0 + Timestamp::HOUR);
    let ends = LinkRequest { source: effect, target: cause, expires_at: Some(end), ..link };
    engine.link(&ends).unwrap();
    let counts = |engine: &Engine| {
        let counts = engine.status().unwrap().counts;
        (counts.edges, counts.expired_edges, counts.edges_by_kind.get(kind.name()).copied().unwrap_or(0))
    };
    let (edges, expired, of_kind) = counts(&engine);
    assert_eq!((expired, of_kind), (0, 2));
    workspace.hands.advance(Timestamp::HOUR);
    assert_eq!(counts(&engine), (edges - 1, 1, 1));
    let by_whom: u64 = engine.status().unwrap().counts.edges_by_provenance.values().sum();
    assert_eq!(by_whom, edges - 1);
    // A key that sees one user's memories alone sees the same of what everybody sees.
    let confined = engine.confined_to(scope(Some("ada"), None));
    assert_eq!(counts(&confined), (edges - 1, 1, 1));
}

#[test]
fn what_is_said_again_gets_the_tier_that_is_asked_for() {
    let (_workspace, engine) = opened();
    let text = "Answers are short.";
    let first = engine.remember(Draft::new(text)).unwrap();
    assert_eq!(engine.remember(Draft::new(text)).unwrap().action, Action::Skipped);
    let raised = engine.remember(rule(text)).unwrap();
    assert_eq!((raised.action, raised.id), (Action::Updated, first.id));
    assert_eq!(engine.remember(rule(text)).unwrap().action, Action::Skipped);
    assert_eq!(engine.remember(Draft::new(text)).unwrap().tier, Tier::Rule, "silence changes nothing");
    assert_eq!(rules_of(&engine, &ask("how?")), [text]);
    assert_eq!(all_memories(&engine).len(), 1);
    let (_other, copy) = opened();
    import(&copy, &records(&engine)).unwrap();
    assert_eq!(rules_of(&copy, &ask("how?")), [text], "an export keeps tiers");
    assert_eq!(exported(&copy).len(), exported(&engine).len());
}

#[test]
fn two_memories_of_one_tag_are_joined_by_its_topic() {
    let (workspace, engine) = opened();
    // Days and agents apart, so that no time joins them.
    let store = |agent: &str, draft: Draft| {
        workspace.hands.advance(3 * Timestamp::DAY);
        engine.remember(Draft { agent: Some(agent.into()), ..draft }).unwrap()
    };
    let alarm =
        store("a", tagged("Rollout alarms fire twice a day since the last deploy.", "dashboard", "shop"));
    let panel =
        store("b", tagged("The panel counts restarts of the worker as failures.", "Dashboard", "shop"));
    store("c", tagged("Soup is served on Mondays.", "kitchen", "shop"));
    // The walk starts from the three best matches; the panel is none of them.
    for (agent, text) in
        [("d", "Rollout alarms are sent by mail."), ("e", "Alarms of a rollout fire in the morning.")]
    {
        store(agent, Draft::new(text));
    }

    assert!(alarm.entities.iter().any(|(id, _)| id == "topic:dashboard"), "{:?}", alarm.entities);
    let related = engine.related("topic:dashboard", 1, &[], &[], 10).unwrap();
    assert_eq!(related.len(), 2, "{related:?}");
    let path = engine.path(&alarm.id.to_string(), &panel.id.to_string(), 4).unwrap().expect("a path");
    assert_eq!(path.iter().map(|hop| hop.to.name()).collect::<Vec<_>>()[0], "dashboard");
    let hubs = engine.hubs(Some(EntityType::Topic), &[], 5).unwrap();
    assert_eq!((hubs[0].entity.canonical_id().as_str(), hubs[0].degree), ("topic:dashboard", 2));
    let hubs = engine.hubs(None, &[Layer::Code], 5).unwrap();
    assert!(hubs.is_empty(), "a topic is knowledge");

    let answer = engine.recall(&Query { floor: false, ..ask("why do rollout alarms fire?") }).unwrap();
    let rank = |id| answer.results.iter().position(|result| result.memory.id == id).expect("it is found");
    assert!(rank(alarm.id) < rank(panel.id), "a direct match stays before what its topic leads to");
    let walked = answer.results.iter().find(|result| result.memory.id == panel.id).expect("the other one");
    assert!(format!("{:?}", walked.path).contains("topic:dashboard"), "{:?}", walked.path);
}

#[test]
fn a_tag_names_what_is_called_so_and_gives_way_to_a_type() {
    let (_workspace, engine) = opened();
    engine.remember(tagged("Sessions are kept there.", "redis", "shop")).unwrap();
    assert_eq!(engine.entity("redis", 1, 5).unwrap().entity.canonical_id(), "topic:redis");
    engine.remember(Draft::new("We moved the sessions to Redis.")).unwrap();
    let redis = engine.entity("redis", 1, 5).unwrap();
    assert_eq!((redis.entity.canonical_id().as_str(), redis.mention_count), ("tool:redis", 2));
    assert_eq!(
        engine.entity("topic:redis", 1, 5).unwrap().entity.node,
        redis.entity.node,
        "the old name leads there"
    );
    engine.remember(tagged("It ran out of memory.", "redis", "shop")).unwrap();
    assert_eq!(engine.entity("redis", 1, 5).unwrap().mention_count, 3);
}

#[test]
fn tags_of_documents_stay_filters_and_old_ones_become_topics_by_build_graphs() {
    let workspace = Workspace::new();
    let mut settings = Settings::default();
    settings.remember.topics = false;
    let engine = workspace.open_with(settings);
    engine.remember(tagged("The alarms fire twice a day.", "dashboard", "shop")).unwrap();
    let passage = Draft {
        kind: Some("passage".into()),
        tags: vec!["manual".into()],
        ..Draft::new("Press the red button.")
    };
    engine.ingest(&SourceDraft::new(SourceType::File, "m.md"), vec![passage]).unwrap();
    assert!(engine.entities_named("dashboard", None, &[], 5).unwrap().is_empty());
    drop(engine);
    let engine = workspace.open();
    assert_eq!(engine.build_graphs(semantic(0.9), &mut |_, _| {}).unwrap().topics_added, 1);
    assert_eq!(engine.build_graphs(semantic(0.9), &mut |_, _| {}).unwrap().topics_added, 0);
    assert_eq!(engine.related("topic:dashboard", 1, &[], &[], 10).unwrap().len(), 1);
    assert!(engine.entities_named("manual", None, &[], 5).unwrap().is_empty());
    assert_sound(&engine);
}

#[test]
fn nodes_have_layers_and_are_filtered_by_them() {
    let (_workspace, engine) = opened();
    let entity = |name: &str, kind| griot::remember::EntityDraft::named(name, Some(kind));
    let draft = Draft {
        kind: Some("task".into()),
        entities: vec![entity("parse_time", EntityType::Function), entity("Ship it", EntityType::Goal)],
        ..Draft::new("mend the reader of times")
    };
    let task = engine.remember(draft).unwrap();
    let within = |layers: &[Layer]| -> Vec<Layer> {
        let found = engine.related(&task.id.to_string(), 2, &[], layers, 20).unwrap();
        found.iter().map(|related| related.node.layer()).collect()
    };
    assert_eq!(within(&[Layer::Code]), [Layer::Code]);
    assert_eq!(within(&[Layer::Project]), [Layer::Project]);
    assert!(within(&[Layer::Execution]).is_empty());
    assert_eq!(within(&[]).len(), 2);
    let hubs = engine.hubs(None, &[Layer::Code, Layer::Project], 1).unwrap();
    assert_eq!(hubs.len(), 1);
    assert_eq!(engine.entities_named("parse", None, &[Layer::Project], 5).unwrap().len(), 0);
}
