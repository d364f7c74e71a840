//! What people expect of any command line: colours, quiet, completions, an editor, addresses for files.

use crate::crawl::harbour;
use crate::{Home, has};

#[test]
fn completions_and_manual_pages_install_themselves() {
    let home = Home::new();
    let user = home.path().join("user");
    let user = user.to_string_lossy();
    let install = |shell: &str, arguments: &[&str]| {
        let variables = [("HOME", &*user), ("SHELL", shell), ("XDG_DATA_HOME", ""), ("XDG_CONFIG_HOME", "")];
        home.run_in(&variables, arguments)
    };
    let read = |path: &str| std::fs::read_to_string(home.path().join("user").join(path)).unwrap_or_default();

    has(&install("/bin/bash", &["completions", "--install"]).stdout, "wrote ");
    has(&read(".local/share/bash-completion/completions/griot"), "complete -F _griot");
    let zsh = install("/usr/bin/zsh", &["completions", "--install"]).stdout;
    has(&zsh, "fpath=(");
    has(&read(".zfunc/_griot"), "#compdef griot");
    home.file("../user/.zshrc", "fpath=(~/.zfunc $fpath)\n");
    assert!(!install("/usr/bin/zsh", &["completions", "--install"]).stdout.contains("fpath"));
    install("", &["completions", "fish", "--install"]);
    has(&read(".config/fish/completions/griot.fish"), "complete -c griot");
    has(&install("/usr/bin/nu", &["completions"]).stdout, "export extern griot");
    let unknown = install("/bin/tcsh", &["completions"]);
    assert_eq!(unknown.code, 2);
    has(&unknown.stderr, "hint: griot completions bash");

    has(&install("", &["man", "--install"]).stdout, "man griot");
    has(&read(".local/share/man/man1/griot-recall.1"), "Ask the memory a question");
    has(&read(".local/share/man/man1/griot.1"), ".TH griot 1");
}

#[test]
fn colours_and_notes_are_what_the_user_chooses() {
    let home = Home::new();
    home.ok(&["remember", "The lift is out of order"]);
    assert!(!home.ok(&["list"]).contains('\u{1b}'));
    has(&home.ok(&["--color", "always", "list"]), "\u{1b}[2mSTORED");
    has(&home.run(&["list", "--color=always", "--limit", "x"]).stderr, "\u{1b}[");
    assert!(!home.run_in(&[("NO_COLOR", "1")], &["list"]).stdout.contains('\u{1b}'));
    has(&home.run(&["-v", "list"]).stderr, "griot.db");
    assert_eq!(home.run(&["list"]).stderr, "");
    let asked = ["why", "did", "the", "lift", "stop"];
    has(&home.run(&asked).stderr, "griot recall answers the question");
    assert_eq!(home.run(&[&["-q"], &asked[..]].concat()).stderr, "");
}

#[cfg(unix)]
#[test]
fn an_editor_makes_a_new_version() {
    let home = Home::new();
    home.ok(&["remember", "The shop opens at nine", "--tag", "shop"]);
    let handle = home.json(&["list"])[0]["handle"].as_str().expect("a handle").to_string();
    let file = home.file("new.md", "The shop opens at ten\n");
    has(&home.ok(&["edit", &handle, "--file", &file.to_string_lossy()]), "replaces");
    let now = home.json(&["list"]);
    assert_eq!(now[0]["text"].as_str().map(str::trim_end), Some("The shop opens at ten"));
    assert_eq!(now[0]["tags"][0], "shop");
    assert_eq!(home.json(&["list", "--superseded"])[0]["text"], "The shop opens at nine");
    has(&home.ok(&["show", &handle]), "superseded");
    let newer = now[0]["handle"].as_str().expect("a handle");
    home.refused(&["edit", &handle, "The shop opens at eight"], 2, newer);
    // The next ingest would bring the text of a document back.
    let document = home.file("hours.md", "The café opens at eleven.\n");
    home.ok(&["ingest", &document.to_string_lossy()]);
    let passages = home.json(&["list", "--kind", "passage"]);
    let passage = passages[0]["handle"].as_str().expect("a handle");
    home.refused(&["edit", passage, "The café opens at ten."], 2, "hours.md");
}

#[test]
fn a_page_is_ingested_by_its_address_and_keeps_its_tags() {
    let (home, site) = (Home::new(), harbour());
    let tides = site.at("/tides");
    let refused = home.run(&["ingest", &tides]);
    assert_eq!(refused.code, 1);
    has(&refused.stderr, "--allow-private");
    let page = ["ingest", &tides, "--allow-private"];
    let read = home.json(&[&page[..], &["--tag", "web", "--agent", "pilot"]].concat());
    assert_eq!((&read["sources"], &read["added"]), (&1.into(), &1.into()));
    assert_eq!(home.json(&["list", "--agent", "pilot", "--source", "crawl"])[0]["tags"][0], "web");
    home.ok(&[&page[..], &["--tag", "sea"]].concat());
    home.ok(&page);
    let crawl = ["crawl", &site.at("/"), "--allow-private", "--rate", "0"];
    home.ok(&[&crawl[..], &["--tag", "harbour"]].concat());
    home.ok(&crawl);
    let tags = &home.json(&["list", "--tag", "web", "--tag", "sea", "--tag", "harbour"])[0]["tags"];
    assert_eq!(*tags, serde_json::json!(["web", "sea", "harbour"]));
}

#[test]
fn two_texts_on_standard_input_are_both_kept() {
    let home = Home::new();
    for text in ["The gate is green.", "The fence is red."] {
        home.run_with(&["ingest", "-"], text.as_bytes());
    }
    let listed = home.ok(&["list"]);
    assert!(listed.contains("The gate is green.") && listed.contains("The fence is red."), "{listed}");
}

#[test]
fn a_second_ingest_adds_its_tags() {
    let home = Home::new();
    let file = home.file("note.md", "# Standby\n\nIt takes over within 30 seconds.\n");
    let file = file.to_string_lossy();
    home.ok(&["ingest", &file, "--tag", "ops"]);
    home.ok(&["ingest", &file, "--tag", "runbook"]);
    home.ok(&["ingest", &file]);
    let tags = &home.json(&["list"])[0]["tags"];
    assert_eq!(*tags, serde_json::json!(["ops", "runbook"]));
}

#[test]
fn a_crawl_whose_start_is_missing_fails() {
    let (home, site) = (Home::new(), harbour());
    let missing = home.run(&["crawl", &site.at("/nothing"), "--allow-private"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (1, ""));
    has(&missing.stderr, "the server answered 404");
    let unreachable = home.run(&["crawl", "http://127.0.0.1:9/", "--allow-private", "--rate", "0"]);
    assert_eq!(unreachable.code, 1);
    has(&unreachable.stderr, "error: cannot read `http://127.0.0.1:9/`");
}

#[test]
fn sources_are_named_as_the_working_folder_names_them() {
    let home = Home::new();
    home.file("docs/arch.md", "# Store\n\nRedis holds the sessions.\n");
    home.file("old/arch.md", "# Store\n\nPostgres held the sessions.\n");
    let from = |folder: &str, arguments: &[&str]| {
        let mut command = home.command();
        let folder = home.path().join("files").join(folder);
        crate::Run::of(command.current_dir(folder).args(arguments).output().expect("griot starts"))
    };
    assert_eq!(from("docs", &["ingest", "."]).code, 0);
    has(&from("", &["recall", "--source", "arch.md", "sessions"]).stdout, "Redis holds");
    assert_eq!(from("old", &["ingest", "."]).code, 0);
    for arguments in [
        &["list", "--source", "arch.md"][..],
        &["sources", "show", "./arch.md"],
        &["recall", "--source", "../docs/arch.md", "sessions"],
    ] {
        has(&from("docs", arguments).stdout, "Redis holds");
    }
    from("", &["list", "--source", "arch.md"]).refused(2, "2 sources end in it");
    has(&from("", &["list", "--source", "docs/arch.md"]).stdout, "Redis holds");
    from("docs", &["list", "--source", "arhc.md"]).refused(1, "arch.md`?");
    has(&from("docs", &["erase", "source", "arch.md", "--dry-run"]).stdout, "1 memory");
    has(&from("docs", &["forget", "source", "arch.md"]).stdout, "forgotten");
    has(&from("docs", &["ingest", "arch.md"]).stdout, "1 source was forgotten and left out: griot restore s");
    has(&from("docs", &["restore", "source", "arch.md"]).stdout, "restored");
}

#[test]
fn quiet_keeps_what_failed_and_files_are_counted_once() {
    let home = Home::new();
    home.file("docs/bad.json", "{\"text\": ");
    home.file("docs/team.jsonl", "{\"text\": \"Redis is fast.\"}\n{\"text\": \n{\"text\": \n");
    let run = home.run(&["-q", "ingest", "files/docs"]);
    assert_eq!(run.code, 1);
    has(&run.stderr, "bad.json");
    has(&run.stdout, "1 file was not read\n");
    has(&run.stdout, "1 file was read, with problems");
}

#[test]
fn a_text_without_a_name_is_called_by_its_first_words() {
    let home = Home::new();
    home.ok(&["ingest", "--text", "Pumps are primed by Zoe before the shift begins."]);
    let listed = home.json(&["list"]);
    has(&listed[0]["cite"].to_string(), "pumps-are-primed-by-zoe-before-");
    let hubs = home.ok(&["hubs"]);
    assert!(!hubs.contains("pumps"), "{hubs}");
}

#[test]
fn a_new_version_keeps_what_people_said_of_the_old_one() {
    let home = Home::new();
    let a = home.remember("The weekly report was late.", &[]);
    let b = home.remember("The disk of the archive filled up.", &[]);
    let c = home.remember("The night job stopped at two.", &["--entity", "Nightjar:tool"]);
    home.ok(&["link", &b, &c, "--kind", "causal", "--reason", "it could not write"]);
    home.ok(&["link", &c, &a, "--kind", "causal"]);
    let new = home.json(&["edit", &c, "The night job stopped at three."]);
    let new = new["handle"].as_str().expect("a handle").trim_start_matches('#').to_string();
    let why = home.ok(&["why", &new]);
    has(&why, "The disk of the archive filled up.");
    has(&why, "The weekly report was late.");
    has(&home.ok(&["why", &c]), "The disk of the archive filled up.");
    has(&home.ok(&["entity", "Nightjar"]), "stopped at three");
    let found = home.json(&["recall", "when does the night job stop?"]);
    has(&found["results"][0]["text"].to_string(), "stopped at three");
    // What the old version said is forgotten; what people said of it holds for the new one.
    home.refused(&["edit", &new, "The night job stopped at two."], 2, "which has this text");
    home.ok(&["forget", &c]);
    has(&home.ok(&["entity", "Nightjar"]), "stopped at three");
    has(&home.ok(&["why", &new]), "The disk of the archive filled up.");
}

#[test]
fn a_run_of_letters_and_an_empty_name_are_no_harm() {
    let home = Home::new();
    let letters = format!("The label says {} and nothing else.", "za".repeat(100_000));
    assert_eq!(home.run_with(&["remember", "-"], letters.as_bytes()).code, 0);
    home.ok(&["remember", "The other label says nothing."]);
    has(&home.ok(&["recall", "what does the other label say?"]), "The other label says nothing.");
    home.refused(&["remember", "The label is red.", "--supersedes", ""], 2, "replaces is empty");
    home.refused(&["show", ""], 1, "the name is empty");
}

#[test]
fn forgotten_memories_are_listed_and_nothing_else_is_restored() {
    let home = Home::new();
    let handle = home.remember("The lift is out of order.", &["--kind", "event", "--entity", "Lift:tool"]);
    home.remember("The stairs are open.", &[]);
    has(&home.ok(&["restore", "Lift"]), "nothing was restored: it was not forgotten");
    home.ok(&["forget", &handle]);
    let forgotten = home.json(&["list", "--forgotten"]);
    let handles: Vec<_> = forgotten.as_array().expect("a list").iter().map(|one| &one["handle"]).collect();
    assert_eq!(handles, [&serde_json::json!(format!("#{handle}"))]);
    assert_eq!(home.json(&["list", "--forgotten", "--kind", "decision"]), serde_json::json!([]));
    has(&home.ok(&["restore", &handle]), "restored");
    assert_eq!(home.json(&["list", "--forgotten"]), serde_json::json!([]));
}

#[test]
fn an_address_without_its_scheme_is_hinted_at() {
    let home = Home::new();
    has(
        &home.run(&["ingest", "example.org/help"]).stderr,
        "griot ingest https://example.org/help reads the page",
    );
    let upper = home.run(&["ingest", "HTTP://127.0.0.1:9/"]);
    has(&upper.stderr, "its address is not public");
}

#[test]
fn tags_of_a_source_find_its_memories() {
    let home = Home::new();
    let file = home.file("barge.md", "The barge is moored at the quay.");
    home.ok(&["ingest", &file.to_string_lossy(), "--tag", "yard"]);
    home.ok(&["sources", "tag", "s1", "boats"]);
    assert_eq!(home.json(&["sources"])[0]["source"]["tags"], serde_json::json!(["boats"]));
    for tag in ["boats", "yard"] {
        has(&home.ok(&["list", "--tag", tag]), "moored");
    }
}
