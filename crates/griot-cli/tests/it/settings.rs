//! The block `knowledge`, settings of agents, and what a crawl does with them.

use serde_json::json;

use crate::crawl::harbour;
use crate::{Home, Parts, has};

/// Writes the settings for all workspaces.
fn set(home: &Home, text: &str) {
    home.file("../home/griot.toml", text);
}

fn get(home: &Home, name: &str) -> String {
    home.ok(&["config", "get", name]).trim().to_string()
}

fn of_agent(home: &Home, agent: &str, name: &str) -> String {
    home.ok(&["config", "--agent", agent, "get", name]).trim().to_string()
}

#[test]
fn a_value_is_set_and_unset() {
    let home = Home::new();
    let default = get(&home, "recall.limit");
    set(&home, "# ours\n[recall]\nlimit = 7 # few\n");
    home.refused(&["config", "unset", "recall.limit"], 1, "it is not set in");
    has(&home.ok(&["config", "unset", "recall.limit", "--global"]), "recall.limit no longer in");
    assert_eq!(get(&home, "recall.limit"), default);
    home.ok(&["config", "set", "recall.limit", "4"]);
    home.ok(&["config", "unset", "recall.limit"]);
    assert_eq!(get(&home, "recall.limit"), default);
    home.ok(&["config", "--agent", "pilot", "set", "recall.limit", "4"]);
    home.ok(&["config", "--agent", "pilot", "unset", "recall.limit"]);
    assert_eq!(of_agent(&home, "pilot", "recall.limit"), default);
    home.refused(&["config", "unset", "recall.limt"], 1, "recall.limit");
}

#[test]
fn names_of_the_block_set_settings_in_either_case() {
    let home = Home::new();
    set(
        &home,
        "[knowledge.entityExtraction]\nentityTypes = ['person', 'org']\n\
         [knowledge.graph]\nbackend = 'sqlite'\n\
         [knowledge.retrieval.graph_expansion]\nmax_hops = 1\nmax_chunks = 4\n\
         [knowledge.ingestion]\nallowedMimeTypes = ['text/markdown']\nmaxFileSizeMb = 2\n\
         [knowledge.crawl]\nmaxPagesPerCrawl = 5\nrequestsPerSecond = 1\nrespectRobotsTxt = false\n\
         userAgent = 'mine/1'\n",
    );
    for (name, value) in [
        ("remember.entity_types", r#"["person","org"]"#),
        ("recall.graph_hops", "2"),
        ("recall.graph_memories", "4"),
        ("ingest.allowed_types", r#"["text/markdown"]"#),
        ("ingest.max_file_bytes", "2097152"),
        ("crawl.max_pages_per_crawl", "5"),
        ("crawl.requests_per_second", "1.0"),
        ("crawl.respect_robots_txt", "false"),
        ("crawl.user_agent", "\"mine/1\""),
        ("knowledge.crawl.userAgent", "\"mine/1\""),
        ("knowledge.graph.backend", "\"sqlite\""),
    ] {
        assert_eq!(get(&home, name), value, "{name}");
    }
    let variable = [("GRIOT_KNOWLEDGE_CRAWL_MAX_PAGES_PER_CRAWL", "7")];
    assert_eq!(home.run_in(&variable, &["config", "get", "crawl.max_pages_per_crawl"]).stdout, "7\n");
    home.refused(&["--set", "knowledge.crawl.maxPagesPerCrawl=0", "status"], 2, "maxPagesPerCrawl` takes");
    home.ok(&["config", "set", "knowledge.crawl.maxPagesPerCrawl", "9"]);
    assert_eq!(get(&home, "crawl.max_pages_per_crawl"), "9");
    set(&home, "[knowledge.crawl]\nuserAgent = 'a'\n[crawl]\nuser_agent = 'b'\n");
    home.refused(&["status"], 2, "are the same setting");
}

#[test]
fn the_switch_turns_names_and_graph_on_and_off() {
    let home = Home::new();
    let both = || [get(&home, "remember.entities"), get(&home, "recall.graph")];
    assert_eq!(get(&home, "knowledge.enabled"), "true");
    set(&home, "[knowledge]\nenabled = false\nentityExtraction.enabled = true\n");
    assert_eq!(both(), ["false", "false"]);
    set(&home, "[knowledge]\nenabled = true\nentityExtraction.enabled = false\n");
    assert_eq!(both(), ["false", "true"]);
    set(&home, "[knowledge]\nenabled = false\n[agents.scout.knowledge]\nenabled = true\n");
    assert_eq!(both(), ["false", "false"]);
    assert_eq!(of_agent(&home, "scout", "knowledge.enabled"), "true");
    set(&home, "[knowledge]\nenabled = false\n[recall]\ngraph = true\n");
    home.refused(&["status"], 2, "are the same setting");
}

#[test]
fn gleaning_is_switched_beside_its_number_of_passes() {
    let home = Home::new();
    for (enabled, passes, read) in [("true", 2, "2"), ("false", 2, "0"), ("true", 0, "0")] {
        let block = "knowledge.entityExtraction.gleaning";
        set(&home, &format!("[{block}]\nenabled = {enabled}\npasses = {passes}\n"));
        assert_eq!(get(&home, "enrich.gleaning"), read, "{enabled} {passes}");
    }
}

#[test]
fn defaults_are_for_all_agents_and_an_agent_counts_more() {
    let home = Home::new();
    set(
        &home,
        "[agents.defaults.knowledge.crawl]\nmaxPagesPerCrawl = 5\n\
         [agents.my-agent.knowledge]\nentityExtraction.entityTypes = ['person']\n\
         crawl.maxPagesPerCrawl = 6\n",
    );
    assert_eq!(get(&home, "crawl.max_pages_per_crawl"), "5");
    assert_eq!(of_agent(&home, "other", "crawl.max_pages_per_crawl"), "5");
    assert_eq!(of_agent(&home, "my-agent", "crawl.max_pages_per_crawl"), "6");
    assert_eq!(of_agent(&home, "my-agent", "remember.entity_types"), r#"["person"]"#);
    assert_eq!(of_agent(&home, "other", "remember.entity_types"), "[]");
    for (flag, own) in [
        ("agents.my-agent.knowledge.crawl.max_pages_per_crawl=8", "8"),
        ("agents.my-agent.knowledge.crawl.maxPagesPerCrawl=8", "8"),
        ("agents.defaults.knowledge.crawl.maxPagesPerCrawl=8", "8"),
        ("agents.other.knowledge.crawl.maxPagesPerCrawl=8", "6"),
    ] {
        let read = ["--set", flag, "config", "--agent", "my-agent", "get", "crawl.max_pages_per_crawl"];
        assert_eq!(home.ok(&read).trim(), own, "{flag}");
    }
    set(&home, "[crawl]\ndepth = 2\n[agents.defaults.crawl]\ndepth = 3\n");
    home.refused(&["status"], 2, "`crawl.depth` and `agents.defaults.crawl.depth` are the same setting");
    set(&home, "[agents.defaults.server]\nrate = 3\n");
    home.refused(&["status"], 2, "is a setting for all");
}

#[test]
fn names_without_an_effect_are_refused_with_the_reason() {
    let home = Home::new();
    for (name, value, why) in [
        ("entityExtraction.consolidation.aliasMergeThreshold", "0.92", "griot merges --suggest"),
        ("retrieval.graphExpansion.weight", "0.3", "recall.ranker"),
        ("graph.backend", "'neo4j'", "takes \"sqlite\""),
        ("graph.neo4j.uri", "'bolt://x'", "no other back end"),
    ] {
        for table in ["knowledge", "agents.scout.knowledge", "agents.defaults.knowledge"] {
            set(&home, &format!("[{table}]\n{name} = {value}\n"));
            let run = home.run(&["status"]);
            run.refused(2, why);
            has(&run.stderr, &format!("`{table}.{name}` "));
        }
    }
    set(&home, "");
    home.refused(&["--set", "knowledge.retrieval.graphExpansion.weight=0.3", "status"], 2, "recall.ranker");
    let variable = [("GRIOT_KNOWLEDGE_RETRIEVAL_GRAPH_EXPANSION_WEIGHT", "0.3")];
    home.run_in(&variable, &["status"]).refused(2, "recall.ranker");
    let variable = [("GRIOT_KNOWLEDGE_CRAWL_USERAGENT", "x")];
    home.run_in(&variable, &["status"]).refused(2, "did you mean `GRIOT_KNOWLEDGE_CRAWL_USER_AGENT`?");
    for (table, near) in [
        ("knowledge.crawl]\nuserAgnt = 'x'", "did you mean `knowledge.crawl.userAgent`?"),
        ("knowledge.crawl]\nuser_agnt = 'x'", "did you mean `knowledge.crawl.user_agent`?"),
        (
            "agents.scout.knowledge.crawl]\nmaxPagesPerCrawls = 3",
            "did you mean `agents.scout.knowledge.crawl.maxPagesPerCrawl`?",
        ),
    ] {
        set(&home, &format!("[{table}\n"));
        home.refused(&["status"], 1, near);
    }
}

#[test]
fn a_crawl_uses_the_settings_of_its_agent() {
    let (home, site) = (Home::new(), harbour());
    let url = site.at("/");
    let crawl = |agent: &str| {
        home.json(&["crawl", &url, "--allow-private", "--rate", "0", "--agent", agent, "--tag", agent])
    };
    let names = || {
        let all = home.json(&["status"])["counts"]["entities_by_type"].clone();
        all["person"].as_u64().unwrap_or_default()
    };
    let limits = "[agents.pilot.knowledge]\nentityExtraction.entityTypes = ['tool']\n\
                  [agents.pilot.knowledge.crawl]\nmaxPagesPerCrawl = 1\n";
    set(&home, limits);
    assert_eq!(crawl("pilot")["pagesCrawled"], json!(1));
    assert_eq!(names(), 0);
    set(&home, "[agents.pilot.crawl]\nmode = 'single'\n[agents.mate.crawl]\nblock = ['/tides']\n");
    assert_eq!(crawl("pilot")["pagesDiscovered"], json!(1));
    assert_eq!(crawl("mate")["pagesCrawled"], json!(1));
    assert_eq!(crawl("other")["pagesCrawled"], json!(2));
}

#[test]
fn sources_are_read_again_agent_by_agent() {
    let (home, site) = (Home::new(), harbour());
    let tides = site.at("/tides");
    home.ok(&["ingest", &tides, "--allow-private", "--agent", "pilot"]);
    let file = home.file("log.md", "# Log\n\nThe Wanderer left Brest.\n");
    let file = file.to_string_lossy();
    home.ok(&["ingest", &file, "--agent", "mate"]);
    let mates = home.json(&["sources", "list", "--agent", "mate"]);
    assert_eq!(mates.list().len(), 1);
    home.file("log.md", "# Log\n\nThe Wanderer left Brest.\n\n# Later\n\nDr. Ada Lovelace sailed her.\n");
    set(&home, "[agents.mate.knowledge.entityExtraction]\nentityTypes = ['location']\n");
    home.ok(&["sources", "refresh", "--agent", "pilot", "--allow-private"]);
    assert_eq!(home.json(&["list", "--agent", "mate"]).list().len(), 1, "another agent's file");
    home.ok(&["sources", "refresh", "--agent", "mate"]);
    assert_eq!(home.json(&["list", "--agent", "mate"]).list().len(), 2, "it stays the agent's");
    assert_eq!(home.json(&["status"])["counts"]["entities_by_type"]["person"], json!(null));
    home.refused(&["sources", "refresh", &file, "--agent", "pilot"], 1, "of the agent `pilot`");
    home.refused(&["sources", "refresh", "--agent", "no-one"], 1, "griot sources list --agent no-one");
    assert_eq!(home.run(&["sources", "refresh"]).code, 2);
}

#[test]
fn sources_are_counted_and_listed_by_kind() {
    let (home, site) = (Home::new(), harbour());
    assert_eq!(home.json(&["status"])["sources_by_kind"], json!([]));
    home.ok(&["remember", "The lift is out of order"]);
    for name in ["MEMORY.md", "memory/lift.md", "manual.md"] {
        let file = home.file(name, format!("# {name}\n\nIt is about the lift.\n"));
        home.ok(&["ingest", &file.to_string_lossy()]);
    }
    home.ok(&["ingest", &site.at("/tides"), "--allow-private"]);
    let kinds = home.json(&["status"])["sources_by_kind"].clone();
    let count = |kind: &str| {
        let of_kind = kinds.list().iter().find(|one| one["kind"] == kind).expect("it is counted");
        assert!(of_kind["updated_at"].text().starts_with("20"), "{of_kind}");
        of_kind["sources"].as_u64()
    };
    assert_eq!((count("memory"), count("manual"), count("crawl")), (Some(3), Some(1), Some(1)));
    has(&home.ok(&["status"]), "5: 3 memory (last 20");
    let origins = |kind: &str| {
        let listed = home.json(&["sources", "list", "--source", kind]);
        listed.list().iter().map(|view| view["source"]["kind"].text().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(origins("memory"), ["agent", "file", "file"]);
    assert_eq!(origins("manual"), ["file"]);
    assert_eq!(origins("crawl"), ["page"]);
    home.refused(&["sources", "list", "--source", "crawls"], 2, "use memory, manual or crawl");

    // What is remembered later counts as an update of its kind.
    let at = |status: &serde_json::Value| status["sources_by_kind"][0]["updated_at"].text().to_string();
    let before = at(&home.json(&["status"]));
    home.ok(&["remember", "The lift works again"]);
    assert!(at(&home.json(&["status"])) > before);
}
