//! What cannot be read: refused or reported with its position, never a panic.

use std::fs;
use std::path::Path;

use griot::model::ErrorKind;
use griot_ingest::{Format, ReadOptions, content_hash, identify, read_file, read_stream, read_text};

use crate::{Folder, problems, read, read_path, refusal, texts};

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
fn what_is_no_text_is_refused_with_the_byte() {
    let folder = Folder::empty();
    for (name, bytes, why) in [
        ("a.txt", &b"caf\xE9 \x01\x02"[..], "byte 3 (0xE9) is not UTF-8"),
        ("a.md", b"\x89PNG\0", "it is not text: byte 4 is NUL"),
        ("a.jsonl", b"{\"text\": \"a\"}\n\0\0", "it is not text: byte 14 is NUL"),
        ("a.json", b"[\"a\xFF\"]", "byte 3 (0xFF) is not UTF-8"),
    ] {
        let path = folder.file(name, bytes);
        let error = refused(&path);
        assert_eq!(error.to_string(), format!("cannot read `{}`: {why}", path.display()));
        assert_eq!(error.kind, ErrorKind::InvalidInput);
    }
    for (name, text) in [("wide.txt", "\u{FEFF}hi"), ("wide.jsonl", "\u{FEFF}{\"text\":\"hi\"}")] {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(texts(&read_path(&folder.file(name, bytes))), ["hi"], "{name}");
    }
}

#[test]
fn text_of_other_encodings_is_read() {
    let folder = Folder::empty();
    let text_of = |name: &str, bytes: &[u8]| {
        let reading = read_path(&folder.file(name, bytes));
        (texts(&reading).join("|"), problems(&reading).join("|"))
    };
    for (name, bytes, text) in [
        ("a.txt", &b"Ein Caf\xE9 in der N\xE4he."[..], "Ein Café in der Nähe."),
        ("a.md", b"# Caf\xE9\n\nGr\xFC\xDFe", "Grüße"),
        ("a.csv", b"name,city\nJos\xE9,M\xE1laga\n", "name: José\ncity: Málaga"),
        ("a.yaml", b"name: Jos\xE9\n", "name: José"),
        ("a.xml", b"<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><a>\xB1\xEA</a>", "ąę"),
        ("a.html", b"<html><head><meta charset=iso-8859-2></head><body><p>\xB1\xEA</p></body></html>", "ąę"),
        ("a.chat.txt", b"Ren\xE9: Bonjour \xE0 tous\nZo\xEB: Salut\n", "Bonjour à tous|Salut"),
    ] {
        assert_eq!(text_of(name, bytes), (text.to_string(), String::new()), "{name}");
    }
    let mut bytes = "zażółć gęślą jaźń ".repeat(9).into_bytes();
    bytes.push(0xC5);
    let (text, problem) = text_of("cut.txt", &bytes);
    assert!(text.ends_with("jaźń \u{FFFD}"), "{text}");
    assert!(problem.ends_with("cut.txt`: it was read as UTF-8, and 1 character was replaced"), "{problem}");
}

#[test]
fn a_line_that_is_no_text_is_told_and_the_rest_goes_on() {
    let bytes = b"\xEF\xBB\xBF{\"text\": \"one\"}\n{\"text\": \"caf\xE9\"}\n{\"text\": \"a\\u0000b\"}\n\
                  {\"text\": \"two\"}\n";
    let folder = Folder::empty();
    let path = folder.file("a.jsonl", bytes);
    let reading = read_path(&path);
    assert_eq!(texts(&reading), ["one", "two"]);
    let name = path.display();
    assert_eq!(
        problems(&reading),
        [
            format!("cannot read `{name}`: line 2: byte 32 (0xE9) is not UTF-8"),
            format!("cannot read `{name}`: line 3 holds a NUL character"),
        ]
    );
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
    assert_eq!(content_hash(&gone, &ReadOptions::default()), Err(error.clone()));
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
