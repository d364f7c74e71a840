//! Damage: what is done to a sample, as a function of random numbers.

use std::io::{Cursor, Read, Write};
use std::sync::LazyLock;

use serde::Deserialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::random::Random;

/// Larger inputs find nothing that smaller ones do not, and take their time.
const LONGEST: usize = 1024 * 1024;
/// Of a packed file, members are damaged so often and not the file around them.
const INSIDE: f64 = 0.8;

/// What replaces a piece of text.
#[derive(Default, Deserialize)]
struct Pieces {
    /// What numbers become.
    numbers: Vec<String>,
    /// What means something in some format.
    words: Vec<String>,
}

static PIECES: LazyLock<Pieces> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../data/fuzz.json")).unwrap_or_default());

fn one_of(random: &mut Random, pieces: &[String]) -> Vec<u8> {
    pieces.get(random.below(pieces.len())).map_or(Vec::new(), |piece| piece.as_bytes().to_vec())
}

/// What bytes become.
const BYTES: [u8; 9] = [0, 1, 0x0A, 0x20, 0x7F, 0x80, 0xC3, 0xED, 0xFF];

/// A damaged sample. `others` are what pieces are taken from.
pub fn damaged(random: &mut Random, sample: &[u8], others: &[&[u8]]) -> Vec<u8> {
    let packed = sample.starts_with(b"PK\x03\x04") && random.chance(INSIDE);
    let inside = if packed { in_members(random, sample, others) } else { None };
    let mut bytes = inside.unwrap_or_else(|| changed(random, sample.to_vec(), others));
    bytes.truncate(LONGEST);
    bytes
}

fn changed(random: &mut Random, mut bytes: Vec<u8>, others: &[&[u8]]) -> Vec<u8> {
    // Mostly little: after much damage nothing gets past the first check.
    let most = 1 << random.below(5);
    for _ in 0..=random.below(most) {
        change(random, &mut bytes, others);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, others: &[&[u8]]) {
    if bytes.is_empty() {
        bytes.extend(one_of(random, &PIECES.words));
        return;
    }
    let at = random.below(bytes.len());
    match random.below(14) {
        0 | 1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at] = random.next() as u8,
        3 => bytes[at] = BYTES[random.below(BYTES.len())],
        4 => bytes.truncate(at),
        5 => drop(bytes.drain(at..end(random, bytes, at))),
        6 => {
            let piece = bytes[at..end(random, bytes, at)].to_vec();
            let to = random.below(bytes.len());
            insert(bytes, to, &piece);
        }
        7 => {
            // Nesting and length: one piece many times.
            let piece = bytes[at..(at + 1 + random.below(40)).min(bytes.len())].to_vec();
            let times = 1 << random.below(14);
            let piece = piece.repeat(times.min(LONGEST / 4 / piece.len()));
            insert(bytes, at, &piece);
        }
        8 => {
            let word = one_of(random, &PIECES.words);
            insert(bytes, at, &word);
        }
        9 | 10 => number(random, bytes, at),
        11 => {
            // A field of a binary format.
            let size = (1 << random.below(4)).min(bytes.len() - at);
            let value: u64 =
                [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF, u64::MAX, u64::MAX / 2, bytes.len() as u64]
                    [random.below(8)];
            let field = if random.chance(0.5) { value.to_be_bytes() } else { value.to_le_bytes() };
            bytes[at..at + size].copy_from_slice(&field[..size]);
        }
        12 => {
            let to = random.below(bytes.len());
            bytes.swap(at, to);
        }
        _ => {
            let other = others.get(random.below(others.len())).copied().unwrap_or_default();
            if !other.is_empty() {
                let from = random.below(other.len());
                let piece = other[from..end(random, other, from)].to_vec();
                insert(bytes, at, &piece);
            }
        }
    }
}

/// The number at or after this position becomes another one.
fn number(random: &mut Random, bytes: &mut Vec<u8>, at: usize) {
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|found| at + found) else { return };
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let other = one_of(random, &PIECES.numbers);
    bytes.splice(start..start + length, other);
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

fn end(random: &mut Random, bytes: &[u8], at: usize) -> usize {
    let most = 1 << random.below(10);
    (at + 1 + random.below(most)).min(bytes.len())
}

/// The archive packed again with some of its members damaged, so that the damage reaches what reads them.
fn in_members(random: &mut Random, sample: &[u8], others: &[&[u8]]) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(sample)).ok()?;
    let mut members: Vec<(String, Vec<u8>)> = Vec::new();
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).ok()?;
        let mut content = Vec::new();
        member.read_to_end(&mut content).ok()?;
        members.push((member.name().ok()?.into_owned(), content));
    }
    if members.is_empty() {
        return None;
    }
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(members.len()), random.below(members.len()));
        match random.below(16) {
            0 => members.swap(at, other),
            1 => members[at].1 = members[other].1.clone(),
            2 if members.len() > 1 => drop(members.remove(at)),
            3 => {
                members[at].0 =
                    String::from_utf8_lossy(&changed(random, members[at].0.clone().into(), &[])).into()
            }
            _ => members[at].1 = changed(random, std::mem::take(&mut members[at].1), others),
        }
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let stored = name == "mimetype" || random.chance(0.2);
        let method = if stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        writer.start_file(name, SimpleFileOptions::default().compression_method(method)).ok()?;
        writer.write_all(&content).ok()?;
    }
    writer.finish().ok().map(Cursor::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_pieces() {
        assert_eq!((PIECES.numbers.len(), PIECES.words.len()), (16, 40));
    }

    #[test]
    fn damage_follows_from_the_seed_and_is_bounded() {
        let sample: Vec<u8> = (0..=255).cycle().take(4000).collect();
        let make = |seed| damaged(&mut Random::new(seed), &sample, &[b"other"]);
        assert!((0..200).all(|seed| make(seed) == make(seed) && make(seed).len() <= LONGEST));
        assert!((0..200).filter(|&seed| make(seed) != sample).count() > 150);
        assert!((0..50).all(|seed| damaged(&mut Random::new(seed), b"", &[]).len() <= LONGEST));
    }

    #[test]
    fn members_are_damaged_inside_of_a_whole_archive() {
        let docx = include_bytes!("../../../griot-ingest/tests/golden/notes.docx");
        let opens = |seed| ZipArchive::new(Cursor::new(damaged(&mut Random::new(seed), docx, &[]))).is_ok();
        assert!((0..100).filter(|&seed| opens(seed)).count() > 60);
    }
}
