//! Heavy files are read in a worker process, so that no file can crash the command or the server.

use crate::{Home, Parts, has, parsed, pdf};

const WORDS: &str = "BT /F 12 Tf 50 700 Td (Tea was ready early) Tj ET ";

#[test]
fn a_document_that_takes_too_much_memory_is_refused_and_the_next_one_is_read() {
    let home = Home::new();
    // Below every bound of its reader, and far above the memory that is set.
    home.file("docs/a.pdf", pdf::drawn("0 0 m ".repeat(500_000).as_bytes()));
    home.file("docs/b.pdf", pdf::drawn(WORDS.as_bytes()));
    let run = home.run(&["--json", "--set", "ingest.reader_memory_bytes=67108864", "ingest", "files/docs"]);
    let answer = parsed(&run.stdout);
    let [failed] = answer["failed"].texts("message")[..] else { panic!("{answer}") };
    has(failed, "a.pdf");
    has(failed, "reading it takes more than 64 MB of memory");
    assert_eq!((run.code, &answer["sources"]), (1, &1.into()), "{answer}");
    assert!(home.content().contains("Tea was ready early"));
}

/// A fake reader that answers the handshake, and then runs this script.
#[cfg(unix)]
fn false_reader(home: &Home, does: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let hello = concat!("{\"Hello\":\"griot-reader 3 ", env!("CARGO_PKG_VERSION"), "\"}");
    let length = format!("\\{:03o}", hello.len());
    let script =
        format!("#!/bin/sh\nprintf '{length}\\000\\000\\000\\000\\000\\000\\000%s' '{hello}'\n{does}\n");
    let path = home.file("reader.sh", script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be made to run");
    path.display().to_string()
}

#[cfg(unix)]
#[test]
fn a_reader_that_ends_or_never_answers_costs_its_file_and_says_why() {
    for (does, why) in [
        (
            "head -c 1 > /dev/null; kill -9 $$",
            "the system killed the reader process, probably because memory ran out",
        ),
        ("head -c 1 > /dev/null; kill -11 $$", "the reader process ended with signal 11"),
        ("exec sleep 600", "it was not read within 1 seconds"),
        ("printf 'no frame at all'; exec sleep 600", "the reader's answer is malformed"),
        ("exec sleep 600 > /dev/null", "the reader's answer is malformed"),
        ("head -c 1 > /dev/null; exit 3", "the reader process ended with exit status: 3"),
    ] {
        let home = Home::new();
        home.file("a.pdf", pdf::drawn(WORDS.as_bytes()));
        let arguments = ["--json", "--set", "ingest.reader_seconds=1", "ingest", "files/a.pdf"];
        let run = home.run_in(&[("GRIOT_READER", &false_reader(&home, does))], &arguments);
        let answer = parsed(&run.stdout);
        let [failed] = answer["failed"].texts("message")[..] else { panic!("{does}: {answer}") };
        assert!(failed.contains("a.pdf") && failed.contains(why), "{does}: {failed}");
    }
}

#[test]
fn plain_text_starts_no_other_process_and_a_wrong_reader_is_named() {
    let home = Home::new();
    home.file("a.md", "# Tea\n\nIt was ready early.\n");
    home.file("a.pdf", pdf::drawn(WORDS.as_bytes()));
    let read = |path: &str, reader: &str| home.run_in(&[("GRIOT_READER", reader)], &["ingest", path]);
    assert_eq!(read("files/a.md", "/nowhere/griot").code, 0);
    let refused = read("files/a.pdf", "/nowhere/griot");
    refused.refused(1, "cannot read files with the program `/nowhere/griot`");
    assert_eq!(read("files/a.pdf", "off").code, 0);
}

#[test]
fn reading_apart_gives_what_reading_here_gives() {
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../griot-ingest/tests/golden");
    let export = |reader: &[(&str, &str)]| {
        let home = Home::new();
        let run = home.run_in(reader, &["ingest", &golden.to_string_lossy()]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let texts = |line: &str| parsed(line)["text"].as_str().map(str::to_string);
        home.content().lines().filter_map(texts).collect::<Vec<_>>()
    };
    let apart = export(&[]);
    assert!(apart.len() > 50, "{}", apart.len());
    assert_eq!(apart, export(&[("GRIOT_READER", "off")]));
}
