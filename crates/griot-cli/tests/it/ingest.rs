//! `griot ingest`: skips unchanged files, updates changed ones, reports bad ones.

use serde_json::json;

use crate::{Home, Parts, has};

const NOTES: &str = "# Notes\n\nThe cache lives in Redis.\n\n## Deploy\n\nWe deploy on Tuesdays.\n";

#[test]
fn a_folder_is_read_skipped_when_unchanged_and_followed_when_changed() {
    let home = Home::new();
    home.file("docs/notes.md", NOTES);
    home.file("docs/more.txt", "Plain text about Kafka.\n");
    home.file("docs/.gitignore", "secret.md\n");
    home.file("docs/secret.md", "# Secret\n\nThis is not read.\n");
    let first = home.json(&["ingest", "files/docs"]);
    assert_eq!((&first["sources"], &first["unchanged"]), (&2.into(), &0.into()), "{first}");
    assert!(first["failed"].list().is_empty(), "{first}");
    assert!(!home.content().contains("This is not read"));

    let again = home.json(&["ingest", "files/docs"]);
    assert_eq!((&again["unchanged"], &again["added"]), (&2.into(), &0.into()));

    home.file("docs/notes.md", NOTES.replace("Tuesdays", "Thursdays"));
    let changed = home.json(&["ingest", "files/docs"]);
    assert_eq!((&changed["unchanged"], &changed["removed"]), (&1.into(), &1.into()), "{changed}");
    let found = home.json(&["recall", "when do we deploy"]);
    has(found["results"][0]["text"].text(), "Thursdays");
    assert_eq!(found["results"][0]["heading"][1], "Deploy");
}

#[test]
fn files_that_are_gone_are_pruned_on_request() {
    let home = Home::new();
    home.file("docs/a.md", "# A\n\nAbout apples.\n");
    let gone = home.file("docs/b.md", "# B\n\nAbout bananas.\n");
    home.ok(&["ingest", "files/docs"]);
    std::fs::remove_file(gone).expect("it is there");
    assert_eq!(home.json(&["ingest", "files/docs"])["pruned"], json!([]));
    let pruned = home.json(&["ingest", "files/docs", "--prune"]);
    assert_eq!(pruned["pruned"].as_array().map(Vec::len), Some(1));
    assert_eq!(pruned["removed"], 1);
    let left = home.json(&["recall", "bananas", "--no-floor"]);
    assert!(!left.to_string().contains("About bananas"));
    // A source is named by its path, too.
    has(&home.ok(&["restore", "docs/b.md"]), "restored");
    has(&home.ok(&["list"]), "About bananas");
    has(&home.ok(&["forget", "docs/b.md"]), "forgotten");
    assert!(!home.ok(&["list"]).contains("About bananas"));
}

#[test]
fn a_folder_that_is_not_there_is_not_pruned() {
    let home = Home::new();
    home.file("disk/notes/a.md", "# A\n\nAbout apples.\n");
    home.ok(&["ingest", "files/disk/notes"]);
    let folder = |name: &str| home.path().join("files").join(name);
    std::fs::rename(folder("disk/notes"), folder("elsewhere")).expect("it is there");
    let prune = ["ingest", "files/disk/notes", "--prune"];
    home.refused(&prune, 1, "name the one above it");
    has(&home.ok(&["list"]), "About apples");
    let pruned = home.json(&["ingest", "files/disk", "--prune"]);
    assert_eq!(pruned["removed"], 1);
}

#[test]
fn a_bad_file_is_reported_and_the_others_are_read() {
    let home = Home::new();
    home.file("docs/good.md", NOTES);
    home.file("docs/bad.json", "{\"text\": ");
    let run = home.run(&["ingest", "files/docs", "files/missing.md"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("bad.json") && run.stderr.contains("missing.md"), "{}", run.stderr);
    assert!(run.stdout.contains("2 files were not read\n"), "{}", run.stdout);
    assert!(home.content().contains("The cache lives in Redis."));
}

#[test]
fn a_chat_keeps_speakers_times_and_sessions() {
    let home = Home::new();
    let line = |speaker: &str, time: &str, text: &str| {
        json!({ "speaker": speaker, "time": time, "session": "planning", "text": text }).to_string()
    };
    let asks = line("Ada", "2024-05-01T10:01:00Z", "Shall we take Kafka?");
    let answers = line("Bob", "2024-05-01T10:02:00Z", "No, RabbitMQ, because we know it.");
    home.file("chat.jsonl", format!("{asks}\n{answers}\n"));
    let read = home.json(&["ingest", "files/chat.jsonl", "--project", "shop", "--tag", "team"]);
    assert_eq!(read["added"], 2, "{read}");
    let found = home.json(&["recall", "why RabbitMQ", "--project", "shop", "--limit", "1"]);
    let best = &found["results"][0];
    assert_eq!((&best["speaker"], &best["session"]), (&"Bob".into(), &"planning".into()));
    assert_eq!(best["occurred_at"], "2024-05-01T10:02:00Z");
    assert_eq!((&best["kind"], &best["project"]), (&"turn".into(), &"shop".into()));
}

#[test]
fn marks_of_markdown_make_no_names() {
    let home = Home::new();
    home.file(
        "docs/tuning.md",
        "# Tuning\n\nRaise max\\_connections \\[default 100\\], \
         as the [Sizing Guide](../old/Sizing%20Guide.md) \
         of PostgreSQL says.\n\n| Name                 | Meaning                            |\n\
         |----------------------|------------------------------------|\n\
         | work\\_mem            | Memory of a sort                   |\n",
    );
    home.ok(&["ingest", "files/docs"]);
    let found = home.json(&["recall", "which max_connections does PostgreSQL have?"]);
    assert_eq!(
        found["results"][0]["text"],
        "Raise max_connections [default 100], as the Sizing Guide of PostgreSQL says.\n\n\
         | Name | Meaning |\n| --- | --- |\n| work_mem | Memory of a sort |"
    );
    let names = home.content();
    assert!(!names.contains("max\\\\_connections") && !names.contains("Sizing%20Guide"), "{names}");
}

#[test]
fn a_note_of_a_vault_has_its_aliases_tags_and_date() {
    let home = Home::new();
    home.file(
        "vault/Brotzeit.md",
        "---\naliases:\n  - bakery shop\n  - \"Brotzeit, Mitte\"\n\
         tags: [customer]\ncreated: 2025-03-02\n---\n\
         They pay within ten days.\n",
    );
    home.file("vault/minutes.txt", "Minutes of the board\nDate: 4 May 2025\n\nThe dryer is bought.\n");
    home.file("vault/Rain.md", "# Rain\n\nIt rains a lot in Nairobi.\n");
    home.ok(&["ingest", "files/vault"]);
    let found = home.json(&["recall", "how does the bakery shop pay?"]);
    let first = &found["results"][0];
    has(first["text"].text(), "within ten days");
    assert_eq!(
        (&first["tags"], &first["occurred_at"]),
        (&json!(["customer"]), &json!("2025-03-02T00:00:00Z"))
    );
    let named = home.json(&["entity", "bakery shop"]);
    assert_eq!(named["entity"]["name"], "Brotzeit", "{named}");
    assert_eq!(home.json(&["entity", "Brotzeit, Mitte"])["entity"]["name"], "Brotzeit");
    let minutes = home.json(&["recall", "which dryer is bought?"]);
    assert_eq!(minutes["results"][0]["occurred_at"], "2025-05-04T00:00:00Z");

    // An alias that comes later is added, though no passage changed.
    home.file("vault/Rain.md", "---\naliases: long rains\n---\n# Rain\n\nIt rains a lot in Nairobi.\n");
    home.ok(&["ingest", "files/vault"]);
    assert_eq!(home.json(&["entity", "long rains"])["entity"]["name"], "Rain");
}

#[test]
fn a_page_that_needs_scripts_is_reported() {
    let home = Home::new();
    home.file(
        "app.html",
        "<!doctype html><html><head><title>Shop</title></head><body>\
         <noscript>You need to enable JavaScript to run this app.</noscript><div id=\"root\"></div>\
         <script src=\"/static/main.js\"></script></body></html>",
    );
    home.refused(&["ingest", "files/app.html"], 1, "it shows its text only with JavaScript");
    assert!(!home.content().contains("enable JavaScript"));
}

#[test]
fn a_text_in_two_forms_is_shown_once_with_both_sources() {
    let home = Home::new();
    let words = "The cache of credentials keeps a password in memory for fifteen minutes, and then forgets \
                 it. The daemon listens on a socket in the home folder, which no one else may open. Give a \
                 longer timeout in seconds if fifteen minutes are too short for a long review of patches.";
    let more = "Only one daemon runs for each user. It ends with the last password that it keeps.";
    home.file("md/credential-cache.md", format!("# Credential cache\n\n{words}\n\n## Daemon\n\n{more}\n"));
    home.file("txt/credential-cache.txt", format!("Credential cache\n\n{words}\n\nDaemon\n\n{more}\n"));
    home.file("md/other.md", "# Other\n\nA password of the credentials team is kept in a vault.\n");
    home.ok(&["ingest", "files/md", "files/txt"]);
    let question = "how long does the cache of credentials keep a password?";
    let found = home.json(&["recall", question]);
    let told = |result: &&serde_json::Value| result["text"].text().contains("fifteen minutes");
    let telling: Vec<_> = found["results"].list().iter().filter(told).collect();
    let [only] = telling[..] else { panic!("{found}") };
    let [other] = only["also_in"].list() else { panic!("{only}") };
    let cites = [only["cite"].text(), other["cite"].text()];
    assert!(cites.iter().any(|cite| cite.contains("credential-cache.md")), "{cites:?}");
    assert!(cites.iter().any(|cite| cite.contains("credential-cache.txt")), "{cites:?}");
    let shown = home.ok(&["recall", question]);
    // People are shown the way from where they are.
    let (_, below) = other["cite"].text().split_once("/files/").expect("it is below the folder");
    has(&shown, &format!("also in files/{below}"));
    has(&home.ok(&["recall", question, "--context"]), "also in ");
}

#[test]
fn what_is_noted_of_a_source_is_shown_with_it() {
    let home = Home::new();
    let file = home.file("pier.md", "Ada Lovelace keeps the pier.").to_string_lossy().to_string();
    home.ok(&["ingest", &file, "--metadata", "author=Ada", "--metadata", "shelf=a=b"]);
    let source = home.json(&["sources"])[0]["source"].clone();
    assert_eq!(source["metadata"], json!({"author": "Ada", "shelf": "a=b"}), "{source}");
    let id = source["id"].as_str().expect("it has one");
    assert!(home.ok(&["sources", "show", id]).contains("author: Ada"));
    home.refused(&["ingest", &file, "--metadata", "author"], 2, "write NAME=VALUE");
    home.refused(&["ingest", &file, "--metadata", "=Ada"], 2, "is not a word");
}
