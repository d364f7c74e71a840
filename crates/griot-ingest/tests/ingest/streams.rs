//! Reading in pieces: the same drafts as at once, without the whole file in memory.

use std::fmt::Write;
use std::fs;

use griot::model::{Error, SourceType};
use griot_ingest::{ReadOptions, identify, read_file, read_stream};

/// 12 MB of messages with a bad line in the middle.
fn large() -> String {
    let mut text = String::new();
    for n in 0..30_000 {
        if n == 15_000 {
            text.push_str("{\"speaker\": \"half\n");
        }
        let words = "words and more of them ".repeat(15);
        let _ = writeln!(
            text,
            "{{\"speaker\": \"Ada\", \"session\": \"s{}\", \"text\": \"{n} {words}\"}}",
            n % 3
        );
    }
    text
}

#[test]
fn a_large_file_comes_in_parts_that_make_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.jsonl");
    fs::write(&path, large()).unwrap();
    // A limit below the size of the file: it holds for a line.
    let options = ReadOptions { max_bytes: 100_000, ..ReadOptions::default() };
    assert!(read_file(&path, &options).is_err());
    let mut parts = Vec::new();
    read_stream(&path, &options, &mut |part| {
        assert!(part.drafts.len() <= 1000);
        parts.push(part);
        Ok(())
    })
    .unwrap();
    assert_eq!(parts.len(), 31);
    let (last, others) = parts.split_last().unwrap();
    assert!(others.iter().all(|part| part.source.content_hash.is_none()), "a part is not the file");
    assert_eq!(last.source.content_hash, identify(&path, &options).unwrap().content_hash);
    assert_eq!(last.source.kind, SourceType::Chat);

    let whole = read_file(&path, &ReadOptions::default()).unwrap().remove(0);
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.jsonl");
    fs::write(&path, large()).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let long = format!("{{\"text\": \"{}\"}}", "x".repeat(9_000_000));
    fs::write(&path, format!("{{\"text\": \"one\"}}\n{long}\n{{\"text\": \"two\"}}\n")).unwrap();
    let options = ReadOptions { max_bytes: 1000, ..ReadOptions::default() };
    let mut parts = Vec::new();
    read_stream(&path, &options, &mut |part| {
        parts.push(part);
        Ok(())
    })
    .unwrap();
    let texts: Vec<&str> =
        parts.iter().flat_map(|part| &part.drafts).map(|draft| draft.text.as_str()).collect();
    assert_eq!(texts, ["one", "two"]);
    let told: Vec<String> =
        parts.iter().flat_map(|part| &part.problems).map(|error| error.why.clone()).collect();
    assert_eq!(told, ["line 2 is longer than 1000 bytes"]);
}
