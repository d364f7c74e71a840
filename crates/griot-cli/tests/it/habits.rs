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
