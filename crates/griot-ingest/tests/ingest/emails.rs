//! Emails and mailboxes.

use std::fs;
use std::io::Write;

use griot::model::SourceType;
use griot_ingest::{ReadOptions, read_file, read_stream};

use crate::{lines, problems};

const EMAIL: &str = "From: Ada Lovelace <ada@example.org>\r\nTo: bob@example.org\r\nSubject: =?utf-8?q?Tea_caf=C3=A9?=\r\n\
Date: Mon, 2 Mar 2026 10:05:00 +0100\r\nMessage-ID: <1@example.org>\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
Content-Transfer-Encoding: 8bit\r\n\r\n";

fn email() -> Vec<u8> {
    let mut bytes = EMAIL.as_bytes().to_vec();
    bytes.extend_from_slice(b"The caf\xE9 opens.\r\n\r\nOn Sunday Bob wrote:\r\n> When?\r\n> Really?\r\n");
    bytes
}

#[test]
fn an_email_is_a_turn_below_its_subject() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eml");
    fs::write(&path, email()).unwrap();
    let reading = read_file(&path, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(reading.source.title.as_deref(), Some("Tea café"));
    assert_eq!(
        lines(&reading),
        ["turn 1@example.org#0 2026-03-02T09:05:00Z Ada Lovelace (Tea café) | The café opens."]
    );
    fs::write(&path, "no email at all\n").unwrap();
    let error = read_file(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.ends_with("not an email: no headers found"), "{error}");
}

#[test]
fn html_and_attachments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eml");
    let text = "From: a@b.c\nSubject: x\nContent-Type: multipart/mixed; boundary=\"q\"\n\n--q\nContent-Type: text/html\n\n\
                <p>Hello <b>you</b></p>\n--q\nContent-Type: application/pdf; name=\"plan.pdf\"\nContent-Disposition: attachment; filename=\"plan.pdf\"\n\nxx\n--q--\n";
    fs::write(&path, text).unwrap();
    let reading = read_file(&path, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(
        reading.drafts[0].text.split_whitespace().collect::<Vec<_>>().join(" "),
        "Hello you Attached: plan.pdf"
    );
    assert_eq!(reading.drafts[0].speaker.as_deref(), Some("a@b.c"));
}

#[test]
fn a_mailbox_is_read_message_by_message() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mbox");
    let mut bytes = b"From ada@example.org Mon Mar  2 10:05:00 2026\n".to_vec();
    bytes.extend(email());
    bytes.extend_from_slice(
        b"\nFrom bob@example.org Mon Mar  2 11:05:00 2026\nFrom: Bob <bob@example.org>\nSubject: Re: Tea\nReferences: <1@example.org> <2@example.org>\n\
          Date: Mon, 2 Mar 2026 11:05:00 +0100\n\nGood.\n>From here on.\n\nFrom nobody Mon Mar  2 12:05:00 2026\n\nnothing\n",
    );
    fs::write(&path, &bytes).unwrap();
    let reading = read_file(&path, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(
        lines(&reading),
        [
            "turn 1-15 1@example.org#0 2026-03-02T09:05:00Z Ada Lovelace (Tea café) | The café opens.",
            "turn 16-24 1@example.org#1 2026-03-02T10:05:00Z Bob (Re: Tea) | Good.⏎From here on.",
        ]
    );
    let name = path.display();
    assert_eq!(problems(&reading), [format!("cannot read `{name}`: the message in line 25 has no headers")]);
    fs::write(&path, "words\n").unwrap();
    assert!(read_file(&path, &ReadOptions::default()).unwrap_err().to_string().contains("not a mailbox"));
}

#[test]
fn a_large_mailbox_comes_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.mbox");
    let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
    let body = "Some words of an email.\n".repeat(40);
    for number in 0..12_000 {
        write!(file, "From a@b.c Mon Mar  2 10:05:00 2026\nFrom: a@b.c\nSubject: {number}\nMessage-ID: <{number}@b.c>\n\n{body}\n").unwrap();
    }
    file.into_inner().unwrap();
    let (mut parts, mut all, mut most, mut hashed) = (0, 0, 0, 0);
    read_stream(&path, &ReadOptions { max_bytes: 1_000_000, ..ReadOptions::default() }, &mut |reading| {
        parts += 1;
        all += reading.drafts.len();
        most = most.max(reading.drafts.len());
        hashed += usize::from(reading.source.content_hash.is_some());
        Ok(())
    })
    .unwrap();
    assert!(parts > 5 && most < 2000, "{parts} parts of at most {most}");
    assert_eq!((all, hashed), (12_000, 1));
}
