//! Entities that are one: merging, parting, types by majority, suggestions; the invariants that a merge must
//! keep.

use griot::engine::{Engine, MergeRequest};
use griot::model::{EntityType, ErrorKind, Predicate, Provenance, SourceType};
use griot::remember::{Draft, EntityDraft, SourceDraft};

use crate::support::*;

/// Remembers a text that names these entities, from a source of that name.
fn say(engine: &Engine, source: &str, text: &str, names: &[(&str, Option<EntityType>)]) {
    let entities = names.iter().map(|&(name, kind)| EntityDraft::named(name, kind)).collect();
    let draft = Draft { entities, ..Draft::new(text) };
    engine.remember_all(&SourceDraft::new(SourceType::Chat, source), vec![draft]).unwrap();
}

fn request(kept: &str, merged: &str) -> MergeRequest {
    MergeRequest {
        kept: kept.into(),
        merged: merged.into(),
        reason: Some("one thing".into()),
        by: Provenance::User,
    }
}

/// Two names of one cluster, in two sources, with a fact each.
fn clusters(engine: &Engine) {
    say(engine, "a", "The orders live in bluebird.", &[("Bluebird", Some(EntityType::Tool))]);
    say(engine, "b", "the order cluster was slow on friday.", &[("Order Cluster", None)]);
    say(engine, "b", "bluebird, the order cluster, is back.", &[("Bluebird", None), ("Order Cluster", None)]);
    engine.add_fact(&fact("Order Cluster", Predicate::Uses, "Disk Array", None)).unwrap();
    engine.add_fact(&fact("Bluebird", Predicate::RunsOn, "Rack Seven", None)).unwrap();
}

fn kind_of(engine: &Engine, name: &str) -> EntityType {
    engine.entity(name, 1, 5).unwrap().entity.kind
}

fn answers(engine: &Engine) -> String {
    let mut answers = String::new();
    for name in ["Bluebird", "Order Cluster"] {
        let view = engine.entity(name, 2, 10).unwrap();
        answers.push_str(&format!("{view:?}\n"));
    }
    for question in ["what happened to the order cluster?", "who uses Bluebird?"] {
        answers.push_str(&format!("{:?}\n", engine.recall(&ask(question)).unwrap().results));
    }
    answers
}

#[test]
fn invariant_1_an_index_that_is_built_anew_after_a_merge_answers_alike() {
    let (workspace, engine) = opened();
    clusters(&engine);
    let (before, parted) = (answers(&engine), exported(&engine));
    let merge = engine.merge(&request("Bluebird", "Order Cluster")).unwrap().merge;
    for _ in 0..2 {
        let now = answers(&engine);
        assert_ne!(now, before);
        let other = workspace.open();
        assert_eq!(answers(&other), now, "a second process catches up");
        drop(other);
        let _ = std::fs::remove_dir_all(workspace.index());
        let built = workspace.open();
        assert_eq!(answers(&built), now, "an index made from the rows");
        assert_sound(&built);
    }
    engine.unmerge(&merge.id()).unwrap();
    assert_eq!(answers(&engine), before);
    let rest = |lines: Vec<String>| -> Vec<String> {
        lines
            .into_iter()
            .filter(|line| !line.starts_with("Merge") && !line.starts_with("Suggestion"))
            .collect()
    };
    assert_eq!(rest(exported(&engine)), rest(parted));
    assert_sound(&engine);
}

#[test]
fn invariant_2_a_merge_is_one_revision_and_so_is_its_undo() {
    let (_workspace, engine) = opened();
    clusters(&engine);
    let revision = |engine: &Engine| engine.read().unwrap().revision().0;
    let before = revision(&engine);
    let merge = engine.merge(&request("Bluebird", "Order Cluster")).unwrap().merge;
    assert_eq!(revision(&engine), before + 1);
    engine.unmerge(&merge.id()).unwrap();
    assert_eq!(revision(&engine), before + 2);
}

#[test]
fn invariant_5_after_a_merge_every_edge_and_fact_names_its_evidence() {
    let (_workspace, engine) = opened();
    clusters(&engine);
    let look = || {
        let read = engine.read().unwrap();
        assert!(read.edges_after(0, 1000).unwrap().iter().all(|edge| !edge.evidence.is_empty()));
        assert!(read.facts(None).unwrap().iter().all(|fact| !fact.evidence.is_empty()));
    };
    let merge = engine.merge(&request("Bluebird", "Order Cluster")).unwrap().merge;
    look();
    engine.unmerge(&merge.id()).unwrap();
    look();
}

#[test]
fn invariant_7_a_source_that_is_forgotten_after_a_merge_takes_what_only_it_supported() {
    let (_workspace, engine) = opened();
    say(&engine, "a", "the heron is blue.", &[("Heron", None)]);
    say(&engine, "b", "the grey bird eats.", &[("Grey Bird", None)]);
    let merge = engine.merge(&request("Heron", "Grey Bird")).unwrap().merge;
    let source = |name: &str| {
        let views = engine.sources().unwrap();
        views.into_iter().find(|view| view.source.origin == name).unwrap().source.id.to_string()
    };
    let gone = engine.forget(&source("b")).unwrap();
    assert_eq!(gone.entities, Vec::<String>::new(), "the other source names it too");
    assert_eq!(engine.entity("Heron", 1, 5).unwrap().mention_count, 1);

    // Parted, the second is supported by nothing but what was forgotten: it went with it, and comes back with
    // it.
    engine.unmerge(&merge.id()).unwrap();
    assert_eq!(engine.entity("Grey Bird", 1, 5).unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(engine.restore(&source("b")).unwrap().entities, ["concept:grey-bird"]);
    assert_eq!(engine.entity("Grey Bird", 1, 5).unwrap().mention_count, 1);

    // Two names of one source are one entity that goes with it.
    say(&engine, "c", "the owl hoots.", &[("Owl", None)]);
    say(&engine, "c", "the night bird sleeps.", &[("Night Bird", None)]);
    let merge = engine.merge(&request("Owl", "Night Bird")).unwrap().merge;
    assert_eq!(engine.forget(&source("c")).unwrap().entities, ["concept:owl"]);
    for name in ["Owl", "Night Bird"] {
        assert_eq!(engine.entity(name, 1, 5).unwrap_err().kind, ErrorKind::NotFound);
    }
    assert_eq!(engine.restore(&source("c")).unwrap().entities, ["concept:owl"]);
    assert_eq!(engine.entity("Night Bird", 1, 5).unwrap().mention_count, 2);
    engine.unmerge(&merge.id()).unwrap();
    assert_eq!(engine.entity("Night Bird", 1, 5).unwrap().mention_count, 1);
    assert_sound(&engine);
}

#[test]
fn names_that_were_merged_go_on_meaning_the_survivor() {
    let (_workspace, engine) = opened();
    clusters(&engine);
    engine.merge(&request("tool:bluebird", "concept:order-cluster")).unwrap();
    say(&engine, "c", "the order cluster again.", &[("order  CLUSTER", None)]);
    assert_eq!(engine.entity("concept:order-cluster", 1, 9).unwrap().mention_count, 4);
    assert_eq!(engine.entity("Bluebird", 1, 9).unwrap().facts.len(), 2);
    let error =
        assert_refused(&engine, ErrorKind::InvalidInput, |engine| engine.restore("concept:order-cluster"));
    assert!(error.contains("it was merged into `tool:bluebird`"), "{error}");
}

#[test]
fn the_type_that_was_given_most_often_wins_and_the_old_id_stays() {
    let (_workspace, engine) = opened();
    let (tool, org) = (Some(EntityType::Tool), Some(EntityType::Org));
    say(&engine, "a", "one", &[("Mercury", tool)]);
    say(&engine, "a", "two", &[("Mercury", tool)]);
    say(&engine, "a", "three", &[("Mercury", org)]);
    engine.merge(&request("tool:mercury", "org:mercury")).unwrap();
    assert_eq!(kind_of(&engine, "Mercury"), EntityType::Tool);
    say(&engine, "a", "four", &[("Mercury", org)]);
    assert_eq!(kind_of(&engine, "Mercury"), EntityType::Tool, "two of either");
    say(&engine, "a", "five", &[("Mercury", org)]);
    for name in ["Mercury", "org:mercury", "tool:mercury"] {
        assert_eq!(kind_of(&engine, name), EntityType::Org, "{name}");
    }
    assert_eq!(engine.entity("Mercury", 1, 9).unwrap().mention_count, 5);
    assert_sound(&engine);
}

#[test]
fn a_type_that_a_caller_gave_is_never_outvoted_by_a_rule() {
    let (_workspace, engine) = opened();
    // The dictionary says that Redis is a tool.
    for number in 0..5 {
        say(&engine, "a", &format!("Redis was slow, {number}."), &[]);
    }
    assert_eq!(kind_of(&engine, "Redis"), EntityType::Tool);
    say(&engine, "a", "the company", &[("Redis", Some(EntityType::Org))]);
    assert_eq!(engine.merge(&request("tool:redis", "org:redis")).unwrap().entity.kind, EntityType::Org);
    for number in 0..5 {
        say(&engine, "a", &format!("Redis was fast, {number}."), &[]);
    }
    assert_eq!(kind_of(&engine, "Redis"), EntityType::Org);
    assert_eq!(engine.entity("Redis", 1, 20).unwrap().mention_count, 11);
}

#[test]
fn all_names_are_compared_when_asked_and_only_the_sure_are_merged() {
    let (_workspace, engine) = opened();
    let (person, location) = (Some(EntityType::Person), Some(EntityType::Location));
    for (number, (name, kind)) in [
        ("Níkos Aliágas", person),
        ("Nikos Aliagas", person),
        ("Durán", person),
        ("Duran", location),
        ("Winston Churchill", person),
        ("Churchill", person),
        ("Alice Smith", person),
        ("Bob Smith", person),
        ("Python 2", Some(EntityType::Tool)),
        ("Python 3", Some(EntityType::Tool)),
        ("January 2023", Some(EntityType::Date)),
        ("January-2023", Some(EntityType::Date)),
    ]
    .into_iter()
    .enumerate()
    {
        say(&engine, "a", &format!("{number}"), &[(name, kind)]);
    }
    let scan = engine.suggest_merges(false).unwrap();
    assert_eq!((scan.names, scan.merged.len()), (10, 0), "dates are left alone, nothing is merged");
    let scan = engine.suggest_merges(true).unwrap();
    // The sure pair was suggested before: what is listed is left to a person.
    assert_eq!((scan.merged.len(), scan.suggested), (0, 0));
    let log = engine.merges().unwrap();
    let pairs: Vec<(String, String)> =
        log.suggestions.iter().map(|s| (s.kept.canonical_id(), s.merged.canonical_id())).collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        pairs,
        [
            pair("person:níkos-aliágas", "person:nikos-aliagas"),
            pair("person:winston-churchill", "person:churchill"),
        ]
    );
    let (sure, maybe) = (log.suggestions[0].suggestion.id(), log.suggestions[1].suggestion.id());
    engine.dismiss_suggestion(&maybe).unwrap();
    let merged = engine.apply_suggestion(&sure).unwrap();
    assert!(engine.merges().unwrap().suggestions.is_empty());
    for id in [&sure, &maybe] {
        let error = assert_refused(&engine, ErrorKind::InvalidInput, |engine| engine.apply_suggestion(id));
        assert!(error.contains("it is applied") || error.contains("it is dismissed"), "{error}");
    }
    engine.unmerge(&merged.merge.id()).unwrap();
    let scan = engine.suggest_merges(true).unwrap();
    assert_eq!((scan.merged.len(), scan.suggested), (0, 0), "dismissed and parted pairs stay so");
}

#[test]
fn automatic_merges_are_logged_and_homonyms_stay_apart() {
    let (_workspace, engine) = opened();
    let (tool, person) = (Some(EntityType::Tool), Some(EntityType::Person));
    say(&engine, "a", "one", &[("Session Store", tool)]);
    say(&engine, "a", "two", &[("session-store", tool), ("Session  Store", tool)]);
    say(&engine, "a", "three", &[("SessionStore", tool), ("Session-Store", person)]);
    let scan = engine.suggest_merges(true).unwrap();
    // Names that differ in spaces and hyphens alone are one from the start.
    assert_eq!(scan.merged.len(), 1);
    assert!(
        scan.merged.iter().all(|merge| merge.by == Provenance::Rule && merge.kept.name == "Session Store")
    );
    assert_eq!(engine.merges().unwrap().suggestions, [], "a person and a tool that callers named are two");
    assert_eq!(engine.entity("tool:sessionstore", 1, 9).unwrap().entity.name, "Session Store");
    assert_eq!(kind_of(&engine, "person:session-store"), EntityType::Person);
    let before = engine.read().unwrap().revision();
    assert_eq!(engine.suggest_merges(true).unwrap().merged, []);
    assert_eq!(engine.read().unwrap().revision(), before, "nothing new is no revision");
}

#[test]
fn capitals_alone_make_no_second_thing_of_a_name_that_is_known() {
    let ids = |texts: &[(&str, bool)]| -> Vec<String> {
        let (_workspace, engine) = opened();
        for (text, says_tool) in texts {
            let given = says_tool.then(|| EntityDraft::named("Payment Gateway", Some(EntityType::Tool)));
            engine.remember(Draft { entities: given.into_iter().collect(), ..Draft::new(*text) }).unwrap();
        }
        let named = engine.entities_named("payment gateway", None, &[], 9).unwrap();
        assert_eq!(named.len(), 1, "{texts:?}");
        named.iter().map(|entity| entity.canonical_id()).collect()
    };
    let (bare, thing) =
        (("Payment Gateway failed on Monday.", false), ("The Payment Gateway is slow.", false));
    let said = ("It costs a lot.", true);
    assert_eq!(ids(&[bare]), ["concept:payment-gateway"]);
    assert_eq!(ids(&[thing]), ["concept:payment-gateway"]);
    assert_eq!(ids(&[thing, bare]), ["concept:payment-gateway"]);
    for texts in [[bare, said, thing], [said, bare, thing], [thing, bare, said], [bare, thing, said]] {
        assert_eq!(ids(&texts), ["tool:payment-gateway"]);
    }
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let (_workspace, engine) = opened();
    clusters(&engine);
    let memory = all_memories(&engine)[0].handle.to_string();
    let refused = |kind, kept: &str, merged: &str| {
        assert_refused(&engine, kind, |engine| engine.merge(&request(kept, merged)))
    };
    assert!(
        refused(ErrorKind::InvalidInput, "Bluebird", "tool:bluebird").contains("both are the same entity")
    );
    assert!(refused(ErrorKind::NotFound, "Bluebird", "Unknown").contains("`Unknown`"));
    assert!(refused(ErrorKind::NotFound, "Bluebird", &memory).contains("it names a memory"));
    let undone = |kind, id: &str| assert_refused(&engine, kind, |engine| engine.unmerge(id));
    undone(ErrorKind::NotFound, "g1");
    undone(ErrorKind::InvalidInput, "Bluebird");
    engine.merge(&request("Bluebird", "Order Cluster")).unwrap();
    engine.unmerge("g1").unwrap();
    assert!(undone(ErrorKind::InvalidInput, "1").contains("it was undone"));
    assert_refused(&engine, ErrorKind::NotFound, |engine| engine.apply_suggestion("p9"));
    assert_refused(&engine, ErrorKind::InvalidInput, |engine| engine.dismiss_suggestion("x"));
}

#[test]
fn a_merge_that_was_exported_can_be_undone_elsewhere() {
    let (_workspace, engine) = opened();
    clusters(&engine);
    engine.merge(&request("Bluebird", "Order Cluster")).unwrap();
    let records = records(&engine);
    let (_elsewhere, copy) = opened();
    // Numbers differ from those of the first workspace.
    say(&copy, "z", "Something else about Kafka and the disk.", &[("Kafka", None), ("Zebra", None)]);
    let imported = import(&copy, &records).unwrap();
    assert_eq!(imported.merges, 1);
    assert_eq!(import(&copy, &records).unwrap().merges, 0, "once");
    assert_sound(&copy);
    let unmerged = copy.unmerge("g1").unwrap();
    assert_eq!(unmerged.inseparable, Vec::<String>::new());
    engine.unmerge("g1").unwrap();
    for name in ["Bluebird", "Order Cluster"] {
        let shown = |engine: &Engine| {
            let view = engine.entity(name, 1, 9).unwrap();
            let facts: Vec<String> =
                view.facts.iter().map(|f| format!("{:?} {:?}", f.fact.predicate, f.object)).collect();
            let aliases = view.entity.aliases.clone();
            let mentions: Vec<String> = view.mentions.iter().map(|memory| memory.text.clone()).collect();
            (view.entity.canonical_id(), aliases, mentions, facts.len(), view.relations.len())
        };
        assert_eq!(shown(&copy), shown(&engine), "{name}");
    }
    assert_sound(&copy);
}
