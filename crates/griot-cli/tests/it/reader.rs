//! Heavy files are read in a worker process, so that no file can crash the command or the server.

use crate::{Home, pdf};

const WORDS: &str = "BT /F 12 Tf 50 700 Td (Tea was ready early) Tj ET ";

/// Messages of the files that failed, in order.
fn failed(answer: &serde_json::Value) -> Vec<String> {
    let all = answer["failed"].as_array().into_iter().flatten();
    all.map(|one| one["message"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn a_document_that_takes_too_much_memory_is_refused_and_the_next_one_is_read() {
    let home = Home::new();
    // Below every bound of its reader, and far above the memory that is set.
    home.file("docs/a.pdf", pdf::drawn("0 0 m ".repeat(500_000).as_bytes()));
    home.file("docs/b.pdf", pdf::drawn(WORDS.as_bytes()));
    let run = home.run(&["--json", "--set", "ingest.reader_memory_bytes=67108864", "ingest", "files/docs"]);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("the answer is JSON");
    let [failed] = &failed(&answer)[..] else { panic!("{answer}") };
    assert!(
        failed.contains("a.pdf") && failed.contains("reading it takes more than 64 MB of memory"),
        "{failed}"
    );
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
        let file = home.file("a.pdf", pdf::drawn(WORDS.as_bytes()));
        let arguments = ["--json", "--set", "ingest.reader_seconds=1", "ingest", &file.display().to_string()];
        let output = home.command().env("GRIOT_READER", false_reader(&home, does)).args(arguments).output();
        let output = output.expect("griot starts");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the answer is JSON");
        let [failed] = &failed(&answer)[..] else { panic!("{does}: {answer}") };
        assert!(failed.contains("a.pdf") && failed.contains(why), "{does}: {failed}");
    }
}

#[test]
fn plain_text_starts_no_other_process_and_a_wrong_reader_is_named() {
    let home = Home::new();
    let text = home.file("a.md", "# Tea\n\nIt was ready early.\n");
    let book = home.file("a.pdf", pdf::drawn(WORDS.as_bytes()));
    let read = |path: &std::path::Path, reader: &str| {
        let output = home
            .command()
            .env("GRIOT_READER", reader)
            .arg("ingest")
            .arg(path)
            .output()
            .expect("griot starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(read(&text, "/nowhere/griot").0, Some(0));
    let (code, said) = read(&book, "/nowhere/griot");
    assert!(
        code == Some(1) && said.contains("cannot read files with the program `/nowhere/griot`"),
        "{said}"
    );
    assert_eq!(read(&book, "off").0, Some(0));
}

#[test]
fn reading_apart_gives_what_reading_here_gives() {
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../griot-ingest/tests/golden");
    let export = |reader: &str| {
        let home = Home::new();
        let mut command = home.command();
        if !reader.is_empty() {
            command.env("GRIOT_READER", reader);
        }
        let output = command.arg("ingest").arg(&golden).output().expect("griot starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        // Without the times of ingestion.
        let keep = |line: &str| -> Option<serde_json::Value> {
            let mut record: serde_json::Value = serde_json::from_str(line).ok()?;
            for key in ["created_at", "updated_at", "learned_at", "id", "at"] {
                record.as_object_mut()?.remove(key);
            }
            Some(record["text"].clone()).filter(|text| !text.is_null())
        };
        home.content().lines().filter_map(keep).map(|record| record.to_string()).collect::<Vec<_>>()
    };
    let apart = export("");
    assert!(apart.len() > 50, "{}", apart.len());
    assert_eq!(apart, export("off"));
}
