//! What cannot be read: refused or reported with its position, never a panic.

use std::fs;
use std::path::Path;

use griot::model::ErrorKind;
use griot_ingest::{Format, ReadOptions, identify, read_file, read_stream, read_text};

use crate::{Folder, problems, read, refusal};

fn refused(path: &Path) -> griot::model::Error {
    let options = ReadOptions::default();
    let error = read_file(path, &options).expect_err("it should be refused");
    assert_eq!(read_stream(path, &options, &mut |_| Ok(())), Err(error.clone()));
    error
}

#[test]
fn files_without_text_hold_nothing() {
    for name in ["a.md", "a.txt", "a.json", "a.jsonl", "a.chat.txt", "-"] {
        for text in ["", " \n\t\r\n", "\u{FEFF}", "\u{FEFF}\n"] {
            let reading = read(name, text);
            assert!(reading.drafts.is_empty() && reading.problems.is_empty(), "{name} {text:?}");
        }
    }
    for (name, text) in
        [("a.json", "[]"), ("a.json", "{}"), ("a.json", "null"), ("a.md", "---\ntitle: x\n---\n")]
    {
        assert!(read(name, text).drafts.is_empty(), "{name} {text:?}");
    }
}

#[test]
fn json_that_is_too_deep_is_refused() {
    for (piece, column) in [("[", 128), ("{\"a\":", 636)] {
        let why = format!("line 1, column {column} is not JSON: it is nested more than 127 levels deep");
        assert_eq!(refusal("a.json", piece.repeat(100_000)), format!("cannot read `a.json`: {why}"));
    }
    assert!(!read("a.json", format!("{}1{}", "[".repeat(120), "]".repeat(120))).drafts.is_empty());
}

#[test]
fn an_export_is_imported_and_not_read() {
    let export = "{\"type\":\"header\",\"format\":\"griot-export\",\"version\":5}\n{\"type\":\"end\"}\n";
    let why = "it is an export of Griot, which `griot import` reads";
    assert_eq!(refusal("a.jsonl", export), format!("cannot read `a.jsonl`: {why}"));
}

#[test]
fn many_problems_are_counted() {
    let problems = problems(&read("a.jsonl", format!("{{\"text\": \"a\"}}\n{}", "bad\n".repeat(500))));
    assert_eq!(problems.len(), 100);
    assert_eq!(problems[99], "cannot read `a.jsonl`: 401 more problems");
}

#[test]
fn too_large_files_are_refused() {
    let folder = Folder::empty();
    let path = folder.file("a.md", "");
    fs::File::options().write(true).open(&path).unwrap().set_len(50 * 1024 * 1024 + 1).unwrap();
    let why = "it has 52428801 bytes, and the limit is 52428800";
    assert_eq!(refused(&path).to_string(), format!("cannot read `{}`: {why}", path.display()));
    let small = ReadOptions { max_bytes: 3, ..ReadOptions::default() };
    assert!(read_text("-", "four", &small).is_err());
    assert!(read_text("-", "two", &small).is_ok());
}

#[test]
fn what_is_not_there_or_no_file() {
    let folder = Folder::empty();
    let gone = folder.path().join("gone.md");
    let error = refused(&gone);
    assert_eq!(error.kind, ErrorKind::NotFound);
    let why = "there is no such file or folder";
    assert_eq!(error.to_string(), format!("cannot read `{}`: {why}", gone.display()));
    assert_eq!(identify(&gone, &ReadOptions::default()), Err(error));
    assert_eq!(refused(folder.path()).why, "it is a folder");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::empty();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xE9.md"));
    fs::write(&path, "words").unwrap();
    let options = ReadOptions { root: Some(folder.path().to_path_buf()), ..ReadOptions::default() };
    let reading = read_file(&path, &options).unwrap().remove(0);
    assert_eq!(reading.source.origin, "caf\\xE9.md");
    assert_eq!(reading.drafts.len(), 1);
    assert_eq!(griot_ingest::files(folder.path()).unwrap().files, [path]);
}

#[test]
fn no_text_makes_a_reader_panic() {
    let pieces = [
        "", "---", "\n", "\r\n", "- ", "[", "]", "{", "}", "\"", ":", " ", "a", "ż", "\u{FEFF}", "date: ",
        "tags:", "1", "2026-", "]:", "\\", ",",
    ];
    let mut state: u64 = 7;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        for format in Format::ALL.into_iter().map(Some).chain([None]) {
            let _ = read_text(&text, &text, &ReadOptions { format, ..ReadOptions::default() });
        }
    }
}
