//! Golden files of every format, cut short and damaged at random: read or refused, never a panic, never
//! without end.

use std::fs;

use griot::model::ErrorKind;
use griot_ingest::{ReadOptions, read_bytes};

const MUTATIONS: u32 = 300;

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
                let is_text = |text: &str| !text.trim().is_empty() && !text.contains('\0');
                assert!(reading.drafts.iter().all(|draft| is_text(&draft.text)), "{name}");
            }
        }
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::InvalidInput, "{error}");
            assert!(error.to_string().starts_with(&format!("cannot read `{name}`: ")), "{error}");
        }
    }
}

fn all_mutations(name: &str, golden: &[u8]) {
    assert!(!crate::read(name, golden).drafts.is_empty(), "{name} holds something");
    let mut series = Series(0x9E37_79B9_7F4A_7C15 ^ golden.len() as u64);
    for _ in 0..MUTATIONS {
        check(name, mutated(golden, &mut series));
    }
    check(name, Vec::new());
    check(name, vec![0]);
    check(name, b"words under a wrong name".to_vec());
}

#[test]
fn invariant_8_damaged_files_are_read_or_refused() {
    for entry in fs::read_dir(crate::golden("")).unwrap() {
        let entry = entry.unwrap();
        all_mutations(&entry.file_name().to_string_lossy(), &fs::read(entry.path()).unwrap());
    }
}
