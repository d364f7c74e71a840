//! Reading in pieces: the same drafts as at once, without the whole file in memory.

use std::fmt::Write;

use griot::model::{Error, SourceType};
use griot_ingest::{ReadOptions, identify, read_file, read_stream};

use crate::{Folder, read_parts, read_path, texts};

/// 12 MB of messages with a bad line in the middle.
fn large() -> String {
    let words = "words and more of them ".repeat(15);
    let mut text = String::new();
    for n in 0..30_000 {
        if n == 15_000 {
            text.push_str("{\"speaker\": \"half\n");
        }
        let session = n % 3;
        let _ = writeln!(text, r#"{{"speaker": "Ada", "session": "s{session}", "text": "{n} {words}"}}"#);
    }
    text
}

#[test]
fn a_large_file_comes_in_parts_that_make_the_whole() {
    let folder = Folder::empty();
    let path = folder.file("large.jsonl", large());
    // A limit below the size of the file: it applies to each line.
    let options = ReadOptions { max_bytes: 100_000, ..ReadOptions::default() };
    assert!(read_file(&path, &options).is_err());
    let parts = read_parts(&path, &options);
    assert!(parts.len() == 31 && parts.iter().all(|part| part.drafts.len() <= 1000));
    let (last, others) = parts.split_last().unwrap();
    assert!(others.iter().all(|part| part.source.content_hash.is_none()), "a part is not the file");
    assert_eq!(last.source.content_hash, identify(&path, &options).unwrap().content_hash);
    assert_eq!(last.source.kind, SourceType::Chat);

    let whole = read_path(&path);
    assert_eq!(last.source, whole.source);
    let drafts: Vec<_> = parts.iter().flat_map(|part| part.drafts.clone()).collect();
    assert_eq!(drafts.len(), 30_000);
    assert!(drafts == whole.drafts);
    let problems: Vec<_> = parts.iter().flat_map(|part| part.problems.clone()).collect();
    assert_eq!(problems, whole.problems);
    assert_eq!(problems.len(), 1);
}

#[test]
fn the_caller_can_stop() {
    let folder = Folder::empty();
    let path = folder.file("large.jsonl", large());
    let mut count = 0;
    let stop = Error::unavailable("go on", "interrupted");
    let end = read_stream(&path, &ReadOptions::default(), &mut |_| {
        count += 1;
        if count == 3 { Err(stop.clone()) } else { Ok(()) }
    });
    assert_eq!((end, count), (Err(stop), 3));
}

#[test]
fn a_line_longer_than_the_limit_is_told() {
    let folder = Folder::empty();
    let long = format!("{{\"text\": \"{}\"}}", "x".repeat(9_000_000));
    let path = folder.file("a.jsonl", format!("{{\"text\": \"one\"}}\n{long}\n{{\"text\": \"two\"}}\n"));
    let parts = read_parts(&path, &ReadOptions { max_bytes: 1000, ..ReadOptions::default() });
    assert_eq!(parts.iter().flat_map(texts).collect::<Vec<_>>(), ["one", "two"]);
    let problems = parts.iter().flat_map(|part| &part.problems).map(|error| error.why.as_str());
    assert_eq!(problems.collect::<Vec<_>>(), ["line 2 is longer than 1000 bytes"]);
}

#[test]
fn a_large_mailbox_comes_in_parts() {
    let body = "Some words of an email.\n".repeat(40);
    let mut text = String::new();
    for number in 0..12_000 {
        let head = format!("From: a@b.c\nSubject: {number}\nMessage-ID: <{number}@b.c>");
        write!(text, "From a@b.c Mon Mar  2 10:05:00 2026\n{head}\n\n{body}\n").unwrap();
    }
    let folder = Folder::empty();
    let options = ReadOptions { max_bytes: 1_000_000, ..ReadOptions::default() };
    let parts = read_parts(&folder.file("large.mbox", text), &options);
    let sizes: Vec<usize> = parts.iter().map(|part| part.drafts.len()).collect();
    assert!(sizes.len() > 5 && sizes.iter().all(|size| *size < 2000), "{sizes:?}");
    let hashed = parts.iter().filter(|part| part.source.content_hash.is_some()).count();
    assert_eq!((sizes.iter().sum::<usize>(), hashed), (12_000, 1));
}
