//! Golden files of every format, cut short and damaged at random: read or refused, never a panic, never without end.

use std::fs;
use std::path::Path;

use griot::model::ErrorKind;
use griot_ingest::{ReadOptions, read_bytes};

const MUTATIONS: u32 = 300;

/// A small one of each format that is text.
const TEXTS: &[(&str, &str)] = &[
    ("a.md", "---\ntitle: T\ndate: 2026-03-02\n---\n# A\n\ntext [[Link|l]] #tag\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
    ("a.csv", "id,name,text\n1,\"a \"\"b\"\"\",x\n2,c,\"y\nz\"\n"),
    ("a.yaml", "a: &x [1, {b: c}]\nd: *x\ne: |\n  text\n  more\n? [k]\n: v\n---\n- !t z\n"),
    (
        "a.xml",
        "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY a \"b\">]><r a='1'>x<b>&a;&#65;<![CDATA[c]]></b><!-- d --></r>",
    ),
    ("a.rst", "====\nHead\n====\n\ntext::\n\n  code\n\nSub\n---\n\n.. note:: x\n"),
    (
        "a.ipynb",
        r#"{"cells":[{"cell_type":"code","source":["a\n"],"outputs":[{"output_type":"stream","text":"x"}]}],"metadata":{}}"#,
    ),
    ("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>hi &amp; ho\n\n00:00:03.000 --> 00:00:04.000 a:b\nBob: x\n"),
    (
        "a.eml",
        "From: Ada <a@b.c>\nSubject: =?utf-8?q?x=C3=A9?=\nDate: Mon, 2 Mar 2026 10:05:00 +0100\nReferences: <1@b> <2@b>\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: text/html\n\n<p>hi</p>\n--q\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\naGkgaG8=\n--q--\n",
    ),
    (
        "a.mbox",
        "From a@b.c Mon Mar  2 10:05:00 2026\nFrom: a@b.c\nSubject: x\n\nhi\n\nFrom b@b.c Mon Mar  2 10:05:00 2026\nFrom: b@b.c\nSubject: Re: x\n\n>From here\n",
    ),
    (
        "chatgpt.json",
        r#"[{"title":"T","create_time":1772442300.0,"current_node":"b","mapping":{"a":{"message":null,"parent":null,"children":["b"]},"b":{"message":{"author":{"role":"user"},"create_time":1772442300.0,"content":{"parts":["hi"]}},"parent":"a","children":[]}}}]"#,
    ),
    (
        "claude.json",
        r#"[{"name":"T","chat_messages":[{"sender":"human","text":"hi","created_at":"2026-03-02T09:05:00Z","content":[{"type":"text","text":"hi"}]}]}]"#,
    ),
    (
        "slack.json",
        r#"[{"type":"message","user":"U1","text":"<@U2> see <https://x.org|x> &amp;","ts":"1772442300.0001","thread_ts":"1772442300.0001"}]"#,
    ),
    (
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"A\",\"entityType\":\"person\",\"observations\":[\"x\"]}\n{\"type\":\"relation\",\"from\":\"A\",\"to\":\"B\",\"relationType\":\"knows\"}\n",
    ),
    ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\nhi\n\n2\n00:00:02,500 --> 00:00:03,000\nho\n"),
];

/// The next number of a fixed series (xorshift).
struct Series(u64);

impl Series {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn mutated(golden: &[u8], series: &mut Series) -> Vec<u8> {
    let mut bytes = golden.to_vec();
    match series.below(4) {
        0 => bytes.truncate(series.below(bytes.len())),
        1 => {
            let at = series.below(bytes.len());
            let end = (at + 1 + series.below(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        2 => {
            let at = series.below(bytes.len());
            let end = (at + 1 + series.below(64)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = series.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => {}
    }
    for _ in 0..=series.below(4) {
        if !bytes.is_empty() {
            let at = series.below(bytes.len());
            bytes[at] = match series.below(3) {
                0 => series.below(256) as u8,
                1 => bytes[at] ^ (1 << series.below(8)),
                _ => b"<>{}[]\"'&\\/%:-\n0"[series.below(16)],
            };
        }
    }
    bytes
}

fn check(name: &str, bytes: Vec<u8>) {
    match read_bytes(name, bytes, &ReadOptions::default()) {
        Ok(readings) => {
            for reading in readings {
                let size: usize = reading.drafts.iter().map(|draft| draft.text.len()).sum();
                assert!(size < 50_000_000, "{name} became {size} bytes");
                assert!(reading.drafts.iter().all(|draft| !draft.text.trim().is_empty() && !draft.text.contains('\0')));
            }
        }
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::InvalidInput, "{error}");
            assert!(error.to_string().starts_with(&format!("cannot read `{name}`: ")), "{error}");
        }
    }
}

fn all_mutations(name: &str, golden: &[u8]) {
    // The unhurt file is read.
    let readings = read_bytes(name, golden.to_vec(), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert!(readings.iter().any(|reading| !reading.drafts.is_empty()), "{name} holds something");
    let mut series = Series(0x9E37_79B9_7F4A_7C15 ^ golden.len() as u64);
    for _ in 0..MUTATIONS {
        check(name, mutated(golden, &mut series));
    }
    check(name, Vec::new());
    check(name, vec![0]);
    check(name, b"words under a wrong name".to_vec());
}

#[test]
fn invariant_8_damaged_texts_are_read_or_refused() {
    for (name, text) in TEXTS {
        all_mutations(name, text.as_bytes());
    }
}

#[test]
fn invariant_8_damaged_files_are_read_or_refused() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let Ok(entries) = fs::read_dir(golden) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        all_mutations(&entry.file_name().to_string_lossy(), &fs::read(entry.path()).unwrap());
    }
}

#[test]
fn invariant_8_damaged_databases_are_read_or_refused() {
    for (name, bytes) in crate::databases::samples() {
        all_mutations(name, &bytes);
    }
}
