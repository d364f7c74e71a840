//! Emails and mailboxes.

use std::fmt::Write;

use griot::model::SourceType;
use griot_ingest::ReadOptions;

use crate::{Folder, lines, problems, read, read_parts};

fn email() -> Vec<u8> {
    let head = "From: Ada Lovelace <ada@example.org>\r\nTo: bob@example.org\r\n\
                Subject: =?utf-8?q?Tea_caf=C3=A9?=\r\nDate: Mon, 2 Mar 2026 10:05:00 +0100\r\n\
                Message-ID: <1@example.org>\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
                Content-Transfer-Encoding: 8bit\r\n\r\n";
    let body = b"The caf\xE9 opens.\r\n\r\nOn Sunday Bob wrote:\r\n> When?\r\n> Really?\r\n";
    [head.as_bytes(), body].concat()
}

#[test]
fn an_email_is_a_turn_below_its_subject() {
    let reading = read("a.eml", email());
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(reading.source.title.as_deref(), Some("Tea café"));
    assert_eq!(
        lines(&reading),
        ["turn 1@example.org#0 2026-03-02T09:05:00Z Ada Lovelace (Tea café) | The café opens."]
    );
}

#[test]
fn a_mailbox_is_read_message_by_message() {
    let rest = "\nFrom bob@example.org Mon Mar  2 11:05:00 2026\nFrom: Bob <bob@example.org>\n\
                Subject: Re: Tea\nReferences: <1@example.org> <2@example.org>\n\
                Date: Mon, 2 Mar 2026 11:05:00 +0100\n\nGood.\n>From here on.\n\n\
                From unknown Mon Mar  2 12:05:00 2026\n\nnothing\n";
    let first = b"From ada@example.org Mon Mar  2 10:05:00 2026\n";
    let reading = read("a.mbox", [first, email().as_slice(), rest.as_bytes()].concat());
    assert_eq!(
        lines(&reading),
        [
            "turn 1-15 1@example.org#0 2026-03-02T09:05:00Z Ada Lovelace (Tea café) | The café opens.",
            "turn 16-24 1@example.org#1 2026-03-02T10:05:00Z Bob (Re: Tea) | Good.⏎From here on.",
        ]
    );
    assert_eq!(problems(&reading), ["cannot read `a.mbox`: the message in line 25 has no headers"]);
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
